"""Where each training fold's scaled columns start, and their scale, from values sorted once."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, inner
from fsdesk.kernels.gaps import known

__all__ = ["ranges_or_quartiles", "standardised"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@entry()
def standardised(
    columns: Floats, chosen: Integers, rows: Integers, mean: Floats, deviation: Floats, fill: Floats
) -> Floats:
    """(q, n) chosen columns, filled, less their mean, over their deviation, with their rows in another order."""
    result = np.empty((len(chosen), len(rows)))
    for c in range(len(chosen)):
        own, values = result[c], columns[chosen[c]]
        for place in range(len(rows)):
            own[place] = (known(values[rows[place]], fill[c]) - mean[c]) / deviation[c]
    return result


@entry()
def ranges_or_quartiles(
    values: Floats, order: Integers, fill: Floats, labels: Integers, folds: int, robust: bool
) -> tuple[Floats, Floats]:
    """Smallest value and range, or median and distance between the quartiles, of the training rows of every fit.

    Parameters
    ----------
    values, order
        (q, n) columns; rows by ascending value, the missing ones last.
    fill
        (fits, q) what fills the gaps of a column.
    labels
        (repeats, n) folds; -2 folds: one fit of all rows.
    robust
        Quartiles, by linear interpolation as numpy's default.

    Returns
    -------
    origin, scale
        (fits, q) each; a scale of 0 where the rows are constant, NaN where their quartiles are equal but not all rows.
    """
    q, n = values.shape
    fits = 1 if folds < 0 else len(labels) * folds
    origin, scale, ascending = np.empty((fits, q)), np.empty((fits, q)), np.empty(n)
    for fit in range(fits):
        repeat, fold = (0, folds) if folds < 0 else (fit // folds, fit % folds)
        for c in range(q):
            size = _sorted(values[c], order[c], fill[fit, c], labels[repeat], fold, ascending)
            if robust:
                origin[fit, c] = _quantile(ascending, size, 0.5)
                scale[fit, c] = _quantile(ascending, size, 0.75) - _quantile(ascending, size, 0.25)
                if scale[fit, c] == 0.0 and ascending[0] < ascending[size - 1]:
                    scale[fit, c] = np.nan
            else:
                origin[fit, c], scale[fit, c] = ascending[0], ascending[size - 1] - ascending[0]
    return origin, scale


@inner()
def _sorted(values: Floats, order: Integers, fill: float, labels: Integers, fold: int, out: Floats) -> int:
    """Sort the training rows' values, gaps filled; return how many there are."""
    gaps = 0
    for place in range(len(order) - 1, -1, -1):
        row = order[place]
        if not np.isnan(values[row]):
            break
        gaps += labels[row] != fold
    size = 0
    for place in range(len(order)):
        row = order[place]
        value = values[row]
        if gaps and (np.isnan(value) or value > fill):
            out[size : size + gaps] = fill
            size += gaps
            gaps = 0
        if np.isnan(value):
            break
        if labels[row] != fold:
            out[size] = value
            size += 1
    return size


@inner()
def _quantile(ascending: Floats, size: int, share: float) -> float:
    place = share * (size - 1)
    low = int(place)
    high = min(low + 1, size - 1)
    return float(ascending[low] + (ascending[high] - ascending[low]) * (place - low))
