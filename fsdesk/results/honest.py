"""Outer validation: error of the selected subset on held-out rows."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields, replace
from math import ceil
from typing import Any, NamedTuple
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
from fsdesk.measure.criteria import Need
from fsdesk.measure.resamples import HELD_OUT, LEFT_OUT, TRAINED_ON, Resamples, rows_of
from fsdesk.messages import data_of, message_of, tr
from fsdesk.methods import Mask
from fsdesk.methods.race import ALL_FEATURES, Candidate, Raced, best_of, choose, smallest
from fsdesk.results.held_out import HeldOut, HonestError, chance_prediction, honest_error
from fsdesk.results.nested import Chosen, nested_choices, shares_folds, simple_rival, voters_of
from fsdesk.store import Project
from fsdesk.wrappers import is_simple

FRESH_TIMES = 20
FEWEST_SHUFFLED = 19  # runs on shuffled targets; fewer cannot show p = 0.05
FRESH = 1_000_000_000
"""First of the measurement numbers that no search uses."""
_MISSING_BLOCKS = 20
_PEERS, _TO_ONE = 5, 8  # subsets whose mean is the held-out error, and candidates for each of them after the first
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
    model, everything_model
        Names of these models where several competed; else nothing.
    simple, simple_model
        (ceil(p / 8),) uint8 the features, packed, that a race of simple models would choose on the other rows, and
        their model; None and nothing where they do not compete.
    ballot, ballot_models
        (v, ceil(p / 8)) uint8 the feature subsets that did best on the other rows, packed, and their models: they vote
        on whether anything can be predicted. None and nothing where one model alone says it.
    """

    fold: int
    folds: int
    rows: int
    loss: float
    search_error: float
    mask: NDArray[np.uint8]
    steerings: int = 0
    said: HeldOut | None = None
    model: str = ""
    everything_model: str = ""
    simple: NDArray[np.uint8] | None = None
    simple_model: str = ""
    ballot: NDArray[np.uint8] | None = None
    ballot_models: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class OwnError:
    """The held-out error of an answer, estimated on rows that its own search held out.

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
        As of the real run's held-out error; "search" and 0 where that has none: then it is what the search saw.
    association
        How strongly its held-out predictions go with the shuffled targets; None where that is not known.
    """

    mask: NDArray[np.uint8]
    number: int
    loss: float
    source: str
    folds: int
    association: float | None = None


Evidence = Fresh | OuterFold | OwnError | Permuted
_SAID = "said."
_MODELS = "model", "everything_model"
_TUPLES = "names", "rates", "sizes"  # lists in JSON
_KINDS: Mapping[str, type[Evidence]] = {"fresh": Fresh, "outer": OuterFold, "own": OwnError, "permuted": Permuted}


def packed_evidence(evidence: Evidence) -> tuple[str, dict[str, Any]]:
    """Kind and values as :meth:`fsdesk.store.Project.add_evidence` stores them."""
    kind = next(kind for kind, each in _KINDS.items() if isinstance(evidence, each))
    values = {field.name: getattr(evidence, field.name) for field in fields(evidence)}
    said = values.pop("said", None)
    inner = {} if said is None else {field.name: getattr(said, field.name) for field in fields(said)}
    # What older versions did not know is left out where it says nothing: evidence without it stays the same.
    if isinstance(evidence, OwnError) and not evidence.steerings:
        del values["steerings"]
    if isinstance(evidence, Permuted) and evidence.association is None:
        del values["association"]
    for name in ("ballot", "simple"):
        if name in values and values[name] is None:
            del values[name]
    for known, names in (
        (values, (*_MODELS, "simple_model", "ballot_models")),
        (inner, ("luck", "target", "names", "rates", "sizes", *_MODELS)),
    ):
        for name in names:
            if not known.get(name):
                known.pop(name, None)
    return kind, {**values, **{_SAID + name: value for name, value in inner.items() if value is not None}}


class ModelNames(NamedTuple):
    """Models that competed, by name: of the answer, of all features, and of the simple one beside it.

    Nothing where none competed; no simple one where the answer's is simple and it has a list of features. With
    how many features the simple one would be.
    """

    answer: str = ""
    everything: str = ""
    simple: str = ""
    simple_size: int = 0


NO_MODELS = ModelNames()


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
        The held-out error that the search brought along for this very answer.
    permuted
        The same run on shuffled targets, of this very answer.
    models
        Names of the models of the answer and of what it is compared with, where several competed.
    """

    fresh: Measurement | None = None
    outer: tuple[OuterFold, ...] = ()
    own: HonestError | None = None
    permuted: tuple[Permuted, ...] = ()
    models: ModelNames = NO_MODELS

    @classmethod
    def of(
        cls,
        kept: Sequence[Evidence],
        mask: Mask | None,
        steerings: int = 0,
        models: ModelNames = NO_MODELS,
    ) -> "Honesty":
        """From all evidence about a run, oldest first, its answer, and how often it was steered or allowed more.

        Outer folds, and rows held out, before the last of that tell of another search, and do not count.
        """
        answer = None if mask is None else pack_masks([mask])[0]
        fresh, own, outer, permuted = None, None, dict[int, OuterFold](), list[Permuted]()
        for each in kept:
            if not isinstance(each, OuterFold):
                if answer is None or not np.array_equal(each.mask, answer):
                    continue
                if isinstance(each, Fresh):
                    fresh = Measurement(each.values)
                elif isinstance(each, Permuted):
                    permuted.append(each)
                elif isinstance(each, OwnError) and each.steerings == steerings:
                    own = each.said
            elif each.steerings == steerings:
                if any(other.folds != each.folds for other in outer.values()):
                    outer = {}
                outer[each.fold] = each
        return cls(fresh, tuple(outer[fold] for fold in sorted(outer)), own, tuple(permuted), models)

    @property
    def honest(self) -> Measurement | None:
        """One loss for each outer fold that is done."""
        return Measurement(np.array([fold.loss for fold in self.outer])) if self.outer else None

    @property
    def complete(self) -> bool:
        """Whether all outer folds are done."""
        return bool(self.outer) and len(self.outer) == self.outer[0].folds

    def error(self, criterion: str, selected: int, features: int) -> HonestError | None:
        """The held-out error: of the outer folds once all are done, else what the search brought along.

        None where there is neither. Where enough runs on shuffled targets are known, they decide about evidence.

        Parameters
        ----------
        criterion
            Name of what the run measures.
        selected, features
            Number of features of its answer, and of all.
        """
        error = _error(self.outer, criterion, selected, features) if self.complete else self.own
        if error is None:
            return None
        names = self.models
        if names.answer:
            error = replace(error, model=names.answer, everything_model=names.everything)
            error = replace(error, simple_model=names.simple, simple_selected=names.simple_size)
        runs = {each.number: each for each in self.permuted if (each.source, each.folds) == (error.source, error.folds)}
        p = shuffled_p(error.value, error.association, list(runs.values()))[0]
        return replace(error, permuted_p=p) if len(runs) >= FEWEST_SHUFFLED else error


def shuffled_p(loss: float, association: float | None, runs: Sequence[Permuted]) -> tuple[float, int]:
    """Return (b + 1) / (m + 1) and b: how many of m runs on shuffled targets did as well as the real one.

    By how strongly what they predict goes with their targets, where that is known of all; else by their losses.
    """
    known = [each.association for each in runs if each.association is not None]
    if association is not None and len(known) == len(runs):
        as_good = sum(each >= association - 1e-12 for each in known)
    else:
        as_good = sum(each.loss <= loss * (1 + 1e-12) for each in runs)
    return (as_good + 1) / (len(runs) + 1), as_good


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
    said |= {name: tuple(said[name]) for name in _TUPLES if name in said}
    if "ballot_models" in plain:
        plain["ballot_models"] = tuple(plain["ballot_models"])
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
        raise SettingsError("The held-out error takes at least two outer folds (got {folds}).", folds=folds)
    labels, forward = _outer_labels(spec, dataset, folds), spec.measuring.protocol == "time"
    number = int(labels.max()) + 1
    if pool is not None:
        yield from _folds_at_once(pool, spec, dataset, folds, number, done, control or Flag(), steerings)
        return
    if shares_folds(spec, number, steerings):
        for step in nested_choices(spec, dataset, folds, workers, control or Flag()):
            if isinstance(step, float):
                yield joint_progress(dict.fromkeys(range(number), step), number)
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
                    yield OuterProgress(fold, number, share)
        if state.status != "finished" or state.best is None:
            return
        part = _outer_part(spec, labels, fold, state.best.mask, state.model, everything_model(state.race))
        yield _fold_of(spec, dataset, labels, fold, part, float(state.best.mean), len(steerings))


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
    model, everything_model
        Names of the models that were chosen for them, and for all features, where several competed.
    peers
        The (features, model) that would be chosen without these rows if the first ones were not there; these are the
        first.
    ballot
        The (features, model) that did best without these rows: they vote on whether anything can be predicted at all.
    simple
        The (features, model) that would be chosen without these rows if simple models alone competed.
    """

    mask: Mask
    rows: NDArray[np.int64]
    tested: NDArray[np.bool_]
    model: str = ""
    everything_model: str = ""
    peers: tuple[tuple[Mask, str], ...] = ()
    ballot: tuple[tuple[Mask, str], ...] = ()
    simple: tuple[Mask, str] | None = None

    def table(self, dataset: Dataset) -> Dataset:
        """The part of the data that has these rows."""
        return dataset if len(self.rows) == len(dataset.target) else rows_of(dataset, self.rows)


def held_out_parts(spec: RunSpec, dataset: Dataset, honesty: Honesty, race: Race) -> tuple[HeldOutPart, ...]:
    """The parts whose predictions make the held-out error of a run's answer; none where it is not known.

    Those of the outer folds once all are done, else those that the strategies of the run were judged on.
    """
    if honesty.complete:
        labels = _labels_of(spec, dataset, honesty.outer[0])
        masks = unpack_masks(np.array([each.mask for each in honesty.outer]), len(dataset.features))
        pairs = zip(honesty.outer, masks, strict=True)
        return tuple(
            _outer_part(spec, labels, each.fold, mask, each.model, each.everything_model) for each, mask in pairs
        )
    own = honesty.own
    if own is None:
        return ()
    parts = _race_parts(spec, dataset, race)
    return tuple(replace(part, mask=mask, model=model) for part in parts for mask, model in part.peers)


def _outer_part(
    spec: RunSpec, labels: NDArray[np.int64], fold: int, mask: Mask, model: str, everything: str
) -> HeldOutPart:
    rows = np.flatnonzero(labels <= fold) if spec.measuring.protocol == "time" else np.arange(len(labels))
    return HeldOutPart(mask, rows, labels[rows] == fold, model=model, everything_model=everything)


def _part_of(spec: RunSpec, labels: NDArray[np.int64], chosen: Chosen) -> HeldOutPart:
    part = _outer_part(spec, labels, chosen.fold, chosen.mask, chosen.model, chosen.everything_model)
    return replace(part, ballot=chosen.ballot, simple=chosen.simple)


def searched_apart(
    spec: RunSpec, dataset: Dataset, folds: int, done: Collection[int], steerings: Sequence[Steered] = ()
) -> list[list[int]]:
    """For each search that can run by itself, on a computer of its own, the outer folds that it leaves out."""
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
    apart = searched_apart(spec, dataset, folds, done, steerings)
    calls = [(spec, dataset, folds, left, 1, steerings) for left in apart]
    shares = dict.fromkeys((fold for fold in range(number) if fold not in done), 0.0)
    for _, step in messages_of(pool, outer_task, calls, control):
        if isinstance(step, OuterProgress) and len(apart) == 1:
            yield step
            continue
        shares[step.fold] = step.share if isinstance(step, OuterProgress) else 1.0
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
    part: HeldOutPart,
    search_error: float,
    steerings: int,
) -> OuterFold:
    """Test the features that the search of an outer fold found on the rows of that fold."""
    examiner = Examiner(spec, dataset, part)
    loss, said = tested_on(spec, dataset, part, examiner=examiner)
    number, rows = int(labels.max()) + 1, np.flatnonzero(labels == fold)
    groups = rows if dataset.groups is None else dataset.groups[rows]
    votes = _votes(dataset, part, examiner)
    said = replace(said, rows=rows, blocks=groups, folds=np.full(len(rows), fold))
    said = said if votes is None else replace(said, scores=votes)
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
        ballot=pack_masks([mask for mask, _ in part.ballot]) if part.ballot else None,
        ballot_models=tuple(model for _, model in part.ballot),
    )


def tested_again(spec: RunSpec, dataset: Dataset, known: OuterFold) -> OuterFold:
    """Measure a known outer fold again on its rows, with the mask that its search found.

    Raises
    ------
    DataError
        Where these data have no such outer fold.
    """
    packed = [known.mask, *(() if known.simple is None else (known.simple,))]
    packed += () if known.ballot is None else [*known.ballot]
    mask, *others = unpack_masks(np.array(packed), len(dataset.features))
    simple = None if known.simple is None else (others.pop(0), known.simple_model)
    labels = _labels_of(spec, dataset, known)
    part = _outer_part(spec, labels, known.fold, mask, known.model, known.everything_model)
    part = replace(part, simple=simple, ballot=tuple(zip(others, known.ballot_models, strict=True)))
    found = _fold_of(spec, dataset, labels, known.fold, part, known.search_error, known.steerings)
    if known.said is None or found.said is None:
        return replace(found, said=None)  # older ones kept no predictions
    if known.said.scores is None and not known.said.target and not known.said.names:
        return replace(found, said=replace(found.said, scores=None, target="", names=()))
    return found


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
                "held-out rows (--outer 0).",
                name=dataset.name, count=count, outer=folds, left=left, wanted=wanted,
            )  # fmt: skip
        lost = np.setdiff1d(np.arange(len(dataset.classes)), dataset.target[inner])
        if len(lost):
            name = dataset.classes[int(lost[0])]
            held = len(np.unique(groups[dataset.target == lost[0]]))
            raise DataError(
                'Class "{label}" of "{name}" is in {held} of {count} groups: with these held out, nothing is left to '
                "learn it from. Give more groups with this class, or measure no error on held-out rows (--outer 0).",
                label=name, name=dataset.name, held=held, count=count,
            )  # fmt: skip


def evaluator_on(spec: RunSpec, dataset: Dataset, tested: NDArray[np.bool_]) -> tuple[Evaluator, NDArray[np.int64]]:
    """An evaluator that trains on all rows but the tested ones, and the (1, n) fold labels of this division."""
    measuring = spec.measuring.updated(
        {"protocol": "column", "scaling": "none" if spec.measuring.scaling == "none" else "fold", "size_penalty": 0.0}
    )
    # Fold 1 holds the tested rows; what is predicted for fold 0 is not looked at.
    alone = replace(dataset, fold_of=tested.astype(np.int64), groups=None)
    models = spec.build_models()
    evaluator = Evaluator(alone, spec.build_wrapper(), seed=spec.seed, models=models, **measuring.model_dump())
    return evaluator, np.where(tested, 0, -1)[None, :]


class Examiner:
    """Trains models on all rows of a part but the tested ones, and asks them about these.

    Where models compete, each sees its own features alone, so that a wide table costs no time.
    """

    def __init__(self, spec: RunSpec, dataset: Dataset, part: HeldOutPart) -> None:
        self.evaluator, self._labels = evaluator_on(spec, part.table(dataset), part.tested)
        self._split = np.where(part.tested, HELD_OUT, TRAINED_ON).astype(np.int8)

    def of(self, model: str) -> Evaluator:
        """The evaluator of a model, which is the only one where none is named."""
        return self.evaluator.of(model)

    def outcome(
        self, mask: Mask, model: str, needs: Collection[Need] | None = None, times: NDArray[np.float64] | None = None
    ) -> Outcome:
        """What a model with these features says of all rows of the part; raises WrapperError as it does.

        ``times`` are as of :meth:`fsdesk.measure.Evaluator.outcome`.
        """
        own = self.of(model)
        needs = (own.criterion.needs,) if needs is None else needs
        if model:
            return own.outcome_alone(mask, self._split, needs, times)
        return own.outcome(mask, self._labels, needs, times)

    def tried(self, mask: Mask, model: str) -> Outcome | None:
        """The same; None where the model cannot be trained on these features."""
        try:
            return self.outcome(mask, model)
        except WrapperError:
            return None


def tested_on(
    spec: RunSpec,
    dataset: Dataset,
    part: HeldOutPart,
    beside: HeldOut | None = None,
    examiner: Examiner | None = None,
) -> tuple[float, HeldOut]:
    """Loss on the tested rows of a model trained on all others, with all predictions of these rows.

    Rows are numbered from 0 on among those that are tested. ``beside`` has the same rows tested with other features:
    what all features say is taken from there. ``examiner`` is that of the part, where there is one already.
    """
    tested, rows = part.tested, np.flatnonzero(part.tested)
    examiner = examiner or Examiner(spec, dataset, part)
    evaluator = examiner.of(part.model)
    scored = dataset.response is None and evaluator.wrapper.scores_are() is not None
    needs: set[Need] = {evaluator.criterion.needs} | ({"scores"} if scored else set())
    outcome = examiner.outcome(part.mask, part.model, needs)
    every = np.ones_like(part.mask)
    everything = None
    if beside is None:
        is_all = bool(part.mask.all()) and part.everything_model == part.model
        everything = outcome if is_all else examiner.tried(every, part.everything_model)
    simple = None if part.simple is None else examiner.tried(*part.simple)
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
        everything=None if everything is None else _predictions(everything)[rows],
        simple=None if simple is None else _predictions(simple)[rows],
        costs=evaluator.costs if evaluator.criterion.name == "cost" else None,
        positive=evaluator.positive,
        scores=None if outcome.scores is None else np.asarray(outcome.scores[0])[rows],
        target=dataset.target_name,
        names=dataset.classes,
        times=outcome.times if len(outcome.times) else None,
    )
    if beside is not None:
        said = replace(said, everything=beside.everything)
    return float(evaluator.criterion.loss(outcome)[0]), said


def everything_model(race: Race) -> str:
    """Name of the model that predicted held-out rows best with all features; "" where no models compete."""
    candidates = [each for each in race.complete if each.strategy == ALL_FEATURES and np.isfinite(each.mean)]
    return smallest(candidates).model if candidates else ""


def model_names(spec: RunSpec, race: Race, model: str) -> ModelNames:
    """The models of a run's answer, which is given, and of what it is compared with; none where none compete."""
    if not model:
        return NO_MODELS
    everything, method = everything_model(race), spec.method_at_work()
    is_of_all = race.winner is not None and race.winner[0] == ALL_FEATURES
    if not isinstance(method, Raced) or (is_simple(model) and not is_of_all):
        return ModelNames(model, everything)
    simple = simple_rival([each for each in race.complete if np.isfinite(each.mean)], method.prefer)
    return ModelNames(model, everything, *(() if simple is None else (simple.model, simple.size)))


def _predictions(outcome: Outcome) -> NDArray[Any]:
    """(n,) or (n, classes) predictions of the single repeat."""
    for said in (outcome.predicted, outcome.scores, outcome.survival, outcome.values):
        if said is not None:
            return np.asarray(said[0])
    raise TypeError("an outcome without predictions")


def own_error(spec: RunSpec, dataset: Dataset, state: RunState, answer: Mask) -> OwnError | None:
    """The held-out error of a method that chose among strategies by held-out rows.

    The smallest of many held-out errors is a little too good. So the rows held out by each resample are predicted by
    the strategy and size that the *other* resamples choose, learned from the searching rows: every row by a model that
    neither saw nor chose by it. They choose by counted errors alone where the method takes the smallest error.
    Where models compete as well, that is not enough: see :func:`fsdesk.engine.request.validates_itself`.

    A single one of them is a lucky find in part: where nothing can be learned, its error is 4 points too small. So the
    error is the mean of the first five that the others would choose, each if those before it were not there
    (``_PEERS``): within a point of that of the answer on tables of noise and of signals, with half the variance
    (``tests/bench/verdicts.py``). None where the race is not complete.

    Parameters
    ----------
    state
        Of the run, with what its strategies were worth.
    answer
        (p,) the run's answer.
    """
    said = _predicted(spec, dataset, _race_parts(spec, dataset, state.race))
    if said is None:
        return None
    error = honest_error(
        said,
        selected=int(answer.sum()),
        features=len(dataset.features),
        source="held-out rows of the strategies",
        folds=state.race.folds,
    )
    return OwnError(pack_masks([answer])[0], error, len(state.steering_events))


def _predicted(spec: RunSpec, dataset: Dataset, parts: Iterable[HeldOutPart]) -> HeldOut | None:
    """All predictions of held-out rows, a repetition for each of the peers; None where there are no parts."""
    said = list[HeldOut]()
    for resample, part in enumerate(parts):
        rows = part.rows[part.tested]
        blocks = rows if dataset.groups is None else dataset.groups[rows]
        examiner = Examiner(spec, dataset, part)
        first, votes = None, _votes(dataset, part, examiner)
        for place, (mask, model) in enumerate(part.peers):
            own = replace(part, mask=mask, model=model)
            _, found = tested_on(spec, dataset, own, first, examiner)
            first = first or found
            found = replace(found, rows=rows, blocks=blocks, folds=np.full(len(rows), resample), scores=votes)
            said.append(replace(found, repeats=np.full(len(rows), place)))
    return HeldOut.joined(said) if said else None


def _votes(dataset: Dataset, part: HeldOutPart, examiner: Examiner) -> NDArray[np.float64] | None:
    """What the models of a ballot say of the tested rows: (m, classes) shares of the votes, or (m,) mean numbers.

    What is common to the best of many candidates is hardly the luck of one of them: on made-up tables with five weak
    features, votes show a signal in nine of ten where the chosen model alone does in five; see tests/bench/verdicts.py.
    """
    said = list[NDArray[np.float64]]()
    for mask, model in part.ballot:
        try:
            outcome = examiner.outcome(mask, model, {"classes" if dataset.response is None else "values"})
        except WrapperError:
            continue
        found = _predictions(outcome)[part.tested]
        votes = found if dataset.response is not None else found[:, None] == np.arange(outcome.classes)
        said.append(np.asarray(votes, dtype=np.float64))
    return np.mean(said, axis=0) if said else None


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


def _race_parts(spec: RunSpec, dataset: Dataset, race: Race) -> Iterator[HeldOutPart]:
    """Rows held out by each resample, with the features that the others choose; none where the race is not complete."""
    method = spec.method_at_work()
    if not isinstance(method, Raced) or not method.brings_honest_error or not race.is_complete:
        return
    resamples = Resamples(dataset, spec.measuring, spec.seed, race.folds)
    for resample in range(race.folds):
        others = [each.on(each.losses.keys() - {resample}) for each in race.complete]
        finite = [each for each in others if np.isfinite(each.mean)]
        # Steadied estimates share the luck of all rows, those left out too: 4 points too good on noise, 1.6 elsewhere.
        of_all = [each for each in finite if each.strategy == ALL_FEATURES]
        wanted = min(_PEERS, 1 + len(race.complete) // _TO_ONE)
        peers = best_of(finite, wanted) if method.prefer == "lowest" else _chosen_first(finite, method.prefer, wanted)
        peers += peers[-1:] * (wanted - len(peers))
        named = tuple(_subset(race, each, resample, len(dataset.features)) for each in peers)
        ballot = tuple(_subset(race, each, resample, len(dataset.features)) for each in voters_of(spec, finite))
        labels = resamples.compared(resample, len(dataset.target), _TESTED_ROWS)
        rows = np.flatnonzero(labels > LEFT_OUT)
        everything = smallest(of_all).model if of_all else peers[0].model
        yield HeldOutPart(
            named[0][0], rows, labels[rows] == HELD_OUT, peers[0].model, everything, peers=named, ballot=ballot
        )


def _chosen_first(candidates: Sequence[Candidate], prefer: str, wanted: int) -> list[Candidate]:
    """The candidates that would be chosen, each if those before it were not there."""
    left, taken = list(candidates), list[Candidate]()
    while left and len(taken) < wanted:
        taken.append(choose(left, prefer))
        left = [each for each in left if each is not taken[-1]]
    return taken


def _subset(race: Race, candidate: Candidate, resample: int, features: int) -> tuple[Mask, str]:
    """The features that a candidate has in a resample, and its model."""
    mask = np.zeros(features, dtype=np.bool_)
    mask[race.judged[candidate.strategy, candidate.size, candidate.model].subsets[resample]] = True
    return mask, candidate.model


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
    decision
        What :meth:`fsdesk.results.decision.Decision.packed` says of its rows, at the cut-off and with the probabilities
        that the held-out rows of the run give; empty where there are none.
    """

    name: str
    error: HonestError
    shared: int
    features: int
    notes: tuple[str, ...]
    selected: tuple[str, ...]
    repeated: int = 0
    decision: dict[str, Any] = field(default_factory=dict, hash=False)

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
    said = record.pop("error")
    said |= {name: tuple(said[name]) for name in _TUPLES if name in said}
    error = HonestError(**said)
    notes, selected = tuple(map(message_of, record.pop("notes"))), tuple(record.pop("selected"))
    return ExternalValidation(error=error, notes=notes, selected=selected, **record)
