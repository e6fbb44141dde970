"""The files opened last, on the first screen: to open, pin, or take off the list."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from fsdesk.app.look.icons import icon, pixmap
from fsdesk.app.look.parts import Card, label, named
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.work.recent import RecentFile
from fsdesk.store import SUFFIX

__all__ = ["RecentCard", "Row"]

_MOST = 6


class Row(QPushButton):
    """A button with an icon, a title and one line below it."""

    def __init__(self, name: str, title: str, line: str, drawing: str, note: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(f"{title}: {line}")
        self.setProperty("kind", "row")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.drawing = drawing
        self.sign = QLabel()
        self._line = label(line, "caption", wrap=True)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        head = QHBoxLayout()
        head.addWidget(label(title, "heading"))
        head.addStretch(1)
        head.addWidget(label(note, "caption"))
        texts.addLayout(head)
        texts.addWidget(self._line)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(12)
        layout.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
        for child in self.findChildren(QLabel):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def sizeHint(self) -> QSize:
        """As high as its texts need at its width."""
        layout = self.layout()
        width = self.width() if self.width() > 100 else 320
        return QSize(320, layout.totalHeightForWidth(width) if layout is not None else 48)

    def minimumSizeHint(self) -> QSize:
        """The same: a row never cuts its texts."""
        return QSize(160, self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        """The texts wrap anew."""
        self.updateGeometry()


class RecentCard(Card):
    """A row for each file, with its pin and the way off the list; ``pin_wanted`` and ``remove_wanted`` tell of both."""

    path_wanted = Signal(Path)
    pin_wanted = Signal(Path, bool)
    remove_wanted = Signal(Path)

    def __init__(self) -> None:
        super().__init__(tr("Recent"))
        self.body.setSpacing(0)
        self.rows: list[Row] = []
        self._lines: list[QWidget] = []
        self._tools: list[tuple[QToolButton, str]] = []
        self._tokens = LIGHT
        self._shown: tuple[list[RecentFile], Path] | None = None

    def show_files(self, files: list[RecentFile], scratch: Path) -> None:
        """List the first files; none, no card."""
        if self._shown == (files, scratch):
            return
        self._shown = (files, scratch)
        for line in self._lines:
            line.hide()
            line.deleteLater()
        for tool, _ in self._tools:
            tool.setObjectName("")  # its name is free at once, itself it goes when its click is over
        self.rows, self._lines, self._tools = [], [], []
        for place, file in enumerate(files[:_MOST]):
            self._add(place, file, scratch)
        self.setVisible(bool(files))
        self.dress(self._tokens)

    def _add(self, place: int, file: RecentFile, scratch: Path) -> None:
        path = file.path
        if file.missing:
            where = tr("not found: moved or deleted, was in {folder}", folder=path.parent)
        elif path.parent == scratch:
            where = tr("kept for you, not saved under a name yet")
        else:
            where = str(path.parent)
        name = path.stem if path.suffix == SUFFIX else path.name
        made = Row(f"recent_{place}", name, where, "curve" if path.suffix == SUFFIX else "table")
        made.setEnabled(not file.missing)
        made.clicked.connect(lambda: self.path_wanted.emit(path))
        pin = self._tool(
            f"recentPin_{place}",
            "pinned" if file.pinned else "pin",
            tr("Unpin {name}", name=name) if file.pinned else tr("Pin {name} to the top", name=name),
        )
        pin.clicked.connect(lambda: self.pin_wanted.emit(path, not file.pinned))
        remove = self._tool(f"recentRemove_{place}", "close", tr("Take {name} off this list", name=name))
        remove.setToolTip(tr("Take off this list; the file stays"))
        remove.clicked.connect(lambda: self.remove_wanted.emit(path))
        line = QWidget()
        layout = QHBoxLayout(line)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(made, 1)
        for tool in (pin, remove):
            layout.addWidget(tool, 0, Qt.AlignmentFlag.AlignVCenter)
        self.body.addWidget(line)
        self.rows.append(made)
        self._lines.append(line)

    def _tool(self, name: str, drawing: str, spoken: str) -> QToolButton:
        made = QToolButton()
        named(made, name, spoken)
        made.setToolTip(spoken)
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._tools.append((made, drawing))
        return made

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        for made in self.rows:
            colour = tokens.accent if made.isEnabled() else tokens.control
            made.sign.setPixmap(pixmap(made.drawing, colour, 20, self.devicePixelRatioF()))
        for tool, drawing in self._tools:
            tool.setIcon(icon(drawing, tokens, "accent" if drawing == "pinned" else "muted"))
