"""The curve of error against size: every re-estimated subset with its standard error, and the result."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

from fsdesk.app.plots.axes import Crosshair, Readable, ink, plot_widget, show_numbers, show_range
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.translation import axis_title
from fsdesk.engine import RunState
from fsdesk.messages import counted, localised, number, tr, translated
from fsdesk.methods import Mask
from fsdesk.results.curves import all_features_title, drawn, drawn_error, spans_scales

Floats = NDArray[np.float64]
_FEW = 8  # up to this many sizes, each is labeled at the axis, with its value at its point
Finalist = tuple[Mask, float, float]


class SizePlot(QObject):
    """The plot; ``points`` are the sizes and values drawn.

    ``picked`` sends mask, loss and standard error of the clicked finalist; None for the result.
    """

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.plot = plot_widget(
            "sizePlot", tr("Criterion against number of features"), bottom=tr("number of features"), counts=True
        )
        self.plot.setToolTip(
            tr(
                "Every re-estimated subset, with one standard error either way. Click one, or move with the arrow "
                "keys and press Return, to use it instead of the result."
            )
        )
        item = self.plot.getPlotItem()
        item.showGrid(y=True, alpha=0.12)
        self._bars: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), height=np.empty(0), beam=0)
        item.addItem(self._bars)
        self._ladder: Any = item.plot([], [], antialias=True)
        self._all: Any = item.plot([], [], pen=None, symbol="o", symbolSize=6, symbolPen=None)
        self.answer: Any = item.plot([], [], pen=None, symbol="d", symbolSize=15)
        self._ring: Any = item.plot([], [], pen=None, symbol="o", symbolSize=17, symbolBrush=None)
        self._baseline: Any = pg.InfiniteLine(
            angle=0, label="", labelOpts={"position": 0.98, "anchors": [(1, 1), (1, 1)]}
        )
        item.addItem(self._baseline, ignoreBounds=True)
        self.note: Any = pg.TextItem("", anchor=(0.5, -0.4))
        item.addItem(self.note, ignoreBounds=True)
        self._values: list[Any] = []
        self.points: list[tuple[int, float]] = []
        self._curve: list[Finalist] = []
        self._state: RunState | None = None
        self._chosen: bytes | None = None
        self._follow, self._log = True, False
        self.crosshair = Crosshair(self.plot, self._readables)
        self.crosshair.taken.connect(lambda _, place: self._take(place))
        self.crosshair.reset_wanted.connect(self.show_all)
        self.plot.getViewBox().sigRangeChangedManually.connect(self._stop_following)
        self.plot.scene().sigMouseClicked.connect(lambda event: self.show_all() if event.double() else None)
        self.setParent(self.plot)  # so that it is deleted with the plot
        on_theme(self._take_colours)

    def _stop_following(self, *_: object) -> None:
        self._follow = False

    def forget(self) -> None:
        """Forget the chosen finalist: another run will be shown."""
        self._chosen, self._follow = None, True
        self.crosshair.hide()

    def show_all(self) -> None:
        """Show everything again after zooming."""
        self._follow = True
        if self._state is not None:
            self.show_state(self._state)

    def show_state(self, state: RunState, colour: str = "") -> None:
        """Draw the current finalists of a run, in the color of the run if it has one."""
        if colour:
            self._colour(colour)
        self._state, criterion = state, state.criterion
        self._curve = [point for point in state.confirmed.curve() if np.isfinite(point[1])]
        sizes = np.array([int(mask.sum()) for mask, _, _ in self._curve], dtype=np.float64)
        values = drawn(criterion, np.array([loss for _, loss, _ in self._curve]))
        spread = 2 * drawn_error(criterion, np.array([error for _, _, error in self._curve]))
        self.points = list(zip(sizes.astype(int).tolist(), values.tolist(), strict=True))
        self._scale(self.points)
        show_numbers(self.plot, bool(self.points))
        places = self._places(sizes)
        self._bars.setData(x=places, y=values, height=spread)
        self._all.setData(places, values)
        pick = max if criterion.direction == "higher" else min
        ladder = sorted(
            {size: pick(value for at, value in self.points if at == size) for size, _ in self.points}.items()
        )
        self._ladder.setData(self._places([size for size, _ in ladder]), [value for _, value in ladder])
        self._show_values(state, ladder)
        everything = self._show_baseline(state)
        if self._follow:
            self._fit(places, np.append(values, everything), np.append(spread, 0.0 * everything), len(ladder))
        self._show_answer(state, [place for place, point in enumerate(self._curve) if _is_answer(state, point[0])])
        chosen = [place for place, point in enumerate(self._curve) if point[0].tobytes() == self._chosen]
        self._ring.setData(places[chosen], values[chosen])
        left = self.plot.getPlotItem().getAxis("left")
        if left.labelText != axis_title(criterion):
            left.setLabel(axis_title(criterion))
            left.percent = criterion.unit == "%"
        self.crosshair.refresh()

    def _show_values(self, state: RunState, best: list[tuple[int, float]]) -> None:
        """Label a few sizes at the axis, and the best value of each size, except the result's, at its point."""
        few = len(best) <= _FEW
        answer = None if state.best is None else int(state.best.mask.sum())
        written = [(size, value) for size, value in best if size != answer] if few else []
        axis, item = self.plot.getPlotItem().getAxis("bottom"), self.plot.getPlotItem()
        ticks = [(float(self._places([size])[0]), number(size)) for size, _ in best]
        axis.setTicks([ticks] if few and best else None)
        while len(self._values) > len(written):
            item.removeItem(self._values.pop())
        while len(self._values) < len(written):
            self._values.append(pg.TextItem("", color=QColor(tokens().muted)))
            item.addItem(self._values[-1], ignoreBounds=True)
        unit = " %" if state.criterion.unit == "%" else ""
        after = dict(pairwise(value for _, value in best))
        for label, (size, value) in zip(self._values, written, strict=True):
            rises = after.get(value, value) > value  # the line to the next point must not cross the text
            label.setAnchor((1.06 if rises else -0.06, 1.2))
            label.setText(f"{number(value, '.1f' if unit else '.3g')}{unit}")
            label.setPos(float(self._places([size])[0]), value)

    def _show_baseline(self, state: RunState) -> Floats:
        """The line of all features for comparison; its height, if known."""
        known = state.baseline is not None and bool(np.isfinite(state.baseline)) and bool(self.points)
        self._baseline.setVisible(known)
        if not known or state.baseline is None:
            return np.empty(0)
        height = drawn(state.criterion, np.array([state.baseline]))
        self._baseline.setPos(float(height[0]))
        value = localised(state.criterion.text(state.baseline))
        self._baseline.label.setFormat(f"{all_features_title(state.race)} {value}")
        return height

    def _scale(self, points: list[tuple[int, float]]) -> None:
        """Use a logarithmic axis if the sizes span orders of magnitude, as in print."""
        powers = spans_scales([size for size, _ in points])
        if powers is not self._log:
            self._log, self._follow = powers, True
            axis = self.plot.getPlotItem().getAxis("bottom")
            axis.powers, axis.picture = powers, None
            axis.update()

    def _places(self, sizes: Sequence[int] | Floats) -> Floats:
        """Positions of these sizes on the axis."""
        places = np.asarray(sizes, dtype=np.float64)
        return np.log10(places) if self._log else places

    def _take(self, place: int) -> None:
        """Choose the finalist at a position, or the result again."""
        if self._state is None or not 0 <= place < len(self._curve):
            return
        point = self._curve[place]
        again = _is_answer(self._state, point[0]) or point[0].tobytes() == self._chosen
        self._chosen = None if again else point[0].tobytes()
        self.show_state(self._state)
        self.picked.emit(None if again else point)

    def _readables(self) -> list[Readable]:
        sizes, values = zip(*self.points, strict=True) if self.points else ((), ())
        return [Readable(self._places(sizes), np.array(values, dtype=np.float64), self._words)]

    def _words(self, place: int) -> str:
        assert self._state is not None
        criterion, (mask, loss, error) = self._state.criterion, self._curve[place]
        spread = f" ± {localised(criterion.deviation(error))}" if error > 0 else ""
        value = f"{translated(criterion.title)} {localised(criterion.text(loss))}{spread}"
        first = f"{counted(int(mask.sum()), 'feature')}: {value}"
        if mask.tobytes() == self._chosen:
            return f"{first}\n{tr('used instead of the result; click again to revert')}"
        return f"{first}\n{tr('the result') if _is_answer(self._state, mask) else tr('click to use this subset')}"

    def _fit(self, places: Floats, values: Floats, spread: Floats, sizes: int) -> None:
        """Show everything with room for the texts; two or three points are placed near the middle."""
        if not len(places):
            return
        low, high = float((values - spread / 2).min()), float((values + spread / 2).max())
        room = 0.2 * ((high - low) or 0.1 * abs(high) or 1.0)
        y = low - room, high + room
        first, last = float(places.min()), float(places.max())
        room = (0.08 + 0.6 / sizes) * max(1.0 if not self._log else 0.1, last - first)
        show_range(self.plot, (first - room, last + room), y)

    def _show_answer(self, state: RunState, places: list[int]) -> None:
        chosen = [self.points[place] for place in places]
        self.answer.setData(self._places([size for size, _ in chosen]), [value for _, value in chosen])
        value = localised(state.criterion.text(self._curve[places[0]][1])) if chosen else ""
        self.note.setText(tr("result: {size:,}, {value}", size=chosen[0][0], value=value) if chosen else "")
        if chosen:
            along = self._places([size for size, _ in self.points])
            at = float(along[places[0]])
            side = -0.06 if at <= (along.min() + along.max()) / 2 else 1.06  # beside its bar, where there is more space
            self.note.setAnchor((side, -0.4 if state.criterion.direction == "lower" else 1.4))
            self.note.setPos(at, chosen[0][1])

    def _colour(self, colour: str) -> None:
        self._bars.setData(pen=ink(colour, 1.5))
        self._ladder.setPen(ink(colour, 1.5, 110))
        for cloud in (self._all, self.answer):
            cloud.setSymbolBrush(QColor(colour))

    def _take_colours(self) -> None:
        self._colour(tokens().line_average)
        self.answer.setSymbolPen(ink(tokens().surface, 2))
        self._ring.setSymbolPen(ink(tokens().text, 2))
        self.note.setColor(QColor(tokens().text))
        self._baseline.setPen(ink(tokens().line_baseline, 1.5, dashed=True))
        for label in (*self._values, self._baseline.label):
            label.setColor(QColor(tokens().muted))


def _is_answer(state: RunState, mask: Mask) -> bool:
    return state.best is not None and bool((state.best.mask == mask).all())
