"""How a file is read, changed on the data page: what is offered, labels of a second file, the table that follows."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton

from fsdesk.app.data_page.data_page import fitting_settings
from fsdesk.data.options import CELLS

from .conftest import WindowDriver
from .data_scene import click, dataset_of, opened, sentences, write_table


@pytest.mark.parametrize(
    ("name", "fitting"),
    [
        ("a.parquet", {"orientation", "row_ids", *CELLS}),
        ("a.h5", {"part", "orientation", *CELLS}),
        ("a.mat", {"part", "orientation", *CELLS}),
        ("a.RData", {"part", "orientation", "row_ids", *CELLS}),
        ("a.rds", {"part", "orientation", "row_ids", *CELLS}),
        ("a.gct", {"encoding", "missing_values", "limits", "similar"}),
        ("a.svmlight.bz2", {"encoding", *CELLS}),
        ("a.arff.gz", {"encoding", *CELLS}),
        ("GSE5_series_matrix.txt.gz", {"encoding", "missing_values", "limits", "similar"}),
        (
            "a.csv.xz",
            {"delimiter", "decimal", "thousands", "encoding", "quotes", "first_line", "header", "below_header", *CELLS}
            | {"orientation", "measure", "row_ids"},
        ),
        (
            "a.xlsx",
            {
                "header",
                "below_header",
                "decimal",
                "thousands",
                "orientation",
                "measure",
                "sheet",
                "hidden",
                "row_ids",
                *CELLS,
            },
        ),
        ("a.jsonl.gz", {"part", "header", "orientation", "row_ids", "encoding", *CELLS}),
    ],
)
def test_only_the_ways_of_reading_that_matter_for_a_file_are_offered(name: str, fitting: set[str]) -> None:
    assert fitting_settings(name) == fitting | {"labels", "labels_by", "types", "replicates"}


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


async def test_a_table_of_genes_in_rows_is_turned_by_a_click_and_asks_for_its_labels(driver: WindowDriver) -> None:
    path, labels = driver.root / "genes.csv", driver.root / "labels.csv"
    rng = np.random.default_rng(0)
    samples = [f"s{at}" for at in range(12)]
    rows = [f"g{at}," + ",".join(f"{value:.3f}" for value in rng.normal(8, 1, 12)) for at in range(60)]
    path.write_text("\n".join([",".join(["gene", *samples]), *rows]))
    labels.write_text("\n".join(["sample,kind", *(f"{name},{'ab'[at % 2]}" for at, name in enumerate(samples))]))
    await opened(driver, path)

    def said() -> str:
        return " ".join(sentences(driver))

    async def read(columns: int) -> None:
        await driver.until(lambda: (table := driver.session.loader.table) and len(table.columns) == columns)
        await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)

    await driver.until(lambda: "samples seem to be in columns" in said())
    await click(driver, "fix_turn")
    await read(60)
    assert "No row contains class labels" in said()
    await click(driver, "undo_turn")
    await read(12)
    await click(driver, "fix_turn")
    await read(60)
    await click(driver, "fix_labels")
    dialog = driver.child(QFileDialog, "labelsDialog")
    dialog.fileSelected.emit(str(labels))
    dialog.close()
    await read(61)
    dataset = driver.session.loader.dataset
    assert dataset is not None
    assert (len(dataset.rows), len(dataset.features), dataset.classes) == (12, 60, ("a", "b"))
    assert "No row contains class labels" not in said()


async def test_an_ordinary_table_is_not_offered_to_be_turned(driver: WindowDriver) -> None:
    path = write_table(driver.root)
    await opened(driver, path)
    await driver.until(lambda: not driver.session.tasks.working)
    assert driver.window.findChild(QPushButton, "fix_turn") is None


async def test_labels_of_the_columns_turn_the_table_and_the_others_are_no_features(
    driver: WindowDriver,
) -> None:
    names = [f"s{at}" for at in range(12)]
    genes = "\n".join(f"g{row}," + ",".join(f"{(row * at) % 7}.5" for at in range(12)) for row in range(1, 6))
    (driver.root / "genes.csv").write_text(f"gene,{','.join(names)}\n{genes}\n", encoding="utf-8")
    labels = driver.root / "labels.csv"
    rows = "\n".join(f"{name},{'ab'[at % 2]},{30 + at // 2}" for at, name in enumerate(names))
    labels.write_text(f"id,kind,age\n{rows}\n", encoding="utf-8")
    driver.window.open_path(driver.root / "genes.csv")
    await driver.until(lambda: driver.session.loader.table is not None and not driver.session.tasks.working)
    loader = driver.session.loader
    await loader.read_with(loader.options.updated({"labels": str(labels)}), "labels")
    assert loader.options.orientation == "columns"
    assert loader.table is not None and loader.table.rows == tuple(names)
    for target in ("kind", "age", "kind"):
        await loader.prepare(loader.with_target(target))
        assert loader.dataset is not None
        assert (loader.dataset.target_name, loader.dataset.features) == (target, ("g1", "g2", "g3", "g4", "g5"))
