"""What fills the gaps of a column in each training fold: the median, or the most frequent category."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, inner, lean
from fsdesk.kernels.scales import filled_variance

__all__ = ["fill_gaps", "known"]


@lean(forceinline=True)
def known(value: float, fill: float) -> float:
    """A value, or where it is missing what fills it in all fits; no number where each fit has its own."""
    return fill if np.isnan(value) else value


@entry()
def fill_gaps(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int64],
    order: NDArray[np.uint16] | NDArray[np.int32],
    places: NDArray[np.int64],
    group: NDArray[np.int64],
    nominal: NDArray[np.bool_],
    labels: NDArray[np.int64],
    folds: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fill of every column with gaps, and the variance of its filled training rows, for each fit.

    Parameters
    ----------
    columns, chosen
        (p, n) values, NaN where one is missing; (g,) columns with gaps.
    order, places
        (m, n) rows of columns by ascending value, the missing ones last; (p,) where each column's are among these.
    group, nominal
        (p,) feature that each column belongs to, and which columns are indicators: that of the most frequent category
        is filled with 1, the others with 0. The indicators of one feature are neighbours, in ``chosen``, too.
    labels
        (repeats, n) folds.

    Returns
    -------
    fill, variance
        (g, repeats * folds) each; 0 and 0 where no training row has a value.
    """
    repeats = len(labels)
    fill = np.zeros((len(chosen), repeats * folds))
    variance = np.zeros((len(chosen), repeats * folds))
    for repeat in range(repeats):
        for fold in range(folds):
            fit = repeat * folds + fold
            column = 0
            while column < len(chosen):
                own = chosen[column]
                if nominal[own]:
                    end = column
                    while end < len(chosen) and group[chosen[end]] == group[own]:
                        end += 1
                    _fill_with_mode(columns, chosen[column:end], labels[repeat], fold, fill[column:end, fit])
                    column = end
                else:
                    fill[column, fit] = _median(columns[own], order[places[own]], labels[repeat], fold)
                    column += 1
            for column in range(len(chosen)):
                variance[column, fit] = filled_variance(
                    columns[chosen[column]], fill[column, fit], labels[repeat], fold
                )
    return fill, variance


@inner()
def _median(
    values: NDArray[np.float64], order: NDArray[np.uint16] | NDArray[np.int32], labels: NDArray[np.int64], fold: int
) -> float:
    present = 0
    for row in range(len(values)):
        present += labels[row] != fold and not np.isnan(values[row])
    if present == 0:
        return 0.0
    seen, lower = 0, 0.0
    for place in range(len(order)):
        row = order[place]
        if labels[row] == fold:
            continue
        if seen == (present - 1) // 2:
            lower = values[row]
        if seen == present // 2:
            return float((lower + values[row]) / 2.0)
        seen += 1
    return lower


@inner()
def _fill_with_mode(
    columns: NDArray[np.float64],
    indicators: NDArray[np.int64],
    labels: NDArray[np.int64],
    fold: int,
    out: NDArray[np.float64],
) -> None:
    # A feature of two categories has one indicator: the other category has the rows that are left.
    others = 0.0
    for row in range(len(labels)):
        others += labels[row] != fold and not np.isnan(columns[indicators[0], row])
    counts, most, winner = np.zeros(len(indicators)), others, -1
    for column in range(len(indicators)):
        for row in range(len(labels)):
            if labels[row] != fold and not np.isnan(columns[indicators[column], row]):
                counts[column] += columns[indicators[column], row]
        most -= counts[column]
    for column in range(len(indicators)):
        count = counts[column]
        if count > most:
            most, winner = count, column
    for column in range(len(indicators)):
        out[column] = 1.0 if column == winner else 0.0
