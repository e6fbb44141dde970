"""A window that was killed: the next one offers to go on, remembers the answer, and loses nothing. With real kills."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QPushButton

from fsdesk.app.dialogs.dialog import CloseDialog
from fsdesk.app.recovery import Autosave, left_behind

from .conftest import WindowDriver
from .test_open import write_table
from .test_run import run_to_the_end

WINDOW = """
import asyncio, sys
from pathlib import Path
import qasync
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from fsdesk.paths import Folders
from fsdesk.app.start import make_window

async def scene(window, table):
    window.prepare()
    window.start_autosave()
    if table:
        window.open_path(Path(table))
    else:
        window.open_sample("wine")
    while window.session.loader.dataset is None or window.session.tasks.working:
        await asyncio.sleep(0.01)
    if not table:
        asked = {"method": "bspsa", "settings": {"max_iterations": 900, "stall_limit": 900}}
        await window.session.run(window.workspace.setup.request.updated(asked))
        run = next(iter(window.session.runs))
        while run.state.evaluations < 150:
            await asyncio.sleep(0.01)
    window.session.tasks.disk.submit(int).result()
    print("ready", flush=True)
    await asyncio.sleep(600)

if __name__ == "__main__":
    root = Path(sys.argv[1])
    application = QApplication([])
    folders = Folders.under(root)
    folders.make()
    window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
    window.show()
    with qasync.QEventLoop(application) as loop:
        loop.run_until_complete(scene(window, sys.argv[2]))
"""


def killed_window(root: Path, table: str = "") -> None:
    script = root.parent / "window.py"
    script.write_text(WINDOW)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, str(script), str(root), table]
    window = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert window.stdout is not None
    assert window.stdout.readline() == "ready\n"
    window.kill()
    window.wait()
    window.stdout.close()


@pytest.fixture(scope="module")
def killed_in_a_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of a window that was killed in the middle of a run."""
    root = tmp_path_factory.mktemp("in_a_run") / "root"
    root.mkdir()
    killed_window(root)
    return root


@pytest.fixture(scope="module")
def killed_with_a_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of a window that was killed with ``small.csv`` beside them open."""
    root = tmp_path_factory.mktemp("with_a_table") / "root"
    root.mkdir()
    killed_window(root, str(write_table(root.parent)))
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "driver0"  # where another_driver has its first one


def left_by(killed: Path, root: Path) -> None:
    """What a killed window left, as if it had been in these folders, just now."""
    shutil.copytree(killed, root, dirs_exist_ok=True)
    for path in (killed / "settings.ini", *killed.rglob("*.json*")):
        text = path.read_text(encoding="utf-8").replace(str(killed), str(root))
        (root / path.relative_to(killed)).write_text(text, encoding="utf-8")


def test_the_runs_of_a_killed_window_are_offered_and_resumed(
    root: Path, killed_in_a_run: Path, another_driver: Callable[[], WindowDriver]
) -> None:
    left_by(killed_in_a_run, root)
    driver = another_driver()

    async def scene() -> None:
        driver.window.start_autosave()
        await driver.until(lambda: "recovery" in driver.window.notices.by_subject)
        said = driver.window.notices.by_subject["recovery"].sentence
        assert "wine" in said
        assert "BSPSA" in said
        assert "of at most 2,701 measurements" in said
        driver.child(QPushButton, "recoverResume").click()
        await driver.until(
            lambda: driver.window.run_commands.shown is not None and driver.window.run_commands.shown.active
        )
        run = driver.window.run_commands.shown
        assert run is not None
        assert run.state.evaluations >= 150  # nothing that was logged is measured again
        panel = driver.window.workspace.setup
        assert run.wanted.outer == (run.spec.usual_outer_folds if panel.estimate.honest.isChecked() else 0)
        assert panel.method.currentData() == "bspsa"  # the settings are those of the run
        assert panel.method_form.values()["max_iterations"] == panel.method_form.values()["stall_limit"] == 900
        assert not driver.session.history.canUndo()  # nobody asked for them
        await driver.until(lambda: run.phase == "finished")
        assert not driver.window.notices.isVisible()
        assert driver.window.autosave is not None
        driver.window.autosave.end()
        assert not list(driver.folders.autosaves.iterdir())  # never offered again

    driver.play(scene)


def test_not_now_is_remembered_and_the_project_stays_among_the_recent(
    root: Path, killed_in_a_run: Path, another_driver: Callable[[], WindowDriver]
) -> None:
    left_by(killed_in_a_run, root)
    driver = another_driver()

    async def scene() -> None:
        await driver.window.recovery.offer()
        driver.child(QPushButton, "recoverNotNow").click()
        assert not driver.window.notices.isVisible()
        await driver.window.recovery.offer()
        assert not driver.window.notices.by_subject
        (project,) = driver.session.recent.paths()
        assert project.parent == driver.folders.projects
        driver.window.open_path(project)
        await driver.until(lambda: driver.window.run_commands.shown is not None)
        assert driver.window.run_commands.shown is not None
        assert driver.window.run_commands.shown.resumable

    driver.play(scene)


def test_a_project_that_is_opened_by_hand_is_offered_once_and_resumed_once(
    root: Path, killed_in_a_run: Path, another_driver: Callable[[], WindowDriver]
) -> None:
    left_by(killed_in_a_run, root)
    driver = another_driver()

    async def scene() -> None:
        await driver.window.recovery.offer()
        assert set(driver.window.notices.by_subject) == {"recovery"}
        (project,) = driver.session.recent.paths()
        driver.window.open_path(project)
        await driver.until(lambda: "queue" in driver.window.notices.by_subject)
        assert set(driver.window.notices.by_subject) == {"queue"}
        assert not list(left_behind(driver.folders.autosaves))
        (run,) = driver.session.runs
        button = driver.child(QPushButton, "queueGoOn")
        button.click()
        button.click()  # while the first click is being served
        await driver.until(lambda: run.active and not driver.session.tasks.working)
        assert driver.session.runs.busy + len(driver.session.runs.waiting) == 1
        await driver.until(lambda: run.phase == "finished")

    driver.play(scene)


def test_resuming_asks_no_second_time_and_another_killed_window_waits_for_the_next(
    root: Path, killed_in_a_run: Path, killed_with_a_table: Path, another_driver: Callable[[], WindowDriver]
) -> None:
    left_by(killed_with_a_table, root)
    for path in root.rglob("*.json.lock"):
        os.utime(path, (0, 0))
    left_by(killed_in_a_run, root)  # the newest is offered first
    driver = another_driver()

    async def scene() -> None:
        told: list[str] = []
        add = driver.window.notices.add
        driver.window.notices.add = lambda subject, *rest: (told.append(subject), add(subject, *rest))
        await driver.window.recovery.offer()
        driver.child(QPushButton, "recoverResume").click()
        await driver.until(
            lambda: driver.window.run_commands.shown and driver.window.run_commands.shown.phase == "finished"
        )
        assert set(told) == {"recovery"}
        assert not driver.window.notices.by_subject
        ((_, left),) = left_behind(driver.folders.autosaves)
        assert Path(left.table).name == "small.csv"

    driver.play(scene)


def test_the_table_of_a_killed_window_is_opened_again(
    root: Path, killed_with_a_table: Path, another_driver: Callable[[], WindowDriver]
) -> None:
    table = killed_with_a_table.with_name("small.csv")
    left_by(killed_with_a_table, root)
    driver = another_driver()

    async def scene() -> None:
        await driver.window.recovery.offer()
        assert "small.csv" in driver.window.notices.by_subject["recovery"].sentence
        driver.child(QPushButton, "recoverShow").click()
        await driver.until(lambda: driver.session.loader.dataset is not None)
        assert driver.session.loader.path == table

    driver.play(scene)


def test_a_table_that_is_open_already_is_not_offered(
    root: Path, killed_with_a_table: Path, another_driver: Callable[[], WindowDriver]
) -> None:
    table = killed_with_a_table.with_name("small.csv")
    left_by(killed_with_a_table, root)
    driver = another_driver()

    async def scene() -> None:
        await driver.window.recovery.offer()
        assert "recovery" in driver.window.notices.by_subject
        driver.window.open_path(table)
        await driver.until(lambda: driver.session.loader.dataset is not None)
        assert not driver.window.notices.by_subject

    driver.play(scene)


async def test_a_window_that_closes_in_order_leaves_no_note_and_one_that_is_open_is_not_offered(
    driver: WindowDriver,
) -> None:
    await driver.open_sample("wine")
    note = Autosave(driver.session, lambda: "")
    note.keep()
    assert not list(left_behind(driver.folders.autosaves))
    note.end()
    assert not list(driver.folders.autosaves.iterdir())


async def test_a_note_that_tells_nothing_is_taken_away(driver: WindowDriver) -> None:
    for content in ("", "{", '{"strange": 1}', '{"table": "/nowhere/gone.csv"}', "[]"):
        (driver.folders.autosaves / "a.json").write_text(content)
        (driver.folders.autosaves / "a.json.lock").write_text(json.dumps({"pid": 1, "host": "x", "since": ""}))
        await driver.window.recovery.offer()
        assert not driver.window.notices.by_subject, content
        assert not list(driver.folders.autosaves.iterdir()), content


async def test_closing_a_project_without_a_name_says_where_it_is_kept_and_offers_one(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 5)
    driver.window.closeEvent(QCloseEvent())
    box = driver.child(CloseDialog, "closeDialog")
    assert driver.session.project is not None
    assert str(driver.session.project.path) in box.words.text()
    driver.child(QPushButton, "closeSave").click()
    files = driver.child(QFileDialog, "fileDialog")
    assert [Path(name).name for name in files.selectedFiles()] == ["wine.fsdesk"]  # a name is proposed
    await driver.until(files.isVisible)
    QTest.keyClicks(files.findChild(QLineEdit, "fileNameEdit"), "mine")
    assert [Path(name).name for name in files.selectedFiles()] == ["mine.fsdesk"]  # one types another
    kept = driver.root / "of my own.fsdesk"
    gone: list[bool] = []
    driver.window.closed.connect(lambda: gone.append(True))
    files.fileSelected.emit(str(kept))
    await driver.until(lambda: gone)
    assert kept.is_file()


async def test_one_may_ask_not_to_be_asked(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 5)
    driver.window.closeEvent(QCloseEvent())
    driver.child(QCheckBox, "closeNever").click()
    driver.child(QPushButton, "closeStay").click()
    assert driver.store.value("window/close without a name", "") == ""  # a cancelled dialog changes nothing
    gone: list[bool] = []
    driver.window.closed.connect(lambda: gone.append(True))
    driver.store.setValue("window/close without a name", "never")
    driver.window.closeEvent(QCloseEvent())
    await driver.until(lambda: gone)
