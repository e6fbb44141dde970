"""Who measures: the masks of a proposal, on threads of this process over one copy of the data."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.measure import Evaluator, Job, Measurement
from fsdesk.methods import Mask

__all__ = ["Executor", "ThreadExecutor"]

GoingOn = Callable[[], bool]

_TRIES, _TRIED_AGAIN = 4, 256  # batches in which each way shows its speed; batches until the slower one is tried again
_SOON = 0.004  # seconds until somebody is asked again whether to go on


def _always() -> bool:
    return True


class Executor(Protocol):
    """Measures masks; each measurement depends on its mask and number alone, never on who measures it or when."""

    def measure(
        self, masks: Sequence[Mask], number: int, folds: int | None = None, going: GoingOn = _always
    ) -> list[Measurement]:
        """Measure the masks as measurements ``number``, ``number + 1``, ..., or all on the folds of one of them.

        ``going`` is asked after each, or after a few of some milliseconds together: once it says no, no other one is
        begun, and those measured so far are returned, which are the first ones.
        """


class ThreadExecutor:
    """Measures up to ``threads`` masks, or parts of masks, at once; kernels release the interpreter, BLAS stays on one.

    The thread that asks measures, too. Short measurements are shared in few compiled calls; where even so handing
    them over takes longer than it saves, which the first batches show, it measures alone.

    A context manager: on leaving, its threads are gone.
    """

    def __init__(self, evaluator: Evaluator, threads: int = 1) -> None:
        self.evaluator = evaluator
        self._limits = threadpool_limits(limits=1)
        self._helpers = threads - 1
        self._pool = ThreadPoolExecutor(self._helpers, thread_name_prefix="measure") if threads > 1 else None
        self._pace = _Pace()

    def measure(
        self, masks: Sequence[Mask], number: int, folds: int | None = None, going: GoingOn = _always
    ) -> list[Measurement]:
        """As the protocol says; the thread that asks is the one that asks ``going``."""
        numbers = range(number, number + len(masks)) if folds is None else [folds] * len(masks)
        most = self._helpers if self.evaluator.divides(masks[-1]) else min(self._helpers, len(masks) - 1)
        if self._pool is None or not most:
            return self._measured([], masks, numbers, going)
        together = self._pace.together()
        helpers = [self._pool] * most if together else []
        started = perf_counter()
        measured = self._measured(helpers, masks, numbers, going)
        self._pace.note(together, (perf_counter() - started) / len(measured))
        return measured

    def _measured(
        self, helpers: Sequence[ThreadPoolExecutor], masks: Sequence[Mask], numbers: Sequence[int], going: GoingOn
    ) -> list[Measurement]:
        measured: list[Measurement] = []
        threads, is_going = 1 + len(helpers), True
        while is_going and (begun := len(measured)) < len(masks):
            started = perf_counter()
            at_once = self._pace.at_once(len(masks) - begun, threads)
            job = self.evaluator.job(masks[begun:], numbers[begun:], at_once, threads)
            _share(job, helpers, going)
            measured += job.measured()
            self._pace.took(threads * (perf_counter() - started) / (len(measured) - begun))
            is_going = len(measured) == begun + job.size and (len(measured) == len(masks) or going())
        return measured

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._limits.restore_original_limits()


def _share(job: Job, helpers: Sequence[ThreadPoolExecutor], going: GoingOn) -> None:
    """Work on this thread, which alone asks whether to go on, and beside it on helpers."""
    at_work = [pool.submit(job.work, None) for pool in helpers]
    try:
        job.work(going)
    finally:
        for helper in at_work:
            if not helper.cancel() and not job.is_done():  # one that has not begun finds nothing left to do
                helper.result()


class _Pace:
    """Whether measurements are quicker on threads or one after another: both ways are tried in turn.

    And how many short ones are measured in one go, as handing them over takes as long as they do: so many that the user
    does not wait for them.
    """

    def __init__(self) -> None:
        self._batches = -1  # the first one may load kernels
        self._best = {True: np.inf, False: np.inf}
        self._seconds = np.inf

    def at_once(self, masks: int, threads: int) -> int:
        """How many masks so many threads measure in one go, in equal shares; 1 where one alone takes long."""
        if self._seconds >= _SOON:
            return 1
        shares = math.ceil(masks / threads)
        goes = max(1, math.ceil(shares * self._seconds / _SOON))
        return min(masks, threads * math.ceil(shares / goes))

    def took(self, seconds: float) -> None:
        """So long each measurement took a thread."""
        self._seconds = seconds

    def together(self) -> bool:
        """Which way to measure the next batch."""
        if self._batches < 2 * _TRIES:
            return self._batches % 2 == 0
        return self._best[True] < self._best[False]

    def note(self, together: bool, seconds: float) -> None:
        """A batch was measured that way, in so many seconds for each mask."""
        if self._batches >= 0:
            self._best[together] = min(self._best[together], seconds)
        self._batches += 1
        if self._batches == _TRIED_AGAIN:
            self._batches, self._best = 0, {True: np.inf, False: np.inf}
