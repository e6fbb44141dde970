"""Nearest neighbours of every row in every repeat of a cross-validation, from as few passes over the data as possible.

The 50 fits of a 10 x 5-fold cross-validation differ only in the weight of each column. A first pass in single precision
bounds all distances from below: either once for all fits, each column with its smallest weight, or, where columns are
many and rows few, once for each repeat with the very weights of each row's fit. The search then measures what it must.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fsdesk.kernels.neighbours_search import Metric, search

__all__ = ["Metric", "distances", "nearest", "standardised", "weighted_rows"]

_FEWEST_ROWS, _PRODUCTS_AT_ONCE = 32, 1 << 17  # rows of the first pass are taken in parts that stay in the cache
# How far |z_i|^2 + |z_j|^2 - 2 z_i.z_j in single precision can be off, u = 2^-24 being half a unit in the last place.
# Rounding z moves each difference by at most u (|z_i| + |z_j|), and |a^2 - b^2| <= eta b^2 + (1 + 1 / eta)(a - b)^2:
# with eta = 1e-6 that is 1e-6 of the distance and 3e-8 of both squared norms. A dot product of q terms is off by at
# most q u |z_i| |z_j|, in whatever order it is summed, which is q u / 2 of both squared norms; hence sums in parts.
_UNIT = 2.0**-24
_TERMS_AT_ONCE = 2048
_ABSOLUTE = 32 * _UNIT

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


def nearest(
    metric: Metric,
    z: Single,
    norms: Single,
    labels: Integers,
    folds: int,
    k: int,
    row_weights: Single | None = None,
) -> Integers:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    z
        (q, n) the chosen columns, shifted at will, each times the root of its smallest weight; with ``row_weights``
        times the root of its factor.
    norms
        (n,) squared norms of the rows under ``z``.
    labels
        (n, repeats) folds.
    row_weights
        (fits, q) the weights once more, for a first pass for each repeat: worth its time where q is many times n.

    Returns
    -------
    (n, repeats, k) training rows, nearest first, ties to the lowest; -1 where there are fewer than k.
    """
    n, repeats = labels.shape
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    terms = min(len(z), _TERMS_AT_ONCE) + len(z) // _TERMS_AT_ONCE
    doubt = _ABSOLUTE + terms * _UNIT
    tight = len(metric.x) == 0
    if row_weights is None:
        rows = max(_FEWEST_ROWS, _PRODUCTS_AT_ONCE // n)
        dots = np.empty((min(n, rows), n), dtype=np.float32)
        for start in range(0, n, rows):
            part = z[:, start : start + rows].T
            _products(part, z, dots[: len(part)])
            search(metric, dots[: len(part)], norms[None, :], start, 0, labels, folds, doubt, tight, neighbours)
        return neighbours
    by_row = np.ascontiguousarray(z.T)
    fit_norms = np.empty((len(row_weights), n), dtype=np.float32)
    _products(row_weights, np.square(by_row).T, fit_norms)
    doubt += terms * _UNIT  # these norms are products, too
    dots = np.empty((n, n), dtype=np.float32)
    for repeat in range(repeats):
        fits = repeat * folds + labels[:, repeat]
        _products(weighted_rows(by_row, row_weights, fits), by_row.T, dots)
        # Contiguous parts, so that one compiled version of the search serves both ways.
        own, found = labels[:, repeat : repeat + 1].copy(), neighbours[:, repeat : repeat + 1].copy()
        search(metric, dots, fit_norms[fits], 0, repeat, own, folds, doubt, tight, found)
        neighbours[:, repeat] = found[:, 0]
    return neighbours


def _products(left: Single, right: Single, out: Single) -> None:
    """Matrix product, in parts so that rounding errors stay small."""
    np.matmul(left[:, :_TERMS_AT_ONCE], right[:_TERMS_AT_ONCE], out=out)
    for start in range(_TERMS_AT_ONCE, left.shape[1], _TERMS_AT_ONCE):
        part = slice(start, start + _TERMS_AT_ONCE)
        out += left[:, part] @ right[part]


@njit(nogil=True, cache=True, error_model="numpy")
def standardised(columns: Double, chosen: Integers, mean: Double, factor: Double) -> tuple[Single, Single]:
    """(p, n) columns, the (q,) ``chosen`` ones less their (p,) mean and times their (q,) factor.

    Returns
    -------
    (q, n) values, and (n,) the squared norm of each row, summed in double precision.
    """
    n = columns.shape[1]
    z = np.empty((len(chosen), n), dtype=np.float32)
    norms = np.zeros(n)
    for place in range(len(chosen)):
        values, own, times = columns[chosen[place]], z[place], factor[place]
        center = mean[chosen[place]]
        for row in range(n):
            own[row] = (values[row] - center) * times
        for row in range(n):
            norms[row] += np.float64(own[row]) * np.float64(own[row])
    return z, norms.astype(np.float32)


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def weighted_rows(z: Single, weights: Single, fits: Integers) -> Single:
    """(n, q) rows, each times the weights of its fit."""
    result = np.empty_like(z)
    for row in range(len(z)):
        own, left, right = result[row], z[row], weights[fits[row]]
        for column in range(z.shape[1]):
            own[column] = left[column] * right[column]
    return result


@njit(nogil=True, cache=True, error_model="numpy")
def distances(metric: Metric, neighbours: Integers, labels: Integers, folds: int) -> Double:
    """(n, repeats, k) distances to the (n, repeats, k) neighbours; infinite where there is none."""
    columns, chosen, weights, factors = metric.columns, metric.chosen, metric.weights, metric.factors
    gaps, fill, gap_weights = metric.gaps, metric.fill, metric.gap_weights
    result = np.full(neighbours.shape, np.inf)
    for i, repeat, place in np.ndindex(neighbours.shape):
        j = neighbours[i, repeat, place]
        if j < 0:
            continue
        fit = repeat * folds + labels[i, repeat]
        total = 0.0
        for c in range(len(chosen)):
            d = columns[chosen[c], i] - columns[chosen[c], j]
            total += d * d * (weights[min(fit, len(weights) - 1), c] * factors[c])
        for c in range(gaps.shape[1]):
            a = fill[fit, c] if np.isnan(gaps[i, c]) else gaps[i, c]
            b = fill[fit, c] if np.isnan(gaps[j, c]) else gaps[j, c]
            total += (a - b) * (a - b) * gap_weights[fit, c]
        result[i, repeat, place] = np.sqrt(total)
    return result
