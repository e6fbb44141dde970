"""Evidence about a finished run, stored in addition to its log: measurements of its result."""

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
from fsdesk.methods.choice import ALL_FEATURES, smallest
from fsdesk.methods.race import Raced
from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.nested import list_rival, simple_rival
from fsdesk.store import Project
from fsdesk.wrappers import is_simple

FRESH_TIMES = 20
FRESH = 1_000_000_000
"""First of the measurement numbers that no search uses."""
FEWEST_SHUFFLED = 19  # runs on shuffled targets; with fewer, p = 0.05 cannot be reached


class Evidence:
    """A measurement of a run's result after its search.

    Attributes
    ----------
    kind
        Its name in project files.
    mask
        (ceil(p / 8),) uint8: the result, packed; for an outer fold, the result of its own search.
    """

    kind: ClassVar[str]
    mask: NDArray[np.uint8]

    def packed(self) -> tuple[str, dict[str, Any]]:
        """The kind, and plain values and arrays by name, as stored by :class:`fsdesk.store.Project`."""
        values = dict(vars(self))
        said = values.pop("said", None)
        inner = {} if said is None else {field.name: getattr(said, field.name) for field in fields(said)}
        # Fields unknown to older versions are omitted if empty: evidence without them stays identical.
        if isinstance(self, OwnError) and not self.steerings:
            del values["steerings"]
        for name in ("association", "ballot", "simple", "listed"):
            if name in values and values[name] is None:
                del values[name]
        for known, names in (
            (values, (*_MODELS, "simple_model", "listed_model", "ballot_models")),
            (inner, ("luck", "target", "names", "rates", "sizes", "covariates_size", *_MODELS)),
        ):
            for name in names:
                if not known.get(name):
                    known.pop(name, None)
        return self.kind, {**values, **{_SAID + name: value for name, value in inner.items() if value is not None}}


@dataclass(frozen=True, eq=False)
class Fresh(Evidence):
    """The result, re-estimated on folds that its search did not use.

    Attributes
    ----------
    mask
        (ceil(p / 8),) uint8: the selected features, packed.
    values
        (times,) float64: the loss of each new measurement.
    """

    kind: ClassVar[str] = "fresh"

    mask: NDArray[np.uint8]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OuterFold(Evidence):
    """One outer fold: a whole search on the other rows, and its result tested on these.

    Attributes
    ----------
    fold, folds, rows
        Index of the fold, number of folds, and number of tested rows.
    loss, search_error
        Loss on those rows, and search loss of the result.
    mask
        (ceil(p / 8),) uint8: the result of that search, packed.
    steerings
        Number of changes or extensions of the run when its search was repeated.
    said
        Predictions of the models of the result and of all features for each of those rows; None in evidence from older
        versions, which gives no interval.
    model, everything_model
        Names of these models if several competed; otherwise empty.
    simple, simple_model
        (ceil(p / 8),) uint8 the features, packed, that a race of simple models would select on the other rows, and
        their model; None and empty if they do not compete.
    listed, listed_model
        (ceil(p / 8),) uint8 the best list, packed, and its model, if the search selected all features; otherwise None
        and empty.
    ballot, ballot_models
        (v, ceil(p / 8)) uint8 the best feature subsets on the other rows, packed, and their models: they vote on
        whether anything can be predicted. None and empty if a single model decides.
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
    listed: NDArray[np.uint8] | None = None
    listed_model: str = ""


@dataclass(frozen=True, eq=False)
class OwnError(Evidence):
    """The held-out error of a result, estimated on rows that its own search held out.

    Attributes
    ----------
    mask
        (ceil(p / 8),) uint8: the selected features, packed.
    said
        The error.
    steerings
        Number of changes or extensions of the run; a search that continues afterwards holds out more rows.
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
        (ceil(p / 8),) uint8: the result of the real run, packed.
    number
        Index of the shuffled run, starting from 0.
    loss
        Its error, obtained in the same way as that of the real run.
    source, folds
        As for the held-out error of the real run; if it has none, "search" and 0, and the loss is the search error.
    association
        Strength of association of its held-out predictions with the shuffled targets; None if not known.
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
    """Progress of a longer part of the evidence.

    Attributes
    ----------
    part
        "outer folds" or "shuffled runs".
    done, total
        Number done, including the fraction of the one in progress, and total.
    """

    part: Literal["outer folds", "shuffled runs"]
    done: float
    total: int

    @classmethod
    def of_outer_folds(cls, done: float, total: int) -> "EvidenceProgress":
        """The progress of outer folds."""
        return cls("outer folds", done, total)

    @property
    def place(self) -> int:
        """Index of the current fold or run, starting from 0."""
        return min(int(self.done), self.total - 1)

    @property
    def share(self) -> float:
        """Progress of the current fold or run, from 0 to 1."""
        return self.done - self.place


class ModelNames(NamedTuple):
    """Names of the competing models: of the result, of all features, of the simple model, and of the best list.

    They are empty if no models competed. There is no simple model if the result's own is simple and uses a list of
    features, and a best list only if the result uses all features. The numbers of features of these two are included.
    """

    answer: str = ""
    everything: str = ""
    simple: str = ""
    simple_size: int = 0
    listed: str = ""
    listed_size: int = 0


NO_MODELS = ModelNames()


@dataclass(frozen=True, eq=False)
class Honesty:
    """Evidence about a run's result beyond the search error.

    Attributes
    ----------
    fresh
        Losses of new measurements of the result; None if there are none for this result.
    outer
        The completed outer folds, by number, of the latest division of the rows.
    own
        The held-out error provided by the search for this result.
    permuted
        Runs on shuffled targets for this result.
    models
        Names of the models of the result and of its competitors, if several competed.
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
        """Select the evidence, given oldest first, that applies to a result with this many changes or extensions.

        Outer folds and held-out errors from before the last change belong to another search and are ignored.
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
        """One loss for each completed outer fold."""
        return Measurement(np.array([fold.loss for fold in self.outer])) if self.outer else None

    @property
    def complete(self) -> bool:
        """Whether all outer folds are done."""
        return bool(self.outer) and len(self.outer) == self.outer[0].folds

    def error(self, criterion: str, selected: int, features: int) -> HonestError | None:
        """The held-out error: of the outer folds once all are done, otherwise that provided by the search.

        It is None if there is neither. If there are enough runs on shuffled targets, they decide about evidence.

        Parameters
        ----------
        criterion
            Name of the criterion.
        selected, features
            Number of features of the result, and in total.
        """
        error = _error(self.outer, criterion, selected, features) if self.complete else self.own
        if error is None:
            return None
        names = self.models
        if names.answer:
            error = replace(error, model=names.answer, everything_model=names.everything)
            error = replace(error, simple_model=names.simple, simple_selected=names.simple_size)
            error = replace(error, listed_model=names.listed, listed_selected=names.listed_size)
        runs = {each.number: each for each in self.permuted if (each.source, each.folds) == (error.source, error.folds)}
        p = shuffled_p(error.value, error.association, list(runs.values()))[0]
        return replace(error, permuted_p=p) if len(runs) >= FEWEST_SHUFFLED else error


def shuffled_p(loss: float, association: float | None, runs: Sequence[Permuted]) -> tuple[float, int]:
    """Return (b + 1) / (m + 1) and b, the number of the m runs on shuffled targets at least as good as the real one.

    Runs are compared by the association of predictions with targets if known for all; otherwise by their losses.
    """
    known = [each.association for each in runs if each.association is not None]
    if association is not None and len(known) == len(runs):
        as_good = sum(each >= association - 1e-12 for each in known)
    else:
        as_good = sum(each.loss <= loss * (1 + 1e-12) for each in runs)
    return (as_good + 1) / (len(runs) + 1), as_good


_ERRORS: WeakKeyDictionary[OuterFold, dict[tuple[object, ...], HonestError]] = WeakKeyDictionary()


def _error(outer: tuple[OuterFold, ...], criterion: str, selected: int, features: int) -> HonestError:
    """The held-out error over all outer folds, cached with the first fold, because views ask for it repeatedly."""
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
    """Undo :meth:`Evidence.packed`; kinds from a newer fsdesk are omitted."""
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
    """Name of the model that predicted held-out rows best with all features; "" if no models compete."""
    candidates = [each for each in race.complete if each.strategy == ALL_FEATURES and np.isfinite(each.mean)]
    return smallest(candidates).model if candidates else ""


def model_names(spec: RunSpec, race: Race, model: str) -> ModelNames:
    """Names of the models of a run's result and of its competitors; empty if no models compete."""
    if not model:
        return NO_MODELS
    method = spec.method_at_work()
    prefer = method.prefer if isinstance(method, Raced) else ""
    return race.once(("model names", prefer, model), lambda: _named(prefer, race, model))


def _named(prefer: str, race: Race, model: str) -> ModelNames:
    """The same for the result of a race; ``prefer`` is empty if the method is none."""
    everything, is_of_all = everything_model(race), race.winner is not None and race.winner[0] == ALL_FEATURES
    if not prefer or (is_simple(model) and not is_of_all):
        return ModelNames(model, everything)
    complete = [each for each in race.complete if np.isfinite(each.mean)]
    rivals = simple_rival(complete, prefer), list_rival(complete, prefer) if is_of_all else None
    (simple, size), (listed, its_size) = (("", 0) if each is None else (each.model, each.size) for each in rivals)
    if (simple, size) == (listed, its_size):
        simple, size = "", 0  # each fold chose its own; two values for one list would only confuse
    return ModelNames(model, everything, simple, size, listed, its_size)


@dataclass(frozen=True)
class ExternalValidation:
    """External validation: the error of a run's result on another table.

    Attributes
    ----------
    name
        Name of the other table.
    error
        On its rows, with the interval, and compared with all features that both tables share.
    shared, features
        Number of features shared by both tables, and number in the run's table.
    notes
        Notes for the user: missing columns, different ranges, rows without a target.
    selected
        The features of the tested result.
    repeated
        Number of its rows that duplicate training rows, which makes its error too optimistic.
    decision
        :meth:`fsdesk.results.decision.Decision.packed` for its rows, at the cut-off and with the probabilities derived
        from the held-out rows of the run; empty if there are none.
    """

    name: str
    error: HonestError
    shared: int
    features: int
    notes: tuple[str, ...]
    selected: tuple[str, ...]
    repeated: int = 0
    decision: dict[str, Any] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence()}>"

    def sentence(self) -> str:
        """The error with its interval, with a warning if it includes training rows."""
        error, said = self.error, self.error.sentence()
        if self.repeated:
            said = tr(
                "{repeated:,} of them duplicate training rows, which makes the error too optimistic: {criterion} "
                "{value}.",
                repeated=self.repeated, criterion=tr(error.judged.title), value=error.value_words(),
            )  # fmt: skip
        return tr("On {rows:,} rows of {name}: {sentence}", name=self.name, rows=error.rows, sentence=said)


def keep_external(project: Project, run_id: int, made: ExternalValidation) -> tuple[ExternalValidation, ...]:
    """Store a validation with its run, replacing an earlier one on the same table; return all stored ones."""
    kept = (*(each for each in kept_external(project, run_id) if each.name != made.name), made)
    records = [{**asdict(each), "notes": [data_of(note) for note in each.notes]} for each in kept]
    project.keep(_name(project, run_id), {"validations": json.dumps(records)})
    return kept


def kept_external(project: Project, run_id: int) -> tuple[ExternalValidation, ...]:
    """The validations of a run on other tables, in order of creation."""
    kept = project.kept(_name(project, run_id))
    return tuple(map(_restored, json.loads(kept["validations"]))) if kept else ()


def _name(project: Project, run_id: int) -> str:
    """A name that includes the creation time, because the number of a deleted run may be reused."""
    return f"external validations of run {run_id} of {project.run(run_id).created}"


def _restored(record: dict[str, Any]) -> ExternalValidation:
    said = record.pop("error")
    said |= {name: tuple(said[name]) for name in _TUPLES if name in said}
    error = HonestError(**said)
    notes, selected = tuple(map(message_of, record.pop("notes"))), tuple(record.pop("selected"))
    return ExternalValidation(error=error, notes=notes, selected=selected, **record)
