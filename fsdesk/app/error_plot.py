"""The live error curve: what every step measured, its moving average, the best so far and the line to beat."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem, QHBoxLayout, QLabel, QSizePolicy

from fsdesk.app.parts import Card, ElidedLabel, label
from fsdesk.app.plots import dress, ink, plot_widget
from fsdesk.app.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.words import percent
from fsdesk.engine import RunState
from fsdesk.results.curve import moving_average

__all__ = ["ErrorPlot", "thinned"]

_POINTS = 1500
_BAND_POINTS = 300
_AXIS_PIXELS = 12  # numbers at the axis may take as much more or less room without another drawing
_NOTE_PIXELS = 32  # half of the words at the best point


def thinned(length: int, most: int) -> NDArray[np.int64]:
    """At most ``most`` places spread over a series of a length, the last one among them."""
    if length <= most:
        return np.arange(length)
    return np.unique(np.linspace(0, length - 1, most).astype(np.int64))


class ErrorPlot(Card):
    """Error in percent against iterations."""

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
        self._note: Any = pg.TextItem("", anchor=(0.5, -0.4))
        item.addItem(self._note, ignoreBounds=True)
        self._swatches: dict[str, QLabel] = {}
        self.head.insertWidget(1, label("by iteration", "caption"))
        self._add_legend()
        self.add_content(self.plot, "Press Run (F5): every step of the search will be drawn here.")
        self.follow = True
        self._size = (0, 0)
        self.plot.getViewBox().sigResized.connect(self._on_resized)
        self.plot.getViewBox().sigRangeChangedManually.connect(self._stop_following)
        self.plot.scene().sigMouseClicked.connect(self._on_click)
        self.plot.setToolTip("Drag to move, wheel to zoom, double click to see all again.")

    def _add_legend(self) -> None:
        legend = QHBoxLayout()
        legend.setSpacing(SPACE // 2)
        for key, text in (
            ("line_raw", "each step"),
            ("line_average", "average ± standard error"),
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
        self.head.addLayout(legend)

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
        self.refresh()

    @property
    def points(self) -> int:
        """Number of points that the moving average is drawn through."""
        x, _ = self._average.getOriginalDataset()
        return 0 if x is None else len(x)

    def refresh(self) -> None:
        """Draw what the state holds now; the cost depends on the number of points shown, not on p."""
        state = self._state
        count = 0 if state is None else state.errors.size
        self.set_empty(state is None)
        if state is None or count == 0:
            for curve in (self._raw, self._average, self._best):
                curve.setData([], [])
            self._band.setPolygon(QPolygonF())
            self._note.setText("")
            self._show_baseline(state)
            return
        x, y = state.iterations.view, 100 * state.errors.view
        window = max(5, min(50, count // 20))
        average = moving_average(y, window)
        some = thinned(count, _POINTS)
        self._raw.setData(x[some], y[some])
        self._average.setData(x[some], average[some])
        few = thinned(count, _BAND_POINTS)
        spread = 100 * moving_average(state.std_errors.view, window)[few]
        self._band.setPolygon(_polygon(x[few], average[few] - spread, average[few] + spread))
        if state.best is not None:
            self._best.setData([state.best.iteration], [100 * state.best.mean])
            self._note.setText(percent(state.best.mean))
            self._note.setPos(state.best.iteration, 100 * state.best.mean)
        self._show_baseline(state)
        if self.follow:
            self._fit(x, y, average)
        self._turn_note()

    def _turn_note(self) -> None:
        """Keep the words at the best point inside the plot."""
        (left, right), _ = self.plot.getViewBox().viewRange()
        place = self._note.pos().x()
        margin = (right - left) * _NOTE_PIXELS / max(1.0, self.plot.getViewBox().width())
        side = 1.0 if place > right - margin else 0.0 if place < left + margin else 0.5
        self._note.setAnchor((side, -0.4))

    def _show_baseline(self, state: RunState | None) -> None:
        shown = state is not None and state.baseline is not None
        self._baseline.setVisible(shown)
        if state is not None and state.baseline is not None:
            self._baseline.setPos(100 * state.baseline)
            self._baseline.label.setFormat(f"all features {percent(state.baseline)}")
            if state.errors.size == 0:
                self.plot.setXRange(0, 20, padding=0)
                self.plot.setYRange(0, 200 * state.baseline or 1.0, padding=0)

    def _fit(self, x: NDArray[np.float64], y: NDArray[np.float64], average: NDArray[np.float64]) -> None:
        assert self._state is not None
        low, high = float(y.min()), float(np.quantile(y, 0.99)) if len(y) < 5000 else float(average.max())
        high = max(high, 100 * (self._state.baseline or 0.0), float(average.max()))
        room = max(0.5, 0.12 * (high - low))
        self.plot.setXRange(0, max(20.0, float(x[-1])), padding=0.02)
        pixels = max(60.0, float(self.plot.getViewBox().height()))
        # The best error is written below its point.
        below = max(room, 32 * (high + room - low) / max(30.0, pixels - 32))
        self.plot.setYRange(low - below, high + room, padding=0)

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


def _polygon(x: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> QPolygonF:
    there = [QPointF(a, b) for a, b in zip(x.tolist(), high.tolist(), strict=True)]
    back = [QPointF(a, b) for a, b in zip(x[::-1].tolist(), low[::-1].tolist(), strict=True)]
    return QPolygonF(there + back)
