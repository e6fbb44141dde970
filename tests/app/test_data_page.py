"""What the data page does about a table: columns that describe samples, findings with fixes, ways of reading."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea

from fsdesk.data import read_table

from .conftest import Desk
from .data_scene import click, dataset_of, focus_name, links, opened, sentences, write_series, write_table


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
        box = desk.window.workspace.setup.data.target
        box.setCurrentText("stage")
        box.activated.emit(box.currentIndex())
        await desk.until(lambda: desk.session.loader.dataset is not None and not desk.session.tasks.working)
        dataset = dataset_of(desk)
        assert (dataset.target_name, dataset.features) == ("stage", ("g1", "g2", "g3"))
        assert dataset.fingerprint == read_table(path, "stage").fingerprint
        assert desk.session.loader.choices.ignore == ("age", "tissue")

        card = desk.window.workspace.data.columns
        for name, role, ignored in (
            ("age", "group", {"tissue"}),
            ("tissue", "group", {"age"}),  # the groups before are a description again
            ("tissue", "target", {"age", "stage"}),
        ):
            card.select(name)
            card.role.setCurrentIndex(card.role.findData(role))
            card.role.activated.emit(card.role.currentIndex())
            await desk.until(lambda: desk.session.loader.dataset is not None and not desk.session.tasks.working)
            assert set(desk.session.loader.choices.ignore) == ignored
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
        assert column in desk.window.workspace.data.columns_model.ignored  # the list has lost its tick
        assert fix not in links(desk)
        assert any("left out" in sentence for sentence in sentences(desk))
        await click(desk, f"undo_{fix}")
        assert dataset_of(desk).fingerprint == before.fingerprint
        assert fix in links(desk)
        assert f"undo_{fix}" not in links(desk)
        await click(desk, fix)
        undoing = desk.window.workspace.data.checks.findChildren(QPushButton, f"undo_{fix}")
        assert len([each for each in undoing if each.isVisible()]) == 1

    desk.play(scene)


def test_gaps_are_left_out_by_row_or_column_or_filled_in_by_a_click(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        before = await opened(desk, path)
        assert len(before.rows) == 60
        await click(desk, "fix_dropRows")
        assert len(dataset_of(desk).rows) == 58
        assert desk.window.workspace.data.columns.missing.currentData() == "drop rows"
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
        work = desk.session.loader.prepare(desk.session.loader.with_target("colour"))
        desk.session.tasks.begin(work, "preparing the data")
        await asyncio.sleep(0)  # it has begun, and is cancelled by the closing
        await desk.session.close()
        desk.session.tasks.begin(late(), "coming too late")
        await asyncio.sleep(0.05)
        assert begun == []
        assert not desk.session.tasks.working

    desk.play(scene)


def test_a_tick_that_waits_for_its_pause_is_not_lost_by_a_fix(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        model = desk.window.workspace.data.columns_model
        row = model.place("a")
        model.setData(model.index(row, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
        await click(desk, "fix_constant columns")
        assert set(desk.session.loader.choices.ignore) == {"a", "constant"}

    desk.play(scene)


def test_the_way_back_from_a_click_is_in_sight_and_has_the_focus(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await opened(desk, path)
        desk.window.resize(1280, 700)
        area = desk.window.workspace.data.checks.findChild(QScrollArea, "checkRows")
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
        link = desk.window.workspace.data.checks.findChild(QPushButton, "fix_dropRows")
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)  # every row of class y has a gap
        await desk.until(lambda: bool(desk.session.loader.refusal))
        await desk.until(lambda: focus_name() == "undo_refused")
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        await desk.until(lambda: desk.session.loader.dataset is not None and not desk.session.tasks.working)
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
