"""Areas under ROC curves, from ranks."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, inner

__all__ = ["one_vs_one_areas", "one_vs_rest_areas"]


@entry()
def one_vs_rest_areas(
    scores: NDArray[np.float64], target: NDArray[np.int64], labels: NDArray[np.int64], folds: int
) -> NDArray[np.float64]:
    """Area of every class against all others, in every fold by itself.

    Parameters
    ----------
    scores
        (repeats, n, classes)
    target
        (n,) class codes.
    labels
        (repeats, n) fold in which a row is tested; -1: in none.

    Returns
    -------
    (repeats, folds, classes); NaN where a fold tests no row of the class or nothing else.
    """
    repeats, n, classes = scores.shape
    areas = np.full((repeats, folds, classes), np.nan)
    values, positive = np.empty(n), np.empty(n, dtype=np.bool_)
    for repeat in range(repeats):
        for fold in range(folds):
            for code in range(classes):
                size = 0
                for row in range(n):
                    if labels[repeat, row] == fold:
                        values[size] = scores[repeat, row, code]
                        positive[size] = target[row] == code
                        size += 1
                areas[repeat, fold, code] = _area(values[:size], positive[:size])
    return areas


@entry()
def one_vs_one_areas(
    scores: NDArray[np.float64], target: NDArray[np.int64], labels: NDArray[np.int64], folds: int
) -> NDArray[np.float64]:
    """Area of every class against every other one, by the first one's score: (repeats, folds, classes, classes).

    Entry [r, f, a, b] is the chance that a row of class a has a higher score for a than one of class b, ties half
    (Hand & Till 2001); NaN where there is no such pair. Parameters as for :func:`one_vs_rest_areas`.
    """
    repeats, n, classes = scores.shape
    areas = np.full((repeats, folds, classes, classes), np.nan)
    values, positive = np.empty(n), np.empty(n, dtype=np.bool_)
    for repeat in range(repeats):
        for fold in range(folds):
            for first in range(classes):
                for second in range(classes):
                    size = 0
                    for row in range(n):
                        if labels[repeat, row] == fold and (target[row] == first or target[row] == second):
                            values[size] = scores[repeat, row, first]
                            positive[size] = target[row] == first
                            size += 1
                    if first != second:
                        areas[repeat, fold, first, second] = _area(values[:size], positive[:size])
    return areas


@inner()
def _area(values: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Share of pairs (positive, negative) in which the positive has the higher value, ties half; NaN without pairs."""
    order = np.argsort(values)
    pairs, negatives, start = 0.0, 0, 0
    while start < len(order):
        end, tied = start, 0
        while end < len(order) and values[order[end]] == values[order[start]]:
            tied += positive[order[end]]
            end += 1
        others = end - start - tied
        pairs += tied * (negatives + 0.5 * others)
        negatives += others
        start = end
    positives = len(order) - negatives
    return pairs / (positives * negatives) if positives > 0 and negatives > 0 else np.nan
