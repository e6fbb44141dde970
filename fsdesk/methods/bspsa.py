"""Binary simultaneous perturbation stochastic approximation (Aksakalli & Malekipirbazari; Wang & Spall 2011).

Symbols and steps are the paper's, section "Binary SPSA".
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.methods.problem import METHODS, End, Mask, Method, Problem, Proposal, Search
from fsdesk.settings import Preset, setting

__all__ = ["BSPSA"]

_TABLE = "paper, table of BSPSA and CSPSA parameters"


@METHODS.register(
    "bspsa",
    title="BSPSA",
    summary="Moves all feature weights at once along a gradient that is guessed from two noisy measurements.",
    reference="V. Aksakalli and M. Malekipirbazari, Feature Selection via Binary Simultaneous Perturbation Stochastic "
    "Approximation, Pattern Recognition Letters 75 (2016)",
    presets=(
        Preset(
            "paper, small",
            {"max_iterations": 1000, "stall_limit": 250, "a": 0.75, "A": 100.0},
            help="The paper's values for tables with fewer than 100 features.",
            max_features=99,
        ),
        Preset(
            "paper, large",
            {"max_iterations": 3000, "stall_limit": 750, "a": 1.5, "A": 300.0},
            help="The paper's values for tables with 100 features or more.",
            min_features=100,
        ),
    ),
)
class BSPSA(Method):
    """The paper's search; every iteration takes three measurements: y(w+), y(w-) and y(w) of the next w."""

    max_iterations: int = setting(
        1000,
        title="Iterations, at most",
        help="The search ends after this many steps; each takes three measurements.",
        source=_TABLE,
        ge=1,
        le=1_000_000,
    )
    stall_limit: int = setting(
        250,
        title="Stall limit",
        help="The search ends early when the best error has not improved for more than this many steps.",
        unit="iterations",
        source="paper, section Method Parameters: 25 % of the iterations",
        ge=1,
        le=1_000_000,
    )
    a: float = setting(
        0.75,
        title="Gain a",
        help="Size of the steps: a_k = a / (A + k)^alpha. Larger moves faster and less steadily.",
        source=_TABLE,
        gt=0,
        le=1e6,
    )
    A: float = setting(
        100.0,
        title="Stability constant A",
        help="Keeps the first steps small; about a tenth of the iterations.",
        unit="iterations",
        source=_TABLE,
        ge=0,
        le=1e6,
    )
    alpha: float = setting(
        0.6,
        title="Decay alpha",
        help="How fast the steps shrink; 0.6 is the best value for a finite search.",
        source=_TABLE,
        gt=0,
        le=1,
    )
    c: float = setting(
        0.05,
        title="Perturbation c",
        help="How far all weights are pushed up or down to feel the slope. "
        "Until a weight reaches 0 or 1 only a/c^2 matters.",
        source=_TABLE,
        gt=0,
        le=0.5,
    )

    def gain(self, k: int) -> float:
        """a_k for k = 0, 1, ...; the worked example has a_0 = a / (A + 1)^alpha."""
        return float(self.a / (self.A + k + 1) ** self.alpha)

    def measurements(self, features: int) -> int:
        """Three an iteration, as the paper counts them: y(w_0) is not taken."""
        return 3 * self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Steps 0 to 7 of the paper; y(w_k), which no step waits for, is asked with the pair of iteration k."""
        p, c = problem.features, self.c
        w = np.full(p, 0.5)  # Step 0
        best, best_k = np.inf, 0
        for k in range(self.max_iterations):
            delta = rng.integers(0, 2, size=p) * 2.0 - 1.0  # Step 1: symmetric Bernoulli, +1 or -1
            w_plus, w_minus = w + c * delta, w - c * delta  # Step 2
            pair = [rounded(bounded(w_plus)), rounded(bounded(w_minus))]  # Step 3
            a_k = self.gain(k)
            if k == 0:
                y_plus, y_minus = yield Proposal(pair, (False, False), k, w, {"a_k": a_k})  # Step 4
            else:
                y, y_plus, y_minus = yield Proposal([rounded(w), *pair], (True, False, False), k, w, {"a_k": a_k})
                if y.mean < best:
                    best, best_k = y.mean, k
                if k - best_k > self.stall_limit:
                    return End(f"no better subset for more than {self.stall_limit} iterations")
            difference = y_plus.mean - y_minus.mean
            if np.isfinite(difference):  # a loss that could not be measured tells no direction
                g = difference / (2 * c) / delta  # Step 5
                w = bounded(w - a_k * g)  # Step 6
        yield Proposal([rounded(w)], (True,), self.max_iterations, w)
        return End(f"all {self.max_iterations} iterations done")  # Step 7


def bounded(w: NDArray[np.float64]) -> NDArray[np.float64]:
    """B: each component into [0, 1]."""
    return np.clip(w, 0.0, 1.0)


def rounded(w: NDArray[np.float64]) -> Mask:
    """R: a feature is in where w >= 0.5; where none is, the one with the largest w, for a mask is never empty."""
    mask: Mask = w >= 0.5
    if not mask.any():
        mask[np.argmax(w)] = True
    return mask
