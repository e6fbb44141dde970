"""What lasts: a state of the window that is told until it is over, with what can be done about it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from fsdesk.app.frame.messages import COLOURS, Role
from fsdesk.app.look.icons import pixmap
from fsdesk.app.look.parts import button, label, named
from fsdesk.app.look.theme import Theme
from fsdesk.app.look.tokens import SPACE, Tokens

__all__ = ["Notice", "NoticeBar", "Offer"]


class Offer(NamedTuple):
    """A button of a notice: the name of its object, its text, and what it does."""

    name: str
    text: str
    do: Callable[[], object]


class Notice(QFrame):
    """A sentence, or several one below the other, with its offers; only what ended the state takes it away."""

    def __init__(self, subject: str, role: Role, sentences: Sequence[str], offers: Sequence[Offer]) -> None:
        super().__init__()
        self.subject, self._role = subject, role
        self.sentence = "\n".join(sentences)
        self.setProperty("message", role)
        named(self, f"notice_{subject}", self.sentence)
        self._sign = QLabel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, SPACE, 12, SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(self._sign)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        for sentence in sentences:
            texts.addWidget(label(sentence, wrap=True))
        layout.addLayout(texts, 1)
        for place, offer in enumerate(offers):
            made = button(offer.text, offer.name, "" if place == 0 else "link")
            made.clicked.connect(lambda _=False, do=offer.do: do())
            layout.addWidget(made)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._sign.setPixmap(pixmap(self._role, getattr(tokens, COLOURS[self._role]), 20, self.devicePixelRatioF()))


class NoticeBar(QWidget):
    """The notices by their subjects."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("noticeBar")
        self._theme = theme
        self.by_subject: dict[str, Notice] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        self._layout.setSpacing(4)
        theme.changed.connect(self._dress)
        self.hide()

    def tell(self, subject: str, role: Role, sentences: Sequence[str], *offers: Offer) -> None:
        """Show a notice in the place of an older one on the same subject."""
        self.take_away(subject)
        notice = Notice(subject, role, sentences, offers)
        notice.dress(self._theme.tokens)
        self.by_subject[subject] = notice
        self._layout.addWidget(notice)
        self.show()

    def take_away(self, subject: str) -> None:
        """The state is over."""
        notice = self.by_subject.pop(subject, None)
        if notice is not None:
            notice.hide()
            notice.deleteLater()
        self.setVisible(bool(self.by_subject))

    def _dress(self, tokens: Tokens) -> None:
        for notice in self.by_subject.values():
            notice.dress(tokens)
