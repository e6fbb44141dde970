"""A heatmap that answers to the mouse and the keyboard: point, pick, scroll, zoom."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent

from fsdesk.app.heatmaps.heat_canvas import HeatCanvas
from fsdesk.app.heatmaps.heat_frame import Frame
from fsdesk.app.look.translation import tr

__all__ = ["HeatView"]

_STEP = 1.25
_NOTCH = 120.0
_ROWS_A_NOTCH = 3
_DRAG = 4
Key = Qt.Key


class HeatView(HeatCanvas):
    """Wheel: scroll; with Shift: zoom across; with Ctrl: zoom rows. Drag: move. Click: pick. Double click: see all.

    Arrows move from cell to cell; Page Up, Page Down, Home and End as in a list; plus and minus zoom across, with Ctrl
    the rows; 0 shows all.
    """

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__(name, spoken)
        self._pressed: tuple[QPointF, Frame] | None = None
        self._dragging = False

    def explain(self, what: str) -> None:
        """Say on hovering how it is used."""
        how = tr(
            "Click a row to look at it. Wheel: scroll; with Shift: zoom across; with Ctrl: zoom the rows. Drag to "
            "move, double click to see all again. Keys: arrows, Page Up and Down, Home, End, + and −."
        )
        self.setToolTip(f"{what}\n{how}")

    def event(self, event: QEvent) -> bool:
        """How it is used is told beside the cells: over them it would cover what is read."""
        if event.type() == QEvent.Type.ToolTip and self.cross is not None:
            return True
        return super().event(event)

    def stretch(self, frame: Frame) -> None:
        """Ask for another view across; who is linked with it answers by :meth:`look_at`."""
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
        """Move what is in view while a button is down, else the crosshair."""
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
        """Begin to drag, or to click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragging = (event.position(), self.frame), False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click picks; after a drag nothing is picked."""
        if self._pressed is not None and not self._dragging:
            row = self.frame.row_at(event.position().y())
            if row >= 0:
                self.pick_at(row, self.frame.across_at(event.position().x()))
        self._pressed, self._dragging = None, False

    def pick_at(self, row: int, across: float) -> None:
        """Pick what is there: the row."""
        self.mark(row)
        self.picked.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """See all again."""
        self._own_high = False
        self.arrange()
        self.reset.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """No crosshair without a pointer."""
        super().leaveEvent(event)
        self._leave()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No crosshair without the keyboard either."""
        super().focusOutEvent(event)
        self._leave()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll or zoom."""
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
        """Move the crosshair, scroll, zoom."""
        frame, key = self.frame, Key(event.key())
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
        elif key in (Key.Key_Plus, Key.Key_Equal, Key.Key_Minus):
            factor = 1 / _STEP if key == Key.Key_Minus else _STEP
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._zoom_rows(factor, frame.y_of(max(0, self._row) + 0.5))
            else:
                self.stretch(frame.across_zoomed(factor, frame.x_of(self._across), self.least_across))
        elif key == Key.Key_0:
            self._own_high = False
            self.arrange()
            self.reset.emit()
        else:
            super().keyPressEvent(event)

    def move_across(self, row: int, across: float) -> None:
        """The arrows have moved the crosshair across."""
        self._point(row, across)

    @property
    def _row(self) -> int:
        return self.cross[0] if self.cross is not None else self.marked

    @property
    def _across(self) -> float:
        return self.cross[1] if self.cross is not None else self.middle()

    def middle(self) -> float:
        """Where the crosshair begins."""
        return min(self.frame.ends[1], (self.frame.left + self.frame.right) / 2)

    def _steps(self) -> tuple[dict[Key, int], dict[Key, float]]:
        """Where keys lead to: rows, and how far across."""
        page, row = max(1, int(self.frame.visible) - 1), self._row
        wide = self.step_across()
        return {
            Key.Key_Up: row - 1,
            Key.Key_Down: row + 1,
            Key.Key_PageUp: row - page,
            Key.Key_PageDown: row + page,
            Key.Key_Home: 0,
            Key.Key_End: self.frame.rows - 1,
        }, {Key.Key_Left: -wide, Key.Key_Right: wide}

    def step_across(self) -> float:
        """How far the left and right arrows go: a pixel or two, but no less than a column."""
        frame = self.frame
        return max(1.0, (frame.right - frame.left) / max(1.0, frame.area.width()) * 2)
