"""Nearest neighbours of every row in every repeat of a cross-validation, from as few passes over the data as possible.

The 50 fits of a 10 x 5-fold cross-validation differ only in the weight of each column. A first pass in single precision
bounds all distances from below: either once for all fits, each column with its smallest weight, or, where columns are
many and rows few, once for each repeat with the very weights of each row's fit, for those rows that one pass for all
fits does not tell (``neighbours_lists``). The search then measures what it must.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ONE, ZERO, entry, inner, merged
from fsdesk.kernels.neighbours_measure import Metric
from fsdesk.kernels.neighbours_near import near_rows
from fsdesk.kernels.neighbours_products import TERMS_AT_ONCE, products_of_repeats, products_once
from fsdesk.kernels.neighbours_search import search, search_listed
from fsdesk.kernels.scales import training_variances

__all__ = [
    "MANY_COLUMNS",
    "Metric",
    "distances",
    "doubt_of_products",
    "nearest_by_repeat",
    "search_in_one_pass",
    "shrinking",
    "standardised",
]

MANY_COLUMNS = 256  # from here on, products are made in blocks of columns
_PRODUCTS_KEPT = 1 << 20  # products of so many pairs are kept at once
_FEWEST_ROWS, _PRODUCTS_AT_ONCE = 32, 1 << 17  # rows of the first pass are taken in parts that stay in the cache
_LONG, _FEW = 1000, 8  # from so many rows on, and for so few neighbours, rows are listed leaf by leaf
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
Truths = NDArray[np.bool_]


@inner()
def search_in_one_pass(
    metric: Metric, mean: Double, deviation: Double, labels: Integers, k: int, learns: bool, keeps_rows: bool
) -> Integers:
    """Find the k nearest training rows of every row in every repeat; see ``neighbours_errors.nearest_in_one_pass``."""
    repeats, n = labels.shape
    columns, chosen = metric.columns, metric.chosen  # outside of loops: these count references
    folds, q = ONE, len(chosen)
    by_row = np.empty((n, repeats), dtype=np.int64)
    for repeat in range(repeats):
        for row in range(n):
            by_row[row, repeat] = labels[repeat, row]
            folds = max(folds, labels[repeat, row] + 1)
    x, weights = np.empty((n if keeps_rows else 0, q)), metric.weights
    for row in range(len(x)):
        for place in range(q):
            x[row, place] = columns[chosen[place], row]
    if learns:
        weights = training_variances(columns, chosen, mean, deviation, labels, folds)
        _weigh(weights, n)
    own = Metric(columns, chosen, weights, metric.factors, x, metric.gaps, metric.fill, metric.gap_weights)
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    _search_in_parts(own, mean, by_row, folds, neighbours)
    return neighbours


@inner()
def _weigh(shares: Double, n: int) -> None:
    """Turn variances into weights."""
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


@entry()
def shrinking(common: float, cells: int) -> float:
    """A power of two that brings weights which all fits share back to where their sums fit single precision."""
    if common <= _LARGEST_WEIGHT / max(1, cells):
        return 1.0
    return float(4.0 ** -np.ceil(np.log2(common) / 2.0))


@merged
def _search_in_parts(metric: Metric, mean: Double, labels: Integers, folds: int, neighbours: Integers) -> None:
    """Bound the distances once for all fits, each column with its smallest weight, and search."""
    columns, chosen, weights, factors = metric.columns, metric.chosen, metric.weights, metric.factors
    n, q, tight = len(labels), len(chosen), len(metric.x) == 0
    root = np.full(q, np.inf)
    for fit in range(len(weights)):
        for c in range(q):
            root[c] = min(root[c], weights[fit, c])
    for c in range(q):
        root[c] = np.sqrt(factors[c]) * np.sqrt(root[c])
    if q >= MANY_COLUMNS:
        dots, norms = products_once(columns, chosen, mean, root)
        doubt = doubt_of_products(q)
        search(metric, dots, norms, ZERO, ZERO, labels, folds, doubt, tight, neighbours)
        return
    z, norms = standardised(columns, chosen, mean, root)
    if n >= _LONG and neighbours.shape[2] <= _FEW and metric.gaps.shape[1] == 0 and (len(weights) == 1 or not tight):
        most = np.zeros(q if len(weights) > 1 else 0)
        for fit in range(len(weights)):
            for c in range(len(most)):
                most[c] = max(most[c], weights[fit, c] * factors[c])
        doubt = _ABSOLUTE + 2.0 * _rounding(q)  # a bound is summed from the norms on
        near, pays = near_rows(z, norms, doubt, metric.x, most, labels, neighbours.shape[2])
        if pays:
            dots = np.empty((2, n), dtype=np.float32)
            for row in search_listed(metric, near, norms, labels, folds, tight, neighbours):
                neighbours[row] = -1
                _multiply(z, row, ONE, dots)
                search(metric, dots[:1], norms, row, ZERO, labels, folds, doubt, tight, neighbours)
            return
    rows = max(_FEWEST_ROWS, _PRODUCTS_AT_ONCE // n)
    dots = np.empty((min(n, rows) + 1, n), dtype=np.float32)
    for start in range(0, n, rows):
        many = min(rows, n - start)
        _multiply(z, start, many, dots)
        doubt = _ABSOLUTE + _rounding(q)
        search(metric, dots[:many], norms, start, ZERO, labels, folds, doubt, tight, neighbours)


def nearest_by_repeat(
    metric: Metric, mean: Double, labels: Integers, folds: int, is_open: Truths, neighbours: Integers
) -> None:
    """As :func:`search_in_one_pass`, but with a first pass for each repeat, under each fit's weights.

    Parameters
    ----------
    mean
        (q,) any location of each chosen column, near its values.
    labels
        (n, repeats) folds.
    is_open
        (n,) rows whose neighbours are to be found.
    neighbours
        (n, repeats, k), -1 in these rows.
    """
    n, left = len(labels), np.flatnonzero(is_open)
    q, root = len(metric.chosen), np.sqrt(metric.factors)
    doubt = doubt_of_products(q)
    make = _wide_products if q >= MANY_COLUMNS else _narrow_products
    squares = np.zeros((n, n), dtype=np.float32)
    for repeat, (dots, norms) in enumerate(make(metric, mean, root, labels, folds, is_open)):
        # Contiguous parts, so that one compiled version of the search serves all ways.
        own, found = labels[:, repeat, None].copy(), neighbours[:, repeat, None].copy()
        squares[left] = norms[own[left, 0]]
        search(metric, dots, squares, 0, repeat, own, folds, doubt, len(metric.x) == 0, found)
        neighbours[:, repeat] = found[:, 0]


@entry()
def doubt_of_products(q: int) -> float:
    """How far a bound from products in blocks can be off, as a share of both squared norms, which are products, too."""
    return _ABSOLUTE + 2.0 * _rounding(q)


@entry()
def _rounding(q: int) -> float:
    """How far a product of q terms can be off, as a share of both squared norms."""
    return (min(q, TERMS_AT_ONCE) + q // TERMS_AT_ONCE) * _UNIT


@inner(fastmath={"reassoc", "contract", "nsz", "nnan"})
def _multiply(z: Single, start: int, many: int, dots: Single) -> None:
    """(many + 1, n) products of rows ``start``, ... with all rows of the (q, n) columns; the last may be left over.

    For few columns as fast as BLAS, which would need the interpreter between its calls.
    """
    q, n = z.shape
    for row in range(0, many, 2):
        i, j = start + row, min(start + row + 1, n - 1)
        own, other = dots[row], dots[row + 1]
        own[:] = 0.0
        other[:] = 0.0
        for c in range(0, q - 3, 4):
            a, b, d, e = z[c, i], z[c + 1, i], z[c + 2, i], z[c + 3, i]
            f, g, h, k = z[c, j], z[c + 1, j], z[c + 2, j], z[c + 3, j]
            first, second, third, fourth = z[c], z[c + 1], z[c + 2], z[c + 3]
            for place in range(n):
                own[place] += a * first[place] + b * second[place] + d * third[place] + e * fourth[place]
                other[place] += f * first[place] + g * second[place] + h * third[place] + k * fourth[place]
        for c in range(q - q % 4, q):
            a, f, values = z[c, i], z[c, j], z[c]
            for place in range(n):
                own[place] += a * values[place]
                other[place] += f * values[place]


def _wide_products(
    metric: Metric, mean: Double, root: Double, labels: Integers, folds: int, is_open: Truths
) -> Iterator[tuple[Single, Single]]:
    """For each repeat (n, n) products of open rows under the weights of their fit, and (folds, n) squared norms."""
    n, repeats = labels.shape
    together = max(1, _PRODUCTS_KEPT // n**2)
    for first in range(0, repeats, together):
        weights = metric.weights[first * folds : (first + together) * folds]
        part = labels[:, first : first + together].copy()
        dots, norms = products_of_repeats(metric.columns, metric.chosen, mean, root, weights, part, folds, is_open)
        yield from zip(dots, norms.reshape(-1, folds, n), strict=True)


def _narrow_products(
    metric: Metric, mean: Double, root: Double, labels: Integers, folds: int, is_open: Truths
) -> Iterator[tuple[Single, Single]]:
    """The same for few columns; each repeat's products take the place of the last one's."""
    n, left = len(labels), np.flatnonzero(is_open)
    z = standardised(metric.columns, metric.chosen, mean, root)[0]
    by_row, squares = np.ascontiguousarray(z.T[left]), np.square(z)
    weighted, dots = np.empty_like(by_row), np.zeros((n, n), dtype=np.float32)
    for repeat in range(labels.shape[1]):
        weights = metric.weights[repeat * folds : (repeat + 1) * folds].astype(np.float32)
        np.multiply(by_row, weights[labels[left, repeat]], out=weighted)
        if len(left) == n:
            np.matmul(weighted, z, out=dots)
        else:
            dots[left] = weighted @ z
        yield dots, weights @ squares


@entry()
def standardised(columns: Double, chosen: Integers, mean: Double, factor: Double) -> tuple[Single, Single]:
    """(p, n) columns, the (q,) ``chosen`` ones less their mean and times their factor, (q,) each.

    Returns
    -------
    (q, n) values, and (1, n) the squared norm of each row, summed in double precision.
    """
    n = columns.shape[1]
    z = np.empty((len(chosen), n), dtype=np.float32)
    norms = np.zeros(n)
    for place in range(len(chosen)):
        values, own, times = columns[chosen[place]], z[place], factor[place]
        center = mean[place]
        for row in range(n):
            own[row] = (values[row] - center) * times
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
            d = columns[chosen[c], i] - columns[chosen[c], j]
            total += d * d * (weights[min(fit, len(weights) - 1), c] * factors[c])
        for c in range(gaps.shape[1]):
            a = fill[fit, c] if np.isnan(gaps[i, c]) else gaps[i, c]
            b = fill[fit, c] if np.isnan(gaps[j, c]) else gaps[j, c]
            total += (a - b) * (a - b) * gap_weights[fit, c]
        result[i, repeat, place] = np.sqrt(total)
    return result
