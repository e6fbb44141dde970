"""Asking workers and threads from a coroutine of the window, so that slots read like a plain sequence of steps."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any, ParamSpec, Protocol, TypeVar

from fsdesk.app.look.translation import tr
from fsdesk.engine import Ended, Steered
from fsdesk.errors import WorkerError

__all__ = ["Pool", "RunningTask", "ask", "off_thread"]

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
