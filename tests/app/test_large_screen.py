"""A large screen: what is looked at takes part of the room."""

from PySide6.QtCore import QSize

from .conftest import WindowDriver
from .data_scene import opened, write_table

LARGE, USUAL = QSize(2560, 1440), QSize(1280, 800)


def test_pictures_of_columns_and_their_list_are_larger_and_become_small_again(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    async def scene() -> None:
        await opened(driver, path)
        page = driver.window.workspace.data
        bars = page.summaries.column.bars
        page.pick("gap")
        await driver.until(bars.isVisible)
        heights, widths = [], []
        for size in (USUAL, LARGE, USUAL):
            driver.window.resize(size)
            await driver.until(lambda size=size: size.height() - 300 < page.height() < size.height())
            await driver.until(lambda: bars.height() == bars.sizeHint().height())
            heights.append(bars.height())
            widths.append(page.side.width())
        assert heights[0] == heights[2] < heights[1]
        assert widths[0] == widths[2] < widths[1]

    driver.play(scene)


def test_the_first_screen_uses_the_width_of_a_large_window(driver: WindowDriver) -> None:
    async def scene() -> None:
        page = driver.window.welcome
        for size, least, most in ((LARGE, 1200, 1400), (USUAL, 800, 960)):
            driver.window.resize(size)
            await driver.until(lambda least=least, most=most: least < page.samples.width() + page.drop.width() < most)

    driver.play(scene)
