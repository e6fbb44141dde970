"""The Evaluator: mask in, Measurement out."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import DataError, SettingsError
from fsdesk.measure.design import design_of
from fsdesk.measure.folds import stratified_folds
from fsdesk.measure.measurement import Measurement
from fsdesk.measure.settings import MeasureSettings
from fsdesk.settings import Value, validated
from fsdesk.wrappers import WRAPPERS, Wrapper

__all__ = ["Evaluator"]


class Evaluator:
    """Measures masks of one data set with one wrapper; threads may share it.

    Parameters
    ----------
    dataset
        The data.
    wrapper
        A wrapper's name, or the wrapper itself with its settings.
    seed
        Settles, with the number of a measurement, the folds of that measurement.
    settings
        The fields of :class:`MeasureSettings` by name, such as ``repeats=10, folds=5, scaling="fold"``.

    Raises
    ------
    SettingsError
        Where a name or value is off.
    DataError
        Where the table has fewer rows than folds.
    """

    def __init__(self, dataset: Dataset, wrapper: str | Wrapper = "nn", *, seed: int = 0, **settings: Value) -> None:
        self.dataset = dataset
        self.wrapper = WRAPPERS[wrapper].build({}) if isinstance(wrapper, str) else wrapper
        self.settings = validated(MeasureSettings, settings)
        self.seed = seed
        if seed < 0:
            raise SettingsError(f"A seed is a whole number from 0 on (got {seed}).")
        rows, folds = len(dataset.target), self.settings.folds
        if rows < folds:
            raise DataError(
                f"{dataset.name} has {rows} rows, too few for {folds} folds: use at most {rows} folds or more rows."
            )
        self._predictor = self.wrapper.bind(design_of(dataset, self.settings.scaling))

    def fold_labels(self, number: int) -> NDArray[np.int64]:
        """(repeats, n) fold of each row in each repeat: the very folds that measurement ``number`` uses."""
        return stratified_folds(
            self.dataset.target,
            repeats=self.settings.repeats,
            folds=self.settings.folds,
            seed=self.seed,
            number=number,
        )

    def predict(self, mask: NDArray[np.bool_], number: int) -> NDArray[np.int64]:
        """(repeats, n) class code that each row gets from a model trained on the other folds."""
        mask = np.asarray(mask, dtype=np.bool_)
        if mask.shape != (len(self.dataset.features),) or not mask.any():
            raise ValueError(
                f"A mask has one truth value for each of the {len(self.dataset.features)} features, at least one true; "
                f"this one has shape {mask.shape} and {int(mask.sum())} true."
            )
        return self._predictor.predict(mask, self.fold_labels(number))

    def measure(self, mask: NDArray[np.bool_], number: int = 0) -> Measurement:
        """y(mask) on the folds of measurement ``number``: in each repeat, the share of rows predicted wrong."""
        misses = (self.predict(mask, number) != self.dataset.target).sum(axis=1)
        return Measurement(misses / len(self.dataset.target))
