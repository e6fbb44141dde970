"""Autosave of the state of a window, and its recovery after a crash."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from fsdesk.app.bars import NoticeBar, Offer
from fsdesk.app.notifications import RunNotices
from fsdesk.app.session.replay import all_replayed
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.data import ReadOptions
from fsdesk.errors import UserError
from fsdesk.messages import number, tr
from fsdesk.store import Lock, Project

if TYPE_CHECKING:
    from fsdesk.app.workspace import Workspace

_SUBJECT = "recovery"
_MOST = 4


@dataclass(frozen=True)
class _Left:
    """What a killed window left behind: its note, its open files, and the interrupted runs."""

    note: Path
    files: OpenFiles
    runs: tuple[Run, ...]


class Recovery(QObject):
    """Offers to restore one session after the other; each is offered only once, because its note is then deleted.

    Once a session is restored, this window has its project, and the other sessions wait for the next window.
    """

    def __init__(
        self,
        session: Session,
        notices: NoticeBar,
        run_notices: RunNotices,
        workspace: Callable[[], Workspace],
        show_page: Callable[[str], None],
    ) -> None:
        super().__init__(session)
        self._session, self._notices, self._run_notices = session, notices, run_notices
        self._workspace, self._show_page = workspace, show_page
        self._left: list[_Left] = []
        session.project_changed.connect(self._drop_what_is_open)
        session.loader.table_changed.connect(self._drop_what_is_open)

    async def offer(self) -> None:
        """Look for killed windows, and offer to restore what they had open."""
        session = self._session
        self._left = await session.tasks.in_thread(_all_left, session.folders.autosaves)
        self._drop_what_is_open()
        self._show_first()

    def _drop_what_is_open(self) -> None:
        """Withdraw the offer for files opened in another way; a project has its own notice of unfinished runs."""
        project, table = self._session.project, self._session.loader.path
        for left in list(self._left):
            alone = not left.files.project and table is not None and left.files.table == str(table)
            if alone or (project is not None and left.files.project == str(project.path)):
                self._left.remove(left)
                forget(left.note)
                self._show_first()

    def _show_first(self) -> None:
        notices = self._notices
        if not self._left:
            notices.take_away(_SUBJECT)
            return
        left = self._left[0]
        name = Path(left.files.project or left.files.table).name
        later = Offer("recoverNotNow", tr("Not now"), self._forget)
        if left.runs:
            head = tr('fsdesk closed unexpectedly while working on "{name}". No measurements were lost.', name=name)
            lines = [_how_far(run) for run in left.runs[:_MOST]]
            if len(left.runs) > _MOST:
                lines.append(tr("and {count} more runs", count=len(left.runs) - _MOST))
            resume = Offer("recoverResume", tr("Resume"), lambda: self._open(resume=True))
            show = Offer("recoverShow", tr("Show"), lambda: self._open(resume=False))
            notices.add(_SUBJECT, "info", [head, *lines], resume, show, later)
        else:
            head = tr('fsdesk closed unexpectedly while "{name}" was open.', name=name)
            show = Offer("recoverShow", tr("Reopen"), lambda: self._open(resume=False))
            notices.add(_SUBJECT, "info", [head], show, later)

    def _forget(self) -> _Left:
        left = self._left.pop(0)
        forget(left.note)
        self._show_first()
        return left

    def _open(self, *, resume: bool) -> None:
        left = self._left[0]
        del self._left[1:]
        self._forget()
        self._workspace()  # its pages must exist to be notified of what is opened
        self._session.tasks.begin(self._bring_back(left, resume=resume), tr("reopening the project"), subject="open")

    async def _bring_back(self, left: _Left, *, resume: bool) -> None:
        session, files = self._session, left.files
        if resume:
            await self._resume(Path(files.project))
        elif files.project:
            await session.open_project(Path(files.project))
        else:
            await session.open_path(Path(files.table), _options(files))
        self._show_settings()
        page = "search" if resume and files.page == "data" else files.page  # a user who resumes wants to see it run
        if page:
            self._show_page(page)

    def _show_settings(self) -> None:
        """Show the settings as those of the run, not as those of a preset."""
        from fsdesk.app.forms.setup_panel import take_over  # not before the window first appears

        run, dataset = self._workspace().search.run, self._session.loader.dataset
        if run is not None and dataset is not None and run.spec.data_fingerprint == dataset.fingerprint:
            take_over(self._workspace().setup, dataset, run, asked=False)

    async def _resume(self, project: Path) -> None:
        """Open a project and resume its active runs without asking again."""
        session, notices = self._session, self._run_notices
        notices.hush(True)
        try:
            await session.open_project(project)
            waited = [run for run in session.runs if run.queued is not None]
            for run in sorted(waited, key=lambda run: run.queued or 0.0):
                await session.resume(run)
        finally:
            notices.hush(False)


def _options(files: OpenFiles) -> ReadOptions | None:
    try:
        return ReadOptions.model_validate(files.options)
    except ValueError:  # of another version
        return None


def _how_far(run: Run) -> str:
    done, most = run.state.evaluations, run.most
    return tr(
        "{title} on {data}: {done} of at most {most} measurements ({share} %)",
        title=run.title, data=run.spec.data_name, done=number(done), most=number(most), share=round(100 * run.progress),
    )  # fmt: skip


def _all_left(folder: Path) -> list[_Left]:
    found = []
    for note, files in left_behind(folder):
        runs: tuple[Run, ...] = ()
        if files.project:
            path = Path(files.project)
            if not path.is_file() or Lock.owner(path) is not None:  # moved away, or already continued by somebody
                forget(note)
                continue
            runs = _interrupted(path)
        elif not Path(files.table).is_file():
            forget(note)
            continue
        found.append(_Left(note, files, runs))
    return found


def _interrupted(path: Path) -> tuple[Run, ...]:
    try:
        project = Project.open(path, read_only=True)
    except UserError:  # opening it will give the reason
        return ()
    try:
        runs = all_replayed(project)
    except UserError:
        return ()
    finally:
        project.close()
    return tuple(run for run in runs if run.queued is not None and run.resumable)


_SUFFIX = ".json"


@dataclass(frozen=True)
class OpenFiles:
    """The state of a window's files.

    Attributes
    ----------
    table, options
        Path of the open table and its reading options; "" if none is open or it is a sample.
    project
        Path of the open project; "" if there is none.
    page
        Key of the current page; "" for the start screen.
    """

    table: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    project: str = ""
    page: str = ""


class Autosave(QObject):
    """Writes the state of a window's files whenever it changes, until :meth:`end`.

    A lock beside the file ends with the process: a note without a lock owner belongs to a killed window.
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
        """Write the state on the disk thread if it has changed."""
        now = self._now()
        if now != self._kept and not self._session.tasks.closed:
            self._kept = now
            self._last = self._session.tasks.disk.submit(_write, self.path, now)

    def end(self) -> None:
        """Remove the note: the window is closing normally. Nothing may be stored any more."""
        if self._last is not None:
            self._last.result()
        with suppress(OSError):
            self.path.unlink()
        self._hold.release()


def _write(path: Path, files: OpenFiles) -> None:
    part = path.with_name(path.name + ".part")
    with suppress(OSError):  # a full disk: the runs report it, and the previous note stays
        part.write_text(json.dumps(asdict(files)), encoding="utf-8")
        os.replace(part, path)  # noqa: PTH105 - as one step


def left_behind(folder: Path) -> Iterator[tuple[Path, OpenFiles]]:
    """The states of killed windows, newest first; empty ones are deleted."""
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
    """Remove the note of a killed window."""
    for each in (path, path.with_name(path.name + ".lock")):
        with suppress(OSError):
            each.unlink()
