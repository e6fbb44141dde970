"""The session of a window: the open project with its runs, the open table, the workers."""

import asyncio
import logging
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.session.background import Pool
from fsdesk.app.session.cluster import Cluster
from fsdesk.app.session.open_project import OpenProject, claim
from fsdesk.app.session.replay import ProjectWatcher, StepHistories, all_replayed
from fsdesk.app.session.run import Run
from fsdesk.app.session.run_actions import RunActions
from fsdesk.app.session.studies import Studies
from fsdesk.app.session.table_loader import Answer
from fsdesk.app.session.validations import Validations
from fsdesk.data import ReadOptions
from fsdesk.engine import Ended, RunRequest
from fsdesk.engine.memory import return_free_memory
from fsdesk.errors import UserError
from fsdesk.messages import tr, translated
from fsdesk.paths import Folders, sweep_scratch
from fsdesk.results.job import warm_task
from fsdesk.store import SUFFIX, Lock, LockOwner, Project

_STALE_SECONDS = 2 * 24 * 3600.0
_HONEST = "setup/honest"


class Session(OpenProject):
    """State of one window and the components that change it; views read these and listen to their signals.

    Attributes
    ----------
    cluster
        Where runs are computed, if not locally.
    watcher, histories
        What other processes log, and the histories of the runs being viewed.
    validations, studies, run_actions
        Evaluations of runs after their search, grids of runs, and other actions on runs.

    Signals: ``identical_found`` with an existing run identical to the one requested.
    """

    identical_found = Signal(object)

    def __init__(self, pool: Pool, folders: Folders, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(pool, folders, store, parent)
        self.cluster = Cluster(self)
        self.watcher = ProjectWatcher(self)
        self.studies = Studies(self.tasks)
        self.validations = Validations(self)
        self.run_actions = RunActions(self, self.validations)
        self.histories = StepHistories(self)
        self.runs.failed.connect(self._report_failure)

    async def warm(self) -> None:
        """Start the workers and have one import what runs need."""
        self.tasks.pool.warm()
        await self.tasks.in_thread(_sweep, self.folders.shared)
        await self.tasks.in_worker(warm_task)
        await self.tasks.in_thread(return_free_memory)

    async def open_path(self, path: Path, options: ReadOptions | None = None) -> None:
        """Open a table or a project; a table without options is read as it was last time."""
        if path.suffix == SUFFIX:
            await self.open_project(path)
            return
        await self.loader.open_table(path, options)

    async def run(self, request: RunRequest, *, again: bool = False) -> None:
        """Start a run of the current data set, with the requested evidence.

        The same search is not run twice, unless ``again``: ``identical_found`` sends the existing run.
        """
        dataset = self.loader.dataset
        if dataset is None:
            raise UserError("There are no data to search yet. Open a table first.")
        self.demand_writable()
        spec = request.resolve(dataset)
        identical_run = None if again else self.run_actions.identical_run(spec)
        if identical_run is not None:
            self.identical_found.emit(identical_run)
            return
        (run,) = await self.add_runs([(spec, request.wanted(spec))])
        self.started.emit(run.id)

    @property
    def honest_wanted(self) -> bool:
        """Whether the held-out error is measured after a run, as last set by the user."""
        return str(self.store.value(_HONEST, "yes")) != "no"

    def want_honest(self, wanted: bool) -> None:
        """Measure the held-out error after the next runs, or not."""
        self.store.setValue(_HONEST, "yes" if wanted else "no")

    async def open_project(self, path: Path) -> None:
        """Open a project, with its newest run's data set; read-only if another window writes to it."""
        if self._project_lock is not None and path.exists() and path.samefile(self._project_lock.path):
            await self.leave_project()
        taken = await self.tasks.in_thread(claim, path) if path.is_file() else None
        project: Project | None = None
        try:
            project = await self.tasks.in_thread(Project.open, path, read_only=isinstance(taken, LockOwner))
            await self._empty_bin(project)  # of a window that was killed
            runs = await self.tasks.in_thread(all_replayed, project)
            fingerprints = await self.tasks.in_thread(project.datasets)
            if self.honest_wanted:
                unfinished = [run for run in runs if run.phase != "finished"]
                for run in unfinished:  # what it shall bring if it is resumed, which the project does not say
                    run.wanted = run.wanted._replace(outer=run.spec.usual_outer_folds)
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
            sentence = tr('"{path}" is read-only. Save the project elsewhere to continue.', path=path)
            self.tasks.say("info", sentence, "open")

    async def save_as(self, path: Path) -> None:
        """Save the project under a name chosen by the user and continue with it."""
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        await self._move_to(path, scratch=False)
        self.tasks.say("success", tr('Saved as "{path}".', path=path), "save", path=str(path.parent))

    async def open_copy(self) -> None:
        """Continue in a copy of a project that another window is writing."""
        assert self.project is not None
        path = self._new_path(tr("{name} copy", name=self.project.path.stem))
        await self._move_to(path, scratch=True)
        sentence = tr('This is now your own copy: "{path}". Unfinished runs can be resumed here.', path=path)
        self.tasks.say("success", sentence, "save", path=str(path.parent))

    async def _move_to(self, path: Path, *, scratch: bool) -> None:
        project = await self._writable_project("project")
        await self.flush()
        if path.absolute() != project.path.absolute():
            left = project.path if self.scratch and self.lock_owner is None else None
            taken = await self.tasks.in_thread(claim, path)
            if isinstance(taken, LockOwner):
                raise UserError('"{path}" is open in another window. Choose another name.', path=path)
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
                self.recent.remove(left)  # the named one now replaces it
        self.scratch = scratch
        self.recent.add(path)
        self.project_changed.emit()
        self.runs.changed.emit([run.id for run in self.runs])

    async def leave_project(self) -> None:
        """Stop all runs properly and close the project; everything is on disk then."""
        self.leaves = True
        try:
            await self._leave_project()
        finally:
            self.leaves = False

    async def _leave_project(self) -> None:
        self.watcher.watch(False)
        self.runs.stop_all()
        subjects = (f"{what} {run.id}" for run in self.runs for what in ("honest", "shuffled", "fresh"))
        await asyncio.gather(*self.tasks.cancel(*subjects), return_exceptions=True)
        while any(run.at_work for run in self.runs):
            await asyncio.sleep(0.02)
        journal, project = self._journal, self.project
        self._journal, self.project = None, None
        if journal is not None:
            await self.tasks.in_thread(journal.close)
        if project is not None:
            self.recent.add(project.path)  # first again, because unfinished runs are looked for soon
            self.recent.note_answer(project.path, _answer(list(self.runs)))
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
        """Close the project and end the workers; closing twice does nothing more."""
        if self.tasks.closed:
            return
        self.tasks.closed = True
        await self.studies.leave()
        await self.leave_project()
        await self.loader.close()
        await self.cluster.close()
        await self.tasks.close()

    def _report_failure(self, failure: tuple[Run, Ended]) -> None:
        run, ended = failure
        if run.broke:  # RunNotices offers to resume it
            return
        if ended.details:
            logging.getLogger("fsdesk.app").error("run %d: %s\n%s", run.id, ended.message, ended.details)
        log = str(self.folders.log_file) if ended.details else ""
        self.tasks.say("error", f"{run.titled}: {translated(ended.message)}", f"run {run.id}", path=log)


def _sweep(folder: Path) -> None:
    """Remove files left behind by killed windows."""
    for left in folder.iterdir():
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    sweep_scratch()


def _answer(runs: Sequence[Run]) -> Answer | None:
    """Result of the last run with a held-out error; None if there is none."""
    judged = [run for run in runs if run.phase == "finished" and run.honest is not None]
    if not judged:
        return None
    run = max(judged, key=lambda each: each.id)
    honest, criterion = run.honest, run.state.criterion
    assert honest is not None
    target = honest.target or run.spec.data_name
    return Answer(
        target, str(criterion.title), criterion.text(honest.value), honest.selected, honest.features, len(runs)
    )
