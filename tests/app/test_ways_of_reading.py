"""How a file is read, changed on the data page: what is offered, labels of a second file, the table that follows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton

from fsdesk.app.data_page.data_page import fitting_settings

from .conftest import WindowDriver
from .data_scene import dataset_of, opened


@pytest.mark.parametrize(
    ("name", "fitting"),
    [
        ("a.parquet", {"orientation", "row_ids", "labels"}),
        ("a.h5", {"part", "orientation", "labels"}),
        ("a.mat", {"part", "orientation", "labels"}),
        ("a.RData", {"part", "orientation", "row_ids", "labels"}),
        ("a.rds", {"part", "orientation", "row_ids", "labels"}),
        ("a.gct", {"encoding", "labels"}),
        ("a.svmlight.bz2", {"encoding", "labels"}),
        ("a.arff.gz", {"encoding", "labels"}),
        ("GSE5_series_matrix.txt.gz", {"encoding", "labels"}),
        ("a.csv.xz", {"delimiter", "decimal", "encoding", "header", "orientation", "labels", "row_ids"}),
        ("a.xlsx", {"header", "orientation", "labels", "sheet", "row_ids"}),
    ],
)
def test_only_the_ways_of_reading_that_matter_for_a_file_are_offered(name: str, fitting: set[str]) -> None:
    assert fitting_settings(name) == fitting


async def test_a_labels_file_is_chosen_and_joined(driver: WindowDriver) -> None:
    rows = "\n".join(f"s{at},{at % 7}.5,{at * 5 % 11}.25" for at in range(40))
    (driver.root / "values.csv").write_text(f"id,x,y\n{rows}\n", encoding="utf-8")
    labels = driver.root / "labels.csv"
    labels.write_text("id,kind\n" + "\n".join(f"s{at},{'ab'[at % 2]}" for at in range(40)) + "\n", encoding="utf-8")

    driver.window.resize(1280, 1100)
    driver.window.open_path(driver.root / "values.csv")
    await driver.until(lambda: driver.session.loader.table is not None and not driver.session.tasks.working)
    QTest.mouseClick(driver.child(QPushButton, "browseLabels"), Qt.MouseButton.LeftButton)
    dialog = driver.child(QFileDialog, "labelsDialog")
    dialog.fileSelected.emit(str(labels))
    dialog.close()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.target_name == "kind"
    )
    assert dataset_of(driver).classes == ("a", "b")
    assert dataset_of(driver).target_name == "kind"


async def test_a_change_of_how_the_file_is_read_shows_in_the_table_by_itself(driver: WindowDriver) -> None:
    path = driver.root / "odd.csv"
    path.write_text("a;b;kind\n" + "\n".join(f"{at},5;{at % 3};{'xy'[at % 2]}" for at in range(30)), encoding="utf-8")

    await opened(driver, path)
    page = driver.window.workspace.data
    page.form.put({"header": "no"})
    await driver.until(lambda: driver.session.loader.table is not None and len(driver.session.loader.table.rows) == 31)
    page.form.put({"header": "yes", "delimiter": "comma"})
    await driver.until(lambda: driver.session.loader.options.delimiter == "comma")
    page.form.put({"delimiter": "auto"})  # while the table of before is on its way
    await driver.until(
        lambda: driver.session.loader.table is not None and driver.session.loader.table.columns == ("a", "b", "kind")
    )
    await driver.until(lambda: not driver.session.tasks.working)


async def test_who_changes_how_the_file_is_read_by_keyboard_stays_there(driver: WindowDriver) -> None:
    path = driver.root / "odd.csv"
    path.write_text("a;b;kind\n" + "\n".join(f"{at},5;{at % 3};{'xy'[at % 2]}" for at in range(30)), encoding="utf-8")

    await opened(driver, path)
    assert driver.window.focusWidget() is driver.window.workspace.run
    box = driver.child(QComboBox, "read_header")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Down)
    await driver.until(
        lambda: driver.session.loader.options.header == "no" and driver.session.loader.dataset is not None
    )
    assert driver.window.focusWidget() is box


async def test_what_the_file_says_of_a_gene_is_shown_with_it(driver: WindowDriver) -> None:
    path = driver.root / "few.gct"
    samples = [f"s{at}" for at in range(12)]
    lines = ["#1.3", "2\t12\t1\t1", "\t".join(["id", "symbol", *samples]),
             "\t".join(["kind", "na", *("ab"[at % 2] for at in range(12))]),
             "\t".join(["1_at", "TP53", *(str(at * 7 % 5) for at in range(12))]),
             "\t".join(["2_at", "-666", *(str(at * 3 % 7) for at in range(12))])]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    await opened(driver, path)
    page = driver.window.workspace.data
    page.pick("1_at")
    about = driver.child(QLabel, "columnDescription")
    await driver.until(lambda: about.text() == "TP53")
    across, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    assert page.preview_model.headerData(0, across, tip) == "1_at: TP53"
    page.pick("2_at")
    await driver.until(about.isHidden)
