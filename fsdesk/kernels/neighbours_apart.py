"""Bounds by differences, for rows that products cannot tell apart: on a line, in clusters, beside a few far away.

What products of single precision are off by is a share of the rows' own squares, however near to each other they are.
Here each leaf has a middle, and its rows are held less that: a difference is off by a share of how far the two rows are
from the middles of their leaves, which is about as far as their neighbours are.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner, lean
from fsdesk.kernels.neighbours_measure import RELATIVE, TINY
from fsdesk.kernels.neighbours_order import LEAF

__all__ = ["bound_apart", "centre_leaves", "shift_leaf"]

# With a and b from their middles, rounded, and these from each other, rounded, too, a difference d is off by at most
# u (2 |a| + 3 |b| + 3 |d|), u = 2^-24. As in neighbours.py, that is 1e-6 and 6 u of d^2, and below 2 u of a^2 and b^2.
_UNIT = 2.0**-24
_DOUBT = 2.0 * _UNIT
_DOUBLE = 1e-23  # the same of values in double precision, from the mean of all rows
_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@inner()
def centre_leaves(z: Single, levels: Single, rows: Integers, x: Double, mean: Double, root: Double) -> Double:
    """Turn values by place into those less the middle of their leaf, and levels into what bounds are off by for them.

    Parameters
    ----------
    z, levels
        (q or one more, places); (places,), infinite beyond the last row.
    rows
        (places,) row at each place.
    x, mean, root
        (n, q) values, (q,) what is taken from them, and what they are then multiplied by.

    Returns
    -------
    (q or one more, leaves) middles.
    """
    middles = np.zeros((len(z), len(levels) // LEAF))
    for place in range(len(levels)):
        levels[place] = np.inf if levels[place] == np.inf else -TINY
    for c in range(x.shape[1]):
        own, middle = z[c], middles[c]
        for leaf in range(len(middle)):
            first, second, third = own[leaf * LEAF], own[leaf * LEAF + LEAF // 2], own[leaf * LEAF + LEAF - 1]
            middle[leaf] = max(min(first, second), min(max(first, second), third))  # not moved by a row far away
        for place in range(len(levels)):
            value = (x[rows[place], c] - mean[c]) * root[c]
            own[place] = value - middle[place // LEAF]
            levels[place] -= np.float32(_DOUBT) * own[place] * own[place] + np.float32(_DOUBLE * value * value)
    return middles


@lean(fastmath=_FAST)
def shift_leaf(z: Single, middles: Double, leaf: int, other: int, first: int, out: Single) -> None:
    """Fill in, from place ``first`` on, the values of a leaf's rows less the middle of another."""
    for c in range(len(z)):
        by, own = np.float32(middles[c, leaf] - middles[c, other]), z[c, leaf * LEAF : (leaf + 1) * LEAF]
        shifted = out[c, first : first + LEAF]
        for lane in range(LEAF):
            shifted[lane] = own[lane] + by


@lean(fastmath=_FAST)
def bound_apart(
    shifted: Single, lane: int, z: Single, levels: Single, i: int, start: int, first: int, out: Single
) -> None:
    """Bound the squared distances of rows i and i + 1 to those of a leaf from below.

    Parameters
    ----------
    shifted, lane
        (q, lanes) values less that leaf's middle, and where those of row i are.
    z, levels
        (q, places) values less the middles of leaves, and (places,) what bounds are off by.
    start
        The leaf's first place.
    first, out
        Where to write in (2, lanes).
    """
    own, other = out[0, first : first + LEAF], out[1, first : first + LEAF]
    mine, his, theirs = levels[i], levels[i + 1], levels[start : start + LEAF]
    sure, zero = np.float32(1.0 - 2.0 * RELATIVE - (len(z) + 8) * _UNIT), np.float32(0.0)
    for place in range(LEAF):
        own[place] = zero
        other[place] = zero
    for c in range(0, len(z), 2):
        a, b, f, g = shifted[c, lane], shifted[c + 1, lane], shifted[c, lane + 1], shifted[c + 1, lane + 1]
        one, two = z[c, start : start + LEAF], z[c + 1, start : start + LEAF]
        for place in range(LEAF):
            d, e, v, w = a - one[place], b - two[place], f - one[place], g - two[place]
            own[place] += d * d + e * e
            other[place] += v * v + w * w
    for place in range(LEAF):
        own[place] = own[place] * sure + (theirs[place] + mine)
        other[place] = other[place] * sure + (theirs[place] + his)
