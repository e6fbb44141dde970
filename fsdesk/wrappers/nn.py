"""k nearest neighbours by Euclidean distance: the paper's first wrapper, with k = 1."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Wrapper

__all__ = ["NearestNeighbours"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@WRAPPERS.register(
    "nn",
    title="Nearest neighbours",
    summary="Gives a row the class of the rows most like it. Simple, and easily misled by useless features: "
    "a good guide for a search.",
    reference="T. Cover and P. Hart, Nearest Neighbor Pattern Classification, IEEE Trans. Inf. Theory 13 (1967)",
)
class NearestNeighbours(Wrapper):
    """Majority class of the k nearest training rows.

    Of equal distances the lowest row counts as nearer, of equal votes the first class wins.
    """

    k: int = setting(
        1,
        title="Neighbours k",
        help="How many of the rows most like it vote on the class of a row.",
        source="paper, section Classifiers: 1-NN",
        ge=1,
        le=1000,
    )

    def bind(self, design: Design) -> Predictor:
        """Find once what depends on neither mask nor folds."""
        return _BoundNeighbours(design, self.k)


class _BoundNeighbours:
    """Nearest neighbours over one design; holds no copy of its columns."""

    def __init__(self, design: Design, k: int) -> None:
        self.design = design
        self.k = k
        n = design.columns.shape[1]
        lowest, highest = np.fmin.reduce(design.columns, axis=1), np.fmax.reduce(design.columns, axis=1)
        self.has_gaps = np.isnan(design.columns).any(axis=1)
        # A column of one value moves all distances alike, unless its gaps are filled with another: with gaps it stays.
        self.is_used = (lowest < highest) | (self.has_gaps & design.nominal)
        self.mean = np.zeros(len(design.columns))
        self.deviation = np.ones(len(design.columns))
        complete = self.is_used & ~self.has_gaps
        self.mean[complete] = design.columns[complete].mean(axis=1)
        self.deviation[complete] = design.columns[complete].std(axis=1)
        # Unscaled columns share one factor, which keeps single precision in its range.
        self.unit = float(self.deviation[complete].max(initial=0.0)) or 1.0
        self.order = np.argsort(design.columns[self.has_gaps], axis=1)
        self.gap_place = np.cumsum(self.has_gaps) - 1
        self.rows = np.arange(n)

    def predict(self, mask: NDArray[np.bool_], labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        # Imported here: listing the wrappers must not load numba.
        from fsdesk.kernels.neighbours import nearest
        from fsdesk.kernels.votes import majority

        design = self.design
        folds = int(labels.max()) + 1
        selected = mask[design.owner] & self.is_used
        complete = np.flatnonzero(selected & ~self.has_gaps)
        columns = design.columns[complete]
        weights, least = self._weights(columns, complete, labels, folds)
        neighbours = nearest(
            np.ascontiguousarray(columns.T),
            self._common_scale(columns, complete),
            weights,
            least,
            *self._gaps(np.flatnonzero(selected & self.has_gaps), labels, folds),
            labels,
            folds,
            self.k,
        )
        return majority(neighbours, design.target, design.classes)

    def _weights(self, columns: Floats, complete: Labels, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """Weights (fits or 1, q) of the squared differences, and (fits,) their smallest ratio to the common scale."""
        from fsdesk.kernels.neighbours import scale_ratios

        fits = len(labels) * folds
        if self.design.scaling == "none":
            return np.ones((1, len(complete))), np.full(fits, self.unit**2)
        square = self.deviation[complete] ** 2
        if self.design.scaling == "once":
            return 1.0 / square[None, :], np.ones(fits)
        ratios = scale_ratios(columns, self.mean[complete], self.deviation[complete], labels, folds)
        return np.ascontiguousarray((ratios / square[:, None]).T), ratios.min(axis=0, initial=np.inf)

    def _common_scale(self, columns: Floats, complete: Labels) -> NDArray[np.float32]:
        """(q', n) columns under the scaling that all fits share, padded for the kernel."""
        from fsdesk.kernels.neighbours import COLUMN_GROUP

        padded = -(-len(complete) // COLUMN_GROUP) * COLUMN_GROUP
        z = np.zeros((padded, columns.shape[1]), dtype=np.float32)
        scale = np.full(len(complete), self.unit) if self.design.scaling == "none" else self.deviation[complete]
        np.divide(columns - self.mean[complete, None], scale[:, None], out=z[: len(complete)], casting="same_kind")
        return z

    def _gaps(self, incomplete: Labels, labels: Labels, folds: int) -> tuple[Floats, Floats, Floats]:
        """Columns with gaps (g, n), what fills them (g, fits), and their weights (g, fits)."""
        from fsdesk.kernels.gaps import fill_gaps

        design = self.design
        values = design.columns[incomplete]
        if not len(incomplete):
            empty = np.zeros((0, len(labels) * folds))
            return values, empty, empty
        order = self.order[self.gap_place[incomplete]]
        fill, variance = fill_gaps(values, order, design.owner[incomplete], design.nominal[incomplete], labels, folds)
        if design.scaling == "none":
            return values, fill, np.ones_like(fill)
        # Constant training rows move all distances alike, whatever the weight.
        return values, fill, np.divide(1.0, variance, out=np.zeros_like(variance), where=variance > 0)
