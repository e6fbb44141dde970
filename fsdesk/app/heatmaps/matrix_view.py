"""A heatmap of columns with names, such as features or runs; zooming across is its own affair."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from fsdesk.app.heatmaps.heat_canvas import Cells
from fsdesk.app.heatmaps.heat_frame import Frame
from fsdesk.app.heatmaps.heat_view import HeatView
from fsdesk.app.look.tokens import SPACE

__all__ = ["MatrixView"]

_TALLEST_NAMES, _LEAST_NAMES = 84, 48
_SIDEWAYS = 84


class MatrixView(HeatView):
    """Bytes with names of rows and columns; ``column_picked`` where columns are what one picks, else ``picked``.

    ``short_names`` of the columns, where there are any, stand below them while there is no room for the names.
    """

    column_picked = Signal(int)
    least_across = 2.0
    elide = Qt.TextElideMode.ElideMiddle  # of names that are too long

    def __init__(self, name: str, spoken: str, *, by_column: bool = False) -> None:
        super().__init__(name, spoken)
        self.by_column = by_column
        self.bytes: Cells = np.empty((0, 0), dtype=np.uint8)
        self.row_names: tuple[str, ...] = ()
        self.column_names: tuple[str, ...] = ()
        self.short_names: tuple[str, ...] = ()
        self._short = False
        self.marked_columns: tuple[int, ...] = ()
        self.stretched.connect(self._stretch)
        self.reset.connect(lambda: self._stretch(*self.ends()))

    def show_matrix(self, cells: Cells, rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
        """Show another matrix of (rows, columns) bytes."""
        self.bytes, self.row_names, self.column_names = cells, rows, columns
        self.forget()
        self.marked_columns = ()
        self.frame = replace(self.frame, left=0.0, right=float(max(1, len(columns))))
        self.arrange()

    def _stretch(self, left: float, right: float) -> None:
        self.frame = replace(self.frame, left=left, right=right)
        self.arrange()

    def mark_columns(self, columns: tuple[int, ...]) -> None:
        """Mark some columns, and bring the first of them into view."""
        self.marked_columns = columns
        frame = self.frame
        if columns and not frame.left <= columns[0] < frame.right:
            wide = frame.right - frame.left
            self.frame = frame.across_from(columns[0] + 0.5 - wide / 2, wide)
        self.update()

    def count(self) -> int:
        """All rows."""
        return len(self.bytes)

    def ends(self) -> tuple[float, float]:
        """All columns."""
        return 0.0, float(max(1, self.bytes.shape[1]))

    def row_name(self, row: int) -> str:
        """As it was given."""
        return self.row_names[row]

    def column_at(self, across: float) -> int:
        """The column at a place across."""
        return int(np.clip(across, 0, max(0, self.bytes.shape[1] - 1)))

    def cells(self, first: int, last: int, block: int, places: NDArray[np.float64]) -> Cells:
        """The bytes; of rows that share a pixel their mean."""
        some = self.bytes[first : min(last, len(self.bytes))]
        if block > 1:
            edges = np.arange(0, len(some), block)
            sizes = np.diff(np.append(edges, len(some)))[:, None]
            some = (np.add.reduceat(some, edges, axis=0, dtype=np.int64) // sizes).astype(np.uint8)
        return some[:, np.clip(places.astype(np.intp), 0, self.bytes.shape[1] - 1)]

    @property
    def sideways(self) -> bool:
        """Whether the names of the columns have more room when they do not lie flat."""
        frame = self.frame
        flat = frame.area.width() / max(1.0, frame.right - frame.left)
        return not self._short and flat < min(_SIDEWAYS, self.height() // 3)

    @property
    def named_columns(self) -> bool:
        """Whether columns are wide enough for their names."""
        frame = self.frame
        return frame.area.width() / max(1.0, frame.right - frame.left) >= self.line_height - 1

    def edges(self) -> tuple[float, float, float]:
        """Room for the names of the columns below the cells."""
        above, below, beside = super().edges()
        self._short = False
        if self.named_columns and self.sideways:
            metrics = self.fontMetrics()
            longest = max(map(metrics.horizontalAdvance, self.column_names), default=0)
            self._short = bool(self.short_names) and self.height() // 3 < min(_LEAST_NAMES, longest + 8)
            if not self._short:
                below = float(min(_TALLEST_NAMES, longest + 8, self.height() // 3))
        return above, below, beside

    def step_across(self) -> float:
        """One column."""
        return 1.0

    def middle(self) -> float:
        """The marked column, or the first in view."""
        if self.marked_columns:
            return self.marked_columns[0] + 0.5
        return float(int(self.frame.left)) + 0.5

    def pick_at(self, row: int, across: float) -> None:
        """Pick the row, or the column."""
        if self.by_column:
            self.column_picked.emit(self.column_at(across))
        else:
            super().pick_at(row, across)

    def move_across(self, row: int, across: float) -> None:
        """Go to the middle of the next column."""
        place = self.column_at(across) + 0.5
        if not self.frame.left <= place <= self.frame.right:
            wide = self.frame.right - self.frame.left
            self.frame = self.frame.across_from(place - wide / 2, wide)
        super().move_across(row, place)
        if self.by_column:
            self.column_picked.emit(self.column_at(place))

    def paint_across(self, painter: QPainter) -> None:
        """Names of the columns, on their side where that is needed."""
        frame = self.frame
        if not self.named_columns:
            return
        metrics = painter.fontMetrics()
        wide, room = frame.area.width() / (frame.right - frame.left), self.height() - frame.area.bottom() - 6
        for place in range(int(frame.left), min(len(self.column_names), int(np.ceil(frame.right)))):
            middle = frame.x_of(place + 0.5)
            if not frame.area.left() <= middle <= frame.area.right():
                continue
            painter.setPen(QColor(self.tokens.text if place in self.marked_columns else self.tokens.muted))
            name = (self.short_names if self._short else self.column_names)[place]
            if not self.sideways:
                text = metrics.elidedText(name, self.elide, int(wide) - SPACE // 2)
                box = QRectF(middle - wide / 2, frame.area.bottom() + 4, wide, room)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), text)
                continue
            painter.save()
            painter.translate(middle, frame.area.bottom() + 4)
            painter.rotate(-90)
            text = metrics.elidedText(name, self.elide, int(room))
            align = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(QRectF(-room, -10, room, 20), align, text)
            painter.restore()

    def paint_around(self, painter: QPainter) -> None:
        """A frame around the marked columns."""
        painter.setPen(QPen(QColor(self.tokens.line_best), 1.5))
        for place in self.marked_columns:
            painter.save()
            painter.setClipRect(self.frame.area.adjusted(-1, -1, 1, 1))
            left, right = self.frame.x_of(place), self.frame.x_of(place + 1)
            painter.drawRect(QRectF(left, self.frame.area.top(), max(3.0, right - left), self.frame.area.height() - 1))
            painter.restore()

    def paint_line(self, painter: QPainter, points: list[QPointF]) -> None:
        """A thin line through points, such as a branch of a tree."""
        painter.setPen(QPen(QColor(self.tokens.muted), 1))
        painter.drawPolyline(points)

    def all_in_view(self) -> Frame:
        """The frame in which everything is seen."""
        return replace(self.frame, left=self.ends()[0], right=self.ends()[1])
