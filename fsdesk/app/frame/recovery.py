"""After a window was killed, the next one offers to go on where it was."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fsdesk.app.frame.desk_note import Desk, desks_left, forget
from fsdesk.app.frame.notices import Offer
from fsdesk.app.look.translation import number, tr
from fsdesk.app.work.asking import off_thread
from fsdesk.app.work.following import replayed
from fsdesk.app.work.runs import Run
from fsdesk.data import ReadOptions
from fsdesk.engine import Ended
from fsdesk.errors import UserError
from fsdesk.store import Hold, Project

if TYPE_CHECKING:
    from fsdesk.app.frame.window import MainWindow

__all__ = ["Recovery"]

_SUBJECT, _DIED = "recovery", "died"
_MOST = 4


@dataclass(frozen=True)
class _Left:
    """What a killed window left: its note, what was open, and the runs that were interrupted."""

    note: Path
    desk: Desk
    runs: tuple[Run, ...]


class Recovery(QObject):
    """Offers one desk after the other; each answer is remembered, for the note is gone then."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._left: list[_Left] = []
        window.session.runs.failed.connect(self._tell_died)
        window.session.runs.changed.connect(self._look_whether_it_goes_on)
        window.session.project_changed.connect(self._look_whether_it_goes_on)
        self._died: dict[int, Run] = {}

    def _tell_died(self, failure: tuple[Run, Ended]) -> None:
        """A worker was killed: its run can go on in another one."""
        run, ended = failure
        if not ended.died:
            return
        self._died[run.id] = run
        heads = [f"{each.title} ({each.spec.data_name}): {ended.message}" for each in self._died.values()]
        resume = Offer("resumeDied", tr("Resume"), self._resume_died)
        self._window.notices.tell(_DIED, "error", heads, resume, Offer("leaveDied", tr("Not now"), self._forget_died))

    def _resume_died(self) -> None:
        session = self._window.session
        for run in self._forget_died():
            session.begin(session.resume(run), tr("resuming the run"), subject=f"run {run.id}")

    def _forget_died(self) -> list[Run]:
        died, self._died = list(self._died.values()), {}
        self._window.notices.take_away(_DIED)
        return died

    def _look_whether_it_goes_on(self, _: object = None) -> None:
        """It may have been resumed by its button, or its project closed."""
        known = self._window.session.runs.by_id
        if any(known.get(run.id) is not run or run.waiting or run.at_work for run in self._died.values()):
            self._forget_died()

    async def look(self) -> None:
        """See whether windows were killed, and offer what they worked on."""
        session = self._window.session
        self._left = await off_thread(session.disk, _all_left, session.folders.desks)
        self._offer()

    def _offer(self) -> None:
        notices = self._window.notices
        if not self._left:
            notices.take_away(_SUBJECT)
            return
        left = self._left[0]
        name = Path(left.desk.project or left.desk.table).name
        later = Offer("recoverNotNow", tr("Not now"), self._forget)
        if left.runs:
            head = tr("fsdesk ended unexpectedly while it worked on {name}. Nothing measured is lost.", name=name)
            lines = [_how_far(run) for run in left.runs[:_MOST]]
            if len(left.runs) > _MOST:
                lines.append(tr("and {count} more runs", count=len(left.runs) - _MOST))
            resume = Offer("recoverResume", tr("Resume"), lambda: self._open(resume=True))
            show = Offer("recoverShow", tr("Show"), lambda: self._open(resume=False))
            notices.tell(_SUBJECT, "info", [head, *lines], resume, show, later)
        else:
            head = tr("fsdesk ended unexpectedly while {name} was open.", name=name)
            show = Offer("recoverShow", tr("Open it again"), lambda: self._open(resume=False))
            notices.tell(_SUBJECT, "info", [head], show, later)

    def _forget(self) -> _Left:
        left = self._left.pop(0)
        forget(left.note)
        self._offer()
        return left

    def _open(self, *, resume: bool) -> None:
        left = self._forget()
        self._window.prepare()  # it listens to what the session will tell
        self._window.session.begin(self._bring_back(left, resume=resume), tr("opening what was open"), subject="open")

    async def _bring_back(self, left: _Left, *, resume: bool) -> None:
        session, desk = self._window.session, left.desk
        if desk.project:
            await session.open_project(Path(desk.project))
        else:
            await session.open_path(Path(desk.table), _options(desk))
        page = "search" if resume and desk.page == "data" else desk.page  # who resumes wants to see it go on
        if page in self._window.bench.by_key:
            self._window.show_page(page)
        for run in left.runs if resume else ():
            await session.resume(session.runs.by_id[run.id])


def _options(desk: Desk) -> ReadOptions | None:
    try:
        return ReadOptions.model_validate(desk.options)
    except ValueError:  # of another version
        return None


def _how_far(run: Run) -> str:
    done, most = run.state.evaluations, run.measurements
    return tr(
        "{title} on {data}: {done} of at most {most} measurements ({share} %)",
        title=run.title, data=run.spec.data_name, done=number(done), most=number(most), share=round(100 * run.progress),
    )  # fmt: skip


def _all_left(folder: Path) -> list[_Left]:
    found = []
    for note, desk in desks_left(folder):
        runs: tuple[Run, ...] = ()
        if desk.project:
            path = Path(desk.project)
            if not path.is_file() or Hold.holder(path) is not None:  # moved away, or somebody has gone on already
                forget(note)
                continue
            runs = _interrupted(path)
        elif not Path(desk.table).is_file():
            forget(note)
            continue
        found.append(_Left(note, desk, runs))
    return found


def _interrupted(path: Path) -> tuple[Run, ...]:
    try:
        project = Project.open(path, look=True)
    except UserError:  # opening it will say why
        return ()
    try:
        runs = [replayed(project, stored) for stored in project.runs()]
    except UserError:
        return ()
    finally:
        project.close()
    return tuple(run for run in runs if run.phase == "interrupted")
