"""The way out: what is at work is told, what has no name may get one, and then everything is put on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fsdesk.app.look.dialogs import CloseDialog
from fsdesk.app.look.translation import tr

if TYPE_CHECKING:
    from fsdesk.app.frame.window import MainWindow

__all__ = ["Leaving"]

_NEVER = "window/close without a name"


class Leaving(QObject):
    """Closes a window; nothing is lost on the way."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._under_way = False

    def ask(self) -> None:
        """Close the window, at once or when the user has said that runs may stop and where the work is kept."""
        if self._under_way:
            return
        session = self._window.session
        running = bool(session.runs.active)
        kept = session.project.path if session.project is not None and session.scratch and list(session.runs) else None
        silent = session.store.value(_NEVER, "") == "never"
        if not running and (kept is None or silent):
            self._leave()
            return
        box = CloseDialog(self._window, running=running, kept=kept)
        box.accepted.connect(lambda: session.store.setValue(_NEVER, "never" if box.never.isChecked() else ""))
        box.accepted.connect(self._leave)
        box.save_wanted.connect(lambda: self._window.files.ask_save(self._save_and_leave))
        box.open()

    def _save_and_leave(self, path: Path) -> None:
        session = self._window.session

        async def save_then_leave() -> None:
            await session.save_as(path)
            self._leave()

        session.begin(save_then_leave(), tr("saving the project"), subject="save")

    def _leave(self) -> None:
        window = self._window
        self._under_way = True
        window.remember()
        if window.session.runs.active:
            window.messages.say("info", tr("Stopping the run; it can be resumed when you open the project again."))

        async def leave() -> None:
            try:
                await window.session.close()
            finally:
                if window.note is not None:
                    window.note.end()
                window.hide()
                window.closed.emit()

        window.session.begin(leave(), tr("closing"))
