"""Curves: losses in the unit shown, moving averages, traces of runs as tables and figures."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Flag,
    RunFinished,
    RunSpec,
    RunStarted,
    RunState,
    ThreadExecutor,
    pack_masks,
    run,
    summary_of,
)
from fsdesk.engine import state_of as from_summary
from fsdesk.engine.events import SubsetsJudged
from fsdesk.engine.tasks import evaluator_of
from fsdesk.measure import CRITERIA, Measurement, MeasureSettings
from fsdesk.results.curves import (
    Trace,
    axis_title,
    drawn,
    drawn_error,
    last_of_each,
    levelled,
    moving_average,
    places_in,
    time_unit,
    traces_csv,
    window_of,
)
from fsdesk.results.tasks import traces_task


@given(values=st.lists(st.floats(-1e6, 1e6), max_size=40), window=st.integers(1, 50))
def test_the_moving_average_is_the_mean_of_the_last_values(values, window):
    smooth = moving_average(np.array(values), window)
    expected = [np.mean(values[max(0, place + 1 - window) : place + 1]) for place in range(len(values))]
    assert np.allclose(smooth, expected, atol=1e-6)


def test_the_moving_average_begins_anew_where_a_search_does():
    values = np.array([4.0, 2.0, 8.0, 6.0, 4.0, 9.0])
    assert moving_average(values, 3, [2, 5]).tolist() == [4.0, 3.0, 8.0, 7.0, 6.0, 9.0]
    assert moving_average(values, 2, [6]).tolist() == moving_average(values, 2).tolist()


def test_a_search_begins_anew_wherever_others_were_judged_on_rows_held_out(make_dataset):
    x = np.random.default_rng(0).normal(size=(90, 8))
    dataset = make_dataset(x, (x[:, 0] * x[:, 1] > 0).astype(np.int64))  # no filter finds this
    spec = RunSpec.make(dataset, method="auto", settings={"fits": 3000})
    with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
        events = list(run(spec, dataset, executor))
    state, trace = RunState.of(events), Trace.of(RunState.of(events))
    judged = [event.number for event in events if isinstance(event, SubsetsJudged) and event.judge == "held-out"]
    points_before = {int((state.numbers.view < number).sum()) for number in judged}
    assert state.restarts == sorted(points_before - {0})
    assert len(state.restarts) > 1
    places = list(trace.restarts)
    assert trace.smooth()[places] == pytest.approx(trace.values[places])
    assert from_summary(summary_of(state)).restarts == state.restarts


def test_what_was_not_measured_does_not_count_in_the_average():
    smooth = moving_average(np.array([np.inf, 1.0, np.inf, 3.0, np.nan, np.inf, np.inf]), 2)
    assert np.isnan(smooth[0])
    assert smooth[1:5].tolist() == [1.0, 1.0, 3.0, 3.0]
    assert np.isnan(smooth[5:]).all()


def test_the_line_goes_through_the_last_of_the_subsets_of_an_iteration():
    iterations, averages = np.array([0.0, 1, 1, 1, 2]), np.array([9.0, 1, 2, 3, 8])
    assert last_of_each(iterations).tolist() == [0, 3, 4]
    assert levelled(iterations, averages).tolist() == [9, 3, 3, 3, 8]
    assert levelled(np.empty(0), np.empty(0)).tolist() == []


@pytest.mark.parametrize(
    ("name", "loss", "value", "title"),
    [("error", 0.058, 5.8, "Error, %"), ("auc", 0.058, 0.942, "AUC"), ("mcc", 1.25, -0.25, "Matthews correlation"),
     ("rmse", 12.5, 12.5, "RMSE, in the unit of price"), ("r2", 3.0, -2.0, "R2"), ("cost", 0.3, 0.3, "Mean cost")],
)  # fmt: skip
def test_losses_are_drawn_in_the_value_that_people_know(name, loss, value, title):
    shown = drawn(CRITERIA[name], np.array([loss, np.inf]))
    assert shown[0] == pytest.approx(value)
    assert np.isnan(shown[1])
    assert axis_title(CRITERIA[name], "price") == title
    assert axis_title(CRITERIA[name]) == title.removesuffix(", in the unit of price")


def test_standard_errors_are_in_the_unit_of_the_curve():
    assert drawn_error(CRITERIA["error"], np.array([0.01]))[0] == pytest.approx(1.0)
    assert drawn_error(CRITERIA["auc"], np.array([0.01]))[0] == pytest.approx(0.01)


def state_of(losses, criterion="error"):
    """One candidate an iteration, two measurements each, half a second for both."""
    spec = RunSpec(measuring=MeasureSettings(criterion=criterion), features=4)
    state = RunState()
    state.apply(RunStarted(spec.model_dump(), ("a", "b", "c", "d")))
    state.apply(BaselineMeasured(np.full(2, 0.3), 0.0))
    masks = pack_masks([np.array([True, False, True, False]), np.ones(4, bool)])
    for place, loss in enumerate(losses):
        values = np.array([[loss, loss + 0.02], [0.9, 0.9]])
        state.apply(BatchMeasured(1 + 2 * place, masks, (True, False), values, place + 1, None, seconds=0.5))
    state.apply(RunFinished("done", False, None))
    return state


def test_a_trace_knows_iteration_measurement_and_time_of_every_candidate():
    trace = Trace.of(state_of([0.2, np.inf, 0.1]), "run")
    assert trace.along("iteration").tolist() == [1, 3]  # what could not be measured is left out
    assert trace.along("measurement").tolist() == [1, 5]
    assert trace.along("time").tolist() == [0.5, 1.5]
    assert trace.values == pytest.approx([21, 11])
    assert trace.spreads == pytest.approx([1, 1])
    assert trace.best is not None
    assert trace.best[0] == {"iteration": 3, "measurement": 5, "time": 1.5}
    assert trace.place_of(4, "iteration") == 3
    assert trace.smooth(2) == pytest.approx([21, 16])


def test_the_window_is_a_twentieth_within_bounds():
    assert [window_of(count) for count in (0, 100, 400, 9000)] == [5, 5, 20, 50]


def test_places_in_sight_reach_one_beyond_each_end_and_keep_the_limit():
    x = np.arange(100.0)
    assert places_in(x, 10.5, 13.5, 50).tolist() == [10, 11, 12, 13, 14]
    wide = places_in(x, -5, 500, 20)
    assert len(wide) <= 20
    assert (wide[0], wide[-1]) == (0, 99)
    assert places_in(np.empty(0), 0, 1, 5).tolist() == []


def test_times_have_a_unit_that_reads_well():
    assert [time_unit(seconds)[0] for seconds in (5, 200, 20_000)] == ["s", "min", "h"]


def test_the_table_holds_every_candidate_of_every_run_and_no_formula():
    text = traces_csv([Trace.of(state_of([0.2, 0.1]), "=run"), Trace.of(state_of([0.3], "auc"), "other")], window=2)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["run"] for row in rows] == ["'=run", "'=run", "other"]
    assert [row["features"] for row in rows] == ["2", "2", "2"]
    assert float(rows[1]["value"]) == pytest.approx(0.11)
    assert float(rows[1]["moving_average"]) == pytest.approx(0.16)
    assert float(rows[2]["value"]) == pytest.approx(0.69)  # an AUC as people know it


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_figure_is_written_in_each_format_and_the_same_bytes_twice(tmp_path, suffix, magic):
    honest = Measurement(np.array([0.2, 0.3]))
    first = Trace.of(state_of([0.2, 0.1, 0.15]), "first", honest, "#0072b2")
    second = Trace.of(state_of([0.25, 0.2]), "second", None, "#d55e00", shown=False)
    written = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}{suffix}"
        assert list(traces_task(Flag(), [first, second], "time", 0, str(path))) == [str(path)]
        written.append(path.read_bytes())
    assert written[0].startswith(magic)
    assert written[0] == written[1]
    if suffix == ".svg":
        for words in (b"first", b"second", b"all features", b"held-out rows", b"time, s"):
            assert words in written[0]
