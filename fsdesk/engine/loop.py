"""The loop that drives every method: propose, measure, tell. Its only output is events."""

import hashlib
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine.events import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFinished,
    RunStarted,
    Steered,
    SubsetsJudged,
    pack_masks,
)
from fsdesk.engine.executor import Executor
from fsdesk.engine.request import RunSpec, Space
from fsdesk.engine.steering import Control, Flag, SteeringFilter
from fsdesk.errors import ProjectError
from fsdesk.measure import Measurement, Resamples, loss_of_a_row, rows_of
from fsdesk.messages import mark, message
from fsdesk.methods import End, Filter, Mask, Problem, Proposal, Subsets

_KEPT_SCORES = 64  # by filter and resample
_LOOK_SECONDS = 0.1  # seconds between checks for requests in a long batch

STOPPED = message("stopped; it can be resumed")  # by the user, or by a system that ends long processes
_FORMERLY = mark("stopped by you; it can be resumed")  # in projects of earlier versions


def run(
    spec: RunSpec,
    dataset: Dataset,
    executor: Executor,
    replayed: Sequence[Event] = (),
    control: Control | None = None,
    *,
    again: bool = False,
) -> Iterator[Event]:
    """Run a method to its end, or until ``control`` stops it.

    Measurement 0 is the full set of features, the baseline; those of the method are 1, 2, ...

    Parameters
    ----------
    replayed
        The events of the same run so far. They are replayed: the method proposes again and receives the stored losses,
        which brings it to exactly the same point. Only new events are yielded.
    control
        Polled before every batch for stopping and changes.
    again
        Also yield replayed batches and changes, recreated from the method's proposals: only their losses and seconds
        are taken from ``replayed``. So a log can be compared with the one that follows from its seed.

    Raises
    ------
    ProjectError
        If ``replayed`` or the data do not belong to this spec.
    """
    if dataset.fingerprint != spec.data_fingerprint:
        raise ProjectError(
            "This run was made on other data than the current {name}. Open the original table.",
            name=dataset.name,
        )
    control = control or Flag()
    if not any(isinstance(event, RunStarted) for event in replayed):
        yield RunStarted(spec.model_dump(), dataset.features)
    if not any(isinstance(event, BaselineMeasured) for event in replayed):
        if control.should_stop():
            yield from _changes_before(control)
            yield RunFinished(STOPPED, True, None)
            return
        minutes = spec.method_at_work().max_minutes
        if minutes:  # plus later additions
            minutes += sum(each.minutes for each in replayed if isinstance(each, Steered) and not each.refused)
        measured = _measure_baseline(executor, len(dataset.features), control, minutes)
        if measured is None:
            yield from _changes_before(control)
            over = message(
                "the time of {minutes:g} minutes is used up before all features were measured once: allow more, or "
                "measure with a hold-out and one repeat",
                minutes=minutes,
            )
            yield RunFinished(STOPPED if control.halts() else over, True, None)
            return
        yield measured
    log = deque(event for event in replayed if isinstance(event, BatchMeasured | SubsetsJudged | Steered))
    yield from _Search(spec, dataset, executor, control, log, again).events()


def _changes_before(control: Control) -> Iterator[Event]:
    """Changes requested before the first measurement; they stay in the log until the search starts."""
    for change in control.steerings_before(1):
        yield replace(change, number=1)


def _measure_baseline(executor: Executor, features: int, control: Control, minutes: float) -> BaselineMeasured | None:
    """Measure all features once; None if that is stopped, or if it uses up all the time."""
    patience = _Patience(control, 60 * minutes or np.inf, compares=False, finishes=False)
    started = time.perf_counter()
    measured = executor.measure([np.ones(features, dtype=np.bool_)], 0, halts=patience.halts)
    return BaselineMeasured(measured[0].values, time.perf_counter() - started) if measured else None


class _Search:
    """A running method, with the measurements, the user's changes and the best so far."""

    def __init__(
        self,
        spec: RunSpec,
        dataset: Dataset,
        executor: Executor,
        control: Control,
        log: deque[BatchMeasured | SubsetsJudged | Steered],
        again: bool = False,
    ) -> None:
        began = time.monotonic()
        method, space = spec.method_at_work(), spec.build_space(dataset)
        scores = FilterScores(space, dataset, spec, executor.threads)
        self.problem = Problem(
            space.units,
            max(1, method.budget(space.units, started=bool(spec.start))),
            start=space.start(spec.start),
            scores=scores,
            seen=scores.seen,
            size=lambda mask: int(space.mask(mask).sum()),
            most_seconds=method.max_minutes * 60,
            row=loss_of_a_row(dataset, spec.measuring, spec.search_rows),
        )
        self.executor, self.control, self.log, self.again = executor, control, log, again
        self.answers_late = method.validates_itself  # gives a result from the held-out rows evaluated in time
        self.space, self.filter = space, SteeringFilter(space)
        self.search = method.search(self.problem, np.random.default_rng(np.random.SeedSequence(spec.seed)))
        self.answer = _Answer()
        self.number, self.iteration = 1, 0
        self.kept_subsets: set[tuple[bytes, tuple[str, ...], bytes]] = set()  # those in the log
        self.thought = time.monotonic() - began  # seconds spent on the current proposal, including filters

    def events(self) -> Iterator[Event]:
        """The new events, to the end or until the user stops."""
        end, stopped = End(STOPPED), True
        losses: list[Measurement] | None = None
        rest: Proposal | None = None
        try:
            while (yield from self._steer()):
                if rest is None:
                    began = time.monotonic()
                    asked = next(self.search) if losses is None else self.search.send(losses)
                    self.thought += time.monotonic() - began
                    rest, losses = _in_features(asked, self.space), []
                proposal = self.filter.steered(rest)
                if not self.log and (reached := self._reached(len(proposal.masks))):
                    if self.problem.measured:
                        end, stopped = End(reached), False
                        break
                    proposal = _first(proposal, self.problem.budget)  # a partial result is better than none
                first = self.number
                measured = yield from self._measured(proposal)
                self.problem.measured += len(measured)
                if proposal.rows is None:
                    self.answer.add(proposal, measured)
                losses = [*(losses or ()), *measured]
                rest = _rest(rest, len(measured), first)
                if self.answers_late and self.problem.is_over:
                    rest = None
        except StopIteration as stop:
            end, stopped = stop.value, False
        self.search.close()
        yield (yield from self._finished(end, stopped))

    def _reached(self, more: int) -> str:
        """Why nothing more may be measured, or ""."""
        problem = self.problem
        if problem.measured + more > problem.budget:
            return message("the budget of {budget:,} measurements is used up", budget=problem.budget)
        if problem.is_over and not self.answers_late:
            return message("the time of {minutes:g} minutes is used up", minutes=problem.most_seconds / 60)
        return ""

    def _steer(self) -> Generator[Event, None, bool]:
        """Apply the user's changes, logged or new, before the method gets its losses; return whether to continue."""
        while True:
            while self.log and isinstance(change := self.log[0], Steered):
                self.log.popleft()
                changed = self._change(replace(change, refused="") if self.again else change)
                if self.again:
                    yield changed
            going = bool(self.log) or not self.control.should_stop()
            for change in () if self.log else self.control.steerings_before(self.number):
                yield self._change(replace(change, number=self.number))
            again = self.answer.lost
            if again is None or not going:
                return going
            # The best so far is no longer allowed: the mask it became is measured without the method's knowledge.
            proposal = Proposal([again], (True,), self.iteration)
            self.answer.add(proposal, (yield from self._measured(proposal, wholly=True)))

    def _change(self, change: Steered) -> Steered:
        event = change if change.refused else self.filter.change(change)
        if not event.refused:
            self.problem.extend(event.measurements, event.iterations, event.minutes)
            self.answer.steer(self.filter)
        return event

    def _measured(self, proposal: Proposal, *, wholly: bool = False) -> Generator[Event, None, Sequence[Measurement]]:
        """The losses for a proposal, taken from the log until its end.

        If time ran out or a request arrived meanwhile, they are only those of its first masks, or none, unless the
        proposal is required ``wholly``.
        """
        losses: list[Measurement]
        if self.log:
            losses, seconds = _replayed(self.log.popleft(), proposal, self.number)
            if proposal.rows is not None:
                event = self._judged(proposal, losses, seconds)
                if self.again:
                    yield event
            elif self.again:
                yield _event(proposal, losses, self.number, seconds)
        elif proposal.rows is not None:
            started = time.perf_counter() - self.thought
            patience = self._patience(proposal)
            losses = self.executor.judge(proposal.masks, self.number, proposal.rows, patience.halts)
            seconds = time.perf_counter() - started
            if patience.is_time_up:  # the log has the same text
                seconds = max(seconds, self.problem.most_seconds - self.problem.seconds)
            if losses or patience.is_time_up:
                yield self._judged(proposal, losses, seconds)
        else:
            started = time.perf_counter() - self.thought
            folds, patience = _folds(proposal, self.number), self._patience(proposal)
            asked: dict[str, Any] = {} if wholly else {"going": patience.going, "halts": patience.halts}
            losses = self.executor.measure(proposal.masks, self.number, folds, model=proposal.model, **asked)
            seconds = time.perf_counter() - started
            if losses or patience.is_time_up:
                yield _event(proposal, losses, self.number, seconds)
        self.problem.seconds += seconds
        self.thought = 0.0
        self.number += len(losses)
        self.iteration = proposal.iteration
        return losses

    def _judged(self, proposal: Proposal, losses: Sequence[Measurement], seconds: float) -> SubsetsJudged:
        """The event, with its subsets unless the log already has them for another model."""
        event = _judged(proposal, losses, self.number, seconds)
        if not event.model or event.key not in self.kept_subsets:
            self.kept_subsets.add(event.key)
            return event
        none = np.empty(0, dtype=np.int64)
        return replace(event, subsets=none, offsets=none)

    def _patience(self, proposal: Proposal) -> "_Patience":
        """The time allowed for a batch that starts now; if nothing was measured yet, it may exceed the limit once."""
        left = self.problem.most_seconds - self.problem.seconds - self.thought if self.problem.most_seconds else np.inf
        finishes = proposal.confirms or not (self.problem.measured or proposal.rows is not None)
        return _Patience(self.control, left, proposal.confirms, finishes)

    def _finished(self, end: End, stopped: bool) -> Generator[Event, None, RunFinished]:
        if end.mask is None:
            probe = self.answer.probe
            if stopped or self.answer.mask is not None or probe is None or not self.filter.always_gave(probe):
                return RunFinished(end.reason, stopped, self.answer.weights)
            # The budget did not reach the first candidate: the best mask measured is better than no result.
            mean, std_error = self.answer.probe_loss
            return RunFinished(end.reason, stopped, None, np.packbits(probe), mean, std_error)
        asked = self.space.mask(end.mask)
        mask = self.filter.mask(asked)
        weights = None if end.weights is None else self.filter.weights(self.space.weights(end.weights))
        mean, std_error = end.mean, end.std_error
        if not self.filter.always_gave(asked):
            # The method's knowledge of this mask partly concerns other masks, from before the user's change.
            changed = Proposal([mask], (True,), self.iteration, model=end.model)
            (loss,) = yield from self._measured(changed, wholly=True)
            mean, std_error = loss.mean, loss.std_error
        return RunFinished(end.reason, stopped, weights, np.packbits(mask), mean, std_error, end.model)


class _Patience:
    """Whether to continue a running batch; finalists are compared once all of them are measured."""

    def __init__(self, control: Control, seconds: float, compares: bool, finishes: bool) -> None:
        self._control, self._compares, self._finishes = control, compares, finishes
        self._looked = time.monotonic()
        self._deadline = self._looked + seconds

    @property
    def is_time_up(self) -> bool:
        """Whether the user's limit is reached."""
        return time.monotonic() >= self._deadline

    def going(self) -> bool:
        """Called between two measurements."""
        now = time.monotonic()
        if now < min(self._deadline, self._looked + _LOOK_SECONDS):
            return True
        self._looked = now
        return self._compares or (now < self._deadline and not self._control.wants())

    def halts(self) -> bool:
        """Called during a measurement, several times a second."""
        return self._control.halts() or (self.is_time_up and not self._finishes)


def _folds(proposal: Proposal, number: int) -> int | None:
    """The measurement whose folds all masks of a proposal share; None if each has its own."""
    if proposal.folds == "fresh":
        return None
    return number if proposal.folds == "shared" else proposal.folds


def _first(proposal: Proposal, most: int) -> Proposal:
    """The first masks of a proposal only."""
    return replace(proposal, masks=proposal.masks[:most], candidates=proposal.candidates[:most])


def _rest(proposal: Proposal, measured: int, number: int) -> Proposal | None:
    """The rest of a proposal whose first masks were measured, as measurements from ``number`` on, if any."""
    if measured == len(proposal.masks):
        return None
    folds, rows = number if proposal.folds == "shared" else proposal.folds, proposal.rows
    if rows is not None:
        rows = replace(
            rows, resamples=rows.resamples[measured:], labels=rows.labels[measured:], sizes=rows.sizes[measured:]
        )
    masks, candidates = proposal.masks[measured:], proposal.candidates[measured:]
    return replace(proposal, masks=masks, candidates=candidates, folds=folds, rows=rows)


def _in_features(proposal: Proposal, space: Space) -> Proposal:
    """Convert a proposal from units (features or groups of them) to features."""
    if space.is_plain:
        return proposal
    weights = None if proposal.weights is None else space.weights(proposal.weights)
    return replace(proposal, masks=[space.mask(mask) for mask in proposal.masks], weights=weights)


class FilterScores:
    """Filter scores of the units, from all rows or from the search rows of a resample; the last few are cached."""

    def __init__(self, space: Space, dataset: Dataset, spec: RunSpec, threads: int) -> None:
        self._space, self._dataset, self._spec, self._threads = space, dataset, spec, threads
        self._kept: dict[tuple[Filter, int, int], NDArray[np.float64]] = {}

    def __call__(self, name: Filter, resample: int = -1, folds: int = 0) -> NDArray[np.float64]:
        """(units,) filter scores without the rows held out by a resample, given the number of parts."""
        key = (name, resample, folds)
        if key not in self._kept:
            dataset = self._dataset
            if resample >= 0:
                dataset = rows_of(dataset, self._searching(resample, folds))
            self._kept[key] = self._space.scores(name, dataset, self._threads)
            if len(self._kept) > _KEPT_SCORES:
                self._kept.pop(next(iter(self._kept)))
        return self._kept[key]

    def seen(self, resample: int, folds: int) -> float:
        """The fraction of all rows that a search in a resample may use."""
        return len(self._searching(resample, folds)) / len(self._dataset.target)

    def _searching(self, resample: int, folds: int) -> NDArray[np.int64]:
        return Resamples(self._dataset, self._spec.measuring, self._spec.seed, folds).searching(resample)


def _event(proposal: Proposal, losses: Sequence[Measurement], number: int, seconds: float) -> BatchMeasured:
    """The event of the first masks of a proposal; if there are none, it only records the time spent."""
    if not losses:
        proposal = replace(proposal, weights=None, trace={}, confirms=False, winner=-1, cut=False)
    folds = _folds(proposal, number)
    weights = None if proposal.weights is None else np.round(proposal.weights * 255).astype(np.uint8)
    return BatchMeasured(
        number=number,
        masks=pack_masks(list(proposal.masks[: len(losses)])),
        candidates=tuple(proposal.candidates[: len(losses)]),
        values=_side_by_side(losses),
        iteration=proposal.iteration,
        weights=weights,
        trace=dict(proposal.trace),
        seconds=seconds,
        folds=-1 if folds is None else folds,
        confirms=proposal.confirms,
        winner=proposal.winner,
        cut=proposal.cut,
    )


def _judged(proposal: Proposal, losses: Sequence[Measurement], number: int, seconds: float) -> SubsetsJudged:
    """The event of the first subsets of a proposal that were scored."""
    assert proposal.rows is not None
    many = len(losses)
    rows, subsets = proposal.rows, Subsets.of(proposal.masks)[:many]
    if not losses:
        proposal = replace(proposal, weights=None, trace={})
    is_held_out = rows.judge == "held-out"
    none = np.empty(0, dtype=np.int64)
    return SubsetsJudged(
        number=number,
        judge=rows.judge,
        folds=rows.folds,
        resamples=rows.resamples[:many],
        losses=np.array([loss.mean for loss in losses]),
        margins=np.array([loss.margin for loss in losses]).reshape(many, 2) if is_held_out else np.empty(0),
        digest=_digest(subsets),
        subsets=subsets.features.astype(np.int64) if is_held_out else none,
        offsets=subsets.offsets.astype(np.int64) if is_held_out else none,
        labels=rows.labels[:many],
        sizes=np.array(rows.sizes[:many], dtype=np.int64),
        iteration=proposal.iteration,
        weights=None if proposal.weights is None else np.round(proposal.weights * 255).astype(np.uint8),
        trace=dict(proposal.trace),
        seconds=seconds,
        model=rows.model,
    )


def _digest(subsets: Subsets) -> NDArray[np.uint8]:
    digest = hashlib.blake2b(subsets.features.astype("<i4").tobytes(), digest_size=16)
    digest.update(subsets.offsets.astype("<i8").tobytes())
    return np.frombuffer(digest.digest(), dtype=np.uint8)


def _side_by_side(losses: Sequence[Measurement]) -> NDArray[np.float64]:
    """(m, repeats) losses, padded with NaN for measurements that needed fewer repeats."""
    values = np.full((len(losses), max((len(loss.values) for loss in losses), default=1)), np.nan)
    for row, loss in zip(values, losses, strict=True):
        row[: len(loss.values)] = loss.values
    return values


def _replayed(
    stored: BatchMeasured | SubsetsJudged | Steered, proposal: Proposal, number: int
) -> tuple[list[Measurement], float]:
    """The stored losses and their seconds, after checking that they belong to this proposal."""
    if (
        isinstance(stored, SubsetsJudged)
        and proposal.rows is not None
        and stored.number == number
        and np.array_equal(stored.digest, _digest(Subsets.of(proposal.masks)[: len(stored.losses)]))
    ):
        losses = enumerate(stored.losses.tolist())
        return [Measurement(np.array([loss]), stored.margin(place)) for place, loss in losses], stored.seconds
    if (
        not isinstance(stored, BatchMeasured)
        or proposal.rows is not None
        or stored.number != number
        or not np.array_equal(stored.masks, pack_masks(list(proposal.masks[: len(stored.masks)])))
    ):
        raise ProjectError(
            "The log of this run cannot be replayed from measurement {number} on: it was made by another version of "
            "fsdesk or numpy, or is damaged. Its results remain valid; start a new run to continue.",
            number=number,
        )
    return [Measurement.of(values) for values in stored.values], stored.seconds


@dataclass
class _Answer:
    """The best candidate measured so far, with its exact weights: the lowest mean, the earlier of two equal ones.

    Attributes
    ----------
    lost
        The mask that replaces the best one after the user's changes, until it is measured.
    probe, probe_loss
        The best mask that is not a candidate, with its mean and standard error.
    """

    mean: float = np.inf
    mask: Mask | None = None
    weights: NDArray[np.float64] | None = None
    lost: Mask | None = None
    probe: Mask | None = None
    probe_loss: tuple[float, float] = (np.inf, 0.0)

    def add(self, proposal: Proposal, losses: Sequence[Measurement]) -> None:
        for mask, candidate, loss in zip(proposal.masks, proposal.candidates, losses, strict=False):  # perhaps a part
            if self.lost is not None:
                self.lost, self.mask, self.mean = None, mask, loss.mean
            elif candidate and loss.mean < self.mean:
                self.mean, self.mask, self.weights = loss.mean, mask, proposal.weights
            elif not candidate and loss.mean < self.probe_loss[0]:
                self.probe, self.probe_loss = mask, (loss.mean, loss.std_error)

    def steer(self, filter_: SteeringFilter) -> None:
        """If the best mask is no longer allowed, replace it by the mask that it becomes."""
        if self.mask is None:
            return
        steered = filter_.mask(self.mask, self.weights)
        if not np.array_equal(steered, self.mask):
            self.lost = steered
            self.weights = None if self.weights is None else filter_.weights(self.weights)
