"""A download in a worker, as the window sees it: where it is kept, and how far it is."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from fsdesk.app.look.places import Folders
from fsdesk.app.work.asking import Pool, RunningTask
from fsdesk.engine import Ended

__all__ = ["Telling", "downloads"]

T = TypeVar("T")


def downloads(folders: Folders) -> Path:
    """The folder in the user's cache that data sets of OpenML are kept in; the command line uses the same."""
    return folders.shared.parent / "openml"


class Telling(Generic[T]):
    """A pool whose tasks also tell of messages of one kind, in the thread of the event loop that made it.

    Parameters
    ----------
    pool
        The pool that does the work.
    tell, kind
        Called with every message of this kind.
    """

    def __init__(self, pool: Pool, tell: Callable[[T], None], kind: type[T]) -> None:
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
