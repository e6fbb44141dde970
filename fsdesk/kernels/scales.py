"""Variance of every column over the training rows of every fit, from totals."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["filled_variance", "training_variances"]

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
