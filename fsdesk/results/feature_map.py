"""The picture of the selected features: rows of the data by class, columns clustered, with trees and a colour bar."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Patch
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.results.figures import shortened
from fsdesk.results.result import Result

__all__ = ["FeatureMap", "feature_map_figure"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_MOST_ROWS, _MOST_COLUMNS, _MOST_NAMES = 1200, 400, 80
_REACH = 2.5  # standard deviations at the ends of the colour bar
_CLASS_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
_TREE = "#5a6675"


@dataclass(frozen=True, eq=False)
class FeatureMap:
    """What the picture shows.

    Attributes
    ----------
    z
        (rows, columns) z-scores in the order drawn.
    rows
        (rows,) index of the row of the data.
    names
        Of the columns.
    column_links, row_links
        Trees as scipy makes them, in the order before drawing; one of rows for each class. None for a single leaf.
    blocks
        Number of rows of each class, in the order drawn; of a numeric target one block.
    left_out
        What was too much to draw, in words, or "".
    """

    z: Floats
    rows: Places
    names: tuple[str, ...]
    column_links: Floats | None
    row_links: tuple[Floats | None, ...]
    blocks: tuple[int, ...]
    left_out: str = ""

    @classmethod
    def of(cls, result: Result, dataset: Dataset) -> "FeatureMap":
        """Order rows by class and within it by likeness (a numeric target: by its value), columns by likeness.

        Gaps are filled by the median or the most frequent category; a nominal feature has a column for each category.
        Clusters are by average linkage of Euclidean distances between rows, of 1 less the correlation between columns.
        """
        z, names, more_columns = _standardised(result, dataset)
        kept = _thinned(len(z))
        z = z[kept]
        column_links = _linked(_apart(z))
        links: list[Floats | None] = [None]
        order = _leaves(column_links, z.shape[1])
        z, names = z[:, order], tuple(names[place] for place in order)
        if dataset.response is not None:
            by_value = np.argsort(dataset.response[kept], kind="stable")
            parts = [by_value]
        else:
            members = [np.flatnonzero(dataset.target[kept] == code) for code in range(len(dataset.classes))]
            links = [_linked(_distances(z[part])) for part in members]
            parts = [part[_leaves(link, len(part))] for part, link in zip(members, links, strict=True)]
        rows = np.concatenate(parts)
        every = -(-len(dataset.target) // max(1, len(kept)))
        more_rows = f"1 row in {every} is drawn" if every > 1 else ""
        left_out = ", ".join(filter(None, (more_rows, more_columns)))
        return cls(z[rows], kept[rows], names, column_links, tuple(links), tuple(map(len, parts)), left_out)


def _standardised(result: Result, dataset: Dataset) -> tuple[Floats, tuple[str, ...], str]:
    """(rows, columns) z-scores, names of the columns, and what was left out."""
    places = np.flatnonzero(result.mask)
    more = ""
    if len(places) > _MOST_COLUMNS:
        weights = result.frequency if result.weights is None else result.weights
        best = np.argsort(-weights[places], kind="stable")[:_MOST_COLUMNS]
        more = f"the {_MOST_COLUMNS} features of the highest weight are drawn, of {len(places):,}"
        places = np.sort(places[best])
    old = dict(zip(places.tolist(), range(len(places)), strict=True))
    part = Dataset(
        name=dataset.name,
        x=np.asfortranarray(dataset.x[:, places]),
        features=tuple(dataset.features[place] for place in places),
        target=dataset.target,
        target_name=dataset.target_name,
        classes=dataset.classes,
        rows=dataset.rows,
        categories={old[place]: names for place, names in dataset.categories.items() if place in old},
    )
    design = design_of(part, "once")
    center = design.columns.mean(axis=1, keepdims=True)
    spread = design.columns.std(axis=1, keepdims=True)
    flat = design.columns.max(axis=1) == design.columns.min(axis=1)
    spread[flat] = 1.0
    z = np.where(flat[:, None], 0.0, (design.columns - center) / spread)
    return np.ascontiguousarray(z.T), _column_names(part, design.owner), more


def _column_names(part: Dataset, owner: NDArray[np.int64]) -> tuple[str, ...]:
    names, seen = [], dict.fromkeys(range(len(part.features)), 0)
    for feature in owner.tolist():
        levels = part.categories.get(feature, ())
        code = seen[feature] if len(levels) != 2 else 1
        seen[feature] += 1
        names.append(f"{part.features[feature]} = {levels[code]}" if levels else part.features[feature])
    return tuple(names)


def _thinned(rows: int) -> Places:
    return np.arange(0, rows, -(-rows // _MOST_ROWS))


def _distances(z: Floats) -> Floats:
    """Condensed Euclidean distances between rows."""
    from scipy.spatial.distance import pdist

    return np.asarray(pdist(z))


def _apart(z: Floats) -> Floats:
    """Condensed 1 less the correlation of every two columns; a column of one value is like none."""
    from scipy.spatial.distance import squareform

    size = np.sqrt((z * z).sum(axis=0))
    unit = np.divide(z, size, out=np.zeros_like(z), where=size > 0)
    apart = np.clip(1.0 - unit.T @ unit, 0.0, 2.0)
    np.fill_diagonal(apart, 0.0)
    return np.asarray(squareform((apart + apart.T) / 2, checks=False))


def _linked(condensed: Floats) -> Floats | None:
    from scipy.cluster.hierarchy import linkage

    return (
        np.asarray(linkage(condensed, "average", optimal_ordering=len(condensed) < 50_000)) if len(condensed) else None
    )


def _leaves(links: Floats | None, leaves: int) -> Places:
    from scipy.cluster.hierarchy import leaves_list

    return np.arange(leaves) if links is None else np.asarray(leaves_list(links), dtype=np.intp)


def feature_map_figure(result: Result, dataset: Dataset) -> Figure:
    """Draw it."""
    made = FeatureMap.of(result, dataset)
    shown_names = len(made.names) <= _MOST_NAMES
    width = float(np.clip(2.6 + 0.17 * len(made.names), 5.5, 11.0))
    figure = Figure(figsize=(width, 6.4), layout="constrained")
    grid = figure.add_gridspec(
        2, 4, width_ratios=(0.09, 0.025, 0.855, 0.03), height_ratios=(0.12, 0.88), wspace=0.01, hspace=0.01
    )
    _tree(figure.add_subplot(grid[0, 2]), [made.column_links], (len(made.names),), upright=True)
    _tree(figure.add_subplot(grid[1, 0]), made.row_links, made.blocks, upright=False)
    _strip(figure.add_subplot(grid[1, 1]), made, dataset)
    axes = figure.add_subplot(grid[1, 2])
    picture = axes.imshow(
        made.z, aspect="auto", interpolation="nearest", cmap="RdBu_r", vmin=-_REACH, vmax=_REACH, rasterized=True
    )
    for edge in np.cumsum(made.blocks)[:-1]:
        axes.axhline(edge - 0.5, color="white", linewidth=1.2)
    axes.set_yticks([])
    if shown_names:
        axes.set_xticks(range(len(made.names)), [shortened(name) for name in made.names], rotation=90, fontsize=7)
        axes.tick_params(axis="x", length=0)
    else:
        axes.set_xticks([])
    count = f"{len(dataset.target):,} rows, {int(result.mask.sum()):,} selected features"
    axes.set_xlabel(f"{count}; {made.left_out}" if made.left_out else count)
    _colour_bar(figure, picture, figure.add_subplot(grid[1, 3]))
    _legend(figure, dataset)
    return figure


def _colour_bar(figure: Figure, picture: AxesImage, axes: Axes) -> None:
    bar = figure.colorbar(picture, cax=axes, extend="both", ticks=[-2, -1, 0, 1, 2])
    bar.set_label("standard deviations from the mean")


def _tree(axes: Axes, links: Sequence[Floats | None], sizes: Sequence[int], *, upright: bool) -> None:
    """Trees beside their leaves, one after another, in one scale."""
    from scipy.cluster.hierarchy import dendrogram

    axes.axis("off")
    tallest = max((float(link[-1, 2]) for link in links if link is not None), default=1.0) or 1.0
    start = 0
    for link, size in zip(links, sizes, strict=True):
        if link is not None:
            drawn = dendrogram(link, no_plot=True)
            for across, up in zip(drawn["icoord"], drawn["dcoord"], strict=True):
                leaves, heights = np.asarray(across) / 10 - 0.5 + start, np.asarray(up) / tallest
                axes.plot(*((leaves, heights) if upright else (-heights, leaves)), color=_TREE, linewidth=0.6)
        start += size
    if upright:
        axes.set_xlim(-0.5, start - 0.5)
        axes.set_ylim(0, 1.02)
    else:
        axes.set_xlim(-1.02, 0)
        axes.set_ylim(start - 0.5, -0.5)


def _strip(axes: Axes, made: FeatureMap, dataset: Dataset) -> None:
    """The class, or the number, of each row."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    if dataset.response is not None:
        axes.imshow(dataset.response[made.rows][:, None], aspect="auto", interpolation="nearest", cmap="cividis")
        return
    colours = ListedColormap([_colour(code) for code in range(len(dataset.classes))])
    axes.imshow(
        dataset.target[made.rows][:, None],
        aspect="auto",
        interpolation="nearest",
        cmap=colours,
        vmin=-0.5,
        vmax=len(dataset.classes) - 0.5,
    )


def _colour(code: int) -> str:
    return _CLASS_COLOURS[code % len(_CLASS_COLOURS)]


def _legend(figure: Figure, dataset: Dataset) -> None:
    if dataset.response is not None:
        low, high = float(dataset.response.min()), float(dataset.response.max())
        figure.suptitle(f"Rows by {shortened(dataset.target_name)}, from {low:.4g} to {high:.4g}", fontsize=9)
        return
    if len(dataset.classes) > len(_CLASS_COLOURS):
        names = shortened(", ".join(dataset.classes), 70)
        figure.suptitle(f"Rows by {shortened(dataset.target_name)}, from the top: {names}", fontsize=9)
        return
    patches = [Patch(color=_colour(code), label=shortened(name)) for code, name in enumerate(dataset.classes)]
    figure.legend(
        handles=patches,
        title=shortened(dataset.target_name),
        loc="outside upper center",
        ncols=min(4, len(patches)),
        frameon=False,
    )
