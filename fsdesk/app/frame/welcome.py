"""The first screen: drop a file, open one, go on with a recent one, or try a sample."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from fsdesk.app.frame.recent_card import RecentCard, Row
from fsdesk.app.look.icons import icon, pixmap
from fsdesk.app.look.parts import Card, button, label, restyle, scrolled, surface
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import declared, number, tr
from fsdesk.app.look.words import counted
from fsdesk.data import SAMPLES

__all__ = ["DropHint", "Welcome"]

_WIDTH, _WIDEST = 960, 1400
_TALL = 1000  # pixels of a page whose cards may have more room


class Welcome(QWidget):
    """Shown while nothing is open; tells what the user picked."""

    open_wanted = Signal()
    sample_wanted = Signal(str)
    path_wanted = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        self._tokens = LIGHT
        self.drop = surface("drop")
        self.drop.setObjectName("dropZone")
        self._drop_sign, self._mark = QLabel(), QLabel()
        self.open = button(tr("Open a table or project …"), "welcomeOpen", "primary")
        self.open.clicked.connect(self.open_wanted)
        drop_layout = QVBoxLayout(self.drop)
        drop_layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        drop_layout.setSpacing(SPACE)
        drop_layout.addStretch(1)
        for widget in (
            self._drop_sign,
            label(tr("Drop a file here"), "title"),
            label(
                tr(
                    "CSV, TSV, Excel, ARFF, MATLAB, R, Parquet, HDF5, LIBSVM, GCT, a GEO series matrix, zipped or not, "
                    "or an fsdesk project"
                ),
                "caption",
                wrap=True,
            ),
        ):
            if isinstance(widget, QLabel):
                widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            drop_layout.addWidget(widget)
        drop_layout.addSpacing(SPACE)
        drop_layout.addWidget(self.open, 0, Qt.AlignmentFlag.AlignCenter)
        drop_layout.addStretch(1)
        self.samples = Card(tr("Samples"))
        self.samples.head.addWidget(label(tr("nothing to download"), "caption"))
        self.samples.body.setSpacing(0)
        self.sample_rows = [
            Row(f"sample_{each.name}", declared(each.title), declared(each.summary), "sample",
                 f"{number(each.rows)} × {number(each.features)}")
            for each in SAMPLES
        ]  # fmt: skip
        for sample, made in zip(SAMPLES, self.sample_rows, strict=True):
            made.setToolTip(
                f"{counted(sample.rows, 'row')}, {counted(sample.features, 'feature')}, "
                f"{counted(sample.classes, 'class')}"
            )
            made.clicked.connect(lambda _=False, name=sample.name: self.sample_wanted.emit(name))
            self.samples.body.addWidget(made)
        self.samples.body.addStretch(1)
        self.recent = RecentCard()
        self.recent.path_wanted.connect(self.path_wanted)
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addWidget(label(tr("Find the features that predict"), "display"))
        texts.addWidget(
            label(
                tr("Open a table, press Run, watch a search find the columns that predict best, take the list home."),
                "muted",
                wrap=True,
            )
        )
        head.addWidget(self._mark)
        head.addLayout(texts, 1)
        grid = QGridLayout()
        grid.setSpacing(2 * SPACE)
        grid.addWidget(self.drop, 0, 0)
        grid.addWidget(self.recent, 1, 0)
        grid.addWidget(self.samples, 0, 1, 2, 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(0, 1)
        self._inner = inner = QWidget()
        inner.setMaximumWidth(_WIDTH)
        content = QVBoxLayout(inner)
        content.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        content.setSpacing(3 * SPACE)
        content.addStretch(1)
        content.addLayout(head)
        content.addLayout(grid)
        content.addStretch(2)
        middle = QWidget()
        across = QHBoxLayout(middle)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(inner, 100)
        across.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scrolled(middle))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a large screen the middle grows with the page."""
        super().resizeEvent(event)
        size = event.size()
        self._inner.setMaximumWidth(min(_WIDEST, max(_WIDTH, size.width() * 11 // 20)))
        self.samples.setMinimumHeight(size.height() // 3)
        self.samples.body.setSpacing(2 * SPACE if size.height() > _TALL else 0)

    @property
    def recent_rows(self) -> list[Row]:
        """The rows of the recent files."""
        return self.recent.rows

    def set_hot(self, hot: bool) -> None:
        """While a file hovers over the window."""
        restyle(self.drop, surface="drop hot" if hot else "drop")

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        scale = self.devicePixelRatioF()
        self._drop_sign.setPixmap(pixmap("drop", tokens.accent, 32, scale))
        self._mark.setPixmap(pixmap("../fsdesk", tokens.text, 56, scale))
        self.recent.dress(tokens)
        for made in self.sample_rows:
            made.sign.setPixmap(pixmap(made.drawing, tokens.accent, 20, scale))
        self.open.setIcon(icon("open", tokens, "on_accent"))


class DropHint(QLabel):
    """Says over a window that a file may be dropped; the first screen shows it by itself."""

    def __init__(self, window: QWidget, welcome: Welcome) -> None:
        super().__init__(tr("Drop the file to open it"), window)
        self._window, self._welcome = window, welcome
        self.setProperty("surface", "drop hot")
        self.setProperty("role", "title")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def set_hot(self, hot: bool) -> None:
        """While a file hovers over the window."""
        self._welcome.set_hot(hot)
        if hot and not self._welcome.isVisible():
            self.ensurePolished()
            self.resize(self.sizeHint() + QSize(12 * SPACE, 8 * SPACE))
            self.move(self._window.rect().center() - self.rect().center())
            self.raise_()
        self.setVisible(hot and not self._welcome.isVisible())
