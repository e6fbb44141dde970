import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QSpinBox

from fsdesk.app.dialogs.dialog import CloseDialog
from fsdesk.engine import BatchMeasured, Ended

from .conftest import WindowDriver


def set_iterations(driver: WindowDriver, iterations: int, stall_limit: int | None = None) -> None:
    driver.child(QSpinBox, "method_max_iterations").setValue(iterations)
    driver.child(QSpinBox, "method_stall_limit").setValue(stall_limit or iterations)


async def run_to_the_end(driver: WindowDriver, iterations: int) -> None:
    set_iterations(driver, iterations)
    before = driver.window.run_commands.shown
    QTest.keyClick(driver.child(QPushButton, "runButton"), Qt.Key.Key_Return)
    await driver.until(lambda: driver.window.run_commands.shown is not before)
    await driver.until(lambda: driver.window.run_commands.shown.phase == "finished")  # type: ignore[union-attr]


async def test_run_draws_the_search_exports_it_and_its_features_are_found_by_name(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 20)
    search, run = driver.window.workspace.search, driver.window.run_commands.shown
    assert run is not None
    assert run.state.evaluations == 2 + 19 * 3 + 1  # two probes, 19 steps of three, the last candidate
    await driver.until(lambda: search.errors.points == 20)
    assert run.state.best is not None
    selected = int(run.state.best.mask.sum())
    await driver.until(lambda: search.features.model.rowCount() == selected)
    assert search.figures.seen.text().startswith("On the rows used for selection")
    assert driver.window.workspace.pages.currentWidget() is search

    driver.window.actions_["copy"].trigger()
    assert sorted(QGuiApplication.clipboard().text().split("\n")) == sorted(search.features.names())

    target = driver.root / "taken home"
    driver.window.actions_["export"].trigger()
    driver.child(QLineEdit, "exportFolder").setText(str(target))
    assert driver.child(QCheckBox, "export_report.html").isChecked()
    driver.child(QPushButton, "exportNow").click()
    await driver.until(lambda: any(each.role == "success" for each in driver.window.messages.messages))
    names = {path.name for path in target.iterdir()}
    assert names == {"mask.csv", "selected.txt", "result.json", "report.html"}
    selected = (target / "selected.txt").read_text(encoding="utf-8").split("\n")
    assert sorted(filter(None, selected)) == sorted(search.features.names())

    first = search.features.names()[0]
    QTest.keyClicks(search.features.search, first)
    assert first in search.features.names()
    assert all(first.lower() in name.lower() for name in search.features.names())


def test_pause_holds_and_stop_can_be_resumed_to_the_same_end(driver: WindowDriver) -> None:
    async def scene() -> None:
        await driver.open_sample("wine")
        set_iterations(driver, 400)
        QTest.keyClick(driver.window, Qt.Key.Key_F5)
        control = driver.window.run_commands
        await driver.until(lambda: control.shown and control.shown.state.evaluations > 0)
        run = control.shown
        assert run is not None
        driver.window.actions_["pause"].trigger()
        assert run.phase == "paused"
        await driver.until(lambda: still(run.state.evaluations))
        driver.window.actions_["pause"].trigger()
        assert run.phase == "running"
        driver.window.actions_["stop"].trigger()
        await driver.until(lambda: run.phase == "stopped")
        stopped_at = run.state.evaluations
        assert stopped_at < run.measurements
        driver.window.actions_["pause"].trigger()  # now it says Resume
        await driver.until(lambda: run.phase == "finished")
        assert run.state.evaluations > stopped_at

        driver.window.actions_["run"].trigger()  # the very same once more, which is asked for
        await driver.until(lambda: driver.window.findChild(QPushButton, "twinAgain"))
        driver.child(QPushButton, "twinAgain").click()
        await driver.until(lambda: control.shown is not run and control.shown is not None)
        unbroken = control.shown
        assert unbroken is not None
        await driver.until(lambda: unbroken.phase == "finished")
        assert unbroken.state.best is not None
        assert run.state.best is not None
        assert (unbroken.state.best.mask == run.state.best.mask).all()
        assert unbroken.state.best.mean == run.state.best.mean

    seen: list[int] = []

    def still(evaluations: int) -> bool:
        seen.append(evaluations)
        return len(seen) > 25 and len(set(seen[-20:])) == 1

    driver.play(scene)


def test_a_project_opened_again_shows_everything_again(another_driver: Callable[[], WindowDriver]) -> None:
    first, second = another_driver(), another_driver()
    kept = first.root / "kept.fsdesk"
    seen: list[float] = []

    async def make() -> None:
        await first.open_sample("wine")
        await run_to_the_end(first, 10)
        await first.session.save_as(kept)
        run = first.window.run_commands.shown
        assert run is not None
        assert run.state.best is not None
        seen.append(run.state.best.mean)

    async def look() -> None:
        second.window.open_path(kept)
        await second.until(
            lambda: second.session.loader.dataset is not None and second.window.run_commands.shown is not None
        )
        run = second.window.run_commands.shown
        assert run is not None
        assert run.state.best is not None
        assert run.state.best.mean == seen[0]
        assert run.phase == "finished"
        assert second.window.workspace.search.errors.points == 10
        assert second.window.workspace.run.isEnabled()
        await second.until(lambda: second.window.workspace.data.preview_model.columnCount() == 14)
        await run_to_the_end(second, 5)
        assert len(list(second.session.runs)) == 2

    first.play(make)
    first.loop.run_until_complete(first.session.leave_project())
    second.play(look)


def test_closing_while_a_run_goes_on_says_so_and_keeps_it(another_driver: Callable[[], WindowDriver]) -> None:
    first, second = another_driver(), another_driver()
    paths: list[Path] = []

    async def make() -> None:
        await first.open_sample("wine")
        set_iterations(first, 100_000)
        first.window.actions_["run"].trigger()
        await first.until(
            lambda: first.window.run_commands.shown and first.window.run_commands.shown.state.evaluations > 0
        )
        assert first.session.project is not None
        paths.append(first.session.project.path)
        first.window.closeEvent(QCloseEvent())
        assert "resume" in first.child(CloseDialog, "closeDialog").words.text()
        gone: list[bool] = []
        first.window.closed.connect(lambda: gone.append(True))
        first.child(QPushButton, "closeLeave").click()
        await first.until(lambda: gone)

    async def look() -> None:
        second.window.open_path(paths[0])
        await second.until(lambda: second.window.run_commands.shown is not None)
        run = second.window.run_commands.shown
        assert run is not None
        assert run.phase == "stopped"
        assert run.resumable
        assert run.state.evaluations > 0

    first.play(make)
    second.play(look)


async def test_a_project_is_closed_with_its_table_and_nothing_is_lost(driver: WindowDriver) -> None:
    window, session, actions = driver.window, driver.session, driver.window.actions_
    assert not actions["new_project"].isEnabled()
    assert not actions["close_project"].isEnabled()
    await driver.open_sample("wine")
    set_iterations(driver, 100_000)
    actions["run"].trigger()
    await driver.until(lambda: window.run_commands.shown and window.run_commands.shown.state.evaluations > 0)
    assert session.project is not None
    path = session.project.path
    actions["close_project"].trigger()
    assert "resume" in driver.child(CloseDialog, "closeDialog").words.text()
    driver.child(QPushButton, "closeStay").click()
    assert session.project is not None  # the run goes on
    actions["close_project"].trigger()
    box = next(box for box in window.findChildren(CloseDialog) if box.isVisible())
    assert box.windowTitle() == "Close project"
    box.findChild(QPushButton, "closeLeave").click()
    await driver.until(lambda: window.stack.currentWidget() is window.welcome and not session.tasks.working)
    assert session.project is None
    assert session.loader.table is None
    assert session.loader.dataset is None
    assert not list(session.runs)
    assert window.run_commands.shown is None
    assert window.windowTitle() == "fsdesk"
    assert not window.pages.isEnabled()
    assert not actions["run"].isEnabled()
    assert not actions["close_project"].isEnabled()
    window.open_path(path)
    await driver.until(lambda: window.run_commands.shown is not None)
    assert window.run_commands.shown.resumable
    assert window.run_commands.shown.state.evaluations > 0


async def test_a_new_project_keeps_the_table_and_the_next_run_makes_another_file(driver: WindowDriver) -> None:
    window, session = driver.window, driver.session
    await driver.open_sample("wine")
    await run_to_the_end(driver, 20)
    assert session.project is not None
    path = session.project.path
    driver.store.setValue("window/close without a name", "never")
    window.actions_["new_project"].trigger()
    await driver.until(lambda: session.project is None and not session.tasks.working)
    assert not list(session.runs)
    assert session.loader.dataset is not None
    assert window.workspace.pages.currentWidget() is window.workspace.data
    (said,) = sentences(driver)
    assert said.startswith('The new project begins with "wine"')
    path.rename(path.with_name("kept.fsdesk"))  # names of projects hold the second
    await run_to_the_end(driver, 20)
    assert session.project is not None
    assert [run.id for run in session.runs] == [1]
    assert not sentences(driver)


async def test_a_table_from_a_project_is_not_said_to_be_of_the_new_one(driver: WindowDriver) -> None:
    window, session = driver.window, driver.session
    await driver.open_sample("wine")
    await run_to_the_end(driver, 20)
    path = driver.root / "kept.fsdesk"
    await session.save_as(path)
    await session.leave_project()
    kept = window.workspace.data.columns.kept
    assert kept.isHidden()  # the sample was opened itself
    window.open_path(path)
    await driver.until(lambda: kept.text().startswith("From the project.") and not session.tasks.working)
    window.actions_["new_project"].trigger()
    await driver.until(lambda: session.project is None and not session.tasks.working)
    assert kept.text().startswith("From the previous project.")
    await driver.open_sample("wine")
    await driver.until(kept.isHidden)


async def test_more_folds_than_rows_are_refused_beside_the_run_button_before_a_run(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    estimate, run = driver.window.workspace.setup.estimate, driver.child(QPushButton, "runButton")
    driver.child(QSpinBox, "measure_folds").setValue(500)
    assert estimate.most.text() == "These settings cannot be used"
    assert estimate.time.text() == '"wine" has 178 rows, too few for 500 folds. Use at most 178 folds, or add rows.'
    run.click()
    assert sentences(driver) == [estimate.time.text()]
    await driver.until(lambda: not driver.session.tasks.working)
    assert not list(driver.session.runs)  # nothing was begun
    driver.child(QSpinBox, "measure_folds").setValue(10)
    assert estimate.most.text() != "These settings cannot be used"


async def test_too_few_groups_for_the_folds_are_said_before_the_run(driver: WindowDriver) -> None:
    await open_clinics(driver)
    panel = driver.window.workspace.setup
    driver.session.loader.choose(replace(driver.session.loader.choices, group="clinic"))
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    assert panel.estimate.time.text().startswith('"clinics" has 4 groups, too few for 5 folds. Use at most 4 folds')
    driver.child(QSpinBox, "measure_folds").setValue(4)
    assert not panel.refusal


async def open_clinics(driver: WindowDriver) -> None:
    """Forty samples of two classes from four clinics."""
    path = driver.root / "clinics.csv"
    rows = [f"{row * 7 % 11},{row * 5 % 13},c{row // 10},{'ab'[row % 2]}" for row in range(40)]
    path.write_text("\n".join(["x1,x2,clinic,kind", *rows]), encoding="utf-8")
    driver.window.open_path(path)
    driver.add_to_project()
    loader = driver.session.loader
    await driver.until(lambda: loader.path == path and loader.dataset is not None and not driver.session.tasks.working)


def sentences(driver: WindowDriver) -> list[str]:
    return [each.sentence for each in driver.window.messages.messages]


async def test_messages_of_a_table_go_when_another_table_is_opened_or_the_project_is_closed(
    driver: WindowDriver,
) -> None:
    window, session = driver.window, driver.session
    await open_clinics(driver)
    session.tasks.say("error", "Automatic (clinics): it failed.", "run 7")
    session.tasks.say("info", "Restart fsdesk to switch to German.", "language")
    session.loader.choose(replace(session.loader.choices, ignore=("x2",)))
    await driver.until(lambda: session.loader.dataset is not None and not session.tasks.working)
    assert "Automatic (clinics): it failed." in sentences(driver)  # the same table
    await driver.open_sample("wine")
    assert sentences(driver) == ["Restart fsdesk to switch to German."]
    await run_to_the_end(driver, 20)
    session.tasks.say("error", "BSPSA (wine): it failed.", "run 7")
    kept = driver.root / "kept.fsdesk"
    await session.save_as(kept)
    assert "BSPSA (wine): it failed." in sentences(driver)  # the same project
    await session.leave_project()
    assert sentences(driver) == ["Restart fsdesk to switch to German."]
    window.messages.dismiss_all()


async def test_a_run_removes_the_failure_of_an_earlier_run_of_the_same_table(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 20)
    (run,) = driver.session.runs
    run.state.status = "failed"
    driver.session.runs.failed.emit((run, Ended("failed", "it failed")))
    driver.session.tasks.say("info", "Something else.", "start of something else")
    assert any("it failed" in sentence for sentence in sentences(driver))
    await run_to_the_end(driver, 30)
    assert not any("it failed" in sentence for sentence in sentences(driver))
    assert "Something else." in sentences(driver)


async def test_on_a_full_disk_the_run_pauses_and_goes_on_by_itself_when_there_is_room(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, opened = sqlite3.connect, {}

    def connected(address: str, **options: Any) -> sqlite3.Connection:
        opened[address] = connect(address, **options)
        return opened[address]

    monkeypatch.setattr(sqlite3, "connect", connected)
    await driver.open_sample("wine")
    set_iterations(driver, 3000)
    driver.child(QPushButton, "runButton").click()
    control = driver.window.run_commands
    await driver.until(lambda: control.shown and control.shown.state.evaluations > 0)
    run, project = control.shown, driver.session.project
    assert run is not None
    assert project is not None
    connection = opened[f"{project.path.as_uri()}?mode=rwc"]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLite then answers as on a full disk
    await driver.until(lambda: any("is full" in each.sentence for each in driver.window.messages.messages))
    assert run.phase == "paused"
    driver.child(QPushButton, "runButton").click()  # one more waits
    await driver.until(lambda: not driver.session.tasks.working)
    logged = sum(1 for _ in project.events(run.id))
    assert logged > 0
    connection.execute("PRAGMA max_page_count = 1000000")
    await driver.until(lambda: any("Saving works again" in each.sentence for each in driver.window.messages.messages))
    await driver.until(lambda: sum(1 for _ in project.events(run.id)) > logged + 60)
    assert run.phase == "running"
    driver.window.actions_["stop"].trigger()
    driver.session.runs.stop_all()
    await driver.until(lambda: run.phase == "stopped")
    assert project.state(run.id).evaluations == run.state.evaluations
    numbers = [event.number for event in project.events(run.id) if isinstance(event, BatchMeasured)]
    assert numbers == sorted(set(numbers))
    assert run.resumable
