"""What linear support vector machines see of a design, a few columns at a time: a wide table is never copied."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.wrappers.columns import Gaps, slices, summary
from fsdesk.wrappers.wrapper import Design

if TYPE_CHECKING:
    from fsdesk.kernels.svm import Rows
    from fsdesk.kernels.svm_problems import Columns

__all__ = ["Source"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]

_CELLS_AT_ONCE = 1 << 17
_NO_WEIGHT = 1e6  # scale of a constant column: nothing is left of its share in a product
_NARROW = 1e-2  # share of a column's variance that training rows have: below, single precision needs them near 0


class Scales(NamedTuple):
    """What some fits make of (q) columns.

    Attributes
    ----------
    penalty, fill
        As in :class:`fsdesk.kernels.svm_problems.Columns`; (1, q) where it is not wanted.
    weights
        As in :class:`fsdesk.kernels.svm.Rows`.
    """

    penalty: Floats
    fill: Floats
    weights: NDArray[np.float32]

    def of(self, rows: "Rows") -> "Rows":
        """Rows as these fits see them."""
        return rows._replace(columns=rows.columns._replace(penalty=self.penalty, fill=self.fill), weights=self.weights)

    def take(self, part: slice, columns: "Columns") -> None:
        """Take in some of the columns."""
        from fsdesk.kernels.svm_gram import LARGEST_WEIGHT

        if len(self.weights):
            weights = np.divide(1.0, columns.penalty[: len(self.weights)])
            self.weights[:, part] = np.minimum(weights, LARGEST_WEIGHT, out=weights)
        else:
            self.penalty[:, part] = columns.penalty[: len(self.penalty)]
        if len(columns.cells):
            self.fill[:, part] = columns.fill[: len(self.fill)]


class Source:
    """Columns of a design, sorted by class and on their own scale, and how the scale of each fit differs.

    Parameters
    ----------
    is_hinge
        Whether a bias that costs nothing makes up for where columns begin.
    """

    def __init__(self, design: Design, *, is_hinge: bool) -> None:
        self.design = design
        self.is_hinge = is_hinge
        self.gaps = Gaps(design)
        self.has_gaps, varies, self.mean, self.deviation = summary(design)
        # A column of one value says nothing, unless its gaps are filled with another.
        self.is_used = varies | (self.has_gaps & design.nominal)
        self.deviation[self.deviation == 0.0] = 1.0
        self.by_class = np.argsort(design.target, kind="stable")
        # A fit of its own scale measures from where its training rows lie.
        self.begin = np.zeros(len(self.mean))
        if is_hinge and design.scaling == "fold":
            self.begin = _beginnings(design, self.mean, self.deviation)

    def blocks(self, chosen: Labels) -> Iterator[slice]:
        """Some columns at a time; fewer where what is learned of them takes several times their room."""
        is_plain = self.design.scaler == "z-score" and not self.has_gaps[chosen].any()
        cells = _CELLS_AT_ONCE if is_plain else _CELLS_AT_ONCE // 4
        return slices(len(chosen), len(self.by_class), self.design.owner[chosen], cells)

    def rows(self, chosen: Labels, labels: Labels, folds: int, *, together: bool, keeps: bool) -> tuple["Rows", Scales]:
        """Columns in single precision, on the scale of all rows.

        Also the fits' own scales, if they are to be kept: else these are empty.
        """
        from fsdesk.kernels.svm import Rows
        from fsdesk.kernels.svm_gram import room_for_columns
        from fsdesk.kernels.svm_problems import Columns

        q, n = len(chosen), labels.shape[1]
        x = room_for_columns(q, n)
        penalty, fill = np.empty((1, q)), np.zeros((1, q))
        scales = _room(len(labels) * folds if keeps else 0, q, together=together)
        cells: list[NDArray[np.int32]] = [np.empty((0, 2), dtype=np.int32)]
        for part in self.blocks(chosen):
            block = self.columns(chosen[part], labels, folds)
            x[part, :n] = block.z
            penalty[0, part] = block.penalty[-1]
            if keeps:
                scales.take(part, block)
            if len(block.cells):
                fill[0, part] = block.fill[-1]
                block.cells[:, 0] += part.start
                cells.append(block.cells)
        columns = Columns(np.empty((0, n)), penalty, np.zeros((1, q)), np.concatenate(cells), fill)
        return Rows(x, columns, np.empty((0, q), dtype=np.float32)), scales

    def scales(self, chosen: Labels, labels: Labels, folds: int, *, together: bool) -> Scales:
        """The scales of some repeats' fits."""
        scales = _room(len(labels) * folds, len(chosen), together=together)
        for part in self.blocks(chosen):
            scales.take(part, self.columns(chosen[part], labels, folds))
        return scales

    def columns(self, chosen: Labels, labels: Labels, folds: int) -> "Columns":
        """Some columns as the fits of these folds see them, and a fit of all rows."""
        from fsdesk.kernels.svm_problems import Columns
        from fsdesk.kernels.svm_scales import standardised

        design = self.design
        known = self.mean[chosen], self.deviation[chosen], design.fill[chosen]
        z = standardised(design.columns, chosen, self.by_class, *known)
        holes = np.flatnonzero(self.has_gaps[chosen])
        gaps: Flags = np.isnan(z[holes])
        penalty, origin, fill = self._learned(z, gaps, holes, chosen, labels, folds)
        if self.design.scaling == "fold" or len(holes):
            whole = self._learned(z, gaps, holes, chosen, np.full((1, labels.shape[1]), -1), 1)
            fill = np.concatenate([fill, whole[2]]) if len(holes) else fill
            if self.design.scaling == "fold":
                penalty = np.concatenate([penalty, whole[0]])
                origin = origin if self.is_hinge else np.concatenate([origin, whole[1]])
        moved = np.flatnonzero(self.begin[chosen])
        if len(moved):
            begin = self.begin[chosen[moved]]
            z[moved] -= begin[:, None]
            fill[:, moved] -= begin
        z[holes] = np.where(gaps, 0.0, z[holes])
        cells = np.argwhere(gaps).astype(np.int32, order="C")
        cells[:, 0] = holes[cells[:, 0]]
        return Columns(z, penalty, origin, cells, fill)

    def _learned(
        self, z: Floats, gaps: Flags, holes: Labels, chosen: Labels, labels: Labels, folds: int
    ) -> tuple[Floats, Floats, Floats]:
        """Penalties, origins and fills of fits, in units of ``z``; penalties and origins of one where all share them.

        Parameters
        ----------
        gaps, holes
            (g, n) where columns lack values, and which columns these are.
        """
        own = np.ascontiguousarray(labels[:, self.by_class])
        mean, deviation = self.mean[chosen], self.deviation[chosen]
        fits, is_plain = len(labels) * folds, not len(holes) and self.design.scaler == "z-score"
        fill, filled_variance = np.zeros((1 if is_plain else fits, len(chosen))), np.empty((fits, 0))
        if len(holes):
            filled, variance = self.gaps.fills(chosen[holes], labels, folds)
            fill[:, holes], filled_variance = filled.T, variance.T / deviation[holes] ** 2
            fill = (fill - mean) / deviation
        if self.design.scaling == "none":
            penalty, origin = 1.0 / deviation[None, :] ** 2, -(mean / deviation)[None, :]
        elif self.design.scaler == "z-score":
            penalty, origin = self._spreads(z, gaps, fill, filled_variance, holes, own, folds)
        else:
            penalty, origin = self._ranges(z, fill, own, folds)
            # Columns that vary outside of their quartiles alone count in their own unit, as scikit-learn has it.
            penalty = np.where(np.isnan(penalty), 1.0 / deviation**2, penalty)
        # What does not vary among the training rows gets no weight; in products its size would only be rounding.
        penalty[penalty <= 0.0] = _NO_WEIGHT**2
        return penalty, origin, fill

    def _spreads(
        self,
        z: Floats,
        gaps: NDArray[np.bool_],
        fill: Floats,
        filled_variance: Floats,
        holes: Labels,
        labels: Labels,
        folds: int,
    ) -> tuple[Floats, Floats]:
        """Variances and means of the training rows of every fit, or of all rows, in units of ``z``.

        Parameters
        ----------
        gaps, filled_variance
            (g, n) where the columns ``holes`` lack values, and (fits, g) variances of their filled training rows.
        """
        from fsdesk.kernels.scales import training_variances

        q = len(z)
        if self.design.scaling == "once":
            return np.ones((1, q)), np.zeros((1, q))
        complete = np.delete(np.arange(q), holes)
        frozen = z.view()
        frozen.setflags(write=False)  # as a design's columns: compiled once for all models
        variances = training_variances(frozen, complete, np.zeros(len(complete)), np.ones(len(complete)), labels, folds)
        if len(holes):
            known, variances = variances, np.empty((len(variances), q))
            variances[:, complete], variances[:, holes] = known, filled_variance
        if self.is_hinge:
            return variances, np.zeros((1, q))
        training = labels[:, None, :] != np.arange(folds)[None, :, None]
        share = training.reshape(len(variances), -1).astype(np.float64)
        share /= share.sum(axis=1)[:, None]
        origin = share @ np.where(np.isnan(z), 0.0, z).T
        origin[:, holes] += (share @ gaps.T) * fill[:, holes]
        return variances, origin

    def _ranges(self, z: Floats, fill: Floats, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """Squares of ranges and smallest values, or of distances between the quartiles and medians."""
        from fsdesk.kernels.svm_scales import ranges_or_quartiles

        folds = -2 if self.design.scaling == "once" else folds
        robust = self.design.scaler == "robust"
        origin, scale = ranges_or_quartiles(z, np.argsort(z, axis=1), fill, labels, folds, robust)
        return scale**2, origin


def _room(fits: int, q: int, *, together: bool) -> Scales:
    weights = np.empty((fits if together else 0, q), dtype=np.float32)
    return Scales(np.empty((1 if together else fits, q)), np.zeros((fits, q)), weights)


def _beginnings(design: Design, mean: Floats, deviation: Floats) -> Floats:
    """(q,) where columns lie whose rows mostly lie close together, in deviations from the mean; 0 for others.

    Training rows without the few that lie elsewhere would have products in single precision that say how far they are
    from 0, and not what tells them apart.
    """
    begin = np.zeros(len(mean))
    for part in slices(len(begin), len(design.target), design.owner, _CELLS_AT_ONCE):
        z = (design.columns[part] - mean[part, None]) / deviation[part, None]
        filled = np.where(np.isnan(z), 0.0, z)
        middle = np.median(filled, axis=1)
        distance = np.sort(np.abs(filled - middle[:, None]), axis=1)[:, : filled.shape[1] // 2 + 1]
        begin[part] = np.where(np.square(distance).mean(axis=1) < _NARROW, middle, 0.0)
    return begin
