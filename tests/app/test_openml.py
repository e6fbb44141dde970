"""OpenML in the window and on the command line, without a network."""

import asyncio
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from socket import gaierror
from typing import Any
from urllib.error import URLError

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QProgressBar, QPushButton

from fsdesk.app.dialogs.remote import OpenmlDialog
from fsdesk.app.session.table_loader import downloads
from fsdesk.app.start import make_window
from fsdesk.cli import invoke
from fsdesk.data.readers import openml
from fsdesk.engine import Ended
from fsdesk.errors import UserError
from fsdesk.paths import Folders

from .conftest import WindowDriver

ROWS = "".join(f"p{row},{row % 7},{row * 17 % 11},{'herb' if row % 2 else 'tree'}\n" for row in range(40))
ARFF = (
    "@relation plants\n@attribute plant string\n@attribute length numeric\n@attribute width numeric\n"
    f"@attribute kind {{herb, tree}}\n@data\n{ROWS}"
).encode()
ABOUT = (
    b'{"data_set_description": {"id": "7", "name": "plants", "format": "ARFF", "url": "https://x.org/plants.arff", '
    b'"default_target_attribute": "kind", "ignore_attribute": "plant"}}'
)
FOUND = b'{"data": {"dataset": [{"did": 7, "name": "plants", "version": 1, "status": "active"}]}}'
Opener = Callable[[str], AbstractContextManager[Any]]


class Answer(io.BytesIO):
    def getheader(self, name: str, default: str) -> str:
        return str(len(self.getvalue())) if name == "Content-Length" else default

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or -1, 64))  # many pieces


def server(url: str) -> Answer:
    if "data_name/plants" in url:
        return Answer(FOUND)
    return Answer(ARFF if url.endswith(".arff") else ABOUT)


class ThreadPool:
    """Tasks in a thread of this process, where a test can stand in for the network."""

    size = 1
    busy = 0

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def warm(self) -> None:
        """There is nothing to start."""

    def grow(self, size: int) -> None:
        """One thread is enough."""

    def close(self) -> None:
        """There is nothing to end."""

    def pause(self) -> None:
        """A download is not paused."""

    def resume(self) -> None:
        """A download is not paused."""

    def stop(self) -> None:
        self.stopped.set()

    def halts(self) -> bool:
        return self.stopped.is_set()

    def should_stop(self) -> bool:
        return self.stopped.is_set()

    def submit(
        self,
        function: Callable[..., Iterator[Any]],
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> "ThreadPool":
        def work() -> None:
            try:
                for message in function(self, *arguments):
                    on_message(message)
            except UserError as error:
                on_end(Ended("failed", str(error)))
            else:
                on_end(Ended("stopped" if self.should_stop() else "done"))

        threading.Thread(target=work, daemon=True).start()
        return self


@pytest.fixture
def offering(driver: WindowDriver) -> WindowDriver:
    driver.session.tasks.pool = ThreadPool()
    return driver


async def ask_for(driver: WindowDriver, wanted: str) -> OpenmlDialog:
    """Click the link of the first screen, type, press Return."""
    QTest.mouseClick(driver.child(QPushButton, "welcomeOpenml"), Qt.MouseButton.LeftButton)
    dialog: OpenmlDialog = driver.child(OpenmlDialog, "openmlDialog")
    assert not driver.child(QPushButton, "openmlOpen").isEnabled()  # nothing is asked for yet
    field = driver.child(QLineEdit, "openmlWanted")
    QTest.keyClicks(field, wanted)
    QTest.keyClick(field, Qt.Key.Key_Return)
    await asyncio.sleep(0)
    return dialog


def test_a_name_is_downloaded_with_progress_and_opened_with_its_own_target(
    offering: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openml, "open_encrypted", server)
    shown: list[int] = []

    async def scene() -> None:
        await ask_for(offering, "plants")
        offering.child(QProgressBar, "openmlProgress").valueChanged.connect(shown.append)
        await offering.until(lambda: offering.session.loader.dataset is not None)
        await offering.until(lambda: not offering.session.tasks.working)
        dataset = offering.session.loader.dataset
        assert dataset is not None
        assert dataset.target_name == "kind"
        assert dataset.features == ("length", "width")  # OpenML says that "plant" is to be ignored
        assert offering.window.findChild(OpenmlDialog, "openmlDialog") is None
        assert offering.window.stack.currentWidget() is offering.window.workspace

    offering.play(scene)
    assert len(set(shown)) > 2
    assert max(shown) == 1000
    assert (downloads(offering.folders) / "data-7.arff").read_bytes() == ARFF


async def test_a_data_set_that_is_kept_opens_in_a_worker_without_a_network(driver: WindowDriver) -> None:
    folder = downloads(driver.folders)
    folder.mkdir()
    (folder / "data-7.json").write_bytes(ABOUT)
    (folder / "data-7.arff").write_bytes(ARFF)

    await ask_for(driver, "7")
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert driver.session.loader.table is not None
    assert driver.session.loader.table.source.startswith("OpenML, number 7")
    await driver.until(lambda: not driver.session.tasks.working)


async def test_without_a_connection_the_dialog_says_so_and_stays(
    offering: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(url: str) -> Answer:
        raise URLError(gaierror(-2, "Name or service not known"))

    monkeypatch.setattr(openml, "open_encrypted", broken)

    dialog = await ask_for(offering, "plants")
    trouble = offering.child(QLabel, "openmlTrouble")
    await offering.until(trouble.isVisible)
    assert trouble.text() == (
        "OpenML cannot be reached (its address cannot be resolved); check the internet connection, or open a "
        "table from a file."
    )
    assert dialog.isVisible()
    layout = dialog.layout()
    assert layout is not None
    await offering.until(lambda: dialog.height() == layout.heightForWidth(dialog.width()))  # no empty room
    assert not offering.window.messages.messages
    assert offering.child(QPushButton, "openmlOpen").isEnabled()
    assert not offering.child(QProgressBar, "openmlProgress").isVisible()
    dialog.reject()


@pytest.mark.parametrize("by_key", [False, True], ids=["Cancel", "Esc"])
async def test_a_download_can_be_cancelled_and_nothing_is_opened(
    offering: WindowDriver, monkeypatch: pytest.MonkeyPatch, by_key: bool
) -> None:
    go_on = threading.Event()

    def slow(url: str) -> Answer:
        if url.endswith(".arff"):
            go_on.wait(20)
        return server(url)

    monkeypatch.setattr(openml, "open_encrypted", slow)

    dialog = await ask_for(offering, "7")
    await offering.until(lambda: "Downloading" in dialog.status.text())
    if by_key:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
        await offering.until(lambda: dialog.wanted.isEnabled())
        assert "stopped" in dialog.status.text()
        assert dialog.isVisible()
        dialog.reject()
    await offering.until(lambda: not offering.session.tasks.working)
    assert isinstance(offering.session.tasks.pool, ThreadPool)
    assert offering.session.tasks.pool.stopped.is_set()
    go_on.set()
    await asyncio.sleep(0.1)
    assert offering.session.loader.table is None
    assert not (downloads(offering.folders) / "data-7.arff").exists()


def test_the_started_window_offers_openml_in_its_menu_and_on_its_first_screen(
    qapp: QApplication, tmp_path: Path
) -> None:
    folders = Folders.under(tmp_path)
    folders.make()
    window = make_window(folders, QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    files = window.menuBar().actions()[0].menu()
    assert [action.objectName() for action in files.actions()][:2] == ["action_open", "action_openml"]
    assert window.findChild(QPushButton, "welcomeOpenml") is not None
    window.session.tasks.disk.shutdown()
    window.deleteLater()


def test_the_command_line_runs_a_data_set_of_openml_by_name_and_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(openml, "open_encrypted", server)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    assert invoke(["run", "openml:plants", "--method", "full"]) == 0
    assert "length" in (tmp_path / "openml-plants-full" / "mask.csv").read_text(encoding="utf-8")
    assert "plant\n" not in (tmp_path / "openml-plants-full" / "selected.txt").read_text(encoding="utf-8")

    def never(url: str) -> Answer:
        raise AssertionError(url)

    monkeypatch.setattr(openml, "open_encrypted", never)  # what was downloaded is kept
    assert invoke(["run", "openml:7", "--method", "full", "--out", "seven"]) == 0
    assert "2 of 2 features" in capsys.readouterr().out


def test_the_command_line_says_in_one_sentence_that_openml_cannot_be_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(url: str) -> Answer:
        raise URLError(gaierror(-2, "Name or service not known"))

    monkeypatch.setattr(openml, "open_encrypted", broken)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    assert invoke(["run", "openml:plants"]) == 2
    assert "fsdesk: OpenML cannot be reached (its address cannot be resolved)" in capsys.readouterr().err
    assert invoke(["run", "openml:plants", "--read", "header=no"]) == 2
    assert "--read" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
