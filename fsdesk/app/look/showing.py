"""What a window becomes, shown part by part: to paint all of a large one in one turn takes longer than it may."""

import time

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from fsdesk.app.look.theme import parts_of
from fsdesk.app.look.veil import Veil, seen_of

__all__ = ["Showing", "keep_seen"]

_TURN_MS, _SHOWN_SECONDS = 4, 0.003  # other events come in between
_READABLE = ("offscreen", "xcb")  # where what is on the screen can be read between two paintings


class Showing(QObject):
    """Leaves the old picture of a window of another size in sight until each of its parts has been painted.

    While a border is dragged sizes come faster than all can be painted: what has waited longest is painted first.
    ``pages`` are what gets another size, too, where a message comes or goes.
    """

    def __init__(self, window: QWidget, pages: QWidget) -> None:
        super().__init__(window)
        self._window, self._pages = window, pages
        self._veil: Veil | None = None
        self._shown: list[QWidget] = []
        self._turns = QTimer(self, singleShot=True, interval=_TURN_MS)
        self._turns.timeout.connect(self._go_on)
        window.installEventFilter(self)
        pages.installEventFilter(self)

    @property
    def showing(self) -> bool:
        """Whether parts of the old picture are still in sight."""
        return self._turns.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The parts have got their new places already; nothing is painted yet."""
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self._begin()
        elif event.type() == QEvent.Type.Resize:
            self.keep(self._pages)
        return False

    def _begin(self) -> None:
        before = self._covering()
        self._shown = [] if before is None else [part for part in self._shown if part not in before.shown]
        if before is not None:
            self._shown += before.shown
            before.drop()
        picture = _picture(self._window)
        if picture is not None:
            self._veil = Veil(self._window, picture, self._shown)
            if not self._turns.isActive():  # to begin anew would put it off where sizes come fast
                self._turns.start()

    def keep(self, place: QWidget) -> None:
        """Leave what is seen of a place, until what it becomes in this turn has been painted part by part."""
        area = seen_of(self._window, place)
        if not area.isEmpty() and self._covering() is None:
            self._veil = Veil(self._window, area=area)
            self._turns.start()

    def _covering(self) -> Veil | None:
        veil = self._veil
        return None if veil is None or not shiboken6.isValid(veil) or veil.lifted else veil

    def _go_on(self) -> None:
        veil = self._covering()
        if veil is None:
            self._veil, self._shown = None, []
        else:
            veil.lift(parts_of(self._window), time.perf_counter() + _SHOWN_SECONDS)
            self._turns.start()  # not before: after a long turn the next one would be due at once


def keep_seen(place: QWidget) -> None:
    """Leave what is seen of a place of a window until it has been painted anew, see :meth:`Showing.keep`."""
    for showing in place.window().findChildren(Showing, options=Qt.FindChildOption.FindDirectChildrenOnly):
        showing.keep(place)


def _picture(window: QWidget) -> QImage | None:
    """A copy of what is on the screen; None where there is nothing yet or it cannot be read."""
    if not window.isVisible() or QGuiApplication.platformName() not in _READABLE:
        return None
    store = window.backingStore()
    if store is None or store.size().isEmpty():  # before the first painting; Qt would crash on a scaled screen
        return None
    painted = store.paintDevice()
    return painted.copy() if isinstance(painted, QImage) and not painted.isNull() else None
