"""The curve of error against size: every subset that was measured again, with its standard error, and the answer."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from fsdesk.app.plots import dress, ink, plot_widget
from fsdesk.app.tokens import Tokens
from fsdesk.engine import RunState
from fsdesk.results.curve import axis_title, drawn, drawn_error

__all__ = ["SizePlot"]

Floats = NDArray[np.float64]


class SizePlot:
    """The plot; ``points`` are the sizes and values drawn."""

    def __init__(self) -> None:
        self.plot = plot_widget("sizePlot", "Criterion against number of features", bottom="number of features")
        self.plot.setToolTip("Every subset that was measured again, with one standard error up and down.")
        item = self.plot.getPlotItem()
        item.showGrid(y=True, alpha=0.12)
        self._bars: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), height=np.empty(0), beam=0)
        item.addItem(self._bars)
        self._ladder: Any = item.plot([], [], antialias=True)
        self._all: Any = item.plot([], [], pen=None, symbol="o", symbolSize=6, symbolPen=None)
        self._answer: Any = item.plot([], [], pen=None, symbol="o", symbolSize=11)
        self._note: Any = pg.TextItem("", anchor=(0.5, -0.4))
        item.addItem(self._note, ignoreBounds=True)
        self.points: list[tuple[int, float]] = []

    def show_state(self, state: RunState) -> None:
        """Draw the finalists of a run as they are now."""
        criterion = state.criterion
        curve = [point for point in state.confirmed.curve() if np.isfinite(point[1])]
        sizes = np.array([int(mask.sum()) for mask, _, _ in curve], dtype=np.float64)
        values = drawn(criterion, np.array([loss for _, loss, _ in curve]))
        spread = 2 * drawn_error(criterion, np.array([error for _, _, error in curve]))
        self.points = list(zip(sizes.astype(int).tolist(), values.tolist(), strict=True))
        self._bars.setData(x=sizes, y=values, height=spread)
        self._all.setData(sizes, values)
        pick = max if criterion.direction == "higher" else min
        ladder = sorted(
            {size: pick(value for at, value in self.points if at == size) for size, _ in self.points}.items()
        )
        self._ladder.setData([size for size, _ in ladder], [value for _, value in ladder])
        self._fit(sizes, values, spread, higher=criterion.direction == "higher")
        self._show_answer(state, [place for place, point in enumerate(curve) if _is_answer(state, point[0])])
        left = self.plot.getPlotItem().getAxis("left")
        if left.labelText != axis_title(criterion):
            left.setLabel(axis_title(criterion))

    def _fit(self, sizes: Floats, values: Floats, spread: Floats, *, higher: bool) -> None:
        """Show all of it, with room for the words beyond the best point."""
        if not len(sizes):
            return
        low, high = float((values - spread / 2).min()), float((values + spread / 2).max())
        room = (high - low) or 0.1 * abs(high) or 1.0
        below, above = (0.1, 0.35) if higher else (0.35, 0.1)
        self.plot.setYRange(low - below * room, high + above * room, padding=0)
        wide = max(1.0, float(sizes.max() - sizes.min()))
        self.plot.setXRange(float(sizes.min()) - 0.08 * wide, float(sizes.max()) + 0.08 * wide, padding=0)

    def _show_answer(self, state: RunState, places: list[int]) -> None:
        chosen = [self.points[place] for place in places]
        self._answer.setData([size for size, _ in chosen], [value for _, value in chosen])
        self._note.setText(f"answer: {chosen[0][0]:,}" if chosen else "")
        if chosen:
            sizes = [size for size, _ in self.points]
            side = (chosen[0][0] - min(sizes)) / max(1, max(sizes) - min(sizes))
            self._note.setAnchor((side, -0.4 if state.criterion.direction == "lower" else 1.4))
            self._note.setPos(*chosen[0])

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        dress(self.plot, tokens)
        self._bars.setData(pen=ink(tokens.line_average, 1.5))
        self._ladder.setPen(ink(tokens.line_average, 1.5, 110))
        self._all.setSymbolBrush(QColor(tokens.line_average))
        self._answer.setSymbolBrush(QColor(tokens.line_best))
        self._answer.setSymbolPen(ink(tokens.surface, 2))
        self._note.setColor(QColor(tokens.text))


def _is_answer(state: RunState, mask: NDArray[np.bool_]) -> bool:
    return state.best is not None and bool((state.best.mask == mask).all())
