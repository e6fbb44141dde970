"""A veil over a window: what lies beneath changes unseen, and is then shown piece by piece, in several turns."""

import time
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

__all__ = ["Patch", "Veil"]


class Patch(QWidget):
    """Keeps the picture that is there: it counts as opaque, so nothing beneath is painted, and paints nothing."""

    def __init__(self, window: QWidget, area: QRegion) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        place = area.boundingRect()
        self.setGeometry(place)
        if area.rectCount() > 1:
            self.setMask(area.translated(-place.topLeft()))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Leave what is there."""


class Veil(QObject):
    """Lies over a window until it is lifted.

    The window system still gets the old picture where a menu or another window has gone; of a window without updates
    it would get nothing, and the menu would stay there.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._whole = window, True
        self._patches = [Patch(window, QRegion(window.rect()))]
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A window of another size has lost its old picture."""
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self.drop()
        return False

    @property
    def lifted(self) -> bool:
        """Whether all is shown."""
        return not self._patches

    def lift(self, parts: Iterable[QWidget], end: float) -> None:
        """Show part after part, at least one, until a time of ``time.perf_counter``."""
        if self._whole:
            self._cut(parts)
        while self._patches:
            self._lift_one()
            QCoreApplication.sendPostedEvents(self._window, QEvent.Type.UpdateRequest.value)  # paints it
            if time.perf_counter() > end:
                break

    def _cut(self, parts: Iterable[QWidget]) -> None:
        """A patch for what is between the parts that are seen, then one for each of them, in place of the whole."""
        whole, self._whole = self._patches.pop(), False
        pieces = sorted(_seen(self._window, parts), key=lambda piece: (piece.top(), piece.left()))
        rest = QRegion(self._window.rect())
        for piece in pieces:
            rest -= QRegion(piece)
        areas = [area for area in (rest, *map(QRegion, pieces)) if not area.isEmpty()]
        self._patches = [Patch(self._window, area) for area in areas]
        whole.hide()
        whole.deleteLater()

    def _lift_one(self) -> None:
        patch = self._patches.pop(0)
        patch.hide()
        patch.deleteLater()
        if not self._patches:
            self._window.removeEventFilter(self)
            self.deleteLater()

    def drop(self) -> None:
        """Show all that is left."""
        while self._patches:
            self._lift_one()


def _seen(window: QWidget, parts: Iterable[QWidget]) -> list[QRect]:
    """Where the parts lie in the window."""
    pieces: list[QRect] = []
    for part in parts:
        if part.isVisible() and (part is window or window.isAncestorOf(part)):
            seen, at = part.rect(), part
            while at is not window and (holder := at.parentWidget()) is not None:
                seen, at = seen.translated(at.pos()) & holder.rect(), holder
            pieces.append(seen)
    return [piece for piece in pieces if not piece.isEmpty()]
