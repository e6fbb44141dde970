"""L1-penalized Cox regression along a decreasing penalty, which gives the order in which features enter.

For (n, q) columns x of mean 0 and standard deviation 1 and the logarithm l of the partial likelihood (Efron's ties),

    minimize  -l(w) / n + alpha |w|_1

R. Tibshirani, Statistics in Medicine 16 (1997), by the accelerated proximal gradient of A. Beck and M. Teboulle (SIAM
J. Imaging Sciences 2, 2009), restarted when the objective increases (B. O'Donoghue and E. Candès, Found. Comput. Math.
15, 2015), on the columns kept by the strong rule (R. Tibshirani et al., J. R. Stat. Soc. B 74, 2012); columns that
violate the optimality conditions are added back.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core

Floats = NDArray[np.float64]

_READY = 1e-3  # relative to the penalty: tolerance of a gradient at the optimum
_MOST_STEPS, _MOST_ROUNDS = 1000, 20
_EASIER, _HARDER = 0.95, 2.0


@dataclass(frozen=True, eq=False)
class Point:
    """State of the path at one penalty.

    Attributes
    ----------
    alpha
        The penalty.
    weights, gradient
        (q,) weights, and the derivatives of l / n with respect to them: alpha times the sign of a nonzero weight,
        between -alpha and alpha for the others.
    """

    alpha: float
    weights: Floats
    gradient: Floats


def cox_l1_path(x: Floats, y: Floats, steps: int, least: float) -> Iterator[Point]:
    """Follow the path from the smallest penalty at which all weights are 0 down to ``least`` times that.

    Parameters
    ----------
    x
        (n, q) standardized columns.
    y
        (n,) times, negative if censored.
    """
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    weights, gradient = np.zeros(x.shape[1]), x.T @ _core.cox_residuals(np.zeros(len(y)), y)[1] / len(y)
    most = before = float(np.abs(gradient).max(initial=0.0))
    if most <= 0:
        return
    scale = 1.0
    for alpha in most * np.geomspace(1.0, least, steps):
        active = (np.abs(gradient) >= 2 * alpha - before) | (weights != 0)
        for _ in range(_MOST_ROUNDS):
            some = np.flatnonzero(active)
            part = np.ascontiguousarray(x[:, some])
            weights[some], residuals, scale = _descend(part, y, weights[some], float(alpha), scale)
            gradient = x.T @ residuals / len(y)
            missed = ~active & (np.abs(gradient) > alpha * (1 + _READY))
            if not missed.any():
                break
            active |= missed
        before = float(alpha)
        yield Point(before, weights.copy(), gradient)


def _descend(x: Floats, y: Floats, weights: Floats, alpha: float, scale: float) -> tuple[Floats, Floats, float]:
    """Minimize from given starting weights: the optimal weights, their martingale residuals, and the step curvature."""
    n = len(y)
    at, momentum = weights, 1.0
    for _ in range(_MOST_STEPS):
        value, residuals = _core.cox_residuals(x @ at, y)
        slope = -(x.T @ residuals) / n
        while True:
            moved = at - slope / scale
            moved = np.sign(moved) * np.maximum(np.abs(moved) - alpha / scale, 0.0)
            step = moved - at
            reached = _core.cox_residuals(x @ moved, y)[0]
            allowed = slope @ step + 0.5 * scale * step @ step + 1e-12 * abs(value) / n
            if -reached / n <= -value / n + allowed or scale > 1e12:
                break
            scale *= _HARDER
        is_ready = float(np.abs(step).max(initial=0.0)) * scale <= 0.1 * _READY * alpha
        if step @ (moved - weights) < 0:
            momentum = 1.0
        following = 0.5 * (1 + np.sqrt(1 + 4 * momentum**2))
        at = moved + (momentum - 1) / following * (moved - weights)
        weights, momentum, scale = moved, float(following), scale * _EASIER
        if is_ready:
            break
    return weights, _core.cox_residuals(x @ weights, y)[1], scale
