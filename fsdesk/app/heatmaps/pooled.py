"""Thousands of rows in a few pixels: each block of rows becomes one, computed a little at a time."""

import re
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import RunState

__all__ = ["PooledRows", "column_of", "natural_order", "rows_by"]

Rows = NDArray[np.int64]
_NUMBER = re.compile(r"(\d+)")


class PooledRows:
    """The columns of a history pooled into blocks of rows in one order.

    Of weights a block shows the highest, so that one strong feature among a hundred weak ones is seen; of a selection
    the share that is in.
    """

    def __init__(self, order: Rows, block: int, kind: str) -> None:
        self.order, self.block, self.kind = order, block, kind
        self._edges = np.arange(0, len(order), block)
        self._sizes = np.diff(np.append(self._edges, len(order)))
        self._stride = 0
        self._made = np.empty((0, len(self._edges)), dtype=np.uint8)
        self._ready = np.empty(0, dtype=np.bool_)

    def extend(self, state: RunState, wanted: NDArray[np.int64], seconds: float) -> bool:
        """Pool the columns that are wanted, those far apart first, until the time is over; True once all are there."""
        history = state.heatmap if self.kind == "weights" else state.selection
        if history.stride != self._stride:
            thinned = self._stride and history.stride == 2 * self._stride
            self._made, self._ready = (
                (self._made[::2], self._ready[::2]) if thinned else (self._made[:0], self._ready[:0])
            )
            self._stride = history.stride
        if len(self._made) < history.size:
            room = np.zeros((max(history.size, min(history.limit, 2 * history.size)), len(self._edges)), dtype=np.uint8)
            ready = np.zeros(len(room), dtype=np.bool_)
            room[: len(self._made)], ready[: len(self._ready)] = self._made, self._ready
            self._made, self._ready = room, ready
        self._ready[history.size :] = False
        left = wanted[~self._ready[wanted]]
        if self.kind == "selection" and len(wanted) and len(left) == 0:
            left = wanted[-1:]  # a better candidate of the same iteration may have come
        far = np.concatenate([left[::16], left]) if len(left) > 16 else left
        end = time.perf_counter() + seconds
        for place in far.tolist():
            self._made[place] = self._pool(column_of(state, place, self.kind).take(self.order))
            self._ready[place] = True
            if time.perf_counter() > end:
                break
        return bool(self._ready[wanted].all())

    def _pool(self, column: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if self.kind == "weights":
            return np.maximum.reduceat(column, self._edges)
        sums = np.add.reduceat(column, self._edges, dtype=np.int64)
        return (sums * 255 // self._sizes).astype(np.uint8)

    def take(self, first: int, last: int, wanted: NDArray[np.int64]) -> NDArray[np.uint8]:
        """(blocks, columns) bytes of rows ``first`` to ``last``; one that is not ready is like a column beside it."""
        ready = np.flatnonzero(self._ready)
        if not len(ready):
            return np.zeros((max(1, (last - first) // self.block), len(wanted)), dtype=np.uint8)
        near = ready[np.clip(np.searchsorted(ready, wanted, side="right") - 1, 0, None)]
        return self._made[near, first // self.block : last // self.block].T


def column_of(state: RunState, place: int, kind: str) -> NDArray[np.uint8]:
    """(p,) weights of 255, or zeros and ones of a selection."""
    if kind == "weights":
        return np.asarray(state.heatmap.view[place])
    return np.unpackbits(state.selection.view[place], count=len(state.features))


def natural_order(names: Sequence[str]) -> Rows:
    """Order of names as people sort them: x2 before x10, small letters with large ones."""
    keys = [[int(part) if part.isdecimal() else part for part in _NUMBER.split(name.casefold())] for name in names]
    return np.array(sorted(range(len(names)), key=lambda place: keys[place]), dtype=np.int64)


def rows_by(state: RunState, key: str) -> Rows:
    """Order of the features by "weight" from high to low, by "first" iteration in, or as in the "table".

    Without weights the order is by the share of the subsets that hold a feature. Equal ones stay as in the table.
    """
    features = len(state.features)
    if key == "table" or not features:
        return np.arange(features)
    worth = state.weights if state.weights is not None else state.frequency
    fall = np.zeros(features) if worth is None else -worth.astype(np.float64)
    if key == "first" and state.first_selected is not None:
        first = state.first_selected
        return np.lexsort((fall, np.where(first < 0, np.iinfo(np.int64).max, first)))
    return np.argsort(fall, kind="stable")
