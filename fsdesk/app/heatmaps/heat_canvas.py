"""The canvas of all heatmaps: draws only the rows in view, scrolls, zooms, has a crosshair and takes keys."""

import time

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QScrollBar, QSizePolicy, QWidget

from fsdesk.app.heatmaps.heat_frame import Frame, nice_steps
from fsdesk.app.look.parts import named
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import number

__all__ = ["Cells", "HeatCanvas"]

Cells = NDArray[np.uint8]

_BAR = 12
_WIDEST_NAME, _TICK_GAP, _MARK = 168, 64, 3
_ROUNDS = 4
_NAME_LINE = 1.05  # of the height of a letter


class HeatCanvas(QWidget):
    """A matrix as colours. What the cells, names and words are is said by the class that inherits from it.

    Signals: ``pointed`` at a row and a place across, row -1 when the pointer has left; ``picked`` a row;
    ``stretched`` the two ends that shall be in view across; ``reset`` all shall be in view again; ``arranged`` when
    other rows may fit.
    """

    pointed = Signal(int, float)
    picked = Signal(int)
    stretched = Signal(float, float)
    reset = Signal()
    arranged = Signal()
    least_across = 8.0

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        named(self, name, spoken)
        self.tokens = LIGHT
        self.frame = Frame(QRectF(0, 0, 1, 1))
        self.all_rows = False
        self.marked = -1
        self.cross: tuple[int, float] | None = None
        self.line: float | None = None
        self.slowest = 0.0
        self._own_high = False
        self._widest = 0
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        named(self.bar, f"{name}Scroll", spoken)
        self.bar.valueChanged.connect(self._on_bar)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # What is drawn

    def count(self) -> int:
        """Number of rows."""
        return 0

    def ends(self) -> tuple[float, float]:
        """Furthest places across."""
        return 0.0, 1.0

    def filled(self) -> tuple[float, float]:
        """Between which places across there are cells."""
        return self.ends()

    def cells(self, first: int, last: int, block: int, places: NDArray[np.float64]) -> Cells:
        """Bytes of rows ``first`` to ``last`` at some places across; one for each ``block`` of rows.

        Both ends are multiples of ``block``, so the last block may hold fewer rows.
        """
        return np.zeros((0, len(places)), dtype=np.uint8)

    def table(self, cells: Cells) -> list[int]:
        """The 256 colours for these cells."""
        return [0] * 256

    @property
    def cross_colour(self) -> str:
        """What is seen upon the cells."""
        return self.tokens.text

    def row_name(self, row: int) -> str:
        """What stands beside a row."""
        return str(row)

    def words(self, row: int, across: float) -> str:
        """What the crosshair says."""
        return self.row_name(row)

    def edges(self) -> tuple[float, float, float]:
        """Room above the cells, below them, and between them and the names, in pixels."""
        return 4.0, QFontMetrics(self.small_font).height() + 6.0, 0.0

    def paint_around(self, painter: QPainter) -> None:
        """Draw what else there is around the cells."""

    # Where it is drawn

    @property
    def small_font(self) -> QFont:
        """The font of names and numbers."""
        made = QFont(self.font())
        if made.pointSizeF() > 0:
            made.setPointSizeF(made.pointSizeF() * 0.9)
        return made

    @property
    def line_height(self) -> float:
        """The least height of a row with a name."""
        return QFontMetrics(self.small_font).ascent() * _NAME_LINE + 2

    @property
    def named_rows(self) -> bool:
        """Whether rows are high enough for their names."""
        return self.frame.high >= self.line_height - 0.01

    def sizeHint(self) -> QSize:
        """Something to begin with."""
        return QSize(480, 200)

    def arrange(self) -> None:
        """Fit the frame to the widget and to the matrix; call it when either has changed."""
        for _ in range(_ROUNDS):  # the room for names depends on which rows are in view, and that on the room
            before = self.frame
            self._arrange_once()
            if self.frame == before:
                break
        self._set_bar()
        self.update()
        self.arranged.emit()

    def _arrange_once(self) -> None:
        top, below, beside = self.edges()
        left = self._names_width() + beside
        area = QRectF(left, top, self.width() - left - _BAR - 2, self.height() - top - below)
        area.setWidth(max(8.0, area.width()))
        area.setHeight(max(8.0, area.height()))
        rows, ends = self.count(), self.ends()
        fitting = area.height() / max(1, rows)
        high = self.frame.high if self._own_high else fitting if self.all_rows else max(self.line_height, fitting)
        left, right = self.frame.left, self.frame.right
        ends = (min(ends[0], left), max(ends[1], right))  # who is linked may look further
        frame = Frame(area, rows, self.frame.top, max(high, fitting), left, right, ends)
        self.frame = frame.scrolled_to(frame.top)

    def _names_width(self) -> float:
        """Grows with the names that come into view, so that scrolling does not make the picture jump to and fro."""
        metrics = QFontMetrics(self.small_font)
        self._widest = max([self._widest, *map(metrics.horizontalAdvance, self.gutter())])
        return min(_WIDEST_NAME, self.width() // 4, self._widest + 2) + SPACE

    def gutter(self) -> tuple[str, ...]:
        """What stands beside the cells, for which there should be room."""
        if not self.named_rows:
            return ("#20,000",)
        first, last = self.frame.span
        return tuple(self.row_name(row) for row in range(first, min(last, self.count())))

    def forget(self) -> None:
        """Begin at the first row, with nothing marked: the matrix is another one."""
        self._own_high, self._widest, self.marked, self.cross, self.line = False, 0, -1, None, None
        self.frame = self.frame.scrolled_to(0)

    def show_all_rows(self, all_rows: bool) -> None:
        """Have all rows in view, or as many as there is room for names."""
        self.all_rows, self._own_high = all_rows, False
        self.arrange()
        if self.marked >= 0:
            self.show_row(self.marked)

    def show_row(self, row: int) -> None:
        """Scroll to a row."""
        self._take(self.frame.showing(row))

    def mark(self, row: int) -> None:
        """Mark a row, -1 for none."""
        self.marked = row
        self.update()

    def show_line(self, across: float | None) -> None:
        """Show a line at a place across that is pointed at elsewhere."""
        if across != self.line:
            self.line = across
            self.update()

    def look_at(self, left: float, right: float) -> None:
        """Show what is between two places across."""
        ends = (min(left, self.ends()[0]), max(right, self.ends()[1]))
        frame = Frame(self.frame.area, self.frame.rows, self.frame.top, self.frame.high, left, right, ends)
        if (left, right) != (self.frame.left, self.frame.right):
            self.frame = frame
            self.update()

    def _take(self, frame: Frame) -> None:
        if frame != self.frame:
            self.frame = frame
            self._set_bar()
            self.update()

    def _set_bar(self) -> None:
        frame = self.frame
        quiet = self.bar.blockSignals(True)
        self.bar.setRange(0, int(np.ceil(frame.last_top - 1e-6)))
        self.bar.setPageStep(max(1, int(frame.visible)))
        self.bar.setValue(round(frame.top))
        self.bar.blockSignals(quiet)
        self.bar.setVisible(frame.last_top > 1e-6)

    def _on_bar(self, value: int) -> None:
        self._take(self.frame.scrolled_to(value))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the frame to the new size."""
        super().resizeEvent(event)
        self.bar.setGeometry(self.width() - _BAR, 0, _BAR, self.height())
        self.arrange()

    # How it is drawn

    def picture(self) -> tuple[QImage, QRectF] | None:
        """The cells in view as an image, and where it goes."""
        frame = self.frame
        first, last = frame.span
        if last <= first or frame.right <= frame.left:
            return None
        pixels = max(1, round(frame.area.width() * self.devicePixelRatioF()))
        for_each_pixel = (last - first) / max(1.0, frame.area.height() * self.devicePixelRatioF())
        block = 1 << max(0, int(np.ceil(np.log2(for_each_pixel))))
        first, last = first // block * block, -(-last // block) * block
        cells = np.ascontiguousarray(self.cells(first, last, block, frame.places(pixels)))
        image = QImage(cells.data, cells.shape[1], cells.shape[0], cells.shape[1], QImage.Format.Format_Indexed8)
        image.setColorTable(self.table(cells))
        where = QRectF(frame.area.left(), frame.y_of(first), frame.area.width(), (last - first) * frame.high)
        return image.copy(), where

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is in view."""
        started = time.perf_counter()
        painter = QPainter(self)
        painter.setFont(self.small_font)
        area, frame_x = self.frame.area, self.frame.x_of
        painter.fillRect(area, QColor(self.tokens.sunken))
        made = self.picture()
        if made is not None:
            painter.save()
            left, right = map(frame_x, self.filled())
            painter.setClipRect(area.intersected(QRectF(left, area.top(), right - left, area.height())))
            painter.drawImage(made[1], made[0])
            painter.restore()
        self.paint_names(painter)
        self.paint_across(painter)
        self.paint_around(painter)
        self._paint_marks(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self.tokens.accent), 2))
            painter.drawRect(area.adjusted(-1, -1, 1, 1))
        painter.end()
        self.slowest = max(self.slowest, time.perf_counter() - started)

    def paint_names(self, painter: QPainter) -> None:
        """Names of the rows, or their numbers where they are too low."""
        frame, metrics = self.frame, painter.fontMetrics()
        width = frame.area.left() - SPACE / 2 - self.edges()[2]
        first, last = frame.span
        align = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if self.named_rows:
            rows, texts = list(range(first, last)), [self.row_name(row) for row in range(first, last)]
        else:
            steps = [int(row) for row in nice_steps(first + 1, last, max(2, int(frame.area.height() // 48)))]
            rows, texts = [row - 1 for row in steps], [f"#{number(row)}" for row in steps]
        for row, text in zip(rows, texts, strict=True):
            middle = frame.y_of(row + 0.5)
            if not frame.area.top() <= middle <= frame.area.bottom() + 1:
                continue
            painter.setPen(QColor(self.tokens.text if row == self.marked else self.tokens.muted))
            line = QRectF(0, middle - 12, width, 24)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(width))
            painter.drawText(line, align, shown)

    def paint_across(self, painter: QPainter) -> None:
        """Numbers below the cells."""
        frame = self.frame
        painter.setPen(QColor(self.tokens.muted))
        align = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        for step in nice_steps(frame.left, frame.right, max(2, int(frame.area.width() // _TICK_GAP))):
            x = frame.x_of(float(step))
            painter.drawLine(QPointF(x, frame.area.bottom() + 1), QPointF(x, frame.area.bottom() + 4))
            text = number(step, ",.0f")
            middle = min(x, self.width() - painter.fontMetrics().horizontalAdvance(text) / 2)
            painter.drawText(QRectF(middle - 40, frame.area.bottom() + 4, 80, 24), align, text)

    def _paint_marks(self, painter: QPainter) -> None:
        frame, area = self.frame, self.frame.area
        accent = QColor(self.tokens.line_best)
        if 0 <= self.marked < frame.rows:
            top, bottom = frame.y_of(self.marked), frame.y_of(self.marked + 1)
            if bottom >= area.top() and top <= area.bottom():
                painter.setPen(QPen(accent, 1.5))
                middle, high = (top + bottom) / 2, max(_MARK, bottom - top)
                painter.drawRect(QRectF(area.left(), middle - high / 2, area.width() - 1, high))
        across = self.line if self.cross is None else self.cross[1]
        if across is not None and frame.left <= across <= frame.right:
            painter.setPen(QPen(QColor(self.cross_colour), 1, Qt.PenStyle.DashLine))
            x = frame.x_of(across)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        if self.cross is not None and 0 <= self.cross[0] < frame.rows:
            y = frame.y_of(self.cross[0] + 0.5)
            painter.setPen(QPen(QColor(self.cross_colour), 1, Qt.PenStyle.DashLine))
            if area.top() <= y <= area.bottom():
                painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            self._paint_words(painter, *self.cross)

    def _paint_words(self, painter: QPainter, row: int, across: float) -> None:
        """A small box beside the crosshair, on the side where there is room."""
        text, area = self.words(row, across), self.frame.area
        metrics = painter.fontMetrics()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(area.width()) - 4 * SPACE)
        wide, high = metrics.horizontalAdvance(text) + 2 * SPACE, metrics.height() + SPACE
        x, y = self.frame.x_of(across) + 12, self.frame.y_of(row + 0.5) + 12
        if x + wide > area.right():
            x = max(area.left(), x - wide - 24)
        if y + high > area.bottom():
            y -= high + 24
        box = QRectF(x, max(0.0, y), wide, high)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.tokens.control), 1))
        painter.setBrush(QColor(self.tokens.surface))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(self.tokens.text))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.tokens = tokens
        self.update()
