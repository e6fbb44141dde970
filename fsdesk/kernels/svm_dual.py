"""A linear support vector machine in as many unknowns as it has rows: for few rows and many columns.

An active-set method on the dual problem over a Gram matrix. The free rows, those strictly between their bounds, are
kept optimal by a Cholesky factor that grows and shrinks one row at a time. The row that violates optimality most moves
until it is optimal, hits a bound, or a free row hits one. Dual values stay feasible and the objective never rises.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import compiling
from fsdesk.kernels.compiling import MINUS_ONE, ZERO, merged
from fsdesk.kernels.svm_factor import (
    SINGULAR,
    Kernel,
    Room,
    add_row,
    append,
    backward,
    dot,
    forget,
    forward,
    leave,
    load,
    subtract,
    subtract_all,
)
from fsdesk.kernels.svm_lean import lean
from fsdesk.kernels.svm_loss import Loss, settle
from fsdesk.kernels.vectors import numbers_only

__all__ = ["fit_rows"]


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@lean
def _end(loss: Loss, row: int, side: float, move: float) -> float:
    """Where a dual value on one side of zero must stop along ``move``: at a bound, or at zero where that is a kink."""
    if loss.epsilon > 0.0 and side * move < 0.0:
        return 0.0
    return float(loss.high[row] if move > 0.0 else loss.low[row])


@merged
def _blocked(loss: Loss, u: Floats, room: Room, size: int, most: float) -> tuple[float, int]:
    """How far the free rows can go along ``room.move``, at most ``most``, and the place of the one that stops them."""
    place = MINUS_ONE
    for k in range(size):
        row, move = room.free[k], room.move[k]
        reach = (_end(loss, row, room.side[row], move) - u[row]) / move if move != 0.0 else np.inf
        if reach < most:
            most, place = max(reach, 0.0), k
    return most, place


@merged
def _advance(loss: Loss, u: Floats, room: Room, size: int, t: float, place: int) -> int:
    """Take the step of length ``t``; the free row at ``place`` lands on its bound and leaves. Return the new size."""
    for k in range(size):
        row = room.free[k]
        if k == place:
            end = _end(loss, row, room.side[row], room.move[k])
            room.move[k] = end - u[row]
            u[row] = end
        else:
            room.move[k] *= t
            u[row] += room.move[k]
            if loss.epsilon > 0.0 and u[row] * room.side[row] < 0.0:
                u[row] = 0.0  # a row that meets zero together with another must not round past it
    subtract_all(room.gram, room.free, size, room.move, room.residual, len(u))
    return leave(room, size, place) if place >= 0 else size


@lean
def _enter(kernel: Kernel, room: Room, size: int, row: int, side: float) -> int:
    """Make a row free; return the new size, the old one if it depends on the rows that are."""
    load(kernel, room, row)
    room.side[row] = side
    own = room.gram[row]
    for k in range(size):
        room.half[k] = own[room.free[k]]
    forward(room.factor, size, room.half)
    return append(room, size, row)


@merged
def _gather(kernel: Kernel, loss: Loss, u: Floats, room: Room) -> tuple[int, float]:
    """Make the rows between their bounds free, their dual values unknown; how many, and the sum of the others'."""
    n, size, rest = len(u), ZERO, 0.0
    for i in range(n):
        room.residual[i] = loss.y[i]
    for i in range(n):
        if u[i] == 0.0:
            continue
        load(kernel, room, i)
        if loss.low[i] < u[i] < loss.high[i]:
            room.free[size] = i
            room.side[i] = np.sign(u[i])
            size += 1
        else:
            subtract(room.gram, i, u[i], room.residual, n)
            rest += u[i]
    place = ZERO
    while place < size:
        row = room.free[place]
        if add_row(room, place, size):
            place += 1
            continue
        size = forget(room, place, size)
        subtract(room.gram, row, u[row], room.residual, n)
        rest += u[row]
    for k in range(size):
        room.ones[k] = 1.0
    forward(room.factor, size, room.ones)
    return size, rest


@lean
def _aim(loss: Loss, has_bias: bool, u: Floats, room: Room, size: int, rest: float) -> float:
    """Fill ``room.move`` with what makes the free rows optimal, were there no bounds; return the bias."""
    move, bias = room.move, 0.0
    for k in range(size):
        row = room.free[k]
        move[k] = room.residual[row] - np.sign(u[row]) * loss.epsilon
    forward(room.factor, size, move)
    if has_bias:
        bias = (dot(move, room.ones, size) + rest) / dot(room.ones, room.ones, size)
        for k in range(size):
            move[k] -= bias * room.ones[k]
    backward(room.factor, size, move)
    return bias


@merged
def _start(kernel: Kernel, loss: Loss, has_bias: bool, u: Floats, room: Room) -> tuple[int, float]:
    """From dual values within their bounds to ones that balance, optimal among the free rows; size and bias.

    Free rows that their own optimum would put beyond a bound are left there, until the others' is within theirs.
    """
    n, residual, move, free = len(u), room.residual, room.move, room.free
    size, rest = _gather(kernel, loss, u, room)
    while size > 0:
        bias = _aim(loss, has_bias, u, room, size, rest)
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
                subtract(room.gram, row, u[row], residual, n)
                rest += u[row]
            size = leave(room, size, k)
        if size == before:
            for k in range(size):
                u[free[k]] = move[k]
            subtract_all(room.gram, free, size, move, residual, n)
            return size, bias
    if has_bias and abs(rest) > 0.0:
        for i in range(n):
            u[i], residual[i] = 0.0, loss.y[i]
    return 0, 0.0


@compiling.lean()
def _extremes(loss: Loss, u: Floats, residual: Floats) -> tuple[float, float]:
    """Largest residual of a row whose dual value may rise, and smallest of one whose may fall."""
    numbers_only()
    most, least = -np.inf, np.inf
    for i in range(len(u)):
        value, r = u[i], residual[i]
        rising = r - loss.epsilon if value >= 0.0 else r + loss.epsilon
        falling = r - loss.epsilon if value > 0.0 else r + loss.epsilon
        rising = rising if value < loss.high[i] else -np.inf
        falling = falling if value > loss.low[i] else np.inf
        most = rising if rising > most else most
        least = falling if falling < least else least
    return most, least


@compiling.lean()
def _first(loss: Loss, u: Floats, residual: Floats, wanted: float, sign: float) -> int:
    """The first row with this residual whose dual value may rise, or fall where ``sign`` is -1; -1 if there is none."""
    for i in range(len(u)):
        is_above = u[i] > 0.0 or (u[i] == 0.0 and sign > 0.0)
        r = residual[i] - loss.epsilon if is_above else residual[i] + loss.epsilon
        if r == wanted and (u[i] < loss.high[i] if sign > 0.0 else u[i] > loss.low[i]):
            return i
    return -1


@merged
def _toward(has_bias: bool, room: Room, size: int, row: int, sign: float) -> tuple[float, float]:
    """Direction of the free rows as the dual value of ``row`` moves by ``sign``; curvature, and move of the bias."""
    half, move = room.half, room.move
    own = room.gram[row]
    for k in range(size):
        half[k] = own[room.free[k]]
    forward(room.factor, size, half)
    curvature, bias = own[row] - dot(half, half, size), 0.0
    if has_bias:
        weight, share = dot(room.ones, room.ones, size), 1.0 - dot(half, room.ones, size)
        bias = sign * share / weight
        curvature += share * share / weight
    for k in range(size):
        move[k] = -sign * half[k] - bias * room.ones[k]
    backward(room.factor, size, move)
    return curvature, bias


@merged
def _choose(
    kernel: Kernel, loss: Loss, has_bias: bool, tolerance: float, u: Floats, room: Room, size: int, bias: float
) -> tuple[int, float, int, float]:
    """The row to move, -1 where all are optimal, and its sign; a bias needs one free row: size and bias again."""
    residual = room.residual[: len(u)]
    high, low = _extremes(loss, u, residual)
    if has_bias:
        if not high - low > tolerance:
            return -1, 0.0, size, bias
        if size == 0:
            bias, falling = low, _first(loss, u, residual, low, -1.0)
            if falling < 0:
                return -1, 0.0, size, bias
            size = _enter(kernel, room, ZERO, falling, 1.0 if u[falling] > 0.0 else -1.0)
    elif max(high, -low) <= tolerance:
        return -1, 0.0, size, bias
    sign = 1.0 if high - bias >= bias - low else -1.0
    row = _first(loss, u, residual, high if sign > 0.0 else low, sign)
    if row >= 0:
        load(kernel, room, row)
    return row, sign, size, bias


@merged
def _step(
    loss: Loss, has_bias: bool, u: Floats, room: Room, size: int, bias: float, row: int, sign: float
) -> tuple[int, float, bool]:
    """Move ``row`` until it is optimal or something is in the way; size, bias, and whether that was a free row."""
    residual = room.residual
    side = sign if u[row] * sign >= 0.0 else -sign
    curvature, slant = _toward(has_bias, room, size, row, sign)
    excess = sign * (residual[row] - bias - side * loss.epsilon)
    end = _end(loss, row, side, sign)
    own = (end - u[row]) / sign
    wanted = max(excess, 0.0) / curvature if curvature > SINGULAR * room.gram[row, row] else np.inf
    t, place = _blocked(loss, u, room, size, min(own, wanted))
    subtract(room.gram, row, sign * t, residual, len(u))
    u[row] += sign * t
    size = _advance(loss, u, room, size, t, place)
    if place < 0 and own <= wanted:
        u[row] = end
    elif place < 0 and (u[row] != 0.0 or excess > 0.0):  # one that has just come to zero may be optimal there
        room.side[row] = side
        size = append(room, size, row)
    return size, bias + t * slant, place >= 0


@compiling.lean()
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
    n, residual = len(u), room.residual[: len(u)]
    is_whole = len(kernel.rows) == 0
    for i in range(n):
        room.loaded[i] = is_whole
    size, bias = _start(kernel, loss, has_bias, u, room)
    row, sign, steps, blocked = MINUS_ONE, 0.0, 0, False  # not a plain -1: see compiling.py
    while steps < most:
        if not blocked:
            row, sign, size, bias = _choose(kernel, loss, has_bias, tolerance, u, room, size, bias)
            if row < 0:
                break
        steps += 1
        size, bias, blocked = _step(loss, has_bias, u, room, size, bias, row, sign)
        blocked = blocked and (size > 0 or not has_bias)
    for i in range(n):
        residual[i] = loss.y[i] - residual[i]
    return settle(loss, residual, 0.0, u)[1] if has_bias else 0.0, steps
