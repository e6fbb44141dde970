"""Background tasks: coroutines, work in worker processes and on the disk thread, errors as messages."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from fsdesk import engine
from fsdesk.engine import Ended
from fsdesk.errors import UserError, WorkerError
from fsdesk.messages import tr, translated

P = ParamSpec("P")
R = TypeVar("R")


class Pool(engine.Pool, Protocol):
    """The part of :class:`fsdesk.engine.WorkerPool` used by the window, so that tests can replace it."""

    size: int

    @property
    def busy(self) -> int:
        """Number of workers with a task."""

    def warm(self) -> None:
        """Start the workers in the background."""

    def grow(self, size: int) -> None:
        """Use at least this many workers."""

    def close(self) -> None:
        """End all workers."""


class BackgroundTasks(QObject):
    """Coroutines of the window, and where their slow steps run.

    Signals: ``message`` with a role, a sentence, a path or "", and its subject; ``retried`` with a subject that is
    tried again, so that its old messages can be removed; ``busy_changed`` with the current activity, "" when idle.

    Parameters
    ----------
    pool
        The workers, processes that read tables and measure.
    log_file
        The log file, named in messages about unexpected errors.
    """

    message = Signal(str, str, str, str)
    retried = Signal(str)
    busy_changed = Signal(str)

    def __init__(self, pool: Pool, log_file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pool, self._log_file = pool, log_file
        self.disk = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self.closed = False
        self._running: dict[asyncio.Task[None], str] = {}  # with its subject

    def say(self, role: str, sentence: str, subject: str = "", *, path: str = "") -> None:
        """Show a message of a role (info, success, warning, error); it replaces older ones on the same subject.

        ``path`` is a file or folder that it offers to show.
        """
        self.message.emit(role, sentence, path, subject)

    @property
    def working(self) -> bool:
        """Whether anything started has not ended yet."""
        return bool(self._running)

    def begin(self, work: Coroutine[Any, Any, None], doing: str, *, quietly: bool = False, subject: str = "") -> None:
        """Start a coroutine; its errors become messages on that subject, replacing older ones.

        ``doing`` completes "went wrong while ...".
        """
        if self.closed:  # views that would be notified are gone
            work.close()
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a last timer after the event loop has ended
            work.close()
            return
        task = loop.create_task(self._guarded(work, doing, quietly, subject))
        self._running[task] = subject
        task.add_done_callback(self._running.pop)
        task.add_done_callback(lambda _: work.close())  # one canceled before its first step was never awaited

    def cancel(self, *subjects: str) -> list[asyncio.Task[None]]:
        """Cancel tasks on these subjects, and return them so that callers can wait until they have ended."""
        works = [work for work, subject in self._running.items() if subject in subjects]
        for work in works:
            work.get_loop().call_soon(work.cancel)  # after its first step: tasks that have not started cannot clean up
        return works

    async def _guarded(self, work: Coroutine[Any, Any, None], doing: str, quietly: bool, subject: str) -> None:
        if subject:
            self.retried.emit(subject)
        if not quietly:
            self.busy_changed.emit(doing)
        try:
            await work
        except UserError as error:
            logging.getLogger("fsdesk.app").info("while %s: %s", doing, error, exc_info=True)
            self.message.emit("error", translated(str(error)), "", subject)
        except Exception as error:
            self.report(error, doing, subject)
        finally:
            if not quietly:
                self.busy_changed.emit("")

    def report(self, error: BaseException, doing: str, subject: str = "") -> None:
        """Log an unexpected error, and report it."""
        logging.getLogger("fsdesk.app").error("while %s", doing, exc_info=error)
        log = str(self._log_file)
        sentence = tr("Something went wrong while {doing}. See the log file {log} for details.", doing=doing, log=log)
        self.message.emit("error", sentence, log, subject)

    async def in_worker(
        self,
        function: Callable[..., Iterator[Any]],
        *arguments: object,
        on_message: Callable[[Any], None] | None = None,
        pool: engine.Pool | None = None,
    ) -> Any:
        """Run a task in a worker and return the last thing it yielded; None if it yielded nothing.

        ``on_message`` is called in the window's thread with each thing yielded. ``pool`` are workers other than the
        local ones.

        Raises
        ------
        WorkerError
            With the task's message if it failed; details are a note of the exception, for the log.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        received: list[Any] = []

        def receive(message: Any) -> None:
            received[:] = [message]
            if on_message is not None and not loop.is_closed():
                loop.call_soon_threadsafe(on_message, message)

        def settle(ended: Ended) -> None:
            if answer.done():
                return
            if ended.status == "done":
                answer.set_result(received[0] if received else None)
            else:
                error = WorkerError(ended.message or tr("The task was stopped before it finished. Try again."))
                if ended.details:
                    error.add_note(ended.details)
                answer.set_exception(error)

        def on_end(ended: Ended) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, ended)

        task = (pool or self.pool).submit(function, *arguments, on_message=receive, on_end=on_end)
        try:
            return await answer
        except asyncio.CancelledError:
            task.stop()
            raise

    async def in_own_thread(
        self, make: Callable[[engine.Flag], Iterator[Any]], on_message: Callable[[Any], None]
    ) -> None:
        """Iterate over the steps of work done elsewhere, such as on a cluster, in a separate thread.

        ``make`` starts it; the flag passed to it is set once the result is no longer wanted. ``on_message`` is called
        in the window's thread with each step.
        """
        loop, flag = asyncio.get_running_loop(), engine.Flag()

        def take() -> None:
            for step in make(flag):
                if not loop.is_closed():
                    loop.call_soon_threadsafe(on_message, step)

        executor = ThreadPoolExecutor(1, thread_name_prefix="elsewhere")
        try:
            await loop.run_in_executor(executor, take)
        finally:
            flag.stop = True
            executor.shutdown(wait=False)

    async def in_thread(self, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """Call a function on the disk thread, for anything that may take more than a moment."""
        return await asyncio.get_running_loop().run_in_executor(self.disk, lambda: function(*arguments, **named))

    async def close(self) -> None:
        """Cancel what is left, and end the workers and the thread."""
        others = [work for work in self._running if work is not asyncio.current_task()]
        for work in others:
            work.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.in_thread(self.pool.close)
        self.disk.shutdown(wait=True)


class _Reporter(QObject):
    """Passes errors from any thread to that of the window."""

    reported = Signal(object, str)

    def __init__(self, tasks: BackgroundTasks) -> None:
        super().__init__(tasks)
        self.reported.connect(lambda error, doing: tasks.report(error, doing))


@contextmanager
def exception_hooks(tasks: BackgroundTasks, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Report errors in Qt slots, in tasks and callbacks of the loop, in threads, and those that Python ignores."""
    reporter = _Reporter(tasks)

    def hook(doing: str) -> Callable[[BaseException | None], None]:
        def report(error: BaseException | None) -> None:
            if isinstance(error, Exception):
                reporter.reported.emit(error, doing)

        return report

    slot, background, thread = hook(tr("responding")), hook(tr("working in the background")), hook(tr("working"))

    def in_slot(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        slot(error)

    def in_loop(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        background(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message", ""))))

    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    sys.excepthook = in_slot
    threading.excepthook = lambda arguments: thread(arguments.exc_value)
    sys.unraisablehook = lambda dropped: background(dropped.exc_value)
    loop.set_exception_handler(in_loop)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = before
        loop.set_exception_handler(None)
