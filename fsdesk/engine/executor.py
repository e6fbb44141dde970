"""Executors: measure the masks of a proposal on threads of this process, over one copy of the data."""

import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from time import perf_counter
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.kernels import _core
from fsdesk.measure import Evaluator, Job, Measurement, Resamples
from fsdesk.methods import Mask, Rows, Subsets

GoingOn = Callable[[], bool]

_TURNS, _ALONE = 8, (3, 6)  # turns in which both ways of measuring are compared, and those of them with one thread
_TRIED = 3  # masks measured in a turn with one thread, in which the others may be idle
_CLEAR = 1.4  # if one thread takes this many times as long, it is not tried again
_AGAIN, _SOONER = 256, 64  # turns until both ways are tried again, and until then if threads were slower
_SOON, _SHORT = 0.02, 0.001  # seconds between checks whether to continue, and of a short measurement
_JUDGED_AT_ONCE = 64  # fits on held-out rows


def _always() -> bool:
    return True


def _never() -> bool:
    return False


def usable_cores() -> int:
    """Number of cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Executor(Protocol):
    """Measures masks; each measurement depends only on its mask and number, not on where or when it is made.

    Attributes
    ----------
    threads
        Number of threads, including the caller's.
    """

    threads: int

    def measure(
        self,
        masks: Sequence[Mask],
        number: int,
        folds: int | None = None,
        going: GoingOn = _always,
        halts: Callable[[], bool] = _never,
        model: str = "",
    ) -> list[Measurement]:
        """Measure the masks as measurements ``number``, ``number + 1``, ..., or all on the folds of one of them.

        ``going`` is called after each measurement, or after several of a few milliseconds; once it returns False no
        further one is started, and the first measurements, possibly none, are returned. ``halts`` is called during a
        measurement, several times a second for compiled models: once it returns True, the measurement is abandoned. If
        models compete, ``model`` names the one to use.
        """

    def judge(
        self, masks: Sequence[Mask], number: int, rows: Rows, halts: Callable[[], bool] = _never
    ) -> list[Measurement]:
        """Train each mask once on some rows and score it on others, all on the splits of measurement ``number``.

        If ``halts`` returns True meanwhile, only the first results, possibly none, are returned.
        """


class ThreadExecutor:
    """Measures up to ``threads`` masks, or parts of masks, at once; kernels release the GIL, and BLAS uses one thread.

    The calling thread measures, too. Short measurements are grouped into a few compiled calls. If the first few show
    that the overhead still exceeds the gain, the calling thread measures alone.

    A context manager: its threads end on exit.
    """

    def __init__(self, evaluator: Evaluator, threads: int = 1, pace: "Pace | None" = None) -> None:
        self.evaluator, self.threads = evaluator, threads
        self._limits = threadpool_limits(limits=1)
        self._helpers = threads - 1
        self._pool = ThreadPoolExecutor(self._helpers, thread_name_prefix="measure") if threads > 1 else None
        self._pace = Pace() if pace is None else pace
        self._resamples: dict[int, Resamples] = {}

    def measure(
        self,
        masks: Sequence[Mask],
        number: int,
        folds: int | None = None,
        going: GoingOn = _always,
        halts: Callable[[], bool] = _never,
        model: str = "",
    ) -> list[Measurement]:
        """See the protocol; ``going`` and ``halts`` are called on the calling thread."""
        numbers = range(number, number + len(masks)) if folds is None else [folds] * len(masks)
        measured: list[Measurement] = []
        evaluator, is_going = self.evaluator.of(model) if model else self.evaluator, True
        while is_going and (begun := len(measured)) < len(masks):
            asked, found = self._in_one_go(evaluator, masks[begun:], numbers[begun:], going, halts)
            measured += found
            is_going = len(found) == asked and (len(measured) == len(masks) or going())
        return measured

    def judge(
        self, masks: Sequence[Mask], number: int, rows: Rows, halts: Callable[[], bool] = _never
    ) -> list[Measurement]:
        """See the protocol; compiled if the wrapper supports it, on all threads."""
        evaluator = self.evaluator.of(rows.model) if rows.model else self.evaluator
        if rows.folds not in self._resamples:
            self._resamples[rows.folds] = Resamples(evaluator.dataset, evaluator.settings, evaluator.seed, rows.folds)
        known, split_of = np.unique(rows.resamples, return_inverse=True)
        splits = self._resamples[rows.folds].labels(known.tolist(), rows.judge, number)
        subsets, split_of = Subsets.of(masks), split_of.astype(np.int64)
        is_held_out = rows.judge == "held-out"
        judged: list[Measurement] = []
        # Fits of a split are quick and are measured all or none: those left for later would have another split.
        at_once = _JUDGED_AT_ONCE if is_held_out else len(masks)
        with suppress(_core.Stopped), giving_up_when(halts):
            for first in range(0, len(masks), at_once):
                part, own = subsets[first : first + at_once], split_of[first : first + at_once]
                judged += evaluator.judged(
                    part,
                    part.features,
                    part.offsets,
                    splits,
                    own,
                    margins=is_held_out,
                    threads=self._helpers + 1,
                    halts=halts,
                )
        return judged if is_held_out or len(judged) == len(masks) else []

    def _in_one_go(
        self,
        evaluator: Evaluator,
        masks: Sequence[Mask],
        numbers: Sequence[int],
        going: GoingOn,
        halts: Callable[[], bool],
    ) -> tuple[int, list[Measurement]]:
        """Measure some masks before the next check; return the number requested, and the results."""
        helpers = self._helpers_for(evaluator, masks)
        together = helpers > 0 and self._pace.together()
        if helpers and not together and self._pace.is_trying:
            masks, numbers = masks[:_TRIED], numbers[:_TRIED]
        threads = 1 + helpers if together else 1
        started = perf_counter()
        job = evaluator.job(masks, numbers, self._pace.at_once(len(masks), threads), threads)
        pools = [self._pool] * (threads - 1) if self._pool and job.needs_threads else []
        try:
            _share(job, pools, going, halts)
        except _core.Stopped:
            return job.size, job.measured()
        measured = job.measured()
        seconds = (perf_counter() - started) / len(measured)
        self._pace.took(threads * seconds)
        if helpers:
            self._pace.note(together, seconds)
        return job.size, measured

    def _helpers_for(self, evaluator: Evaluator, masks: Sequence[Mask]) -> int:
        """Number of useful threads besides the caller's."""
        if self._pool is None or evaluator.divides(masks[-1]):
            return self._helpers
        return min(self._helpers, len(masks) - 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._limits.restore_original_limits()


@contextmanager
def giving_up_when(halts: Callable[[], bool]) -> Iterator[None]:
    """Within the block, make kernels called by this thread raise Stopped soon after ``halts`` returns True."""
    _core.give_up_when(halts)
    try:
        yield
    finally:
        _core.give_up_when(None)


def _share(job: Job, helpers: Sequence[ThreadPoolExecutor], going: GoingOn, halts: Callable[[], bool]) -> None:
    """Do the work on this thread, which alone checks whether to continue, and on helper threads."""
    gave_up = threading.Event()

    def help_out() -> None:
        with giving_up_when(gave_up.is_set):
            job.work(None)

    at_work = [pool.submit(help_out) for pool in helpers]
    try:
        with giving_up_when(halts):
            job.work(going)
    except BaseException:
        gave_up.set()
        raise
    finally:
        for helper in at_work:
            if not helper.cancel() and not job.is_done():  # helpers that have not started find nothing left to do
                helper.result()


class Pace:
    """Whether measuring is faster on threads or one by one: on threads, unless trials of both show otherwise.

    It also determines how many short measurements to group, since their overhead takes as long as they do: as many as
    possible without keeping the user waiting.
    """

    def __init__(self) -> None:
        self._turns = 0
        self._best = {True: np.inf, False: np.inf}
        self._seconds = np.inf

    def at_once(self, masks: int, threads: int) -> int:
        """How many masks these threads measure together, in equal shares; 0 if that would take more than a moment.

        Threads wait for one another after each group, which is worthwhile only for short measurements.
        """
        shares = math.ceil(masks / threads)
        if self._seconds >= max(_SHORT, _SOON / shares):
            return 0
        goes = max(1, math.ceil(shares * self._seconds / _SOON))
        return min(masks, threads * math.ceil(shares / goes))

    def took(self, seconds: float) -> None:
        """Record the seconds per measurement and thread."""
        self._seconds = seconds

    @property
    def is_trying(self) -> bool:
        """Whether both ways are currently being compared."""
        return self._turns < _TURNS

    def together(self) -> bool:
        """Whether to use threads for the next measurements."""
        return self._turns not in _ALONE if self.is_trying else self._best[True] <= self._best[False]

    def note(self, together: bool, seconds: float) -> None:
        """Record the seconds per mask for one way of measuring."""
        if self.is_trying:
            self._best[together] = min(self._best[together], seconds)
            if self._best[False] > _CLEAR * self._best[True] and not together:
                self._turns = _TURNS - 1
        self._turns += 1
        if self._turns == _TURNS + (_AGAIN if self._best[True] <= self._best[False] else _SOONER):
            self._turns, self._best = 0, {True: np.inf, False: np.inf}
