"""The values of the selected features: standardized, rows by class, columns ordered by hierarchical clustering."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.measure.resamples import columns_of
from fsdesk.messages import joined, message

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_OPTIMAL_PAIRS = 50_000  # with about 300 leaves, the best order of leaves still takes less than a second
REACH = 3.0
"""Standard deviations at the ends of the color scale."""

_MOST_ROWS, _MOST_COLUMNS = 1200, 300
_EXPONENT = 400  # power of 2: from here on sums of squares may overflow


@dataclass(frozen=True, eq=False)
class Tree:
    """A dendrogram over adjacent leaves.

    Attributes
    ----------
    order
        (m,) the leaves from first to last.
    links
        (m - 1, 4) in scipy's format; empty for a single leaf.
    places
        (m - 1, 4) positions of the bracket of each join, in leaves: 0 is the middle of the first one.
    heights
        (m - 1, 4) distances at the corners of each bracket.
    """

    order: Places
    links: Floats
    places: Floats
    heights: Floats

    @property
    def height(self) -> float:
        """The greatest distance."""
        return float(self.heights.max(initial=0.0))


def euclidean_distances(rows: Floats) -> Floats:
    """Condensed Euclidean distances between the rows of (m, q) numbers."""
    from scipy.spatial.distance import pdist

    return np.asarray(pdist(rows))


def correlation_distances(z: Floats) -> Floats:
    """Condensed distances between the columns of centered (n, m): 1 minus the correlation; 1 for constant columns."""
    from scipy.spatial.distance import squareform

    size = np.sqrt((z * z).sum(axis=0))
    unit = np.divide(z, size, out=np.zeros_like(z), where=size > 0)
    apart = np.clip(1.0 - unit.T @ unit, 0.0, 2.0)
    np.fill_diagonal(apart, 0.0)
    return np.asarray(squareform((apart + apart.T) / 2, checks=False))


def clustered(condensed: Floats, leaves: int) -> Tree:
    """Cluster by average linkage, with optimal leaf order if that is cheap."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    if leaves < 2:
        none = np.empty((0, 4))
        return Tree(np.arange(leaves), none, none, none)
    links = np.asarray(linkage(condensed, "average", optimal_ordering=len(condensed) <= _OPTIMAL_PAIRS))
    order = np.asarray(leaves_list(links), dtype=np.intp)
    return Tree(order, links, *_brackets(links, order))


def _brackets(links: Floats, order: Places) -> tuple[Floats, Floats]:
    """The positions and heights of all brackets; not recursive, because a tree can be a thousand joins deep."""
    leaves = len(order)
    middle, height = np.empty(2 * leaves - 1), np.zeros(2 * leaves - 1)
    middle[order] = np.arange(leaves)
    places, heights = np.empty((leaves - 1, 4)), np.empty((leaves - 1, 4))
    for step, (first, second, distance, _) in enumerate(links.tolist()):
        one, other = int(first), int(second)
        if middle[one] > middle[other]:
            one, other = other, one
        places[step] = middle[one], middle[one], middle[other], middle[other]
        heights[step] = height[one], distance, distance, height[other]
        middle[leaves + step] = (middle[one] + middle[other]) / 2
        height[leaves + step] = distance
    return places, heights


@dataclass(frozen=True, eq=False)
class FeatureMap:
    """Content of the figure.

    Attributes
    ----------
    z
        (rows, columns) z-scores in drawing order.
    rows
        (rows,) index of the data row.
    names
        Names of the columns.
    features
        (columns,) index of the feature of each column.
    column_tree, row_trees
        Trees of the columns and of the rows of each class (none for a numeric target), numbered before reordering.
    blocks
        Number of rows of each class, in drawing order; one block for a numeric target.
    left_out
        What was omitted to save space, in words, or "".
    """

    z: Floats
    rows: Places
    names: tuple[str, ...]
    features: Places
    column_tree: Tree
    row_trees: tuple[Tree, ...]
    blocks: tuple[int, ...]
    left_out: str = ""

    @classmethod
    def of(cls, dataset: Dataset, mask: NDArray[np.bool_], weights: Floats) -> "FeatureMap":
        """Order rows by class and by similarity within it (for a numeric target: by value), columns by similarity.

        Missing values are imputed by the median or the most frequent category; a nominal feature has one column per
        category. Clustering uses average linkage with Euclidean distances between rows and 1 minus the correlation
        between columns.

        Parameters
        ----------
        dataset
            Rows to draw; for a long table, every second one, or fewer.
        mask
            (p,) the selected features.
        weights
            (p,) if more are selected than can be displayed, those with the largest weights are drawn.
        """
        part, places, more_columns = _selected(dataset, mask, weights)
        z, names, owner = _standardised(part)
        kept = np.arange(0, len(z), -(-len(z) // _MOST_ROWS))
        z = z[kept]
        columns = clustered(correlation_distances(z), z.shape[1])
        z, names = z[:, columns.order], tuple(names[place] for place in columns.order)
        trees: list[Tree] = []
        if dataset.numbers is not None:
            parts = [np.argsort(dataset.numbers[kept], kind="stable")]
        else:
            members = [np.flatnonzero(dataset.target[kept] == code) for code in range(len(dataset.classes))]
            trees = [clustered(euclidean_distances(z[part]), len(part)) for part in members]
            parts = [part[tree.order] for part, tree in zip(members, trees, strict=True)]
        rows = np.concatenate(parts)
        every = -(-len(dataset.target) // max(1, len(kept)))
        more_rows = message("1 row in {every} is shown", every=every) if every > 1 else ""
        left_out = joined(", ", [part for part in (more_rows, more_columns) if part])
        features = places[owner[columns.order]]
        blocks = tuple(map(len, parts))
        return cls(z[rows], kept[rows], names, features, columns, tuple(trees), blocks, left_out)


def _selected(dataset: Dataset, mask: NDArray[np.bool_], weights: Floats) -> tuple[Dataset, Places, str]:
    """The data of the features to draw, their indices, and what was omitted."""
    places, more = np.flatnonzero(mask), ""
    if len(places) > _MOST_COLUMNS:
        best = np.argsort(-weights[places], kind="stable")[:_MOST_COLUMNS]
        more = message(
            "the {most} features with the largest weights are shown, out of {count:,}",
            most=_MOST_COLUMNS,
            count=len(places),
        )
        places = np.sort(places[best])
    return columns_of(dataset, places), places, more


def _standardised(part: Dataset) -> tuple[Floats, tuple[str, ...], NDArray[np.int64]]:
    """(rows, columns) z-scores, names of the columns, and the feature of each."""
    design = design_of(part, "once")
    columns = _in_reach(design.filled(slice(None)))
    center = columns.mean(axis=1, keepdims=True)
    spread = columns.std(axis=1, keepdims=True)
    flat = columns.max(axis=1) == columns.min(axis=1)
    spread[flat] = 1.0
    z = np.where(flat[:, None], 0.0, (columns - center) / spread)
    return np.ascontiguousarray(z.T), _column_names(part, design.owner), design.owner


def _in_reach(columns: Floats) -> Floats:
    """(columns, rows) huge or tiny values times a power of 2, so that squares are finite; z-scores stay the same."""
    most = np.abs(columns).max(axis=1, initial=0.0)
    _, exponent = np.frexp(most)
    exponent[(exponent > -_EXPONENT) & (exponent < _EXPONENT)] = 0
    return np.asarray(np.ldexp(columns, -exponent[:, None]))


def _column_names(part: Dataset, owner: NDArray[np.int64]) -> tuple[str, ...]:
    names, seen = [], dict.fromkeys(range(len(part.features)), 0)
    for feature in owner.tolist():
        levels = part.categories.get(feature, ())
        code = seen[feature] if len(levels) != 2 else 1
        seen[feature] += 1
        names.append(f"{part.features[feature]} = {levels[code]}" if levels else part.features[feature])
    return tuple(names)
