"""How the curves are drawn, and taking them home: the menu of the button beside the plot and of the right mouse key."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import get_args

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from fsdesk.app.look.translation import tr
from fsdesk.results.traces import Axis

__all__ = ["CurveMenu", "CurveOptions"]

WINDOWS = (0, 1, 5, 10, 25, 50, 100, 250, 500)


@dataclass(frozen=True)
class CurveOptions:
    """What is drawn: along which axis, averaged over how many points (0: as many as suit), and which details."""

    axis: Axis = "iteration"
    window: int = 0
    steps: bool = True
    band: bool = True
    marks: bool = True

    def kept(self) -> str:
        """For the settings of the program."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, kept: str) -> "CurveOptions":
        """Undo :meth:`kept`; what is no such thing gives what is usual."""
        usual = cls()
        try:
            found = replace(usual, **json.loads(kept))
        except (ValueError, TypeError):
            return usual
        known = found.axis in get_args(Axis) and found.window in WINDOWS
        return (
            found if known and all(isinstance(each, bool) for each in (found.steps, found.band, found.marks)) else usual
        )


class CurveMenu(QMenu):
    """Signals: ``chosen`` with new options, ``reset_wanted``, ``save_wanted`` with a suffix, ``copy_wanted``."""

    chosen = Signal(object)
    reset_wanted = Signal()
    save_wanted = Signal(str)
    copy_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("curveMenu")
        self.options = CurveOptions()
        self.by_name: dict[str, QAction] = {}
        self._add_axes()
        self._add_windows()
        for name, text in (
            ("steps", tr("Show each step")),
            ("band", tr("Show the spread over the repeats")),
            ("marks", tr("Show what was steered")),
        ):
            action = self._add(self, name, text, partial(self._toggle, name))
            action.setCheckable(True)
            action.setChecked(True)
        self.addSeparator()
        self._add(self, "reset", tr("Show all again") + "\t0", self.reset_wanted.emit)
        self.addSeparator()
        for suffix, text in (
            ("png", tr("Save as picture (PNG, 300 dots per inch) …")),
            ("svg", tr("Save as drawing (SVG) …")),
            ("pdf", tr("Save for print (PDF) …")),
            ("csv", tr("Save the values (CSV) …")),
        ):
            self._add(self, suffix, text, partial(self.save_wanted.emit, suffix))
        self._add(self, "copy", tr("Copy as picture"), self.copy_wanted.emit)

    def _add(self, menu: QMenu, name: str, text: str, slot: Callable[[], object]) -> QAction:
        action = menu.addAction(text)
        action.setObjectName(f"curve_{name}")
        action.triggered.connect(lambda _=False: slot())
        self.by_name[name] = action
        return action

    def _add_axes(self) -> None:
        menu = self.addMenu(tr("Along"))
        self.by_name["along"] = menu.menuAction()
        group = QActionGroup(self)
        axes: dict[Axis, str] = {
            "iteration": tr("Iterations of the method"),
            "measurement": tr("Measurements taken"),
            "time": tr("Time spent measuring"),
        }
        for axis, text in axes.items():
            action = self._add(menu, f"axis_{axis}", text, partial(self._take, axis=axis))
            action.setCheckable(True)
            action.setChecked(axis == self.options.axis)
            group.addAction(action)

    def _add_windows(self) -> None:
        menu = self.addMenu(tr("Moving average"))
        self.by_name["average"] = menu.menuAction()
        group = QActionGroup(self)
        for window in WINDOWS:
            text = tr("As suits") if window == 0 else tr("None") if window == 1 else tr("{count} steps", count=window)
            action = self._add(menu, f"window_{window}", text, partial(self._take, window=window))
            action.setCheckable(True)
            action.setChecked(window == self.options.window)
            group.addAction(action)
        menu.addSeparator()
        # The keys are those of the plot while it has the focus: see Crosshair.
        self._add(menu, "wider", tr("Smoother") + "\t]", partial(self.change_window, 1))
        self._add(menu, "narrower", tr("Rougher") + "\t[", partial(self.change_window, -1))

    def show_for(self, view: str) -> None:
        """Offer what is of use for the curve by "steps" or by "size"."""
        for name in ("along", "average", "steps", "band", "marks"):
            self.by_name[name].setEnabled(view == "steps")

    def take(self, options: CurveOptions) -> None:
        """Take options as they were kept."""
        self.options = options
        for name in (f"axis_{options.axis}", f"window_{options.window}"):
            self.by_name[name].setChecked(True)
        for name in ("steps", "band", "marks"):
            self.by_name[name].setChecked(getattr(options, name))
        self.chosen.emit(options)

    def change_window(self, step: int, automatic: int = 0) -> None:
        """Take the next wider or narrower window; from the one that suits, the nearest to it."""
        now = self.options.window or automatic or 25
        wider = [window for window in WINDOWS[1:] if (window > now if step > 0 else window < now)]
        if wider:
            window = wider[0] if step > 0 else wider[-1]
            self.by_name[f"window_{window}"].setChecked(True)
            self._take(window=window)

    def _toggle(self, name: str) -> None:
        self._take(**{name: self.by_name[name].isChecked()})

    def _take(self, **changes: object) -> None:
        self.options = replace(self.options, **changes)  # type: ignore[arg-type]
        self.chosen.emit(self.options)
