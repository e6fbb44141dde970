import numpy as np
import pytest

from fsdesk.engine import BaselineMeasured, BatchMeasured, RunFailed, RunFinished, RunStarted, RunState, pack_masks
from fsdesk.engine.state import HeatmapColumns


def _batch(number, iteration, mask, error, weights=None):
    masks = [np.array(mask, dtype=bool), ~np.array(mask, dtype=bool)]
    values = np.array([[error, error + 0.2], [0.0, 0.0]])
    return BatchMeasured(number, pack_masks(masks), (True, False), values, iteration, weights, {}, 0.5)


def _started():
    return RunStarted({"method": "bspsa"}, ("a", "b", "c"))


def test_the_best_is_the_lowest_mean_of_a_candidate_and_the_earlier_one_on_ties():
    state = RunState()
    for event in (
        _started(),
        BaselineMeasured(np.array([0.5, 0.7]), 0.1),
        _batch(1, 1, [1, 1, 0], 0.3),
        _batch(3, 2, [1, 0, 0], 0.2),
        _batch(5, 3, [0, 0, 1], 0.2),
    ):
        state.apply(event)
    # Probes with an error of 0 do not count.
    assert state.best.mask.tolist() == [True, False, False]
    assert np.isclose(state.best.mean, 0.3)
    assert np.isclose(state.best.std_error, 0.1)
    assert (state.best.number, state.best.iteration) == (3, 2)
    assert np.isclose(state.baseline, 0.6)
    assert state.evaluations == 6
    assert np.allclose(state.frequency, [2 / 3, 1 / 3, 1 / 3])
    assert np.allclose(state.errors.view, [0.4, 0.3, 0.3])
    assert state.sizes.view.tolist() == [2, 1, 1]
    assert np.isclose(state.seconds, 1.5)  # the baseline's does not count


def test_exact_weights_of_the_best_come_with_the_end():
    state = RunState()
    state.apply(_started())
    state.apply(_batch(1, 1, [1, 0, 0], 0.3, np.array([255, 0, 51], dtype=np.uint8)))
    assert np.allclose(state.best.weights, [1, 0, 0.2])
    state.apply(RunFinished("done", False, np.array([0.999, 0.001, 0.2])))
    assert state.best.weights.tolist() == [0.999, 0.001, 0.2]
    assert state.status == "finished"


def test_a_failed_run_keeps_what_it_measured_and_runs_again_when_it_goes_on():
    state = RunState()
    for event in (_started(), _batch(1, 1, [1, 0, 0], 0.3), RunFailed("the worker was killed")):
        state.apply(event)
    assert (state.status, state.reason) == ("failed", "the worker was killed")
    state.apply(_batch(3, 2, [1, 1, 0], 0.1))
    assert (state.status, state.reason) == ("running", "")
    assert state.errors.size == 2


def test_the_heatmap_never_exceeds_its_limit_and_keeps_evenly_spaced_iterations():
    columns = HeatmapColumns(limit=16)
    for iteration in range(1000):
        columns.append(iteration, np.full(3, iteration % 256, dtype=np.uint8))
    assert columns.size <= 16
    assert columns.stride == 64
    expected = [iteration % 256 for iteration in range(0, 1000, 64)]
    assert columns.view[:, 0].tolist() == expected


def test_halving_the_heatmap_keeps_every_other_iteration_as_it_was():
    columns, rng = HeatmapColumns(limit=15), np.random.default_rng(0)
    told = rng.integers(0, 256, (200, 5), dtype=np.uint8)
    for iteration, weights in enumerate(told):
        columns.append(iteration, weights)
        assert columns.view.tolist() == told[columns.iterations].tolist()
        assert set(np.diff(columns.iterations).tolist()) <= {columns.stride}


def test_series_grow_beyond_their_first_room():
    state = RunState()
    state.apply(_started())
    for iteration in range(3000):
        state.apply(_batch(1 + 2 * iteration, iteration, [1, 0, 1], 0.5))
    assert state.iterations.view.tolist() == list(range(3000))


def _confirmed(number, masks, means):
    return BatchMeasured(
        number, pack_masks(masks), (False,) * len(masks), np.array(means)[:, None], number, None, confirms=True
    )


def test_the_curve_of_error_against_size_is_that_of_the_last_finalists_measured_side_by_side():
    one, two, three = (np.arange(3) < size for size in (1, 2, 3))
    state = RunState()
    state.apply(RunStarted({}, ("a", "b", "c")))
    for event in (
        _confirmed(1, [one, three], [0.1, 0.2]),
        _confirmed(3, [three, two], [0.4, 0.3]),
        _confirmed(5, [three, two], [0.6, 0.3]),
    ):
        state.apply(event)
    curve = state.confirmed.curve()
    assert [mask.tolist() for mask, _, _ in curve] == [two.tolist(), three.tolist()]
    assert [mean for _, mean, _ in curve] == [pytest.approx(0.3), pytest.approx(0.5)]
    assert curve[1][2] == pytest.approx(np.std([0.4, 0.6], ddof=1) / np.sqrt(2))
    assert state.errors.size == 0


def test_the_answer_that_the_method_chose_goes_before_the_smallest_measurement():
    state = RunState()
    state.apply(RunStarted({}, ("a", "b", "c")))
    state.apply(BatchMeasured(1, pack_masks([np.array([True, False, False])]), (True,), np.array([[0.1]]), 1, None))
    chosen = np.array([True, True, False])
    state.apply(RunFinished("done", False, np.array([0.9, 0.8, 0.1]), np.packbits(chosen), 0.2, 0.01))
    assert state.best.mask.tolist() == chosen.tolist()
    assert (state.best.mean, state.best.std_error) == (0.2, 0.01)
    assert state.best.weights.tolist() == [0.9, 0.8, 0.1]


def test_the_best_candidate_of_each_iteration_is_kept_with_the_first_iteration_of_every_feature():
    state = RunState()
    for event in (
        _started(),
        _batch(1, 1, [1, 0, 0], 0.3),
        _batch(3, 1, [0, 1, 0], 0.1),  # the same iteration, better
        _batch(5, 1, [1, 1, 0], 0.2),  # worse again
        _batch(7, 2, [1, 0, 0], 0.4),
    ):
        state.apply(event)
    assert state.selection.iterations.tolist() == [1, 2]
    kept = np.unpackbits(state.selection.view, axis=1, count=3)
    assert kept.tolist() == [[0, 1, 0], [1, 0, 0]]
    assert state.first_selected.tolist() == [1, 1, -1]


def test_the_history_knows_the_iterations_of_its_columns():
    columns = HeatmapColumns(limit=16)
    for iteration in range(5, 300, 5):  # a method that tells its weights now and then
        columns.append(iteration, np.full(3, iteration % 256, dtype=np.uint8))
    assert columns.view[:, 0].tolist() == [iteration % 256 for iteration in columns.iterations.tolist()]
    assert len(columns.iterations) <= 16
