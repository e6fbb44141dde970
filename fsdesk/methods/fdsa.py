"""Finite-difference stochastic approximation (Kiefer & Wolfowitz 1952): the slope of one feature at a time.

The paper's starting point: it takes 2p measurements per step, SPSA only two.
"""

from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import (
    Progress,
    a_setting,
    alpha_setting,
    beginning,
    bounded,
    c_setting,
    gain,
    iterations_setting,
    rounded,
    shared_folds_setting,
    slope,
    stability_setting,
    stall_setting,
)
from fsdesk.methods.problem import METHODS, End, Loss, Method, Problem, Proposal, Search
from fsdesk.settings import Preset

_BUDGET = "the paper's 3000 measurements, on a table with 30 features"
_PAIRS = 500  # pairs measured together: all those of a small table, or as many as fit into memory


@METHODS.register(
    "fdsa",
    title="FDSA",
    summary="Estimates the slope of each feature separately, with two measurements each. Meant for tables with few "
    "features, to show what simultaneous methods save.",
    reference="J. Kiefer and J. Wolfowitz, Stochastic Estimation of the Maximum of a Regression Function, Annals of "
    "Mathematical Statistics 23 (1952)",
    presets=(
        Preset(
            "small",
            {"max_iterations": 50, "stall_limit": 12, "A": 5.0},
            help="For tables with fewer than 100 features, ideally at most 30.",
            max_features=99,
        ),
        Preset(
            "large",
            {"max_iterations": 10, "stall_limit": 5, "A": 1.0},
            help="Ten steps: with 450 features, they use the paper's 9000 measurements.",
            min_features=100,
        ),
    ),
)
class FDSA(Method):
    """Kiefer-Wolfowitz on rounded masks; every iteration takes 2p + 1 measurements."""

    max_iterations: int = iterations_setting(50, "two measurements for each feature and one more", _BUDGET)
    stall_limit: int = stall_setting(12, "paper, section Method Parameters: 25 % of the iterations")
    a: float = a_setting(0.75, "as for BSPSA in the paper")
    A: float = stability_setting(5.0, "as for BSPSA in the paper: a tenth of the iterations")
    alpha: float = alpha_setting("as for BSPSA in the paper")
    c: float = c_setting(
        0.05, "as for BSPSA in the paper; it stays constant, because a smaller perturbation changes no subset"
    )
    shared_folds: bool = shared_folds_setting(False, "as for BSPSA in the paper")

    def gain(self, k: int) -> float:
        """a_k for k = 0, 1, ..."""
        return gain(k, self.a, self.A, self.alpha)

    def measurements(self, features: int) -> int:
        """2p + 1 per iteration: y(w_0) is not measured, as counted in the paper."""
        return self.max_iterations * (2 * features + 1)

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """w_{k+1} = B(w_k - a_k g_k); y(w_k) is requested with the differences of iteration k, as in BSPSA."""
        w = beginning(problem, self.c)
        progress, known = Progress(self.stall_limit, problem), 0  # y(w_known) is already measured, or is not needed
        for k in problem.steps(self.max_iterations):
            g, y = yield from self._gradient(k, w, measured=k == known)
            if y is not None and progress.stalled(k, y):
                return End(progress.reason)
            w = bounded(w - self.gain(k) * g)
            if problem.is_last(k, self.max_iterations):
                known = k + 1
                progress.stalled(known, (yield Proposal([rounded(w)], (True,), known, w))[0])
        return End(message("all {known:,} iterations done", known=known))

    def _gradient(
        self, k: int, w: NDArray[np.float64], *, measured: bool
    ) -> Generator[Proposal, Sequence[Loss], tuple[NDArray[np.float64], Loss | None]]:
        """Measure y(w_k), if unknown, and g_i = (y(w + c e_i) - y(w - c e_i)) / 2c for every feature i."""
        g, y, trace = np.zeros_like(w), None, {"a_k": self.gain(k)}
        for first in range(0, len(w), _PAIRS):
            places = range(first, min(first + _PAIRS, len(w)))
            probes = [rounded(bounded(_moved(w, place, step))) for place in places for step in (self.c, -self.c)]
            own = [rounded(w)] if first == 0 and not measured else []
            candidates = (True,) * len(own) + (False,) * len(probes)
            losses = yield Proposal(
                [*own, *probes], candidates, k, w, trace, folds="shared" if self.shared_folds else "fresh"
            )
            y = losses[0] if own else y
            pairs = losses[len(own) :]
            g[places] = [slope(*pair, 2 * self.c) for pair in zip(pairs[::2], pairs[1::2], strict=True)]
        return g, y


def _moved(w: NDArray[np.float64], place: int, step: float) -> NDArray[np.float64]:
    moved = w.copy()
    moved[place] += step
    return moved
