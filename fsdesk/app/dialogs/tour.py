"""The introductory tour: short texts next to the real controls."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QMenuBar, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.style import tokens
from fsdesk.app.widgets import button, column, label, named, row
from fsdesk.messages import tr

_OPENING = 2  # steps about opening a table
_WIDTH = 340


class Step(NamedTuple):
    """The control to point at, and the text about it."""

    target: Callable[[], QWidget | None]
    title: str
    text: str


class Tour(QObject):
    """Goes from step to step; steps whose control is not visible are skipped."""

    def __init__(self, window: QWidget, steps: Sequence[Step]) -> None:
        super().__init__(window)
        self._window, self.steps = window, steps
        self._before = window.focusWidget()
        self.place = -1
        self._counted: list[int] = []
        self.ring = _Ring(window)
        self.bubble = Bubble(window)
        self.bubble.back.clicked.connect(lambda: self.go(-1))
        self.bubble.next.clicked.connect(lambda: self.go(1))
        self.bubble.skip.clicked.connect(self.end)
        self.bubble.keys = {Qt.Key.Key_Escape: self.end, Qt.Key.Key_Left: lambda: self.go(-1),
                            Qt.Key.Key_Right: lambda: self.go(1)}  # fmt: skip
        window.installEventFilter(self)

    def go(self, by: int) -> None:
        """Show the next visible step, or the previous one; after the last one the tour ends."""
        place = self.place + by
        while 0 <= place < len(self.steps) and self._target(place) is None:
            place += by
        if place >= len(self.steps):
            self.end()
        elif place >= 0:
            self.place = place
            shown = {each for each in range(len(self.steps)) if self._target(each) is not None}
            self._counted = sorted({*self._counted, *shown})  # those seen before still count, once a table is open
            step = self.steps[place]
            self.bubble.say(step.title, step.text, self._counted.index(place) + 1, len(self._counted))
            self._lay_out()
            self.bubble.next.setFocus(Qt.FocusReason.TabFocusReason)

    def _target(self, place: int) -> QWidget | None:
        target = self.steps[place].target()
        return target if target is not None and target.isVisible() else None

    def pass_opening(self) -> None:
        """Skip the steps about opening a table once one is open."""
        if 0 <= self.place < _OPENING:
            self.place = _OPENING - 1
            self.go(1)

    def follow(self) -> None:
        """Follow the controls, which may differ on another page."""
        if self.place >= 0 and self._target(self.place) is None:
            self.go(1)
        else:
            self._lay_out()

    def _lay_out(self) -> None:
        target = self._target(self.place) if self.place >= 0 else None
        if target is None:
            return
        area = self.area(target)
        self.ring.point_at(area.adjusted(-4, -4, 4, 4))
        self.bubble.stand_beside(area, self._window.rect())

    def area(self, target: QWidget) -> QRect:
        """Position of a control in the window; for the menu bar its last item, Help."""
        inside = target.actionGeometry(target.actions()[-1]) if isinstance(target, QMenuBar) else target.rect()
        return inside.translated(target.mapTo(self._window, QPoint(0, 0)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the controls, which move when the window is resized."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._lay_out()
        return False

    def end(self) -> None:
        """Remove everything and restore the focus."""
        if self.place == len(self.steps):
            return
        self.place = len(self.steps)
        self._window.removeEventFilter(self)
        for part in (self.ring, self.bubble):
            part.hide()
            part.deleteLater()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.deleteLater()


class Bubble(QFrame):
    """The text of a step, and the buttons."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setProperty("surface", "bubble")
        self.setFixedWidth(_WIDTH)
        self.keys: dict[Qt.Key, Callable[[], None]] = {}
        self.title, self.text = label("", "title", wrap=True), label("", wrap=True)
        self.count = label("", "caption")
        self.skip = button(tr("Skip the tour"), "tourSkip", "link")
        self.back = button(tr("Back"), "tourBack")
        self.next = button(tr("Next"), "tourNext", "primary")
        foot = row(self.count, None, self.skip, self.back, self.next)
        self._layout = column(self.title, self.text, foot, margins=2 * SPACE)
        self.setLayout(self._layout)

    def say(self, title: str, text: str, place: int, steps: int) -> None:
        """Show the text of a step."""
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(tr("{place} of {steps}", place=place, steps=steps))
        self.back.setEnabled(place > 1)
        last = place == steps
        self.next.setText(tr("Done") if last else tr("Next"))
        self.skip.setVisible(not last)
        named(self, "tourBubble", f"{title}. {text}")
        named(self.next, "tourNext", f"{self.next.text()}. {title}. {text}")  # spoken when it gets the focus

    def stand_beside(self, target: QRect, room: QRect) -> None:
        """Place it below the target if there is room, otherwise above, beside or on it, always inside the window."""
        self.setFixedHeight(self._layout.totalHeightForWidth(_WIDTH))
        gap = 2 * SPACE
        left = max(gap, min(target.center().x() - _WIDTH // 2, room.width() - _WIDTH - gap))
        top = target.bottom() + gap
        if top + self.height() + gap > room.height():
            top = target.top() - self.height() - gap
        if top < gap:
            top = max(gap, min(target.center().y() - self.height() // 2, room.height() - self.height() - gap))
            sides = (target.right() + gap, target.left() - _WIDTH - gap)
            left = next((side for side in sides if gap <= side <= room.width() - _WIDTH - gap), left)
        self.move(left, top)
        self.show()
        self.raise_()

    def event(self, event: QEvent) -> bool:
        """Let its keys take precedence over the window's commands."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in self.keys:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the tour, the arrow keys go back and forward."""
        do = self.keys.get(Qt.Key(event.key()))
        if do is not None:
            do()
        else:
            super().keyPressEvent(event)


class _Ring(QWidget):
    """A ring around the described control; clicks pass through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def point_at(self, area: QRect) -> None:
        self.setGeometry(area)
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens().accent), 3))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 8, 8)
