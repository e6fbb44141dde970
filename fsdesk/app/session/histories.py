"""What heatmaps show of a run is read from its log when somebody looks at it, and let go when others are looked at."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from fsdesk.app.session.run import Run
from fsdesk.engine import StepHistory
from fsdesk.messages import tr
from fsdesk.store import Project

if TYPE_CHECKING:
    from fsdesk.app.session.session import Session

__all__ = ["StepHistories"]

_MOST_HELD = 4


class StepHistories(QObject):
    """The histories of the runs that were looked at last; ``read`` sends the run whose history is there now.

    A search of 20,000 features has more than 20 MB of it: forty runs would fill the memory.
    """

    read = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._looked_at: list[Run] = []
        self._reading: set[int] = set()
        session.runs.listed.connect(self._forget_gone)

    def look_at(self, run: Run) -> None:
        """Have the history of a run, now or soon, and let go of the one that was looked at longest ago."""
        others = [each for each in self._looked_at if each is not run]
        self._looked_at = [*others[1 - _MOST_HELD :], run]
        state, project = run.state, self._session.project
        if project is not None:
            for other in self._session.runs:
                if other not in self._looked_at:
                    other.state.history = None
        if state.history is not None or run.id in self._reading:
            return
        if not state.evaluations:
            state.history = StepHistory()
        elif project is not None:
            self._session.tasks.begin(self._read(project, run), tr("reading the steps of the run"), quietly=True)

    def reading(self, run: Run) -> bool:
        """Whether its history is still being read."""
        return run.id in self._reading

    def _forget_gone(self) -> None:
        known = self._session.runs.by_id
        self._looked_at = [run for run in self._looked_at if known.get(run.id) is run]

    async def _read(self, project: Project, run: Run) -> None:
        """Fold the log on another thread, then what has come meanwhile, until nothing is missing."""
        session, history, folded = self._session, StepHistory(), 0
        self._reading.add(run.id)
        try:
            while folded < run.logged and project is session.project:
                upto = run.logged
                await session.tasks.in_thread(_fold, history, project, run.id, folded, upto)
                folded = upto
        finally:
            self._reading.discard(run.id)
        if project is session.project and session.runs.by_id.get(run.id) is run and run in self._looked_at:
            run.state.history = history
            self.read.emit(run)


def _fold(history: StepHistory, project: Project, run_id: int, start: int, end: int) -> None:
    for event in islice(project.events(run_id, start), end - start):
        history.apply(event)
