"""All runs of the open project: their states, kept up to date from the journal, and the tasks that work on them."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from fsdesk.app.asking import Pool, RunningTask
from fsdesk.app.tokens import RUN_COLOURS
from fsdesk.data import Dataset, Shared
from fsdesk.engine import BatchMeasured, Ended, Event, RunFailed, RunFinished, RunSpec, RunState
from fsdesk.methods import METHODS
from fsdesk.results.honest import Evidence, Honesty, OuterProgress
from fsdesk.wrappers import WRAPPERS

__all__ = ["Phase", "Run", "Runs"]

Phase = Literal[
    "waiting", "starting", "running", "paused", "stopping", "finished", "stopped", "failed", "interrupted", "elsewhere"
]
_RATE_SECONDS = 10.0


@dataclass(eq=False)
class Run:
    """One run as the window knows it.

    Attributes
    ----------
    shown_in_curves
        Whether the user wants its curve among those laid over one another.
    colour_index
        Place in ``tokens.RUN_COLOURS[mode]``, the colour of its tag and its curve; by its id where none is given.
    evidence
        What was measured of its answer after the search, oldest first.
    validation
        How far the measuring of its honest error is; None while that is not at work.
    wants_honest
        Whether its honest error is to be measured as soon as it has finished.
    """

    id: int
    spec: RunSpec
    created: str
    state: RunState = field(default_factory=RunState)
    task: RunningTask | None = None
    asked: Literal["", "pause", "stop"] = ""
    waiting: bool = False
    measurements: int = 1
    shown_in_curves: bool = False
    colour_index: int = -1
    ended: bool = False
    at_rest: bool = False
    logged: int = 0
    elsewhere: bool = False
    evidence: list[Evidence] = field(default_factory=list)
    validation: OuterProgress | None = None
    wants_honest: bool = False
    _marks: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=64))

    def __post_init__(self) -> None:
        if self.colour_index < 0:
            self.colour_index = (self.id - 1) % len(RUN_COLOURS["light"])

    @property
    def title(self) -> str:
        """What the list calls it."""
        wrapper = WRAPPERS[self.spec.wrapper].title
        return f"{METHODS[self.spec.method].brief} with {wrapper[:1].lower()}{wrapper[1:]}"

    @property
    def honesty(self) -> Honesty:
        """What is known of its answer beside what the search saw."""
        return Honesty.of(self.evidence, None if self.state.best is None else self.state.best.mask)

    @property
    def phase(self) -> Phase:
        """Where it stands, from its log and its task."""
        if self.waiting:
            return "waiting"
        if self.task is not None:
            if self.asked == "stop":
                return "stopping"
            if self.asked == "pause":
                return "paused"
            return "running" if self.state.evaluations else "starting"
        if self.state.status in ("finished", "stopped", "failed"):
            return self.state.status
        return "elsewhere" if self.elsewhere else "interrupted"

    @property
    def active(self) -> bool:
        """Whether it waits for a worker or has one."""
        return self.task is not None or self.waiting

    @property
    def at_work(self) -> bool:
        """Whether a worker is busy with it."""
        return self.task is not None and not self.ended

    @property
    def resumable(self) -> bool:
        """Whether it can go on from where it was."""
        return not self.active and not self.elsewhere and self.state.status != "finished"

    @property
    def progress(self) -> float:
        """Share of the most measurements that it can take, 0 to 1; 1 once it has finished."""
        return 1.0 if self.state.status == "finished" else min(1.0, self.state.evaluations / self.measurements)

    def mark(self) -> None:
        """Note how far it is now, for the time left."""
        now = time.monotonic()
        if not self._marks or now - self._marks[-1][0] > 0.25:
            self._marks.append((now, self.state.evaluations))
        while now - self._marks[0][0] > _RATE_SECONDS and len(self._marks) > 2:
            self._marks.popleft()

    def forget_pace(self) -> None:
        """After a pause the old pace says nothing."""
        self._marks.clear()

    @property
    def seconds_left(self) -> float | None:
        """At the pace of the last seconds, if it takes all its measurements; None while that is not known."""
        if self.task is None or len(self._marks) < 2:
            return None
        (start, first), (end, last) = self._marks[0], self._marks[-1]
        return (self.measurements - self.state.evaluations) * (end - start) / (last - first) if last > first else None


class Runs(QObject):
    """The runs by id.

    Signals: ``listed`` when runs come or go, ``changed`` with the ids whose state moved, at most 30 times a second.
    Only the slots of this class touch the states, all of them on the thread of the window.
    """

    listed = Signal()
    changed = Signal(object)
    failed = Signal(object)
    _written = Signal(object)
    _ended = Signal(int, object)

    def __init__(self, pool: Pool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self.by_id: dict[int, Run] = {}
        self.lent = 0
        self._queue: deque[tuple[Run, Callable[[], None]]] = deque()
        self._held: list[Run] = []
        self._holding = False
        self._written.connect(self._apply)
        self._ended.connect(self._settle)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.by_id.values())

    @property
    def active(self) -> list[Run]:
        """Runs that wait for a worker or have one."""
        return [run for run in self if run.active]

    @property
    def busy(self) -> int:
        """Workers that have a run; ``lent`` of them repeat one for its honest error."""
        return sum(run.at_work for run in self) + self.lent

    @property
    def threads(self) -> int:
        """How many measurements at once a run may make that begins now: runs share the cores."""
        return max(1, (os.cpu_count() or 1) // (1 + self.busy))

    def replace(self, runs: Sequence[Run]) -> None:
        """Show the runs of another project."""
        self.by_id = {run.id: run for run in runs}
        self.listed.emit()

    def add(self, run: Run) -> None:
        """Show one more run."""
        self.by_id[run.id] = run
        self.listed.emit()

    def start(
        self,
        run: Run,
        function: Callable[..., Iterator[Any]],
        dataset: Shared[Dataset],
        told: Sequence[Event],
        keep: Callable[[int, Event], None],
    ) -> None:
        """Hand a run to a worker, at once or when one is free; ``keep`` stores each event, on a thread of the pool.

        One worker is always left for tables and estimates.
        """
        run.waiting, run.asked, run.ended, run.at_rest = True, "", False, False

        def begin() -> None:
            run.waiting = False
            run.forget_pace()
            threads = self.threads
            last: list[Event] = []

            def on_message(event: Event) -> None:
                last[:] = [event]
                keep(run.id, event)

            def on_end(ended: Ended) -> None:
                if ended.status == "failed":
                    keep(run.id, RunFailed(ended.message))
                elif not (last and isinstance(last[0], RunFinished)):
                    keep(run.id, RunFinished("stopped by you; it can be resumed", True, None))
                self._ended.emit(run.id, ended)

            run.task = self._pool.submit(
                function, run.spec, dataset, list(told), threads, on_message=on_message, on_end=on_end
            )

        self._queue.append((run, begin))
        self.begin_waiting()
        self.changed.emit([run.id])

    def pause(self, run: Run) -> None:
        """Pause before the next measurements."""
        if run.task is not None and not run.asked:
            run.asked = "pause"
            run.task.pause()
            self.changed.emit([run.id])

    def go_on(self, run: Run) -> None:
        """Go on after a pause."""
        if run.task is not None and run.asked == "pause":
            run.asked = ""
            run.forget_pace()
            run.task.resume()
            self.changed.emit([run.id])

    def stop(self, run: Run) -> None:
        """Stop in order; it can be resumed."""
        if run.waiting:
            run.waiting = False
            self._queue = deque(entry for entry in self._queue if entry[0] is not run)
            self.changed.emit([run.id])
        elif run.task is not None and run.asked != "stop":
            run.asked = "stop"
            run.task.stop()
            self.changed.emit([run.id])

    def stop_all(self) -> None:
        """Stop every run in order."""
        for run in self.active:
            self.stop(run)

    def hold_up(self) -> None:
        """Pause what runs and begin nothing, until :meth:`let_go`."""
        self._held = [run for run in self if run.task is not None and not run.asked]
        self._holding = True
        for run in self._held:
            self.pause(run)

    def let_go(self) -> None:
        """Go on with what was held up."""
        held, self._held, self._holding = self._held, [], False
        for run in held:
            self.go_on(run)
        self.begin_waiting()

    def written(self, events: Sequence[tuple[int, Event]]) -> None:
        """For the journal, on its thread: these events are on disk now."""
        self._written.emit(events)

    def begin_waiting(self) -> None:
        """Begin as many of the waiting runs as there are workers for."""
        while self._queue and not self._holding and self.busy < max(1, self._pool.size - 1):
            self._queue.popleft()[1]()

    def _apply(self, events: Sequence[tuple[int, Event]]) -> None:
        touched: dict[int, None] = {}
        for run_id, event in events:
            run = self.by_id.get(run_id)
            if run is None:
                continue
            run.state.apply(event)
            run.logged += 1
            touched[run_id] = None
            if isinstance(event, BatchMeasured):
                run.mark()
            elif isinstance(event, RunFinished | RunFailed):
                run.at_rest = True
                self._release(run)
        self.changed.emit(list(touched))

    @staticmethod
    def _release(run: Run) -> None:
        """A run is over when its task has ended and its last event is on disk, whichever comes first."""
        if run.ended and run.at_rest:
            run.task, run.asked = None, ""

    def _settle(self, run_id: int, ended: Ended) -> None:
        run = self.by_id.get(run_id)
        if run is not None:
            run.ended = True
            self._release(run)
            if ended.status == "failed":
                self.failed.emit((run, ended))
            self.changed.emit([run_id])
        self.begin_waiting()
