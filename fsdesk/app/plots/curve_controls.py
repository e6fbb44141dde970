"""Controls of the error curves: key, legend of runs, menu, saving."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QIcon, QPainter, QPen, QPixmap, QPixmapCache, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QMenu, QScrollArea, QSizePolicy, QWidget

from fsdesk.app.dialogs.dialog import ask_save
from fsdesk.app.palette import RUN_COLOURS, SPACE, Tokens
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.widgets import ElidedLabel, named, panel, row
from fsdesk.messages import current_language, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.curves import Axis
from fsdesk.wrappers import WRAPPERS


class CurveKey(QWidget):
    """The key of the curves: each marker in the color of the current run, with its text."""

    def __init__(self) -> None:
        super().__init__()
        self._signs: list[QLabel] = []
        self._words: dict[str, ElidedLabel] = {}
        line = row(spacing=SPACE // 2)
        self.setLayout(line)
        for key, sign, text in (("raw", "●", tr("each step")), ("average", "━", ""), ("best", "◆", tr("best so far"))):
            self._signs.append(QLabel(sign))
            words = self._words[key] = ElidedLabel("caption")
            words.setText(text)
            words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            line.addSpacing(SPACE)
            line.addWidget(self._signs[-1])
            line.addWidget(words)

    def show_window(self, window: int) -> None:
        """Show the window of the moving average in steps."""
        self._words["average"].setText(tr("average of {count}", count=window) if window > 1 else tr("no average"))

    def show_colour(self, colour: str) -> None:
        """Use the color of another run."""
        for sign in self._signs:
            sign.setStyleSheet(f"color: {colour};")


_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SWATCH = QSize(22, 10)


def curve_names(runs: Sequence[Run]) -> dict[int, str]:
    """Legend texts of runs, by ID: method and seed, and whatever else distinguishes them."""
    data = {run.spec.data_name for run in runs}
    models, seeds = {run.spec.wrapper for run in runs}, {run.spec.seed for run in runs}
    names: dict[int, str] = {}
    for run in runs:
        spec = run.spec
        parts = [spec.data_name] if len(data) > 1 else []
        method, wrapper = translated(METHODS[spec.method].brief), WRAPPERS[spec.wrapper]
        parts.append(method)
        parts += [translated(wrapper.brief)] if len(models) > 1 and not wrapper.model.competes else []
        parts += [tr("seed {seed}", seed=spec.seed)] if len(seeds) > 1 else []
        names[run.id] = run.name or " · ".join(parts)
    twice = {name for name in names.values() if list(names.values()).count(name) > 1}
    return {
        number: tr("{name} (run {id})", name=name, id=number) if name in twice else name
        for number, name in names.items()
    }


def curve_colour(run: Run, tokens: Tokens) -> str:
    """The color of a run's tag and its curve."""
    colours = RUN_COLOURS[tokens.mode]
    return colours[run.colour_index % len(colours)]


def curve_style(run: Run) -> Qt.PenStyle:
    """The line style of a curve; repeated colors have different dash patterns."""
    return _STYLES[(run.id - 1) // len(RUN_COLOURS["light"]) % len(_STYLES)]


class CurveLegend(QScrollArea):
    """``toggled`` sends a run whose curve is switched on or off."""

    toggled = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        named(self, "curveLegend", tr("Curves of runs to show together"))
        self.boxes: dict[int, QCheckBox] = {}
        self._runs: list[Run] = []
        self._shown: Run | None = None
        self._line = row(None, spacing=2 * SPACE)
        self._inner = panel(self._line, "plain")
        self.setWidget(self._inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._high = self.fontMetrics().height() + SPACE + 4
        self.setFixedHeight(self._high)
        self.horizontalScrollBar().rangeChanged.connect(self._make_room)
        on_theme(self._colour)

    def show_runs(self, runs: Sequence[Run], shown: Run | None) -> None:
        """List these runs; the current one is always drawn, those of another criterion cannot be."""
        if [box.text() for box in self.boxes.values()] != [*curve_names(runs).values()]:
            self._remake(runs)
        self._runs = list(runs)
        if shown is not self._shown:
            self._shown = shown
            if shown is not None:
                self._inner.adjustSize()
                self.ensureWidgetVisible(self.boxes[shown.id])
        for run in runs:
            box = self.boxes[run.id]
            fits = shown is not None and run.state.criterion.name == shown.state.criterion.name
            with QSignalBlocker(box):
                box.setChecked(run is shown or (run.shown_in_curves and fits))
            box.setEnabled(fits)
            other = tr(
                "Measured as {criterion}, which needs a different axis.",
                criterion=translated(run.state.criterion.title),
            )
            here = tr("This run is shown in full detail.") if run is shown else ""
            box.setToolTip(here if fits else other)

    def _remake(self, runs: Sequence[Run]) -> None:
        for box in self.boxes.values():
            self._line.removeWidget(box)
            box.hide()
            box.deleteLater()
        self.boxes, names = {}, curve_names(runs)
        for place, run in enumerate(runs):
            box = QCheckBox(names[run.id])
            named(box, f"curve_{run.id}", tr("Curve of {run}", run=names[run.id]))
            box.setIconSize(_SWATCH)
            box.toggled.connect(lambda on, run=run: self.toggled.emit(run, on))
            self.boxes[run.id] = box
            self._line.insertWidget(place, box)
        self._runs = list(runs)
        self._colour()

    def _make_room(self, first: int, last: int) -> None:
        """Leave space for the scroll bar, which shows that some runs are out of view."""
        self.setFixedHeight(self._high + (self.horizontalScrollBar().sizeHint().height() if last > first else 0))

    def _colour(self) -> None:
        for run in self._runs:
            self.boxes[run.id].setIcon(_swatch(curve_colour(run, tokens()), curve_style(run)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - event.angleDelta().y() - event.angleDelta().x())
        event.accept()


def _swatch(colour: str, style: Qt.PenStyle) -> QIcon:
    key, picture = f"swatch_{colour}_{style.name}", QPixmap()
    if QPixmapCache.find(key, picture):  # Qt would cache each new picture, up to 10 MB
        return QIcon(picture)
    picture = QPixmap(_SWATCH * 2)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    pen = QPen(QColor(colour), 3)
    pen.setStyle(style)
    painter.setPen(pen)
    painter.drawLine(0, _SWATCH.height() // 2, _SWATCH.width(), _SWATCH.height() // 2)
    painter.end()
    QPixmapCache.insert(key, picture)
    return QIcon(picture)


WINDOWS = (0, 1, 5, 10, 25, 50, 100, 250, 500)


@dataclass(frozen=True)
class CurveOptions:
    """Display options: the axis, the averaging window in points (0: automatic), and the details."""

    axis: Axis = "iteration"
    window: int = 0
    steps: bool = True
    band: bool = True
    marks: bool = True

    def kept(self) -> str:
        """The options as stored in the program's settings."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, kept: str) -> "CurveOptions":
        """The options stored by :meth:`kept`; invalid input gives the defaults."""
        usual = cls()
        try:
            found = replace(usual, **json.loads(kept))
        except (ValueError, TypeError):
            return usual
        ticks = all(isinstance(each, bool) for each in (found.steps, found.band, found.marks))
        return found if ticks and found.axis in get_args(Axis) and found.window in WINDOWS else usual


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
            ("marks", tr("Show steering")),
        ):
            action = self._add(self, name, text, partial(self._toggle, name))
            action.setCheckable(True)
            action.setChecked(True)
        self.addSeparator()
        self._add(self, "reset", tr("Show all again") + "\t0", self.reset_wanted.emit)
        self.addSeparator()
        for suffix, text in (
            ("png", tr("Save as image (PNG, 300 dpi) …")),
            ("svg", tr("Save as vector graphic (SVG) …")),
            ("pdf", tr("Save for print (PDF) …")),
            ("csv", tr("Save the values (CSV) …")),
        ):
            self._add(self, suffix, text, partial(self.save_wanted.emit, suffix))
        self._add(self, "copy", tr("Copy as image"), self.copy_wanted.emit)

    def _add(self, menu: QMenu, name: str, text: str, slot: Callable[[], object]) -> QAction:
        action = menu.addAction(text)
        action.setObjectName(f"curve_{name}")
        action.triggered.connect(lambda _=False: slot())
        self.by_name[name] = action
        return action

    def _add_axes(self) -> None:
        menu = self.addMenu(tr("Horizontal axis"))
        self.by_name["along"] = menu.menuAction()
        group = QActionGroup(self)
        axes: dict[Axis, str] = {
            "iteration": tr("Iterations of the method"),
            "measurement": tr("Measurements"),
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
            special = {0: tr("Automatic"), 1: tr("None")}
            text = special.get(window) or tr("{count} steps", count=window)
            action = self._add(menu, f"window_{window}", text, partial(self._take, window=window))
            action.setCheckable(True)
            action.setChecked(window == self.options.window)
            group.addAction(action)
        menu.addSeparator()
        # The keys are those of the plot while it has the focus: see Crosshair.
        self._add(menu, "wider", tr("Smoother") + "\t]", partial(self.change_window, 1))
        self._add(menu, "narrower", tr("Rougher") + "\t[", partial(self.change_window, -1))

    def show_for(self, view: str) -> None:
        """Offer the options that apply to the curve by "steps" or by "size"."""
        for name in ("along", "average", "steps", "band", "marks"):
            self.by_name[name].setEnabled(view == "steps")

    def take(self, options: CurveOptions) -> None:
        """Apply stored options."""
        self.options = options
        for name in (f"axis_{options.axis}", f"window_{options.window}"):
            self.by_name[name].setChecked(True)
        for name in ("steps", "band", "marks"):
            self.by_name[name].setChecked(getattr(options, name))
        self.chosen.emit(options)

    def change_window(self, step: int, automatic: int = 0) -> None:
        """Use the next wider or narrower window; from automatic, the nearest to it."""
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


def ask_save_curves(
    parent: QWidget, session: Session, suffix: str, task: Callable[..., Iterator[Any]], *drawn: object
) -> None:
    """Let the user choose a file for the current figure, and have a worker write it with ``task``."""
    kinds = {
        "png": tr("Image, 300 dpi (*.png)"),
        "svg": tr("Drawing (*.svg)"),
        "pdf": tr("For print (*.pdf)"),
        "csv": tr("Values (*.csv)"),
    }[suffix]

    def write(path: Path) -> Awaitable[object]:
        return session.tasks.in_worker(task, *drawn, str(path), current_language().name)

    ask_save(
        parent, session, "curves", tr("Save the curves"), f"curves.{suffix}", kinds, write, tr("saving the curves")
    )
