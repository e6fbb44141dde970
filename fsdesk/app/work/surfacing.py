"""Errors that nobody caught, wherever they come from, end as a message in the window and in the log."""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import QObject, Signal

from fsdesk.app.look.translation import tr
from fsdesk.app.work.errands import Errands

__all__ = ["surfaced"]


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
