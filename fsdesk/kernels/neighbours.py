"""Nearest neighbours of every row in every repeat of a cross-validation, from as few passes over the data as possible.

The 50 fits of a 10 x 5-fold cross-validation differ only in the weight of each column. A first pass in single precision
bounds all distances from below: either once for all fits, each column with its smallest weight, or, where columns are
many and rows few, once for each repeat with the very weights of each row's fit, for those rows that one pass for all
fits does not tell (``neighbours_lists``). The search then measures what it must.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import NO, ONE, ZERO, entry, inner, merged
from fsdesk.kernels.gaps import known
from fsdesk.kernels.neighbours_groups import alike_fits, only_fits
from fsdesk.kernels.neighbours_measure import Metric
from fsdesk.kernels.neighbours_near import near_rows
from fsdesk.kernels.neighbours_products import products_once
from fsdesk.kernels.neighbours_search import search, search_listed
from fsdesk.kernels.tiles import TERMS, add_products, lines_for
from fsdesk.kernels.vectors import aligned_zeros

__all__ = [
    "Metric",
    "distances",
    "doubt_of_products",
    "fit_single",
    "search_in_groups",
    "shrinking",
    "smallest_roots",
    "weigh",
]

_MANY_COLUMNS = 256  # from here on, products are made in blocks of columns
_FEWEST_ROWS, _PRODUCTS_AT_ONCE = 32, 1 << 17  # rows of the first pass are taken in parts that stay in the cache
_LONG, _FEW = 1000, 8  # from so many rows on, and for so few neighbours, rows are listed leaf by leaf
_SHORT, _SHARE = 128, 64  # from so many rows on in groups of fits, which pay where more than this part is left open
# How far |z_i|^2 + |z_j|^2 - 2 z_i.z_j in single precision can be off, u = 2^-24 being half a unit in the last place.
# Rounding z moves each difference by at most u (|z_i| + |z_j|), and |a^2 - b^2| <= eta b^2 + (1 + 1 / eta)(a - b)^2:
# with eta = 1e-6 that is 1e-6 of the distance and 3e-8 of both squared norms. A dot product of q terms is off by at
# most q u |z_i| |z_j|, in whatever order it is summed, which is q u / 2 of both squared norms; hence sums in parts.
_UNIT = 2.0**-24
_ABSOLUTE = 32 * _UNIT
_LARGEST_WEIGHT = 1e30  # beyond, sums of weighted squares leave single precision

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@inner()
def weigh(shares: Double, n: int) -> float:
    """Turn variances into weights; return by what power of two all were lessened, so that sums fit single precision."""
    fits, q = shares.shape
    least, common = np.full(q, np.inf), 0.0
    for fit in range(fits):
        own = shares[fit]
        for c in range(q):
            own[c] = 1.0 / own[c] if own[c] != 0.0 else 1.0
            least[c] = min(least[c], own[c])
    for c in range(q):
        common = max(common, least[c])
    shrunk = shrinking(common, q * n)
    if shrunk != 1.0:
        for fit in range(fits):
            for c in range(q):
                shares[fit, c] *= shrunk
    return shrunk


@inner()
def fit_single(weights: Double, n: int) -> bool:
    """Whether sums of squares under all weights fit single precision."""
    largest = 0.0
    for fit in range(len(weights)):
        for c in range(weights.shape[1]):
            largest = max(largest, weights[fit, c])
    return bool(shrinking(largest, weights.shape[1] * n) == 1.0)


@entry()
def shrinking(common: float, cells: int) -> float:
    """A power of two that brings weights which all fits share back to where their sums fit single precision."""
    if common <= _LARGEST_WEIGHT / max(1, cells):
        return 1.0
    return float(4.0 ** -np.ceil(np.log2(common) / 2.0))


@inner()
def smallest_roots(weights: Double, factors: Double) -> Double:
    """(q,) roots of each column's smallest weight, times its factor."""
    root = np.full(weights.shape[1], np.inf)
    for fit in range(len(weights)):
        for c in range(len(root)):
            root[c] = min(root[c], weights[fit, c])
    for c in range(len(root)):
        root[c] = np.sqrt(factors[c]) * np.sqrt(root[c])
    return root


@merged
def search_in_groups(metric: Metric, mean: Double, labels: Integers, folds: int, neighbours: Integers) -> None:
    """Search all fits together; where that tells too little, as weights differ much, alike ones only."""
    n, q, weights, own = len(labels), len(metric.chosen), metric.weights, labels
    group, groups, may_list = np.empty(len(weights), dtype=np.int64), ONE, neighbours.shape[2] <= _FEW
    may_list = may_list and metric.gaps.shape[1] == 0
    if q < _MANY_COLUMNS and n >= (_SHORT if may_list else _LONG):
        groups = alike_fits(weights, group)
    least, enough = _LONG if may_list else n + 1, n // _SHARE if groups > 1 else -1
    for number in range(-1, groups):
        if number >= 0:
            own, weights = only_fits(group, number, labels, folds, metric.weights)
            least, enough = _SHORT if may_list else least, -1
        gaps = metric.gaps, metric.fill, metric.gap_weights, metric.once, metric.is_filled
        part = Metric(metric.columns, metric.chosen, weights, metric.factors, metric.x, *gaps)
        if _search_in_parts(part, mean, own, folds, least, enough, neighbours) and number < 0:
            break


@merged
def _search_in_parts(
    metric: Metric, mean: Double, labels: Integers, folds: int, least: int, enough: int, neighbours: Integers
) -> bool:
    """Bound the distances once for all fits, each column with its smallest weight, and search.

    Parameters
    ----------
    least
        From so many rows on, these may be listed leaf by leaf.
    enough
        Where more than so many rows are far from settled, leave them, and say so: False. If it is -1, leave none.
    """
    columns, chosen, weights, factors = metric.columns, metric.chosen, metric.weights, metric.factors
    n, q, tight = len(labels), len(chosen), len(metric.x) == 0  # with x, all that may be near is measured
    root, everyone = smallest_roots(weights, factors), np.arange(n)
    if q >= _MANY_COLUMNS:
        dots, norms = products_once(columns, chosen, mean, root, metric.once, metric.is_filled)
        doubt = doubt_of_products(q, TERMS)
        return search(metric, dots, norms, everyone, ZERO, labels, folds, doubt, tight, NO, neighbours)
    z, norms = _standardised(columns, chosen, metric.once, mean, root)
    if n >= least and (len(weights) == 1 or not tight):
        most = np.zeros(ZERO if tight else q)
        for fit in range(len(weights)):
            for c in range(len(most)):
                most[c] = max(most[c], weights[fit, c] * factors[c])
        doubt = _ABSOLUTE + 2.0 * q * _UNIT  # a bound is one sum, from the norms on
        near, pays = near_rows(z, norms, doubt, metric.x, mean, root, most, labels, neighbours.shape[2])
        if pays:
            dots = aligned_zeros(ONE + 2, lines_for(n))
            unsettled = search_listed(metric, near, norms, labels, folds, tight, neighbours)
            if 0 <= enough < len(unsettled):
                return False
            for row in unsettled:
                _multiply(z, row, ONE, dots)
                own, found = everyone[row : row + 1], neighbours[row : row + 1]
                search(metric, dots[:1], norms, own, ZERO, labels, folds, doubt, tight, NO, found)
            return True
    rows = max(_FEWEST_ROWS, _PRODUCTS_AT_ONCE // n)
    dots = aligned_zeros(min(n, rows) + 2, lines_for(n))
    for start in range(0, n, rows):
        many = min(rows, n - start)
        _multiply(z, start, many, dots)
        doubt, part = _ABSOLUTE + _rounding(q, TERMS), slice(start, start + many)
        own, found = everyone[part], neighbours[part]
        if not search(metric, dots[:many], norms, own, ZERO, labels, folds, doubt, tight, enough >= 0, found):
            return False
    return True


@inner()
def doubt_of_products(q: int, at_once: int) -> float:
    """How far a bound from products in blocks can be off, as a share of both squared norms, which are products, too."""
    return _ABSOLUTE + 2.0 * _rounding(q, at_once)


@inner()
def _rounding(q: int, at_once: int) -> float:
    """How far a product of q terms, so many of them at once, can be off, as a share of both squared norms."""
    return (min(q, at_once) + q // at_once) * _UNIT


@inner()
def _multiply(z: Single, start: int, many: int, dots: Single) -> None:
    """(many + 2 or more, lanes) products of rows ``start``, ... with all rows of the columns, as many lanes."""
    dots[:] = 0.0
    for first in range(0, len(z), TERMS):
        block = z[first : first + TERMS]
        add_products(block, start, many, block, dots)


@inner()
def _standardised(
    columns: Double, chosen: Integers, once: Double, mean: Double, factor: Double
) -> tuple[Single, Single]:
    """(p, n) columns, the (q,) ``chosen`` ones filled, less their mean and times their factor, (q,) each.

    Returns
    -------
    (q, n or more) values, and (1, n) the squared norm of each row, summed in double precision.
    """
    n = columns.shape[1]
    z = aligned_zeros(len(chosen), lines_for(n))
    norms = np.zeros(n)
    for place in range(len(chosen)):
        values, own, times = columns[chosen[place]], z[place], factor[place]
        center, fill = mean[place], once[chosen[place]]
        for row in range(n):
            own[row] = (known(values[row], fill) - center) * times
        for row in range(n):
            norms[row] += np.float64(own[row]) * np.float64(own[row])
    return z, norms.astype(np.float32).reshape(1, n)


@entry()
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
            once = metric.once[chosen[c]]
            d = known(columns[chosen[c], i], once) - known(columns[chosen[c], j], once)
            total += d * d * (weights[min(fit, len(weights) - 1), c] * factors[c])
        for c in range(gaps.shape[1]):
            a = fill[fit, c] if np.isnan(gaps[i, c]) else gaps[i, c]
            b = fill[fit, c] if np.isnan(gaps[j, c]) else gaps[j, c]
            total += (a - b) * (a - b) * gap_weights[fit, c]
        result[i, repeat, place] = np.sqrt(total)
    return result
