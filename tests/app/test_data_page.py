"""What the data page does about a table: columns that describe samples, findings with fixes, ways of reading."""

import asyncio
import gzip
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QPushButton, QScrollArea

from fsdesk.app.data.reading_card import fitting_settings
from fsdesk.app.data.table_models import PreviewModel
from fsdesk.data import Dataset, load_sample, read_table

from .conftest import Desk

SAMPLES = 24


def write_series(folder: Path) -> Path:
    """A GEO series matrix whose samples have a tissue (the target), a stage and an age."""

    def line(name: str, cells: object) -> str:
        return name + "\t" + "\t".join(f'"{cell}"' for cell in cells)  # type: ignore[attr-defined]

    ids = [f"GSM{place}" for place in range(SAMPLES)]
    lines = [
        line("!Sample_geo_accession", ids),
        line("!Sample_characteristics_ch1", [f"age: {40 + 3 * (place % 5)}" for place in range(SAMPLES)]),
        line("!Sample_characteristics_ch1", [f"stage: {('I', 'II', 'III')[place % 3]}" for place in range(SAMPLES)]),
        line(
            "!Sample_characteristics_ch1", [f"tissue: {'lung' if place % 2 else 'colon'}" for place in range(SAMPLES)]
        ),
        "!series_matrix_table_begin",
        line('"ID_REF"', ids),
        *(
            f'"g{gene}"\t' + "\t".join(f"{(7 * gene + 5 * at * gene) % 11}.5" for at in range(SAMPLES))
            for gene in (1, 2, 3)
        ),
        "!series_matrix_table_end",
    ]
    path = folder / "GSE5_series_matrix.txt.gz"
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    return path


def write_table(folder: Path) -> Path:
    """One constant column, one copy, gaps in two rows, patients measured now and then twice, a text column."""
    rows = ["a,copy,constant,gap,patient,colour,kind"]
    for at in range(60):
        patient = f"p{at - 1 if at in (7, 31) else at}"
        gap = "" if at in (3, 9) else f"{at % 13}.25"
        rows.append(f"{at % 7}.5,{at % 7}.5,4,{gap},{patient},{('red', 'blue')[at // 3 % 2]},{'xy'[at % 2]}")
    path = folder / "findings.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


async def opened(desk: Desk, path: Path) -> Dataset:
    desk.window.resize(1280, 900)
    desk.window.open_path(path)
    await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)
    return dataset_of(desk)


def dataset_of(desk: Desk) -> Dataset:
    assert desk.session.dataset is not None
    return desk.session.dataset


def sentences(desk: Desk) -> list[str]:
    return [text.text() for text in desk.window.bench.data.checks.findChildren(QLabel) if text.isVisible()]


async def click(desk: Desk, name: str) -> None:
    """Click a link of the checks and wait for the data set that it makes."""
    link = next(each for each in desk.window.bench.data.checks.findChildren(QPushButton, name) if each.isVisible())
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)


def focus_name() -> str:
    focus = QApplication.focusWidget()
    return focus.objectName() if focus is not None else ""


def links(desk: Desk) -> set[str]:
    found = desk.window.bench.data.checks.findChildren(QPushButton)
    return {each.objectName() for each in found if each.isVisible()}


def test_what_describes_samples_is_no_feature_as_on_the_command_line(desk: Desk) -> None:
    path = write_series(desk.root)

    async def scene() -> None:
        dataset = await opened(desk, path)
        assert dataset.target_name == "tissue"
        assert dataset.features == ("g1", "g2", "g3")
        assert dataset.fingerprint == read_table(path).fingerprint
        assert '"age", "stage" are left out.' in " ".join(sentences(desk))

    desk.play(scene)


def test_another_target_leaves_the_old_description_out_and_a_role_takes_one_in(desk: Desk) -> None:
    path = write_series(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        box = desk.window.bench.setup.data.target
        box.setCurrentText("stage")
        box.activated.emit(box.currentIndex())
        await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)
        dataset = dataset_of(desk)
        assert (dataset.target_name, dataset.features) == ("stage", ("g1", "g2", "g3"))
        assert dataset.fingerprint == read_table(path, "stage").fingerprint
        assert desk.session.choices.ignore == ("age", "tissue")

        card = desk.window.bench.data.columns
        for name, role, ignored in (
            ("age", "group", {"tissue"}),
            ("tissue", "group", {"age"}),  # the groups before are a description again
            ("tissue", "target", {"age", "stage"}),
        ):
            card.select(name)
            card.role.setCurrentIndex(card.role.findData(role))
            card.role.activated.emit(card.role.currentIndex())
            await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)
            assert set(desk.session.choices.ignore) == ignored
            assert dataset_of(desk).features == ("g1", "g2", "g3")
        assert dataset_of(desk).target_name == "tissue"

    desk.play(scene)


def test_descriptions_become_features_by_a_click_and_back_by_another(desk: Desk) -> None:
    path = write_series(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        await click(desk, "fix_described")
        assert dataset_of(desk).features == ("g1", "g2", "g3", "age", "stage")
        await click(desk, "fix_describing")
        assert dataset_of(desk).features == ("g1", "g2", "g3")

    desk.play(scene)


@pytest.mark.parametrize(("fix", "column"), [("fix_constant columns", "constant"), ("fix_duplicated columns", "copy")])
def test_a_useless_column_goes_by_a_click_and_comes_back_at_the_same_place(desk: Desk, fix: str, column: str) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        before = await opened(desk, path)
        assert column in before.features
        await click(desk, fix)
        assert column not in dataset_of(desk).features
        assert column in desk.window.bench.data.columns_model.ignored  # the list has lost its tick
        assert fix not in links(desk)
        assert any("left out" in sentence for sentence in sentences(desk))
        await click(desk, f"undo_{fix}")
        assert dataset_of(desk).fingerprint == before.fingerprint
        assert fix in links(desk)
        assert f"undo_{fix}" not in links(desk)
        await click(desk, fix)
        undoing = desk.window.bench.data.checks.findChildren(QPushButton, f"undo_{fix}")
        assert len([each for each in undoing if each.isVisible()]) == 1

    desk.play(scene)


def test_gaps_are_left_out_by_row_or_column_or_filled_in_by_a_click(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        before = await opened(desk, path)
        assert len(before.rows) == 60
        await click(desk, "fix_dropRows")
        assert len(dataset_of(desk).rows) == 58
        assert desk.window.bench.data.columns.missing.currentData() == "drop rows"
        await click(desk, "fix_dropColumns")
        assert "gap" not in dataset_of(desk).features
        assert {"fix_fillIn", "fix_dropRows"} <= links(desk)
        await click(desk, "fix_fillIn")
        assert dataset_of(desk).fingerprint == before.fingerprint

    desk.play(scene)


def test_text_is_left_out_and_coded_again_by_a_click(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        before = await opened(desk, path)
        await click(desk, "fix_nominal")
        assert "colour" not in dataset_of(desk).features
        await click(desk, "fix_encode")
        assert dataset_of(desk).fingerprint == before.fingerprint

    desk.play(scene)


def test_names_that_come_twice_become_groups_of_rows_by_a_click(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        before = await opened(desk, path)
        assert before.groups is None
        await click(desk, "fix_group")
        groups = dataset_of(desk).groups
        assert groups is not None
        assert groups[6] == groups[7]  # p6 was measured twice
        assert groups.max() == 57
        await click(desk, "undo_fix_group")
        assert dataset_of(desk).groups is None

    desk.play(scene)


def test_nothing_is_begun_once_the_session_is_closed(desk: Desk) -> None:
    path = write_table(desk.root)
    begun: list[str] = []

    async def late() -> None:
        begun.append("late")

    async def scene() -> None:
        await opened(desk, path)
        work = desk.session.prepare(desk.session.with_target("colour"))
        desk.session.begin(work, "preparing the data")
        await asyncio.sleep(0)  # it has begun, and is cancelled by the closing
        await desk.session.close()
        desk.session.begin(late(), "coming too late")
        await asyncio.sleep(0.05)
        assert begun == []
        assert not desk.session.working

    desk.play(scene)


def test_a_tick_that_waits_for_its_pause_is_not_lost_by_a_fix(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        model = desk.window.bench.data.columns_model
        row = model.place("a")
        model.setData(model.index(row, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
        await click(desk, "fix_constant columns")
        assert set(desk.session.choices.ignore) == {"a", "constant"}

    desk.play(scene)


def test_the_way_back_from_a_click_is_in_sight_and_has_the_focus(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        desk.window.resize(1280, 700)
        area = desk.window.bench.data.checks.findChild(QScrollArea, "checkRows")
        bar = area.verticalScrollBar()
        await desk.until(lambda: bar.maximum() > 0)
        link = area.findChild(QPushButton, "fix_duplicated columns")
        area.ensureWidgetVisible(link)
        await click(desk, "fix_duplicated columns")
        await desk.until(lambda: focus_name() == "undo_fix_duplicated columns")
        assert bar.value() == 0  # what was done is the first line
        await click(desk, "undo_fix_duplicated columns")
        await desk.until(lambda: focus_name().startswith("fix_"))

    desk.play(scene)


def test_a_change_that_is_refused_is_taken_back_by_a_click(desk: Desk) -> None:
    path = desk.root / "gaps.csv"
    rows = [f"{at % 7}.5,{'' if at % 2 else at % 5},{'xy'[at % 2]}" for at in range(40)]
    path.write_text("\n".join(["a,gap,kind", *rows]) + "\n", encoding="utf-8")

    async def scene() -> None:
        before = await opened(desk, path)
        link = desk.window.bench.data.checks.findChild(QPushButton, "fix_dropRows")
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)  # every row of class y has a gap
        await desk.until(lambda: bool(desk.session.refusal))
        await desk.until(lambda: focus_name() == "undo_refused")
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)
        assert dataset_of(desk).fingerprint == before.fingerprint
        assert "undo_refused" not in links(desk)

    desk.play(scene)


def test_text_among_numbers_is_told_until_its_columns_are_left_out(desk: Desk) -> None:
    path = desk.root / "mixed.csv"
    rows = [
        f"{at % 7}.5,{'<0.1' if at == 4 else at % 5},{'n.d.' if at == 9 else at % 3},{'xy'[at % 2]}" for at in range(40)
    ]
    path.write_text("\n".join(["a,dose,level,kind", *rows]) + "\n", encoding="utf-8")

    async def scene() -> None:
        await opened(desk, path)
        told = "2 columns hold numbers but for some text and so are taken as text"
        assert told in " ".join(sentences(desk))
        await click(desk, "fix_text among numbers")
        assert dataset_of(desk).features == ("a",)
        assert told not in " ".join(sentences(desk))
        await click(desk, "undo_fix_text among numbers")
        assert told in " ".join(sentences(desk))

    desk.play(scene)


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
        await desk.until(lambda: desk.session.table is not None and not desk.session.working)
        QTest.mouseClick(desk.child(QPushButton, "browseLabels"), Qt.MouseButton.LeftButton)
        dialog = desk.child(QFileDialog, "labelsDialog")
        dialog.fileSelected.emit(str(labels))
        dialog.close()
        await desk.until(lambda: desk.session.dataset is not None and desk.session.dataset.target_name == "kind")
        assert dataset_of(desk).classes == ("a", "b")
        assert dataset_of(desk).target_name == "kind"

    desk.play(scene)


def test_a_change_of_how_the_file_is_read_shows_in_the_table_by_itself(desk: Desk) -> None:
    path = desk.root / "odd.csv"
    path.write_text("a;b;kind\n" + "\n".join(f"{at},5;{at % 3};{'xy'[at % 2]}" for at in range(30)), encoding="utf-8")

    async def scene() -> None:
        await opened(desk, path)
        page = desk.window.bench.data
        page.form.put({"header": "no"})
        await desk.until(lambda: desk.session.table is not None and len(desk.session.table.rows) == 31)
        page.form.put({"header": "yes", "delimiter": "comma"})
        await desk.until(lambda: desk.session.options.delimiter == "comma")
        page.form.put({"delimiter": "auto"})  # while the table of before is on its way
        await desk.until(lambda: desk.session.table is not None and desk.session.table.columns == ("a", "b", "kind"))
        await desk.until(lambda: not desk.session.working)

    desk.play(scene)


def test_who_changes_how_the_file_is_read_by_keyboard_stays_there(desk: Desk) -> None:
    path = desk.root / "odd.csv"
    path.write_text("a;b;kind\n" + "\n".join(f"{at},5;{at % 3};{'xy'[at % 2]}" for at in range(30)), encoding="utf-8")

    async def scene() -> None:
        await opened(desk, path)
        assert desk.window.focusWidget() is desk.window.bench.run
        box = desk.child(QComboBox, "read_header")
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Down)
        QTest.keyClick(box, Qt.Key.Key_Down)
        await desk.until(lambda: desk.session.options.header == "no" and desk.session.dataset is not None)
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
        page = desk.window.bench.data
        page.pick("1_at")
        about = desk.child(QLabel, "columnDescription")
        await desk.until(lambda: about.text() == "TP53")
        across, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        assert page.preview_model.headerData(0, across, tip) == "1_at: TP53"
        page.pick("2_at")
        await desk.until(about.isHidden)

    desk.play(scene)


def test_a_wide_table_is_shown_whole(qapp: object) -> None:
    table = load_sample("genes")
    model = PreviewModel()
    model.show_table(table)
    assert (model.rowCount(), model.columnCount()) == table.values.shape
    last = len(table.columns) - 1
    assert model.place(table.columns[last]) == last


def test_in_a_low_window_checks_scroll_and_no_card_is_cut(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        desk.window.resize(960, 520)
        await asyncio.sleep(0.1)
        page = desk.window.bench.data
        bars = page.target.bars
        assert bars.height() >= bars.sizeHint().height()
        assert page.preview.viewport().height() >= 3 * 28  # three rows of the table
        rows = desk.child(QScrollArea, "checkRows")
        assert rows.verticalScrollBar().maximum() > 0

    desk.play(scene)


def test_a_ticked_column_that_is_no_feature_says_so_and_is_not_counted(desk: Desk) -> None:
    rows = "\n".join(f"{row % 7},note {row},{'xy'[row % 2]}" for row in range(40))
    path = desk.root / "notes.csv"
    path.write_text(f"value,note,class\n{rows}\n", encoding="utf-8")

    async def scene() -> None:
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.dataset is not None)
        columns = desk.window.bench.data.columns
        await desk.until(lambda: columns.count.text() == "1 of 2 features")
        place = columns.model.place("note")
        assert columns.model.index(place, 1).data() == "set aside"
        assert columns.model.index(columns.model.place("value"), 1).data() == "number"

    desk.play(scene)


def test_a_column_that_is_set_aside_is_not_called_a_feature(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        card = desk.window.bench.data.columns
        card.select("patient")
        assert card.role.drawn == "Set aside"
        assert card.role.currentIndex() == -1
        card.select("gap")
        assert card.role.drawn == "Feature"
        card.select("patient")
        card.assign("group")
        await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)
        assert card.role.drawn == "Groups of rows"

    desk.play(scene)


def test_only_columns_that_can_take_part_have_a_tick(desk: Desk) -> None:
    async def scene() -> None:
        path = desk.root / "patients.csv"
        rows = [f"{1 + row},{row % 7},{row % 5},{'ill' if row % 2 else 'well'}" for row in range(40)]
        path.write_text("\n".join(["patient,gene1,gene2,outcome", *rows]), encoding="utf-8")
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.dataset is not None and not desk.session.working)
        model = desk.window.bench.data.columns_model
        box = Qt.ItemDataRole.CheckStateRole
        ticks = {model.name(row): model.data(model.index(row, 0), box) for row in range(model.rowCount())}
        ticked = Qt.CheckState.Checked
        assert ticks == {"patient": None, "gene1": ticked, "gene2": ticked, "outcome": None}
        place = model.index(model.place("patient"), 0)
        assert not place.flags() & Qt.ItemFlag.ItemIsUserCheckable
        assert "the checks say why" in model.data(place, Qt.ItemDataRole.ToolTipRole)

    desk.play(scene)


def test_columns_out_of_sight_get_their_widths_too(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("genes")
        page = desk.window.bench.data
        header, usual = page.preview.horizontalHeader(), page.preview.horizontalHeader().defaultSectionSize()
        letters = page.preview.fontMetrics().horizontalAdvance("0") * len("gene_00499")
        await desk.until(lambda: header.sectionSize(499) > letters)
        assert all(header.sectionSize(section) != usual for section in range(500))
        assert header.sectionSize(500) == usual

    desk.play(scene)


def test_a_name_is_cut_by_the_letters_it_is_drawn_with_and_only_where_it_is_very_long(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.window.show_page("data")
        page = desk.window.bench.data
        header, names = page.preview.horizontalHeader(), page.preview_model.column_name
        long, short = (next(at for at in range(14) if names(at).startswith(name)) for name in ("od280", "alcalin"))
        await desk.until(lambda: header.sectionSize(long) > 200)
        drawn = header.sectionSizeHint(long) - header.sectionSizeHint(short)
        known = header.fontMetrics().horizontalAdvance(names(long)) - header.fontMetrics().horizontalAdvance(
            names(short)
        )
        assert abs(drawn - known) <= 1  # else the first letter of a name at the right is cut off
        assert all(header.sectionSize(at) >= header.sectionSizeHint(at) for at in range(14))

    desk.play(scene)


def test_what_is_known_of_the_table_before_is_not_shown_beside_a_large_one(desk: Desk) -> None:
    path, read = write_table(desk.root), threading.Event()

    async def scene() -> None:
        await desk.open_sample("wine")
        page, session = desk.window.bench.data, desk.session
        session.table_changed.connect(lambda: session.disk.submit(read.wait, 60))  # as if the columns were long
        try:
            session.begin(session.open_path(path), "opening", subject="open")
            await desk.until(lambda: session.path == path and page.columns_model.rowCount() == 0)
            assert not page.target.isVisible()
            assert not page.columns.count.text()
        finally:
            read.set()
        await desk.until(lambda: page.columns_model.rowCount() == len(session.table.columns))
        await desk.until(lambda: session.dataset is not None and page.target.isVisible())
        assert page.target.heading.text() == f"Target: {session.dataset.target_name}"

    desk.play(scene)


def test_a_narrow_window_shows_the_pages_and_cuts_no_card(desk: Desk) -> None:
    """As one of 1280 x 800 at 175 % scaling: the words of the tool bar give way, the side takes what it needs."""

    async def scene() -> None:
        window = desk.window
        window.setMinimumSize(1, 1)
        window.resize(1280, 700)
        await desk.open_sample("wine")
        words = [action.isSeparator() and action.isVisible() for action in window.tools.actions()]
        assert sum(words) == 2
        window.resize(720, 430)
        await desk.until(lambda: window.width() == 720)
        await desk.until(lambda: window.tools.rect().contains(window.pages.geometry()))
        assert window.pages.isVisible()
        side = window.bench.data.side
        await desk.until(lambda: side.isVisible() and side.widget().width() <= side.viewport().width())
        assert side.width() < 400
        window.resize(1280, 700)
        await desk.until(lambda: side.width() == 400)
        assert [action.isSeparator() and action.isVisible() for action in window.tools.actions()] == words

    desk.play(scene)
