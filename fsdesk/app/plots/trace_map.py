"""Weights or selection of every feature against iterations."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.app.plots.heatmap import Cells, Heatmap, colour_table
from fsdesk.engine import RunState
from fsdesk.messages import number, tr

Rows = NDArray[np.int64]
_NUMBER = re.compile(r"(\d+)")


class PooledRows:
    """The columns of a history, pooled into blocks of rows in one order, so that thousands of rows fit in a few pixels.

    For weights, a block shows the highest, so that one strong feature among a hundred weak ones is visible; for a
    selection, the fraction selected. Columns are pooled once: twenty thousand features and a thousand steps take a
    tenth of a second, later steps next to nothing.
    """

    def __init__(self, order: Rows, block: int, kind: str) -> None:
        self.order, self.block, self.kind = order, block, kind
        self._edges = np.arange(0, len(order), block)
        self._sizes = np.diff(np.append(self._edges, len(order)))
        self._stride = 0
        self._made: list[NDArray[np.uint8]] = []

    def update(self, state: RunState) -> None:
        """Pool the new columns; for a selection the last one again, which may have changed."""
        history = state.heatmap if self.kind == "weights" else state.selection
        if history.stride != self._stride:
            thinned = self._stride and history.stride == 2 * self._stride
            self._made, self._stride = self._made[::2] if thinned else [], history.stride
        del self._made[max(0, history.size - 1) :]
        for place in range(len(self._made), history.size):
            column = column_of(state, place, self.kind).take(self.order)
            if self.kind == "weights":
                self._made.append(np.maximum.reduceat(column, self._edges))
            else:
                sums = np.add.reduceat(column, self._edges, dtype=np.int64)
                self._made.append((sums * 255 // self._sizes).astype(np.uint8))

    def take(self, first: int, last: int, wanted: NDArray[np.int64]) -> NDArray[np.uint8]:
        """(blocks, columns) bytes of rows ``first`` to ``last`` at the columns ``wanted``."""
        blocks = slice(first // self.block, last // self.block)
        columns, back = np.unique(wanted, return_inverse=True)
        return np.stack([self._made[at][blocks] for at in columns.tolist()], axis=1)[:, back]


def column_of(state: RunState, place: int, kind: str) -> NDArray[np.uint8]:
    """(p,) weights in 1/255, or zeros and ones for a selection."""
    if kind == "weights":
        return np.asarray(state.heatmap.view[place])
    return np.unpackbits(state.selection.view[place], count=len(state.features))


def natural_order(names: Sequence[str]) -> Rows:
    """Natural sort order of names: x2 before x10, ignoring case."""
    keys = [[int(part) if part.isdecimal() else part for part in _NUMBER.split(name.casefold())] for name in names]
    return np.array(sorted(range(len(names)), key=lambda place: keys[place]), dtype=np.int64)


def rows_by(state: RunState, key: str) -> Rows:
    """Order of the features by "weight" from high to low, by "first" selected iteration, or as in the "table".

    Without weights the order is by the fraction of subsets with a feature. Ties stay as in the table.
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


_LEAST_REACH = 6.4
_SAMPLED = 128
_MIDDLE = np.uint8(127)


class TraceMap(Heatmap):
    """Rows are features in ``order``, columns are iterations; ``kind`` is "weights" or "selection"."""

    def __init__(self) -> None:
        super().__init__("heatmap", tr("Features by iteration"))
        self.state: RunState | None = None
        self.kind = "weights"
        self.order: Rows = np.empty(0, dtype=np.int64)
        self._place: dict[str, int] = {}
        self._rank: Rows = self.order
        self._pool: PooledRows | None = None
        self._reach = _LEAST_REACH
        self._seen, self._moved = 0, False
        self.explain(tr("One row per feature; time runs from left to right."))

    def show_state(self, state: RunState | None, kind: str) -> None:
        """Show another run, or the other kind of values."""
        if state is not self.state:
            self.forget()
            self._place = {}
        self.state, self.kind = state, kind
        self._pool, self._reach, self._seen, self._moved = None, _LEAST_REACH, 0, False
        self._follow()

    def show_order(self, order: Rows) -> None:
        """Show the features in another order; the marked one stays marked."""
        if len(order) == len(self.order) and (order == self.order).all():
            return
        self._follow()  # an order may arrive before the first drawing of a run that has just got its names
        marked = self.feature(self.marked)
        self.order, self._pool = order, None
        self._rank = np.empty_like(order)
        self._rank[order] = np.arange(len(order))
        self.marked = self.row(marked)
        self.arrange()

    def refresh(self) -> None:
        """Draw the current state of the run."""
        self._follow()
        self.update()

    def _follow(self) -> None:
        """Extend the colors as far from one half as the weights do; constant weights are ignored."""
        state = self.state
        if state is not None and len(self._place) != len(state.features):  # a run that has just begun has no names yet
            self._place = dict(zip(state.features, range(len(state.features)), strict=True))
        if state is None or self.kind != "weights":
            return
        history = state.heatmap.view
        if len(history) < self._seen:
            self._seen, self._reach, self._moved = 0, _LEAST_REACH, False
        new = np.arange(self._seen, len(history))
        for place in new[:: max(1, len(new) // _SAMPLED)].tolist():
            moved = np.where(history[place] != history[0], history[place], _MIDDLE)  # faster than indexing them
            reach = _reach(moved)
            if reach > 0.5 and not self._moved:
                self._reach, self._moved = _LEAST_REACH, True
            self._reach = min(127.5, max(self._reach, reach))
        if len(new) and not self._moved:  # if all steps are equal, there is nothing else
            self._reach = min(127.5, max(self._reach, _reach(history[0])))
        self._seen = len(history)

    @property
    def reach(self) -> float:
        """Distance from one half covered by the colors, 0 to 0.5."""
        return self._reach / 255 if self.kind == "weights" else 0.5

    def feature(self, row: int) -> str:
        """The name in a row, "" if there is none."""
        return self.state.features[self.order[row]] if self.state and 0 <= row < len(self.order) else ""

    def row(self, feature: str) -> int:
        """The row of a feature, -1 if there is none."""
        place = self._place.get(feature, -1)
        return int(self._rank[place]) if 0 <= place < len(self._rank) else -1

    def count(self) -> int:
        """The number of features."""
        return len(self.order)

    def ends(self) -> tuple[float, float]:
        """The first and the last iteration."""
        return 0.0, max(20.0, 0.0 if self.state is None else float(self.state.iteration))

    def row_name(self, row: int) -> str:
        """The feature."""
        return self.feature(row)

    @property
    def _steps_kept(self) -> NDArray[np.int64]:
        assert self.state is not None
        return (self.state.heatmap if self.kind == "weights" else self.state.selection).iterations

    def column(self, across: float) -> int:
        """Index of the stored iteration at a horizontal position, -1 before the first and after the last one."""
        steps = self._steps_kept
        if self.state is None or not len(steps) or across > self.state.iteration + 1:
            return -1
        return int(np.searchsorted(steps, across, side="right")) - 1

    def value(self, row: int, across: float) -> float | None:
        """The weight, or 1 for selected and 0 for not; None if there is none."""
        column = -1 if self.state is None else self.column(across)
        if self.state is None or column < 0 or not 0 <= row < len(self.order):
            return None
        feature = int(self.order[row])
        if self.kind == "weights":
            return float(self.state.heatmap.view[column, feature]) / 255
        return float(self.state.selection.view[column, feature >> 3] >> (7 - (feature & 7)) & 1)

    def words(self, row: int, across: float) -> str:
        """Feature, iteration and value."""
        name, value = self.feature(row), self.value(row, across)
        if value is None:
            return name
        step = int(self._steps_kept[self.column(across)])
        if self.kind == "weights":
            return tr(
                "{name} · iteration {step} · weight {value}", name=name, step=number(step), value=number(value, ".2f")
            )
        said = tr("in") if value else tr("out")
        return tr("{name} · iteration {step} · {said}", name=name, step=number(step), said=said)

    def cells(self, first: int, last: int, block: int, places: NDArray[np.float64]) -> Cells:
        """The cells of visible rows, pooled if many rows share a pixel."""
        state = self.state
        steps = self._steps_kept if state is not None else np.empty(0, dtype=np.int64)
        if state is None or not len(steps):
            return np.zeros((1, 1), dtype=np.uint8)
        wanted = np.clip(np.searchsorted(steps, places, side="right") - 1, 0, None)
        if block > 1:
            return self._pooled(state, first, last, block, wanted)
        rows = self.order[first:last]
        columns, back = np.unique(wanted, return_inverse=True)
        if self.kind == "weights":
            return np.asarray(state.heatmap.view[np.ix_(columns, rows)].T[:, back])
        bits = np.asarray(state.selection.view[np.ix_(columns, rows >> 3)] >> (7 - (rows & 7)).astype(np.uint8) & 1)
        return np.asarray((bits.T * np.uint8(255))[:, back])

    def _pooled(self, state: RunState, first: int, last: int, block: int, wanted: NDArray[np.int64]) -> Cells:
        if self._pool is None or self._pool.block != block:
            self._pool = PooledRows(self.order, block, self.kind)
        self._pool.update(state)
        return self._pool.take(first, last, wanted)

    def table(self, cells: Cells) -> list[int]:
        """The colors, from dark to bright, symmetrical about one half."""
        reach = 255 * self.reach
        return colour_table("weight", 127.5 - reach, 127.5 + reach)

    def filled(self) -> tuple[float, float]:
        """The range from the first stored iteration to the end of the last one."""
        if self.state is None or not len(self._steps_kept):
            return 0.0, 0.0
        return float(self._steps_kept[0]), float(self.state.iteration) + 1


def _reach(weights: NDArray[np.uint8]) -> float:
    """The largest distance from one half."""
    return max(float(weights.max()) - 127.5, 127.5 - float(weights.min()))
