"""Location and scale of every column over the training rows of every fit; variances from totals."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ONE, ZERO, entry, inner

__all__ = ["MIN_MAX", "ROBUST", "Z_SCORE", "filled_variance", "training_scales", "training_variances"]

Z_SCORE, MIN_MAX, ROBUST = 0, 1, 2

_UNSURE = 1e-3  # below this share of the overall variance, totals have lost too many digits
_COLUMNS_AT_ONCE = 120  # a block of columns that stays in the cache
_ROWS_AT_ONCE = 4
_LINE = 8  # columns written together: one line of the cache


@inner()
def filled_variance(values: NDArray[np.float64], fill: float, labels: NDArray[np.int64], fold: int) -> float:
    """Variance of the rows outside ``fold``, gaps filled, in two passes; exactly 0 where they are all equal."""
    size, total, lowest, highest = 0, 0.0, np.inf, -np.inf
    for row in range(len(values)):
        if labels[row] != fold:
            value = fill if np.isnan(values[row]) else values[row]
            size += 1
            total += value
            lowest, highest = min(lowest, value), max(highest, value)
    if not lowest < highest:
        return 0.0
    mean, squares = total / size, 0.0
    for row in range(len(values)):
        if labels[row] != fold:
            value = fill if np.isnan(values[row]) else values[row]
            squares += (value - mean) ** 2
    return squares / size


@entry()
def training_variances(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int64],
    mean: NDArray[np.float64],
    deviation: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
) -> NDArray[np.float64]:
    """Variance of the training rows as a share of the overall variance.

    Parameters
    ----------
    columns
        (p, n) values; those chosen have no gaps.
    chosen
        (q,) which columns to look at.
    mean, deviation
        (q,) of all rows; no deviation is zero.
    labels
        (repeats, n) folds.

    Returns
    -------
    (repeats * folds, q); exactly 0 where the training rows are constant.
    """
    repeats, n = labels.shape
    fits, q = repeats * folds, len(chosen)
    sizes = np.empty(fits)
    sizes[:] = n
    for repeat in range(repeats):
        for row in range(n):
            if labels[repeat, row] >= 0:
                sizes[repeat * folds + labels[repeat, row]] -= 1.0
    variances = np.empty((fits, q))
    members, everyone = _members(labels, folds), _members(np.zeros((1, n), dtype=np.int64), ONE)
    z = np.zeros((n + 1, -(-min(q, _COLUMNS_AT_ONCE) // _LINE) * _LINE))  # whole lines: no column goes one by one
    first, second = np.empty((fits + 1, z.shape[1])), np.empty((fits + 1, z.shape[1]))
    for start in range(0, q, _COLUMNS_AT_ONCE):
        end = min(q, start + _COLUMNS_AT_ONCE)
        _standardise(columns, chosen[start:end], mean[start:end], deviation[start:end], z)
        width = -(-(end - start) // _LINE) * _LINE
        _sum_folds(z, width, members, first, second)
        _sum_folds(z, width, everyone, first[fits:], second[fits:])
        for fit in range(fits):
            own, a, b, all_a, all_b = variances[fit, start:end], first[fit], second[fit], first[fits], second[fits]
            for c in range(end - start):
                center = (all_a[c] - a[c]) / sizes[fit]
                own[c] = (all_b[c] - b[c]) / sizes[fit] - center * center
    for fit in range(fits):
        for place in range(q):
            if variances[fit, place] < _UNSURE:
                exact = filled_variance(columns[chosen[place]], np.nan, labels[fit // folds], fit % folds)
                variances[fit, place] = exact / deviation[place] ** 2
    return variances


@inner()
def _standardise(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int64],
    mean: NDArray[np.float64],
    deviation: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill rows with the chosen columns less their mean, over their deviation."""
    n = columns.shape[1]
    tile = np.zeros((_LINE, n))
    for start in range(0, len(chosen), _LINE):
        width = min(_LINE, len(chosen) - start)
        for place in range(width):
            own, values = tile[place], columns[chosen[start + place]]
            center, times = mean[start + place], 1.0 / deviation[start + place]
            for row in range(n):
                own[row] = (values[row] - center) * times
        for row in range(n):
            line = out[row, start : start + width]
            for place in range(len(line)):
                line[place] = tile[place, row]


@inner()
def _members(labels: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """(fits, most) rows of each fold; where there are no more, n."""
    repeats, n = labels.shape
    sizes, most = np.zeros(repeats * folds, dtype=np.int64), 0
    for repeat in range(repeats):
        for row in range(n):
            if labels[repeat, row] >= 0:
                fit = repeat * folds + labels[repeat, row]
                sizes[fit] += 1
                most = max(most, sizes[fit])
    members = np.empty((repeats * folds, -(-most // _ROWS_AT_ONCE) * _ROWS_AT_ONCE), dtype=np.int64)
    members[:] = n
    sizes[:] = 0
    for repeat in range(repeats):
        for row in range(n):
            if labels[repeat, row] >= 0:
                fit = repeat * folds + labels[repeat, row]
                members[fit, sizes[fit]] = row
                sizes[fit] += 1
    return members


@inner(fastmath={"reassoc", "contract"})
def _sum_folds(
    z: NDArray[np.float64],
    width: int,
    members: NDArray[np.int64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
) -> None:
    """Sums of the first values and of their squares over the members of each fold; the last row of ``z`` is 0."""
    first[:] = 0.0
    second[:] = 0.0
    for fit in range(len(members)):
        a, b, rows = first[fit], second[fit], members[fit]
        for place in range(0, len(rows), _ROWS_AT_ONCE):
            if rows[place] == len(z) - 1:
                break
            w, x, y, v = z[rows[place]], z[rows[place + 1]], z[rows[place + 2]], z[rows[place + 3]]
            for c in range(width):
                a[c] += (w[c] + x[c]) + (y[c] + v[c])
                b[c] += (w[c] * w[c] + x[c] * x[c]) + (y[c] * y[c] + v[c] * v[c])


@entry()
def training_scales(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int64],
    order: NDArray[np.int32],
    fill: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
    scaler: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Location and scale of the filled training rows, by definition.

    Parameters
    ----------
    columns, chosen
        (p, n) values, NaN where one is missing; (q,) which columns to look at.
    order
        (p, n) rows of each column by ascending value, the missing ones last; read for ``ROBUST`` alone.
    fill
        (fits, q) what fills the gaps, or (1, q) where all fits share it.
    labels
        (repeats, n) folds.
    scaler
        ``Z_SCORE``: mean and standard deviation; ``MIN_MAX``: smallest value and range; ``ROBUST``: median and
        distance between the quartiles, interpolated linearly, 1 where it is 0 but the rows differ.

    Returns
    -------
    (repeats * folds, q) each. Where the training rows are constant the scale is exactly 0, the location their value.
    """
    repeats, n = labels.shape
    fits = repeats * folds
    centre, scale = np.empty((fits, len(chosen))), np.empty((fits, len(chosen)))
    values = np.empty(n)
    for place in range(len(chosen)):
        column = columns[chosen[place]]
        for fit in range(fits):
            filling = fill[min(fit, len(fill) - 1), place]
            own, fold = labels[fit // folds], fit % folds
            size, lowest, highest = ZERO, np.inf, -np.inf  # not plain: _quartiles would be compiled for that, too
            for row in range(n):
                if own[row] != fold:
                    values[size] = filling if np.isnan(column[row]) else column[row]
                    lowest, highest = min(lowest, values[size]), max(highest, values[size])
                    size += 1
            centre[fit, place], scale[fit, place] = lowest, highest - lowest
            if lowest < highest and scaler == Z_SCORE:
                centre[fit, place] = values[:size].mean()
                scale[fit, place] = values[:size].std()
            elif lowest < highest and scaler == ROBUST:
                quartiles = _quartiles(column, order[chosen[place]], filling, own, fold, size)
                centre[fit, place] = quartiles[1]
                scale[fit, place] = (quartiles[2] - quartiles[0]) or 1.0
    return centre, scale


@inner()
def _quartiles(
    column: NDArray[np.float64],
    order: NDArray[np.int32],
    filling: float,
    labels: NDArray[np.int64],
    fold: int,
    size: int,
) -> tuple[float, float, float]:
    """Quartiles of the ``size`` rows outside ``fold``: one walk up the sorted values, the fill in its place."""
    values = np.empty(size)
    present = 0
    for row in order:
        if labels[row] != fold and not np.isnan(column[row]):
            values[present] = column[row]
            present += 1
    if present < size:
        below = np.searchsorted(values[:present], filling)
        values[below + size - present : size] = values[below:present].copy()
        values[below : below + size - present] = filling
    first, second, third = 0.25 * (size - 1), 0.5 * (size - 1), 0.75 * (size - 1)
    return _between(values, first), _between(values, second), _between(values, third)


@inner()
def _between(values: NDArray[np.float64], position: float) -> float:
    """The value at a position between two places, by linear interpolation."""
    place = int(position)
    after = min(place + 1, len(values) - 1)
    return float(values[place] + (values[after] - values[place]) * (position - place))
