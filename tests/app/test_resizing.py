"""Another size of the window is shown part by part, and nothing of the old one stays."""

import asyncio

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame

from fsdesk.app.look import resizing
from fsdesk.app.look.veil import Patch

from .conftest import Desk

_CARDS = {"errorCard", "heatmapCard", "featuresCard", "runsCard"}


class _Paintings(QObject):
    """Notes in which turn of the resizing which card was painted last."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.turn, self.seen = 0, dict[str, int]()
        for card in desk.window.bench.search.findChildren(QFrame):
            if card.objectName() in _CARDS:
                card.installEventFilter(self)
        desk.window.resizing._turns.timeout.connect(self._count)

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
    await desk.until(lambda: not desk.window.resizing.showing)
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
                assert window.resizing.showing
                await settled(desk)
                assert not window.findChildren(Patch)
                assert shown(desk) == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)

    desk.play(scene)


def test_the_old_picture_stays_until_the_parts_are_painted_in_turns(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resizing, "_SHOWN_SECONDS", -1.0)  # as on a very slow computer

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
        await desk.until(lambda: not window.resizing.showing)
        assert len({paintings.seen[name] for name in _CARDS}) == len(_CARDS)  # a turn for each

    desk.play(scene)


def test_while_a_border_is_dragged_every_part_is_painted_now_and_then(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resizing, "_SHOWN_SECONDS", -1.0)

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
        assert window.resizing.showing  # no size was ever shown as a whole
        assert paintings.seen.keys() >= _CARDS
        await settled(desk)
        assert not window.findChildren(Patch)

    desk.play(scene)


def test_a_window_that_is_not_seen_has_no_picture_to_keep(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.hide()
        desk.window.resize(1111, 777)
        assert not desk.window.resizing.showing

    desk.play(scene)
