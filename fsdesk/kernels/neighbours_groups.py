"""Groups of fits whose weights are much the same, for tables in which a few values are far off.

Whether such a value is among the training rows changes the weight of its column a thousandfold, and bounds that hold in
all fits tell nothing then. Those of alike fits do.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ONE, ZERO, inner, lean

__all__ = ["alike_fits", "only_fits"]

_ALIKE, _MOST = 4.0, 64  # weights are alike up to this factor; so many groups are enough

Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@inner()
def alike_fits(weights: Double, group: Integers) -> int:
    """Number the groups of fits, in which weights differ little from the first one's; return how many there are."""
    first, count = np.empty(_MOST, dtype=np.int64), ZERO
    for fit in range(len(weights)):
        own = ZERO
        while own < count and not _are_alike(weights[first[own]], weights[fit]):
            own += ONE
        if own == count and count < _MOST:
            first[count] = fit
            count += ONE
        group[fit] = min(own, _MOST - 1)
    return int(count)


@lean()
def _are_alike(some: Double, others: Double) -> bool:
    result = True
    for c in range(len(some)):
        result &= some[c] <= _ALIKE * others[c] and others[c] <= _ALIKE * some[c]
    return result


@inner()
def only_fits(group: Integers, number: int, labels: Integers, folds: int, weights: Double) -> tuple[Integers, Double]:
    """Make copies for the fits of one group: (n, repeats) labels, -1 in others; weights, in others those of its first.

    A row that is labelled -1 in a repeat is not tested there, and trains.
    """
    own, like, first = np.empty(labels.shape, dtype=np.int64), np.empty(weights.shape), 0
    while group[first] != number:
        first += 1
    for fit in range(len(weights)):
        source = fit if group[fit] == number else first
        for c in range(weights.shape[1]):
            like[fit, c] = weights[source, c]
    for row in range(len(labels)):
        for repeat in range(labels.shape[1]):
            fold = labels[row, repeat]
            own[row, repeat] = fold if fold >= 0 and group[repeat * folds + fold] == number else -1
    return own, like
