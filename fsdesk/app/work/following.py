"""A project that another process writes: who may write it, and its log read along as it grows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from fsdesk.app.look.translation import tr
from fsdesk.app.work.asking import off_thread
from fsdesk.app.work.runs import Run
from fsdesk.engine import Event
from fsdesk.errors import UserError
from fsdesk.results.honest import kept_evidence
from fsdesk.store import Hold, Holder, Listing, Project, StoredRun

if TYPE_CHECKING:
    from fsdesk.app.work.session import Session

__all__ = ["Follower", "all_replayed", "claim", "replayed"]

_INTERVAL_MS = 1000


def claim(path: Path) -> Hold | Holder | None:
    """Hold a project, or tell who does; None where no lock can be made beside it, so that it can only be read."""
    try:
        return Hold.take(path)
    except OSError:
        return None


def replayed(project: Project, stored: StoredRun, listing: Listing | None = None) -> Run:
    """A run of a project as its log has it, without the history of its heatmaps; see :class:`StepHistories`."""
    state, logged = project.summed_up(stored.id)
    run = Run(
        stored.id,
        stored.spec,
        stored.created,
        state,
        measurements=stored.spec.measurements,
        logged=logged,
        evidence=kept_evidence(project.evidence(stored.id)),
    )
    if listing is not None:
        run.listed_as(listing)
    return run


def all_replayed(project: Project) -> list[Run]:
    """All runs of a project, as its log and the list have them."""
    listings = project.listings()
    runs = [replayed(project, stored, listings.get(stored.id)) for stored in project.runs()]
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    for run in runs:  # one copy of twenty thousand names serves all
        run.state.features = names.setdefault(run.state.features, run.state.features)
    return runs


class Follower(QObject):
    """Looks every second at what the holder of a session's project has logged; ``freed`` tells that it let go."""

    freed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(lambda: session.begin(self.look(), tr("reading along"), quietly=True))
        self._looking = False

    def follow(self, followed: bool) -> None:
        """Begin to follow, or end."""
        for run in self._session.runs:
            run.elsewhere = followed
        if followed:
            self._timer.start()
        else:
            self._timer.stop()

    async def look(self) -> None:
        """Show what was logged since the last time."""
        session, project = self._session, self._session.project
        if project is None or self._looking:
            return
        self._looking = True
        try:
            known = {run.id: run.logged for run in session.runs}
            new, events = await off_thread(session.disk, _news, project, known)
            if project is not session.project or session.holder is None:
                return
            for run in new:
                run.elsewhere = True
                session.runs.add(run)
            session.runs.written(events)
            if await off_thread(session.disk, Hold.holder, project.path) is None and project is session.project:
                self._timer.stop()
                self.freed.emit()
        except UserError:
            if project is session.project:  # else it was closed meanwhile
                raise
        finally:
            self._looking = False


def _news(project: Project, known: dict[int, int]) -> tuple[list[Run], list[tuple[int, Event]]]:
    stored = project.runs()
    new = [replayed(project, each) for each in stored if each.id not in known]
    return new, [(run_id, event) for run_id, logged in known.items() for event in project.events(run_id, logged)]
