"""The open project and table of a window: runs are added, resumed and changed, and their measurements are stored."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.session.background import BackgroundTasks, Pool
from fsdesk.app.session.run import Run
from fsdesk.app.session.run_queue import RunQueue
from fsdesk.app.session.table_loader import Recent, TableLoader
from fsdesk.app.undo import History
from fsdesk.data import Dataset, Shared
from fsdesk.engine import Event, RunSpec, RunState, Steered, Wanted
from fsdesk.errors import ProjectError, UserError
from fsdesk.messages import tr, translated
from fsdesk.paths import Folders
from fsdesk.store import SUFFIX, Journal, Lock, LockOwner, Project
from fsdesk.store.journal import Steps

_LOOK_SECONDS = 0.02


def claim(path: Path) -> Lock | LockOwner | None:
    """Lock a project, or return who has locked it; None if it cannot be locked, so that it is read-only."""
    try:
        return Lock.take(path)
    except OSError:
        return None


class OpenProject(QObject):
    """The open project file, its runs, and the table beside it.

    Attributes
    ----------
    tasks
        Slow work, and messages about it.
    loader
        The open table and its data set.
    runs
        The runs of the project and their queue.
    project
        The open project file; None before the first run.
    scratch
        Whether the user has not saved it under a name.
    lock_owner
        The other window that writes to it, if any.
    leaves
        Whether it is being closed.

    Signals: ``project_changed``; ``started`` with the ID of a new run.
    """

    project_changed = Signal()
    started = Signal(int)
    _unwritten = Signal(object)
    _room = Signal()

    def __init__(self, pool: Pool, folders: Folders, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folders, self.store = folders, store
        self.recent, self.history = Recent(store), History(self)
        self.tasks = BackgroundTasks(pool, folders.log_file, self)
        self.loader = TableLoader(self.tasks, folders, self.recent, self.history)
        self.runs = RunQueue(pool, self)
        self.project: Project | None = None
        self.scratch = True
        self.lock_owner: LockOwner | None = None
        self.leaves = False
        self._project_lock: Lock | None = None
        self._journal: Journal | None = None
        self._full = False
        self._unwritten.connect(self._hold_up)
        self._room.connect(self._let_go)

    @property
    def read_only(self) -> bool:
        """Whether there is a read-only project."""
        return self.lock_owner is not None or (self.project is not None and self.project.read_only)

    def demand_writable(self) -> None:
        """Raise UserError if another window writes to the project."""
        if self.lock_owner is not None:
            raise UserError(
                "This project is open in another window, where it can be changed. Open a copy to work here."
            )

    async def add_runs(self, asked: Sequence[tuple[RunSpec, Wanted]]) -> list[Run]:
        """Store runs on data that are open or in the project, and queue them with the requested evidence."""
        self.demand_writable()
        dataset, origin = self.loader.dataset, self.loader.origin_now
        specs = [spec for spec, _ in asked]
        project = await self._writable_project(specs[0].data_name) if specs else None
        if project is None:
            return []

        def store() -> list[int]:
            if dataset is not None and any(spec.data_fingerprint == dataset.fingerprint for spec in specs):
                project.add_dataset(dataset, origin)
            return [project.add_run(spec) for spec in specs]

        created = datetime.now().astimezone().isoformat(timespec="seconds")
        ids = await self.tasks.in_thread(store)
        self.recent.add(project.path)
        runs = [
            Run(run_id, spec, created, RunState(history=None), measurements=spec.measurements, wanted=wanted)
            for run_id, (spec, wanted) in zip(ids, asked, strict=True)
        ]
        tables = {spec.data_name for spec in specs}
        for former in self.runs:
            if former.phase == "failed" and former.spec.data_name in tables:
                self.tasks.retried.emit(f"run {former.id}")
                self.tasks.retried.emit(f"ended {former.id}")
        for run in runs:
            self.runs.add(run)
            self._hand_in(run, await self.loader.shared_dataset(project, run.spec.data_fingerprint), ())
        return runs

    def steer(self, run: Run, steering: Steered) -> None:
        """Apply a change to an active run; for one that has stopped, when it continues."""
        self.demand_writable()
        assert self._journal is not None
        self.runs.steer(run, steering, self._journal.append)

    async def resume(self, run: Run) -> None:
        """Continue a run that was stopped, failed or was interrupted."""
        project = self.project
        if project is None or not run.resumable:
            return
        while run.task is not None:  # its measurements concern a result that will change
            self.runs.stop(run)
            await asyncio.sleep(_LOOK_SECONDS)
        try:
            events = await self.tasks.in_thread(lambda: list(project.events(run.id)))
            shared = await self.loader.shared_dataset(project, run.spec.data_fingerprint)
        except ProjectError:
            if project is not self.project:  # it was closed meanwhile
                return
            raise
        if run.resumable and project is self.project:  # it may have been requested twice, or the project closed
            self._hand_in(run, shared, events)
            self.recent.add(project.path)

    def _hand_in(self, run: Run, dataset: Shared[Dataset], events: Iterable[Event]) -> None:
        assert self._journal is not None
        self.runs.start(run, dataset, tuple(events), self._journal.append)

    def keep(self, project: Project, run: Run, step: object) -> None:
        """Store and show a step of a run; nothing if its project was closed meanwhile."""
        if self._journal is not None and project is self.project:
            self._journal.append(run.id, step)

    async def at_hand(self, run: Run) -> tuple[str, Shared[Dataset]]:
        """What a worker needs: the path of the project, with all measurements on disk, and the data of a run."""
        project = self.project
        if project is None:
            raise UserError("This project has been closed in the meantime. Open it again.")
        shared = await self.loader.shared_dataset(project, run.spec.data_fingerprint)
        await self.flush()
        return str(project.path), shared

    async def _writable_project(self, name: str) -> Project:
        if self.project is None:
            path = self._new_path(name)
            project = await self.tasks.in_thread(Project.create, path)
            self._adopt(project, await self.tasks.in_thread(claim, path), scratch=True)
        assert self.project is not None
        return self.project

    @property
    def proposed_name(self) -> str:
        """The proposed name for saving the project: its own, or that of its data; "" without data."""
        if self.project is not None and not self.scratch:
            return self.project.path.stem
        shown = self.loader.dataset or self.loader.table
        return _file_name(shown.name) if shown is not None else ""

    def _new_path(self, name: str) -> Path:
        stamp = datetime.now().strftime("%Y-%m-%d %H.%M.%S")
        return self.folders.projects / f"{_file_name(name)} {stamp}{SUFFIX}"

    def _adopt(self, project: Project, taken: Lock | LockOwner | None, *, scratch: bool) -> None:
        self.project, self.scratch = project, scratch
        self._own(taken)
        self._journal = Journal(project, self._wrote, self._unwritten.emit)
        self.recent.add(project.path)
        self.project_changed.emit()

    def _own(self, taken: Lock | LockOwner | None) -> None:
        self._project_lock = taken if isinstance(taken, Lock) else None
        self.lock_owner = taken if isinstance(taken, LockOwner) else None

    async def flush(self) -> None:
        """Wait until all measurements so far are on disk."""
        journal = self._journal
        if journal is not None:
            await self.tasks.in_thread(journal.flush, 10.0)

    def _wrote(self, steps: Steps) -> None:
        """Called by the journal, on its thread, once steps are written."""
        self.runs.written(steps)
        if self._full:
            self._room.emit()

    def _hold_up(self, error: UserError) -> None:
        """Pause and say why: measuring is pointless if nothing can be stored. Unwritten steps are kept."""
        self._full = True
        self.runs.hold_up()
        rest = tr("Runs are paused and will resume automatically once the project can be saved again.")
        self.tasks.say("error", f"{translated(str(error))} {rest}", "keeping")

    def _let_go(self) -> None:
        if self._full:
            self._full = False
            self.runs.let_go()
            self.tasks.say("success", tr("Saving works again; runs have resumed."), "keeping")


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else " " for letter in name).strip()[:60] or "project"
