"""The job of a run: its search, then any requested evidence about its result that is missing.

The window, the command line, the API and studies carry out jobs, and show and store their steps. A stopped job resumes
from the stored steps.
"""

from collections.abc import Iterator, Sequence
from math import ceil
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from fsdesk.data import Dataset, Shared
from fsdesk.engine import (
    Control,
    Event,
    Flag,
    Pool,
    Repeated,
    RunFinished,
    RunRequest,
    RunSpec,
    RunState,
    Steered,
    ThreadExecutor,
    Wanted,
    messages_of,
    pack_masks,
    run,
)
from fsdesk.engine.tasks import evaluator_of, tiny_dataset
from fsdesk.engine.worker import continued_by
from fsdesk.errors import WrapperError
from fsdesk.measure import Evaluator, Measurement
from fsdesk.methods import Mask
from fsdesk.results.evidence import (
    FRESH,
    FRESH_TIMES,
    Evidence,
    EvidenceProgress,
    Fresh,
    Honesty,
    OuterFold,
)
from fsdesk.results.held_out_rows import own_error
from fsdesk.results.outer import outer_number, outer_steps, refuse_outer_folds
from fsdesk.results.permutations import permutation_steps
from fsdesk.results.record import RunRecord
from fsdesk.store import Project

Step = Event | Evidence | EvidenceProgress
"""The steps yielded by a job."""


def job(
    spec: RunSpec,
    dataset: Dataset,
    wanted: Wanted,
    *,
    replayed: Sequence[Event] = (),
    known: Sequence[Evidence] = (),
    steerings: Sequence[Steered] = (),
    workers: int = 1,
    control: Control | None = None,
    pool: Pool | None = None,
) -> Iterator[Step]:
    """Carry out the remaining steps of a run: the search, then the requested evidence, fastest first.

    Parameters
    ----------
    replayed, known
        The events and the evidence so far, oldest first.
    steerings
        Changes that the user made in an earlier attempt at the same run, to be repeated.
    workers
        Number of parallel measurements, within each task if there is a ``pool``; the result does not depend on it.
    control
        Called before every batch, outer fold and shuffled run; returns whether to stop.
    pool
        Workers that carry out the search, outer folds and shuffled runs as tasks, such as those of a cluster.

    Raises
    ------
    WrapperError
        If the search could not measure any subset.
    DataError, SettingsError
        If there are too few rows for outer folds, or no targets can be permuted.
    """
    control = control or Flag()
    state, known = RunState.of(replayed, history=False), list(known)
    if state.status != "finished" and wanted.search:
        asked = Repeated(control, steerings) if steerings else control
        for step in _search(spec, dataset, wanted, replayed, known, workers, asked, pool):
            if isinstance(step, Event):
                state.apply(step)
            elif isinstance(step, Evidence):
                known.append(step)
            yield step
    if state.best is not None and not np.isfinite(state.best.mean):
        raise unmeasured(spec, dataset, state.best.mask)
    if state.status == "finished" or not wanted.search:
        yield from evidence_steps(spec, dataset, state, wanted, known, workers, control, pool)


def unmeasured(spec: RunSpec, dataset: Dataset, mask: Mask) -> WrapperError:
    """The error of a run whose result could not be measured, with the reason given by its model."""
    why = evaluator_of(spec, dataset).why_not(mask)
    return WrapperError("No subset could be measured: {why}", why=why)


def _search(
    spec: RunSpec,
    dataset: Dataset,
    wanted: Wanted,
    replayed: Sequence[Event],
    known: Sequence[Evidence],
    workers: int,
    control: Control,
    pool: Pool | None,
) -> Iterator[Step]:
    """The missing steps of the search; in a pool, including the quick pieces of evidence."""
    if pool is not None:
        quick = wanted._replace(outer=0, permutations=0)
        for _, step in messages_of(pool, job_task, [(spec, dataset, quick, replayed, tuple(known), workers)], control):
            yield step
    else:
        with ThreadExecutor(evaluator_of(spec, dataset), workers) as executor:
            yield from run(spec, dataset, executor, replayed, control)


def evidence_steps(
    spec: RunSpec,
    dataset: Dataset,
    state: RunState,
    wanted: Wanted,
    known: Sequence[Evidence],
    workers: int = 1,
    control: Control | None = None,
    pool: Pool | None = None,
) -> Iterator[Evidence | EvidenceProgress]:
    """Measure the missing requested evidence about the result of a run that is not active.

    Parameters and errors are as in :func:`job`; ``state`` is that of the run.
    """
    if state.best is None:
        return
    control, found = control or Flag(), list(known)
    mask, steerings = state.best.mask, tuple(state.steering_events)
    honesty = Honesty.of(known, mask, len(steerings))
    if wanted.fresh and spec.measuring.reshuffles and honesty.fresh is None:
        yield Fresh(pack_masks([mask])[0], fresh_error(spec.with_model(state.model), dataset, mask).values)
    if wanted.own and state.race.winner is not None and honesty.own is None:
        own = own_error(spec, dataset, state, mask)
        if own is not None:
            found.append(own)
            yield own
    if wanted.outer and not control.should_stop():
        for step in _outer(spec, dataset, wanted.outer, state, known, workers, control, pool):
            if isinstance(step, Evidence):
                found.append(step)
            yield step
    if wanted.permutations and not control.should_stop():
        repetition = RunRecord.of(state, spec=spec, evidence=found).repetition
        count = len(repetition.known(found))
        shuffled = permutation_steps(
            repetition, dataset, wanted.permutations, known=found, workers=workers, control=control, pool=pool
        )
        yield EvidenceProgress("shuffled runs", count, max(count, wanted.permutations))
        for each in shuffled:
            yield each
            count += 1
            yield EvidenceProgress("shuffled runs", count, max(count, wanted.permutations))


def _outer(
    spec: RunSpec,
    dataset: Dataset,
    folds: int,
    state: RunState,
    known: Sequence[Evidence],
    workers: int,
    control: Control,
    pool: Pool | None,
) -> Iterator[OuterFold | EvidenceProgress]:
    """The missing outer folds, with the run's changes, and their progress."""
    number, steerings = outer_number(spec, dataset, folds), tuple(state.steering_events)
    before = Honesty.of(known, None, len(steerings)).outer
    done = [each.fold for each in before if each.folds == number]
    if len(done) < number:
        yield EvidenceProgress("outer folds", len(done), number)
    yield from outer_steps(spec, dataset, folds, workers, done, control, steerings, pool)


def refuse_evidence(request: RunRequest, spec: RunSpec, dataset: Dataset) -> None:
    """Raise DataError before a search if there are too few rows for the requested outer folds."""
    wanted = request.wanted(spec)
    if wanted.outer:
        refuse_outer_folds(spec, dataset, wanted.outer)


def wanted_of(request: RunRequest, spec: RunSpec, known: Sequence[Evidence]) -> Wanted:
    """The evidence requested for a run; outer folds that were already started keep their number unless one is given."""
    wanted = request.wanted(spec)
    begun = [each.folds for each in known if isinstance(each, OuterFold)]
    return wanted._replace(outer=begun[-1]) if begun and wanted.outer and request.outer is None else wanted


def fresh_error(spec: RunSpec, dataset: Dataset, mask: Mask, times: int = FRESH_TIMES) -> Measurement:
    """The mask measured ``times`` times on folds that the search did not use; one value per measurement.

    The rows are those used for selection, so this removes the variation of the folds, not that of the rows. If the
    search used a sample of the rows, all rows are measured, and each repeat of a measurement is a separate value: means
    over as many measurements would take longer than the search.
    """
    if not 0 < spec.search_rows < len(dataset.target):
        with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
            return Measurement(np.array([each.mean for each in executor.measure([mask] * times, FRESH)]))
    whole = spec.model_copy(update={"measuring": spec.measuring.updated({"std_error_limit": 0.0})})
    evaluator = evaluator_of(whole, dataset, all_rows=True)
    with ThreadExecutor(evaluator) as executor:
        measured = executor.measure([mask] * ceil(times / evaluator.validation.repeats), FRESH)
    return Measurement(np.concatenate([each.values for each in measured])[:times])


def _after(arguments: tuple[Any, ...], came: Sequence[Step]) -> tuple[Any, ...]:
    """The arguments of the job that remains after these steps."""
    spec, dataset, wanted, replayed, known, workers = arguments
    evidence = [step for step in came if isinstance(step, Evidence)]
    events = [step for step in came if isinstance(step, Event)]
    return spec, dataset, wanted, (*replayed, *events), (*known, *evidence), workers


@continued_by(_after)
def job_task(
    control: Control,
    spec: RunSpec,
    dataset: Shared[Dataset],
    wanted: Wanted,
    replayed: Sequence[Event],
    known: Sequence[Evidence],
    workers: int,
) -> Iterator[Step]:
    """A job in a worker process."""
    yield from job(spec, dataset.open(), wanted, replayed=replayed, known=known, workers=workers, control=control)


def warm_task(control: Control) -> Iterator[float]:
    """Import what jobs need, so that the first one does not have to wait; yield the seconds that it took."""
    started = perf_counter()
    Evaluator(tiny_dataset(), repeats=1, folds=3).measure(np.ones(2, dtype=np.bool_))
    yield perf_counter() - started


class Keeper:
    """Stores steps of jobs in a project: evidence immediately, events in batches.

    This avoids writing a file for each of thousands of events.
    """

    def __init__(self, project: Project, seconds: float = 1 / 30) -> None:
        self._project, self._seconds = project, seconds
        self._pending: list[tuple[int, Event | Evidence]] = []
        self._written = monotonic()

    def keep(self, run_id: int, step: Step) -> bool:
        """Store a step of a run; return whether the file was written."""
        if isinstance(step, Event | Evidence):
            self._pending.append((run_id, step))
        waits = isinstance(step, Event) and not isinstance(step, RunFinished)
        if waits and monotonic() - self._written <= self._seconds:
            return False
        self.write()
        return True

    def write(self) -> None:
        """Write the events that are waiting."""
        if self._pending:
            self._project.append(self._pending)
        self._pending, self._written = [], monotonic()
