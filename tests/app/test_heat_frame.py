"""What part of a heatmap is in view: pure arithmetic of scrolling and zooming."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from fsdesk.app.plots.heatmap import Frame, nice_steps
from fsdesk.app.plots.trace_map import PooledRows, TraceMap, natural_order, rows_by
from fsdesk.engine import BatchMeasured, pack_masks

from .conftest import WindowDriver
from .heat_scene import known_run


def frame(rows: int = 100, high: float = 10.0) -> Frame:
    return Frame(QRectF(50, 4, 200, 100), rows, 0.0, high, 0.0, 1000.0, (0.0, 1000.0))


def test_places_and_pixels_are_inverse_to_one_another() -> None:
    seen = frame().scrolled_to(20)
    assert seen.span == (20, 30)
    assert seen.row_at(seen.y_of(23) + 1) == 23
    assert seen.across_at(seen.x_of(333.0)) == pytest.approx(333)
    assert seen.row_at(3) == -1  # above the cells
    assert seen.places(4).tolist() == [125, 375, 625, 875]


def test_scrolling_ends_at_the_first_and_last_row() -> None:
    assert frame().scrolled_to(-5).top == 0
    assert frame().scrolled_to(1e9).top == 90
    assert frame(rows=5).scrolled_to(3).top == 0  # all are in view


def test_a_row_is_brought_into_view_with_as_little_scrolling_as_needed() -> None:
    seen = frame().scrolled_to(20)
    assert seen.showing(25) is seen
    assert seen.showing(30).top == 21
    assert seen.showing(19).top == 19
    assert seen.showing(80).top == pytest.approx(75.5)  # far away: in the middle


def test_zooming_keeps_what_is_under_the_pointer() -> None:
    seen = frame().across_zoomed(2.0, 100, 8.0)
    assert seen.right - seen.left == pytest.approx(500)
    assert seen.across_at(100) == pytest.approx(frame().across_at(100))
    assert frame().across_zoomed(1e9, 100, 8.0).right - frame().across_zoomed(1e9, 100, 8.0).left == pytest.approx(8)
    assert frame().across_zoomed(0.01, 100, 8.0).left == 0
    rows = frame().scrolled_to(40).rows_zoomed(2.0, 54, 13.0)
    assert rows.high == 20
    assert rows.row_at(54) == frame().scrolled_to(40).row_at(54)
    assert frame().rows_zoomed(1e-9, 54, 13.0).visible == pytest.approx(100)  # never smaller than all rows


def test_numbers_at_the_axis_are_round() -> None:
    assert nice_steps(0, 100, 5).tolist() == [0, 20, 40, 60, 80, 100]
    assert nice_steps(0, 3, 10).tolist() == [0, 1, 2, 3]
    assert nice_steps(1234, 9876, 4).tolist() == [5000]


def test_names_are_ordered_as_people_order_them() -> None:
    names = ["gene 10", "Gene 2", "alpha", "gene 2b", "7 up"]
    assert [names[at] for at in natural_order(names)] == ["7 up", "alpha", "Gene 2", "gene 2b", "gene 10"]


def test_features_are_ordered_by_weight_by_first_selection_and_as_in_the_table() -> None:
    weights = np.array([[10, 200, 10, 10], [10, 200, 150, 10], [10, 20, 180, 200]], dtype=np.uint8)
    state = known_run(weights).state
    assert rows_by(state, "weight").tolist() == [3, 2, 1, 0]
    assert rows_by(state, "first").tolist() == [1, 2, 3, 0]  # the first was never in
    assert rows_by(state, "table").tolist() == [0, 1, 2, 3]


def test_pooled_rows_are_the_highest_weight_and_the_share_that_is_in() -> None:
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 256, (30, 101), dtype=np.uint8)
    state, order = known_run(weights).state, rng.permutation(101)
    wanted = np.arange(30)
    for kind in ("weights", "selection"):
        pool = PooledRows(order, 8, kind)
        pool.update(state)
        got = pool.take(8, 104, wanted)
        for block in range(12):
            part = weights[:, order[8 + 8 * block : 16 + 8 * block]]
            expected = part.max(axis=1) if kind == "weights" else (part >= 128).sum(axis=1) * 255 // part.shape[1]
            assert got[block].tolist() == expected.tolist()


@pytest.mark.parametrize("kind", ["weights", "selection"])
def test_pooling_step_by_step_ends_with_the_same_picture(kind: str) -> None:
    weights = np.random.default_rng(1).integers(0, 256, (40, 64), dtype=np.uint8)
    order, wanted = np.arange(64), np.arange(40)
    live, whole = PooledRows(order, 4, kind), PooledRows(order, 4, kind)
    for steps in range(1, 41):
        live.update(known_run(weights[:steps]).state)
    whole.update(known_run(weights).state)
    assert (live.take(0, 64, wanted) == whole.take(0, 64, wanted)).all()


def test_pooled_rows_stay_right_when_the_history_is_thinned() -> None:
    weights = np.random.default_rng(2).integers(0, 256, (1500, 16), dtype=np.uint8)
    state, pool = known_run(weights[:1000]).state, PooledRows(np.arange(16), 4, "weights")
    pool.update(state)
    long = known_run(weights).state  # more than the history keeps: every second iteration went
    assert long.heatmap.stride == 2
    wanted = np.arange(long.heatmap.size)
    pool.update(long)
    expected = weights[::2].reshape(750, 4, 4).max(axis=2)
    assert np.array_equal(pool.take(0, 16, wanted).T, expected)


def test_colours_reach_as_far_as_weights_move_and_steps_all_the_same_are_all_there_is(qapp: object) -> None:
    traces, state = TraceMap(), known_run(np.array([[250, *[128] * 39]], dtype=np.uint8)).state
    traces.show_state(state, "weights")
    assert traces.reach == pytest.approx(122.5 / 255)
    masks, weights = pack_masks([np.ones(40, dtype=np.bool_)]), np.array([250, 150, *[128] * 38], dtype=np.uint8)
    same = np.array([250, *[128] * 39], dtype=np.uint8)
    state.apply(BatchMeasured(2, masks, (True,), np.full((1, 3), 0.2), 1, same))
    traces.refresh()
    assert traces.reach == pytest.approx(122.5 / 255)
    state.apply(BatchMeasured(3, masks, (True,), np.full((1, 3), 0.2), 2, weights))
    traces.refresh()
    assert traces.reach == pytest.approx(22.5 / 255)  # what never moves does not count, however far from one half


def test_a_bar_of_colours_is_shown_where_there_are_colours(driver: WindowDriver) -> None:
    heatmap = driver.window.workspace.search.heatmap
    heatmap.resize(700, 300)
    heatmap.refresh()
    assert heatmap.is_empty
    assert heatmap.lowest.isHidden()
    run = known_run(np.array([[128] * 8, [250] * 8], dtype=np.uint8))
    driver.session.runs.add(run)
    heatmap.show_run(run)
    assert not heatmap.is_empty
    assert not heatmap.lowest.isHidden()
    heatmap.resize(480, 300)
    heatmap.refresh()
    assert heatmap.lowest.isHidden()  # in a narrow window it gives way to the switch
