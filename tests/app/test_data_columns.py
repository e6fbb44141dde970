"""The columns of a table on the data page: ticks, widths, names, and room for them in small windows."""

import asyncio
import threading
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QScrollArea

from fsdesk.app.data_page import data_page
from fsdesk.app.data_page.data_page import PreviewModel
from fsdesk.app.session import table_loader
from fsdesk.data import Dataset, load_sample
from fsdesk.engine import RunRequest, RunSpec
from fsdesk.store import Project

from .conftest import WindowDriver
from .data_scene import opened, write_table


def test_a_wide_table_is_shown_whole(qapp: object) -> None:
    table = load_sample("genes")
    model = PreviewModel()
    model.show_table(table)
    assert (model.rowCount(), model.columnCount()) == table.values.shape
    last = len(table.columns) - 1
    assert model.place(table.columns[last]) == last


async def test_in_a_low_window_checks_scroll_and_no_card_is_cut(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    await opened(driver, path)
    driver.window.resize(960, 520)
    await asyncio.sleep(0.1)
    page = driver.window.workspace.data
    bars = page.target.bars
    assert bars.height() >= bars.sizeHint().height()
    assert page.preview.viewport().height() >= 3 * 28  # three rows of the table
    rows = driver.child(QScrollArea, "checkRows")
    assert rows.verticalScrollBar().maximum() > 0


async def test_a_ticked_column_that_is_no_feature_says_so_and_is_not_counted(driver: WindowDriver) -> None:
    rows = "\n".join(f"{row % 7},note {row},{'xy'[row % 2]}" for row in range(40))
    path = driver.root / "notes.csv"
    path.write_text(f"value,note,class\n{rows}\n", encoding="utf-8")

    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    columns = driver.window.workspace.data.columns
    await driver.until(lambda: columns.count.text() == "1 of 2 features")
    place = columns.model.place("note")
    assert columns.model.index(place, 1).data() == "excluded"
    assert columns.model.index(columns.model.place("value"), 1).data() == "number"


async def test_a_column_that_is_set_aside_is_not_called_a_feature(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    await opened(driver, path)
    card = driver.window.workspace.data.columns
    card.select("patient")
    assert card.role.drawn == "Excluded"
    assert card.role.currentIndex() == -1
    card.select("gap")
    assert card.role.drawn == "Feature"
    card.select("patient")
    card.assign("group")
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    assert card.role.drawn == "Groups of rows"


async def test_only_columns_that_can_take_part_have_a_tick(driver: WindowDriver) -> None:
    path = driver.root / "patients.csv"
    rows = [f"{1 + row},{row % 7},{row % 5},{'ill' if row % 2 else 'well'}" for row in range(40)]
    path.write_text("\n".join(["patient,gene1,gene2,outcome", *rows]), encoding="utf-8")
    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    model = driver.window.workspace.data.columns_model
    box = Qt.ItemDataRole.CheckStateRole
    ticks = {model.name(row): model.data(model.index(row, 0), box) for row in range(model.rowCount())}
    ticked = Qt.CheckState.Checked
    assert ticks == {"patient": None, "gene1": ticked, "gene2": ticked, "outcome": None}
    place = model.index(model.place("patient"), 0)
    assert not place.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert "see the checks" in model.data(place, Qt.ItemDataRole.ToolTipRole)


async def test_what_is_known_of_the_table_before_is_not_shown_beside_a_large_one(driver: WindowDriver) -> None:
    path, read = write_table(driver.root), threading.Event()

    await driver.open_sample("wine")
    page, session = driver.window.workspace.data, driver.session
    session.loader.table_changed.connect(
        lambda: session.tasks.disk.submit(read.wait, 60)
    )  # as if the columns were long
    try:
        session.tasks.begin(session.open_path(path), "opening", subject="open")
        await driver.until(lambda: session.loader.path == path and page.columns_model.rowCount() == 0)
        assert not page.target.isVisible()
        assert not page.columns.count.text()
    finally:
        read.set()
    await driver.until(lambda: page.columns_model.rowCount() == len(session.loader.table.columns))
    await driver.until(lambda: session.loader.dataset is not None and page.target.isVisible())
    assert page.target.heading.text() == f"Target: {session.loader.dataset.target_name}"


async def test_a_narrow_window_shows_the_pages_and_cuts_no_card(driver: WindowDriver) -> None:
    """As one of 1280 x 800 at 175 % scaling: the words of the tool bar give way, the side takes what it needs."""

    window = driver.window
    window.setMinimumSize(1, 1)
    window.resize(1280, 700)
    await driver.open_sample("wine")
    words = [action.isSeparator() and action.isVisible() for action in window.tools.actions()]
    assert sum(words) == 2
    window.resize(720, 430)
    await driver.until(lambda: window.width() == 720)
    await driver.until(lambda: window.tools.rect().contains(window.pages.geometry()))
    assert window.pages.isVisible()
    side = window.workspace.data.side
    await driver.until(lambda: side.isVisible() and side.widget().width() <= side.viewport().width())
    assert side.width() < 400
    window.resize(1280, 700)
    await driver.until(lambda: side.width() == 400)
    assert [action.isSeparator() and action.isVisible() for action in window.tools.actions()] == words


async def test_the_kind_of_a_column_is_never_cut(driver: WindowDriver, german: None) -> None:
    path = driver.root / "kinds.csv"
    lines = [f"kind {at % 84},{at},{'ab'[at % 2]}" for at in range(168)]
    path.write_text("\n".join(["sort,x,class", *lines]))
    await opened(driver, path)
    view = driver.window.workspace.data.columns.view
    await driver.until(lambda: view.model().rowCount() == 3)
    for row in range(3):
        assert view.columnWidth(1) >= view.sizeHintForIndex(view.model().index(row, 1)).width()


async def test_a_very_large_project_without_its_table_shows_all_features_and_says_what_to_do_to_change_them(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page, wide = driver.root / "wide.fsdesk", driver.window.workspace.data, 600
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(20, wide)))
    names = tuple(f"gene{place}" for place in range(wide))
    dataset = Dataset("wide", x, names, np.arange(20) % 2, "ill", ("no", "yes"), tuple(map(str, range(20))))
    with closing(Project.create(path)) as project:
        project.add_dataset(dataset)
        project.add_run(RunSpec.make(dataset, method="full"))
    monkeypatch.setattr(table_loader, "_MOST_COPIED", 0)
    for cells, shown in ((20 * wide, wide), (20 * 50, 50)):
        monkeypatch.setattr(data_page, "_MOST_CELLS", cells)
        await driver.session.open_project(path)
        await driver.until(lambda shown=shown: page.columns_model.rowCount() == shown + 1)
        await driver.until(lambda: page.columns.count.text() == "600 of 600 features")
        assert page.columns.kept.isVisibleTo(page)
        target = driver.child(QComboBox, "target")
        assert not target.isEnabled()
        assert "open the original table" in target.toolTip()
        await driver.open_sample("wine")
        await driver.until(lambda: page.columns_model.rowCount() == 14)
        assert not page.columns.kept.isVisibleTo(page)
        assert target.isEnabled()
    await driver.session.open_project(path)  # shortly after a table, whose hiding of old columns is still to come
    await driver.until(lambda: page.columns_model.rowCount() == 51)
    await asyncio.sleep(2 * data_page._OLD_MS / 1000)
    assert page.columns_model.rowCount() == 51


async def test_the_target_and_roles_of_a_reopened_project_can_be_changed(driver: WindowDriver) -> None:
    window, session, page = driver.window, driver.session, driver.window.workspace.data
    path = driver.root / "clinic.csv"
    rng = np.random.default_rng(0)
    lines = [f"P{at // 2},{rng.normal():.3f},{rng.normal():.3f},{'abc'[at % 3]},{at % 2}" for at in range(60)]
    path.write_text("\n".join(["patient,crp,ldl,ward,ill", *lines]))
    await opened(driver, path)
    loader = session.loader
    loader.choose(replace(loader.choices, group="patient", ignore=("ldl",)))
    await driver.until(lambda: loader.dataset is not None and loader.dataset.features == ("crp", "ward"))
    before = loader.dataset.fingerprint
    await session.run(RunRequest(method="full", outer=0))
    await driver.until(lambda: all(run.phase == "finished" for run in session.runs))
    project = session.project.path
    await session.leave_project()
    loader.close_table()
    path.unlink()

    await session.open_project(project)
    window.show_page("data")
    await driver.until(lambda: page.columns_model.rowCount() == 5 and page.columns.kept.isVisible())
    assert "original table" in page.columns.kept.text()
    assert loader.dataset.fingerprint == before
    assert loader.dataset.role_names == {"groups": "patient"}
    assert page.columns_model.role("patient") == "group"
    assert page.columns_model.role("ldl") == "ignored"
    assert not page.questions.shown
    target = driver.child(QComboBox, "target")
    assert target.isEnabled()
    assert target.currentText() == "ill"

    page.pick("ldl")
    page.columns.assign("feature")
    await driver.until(lambda: loader.dataset is not None and loader.dataset.features == ("crp", "ldl", "ward"))
    target.setCurrentText("ward")
    target.activated.emit(target.currentIndex())
    await driver.until(lambda: loader.dataset is not None and loader.dataset.target_name == "ward")
    await session.run(RunRequest(method="full", outer=0))
    await driver.until(lambda: len(list(session.runs)) == 2 and all(run.phase == "finished" for run in session.runs))
    window.show_page("data")
    session.history.undo()
    session.history.undo()
    await driver.until(lambda: loader.dataset is not None and loader.dataset.fingerprint == before)

    await session.open_project(project)  # with the newer of the two data sets
    await driver.until(lambda: loader.dataset is not None and loader.dataset.target_name == "ward")
    await driver.until(lambda: page.columns_model.rowCount() == 5)
    assert target.currentText() == "ward"
    assert loader.origin.whole


async def test_a_project_without_its_table_says_what_it_lacks_and_can_be_changed(driver: WindowDriver) -> None:
    path, page = driver.root / "old.fsdesk", driver.window.workspace.data
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(20, 3)))
    halves = np.arange(20) // 2
    dataset = Dataset("old", x, ("a", "b", "c"), np.arange(20) % 2, "ill", ("no", "yes"), tuple(map(str, range(20))),
                      groups=halves)  # fmt: skip
    with closing(Project.create(path)) as project:
        project.add_dataset(dataset)
        project.add_run(RunSpec.make(dataset, method="full"))
    await driver.session.open_project(path)
    driver.window.show_page("data")
    await driver.until(lambda: page.columns_model.rowCount() == 5 and page.columns.kept.isVisible())
    assert "does not contain excluded columns" in page.columns.kept.text()
    assert page.columns_model.role("group") == "group"
    loader = driver.session.loader
    assert loader.dataset.fingerprint == dataset.fingerprint
    page.pick("group")
    page.columns.assign("ignored")
    await driver.until(lambda: loader.dataset is not None and loader.dataset.groups is None)
