"""The heatmaps by real clicks, keys and the wheel: what is marked, found, scrolled, zoomed, told, and written."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from fsdesk.app.plots.curve_controls import CurveOptions
from fsdesk.app.plots.heatmap_card import HeatmapCard
from fsdesk.app.plots.trace_map import TraceMap

from .conftest import WindowDriver
from .heat_scene import known_run, move, wheel
from .test_presented import told
from .test_run import run_to_the_end

STEPS, FEATURES = 50, 200


def weights() -> np.ndarray:
    """Feature 7 rises most, then 150; all others stay near one half, in falling order."""
    made = np.tile(127 - np.arange(FEATURES) // 4, (STEPS, 1)).astype(np.uint8)
    made[:, 7] = np.linspace(128, 250, STEPS)
    made[:, 150] = np.linspace(100, 200, STEPS)
    return made


async def found(driver: WindowDriver) -> None:
    driver.window.resize(1280, 900)
    driver.session.tasks.disk.submit(int).result()  # its thread is not left by a test


@pytest.fixture
def heatmap(run_driver: WindowDriver) -> HeatmapCard:
    search = run_driver.window.workspace.search
    run_driver.session.runs.replace([])
    run_driver.window.show()
    run_driver.window.show_page("search")
    search.errors.menu.take(CurveOptions())
    made = search.heatmap
    made.search.clear()
    made.order.setCurrentIndex(0)
    for switch, key in ((made.view, "weights"), (made.rows, "top")):
        switch.buttons[key].click()
    run = known_run(weights())
    run_driver.session.runs.add(run)
    search.show_run(run)
    return made


def place(traces: TraceMap, row: int, step: float) -> QPoint:
    return QPoint(round(traces.frame.x_of(step)), round(traces.frame.y_of(row + 0.5)))


def shown(traces: TraceMap) -> list[str]:
    return [traces.feature(row) for row in range(*traces.frame.span)]


async def test_features_stand_in_the_order_that_is_chosen(run_driver: WindowDriver, heatmap: HeatmapCard) -> None:
    traces = heatmap.traces
    assert shown(traces)[:3] == ["f7", "f150", "f0"]
    choose(heatmap, "table")
    assert shown(traces)[:3] == ["f0", "f1", "f2"]
    choose(heatmap, "first")
    assert shown(traces)[:2] == ["f7", "f150"]  # the only ones that were ever in, in this order
    choose(heatmap, "name")
    await run_driver.until(lambda: shown(traces)[:3] == ["f0", "f1", "f2"])
    choose(heatmap, "clusters")
    await run_driver.until(lambda: shown(traces)[:3] != ["f0", "f1", "f2"])
    assert abs(traces.row("f7") - traces.row("f150")) == 1  # both rise, so they lie together
    assert sorted(traces.order.tolist()) == list(range(FEATURES))


def choose(heatmap: HeatmapCard, key: str) -> None:
    heatmap.order.setFocus()
    wanted = heatmap.order.findData(key)
    while heatmap.order.currentIndex() != wanted:
        key_ = Qt.Key.Key_Down if heatmap.order.currentIndex() < wanted else Qt.Key.Key_Up
        QTest.keyClick(heatmap.order, key_)


def test_a_feature_is_found_marked_and_scrolled_to(heatmap: HeatmapCard) -> None:
    traces, picked = heatmap.traces, []
    heatmap.feature_picked.connect(picked.append)
    QTest.keyClicks(heatmap.search, "f19")
    assert picked[-1] == "f19"  # one that is called so comes first
    assert traces.feature(traces.marked) == "f19"
    assert "f19" in shown(traces)
    QTest.keyClick(heatmap.search, Qt.Key.Key_Return)
    assert picked[-1] == "f190"
    assert "f190" in shown(traces)
    QTest.keyClick(heatmap.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert picked[-1] == "f19"
    assert "2 of" not in heatmap.search.toolTip()
    heatmap.search.clear()
    QTest.keyClicks(heatmap.search, "nothing")
    assert "No matching" in heatmap.search.toolTip()
    assert picked[-1] == "f19"


def test_keys_walk_through_all_rows_and_tell_the_value(heatmap: HeatmapCard) -> None:
    traces, picked = heatmap.traces, []
    heatmap.feature_picked.connect(picked.append)
    traces.setFocus()
    QTest.keyClick(traces, Qt.Key.Key_Home)
    assert picked == ["f7"]
    QTest.keyClick(traces, Qt.Key.Key_Down)
    assert picked[-1] == "f150"
    QTest.keyClick(traces, Qt.Key.Key_End)
    assert traces.marked == FEATURES - 1
    assert traces.frame.span[1] == FEATURES
    QTest.keyClick(traces, Qt.Key.Key_PageUp)
    assert FEATURES - 40 < traces.marked < FEATURES - 3
    QTest.keyClick(traces, Qt.Key.Key_Home)
    for _ in range(100):
        QTest.keyClick(traces, Qt.Key.Key_Right)
    assert traces.accessibleDescription() == f"f7 · iteration {STEPS - 1} · weight 0.98"


def test_the_crosshair_says_feature_iteration_and_value_here_and_at_the_curve(
    run_driver: WindowDriver, heatmap: HeatmapCard
) -> None:
    traces, linked = heatmap.traces, run_driver.window.workspace.search.linked
    where = place(traces, 0, 0.4)
    move(traces, where.x(), where.y())
    assert traces.cross is not None
    assert traces.words(*traces.cross) == "f7 · iteration 0 · weight 0.50"
    assert linked.line.isVisible()
    assert linked.line.value() == pytest.approx(traces.cross[1])
    move(traces, 2, 2)
    assert traces.cross is None
    assert not linked.line.isVisible()


def test_the_curve_and_the_heatmap_show_the_same_iterations(run_driver: WindowDriver, heatmap: HeatmapCard) -> None:
    traces, plot = heatmap.traces, run_driver.window.workspace.search.errors.plot
    where = place(traces, 3, 25)

    def ends() -> tuple[float, float]:
        low, high = plot.getViewBox().viewRange()[0]
        return low, high

    assert (traces.frame.left, traces.frame.right) == pytest.approx(ends())
    before = traces.frame.right - traces.frame.left
    wheel(traces, where.x(), where.y(), 2, Qt.KeyboardModifier.ShiftModifier)
    assert traces.frame.right - traces.frame.left == pytest.approx(before / 1.25**2)
    assert traces.frame.x_of(25) == pytest.approx(where.x(), abs=1.5)  # what is under the pointer stays there
    assert (traces.frame.left, traces.frame.right) == pytest.approx(ends())
    plot.setXRange(10, 20, padding=0)
    assert (traces.frame.left, traces.frame.right) == pytest.approx((10, 20))
    QTest.mouseDClick(traces, Qt.MouseButton.LeftButton, pos=where)
    assert traces.frame.right > STEPS - 2
    assert (traces.frame.left, traces.frame.right) == pytest.approx(ends())


def test_a_longer_run_laid_over_the_curve_does_not_press_the_heatmap_together(
    run_driver: WindowDriver, heatmap: HeatmapCard
) -> None:
    search, traces = run_driver.window.workspace.search, heatmap.traces
    assert search.run is not None
    other = told("error", [0.3, *[0.2] * 400], 0.3)
    other.id = 99
    before = traces.frame.left, traces.frame.right
    run_driver.session.runs.add(other)
    search.errors.refresh()
    search.errors.findChild(QCheckBox, "curve_99").click()
    assert search.errors.plot.getViewBox().viewRange()[0][1] > 400
    assert (traces.frame.left, traces.frame.right) == pytest.approx(before)
    search.errors.plot.setXRange(10, 20, padding=0)
    assert (traces.frame.left, traces.frame.right) == pytest.approx((10, 20))


def test_they_stay_linked_where_the_curve_counts_measurements(run_driver: WindowDriver, heatmap: HeatmapCard) -> None:
    search = run_driver.window.workspace.search
    errors, traces = search.errors, heatmap.traces
    errors.menu.take(replace(errors.options, axis="measurement"))
    assert search.run is not None
    numbers = search.run.state.numbers.view
    errors.plot.setXRange(numbers[10], numbers[30], padding=0)
    assert (traces.frame.left, traces.frame.right) == pytest.approx((10, 30))
    where = place(traces, 0, 20)
    move(traces, where.x(), where.y())
    assert search.linked.line.value() == pytest.approx(numbers[20], abs=0.5)


def test_the_wheel_scrolls_and_zooms_the_rows_and_all_rows_fit(heatmap: HeatmapCard) -> None:
    traces = heatmap.traces
    where = place(traces, 5, 25)
    wheel(traces, where.x(), where.y(), -2)
    assert traces.frame.top == pytest.approx(6)
    high = traces.frame.high
    wheel(traces, where.x(), where.y(), 1, Qt.KeyboardModifier.ControlModifier)
    assert traces.frame.high == pytest.approx(1.25 * high)
    heatmap.rows.buttons["all"].click()
    assert traces.frame.span == (0, FEATURES)
    assert not traces.bar.isVisible()
    heatmap.rows.buttons["top"].click()
    assert traces.frame.high == pytest.approx(high)
    traces.bar.setValue(100)
    assert traces.frame.span[0] == 100


def test_dragging_moves_the_view_and_picks_nothing(heatmap: HeatmapCard) -> None:
    traces, picked = heatmap.traces, []
    heatmap.feature_picked.connect(picked.append)
    start = place(traces, 10, 25)
    QTest.mousePress(traces, Qt.MouseButton.LeftButton, pos=start)
    move(traces, start.x(), start.y() - 60, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(traces, Qt.MouseButton.LeftButton, pos=start - QPoint(0, 60))
    assert traces.frame.top == pytest.approx(60 / traces.frame.high)
    assert picked == []
    QTest.mouseClick(traces, Qt.MouseButton.LeftButton, pos=place(traces, 12, 25))
    assert picked == [traces.feature(12)]


async def test_a_feature_is_looked_at_wherever_it_is_picked(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 15)
    search = driver.window.workspace.search
    run, dataset = search.run, driver.session.loader.dataset
    assert run is not None
    assert run.state.best is not None
    assert dataset is not None
    traces, inspector = search.heatmap.traces, search.inspector
    assert not inspector.isVisible()
    QTest.mouseClick(traces, Qt.MouseButton.LeftButton, pos=place(traces, 1, 7))
    name = traces.feature(1)
    await driver.until(lambda: inspector.shown is not None and inspector.shown.name == name)
    assert inspector.isVisible()
    look = inspector.shown
    assert look is not None
    assert inspector.trace.values.tolist() == (run.state.heatmap.view[:, traces.order[1]] / 255).tolist()
    assert [group for group, _, _ in inspector.values.groups] == list(dataset.classes)
    selected = {dataset.features[at] for at in np.flatnonzero(run.state.best.mask)}
    assert {other for other, _ in look.alike} <= selected - {name}
    sizes = [abs(value) for _, value in look.alike]
    assert sizes == sorted(sizes, reverse=True)
    inspector.alike.setFocus()
    inspector.alike.setCurrentRow(0)
    other = look.alike[0][0]
    QTest.keyClick(inspector.alike, Qt.Key.Key_Return)
    await driver.until(lambda: inspector.shown is not None and inspector.shown.name == other)
    assert traces.feature(traces.marked) == other
    search.panel.switch.buttons["list"].click()
    view = search.features.view
    await driver.until(lambda: view.isVisible() and view.visualRect(view.model().index(2, 0)).width() > 50)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(2, 0)).center())
    third = str(view.model().index(2, 0).data())
    await driver.until(lambda: inspector.shown is not None and inspector.shown.name == third)
    assert traces.feature(traces.marked) == third


def test_a_project_that_was_left_is_not_kept_by_the_heatmaps(run_driver: WindowDriver, heatmap: HeatmapCard) -> None:
    search = run_driver.window.workspace.search
    heatmap.view.buttons["runs"].click()
    assert heatmap.runs.canvas.row_names
    search.show_run(None)
    assert heatmap.traces.state is None
    assert heatmap.runs.canvas.row_names == ()
    assert list(heatmap.runs.runs) == []
    assert heatmap.data.canvas.dataset is None
