"""Files that hold several tables: which one is read is said, and another is a click away."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import xlsxwriter
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from .conftest import WindowDriver

SHEETS = {"Pilot": (30, "pilot"), "Measured": (60, "study")}


def _book(path: Path) -> Path:
    """A workbook with two tables and a note."""
    with xlsxwriter.Workbook(str(path)) as book:
        for name, (rows, prefix) in SHEETS.items():
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, [f"{prefix}1", f"{prefix}2", "kind"])
            for row in range(rows):
                sheet.write_row(row + 1, 0, [row * 7 % 11, row * 5 % 13, ("ill", "well")[row % 2]])
        book.add_worksheet("About").write_row(0, 0, ["made by hand"])
    return path


def _store(path: Path) -> Path:
    """An HDF5 file with the same two tables."""
    with h5py.File(path, "w") as file:
        for name, (rows, _) in SHEETS.items():
            values = np.arange(rows)[:, None] * (7.0, 5.0) % (11, 13)
            file[f"{name}/x"], file[f"{name}/y"] = values, np.arange(rows) % 2
    return path


@pytest.mark.parametrize(
    ("make", "name", "parts"),
    [(_book, "study.xlsx", ("Pilot", "Measured")), (_store, "study.h5", ("Measured/x", "Pilot/x"))],
    ids=["sheets", "matrices"],
)
async def test_another_table_of_the_file_is_one_click_away(
    driver: WindowDriver, make: Callable[[Path], Path], name: str, parts: tuple[str, str]
) -> None:
    path = make(driver.root / name)
    first, other = parts
    rows = {part: SHEETS[part.removesuffix("/x")][0] for part in parts}

    def is_open(part: str) -> bool:
        table = driver.session.loader.table
        return table is not None and table.part == part and driver.session.loader.dataset is not None

    driver.window.open_path(path)
    await driver.until(lambda: is_open(first))
    assert not driver.window.messages.messages
    page = driver.window.workspace.data
    chosen = page.reading.part
    assert chosen.isVisible()
    assert [chosen.itemText(place) for place in range(chosen.count())] == list(parts)
    assert chosen.currentText() == first

    QTest.mouseClick(driver.child(QPushButton, "fix_part_0"), Qt.MouseButton.LeftButton)  # in the list of checks
    await driver.until(lambda: is_open(other))
    assert driver.session.loader.table is not None
    assert len(driver.session.loader.table.rows) == rows[other]
    assert chosen.currentText() == other

    chosen.setFocus()
    place = parts.index(first)
    QTest.keyClick(chosen, Qt.Key.Key_Home if place == 0 else Qt.Key.Key_End)  # and in the list above the form
    await driver.until(lambda: is_open(first))
    assert len(driver.session.loader.table.rows) == rows[first]
    driver.window.settings_commands.copy_command()
    field = "sheet" if name.endswith("xlsx") else "part"
    assert f"--read {field}={first}" in QApplication.clipboard().text()


async def test_a_file_with_one_table_offers_no_choice_of_tables(driver: WindowDriver) -> None:
    path = driver.root / "plain.csv"
    path.write_text("a,b,kind\n" + "".join(f"{row % 7},{row % 5},{'xy'[row % 2]}\n" for row in range(30)))

    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert not driver.window.workspace.data.reading.part.isVisible()
    assert driver.window.findChild(QPushButton, "fix_part_0") is None
