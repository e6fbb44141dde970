"""Validation forward in time: each block of rows is predicted by a model of all earlier blocks, never of later ones."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.wrappers import Predictor

Mask = NDArray[np.bool_]
Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Block:
    """The rows up to and with one block, which of them are tested, and a model that knows no others."""

    rows: NDArray[np.int64]
    tested: NDArray[np.bool_]
    predictor: Predictor

    @property
    def labels(self) -> Labels:
        return np.where(self.tested, 0, -1)[None, :]

    def put(self, predicted: NDArray[Any], into: NDArray[Any]) -> None:
        """Write what was said about the tested rows, (1, m, ...) into (1, n, ...)."""
        into[:, self.rows[self.tested]] = predicted[:, self.tested]


class ForwardPredictor(Predictor):
    """One predictor for each block; it holds a copy of the rows before every block.

    Parameters
    ----------
    blocks
        (1, n) block of each row, -1 for those that are only trained on.
    bind
        Makes the predictor of a data set.
    """

    def __init__(self, dataset: Dataset, blocks: Labels, bind: Callable[[Dataset], Predictor]) -> None:
        self.classes = max(1, len(dataset.classes))
        self.blocks: list[_Block] = []
        for block in range(int(blocks.max()) + 1):
            rows = np.flatnonzero(blocks[0] <= block)
            self.blocks.append(_Block(rows, blocks[0, rows] == block, bind(_only(dataset, rows))))

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        predicted = np.zeros(labels.shape, dtype=np.int64)
        for block in self.blocks:
            block.put(block.predictor.predict(mask, block.labels), predicted)
        return predicted

    def scores(self, mask: Mask, labels: Labels) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        scores = np.zeros((*labels.shape, self.classes))
        for block in self.blocks:
            block.put(block.predictor.scores(mask, block.labels), scores)
        return scores

    def values(self, mask: Mask, labels: Labels) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        values = np.zeros(labels.shape)
        for block in self.blocks:
            block.put(block.predictor.values(mask, block.labels), values)
        return values


def _only(dataset: Dataset, rows: NDArray[np.int64]) -> Dataset:
    """The data set with some rows alone; classes keep their codes."""
    return replace(
        dataset,
        x=np.asfortranarray(dataset.x[rows]),
        target=dataset.target[rows],
        rows=tuple(dataset.rows[row] for row in rows),
        response=None if dataset.response is None else dataset.response[rows],
        groups=None,
        fold_of=None,
        time=None,
    )
