"""Plots of predictions: confusion matrices, ROC curves, predicted against observed numbers, residuals."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fsdesk.app.palette import INKS, SPACE, contrast
from fsdesk.app.plots.axes import ink, plot_widget
from fsdesk.app.style import bold, on_theme, tokens
from fsdesk.app.widgets import Choice, column, label, named, panel, row
from fsdesk.messages import number, tr, translated

if TYPE_CHECKING:
    from fsdesk.results.diagnosis import Diagnosis, Judged, RocCurve
    from fsdesk.results.survival import RiskGroups

_CELL = 56
_LEAST = 15  # a line of numbers
_MOST_READ = 17  # rows of a matrix that may be scrolled to make room for its numbers
_MOST = 150
_LARGER = 92  # in cells higher than this the numbers are larger, too
_NAME, _NAMES_SHARE = 88, 5  # pixels for names, or a fifth of the width
_HEAD = 20
_TOP = 3.0 * _HEAD  # where the cells begin
_WHOLE = 5e-3  # a count this close to an integer is one
_MOST_GROUPS = 3  # by risk
_BOTH = 34  # cells lower than this have room for only one of the two numbers


class ConfusionView(QWidget):
    """One matrix: rows are the true classes, columns the predicted ones, the last of each the totals."""

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        named(self, name, spoken)
        self._title = ""
        self._counts: NDArray[np.float64] = np.empty((0, 0))
        self._classes: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            tr(
                "Rows are true classes, columns predicted classes, for held-out rows averaged over one pass through "
                "the table. Percentages are shares of each row; the diagonal shows the share predicted correctly."
            )
        )

    def show_matrix(self, title: str, counts: NDArray[np.float64], classes: tuple[str, ...]) -> None:
        """Show (classes, classes) mean counts under a title."""
        self._title, self._counts, self._classes = title, counts, classes
        self.setAccessibleDescription(self.words())
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """The matrix as read aloud."""
        said = [
            tr("{true} predicted as {said}: {count}", true=true, said=said, count=counted_text(count))
            for true, row in zip(self._classes, self._counts, strict=True)
            for said, count in zip(self._classes, row, strict=True)
        ]
        return f"{self._title}. {'; '.join(said)}."

    def sizeHint(self) -> QSize:
        return self._size(_CELL)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 3 * _HEAD + min(len(self._classes) + 1, _MOST_READ) * _LEAST)

    def _size(self, cell: int) -> QSize:
        side = (len(self._classes) + 1) * cell
        return QSize(_NAME + side, 3 * _HEAD + side)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self._counts):
            return
        painter = QPainter(self)
        number = len(self._classes) + 1
        wide, high = self._cell_size()
        left, top = self.names_width(), _TOP
        self._heads(painter, left, top, wide, number)
        table = self._table()
        totals = table[:, -1]
        numbers = QFont(self.font())
        numbers.setPixelSize(round(painter.fontInfo().pixelSize() * max(1.0, min(1.5, high / _LARGER))))
        letters = QFontMetricsF(numbers)
        parts = (self._counts.ravel().tolist(), table[-1, :-1].tolist(), totals.tolist())
        inside, below, beside = (writer(each, letters, wide - 2) for each in parts)
        for down in range(number):
            painter.setFont(self.font())
            name = QRectF(0, top + down * high, left - SPACE, high)
            if high >= painter.fontMetrics().ascent():
                self._text(painter, name, self._name(down), tokens().muted, right=True)
            painter.setFont(numbers)
            for along in range(number):
                area = QRectF(left + along * wide, top + down * high, wide, high).adjusted(1, 1, -1, -1)
                count, last = float(table[down, along]), number - 1
                said = (beside if along == last else below if down == last else inside)(count)
                share = count / (float(totals[down]) or 1.0) if max(down, along) < last else None
                self._cell(painter, area, said, share)

    def _heads(self, painter: QPainter, left: float, top: float, wide: float, number: int) -> None:
        painter.setFont(bold(self.font()))
        self._text(painter, QRectF(0, 0, self.width(), _HEAD), self._title, tokens().text, left=True)
        painter.setFont(self.font())
        self._text(painter, QRectF(0, top - _HEAD, left - SPACE, _HEAD), tr("true"), tokens().muted, right=True)
        across = QRectF(left, top - 2 * _HEAD, wide * (number - 1), _HEAD)
        self._text(painter, across, tr("predicted"), tokens().muted)
        for along in range(number):
            over = QRectF(left + along * wide, top - _HEAD, wide, _HEAD)
            name = self._name(along)
            sign = along == number - 1 and painter.fontMetrics().horizontalAdvance(name) > wide
            self._text(painter, over, "Σ" if sign else name, tokens().muted)

    def names_width(self) -> float:
        """Width of the names, which take what they need up to a limit; the cells begin there."""
        names = (*self._classes, tr("Sum"), tr("true"))
        return float(
            min(
                max(_NAME, self.width() // _NAMES_SHARE),
                SPACE + 2 + max(map(self.fontMetrics().horizontalAdvance, names)),
            )
        )

    def _cell_size(self) -> tuple[float, float]:
        """Width and height of a cell."""
        number = len(self._classes) + 1
        wide = min(_MOST, (self.width() - self.names_width()) / number)
        return wide, min(_MOST, wide, (self.height() - _TOP) / number)

    def _table(self) -> NDArray[np.float64]:
        """(classes + 1, classes + 1) counts with totals."""
        rows = np.vstack([self._counts, self._counts.sum(axis=0)])
        return np.column_stack([rows, rows.sum(axis=1)])

    def _name(self, at: int) -> str:
        return self._classes[at] if at < len(self._classes) else tr("Sum")

    def cell_words(self, x: float, y: float) -> str:
        """The text of the cell at a point, for cells too small for their numbers; "" outside the cells."""
        if not len(self._counts):
            return ""
        wide, high = self._cell_size()
        row, column = int((y - _TOP) // high), int((x - self.names_width()) // wide)
        table = self._table()
        if not (0 <= row < len(table) and 0 <= column < len(table)):
            return ""
        count, total = float(table[row, column]), float(table[row, -1])
        if max(row, column) == len(self._classes):
            return f"{self._name(row)}, {self._name(column)}: {counted_text(count)}"
        said = tr("{true} predicted as {said}: {count}", true=self._name(row), said=self._name(column),
                  count=counted_text(count))  # fmt: skip
        return f"{said} ({number(100 * count / (total or 1.0), '.1f')} %)"

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self.cell_words(event.pos().x(), event.pos().y())
            if words:
                QToolTip.showText(event.globalPos(), words, self)
                return True
        return super().event(event)

    def _cell(self, painter: QPainter, area: QRectF, text: str, share: float | None) -> None:
        """Draw a number and, except for totals, its percentage of the row."""
        ink = tokens().text
        if share is not None:
            ground = shade(tokens().surface, tokens().line_average, 0.06 + 0.94 * share)
            painter.fillRect(area, ground)
            ink = readable(ground)
        metrics = painter.fontMetrics()
        if area.height() < metrics.capHeight() + 2 or area.width() < metrics.horizontalAdvance(text):
            return  # shown by the shade and the tooltip
        if share is not None and area.height() >= _BOTH:
            half = area.height() / 2
            percent = number(100 * share, ".1f") + " %"
            self._text(painter, QRectF(area.left(), area.top() + 3, area.width(), half - 2), text, ink)
            self._text(painter, QRectF(area.left(), area.top() + half - 1, area.width(), half - 2), percent, ink)
        else:
            self._text(painter, area, text, ink)

    def _text(
        self, painter: QPainter, area: QRectF, text: str, colour: str, *, left: bool = False, right: bool = False
    ) -> None:
        painter.setPen(QColor(colour))
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight if right else None
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(area, int((side or Qt.AlignmentFlag.AlignHCenter) | Qt.AlignmentFlag.AlignVCenter), shown)


def writer(counts: Sequence[float], letters: QFontMetricsF, wide: float) -> Callable[[float], str]:
    """The format of these counts: all with one decimal if needed and if there is room, otherwise all without."""
    whole = all(abs(count - round(count)) < _WHOLE for count in counts)
    room = all(letters.horizontalAdvance(number(count, ",.1f")) <= wide for count in counts)
    form = ",.0f" if whole or not room else ",.1f"
    return lambda count: number(count, form)


def counted_text(count: float) -> str:
    """A mean count: "12", "3.4", "0.05"."""
    if count >= 100 or abs(count - round(count)) < _WHOLE:
        return number(count, ",.0f")
    return number(count, ".1f" if count >= 0.1 else ".2f")


def shade(first: str, second: str, share: float) -> QColor:
    """The color at a fraction, 0 to 1, between two colors."""
    one, other = QColor(first), QColor(second)
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + share * (b - a)) for a, b in pairs))


def readable(ground: QColor) -> str:
    """Black or white, whichever has more contrast."""
    return max(INKS, key=lambda ink: contrast(ink, ground.name()))


Floats = NDArray[np.float64]
_MOST_POINTS = 5000


class BandedCurve:
    """A curve with its band in a plot, a dashed one for comparison, and the line of chance."""

    def __init__(self, plot: Any) -> None:
        item = plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        self._low: Any = item.plot([], [])
        self._high: Any = item.plot([], [])
        self._band: Any = pg.FillBetweenItem(self._low, self._high)
        item.addItem(self._band)
        self.guess: Any = item.plot([0, 1], [0, 1])
        self.other: Any = item.plot([], [], antialias=True)
        self.own: Any = item.plot([], [], antialias=True)

    def show_band(self, x: Floats, low: Floats, high: Floats) -> None:
        """Draw the band."""
        self._low.setData(x, low)
        self._high.setData(x, high)

    def take_colours(self) -> None:
        """Use the colors of the theme."""
        shade = QColor(tokens().line_average)
        shade.setAlpha(48)
        self._band.setBrush(shade)
        self._low.setPen(None)
        self._high.setPen(None)
        self.guess.setPen(ink(tokens().muted, 1, 150, dashed=True))
        self.own.setPen(ink(tokens().line_average, 2))
        self.other.setPen(ink(tokens().line_baseline, 2, dashed=True))


class RocView(QWidget):
    """The curve of one class with its band, and that of all features; with a choice of the class if there are more."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = plot_widget(
            "rocPlot",
            tr("ROC curve of the subset and of all features"),
            left=tr("true positive rate"),
            bottom=tr("false positive rate"),
        )
        item = self.plot.getPlotItem()
        item.setXRange(0, 1, padding=0.04)  # room for the last number
        item.setYRange(0, 1, padding=0.02)
        self._curves = BandedCurve(self.plot)
        self.classes = Choice()
        named(self.classes, "rocClass", tr("Positive class"))
        self.classes.currentIndexChanged.connect(lambda _: self._draw())
        self.choice = panel(row(label(tr("Class"), "caption"), self.classes, None))
        self.legend = label("", "caption", wrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        named(self.legend, "rocLegend", tr("Areas under the curves"))
        self.setLayout(column(self.choice, self.plot, self.legend))
        self._diagnosis: Diagnosis | None = None
        on_theme(self._take_colours)

    def show_diagnosis(self, diagnosis: "Diagnosis") -> None:
        """Show the curves of a diagnosis."""
        self._diagnosis = diagnosis
        names = [curve.name for curve in diagnosis.chosen.curves]
        if list(self.classes.offered) != [str(at) for at in range(len(names))] or any(
            self.classes.itemText(at) != name for at, name in enumerate(names)
        ):
            self.classes.offer({str(at): name for at, name in enumerate(names)})
            self.classes.setCurrentIndex(0)
        self.choice.setVisible(len(names) > 1)
        self._draw()

    def _draw(self) -> None:
        from fsdesk.results.diagnosis import GRID

        diagnosis, at = self._diagnosis, max(0, self.classes.currentIndex())
        if diagnosis is None or at >= len(diagnosis.chosen.curves):
            return
        curve = diagnosis.chosen.curves[at]
        other = next((each for each in diagnosis.everything.curves if each.name == curve.name), None)
        self._curves.own.setData(*_from_origin(GRID, curve.mean))
        low, high = (np.clip(curve.mean + side * curve.deviation, 0, 1) for side in (-1, 1))
        self._curves.show_band(GRID, low, high)
        self._curves.other.setData(*(([], []) if other is None else _from_origin(GRID, other.mean)))
        self.legend.setText(self._words(diagnosis, curve, other))

    def _words(self, diagnosis: "Diagnosis", curve: "RocCurve", other: "RocCurve | None") -> str:
        chosen, everything = tokens().line_average, tokens().line_baseline

        def area(curve: "RocCurve") -> str:
            shown = number(curve.area, ".3f")
            return shown if diagnosis.held_out else f"{shown} ± {number(curve.area_deviation, '.3f')}"

        said = tr("selected features: AUC {area}", area=area(curve))
        parts = [f'<span style="color:{chosen}">━</span> {said}']
        if other is not None:
            said = tr("all features: AUC {area}", area=area(other))
            parts.append(f'<span style="color:{everything}">╍</span> {said}')
        words = tr("Positive class: “{name}”. Mean over folds.", name=curve.name)
        if not diagnosis.held_out:
            words = f"{words} {tr('Bands and ± show one standard deviation over the repeats.')}"
        escaped = words.replace("&", "&amp;").replace("<", "&lt;")
        return "&nbsp;&nbsp; ".join(map(_unbroken, parts)) + f"<br>{escaped}"

    def _take_colours(self) -> None:
        self._curves.take_colours()
        self._draw()


def _unbroken(html: str) -> str:
    """The text with non-breaking spaces, except inside tags."""
    tag, end, text = html.partition("</span>")
    return tag + end + text.replace(" ", "&nbsp;")


def _from_origin(false: Floats, true: Floats) -> tuple[Floats, Floats]:
    return np.concatenate([[0.0], false]), np.concatenate([[0.0], true])


_CURVES = 200  # pixels, at least, for survival curves


class SurvivalView(QWidget):
    """Kaplan-Meier curves of groups by predicted risk, for times to an event."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = plot_widget(
            "survivalPlot", tr("Survival curves by predicted risk group"), left=tr("event-free"),
            bottom=tr("time"),
        )  # fmt: skip
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        item.setYRange(0, 1)
        self.plot.setMinimumHeight(_CURVES)
        self._found: RiskGroups | None = None
        self._chosen: list[Any] = [item.plot([], []) for _ in range(_MOST_GROUPS)]
        self._everything: list[Any] = [item.plot([], []) for _ in range(_MOST_GROUPS)]
        self.legend = label("", "caption", wrap=True)
        named(self.legend, "survivalLegend", tr("About the curves"))
        self.key = label("", "caption")
        self.key.setTextFormat(Qt.TextFormat.RichText)
        named(self.key, "survivalKey", tr("Risk groups"))
        self.setLayout(column(self.key, self.plot, self.legend))
        on_theme(self._take_colours)

    def show_diagnosis(self, diagnosis: "Diagnosis") -> None:
        """Show the groups by risk of a diagnosis."""
        from fsdesk.results.survival import risk_groups, shared_words

        self.plot.getPlotItem().setLabel("bottom", diagnosis.target)
        self._found = None
        for lines, judged in ((self._chosen, diagnosis.chosen), (self._everything, diagnosis.everything)):
            found = risk_groups(judged.predicted, diagnosis.response) if len(judged.predicted) else None
            if lines is self._chosen:
                self._found = found
            for place, line in enumerate(lines):
                if found is None or place >= len(found.groups):
                    line.setData([], [])
                    continue
                curve = found.groups[place].curve
                line.setData(*_steps(curve.times, curve.survival))
        if self._found is None:
            self.legend.setText(tr("All rows have the same predicted risk, so no groups can be formed."))
        else:
            words = self._found.words(tr("Selected features"), diagnosis.event)
            dashed = tr("Dashed lines: groups by all features.")
            self.legend.setText(f"{words} {shared_words()} {dashed}")
        self._take_colours()

    def _take_colours(self) -> None:
        count = 2 if self._found is None else len(self._found.groups)
        colours = [tokens().line_average, tokens().muted, tokens().line_best]
        colours = colours if count == _MOST_GROUPS else [colours[0], colours[2], colours[2]]
        names = [] if self._found is None else [translated(each.name) for each in self._found.groups]
        parts = [f'<span style="color:{tint}">━</span> {name}' for tint, name in zip(colours, names, strict=False)]
        self.key.setText("&nbsp;&nbsp;&nbsp; ".join(parts))
        for lines, width, dashed in ((self._chosen, 2, False), (self._everything, 1, True)):
            for line, colour in zip(lines, colours, strict=True):
                line.setPen(ink(colour, width, 255 if width > 1 else 170, dashed=dashed))


def _steps(times: Floats, survival: Floats) -> tuple[Floats, Floats]:
    """A step curve, constant until its next time."""
    x = np.repeat(np.concatenate([[0.0], times]), 2)[1:]
    return x, np.repeat(np.concatenate([[1.0], survival]), 2)[:-1]


class NumbersView(QWidget):
    """Predicted against observed values, or residuals, for numeric targets; each row of the table is a point."""

    def __init__(self, name: str, *, residuals: bool) -> None:
        super().__init__()
        self._residuals = residuals
        spoken = tr("Residuals against observed values") if residuals else tr("Predicted against observed values")
        left = tr("predicted − observed") if residuals else tr("predicted")
        self.plot = plot_widget(name, spoken, left=left, bottom=tr("observed"))
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        self._line: Any = item.plot([], [])
        self._everything: Any = item.plot([], [], pen=None, symbol="o", symbolSize=5, symbolBrush=None)
        self._chosen: Any = item.plot([], [], pen=None, symbol="o", symbolSize=6, symbolPen=None)
        self.legend = label("", "caption", wrap=True)
        named(self.legend, f"{name}Legend", tr("About the points"))
        self.setLayout(column(self.plot, self.legend))
        on_theme(self._take_colours)

    def show_diagnosis(self, diagnosis: "Diagnosis") -> None:
        """Show the predicted numbers of a diagnosis."""
        observed = diagnosis.response
        low, high = float(observed.min()), float(observed.max())
        self._line.setData([low, high], [0, 0] if self._residuals else [low, high])
        for drawing, judged in ((self._chosen, diagnosis.chosen), (self._everything, diagnosis.everything)):
            drawing.setData(*self._points(observed, judged))
        known = int(np.isfinite(diagnosis.chosen.predicted).sum())
        shown = len(self._chosen.getData()[0]) if known else 0
        rows = (
            tr("{shown} of {rows} rows, evenly spaced through the table.", shown=number(shown), rows=number(known))
            if shown < known
            else tr("Each row once.")
        )
        words = tr(
            "Filled: these features; open: all features. {rows} Each point is the mean over the repeats that tested "
            "the row; the line marks perfect prediction.",
            rows=rows,
        )
        if diagnosis.scored is not None:
            from fsdesk.results.decision import numbers_fit  # it exists by now

            words = f"{numbers_fit(diagnosis.scored).sentence()} {words}"
        self.legend.setText(words)

    def _points(self, observed: Floats, judged: "Judged") -> tuple[Floats, Floats]:
        if not len(judged.predicted):
            return np.empty(0), np.empty(0)
        known = np.flatnonzero(np.isfinite(judged.predicted))
        places = known[:: max(1, -(-len(known) // _MOST_POINTS))]
        predicted = judged.predicted[places]
        return observed[places], predicted - observed[places] if self._residuals else predicted

    def _take_colours(self) -> None:
        self._line.setPen(ink(tokens().line_best, 1.5, dashed=True))
        self._chosen.setSymbolBrush(QColor(tokens().line_average))
        self._everything.setSymbolPen(ink(tokens().line_baseline, 1, 150))
