"""k nearest neighbours by Euclidean distance: the paper's first wrapper, with k = 1."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Wrapper

__all__ = ["NearestNeighbours"]

# From so many columns for each row on, a first pass for each repeat pays.
_MANY_COLUMNS = 8
_LARGEST_WEIGHT = 1e30  # beyond, sums of weighted squares leave single precision

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


class _BoundNeighbours(Predictor):
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
        # Unscaled columns share one factor that keeps single precision in its range; a power of two rounds nothing.
        self.unit = 2.0 ** np.ceil(np.log2(self.deviation[complete].max(initial=0.0) or 1.0))
        self.order = np.argsort(design.columns[self.has_gaps], axis=1)
        self.gap_place = np.cumsum(self.has_gaps) - 1
        self.rows = np.arange(n)

    def predict(self, mask: NDArray[np.bool_], labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        # Imported here: listing the wrappers must not load numba.
        from fsdesk.kernels.neighbours import Metric, nearest, standardised
        from fsdesk.kernels.votes import majority

        design = self.design
        folds = int(labels.max()) + 1
        selected = mask[design.owner] & self.is_used
        chosen = np.flatnonzero(selected & ~self.has_gaps)
        gaps = self._gaps(np.flatnonzero(selected & self.has_gaps), labels, folds)
        root = np.full(len(chosen), 1.0 / self.unit) if design.scaling == "none" else 1.0 / self.deviation[chosen]
        weights, factors, row_weights = np.ones((1, len(chosen))), root**2, None
        x = np.empty((0, 0))
        if design.scaling == "fold":
            weights = self._ratios(chosen, labels, folds)
            many = len(chosen) >= _MANY_COLUMNS * design.columns.shape[1] and not gaps[0].shape[1]
            if many and weights.max() < _LARGEST_WEIGHT / len(chosen):
                row_weights = weights.astype(np.float32)
            else:
                weights *= factors
                x, root = design.columns[chosen].T.copy(), np.sqrt(weights.min(axis=0))
        elif gaps[0].shape[1]:
            x = design.columns[chosen].T.copy()
        z, norms = standardised(design.columns, chosen, self.mean, root)
        metric = Metric(design.columns, chosen, weights, factors, x, *gaps)
        neighbours = nearest(metric, z, norms, labels.T.copy(), folds, self.k, row_weights)
        return majority(neighbours, design.target, design.classes).T

    def _ratios(self, complete: Labels, labels: Labels, folds: int) -> Floats:
        """(fits, q) overall variance over that of the training rows."""
        from fsdesk.kernels.scales import training_variances

        variances = training_variances(
            self.design.columns, complete, self.mean[complete], self.deviation[complete], labels, folds
        )
        variances[variances == 0.0] = 1.0  # constant training rows move all distances alike, whatever the weight
        return np.divide(1.0, variances, out=variances)

    def _gaps(self, incomplete: Labels, labels: Labels, folds: int) -> tuple[Floats, Floats, Floats]:
        """Columns with gaps (n, g), what fills them (fits, g), and their weights (fits, g)."""
        from fsdesk.kernels.gaps import fill_gaps

        design = self.design
        values = design.columns[incomplete]
        if not len(incomplete):
            empty = np.zeros((len(labels) * folds, 0))
            return np.ascontiguousarray(values.T), empty, empty
        order = self.order[self.gap_place[incomplete]]
        fill, variance = fill_gaps(values, order, design.owner[incomplete], design.nominal[incomplete], labels, folds)
        if design.scaling == "none":
            weights = np.full_like(fill, self.unit**-2)
        else:
            # Constant training rows move all distances alike, whatever the weight.
            weights = np.divide(1.0, variance, out=np.zeros_like(variance), where=variance > 0)
        return np.ascontiguousarray(values.T), np.ascontiguousarray(fill.T), np.ascontiguousarray(weights.T)
