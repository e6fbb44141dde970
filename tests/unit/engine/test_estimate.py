"""What a run will take is told from measurements alone, never from what was loaded for the first ones."""

import time

import pytest

from fsdesk.data import share
from fsdesk.engine import Flag, RunSpec, tasks

_LATE = 0.2  # seconds


class _Slow:
    """Takes long for the batches of ``slow``."""

    slow: tuple[int, ...] = ()

    def __init__(self, evaluator, threads):
        self.batch = -1  # all features

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def measure(self, masks, number, halts):
        if self.batch in self.slow:
            time.sleep(_LATE)
        self.batch += 1
        return [None] * len(masks)


@pytest.mark.parametrize("slow", [(), (-1, 0), (0, 4)])
def test_what_is_loaded_first_and_a_slow_batch_are_no_part_of_the_pace(planted, tmp_path, monkeypatch, slow):
    monkeypatch.setattr(_Slow, "slow", slow)
    monkeypatch.setattr(tasks, "ThreadExecutor", _Slow)
    spec = RunSpec.make(planted, method="bspsa-h")
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 2)
    assert 0 < found.seconds < _LATE / 6


def test_a_table_that_takes_long_is_not_measured_for_long(planted, tmp_path, monkeypatch):
    batches = []

    def measure(self, masks, number, halts):
        time.sleep(_LATE)
        batches.append(number)
        return [None] * len(masks)

    monkeypatch.setattr(_Slow, "measure", measure)
    monkeypatch.setattr(tasks, "ThreadExecutor", _Slow)
    monkeypatch.setattr(tasks, "_LONG_SECONDS", _LATE / 4)
    spec = RunSpec.make(planted, method="bspsa-h")
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 2)
    assert len(batches) == 3  # all features, one that may load what it needs, one that counts
    assert found.seconds == pytest.approx(_LATE / 3, rel=0.5)


def test_where_others_are_single_fits_the_two_measurements_of_many_fits_count_besides(planted, tmp_path):
    spec = RunSpec.make(planted, method="auto", wrapper="forest", preset="quick")
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 1)
    assert found.whole > 10 * found.seconds  # two of 50 fits each
    assert found.once == found.whole + found.rankings
    *_, found = tasks.estimate_task(Flag(), RunSpec.make(planted, method="sfs"), share(planted, tmp_path), 1)
    assert found.whole == 0  # all are of many fits


def test_rankings_count_as_often_as_the_method_asks_for_them_and_without_what_they_load(planted, tmp_path, monkeypatch):
    loaded, asked = [], []

    def load(dataset, name):
        time.sleep(_LATE)
        loaded.append(name)

    def scores(space, name, threads):
        time.sleep(_LATE / 4)
        asked.append(name)

    monkeypatch.setattr(tasks, "_MANY_NUMBERS", planted.x.size)
    monkeypatch.setattr(tasks, "filter_scores", load)
    monkeypatch.setattr(tasks.Space, "scores", scores)
    spec = RunSpec.make(planted, method="univariate", settings={"resamples": 4})
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 1)
    assert asked == loaded == ["f"]
    assert found.rankings == pytest.approx(5 * _LATE / 4, rel=0.5)
    monkeypatch.setattr(tasks, "_MANY_NUMBERS", planted.x.size + 1)
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 1)
    assert found.rankings > 0  # guessed: a small table takes some time, too
    assert asked == ["f"]
    *_, found = tasks.estimate_task(Flag(), RunSpec.make(planted, method="sfs"), share(planted, tmp_path), 1)
    assert found.rankings == 0  # none are asked for


def test_a_stop_at_once_tells_nothing(planted, tmp_path):
    flag = Flag()
    flag.stop = True
    spec = RunSpec.make(planted, method="bspsa-h")
    assert not [
        each
        for each in tasks.estimate_task(flag, spec, share(planted, tmp_path), 1)
        if isinstance(each, tasks.Estimate)
    ]
