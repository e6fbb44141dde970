"""Some masks under way, whose work several threads may share."""

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fsdesk.measure.measurement import Measurement

if TYPE_CHECKING:
    from fsdesk.kernels.tally import Tally

__all__ = ["InOneCall", "Job", "OneByOne"]

GoingOn = Callable[[], bool]
Mask = NDArray[np.bool_]


class Job(Protocol):
    """Measures masks on every thread that works."""

    size: int
    """How many masks."""

    def work(self, going: GoingOn | None) -> None:
        """Measure until no mask is left that no thread has taken; ``going`` is asked at times whether to go on.

        None on threads that help the one that asks.
        """

    def is_done(self) -> bool:
        """Whether all are measured, which may be before all threads are back."""

    def measured(self) -> list[Measurement]:
        """What was measured, which are the first masks, once all threads are back or it is done."""


class OneByOne:
    """Measures each mask by itself and asks after each whether to go on."""

    def __init__(
        self, measure: Callable[[Mask, int], Measurement], masks: Sequence[Mask], numbers: Sequence[int]
    ) -> None:
        self.size = len(masks)
        self._measure, self._masks, self._numbers = measure, masks, numbers
        self._measured: list[Measurement | None] = [None] * len(masks)
        self._places = itertools.count()
        self._halt = threading.Event()

    def work(self, going: GoingOn | None) -> None:
        """See :meth:`Job.work`."""
        try:
            while not self._halt.is_set() and (place := next(self._places)) < self.size:
                self._measured[place] = self._measure(self._masks[place], self._numbers[place])
                if going is not None and not going():
                    break
        finally:  # nothing is left, or it is not to go on, or there was an error
            self._halt.set()

    def is_done(self) -> bool:
        """See :meth:`Job.is_done`."""
        return all(each is not None for each in self._measured)

    def measured(self) -> list[Measurement]:
        """See :meth:`Job.measured`."""
        return [each for each in self._measured if each is not None]


class InOneCall:
    """Measures all masks in compiled calls, which do not want the interpreter and ask nobody.

    Parameters
    ----------
    penalties
        (m,) what to add to the values of each mask.
    call
        Fills in the tally; is told whether it helps another thread.
    """

    def __init__(self, tally: "Tally", penalties: NDArray[np.float64] | None, call: Callable[[bool], None]) -> None:
        self.size = len(tally.values)
        self._tally, self._penalties, self._call = tally, penalties, call

    def work(self, going: GoingOn | None) -> None:
        """See :meth:`Job.work`."""
        self._call(going is None)

    def is_done(self) -> bool:
        """See :meth:`Job.is_done`."""
        return self._tally.is_done

    def measured(self) -> list[Measurement]:
        """See :meth:`Job.measured`."""
        values = self._tally.values
        if self._penalties is not None:
            values = values + self._penalties[:, None]
        return [Measurement(own) for own in values]
