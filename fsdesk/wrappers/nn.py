"""k nearest neighbors: the paper's first wrapper, with k = 1 and Euclidean distance."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.columns import (
    Gaps,
    centres,
    fits_at_once,
    in_blocks,
    many_fits,
    scales,
    small_fits,
    summary,
    training_counts,
)
from fsdesk.wrappers.single import Split, Targets, design_of
from fsdesk.wrappers.wrapper import (
    WRAPPERS,
    Design,
    ErrorRates,
    Predictor,
    Scaler,
    Task,
    Wrapper,
    class_weights_setting,
)
from fsdesk.wrappers.written import OWN_MODELS, OWN_NOTE, Call, Equivalent, changed, ordered

_DISTANCES = {"euclidean": 0, "manhattan": 1, "cosine": 2}
_SHARE = 2  # column statistics of all fits may take one half (1 / 2) of the size of the table
_NOTHING = np.empty((0, 0))
_LOOKED_AT = 256  # nearest rows among which those of each class are searched

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]


@WRAPPERS.register(
    "nn",
    title="Nearest neighbors",
    summary="Predicts the class of the most similar rows, or the mean of their numbers. Simple, and easily misled by "
    "irrelevant features, which makes it a good guide for a search.",
    reference="T. Cover and P. Hart, Nearest Neighbor Pattern Classification, IEEE Trans. Inf. Theory 13 (1967)",
)
class NearestNeighbours(Wrapper):
    """Majority class, or mean response, of the k nearest training rows.

    If distances are equal, the row with the lower index is treated as nearer; if votes are equal, the first class wins.
    Scores are each class's share of the votes.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"
    scores_compare: ClassVar[bool] = False

    k: int = setting(
        1,
        title="Neighbors k",
        help="Number of most similar rows that vote.",
        source="paper, section Classifiers: 1-NN",
        ge=1,
        le=1000,
    )
    distance: Literal["euclidean", "manhattan", "cosine"] = setting(
        "euclidean",
        title="Distance",
        help="Distance between rows: straight-line, sum of absolute differences, or angle between profiles "
        "regardless of size.",
        source="paper, section Classifiers: Euclidean",
        choices={"euclidean": "Euclidean", "manhattan": "Manhattan", "cosine": "Cosine"},
    )
    weights: Literal["uniform", "distance"] = setting(
        "uniform",
        title="Voting",
        help="Whether all neighbors vote equally, or are weighted by inverse distance.",
        source="scikit-learn's KNeighborsClassifier; makes no difference with one neighbor",
        choices={"uniform": "Equal", "distance": "By inverse distance"},
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting(
        "none: equal votes; scikit-learn's KNeighborsClassifier has no class weights",
        "Whether the votes for a class are divided by its number of training rows, so that each class counts "
        "equally; no effect with one neighbor or in regression.",
    )

    def idle(self, task: Task) -> frozenset[str]:
        """See :meth:`Wrapper.idle`."""
        return super().idle(task) | ({"weights", "class_weights"} if self.k == 1 else set())

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Yes, for one neighbor by the Euclidean distance of z-scores."""
        return self.k == 1 and self.distance == "euclidean" and scaler == "z-score"

    def scores_tell_more(self) -> bool:
        """No for one neighbor, because its vote is the class."""
        return self.k > 1

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        arguments = {"n_neighbors": self.k, "metric": self.distance, "weights": self.weights}
        if not classes:
            return Equivalent(Call("sklearn.neighbors", "KNeighborsRegressor", arguments))
        note = "scikit-learn's neighbors have no class weights: every row has its vote, so its score may differ"
        has_weights = self.class_weights == "balanced" and self.k > 1
        return Equivalent(Call("sklearn.neighbors", "KNeighborsClassifier", arguments), note if has_weights else "")

    def exported(
        self, classes: int, *, levels: Sequence[int] = (), scaler: str = "none", order: Sequence[Any] | None = None
    ) -> Equivalent:
        """See :meth:`Wrapper.exported`."""
        if classes:
            arguments = {**changed(self), "scaler": scaler, **ordered(order)}
            return Equivalent(Call(OWN_MODELS, "NeighboursClassifier", arguments), OWN_NOTE, "filled")
        arguments = {**changed(self, "class_weights"), "scaler": scaler}
        return Equivalent(Call(OWN_MODELS, "NeighboursRegressor", arguments), OWN_NOTE, "filled")

    def single_fits(
        self,
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """See :meth:`Wrapper.single_fits`."""
        return self.votes_of([self.k], train, y, test, features, offsets, classes, threads)[0]

    def votes_of(
        self,
        ks: Sequence[int],
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> list[Floats]:
        """Votes as in :meth:`single_fits`, for each of several k, which share the distances."""
        split, shape = Split.of(train, y, test), (len(offsets) - 1, test.shape[1])
        bound = _Neighbours(design_of(train, y, classes), self.model_copy(update={"k": max(ks)}))
        neighbours, distances = bound.of_split(split, features, offsets, threads)
        tested = slice(train.shape[1], None)
        said: list[Floats] = []
        for k in ks:
            nearest = np.ascontiguousarray(neighbours[:, tested, 0, :k]).reshape(-1, 1, k)
            weights = np.ones(nearest.shape)
            if self.weights == "distance":
                weights = _core.vote_weights(np.ascontiguousarray(distances[:, tested, 0, :k]).reshape(-1, 1, k))
            if y.dtype == np.float64:
                said.append(_core.averages(nearest, weights, split.response).reshape(shape))
                continue
            sums = _core.votes(nearest, weights, split.target, classes)[:, 0]
            if self.class_weights == "balanced" and k > 1:
                sums /= np.maximum(1, np.bincount(split.target[: train.shape[1]], minlength=classes))
            said.append(_shares(sums).reshape(*shape, classes))
        return said

    def closeness(self, design: Design, mask: Mask, labels: Labels) -> Floats:
        """(repeats, n, classes) proximity of each class to a row, as shares that sum to 1: a continuous form of votes.

        Proximity is the reciprocal distance to the row of the class that would decide the vote, which for a single
        neighbor is the nearest one. With two classes and odd k, it exceeds one half exactly if the class wins. It
        therefore changes even if the votes of a few rows do not. A class with no row among the nearest few hundred has
        proximity 0.
        """
        every = self.model_copy(update={"k": min(_LOOKED_AT, len(design.target)), "weights": "distance"})
        rows, distances = _Neighbours(design, every).nearest(mask, labels)
        deciding, far = (self.k + 1) // 2, np.full((design.classes, *rows.shape[:2]), np.inf)
        of_class = np.where(rows >= 0, design.target[rows], -1)
        for code in range(design.classes):
            own = of_class == code
            place = (np.cumsum(own, axis=2) == np.minimum(deciding, own.sum(axis=2, keepdims=True))) & own
            found = place.any(axis=2)
            far[code][found] = distances[place]
        near = 1.0 / np.maximum(far, 1e-12)
        return np.ascontiguousarray(_shares(near.transpose(2, 1, 0)))

    def bind(self, design: Design) -> Predictor:
        """Bind the model to a design, computing once what depends on neither mask nor folds."""
        return _Neighbours(design, self)


class _Neighbours(Predictor):
    """Nearest neighbors bound to a design; does not copy its columns."""

    def __init__(self, design: Design, options: NearestNeighbours) -> None:
        self.design, self.options = design, options
        columns = design.columns
        self.gaps = Gaps(design)
        self.has_gaps, self.varies, mean, deviation = summary(design)
        self.any_gaps = bool(self.has_gaps.any())
        self.is_used = np.ones(len(columns), dtype=np.bool_)
        if options.distance == "euclidean":
            # A constant column shifts all distances equally, unless missing values are imputed with another value.
            self.is_used = self.varies | (self.has_gaps & design.nominal)
        self.centre, self.scale = np.zeros(len(columns)), np.ones(len(columns))
        if design.scaling == "once":
            self.centre, self.scale = in_blocks(lambda part: scales(part, design.scaler), design)
        self.deviation = np.where((deviation > 0.0) & np.isfinite(deviation), deviation, 1.0)
        self.known = np.stack([mean, self.deviation, centres(design), design.fill])
        self.weights = 1.0 / self.scale
        if options.distance == "euclidean":
            # All columns share a further factor that keeps squares in range; a power of two is exact.
            complete = self.is_used & ~self.has_gaps
            spread = (deviation[complete] / self.scale[complete]).max(initial=0.0) or 1.0
            unit = 1.0 if design.scaling == "fold" else float(2.0 ** np.ceil(np.log2(spread)))
            with np.errstate(over="ignore", divide="ignore"):
                self.weights = (self.scale * unit) ** -2
        self.columns, self.target = np.ascontiguousarray(columns), np.ascontiguousarray(design.target)
        # Whether the core computes the weights of complete columns from training rows.
        self._learns = design.scaling == "fold" and design.scaler == "z-score" and options.distance == "euclidean"
        self._table: dict[str, Any] = {
            "k": options.k,
            "distance": _DISTANCES[options.distance],
            "learns": self._learns,
            "known": self.known,
            "has_gaps": self.has_gaps.view(np.uint8),
        }

    def divides(self, mask: Mask) -> bool:
        """No if columns are scaled once: half of the repeats would then take as long as all of them."""
        return self.design.scaling == "fold"

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
        scaling = "none" if design.scaling == "none" else "fold"
        errors, found = np.empty(len(split_of), dtype=np.int64), np.full((len(split_of), 2), np.nan)
        for fits in small_fits(self.gaps, features, offsets, splits, split_of, threads):
            fill = fits.fill[:, 0].copy() if self.gaps.misses_values else None
            labels = fits.labels[:, 0].astype(np.int8)
            asked = (self.columns, self.target, fits.chosen, fits.offsets, labels, fits.folds_of)
            errors[fits.which], _ = _core.nn_errors(*asked, fill=fill, scaling=scaling, threads=threads)
            if margins:
                found[fits.which] = _core.nn_margins(*asked, fill=fill, scaling=scaling, threads=threads)
        return errors, found

    def error_rates(self, masks: Mask, fits: int) -> ErrorRates | None:
        """See :meth:`fsdesk.wrappers.Predictor.error_rates`."""
        design, options = self.design, self.options
        if design.response is not None or options.distance != "euclidean":
            return None
        if options.k > 1 and (options.weights != "uniform" or options.class_weights != "none"):
            return None
        chosen = [self._chosen(mask) for mask in masks]
        if any(fits > many_fits(len(design.target), own, _SHARE) for own in map(self._learned, chosen) if own):
            return None
        return partial(self._error_rates, chosen)

    def _error_rates(self, chosen: list[Labels], labels: NDArray[np.int64], labels_of: Labels, threads: int) -> Floats:
        folds = max(1, int(labels.max()) + 1)
        own = [self._metric(each, labels[of], folds) for each, of in zip(chosen, labels_of.tolist(), strict=True)]
        return _core.nn_error_rates(
            self.columns,
            self.target,
            np.concatenate(chosen).astype(np.int32),
            np.cumsum([0, *map(len, chosen)]),
            labels,
            labels_of,
            folds,
            self.design.classes,
            threads=threads,
            **self._table,
            weights=_joined([metric.weights for metric in own]),
            fill=_joined([metric.fill for metric in own]),
            location=_NOTHING,
        )

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        design, options = self.design, self.options
        if options.k == 1 or (options.weights == "uniform" and options.class_weights == "none"):
            return _core.majority(self.nearest(mask, labels)[0], self.target, design.classes)
        codes: Labels = self._votes(mask, labels).argmax(axis=2)
        return codes

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        return _shares(self._votes(mask, labels))

    def values(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        if self.design.response is None:
            raise TypeError("a design without a response has no numbers to predict")
        return _core.averages(*self._weighted(mask, labels), np.ascontiguousarray(self.design.response)).T

    def nearest(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """(n, repeats, k) nearest training rows, -1 if there are fewer, and their distances.

        The distances are empty, (0, 0, 0), if all votes have equal weight.
        """
        chosen = self._chosen(mask)
        learned = self._learned(chosen)
        if not learned or len(parts := list(fits_at_once(labels, learned, _SHARE))) == 1:
            return self._find(chosen, labels)
        neighbours = np.full((labels.shape[1], len(labels), self.options.k), -1, dtype=np.int64)
        distances = np.full(neighbours.shape, np.inf)
        for part in parts:
            rows, far = self._find(chosen, part.labels)
            is_tested = part.is_tested.T
            neighbours[:, part.repeats][is_tested] = rows[is_tested]
            if len(far):
                distances[:, part.repeats][is_tested] = far[is_tested]
        return neighbours, distances

    def of_split(
        self, split: Split, features: NDArray[np.int32], offsets: Labels, threads: int
    ) -> tuple[Labels, Floats]:
        """(m, n + t, 1, k) training rows, nearest first, -1 if there are fewer, and their distances."""
        is_cosine = self.options.distance == "cosine"
        return _core.nn_neighbours(
            split.columns,
            split.target,
            features,
            offsets,
            split.labels,
            np.zeros(len(offsets) - 1, dtype=np.int64),
            1,
            measures=True,
            **self._table,
            weights=self.weights[features, None],
            location=self.centre[features, None] if is_cosine else _NOTHING,
            fill=_NOTHING,
            threads=threads,
        )

    def _chosen(self, mask: Mask) -> Labels:
        """Indices of the columns that are used in distances."""
        return np.flatnonzero(mask[self.design.owner] & self.is_used)

    def _learned(self, chosen: Labels) -> int:
        """Number of columns with their own statistics in every fit; these must not become larger than the table."""
        return len(chosen) if self.design.scaling == "fold" else int(np.count_nonzero(self.has_gaps[chosen]))

    def _find(self, chosen: Labels, labels: Labels) -> tuple[Labels, Floats]:
        """Neighbors for some of the fits, as in :meth:`nearest`."""
        folds, measures = max(1, int(labels.max()) + 1), self.options.weights != "uniform"
        metric = self._metric(chosen, labels, folds)
        neighbours, distances = _core.nn_neighbours(
            self.columns,
            self.target,
            chosen.astype(np.int32),
            np.array([0, len(chosen)]),
            np.ascontiguousarray(labels)[None],
            np.zeros(1, dtype=np.int64),
            folds,
            measures=measures,
            **self._table,
            **metric._asdict(),
        )
        return neighbours[0], distances[0] if measures else np.empty((0, 0, 0))

    def _metric(self, chosen: Labels, labels: Labels, folds: int) -> "_Metric":
        """The parts of the distance over the chosen columns that the core does not compute itself."""
        is_cosine, is_squared = self.options.distance == "cosine", self.options.distance == "euclidean"
        is_incomplete = self.has_gaps[chosen] if self.any_gaps else np.zeros(len(chosen), dtype=np.bool_)
        fill = variance = _NOTHING
        if is_incomplete.any():
            fill, variance = self.gaps.fills(chosen[is_incomplete], labels, folds)
        if self._learns:
            return _Metric(_reciprocal(variance), fill, _NOTHING)
        if self.design.scaling != "fold":
            location = self.centre[chosen, None] if is_cosine else _NOTHING
            return _Metric(self.weights[chosen, None], fill, location)
        filled = np.zeros((len(labels) * folds, len(chosen)))
        if len(fill):
            filled[:, is_incomplete] = fill.T
        centre, scale = self._scales(chosen, filled, labels, folds)
        weights = _reciprocal(np.ascontiguousarray(scale.T) ** (2 if is_squared else 1))
        return _Metric(weights, fill, np.ascontiguousarray(centre.T) if is_cosine else _NOTHING)

    def _scales(self, chosen: Labels, fill: Floats, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """(fits, q) location and scale of the training rows; a scale of 0 if constant."""
        return _core.training_scales(self.design.columns, chosen, fill, labels, folds, self.design.scaler)

    def _votes(self, mask: Mask, labels: Labels) -> Floats:
        """(repeats, n, classes) sums of votes; if classes have equal weight, divided by each class's training rows."""
        design = self.design
        sums = _core.votes(*self._weighted(mask, labels), self.target, design.classes)
        sums = np.ascontiguousarray(sums.transpose(1, 0, 2))
        if self.options.class_weights == "balanced" and self.options.k > 1:
            sums /= np.maximum(1, training_counts(design.target, design.classes, labels))
        return sums

    def _weighted(self, mask: Mask, labels: Labels) -> tuple[Labels, Floats]:
        """(n, repeats, k) neighbors and their votes."""
        neighbours, distances = self.nearest(mask, labels)
        if self.options.weights == "uniform":
            return neighbours, np.ones(neighbours.shape)
        return neighbours, _core.vote_weights(distances)


class _Metric(NamedTuple):
    """Weights, imputed values and, for cosine, locations of columns, as the core expects them: columns in rows."""

    weights: Floats
    fill: Floats
    location: Floats


def _shares(votes: Floats) -> Floats:
    """(..., classes) each class's share of the votes; 0 if there are none."""
    total = votes.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(votes, total, out=np.zeros_like(votes), where=total > 0))


def _joined(parts: list[Floats]) -> Floats:
    """The parts concatenated by row; empty parts may have any number of columns."""
    some = [part for part in parts if len(part)]
    return np.concatenate(some) if len(some) > 1 else some[0] if some else _NOTHING


def _reciprocal(scales: Floats) -> Floats:
    """Elementwise reciprocals; NaN for 0."""
    return np.divide(1.0, scales, out=np.full_like(scales, np.nan), where=scales > 0.0)
