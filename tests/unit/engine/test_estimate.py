"""What a run will take is told from measurements alone, never from what was compiled or loaded for the first ones."""

import time

import pytest
from numba.core import event

from fsdesk.data import share
from fsdesk.engine import Flag, RunSpec, tasks

_LATE = 0.2  # seconds


class _SlowAtFirst:
    """Takes long for the batches of ``slow``, and compiles in those of ``compiled``."""

    slow: tuple[int, ...] = ()
    compiled: tuple[int, ...] = ()

    def __init__(self, evaluator, threads):
        self.batch = -1  # all features

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def measure(self, masks, number):
        if self.batch in self.compiled:
            with event.trigger_event("numba:compile"):
                time.sleep(_LATE)
        elif self.batch in self.slow:
            time.sleep(_LATE)
        self.batch += 1


@pytest.mark.parametrize(
    ("slow", "compiled"), [((), (-1, 0, 1)), ((), (1, 2, 3)), ((0,), ()), ((-1, 0, 4), (2, 3)), ((), ())]
)
def test_what_is_loaded_or_compiled_first_is_no_part_of_the_pace(planted, tmp_path, monkeypatch, slow, compiled):
    monkeypatch.setattr(_SlowAtFirst, "slow", slow)
    monkeypatch.setattr(_SlowAtFirst, "compiled", compiled)
    monkeypatch.setattr(tasks, "ThreadExecutor", _SlowAtFirst)
    monkeypatch.setattr(tasks, "_ENOUGH_SECONDS", _LATE / 20)  # three slow batches would do
    spec = RunSpec.make(planted, method="bspsa-h")
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 2)
    assert 0 < found.seconds < _LATE / 6


def test_a_table_that_takes_long_is_not_measured_for_long(planted, tmp_path, monkeypatch):
    batches = []
    monkeypatch.setattr(_SlowAtFirst, "slow", range(100))
    monkeypatch.setattr(_SlowAtFirst, "measure", lambda self, masks, number: batches.append(time.sleep(_LATE)))
    monkeypatch.setattr(tasks, "ThreadExecutor", _SlowAtFirst)
    monkeypatch.setattr(tasks, "_LONG_SECONDS", _LATE / 4)
    spec = RunSpec.make(planted, method="bspsa-h")
    *_, found = tasks.estimate_task(Flag(), spec, share(planted, tmp_path), 2)
    assert len(batches) == 3  # all features, one that may load kernels, one that counts
    assert found.seconds == pytest.approx(_LATE / 3, rel=0.5)


def test_a_stop_at_once_tells_nothing(planted, tmp_path):
    flag = Flag()
    flag.stop = True
    spec = RunSpec.make(planted, method="bspsa-h")
    assert not [
        each
        for each in tasks.estimate_task(flag, spec, share(planted, tmp_path), 1)
        if isinstance(each, tasks.Estimate)
    ]
