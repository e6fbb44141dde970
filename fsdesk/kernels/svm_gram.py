"""The Gram matrix of one fit in single precision: products of rows under the fit's weights, each pair once.

Where columns are many a product is a sum over them, so many at once as fit into registers; where they are few, a column
is added to all products of a row.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner

__all__ = ["LARGEST_WEIGHT", "fill_gram", "fill_narrow_gram", "narrow_room", "whole_lines"]

LARGEST_WEIGHT = 1e30  # of a column: its products stay within single precision

_TERMS_AT_ONCE = 784  # columns of a block that stays in the cache; no power of two, as in ``neighbours_products``
_LINE = 16  # rows are as long as a whole number of lines of the cache
_TOGETHER = 32  # rows of products that are added to at once
_ADDED = 8  # columns that are added in one pass
_LEFT, _RIGHT = 3, 4  # rows multiplied at once, as many as the registers hold the sums of

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Cells = NDArray[np.int32]


def whole_lines(q: int) -> int:
    """How long rows of ``q`` values are, zeros at their end, so that they fill a whole number of lines."""
    return -(-q // _LINE) * _LINE


@inner(fastmath=_FAST)
def fill_gram(x: Single, penalty: Floats, gram: Floats) -> None:
    """Fill ``gram`` (n, n) with x diag(1 / penalty) x'; rows of ``x`` fill :func:`whole_lines`."""
    n, q = x.shape
    weights = np.zeros(q, dtype=np.float32)
    for c in range(len(penalty)):
        weights[c] = min(1.0 / penalty[c], LARGEST_WEIGHT)
    scratch, sums = np.zeros((_LEFT, _TERMS_AT_ONCE), dtype=np.float32), np.zeros((_LEFT, _RIGHT), dtype=np.float32)
    gram[:] = 0.0
    for start in range(0, q, _TERMS_AT_ONCE):
        end = min(q, start + _TERMS_AT_ONCE)
        for i in range(0, n, _LEFT):
            for left in range(_LEFT):
                own, row, times = scratch[left], x[min(i + left, n - 1), start:end], weights[start:end]
                for t in range(end - start):
                    own[t] = row[t] * times[t]
            for j in range(0, min(i + _LEFT, n), _RIGHT):
                _multiply(scratch, x, j, start, end, sums)
                for left in range(min(_LEFT, n - i)):
                    for right in range(min(_RIGHT, n - j)):
                        gram[i + left, j + right] += sums[left, right]
    for i in range(n):
        for j in range(i):
            gram[j, i] = gram[i, j]


def narrow_room(q: int, n: int) -> tuple[Single, Single]:
    """Make room for :func:`fill_narrow_gram`: zeros in whole lines, and the products of one row."""
    wide = -(-n // _TOGETHER) * _TOGETHER
    return np.zeros((-(-q // _ADDED) * _ADDED, wide), dtype=np.float32), np.empty(wide, dtype=np.float32)


@inner(fastmath=_FAST)
def fill_narrow_gram(
    z: Floats,
    penalty: Floats,
    origin: Floats,
    cells: Cells,
    fill: Floats,
    is_centred: bool,
    scaled: Single,
    dots: Single,
    gram: Floats,
) -> None:
    """Fill ``gram`` (n, n) with the products of rows that have few columns, each over the root of its penalty.

    Parameters
    ----------
    z, cells, fill
        (q, n) columns, the cells of theirs that are gaps, and what fills each column's.
    is_centred
        Whether ``origin`` is taken off, and 1 added to all products: a bias that is penalised.
    scaled, dots
        As :func:`narrow_room` gives them.
    """
    q, n = z.shape
    for c in range(q):
        times, shift, own, values = 1.0 / np.sqrt(penalty[c]), origin[c] if is_centred else 0.0, scaled[c], z[c]
        for i in range(n):
            own[i] = (values[i] - shift) * times
    for cell in range(len(cells)):
        c = cells[cell, 0]
        scaled[c, cells[cell, 1]] = (fill[c] - (origin[c] if is_centred else 0.0)) / np.sqrt(penalty[c])
    more = np.float32(1.0 if is_centred else 0.0)
    for i in range(n):
        dots[:] = more
        for start in range(0, len(scaled), _ADDED):
            a, b, d, e = scaled[start], scaled[start + 1], scaled[start + 2], scaled[start + 3]
            f, g, h, k = scaled[start + 4], scaled[start + 5], scaled[start + 6], scaled[start + 7]
            ai, bi, di, ei, fi, gi, hi, ki = a[i], b[i], d[i], e[i], f[i], g[i], h[i], k[i]
            for j in range(len(dots)):
                # One array is written to: with more, the compiler would not find out that none overlap.
                dots[j] += ai * a[j] + bi * b[j] + di * d[j] + ei * e[j] + fi * f[j] + gi * g[j] + hi * h[j] + ki * k[j]
        line = gram[i]
        for j in range(n):
            line[j] = dots[j]


@inner(fastmath=_FAST)
def _multiply(scratch: Single, x: Single, j: int, start: int, end: int, sums: Single) -> None:
    """Products of three rows with four: twelve sums in registers."""
    zero, last = np.float32(0.0), len(x) - 1
    a, b, c = scratch[0], scratch[1], scratch[2]
    w, v = x[j, start:end], x[min(j + 1, last), start:end]
    y, z = x[min(j + 2, last), start:end], x[min(j + 3, last), start:end]
    aw, av, ay, az = zero, zero, zero, zero
    bw, bv, by, bz = zero, zero, zero, zero
    cw, cv, cy, cz = zero, zero, zero, zero
    for t in range(end - start):
        aw += a[t] * w[t]
        av += a[t] * v[t]
        ay += a[t] * y[t]
        az += a[t] * z[t]
        bw += b[t] * w[t]
        bv += b[t] * v[t]
        by += b[t] * y[t]
        bz += b[t] * z[t]
        cw += c[t] * w[t]
        cv += c[t] * v[t]
        cy += c[t] * y[t]
        cz += c[t] * z[t]
    sums[0, 0], sums[0, 1], sums[0, 2], sums[0, 3] = aw, av, ay, az
    sums[1, 0], sums[1, 1], sums[1, 2], sums[1, 3] = bw, bv, by, bz
    sums[2, 0], sums[2, 1], sums[2, 2], sums[2, 3] = cw, cv, cy, cz
