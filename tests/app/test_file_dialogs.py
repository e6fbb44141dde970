"""The dialogs for files: they are made once, stay, and know nothing of what was asked before."""

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QListView,
    QPushButton,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fsdesk.app.dialogs.files import ask_file


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


def test_two_dialogs_serve_all_who_ask(window: QWidget, tmp_path: Path) -> None:
    for turn in range(3):
        for save in ("csv", ""):
            ask_file(window, f"asked{turn}", "Asked", tmp_path, str, save=save)
            press(shown(window), QDialogButtonBox.StandardButton.Cancel)
    assert len(window.findChildren(QFileDialog)) == 2


def test_a_dialog_closed_is_not_destroyed(window: QWidget, tmp_path: Path) -> None:
    """Qt writes what it keeps of a dialog when that is destroyed, and waits for the disk."""
    ask_file(window, "asked", "Asked", tmp_path, str)
    dialog = shown(window)
    press(dialog, QDialogButtonBox.StandardButton.Cancel)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert shiboken6.isValid(dialog)
    assert not dialog.isVisible()


def test_each_one_is_told_what_was_chosen_for_it_alone(window: QWidget, tmp_path: Path) -> None:
    first: list[str] = []
    second: list[str] = []
    ask_file(window, "first", "First", tmp_path / "one.csv", first.append, save="csv")
    press(shown(window), QDialogButtonBox.StandardButton.Cancel)
    ask_file(window, "second", "Second", tmp_path / "two.csv", second.append, save="csv")
    QTest.keyClicks(field(shown(window)), "three")  # takes the place of the name that is proposed
    press(shown(window), QDialogButtonBox.StandardButton.Save)
    assert first == []
    assert second == [str(tmp_path / "three.csv")]


def test_nothing_is_left_of_what_was_asked_before(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "a.csv").touch()
    (tmp_path / "b.toml").touch()
    ask_file(window, "tables", "Tables", tmp_path, str, kinds="Tables (*.csv);;All files (*)")
    dialog = shown(window)
    views = [dialog.findChild(QListView, "listView"), dialog.findChild(QTreeView, "treeView")]
    files = next(each for each in views if isinstance(each, QAbstractItemView) and each.isVisible())
    qtbot.waitUntil(lambda: not files.visualRect(files.model().index(0, 0, files.rootIndex())).isEmpty())
    at = files.visualRect(files.model().index(0, 0, files.rootIndex())).center()
    QTest.mouseClick(files.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert field(dialog).text() == "a.csv"
    press(dialog, QDialogButtonBox.StandardButton.Cancel)
    ask_file(window, "settings", "Settings", tmp_path, str, kinds="Settings (*.toml)")
    dialog = shown(window)
    assert (dialog.objectName(), dialog.windowTitle()) == ("settings", "Settings")
    assert dialog.nameFilters() == ["Settings (*.toml)"]
    assert field(dialog).text() == ""
    assert not files.selectionModel().hasSelection()


def test_a_folder_can_be_asked_for_between_files(window: QWidget, tmp_path: Path) -> None:
    told: list[str] = []
    ask_file(window, "folder", "Folder", tmp_path, told.append, folder=True)
    assert shown(window).fileMode() == QFileDialog.FileMode.Directory
    shown(window).accept()
    assert told == [str(tmp_path)]
    ask_file(window, "file", "File", tmp_path, told.append)
    assert shown(window).fileMode() == QFileDialog.FileMode.ExistingFile


def test_the_nearest_folder_there_is_takes_the_place_of_one_that_is_gone(window: QWidget, tmp_path: Path) -> None:
    ask_file(window, "gone", "Gone", tmp_path / "gone" / "farther", str)
    assert shown(window).directory().absolutePath() == str(tmp_path)
    assert field(shown(window)).text() == ""


def test_who_is_gone_is_not_told(window: QWidget, tmp_path: Path) -> None:
    told: list[str] = []
    asker = QPushButton(window)
    ask_file(asker, "asked", "Asked", tmp_path, told.append, folder=True)
    dialog = shown(window)
    asker.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    dialog.accept()
    assert told == []
