"""Files on their way in and out of the window: asked for in a dialog, or dropped on it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QHeaderView, QLineEdit, QSplitter, QTreeView, QWidget

from fsdesk.app.session.session import Session
from fsdesk.data import READERS, SUFFIXES
from fsdesk.errors import UserError
from fsdesk.messages import tr
from fsdesk.store import SUFFIX

__all__ = ["Files", "ask_file", "ask_save", "dropped"]

_FILES, _FRAME = QSize(800, 540), QSize(16, 48)
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
) -> None:
    """Ask for a file there is, or for one to write, without blocking the window.

    Parameters
    ----------
    parent, name, title
        Who asks, the objectName of the dialog, and what it says.
    start
        The folder it begins in, or the file that it proposes; what is typed takes the place of its name.
    then
        Called with the path that was chosen.
    kinds
        What is shown, as Qt's name filters; all files without.
    save
        The suffix of a file that will be written; "" where one is read.
    folder
        Whether a folder is asked for.
    """
    dialog = QFileDialog(parent.window(), title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setObjectName(name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave if save else QFileDialog.AcceptMode.AcceptOpen)
    # Qt's own, where the system has none, would be as wide as a list of all suffixes and taller than a laptop.
    dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
    if (files := dialog.findChild(QTreeView, "treeView")) is not None:
        files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        files.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    if (parts := dialog.findChild(QSplitter, "splitter")) is not None:  # else names of places are cut
        parts.setSizes([_PLACES, _FILES.width() - _PLACES])
    dialog.resize(_FILES.boundedTo(parent.screen().availableGeometry().size() - _FRAME))
    dialog.setNameFilters((kinds or f"{tr('All files')} (*)").split(";;"))
    dialog.setDefaultSuffix(save)
    existing = QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile
    dialog.setFileMode(QFileDialog.FileMode.AnyFile if save else existing)
    dialog.fileSelected.connect(then)
    begin = Path(start).absolute()
    place = next(each for each in (begin, *begin.parents) if each.is_dir() or each == each.parent)
    dialog.setDirectory(str(place))
    if place == begin.parent:
        dialog.selectFile(begin.name)
        if (field := dialog.findChild(QLineEdit, "fileNameEdit")) is not None:
            field.selectAll()
    dialog.open()


_LAST_FOLDER = "window/folder"


class Files:
    """Asks for files, each time in the folder of the last one."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        self._parent, self._session, self._store = parent, session, session.store

    @property
    def folder(self) -> Path:
        """Where the last file was."""
        return Path(str(self._store.value(_LAST_FOLDER, str(Path.home()))))

    def ask_open(self, then: Callable[[Path], None]) -> None:
        """Let the user choose a table or a project to open."""
        tables = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        formats = ";;".join(f"{reader.title} ({reader.patterns})" for reader in READERS)
        kinds = f"{tr('Tables and projects')} ({tables} *{SUFFIX});;{formats};;{tr('All files')} (*)"
        self._ask(tr("Open a table or a project"), then, kinds)

    def ask_save(self, then: Callable[[Path], None]) -> None:
        """Let the user choose where the project is kept."""
        name = self._session.proposed_name
        kinds = f"{tr('fsdesk projects')} (*{SUFFIX})"
        self._ask(tr("Save the project as"), then, kinds, SUFFIX[1:], f"{name}{SUFFIX}" if name else "")

    def ask_settings(self, then: Callable[[Path], None]) -> None:
        """Let the user choose a settings file to load."""
        self._ask(tr("Load settings"), then, f"{tr('Settings')} (*.toml);;{tr('All files')} (*)")

    def ask_save_settings(self, then: Callable[[Path], None]) -> None:
        """Let the user choose where settings are written."""
        self._ask(tr("Save settings"), then, f"{tr('Settings')} (*.toml)", "toml", "settings.toml")

    def _ask(self, title: str, then: Callable[[Path], None], kinds: str, save: str = "", name: str = "") -> None:
        def chosen(name: str) -> None:
            self._store.setValue(_LAST_FOLDER, str(Path(name).parent))
            then(Path(name))

        ask_file(self._parent, "fileDialog", title, self.folder / name, chosen, kinds=kinds, save=save)


def dropped(event: QDropEvent) -> Path:
    """The one file that is dropped; raise UserError where it is something else."""
    urls = event.mimeData().urls()
    if len(urls) != 1:
        raise UserError("Drop one file at a time: of {count} files none was opened.", count=len(urls))
    if not urls[0].isLocalFile():
        raise UserError("Only files of this computer can be dropped: download it first.")
    path = Path(urls[0].toLocalFile())
    if path.is_dir():
        raise UserError("{name} is a folder: drop a table or a project that is in it.", name=path.name)
    return path


def ask_save(
    parent: QWidget, session: Session, subject: str, title: str, proposed: str, kinds: str,
    write: Callable[[Path], Awaitable[object]], doing: str,
) -> None:  # fmt: skip
    """Let the user choose a file name, and have the file written.

    Parameters
    ----------
    subject
        What it is about: the messages about it replace one another, and the dialog is named by it.
    title, kinds
        What the dialog says, and the name filter.
    proposed
        The name of the file, with its suffix.
    write
        Writes the file; errors become a message.
    doing
        What is going on meanwhile, such as "saving the curves".
    """
    folder, suffix = Path(str(session.store.value(_LAST_FOLDER, str(Path.home())))), Path(proposed).suffix

    async def written(path: Path) -> None:
        await write(path)
        session.store.setValue(_LAST_FOLDER, str(path.parent))
        session.tasks.message.emit("success", tr('Written to "{path}".', path=path), str(path.parent), subject)

    def chosen(name: str) -> None:
        path = Path(name)
        path = path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")
        session.tasks.begin(written(path), doing, subject=subject)

    ask_file(parent, f"save_{subject}", title, folder / proposed, chosen, kinds=kinds, save=suffix.removeprefix("."))
