"""A small screen, or one at 150 to 200 %: nothing is out of reach."""

import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QScrollArea, QWidget

from fsdesk.app.widgets import label
from fsdesk.app.workspace import PAGES

from .conftest import WindowDriver
from .test_run import run_to_the_end

SMALL = (640, 420)  # what is left of 1280 x 800 at 200 %, less what the desktop takes


async def found(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 3)
    await driver.until(lambda: not driver.session.tasks.working)


def test_no_line_of_a_sentence_begins_with_the_sign_of_its_number(qapp: QApplication) -> None:
    made = label("An error of 8.82 % (95 % interval)", wrap=True)
    assert made.text() == "An error of 8.82 % (95 % interval)"
    assert "8.82\N{NO-BREAK SPACE}%" in QLabel.text(made)


async def test_a_dialog_is_no_larger_than_the_screen(run_driver: WindowDriver) -> None:
    for name in ("keys", "about", "help", "many"):
        run_driver.window.actions_[name].trigger()
        await run_driver.until(lambda: any(each.isVisible() for each in run_driver.window.findChildren(QDialog)))
        dialog = next(each for each in run_driver.window.findChildren(QDialog) if each.isVisible())
        room = dialog.screen().availableGeometry().size()
        assert dialog.width() <= room.width(), name
        assert dialog.height() <= room.height(), name
        dialog.reject()
        await run_driver.until(lambda dialog=dialog: not shiboken6.isValid(dialog) or not dialog.isVisible())


async def test_the_wide_search_page_shows_its_right_end_in_a_narrow_window(run_driver: WindowDriver) -> None:
    run_driver.window.setMinimumSize(1, 1)
    run_driver.window.resize(*SMALL)
    run_driver.window.show_page("search")
    search = run_driver.window.workspace.search
    area = next(each for each in search.findChildren(QScrollArea) if each.widget() is search.across.parentWidget())
    bar = area.horizontalScrollBar()
    await run_driver.until(lambda: bar.isVisible() and bar.maximum() > 0)
    search.list.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_End)
    await run_driver.until(lambda: bar.value() == bar.maximum())
    side = QRect(search.side.mapTo(area.viewport(), QPoint(0, 0)), search.side.size())
    assert side.right() <= area.viewport().width()


async def test_no_page_scrolls_sideways_where_there_is_room(run_driver: WindowDriver) -> None:
    run_driver.window.resize(1280, 800)
    for key in PAGES:
        run_driver.window.show_page(key)
        page = run_driver.window.workspace.page(key)
        await run_driver.until(lambda page=page: page.isVisible())
        for area in page.findChildren(QScrollArea):
            assert area.horizontalScrollBar().maximum() == 0 or not area.isVisible(), key


async def test_cards_of_the_result_stand_one_above_the_other_where_their_heads_have_no_room_side_by_side(
    run_driver: WindowDriver,
) -> None:
    result, compare = run_driver.window.workspace.result, run_driver.window.workspace.compare
    run_driver.window.setMinimumSize(1, 1)
    for width, height in ((1280, 800), SMALL):
        run_driver.window.resize(width, height)
        for page in ("result", "compare"):
            run_driver.window.show_page(page)
            await run_driver.until(lambda: not run_driver.session.tasks.working)
        beside = result.cards.orientation() is Qt.Orientation.Horizontal
        assert beside == (width == 1280)
        for name in ("answerCard", "evidenceCard", "compareCard", "compareValues"):
            card = run_driver.child(QWidget, name)
            assert card.width() >= card.minimumSizeHint().width()
            assert card.height() >= 160
        areas = [*result.findChildren(QScrollArea), *compare.findChildren(QScrollArea)]
        pages = [area for area in areas if area.parentWidget() in (compare, result.stack)]
        assert len(pages) == 2
        assert all(area.horizontalScrollBar().maximum() == 0 for area in pages)
        if width != 1280:
            assert all(area.verticalScrollBar().maximum() > 0 for area in pages)
    first, second = (run_driver.child(QWidget, name) for name in ("compareCard", "compareValues"))
    assert not QRect(first.mapToGlobal(QPoint(0, 0)), first.size()).intersects(
        QRect(second.mapToGlobal(QPoint(0, 0)), second.size())
    )


async def test_the_result_page_never_scrolls_sideways_in_german_beside_the_settings(
    german: None, driver: WindowDriver
) -> None:
    """A screen of 1920 x 1200 at 200 %: German names of buttons are longer."""
    await found(driver)
    result = driver.window.workspace.result
    driver.window.show_page("result")
    for width, below in ((1600, False), (960, True)):
        driver.window.resize(width, 600)
        await driver.until(lambda width=width: driver.window.width() == width)
        driver.window.workspace.show_rail(True)  # a narrow window hides it until it is wanted
        await driver.until(lambda below=below: (result.luck.y() > result.predict.y()) == below)
        (area,) = [each for each in result.findChildren(QScrollArea) if each.parentWidget() is result.stack]
        await driver.until(lambda area=area: area.horizontalScrollBar().maximum() == 0)


async def test_the_settings_of_a_table_of_many_genes_are_not_cut_off_in_german(
    german: None, driver: WindowDriver
) -> None:
    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    driver.window.resize(1280, 600)
    panel.data.extent.setText("1.000 Zeilen · 200.000 Merkmale · 12 Klassen")
    panel.data.more.setText("12 Hinweise")
    await driver.until(lambda: panel.data.extent.height() > 2 * panel.data.extent.fontMetrics().height() - 4)
    assert panel.area.widget().width() <= panel.area.viewport().width()


async def test_what_gets_the_focus_from_outside_is_scrolled_into_view(run_driver: WindowDriver) -> None:
    panel = run_driver.window.workspace.setup
    run_driver.window.resize(1280, 500)
    bar = panel.area.verticalScrollBar()
    await run_driver.until(lambda: bar.maximum() > 300)
    bar.setValue(bar.maximum())
    run_driver.window.pages.setFocus()
    await run_driver.until(lambda: panel.data.target.visibleRegion().isEmpty())
    panel.data.target.setFocus(Qt.FocusReason.TabFocusReason)
    await run_driver.until(lambda: not panel.data.target.visibleRegion().isEmpty())
