"""The live curve of the criterion: every step measured, their moving average, the best so far, the line to beat."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem, QHBoxLayout, QLabel, QSizePolicy, QStackedWidget, QWidget

from fsdesk.app.parts import Card, ElidedLabel, Segments
from fsdesk.app.plots import dress, ink, plot_widget
from fsdesk.app.size_plot import SizePlot
from fsdesk.app.tokens import LIGHT, SPACE, Tokens
from fsdesk.engine import RunState
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.results.curve import axis_title, drawn, drawn_error, moving_average

__all__ = ["ErrorPlot", "thinned"]

Floats = NDArray[np.float64]

_POINTS = 1500
_BAND_POINTS = 300
_AXIS_PIXELS = 12  # numbers at the axis may take as much more or less room without another drawing
_NOTE_PIXELS = 32  # half of the words at the best point
_BELOW, _ABOVE = -0.4, 1.4


def thinned(length: int, most: int) -> NDArray[np.int64]:
    """At most ``most`` places spread over a series of a length, the last one among them."""
    if length <= most:
        return np.arange(length)
    return np.unique(np.linspace(0, length - 1, most).astype(np.int64))


class ErrorPlot(Card):
    """The criterion against iterations and, once finalists were measured again, against the number of features."""

    def __init__(self) -> None:
        super().__init__("Error")
        self.setObjectName("errorCard")
        self._tokens = LIGHT
        self._state: RunState | None = None
        self.plot = plot_widget("errorPlot", "Error against iteration", left="Error, %")
        item = self.plot.getPlotItem()
        item.showGrid(y=True, alpha=0.12)
        self._raw: Any = item.plot([], [], pen=None, symbol="o", symbolSize=3, symbolPen=None)
        self._band = QGraphicsPolygonItem()
        item.addItem(self._band, ignoreBounds=True)
        self._average: Any = item.plot([], [], antialias=True)
        self._best: Any = item.plot([], [], pen=None, symbol="o", symbolSize=10)
        self._baseline: Any = pg.InfiniteLine(
            angle=0, label="", labelOpts={"position": 0.98, "anchors": [(1, 1), (1, 1)]}
        )
        self._baseline.hide()
        item.addItem(self._baseline, ignoreBounds=True)
        self._note: Any = pg.TextItem("", anchor=(0.5, _BELOW))
        item.addItem(self._note, ignoreBounds=True)
        self.sizes = SizePlot()
        self._views = QStackedWidget()
        self._views.addWidget(self.plot)
        self._views.addWidget(self.sizes.plot)
        self.against = Segments("against", {"steps": "By step", "size": "By size"})
        self.against.buttons["size"].setToolTip("Subsets of every size that were measured again: choose what you need.")
        self.against.chosen.connect(self._choose_view)
        self.head.addWidget(self.against)
        self._swatches: dict[str, QLabel] = {}
        self._legend = QWidget()
        self._add_legend()
        self.add_content(self._views, "Press Run (F5): every step of the search will be drawn here.")
        self.follow = True
        self._size = (0, 0)
        self.plot.getViewBox().sigResized.connect(self._on_resized)
        self.plot.getViewBox().sigRangeChangedManually.connect(self._stop_following)
        self.plot.scene().sigMouseClicked.connect(self._on_click)
        self.plot.setToolTip(
            "The band around the average is one standard error. "
            "Drag to move, wheel to zoom, double click to see all again."
        )
        self.show_state(None)

    def _add_legend(self) -> None:
        legend = QHBoxLayout(self._legend)
        legend.setContentsMargins(0, 0, 0, 0)
        legend.setSpacing(SPACE // 2)
        for key, text in (
            ("line_raw", "each step"),
            ("line_average", "average"),
            ("line_best", "best so far"),
        ):
            swatch = QLabel("●" if key in ("line_raw", "line_best") else "━")
            self._swatches[key] = swatch
            legend.addSpacing(SPACE)
            legend.addWidget(swatch)
            words = ElidedLabel("caption")
            words.setText(text)
            words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            legend.addWidget(words)
        self.head.insertWidget(2, self._legend)

    def _choose_view(self, key: str) -> None:
        self._show_view(key)
        self.refresh()

    def _show_view(self, key: str) -> None:
        self.against.select(key)
        self._views.setCurrentIndex(int(key == "size"))
        self._legend.setVisible(key == "steps")

    def _stop_following(self, *_: object) -> None:
        self.follow = False

    def _on_click(self, event: Any) -> None:
        if event.double():
            self.follow = True
            self.refresh()

    def show_state(self, state: RunState | None) -> None:
        """Show another run."""
        self._state = state
        self.follow = True
        self._show_view("steps")
        self.refresh()

    def _name(self, criterion: Criterion) -> None:
        """Heading and axis; a run that has just been handed in does not know its criterion yet."""
        if self.heading.text() != criterion.title:
            self.heading.setText(criterion.title)
            self.plot.getPlotItem().getAxis("left").setLabel(axis_title(criterion))
            self.plot.setAccessibleName(f"{criterion.title} against iteration")

    @property
    def _criterion(self) -> Criterion:
        return CRITERIA["error"] if self._state is None else self._state.criterion

    @property
    def points(self) -> int:
        """Number of points that the moving average is drawn through."""
        x, _ = self._average.getOriginalDataset()
        return 0 if x is None else len(x)

    def refresh(self) -> None:
        """Draw what the state holds now; the cost depends on the number of points shown, not on p."""
        state, criterion = self._state, self._criterion
        self._name(criterion)
        self.set_empty(state is None)
        self.against.setVisible(state is not None and len(state.confirmed.masks) > 1)
        if state is not None and self.against.key == "size":
            self.sizes.show_state(state)
        y = drawn(criterion, np.empty(0) if state is None else state.errors.view)
        measured = np.isfinite(y)
        if state is None or not measured.any():
            for curve in (self._raw, self._average, self._best):
                curve.setData([], [])
            self._band.setPolygon(QPolygonF())
            self._note.setText("")
            self._show_baseline(state)
            return
        x, y, errors = state.iterations.view[measured], y[measured], state.std_errors.view[measured]
        count = len(y)
        window = max(5, min(50, count // 20))
        average = moving_average(y, window)
        some = thinned(count, _POINTS)
        self._raw.setData(x[some], y[some])
        self._average.setData(x[some], average[some])
        few = thinned(count, _BAND_POINTS)
        spread = moving_average(drawn_error(criterion, errors), window)[few]
        self._band.setPolygon(_polygon(x[few], average[few] - spread, average[few] + spread))
        self._show_best(state)
        self._show_baseline(state)
        if self.follow:
            self._fit(x, y, average)
        self._turn_note()

    def _show_best(self, state: RunState) -> None:
        best = state.best
        if best is None or not np.isfinite(best.mean):
            self._best.setData([], [])
            self._note.setText("")
            return
        value = float(drawn(state.criterion, np.array([best.mean]))[0])
        self._best.setData([best.iteration], [value])
        self._note.setText(state.criterion.text(best.mean))
        self._note.setPos(best.iteration, value)

    def _turn_note(self) -> None:
        """Keep the words at the best point inside the plot, on the side where there are no others."""
        (left, right), _ = self.plot.getViewBox().viewRange()
        place = self._note.pos().x()
        margin = (right - left) * _NOTE_PIXELS / max(1.0, self.plot.getViewBox().width())
        side = 1.0 if place > right - margin else 0.0 if place < left + margin else 0.5
        self._note.setAnchor((side, _BELOW if self._criterion.direction == "lower" else _ABOVE))

    def _show_baseline(self, state: RunState | None) -> None:
        baseline = None if state is None else state.baseline
        shown = baseline is not None and bool(np.isfinite(baseline))
        self._baseline.setVisible(shown)
        if state is None or baseline is None or not shown:
            return
        value = float(drawn(state.criterion, np.array([baseline]))[0])
        self._baseline.setPos(value)
        self._baseline.label.setFormat(f"all features {state.criterion.text(baseline)}")
        if state.errors.size == 0:
            self.plot.setXRange(0, 20, padding=0)
            low, high = sorted((0.0, 2 * value or 1.0))
            self.plot.setYRange(low, high, padding=0)

    def _fit(self, x: Floats, y: Floats, average: Floats) -> None:
        """Show all, but for a few of the worst points; upside down where a higher value is better."""
        assert self._state is not None
        criterion = self._criterion
        sign = 1.0 if criterion.direction == "lower" else -1.0
        y, average = sign * y, sign * average
        best = self._state.best
        losses = np.array([loss for loss in (self._state.baseline, best and best.mean) if loss is not None])
        marks = sign * drawn(criterion, losses[np.isfinite(losses)])
        low = float(min(y.min(), marks.min(initial=np.inf)))
        high = float(np.quantile(y, 0.99)) if len(y) < 5000 else float(average.max())
        high = max(high, float(average.max()), float(marks.max(initial=-np.inf)))
        least = 0.5 if criterion.unit == "%" else 0.01 * max(abs(low), abs(high), 1e-6)
        room = max(least, 0.12 * (high - low))
        self.plot.setXRange(0, max(20.0, float(x[-1])), padding=0.02)
        pixels = max(60.0, float(self.plot.getViewBox().height()))
        # The line of all features has its words above it, the best value is written beyond its point.
        for_each_pixel = (high - low) / max(30.0, pixels - 52)
        room = max(room, 20 * for_each_pixel)
        beyond = max(room, 32 * for_each_pixel)
        bottom, top = sorted((sign * (low - beyond), sign * (high + room)))
        self.plot.setYRange(bottom, top, padding=0)

    def _on_resized(self) -> None:
        """Less room, more of it for the words; told when the plot inside has its new size, which is after the card."""
        size = (int(self.plot.getViewBox().width()), int(self.plot.getViewBox().height()))
        if abs(size[0] - self._size[0]) > _AXIS_PIXELS or size[1] != self._size[1]:
            self._size = size
            self.refresh()

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        dress(self.plot, tokens)
        self.sizes.dress(tokens)
        raw = QColor(tokens.line_raw)
        raw.setAlpha(110)
        self._raw.setSymbolBrush(raw)
        self._raw.setSymbolPen(None)
        band = QColor(tokens.line_average)
        band.setAlpha(46)
        self._band.setBrush(band)
        self._band.setPen(ink(tokens.line_average, 0, 0))
        self._average.setPen(ink(tokens.line_average, 2.5))
        self._best.setSymbolBrush(QColor(tokens.line_best))
        self._best.setSymbolPen(ink(tokens.surface, 2))
        self._note.setColor(QColor(tokens.text))
        self._baseline.setPen(ink(tokens.line_baseline, 1.5, dashed=True))
        self._baseline.label.setColor(QColor(tokens.muted))
        for key, swatch in self._swatches.items():
            swatch.setStyleSheet(f"color: {getattr(tokens, key)};")


def _polygon(x: Floats, low: Floats, high: Floats) -> QPolygonF:
    there = [QPointF(a, b) for a, b in zip(x.tolist(), high.tolist(), strict=True)]
    back = [QPointF(a, b) for a, b in zip(x[::-1].tolist(), low[::-1].tolist(), strict=True)]
    return QPolygonF(there + back)
