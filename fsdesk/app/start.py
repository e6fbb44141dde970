"""Start-up of the window: application, session, window, event loop, log file."""

import argparse
import asyncio
import logging
import logging.handlers
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import qasync
from PySide6.QtCore import QEvent, QObject, QSettings, QSocketNotifier, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from fsdesk.app.session.background import exception_hooks
from fsdesk.app.session.session import Session
from fsdesk.app.style import Theme
from fsdesk.app.translation import chosen_language, use_language
from fsdesk.app.window import MainWindow
from fsdesk.data import SAMPLES
from fsdesk.engine import WorkerPool, usable_cores
from fsdesk.engine.memory import keep_one_heap
from fsdesk.errors import UserError
from fsdesk.messages import tr
from fsdesk.paths import Folders
from fsdesk.wrappers import STAND_IN

_LOG_BYTES = 1 << 20


def pool_size() -> int:
    """Number of workers: one for tables and estimates, and some for runs."""
    return 1 + max(1, min(4, usable_cores() - 1))


def start(arguments: Sequence[str] | None = None) -> int:
    """Open the window and run it until it is closed; return the exit code."""
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
    parser = argparse.ArgumentParser("fsdesk-window", description="Open the window.")
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
    if sys.platform == "darwin":  # elsewhere a file comes as an argument; a filter is called for every event
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(FileOpener(window))

    def begin() -> None:
        if path is not None:
            window.open_path(path)
        elif sample is not None:
            window.open_sample(sample)

    loop.run_until_complete(_serve(window, begin))
    return 0


class FileOpener(QObject):
    """Opens files sent by double click as an event, as on macOS, rather than as an argument."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the application's file events, and no others."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self._window.open_path(Path(event.file()))
            return True
        return super().eventFilter(watched, event)


def _smoke(loop: asyncio.AbstractEventLoop, table: Path | None) -> int:
    """Run the smoke test, with a table or a sample, in its own folders, separate from the user's."""
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
    """Whether there is no screen, which is possible only on Linux; Qt would abort."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform == "linux" and not any(os.environ.get(name) for name in screens)


def make_window(folders: Folders, store: QSettings) -> MainWindow:
    """Create the window with its own pool; nothing is started yet."""
    keep_one_heap()
    use_language(chosen_language(store))
    theme = Theme(store)
    theme.apply()
    return MainWindow(Session(WorkerPool(pool_size()), folders, store), theme)


async def _serve(window: MainWindow, begin: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    closed: asyncio.Future[None] = loop.create_future()

    def settle() -> None:
        if not closed.done():
            closed.set_result(None)

    def after_first_paint() -> None:
        window.session.tasks.begin(window.session.warm(), tr("starting the workers"), quietly=True)
        window.prepare()
        window.workspace.load_plots()
        window.start_autosave()
        window.look_for_newer()
        begin()
        window.offer_tour()

    window.closed.connect(settle)
    with exception_hooks(window.session.tasks, loop), _closing_on_signals(window):
        window.show()
        QTimer.singleShot(0, after_first_paint)
        await closed


@contextmanager
def _closing_on_signals(window: MainWindow) -> Iterator[None]:
    """Close the window properly on a system request, such as at the end of a session, or Ctrl+C in a terminal."""
    names = ("SIGTERM", "SIGINT", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, lambda *_: window.leave()) for number in numbers}
    # Python calls these between its own steps, and Qt's loop may wait long for one: a byte in a socket wakes it.
    receiving, sending = socket.socketpair()
    receiving.setblocking(False)
    sending.setblocking(False)
    woken_before = signal.set_wakeup_fd(sending.fileno(), warn_on_full_buffer=False)
    notifier = QSocketNotifier(receiving.fileno(), QSocketNotifier.Type.Read, window)
    notifier.activated.connect(lambda: receiving.recv(64))
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(woken_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        receiving.close()
        sending.close()


def _log_to(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("fsdesk")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


_SAMPLE, _MEASUREMENTS = "breast_cancer", 120
_SECONDS = 600.0  # a slow or busy computer may take minutes to load the model once


async def smoke(window: MainWindow, folder: Path, table: Path | None = None) -> str:
    """Open a table, or a sample, run a short search, export it to ``folder``; return a one-line summary.

    Raises
    ------
    RuntimeError
        With one sentence if a step fails.
    """
    from fsdesk.app.dialogs.export import export_run  # not before the window first appears
    from fsdesk.results.exports import STANDARD

    session = window.session
    started = time.monotonic()
    window.open_sample(_SAMPLE) if table is None else window.open_path(table)
    await _until(window, lambda: session.loader.dataset is not None, "the table opens")
    request = window.workspace.setup.request
    shared = {name: value for name, value in request.settings.items() if not name.startswith("wrapper.")}
    settings = {**shared, "method.max_measurements": _MEASUREMENTS}
    await session.run(request.updated({"settings": settings, "wrapper": STAND_IN, "outer": 0}))
    run = next(iter(session.runs))
    await _until(window, lambda: run.phase in ("finished", "failed", "stopped"), "the run finishes")
    if run.phase != "finished" or run.state.best is None:
        raise RuntimeError(f"The run ended as {run.phase}: {run.state.reason}.")
    await export_run(session, run, folder, STANDARD)
    absent = [name for name in STANDARD if not (folder / name).is_file()]
    if absent:
        raise RuntimeError(f"Not written: {', '.join(absent)}.")
    best, criterion = run.state.best, run.state.criterion
    return (
        f"smoke test passed: {run.spec.data_name}, {run.state.evaluations} measurements, "
        f"{criterion.title} {criterion.text(best.mean)} with {int(best.mask.sum())} features, "
        f"{time.monotonic() - started:.1f} s"
    )


async def _until(window: MainWindow, condition: Callable[[], bool], event: str) -> None:
    deadline = time.monotonic() + _SECONDS
    while not condition():
        problems = [message.sentence for message in window.messages.messages if message.role == "error"]
        if problems:
            raise RuntimeError(problems[0])
        if time.monotonic() > deadline:
            raise RuntimeError(f"It took more than {_SECONDS:.0f} s until {event}.")
        await asyncio.sleep(0.02)
