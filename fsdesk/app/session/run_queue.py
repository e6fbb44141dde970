"""All runs of the open project: their states, updated from the journal, the queue and the active tasks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from fsdesk.app.session.background import Pool
from fsdesk.app.session.run import Run
from fsdesk.data import Dataset, Shared
from fsdesk.engine import (
    BatchMeasured,
    Ended,
    Event,
    RunFailed,
    RunFinished,
    RunningTask,
    RunStarted,
    Steered,
    usable_cores,
)
from fsdesk.engine.loop import STOPPED
from fsdesk.results.job import job_task
from fsdesk.store.journal import Steps

if TYPE_CHECKING:
    from fsdesk.engine.cluster import ClusterPool

_TURN_SECONDS, _PAUSE_MS = 0.008, 12


@dataclass
class _Waiting:
    """A run in the queue, how it starts, and the events to be replayed then."""

    run: Run
    begin: Callable[[], None]
    events: list[Event]


class RunQueue(QObject):
    """The runs by ID, and a pool of workers for evidence about them, which has room when no run is queued.

    Signals: ``listed`` when runs are added or removed, ``changed`` with the IDs whose state changed, at most 30 times a
    second, 50 while it is behind the log, ``queue_changed`` with the runs whose queue position changed, ``undelivered``
    with a run that ended before it received a change, ``searched`` with one whose search has finished, ``message`` with
    what a task yields besides events, in order, the :class:`fsdesk.engine.Ended` of a job last. Only the slots of this
    class modify the states, all of them on the thread of the window.
    """

    listed = Signal()
    changed = Signal(object)
    failed = Signal(object)
    queue_changed = Signal(object)
    undelivered = Signal(object)
    searched = Signal(object)
    message = Signal(object, object)
    _written = Signal(object)
    _ended = Signal(int, object, bool)
    _returned = Signal()

    def __init__(self, pool: Pool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self.cluster: ClusterPool | None = None
        self.by_id: dict[int, Run] = {}
        self._lent: set[object] = set()
        self.most_at_once = max(1, pool.size - 1)
        self._queue: list[_Waiting] = []
        self._held: list[Run] = []
        self._holding = self._leaving = False
        self._unread: deque[tuple[int, object]] = deque()
        self._reading_on = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._reading_on.timeout.connect(self._read_on)
        self._written.connect(self._apply)
        self._ended.connect(self._settle)
        self._returned.connect(self.begin_waiting)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.by_id.values())

    @property
    def active(self) -> list[Run]:
        """Queued and active runs."""
        return [run for run in self if run.active]

    @property
    def busy(self) -> int:
        """Workers with a run, or measuring evidence about one."""
        return sum(run.at_work for run in list(self)) + len(self._lent)

    @property
    def threads(self) -> int:
        """Number of parallel measurements for a run that starts now: runs share the cores.

        It is one on a cluster, whose workers have one thread per run.
        """
        return 1 if self.cluster is not None else max(1, usable_cores() // (1 + self.busy))

    @property
    def at_once(self) -> int:
        """Number of parallel runs; an additional worker is reserved for tables and estimates."""
        return self.most_at_once if self.cluster is None else max(self.most_at_once, self.cluster.size)

    @at_once.setter
    def at_once(self, count: int) -> None:
        self.most_at_once = max(1, count)
        self._pool.grow(self.most_at_once + 1)
        self.begin_waiting()

    @property
    def waiting(self) -> list[Run]:
        """The queued runs, in the order in which they will start."""
        return [entry.run for entry in self._queue]

    @property
    def behind(self) -> bool:
        """Whether events on disk are not yet in the states of the runs."""
        return bool(self._unread)

    def replace(self, runs: Sequence[Run]) -> None:
        """Show the runs of another project."""
        self._unread.clear()
        self._reading_on.stop()
        self.by_id = {run.id: run for run in runs}
        self.listed.emit()

    def add(self, run: Run) -> None:
        """Add a run."""
        self.by_id[run.id] = run
        self.listed.emit()

    def remove(self, runs: Sequence[Run]) -> None:
        """Remove these runs from view."""
        for run in runs:
            self.by_id.pop(run.id, None)
        self.listed.emit()

    def take_back(self, runs: Sequence[Run]) -> None:
        """Restore removed runs to their positions."""
        self.by_id = dict(sorted({**self.by_id, **{run.id: run for run in runs}}.items()))
        self.listed.emit()

    def has_room(self) -> bool:
        """Whether a worker is free and no run is queued; called by tasks of :meth:`submit`, on any thread."""
        return not self._queue and not self._holding and self.busy < self.at_once

    def submit(
        self,
        function: Callable[..., Iterator[Any]],
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> RunningTask:
        """Submit a task that measures evidence to a worker immediately, from any thread, as a pool does."""
        lent = object()
        self._lent.add(lent)

        def end(ended: Ended) -> None:
            self._lent.discard(lent)
            on_end(ended)
            self._returned.emit()

        return (self.cluster or self._pool).submit(function, *arguments, on_message=on_message, on_end=end)

    def start(
        self,
        run: Run,
        dataset: Shared[Dataset],
        replayed: Sequence[Event],
        keep: Callable[[int, object], None],
    ) -> None:
        """Submit the job of a run to a worker, now or when one is free; ``keep`` stores its steps, on any thread.

        One worker is always reserved for tables and estimates.
        """
        run.waiting, run.asked, run.ended, run.is_read, run.broke = True, "", None, False, ""
        events = list(replayed)

        def begin() -> None:
            run.waiting, run.searching = False, True
            run.forget_pace()
            wanted, over = run.wanted, False
            if self.cluster is not None:  # whose workers then share the longer parts
                wanted = wanted._replace(outer=0, permutations=0)

            def on_message(step: object) -> None:
                nonlocal over
                over = over or isinstance(step, RunFinished)
                keep(run.id, step)

            def on_end(ended: Ended) -> None:
                if not over:
                    failed = RunFailed(ended.message, passing=ended.died or bool(ended.details))
                    keep(run.id, failed if ended.status == "failed" else RunFinished(STOPPED, True, None))
                keep(run.id, ended)
                self._ended.emit(run.id, ended, over)

            run.task = (self.cluster or self._pool).submit(
                job_task, run.spec, dataset, wanted, events, tuple(run.evidence), self.threads,
                on_message=on_message, on_end=on_end,
            )  # fmt: skip

        self._queue.append(_Waiting(run, begin, events))
        run.queued = 1 + max((each.queued for each in self if each.queued is not None), default=0.0)
        self.queue_changed.emit([run])
        self.begin_waiting()
        self.changed.emit([run.id])

    def move(self, run: Run, by: int) -> None:
        """Move a queued run forward, for ``by`` below 0, or back."""
        order = self.waiting
        if run not in order:
            return
        place = order.index(run)
        other = min(max(0, place + by), len(order) - 1)
        entry = self._queue.pop(place)
        self._queue.insert(other, entry)
        places = sorted(each.queued or 0.0 for each in order)
        for each, queued in zip(self.waiting, places, strict=True):
            each.queued = queued
        self.queue_changed.emit(self.waiting)
        self.changed.emit([each.id for each in order])

    def begin_now(self, run: Run) -> None:
        """Start a queued run immediately, whatever the number of active ones."""
        entry = next((each for each in self._queue if each.run is run), None)
        if entry is not None:
            self._queue.remove(entry)
            self._pool.grow(self.busy + 2)
            entry.begin()
            self.changed.emit([run.id])

    def steer(self, run: Run, steering: Steered, keep: Callable[[int, Event], None]) -> None:
        """Apply a change to a run: its worker receives it before the next measurements, else it waits in the log."""
        if run.searching and run.at_work and run.task is not None:
            run.undelivered += 1
            run.task.steer(steering)
            self.changed.emit([run.id])
            return
        event = replace(steering, number=run.state.evaluations + 1)
        for entry in self._queue:
            if entry.run is run:
                entry.events.append(event)
        keep(run.id, event)

    def pause(self, run: Run) -> None:
        """Pause before the next measurements."""
        if run.task is not None and not run.asked:
            run.asked = "pause"
            run.task.pause()
            self.changed.emit([run.id])

    def go_on(self, run: Run) -> None:
        """Resume after a pause."""
        if run.task is not None and run.asked == "pause":
            run.asked = ""
            run.forget_pace()
            run.task.resume()
            self.changed.emit([run.id])

    def stop(self, run: Run) -> None:
        """Stop its search properly, so that it can be resumed, or the evidence being measured after it."""
        if run.waiting:
            run.waiting = False
            self._queue = [entry for entry in self._queue if entry.run is not run]
            self._leave_queue(run)
            self.changed.emit([run.id])
        elif run.task is not None and run.asked != "stop":
            run.asked = "stop"
            run.task.stop()
            self._leave_queue(run)
            self.changed.emit([run.id])

    def stop_all(self) -> None:
        """Stop every run properly because the window needs to: they keep their positions in the queue."""
        self._leaving = True
        for run in self:
            self.stop(run)
        self._leaving = False

    def leave_queue(self, runs: Sequence[Run]) -> None:
        """Remove these runs from the queue."""
        for run in runs:
            run.queued, run.broke = None, ""
        self.queue_changed.emit(list(runs))
        self.changed.emit([run.id for run in runs])

    def _leave_queue(self, run: Run) -> None:
        if run.queued is not None and not self._leaving:
            run.queued = None
            self.queue_changed.emit([run])

    def hold_up(self) -> None:
        """Pause active runs and start nothing, until :meth:`let_go`."""
        self._held = [run for run in self if run.task is not None and not run.asked]
        self._holding = True
        for run in self._held:
            self.pause(run)

    def let_go(self) -> None:
        """Resume what was held."""
        held, self._held, self._holding = self._held, [], False
        for run in held:
            self.go_on(run)
        self.begin_waiting()

    def written(self, steps: Steps) -> None:
        """Called by the journal, on its thread: the storable content of these steps is on disk now."""
        self._written.emit(steps)

    def begin_waiting(self) -> None:
        """Start as many queued runs as there are workers for."""
        while self._queue and not self._holding and self.busy < self.at_once:
            self._queue.pop(0).begin()

    def _apply(self, steps: Steps) -> None:
        self._unread.extend(steps)
        if not self._reading_on.isActive():
            self._read_on()

    def _read_on(self) -> None:
        """Apply as many events as time allows; after a busy disk, several seconds of events arrive at once."""
        touched: dict[int, None] = {}
        end = time.perf_counter() + _TURN_SECONDS
        while self._unread:
            run_id, step = self._unread.popleft()
            run = self.by_id.get(run_id)
            if run is not None:
                touched[run_id] = None
                self._fold(run, step)
            if self._unread and time.perf_counter() > end:
                self._reading_on.start()
                break
        self.changed.emit(list(touched))

    def _fold(self, run: Run, event: object) -> None:
        if not isinstance(event, Event):
            if isinstance(event, Ended):
                run.is_read = True
                self._release(run)
            self.message.emit(run, event)
            return
        run.state.apply(event)
        run.logged += 1
        if isinstance(event, RunStarted):
            self._share_names(run)
        elif isinstance(event, BatchMeasured):
            run.mark()
        elif isinstance(event, Steered):
            run.undelivered = max(0, run.undelivered - 1)
        elif isinstance(event, RunFinished) and not event.stopped:
            run.searching = False
            self._leave_queue(run)
            self.searched.emit(run)

    def _share_names(self, run: Run) -> None:
        """Let all runs of a table share one copy of its feature names, which may be twenty thousand."""
        for other in self:
            if other is not run and other.state.features == run.state.features:
                run.state.features = other.state.features
                return

    def _release(self, run: Run) -> None:
        """Release a task once it has ended and everything that it sent is on disk, in either order."""
        if run.ended is not None and run.is_read and run.task is not None:
            run.task, run.asked, run.searching = None, "", False

    def _settle(self, run_id: int, ended: Ended, searched: bool) -> None:
        run = self.by_id.get(run_id)
        if run is not None:
            run.ended = ended
            self._release(run)
            if run.undelivered and ended.status == "done":
                run.undelivered = 0
                self.undelivered.emit(run)
            if ended.died and not searched:
                run.broke = ended.message  # it keeps its position in the queue: it can be resumed later
            elif ended.status == "failed" and not searched:
                self._leave_queue(run)
            if ended.status == "failed":
                self.failed.emit((run, ended))
            self.changed.emit([run_id])
        self.begin_waiting()
