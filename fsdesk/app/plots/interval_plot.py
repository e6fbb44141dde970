"""Errors of runs on rows that no search saw, one above the other, each with its 95 % interval."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from fsdesk.app.palette import Tokens
from fsdesk.app.plots.axes import dress, ink, plot_widget, show_numbers
from fsdesk.messages import tr, translated
from fsdesk.results.comparison import Comparison, Entry
from fsdesk.results.curve import drawn

__all__ = ["IntervalPlot"]

_FEWEST = 6
_LINE, _AXIS = 17, 44  # pixels that a run with its name needs, and the axis below
_LEAST_ROOM, _TALLEST = 5, 64  # runs, and pixels for one of them
_NAME, _LETTER, _NAMES_SHARE = 44, 7, 0.3  # letters of a name at least, pixels of one, their share of the plot
_BELOW = 0.22  # where the mark of all features and the outer folds stand, so that nothing is covered


class IntervalPlot:
    """The plot; ``names`` are those of the runs drawn, from the top."""

    def __init__(self) -> None:
        self.plot = plot_widget("intervalPlot", tr("Errors of the chosen runs on rows that no search saw"))
        self.plot.setToolTip(
            tr(
                "Dot: error on rows that no search saw; line: its 95 % interval; diamond: all features on the same "
                "rows; small dots: each outer fold."
            )
        )
        item = self.plot.getPlotItem()
        item.showGrid(x=True, alpha=0.12)
        item.setDownsampling(auto=False)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.getViewBox().invertY(True)
        self._reach: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), left=np.empty(0), right=np.empty(0), beam=0.16)
        item.addItem(self._reach)
        self.folds: Any = item.plot([], [], pen=None, symbol="o", symbolSize=4, symbolPen=None)
        self.all_features: Any = item.plot([], [], pen=None, symbol="d", symbolSize=10, symbolBrush=None)
        self.errors: Any = item.plot([], [], pen=None, symbol="o", symbolSize=9, symbolPen=None)
        self.names: list[str] = []
        self.has_all_features = False

    def show_entries(self, entries: Sequence[Entry]) -> str:
        """Draw the runs that have an honest error by the first one's criterion; return what else there is to say."""
        fitting = [entry for entry in entries if entry.unseen is not None]
        fitting = [entry for entry in fitting if entry.criterion == fitting[0].criterion]
        several = len({entry.data for entry in fitting}) > 1
        shown = fitting[: max(_FEWEST, (self.plot.height() - _AXIS) // _LINE)]
        models = len({entry.model for entry in fitting}) > 1
        room = max(_NAME, int(_NAMES_SHARE * self.plot.width() / _LETTER))
        self.names = [_name(entry, room, data=several, model=models) for entry in shown]
        item = self.plot.getPlotItem()
        item.getAxis("left").setTicks([list(enumerate(self.names))])
        self._draw(shown)
        if not shown:
            return ""
        criterion = Comparison.criterion(shown[0].column)
        title = tr("{criterion} on rows that no search saw", criterion=translated(criterion.title))
        item.getAxis("bottom").setLabel(f"{title}, %" if criterion.unit == "%" else title)
        others = self._others(len(shown), len(fitting), len(entries))
        return others or (tr("◇ all features on the same rows") if self.has_all_features else "")

    @staticmethod
    def _others(shown: int, fitting: int, wanted: int) -> str:
        """Why some of the runs are not drawn."""
        told = []
        if shown < fitting:
            words = tr(
                "The first {shown} of {count}: choose lines of Each run to see others.", shown=shown, count=fitting
            )
            told.append(words)
        if fitting < wanted:
            others = wanted - fitting
            words = tr("{count} more cannot be drawn: no honest error yet, or another criterion.", count=others)
            told.append(words)
        return " ".join(told)

    def _draw(self, shown: Sequence[Entry]) -> None:
        y = np.arange(len(shown), dtype=np.float64)
        values = np.full((len(shown), 4), np.nan)  # error, the ends of its interval, all features
        folds = [np.empty(0)] * len(shown)
        for at, entry in enumerate(shown):
            assert entry.unseen is not None
            criterion = Comparison.criterion(entry.column)
            known = entry.unseen
            losses = [known.value, known.low, known.high, known.all_features]
            values[at] = drawn(criterion, np.array([np.nan if loss is None else loss for loss in losses]))
            folds[at] = drawn(criterion, entry.values)
        middle, every = values[:, 0], values[:, 3]
        ends = np.sort(np.where(np.isnan(values[:, 1:3]), middle[:, None], values[:, 1:3]), axis=1)
        self._reach.setData(x=middle, y=y, left=middle - ends[:, 0], right=ends[:, 1] - middle)
        self.errors.setData(middle, y)
        told = ~np.isnan(every)
        self.has_all_features = bool(told.any())
        self.all_features.setData(every[told], y[told] + _BELOW)
        flat = np.concatenate([np.empty(0), *folds])
        self.folds.setData(flat, np.repeat(y, [len(each) for each in folds]) - _BELOW)
        show_numbers(self.plot, len(shown) > 0)
        if len(shown):
            every_x = np.concatenate([ends.ravel(), every[told], flat[np.isfinite(flat)]])
            room = 0.06 * float(np.ptp(every_x)) or 1.0
            self.plot.setXRange(float(every_x.min()) - room, float(every_x.max()) + room, padding=0)
            rows = max(_LEAST_ROOM, self.plot.height() / _TALLEST)
            spare = max(0.0, rows - len(shown)) / 2  # one run alone would fill the plot
            self.plot.setYRange(-0.6 - spare, len(shown) - 0.4 + spare, padding=0)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        dress(self.plot, tokens)
        dots = QColor(tokens.text)
        dots.setAlpha(110)
        self._reach.setData(pen=ink(tokens.line_average, 2))
        self.errors.setSymbolBrush(QColor(tokens.line_average))
        self.errors.setSymbolPen(None)
        self.all_features.setSymbolPen(ink(tokens.text, 1.5))
        self.all_features.setSymbolBrush(None)
        self.folds.setSymbolBrush(dots)
        self.folds.setSymbolPen(None)


def _name(entry: Entry, letters: int, *, data: bool, model: bool) -> str:
    said = [translated(entry.method), *([translated(entry.model)] if model else [])]
    head = " · ".join([*([entry.data] if data else []), *said])
    seed = tr("seed {seed}", seed=entry.seed)  # what tells one run from the next is never cut
    room = letters - len(seed) - 3
    return f"{head if len(head) <= room else head[: room - 1] + '…'} · {seed}"
