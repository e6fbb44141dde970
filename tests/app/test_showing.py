"""Another size of the window and another run are shown part by part, and nothing of the old picture stays."""

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame

from fsdesk.app.look import showing
from fsdesk.app.look.veil import Patch

from .conftest import Desk
from .test_presented import told

_CARDS = {"errorCard", "heatmapCard", "featuresCard", "runsCard"}


class _Paintings(QObject):
    """Notes in which turn of the resizing which card was painted last."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.turn, self.seen = 0, dict[str, int]()
        for card in desk.window.bench.search.findChildren(QFrame):
            if card.objectName() in _CARDS:
                card.installEventFilter(self)
        desk.window.showing._turns.timeout.connect(self._count)

    def _count(self) -> None:
        self.turn += 1

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint:
            self.seen.setdefault(watched.objectName(), self.turn)
        return False


def shown(desk: Desk) -> QImage:
    """What is on the screen."""
    picture = desk.window.backingStore().paintDevice()
    assert isinstance(picture, QImage)
    return picture.convertToFormat(QImage.Format.Format_RGB32)


async def settled(desk: Desk) -> None:
    await desk.until(lambda: not desk.window.showing.showing)
    await asyncio.sleep(0.1)  # the plots take their room a little later


@pytest.mark.parametrize(
    "size", [QSize(1600, 1000), QSize(1000, 700), QSize(2560, 1440)], ids=lambda size: size.width()
)
def test_what_is_seen_after_another_size_is_what_a_new_picture_would_be(desk: Desk, size: QSize) -> None:
    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        await desk.open_sample()
        for page in ("data", "search", "result", "compare"):
            window.show_page(page)
            for each in (size, QSize(1280, 800)):
                window.resize(each)
                assert window.showing.showing
                await settled(desk)
                assert not window.findChildren(Patch)
                assert shown(desk) == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)

    desk.play(scene)


def test_the_old_picture_stays_until_the_parts_are_painted_in_turns(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "_SHOWN_SECONDS", -1.0)  # as on a very slow computer

    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        window.show_page("search")
        await settled(desk)
        old, paintings = shown(desk), _Paintings(desk)
        window.resize(1400, 900)
        window.repaint()
        assert paintings.seen.keys().isdisjoint(_CARDS)
        assert shown(desk).copy(0, 0, 1280, 800) == old
        assert shown(desk).pixelColor(1399, 899) == window.palette().window().color()
        await desk.until(lambda: not window.showing.showing)
        assert len({paintings.seen[name] for name in _CARDS}) == len(_CARDS)  # a turn for each

    desk.play(scene)


def test_while_a_border_is_dragged_every_part_is_painted_now_and_then(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "_SHOWN_SECONDS", -1.0)

    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        window.show_page("search")
        await settled(desk)
        paintings, wide = _Paintings(desk), 1280
        for _ in range(100):
            turn, wide = paintings.turn, wide + 2 if wide < 1500 else 1281
            window.resize(wide, 800)
            await desk.until(lambda turn=turn: paintings.turn > turn)  # type: ignore[misc]
            if paintings.seen.keys() >= _CARDS:
                break
        assert window.showing.showing  # no size was ever shown as a whole
        assert paintings.seen.keys() >= _CARDS
        await settled(desk)
        assert not window.findChildren(Patch)

    desk.play(scene)


def test_another_run_is_shown_in_turns_the_card_in_use_first(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "_SHOWN_SECONDS", -1.0)

    async def scene() -> None:
        window, page = desk.window, desk.window.bench.search
        window.resize(1280, 800)
        window.show_page("search")
        for number, losses in enumerate(([0.3, 0.1], [0.5, 0.4, 0.2]), 1):
            desk.session.runs.add(replace(told("error", losses, 0.4), id=number))
        page.show_run(desk.session.runs.by_id[1])
        await settled(desk)
        page.list.view.setFocus()
        await settled(desk)
        old, paintings = shown(desk), _Paintings(desk)
        page.list.view.setCurrentIndex(
            page.list.model.index(page.list.model.order.index(desk.session.runs.by_id[2]), 0)
        )
        assert page.run is desk.session.runs.by_id[2] and window.showing.showing
        window.repaint()
        assert paintings.seen.keys().isdisjoint(_CARDS) and shown(desk) == old
        await settled(desk)
        turns = sorted(_CARDS, key=lambda name: paintings.seen[name])
        assert turns[0] == "runsCard" and len({paintings.seen[name] for name in _CARDS}) == len(_CARDS)
        assert not window.findChildren(Patch)
        assert shown(desk) == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32) != old

    desk.play(scene)


def test_what_gets_another_place_when_the_settings_go_or_come_is_shown_in_turns(desk: Desk) -> None:
    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        window.show_page("search")
        for there in (False, True):
            await settled(desk)
            old = shown(desk)
            window.actions_["rail"].trigger()
            assert window.bench.setup.isVisible() is there and window.showing.showing
            await settled(desk)
            assert shown(desk) == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32) != old

    desk.play(scene)


def test_a_window_that_is_not_seen_has_no_picture_to_keep(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.hide()
        desk.window.resize(1111, 777)
        assert not desk.window.showing.showing

    desk.play(scene)


def test_another_theme_waits_while_another_size_is_shown(desk: Desk) -> None:
    """Dressing parts and painting others took 44 ms in one turn."""
    exchanged: list[bool] = []

    async def scene() -> None:
        window, theme = desk.window, desk.theme
        window.resize(1280, 800)
        window.show_page("search")
        await settled(desk)
        sheets = {id(each): each.styleSheet() for each in window.findChildren(QFrame) if each.objectName() in _CARDS}
        theme.choose("dark")
        window.resize(1600, 1000)
        while window.showing.showing:
            cards = [each for each in window.findChildren(QFrame) if id(each) in sheets]
            exchanged.append(any(each.styleSheet() != sheets[id(each)] for each in cards))
            await asyncio.sleep(0.002)
        await desk.until(lambda: not theme.changing)
        await settled(desk)
        assert all(each.styleSheet() != sheets[id(each)] for each in window.findChildren(QFrame) if id(each) in sheets)
        assert shown(desk) == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)

    desk.play(scene)
    assert exchanged
    assert not any(exchanged)


def test_a_message_that_comes_or_goes_has_the_pages_painted_in_turns(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them at another size in one turn took 30 ms."""
    monkeypatch.setattr(showing, "_SHOWN_SECONDS", -1.0)  # as on a very slow computer

    async def scene() -> None:
        window = desk.window
        window.resize(1280, 800)
        window.show_page("search")
        await settled(desk)
        for change in (lambda: window.messages.say("info", "Something"), window.messages.dismiss_all):
            seen = _Paintings(desk)
            change()
            await desk.until(lambda seen=seen: len(seen.seen) == len(_CARDS))
            await settled(desk)
            assert len(set(seen.seen.values())) == len(_CARDS)
            assert not window.findChildren(Patch)
            assert shown(desk) == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)

    desk.play(scene)
