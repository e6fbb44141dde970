"""Column statistics computed once for all models, in blocks, without copying a wide table."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.wrappers.wrapper import Design, Scaler

_CELLS_AT_ONCE = 1 << 17
_LABELS_AT_ONCE = 1 << 22  # row labels of the splits processed together

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.uint16] | NDArray[np.int32]


def slices(count: int, n: int, owner: Labels | None = None, cells: int = _CELLS_AT_ONCE) -> Iterator[slice]:
    """Slices that divide (count, n) columns into blocks; with ``owner`` (count,), a feature's columns stay together."""
    step, start = max(1, cells // max(n, 1)), 0
    while start == 0 or start < count:
        end = min(count, start + step)
        while owner is not None and start < end < count and owner[end] == owner[end - 1]:
            end += 1
        yield slice(start, end)
        start = max(end, 1)


def in_blocks(learn: Callable[[Floats], tuple[Floats, Floats]], design: Design) -> tuple[Floats, Floats]:
    """Two numbers, (q,) each, that ``learn`` computes from a design's columns, a few at a time."""
    parts = [learn(design.filled(part)) for part in slices(*design.columns.shape)]
    return np.concatenate([first for first, _ in parts]), np.concatenate([second for _, second in parts])


class Fits(NamedTuple):
    """All fits of some repeats, or some fits of one repeat.

    Attributes
    ----------
    repeats, folds
        The repeats, and the folds within them: all folds if there are several repeats.
    labels
        (repeats, n) folds counted from the first of these; -1 for rows tested by other fits and rows that are only
        trained on.
    """

    repeats: slice
    folds: slice
    labels: Labels

    @property
    def is_tested(self) -> Mask:
        """(repeats, n) rows tested by these fits."""
        return self.labels >= 0


def fits_at_once(labels: Labels, columns: int, share: int = 16) -> Iterator[Fits]:
    """All fits of (repeats, n) labels, in groups whose statistics take at most a ``share``-th of (columns, n) numbers.

    Leave-one-out makes as many fits per repeat as there are rows: their column statistics would be as large as the
    table.
    """
    folds = max(1, int(labels.max(initial=0)) + 1)
    together = many_fits(labels.shape[1], columns, share)
    for start in range(0, len(labels), max(1, together // folds)):
        repeats = slice(start, min(start + max(1, together // folds), len(labels)))
        if together >= folds:
            yield Fits(repeats, slice(0, folds), labels[repeats])
            continue
        for first in range(0, folds, together):
            some = slice(first, min(first + together, folds))
            own = labels[repeats]
            yield Fits(repeats, some, np.where((own >= first) & (own < some.stop), own - first, -1))


def many_fits(n: int, columns: int, share: int = 16) -> int:
    """Number of fits whose statistics take at most a ``share``-th of (columns, n) numbers, with one for each column."""
    return max(1, max(_CELLS_AT_ONCE, columns * n // share) // max(columns, 1))


def summary(design: Design) -> tuple[Mask, Mask, Floats, Floats]:
    """Whether each column has missing values, whether its values differ, and its mean and standard deviation.

    Returns
    -------
    has_gaps, varies
        (q,) each.
    mean, deviation
        (q,) of the observed values; 0 and 1 if the column is constant. A standard deviation may be 0 by rounding.
    """
    q = len(design.columns)
    has_gaps, varies, mean, deviation = np.empty(q, bool), np.empty(q, bool), np.zeros(q), np.ones(q)
    for part in slices(*design.columns.shape):
        own = design.filled(part)
        has_gaps[part] = np.isnan(own).any(axis=1)
        varies[part] = np.fmin.reduce(own, axis=1) < np.fmax.reduce(own, axis=1)
        complete = varies[part] & ~has_gaps[part]
        with np.errstate(over="ignore", invalid="ignore"):  # for huge values the standard deviation is infinite
            mean[part][complete], deviation[part][complete] = own[complete].mean(axis=1), own[complete].std(axis=1)
    for column in np.flatnonzero(varies & has_gaps):
        present = design.columns[column][~np.isnan(design.columns[column])]
        mean[column], deviation[column] = present.mean(), present.std()
    return has_gaps, varies, mean, deviation


def centres(design: Design) -> Floats:
    """(q,) median of each column, a location that is robust to outliers; 0 if all values are missing."""
    middle = np.empty(len(design.columns))
    for part in slices(*design.columns.shape):
        own = np.sort(design.filled(part), axis=1)  # missing values come last
        present = own.shape[1] - np.isnan(own).sum(axis=1)
        middle[part] = np.where(present > 0, own[np.arange(len(own)), np.maximum(0, (present - 1) // 2)], 0.0)
    return middle


def sorted_rows(columns: Floats, chosen: Labels) -> Rows:
    """(chosen, n) rows of each column sorted by value, missing values last."""
    shape = len(chosen), columns.shape[1]
    order: Rows = np.empty(shape, dtype=np.uint16) if shape[1] <= 1 << 16 else np.empty(shape, dtype=np.int32)
    for part in slices(*shape):
        order[part] = np.argsort(columns[chosen[part]], axis=1)
    return order


class Gaps:
    """Design columns with values to impute in each fit from its training rows, and the imputed values."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.has_gaps: Mask = np.empty(len(design.columns), dtype=np.bool_)
        for part in slices(*design.columns.shape):
            self.has_gaps[part] = np.isnan(design.filled(part)).any(axis=1)

    @cached_property
    def misses_values(self) -> bool:
        """Whether any value is missing, including those imputed once."""
        return bool(self.has_gaps.any()) or not bool(np.isnan(self.design.fill).all())

    @cached_property
    def place(self) -> Labels:
        """(q,) index of each column among those with missing values."""
        return np.cumsum(self.has_gaps) - 1

    @cached_property
    def order(self) -> Rows:
        """(columns with missing values, n) their rows sorted by value."""
        return sorted_rows(self.design.columns, np.flatnonzero(self.has_gaps))

    def fills(self, incomplete: Labels, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """(g, fits) imputed values of these columns, and the variance of the completed training rows."""
        mask, nothing = np.array([0, len(incomplete)]), np.zeros(1, dtype=np.int64)
        own = incomplete.astype(np.int32), mask, np.ascontiguousarray(labels)[None], nothing
        return _core.fill_gaps(self._columns, *own, folds, **self._kinds)

    def fills_of(
        self, chosen: NDArray[np.int32], offsets: Labels, labels: Labels, folds_of: Labels, threads: int
    ) -> Floats:
        """(columns of all fits, 1) imputed values for small fits, each with a single fold, labeled in (s, 1, n)."""
        asked = self._columns, chosen, offsets, labels, folds_of, 1
        fill, _ = _core.fill_gaps(*asked, **self._kinds, variances=False, threads=threads)
        return fill

    @cached_property
    def _columns(self) -> Floats:
        return np.ascontiguousarray(self.design.columns)

    @cached_property
    def _kinds(self) -> dict[str, Any]:
        design = self.design
        return {"group": np.ascontiguousarray(design.owner), "nominal": np.ascontiguousarray(design.nominal)}


class SmallFits(NamedTuple):
    """Some of the fits requested in :meth:`fsdesk.wrappers.Predictor.small_fits`, as measurements with one fold.

    Attributes
    ----------
    which
        (m,) indices of these fits.
    chosen, offsets
        Indices of their design columns, and (m + 1,) offsets of each fit.
    labels, folds_of
        (s, 1, n) labels of the rows, and (m,) which of them each fit uses.
    fill
        (columns of all fits, 1) imputed values, learned from the training rows of the split.
    """

    which: Labels
    chosen: NDArray[np.int32]
    offsets: Labels
    labels: Labels
    folds_of: Labels
    fill: Floats


def small_fits(
    gaps: Gaps,
    features: NDArray[np.int32],
    offsets: Labels,
    splits: NDArray[np.int8],
    split_of: Labels,
    threads: int = 1,
    *,
    fills: bool = True,
) -> Iterator[SmallFits]:
    """Yield all fits, a few splits at a time to save memory; imputation uses only the training rows of the split.

    Without ``fills``, imputation is skipped.
    """
    design = gaps.design
    first = np.searchsorted(design.owner, np.arange(int(design.owner[-1]) + 2))
    for fits in some_fits(features, offsets, splits, split_of):
        chosen, starts = _spread(first, fits.members)
        ends = starts[fits.offsets]
        fill = np.zeros((len(chosen), 1))
        if fills and gaps.misses_values:
            fill = gaps.fills_of(chosen, ends, fits.labels, fits.folds_of, threads)
        yield SmallFits(fits.which, chosen, ends, fits.labels, fits.folds_of, fill)


class SomeFits(NamedTuple):
    """Some of the fits requested in :meth:`fsdesk.wrappers.Predictor.small_fits`, as measurements with one fold.

    Attributes
    ----------
    which
        (m,) indices of these fits.
    members, offsets
        Indices of their features, and (m + 1,) offsets of each fit.
    labels, folds_of
        (s, 1, n) labels of the rows, and (m,) which of them each fit uses.
    """

    which: Labels
    members: NDArray[np.int32]
    offsets: Labels
    labels: Labels
    folds_of: Labels


def some_fits(
    features: NDArray[np.int32], offsets: Labels, splits: NDArray[np.int8], split_of: Labels
) -> Iterator[SomeFits]:
    """Yield all fits, a few splits at a time to save memory."""
    together = max(1, _LABELS_AT_ONCE // splits.shape[1])
    for start in range(0, len(splits), together):
        which = np.flatnonzero((split_of >= start) & (split_of < start + together))
        if len(which):
            own, ends = _picked(features, offsets, which)
            labels = splits[start : start + together, None].astype(np.int64)
            yield SomeFits(which, own, ends, labels, split_of[which] - start)


def _picked(members: NDArray[np.int32], offsets: Labels, which: Labels) -> tuple[NDArray[np.int32], Labels]:
    """The lists ``which`` out of many concatenated lists, and their offsets."""
    if len(which) == len(offsets) - 1:
        return members, offsets
    sizes = np.diff(offsets)[which]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return members[np.repeat(offsets[which] - ends[:-1], sizes) + np.arange(ends[-1])], ends


def _spread(first: Labels, features: NDArray[np.int32]) -> tuple[NDArray[np.int32], Labels]:
    """The design columns of features (several for a nominal one), and the offsets of each feature."""
    sizes = np.diff(first)[features]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    return (np.repeat(first[features], sizes) + within).astype(np.int32), starts


def scales(columns: Floats, scaler: Scaler) -> tuple[Floats, Floats]:
    """(q,) location and scale of (q, n) complete columns; a scale of 0 is treated as 1."""
    lowest, highest = columns.min(axis=1), columns.max(axis=1)
    if scaler in ("z-score", "pareto"):
        centre, scale = columns.mean(axis=1), columns.std(axis=1)
        scale = np.sqrt(scale) if scaler == "pareto" else scale
    elif scaler == "min-max":
        centre, scale = lowest, highest - lowest
    else:
        first, centre, third = np.quantile(columns, [0.25, 0.5, 0.75], axis=1)
        scale = third - first
    is_constant = lowest == highest
    return np.where(is_constant, lowest, centre), np.where(is_constant | (scale == 0.0), 1.0, scale)


def training_counts(target: Labels, classes: int, labels: Labels) -> Labels:
    """(repeats, n, classes) number of training rows of each class for the fit that tests a row."""
    folds = max(1, int(labels.max()) + 1)
    totals = np.bincount(target, minlength=classes)
    counts = np.empty((*labels.shape, classes), dtype=np.int64)
    for row, of_row in zip(labels, counts, strict=True):
        is_tested = row >= 0
        tested = np.bincount(row[is_tested] * classes + target[is_tested], minlength=folds * classes)
        of_row[:] = totals - tested.reshape(folds, classes)[row]
    return counts
