"""The target at a glance: how many rows each class has, or how its numbers are spread."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fsdesk.app.look.parts import Card, ElidedLabel
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import number, tr
from fsdesk.app.look.words import counted
from fsdesk.data import Dataset

__all__ = ["Spread", "TargetCard", "spread_of"]

_MOST_CLASSES = 5
_MOST_BINS = 40
_LINE, _HISTOGRAM = 20, 72


@dataclass(frozen=True, eq=False)
class Spread:
    """What is drawn of a target: bars with their names and numbers.

    Attributes
    ----------
    counts
        (m,) int64 rows of each class shown, or in each bin of numbers.
    names
        Names of the classes shown; none for numbers.
    caption
        All of it in one line.
    ends
        Smallest, middle and largest number as text; none for classes.
    """

    counts: NDArray[np.int64]
    names: tuple[str, ...]
    caption: str
    ends: tuple[str, ...] = ()


def spread_of(dataset: Dataset) -> Spread:
    """Count the rows of each class, the largest first, or the numbers in bins of equal width."""
    if dataset.response is not None:
        return _of_numbers(dataset.response)
    sizes = np.bincount(dataset.target, minlength=len(dataset.classes))
    order = np.argsort(-sizes, kind="stable")[:_MOST_CLASSES]
    more = len(sizes) - len(order)
    caption = counted(len(sizes), "class")
    if more:
        caption = tr("{classes}, the {count} largest shown", classes=caption, count=len(order))
    return Spread(sizes[order], tuple(dataset.classes[code] for code in order), caption)


def _of_numbers(response: NDArray[np.float64]) -> Spread:
    low, middle, high = np.quantile(response, [0.0, 0.5, 1.0])
    bins = int(np.clip(np.sqrt(len(response)), 5, _MOST_BINS))
    # Scaled first: the width of a bin of extreme numbers would leave the range of doubles.
    scale = max(abs(low), abs(high)) or 1.0
    counts, _ = np.histogram(response / scale, bins=bins, range=(low / scale, high / scale))
    ends = (number(low, ".4g"), tr("median {value:.4g}", value=middle), number(high, ".4g"))
    return Spread(counts, (), tr("numbers from {low:.4g} to {high:.4g}", low=low, high=high), ends)


class TargetCard(Card):
    """Name of the target and its bars."""

    def __init__(self) -> None:
        super().__init__(tr("Target"))
        self.setObjectName("targetCard")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.caption = ElidedLabel("caption")
        self.head.insertWidget(1, self.caption, 100)
        self.bars = _Bars()
        self.body.addWidget(self.bars)
        self.hide()

    def show_target(self, name: str, spread: Spread | None) -> None:
        """Show another target; none hides the card."""
        self.setVisible(spread is not None)
        if spread is not None:
            self.heading.setText(tr("Target: {name}", name=name))
            self.caption.setText(spread.caption)
            self.bars.show_spread(spread)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.bars.tokens = tokens
        self.bars.update()


class _Bars(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("targetBars")
        self.tokens = LIGHT
        self.spread: Spread | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_spread(self, spread: Spread) -> None:
        self.spread = spread
        said = ", ".join(f"{name}: {number(count)}" for name, count in zip(spread.names, spread.counts, strict=False))
        self.setAccessibleName(tr("Target, {words}", words=said or spread.caption))
        self.setToolTip(said)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        names = self.spread.names if self.spread is not None else ()
        return QSize(200, len(names) * _LINE if names else _HISTOGRAM + _LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        spread = self.spread
        if spread is None or not len(spread.counts):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_classes(painter, spread) if spread.names else self._paint_numbers(painter, spread)
        painter.end()

    def _paint_classes(self, painter: QPainter, spread: Spread) -> None:
        metrics = self.fontMetrics()
        texts = [number(count) for count in spread.counts]
        left = min(self.width() // 3, max(map(metrics.horizontalAdvance, spread.names)) + SPACE)
        right = max(map(metrics.horizontalAdvance, texts)) + SPACE
        room = self.width() - left - right
        for place, (name, count, text) in enumerate(zip(spread.names, spread.counts, texts, strict=True)):
            line = QRectF(0, place * _LINE, self.width(), _LINE)
            painter.setPen(QColor(self.tokens.text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, left - SPACE // 2)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.tokens.line_average))
            width = max(2.0, room * int(count) / int(spread.counts.max()))
            painter.drawRoundedRect(QRectF(left, line.top() + 5, width, _LINE - 10), 3, 3)

    def _paint_numbers(self, painter: QPainter, spread: Spread) -> None:
        wide = self.width() / len(spread.counts)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.tokens.line_average))
        for place, count in enumerate(spread.counts):
            high = _HISTOGRAM * int(count) / int(spread.counts.max())
            painter.drawRect(QRectF(place * wide, _HISTOGRAM - high, max(1.0, wide - 1), high))
        painter.setPen(QColor(self.tokens.muted))
        line = QRectF(0, _HISTOGRAM + 2, self.width(), _LINE - 2)
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        for side, text in zip(sides, spread.ends, strict=True):
            painter.drawText(line, int(side | Qt.AlignmentFlag.AlignVCenter), text)
