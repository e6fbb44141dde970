"""The permuted-label control in the window: the same run on shuffled targets, several at once, each kept as it ends."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fsdesk.app.session.run import Run, ShuffledProgress
from fsdesk.data import Dataset, Shared
from fsdesk.engine import usable_cores
from fsdesk.messages import tr
from fsdesk.results.honest import Permuted, packed_evidence
from fsdesk.results.permutations import ShuffledRun, permuted_task
from fsdesk.store import Project

if TYPE_CHECKING:
    from fsdesk.app.session.session import Session

__all__ = ["ShuffledRuns", "shuffled_seconds"]

_LOOK_SECONDS = 0.1


def shuffled_seconds(run: Run, count: int) -> float:
    """About how long so many shuffled runs take: each as long as the run with the outer folds that judge it."""
    honest = run.honest
    searches = honest.folds if honest is not None and honest.source == "outer folds" else 1
    return count * max(1, searches) * run.state.seconds


class ShuffledRuns(QObject):
    """Hands shuffled runs to the pool, as many at once as it has workers for, and sends ``RunQueue.changed``.

    What is done is kept at once: a control that was stopped goes on with the runs that are missing.
    """

    def __init__(self, session: "Session") -> None:
        super().__init__(session)
        self._session = session

    def begin(self, run: Run, count: int) -> None:
        """Repeat a run on shuffled targets until there are ``count`` of such runs."""
        if run.shuffling is not None or run.judged is None:
            return
        self._session.demand_writable()
        known = run.judged.known()
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
            known = judged.known()
            missing = iter([place for place in range(count) if place not in known])
            work = ShuffledRun.of(judged)
            lanes += [
                asyncio.ensure_future(self._lane(project, run, work, dataset, missing))
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
        self, project: Project, run: Run, work: ShuffledRun, dataset: Shared[Dataset], missing: Iterator[int]
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
                    permuted_task, work, dataset, place, threads, pool=session.cluster.pool
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
        self._session.tasks.message.emit(kind, f"{run.title}: {sentence}", "", f"shuffled {run.id}")
