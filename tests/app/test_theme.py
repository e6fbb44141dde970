import asyncio

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QFrame

from fsdesk.app.look import theme
from fsdesk.app.look.theme import palette, style_sheet
from fsdesk.app.look.tokens import DARK, LIGHT, RUN_COLOURS, Tokens, contrast
from fsdesk.app.look.veil import Patch

from .conftest import Desk


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the well-known grey that just fails


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_all_text_meets_wcag_aa_and_all_shapes_three_to_one(tokens: Tokens) -> None:
    colours = tokens.colours()
    for text, ground in tokens.text_pairs:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for shape, ground in tokens.shape_pairs:
        assert contrast(colours[shape], colours[ground]) >= 3.0, (shape, ground)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_leaves_no_token_unfilled(tokens: Tokens) -> None:
    assert "$" not in style_sheet(tokens, 10.0)


def test_light_and_dark_use_the_same_names() -> None:
    assert LIGHT.colours().keys() == DARK.colours().keys()
    assert LIGHT.colours() != DARK.colours()


def test_the_palette_is_the_tokens(qapp: object) -> None:
    assert palette(DARK).window().color().name() == DARK.canvas
    assert palette(LIGHT).text().color().name() == LIGHT.text


def test_the_colours_of_runs_can_be_seen_and_told_apart() -> None:
    for tokens in (LIGHT, DARK):
        colours = RUN_COLOURS[tokens.mode]
        assert len(set(colours)) == len(colours) == 7
        assert min(contrast(colour, tokens.surface) for colour in colours) >= 3


def test_the_first_screen_changes_its_colours_as_a_whole(desk: Desk) -> None:
    async def scene() -> None:
        window = desk.window
        for choice, tokens in (("dark", DARK), ("light", LIGHT)):
            window.theme.choose(choice)
            await desk.until(lambda: not window.theme.changing)
            below = window.grab().toImage().pixelColor(window.width() // 2, window.height() - 60)
            assert below.name() == QColor(tokens.canvas).name()

    desk.play(scene)


def test_all_plots_and_heatmaps_have_the_colours_before_the_new_look_is_seen(desk: Desk) -> None:
    async def scene() -> None:
        window = desk.window
        window.show_page("search")
        plots = window.bench.findChildren(pg.PlotWidget)
        heatmap = window.bench.search.heatmap
        assert len(plots) > 4
        for choice, tokens in (("dark", DARK), ("light", LIGHT)):
            window.theme.choose(choice)
            await desk.until(lambda: not window.theme.covering)
            assert {plot.backgroundBrush().color().name() for plot in plots} == {tokens.surface}
            assert heatmap.tokens is tokens and heatmap.traces.tokens is tokens
            await desk.until(lambda: not window.theme.changing)

    desk.play(scene)


def test_of_two_themes_in_a_row_the_last_one_stays(desk: Desk) -> None:
    async def scene() -> None:
        window = desk.window
        window.show_page("search")
        for turns in range(6):
            window.theme.choose("dark")
            for _ in range(turns):
                await asyncio.sleep(0)
            window.theme.choose("light")
            await desk.until(lambda: not window.theme.changing)
            colours = {plot.backgroundBrush().color().name() for plot in window.bench.findChildren(pg.PlotWidget)}
            assert colours == {LIGHT.surface}
            assert window.bench.search.heatmap.tokens is LIGHT

    desk.play(scene)


class _Paintings(QObject):
    """Notes in which turn of the theme which card was painted, and whether a part in view had the old sheet then."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.turn, self.seen, self.early = 0, dict[str, int](), False
        self._cards = [
            card for card in desk.window.bench.search.findChildren(QFrame)
            if card.property("surface") == "card" and card.isVisible()
        ]  # fmt: skip
        for card in self._cards:
            card.installEventFilter(self)
        desk.theme._turns.timeout.connect(self._count)

    def _count(self) -> None:
        self.turn += 1

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint:
            self.seen[watched.objectName()] = self.turn
            sheet = QApplication.instance().property("sheet")  # type: ignore[union-attr]
            self.early |= any(card.styleSheet() != sheet for card in self._cards)
        return False


def test_a_new_look_is_shown_in_turns_and_none_of_it_before_all_in_view_has_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(theme, "_SHOWN_SECONDS", -1.0)  # as on a very slow computer

    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        window.show_page("search")
        await desk.until(lambda: not window.theme.changing)
        for choice in ("dark", "light"):
            paintings = _Paintings(desk)
            window.theme.choose(choice)
            assert window.theme.covering and window.updatesEnabled()  # where a menu was, the window can be shown again
            await desk.until(lambda: not window.theme.changing)
            assert {"errorCard", "heatmapCard", "featuresCard", "runsCard"} <= paintings.seen.keys()
            assert len(set(paintings.seen.values())) > 1 and not paintings.early
            assert not window.findChildren(Patch)

    desk.play(scene)


def test_a_choice_that_looks_the_same_changes_nothing(desk: Desk) -> None:
    async def scene() -> None:
        desk.theme.choose("light")
        await desk.until(lambda: not desk.theme.changing)
        told: list[object] = []
        desk.theme.changed.connect(told.append)
        desk.theme.choose("system" if desk.theme._wanted() is LIGHT else "light")
        assert not desk.theme.changing and not desk.theme.covering and not told
        desk.theme.choose("dark")
        await desk.until(lambda: not desk.theme.changing)
        assert told == [DARK]

    desk.play(scene)


def test_another_size_shows_the_window_at_once(desk: Desk) -> None:
    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        window.show_page("search")
        window.theme.choose("dark")
        assert window.theme.covering
        window.resize(1200, 780)
        assert not window.theme.covering

    desk.play(scene)
