"""Part of a Gram matrix and the Cholesky factor of its free rows, which grows and shrinks one row at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.svm_lanes import take_off, take_off_lanes
from fsdesk.kernels.svm_lean import lean, lean_sums

__all__ = [
    "SINGULAR",
    "Kernel",
    "Room",
    "add_row",
    "append",
    "backward",
    "dot",
    "forget",
    "forward",
    "leave",
    "load",
    "room_for",
    "subtract",
    "subtract_all",
]

SINGULAR = 1e-11  # a pivot below this share of its diagonal is rounding
_PAD = 3  # numbers that are written over beyond the end, see ``take_off_lanes``

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
        (m, m) upper Cholesky factor of the free rows' Gram matrix, with the reciprocals of its diagonal.
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
    padded = m + _PAD
    ones, half, move, side, residual = np.empty(padded), np.empty(padded), np.empty(padded), np.empty(m), np.empty(m)
    free, loaded = np.empty(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
    gram = np.empty((m, m) if has_gram else (0, 0))
    factor = np.empty(m * m + _PAD)[: m * m].reshape(m, m)
    return Room(factor, ones, free, side, half, move, residual, gram, loaded)


@lean
def load(kernel: Kernel, room: Room, row: int) -> None:
    """Fetch a row of K if it is not there."""
    if room.loaded[row]:
        return
    room.loaded[row] = True
    own, source = room.gram[row], kernel.gram[kernel.rows[row]]
    for i in range(len(kernel.rows)):
        own[i] = source[np.uint64(kernel.rows[i])] + kernel.shift
    own[row] += kernel.ridge[row]


@lean_sums
def forward(factor: Floats, size: int, right: Floats) -> None:
    """Solve with the transposed factor, in place; four unknowns at a time, as each waits for those before."""
    k = 0
    while k + 4 <= size:
        one, two, three, four = factor[k], factor[k + 1], factor[k + 2], factor[k + 3]
        a = right[k] * one[k]
        b = (right[k + 1] - one[k + 1] * a) * two[k + 1]
        c = (right[k + 2] - one[k + 2] * a - two[k + 2] * b) * three[k + 2]
        d = (right[k + 3] - one[k + 3] * a - two[k + 3] * b - three[k + 3] * c) * four[k + 3]
        right[k], right[k + 1], right[k + 2], right[k + 3] = a, b, c, d
        k += 4
        take_off_lanes(right[k:], one[k:], two[k:], three[k:], four[k:], (a, b, c, d), size - k)
    while k < size:
        a = right[k] * factor[k, k]
        right[k] = a
        one, rest = factor[k, k + 1 :], right[k + 1 : size]
        for i in range(len(rest)):
            rest[i] -= one[i] * a
        k += 1


@lean_sums
def backward(factor: Floats, size: int, right: Floats) -> None:
    """Solve with the factor, in place."""
    k = size
    while k >= 4:
        one, two, three, four = factor[k - 4], factor[k - 3], factor[k - 2], factor[k - 1]
        a, b, c, d = right[k - 4], right[k - 3], right[k - 2], right[k - 1]
        known, own, other, more, most = right[k:size], one[k:], two[k:], three[k:], four[k:]
        for i in range(len(known)):
            a -= own[i] * known[i]
            b -= other[i] * known[i]
            c -= more[i] * known[i]
            d -= most[i] * known[i]
        d *= four[k - 1]
        c = (c - three[k - 1] * d) * three[k - 2]
        b = (b - two[k - 2] * c - two[k - 1] * d) * two[k - 3]
        a = (a - one[k - 3] * b - one[k - 2] * c - one[k - 1] * d) * one[k - 4]
        right[k - 4], right[k - 3], right[k - 2], right[k - 1] = a, b, c, d
        k -= 4
    while k > 0:
        total, own, known = right[k - 1], factor[k - 1, k:], right[k:size]
        for i in range(len(known)):
            total -= own[i] * known[i]
        right[k - 1] = total * factor[k - 1, k - 1]
        k -= 1


@lean_sums
def dot(a: Floats, b: Floats, size: int) -> float:
    """Product of the first ``size`` numbers."""
    total = 0.0
    for k in range(size):
        total += a[k] * b[k]
    return total


@lean_sums
def add_row(room: Room, place: int, size: int) -> bool:
    """Fill in the factor's next row, of the free row at ``place``; whether that depends on none of those before."""
    factor, free, own = room.factor, room.free[place:size], room.factor[place, place:]
    source = room.gram[free[0]]
    for i in range(len(free)):
        own[i] = source[np.uint64(free[i])]
    whole = own[0]
    for first in range(0, place, 4):
        last = place - 1
        one, two = factor[first, place:], factor[min(first + 1, last), place:]
        three, four = factor[min(first + 2, last), place:], factor[min(first + 3, last), place:]
        b = two[0] if first + 1 < place else 0.0
        c = three[0] if first + 2 < place else 0.0
        d = four[0] if first + 3 < place else 0.0
        take_off_lanes(own, one, two, three, four, (one[0], b, c, d), len(free))
    pivot = own[0]
    if pivot <= SINGULAR * whole:
        return False
    a = 1.0 / np.sqrt(pivot)
    own[0] = a
    for i in range(1, len(free)):
        own[i] *= a
    return True


@lean
def forget(room: Room, place: int, size: int) -> int:
    """Drop the free row at ``place``, the last that the factor knows of; return the new size."""
    free = room.free[place:size]
    for i in range(len(free) - 1):
        free[i] = free[i + 1]
    for k in range(place):
        own = room.factor[k, place:size]
        for i in range(len(own) - 1):
            own[i] = own[i + 1]
    return size - 1


@lean
def append(room: Room, size: int, row: int) -> int:
    """Append a row whose forward solution is in ``room.half``; return the new size, the old one if it is dependent."""
    half, factor = room.half, room.factor
    pivot = room.gram[row, row] - dot(half, half, size)
    if pivot <= SINGULAR * room.gram[row, row]:
        return size
    for k in range(size):
        factor[k, size] = half[k]
    factor[size, size] = 1.0 / np.sqrt(pivot)
    room.ones[size] = (1.0 - dot(half, room.ones, size)) * factor[size, size]
    room.free[size] = row
    return size + 1


@lean_sums
def leave(room: Room, size: int, place: int) -> int:
    """Drop the free row at ``place`` and rotate the factor back to a triangle; return the new size."""
    factor, ones = room.factor, room.ones
    own = factor[place, place:size]
    for i in range(len(own) - 1):
        own[i] = own[i + 1]
    size = forget(room, place, size)
    for k in range(place, size):
        top, own = factor[k, k:size], factor[k + 1, k + 1 : size + 1]
        a, b = top[0], 1.0 / own[0]
        length = 1.0 / np.sqrt(a * a + b * b)
        a, b = a * length, b * length
        top[0] = length
        for i in range(1, len(top)):
            left, right = top[i], own[i]
            top[i] = a * left + b * right
            own[i - 1] = a * right - b * left
        left, right = ones[k], ones[k + 1]
        ones[k] = a * left + b * right
        ones[k + 1] = a * right - b * left
    return size


@lean_sums
def subtract(gram: Floats, row: int, times: float, residual: Floats, n: int) -> None:
    """Take K times the move of one row off the residuals."""
    for i in range(n):
        residual[i] -= gram[row, i] * times


@lean_sums
def subtract_all(gram: Floats, free: Integers, size: int, move: Floats, residual: Floats, n: int) -> None:
    """Take K times the moves of the free rows off the residuals; four at a time, which reads these less often."""
    last = size - 1
    for k in range(0, size, 4):
        one, two = gram[free[k]], gram[free[min(k + 1, last)]]
        three, four = gram[free[min(k + 2, last)]], gram[free[min(k + 3, last)]]
        b = move[k + 1] if k + 1 < size else 0.0
        c = move[k + 2] if k + 2 < size else 0.0
        d = move[k + 3] if k + 3 < size else 0.0
        take_off(residual, one, two, three, four, (move[k], b, c, d), n)
