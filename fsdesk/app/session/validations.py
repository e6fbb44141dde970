"""Evidence about finished searches: measured by their jobs, or on demand."""

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QObject

from fsdesk.app.session.open_project import OpenProject
from fsdesk.app.session.run import Run, ShuffledProgress
from fsdesk.data import Dataset, Shared
from fsdesk.engine import Ended, Event, Flag, Wanted, messages_of, usable_cores
from fsdesk.messages import tr
from fsdesk.results.evidence import (
    Evidence,
    EvidenceProgress,
    ExternalValidation,
    Permuted,
    keep_external,
)
from fsdesk.results.job import Step, evidence_steps, job_task

_NOTHING = Wanted(search=False, fresh=False, own=False)


class Validations(QObject):
    """Shows the evidence about runs as it arrives, and runs their jobs again for missing evidence.

    Evidence is stored immediately, so an interrupted measurement continues with the rest. Sends ``RunQueue.changed``.
    """

    def __init__(self, session: OpenProject) -> None:
        super().__init__(session)
        self._session = session
        self._messages: deque[tuple[Run, object]] = deque()
        self._taking = False
        session.runs.searched.connect(self._expect)
        session.runs.message.connect(self._receive)

    def begin(self, run: Run) -> None:
        """Estimate the held-out error of a run: the whole search is repeated within each of the outer folds.

        If the search held out rows itself, the resulting error is computed first.
        """
        if run.validation is not None:
            return
        self._session.demand_writable()
        folds = 0 if run.brings_its_own else run.spec.validation.outer_folds
        run.validation = EvidenceProgress.of_outer_folds(len(run.honesty.outer) % folds if folds else 0, folds or 1)
        self._begin(run, _NOTHING._replace(own=True, outer=folds), tr("measuring the held-out error"), "honest")

    def stop(self, run: Run) -> None:
        """Stop estimating the held-out error; completed folds are kept."""
        self._session.tasks.cancel(f"honest {run.id}")
        if not run.active:
            self._session.runs.stop(run)

    def shuffle(self, run: Run, count: int) -> None:
        """Repeat a run on shuffled targets until there are ``count`` such runs, as many in parallel as possible."""
        if run.shuffling is not None or run.judged is None:
            return
        self._session.demand_writable()
        run.shuffling = ShuffledProgress(sum(place < count for place in run.judged.shuffled), count)
        wanted = _NOTHING._replace(permutations=count)
        self._begin(run, wanted, tr("repeating the run on shuffled labels"), "shuffled")

    def stop_shuffling(self, run: Run) -> None:
        """Stop; completed shuffled runs are kept."""
        self._session.tasks.cancel(f"shuffled {run.id}")

    async def keep_external(self, run: Run, made: ExternalValidation) -> None:
        """Store a test of a run's result on another table, and show it with the run."""
        if (project := self._session.project) is not None:
            run.external = await self._session.tasks.in_thread(keep_external, project, run.id, made)
            self._session.runs.changed.emit([run.id])

    def _begin(self, run: Run, wanted: Wanted, doing: str, what: str) -> None:
        work = self._measure(run, wanted, what)
        self._session.tasks.begin(work, doing, quietly=what == "fresh", subject=f"{what} {run.id}")
        self._session.runs.changed.emit([run.id])

    async def _measure(self, run: Run, wanted: Wanted, what: str) -> None:
        """Run the job of a run for its missing evidence, and show it."""
        session, project, runs = self._session, self._session.project, self._session.runs
        try:
            if project is None:
                return
            dataset = await session.loader.shared_dataset(project, run.spec.data_fingerprint)
            events: tuple[Event, ...] = ()
            if not (spread := what == "shuffled" or (runs.cluster is not None and wanted.outer > 0)):
                await session.flush()
                events = await session.tasks.in_thread(lambda: tuple(project.events(run.id)))
            all_shown = asyncio.get_running_loop().create_future()
            await session.tasks.in_own_thread(
                lambda flag: self._steps(run, wanted, dataset, events, flag, spread=spread),
                lambda step: session.keep(project, run, step),
            )
            session.keep(project, run, all_shown)
            await all_shown
        finally:
            if what == "honest":
                run.validation = None
            elif what == "shuffled":
                run.shuffling = None
            if not session.tasks.closed:
                runs.changed.emit([run.id])
        self._say(run, what)

    def _steps(
        self,
        run: Run,
        wanted: Wanted,
        dataset: Shared[Dataset],
        events: tuple[Event, ...],
        flag: Flag,
        *,
        spread: bool,
    ) -> Iterator[Step]:
        """The steps of one task; with ``spread`` those of a task for each outer fold or shuffled run."""
        runs, known = self._session.runs, tuple(run.evidence)
        if spread:
            threads = 1 if runs.cluster is not None else max(1, usable_cores() // runs.at_once)
            yield from evidence_steps(run.spec, dataset.open(), run.state, wanted, known, threads, flag, runs)
        else:
            asked = run.spec, dataset, wanted, events, known, runs.threads
            for _, step in messages_of(runs, job_task, [asked], flag):
                yield step

    def _expect(self, run: Run) -> None:
        """Expect evidence from the task of a search that has finished."""
        folds = 0 if run.brings_its_own else run.wanted.outer
        if folds or (run.brings_its_own and run.wanted.own):
            run.validation = EvidenceProgress.of_outer_folds(0, folds or 1)

    def _receive(self, run: Run, message: object) -> None:
        self._messages.append((run, message))
        self._go_on()

    def _go_on(self) -> None:
        if self._messages and not self._taking and not self._session.tasks.closed:
            self._taking = True
            self._session.tasks.begin(self._take(), tr("saving the held-out error"), quietly=True)

    async def _take(self) -> None:
        """Show new evidence, one piece after another."""
        try:
            while self._messages:
                run, message = self._messages.popleft()
                if isinstance(message, Evidence):
                    try:
                        await self._session.tasks.in_thread(_work_out, [*run.evidence, message], run)
                    finally:
                        run.evidence.append(message)
                    if isinstance(message, Permuted) and run.shuffling is not None:
                        run.shuffling.done += 1
                        run.shuffling.done_here += 1
                elif isinstance(message, EvidenceProgress):
                    if run.validation is None or message.part != "outer folds":
                        continue
                    run.validation = message
                elif isinstance(message, Ended):
                    self._rest(run, message)
                elif isinstance(message, asyncio.Future) and not message.done():
                    message.set_result(None)
                self._session.runs.changed.emit([run.id])
        finally:
            self._taking = False
            self._go_on()

    def _rest(self, run: Run, ended: Ended) -> None:
        """Start what is still missing after the job of a run has ended."""
        measured, run.validation = run.validation is not None, None
        status, best, wanted = run.state.status, run.state.best, run.wanted
        if best is None or self._session.leaves:
            return
        if status == "stopped" and wanted.fresh and run.spec.measuring.reshuffles and run.honesty.fresh is None:
            self._begin(run, _NOTHING._replace(fresh=True), tr("re-estimating the result"), "fresh")
        if status != "finished" or ended.status != "done":
            return
        if wanted.outer and run.measurable:
            self.begin(run)  # by the cluster
        elif measured:
            self._say(run, "honest")

    def _say(self, run: Run, what: str) -> None:
        """Show the resulting message on the held-out error or the shuffled runs."""
        honest, test = run.honest, run.permutations
        if what == "honest" and honest is not None:
            sentence, good = honest.sentence(), honest.verdict == "better"
        elif what == "shuffled" and test is not None:
            sentence, good = test.sentence(), test.p <= 0.05
        else:
            return
        self._session.tasks.say("success" if good else "info", f"{run.titled}: {sentence}", f"{what} {run.id}")


def _work_out(evidence: list[Evidence], run: Run) -> None:
    """Compute the held-out error off the window's thread, where it is then cached: with many rows it takes a while."""
    record = run.record
    if record is not None:
        _ = replace(record, evidence=tuple(evidence)).honest


def shuffled_seconds(run: Run, count: int) -> float:
    """Approximate time of this many shuffled runs: each takes as long as the run with its outer folds."""
    honest = run.honest
    searches = honest.folds if honest is not None and honest.source == "outer folds" else 1
    return count * max(1, searches) * run.state.seconds
