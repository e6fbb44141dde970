"""What can be done with the runs that are marked in the list: a menu, and a key for each of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from fsdesk.app.forms.run_dialogs import NameDialog, SeedsDialog
from fsdesk.app.look.tokens import RUN_COLOURS, Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.work.run import Run

if TYPE_CHECKING:
    from fsdesk.app.frame.run_control import RunControl
    from fsdesk.app.search_page.run_list import RunList
    from fsdesk.app.work.session import Session

__all__ = ["RunMenu"]

_ALSO_READ_ONLY = ("export",)


class RunMenu(QObject):
    """The commands of a list of runs; each serves all runs that are marked, as far as it can.

    ``export_wanted`` tells the run whose results are to be written.
    """

    export_wanted = Signal(object)

    def __init__(self, session: Session, listed: RunList, control: RunControl) -> None:
        super().__init__(listed)
        self._session, self._list, self._control = session, listed, control
        self._deeds = session.deeds
        self.actions: dict[str, QAction] = {}
        self._may: dict[str, Callable[[list[Run]], bool]] = {}
        self._colours = QMenu(listed.view)
        self._make()
        listed.delegate.ticked.connect(lambda run: self._deeds.show_in_curves([run], not run.shown_in_curves))
        listed.selected.connect(self.refresh)
        listed.dressed.connect(self.dress)
        self.dress(listed.delegate.tokens)
        listed.at_once_wanted.connect(self._deeds.set_at_once)
        session.runs.changed.connect(lambda _: self.refresh())
        session.runs.listed.connect(self.refresh)
        session.project_changed.connect(self.refresh)
        self.refresh()

    def _make(self) -> None:
        self._add("curves", tr("Show in the curves"), "Space", self._tick, bool)
        self._add_colours()
        self._add("rename", tr("Rename …"), "F2", self._rename, _one)
        self._separate()
        self._add("now", tr("Start now"), "Ctrl+Alt+Return", self._now, _waiting)
        self._add("up", tr("Start earlier"), "Alt+Up", lambda runs: self._move(runs, -1), _waiting)
        self._add("down", tr("Start later"), "Alt+Down", lambda runs: self._move(runs[::-1], 1), _waiting)
        self._add("hold", tr("Pause"), "", self._pause, lambda runs: any(run.phase == "running" for run in runs))
        self._add("resume", tr("Go on"), "", self._go_on, self._can_go_on)
        self._add("halt", tr("Stop, or take out of the line"), "", self._stop, lambda runs: any(map(_going, runs)))
        self._list.view.addAction(self._control.steer_action)
        self._separate()
        self._add("settings", tr("Take over its settings"), "Ctrl+D", self._duplicate, _one)
        self._add("seeds", tr("Run again with other seeds …"), "Ctrl+R", self._seeds, bool)
        self._separate()
        self._add("export", tr("Export …"), "", lambda runs: self.export_wanted.emit(runs[0]), _has_result)
        self._add("delete", tr("Delete"), "Del", self._delete, _at_rest)
        self._separate()

    def _add(
        self, name: str, text: str, keys: str, do: Callable[[list[Run]], object], may: Callable[[list[Run]], bool]
    ) -> None:
        view = self._list.view
        action = QAction(text, view)
        action.setObjectName(f"run_{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: do(self._list.marked))
        view.addAction(action)
        self.actions[name], self._may[name] = action, may

    def _separate(self) -> None:
        line = QAction(self._list.view)
        line.setSeparator(True)
        self._list.view.addAction(line)

    def _add_colours(self) -> None:
        names = (tr("Blue"), tr("Vermilion"), tr("Green"), tr("Purple"), tr("Orange"), tr("Sky blue"), tr("Black"))
        self._colours.setTitle(tr("Colour"))
        for place, name in enumerate(names):
            action = self._colours.addAction(name)
            action.setObjectName(f"run_colour_{place}")
            action.triggered.connect(lambda _=False, place=place: self._deeds.paint(self._list.marked, place))
        self._colours.addSeparator()
        usual = self._colours.addAction(tr("Automatic"))
        usual.setObjectName("run_colour_automatic")
        usual.triggered.connect(lambda: self._deeds.paint(self._list.marked, -1))
        entry = self._colours.menuAction()
        self._list.view.addAction(entry)
        self.actions["colour"], self._may["colour"] = entry, bool

    def refresh(self) -> None:
        """Offer what can be done with the marked runs now."""
        if not all(map(isValid, self.actions.values())):  # the session may outlive the window
            return
        runs = self._list.marked
        writable = not self._session.read_only
        for name, action in self.actions.items():
            action.setEnabled(bool(runs) and (writable or name in _ALSO_READ_ONLY) and self._may[name](runs))

    def _can_go_on(self, runs: list[Run]) -> bool:
        return any(run.resumable or run.phase == "paused" for run in runs)

    def _tick(self, runs: list[Run]) -> None:
        self._deeds.show_in_curves(runs, not all(run.shown_in_curves for run in runs))

    def _rename(self, runs: list[Run]) -> None:
        run = runs[0]
        dialog = NameDialog(self._list, run)
        dialog.chosen.connect(lambda name: self._deeds.rename(run, name))
        dialog.open()

    def _now(self, runs: list[Run]) -> None:
        for run in runs:
            self._session.runs.begin_now(run)

    def _move(self, runs: list[Run], by: int) -> None:
        for run in sorted(runs, key=lambda run: by * -(run.queued or 0)):
            self._session.runs.move(run, by)

    def _pause(self, runs: list[Run]) -> None:
        for run in runs:
            self._session.runs.pause(run)

    def _go_on(self, runs: list[Run]) -> None:
        self._deeds.go_on(runs)

    def _stop(self, runs: list[Run]) -> None:
        for run in runs:
            self._session.runs.stop(run)

    def _duplicate(self, runs: list[Run]) -> None:
        self._control.take_over(runs[0])

    def _seeds(self, runs: list[Run]) -> None:
        dialog = SeedsDialog(self._list, runs, max(self._deeds.next_seed(run) for run in runs))
        dialog.wanted.connect(lambda first, count: self._again(runs, first, count))
        dialog.open()

    def _again(self, runs: list[Run], first: int, count: int) -> None:
        work = self._deeds.again(runs, range(first, first + count))
        self._session.begin(work, tr("starting the runs"), subject="start")

    def _delete(self, runs: list[Run]) -> None:
        self._session.begin(self._deeds.delete(runs), tr("deleting runs"), subject="delete")

    def dress(self, tokens: Tokens) -> None:
        """Draw the colours of the theme."""
        for action, colour in zip(self._colours.actions(), RUN_COLOURS[tokens.mode], strict=False):
            action.setIcon(_swatch(colour))


def _one(runs: list[Run]) -> bool:
    return len(runs) == 1


def _has_result(runs: list[Run]) -> bool:
    return _one(runs) and runs[0].state.best is not None


def _waiting(runs: list[Run]) -> bool:
    return any(run.waiting for run in runs)


def _at_rest(runs: list[Run]) -> bool:
    return not any(run.active or run.validation is not None for run in runs)


def _going(run: Run) -> bool:
    return run.active and run.phase != "stopping"


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(QSize(32, 32))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(2, 2, 28, 28, 6, 6)
    painter.end()
    return QIcon(picture)
