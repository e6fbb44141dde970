"""RunState: the state of a run, computed from its events in the same way for live and reopened runs."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine.events import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFailed,
    RunFinished,
    RunStarted,
    Steered,
    SubsetsJudged,
    pack_masks,
    unpack_masks,
)
from fsdesk.measure import CRITERIA, Criterion, Measurement
from fsdesk.messages import data_of, message_of
from fsdesk.methods import Mask
from fsdesk.methods.choice import Candidate

T = TypeVar("T")


@dataclass
class HeatmapColumns:
    """The history of w, or of packed masks, thinned to at most ``limit`` columns: (columns, p) uint8.

    Every ``stride``-th iteration is kept; at the limit every second column is dropped and the stride doubles.
    """

    limit: int = 1024
    stride: int = 1
    data: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 0), dtype=np.uint8))
    size: int = 0
    steps: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def append(self, iteration: int, weights: NDArray[np.uint8]) -> None:
        """Keep the weights of an iteration if it matches the stride."""
        if iteration % self.stride:
            return
        if self.size == self.limit:
            self.stride *= 2
            self.size = (self.size + 1) // 2
            for at in range(1, self.size):  # row by row: a copy of every second row would be half of the total memory
                self.data[at], self.steps[at] = self.data[2 * at], self.steps[2 * at]
            if iteration % self.stride:
                return
        if not len(self.data):  # the system allocates memory as rows are written: nothing grows by copying
            self.data = np.empty((self.limit, len(weights)), dtype=np.uint8)
            self.steps = np.empty(self.limit, dtype=np.int64)
        self.data[self.size], self.steps[self.size] = weights, iteration
        self.size += 1

    def replace_last(self, weights: NDArray[np.uint8]) -> None:
        """Replace the values of the iteration kept last."""
        self.data[self.size - 1] = weights

    @property
    def iterations(self) -> NDArray[np.int64]:
        """(columns,) the iteration of each column, increasing, without a copy."""
        return self.steps[: self.size]

    @property
    def view(self) -> NDArray[np.uint8]:
        """(columns, p) uint8, oldest first, without a copy."""
        return self.data[: self.size]


@dataclass
class StepHistory:
    """The content of heatmaps, computed from the events only on demand: it takes tens of megabytes for a wide table.

    ``selection`` holds the best candidate of each iteration, packed by :func:`fsdesk.engine.pack_masks`.
    """

    heatmap: HeatmapColumns = field(default_factory=HeatmapColumns)
    selection: HeatmapColumns = field(default_factory=HeatmapColumns)
    _iteration_best: tuple[int, float] = (-1, np.inf)

    def apply(self, event: Event) -> None:
        """Update this with one event."""
        if isinstance(event, SubsetsJudged) and event.weights is not None:
            self.heatmap.append(event.iteration, event.weights)
        if not isinstance(event, BatchMeasured):
            return
        for offset, candidate in enumerate(event.candidates):
            if candidate and not event.confirms:
                self._keep_selection(event, offset, Measurement.of(event.values[offset]).mean)
        if event.weights is not None:
            self.heatmap.append(event.iteration, event.weights)

    def wants(self, iteration: int, has_weights: bool) -> bool:
        """Whether a batch of this iteration can change the heatmaps; in a long run, few batches can."""
        return iteration % self.selection.stride == 0 or (has_weights and iteration % self.heatmap.stride == 0)

    def _keep_selection(self, event: BatchMeasured, offset: int, mean: float) -> None:
        """Keep the best of an iteration's candidates, or the first if none could be measured."""
        iteration, best = self._iteration_best
        if iteration == event.iteration and not mean < best:
            return
        self._iteration_best = (event.iteration, mean)
        kept = self.selection.iterations
        if len(kept) and kept[-1] == event.iteration:
            self.selection.replace_last(event.masks[offset])
        else:
            self.selection.append(event.iteration, event.masks[offset])


def history_of(events: Iterable[Event]) -> StepHistory:
    """The content of heatmaps, computed from events."""
    history = StepHistory()
    for event in events:
        history.apply(event)
    return history


Status = Literal["new", "running", "finished", "stopped", "failed"]


@dataclass
class Series:
    """A growing column of numbers; ``view`` is the filled part without a copy."""

    data: NDArray[np.float64] = field(default_factory=lambda: np.empty(1024))
    size: int = 0

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Series":
        """A column initialized with values in an array that is not modified elsewhere."""
        return cls(values if len(values) else np.empty(16), len(values))

    def append(self, value: float) -> None:
        """Append one number; amortized constant time."""
        if self.size == len(self.data):
            self.data = np.concatenate([self.data, np.empty_like(self.data)])
        self.data[self.size] = value
        self.size += 1

    @property
    def view(self) -> NDArray[np.float64]:
        """The numbers so far."""
        return self.data[: self.size]


@dataclass(frozen=True, eq=False)
class Best:
    """The best candidate so far: the lowest mean; the earlier of two equal ones."""

    mask: Mask
    mean: float
    std_error: float
    number: int
    iteration: int
    weights: NDArray[np.float64] | None


@dataclass
class Confirmed:
    """The last finalists remeasured side by side, each with all its values.

    Finalists of an earlier race were measured on other folds: they are replaced by new ones.
    """

    masks: dict[bytes, Mask] = field(default_factory=dict)
    values: dict[bytes, list[float]] = field(default_factory=dict)

    def begin(self, masks: NDArray[np.bool_]) -> None:
        """Discard the current finalists unless these (m, p) are the same."""
        if {np.packbits(mask).tobytes() for mask in masks} != set(self.masks):
            self.masks, self.values = {}, {}

    def add(self, mask: Mask, measured: Measurement) -> None:
        """Add a measurement of a finalist."""
        key = np.packbits(mask).tobytes()
        self.masks[key] = mask
        self.values.setdefault(key, []).append(measured.mean)

    def keep(self, allowed: Callable[[Mask], bool]) -> None:
        """Discard finalists that are no longer allowed."""
        for key in [key for key, mask in self.masks.items() if not allowed(mask)]:
            del self.masks[key], self.values[key]

    def curve(self) -> list[tuple[Mask, float, float]]:
        """(mask, mean loss, standard error) of each finalist, by its number of features."""
        points = []
        for key, means in self.values.items():
            error = float(np.std(means, ddof=1) / np.sqrt(len(means))) if len(means) > 1 else 0.0
            points.append((self.masks[key], float(np.mean(means)), error))
        return sorted(points, key=lambda point: int(point[0].sum()))


@dataclass
class Judged(Candidate):
    """A strategy at one size with one model, on held-out rows.

    Attributes
    ----------
    subsets
        Feature indices in each resample; shared by all models.
    """

    subsets: dict[int, NDArray[np.int64]] = field(default_factory=dict)


@dataclass
class Race:
    """Results of strategies on held-out rows so far.

    Attributes
    ----------
    folds
        Number of parts of the rows; 0 if no strategies compete.
    winner
        The candidate refitted on all rows, as (strategy, size, model); None until known.
    cut
        Whether time or budget ended it before everything was evaluated.
    judged
        All strategies, sizes and models, in order of evaluation.
    """

    folds: int = 0
    winner: tuple[str, int, str] | None = None
    cut: bool = False
    judged: dict[tuple[str, int, str], Judged] = field(default_factory=dict)
    _subsets: dict[tuple[str, int], dict[int, NDArray[np.int64]]] = field(default_factory=dict)
    _derived: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` derives from the results so far; it is called again only after further results."""
        if key not in self._derived:
            self._derived[key] = make()
        return cast(T, self._derived[key])

    def apply(self, event: SubsetsJudged) -> None:
        """Add results of some subsets on held-out rows."""
        self._derived.clear()
        self.folds = event.folds
        for place, label in enumerate(event.labels):
            size, resample = int(event.sizes[place]), int(event.resamples[place])
            judged = self._judged(label, size, event.model)
            if len(event.offsets):
                judged.subsets[resample] = event.subsets[event.offsets[place] : event.offsets[place + 1]]
            judged.losses[resample], judged.margins[resample] = float(event.losses[place]), event.margin(place)

    def _judged(self, strategy: str, size: int, model: str) -> Judged:
        subsets = self._subsets.setdefault((strategy, size), {})
        return self.judged.setdefault((strategy, size, model), Judged(strategy, size, model=model, subsets=subsets))

    def decide(self, place: int, cut: bool) -> None:
        """Record the winner by its index in order of evaluation; ``cut`` as above."""
        self._derived.clear()
        self.winner, self.cut = list(self.judged)[place], cut

    def frequency(self, features: int) -> NDArray[np.float64] | None:
        """(p,) fraction of the resamples in which the winning strategy selected the feature; None before then."""
        if self.winner is None:
            return None
        subsets = self.judged[self.winner].subsets
        return np.bincount(np.concatenate(list(subsets.values())), minlength=features) / len(subsets)

    @property
    def is_complete(self) -> bool:
        """Whether a winner is known and was evaluated on all rows, each of which was held out once."""
        return self.winner is not None and len(self.judged[self.winner].losses) == self.folds

    @property
    def complete(self) -> list[Judged]:
        """Strategies and sizes that were evaluated on all rows, each of which was held out once."""
        return [each for each in self.judged.values() if len(each.losses) == self.folds]

    @property
    def models_compete(self) -> bool:
        """Whether there is more than one model."""
        return any(model for _, _, model in self.judged)

    def best_sizes(self) -> list[Judged]:
        """Each strategy with each model at the size with its smallest mean loss, in order of first evaluation."""
        best: dict[tuple[str, str], Judged] = {}
        for each in self.judged.values():
            known = best.get(each.pair)
            if known is None or (each.mean, each.size) < (known.mean, known.size):
                best[each.pair] = each
        return list(best.values())

    @property
    def dropped(self) -> set[tuple[str, str]]:
        """Strategies and models that were dropped: one that started later has got further, or there is a winner.

        If a race was cut short, losers cannot be distinguished from those not reached: empty.
        """
        if self.cut:
            return set()
        resamples: dict[tuple[str, str], int] = {}
        for each in self.judged.values():
            resamples[each.pair] = max(resamples.get(each.pair, 0), len(each.losses))
        out, most = set(), max(resamples.values(), default=0) if self.winner is not None else 0
        for pair, judged in reversed(resamples.items()):
            most = max(most, judged)
            if judged < most:
                out.add(pair)
        return out


@dataclass
class RunState:
    """Everything shown and exported about a run.

    ``iterations``, ``numbers``, ``times``, ``errors``, ``std_errors`` and ``sizes`` are parallel: one point for each
    measured candidate. ``numbers`` are the measurements up to then, ``times`` the seconds spent on them, ``seconds``
    the total so far; the measurement of all features is not included, because it may wait for the model to load.
    ``restarts`` are the indices of the first points of searches restarted after an evaluation on held-out rows.
    ``model`` is the result's model if several compete. ``weights`` are the last ones, ``weights_moved`` tells whether
    they ever changed. ``history`` is the content of heatmaps, by far the largest part: None if not displayed, see
    :func:`fsdesk.engine.history_of`. ``first_selected`` is the iteration of the first candidate with a feature, -1 if
    there is none yet; ``held`` counts the candidates with each feature. ``steerings`` lists the user's changes during
    the run: (number of the first measurement after it, sentence); ``steering_events`` are their events,
    ``more_measurements`` what they added to the budget. ``passing`` is that of :class:`fsdesk.engine.RunFailed`.
    """

    status: Status = "new"
    spec: dict[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    reason: str = ""
    passing: bool = False
    baseline: float | None = None
    baseline_std_error: float = 0.0
    evaluations: int = 0
    seconds: float = 0.0
    iteration: int = 0
    iterations: Series = field(default_factory=Series)
    errors: Series = field(default_factory=Series)
    std_errors: Series = field(default_factory=Series)
    numbers: Series = field(default_factory=Series)
    times: Series = field(default_factory=Series)
    sizes: Series = field(default_factory=Series)
    restarts: list[int] = field(default_factory=list)
    best: Best | None = None
    model: str = ""
    confirmed: Confirmed = field(default_factory=Confirmed)
    race: Race = field(default_factory=Race)
    history: StepHistory | None = field(default_factory=StepHistory)
    weights: NDArray[np.uint8] | None = None
    weights_moved: bool = False
    steerings: list[tuple[int, str]] = field(default_factory=list)
    first_selected: NDArray[np.int64] | None = None
    held: NDArray[np.int64] | None = None
    steering_events: list[Steered] = field(default_factory=list)
    more_measurements: int = 0
    pinned: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()

    @classmethod
    def of(cls, events: Iterable[Event], *, history: bool = True) -> "RunState":
        """The state after these events; without ``history`` it keeps nothing for heatmaps."""
        state = cls() if history else cls(history=None)
        for event in events:
            state.apply(event)
        return state

    @property
    def heatmap(self) -> HeatmapColumns:
        """The history of w; without columns if no history is kept."""
        return HeatmapColumns() if self.history is None else self.history.heatmap

    @property
    def selection(self) -> HeatmapColumns:
        """The history of the selection; without columns if no history is kept."""
        return HeatmapColumns() if self.history is None else self.history.selection

    @property
    def criterion(self) -> Criterion:
        """The criterion: how losses are shown."""
        name = self.spec.get("measuring", {}).get("criterion", "error")
        return CRITERIA["error" if name == "auto" else name]

    @property
    def frequency(self) -> NDArray[np.float64] | None:
        """(p,) fraction of the candidates so far, or of the winner's resamples, that contain the feature."""
        if self.race.folds:
            return self.race.frequency(len(self.features))
        if self.held is None or self.errors.size == 0:
            return None
        return self.held / self.errors.size

    def apply(self, event: Event) -> None:
        """Update this with one event."""
        match event:
            case RunStarted():
                self.status = "running"
                self.spec = event.spec
                self.features = event.features
                self.held = np.zeros(len(event.features), dtype=np.int64)
                self.first_selected = np.full(len(event.features), -1, dtype=np.int64)
            case BaselineMeasured():
                self.status = "running"
                measured = Measurement(event.values)
                self.baseline, self.baseline_std_error = measured.mean, measured.std_error
            case BatchMeasured():
                self._apply_batch(event)
            case SubsetsJudged():
                self._apply_judged(event)
            case Steered():
                self._apply_steering(event)
            case RunFinished():
                self.status = "stopped" if event.stopped else "finished"
                self.reason, self.model = event.reason, event.model or self.model
                self._apply_answer(event)
            case RunFailed():
                self.status = "failed"
                self.reason, self.passing = event.message, event.passing

    def _apply_steering(self, event: Steered) -> None:
        self.steerings.append((event.number, event.sentence))
        self.steering_events.append(event)
        if event.refused:
            return
        pin, ban, free = (frozenset(names) for names in (event.pin, event.ban, event.free))
        self.pinned, self.banned = (self.pinned | pin) - ban - free, (self.banned | ban) - pin - free
        self.more_measurements += event.measurements
        if self.status == "finished" and (event.measurements or event.iterations or event.minutes):
            self.status = "stopped"  # it may be resumed
        if self.best is not None and not self.allows(self.best.mask):
            self.best = None  # the modified mask is measured next
        self.confirmed.keep(self.allows)

    def allows(self, mask: Mask) -> bool:
        """Whether a (p,) mask contains every pinned feature and no banned one."""
        if not (self.pinned or self.banned):
            return True
        pairs = zip(self.features, mask.tolist(), strict=True)
        return all(name not in self.banned if chosen else name not in self.pinned for name, chosen in pairs)

    def _apply_answer(self, event: RunFinished) -> None:
        if event.mask is not None:
            mask = unpack_masks(event.mask[None], len(self.features))[0]
            weights = event.weights
            if weights is None and self.weights is not None:
                weights = self.weights / 255
            self.best = Best(mask, event.mean, event.std_error, self.evaluations, self.iteration, weights)
        elif self.best is not None and event.weights is not None:
            self.best = replace(self.best, weights=event.weights)

    def _apply_batch(self, event: BatchMeasured) -> None:
        self.status = "running"
        self.reason = ""
        self.seconds += event.seconds
        self.evaluations += len(event.candidates)
        self.iteration = event.iteration
        masks = unpack_masks(event.masks, len(self.features))
        if event.winner >= 0:
            self.race.decide(event.winner, event.cut)
        if event.confirms:
            self.confirmed.begin(masks)
        for offset, (mask, candidate) in enumerate(zip(masks, event.candidates, strict=True)):
            if event.confirms:
                self.confirmed.add(mask, Measurement.of(event.values[offset]))
            elif candidate:
                self._apply_candidate(event, offset, mask)
        if event.weights is not None:
            if self.weights is not None and not self.weights_moved:
                self.weights_moved = not np.array_equal(event.weights, self.weights)
            self.weights = event.weights
        if self.history is not None:
            self.history.apply(event)

    def _apply_judged(self, event: SubsetsJudged) -> None:
        self.status, self.reason = "running", ""
        self.seconds += event.seconds
        self.evaluations += len(event.losses)
        self.iteration = event.iteration
        if event.judge == "held-out":
            self.race.apply(event)
            if self.errors.size > (self.restarts[-1] if self.restarts else 0):
                self.restarts.append(self.errors.size)
        elif event.weights is not None:  # a point of the curve for each column of the heatmap
            self.iterations.append(event.iteration)
            self.numbers.append(event.number)
            self.times.append(self.seconds)
            known = event.losses[np.isfinite(event.losses)]
            self.errors.append(float(np.mean(known)) if len(known) else np.inf)
            self.std_errors.append(float(np.std(known) / np.sqrt(len(known))) if len(known) else 0.0)
            self.sizes.append(round(event.trace.get("features_expected", 0.0)))
        if event.weights is not None:
            self.weights_moved = self.weights_moved or self.weights is not None
            self.weights = event.weights
        if self.history is not None:
            self.history.apply(event)

    def _apply_candidate(self, event: BatchMeasured, offset: int, mask: Mask) -> None:
        measured = Measurement.of(event.values[offset])
        mean, std_error = measured.mean, measured.std_error
        self.iterations.append(event.iteration)
        self.numbers.append(event.number + offset)
        self.times.append(self.seconds)
        self.errors.append(mean)
        self.std_errors.append(std_error)
        self.sizes.append(int(np.count_nonzero(mask)))
        if self.held is not None and self.first_selected is not None:
            self.held += mask
            self.first_selected[mask & (self.first_selected < 0)] = event.iteration
        if self.best is None or mean < self.best.mean:
            shown = self.weights if event.weights is None else event.weights
            weights = None if shown is None else shown / 255
            self.best = Best(mask, mean, std_error, event.number + offset, event.iteration, weights)


SUMMARY_VERSION = 6
"""Increase this whenever :class:`RunState` interprets events differently, so that older summaries are ignored."""

_PLAIN = (
    "status", "spec", "reason", "passing", "baseline", "baseline_std_error", "evaluations", "seconds", "iteration",
    "more_measurements", "weights_moved", "restarts", "model",
)  # fmt: skip
_SERIES = ("iterations", "errors", "std_errors", "numbers", "times", "sizes")
_ARRAYS = ("weights", "held", "first_selected")


def summary_of(state: RunState) -> dict[str, Any]:
    """Plain values and arrays by name; see :func:`state_of`."""
    values: dict[str, Any] = {name: getattr(state, name) for name in (*_PLAIN, *_ARRAYS)}
    values |= {name: getattr(state, name).view for name in _SERIES}
    values["features"] = list(state.features)
    values["pinned"], values["banned"] = sorted(state.pinned), sorted(state.banned)
    values["steered"] = [{**asdict(event), "refused": data_of(event.refused)} for event in state.steering_events]
    best = state.best
    values["best"] = None
    if best is not None:
        values["best"] = [best.mean, best.std_error, best.number, best.iteration]
        values["best_mask"], values["best_weights"] = best.mask, best.weights
    values |= _race_values(state.race)
    masks = list(state.confirmed.masks.values())
    values["confirmed"] = list(state.confirmed.values.values())
    values["confirmed_masks"] = pack_masks(masks) if masks else None
    return values


def state_of(summary: dict[str, Any]) -> RunState:
    """Undo :func:`summary_of`; the state has no history."""
    features = tuple(summary["features"])
    state = RunState(history=None, features=features)
    for name in (*_PLAIN, *_ARRAYS):
        setattr(state, name, summary[name])
    for name in _SERIES:
        setattr(state, name, Series.of(summary[name]))
    state.pinned, state.banned = frozenset(summary["pinned"]), frozenset(summary["banned"])
    state.steering_events = [_steered(values) for values in summary["steered"]]
    state.steerings = [(event.number, event.sentence) for event in state.steering_events]
    if summary["best"] is not None:
        mean, std_error, number, iteration = summary["best"]
        state.best = Best(summary["best_mask"], mean, std_error, number, iteration, summary["best_weights"])
    state.race = _race_of(summary)
    if summary["confirmed_masks"] is not None:
        masks = unpack_masks(summary["confirmed_masks"], len(features))
        keys = [np.packbits(mask).tobytes() for mask in masks]
        state.confirmed = Confirmed(
            dict(zip(keys, masks, strict=True)), dict(zip(keys, summary["confirmed"], strict=True))
        )
    return state


def _race_values(race: Race) -> dict[str, Any]:
    shared = {(each.strategy, each.size): each.subsets for each in race.judged.values()}
    subsets = [subset for own in shared.values() for subset in own.values()]
    return {
        "race": {
            "folds": race.folds,
            "winner": race.winner and list(race.winner),
            "cut": race.cut,
            "judged": [
                [*key, list(each.losses), list(each.losses.values()), list(each.margins.values())]
                for key, each in race.judged.items()
            ],
            "resamples": [[*key, list(own)] for key, own in shared.items()],
        },
        "race_subsets": np.concatenate(subsets).astype(np.int64) if subsets else np.empty(0, dtype=np.int64),
        "race_lengths": np.array([len(subset) for subset in subsets], dtype=np.int64),
    }


def _race_of(summary: dict[str, Any]) -> Race:
    values = summary["race"]
    winner = values["winner"]
    race = Race(values["folds"], None if winner is None else (winner[0], winner[1], winner[2]), values["cut"])
    subsets = iter(np.split(summary["race_subsets"], np.cumsum(summary["race_lengths"])[:-1]))
    for strategy, size, resamples in values["resamples"]:
        race._subsets[strategy, size] = {resample: next(subsets) for resample in resamples}
    for strategy, size, model, resamples, losses, margins in values["judged"]:
        judged = race._judged(strategy, size, model)
        judged.losses, judged.margins = (dict(zip(resamples, each, strict=True)) for each in (losses, margins))
    return race


def _steered(values: dict[str, Any]) -> Steered:
    names = {name: tuple(values[name]) for name in ("pin", "ban", "free")}
    return Steered(**{**values, **names, "refused": message_of(values["refused"])})
