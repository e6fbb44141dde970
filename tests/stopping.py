"""Work of the compiled core that is told to stop while it goes on."""

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from fsdesk.kernels import _core

__all__ = ["assert_stops_within_a_second"]


def assert_stops_within_a_second(work: Callable[[], object], stop: NDArray[np.uint8], threads: int = 1) -> None:
    """Set the flag soon after the work has begun; it gives up before each thread has computed for a second more.

    The clock would run on while other processes have the processor: what counts is this process's own time.
    """
    rung = []

    def ring() -> None:
        rung.append(time.process_time())
        stop.fill(1)

    timer = threading.Timer(0.3, ring)
    timer.start()
    with pytest.raises(_core.Stopped):
        work()
    ended = time.process_time()
    timer.join()
    assert ended - rung[0] < threads
