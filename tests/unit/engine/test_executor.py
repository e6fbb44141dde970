"""Who measures does not matter, only how long it takes."""

import threading
import time

import numpy as np
import pytest

from fsdesk.engine import ThreadExecutor
from fsdesk.engine.executor import Pace
from fsdesk.measure import Evaluator
from fsdesk.wrappers import WRAPPERS
from tests.measuring import Measuring, Together


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("folds", [None, 7])
def test_measurements_are_the_same_with_any_number_of_threads(planted, threads, folds):
    rng = np.random.default_rng(0)
    evaluator = Evaluator(planted, "nn", repeats=2, seed=3)
    masks = [rng.random(len(planted.features)) < 0.5 for _ in range(5)]
    for mask in masks:
        mask[0] = True
    with ThreadExecutor(evaluator, 1) as alone, ThreadExecutor(evaluator, threads) as together:
        for number in range(0, 60, 5):  # long enough for both ways to be tried
            expected = alone.measure(masks, number, folds)
            found = together.measure(masks, number, folds)
            assert [each.values.tolist() for each in found] == [each.values.tolist() for each in expected]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("LinearSVC", "max_iter=3"),
        ("LogisticRegression", "solver='liblinear', dual=True, max_iter=3"),
        ("BaggingClassifier", "estimator=LinearSVC(max_iter=3), n_estimators=2"),
    ],
)
def test_models_that_share_a_generator_of_random_numbers_are_the_same_with_any_number_of_threads(
    make_dataset, name, parameters
):
    """LIBLINEAR has one for all threads of a process; fits end before they have converged, so its numbers show."""
    rng = np.random.default_rng(1)
    dataset = make_dataset(rng.normal(size=(400, 60)), np.arange(400) % 2)
    wrapper = WRAPPERS["sklearn"].build({"estimator": name, "parameters": parameters})
    evaluator = Evaluator(dataset, wrapper, repeats=1, seed=3)
    masks = [rng.random(60) < 0.9 for _ in range(8)]
    with ThreadExecutor(evaluator, 1) as alone, ThreadExecutor(evaluator, 4, Together()) as together:
        expected, found = (executor.measure(masks, 0) for executor in (alone, together))
    assert [each.values.tolist() for each in found] == [each.values.tolist() for each in expected]


class _Meeting(Measuring):
    """Measures two masks at once or never ends."""

    def __init__(self) -> None:
        self.barrier = threading.Barrier(2, timeout=30)

    def measure(self, mask, number):
        self.barrier.wait()
        return number


def test_the_thread_that_asks_measures_beside_its_helpers():
    with ThreadExecutor(_Meeting(), 2, Together()) as executor:
        assert executor.measure([np.ones(1, dtype=bool)] * 4, 10) == [10, 11, 12, 13]


class _Failing(Measuring):
    def measure(self, mask, number):
        raise ZeroDivisionError(number)


def test_an_error_on_any_thread_comes_back_and_leaves_no_thread_behind():
    with ThreadExecutor(_Failing(), 3, Together()) as executor, pytest.raises(ZeroDivisionError):
        executor.measure([np.ones(1, dtype=bool)] * 4, 0)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("measure")]


def _turns(count, seconds_alone):
    """Whether each turn was measured together, where a mask takes a second so."""
    pace, turns = Pace(), []
    for turn in range(count):
        turns.append(pace.together())
        pace.note(turns[-1], 1.0 if turns[-1] else seconds_alone(turn))
    return turns


def test_the_quicker_way_is_kept_once_both_were_tried():
    for alone in (0.5, 1.0, 1.3):
        turns = _turns(60, lambda turn, alone=alone: alone)
        assert turns[:8].count(False) == 2
        assert set(turns[8:]) == {alone >= 1.0}


def test_one_thread_is_tried_once_where_it_is_clearly_slower():
    turns = _turns(600, lambda turn: 1.8)
    assert turns[:4] == [True, True, True, False]
    assert turns.count(False) == 3  # again after some 260 turns


def test_another_way_is_found_when_it_has_become_the_quicker_one():
    assert set(_turns(600, lambda turn: 2.0 if turn < 200 else 0.5)[300:]) == {True, False}
    assert not any(_turns(600, lambda turn: 2.0 if turn < 200 else 0.5)[274:320])
    assert all(_turns(200, lambda turn: 0.5 if turn < 50 else 2.0)[88:])


def test_while_both_ways_are_tried_few_masks_are_measured_by_one_thread_alone(planted, monkeypatch):
    """A second thread that is of use would stand still: of dozens of masks the others are measured by both."""
    evaluator, jobs = Evaluator(planted, "c45", repeats=2), []

    def job(masks, numbers, at_once, threads):
        jobs.append((len(masks), threads))
        return Evaluator.job(evaluator, masks, numbers, at_once, threads)

    monkeypatch.setattr(evaluator, "job", job)
    masks = list(np.eye(len(planted.features), dtype=bool))
    with ThreadExecutor(evaluator, 2) as executor:
        for number in range(8):
            assert len(executor.measure(masks, number * len(masks))) == len(masks)
    assert sum(many for many, threads in jobs[:8] if threads == 1) in (3, 6)
    assert sum(many for many, _ in jobs) == 8 * len(masks)


class _Slow(Measuring):
    """So slow that a helper cannot measure a whole batch before the thread that asks has its turn."""

    def __init__(self, evaluator):
        self.evaluator = evaluator

    def measure(self, mask, number):
        time.sleep(0.005)
        return self.evaluator.measure(mask, number)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_that_is_not_to_go_on_ends_with_the_first_masks_measured(planted, threads):
    masks = list(np.eye(len(planted.features), dtype=bool)) * 10
    evaluator, asked = Evaluator(planted, "nn", repeats=2), []
    with ThreadExecutor(_Slow(evaluator), threads, Together()) as executor:
        measured = executor.measure(masks, 1, None, lambda: len(asked) < 2 and not asked.append(0))
    whole = [evaluator.measure(mask, 1 + place) for place, mask in enumerate(masks)]
    assert 3 <= len(measured) < len(masks)
    assert [each.mean for each in measured] == [each.mean for each in whole[: len(measured)]]


@pytest.mark.parametrize("threads", [1, 2])
def test_of_short_measurements_a_few_are_done_in_one_go_before_somebody_is_asked(planted, threads):
    masks = list(np.eye(len(planted.features), dtype=bool)) * 20
    evaluator, asked = Evaluator(planted, "nn", repeats=2), []
    pace = Together()
    pace.took(0.0009)  # so many take longer than a user should wait
    with ThreadExecutor(evaluator, threads, pace) as executor:
        measured = executor.measure(masks, 1, None, lambda: bool(asked.append(0)))
        assert 1 <= len(measured) // threads <= 22
        assert len(measured) < len(masks)
        assert len(asked) == 1
        whole = executor.measure(masks, 1)
    alone = [evaluator.measure(mask, 1 + place).mean for place, mask in enumerate(masks)]
    assert [each.mean for each in measured] == alone[: len(measured)]
    assert [each.mean for each in whole] == alone


def test_long_measurements_are_not_done_in_one_go_unless_a_batch_is_short():
    pace = Pace()
    assert pace.at_once(24, 2) == 0  # nothing is known yet
    pace.took(0.03)
    assert pace.at_once(1, 2) == 0
    pace.took(0.004)
    assert pace.at_once(24, 2) == 0
    assert pace.at_once(3, 2) == 3
    pace.took(0.0002)
    assert pace.at_once(24, 2) == 24
    pace.took(0.0009)
    assert pace.at_once(60, 2) == 30  # two goes of 13.5 ms
