"""Work that the window begins and does not wait for; what goes wrong in it becomes a message and never vanishes."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from fsdesk.app.folders import Folders
from fsdesk.app.translation import retold, tr
from fsdesk.engine import Ended, Steered
from fsdesk.errors import UserError, WorkerError

__all__ = ["Errands", "Pool", "RunningTask", "Telling", "ask", "downloads", "off_thread", "surfaced"]


class Errands(QObject):
    """Coroutines in the window's event loop.

    Signals: ``said`` a role, a sentence, a path or "", and its subject; ``attempted`` what subject is tried again,
    whose old messages have had their time; ``busy_changed`` with what is being done, "" at rest.
    """

    said = Signal(str, str, str, str)
    attempted = Signal(str)
    busy_changed = Signal(str)

    def __init__(self, log_file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log_file = log_file
        self.closed = False
        self._work: set[asyncio.Task[None]] = set()

    @property
    def working(self) -> bool:
        """Whether something that was begun has not ended yet."""
        return bool(self._work)

    def begin(self, work: Coroutine[Any, Any, None], doing: str, *, quietly: bool = False, subject: str = "") -> None:
        """Start a coroutine of this session; its errors become messages of that subject, and replace older ones.

        ``doing`` completes "went wrong while ...".
        """
        if self.closed:  # what was cancelled tells views, which would look at what is gone
            work.close()
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a last timer after the event loop has ended: nobody would serve it
            work.close()
            return
        task = loop.create_task(self._guarded(work, doing, quietly, subject))
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        task.add_done_callback(lambda _: work.close())  # one that was cancelled before its first step was never awaited

    async def _guarded(self, work: Coroutine[Any, Any, None], doing: str, quietly: bool, subject: str) -> None:
        if subject:
            self.attempted.emit(subject)
        if not quietly:
            self.busy_changed.emit(doing)
        try:
            await work
        except UserError as error:
            logging.getLogger("fsdesk.app").info("while %s: %s", doing, error, exc_info=True)
            self.said.emit("error", retold(str(error)), "", subject)
        except Exception as error:
            self.tell_unexpected(error, doing, subject)
        finally:
            if not quietly:
                self.busy_changed.emit("")

    def tell_unexpected(self, error: BaseException, doing: str, subject: str = "") -> None:
        """Log an error that nobody foresaw, and say so."""
        logging.getLogger("fsdesk.app").error("while %s", doing, exc_info=error)
        log = str(self.log_file)
        sentence = tr("Something went wrong while {doing}; details are in the log file {log}.", doing=doing, log=log)
        self.said.emit("error", sentence, log, subject)


P = ParamSpec("P")
R = TypeVar("R")


class RunningTask(Protocol):
    """What the window may do with a task that it handed in."""

    def pause(self) -> None:
        """Pause before the next step."""

    def resume(self) -> None:
        """Go on after a pause."""

    def stop(self) -> None:
        """Stop before the next step."""

    def steer(self, wish: Steered) -> None:
        """Change something before the next step."""


class Pool(Protocol):
    """The part of :class:`fsdesk.engine.WorkerPool` that the window uses, so that tests can stand in for it."""

    size: int

    @property
    def busy(self) -> int:
        """How many workers have a task now."""

    def warm(self) -> None:
        """Start the workers in the background."""

    def grow(self, size: int) -> None:
        """Have at least so many workers."""

    def submit(
        self,
        function: Callable[..., Iterator[Any]],
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> RunningTask:
        """Run a task in a worker; both callbacks come on a thread of the pool."""

    def close(self) -> None:
        """End all workers."""


async def ask(pool: Pool, function: Callable[..., Iterator[Any]], *arguments: object) -> Any:
    """Have a worker run a task and return the last thing that it yielded.

    Raises
    ------
    WorkerError
        With the task's sentence where it failed; its details are a note of the exception, for the log.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Any] = loop.create_future()
    received: list[Any] = []

    def settle(ended: Ended) -> None:
        if answer.done():
            return
        if ended.status == "done" and received:
            answer.set_result(received[-1])
        else:
            error = WorkerError(ended.message or tr("The work was stopped before it was done; try again."))
            if ended.details:
                error.add_note(ended.details)
            answer.set_exception(error)

    def on_end(ended: Ended) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, ended)

    task = pool.submit(function, *arguments, on_message=received.append, on_end=on_end)
    try:
        return await answer
    except asyncio.CancelledError:
        task.stop()
        raise


async def off_thread(executor: Executor, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Await a call on another thread, for work on disk and anything that may take more than a blink."""
    return await asyncio.get_running_loop().run_in_executor(executor, lambda: function(*arguments, **named))


class _Teller(QObject):
    """Takes errors from any thread to the one of the window."""

    heard = Signal(object, str)

    def __init__(self, errands: Errands) -> None:
        super().__init__(errands)
        self.heard.connect(lambda error, doing: errands.tell_unexpected(error, doing))


@contextmanager
def surfaced(errands: Errands, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Tell of errors in slots of Qt, in tasks and callbacks of the loop, in threads, and of those that Python drops.

    Parameters
    ----------
    errands
        Says the sentence and writes the log.
    loop
        The event loop of the window.
    """
    teller = _Teller(errands)

    def hear(doing: str) -> Callable[[BaseException | None], None]:
        def tell(error: BaseException | None) -> None:
            if isinstance(error, Exception):
                teller.heard.emit(error, doing)

        return tell

    slot, background, thread = hear(tr("answering you")), hear(tr("working in the background")), hear(tr("working"))

    def in_slot(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        slot(error)

    def in_loop(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        background(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message", ""))))

    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    sys.excepthook = in_slot
    threading.excepthook = lambda told: thread(told.exc_value)
    sys.unraisablehook = lambda told: background(told.exc_value)
    loop.set_exception_handler(in_loop)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = before
        loop.set_exception_handler(None)


Message = TypeVar("Message")


def downloads(folders: Folders) -> Path:
    """The folder in the user's cache that data sets of OpenML are kept in; the command line uses the same."""
    return folders.shared.parent / "openml"


class Telling(Generic[Message]):
    """A pool whose tasks also tell of messages of one kind, in the thread of the event loop that made it.

    Parameters
    ----------
    pool
        The pool that does the work.
    tell, kind
        Called with every message of this kind.
    """

    def __init__(self, pool: Pool, tell: Callable[[Message], None], kind: type[Message]) -> None:
        self.size = pool.size
        self.warm, self.grow, self.close = pool.warm, pool.grow, pool.close
        self._pool, self._tell, self._kind = pool, tell, kind
        self._loop = asyncio.get_running_loop()

    @property
    def busy(self) -> int:
        """How many workers have a task now."""
        return self._pool.busy

    def submit(
        self,
        function: Callable[..., Iterator[Any]],
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> RunningTask:
        """Run a task in a worker, as the pool does."""

        def hear(message: Any) -> None:
            on_message(message)
            if isinstance(message, self._kind) and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._tell, message)

        return self._pool.submit(function, *arguments, on_message=hear, on_end=on_end)
