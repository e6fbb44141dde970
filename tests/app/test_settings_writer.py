"""Settings reach the disk while the thread of the window is at something else."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QThread
from pytestqt.qtbot import QtBot

from fsdesk.app.look.settings_writer import write_elsewhere


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_setting_is_on_disk_without_a_turn_of_the_window(qtbot: QtBot, tmp_path: Path, elsewhere: bool) -> None:
    path = tmp_path / "settings.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    if elsewhere:
        write_elsewhere(store)
        assert store.thread() is not QThread.currentThread()
    for value in ("dark", "light"):
        store.setValue("view/theme", value)
        assert store.value("view/theme") == value
        deadline = time.monotonic() + (30 if elsewhere else 0.3)
        while (written := f"theme={value}" in _text(path)) is False and time.monotonic() < deadline:
            time.sleep(0.01)  # no event of this thread is served
        assert written is elsewhere


def test_what_changes_last_is_on_disk_after_the_window_has_asked_for_it(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    write_elsewhere(store)
    for number in range(50):
        store.setValue("number", number)
    store.sync()
    assert "number=49" in _text(path)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
