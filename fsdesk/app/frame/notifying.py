"""Telling that a long run has ended to somebody who looks elsewhere."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from fsdesk.app.look.icons import window_icon
from fsdesk.app.look.translation import declared, localised, tr
from fsdesk.app.look.words import counted, duration
from fsdesk.app.work.runs import Run

if TYPE_CHECKING:
    from fsdesk.app.frame.window import MainWindow

__all__ = ["Notifier"]

_LONG_SECONDS = 60.0
_KEY = "notify/long runs"
_ENDS = ("finished", "failed")
_SUBJECT = "ended"


class Notifier(QObject):
    """Watches the runs of a window.

    A run of more than a minute that ends while the window is not active is told three times: by the system tray where
    there is one, by the task bar, and by a line in the window that stays until it is dismissed, one for all runs.
    """

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._began: dict[Run, float] = {}
        self._told = 0
        self._tray: QSystemTrayIcon | None = None
        self.clock = time.monotonic
        switch = window.actions_["notify"]
        switch.setChecked(str(window.session.store.value(_KEY, "yes")) != "no")
        switch.toggled.connect(lambda wanted: window.session.store.setValue(_KEY, "yes" if wanted else "no"))
        window.session.runs.changed.connect(self._look)
        window.session.runs.listed.connect(lambda: self._look([run.id for run in window.session.runs]))

    def _look(self, ids: list[int]) -> None:
        runs = self._window.session.runs.by_id
        for run in (runs[run_id] for run_id in ids if run_id in runs):
            if run.task is not None:  # its time in the queue does not count
                self._began.setdefault(run, self.clock())
            elif run in self._began:
                seconds = self.clock() - self._began.pop(run)
                if run.phase in _ENDS and seconds > _LONG_SECONDS:
                    self._end(run, seconds)

    def _end(self, run: Run, seconds: float) -> None:
        window = self._window
        if window.isActiveWindow() or not window.actions_["notify"].isChecked():
            return
        sentence = _said(run, seconds)
        if run.phase == "failed":
            window.messages.say("warning", sentence, subject=f"ended {run.id}")
        else:
            shown = any(message.subject == _SUBJECT for message in window.messages.messages)
            self._told = self._told + 1 if shown else 1
            others = tr("{count} runs have ended, the last one:", count=self._told) if self._told > 1 else ""
            window.messages.say("info", f"{others} {sentence}".strip(), subject=_SUBJECT)
        QApplication.alert(window)
        if QSystemTrayIcon.isSystemTrayAvailable():
            self.show_in_tray(sentence)

    def show_in_tray(self, sentence: str) -> None:
        """Tell it beside the clock; a click there brings the window."""
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


def _said(run: Run, seconds: float) -> str:
    """How a run ended."""
    words = {"run": run.label, "time": duration(seconds)}
    best = run.state.best
    if run.phase == "failed":
        return tr("{run} broke off after {time}.", **words)
    if best is None:
        return tr("{run} has ended after {time}.", **words)
    found = f"{declared(run.state.criterion.title)} {localised(run.state.criterion.text(best.mean))}"
    size = counted(int(best.mask.sum()), "feature")
    return tr("{run} has ended after {time}: {found} with {size}.", **words, found=found, size=size)
