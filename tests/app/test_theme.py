import pyqtgraph as pg
import pytest
from PySide6.QtGui import QColor

from fsdesk.app.palette import DARK, LIGHT, RUN_COLOURS, Tokens, contrast
from fsdesk.app.style import style_sheet

from .conftest import WindowDriver


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the well-known grey that just fails


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_leaves_no_token_unfilled(tokens: Tokens) -> None:
    assert "$" not in style_sheet(tokens, 10.0)


def test_the_colours_of_runs_can_be_seen_and_told_apart() -> None:
    for tokens in (LIGHT, DARK):
        colours = RUN_COLOURS[tokens.mode]
        assert len(set(colours)) == len(colours) == 7
        assert min(contrast(colour, tokens.surface) for colour in colours) >= 3


async def test_the_first_screen_changes_its_colours_as_a_whole(driver: WindowDriver) -> None:
    window = driver.window
    for choice, tokens in (("dark", DARK), ("light", LIGHT)):
        window.theme.choose(choice)
        below = window.grab().toImage().pixelColor(window.width() // 2, window.height() - 60)
        assert below.name() == QColor(tokens.canvas).name()


async def test_all_plots_and_heatmaps_take_the_colours(driver: WindowDriver) -> None:
    window = driver.window
    window.show_page("search")
    plots = window.workspace.findChildren(pg.PlotWidget)
    heatmap = window.workspace.search.heatmap
    assert len(plots) > 4
    for choice, tokens in (("dark", DARK), ("light", LIGHT)):
        window.theme.choose(choice)
        assert {plot.backgroundBrush().color().name() for plot in plots} == {tokens.surface}
        assert heatmap.tokens is tokens and heatmap.traces.tokens is tokens


async def test_a_choice_that_looks_the_same_changes_nothing(driver: WindowDriver) -> None:
    driver.theme.choose("light")
    seen: list[object] = []
    driver.theme.changed.connect(seen.append)
    driver.theme.choose("light")
    assert not seen
    driver.theme.choose("dark")
    assert seen == [DARK]
