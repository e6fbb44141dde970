"""What the window asks about runs: the same search again, those that broke off and can go on, deleted ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fsdesk.app.frame.notices import NoticeBar, Offer
from fsdesk.app.look.sentences import retold
from fsdesk.app.look.translation import tr, tr_many
from fsdesk.app.work.run import Run

if TYPE_CHECKING:
    from fsdesk.app.frame.run_control import RunControl
    from fsdesk.app.work.session import Session

__all__ = ["RunNotices"]

_TWIN, _QUEUE, _DELETED = "twin", "queue", "deleted"
_MOST = 4


class RunNotices(QObject):
    """Tells of them, as notices with what can be done."""

    def __init__(self, session: Session, notices: NoticeBar, control: RunControl) -> None:
        super().__init__(session)
        self._session, self._notices, self._control = session, notices, control
        self._told: list[tuple[Run, str]] = []
        self._hushed = False
        session.twin_found.connect(self._tell_twin)
        for signal in (session.started, session.dataset_changed, session.project_changed):
            signal.connect(lambda *_: self._notices.take_away(_TWIN))
        session.deeds.deleted.connect(self._tell_deleted)
        session.history.indexChanged.connect(self._forget_deleted)
        session.project_changed.connect(self._forget_deleted)
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

    def _tell_deleted(self, runs: Sequence[Run]) -> None:
        head = (
            tr("{run} is deleted.", run=runs[0].label)
            if len(runs) == 1
            else tr("{count} runs are deleted.", count=len(runs))
        )
        rest = tr("Undo (Ctrl+Z) works until you open other data or close this project.")
        self._notices.tell(
            _DELETED,
            "info",
            [f"{head} {rest}"],
            Offer("deletedUndo", tr("Undo"), self._session.history.undo),
            Offer("deletedDismiss", tr("Dismiss"), self._forget_deleted),
        )

    def _forget_deleted(self, _: object = None) -> None:
        if _DELETED in self._notices.by_subject:  # the history outlives the window and tells of its own end
            self._notices.take_away(_DELETED)

    def hush(self, hushed: bool) -> None:
        """While runs are being resumed anyway, do not ask whether they shall be."""
        self._hushed = hushed
        self._look()

    def _look(self) -> None:
        """Runs that were queued or at work when the window was closed or killed, or whose worker died, can go on."""
        left = [run for run in self._session.runs if run.queued is not None and run.resumable]
        if self._session.read_only or self._hushed:
            left = []
        telling = [(run, run.broke) for run in left]
        if telling == self._told:
            return
        self._told = telling
        if not left:
            self._notices.take_away(_QUEUE)
            return
        self._notices.tell(
            _QUEUE,
            "error" if any(run.broke for run in left) else "info",
            _said(left),
            Offer("queueGoOn", tr("Go on with them") if len(left) > 1 else tr("Resume"),
                  lambda: self._session.deeds.go_on(left)),
            Offer("queueForget", tr("Not now"), lambda: self._session.runs.leave_queue(left)),
        )  # fmt: skip


def _said(left: Sequence[Run]) -> list[str]:
    """Why the first few broke off; how many others wait."""
    told = [run for run in left if run.broke][:_MOST]
    said = [f"{run.title} ({run.spec.data_name}): {retold(run.broke)}" for run in told]
    others = len(left) - len(told)
    if others:
        said.append(
            tr_many(
                others,
                "{count} run of this project has not come to its end and can go on.",
                "{count} runs of this project have not come to their ends and can go on.",
            )
        )
    return said
