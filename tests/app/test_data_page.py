"""What the data page does about a table: columns that describe samples, findings with fixes, ways of reading."""

import asyncio
from dataclasses import replace

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea

from fsdesk import from_frame
from fsdesk.app.data_page.checks import _MAKERS, fixes_for, harm
from fsdesk.data import Check, read_table

from .conftest import WindowDriver
from .data_scene import click, dataset_of, focus_name, links, opened, sentences, write_series, write_table


async def test_what_describes_samples_is_no_feature_as_on_the_command_line_until_a_click(driver: WindowDriver) -> None:
    path = write_series(driver.root)

    dataset = await opened(driver, path)
    assert dataset.target_name == "tissue"
    assert dataset.features == ("g1", "g2", "g3")
    assert dataset.fingerprint == read_table(path, accept_reading=True).fingerprint
    assert '"age", "stage" are excluded.' in " ".join(sentences(driver))
    await click(driver, "fix_described")
    assert dataset_of(driver).features == ("g1", "g2", "g3", "age", "stage")
    await click(driver, "fix_describing")
    assert dataset_of(driver).features == ("g1", "g2", "g3")


async def test_another_target_leaves_the_old_description_out_and_a_role_takes_one_in(driver: WindowDriver) -> None:
    path = write_series(driver.root)

    await opened(driver, path)
    box = driver.window.workspace.setup.data.target
    box.setCurrentText("stage")
    box.activated.emit(box.currentIndex())
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    dataset = dataset_of(driver)
    assert (dataset.target_name, dataset.features) == ("stage", ("g1", "g2", "g3"))
    assert dataset.fingerprint == read_table(path, "stage").fingerprint
    assert driver.session.loader.choices.ignore == ("age", "tissue")

    card = driver.window.workspace.data.columns
    for name, role, ignored in (
        ("age", "group", {"tissue"}),
        ("tissue", "group", {"age"}),  # the groups before are a description again
        ("tissue", "target", {"age", "stage"}),
    ):
        card.select(name)
        card.role.setCurrentIndex(card.role.findData(role))
        card.role.activated.emit(card.role.currentIndex())
        await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
        assert set(driver.session.loader.choices.ignore) == ignored
        assert dataset_of(driver).features == ("g1", "g2", "g3")
    assert dataset_of(driver).target_name == "tissue"


async def test_findings_are_put_right_by_a_click_and_the_table_comes_back_by_another(driver: WindowDriver) -> None:
    before = await opened(driver, write_table(driver.root))
    columns = driver.window.workspace.data.columns
    for fix, column in (("fix_constant columns", "constant"), ("fix_duplicated columns", "copy")):
        assert column in before.features
        await click(driver, fix)
        assert column not in dataset_of(driver).features
        assert column in driver.window.workspace.data.columns_model.ignored  # the list has lost its tick
        assert fix not in links(driver)
        assert any("excluded" in sentence for sentence in sentences(driver))
        await click(driver, f"undo_{fix}")
        assert dataset_of(driver).fingerprint == before.fingerprint  # with the column at the same place
        assert fix in links(driver)
        assert f"undo_{fix}" not in links(driver)
        await click(driver, fix)
        undoing = driver.window.workspace.data.checks.findChildren(QPushButton, f"undo_{fix}")
        assert len([each for each in undoing if each.isVisible()]) == 1
        await click(driver, f"undo_{fix}")

    assert len(before.rows) == 60
    await click(driver, "fix_dropRows")
    assert len(dataset_of(driver).rows) == 58
    assert columns.missing.currentData() == "drop rows"
    await click(driver, "fix_dropColumns")
    assert "gap" not in dataset_of(driver).features
    assert {"fix_fillIn", "fix_dropRows"} <= links(driver)
    await click(driver, "fix_fillIn")
    assert dataset_of(driver).fingerprint == before.fingerprint

    await click(driver, "fix_nominal")
    assert "colour" not in dataset_of(driver).features
    await click(driver, "fix_encode")
    assert dataset_of(driver).fingerprint == before.fingerprint

    assert before.groups is None
    await click(driver, "fix_group")  # names that come twice
    groups = dataset_of(driver).groups
    assert groups is not None
    assert groups[6] == groups[7]  # p6 was measured twice
    assert groups.max() == 57
    await click(driver, "undo_fix_group")
    assert dataset_of(driver).groups is None


async def test_dates_become_the_time_by_a_click_in_the_order_of_their_days(driver: WindowDriver) -> None:
    path = driver.root / "visits.csv"
    rows = [f"{i % 7 / 10},{28 - i % 28}.{1 + i // 28}.2024,{'ab'[i % 2]}" for i in range(56)]
    path.write_text("\n".join(["x,visit,class", *rows]))

    assert (await opened(driver, path)).time is None
    await click(driver, "fix_time")
    time = dataset_of(driver).time
    assert time is not None
    assert time.tolist() == [*range(27, -1, -1), *range(55, 27, -1)]
    await click(driver, "undo_fix_time")
    assert dataset_of(driver).time is None


async def test_what_makes_errors_too_good_is_mended_by_a_click(driver: WindowDriver) -> None:
    path = driver.root / "leaks.csv"
    rows = [
        f"P{i // 3},{i % 7 / 10},{100 + 3 * i},{'D1' if i < 15 else 'D2'},{'a' if i < 15 else 'b'}" for i in range(36)
    ]
    path.write_text("\n".join(["who,x,lane,code,class", *rows]))

    assert (await opened(driver, path)).features == ("who", "x", "lane", "code")
    await click(driver, "fix_target among features")
    await click(driver, "fix_ordering columns")
    await click(driver, "fix_group")
    assert dataset_of(driver).features == ("x",)
    groups = dataset_of(driver).groups
    assert groups is not None
    assert groups.max() == 11


async def test_nothing_is_begun_once_the_session_is_closed(driver: WindowDriver) -> None:
    path = write_table(driver.root)
    begun: list[str] = []

    async def late() -> None:
        begun.append("late")

    await opened(driver, path)
    work = driver.session.loader.prepare(driver.session.loader.with_target("colour"))
    driver.session.tasks.begin(work, "preparing the data")
    await asyncio.sleep(0)  # it has begun, and is cancelled by the closing
    await driver.session.close()
    driver.session.tasks.begin(late(), "coming too late")
    await asyncio.sleep(0.05)
    assert begun == []
    assert not driver.session.tasks.working


async def test_a_tick_that_waits_for_its_pause_is_not_lost_by_a_fix(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    await opened(driver, path)
    model = driver.window.workspace.data.columns_model
    row = model.place("a")
    model.setData(model.index(row, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    await click(driver, "fix_constant columns")
    assert set(driver.session.loader.choices.ignore) == {"a", "constant"}


async def test_the_way_back_from_a_click_is_in_sight_and_has_the_focus(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    await opened(driver, path)
    driver.window.resize(1280, 700)
    area = driver.window.workspace.data.checks.findChild(QScrollArea, "checkRows")
    bar = area.verticalScrollBar()
    await driver.until(lambda: bar.maximum() > 0)
    link = area.findChild(QPushButton, "fix_duplicated columns")
    area.ensureWidgetVisible(link)
    await click(driver, "fix_duplicated columns")
    await driver.until(lambda: focus_name() == "undo_fix_duplicated columns")
    assert bar.value() == 0  # what was done is the first line
    await click(driver, "undo_fix_duplicated columns")
    await driver.until(lambda: focus_name().startswith("fix_"))


async def test_checks_stand_in_order_of_harm_the_worst_first_and_notes_last(driver: WindowDriver) -> None:
    path = driver.root / "harm.csv"
    rows = [
        f"{at},P{at // 2},{(at * 7) % 11}.5,{'' if at == 3 else at % 5},{int(at >= 50) + 0.5},{'ab'[at >= 50]}"
        for at in range(60)
    ]
    path.write_text("\n".join(["sample_id,patient,a,b,told,kind", *rows]) + "\n", encoding="utf-8")

    await opened(driver, path)
    words = (
        "determines the class",
        "has 10 of 60 rows",
        "only numbers the rows",
        "1 value is missing",
        "60 rows in 30",
    )
    said = sentences(driver)
    places = [next((place for place, sentence in enumerate(said) if each in sentence), None) for each in words]
    assert None not in places
    assert places == sorted(places, key=lambda place: place or 0)
    kinds = ("target among features", "possible ids", "rare class", "missing values", "row ids")
    assert [harm(kind) for kind in kinds] == sorted({harm(kind) for kind in kinds})  # each worse than the next


async def test_a_change_that_is_refused_is_taken_back_by_a_click(driver: WindowDriver) -> None:
    path = driver.root / "gaps.csv"
    rows = [f"{at % 7}.5,{'' if at % 2 else at % 5},{'xy'[at % 2]}" for at in range(40)]
    path.write_text("\n".join(["a,gap,kind", *rows]) + "\n", encoding="utf-8")

    before = await opened(driver, path)
    link = driver.window.workspace.data.checks.findChild(QPushButton, "fix_dropRows")
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)  # every row of class y has a gap
    await driver.until(lambda: bool(driver.session.loader.refusal))
    await driver.until(lambda: focus_name() == "undo_refused")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    assert dataset_of(driver).fingerprint == before.fingerprint
    assert "undo_refused" not in links(driver)


async def test_text_among_numbers_is_told_until_its_columns_are_left_out(driver: WindowDriver) -> None:
    path = driver.root / "mixed.csv"
    rows = [
        f"{at % 7}.5,{'low' if at == 4 else at % 5},{'1.2.3' if at == 9 else at % 3},{'xy'[at % 2]}" for at in range(40)
    ]
    path.write_text("\n".join(["a,dose,level,kind", *rows]) + "\n", encoding="utf-8")

    await opened(driver, path)
    told = "2 columns are read as text because some of their cells are not numbers"
    assert told in " ".join(sentences(driver))
    await click(driver, "fix_text among numbers")
    assert dataset_of(driver).features == ("a",)
    assert told not in " ".join(sentences(driver))
    await click(driver, "undo_fix_text among numbers")
    assert told in " ".join(sentences(driver))


@pytest.mark.parametrize("kind", sorted(_MAKERS))
def test_each_check_with_fixes_has_its_words(kind: str) -> None:
    columns = {"plate": ["A", "B"] * 10, "g": [0.3, 1.2, 5.5, 2.1, 4.4] * 4, "ill": ["n", "n", "y", "y"] * 5}
    table = from_frame(pd.DataFrame(columns), "ill").origin
    assert table is not None
    choices = replace(table.choices, ignore=())
    fixes = fixes_for(Check(kind, "A sentence.", ("plate",)), choices, table.table)
    assert all(fix.title and fix.tip for fix in fixes)
    if kind in ("uneven batches", "batches as features"):
        assert [fix.name for fix in fixes] == ["fix_folds", f"fix_{kind}"]
