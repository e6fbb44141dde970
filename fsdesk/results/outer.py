"""Outer validation: the whole search repeated in outer folds, and each result tested on held-out rows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Shared
from fsdesk.engine import (
    BatchMeasured,
    Control,
    Flag,
    Pool,
    Repeated,
    RunSpec,
    RunState,
    Steered,
    SubsetsJudged,
    ThreadExecutor,
    messages_of,
    pack_masks,
    run,
    unpack_masks,
)
from fsdesk.engine.state import Race
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, SettingsError
from fsdesk.measure.resamples import Resamples, rows_of
from fsdesk.methods import Mask
from fsdesk.results.evidence import EvidenceProgress, Honesty, OuterFold, everything_model
from fsdesk.results.held_out_rows import Examiner, HeldOutPart, race_parts, tested_on, votes_of
from fsdesk.results.nested import Chosen, nested_choices, shares_folds

_MISSING_BLOCKS = 20


def outer_steps(
    spec: RunSpec,
    dataset: Dataset,
    folds: int | None = None,
    workers: int = 1,
    done: Collection[int] = (),
    control: Control | None = None,
    steerings: Sequence[Steered] = (),
    pool: Pool | None = None,
) -> Iterator[EvidenceProgress | OuterFold]:
    """Repeat the whole search in outer folds and test each result on the held-out fold.

    Every step that learns from data, such as scaling, imputation and filters, uses only the training rows of an outer
    fold. Yields progress at each hundredth of a search, and each fold when it is done.

    If the search validates forward in time, so does this: an outer block is predicted from earlier rows only.
    User-defined folds are kept whole.

    Parameters
    ----------
    folds
        Number of folds; None: as specified.
    done
        Folds to skip, because they are known.
    control
        Called before every batch.
    steerings
        Changes during the run, which every search repeats at the same measurements. Whoever made them saw all rows,
        which makes the error slightly optimistic.
    pool
        Workers that search in all folds in parallel, such as those of a cluster, each with ``workers`` parallel
        measurements; folds are then yielded as they finish.
    """
    folds = spec.validation.outer_folds if folds is None else folds
    if folds < 2:
        raise SettingsError("The held-out error needs at least two outer folds (got {folds}).", folds=folds)
    labels, forward = _outer_labels(spec, dataset, folds), spec.measuring.protocol == "time"
    number = int(labels.max()) + 1
    if pool is not None:
        yield from _folds_at_once(pool, spec, dataset, folds, number, workers, done, control or Flag(), steerings)
        return
    if shares_folds(spec, number, steerings):
        for step in nested_choices(spec, dataset, folds, workers, control or Flag()):
            if isinstance(step, float):
                yield _joint_progress(dict.fromkeys(range(number), step), number)
            elif step.fold not in done:
                yield _fold_of(spec, dataset, labels, step.fold, _part_of(spec, labels, step), step.error, 0)
        return
    for fold in range(number):
        if fold in done:
            continue
        inner = rows_of(dataset, np.flatnonzero(labels < fold if forward else labels != fold))
        state = RunState()
        with ThreadExecutor(evaluator_of(spec, inner), workers) as executor:
            reported = 0.0
            own = spec.model_copy(update={"data_fingerprint": inner.fingerprint})
            for event in run(own, inner, executor, (), Repeated(control or Flag(), steerings)):
                state.apply(event)
                share = min(1.0, state.evaluations / spec.measurements)
                if isinstance(event, BatchMeasured | SubsetsJudged) and share - reported >= 0.01:
                    reported = share
                    yield EvidenceProgress("outer folds", fold + share, number)
        if state.status != "finished" or state.best is None:
            return
        part = outer_part(spec, labels, fold, state.best.mask, state.model, everything_model(state.race))
        yield _fold_of(spec, dataset, labels, fold, part, float(state.best.mean), len(steerings))


def held_out_parts(spec: RunSpec, dataset: Dataset, honesty: Honesty, race: Race) -> tuple[HeldOutPart, ...]:
    """The parts whose predictions form the held-out error of a run's result; none if it is not known.

    The outer folds once all are done, otherwise the parts on which the strategies of the run were evaluated.
    """
    if honesty.complete:
        labels = _labels_of(spec, dataset, honesty.outer[0])
        masks = unpack_masks(np.array([each.mask for each in honesty.outer]), len(dataset.features))
        pairs = zip(honesty.outer, masks, strict=True)
        return tuple(
            outer_part(spec, labels, each.fold, mask, each.model, each.everything_model) for each, mask in pairs
        )
    own = honesty.own
    if own is None:
        return ()
    parts = race_parts(spec, dataset, race)
    return tuple(replace(part, mask=mask, model=model) for part in parts for mask, model in part.peers)


def outer_part(
    spec: RunSpec, labels: NDArray[np.int64], fold: int, mask: Mask, model: str, everything: str
) -> HeldOutPart:
    """The rows of an outer fold, with features and models selected without them."""
    rows = np.flatnonzero(labels <= fold) if spec.measuring.protocol == "time" else np.arange(len(labels))
    return HeldOutPart(mask, rows, labels[rows] == fold, model=model, everything_model=everything)


def _part_of(spec: RunSpec, labels: NDArray[np.int64], chosen: Chosen) -> HeldOutPart:
    part = outer_part(spec, labels, chosen.fold, chosen.mask, chosen.model, chosen.everything_model)
    return replace(part, ballot=chosen.ballot, simple=chosen.simple, listed=chosen.listed)


def _searched_apart(
    spec: RunSpec, dataset: Dataset, folds: int, done: Collection[int], steerings: Sequence[Steered] = ()
) -> list[list[int]]:
    """The outer folds to skip in each of the tasks that can run independently, such as on different computers."""
    number = outer_number(spec, dataset, folds)
    if shares_folds(spec, number, steerings):
        return [list(done)]
    return [[other for other in range(number) if other != fold] for fold in range(number) if fold not in done]


def outer_task(
    control: Control,
    spec: RunSpec,
    dataset: Shared[Dataset],
    folds: int,
    done: Collection[int],
    threads: int,
    steerings: Sequence[Steered] = (),
) -> Iterator[EvidenceProgress | OuterFold]:
    """Repeat a run in outer folds, with its changes, except for completed ones; yield its progress."""
    yield from outer_steps(spec, dataset.open(), folds, threads, done, control, steerings)


def _folds_at_once(
    pool: Pool,
    spec: RunSpec,
    dataset: Dataset,
    folds: int,
    number: int,
    workers: int,
    done: Collection[int],
    control: Control,
    steerings: Sequence[Steered],
) -> Iterator[EvidenceProgress | OuterFold]:
    """Run each fold as a task of the pool; progress counts all folds as if they ran one after another."""
    apart = _searched_apart(spec, dataset, folds, done, steerings)
    calls = [(spec, dataset, folds, left, workers, steerings) for left in apart]
    shares = dict.fromkeys((fold for fold in range(number) if fold not in done), 0.0)
    for _, step in messages_of(pool, outer_task, calls, control):
        if isinstance(step, EvidenceProgress) and len(apart) == 1:
            yield step
            continue
        fold, share = (step.fold, 1.0) if isinstance(step, OuterFold) else (step.place, step.share)
        shares[fold] = share
        yield step if isinstance(step, OuterFold) else _joint_progress(shares, number)


def _joint_progress(shares: Mapping[int, float], folds: int) -> EvidenceProgress:
    """Joint progress of parallel folds, as if they ran one after another.

    ``shares`` gives the progress of each fold's search; folds that are not in it are done.
    """
    whole = min(folds - len(shares) + sum(shares.values()), np.nextafter(folds, 0))
    return EvidenceProgress("outer folds", float(whole), folds)


def _fold_of(
    spec: RunSpec,
    dataset: Dataset,
    labels: NDArray[np.int64],
    fold: int,
    part: HeldOutPart,
    search_error: float,
    steerings: int,
) -> OuterFold:
    """Test the features found by the search of an outer fold on the rows of that fold."""
    examiner = Examiner(spec, dataset, part)
    loss, said = tested_on(spec, dataset, part, examiner=examiner)
    number, rows = int(labels.max()) + 1, np.flatnonzero(labels == fold)
    groups = rows if dataset.groups is None else dataset.groups[rows]
    votes = votes_of(dataset, part, examiner)
    said = replace(said, rows=rows, blocks=groups, folds=np.full(len(rows), fold))
    said = said if votes is None else replace(said, scores=votes)
    if part.everything_model and not part.mask[spec.allowed(dataset.features)].all():
        said = replace(said, listed=said.chosen)
    return OuterFold(
        fold,
        number,
        len(rows),
        loss,
        search_error,
        pack_masks([part.mask])[0],
        steerings,
        said,
        part.model,
        part.everything_model,
        simple=None if part.simple is None else pack_masks([part.simple[0]])[0],
        simple_model="" if part.simple is None else part.simple[1],
        listed=None if part.listed is None else pack_masks([part.listed[0]])[0],
        listed_model="" if part.listed is None else part.listed[1],
        ballot=pack_masks([mask for mask, _ in part.ballot]) if part.ballot else None,
        ballot_models=tuple(model for _, model in part.ballot),
    )


def tested_again(spec: RunSpec, dataset: Dataset, known: OuterFold) -> OuterFold:
    """Measure a known outer fold again on its rows, with the mask found by its search.

    Raises
    ------
    DataError
        If these data have no such outer fold.
    """
    packed = [known.mask, *(each for each in (known.simple, known.listed) if each is not None)]
    packed += () if known.ballot is None else [*known.ballot]
    mask, *others = unpack_masks(np.array(packed), len(dataset.features))
    simple = None if known.simple is None else (others.pop(0), known.simple_model)
    listed = None if known.listed is None else (others.pop(0), known.listed_model)
    labels = _labels_of(spec, dataset, known)
    part = outer_part(spec, labels, known.fold, mask, known.model, known.everything_model)
    part = replace(part, simple=simple, listed=listed, ballot=tuple(zip(others, known.ballot_models, strict=True)))
    found = _fold_of(spec, dataset, labels, known.fold, part, known.search_error, known.steerings)
    if known.said is None or found.said is None:
        return replace(found, said=None)  # evidence from older versions has no predictions
    if known.said.scores is None and not known.said.target and not known.said.names:
        found = replace(found, said=replace(found.said, scores=None, target="", names=()))
    if known.said.covariates is None and found.said is not None:
        found = replace(found, said=replace(found.said, covariates=None, covariates_size=0))
    if known.said.listed is None and found.said is not None:
        found = replace(found, said=replace(found.said, listed=None))
    return found


def _labels_of(spec: RunSpec, dataset: Dataset, known: OuterFold) -> NDArray[np.int64]:
    """(n,) outer fold of each row, in the division of a known fold; DataError if there is none."""
    # Forward in time, few distinct times make fewer blocks than requested.
    for asked in range(known.folds, known.folds + _MISSING_BLOCKS):
        labels = _outer_labels(spec, dataset, asked)
        if int(labels.max()) + 1 == known.folds and int((labels == known.fold).sum()) == known.rows > 0:
            return labels
    raise DataError(
        "Outer fold {fold} of {folds}, with {rows} rows, cannot be reproduced from {name}: the rows have changed.",
        name=dataset.name,
        fold=known.fold + 1,
        folds=known.folds,
        rows=known.rows,
    )


def outer_number(spec: RunSpec, dataset: Dataset, folds: int) -> int:
    """Number of outer folds: as requested by ``folds``, but limited by rows, groups or times."""
    return int(_outer_labels(spec, dataset, folds).max()) + 1


def refuse_outer_folds(spec: RunSpec, dataset: Dataset, folds: int) -> None:
    """Raise DataError if there are too few groups for outer folds, or for the folds of the searches within them."""
    if dataset.groups is None or spec.measuring.protocol != "folds":
        return
    labels, groups = _outer_labels(spec, dataset, folds), dataset.groups
    count, wanted = len(np.unique(groups)), spec.measuring.folds
    for fold in range(int(labels.max()) + 1):
        inner = labels != fold
        left = len(np.unique(groups[inner]))
        if left < wanted:
            raise DataError(
                '"{name}" has {count} groups. With {outer} outer folds, a search has only {left} of them, too few '
                "for its {wanted} folds. Use at most {left} folds (--set folds={left}), or skip the held-out error "
                "(--outer 0).",
                name=dataset.name, count=count, outer=folds, left=left, wanted=wanted,
            )  # fmt: skip
        lost = np.setdiff1d(np.arange(len(dataset.classes)), dataset.target[inner])
        if len(lost):
            name = dataset.classes[int(lost[0])]
            held = len(np.unique(groups[dataset.target == lost[0]]))
            raise DataError(
                'Class "{label}" of "{name}" is in {held} of {count} groups; with these held out, no rows of it are '
                "left for training. Provide more groups with this class, or skip the held-out error (--outer 0).",
                label=name, name=dataset.name, held=held, count=count,
            )  # fmt: skip


def _outer_labels(spec: RunSpec, dataset: Dataset, folds: int) -> NDArray[np.int64]:
    """(n,) outer fold of each row, as strict as the validation within the search; -1: only used for training."""
    return Resamples(dataset, spec.measuring, spec.validation.outer_seed or spec.seed, folds).parts(0)
