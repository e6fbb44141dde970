"""The result of a run, the call that makes one in this process, and the sentence that leads wherever it is shown."""

import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from html import escape
from importlib import import_module
from math import ceil
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset, TargetTask, from_frame
from fsdesk.data.annotations import Annotations
from fsdesk.data.frame import FrameLike
from fsdesk.engine import (
    BatchMeasured,
    Control,
    Event,
    Flag,
    Pool,
    Repeated,
    RunSpec,
    RunState,
    Steered,
    SubsetsJudged,
    ThreadExecutor,
    messages_of,
    run,
)
from fsdesk.engine.cluster import connected
from fsdesk.engine.state import Best, Race
from fsdesk.engine.tasks import evaluator_of, run_task
from fsdesk.errors import DataError, ProjectError, SettingsError, WrapperError
from fsdesk.measure import Criterion
from fsdesk.messages import current_language, joined, localised, message, number, quoted, tr, translated
from fsdesk.methods import DEFAULT_METHOD, METHODS, Mask
from fsdesk.results.curves import all_features_title
from fsdesk.results.familiar import with_familiar
from fsdesk.results.held_out import HonestError
from fsdesk.results.honest import (
    Evidence,
    ExternalValidation,
    HeldOutPart,
    Honesty,
    OuterFold,
    everything_model,
    held_out_parts,
    kept_evidence,
    kept_external,
    model_names,
    outer_steps,
    own_error,
    packed_evidence,
)
from fsdesk.results.permutations import JudgedRun, PermutationTest, permutation_steps, permutation_test
from fsdesk.settings import Value
from fsdesk.store import Project
from fsdesk.wrappers import DEFAULT_WRAPPER

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client
    from rich.console import Console
    from sklearn.pipeline import Pipeline

    from fsdesk.results.coefficients import Coefficients
    from fsdesk.results.decision import Decision, Rule
    from fsdesk.results.diagnosis import Judged
    from fsdesk.results.scores import Scored

ANNOTATIONS = "annotations"
"""Key of a run's feature annotations in the project file."""

_NAMED = 10  # features in a notebook

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Progress:
    """Progress of a search.

    Attributes
    ----------
    measured, most
        Measurements that the method has taken, and the most that it may take; it may end before.
    iteration
        The method's own count of steps.
    best_error, best_mask
        Smallest loss of a subset so far, optimistic as all that a search sees of itself, and its (p,) bool mask. While
        models and orders of the features compete on held-out rows, those of the one that leads.
    baseline_error
        Loss of all features.
    seconds
        Time spent measuring, the measurement of all features before the search not counted.
    is_better
        Whether this step has found that subset.
    """

    measured: int
    most: int
    iteration: int
    best_error: float
    best_mask: Mask
    baseline_error: float
    seconds: float
    is_better: bool

    def __str__(self) -> str:
        return (
            f"{self.measured} of at most {self.most} measurements: loss {self.best_error:.4g} "
            f"with {int(self.best_mask.sum())} features, {self.baseline_error:.4g} with all"
        )


Callback = Callable[[Progress], object]
"""Called with the progress; returns True, or raises StopIteration, to stop the search and keep its best subset."""


class _Follower:
    """The best subset at every step of a run, for whoever is called with the progress or stops it.

    That is the best of the subsets that were measured. While orders of the features and models compete on held-out
    rows, no subset is of all rows yet: then it is the leading one of those that were judged in most parts of the rows,
    with the features that most of these parts chose. Before anything was judged it is all features.
    """

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self._standings: dict[tuple[str, int, str], tuple[int, float]] = {}
        self._leader: tuple[str, int, str] | None = None
        self._led = False

    def note(self, state: RunState, event: Event) -> None:
        """Take notice of an event that ``state`` has applied."""
        self._led = False
        if state.best is not None or not isinstance(event, SubsetsJudged) or event.judge != "held-out":
            return
        for strategy, size in dict.fromkeys(zip(event.labels, event.sizes.tolist(), strict=True)):
            judged = state.race.judged[strategy, size, event.model]
            self._standings[strategy, size, event.model] = -len(judged.losses), judged.mean
        leader = min(self._standings, key=self._standings.__getitem__)
        self._led, self._leader = leader != self._leader, leader

    def best(self, state: RunState) -> Best:
        """The best subset so far."""
        if state.best is not None:
            return state.best
        features, loss = len(state.features), (state.baseline or 0.0, state.baseline_std_error)
        mask = np.ones(features, dtype=np.bool_)
        if self._leader is not None:
            judged = state.race.judged[self._leader]
            counts = np.bincount(np.concatenate([*judged.subsets.values()]), minlength=features)
            mask = np.zeros(features, dtype=np.bool_)
            mask[np.argsort(-counts, kind="stable")[: judged.size]] = True
            loss = judged.mean_loss
        return Best(mask, *loss, state.evaluations, state.iteration, None)

    def answer(self, state: RunState) -> None:
        """Make the best so far the answer of a run that was stopped before it had one."""
        if state.best is not None or state.status != "stopped" or state.baseline is None:
            return
        state.best = self.best(state)
        if self._leader is None:
            reason = message("no subset was measured, so these are all features")
        else:
            strategy, size, state.model = self._leader
            reason = message(
                "{strategy} with {size} features led on held-out rows, and these are the ones that it chose most often",
                strategy=strategy, size=size,
            )  # fmt: skip
        state.reason = joined(": ", [state.reason, reason])

    def progress(self, state: RunState, first: int) -> Progress:
        """The progress after a step whose first measurement has the number ``first``."""
        best = self.best(state)
        return Progress(
            measured=state.evaluations,
            most=self.spec.measurements - 1 + state.more_measurements,
            iteration=state.iteration,
            best_error=best.mean,
            best_mask=best.mask,
            baseline_error=state.baseline or 0.0,
            seconds=state.seconds,
            is_better=best.number >= first if state.best is not None else self._led,
        )


def _stops(callback: Callback, progress: Progress) -> bool:
    """Call ``callback``; whether it asks to stop."""
    try:
        return callback(progress) is True
    except StopIteration:
        return True


@dataclass(frozen=True, eq=False)
class History:
    """One entry for each candidate measured: parallel arrays of equal length.

    Attributes
    ----------
    iterations
        The method's own count of steps.
    errors, std_errors
        Mean loss and its standard error over the repeats; infinite where nothing could be measured.
    sizes
        Number of features.
    restarts
        Places of the first candidates of searches that began anew.
    """

    iterations: NDArray[np.float64]
    errors: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    sizes: NDArray[np.float64]
    restarts: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Finalist:
    """A subset that was measured again when the answer was chosen; all of them make the curve of error against size.

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
class Result:
    """What a run found. All errors are losses as the search minimises them: fractions, 1 less the AUC, RMSE.

    ``criterion`` shows a loss as people know it: ``result.criterion.shown(result.search_error)``.

    Attributes
    ----------
    spec, criterion
        What determined the run, and what it measured.
    status, reason
        "finished" or "stopped" (then more may come), and why in plain words.
    all_features, features
        Names of all p features, and of the selected ones.
    mask
        (p,) bool.
    search_error, std_error
        What the search measured for the mask: the smallest of many noisy values, hence optimistic.
    baseline_error, baseline_std_error
        The same for all features.
    weights, frequency
        (p,) the method's weight of each feature, None where it has none; share of the candidates that contain it.
    evaluations, iterations
        Measurements that the method took, and its own count of steps.
    seconds
        Time spent measuring, the measurement of all features before the search not counted: it may wait for the model
        to be made ready for this computer.
    finalists
        Subsets that were measured again, by their number of features; none where the method does not do so.
    weight_history, weight_steps
        (t, p) uint8, 255 for a weight of 1; (t,) the iterations that they are of, rising. None where the method has no
        weights.
    weights_moved
        Whether the method has weights that ever changed.
    annotations
        What the user knows about the features.
    steerings
        What the user changed while the search was under way, in order.
    picked
        Whether the user took another subset than the search's answer, of which outer folds say nothing.
    race
        What strategies were worth on held-out rows; empty where none competed.
    model
        Name of the model that predicts with the answer where several competed; "" where there was one.
    validations
        Tests on other tables, of this answer and of earlier ones.
    dataset
        The data, where the search ran in this process; None of a result that was read from a project.
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
    race: Race = field(default_factory=Race)
    model: str = ""
    validations: tuple[ExternalValidation, ...] = ()
    dataset: Dataset | None = None

    def __repr__(self) -> str:
        spec, size = self.spec, f"{len(self.features):,} of {len(self.all_features):,} features"
        return f"<Result of {spec.method!r} on {spec.data_name!r}: {size}. {lead(self)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the held-out error, the features, and details."""
        names = ", ".join(self.features[:_NAMED])
        if len(self.features) > _NAMED:
            names = tr("{names} and {more} more", names=names, more=number(len(self.features) - _NAMED))
        size = tr("{count:,} of {total:,}", count=len(self.features), total=len(self.all_features))
        lines = (
            (tr("Method"), f"{tr(METHODS[self.spec.method].title)}: {translated(self.reason)}"),
            (tr("Selected features"), f"{size}: {names}"),
            (tr("Measurements"), number(self.evaluations)),
        )
        cells = "".join(f"<tr><th>{escape(title)}</th><td>{escape(text)}</td></tr>" for title, text in lines)
        caption = f"<caption>{escape(self.spec.data_name)}</caption>"
        return f"<p><b>{escape(lead(self))}</b></p><table>{caption}{cells}</table>"

    @cached_property
    def estimator(self) -> "Pipeline":
        """The answer as a fitted scikit-learn pipeline: preparation, selection and model, trained on all rows.

        It takes a DataFrame that has the selected features by name, and predicts class names or numbers.

        Raises
        ------
        ProjectError
            Where the data are not at hand.
        """
        from fsdesk.results.pipeline import fitted_pipeline  # which writes results

        if self.dataset is None:
            raise ProjectError("This result holds no data: fit the pipeline by fitted_pipeline(result, dataset).")
        return fitted_pipeline(self, self.dataset)

    def to_frame(self) -> "pd.DataFrame":
        """One row for each of the p features.

        Returns
        -------
        pandas.DataFrame
            The index are the names; columns are selected (bool), weight (of the method, 1 and 0 where it has none) and
            frequency (share of the candidates that held the feature), and what the user knows about the features.
        """
        import pandas as pd

        weights = self.mask.astype(np.float64) if self.weights is None else self.weights
        made = pd.DataFrame(
            {"selected": self.mask, "weight": weights, "frequency": self.frequency},
            index=pd.Index(self.all_features, name="feature"),
        )
        for place, title in enumerate(self.annotations.titles):
            made[f"{title}_" if title in made else title] = [
                self.annotations.cells(name)[place] for name in self.all_features
            ]
        return made

    def report(self, path: str | PathLike[str]) -> Path:
        """Write the report, a page for a browser (``.html``) or for print (``.pdf``), and return its path.

        Raises
        ------
        ProjectError
            Where the data are not at hand, or the file cannot be written.
        SettingsError
            Where the name ends in something else.
        """
        target = Path(path)
        if self.dataset is None:
            raise ProjectError("This result holds no data, which a report needs: open its project by open_project.")
        if target.suffix.lower() not in (".html", ".pdf"):
            raise SettingsError('A report is a .html or a .pdf file; "{path}" is none.', path=target.name)
        exports = import_module("fsdesk.results.exports")  # which know what a result is
        content = exports.EXPORTS[f"report{target.suffix.lower()}"].content(self, self.dataset)
        exports.write_file(target, content, make_folder=True)
        return target

    @property
    def answered(self) -> RunSpec:
        """The spec with the model of the answer alone, where several competed."""
        return self.spec.with_model(self.model)

    @property
    def models(self) -> tuple[str, str]:
        """Names of the models of the answer, and of all features, where several competed."""
        return self.model, everything_model(self.race)

    @property
    def honesty(self) -> Honesty:
        """What is known of the answer beside what the search saw."""
        names = model_names(self.spec, self.race, self.model)
        known = Honesty.of(self.evidence, self.mask, len(self.steerings), names)
        return Honesty(known.fresh) if self.picked else known

    @property
    def honest(self) -> HonestError | None:
        """The held-out error, with its interval and beside all features; None where not measured."""
        return self.honesty.error(self.criterion.name, int(self.mask.sum()), len(self.mask))

    def decision(
        self,
        rule: "Rule" = "youden",
        value: float = 0.9,
        *,
        prevalence: float | None = None,
        positive: str | None = None,
        horizon: float | None = None,
        dataset: Dataset | None = None,
    ) -> "Decision":
        """ROC curve, cut-off, predictive values, calibration and net benefit, from predictions of held-out rows.

        Parameters
        ----------
        rule, value
            How the cut-off is chosen, from rows apart from those that it is judged on: "youden"; "sensitivity" or
            "specificity" of at least ``value``; "cost", where a missed row costs ``value`` times as much as a false
            alarm.
        prevalence
            Share of the positive class where the model is to be used; None: as among the held-out rows.
        positive
            Name of the class that is looked for; None: the one of the settings, else the rarest. It is compared with
            all others.
        horizon
            Of times to an event, the time by which it is asked; None: the one of the settings, else the median time of
            the events.
        dataset
            The data, for a result that was read from a project.

        Raises
        ------
        ProjectError
            Where the data are not at hand, or no rows were held out.
        SettingsError
            Where the model gives no scores, or a value is off.
        """
        from fsdesk.results.decision import CutOff, decide, why_not

        dataset = dataset or self.dataset
        if dataset is None:
            raise ProjectError("This result holds no data: give them as dataset.")
        if dataset.response is not None and not dataset.event:
            raise SettingsError("Cut-offs are chosen between classes, and this run predicts none.")
        if not held_out_of(self, dataset):
            raise ProjectError("No rows were held out of this search: measure the held-out error first.")
        scored = held_out_made(self, dataset)[1]
        if scored is None:
            raise SettingsError("No cut-off can be chosen: {why}", why=why_not(scored))
        return decide(scored, CutOff(rule, value), prevalence, positive, horizon=horizon)

    def coefficients(self, dataset: Dataset | None = None) -> "Coefficients | None":
        """The model of the answer written down, where it is a sum: logistic, ridge or Cox regression and the like.

        Intervals are of bootstrap samples of the rows. None where it is no sum, or one of several classes.

        Parameters
        ----------
        dataset
            The data, for a result that was read from a project; ProjectError where they are not at hand.
        """
        from fsdesk.results.features import linear_model

        dataset = dataset or self.dataset
        if dataset is None:
            raise ProjectError("This result holds no data: give them as dataset.")
        return linear_model(self, dataset)

    @property
    def permutations(self) -> PermutationTest | None:
        """What the same run on shuffled targets says; None where there was none."""
        return permutation_test(self.judged)

    @property
    def judged(self) -> JudgedRun:
        """The run with the error that the same run on shuffled targets is compared by: the honest one, if any."""
        known = self.spec, self.mask, self.steerings, self.evidence, self.criterion.name
        return JudgedRun.of(*known, self.honest, self.search_error)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the selected features, in the order of the table."""
        return tuple(name for name, selected in zip(self.all_features, self.mask, strict=True) if selected)

    @property
    def steered(self) -> str:
        """What was changed by hand and when, as a sentence; empty where nothing was."""
        said = [
            tr("from measurement {number} on: {what}", number=each.number, what=translated(each.sentence))
            for each in self.steerings
        ]
        return tr("The search was steered by hand ({what}).", what="; ".join(said)) if said else ""

    @property
    def seen_before(self) -> str:
        """Why the held-out error is a little too good all the same, as a sentence; empty where it is not."""
        why = []
        if self.spec.start:
            why.append(tr("began from a given subset, which may have been found on these very rows"))
        if self.steerings:
            why.append(tr("was steered by someone who saw all rows"))
        if not why:
            return ""
        said = tr(" and ").join(why)
        return tr("The search {why}: the held-out error may be optimistic, since it cannot account for that.", why=said)

    def with_finalist(self, mask: Mask) -> "Result":
        """The same with a finalist that the user picked as its answer; raise ProjectError where there is no such."""
        for point in self.finalists:
            if np.array_equal(point.mask, mask):
                reason = joined(
                    "; ", [self.reason, message("this subset was picked by hand among those that were measured again")]
                )
                picked = not np.array_equal(mask, self.mask)
                return replace(
                    self, mask=mask, search_error=point.error, std_error=point.std_error, reason=reason, picked=picked
                )
        raise ProjectError("The picked subset is none of those that were measured again: pick it once more.")

    @classmethod
    def of(cls, state: RunState, annotations: Annotations | None = None) -> "Result":
        """The result of a run as far as it has come; raise ProjectError where nothing was measured yet."""
        if state.best is None or state.baseline is None:
            raise ProjectError("This run has measured no subset yet: let it run for a moment, then export.")
        return cls(
            spec=RunSpec.model_validate(state.spec),
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
                state.iterations.view.copy(),
                state.errors.view.copy(),
                state.std_errors.view.copy(),
                state.sizes.view.copy(),
                tuple(state.restarts),
            ),
            finalists=tuple(Finalist(*point) for point in state.confirmed.curve()),
            weight_history=state.heatmap.view.copy(),
            weight_steps=state.heatmap.iterations.copy(),
            weights_moved=state.weights_moved,
            steerings=tuple(state.steering_events),
            annotations=annotations or Annotations(),
            race=state.race,
            model=state.model,
        )

    @property
    def external(self) -> tuple[ExternalValidation, ...]:
        """Tests of this answer on other tables."""
        return tuple(each for each in self.validations if each.selected == self.features)

    @classmethod
    def stored(cls, project: Project, run_id: int) -> "Result":
        """The result of a run of a project with its whole log, and with what the user knows about its features."""
        log = tuple(project.events(run_id))
        made, known = cls.of(RunState.of(log)), Annotations.unpacked(project.kept(ANNOTATIONS))
        evidence, external = tuple(kept_evidence(project.evidence(run_id))), kept_external(project, run_id)
        known = known.of_table(made.spec.data_name)
        return replace(made, log=log, annotations=known, evidence=evidence, validations=external)


def select(
    data: "Dataset | FrameLike",
    target: Hashable | None = None,
    *,
    method: str = DEFAULT_METHOD,
    wrapper: object = DEFAULT_WRAPPER,
    seed: int = 0,
    preset: str | None = None,
    settings: Mapping[str, Value] | None = None,
    always: Sequence[str] = (),
    never: Sequence[str] = (),
    together: Sequence[Sequence[str]] = (),
    start: Sequence[str] = (),
    workers: int = 1,
    outer: int | None = None,
    permutations: int = 0,
    callback: Callback | None = None,
    verbose: int | None = None,
    cluster: "str | Client | None" = None,
    cv: Any = None,
    scoring: Any = None,
    n_features_to_select: float | None = None,
    project: str | PathLike[str] | None = None,
    task: TargetTask = "auto",
    ignore: Sequence[Hashable] = (),
    keep: Sequence[Hashable] = (),
    group: Hashable | None = None,
    folds: Hashable | None = None,
    time: Hashable | None = None,
    event: Hashable | None = None,
) -> Result:
    """Run a search, in this process or on a cluster, and return what it found.

    Parameters
    ----------
    data
        A data set, as :func:`fsdesk.read_table` and :func:`fsdesk.from_frame` give, or a frame of pandas, polars or
        pyarrow with one sample a row.
    target
        Of a frame the column to predict; None takes the last one.
    method, wrapper, seed, preset, settings, always, never, together, start
        As in :class:`fsdesk.engine.RunRequest`.
    workers
        Measurements at once; the result does not depend on it.
    outer
        Outer folds, 2 or more, in each of which the whole search is repeated without the rows of that fold (nested
        cross-validation): 5 take about five times as long as the search, twice to three times where models compete, and
        give ``result.honest``, the held-out error. 0 for none; None for as many as the settings say where models
        compete, else none.
    permutations
        How often the same run is repeated on shuffled targets, each as long as the run with its outer folds, for
        ``result.permutations``: the p-value of "there is nothing to find". 0 for none. With several ``workers`` each of
        these runs is a process, so a script needs ``if __name__ == "__main__":``.
    callback
        Called with a :class:`fsdesk.Progress` after every step of any method. Where it returns True or raises
        StopIteration the search stops, and the result is what was found so far, its status "stopped".
    verbose
        0 says nothing, 1 prints a line for every better subset, 2 for every step; None shows a bar in notebooks and
        terminals and nothing elsewhere. All go to the standard error.
    cluster
        The address of a Dask scheduler, such as ``"tcp://10.0.0.5:8786"``, or a ``dask.distributed.Client``: the
        search, each of its outer folds and each run on shuffled targets are tasks there, and ``workers`` does not
        count. The result is the same.
    cv
        Folds in the way of scikit-learn: a number, a splitter such as ``StratifiedKFold(10)``, whose very folds are
        used, or pairs of training and test rows, each row tested once. None: the setting ``folds``.
    scoring
        Name of a score of scikit-learn, such as "roc_auc", or a scorer made of one of its functions, for the setting
        ``criterion``.
    n_features_to_select
        So many features, or a share of them between 0 and 1, for the setting ``wanted`` of the methods that have it.
    project
        A ``.fsdesk`` file that keeps the data and every step as it is measured, made where there is none: nothing is
        lost by Ctrl-C or a crash, ``fsdesk resume FILE`` goes on, and the window shows the run. None keeps nothing.
    task, ignore, keep, group, folds, time, event
        Of a frame as in :func:`fsdesk.from_frame`; a data set has all that already.

    Returns
    -------
    Result
        ``result.features`` are the names of the selected ones, ``result.mask`` the (p,) truth values, and
        ``result.honest`` the held-out error.

    Raises
    ------
    SettingsError, DataError
        Where a name or a value is off, or does not go with the data.
    WrapperError
        Where the model refused every subset, with its reason.
    WorkerError
        Where the cluster cannot be reached, or has other versions of what the numbers come from.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> import fsdesk
    >>> rng = np.random.default_rng(0)
    >>> ill = np.arange(60) % 2
    >>> df = pd.DataFrame({"crp": rng.normal(4 * ill), "ldl": rng.normal(size=60), "ill": ill})
    >>> result = fsdesk.select(df, target="ill", method="univariate", wrapper="nn", n_features_to_select=1)
    >>> result.features
    ('crp',)
    >>> fsdesk.predict(result, df.head(4)).predicted.tolist()
    [0, 1, 0, 1]

    The default lets models compete and measures the held-out error; it takes from seconds to minutes:

    >>> fsdesk.select(df, target="ill").honest  # doctest: +SKIP
    """
    roles = {"group": group, "folds": folds, "time": time, "event": event}
    dataset = _data_set(data, target, task=task, ignore=ignore, keep=keep, **roles)
    familiar = {"cv": cv, "scoring": scoring, "n_features_to_select": n_features_to_select}
    dataset, said = with_familiar(dataset, settings or {}, method=method, **familiar)
    spec = RunSpec.make(
        dataset,
        method=method,
        wrapper=wrapper,
        seed=seed,
        preset=preset,
        settings={**said, **({"validation.outer_folds": outer} if outer else {})},
        always=always,
        never=never,
        together=together,
        start=start,
    )
    if outer is None:
        outer = spec.validation.outer_folds if spec.models else 0
    with connected(cluster) as pool, _kept_in(project, spec, dataset) as keeper:
        with shown_progress(verbose) as show:
            result = completed(spec, dataset, workers, callback=_both(show, callback), pool=pool, keeper=keeper)
        if not np.isfinite(result.search_error):
            why = evaluator_of(spec, dataset).why_not(result.mask)
            raise WrapperError("No subset could be measured: {why}", why=why)
        if outer and result.status == "finished":
            steps = outer_steps(spec, dataset, workers=workers, pool=pool)
            measured = _kept((step for step in steps if isinstance(step, OuterFold)), keeper)
            result = replace(result, evidence=(*result.evidence, *measured))
        if permutations and result.status == "finished":
            shuffled = permutation_steps(result.judged, dataset, permutations, workers=workers, pool=pool)
            result = replace(result, evidence=(*result.evidence, *_kept(shuffled, keeper)))
        return replace(result, dataset=dataset)


class _Keeper:
    """Keeps the events and the evidence of a run in a project file as they come."""

    def __init__(self, project: Project, run_id: int) -> None:
        self._project, self._run_id = project, run_id
        self._pending: list[tuple[int, Event]] = []
        self._written = monotonic()

    def keep(self, event: Event) -> None:
        """Keep an event, at once or with those of the next moment: a file is not written for each of thousands."""
        self._pending.append((self._run_id, event))
        if monotonic() - self._written > _KEPT_SECONDS:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        if self._pending:
            self._project.append(self._pending)
        self._pending, self._written = [], monotonic()

    def keep_evidence(self, evidence: Evidence) -> None:
        """Keep what was measured beside the search."""
        self._project.add_evidence(self._run_id, *packed_evidence(evidence))


_KEPT_SECONDS = 1 / 30


@contextmanager
def _kept_in(path: str | PathLike[str] | None, spec: RunSpec, dataset: Dataset) -> Iterator[_Keeper | None]:
    """What keeps a run in a project file, which is made where there is none; None where none is named."""
    if path is None:
        yield None
        return
    file = Path(path)
    with closing(Project.open(file) if file.exists() else Project.create(file)) as project:
        project.add_dataset(dataset)
        yield _Keeper(project, project.add_run(spec))


E = TypeVar("E", bound=Evidence)


def _kept(steps: Iterator[E], keeper: _Keeper | None) -> Iterator[E]:
    """The same steps, each kept when it is there."""
    for step in steps:
        if keeper is not None:
            keeper.keep_evidence(step)
        yield step


def _both(show: Callable[[Progress], None] | None, callback: Callback | None) -> Callback | None:
    """What shows the progress, then the user's callback."""
    if show is None or callback is None:
        return show or callback

    def called(progress: Progress) -> object:
        show(progress)
        return callback(progress)

    return called


@contextmanager
def shown_progress(verbose: int | None) -> Iterator[Callable[[Progress], None] | None]:
    """What shows the progress of a search as ``verbose`` says; None where nothing is to be shown."""
    if verbose is not None:
        yield _printed(verbose) if verbose > 0 else None
        return
    if not _is_watched():
        yield None
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Bar(*columns, console=_standard_error(), transient=True) as bar:
        task = bar.add_task("")
        yield lambda progress: bar.update(
            task, total=progress.most, completed=progress.measured, description=str(progress)
        )


def _standard_error() -> "Console":
    from rich.console import Console

    return Console(stderr=True)


def _is_watched() -> bool:
    """Whether somebody looks on: in a notebook, or a terminal."""
    return _standard_error().is_jupyter or sys.stderr.isatty()


def _printed(verbose: int) -> Callable[[Progress], None]:
    def show(progress: Progress) -> None:
        if verbose > 1 or progress.is_better:
            sys.stderr.write(f"[fsdesk] {progress}\n")
            sys.stderr.flush()

    return show


def _data_set(data: "Dataset | FrameLike", target: Hashable | None, **given: Any) -> Dataset:
    """A data set as it is, or that of a frame; DataError where one is told what only a frame can be told."""
    if not isinstance(data, Dataset):
        return from_frame(data, target, **given)
    said = [name for name, value in {"target": target, **given}.items() if value not in (None, (), [], "auto")]
    if said:
        raise DataError(
            "A data set has its target, groups and columns already: give {said} to read_table or from_frame.",
            said=quoted(said),
        )
    return data


def completed(
    spec: RunSpec,
    dataset: Dataset,
    workers: int = 1,
    steerings: Sequence[Steered] = (),
    callback: Callback | None = None,
    pool: Pool | None = None,
    keeper: _Keeper | None = None,
) -> Result:
    """Run a search to its end, or until ``callback`` stops it, steered as another run of it was.

    In this process, or, not steered, by a worker of ``pool``.
    """
    state, log, flag, follower = RunState(), list[Event](), Flag(), _Follower(spec)
    try:
        for event in _searched(spec, dataset, workers, Repeated(flag, steerings), pool):
            state.apply(event)
            log.append(event)
            if keeper is not None:
                keeper.keep(event)
            if callback is not None and isinstance(event, BatchMeasured | SubsetsJudged):
                follower.note(state, event)
                flag.stop = flag.stop or _stops(callback, follower.progress(state, event.number))
    finally:  # by Ctrl-C, too
        if keeper is not None:
            keeper.write()
    follower.answer(state)
    result = replace(Result.of(state), log=tuple(log))
    if state.status == "finished" and state.race.winner is not None:
        own = own_error(spec, dataset, state, result.mask)
        if own is not None:
            result = replace(result, evidence=(own,))
            if keeper is not None:
                keeper.keep_evidence(own)
    return result


def _searched(spec: RunSpec, dataset: Dataset, workers: int, control: Control, pool: Pool | None) -> Iterator[Event]:
    if pool is None:
        with ThreadExecutor(evaluator_of(spec, dataset), workers) as executor:
            yield from run(spec, dataset, executor, (), control)
    else:
        for _, event in messages_of(pool, run_task, [(spec, dataset, (), 1)], control):
            yield event


def lead(result: Result, *, in_file: bool = False) -> str:
    """The first sentence about a result: its held-out error with interval, or what is missing and how to get it.

    In a file without the time that this would take: the same run writes the same file on a slower machine.
    """
    honest = result.honest
    if honest is not None:
        return honest.sentence()
    if result.picked:
        return tr(
            "The held-out error of this subset is not known: it was picked by hand, after the outer folds or "
            "without them."
        )
    return missing(result.honesty, 0.0 if in_file else result.seconds, result.spec.validation.outer_folds)


def seen_by_the_search(result: Result) -> str:
    """The error on the rows that chose the features, which is optimistic: a detail."""
    criterion, fresh = result.criterion, result.honesty.fresh
    found = localised(criterion.text(result.search_error))
    everything = localised(criterion.text(result.baseline_error))
    title, what = tr(criterion.title), all_features_title(result.race)
    if not result.spec.selects:
        return tr("{criterion} of all features in cross-validation: {found}.", criterion=title, found=found)
    if fresh is None:
        return tr(
            "On the rows that chose the features, so no estimate for new ones: {criterion} {found} in the search "
            "({what} {everything}).",
            criterion=title, found=found, everything=everything, what=what,
        )  # fmt: skip
    return tr(
        "On the rows that chose the features, so no estimate for new ones: {criterion} {found} in the search "
        "({what} {everything}), {fresh} on fresh folds.",
        criterion=title, found=found, fresh=localised(criterion.text(fresh.mean)), everything=everything, what=what,
    )  # fmt: skip


def missing(honesty: Honesty, seconds: float, folds: int) -> str:
    """What is missing where no outer validation is complete, and how to get it; without any error.

    Parameters
    ----------
    seconds
        That the run itself has measured, of which each outer fold takes about as much; 0 where no time is wanted, or
        none known, as in a sealed bundle, whose log has no times.
    """
    if not seconds:
        return _missing_untimed(honesty, folds)
    if honesty.outer:
        done, folds = len(honesty.outer), honesty.outer[0].folds
        return tr(
            "The held-out error is not known yet: {done} of {folds} outer folds are done. fsdesk resume, or "
            "the button in the window, measures the rest in about {time}.",
            done=done, folds=folds, time=_duration(seconds * (folds - done)),
        )  # fmt: skip
    return tr(
        "The held-out error was not measured. fsdesk resume, or the button in the window, measures it in "
        "{folds} outer folds, in about {time}.",
        folds=folds, time=_duration(seconds * folds),
    )  # fmt: skip


def _missing_untimed(honesty: Honesty, folds: int) -> str:
    if honesty.outer:
        return tr(
            "The held-out error is not known yet: {done} of {folds} outer folds are done. fsdesk resume, or "
            "the button in the window, measures the rest.",
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


def keep_made(make: Callable[Concatenate[Result, Dataset, P], T]) -> Callable[Concatenate[Result, Dataset, P], T]:
    """Keep what a function made of a result, as long as that lives: files of it often need the same.

    It is made anew for another data set, another language or other arguments. It must not refer to the result.
    """
    kept: WeakKeyDictionary[Result, tuple[Dataset, dict[object, T]]] = WeakKeyDictionary()

    @wraps(make)
    def made(result: Result, dataset: Dataset, /, *args: P.args, **kwargs: P.kwargs) -> T:
        known = kept.get(result)
        if known is None or known[0] is not dataset:
            known = kept[result] = dataset, {}
        asked = current_language().name, args, tuple(kwargs.items())
        if asked not in known[1]:
            known[1][asked] = make(result, dataset, *args, **kwargs)
        return known[1][asked]

    return made


@keep_made
def held_out_of(result: Result, dataset: Dataset) -> tuple[HeldOutPart, ...]:
    """The parts whose predictions make the held-out error; see :func:`fsdesk.results.honest.held_out_parts`."""
    return held_out_parts(result.spec, dataset, result.honesty, result.race)


@keep_made
def held_out_made(result: Result, dataset: Dataset) -> "tuple[Judged, Scored | None]":
    """What is predicted for the rows of these parts, and their scores; None where the model gives none."""
    from fsdesk.results.diagnosis import held_out_predictions

    with threadpool_limits(limits=1):  # as in a run: the same sums, to the last bit
        return held_out_predictions(result.spec, dataset, held_out_of(result, dataset))
