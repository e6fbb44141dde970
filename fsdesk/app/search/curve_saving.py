"""Saving the curves as a picture, a drawing, a page or a table; a worker draws and writes."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from fsdesk.app.look.file_dialogs import ask_file
from fsdesk.app.look.language import language_spoken
from fsdesk.app.look.translation import tr
from fsdesk.app.search.curve_menu import CurveOptions
from fsdesk.app.work.asking import ask
from fsdesk.app.work.session import Session
from fsdesk.results.size_curve import SizeCurve
from fsdesk.results.tasks import size_curve_task, traces_task
from fsdesk.results.traces import Trace

__all__ = ["ask_save_curves", "ask_save_sizes"]


def ask_save_curves(
    parent: QWidget, session: Session, traces: Sequence[Trace], options: CurveOptions, suffix: str
) -> None:
    """Let the user choose a file for the curves that are drawn now, and have it written."""
    kept = list(traces)

    async def write(path: Path) -> None:
        await ask(session.pool, traces_task, kept, options.axis, options.window, str(path), language_spoken())

    _ask_save(parent, session, suffix, write)


def ask_save_sizes(parent: QWidget, session: Session, curve: SizeCurve, suffix: str) -> None:
    """The same for the curve by size."""

    async def write(path: Path) -> None:
        await ask(session.pool, size_curve_task, curve, str(path), language_spoken())

    _ask_save(parent, session, suffix, write)


def _ask_save(
    parent: QWidget, session: Session, suffix: str, write: Callable[[Path], Coroutine[Any, Any, None]]
) -> None:
    titles = {
        "png": tr("Picture, 300 dots per inch (*.png)"),
        "svg": tr("Drawing (*.svg)"),
        "pdf": tr("For print (*.pdf)"),
        "csv": tr("Values (*.csv)"),
    }
    folder = Path(str(session.store.value("window/folder", str(Path.home()))))
    proposed = folder / f"curves.{suffix}"

    async def written(path: Path) -> None:
        await write(path)
        session.store.setValue("window/folder", str(path.parent))
        session.said.emit("success", tr('Written to "{path}".', path=path), str(path.parent), "curves")

    def chosen(name: str) -> None:
        path = Path(name)
        path = path if path.suffix.lower() == f".{suffix}" else path.with_name(f"{path.name}.{suffix}")
        session.begin(written(path), tr("saving the curves"), subject="curves")

    ask_file(
        parent, "saveCurves", tr("Save the curves"), proposed, chosen, kinds=titles[suffix], save=suffix,
    )  # fmt: skip
