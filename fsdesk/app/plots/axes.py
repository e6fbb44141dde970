"""What all plots share: a frameless pyqtgraph view in the colours of the theme."""

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QColor, QFont, QPen
from PySide6.QtWidgets import QApplication, QWidget

from fsdesk.app.palette import Tokens
from fsdesk.messages import localised, number

__all__ = ["dress", "ink", "plot_widget", "show_numbers", "show_range"]


class _Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis with numbers as the language writes them.

    ``counts``: ticks at whole numbers alone; ``percent``: nothing is written below 0 and above 100; ``powers``: places
    are logarithms, to the base 10, of what is written there; ``blank``: there are no values yet, so no numbers either.
    """

    counts = percent = powers = blank = False

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Steps, of one or more for counts."""
        steps: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        return [pair for pair in steps if pair[0] >= 1] or [(1.0, 0.0)] if self.counts else steps

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Places of ticks, those of logarithms at 1, 2 and 5 times a power of ten where they go over some of these."""
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
        """Numbers where there can be values."""
        if self.blank:
            return [""] * len(values)
        if self.powers:
            return [number(round(10.0**value)) for value in values]
        texts: list[str] = super().tickStrings(values, scale, spacing)
        possible = (not self.percent or -1e-9 <= value * scale <= 100 + 1e-9 for value in values)
        return [_written(text) if fits else "" for text, fits in zip(texts, possible, strict=True)]


def _written(text: str) -> str:
    return number(int(text)) if text.lstrip("-").isdecimal() else localised(text)


def plot_widget(name: str, spoken: str, *, left: str = "", bottom: str = "", counts: bool = False) -> Any:
    """Make a plot without clutter: two axes, no frame, no context menu; ``counts``: ticks at whole numbers alone."""
    axes = {side: _Axis(side) for side in ("left", "bottom")}
    axes["bottom"].counts = counts
    widget = pg.PlotWidget(axisItems=axes, enableMenu=False)
    qt: QWidget = widget
    qt.setObjectName(name)
    qt.setAccessibleName(spoken)
    widget.viewport().setAccessibleName(spoken)  # it takes the keyboard too
    item = widget.getPlotItem()
    item.hideButtons()
    item.setMenuEnabled(False)
    item.setClipToView(True)
    item.setDownsampling(auto=True, mode="peak")
    item.layout.setContentsMargins(1, 1, 14, 5)  # the last number and the title below stand out over the axes
    for side, text in (("left", left), ("bottom", bottom)):
        axis = item.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setStyle(tickLength=-4, tickTextOffset=6, maxTickLevel=1)
        if text:
            axis.setLabel(text)
    return widget


def show_range(widget: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Show this part of a plot; zooming out ends at half as much again, beyond which there is nothing to see."""
    box = widget.getViewBox()
    box.setLimits(maxXRange=1.5 * abs(x[1] - x[0]), maxYRange=1.5 * abs(y[1] - y[0]))
    box.setRange(xRange=x, yRange=y, padding=0)


def show_numbers(widget: Any, shown: bool) -> None:
    """Write numbers at the axes, or none where nothing is drawn that they could be read for."""
    for side in ("left", "bottom"):
        axis = widget.getPlotItem().getAxis(side)
        if axis.blank is shown:
            axis.blank = not shown
            axis.picture = None
            axis.update()


def dress(widget: Any, tokens: Tokens) -> None:
    """Give a plot the colours of the theme and the small size of the type."""
    widget.setBackground(tokens.surface)
    font = QFont(QApplication.font())
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * 0.9)
    item = widget.getPlotItem()
    for side in ("left", "bottom", "right"):
        axis = item.getAxis(side)
        axis.setPen(pg.mkPen(tokens.border))
        axis.setTextPen(pg.mkPen(tokens.muted))
        axis.setTickFont(font)
        axis.label.setFont(font)
        axis.label.setDefaultTextColor(QColor(tokens.muted))


def ink(colour: str, width: float = 1.0, alpha: int = 255, *, dashed: bool = False) -> QPen:
    """A pen of a colour of the theme."""
    shade = QColor(colour)
    shade.setAlpha(alpha)
    pen: QPen = pg.mkPen(shade, width=width)
    if dashed:
        pen.setDashPattern([4, 4])
    return pen
