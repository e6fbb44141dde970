"""What is measured of a run after its search: fresh folds by themselves; outer folds and shuffled labels on demand."""

import asyncio
from collections.abc import Iterator

from PySide6.QtCore import QObject

from fsdesk.app.session.open_project import OpenProject
from fsdesk.app.session.run import Run, ShuffledProgress
from fsdesk.data import Dataset, Shared
from fsdesk.engine import usable_cores
from fsdesk.errors import UserError
from fsdesk.messages import tr
from fsdesk.results.evidence import (
    Evidence,
    EvidenceProgress,
    ExternalValidation,
    Honesty,
    Permuted,
    keep_external,
    packed_evidence,
)
from fsdesk.results.job import Wanted, evidence_task
from fsdesk.results.permutations import Repetition, permuted_task
from fsdesk.store import Project

_LOOK_SECONDS = 0.1


class Validations(QObject):
    """Hands the work to the pool, keeps what comes in the project, and sends ``RunQueue.changed``.

    A fold that is done is kept at once: a validation that was stopped goes on with those that are missing.
    """

    def __init__(self, session: OpenProject) -> None:
        super().__init__(session)
        self._session = session
        self._freshened: set[tuple[int, bytes]] = set()
        self._brought: set[tuple[int, bytes]] = set()
        session.runs.changed.connect(self._look)
        session.project_changed.connect(self._freshened.clear)
        session.project_changed.connect(self._brought.clear)

    def _look(self, ids: list[int]) -> None:
        """Measure the answers of runs that have just come to rest again."""
        for run_id in ids:
            run = self._session.runs.by_id.get(run_id)
            # One that was only opened has not ended here.
            if run is None or not run.ended or run.task is not None or run.state.best is None:
                continue
            if run.state.status == "failed":
                continue
            key = run.id, run.state.best.mask.tobytes()
            if run.honesty.fresh is None and key not in self._freshened:
                self._freshened.add(key)
                if run.spec.measuring.reshuffles:
                    work = self._measure(run, Wanted(own=False))
                    self._session.tasks.begin(work, tr("re-estimating the result"), quietly=True)
            own = run.brings_its_own and key not in self._brought
            if (run.wants_honest or own) and run.measurable:
                run.wants_honest = False
                self._brought.add(key)
                self.begin(run)

    def begin(self, run: Run) -> None:
        """Measure the held-out error of a run: its whole search again inside each of the outer folds.

        A search that held rows out itself brings its own, which is worked out first.
        """
        if run.validation is not None:
            return
        own, folds = run.brings_its_own, run.spec.validation.outer_folds
        begun = (0, 1) if own else (len(run.honesty.outer) % folds, folds)
        run.validation = EvidenceProgress.of_outer_folds(*begun)
        self._session.tasks.begin(
            self._validate(run, folds), tr("measuring the held-out error"), subject=f"honest {run.id}"
        )
        self._session.runs.changed.emit([run.id])

    def stop(self, run: Run) -> None:
        """Stop; the folds that are done are kept."""
        self._session.tasks.cancel(f"honest {run.id}")

    async def _validate(self, run: Run, folds: int) -> None:
        runs, lent = self._session.runs, 0
        try:
            while runs.busy >= runs.at_once:
                await asyncio.sleep(_LOOK_SECONDS)
            threads, lent = runs.threads, 1
            runs.lent += lent
            wanted = Wanted(fresh=False) if run.brings_its_own else Wanted(fresh=False, own=False, outer=folds)
            await self._measure(run, wanted, threads)
        finally:
            runs.lent -= lent
            run.validation = None
            if not self._session.tasks.closed:
                runs.changed.emit([run.id])
                runs.begin_waiting()
        self._say(run)

    async def _measure(self, run: Run, wanted: Wanted, threads: int = 1) -> None:
        """Measure what is missing of the evidence, in a worker; outer folds by the cluster where there is one."""
        session, project = self._session, self._session.project
        if project is None:
            return
        path, dataset = await session.at_hand(run)
        kept: list[asyncio.Future[None]] = []

        def on_message(step: object) -> None:
            if isinstance(step, Evidence):
                kept.append(asyncio.get_running_loop().create_future())
                work = self._keep(project, run, step, kept[-1])
                session.tasks.begin(work, tr("saving the held-out error"), quietly=True)
            elif isinstance(step, EvidenceProgress) and run.validation is not None:
                run.validation = step
                session.runs.changed.emit([run.id])

        asked = path, run.id, run.spec, dataset, wanted, tuple(run.evidence), threads
        cluster = session.runs.cluster
        if cluster is None or not wanted.outer:
            await session.tasks.in_worker(evidence_task, *asked, on_message=on_message)
        else:
            await session.tasks.in_own_thread(lambda flag: evidence_task(flag, *asked, cluster), on_message)
        await asyncio.gather(*kept)

    async def _keep(self, project: Project, run: Run, evidence: Evidence, known: asyncio.Future[None]) -> None:
        """Show and store what was measured; ``known`` is done once the run has it."""
        try:
            await self._session.tasks.in_thread(_work_out, [*run.evidence, evidence], run)
        finally:
            run.evidence.append(evidence)
            if not known.done():
                known.set_result(None)
        self._session.runs.changed.emit([run.id])
        if project.read_only:
            raise UserError(
                "This project is read-only: the measurements of run {id} will be lost when it is closed.", id=run.id
            )
        await self._session.tasks.in_thread(project.add_evidence, run.id, *packed_evidence(evidence))

    async def keep_external(self, run: Run, made: ExternalValidation) -> None:
        """Keep a test of a run's answer on another table, and show it with the run."""
        if (project := self._session.project) is not None:
            run.external = await self._session.tasks.in_thread(keep_external, project, run.id, made)
            self._session.runs.changed.emit([run.id])

    def _say(self, run: Run) -> None:
        honest = run.honest
        if honest is None:
            return
        sentence = honest.sentence()
        kind = "success" if honest.verdict == "better" else "info"
        self._session.tasks.say(kind, f"{run.titled}: {sentence}", f"honest {run.id}")


def _work_out(evidence: list[Evidence], run: Run) -> None:
    """Work the held-out error out away from the window, which then has it at once: of many rows it takes a while."""
    best = run.state.best
    if best is not None:
        known = Honesty.of(evidence, best.mask, len(run.state.steering_events))
        known.error(run.state.criterion.name, int(best.mask.sum()), len(best.mask))


def shuffled_seconds(run: Run, count: int) -> float:
    """About how long so many shuffled runs take: each as long as the run with the outer folds that judge it."""
    honest = run.honest
    searches = honest.folds if honest is not None and honest.source == "outer folds" else 1
    return count * max(1, searches) * run.state.seconds


class ShuffledRuns(QObject):
    """Hands shuffled runs to the pool, as many at once as it has workers for, and sends ``RunQueue.changed``.

    What is done is kept at once: a control that was stopped goes on with the runs that are missing.
    """

    def __init__(self, session: OpenProject) -> None:
        super().__init__(session)
        self._session = session

    def begin(self, run: Run, count: int) -> None:
        """Repeat a run on shuffled targets until there are ``count`` of such runs."""
        if run.shuffling is not None or run.judged is None:
            return
        self._session.demand_writable()
        known = run.judged.shuffled
        run.shuffling = ShuffledProgress(sum(place < count for place in known), count)
        self._session.tasks.begin(
            self._repeat(run, count), tr("repeating the run on shuffled labels"), subject=f"shuffled {run.id}"
        )
        self._session.runs.changed.emit([run.id])

    def stop(self, run: Run) -> None:
        """Stop; the shuffled runs that are done are kept."""
        self._session.tasks.cancel(f"shuffled {run.id}")

    async def _repeat(self, run: Run, count: int) -> None:
        session, project, judged = self._session, self._session.project, run.judged
        lanes: list[asyncio.Task[None]] = []
        try:
            if project is None or judged is None:
                return
            dataset = await session.loader.shared_dataset(project, run.spec.data_fingerprint)
            known = judged.shuffled
            missing = iter([place for place in range(count) if place not in known])
            lanes += [
                asyncio.ensure_future(self._lane(project, run, judged.repetition, dataset, missing))
                for _ in range(session.runs.at_once)
            ]
            await asyncio.gather(*lanes)
        finally:
            for lane in lanes:
                lane.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)
            run.shuffling = None
            if not session.tasks.closed:
                session.runs.changed.emit([run.id])
        self._say(run)

    async def _lane(
        self, project: Project, run: Run, repetition: Repetition, dataset: Shared[Dataset], missing: Iterator[int]
    ) -> None:
        """One shuffled run after the other, between those that wait in the queue."""
        session, runs = self._session, self._session.runs
        for place in missing:
            while runs.busy >= runs.at_once:
                await asyncio.sleep(_LOOK_SECONDS)
            runs.lent += 1
            try:
                threads = max(1, usable_cores() // runs.at_once)
                done: Permuted = await session.tasks.in_worker(
                    permuted_task, repetition, dataset, place, threads, pool=session.runs.cluster
                )
            finally:
                runs.lent -= 1
                if not session.tasks.closed:
                    runs.begin_waiting()
            await session.tasks.in_thread(project.add_evidence, run.id, *packed_evidence(done))
            run.evidence.append(done)
            if run.shuffling is not None:
                run.shuffling.done += 1
                run.shuffling.done_here += 1
            runs.changed.emit([run.id])

    def _say(self, run: Run) -> None:
        test = run.permutations
        if test is None:
            return
        sentence = test.sentence()
        kind = "success" if test.p <= 0.05 else "info"
        self._session.tasks.say(kind, f"{run.titled}: {sentence}", f"shuffled {run.id}")
