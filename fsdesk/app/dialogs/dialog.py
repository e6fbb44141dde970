"""Base class of dialogs, file dialogs, and the closing dialog. None of them blocks the window."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSplitter,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.style import icon
from fsdesk.app.widgets import button, column, label, named, row
from fsdesk.data import READERS, SUFFIXES
from fsdesk.data.readers.tenx import tenx_matrix
from fsdesk.errors import UserError
from fsdesk.messages import tr
from fsdesk.store import SUFFIX

_FRAME = QSize(16, 48)  # pixels added around a window by the desktop


class _Snug(QVBoxLayout):
    """A layout as high as its texts need at the dialog's minimum width; Qt assumes that they wrap earlier."""

    def _at_width(self, size: QSize, height: Callable[[int], int]) -> QSize:
        held = self.parentWidget()
        if held is None or not self.hasHeightForWidth():
            return size
        wide = max(size.width(), held.minimumWidth())
        return QSize(wide, height(wide))

    def minimumSize(self) -> QSize:
        """The size that the content needs."""
        return self._at_width(super().minimumSize(), self.minimumHeightForWidth)

    def sizeHint(self) -> QSize:
        """The size that the content needs, as for the minimum size."""
        return self._at_width(super().sizeHint(), self.heightForWidth)


class Dialog(QDialog):
    """A dialog with the layout ``box``; it is deleted on closing, and ``gone`` makes slow work stop.

    Parameters
    ----------
    name, title
        Its objectName; its title, and its first line if it has a heading (``headed``).
    width
        Minimum width in pixels, less on a small screen.
    """

    def __init__(self, parent: QWidget, name: str, title: str, width: int, *, headed: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setMinimumWidth(min(width, _room(self).width()))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.gone = False
        self.finished.connect(self._leave)
        self.box = _Snug(self)
        self.box.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        self.box.setSpacing(12)
        if headed:
            self.box.addWidget(label(title, "title"))

    def _leave(self) -> None:
        self.gone = True

    def resize_to(self, width: int, height: int) -> None:
        """Use this size, limited on a small or scaled screen."""
        self.resize(QSize(width, height).boundedTo(_room(self)))

    def add_end(self, words: str, name: str, cancel: str) -> QPushButton:
        """Add Cancel and the default button with this name; return the latter for the caller to connect."""
        agree = button(words, name, "primary")
        agree.setDefault(True)
        leave = button(tr("Cancel"), cancel)
        leave.clicked.connect(self.reject)
        self.box.addLayout(row(None, leave, agree))
        return agree


def _room(widget: QWidget) -> QSize:
    """The space available for a window on the screen of a widget."""
    return widget.screen().availableGeometry().size() - _FRAME


class TroubleFrame(QFrame):
    """An error message in the colors of an error; hidden if there is none."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("message", "error")
        self.words = label("", wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        named(self.words, name, tr("Error message"))
        self.setLayout(column(self.words, margins=(12, SPACE, 12, SPACE)))
        self.hide()

    def say(self, sentence: str) -> None:
        """Show a sentence; "" hides the frame."""
        self.words.setText(sentence)
        self.setVisible(bool(sentence))


class CloseDialog(Dialog):
    """Dialog shown when the window is closed with unfinished or unsaved work; accepting it means to close.

    Parameters
    ----------
    running
        Whether a run is active and would be stopped.
    kept
        Location of a project never saved under a name; None if it was saved.
    title
        What is closed.
    """

    save_wanted = Signal()

    def __init__(self, parent: QWidget, *, running: bool, kept: Path | None, title: str = "") -> None:
        super().__init__(parent, "closeDialog", title or tr("Close fsdesk"), 440, headed=False)
        heading = tr("A run is in progress") if running else tr("This project has not been named yet")
        said = []
        if running:
            said.append(tr("It will be stopped. You can resume it when you open the project again."))
        if kept is not None:
            said.append(tr('Nothing is lost: the project is saved as "{path}" and listed under Recent.', path=kept))
        self.words = label("\n\n".join(said), wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.never = QCheckBox(tr("Do not ask again about unnamed projects"))
        named(self.never, "closeNever", tr("Do not ask again about unnamed projects"))
        self.never.setHidden(running)
        for part in (label(heading, "title", wrap=True), self.words, self.never):
            self.box.addWidget(part)
        self.box.addSpacing(SPACE)
        leave = button(tr("Stop and close") if running else tr("Close"), "closeLeave", "primary")
        leave.setDefault(True)
        leave.clicked.connect(self.accept)
        save = button(tr("Save as …"), "closeSave", spoken=tr("Save the project under a name, then close"))
        save.setHidden(kept is None)
        save.clicked.connect(self.reject)
        save.clicked.connect(self.save_wanted)
        stay = button(tr("Keep running") if running else tr("Cancel"), "closeStay")
        stay.clicked.connect(self.reject)
        self.box.addLayout(row(stay, None, save, leave))
        leave.setFocus()


class WhereDialog(Dialog):
    """Shown when another table is opened while a project with runs is open.

    Accepting closes that project, so that the runs of the table get their own; ``add_wanted`` keeps it.
    """

    add_wanted = Signal()

    def __init__(self, parent: QWidget, project: str, table: str) -> None:
        super().__init__(parent, "whereDialog", tr("Open another table"), 460, headed=False)
        heading = tr('Start a new project for "{table}"?', table=table) if table else tr("Start a new project for it?")
        self.words = label(
            tr(
                'The open project "{project}" has runs on another table. With a new project, it is closed and listed '
                "under Recent. If you add the table, the runs of both are in one project, and you can compare them.",
                project=project,
            ),
            wrap=True,
        )
        self.box.addWidget(label(heading, "title", wrap=True))
        self.box.addWidget(self.words)
        self.box.addSpacing(SPACE)
        new = button(tr("New project"), "whereNew", "primary")
        new.setDefault(True)
        new.clicked.connect(self.accept)
        add = button(tr("Add to this project"), "whereAdd")
        add.clicked.connect(self.reject)
        add.clicked.connect(self.add_wanted)
        cancel = button(tr("Cancel"), "whereCancel")
        cancel.clicked.connect(self.reject)
        self.box.addLayout(row(cancel, None, add, new))
        new.setFocus()


_FILES = QSize(800, 540)
_PLACES = 160  # pixels of the list of places at the left


def ask_file(
    parent: QWidget,
    name: str,
    title: str,
    start: str | Path,
    then: Callable[[str], object],
    *,
    kinds: str = "",
    save: str = "",
    folder: bool = False,
    several: Callable[[list[str]], object] | None = None,
) -> None:
    """Ask for an existing file, or for one to write, without blocking the window.

    Parameters
    ----------
    parent, name, title
        Parent, objectName of the dialog, and its title.
    start
        The initial folder, or the proposed file; typed text replaces its name.
    then
        Called with the chosen path.
    kinds
        Qt name filters; all files by default.
    save
        The suffix of a file to be written; "" for reading.
    folder
        Whether a folder is asked for.
    several
        Called with the chosen paths instead of ``then``, if more than one may be chosen.
    """
    dialog = QFileDialog(parent.window(), title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setObjectName(name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave if save else QFileDialog.AcceptMode.AcceptOpen)
    # Qt's own dialog, used if the system has none, would be as wide as a list of all suffixes and taller than a laptop.
    dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
    if (files := dialog.findChild(QTreeView, "treeView")) is not None:
        files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        files.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    if (parts := dialog.findChild(QSplitter, "splitter")) is not None:  # otherwise names of places are cut off
        parts.setSizes([_PLACES, _FILES.width() - _PLACES])
    _take_icons(dialog)
    dialog.resize(_FILES.boundedTo(_room(parent)))
    dialog.setNameFilters((kinds or f"{tr('All files')} (*)").split(";;"))
    dialog.setDefaultSuffix(save)
    one = QFileDialog.FileMode.ExistingFile if several is None else QFileDialog.FileMode.ExistingFiles
    existing = QFileDialog.FileMode.Directory if folder else one
    dialog.setFileMode(QFileDialog.FileMode.AnyFile if save else existing)
    if several is None:
        dialog.fileSelected.connect(then)
    else:
        dialog.filesSelected.connect(several)
    begin = Path(start).absolute()
    place = next(each for each in (begin, *begin.parents) if each.is_dir() or each == each.parent)
    dialog.setDirectory(str(place))
    if place == begin.parent:
        dialog.selectFile(begin.name)
        if (field := dialog.findChild(QLineEdit, "fileNameEdit")) is not None:
            field.selectAll()
    dialog.open()


def _take_icons(dialog: QFileDialog) -> None:
    """Give Qt's own dialog the icons of the program; its black ones cannot be seen on a dark ground."""
    for name, drawing in _ICONS.items():
        if (tool := dialog.findChild(QToolButton, name)) is not None:
            tool.setIcon(icon(drawing))
    for ending in dialog.findChildren(QDialogButtonBox):
        for each in ending.buttons():
            each.setIcon(QIcon())


_ICONS = {
    "backButton": "back", "forwardButton": "forward", "toParentButton": "up", "newFolderButton": "folder-new",
    "listModeButton": "grid", "detailModeButton": "list",
}  # fmt: skip
_LAST_FOLDER = "window/folder"
_TENX = "matrix.mtx"
_FAR_LARGER = 2
_SEPARATORS = ",;\t|"


def last_folder(store: QSettings) -> Path:
    """Folder of the last file."""
    return Path(str(store.value(_LAST_FOLDER, str(Path.home()))))


def keep_folder(store: QSettings, path: Path) -> None:
    """Remember the location of a file for the next dialog."""
    store.setValue(_LAST_FOLDER, str(path.parent))


def all_tables(title: str = "", suffixes: str = "") -> str:
    """Name filters for tables: all formats together, other ``suffixes`` under another title, then each format."""
    tables = " ".join([*(f"*{suffix}" for suffix in SUFFIXES), *suffixes.split()])
    formats = ";;".join(f"{reader.title} ({reader.patterns})" for reader in READERS)
    return f"{title or tr('Tables')} ({tables});;{formats};;{tr('All files')} (*)"


def ask_path(
    parent: QWidget,
    store: QSettings,
    title: str,
    then: Callable[[Path], object],
    *,
    name: str = "fileDialog",
    kinds: str = "",
    save: str = "",
    proposed: str = "",
) -> None:
    """Ask for a file, starting in the folder of the last one; ``proposed`` is the name of a new file.

    The other parameters are as in :func:`ask_file`.
    """

    def chosen(file: str) -> None:
        keep_folder(store, Path(file))
        then(Path(file))

    ask_file(parent, name, title, last_folder(store) / proposed, chosen, kinds=kinds, save=save)


def ask_paths(
    parent: QWidget, store: QSettings, title: str, then: Callable[[list[Path]], object], *, kinds: str = ""
) -> None:
    """Ask for one or more files, starting in the folder of the last one, which is not changed.

    The parameters are as in :func:`ask_file`.
    """

    def chosen(files: list[str]) -> None:
        then([Path(file) for file in files])

    ask_file(parent, "fileDialog", title, last_folder(store), lambda _: None, kinds=kinds, several=chosen)


def dropped(held: QMimeData) -> tuple[Path, Path | None]:
    """The dropped file, and its label file if two were dropped; UserError for anything else.

    A web address is a path that begins with https.
    """
    urls = held.urls()
    if len(urls) == 1 and urls[0].scheme() == "https":
        return Path(urls[0].toString()), None
    if not all(url.isLocalFile() for url in urls):
        raise UserError("Only files on this computer can be dropped. Download the file first.")
    return table_and_labels([Path(url.toLocalFile()) for url in urls])


def table_and_labels(paths: Sequence[Path]) -> tuple[Path, Path | None]:
    """Of files chosen together, the table or project and its label file, if any; UserError if they do not belong.

    Of two tables, the one with fewer columns contains the labels or, if columns cannot be counted, the one that is much
    smaller. Of the three files of 10x Genomics, the matrix is opened; its reader finds the other two.
    """
    matrix = next((path for path in paths if _TENX in path.name.lower()), None)
    if matrix is not None:
        return matrix, None
    folder = next((path for path in paths if path.is_dir() and tenx_matrix(path) is None), None)
    if folder is not None:
        raise UserError("{name} is a folder. Choose a table or a project inside it.", name=folder.name)
    if len(paths) == 1:
        return paths[0], None
    if len(paths) != 2 or any(path.suffix.lower() in (SUFFIX, ".toml") for path in paths):
        raise UserError(
            "Open a single file, or a table together with its label file. None of the {count} files was opened.",
            count=len(paths),
        )
    columns = {path: _columns(path) for path in paths}
    seen = 0 not in columns.values() and len(set(columns.values())) > 1
    labels, table = sorted(paths, key=lambda path: columns[path] if seen else _size(path))
    if not seen and _size(table) <= _FAR_LARGER * _size(labels):
        raise UserError(
            "It is unclear which of {first} and {second} contains the labels. Open the table alone and choose the "
            "label file on the Data page.",
            first=paths[0].name,
            second=paths[1].name,
        )
    return table, labels


def _columns(path: Path) -> int:
    """Number of cells in the first line of a text file; 1 for a file with only classes, 0 if it is not text."""
    try:
        with path.open("rb") as file:
            line = file.readline(1 << 24).decode()
    except (OSError, UnicodeDecodeError):
        return 0
    if path.suffix.lower() == ".cls":
        return 1
    return 0 if "\0" in line else 1 + max(map(line.count, _SEPARATORS))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def ask_save(
    parent: QWidget, session: Session, subject: str, title: str, proposed: str, kinds: str,
    write: Callable[[Path], Awaitable[object]], doing: str,
) -> None:  # fmt: skip
    """Let the user choose a file name, and write the file.

    Parameters
    ----------
    subject
        The subject: messages about it replace one another, and the dialog is named by it.
    title, kinds
        The title of the dialog, and the name filter.
    proposed
        The name of the file, with its suffix.
    write
        Writes the file; errors become a message.
    doing
        Description of the activity, such as "saving the curves".
    """
    folder, suffix = last_folder(session.store), Path(proposed).suffix

    async def written(path: Path) -> None:
        await write(path)
        keep_folder(session.store, path)
        session.tasks.say("success", tr('Written to "{path}".', path=path), subject, path=str(path.parent))

    def chosen(name: str) -> None:
        path = Path(name)
        path = path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")
        session.tasks.begin(written(path), doing, subject=subject)

    ask_file(parent, f"save_{subject}", title, folder / proposed, chosen, kinds=kinds, save=suffix.removeprefix("."))
