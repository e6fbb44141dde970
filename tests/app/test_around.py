"""Everything around the work: status bar, notifications, errors from anywhere, tour, keys, help and versions."""

import asyncio
import gc
import threading
from collections.abc import Callable
from typing import Any

import psutil
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QPushButton,
    QSystemTrayIcon,
    QTextBrowser,
    QTreeWidget,
    QWidget,
)

from fsdesk.app.frame.about import packages
from fsdesk.app.frame.actions import COMMANDS
from fsdesk.app.frame.explaining import DESK_PAGES, title_of
from fsdesk.app.frame.keys_dialog import key_sheet
from fsdesk.app.frame.load import memory
from fsdesk.app.frame.openml_dialog import offer_openml
from fsdesk.app.frame.tour import Tour, offer_tour
from fsdesk.app.look.parts import Card
from fsdesk.app.work.surfacing import surfaced
from fsdesk.pages import resource

from .conftest import Desk


async def run_long(desk: Desk, iterations: int = 100_000) -> None:
    await desk.open_sample("wine")
    desk.window.bench.setup.method_form.put({"max_iterations": iterations, "stall_limit": iterations})
    desk.child(QPushButton, "runButton").click()
    await desk.until(lambda: desk.window.control.shown and desk.window.control.shown.state.evaluations > 0)


def test_the_status_bar_counts_busy_workers_and_memory(desk: Desk) -> None:
    async def scene() -> None:
        load = desk.child(QWidget, "workers")
        assert load.text().startswith("2 workers free")
        await run_long(desk, 3000)
        assert "of 2 workers busy" in load.text()
        load.measure()
        await desk.until(lambda: " MB" in load.text() or " GB" in load.text())
        assert "1 runs" in load.toolTip()
        assert "for all workers" in load.toolTip()
        desk.window.actions_["stop"].trigger()
        await desk.until(lambda: load.text().startswith("2 workers free"))

    desk.play(scene)


def test_memory_is_that_of_the_process_and_its_workers(desk: Desk) -> None:
    used = memory()
    rss = psutil.Process().memory_info().rss
    assert 0.2 * rss < used.window <= 1.2 * rss
    assert used.workers > 0
    assert 0 < used.free < psutil.virtual_memory().total


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("seconds", "active", "wanted", "told"),
    [(61, False, True, True), (59, False, True, False), (61, True, True, False), (61, False, False, False)],
    ids=["long", "short", "window in front", "switched off"],
)
def test_the_end_of_a_long_run_is_told_where_one_looks_elsewhere(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, seconds: float, active: bool, wanted: bool, told: bool
) -> None:
    alerts: list[object] = []
    trays: list[str] = []
    window, clock = desk.window, Clock()
    monkeypatch.setattr(QApplication, "alert", staticmethod(lambda *given: alerts.append(given)))
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(window.notifier, "show_in_tray", trays.append)
    monkeypatch.setattr(window, "isActiveWindow", lambda: active)
    window.notifier.clock = clock
    if not wanted:
        window.actions_["notify"].trigger()

    async def scene() -> None:
        await run_long(desk, 300)
        clock.now += seconds
        await desk.until(lambda: window.control.shown and window.control.shown.phase == "finished")
        said = [each.sentence for each in window.messages.messages]
        assert any("has ended after" in each for each in said) == told
        assert bool(alerts) == bool(trays) == told

    desk.play(scene)
    assert desk.store.value("notify/long runs", "yes") == ("yes" if wanted else "no")


def test_many_long_runs_that_end_are_one_line_and_the_queue_makes_no_run_long(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, clock = desk.window, Clock()
    monkeypatch.setattr(QApplication, "alert", staticmethod(lambda *given: None))
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    window.notifier.clock = clock

    async def scene() -> None:
        await desk.open_sample("wine")
        window.bench.setup.method_form.put({"max_iterations": 500, "stall_limit": 500})
        desk.session.runs.most_at_once = 1
        plan = window.bench.setup.plan()
        await desk.session.deeds.launch_all([{**plan, "seed": seed} for seed in range(3)])
        first, second, third = desk.session.runs
        for run in (first, second):
            await desk.until(lambda run=run: run.task is not None and run.state.evaluations)
            clock.now += 70
            await desk.until(lambda run=run: run.phase == "finished")
        await desk.until(lambda: third.phase == "finished")
        (said,) = [each.sentence for each in window.messages.messages if each.subject == "ended"]
        assert said.startswith(f"2 runs have ended, the last one: {second.label} has ended after 70 s: Error")

    desk.play(scene)


def test_without_a_tray_the_message_and_the_task_bar_remain(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    monkeypatch.setattr(desk.window, "isActiveWindow", lambda: False)
    desk.window.notifier.clock = clock

    async def scene() -> None:
        await run_long(desk, 300)
        clock.now += 4000
        await desk.until(lambda: any("67 min" in each.sentence for each in desk.window.messages.messages))

    desk.play(scene)


def raising(word: str) -> Callable[[], None]:
    def fail() -> None:
        raise ZeroDivisionError(word)

    return fail


@pytest.mark.parametrize("source", ["slot", "task", "callback", "thread", "errand", "dropped"])
def test_an_error_surfaces_as_a_message_wherever_it_happens(
    desk: Desk, source: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raising(source)()

    class Dropped:
        def __del__(self) -> None:
            raising(source)()

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        with surfaced(desk.session, loop):
            if source == "slot":
                timer = QTimer(desk.window, singleShot=True, interval=0)
                timer.timeout.connect(raising(source))
                timer.start()
            elif source == "task":
                task = loop.create_task(broken())
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
                desk.session.begin(broken(), "doing this")
            else:
                Dropped()
                gc.collect()
            await desk.until(lambda: desk.window.messages.messages)
        sentence = desk.window.messages.messages[0].sentence
        assert sentence.startswith("Something went wrong while")
        assert str(desk.folders.log_file) in sentence

    with desk.exceptions_are_meant():
        desk.play(scene)
    assert source in caplog.text


def kill_workers() -> None:
    for child in psutil.Process().children(recursive=True):
        if "spawn_main" in " ".join(child.cmdline()):
            child.kill()


def test_a_killed_worker_is_told_with_the_way_on_and_the_run_ends_the_same(desk: Desk) -> None:
    async def scene() -> None:
        await run_long(desk, 700)
        run = desk.window.control.shown
        assert run is not None
        kill_workers()
        await desk.until(lambda: "queue" in desk.window.notices.by_subject)
        await desk.until(lambda: run.phase == "failed")
        assert "killed" in desk.window.notices.by_subject["queue"].sentence
        before = run.state.evaluations
        desk.child(QPushButton, "queueGoOn").click()
        await desk.until(lambda: run.phase == "finished")
        assert run.state.evaluations >= before
        assert not desk.window.notices.isVisible()

    desk.play(scene)


def test_a_run_whose_worker_was_killed_is_offered_by_the_next_window_though_this_one_closed_in_order(
    another_desk: Callable[[], Desk],
) -> None:
    first, second = another_desk(), another_desk()
    kept = first.root / "kept.fsdesk"

    async def lose_the_worker() -> None:
        await run_long(first, 700)
        run = first.window.control.shown
        assert run is not None
        await first.session.save_as(kept)
        kill_workers()
        await first.until(lambda: run.broke and run.phase == "failed")
        await first.until(lambda: not first.session.working)

    first.play(lose_the_worker)
    first.loop.run_until_complete(first.session.close())

    async def go_on() -> None:
        second.window.open_path(kept)
        await second.until(lambda: "queue" in second.window.notices.by_subject)
        assert "1 run of this project" in second.window.notices.by_subject["queue"].sentence
        second.child(QPushButton, "queueGoOn").click()
        (run,) = second.session.runs
        await second.until(lambda: run.phase == "finished")
        assert not second.window.notices.isVisible()

    second.play(go_on)


def test_who_leaves_a_run_whose_worker_was_killed_is_not_asked_again(another_desk: Callable[[], Desk]) -> None:
    first, second = another_desk(), another_desk()
    kept = first.root / "kept.fsdesk"

    async def leave_it() -> None:
        await run_long(first, 700)
        await first.session.save_as(kept)
        kill_workers()
        await first.until(lambda: "queue" in first.window.notices.by_subject)
        first.child(QPushButton, "queueForget").click()
        assert not first.window.notices.isVisible()
        await first.until(lambda: not first.session.working)

    first.play(leave_it)
    first.loop.run_until_complete(first.session.close())

    async def look() -> None:
        second.window.open_path(kept)
        await second.until(lambda: second.window.control.shown)
        assert not second.window.notices.by_subject
        assert second.window.control.shown is not None
        assert second.window.control.shown.resumable  # by its own button

    second.play(look)


def test_the_tour_goes_through_real_controls_by_keyboard_and_is_offered_once(desk: Desk) -> None:
    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        offer_tour(window)
        tour = window.findChild(Tour)
        assert tour is not None
        titles = []
        while tour.place < len(tour.steps):
            titles.append(tour.bubble.title.text())
            assert window.rect().contains(tour.bubble.geometry())
            target = tour._target(tour.place)
            assert target is not None
            assert target.isVisible()
            assert tour.ring.geometry().contains(
                target.rect().translated(target.mapTo(window, target.rect().topLeft()))
            )
            assert tour.bubble.next.accessibleName().endswith(tour.bubble.text.text())
            QTest.keyClick(tour.bubble.next, Qt.Key.Key_Space)
        assert titles == ["Begin with a table", "Or try a sample", "The pages", "Run", "Settings", "Help"]
        await asyncio.sleep(0.05)
        offer_tour(window)  # never again
        assert window.findChild(Tour) is None
        window.actions_["tour"].trigger()  # unless asked
        again = window.findChild(Tour)
        assert again is not None
        QTest.keyClick(again.bubble, Qt.Key.Key_Right)
        assert again.bubble.count.text() == "2 of 6"
        QTest.keyClick(again.bubble, Qt.Key.Key_Left)
        assert again.bubble.count.text() == "1 of 6"
        QTest.keyClick(again.bubble, Qt.Key.Key_Escape)
        assert not again.bubble.isVisible()

    desk.play(scene)


def test_the_tour_skips_what_cannot_be_seen(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.resize(1280, 800)
        await desk.open_sample("wine")
        desk.window.show_tour()
        tour = desk.window.findChild(Tour)
        assert tour is not None
        assert tour.bubble.count.text() == "1 of 5"  # there are no samples on this page
        desk.child(QPushButton, "tourSkip").click()
        assert not tour.ring.isVisible()

    desk.play(scene)


def test_the_tour_goes_on_when_a_table_is_opened_and_ends_when_a_run_begins(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.resize(1280, 800)
        desk.window.show_tour()
        tour = desk.window.findChild(Tour)
        assert tour is not None
        assert tour.bubble.title.text() == "Begin with a table"
        await desk.open_sample("wine")
        assert tour.bubble.title.text() == "The pages"
        desk.window.actions_["run"].trigger()
        await desk.until(lambda: desk.window.findChild(Tour) is None)
        desk.window.session.runs.stop_all()
        await desk.until(lambda: not desk.window.session.runs.active)

    desk.play(scene)


def test_the_sheet_of_keys_is_what_the_actions_say(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.window.actions_["keys"].trigger()
        shown = desk.child(QTextBrowser, "keysText").toPlainText()
        for command in COMMANDS:
            action = desk.window.actions_[command.name]
            for key in action.shortcuts():
                assert key.toString(QKeySequence.SequenceFormat.NativeText) in shown, command.name
        desk.child(QPushButton, "keysClose").click()
        desk.window.actions_["find"].setShortcut(QKeySequence("Ctrl+Alt+G"))
        assert ("Find in the table", "Ctrl+Alt+G") in key_sheet(desk.window)["View"]

    desk.play(scene)


def test_no_two_actions_share_a_key_and_each_is_in_a_menu_under_a_letter_of_its_own(desk: Desk) -> None:
    offer_openml(desk.window)
    keys = [key.toString() for action in desk.window.actions_.by_name.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    menus = [each.menu() for each in desk.window.menuBar().actions()]
    seen = set()
    for menu in [desk.window.menuBar(), *menus]:
        assert isinstance(menu, QWidget)
        actions = [each for each in menu.actions() if not each.isSeparator()]
        letters = [QKeySequence.mnemonic(each.text()).toString() for each in actions]
        assert all(letters), [each.text() for each in actions if not QKeySequence.mnemonic(each.text()).toString()]
        assert len(letters) == len(set(letters)), (menu.objectName(), letters)
        seen.update(id(each) for each in actions if isinstance(menu, QMenu))
    for name, action in desk.window.actions_.by_name.items():
        assert any(isinstance(each, QMenu) for each in action.associatedObjects()), name


@pytest.mark.parametrize("name", DESK_PAGES)
def test_every_page_of_the_help_is_written(name: str) -> None:
    text = resource(f"help/desk/{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {title_of(name)}\n")
    assert len(text.split()) > 60


def test_no_page_of_the_help_is_left_out() -> None:
    assert {path.stem for path in resource("help/desk").glob("*.md")} == set(DESK_PAGES)


def test_f1_opens_the_page_about_what_has_the_focus(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        bench = desk.window.bench
        cases: list[tuple[Any, str, str]] = [
            (bench.run, "data", "Data page"),
            (bench.data.columns.view, "data", "What columns are for"),
            (bench.setup.seed, "data", "Settings"),
            (bench.run, "search", "Search page"),
            (bench.search.features.search, "search", "Selected features"),
            (desk.child(QPushButton, "help_runs"), "search", "Runs"),
        ]
        for control, page, title in cases:
            desk.window.show_page(page)
            control.setFocus()
            assert desk.window._page_here() == bench.page_of(control)
            desk.window.explain(bench.page_of(control))
            shown = desk.child(QTextBrowser, "helpText").toPlainText()
            assert shown.startswith(title), shown[:40]
            pages = desk.child(QTreeWidget, "helpPages")
            assert pages.currentItem().text(0) == title
            desk.child(QPushButton, "helpClose").click()
            await asyncio.sleep(0)

    desk.play(scene)


def test_the_question_mark_on_a_card_opens_its_page(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.window.show_page("search")
        desk.child(QPushButton, "help_heatmap").click()
        assert desk.child(QTextBrowser, "helpText").toPlainText().startswith(title_of("heatmap"))
        desk.child(QPushButton, "helpClose").click()
        for card in desk.window.bench.search.findChildren(Card):
            assert desk.window.bench.page_of(card).startswith("desk/")

    desk.play(scene)


def test_about_lists_every_package_with_version_and_licence(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.actions_["about"].trigger()
        shown = desk.child(QTreeWidget, "versions")
        await desk.until(lambda: shown.topLevelItemCount() > 5)
        desk.child(QPushButton, "aboutCopy").click()
        text = QApplication.clipboard().text()
        for name in ("numpy", "PySide6_Essentials", "scikit-learn", "qasync"):
            assert name.lower() in text.lower().replace("pyside6-", "pyside6_"), name
        desk.child(QPushButton, "aboutClose").click()

    desk.play(scene)
    assert "pytest" not in {package.name for package in packages()}  # it does not come with the program
    for package in packages():
        assert package.version
        assert package.licence
