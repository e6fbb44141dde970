"""Files on their way in and out of the window: asked for in a dialog, or dropped on it."""

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from fsdesk.app.look.file_dialogs import ask_file
from fsdesk.app.look.translation import tr
from fsdesk.app.work.recent import RecentFile
from fsdesk.app.work.session import Session
from fsdesk.data import READERS, SUFFIXES
from fsdesk.errors import UserError
from fsdesk.store import SUFFIX

__all__ = ["Files", "dropped", "fill_recent"]

_FOLDER = "window/folder"


class Files:
    """Asks for files, each time in the folder of the last one."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        self._parent, self._session, self._store = parent, session, session.store

    @property
    def folder(self) -> Path:
        """Where the last file was."""
        return Path(str(self._store.value(_FOLDER, str(Path.home()))))

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
            self._store.setValue(_FOLDER, str(Path(name).parent))
            then(Path(name))

        ask_file(self._parent, "fileDialog", title, self.folder / name, chosen, kinds=kinds, save=save)


def fill_recent(
    menu: QMenu, files: Iterable[RecentFile], then: Callable[[Path], None], clear: Callable[[], None]
) -> None:
    """Offer the files opened last that are still there, and to forget them."""
    menu.clear()
    there = [file.path for file in files if not file.missing]
    for place, path in enumerate(there, 1):
        text = f"{f'&{place} ' if place < 10 else ''}{str(path).replace('&', '&&')}"
        menu.addAction(text).triggered.connect(lambda _=False, path=path: then(path))
    menu.addSeparator()
    menu.addAction(tr("&Clear this list; pinned files stay")).triggered.connect(lambda: clear())
    menu.setEnabled(bool(there))


def dropped(event: QDropEvent) -> Path:
    """The one file that is dropped; raise UserError where it is something else."""
    urls = event.mimeData().urls()
    if len(urls) != 1:
        raise UserError(tr("Drop one file at a time: of {count} files none was opened.", count=len(urls)))
    if not urls[0].isLocalFile():
        raise UserError(tr("Only files of this computer can be dropped: download it first."))
    path = Path(urls[0].toLocalFile())
    if path.is_dir():
        raise UserError(tr("{name} is a folder: drop a table or a project that is in it.", name=path.name))
    return path
