import itertools
import threading
import time

import numpy as np
import pytest

from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Flag,
    RunFinished,
    RunSpec,
    RunStarted,
    RunState,
    SubsetsJudged,
    ThreadExecutor,
    more_of,
    run,
    unpack_masks,
)
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, ProjectError, SettingsError
from fsdesk.kernels import _core
from fsdesk.methods import METHODS
from tests.measuring import Measuring

SETTINGS = {"max_iterations": 12, "repeats": 3, "folds": 4}


@pytest.fixture
def spec(planted):
    return RunSpec.make(planted, method="bspsa", seed=5, settings=SETTINGS)


def _events(spec, dataset, told=(), threads=1, control=None):
    with ThreadExecutor(evaluator_of(spec, dataset), threads) as executor:
        return list(run(spec, dataset, executor, told, control))


def _state(events):
    state = RunState()
    for event in events:
        state.apply(event)
    return state


def _content(event):
    """All of an event but the time that it took."""
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(event).items()
        if name != "seconds"
    }


def test_a_run_starts_measures_all_features_first_and_finishes(spec, planted):
    events = _events(spec, planted)
    assert [type(event) for event in events[:3]] == [RunStarted, BaselineMeasured, BatchMeasured]
    assert isinstance(events[-1], RunFinished)
    assert not events[-1].stopped
    batches = [event for event in events if isinstance(event, BatchMeasured)]
    numbers = [event.number for event in batches]
    sizes = [len(event.candidates) for event in batches]
    assert numbers == [1 + sum(sizes[:place]) for place in range(len(sizes))]
    assert sum(sizes) == 36 == spec.measurements - 1


def test_each_measurement_is_what_the_evaluator_says_of_its_mask_and_number(spec, planted):
    evaluator = evaluator_of(spec, planted)
    events = _events(spec, planted)
    assert np.array_equal(events[1].values, evaluator.measure(np.ones(8, dtype=bool), 0).values)
    for event in events[2:8]:
        for offset, mask in enumerate(unpack_masks(event.masks, 8)):
            assert np.array_equal(event.values[offset], evaluator.measure(mask, event.number + offset).values)


def test_the_search_finds_the_planted_features(planted):
    spec = RunSpec.make(planted, method="bspsa", seed=1, settings={"max_iterations": 150, "repeats": 3})
    best = _state(_events(spec, planted)).best
    assert best.mask[[1, 5]].all()
    assert best.mean < 0.05


def test_one_and_three_threads_give_the_same_events(spec, planted):
    one, three = _events(spec, planted, threads=1), _events(spec, planted, threads=3)
    assert [_content(event) for event in one] == [_content(event) for event in three]


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 7, 14])
def test_a_run_broken_anywhere_and_told_its_log_goes_on_to_the_same_end(spec, planted, kept):
    whole = _events(spec, planted)
    rest = _events(spec, planted, told=whole[:kept])
    assert [_content(event) for event in whole[kept:]] == [_content(event) for event in rest]


def test_a_stopped_run_says_so_and_resumes_to_the_same_end(spec, planted):
    whole = _events(spec, planted)

    class StopsAfter(Flag):
        left = 5

        def should_stop(self):
            self.left -= 1
            return self.left < 0

    part = _events(spec, planted, control=StopsAfter())
    assert part[-1].stopped
    assert _state(part).status == "stopped"
    both = _state([*part, *_events(spec, planted, told=part)])
    straight = _state(whole)
    assert both.status == "finished"
    assert np.array_equal(both.best.mask, straight.best.mask)
    assert np.array_equal(both.best.weights, straight.best.weights)
    assert np.array_equal(both.errors.view, straight.errors.view)
    assert both.evaluations == straight.evaluations


def test_a_run_stopped_before_anything_was_measured_resumes_too(spec, planted):
    flag = Flag()
    flag.stop = True
    part = _events(spec, planted, control=flag)
    assert [type(event) for event in part] == [RunStarted, RunFinished]
    rest = _events(spec, planted, told=part)
    assert isinstance(rest[0], BaselineMeasured)
    assert not rest[-1].stopped


def test_a_log_that_does_not_replay_is_refused(spec, planted):
    events = _events(spec, planted)
    other = spec.model_copy(update={"seed": 6})
    with pytest.raises(ProjectError, match="cannot be replayed from measurement 1 on"):
        _events(other, planted, told=events[:5])


def test_other_data_than_the_run_was_made_on_are_refused(spec, planted, make_dataset):
    changed = planted.x.copy()
    changed[0, 0] += 1
    with pytest.raises(ProjectError, match="other data"):
        _events(spec, make_dataset(changed, planted.target))


def test_spec_hands_each_value_to_the_group_that_declares_it(planted):
    spec = RunSpec.make(planted, method="bspsa", settings={"c": "0.1", "k": 3, "folds": 4})
    assert spec.build_method().c == 0.1
    assert spec.build_wrapper().k == 3
    assert spec.measuring.folds == 4
    with pytest.raises(SettingsError, match='no setting "speed"'):
        RunSpec.make(planted, method="bspsa-h", settings={"speed": 1})
    assert RunSpec.model_validate_json(spec.model_dump_json()) == spec


def test_fewer_rows_than_folds_are_refused_with_a_sentence(make_dataset):
    dataset = make_dataset(np.arange(8.0).reshape(4, 2), [0, 1, 0, 1])
    with pytest.raises(DataError, match="4 rows, too few for 5 folds"):
        evaluator_of(RunSpec.make(dataset, method="bspsa-h"), dataset)


def test_measurements_on_threads_leave_no_thread_behind(spec, planted):
    _events(spec, planted, threads=3)
    deadline = time.monotonic() + 5
    while any(thread.name.startswith("measure") for thread in threading.enumerate()):
        assert time.monotonic() < deadline


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("bspsa-h", {"max_measurements": 3000}),
        ("bspsa", {"n_finalists": 3, "finalist_measurements": 2}),
        ("sffs", {"patience": 0, "confirmations": 1}),
        ("exhaustive", {"confirmations": 1}),
    ],
)
def test_before_the_time_is_up_the_finalists_are_measured_again(planted, monkeypatch, method, settings):
    ticks = itertools.count()
    monkeypatch.setattr("fsdesk.engine.loop.time.perf_counter", lambda: float(next(ticks)))  # a second for each batch
    minutes = {"sffs": 14, "exhaustive": 7}.get(method, 100) / 60
    settings = {**settings, "max_minutes": minutes, "repeats": 1, "folds": 2}
    spec = RunSpec.make(planted, method=method, settings=settings)
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        events = list(run(spec, planted, executor))
        batches = [event for event in events if isinstance(event, BatchMeasured)]
        assert batches[-1].confirms
        assert events[-1].mask is not None
        assert events[-1].reason == "the time was nearly up, and the finalists were measured again"
        assert 0.85 * 60 * minutes <= len(batches) <= 60 * minutes
        for kept in (len(events) // 2, len(events) - 3):
            again = events[:kept] + list(run(spec, planted, executor, events[:kept]))
            assert [each.masks.tobytes() for each in again if isinstance(each, BatchMeasured)] == [
                each.masks.tobytes() for each in batches
            ]
            assert again[-1].reason == events[-1].reason


@pytest.mark.parametrize(
    ("method", "settings"),
    [("bspsa-h", {"max_measurements": 3000}), ("bspsa", {"n_finalists": 3, "finalist_measurements": 2})],
)
def test_a_run_whose_time_was_up_goes_on_when_it_gets_more(planted, monkeypatch, method, settings):
    ticks = itertools.count()
    monkeypatch.setattr("fsdesk.engine.loop.time.perf_counter", lambda: float(next(ticks)))  # a second for each batch
    settings = {**settings, "max_minutes": 1.0, "repeats": 1, "folds": 2}
    spec = RunSpec.make(planted, method=method, settings=settings)
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        events = [*run(spec, planted, executor), more_of(spec, minutes=1.0)]
        rest = list(run(spec, planted, executor, events))
        batches = [event for event in rest if isinstance(event, BatchMeasured)]
        assert 30 < len(batches) < 75
        assert not batches[0].confirms
        assert batches[-1].confirms
        again = [*events, *rest[:20]]
        again += list(run(spec, planted, executor, again))
        assert again[-1].mask.tobytes() == rest[-1].mask.tobytes()


class _Clocked(Measuring):
    """An evaluator whose measurements take a second each on a clock of its own."""

    def __init__(self, evaluator, monkeypatch):
        self.evaluator, self.now = evaluator, 0.0
        for clock in ("perf_counter", "monotonic"):
            monkeypatch.setattr(f"fsdesk.engine.loop.time.{clock}", lambda: self.now)

    def measure(self, mask, number):
        self.now += 1.0
        return self.evaluator.measure(mask, number)


def _masks(events):
    return [mask.tobytes() for event in events if isinstance(event, BatchMeasured) for mask in event.masks]


def _values(events):
    return [each for event in events if isinstance(event, BatchMeasured) for each in event.values.tolist()]


WIDE = [("sffs", {}), ("bga", {}), ("fdsa", {}), ("bspsa-h", {"max_measurements": 200})]


@pytest.mark.parametrize(("method", "settings"), WIDE)
def test_a_limit_of_time_ends_a_batch_after_the_measurement_under_way_and_more_time_goes_on_with_the_rest(
    planted, monkeypatch, method, settings
):
    settings = {**settings, "repeats": 1, "folds": 2}
    spec = RunSpec.make(planted, method=method, settings={**settings, "max_minutes": 5.5 / 60})
    clocked = _Clocked(evaluator_of(spec, planted), monkeypatch)
    with ThreadExecutor(clocked) as executor:
        events = list(run(spec, planted, executor))
        assert len(_masks(events)) == 6
        assert "time" in events[-1].reason
        state = RunState()
        for event in events:
            state.apply(event)
        assert state.best is not None
        if method == "bspsa-h":
            return  # which plans with the time, so that more of it changes what it does next
        events += [more_of(spec, minutes=7 / 60)]
        events += list(run(spec, planted, executor, events))
        assert len(_masks(events)) == 13
        unlimited = RunSpec.make(planted, method=method, settings={**settings, "max_measurements": 70})
        whole = list(run(unlimited, planted, executor))
        assert _masks(events) == _masks(whole)[:13]
        assert _values(events) == _values(whole)[:13]


def test_a_stop_ends_a_long_batch_and_the_rest_is_measured_when_the_run_goes_on(planted, monkeypatch):
    spec = RunSpec.make(planted, method="sffs", settings={"max_measurements": 40, "repeats": 1, "folds": 2})

    class Impatient(Flag):
        def wants(self):
            self.stop = True
            return True

    clocked = _Clocked(evaluator_of(spec, planted), monkeypatch)
    with ThreadExecutor(clocked) as executor:
        part = list(run(spec, planted, executor, (), Impatient()))
        assert part[-1].stopped
        assert len(_masks(part)) == 1
        rest = list(run(spec, planted, executor, part))
        whole = list(run(spec, planted, executor))
    assert _masks([*part, *rest]) == _masks(whole)
    assert _values([*part, *rest]) == _values(whole)
    assert rest[-1].reason == whole[-1].reason


class _GivingUp(Measuring):
    """An evaluator whose measurement ``number`` takes for ever: it is given up by what the kernels ask."""

    def __init__(self, evaluator, number):
        self.evaluator, self.number = evaluator, number

    def measure(self, mask, number):
        return self.endless() if number == self.number else self.evaluator.measure(mask, number)

    def endless(self):
        fits = np.arange(1, dtype=np.int32), np.array([0, 1]), np.tile(np.int8([[-1, 0]]), 200_000)
        table = np.zeros((1, 400_000))
        while True:
            _core.nn_errors(table, np.zeros(400_000, dtype=np.int64), *fits, np.zeros(1, dtype=np.int64))


def test_a_measurement_under_way_is_given_up_when_it_is_stopped_and_taken_again_when_the_run_goes_on(planted):
    spec = RunSpec.make(planted, method="sffs", settings={"max_measurements": 20, "repeats": 1, "folds": 2})
    evaluator, flag = evaluator_of(spec, planted), Flag()
    threading.Timer(0.5, lambda: setattr(flag, "stop", True)).start()
    with ThreadExecutor(_GivingUp(evaluator, 9)) as executor:
        part = list(run(spec, planted, executor, (), flag))
    assert part[-1].stopped
    assert len(_masks(part)) == 8
    with ThreadExecutor(evaluator) as executor:
        rest, whole = list(run(spec, planted, executor, part)), list(run(spec, planted, executor))
    assert _masks([*part, *rest]) == _masks(whole)
    assert _values([*part, *rest]) == _values(whole)


def test_a_measurement_under_way_is_given_up_when_the_time_is_over_and_the_log_says_when_that_was(planted):
    spec = RunSpec.make(planted, method="sffs", settings={"max_minutes": 0.01, "repeats": 1, "folds": 2})
    with ThreadExecutor(_GivingUp(evaluator_of(spec, planted), 9)) as executor:
        events = list(run(spec, planted, executor))
        assert len(_masks(events)) == 8
        assert "time" in events[-1].reason
        state = _state(events)
        assert state.seconds >= 0.6
        assert state.best is not None
        again = list(run(spec, planted, executor, events[:-1]))
        assert [type(event) for event in again] == [RunFinished]
        assert again[-1].reason == events[-1].reason


def test_all_features_measured_once_take_no_more_time_than_there_is(planted):
    spec = RunSpec.make(planted, method="sffs", settings={"max_minutes": 0.01})
    with ThreadExecutor(_GivingUp(evaluator_of(spec, planted), 0)) as executor:
        *_, last = run(spec, planted, executor)
    assert last.stopped
    assert last.mask is None
    assert "all features" in last.reason


@pytest.mark.parametrize("seconds", [0.5, 3.5, 9.5])
def test_strategies_answer_by_the_held_out_rows_that_there_was_time_for(planted, monkeypatch, seconds):
    spec = RunSpec.make(planted, method="auto", settings={"max_minutes": seconds / 60, "competing": "filters"})
    clock = [0.0]
    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(f"fsdesk.engine.loop.time.{name}", lambda: clock[0])

    class Ticking(ThreadExecutor):
        def judge(self, masks, number, rows, halts=lambda: False):
            found = super().judge(masks, number, rows)
            clock[0] += 1.0
            return found[: len(found) // 2] if halts() else found

    with Ticking(evaluator_of(spec, planted)) as executor:
        events = list(run(spec, planted, executor))
        again = list(run(spec, planted, executor, events[:-1]))
    last, judged = events[-1], [event for event in events if isinstance(event, SubsetsJudged)]
    assert sum(event.seconds for event in judged) <= seconds + 1.0
    assert "time" in last.reason
    assert again[-1].reason == last.reason
    assert np.array_equal(again[-1].mask, last.mask)


@pytest.mark.usefixtures("filters_scored_once")
@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("method", [entry.name for entry in METHODS])
def test_a_budget_below_the_first_proposal_is_spent_on_its_first_masks_and_leaves_an_answer(planted, method, most):
    own = {"exhaustive": {"max_size": 2}, "auto": {"competing": "filters", "resamples": 3}}.get(method, {})
    settings = {"max_measurements": most, **own}
    spec = RunSpec.make(planted, method=method, settings=settings)
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        whole = list(run(spec, planted, executor))
        again = list(run(spec, planted, executor, whole[:-1]))
    measured = sum(len(event.masks) for event in whole if isinstance(event, BatchMeasured))
    state = RunState()
    for event in whole:
        state.apply(event)
    assert 1 <= measured <= most
    assert state.status == "finished"
    assert state.best.mean < np.inf
    assert again[-1].reason == whole[-1].reason
    assert _masks([*whole[:-1], *again]) == _masks(whole)


@pytest.mark.parametrize("method", ["bspsa", "fdsa"])
def test_a_budget_that_reaches_no_candidate_still_ends_with_the_best_that_was_measured(planted, method):
    spec = RunSpec.make(planted, method=method, settings={"max_measurements": 16 if method == "fdsa" else 2})
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        events = list(run(spec, planted, executor))
    state = RunState()
    for event in events:
        state.apply(event)
    batches = [event for event in events if isinstance(event, BatchMeasured)]
    assert not any(any(batch.candidates) for batch in batches)
    assert state.status == "finished"
    assert state.best.mean == min(batch.values.mean(axis=1).min() for batch in batches)


def test_the_end_of_a_race_counts_features_that_are_always_in_and_all_that_go_together(planted):
    first, *others = planted.features
    asked = {"always": [first], "together": [others[:3]], "settings": {"competing": "filters", "resamples": 2}}
    spec = RunSpec.make(planted, method="auto", **asked)
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        state = RunState.of(run(spec, planted, executor))
    size = int(state.best.mask.sum())
    assert f"with {size} feature" in state.reason
