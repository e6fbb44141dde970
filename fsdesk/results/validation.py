"""What is measured after a search: its answer on fresh folds, and the error on rows that it never saw."""

from collections.abc import Iterator, Sequence

from fsdesk.data import Dataset
from fsdesk.engine import Control, Flag, Pool, RunSpec, RunState, pack_masks
from fsdesk.results.honest import (
    Evidence,
    Fresh,
    Honesty,
    OuterProgress,
    fresh_error,
    outer_number,
    outer_steps,
    own_error,
)

__all__ = ["missing_evidence"]


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
    """Measure what is not known yet of a finished run; each piece of evidence as it is found, quick ones first.

    Parameters
    ----------
    known
        All evidence about the run, oldest first.
    outer
        Outer folds of the honest error; 0 for none.
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
    mask, honesty = state.best.mask, Honesty.of(known, state.best.mask)
    if spec.measuring.deals_anew and honesty.fresh is None:
        yield Fresh(pack_masks([mask])[0], fresh_error(spec, dataset, mask).values)
    if state.race.winner is not None and honesty.own is None:
        own = own_error(spec, dataset, state.race, mask)
        if own is not None:
            yield own
    if outer and not control.should_stop():
        number, steerings = outer_number(spec, dataset, outer), tuple(state.steering_events)
        folds = Honesty.of(known, None, len(steerings)).outer
        done = [each.fold for each in folds if each.folds == number]
        yield from outer_steps(spec, dataset, outer, workers, done, control, steerings, pool)
