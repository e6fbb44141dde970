"""What the window says of a project that another one writes."""

from datetime import datetime

from PySide6.QtCore import QObject

from fsdesk.app.frame.notices import NoticeBar, Offer
from fsdesk.app.look.translation import tr
from fsdesk.app.work.session import Session
from fsdesk.store import Holder

__all__ = ["ReadOnly"]

_SUBJECT = "readOnly"


class ReadOnly(QObject):
    """Shows a notice while a session's project is held by another process, with the ways on."""

    def __init__(self, session: Session, notices: NoticeBar) -> None:
        super().__init__(session)
        self._session, self._notices = session, notices
        session.project_changed.connect(self._look)
        session.follower.freed.connect(self._tell_free)

    def _look(self) -> None:
        holder = self._session.holder
        if holder is None:
            self._notices.take_away(_SUBJECT)
            return
        sentence = tr("Open in another window ({who}). Read only: what happens there is shown here.", who=_who(holder))
        copy = Offer("openCopy", tr("Open a copy"), self._copy)
        self._notices.tell(_SUBJECT, "warning", [sentence], copy)

    def _tell_free(self) -> None:
        sentence = tr("The other window has let this project go. It is still read only here.")
        own = Offer("goOnHere", tr("Go on here"), self._go_on)
        copy = Offer("openCopy", tr("Open a copy"), self._copy)
        self._notices.tell(_SUBJECT, "info", [sentence], own, copy)

    def _copy(self) -> None:
        self._session.begin(self._session.open_copy(), tr("making a copy"), subject="open")

    def _go_on(self) -> None:
        project = self._session.project
        if project is not None:
            self._session.begin(self._session.open_project(project.path), tr("opening the project"), subject="open")


def _who(holder: Holder) -> str:
    """Process, computer where it is another, and since when."""
    said = [tr("process {pid}", pid=holder.pid)] if holder.pid else [tr("another process")]
    if holder.host and not holder.here:
        said.append(tr("on {host}", host=holder.host))
    try:
        since = datetime.fromisoformat(holder.since).astimezone()
    except ValueError:
        return " ".join(said)
    today = since.date() == datetime.now().astimezone().date()
    said.append(tr("since {time}", time=since.strftime("%H:%M" if today else "%Y-%m-%d %H:%M")))
    return ", ".join(said)
