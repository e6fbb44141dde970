"""A veil over a window: what lies beneath changes unseen, and is then shown piece by piece, in several turns."""

import time
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

__all__ = ["Patch", "Veil", "seen_of"]


class Patch(QWidget):
    """Keeps the picture that is there: it counts as opaque, so nothing beneath is painted, and paints nothing.

    A window of another size has lost its picture: there it paints ``picture``, what the window was like.
    """

    def __init__(self, window: QWidget, area: QRegion, picture: QImage | None = None) -> None:
        super().__init__(window)
        self._picture = picture
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        place = area.boundingRect()
        self.setGeometry(place)
        if area.rectCount() > 1:
            self.setMask(area.translated(-place.topLeft()))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Leave what is there, or paint what was."""
        if self._picture is not None:
            painter = QPainter(self)
            there = QRect(-self.pos(), self._picture.deviceIndependentSize().toSize())
            if not there.contains(event.rect()):
                bare = event.region() - QRegion(there)
                painter.setClipRegion(bare)
                painter.fillRect(bare.boundingRect(), self.palette().window())
                painter.setClipping(False)
            painter.drawImage(QPoint(0, 0) - self.pos(), self._picture)


class Veil(QObject):
    """Lies over a window until it is lifted.

    The window system still gets the old picture where a menu or another window has gone; of a window without updates
    it would get nothing, and the menu would stay there.

    Parameters
    ----------
    window
        What it lies over.
    picture
        What it shows where the window has lost its picture.
    later
        Parts that are shown after all others, in this order.
    area
        Where in the window it lies; everywhere without.

    ``shown`` are the parts that have been.
    """

    def __init__(
        self,
        window: QWidget,
        picture: QImage | None = None,
        later: Sequence[QWidget] = (),
        area: QRect | None = None,
    ) -> None:
        super().__init__(window)
        self._window, self._whole, self._picture, self._later = window, True, picture, later
        self._area = QRegion(area or window.rect())
        self._patches: list[tuple[Patch, QWidget | None]] = [(Patch(window, self._area, picture), None)]
        self.shown: list[QWidget] = []
        if picture is None:
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
        """Show what is between the parts, and part after part, at least one, until a time of ``time.perf_counter``."""
        if self._whole:
            self._cut(parts)
        while self._patches:
            part = self._lift_one()
            QCoreApplication.sendPostedEvents(self._window, QEvent.Type.UpdateRequest.value)  # paints it
            if part is not None and time.perf_counter() > end:
                break

    def _cut(self, parts: Iterable[QWidget]) -> None:
        """A patch for what is between the parts that are seen, then one for each of them, in place of the whole."""
        (whole, _), self._whole = self._patches.pop(), False
        pieces = [(part, self._area & QRegion(seen_of(self._window, part))) for part in parts]
        pieces = [(part, piece) for part, piece in pieces if not piece.isEmpty()]
        turns = {part: turn for turn, part in enumerate(self._later)}
        used = self._window.focusWidget()  # where an answer is looked for first

        def turn(pair: tuple[QWidget, QRegion]) -> tuple[int, int, int]:
            part, at = pair[0], pair[1].boundingRect()
            first = used is not None and part.isAncestorOf(used)
            return turns.get(part, -2 if first else -1), at.top(), at.left()

        pieces.sort(key=turn)
        rest = QRegion(self._area)
        for _, piece in pieces:
            rest -= piece
        areas = [(None, rest), *pieces]
        self._patches = [(Patch(self._window, area, self._picture), part) for part, area in areas if not area.isEmpty()]
        whole.hide()
        whole.deleteLater()

    def _lift_one(self) -> QWidget | None:
        patch, part = self._patches.pop(0)
        if part is not None:
            self.shown.append(part)
        patch.hide()
        patch.deleteLater()
        if not self._patches:
            self._window.removeEventFilter(self)
            self.deleteLater()
        return part

    def drop(self) -> None:
        """Show all that is left."""
        while self._patches:
            self._lift_one()


def seen_of(window: QWidget, part: QWidget) -> QRect:
    """Where a part is seen in the window; nowhere where it is not."""
    if not (part.isVisible() and (part is window or window.isAncestorOf(part))):
        return QRect()
    seen, at = part.rect(), part
    while at is not window and (holder := at.parentWidget()) is not None:
        seen, at = seen.translated(at.pos()) & holder.rect(), holder
    return seen
