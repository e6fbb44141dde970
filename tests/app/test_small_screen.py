"""A small screen, or one at 150 to 200 %: nothing is out of reach."""

import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from .conftest import Desk
from .test_run import run_to_the_end

SMALL = (640, 420)  # what is left of 1280 x 800 at 200 %, less what the desktop takes


def test_a_dialog_is_no_larger_than_the_screen(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample()
        for name in ("keys", "about", "help", "many"):
            desk.window.actions_[name].trigger()
            await desk.until(lambda: any(each.isVisible() for each in desk.window.findChildren(QDialog)))
            dialog = next(each for each in desk.window.findChildren(QDialog) if each.isVisible())
            room = dialog.screen().availableGeometry().size()
            assert dialog.width() <= room.width(), name
            assert dialog.height() <= room.height(), name
            dialog.reject()
            await desk.until(lambda dialog=dialog: not shiboken6.isValid(dialog) or not dialog.isVisible())

    desk.play(scene)


def test_the_wide_search_page_shows_its_right_end_in_a_narrow_window(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample()
        desk.window.setMinimumSize(1, 1)
        desk.window.resize(*SMALL)
        desk.window.show_page("search")
        search = desk.window.workspace.search
        area = next(each for each in search.findChildren(QScrollArea) if each.widget() is search.across.parentWidget())
        bar = area.horizontalScrollBar()
        await desk.until(lambda: bar.isVisible() and bar.maximum() > 0)
        search.list.setFocus()
        QTest.keyClick(bar, Qt.Key.Key_End)
        await desk.until(lambda: bar.value() == bar.maximum())
        side = QRect(search.side.mapTo(area.viewport(), QPoint(0, 0)), search.side.size())
        assert side.right() <= area.viewport().width()

    desk.play(scene)


def test_no_page_scrolls_sideways_where_there_is_room(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample()
        desk.window.resize(1280, 800)
        for key, page in desk.window.workspace.by_key.items():
            desk.window.show_page(key)
            await desk.until(lambda page=page: page.isVisible())
            for area in page.findChildren(QScrollArea):
                assert area.horizontalScrollBar().maximum() == 0 or not area.isVisible(), key

    desk.play(scene)


def test_cards_of_the_result_stand_one_above_the_other_where_their_heads_have_no_room_side_by_side(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        await run_to_the_end(desk, 3)
        result, compare = desk.window.workspace.result, desk.window.workspace.by_key["compare"]
        desk.window.setMinimumSize(1, 1)
        for width, height in ((1280, 800), SMALL):
            desk.window.resize(width, height)
            for page in ("result", "compare"):
                desk.window.show_page(page)
                await desk.until(lambda: not desk.session.tasks.working)
            beside = result.cards.orientation() is Qt.Orientation.Horizontal
            assert beside == (width == 1280)
            for name in ("answerCard", "evidenceCard", "compareCard", "compareValues"):
                card = desk.child(QWidget, name)
                assert card.width() >= card.minimumSizeHint().width()
                assert card.height() >= 160
            areas = [*result.findChildren(QScrollArea), *compare.findChildren(QScrollArea)]
            pages = [area for area in areas if area.parentWidget() in (compare, result.stack)]
            assert len(pages) == 2
            assert all(area.horizontalScrollBar().maximum() == 0 for area in pages)
            if width != 1280:
                assert all(area.verticalScrollBar().maximum() > 0 for area in pages)
        first, second = (desk.child(QWidget, name) for name in ("compareCard", "compareValues"))
        assert not QRect(first.mapToGlobal(QPoint(0, 0)), first.size()).intersects(
            QRect(second.mapToGlobal(QPoint(0, 0)), second.size())
        )

    desk.play(scene)


def test_what_gets_the_focus_from_outside_is_scrolled_into_view(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        panel = desk.window.workspace.setup
        desk.window.resize(1280, 500)
        bar = panel.area.verticalScrollBar()
        await desk.until(lambda: bar.maximum() > 300)
        bar.setValue(bar.maximum())
        desk.window.pages.setFocus()
        await desk.until(lambda: panel.data.target.visibleRegion().isEmpty())
        panel.data.target.setFocus(Qt.FocusReason.TabFocusReason)
        await desk.until(lambda: not panel.data.target.visibleRegion().isEmpty())

    desk.play(scene)
