"""Nearest neighbours of every row in every repeat of a cross-validation, from one pass over the data.

The 50 fits of a 10 x 5-fold cross-validation differ only in the scale of each column, and never by much: the variance
of the training rows is at most n / n_train times that of all rows. So a single-precision distance under one common
scaling, times the smallest ratio of the scales, bounds the distance in every fold from below, and only the few rows
whose bound stays under the best distance found so far are measured again, in double precision and the fold's own scale.
The single-precision pass only ever skips rows that provably cannot be neighbours: rounding never changes a result.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["BLOCK", "COLUMN_GROUP", "LANES", "nearest", "scale_ratios"]

COLUMN_GROUP = 8  # columns are padded with zeros to a multiple of this
LANES = 5  # repeats are evaluated in groups of this many
BLOCK = 64  # rows whose smallest bound is kept, so that scans skip blocks
_FIRST = 6  # rows measured before the first scan, beyond the k that are needed
_UNSURE_VARIANCE = 1e-3  # below this share of the overall variance, totals have lost too many digits
# How far a single-precision distance can be off. Storing z moves each difference by at most u (|z_i| + |z_j|) with
# u = 2^-24, the subtraction by as much again, and |a^2 - b^2| <= eta b^2 + (1 + 1 / eta)(a - b)^2: with eta = 1e-4
# that is 1e-4 of the distance plus 3e-10 of both squared norms; the sum adds u for each column.
_RELATIVE = 2e-4
_RELATIVE_PER_COLUMN = 2.0**-24
_ABSOLUTE = 2e-9

_FAST = {"reassoc", "contract", "nsz"}


@njit(nogil=True, cache=True, error_model="numpy")
def scale_ratios(
    columns: NDArray[np.float64],
    mean: NDArray[np.float64],
    deviation: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
) -> NDArray[np.float64]:
    """Overall variance over the variance of the training rows, for each column and fold.

    Parameters
    ----------
    columns
        (q, n) values without gaps.
    mean, deviation
        (q,) of all rows; no deviation is zero.
    labels
        (repeats, n) folds.

    Returns
    -------
    (q, repeats * folds). 1 where the training rows are constant: the column then moves all distances alike.
    """
    repeats, n = labels.shape
    fits = repeats * folds
    member = np.zeros((n, fits))
    count = np.zeros(fits)
    for repeat in range(repeats):
        for row in range(n):
            fit = repeat * folds + labels[repeat, row]
            member[row, fit] = 1.0
            count[fit] += 1.0
    ratios = np.empty((len(columns), fits))
    first = np.empty(fits)
    second = np.empty(fits)
    for column in range(len(columns)):
        values = columns[column]
        center, inverse = mean[column], 1.0 / deviation[column]
        first[:] = 0.0
        second[:] = 0.0
        total_first, total_second = 0.0, 0.0
        for row in range(n):
            z = (values[row] - center) * inverse
            square = z * z
            total_first += z
            total_second += square
            for fit in range(fits):
                first[fit] += z * member[row, fit]
                second[fit] += square * member[row, fit]
        for fit in range(fits):
            size = n - count[fit]
            center_of_fit = (total_first - first[fit]) / size
            variance = (total_second - second[fit]) / size - center_of_fit * center_of_fit
            if variance < _UNSURE_VARIANCE:
                fold = fit % folds
                variance = _variance(values, labels[fit // folds], fold) * inverse * inverse
            ratios[column, fit] = 1.0 / variance if variance > 0.0 else 1.0
    return ratios


@njit(nogil=True, cache=True, error_model="numpy")
def _variance(values: NDArray[np.float64], labels: NDArray[np.int64], fold: int) -> float:
    """Variance of the rows outside ``fold`` in two passes; exactly 0 where they are all equal."""
    size, total = 0, 0.0
    lowest, highest = np.inf, -np.inf
    for row in range(len(values)):
        if labels[row] != fold:
            size += 1
            total += values[row]
            lowest = min(lowest, values[row])
            highest = max(highest, values[row])
    if not lowest < highest:
        return 0.0
    mean, squares = total / size, 0.0
    for row in range(len(values)):
        if labels[row] != fold:
            squares += (values[row] - mean) ** 2
    return squares / size


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _bounds(z: NDArray[np.float32], row: int, out: NDArray[np.float32], lowest: NDArray[np.float32]) -> None:
    """Squared distances of one row to all rows under the common scaling, and the smallest of each block of rows."""
    q, n = z.shape
    out[:n] = 0.0
    for c in range(0, q, COLUMN_GROUP):
        z0, z1, z2, z3 = z[c], z[c + 1], z[c + 2], z[c + 3]
        z4, z5, z6, z7 = z[c + 4], z[c + 5], z[c + 6], z[c + 7]
        v0, v1, v2, v3 = z0[row], z1[row], z2[row], z3[row]
        v4, v5, v6, v7 = z4[row], z5[row], z6[row], z7[row]
        for j in range(n):
            d0, d1, d2, d3 = z0[j] - v0, z1[j] - v1, z2[j] - v2, z3[j] - v3
            d4, d5, d6, d7 = z4[j] - v4, z5[j] - v5, z6[j] - v6, z7[j] - v7
            out[j] += (d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3) + (d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7)
    out[row] = np.inf  # a row is never its own neighbour
    for block in range(len(lowest)):
        smallest = out[block * BLOCK]
        for j in range(block * BLOCK + 1, (block + 1) * BLOCK):
            smallest = min(smallest, out[j])
        lowest[block] = smallest


@njit(nogil=True, cache=True, error_model="numpy")
def _smallest(
    values: NDArray[np.float32], lowest: NDArray[np.float32], keys: NDArray[np.float32], rows: NDArray[np.int64]
) -> int:
    """Fill ``rows`` with the places of the smallest finite values, in order; return how many there are."""
    wanted, found = len(rows), 0
    keys[:] = np.inf
    for block in range(len(lowest)):
        if lowest[block] >= keys[wanted - 1]:
            continue
        for j in range(block * BLOCK, (block + 1) * BLOCK):
            value = values[j]
            if value < keys[wanted - 1]:
                place = min(found, wanted - 1)
                while place > 0 and keys[place - 1] > value:
                    keys[place] = keys[place - 1]
                    rows[place] = rows[place - 1]
                    place -= 1
                keys[place] = value
                rows[place] = j
                found = min(found + 1, wanted)
    return found


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _distances(
    a: NDArray[np.float64], b: NDArray[np.float64], weights: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Squared distances of two rows under each set of weights: (q,), (q,), (lanes, q) -> (lanes,)."""
    for lane in range(0, len(weights), LANES):
        w0, w1, w2, w3, w4 = weights[lane], weights[lane + 1], weights[lane + 2], weights[lane + 3], weights[lane + 4]
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
def _distance(a: NDArray[np.float64], b: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Squared distance of two rows under one set of weights."""
    total = 0.0
    for c in range(len(a)):
        d = a[c] - b[c]
        total += d * d * weights[c]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def _add_incomplete(
    i: int,
    j: int,
    gaps: NDArray[np.float64],
    fill: NDArray[np.float64],
    weights: NDArray[np.float64],
    fits: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add the columns that have gaps, each gap filled with its fold's value: gaps (g, n), fill and weights (g, fits)."""
    for column in range(len(gaps)):
        a, b = gaps[column, i], gaps[column, j]
        for lane in range(len(fits)):
            fit = fits[lane]
            left = fill[column, fit] if np.isnan(a) else a
            right = fill[column, fit] if np.isnan(b) else b
            out[lane] += (left - right) * (left - right) * weights[column, fit]


@njit(nogil=True, cache=True, error_model="numpy")
def _offer(distance: float, row: int, distances: NDArray[np.float64], rows: NDArray[np.int64]) -> None:
    """Insert a row into the k nearest so far, by distance and then by index."""
    place = len(rows) - 1
    if distance > distances[place] or (distance == distances[place] and row > rows[place]):
        return
    while place > 0 and (
        distance < distances[place - 1] or (distance == distances[place - 1] and row < rows[place - 1])
    ):
        distances[place] = distances[place - 1]
        rows[place] = rows[place - 1]
        place -= 1
    distances[place] = distance
    rows[place] = row


@njit(nogil=True, cache=True, error_model="numpy")
def nearest(
    x: NDArray[np.float64],
    z: NDArray[np.float32],
    weights: NDArray[np.float64],
    least: NDArray[np.float64],
    gaps: NDArray[np.float64],
    fill: NDArray[np.float64],
    gap_weights: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
    k: int,
) -> NDArray[np.int64]:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    x
        (n, q) values of the columns without gaps.
    z
        (q', n) the same columns under the common scaling, padded with zeros to a multiple of ``COLUMN_GROUP``.
    weights
        (fits, q) weight of each column's squared difference in each fit, or (1, q) where all fits share one.
    least
        (fits,) smallest ratio of a column's weight to its weight in the common scaling.
    gaps, fill, gap_weights
        (g, n) values of the columns with gaps (NaN); (g, fits) what fills the gaps, and the weights.
    labels
        (repeats, n) folds; fit = repeat * folds + fold is the one that tests the row.

    Returns
    -------
    (repeats, n, k) training rows, nearest first, ties to the lowest; -1 where there are fewer than k.
    """
    repeats, n = labels.shape
    shared = len(weights) == 1
    lanes = (repeats + LANES - 1) // LANES * LANES
    padded = (n + BLOCK - 1) // BLOCK * BLOCK
    bounds = np.full(padded, np.inf, dtype=np.float32)
    lowest = np.empty(padded // BLOCK, dtype=np.float32)
    keys = np.empty(min(n, k + _FIRST), dtype=np.float32)
    first = np.empty(min(n, k + _FIRST), dtype=np.int64)
    lane_weights = np.zeros((1 if shared else lanes, weights.shape[1]))
    lane_distances = np.empty(lanes)
    fits = np.empty(repeats, dtype=np.int64)
    best = np.empty((repeats, k))
    result = np.full((repeats, n, k), -1, dtype=np.int64)
    norms = np.zeros(n)
    for c in range(len(z)):
        for j in range(n):
            norms[j] += np.float64(z[c, j]) ** 2
    largest_norm = norms.max()
    certain = 1.0 - _RELATIVE - _RELATIVE_PER_COLUMN * len(z)
    for i in range(n):
        _bounds(z, i, bounds, lowest)
        slack = _ABSOLUTE * (norms[i] + largest_norm)
        for repeat in range(repeats):
            fits[repeat] = repeat * folds + labels[repeat, i]
            if not shared:
                lane_weights[repeat] = weights[fits[repeat]]
        if shared:
            lane_weights[0] = weights[0]
        best[:] = np.inf
        reach = np.inf
        for step in range(_smallest(bounds, lowest, keys, first)):
            if keys[step] * certain - slack > reach:
                break
            j = first[step]
            _measure_pair(x, i, j, shared, lane_weights, gaps, fill, gap_weights, fits, lane_distances)
            reach = _offer_to_all(i, j, labels, lane_distances, best, result, least, fits)
            bounds[j] = np.inf
        for block in range(len(lowest)):
            if lowest[block] * certain - slack > reach:
                continue
            for j in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
                if bounds[j] * certain - slack > reach or j == i or bounds[j] == np.inf:
                    continue
                _measure_pair(x, i, j, shared, lane_weights, gaps, fill, gap_weights, fits, lane_distances)
                reach = _offer_to_all(i, j, labels, lane_distances, best, result, least, fits)
    return result


@njit(nogil=True, cache=True, error_model="numpy")
def _measure_pair(
    x: NDArray[np.float64],
    i: int,
    j: int,
    shared: bool,
    lane_weights: NDArray[np.float64],
    gaps: NDArray[np.float64],
    fill: NDArray[np.float64],
    gap_weights: NDArray[np.float64],
    fits: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Exact squared distances of two rows in every repeat."""
    if shared:
        out[:] = _distance(x[i], x[j], lane_weights[0])
    else:
        _distances(x[i], x[j], lane_weights, out)
    if len(gaps):
        _add_incomplete(i, j, gaps, fill, gap_weights, fits, out)


@njit(nogil=True, cache=True, error_model="numpy")
def _offer_to_all(
    i: int,
    j: int,
    labels: NDArray[np.int64],
    distances: NDArray[np.float64],
    best: NDArray[np.float64],
    result: NDArray[np.int64],
    least: NDArray[np.float64],
    fits: NDArray[np.int64],
) -> float:
    """Offer row j to row i in every repeat that trains on it; return the bound beyond which no row can matter."""
    reach = 0.0
    for repeat in range(len(fits)):
        if labels[repeat, j] != labels[repeat, i]:
            _offer(distances[repeat], j, best[repeat], result[repeat, i])
        reach = max(reach, best[repeat, -1] / least[fits[repeat]])
    return reach
