"""Actions on runs other than starting and stopping: names, colors, deletion, repetition, changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from fsdesk.app.session.open_project import OpenProject
from fsdesk.app.session.run import Run
from fsdesk.app.session.validations import Validations
from fsdesk.engine import RunRequest, RunSpec, Wanted
from fsdesk.errors import UserError
from fsdesk.messages import tr, tr_many
from fsdesk.store import Project

_AT_ONCE = "runs/at_once"
_LOOK_SECONDS = 0.02


class RunActions(QObject):
    """Names, colors, the queue, deleting, repeating and changing.

    ``deleted`` sends the runs that are now in the bin; this can be undone.
    """

    deleted = Signal(object)

    def __init__(self, session: OpenProject, validations: Validations) -> None:
        super().__init__(session)
        self._session, self._validations = session, validations
        session.runs.queue_changed.connect(self.keep)
        session.runs.undelivered.connect(self._report_undelivered)
        kept = session.store.value(_AT_ONCE)
        if kept is not None and str(kept).isdigit():
            session.runs.at_once = int(str(kept))

    def set_at_once(self, count: int) -> None:
        """Set the number of parallel runs, for this and later windows."""
        self._session.store.setValue(_AT_ONCE, count)
        self._session.runs.at_once = count

    def keep(self, runs: Sequence[Run]) -> None:
        """Store how runs are listed now."""
        session, project = self._session, self._session.project
        if project is None or project.read_only or not runs:
            return
        listings = {run.id: run.listing for run in runs}
        work = session.tasks.in_thread(project.list_as, listings)
        session.tasks.begin(work, tr("saving the list of runs"), quietly=True)

    def changed(self, runs: Sequence[Run]) -> None:
        """Announce and store a changed listing of runs."""
        self._session.runs.changed.emit([run.id for run in runs])
        self.keep(runs)

    def rename(self, run: Run, name: str) -> None:
        """Rename a run; the default name if empty."""
        run.name = " ".join(name.split())[:200]
        self.changed([run])

    def paint(self, runs: Sequence[Run], colour: int) -> None:
        """Set the color of runs; -1 restores the default of each."""
        for run in runs:
            run.colour = colour
        self.changed(runs)

    def show_in_curves(self, runs: Sequence[Run], shown: bool) -> None:
        """Overlay the curves of runs, or not."""
        for run in runs:
            run.shown_in_curves = shown
        self.changed(runs)

    async def delete(self, runs: Sequence[Run]) -> None:
        """Delete inactive runs, which can be undone; other runs are untouched."""
        session, project = self._session, self._session.project
        if project is None:
            return
        await self._bin(project, runs)

        def show(gone: bool) -> None:
            work = self._bin(project, runs) if gone else self._take_back(project, runs)
            session.tasks.begin(work, tr("deleting runs"), subject="delete")

        words = tr_many(len(runs), "Delete {count} run", "Delete {count} runs")
        session.history.record(False, True, show, lambda *_: words)
        self.deleted.emit(list(runs))

    async def stop_and_delete(self, runs: Sequence[Run]) -> None:
        """Stop the active ones of these runs, then delete them."""
        session = self._session
        for run in runs:
            run.wanted = Wanted(fresh=False, own=False)
            session.runs.stop(run)
            self._validations.stop(run)
            self._validations.stop_shuffling(run)
        while any(run.busy for run in runs):
            await asyncio.sleep(_LOOK_SECONDS)
        await self.delete([run for run in runs if run in session.runs])

    async def _bin(self, project: Project, runs: Sequence[Run]) -> None:
        session = self._session
        session.demand_writable()
        busy = next((run for run in runs if run.busy), None)
        if busy is not None:
            raise UserError("{run} is running. Stop it before deleting it.", run=busy.label)
        if project is session.project:  # a step of the history may be older
            await session.tasks.in_thread(project.bin_runs, [run.id for run in runs])
            session.runs.remove(runs)

    async def _take_back(self, project: Project, runs: Sequence[Run]) -> None:
        if project is self._session.project:
            await self._session.tasks.in_thread(project.take_back, [run.id for run in runs])
            self._session.runs.take_back(runs)

    async def again(self, runs: Sequence[Run], seeds: Sequence[int]) -> None:
        """Queue the same searches with other seeds, except runs that already exist."""
        await self._queue([(run.spec.model_copy(update={"seed": seed}), Wanted()) for seed in seeds for run in runs])

    async def in_other_folds(self, run: Run) -> None:
        """Queue the same search once more, to be evaluated on new outer folds."""
        spec, folds = run.spec, run.spec.validation
        while self.identical_run(spec) is not None:
            folds = folds.updated({"outer_seed": (folds.outer_seed or spec.seed) + 1})
            spec = spec.model_copy(update={"validation": folds})
        (made,) = await self._session.add_runs([(spec, Wanted(outer=folds.outer_folds))])
        self.rename(made, tr("{run} · outer folds {number}", run=made.label, number=folds.outer_seed))
        self._session.started.emit(made.id)

    def go_on(self, runs: Sequence[Run]) -> None:
        """Continue paused runs, and resume those that can be."""
        for run in sorted(runs, key=lambda run: (run.queued is None, run.queued or 0.0, run.id)):
            if run.phase == "paused":
                self._session.runs.go_on(run)
            elif run.resumable:
                self._session.tasks.begin(self._session.resume(run), tr("resuming the run"), subject=f"run {run.id}")

    def next_seed(self, run: Run) -> int:
        """The smallest seed above the run's own not yet used by the same search."""
        seed = run.spec.seed + 1
        while self.identical_run(run.spec.model_copy(update={"seed": seed})) is not None:
            seed += 1
        return seed

    def identical_run(self, spec: RunSpec) -> Run | None:
        """An identical run that has finished or is active; runs changed by the user are different."""
        for run in self._session.runs:
            lives = run.active or run.state.status == "finished"
            if lives and not run.state.steering_events and same_search(run.spec, spec):
                return run
        return None

    async def launch_all(self, requests: Sequence[RunRequest]) -> None:
        """Queue many runs of the current data set, except those that exist; report how many."""
        dataset = self._session.loader.dataset
        if dataset is None:
            raise UserError("There are no data to search yet. Open a table first.")
        specs = await self._session.tasks.in_thread(lambda: [request.resolve(dataset) for request in requests])
        await self._queue([(spec, each.wanted(spec)) for spec, each in zip(specs, requests, strict=True)])

    async def _queue(self, asked: Sequence[tuple[RunSpec, Wanted]]) -> None:
        new = [each for each in asked if self.identical_run(each[0]) is None]
        runs = await self._session.add_runs(new)
        if runs:
            self._session.started.emit(runs[0].id)
            await asyncio.sleep(0)  # showing the run is enough work for one turn of the event loop
        said, known = tr("{count} runs were added to the queue.", count=len(new)), len(asked) - len(new)
        if len(new) == 1:
            said = tr("One run was added to the queue.")
        if known:
            said += " " + tr_many(
                known,
                "{count} skipped: already in the list.",
                "{count} skipped: already in the list.",
            )
        self._session.tasks.say("success" if new else "warning", said, "start")

    def _report_undelivered(self, run: Run) -> None:
        sentence = tr(
            "{run} ended before the last change reached it; that change is not part of the run.", run=run.called
        )
        self._session.tasks.say("warning", sentence, f"run {run.id}")


def same_search(one: RunSpec, other: RunSpec) -> bool:
    """Whether two specs are for the same search on the same data, whatever their versions."""
    left_out = {"versions", "fits", "rows", "data_name"}
    return one.model_dump(exclude=left_out) == other.model_dump(exclude=left_out)
