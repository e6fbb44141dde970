"""Products of rows in single precision, in blocks of columns that stay in the cache, each row under its fit's weights.

One block, read and standardised once, serves all repeats; and only products of a row with its training rows are made.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ZERO, inner
from fsdesk.kernels.tiles import TERMS, add_lower_products, lines_for
from fsdesk.kernels.vectors import aligned_zeros, prefer_long_vectors

__all__ = ["TERMS_AT_ONCE", "products_of_repeats", "products_once"]

# Columns of a block: no power of two, so that its rows do not meet in the same lines of the cache.
TERMS_AT_ONCE: Any = np.int64(784)
_LINE = 16  # columns written together: one line of the cache
# Rows multiplied at once, as many as the registers hold the sums of; not plain numbers: see compiling.py.
_LEFT: Any = np.int64(3)
_RIGHT: Any = np.int64(4)
_NEVER = np.float32(-1e37)  # the product of rows that are not compared: no pair is farther apart

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]
Rows = NDArray[np.int32]  # a list for each fit: leave-one-out has as many fits as rows


@inner()
def products_once(
    columns: Double, chosen: Integers, mean: Double, root: Double, once: Double, is_filled: bool
) -> tuple[Single, Single]:
    """Products of all rows, and their squared norms.

    Parameters
    ----------
    columns, chosen
        (p, n) values, (q,) columns to use.
    mean, root
        (q,) what is taken from each chosen column, and what it is then multiplied by.
    once, is_filled
        (p,) what stands for missing values, and whether any are missing.

    Returns
    -------
    (n + 2, n + 2 or more), rows and columns beyond n of no use, and (1, n).
    """
    n, q = columns.shape[1], len(chosen)
    lines = lines_for(n)
    z, dots = aligned_zeros(min(q, TERMS), lines), aligned_zeros(n + 2, lines)
    for start in range(0, q, TERMS):
        block = z[: min(q - start, TERMS)]
        some = chosen[start : start + TERMS]
        _fill(columns, some, mean[start:], root[start:], block)
        if is_filled:
            _fill_gaps(columns, some, mean[start:], root[start:], once, block)
        add_lower_products(block, block, n, dots)
    norms = np.empty((1, n), dtype=np.float32)
    for i in range(n):
        norms[0, i] = dots[i, i]
        for j in range(i):
            dots[j, i] = dots[i, j]
    return dots, norms


@inner()
def products_of_repeats(
    columns: Double,
    chosen: Integers,
    mean: Double,
    root: Double,
    weights: Double,
    labels: Integers,
    folds: int,
    rows: Integers,
) -> tuple[Single, Single]:
    """Products of each open row with its training rows, and squared norms, under the weights of the row's fit.

    Parameters
    ----------
    columns, chosen, mean, root
        As for :func:`products_once`.
    weights
        (repeats * folds, q).
    labels
        (n, repeats) folds.
    rows
        (m,) open rows: whose products are asked for.

    Returns
    -------
    (repeats, m + 1, n + 1), so far below all others where rows are not compared that no bound on their distance
    matters; and (repeats * folds + 1, n + 1). The last of each is of no use but for repeats.
    """
    n, repeats = labels.shape
    q, fits = len(chosen), len(weights)
    z, squares, own, scratch = _block(n + 1, q), _block(n + 1, q), _block(fits + 1, q), _block(_LEFT, q)
    ones = np.ones(z.shape[1], dtype=np.float32)
    dots = np.zeros((repeats, len(rows) + 1, n + 1), dtype=np.float32)
    norms = np.zeros((fits + 1, n + 1), dtype=np.float32)
    places = np.full(n + 1, len(rows), dtype=np.int32)
    for place in range(len(rows)):
        places[rows[place]] = place
    tested, trained = _parts(labels, folds, places, dots)
    every_fit, every_row = _padded(fits, _LEFT), _padded(n, _RIGHT)
    for start in range(0, q, TERMS_AT_ONCE):
        width = min(q - start, TERMS_AT_ONCE)
        _standardise(columns, chosen[start : start + width], mean[start:], root[start:], z)
        for row in range(n + 1):
            for t in range(z.shape[1]):
                squares[row, t] = z[row, t] * z[row, t]
        for fit in range(fits):
            for t in range(z.shape[1]):
                own[fit, t] = weights[fit, start + t] if t < width else 0.0
        _add_products(own, ones, every_fit, every_fit, squares, every_row, scratch, norms)
        for fit in range(fits):
            left, right = tested[fit, : tested[fit, -1]], trained[fit, : trained[fit, -1]]
            _add_products(z, own[fit], left, places, z, right, scratch, dots[fit // folds])
    return dots, norms


@inner()
def _block(rows: int, columns: int) -> Single:
    """Zeros as wide as a block, a whole number of lines."""
    return aligned_zeros(rows, -(-min(columns, TERMS_AT_ONCE) // _LINE))


@inner()
def _parts(labels: Integers, folds: int, places: Rows, dots: Single) -> tuple[Rows, Rows]:
    """For each fit the open rows tested and those trained on, padded, their number last; marks what is not compared."""
    n, repeats = labels.shape
    tested = np.empty((repeats * folds, n + _LEFT + 1), dtype=np.int32)
    trained = np.empty((repeats * folds, n + _RIGHT + 1), dtype=np.int32)
    together = np.empty(n, dtype=np.int32)
    for repeat in range(repeats):
        for fold in range(folds):
            fit = repeat * folds + fold
            left, right, count = ZERO, ZERO, 0
            for row in range(n):
                if labels[row, repeat] != fold:
                    trained[fit, right] = row
                    right += 1
                    continue
                together[count] = row
                count += 1
                if places[row] < dots.shape[1] - 1:
                    tested[fit, left] = row
                    left += 1
            for i in tested[fit, :left]:
                for j in together[:count]:
                    dots[repeat, places[i], j] = _NEVER
            _pad(tested[fit], left, _LEFT, n)
            _pad(trained[fit], right, _RIGHT, n)
    return tested, trained


@inner()
def _pad(rows: Rows, size: int, step: int, nothing: int) -> None:
    """Go on with ``nothing`` up to a multiple of ``step``; the last place says how many there are then."""
    while size % step:
        rows[size] = nothing
        size += 1
    rows[-1] = size


@inner()
def _padded(size: int, step: int) -> Rows:
    """Numbers from 0 on, and then ``size`` up to a multiple of ``step``."""
    result = np.empty(-(-size // step) * step, dtype=np.int32)
    for place in range(len(result)):
        result[place] = min(place, size)
    return result


@inner(fastmath=_FAST)
def _standardise(columns: Double, chosen: Integers, mean: Double, root: Double, out: Single) -> None:
    """Fill rows with the chosen columns less their mean and times their root; 0 beyond the last column."""
    n = columns.shape[1]
    tile = np.empty((_LINE, n), dtype=np.float32)
    for start in range(0, out.shape[1], _LINE):
        tile[:] = 0.0
        for place in range(start, min(start + _LINE, len(chosen))):
            own, values = tile[place - start], columns[chosen[place]]
            center, times = mean[place], root[place]
            for row in range(n):
                own[row] = (values[row] - center) * times
        for row in range(n):
            line = out[row, start : start + _LINE]
            for place in range(_LINE):
                line[place] = tile[place, row]


@inner(fastmath=_FAST)
def _add_products(
    left: Single, weights: Single, lefts: Rows, places: Rows, right: Single, rights: Rows, scratch: Single, out: Single
) -> None:
    """Add the products of some rows of ``left``, weighted, with some of ``right``; both in multiples of 3 and 4.

    ``places`` say where in ``out`` a row of ``left`` is.
    """
    prefer_long_vectors()
    zero = np.float32(0.0)
    a, b, c = scratch[0], scratch[1], scratch[2]
    for i in range(0, len(lefts), _LEFT):
        first, second, third = left[lefts[i]], left[lefts[i + 1]], left[lefts[i + 2]]
        e, f, g = places[lefts[i]], places[lefts[i + 1]], places[lefts[i + 2]]
        for t in range(len(weights)):
            a[t] = first[t] * weights[t]
            b[t] = second[t] * weights[t]
            c[t] = third[t] * weights[t]
        for j in range(0, len(rights), _RIGHT):
            w, x, y, z = right[rights[j]], right[rights[j + 1]], right[rights[j + 2]], right[rights[j + 3]]
            aw, ax, ay, az = zero, zero, zero, zero
            bw, bx, by, bz = zero, zero, zero, zero
            cw, cx, cy, cz = zero, zero, zero, zero
            for t in range(len(weights)):
                aw += a[t] * w[t]
                ax += a[t] * x[t]
                ay += a[t] * y[t]
                az += a[t] * z[t]
                bw += b[t] * w[t]
                bx += b[t] * x[t]
                by += b[t] * y[t]
                bz += b[t] * z[t]
                cw += c[t] * w[t]
                cx += c[t] * x[t]
                cy += c[t] * y[t]
                cz += c[t] * z[t]
            out[e, rights[j]] += aw
            out[e, rights[j + 1]] += ax
            out[e, rights[j + 2]] += ay
            out[e, rights[j + 3]] += az
            out[f, rights[j]] += bw
            out[f, rights[j + 1]] += bx
            out[f, rights[j + 2]] += by
            out[f, rights[j + 3]] += bz
            out[g, rights[j]] += cw
            out[g, rights[j + 1]] += cx
            out[g, rights[j + 2]] += cy
            out[g, rights[j + 3]] += cz


@inner(fastmath=_FAST)
def _fill(columns: Double, chosen: Integers, mean: Double, root: Double, out: Single) -> None:
    """Fill in the chosen columns less their mean and times their root, one below the other."""
    for place in range(len(out)):
        own, values, center, times = out[place], columns[chosen[place]], mean[place], root[place]
        for row in range(len(values)):
            own[row] = (values[row] - center) * times


@inner()
def _fill_gaps(columns: Double, chosen: Integers, mean: Double, root: Double, once: Double, out: Single) -> None:
    """Put right what was made of missing values; no question for each value where none is missing."""
    for place in range(len(out)):
        own, values, gap = out[place], columns[chosen[place]], (once[chosen[place]] - mean[place]) * root[place]
        for row in range(len(values)):
            if np.isnan(values[row]):
                own[row] = gap
