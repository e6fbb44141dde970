"""Part of a Gram matrix and the Cholesky factor of its free rows, which grows and shrinks one row at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.svm_lean import lean, lean_sums

__all__ = [
    "SINGULAR",
    "Kernel",
    "Room",
    "append",
    "backward",
    "dot",
    "forward",
    "leave",
    "load",
    "room_for",
    "subtract",
    "subtract_all",
]

SINGULAR = 1e-11  # a pivot below this share of its diagonal is rounding

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Kernel(NamedTuple):
    """K: some rows of a Gram matrix, moved by a constant, and more on its diagonal.

    Attributes
    ----------
    gram
        (n, n) products of all rows.
    rows
        (m,) those of this machine; (0,) where it has all rows, and room's ``gram`` is this one, with ``ridge`` in it.
    shift
        Added to all products. As dual values sum to 0 it changes nothing but makes free rows independent.
    ridge
        (m,) added to the diagonal.
    """

    gram: Floats
    rows: Integers
    shift: float
    ridge: Floats


class Room(NamedTuple):
    """Working memory for machines of up to m rows: one set serves all fits of a measurement.

    Attributes
    ----------
    factor
        (m, m) lower Cholesky factor of the free rows' Gram matrix, with the reciprocals of its diagonal.
    ones
        (m,) what the factor's inverse makes of a vector of ones.
    free
        (m,) the free rows.
    side
        (m,) of each free row: 1 where its dual value is above zero or came from there, else -1.
    half, move
        (m,) right sides and directions of the free rows.
    residual
        (m,) y - K u of all rows.
    gram, loaded
        (m, m), (m,) the rows of K that were needed so far, and which they are.
    """

    factor: Floats
    ones: Floats
    free: Integers
    side: Floats
    half: Floats
    move: Floats
    residual: Floats
    gram: Floats
    loaded: Flags


def room_for(m: int, *, has_gram: bool = True) -> Room:
    """Make room for machines of up to ``m`` rows; without ``has_gram`` they train on the matrix of all rows itself."""
    ones, side, half, move, residual = np.empty(m), np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    free, loaded = np.empty(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
    gram = np.empty((m, m) if has_gram else (0, 0))
    return Room(np.empty((m, m)), ones, free, side, half, move, residual, gram, loaded)


@lean
def load(kernel: Kernel, room: Room, row: int) -> None:
    """Fetch a row of K if it is not there."""
    if room.loaded[row]:
        return
    room.loaded[row] = True
    own, source = room.gram[row], kernel.gram[kernel.rows[row]]
    for i in range(len(kernel.rows)):
        own[i] = source[kernel.rows[i]] + kernel.shift
    own[row] += kernel.ridge[row]


@lean_sums
def forward(factor: Floats, size: int, right: Floats) -> None:
    """Solve with the factor, in place."""
    for i in range(size):
        total = right[i]
        for k in range(i):
            total -= factor[i, k] * right[k]
        right[i] = total * factor[i, i]


@lean_sums
def backward(factor: Floats, size: int, right: Floats) -> None:
    """Solve with the transposed factor, in place."""
    for i in range(size - 1, -1, -1):
        value = right[i] * factor[i, i]
        right[i] = value
        for k in range(i):
            right[k] -= factor[i, k] * value


@lean_sums
def dot(a: Floats, b: Floats, size: int) -> float:
    """Product of the first ``size`` numbers."""
    total = 0.0
    for k in range(size):
        total += a[k] * b[k]
    return total


@lean
def append(room: Room, size: int, row: int) -> int:
    """Append a row whose forward solution is in ``room.half``; return the new size, the old one if it is dependent."""
    half, own = room.half, room.factor[size]
    pivot = room.gram[row, row] - dot(half, half, size)
    if pivot <= SINGULAR * room.gram[row, row]:
        return size
    for k in range(size):
        own[k] = half[k]
    own[size] = 1.0 / np.sqrt(pivot)
    room.ones[size] = (1.0 - dot(own, room.ones, size)) * own[size]
    room.free[size] = row
    return size + 1


@lean_sums
def leave(room: Room, size: int, place: int) -> int:
    """Drop the free row at ``place`` and rotate the factor back to a triangle; return the new size."""
    factor, ones, free = room.factor, room.ones, room.free
    for i in range(place, size - 1):
        free[i] = free[i + 1]
        own, source = factor[i], factor[i + 1]
        for k in range(i + 2):
            own[k] = source[k]
    for k in range(place, size - 1):
        a, b = factor[k, k], 1.0 / factor[k, k + 1]  # moved up by one: (k, k + 1) was on the diagonal
        length = 1.0 / np.sqrt(a * a + b * b)
        a, b = a * length, b * length
        factor[k, k] = length
        for i in range(k + 1, size - 1):
            left, right = factor[i, k], factor[i, k + 1]
            factor[i, k] = a * left + b * right
            factor[i, k + 1] = a * right - b * left
    for i in range(place, size - 1):
        own, total = factor[i], 1.0
        for k in range(i):
            total -= own[k] * ones[k]
        ones[i] = total * own[i]
    return size - 1


@lean_sums
def subtract(gram: Floats, row: int, times: float, residual: Floats, n: int) -> None:
    """Take K times the move of one row off the residuals."""
    for i in range(n):
        residual[i] -= gram[row, i] * times


@lean_sums
def subtract_all(gram: Floats, free: Integers, size: int, move: Floats, residual: Floats, n: int) -> None:
    """Take K times the moves of the free rows off the residuals.

    Four rows at a time, so that the residuals are read and written a quarter as often.
    """
    k = 0
    while k + 4 <= size:
        a, b, c, d = free[k], free[k + 1], free[k + 2], free[k + 3]
        ta, tb, tc, td = move[k], move[k + 1], move[k + 2], move[k + 3]
        for i in range(n):
            residual[i] -= gram[a, i] * ta + gram[b, i] * tb + gram[c, i] * tc + gram[d, i] * td
        k += 4
    while k < size:
        subtract(gram, free[k], move[k], residual, n)
        k += 1
