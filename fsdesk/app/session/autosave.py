"""What a window works on, kept on disk while it is open: where it is killed, the next one can offer it."""

import json
import os
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from fsdesk.app.session.session import Session
from fsdesk.store import Lock

__all__ = ["Autosave", "OpenFiles", "forget", "left_behind"]

_SUFFIX = ".json"


@dataclass(frozen=True)
class OpenFiles:
    """The state of a files.

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


class Autosave(QObject):
    """Writes the state of a window's files whenever it changes, until :meth:`end`.

    A lock beside the file ends with the process: a note that nobody holds is of a window that was killed.
    """

    def __init__(self, session: Session, page: Callable[[], str]) -> None:
        super().__init__(session)
        self._session, self._page = session, page
        self.path = session.folders.autosaves / f"{uuid.uuid4().hex}{_SUFFIX}"
        taken = Lock.take(self.path)
        assert isinstance(taken, Lock)  # nobody else knows the name
        self._hold = taken
        self._kept = OpenFiles()
        self._last: Future[None] | None = None
        for signal in (session.loader.table_changed, session.loader.dataset_changed, session.project_changed):
            signal.connect(self.keep)

    def _now(self) -> OpenFiles:
        session = self._session
        table = str(session.loader.path) if session.loader.path is not None else ""
        options = session.loader.options.model_dump() if table else {}
        project = str(session.project.path) if session.project is not None else ""
        return OpenFiles(table, options, project, self._page())

    def keep(self) -> None:
        """Write the state, on the thread for the disk, where it has changed."""
        now = self._now()
        if now != self._kept and not self._session.tasks.closed:
            self._kept = now
            self._last = self._session.tasks.disk.submit(_write, self.path, now)

    def end(self) -> None:
        """Take the note away: the window closes in order. Nothing may be kept any more."""
        if self._last is not None:
            self._last.result()
        with suppress(OSError):
            self.path.unlink()
        self._hold.release()


def _write(path: Path, files: OpenFiles) -> None:
    part = path.with_name(path.name + ".part")
    with suppress(OSError):  # a full disk: the runs say so, and the note before this one stays
        part.write_text(json.dumps(asdict(files)), encoding="utf-8")
        os.replace(part, path)  # noqa: PTH105 - as one step


def left_behind(folder: Path) -> Iterator[tuple[Path, OpenFiles]]:
    """The files of windows that were killed, newest first; those that name nothing are deleted."""
    locks = sorted(folder.glob(f"*{_SUFFIX}.lock"), key=lambda lock: -lock.stat().st_mtime)
    for lock in locks:
        path = lock.with_name(lock.name.removesuffix(".lock"))
        if not Lock.left_behind(path):
            continue
        try:
            files = OpenFiles(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            files = OpenFiles()
        if files.table or files.project:
            yield path, files
        else:
            forget(path)


def forget(path: Path) -> None:
    """Take away the note of a window that was killed."""
    for each in (path, path.with_name(path.name + ".lock")):
        with suppress(OSError):
            each.unlink()
