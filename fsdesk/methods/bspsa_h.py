"""BSPSA-H: BSPSA with a calibrated gain, common random numbers, ranking and selection, and sequential halving.

Beside the paper's BSPSA, whose symbols it keeps: the gain is calibrated, so that the scale of the criterion does not
matter; all subsets of an iteration share their folds; the leaders are measured again before one is chosen; and tables
of many features are searched in rounds, each among the features that the round before kept (the paper's own suggestion
in its section "Summary and Conclusions"). The rounds' subsets, measured again side by side, are the curve of error
against size, and the best of them is the answer.
"""

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.methods.gains import (
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
from fsdesk.methods.problem import METHODS, End, Loss, Mask, Method, Problem, Proposal, Search
from fsdesk.methods.ranking_selection import Confirmed, Rungs, Seen, confirm
from fsdesk.settings import Preset, setting

__all__ = ["BSPSAH"]

_MEASURED = "measured on the paper's data sets at equal budgets"
_MANY = 100  # features from which on there are rounds
_ENOUGH = 60  # measurements without which a round is not worth while
_FEW = 6  # features below which no further round begins
_CALIBRATION = 5  # pairs from which the gain is set
_CONFIRMATIONS = 5  # measurements of each round's subset, side by side
_MARGIN = 0.05  # from 0 and 1, for weights that are probabilities

Vector = NDArray[np.float64]
Nothing = Generator[Proposal, Sequence[Loss], None]
Heard = Generator[Proposal, Sequence[Loss], Sequence[Loss]]
Winner = Generator[Proposal, Sequence[Loss], Confirmed | None]
Winners = Generator[Proposal, Sequence[Loss], list[Confirmed]]


@METHODS.register(
    "bspsa-h",
    title="BSPSA-H (recommended)",
    short="BSPSA-H",
    summary="BSPSA that sets its own step size, compares subsets on the same folds, measures its finalists again, and "
    "narrows a wide table down in rounds, which shows the error for every number of features.",
    reference="V. Aksakalli and M. Malekipirbazari, Feature Selection via Binary Simultaneous Perturbation Stochastic "
    "Approximation, Pattern Recognition Letters 75 (2016), its sequential runs carried out; common random numbers: "
    "N. L. Kleinman, J. C. Spall and D. Q. Naiman, Management Science 45 (1999)",
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

    max_measurements: int = setting(
        3000,
        title="Measurements",
        help="How many subsets are measured in all; the search plans with this number, and more find more.",
        source="as many as the paper's BSPSA takes at the most: 3000 small, 9000 large",
        ge=1,
        le=100_000_000,
    )
    wanted: int = setting(
        0,
        title="Features wanted",
        help="The answer has exactly so many features, or all where the table has fewer; 0 leaves it to the search.",
        source="0: the best error decides",
        ge=0,
        le=1_000_000,
    )
    most: int = setting(
        0,
        title="Features, at most",
        help="The answer has no more features than this; 0 sets no limit, and a number wanted goes first.",
        source="0: the best error decides",
        ge=0,
        le=1_000_000,
    )
    rounds: int = setting(
        0,
        title="Rounds",
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
        """The whole budget; a search may end earlier where hardly any feature is left."""
        return self.max_measurements

    def planned_rounds(self, features: int, budget: int) -> int:
        """How many rounds there are: log2(p / 8) from 100 features on, and never more than the budget is worth."""
        automatic = max(2, int(np.log2(features / 8))) if features >= _MANY else 1
        return min(self.rounds or automatic, max(1, budget // _ENOUGH))

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
        run = _Run(self, problem, rng)
        kept = np.arange(problem.features)
        winners, weights, reason = list[Confirmed](), dict[bytes, Vector](), ""
        for number in range(1, rounds + 1):
            winner = yield from run.round(number, kept, (budget - reserve) // rounds, is_last=number == rounds)
            if winner is None:
                break
            winners.append(winner)
            weights[winner.mask.tobytes()] = run.weights
            if number < rounds and winner.mask.sum() < _FEW and run.allows(winner.mask):
                reason = f"fewer than {_FEW} features were left after round {number}"
                break
            kept = np.flatnonzero(winner.mask)
        reason = reason or f"the plan of {budget + problem.planned} measurements is carried out"
        if rounds > 1:
            winners = yield from run.side_by_side(winners)
        answer = next((point for point in winners if run.allows(point.mask)), None)
        if answer is None:
            return End(reason)
        shown = weights.get(answer.mask.tobytes(), answer.mask.astype(np.float64))
        return End(reason, answer.mask, answer.mean, answer.std_error, shown)


@dataclass
class _Run:
    """One search under way.

    Attributes
    ----------
    number, k, j
        Round, from 1; iteration of the whole search and of the round, from 0.
    features
        (n,) places of the features that this round chooses among.
    seen
        The masks of this round that race at its end.
    w, a
        (n,) their weights; the calibrated gain, 0 as long as no difference was seen.
    low, high
        Fewest and most features of the masks of this round.
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

    def round(self, number: int, kept: NDArray[np.intp], budget: int, *, is_last: bool) -> Winner:
        """Search among the features kept; return the best subset as it was measured again."""
        method, n = self.method, len(kept)
        fewest, most = method.size_limits(self.problem.features)
        self.number, self.features, self.seen, self.j, self.a = number, kept, Seen(), 0, 0.0
        # A limit on the size binds once halving has come near it; before, it would throw features away unseen.
        self.low, self.high = min(fewest, n), min(most, n) if is_last or n <= 2 * most else n
        self.w = beginning(self.problem, method.c) if number == 1 else np.full(n, 0.5)
        reserve = min(method.rungs.measurements, budget // 10)
        room = budget - reserve
        polish = room // 2 if is_last and method.thorough == "local" else 0
        yield from self._descend(room - polish)
        yield from self._polish(polish)
        return (yield from method.rungs.race(self.seen, reserve, self._proposal([], ())))

    def allows(self, mask: Mask) -> bool:
        """Whether a mask has as many features as the user wants the answer to have."""
        fewest, most = self.method.size_limits(self.problem.features)
        return fewest <= int(mask.sum()) <= most

    def side_by_side(self, winners: Sequence[Confirmed]) -> Winners:
        """Measure the subsets of all rounds and the full set again, all on the same folds; the best first."""
        masks = {point.mask.tobytes(): point.mask for point in winners}
        full = np.ones(self.problem.features, dtype=np.bool_)
        finalists = list({full.tobytes(): full, **masks}.values())
        return (yield from confirm(finalists, _CONFIRMATIONS, self._proposal([], ())))

    def _descend(self, room: int) -> Nothing:
        """Steps of BSPSA as long as there is room for them and for the last w; the first one also calibrates."""
        pairs, own = min(_CALIBRATION, max(1, (room - 1) // 6)), self._subsets_of_w()
        while (room := room + self.problem.granted()) > len(own) + 2:
            pairs = min(pairs, (room - len(own) - 1) // 2)
            yield from self._step(own, pairs)
            room -= len(own) + 2 * pairs
            pairs = self.method.gradients
            own = [] if self.j % self.method.measure_every else self._subsets_of_w()
        if room:
            own = self._subsets_of_w()
            yield from self._ask(own[:1], [self.allows(own[0])], aside=len(own) - 1)

    def _step(self, own: Sequence[Mask], pairs: int) -> Nothing:
        """Measure pairs, and w where it is due, on the same folds; move all weights along the mean slope."""
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

    def _calibrated(self, mean_slope: float) -> float:
        """The a with which the first step moves each weight by the wanted share of c, whatever the loss's scale."""
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
        """The subset that w stands for; where it cannot be the answer, before it the nearest one that can."""
        own = [self._rounded(self.w)]
        fewest, most = self.method.size_limits(self.problem.features)
        if int(own[0].sum()) > most:
            own.insert(0, rounded_within(self.w, fewest, most, self.rng))
        return own

    def _polish(self, room: int) -> Nothing:
        """Local search from the best mask seen, on the folds of the full set's measurement."""
        leaders = self.seen.best(1)
        if room and leaders:
            search = local_search(leaders[0][self.features], room, self.low, self.high, self.rng)
            with suppress(StopIteration):
                masks = next(search)
                while True:
                    masks = search.send((yield from self._ask(masks, [False] * len(masks), fixed=True)))

    def _ask(self, masks: Sequence[Mask], candidates: Sequence[bool], *, aside: int = 0, fixed: bool = False) -> Heard:
        """Measure masks of this round's features; remember them as masks of all features.

        On new folds, or ``fixed`` on those of the full set. The first ``aside`` ones are an answer for a search that
        is stopped now; they do not race: if one of them won a round that is free of the limit, the features of all
        later rounds would be lost.
        """
        wide = np.zeros((len(masks), self.problem.features), dtype=np.bool_)
        wide[:, self.features] = masks
        proposal = self._proposal(list(wide), candidates)
        losses = yield replace(proposal, folds=0) if fixed else proposal
        self.seen.hear(proposal.masks[aside:], losses[aside:])
        return losses

    @property
    def weights(self) -> Vector:
        """(p,) w of this round, 0 for features that earlier rounds left out."""
        weights = np.zeros(self.problem.features)
        weights[self.features] = self.w
        return weights

    def _proposal(self, masks: Sequence[Mask], candidates: Sequence[bool]) -> Proposal:
        """On folds that its masks share; shown with the weights of now."""
        trace = {"a_k": self._gain(), "round": float(self.number), "features_left": float(len(self.features))}
        return Proposal(masks, candidates, self.k, self.weights, trace, folds="shared")
