"""What the window remembers: recent files, pinned or gone; how the room is divided; and what may be dropped on it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QSplitter, QTableView, QToolButton

from fsdesk.app.window import keep_layout

from .conftest import Desk
from .test_open import write_table


def names(desk: Desk) -> list[str]:
    return [row.accessibleName().partition(":")[0] for row in desk.window.welcome.recent_rows]


def test_a_pinned_file_stays_first_and_one_that_is_gone_says_so(desk: Desk) -> None:
    first, second, third = (write_table(desk.root, f"{name}.csv") for name in ("first", "second", "third"))
    for path in (first, second, third):
        desk.session.recent.add(path)
    desk.window._show_recent()
    assert names(desk) == ["third.csv", "second.csv", "first.csv"]
    desk.child(QToolButton, "recentPin_2").click()
    assert names(desk) == ["first.csv", "third.csv", "second.csv"]
    third.unlink()
    desk.window._show_recent()
    gone = desk.window.welcome.recent_rows[1]
    assert not gone.isEnabled()
    assert "not found" in gone.accessibleName()
    assert desk.session.recent.paths() == [second, first]
    assert len(desk.window.actions_.recent_menu.actions()) == 4  # two files, a line, and the way to clear them
    desk.child(QToolButton, "recentRemove_1").click()
    assert names(desk) == ["first.csv", "second.csv"]
    desk.window.actions_.recent_menu.actions()[-1].trigger()
    assert names(desk) == ["first.csv"]
    desk.child(QToolButton, "recentPin_0").click()  # unpinned and cleared: it is forgotten
    assert names(desk) == []
    assert second.is_file()


def test_the_list_survives_many_files_and_a_list_of_one(desk: Desk) -> None:
    recent = desk.session.recent
    paths = [desk.root / f"{number}.csv" for number in range(20)]
    for path in paths:
        path.touch()
        recent.add(path)
        desk.store.sync()
    assert recent.paths() == paths[:7:-1]
    recent.clear()
    recent.add(paths[0])
    desk.store.sync()
    assert [file.path for file in recent.files()] == [paths[0]]


def drop(desk: Desk, urls: list[QUrl]) -> None:
    data = QMimeData()
    data.setUrls(urls)
    buttons = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(9, 9), *buttons)
    desk.window.dragEnterEvent(enter)
    assert enter.isAccepted()
    desk.window.dropEvent(QDropEvent(QPointF(QPoint(9, 9)), *buttons))
    assert desk.window.drop_hint.isHidden()


@pytest.mark.parametrize(
    ("dropped", "words"),
    [
        (["a.csv", "b.csv"], "one file at a time"),
        ([""], "is a folder"),
        (["http://example.org/a.csv"], "download it first"),
    ],
    ids=["several", "folder", "from the net"],
)
def test_what_cannot_be_opened_by_dropping_gets_a_sentence(desk: Desk, dropped: list[str], words: str) -> None:
    urls = [QUrl(each) if "://" in each else QUrl.fromLocalFile(str(desk.root / each)) for each in dropped]
    drop(desk, urls)
    (message,) = desk.window.messages.messages
    assert words in message.sentence
    assert message.role == "error"


def test_a_file_that_hovers_over_a_table_is_welcome_until_it_leaves(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(desk.root / "a.csv"))])
        buttons = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        desk.window.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), *buttons))
        assert desk.window.drop_hint.isVisible()
        assert desk.window.rect().contains(desk.window.drop_hint.geometry())
        desk.window.dragLeaveEvent(QDragLeaveEvent())
        assert desk.window.drop_hint.isHidden()

    desk.play(scene)


def test_a_dropped_project_is_opened(another_desk: Callable[[], Desk]) -> None:
    desk = another_desk()

    async def scene() -> None:
        await desk.open_sample("wine")
        kept: Path = desk.root / "kept.fsdesk"
        await desk.session.save_as(kept)
        await desk.session.leave_project()
        drop(desk, [QUrl.fromLocalFile(str(kept))])
        await desk.until(lambda: desk.session.project is not None)

    desk.play(scene)


def test_splitters_and_columns_are_as_they_were_left(another_desk: Callable[[], Desk], tmp_path: Path) -> None:
    first = another_desk()

    async def scene() -> None:
        first.window.resize(1280, 800)
        await first.open_sample("wine")
        first.window.show_page("search")
        first.child(QSplitter, "across").setSizes([500, 400])
        first.child(QTableView, "features").horizontalHeader().resizeSection(2, 137)
        keep_layout(first.window.workspace, first.store)

    first.play(scene)
    first.store.sync()
    (tmp_path / "desk1").mkdir()
    shutil.copy(first.root / "settings.ini", tmp_path / "desk1" / "settings.ini")
    second = another_desk()

    async def look() -> None:
        second.window.resize(1280, 800)
        await second.open_sample("wine")
        second.window.show_page("search")
        left, right = second.child(QSplitter, "across").sizes()
        kept = [int(part) for part in str(first.store.value("layout/splitters/across")).split(",")]
        assert abs(left / (left + right) - kept[0] / sum(kept)) < 0.05
        assert second.child(QTableView, "features").horizontalHeader().sectionSize(2) == 137

    second.play(look)
