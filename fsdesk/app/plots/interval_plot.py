"""Errors of runs on rows that no search saw, one above the other, each with its 95 % interval."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from fsdesk.app.palette import Tokens
from fsdesk.app.plots.axes import ink, show_numbers
from fsdesk.app.plots.error_bars import ErrorBars, Interval
from fsdesk.messages import tr, translated
from fsdesk.results.comparison import Comparison, Entry
from fsdesk.results.curves import drawn

__all__ = ["IntervalPlot"]

_FEWEST = 6
_LINE, _AXIS = 17, 44  # pixels that a run with its name needs, and the axis below
_LEAST_ROOM, _TALLEST = 5, 64  # runs, and pixels for one of them
_NAME, _LETTER, _NAMES_SHARE = 44, 7, 0.3  # letters of a name at least, pixels of one, their share of the plot
_BELOW = 0.22  # where the mark of all features and the outer folds stand, so that nothing is covered


class IntervalPlot(ErrorBars):
    """The plot; ``names`` are those of the runs drawn, from the top."""

    def __init__(self) -> None:
        super().__init__("intervalPlot", tr("Errors of the chosen runs on rows that no search saw"))
        self.plot.setToolTip(
            tr(
                "Dot: error on rows that no search saw; line: its 95 % interval; diamond: all features on the same "
                "rows; small dots: each outer fold."
            )
        )
        item = self.plot.getPlotItem()
        self.folds: Any = item.plot([], [], pen=None, symbol="o", symbolSize=4, symbolPen=None)
        self.all_features: Any = item.plot([], [], pen=None, symbol="d", symbolSize=10, symbolBrush=None)
        self.names: list[str] = []

    def show_entries(self, entries: Sequence[Entry]) -> str:
        """Draw the runs that have an honest error by the first one's criterion; return what else there is to say."""
        fitting = [entry for entry in entries if entry.unseen is not None]
        fitting = [entry for entry in fitting if entry.criterion == fitting[0].criterion]
        several = len({entry.data for entry in fitting}) > 1
        shown = fitting[: max(_FEWEST, (self.plot.height() - _AXIS) // _LINE)]
        models = len({entry.model for entry in fitting}) > 1
        room = max(_NAME, int(_NAMES_SHARE * self.plot.width() / _LETTER))
        self.names = [_name(entry, room, data=several, model=models) for entry in shown]
        title = ""
        if shown:
            criterion = Comparison.criterion(shown[0].column)
            title = tr("{criterion} on rows that no search saw", criterion=translated(criterion.title))
            title = f"{title}, %" if criterion.unit == "%" else title
        known = [_known(entry) for entry in shown]
        bars = [Interval(name, *found[:3].tolist()) for name, found in zip(self.names, known, strict=True)]
        self.show_intervals(bars, title)
        show_numbers(self.plot, len(shown) > 0)
        every = {y: float(found[3]) for y, found in enumerate(known) if np.isfinite(found[3])}
        self.all_features.setData(list(every.values()), [y + _BELOW for y in every])
        folds = [drawn(Comparison.criterion(entry.column), entry.values) for entry in shown]
        flat = np.concatenate([np.empty(0), *folds])
        self.folds.setData(flat, np.repeat(np.arange(len(folds)), [len(each) for each in folds]) - _BELOW)
        rows = max(_LEAST_ROOM, self.plot.height() / _TALLEST)
        self._fit([*every.values(), *flat.tolist()], max(0.0, rows - len(shown)) / 2)
        others = self._others(len(shown), len(fitting), len(entries))
        return others or (tr("◇ all features on the same rows") if every else "")

    @staticmethod
    def _others(shown: int, fitting: int, wanted: int) -> str:
        """Why some of the runs are not drawn."""
        said = []
        if shown < fitting:
            words = tr(
                "The first {shown} of {count}: choose lines of Each run to see others.", shown=shown, count=fitting
            )
            said.append(words)
        if fitting < wanted:
            others = wanted - fitting
            words = tr("{count} more cannot be drawn: no honest error yet, or another criterion.", count=others)
            said.append(words)
        return " ".join(said)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        super().dress(tokens)
        dots = QColor(tokens.text)
        dots.setAlpha(110)
        self.all_features.setSymbolPen(ink(tokens.text, 1.5))
        self.folds.setSymbolBrush(dots)


def _known(entry: Entry) -> NDArray[np.float64]:
    """(4,) error, low and high end of its interval and the error of all features as people know them; NaN: unknown."""
    assert entry.unseen is not None
    known = entry.unseen
    losses = [known.value, known.low, known.high, known.all_features]
    value, first, last, every = drawn(
        Comparison.criterion(entry.column), np.array([np.nan if loss is None else loss for loss in losses])
    )
    return np.array([value, min(first, last), max(first, last), every])


def _name(entry: Entry, letters: int, *, data: bool, model: bool) -> str:
    said = [translated(entry.method), *([translated(entry.model)] if model else [])]
    head = " · ".join([*([entry.data] if data else []), *said])
    seed = tr("seed {seed}", seed=entry.seed)  # what tells one run from the next is never cut
    room = letters - len(seed) - 3
    return f"{head if len(head) <= room else head[: room - 1] + '…'} · {seed}"
