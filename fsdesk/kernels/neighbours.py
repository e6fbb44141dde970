"""Nearest neighbours of every row in every repeat of a cross-validation, from as few passes over the data as possible.

The 50 fits of a 10 x 5-fold cross-validation differ only in the weight of each column. A first pass in single precision
bounds all distances from below: either once for all fits, each column with its smallest weight, or, where columns are
many and rows few, once for each repeat with the very weights of each row's fit. Only rows whose bound stays under the
best distance found so far are measured again in double precision, and where the first pass is as good as exact, only
those that it cannot tell apart. It never skips a row that could be a neighbour: its rounding never changes a result.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["Metric", "nearest", "standardised", "weighted_rows"]

_LANES = 5  # repeats are measured in groups of this many
_BLOCK = 64  # rows whose smallest bound is kept, so that scans skip blocks
_FIRST = 6  # rows looked at before the scan, beyond the k that are needed
_ROWS_AT_ONCE = 32  # rows of the first pass whose distances stay in the cache
# How far |z_i|^2 + |z_j|^2 - 2 z_i.z_j in single precision can be off, u = 2^-24 being half a unit in the last place.
# Rounding z moves each difference by at most u (|z_i| + |z_j|), and |a^2 - b^2| <= eta b^2 + (1 + 1 / eta)(a - b)^2:
# with eta = 1e-4 that is 1e-4 of the distance and 3e-10 of both squared norms. A dot product of q terms is off by at
# most q u |z_i| |z_j|, in whatever order it is summed, which is q u / 2 of both squared norms.
_RELATIVE = 1e-4
_UNIT = 2.0**-24
_ABSOLUTE = 32 * _UNIT

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


class Metric(NamedTuple):
    """What a distance is in each fit.

    Attributes
    ----------
    x
        (n, q) values of the columns without gaps.
    weights
        (fits, q) weight of each column's squared difference in each fit, or (1, q) where all fits share one.
    gaps
        (n, g) values of the columns with gaps (NaN).
    fill, gap_weights
        (fits, g) what fills the gaps, and the weights of these columns.
    """

    x: Double
    weights: Double
    gaps: Double
    fill: Double
    gap_weights: Double


def nearest(
    metric: Metric, z: Single, labels: Integers, folds: int, k: int, row_weights: Single | None = None
) -> Integers:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    z
        (n, q) the columns without gaps, shifted at will, each times the root of its smallest weight; with
        ``row_weights`` times any factor.
    labels
        (n, repeats) folds; fit = repeat * folds + fold is the one that tests the row.
    row_weights
        (fits, q) weights of the columns of ``z`` in each fit. Worth its time where q is many times n.

    Returns
    -------
    (n, repeats, k) training rows, nearest first, ties to the lowest; -1 where there are fewer than k.
    """
    n, repeats = labels.shape
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    tight = not metric.gaps.shape[1] and (len(metric.weights) == 1 or row_weights is not None)
    doubt = _ABSOLUTE + z.shape[1] * _UNIT
    if row_weights is None:
        norms = np.einsum("ij,ij->i", z, z)[None, :]
        dots = np.empty((min(n, _ROWS_AT_ONCE), n), dtype=np.float32)
        for start in range(0, n, _ROWS_AT_ONCE):
            rows = z[start : start + _ROWS_AT_ONCE]
            np.matmul(rows, z.T, out=dots[: len(rows)])
            _search(metric, dots[: len(rows)], norms, start, 0, labels, folds, doubt, tight, neighbours)
        return neighbours
    fit_norms = row_weights @ np.square(z).T  # (fits, n)
    for repeat in range(repeats):
        fits = repeat * folds + labels[:, repeat]
        dots = weighted_rows(z, row_weights, fits) @ z.T
        part = slice(repeat, repeat + 1)
        _search(metric, dots, fit_norms[fits], 0, repeat, labels[:, part], folds, doubt, tight, neighbours[:, part])
    return neighbours


@njit(nogil=True, cache=True, error_model="numpy")
def standardised(columns: Double, chosen: Integers, mean: Double, factor: Double) -> Single:
    """(p, n) columns, the ``chosen`` ones centred and times their (q,) factor: (n, q), single precision."""
    n = columns.shape[1]
    z = np.empty((n, len(chosen)), dtype=np.float32)
    for start in range(0, len(chosen), 16):
        stop = min(start + 16, len(chosen))
        for row in range(n):
            for place in range(start, stop):
                column = chosen[place]
                z[row, place] = (columns[column, row] - mean[column]) * factor[place]
    return z


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def weighted_rows(z: Single, weights: Single, fits: Integers) -> Single:
    """(n, q) rows, each times the weights of its fit."""
    result = np.empty_like(z)
    for row in range(len(z)):
        own, left, right = result[row], z[row], weights[fits[row]]
        for column in range(z.shape[1]):
            own[column] = left[column] * right[column]
    return result


@njit(nogil=True, cache=True, error_model="numpy")
def _search(
    metric: Metric,
    dots: Single,
    norms: Single,
    start: int,
    first_repeat: int,
    labels: Integers,
    folds: int,
    doubt: float,
    tight: bool,
    neighbours: Integers,
) -> None:
    """Search the neighbours of some rows.

    Parameters
    ----------
    dots
        (rows, n) single-precision products of rows ``start``, ... with all rows.
    norms
        (rows, n) squared norms of all rows, under the weights that each row's products have; (1, n) where they are
        the same for all.
    labels, neighbours
        (n, repeats) and (n, repeats, k), the repeats that these products serve.
    tight
        The products have the very weights of the distances, so that they tell rows apart unless they are very close.
    """
    n, repeats = labels.shape
    k = neighbours.shape[2]
    padded = -(-n // _BLOCK) * _BLOCK
    bounds = np.full(padded, np.inf, dtype=np.float32)
    lowest = np.empty(padded // _BLOCK, dtype=np.float32)
    keys = np.empty(min(n, k + _FIRST), dtype=np.float32)
    first = np.empty(min(n, k + _FIRST), dtype=np.int64)
    fits = np.zeros(-(-repeats // _LANES) * _LANES, dtype=np.int64)
    measured = np.empty(len(fits))
    best = np.empty((repeats, k))
    open_repeats = np.empty(repeats, dtype=np.int64)
    for row in range(len(dots)):
        i = start + row
        squares = norms[row if len(norms) > 1 else 0]
        _bounds(dots[row], squares, i, doubt, bounds, lowest)
        for repeat in range(repeats):
            fits[repeat] = (first_repeat + repeat) * folds + labels[i, repeat]
        best[:] = np.inf
        for repeat in range(repeats):
            open_repeats[repeat] = repeat
        still_open, reach = repeats, np.inf
        found = _smallest(bounds, lowest, keys, first)
        above = -1.0  # the most that the distances before this one can be
        for place in range(found):
            still_open = _close(keys[place], best, open_repeats, still_open)
            if still_open == 0:
                break
            j = first[place]
            width = 2.0 * doubt * (squares[i] + squares[j]) + 3.0 * _RELATIVE * abs(keys[place])
            alone = tight and place + 1 < found and keys[place] > above and keys[place] + width < keys[place + 1]
            above = max(above, keys[place] + width)
            if alone:
                measured[:] = keys[place] + width / 2.0
            else:
                _measure(metric, i, j, fits, measured)
            reach = _offer(i, j, labels, measured, open_repeats, still_open, best, neighbours)
            bounds[j] = np.inf
        if still_open == 0 or found < len(first):
            continue
        for block in range(len(lowest)):
            if lowest[block] <= reach:
                for j in range(block * _BLOCK, (block + 1) * _BLOCK):
                    if bounds[j] <= reach and bounds[j] < np.inf:
                        _measure(metric, i, j, fits, measured)
                        reach = _offer(i, j, labels, measured, open_repeats, still_open, best, neighbours)


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _bounds(dots: Single, norms: Single, row: int, doubt: float, out: Single, lowest: Single) -> None:
    """Bound the squared distances of one row to all rows from below, and find the smallest bound of each block."""
    n = len(dots)
    sure = 1.0 - _RELATIVE
    share = np.float32(sure - doubt)
    twice = np.float32(2.0 * sure)
    own = norms[row] * share
    for j in range(n):
        out[j] = own + norms[j] * share - twice * dots[j]
    out[row] = np.inf  # a row is never its own neighbour
    for block in range(len(lowest)):
        smallest = np.float32(np.inf)
        for j in range(block * _BLOCK, (block + 1) * _BLOCK):
            smallest = min(smallest, out[j])
        lowest[block] = smallest


@njit(nogil=True, cache=True, error_model="numpy")
def _smallest(values: Single, lowest: Single, keys: Single, rows: Integers) -> int:
    """Fill ``rows`` with the places of the smallest finite values, in order; return how many there are."""
    last, found = len(rows) - 1, 0
    keys[:] = np.inf
    for block in range(len(lowest)):
        if lowest[block] >= keys[last]:
            continue
        for j in range(block * _BLOCK, (block + 1) * _BLOCK):
            value = values[j]
            if value < keys[last]:
                place = min(found, last)
                while place > 0 and keys[place - 1] > value:
                    keys[place] = keys[place - 1]
                    rows[place] = rows[place - 1]
                    place -= 1
                keys[place] = value
                rows[place] = j
                found = min(found + 1, len(rows))
    return found


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _distances(
    a: Double,
    b: Double,
    weights: Double,
    fits: Integers,
    out: Double,
) -> None:
    """Squared distances of two rows in each of the fits: (q,), (q,), (all fits, q), (lanes,) -> (lanes,)."""
    for lane in range(0, len(fits), _LANES):
        w0, w1, w2 = weights[fits[lane]], weights[fits[lane + 1]], weights[fits[lane + 2]]
        w3, w4 = weights[fits[lane + 3]], weights[fits[lane + 4]]
        s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
        for c in range(len(a)):
            d = a[c] - b[c]
            square = d * d
            s0 += square * w0[c]
            s1 += square * w1[c]
            s2 += square * w2[c]
            s3 += square * w3[c]
            s4 += square * w4[c]
        out[lane], out[lane + 1], out[lane + 2], out[lane + 3], out[lane + 4] = s0, s1, s2, s3, s4


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _distance(a: Double, b: Double, weights: Double) -> float:
    """Squared distance of two rows under one set of weights."""
    total = 0.0
    for c in range(len(a)):
        d = a[c] - b[c]
        total += d * d * weights[c]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def _add_columns_with_gaps(metric: Metric, i: int, j: int, fits: Integers, out: Double) -> None:
    """Add the columns that have gaps, each gap filled with its fit's value."""
    for column in range(metric.gaps.shape[1]):
        a, b = metric.gaps[i, column], metric.gaps[j, column]
        for lane in range(len(fits)):
            fill = metric.fill[fits[lane], column]
            difference = (fill if np.isnan(a) else a) - (fill if np.isnan(b) else b)
            out[lane] += difference * difference * metric.gap_weights[fits[lane], column]


@njit(nogil=True, cache=True, error_model="numpy")
def _insert(distance: float, j: int, i: int, repeat: int, best: Double, neighbours: Integers) -> None:
    """Insert row j into the k nearest of row i so far, by distance and then by index."""
    place = best.shape[1] - 1
    if distance == best[repeat, place] and j > neighbours[i, repeat, place]:
        return
    while place > 0 and (
        distance < best[repeat, place - 1]
        or (distance == best[repeat, place - 1] and j < neighbours[i, repeat, place - 1])
    ):
        best[repeat, place] = best[repeat, place - 1]
        neighbours[i, repeat, place] = neighbours[i, repeat, place - 1]
        place -= 1
    best[repeat, place] = distance
    neighbours[i, repeat, place] = j


@njit(nogil=True, cache=True, error_model="numpy")
def _measure(metric: Metric, i: int, j: int, fits: Integers, out: Double) -> None:
    """Squared distances of two rows in each of the fits, in double precision."""
    if len(metric.weights) == 1:
        out[:] = _distance(metric.x[i], metric.x[j], metric.weights[0])
    else:
        _distances(metric.x[i], metric.x[j], metric.weights, fits, out)
    if metric.gaps.shape[1]:
        _add_columns_with_gaps(metric, i, j, fits, out)


@njit(nogil=True, cache=True, error_model="numpy")
def _close(bound: float, best: Double, open_repeats: Integers, count: int) -> int:
    """Move repeats whose neighbours are all nearer than ``bound`` behind the open ones; return how many stay open."""
    place, last = 0, best.shape[1] - 1
    while place < count:
        repeat = open_repeats[place]
        if best[repeat, last] < bound:
            count -= 1
            open_repeats[place], open_repeats[count] = open_repeats[count], repeat
        else:
            place += 1
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def _offer(
    i: int,
    j: int,
    labels: Integers,
    measured: Double,
    open_repeats: Integers,
    count: int,
    best: Double,
    neighbours: Integers,
) -> float:
    """Offer row j to row i in every open repeat that trains on it; return the largest distance still of use."""
    reach, last = 0.0, best.shape[1] - 1
    for place in range(count):
        repeat = open_repeats[place]
        if labels[i, repeat] != labels[j, repeat] and measured[repeat] <= best[repeat, last]:
            _insert(measured[repeat], j, i, repeat, best, neighbours)
        reach = max(reach, best[repeat, last])
    return reach
