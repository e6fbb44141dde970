"""What a person without a mouse does: fields that are found, lists that stay in sight, orders and roles by keys."""

import asyncio

import pytest
from pyqtgraph import TextItem
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QPushButton, QTableView, QWidget

from fsdesk.app.dialogs.export import ExportDialog
from fsdesk.app.widgets import Choice

from .conftest import WindowDriver
from .test_run import run_to_the_end, set_iterations


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def focus_name() -> str:
    widget = QApplication.focusWidget()
    return "" if widget is None else widget.objectName()


async def open_and_run(driver: WindowDriver, iterations: int) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, iterations)
    await driver.until(lambda: not driver.session.tasks.working)


async def found(driver: WindowDriver) -> None:
    await open_and_run(driver, 5)


async def finish_two_runs(driver: WindowDriver) -> None:
    """Two runs of different lengths, of which the second one is shown."""
    await open_and_run(driver, 3)
    set_iterations(driver, 4)
    driver.window.run_commands.run()
    await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"] * 2)
    await driver.until(lambda: not driver.session.tasks.working)


async def test_find_goes_to_the_list_of_the_page_and_never_to_a_field_that_is_hidden(driver: WindowDriver) -> None:
    window = driver.window
    welcome = driver.child(QWidget, "sample_wine")
    window.prepare()
    driver.make_pages()
    welcome.setFocus()
    window.actions_["find"].trigger()
    assert focus_name() == "sample_wine"
    await open_and_run(driver, 5)
    for page, field in (("data", "findColumn"), ("search", "findFeature"), ("result", "findAnswer")):
        window.show_page(page)
        await asyncio.sleep(0.1)
        window.actions_["find"].trigger()
        assert focus_name() == field
        assert QApplication.focusWidget().isVisible()
    window.show_page("search")
    window.workspace.search.pick("alcohol", open_it=True)
    window.actions_["find"].trigger()
    assert QApplication.focusWidget().isVisible()
    window.show_page("compare")
    before = focus_name()
    window.actions_["find"].trigger()
    assert focus_name() == before


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)", extend=True)
async def test_arrows_on_the_way_to_another_role_change_nothing(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    columns, role = driver.window.workspace.data.columns, driver.child(Choice, "role")
    target = driver.session.loader.choices.target
    columns.select("ash")
    role.setFocus()
    for _ in range(4):  # always in, left out, target, groups of rows
        press(Qt.Key.Key_Down)
        view = role.view()
        if view.isVisible():
            QTest.keyClick(view, Qt.Key.Key_Down)
    assert driver.session.loader.choices.target == target
    assert columns.model.role("ash") == "feature"
    role.hidePopup()


async def test_the_list_stays_in_sight_when_a_run_with_more_cards_is_chosen(driver: WindowDriver) -> None:
    window = driver.window
    window.resize(1280, 800)
    method = window.workspace.setup.method
    method.setCurrentIndex(method.findData("auto"))
    await driver.open_sample("wine")
    window.workspace.setup.method_form.put({"competing": "filters", "resamples": 3})
    window.run_commands.run()
    await driver.until(lambda: any(run.phase == "finished" for run in driver.session.runs))
    method.setCurrentIndex(method.findData("bspsa"))
    set_iterations(driver, 3)
    window.run_commands.run()
    await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"] * 2)
    await driver.until(lambda: not driver.session.tasks.working)
    search = window.workspace.search
    view = search.list.view

    def in_sight() -> bool:
        search._area.ensureWidgetVisible(view)  # as Tab does on the way to it
        return not view.visibleRegion().isEmpty()

    view.setFocus()
    await driver.until(in_sight)
    press(Qt.Key.Key_Down)
    await driver.until(lambda: search.run is not None and search.run.spec.method == "auto" and search.race.isVisible())

    def current_in_sight() -> bool:
        row = view.visualRect(view.currentIndex())
        return view.viewport().visibleRegion().contains(row.center())

    await driver.until(current_in_sight, 20)


async def test_after_a_run_is_deleted_the_next_one_is_shown(driver: WindowDriver) -> None:
    await finish_two_runs(driver)
    search = driver.window.workspace.search
    first, second = driver.session.runs
    await driver.until(lambda: all(run.honesty.fresh is not None and not run.validation for run in (first, second)))
    assert search.run is second
    search.list.view.setFocus()
    press(Qt.Key.Key_Delete)
    await driver.until(lambda: second not in list(driver.session.runs))
    assert search.run is first and search.list.marked == [first]


async def test_a_menu_sorts_what_a_heading_sorts(run_driver: WindowDriver) -> None:
    run_driver.window.show_page("result")
    await run_driver.until(lambda: not run_driver.session.tasks.working)
    view = run_driver.child(QTableView, "answer")
    menu = next(action.menu() for action in view.actions() if action.menu() is not None)
    assert isinstance(menu, QMenu)

    def choose(title: str) -> list[str]:
        menu.aboutToShow.emit()
        next(action for action in menu.actions() if action.text() == title).trigger()
        return [str(view.model().index(row, 1).data()) for row in range(view.model().rowCount())]

    rising = choose("Feature")
    assert rising == sorted(rising, key=str.lower) and len(rising) > 1
    assert choose("Feature") == rising[::-1]


async def test_what_the_crosshair_says_is_never_wider_than_the_plot(run_driver: WindowDriver) -> None:
    run_driver.window.resize(1280, 800)
    run_driver.window.show_page("search")
    errors = run_driver.window.workspace.search.errors
    errors.plot.setFocus()
    press(Qt.Key.Key_End)
    assert errors.crosshair.words
    texts = [each for each in errors.plot.scene().items() if isinstance(each, TextItem)]
    (words,) = [each.textItem for each in texts if each.toPlainText() == errors.crosshair.words]
    assert 0 < words.boundingRect().width() <= errors.plot.getViewBox().boundingRect().width()


async def test_tab_comes_to_the_fixes_of_the_checks_where_they_stand(driver: WindowDriver) -> None:
    path = driver.root / "gaps.csv"
    rows = [f"{'' if at % 4 else at},{'mf'[at % 2]},{at * 7 % 10},{'ill' if at % 3 else 'well'}" for at in range(40)]
    path.write_text("\n".join(["length,sex,weight,state", *rows]), encoding="utf-8")
    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    await driver.until(lambda: not driver.session.tasks.working)
    await driver.until(lambda: driver.window.workspace.data.checks.findChildren(QPushButton, "fix_dropRows"))
    driver.child(QPushButton, "help_checks").setFocus()
    reached = []
    for _ in range(4):
        press(Qt.Key.Key_Tab)
        reached.append(focus_name())
    assert set(reached[:3]) == {"fix_nominal", "fix_dropRows", "fix_dropColumns"}


async def test_while_files_are_written_the_focus_is_on_what_can_be_pressed(run_driver: WindowDriver) -> None:
    run_driver.window.actions_["export"].trigger()
    run_driver.child(QLineEdit, "exportFolder").setText(str(run_driver.root / "out"))
    now = run_driver.child(QPushButton, "exportNow")
    now.setFocus()
    QTest.keyClick(now, Qt.Key.Key_Space)
    assert now.window().focusWidget() is run_driver.child(QPushButton, "exportCancel")
    await run_driver.until(lambda: not run_driver.window.findChildren(ExportDialog))


async def test_what_a_feature_does_is_never_said_of_another_run(driver: WindowDriver) -> None:
    await finish_two_runs(driver)
    window, evidence = driver.window, driver.window.workspace.result.evidence
    window.show_page("result")
    view = driver.child(QTableView, "answer")
    await driver.until(lambda: view.model().rowCount() > 0 and not driver.session.tasks.working)
    view.setFocus()
    press(Qt.Key.Key_Down)
    await driver.until(lambda: evidence.feature.isVisible())
    first, _ = driver.session.runs
    window.workspace.search.show_run(first)
    window.show_page("result")
    assert window.workspace.result.run is first
    assert not evidence.feature.isVisible()
    assert evidence.words.text().startswith("Select a feature")


async def test_keys_lead_through_a_list_whose_first_column_is_hidden(run_driver: WindowDriver) -> None:
    run_driver.window.show_page("result")
    view = run_driver.child(QTableView, "answer")
    await run_driver.until(lambda: view.model().rowCount() > 2 and not run_driver.session.tasks.working)
    view.setColumnHidden(0, True)
    view.setCurrentIndex(view.model().index(0, 0))
    view.setFocus()
    rows = []
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Down)
        rows.append(view.currentIndex().row())
    assert rows == [1, 2]


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)", extend=True)
async def test_more_about_a_method_is_reached_by_tab_and_opened_by_a_key(driver: WindowDriver, key: Qt.Key) -> None:
    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    driver.window.resize(1280, 800)
    driver.window.activateWindow()
    for choice, section, page in ((panel.preset, panel.search, "methods"), (panel.wrapper, panel.model, "wrappers")):
        wanted: list[str] = []
        section.page_wanted.connect(wanted.append)
        choice.setFocus()
        press(Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is section.summary
        press(key)
        assert wanted == [f"{page}/{section.entry.name}"]
        driver.child(QDialog, "helpDialog").close()
        section.summary.setFocus()
        press(Qt.Key.Key_Tab)
        assert QApplication.focusWidget() not in (section.summary, choice)
