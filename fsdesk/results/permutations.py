"""The permuted-label control: the same run on shuffled targets, again and again.

What a run reaches where there is nothing to find is what luck alone gives it. The share of such runs that do as well
as the real one is the p-value of "there is nothing to find"; with the real one counted among them it is never 0
(Phipson & Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).

Targets are shuffled as far as the rows may be exchanged: those of one group stay together or inside of it, those of the
user's own folds inside of these, and in time the whole sequence is turned, so that neighbours stay neighbours.
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

_SHUFFLES = 3_000_000_000  # numbers of generators from here on shuffle targets

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class PermutationTest:
    """Result of the permuted-label control of an answer.

    Attributes
    ----------
    p
        (b + 1) / (m + 1), where b of m shuffled runs did as well as the real one.
    as_good
        How many did.
    observed
        The error of the real run, as a loss.
    errors
        (m,) the errors of the shuffled runs, found in the same way, in the order of their numbers.
    source
        What kind of error that is: that of the held-out error, or "search".
    criterion
        Name of what is measured.
    associated
        Whether runs were compared by how strongly their predictions go with their targets, not by their errors.
    """

    p: float
    as_good: int
    observed: float
    errors: tuple[float, ...]
    source: str
    criterion: str
    associated: bool = False

    def sentence(self) -> str:
        """What was done and what came of it, in words."""
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
                "{observed} in this run; in {as_good} of them predictions and targets agreed as closely as here, "
                "p = {p}.",
                **values,
            )
        else:
            said = tr(
                "The same run on shuffled targets, {count} times: {criterion} {mean} on average, {best} at best; "
                "{as_good} of them did as well as this run ({observed}), p = {p}.",
                **values,
            )
        if self.p <= 0.05:
            return f"{said} " + tr("So this is not chance alone; the held-out error tells how good it is.")
        if not self.as_good:
            return f"{said} " + tr("They are too few to rule out luck: 19 or more can.")
        return f"{said} " + tr("So what this run found may be luck alone.")


@dataclass(frozen=True, eq=False)
class Repetition:
    """What is repeated on shuffled targets: the search of a run, and the way in which its error was found.

    Attributes
    ----------
    spec, mask, steerings
        What determined the run, its (p,) answer, and what the user changed meanwhile.
    criterion
        Name of what is measured.
    source, folds
        Those of its held-out error where there is one, else "search" and 0.
    """

    spec: RunSpec
    mask: Mask
    steerings: tuple[Steered, ...]
    criterion: str
    source: str
    folds: int

    def known(self, evidence: Iterable[Evidence]) -> dict[int, Permuted]:
        """The shuffled runs among the evidence that were judged in this way and are of this very answer, by number."""
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
    """The test of a run by the shuffled ones among its evidence; None where none belongs to its current answer.

    Parameters
    ----------
    loss, association
        The error of the real run, and how strongly its held-out predictions go with the truth where that is known.
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
    """The data set with its targets shuffled, as far as its rows may be exchanged.

    In time the sequence of targets is turned by a random number of places, inside of each group where there are groups.
    Else targets that are the same all over each group are shuffled over whole groups, others inside of the groups; and
    all of it inside of the user's own folds.

    Raises
    ------
    DataError
        Where no targets can be exchanged.
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
            "No targets can be exchanged: each group or fold has one target, so there is nothing to shuffle."
        )
    response = None if dataset.response is None else dataset.response[order]
    return replace(dataset, target=dataset.target[order], response=response)


def _parts(codes: Codes | None, rows: int) -> list[Codes]:
    """Numbers of the rows of each code, ascending; all rows where there are no codes."""
    if codes is None:
        return [np.arange(rows)]
    return [np.flatnonzero(codes == code) for code in np.unique(codes)]


def _constant(values: NDArray[np.generic], groups: Codes) -> bool:
    return all(len(np.unique(values[part], axis=0)) == 1 for part in _parts(groups, len(values)))


def _over_groups(groups: Codes, blocks: Codes, rng: np.random.Generator) -> Codes:
    """(n,) the row whose target each row takes: that of another whole group of the same block."""
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
    """(n,) folds of the user, or batches, which keep their targets; None where there are none."""
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
    """Carry out the shuffled runs that are missing; each as it is done.

    Every run is the same as the real one, with its method, settings, seed and steerings, and so is the way in which its
    error is found: in outer folds, by rows that the method holds out, or, where the real run has no held-out error,
    what its search saw.

    Parameters
    ----------
    count
        How many shuffled runs there should be; the smallest p-value is 1 / (count + 1).
    known
        Evidence about the run: shuffled runs in it are not repeated.
    workers
        Runs at once, each in a process of its own where there are several. What comes out does not depend on it.
    control
        Asked whether to stop.
    pool
        Workers that carry the runs out, such as those of a cluster, each with ``workers`` measurements at once.

    Raises
    ------
    DataError
        Where no targets can be exchanged.
    """
    done_before = repetition.known(known)
    missing = [place for place in range(count) if place not in done_before]
    shuffled(dataset, np.random.default_rng(0), repetition.spec.measuring)  # complains before anything is run
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
    """The shuffled run of a number, so many measurements at once; None where it was stopped."""
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
    """Error and association of the same run on other data, found in the same way; None where it was stopped."""
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
