"""The solvers of the compiled core, called directly."""

from typing import NamedTuple

import numpy as np

from fsdesk.kernels import _core

__all__ = ["Loss", "Machine", "fit_columns", "fit_rows"]


class Loss(NamedTuple):
    """One problem's rows: responses, bounds of their dual values, C of each; residuals up to epsilon cost nothing."""

    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    rate: np.ndarray
    epsilon: float


class Machine(NamedTuple):
    """Weights and bias, dual values, decision values, and how many steps it took."""

    w: np.ndarray
    u: np.ndarray
    f: np.ndarray
    steps: int


def fit_rows(gram, loss, tolerance, most, u, *, shift, ridge):
    """Train over a Gram matrix from dual values, which become those of the machine; return how many steps it took."""
    own = np.full(len(gram), ridge)
    asked = {"tolerance": tolerance, "has_bias": True, "shift": shift, "ridge": own, "most": most, "start": u.copy()}
    u[:], _, steps = _core.svm_dual(np.ascontiguousarray(gram), *loss[:4], epsilon=loss.epsilon, **asked)
    return steps


def fit_columns(z, loss, tolerance, most, *, pull=None, size=0.0):
    """Train over (p, n) columns from nothing; ``pull`` and ``size`` of rows that are held, see svm.cpp."""
    p = len(z)
    asked = {"tolerance": tolerance, "penalty": np.ones(p), "pull": np.zeros(p + 1) if pull is None else pull}
    asked |= {"size": size, "sigma": 0.5, "growth": 5.0, "most": most}
    return Machine(*_core.svm_primal(np.ascontiguousarray(z), *loss[:4], epsilon=loss.epsilon, **asked))
