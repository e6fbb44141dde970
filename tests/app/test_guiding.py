"""What guides a person: the tour, the sheet of keys, the help, and what it is made of."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMenu,
    QPushButton,
    QTextBrowser,
    QTreeWidget,
    QWidget,
)

from fsdesk.app.actions import COMMANDS
from fsdesk.app.dialogs import help as help_dialogs
from fsdesk.app.dialogs.help import WINDOW_PAGES, key_sheet, packages, title_of
from fsdesk.app.dialogs.tour import Tour
from fsdesk.app.widgets import Card
from fsdesk.paths import resource

from .conftest import WindowDriver


async def test_the_tour_goes_through_real_controls_by_keyboard_and_is_offered_once(driver: WindowDriver) -> None:
    window = driver.window
    window.resize(1280, 800)
    window.offer_tour()
    tour = window.findChild(Tour)
    assert tour is not None
    titles = []
    while tour.place < len(tour.steps):
        titles.append(tour.bubble.title.text())
        assert window.rect().contains(tour.bubble.geometry())
        target = tour.steps[tour.place].target()
        assert target is not None
        assert target.isVisible()
        assert tour.ring.geometry().contains(tour.area(target))
        covered = tour.bubble.geometry().intersects(tour.ring.geometry())
        assert not covered  # all of the control is seen, such as the way to OpenML below the button
        assert tour.bubble.next.accessibleName().endswith(tour.bubble.text.text())
        QTest.keyClick(tour.bubble.next, Qt.Key.Key_Space)
    assert titles == ["Start with a table", "Or try a sample", "The pages", "Run", "Settings", "Help"]
    await asyncio.sleep(0.05)
    window.offer_tour()  # never again
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


async def test_the_tour_skips_what_cannot_be_seen(driver: WindowDriver) -> None:
    driver.window.resize(1280, 800)
    await driver.open_sample("wine")
    driver.window.show_tour()
    tour = driver.window.findChild(Tour)
    assert tour is not None
    assert tour.bubble.count.text() == "1 of 5"  # there are no samples on this page
    driver.child(QPushButton, "tourSkip").click()
    assert not tour.ring.isVisible()


async def test_the_tour_goes_on_when_a_table_is_opened_and_ends_when_a_run_begins(driver: WindowDriver) -> None:
    driver.window.resize(1280, 800)
    driver.window.show_tour()
    tour = driver.window.findChild(Tour)
    assert tour is not None
    assert tour.bubble.title.text() == "Start with a table"
    await driver.open_sample("wine")
    assert tour.bubble.title.text() == "The pages"
    driver.window.actions_["run"].trigger()
    await driver.until(lambda: driver.window.findChild(Tour) is None)
    driver.window.session.runs.stop_all()
    await driver.until(lambda: not driver.window.session.runs.active)


async def test_the_sheet_of_keys_is_what_the_actions_say(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    driver.window.actions_["keys"].trigger()
    shown = driver.child(QTextBrowser, "keysText").toPlainText()
    for command in COMMANDS:
        action = driver.window.actions_[command.name]
        for key in action.shortcuts():
            assert key.toString(QKeySequence.SequenceFormat.NativeText) in shown, command.name
    driver.child(QPushButton, "keysClose").click()
    driver.window.actions_["find"].setShortcut(QKeySequence("Ctrl+Alt+G"))
    assert ("Find in the table", "Ctrl+Alt+G") in key_sheet(driver.window)["View"]


def test_no_two_actions_share_a_key_and_each_is_in_a_menu_under_a_letter_of_its_own(driver: WindowDriver) -> None:
    keys = [key.toString() for action in driver.window.actions_.by_name.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    menus = [each.menu() for each in driver.window.menuBar().actions()]
    seen = set()
    for menu in [driver.window.menuBar(), *menus]:
        assert isinstance(menu, QWidget)
        actions = [each for each in menu.actions() if not each.isSeparator()]
        letters = [QKeySequence.mnemonic(each.text()).toString() for each in actions]
        assert all(letters), [each.text() for each in actions if not QKeySequence.mnemonic(each.text()).toString()]
        assert len(letters) == len(set(letters)), (menu.objectName(), letters)
        seen.update(id(each) for each in actions if isinstance(menu, QMenu))
    for name, action in driver.window.actions_.by_name.items():
        assert any(isinstance(each, QMenu) for each in action.associatedObjects()), name


def test_what_holds_for_all_tables_is_in_one_menu_of_preferences(driver: WindowDriver) -> None:
    edit = driver.window.menuBar().actions()[1].menu()
    preferences = driver.child(QMenu, "preferences")
    assert isinstance(edit, QMenu)
    assert preferences.menuAction() in edit.actions()
    names = [
        each.menu().title() if isinstance(each.menu(), QMenu) else each.objectName() for each in preferences.actions()
    ]
    assert names == ["&Theme", "Lan&guage", "action_notify", "action_newer_weekly", "action_cluster"]
    preferences.actions()[-1].trigger()
    assert driver.child(QDialog, "clusterDialog").isVisible()


@pytest.mark.parametrize("name", WINDOW_PAGES)
def test_every_page_of_the_help_is_written(name: str) -> None:
    text = resource(f"help/window/{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {title_of(name)}\n")
    assert len(text.split()) > 60


def test_no_page_of_the_help_is_left_out() -> None:
    assert {path.stem for path in resource("help/window").glob("*.md")} == set(WINDOW_PAGES)


async def test_f1_opens_the_page_about_what_has_the_focus(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    workspace = driver.window.workspace
    cases: list[tuple[Any, str, str]] = [
        (workspace.run, "data", "Data page"),
        (workspace.data.columns.view, "data", "Column roles"),
        (workspace.setup.seed, "data", "Settings"),
        (workspace.run, "search", "Search page"),
        (workspace.search.features.search, "search", "Selected features"),
        (driver.child(QPushButton, "help_runs"), "search", "Runs"),
    ]
    for control, page, title in cases:
        driver.window.show_page(page)
        control.setFocus()
        driver.window.actions_["help"].trigger()
        shown = driver.child(QTextBrowser, "helpText").toPlainText()
        assert shown.startswith(title), shown[:40]
        pages = driver.child(QTreeWidget, "helpPages")
        assert pages.currentItem().text(0) == title
        driver.child(QPushButton, "helpClose").click()
        await asyncio.sleep(0)


async def test_the_question_mark_on_a_card_opens_its_page(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    driver.window.show_page("search")
    driver.child(QPushButton, "help_heatmap").click()
    assert driver.child(QTextBrowser, "helpText").toPlainText().startswith(title_of("heatmap"))
    driver.child(QPushButton, "helpClose").click()
    for card in driver.window.workspace.search.findChildren(Card):
        assert driver.window.workspace.page_of(card).startswith("window/")


async def test_about_names_the_build_and_every_package_with_version_and_licence(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "build.txt").write_text("464b77f of 2026-11-24, linux-x86_64\n", encoding="utf-8")
    monkeypatch.setattr(help_dialogs, "resource", lambda name: tmp_path / name)

    driver.window.actions_["about"].trigger()
    shown = driver.child(QTreeWidget, "versions")
    await driver.until(lambda: shown.topLevelItemCount() > 5)
    driver.child(QPushButton, "aboutCopy").click()
    text = QApplication.clipboard().text()
    assert "built from 464b77f of 2026-11-24, linux-x86_64, Python" in text  # as the packaging noted
    for name in ("numpy", "PySide6_Essentials", "scikit-learn", "qasync"):
        assert name.lower() in text.lower().replace("pyside6-", "pyside6_"), name
    driver.child(QPushButton, "aboutClose").click()
    assert "pytest" not in {package.name for package in packages()}  # it does not come with the program
    for package in packages():
        assert package.version
        assert package.licence
