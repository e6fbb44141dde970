"""RunRecord: everything known about a run, and its headline sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from math import ceil
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.annotations import Annotations
from fsdesk.engine import Event, RunSpec, RunState, Steered
from fsdesk.engine.state import Race
from fsdesk.errors import ProjectError
from fsdesk.measure import Criterion
from fsdesk.messages import current_language, joined, localised, message, tr, translated
from fsdesk.methods import Mask
from fsdesk.results.evidence import (
    Evidence,
    ExternalValidation,
    Honesty,
    Permuted,
    everything_model,
    kept_evidence,
    kept_external,
    model_names,
)
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.permutations import PermutationTest, Repetition, permutation_test
from fsdesk.store import Project

if TYPE_CHECKING:
    pass


ANNOTATIONS = "annotations"
"""Key of a run's feature annotations in the project file."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class History:
    """One entry for each candidate measured: parallel arrays of equal length.

    Attributes
    ----------
    iterations
        The method's own count of steps.
    errors, std_errors
        Mean loss and its standard error over the repeats; infinite if nothing could be measured.
    sizes
        Number of features.
    restarts
        Indices of the first candidates of searches that restarted.
    """

    iterations: NDArray[np.float64]
    errors: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    sizes: NDArray[np.float64]
    restarts: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Finalist:
    """A subset that was re-estimated when the result was chosen; together they form the curve of error against size.

    Attributes
    ----------
    mask
        (p,) bool.
    error, std_error
        Mean loss of these measurements and its standard error.
    """

    mask: Mask
    error: float
    std_error: float

    @property
    def size(self) -> int:
        """Number of features."""
        return int(self.mask.sum())


@dataclass(frozen=True, eq=False)
class RunRecord:
    """Everything known about a run. Errors are losses as minimized by the search: fractions, 1 minus the AUC, RMSE.

    ``criterion`` converts a loss to display units: ``result.criterion.shown(result.search_error)``.

    Attributes
    ----------
    spec, criterion
        The specification of the run, and its criterion.
    status, reason
        "finished" or "stopped" (then it may continue), and the reason in plain words.
    all_features, features
        Names of all p features, and of the selected ones.
    mask
        (p,) bool.
    search_error, std_error
        The search error of the mask: the smallest of many noisy values, hence optimistic.
    baseline_error, baseline_std_error
        Loss of all features and its standard error.
    weights, frequency
        (p,) the method's weight of each feature, None if it has none; share of the candidates that contain it.
    evaluations, iterations
        Number of measurements by the method, and its own count of steps.
    seconds
        Time spent measuring, without the baseline measurement before the search, which may wait for the model to be
        prepared for this computer.
    finalists
        Re-estimated subsets, by number of features; none if the method does not re-estimate any.
    weight_history, weight_steps
        (t, p) uint8, 255 for a weight of 1; (t,) their iterations, increasing. None if the method has no weights.
    weights_moved
        Whether the method has weights that ever changed.
    annotations
        The user's descriptions of the features.
    steerings
        The user's changes during the search, in order.
    is_kept
        Whether its steps are in a project, where the run can be resumed.
    picked
        Whether the user chose another subset than the search's result, to which outer folds do not apply.
    race
        Performance of strategies on held-out rows; empty if none competed.
    model
        Name of the model of the result if several competed; "" if there was one.
    validations
        Tests on other tables, of this result and of earlier ones.
    """

    spec: RunSpec
    criterion: Criterion
    status: str
    reason: str
    all_features: tuple[str, ...]
    mask: Mask
    search_error: float
    std_error: float
    baseline_error: float
    baseline_std_error: float
    weights: NDArray[np.float64] | None
    frequency: NDArray[np.float64]
    evaluations: int
    iterations: int
    seconds: float
    history: History
    finalists: tuple[Finalist, ...] = ()
    weight_history: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 0), dtype=np.uint8))
    weight_steps: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    weights_moved: bool = False
    steerings: tuple[Steered, ...] = ()
    annotations: Annotations = field(default_factory=Annotations)
    log: tuple[Event, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    picked: bool = False
    is_kept: bool = True
    race: Race = field(default_factory=Race)
    model: str = ""
    validations: tuple[ExternalValidation, ...] = ()

    def __repr__(self) -> str:
        spec, size = (
            self.spec,
            f"{len(self.features):,} of {int(self.spec.allowed(self.all_features).sum()):,} features",
        )
        return f"<{type(self).__name__} of {spec.method!r} on {spec.data_name!r}: {size}. {lead(self)}>"

    @property
    def answered(self) -> RunSpec:
        """The specification with only the model of the result, if several competed."""
        return self.spec.with_model(self.model)

    @property
    def models(self) -> tuple[str, str]:
        """Names of the models of the result, and of all features, if several competed."""
        return self.model, everything_model(self.race)

    @cached_property
    def honesty(self) -> Honesty:
        """Evidence about the result besides the search error."""
        names = model_names(self.spec, self.race, self.model)
        known = Honesty.of(self.evidence, self.mask, len(self.steerings), names)
        return Honesty(known.fresh) if self.picked else known

    @property
    def honest(self) -> HonestError | None:
        """The held-out error, with its interval and comparison with all features; None if not measured."""
        features = int(self.spec.allowed(self.all_features).sum())
        return self.honesty.error(self.criterion.name, int(self.mask.sum()), features)

    @property
    def repetition(self) -> Repetition:
        """The procedure repeated on shuffled targets, evaluated by the held-out error, or else by the search error."""
        honest = self.honest
        source, folds = ("search", 0) if honest is None else (honest.source, honest.folds)
        return Repetition(self.spec, self.mask, self.steerings, self.criterion.name, source, folds)

    @property
    def shuffled(self) -> dict[int, Permuted]:
        """The known runs on shuffled targets that were evaluated in the same way, by number."""
        return self.repetition.known(self.evidence)

    @property
    def permutations(self) -> PermutationTest | None:
        """The outcome of the same run on shuffled targets; None if there was none."""
        honest = self.honest
        known = (self.search_error, None) if honest is None else (honest.value, honest.association)
        return permutation_test(self.repetition, self.evidence, *known)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the selected features, in the order of the table."""
        return tuple(name for name, selected in zip(self.all_features, self.mask, strict=True) if selected)

    @property
    def steered(self) -> str:
        """Manual changes and their times, as a sentence; empty if there are none."""
        said = [
            tr("from measurement {number} on: {what}", number=each.number, what=translated(each.sentence))
            for each in self.steerings
        ]
        return tr("The search was changed by hand while it ran ({what}).", what="; ".join(said)) if said else ""

    @property
    def seen_before(self) -> str:
        """Reason why the held-out error is still slightly too optimistic, as a sentence; empty if it is not."""
        why = []
        if self.spec.start:
            why.append(tr("started from a given subset, which may have been found on these very rows"))
        if self.steerings:
            why.append(tr("was changed by someone who saw all rows"))
        if not why:
            return ""
        said = tr(" and ").join(why)
        return tr(
            "The search {why}; the held-out error may be optimistic, because it cannot account for that.", why=said
        )

    def with_finalist(self, mask: Mask) -> Self:
        """The same record with a finalist picked by the user as its result; ProjectError if the mask is not one."""
        for point in self.finalists:
            if np.array_equal(point.mask, mask):
                reason = joined(
                    "; ", [self.reason, message("this subset was picked by hand among the re-estimated subsets")]
                )
                picked = not np.array_equal(mask, self.mask)
                return replace(
                    self, mask=mask, search_error=point.error, std_error=point.std_error, reason=reason, picked=picked
                )
        raise ProjectError("The picked subset is not among the re-estimated ones. Pick it again.")

    @classmethod
    def of(
        cls,
        state: RunState,
        annotations: Annotations | None = None,
        *,
        spec: RunSpec | None = None,
        evidence: Sequence[Evidence] = (),
        validations: tuple[ExternalValidation, ...] = (),
    ) -> Self:
        """The record of a run so far; raise ProjectError if nothing has been measured yet.

        Its histories are views of the state's, which continue to grow with the run.
        """
        if state.best is None or state.baseline is None:
            raise ProjectError("This run has not measured a subset yet. Let it run for a moment, then export.")
        return cls(
            spec=spec or RunSpec.model_validate(state.spec),
            criterion=state.criterion,
            status=state.status,
            reason=state.reason,
            all_features=state.features,
            mask=state.best.mask,
            search_error=state.best.mean,
            std_error=state.best.std_error,
            baseline_error=state.baseline,
            baseline_std_error=state.baseline_std_error,
            weights=state.best.weights,
            frequency=state.best.mask.astype(np.float64) if state.frequency is None else state.frequency,
            evaluations=state.evaluations,
            iterations=state.iteration,
            seconds=state.seconds,
            history=History(
                state.iterations.view,
                state.errors.view,
                state.std_errors.view,
                state.sizes.view,
                tuple(state.restarts),
            ),
            finalists=tuple(Finalist(*point) for point in state.confirmed.curve()),
            weight_history=state.heatmap.view,
            weight_steps=state.heatmap.iterations,
            weights_moved=state.weights_moved,
            steerings=tuple(state.steering_events),
            annotations=annotations or Annotations(),
            evidence=tuple(evidence),
            race=state.race,
            model=state.model,
            validations=validations,
        )

    @property
    def external(self) -> tuple[ExternalValidation, ...]:
        """Tests of this result on other tables."""
        return tuple(each for each in self.validations if each.selected == self.features)

    @classmethod
    def stored(cls, project: Project, run_id: int) -> Self:
        """The result of a run of a project with its complete log, and with the user's descriptions of its features."""
        log = tuple(project.events(run_id))
        state, known = RunState.of(log), Annotations.unpacked(project.kept(ANNOTATIONS))
        evidence, external = kept_evidence(project.evidence(run_id)), kept_external(project, run_id)
        made = cls.of(state, evidence=evidence, validations=external)
        return replace(made, log=log, annotations=known.of_table(made.spec.data_name))


def lead(result: RunRecord, *, in_file: bool = False) -> str:
    """The headline sentence of a result: its held-out error with interval, or what is missing and how to get it.

    In a file, it contains no estimate of the time, so that the same run writes the same file on a slower machine.
    """
    honest = result.honest
    if honest is not None:
        return honest.sentence()
    if result.picked:
        return tr("No held-out error for this subset: it was picked by hand, so the outer folds do not apply to it.")
    if not result.is_kept:
        return _missing_unkept(result.honesty, result.spec.validation.outer_folds)
    return missing(result.honesty, 0.0 if in_file else result.seconds, result.spec.validation.outer_folds)


def seen_by_the_search(result: RunRecord) -> str:
    """A sentence with the error on the rows used for selection, which is optimistic."""
    criterion, fresh = result.criterion, result.honesty.fresh
    found, title = localised(criterion.text(result.search_error)), tr(criterion.title)
    if not result.spec.selects:
        return tr("{criterion} of all features in cross-validation: {found}.", criterion=title, found=found)
    values = [tr("{value} in the search", value=found)]
    if not result.race.models_compete:  # otherwise the search measured all features with another model
        everything = localised(criterion.text(result.baseline_error))
        values[0] = tr("{value} (all features {everything})", value=values[0], everything=everything)
    if fresh is not None:
        values.append(tr("{value} on new folds", value=localised(criterion.text(fresh.mean))))
    return tr(
        "On the rows used for selection, so not an estimate for new rows: {criterion} {values}.",
        criterion=title, values=", ".join(values),
    )  # fmt: skip


def missing(honesty: Honesty, seconds: float, folds: int) -> str:
    """What is missing if the outer validation is not complete, and how to get it; no error is stated.

    Parameters
    ----------
    seconds
        The run's own measuring time, about the same as that of each outer fold; 0 if no time is wanted or known, as in
        a sealed bundle, whose log has no times.
    """
    if not seconds:
        return _missing_untimed(honesty, folds)
    if honesty.outer:
        done, folds = len(honesty.outer), honesty.outer[0].folds
        return tr(
            "The held-out error is incomplete: {done} of {folds} outer folds are done. fsdesk resume, or the button "
            "in the window, measures the rest in about {time}.",
            done=done, folds=folds, time=_duration(seconds * (folds - done)),
        )  # fmt: skip
    return tr(
        "The held-out error was not measured. fsdesk resume, or the button in the window, measures it in "
        "{folds} outer folds, in about {time}.",
        folds=folds, time=_duration(seconds * folds),
    )  # fmt: skip


def _missing_unkept(honesty: Honesty, folds: int) -> str:
    """Like :func:`missing`, for a run of a script that is not in a project."""
    if honesty.outer:
        return tr(
            "The held-out error is incomplete: {done} of {folds} outer folds are done. With project=FILE, they are "
            "kept and can be resumed.",
            done=len(honesty.outer), folds=honesty.outer[0].folds,
        )  # fmt: skip
    return tr("The held-out error was not measured; fsdesk.select(..., outer={folds}) measures it.", folds=folds)


def _missing_untimed(honesty: Honesty, folds: int) -> str:
    if honesty.outer:
        return tr(
            "The held-out error is incomplete: {done} of {folds} outer folds are done. fsdesk resume, or the button "
            "in the window, measures the rest.",
            done=len(honesty.outer), folds=honesty.outer[0].folds,
        )  # fmt: skip
    return tr(
        "The held-out error was not measured. fsdesk resume, or the button in the window, measures it in "
        "{folds} outer folds.",
        folds=folds,
    )


def _duration(seconds: float) -> str:
    if seconds <= 90:
        return tr("{count} s", count=max(1, ceil(seconds)))
    if seconds < 90 * 60:
        return tr("{count} min", count=ceil(seconds / 60))
    hours, minutes = divmod(round(seconds / 60), 60)
    return tr("{hours} h {minutes} min", hours=hours, minutes=minutes)


def keep_made(make: Callable[Concatenate[RunRecord, Dataset, P], T]) -> Callable[Concatenate[RunRecord, Dataset, P], T]:
    """Cache the output of a function of a result for as long as the result lives: several files often need it.

    It is recomputed for another data set, language or other arguments. It must not refer to the result.
    """
    kept: WeakKeyDictionary[RunRecord, tuple[Dataset, dict[object, T]]] = WeakKeyDictionary()

    @wraps(make)
    def made(result: RunRecord, dataset: Dataset, /, *args: P.args, **kwargs: P.kwargs) -> T:
        known = kept.get(result)
        if known is None or known[0] is not dataset:
            known = kept[result] = dataset, {}
        asked = current_language().name, args, tuple(kwargs.items())
        if asked not in known[1]:
            known[1][asked] = make(result, dataset, *args, **kwargs)
        return known[1][asked]

    return made
