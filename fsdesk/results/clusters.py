"""Hierarchical clustering for pictures: like rows come to lie together, and the tree that says so."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tree", "clustered", "correlation_distances", "euclidean_distances"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_OPTIMAL_PAIRS = 50_000  # of some 300 leaves: there the best order of the leaves still takes less than a second


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree over leaves that lie side by side.

    Attributes
    ----------
    order
        (m,) the leaves from first to last.
    links
        (m - 1, 4) as scipy makes them; none of a single leaf.
    places
        (m - 1, 4) where the bracket of each join is drawn, in leaves: 0 is the middle of the first one.
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
    """Condensed 1 less the correlation of every two columns of centred (n, m); a column of one value is like none."""
    from scipy.spatial.distance import squareform

    size = np.sqrt((z * z).sum(axis=0))
    unit = np.divide(z, size, out=np.zeros_like(z), where=size > 0)
    apart = np.clip(1.0 - unit.T @ unit, 0.0, 2.0)
    np.fill_diagonal(apart, 0.0)
    return np.asarray(squareform((apart + apart.T) / 2, checks=False))


def clustered(condensed: Floats, leaves: int) -> Tree:
    """Cluster by average linkage; the leaves in the best order where that is cheap."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    if leaves < 2:
        none = np.empty((0, 4))
        return Tree(np.arange(leaves), none, none, none)
    links = np.asarray(linkage(condensed, "average", optimal_ordering=len(condensed) <= _OPTIMAL_PAIRS))
    order = np.asarray(leaves_list(links), dtype=np.intp)
    return Tree(order, links, *_brackets(links, order))


def _brackets(links: Floats, order: Places) -> tuple[Floats, Floats]:
    """Without recursion: the tree of a thousand leaves may be a thousand joins deep."""
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
