"""Neighbours in all fits from one first pass, where columns are many: a list of each row is measured, and no more.

Bounded with the smallest weights, most rows have a handful of candidates in all their fits, and products for every
repeat tell nothing more. Others, such as rows that alone have a value in some column, have hundreds: for these,
products are made for each repeat, under the very weights of each row's fit.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import NO, ONE, ZERO, inner, merged
from fsdesk.kernels.neighbours import doubt_of_products, smallest_roots
from fsdesk.kernels.neighbours_measure import TOGETHER, Metric, Rows, add_columns_with_gaps
from fsdesk.kernels.neighbours_products import TERMS_AT_ONCE, products_of_repeats, products_once
from fsdesk.kernels.neighbours_search import bound, offer, open_rows, search, shortlist
from fsdesk.kernels.tiles import TERMS

__all__ = ["nearest_in_lists", "search_by_repeat", "search_many_columns"]

_SHARE = 5  # more others than this part of all rows cost more than products for every repeat
_MOST_OPEN = 2  # where more than this part of all rows is left open, all are
_PRODUCTS_KEPT = 1 << 20  # products of so many pairs are kept at once
_FEWEST_REPEATS = 2  # one repeat has products of its own anyway
_CELLS = 1 << 15  # of rows, in blocks of columns that stay in the cache
_LINE = 8  # columns written together: one line of the cache

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Truths = NDArray[np.bool_]


@merged
def search_many_columns(
    metric: Metric, mean: Double, labels: Integers, folds: int, lists: Integers, neighbours: Integers
) -> None:
    """Search the neighbours of all rows: in lists, and by products for each repeat where these leave rows open.

    Parameters
    ----------
    lists
        (places,) by the binary digits of the number of columns: 1 where lists pay, 0 where not; where it is -1, what
        these columns tell of it is written there. Both ways round in their own order, so that which one is taken
        decides between rows equally near: it must hang on the table alone, not on what was measured before.
    """
    n, repeats = labels.shape
    is_open, digits = np.ones(n, dtype=np.bool_), 0
    while len(metric.chosen) >> digits > 0:
        digits += 1
    if repeats >= _FEWEST_REPEATS and lists[digits] != 0:
        is_open = nearest_in_lists(metric, mean, labels, folds, neighbours)
        if lists[digits] < 0:
            pay = ZERO
            for row in range(n):
                if not is_open[row]:
                    pay = ONE
            lists[digits] = pay  # at once: other threads look
    search_by_repeat(metric, mean, labels, folds, is_open, neighbours)


@merged
def nearest_in_lists(metric: Metric, mean: Double, labels: Integers, folds: int, neighbours: Integers) -> Truths:
    """Find the k nearest training rows in every repeat of those rows whose few smallest bounds tell them.

    Parameters
    ----------
    mean
        (q,) any location of each chosen column, near its values.
    labels
        (n, repeats) folds.
    neighbours
        (n, repeats, k), all -1; filled in with training rows, nearest first, ties to the lowest.

    Returns
    -------
    (n,) which rows stay open, theirs all -1.
    """
    n, repeats, k = neighbours.shape
    root = smallest_roots(metric.weights, metric.factors)
    dots, norms = products_once(metric.columns, metric.chosen, mean, root, metric.once, metric.is_filled)
    doubt, is_open = doubt_of_products(len(root), TERMS), np.zeros(n, dtype=np.bool_)
    # So many that hardly any repeat trains on fewer than k of them: the fewer folds, the more of them are tested.
    listed = min(n, 2 * k + 2 + 4 // folds)
    rows = Rows(
        np.arange(n),
        np.empty((n, -(-repeats // TOGETHER) * TOGETHER), dtype=np.int64),
        labels,
        np.full((n, listed), -1, dtype=np.int64),
        np.full((n, listed), np.inf, dtype=np.float32),
        np.full(n, np.inf, dtype=np.float32),
        np.empty((n, -(-repeats // TOGETHER) * TOGETHER)),
        np.full(n, -np.inf),
        np.empty((n, repeats, k)),
        neighbours,
    )
    open_rows(rows, ZERO, folds)
    shortlist(dots, norms, doubt, rows)
    _settle(metric, rows)
    others = Rows(
        rows.numbers,
        rows.fits,
        labels,
        np.full((n, n // _SHARE), -1, dtype=np.int64),
        np.full((n, n // _SHARE), np.inf, dtype=np.float32),
        rows.rest,
        rows.measured,
        rows.reach,
        rows.best,
        neighbours,
    )
    count = _list_others(dots, norms, doubt, rows, others, is_open)
    if _MOST_OPEN * count <= n:
        _settle(metric, others)
    for row in range(n):
        is_open[row] = is_open[row] or _MOST_OPEN * count > n
        for repeat in range(repeats if is_open[row] else 0):
            for place in range(k):
                neighbours[row, repeat, place] = -1
    return is_open


@merged
def search_by_repeat(
    metric: Metric, mean: Double, labels: Integers, folds: int, is_open: Truths, neighbours: Integers
) -> None:
    """Search the neighbours of some rows by a first pass for each repeat, under each fit's weights.

    Parameters
    ----------
    mean, labels
        As for :func:`nearest_in_lists`.
    is_open
        (n,) rows whose neighbours are to be found.
    neighbours
        (n, repeats, k), -1 in these rows.
    """
    n, repeats, k = neighbours.shape
    left, root, q = np.flatnonzero(is_open), np.empty(len(metric.chosen)), len(metric.chosen)
    for place in range(q):
        root[place] = np.sqrt(metric.factors[place])
    own, found = np.empty((n, 1), dtype=np.int64), np.empty((len(left), 1, k), dtype=np.int64)
    squares, doubt = np.empty((len(left), n), dtype=np.float32), doubt_of_products(q, TERMS_AT_ONCE)
    together, tight = max(1, _PRODUCTS_KEPT // max(1, n * len(left))), len(metric.x) == 0
    for first in range(0, repeats if len(left) else 0, together):
        many = min(together, repeats - first)
        part = np.empty((n, many), dtype=np.int64)
        for row in range(n):
            for repeat in range(many):
                part[row, repeat] = labels[row, first + repeat]
        weights = metric.weights[first * folds : (first + together) * folds]
        dots, norms = products_of_repeats(metric.columns, metric.chosen, mean, root, weights, part, folds, left)
        for repeat in range(many):
            for row in range(n):
                own[row, 0] = part[row, repeat]
            for place in range(len(left)):
                theirs = norms[repeat * folds + max(own[left[place], 0], 0)]
                for row in range(n):
                    squares[place, row] = theirs[row]
                for nearest in range(k):
                    found[place, 0, nearest] = -1
            search(metric, dots[repeat], squares, left, first + repeat, own, folds, doubt, tight, NO, found)
            for place in range(len(left)):
                for nearest in range(k):
                    neighbours[left[place], first + repeat, nearest] = found[place, 0, nearest]


@inner()
def _list_others(dots: Single, norms: Single, doubt: float, rows: Rows, others: Rows, is_open: Truths) -> int:
    """List all rows that may be nearer than those measured; say in which rows they are too many for that."""
    n = len(rows.labels)
    bounds, many_open = np.empty(n, dtype=np.float32), 0
    for i in range(n):
        reach = rows.reach[i]
        if not rows.rest[i] <= reach or rows.rest[i] == np.inf:
            continue
        squares = norms[i if len(norms) > 1 else 0]
        bound(dots[i, :n], squares, squares[i], doubt, bounds)
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
