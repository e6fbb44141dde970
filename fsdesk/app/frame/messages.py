"""The message bar: sentences in the window, never a box in the way."""

import logging
from typing import Literal

from PySide6.QtCore import QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from fsdesk.app.look.icons import icon, pixmap
from fsdesk.app.look.parts import button, label, named
from fsdesk.app.look.theme import Theme
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr

__all__ = ["COLOURS", "Message", "MessageBar", "Role"]

Role = Literal["info", "success", "warning", "error"]
_MOST = 3
_SUCCESS_MS, _LETTER_MS = 8000, 60  # time to read it: of a long sentence, more
COLOURS = {"info": "accent", "success": "success", "warning": "warning", "error": "danger"}


class Message(QFrame):
    """One sentence with its icon, an optional way to the file that it speaks of, and a way to dismiss it."""

    dismissed = Signal()
    link_wanted = Signal(QUrl)

    def __init__(self, role: Role, sentence: str, theme: Theme, link: QUrl | None = None, subject: str = "") -> None:
        super().__init__()
        self.setProperty("message", role)
        named(self, "message", f"{role}: {sentence}")
        self.role = role
        self.sentence = sentence
        self.subject = subject
        sign = QLabel()
        sign.setPixmap(pixmap(role, getattr(theme.tokens, COLOURS[role]), 20, self.devicePixelRatioF()))
        text = label(sentence, wrap=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(sign)
        layout.addWidget(text, 1)
        if link is not None:
            show = button(tr("Show"), "messageLink", "link", tr("Show the file or folder"))
            show.clicked.connect(lambda: self.link_wanted.emit(link))
            layout.addWidget(show)
        close = button("", "messageClose", "link", tr("Dismiss this message"))
        close.setIcon(icon("close", theme.tokens, "muted"))
        close.setToolTip(tr("Dismiss (Esc)"))
        close.clicked.connect(self.dismiss)
        layout.addWidget(close)
        self.timer = QTimer(self, singleShot=True, interval=max(_SUCCESS_MS, _LETTER_MS * len(sentence)))
        self.timer.timeout.connect(self.dismiss)
        if role == "success":
            self.timer.start()

    def dismiss(self) -> None:
        """Take the message away."""
        self.timer.stop()
        self.hide()
        self.setParent(None)
        self.deleteLater()
        self.dismissed.emit()


class MessageBar(QWidget):
    """The newest few messages, newest first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self._theme = theme
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, 0)
        self._layout.setSpacing(4)
        self.hide()

    @property
    def messages(self) -> list[Message]:
        """The messages shown, newest first."""
        return [child for child in self.findChildren(Message) if child.parent() is self][::-1]

    def say(self, role: Role, sentence: str, link: QUrl | None = None, subject: str = "") -> None:
        """Show a sentence; it takes the place of the same one and of an older one on the same subject."""
        logging.getLogger("fsdesk.app").info("%s: %s", role, sentence)
        for shown in self.messages:
            if shown.sentence == sentence or (subject and shown.subject == subject):
                shown.dismiss()
        for shown in self.messages[_MOST - 1 :]:
            shown.dismiss()
        message = Message(role, sentence, self._theme, link, subject)
        message.dismissed.connect(self._shrink)
        message.link_wanted.connect(self.show_place)
        self._layout.insertWidget(0, message)
        self.show()

    def show_place(self, link: QUrl) -> None:
        """Open a file or a folder; say where it is where nothing on this computer can show it."""
        if not QDesktopServices.openUrl(link):
            sentence = tr(
                'No program of this computer shows it: it is at "{path}".', path=link.toLocalFile() or link.toString()
            )
            self.say("info", sentence, subject="place")

    def dismiss_subject(self, subject: str) -> None:
        """Take away what was said on a subject."""
        for message in self.messages:
            if message.subject == subject:
                message.dismiss()

    def dismiss_all(self) -> None:
        """Take all messages away."""
        for message in self.messages:
            message.dismiss()
        self.hide()

    def _shrink(self) -> None:
        self.setVisible(self._layout.count() > 0)
