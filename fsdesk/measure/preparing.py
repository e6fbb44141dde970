"""Preprocessing before scaling, estimated from the training rows: imputation, row normalization, transforms.

The order is the usual one: imputation of values below detection or by neighbors, row normalization, and transform;
then imputation of all other missing values and scaling, which models learn in each fold themselves. Categories and
numbers with two values, such as 0 and 1, are unchanged.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import DataError, SettingsError
from fsdesk.measure.settings import MeasureSettings

Floats = NDArray[np.float64]
_MOST_KEPT = 20_000_000  # maximum number of cached values, over all folds


def prepares(settings: MeasureSettings) -> bool:
    """Whether values are changed at all before scaling."""
    own = settings.imputation, settings.normalise, settings.transform
    return settings.centre_batches or own != ("usual", "none", "none")


def learns(settings: MeasureSettings) -> bool:
    """Whether the result depends on the rows it is learned from: a logarithm does not."""
    own = settings.imputation, settings.normalise, settings.transform
    return settings.centre_batches or own not in (("usual", "none", "none"), ("usual", "none", "log"))


def needs_all_features(settings: MeasureSettings) -> bool:
    """Whether the result for a value depends on other features of its row, selected or not."""
    return settings.imputation == "neighbours" or settings.normalise != "none"


def needed_features(dataset: Dataset, settings: MeasureSettings, selected: Sequence[str]) -> list[str]:
    """Names of the features needed to predict with the selected ones, in table order."""
    wanted = set(selected)
    if needs_all_features(settings):
        wanted |= {dataset.features[place] for place in quantities(dataset, settings).tolist()}
    elif not settings.centre_batches:
        return list(selected)
    if settings.centre_batches:
        wanted.add(settings.batch)
    return [name for name in dataset.features if name in wanted]


class Steps:
    """The preparation of one data set.

    Raises
    ------
    DataError
        If a feature has values without a logarithm, or negative values where only amounts are valid.
    """

    def __init__(self, dataset: Dataset, settings: MeasureSettings) -> None:
        self.dataset, self.settings = dataset, settings
        self.is_any, self.learns = prepares(settings), learns(settings)
        self.columns = quantities(dataset, settings) if self.is_any else np.empty(0, dtype=np.int64)
        self._kept: dict[bytes, Floats] = {}
        self._known = known_of(dataset)
        if self.is_any:
            _check(dataset, self.columns, settings)

    def of_rows(self, dataset: Dataset) -> "Steps":
        """The same steps for some of the rows, with the same features prepared."""
        made = copy(self)
        made.dataset, made._kept, made._known = dataset, {}, known_of(dataset)
        return made

    def whole(self) -> Dataset:
        """The prepared data set, learned from all of its rows."""
        if not self.is_any or not len(self.columns):
            return self.dataset
        every = np.arange(len(self.dataset.features))
        return replace(
            self.dataset, x=self.values(np.arange(len(self.dataset.x)), np.ones(len(self.dataset.x), np.bool_), every)
        )

    def values(self, rows: NDArray[np.integer], trained: NDArray[np.bool_], features: NDArray[np.integer]) -> Floats:
        """(m, q) values of some rows and features, column by column, prepared from the training rows.

        Parameters
        ----------
        rows
            (m,) indices of the rows.
        trained
            (m,) bool, which of these rows to learn from.
        features
            (q,) feature indices, ascending.
        """
        from fsdesk.measure import transformers

        settings, of_all = self.settings, needs_all_features(self.settings)
        taken = self.columns if of_all else np.intersect1d(self.columns, features)
        own = np.searchsorted(taken, np.intersect1d(taken, features))
        made = np.asfortranarray(self.dataset.x[np.ix_(rows, features)])
        if not len(own):
            return made
        x = self._across(rows, trained, taken) if of_all else self._walked(rows, trained, taken)
        x = x[:, own]
        along = transformers.along(settings.transform, settings.offset)
        if along is not None:
            x = along.fit(x[trained]).transform(x)
        if settings.centre_batches:
            batches = batch_codes(self.dataset, settings)[rows]
            known = self._known[rows]
            centring = transformers.BatchCentring().fit_batches(x[trained], batches[trained], known[trained])
            x = centring.moved(x, batches)
        made[:, np.searchsorted(features, taken[own])] = x
        return made

    def _across(self, rows: NDArray[np.integer], trained: NDArray[np.bool_], taken: NDArray[np.integer]) -> Floats:
        """The result of :meth:`_walked`, cached for the next subset, because all subsets of a fold share it."""
        key = rows.tobytes() + trained.tobytes()
        found = self._kept.get(key)
        if found is None:
            if (len(self._kept) + 1) * len(rows) * len(taken) > _MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._walked(rows, trained, taken)
        return found

    def _walked(self, rows: NDArray[np.integer], trained: NDArray[np.bool_], taken: NDArray[np.integer]) -> Floats:
        """(m, taken) values after all steps that use several features."""
        from fsdesk.measure import transformers

        settings, x = self.settings, self.dataset.x[np.ix_(rows, taken)]
        for step in transformers.across(settings.imputation, settings.imputation_rows, settings.normalise):
            x = step.fit(x[trained]).transform(x)
        return np.asarray(x, dtype=np.float64)


def prepared(dataset: Dataset, settings: MeasureSettings) -> Dataset:
    """A data set whose values are prepared from all of its rows; the same object if there is nothing to do."""
    return Steps(dataset, settings).whole() if prepares(settings) else dataset


def batch_codes(dataset: Dataset, settings: MeasureSettings) -> Floats:
    """(n,) batch of each row, NaN if unknown.

    Raises
    ------
    SettingsError
        If no column of batches is named, or the column does not exist.
    """
    if not settings.batch:
        raise SettingsError("Specify the batch column, such as batch=plate.")
    if settings.batch not in dataset.features:
        raise SettingsError(
            '"{name}" has no feature "{batch}" to identify batches. Choose one of its features.',
            name=dataset.name, batch=settings.batch,
        )  # fmt: skip
    return np.asarray(dataset.x[:, dataset.features.index(settings.batch)])


def known_of(dataset: Dataset) -> Floats:
    """(n, k) covariates kept by the batch correction: indicators of classes, numbers to predict, or times."""
    if dataset.response is not None:
        return np.abs(dataset.response)[:, None]
    return np.asarray(dataset.target[:, None] == np.arange(max(1, len(dataset.classes)) - 1), dtype=np.float64)


def quantities(dataset: Dataset, settings: MeasureSettings) -> NDArray[np.int64]:
    """Indices of the prepared features: numeric ones with more than two values, except the batches."""
    x = dataset.x
    with np.errstate(invalid="ignore"):
        several = ((x > np.fmin.reduce(x, axis=0)) & (x < np.fmax.reduce(x, axis=0))).any(axis=0)
    several[list(dataset.categories)] = False
    if settings.batch in dataset.features:
        several[dataset.features.index(settings.batch)] = False
    return np.flatnonzero(several)


def _check(dataset: Dataset, columns: NDArray[np.int64], settings: MeasureSettings) -> None:
    if settings.centre_batches:
        _check_batches(dataset, settings)
    if not len(columns):
        return
    lowest = np.fmin.reduce(dataset.x[:, columns], axis=0)
    least, name = float(lowest.min()), dataset.features[columns[int(lowest.argmin())]]
    if settings.normalise == "quotient" and least < 0:
        raise DataError(
            '"{name}" has negative values (minimum {least:.6g}), but quotient normalization requires amounts. Use '
            "the data before log transformation or scaling, or do not normalize rows.",
            name=name, least=least,
        )  # fmt: skip
    if settings.imputation == "half minimum" and least < 0:
        raise DataError(
            '"{name}" has negative values (minimum {least:.6g}), but half the minimum can only replace missing '
            "amounts. Use the data before log transformation or scaling, or another imputation.",
            name=name, least=least,
        )  # fmt: skip
    if settings.transform == "log" and least + settings.offset <= 0:
        raise DataError(
            '"{name}" has a value of {least:.6g}, which has no logarithm with an offset of {offset:.6g}. Use a '
            "larger offset, or choose another transform.",
            name=name, least=least, offset=settings.offset,
        )  # fmt: skip


def determine_class(dataset: Dataset, settings: MeasureSettings) -> bool:
    """Whether all rows of each batch have the same class."""
    batches = batch_codes(dataset, settings)
    if dataset.response is not None:
        return False
    rows = ~np.isnan(batches)
    pairs = np.unique(np.stack([batches[rows], dataset.target[rows].astype(np.float64)]), axis=1)
    return bool(len(np.unique(pairs[0])) == pairs.shape[1])


def _check_batches(dataset: Dataset, settings: MeasureSettings) -> None:
    """Refuse to center batches that determine the class, because the class itself would be removed."""
    if determine_class(dataset, settings):
        raise DataError(
            'All rows of each batch of "{batch}" have the same class. Centering batches would remove the classes, and '
            "no analysis can separate the two. Measure several classes in each batch, or do not center batches.",
            batch=settings.batch,
        )  # fmt: skip
