"""Settings reach the disk while the thread of the window is at something else."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from fsdesk.app.look.settings_writer import written_elsewhere


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.ini"


def settings(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_setting_is_on_disk_without_a_turn_of_the_window(qtbot: QtBot, path: Path, elsewhere: bool) -> None:
    store = settings(path)
    if elsewhere:
        store = written_elsewhere(store)
    store.setValue("view/theme", "dark")
    assert store.value("view/theme") == "dark"
    deadline = time.monotonic() + (30 if elsewhere else 0.3)
    while (written := "theme=dark" in _text(path)) is False and time.monotonic() < deadline:
        time.sleep(0.01)  # no event of this thread is served
    assert written is elsewhere


def test_what_changes_while_it_is_written_is_written_next(qtbot: QtBot, path: Path) -> None:
    store = written_elsewhere(settings(path))
    for number in range(50):
        store.setValue("number", number)
        store.setValue(f"passing/{number}", "here")
        if number % 2:
            store.remove(f"passing/{number}")
        assert store.value("number") == number
    qtbot.waitUntil(lambda: "number=49" in _text(path) and "48=here" in _text(path), timeout=30_000)
    assert "49=here" not in _text(path)


def test_the_window_changes_nothing_of_qt_while_qt_writes(qtbot: QtBot, path: Path) -> None:
    """Qt would let it wait for the disk."""
    store = written_elsewhere(settings(path))
    beside = settings(path)  # shares what Qt knows of the file
    store.setValue("first", 1)
    store.setValue("second", 2)
    assert (store.value("first"), store.value("second")) == (1, 2)
    assert (beside.contains("first"), beside.contains("second")) == (True, False)
    qtbot.waitUntil(lambda: beside.contains("second"), timeout=30_000)


def test_what_changes_last_is_on_disk_after_the_window_has_asked_for_it(qtbot: QtBot, path: Path) -> None:
    store = written_elsewhere(settings(path))
    for number in range(50):
        store.setValue("number", number)
    store.sync()
    assert "number=49" in _text(path)


def test_what_is_forgotten_goes_with_what_is_below_it(qtbot: QtBot, path: Path) -> None:
    old = settings(path)
    for key in ("files/recent", "files/pinned", "file"):
        old.setValue(key, ["a", "b"])
    store = written_elsewhere(old)
    assert store.value("files/recent") == ["a", "b"]
    store.remove("files")
    assert [store.value(key, "none") for key in ("files/recent", "files/pinned", "file")] == [
        "none",
        "none",
        ["a", "b"],
    ]
    store.sync()
    assert settings(path).allKeys() == ["file"]


def test_what_another_window_wrote_is_known_after_the_next_writing(qtbot: QtBot, path: Path) -> None:
    store = written_elsewhere(settings(path))
    store.setValue("mine", 1)
    qtbot.waitUntil(lambda: "mine=1" in _text(path), timeout=30_000)
    path.write_text(_text(path) + "theirs=2\n", encoding="utf-8")
    store.setValue("mine", 3)
    qtbot.waitUntil(lambda: store.value("theirs") == "2", timeout=30_000)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
