import pyqtgraph as pg
import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from fsdesk.app.palette import DARK, LIGHT, RUN_COLOURS, Tokens, contrast
from fsdesk.app.style import on_theme, style_sheet, tokens
from fsdesk.app.widgets import Sign

from .conftest import WindowDriver


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the well-known grey that just fails


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_leaves_no_token_unfilled(theme: Tokens) -> None:
    assert "$" not in style_sheet(theme, 10.0)


def test_the_colours_of_runs_can_be_seen_and_told_apart() -> None:
    for theme in (LIGHT, DARK):
        colours = RUN_COLOURS[theme.mode]
        assert len(set(colours)) == len(colours) == 7
        assert min(contrast(colour, theme.surface) for colour in colours) >= 3


class Listener(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Tokens] = []
        on_theme(self.hear)

    def hear(self) -> None:
        self.heard.append(tokens())


async def test_the_first_screen_changes_its_colours_as_a_whole(driver: WindowDriver) -> None:
    window = driver.window
    for choice, colours in (("dark", DARK), ("light", LIGHT)):
        window.theme.choose(choice)
        below = window.grab().toImage().pixelColor(window.width() // 2, window.height() - 60)
        assert below.name() == QColor(colours.canvas).name()


async def test_all_plots_and_heatmaps_take_the_colours(driver: WindowDriver) -> None:
    window = driver.window
    driver.make_pages()
    window.show_page("search")
    plots = window.workspace.findChildren(pg.PlotWidget)
    heatmap = window.workspace.search.heatmap.traces
    assert len(plots) > 4
    for choice, colours in (("dark", DARK), ("light", LIGHT)):
        window.theme.choose(choice)
        assert {plot.backgroundBrush().color().name() for plot in plots} == {colours.surface}
        assert heatmap.grab().toImage().pixelColor(heatmap.frame.area.center().toPoint()).name() == colours.sunken


async def test_the_signs_of_messages_and_notices_take_the_colours(driver: WindowDriver) -> None:
    window = driver.window
    window.theme.choose("light")
    window.messages.say("error", "It cannot be read.")
    window.notices.add("state", "warning", ["It is open elsewhere."])
    signs = [bar.findChild(Sign) for bar in (window.messages, window.notices)]
    before = [sign.pixmap().toImage() for sign in signs if sign is not None]
    window.theme.choose("dark")
    after = [sign.pixmap().toImage() for sign in signs if sign is not None]
    assert len(before) == 2
    assert all(one != other for one, other in zip(before, after, strict=True))


async def test_a_choice_that_looks_the_same_changes_nothing(driver: WindowDriver) -> None:
    driver.theme.choose("light")
    listener = Listener()
    driver.theme.choose("light")
    assert listener.heard == [LIGHT]
    driver.theme.choose("dark")
    assert listener.heard == [LIGHT, DARK]
    listener.deleteLater()
