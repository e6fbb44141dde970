"""A search in this process or on a cluster: the function called by scripts and notebooks."""

import sys
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fsdesk.data import Dataset, TargetTask, from_frame
from fsdesk.data.frame import FrameLike
from fsdesk.engine import (
    BatchMeasured,
    Event,
    Flag,
    Pool,
    RunRequest,
    RunSpec,
    RunState,
    Steered,
    SubsetsJudged,
    Wanted,
    usable_cores,
)
from fsdesk.engine.cluster import connected
from fsdesk.engine.loop import STOPPED
from fsdesk.engine.pool import end_where_unguarded
from fsdesk.engine.state import Best
from fsdesk.errors import DataError, SettingsError, callers_level
from fsdesk.messages import counted, joined, message, quoted
from fsdesk.methods import DEFAULT_METHOD, Mask
from fsdesk.results.evidence import Evidence, EvidenceProgress
from fsdesk.results.familiar import with_familiar
from fsdesk.results.job import Keeper, Step, job, refuse_evidence, unmeasured
from fsdesk.results.result import Result
from fsdesk.settings import Value, validated
from fsdesk.store import Project
from fsdesk.wrappers import DEFAULT_WRAPPER

if TYPE_CHECKING:
    from distributed import Client
    from rich.console import Console

_MOST = 1024  # workers


@dataclass(frozen=True, eq=False)
class Progress:
    """Progress of a search.

    Attributes
    ----------
    measured, most
        Measurements taken by the method, and the maximum; it may end before.
    iteration
        The method's own step count.
    best_error, best_mask
        Smallest loss of a subset so far, optimistic like all search errors, and its (p,) bool mask. While models and
        rankings compete on held-out rows, they are those of the leading candidate.
    baseline_error
        Loss of all features.
    seconds
        Time spent measuring, excluding the measurement of all features before the search.
    is_better
        Whether this step found that subset.
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
            f"with {counted(int(self.best_mask.sum()), 'feature')}, {self.baseline_error:.4g} with all"
        )


Callback = Callable[[Progress], object]
"""Called with the progress; returns True, or raises StopIteration, to stop the search and keep its best subset."""


class _Follower:
    """The best subset at every step of a run, for callbacks that receive the progress or stop it.

    It is the best of the measured subsets. While rankings and models compete on held-out rows, no subset has been
    selected on all rows yet. The best is then the leading one of those evaluated in most parts of the rows, with the
    features that most of these parts selected. Before any evaluation, it is all features.
    """

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self._standings: dict[tuple[str, int, str], tuple[int, float]] = {}
        self._leader: tuple[str, int, str] | None = None
        self._led = False

    def note(self, state: RunState, event: Event) -> None:
        """Process an event that ``state`` has applied."""
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
        """Use the best so far as the result of a run that was stopped before it had one."""
        if state.best is not None or state.status != "stopped" or state.baseline is None:
            return
        state.best = self.best(state)
        if self._leader is None:
            reason = message("no subset was measured, so these are all features")
        else:
            strategy, size, state.model = self._leader
            reason = message(
                "{strategy} with {size} features led on held-out rows, and these are the features it selected most "
                "often",
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
    """Call ``callback``; return whether it requests a stop."""
    try:
        return callback(progress) is True
    except StopIteration:
        return True


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
    entry: Hashable | None = None,
    **unknown: object,
) -> Result:
    """Run a search, in this process or on a cluster, and return its result.

    Parameters
    ----------
    data
        A data set, from :func:`fsdesk.read_table` or :func:`fsdesk.from_frame`, or a frame of pandas, polars or pyarrow
        with one sample per row.
    target
        For a frame, the column to predict; None uses the last one.
    method, wrapper, seed, preset, settings, always, never, together, start
        As in :class:`fsdesk.engine.RunRequest`.
    workers
        Number of parallel measurements, -1 for all cores; the result does not depend on it.
    outer
        Outer folds, 2 or more, in each of which the whole search is repeated without the rows of that fold (nested
        cross-validation): 5 folds take about five times as long as the search, two to three times if models compete,
        and give ``result.honest``, the held-out error. 0 for none; None uses the setting ``outer_folds``, 5, and none
        if the method holds rows out itself: as on the command line.
    permutations
        Number of repetitions of the run on shuffled targets, each taking as long as the run with its outer folds, for
        ``result.permutations``: the p value of the hypothesis that there is nothing to find. 0 for none. With several
        ``workers`` each of these runs is a process, so a script needs ``if __name__ == "__main__":``.
    callback
        Called with a :class:`fsdesk.Progress` after every step of any method. If it returns True or raises
        StopIteration the search stops, and the result is the best so far, with the status "stopped".
    verbose
        0 prints nothing, 1 a line for every improved subset, 2 for every step; None shows a bar in notebooks and
        terminals and nothing elsewhere. All output goes to standard error.
    cluster
        The address of a Dask scheduler, such as ``"tcp://10.0.0.5:8786"``, or a ``dask.distributed.Client``: the
        search, each of its outer folds and each run on shuffled targets are tasks there, and ``workers`` is ignored.
        The result is the same.
    cv
        Folds as in scikit-learn: a number, a splitter such as ``StratifiedKFold(10)``, whose exact folds are used, or
        pairs of training and test rows, each row tested once. None: the setting ``folds``.
    scoring
        Name of a scikit-learn score, such as "roc_auc", or a scorer made from one of its functions, for the setting
        ``criterion``.
    n_features_to_select
        Number of features, or a fraction between 0 and 1, for the setting ``wanted`` of methods that have it.
    project
        A ``.fsdesk`` file that stores the data and every step immediately, created if it does not exist: nothing is
        lost by Ctrl-C or a crash, ``fsdesk resume FILE`` continues, and the window shows the run. None stores nothing.
    task, ignore, keep, group, folds, time, event, entry
        For a frame, as in :func:`fsdesk.from_frame`; a data set already has all of these.
    unknown
        Refused, including ``sample_weight``: every row counts the same.

    Returns
    -------
    Result
        ``result.features`` are the names of the selected features, ``result.mask`` the (p,) boolean mask, and
        ``result.honest`` the held-out error.

    Raises
    ------
    SettingsError, DataError
        If a name or value is invalid, or does not fit the data.
    WrapperError
        If the model could not be trained on any subset, with the reason.
    WorkerError
        If the cluster cannot be reached, or has other versions of the packages that determine the results.

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

    By default models compete and the held-out error is estimated, which takes from seconds to minutes:

    >>> fsdesk.select(df, target="ill").honest  # doctest: +SKIP
    """
    end_where_unguarded()
    refuse_others(unknown, "select")
    if callback is not None and not callable(callback):
        raise SettingsError("callback must be a function, not {kind}.", kind=type(callback).__name__)
    workers = _at_once(workers)
    roles = {"group": group, "folds": folds, "time": time, "event": event, "entry": entry}
    dataset = _data_set(data, target, task=task, ignore=ignore, keep=keep, **roles)
    familiar = {"cv": cv, "scoring": scoring, "n_features_to_select": n_features_to_select}
    dataset, said = with_familiar(dataset, settings or {}, method=method, **familiar)
    asked = {
        "method": method, "wrapper": wrapper, "seed": seed, "preset": preset, "settings": said, "always": always,
        "never": never, "together": together, "start": start, "outer": outer, "permutations": permutations,
    }  # fmt: skip
    request = validated(RunRequest, asked)
    spec = request.resolve(dataset)
    wanted = request.wanted(spec)._replace(fresh=False)
    if outer is None and not _may_hold_out(request, spec, dataset):
        wanted = wanted._replace(outer=0)
    with connected(cluster) as pool, _kept_in(project, spec, dataset) as kept, shown_progress(verbose) as show:
        workers = 1 if pool is not None else workers
        result = completed(spec, dataset, workers, callback=callback, pool=pool, wanted=wanted, keep=kept, show=show)
    if not np.isfinite(result.search_error):
        raise unmeasured(spec, dataset, result.mask)
    return replace(result, dataset=dataset, is_kept=project is not None)


def refuse_others(others: Mapping[str, object], function: str) -> None:
    """Raise for arguments that do not exist: SettingsError for weights of rows, TypeError for others."""
    if "sample_weight" in others:
        raise SettingsError(
            "sample_weight is not supported: every row counts the same. For classes of unequal size or cost, use the "
            'criterion "balanced error" or "cost".'
        )
    for name in others:
        raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def _at_once(workers: int) -> int:
    """Number of measurements in parallel; -1 means as many as there are cores."""
    if not isinstance(workers, Integral) or isinstance(workers, bool) or not (workers == -1 or 1 <= workers <= _MOST):
        raise SettingsError(
            "workers must be a whole number from 1 to {most}, or -1 for all cores (got {workers}).",
            most=_MOST, workers=repr(workers),
        )  # fmt: skip
    return usable_cores() if workers == -1 else int(workers)


def _may_hold_out(request: RunRequest, spec: RunSpec, dataset: Dataset) -> bool:
    """Whether the default outer folds are possible; warns if not."""
    try:
        refuse_evidence(request, spec, dataset)
    except DataError as error:
        warnings.warn(
            f"the error on held-out rows cannot be measured: {error}", UserWarning, stacklevel=callers_level()
        )
        return False
    return True


@contextmanager
def _kept_in(
    path: str | PathLike[str] | None, spec: RunSpec, dataset: Dataset
) -> Iterator[Callable[[Step], object] | None]:
    """Stores the steps of a run in a project file, created if necessary; None if no file is given."""
    if path is None:
        yield None
        return
    file = Path(path)
    with closing(Project.open(file) if file.exists() else Project.create(file)) as project:
        project.add_dataset(dataset)
        run_id, keeper = project.add_run(spec), Keeper(project)
        try:
            yield lambda step: keeper.keep(run_id, step)
        finally:  # also on Ctrl-C
            keeper.write()


Show = Callable[[Progress | EvidenceProgress], object]


@contextmanager
def shown_progress(verbose: int | None) -> Iterator[Show | None]:
    """Shows the progress of a job according to ``verbose``; None if nothing is to be shown."""
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

        def show(progress: Progress | EvidenceProgress) -> None:
            if isinstance(progress, Progress):
                done, total, what = float(progress.measured), progress.most, str(progress)
            else:
                done, total, what = progress.done, progress.total, f"evidence: {progress.part}"
            bar.update(task, total=total, completed=done, description=what)

        yield show


def _standard_error() -> "Console":
    from rich.console import Console

    return Console(stderr=True)


def _is_watched() -> bool:
    """Whether output is visible: in a notebook, or a terminal."""
    return _standard_error().is_jupyter or sys.stderr.isatty()


def _printed(verbose: int) -> Show:
    def show(progress: Progress | EvidenceProgress) -> None:
        if isinstance(progress, Progress) and (verbose > 1 or progress.is_better):
            sys.stderr.write(f"[fsdesk] {progress}\n")
            sys.stderr.flush()

    return show


def _data_set(data: "Dataset | FrameLike", target: Hashable | None, **given: Any) -> Dataset:
    """A data set unchanged, or from a frame; DataError if arguments for frames are given with a data set."""
    if not isinstance(data, Dataset):
        return from_frame(data, target, **given)
    said = [name for name, value in {"target": target, **given}.items() if value not in (None, (), [], "auto")]
    if said:
        raise DataError(
            "A data set already has its target, groups and columns; give {said} to read_table or from_frame instead.",
            said=quoted(said),
        )
    return data


_OWN = Wanted(fresh=False)


def completed(
    spec: RunSpec,
    dataset: Dataset,
    workers: int = 1,
    steerings: Sequence[Steered] = (),
    *,
    callback: Callback | None = None,
    pool: Pool | None = None,
    wanted: Wanted = _OWN,
    keep: Callable[[Step], object] | None = None,
    show: Show | None = None,
    replayed: Sequence[Event] = (),
    known: Sequence[Evidence] = (),
) -> Result:
    """Carry out the job of a run in this process or in workers of ``pool``, to its end or until ``callback`` stops it.

    Every step is passed to ``keep``, and the progress to ``show``. The search repeats another run's changes; a started
    run continues after its events, ``replayed``, and the ``known`` evidence.
    """
    state, log, evidence, flag, follower = RunState(), list[Event](), list(known), Flag(), _Follower(spec)
    for event in replayed:
        state.apply(event)
        log.append(event)
        follower.note(state, event)
    steps = job(
        spec, dataset, wanted, replayed=replayed, known=known, steerings=steerings, workers=workers, control=flag,
        pool=pool,
    )  # fmt: skip
    for step in steps:
        if keep is not None:
            keep(step)
        if isinstance(step, Evidence):
            evidence.append(step)
        elif isinstance(step, EvidenceProgress):
            if show is not None:
                show(step)
        else:
            state.apply(step)
            log.append(step)
            if (show or callback) and isinstance(step, BatchMeasured | SubsetsJudged):
                follower.note(state, step)
                progress = follower.progress(state, step.number)
                if show is not None:
                    show(progress)
                flag.stop = flag.stop or (callback is not None and _stops(callback, progress))
    if keep is None and state.reason == STOPPED:
        state.reason = message("stopped")
    follower.answer(state)
    return replace(Result.of(state, evidence=evidence), log=tuple(log))
