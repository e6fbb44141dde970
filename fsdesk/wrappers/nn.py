"""k nearest neighbours: the paper's first wrapper, with k = 1 and Euclidean distance."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.columns import (
    Gaps,
    by_row,
    fits_at_once,
    in_blocks,
    many_fits,
    scales,
    sorted_rows,
    summary,
    ties,
    training_counts,
)
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Task, Wrapper, class_weights_setting

if TYPE_CHECKING:
    from fsdesk.kernels.dealing import Deal
    from fsdesk.kernels.neighbours import Metric
    from fsdesk.kernels.neighbours_errors import Table
    from fsdesk.kernels.tally import Tally

__all__ = ["NearestNeighbours"]

# From so many columns for each hundred rows on, a first pass for each repeat pays.
_MANY_COLUMNS = 25
_MANY_GAPS, _SHARE_OF_GAPS = 3, 0.2  # so many columns with gaps, and such a share: every pair is measured

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]


@WRAPPERS.register(
    "nn",
    title="Nearest neighbours",
    summary="Gives a row the class of the rows most like it, or the mean of their numbers. Simple, and easily misled "
    "by useless features: a good guide for a search.",
    reference="T. Cover and P. Hart, Nearest Neighbor Pattern Classification, IEEE Trans. Inf. Theory 13 (1967)",
)
class NearestNeighbours(Wrapper):
    """Majority class, or mean response, of the k nearest training rows.

    Of equal distances the lowest row counts as nearer, of equal votes the first class wins. Scores are each class's
    share of the votes.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"

    k: int = setting(
        1,
        title="Neighbours k",
        help="How many of the rows most like it vote on the class of a row.",
        source="paper, section Classifiers: 1-NN",
        ge=1,
        le=1000,
    )
    distance: Literal["euclidean", "manhattan", "cosine"] = setting(
        "euclidean",
        title="Distance",
        help="How unlike two rows are: the straight line between them, the sum of their differences, or how far their "
        "profiles point apart whatever their size.",
        source="paper, section Classifiers: Euclidean",
        choices={"euclidean": "Euclidean", "manhattan": "Manhattan", "cosine": "Cosine"},
    )
    weights: Literal["uniform", "distance"] = setting(
        "uniform",
        title="Votes",
        help="Whether all neighbours have the same vote, or nearer ones more: one over their distance.",
        source="scikit-learn's KNeighborsClassifier; makes no difference with one neighbour",
        choices={"uniform": "All the same", "distance": "Nearer rows count more"},
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting(
        "none: every vote alike; scikit-learn's KNeighborsClassifier has no class weights",
        "Whether the votes for a class are divided by its rows in the training fold, so that each class counts "
        "alike; makes no difference with one neighbour, nor in regression.",
    )

    def fits_quickly(self, scaler: Scaler) -> bool:
        """One neighbour by Euclidean distance of z-scores."""
        return self.k == 1 and self.distance == "euclidean" and scaler == "z-score"

    def bind(self, design: Design) -> Predictor:
        """Find once what depends on neither mask nor folds."""
        if self.distance == "euclidean":
            return _EuclideanNeighbours(design, self)
        return _MeasuredNeighbours(design, self)


def _design_columns(
    owner: NDArray[np.int64], features: NDArray[np.int32], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Subsets of features as subsets of design columns, of which a nominal feature has several."""
    first = np.searchsorted(owner, np.arange(int(owner[-1]) + 2))
    sizes = np.diff(first)[features]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    return (np.repeat(first[features], sizes) + within).astype(np.int32), starts[offsets]


def _filled_by_split(
    columns: Floats,
    has_gaps: Mask,
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    splits: NDArray[np.int8],
    split_of: NDArray[np.int64],
) -> tuple[Floats, NDArray[np.int32]]:
    """Columns with gaps once more for every split, filled by the median of its training rows; subsets take those.

    The median of an indicator is its more frequent value; 0 where no training row has one.
    """
    with_gaps = np.flatnonzero(has_gaps)
    filled = np.repeat(columns[None, with_gaps], len(splits), axis=0)
    for copy, labels in zip(filled, splits, strict=True):
        known = copy[:, labels == -1]
        is_known = ~np.isnan(known).all(axis=1)
        medians = np.zeros(len(copy))
        medians[is_known] = np.nanmedian(known[is_known], axis=1)
        np.copyto(copy, medians[:, None], where=np.isnan(copy))
    place = np.full(len(columns), -1)
    place[with_gaps] = np.arange(len(with_gaps))
    own = place[features]
    split = np.repeat(split_of, np.diff(offsets))
    taken = np.where(own < 0, features, len(columns) + split * len(with_gaps) + own).astype(np.int32)
    return np.concatenate([columns, filled.reshape(-1, columns.shape[1])]), taken


class _Neighbours(Predictor):
    """What all distances share; holds no copy of the design's columns."""

    def __init__(self, design: Design, options: NearestNeighbours) -> None:
        self.design, self.options = design, options
        columns = design.columns
        self.gaps = Gaps(design)
        self.has_gaps, self.varies, self.mean, self.deviation = summary(design)
        self.any_gaps = bool(self.has_gaps.any())
        self.is_filled = not bool(np.isnan(design.fill).all())
        needs_order = design.scaling == "fold" and design.scaler == "robust"
        self.sorted = sorted_rows(columns, np.arange(len(columns) if needs_order else 0)).astype(np.int32, copy=False)
        self.centre, self.scale = np.zeros(len(columns)), np.ones(len(columns))
        if design.scaling == "once":
            self.centre, self.scale = in_blocks(lambda part: scales(part, design.scaler), design)

    def small_fits(
        self,
        features: NDArray[np.int32],
        offsets: NDArray[np.int64],
        splits: NDArray[np.int8],
        split_of: NDArray[np.int64],
        *,
        margins: bool,
        threads: int,
    ) -> tuple[NDArray[np.int64], Floats] | None:
        """See :meth:`fsdesk.wrappers.Predictor.small_fits`."""
        design = self.design
        if not self.options.fits_quickly(design.scaler) or design.response is not None:
            return None
        from fsdesk.kernels import _core

        if len(design.columns) != int(design.owner[-1]) + 1:
            features, offsets = _design_columns(design.owner, features, offsets)
        columns, target = np.ascontiguousarray(design.columns), np.ascontiguousarray(design.target)
        if self.any_gaps:
            columns, features = _filled_by_split(columns, self.has_gaps, features, offsets, splits, split_of)
        scaling = "none" if design.scaling == "none" else "fold"
        asked = (columns, target, features, offsets, splits, split_of)
        errors, _ = _core.nn_errors(*asked, scaling=scaling, threads=threads)
        if not margins:
            return errors, np.full((len(errors), 2), np.nan)
        return errors, _core.nn_margins(*asked, scaling=scaling, threads=threads)

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        # Imported here, as everywhere below: listing the wrappers must not load numba.
        from fsdesk.kernels.votes import majority

        design, options = self.design, self.options
        if options.k == 1 or (options.weights == "uniform" and options.class_weights == "none"):
            winners: Labels = majority(self.nearest(mask, labels)[0], design.target, design.classes)
            return winners
        codes: Labels = self._votes(mask, labels).argmax(axis=2)
        return codes

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        sums = self._votes(mask, labels)
        total = sums.sum(axis=2, keepdims=True)
        shares: Floats = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
        return shares

    def values(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        from fsdesk.kernels.votes import averages

        if self.design.response is None:
            raise TypeError("a design without a response has no numbers to predict")
        return averages(*self._weighted(mask, labels), self.design.response).T

    def nearest(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """(n, repeats, k) training rows, and their distances; those may be (0, 0, 0) where all votes are the same."""
        learned, share = self._learned_by_fit(mask)
        if learned == 0 or len(parts := list(fits_at_once(labels, learned, share))) == 1:
            return self.find(mask, labels)
        neighbours = np.full((labels.shape[1], len(labels), self.options.k), -1, dtype=np.int64)
        distances = np.full(neighbours.shape, np.inf)
        for part in parts:
            rows, far = self.find(mask, part.labels)
            is_tested = part.is_tested.T
            neighbours[:, part.repeats][is_tested] = rows[is_tested]
            if len(far):
                distances[:, part.repeats][is_tested] = far[is_tested]
        return neighbours, distances

    def find(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """The same for some of the repeats."""
        raise TypeError(f"{type(self).__name__} finds no neighbours")

    def _learned_by_fit(self, mask: Mask) -> tuple[int, int]:
        """How many columns have numbers of their own in every fit, and how small a share of their values these be."""
        chosen = mask[self.design.owner]
        q = int(np.count_nonzero(chosen))
        if self.any_gaps and self.has_gaps[chosen].any():
            return q, 16  # beside a copy of their values by row
        share = 2 if self.design.scaler == "z-score" else 3  # locations come along with these scales
        return (q if self.design.scaling == "fold" and self._are_many(q) else 0), share

    def _are_many(self, q: int) -> bool:
        """Whether columns are so many that a first pass for each repeat pays."""
        return 100 * q >= _MANY_COLUMNS * len(self.design.target)

    def _votes(self, mask: Mask, labels: Labels) -> Floats:
        """(repeats, n, classes) sums of votes; where classes count alike, each over its training rows."""
        from fsdesk.kernels.votes import votes

        design = self.design
        sums = votes(*self._weighted(mask, labels), design.target, design.classes)
        sums = np.ascontiguousarray(sums.transpose(1, 0, 2))
        if self.options.class_weights == "balanced" and self.options.k > 1:
            sums /= np.maximum(1, training_counts(design.target, design.classes, labels))
        return sums

    def _weighted(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """(n, repeats, k) neighbours and their votes."""
        from fsdesk.kernels.votes import vote_weights

        neighbours, distances = self.nearest(mask, labels)
        if self.options.weights == "uniform":
            return neighbours, np.ones(neighbours.shape)
        return neighbours, vote_weights(distances)

    def _fill(self, incomplete: Labels, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """(fits, g) what fills the gaps of these columns, and the variance of the filled training rows."""
        fill, variance = self.gaps.fills(incomplete, labels, folds)
        return np.ascontiguousarray(fill.T), np.ascontiguousarray(variance.T)

    def _scales(self, chosen: Labels, fill: Floats, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """(fits, q) location and scale of the training rows; a scale of 0 where they are constant."""
        from fsdesk.kernels.scales import MIN_MAX, ROBUST, Z_SCORE, training_scales

        scaler = {"z-score": Z_SCORE, "min-max": MIN_MAX, "robust": ROBUST}[self.design.scaler]
        return training_scales(self.design.columns, chosen, self.sorted, fill, labels, folds, scaler)


class _EuclideanNeighbours(_Neighbours):
    """Neighbours by matrix products, measured again where these cannot tell rows apart."""

    def __init__(self, design: Design, options: NearestNeighbours) -> None:
        super().__init__(design, options)
        # A column of one value moves all distances alike, unless its gaps are filled with another: with gaps it stays.
        self.is_used = self.varies | (self.has_gaps & design.nominal)
        # All columns share one more factor that keeps single precision in its range; a power of two rounds nothing.
        complete = self.is_used & ~self.has_gaps
        spread = (self.deviation[complete] / self.scale[complete]).max(initial=0.0) or 1.0
        self.unit = 1.0 if design.scaling == "fold" else float(2.0 ** np.ceil(np.log2(spread)))
        with np.errstate(divide="ignore", over="ignore"):  # of columns with gaps these mean nothing
            self.factors = (self.deviation if design.scaling == "fold" else self.scale * self.unit) ** -2

    @cached_property
    def table(self) -> "Table":
        """All columns, as kernels want them."""
        from fsdesk.kernels.neighbours_errors import Table

        design, is_short = self.design, self.gaps.order.dtype == np.uint16
        order = self.gaps.order.astype(np.uint16, copy=False) if is_short else np.empty((0, 0), dtype=np.uint16)
        return Table(
            columns=design.columns,
            once=design.fill,
            is_filled=self.is_filled,
            factors=self.factors,
            mean=self.mean,
            deviation=self.deviation,
            has_gaps=self.has_gaps,
            order=order,
            places=self.gaps.place,
            group=design.owner,
            nominal=design.nominal,
            ties=ties(design),
            learns=design.scaling == "fold",
            unit=self.unit**-2,
            wide=-(-_MANY_COLUMNS * len(design.target) // 100),
            lists=np.full(64, -1),
        )

    def divides(self, mask: Mask) -> bool:
        """Scaled once, half of the repeats take as long; of many columns all settle which of equal sums is less."""
        return self.design.scaling == "fold" and not self._are_many(int(np.count_nonzero(mask[self.design.owner])))

    def counting(self, masks: Mask, fits: int) -> "Callable[[Deal, Tally, bool], None] | None":
        """See :meth:`fsdesk.wrappers.Predictor.counting`."""
        from fsdesk.kernels.neighbours_errors import count_errors

        design, options = self.design, self.options
        if options.weights != "uniform" or (options.k > 1 and options.class_weights != "none"):
            return None
        for mask in masks if self.any_gaps or design.scaling == "fold" else ():
            learned, share = self._learned_by_fit(mask)
            if not self._is_ordinary(mask) or (learned and fits > many_fits(len(design.target), learned, share)):
                return None
        # numpy picks columns of several masks in another order of memory, for which kernels would compile again.
        uses = np.ascontiguousarray(masks[:, design.owner] & self.is_used)
        return partial(count_errors, self.table, uses, options.k, design.target, design.classes)

    def find(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """See :meth:`_Neighbours.nearest`."""
        from fsdesk.kernels.neighbours import distances
        from fsdesk.kernels.neighbours_errors import find_neighbours, settle_lists

        k, are_votes_equal, none = self.options.k, self.options.weights == "uniform", np.empty((0, 0, 0))
        uses = mask[self.design.owner] & self.is_used
        settle_lists(self.table, uses[None], k)
        if are_votes_equal and self._is_ordinary(mask):
            return find_neighbours(self.table, uses, labels, k), none
        folds = max(1, int(labels.max()) + 1)
        if self._is_measured(mask):
            return self._measured(mask, labels, folds)
        metric, constant, by_repeat = self._metric(mask, labels, folds)
        neighbours = find_neighbours(self.table, uses, labels, k, metric, by_repeat)
        if are_votes_equal:
            return neighbours, none
        for weights, is_constant, one in constant:
            weights[is_constant] = np.broadcast_to(one, weights.shape)[is_constant]
        return neighbours, distances(metric, neighbours, labels.T.copy(), folds)

    def _is_ordinary(self, mask: Mask) -> bool:
        """Whether weights are learned where neighbours are found, if at all."""
        design = self.design
        if design.scaling == "fold" and design.scaler != "z-score":
            return False
        if not self.any_gaps or not (mask[design.owner] & self.is_used & self.has_gaps).any():
            return True
        return self.gaps.order.dtype == np.uint16 and not self._is_measured(mask)

    def _is_measured(self, mask: Mask) -> bool:
        """Whether so many columns have gaps that every pair is measured anyway, as nothing bounds these columns."""
        chosen = mask[self.design.owner] & self.is_used
        gaps, all_ = np.count_nonzero(chosen & self.has_gaps), np.count_nonzero(chosen)
        return bool(gaps >= _MANY_GAPS and gaps >= _SHARE_OF_GAPS * all_)

    def _measured(self, mask: Mask, labels: Labels, folds: int) -> tuple[Labels, Floats]:
        """As :meth:`_Neighbours.nearest`, of every pair's distance, and without a copy of the columns."""
        from fsdesk.kernels.neighbours_exact import EUCLIDEAN, nearest_exact

        metric, constant, _ = self._metric(mask, labels, folds, keeps_gaps=False)
        if self.options.weights != "uniform":
            for weights, is_constant, one in constant:
                weights[is_constant] = np.broadcast_to(one, weights.shape)[is_constant]
        incomplete = np.flatnonzero(mask[self.design.owner] & self.is_used & self.has_gaps)
        shape, q = (len(metric.fill), len(metric.chosen) + len(incomplete)), len(metric.chosen)
        times, fill = np.empty(shape), np.zeros(shape)
        times[:, :q], times[:, q:], fill[:, q:] = metric.weights * metric.factors, metric.gap_weights, metric.fill
        chosen, of_row = np.concatenate([metric.chosen, incomplete]), labels.T.copy()
        return nearest_exact(self.design.columns, chosen, times, times, fill, of_row, folds, self.options.k, EUCLIDEAN)

    def _metric(
        self, mask: Mask, labels: Labels, folds: int, *, keeps_gaps: bool = True
    ) -> tuple["Metric", list[tuple[Floats, Mask, Floats]], bool]:
        """Distances in each fit, without the rows.

        Columns whose training rows are constant move all distances of a row alike, so that their weight does not matter
        until distances are votes. These come along: weights, where that is so, and what a scale of 1 would make them;
        and whether there may be a first pass for each repeat.
        """
        from fsdesk.kernels.neighbours import Metric, shrinking

        columns, n = self.design.columns, self.design.columns.shape[1]
        selected = mask[self.design.owner] & self.is_used
        chosen = np.flatnonzero(selected & ~self.has_gaps)
        incomplete = np.flatnonzero(selected & self.has_gaps)
        gaps, fill, x = np.empty((n, 0)), np.empty((len(labels) * folds, 0)), np.empty((0, 0))
        variance = fill
        if len(incomplete):
            gaps = by_row(columns, incomplete) if keeps_gaps else gaps
            fill, variance = self._fill(incomplete, labels, folds)
        once = self.design.fill, self.is_filled
        if self.design.scaling != "fold":
            weights, gap_weights = np.ones((1, len(chosen))), np.full_like(fill, self.unit**-2)
            return Metric(columns, chosen, weights, self.factors[chosen], x, gaps, fill, gap_weights, *once), [], False
        weights, is_constant = self._ratios(chosen, labels, folds)
        if len(incomplete) and self.design.scaler != "z-score":
            variance = self._scales(incomplete, fill, labels, folds)[1] ** 2
        gap_weights = np.divide(1.0, variance, out=np.zeros_like(variance), where=variance > 0)
        # Training rows that are all but constant in every fit: once more a power of two.
        shrunk = shrinking(weights.min(axis=0).max(initial=0.0), len(chosen) * n)
        fits_single = shrinking(weights.max(initial=0.0), len(chosen) * n) == 1.0
        if shrunk != 1.0:
            weights *= shrunk
            gap_weights *= shrunk
        constant = [
            (weights, is_constant, self.deviation[chosen] ** 2 * shrunk),
            (gap_weights, variance == 0, np.array(shrunk)),
        ]
        metric = Metric(columns, chosen, weights, self.factors[chosen], x, gaps, fill, gap_weights, *once)
        return metric, constant, fits_single

    def _ratios(self, complete: Labels, labels: Labels, folds: int) -> tuple[Floats, Mask]:
        """(fits, q) overall variance over the squared scale of the training rows, 1 where these are constant."""
        from fsdesk.kernels.scales import training_variances

        deviation = self.deviation[complete]
        if self.design.scaler == "z-score":
            shares = training_variances(self.design.columns, complete, self.mean[complete], deviation, labels, folds)
        else:
            scale = self._scales(complete, np.zeros((1, len(complete))), labels, folds)[1]
            shares = np.square(np.divide(scale, deviation, out=scale), out=scale)
        is_constant: Mask = np.asarray(shares == 0.0)
        if is_constant.any():
            shares[is_constant] = 1.0
        return np.divide(1.0, shares, out=shares), is_constant


class _MeasuredNeighbours(_Neighbours):
    """Neighbours by Manhattan or cosine distance: every pair is measured."""

    def divides(self, mask: Mask) -> bool:
        """Where a scale of its own is learned in each fold, nothing is shared."""
        return self.design.scaling == "fold"

    def _learned_by_fit(self, mask: Mask) -> tuple[int, int]:
        """See :meth:`_Neighbours._learned_by_fit`."""
        return (len(self.has_gaps), 16) if self.design.scaling == "fold" else super()._learned_by_fit(mask)

    def find(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """See :meth:`_Neighbours.nearest`."""
        from fsdesk.kernels.neighbours_exact import COSINE, MANHATTAN, nearest_exact

        design, folds = self.design, max(1, int(labels.max()) + 1)
        chosen = np.flatnonzero(mask[design.owner])
        is_incomplete = self.has_gaps[chosen]
        centre, scale, fill = self.centre[None, chosen], self.scale[None, chosen], design.fill[None, chosen]
        if is_incomplete.any():
            fill = np.zeros((len(labels) * folds, len(chosen)))
            fill[:, is_incomplete] = self._fill(chosen[is_incomplete], labels, folds)[0]
        if design.scaling == "fold":
            centre, scale = self._scales(chosen, fill, labels, folds)
            scale[scale == 0.0] = 1.0
        shape = (max(len(centre), len(fill)), len(chosen))
        centre, scale, fill = (np.ascontiguousarray(np.broadcast_to(part, shape)) for part in (centre, scale, fill))
        kind = COSINE if self.options.distance == "cosine" else MANHATTAN
        return nearest_exact(design.columns, chosen, centre, scale, fill, labels.T.copy(), folds, self.options.k, kind)
