"""SPSA with Barzilai-Borwein gains, derived from the last two steps (Aksakalli et al. 2021).

Three faults of the published program are avoided here: losses are not rounded, a mask is never empty, and the starting
point is not chosen by another model that has seen all classes.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import (
    Progress,
    c_setting,
    gradients_setting,
    iterations_setting,
    mean_gradient,
    shared_folds_setting,
    signs,
    start_offset,
)
from fsdesk.methods.problem import METHODS, End, Mask, Method, Problem, Proposal, Search
from fsdesk.settings import Preset, setting

_SOURCE = "Aksakalli et al. 2021"
_EQUAL = "the paper's budget of 3000 measurements for small tables"


@METHODS.register(
    "spsa-bb",
    title="SPSA-BB",
    summary="Moves all feature weights at once along an averaged gradient and derives the step size from the last "
    "two steps; it can search for a given number of features.",
    reference="V. Aksakalli, Z. D. Yenice, M. Malekipirbazari and K. Kargar, Feature Selection Using Stochastic "
    "Approximation with Barzilai and Borwein Non-Monotone Gains, Computers & Operations Research 132 (2021); "
    "J. Barzilai and J. M. Borwein, Two-Point Step Size Gradient Methods, IMA Journal of Numerical Analysis 8 (1988)",
    presets=(
        Preset(
            "small",
            {"max_iterations": 333},
            help="3000 measurements, for tables with fewer than 100 features.",
            max_features=99,
        ),
        Preset(
            "large",
            {"max_iterations": 1000},
            help="9000 measurements, for tables with 100 features or more.",
            min_features=100,
        ),
    ),
)
class SPSABB(Method):
    """SPSA with Barzilai-Borwein gains; every iteration takes 2m + 1 measurements: m pairs, and y(w) of the next w."""

    sizes_asked = ("number_of_features",)

    max_iterations: int = iterations_setting(333, "two measurements for each averaged slope and one more", _EQUAL)
    number_of_features: int = setting(
        0,
        title="Number of features",
        zero="any",
        help="Number of features in the subset, chosen by largest weight; 0 lets the search decide. Features kept "
        "together count as one.",
        unit="features",
        source="Aksakalli et al. 2021: by the sign of the weights",
        ge=0,
        le=1_000_000,
    )
    c: float = c_setting(0.05, _SOURCE)
    gradients: int = gradients_setting(4, _SOURCE)
    shared_folds: bool = shared_folds_setting(True, "a steadier gradient for the same number of measurements")
    restart_after: int = setting(
        35,
        title="Restart after",
        help="Restarts the search, keeping its best subset, when that has not improved for more than this many steps.",
        unit="iterations",
        source=_SOURCE,
        ge=1,
        le=1_000_000,
        level="all",
    )
    stall_limit: int = setting(
        0,
        title="Stall limit",
        zero="none",
        help="Ends the search early when the best error has not improved for more than this many steps, including "
        "restarts; 0 never does.",
        unit="iterations",
        source="off: it restarts instead, as in Aksakalli et al. 2021",
        ge=0,
        le=1_000_000,
        level="all",
    )
    min_gain: float = setting(
        0.01,
        title="Min. gain",
        help="The gain of the first step, and of steps for which the last two are uninformative; it is also the "
        "minimum gain.",
        source=_SOURCE,
        gt=0,
        le=100,
        level="all",
    )
    max_gain: float = setting(
        2.0,
        title="Max. gain",
        help="No step uses a larger gain than this.",
        source=_SOURCE,
        gt=0,
        le=100,
        level="all",
    )
    averaged_gains: int = setting(
        1,
        title="Gains averaged",
        help="Number of recent gains averaged for each step; 3 makes it steadier.",
        source=_SOURCE,
        ge=1,
        le=1000,
        level="all",
    )
    step_cap: float = setting(
        0.2,
        title="Max. step",
        help="Maximum change of a weight in one step.",
        source=_SOURCE,
        gt=0,
        le=100,
        level="all",
    )

    def measurements(self, features: int) -> int:
        """2m + 1 per iteration; y(w_0) is not measured, as counted in the paper."""
        return (2 * self.gradients + 1) * self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Start w, which is unbounded, at 0, or slightly above and below 0 if a start is given."""
        w = w_0 = start_offset(problem, self.c)
        past = _Past(self)
        patience = Progress(self.stall_limit or sys.maxsize, problem)
        progress, known = Progress(self.restart_after), 0  # y(w_known) is already measured, or is not needed
        for k in problem.steps(self.max_iterations):
            deltas = [signs(rng, problem.features) for _ in range(self.gradients)]
            probes = [side for delta in deltas for side in (w + self.c * delta, w - self.c * delta)]
            losses = yield self._proposal(k, w, probes, past.latest, rng, measured=k == known)
            if k != known and patience.stalled(k, losses[0]):
                return End(patience.reason)
            if k != known and progress.stalled(k, losses[0]):
                w, past, progress.best_k = w_0, _Past(self), k
            else:
                g = mean_gradient(deltas, losses[-len(probes) :], self.c)
                a_k = past.gain(w, g)
                w = w - np.clip(a_k * g, -self.step_cap, self.step_cap)
            if problem.is_last(k, self.max_iterations):
                known = k + 1
                progress.stalled(known, (yield Proposal([self._mask(w, rng)], (True,), known, shown(w)))[0])
        return End(message("all {known:,} iterations done", known=known))

    def _proposal(
        self,
        k: int,
        w: NDArray[np.float64],
        probes: Sequence[NDArray[np.float64]],
        a_k: float,
        rng: np.random.Generator,
        *,
        measured: bool,
    ) -> Proposal:
        """All pairs of iteration k, preceded by y(w_k) if unknown; the trace has the gain that led to w_k."""
        own = [] if measured else [self._mask(w, rng)]
        return Proposal(
            [*own, *(self._mask(probe, rng) for probe in probes)],
            (True,) * len(own) + (False,) * len(probes),
            k,
            shown(w),
            {"a_k": a_k},
            folds="shared" if self.shared_folds else "fresh",
        )

    def _mask(self, w: NDArray[np.float64], rng: np.random.Generator) -> Mask:
        return k_best(w, self.number_of_features, rng) if self.number_of_features else by_sign(w)


@dataclass
class _Past:
    """The last w and g, and the gains since the search started or restarted."""

    method: SPSABB
    w: NDArray[np.float64] | None = None
    g: NDArray[np.float64] | None = None
    gains: list[float] = field(default_factory=list)

    @property
    def latest(self) -> float:
        """The gain of the last step; before the first step, the gain that it will have."""
        return float(np.mean(self.gains[-self.method.averaged_gains :])) if self.gains else self.method.min_gain

    def gain(self, w: NDArray[np.float64], g: NDArray[np.float64]) -> float:
        """a_k for a step from w along g."""
        smallest, largest = self.method.min_gain, self.method.max_gain
        if self.w is None or self.g is None:
            self.gains.append(smallest)
        else:
            self.gains.append(barzilai_borwein(w - self.w, g - self.g, smallest, largest))
        self.w, self.g = w, g
        return self.latest


def barzilai_borwein(s: NDArray[np.float64], t: NDArray[np.float64], smallest: float, largest: float) -> float:
    """Return s.s / s.t within [smallest, largest]; the smallest if s.t < 1e-8.

    s = w_k - w_{k-1} and t = g_k - g_{k-1}, both (p,): 1 / gain is the curvature along the last step.
    """
    s_t = float(np.sum(s * t))
    return min(max(float(np.sum(s * s)) / s_t, smallest), largest) if s_t >= 1e-8 else smallest


def by_sign(w: NDArray[np.float64]) -> Mask:
    """Features with w >= 0; if there are none, the one with the largest w."""
    mask: Mask = w >= 0
    if not mask.any():
        mask[np.argmax(w)] = True
    return mask


def k_best(w: NDArray[np.float64], k: int, rng: np.random.Generator) -> Mask:
    """The k largest of w, or all if there are no more; ties, such as all of w_0, are broken at random."""
    order = rng.permutation(len(w))
    mask = np.zeros(len(w), dtype=np.bool_)
    mask[order[np.argsort(-w[order], kind="stable")[:k]]] = True
    return mask


def shown(w: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squash w into [0, 1], 1 / (1 + exp(-w)): .5 where w = 0."""
    return 0.5 * (1.0 + np.tanh(0.5 * w))
