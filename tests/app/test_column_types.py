"""What a column holds, said from its context menu: kept, undone, and said."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QMenu, QPushButton, QTableWidget

from fsdesk.app.data_page.column_menu import CategoriesDialog, MissingDialog

from .conftest import WindowDriver
from .data_scene import sentences


def _written(folder: Path) -> Path:
    wards = ("ICU", "IMC", "general")
    rows = [f"P{row},{wards[row % 3]},{['I', 'II', 'III'][row % 3]},{1 + 7 * row % 11},{1 + row % 7},{'xy'[row % 2]}"
            for row in range(40)]  # fmt: skip
    path = folder / "patients.csv"
    path.write_text("\n".join(["patient,ward,stage,crp,grade,class", *rows]) + "\n", encoding="utf-8")
    return path


async def _opened(driver: WindowDriver) -> None:
    driver.window.resize(1280, 900)
    driver.window.open_path(_written(driver.root))
    await _settled(driver)


async def _settled(driver: WindowDriver) -> None:
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)


def _menu(driver: WindowDriver, column: str) -> QMenu:
    card = driver.window.workspace.data.columns
    card.select(column)
    assert card.current == column
    return card.menu()


def _choose(menu: QMenu, name: str) -> None:
    action = menu.findChild(QAction, name)
    assert action is not None, [each.objectName() for each in menu.findChildren(QAction)]
    assert action.isEnabled()
    action.trigger()


def _steps(driver: WindowDriver) -> list[str]:
    history = driver.session.history
    return [history.text(place) for place in range(history.count())]


async def test_a_type_is_said_undone_redone_and_kept_for_the_next_session(driver: WindowDriver) -> None:
    await _opened(driver)
    loader = driver.session.loader
    assert not loader.dataset.categories.get(loader.dataset.features.index("grade"))
    _choose(_menu(driver, "grade"), "type_category")
    await _settled(driver)
    assert loader.dataset.features.index("grade") in loader.dataset.categories
    assert any('as requested: "grade"' in said for said in sentences(driver))
    assert _steps(driver) == ["grade: Category"]
    assert driver.window.workspace.data.columns.current == "grade"
    driver.window.actions_["undo"].trigger()
    await driver.until(lambda: not loader.options.types)
    await _settled(driver)
    assert loader.dataset.features.index("grade") not in loader.dataset.categories
    driver.window.actions_["redo"].trigger()
    await driver.until(lambda: loader.options.types == "grade=category")
    await _settled(driver)
    path = loader.path
    await driver.session.open_path(path)
    await _settled(driver)
    assert loader.options.types == "grade=category"
    assert dict(loader.dataset.ways)["types"] == "grade=category"


async def test_what_columns_are_for_stays_when_one_becomes_something_else(driver: WindowDriver) -> None:
    await _opened(driver)
    loader, card = driver.session.loader, driver.window.workspace.data.columns
    card.select("ward")
    card.assign("group")
    await _settled(driver)
    card.select("crp")
    card.assign("ignored")
    await _settled(driver)
    _choose(_menu(driver, "crp"), "logarithm")
    await _settled(driver)
    assert loader.choices.group == "ward"
    assert loader.choices.ignore == ("log2(crp)",)
    for _ in range(3):  # at once, while the file is still being read
        driver.window.actions_["undo"].trigger()
    await driver.until(lambda: not loader.options.logarithms)
    await _settled(driver)
    assert (loader.choices.group, loader.choices.ignore) == (None, ())
    assert "crp" in loader.dataset.features


async def test_categories_are_merged_in_a_dialog_and_put_in_order(driver: WindowDriver) -> None:
    await _opened(driver)
    loader = driver.session.loader
    _choose(_menu(driver, "ward"), "categories")
    dialog = driver.window.findChild(CategoriesDialog)
    names = dialog.findChild(QTableWidget, "categoryNames")
    assert [names.item(row, 0).text() for row in range(3)] == ["ICU", "IMC", "general"]
    for row in (0, 1):
        names.item(row, 2).setText("intensive")
    QTest.mouseClick(dialog.findChild(QPushButton, "categoriesDialogOk"), Qt.MouseButton.LeftButton)
    await driver.until(lambda: loader.options.categories)
    await _settled(driver)
    assert loader.dataset.categories[loader.dataset.features.index("ward")] == ("general", "intensive")
    _choose(_menu(driver, "stage"), "type_ordered")
    dialog = driver.window.findChildren(CategoriesDialog)[-1]
    assert dialog.findChild(QCheckBox, "categoriesOrdered").isChecked()
    dialog.list.setCurrentCell(2, 2)
    dialog.findChild(QPushButton, "categoryUp").click()
    dialog.findChild(QPushButton, "categoriesDialogOk").click()
    await driver.until(lambda: loader.options.types)
    await _settled(driver)
    assert loader.options.types == "stage=ordered: I < III < II"
    assert loader.dataset.features.index("stage") not in loader.dataset.categories
    assert _steps(driver) == ["2 categories renamed: ward", "Order of the categories: stage"]


async def test_ids_name_the_rows_and_missing_values_are_said_for_one_column(driver: WindowDriver) -> None:
    await _opened(driver)
    loader = driver.session.loader
    _choose(_menu(driver, "grade"), "missingValues")
    dialog = driver.window.findChild(MissingDialog)
    field = dialog.findChild(QLineEdit, "missingWords")
    field.setText("a=b")
    dialog.findChild(QPushButton, "missingDialogOk").click()
    assert "equals sign" in dialog.trouble.words.text()
    field.setText("7")
    dialog.findChild(QPushButton, "missingDialogOk").click()
    await driver.until(lambda: loader.options.missing_values == "grade=7")
    await _settled(driver)
    assert '"7" in column "grade" is treated as missing, as requested.' in sentences(driver)


async def test_words_among_numbers_are_named_before_they_count_as_missing(driver: WindowDriver) -> None:
    path = driver.root / "words.csv"
    rows = [f"{'hemolyzed' if row % 4 == 0 else 'QNS' if row % 4 == 1 else row},{row % 5},{'xy'[row % 2]}"
            for row in range(40)]  # fmt: skip
    path.write_text("\n".join(["crp,other,class", *rows]), encoding="utf-8")
    driver.window.open_path(path)
    await _settled(driver)
    loader = driver.session.loader
    menu = _menu(driver, "crp")
    action = menu.findChild(QAction, "type_number")
    assert action.text() == 'Number: "QNS", "hemolyzed" are treated as missing'
    action.trigger()
    await driver.until(lambda: loader.options.types == "crp=number")
    await _settled(driver)
    assert loader.table.columns.index("crp") not in loader.table.categories


async def test_the_header_of_the_table_has_the_same_menu(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    await _opened(driver)
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)  # for which there is no screen
    page = driver.window.workspace.data
    header = page.preview.horizontalHeader()
    place = page.preview_model.place("stage")
    spot = QPoint(header.sectionViewportPosition(place) + 5, 5)
    header.customContextMenuRequested.emit(spot)
    menu = page.columns.view.findChild(QMenu, "columnMenu")
    assert menu is not None
    assert page.columns.current == "stage"
    assert menu.findChild(QMenu, "columnType") is not None


async def test_a_sample_has_no_file_to_read_in_another_way(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    menu = _menu(driver, "alcohol")
    assert menu.findChild(QMenu, "columnType") is None


async def test_cells_with_several_values_are_missing_where_the_column_is_said_to_be_numbers(
    driver: WindowDriver,
) -> None:
    path = driver.root / "several.tsv"
    several = {3: "4.2; 4.3", 17: "5.1; 5.0"}
    rows = [f"P{row}\t{several.get(row, f'{1 + row * 0.37:.2f}')}\t{row % 7}\t{'xy'[row % 2]}" for row in range(40)]
    path.write_text("\n".join(["patient\tcrp\tgrade\tclass", *rows]) + "\n", encoding="utf-8")
    driver.window.open_path(path)
    await _settled(driver)
    loader = driver.session.loader
    card = driver.window.workspace.data.questions
    assert [question.kind for question in card.shown] == ["word among numbers"]
    QTest.mouseClick(driver.child(QPushButton, "answer_0_1"), Qt.MouseButton.LeftButton)  # they are values
    await driver.until(lambda: loader.options.types == "crp=category")
    await _settled(driver)
    _choose(_menu(driver, "crp"), "type_number")
    await driver.until(lambda: loader.options.types == "crp=number, others missing")
    await _settled(driver)
    assert not card.isVisible()
    column = loader.dataset.x[:, loader.dataset.features.index("crp")]
    assert np.flatnonzero(np.isnan(column)).tolist() == [*several]
    number = _menu(driver, "crp").findChild(QAction, "type_number")
    assert number is not None and number.isChecked()
