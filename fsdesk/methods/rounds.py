"""The rounds of BSPSA-H: working state of one search."""

import sys
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fsdesk.methods.gains import Progress, beginning, bounded, gain, rounded_within, signs, slope
from fsdesk.methods.local_search import local_search
from fsdesk.methods.problem import Loss, Mask, Problem, Proposal
from fsdesk.methods.ranking_selection import Confirmed, Seen, confirm

if TYPE_CHECKING:
    from fsdesk.methods.bspsa_h import BSPSAH

CALIBRATION = 5  # pairs from which the gain is set
_MARGIN = 0.05  # from 0 and 1, for weights that are probabilities
_QUICKER = 0.75  # of the time of a round that the next one, with fewer features, is expected to take
ENOUGH = 60  # measurements without which a round is not worth while

Vector = NDArray[np.float64]
Nothing = Generator[Proposal, Sequence[Loss], None]
Heard = Generator[Proposal, Sequence[Loss], Sequence[Loss]]
Winner = Generator[Proposal, Sequence[Loss], Confirmed | None]
Winners = Generator[Proposal, Sequence[Loss], list[Confirmed]]


@dataclass
class Rounds:
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
    has_stalled
        Whether some round ended before its measurements were spent.
    taken
        Measurements but for the races.
    last_k
        The iteration of the whole search at which this round ends by the user's limit, but for what they add.
    rounds_after
        How many rounds are planned after this one.
    pace
        Seconds that a measurement of the last round took, 0 as long as none is known; ``slowest`` the most of all.
    is_cut, cuts
        Whether this round was shortened for want of time, and how many were.
    """

    method: "BSPSAH"
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
        """Search among the features kept; return the best subset as it was measured again."""
        method, n = self.method, len(kept)
        self._began, self.is_cut = (self.taken, self.problem.seconds), False
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
        if self.is_cut:
            reserve = min(reserve, max(3, (self.taken - self._began[0]) // 9))
        return (yield from method.rungs.race(self.seen, reserve, self._proposal([], ())))

    def rounds_in_time(self) -> int:
        """How many more rounds the user's time allows that are worth while, if they are no quicker than the last."""
        left = self.problem.seconds_to_lateness
        return int(left / self.pace // ENOUGH) if self.pace and np.isfinite(left) else sys.maxsize

    def times_in_time(self, masks: int, times: int) -> int:
        """Of so many measurements of so many masks each, how many the rest of the user's time allows; at least one."""
        problem = self.problem
        if not (problem.most_seconds and self.slowest):
            return times
        left = (problem.most_seconds - problem.seconds) / self.slowest
        return max(1, min(times, int(left // (masks + 1))))  # the full set takes up to twice the time of a subset

    def _in_time(self, more: int) -> bool:
        """Whether the user's time allows so many more measurements here, and about as many in each round after it."""
        done, seconds = self.taken - self._began[0], self.problem.seconds - self._began[1]
        if not self.problem.most_seconds or not done or seconds <= 0:
            return True
        self.pace = seconds / done
        self.slowest = max(self.slowest, self.pace)
        in_all = max(0.0, done + self.problem.seconds_to_lateness / self.pace)
        rounds = max(1, min(self.rounds_after + 1, int(in_all // ENOUGH)))
        parts = sum(_QUICKER**each for each in range(rounds))
        return done + more <= 0.9 * in_all / parts  # the race takes the tenth part

    def allows(self, mask: Mask) -> bool:
        """Whether a mask has as many features as the user wants the answer to have."""
        fewest, most = self.method.size_limits(self.problem.features)
        return fewest <= int(mask.sum()) <= most

    def further(self, most: int) -> Winner:
        """Go on with the last round for so many measurements more; return its best subset, measured again."""
        reserve, self.rounds_after = min(self.method.rungs.measurements, most // 4), 0
        self._began, self.is_cut = (self.taken, self.problem.seconds), False
        yield from self._descend(most - reserve)
        return (yield from self.method.rungs.race(self.seen, reserve, self._proposal([], ())))

    def side_by_side(self, winners: Sequence[Confirmed], times: int) -> Winners:
        """Measure the subsets of all rounds and the full set again, all on the same folds; the best first."""
        masks = {point.mask.tobytes(): point.mask for point in winners}
        full = np.ones(self.problem.features, dtype=np.bool_)
        finalists = list({full.tobytes(): full, **masks}.values())
        return (yield from confirm(finalists, times, self._proposal([], ())))

    def _descend(self, room: int) -> Nothing:
        """Steps of BSPSA as long as there is room for them and for the last w; the first one also calibrates."""
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
        """Measurements of the plan that were left for want of time, once the user has allowed more of it; else none."""
        if not self.cuts or self.problem.extensions == self._heard:
            return 0
        return max(0, self.problem.budget - self.problem.measured)

    def _cut(self) -> None:
        self.is_cut, self.cuts, self._heard = True, self.cuts + 1, self.problem.extensions

    @property
    def _is_over(self) -> bool:
        """Whether the time or the iterations for this round are used up."""
        return self.problem.is_late or self.ends_by_iterations

    def _step(self, own: Sequence[Mask], pairs: int) -> Heard:
        """Measure pairs, and w where it is due, on the same folds; move all weights along the mean slope.

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
                while not self.problem.is_late:
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
        self.taken += len(masks)
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
