"""What the window asks about runs: the same search again, and a queue that waits since the last time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fsdesk.app.frame.notices import NoticeBar, Offer
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.app.work.run import Run

if TYPE_CHECKING:
    from fsdesk.app.frame.run_control import RunControl
    from fsdesk.app.work.session import Session

__all__ = ["RunNotices"]

_TWIN, _QUEUE = "twin", "queue"


class RunNotices(QObject):
    """Tells of both, as notices with what can be done."""

    def __init__(self, session: Session, notices: NoticeBar, control: RunControl) -> None:
        super().__init__(session)
        self._session, self._notices, self._control = session, notices, control
        self._told = 0
        session.twin_found.connect(self._tell_twin)
        for signal in (session.started, session.dataset_changed, session.project_changed):
            signal.connect(lambda *_: self._notices.take_away(_TWIN))
        session.project_changed.connect(self._look)
        session.runs.changed.connect(lambda _: self._look())
        session.runs.listed.connect(self._look)

    def _tell_twin(self, run: Run) -> None:
        finished = run.state.status == "finished"
        said = (
            tr("{run} is the same search on the same data and has finished: it would give the same.", run=run.label)
            if finished
            else tr("{run} is the same search on the same data, and is under way.", run=run.label)
        )
        seed = self._session.deeds.next_seed(run)
        follow = tr("Run with seed {seed}", seed=seed)
        self._notices.tell(
            _TWIN,
            "info",
            [said],
            Offer("twinShow", tr("Show it"), lambda: self._answer(lambda: self._session.started.emit(run.id))),
            Offer("twinNext", follow, lambda: self._answer(lambda: self._next(run, seed))),
            Offer("twinAgain", tr("Run it again"), lambda: self._answer(lambda: self._control.run(again=True))),
            Offer("twinDismiss", tr("Dismiss"), lambda: self._notices.take_away(_TWIN)),
        )

    def _next(self, run: Run, seed: int) -> None:
        work = self._session.deeds.again([run], [seed])
        self._session.begin(work, tr("starting the run"), subject="start")

    def _answer(self, do: Callable[[], object]) -> None:
        self._notices.take_away(_TWIN)
        do()

    def _look(self) -> None:
        """Runs that were queued when the window was closed, or killed, wait to go on."""
        left = [run for run in self._session.runs if run.queued is not None and run.resumable]
        if self._session.read_only:
            left = []
        if len(left) == self._told:
            return
        self._told = len(left)
        if not left:
            self._notices.take_away(_QUEUE)
            return
        said = tr("{runs} of this project waited in the queue or were at work when it was closed.",
                  runs=counted(len(left), "run"))  # fmt: skip
        self._notices.tell(
            _QUEUE,
            "info",
            [said],
            Offer("queueGoOn", tr("Go on with them"), lambda: self._session.deeds.go_on(left)),
            Offer("queueForget", tr("Not now"), lambda: self._session.runs.leave_queue(left)),
        )
