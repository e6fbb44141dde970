"""Shared base of all plots: a frameless pyqtgraph view in the theme colors, with a crosshair that reads values."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QColor, QKeyEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from fsdesk.app.style import on_theme, small, tokens
from fsdesk.messages import localised, number


class _Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis with numbers in the format of the language.

    ``counts``: ticks only at integers; ``percent``: no labels below 0 and above 100; ``powers``: positions are decimal
    logarithms of the labeled values; ``blank``: no values yet, so no numbers either.
    """

    counts = percent = powers = blank = False

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Steps, at least one for counts."""
        steps: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        return [pair for pair in steps if pair[0] >= 1] or [(1.0, 0.0)] if self.counts else steps

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Positions of ticks, for logarithms at 1, 2 and 5 times a power of ten if these are in range."""
        if not self.powers:
            made: list[tuple[float, list[float]]] = super().tickValues(low, high, size)
            return made
        if high - low < 1:
            close = super().tickValues(10.0**low, 10.0**high, size)
            return [(step, [math.log10(each) for each in values if each > 0]) for step, values in close]
        tens = range(math.floor(low), math.ceil(high) + 1)
        marks = [part * 10**ten for ten in tens if ten >= 0 for part in (1, 2, 5)]
        return [(1.0, [place for place in map(math.log10, marks) if low <= place <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Numbers within the valid range."""
        if self.blank:
            return [""] * len(values)
        if self.powers:
            return [number(round(10.0**value)) for value in values]
        texts: list[str] = super().tickStrings(values, scale, spacing)
        possible = (not self.percent or -1e-9 <= value * scale <= 100 + 1e-9 for value in values)
        return [_written(text) if fits else "" for text, fits in zip(texts, possible, strict=True)]


def _written(text: str) -> str:
    return number(int(text)) if text.lstrip("-").isdecimal() else localised(text)


class _Plot(pg.PlotWidget):  # type: ignore[misc]
    """A plot in the colors of the theme, with small axis numbers."""

    def take_colours(self) -> None:
        self.setBackground(tokens().surface)
        font = small(QApplication.font())
        for side in ("left", "bottom", "right"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(pg.mkPen(tokens().border))
            axis.setTextPen(pg.mkPen(tokens().muted))
            axis.setTickFont(font)
            axis.label.setFont(font)
            axis.label.setDefaultTextColor(QColor(tokens().muted))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom; if the surrounding page can scroll, the wheel scrolls it, and zooms with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier or not self._page_scrolls():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _page_scrolls(self) -> bool:
        around = self.parentWidget()
        while around is not None:
            if isinstance(around, QScrollArea) and around.verticalScrollBar().maximum() > 0:
                return True
            around = around.parentWidget()
        return False


def plot_widget(name: str, spoken: str, *, left: str = "", bottom: str = "", counts: bool = False) -> Any:
    """Create an uncluttered plot: two axes, no frame, no context menu; ``counts``: ticks only at integers."""
    axes = {side: _Axis(side) for side in ("left", "bottom")}
    axes["bottom"].counts = counts
    widget = _Plot(axisItems=axes, enableMenu=False)
    qt: QWidget = widget
    qt.setObjectName(name)
    qt.setAccessibleName(spoken)
    widget.viewport().setAccessibleName(spoken)  # it also takes the keyboard focus
    item = widget.getPlotItem()
    qt.destroyed.connect(item.ctrlMenu.deleteLater)  # a separate window, which nobody else deletes
    item.hideButtons()
    item.setMenuEnabled(False)
    item.layout.setContentsMargins(1, 1, 14, 5)  # the last number and the title below extend beyond the axes
    for side, text in (("left", left), ("bottom", bottom)):
        axis = item.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setStyle(tickLength=-4, tickTextOffset=6, maxTickLevel=1)
        if text:
            axis.setLabel(text)
    on_theme(widget.take_colours)
    return widget


def show_range(widget: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Show this part of a plot; zooming out is limited to half as much again."""
    box = widget.getViewBox()
    box.setLimits(maxXRange=1.5 * abs(x[1] - x[0]), maxYRange=1.5 * abs(y[1] - y[0]))
    box.setRange(xRange=x, yRange=y, padding=0)


def show_numbers(widget: Any, shown: bool) -> None:
    """Show numbers at the axes, or none if nothing is drawn."""
    for side in ("left", "bottom"):
        axis = widget.getPlotItem().getAxis(side)
        if axis.blank is shown:
            axis.blank = not shown
            axis.picture = None
            axis.update()


def ink(colour: str, width: float = 1.0, alpha: int = 255, *, dashed: bool = False) -> QPen:
    """A pen in a theme color."""
    shade = QColor(colour)
    shade.setAlpha(alpha)
    pen: QPen = pg.mkPen(shade, width=width)
    if dashed:
        pen.setDashPattern([4, 4])
    return pen


Floats = NDArray[np.float64]
_ZOOM = 0.8
_FEW = 500  # with more points only the one at the x of the mouse is considered


@dataclass(frozen=True, eq=False)
class Readable:
    """A line or cloud of points that can be read: ``x`` increases; ``words`` gives the text for a point."""

    x: Floats
    y: Floats
    words: Callable[[int], str]


class Crosshair(QObject):
    """Left and right keys move between points, up and down between lines, Home and End to the ends; + and - zoom.

    Parameters
    ----------
    plot
        A pyqtgraph PlotWidget.
    readables
        The lines that can currently be read.

    Signals: ``read`` with the crosshair's text, "" when it is hidden; ``stepped`` with the horizontal position reached
    by a key, None when hidden; ``taken`` with line and index of a point that was clicked or chosen by Return;
    ``reset_wanted`` to show everything; ``smoother_wanted`` with 1 or -1 for the keys ] and [.
    """

    read = Signal(str)
    stepped = Signal(object)
    taken = Signal(int, int)
    reset_wanted = Signal()
    smoother_wanted = Signal(int)

    def __init__(self, plot: Any, readables: Callable[[], Sequence[Readable]]) -> None:
        super().__init__(plot)
        self._plot, self._readables = plot, readables
        self.line, self.place = 0, -1
        self.words = ""
        item = plot.getPlotItem()
        self._upright: Any = pg.InfiniteLine(angle=90)
        self._point: Any = pg.ScatterPlotItem(size=9, symbol="o")
        self._text: Any = pg.TextItem("", anchor=(0, 0))
        for each in (self._upright, self._point, self._text):
            each.setZValue(50)
            each.hide()
            item.addItem(each, ignoreBounds=True)
        widget: QWidget = plot
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self)
        plot.scene().sigMouseMoved.connect(self._on_mouse)
        plot.scene().sigMouseClicked.connect(self._on_click)
        item.getViewBox().sigRangeChanged.connect(self._settle_text)
        on_theme(self._take_colours)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the plot; the crosshair follows the mouse and the focus."""
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._means(event):
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._means(event):
            self._on_key(event)
            return True
        if kind in (QEvent.Type.Leave, QEvent.Type.FocusOut):
            self.hide()
        return False

    def _means(self, event: QKeyEvent) -> bool:
        keys = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
                Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus,
                Qt.Key.Key_0, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_BracketLeft,
                Qt.Key.Key_BracketRight)  # fmt: skip
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        return (event.key() in keys and not held) or (event.key() == Qt.Key.Key_Escape and bool(self.words))

    def _on_key(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.hide()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.place >= 0 and self.words:
                self.taken.emit(self.line, self.place)
        elif key == Qt.Key.Key_0:
            self.reset_wanted.emit()
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.smoother_wanted.emit(1 if key == Qt.Key.Key_BracketRight else -1)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self._zoom(1 / _ZOOM if key == Qt.Key.Key_Minus else _ZOOM)
        else:
            self._step(key, far=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def _zoom(self, factor: float) -> None:
        centre = self._point_at() if self.words else None
        box = self._plot.getViewBox()
        box.scaleBy((factor, factor), center=centre)
        box.sigRangeChangedManually.emit([True, True])

    def _step(self, key: int, *, far: bool) -> None:
        readables = self._readables()
        lines = [place for place, each in enumerate(readables) if len(each.x)]
        if not lines:
            return
        if self.line not in lines:
            self.line, self.place = lines[0], -1
        now = readables[self.line]
        count = len(now.x)
        stride = max(1, count // 20) if far or key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) else 1
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1 if key == Qt.Key.Key_Down else -1
            at = now.x[min(self.place, count - 1)] if self.place >= 0 else now.x[-1]
            self.line = lines[(lines.index(self.line) + step) % len(lines)]
            self.place = _nearest(readables[self.line].x, float(at))
        elif self.place < 0:
            self.place = count - 1
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_PageUp):
            self.place = max(0, min(self.place, count - 1) - stride)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_PageDown):
            self.place = min(count - 1, self.place + stride)
        else:
            self.place = 0 if key == Qt.Key.Key_Home else count - 1
        self._show(readables[self.line])
        self._bring_in()
        self.stepped.emit(self._point_at()[0])

    def _bring_in(self) -> None:
        """Scroll until the point is in view."""
        x, _ = self._point_at()
        box = self._plot.getViewBox()
        (left, right), _ = box.viewRange()
        if not left <= x <= right:
            box.translateBy(x=x - (left + right) / 2)
            box.sigRangeChangedManually.emit([True, True])

    def _on_mouse(self, place: QPointF) -> None:
        box = self._plot.getViewBox()
        if not box.sceneBoundingRect().contains(place):
            if not self._plot.hasFocus():
                self.hide()
            return
        found = self.nearest(box.mapSceneToView(place))
        if found is not None:
            self.line, self.place = found
            self._show(self._readables()[self.line])

    def nearest(self, spot: QPointF) -> tuple[int, int] | None:
        """Line and index of the point nearest to a position in the view, in pixels."""
        wide, high = (max(each, 1e-12) for each in self._plot.getViewBox().viewPixelSize())
        best, found = np.inf, None
        for line, each in enumerate(self._readables()):
            if len(each.x):
                place = _nearest(each.x, spot.x())
                near = np.arange(len(each.x)) if len(each.x) <= _FEW else np.array([place])
                apart = np.hypot((each.x[near] - spot.x()) / wide, (each.y[near] - spot.y()) / high)
                if apart.min() < best:
                    best, found = float(apart.min()), (line, int(near[apart.argmin()]))
        return found

    def _on_click(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton or event.double():
            return
        box = self._plot.getViewBox()
        found = self.nearest(box.mapSceneToView(event.scenePos()))
        if found is not None:
            self.taken.emit(*found)

    def _show(self, readable: Readable) -> None:
        if not 0 <= self.place < len(readable.x):
            self.hide()
            return
        x, y = float(readable.x[self.place]), float(readable.y[self.place])
        self._upright.setPos(x)
        self._point.setData([x], [y])
        self.words = readable.words(self.place)
        self._text.setText(self.words)
        for each in (self._upright, self._point, self._text):
            each.show()
        self._settle_text()
        widget: QWidget = self._plot
        if widget.hasFocus() and QAccessible.isActive():
            widget.setAccessibleDescription(self.words)
            QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.DescriptionChanged))
        self.read.emit(self.words)

    def _point_at(self) -> tuple[float, float]:
        x, y = self._point.getData()
        return float(x[0]), float(y[0])

    def _settle_text(self, *_: object) -> None:
        """Place the text in the upper corner on the side opposite to the point."""
        if not self.words:
            return
        (left, right), (low, high) = self._plot.getViewBox().viewRange()
        x, _y = self._point_at()
        on_left = x > (left + right) / 2
        self._text.setAnchor((0, 0) if on_left else (1, 0))
        room = self._plot.getViewBox().boundingRect().width()
        self._text.setTextWidth(-1)
        if self._text.textItem.boundingRect().width() > room:  # it is wrapped rather than cut off
            self._text.setTextWidth(room)
        upper = low if self._plot.getViewBox().yInverted() else high
        self._text.setPos(left if on_left else right, upper)

    def refresh(self) -> None:
        """Update the text at the crosshair after the points have moved."""
        readables = self._readables()
        if self.words:
            if self.line < len(readables):
                self._show(readables[self.line])
            else:
                self.hide()

    def hide(self) -> None:
        """Hide the crosshair."""
        if self.words:
            self.words = ""
            for each in (self._upright, self._point, self._text):
                each.hide()
            self.read.emit("")
            self.stepped.emit(None)

    def _take_colours(self) -> None:
        self._upright.setPen(ink(tokens().muted, 1, dashed=True))
        self._point.setBrush(QColor(tokens().surface))
        self._point.setPen(ink(tokens().text, 2))
        self._text.setColor(QColor(tokens().text))
        self._text.fill = pg.mkBrush(QColor(tokens().surface))  # other texts of the plot must not shine through
        self._text.border = ink(tokens().border)


def _nearest(x: Floats, at: float) -> int:
    place = int(np.searchsorted(x, at))
    if place == 0:
        return 0
    if place == len(x):
        return len(x) - 1
    return place if x[place] - at < at - x[place - 1] else place - 1
