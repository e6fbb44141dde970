"""What a window works on, kept on disk while it is open: where it is killed, the next one can offer it."""

import json
import os
import uuid
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from fsdesk.store import Hold

if TYPE_CHECKING:
    from fsdesk.app.frame.window import MainWindow

__all__ = ["Desk", "DeskNote", "desks_left", "forget"]

_SUFFIX = ".json"


@dataclass(frozen=True)
class Desk:
    """The state of a desk.

    Attributes
    ----------
    table, options
        Path of the open table and how it is read; "" where none is open or it is a sample.
    project
        Path of the open project; "" where there is none.
    page
        Key of the page that is shown; "" for the first screen.
    """

    table: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    project: str = ""
    page: str = ""


class DeskNote(QObject):
    """Writes the state of a window's desk whenever it changes, until :meth:`end`.

    A lock beside the file ends with the process: a note that nobody holds is of a window that was killed.
    """

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.path = window.session.folders.desks / f"{uuid.uuid4().hex}{_SUFFIX}"
        taken = Hold.take(self.path)
        assert isinstance(taken, Hold)  # nobody else knows the name
        self._hold = taken
        self._kept = Desk()
        self._last: Future[None] | None = None
        session = window.session
        for signal in (session.table_changed, session.dataset_changed, session.project_changed):
            signal.connect(self.keep)
        window.bench.pages.currentChanged.connect(lambda _: self.keep())

    def desk(self) -> Desk:
        """The state now."""
        window, session = self._window, self._window.session
        table = str(session.path) if session.path is not None else ""
        options = session.options.model_dump() if table else {}
        project = str(session.project.path) if session.project is not None else ""
        shown = window.stack.currentWidget() is window.bench
        return Desk(table, options, project, window.pages.key if shown else "")

    def keep(self) -> None:
        """Write the state, on the thread for the disk, where it has changed."""
        now = self.desk()
        if now != self._kept and not self._window.session.closed:
            self._kept = now
            self._last = self._window.session.disk.submit(_write, self.path, now)

    def end(self) -> None:
        """Take the note away: the window closes in order. Nothing may be kept any more."""
        if self._last is not None:
            self._last.result()
        with suppress(OSError):
            self.path.unlink()
        self._hold.release()


def _write(path: Path, desk: Desk) -> None:
    part = path.with_name(path.name + ".part")
    with suppress(OSError):  # a full disk: the runs say so, and the note before this one stays
        part.write_text(json.dumps(asdict(desk)), encoding="utf-8")
        os.replace(part, path)  # noqa: PTH105 - as one step


def desks_left(folder: Path) -> Iterator[tuple[Path, Desk]]:
    """The notes of windows that were killed, newest first; what tells nothing is taken away."""
    locks = sorted(folder.glob(f"*{_SUFFIX}.lock"), key=lambda lock: -lock.stat().st_mtime)
    for lock in locks:
        path = lock.with_name(lock.name.removesuffix(".lock"))
        if not Hold.left_behind(path):
            continue
        try:
            desk = Desk(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            desk = Desk()
        if desk.table or desk.project:
            yield path, desk
        else:
            forget(path)


def forget(path: Path) -> None:
    """Take away the note of a window that was killed."""
    for each in (path, path.with_name(path.name + ".lock")):
        with suppress(OSError):
            each.unlink()
