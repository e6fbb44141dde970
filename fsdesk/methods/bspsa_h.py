"""BSPSA-H: BSPSA with a calibrated gain, common random numbers, ranking and selection, and sequential halving.

Beside the paper's BSPSA, whose symbols it keeps: the gain is calibrated, so that the scale of the criterion does not
matter; all subsets of an iteration share their folds; the leaders are measured again before one is chosen; and tables
of many features are searched in rounds, each among the features that the round before kept (the paper's own suggestion
in its section "Summary and Conclusions"). The rounds' subsets, measured again side by side, are the curve of error
against size, and the best of them is the answer.
"""

import sys
from collections.abc import Generator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import alpha_setting, c_setting, gradients_setting
from fsdesk.methods.problem import LATE, METHODS, End, Loss, Method, Problem, Proposal, Search
from fsdesk.methods.ranking_selection import Confirmed, Rungs
from fsdesk.methods.rounds import CALIBRATION, ENOUGH, Rounds
from fsdesk.settings import Preset, setting

_MEASURED = "measured on the paper's data sets at equal budgets"
_MANY = 100  # features from which on there are rounds
_FEW = 6  # features below which no further round begins
_CONFIRMATIONS = 5  # measurements of each round's subset, side by side

Winners = Generator[Proposal, Sequence[Loss], list[Confirmed]]
Reason = Generator[Proposal, Sequence[Loss], str]
Weights = dict[bytes, NDArray[np.float64]]


@METHODS.register(
    "bspsa-h",
    title="BSPSA-H",
    short="BSPSA-H",
    summary="BSPSA that sets its own step size, compares subsets on the same folds, measures its finalists again, and "
    "narrows a wide table down in rounds, which shows the error for every number of features.",
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
            help="For tables with 100 features or more: narrowed down in rounds.",
            min_features=_MANY,
        ),
    ),
)
class BSPSAH(Method):
    """Rounds of calibrated BSPSA; the budget is planned for, and never exceeded."""

    sizes_asked = ("wanted", "most")

    max_measurements: int = setting(
        3000,
        title="Measurements",
        help="How many subsets are measured in all; the search plans with this number, and more find more.",
        source="as many as the paper's BSPSA takes at the most: 3000 small, 9000 large",
        ge=1,
        le=100_000_000,
    )
    max_iterations: int = setting(
        0,
        title="Iterations, at most",
        zero="unlimited",
        help="The search ends after this many steps, shared out among its rounds; each takes a pair of measurements "
        "for every slope averaged, and now and then one more. 0 spends the measurements.",
        source="0: the measurements are the limit",
        ge=0,
        le=1_000_000,
        level="all",
    )
    wanted: int = setting(
        0,
        title="Features wanted",
        zero="any",
        help="The answer has exactly so many features, or all where the table has fewer; 0 leaves it to the search. "
        "Features that go together count as one.",
        source="0: the best error decides",
        ge=0,
        le=1_000_000,
    )
    most: int = setting(
        0,
        title="Features, at most",
        zero="unlimited",
        help="The answer has no more features than this; 0 sets no limit, and a number wanted goes first. Features "
        "that go together count as one.",
        source="0: the best error decides",
        ge=0,
        le=1_000_000,
    )
    stall_limit: int = setting(
        0,
        title="Stall limit",
        zero="none",
        help="A round ends early when its subset has not improved for more than this many steps; 0 spends the plan.",
        unit="iterations",
        source="off: the plan is made for all of the measurements",
        ge=0,
        le=1_000_000,
        level="all",
    )
    rounds: int = setting(
        0,
        title="Rounds",
        zero="auto",
        help="How often the search begins anew with the features it kept; 0 chooses by the number of features.",
        source="0: one below 100 features, else log2(features / 8)",
        ge=0,
        le=100,
        level="all",
    )
    thorough: Literal["none", "bernoulli", "local"] = setting(
        "none",
        title="Thorough",
        help="Other ways to search a small table: lower errors in the search, not always on new rows.",
        source=_MEASURED,
        choices={
            "none": "No, as BSPSA",
            "bernoulli": "Draw the subsets at random by their weights, in opposite pairs",
            "local": "End by turning single features over, one after the other, on fixed folds",
        },
        level="all",
    )
    c: float = c_setting(0.2, _MEASURED, level="all")
    A: float = setting(
        100.0,
        title="Stability constant A",
        help="Keeps the steps at nearly the same size until about so many were made.",
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
        help="Size of the first steps as a share of c; the gain a is set so that a typical difference moves so far.",
        source=_MEASURED,
        gt=0,
        le=10,
        level="all",
    )
    gradients: int = gradients_setting(3, f"{_MEASURED}: 3 small, 1 large")
    measure_every: int = setting(
        5,
        title="Measure w every so many steps",
        help="How often the subset that the weights stand for is measured.",
        unit="iterations",
        source=_MEASURED,
        ge=1,
        le=1_000_000,
        level="all",
    )
    first_finalists: int = setting(
        10,
        title="Finalists of a round",
        help="So many of the best subsets of a round are measured again.",
        source="enough to hold the best one",
        ge=1,
        le=1000,
        level="all",
    )
    first_repeats: int = setting(
        3,
        title="Measurements of a finalist",
        help="How often each finalist is measured again, always on the same folds as the others.",
        source="tells the hopeless ones apart",
        ge=1,
        le=1000,
        level="all",
    )
    last_finalists: int = setting(
        3,
        title="Last finalists of a round",
        help="So many of the finalists are measured once more.",
        source="few, for they are measured often",
        ge=1,
        le=1000,
        level="all",
    )
    last_repeats: int = setting(
        10,
        title="Measurements of a last finalist",
        help="How often each of the last finalists is measured; their mean is what the search reports.",
        source="brings the noise of a measurement down to a third",
        ge=1,
        le=1000,
        level="all",
    )

    def measurements(self, features: int) -> int:
        """The whole budget, or less where the iterations cannot take it; a search may end earlier still."""
        if not self.max_iterations:
            return self.max_measurements
        rounds = self.planned_rounds(features, self.max_measurements)
        each = 2 * self.gradients + 2  # where w cannot be the answer, it is measured with the nearest that can
        beside = 2 * CALIBRATION + 2 + self.rungs.measurements  # the first step's pairs, the last w, the race
        return min(self.max_measurements, self.max_iterations * each + rounds * beside + _CONFIRMATIONS * (rounds + 1))

    def planned_rounds(self, features: int, budget: int) -> int:
        """How many rounds there are: log2(p / 8) from 100 features on, and never more than the budget is worth."""
        automatic = max(2, int(np.log2(features / 8))) if features >= _MANY else 1
        return min(self.rounds or automatic, max(1, budget // ENOUGH))

    def size_limits(self, features: int) -> tuple[int, int]:
        """Fewest and most features that the answer may have.

        Rounds stay free of the upper limit until at most twice as many features are left, or the last round begins;
        from then on subsets of more take the features of the largest w.
        """
        if self.wanted:
            return min(self.wanted, features), min(self.wanted, features)
        return 1, min(self.most or features, features)

    @property
    def rungs(self) -> Rungs:
        """The race at the end of a round."""
        return Rungs(self.first_finalists, self.first_repeats, self.last_finalists, self.last_repeats)

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Rounds of equal budgets, then the subsets of all rounds and the full set side by side.

        A given start begins the first round: w_0 rounds to it, near enough to .5 that a push of c turns any feature
        over. Where there is one round only, its race is the end.
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

    def _halved(self, run: Rounds, rounds: int, budget: int, winners: list[Confirmed], weights: Weights) -> Reason:
        """Rounds from all features on, within a budget; adds their winners, and says why they ended before it did."""
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

    def _prolonged(self, run: Rounds, rounds: int, winners: list[Confirmed], weights: Weights) -> Winners:
        """Where the user adds to a plan that is carried out, go on with the last round, then compare.

        Where the time had shortened the rounds, they begin anew: features went that were hardly looked at.
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
