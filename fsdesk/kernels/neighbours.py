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
_GROUPS = 128  # row j is in group j mod 128; the smallest bound of each group is kept, so that scans skip groups
_FIRST = 3  # rows looked at before the scan, beyond the k that are needed
_FEWEST_ROWS, _PRODUCTS_AT_ONCE = 32, 1 << 17  # rows of the first pass are taken in parts that stay in the cache
# How far |z_i|^2 + |z_j|^2 - 2 z_i.z_j in single precision can be off, u = 2^-24 being half a unit in the last place.
# Rounding z moves each difference by at most u (|z_i| + |z_j|), and |a^2 - b^2| <= eta b^2 + (1 + 1 / eta)(a - b)^2:
# with eta = 1e-6 that is 1e-6 of the distance and 3e-8 of both squared norms. A dot product of q terms is off by at
# most q u |z_i| |z_j|, in whatever order it is summed, which is q u / 2 of both squared norms; hence sums in parts.
_RELATIVE = 1e-6
_UNIT = 2.0**-24
_TERMS_AT_ONCE = 2048
_TINY = 1e-36  # squares below this vanish in single precision
_ABSOLUTE = 32 * _UNIT

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


class Metric(NamedTuple):
    """What a distance is in each fit: the sum over columns of weight times factor times squared difference.

    Attributes
    ----------
    columns, chosen
        (p, n) all columns, and (q,) those without gaps to be compared.
    weights, factors
        (fits, q) weight of each column in each fit, or (1, q) where all fits share one; (q,).
    x
        (n, q) the chosen columns by row where many pairs are to be measured exactly; else (0, 0).
    gaps
        (n, g) values of the columns with gaps (NaN).
    fill, gap_weights
        (fits, g) what fills the gaps, and the weights of these columns.
    """

    columns: Double
    chosen: Integers
    weights: Double
    factors: Double
    x: Double
    gaps: Double
    fill: Double
    gap_weights: Double


def nearest(
    metric: Metric,
    z: Single,
    norms: Single,
    labels: Integers,
    folds: int,
    k: int,
    row_weights: Single | None = None,
) -> Integers:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    z
        (q, n) the chosen columns, shifted at will, each times the root of its smallest weight; with ``row_weights``
        times the root of its factor.
    norms
        (n,) squared norms of the rows under ``z``.
    labels
        (n, repeats) folds.
    row_weights
        (fits, q) the weights once more, for a first pass for each repeat: worth its time where q is many times n.

    Returns
    -------
    (n, repeats, k) training rows, nearest first, ties to the lowest; -1 where there are fewer than k.
    """
    n, repeats = labels.shape
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    terms = min(len(z), _TERMS_AT_ONCE) + len(z) // _TERMS_AT_ONCE
    doubt = _ABSOLUTE + terms * _UNIT
    if row_weights is None:
        rows = max(_FEWEST_ROWS, _PRODUCTS_AT_ONCE // n)
        dots = np.empty((min(n, rows), n), dtype=np.float32)
        for start in range(0, n, rows):
            part = z[:, start : start + rows].T
            _products(part, z, dots[: len(part)])
            _search(metric, dots[: len(part)], norms[None, :], start, 0, labels, folds, doubt, neighbours)
        return neighbours
    by_row = np.ascontiguousarray(z.T)
    fit_norms = np.empty((len(row_weights), n), dtype=np.float32)
    _products(row_weights, np.square(by_row).T, fit_norms)
    doubt += terms * _UNIT  # these norms are products, too
    dots = np.empty((n, n), dtype=np.float32)
    for repeat in range(repeats):
        fits = repeat * folds + labels[:, repeat]
        _products(weighted_rows(by_row, row_weights, fits), by_row.T, dots)
        # Contiguous parts, so that one compiled version of the search serves both ways.
        own, found = labels[:, repeat : repeat + 1].copy(), neighbours[:, repeat : repeat + 1].copy()
        _search(metric, dots, fit_norms[fits], 0, repeat, own, folds, doubt, found)
        neighbours[:, repeat] = found[:, 0]
    return neighbours


def _products(left: Single, right: Single, out: Single) -> None:
    """Matrix product, in parts so that rounding errors stay small."""
    np.matmul(left[:, :_TERMS_AT_ONCE], right[:_TERMS_AT_ONCE], out=out)
    for start in range(_TERMS_AT_ONCE, left.shape[1], _TERMS_AT_ONCE):
        part = slice(start, start + _TERMS_AT_ONCE)
        out += left[:, part] @ right[part]


@njit(nogil=True, cache=True, error_model="numpy")
def standardised(columns: Double, chosen: Integers, mean: Double, factor: Double) -> tuple[Single, Single]:
    """(p, n) columns, the (q,) ``chosen`` ones less their (p,) mean and times their (q,) factor.

    Returns
    -------
    (q, n) values, and (n,) the squared norm of each row, summed in double precision.
    """
    n = columns.shape[1]
    z = np.empty((len(chosen), n), dtype=np.float32)
    norms = np.zeros(n)
    for place in range(len(chosen)):
        values, own, times = columns[chosen[place]], z[place], factor[place]
        center = mean[chosen[place]]
        for row in range(n):
            own[row] = (values[row] - center) * times
        for row in range(n):
            norms[row] += np.float64(own[row]) * np.float64(own[row])
    return z, norms.astype(np.float32)


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
    """
    n, repeats = labels.shape
    k = neighbours.shape[2]
    tight = len(metric.x) == 0  # the products have the very weights of the distances: they tell most rows apart
    bounds = np.empty(n, dtype=np.float32)
    lowest = np.empty(_GROUPS, dtype=np.float32)
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
            width = 2.0 * doubt * (squares[i] + squares[j]) + 3.0 * _RELATIVE * abs(keys[place]) + 4.0 * _TINY
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
        for group in range(_GROUPS):
            if lowest[group] <= reach:
                for j in range(group, n, _GROUPS):
                    if bounds[j] <= reach and bounds[j] < np.inf:
                        _measure(metric, i, j, fits, measured)
                        reach = _offer(i, j, labels, measured, open_repeats, still_open, best, neighbours)


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _bounds(dots: Single, norms: Single, row: int, doubt: float, out: Single, lowest: Single) -> None:
    """Bound the squared distances of one row to all rows from below, and find the smallest bound of each group."""
    n = len(dots)
    sure = 1.0 - _RELATIVE
    share = np.float32(sure - doubt)
    twice = np.float32(2.0 * sure)
    own = norms[row] * share - np.float32(_TINY)
    lowest[:] = np.inf
    for start in range(0, n, _GROUPS):
        part, others, products = (
            out[start : start + _GROUPS],
            norms[start : start + _GROUPS],
            dots[start : start + _GROUPS],
        )
        for place in range(len(part)):
            bound = own + others[place] * share - twice * products[place]
            part[place] = bound
            lowest[place] = min(lowest[place], bound)
    out[row] = np.inf  # a row is never its own neighbour
    smallest = np.float32(np.inf)
    for j in range(row % _GROUPS, n, _GROUPS):
        smallest = min(smallest, out[j])
    lowest[row % _GROUPS] = smallest


@njit(nogil=True, cache=True, error_model="numpy")
def _smallest(values: Single, lowest: Single, keys: Single, rows: Integers) -> int:
    """Fill ``rows`` with the places of the smallest finite values, in order; return how many there are."""
    found = 0
    for group in range(len(lowest)):
        found = _keep(lowest[group], group, found, keys, rows)
    # As many groups have a value up to this one, so none beyond it is among the smallest.
    enough = keys[found - 1] if found == len(rows) else np.float32(np.inf)
    found = 0
    for group in range(len(lowest)):
        if lowest[group] <= enough:
            for j in range(group, len(values), len(lowest)):
                if values[j] <= enough:
                    found = _keep(values[j], j, found, keys, rows)
    return found


@njit(nogil=True, cache=True, error_model="numpy")
def _keep(value: float, row: int, found: int, keys: Single, rows: Integers) -> int:
    """Insert a finite value into the ``found`` smallest so far; return how many there are now."""
    if value == np.inf or (found == len(keys) and value >= keys[found - 1]):
        return found
    place = min(found, len(keys) - 1)
    while place > 0 and keys[place - 1] > value:
        keys[place] = keys[place - 1]
        rows[place] = rows[place - 1]
        place -= 1
    keys[place] = value
    rows[place] = row
    return min(found + 1, len(keys))


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
def _distance(metric: Metric, i: int, j: int, fit: int) -> float:
    """Squared distance of two rows in one fit, read column by column: for the few pairs that need it."""
    total = 0.0
    weights = metric.weights[fit]
    for place in range(len(metric.chosen)):
        column = metric.chosen[place]
        d = metric.columns[column, i] - metric.columns[column, j]
        total += d * d * (weights[place] * metric.factors[place])
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
        out[:] = _distance(metric, i, j, 0)
    elif len(metric.x) == 0:
        out[:] = _distance(metric, i, j, fits[0])  # the first pass was for one repeat alone
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
