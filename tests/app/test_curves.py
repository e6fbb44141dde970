"""The curves of runs laid over one another: axes, smoothing, crosshair, picking by size, and taking them home."""

import gc
import re
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFileDialog, QToolButton

from fsdesk.app.plots.curve_controls import curve_names
from fsdesk.app.plots.error_plot import ErrorPlot
from fsdesk.app.session.run import Run
from fsdesk.app.translation import folded
from fsdesk.engine import BatchMeasured, pack_masks

from .conftest import WindowDriver
from .honest_scene import held_out
from .test_presented import told
from .test_run import run_to_the_end


def another(run: Run, number: int, seed: int) -> Run:
    return Run(
        number, run.spec.model_copy(update={"seed": seed}), run.created, run.state, measurements=run.measurements
    )


@pytest.fixture
def runs() -> list[Run]:
    first = told("error", [0.3, 0.2, 0.25, 0.1], 0.2, confirmed=True)
    return [first, another(told("error", [0.4, 0.35], 0.2), 2, 7), another(told("auc", [0.1, 0.2], 0.3), 3, 0)]


@pytest.fixture
def plot(themed: None, runs: list[Run]) -> Iterator[ErrorPlot]:
    made = ErrorPlot(lambda: runs)
    made.resize(700, 320)
    made.show_run(runs[0])
    yield made
    shiboken6.delete(made)


def test_a_check_mark_lays_a_run_over_the_one_that_is_shown(plot: ErrorPlot, runs: list[Run]) -> None:
    assert [trace.name for trace in plot.traces()] == ["BSPSA · seed 0 (run 1)"]
    plot.findChild(QCheckBox, "curve_2").click()
    assert runs[1].shown_in_curves
    assert [len(trace) for trace in plot.traces()] == [2, 4]  # the one that is shown is drawn last, above the others
    other = plot.findChild(QCheckBox, "curve_3")
    assert not other.isEnabled()
    assert "AUC" in other.toolTip()
    plot.findChild(QCheckBox, "curve_2").click()
    assert len(plot.traces()) == 1
    own = plot.findChild(QCheckBox, "curve_1")
    own.click()
    assert own.isChecked()  # what is looked at is always drawn


def test_curves_are_named_by_what_tells_them_apart_in_the_words_of_the_panel(runs: list[Run]) -> None:
    run = runs[0]
    tree = another(run, 9, run.spec.seed)
    tree.spec = run.spec.model_copy(update={"wrapper": "c45"})
    assert curve_names([run]) == {run.id: "BSPSA"}
    assert curve_names([run, tree]) == {run.id: "BSPSA · Nearest neighbors", 9: "BSPSA · Decision tree (C4.5)"}
    tree.name = "with a tree"
    assert curve_names([run, tree])[9] == "with a tree"
    tree.name = ""
    tree.spec = run.spec.model_copy(update={"wrapper": "auto", "method": "auto", "seed": run.spec.seed + 1})
    assert curve_names([run, tree])[9] == f"Automatic · seed {run.spec.seed + 1}"


def test_a_long_tooltip_has_lines_and_no_word_is_broken() -> None:
    text = "An error that was measured on rows which the search never saw. " * 9
    lines = folded(text).splitlines()
    assert len(lines) > 6
    assert max(map(len, lines)) <= 72
    assert " ".join(lines) == text.strip()


def test_the_curve_goes_along_iterations_measurements_or_time(plot: ErrorPlot) -> None:
    line = plot.lines[1]
    assert line.x.tolist() == [0, 1, 2, 3]
    plot.menu.by_name["axis_measurement"].trigger()
    assert line.x.tolist() == [1, 2, 3, 4]
    assert plot.plot.getPlotItem().getAxis("bottom").labelText == "measurements"
    plot.menu.by_name["axis_time"].trigger()
    assert line.x == pytest.approx([0.5, 1.0, 1.5, 2.0])  # of the search: what all features took does not count
    assert plot.plot.getPlotItem().getAxis("bottom").labelText.endswith(", s")


def test_the_best_value_stands_where_it_hides_least_of_the_curve(themed: None) -> None:
    """Below its point, which is the lowest, unless the curve is there, as where an answer was measured otherwise."""
    sides = []
    for losses in ([0.5, 0.4, 0.3, 0.1], [*[0.3] * 60, 0.32]):
        run = told("error", losses, 0.6, confirmed=False)
        run.state.best = replace(run.state.best, mean=losses[-1], number=len(losses), iteration=len(losses) - 1)
        made = ErrorPlot(lambda run=run: [run])
        made.resize(700, 400)
        made.show()
        made.show_run(run)
        sides.append(made.details.note.anchor[1])
        shiboken6.delete(made)
    assert sides[0] < 0 < 1 < sides[1]


def test_the_moving_average_has_the_window_that_one_asks_for(plot: ErrorPlot) -> None:
    plot.menu.by_name["window_1"].trigger()
    assert plot.lines[1].y == pytest.approx([30, 20, 25, 10])
    plot.plot.setFocus()
    QTest.keyClick(plot.plot, Qt.Key.Key_BracketRight)
    assert plot.options.window == 5
    assert plot.lines[1].y == pytest.approx([30, 25, 25, 21.25])
    QTest.keyClick(plot.plot, Qt.Key.Key_BracketLeft)
    assert plot.options.window == 1


def test_the_average_does_not_jump_where_an_iteration_has_several_subsets(plot: ErrorPlot, runs: list[Run]) -> None:
    masks = pack_masks([np.arange(len(runs[0].state.features)) < 1] * 3)
    event = BatchMeasured(50, masks, (True,) * 3, np.array([[0.5], [0.3], [0.1]]), 4, None, {}, 0.1)
    runs[0].state.apply(event)
    plot.menu.by_name["window_1"].trigger()
    line, last = plot.lines[1], runs[0].state.iterations.view == 4
    assert len(set(line.x[last])) == 1
    assert len(set(line.y[last])) == 1  # no upright line
    assert line.y[-1] == pytest.approx(10)
    QTest.keyClick(plot.plot, Qt.Key.Key_End)
    assert plot.crosshair.words.startswith("iteration 4, Error 10.00 %")


def test_the_line_breaks_off_where_a_search_begins_anew(plot: ErrorPlot) -> None:
    for restarts in ([], [2]):
        run = told("error", [0.3, 0.2, 0.4, 0.1], 0.2)
        run.state.restarts = restarts
        plot.show_run(run)
        path = plot.lines[run.id].item.getPath()
        moves = [path.elementAt(place).isMoveTo() for place in range(path.elementCount())]
        assert sum(moves) == 1 + len(restarts)


def test_the_bad_beginning_of_another_run_does_not_press_the_curves_together(plot: ErrorPlot, runs: list[Run]) -> None:
    shown = told("error", [0.12, 0.1, 0.11, 0.1], 0.15)
    other = another(told("error", [0.9, *[0.14] * 9], 0.15), 2, 7)
    other.shown_in_curves = True
    runs[:] = [shown, other]
    plot.menu.by_name["window_1"].trigger()
    plot.show_run(shown)
    assert plot.plot.getViewBox().viewRange()[1][1] < 30
    plot.show_run(other)  # of the run that is looked at all is seen
    assert plot.plot.getViewBox().viewRange()[1][1] > 88


def test_arrow_keys_read_the_values_of_every_run(plot: ErrorPlot, runs: list[Run]) -> None:
    runs[1].shown_in_curves = True
    plot.refresh()
    QTest.keyClick(plot.plot, Qt.Key.Key_Right)
    assert re.match(
        r"iteration 3, Error 10\.00 % \(± 0\.00 over the repeats only\), 4 features\n", plot.crosshair.words
    )
    QTest.keyClick(plot.plot, Qt.Key.Key_Left)
    assert re.match(r"iteration 2, Error 25\.00 %( ± 0\.00)?, 3 features\n", plot.crosshair.words)
    QTest.keyClick(plot.plot, Qt.Key.Key_Home)
    assert re.match(r"iteration 0, Error 30\.00 %( ± 0\.00)?, 1 feature\n", plot.crosshair.words)
    QTest.keyClick(plot.plot, Qt.Key.Key_Down)
    assert "seed 7" in plot.crosshair.words
    assert plot.crosshair.words.startswith("iteration 0, Error 40.00 %")
    QTest.keyClick(plot.plot, Qt.Key.Key_Escape)
    assert plot.crosshair.words == ""


def test_zooming_holds_until_all_is_asked_for_again(plot: ErrorPlot) -> None:
    before = plot.plot.getViewBox().viewRange()[0]
    QTest.keyClick(plot.plot, Qt.Key.Key_Plus)
    near = plot.plot.getViewBox().viewRange()[0]
    assert near[1] - near[0] < before[1] - before[0]
    plot.refresh()
    assert plot.plot.getViewBox().viewRange()[0] == near
    QTest.keyClick(plot.plot, Qt.Key.Key_0)
    assert plot.plot.getViewBox().viewRange()[0] == pytest.approx(before)


def test_zooming_out_ends_where_nothing_more_is_to_be_seen(plot: ErrorPlot) -> None:
    box = plot.plot.getViewBox()
    before = box.viewRange()
    for _ in range(30):
        QTest.keyClick(plot.plot, Qt.Key.Key_Minus)
    for whole, far in zip(before, box.viewRange(), strict=True):
        assert far[1] - far[0] <= 1.6 * (whole[1] - whole[0])


def test_the_honest_error_is_a_line_with_its_interval_over_rows_once_all_folds_are_done(
    plot: ErrorPlot, runs: list[Run]
) -> None:
    parts = held_out([0.4, 0.2])
    runs[0].evidence.append(parts[0])
    plot.refresh()
    assert not plot.details.honest.isVisible()  # of one fold of two nothing is said
    runs[0].evidence.append(parts[1])
    plot.refresh()
    error = runs[0].honest
    assert error is not None and error.low is not None and error.high is not None
    assert plot.details.honest.value() == pytest.approx(30)
    assert plot.details.honest_band.getRegion() == pytest.approx((100 * error.low, 100 * error.high))
    assert "30.00 %" in plot.details.honest.label.textItem.toPlainText()


def test_a_run_that_is_gone_is_let_go(plot: ErrorPlot, runs: list[Run]) -> None:
    runs.append(another(told("error", [0.3, 0.1], 0.4), 9, 9))
    plot.show_run(runs[-1])
    gone = weakref.ref(runs.pop())
    plot.show_run(runs[0])
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the boxes of the legend
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("losses", [[0.3] * 30, [0.3] * 15 + [0.1] * 15, [0.1] * 15 + [0.3] * 15, [0.31, 0.29] * 15])
def test_the_words_at_the_lines_cover_no_curve(plot: ErrorPlot, losses: list[float]) -> None:
    run = told("error", losses, 0.28)
    run.evidence += held_out([0.4, 0.2])
    plot.show_run(run)
    plot.grab()
    plot.refresh()
    box, line = plot.plot.getViewBox(), plot.lines[run.id]
    areas = [each.label.sceneBoundingRect() for each in (plot.details.honest, plot.details.baseline)]
    assert not areas[0].intersects(areas[1])
    along = np.linspace(line.x[0], line.x[-1], 400)
    for x, y in zip(along, np.interp(along, line.x, line.y), strict=True):
        assert not any(area.contains(box.mapViewToScene(QPointF(x, y))) for area in areas)


def test_the_axis_says_on_which_rows_the_error_was_measured(plot: ErrorPlot, runs: list[Run]) -> None:
    for height in (150, 300, 600):
        plot.resize(700, height)
        plot.grab()
        plot.refresh()
        text = plot.plot.getPlotItem().getAxis("left").labelText
        assert text.replace("<br>", " ").replace(",", "") == "Error % on the rows used for selection"
        widest = max(map(plot.plot.fontMetrics().horizontalAdvance, text.split("<br>")))
        assert widest <= plot.plot.getViewBox().height() or text.count("<br>") == 2


def test_what_was_steered_is_marked_where_it_happened(plot: ErrorPlot, runs: list[Run]) -> None:
    runs[0].state.steerings.append((3, "f1 is always in from here on"))
    plot.refresh()
    (mark,) = plot.details.marks
    assert mark.value() == 2  # the third measurement was iteration 2
    assert mark.toolTip() == "f1 is always in from here on"
    plot.menu.by_name["marks"].trigger()
    assert not plot.details.marks


def test_nine_thousand_points_are_drawn_as_few_and_in_full_where_one_looks_closer(
    plot: ErrorPlot, runs: list[Run]
) -> None:
    run = told("error", [0.5], 0.5)
    rng = np.random.default_rng(0)
    mask = pack_masks([np.ones(1, bool)])
    for place in range(9000):
        run.state.apply(BatchMeasured(2 + place, mask, (True,), rng.random((1, 3)), 1 + place, None))
    runs[:] = [run]
    plot.show_run(run)
    assert plot.points == 9001
    assert len(plot.lines[1].item.getData()[0]) <= 600
    plot.plot.setXRange(100, 200, padding=0)
    x = plot.lines[1].item.getData()[0]
    assert set(range(100, 201)) <= set(x.tolist())


def test_the_curves_are_saved_as_picture_drawing_page_and_values(driver: WindowDriver, tmp_path: Path) -> None:
    async def scene() -> None:
        await driver.open_sample("wine")
        await run_to_the_end(driver, 5)
        driver.child(QToolButton, "curveMenuButton")
        for suffix in ("png", "svg", "pdf", "csv"):
            await save(suffix)

    async def save(suffix: str) -> None:
        driver.window.workspace.search.errors.menu.by_name[suffix].trigger()
        target = tmp_path / f"figure.{suffix}"
        dialog = driver.child(QFileDialog, "save_curves")
        dialog.fileSelected.emit(str(target))
        dialog.reject()
        await driver.until(lambda: any(str(target) in each.sentence for each in driver.window.messages.messages))
        start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"run,iteration"}[suffix]
        assert target.read_bytes().startswith(start)
        await driver.until(lambda: not driver.session.tasks.working)

    driver.play(scene)


def test_who_looks_at_the_curve_by_size_saves_that(driver: WindowDriver, tmp_path: Path) -> None:
    async def scene() -> None:
        driver.window.prepare()
        run = told("error", [0.3, 0.1, 0.2], 0.25, confirmed=True)
        driver.session.runs.add(run)
        search = driver.window.workspace.search
        search.show_run(run)
        driver.window.show_page("search")
        menu = search.errors.menu.by_name
        assert menu["along"].isEnabled()
        QTest.keyClick(search.errors.plot, Qt.Key.Key_Left)
        assert search.errors.crosshair.words
        search.errors.against.buttons["size"].click()
        assert not search.errors.crosshair.words  # it pointed at a step
        assert not any(menu[name].isEnabled() for name in ("along", "average", "steps", "band", "marks"))
        for suffix in ("png", "svg", "pdf", "csv"):
            await save(suffix)

    async def save(suffix: str) -> None:
        driver.window.workspace.search.errors.menu.by_name[suffix].trigger()
        target = tmp_path / f"sizes.{suffix}"
        dialog = driver.child(QFileDialog, "save_curves")
        dialog.fileSelected.emit(str(target))
        dialog.reject()
        await driver.until(lambda: any(str(target) in each.sentence for each in driver.window.messages.messages))
        content = target.read_bytes()
        if suffix == "csv":
            assert content.decode().splitlines() == [
                "features,value,standard error,answer", "1,0.3,0,no", "2,0.1,0,yes", "3,0.2,0,no"
            ]  # fmt: skip
        elif suffix == "svg":
            assert b">number of features<" in content
        else:
            assert content.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[suffix])
        await driver.until(lambda: not driver.session.tasks.working)

    driver.play(scene)


async def test_a_click_on_the_curve_by_size_takes_that_subset_for_the_list_and_the_export(driver: WindowDriver) -> None:
    driver.window.prepare()
    run = replace(told("error", [0.3, 0.1, 0.2], 0.25, confirmed=True))
    driver.session.runs.add(run)
    search = driver.window.workspace.search
    search.show_run(run)
    driver.window.show_page("search")
    search.errors.against.buttons["size"].click()
    await driver.until(lambda: search.errors.sizes.plot.isVisible())
    sizes = search.errors.sizes
    assert len(search.features.names()) == 2  # the answer
    box = sizes.plot.getViewBox()
    spot = sizes.plot.mapFromScene(box.mapViewToScene(QPointF(3, 20)))
    QTest.mouseClick(sizes.plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(spot.x(), spot.y()))
    await driver.until(lambda: len(search.features.names()) == 3)
    assert "20.00 %" in search.features.count.text()
    assert search.shown_mask is not None
    assert search.shown_mask.sum() == 3
    for _ in range(3):
        QTest.keyClick(sizes.plot, Qt.Key.Key_Left)
    QTest.keyClick(sizes.plot, Qt.Key.Key_Return)
    assert search.shown_mask.sum() == 1
    QTest.keyClick(sizes.plot, Qt.Key.Key_Return)  # again: back to the answer
    assert search.subset is None
    assert len(search.features.names()) == 2


def test_the_legend_shows_the_same_pictures_for_the_runs_of_every_project(plot: ErrorPlot, runs: list[Run]) -> None:
    def pictures() -> list[int]:
        return [box.icon().pixmap(box.iconSize(), 2.0).cacheKey() for box in plot.legend.boxes.values()]

    plot.show_run(runs[0])
    first = pictures()
    plot.legend.show_runs([], None)
    plot.legend.show_runs([another(run, number, 5) for number, run in enumerate(runs, 1)], None)
    assert len(first) == 3
    assert pictures() == first
