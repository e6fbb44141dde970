"""Boxes of the repeat values of runs, one above the other: median, quartiles, reach, and every value as a dot."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from fsdesk.app.palette import Tokens
from fsdesk.app.plots.axes import dress, ink, plot_widget, show_numbers
from fsdesk.app.translation import axis_title, variant
from fsdesk.messages import tr
from fsdesk.results.comparison import Comparison, Entry
from fsdesk.results.curve import drawn

__all__ = ["BoxPlot"]

_FEWEST = 6
_LINE, _AXIS = 17, 44  # pixels that a box with its name needs, and the axis below
_LEAST_ROOM, _TALLEST = 5, 64  # boxes, and pixels for one of them
_HALF = 0.25  # of the height of a box
_NAME, _LETTER, _NAMES_SHARE = 44, 7, 0.3  # letters of a name at least, pixels of one, their share of the plot


class BoxPlot:
    """The plot; ``names`` are those of the boxes drawn, from the top, ``titles`` what stands beside them."""

    def __init__(self) -> None:
        self.plot = plot_widget("boxPlot", tr("Boxes of the repeat values of the chosen runs"))
        self.plot.setToolTip(
            tr("Box: the middle half of the values; line in it: their median; whiskers: all of them; dots: each one.")
        )
        item = self.plot.getPlotItem()
        item.showGrid(x=True, alpha=0.12)
        item.setDownsampling(auto=False)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.getViewBox().invertY(True)
        self._reach: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), left=np.empty(0), right=np.empty(0), beam=0)
        self._boxes: Any = pg.BarGraphItem(x0=[], x1=[], y=[], height=0.5)
        self._medians: Any = item.plot([], [], connect="pairs")
        self.dots: Any = item.plot([], [], pen=None, symbol="o", symbolSize=5, symbolPen=None)
        for each in (self._reach, self._boxes):
            item.addItem(each)
        self._medians.setZValue(5)
        self.dots.setZValue(6)
        self.names: list[str] = []
        self.titles: list[str] = []

    def show_entries(self, entries: Sequence[Entry]) -> str:
        """Draw the runs that have values of the first one's criterion; return what else there is to say."""
        fitting = [entry for entry in entries if len(entry.values) and np.isfinite(entry.values).all()]
        if fitting:
            fitting = [entry for entry in fitting if entry.criterion == fitting[0].criterion]
        several = len({entry.data for entry in fitting}) > 1
        shown = fitting[: max(_FEWEST, (self.plot.height() - _AXIS) // _LINE)]
        models = len({entry.model for entry in fitting}) > 1
        room = max(_NAME, int(_NAMES_SHARE * self.plot.width() / _LETTER))
        self.names = [_name(entry, room, data=several, model=models) for entry in shown]
        kinds = {"honest": tr("outer folds"), "fresh": tr("fresh folds"), "": ""}
        self.titles = [f"{name} ({kinds[entry.kind]})" for name, entry in zip(self.names, shown, strict=True)]
        item = self.plot.getPlotItem()
        item.getAxis("left").setTicks([list(enumerate(self.titles))])
        self._draw([drawn(Comparison.criterion(entry.column), entry.values) for entry in shown])
        if shown:
            item.getAxis("bottom").setLabel(axis_title(Comparison.criterion(shown[0].column)))
        return self._others(len(shown), len(fitting), len(entries)) if shown else ""

    @staticmethod
    def _others(shown: int, fitting: int, wanted: int) -> str:
        """Why some of the runs have no box."""
        told = []
        if shown < fitting:
            words = tr(
                "The first {shown} of {count}: choose lines of Each run to see others.", shown=shown, count=fitting
            )
            told.append(words)
        if fitting < wanted:
            others = wanted - fitting
            words = tr("{count} more cannot be drawn here: not measured again, or by another criterion.", count=others)
            told.append(words)
        return " ".join(told)

    def _draw(self, values: Sequence[np.ndarray]) -> None:
        y = np.arange(len(values), dtype=np.float64)
        five = np.array([np.quantile(each, [0, 0.25, 0.5, 0.75, 1]) for each in values]).reshape(-1, 5)
        low, first, middle, third, high = five.T
        self._reach.setData(x=middle, y=y, left=middle - low, right=high - middle)
        self._boxes.setOpts(x0=first, x1=np.maximum(third, first + 1e-9), y=y, height=2 * _HALF)
        self._medians.setData(np.repeat(middle, 2), np.ravel([y - _HALF, y + _HALF], order="F"))
        spread = np.concatenate([np.linspace(-0.14, 0.14, len(each)) if len(each) > 1 else [0.0] for each in values]
                                or [np.empty(0)])  # fmt: skip
        show_numbers(self.plot, len(values) > 0)
        flat = np.concatenate([*values]) if len(values) else np.empty(0)
        self.dots.setData(flat, np.repeat(y, [len(each) for each in values]) + spread)
        if len(values):
            room = 0.06 * float(high.max() - low.min()) or 1.0
            self.plot.setXRange(float(low.min()) - room, float(high.max()) + room, padding=0)
            rows = max(_LEAST_ROOM, self.plot.height() / _TALLEST)
            spare = max(0.0, rows - len(values)) / 2  # one box alone would fill the plot
            self.plot.setYRange(-0.6 - spare, len(values) - 0.4 + spare, padding=0)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        dress(self.plot, tokens)
        fill, dots = QColor(tokens.line_average), QColor(tokens.text)
        fill.setAlpha(70)
        dots.setAlpha(150)
        self._reach.setData(pen=ink(tokens.line_average, 1.5))
        self._boxes.setOpts(brush=fill, pen=ink(tokens.line_average, 1.5))
        self._medians.setPen(ink(tokens.text, 2.5))
        self.dots.setSymbolBrush(dots)
        self.dots.setSymbolPen(None)


def _name(entry: Entry, letters: int, *, data: bool, model: bool) -> str:
    said = [variant(entry.method), *([variant(entry.model)] if model else [])]
    head = " · ".join([*([entry.data] if data else []), *said])
    seed = tr("seed {seed}", seed=entry.seed)  # what tells one run from the next is never cut
    room = letters - len(seed) - 3
    return f"{head if len(head) <= room else head[: room - 1] + '…'} · {seed}"
