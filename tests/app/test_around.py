"""Everything around the work: status bar, notifications, and errors from anywhere."""

import asyncio
import gc
import threading
import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices, QFileOpenEvent
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QSystemTrayIcon,
    QWidget,
)

from fsdesk.app.bars import memory
from fsdesk.app.session.background import exception_hooks
from fsdesk.app.start import FileOpener

from .conftest import WindowDriver

ROOT = Path(__file__).resolve().parents[2]


async def run_long(driver: WindowDriver, iterations: int = 100_000) -> None:
    await driver.open_sample("wine")
    driver.window.workspace.setup.method_form.put({"max_iterations": iterations, "stall_limit": iterations})
    driver.child(QPushButton, "runButton").click()
    await driver.until(
        lambda: driver.window.run_commands.shown and driver.window.run_commands.shown.state.evaluations > 0
    )


async def test_the_status_bar_counts_busy_workers_and_memory(driver: WindowDriver) -> None:
    load = driver.child(QWidget, "workers")
    await driver.until(lambda: load.text().startswith("2 workers free"))
    await run_long(driver, 3000)
    assert "of 2 workers busy" in load.text()
    load.measure()
    await driver.until(lambda: " MB" in load.text() or " GB" in load.text())
    assert "Runs in progress: 1." in load.toolTip()
    assert "for all workers" in load.toolTip()
    driver.window.actions_["stop"].trigger()
    await driver.until(lambda: load.text().startswith("2 workers free"))


def test_memory_is_that_of_the_process_and_its_workers(themed: None) -> None:
    used = memory()
    rss = psutil.Process().memory_info().rss
    assert 0.2 * rss < used.window <= 1.2 * rss
    assert used.workers > 0
    assert 0 < used.free < psutil.virtual_memory().total


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_end_of_a_long_run_is_told_where_one_looks_elsewhere(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    alerts: list[object] = []
    trays: list[str] = []
    window, clock, is_active, has_tray = driver.window, Clock(), False, True
    monkeypatch.setattr(QApplication, "alert", staticmethod(lambda *given: alerts.append(given)))
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: has_tray))
    monkeypatch.setattr(window.notifier, "show_in_tray", trays.append)
    monkeypatch.setattr(window, "isActiveWindow", lambda: is_active)
    window.notifier.clock = clock
    await driver.open_sample("wine")
    window.workspace.setup.method_form.put({"max_iterations": 200, "stall_limit": 200})

    async def told_after(seconds: float) -> str:
        """What is said of a run that took so long; "" where nothing is."""
        window.messages.dismiss_all()
        alerts.clear()
        trays.clear()
        request = window.workspace.setup.request.updated({"seed": len(list(driver.session.runs))})
        await driver.session.run(request)
        (*_, run) = driver.session.runs
        await driver.until(lambda: run.task is not None and run.state.evaluations)
        clock.now += seconds
        await driver.until(lambda: run.phase == "finished")
        said = " ".join(each.sentence for each in window.messages.messages if each.subject == "ended")
        assert bool(alerts) == bool(said)
        assert bool(trays) == (bool(said) and has_tray)
        return said

    assert "ended after 61 s" in await told_after(61)
    assert not await told_after(59)
    is_active = True
    assert not await told_after(61)
    is_active, has_tray = False, False  # the message and the task bar remain
    assert "67 min" in await told_after(4000)
    window.actions_["notify"].trigger()
    assert driver.store.value("notify/long runs", "yes") == "no"
    assert not await told_after(61)


async def test_many_long_runs_that_end_are_one_line_and_the_queue_makes_no_run_long(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, clock = driver.window, Clock()
    monkeypatch.setattr(QApplication, "alert", staticmethod(lambda *given: None))
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    window.notifier.clock = clock

    await driver.open_sample("wine")
    window.workspace.setup.method_form.put({"max_iterations": 200, "stall_limit": 200})
    driver.session.runs.most_at_once = 1
    request = window.workspace.setup.request
    await driver.session.run_actions.launch_all([request.updated({"seed": seed}) for seed in range(3)])
    first, second, third = driver.session.runs
    for run in (first, second):
        await driver.until(lambda run=run: run.task is not None and run.state.evaluations)
        clock.now += 70
        await driver.until(lambda run=run: run.phase == "finished")
    await driver.until(lambda: third.phase == "finished")
    (said,) = [each.sentence for each in window.messages.messages if each.subject == "ended"]
    assert said.startswith(f"2 runs have ended, most recently: {second.label} ended after 70 s: Error")


def raising(word: str) -> Callable[[], None]:
    def fail() -> None:
        raise ZeroDivisionError(word)

    return fail


def test_an_error_surfaces_as_a_message_wherever_it_happens(
    driver: WindowDriver, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(source: str) -> None:
        raising(source)()

    class Dropped:
        def __del__(self) -> None:
            raising("dropped")()

    async def scene(source: str) -> None:
        loop = asyncio.get_running_loop()
        with exception_hooks(driver.session.tasks, loop):
            if source == "slot":
                timer = QTimer(driver.window, singleShot=True, interval=0)
                timer.timeout.connect(raising(source))
                timer.start()
            elif source == "task":
                task = loop.create_task(broken(source))
                await asyncio.sleep(0.05)
                del task
                gc.collect()
            elif source == "callback":
                loop.call_soon(raising(source))
            elif source == "thread":
                thread = threading.Thread(target=raising(source))
                thread.start()
                thread.join()
            elif source == "errand":
                driver.session.tasks.begin(broken(source), "doing this")
            else:
                Dropped()
                gc.collect()
            await driver.until(lambda: driver.window.messages.messages)
        sentence = driver.window.messages.messages[0].sentence
        assert sentence.startswith("Something went wrong while")
        assert str(driver.folders.log_file) in sentence
        assert source in caplog.text
        caplog.clear()
        driver.window.messages.dismiss_all()

    for source in ("slot", "task", "callback", "thread", "errand", "dropped"):
        with driver.exceptions_are_meant():
            driver.play(partial(scene, source))


def kill_workers() -> None:
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # the child of another test that has just ended
            if "spawn_main" in " ".join(child.cmdline()):
                child.kill()


async def test_a_killed_worker_is_told_with_the_way_on_and_the_run_ends_the_same(driver: WindowDriver) -> None:
    await run_long(driver, 700)
    run = driver.window.run_commands.shown
    assert run is not None
    kill_workers()
    await driver.until(lambda: "queue" in driver.window.notices.by_subject)
    await driver.until(lambda: run.phase == "failed")
    assert "killed" in driver.window.notices.by_subject["queue"].sentence
    before = run.state.evaluations
    driver.child(QPushButton, "queueGoOn").click()
    await driver.until(lambda: run.phase == "finished")
    assert run.state.evaluations >= before
    assert not driver.window.notices.isVisible()


def test_a_run_whose_worker_was_killed_is_offered_by_the_next_window_though_this_one_closed_in_order(
    another_driver: Callable[[], WindowDriver],
) -> None:
    first, second = another_driver(), another_driver()
    kept = first.root / "kept.fsdesk"

    async def lose_the_worker() -> None:
        await run_long(first, 2000)
        run = first.window.run_commands.shown
        assert run is not None
        await first.session.save_as(kept)
        kill_workers()
        await first.until(lambda: run.broke and run.phase == "failed")
        await first.until(lambda: not first.session.tasks.working)

    first.play(lose_the_worker)
    first.loop.run_until_complete(first.session.close())

    async def go_on() -> None:
        second.window.open_path(kept)
        await second.until(lambda: "queue" in second.window.notices.by_subject)
        assert "1 unfinished run" in second.window.notices.by_subject["queue"].sentence
        second.child(QPushButton, "queueGoOn").click()
        (run,) = second.session.runs
        await second.until(lambda: run.phase == "finished")
        assert not second.window.notices.isVisible()

    second.play(go_on)


def test_who_leaves_a_run_whose_worker_was_killed_is_not_asked_again(
    another_driver: Callable[[], WindowDriver],
) -> None:
    first, second = another_driver(), another_driver()
    kept = first.root / "kept.fsdesk"

    async def leave_it() -> None:
        await run_long(first, 700)
        await first.session.save_as(kept)
        kill_workers()
        await first.until(lambda: "queue" in first.window.notices.by_subject)
        first.child(QPushButton, "queueForget").click()
        assert not first.window.notices.isVisible()
        await first.until(lambda: not first.session.tasks.working)

    first.play(leave_it)
    first.loop.run_until_complete(first.session.close())

    async def look() -> None:
        second.window.open_path(kept)
        await second.until(lambda: second.window.run_commands.shown)
        assert not second.window.notices.by_subject
        assert second.window.run_commands.shown is not None
        assert second.window.run_commands.shown.resumable  # by its own button

    second.play(look)


def test_a_look_for_a_newer_version_opens_the_page_where_versions_are_published_and_nothing_else(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda link: opened.append(link.toString()) or True)

    async def scene() -> None:
        assert opened == []  # only when asked
        driver.window.actions_["newer"].trigger()
        assert not driver.window.messages.messages

    driver.play(scene)
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Releases"]
    assert opened == [declared]


def test_a_file_that_comes_as_an_event_is_opened_as_on_macos(driver: WindowDriver, tmp_path: Path) -> None:
    table = tmp_path / "double-clicked.csv"
    table.write_text(
        "a,b,class\n" + "\n".join(f"{row},{row % 7},{'xy'[row % 2]}" for row in range(40)), encoding="utf-8"
    )
    opener = FileOpener(driver.window)
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(opener)

    async def scene() -> None:
        QApplication.sendEvent(application, QFileOpenEvent(str(table)))
        await driver.until(lambda: driver.window.session.loader.table is not None)
        assert "double-clicked" in driver.window.windowTitle()

    try:
        driver.play(scene)
    finally:
        application.removeEventFilter(opener)


async def test_where_nothing_shows_folders_the_window_says_where_the_log_is(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)

    driver.window.actions_["log"].trigger()
    said = [message.sentence for message in driver.window.messages.messages]
    assert said == [f'No program on this computer can show it. It is at "{driver.folders.logs}".']
