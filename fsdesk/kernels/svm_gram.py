"""The Gram matrix of one fit in single precision: products of rows under the fit's weights, each pair once."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["LARGEST_WEIGHT", "fill_gram", "rows_in_single"]

LARGEST_WEIGHT = 1e30  # of a column: its products stay within single precision

_TERMS_AT_ONCE = 784  # columns of a block that stays in the cache; no power of two, as in ``neighbours_products``
_LINE = 16  # rows are as long as a whole number of lines of the cache
_LEFT, _RIGHT = 3, 4  # rows multiplied at once, as many as the registers hold the sums of

Single = NDArray[np.float32]


def rows_in_single(z: NDArray[np.float64]) -> Single:
    """(n, q) rows of (q, n) columns, with zeros up to a whole number of lines."""
    q, n = z.shape
    rows = np.zeros((n, -(-q // _LINE) * _LINE), dtype=np.float32)
    rows[:, :q] = z.T
    return rows


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "nnan"})
def fill_gram(x: Single, weights: Single, gram: NDArray[np.float64]) -> None:
    """Fill ``gram`` (n, n) with x diag(weights) x'; ``x`` as :func:`rows_in_single` gives it, ``weights`` as long."""
    n, q = x.shape
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


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "nnan"})
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
