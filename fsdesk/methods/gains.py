"""Gain sequences, gradient estimates and settings of the SPSA family."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.problem import Loss, Mask, Problem
from fsdesk.settings import Level, Value, setting


def gain(k: int, a: float, A: float, alpha: float) -> float:
    """a_k = a / (A + k + 1)^alpha for k = 0, 1, ...: the size of step k (Spall 1992)."""
    return float(a / (A + k + 1) ** alpha)


def signs(rng: np.random.Generator, features: int) -> NDArray[np.float64]:
    """(p,) Delta: symmetric Bernoulli, each component +1 or -1."""
    return np.asarray(rng.integers(0, 2, size=features) * 2.0 - 1.0, dtype=np.float64)


def slope(plus: Loss, minus: Loss, width: float) -> float:
    """(y+ - y-) / width; 0 if one could not be measured, because such a loss gives no direction."""
    difference = plus.mean - minus.mean
    return float(difference / width) if np.isfinite(difference) else 0.0


def mean_gradient(deltas: Sequence[NDArray[np.float64]], losses: Sequence[Loss], c: float) -> NDArray[np.float64]:
    """Average the gradient estimates (y+ - y-) / (2 c Delta) of several pairs at the same w.

    Parameters
    ----------
    deltas
        m vectors (p,) of +1 and -1.
    losses
        2 m losses: y+ and y- of the first, of the second, ...; a pair that could not be measured is ignored.

    Returns
    -------
    (p,) mean gradient; all 0 if no pair could be measured.
    """
    estimates = [
        slope(plus, minus, 2 * c) / delta
        for delta, plus, minus in zip(deltas, losses[::2], losses[1::2], strict=True)
        if np.isfinite(plus.mean - minus.mean)
    ]
    return np.mean(estimates, axis=0) if estimates else np.zeros_like(deltas[0])


def bounded(w: NDArray[np.float64]) -> NDArray[np.float64]:
    """B: clip each component to [0, 1]."""
    return np.clip(w, 0.0, 1.0)


def rounded(w: NDArray[np.float64]) -> Mask:
    """R: a feature is selected if w >= 0.5; if none is, the one with the largest w, because a mask is never empty."""
    mask: Mask = w >= 0.5
    if not mask.any():
        mask[np.argmax(w)] = True
    return mask


def rounded_within(w: NDArray[np.float64], low: int, high: int, rng: np.random.Generator) -> Mask:
    """R, but with at least ``low`` and at most ``high`` features, those with the largest w; ties at random."""
    mask = rounded(w)
    size = int(mask.sum())
    if not low <= size <= high:
        order = np.lexsort((rng.random(len(w)), -w))
        mask[:] = False
        mask[order[: min(max(size, low), high)]] = True
    return mask


def beginning(problem: Problem, c: float) -> NDArray[np.float64]:
    """w_0: .5 as in the paper, or .5 + .9 c for the features of a given start and .5 - .9 c for the others.

    Thus w_0 rounds to the start, a perturbation of c can still flip every feature, as it can from .5, and the first
    steps stay near the start; farther from .5 than c, perturbations would not change the mask and the search would not
    move.
    """
    return 0.5 + start_offset(problem, c)


def start_offset(problem: Problem, c: float) -> NDArray[np.float64]:
    """(p,) .9 c for the features of a given start and -.9 c for the others; 0 if there is none."""
    if problem.start is None:
        return np.zeros(problem.features)
    return np.where(problem.start, 0.9 * c, -0.9 * c)


@dataclass
class Progress:
    """The smallest y(w_k) so far and its iteration, for the stall limit.

    If a ``problem`` is given, the count restarts whenever the user extends the search.
    """

    stall_limit: int
    problem: Problem | None = None
    best: float = np.inf
    best_k: int = 0
    extensions: int = 0

    def stalled(self, k: int, y: Loss) -> bool:
        """Receive y(w_k); return whether the best has not improved for more than the stall limit."""
        if y.mean < self.best:
            self.best, self.best_k = y.mean, k
        return not self.renewed(k) and k - self.best_k > self.stall_limit

    def renewed(self, k: int) -> bool:
        """Whether the user has extended the search since the last call; if so, the count restarts at ``k``."""
        allowed = self.problem is not None and self.problem.extensions > self.extensions
        if self.problem is not None and allowed:
            self.best_k, self.extensions = k, self.problem.extensions
        return allowed

    @property
    def reason(self) -> str:
        """Why a stalled search ends."""
        return message("no better subset for more than {stall_limit:,} iterations", stall_limit=self.stall_limit)


def iterations_setting(default: int, each: str, source: str) -> Any:
    """Declare the maximum number of iterations; ``each`` says in words how many measurements one takes."""
    return setting(
        default,
        title="Max. iterations",
        help=f"Number of steps after which the search ends; each takes {each}.",
        source=source,
        ge=1,
        le=1_000_000,
    )


def stall_setting(default: int, source: str) -> Any:
    """Declare the number of iterations without a better subset after which a search ends."""
    return setting(
        default,
        title="Stall limit",
        help="Ends the search early when the best error has not improved for more than this many steps.",
        unit="iterations",
        source=source,
        ge=1,
        le=1_000_000,
    )


def a_setting(default: float, source: str) -> Any:
    """Declare a of the gain sequence."""
    return setting(
        default,
        title="Gain a",
        help="Step size: a_k = a / (A + k + 1)^alpha. Larger values move faster but less steadily.",
        source=source,
        gt=0,
        le=1e6,
    )


def stability_setting(default: float, source: str) -> Any:
    """Declare A of the gain sequence."""
    return setting(
        default,
        title="Stability constant A",
        help="Keeps the first steps small; about a tenth of the iterations.",
        unit="iterations",
        source=source,
        ge=0,
        le=1e6,
    )


def alpha_setting(source: str, level: Level = "common") -> Any:
    """Declare alpha of the gain sequence."""
    return setting(
        0.6,
        title="Decay alpha",
        help="How fast the steps shrink; 0.6 is the best value for a finite search.",
        source=source,
        gt=0,
        le=1,
        level=level,
    )


def c_setting(default: float, source: str, more: str = "", level: Level = "common") -> Any:
    """Declare c, the size of the perturbation."""
    return setting(
        default,
        title="Perturbation c",
        help=f"How far all weights are perturbed to estimate the gradient.{more}",
        source=source,
        gt=0,
        le=0.5,
        level=level,
    )


def shared_folds_setting(default: Value, source: str) -> Any:
    """Declare common random numbers."""
    return setting(
        default,
        title="Same folds within a step",
        help="Measures all subsets of one step on the same random folds (common random numbers), so that "
        "differences reflect the features rather than the folds.",
        source=source,
        level="all",
    )


def gradients_setting(default: int, source: str) -> Any:
    """Declare gradient averaging."""
    return setting(
        default,
        title="Slopes averaged per step",
        help="Number of measurement pairs averaged per step; more make steps steadier but costlier.",
        source=source,
        ge=1,
        le=100,
        level="all",
    )
