"""Interval plots, and the held-out errors of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from fsdesk.app.plots.axes import ink, plot_widget, show_numbers
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.translation import unseen_title
from fsdesk.messages import tr, translated
from fsdesk.results.comparison import Comparison, Entry
from fsdesk.results.curves import drawn


@dataclass(frozen=True)
class Interval:
    """A named value for the axis, with the limits of its interval, which are NaN if there is none."""

    name: str
    value: float
    low: float = float("nan")
    high: float = float("nan")


class ErrorBars(QObject):
    """The plot; ``shown`` are the intervals drawn, from the top."""

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        self.plot = plot_widget(name, spoken)
        item = self.plot.getPlotItem()
        item.showGrid(x=True, alpha=0.12)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.getViewBox().invertY(True)
        self._reach: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), left=np.empty(0), right=np.empty(0), beam=0.2)
        item.addItem(self._reach)
        self.values: Any = item.plot([], [], pen=None, symbol="o", symbolSize=9)
        self.shown: tuple[Interval, ...] = ()
        self.setParent(self.plot)  # so that it is deleted with the plot
        on_theme(self._take_colours)

    def show_intervals(self, intervals: Sequence[Interval], title: str) -> None:
        """Draw intervals; ``title`` labels the axis."""
        self.shown = tuple(each for each in intervals if np.isfinite(each.value))
        item = self.plot.getPlotItem()
        item.getAxis("bottom").setLabel(title)
        item.getAxis("left").setTicks([[(place, each.name) for place, each in enumerate(self.shown)]])
        self._draw()
        self._fit()

    def _fit(self, others: Sequence[float] = (), spare: float = 0.0) -> None:
        """Show everything, including other points.

        ``spare``: empty lines above and below, so that a single one is not oversized.
        """
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
            pen=ink(tokens().line_average, 2),
        )
        self.values.setData([each.value for each in self.shown], list(range(len(self.shown))))

    def _take_colours(self) -> None:
        self.plot.getPlotItem().getAxis("left").setTextPen(pg.mkPen(tokens().text))
        self.values.setSymbolBrush(QColor(tokens().line_average))
        self.values.setSymbolPen(None)
        self._draw()


_FEWEST = 6
_ROW, _AXIS = 17, 44  # pixels needed by a run with its name, and by the axis below
_LEAST_ROOM, _TALLEST = 5, 64  # runs, and pixels for one of them
_NAME, _LETTER, _NAMES_SHARE = 44, 7, 0.3  # minimum letters of a name, pixels per letter, share of the plot
_LEAST_DATA = 9  # letters that make the name of a data set recognizable
_BELOW = 0.22  # positions of the mark for all features and of the outer folds, so that nothing is covered


class IntervalPlot(ErrorBars):
    """The plot; ``names`` are those of the runs drawn, from the top."""

    def __init__(self) -> None:
        super().__init__("intervalPlot", tr("Held-out errors of the selected runs"))
        self.plot.setToolTip(
            tr(
                "Dot: held-out error; line: 95 % interval; diamond: all features on the same rows; small dots: "
                "outer folds."
            )
        )
        item = self.plot.getPlotItem()
        self.folds: Any = item.plot([], [], pen=None, symbol="o", symbolSize=4, symbolPen=None)
        self.all_features: Any = item.plot([], [], pen=None, symbol="d", symbolSize=10, symbolBrush=None)
        self.names: list[str] = []
        on_theme(self._colour_others)

    def show_entries(self, entries: Sequence[Entry], called: Mapping[int, str] | None = None) -> str:
        """Draw the runs that have a held-out error in the first one's criterion; return remarks.

        ``called`` contains the user's names of runs by number.
        """
        fitting = [entry for entry in entries if entry.unseen is not None]
        fitting = [entry for entry in fitting if entry.criterion == fitting[0].criterion]
        shown = fitting[: max(_FEWEST, (self.plot.height() - _AXIS) // _ROW)]
        room = max(_NAME, int(_NAMES_SHARE * self.plot.width() / _LETTER))
        names = called or {}
        usual = _names(shown, room)
        self.names = [_cut(names.get(entry.run, said), room) for entry, said in zip(shown, usual, strict=True)]
        title = ""
        if shown:
            criterion = Comparison.criterion(shown[0].column)
            title = unseen_title(criterion)
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
        if others or not every:
            return others
        if len(flat):
            return tr("◇ all features on the same rows · small dots: outer folds, where these were run")
        return tr("◇ all features on the same rows")

    @staticmethod
    def _others(shown: int, fitting: int, wanted: int) -> str:
        """Why some of the runs are not drawn."""
        said = []
        if shown < fitting:
            words = tr(
                "First {shown} of {count}; select rows under Each run to see others.", shown=shown, count=fitting
            )
            said.append(words)
        if fitting < wanted:
            others = wanted - fitting
            words = tr("{count} more not shown: no held-out error yet, or a different criterion.", count=others)
            said.append(words)
        return " ".join(said)

    def _colour_others(self) -> None:
        dots = QColor(tokens().text)
        dots.setAlpha(110)
        self.all_features.setSymbolPen(ink(tokens().text, 1.5))
        self.folds.setSymbolBrush(dots)


def _known(entry: Entry) -> NDArray[np.float64]:
    """(4,) error, lower and upper limit of its interval and the error of all features, as shown; NaN: unknown."""
    assert entry.unseen is not None
    known = entry.unseen
    losses = [known.value, known.low, known.high, known.all_features]
    value, first, last, every = drawn(
        Comparison.criterion(entry.column), np.array([np.nan if loss is None else loss for loss in losses])
    )
    return np.array([value, min(first, last), max(first, last), every])


def _names(entries: Sequence[Entry], letters: int) -> list[str]:
    """Method and model of each run, followed by what distinguishes it: its seed or its data set.

    If space is short, the data set (often shared) is shortened, then the end of the model.
    """
    seeds: dict[tuple[object, ...], set[int]] = {}
    for entry in entries:
        seeds.setdefault((entry.data, *entry.row), set()).add(entry.seed)
    several = len({entry.data for entry in entries}) > 1
    return [
        _name(entry, letters, data=several, seed=len(seeds[entry.data, *entry.row]) > 1 or len(entries) == 1)
        for entry in entries
    ]


def _name(entry: Entry, letters: int, *, data: bool, seed: bool) -> str:
    method, model = translated(entry.method), translated(entry.model)
    head = method if model == method else f"{method} · {model}"
    tail = f" · {tr('seed {seed}', seed=entry.seed)}" if seed else ""  # what distinguishes runs is never cut off
    room = letters - len(tail)
    if not data:
        return f"{_cut(head, room)}{tail}"
    name = Comparison.data_title(entry.column)
    share = min(len(name), max(_LEAST_DATA, room - len(head) - 3))
    return f"{_cut(head, room - share - 3)}{tail} · {_cut(name, share)}"


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"
