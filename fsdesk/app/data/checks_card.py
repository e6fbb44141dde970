"""What was found out about the table, as sentences, each with what can be done about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from fsdesk.app.data.fixes import Fix
from fsdesk.app.look.icons import pixmap
from fsdesk.app.look.parts import Card, button, column, label, named
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import tr

__all__ = ["ChecksCard", "Finding", "informs"]

_INFORMING = (
    *("ids", "labels", "encoding", "sheet", "title", "numeric target", "sample descriptions", "versions"),
    "precision",
)
_SIGN_COLOURS = {"success": "success", "info": "accent", "warning": "warning", "error": "danger"}
_LEAST = 64  # pixels that two sentences need
_WIDEST = 760  # of a sentence, so that its buttons stand beside it in a wide window too


@dataclass(frozen=True)
class Finding:
    """A sentence with its role (success, info, warning, error) and its fixes."""

    role: str
    sentence: str
    fixes: Sequence[Fix] = field(default=())


def informs(kind: str) -> bool:
    """Whether a check only tells how the file was read; ids that occur twice are more than that."""
    return any(word in kind for word in _INFORMING) and not kind.startswith("duplicated")


class _Rows(QScrollArea):
    """As high as its rows, unless the page has no room for them: then they scroll."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        named(self, "checkRows", tr("Checks"))
        content.setProperty("surface", "plain")
        self._content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        content = self._content
        wanted = content.heightForWidth(self.viewport().width()) if content.hasHeightForWidth() else -1
        return QSize(200, wanted if wanted > 0 else content.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(_LEAST, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def viewportEvent(self, event: QEvent) -> bool:
        """Other rows want another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().viewportEvent(event)


class ChecksCard(Card):
    """The findings; ``wanted`` tells the fix that was clicked."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Checks"))
        self.setObjectName("checks")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.tokens: Tokens = LIGHT
        self._content = content = QWidget()
        self._rows = QVBoxLayout(content)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        self._area = _Rows(content)
        self.body.addWidget(self._area)
        self._left = ("", 0)  # name and place of the link that had the focus
        self._settled = QTimer(self, singleShot=True, interval=0)  # after the rows have their places
        self._settled.timeout.connect(self._return_focus)
        self._shown: tuple[Tokens, tuple[Finding, ...]] = (LIGHT, ())

    def show_findings(self, findings: Sequence[Finding], *, done: bool) -> None:
        """Show other findings; where everything is ``done`` and there are none, say so."""
        if done and not findings:
            findings = [Finding("success", tr("Nothing unusual was found: the table can be searched."))]
        self.setVisible(bool(findings))
        wanted = (self.tokens, tuple(findings))
        if wanted == self._shown:
            return
        self._shown = wanted
        self._leave_focus()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for finding in findings:
            self._rows.addWidget(self._row(finding))
        self.updateGeometry()

    def _links(self) -> list[QPushButton]:
        return [link for link in self._content.findChildren(QPushButton) if link.isVisible()]

    def _leave_focus(self) -> None:
        """Keep the focus in the list while its links are exchanged: Qt would give it to another row, and go there."""
        links = self._links()
        place = next((place for place, link in enumerate(links) if link.hasFocus()), None)
        if place is not None:
            self._left = (links[place].objectName(), place)
            self._area.setFocus()
            self._settled.start()

    def _return_focus(self) -> None:
        """To the way back from what was clicked, in sight; else to what has its place."""
        (name, place), links = self._left, self._links()
        ways_back = (link for link in links if link.objectName() in (f"undo_{name}", "undo_refused"))
        link = next(ways_back, links[min(place, len(links) - 1)] if links else None)
        if link is not None and self._area.hasFocus():
            link.setFocus()
            self._area.ensureWidgetVisible(link)

    def _row(self, finding: Finding) -> QWidget:
        made = QWidget()
        sign = QLabel()
        colour = getattr(self.tokens, _SIGN_COLOURS[finding.role])
        sign.setPixmap(pixmap(finding.role, colour, 16, self.devicePixelRatioF()))
        sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        text = label(finding.sentence, wrap=True)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        text.setMinimumHeight(1)  # else the height that it would need in a narrow column
        text.setMaximumWidth(_WIDEST)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(made)
        layout.setContentsMargins(0, 2, 0, 2)
        layout.setSpacing(SPACE)
        layout.addWidget(sign)
        layout.addWidget(text, 100)
        if finding.fixes:
            links = column(*(self._link(fix, finding.sentence) for fix in finding.fixes), None, spacing=0)
            layout.addLayout(links)
        layout.addStretch(1)
        return made

    def _link(self, fix: Fix, sentence: str) -> QWidget:
        made = button(fix.title, fix.name, "link", f"{fix.title}: {sentence}")
        made.setToolTip(fix.tip)
        made.clicked.connect(lambda: self.wanted.emit(fix))
        return made
