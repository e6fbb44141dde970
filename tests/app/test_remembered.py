"""What the window remembers: recent files, pinned or gone; how the room is divided; and what may be dropped on it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QSplitter, QTableView, QToolButton

from fsdesk.app.session.table_loader import Answer
from fsdesk.app.window import keep_layout

from .conftest import WindowDriver
from .test_open import write_table


def names(driver: WindowDriver) -> list[str]:
    return [row.accessibleName().partition(":")[0] for row in driver.window.welcome.recent.rows]


def test_a_pinned_file_stays_first_and_one_that_is_gone_says_so(driver: WindowDriver) -> None:
    first, second, third = (write_table(driver.root, f"{name}.csv") for name in ("first", "second", "third"))
    for path in (first, second, third):
        driver.session.recent.add(path)
    driver.window.go_back()
    assert names(driver) == ["third.csv", "second.csv", "first.csv"]
    driver.child(QToolButton, "recentPin_2").click()
    assert names(driver) == ["first.csv", "third.csv", "second.csv"]
    third.unlink()
    driver.window.go_back()
    gone = driver.window.welcome.recent.rows[1]
    assert not gone.isEnabled()
    assert "not found" in gone.accessibleName()
    assert driver.session.recent.paths() == [second, first]
    assert len(driver.window.actions_.recent_menu.actions()) == 4  # two files, a line, and the way to clear them
    driver.child(QToolButton, "recentRemove_1").click()
    assert names(driver) == ["first.csv", "second.csv"]
    driver.window.actions_.recent_menu.actions()[-1].trigger()
    assert names(driver) == ["first.csv"]
    driver.child(QToolButton, "recentPin_0").click()  # unpinned and cleared: it is forgotten
    assert names(driver) == []
    assert second.is_file()


def test_the_list_survives_many_files_and_a_list_of_one(driver: WindowDriver) -> None:
    recent = driver.session.recent
    paths = [driver.root / f"{number}.csv" for number in range(20)]
    for path in paths:
        path.touch()
        recent.add(path)
        driver.store.sync()
    assert recent.paths() == paths[:7:-1]
    recent.clear()
    recent.add(paths[0])
    driver.store.sync()
    assert [file.path for file in recent.files()] == [paths[0]]


def drop(driver: WindowDriver, urls: list[QUrl]) -> None:
    data = QMimeData()
    data.setUrls(urls)
    buttons = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(9, 9), *buttons)
    driver.window.dragEnterEvent(enter)
    assert enter.isAccepted()
    driver.window.dropEvent(QDropEvent(QPointF(QPoint(9, 9)), *buttons))
    assert driver.window.drop_hint.isHidden()


@pytest.mark.parametrize(
    ("dropped", "words"),
    [
        (["a.csv", "b.csv"], "contains the labels"),
        (["a.csv", "b.csv", "c.csv"], "None of the 3 files was opened"),
        (["a.csv", "b.fsdesk"], "None of the 2 files was opened"),
        ([""], "is a folder"),
        (["http://example.org/a.csv"], "Download the file first"),
    ],
    ids=["two tables", "several", "a project among them", "folder", "from the net"],
)
def test_what_cannot_be_opened_by_dropping_gets_a_sentence(
    driver: WindowDriver, dropped: list[str], words: str
) -> None:
    urls = [QUrl(each) if "://" in each else QUrl.fromLocalFile(str(driver.root / each)) for each in dropped]
    drop(driver, urls)
    (message,) = driver.window.messages.messages
    assert words in message.sentence
    assert message.role == "error"


async def test_a_file_that_hovers_over_a_table_is_welcome_until_it_leaves(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(driver.root / "a.csv"))])
    buttons = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    driver.window.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), *buttons))
    assert driver.window.drop_hint.isVisible()
    assert driver.window.rect().contains(driver.window.drop_hint.geometry())
    driver.window.dragLeaveEvent(QDragLeaveEvent())
    assert driver.window.drop_hint.isHidden()


def test_a_dropped_project_is_opened(another_driver: Callable[[], WindowDriver]) -> None:
    driver = another_driver()

    async def scene() -> None:
        await driver.open_sample("wine")
        kept: Path = driver.root / "kept.fsdesk"
        await driver.session.save_as(kept)
        await driver.session.leave_project()
        drop(driver, [QUrl.fromLocalFile(str(kept))])
        await driver.until(lambda: driver.session.project is not None)

    driver.play(scene)


def test_splitters_and_columns_are_as_they_were_left(
    another_driver: Callable[[], WindowDriver], tmp_path: Path
) -> None:
    first = another_driver()

    async def scene() -> None:
        first.window.resize(1280, 800)
        await first.open_sample("wine")
        first.window.show_page("search")
        first.child(QSplitter, "across").setSizes([500, 400])
        first.child(QTableView, "features").horizontalHeader().resizeSection(2, 137)
        keep_layout(first.window.workspace, first.store)

    first.play(scene)
    first.store.sync()
    (tmp_path / "driver1").mkdir()
    shutil.copy(first.root / "settings.ini", tmp_path / "driver1" / "settings.ini")
    second = another_driver()

    async def look() -> None:
        second.window.resize(1280, 800)
        await second.open_sample("wine")
        second.window.show_page("search")
        left, right = second.child(QSplitter, "across").sizes()
        kept = [int(part) for part in str(first.store.value("layout/splitters/across")).split(",")]
        assert abs(left / (left + right) - kept[0] / sum(kept)) < 0.05
        assert second.child(QTableView, "features").horizontalHeader().sectionSize(2) == 137

    second.play(look)


def test_the_start_screen_names_what_a_recent_project_found(driver: WindowDriver) -> None:
    window, session = driver.window, driver.session
    recent = session.recent
    path = driver.root / "kept.fsdesk"
    path.write_bytes(b"")
    recent.add(path)
    recent.note_answer(path, Answer("sepsis", "Error", "15.10 %", 9, 13, 3))
    file = next(each for each in recent.files() if each.path == path)
    assert file.answer == Answer("sepsis", "Error", "15.10 %", 9, 13, 3)
    driver.window.go_back()
    row = next(each for each in window.welcome.recent.rows if each.accessibleName().startswith("kept"))
    assert "sepsis: Error 15.10 % on held-out rows with 9 of 13 features; 3 runs" in row.accessibleName()
    recent.remove(path)
    recent.note_answer(driver.root / "another.fsdesk", None)  # what is not listed any more is forgotten
    recent.add(path)
    assert next(each for each in recent.files() if each.path == path).answer is None
    recent.remove(path)
    session.store.setValue("recent/answers", "no JSON")
    assert all(each.answer is None for each in recent.files())
