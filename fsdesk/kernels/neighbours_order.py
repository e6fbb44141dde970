"""An order of rows in which near rows stand near, that of the leaves of a k-d tree; and how far leaves are apart."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ZERO, inner, lean
from fsdesk.kernels.neighbours_measure import TINY

__all__ = ["LEAF", "boxes_of_leaves", "distances_of_boxes", "in_leaves", "largest"]

LEAF = 32  # rows of a leaf
_SAMPLE = 32  # rows that tell which column varies most
_NUMBER = (1 << 32) - 1  # the bits of a key that say the row
_HUGE = np.float32(3e38)
# Rounded values are off by u (|a| + |b|), u = 2^-24; with 5e-5 of the squared distance (see neighbours.py), that is
# 1.5e-10 of both squared norms.
_DOUBT = 4e-10
_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Integers = NDArray[np.int64]


@inner()
def in_leaves(z: Single, n: int) -> Integers:
    """Rows of the (q, n or more) columns, leaf after leaf; all leaves are full but the last."""
    order, keys, ends = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(64, dtype=np.int64)
    for row in range(n):
        order[row] = row
    begin, ends[0], waiting = ZERO, n, 1
    while waiting:
        end = ends[waiting - 1]
        if end - begin <= LEAF:
            begin = end
            waiting -= 1
            continue
        middle = begin + (end - begin + 2 * LEAF - 1) // (2 * LEAF) * LEAF
        _split(z[_widest(z, order, begin, end)].view(np.int32), order, keys, begin, middle, end)
        ends[waiting] = middle
        waiting += 1
    return order


@lean()
def _widest(z: Single, order: Integers, begin: int, end: int) -> int:
    """Find the column that varies most among some of the rows."""
    widest, most, many = 0, -1.0, min(_SAMPLE, end - begin)
    for c in range(len(z)):
        total, squares = 0.0, 0.0
        for place in range(many):
            value = float(z[c, order[begin + place * (end - begin) // many]])
            total += value
            squares += value * value
        if squares - total * total / many > most:
            widest, most = c, squares - total * total / many
    return widest


@lean()
def _split(bits: NDArray[np.int32], order: Integers, keys: Integers, begin: int, middle: int, end: int) -> None:
    """Bring the rows with the smallest values before ``middle``: a quick selection, without a branch for each row."""
    for place in range(begin, end):
        row = order[place]
        value = np.int64(bits[row])
        keys[place] = ((value if value >= 0 else value ^ np.int64(0x7FFFFFFF)) << 32) | row
    low, high = begin, end
    while high - low > 1:
        first, centre, last = keys[low], keys[(low + high) // 2], keys[high - 1]
        pivot = max(min(first, centre), min(max(first, centre), last))
        smaller = low
        for place in range(low, high):
            key = keys[place]
            keys[place] = keys[smaller]
            keys[smaller] = key
            smaller += key < pivot
        if smaller == middle:
            break
        if smaller > middle:
            high = smaller
        elif smaller > low:
            low = smaller
        else:  # the pivot is the smallest
            place = low
            while keys[place] != pivot:
                place += 1
            keys[place] = keys[low]
            keys[low] = pivot
            low += 1
    for place in range(begin, end):
        order[place] = keys[place] & _NUMBER


@lean(fastmath=_FAST)
def largest(values: Single) -> np.float32:
    """Find the largest of some numbers."""
    result = -_HUGE
    for place in range(len(values)):
        result = max(result, values[place])
    return result


@lean(fastmath=_FAST)
def boxes_of_leaves(z: Single, lows: Single, highs: Single) -> None:
    """Find the (q, leaves) smallest and largest value of each leaf in each of the (q, places) columns."""
    for c in range(len(z)):
        for leaf in range(lows.shape[1]):
            part = z[c, leaf * LEAF : (leaf + 1) * LEAF]
            low, high = part[0], part[0]
            for lane in range(LEAF):
                low = min(low, part[lane])
                high = max(high, part[lane])
            lows[c, leaf], highs[c, leaf] = low, high


@lean(fastmath=_FAST)
def distances_of_boxes(lows: Single, highs: Single, leaf: int, norms: Single, out: Single) -> None:
    """Bound the squared distances of a leaf's rows to those of each other leaf."""
    zero, sure, doubt = np.float32(0.0), np.float32(1.0 - 1e-4), np.float32(_DOUBT)
    out[:] = zero
    for c in range(len(lows)):
        low, high, from_low, to_high = lows[c, leaf], highs[c, leaf], lows[c], highs[c]
        for other in range(len(out)):
            gap = max(max(from_low[other] - high, low - to_high[other]), zero)
            out[other] += gap * gap
    own = norms[leaf]
    for other in range(len(out)):
        out[other] = out[other] * sure - doubt * (own + norms[other]) - np.float32(TINY)
