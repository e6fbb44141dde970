"""The compare page: the table of all runs, its best, its order, intervals, features by run, and taking it home."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from fsdesk.app.plots.interval_plot import IntervalPlot
from fsdesk.app.session.run import Run
from fsdesk.engine import Steered, pack_masks
from fsdesk.results.comparison import Comparison, Entry
from fsdesk.results.evidence import Fresh, OuterFold
from fsdesk.results.held_out_error import HonestError

from .conftest import WindowDriver
from .honest_scene import held_out
from .test_presented import told


def made(number: int, losses: list[float], seed: int, method: str = "bspsa", honest: tuple[float, ...] = ()) -> Run:
    run = told("error", losses, 0.4)
    spec = run.spec.model_copy(update={"seed": seed, "method": method, "data_fingerprint": "x"})
    made = Run(number, spec, run.created, run.state, measurements=run.measurements)
    assert run.state.best is not None
    made.evidence.append(Fresh(pack_masks([run.state.best.mask])[0], np.array([0.2, 0.3, 0.25])))
    made.evidence += [OuterFold(at, len(honest), 9, loss, 0.1, np.zeros(1, np.uint8)) for at, loss in enumerate(honest)]
    return made


async def found(driver: WindowDriver) -> None:
    driver.window.prepare()
    driver.session.tasks.disk.submit(int).result()  # its thread is not left by a test


@pytest.fixture
def compared(run_driver: WindowDriver) -> WindowDriver:
    window, page = run_driver.window, run_driver.window.workspace.compare
    run_driver.session.runs.replace([])
    for run in (
        made(1, [0.3, 0.1], 0),
        made(2, [0.3, 0.2], 1),
        made(3, [0.05, 0.3], 0, "bga", (0.3, 0.4)),
    ):
        run_driver.session.runs.add(run)
    window.show()
    window.show_page("compare")
    page.by.buttons["methods"].click()
    page.pictures.buttons["intervals"].click()
    page.view.clearSelection()
    page.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    page.refresh()
    return run_driver


def column(driver: WindowDriver, at: int) -> list[str]:
    model = driver.window.workspace.compare.model
    return [str(model.index(row, at).data()) for row in range(model.rowCount())]


def test_methods_stand_side_by_side_with_all_features_and_the_best_is_starred(compared: WindowDriver) -> None:
    assert compared.window.workspace.pages.currentWidget() is compared.window.workspace.compare
    assert column(compared, 1) == ["All features", "BSPSA", "Genetic algorithm"]
    assert column(compared, 3) == ["2", "2", "1"]
    # by hand: the mean of 10 and 20 %, and their standard deviation
    assert column(compared, 6) == ["40.00 ± 0.00 %", "15.00 ± 7.07 %", "5.00 %"]  # too good to call one the best
    assert column(compared, 4) == ["–", "–", "35.0 %"]  # nothing is known of a rival


def test_each_run_can_have_a_line_and_a_click_on_a_title_sorts_by_number(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    page.by.buttons["runs"].click()
    assert page.model.rowCount() == 5
    header = page.view.horizontalHeader()
    place = header.sectionViewportPosition(6) + 20
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, 8))
    shown = [float(text.strip("★ %")) for text in column(compared, 6)]
    assert shown == sorted(shown) or shown == sorted(shown, reverse=True)
    page.refresh()
    again = [float(text.strip("★ %")) for text in column(compared, 6)]
    assert again == shown  # the order stays while runs go on


def test_a_renamed_run_is_called_so_in_its_own_line_and_in_the_plot(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    compared.session.runs.by_id[3].name = "with all visits"
    page.by.buttons["runs"].click()
    assert column(compared, 1) == ["All features", "All features", "BSPSA", "BSPSA", "with all visits"]
    assert "with all visits" in page.intervals.names or not page.intervals.names
    page.by.buttons["methods"].click()
    assert "Genetic algorithm" in column(compared, 1)


def test_titles_name_the_criterion_where_it_is_no_error(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    assert "Held-out\nerror" in page.model.titles()
    entries = [replace(entry, criterion="concordance") for entry in page.comparison.entries()]
    page.model.show(Comparison.of(entries), each=False)
    assert page.model.titles()[4:7:2] == ["Concordance on held-out\nrows", "Concordance in the\nsearch"]
    page.refresh()


def test_the_lines_that_are_marked_stay_so_when_the_table_is_sorted_or_made_anew(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare

    def marked() -> tuple[list[str], object]:
        rows = page.view.selectionModel().selectedRows(1)
        return [str(index.data()) for index in rows], page.view.currentIndex().siblingAtColumn(1).data()

    page.view.selectRow(2)
    for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
        page.view.sortByColumn(1, order)
        assert marked() == (["Genetic algorithm"], "Genetic algorithm")
    page.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    page.refresh()
    assert marked() == (["Genetic algorithm"], "Genetic algorithm")
    page.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)  # as a third click on the title does
    assert column(compared, 1) == ["All features", "BSPSA", "Genetic algorithm"]


def test_intervals_are_drawn_of_the_chosen_lines_and_no_error_that_its_search_saw(
    compared: WindowDriver, qtbot: QtBot
) -> None:
    page = compared.window.workspace.compare
    qtbot.waitUntil(lambda: bool(page.intervals.names))  # they come in the turn after the table
    assert len(page.intervals.names) == 1  # the others have fresh folds only, of the rows that chose their features
    assert page.intervals.names[0].startswith("Genetic algorithm")
    x, _ = page.intervals.folds.getOriginalDataset()
    assert x.tolist() == pytest.approx([30, 40])
    x, _ = page.intervals.values.getOriginalDataset()
    assert x.tolist() == pytest.approx([35])
    assert "on held-out rows" in page.intervals.plot.getPlotItem().getAxis("bottom").labelText
    page.view.selectRow(1)
    assert "no held-out error" in page.nothing.text()
    assert page.values.heading.text() == "Held-out error"
    page.pictures.buttons["features"].click()
    assert page.frequency.isVisibleTo(page)
    assert page.values.heading.text() == "Features by run"  # these are of the search, not of held-out rows


def test_names_tell_variants_apart_as_soon_as_a_run_is_steered(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    assert column(compared, 1) == ["All features", "BSPSA", "Genetic algorithm"]
    compared.session.runs.by_id[1].state.steering_events.append(Steered(2, measurements=5))
    page.refresh()
    assert column(compared, 1) == ["All features", "BSPSA, changed by hand", "BSPSA", "Genetic algorithm"]


def test_lines_without_values_say_so_and_not_that_a_run_has_to_end(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    page.view.selectRow(column(compared, 1).index("All features"))
    assert "Select other rows" in page.nothing.text()
    assert page.nothing.isVisibleTo(page)


def test_many_runs_keep_their_seeds_and_say_how_many_there_are(qapp: QApplication) -> None:
    def entry(seed: int, unseen: HonestError | None) -> Entry:
        model = f"Nearest neighbors, Repeats {2 + seed % 2}, Distance Manhattan"
        return Entry(1, "sonar", "BSPSA", model, "error", seed, 0.1, 0.2, None, 5, 100, 1.0, unseen=unseen)

    known = HonestError("error", 0.2, 0.15, 0.27, all_features=0.22, difference=0.02)
    intervals = IntervalPlot()
    intervals.plot.resize(600, 340)
    said = intervals.show_entries([*(entry(seed, known) for seed in range(40)), entry(99, None)])
    assert len(intervals.names) == len(set(intervals.names)) == 17
    assert intervals.names[16].endswith("… · seed 16")
    assert said.startswith("First 17 of 40;")
    assert "1 more not shown" in said
    x, _ = intervals.all_features.getOriginalDataset()
    assert x.tolist() == pytest.approx([22] * 17)
    intervals.plot.resize(600, 730)
    assert intervals.show_entries([entry(seed, known) for seed in range(40)]).startswith("◇")
    assert len(intervals.names) == 40
    intervals.plot.close()


def test_lines_of_the_plot_are_named_by_what_differs(qapp: QApplication) -> None:
    def entry(method: str, model: str, seed: int = 0, data: str = "sonar") -> Entry:
        known = HonestError("error", 0.2, 0.15, 0.27, all_features=0.22, difference=0.02)
        return Entry(1, data, method, model, "error", seed, 0.1, 0.2, None, 5, 100, 1.0, unseen=known)

    intervals = IntervalPlot()
    intervals.plot.resize(600, 340)

    def names(*entries: Entry) -> list[str]:
        intervals.show_entries(entries)
        ((ticks),) = intervals.plot.getPlotItem().getAxis("left")._tickLevels
        assert [name for _, name in ticks] == intervals.names
        return intervals.names

    assert names(entry("BSPSA", "Linear SVM")) == ["BSPSA · Linear SVM · seed 0"]
    assert names(entry("Automatic", "Automatic"), entry("BSPSA", "Linear SVM")) == ["Automatic", "BSPSA · Linear SVM"]
    assert names(entry("BSPSA", "Linear SVM"), entry("BSPSA", "Linear SVM", 1)) == [
        "BSPSA · Linear SVM · seed 0",
        "BSPSA · Linear SVM · seed 1",
    ]
    long = "a clinical table with a long name"
    assert names(entry("BSPSA", "Nearest neighbors"), entry("BSPSA", "Nearest neighbors", data=long)) == [
        "BSPSA · Nearest neighbors · sonar",
        "BSPSA · Nearest neighbors · a clinical tabl…",
    ]
    intervals.plot.close()


def test_a_sentence_above_the_table_names_the_lowest_held_out_error_or_is_not_there(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    assert page.lead.isHidden()  # one run alone has a held-out error
    for number, (method, losses) in enumerate({"auto": [0.1] * 5, "sfs": [0.4] * 5}.items(), 4):
        run = made(number, [0.3, 0.1], 0, method)
        run.spec = run.spec.model_copy(update={"data_name": "other"})
        run.evidence += held_out(losses)
        compared.session.runs.add(run)
    page.refresh()
    assert page.lead.isVisibleTo(page)
    assert page.lead.text().startswith("other: Automatic has the lowest held-out error, 10.0 % with 2 features; SFS is")
    assert page.lead.y() < page.card.mapTo(page, QPoint(0, 0)).y()


def test_a_narrow_table_leaves_out_columns_and_needs_no_scrolling_sideways(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    compared.window.resize(1280, 800)
    for width in (1200, 900, 700):
        page.view.parentWidget().setFixedWidth(width)
        page.refresh()
        assert page.view.horizontalHeader().length() <= page.view.viewport().width(), width
    assert not page.view.isColumnHidden(4)


def test_the_columns_that_a_narrow_table_leaves_out_are_shown_when_asked_for(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    compared.window.resize(1280, 800)

    def hidden(width: int) -> set[int]:
        page.view.parentWidget().setFixedWidth(width)
        page.refresh()
        return {at for at in range(page.model.columnCount()) if page.view.isColumnHidden(at)}

    needless = hidden(3000)
    left_out = hidden(700) - needless
    assert left_out
    assert page.all_columns.isVisible()
    page.all_columns.click()
    assert not any(page.view.isColumnHidden(at) for at in left_out)
    page.refresh()
    assert not any(page.view.isColumnHidden(at) for at in left_out)
    page.all_columns.click()
    assert hidden(700) >= left_out
    assert hidden(3000) == needless
    assert not page.all_columns.isVisible()


async def test_beside_the_settings_of_a_narrow_window_the_table_fits(compared: WindowDriver) -> None:
    models = ("c45", "cart", "svm")
    for number, model in enumerate(models, 4):
        run = made(number, [0.3, 0.1], 0, "auto")
        run.spec = run.spec.model_copy(update={"wrapper": model, "data_name": f"a table with a long name, {model}"})
        run.evidence += held_out([0.1, 0.2])
        compared.session.runs.add(run)
    window, page = compared.window, compared.window.workspace.compare
    page.refresh()
    window.resize(960, 600)
    window.workspace.show_rail(True)
    for by in ("methods", "runs"):
        page.by.buttons[by].click()
        await asyncio.sleep(0.2)
        assert page.view.horizontalScrollBar().maximum() == 0
        shown = {at for at in range(page.model.columnCount()) if not page.view.isColumnHidden(at)}
        assert {0, 1, 2, 4} <= shown
        for row in range(page.model.rowCount()):
            for at in (0, 1, 2):
                index = page.model.index(row, at)
                assert index.data(Qt.ItemDataRole.ToolTipRole) == index.data()


def test_a_double_click_or_return_opens_the_run(compared: WindowDriver) -> None:
    page = compared.window.workspace.compare
    page.view.setCurrentIndex(page.model.index(2, 0))
    page.view.activated.emit(page.model.index(2, 0))
    shown = compared.window.run_commands.shown
    assert shown is not None
    assert shown.id == 3
    assert compared.window.workspace.pages.currentWidget() is compared.window.workspace.search


def test_the_table_is_copied_as_cells_and_as_a_table(compared: WindowDriver) -> None:
    compared.child(QAction, "compare_copy").trigger()
    data = QGuiApplication.clipboard().mimeData()
    head, *lines = (line.split("\t") for line in data.text().splitlines())
    assert head[4:7] == ["Error on held-out rows, %"] + [
        f"Error on held-out rows, %, interval {end}" for end in ("from", "to")
    ]
    assert head[10:12] == ["Error in the search, %", "Error in the search, %, standard deviation"]
    line = next(line for line in lines if line[1] == "BSPSA")
    assert line[2:4] == ["Nearest neighbors", "2"]
    assert [float(cell) for cell in line[10:12]] == pytest.approx(
        [15.0, 7.07], abs=0.005
    )  # numbers that can be added up
    assert "<table>" in data.html()


def test_the_table_is_saved_in_every_format(compared: WindowDriver, tmp_path: Path) -> None:
    async def scene(suffix: str) -> None:
        target = tmp_path / f"table.{suffix}"
        assert compared.child(QPushButton, "compareExport").isEnabled()
        compared.child(QAction, f"compare_{suffix}").trigger()
        dialog = compared.child(QFileDialog, "save_comparison")
        dialog.fileSelected.emit(str(target))
        dialog.reject()
        await compared.until(lambda: any(str(target) in each.sentence for each in compared.window.messages.messages))
        assert target.stat().st_size > 100
        await compared.until(lambda: not compared.session.tasks.working)

    for suffix in ("csv", "xlsx", "tex", "md", "html"):
        compared.play(partial(scene, suffix))


def test_without_runs_it_says_what_will_be_here(driver: WindowDriver) -> None:
    driver.window.prepare()
    driver.window.actions_["compare"].trigger()
    page = driver.window.workspace.compare
    assert not page.export.isEnabled()
    assert "Run (F5)" in page.card.invitation
