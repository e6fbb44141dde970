"""From the command line to the first picture: application, session, window, event loop, log file."""

import asyncio
import logging
import logging.handlers
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import qasync
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication

from fsdesk.app.places import Folders
from fsdesk.app.session import Session
from fsdesk.app.theme import Theme
from fsdesk.app.window import MainWindow
from fsdesk.engine import WorkerPool

__all__ = ["make_window", "start"]

_LOG_BYTES = 1 << 20


def pool_size() -> int:
    """One worker for tables and estimates, and some for runs."""
    return 1 + max(1, min(4, (os.cpu_count() or 2) - 1))


def start(arguments: Sequence[str] | None = None) -> int:
    """Open the window and serve it until it is closed."""
    if _has_no_screen():
        sys.stderr.write('There is no screen to open the window on; use "fsdesk run" to search without one.\n')
        return 2
    names = list(sys.argv[1:] if arguments is None else arguments)
    application = QApplication.instance() or QApplication([sys.argv[0]])
    assert isinstance(application, QApplication)
    application.setApplicationName("fsdesk")
    application.setDesktopFileName("fsdesk")
    application.setQuitOnLastWindowClosed(False)  # the loop ends when everything is on disk
    folders = Folders.of_user()
    folders.make()
    _log_to(folders.log_file)
    store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "fsdesk", "fsdesk")
    loop = qasync.QEventLoop(application)
    window = make_window(folders, store)
    with loop:
        loop.run_until_complete(_serve(window, [Path(name) for name in names]))
    return 0


def _has_no_screen() -> bool:
    """Qt would abort; only Linux can be without."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform == "linux" and not any(os.environ.get(name) for name in screens)


def make_window(folders: Folders, store: QSettings) -> MainWindow:
    """Make the window with a pool of its own; nothing is started yet."""
    theme = Theme(store)
    theme.apply()
    return MainWindow(Session(WorkerPool(pool_size()), folders, store), theme)


async def _serve(window: MainWindow, paths: list[Path]) -> None:
    loop = asyncio.get_running_loop()
    closed: asyncio.Future[None] = loop.create_future()

    def settle() -> None:
        if not closed.done():
            closed.set_result(None)

    window.closed.connect(settle)
    loop.set_exception_handler(lambda _, context: _tell(window, context.get("exception")))
    sys.excepthook = lambda kind, error, trace: _tell(window, error)  # slots of Qt end here
    window.show()
    QTimer.singleShot(0, lambda: _after_first_paint(window, paths))
    await closed


def _after_first_paint(window: MainWindow, paths: list[Path]) -> None:
    window.session.begin(window.session.warm(), "starting the workers", quietly=True)
    window.prepare()
    for path in paths[:1]:
        window.open_path(path)


def _tell(window: MainWindow, error: object) -> None:
    if isinstance(error, Exception):
        window.session.tell_unexpected(error, "answering you")


def _log_to(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("fsdesk")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
