"""What is kept of a finished run beside its log: what was measured of its answer, and what follows from that."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import RunSpec, pack_masks
from fsdesk.engine.state import Race
from fsdesk.measure import Measurement
from fsdesk.messages import data_of, message_of, tr
from fsdesk.methods import Mask
from fsdesk.methods.race import ALL_FEATURES, Raced, smallest
from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.nested import simple_rival
from fsdesk.store import Project
from fsdesk.wrappers import is_simple

FRESH_TIMES = 20
FRESH = 1_000_000_000
"""First of the measurement numbers that no search uses."""
FEWEST_SHUFFLED = 19  # runs on shuffled targets; fewer cannot show p = 0.05


class Evidence:
    """Something that was measured about the answer of a run after its search.

    Attributes
    ----------
    kind
        Under which name a project keeps it.
    mask
        (ceil(p / 8),) uint8: the answer, packed; that of an outer fold is the answer of its own search.
    """

    kind: ClassVar[str]
    mask: NDArray[np.uint8]

    def packed(self) -> tuple[str, dict[str, Any]]:
        """Its kind, and plain values and arrays by name, as :class:`fsdesk.store.Project` keeps them."""
        values = dict(vars(self))
        said = values.pop("said", None)
        inner = {} if said is None else {field.name: getattr(said, field.name) for field in fields(said)}
        # What older versions did not know is left out where it says nothing: evidence without it stays the same.
        if isinstance(self, OwnError) and not self.steerings:
            del values["steerings"]
        for name in ("association", "ballot", "simple"):
            if name in values and values[name] is None:
                del values[name]
        for known, names in (
            (values, (*_MODELS, "simple_model", "ballot_models")),
            (inner, ("luck", "target", "names", "rates", "sizes", "covariates_size", *_MODELS)),
        ):
            for name in names:
                if not known.get(name):
                    known.pop(name, None)
        return self.kind, {**values, **{_SAID + name: value for name, value in inner.items() if value is not None}}


@dataclass(frozen=True, eq=False)
class Fresh(Evidence):
    """The answer measured again on folds that its search has not seen.

    Attributes
    ----------
    mask
        (ceil(p / 8),) uint8: the answer, packed.
    values
        (times,) float64: the loss of each fresh measurement.
    """

    kind: ClassVar[str] = "fresh"

    mask: NDArray[np.uint8]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OuterFold(Evidence):
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

    kind: ClassVar[str] = "outer"

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
class OwnError(Evidence):
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

    kind: ClassVar[str] = "own"

    mask: NDArray[np.uint8]
    said: HonestError
    steerings: int = 0


@dataclass(frozen=True, eq=False)
class Permuted(Evidence):
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

    kind: ClassVar[str] = "permuted"

    mask: NDArray[np.uint8]
    number: int
    loss: float
    source: str
    folds: int
    association: float | None = None


_SAID = "said."
_MODELS = "model", "everything_model"
_TUPLES = "names", "rates", "sizes"  # lists in JSON
_KINDS: Mapping[str, type[Evidence]] = {each.kind: each for each in (Fresh, OuterFold, OwnError, Permuted)}


@dataclass(frozen=True)
class EvidenceProgress:
    """How far a longer part of the evidence is.

    Attributes
    ----------
    part
        "outer folds" or "shuffled runs".
    done, total
        How many of how many are done, with the share of the one that is under way.
    """

    part: Literal["outer folds", "shuffled runs"]
    done: float
    total: int

    @classmethod
    def of_outer_folds(cls, done: float, total: int) -> "EvidenceProgress":
        """Of outer folds."""
        return cls("outer folds", done, total)

    @property
    def place(self) -> int:
        """Which one is under way, from 0 on."""
        return min(int(self.done), self.total - 1)

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return self.done - self.place


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
    """Undo :meth:`Evidence.packed`; kinds that a newer fsdesk knows are left out."""
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
