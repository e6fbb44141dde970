"""A window on a real pool, without a screen and away from the user's folders; nothing may be left running."""

import asyncio
import gc
import inspect
import os
import threading
import time
import warnings
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import qasync
import shiboken6
from PySide6.QtCore import QLocale, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fsdesk.app.dialogs.dialog import WhereDialog
from fsdesk.app.session.session import Session
from fsdesk.app.style import Theme
from fsdesk.app.translation import use_language
from fsdesk.app.window import MainWindow
from fsdesk.app.workspace import PAGES
from fsdesk.engine import WorkerPool
from fsdesk.messages import in_language, language_named
from fsdesk.paths import Folders


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in the event loop of its window."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    values = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    driver = next(value for value in values.values() if isinstance(value, WindowDriver))
    driver.play(lambda: pyfuncitem.obj(**values))
    return True


class LentPool:
    """The pool of all tests: a window that closes gives it back instead of ending it."""

    def __init__(self, pool: WorkerPool) -> None:
        self.size = pool.size
        self.warm = pool.warm
        self.submit = pool.submit
        self.grow = pool.grow
        self._pool = pool

    @property
    def busy(self) -> int:
        return self._pool.busy

    def close(self) -> None:
        """Workers start slowly: the next test uses them again."""


@pytest.fixture(scope="session")
def workers() -> Iterator[WorkerPool]:
    pool = WorkerPool(2)
    pool.warm()
    yield pool
    pool.close()


@pytest.fixture(scope="session", autouse=True)
def known_ground() -> None:
    """What is there before a test need not be searched for timers after it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 5
    while (left := _left(before)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left, f"left running: {left}"
    gc.collect()
    timers = [each for each in gc.get_objects() if issubclass(type(each), QTimer)]  # dead proxies cannot be asked
    active = [each for each in timers if shiboken6.isValid(each) and each.isActive()]
    assert not active, f"timers left running: {[(each, each.parent()) for each in active]}"
    gc.freeze()  # modules and what they keep grow all the time


def _left(before: set[threading.Thread]) -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each not in before and not each.name.startswith("pool-")]


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """The window speaks German during a test."""
    use_language("de")
    yield
    use_language("en")
    QLocale.setDefault(QLocale.c())


@pytest.fixture
def themed(qapp: QApplication, tmp_path: Path) -> Iterator[None]:
    """The look of the program, for parts of it that are tested without a window around them."""
    theme = Theme(QSettings(str(tmp_path / "look.ini"), QSettings.Format.IniFormat))
    theme.apply()
    yield
    shiboken6.delete(theme)


@pytest.fixture
def messages_in_german() -> Iterator[None]:
    """Messages are translated into German, without a word to the windows of other tests, of which Qt keeps parts."""
    with in_language(language_named("de")):
        yield


class WindowDriver:
    """A window, and the event loop that serves all windows of a test."""

    def __init__(self, loop: qasync.QEventLoop, pool: LentPool, root: Path) -> None:
        self.root = root
        self.folders = Folders.under(root)
        self.folders.make()
        self.store = QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat)
        self.loop = loop
        self.store.setValue("setup/honest", "no")  # a test says where it wants five more searches after its own
        self.theme = Theme(self.store)
        self.theme.apply()
        self.window = MainWindow(Session(pool, self.folders, self.store), self.theme)
        self.session = self.window.session
        method = self.window.workspace.setup.method
        method.setCurrentIndex(method.findData("bspsa"))  # its steps can be counted, and it takes as few as one asks
        wrapper = self.window.workspace.setup.wrapper
        wrapper.setCurrentIndex(wrapper.findData("nn"))

    def play(self, scene: Callable[[], Coroutine[Any, Any, None]], seconds: float = 270) -> None:
        """Run a scene in the window's event loop."""
        self.window.show()
        self.loop.run_until_complete(asyncio.wait_for(scene(), seconds))

    async def until(self, condition: Callable[[], object], seconds: float = 240) -> None:
        """Wait while the window goes on living; a model may have to be compiled on a busy machine first.

        Where no run is at work the picture is whole afterwards: a click goes where it would for a person who looks.
        """
        deadline = time.monotonic() + seconds
        while not (condition() and self._drawn):
            assert time.monotonic() < deadline, f"waited in vain: {self._here}"
            await asyncio.sleep(0.02)

    @property
    def _here(self) -> str:
        shown = [message.sentence for message in self.window.messages.messages]
        asked = [notice.sentence for notice in self.window.notices.by_subject.values()]
        runs = [(run.phase, run.asked, run.state.evaluations, run.ended, run.broke) for run in self.session.runs]
        return f"{shown=}, {asked=}, {runs=}, drawn={self._drawn}, at work={self.session.tasks.working}"

    @property
    def _drawn(self) -> bool:
        workspace, runs = self.window.workspace, self.session.runs
        measured = runs.active or any(run.validation is not None for run in runs)
        shown = shiboken6.isValid(workspace) and workspace.has("search")
        return not shown or workspace.search.drawn or bool(measured)

    async def open_sample(self, name: str = "wine") -> None:
        """Click on a sample and wait until it can be searched."""
        self.child(QWidget, f"sample_{name}").click()  # type: ignore[attr-defined]
        self.add_to_project()
        await self.until(lambda: self.session.loader.dataset is not None)
        await self.until(lambda: not self.session.tasks.working)

    def add_to_project(self) -> None:
        """Answer the question where the runs of another table belong, if it is asked."""
        for dialog in self.window.findChildren(WhereDialog):
            if dialog.isVisible():
                dialog.findChild(QPushButton, "whereAdd").click()

    def child(self, kind: type[Any], name: str) -> Any:
        """A control by the name of its object."""
        found = self.window.findChild(kind, name)
        if found is None:
            self.make_pages()
            found = self.window.findChild(kind, name)
        assert found is not None, f"there is no {name}"
        return found

    def make_pages(self) -> None:
        """Make those that nobody has looked at yet, with all their controls."""
        for key in PAGES:
            self.window.workspace.page(key)

    @staticmethod
    @contextmanager
    def exceptions_are_meant() -> Iterator[None]:
        """For tests that break something on purpose: pytest-qt and pytest do not fail because of it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pytest.PytestUnhandledThreadExceptionWarning)
            warnings.simplefilter("ignore", pytest.PytestUnraisableExceptionWarning)
            yield

    def leave(self) -> None:
        """Close the session, then the window."""
        self.loop.run_until_complete(self.session.close())
        self.window.hide()
        shiboken6.delete(self.window)
        shiboken6.delete(self.theme)


@contextmanager
def window_loop(application: QApplication) -> Iterator[qasync.QEventLoop]:
    """One event loop for all windows of a test, as in the program: Qt serves the tasks of every loop that is open."""
    made = qasync.QEventLoop(application)
    yield made
    made.close()
    application.clipboard().clear()  # Qt would delete what a test copied after Python has ended, and crash


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[qasync.QEventLoop]:
    with window_loop(qapp) as made:
        yield made


@pytest.fixture
def driver(loop: qasync.QEventLoop, workers: WorkerPool, tmp_path: Path) -> Iterator[WindowDriver]:
    made = WindowDriver(loop, LentPool(workers), tmp_path)
    yield made
    made.leave()


@pytest.fixture(scope="module")
def window_with_a_run(
    qapp: QApplication, workers: WorkerPool, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[WindowDriver]:
    """A window in which the ``found`` of the file has made a run."""
    with window_loop(qapp) as loop:
        made = WindowDriver(loop, LentPool(workers), tmp_path_factory.mktemp("found"))
        made.play(lambda: request.module.found(made))
        gc.collect()
        gc.freeze()  # its timers are not left by a test
        made.window.hide()
        yield made
        made.leave()


@pytest.fixture
def run_driver(window_with_a_run: WindowDriver, qtbot: QtBot) -> Iterator[WindowDriver]:
    """The window with a run, for tests that leave both as they are: to make them takes seconds."""
    yield window_with_a_run
    window = window_with_a_run.window
    window.messages.dismiss_all()
    window.hide()  # shown anew, it has the focus
    qtbot.waitUntil(lambda: not any(each.isActive() for each in window.findChildren(QTimer)))  # of what was just shown


@pytest.fixture
def another_driver(
    loop: qasync.QEventLoop, workers: WorkerPool, tmp_path: Path
) -> Iterator[Callable[[], WindowDriver]]:
    made: list[WindowDriver] = []

    def make() -> WindowDriver:
        made.append(WindowDriver(loop, LentPool(workers), tmp_path / f"driver{len(made)}"))
        return made[-1]

    yield make
    for each in made:
        each.leave()
