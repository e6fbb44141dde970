"""The session of a window: the open project with its runs, the open table, the workers."""

import asyncio
import logging
import shutil
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.session.background import BackgroundTasks, Pool
from fsdesk.app.session.cluster import Cluster
from fsdesk.app.session.replay import ProjectWatcher, StepHistories, all_replayed, claim
from fsdesk.app.session.run import Run
from fsdesk.app.session.run_actions import RunActions
from fsdesk.app.session.run_queue import RunQueue
from fsdesk.app.session.studies import Studies
from fsdesk.app.session.table_loader import Recent, TableLoader
from fsdesk.app.session.validations import ShuffledRuns, Validations
from fsdesk.app.undo import History
from fsdesk.data import Dataset, ReadOptions, Shared
from fsdesk.engine import Ended, Event, RunRequest, RunSpec, RunState, Steered
from fsdesk.engine.memory import return_free_memory
from fsdesk.engine.tasks import run_task, warm_task
from fsdesk.errors import ProjectError, UserError
from fsdesk.messages import tr, translated
from fsdesk.paths import Folders, sweep_scratch
from fsdesk.store import SUFFIX, Journal, Lock, LockOwner, Project

_STALE_SECONDS = 2 * 24 * 3600.0


class Session(QObject):
    """What one window works on; views read its parts and listen to their signals.

    Attributes
    ----------
    tasks
        Slow work, and messages about it.
    loader
        The open table and its data set.
    runs
        The runs of the project and their queue.
    cluster
        Where runs are computed, if not here.
    project
        The open project file; None before the first run.

    Signals: ``project_changed``; ``started`` with the id of a new run; ``identical_found`` with a run that is the very
    one that was asked for.
    """

    project_changed = Signal()
    started = Signal(int)
    identical_found = Signal(object)
    _unwritten = Signal(object)
    _room = Signal()

    def __init__(self, pool: Pool, folders: Folders, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folders, self.store = folders, store
        self.recent, self.history = Recent(store), History(self)
        self.tasks = BackgroundTasks(pool, folders.log_file, self)
        self.loader = TableLoader(self.tasks, folders, self.recent, self.history)
        self.runs = RunQueue(pool, self)
        self.cluster = Cluster(self)
        self.project: Project | None = None
        self.scratch = True
        self.lock_owner: LockOwner | None = None
        self.watcher = ProjectWatcher(self)
        self._project_lock: Lock | None = None
        self._journal: Journal | None = None
        self._full = False
        self.studies = Studies(self)
        self.validations, self.shuffled_runs = Validations(self), ShuffledRuns(self)
        self.run_actions = RunActions(self)
        self.histories = StepHistories(self)
        self.runs.failed.connect(self._report_failure)
        self._unwritten.connect(self._hold_up)
        self._room.connect(self._let_go)

    @property
    def read_only(self) -> bool:
        """Whether there is a project that can only be looked at."""
        return self.lock_owner is not None or (self.project is not None and self.project.read_only)

    def demand_writable(self) -> None:
        """Raise UserError where another window writes the project."""
        if self.lock_owner is not None:
            raise UserError("This project is open in another window, which writes it: open a copy to go on here.")

    async def warm(self) -> None:
        """Start the workers and have one import what runs need."""
        self.tasks.pool.warm()
        await self.tasks.in_thread(_sweep, self.folders.shared)
        await self.tasks.in_worker(warm_task)
        await self.tasks.in_thread(return_free_memory)

    async def open_path(self, path: Path, options: ReadOptions | None = None) -> None:
        """Open a table or a project."""
        if path.suffix == SUFFIX:
            await self.open_project(path)
            return
        await self.loader.open_table(path, options or ReadOptions())

    async def run(self, request: RunRequest, *, honest: bool = False, again: bool = False) -> None:
        """Start a run of the data set as it is now; ``honest`` asks for its held-out error when it has finished.

        The same search is not run twice, unless ``again``: ``identical_found`` sends the run that there is.
        """
        dataset = self.loader.dataset
        if dataset is None:
            raise UserError("There is no data to search yet: open a table first.")
        self.demand_writable()
        spec = request.resolve(dataset)
        identical_run = None if again else self.run_actions.identical_run(spec)
        if identical_run is not None:
            self.identical_found.emit(identical_run)
            return
        (run,) = await self.add_runs([spec])
        run.wants_honest = honest
        self.started.emit(run.id)

    async def add_runs(self, specs: Sequence[RunSpec]) -> list[Run]:
        """Store runs of data that are open or in the project, and queue them."""
        self.demand_writable()
        dataset = self.loader.dataset
        project = await self._writable_project(specs[0].data_name) if specs else None
        if project is None:
            return []

        def store() -> list[int]:
            if dataset is not None and any(spec.data_fingerprint == dataset.fingerprint for spec in specs):
                project.add_dataset(dataset)
            return [project.add_run(spec) for spec in specs]

        created = datetime.now().astimezone().isoformat(timespec="seconds")
        ids = await self.tasks.in_thread(store)
        self.recent.add(project.path)
        runs = [
            Run(run_id, spec, created, RunState(history=None), measurements=spec.measurements)
            for run_id, spec in zip(ids, specs, strict=True)
        ]
        for run in runs:
            self.runs.add(run)
            self._hand_in(run, await self.loader.shared_dataset(project, run.spec.data_fingerprint), ())
        return runs

    def steer(self, run: Run, steering: Steered) -> None:
        """Change something in a run while it is under way; in one that is at rest, for when it goes on."""
        self.demand_writable()
        assert self._journal is not None
        self.runs.steer(run, steering, self._journal.append)

    async def resume(self, run: Run) -> None:
        """Let a run that was stopped, broke or was interrupted go on from where it was."""
        project = self.project
        if project is None or not run.resumable:
            return
        try:
            events = await self.tasks.in_thread(lambda: list(project.events(run.id)))
            shared = await self.loader.shared_dataset(project, run.spec.data_fingerprint)
        except ProjectError:
            if project is not self.project:  # it was left meanwhile
                return
            raise
        if run.resumable and project is self.project:  # it may have been asked for twice, or the project left
            self._hand_in(run, shared, events)
            self.recent.add(project.path)

    def _hand_in(self, run: Run, dataset: Shared[Dataset], events: Iterable[Event]) -> None:
        assert self._journal is not None
        self.runs.start(run, run_task, dataset, tuple(events), self._journal.append)

    async def at_hand(self, run: Run) -> tuple[str, Shared[Dataset]]:
        """For a worker: the path of the project, with all that was measured so far on disk, and the data of a run."""
        project = self.project
        if project is None:
            raise UserError("This project was closed meanwhile: open it again.")
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
        """What the project may be called where it is saved: as it is, or like its data; "" where there are none."""
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

    async def open_project(self, path: Path) -> None:
        """Show a project again, with its newest run's data set; only to look at where another window writes it."""
        if self._project_lock is not None and path.exists() and path.samefile(self._project_lock.path):
            await self.leave_project()
        taken = await self.tasks.in_thread(claim, path) if path.is_file() else None
        project: Project | None = None
        try:
            project = await self.tasks.in_thread(Project.open, path, read_only=isinstance(taken, LockOwner))
            await self._empty_bin(project)  # of a window that was killed
            runs = await self.tasks.in_thread(all_replayed, project)
            fingerprints = await self.tasks.in_thread(project.datasets)
        except UserError:
            if project is not None:
                await self.tasks.in_thread(project.close)
            if isinstance(taken, Lock):
                taken.release()
            raise
        await self.leave_project()
        self.runs.replace(runs)
        self._adopt(project, taken, scratch=path.parent == self.folders.projects)
        self.watcher.watch(self.lock_owner is not None)
        wanted = runs[-1].spec.data_fingerprint if runs else fingerprints[-1] if fingerprints else ""
        if wanted:
            await self.loader.show_dataset(project, wanted)
        if runs and self.project is project:
            self.started.emit(runs[-1].id)
        if project.read_only and self.lock_owner is None:
            sentence = tr('"{path}" can only be read: save the project elsewhere to go on with it.', path=path)
            self.tasks.say("info", sentence, "open")

    async def save_as(self, path: Path) -> None:
        """Keep the project under a name of the user's choice and go on with it."""
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        await self._move_to(path, scratch=False)
        self.tasks.say("success", tr('Saved as "{path}".', path=path), "save", path=str(path.parent))

    async def open_copy(self) -> None:
        """Go on in a copy of a project that another window writes."""
        assert self.project is not None
        path = self._new_path(tr("{name} copy", name=self.project.path.stem))
        await self._move_to(path, scratch=True)
        sentence = tr('This is a copy of your own now: "{path}". What was not finished can be resumed here.', path=path)
        self.tasks.say("success", sentence, "save", path=str(path.parent))

    async def _move_to(self, path: Path, *, scratch: bool) -> None:
        project = await self._writable_project("project")
        await self.flush()
        if path.absolute() != project.path.absolute():
            left = project.path if self.scratch and self.lock_owner is None else None
            taken = await self.tasks.in_thread(claim, path)
            if isinstance(taken, LockOwner):
                raise UserError('"{path}" is open in another window: choose another name.', path=path)
            try:
                await self.tasks.in_thread(project.save_as, path)
            except UserError:
                if taken is not None:
                    taken.release()
                raise
            if self._project_lock is not None:
                self._project_lock.release()
            self._own(taken)
            self.watcher.watch(False)
            if left is not None:
                self.recent.remove(left)  # the one that has a name now stands for it
        self.scratch = scratch
        self.recent.add(path)
        self.project_changed.emit()
        self.runs.changed.emit([run.id for run in self.runs])

    async def leave_project(self) -> None:
        """Stop all runs in order and close the project; everything is on disk then."""
        self.watcher.watch(False)
        self.runs.stop_all()
        subjects = (f"{what} {run.id}" for run in self.runs for what in ("honest", "shuffled"))
        await asyncio.gather(*self.tasks.cancel(*subjects), return_exceptions=True)
        while any(run.at_work for run in self.runs):
            await asyncio.sleep(0.02)
        journal, project = self._journal, self.project
        self._journal, self.project = None, None
        if journal is not None:
            await self.tasks.in_thread(journal.close)
        if project is not None:
            self.recent.add(project.path)  # first again: what is unfinished is looked for soon
            await self._empty_bin(project)
            await self.tasks.in_thread(project.close)
        if self._project_lock is not None:
            self._project_lock.release()
        self._own(None)
        self._full = False
        self.runs.let_go()
        self.runs.replace([])
        self.loader.forget_project()
        self.project_changed.emit()
        if project is not None:
            await self.tasks.in_thread(return_free_memory)

    async def _empty_bin(self, project: Project) -> None:
        if not project.read_only:
            await self.tasks.in_thread(project.empty_bin)

    async def close(self) -> None:
        """Leave the project and end the workers; closing twice does nothing more."""
        if self.tasks.closed:
            return
        self.tasks.closed = True
        await self.studies.leave()
        await self.leave_project()
        await self.loader.close()
        await self.cluster.close()
        await self.tasks.close()

    async def flush(self) -> None:
        """Wait until everything measured so far is on disk."""
        journal = self._journal
        if journal is not None:
            await self.tasks.in_thread(journal.flush, 10.0)

    def _wrote(self, events: Sequence[tuple[int, Event]]) -> None:
        """For the journal, on its thread."""
        self.runs.written(events)
        if self._full:
            self._room.emit()

    def _hold_up(self, error: UserError) -> None:
        """What cannot be kept is not worth measuring: pause, and say why; what is left waits to be written."""
        self._full = True
        self.runs.hold_up()
        rest = tr("The runs are paused and go on by themselves as soon as it can be written again.")
        self.tasks.say("error", f"{translated(str(error))} {rest}", "keeping")

    def _let_go(self) -> None:
        if self._full:
            self._full = False
            self.runs.let_go()
            self.tasks.say("success", tr("Saving works again; runs have resumed."), "keeping")

    def _report_failure(self, failure: tuple[Run, Ended]) -> None:
        run, ended = failure
        if ended.died:  # RunNotices offers to resume it
            return
        if ended.details:
            logging.getLogger("fsdesk.app").error("run %d: %s\n%s", run.id, ended.message, ended.details)
        log = str(self.folders.log_file) if ended.details else ""
        self.tasks.say("error", f"{run.titled}: {translated(ended.message)}", f"run {run.id}", path=log)


def _sweep(folder: Path) -> None:
    """Remove what windows that were killed left behind."""
    for left in folder.iterdir():
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    sweep_scratch()


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else " " for letter in name).strip()[:60] or "project"
