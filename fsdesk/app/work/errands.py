"""Work that the window begins and does not wait for; what goes wrong in it becomes a message and never vanishes."""

import asyncio
import logging
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from fsdesk.app.look.sentences import retold
from fsdesk.app.look.translation import tr
from fsdesk.errors import UserError

__all__ = ["Errands"]


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
