"""Running and resuming without a screen."""

import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from fsdesk.data import Dataset, ReadOptions, read_table
from fsdesk.engine import Event, Flag, RunFinished, RunSpec, RunState, ThreadExecutor
from fsdesk.engine import run as run_loop
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import SettingsError, UserError
from fsdesk.results import Result, export
from fsdesk.settings import Value
from fsdesk.store import Project

__all__ = ["Job", "from_toml", "from_words", "resume", "start"]

_COMMIT_SECONDS = 1 / 30


@dataclass(frozen=True)
class Job:
    """What the user asked for on the command line."""

    table: Path
    target: str | None
    method: str
    wrapper: str
    seed: int
    out: Path
    workers: int
    preset: str | None
    settings: Mapping[str, Value]
    project: Path | None
    ignore: tuple[str, ...]
    missing: str
    nominal: str
    read: Mapping[str, Value]


def from_words(words: Sequence[str] | None) -> dict[str, Value]:
    """``["a=0.5"]`` to ``{"a": "0.5"}``; the declaration of the setting gives it its type."""
    values: dict[str, Value] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise SettingsError(f'"{word}" is not of the form NAME=VALUE, such as max_iterations=500.')
        values[name.strip()] = value.strip()
    return values


def from_toml(path: Path | None) -> dict[str, Value]:
    """Settings by name from a TOML file, its sections, if any, flattened."""
    if path is None:
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}): check its name.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML ({error}).") from error
    values: dict[str, Value] = {}
    for name, value in content.items():
        values.update(value if isinstance(value, dict) else {name: value})
    return values


def start(job: Job) -> int:
    """Read the table, make the project, run, and write the results; return the exit code."""
    unknown = [name for name in job.read if name not in ReadOptions.model_fields]
    if unknown:
        known = ", ".join(ReadOptions.model_fields)
        raise SettingsError(f'There is no way of reading "{unknown[0]}"; there are: {known}.')
    options: dict[str, Any] = {"ignore": job.ignore, "missing": job.missing, "nominal": job.nominal, **job.read}
    dataset = read_table(job.table, job.target, **options)
    for check in dataset.checks:
        print(f"note: {check.sentence}", file=sys.stderr)
    spec = RunSpec.make(
        dataset, method=job.method, wrapper=job.wrapper, seed=job.seed, preset=job.preset, settings=job.settings
    )
    evaluator_of(spec, dataset)  # complains about what cannot be measured, before a project is made
    with _project_at(job.project or job.out / "run.fsdesk") as project:
        project.add_dataset(dataset)
        run_id = project.add_run(spec)
        return _drive(project, run_id, spec, dataset, (), job.out, job.workers)


def resume(path: Path, run_id: int | None, out: Path, workers: int) -> int:
    """Go on with a run of a project; return the exit code."""
    project = Project.open(path)
    try:
        stored = project.run(run_id)
        dataset = project.dataset(stored.spec.data_fingerprint)
        told = tuple(project.events(stored.id))
        return _drive(project, stored.id, stored.spec, dataset, told, out, workers)
    finally:
        project.close()


@contextmanager
def _project_at(path: Path) -> Iterator[Project]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path.parent} cannot be made ({error.strerror}): choose another folder.") from error
    project = Project.open(path) if path.exists() else Project.create(path)
    try:
        yield project
    finally:
        project.close()


def _drive(
    project: Project, run_id: int, spec: RunSpec, dataset: Dataset, told: Sequence[Event], out: Path, workers: int
) -> int:
    from fsdesk.cli.commands import STOPPED

    going_on = f"go on with: fsdesk resume {project.path} --run {run_id}"
    state = RunState()
    for event in told:
        state.apply(event)
    if state.status != "finished":
        with ThreadExecutor(evaluator_of(spec, dataset), workers) as executor, _stop_on_signal() as flag:
            events = run_loop(spec, dataset, executor, told, flag)
            try:
                _log(project, run_id, events, state, spec.measurements)
            except KeyboardInterrupt:
                print(f"Interrupted; {going_on}", file=sys.stderr)
                raise
    stopped = state.status == "stopped"
    if state.best is None:
        print(f"Stopped before a subset was measured; {going_on}", file=sys.stderr)
        return STOPPED
    result = Result.of(state)
    export(result, dataset, out)
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
    return f"error {100 * state.best.mean:.2f} % with {int(state.best.mask.sum())} features"


def _say(result: Result, out: Path) -> None:
    print(
        f"{len(result.features)} of {len(result.all_features)} features: "
        f"search error {100 * result.search_error:.2f} % +- {100 * result.std_error:.2f} "
        f"(all features {100 * result.baseline_error:.2f} %), {result.evaluations} measurements; "
        f"{result.reason}. The search error is optimistic."
    )
    print(f"Written to {out}: mask.csv, selected.txt, result.json, report.html")


@contextmanager
def _stop_on_signal() -> Iterator[Flag]:
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
