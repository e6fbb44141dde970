"""What the window works on: the open table and data set, the project with its runs, and the workers that compute."""

import asyncio
import logging
import shutil
import time
import uuid
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.asking import Pool, ask, off_thread
from fsdesk.app.places import Folders
from fsdesk.app.recent import Recent
from fsdesk.app.runs import Run, Runs
from fsdesk.app.telling import Telling, downloads
from fsdesk.data import Choices, Dataset, ReadOptions, Shared, Table, share
from fsdesk.data.described import described_columns
from fsdesk.data.openml import Progress
from fsdesk.engine import Ended, Event, RunSpec
from fsdesk.engine.tasks import (
    estimate_task,
    openml_task,
    prepare_task,
    read_task,
    run_task,
    sample_task,
    warm_task,
)
from fsdesk.errors import UserError
from fsdesk.store import SUFFIX, Journal, Project
from fsdesk.store import StoredRun as Stored

__all__ = ["Plan", "Session"]

_STALE_SECONDS = 2 * 24 * 3600.0

Plan = dict[str, Any]
"""Keyword arguments of :meth:`RunSpec.make` as the settings panel gives them."""


class Session(QObject):
    """The one owner of project, journal and pool; views read its attributes and listen to its signals.

    Signals: ``said`` a role, a sentence, a path or "", and its subject; ``attempted`` what subject is tried again,
    whose old messages have had their time; ``table_changed``; ``dataset_changed`` (also to none);
    ``project_changed``; ``busy_changed`` with what is being done, "" at rest; ``started`` with the id of a new run.
    """

    said = Signal(str, str, str, str)
    attempted = Signal(str)
    table_changed = Signal()
    dataset_changed = Signal()
    project_changed = Signal()
    busy_changed = Signal(str)
    started = Signal(int)
    _unwritten = Signal(object)

    def __init__(self, pool: Pool, folders: Folders, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pool, self.folders, self.store = pool, folders, store
        self.recent = Recent(store)
        self.runs = Runs(pool, self)
        self.table: Table | None = None
        self.path: Path | None = None
        self.options = ReadOptions()
        self.choices = Choices()
        self.described: frozenset[str] = frozenset()
        self.dataset: Dataset | None = None
        self.refusal = ""
        self.preparing = False
        self.project: Project | None = None
        self._exchange = folders.shared / uuid.uuid4().hex
        self.scratch = True
        self.closed = False
        self._shared_table: Shared[Table] | None = None
        self._shared: dict[str, Shared[Dataset]] = {}
        self._journal: Journal | None = None
        self.disk = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._work: set[asyncio.Task[None]] = set()
        self._turn = 0
        self.runs.failed.connect(self._tell_failure)
        self._unwritten.connect(self._stop_unwritten)

    @property
    def working(self) -> bool:
        """Whether something that was begun has not ended yet."""
        return bool(self._work)

    def begin(self, work: Coroutine[Any, Any, None], doing: str, *, quietly: bool = False, subject: str = "") -> None:
        """Start a coroutine of this session; its errors become messages of that subject, and replace older ones.

        ``doing`` completes "went wrong while ...".
        """
        if self.closed:  # what was cancelled tells views, which would look at what is gone
            work.close()
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a last timer after the event loop has ended: nobody would serve it
            work.close()
            return
        task = loop.create_task(self._guarded(work, doing, quietly, subject))
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        task.add_done_callback(lambda _: work.close())  # one that was cancelled before its first step was never awaited

    async def _guarded(self, work: Coroutine[Any, Any, None], doing: str, quietly: bool, subject: str) -> None:
        if subject:
            self.attempted.emit(subject)
        if not quietly:
            self.busy_changed.emit(doing)
        try:
            await work
        except UserError as error:
            logging.getLogger("fsdesk.app").info("while %s: %s", doing, error, exc_info=True)
            self.said.emit("error", str(error), "", subject)
        except Exception as error:
            self.tell_unexpected(error, doing, subject)
        finally:
            if not quietly:
                self.busy_changed.emit("")

    def tell_unexpected(self, error: BaseException, doing: str, subject: str = "") -> None:
        """Log an error that nobody foresaw, and say so."""
        logging.getLogger("fsdesk.app").error("while %s", doing, exc_info=error)
        log = str(self.folders.log_file)
        sentence = f"Something went wrong while {doing}; details are in the log file {log}."
        self.said.emit("error", sentence, log, subject)

    async def warm(self) -> None:
        """Start the workers and have one import and compile what runs need."""
        self.pool.warm()
        await off_thread(self.disk, _sweep, self.folders.shared)
        await ask(self.pool, warm_task)
        for wrapper in ("cart", "svm", "c45", "nb"):  # one after another: another worker stays free for the user
            if self.closed:
                return
            await ask(self.pool, warm_task, wrapper)

    async def open_path(self, path: Path, options: ReadOptions | None = None) -> None:
        """Open a table or a project."""
        if path.suffix == SUFFIX:
            await self.open_project(path)
            return
        self.options = options or ReadOptions()
        shared = await ask(self.pool, read_task, str(path), self.options, str(self._exchange))
        self.recent.add(path)
        await self._show_table(shared, path)

    async def open_sample(self, name: str) -> None:
        """Open one of the samples that come with the program."""
        self.options = ReadOptions()
        await self._show_table(await ask(self.pool, sample_task, name, str(self._exchange)), None)

    async def open_openml(self, wanted: str, tell: Callable[[Progress], None]) -> None:
        """Open a data set of OpenML by name or number; ``tell`` hears of the download, in the window's thread."""
        pool = Telling(self.pool, tell, Progress)
        keep = str(downloads(self.folders))
        shared = await ask(pool, openml_task, wanted, keep, str(self._exchange))
        self.options = ReadOptions()
        await self._show_table(shared, None)

    async def _show_table(self, shared: Shared[Table], path: Path | None) -> None:
        self.table = await off_thread(self.disk, shared.open)
        self._shared_table, self.path = shared, path
        target = self.table.default_target
        self.described = frozenset(described_columns(self.table))
        self.choices = Choices(target=target, ignore=tuple(sorted(self.described - {target})))
        self.dataset, self.refusal = None, ""
        self.table_changed.emit()
        self.dataset_changed.emit()
        await self.prepare(self.choices)

    def with_target(self, target: str) -> Choices:
        """The choices with another target; the one before is left out again where it only describes the samples."""
        now = self.choices
        ignored = {*now.ignore, *({now.target or ""} & self.described)} - {target}
        group, folds, time = (None if held == target else held for held in (now.group, now.folds, now.time))
        return replace(now, target=target, ignore=tuple(sorted(ignored)), group=group, folds=folds, time=time)

    async def prepare(self, choices: Choices) -> None:
        """Make the data set that the choices describe; where several are asked for, the last one wins."""
        if self._shared_table is None:
            return
        self._turn += 1
        turn, self.choices, self.dataset = self._turn, choices, None
        self.refusal, self.preparing = "", True
        self.dataset_changed.emit()
        try:
            shared = await ask(self.pool, prepare_task, self._shared_table, choices, str(self._exchange))
        except UserError as error:
            if turn == self._turn:
                self.refusal = str(error)
                raise
        else:
            if turn == self._turn:
                await self._use(shared, turn)
        finally:
            if turn == self._turn and self.preparing:
                self.preparing = False
                self.dataset_changed.emit()

    async def _use(self, shared: Shared[Dataset], turn: int) -> None:
        dataset = await off_thread(self.disk, shared.open)
        fingerprint = await off_thread(self.disk, lambda: dataset.fingerprint)
        self._shared[fingerprint] = shared
        if turn != self._turn:
            return
        self.dataset, self.refusal, self.preparing = dataset, "", False
        self.dataset_changed.emit()

    async def estimate(self, plan: Plan) -> float | None:
        """Seconds that one measurement of a run takes if it begins now; None while there is no data set."""
        if self.dataset is None:
            return None
        spec = RunSpec.make(self.dataset, **plan)
        shared = self._shared[spec.data_fingerprint]
        return float(await ask(self.pool, estimate_task, spec, shared, self.runs.threads))

    async def run(self, plan: Plan) -> None:
        """Start a run of the data set as it is now."""
        dataset = self.dataset
        if dataset is None:
            raise UserError("There is no data to search yet: open a table first.")
        spec = RunSpec.make(dataset, **plan)
        project = await self._writable_project(dataset.name)

        def store() -> int:
            project.add_dataset(dataset)
            return project.add_run(spec)

        run_id = await off_thread(self.disk, store)
        self.recent.add(project.path)
        created = datetime.now().astimezone().isoformat(timespec="seconds")
        run = Run(run_id, spec, created, measurements=spec.measurements)
        self.runs.add(run)
        self._hand_in(run, self._shared[spec.data_fingerprint], ())
        self.started.emit(run_id)

    async def resume(self, run: Run) -> None:
        """Let a run that was stopped, broke or was interrupted go on from where it was."""
        project = self.project
        if project is None or not run.resumable:
            return
        told = await off_thread(self.disk, lambda: list(project.events(run.id)))
        self._hand_in(run, await self._shared_dataset(project, run.spec.data_fingerprint), told)
        self.recent.add(project.path)

    def _hand_in(self, run: Run, dataset: Shared[Dataset], told: Iterable[Event]) -> None:
        assert self._journal is not None
        self.runs.start(run, run_task, dataset, tuple(told), self._journal.append)

    async def _shared_dataset(self, project: Project, fingerprint: str) -> Shared[Dataset]:
        if fingerprint not in self._shared:
            folder = self._exchange
            self._shared[fingerprint] = await off_thread(self.disk, lambda: share(project.dataset(fingerprint), folder))
        return self._shared[fingerprint]

    async def _writable_project(self, name: str) -> Project:
        if self.project is None:
            stamp = datetime.now().strftime("%Y-%m-%d %H.%M.%S")
            path = self.folders.projects / f"{_file_name(name)} {stamp}{SUFFIX}"
            self._adopt(await off_thread(self.disk, Project.create, path), scratch=True)
        assert self.project is not None
        return self.project

    def _adopt(self, project: Project, *, scratch: bool) -> None:
        self.project, self.scratch = project, scratch
        self._journal = Journal(project, self.runs.written, self._unwritten.emit)
        self.recent.add(project.path)
        self.project_changed.emit()

    async def open_project(self, path: Path) -> None:
        """Show a project again, with its newest run's data set."""
        project = await off_thread(self.disk, Project.open, path)
        try:
            runs = await off_thread(self.disk, lambda: [_replayed(project, stored) for stored in project.runs()])
            fingerprints = await off_thread(self.disk, project.datasets)
        except UserError:
            await off_thread(self.disk, project.close)
            raise
        await self.leave_project()
        self._adopt(project, scratch=path.parent == self.folders.projects)
        self.runs.replace(runs)
        wanted = runs[-1].spec.data_fingerprint if runs else fingerprints[-1] if fingerprints else ""
        if wanted:
            shared = await self._shared_dataset(project, wanted)
            self.table, self._shared_table, self.path = None, None, None
            self.table_changed.emit()
            self._turn += 1
            await self._use(shared, self._turn)
        if runs:
            self.started.emit(runs[-1].id)
        if project.read_only:
            self.said.emit("info", f"{path} can only be read: save the project elsewhere to go on with it.", "", "open")

    async def save_as(self, path: Path) -> None:
        """Keep the project under a name of the user's choice and go on with it."""
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        project = await self._writable_project("project")
        await self._flush()
        await off_thread(self.disk, project.save_as, path)
        self.scratch = False
        self.recent.add(path)
        self.project_changed.emit()
        self.said.emit("success", f"Saved as {path}.", str(path.parent), "save")

    async def export(self, run: Run, folder: Path, names: tuple[str, ...]) -> None:
        """Write a run's results into a folder."""
        from fsdesk.results.tasks import export_task

        assert self.project is not None
        await self._flush()
        folder.mkdir(parents=True, exist_ok=True)
        written = await ask(self.pool, export_task, str(self.project.path), run.id, str(folder), names)
        files = ", ".join(Path(path).name for path in written)
        self.said.emit("success", f"Written to {folder}: {files}.", str(folder), "export")

    async def leave_project(self) -> None:
        """Stop all runs in order and close the project; everything is on disk then."""
        self.runs.stop_all()
        while any(run.at_work for run in self.runs):
            await asyncio.sleep(0.02)
        journal, project = self._journal, self.project
        self._journal, self.project = None, None
        if journal is not None:
            await off_thread(self.disk, journal.close)
        if project is not None:
            self.recent.add(project.path)  # first again: what is unfinished is looked for soon
            await off_thread(self.disk, project.close)
        self.runs.replace([])
        self.project_changed.emit()

    async def close(self) -> None:
        """Leave the project and end the workers; closing twice does nothing more."""
        if self.closed:
            return
        self.closed = True
        await self.leave_project()
        others = [work for work in self._work if work is not asyncio.current_task()]
        for work in others:
            work.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await off_thread(self.disk, self.pool.close)
        await off_thread(self.disk, shutil.rmtree, self._exchange, ignore_errors=True)
        self.disk.shutdown(wait=True)

    async def _flush(self) -> None:
        journal = self._journal
        if journal is not None:
            await off_thread(self.disk, journal.flush, 10.0)

    def _stop_unwritten(self, error: UserError) -> None:
        """What cannot be kept is not worth measuring: stop, and say why; what is left waits to be written."""
        self.said.emit("error", str(error), "", "keeping")
        self.runs.stop_all()

    def _tell_failure(self, failure: tuple[Run, Ended]) -> None:
        run, ended = failure
        if ended.details:
            logging.getLogger("fsdesk.app").error("run %d: %s\n%s", run.id, ended.message, ended.details)
        log = str(self.folders.log_file) if ended.details else ""
        self.said.emit("error", f"{run.title}: {ended.message}", log, f"run {run.id}")


def _replayed(project: Project, stored: Stored) -> Run:
    return Run(stored.id, stored.spec, stored.created, project.state(stored.id), measurements=stored.spec.measurements)


def _sweep(folder: Path) -> None:
    """Remove what windows that were killed left behind."""
    for left in folder.iterdir():
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else " " for letter in name).strip()[:60] or "project"
