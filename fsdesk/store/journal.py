"""The single writer for all runs: events and evidence are written to the project file before views see them."""

import queue
import threading
import time
from collections.abc import Callable, Sequence

from fsdesk.engine import Event
from fsdesk.errors import UserError
from fsdesk.store.project import Evidence, Project

_INTERVAL_SECONDS = 1 / 30
_RETRY_SECONDS = 2.0

Steps = Sequence[tuple[int, object]]
"""Steps of runs, each with the ID of its run: events, evidence, and other messages, which are not stored."""


class Journal:
    """Appends events and evidence from any thread to a project, at most 30 transactions a second.

    Parameters
    ----------
    project
        The project; may be exchanged by :meth:`Project.save_as` meanwhile.
    on_written
        Called on the writer's thread with (run ID, step) pairs in order, once those to be stored are on disk.
    on_error
        Called on the writer's thread with a sentence when writing fails, once until it works again. Unwritten steps are
        kept in order and retried every two seconds.
    """

    def __init__(
        self,
        project: Project,
        on_written: Callable[[Steps], None],
        on_error: Callable[[UserError], None],
    ) -> None:
        self._project = project
        self._on_written = on_written
        self._on_error = on_error
        self._queue: queue.SimpleQueue[tuple[int, object] | threading.Event | None] = queue.SimpleQueue()
        self._kept: list[tuple[int, object]] = []
        self._failed = False
        self._thread = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._thread.start()

    def append(self, run_id: int, step: object) -> None:
        """Submit a step of a run; returns immediately."""
        self._queue.put((run_id, step))

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until writing everything submitted so far has been attempted; return whether all of it is on disk."""
        done = threading.Event()
        self._queue.put(done)
        return done.wait(timeout) and not self._kept

    def close(self) -> None:
        """Write the rest, and end the thread."""
        self._queue.put(None)
        self._thread.join()

    def _write_all(self) -> None:
        open_ = True
        while open_:
            items = self._taken()
            self._kept += [item for item in items if isinstance(item, tuple)]
            open_ = None not in items
            self._write()
            for item in items:
                if isinstance(item, threading.Event):
                    item.set()

    def _taken(self) -> list[tuple[int, object] | threading.Event | None]:
        """Collect all steps submitted within an interval; after a failure, retry without waiting for more."""
        try:
            items = [self._queue.get(timeout=_RETRY_SECONDS if self._kept else None)]
        except queue.Empty:
            return []
        time.sleep(_INTERVAL_SECONDS if items[0] is not None else 0)
        while not self._queue.empty():
            items.append(self._queue.get())
        return items

    def _write(self) -> None:
        if not self._kept:
            return
        try:
            self._project.append([(run_id, each) for run_id, each in self._kept if isinstance(each, Event | Evidence)])
        except UserError as error:
            if not self._failed:
                self._failed = True
                self._on_error(error)
            return
        written, self._kept, self._failed = self._kept, [], False
        self._on_written(written)
