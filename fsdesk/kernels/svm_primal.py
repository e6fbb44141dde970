"""A linear support vector machine in as many unknowns as it has columns: for many rows and few columns.

Newton's method on the smoothed loss (see ``svm_loss``). Scaling a column is the same as penalising its weight
differently, so the columns are scaled once and each training fold only changes the penalty V of every weight.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner, merged
from fsdesk.kernels.svm_lean import lean
from fsdesk.kernels.svm_loss import Loss, respond, settle, step_length

__all__ = ["Held", "Machine", "decide", "fit_weights", "solve"]

_FAST = {"reassoc", "contract", "nsz", "nnan"}
_BALANCED = 1e-12  # a sum of dual values below this share of their sizes is rounding
_STILL = 1e-12  # a step that moves decision values by a smaller share is rounding
_STEEPEST = 1e3  # a tube this much narrower than the tolerance leaves rounding alone
_ROWS_AT_ONCE = 1024  # decision values that stay in the cache

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Machine(NamedTuple):
    """Where a fit starts and what it becomes: weights and bias (p + 1,), dual values (n,), decision values (n,)."""

    w: Floats
    u: Floats
    f: Floats


class Held(NamedTuple):
    """Rows whose dual values stay: their sum of columns times dual values (p + 1,), the bias last; sum of sizes."""

    pull: Floats
    size: float


@inner(fastmath=_FAST)
def decide(x: Floats, w: Floats, out: Floats) -> None:
    """(p, n) columns and (p + 1,) weights, the bias last, to (n,) decision values."""
    p, n = x.shape
    for start in range(0, n, _ROWS_AT_ONCE):
        part = out[start : start + _ROWS_AT_ONCE]
        part[:] = w[p]
        c = 0
        while c + 4 <= p:
            x0, x1, x2, x3 = x[c, start:], x[c + 1, start:], x[c + 2, start:], x[c + 3, start:]
            w0, w1, w2, w3 = w[c], w[c + 1], w[c + 2], w[c + 3]
            for i in range(len(part)):
                part[i] += x0[i] * w0 + x1[i] * w1 + x2[i] * w2 + x3[i] * w3
            c += 4
        while c < p:
            own, times = x[c, start:], w[c]
            for i in range(len(part)):
                part[i] += own[i] * times
            c += 1


@inner(fastmath=_FAST)
def _gradient(x: Floats, u: Floats, w: Floats, penalty: Floats, mean: Floats, pull: Floats, out: Floats) -> None:
    """Of the objective: V w - X u, and - sum(u) for the bias; plus that of (b + mean.w)^2 / 2 where it is penalised."""
    p, n = x.shape
    for c in range(p):
        own, total = x[c], pull[c]
        for i in range(n):
            total += own[i] * u[i]
        out[c] = penalty[c] * w[c] - total
    total = pull[p]
    for i in range(n):
        total += u[i]
    out[p] = -total
    if len(mean):
        centred = 0.0
        for c in range(p + 1):
            centred += mean[c] * w[c]
        for c in range(p + 1):
            out[c] += centred * mean[c]


@inner(fastmath=_FAST)
def _weights(x: Floats, u: Floats, penalty: Floats, pull: Floats, w: Floats) -> None:
    """The weights that dual values imply."""
    for c in range(len(x)):
        total = pull[c]
        for i in range(len(u)):
            total += x[c, i] * u[i]
        w[c] = total / penalty[c]


@inner(fastmath=_FAST)
def _curvature(
    x: Floats, rate: Floats, state: Integers, sigma: float, penalty: Floats, mean: Floats, work: Floats, out: Floats
) -> int:
    """Lower triangle of the Hessian; return how many rows it has."""
    p, n = x.shape
    free = 0
    for i in range(n):
        if state[i]:
            root = np.sqrt(sigma * rate[i])
            for c in range(p):
                work[c, free] = x[c, i] * root
            work[p, free] = root
            free += 1
    for a in range(p + 1):
        left = work[a, :free]
        for b in range(a + 1):
            right, total = work[b, :free], 0.0
            for i in range(free):
                total += left[i] * right[i]
            out[a, b] = total
    for c in range(p):
        out[c, c] += penalty[c]
    if len(mean):
        for a in range(p + 1):
            for b in range(a + 1):
                out[a, b] += mean[a] * mean[b]
    return free


@inner(fastmath=_FAST)
def solve(matrix: Floats, size: int, right: Floats) -> None:
    """Solve a positive definite system in place: lower triangle, right side to solution; a tiny pivot is left out."""
    for i in range(size):
        own = matrix[i]
        diagonal = own[i]
        for j in range(i):
            other, total = matrix[j], own[j]
            for k in range(j):
                total -= own[k] * other[k]
            own[j] = total * other[j]  # the diagonal holds reciprocals
        total = diagonal
        for k in range(i):
            total -= own[k] * own[k]
        own[i] = 1.0 / np.sqrt(total) if total > 1e-14 * diagonal else 0.0
        total = right[i]
        for k in range(i):
            total -= own[k] * right[k]
        right[i] = total * own[i]
    for i in range(size - 1, -1, -1):
        own = matrix[i]
        value = right[i] * own[i]
        right[i] = value
        for k in range(i):
            right[k] -= own[k] * value


@inner(fastmath=_FAST)
def _derivatives(penalty: Floats, mean: Floats, pull: Floats, w: Floats, step: Floats) -> tuple[float, float]:
    """First and second derivative along a step of the penalty and of what the held rows cost."""
    first, second = -pull[len(penalty)] * step[len(penalty)], 0.0
    for c in range(len(penalty)):
        first += (penalty[c] * w[c] - pull[c]) * step[c]
        second += penalty[c] * step[c] * step[c]
    if len(mean):
        at, along = 0.0, 0.0
        for c in range(len(mean)):
            at += mean[c] * w[c]
            along += mean[c] * step[c]
        first += at * along
        second += along * along
    return first, second


@lean
def _newton(
    x: Floats,
    loss: Loss,
    penalty: Floats,
    mean: Floats,
    pull: Floats,
    sigma: float,
    state: Integers,
    machine: Machine,
    work: Floats,
    matrix: Floats,
    step: Floats,
) -> int:
    """Fill ``step`` with Newton's; return how many rows bend the loss."""
    p = len(x)
    _gradient(x, machine.u, machine.w, penalty, mean, pull, step)
    free = _curvature(x, loss.rate, state, sigma, penalty, mean, work, matrix)
    if free == 0 and len(mean) == 0:
        matrix[p, p] = max(abs(step[p]), 1e-300)
    for c in range(p + 1):
        step[c] = -step[c]
    solve(matrix, p + 1, step)
    return free


@lean
def _finish(x: Floats, loss: Loss, penalty: Floats, pull: Floats, tolerance: float, machine: Machine) -> bool:
    """Whether the dual values are optimal; then the bias is set, and the weights are exactly what they imply."""
    w, u, f = machine.w, machine.u, machine.f
    bias_at = len(penalty)
    gap, bias = settle(loss, f, float(w[bias_at]), u)
    if gap <= tolerance:
        _weights(x, u, penalty, pull, w)  # what rounding left of the equations must not decide
        decide(x, w, f)
        gap, bias = settle(loss, f, float(w[bias_at]), u)
    if gap <= tolerance and abs(bias) < np.inf:  # a few rows alone may allow any
        w[bias_at] = bias
    return bool(gap <= tolerance)


@lean
def _move(machine: Machine, t: float, step: Floats, change: Floats) -> None:
    for c in range(len(step)):
        machine.w[c] += t * step[c]
    for i in range(len(change)):
        machine.f[i] += t * change[i]


@lean
def _is_same(state: Integers, before: Integers) -> bool:
    changes = 0
    for i in range(len(state)):
        changes += state[i] != before[i]
    return changes == 0


@lean
def _is_still(f: Floats, change: Floats) -> bool:
    """Whether a step is rounding alone: the length of such a one means nothing."""
    size, most = 1.0, 0.0
    for i in range(len(f)):
        size, most = max(size, abs(f[i])), max(most, abs(change[i]))
    return bool(most <= _STILL * size)


@lean
def _is_balanced(u: Floats, held: Held) -> bool:
    """Whether dual values sum to 0, but for rounding."""
    total, size = held.pull[-1], held.size
    for i in range(len(u)):
        total += u[i]
        size += abs(u[i])
    return bool(abs(total) <= _BALANCED * size)


@merged
def fit_weights(
    x: Floats,
    loss: Loss,
    penalty: Floats,
    mean: Floats,
    held: Held,
    sigma: float,
    growth: float,
    tolerance: float,
    most: int,
    machine: Machine,
) -> int:
    """Minimise sum(V w^2) / 2 + sum of losses from where ``machine`` stands; return the number of Newton steps.

    Parameters
    ----------
    x, penalty
        (p, n) columns; (p,) V.
    mean
        (p + 1,) of the training rows, the last 1, where the bias is penalised, so of centred columns; else (0,).
    held
        Rows that are not among those of ``x``.
    sigma, growth
        Steepness of the smoothed loss at the start, and its factor from one tube to the next; 0 where the loss is
        smooth as it is.
    most
        Newton steps at most. As many are returned where rounding keeps the machine from the tolerance.
    """
    w, u, f = machine
    p, n = x.shape
    centre, state, before = np.zeros(n), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    if growth > 0.0:
        centre = u.copy()
    work, matrix, step, change = np.empty((p + 1, n)), np.empty((p + 1, p + 1)), np.empty(p + 1), np.empty(n)
    decide(x, w, f)
    exact = False  # the last step was a full one of Newton's, so that it ended where the equations say
    for iteration in range(most):
        state, before = before, state
        respond(loss, f, centre, sigma, u, state)
        if exact and _is_same(state, before):
            if growth == 0.0 or _finish(x, loss, penalty, held.pull, tolerance, machine):
                return iteration
            if sigma * tolerance > _STEEPEST:
                return most
            sigma *= growth
            centre = u.copy()
            respond(loss, f, centre, sigma, u, state)
        free = _newton(x, loss, penalty, mean, held.pull, sigma, state, machine, work, matrix, step)
        decide(x, step, change)
        if growth == 0.0 and _is_still(f, change):
            return iteration
        first, second = _derivatives(penalty, mean, held.pull, w, step)
        t = step_length(loss, f, change, centre, sigma, first, second)
        exact = t == 1.0 and (free > 0 or len(mean) > 0 or _is_balanced(u, held))
        _move(machine, t, step, change)
    return most
