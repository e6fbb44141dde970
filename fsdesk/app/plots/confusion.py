"""Confusion matrices: counts, shares of each row, sums."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fsdesk.app.palette import INKS, LIGHT, SPACE, Tokens, contrast
from fsdesk.app.widgets import named
from fsdesk.messages import number, tr

__all__ = ["ConfusionView", "counted_text", "readable", "shade", "writer"]


_CELL = 56
_LEAST = 15  # a line of numbers
_MOST_READ = 17  # rows of a matrix that may be scrolled for the sake of its numbers
_MOST = 150
_LARGER = 92  # in cells higher than this the numbers are larger, too
_NAME, _NAMES_SHARE = 88, 5  # pixels for names, or a fifth of the width
_HEAD = 20
_TOP = 3.0 * _HEAD  # where the cells begin
_WHOLE = 5e-3  # a count so near to a whole number is one
_BOTH = 34  # cells lower than this have room for one of the two numbers


class ConfusionView(QWidget):
    """One matrix: rows are the true classes, columns what was predicted, the last of each their sums."""

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        named(self, name, spoken)
        self._title = ""
        self._counts: NDArray[np.float64] = np.empty((0, 0))
        self._classes: tuple[str, ...] = ()
        self._tokens = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            tr(
                "Rows are what is true, columns what the model said about rows that it had not seen, in one pass over "
                "the table on average. Percent are shares of the row: on the diagonal the share that is found."
            )
        )

    def show_matrix(self, title: str, counts: NDArray[np.float64], classes: tuple[str, ...]) -> None:
        """Show (classes, classes) mean counts under a title."""
        self._title, self._counts, self._classes = title, counts, classes
        self.setAccessibleDescription(self.words())
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """The matrix as one would read it out."""
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
        for row in range(number):
            painter.setFont(self.font())
            name = QRectF(0, top + row * high, left - SPACE, high)
            if high >= painter.fontMetrics().ascent():
                self._text(painter, name, self._name(row), self._tokens.muted, right=True)
            painter.setFont(numbers)
            for column in range(number):
                area = QRectF(left + column * wide, top + row * high, wide, high).adjusted(1, 1, -1, -1)
                count, last = float(table[row, column]), number - 1
                said = (beside if column == last else below if row == last else inside)(count)
                share = count / (float(totals[row]) or 1.0) if max(row, column) < last else None
                self._cell(painter, area, said, share)

    def _heads(self, painter: QPainter, left: float, top: float, wide: float, number: int) -> None:
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        self._text(painter, QRectF(0, 0, self.width(), _HEAD), self._title, self._tokens.text, left=True)
        painter.setFont(self.font())
        self._text(painter, QRectF(0, top - _HEAD, left - SPACE, _HEAD), tr("true"), self._tokens.muted, right=True)
        across = QRectF(left, top - 2 * _HEAD, wide * (number - 1), _HEAD)
        self._text(painter, across, tr("predicted"), self._tokens.muted)
        for column in range(number):
            over = QRectF(left + column * wide, top - _HEAD, wide, _HEAD)
            name = self._name(column)
            sign = column == number - 1 and painter.fontMetrics().horizontalAdvance(name) > wide
            self._text(painter, over, "Σ" if sign else name, self._tokens.muted)

    def names_width(self) -> float:
        """Where the cells begin: names have what they need, up to a limit."""
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
        """(classes + 1, classes + 1) counts with their sums."""
        rows = np.vstack([self._counts, self._counts.sum(axis=0)])
        return np.column_stack([rows, rows.sum(axis=1)])

    def _name(self, at: int) -> str:
        return self._classes[at] if at < len(self._classes) else tr("Sum")

    def cell_words(self, x: float, y: float) -> str:
        """What the cell at a point says, for cells too small to hold their numbers; "" beside the cells."""
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
        """Draw a number, and its share of the row where it is no sum."""
        ink = self._tokens.text
        if share is not None:
            ground = shade(self._tokens.surface, self._tokens.line_average, 0.06 + 0.94 * share)
            painter.fillRect(area, ground)
            ink = readable(ground)
        metrics = painter.fontMetrics()
        if area.height() < metrics.capHeight() + 2 or area.width() < metrics.horizontalAdvance(text):
            return  # the shade says it, and the words under the pointer
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

    def dress(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()


def writer(counts: Sequence[float], letters: QFontMetricsF, wide: float) -> Callable[[float], str]:
    """How these counts are written: all with one decimal where that is needed and has room, else with none."""
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
    """The colour at a share, 0 to 1, of the way from one to the other."""
    one, other = QColor(first), QColor(second)
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + share * (b - a)) for a, b in pairs))


def readable(ground: QColor) -> str:
    """Black or white, whichever stands out more."""
    return max(INKS, key=lambda ink: contrast(ink, ground.name()))
