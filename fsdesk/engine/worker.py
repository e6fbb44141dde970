"""Main program of a worker process: takes tasks, runs them step by step, and sends their messages."""

import contextlib
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any, Literal, NoReturn, Protocol, TypeVar

from fsdesk.engine.events import Steered
from fsdesk.engine.memory import keep_one_heap, return_free_memory
from fsdesk.engine.steering import Control
from fsdesk.errors import UserError
from fsdesk.messages import message

_GIVEN_WAY = 15  # niceness, up to 19: beside three busy threads the window gets 90 % of a core, with 10 only 76 %
_OWNER_IS_GONE = 1  # exit code

TaskFunction = Callable[..., Iterator[Any]]
Arguments = tuple[Any, ...]
F = TypeVar("F", bound=TaskFunction)
Continuation = Callable[[Arguments, Sequence[Any]], Arguments]

_continuations: dict[TaskFunction, Continuation] = {}


def continued_by(continuation: Continuation) -> Callable[[F], F]:
    """Declare how a task continues in another worker: its new arguments, from the old ones and what it yielded."""

    def declare(function: F) -> F:
        _continuations[function] = continuation
        return function

    return declare


def continues(function: TaskFunction) -> Continuation | None:
    """The function that says how a task continues; None if it restarts and yields the same messages again."""
    return _continuations.get(function)


@dataclass(frozen=True)
class Ended:
    """How a task ended.

    Attributes
    ----------
    message
        One sentence if it failed.
    details
        The traceback for the log file, if the failure was not the user's.
    died
        Whether the worker's process was lost through no fault of the task, which can continue in another one.
    """

    status: Literal["done", "stopped", "failed"]
    message: str = ""
    details: str = ""
    died: bool = False


@dataclass(frozen=True)
class Start:
    """A message from the pool to a worker: run this task."""

    task: int
    function: TaskFunction
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Ask:
    """A message from the pool to a worker: a request to the task with this number, before its next step."""

    task: int
    action: Literal["pause", "resume", "stop"]


@dataclass(frozen=True)
class Steer:
    """A message from the pool to a worker: the user's change to the task with this number."""

    task: int
    change: Steered


@dataclass(frozen=True)
class Message:
    """A message from a worker to the pool: something that a task yielded, or its end."""

    task: int
    content: Any


class _PipeControl:
    """Reads pause, resume, stop and changes from the pipe between two steps."""

    def __init__(self, connection: Connection, task: int) -> None:
        self._connection = connection
        self._task = task
        self._paused = False
        self.stopped = False
        self._changes: list[Steered] = []

    def wants(self) -> bool:
        """Whether something has arrived through the pipe that the task has not processed yet."""
        return self.stopped or self._paused or bool(self._changes) or self._connection.poll()

    def halts(self) -> bool:
        """Whether it should stop."""
        while not self.stopped and self._connection.poll():
            self._receive()
        return self.stopped

    def should_stop(self) -> bool:
        """Wait while paused; then say whether to stop."""
        while not self.stopped and (self._paused or self._connection.poll()):
            self._receive()
        return self.stopped

    def _receive(self) -> None:
        """Take the next message out of the pipe, or wait for it."""
        try:
            ask: Ask | Steer = self._connection.recv()
        except (EOFError, OSError):
            _leave()
        if ask.task != self._task:
            return
        if isinstance(ask, Steer):
            self._changes.append(ask.change)
        else:
            self._paused = ask.action == "pause"
            self.stopped = ask.action == "stop"

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """Changes received through the pipe since the last call."""
        changes, self._changes = self._changes, []
        return changes


def main(connection: Connection) -> None:
    """Serve tasks from ``connection`` until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the owner, which will say stop
    keep_one_heap()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    modules = 0
    while True:
        try:
            order: Start | Ask | Steer = connection.recv()
        except (EOFError, OSError):
            return
        if isinstance(order, Start):  # an Ask in between was meant for a task that has already ended
            _send(connection, Message(order.task, _run(order, connection)))
            if not connection.poll():
                gc.collect()  # reference cycles keep the task's data open
                if len(sys.modules) > modules:  # searching libraries again takes a tenth of a second each time
                    modules = len(sys.modules)
                    gc.freeze()
                return_free_memory()


def _send(connection: Connection, message: Message) -> None:
    try:
        connection.send(message)
    except (BrokenPipeError, ConnectionResetError):
        _leave()


def _leave() -> NoReturn:
    """End without a message, because the owner is gone."""
    raise SystemExit(_OWNER_IS_GONE)


def give_way(process: int) -> None:
    """Give workers a lower priority than the window, which would respond late to clicks if all cores were busy.

    The owner requests this as soon as the worker has started, because its first imports take a second.
    """
    if sys.platform == "win32":
        import psutil  # imported here, because the window loads this module, too

        with contextlib.suppress(psutil.Error):
            psutil.Process(process).nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        with contextlib.suppress(ProcessLookupError):  # it may have already ended
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process, min(19, own + _GIVEN_WAY))


def _run(start: Start, connection: Connection) -> Ended:
    def send(content: object) -> None:
        _send(connection, Message(start.task, content))

    return carried_out(start.function, start.arguments, _PipeControl(connection, start.task), send)


class Stoppable(Control, Protocol):
    """A control that records whether its task was stopped."""

    stopped: bool


def carried_out(
    function: TaskFunction, arguments: Arguments, control: Stoppable, send: Callable[[object], None]
) -> Ended:
    """Run a task to its end, forward what it yields, and say how it ended; raises only what ``send`` raises."""
    try:
        for content in function(control, *arguments):
            send(content)
    except UserError as error:
        return Ended("failed", str(error))
    except MemoryError:
        return Ended("failed", message("Not enough memory. Close other programs or use a smaller table."))
    except Exception as error:  # a worker survives any failure of a task
        sentence = message(
            "A worker failed ({name}: {error}); see the log for details.",
            name=type(error).__name__,
            error=error,
        )
        return Ended("failed", sentence, traceback.format_exc())
    return Ended("stopped" if control.stopped else "done")


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(_OWNER_IS_GONE)
