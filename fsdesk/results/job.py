"""The job of a run: its search, then the evidence about its answer that is wanted and missing."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from math import ceil

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset, Shared
from fsdesk.engine import Control, Flag, Pool, RunSpec, RunState, ThreadExecutor, pack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.measure import Measurement
from fsdesk.methods import Mask
from fsdesk.results.evidence import Evidence, Fresh, Honesty, OwnError
from fsdesk.results.held_out_rows import own_error
from fsdesk.results.outer import OuterProgress, outer_number, outer_steps
from fsdesk.store import Project

FRESH_TIMES = 20
FRESH = 1_000_000_000
"""First of the measurement numbers that no search uses."""


def fresh_error(spec: RunSpec, dataset: Dataset, mask: Mask, times: int = FRESH_TIMES) -> Measurement:
    """The mask measured again ``times`` on folds that the search has not seen; one value for each measurement.

    The rows are those that chose the mask: this takes away the luck of the folds, not that of the rows. Where the
    search took a sample of the rows, all rows are measured, and each repeat of a measurement is a value of its own: the
    means of as many measurements would take longer than the search.
    """
    if not 0 < spec.search_rows < len(dataset.target):
        with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
            return Measurement(np.array([each.mean for each in executor.measure([mask] * times, FRESH)]))
    whole = spec.model_copy(update={"measuring": spec.measuring.updated({"std_error_limit": 0.0})})
    evaluator = evaluator_of(whole, dataset, all_rows=True)
    with ThreadExecutor(evaluator) as executor:
        measured = executor.measure([mask] * ceil(times / evaluator.validation.repeats), FRESH)
    return Measurement(np.concatenate([each.values for each in measured])[:times])


def fresh_task(control: Control, spec: RunSpec, dataset: Shared[Dataset], mask: Mask) -> Iterator[Fresh]:
    """Measure a run's answer again on folds that its search has not seen."""
    yield Fresh(pack_masks([mask])[0], fresh_error(spec, dataset.open(), mask).values)


def own_error_task(
    control: Control, project_path: str, run_id: int, spec: RunSpec, dataset: Shared[Dataset]
) -> Iterator[OwnError]:
    """The held-out error that a finished run brings along, from what its log says of rows held out."""
    with closing(Project.open(project_path, read_only=True)) as project:
        state = RunState.of(project.events(run_id), history=False)
    if state.best is not None:
        with threadpool_limits(limits=1):
            own = own_error(spec, dataset.open(), state, state.best.mask)
        if own is not None:
            yield own


def missing_evidence(
    spec: RunSpec,
    dataset: Dataset,
    state: RunState,
    known: Sequence[Evidence],
    outer: int,
    workers: int = 1,
    control: Control | None = None,
    pool: Pool | None = None,
) -> Iterator[Evidence | OuterProgress]:
    """Measure the missing evidence of a finished run; yield each piece when it is found, quick ones first.

    Parameters
    ----------
    known
        All evidence about the run, oldest first.
    outer
        Outer folds of the held-out error; 0 for none.
    control
        Asked whether to stop, before each outer fold and inside of their searches.
    pool
        Workers that search in the outer folds.

    Raises
    ------
    DataError, SettingsError
        Where the rows are too few for outer folds.
    """
    if state.status != "finished" or state.best is None:
        return
    control = control or Flag()
    mask, steerings = state.best.mask, tuple(state.steering_events)
    honesty = Honesty.of(known, mask, len(steerings))
    if spec.measuring.reshuffles and honesty.fresh is None:
        yield Fresh(pack_masks([mask])[0], fresh_error(spec.with_model(state.model), dataset, mask).values)
    if state.race.winner is not None and honesty.own is None:
        own = own_error(spec, dataset, state, mask)
        if own is not None:
            yield own
    if outer and not control.should_stop():
        number = outer_number(spec, dataset, outer)
        folds = Honesty.of(known, None, len(steerings)).outer
        done = [each.fold for each in folds if each.folds == number]
        yield from outer_steps(spec, dataset, outer, workers, done, control, steerings, pool)
