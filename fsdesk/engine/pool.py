"""A pool of warm worker processes that read tables and carry out runs for the window."""

import itertools
import multiprocessing
import os
import queue
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Literal, Protocol

from fsdesk.data import Dataset, Shared, share
from fsdesk.engine import worker
from fsdesk.engine.events import Steered
from fsdesk.engine.steering import Control
from fsdesk.engine.worker import Ask, Ended, Message, Start, Steer, TaskFunction
from fsdesk.errors import UserError
from fsdesk.messages import message
from fsdesk.paths import scratch_folder

GRACE_SECONDS = 10.0
_NAME = "fsdesk worker"
_UNGUARDED = 78  # exit code of a worker whose script starts its work again
_LOOK_SECONDS = 0.25
_WAIT_SECONDS = 0.1


class RunningTask(Protocol):
    """The operations available to the owner of a task submitted to a pool."""

    def pause(self) -> None:
        """Pause before the next step."""

    def resume(self) -> None:
        """Resume after a pause."""

    def stop(self) -> None:
        """Stop before the next step."""

    def steer(self, change: Steered, /) -> None:
        """Change something before the next step."""

    def kill(self) -> None:
        """End it immediately."""


class Pool(Protocol):
    """A set of workers, local or remote."""

    def has_room(self) -> bool:
        """Whether another of many tasks may be submitted now; if not, the caller should wait."""

    def submit(
        self,
        function: TaskFunction,
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> RunningTask:
        """Run a task in a worker; both callbacks are called on a thread of the pool."""


def messages_of(
    pool: Pool, function: TaskFunction, calls: Sequence[tuple[Any, ...]], control: Control
) -> Iterator[tuple[int, Any]]:
    """Run a task for each of the ``calls``, which are its arguments; yield each message with its call's index.

    A data set among the arguments is shared once. A task is submitted when the pool has room for it. If ``control``
    says stop, all are stopped.

    Raises
    ------
    UserError
        With the message of the first task that failed; the others are ended.
    """
    came: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
    tasks: dict[int, RunningTask] = {}
    with scratch_folder() as folder:
        try:
            waiting, is_asked = deque(enumerate(_shared(calls, folder))), False
            while tasks or waiting:
                if not is_asked and control.should_stop():
                    is_asked = True
                    waiting.clear()
                    for task in tasks.values():
                        task.stop()
                while waiting and pool.has_room():
                    place, arguments = waiting.popleft()
                    receive = partial(lambda place, content: came.put((place, content)), place)
                    tasks[place] = pool.submit(function, *arguments, on_message=receive, on_end=receive)
                with suppress(queue.Empty):
                    place, content = came.get(timeout=_WAIT_SECONDS)
                    if isinstance(content, Ended):
                        del tasks[place]
                        _complain(content)
                    else:
                        yield place, content
        finally:
            for task in tasks.values():
                task.kill()
            while tasks:  # these tasks have the shared data open
                place, content = came.get()
                if isinstance(content, Ended):
                    del tasks[place]


def _shared(calls: Sequence[tuple[Any, ...]], folder: Path) -> Iterator[list[Any]]:
    """The calls with handles instead of data sets."""
    handles: dict[int, Shared[Dataset]] = {}
    for arguments in calls:
        for each in arguments:
            if isinstance(each, Dataset) and id(each) not in handles:
                handles[id(each)] = share(each, folder)
        yield [handles[id(each)] if isinstance(each, Dataset) else each for each in arguments]


def _complain(ended: Ended) -> None:
    if ended.status == "failed":
        error = UserError(ended.message)
        if ended.details:
            error.add_note(ended.details)
        raise error


def _nothing(_: object) -> None:
    pass


class Task:
    """A task submitted to the pool. All methods may be called from any thread, at any time, and return immediately."""

    def __init__(
        self,
        number: int,
        function: TaskFunction,
        arguments: tuple[object, ...],
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> None:
        self.number = number
        self.function = function
        self.arguments = arguments
        self.on_message = on_message
        self.on_end = on_end
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._wanted: Literal["pause", "resume", "stop"] = "resume"
        self._stop_asked = 0.0
        self._kill = False
        self._changes: list[Steered] = []

    def pause(self) -> None:
        """Pause before the next step."""
        self._ask("pause")

    def resume(self) -> None:
        """Resume after a pause."""
        self._ask("resume")

    def stop(self) -> None:
        """Stop before the next step; a worker that does not stop within the grace period is terminated."""
        self._ask("stop")

    def steer(self, change: Steered) -> None:
        """Change something before the next step."""
        with self._lock:
            self._changes.append(change)
            if self._connection is not None:
                self._send_changes()

    def kill(self) -> None:
        """Terminate the worker immediately."""
        self._kill = True
        self._ask("stop")

    def _ask(self, kind: Literal["pause", "resume", "stop"]) -> None:
        with self._lock:
            if self._wanted == "stop":
                return
            self._wanted = kind
            if kind == "stop":
                self._stop_asked = time.monotonic()
            self._send()

    def _send(self) -> None:
        if self._connection is not None:
            with suppress(OSError):  # if the worker is gone, its thread will report it
                self._connection.send(Ask(self.number, self._wanted))

    def _send_changes(self) -> None:
        changes, self._changes = self._changes, []
        if self._connection is not None:
            with suppress(OSError):
                for change in changes:
                    self._connection.send(Steer(self.number, change))

    def _begin(self, connection: Connection) -> bool:
        """Send the task to a worker unless it was already stopped."""
        with self._lock:
            if self._wanted == "stop":
                return False
            connection.send(Start(self.number, self.function, self.arguments))
            self._connection = connection
            self._send_changes()
            if self._wanted == "pause":
                self._send()
            return True

    def _end(self, ended: Ended) -> None:
        with self._lock:
            self._connection = None
        on_end = self.on_end  # the thread of an idle worker keeps its last task, but nothing large
        self.arguments, self.on_message, self.on_end = (), _nothing, _nothing
        on_end(ended)

    @property
    def _overdue(self) -> bool:
        return self._wanted == "stop" and (self._kill or time.monotonic() - self._stop_asked > GRACE_SECONDS)


def end_where_unguarded() -> None:
    """End this process if it is a worker that is still importing the script that started it.

    Such a script would start its work again in every worker, because it lacks ``if __name__ == "__main__":``. The owner
    of the worker reports this.
    """
    own = multiprocessing.current_process()
    if own.name == _NAME and getattr(own, "_inheriting", False):
        os._exit(_UNGUARDED)


class WorkerPool:
    """Spawned worker processes, with one thread here for each.

    ``on_message`` and ``on_end`` of a task are called on such a thread. A worker that dies fails its task and is
    replaced; other tasks continue. Among idle workers the last used one gets the next task: it has already loaded what
    tasks need, and the others stay small. If the owning process dies for any reason, its workers end.
    """

    def __init__(self, size: int) -> None:
        end_where_unguarded()
        self.size = size
        self._context = multiprocessing.get_context("spawn")
        self._waiting: deque[Task | None] = deque()
        self._idle: list[queue.SimpleQueue[Task | None]] = []  # of each idle worker, in order of arrival
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._threads: list[threading.Thread] = []
        self._running: set[Task] = set()
        self._closed = False

    @property
    def busy(self) -> int:
        """Number of workers with a task."""
        return len(self._running)

    def warm(self) -> None:
        """Start the processes in the background; returns immediately."""
        while len(self._threads) < self.size:
            thread = threading.Thread(target=self._serve, name=f"pool-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def has_room(self) -> bool:
        """Always true: tasks wait here for a worker."""
        return True

    def grow(self, size: int) -> None:
        """Use at least this many workers from the next task on."""
        self.size = max(self.size, size)

    def submit(
        self,
        function: TaskFunction,
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> Task:
        """Run ``function(control, *arguments)`` in a worker.

        Parameters
        ----------
        function
            A module-level generator function; everything it yields is passed to ``on_message``. Between steps it calls
            ``control.should_stop()``.
        on_message, on_end
            Called on a thread of the pool, messages in order, the end last and exactly once.
        """
        self.warm()
        task = Task(next(self._numbers), function, arguments, on_message, on_end)
        self._hand_on(task)
        return task

    def close(self) -> None:
        """Terminate all workers and wait until they have ended; stop tasks before this if they should end properly."""
        self._closed = True
        for task in list(self._running):
            task.kill()
        for _ in self._threads:
            self._hand_on(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _hand_on(self, task: Task | None) -> None:
        """Give a task, or None for its end, to a worker or to the next idle one."""
        with self._lock:
            if self._idle:
                self._idle.pop().put(task)
            else:
                self._waiting.append(task)

    def _next(self) -> Task | None:
        """Wait for the task of an idle worker."""
        mine: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._idle.append(mine)
        return mine.get()

    def _serve(self) -> None:
        process, connection = self._start()
        while (task := self._next()) is not None:
            if self._closed:
                task.on_end(Ended("stopped"))
                continue
            if not process.is_alive():  # killed while idle
                connection.close()
                process, connection = self._start()
            self._running.add(task)
            try:
                ended = self._drive(task, process, connection)
            except Exception as error:  # an error of the task's owner, or in sending the task: the others continue
                process.kill()
                process.join()
                sentence = message(
                    "A task failed ({name}: {error}); see the log.",
                    name=type(error).__name__,
                    error=error,
                )
                ended = Ended("failed", sentence, traceback.format_exc())
            self._running.discard(task)
            if not process.is_alive():
                connection.close()
                process, connection = self._start()
            task._end(ended)
        connection.close()
        process.terminate()
        process.join()

    def _start(self) -> tuple[SpawnProcess, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=worker.main, args=(theirs,), name=_NAME, daemon=True)
        process.start()
        if process.pid is not None:
            worker.give_way(process.pid)
        theirs.close()
        return process, ours

    def _drive(self, task: Task, process: SpawnProcess, connection: Connection) -> Ended:
        """Forward a task's messages until it ends or its worker does."""
        if not task._begin(connection):
            return Ended("stopped")
        while True:
            ready = wait([connection, process.sentinel], timeout=_LOOK_SECONDS)
            if connection in ready:
                try:
                    message: Message = connection.recv()
                except (EOFError, OSError):
                    break  # the pipe breaks when the worker dies
                if isinstance(message.content, Ended):
                    return message.content
                task.on_message(message.content)
            elif process.sentinel in ready:
                break
            if task._overdue:
                process.kill()
                process.join()
                return Ended("stopped")
        process.join()
        return Ended("failed", _obituary(process.exitcode), died=True)


def _obituary(exit_code: int | None) -> str:
    if exit_code == _UNGUARDED:
        return message(
            "Worker processes import the script that starts them, so this script would start its work again in each "
            "of them. Put the work under \"if __name__ == '__main__':\", or use a single process (workers=1)."
        )
    reason = (
        message("it was killed, perhaps because memory ran out")
        if exit_code == -9
        else message("it was terminated by the system or another program")
        if exit_code == -15
        else message("exit code {exit_code}", exit_code=exit_code)
    )
    return message(
        "A worker process ended unexpectedly ({reason}). Nothing logged is lost; resume to continue.", reason=reason
    )
