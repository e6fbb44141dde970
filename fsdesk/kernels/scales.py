"""Location and scale of every column over the training rows of every fit; variances from totals."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["MIN_MAX", "ROBUST", "Z_SCORE", "filled_variance", "training_scales", "training_variances"]

Z_SCORE, MIN_MAX, ROBUST = 0, 1, 2

_UNSURE = 1e-3  # below this share of the overall variance, totals have lost too many digits
_COLUMNS_AT_ONCE = 512  # a block of columns that stays in the cache


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
    fits = repeats * folds
    training = (labels[:, None, :] != np.arange(folds)[None, :, None]).reshape(fits, n).astype(np.float64)
    sizes = training.sum(axis=1)[:, None]
    training /= sizes
    variances = np.empty((fits, len(chosen)))
    for start in range(0, len(chosen), _COLUMNS_AT_ONCE):
        block = slice(start, start + _COLUMNS_AT_ONCE)
        z = columns[chosen[block]]
        z -= mean[block, None]
        z /= deviation[block, None]
        first = training @ z.T
        second = training @ np.square(z, out=z).T
        np.subtract(second, np.square(first, out=first), out=variances[:, block])
    for fit, place in np.argwhere(variances < _UNSURE):
        exact = filled_variance(columns[chosen[place]], np.nan, labels[fit // folds], fit % folds)
        variances[fit, place] = exact / deviation[place] ** 2
    return variances


@njit(nogil=True, cache=True, error_model="numpy")
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


@njit(nogil=True, cache=True, error_model="numpy")
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
            size, lowest, highest = 0, np.inf, -np.inf
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


@njit(nogil=True, cache=True, error_model="numpy")
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


@njit(nogil=True, cache=True, error_model="numpy")
def _between(values: NDArray[np.float64], position: float) -> float:
    """The value at a position between two places, by linear interpolation."""
    place = int(position)
    after = min(place + 1, len(values) - 1)
    return float(values[place] + (values[after] - values[place]) * (position - place))
