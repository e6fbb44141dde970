"""Continuous simultaneous perturbation stochastic approximation (Johannsen et al. 2004), compared in the paper.

The steps are those of the paper, section "SPSA". Only masks can be measured, so it only matters whether a weight is
below .5; rounded masks reproduce the paper's figures. BSPSA, by contrast, keeps c constant and large.
"""

import numpy as np

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
    signs,
    slope,
    stability_setting,
    stall_setting,
)
from fsdesk.methods.problem import METHODS, End, Method, Problem, Proposal, Search
from fsdesk.settings import Preset, setting

_TABLE = "paper, table of BSPSA and CSPSA parameters"


@METHODS.register(
    "cspsa",
    title="CSPSA",
    summary="Moves all feature weights at once like BSPSA, but estimates the gradient with tiny, shrinking "
    "perturbations. Included for comparison: after a few steps, most perturbations no longer change the "
    "subset.",
    reference="D. A. Johannsen, E. J. Wegman, J. L. Solka and C. E. Priebe, Simultaneous Selection of Features and "
    "Metric for Optimal Nearest Neighbor Classification, Communications in Statistics: Theory and Methods 33 (2004)",
    presets=(
        Preset(
            "paper, small",
            {"max_iterations": 1000, "stall_limit": 250},
            help="The paper's values for tables with fewer than 100 features.",
            max_features=99,
        ),
        Preset(
            "paper, large",
            {"max_iterations": 3000, "stall_limit": 750},
            help="The paper's values for tables with 100 features or more.",
            min_features=100,
        ),
    ),
)
class CSPSA(Method):
    """CSPSA, with which the paper compares BSPSA; each iteration measures y(w+), y(w-), and y at the updated w."""

    max_iterations: int = iterations_setting(1000, "three measurements", _TABLE)
    stall_limit: int = stall_setting(250, "paper, section Method Parameters: 25 % of the iterations")
    a: float = a_setting(0.75, _TABLE)
    A: float = stability_setting(0.0, _TABLE)
    alpha: float = alpha_setting(_TABLE)
    c: float = c_setting(0.01, _TABLE)
    gamma: float = setting(
        0.1,
        title="Decay gamma",
        help="How fast the perturbations shrink: c_k = c / (k + 1)^gamma.",
        source=_TABLE,
        ge=0,
        le=1,
    )

    def gain(self, k: int) -> float:
        """a_k for k = 0, 1, ..."""
        return gain(k, self.a, self.A, self.alpha)

    def perturbation(self, k: int) -> float:
        """c_k = c / (k + 1)^gamma for k = 0, 1, ..."""
        return float(self.c / (k + 1) ** self.gamma)

    def measurements(self, features: int) -> int:
        """Three per iteration, as counted in the paper: y(w_0) is not measured."""
        return 3 * self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """The recursion of the paper with w in [0, 1]; y(w_k) is requested with the pair of iteration k as in BSPSA."""
        w = beginning(problem, self.c)
        progress, known = Progress(self.stall_limit, problem), 0  # y(w_known) is already measured, or is not needed
        for k in problem.steps(self.max_iterations):
            a_k, c_k = self.gain(k), self.perturbation(k)
            delta = signs(rng, problem.features)
            masks = [rounded(bounded(w + c_k * delta)), rounded(bounded(w - c_k * delta))]
            trace = {"a_k": a_k, "c_k": c_k}
            if k == known:
                y_plus, y_minus = yield Proposal(masks, (False, False), k, w, trace)
            else:
                y, y_plus, y_minus = yield Proposal([rounded(w), *masks], (True, False, False), k, w, trace)
                if progress.stalled(k, y):
                    return End(progress.reason)
            g = slope(y_plus, y_minus, 2 * c_k) / delta
            w = bounded(w - a_k * g)
            if problem.is_last(k, self.max_iterations):
                known = k + 1
                progress.stalled(known, (yield Proposal([rounded(w)], (True,), known, w))[0])
        return End(message("all {known:,} iterations done", known=known))
