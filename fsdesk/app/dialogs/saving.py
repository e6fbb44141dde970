"""Saving what a page shows: the user says where, a worker writes, a message says that it is there."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from fsdesk.app.dialogs.files import ask_file
from fsdesk.app.session.session import Session
from fsdesk.app.translation import tr

__all__ = ["ask_save"]

_FOLDER = "window/folder"


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
    folder, suffix = Path(str(session.store.value(_FOLDER, str(Path.home())))), Path(proposed).suffix

    async def written(path: Path) -> None:
        await write(path)
        session.store.setValue(_FOLDER, str(path.parent))
        session.said.emit("success", tr('Written to "{path}".', path=path), str(path.parent), subject)

    def chosen(name: str) -> None:
        path = Path(name)
        path = path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")
        session.begin(written(path), doing, subject=subject)

    ask_file(parent, f"save_{subject}", title, folder / proposed, chosen, kinds=kinds, save=suffix.removeprefix("."))
