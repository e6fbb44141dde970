"""What the window works on: the project with its runs, beside the open table, and the workers that compute."""

import asyncio
import logging
import shutil
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.asking import Pool, ask, off_thread
from fsdesk.app.open_table import OpenTable, Plan
from fsdesk.app.places import Folders
from fsdesk.app.runs import Run, Runs
from fsdesk.data import Dataset, ReadOptions, Shared, share
from fsdesk.engine import Ended, Event, RunSpec
from fsdesk.engine.tasks import run_task, warm_task
from fsdesk.errors import UserError
from fsdesk.store import SUFFIX, Journal, Project
from fsdesk.store import StoredRun as Stored

__all__ = ["Plan", "Session"]

_STALE_SECONDS = 2 * 24 * 3600.0


class Session(OpenTable):
    """The one owner of project, journal and pool; views read its attributes and listen to its signals.

    Signals beside those of :class:`OpenTable`: ``project_changed``; ``started`` with the id of a new run.
    """

    project_changed = Signal()
    started = Signal(int)
    _unwritten = Signal(object)

    def __init__(self, pool: Pool, folders: Folders, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(pool, folders, store, parent)
        self.runs = Runs(pool, self)
        self.project: Project | None = None
        self.scratch = True
        self._journal: Journal | None = None
        self.runs.failed.connect(self._tell_failure)
        self._unwritten.connect(self._stop_unwritten)

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
        await self.open_table(path, options or ReadOptions())

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
