"""The Gram matrix of one fit in single precision: products of rows under the fit's weights, each pair once."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner
from fsdesk.kernels.tiles import TERMS, add_lower_products, lines_of
from fsdesk.kernels.vectors import aligned_room

__all__ = ["LARGEST_WEIGHT", "fill_gram", "fill_narrow_gram", "room_for_columns", "room_for_products"]

LARGEST_WEIGHT = 1e30  # of a column: its products stay within single precision

_TURNED = 8  # columns that become rows together

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Cells = NDArray[np.int32]


def room_for_columns(q: int, n: int) -> Single:
    """Make room for ``q`` columns of ``n`` rows: zeros, each column from the start of a line on."""
    return aligned_room(q, lines_of(n))


def room_for_products(q: int, n: int) -> tuple[Single, Single]:
    """Make room for :func:`fill_gram`, or, for all of its ``q`` columns, for :func:`fill_narrow_gram`."""
    return room_for_columns(q or int(TERMS), n), room_for_columns(n + 2, n)


@inner(fastmath=_FAST)
def fill_gram(x: Single, penalty: Floats, scaled: Single, sums: Single, gram: Floats) -> None:
    """Fill ``gram`` (n, n) with x' diag(1 / penalty) x.

    Parameters
    ----------
    x
        (q, n or more) columns, in room as :func:`room_for_columns` makes it.
    scaled, sums
        As :func:`room_for_products` makes them.
    """
    sums[:] = 0.0
    for start in range(0, len(x), TERMS):
        block = x[start : start + TERMS]
        for t in range(len(block)):
            own, values, times = scaled[t], block[t], np.float32(min(1.0 / penalty[start + t], LARGEST_WEIGHT))
            for i in range(len(own)):
                own[i] = values[i] * times
        add_lower_products(block, scaled, len(gram), sums)
    _write(sums, 0.0, gram)


@inner(fastmath=_FAST)
def fill_narrow_gram(
    z: Floats,
    penalty: Floats,
    origin: Floats,
    cells: Cells,
    fill: Floats,
    is_centred: bool,
    scaled: Single,
    sums: Single,
    gram: Floats,
) -> None:
    """Fill ``gram`` (n, n) with the products of rows that have few columns, each over the root of its penalty.

    Parameters
    ----------
    z, cells, fill
        (q, n) columns, the cells of theirs that are gaps, and what fills each column's.
    is_centred
        Whether ``origin`` is taken off, and 1 added to all products: a bias that is penalised.
    scaled, sums
        As :func:`room_for_products` makes them.
    """
    q, n = z.shape
    for c in range(q):
        times, shift, own, values = 1.0 / np.sqrt(penalty[c]), origin[c] if is_centred else 0.0, scaled[c], z[c]
        for i in range(n):
            own[i] = (values[i] - shift) * times
    for cell in range(len(cells)):
        c = cells[cell, 0]
        scaled[c, cells[cell, 1]] = (fill[c] - (origin[c] if is_centred else 0.0)) / np.sqrt(penalty[c])
    sums[:] = 0.0
    for start in range(0, q, TERMS):
        block = scaled[start : start + TERMS]
        add_lower_products(block, block, n, sums)
    _write(sums, 1.0 if is_centred else 0.0, gram)


@inner()
def _write(sums: Single, more: float, gram: Floats) -> None:
    """Write both halves; what is below a block is turned over a few columns at a time, along lines of the cache."""
    n = len(gram)
    for i in range(n):
        line, own = gram[i], sums[i]
        for j in range(i + 1):
            line[j] = own[j] + more
    for first in range(0, n, _TURNED):
        for i in range(first, min(first + _TURNED, n)):
            for j in range(first, i):
                gram[j, i] = gram[i, j]
        for i in range(first + _TURNED, n):
            own = sums[i, first : first + _TURNED]
            for k in range(_TURNED):
                gram[first + k, i] = own[k] + more
