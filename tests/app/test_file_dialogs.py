"""The dialogs that ask for files."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fsdesk.app.dialogs.dialog import ask_file, ask_path, keep_folder, last_folder


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


def shown(window: QWidget) -> QFileDialog:
    return next(each for each in window.findChildren(QFileDialog) if each.isVisible())


def field(dialog: QFileDialog) -> QLineEdit:
    found = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(found, QLineEdit)
    return found


def press(dialog: QFileDialog, which: QDialogButtonBox.StandardButton) -> None:
    box = dialog.findChild(QDialogButtonBox)
    assert isinstance(box, QDialogButtonBox)
    QTest.mouseClick(box.button(which), Qt.MouseButton.LeftButton)


def test_what_is_typed_takes_the_place_of_the_proposed_name(window: QWidget, tmp_path: Path) -> None:
    first: list[str] = []
    second: list[str] = []
    ask_file(window, "first", "First", tmp_path / "one.csv", first.append, save="csv")
    press(shown(window), QDialogButtonBox.StandardButton.Cancel)
    ask_file(window, "second", "Second", tmp_path / "two.csv", second.append, save="csv")
    QTest.keyClicks(field(shown(window)), "three")  # takes the place of the name that is proposed
    press(shown(window), QDialogButtonBox.StandardButton.Save)
    assert first == []
    assert second == [str(tmp_path / "three.csv")]


def test_a_folder_can_be_asked_for_between_files(window: QWidget, tmp_path: Path) -> None:
    chosen: list[str] = []
    ask_file(window, "folder", "Folder", tmp_path, chosen.append, folder=True)
    assert shown(window).fileMode() == QFileDialog.FileMode.Directory
    shown(window).accept()
    assert chosen == [str(tmp_path)]
    ask_file(window, "file", "File", tmp_path, chosen.append)
    assert shown(window).fileMode() == QFileDialog.FileMode.ExistingFile


def test_the_nearest_folder_there_is_takes_the_place_of_one_that_is_gone(window: QWidget, tmp_path: Path) -> None:
    ask_file(window, "gone", "Gone", tmp_path / "gone" / "farther", str)
    assert shown(window).directory().absolutePath() == str(tmp_path)
    assert field(shown(window)).text() == ""


def test_a_file_is_asked_for_in_the_folder_of_the_last_one(window: QWidget, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "one.csv").write_text("a\n1\n", encoding="utf-8")
    keep_folder(store, tmp_path / "before.csv")
    chosen: list[Path] = []
    ask_path(window, store, "First", chosen.append)
    assert Path(shown(window).directory().path()) == tmp_path
    shown(window).selectFile(str(folder / "one.csv"))
    shown(window).accept()
    assert chosen == [folder / "one.csv"]
    assert last_folder(store) == folder
