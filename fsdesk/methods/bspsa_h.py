"""BSPSA-H: BSPSA with a calibrated gain, common random numbers, ranking and selection, and sequential halving.

Differences from the paper's BSPSA, whose symbols it keeps: the gain is calibrated, so that the scale of the criterion
does not matter; all subsets of an iteration share their folds; the leaders are measured again before one is chosen; and
tables with many features are searched in rounds, each among the features kept by the previous one (the paper's own
suggestion in its section "Summary and Conclusions"). The subsets of the rounds, remeasured side by side, form the curve
of error against size, and the best of them is the result.
"""

import sys
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import (
    Progress,
    alpha_setting,
    beginning,
    bounded,
    c_setting,
    gain,
    gradients_setting,
    rounded_within,
    signs,
    slope,
)
from fsdesk.methods.local_search import local_search
from fsdesk.methods.problem import LATE, METHODS, End, Loss, Mask, Method, Problem, Proposal, Search
from fsdesk.methods.ranking_selection import Confirmed, Rungs, Seen, confirm
from fsdesk.settings import Preset, setting

CALIBRATION = 5  # pairs from which the gain is calibrated
_MARGIN = 0.05  # distance from 0 and 1, for weights that are probabilities
_QUICKER = 0.75  # fraction of a round's time that the next one, with fewer features, is expected to take
ENOUGH = 60  # measurements below which a round is not worthwhile

Vector = NDArray[np.float64]
Nothing = Generator[Proposal, Sequence[Loss], None]
Heard = Generator[Proposal, Sequence[Loss], Sequence[Loss]]
Winner = Generator[Proposal, Sequence[Loss], Confirmed | None]
Winners = Generator[Proposal, Sequence[Loss], list[Confirmed]]

_MEASURED = "measured on the paper's data sets at equal budgets"
_MANY = 100  # number of features from which there are rounds
_FEW = 6  # number of features below which no further round begins
_CONFIRMATIONS = 5  # measurements of each round's subset, side by side

Reason = Generator[Proposal, Sequence[Loss], str]
Weights = dict[bytes, NDArray[np.float64]]


@METHODS.register(
    "bspsa-h",
    title="BSPSA-H",
    short="BSPSA-H",
    summary="BSPSA that sets its own step size, compares subsets on the same folds, remeasures its finalists, and "
    "narrows down a wide table in rounds, which gives the error for every number of features.",
    reference="V. Aksakalli and M. Malekipirbazari, Feature Selection via Binary Simultaneous Perturbation Stochastic "
    "Approximation, Pattern Recognition Letters 75 (2016), its sequential runs carried out; common random numbers: "
    "N. L. Kleinman, J. C. Spall and D. Q. Naiman, Simulation-Based Optimization with Stochastic Approximation Using "
    "Common Random Numbers, Management Science 45 (1999)",
    presets=(
        Preset(
            "recommended, small",
            {"max_measurements": 3000, "A": 100.0, "gradients": 3},
            help="For tables with fewer than 100 features: one round.",
            max_features=_MANY - 1,
        ),
        Preset(
            "recommended, large",
            {"max_measurements": 9000, "A": 300.0, "gradients": 1},
            help="For tables with 100 features or more: narrowed in rounds.",
            min_features=_MANY,
        ),
    ),
)
class BSPSAH(Method):
    """Rounds of calibrated BSPSA, planned so that they never exceed the budget."""

    sizes_asked = ("wanted", "most")

    max_measurements: int = setting(
        3000,
        title="Measurements",
        help="Total number of measurements. The search is planned around it; more measurements find better subsets.",
        source="the most that the paper's BSPSA takes: 3000 small, 9000 large",
        ge=1,
        le=100_000_000,
    )
    max_iterations: int = setting(
        0,
        title="Max. iterations",
        zero="unlimited",
        help="Number of steps, divided among the rounds, after which the search ends. Each step takes one pair of "
        "measurements per averaged slope and occasionally one more. 0: no limit besides the measurements.",
        source="0: the measurements are the limit",
        ge=0,
        le=1_000_000,
        level="all",
    )
    wanted: int = setting(
        0,
        title="Exact number of features",
        zero="any",
        help="Exact number of features in the result, or all if the table has fewer; 0 leaves it to the search. "
        "Features kept together count as one.",
        source="0: the best error decides",
        ge=0,
        le=1_000_000,
    )
    most: int = setting(
        0,
        title="Max. features",
        zero="unlimited",
        help="Maximum number of features in the result; 0 for no limit. An exact number takes precedence. "
        "Features kept together count as one.",
        source="0: the best error decides",
        ge=0,
        le=1_000_000,
    )
    stall_limit: int = setting(
        0,
        title="Stall limit",
        zero="none",
        help="Ends a round early when its subset has not improved for more than this many steps; 0 never does.",
        unit="iterations",
        source="off: the plan uses all measurements",
        ge=0,
        le=1_000_000,
        level="all",
    )
    rounds: int = setting(
        0,
        title="Rounds",
        zero="auto",
        help="Number of times the search restarts with the features kept so far; 0 derives it from the number of "
        "features.",
        source="0: one below 100 features, otherwise log2(features / 8)",
        ge=0,
        le=100,
        level="all",
    )
    thorough: Literal["none", "bernoulli", "local"] = setting(
        "none",
        title="Thorough",
        help="Alternative searches for small tables: lower errors in the search, though not always on new rows.",
        source=_MEASURED,
        choices={
            "none": "No, as in BSPSA",
            "bernoulli": "Draw subsets at random by weight, in opposite pairs",
            "local": "Finish by flipping single features, one by one, on fixed folds",
        },
        level="all",
    )
    c: float = c_setting(0.2, _MEASURED, level="all")
    A: float = setting(
        100.0,
        title="Stability constant A",
        help="Keeps the step size nearly constant for about this many steps.",
        unit="iterations",
        source="paper, table of BSPSA and CSPSA parameters: 100 small, 300 large",
        ge=0,
        le=1e6,
        level="all",
    )
    alpha: float = alpha_setting("paper, table of BSPSA and CSPSA parameters", level="all")
    step: float = setting(
        0.1,
        title="Calibrated step",
        help="Initial step size as a share of c; the gain a is set so that a typical difference moves the weights "
        "this far.",
        source=_MEASURED,
        gt=0,
        le=10,
        level="all",
    )
    gradients: int = gradients_setting(3, f"{_MEASURED}: 3 small, 1 large")
    measure_every: int = setting(
        5,
        title="Measure current subset every",
        help="How often the subset given by the current weights is measured.",
        unit="iterations",
        source=_MEASURED,
        ge=1,
        le=1_000_000,
        level="all",
    )
    first_finalists: int = setting(
        10,
        title="Finalists per round",
        help="Number of best subsets per round that are re-estimated.",
        source="enough to include the best one",
        ge=1,
        le=1000,
        level="all",
    )
    first_repeats: int = setting(
        3,
        title="Measurements per finalist",
        help="Number of times each finalist is re-estimated, on folds shared by all finalists.",
        source="enough to rule out hopeless ones",
        ge=1,
        le=1000,
        level="all",
    )
    last_finalists: int = setting(
        3,
        title="Top finalists per round",
        help="Number of finalists measured once more.",
        source="few, because they are measured often",
        ge=1,
        le=1000,
        level="all",
    )
    last_repeats: int = setting(
        10,
        title="Measurements per top finalist",
        help="Number of times each top finalist is measured; the search reports the mean.",
        source="reduces the noise of a measurement to a third",
        ge=1,
        le=1000,
        level="all",
    )

    def measurements(self, features: int) -> int:
        """The whole budget, or less if the iterations cannot use it; a search may end earlier still."""
        if not self.max_iterations:
            return self.max_measurements
        rounds = self.planned_rounds(features, self.max_measurements)
        each = 2 * self.gradients + 2  # if w is not a valid result, it is measured with the nearest valid one
        beside = 2 * CALIBRATION + 2 + self.rungs.measurements  # the first step's pairs, the last w, the race
        return min(self.max_measurements, self.max_iterations * each + rounds * beside + _CONFIRMATIONS * (rounds + 1))

    def planned_rounds(self, features: int, budget: int) -> int:
        """Number of rounds: log2(p / 8) from 100 features on, and never more than the budget justifies."""
        automatic = max(2, int(np.log2(features / 8))) if features >= _MANY else 1
        return min(self.rounds or automatic, max(1, budget // ENOUGH))

    def size_limits(self, features: int) -> tuple[int, int]:
        """Minimum and maximum number of features of the result.

        Rounds ignore the upper limit until at most twice as many features are left, or the last round begins; from then
        on larger subsets are reduced to the features with the largest w.
        """
        if self.wanted:
            return min(self.wanted, features), min(self.wanted, features)
        return 1, min(self.most or features, features)

    @property
    def rungs(self) -> Rungs:
        """The race at the end of a round."""
        return Rungs(self.first_finalists, self.first_repeats, self.last_finalists, self.last_repeats)

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Rounds with equal budgets, then the subsets of all rounds and the full set side by side.

        A given start is that of the first round: w_0 rounds to it, but is so close to .5 that a perturbation of c can
        flip any feature. If there is only one round, the search ends with its race.
        """
        budget = min(self.max_measurements, problem.budget)
        rounds = self.planned_rounds(problem.features, budget)
        reserve = _CONFIRMATIONS * (rounds + 1) if rounds > 1 else 0
        run = Rounds(self, problem, rng)
        winners, weights = list[Confirmed](), Weights()
        reason = yield from self._halved(run, rounds, budget - reserve, winners, weights)
        if rounds > 1:
            winners = yield from run.side_by_side(winners, run.times_in_time(len(winners) + 1, _CONFIRMATIONS))
        winners = yield from self._prolonged(run, rounds, winners, weights)
        if run.cuts:
            reason = reason or LATE
        if run.ends_by_iterations:
            reason = reason or message(
                "all {max_iterations:,} iterations done", max_iterations=self.max_iterations + problem.more_iterations
            )
        if run.has_stalled:
            reason = reason or message(
                "no better subset for more than {stall_limit:,} iterations", stall_limit=self.stall_limit
            )
        reason = reason or message(
            "the plan of {budget:,} measurements is carried out", budget=budget + problem.planned
        )
        answer = next((point for point in winners if run.allows(point.mask)), None)
        if answer is None:
            return End(reason)
        shown = weights.get(answer.mask.tobytes(), answer.mask.astype(np.float64))
        return End(reason, answer.mask, answer.mean, answer.std_error, shown)

    def _halved(self, run: "Rounds", rounds: int, budget: int, winners: list[Confirmed], weights: Weights) -> Reason:
        """Rounds starting from all features, within a budget; adds their winners, and says why they ended early."""
        kept, reason = np.arange(run.problem.features), ""
        for number in range(1, rounds + 1):
            run.rounds_after = min(rounds - number, run.rounds_in_time() - 1)
            run.last_k = self.max_iterations * number // rounds if self.max_iterations else sys.maxsize
            winner = yield from run.round(number, kept, budget // rounds, is_last=run.rounds_after < 1)
            if winner is None:
                break
            winners.append(winner)
            weights[winner.mask.tobytes()] = run.weights
            if number < rounds and winner.mask.sum() < _FEW and run.allows(winner.mask):
                reason = message("fewer than {few} features were left after round {number}", few=_FEW, number=number)
                break
            if run.problem.is_late or (number < rounds and not run.rounds_in_time()):
                reason = LATE
                break
            kept = np.flatnonzero(winner.mask)
        return reason

    def _prolonged(self, run: "Rounds", rounds: int, winners: list[Confirmed], weights: Weights) -> Winners:
        """Continue with the last round and compare again if the user extends a completed plan.

        If the time limit shortened the rounds, they start again, because features were dropped after few tests.
        """
        while more := (granted := run.problem.granted()) or run.left_by_time():
            anew = rounds > 1 and not granted and not self.max_iterations and more >= rounds * ENOUGH
            reserve = min(_CONFIRMATIONS * (len(winners) + (rounds if anew else 1) + 1), more // 4)
            winners = list(winners)
            if anew:
                yield from self._halved(run, rounds, more - reserve, winners, weights)
            elif winner := (yield from run.further(more - reserve)):
                winners.append(winner)
                weights[winner.mask.tobytes()] = run.weights
            times = min(reserve // (len(winners) + 1), run.times_in_time(len(winners) + 1, _CONFIRMATIONS))
            if times:
                winners = yield from run.side_by_side(winners, times)
        return winners


@dataclass
class Rounds:
    """A search in progress.

    Attributes
    ----------
    number, k, j
        Round, from 1; iteration of the whole search and of the round, from 0.
    features
        (n,) indices of the features from which this round chooses.
    seen
        The masks of this round that enter its race.
    w, a
        (n,) weights of these features; the calibrated gain, 0 until two losses have differed.
    low, high
        Limits on the number of features of the masks in this round.
    has_stalled
        Whether any round ended before using up its measurements.
    taken
        Measurements excluding the races.
    last_k
        The iteration of the whole search at which this round ends by the user's limit, excluding later additions.
    rounds_after
        Number of rounds planned after this one.
    pace
        Seconds per measurement of the last round, 0 until known; ``slowest`` is the longest of all.
    is_cut, cuts
        Whether this round was shortened for lack of time, and how many rounds were.
    """

    method: BSPSAH
    problem: Problem
    rng: np.random.Generator
    features: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    seen: Seen = field(default_factory=Seen)
    number: int = 0
    k: int = 0
    j: int = 0
    a: float = 0.0
    w: Vector = field(default_factory=lambda: np.empty(0))
    low: int = 1
    high: int = 1
    has_stalled: bool = False
    taken: int = 0
    last_k: int = sys.maxsize
    rounds_after: int = 0
    pace: float = 0.0
    slowest: float = 0.0
    is_cut: bool = False
    cuts: int = 0
    _began: tuple[int, float] = (0, 0.0)
    _heard: int = 0

    def round(self, number: int, kept: NDArray[np.intp], budget: int, *, is_last: bool) -> Winner:
        """Search among the features kept; return the best subset as remeasured."""
        method, n = self.method, len(kept)
        self._began, self.is_cut = (self.taken, self.problem.seconds), False
        fewest, most = method.size_limits(self.problem.features)
        self.number, self.features, self.seen, self.j, self.a = number, kept, Seen(), 0, 0.0
        # A size limit applies once halving has come near it; before, it would discard untested features.
        self.low, self.high = min(fewest, n), min(most, n) if is_last or n <= 2 * most else n
        self.w = beginning(self.problem, method.c) if number == 1 else np.full(n, 0.5)
        reserve = min(method.rungs.measurements, budget // 10)
        room = budget - reserve
        polish = room // 2 if is_last and method.thorough == "local" else 0
        yield from self._descend(room - polish)
        yield from self._polish(polish)
        if self.is_cut:
            reserve = min(reserve, max(3, (self.taken - self._began[0]) // 9))
        return (yield from method.rungs.race(self.seen, reserve, self._proposal([], ())))

    def rounds_in_time(self) -> int:
        """Number of further worthwhile rounds within the user's time, if they are no faster than the last."""
        left = self.problem.seconds_to_lateness
        return int(left / self.pace // ENOUGH) if self.pace and np.isfinite(left) else sys.maxsize

    def times_in_time(self, masks: int, times: int) -> int:
        """How many of these measurements, of several masks each, fit in the remaining time; at least one."""
        problem = self.problem
        if not (problem.most_seconds and self.slowest):
            return times
        left = (problem.most_seconds - problem.seconds) / self.slowest
        return max(1, min(times, int(left // (masks + 1))))  # the full set takes up to twice as long as a subset

    def _in_time(self, more: int) -> bool:
        """Whether the user's time allows this many more measurements here, and about as many in each later round."""
        done, seconds = self.taken - self._began[0], self.problem.seconds - self._began[1]
        if not self.problem.most_seconds or not done or seconds <= 0:
            return True
        self.pace = seconds / done
        self.slowest = max(self.slowest, self.pace)
        in_all = max(0.0, done + self.problem.seconds_to_lateness / self.pace)
        rounds = max(1, min(self.rounds_after + 1, int(in_all // ENOUGH)))
        parts = sum(_QUICKER**each for each in range(rounds))
        return done + more <= 0.9 * in_all / parts  # the race takes a tenth

    def allows(self, mask: Mask) -> bool:
        """Whether a mask has a number of features allowed for the result."""
        fewest, most = self.method.size_limits(self.problem.features)
        return fewest <= int(mask.sum()) <= most

    def further(self, most: int) -> Winner:
        """Continue the last round for this many more measurements; return its best subset, remeasured."""
        reserve, self.rounds_after = min(self.method.rungs.measurements, most // 4), 0
        self._began, self.is_cut = (self.taken, self.problem.seconds), False
        yield from self._descend(most - reserve)
        return (yield from self.method.rungs.race(self.seen, reserve, self._proposal([], ())))

    def side_by_side(self, winners: Sequence[Confirmed], times: int) -> Winners:
        """Remeasure the subsets of all rounds and the full set, all on the same folds; the best first."""
        masks = {point.mask.tobytes(): point.mask for point in winners}
        full = np.ones(self.problem.features, dtype=np.bool_)
        finalists = list({full.tobytes(): full, **masks}.values())
        return (yield from confirm(finalists, times, self._proposal([], ())))

    def _descend(self, room: int) -> Nothing:
        """Take BSPSA steps as long as the budget covers them and the last w; the first also calibrates the gain."""
        pairs, own = min(CALIBRATION, max(1, (room - 1) // 6)), self._subsets_of_w()
        progress = Progress(self.method.stall_limit or sys.maxsize)
        while (room := room + self.problem.granted()) > len(own) + 2 and not self._is_over:
            pairs = min(pairs, (room - len(own) - 1) // 2)
            if not self._in_time(len(own) + 2 * pairs + 1):
                self._cut()
                break
            losses = yield from self._step(own, pairs)
            room -= len(own) + 2 * pairs
            if losses and progress.stalled(self.j, losses[-1]):
                self.has_stalled = True
                return
            pairs = self.method.gradients
            own = [] if self.j % self.method.measure_every else self._subsets_of_w()
        if self.problem.is_late:
            self._cut()
        if room:
            own = self._subsets_of_w()
            yield from self._ask(own[:1], [self.allows(own[0])], aside=len(own) - 1)

    @property
    def ends_by_iterations(self) -> bool:
        """Whether the user's limit on iterations has ended the search."""
        return self.k >= self.last_k + self.problem.more_iterations

    def left_by_time(self) -> int:
        """Planned measurements skipped for lack of time, once the user has allowed more time; otherwise none."""
        if not self.cuts or self.problem.extensions == self._heard:
            return 0
        return max(0, self.problem.budget - self.problem.measured)

    def _cut(self) -> None:
        self.is_cut, self.cuts, self._heard = True, self.cuts + 1, self.problem.extensions

    @property
    def _is_over(self) -> bool:
        """Whether the time or the iterations are used up."""
        return self.problem.is_late or self.ends_by_iterations

    def _step(self, own: Sequence[Mask], pairs: int) -> Heard:
        """Measure pairs, and w if it is due, on the same folds; move all weights along the mean slope.

        Returns the losses of ``own``.
        """
        c = self.method.c
        directions, probes = zip(*(self._pair() for _ in range(pairs)), strict=True)
        masks = [*own, *(mask for pair in probes for mask in pair)]
        candidates = [self.allows(mask) for mask in own] + [False] * (2 * pairs)
        losses = yield from self._ask(masks, candidates, aside=max(0, len(own) - 1))
        y_pairs = losses[len(own) :]
        slopes = [slope(plus, minus, 2 * c) for plus, minus in zip(y_pairs[::2], y_pairs[1::2], strict=True)]
        self.a = self.a or self._calibrated(float(np.mean(np.abs(slopes))))
        g = np.mean([s * direction for s, direction in zip(slopes, directions, strict=True)], axis=0)
        margin = _MARGIN if self.method.thorough == "bernoulli" else 0.0
        self.w = np.clip(self.w - self._gain() * g, margin, 1 - margin)
        self.j += 1
        self.k += 1
        return losses[: len(own)]

    def _calibrated(self, mean_slope: float) -> float:
        """The gain a with which the first step moves each weight by a set fraction of c, for any scale of the loss."""
        method = self.method
        return method.step * method.c * (method.A + 1) ** method.alpha / mean_slope if mean_slope else 0.0

    def _gain(self) -> float:
        return gain(self.j, self.a, self.method.A, self.method.alpha)

    def _pair(self) -> tuple[Vector, tuple[Mask, Mask]]:
        """(n,) direction, and the masks on its two sides."""
        n = len(self.w)
        if self.method.thorough == "bernoulli":
            u = self.rng.random(n)
            plus, minus = self._rounded(self.w - u + 0.5), self._rounded(self.w + u - 0.5)
            return plus.astype(np.float64) - minus, (plus, minus)
        delta = signs(self.rng, n)
        sides = [self._rounded(bounded(self.w + side * self.method.c * delta)) for side in (1, -1)]
        return delta, (sides[0], sides[1])

    def _rounded(self, w: Vector) -> Mask:
        return rounded_within(w, self.low, self.high, self.rng)

    def _subsets_of_w(self) -> list[Mask]:
        """The subset given by w; if it is not a valid result, it is preceded by the nearest valid one."""
        own = [self._rounded(self.w)]
        fewest, most = self.method.size_limits(self.problem.features)
        if int(own[0].sum()) > most:
            own.insert(0, rounded_within(self.w, fewest, most, self.rng))
        return own

    def _polish(self, room: int) -> Nothing:
        """Search locally from the best mask so far, on the folds of the full set's measurement."""
        leaders = self.seen.best(1)
        if room and leaders:
            search = local_search(leaders[0][self.features], room, self.low, self.high, self.rng)
            with suppress(StopIteration):
                masks = next(search)
                while not self.problem.is_late:
                    masks = search.send((yield from self._ask(masks, [False] * len(masks), fixed=True)))

    def _ask(self, masks: Sequence[Mask], candidates: Sequence[bool], *, aside: int = 0, fixed: bool = False) -> Heard:
        """Measure masks of this round's features, and store them as masks of all features.

        New folds are used, or with ``fixed`` those of the full set. The first ``aside`` masks serve as the result if
        the search is stopped now; they do not enter the race: if one of them won a round that ignores the limit, the
        features of all later rounds would be lost.
        """
        wide = np.zeros((len(masks), self.problem.features), dtype=np.bool_)
        wide[:, self.features] = masks
        proposal = self._proposal(list(wide), candidates)
        losses = yield replace(proposal, folds=0) if fixed else proposal
        self.seen.hear(proposal.masks[aside:], losses[aside:])
        self.taken += len(masks)
        return losses

    @property
    def weights(self) -> Vector:
        """(p,) w of this round, 0 for features removed in earlier rounds."""
        weights = np.zeros(self.problem.features)
        weights[self.features] = self.w
        return weights

    def _proposal(self, masks: Sequence[Mask], candidates: Sequence[bool]) -> Proposal:
        """A proposal on folds shared by its masks, shown with the current weights."""
        trace = {"a_k": self._gain(), "round": float(self.number), "features_left": float(len(self.features))}
        return Proposal(masks, candidates, self.k, self.weights, trace, folds="shared")
