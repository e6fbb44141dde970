import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fsdesk.engine import BaselineMeasured, BatchMeasured, RunFailed, RunFinished, RunStarted, pack_masks, unpack_masks
from fsdesk.errors import ProjectError
from fsdesk.store.schema import decode, encode, pack

EVENTS = [
    RunStarted({"method": "bspsa", "method_settings": {"a": 0.1}}, ("é", "b,c")),
    BaselineMeasured(np.array([0.1, 1 / 3]), 0.25),
    BatchMeasured(
        7,
        pack_masks([np.ones(9, bool)]),
        (True,),
        np.array([[0.1, np.nan]]),
        3,
        np.arange(9, dtype=np.uint8),
        {"a_k": 1e-9},
    ),
    BatchMeasured(1, pack_masks([np.ones(3, bool)] * 2), (True, False), np.zeros((2, 1)), 0, None),
    RunFinished("done", False, np.array([0.1, 0.2])),
    RunFinished("stopped", True, None),
    RunFailed("it broke"),
]


def _plain(event):
    return {
        name: (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value
        for name, value in vars(event).items()
    }


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_comes_back_bit_for_bit(event):
    back = decode(*encode(event))
    assert type(back) is type(event)
    assert _plain(back) == _plain(event)


@settings(deadline=None)
@given(masks=arrays(np.bool_, st.tuples(st.integers(1, 4), st.integers(1, 40))))
def test_packed_masks_come_back(masks):
    assert np.array_equal(unpack_masks(pack_masks(list(masks)), masks.shape[1]), masks)


def test_a_run_that_failed_in_an_older_version_may_be_resumed():
    """Its log does not say whether the worker died or the settings were refused."""
    assert decode("RunFailed", pack({"message": "A worker process ended unexpectedly."})).passing
    for passing in (True, False):
        assert decode(*encode(RunFailed("refused", passing=passing))).passing is passing


def test_damaged_bytes_and_unknown_kinds_are_said_in_a_sentence():
    kind, data = encode(EVENTS[1])
    with pytest.raises(ProjectError, match="damaged"):
        decode(kind, data[:-3])
    with pytest.raises(ProjectError, match="damaged"):
        decode(kind, b"")
    with pytest.raises(ProjectError, match=r'unknown kind "RunDreamed"\. Update fsdesk'):
        decode("RunDreamed", data)
