"""The one loop that drives every method: ask, measure, tell. Its events are its only output."""

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine.control import Control, Flag
from fsdesk.engine.events import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFinished,
    RunStarted,
    pack_masks,
)
from fsdesk.engine.executor import Executor
from fsdesk.engine.space import Space
from fsdesk.engine.spec import RunSpec
from fsdesk.errors import ProjectError
from fsdesk.measure import Measurement
from fsdesk.methods import End, Problem, Proposal

__all__ = ["run"]

STOPPED = "stopped by you; it can be resumed"


def run(
    spec: RunSpec, dataset: Dataset, executor: Executor, told: Sequence[Event] = (), control: Control | None = None
) -> Iterator[Event]:
    """Run a method to its end, or until ``control`` says stop.

    Measurement 0 is the full set of features, the baseline; the method's own are 1, 2, ...

    Parameters
    ----------
    told
        The events of the same run so far. They are replayed: the method is asked again and hears the stored answers,
        which brings it to the very point where it was. Only new events are yielded.
    control
        Asked before every batch.

    Raises
    ------
    ProjectError
        Where ``told`` or the data do not belong to this spec.
    """
    if dataset.fingerprint != spec.data_fingerprint:
        raise ProjectError(
            f"This run was made on other data than {dataset.name} as it is now: open the table that it was made on."
        )
    control = control or Flag()
    batches = [event for event in told if isinstance(event, BatchMeasured)]
    if not any(isinstance(event, RunStarted) for event in told):
        yield RunStarted(spec.model_dump(), dataset.features)
    if not any(isinstance(event, BaselineMeasured) for event in told):
        if control.should_stop():
            yield RunFinished(STOPPED, True, None)
            return
        yield _measure_baseline(executor, len(dataset.features))
    method, space = spec.build_method(), spec.build_space(dataset)
    problem = Problem(
        space.units, max(1, method.budget(space.units)), start=space.start(spec.start), scores=space.scores
    )
    search = method.search(problem, np.random.default_rng(np.random.SeedSequence(spec.seed)))
    limits = _Limits(problem.budget, method.max_minutes * 60)
    answer = _Answer()
    number, end, stopped = 1, End(STOPPED), True
    try:
        proposal = _in_features(next(search), space)
        for place in itertools.count():
            if place < len(batches):
                losses = _replayed(batches[place], proposal, number)
                limits.seconds += batches[place].seconds
            elif control.should_stop():
                break
            elif reached := limits.reached(number - 1 + len(proposal.masks)):
                end, stopped = End(reached), False
                break
            else:
                started = time.perf_counter()
                losses = executor.measure(proposal.masks, number, _folds(proposal, number))
                seconds = time.perf_counter() - started
                limits.seconds += seconds
                yield _event(proposal, losses, number, seconds)
            answer.hear(proposal, losses)
            number += len(losses)
            proposal = _in_features(search.send(losses), space)
    except StopIteration as stop:
        end, stopped = stop.value, False
    search.close()
    yield _finished(end, stopped, answer, space)


def _measure_baseline(executor: Executor, features: int) -> BaselineMeasured:
    started = time.perf_counter()
    (measured,) = executor.measure([np.ones(features, dtype=np.bool_)], 0)
    return BaselineMeasured(measured.values, time.perf_counter() - started)


@dataclass
class _Limits:
    """The user's limits on a whole run, by its measurements and by the time they took."""

    measurements: int
    most_seconds: float
    seconds: float = 0.0

    def reached(self, measurements: int) -> str:
        """Why no more may be measured, or nothing."""
        if measurements > self.measurements:
            return f"the budget of {self.measurements} measurements is used up"
        if 0 < self.most_seconds <= self.seconds:
            return f"the time of {self.most_seconds / 60:g} minutes is used up"
        return ""


def _folds(proposal: Proposal, number: int) -> int | None:
    """The measurement whose folds all masks of a proposal share; None where each has its own."""
    if proposal.folds == "fresh":
        return None
    return number if proposal.folds == "shared" else proposal.folds


def _in_features(proposal: Proposal, space: Space) -> Proposal:
    """A proposal in units as one in features."""
    if space.is_plain:
        return proposal
    weights = None if proposal.weights is None else space.weights(proposal.weights)
    return replace(proposal, masks=[space.mask(mask) for mask in proposal.masks], weights=weights)


def _finished(end: End, stopped: bool, answer: "_Answer", space: Space) -> RunFinished:
    if end.mask is None:
        return RunFinished(end.reason, stopped, answer.weights)
    weights = None if end.weights is None else space.weights(end.weights)
    return RunFinished(end.reason, stopped, weights, np.packbits(space.mask(end.mask)), end.mean, end.std_error)


def _event(proposal: Proposal, losses: Sequence[Measurement], number: int, seconds: float) -> BatchMeasured:
    folds = _folds(proposal, number)
    weights = None if proposal.weights is None else np.round(proposal.weights * 255).astype(np.uint8)
    return BatchMeasured(
        number=number,
        masks=pack_masks(list(proposal.masks)),
        candidates=tuple(proposal.candidates),
        values=_side_by_side(losses),
        iteration=proposal.iteration,
        weights=weights,
        trace=dict(proposal.trace),
        seconds=seconds,
        folds=-1 if folds is None else folds,
        confirms=proposal.confirms,
    )


def _side_by_side(losses: Sequence[Measurement]) -> NDArray[np.float64]:
    """(m, repeats); NaN behind the values of measurements that needed fewer repeats."""
    values = np.full((len(losses), max(len(loss.values) for loss in losses)), np.nan)
    for row, loss in zip(values, losses, strict=True):
        row[: len(loss.values)] = loss.values
    return values


def _replayed(stored: BatchMeasured, proposal: Proposal, number: int) -> list[Measurement]:
    """The stored answers, once it is sure that they answer this question."""
    if stored.number != number or not np.array_equal(stored.masks, pack_masks(list(proposal.masks))):
        raise ProjectError(
            f"The log of this run does not replay at measurement {number}: it was made by another version of fsdesk "
            "or numpy, or is damaged. Its results stand; start a new run to go on."
        )
    return [Measurement.of(values) for values in stored.values]


@dataclass
class _Answer:
    """The exact weights of the best candidate heard of so far: the lowest mean, the earlier where two are equal."""

    mean: float = np.inf
    weights: NDArray[np.float64] | None = None

    def hear(self, proposal: Proposal, losses: Sequence[Measurement]) -> None:
        for candidate, loss in zip(proposal.candidates, losses, strict=True):
            if candidate and loss.mean < self.mean:
                self.mean, self.weights = loss.mean, proposal.weights
