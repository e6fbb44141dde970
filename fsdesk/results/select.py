"""A search in this process or on a cluster: the call that scripts and notebooks make."""

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
            f"with {counted(int(self.best_mask.sum()), 'feature')}, {self.baseline_error:.4g} with all"
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
        Measurements at once, -1 for as many as there are cores; the result does not depend on it.
    outer
        Outer folds, 2 or more, in each of which the whole search is repeated without the rows of that fold (nested
        cross-validation): 5 take about five times as long as the search, twice to three times where models compete, and
        give ``result.honest``, the held-out error. 0 for none; None for as many as the setting ``outer_folds`` says,
        5, and none where the method holds rows out itself: as on the command line.
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
    task, ignore, keep, group, folds, time, event, entry
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
    end_where_unguarded()
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


def _at_once(workers: int) -> int:
    """How many measurements at once; -1 stands for as many as there are cores."""
    if not isinstance(workers, Integral) or isinstance(workers, bool) or not (workers == -1 or 1 <= workers <= _MOST):
        raise SettingsError(
            "workers must be a whole number from 1 to {most}, or -1 for all cores (got {workers}).",
            most=_MOST, workers=repr(workers),
        )  # fmt: skip
    return usable_cores() if workers == -1 else int(workers)


def _may_hold_out(request: RunRequest, spec: RunSpec, dataset: Dataset) -> bool:
    """Whether the usual outer folds are possible; warns where they are not."""
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
    """What keeps the steps of a run in a project file, which is made where there is none; None where none is named."""
    if path is None:
        yield None
        return
    file = Path(path)
    with closing(Project.open(file) if file.exists() else Project.create(file)) as project:
        project.add_dataset(dataset)
        run_id, keeper = project.add_run(spec), Keeper(project)
        try:
            yield lambda step: keeper.keep(run_id, step)
        finally:  # by Ctrl-C, too
            keeper.write()


Show = Callable[[Progress | EvidenceProgress], object]


@contextmanager
def shown_progress(verbose: int | None) -> Iterator[Show | None]:
    """What shows the progress of a job as ``verbose`` says; None where nothing is to be shown."""
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
    """Whether somebody looks on: in a notebook, or a terminal."""
    return _standard_error().is_jupyter or sys.stderr.isatty()


def _printed(verbose: int) -> Show:
    def show(progress: Progress | EvidenceProgress) -> None:
        if isinstance(progress, Progress) and (verbose > 1 or progress.is_better):
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
    """Carry out the job of a run in this process or by workers of ``pool``, to its end or until ``callback`` stops it.

    Every step is given to ``keep``, and how far it is to ``show``. The search is steered as another run of it was; one
    that was begun goes on behind its events, ``replayed``, and the evidence that is ``known``.
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
