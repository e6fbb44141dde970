"""Sequential search: SFS, SBS and their floating forms; settings, the search path, and the choice of a size.

Sequential search after Pudil, Novovicova and Kittler (1994). A step measures every set that differs from the current
one by one feature; these are probes. The set it moves to is measured again, together with the probes of the next step:
the smallest of many noisy probes is optimistic, so that second measurement is the candidate.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationInfo, field_validator

from fsdesk.messages import message
from fsdesk.methods.problem import LATE, METHODS, End, Loss, Mask, Method, Problem, Proposal, Search
from fsdesk.settings import Preset, setting

BATCH = 512  # masks per proposal: limits memory on wide tables, and the delay of a stop
PAPER = "paper, introduction: one feature at a time, until no step improves the criterion"
_PAPER_PRESET = Preset(
    "paper",
    {"tolerance": 0.0, "patience": 1, "compared_on": "fresh", "confirmations": 0},
    help="Ends at the first step without improvement; the paper uses these methods on tables with fewer than 100 "
    "features.",
    max_features=99,
)
_LARGE = Preset(
    "large",
    {"max_steps": 30},
    help="At most 30 steps, each with about as many measurements as the table has features.",
    min_features=100,
)
_THOROUGH = Preset("all sizes", {"patience": 0}, help="Tries all sizes, then confirms the best subset of each.")


@dataclass(frozen=True)
class Point:
    """A set and its current loss; NaN counts as infinite."""

    mask: Mask
    mean: float
    std_error: float

    @classmethod
    def of(cls, mask: Mask, losses: Sequence[Loss]) -> "Point":
        """A point from one measurement, with its own standard error, or from several, with that of their mean."""
        means = np.array([loss.mean for loss in losses])
        if not np.isfinite(means).all():
            return cls(mask, float("inf"), 0.0)
        if len(means) == 1:
            return cls(mask, float(means[0]), losses[0].std_error)
        return cls(mask, float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means))))

    @property
    def size(self) -> int:
        """Number of features selected."""
        return int(self.mask.sum())


def best_of_each_size(points: Iterable[Point]) -> list[Point]:
    """The point with the smallest mean at each size, ordered by size; ties go to the earlier point."""
    best: dict[int, Point] = {}
    for point in points:
        if point.size not in best or point.mean < best[point.size].mean:
            best[point.size] = point
    return [best[size] for size in sorted(best)]


class BySize(Method):
    """A method that finds a set of each of many sizes and chooses one of them at the end."""

    ends_by_itself = True
    sizes_asked = ("min_size", "max_size")

    min_size: int = setting(
        1,
        title="Min. features",
        help="Minimum number of features in the result; set both limits to the same value for an exact number.",
        source="no limit",
        ge=1,
        le=1_000_000,
    )
    max_size: int = setting(
        0,
        title="Max. features",
        zero="unlimited",
        help="Maximum number of features in the result; 0 sets no limit. Features kept together count as one.",
        source="the best error decides",
        ge=0,
        le=1_000_000,
    )
    parsimonious: bool = setting(
        False,
        title="Parsimonious",
        help="Selects the smallest subset whose error is within one standard error of the best.",
        source="the one-standard-error rule of Breiman, Friedman, Olshen and Stone (1984), section 3.4.3",
    )
    confirmations: int = setting(
        3,
        title="Confirmations",
        zero="none",
        help="Number of times the best subset of each size is re-estimated at the end, on new folds shared by "
        "all. This gives the curve of error against size and chooses the result.",
        source="the smallest of many noisy measurements is too low; 0 in the paper",
        ge=0,
        le=1000,
    )

    @field_validator("max_size")
    @classmethod
    def _room_between(cls, value: int, info: ValidationInfo) -> int:
        smallest = info.data.get("min_size", 1)
        if 0 < value < smallest:
            raise ValueError(
                message(
                    "it is below min_size, which is {smallest}. Raise it, or set it to 0 for no limit",
                    smallest=smallest,
                )
            )
        return value

    def sizes(self, features: int) -> tuple[int, int]:
        """Minimum and maximum size of the result for a table with this many features."""
        return min(self.min_size, features), min(self.max_size or features, features)

    def answer(self, reason: str, points: Sequence[Point], problem: Problem, left: int, iteration: int) -> Search:
        """Confirm the best set of each allowed size as often as ``left`` measurements allow, then choose one.

        If no set has an allowed size because the search ended early, all sizes are allowed.
        """
        low, high = self.sizes(problem.features)
        finalists = best_of_each_size(point for point in points if low <= point.size <= high)
        finalists = finalists or best_of_each_size(points)
        masks = [point.mask for point in finalists]
        share = np.asarray(np.mean(masks, axis=0), dtype=np.float64)
        heard: list[Sequence[Loss]] = []
        for _ in range(min(self.confirmations, left // len(masks))):
            finals = Proposal(masks, [False] * len(masks), iteration, share, folds="shared", confirms=True)
            losses = yield finals
            heard.append(losses)
        if heard:
            columns = zip(*heard, strict=True)
            finalists = [Point.of(mask, losses) for mask, losses in zip(masks, columns, strict=True)]
        chosen = self.chosen(finalists)
        return End(reason, chosen.mask, chosen.mean, chosen.std_error)

    def chosen(self, points: Sequence[Point]) -> Point:
        """The point with the smallest mean, or the smallest set within one standard error; ties go to fewer."""
        best = min(points, key=lambda point: (point.mean, point.size))
        most = best.mean + best.std_error if self.parsimonious else best.mean
        return min((point for point in points if point.mean <= most), key=lambda point: point.size)


class Sequential(BySize):
    """Adds (``forward``) or removes one feature per step; ``floating`` reverses earlier steps if that is better."""

    forward: ClassVar[bool]
    floating: ClassVar[bool] = False

    tolerance: float = setting(
        0.0,
        title="Tolerance",
        help="Minimum reduction of the smallest error so far that counts as an improvement (0.01 is one "
        "percentage point of an error rate); negative values also accept errors that much larger.",
        source=PAPER,
        ge=-1e6,
        le=1e6,
    )
    patience: int = setting(
        1,
        title="Stall limit",
        help="Number of consecutive steps with less improvement than the tolerance after which the search ends; 0 "
        "tries all sizes.",
        unit="steps",
        source=PAPER,
        ge=0,
        le=1_000_000,
    )
    compared_on: Literal["fresh", "fixed"] = setting(
        "fresh",
        title="Folds",
        help="Uses new random folds for every measurement, or the same for all, which makes comparisons sharper "
        "but overfits those folds.",
        source="paper, section Performance Criterion",
        choices={"fresh": "New for every measurement", "fixed": "The same throughout"},
    )
    max_steps: int = setting(
        0,
        title="Max. steps",
        zero="unlimited",
        help="Number of features added or removed after which the search ends; each costs about as many "
        "measurements as the table has features. 0: limited only by the number of features, or three times "
        "that for floating methods.",
        unit="steps",
        source="no limit, as in the paper; limited on wide tables",
        ge=0,
        le=1_000_000,
        level="all",
    )

    def steps(self, features: int) -> int:
        """Maximum number of features that a run adds and removes."""
        low, high = self.sizes(features)
        most = 3 * features if self.floating else high if self.forward else features - low
        return min(self.max_steps, most) if self.max_steps else most

    def measurements(self, features: int) -> int:
        """Every probe of every step, every visited set once more, and the confirmations.

        A floating step and the subsequent check together take as many probes as there are features: p - k sets with one
        more feature, then k with one less.
        """
        steps = self.steps(features)
        probes = steps * features if self.floating else steps * features - steps * (steps - 1) // 2
        entered = steps + 1  # including the initial set
        return probes + entered + self.confirmations * min(entered, features)

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Step and reconsider until the last size is reached or steps gain nothing; continue if the user extends it."""
        walk = Walk(problem, self)
        if walk.size:
            yield from walk.measure_current()
        while True:
            reason, allowed = (yield from self._walked(walk)), problem.extensions
            end = yield from self.answer(reason, walk.points, problem, walk.left, walk.iteration)
            if problem.extensions == allowed:
                return end

    def _walked(self, walk: "Walk") -> Generator[Proposal, Sequence[Loss], str]:
        """Take steps; return why there are no more."""
        problem, stalled = walk.problem, 0
        while not (reason := self._reason_to_end(walk, stalled)):
            lowest = walk.lowest
            moved = yield from walk.step()
            if self.floating:
                yield from walk.reconsider(moved, self.steps(problem.features))
            stalled = stalled + 1 if lowest - walk.loss < self.tolerance else 0
        if walk.due and walk.left:
            yield from walk.measure_current()
        return reason

    def _reason_to_end(self, walk: "Walk", stalled: int) -> str:
        """Why no further step is taken, or ""; steps without gain count only from an allowed size on."""
        low, high = self.sizes(walk.problem.features)
        steps = self.steps(walk.problem.features)
        if walk.size >= high if self.forward else walk.size <= low:
            return message("the last size is reached: {size:,}", size=walk.size)
        if 0 < self.patience <= stalled and (walk.size >= low if self.forward else walk.size <= high):
            return (
                message("no gain in {stalled} steps in a row", stalled=stalled)
                if stalled > 1
                else message("the last step gained nothing")
            )
        if walk.problem.is_late:
            return LATE
        if walk.moves >= steps:
            return message("all {steps:,} steps done", steps=steps)
        if not walk.affords(adding=self.forward):
            return message("the budget of {budget:,} measurements is used up", budget=walk.problem.budget)
        return ""


Asking = Generator[Proposal, Sequence[Loss], None]


@dataclass
class Walk:
    """The current set of a sequential search, its path, and its remaining budget.

    Attributes
    ----------
    loss, lowest
        The loss at which the current set was chosen, and the smallest of all chosen sets.
    due
        Whether the current set still needs its own measurement.
    smallest
        The smallest loss at which a set of each size was chosen.
    points
        The visited sets, in order, each with its own measurement if available.
    """

    problem: Problem
    method: Sequential
    current: Mask = field(init=False)
    taken: int = 0
    loss: float = np.inf
    lowest: float = np.inf
    due: bool = False
    moves: int = 0
    iteration: int = 0
    smallest: dict[int, float] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        start = self.problem.start
        self.current = np.full(self.problem.features, not self.method.forward) if start is None else start.copy()

    @property
    def left(self) -> int:
        """Measurements that may still be requested; those that confirm a result are not part of the walk."""
        return self.problem.budget - max(self.taken, self.problem.measured)

    @property
    def size(self) -> int:
        """Number of features selected."""
        return int(self.current.sum())

    def affords(self, adding: bool) -> bool:
        """Whether probes and later confirmations are within the budget; the first step takes what is available."""
        features = self.problem.features
        probes = features - self.size if adding else self.size
        sizes = min(features, len(self.smallest) + 1)
        return not self.size or self.left >= probes + 2 + self.method.confirmations * sizes

    def measure_current(self) -> Asking:
        """Measure only the current set."""
        (loss,) = yield self._proposal([self.current], [True])
        self._hear_current(loss)
        self.iteration += 1

    def step(self) -> Generator[Proposal, Sequence[Loss], int]:
        """Add (remove) the feature with the smallest loss, even if that exceeds the current one; return its index."""
        places = self._places(adding=self.method.forward)
        place, point = yield from self._probe(places)
        self._enter(point)
        return place

    def reconsider(self, moved: int, most_moves: int) -> Asking:
        """Pudil's conditional exclusion (inclusion): go back while that beats the current set and the best of its size.

        The feature just moved is kept. Every return sets a new lowest loss for its size, so the search cannot cycle.
        """
        adding = not self.method.forward
        while self.moves < most_moves and self.affords(adding):
            places = self._places(adding)
            if len(places) <= 2:
                return
            places = places[places != moved]
            _, point = yield from self._probe(places)
            if not point.mean < min(self.loss, self.smallest.get(point.size, np.inf)):
                return
            self._enter(point)

    def _places(self, adding: bool) -> NDArray[np.int64]:
        """Features that can be added (removed), ordered so that of two equal ones the earlier ends up selected."""
        return np.flatnonzero(~self.current) if adding else np.flatnonzero(self.current)[::-1]

    def _probe(self, places: NDArray[np.int64]) -> Generator[Proposal, Sequence[Loss], tuple[int, Point]]:
        """Measure the sets with one of ``places`` changed; return the index and the point with the smallest loss."""
        best: tuple[int, Point] | None = None
        alone = not self.size  # nothing is selected yet: each single feature may be the result
        places = places[: self.left - self.due]
        for first in range(0, len(places), BATCH):
            batch = places[first : first + BATCH]
            masks = [self._changed(int(place)) for place in batch]
            own = [self.current] if self.due else []
            losses = yield self._proposal([*own, *masks], [True] * len(own) + [alone] * len(masks))
            if own:
                self._hear_current(losses[0])
            for place, mask, loss in zip(batch, masks, losses[len(own) :], strict=True):
                point = Point.of(mask, [loss])
                if best is None or point.mean < best[1].mean:
                    best = int(place), point
        self.iteration += 1
        if best is None:
            raise ValueError("There is nothing left to add or remove.")
        return best

    def _changed(self, place: int) -> Mask:
        mask = self.current.copy()
        mask[place] = not mask[place]
        return mask

    def _proposal(self, masks: list[Mask], candidates: list[bool]) -> Proposal:
        self.taken += len(masks)
        weights = self.current.astype(np.float64)
        folds: Literal["fresh"] | int = 0 if self.method.compared_on == "fixed" else "fresh"
        return Proposal(masks, candidates, self.iteration, weights, folds=folds)

    def _hear_current(self, loss: Loss) -> None:
        point = Point.of(self.current, [loss])
        if self.due:
            self.points[-1] = point
        else:  # the initial set
            self._note(point)
        self.due = False

    def _enter(self, point: Point) -> None:
        self.current = point.mask
        self._note(point)
        self.due = True
        self.moves += 1

    def _note(self, point: Point) -> None:
        self.points.append(point)
        self.loss = point.mean
        self.lowest = min(self.lowest, point.mean)
        self.smallest[point.size] = min(point.mean, self.smallest.get(point.size, np.inf))


@METHODS.register(
    "sfs",
    title="SFS",
    summary="Starts with no features and adds one at a time, always the one that lowers the error most.",
    reference="A. W. Whitney, A Direct Method of Nonparametric Measurement Selection, IEEE Transactions on Computers "
    "C-20 (1971)",
    presets=(_PAPER_PRESET, _LARGE, _THOROUGH),
)
class SFS(Sequential):
    """Step k measures the p - k sets with one more feature than the current one and moves to the best."""

    forward: ClassVar[bool] = True


@METHODS.register(
    "sbs",
    title="SBS",
    summary="Starts with all features and removes one at a time, always the one whose removal hurts least.",
    reference="T. Marill and D. M. Green, On the Effectiveness of Receptors in Recognition Systems, IEEE Transactions "
    "on Information Theory 9 (1963)",
    presets=(_PAPER_PRESET, _LARGE, _THOROUGH),
)
class SBS(Sequential):
    """A step from k features measures the k sets with one feature less and moves to the best."""

    forward: ClassVar[bool] = False


@METHODS.register(
    "sffs",
    title="SFFS",
    summary="Adds one feature at a time; after each, removes earlier ones as long as that lowers the error.",
    reference="P. Pudil, J. Novovicova and J. Kittler, Floating Search Methods in Feature Selection, Pattern "
    "Recognition Letters 15 (1994)",
    presets=(_PAPER_PRESET, _LARGE, _THOROUGH),
)
class SFFS(Sequential):
    """Add a feature, then remove others under Pudil's condition, so that early choices can be revised."""

    forward: ClassVar[bool] = True
    floating: ClassVar[bool] = True


@METHODS.register(
    "sbfs",
    title="SBFS",
    summary="Removes one feature at a time; after each, adds earlier ones back as long as that lowers the error.",
    reference="P. Pudil, J. Novovicova and J. Kittler, Floating Search Methods in Feature Selection, Pattern "
    "Recognition Letters 15 (1994)",
    presets=(_PAPER_PRESET, _LARGE, _THOROUGH),
)
class SBFS(Sequential):
    """Remove a feature, then add others under Pudil's condition, so that early choices can be revised."""

    forward: ClassVar[bool] = False
    floating: ClassVar[bool] = True
