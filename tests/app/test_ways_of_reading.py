"""How a file is read, changed on the data page: what is offered, labels of a second file, the table that follows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton

from fsdesk.app.data_page.reading_card import fitting_settings

from .conftest import Desk
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


def test_a_labels_file_is_chosen_and_joined(desk: Desk) -> None:
    rows = "\n".join(f"s{at},{at % 7}.5,{at * 5 % 11}.25" for at in range(40))
    (desk.root / "values.csv").write_text(f"id,x,y\n{rows}\n", encoding="utf-8")
    labels = desk.root / "labels.csv"
    labels.write_text("id,kind\n" + "\n".join(f"s{at},{'ab'[at % 2]}" for at in range(40)) + "\n", encoding="utf-8")

    async def scene() -> None:
        desk.window.resize(1280, 1100)
        desk.window.open_path(desk.root / "values.csv")
        await desk.until(lambda: desk.session.loader.table is not None and not desk.session.tasks.working)
        QTest.mouseClick(desk.child(QPushButton, "browseLabels"), Qt.MouseButton.LeftButton)
        dialog = desk.child(QFileDialog, "labelsDialog")
        dialog.fileSelected.emit(str(labels))
        dialog.close()
        await desk.until(
            lambda: desk.session.loader.dataset is not None and desk.session.loader.dataset.target_name == "kind"
        )
        assert dataset_of(desk).classes == ("a", "b")
        assert dataset_of(desk).target_name == "kind"

    desk.play(scene)


def test_a_change_of_how_the_file_is_read_shows_in_the_table_by_itself(desk: Desk) -> None:
    path = desk.root / "odd.csv"
    path.write_text("a;b;kind\n" + "\n".join(f"{at},5;{at % 3};{'xy'[at % 2]}" for at in range(30)), encoding="utf-8")

    async def scene() -> None:
        await opened(desk, path)
        page = desk.window.workspace.data
        page.form.put({"header": "no"})
        await desk.until(lambda: desk.session.loader.table is not None and len(desk.session.loader.table.rows) == 31)
        page.form.put({"header": "yes", "delimiter": "comma"})
        await desk.until(lambda: desk.session.loader.options.delimiter == "comma")
        page.form.put({"delimiter": "auto"})  # while the table of before is on its way
        await desk.until(
            lambda: desk.session.loader.table is not None and desk.session.loader.table.columns == ("a", "b", "kind")
        )
        await desk.until(lambda: not desk.session.tasks.working)

    desk.play(scene)


def test_who_changes_how_the_file_is_read_by_keyboard_stays_there(desk: Desk) -> None:
    path = desk.root / "odd.csv"
    path.write_text("a;b;kind\n" + "\n".join(f"{at},5;{at % 3};{'xy'[at % 2]}" for at in range(30)), encoding="utf-8")

    async def scene() -> None:
        await opened(desk, path)
        assert desk.window.focusWidget() is desk.window.workspace.run
        box = desk.child(QComboBox, "read_header")
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Down)
        QTest.keyClick(box, Qt.Key.Key_Down)
        await desk.until(lambda: desk.session.loader.options.header == "no" and desk.session.loader.dataset is not None)
        assert desk.window.focusWidget() is box

    desk.play(scene)


def test_what_the_file_says_of_a_gene_is_shown_with_it(desk: Desk) -> None:
    path = desk.root / "few.gct"
    samples = [f"s{at}" for at in range(12)]
    lines = ["#1.3", "2\t12\t1\t1", "\t".join(["id", "symbol", *samples]),
             "\t".join(["kind", "na", *("ab"[at % 2] for at in range(12))]),
             "\t".join(["1_at", "TP53", *(str(at * 7 % 5) for at in range(12))]),
             "\t".join(["2_at", "-666", *(str(at * 3 % 7) for at in range(12))])]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    async def scene() -> None:
        await opened(desk, path)
        page = desk.window.workspace.data
        page.pick("1_at")
        about = desk.child(QLabel, "columnDescription")
        await desk.until(lambda: about.text() == "TP53")
        across, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        assert page.preview_model.headerData(0, across, tip) == "1_at: TP53"
        page.pick("2_at")
        await desk.until(about.isHidden)

    desk.play(scene)
