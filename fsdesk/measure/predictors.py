"""Predictors for folds whose training rows come before the tested ones, or whose values are prepared per fold."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure.preparing import Steps
from fsdesk.measure.resamples import part_of
from fsdesk.wrappers import Predictor


@dataclass(frozen=True, eq=False)
class _Block:
    """The rows up to and including one block, which of them are tested, and a model that knows only these rows."""

    rows: NDArray[np.int64]
    tested: NDArray[np.bool_]
    predictor: Predictor

    @property
    def labels(self) -> NDArray[np.int64]:
        return np.where(self.tested, 0, -1)[None, :]

    def put(self, predicted: NDArray[Any], into: NDArray[Any]) -> None:
        """Write the predictions for the tested rows, (1, m, ...), into (1, n, ...)."""
        into[:, self.rows[self.tested]] = predicted[:, self.tested]


class ForwardPredictor(Predictor):
    """Predicts forward in time: each block of rows by a model trained on all earlier blocks, never on later ones.

    There is one predictor for each block, with a copy of the rows before it.

    Parameters
    ----------
    blocks
        (1, n) block of each row, -1 for rows that are only trained on.
    bind
        Creates the predictor of a data set.
    """

    def __init__(self, dataset: Dataset, blocks: NDArray[np.int64], bind: Callable[[Dataset], Predictor]) -> None:
        self.classes = max(1, len(dataset.classes))
        self.blocks: list[_Block] = []
        every = np.arange(len(dataset.features))
        for block in range(int(blocks.max()) + 1):
            rows = np.flatnonzero(blocks[0] <= block)
            self.blocks.append(_Block(rows, blocks[0, rows] == block, bind(part_of(dataset, rows, every))))

    def predict(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        predicted = np.zeros(labels.shape, dtype=np.int64)
        for block in self.blocks:
            block.put(block.predictor.predict(mask, block.labels), predicted)
        return predicted

    def scores(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        scores = np.zeros((*labels.shape, self.classes))
        for block in self.blocks:
            block.put(block.predictor.scores(mask, block.labels), scores)
        return scores

    def values(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        values = np.zeros(labels.shape)
        for block in self.blocks:
            block.put(block.predictor.values(mask, block.labels), values)
        return values

    def survival(
        self, mask: NDArray[np.bool_], labels: NDArray[np.int64], times: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.survival`."""
        found = np.ones((*labels.shape, len(times)))
        for block in self.blocks:
            block.put(block.predictor.survival(mask, block.labels, times), found)
        return found


class PreparedPredictor(Predictor):
    """Prepares the values of each fold from its training rows, and binds the model to them.

    Parameters
    ----------
    bind
        Creates the predictor of a data set.
    """

    def __init__(self, dataset: Dataset, steps: Steps, bind: Callable[[Dataset], Predictor]) -> None:
        self.dataset, self.steps, self.bind = dataset, steps, bind

    def _fits(
        self, mask: NDArray[np.bool_], labels: NDArray[np.int64]
    ) -> Iterator[tuple[int, NDArray[np.bool_], Predictor, NDArray[np.bool_], NDArray[np.int64]]]:
        """All fits that test a row: repeat, tested rows, the model's predictor, and mask and labels for it."""
        chosen, rows = np.flatnonzero(mask), np.arange(labels.shape[1])
        part = part_of(self.dataset, rows, chosen)
        for repeat, own in enumerate(labels):
            for fold in range(int(own.max()) + 1):
                tested = own == fold
                if tested.any():
                    x = self.steps.values(rows, ~tested, chosen)
                    one = np.where(tested, 0, -1)[None, :]
                    yield repeat, tested, self.bind(replace(part, x=x)), np.ones(len(chosen), dtype=np.bool_), one

    def predict(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        predicted = np.zeros(labels.shape, dtype=np.int64)
        for repeat, tested, predictor, every, one in self._fits(mask, labels):
            predicted[repeat, tested] = predictor.predict(every, one)[0, tested]
        return predicted

    def scores(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        scores = np.zeros((*labels.shape, max(1, len(self.dataset.classes))))
        for repeat, tested, predictor, every, one in self._fits(mask, labels):
            scores[repeat, tested] = predictor.scores(every, one)[0, tested]
        return scores

    def values(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        values = np.zeros(labels.shape)
        for repeat, tested, predictor, every, one in self._fits(mask, labels):
            values[repeat, tested] = predictor.values(every, one)[0, tested]
        return values

    def survival(
        self, mask: NDArray[np.bool_], labels: NDArray[np.int64], times: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """See :meth:`fsdesk.wrappers.Predictor.survival`."""
        found = np.ones((*labels.shape, len(times)))
        for repeat, tested, predictor, every, one in self._fits(mask, labels):
            found[repeat, tested] = predictor.survival(every, one, times)[0, tested]
        return found
