"""Notices about runs and read-only projects; messages about long runs that have ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from fsdesk.app.bars import MessageBar, NoticeBar, Offer
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.style import window_icon
from fsdesk.app.translation import duration
from fsdesk.messages import counted, localised, tr, tr_many, translated
from fsdesk.store import LockOwner

if TYPE_CHECKING:
    from fsdesk.app.run_commands import RunCommands

_TWIN, _QUEUE, _DELETED, _KNOWN = "identical_run", "queue", "deleted", "honest_known"
_MOST = 4


class RunNotices(QObject):
    """Shows notices about runs, with the possible actions."""

    def __init__(self, session: Session, notices: NoticeBar, control: RunCommands) -> None:
        super().__init__(session)
        self._session, self._notices, self._control = session, notices, control
        self._shown: list[tuple[Run, str]] = []
        self._hushed = False
        session.identical_found.connect(self._show_identical)
        runs = session.runs.listed  # a deleted one cannot be shown
        for signal in (session.started, session.loader.dataset_changed, session.project_changed, runs):
            signal.connect(lambda *_: self._forget(_TWIN, _KNOWN))
        control.honest_known.connect(self._show_known)
        session.run_actions.deleted.connect(self._show_deleted)
        session.history.indexChanged.connect(self._forget_deleted)
        session.project_changed.connect(self._forget_deleted)
        session.project_changed.connect(self._look)
        session.runs.changed.connect(lambda _: self._look())
        session.runs.listed.connect(self._look)

    def _show_identical(self, run: Run) -> None:
        finished = run.state.status == "finished"
        said = (
            tr(
                "An identical search of the same data ({run}) has already finished; another one would give the same "
                "result.",
                run=run.called,
            )
            if finished
            else tr("An identical search of the same data ({run}) is already running.", run=run.called)
        )
        seed = self._session.run_actions.next_seed(run)
        follow = tr("Run with seed {seed}", seed=seed)
        self._notices.add(
            _TWIN,
            "info",
            [said],
            Offer("twinShow", tr("Show run"), lambda: self._answer(lambda: self._session.started.emit(run.id))),
            Offer("twinNext", follow, lambda: self._answer(lambda: self._next(run, seed))),
            Offer("twinAgain", tr("Run again"), lambda: self._answer(lambda: self._control.run(again=True))),
            Offer("twinDismiss", tr("Dismiss"), lambda: self._notices.take_away(_TWIN)),
        )

    def _next(self, run: Run, seed: int) -> None:
        work = self._session.run_actions.again([run], [seed])
        self._session.tasks.begin(work, tr("starting the run"), subject="start")

    def _show_known(self, run: Run) -> None:
        """Say that the held-out error is already known; a different one would require another division of the rows."""
        from fsdesk.app.result_page.result_words import measure_words  # not before the window first appears

        honest, other = run.honest, None
        assert honest is not None
        value = tr("{value} (95 % interval {interval})", value=honest.value_words(), interval=honest.interval_words())
        if not run.honesty.complete:
            said = tr("{run} measured its held-out error during the search: {value}.", run=run.called, value=value)
            validations = self._session.validations
            other = Offer("knownOuter", measure_words(run), lambda: self._answer(lambda: validations.begin(run)))
        else:
            said = tr("{run} already has a held-out error: {value}. The same outer folds would give the same value.",
                      run=run.called, value=value)  # fmt: skip
            if not run.state.steering_events:  # the other run could not be changed in the same way
                other = Offer("knownOther", tr("Use other outer folds"),
                              lambda: self._answer(lambda: self._in_other_folds(run)))  # fmt: skip
        self._notices.add(
            _KNOWN,
            "info",
            [said],
            Offer("knownShow", tr("Show run"), lambda: self._answer(lambda: self._control.show_result(run))),
            *filter(None, [other]),
            Offer("knownDismiss", tr("Dismiss"), lambda: self._forget(_KNOWN)),
        )

    def _in_other_folds(self, run: Run) -> None:
        work = self._session.run_actions.in_other_folds(run)
        self._session.tasks.begin(work, tr("starting the run"), subject="start")

    def _answer(self, do: Callable[[], object]) -> None:
        self._forget(_TWIN, _KNOWN)
        do()

    def _forget(self, *subjects: str) -> None:
        for subject in subjects:
            self._notices.take_away(subject)

    def _show_deleted(self, runs: Sequence[Run]) -> None:
        head = (
            tr("{run} was deleted.", run=runs[0].called)
            if len(runs) == 1
            else tr("{count} runs were deleted.", count=len(runs))
        )
        rest = tr("Undo (Ctrl+Z) works until you open other data or close this project.")
        self._notices.add(
            _DELETED,
            "info",
            [f"{head} {rest}"],
            Offer("deletedUndo", tr("Undo"), self._session.history.undo),
            Offer("deletedDismiss", tr("Dismiss"), self._forget_deleted),
        )

    def _forget_deleted(self, _: object = None) -> None:
        if _DELETED in self._notices.by_subject:  # the history outlives the window and sends its last signals
            self._notices.take_away(_DELETED)

    def hush(self, hushed: bool) -> None:
        """Do not offer to resume runs that are being resumed anyway."""
        self._hushed = hushed
        self._look()

    def _look(self) -> None:
        """Look for runs that can be resumed: queued or active when the window ended, or with a worker that died."""
        left = [run for run in self._session.runs if run.queued is not None and run.resumable]
        if self._session.read_only or self._hushed:
            left = []
        shown = [(run, run.broke) for run in left]
        if shown == self._shown:
            return
        self._shown = shown
        if not left:
            self._notices.take_away(_QUEUE)
            return
        self._notices.add(
            _QUEUE,
            "error" if any(run.broke for run in left) else "info",
            _said(left),
            Offer("queueGoOn", tr("Resume"), lambda: self._session.run_actions.go_on(left)),
            Offer("queueForget", tr("Not now"), lambda: self._session.runs.leave_queue(left)),
        )  # fmt: skip


def _said(left: Sequence[Run]) -> list[str]:
    """The reasons why the first few runs failed, and the number of other runs that are waiting."""
    broken = [run for run in left if run.broke][:_MOST]
    sentences = [f"{run.titled}: {translated(run.broke)}" for run in broken]
    others = len(left) - len(broken)
    if others:
        sentences.append(
            tr_many(
                others,
                "{count} unfinished run in this project can be resumed.",
                "{count} unfinished runs in this project can be resumed.",
            )
        )
    return sentences


_READ_ONLY = "readOnly"


class ReadOnly(QObject):
    """Shows a notice while a session's project is locked by another process, with the possible actions."""

    def __init__(self, session: Session, notices: NoticeBar) -> None:
        super().__init__(session)
        self._session, self._notices = session, notices
        session.project_changed.connect(self._look)
        session.watcher.freed.connect(self._show_free)

    def _look(self) -> None:
        holder = self._session.lock_owner
        if holder is None:
            self._notices.take_away(_READ_ONLY)
            return
        sentence = tr(
            "Open in another window ({who}). This window is read-only and follows the other.", who=_who(holder)
        )
        copy = Offer("openCopy", tr("Open a copy"), self._copy)
        self._notices.add(_READ_ONLY, "warning", [sentence], copy)

    def _show_free(self) -> None:
        sentence = tr("The other window has closed this project. It is still read-only here.")
        own = Offer("goOnHere", tr("Resume here"), self._go_on)
        copy = Offer("openCopy", tr("Open a copy"), self._copy)
        self._notices.add(_READ_ONLY, "info", [sentence], own, copy)

    def _copy(self) -> None:
        self._session.tasks.begin(self._session.open_copy(), tr("making a copy"), subject="open")

    def _go_on(self) -> None:
        project = self._session.project
        if project is not None:
            self._session.tasks.begin(
                self._session.open_project(project.path), tr("opening the project"), subject="open"
            )


def _who(holder: LockOwner) -> str:
    """The process, its computer if that is another one, and its start time."""
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


_LONG_SECONDS = 60.0
_NOTIFY_KEY = "notify/long runs"
_ENDS = ("finished", "failed")
_ENDED = "ended"


class Notifier(QObject):
    """Monitors the runs of a window.

    A run of more than a minute that ends while the window is inactive is announced by the system tray if there is one,
    by the task bar, and by one line for all runs in the window, which stays until it is dismissed.
    """

    def __init__(self, window: QWidget, session: Session, messages: MessageBar, switch: QAction) -> None:
        super().__init__(window)
        self._window, self._session, self._messages, self._switch = window, session, messages, switch
        self._began: dict[Run, float] = {}
        self._ended = 0
        self._tray: QSystemTrayIcon | None = None
        self.clock = time.monotonic
        switch.setChecked(str(session.store.value(_NOTIFY_KEY, "yes")) != "no")
        switch.toggled.connect(lambda wanted: session.store.setValue(_NOTIFY_KEY, "yes" if wanted else "no"))
        session.runs.changed.connect(self._look)
        session.runs.listed.connect(lambda: self._look([run.id for run in session.runs]))

    def _look(self, ids: list[int]) -> None:
        runs = self._session.runs.by_id
        for run in (runs[run_id] for run_id in ids if run_id in runs):
            if run.searching:  # its time in the queue does not count
                self._began.setdefault(run, self.clock())
            elif run in self._began:
                seconds = self.clock() - self._began.pop(run)
                if run.phase in _ENDS and seconds > _LONG_SECONDS:
                    self._end(run, seconds)

    def _end(self, run: Run, seconds: float) -> None:
        if self._window.isActiveWindow() or not self._switch.isChecked():
            return
        sentence = _ended_words(run, seconds)
        if run.phase == "failed":
            self._messages.say("warning", sentence, subject=f"ended {run.id}")
        else:
            shown = any(message.subject == _ENDED for message in self._messages.messages)
            self._ended = self._ended + 1 if shown else 1
            others = tr("{count} runs have ended, most recently:", count=self._ended) if self._ended > 1 else ""
            self._messages.say("info", f"{others} {sentence}".strip(), subject=_ENDED)
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable():
            self.show_in_tray(sentence)

    def show_in_tray(self, sentence: str) -> None:
        """Announce it in the system tray; a click there raises the window."""
        if self._tray is None:
            self._tray = QSystemTrayIcon(window_icon(), self)
            self._tray.messageClicked.connect(self._bring)
            self._tray.activated.connect(lambda _: self._bring())
            self._tray.setToolTip("fsdesk")
        self._tray.show()
        self._tray.showMessage("fsdesk", sentence, window_icon())

    def _bring(self) -> None:
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        if self._tray is not None:
            self._tray.hide()


def _ended_words(run: Run, seconds: float) -> str:
    """How a run ended."""
    words = {"run": run.called, "time": duration(seconds)}
    best = run.state.best
    if run.phase == "failed":
        return tr("{run} failed after {time}.", **words)
    if best is None:
        return tr("{run} ended after {time}.", **words)
    found = f"{translated(run.state.criterion.title)} {localised(run.state.criterion.text(best.mean))}"
    size = counted(int(best.mask.sum()), "feature")
    return tr("{run} ended after {time}: {found} with {size}.", **words, found=found, size=size)
