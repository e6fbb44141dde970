"""Studies: a grid of tables, methods, wrappers, criteria and seeds, with all runs in one project file.

A cell of the grid is a run with its held-out error. Measurements are stored in the project immediately, so an
interrupted study continues where it left off, and an extended plan runs only its new cells.
"""

import queue
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, field_validator

from fsdesk.data import Dataset, Shared, read_table, share
from fsdesk.engine import (
    BatchMeasured,
    Control,
    Ended,
    Event,
    Flag,
    Pool,
    RunningTask,
    RunSpec,
    RunState,
    SubsetsJudged,
    Validation,
    Wanted,
    WorkerPool,
)
from fsdesk.engine.cluster import connected
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import ProjectError, SettingsError, UserError
from fsdesk.messages import counted, tr
from fsdesk.methods import DEFAULT_METHOD, METHODS
from fsdesk.paths import resource, scratch_folder
from fsdesk.results.comparison import Comparison, compared_project
from fsdesk.results.evidence import Evidence, EvidenceProgress, kept_evidence
from fsdesk.results.exports import EXPORTS, write_file
from fsdesk.results.job import Keeper, Step, job, job_task
from fsdesk.results.settings_file import toml_value
from fsdesk.results.significance import verdicts, written_table
from fsdesk.settings import Settings, validated
from fsdesk.store import Lock, LockOwner, Project
from fsdesk.wrappers import DEFAULT_WRAPPER

if TYPE_CHECKING:
    from distributed import Client

EXAMPLE = "sample:study"
"""Name of the built-in study."""

_KEPT = "study"
"""Key under which the project of a study stores its plan, and whether it is complete."""

_COMMIT_SECONDS = 0.1
_FORMATS = ("html", "csv", "tex", "xlsx")


class StudyPlan(Settings):
    """The plan of a study: each combination of its lists is a run.

    Attributes
    ----------
    tables
        Files (relative paths start from the study file) or ``sample:NAME``; or with reading options, as keyword
        arguments of :func:`fsdesk.read_table`: ``{ file = "x.csv", target = "class", group = "patient" }``.
    methods
        Names, with a preset after a colon if it is not the default for the table: "bga:recommended".
    wrappers, criteria, seeds
        Names and numbers as for a run.
    outer
        Outer folds of the held-out error, shared by all methods with the same seed; 0 for none.
    settings
        Settings of all runs by name, and under the name of a method those of its runs only.
    """

    tables: tuple[str | dict[str, Any], ...] = Field(min_length=1)
    methods: tuple[str, ...] = Field((DEFAULT_METHOD,), min_length=1)
    wrappers: tuple[str, ...] = Field((DEFAULT_WRAPPER,), min_length=1)
    criteria: tuple[str, ...] = Field(("auto",), min_length=1)
    seeds: tuple[int, ...] = Field((0,), min_length=1)
    outer: int = Field(Validation().outer_folds, ge=0)
    settings: dict[str, Any] = Field(default_factory=dict)

    @field_validator("outer")
    @classmethod
    def _none_or_two(cls, outer: int) -> int:
        if outer == 1:
            raise ValueError("give at least 2 outer folds, or 0 for none")
        return outer

    def values(self, method: str, criterion: str) -> dict[str, Any]:
        """The settings of the runs of a method."""
        common = {name: value for name, value in self.settings.items() if not isinstance(value, dict)}
        own = self.settings.get(method, self.settings.get(method.partition(":")[0], {}))
        asked = {} if criterion == "auto" else {"criterion": criterion}
        return {**common, **own, **asked}


def read_plan(path: str | Path) -> tuple[StudyPlan, Path]:
    """The plan in a TOML file, and the folder from which its relative paths start.

    Raises
    ------
    SettingsError
        If the file cannot be read, or contains invalid entries.
    """
    place = resource("studies/example.toml") if str(path) == EXAMPLE else Path(path)
    try:
        content = tomllib.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            'Cannot read "{path}" ({strerror}). Check its name.', path=path, strerror=error.strerror
        ) from error
    except (ValueError, RecursionError) as error:  # RecursionError from lists nested too deeply
        raise SettingsError(
            '"{path}" is not a study file ({error}); see fsdesk study --help.', path=path, error=error
        ) from error
    plan = validated(StudyPlan, content)
    for name, value in plan.settings.items():
        if isinstance(value, dict):
            METHODS[name.partition(":")[0]]  # reports unknown names
    return plan, place.parent


def plan_toml(plan: StudyPlan) -> str:
    """The study file of a plan, as TOML."""
    names = ("tables", "methods", "wrappers", "criteria", "seeds", "outer")
    lines = [f"{name} = {toml_value(getattr(plan, name))}" for name in names]
    common = {name: value for name, value in plan.settings.items() if not isinstance(value, Mapping)}
    own = {name: value for name, value in plan.settings.items() if isinstance(value, Mapping)}
    for title, values in (("settings", common), *((f"settings.{toml_value(name)}", own[name]) for name in own)):
        if values:
            lines += ["", f"[{title}]"]
            lines += [f"{toml_value(name)} = {toml_value(value)}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def placed(table: str | dict[str, Any], folder: Path) -> str | dict[str, Any]:
    """A table of a plan with relative paths made absolute."""
    if isinstance(table, str):
        return table if table.startswith("sample:") else str(folder / table)
    return {**table, "file": placed(str(table.get("file", "")), folder)}


def unfinished_plan(out: str | Path) -> StudyPlan | None:
    """The plan of an interrupted study in a folder, with absolute paths; None if there is none.

    Raises
    ------
    ProjectError
        If its project cannot be read.
    """
    path = Path(out) / "study.fsdesk"
    if not path.is_file():
        return None
    with closing(Project.open(path, read_only=True)) as project:
        kept = project.kept(_KEPT)
    try:
        return None if kept is None or kept["done"] else validated(StudyPlan, tomllib.loads(kept["plan"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProjectError('The study in "{path}" cannot be read; it is damaged or was altered.', path=path) from error


@dataclass(frozen=True, eq=False)
class Study:
    """A study so far.

    Attributes
    ----------
    comparison
        Comparison of its runs, in the order of the plan.
    files
        The tables and figures written.
    failed
        Reasons why cells could not be run, by cell, in words.
    stopped
        Whether it was stopped before its end.
    """

    comparison: Comparison
    files: tuple[Path, ...]
    failed: Mapping[str, str]
    stopped: bool

    def __repr__(self) -> str:
        runs = sum(entry.run > 0 for entry in self.comparison.entries())
        stopped, failed = ", stopped" * self.stopped, f", {len(self.failed)} failed" * bool(self.failed)
        return f"<Study of {counted(runs, 'run')}{failed}{stopped}: {', '.join(file.name for file in self.files)}>"


@dataclass(frozen=True)
class StudyProgress:
    """Progress of a study: cells done, total cells, share of the work done, and seconds left (None if unknown)."""

    done: int
    cells: int
    share: float
    seconds_left: float | None


@dataclass
class _Cell:
    """A run of the grid with its evidence and its share of work done."""

    spec: RunSpec
    dataset: Dataset
    run: int
    replayed: tuple[Event, ...]
    known: tuple[Evidence, ...]
    outer: int
    share: float = 0.0
    state: RunState = field(init=False)

    def __post_init__(self) -> None:
        self.state = RunState.of(self.replayed, history=False)
        self.share = self._searched()

    @property
    def title(self) -> str:
        spec = self.spec
        return f"{spec.data_name}, {spec.method}, {spec.wrapper}, {spec.measuring.criterion}, seed {spec.seed}"

    def apply(self, step: Step) -> None:
        if isinstance(step, EvidenceProgress):
            self.share = (1 + step.done) / (1 + step.total)
        elif isinstance(step, Event):
            self.state.apply(step)
            if isinstance(step, BatchMeasured | SubsetsJudged):
                self.share = self._searched()

    def _searched(self) -> float:
        share = 1.0 if self.state.status == "finished" else self.state.evaluations / self.spec.measurements
        return min(1.0, share) / (1 + self.outer)


def study(
    plan: StudyPlan | Mapping[str, Any] | str | Path,
    out: str | Path,
    *,
    workers: int = 1,
    callback: Callable[[StudyProgress], object] | None = None,
    control: Control | None = None,
    cluster: "str | Client | None" = None,
    overwrite: bool = False,
) -> Study:
    """Run a study, or what is missing of it, and write its tables.

    ``out`` receives ``study.fsdesk``, the project with all runs; ``tables.html``, ``.csv``, ``.tex`` and ``.xlsx``; and
    ``ranks.svg`` and ``ranks.pdf``, the critical difference diagram, if at least three methods are compared on at least
    two tables.

    Parameters
    ----------
    plan
        A study file, or its content; in the latter case, relative paths start from the working folder.
    out
        The output folder; an earlier, possibly interrupted study in it is continued.
    workers
        Number of parallel runs, each in its own process if there are several: a script that uses more than one needs
        ``if __name__ == "__main__":``. The tables do not depend on it, except for the times.
    callback
        Called with a :class:`StudyProgress` several times a second.
    control
        Called to ask whether to stop.
    cluster
        The address of a Dask scheduler or a ``dask.distributed.Client``: runs are tasks there, as many in parallel as
        the cluster allows, and ``workers`` is ignored.
    overwrite
        Whether the tables may be written without runs of an earlier plan, which stay in the project.

    Raises
    ------
    SettingsError, DataError
        If a run of the plan is not possible; raised before anything is run.
    WorkerError
        If the cluster cannot be reached, or has other versions of the libraries that affect the numbers.
    ProjectError
        If the folder cannot be written to, another process is writing to the project, or it has runs of another plan.

    Examples
    --------
    >>> import fsdesk
    >>> plan = {"tables": ["sample:wine"], "methods": ["sfs", "bspsa"], "wrappers": ["nn"], "seeds": [0, 1]}
    >>> fsdesk.study(plan, "results", workers=1)  # doctest: +SKIP
    """
    folder = Path.cwd()
    if isinstance(plan, str | Path):
        plan, folder = read_plan(plan)
    elif not isinstance(plan, StudyPlan):
        plan = validated(StudyPlan, plan)
    specs = [each for dataset in _tables(plan, folder) for each in _specs(plan, dataset)]
    with connected(cluster) as pool, _opened(Path(out)) as project:
        if not overwrite:
            _refuse_others(project, specs, out)
        whole = plan.model_copy(update={"tables": tuple(placed(each, folder) for each in plan.tables)})
        project.keep(_KEPT, {"plan": plan_toml(whole), "done": False})
        cells = _cells(project, specs, plan.outer)
        runner = _Runner(project, cells, workers, callback, control or Flag(), pool)
        runner.work()
        comparison = compared_project(project, [cell.run for cell in cells])
        made = Study(comparison, tuple(_written(comparison, Path(out))), runner.failed, runner.stopped)
        project.keep(_KEPT, {"plan": plan_toml(whole), "done": not made.stopped})
        return made


def _tables(plan: StudyPlan, folder: Path) -> list[Dataset]:
    found: dict[str, Dataset] = {}
    for table in plan.tables:
        options: dict[str, Any] = {"file": table} if isinstance(table, str) else dict(table)
        name = options.pop("file", None)
        if not isinstance(name, str):
            raise SettingsError('A table of the study has no "file" entry (got {table}).', table=repr(table))
        for listed in ("ignore", "keep"):
            if listed in options:
                options[listed] = tuple(options[listed])
        try:
            made = read_table(name if name.startswith("sample:") else folder / name, **options)
        except TypeError as error:
            raise SettingsError('Table "{name}" of the study: {error}.', name=name, error=error) from error
        if made.name in found:
            raise SettingsError('Two tables of the study are named "{name}". Rename one of the files.', name=made.name)
        found[made.name] = made
    return list(found.values())


def _specs(plan: StudyPlan, dataset: Dataset) -> Iterator[tuple[RunSpec, Dataset]]:
    for criterion in plan.criteria:
        for wrapper in plan.wrappers:
            for method in plan.methods:
                name, _, preset = method.partition(":")
                METHODS[name]  # reports unknown names
                for seed in plan.seeds:
                    spec = RunSpec.make(
                        dataset,
                        method=name,
                        preset=preset or None,
                        wrapper=wrapper,
                        seed=seed,
                        settings=plan.values(method, criterion),
                    )
                    evaluator_of(spec, dataset)  # reports what cannot be measured
                    yield spec, dataset


@contextmanager
def _opened(out: Path) -> Iterator[Project]:
    """The project of a study, created if necessary, for exclusive use by this process."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        path = out / "study.fsdesk"
        lock = Lock.take(path)
    except OSError as error:
        raise ProjectError(
            'Cannot write "{out}" ({strerror}). Choose another folder.', out=out, strerror=error.strerror
        ) from error
    if isinstance(lock, LockOwner):
        raise ProjectError(
            '"{path}" is open in another fsdesk (process {pid}). Wait until it has finished, or close it.',
            path=path,
            pid=lock.pid,
        )
    try:
        project = Project.open(path) if path.exists() else Project.create(path)
        with closing(project):
            yield project
    finally:
        lock.release()


def _same(spec: RunSpec) -> str:
    return spec.model_dump_json(exclude={"versions", "fits", "rows"})


def _refuse_others(project: Project, specs: Sequence[tuple[RunSpec, Dataset]], out: str | Path) -> None:
    """Raise ProjectError if the tables would be written without some runs of the project."""
    planned = {_same(spec) for spec, _ in specs}
    others = [stored for stored in project.runs() if _same(stored.spec) not in planned]
    if others:
        raise ProjectError(
            '"{out}" has runs of another study, such as {method} on {table}, which would no longer be in its tables. '
            "Choose another folder; on the command line, --overwrite writes the tables without them.",
            out=out,
            method=tr(METHODS[others[0].spec.method].brief),
            table=others[0].spec.data_name,
        )


def _cells(project: Project, specs: Sequence[tuple[RunSpec, Dataset]], outer: int) -> list[_Cell]:
    """The runs of the plan: existing ones with their evidence, new ones added to the project."""
    known = {_same(stored.spec): stored for stored in project.runs()}
    cells: dict[int, _Cell] = {}
    for spec, dataset in specs:
        stored = known.get(_same(spec))
        if stored is None:
            project.add_dataset(dataset)
            made = project.add_run(spec)
            known[_same(spec)] = project.run(made)
            cells[made] = _Cell(spec, dataset, made, (), (), outer)
        elif stored.id not in cells:
            replayed, kept = tuple(project.events(stored.id)), tuple(kept_evidence(project.evidence(stored.id)))
            cells[stored.id] = _Cell(stored.spec, dataset, stored.id, replayed, kept, outer)
    return list(cells.values())


class _Runner:
    """Runs the cells, several at once, and is the only writer of the project."""

    def __init__(
        self,
        project: Project,
        cells: Sequence[_Cell],
        workers: int,
        callback: Callable[[StudyProgress], object] | None,
        control: Control,
        pool: Pool | None = None,
    ) -> None:
        self._pool = pool
        self._keeper, self._cells, self._workers = Keeper(project, _COMMIT_SECONDS), cells, workers
        self._callback, self._control = callback, control
        self._came: queue.SimpleQueue[tuple[_Cell, Step | Ended]] = queue.SimpleQueue()
        self._began, self._share = time.monotonic(), self._done_share()
        self._ended: set[int] = set()
        self.failed: dict[str, str] = {}
        self.stopped = False

    def work(self) -> None:
        """Run all cells, to the end or until requested to stop."""
        if self._pool is None and (self._workers == 1 or len(self._cells) == 1):
            self._one_by_one()
        else:
            self._at_once()

    def _one_by_one(self) -> None:
        for cell in self._cells:
            if self._control.should_stop():
                break
            steps = job(
                cell.spec,
                cell.dataset,
                Wanted(outer=cell.outer),
                replayed=cell.replayed,
                known=cell.known,
                workers=self._workers,
                control=self._control,
            )
            ended = Ended("done")
            try:
                for step in steps:
                    self._take(cell, step)
            except UserError as error:
                ended = Ended("failed", str(error))
            self._keeper.write()
            self._end(cell, ended)
        self.stopped = self._control.should_stop()

    def _at_once(self) -> None:
        threads = 1 if self._pool is not None else max(1, self._workers // len(self._cells))
        own = (
            nullcontext(self._pool)
            if self._pool is not None
            else closing(WorkerPool(min(self._workers, len(self._cells))))
        )
        with scratch_folder("fsdesk-study-") as folder, own as pool:
            shared = {id(cell.dataset): cell.dataset for cell in self._cells}
            handles = {key: share(dataset, folder) for key, dataset in shared.items()}
            tasks = [self._submit(pool, cell, handles[id(cell.dataset)], threads) for cell in self._cells]
            while len(self._ended) < len(self._cells):
                self._wait()
                if self._control.should_stop() and not self.stopped:
                    self.stopped = True
                    for task in tasks:
                        task.stop()

    def _submit(self, pool: Pool, cell: _Cell, dataset: Shared[Dataset], threads: int) -> RunningTask:
        return pool.submit(
            job_task,
            cell.spec,
            dataset,
            Wanted(outer=cell.outer),
            cell.replayed,
            cell.known,
            threads,
            on_message=lambda step: self._came.put((cell, step)),
            on_end=lambda ended: self._came.put((cell, ended)),
        )

    def _wait(self) -> None:
        """Wait a moment for output from the workers."""
        until = time.monotonic() + _COMMIT_SECONDS
        with suppress(queue.Empty):
            while (left := until - time.monotonic()) > 0:
                cell, step = self._came.get(timeout=left)
                if isinstance(step, Ended):
                    self._keeper.write()
                    self._end(cell, step)
                else:
                    self._take(cell, step)
        self._keeper.write()
        self._say()

    def _take(self, cell: _Cell, step: Step) -> None:
        """Store a step and count it."""
        written = self._keeper.keep(cell.run, step)
        cell.apply(step)
        if written:
            self._say()

    def _end(self, cell: _Cell, ended: Ended) -> None:
        self._ended.add(cell.run)
        if ended.status == "failed":
            self.failed[cell.title] = ended.message
        if ended.status == "done" and not self._control.should_stop():
            cell.share = 1.0
        self._say()

    def _done_share(self) -> float:
        return sum(cell.share for cell in self._cells) / len(self._cells)

    def _say(self) -> None:
        if self._callback is None:
            return
        share, seconds = self._done_share(), time.monotonic() - self._began
        gained = share - self._share
        left = seconds * (1.0 - share) / gained if gained > 0 else None
        self._callback(StudyProgress(len(self._ended), len(self._cells), share, left))


def _written(comparison: Comparison, out: Path) -> Iterator[Path]:
    if not comparison.rows:
        return
    ranking = verdicts(comparison).ranking
    contents = {f"tables.{suffix}": written_table(comparison, suffix) for suffix in _FORMATS}
    if ranking is not None and not EXPORTS["curve.svg"].lacks:
        from fsdesk.results.figures import PRINT_DOTS, rank_figure, saved  # imports matplotlib

        draw = partial(rank_figure, ranking)
        contents |= {f"ranks.{suffix}": saved(draw, suffix, PRINT_DOTS) for suffix in ("svg", "pdf")}
    for name, content in contents.items():
        write_file(out / name, content)
        yield out / name
