"""Values with their intervals, one below the other: what is compared at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from fsdesk.app.palette import LIGHT, Tokens
from fsdesk.app.plots.axes import dress, ink, plot_widget

__all__ = ["ErrorBars", "Interval"]


@dataclass(frozen=True)
class Interval:
    """A value as the axis shows it, with the ends of its interval, NaN where there is none, and whose it is."""

    name: str
    value: float
    low: float = float("nan")
    high: float = float("nan")


class ErrorBars:
    """The plot; ``shown`` are the intervals drawn, from the top."""

    def __init__(self, name: str, spoken: str) -> None:
        self.plot = plot_widget(name, spoken)
        item = self.plot.getPlotItem()
        item.showGrid(x=True, alpha=0.12)
        item.setDownsampling(auto=False)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.getViewBox().invertY(True)
        self._reach: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), left=np.empty(0), right=np.empty(0), beam=0.2)
        item.addItem(self._reach)
        self.values: Any = item.plot([], [], pen=None, symbol="o", symbolSize=9)
        self._tokens = LIGHT
        self.shown: tuple[Interval, ...] = ()

    def show_intervals(self, intervals: Sequence[Interval], title: str) -> None:
        """Draw intervals; ``title`` stands at the axis."""
        self.shown = tuple(each for each in intervals if np.isfinite(each.value))
        item = self.plot.getPlotItem()
        item.getAxis("bottom").setLabel(title)
        item.getAxis("left").setTicks([[(place, each.name) for place, each in enumerate(self.shown)]])
        self._draw()
        self._fit()

    def _fit(self, others: Sequence[float] = (), spare: float = 0.0) -> None:
        """Have all in sight, other points too; ``spare``: empty lines above and below, lest one alone is huge."""
        ends = [end for each in self.shown for end in (each.value, each.low, each.high) if np.isfinite(end)]
        ends += [each for each in others if np.isfinite(each)]
        if ends:
            room = 0.08 * (max(ends) - min(ends)) or 0.05 * abs(ends[0]) or 1.0
            self.plot.setXRange(min(ends) - room, max(ends) + room, padding=0)
            self.plot.setYRange(-0.6 - spare, len(self.shown) - 0.4 + spare, padding=0)

    def _draw(self) -> None:
        known = [(place, each) for place, each in enumerate(self.shown) if np.isfinite(each.low + each.high)]
        values = np.array([each.value for _, each in known])
        self._reach.setData(
            x=values,
            y=np.array([place for place, _ in known], dtype=np.float64),
            left=values - np.array([each.low for _, each in known]),
            right=np.array([each.high for _, each in known]) - values,
            pen=ink(self._tokens.line_average, 2),
        )
        self.values.setData([each.value for each in self.shown], list(range(len(self.shown))))

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        dress(self.plot, tokens)
        self.plot.getPlotItem().getAxis("left").setTextPen(pg.mkPen(tokens.text))
        self.values.setSymbolBrush(QColor(tokens.line_average))
        self.values.setSymbolPen(None)
        self._draw()
