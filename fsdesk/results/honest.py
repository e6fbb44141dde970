"""Outer validation: error of the selected subset on held-out rows."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from math import ceil
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

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
from fsdesk.errors import DataError, SettingsError, WrapperError
from fsdesk.measure import Evaluator, Measurement, Outcome
from fsdesk.measure.resamples import HELD_OUT, LEFT_OUT, Resamples, rows_of
from fsdesk.messages import data_of, message_of, tr
from fsdesk.methods import Mask
from fsdesk.methods.race import Raced, choose, smallest
from fsdesk.results.held_out import HeldOut, HonestError, chance_prediction, honest_error
from fsdesk.store import Project

FRESH_TIMES = 20
FRESH = 1_000_000_000
"""First of the measurement numbers that no search uses."""
_MISSING_BLOCKS = 20
_TESTED_ROWS = 2000  # of a resample: ten times as many tell a percent to a tenth of it


@dataclass(frozen=True, eq=False)
class Fresh:
    """The answer measured again on folds that its search has not seen.

    Attributes
    ----------
    mask
        (ceil(p / 8),) uint8: the answer, packed.
    values
        (times,) float64: the loss of each fresh measurement.
    """

    mask: NDArray[np.uint8]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OuterFold:
    """One outer fold: a whole search on the other rows, and its answer tested on these.

    Attributes
    ----------
    fold, folds, rows
        Which one of how many, and how many rows it tests.
    loss, search_error
        On those rows, and what the search itself had seen for its answer.
    mask
        (ceil(p / 8),) uint8: the answer of that search, packed.
    steerings
        How often the run had been steered, or allowed more, when its search was repeated so.
    said
        What the models of the answer and of all features said about each of those rows; None in evidence of older
        versions, which gives no interval.
    """

    fold: int
    folds: int
    rows: int
    loss: float
    search_error: float
    mask: NDArray[np.uint8]
    steerings: int = 0
    said: HeldOut | None = None


@dataclass(frozen=True, eq=False)
class OwnError:
    """The honest error of an answer, estimated on rows that its own search held out.

    Attributes
    ----------
    mask
        (ceil(p / 8),) uint8: the answer, packed.
    said
        The error.
    steerings
        How often the run had been steered or allowed more: a search that then goes on holds more out.
    """

    mask: NDArray[np.uint8]
    said: HonestError
    steerings: int = 0


@dataclass(frozen=True, eq=False)
class Permuted:
    """One run of the permuted-label control: the same search on shuffled targets.

    Attributes
    ----------
    mask
        (ceil(p / 8),) uint8: the answer of the real run, packed.
    number
        Which of the shuffled runs, from 0 on.
    loss
        Its error, found in the same way as that of the real run.
    source, folds
        As of the real run's honest error; "search" and 0 where that has none: then it is what the search saw.
    """

    mask: NDArray[np.uint8]
    number: int
    loss: float
    source: str
    folds: int


Evidence = Fresh | OuterFold | OwnError | Permuted
_SAID = "said."
_KINDS: Mapping[str, type[Evidence]] = {"fresh": Fresh, "outer": OuterFold, "own": OwnError, "permuted": Permuted}


def packed_evidence(evidence: Evidence) -> tuple[str, dict[str, Any]]:
    """Kind and values as :meth:`fsdesk.store.Project.add_evidence` stores them."""
    kind = next(kind for kind, each in _KINDS.items() if isinstance(evidence, each))
    values = {field.name: getattr(evidence, field.name) for field in fields(evidence)}
    if isinstance(evidence, OwnError) and not evidence.steerings:
        del values["steerings"]  # as versions wrote it that did not know them
    said = values.pop("said", None)
    inner = {} if said is None else {field.name: getattr(said, field.name) for field in fields(said)}
    if not inner.get("luck"):
        inner.pop("luck", None)  # as versions wrote it that did not know of it
    return kind, {**values, **{_SAID + name: value for name, value in inner.items() if value is not None}}


@dataclass(frozen=True, eq=False)
class Honesty:
    """Evidence about a run's answer beyond the errors that its search saw.

    Attributes
    ----------
    fresh
        Losses of fresh measurements of the answer; None where there are none of this very answer.
    outer
        The outer folds that are done, by number, of the newest division of the rows.
    own
        The honest error that the search brought along for this very answer.
    """

    fresh: Measurement | None = None
    outer: tuple[OuterFold, ...] = ()
    own: HonestError | None = None

    @classmethod
    def of(cls, kept: Sequence[Evidence], mask: Mask | None, steerings: int = 0) -> "Honesty":
        """From all evidence about a run, oldest first, its answer, and how often it was steered or allowed more.

        Outer folds, and rows held out, before the last of that tell of another search, and do not count.
        """
        answer = None if mask is None else pack_masks([mask])[0]
        fresh, own, outer = None, None, dict[int, OuterFold]()
        for each in kept:
            if not isinstance(each, OuterFold):
                if answer is None or not np.array_equal(each.mask, answer):
                    continue
                if isinstance(each, Fresh):
                    fresh = Measurement(each.values)
                elif isinstance(each, OwnError) and each.steerings == steerings:
                    own = each.said
            elif each.steerings == steerings:
                if any(other.folds != each.folds for other in outer.values()):
                    outer = {}
                outer[each.fold] = each
        return cls(fresh, tuple(outer[fold] for fold in sorted(outer)), own)

    @property
    def honest(self) -> Measurement | None:
        """One loss for each outer fold that is done."""
        return Measurement(np.array([fold.loss for fold in self.outer])) if self.outer else None

    @property
    def complete(self) -> bool:
        """Whether all outer folds are done."""
        return bool(self.outer) and len(self.outer) == self.outer[0].folds

    def error(self, criterion: str, selected: int, features: int) -> HonestError | None:
        """The honest error: of the outer folds once all are done, else what the search brought along.

        None where there is neither.

        Parameters
        ----------
        criterion
            Name of what the run measures.
        selected, features
            Number of features of its answer, and of all.
        """
        return _error(self.outer, criterion, selected, features) if self.complete else self.own


_ERRORS: WeakKeyDictionary[OuterFold, dict[tuple[object, ...], HonestError]] = WeakKeyDictionary()


def _error(outer: tuple[OuterFold, ...], criterion: str, selected: int, features: int) -> HonestError:
    """Of all outer folds; what shows a run asks for it again and again, so it is kept while the first fold is."""
    known, asked = _ERRORS.setdefault(outer[0], {}), (outer[1:], criterion, selected, features)
    if asked not in known:
        known[asked] = _joint_error(outer, criterion, selected, features)
    return known[asked]


def _joint_error(outer: tuple[OuterFold, ...], criterion: str, selected: int, features: int) -> HonestError:
    parts = [fold.said for fold in outer if fold.said is not None]
    if len(parts) == len(outer):
        return honest_error(HeldOut.joined(parts), selected=selected, features=features, folds=len(outer))
    value, rows = float(np.mean([fold.loss for fold in outer])), sum(fold.rows for fold in outer)
    return HonestError(criterion, value, rows=rows, blocks=rows, selected=selected, features=features, folds=len(outer))


def kept_evidence(records: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Evidence]:
    """Undo :func:`packed_evidence`; kinds that a newer fsdesk knows are left out."""
    return [_unpacked(kind, values) for kind, values in records if kind in _KINDS]


def _unpacked(kind: str, values: Mapping[str, Any]) -> Evidence:
    plain: dict[str, Any] = {name: value for name, value in values.items() if not name.startswith(_SAID)}
    said: dict[str, Any] = {name.removeprefix(_SAID): value for name, value in values.items() if name.startswith(_SAID)}
    if said:
        plain["said"] = (HonestError if kind == "own" else HeldOut)(**said)
    return _KINDS[kind](**plain)


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


@dataclass(frozen=True)
class OuterProgress:
    """Progress of an outer validation: current fold, number of folds, and share of its search that is done."""

    fold: int
    folds: int
    share: float


def outer_error(
    spec: RunSpec, dataset: Dataset, folds: int | None = None, workers: int = 1
) -> tuple[Measurement, list[Mask]]:
    """Repeat the whole search in outer folds and test each answer on the held-out fold.

    Everything that learns, such as scaling, gaps and filters, sees the training rows of an outer fold alone.

    Returns
    -------
    measurement, masks
        One loss and one mask for each outer fold. The losses are weighted alike, though folds may differ by a row.
    """
    done = [step for step in outer_steps(spec, dataset, folds, workers) if isinstance(step, OuterFold)]
    masks = unpack_masks(np.array([each.mask for each in done]), len(dataset.features))
    return Measurement(np.array([each.loss for each in done])), list(masks)


def outer_steps(
    spec: RunSpec,
    dataset: Dataset,
    folds: int | None = None,
    workers: int = 1,
    done: Collection[int] = (),
    control: Control | None = None,
    steerings: Sequence[Steered] = (),
    pool: Pool | None = None,
) -> Iterator[OuterProgress | OuterFold]:
    """Yield the steps of :func:`outer_error`: progress at each hundredth of a search, and each fold when it is done.

    Where the search validates forward in time, so does this: an outer block is predicted from earlier rows alone. The
    user's own folds stay whole.

    Parameters
    ----------
    folds
        How many; None: as many as the spec says.
    done
        Folds to leave out, for they are known.
    control
        Asked before every batch.
    steerings
        Of the run: every search is steered as it was, at the same measurements. Who steered it saw all rows, which
        makes the error a little optimistic.
    pool
        Workers that search in all folds at once, such as those of a cluster; then folds come as they are done.
    """
    folds = spec.validation.outer_folds if folds is None else folds
    if folds < 2:
        raise SettingsError("The honest error takes at least two outer folds (got {folds}).", folds=folds)
    labels, forward = _outer_labels(spec, dataset, folds), spec.measuring.protocol == "time"
    number = int(labels.max()) + 1
    if pool is not None:
        yield from _folds_at_once(pool, spec, dataset, folds, number, done, control or Flag(), steerings)
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
                    yield OuterProgress(fold, number, share)
        if state.status != "finished" or state.best is None:
            return
        yield _fold_of(spec, dataset, labels, fold, state.best.mask, float(state.best.mean), len(steerings))


@dataclass(frozen=True, eq=False)
class HeldOutPart:
    """Rows that are predicted by features which were chosen without them.

    Attributes
    ----------
    mask
        (p,) bool the features.
    rows
        (m,) int64 rows of the table that are trained or tested on.
    tested
        (m,) bool which of them are tested.
    luck
        How much of what the features were chosen by is luck, from 0 to 1, as of the honest error.
    """

    mask: Mask
    rows: NDArray[np.int64]
    tested: NDArray[np.bool_]
    luck: float = 0.0

    def table(self, dataset: Dataset) -> Dataset:
        """The part of the data that has these rows."""
        return dataset if len(self.rows) == len(dataset.target) else rows_of(dataset, self.rows)


def held_out_parts(spec: RunSpec, dataset: Dataset, honesty: Honesty, race: Race) -> tuple[HeldOutPart, ...]:
    """The parts whose predictions make the honest error of a run's answer; none where it is not known.

    Those of the outer folds once all are done, else those that the strategies of the run were judged on.
    """
    if honesty.complete:
        labels = _labels_of(spec, dataset, honesty.outer[0])
        masks = unpack_masks(np.array([each.mask for each in honesty.outer]), len(dataset.features))
        pairs = zip(honesty.outer, masks, strict=True)
        return tuple(_outer_part(spec, labels, each.fold, mask) for each, mask in pairs)
    own = honesty.own
    return () if own is None else tuple(replace(each, luck=own.luck) for each in _race_parts(spec, dataset, race))


def _outer_part(spec: RunSpec, labels: NDArray[np.int64], fold: int, mask: Mask) -> HeldOutPart:
    rows = np.flatnonzero(labels <= fold) if spec.measuring.protocol == "time" else np.arange(len(labels))
    return HeldOutPart(mask, rows, labels[rows] == fold)


def outer_task(
    control: Control,
    spec: RunSpec,
    dataset: Shared[Dataset],
    folds: int,
    done: Collection[int],
    threads: int,
    steerings: Sequence[Steered] = (),
) -> Iterator[OuterProgress | OuterFold]:
    """Repeat a run inside outer folds, steered as it was, but for those that are done; yield how far it is."""
    yield from outer_steps(spec, dataset.open(), folds, threads, done, control, steerings)


def _folds_at_once(
    pool: Pool,
    spec: RunSpec,
    dataset: Dataset,
    folds: int,
    number: int,
    done: Collection[int],
    control: Control,
    steerings: Sequence[Steered],
) -> Iterator[OuterProgress | OuterFold]:
    """Run each fold as a task of the pool; progress counts all folds as if they ran one after another."""
    missing = [fold for fold in range(number) if fold not in done]
    calls = [(spec, dataset, folds, [*range(fold), *range(fold + 1, number)], 1, steerings) for fold in missing]
    shares = dict.fromkeys(missing, 0.0)
    for place, step in messages_of(pool, outer_task, calls, control):
        shares[missing[place]] = step.share if isinstance(step, OuterProgress) else 1.0
        yield step if isinstance(step, OuterFold) else joint_progress(shares, number)


def joint_progress(shares: Mapping[int, float], folds: int) -> OuterProgress:
    """Joint progress of folds that run at once, as if they ran one after another.

    ``shares`` says how much of each fold's search is done; folds that it does not have are.
    """
    whole = min(folds - len(shares) + sum(shares.values()), np.nextafter(folds, 0))
    return OuterProgress(int(whole), folds, whole % 1.0)


def _fold_of(
    spec: RunSpec,
    dataset: Dataset,
    labels: NDArray[np.int64],
    fold: int,
    mask: Mask,
    search_error: float,
    steerings: int,
) -> OuterFold:
    """Test the mask that the search of an outer fold found on the rows of that fold."""
    part = _outer_part(spec, labels, fold, mask)
    loss, said = tested_on(spec, part.table(dataset), mask, part.tested)
    number, rows = int(labels.max()) + 1, np.flatnonzero(labels == fold)
    groups = rows if dataset.groups is None else dataset.groups[rows]
    said = replace(said, rows=rows, blocks=groups, folds=np.full(len(rows), fold))
    return OuterFold(fold, number, len(rows), loss, search_error, pack_masks([mask])[0], steerings, said)


def tested_again(spec: RunSpec, dataset: Dataset, known: OuterFold) -> OuterFold:
    """Measure a known outer fold again on its rows, with the mask that its search found.

    Raises
    ------
    DataError
        Where these data have no such outer fold.
    """
    mask = unpack_masks(known.mask[None], len(dataset.features))[0]
    labels = _labels_of(spec, dataset, known)
    found = _fold_of(spec, dataset, labels, known.fold, mask, known.search_error, known.steerings)
    return found if known.said is not None else replace(found, said=None)  # older ones kept no predictions


def _labels_of(spec: RunSpec, dataset: Dataset, known: OuterFold) -> NDArray[np.int64]:
    """(n,) outer fold of each row, in the division that a known fold belongs to; DataError where there is none."""
    # Forward in time, few moments make fewer blocks than were asked for.
    for asked in range(known.folds, known.folds + _MISSING_BLOCKS):
        labels = _outer_labels(spec, dataset, asked)
        if int(labels.max()) + 1 == known.folds and int((labels == known.fold).sum()) == known.rows > 0:
            return labels
    raise DataError(
        "{name} has no outer fold {fold} of {folds} with {rows} rows.",
        name=dataset.name,
        fold=known.fold + 1,
        folds=known.folds,
        rows=known.rows,
    )


def outer_number(spec: RunSpec, dataset: Dataset, folds: int) -> int:
    """Number of outer folds for ``folds`` requested: no more than rows, groups or times allow."""
    return int(_outer_labels(spec, dataset, folds).max()) + 1


def refuse_outer_folds(spec: RunSpec, dataset: Dataset, folds: int) -> None:
    """Raise DataError where groups are too few for outer folds, or for the folds of the searches inside of them."""
    if dataset.groups is None or spec.measuring.protocol != "folds":
        return
    labels, groups = _outer_labels(spec, dataset, folds), dataset.groups
    count, wanted = len(np.unique(groups)), spec.measuring.folds
    for fold in range(int(labels.max()) + 1):
        inner = labels != fold
        left = len(np.unique(groups[inner]))
        if left < wanted:
            raise DataError(
                '"{name}" has {count} groups, of which {outer} outer folds leave {left} to a search, too few for its '
                "{wanted} folds: let it measure on at most {left} folds (--set folds={left}), or measure no error on "
                "unseen rows (--outer 0).",
                name=dataset.name, count=count, outer=folds, left=left, wanted=wanted,
            )  # fmt: skip
        lost = np.setdiff1d(np.arange(len(dataset.classes)), dataset.target[inner])
        if len(lost):
            name = dataset.classes[int(lost[0])]
            held = len(np.unique(groups[dataset.target == lost[0]]))
            raise DataError(
                'Class "{label}" of "{name}" is in {held} of {count} groups: with these held out, nothing is left to '
                "learn it from. Give more groups with this class, or measure no error on unseen rows (--outer 0).",
                label=name, name=dataset.name, held=held, count=count,
            )  # fmt: skip


def evaluator_on(spec: RunSpec, dataset: Dataset, tested: NDArray[np.bool_]) -> tuple[Evaluator, NDArray[np.int64]]:
    """An evaluator that trains on all rows but the tested ones, and the (1, n) fold labels of this division."""
    measuring = spec.measuring.updated(
        {"protocol": "column", "scaling": "none" if spec.measuring.scaling == "none" else "fold", "size_penalty": 0.0}
    )
    # Fold 1 holds the tested rows; what is predicted for fold 0 is not looked at.
    alone = replace(dataset, fold_of=tested.astype(np.int64), groups=None)
    evaluator = Evaluator(alone, spec.build_wrapper(), seed=spec.seed, **measuring.model_dump())
    return evaluator, np.where(tested, 0, -1)[None, :]


def tested_on(spec: RunSpec, dataset: Dataset, mask: Mask, tested: NDArray[np.bool_]) -> tuple[float, HeldOut]:
    """Loss on the tested rows of a model trained on all others, with all predictions of these rows.

    Rows are numbered from 0 on among those that are tested.
    """
    (evaluator, labels), rows = evaluator_on(spec, dataset, tested), np.flatnonzero(tested)
    outcome = evaluator.outcome(mask, labels)
    try:
        every = np.ones_like(mask)
        everything = _predictions(outcome if mask.all() else evaluator.outcome(every, labels))[rows]
    except WrapperError:  # the model cannot be trained on all features
        everything = None
    known = replace(
        outcome,
        target=outcome.target[~tested],
        response=None if outcome.response is None else outcome.response[~tested],
    )
    said = HeldOut(
        criterion=evaluator.criterion.name,
        classes=outcome.classes,
        rows=rows,
        blocks=rows,
        folds=np.zeros(len(rows), dtype=np.int64),
        repeats=np.zeros(len(rows), dtype=np.int64),
        truth=(outcome.target if outcome.response is None else outcome.response)[rows],
        chosen=_predictions(outcome)[rows],
        chance=chance_prediction(known, evaluator.criterion, len(rows)),
        everything=everything,
        costs=evaluator.costs if evaluator.criterion.name == "cost" else None,
        positive=evaluator.positive,
    )
    return float(evaluator.criterion.loss(outcome)[0]), said


def _predictions(outcome: Outcome) -> NDArray[Any]:
    """(n,) or (n, classes) predictions of the single repeat."""
    for said in (outcome.predicted, outcome.scores, outcome.values):
        if said is not None:
            return np.asarray(said[0])
    raise TypeError("an outcome without predictions")


def own_error(spec: RunSpec, dataset: Dataset, state: RunState, answer: Mask) -> OwnError | None:
    """The honest error of a method that chose among strategies by held-out rows.

    The smallest of many held-out errors is a little too good. So the rows held out by each resample are predicted by
    the strategy and size that the *other* resamples choose, learned from the searching rows: every row by a model that
    neither saw nor chose by it. They choose by counted errors alone where the method takes the smallest error. Where
    strategies differ by no more than luck explains, it is the mean of all (:func:`fsdesk.results.held_out.luck_of`).
    None where the race is not complete.

    Parameters
    ----------
    state
        Of the run, with what its strategies were worth.
    answer
        (p,) the run's answer.
    """
    said = list[HeldOut]()
    for resample, part in enumerate(_race_parts(spec, dataset, state.race)):
        rows = part.rows[part.tested]
        blocks = rows if dataset.groups is None else dataset.groups[rows]
        _, found = tested_on(spec, part.table(dataset), part.mask, part.tested)
        said.append(replace(found, rows=rows, blocks=blocks, folds=np.full(len(rows), resample)))
    if not said:
        return None
    judged = [each for each in state.race.complete if np.isfinite(each.mean)]
    error = honest_error(
        HeldOut.joined(said),
        selected=int(answer.sum()),
        features=len(dataset.features),
        source="held-out rows of the strategies",
        folds=state.race.folds,
        candidates=np.array([[each.losses[part] for part in range(state.race.folds)] for each in judged]),
    )
    return OwnError(pack_masks([answer])[0], error, len(state.steering_events))


def own_error_task(
    control: Control, project_path: str, run_id: int, spec: RunSpec, dataset: Shared[Dataset]
) -> Iterator[OwnError]:
    """The honest error that a finished run brings along, from what its log says of rows held out."""
    with closing(Project.open(project_path, read_only=True)) as project:
        state = RunState.of(project.events(run_id), history=False)
    if state.best is not None:
        with threadpool_limits(limits=1):
            own = own_error(spec, dataset.open(), state, state.best.mask)
        if own is not None:
            yield own


def _race_parts(spec: RunSpec, dataset: Dataset, race: Race) -> Iterator[HeldOutPart]:
    """Rows held out by each resample, with the features that the others choose; none where the race is not complete."""
    method = spec.method_at_work()
    if not isinstance(method, Raced) or not race.is_complete:
        return
    resamples = Resamples(dataset, spec.measuring, spec.seed, race.folds)
    for resample in range(race.folds):
        others = [each.on(each.losses.keys() - {resample}) for each in race.complete]
        finite = [each for each in others if np.isfinite(each.mean)]
        # Steadied estimates share the luck of all rows, those left out too: 4 points too good on noise, 1.6 elsewhere.
        chosen = smallest(finite) if method.prefer == "lowest" else choose(finite, method.prefer)
        mask = np.zeros(len(dataset.features), dtype=np.bool_)
        mask[race.judged[chosen.strategy, chosen.size].subsets[resample]] = True
        labels = resamples.compared(resample, len(dataset.target), _TESTED_ROWS)
        rows = np.flatnonzero(labels > LEFT_OUT)
        yield HeldOutPart(mask, rows, labels[rows] == HELD_OUT)


def _outer_labels(spec: RunSpec, dataset: Dataset, folds: int) -> NDArray[np.int64]:
    """(n,) outer fold of each row, as strict as the validation inside of the search; -1: only trained on."""
    return Resamples(dataset, spec.measuring, spec.validation.outer_seed or spec.seed, folds).parts(0)


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
    mask, steerings = state.best.mask, tuple(state.steering_events)
    honesty = Honesty.of(known, mask, len(steerings))
    if spec.measuring.reshuffles and honesty.fresh is None:
        yield Fresh(pack_masks([mask])[0], fresh_error(spec, dataset, mask).values)
    if state.race.winner is not None and honesty.own is None:
        own = own_error(spec, dataset, state, mask)
        if own is not None:
            yield own
    if outer and not control.should_stop():
        number = outer_number(spec, dataset, outer)
        folds = Honesty.of(known, None, len(steerings)).outer
        done = [each.fold for each in folds if each.folds == number]
        yield from outer_steps(spec, dataset, outer, workers, done, control, steerings, pool)


@dataclass(frozen=True)
class ExternalValidation:
    """External validation: the error of a run's answer on another table.

    Attributes
    ----------
    name
        Of the other table.
    error
        On its rows, with the interval, and beside all features that both tables have.
    shared, features
        How many features both tables have, and how many the run's has.
    notes
        What the user should know: columns that are missing, ranges that differ, rows without a target.
    selected
        The features of the answer that was tested.
    repeated
        How many of its rows are equal to rows that the answer was learned from: they make its error too good.
    """

    name: str
    error: HonestError
    shared: int
    features: int
    notes: tuple[str, ...]
    selected: tuple[str, ...]
    repeated: int = 0

    def sentence(self) -> str:
        """The error with its interval; where some rows were learned from, that it is too good."""
        error, said = self.error, self.error.sentence()
        if self.repeated:
            said = tr(
                "{repeated:,} of them are equal to rows that were learned from, hence too good: {criterion} {value}.",
                repeated=self.repeated, criterion=tr(error.judged.title), value=error.value_words(),
            )  # fmt: skip
        return tr("On {name}, {rows:,} rows: {sentence}", name=self.name, rows=error.rows, sentence=said)


def keep_external(project: Project, run_id: int, made: ExternalValidation) -> tuple[ExternalValidation, ...]:
    """Store a validation with its run, in place of an earlier one on the same table; return all that are stored."""
    kept = (*(each for each in kept_external(project, run_id) if each.name != made.name), made)
    records = [{**asdict(each), "notes": [data_of(note) for note in each.notes]} for each in kept]
    project.keep(_name(project, run_id), {"validations": json.dumps(records)})
    return kept


def kept_external(project: Project, run_id: int) -> tuple[ExternalValidation, ...]:
    """The validations of a run on other tables, in the order in which they were made."""
    kept = project.kept(_name(project, run_id))
    return tuple(map(_restored, json.loads(kept["validations"]))) if kept else ()


def _name(project: Project, run_id: int) -> str:
    """With its time, for the number of a deleted run may be given again."""
    return f"external validations of run {run_id} of {project.run(run_id).created}"


def _restored(record: dict[str, Any]) -> ExternalValidation:
    error = HonestError(**record.pop("error"))
    notes, selected = tuple(map(message_of, record.pop("notes"))), tuple(record.pop("selected"))
    return ExternalValidation(error=error, notes=notes, selected=selected, **record)
