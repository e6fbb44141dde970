"""The permuted-label control: the same run repeated on shuffled targets.

If there is nothing to find, the performance of a run is due to chance. The fraction of such runs that do at least as
well as the real one is the p value of this null hypothesis; because the real run is counted among them, it is never 0
(Phipson & Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).

Targets are shuffled as far as rows are exchangeable: within or between whole groups, within user-defined folds; for
data ordered in time, the whole sequence is rotated, so that neighbors stay neighbors.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Shared
from fsdesk.engine import (
    Control,
    Flag,
    Pool,
    Repeated,
    RunSpec,
    RunState,
    Steered,
    ThreadExecutor,
    WorkerPool,
    messages_of,
    pack_masks,
    run,
)
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError
from fsdesk.measure import CRITERIA, MeasureSettings
from fsdesk.measure.preparing import batch_codes
from fsdesk.messages import localised, number, tr
from fsdesk.methods import Mask
from fsdesk.results.evidence import Evidence, Honesty, OuterFold, Permuted, shuffled_p
from fsdesk.results.held_out_rows import own_error
from fsdesk.results.outer import outer_steps

_SHUFFLES = 3_000_000_000  # random generators from this number on shuffle targets

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class PermutationTest:
    """Outcome of the permuted-label control of a result.

    Attributes
    ----------
    p
        (b + 1) / (m + 1), where b of m shuffled runs did at least as well as the real one.
    as_good
        b, the number of shuffled runs that did at least as well.
    observed
        The error of the real run, as a loss.
    errors
        (m,) the errors of the shuffled runs, obtained in the same way, in the order of their numbers.
    source
        Source of that error: the source of the held-out error, or "search".
    criterion
        Name of the criterion.
    associated
        Whether runs were compared by the association of predictions with targets rather than by their errors.
    """

    p: float
    as_good: int
    observed: float
    errors: tuple[float, ...]
    source: str
    criterion: str
    associated: bool = False

    def sentence(self) -> str:
        """What was done and its outcome, in words."""
        criterion = CRITERIA[self.criterion]
        values = {
            "count": number(len(self.errors)), "as_good": number(self.as_good), "p": localised(f"{self.p:.3g}"),
            "criterion": tr(criterion.title), "observed": localised(criterion.text(self.observed)),
            "mean": localised(criterion.text(float(np.mean(self.errors)))),
            "best": localised(criterion.text(min(self.errors))),
        }  # fmt: skip
        if self.associated:
            said = tr(
                "The same run on shuffled targets, {count} times: {criterion} {mean} on average, {best} at best, "
                "{observed} in this run; in {as_good} of them, predictions and targets agreed as closely as here, p "
                "= {p}.",
                **values,
            )
        else:
            said = tr(
                "The same run on shuffled targets, {count} times: {criterion} {mean} on average, {best} at best; "
                "{as_good} of them did as well as this run ({observed}), p = {p}.",
                **values,
            )
        if self.p <= 0.05:
            return f"{said} " + tr(
                "The result is therefore not due to chance alone; the held-out error shows how good it is."
            )
        if not self.as_good:
            return f"{said} " + tr("Too few to rule out chance; at least 19 are needed.")
        return f"{said} " + tr("The result may therefore be due to chance.")


@dataclass(frozen=True, eq=False)
class Repetition:
    """What is repeated on shuffled targets: the search of a run, and the way its error was obtained.

    Attributes
    ----------
    spec, mask, steerings
        The specification of the run, its (p,) result, and the user's changes during the run.
    criterion
        Name of the criterion.
    source, folds
        As for its held-out error if there is one, otherwise "search" and 0.
    """

    spec: RunSpec
    mask: Mask
    steerings: tuple[Steered, ...]
    criterion: str
    source: str
    folds: int

    def known(self, evidence: Iterable[Evidence]) -> dict[int, Permuted]:
        """The shuffled runs among the evidence that were evaluated in this way and belong to this result, by number."""
        packed = pack_masks([self.mask])[0]
        return {
            each.number: each
            for each in evidence
            if isinstance(each, Permuted)
            and (each.source, each.folds) == (self.source, self.folds)
            and np.array_equal(each.mask, packed)
        }


def permutation_test(
    repetition: Repetition, evidence: Iterable[Evidence], loss: float, association: float | None
) -> PermutationTest | None:
    """The test of a run by the shuffled runs among its evidence; None if none belongs to its current result.

    Parameters
    ----------
    loss, association
        The error of the real run, and the association of its held-out predictions with the truth if known.
    """
    found = repetition.known(evidence)
    if not found or not np.isfinite(loss):
        return None
    runs = [found[place] for place in sorted(found)]
    p, as_good = shuffled_p(loss, association, runs)
    associated = association is not None and all(each.association is not None for each in runs)
    errors = tuple(each.loss for each in runs)
    return PermutationTest(p, as_good, loss, errors, repetition.source, repetition.criterion, associated)


def shuffled(dataset: Dataset, rng: np.random.Generator, measuring: MeasureSettings | None = None) -> Dataset:
    """The data set with its targets shuffled, as far as its rows are exchangeable.

    For data ordered in time, the sequence of targets is rotated by a random offset, within each group if there are
    groups. Otherwise, targets that are constant within groups are shuffled between whole groups, others within the
    groups; and all of this within user-defined folds.

    Raises
    ------
    DataError
        If no targets can be permuted.
    """
    rows = len(dataset.target)
    order = np.arange(rows)
    if dataset.time is not None:
        for part in _parts(dataset.groups, rows):
            sequence = part[np.argsort(dataset.time[part], kind="stable")]
            if len(sequence) > 1:
                order[sequence] = np.roll(sequence, int(rng.integers(1, len(sequence))))
    else:
        within = _within(dataset, measuring)
        blocks = np.zeros(rows, dtype=np.int64) if within is None else within
        values = dataset.target if dataset.response is None else dataset.response
        if dataset.groups is not None and _constant(values, dataset.groups):
            order = _over_groups(dataset.groups, blocks, rng)
        else:
            both = (
                blocks
                if dataset.groups is None
                else np.unique(np.stack([blocks, dataset.groups]), axis=1, return_inverse=True)[1]
            )
            for part in _parts(both, rows):
                order[part] = rng.permutation(part)
    if not _can_change(dataset, measuring):
        raise DataError(
            "The targets cannot be permuted: each group or fold has a single target, so there is nothing to shuffle."
        )
    response = None if dataset.response is None else dataset.response[order]
    return replace(dataset, target=dataset.target[order], response=response)


def _parts(codes: Codes | None, rows: int) -> list[Codes]:
    """Row indices for each code, ascending; all rows if there are no codes."""
    if codes is None:
        return [np.arange(rows)]
    return [np.flatnonzero(codes == code) for code in np.unique(codes)]


def _constant(values: NDArray[np.generic], groups: Codes) -> bool:
    return all(len(np.unique(values[part], axis=0)) == 1 for part in _parts(groups, len(values)))


def _over_groups(groups: Codes, blocks: Codes, rng: np.random.Generator) -> Codes:
    """(n,) the row from which each row takes its target: one of another whole group of the same block."""
    firsts = np.unique(groups, return_index=True)[1]
    source = firsts.copy()
    of_block = blocks[firsts]
    for block in np.unique(of_block):
        own = np.flatnonzero(of_block == block)
        source[own] = firsts[rng.permutation(own)]
    return np.asarray(source[np.unique(groups, return_inverse=True)[1]])


def _can_change(dataset: Dataset, measuring: MeasureSettings | None) -> bool:
    """Whether shuffling can change the targets at all."""
    values = dataset.target if dataset.response is None else dataset.response
    if dataset.time is not None:
        return any(len(np.unique(values[part], axis=0)) > 1 for part in _parts(dataset.groups, len(values)))
    if dataset.groups is not None and not _constant(values, dataset.groups):
        return True
    return any(len(np.unique(values[part], axis=0)) > 1 for part in _parts(_within(dataset, measuring), len(values)))


def _within(dataset: Dataset, measuring: MeasureSettings | None) -> Codes | None:
    """(n,) user-defined folds, or batches, within which targets are shuffled; None if there are none."""
    if dataset.fold_of is not None or measuring is None or not measuring.batch:
        return dataset.fold_of
    return np.unique(batch_codes(dataset, measuring), return_inverse=True)[1].astype(np.int64)


def permutation_steps(
    repetition: Repetition,
    dataset: Dataset,
    count: int,
    *,
    known: Iterable[Evidence] = (),
    workers: int = 1,
    control: Control | None = None,
    pool: Pool | None = None,
) -> Iterator[Permuted]:
    """Carry out the missing shuffled runs; yield each as it is done.

    Every run is identical to the real one, with its method, settings, seed and changes, and its error is obtained in
    the same way: in outer folds, on rows held out by the method, or, if the real run has no held-out error, from the
    search.

    Parameters
    ----------
    count
        Total number of shuffled runs; the smallest p value is 1 / (count + 1).
    known
        Evidence about the run: shuffled runs in it are not repeated.
    workers
        Number of parallel runs, each in its own process if more than one. The outcome does not depend on it.
    control
        Called to ask whether to stop.
    pool
        Workers that carry the runs out, such as those of a cluster, each with ``workers`` parallel measurements.

    Raises
    ------
    DataError
        If no targets can be permuted.
    """
    done_before = repetition.known(known)
    missing = [place for place in range(count) if place not in done_before]
    shuffled(dataset, np.random.default_rng(0), repetition.spec.measuring)  # reports errors before anything is run
    control = control or Flag()
    if pool is None and (workers == 1 or len(missing) < 2):
        for place in missing:
            done = _repeated(repetition, dataset, place, control, 1)
            if done is None:
                return
            yield done
        return
    calls = [(repetition, dataset, place, 1 if pool is None else workers) for place in missing]
    with nullcontext(pool) if pool is not None else closing(WorkerPool(min(workers, len(missing)))) as at_work:
        for _, step in messages_of(at_work, permuted_task, calls, control):
            yield step


def _repeated(repetition: Repetition, dataset: Dataset, place: int, control: Control, threads: int) -> Permuted | None:
    """Carry out the shuffled run number ``place`` with this many threads; None if it was stopped."""
    seed = np.random.SeedSequence(repetition.spec.seed, spawn_key=(_SHUFFLES + place,))
    other = shuffled(dataset, np.random.default_rng(seed), repetition.spec.measuring)
    found = _judged(repetition, other, control, threads)
    if found is None:
        return None
    loss, association = found
    return Permuted(pack_masks([repetition.mask])[0], place, loss, repetition.source, repetition.folds, association)


def _judged(
    repetition: Repetition, dataset: Dataset, control: Control, threads: int
) -> tuple[float, float | None] | None:
    """Error and association of the same run on other data, obtained in the same way; None if it was stopped."""
    spec = repetition.spec.model_copy(update={"data_fingerprint": dataset.fingerprint})
    if repetition.source == "outer folds":
        steps = outer_steps(spec, dataset, repetition.folds, threads, (), control, repetition.steerings)
        honesty = Honesty(None, tuple(step for step in steps if isinstance(step, OuterFold)))
        error = honesty.error(repetition.criterion, 0, 0) if honesty.complete else None
        return None if error is None else (error.value, error.association)
    with ThreadExecutor(evaluator_of(spec, dataset), threads) as executor:
        events = run(spec, dataset, executor, (), Repeated(control, repetition.steerings))
        state = RunState.of(events, history=False)
    if state.status != "finished" or state.best is None:
        return None
    if repetition.source == "search":
        return float(state.best.mean), None
    own = own_error(spec, dataset, state, state.best.mask)
    return None if own is None else (own.said.value, own.said.association)


def permuted_task(
    control: Control, repetition: Repetition, dataset: Shared[Dataset], place: int, threads: int
) -> Iterator[Permuted]:
    """A shuffled run in a worker process."""
    done = _repeated(repetition, dataset.open(), place, control, threads)
    if done is not None:
        yield done
