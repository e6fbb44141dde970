"""From the command line to the first picture: application, session, window, event loop, log file."""

import argparse
import asyncio
import logging
import logging.handlers
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import qasync
from PySide6.QtCore import QEvent, QObject, QSettings, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from fsdesk.app.frame.openml_dialog import offer_openml
from fsdesk.app.frame.smoke import smoke
from fsdesk.app.frame.tour import offer_tour
from fsdesk.app.frame.window import MainWindow
from fsdesk.app.look.language import chosen_language, speak
from fsdesk.app.look.places import Folders
from fsdesk.app.look.theme import Theme
from fsdesk.app.look.translation import tr
from fsdesk.app.work.session import Session
from fsdesk.app.work.surfacing import surfaced
from fsdesk.data import SAMPLES
from fsdesk.engine import WorkerPool, usable_cores
from fsdesk.errors import UserError

__all__ = ["FileOpener", "make_window", "start"]

_LOG_BYTES = 1 << 20


def pool_size() -> int:
    """One worker for tables and estimates, and some for runs."""
    return 1 + max(1, min(4, usable_cores() - 1))


def start(arguments: Sequence[str] | None = None) -> int:
    """Open the window and serve it until it is closed; return the exit code."""
    asked = _parser().parse_args(arguments)
    if _has_no_screen():
        if not asked.smoke:
            sys.stderr.write('There is no screen to open the window on; use "fsdesk run" to search without one.\n')
            return 2
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication.instance() or QApplication([sys.argv[0]])
    assert isinstance(application, QApplication)
    application.setApplicationName("fsdesk")
    application.setDesktopFileName("fsdesk")
    application.setQuitOnLastWindowClosed(False)  # the loop ends when everything is on disk
    loop = qasync.QEventLoop(application)
    with loop:
        return _smoke(loop, asked.file) if asked.smoke else _open(loop, asked.file, asked.sample)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fsdesk-window", description="Open the desk.")
    parser.add_argument("file", nargs="?", type=Path, help="a table or a project to open")
    parser.add_argument("--sample", choices=[sample.name for sample in SAMPLES], help="open with this sample")
    parser.add_argument("--smoke", action="store_true", help="run a short real job, with or without a screen, and exit")
    return parser


def _open(loop: asyncio.AbstractEventLoop, path: Path | None, sample: str | None) -> int:
    folders = Folders.of_user()
    folders.make()
    _log_to(folders.log_file)
    store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "fsdesk", "fsdesk")
    window = make_window(folders, store)
    opener = FileOpener(window)
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(opener)

    def begin() -> None:
        if path is not None:
            window.open_path(path)
        elif sample is not None:
            window.open_sample(sample)

    loop.run_until_complete(_serve(window, begin))
    return 0


class FileOpener(QObject):
    """Opens what a double click wants opened where that comes as an event, on macOS, and not as an argument."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take file events of the application, and no others."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self._window.open_path(Path(event.file()))
            return True
        return super().eventFilter(watched, event)


def _smoke(loop: asyncio.AbstractEventLoop, table: Path | None) -> int:
    """Run the smoke test, with a table or a sample, in folders of its own, away from the user's."""
    with tempfile.TemporaryDirectory(prefix="fsdesk-smoke-") as root:
        folders = Folders.under(Path(root))
        folders.make()
        window = make_window(folders, QSettings(str(Path(root) / "settings.ini"), QSettings.Format.IniFormat))
        window.show()

        async def scene() -> str:
            try:
                return await smoke(window, Path(root) / "results", table)
            finally:
                await window.session.close()
                window.hide()

        try:
            sys.stdout.write(loop.run_until_complete(scene()) + "\n")
        except (RuntimeError, UserError) as error:
            sys.stderr.write(f"smoke test failed: {error}\n")
            return 1
    return 0


def _has_no_screen() -> bool:
    """Qt would abort; only Linux can be without."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform == "linux" and not any(os.environ.get(name) for name in screens)


def make_window(folders: Folders, store: QSettings) -> MainWindow:
    """Make the window with a pool of its own; nothing is started yet."""
    speak(chosen_language(store))
    theme = Theme(store)
    theme.apply()
    window = MainWindow(Session(WorkerPool(pool_size()), folders, store), theme)
    offer_openml(window)
    return window


async def _serve(window: MainWindow, begin: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    closed: asyncio.Future[None] = loop.create_future()

    def settle() -> None:
        if not closed.done():
            closed.set_result(None)

    def after_first_paint() -> None:
        window.session.begin(window.session.warm(), tr("starting the workers"), quietly=True)
        window.prepare()
        window.keep_desk()
        begin()
        offer_tour(window)

    window.closed.connect(settle)
    with surfaced(window.session, loop):
        window.show()
        QTimer.singleShot(0, after_first_paint)
        await closed


def _log_to(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("fsdesk")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
