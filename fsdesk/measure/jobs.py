"""Jobs that measure masks; several threads can share the work."""

import itertools
import math
import threading
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from fsdesk.measure.measurement import Measurement

GoingOn = Callable[[], bool]
Mask = NDArray[np.bool_]
P = TypeVar("P")

_FEWEST = 2  # repeats of a part: a single one is not worth sharing


class Job(Protocol):
    """Measures masks on every participating thread."""

    size: int
    """Number of masks."""
    needs_threads: bool
    """Whether other threads may help; otherwise the job has threads of its own."""

    def work(self, going: GoingOn | None) -> None:
        """Measure until no mask is left to take; ``going`` is called now and then to check whether to continue.

        It is None on helper threads.
        """

    def is_done(self) -> bool:
        """Whether all masks are measured, which may be before all threads have returned."""

    def measured(self) -> list[Measurement]:
        """The measurements of the first masks, once all threads have returned or the job is complete."""


class OneByOne(Generic[P]):
    """Measures masks, or parts of them, one after another, and checks after each whether to continue.

    Masks already begun are finished.

    Parameters
    ----------
    parts
        For each mask, the functions that measure its parts, usually one.
    joined
        Combines the results of a mask's parts into one measurement.
    """

    needs_threads = True

    def __init__(
        self, parts: Sequence[Sequence[Callable[[], P]]], joined: Callable[[Sequence[P]], Measurement]
    ) -> None:
        self.size = len(parts)
        self._joined = joined
        self._sizes = [len(own) for own in parts]
        self._parts = [part for own in parts for part in own]
        self._begins = [place == 0 for own in parts for place in range(len(own))]
        self._found: dict[int, P] = {}
        self._taken, self._is_going, self._lock = 0, True, threading.Lock()

    def work(self, going: GoingOn | None) -> None:
        """See :meth:`Job.work`."""
        try:
            while (place := self._next()) >= 0:
                self._found[place] = self._parts[place]()
                if going is not None and self._is_going:
                    self._is_going = going()
        except BaseException:
            self._taken = len(self._parts)
            raise

    def _next(self) -> int:
        """The next part not taken by another thread; -1 if there is none."""
        with self._lock:
            place = self._taken
            if place >= len(self._parts) or (self._begins[place] and not self._is_going):
                return -1
            self._taken += 1
            return place

    def is_done(self) -> bool:
        """See :meth:`Job.is_done`."""
        return len(self._found) == len(self._parts)

    def measured(self) -> list[Measurement]:
        """See :meth:`Job.measured`."""
        done: list[Measurement] = []
        first = 0
        for size in self._sizes:
            places = range(first, first + size)
            if not all(place in self._found for place in places):
                break
            done.append(self._joined([self._found[place] for place in places]))
            first += size
        return done


def shares(masks: int, threads: int, repeats: int) -> list[list[slice]]:
    """For each mask, the slices of repeats to measure together, such that all threads finish at about the same time.

    The last masks are divided if threads would have to wait for them.
    """
    left = masks % threads
    pieces = max(1, min(repeats // _FEWEST, threads // math.gcd(left, threads))) if left else 1
    edges = [repeats * place // pieces for place in range(pieces + 1)]
    divided = [slice(*ends) for ends in itertools.pairwise(edges)]
    return [[slice(repeats)]] * (masks - left) + [divided] * left


class InOneCall:
    """Measures all masks in one compiled call, which has its own threads and cannot be interrupted.

    Parameters
    ----------
    size
        Number of masks.
    penalties
        (m,) penalty added to the values of each mask.
    call
        Returns (m, repeats) losses.
    """

    needs_threads = False

    def __init__(
        self, size: int, penalties: NDArray[np.float64] | None, call: Callable[[], NDArray[np.float64]]
    ) -> None:
        self.size = size
        self._penalties, self._call = penalties, call
        self._values: NDArray[np.float64] | None = None

    def work(self, going: GoingOn | None) -> None:
        """See :meth:`Job.work`."""
        self._values = self._call()

    def is_done(self) -> bool:
        """See :meth:`Job.is_done`."""
        return self._values is not None

    def measured(self) -> list[Measurement]:
        """See :meth:`Job.measured`."""
        if self._values is None:  # it was abandoned
            return []
        values = self._values
        if self._penalties is not None:
            values = values + self._penalties[:, None]
        return [Measurement(own) for own in values]
