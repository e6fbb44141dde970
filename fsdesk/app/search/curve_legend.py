"""The legend of the curves: a check mark, a colour and a name for every run, in one line that scrolls."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QScrollArea, QWidget

from fsdesk.app.look.parts import named
from fsdesk.app.look.tokens import LIGHT, RUN_COLOURS, SPACE, Tokens
from fsdesk.app.look.translation import declared, tr
from fsdesk.app.work.runs import Run
from fsdesk.methods import METHODS
from fsdesk.wrappers import WRAPPERS

__all__ = ["CurveLegend", "curve_colour", "curve_names", "curve_style"]

_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SWATCH = QSize(22, 10)


def curve_names(runs: Sequence[Run]) -> dict[int, str]:
    """What the legend calls each run, by its id: method and seed, and of the rest what tells them apart."""
    data = {run.spec.data_name for run in runs}
    models = {run.spec.wrapper for run in runs}
    names: dict[int, str] = {}
    for run in runs:
        spec = run.spec
        parts = [spec.data_name] if len(data) > 1 else []
        parts.append(declared(METHODS[spec.method].brief))
        parts += [declared(WRAPPERS[spec.wrapper].title)] if len(models) > 1 else []
        names[run.id] = " · ".join([*parts, tr("seed {seed}", seed=spec.seed)])
    twice = {name for name in names.values() if list(names.values()).count(name) > 1}
    return {
        number: tr("{name} (run {id})", name=name, id=number) if name in twice else name
        for number, name in names.items()
    }


def curve_colour(run: Run, tokens: Tokens) -> str:
    """The colour of its tag and its curve."""
    colours = RUN_COLOURS[tokens.mode]
    return colours[run.colour_index % len(colours)]


def curve_style(run: Run) -> Qt.PenStyle:
    """Where colours come again, lines are broken otherwise."""
    return _STYLES[(run.id - 1) // len(RUN_COLOURS["light"]) % len(_STYLES)]


class CurveLegend(QScrollArea):
    """``toggled`` tells a run whose curve the user wants, or wants no more."""

    toggled = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        named(self, "curveLegend", tr("Curves of runs to show together"))
        self.boxes: dict[int, QCheckBox] = {}
        self._runs: list[Run] = []
        self._shown: Run | None = None
        self._tokens = LIGHT
        self._inner = QWidget()
        self._inner.setProperty("surface", "plain")
        self._line = QHBoxLayout(self._inner)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(2 * SPACE)
        self._line.addStretch(1)
        self.setWidget(self._inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._high = self.fontMetrics().height() + SPACE + 4
        self.setFixedHeight(self._high)
        self.horizontalScrollBar().rangeChanged.connect(self._make_room)

    def show_runs(self, runs: Sequence[Run], shown: Run | None) -> None:
        """Show these runs; the one that the page shows is always drawn, those of another criterion cannot be."""
        if [run.id for run in runs] != [run.id for run in self._runs]:
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
            quiet = box.blockSignals(True)
            box.setChecked(run is shown or (run.shown_in_curves and fits))
            box.blockSignals(quiet)
            box.setEnabled(fits)
            tip = (
                tr("This run is shown with all its details.")
                if run is shown
                else ""
                if fits
                else tr("Measured as {criterion}: it has another axis.", criterion=declared(run.state.criterion.title))
            )
            box.setToolTip(tip)

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
        """For the scroll bar, without which nobody would know of the runs that are out of sight."""
        self.setFixedHeight(self._high + (self.horizontalScrollBar().sizeHint().height() if last > first else 0))

    def _colour(self) -> None:
        for run in self._runs:
            self.boxes[run.id].setIcon(_swatch(curve_colour(run, self._tokens), curve_style(run)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel goes along the line."""
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - event.angleDelta().y() - event.angleDelta().x())
        event.accept()

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        self._colour()


def _swatch(colour: str, style: Qt.PenStyle) -> QIcon:
    picture = QPixmap(_SWATCH * 2)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    pen = QPen(QColor(colour), 3)
    pen.setStyle(style)
    painter.setPen(pen)
    painter.drawLine(0, _SWATCH.height() // 2, _SWATCH.width(), _SWATCH.height() // 2)
    painter.end()
    return QIcon(picture)
