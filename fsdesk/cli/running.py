"""Running and resuming without a screen."""

import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import platformdirs
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from fsdesk.cli.proving import Proof
from fsdesk.data import Dataset, prepare
from fsdesk.data.described import described_columns
from fsdesk.data.openml import Progress as Downloaded
from fsdesk.data.openml import fetch
from fsdesk.engine import (
    BatchMeasured,
    Event,
    Flag,
    Prefilter,
    RunFinished,
    RunSpec,
    RunState,
    ThreadExecutor,
    more_of,
    usable_cores,
)
from fsdesk.engine import run as run_loop
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import SettingsError, UserError, WrapperError
from fsdesk.results import Result, export
from fsdesk.results.lead import lead, seen_by_the_search
from fsdesk.store import Hold, Holder, Project

__all__ = ["from_openml", "openml_name", "resume", "start", "stop_on_signal"]

_COMMIT_SECONDS = 1 / 30
_OPENML = "openml:"


def openml_name(table: Path) -> str | None:
    """The name or number after ``openml:``; None where a file is meant, also one that is called so."""
    text = str(table)
    return text[len(_OPENML) :] if text.lower().startswith(_OPENML) and not table.exists() else None


def from_openml(
    wanted: str, target: str | None, choices: Mapping[str, Any], read: Sequence[str] | None = None
) -> Dataset:
    """Get a data set of OpenML, kept in the user's cache, and say on stderr what the user should know of it.

    Raises
    ------
    DataError, SettingsError
        Where OpenML cannot be reached or has no such data set; where ways of reading a file are given.
    """
    if read:
        raise SettingsError("--read says how to read a file: leave it out for a data set of OpenML.")
    folder = platformdirs.user_cache_path("fsdesk", appauthor=False) / "openml"
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), DownloadColumn(), console=console, transient=not console.is_terminal
    ) as progress:
        task = progress.add_task("Asking OpenML", total=None)

        def report(step: Downloaded) -> None:
            progress.update(task, description=step.what, completed=step.done, total=step.total or None)

        table = fetch(wanted, folder, report)
        progress.update(task, visible=False)
    held = (target or table.default_target, *(choices[role] for role in ("group", "folds", "time")), *choices["keep"])
    ignore = (*choices["ignore"], *described_columns(table, held))
    dataset = prepare(table, target, **{**choices, "ignore": ignore})
    for check in dataset.checks:
        print(f"note: {check.sentence}", file=sys.stderr)
    return dataset


def start(
    dataset: Dataset, asked: Mapping[str, Any], out: Path, workers: int | None, log: Path, outer: int | None = None
) -> int:
    """Make the spec that was ``asked`` for, run it in the project ``log``, write the results; return the exit code.

    ``outer`` is the number of outer folds of the honest error, 0 for none, None for the usual.
    """
    spec = RunSpec.make(dataset, **asked)
    # Both complain about what cannot be searched or measured before a project is made.
    spec.model_copy(update={"prefilter": Prefilter()}).build_space(dataset).start(spec.start)
    evaluator_of(spec, dataset)
    with _project_at(log) as project:
        project.add_dataset(dataset)
        run_id = project.add_run(spec)
        return _drive(Proof(project, run_id, spec, dataset, outer, workers or usable_cores()), (), out)


def resume(
    path: Path,
    run_id: int | None,
    out: Path,
    workers: int | None,
    outer: int | None = None,
    more: Mapping[str, Any] | None = None,
) -> int:
    """Go on with a run of a project, which may take as much ``more`` as :func:`more_of` says; return the exit code."""
    project = Project.open(path)
    hold = _held(path)
    if isinstance(hold, Holder):
        project.close()
        raise UserError(f'"{path}" is open in another fsdesk (process {hold.pid}): resume the run there, or close it.')
    try:
        stored = project.run(run_id)
        dataset = project.dataset(stored.spec.data_fingerprint)
        told = tuple(project.events(stored.id))
        if more:
            taken = sum(len(event.candidates) for event in told if isinstance(event, BatchMeasured))
            wish = replace(more_of(stored.spec, **more), number=taken + 1)
            project.append([(stored.id, wish)])
            told = (*told, wish)
        return _drive(Proof(project, stored.id, stored.spec, dataset, outer, workers or usable_cores()), told, out)
    finally:
        project.close()
        if hold is not None:
            hold.release()


def _held(path: Path) -> Hold | Holder | None:
    try:
        return Hold.take(path)
    except OSError:  # a folder that cannot be written: what writes the project will say so
        return None


@contextmanager
def _project_at(path: Path) -> Iterator[Project]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path.parent} cannot be made ({error.strerror}): choose another folder.") from error
    project = Project.open(path) if path.exists() else Project.create(path)
    hold = _held(path)  # held by a window or not: a run of its own gets in nobody's way
    try:
        yield project
    finally:
        project.close()
        if isinstance(hold, Hold):
            hold.release()


def _drive(proof: Proof, told: Sequence[Event], out: Path) -> int:
    from fsdesk.cli.commands import STOPPED

    project, run_id, spec = proof.project, proof.run_id, proof.spec
    going_on = f"go on with: fsdesk resume {project.path} --run {run_id}"
    going_on += "" if proof.asked is None else f" --outer {proof.asked}"
    state = RunState()
    for event in told:
        state.apply(event)
    with stop_on_signal() as flag:
        try:
            if state.status != "finished":
                with ThreadExecutor(evaluator_of(spec, proof.dataset), proof.workers) as executor:
                    events = run_loop(spec, proof.dataset, executor, told, flag)
                    _log(project, run_id, events, state, spec.measurements + state.more_measurements)
            if state.best is not None and not math.isfinite(state.best.mean):
                why = evaluator_of(spec, proof.dataset).why_not(state.best.mask)
                raise WrapperError(f"No subset could be measured, so nothing was written: {why}")
            evidence = proof.gather(state, flag) if state.best is not None else ()
        except KeyboardInterrupt:
            print(f"Interrupted; {going_on}", file=sys.stderr)
            raise
    if state.best is None:
        why = f": {state.reason}" if "time" in state.reason else ""
        print(f"Stopped before a subset was measured{why}; {going_on}", file=sys.stderr)
        return STOPPED
    result = replace(Result.of(state), evidence=evidence)
    stopped = state.status == "stopped" or proof.is_incomplete(result.honesty)
    export(result, proof.dataset, out)
    _say(result, out)
    if stopped:
        print(f"Stopped; {going_on}", file=sys.stderr)
    return STOPPED if stopped else 0


def _log(project: Project, run_id: int, events: Iterator[Event], state: RunState, total: int) -> None:
    """Append the events to the project as they come, and show how far it is."""
    pending: list[tuple[int, Event]] = []
    committed = time.monotonic()
    with _progress(total, state) as show:
        for event in events:
            state.apply(event)
            pending.append((run_id, event))
            if time.monotonic() - committed > _COMMIT_SECONDS or isinstance(event, RunFinished):
                project.append(pending)
                pending, committed = [], time.monotonic()
                show()


@contextmanager
def _progress(total: int, state: RunState) -> Iterator[Callable[[], None]]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, refresh_per_second=5, transient=not console.is_terminal) as progress:
        task = progress.add_task("preparing", total=total, completed=state.evaluations)

        def show() -> None:
            progress.update(task, completed=state.evaluations + 1, description=_so_far(state))

        yield show
        if state.status == "finished":
            progress.update(task, completed=total, total=total, description=_so_far(state))


def _so_far(state: RunState) -> str:
    if state.best is None or state.baseline is None:
        return "measuring all features"
    criterion = state.criterion
    return f"{criterion.title} {criterion.text(state.best.mean)} with {_features(state.best.mask.sum())}"


def _features(number: int) -> str:
    return f"{number} feature" if number == 1 else f"{number} features"


def _say(result: Result, out: Path) -> None:
    """What was found: the error on rows that no search saw leads, what the search saw follows as what it is."""
    size = f"{len(result.features)} of {_features(len(result.all_features))}"
    print(f"{size} after {result.evaluations} measurements: {result.reason}.")
    print(lead(result))
    honest = result.honest
    if honest is not None:
        print(" ".join(filter(None, (honest.basis_words(), result.seen_before))))
    print(seen_by_the_search(result))
    if not result.spec.measuring.deals_anew:
        print("The folds of this validation are fixed: there are no fresh ones to measure the answer on.")
    if result.steered:
        print(result.steered)
    print(f"Written to {out}: mask.csv, selected.txt, result.json, report.html")


@contextmanager
def stop_on_signal() -> Iterator[Flag]:
    """Ctrl-C and a polite kill stop between two batches; a second Ctrl-C interrupts at once."""
    flag = Flag()

    def stop(number: int, frame: FrameType | None) -> None:
        if flag.stop:
            raise KeyboardInterrupt
        flag.stop = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
