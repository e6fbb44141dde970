"""Who measures: the masks of a proposal, on threads of this process over one copy of the data."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.measure import Evaluator, Measurement
from fsdesk.methods import Mask

__all__ = ["Executor", "ThreadExecutor"]

_HANDING_OVER = 4e-4  # seconds; measurements that take less go quicker one after another than on threads


class Executor(Protocol):
    """Measures masks; each measurement depends on its mask and number alone, never on who measures it or when."""

    def measure(self, masks: Sequence[Mask], number: int, folds: int | None = None) -> list[Measurement]:
        """Measure the masks as measurements ``number``, ``number + 1``, ..., or all on the folds of one of them."""


class ThreadExecutor:
    """Measures up to ``threads`` masks at once; kernels release the interpreter, BLAS keeps to one thread each.

    A context manager: on leaving, its threads are gone.
    """

    def __init__(self, evaluator: Evaluator, threads: int = 1) -> None:
        self.evaluator = evaluator
        self._limits = threadpool_limits(limits=1)
        self._each = np.inf
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="measure") if threads > 1 else None

    def measure(self, masks: Sequence[Mask], number: int, folds: int | None = None) -> list[Measurement]:
        """Measure the masks as measurements ``number``, ``number + 1``, ..., or all on the folds of one of them."""
        numbers = range(number, number + len(masks)) if folds is None else [folds] * len(masks)
        started = time.perf_counter()
        measured = self._measured(masks, numbers)
        self._each = (time.perf_counter() - started) / len(masks)
        return measured

    def _measured(self, masks: Sequence[Mask], numbers: Sequence[int]) -> list[Measurement]:
        if self._pool is None or len(masks) == 1 or self._each < _HANDING_OVER:
            return [self.evaluator.measure(mask, each) for mask, each in zip(masks, numbers, strict=True)]
        return list(self._pool.map(self.evaluator.measure, masks, numbers))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._limits.restore_original_limits()
