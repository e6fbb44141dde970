"""The permuted-label control: start, stop, and the errors of shuffled runs compared with the real one."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from fsdesk.app.plots.axes import ink, plot_widget, show_numbers
from fsdesk.app.session.run import Run
from fsdesk.app.session.validations import shuffled_seconds
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.translation import duration, unseen_title
from fsdesk.app.widgets import IntegerField, button, column, label, named, progress_bar, row
from fsdesk.measure import CRITERIA
from fsdesk.messages import localised, number, tr
from fsdesk.results.curves import drawn
from fsdesk.results.permutations import PermutationTest

_USUAL, _MOST = 99, 9999
_BARS = 20


class ShuffledView(QWidget):
    """``wanted`` sends the number of shuffled runs; ``stop_wanted`` stops them."""

    wanted = Signal(int)
    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._run: Run | None = None
        self._test: PermutationTest | None = None
        self.words = label("", wrap=True)
        named(self.words, "shuffledWords", tr("Result of the shuffled runs"))
        self.count = IntegerField(1, _MOST)
        self.count.setValue(_USUAL)
        self.count.setToolTip(tr("99 give a p-value as small as 0.01, 19 give 0.05, 999 give 0.001."))
        named(self.count, "shuffledCount", tr("Number of shuffled runs"))
        self.count.valueChanged.connect(lambda _: self._show_state())
        self.start = button("", "shuffledStart", "primary", tr("Repeat the run on shuffled labels"))
        self.start.clicked.connect(lambda: self.wanted.emit(self.count.value()))
        self.bar = progress_bar("shuffledProgress", tr("Progress of the shuffled runs"))
        self.bar.setMaximumWidth(220)
        self.stop = button(tr("Stop"), "shuffledStop", "link", tr("Stop; completed shuffled runs are kept"))
        self.stop.clicked.connect(self.stop_wanted)
        self.state = label("", "caption", wrap=True)
        named(self.state, "shuffledState", tr("Duration of the shuffled runs"))
        self.plot = plot_widget(
            "shuffledPlot",
            tr("Errors of the shuffled runs and of this run"),
            left=tr("shuffled runs"),
        )
        item = self.plot.getPlotItem()
        item.getAxis("left").counts = True
        item.showGrid(y=True, alpha=0.12)
        self.plot.setMouseEnabled(x=False, y=False)
        self._bars: Any = pg.BarGraphItem(x0=[], x1=[], height=[])
        item.addItem(self._bars)
        self._line: Any = pg.InfiniteLine(angle=90, label="", labelOpts={"position": 0.9, "anchors": [(0, 0), (1, 0)]})
        item.addItem(self._line, ignoreBounds=True)
        self.how_many = label(tr("Shuffled runs"))
        self._spare = QWidget()
        count = row(self.how_many, self.count, self.bar, self.stop, None, spacing=12)
        parts = (self.words, count, row(self.start, None), self.state, self.plot, self._spare)
        self.setLayout(column(*parts, grow=[self.plot, self._spare]))
        on_theme(self._take_colours)

    def show_run(self, run: Run, *, read_only: bool) -> None:
        """Show the shuffled runs of a run."""
        self._run, self._read_only = run, read_only
        self._test = test = run.permutations
        if test is None:
            self.words.setText(
                tr(
                    "Could this error arise by chance? The complete run is repeated on this table with shuffled "
                    "labels, so that there is nothing to find. If the shuffled runs do as well as the real one, it "
                    "may have found nothing."
                )
            )
        else:
            self.words.setText(test.sentence())
            self._draw(test)
        self.plot.setVisible(test is not None)
        self._spare.setVisible(test is None)
        self._show_state()

    def _show_state(self) -> None:
        run = self._run
        if run is None:
            return
        going, judged = run.shuffling, run.judged
        focused = next((part for part in (self.stop, self.count, self.start) if part.hasFocus()), None)
        self.bar.setVisible(going is not None)
        self.stop.setVisible(going is not None)
        for part in (self.how_many, self.count, self.start):
            part.setVisible(going is None)
        known = 0 if judged is None else len(judged.shuffled)
        missing = max(0, self.count.value() - known)
        self.start.setEnabled(judged is not None and missing > 0 and not self._read_only)
        if focused is not None and focused.isHidden():  # otherwise it would move to another card
            (self.count if going is None else self.stop).setFocus()
        if going is not None:
            self.bar.setRange(0, going.total)
            self.bar.setValue(going.done)
            left = going.seconds_left
            done = tr("{done} of {total} shuffled runs", done=number(going.done), total=number(going.total))
            self.state.setText(
                done if left is None else tr("{done}; about {time} left", done=done, time=duration(left))
            )
            return
        time = duration(max(1.0, shuffled_seconds(run, missing)))
        if known and missing:
            self.start.setText(tr("Run {count} more (about {time})", count=number(missing), time=time))
        elif missing:
            self.start.setText(tr("Run {count} (about {time})", count=number(missing), time=time))
        else:
            self.start.setText(tr("Run more"))
        self.state.setText(self._what_it_takes(run, known, missing))

    def _what_it_takes(self, run: Run, known: int, missing: int) -> str:
        if run.judged is None:
            return tr("Measure the held-out error first; the shuffled runs are compared with it.")
        if not missing:
            return tr(
                "{count} shuffled runs are stored with this run. Increase the number to add more.", count=number(known)
            )
        least = localised(f"{1 / (self.count.value() + 1):.2g}")
        return tr(
            "This uses all cores. You can stop at any time; completed runs are kept. The smallest possible p-value "
            "is {p}.",
            p=least,
        )

    def _draw(self, test: PermutationTest) -> None:
        criterion = CRITERIA[test.criterion]
        values = drawn(criterion, np.array(test.errors))
        real = float(drawn(criterion, np.array([test.observed]))[0])
        low, high = min(float(values.min()), real), max(float(values.max()), real)
        reach = (high - low) or abs(low) or 1.0
        counts, edges = np.histogram(values, bins=_BARS, range=(low - 0.02 * reach, high + 0.02 * reach))
        self._bars.setOpts(x0=edges[:-1], x1=edges[1:], height=counts)
        self._line.setPos(real)
        self._line.label.setFormat(tr("this run: {value}", value=localised(criterion.text(test.observed))))
        show_numbers(self.plot, True)
        item = self.plot.getPlotItem()
        item.getAxis("bottom").setLabel(unseen_title(criterion))
        self.plot.setXRange(low - 0.06 * reach, high + 0.06 * reach, padding=0)
        self.plot.setYRange(0, 1.18 * float(counts.max()), padding=0)
        spoken = tr("p = {p}", p=localised(f"{test.p:.3g}"))
        self.plot.setAccessibleDescription(spoken)
        self.plot.setToolTip(
            tr("Bars: distribution of the error over the shuffled runs. Line: error of the real run, {p}.", p=spoken)
        )

    def _take_colours(self) -> None:
        fill = QColor(tokens().line_baseline)
        fill.setAlpha(150)
        self._bars.setOpts(brush=fill, pen=ink(tokens().surface, 1))
        self._line.setPen(ink(tokens().line_best, 2.5))
        self._line.label.setColor(QColor(tokens().text))
        self._line.label.fill.setColor(QColor(tokens().surface))
