"""The start screen: drop a file, open one, reopen a recent one, or try a sample."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.session.table_loader import Answer, RecentFile
from fsdesk.app.style import icon, on_theme
from fsdesk.app.widgets import Button, Card, Sign, button, column, label, named, panel, restyle, row, scrolled
from fsdesk.data import SAMPLES
from fsdesk.messages import counted, localised, number, tr, translated
from fsdesk.store import SUFFIX

_WIDTH, _WIDEST = 960, 1400
_TALL = 1000  # pixels of a page from which cards may have more space
_MOST = 6


class Row(Button):
    """A button with an icon, a title and one line below it."""

    def __init__(self, name: str, title: str, line: str, drawing: str, note: str = "", colour: str = "accent") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(f"{title}: {line}")
        self.setProperty("kind", "row")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        sign = Sign(drawing, colour)
        sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = row(label(title, "heading"), None, label(note, "caption"))
        texts = column(head, label(line, "caption", wrap=True), spacing=2)
        self.setLayout(row(sign, texts, spacing=12, margins=SPACE, grow=[texts]))
        for child in self.findChildren(QLabel):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def sizeHint(self) -> QSize:
        """The height that the texts need at the current width."""
        layout = self.layout()
        width = self.width() if self.width() > 100 else 320
        return QSize(320, layout.totalHeightForWidth(width) if layout is not None else 48)

    def minimumSizeHint(self) -> QSize:
        """The height of the size hint, because a row never clips its texts."""
        return QSize(160, self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        """Wrap the texts again."""
        self.updateGeometry()


class RecentCard(Card):
    """A row for each file, with buttons to pin it and to remove it from the list."""

    path_wanted = Signal(Path)
    pin_wanted = Signal(Path, bool)
    remove_wanted = Signal(Path)

    def __init__(self) -> None:
        super().__init__(tr("Recent"))
        self.body.setSpacing(0)
        self.rows: list[Row] = []
        self._lines: list[QWidget] = []
        self._tools: list[tuple[QToolButton, str]] = []
        self._shown: tuple[list[RecentFile], Path] | None = None
        on_theme(self._draw_signs)

    def show_files(self, files: list[RecentFile], scratch: Path) -> None:
        """List the first files; the card is hidden if there are none."""
        if self._shown == (files, scratch):
            return
        self._shown = (files, scratch)
        for line in self._lines:
            line.hide()
            line.deleteLater()
        for tool, _ in self._tools:
            tool.setObjectName("")  # its name is free immediately; the object is deleted after its click
        self.rows, self._lines, self._tools = [], [], []
        for place, file in enumerate(files[:_MOST]):
            self._add(place, file, scratch)
        self.setVisible(bool(files))
        self._draw_signs()

    def _add(self, place: int, file: RecentFile, scratch: Path) -> None:
        path = file.path
        if file.missing:
            where = tr("not found: moved or deleted; was in {folder}", folder=path.parent)
        elif path.parent == scratch:
            where = tr("saved automatically, not named yet")
        else:
            where = str(path.parent)
        if file.answer is not None and not file.missing:
            where = f"{_answer_words(file.answer)}\n{where}"
        name = path.stem if path.suffix == SUFFIX else path.name
        drawing, colour = "curve" if path.suffix == SUFFIX else "table", "control" if file.missing else "accent"
        made = Row(f"recent_{place}", name, where, drawing, colour=colour)
        made.setEnabled(not file.missing)
        made.clicked.connect(lambda: self.path_wanted.emit(path))
        pin = self._tool(
            f"recentPin_{place}",
            "pinned" if file.pinned else "pin",
            tr("Unpin {name}", name=name) if file.pinned else tr("Pin {name} to the top", name=name),
        )
        pin.clicked.connect(lambda: self.pin_wanted.emit(path, not file.pinned))
        remove = self._tool(f"recentRemove_{place}", "close", tr("Remove {name} from this list", name=name))
        remove.setToolTip(tr("Remove from this list; the file is not deleted"))
        remove.clicked.connect(lambda: self.remove_wanted.emit(path))
        line = panel(row(made, pin, remove, spacing=0, grow=[made]))
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

    def _draw_signs(self) -> None:
        for tool, drawing in self._tools:
            tool.setIcon(icon(drawing, "accent" if drawing == "pinned" else "muted"))


def _answer_words(answer: Answer) -> str:
    """The result of a project, in one line."""
    found = tr(
        "{target}: {criterion} {value} on held-out rows with {selected} of {features} features",
        target=answer.target, criterion=tr(answer.criterion), value=localised(answer.value),
        selected=number(answer.selected), features=number(answer.features),
    )  # fmt: skip
    return found if answer.runs < 2 else tr("{result}; {runs}", result=found, runs=counted(answer.runs, "run"))


class Welcome(QWidget):
    """Shown while nothing is open; its signals send the user's choice."""

    open_wanted = Signal()
    openml_wanted = Signal()
    address_wanted = Signal()
    paste_wanted = Signal()
    sample_wanted = Signal(str)
    path_wanted = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        self.open = button(tr("Open a table or project …"), "welcomeOpen", "primary")
        self.open.clicked.connect(self.open_wanted)
        formats = tr(
            "CSV, TSV, Excel, SPSS, Stata, SAS, R, MATLAB, AnnData, BIOM, SQLite, GEO series matrix and more, "
            "compressed or not; a table with its label file; or an fsdesk project"
        )
        words = (
            Sign("drop", "accent", 32),
            label(tr("Drop a file here"), "title"),
            label(formats, "caption", wrap=True),
        )
        for each in words:
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
        tip = tr("Open an OpenML data set by name or number")
        openml = button(tr("From OpenML …"), "welcomeOpenml", "link", tip)
        openml.setToolTip(tip)
        openml.clicked.connect(self.openml_wanted)
        web = button(tr("From the web …"), "welcomeAddress", "link", tr("Open a table from a web address"))
        web.setToolTip(tr("Open a table from a web address"))
        web.clicked.connect(self.address_wanted)
        paste = button(tr("Paste"), "welcomePaste", "link", tr("Open a table from the clipboard"))
        paste.setToolTip(tr("Open a table copied from a spreadsheet"))
        paste.clicked.connect(self.paste_wanted)
        ways = column(self.open, row(None, openml, web, paste, None), margins=(0, SPACE, 0, 0))
        self.drop = panel(column(None, *words, row(None, ways, None), None, margins=3 * SPACE), "drop")
        self.drop.setObjectName("dropZone")
        self.samples = Card(tr("Samples"))
        self.samples.head.addWidget(label(tr("no download needed"), "caption"))
        self.samples.body.setSpacing(0)
        self.sample_rows = [
            Row(f"sample_{each.name}", translated(each.title), translated(each.summary), "sample",
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
        on_theme(self._draw_sign)

    def _lay_out(self) -> None:
        words = tr("Open a table, press Run, watch the search find the columns that predict best, and save the list.")
        title = label(tr("Find the features that predict"), "display")
        texts = column(title, label(words, "muted", wrap=True), spacing=4)
        head = row(Sign("../fsdesk", "text", 56), texts, spacing=2 * SPACE, grow=[texts])
        grid = QGridLayout()
        grid.setSpacing(2 * SPACE)
        grid.addWidget(self.drop, 0, 0)
        grid.addWidget(self.recent, 1, 0)
        grid.addWidget(self.samples, 0, 1, 2, 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(0, 1)
        self._inner = panel(column(None, head, grid, None, None, spacing=3 * SPACE, margins=3 * SPACE))
        self._inner.setMaximumWidth(_WIDTH)
        across = row(None, self._inner, None)
        across.setStretch(1, 100)
        self.setLayout(column(scrolled(panel(across))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the center grow with the page on a large screen."""
        super().resizeEvent(event)
        size = event.size()
        self._inner.setMaximumWidth(min(_WIDEST, max(_WIDTH, size.width() * 11 // 20)))
        self.samples.setMinimumHeight(size.height() // 3)
        self.samples.body.setSpacing(2 * SPACE if size.height() > _TALL else 0)

    def set_hot(self, hot: bool) -> None:
        """Highlight it while a file is dragged over the window."""
        restyle(self.drop, surface="drop hot" if hot else "drop")

    def _draw_sign(self) -> None:
        self.open.setIcon(icon("open", "on_accent"))


class DropHint(QLabel):
    """Shown over a window to say that a file may be dropped; the start screen says so itself."""

    def __init__(self, window: QWidget, welcome: Welcome) -> None:
        super().__init__(tr("Drop the file to open it"), window)
        self._window, self._welcome = window, welcome
        self.setProperty("surface", "drop hot")
        self.setProperty("role", "title")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def set_hot(self, hot: bool) -> None:
        """Highlight it while a file is dragged over the window."""
        self._welcome.set_hot(hot)
        if hot and not self._welcome.isVisible():
            self.ensurePolished()
            self.resize(self.sizeHint() + QSize(12 * SPACE, 8 * SPACE))
            self.move(self._window.rect().center() - self.rect().center())
            self.raise_()
        self.setVisible(hot and not self._welcome.isVisible())
