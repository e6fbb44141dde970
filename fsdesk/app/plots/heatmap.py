"""Base class of heatmaps: drawing of visible rows, scrolling, zooming, crosshair, mouse and keyboard."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollBar, QSizePolicy, QWidget

from fsdesk.app.palette import SCALES, SPACE
from fsdesk.app.style import small, tokens
from fsdesk.app.tables import RIGHT
from fsdesk.app.widgets import named
from fsdesk.messages import number, tr

_LARGEST_ROW = 48.0


@dataclass(frozen=True)
class Frame:
    """The view of a matrix within a rectangle; changes return a new view.

    Attributes
    ----------
    area
        Rectangle of the cells, in device-independent pixels.
    rows
        Number of rows.
    top, high
        First visible row, possibly fractional, and pixels per row.
    left, right
        Visible horizontal range, in iterations or columns.
    ends
        Outermost horizontal positions, in iterations or columns.
    """

    area: QRectF
    rows: int = 0
    top: float = 0.0
    high: float = 1.0
    left: float = 0.0
    right: float = 1.0
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def visible(self) -> float:
        """Number of rows that fit."""
        return self.area.height() / self.high

    @property
    def last_top(self) -> float:
        """Maximum scroll position."""
        return max(0.0, self.rows - self.visible)

    @property
    def span(self) -> tuple[int, int]:
        """First visible row and the one after the last."""
        first = int(self.top)
        return first, min(self.rows, int(np.ceil(self.top + self.visible - 1e-9)))

    def y_of(self, row: float) -> float:
        """Top edge of a row."""
        return self.area.top() + (row - self.top) * self.high

    def x_of(self, across: float) -> float:
        """The x coordinate in pixels of a horizontal position, which is an iteration or a column."""
        return self.area.left() + (across - self.left) / (self.right - self.left) * self.area.width()

    def row_at(self, y: float) -> int:
        """The row at a given y; -1 if there is none."""
        row = int(np.floor(self.top + (y - self.area.top()) / self.high))
        return row if 0 <= row < self.rows and self.area.top() <= y <= self.area.bottom() else -1

    def across_at(self, x: float) -> float:
        """The horizontal position at an x coordinate in pixels."""
        return self.left + (x - self.area.left()) / max(1.0, self.area.width()) * (self.right - self.left)

    def places(self, pixels: int) -> NDArray[np.float64]:
        """The horizontal positions at the centers of this many pixels."""
        step = (self.right - self.left) / max(1, pixels)
        return np.asarray(self.left + (np.arange(pixels) + 0.5) * step)

    def scrolled_to(self, top: float) -> "Frame":
        """Scroll to a first row."""
        return replace(self, top=float(np.clip(top, 0.0, self.last_top)))

    def showing(self, row: int) -> "Frame":
        """Scroll as little as needed to show a row; to the center if it was far away."""
        if self.top <= row and row + 1 <= self.top + self.visible:
            return self
        near = row - self.top if row < self.top else row + 1 - self.top - self.visible
        if abs(near) > self.visible / 2:
            return self.scrolled_to(row + 0.5 - self.visible / 2)
        return self.scrolled_to(self.top + near)

    def rows_zoomed(self, factor: float, y: float, least: float) -> "Frame":
        """Change the row height; the row at ``y`` stays. At the minimum, all rows are visible."""
        row = self.top + (y - self.area.top()) / self.high
        lowest = min(least, self.area.height() / max(1, self.rows))
        high = float(np.clip(self.high * factor, lowest, max(_LARGEST_ROW, lowest)))
        return replace(self, high=high).scrolled_to(row - (y - self.area.top()) / high)

    def across_zoomed(self, factor: float, x: float, least: float) -> "Frame":
        """Zoom horizontally; the position at ``x`` stays."""
        place, (first, last) = self.across_at(x), self.ends
        wide = float(np.clip((self.right - self.left) / factor, min(least, last - first), last - first))
        share = (x - self.area.left()) / max(1.0, self.area.width())
        return self.across_from(place - share * wide, wide)

    def across_from(self, left: float, wide: float) -> "Frame":
        """Show a range of this length that starts at a position, within the ends."""
        first, last = self.ends
        wide = min(wide, last - first)
        left = float(np.clip(left, first, last - wide))
        return replace(self, left=left, right=left + wide)


def nice_steps(first: float, last: float, most: int) -> NDArray[np.float64]:
    """At most ``most`` + 1 round integers between two ends, for ticks."""
    wide = max(1e-9, last - first)
    raw = max(1.0, wide / max(1, most))
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(float(scale * power) for scale in (1, 2, 5, 10) if scale * power >= raw * 0.999)
    return np.arange(np.ceil(first / step), np.floor(last / step) + 1) * step + 0.0  # no -0


Scale = Literal["weight", "z"]


@lru_cache(maxsize=16)
def _table(scale: Scale) -> tuple[int, ...]:
    stops = [QColor(stop) for stop in SCALES[scale]]
    at = np.linspace(0, 1, 256)
    where = np.linspace(0, 1, len(stops))
    channels = [np.interp(at, where, [getattr(stop, name)() for stop in stops]) for name in ("red", "green", "blue")]
    colours = np.rint(np.column_stack(channels)).astype(int).tolist()
    return tuple(QColor(*colour).rgb() for colour in colours)


def colour_table(scale: Scale, low: float = 0.0, high: float = 255.0) -> list[int]:
    """256 colors for bytes, interpolated between two of them."""
    colours = _table(scale)
    places = np.rint(255 * np.clip((np.arange(256) - low) / max(1e-9, high - low), 0.0, 1.0)).astype(int)
    return [colours[place] for place in places.tolist()]


def indexed(cells: NDArray[np.uint8], table: list[int]) -> QImage:
    """An image of (rows, columns) bytes; the array is copied."""
    cells = np.ascontiguousarray(cells)
    height, width = cells.shape
    image = QImage(cells.data, width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable(table)
    return image.copy()


class ColourBar(QWidget):
    """A small bar of the colors of a scale."""

    def __init__(self) -> None:
        super().__init__()
        self._table = colour_table("weight")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_scale(self, scale: Scale) -> None:
        """Show the colors of another scale."""
        self._table = colour_table(scale)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(40, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        cells = np.arange(256, dtype=np.uint8)[None, :]
        painter.drawImage(QRectF(self.rect()), indexed(cells, self._table))
        painter.end()


Cells = NDArray[np.uint8]

_BAR = 12
_WIDEST_NAME, _NAMES_SHARE = 360, 0.3  # pixels for names beside the rows, and their fraction of the width
_TICK_GAP, _MARK = 64, 3
_ROUNDS = 4
_NAME_LINE = 1.05  # relative to the height of a letter
_STEP = 1.25
_NOTCH = 120.0
_ROWS_A_NOTCH = 3
_DRAG = 4


class Heatmap(QWidget):
    """A matrix as colors. Subclasses define the cells, names and texts.

    Wheel: scroll; with Shift: zoom horizontally; with Ctrl: zoom rows. Drag: move. Click: select. Double click: show
    all. Arrow keys move between cells; Page Up, Page Down, Home and End as in a list; plus and minus zoom horizontally,
    with Ctrl the rows; 0 shows all.

    Signals: ``pointed`` with a row and a horizontal position, row -1 when the pointer has left; ``picked`` with a row;
    ``stretched`` with the new horizontal range; ``reset`` to show everything; ``arranged`` when other rows may fit.
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
        self.frame = Frame(QRectF(0, 0, 1, 1))
        self.all_rows = False
        self.marked = -1
        self.cross: tuple[int, float] | None = None
        self.line: float | None = None
        self._own_high = False
        self._widest = 0
        self._pressed: tuple[QPointF, Frame] | None = None
        self._dragging = False
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
        """Outermost horizontal positions."""
        return 0.0, 1.0

    def filled(self) -> tuple[float, float]:
        """Range of horizontal positions that have cells."""
        return self.ends()

    def cells(self, first: int, last: int, block: int, places: NDArray[np.float64]) -> Cells:
        """Bytes of rows ``first`` to ``last`` at some horizontal positions; one byte for each ``block`` of rows.

        Both ends are multiples of ``block``, so the last block may have fewer rows.
        """
        return np.zeros((0, len(places)), dtype=np.uint8)

    def table(self, cells: Cells) -> list[int]:
        """The 256 colors for these cells."""
        return [0] * 256

    @property
    def cross_colour(self) -> str:
        """The color of overlays on the cells, such as the crosshair."""
        return tokens().text

    def row_name(self, row: int) -> str:
        """The label of a row."""
        return str(row)

    def words(self, row: int, across: float) -> str:
        """The crosshair's text."""
        return self.row_name(row)

    def edges(self) -> tuple[float, float, float]:
        """Pixels reserved above the cells, below them, and between them and the names."""
        return 4.0, QFontMetrics(self.small_font).height() + 6.0, 0.0

    def widest(self) -> float:
        """Pixels that the cells can use."""
        return np.inf

    def paint_around(self, painter: QPainter) -> None:
        """Draw additional items around the cells."""

    # Where it is drawn

    @property
    def small_font(self) -> QFont:
        """The font of names and numbers."""
        return small(self.font())

    @property
    def line_height(self) -> float:
        """The minimum height of a row with a name."""
        return QFontMetrics(self.small_font).ascent() * _NAME_LINE + 2

    @property
    def named_rows(self) -> bool:
        """Whether rows are high enough for their names."""
        return self.frame.high >= self.line_height - 0.01

    def sizeHint(self) -> QSize:
        return QSize(480, 200)

    def arrange(self) -> None:
        """Fit the frame to the widget and to the matrix; call it when either has changed."""
        for _ in range(_ROUNDS):  # the space for names depends on which rows are visible, and vice versa
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
        area.setWidth(max(8.0, min(area.width(), self.widest())))
        area.setHeight(max(8.0, area.height()))
        rows, ends = self.count(), self.ends()
        fitting = area.height() / max(1, rows)
        high = self.frame.high if self._own_high else fitting if self.all_rows else max(self.line_height, fitting)
        left, right = self.frame.left, self.frame.right
        ends = (min(ends[0], left), max(ends[1], right))  # linked views may extend further
        frame = Frame(area, rows, self.frame.top, max(high, fitting), left, right, ends)
        self.frame = frame.scrolled_to(frame.top)

    def _names_width(self) -> float:
        """Width for the names; it only grows as names come into view, so that the image does not jump on scrolling."""
        metrics = QFontMetrics(self.small_font)
        self._widest = max([self._widest, *map(metrics.horizontalAdvance, self.gutter())])
        return min(_WIDEST_NAME, int(_NAMES_SHARE * self.width()), self._widest + 2) + SPACE

    def gutter(self) -> tuple[str, ...]:
        """The labels that should fit beside the cells."""
        if not self.named_rows:
            return ("#20,000",)
        first, last = self.frame.span
        return tuple(self.row_name(row) for row in range(first, min(last, self.count())))

    def forget(self) -> None:
        """Reset the view to the first row with nothing marked, for another matrix."""
        self._own_high, self._widest, self.marked, self.cross, self.line = False, 0, -1, None, None
        self.frame = self.frame.scrolled_to(0)

    def show_all_rows(self, all_rows: bool) -> None:
        """Show all rows, or as many as there is room for names."""
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
        """Show a line at a position pointed at elsewhere."""
        if across != self.line:
            self.line = across
            self.update()

    def show_range(self, left: float, right: float) -> None:
        """Show the range between two horizontal positions."""
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
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, int(np.ceil(frame.last_top - 1e-6)))
            self.bar.setPageStep(max(1, int(frame.visible)))
            self.bar.setValue(round(frame.top))
        self.bar.setVisible(frame.last_top > 1e-6)

    def _on_bar(self, value: int) -> None:
        self._take(self.frame.scrolled_to(value))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.bar.setGeometry(self.width() - _BAR, 0, _BAR, self.height())
        self.arrange()

    # How it is drawn

    def picture(self) -> tuple[QImage, QRectF] | None:
        """The visible cells as an image, and its rectangle."""
        frame = self.frame
        first, last = frame.span
        if last <= first or frame.right <= frame.left:
            return None
        pixels = max(1, round(frame.area.width() * self.devicePixelRatioF()))
        for_each_pixel = (last - first) / max(1.0, frame.area.height() * self.devicePixelRatioF())
        block = 1 << max(0, int(np.ceil(np.log2(for_each_pixel))))
        first, last = first // block * block, -(-last // block) * block
        cells = self.cells(first, last, block, frame.places(pixels))
        where = QRectF(frame.area.left(), frame.y_of(first), frame.area.width(), (last - first) * frame.high)
        return indexed(cells, self.table(cells)), where

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.small_font)
        area, frame_x = self.frame.area, self.frame.x_of
        painter.fillRect(area, QColor(tokens().sunken))
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
            painter.setPen(QPen(QColor(tokens().accent), 2))
            painter.drawRect(area.adjusted(-1, -1, 1, 1))
        painter.end()

    def paint_names(self, painter: QPainter) -> None:
        """Draw the names of the rows, or their numbers if the rows are too low."""
        frame, metrics = self.frame, painter.fontMetrics()
        width = frame.area.left() - SPACE / 2 - self.edges()[2]
        first, last = frame.span
        if self.named_rows:
            rows, texts = list(range(first, last)), [self.row_name(row) for row in range(first, last)]
        else:
            steps = [int(row) for row in nice_steps(first + 1, last, max(2, int(frame.area.height() // 48)))]
            rows, texts = [row - 1 for row in steps], [f"#{number(row)}" for row in steps]
        for row, text in zip(rows, texts, strict=True):
            middle = frame.y_of(row + 0.5)
            if not frame.area.top() <= middle <= frame.area.bottom() + 1:
                continue
            painter.setPen(QColor(tokens().text if row == self.marked else tokens().muted))
            line = QRectF(0, middle - 12, width, 24)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(width))
            painter.drawText(line, RIGHT, shown)

    def paint_across(self, painter: QPainter) -> None:
        """Draw the numbers below the cells."""
        frame = self.frame
        painter.setPen(QColor(tokens().muted))
        align = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        for step in nice_steps(frame.left, frame.right, max(2, int(frame.area.width() // _TICK_GAP))):
            x = frame.x_of(float(step))
            painter.drawLine(QPointF(x, frame.area.bottom() + 1), QPointF(x, frame.area.bottom() + 4))
            text = number(step, ",.0f")
            middle = min(x, self.width() - painter.fontMetrics().horizontalAdvance(text) / 2)
            painter.drawText(QRectF(middle - 40, frame.area.bottom() + 4, 80, 24), align, text)

    def _paint_marks(self, painter: QPainter) -> None:
        frame, area = self.frame, self.frame.area
        accent = QColor(tokens().line_best)
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
        """A small box beside the crosshair, on the side with more room."""
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
        painter.setPen(QPen(QColor(tokens().control), 1))
        painter.setBrush(QColor(tokens().surface))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(tokens().text))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # Mouse and keyboard

    def explain(self, what: str) -> None:
        """Show a tooltip with instructions."""
        how = tr(
            "Click a row to inspect it. Wheel: scroll; with Shift: zoom horizontally; with Ctrl: zoom the rows. Drag "
            "to pan, double-click to reset. Keys: arrows, Page Up and Down, Home, End, + and −."
        )
        self.setToolTip(f"{what}\n{how}")

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self.cross is not None:
            return True
        return super().event(event)

    def stretch(self, frame: Frame) -> None:
        """Request another horizontal range; linked views respond with :meth:`show_range`."""
        self.stretched.emit(frame.left, frame.right)

    def _point(self, row: int, across: float) -> None:
        self.cross = (row, across)
        self.setAccessibleDescription(self.words(row, across))
        self.pointed.emit(row, across)
        self.update()

    def _leave(self) -> None:
        if self.cross is not None:
            self.cross = None
            self.pointed.emit(-1, 0.0)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._pressed is not None:
            start, frame = self._pressed
            moved = place - start
            if self._dragging or abs(moved.x()) + abs(moved.y()) > _DRAG:
                self._dragging = True
                self._take(frame.scrolled_to(frame.top - moved.y() / frame.high))
                wide = frame.right - frame.left
                other = frame.across_from(frame.left - moved.x() / max(1.0, frame.area.width()) * wide, wide)
                if other.left != self.frame.left:
                    self.stretch(other)
            return
        row = self.frame.row_at(place.y())
        inside = self.frame.area.left() <= place.x() <= self.frame.area.right()
        if row >= 0 and inside:
            self._point(row, self.frame.across_at(place.x()))
        else:
            self._leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragging = (event.position(), self.frame), False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragging:
            row = self.frame.row_at(event.position().y())
            if row >= 0:
                self.pick_at(row, self.frame.across_at(event.position().x()))
        self._pressed, self._dragging = None, False

    def pick_at(self, row: int, across: float) -> None:
        """Select the item at a position; here, the row."""
        self.mark(row)
        self.picked.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._own_high = False
        self.arrange()
        self.reset.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._leave()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave()

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = (event.angleDelta().y() or event.angleDelta().x()) / _NOTCH
        keys, place = event.modifiers(), event.position()
        if keys & Qt.KeyboardModifier.ControlModifier:
            self._zoom_rows(_STEP**notches, place.y())
        elif keys & Qt.KeyboardModifier.ShiftModifier:
            self.stretch(self.frame.across_zoomed(_STEP**notches, place.x(), self.least_across))
        elif self.frame.last_top > 0:
            self._take(self.frame.scrolled_to(self.frame.top - notches * _ROWS_A_NOTCH))
        else:
            event.ignore()  # the page scrolls
            return
        event.accept()

    def _zoom_rows(self, factor: float, y: float) -> None:
        self._own_high = True
        self._take(self.frame.rows_zoomed(factor, y, self.line_height))
        self.arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        frame, key = self.frame, Qt.Key(event.key())
        rows, columns = self._steps()
        if frame.rows and key in rows:
            row = min(frame.rows - 1, max(0, rows[key]))
            self.show_row(row)
            self.pick_at(row, self._across)
            self._point(row, self._across)
        elif frame.rows and key in columns:
            first, last = frame.ends
            across = min(last, max(first, self._across + columns[key]))
            self.move_across(max(0, self._row), across)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            factor = 1 / _STEP if key == Qt.Key.Key_Minus else _STEP
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._zoom_rows(factor, frame.y_of(max(0, self._row) + 0.5))
            else:
                self.stretch(frame.across_zoomed(factor, frame.x_of(self._across), self.least_across))
        elif key == Qt.Key.Key_0:
            self._own_high = False
            self.arrange()
            self.reset.emit()
        else:
            super().keyPressEvent(event)

    def move_across(self, row: int, across: float) -> None:
        """Move the crosshair horizontally, on an arrow key."""
        self._point(row, across)

    @property
    def _row(self) -> int:
        return self.cross[0] if self.cross is not None else self.marked

    @property
    def _across(self) -> float:
        return self.cross[1] if self.cross is not None else self.middle()

    def middle(self) -> float:
        """Initial position of the crosshair."""
        return min(self.frame.ends[1], (self.frame.left + self.frame.right) / 2)

    def _steps(self) -> tuple[dict[Qt.Key, int], dict[Qt.Key, float]]:
        """Effect of each key: the row to go to, or the horizontal step."""
        page, row = max(1, int(self.frame.visible) - 1), self._row
        wide = self.step_across()
        return {
            Qt.Key.Key_Up: row - 1,
            Qt.Key.Key_Down: row + 1,
            Qt.Key.Key_PageUp: row - page,
            Qt.Key.Key_PageDown: row + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: self.frame.rows - 1,
        }, {Qt.Key.Key_Left: -wide, Qt.Key.Key_Right: wide}

    def step_across(self) -> float:
        """Step of the left and right keys: a pixel or two, but at least one column."""
        frame = self.frame
        return max(1.0, (frame.right - frame.left) / max(1.0, frame.area.width()) * 2)
