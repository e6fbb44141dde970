"""Log-likelihoods of Gaussian naive Bayes for every tested row of a cross-validation, from sums that folds share."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, inner
from fsdesk.kernels.gaps import known

__all__ = ["joint_log_likelihoods"]

_UNSURE = 1e-6  # below this share of the column's mean square, sums have lost too many digits

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@entry()
def joint_log_likelihoods(
    columns: Floats,
    chosen: Integers,
    fill: Floats,
    once: Floats,
    target: Integers,
    classes: int,
    labels: Integers,
    folds: int,
    smoothing: float,
    unit: Floats,
) -> Floats:
    """Log of prior times density of every class for every tested row.

    Parameters
    ----------
    columns, chosen
        (q, n) values, and which of them to use.
    fill
        (chosen, fits) what stands for missing values in each fit.
    once
        (chosen,) what stands for them in all fits; NaN where that differs.
    target
        (n,) class codes.
    labels
        (repeats, n) folds; rows of -1 are only trained on.
    smoothing
        This share of the largest variance among the columns is added to every variance.
    unit
        (chosen,) in which each column's variance is taken for that; of length 0 where each column counts as brought to
        variance 1 by its training rows, constant ones left as they are.

    Returns
    -------
    (repeats, n, classes); -inf for classes without a training row.
    """
    repeats, n = labels.shape
    result = np.zeros((repeats, n, classes))
    mean = np.empty((len(chosen), folds, classes))
    variance = np.empty((len(chosen), folds, classes))
    overall = np.empty((len(chosen), folds))
    size = np.empty((folds, classes))
    for repeat in range(repeats):
        own, first = labels[repeat], repeat * folds
        _count(own, target, size)
        _add_priors(own, size, result[repeat])
        for place in range(len(chosen)):
            values, gaps = columns[chosen[place]], fill[place, first : first + folds]
            _moments(values, gaps, once[place], target, own, size, mean[place], variance[place], overall[place])
        for fold in range(folds):
            largest = 0.0
            for place in range(len(chosen)):
                largest = max(largest, overall[place, fold] / (unit[place] if len(unit) else 1.0))
            for place in range(len(chosen)):
                if len(unit):
                    base = largest * unit[place]
                else:
                    base = overall[place, fold] if overall[place, fold] > 0.0 else min(1.0, largest)
                for code in range(classes):
                    variance[place, fold, code] += smoothing * base
        for place in range(len(chosen)):
            values, gaps = columns[chosen[place]], fill[place, first : first + folds]
            _add_densities(values, gaps, once[place], own, mean[place], variance[place], result[repeat])
    return result


@inner()
def _count(labels: Integers, target: Integers, size: Floats) -> None:
    """(folds, classes) training rows of each class in each fit."""
    size[:] = 0.0
    for row in range(len(labels)):
        for fold in range(len(size)):
            if labels[row] != fold:
                size[fold, target[row]] += 1.0


@inner()
def _add_priors(labels: Integers, size: Floats, result: Floats) -> None:
    for row in range(len(labels)):
        if labels[row] >= 0:
            total = 0.0
            for code in range(size.shape[1]):
                total += size[labels[row], code]
            for code in range(size.shape[1]):
                result[row, code] = np.log(size[labels[row], code] / total)


@inner()
def _moments(
    values: Floats,
    fill: Floats,
    once: float,
    target: Integers,
    labels: Integers,
    size: Floats,
    mean: Floats,
    variance: Floats,
    overall: Floats,
) -> None:
    """Mean and variance of one column's training rows: (folds, classes), and (folds,) the variance of all classes."""
    folds, classes = size.shape
    first, second = np.zeros((folds + 1, classes)), np.zeros((folds + 1, classes))
    center, sure = 0.0, True
    for row in range(len(values)):
        value = known(values[row], once)
        sure &= not np.isnan(value)
        center += value / len(values)
    if sure:
        for row in range(len(values)):
            value = known(values[row], once) - center
            first[labels[row], target[row]] += value  # label -1 is the last place, which no fit leaves out
            second[labels[row], target[row]] += value * value
    total, squares = np.zeros(classes), np.zeros(classes)
    for fold in range(folds + 1):  # numba's sum along an axis takes as long to compile as all the rest
        for code in range(classes):
            total[code] += first[fold, code]
            squares[code] += second[fold, code]
    for fold in range(folds):
        rows, sums, whole = 0.0, 0.0, 0.0
        doubt = not sure
        for code in range(classes):
            s, q, m = total[code] - first[fold, code], squares[code] - second[fold, code], size[fold, code]
            mean[fold, code] = s / m + center if m > 0.0 else 0.0
            variance[fold, code] = max(0.0, q / m - (s / m) ** 2) if m > 0.0 else 1.0
            doubt |= m > 0.0 and variance[fold, code] <= _UNSURE * (q / m)
            rows, sums, whole = rows + m, sums + s, whole + q
        overall[fold] = max(0.0, whole / rows - (sums / rows) ** 2)
        if doubt or overall[fold] <= _UNSURE * (whole / rows):
            overall[fold] = _exact_moments(
                values, known(once, fill[fold]), target, labels, fold, mean[fold], variance[fold]
            )


@inner()
def _exact_moments(
    values: Floats, fill: float, target: Integers, labels: Integers, fold: int, mean: Floats, variance: Floats
) -> float:
    """Means and variances of one fit, row by row (Welford); return the variance of all classes together."""
    size = np.zeros(len(mean))
    mean[:], variance[:] = 0.0, 0.0
    rows, center, squares = 0.0, 0.0, 0.0
    for row in range(len(values)):
        if labels[row] != fold:
            value, code = fill if np.isnan(values[row]) else values[row], target[row]
            size[code] += 1.0
            step = value - mean[code]
            mean[code] += step / size[code]
            variance[code] += step * (value - mean[code])
            rows += 1.0
            step = value - center
            center += step / rows
            squares += step * (value - center)
    for code in range(len(mean)):
        variance[code] = variance[code] / size[code] if size[code] > 0.0 else 1.0
    return squares / rows


@inner()
def _add_densities(
    values: Floats, fill: Floats, once: float, labels: Integers, mean: Floats, variance: Floats, result: Floats
) -> None:
    """Add one column's log-densities to the tested rows; a column without any variance says nothing."""
    weight, offset = np.zeros_like(mean), np.zeros_like(mean)
    for fold in range(len(mean)):
        for code in range(mean.shape[1]):
            if variance[fold, code] > 0.0:
                weight[fold, code] = 0.5 / variance[fold, code]
                offset[fold, code] = 0.5 * np.log(2.0 * np.pi * variance[fold, code])
    for row in range(len(values)):
        fold = labels[row]
        if fold >= 0:
            value = known(known(values[row], once), fill[fold])
            for code in range(mean.shape[1]):
                distance = value - mean[fold, code]
                result[row, code] -= offset[fold, code] + distance * distance * weight[fold, code]
