"""The validation protocol of a measurement, from the settings and the roles in the data set."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import DataError
from fsdesk.measure.folds import forward_blocks, grouped_folds, grouped_hold_out, hold_out, stratified_folds
from fsdesk.measure.preparing import batch_codes
from fsdesk.measure.settings import MeasureSettings


class Validation:
    """Fold labels for the rows of one data set, in the format of :mod:`fsdesk.measure.folds`.

    Raises
    ------
    DataError
        If the data set lacks what the protocol needs: enough rows or groups, or a fold or time column.
    """

    def __init__(self, dataset: Dataset, settings: MeasureSettings, seed: int) -> None:
        self.settings = settings
        self.seed = seed
        self.groups = dataset.groups
        self.target = dataset.target if settings.stratify else np.zeros_like(dataset.target)
        fixed = self._fixed(dataset)
        self.fixed = None if fixed is None else np.array(fixed)  # a copy, so that all labels are equally writable
        if self.fixed is None:
            self._check_numbers(dataset)

    @property
    def repeats(self) -> int:
        """The maximum number of values of a measurement: 1 if the folds are not random."""
        return self.settings.repeats if self.fixed is None else 1

    @property
    def fits(self) -> int:
        """The maximum number of models trained by a measurement."""
        if self.fixed is not None:
            return int(self.fixed.max()) + 1
        return self.repeats * (self.settings.folds if self.settings.protocol == "folds" else 1)

    def labels(self, number: int) -> NDArray[np.int64]:
        """(repeats, n) folds of measurement ``number``."""
        if self.fixed is not None:
            return self.fixed
        settings, groups = self.settings, self.groups
        repeats, seed = settings.repeats, self.seed
        if settings.protocol == "hold-out":
            share = settings.test_share
            if groups is None:
                return hold_out(self.target, share=share, repeats=repeats, seed=seed, number=number)
            return grouped_hold_out(self.target, groups, share=share, repeats=repeats, seed=seed, number=number)
        if groups is None:
            return stratified_folds(self.target, repeats=repeats, folds=settings.folds, seed=seed, number=number)
        return grouped_folds(self.target, groups, repeats=repeats, folds=settings.folds, seed=seed, number=number)

    def labels_of(self, numbers: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(s, repeats, n) distinct folds of several measurements, and (m,) index of those used by each measurement."""
        known = dict.fromkeys(numbers[:1] if self.fixed is not None else numbers)
        labels = np.stack([self.labels(number) for number in known])
        places = {number: place for place, number in enumerate(known)}
        return labels, np.array([places.get(number, 0) for number in numbers], dtype=np.int64)

    def _fixed(self, dataset: Dataset) -> NDArray[np.int64] | None:
        """Folds shared by all measurements, (1, n); None if they are random."""
        protocol, rows = self.settings.protocol, len(dataset.target)
        if protocol == "leave-one-out":
            units = np.arange(rows) if dataset.groups is None else dataset.groups
            if units.max() < 1:
                raise DataError(
                    'All rows of "{name}" are in one group, so none are left for training.', name=dataset.name
                )
            return np.asarray(units, dtype=np.int64)[None, :]
        if protocol == "batches":
            return _batches(dataset, self.settings)[None, :]
        if protocol == "column":
            if dataset.fold_of is None:
                raise DataError(
                    '"{name}" has no fold column. Name one, or choose another validation.', name=dataset.name
                )
            if dataset.fold_of.max() < 1:
                raise DataError(
                    'The fold column of "{name}" has only one value; at least two folds are needed.', name=dataset.name
                )
            if _splits_a_group(dataset, dataset.fold_of):
                raise DataError(
                    'The fold column of "{name}" splits a group. Put all rows of a group in the same fold.',
                    name=dataset.name,
                )
            return dataset.fold_of[None, :]
        if protocol == "time":
            if dataset.time is None:
                raise DataError(
                    '"{name}" has no time column. Name one, or choose another validation.', name=dataset.name
                )
            blocks = forward_blocks(dataset.time, self.settings.folds)
            if blocks.max() < 0:
                raise DataError(
                    'All rows of "{name}" have the same time, so there are no later rows to test.', name=dataset.name
                )
            if _splits_a_group(dataset, blocks[0]):
                raise DataError(
                    'Forward-in-time validation splits a group of "{name}" with early and late rows. Remove the '
                    "group column, or choose another validation.",
                    name=dataset.name,
                )
            return blocks
        return None

    def _check_numbers(self, dataset: Dataset) -> None:
        units = len(dataset.target) if dataset.groups is None else len(np.unique(dataset.groups))
        wanted = self.settings.folds if self.settings.protocol == "folds" else 2
        if units < wanted:
            name, most = dataset.name, max(2, units)
            if dataset.groups is None:
                raise DataError(
                    '"{name}" has {units} rows, too few for {wanted} folds. Use at most {most} folds, or add rows.',
                    name=name,
                    units=units,
                    wanted=wanted,
                    most=most,
                )
            raise DataError(
                '"{name}" has {units} groups, too few for {wanted} folds. Use at most {most} folds, or add groups.',
                name=name,
                units=units,
                wanted=wanted,
                most=most,
            )


def _batches(dataset: Dataset, settings: MeasureSettings) -> NDArray[np.int64]:
    """(n,) batch of each row; each batch is a fold."""
    codes = batch_codes(dataset, settings)
    if np.isnan(codes).any():
        raise DataError(
            'Rows of "{name}" have no value in "{batch}", so their batch is unknown. Complete the column, or choose '
            "another validation.",
            name=dataset.name, batch=settings.batch,
        )  # fmt: skip
    folds = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    if folds.max() < 1:
        raise DataError('All rows of "{name}" are in one batch, so none are left for training.', name=dataset.name)
    if 2 * folds.max() > len(folds):
        raise DataError(
            '"{batch}" has {count:,} values in {rows:,} rows, too many for batches. Choose another column.',
            batch=settings.batch, count=int(folds.max()) + 1, rows=len(folds),
        )  # fmt: skip
    if _splits_a_group(dataset, folds):
        raise DataError(
            'The batches of "{batch}" split a group: its rows are in several batches. Choose another validation, or '
            "remove the group column.",
            batch=settings.batch,
        )  # fmt: skip
    return folds


def _splits_a_group(dataset: Dataset, folds: NDArray[np.int64]) -> bool:
    """Whether rows of one group are in several folds."""
    if dataset.groups is None:
        return False
    pairs = np.unique(np.column_stack([dataset.groups, folds]), axis=0)
    return len(pairs) > len(np.unique(dataset.groups))
