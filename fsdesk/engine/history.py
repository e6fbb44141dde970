"""What heatmaps of a run show: the history of w, and of the best candidate of each iteration, thinned to fit."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine.events import BatchMeasured, Event, SubsetsJudged
from fsdesk.measure import Measurement

__all__ = ["HeatmapColumns", "StepHistory", "history_of"]


@dataclass
class HeatmapColumns:
    """The history of w, or of packed masks, thinned so that it never exceeds ``limit`` columns: (columns, p) uint8.

    Every ``stride``-th iteration is kept; when the limit is reached every second column goes and the stride doubles.
    """

    limit: int = 1024
    stride: int = 1
    data: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 0), dtype=np.uint8))
    size: int = 0
    steps: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def append(self, iteration: int, weights: NDArray[np.uint8]) -> None:
        """Keep the weights of an iteration if the stride asks for it."""
        if iteration % self.stride:
            return
        if self.size == self.limit:
            self.stride *= 2
            self.size = (self.size + 1) // 2
            for at in range(1, self.size):  # row by row: a copy of every other row is half of all that is held
                self.data[at], self.steps[at] = self.data[2 * at], self.steps[2 * at]
            if iteration % self.stride:
                return
        if not len(self.data):  # the system gives the memory as rows are written: nothing grows by copies
            self.data = np.empty((self.limit, len(weights)), dtype=np.uint8)
            self.steps = np.empty(self.limit, dtype=np.int64)
        self.data[self.size], self.steps[self.size] = weights, iteration
        self.size += 1

    def replace_last(self, weights: NDArray[np.uint8]) -> None:
        """Keep something else of the iteration that was kept last."""
        self.data[self.size - 1] = weights

    @property
    def iterations(self) -> NDArray[np.int64]:
        """(columns,) the iteration of each column, rising, without a copy."""
        return self.steps[: self.size]

    @property
    def view(self) -> NDArray[np.uint8]:
        """(columns, p) uint8, oldest first, without a copy."""
        return self.data[: self.size]


@dataclass
class StepHistory:
    """Tens of megabytes for a wide table; a fold of the events by itself, so that it can be made when it is looked at.

    ``selection`` holds the best candidate of each iteration, packed by :func:`fsdesk.engine.pack_masks`.
    """

    heatmap: HeatmapColumns = field(default_factory=HeatmapColumns)
    selection: HeatmapColumns = field(default_factory=HeatmapColumns)
    _iteration_best: tuple[int, float] = (-1, np.inf)

    def apply(self, event: Event) -> None:
        """Fold one event in."""
        if isinstance(event, SubsetsJudged) and event.weights is not None:
            self.heatmap.append(event.iteration, event.weights)
        if not isinstance(event, BatchMeasured):
            return
        for offset, candidate in enumerate(event.candidates):
            if candidate and not event.confirms:
                self._keep_selection(event, offset, Measurement.of(event.values[offset]).mean)
        if event.weights is not None:
            self.heatmap.append(event.iteration, event.weights)

    def _keep_selection(self, event: BatchMeasured, offset: int, mean: float) -> None:
        """Of the candidates of an iteration the best one is kept; the first where none could be measured."""
        iteration, best = self._iteration_best
        if iteration == event.iteration and not mean < best:
            return
        self._iteration_best = (event.iteration, mean)
        kept = self.selection.iterations
        if len(kept) and kept[-1] == event.iteration:
            self.selection.replace_last(event.masks[offset])
        else:
            self.selection.append(event.iteration, event.masks[offset])


def history_of(events: Iterable[Event]) -> StepHistory:
    """Fold events into what heatmaps show."""
    history = StepHistory()
    for event in events:
        history.apply(event)
    return history
