"""A linear support vector machine in as many unknowns as it has rows: for few rows and many columns.

An active-set method on the dual problem over a Gram matrix. The free rows, those strictly between their bounds, are
kept optimal by a Cholesky factor that grows and shrinks one row at a time. The row that violates optimality most moves
until it is optimal, hits a bound, or a free row hits one. Dual values stay feasible and the objective never rises.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fsdesk.kernels.svm_loss import Loss, settle

__all__ = ["Kernel", "Room", "fit_rows", "room_for"]

_FAST = {"reassoc", "contract", "nsz", "nnan"}
_SINGULAR = 1e-11  # a pivot below this share of its diagonal is rounding

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
        (m,) those of this machine.
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
    half: Floats
    move: Floats
    residual: Floats
    gram: Floats
    loaded: Flags


@njit(nogil=True, cache=True, error_model="numpy")
def room_for(m: int) -> Room:
    """Make room for machines of up to ``m`` rows."""
    free, loaded = np.empty(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
    return Room(np.empty((m, m)), np.empty(m), free, np.empty(m), np.empty(m), np.empty(m), np.empty((m, m)), loaded)


@njit(nogil=True, cache=True, error_model="numpy")
def _load(kernel: Kernel, room: Room, row: int) -> None:
    """Fetch a row of K if it is not there."""
    if room.loaded[row]:
        return
    room.loaded[row] = True
    own, source = room.gram[row], kernel.gram[kernel.rows[row]]
    for i in range(len(kernel.rows)):
        own[i] = source[kernel.rows[i]] + kernel.shift
    own[row] += kernel.ridge[row]


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _forward(factor: Floats, size: int, right: Floats) -> None:
    for i in range(size):
        total = right[i]
        for k in range(i):
            total -= factor[i, k] * right[k]
        right[i] = total * factor[i, i]


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _backward(factor: Floats, size: int, right: Floats) -> None:
    for i in range(size - 1, -1, -1):
        value = right[i] * factor[i, i]
        right[i] = value
        for k in range(i):
            right[k] -= factor[i, k] * value


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _dot(a: Floats, b: Floats, size: int) -> float:
    total = 0.0
    for k in range(size):
        total += a[k] * b[k]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def _enter(room: Room, size: int, row: int) -> int:
    """Append a row whose forward solution is in ``room.half``; return the new size, the old one if it is dependent."""
    half, own = room.half, room.factor[size]
    pivot = room.gram[row, row] - _dot(half, half, size)
    if pivot <= _SINGULAR * room.gram[row, row]:
        return size
    for k in range(size):
        own[k] = half[k]
    own[size] = 1.0 / np.sqrt(pivot)
    room.ones[size] = (1.0 - _dot(own, room.ones, size)) * own[size]
    room.free[size] = row
    return size + 1


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _leave(room: Room, size: int, place: int) -> int:
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


@njit(nogil=True, cache=True, error_model="numpy")
def _reach(loss: Loss, row: int, value: float, move: float) -> float:
    """How far a dual value can go along ``move`` before it meets a bound, or zero where that is a kink."""
    if move == 0.0:
        return np.inf
    end = loss.high[row] if move > 0.0 else loss.low[row]
    if loss.epsilon > 0.0 and value * move < 0.0:
        end = 0.0
    return float((end - value) / move)


@njit(nogil=True, cache=True, error_model="numpy")
def _blocked(loss: Loss, u: Floats, room: Room, size: int, most: float) -> tuple[float, int]:
    """How far the free rows can go along ``room.move``, at most ``most``, and the place of the one that stops them."""
    place = -1
    for k in range(size):
        reach = _reach(loss, room.free[k], u[room.free[k]], room.move[k])
        if reach < most:
            most, place = max(reach, 0.0), k
    return most, place


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _subtract(gram: Floats, row: int, times: float, residual: Floats, n: int) -> None:
    for i in range(n):
        residual[i] -= gram[row, i] * times


@njit(nogil=True, cache=True, error_model="numpy", fastmath=_FAST)
def _subtract_all(gram: Floats, free: Integers, size: int, move: Floats, residual: Floats, n: int) -> None:
    """Four rows at a time, so that the residuals are read and written a quarter as often."""
    k = 0
    while k + 4 <= size:
        a, b, c, d = free[k], free[k + 1], free[k + 2], free[k + 3]
        ta, tb, tc, td = move[k], move[k + 1], move[k + 2], move[k + 3]
        for i in range(n):
            residual[i] -= gram[a, i] * ta + gram[b, i] * tb + gram[c, i] * tc + gram[d, i] * td
        k += 4
    while k < size:
        _subtract(gram, free[k], move[k], residual, n)
        k += 1


@njit(nogil=True, cache=True, error_model="numpy")
def _advance(loss: Loss, u: Floats, room: Room, size: int, t: float, place: int) -> int:
    """Take the step of length ``t``; the free row at ``place`` lands on its bound and leaves. Return the new size."""
    for k in range(size):
        row = room.free[k]
        if k == place:
            end = loss.high[row] if room.move[k] > 0.0 else loss.low[row]
            if loss.epsilon > 0.0 and u[row] * room.move[k] < 0.0:
                end = 0.0
            room.move[k] = end - u[row]
            u[row] = end
        else:
            room.move[k] *= t
            u[row] += room.move[k]
    _subtract_all(room.gram, room.free, size, room.move, room.residual, len(u))
    return _leave(room, size, place) if place >= 0 else size


@njit(nogil=True, cache=True, error_model="numpy")
def _gather(kernel: Kernel, loss: Loss, u: Floats, room: Room) -> tuple[int, float]:
    """Enter the rows between their bounds; residuals of the others, size, and the sum of the others' dual values."""
    n, size, rest = len(u), 0, 0.0
    room.residual[:n] = loss.y
    for i in range(n):
        if u[i] == 0.0:
            continue
        _load(kernel, room, i)
        before = size
        if loss.low[i] < u[i] < loss.high[i]:
            for k in range(size):
                room.half[k] = room.gram[i, room.free[k]]
            _forward(room.factor, size, room.half)
            size = _enter(room, size, i)
        if size == before:
            _subtract(room.gram, i, u[i], room.residual, n)
            rest += u[i]
    return size, rest


@njit(nogil=True, cache=True, error_model="numpy")
def _start(kernel: Kernel, loss: Loss, has_bias: bool, u: Floats, room: Room) -> tuple[int, float]:
    """From dual values within their bounds to ones that balance, optimal among the free rows; size and bias.

    Free rows that their own optimum would put beyond a bound are left there, until the others' is within theirs.
    """
    n, bias = len(u), 0.0
    size, rest = _gather(kernel, loss, u, room)
    residual, move, free = room.residual, room.move, room.free
    while size > 0:
        for k in range(size):
            move[k] = residual[free[k]] - np.sign(u[free[k]]) * loss.epsilon
        _forward(room.factor, size, move)
        if has_bias:
            bias = (_dot(move, room.ones, size) + rest) / _dot(room.ones, room.ones, size)
            for k in range(size):
                move[k] -= bias * room.ones[k]
        _backward(room.factor, size, move)
        before = size
        for k in range(before - 1, -1, -1):
            row = free[k]
            low, high = loss.low[row], loss.high[row]
            if loss.epsilon > 0.0:
                low, high = (0.0, high) if u[row] > 0.0 else (low, 0.0)
            if low < move[k] < high:
                continue
            u[row] = low if move[k] <= low else high
            if u[row] != 0.0:
                _subtract(room.gram, row, u[row], residual, n)
                rest += u[row]
            size = _leave(room, size, k)
        if size == before:
            for k in range(size):
                u[free[k]] = move[k]
            _subtract_all(room.gram, free, size, move, residual, n)
            return size, bias
    if has_bias and abs(rest) > 0.0:
        u[:] = 0.0
        residual[:n] = loss.y
    return 0, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _worst(loss: Loss, u: Floats, residual: Floats) -> tuple[float, int, float, int]:
    """Largest residual of a row whose dual value may rise, and that row; smallest of one that may fall, and that."""
    most, rising, least, falling = -np.inf, -1, np.inf, -1
    for i in range(len(u)):
        value = u[i]
        if value < loss.high[i]:
            r = residual[i] - loss.epsilon if value >= 0.0 else residual[i] + loss.epsilon
            if r > most:
                most, rising = r, i
        if value > loss.low[i]:
            r = residual[i] - loss.epsilon if value > 0.0 else residual[i] + loss.epsilon
            if r < least:
                least, falling = r, i
    return most, rising, least, falling


@njit(nogil=True, cache=True, error_model="numpy")
def _toward(has_bias: bool, room: Room, size: int, row: int, sign: float) -> tuple[float, float]:
    """Direction of the free rows as the dual value of ``row`` moves by ``sign``; curvature, and move of the bias."""
    half, move = room.half, room.move
    own = room.gram[row]
    for k in range(size):
        half[k] = own[room.free[k]]
    _forward(room.factor, size, half)
    curvature, bias = own[row] - _dot(half, half, size), 0.0
    if has_bias:
        weight, share = _dot(room.ones, room.ones, size), 1.0 - _dot(half, room.ones, size)
        bias = sign * share / weight
        curvature += share * share / weight
    for k in range(size):
        move[k] = -sign * half[k] - bias * room.ones[k]
    _backward(room.factor, size, move)
    return curvature, bias


@njit(nogil=True, cache=True, error_model="numpy")
def fit_rows(
    kernel: Kernel, loss: Loss, has_bias: bool, tolerance: float, most: int, u: Floats, room: Room
) -> tuple[float, int]:
    """Minimise u.K.u / 2 - y.u + epsilon |u| within the bounds, with sum(u) = 0 where there is a bias.

    Parameters
    ----------
    most
        Steps at most; then the machine is as good as it got.
    u
        (n,) where to start, within the bounds; what it becomes.

    Returns
    -------
    bias, steps
    """
    n = len(u)
    room.loaded[:n] = False
    size, bias = _start(kernel, loss, has_bias, u, room)
    residual = room.residual[:n]
    row, sign, steps = -1, 0.0, 0
    while steps < most:
        if row < 0:
            high, rising, low, falling = _worst(loss, u, residual)
            if has_bias:
                if high - low <= tolerance or rising < 0 or falling < 0:
                    break
                if size == 0:
                    bias = low
                    _load(kernel, room, falling)
                    size = _enter(room, 0, falling)
            elif max(high, -low) <= tolerance:
                break
            row, sign = (rising, 1.0) if high - bias >= bias - low else (falling, -1.0)
            _load(kernel, room, row)
        steps += 1
        curvature, slant = _toward(has_bias, room, size, row, sign)
        excess = sign * (residual[row] - bias)
        excess -= loss.epsilon if u[row] * sign >= 0.0 else -loss.epsilon
        own = _reach(loss, row, u[row], sign)
        wanted = max(excess, 0.0) / curvature if curvature > _SINGULAR * room.gram[row, row] else np.inf
        t, place = _blocked(loss, u, room, size, min(own, wanted))
        _subtract(room.gram, row, sign * t, residual, n)
        bias += t * slant
        u[row] += sign * t
        size = _advance(loss, u, room, size, t, place)
        if place >= 0:
            if has_bias and size == 0:
                row = -1
            continue
        if own <= wanted:
            end = loss.high[row] if sign > 0.0 else loss.low[row]
            u[row] = 0.0 if loss.epsilon > 0.0 and u[row] * sign <= 0.0 and abs(u[row]) < 0.5 * abs(end) else end
        else:
            size = _enter(room, size, row)
        row = -1
    for i in range(n):
        residual[i] = loss.y[i] - residual[i]
    return settle(loss, residual, 0.0, u)[1] if has_bias else 0.0, steps
