"""Live curves of the criterion: the selected run in full, overlaid runs, and the baseline."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainterPath, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem, QStackedWidget, QToolButton, QWidget

from fsdesk.app.palette import LIGHT
from fsdesk.app.plots.axes import Crosshair, Readable, ink, plot_widget, show_numbers, show_range
from fsdesk.app.plots.curve_controls import (
    CurveKey,
    CurveLegend,
    CurveMenu,
    CurveOptions,
    curve_colour,
    curve_names,
    curve_style,
)
from fsdesk.app.plots.size_plot import SizePlot
from fsdesk.app.session.run import Run
from fsdesk.app.style import icon, on_theme, tokens
from fsdesk.app.translation import axis_title
from fsdesk.app.widgets import Card, Segments, named
from fsdesk.measure import CRITERIA, Criterion, Measurement
from fsdesk.messages import counted, localised, mark, tr, translated
from fsdesk.results.curves import Trace, drawn, levelled, places_in, time_unit, window_of

Floats = NDArray[np.float64]

_LINE_POINTS, _DOTS, _BAND_POINTS = 500, 1000, 200
_NOTE_PIXELS = 32  # half of the text at the best point
_POINT = 7  # half of the best point
_BELOW, _ABOVE = -0.4, 1.4
_MOST_MARKS = 50
_OTHERS = 0.5
_BESIDE = {0.98: 1.0, 0.02: 0.0, 0.5: 0.5}  # possible positions of the text along its line, and the anchor there
_SIDES = (1.1, -0.1, 2.1, -1.1)  # above and below it, and one text line away, in text heights
_FARTHER = 0.05  # penalty for a text one line away from its line, as a fraction of the text covered


class Line:
    """The moving average of one run; ``x`` and ``y`` are all of its points, in display units.

    ``losses`` are the smallest loss, the value that half of the steps do not exceed, and the largest loss.
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
        """Set the points of a run; time is drawn in units of this many seconds."""
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
        """Provide the points between two ends, at most one per pixel."""
        if self._drawn == (left, right):
            return
        self._drawn = left, right
        places = places_in(self.x, left, right, _LINE_POINTS)
        if self.trace is None or not self.trace.restarts:
            self.item.setData(self.x[places], self.y[places])
            return
        search = np.searchsorted(self.trace.restarts, places, side="right")  # interrupted between two searches
        self.item.setData(self.x[places], self.y[places], connect=np.append(np.diff(search) == 0, False))

    def take_style(self, colour: str, style: Qt.PenStyle, *, shown: bool) -> None:
        """Draw it in a color; the current run is drawn above the others, and bolder."""
        if self._style == (colour, style, shown):
            return
        self._style = colour, style, shown
        pen = ink(colour, 2.0 if shown else 1.3)
        if style != Qt.PenStyle.SolidLine:
            pen.setStyle(style)
        self.item.setPen(pen)
        self.item.setZValue(10 if shown else 5)

    def remove(self) -> None:
        """Remove the line from the plot."""
        self._item.removeItem(self.item)


class Details:
    """Individual candidates, band, result, baseline, held-out error, and marks of the user's changes."""

    def __init__(self, item: Any) -> None:
        self._item = item
        self.raw: Any = pg.ScatterPlotItem(symbol="o", size=3, pen=None)
        item.addItem(self.raw, ignoreBounds=True)
        self.band = QGraphicsPathItem()
        self.band.setZValue(4)
        item.addItem(self.band, ignoreBounds=True)
        self.best: Any = item.plot([], [], pen=None, symbol="d", symbolSize=12)
        self.best.setZValue(20)
        self.note: Any = pg.TextItem("", anchor=(0.5, _BELOW))
        self.note.setZValue(21)
        item.addItem(self.note, ignoreBounds=True)
        options = {"position": 0.98, "anchors": [(1, _SIDES[0])] * 2}
        self.baseline: Any = pg.InfiniteLine(angle=0, label="", labelOpts=options)
        self.honest: Any = pg.InfiniteLine(
            angle=0, label="", labelOpts={"position": 0.02, "anchors": [(0, _SIDES[0])] * 2}
        )
        self.honest_band: Any = pg.LinearRegionItem(orientation="horizontal", movable=False)
        self.honest_band.setZValue(2)
        for line in (self.baseline, self.honest):
            line.setZValue(15)  # their texts are drawn above the curves
        for each in (self.baseline, self.honest, self.honest_band):
            each.hide()
            item.addItem(each, ignoreBounds=True)
        self.marks: list[Any] = []

    def show(self, line: Line | None, options: CurveOptions, view: tuple[float, float], seconds: float) -> None:
        """Draw a run between the ends of the view, or nothing if there is no run."""
        trace = None if line is None else line.trace
        if line is None or trace is None or not len(trace):
            self.raw.setData([], [])
            self.band.setPath(QPainterPath())
        else:
            self._show_steps(line, trace, options, view)
        self._show_best(trace, options, seconds)
        self._show_honest(trace)
        self._show_marks(trace, options, seconds)

    def _show_steps(self, line: Line, trace: Trace, options: CurveOptions, view: tuple[float, float]) -> None:
        places = places_in(line.x, *view, _DOTS) if options.steps else np.empty(0, dtype=np.int64)
        self.raw.setData(line.x[places], trace.values[places])
        if not options.band:
            self.band.setPath(QPainterPath())
            return
        few = places_in(line.x, *view, _BAND_POINTS)
        spread = levelled(line.x, trace.smooth_spreads(options.window))[few]
        x, middle = line.x[few], line.y[few]
        band = QPainterPath()
        for part in np.split(np.arange(len(few)), np.searchsorted(few, trace.restarts)):  # one for each search
            band.addPolygon(_polygon(x[part], (middle - spread)[part], (middle + spread)[part]))
        self.band.setPath(band)

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
        self.honest.label.setFormat(tr("held-out rows {value}", value=localised(trace.judged.text(honest.mean))))
        if interval is not None:
            low, high = sorted(drawn(trace.judged, np.array(interval)).tolist())
            self.honest_band.setRegion((low, high))

    def show_baseline(self, trace: Trace | None) -> None:
        """The line of all features, available before any candidate."""
        shown = trace is not None and trace.baseline is not None
        self.baseline.setVisible(shown)
        if trace is not None and trace.baseline is not None:
            self.baseline.setPos(float(drawn(trace.judged, np.array([trace.baseline]))[0]))
            value = localised(trace.judged.text(trace.baseline))
            self.baseline.label.setFormat(f"{trace.baseline_title} {value}")

    def _show_marks(self, trace: Trace | None, options: CurveOptions, seconds: float) -> None:
        steerings = trace.steerings[-_MOST_MARKS:] if trace is not None and options.marks else ()
        while len(self.marks) > len(steerings):
            self._item.removeItem(self.marks.pop())
        while len(self.marks) < len(steerings):
            mark: Any = pg.InfiniteLine(angle=90, label="", labelOpts={"position": 0.01, "anchors": [(0, 1), (1, 1)]})
            self._item.addItem(mark, ignoreBounds=True)
            self.marks.append(mark)
            self._colour_mark(mark)
        for mark, (number, sentence) in zip(self.marks, steerings, strict=True):
            assert trace is not None
            mark.setPos(trace.place_of(number, options.axis) / (seconds if options.axis == "time" else 1.0))
            mark.label.setFormat(tr("changed by hand") if number == steerings[-1][0] else "")
            mark.setToolTip(translated(sentence))
            mark.label.setToolTip(translated(sentence))

    def turn_note(self, box: Any, *, below: bool) -> None:
        """Write the best value below or above its point, inside the plot."""
        (left, right), _ = box.viewRange()
        place = self.note.pos().x()
        margin = (right - left) * _NOTE_PIXELS / max(1.0, box.width())
        side = 1.0 if place > right - margin else 0.0 if place < left + margin else 0.5
        self.note.setAnchor((side, _BELOW if below else _ABOVE))

    def place_words(self, box: Any, curves: Sequence[tuple[Floats, Floats]]) -> None:
        """Label the two lines where the texts cover no curves, lines or other texts, if possible."""
        (left, right), (low, high) = box.viewRange()
        room = QRectF(0, 0, max(1.0, box.width()), max(1.0, box.height()))

        def pixels(x: Any, y: Any) -> tuple[Any, Any]:
            return (x - left) * room.width() / (right - left), (y - low) * room.height() / (high - low)

        lines = [line for line in (self.baseline, self.honest) if line.isVisible()]
        levels = [(np.array([left, right]), np.full(2, line.value())) for line in lines]
        steps = [pixels(*curve) for curve in curves if len(curve[0])]
        drawn_ones = [*steps, *(pixels(*level) for level in levels)]
        taken: list[QRectF] = []

        def cost(area: QRectF) -> float:
            hidden = sum(_covered(area, *curve) for curve in drawn_ones)
            return hidden + any(map(area.intersects, taken)) + 2 * (not room.contains(area))

        if self.note.toPlainText():  # the best point with its text, on the other side if that hides fewer steps
            at = pixels(self.note.pos().x(), self.note.pos().y())
            beside, usual = self.note.anchor
            areas = {side: _area(self.note, at, (beside, side)) for side in (usual, _BELOW + _ABOVE - usual)}
            side = min(areas, key=lambda side: sum(_covered(areas[side], *curve) for curve in steps))
            self.note.setAnchor((beside, side))
            taken = [areas[side], QRectF(at[0] - _POINT, at[1] - _POINT, 2 * _POINT, 2 * _POINT)]

        for line in lines:
            label, usual = line.label, 0.98 if line is self.baseline else 0.02
            now = label.orthoPos, label.anchors[0][1]
            areas = {
                (along, side): _area(label, (along * room.width(), pixels(0, line.value())[1]), (beside, side))
                for (along, beside), side in product(_BESIDE.items(), _SIDES)
            }
            ordered = sorted(areas, key=lambda place: (place != now, place[0] != usual))
            along, side = min(ordered, key=lambda place: cost(areas[place]) + _FARTHER * (place[1] in _SIDES[2:]))
            label.anchors = [(_BESIDE[along], side)] * 2
            label.setPosition(along)
            taken.append(areas[along, side])

    def take_colours(self, colour: str) -> None:
        """Use the colors of the theme and the run."""
        faint, band = QColor(colour), QColor(colour)
        faint.setAlpha(100)
        band.setAlpha(46)
        self.raw.setBrush(faint)
        self.band.setBrush(band)
        self.band.setPen(ink(colour, 0, 0))
        self.best.setSymbolBrush(QColor(colour))
        self.best.setSymbolPen(ink(tokens().surface, 2))
        self.note.setColor(QColor(tokens().text))
        self.baseline.setPen(ink(tokens().line_baseline, 1.5, dashed=True))
        self.baseline.label.setColor(QColor(tokens().muted))
        pen = ink(tokens().success, 1.5)
        pen.setDashPattern([8, 3, 2, 3])
        self.honest.setPen(pen)
        self.honest.label.setColor(QColor(tokens().success))
        ground = QColor(tokens().surface)
        ground.setAlpha(200)
        for label in (self.baseline.label, self.honest.label, self.note):
            label.fill = pg.mkBrush(ground)
        region = QColor(tokens().success)
        region.setAlpha(20)  # a band as wide as the plot must not fill it
        self.honest_band.setBrush(region)
        for edge in self.honest_band.lines:
            edge.setPen(ink(tokens().success, 0, 0))
        for each in self.marks:
            self._colour_mark(each)

    @staticmethod
    def _colour_mark(mark: Any) -> None:
        mark.setPen(ink(tokens().muted, 1.5, dashed=True))
        mark.label.setColor(QColor(tokens().muted))


def _area(words: Any, at: tuple[float, float], anchor: tuple[float, float]) -> QRectF:
    """Rectangle of a text anchored at a point, in pixels from the lower left corner."""
    wide, high = words.boundingRect().width(), words.boundingRect().height()
    return QRectF(at[0] - anchor[0] * wide, at[1] + (anchor[1] - 1) * high, wide, high)


def _covered(area: QRectF, x: Floats, y: Floats) -> float:
    """Fraction of an area's width crossed by a curve."""
    along = np.linspace(area.left(), area.right(), 32)
    heights = np.interp(along, x, y, left=np.nan, right=np.nan)
    return float(np.mean((heights > area.top()) & (heights < area.bottom())))


def _polygon(x: Floats, low: Floats, high: Floats) -> QPolygonF:
    there = [QPointF(a, b) for a, b in zip(x.tolist(), high.tolist(), strict=True)]
    back = [QPointF(a, b) for a, b in zip(x[::-1].tolist(), low[::-1].tolist(), strict=True)]
    return QPolygonF(there + back)


def extent(lines: Sequence[Line], shown: Line | None) -> tuple[float, float, float]:
    """Right end, best and worst loss of the averages of lines with points.

    For lines other than the current one, the worse half is ignored: the first steps of a method that starts without
    features would compress all others. A single line is shown completely.
    """
    return (
        max(float(line.x[-1]) for line in lines),
        min(line.losses[0] for line in lines),
        max(line.losses[2 if line is shown or len(lines) == 1 else 1] for line in lines),
    )


def roomy(
    sign: float, low: float, high: float, pixels: float, *, percent: bool, steered: bool = False
) -> tuple[float, float]:
    """Limits of the axis for values from ``low`` to ``high`` times ``sign``, with room for the texts."""
    least = 0.5 if percent else 0.01 * max(abs(low), abs(high), 1e-6)
    room = max(least, 0.12 * (high - low))
    # The line of all features has its text above it, the best value is beyond its point.
    best = 46 if steered and sign > 0 else 32  # marks of the user's changes are below the best value
    for_each_pixel = (high - low) / max(30.0, max(60.0, pixels) - 20 - best)
    room = max(room, 20 * for_each_pixel)
    beyond = max(room, best * for_each_pixel)
    bottom, top = sorted((sign * (low - beyond), sign * (high + room)))
    return bottom, top


_AXIS_PIXELS, _SETTLE_MS = 12, 40  # pixels by which numbers at the axis may vary without redrawing
_LEGEND_FROM = 2
_WIDE = 640
_INVITATION = mark("Press Run (F5) to start. Every step of the search is drawn here.")


class ErrorPlot(Card):
    """The criterion against iterations and, once the finalists have been remeasured, against the number of features.

    Parameters
    ----------
    runs
        All runs whose curves can be shown beside the current one.

    Signals: ``save_wanted`` with a suffix such as "png"; ``picked`` with mask, loss and standard error of a finalist
    chosen instead of the result, None for the result.
    """

    save_wanted = Signal(str)
    picked = Signal(object)

    def __init__(self, runs: Callable[[], Iterable[Run]] = tuple) -> None:
        super().__init__(tr("Error"))
        self.setObjectName("errorCard")
        self._runs = runs
        self.run: Run | None = None
        self.options = CurveOptions()
        self.lines: dict[int, Line] = {}
        self._names: dict[int, str] = {}
        self._kept: dict[int, tuple[object, Trace, Run]] = {}
        self._unit, self._seconds = "s", 1.0
        self.plot = plot_widget("errorPlot", tr("Error against iteration"), left=tr("Error, %"))
        item = self.plot.getPlotItem()
        item.showGrid(y=True, alpha=0.12)
        self.details = Details(item)
        self.sizes = SizePlot()
        self._views = QStackedWidget()
        self._views.addWidget(self.plot)
        self._views.addWidget(self.sizes.plot)
        self.against = Segments("against", {"steps": tr("By step"), "size": tr("By size")})
        self.against.buttons["size"].setToolTip(tr("Re-estimated subsets of every size: click one to choose it."))
        self.against.chosen.connect(self._choose_view)
        self._add_menu()
        self._key = CurveKey()
        self.head.insertWidget(2, self._key)
        self.legend = CurveLegend()
        self.legend.toggled.connect(self._toggle)
        self.body.addWidget(self.legend)
        self.add_content(self._views, tr(_INVITATION))
        self.follow = True
        self._fitting = False
        self._size = (0, 0)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._connect()
        on_theme(self._take_colours)
        self.show_run(None)

    def _connect(self) -> None:
        self.plot.getViewBox().sigResized.connect(lambda _: self._settle.start())
        self._settle.timeout.connect(self._take_room)
        self.plot.getViewBox().sigRangeChangedManually.connect(self._on_moved)
        self.plot.getViewBox().sigXRangeChanged.connect(self._on_range)
        self.plot.scene().sigMouseClicked.connect(lambda event: self.show_all() if event.double() else None)
        self.crosshair = Crosshair(self.plot, self._readables)
        self.crosshair.reset_wanted.connect(self.show_all)
        self.crosshair.smoother_wanted.connect(lambda step: self.menu.change_window(step, window_of(self.points, 0)))
        self.sizes.picked.connect(self.picked)
        self.plot.setAccessibleDescription(  # not a tooltip, which would cover the curves being read
            tr(
                "Drag to pan, scroll to zoom, double-click to reset. Keyboard: arrow keys read the values, + and − "
                "zoom, 0 resets, [ and ] change the moving average."
            )
        )

    def _add_menu(self) -> None:
        self.menu = CurveMenu(self)
        self.menu.chosen.connect(self._take_options)
        self.menu.reset_wanted.connect(self.show_all)
        self.menu.save_wanted.connect(self.save_wanted)
        self.menu.copy_wanted.connect(lambda: QGuiApplication.clipboard().setPixmap(self._views.grab()))
        self.more = QToolButton()
        named(self.more, "curveMenuButton", tr("Display options and saving"))
        self.more.setToolTip(tr("Axis, moving average, and saving the plot or its values"))
        self.more.setIconSize(QSize(18, 18))
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setMenu(self.menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.head.addWidget(self.against)
        self.head.addWidget(self.more)
        for plot in (self.plot, self.sizes.plot):
            widget: QWidget = plot
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(
                lambda place, widget=widget: self.menu.popup(widget.mapToGlobal(place))
            )

    def _choose_view(self, key: str) -> None:
        self._show_view(key)
        self.refresh()

    def _show_view(self, key: str) -> None:
        self.against.select(key)
        self._views.setCurrentIndex(int(key == "size"))
        self.menu.show_for(key)
        self.crosshair.hide()  # hidden points are not marked, here and in the heatmap
        self._show_keys()

    def _show_keys(self) -> None:
        steps = self.against.key == "steps"
        self._key.setVisible(steps and self.width() >= _WIDE)
        self.legend.setVisible(steps and self.run is not None and len(self._names) >= _LEGEND_FROM)

    def _on_moved(self, *_: object) -> None:
        self.follow = False

    def _on_range(self, *_: object) -> None:
        if not self._fitting:
            self._draw()

    def show_all(self) -> None:
        """Show everything again after zooming."""
        self.follow = True
        self.refresh()
        if self.run is not None:
            self.sizes.show_state(self.run.state, curve_colour(self.run, tokens()))

    def _take_options(self, options: CurveOptions) -> None:
        if options.axis != self.options.axis:
            self.follow = True
            self.crosshair.hide()
        self.options = options
        self.refresh()

    def _toggle(self, run: Run, on: bool) -> None:
        if run is not self.run:
            run.shown_in_curves = on
        self.refresh()

    def show_run(self, run: Run | None) -> None:
        """Show another run; the curves of others stay."""
        self.run = run
        self.follow = True
        self.crosshair.hide()
        self.sizes.forget()
        self._show_view("steps")
        self._colour()
        self.refresh()

    def _name(self, criterion: Criterion) -> None:
        """Heading and axes; the criterion of a run that was just submitted is not known yet."""
        item, title = self.plot.getPlotItem(), translated(criterion.title)
        if self.heading.text() != title:
            self.heading.setText(title)
            self.plot.setAccessibleName(tr("{criterion} of the search, step by step", criterion=title))
        text = self._axis_text(criterion)
        if item.getAxis("left").labelText != text:
            item.getAxis("left").setLabel(text)
        words = {
            "iteration": "",
            "measurement": tr("measurements"),
            "time": tr("time spent measuring, {unit}", unit=self._unit),
        }[self.options.axis]
        bottom = item.getAxis("bottom")
        if bottom.labelText != words:
            bottom.setLabel(words)
            bottom.showLabel(bool(words))

    def _axis_text(self, criterion: Criterion) -> str:
        """The quantity on the axis, wrapped to fit its height; it says that these rows chose the features."""
        words = tr("on the rows used for selection")
        room, written = self.plot.getViewBox().height(), self.plot.fontMetrics().horizontalAdvance
        lines = [f"{axis_title(criterion)}, {words}"]
        if written(lines[0]) > room:
            lines = [axis_title(criterion), words]
        if written(words) > room:
            first, second = _halves(words)
            lines = [axis_title(criterion), first, second]
        return "<br>".join(lines)

    @property
    def _criterion(self) -> Criterion:
        return CRITERIA["error"] if self.run is None else self.run.state.criterion

    @property
    def points(self) -> int:
        """Number of points of the current run that can be drawn."""
        line = self.lines.get(self.run.id) if self.run is not None else None
        return 0 if line is None else len(line.x)

    def iterations(self) -> tuple[Floats, Floats] | None:
        """Positions of the current run's iterations on the axis; None if the axis counts iterations."""
        if self.run is None or self.options.axis == "iteration":
            return None
        state = self.run.state
        places = state.numbers.view if self.options.axis == "measurement" else state.times.view / self._seconds
        return places, state.iterations.view

    def traces(self) -> list[Trace]:
        """The curves that are drawn, that of the current run last."""
        return [line.trace for line in self._ordered() if line.trace is not None]

    def _ordered(self) -> list[Line]:
        shown = -1 if self.run is None else self.run.id
        return [self.lines[each] for each in sorted(self.lines, key=lambda each: (each == shown, each))]

    def _drawn_runs(self) -> list[Run]:
        run = self.run
        if run is None:
            return []
        others = [each for each in self._runs() if each.shown_in_curves and each is not run]
        return [*(each for each in others if each.state.criterion.name == run.state.criterion.name), run]

    def refresh(self) -> None:
        """Draw the current state of the runs; the cost depends on the number of visible points, not on p."""
        run, criterion = self.run, self._criterion
        self.against.setVisible(run is not None and len(run.state.confirmed.masks) > 1)
        self.more.setEnabled(run is not None)
        self._take_lines()
        self._name(criterion)
        window = window_of(self.points, self.options.window)
        self._key.show_window(window)
        if run is not None and self.against.key == "size":
            self.sizes.show_state(run.state, curve_colour(run, tokens()))
        shown = None if run is None else self.lines[run.id]
        self.details.show_baseline(None if shown is None else shown.trace)
        if self.follow:
            self._fitting = True
            self._fit(shown)
            self._fitting = False
        self._draw()
        baseline = shown is not None and shown.trace is not None and shown.trace.baseline is not None
        anything = baseline or any(len(line.x) for line in self.lines.values())
        show_numbers(self.plot, anything)
        self.set_empty(not anything, _nothing(run))
        self.crosshair.refresh()

    def _take_lines(self) -> None:
        """Keep a line for each run to draw, with its current points."""
        runs = self._drawn_runs()
        every = [*self._runs()] if self.run is not None else []
        if self.run is not None and self.run not in every:
            every.append(self.run)
        if [run.id for run in every] != list(self._names):
            self._names = curve_names(every)
        self.legend.show_runs(every, self.run)
        self._show_keys()
        item = self.plot.getPlotItem()
        for gone in set(self.lines) - {run.id for run in runs}:
            self.lines.pop(gone).remove()
            self._kept.pop(gone, None)  # it refers to the run, which may be deleted
        traces = {run.id: self._trace(run) for run in runs}
        most = max((float(trace.seconds[-1]) for trace in traces.values() if len(trace)), default=0.0)
        self._unit, self._seconds = time_unit(most)
        for run in runs:
            if run.id not in self.lines:
                self.lines[run.id] = Line(item)
            line = self.lines[run.id]
            line.take_style(curve_colour(run, tokens()), curve_style(run), shown=run is self.run)
            line.show(traces[run.id], self.options, self._seconds)

    def _trace(self, run: Run) -> Trace:
        """The curve of a run, recreated only if something has changed."""
        shown, state = run is self.run, run.state
        name, best = self._names.get(run.id, ""), state.best
        key = (state.errors.size, state.baseline, best and (best.number, best.mean), len(state.steerings), shown,
               len(run.evidence), name, run.colour_index)  # fmt: skip
        kept = self._kept.get(run.id)
        if kept is None or kept[0] != key or kept[2] is not run:
            error = run.honest if shown else None
            honest = None if error is None else Measurement(np.array([error.value]))
            ends = None if error is None or error.low is None or error.high is None else (error.low, error.high)
            kept = key, Trace.of(state, name, honest, curve_colour(run, LIGHT), shown, ends), run  # prints are on white
            self._kept[run.id] = kept
        return kept[1]

    def _draw(self) -> None:
        """Draw the visible part."""
        (left, right), _ = self.plot.getViewBox().viewRange()
        for line in self.lines.values():
            line.draw(left, right)
        shown = None if self.run is None else self.lines.get(self.run.id)
        self.details.show(shown, self.options, (left, right), self._seconds)
        self.details.turn_note(self.plot.getViewBox(), below=self._criterion.direction == "lower")
        self.details.place_words(self.plot.getViewBox(), [(line.x, line.y) for line in self.lines.values()])

    def _fit(self, shown: Line | None) -> None:
        """Show everything except a few of the worst points; inverted if higher values are better."""
        lines = [line for line in self.lines.values() if len(line.x)]
        trace = None if shown is None else shown.trace
        if trace is None:
            return
        criterion = self._criterion
        losses = [trace.baseline, trace.best and trace.best[1], trace.honest and trace.honest.mean]
        marks = drawn(criterion, np.array([loss for loss in losses if loss is not None], dtype=np.float64))
        marks = marks[np.isfinite(marks)]
        if not lines:
            if len(marks):
                show_range(self.plot, (0, 20), (0.0, 2 * float(marks[0]) or 1.0))
            return
        sign = 1.0 if criterion.direction == "lower" else -1.0
        end, low, high = extent(lines, shown)
        values = sign * trace.values if self.options.steps and len(trace) else np.empty(0)
        low = min(low, float(values.min(initial=np.inf)), float((sign * marks).min(initial=np.inf)))
        worst = float(np.quantile(values, 0.99)) if 0 < len(values) < 5000 else -np.inf
        high = max(high, worst, float((sign * marks).max(initial=-np.inf)))
        self._show_range(sign, low, high, end, steered=bool(trace.steerings) and self.options.marks)

    def _show_range(self, sign: float, low: float, high: float, end: float, *, steered: bool) -> None:
        shortest = 20.0 if self.options.axis != "time" else 1e-3
        last = max(shortest, end)
        pixels, percent = float(self.plot.getViewBox().height()), self._criterion.unit == "%"
        bottom, top = roomy(sign, low, high, pixels, percent=percent, steered=steered)
        self.plot.getPlotItem().getAxis("left").percent = percent
        show_range(self.plot, (-0.02 * last, 1.02 * last), (bottom, top))

    def _take_room(self) -> None:
        """Give texts a larger share of a smaller plot, once the last of several size changes is over."""
        size = (int(self.plot.getViewBox().width()), int(self.plot.getViewBox().height()))
        if abs(size[0] - self._size[0]) > _AXIS_PIXELS or size[1] != self._size[1]:
            self._size = size
            self.refresh()

    def _readables(self) -> list[Readable]:
        """The lines that can be read, the current run first."""
        lines = [line for line in reversed(self._ordered()) if line.trace is not None]
        return [Readable(line.x, line.y, partial(self._reading, line)) for line in lines]

    def _reading(self, line: Line, place: int) -> str:
        trace = line.trace
        assert trace is not None
        criterion = trace.judged
        where = {
            "iteration": tr("iteration {number:,}", number=int(trace.iterations[place])),
            "measurement": tr("measurement {number:,}", number=int(trace.numbers[place])),
            "time": tr("{time:.3g} {unit}", time=line.x[place], unit=self._unit),
        }[self.options.axis]
        value = localised(criterion.text(float(trace.losses[place])))
        error = float(trace.std_errors[place])
        value = f"{translated(criterion.title)} {value}"
        if error > 0:
            spread = localised(criterion.deviation(error))
            value = tr("{value} (± {spread} over the repeats only)", value=value, spread=spread)
        first = ", ".join([where, value, counted(int(trace.sizes[place]), "feature")])
        second = tr("average {value:.3g}{unit}", value=float(line.y[place]), unit=" %" * (criterion.unit == "%"))
        steered = [translated(sentence) for number, sentence in trace.steerings if number == int(trace.numbers[place])]
        return "\n".join([first, " · ".join([second, trace.name] if trace.name else [second]), *steered])

    def _colour(self) -> None:
        if self.run is not None:
            colour = curve_colour(self.run, tokens())
            self.details.take_colours(colour)
            self._key.show_colour(colour)

    def _take_colours(self) -> None:
        self.more.setIcon(icon("more"))
        if self.run is not None:
            self._colour()
            self.refresh()


def _halves(words: str) -> tuple[str, str]:
    """Split a text into two lines of similar length."""
    spaces = [place for place, letter in enumerate(words) if letter == " "]
    middle = min(spaces, key=lambda place: abs(place - len(words) / 2), default=len(words))
    return words[:middle], words[middle + 1 :]


def _nothing(run: Run | None) -> str:
    """Why there is no curve."""
    if run is None:
        return tr(_INVITATION)
    if run.state.evaluations and not run.active:
        return tr("The model could not be trained on any subset; see the Result page for the reason.")
    return tr("Nothing has been measured in this run yet. Every step will be drawn here.")
