"""Binary simultaneous perturbation stochastic approximation (Aksakalli & Malekipirbazari; Wang & Spall 2011).

Symbols and steps are the paper's, section "Binary SPSA". With the default settings it is the paper's search; the
additional options are small methods of the class.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

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
    gradients_setting,
    iterations_setting,
    mean_gradient,
    rounded,
    shared_folds_setting,
    signs,
    stability_setting,
    stall_setting,
)
from fsdesk.methods.problem import LATE, METHODS, End, Loss, Mask, Method, Problem, Proposal, Search
from fsdesk.methods.ranking_selection import Seen
from fsdesk.settings import Preset, setting

_TABLE = "paper, table of BSPSA and CSPSA parameters"
_AS_PRINTED = "paper: not part of the published method"
_LARGE = {"max_iterations": 3000, "stall_limit": 750, "a": 1.5, "A": 300.0}


@METHODS.register(
    "bspsa",
    title="BSPSA",
    summary="Moves all feature weights at once along a gradient estimated from two noisy measurements.",
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
            _LARGE,
            help="The paper's values for tables with 100 features or more.",
            min_features=100,
        ),
        Preset(
            "paper, large, c = 0.1",
            {**_LARGE, "c": 0.1},
            help="As for large tables, with the c recommended in a comment in the authors' script.",
            min_features=100,
        ),
    ),
)
class BSPSA(Method):
    """The paper's search, with three measurements in every iteration: y(w+), y(w-), and y(w) at the next w."""

    max_iterations: int = iterations_setting(1000, "three measurements", _TABLE)
    stall_limit: int = stall_setting(250, "paper, section Method Parameters: 25 % of the iterations")
    a: float = a_setting(0.75, _TABLE)
    A: float = stability_setting(100.0, _TABLE)
    alpha: float = alpha_setting(_TABLE)
    c: float = c_setting(0.05, _TABLE, " Until a weight reaches its bounds, only a/c^2 matters.")
    shared_folds: bool = shared_folds_setting(False, _AS_PRINTED)
    gradients: int = gradients_setting(1, _AS_PRINTED)
    measure_every: int = setting(
        1,
        title="Measure current subset every",
        help="Number of steps between measurements of the subset given by the current weights; the last subset is "
        "always measured.",
        unit="iterations",
        source="paper: at every step",
        ge=1,
        le=1_000_000,
        level="all",
    )
    noise: float = setting(
        0.0,
        title="Injected noise q",
        zero="none",
        help="Adds decreasing random noise to all weights after each step, to escape local optima; 0 for none.",
        source="paper: left for future work; J. L. Maryak and D. C. Chin, IEEE Trans. Automatic Control 53 (2008)",
        ge=0,
        le=1,
        level="all",
    )
    n_finalists: int = setting(
        0,
        title="Finalists",
        zero="none",
        help="Number of best subsets re-estimated at the end, the best of which becomes the result; 0 takes the "
        "smallest single measurement.",
        source="paper: the smallest measurement",
        ge=0,
        le=1000,
        level="all",
    )
    finalist_measurements: int = setting(
        10,
        title="Measurements per finalist",
        help="Number of times each finalist is re-estimated, on new folds shared by all finalists.",
        source="enough to reduce the noise of a measurement to a third",
        ge=1,
        le=1000,
        level="all",
    )

    def gain(self, k: int) -> float:
        """a_k for k = 0, 1, ...; the worked example has a_0 = a / (A + 1)^alpha."""
        return gain(k, self.a, self.A, self.alpha)

    def noise_size(self, k: int) -> float:
        """q_k = q / sqrt((k + 1) log log(k + 16)): the decay of Maryak & Chin, shifted so that q_0 is about q."""
        return float(self.noise / np.sqrt((k + 1) * np.log(np.log(k + 16))))

    def measurements(self, features: int) -> int:
        """Three measurements per iteration, plus those of the options; as in the paper, y(w_0) is not measured."""
        N = self.max_iterations
        pairs, w_measured = 2 * self.gradients * N, (N - 1) // self.measure_every + 1
        return pairs + w_measured + self.n_finalists * self.finalist_measurements

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Steps 0 to 7 of the paper; y(w_k), which no step waits for, is measured with the pair of iteration k."""
        c = self.c
        w = beginning(problem, c)  # Step 0
        progress, known = Progress(self.stall_limit, problem), 0  # y(w_known) is already measured, or is not needed
        finalists, end = Finalists(self.n_finalists, self.finalist_measurements, problem), End("")
        for k in problem.steps(self.max_iterations):
            deltas = [signs(rng, problem.features) for _ in range(self.gradients)]  # Step 1
            probes = [side for delta in deltas for side in (w + c * delta, w - c * delta)]  # Step 2
            masks = [rounded(bounded(probe)) for probe in probes]
            proposal = self._proposal(k, w, masks, measured=k == known)  # Step 3
            if reason := finalists.due(proposal):
                end = yield from self._closed(w, k, finalists, progress, reason)
                if finalists.due(proposal):  # unless the user has extended the budget meanwhile
                    return end
            losses = yield proposal  # Step 4
            finalists.hear(proposal, losses)
            y, y_pairs = losses[: -len(probes)], losses[-len(probes) :]
            if y and progress.stalled(k, y[0]):
                end = yield from finalists.end(progress.reason, k)
                if not progress.renewed(k):
                    return end
            g = mean_gradient(deltas, y_pairs, c)  # Step 5
            w = self._shaken(bounded(w - self.gain(k) * g), k, rng)  # Step 6
            if problem.is_last(k, self.max_iterations):
                known = k + 1
                end = yield from self._closed(
                    w, known, finalists, progress, message("all {known:,} iterations done", known=known)
                )
        return end

    def _closed(
        self, w: NDArray[np.float64], k: int, finalists: "Finalists", progress: Progress, reason: str
    ) -> Search:
        """Step 7: measure the last w_k, then the finalists; the search continues if the user adds iterations."""
        last = Proposal([rounded(w)], (True,), k, w)
        losses = yield last
        finalists.hear(last, losses)
        progress.stalled(k, losses[0])
        return (yield from finalists.end(reason, k))

    def _proposal(self, k: int, w: NDArray[np.float64], probes: Sequence[Mask], *, measured: bool) -> Proposal:
        """The pairs of iteration k, preceded by y(w_k) if it is due and unknown.

        With shared folds, y(w_k) is measured on the folds of its pairs. This causes no bias: w_k was fixed before these
        folds were drawn, and every iteration draws new ones.
        """
        own = [] if measured or k % self.measure_every else [rounded(w)]
        return Proposal(
            [*own, *probes],
            (True,) * len(own) + (False,) * len(probes),
            k,
            w,
            {"a_k": self.gain(k)},
            folds="shared" if self.shared_folds else "fresh",
        )

    def _shaken(self, w: NDArray[np.float64], k: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Inject noise into the step, w + q_k N(0, 1), which makes the search global (Maryak & Chin)."""
        return bounded(w + self.noise_size(k) * rng.standard_normal(len(w))) if self.noise else w


@dataclass
class Finalists:
    """Ranking and selection: the best ``n`` distinct masks of a search, measured ``times`` more times at its end.

    The smallest of many noisy measurements is optimistic; measurements taken after the choice are not.
    """

    n: int
    times: int
    problem: Problem
    taken: int = 0
    seen: Seen = field(default_factory=Seen)

    def due(self, proposal: Proposal) -> str:
        """Why the finalists are measured now, or "" if they are not; they take at most half of the budget.

        They are measured when the time is nearly up, or when the budget has no room left for this proposal, one last w
        and the finalists.
        """
        if not self.n:
            return ""
        if self.problem.is_late:
            return LATE
        budget = self.problem.budget
        reserve = min(self.n * self.times, budget // 2)
        fits = self.taken + len(proposal.masks) + 1 + reserve <= budget
        return "" if fits else message("the budget of {budget:,} measurements is used up", budget=budget)

    def hear(self, proposal: Proposal, losses: Sequence[Loss]) -> None:
        """Update the running mean of every measured mask, including probes, because these may be good as well."""
        self.taken += len(losses)
        if self.n:
            self.seen.hear(proposal.masks, losses)

    def end(self, reason: str, k: int) -> Search:
        """Measure the finalists, each time all on the same folds; return the best, the smallest if several tie."""
        left = self.problem.budget - self.taken
        masks = self.seen.best(max(0, min(self.n, left)))
        if not masks:
            return End(reason)
        means = np.empty((min(self.times, left // len(masks)), len(masks)))
        for row in means:
            losses = yield Proposal(masks, (False,) * len(masks), k, folds="shared", confirms=True)
            row[:] = [loss.mean for loss in losses]
            self.taken += len(losses)
        average = np.nan_to_num(means.mean(axis=0), nan=np.inf, posinf=np.inf)
        best = min(range(len(masks)), key=lambda place: (average[place], masks[place].sum()))
        if not np.isfinite(average[best]):
            return End(reason)
        error = means[:, best].std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else losses[best].std_error
        return End(reason, masks[best], float(average[best]), float(error))
