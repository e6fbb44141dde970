"""Stability against error: a point for each run, so that one sees what a steadier list costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from fsdesk.app.palette import LIGHT, Tokens
from fsdesk.app.plots.axes import dress, ink, plot_widget
from fsdesk.app.plots.crosshair import Crosshair, Readable
from fsdesk.messages import localised, number, tr, translated
from fsdesk.results.curves import drawn
from fsdesk.results.held_out import HonestError
from fsdesk.results.stability import Stability

__all__ = ["StabilityPlot", "StablePoint"]


@dataclass(frozen=True)
class StablePoint:
    """A run: its name, how stable its selection is, its honest error, and whether it is the one that is shown."""

    name: str
    stability: Stability
    honest: HonestError
    shown: bool


class StabilityPlot:
    """The plot; ``points`` are those drawn, by rising stability."""

    def __init__(self) -> None:
        self.plot = plot_widget(
            "stabilityPlot",
            tr("Stability of the selection against the error"),
            bottom=tr("stability (1: always alike)"),
        )
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        item.setDownsampling(auto=False)
        self.plot.setMouseEnabled(x=False, y=False)
        self._bars: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0), beam=0)
        item.addItem(self._bars)
        self._others: Any = item.plot([], [], pen=None, symbol="o", symbolSize=9)
        self._shown: Any = item.plot([], [], pen=None, symbol="d", symbolSize=14)
        self.points: tuple[StablePoint, ...] = ()
        self._tokens = LIGHT
        self.crosshair = Crosshair(self.plot, self._readables)

    def show_points(self, points: Sequence[StablePoint]) -> None:
        """Draw the runs that are measured by the criterion of the first one."""
        fitting = [each for each in points if each.honest.criterion == points[0].honest.criterion]
        self.points = tuple(sorted(fitting, key=lambda each: each.stability.index))
        self._draw()
        if not self.points:
            return
        criterion = self.points[0].honest.judged
        title = tr("{criterion} on rows that no search saw", criterion=translated(criterion.title))
        self.plot.getPlotItem().getAxis("left").setLabel(f"{title}, %" if criterion.unit == "%" else title)
        x, _, low, high = self._places()
        ends = [low.min(), high.max()]
        room = 0.08 * (ends[1] - ends[0]) or 1.0
        self.plot.setYRange(ends[0] - room, ends[1] + room, padding=0)
        self.plot.setXRange(min(0.0, float(x.min())), 1.0, padding=0.04)

    def _places(self) -> tuple[Any, Any, Any, Any]:
        x = np.array([each.stability.index for each in self.points])
        errors = [each.honest for each in self.points]
        losses = [[each.value, each.low, each.high] for each in errors]
        known = np.array([[row[0] if each is None else each for each in row] for row in losses]).reshape(-1, 3)
        if not len(known):
            return x, x, x, x
        shown = drawn(errors[0].judged, known)
        return x, shown[:, 0], shown[:, 1:].min(axis=1), shown[:, 1:].max(axis=1)

    def _draw(self) -> None:
        x, value, low, high = self._places()
        own = np.array([each.shown for each in self.points], dtype=np.bool_)
        pen = ink(self._tokens.line_baseline, 1.5)
        self._bars.setData(x=x, y=value, top=high - value, bottom=value - low, pen=pen)
        self._others.setData(x[~own], value[~own])
        self._shown.setData(x[own], value[own])

    def _readables(self) -> list[Readable]:
        x, value, _, _ = self._places()

        def words(place: int) -> str:
            point = self.points[place]
            return tr(
                "{run}: stability {index}, error {value} (95 % interval {interval})",
                run=point.name, index=number(point.stability.index, ".2f"),
                value=localised(point.honest.value_words()), interval=point.honest.interval_words(),
            )  # fmt: skip

        return [Readable(x, value, words)] if len(x) else []

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        dress(self.plot, tokens)
        self.crosshair.dress(tokens)
        self._others.setSymbolBrush(QColor(tokens.line_average))
        self._others.setSymbolPen(None)
        self._shown.setSymbolBrush(QColor(tokens.line_best))
        self._shown.setSymbolPen(None)
        self._draw()
