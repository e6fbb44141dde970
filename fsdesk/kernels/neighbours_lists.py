"""Neighbours in all fits from one first pass, where columns are many: a list of each row is measured, and no more.

Bounded with the smallest weights, most rows have a handful of candidates in all their fits, and products for every
repeat tell nothing more. Others, such as rows that alone have a value in some column, have hundreds: they stay open.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ZERO, entry, inner
from fsdesk.kernels.neighbours import MANY_COLUMNS, doubt_of_products, standardised
from fsdesk.kernels.neighbours_measure import TOGETHER, Metric, Rows, add_columns_with_gaps
from fsdesk.kernels.neighbours_products import products_once
from fsdesk.kernels.neighbours_search import bound, offer, open_rows, shortlist

__all__ = ["nearest_in_lists"]

_SHARE = 5  # more others than this part of all rows cost more than products for every repeat
_MOST_OPEN = 4  # where more than this part of all rows is left open, all are
_CELLS = 1 << 15  # of rows, in blocks of columns that stay in the cache
_LINE = 8  # columns written together: one line of the cache

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Truths = NDArray[np.bool_]


def nearest_in_lists(metric: Metric, mean: Double, labels: Integers, folds: int, k: int) -> tuple[Integers, Truths]:
    """Find the k nearest training rows in every repeat of those rows whose few smallest bounds tell them.

    Parameters
    ----------
    metric
        Without the rows ``x``.
    mean
        (q,) any location of each chosen column, near its values.
    labels
        (n, repeats) folds.

    Returns
    -------
    (n, repeats, k) training rows, nearest first, ties to the lowest; and (n,) which rows stay open, theirs all -1.
    """
    root, q = np.sqrt(metric.factors), len(metric.chosen)
    if q >= MANY_COLUMNS:
        dots, norms = products_once(metric.columns, metric.chosen, mean, root * np.sqrt(metric.weights.min(axis=0)))
    else:
        z = standardised(metric.columns, metric.chosen, mean, root)[0]
        least = _least_of_own_fits(metric.weights, labels, folds)
        norms = np.matmul(least, np.square(z))
        least *= z.T
        dots = np.matmul(least, z)
    n, repeats = labels.shape
    neighbours, is_open = np.full((n, repeats, k), -1, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    lanes = -(-repeats // TOGETHER) * TOGETHER
    # So many that hardly any repeat trains on fewer than k of them: the fewer folds, the more of them are tested.
    listed = min(n, 2 * k + 2 + 4 // folds)
    rows = Rows(
        0,
        np.empty((n, lanes), dtype=np.int64),
        labels,
        np.full((n, listed), -1, dtype=np.int64),
        np.full((n, listed), np.inf, dtype=np.float32),
        np.full(n, np.inf, dtype=np.float32),
        np.empty((n, lanes)),
        np.full(n, -np.inf),
        np.empty((n, repeats, k)),
        neighbours,
    )
    shape = (n, n // _SHARE)
    others = rows._replace(
        candidates=np.full(shape, -1, dtype=np.int64), bounds=np.full(shape, np.inf, dtype=np.float32)
    )
    _search_lists(metric, dots, norms, folds, doubt_of_products(q), rows, others, is_open)
    neighbours[is_open] = -1
    return neighbours, is_open


@entry()
def _least_of_own_fits(weights: Double, labels: Integers, folds: int) -> Single:
    """(n, q) smallest weight of each column in the fits that test a row; 0 where none does."""
    n, repeats = labels.shape
    least = np.zeros((n, weights.shape[1]), dtype=np.float32)
    for row in range(n):
        is_first = True
        for repeat in range(repeats):
            if labels[row, repeat] >= 0:
                fit = repeat * folds + labels[row, repeat]
                for c in range(weights.shape[1]):
                    weight = np.float32(weights[fit, c])
                    least[row, c] = weight if is_first else min(least[row, c], weight)
                is_first = False
    return least


@entry()
def _search_lists(
    metric: Metric,
    dots: Single,
    norms: Single,
    folds: int,
    doubt: float,
    rows: Rows,
    others: Rows,
    is_open: Truths,
) -> None:
    """The same from products of all rows and their squared norms: a few rows each, then all others that matter."""
    open_rows(rows, ZERO, folds)
    shortlist(dots, norms, doubt, rows)
    _settle(metric, rows)
    count = _list_others(dots, norms, doubt, rows, others, is_open)
    if _MOST_OPEN * count <= len(dots):
        _settle(metric, others)
        return
    for row in range(len(dots)):
        is_open[row] = True  # products for every repeat serve them all


@inner()
def _list_others(dots: Single, norms: Single, doubt: float, rows: Rows, others: Rows, is_open: Truths) -> int:
    """List all rows that may be nearer than those measured; say in which rows they are too many for that."""
    n = len(dots)
    bounds, many_open = np.empty(n, dtype=np.float32), 0
    for i in range(n):
        reach = rows.reach[i]
        if not rows.rest[i] <= reach or rows.rest[i] == np.inf:
            continue
        squares = norms[i if len(norms) > 1 else 0]
        bound(dots[i], squares, squares[i], doubt, bounds)
        bounds[i] = np.inf
        for j in rows.candidates[i]:
            if j >= 0:
                bounds[j] = np.inf
        count = 0
        for j in range(n):
            if bounds[j] <= reach and bounds[j] < np.inf:
                if count < others.candidates.shape[1]:
                    others.candidates[i, count], others.bounds[i, count] = j, bounds[j]
                count += 1
        if count > others.candidates.shape[1]:
            is_open[i] = True
            many_open += 1
            for place in range(others.candidates.shape[1]):
                others.candidates[i, place] = -1
    return many_open


@inner()
def _settle(metric: Metric, rows: Rows) -> None:
    """Measure those candidates that may be neighbours, and take those that are."""
    n, lanes = rows.fits.shape
    listed = rows.candidates.shape[1]
    pairs = np.empty((1 + n * listed, 2), dtype=np.int32)
    at, count = np.full((listed, n), -1, dtype=np.int32), 0
    for i in range(n):
        for place in range(listed):
            if rows.candidates[i, place] >= 0 and rows.bounds[i, place] <= rows.reach[i]:
                pairs[count, 0], pairs[count, 1] = i, rows.candidates[i, place]
                at[place, i] = count
                count += 1
    far = np.zeros((count, lanes))
    _measure_pairs(metric.columns, metric.chosen, metric.weights, metric.factors, pairs, rows.fits, far)
    for place in range(listed):
        for row in range(n):
            if at[place, row] >= 0:
                for lane in range(lanes):
                    rows.measured[row, lane] = far[at[place, row], lane]
        if metric.gaps.shape[1]:
            add_columns_with_gaps(metric.gaps, metric.fill, metric.gap_weights, place, rows)
        offer(place, rows)


@inner(fastmath=_FAST)
def _measure_pairs(
    columns: Double, chosen: Integers, weights: Double, factors: Double, pairs: Numbers, fits: Integers, far: Double
) -> None:
    """Add up the distances of pairs of rows in the fits of the first, block by block: no table needs to be copied."""
    n, q = columns.shape[1], len(chosen)
    width = -(-min(q, max(1, _CELLS // n)) // _LINE) * _LINE
    x, own, tile = np.empty((n, width)), np.empty((len(weights), width)), np.empty((_LINE, n))
    for start in range(0, q if len(far) else 0, width):
        size = min(width, q - start)
        for c in range(0, size, _LINE):
            for lane in range(_LINE):
                values = columns[chosen[start + min(c + lane, size - 1)]]
                for row in range(n):
                    tile[lane, row] = values[row]
            for row in range(n):
                for lane in range(_LINE):
                    x[row, c + lane] = tile[lane, row]
        for fit in range(len(weights)):
            for c in range(size):
                own[fit, c] = weights[fit, start + c] * factors[start + c]
        for pair in range(len(far)):
            i, j = pairs[pair, 0], pairs[pair, 1]
            for lane in range(0, far.shape[1], TOGETHER):
                f0, f1, f2 = fits[i, lane], fits[i, lane + 1], fits[i, lane + 2]
                f3, f4 = fits[i, lane + 3], fits[i, lane + 4]
                s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
                for c in range(size):
                    d = x[i, c] - x[j, c]
                    square = d * d
                    s0 += square * own[f0, c]
                    s1 += square * own[f1, c]
                    s2 += square * own[f2, c]
                    s3 += square * own[f3, c]
                    s4 += square * own[f4, c]
                far[pair, lane] += s0
                far[pair, lane + 1] += s1
                far[pair, lane + 2] += s2
                far[pair, lane + 3] += s3
                far[pair, lane + 4] += s4
