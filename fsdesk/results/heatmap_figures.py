"""Heatmaps for print and CSV: histories of a run, shares over runs, and the values of the selected features."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.class_colours import CLASS_COLOURS, class_colour
from fsdesk.data.kaplan_meier import last_of
from fsdesk.messages import tr, translated
from fsdesk.results.feature_map import REACH, FeatureMap, Tree
from fsdesk.results.figures import evenly, shortened
from fsdesk.results.record import RunRecord
from fsdesk.results.sheets import csv_text, escape_formula

_MOST_NAMES = 80
_WIDE = 7.2
_TREE = "#5a6675"


@dataclass(frozen=True, eq=False)
class Grid:
    """A matrix with row and column names.

    Attributes
    ----------
    cells
        (rows, columns) numbers.
    rows, columns
        Names; for a history, the columns are iterations.
    corner
        Description of the rows.
    across
        Axis title for the columns.
    label
        Title of the color scale.
    low, high
        Ends of the color scale.
    note
        A sentence above the figure, or "".
    """

    cells: NDArray[np.float64]
    rows: tuple[str, ...]
    columns: tuple[str, ...] | NDArray[np.int64]
    corner: str
    across: str
    label: str
    low: float
    high: float
    note: str = ""


def grid_figure(grid: Grid) -> Figure:
    """Draw a matrix with its names and a color scale; names are drawn only if legible."""
    count, columns = grid.cells.shape
    height = float(np.clip(1.1 + 0.14 * count, 2.2, 9.0))
    figure = Figure(figsize=(_WIDE, height), layout="constrained")
    axes = figure.add_subplot()
    history = not isinstance(grid.columns, tuple)
    cells, extent = grid.cells, (-0.5, columns - 0.5, count - 0.5, -0.5)
    if history:
        places, (left, right) = evenly(np.asarray(grid.columns, dtype=np.int64))
        cells, extent = cells[:, places], (left, right, count - 0.5, -0.5)
    picture = axes.imshow(
        cells, aspect="auto", interpolation="nearest", cmap="viridis", vmin=grid.low, vmax=grid.high, extent=extent
    )
    axes.tick_params(axis="y", length=0)
    if count <= _MOST_NAMES:
        axes.set_yticks(range(count), [shortened(name) for name in grid.rows], fontsize=7)
    else:
        axes.set_yticks([])
        axes.set_ylabel(tr("{count:,} features", count=count))
    if history:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    elif columns <= _MOST_NAMES:
        axes.set_xticks(range(columns), [shortened(str(name)) for name in grid.columns], rotation=90, fontsize=7)
    axes.set_xlabel(tr(grid.across) if grid.across else "")
    if grid.note:
        axes.set_title(grid.note, fontsize=8, loc="left", wrap=True)
    figure.colorbar(picture, ax=axes, label=tr(grid.label), fraction=0.03, pad=0.02, aspect=20)
    return figure


def table(grid: Grid) -> bytes:
    """The numbers as CSV, one line per row; texts cannot be taken for formulas."""
    head = [grid.corner, *map(str, grid.columns)]
    return _written(head, ([name, *_numbers(cells)] for name, cells in zip(grid.rows, grid.cells, strict=True)))


def map_table(made: FeatureMap, dataset: Dataset) -> bytes:
    """The z-scores of a map as CSV, as drawn: row ID, target, and one column per feature."""
    head = ["row", dataset.target_name, *made.names]

    def lines() -> Iterable[list[str]]:
        for source, cells in zip(made.rows.tolist(), made.z, strict=True):
            code = int(dataset.target[source])
            target = dataset.classes[code] if dataset.response is None else f"{last_of(dataset.response)[source]:.10g}"
            yield [dataset.rows[source], target, *_numbers(cells)]

    return _written(head, lines())


def _numbers(cells: NDArray[np.float64]) -> list[str]:
    return [f"{value:.4g}" for value in cells.tolist()]


def _written(head: Sequence[str], lines: Iterable[Sequence[str]]) -> bytes:
    return csv_text(map(escape_formula, line) for line in (head, *lines)).encode("utf-8")


def map_of(result: RunRecord, dataset: Dataset) -> FeatureMap:
    """The map of a result."""
    return FeatureMap.of(dataset, result.mask, result.frequency if result.weights is None else result.weights)


def feature_map_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """Draw the map of a result."""
    return drawn_map(map_of(result, dataset), dataset, int(result.mask.sum()))


def drawn_map(made: FeatureMap, dataset: Dataset, selected: int) -> Figure:
    """Draw a map of a given number of selected features."""
    shown_names = len(made.names) <= _MOST_NAMES
    width = float(np.clip(2.6 + 0.17 * len(made.names), 5.5, 11.0))
    figure = Figure(figsize=(width, 6.4), layout="constrained")
    grid = figure.add_gridspec(
        2, 4, width_ratios=(0.09, 0.025, 0.855, 0.03), height_ratios=(0.12, 0.88), wspace=0.01, hspace=0.01
    )
    _tree(figure.add_subplot(grid[0, 2]), [made.column_tree], (len(made.names),), upright=True)
    _tree(figure.add_subplot(grid[1, 0]), made.row_trees, made.blocks, upright=False)
    _strip(figure.add_subplot(grid[1, 1]), made, dataset)
    axes = figure.add_subplot(grid[1, 2])
    picture = axes.imshow(
        made.z, aspect="auto", interpolation="nearest", cmap="RdBu_r", vmin=-REACH, vmax=REACH, rasterized=True
    )
    for edge in np.cumsum(made.blocks)[:-1]:
        axes.axhline(edge - 0.5, color="white", linewidth=1.2)
    axes.set_yticks([])
    if shown_names:
        axes.set_xticks(range(len(made.names)), [shortened(name) for name in made.names], rotation=90, fontsize=7)
        axes.tick_params(axis="x", length=0)
    else:
        axes.set_xticks([])
    count = tr("{rows:,} rows, {count:,} selected features", rows=len(dataset.target), count=selected)
    axes.set_xlabel(f"{count}; {translated(made.left_out)}" if made.left_out else count)
    bar = figure.colorbar(picture, cax=figure.add_subplot(grid[1, 3]), extend="both", ticks=[-3, -2, -1, 0, 1, 2, 3])
    bar.set_label(tr("standard deviations from the mean"))
    _legend(figure, dataset)
    return figure


def _tree(axes: Axes, trees: Sequence[Tree], sizes: Sequence[int], *, upright: bool) -> None:
    """Dendrograms next to their leaves, one after another, on a common scale."""
    axes.axis("off")
    tallest = max((tree.height for tree in trees), default=1.0) or 1.0
    start, brackets = 0, [np.empty((0, 4, 2))]
    for tree, size in zip(trees, sizes, strict=False):
        leaves, heights = tree.places + start, tree.heights / tallest
        brackets.append(np.stack((leaves, heights) if upright else (-heights, leaves), axis=2))
        start += size
    # One artist: hundreds of them take longer to draw than everything else.
    axes.add_collection(LineCollection(list(np.concatenate(brackets)), colors=_TREE, linewidths=0.6), autolim=False)
    if upright:
        axes.set_xlim(-0.5, sum(sizes) - 0.5)
        axes.set_ylim(0, 1.02)
    else:
        axes.set_xlim(-1.02, 0)
        axes.set_ylim(sum(sizes) - 0.5, -0.5)


def _strip(axes: Axes, made: FeatureMap, dataset: Dataset) -> None:
    """The class, or the number, of each row."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    if dataset.response is not None:
        axes.imshow(
            last_of(dataset.response)[made.rows][:, None], aspect="auto", interpolation="nearest", cmap="cividis"
        )
        return
    colours = ListedColormap([class_colour(code) for code in range(len(dataset.classes))])
    axes.imshow(
        dataset.target[made.rows][:, None],
        aspect="auto",
        interpolation="nearest",
        cmap=colours,
        vmin=-0.5,
        vmax=len(dataset.classes) - 0.5,
    )


def _legend(figure: Figure, dataset: Dataset) -> None:
    if dataset.response is not None:
        low, high = (float(end) for end in (last_of(dataset.response).min(), last_of(dataset.response).max()))
        name = shortened(dataset.target_name)
        said = tr("Rows by {target}, from {low:.4g} to {high:.4g}", target=name, low=low, high=high)
        figure.suptitle(said, fontsize=9)
        return
    if len(dataset.classes) > len(CLASS_COLOURS):
        names = shortened(", ".join(dataset.classes), 70)
        name = shortened(dataset.target_name)
        figure.suptitle(tr("Rows by {target}, from the top: {names}", target=name, names=names), fontsize=9)
        return
    patches = [Patch(color=class_colour(code), label=shortened(name)) for code, name in enumerate(dataset.classes)]
    figure.legend(
        handles=patches,
        title=shortened(dataset.target_name),
        loc="outside upper center",
        ncols=min(4, len(patches)),
        frameon=False,
    )
