"""What is drawn of runs in the plot of curves: a line for each, and details of the one that is shown."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem

from fsdesk.app.palette import Tokens
from fsdesk.app.plots.axes import ink
from fsdesk.app.plots.curve_controls import CurveOptions
from fsdesk.messages import localised, tr, translated
from fsdesk.results.curves import Trace, drawn, levelled, moving_average, places_in, window_of

__all__ = ["Details", "Line", "extent", "roomy"]


Floats = NDArray[np.float64]

_LINE_POINTS, _DOTS, _BAND_POINTS = 500, 1000, 200
_NOTE_PIXELS = 32  # half of the words at the best point
_BELOW, _ABOVE = -0.4, 1.4
_MOST_MARKS = 50
_OTHERS = 0.5


class Line:
    """The moving average of one run; ``x`` and ``y`` are all its points in the units drawn.

    ``losses`` are the best of them, that which half of the steps do not exceed, and the worst; the lower the better.
    """

    def __init__(self, item: Any) -> None:
        self._item = item
        self.item: Any = pg.PlotCurveItem(antialias=True, skipFiniteCheck=True)
        item.addItem(self.item, ignoreBounds=True)
        self.trace: Trace | None = None
        self.x, self.y = np.empty(0), np.empty(0)
        self._from: tuple[Trace | None, CurveOptions, float] = (None, CurveOptions(), 1.0)
        self.losses = (0.0, 0.0, 0.0)
        self._drawn = (0.0, 0.0)
        self._style: tuple[str, Qt.PenStyle, bool] | None = None

    def show(self, trace: Trace, options: CurveOptions, seconds: float) -> None:
        """Take the points of a run; the time is drawn in units of so many seconds."""
        if (trace, options, seconds) == self._from:
            return
        self._from, self._drawn = (trace, options, seconds), (0.0, 0.0)
        self.trace = trace
        self.x = trace.along(options.axis)
        if options.axis == "time":
            self.x = self.x / seconds
        self.y = levelled(self.x, trace.smooth(options.window))
        if len(self.y):
            losses = self.y if trace.judged.direction == "lower" else -self.y
            steps = losses[np.append(np.diff(self.x) > 0, True)]  # one may take hundreds of measurements
            self.losses = float(losses.min()), float(np.quantile(steps, _OTHERS)), float(losses.max())

    def draw(self, left: float, right: float) -> None:
        """Hand on what is seen between two ends, no more points than there are pixels."""
        if self._drawn == (left, right):
            return
        self._drawn = left, right
        places = places_in(self.x, left, right, _LINE_POINTS)
        self.item.setData(self.x[places], self.y[places])

    def dress(self, colour: str, style: Qt.PenStyle, *, shown: bool) -> None:
        """Draw it in a colour; the run that is shown lies above the others, and is bolder."""
        if self._style == (colour, style, shown):
            return
        self._style = colour, style, shown
        pen = ink(colour, 2.0 if shown else 1.3)
        if style != Qt.PenStyle.SolidLine:
            pen.setStyle(style)
        self.item.setPen(pen)
        self.item.setZValue(10 if shown else 5)

    def remove(self) -> None:
        """Take it out of the plot."""
        self._item.removeItem(self.item)


class Details:
    """Single steps, band, answer, the line to beat, the honest error and marks of what was steered."""

    def __init__(self, item: Any) -> None:
        self._item = item
        self.raw: Any = pg.ScatterPlotItem(symbol="o", size=3, pen=None)
        item.addItem(self.raw, ignoreBounds=True)
        self.band = QGraphicsPolygonItem()
        self.band.setZValue(4)
        item.addItem(self.band, ignoreBounds=True)
        self.best: Any = item.plot([], [], pen=None, symbol="d", symbolSize=12)
        self.best.setZValue(20)
        self.note: Any = pg.TextItem("", anchor=(0.5, _BELOW))
        self.note.setZValue(21)
        item.addItem(self.note, ignoreBounds=True)
        options = {"position": 0.98, "anchors": [(1, 1), (1, 1)]}
        self.baseline: Any = pg.InfiniteLine(angle=0, label="", labelOpts=options)
        self.honest: Any = pg.InfiniteLine(angle=0, label="", labelOpts={"position": 0.02, "anchors": [(0, 1), (0, 1)]})
        self.honest_band: Any = pg.LinearRegionItem(orientation="horizontal", movable=False)
        self.honest_band.setZValue(2)
        for line in (self.baseline, self.honest):
            line.setZValue(15)  # their words lie above the curves
        for each in (self.baseline, self.honest, self.honest_band):
            each.hide()
            item.addItem(each, ignoreBounds=True)
        self.marks: list[Any] = []
        self._tokens: Tokens | None = None

    def show(self, line: Line | None, options: CurveOptions, view: tuple[float, float], seconds: float) -> None:
        """Draw what is known of a run between the ends of the view; nothing where there is no run."""
        trace = None if line is None else line.trace
        if line is None or trace is None or not len(trace):
            self.raw.setData([], [])
            self.band.setPolygon(QPolygonF())
        else:
            self._show_steps(line, trace, options, view)
        self._show_best(trace, options, seconds)
        self._show_honest(trace)
        self._show_marks(trace, options, seconds)

    def _show_steps(self, line: Line, trace: Trace, options: CurveOptions, view: tuple[float, float]) -> None:
        places = places_in(line.x, *view, _DOTS) if options.steps else np.empty(0, dtype=np.int64)
        self.raw.setData(line.x[places], trace.values[places])
        if not options.band:
            self.band.setPolygon(QPolygonF())
            return
        few = places_in(line.x, *view, _BAND_POINTS)
        spread = levelled(line.x, moving_average(trace.spreads, window_of(len(trace), options.window)))[few]
        x, middle = line.x[few], line.y[few]
        self.band.setPolygon(_polygon(x, middle - spread, middle + spread))

    def _show_best(self, trace: Trace | None, options: CurveOptions, seconds: float) -> None:
        if trace is None or trace.best is None:
            self.best.setData([], [])
            self.note.setText("")
            return
        places, loss = trace.best
        x = places[options.axis] / (seconds if options.axis == "time" else 1.0)
        value = float(drawn(trace.judged, np.array([loss]))[0])
        self.best.setData([x], [value])
        self.note.setText(localised(trace.judged.text(loss)))
        self.note.setPos(x, value)

    def _show_honest(self, trace: Trace | None) -> None:
        honest = None if trace is None else trace.honest
        known = honest is not None and bool(np.isfinite(honest.mean))
        self.honest.setVisible(known)
        interval = None if trace is None else trace.honest_interval
        self.honest_band.setVisible(known and interval is not None)
        if trace is None or honest is None or not known:
            return
        value = float(drawn(trace.judged, np.array([honest.mean]))[0])
        self.honest.setPos(value)
        self.honest.label.setFormat(tr("unseen rows {value}", value=localised(trace.judged.text(honest.mean))))
        if interval is not None:
            low, high = sorted(drawn(trace.judged, np.array(interval)).tolist())
            self.honest_band.setRegion((low, high))

    def show_baseline(self, trace: Trace | None) -> None:
        """The line of all features, which is there before any candidate is."""
        shown = trace is not None and trace.baseline is not None
        self.baseline.setVisible(shown)
        if trace is not None and trace.baseline is not None:
            self.baseline.setPos(float(drawn(trace.judged, np.array([trace.baseline]))[0]))
            value = localised(trace.judged.text(trace.baseline))
            self.baseline.label.setFormat(tr("all features {value}", value=value))

    def _show_marks(self, trace: Trace | None, options: CurveOptions, seconds: float) -> None:
        steerings = trace.steerings[-_MOST_MARKS:] if trace is not None and options.marks else ()
        while len(self.marks) > len(steerings):
            self._item.removeItem(self.marks.pop())
        while len(self.marks) < len(steerings):
            mark: Any = pg.InfiniteLine(angle=90, label="", labelOpts={"position": 0.01, "anchors": [(0, 1), (1, 1)]})
            self._item.addItem(mark, ignoreBounds=True)
            self.marks.append(mark)
            self._dress_mark(mark)
        for mark, (number, sentence) in zip(self.marks, steerings, strict=True):
            assert trace is not None
            mark.setPos(trace.place_of(number, options.axis) / (seconds if options.axis == "time" else 1.0))
            mark.label.setFormat(tr("steered") if number == steerings[-1][0] else "")
            mark.setToolTip(translated(sentence))
            mark.label.setToolTip(translated(sentence))

    def turn_note(self, box: Any) -> None:
        """Keep the words at the best point inside the plot, on the side where there are no others."""
        (left, right), _ = box.viewRange()
        place = self.note.pos().x()
        margin = (right - left) * _NOTE_PIXELS / max(1.0, box.width())
        side = 1.0 if place > right - margin else 0.0 if place < left + margin else 0.5
        self.note.setAnchor((side, self.note_side))

    note_side: float = _BELOW

    def put_note(self, *, below: bool) -> None:
        """Write the best value below its point, or above it."""
        self.note_side = _BELOW if below else _ABOVE

    def dress(self, tokens: Tokens, colour: str) -> None:
        """Take the colours of the theme and of the run."""
        self._tokens = tokens
        faint, band = QColor(colour), QColor(colour)
        faint.setAlpha(100)
        band.setAlpha(46)
        self.raw.setBrush(faint)
        self.band.setBrush(band)
        self.band.setPen(ink(colour, 0, 0))
        self.best.setSymbolBrush(QColor(colour))
        self.best.setSymbolPen(ink(tokens.surface, 2))
        self.note.setColor(QColor(tokens.text))
        self.baseline.setPen(ink(tokens.line_baseline, 1.5, dashed=True))
        self.baseline.label.setColor(QColor(tokens.muted))
        pen = ink(tokens.success, 1.5)
        pen.setDashPattern([8, 3, 2, 3])
        self.honest.setPen(pen)
        self.honest.label.setColor(QColor(tokens.success))
        ground = QColor(tokens.surface)
        ground.setAlpha(200)
        for label in (self.baseline.label, self.honest.label, self.note):
            label.fill = pg.mkBrush(ground)
        region = QColor(tokens.success)
        region.setAlpha(20)  # a band as wide as the plot must not colour it
        self.honest_band.setBrush(region)
        for edge in self.honest_band.lines:
            edge.setPen(ink(tokens.success, 0, 0))
        for mark in self.marks:
            self._dress_mark(mark)

    def _dress_mark(self, mark: Any) -> None:
        if self._tokens is not None:
            mark.setPen(ink(self._tokens.muted, 1.5, dashed=True))
            mark.label.setColor(QColor(self._tokens.muted))


def _polygon(x: Floats, low: Floats, high: Floats) -> QPolygonF:
    there = [QPointF(a, b) for a, b in zip(x.tolist(), high.tolist(), strict=True)]
    back = [QPointF(a, b) for a, b in zip(x[::-1].tolist(), low[::-1].tolist(), strict=True)]
    return QPolygonF(there + back)


def extent(lines: Sequence[Line], shown: Line | None) -> tuple[float, float, float]:
    """Right end, best and worst loss of the averages of some lines that have points.

    The worse half of other lines than the one that is shown does not count: the first steps of a method that begins
    with no feature would press all others together. A line that is alone is seen whole.
    """
    return (
        max(float(line.x[-1]) for line in lines),
        min(line.losses[0] for line in lines),
        max(line.losses[2 if line is shown or len(lines) == 1 else 1] for line in lines),
    )


def roomy(
    sign: float, low: float, high: float, pixels: float, *, percent: bool, steered: bool = False
) -> tuple[float, float]:
    """Bottom and top of the axis for values from ``low`` to ``high`` times ``sign``, with room for the words."""
    least = 0.5 if percent else 0.01 * max(abs(low), abs(high), 1e-6)
    room = max(least, 0.12 * (high - low))
    # The line of all features has its words above it, the best value is written beyond its point.
    best = 46 if steered and sign > 0 else 32  # that a search was steered is written below the best value
    for_each_pixel = (high - low) / max(30.0, max(60.0, pixels) - 20 - best)
    room = max(room, 20 * for_each_pixel)
    beyond = max(room, best * for_each_pixel)
    bottom, top = sorted((sign * (low - beyond), sign * (high + room)))
    return bottom, top
