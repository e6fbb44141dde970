"""What every linear support vector machine here shares: its dual values under a smoothed loss, steps, bias and gap.

With residual r_i = y_i - f_i, one loss serves classification and regression: y_i = +-1 and u_i between 0 and y_i C_i is
the hinge loss, u_i between -C and C with a dead zone of epsilon is that of epsilon-SVR, u_i = 2 C_i r_i without upper
bound is the squared hinge. The proximal method of multipliers smooths the first two around the last dual values v:
u_i = clip(v_i + sigma c_i r_i), a tube of residuals of width 1 / sigma, made ten times narrower until the machine
is optimal to the tolerance (Rockafellar 1976; Li, Sun and Toh 2018 for Newton's method within).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.svm_lean import lean, lean_sums

__all__ = ["Loss", "respond", "settle", "step_length"]

_AT_BOUND = 1e-9  # a dual value this share of C from a bound is there, but for rounding
_STEPS = 30  # of the search along a line, each of which narrows the bracket

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Loss(NamedTuple):
    """One problem's rows.

    Attributes
    ----------
    y
        (n,) response; +1 or -1 in classification.
    low, high
        (n,) bounds of the dual values; both 0 for rows that are not trained on.
    rate
        (n,) weight c_i of each row in the smoothing: its C.
    epsilon
        Residuals up to this cost nothing.
    """

    y: Floats
    low: Floats
    high: Floats
    rate: Floats
    epsilon: float


@lean_sums
def respond(loss: Loss, f: Floats, centre: Floats, sigma: float, u: Floats, state: Integers) -> None:
    """Dual values ``u`` that belong to decision values ``f``; ``state`` says 1 where they move with f, else 0."""
    for i in range(len(f)):
        times = sigma * loss.rate[i]
        dead = times * loss.epsilon
        raw = centre[i] + times * (loss.y[i] - f[i])
        value = max(raw - dead, 0.0) + min(raw + dead, 0.0)
        u[i] = min(max(value, loss.low[i]), loss.high[i])
        state[i] = (value > loss.low[i]) & (value < loss.high[i]) & ((value != 0.0) | (dead == 0.0))


@lean_sums
def _slope(loss: Loss, f: Floats, change: Floats, centre: Floats, sigma: float, t: float) -> float:
    total = 0.0
    for i in range(len(f)):
        times = sigma * loss.rate[i]
        dead = times * loss.epsilon
        raw = centre[i] + times * (loss.y[i] - f[i] - t * change[i])
        value = max(raw - dead, 0.0) + min(raw + dead, 0.0)
        total += min(max(value, loss.low[i]), loss.high[i]) * change[i]
    return total


@lean
def step_length(
    loss: Loss, f: Floats, change: Floats, centre: Floats, sigma: float, first: float, second: float
) -> float:
    """How far to go from ``f`` along ``change``: 1, or where the objective stops falling before that.

    ``first`` and ``second`` are w.V.dw and dw.V.dw, the derivatives of the penalty on the weights.
    """
    low, high = 0.0, 1.0
    start = first - _slope(loss, f, change, centre, sigma, 0.0)
    at_high = first + second - _slope(loss, f, change, centre, sigma, 1.0)
    if not at_high > 1e-9 * abs(start):
        return 1.0
    at_low = start
    for _ in range(_STEPS):
        t = (low * at_high - high * at_low) / (at_high - at_low)
        t = min(max(t, low + 0.02 * (high - low)), high - 0.02 * (high - low))
        at = first + t * second - _slope(loss, f, change, centre, sigma, t)
        if at > 0.0:
            high, at_high = t, at
            at_low *= 0.7
        else:
            low, at_low = t, at
            at_high *= 0.7
        if abs(at) <= 0.05 * abs(start):
            return t
    return high if low == 0.0 else low


@lean
def settle(loss: Loss, f: Floats, b: float, u: Floats) -> tuple[float, float]:
    """How far the dual values are from optimal, and the bias they imply, both as LIBSVM defines them.

    ``f`` - ``b`` must be the decision values of ``u`` without a bias.

    Returns
    -------
    gap, bias
        The gap is the largest difference between a row whose dual value may rise and one whose may fall. The bias is
        the mean over the rows strictly between their bounds; where there are none, the middle of what is allowed.
    """
    above, below, total, free = np.inf, -np.inf, 0.0, 0
    for i in range(len(f)):
        low, high = loss.low[i], loss.high[i]
        if low == high:
            continue
        residual, slack = loss.y[i] - f[i] + b, _AT_BOUND * loss.rate[i]
        rising = residual - loss.epsilon if u[i] >= -slack else residual + loss.epsilon
        falling = residual - loss.epsilon if u[i] > slack else residual + loss.epsilon
        if u[i] < high - slack:
            below = max(below, rising)
        if u[i] > low + slack:
            above = min(above, falling)
        if low + slack < u[i] < high - slack and (abs(u[i]) > slack or loss.epsilon == 0.0):
            total += rising
            free += 1
    if free:
        return below - above, total / free
    return below - above, (below + above) / 2.0
