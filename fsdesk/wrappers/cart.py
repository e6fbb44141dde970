"""CART decision trees for classes and numbers, as scikit-learn's DecisionTreeClassifier and DecisionTreeRegressor."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.columns import Gaps, fits_at_once, many_fits, small_fits, summary
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
from fsdesk.wrappers.written import OWN_MODELS, OWN_NOTE, Call, Equivalent, balanced, changed, ordered

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]


@WRAPPERS.register(
    "cart",
    title="Decision tree (CART)",
    summary="Splits the rows by one feature after another until each group is of one class, or of nearly equal "
    "numbers. Needs no scaling.",
    reference="L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth (1984)",
)
class DecisionTreeCART(Wrapper):
    """Unpruned binary tree grown by the largest decrease of impurity.

    Thresholds are midpoints between neighboring values of the training rows, in double precision. If splits are
    equally good (their scores are equal up to rounding), the first column wins, and within it the lowest threshold;
    scikit-learn chooses columns at random, uses values in single precision, and treats values within 1e-7 as equal. A
    node is a leaf if its rows have one class or response, or cannot be separated by any column. It predicts its most
    frequent class, the first of several, or its mean response; its scores are class proportions.

    Missing values are imputed from the training rows of each fold, or once if the design says so. Scaling has no
    effect.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"
    scores_compare: ClassVar[bool] = False
    scales: ClassVar[bool] = False

    impurity: Literal["gini", "entropy"] = setting(
        "gini",
        title="Impurity",
        help="Measure of how mixed the classes in a group are; numeric targets always use squared error.",
        source="scikit-learn: gini",
        choices={"gini": "Gini", "entropy": "Entropy"},
    )
    max_depth: int = setting(
        0,
        title="Max. depth",
        zero="unlimited",
        help="Maximum number of consecutive splits; 0 sets no limit.",
        source="scikit-learn: no limit",
        ge=0,
        le=10_000,
    )
    min_leaf: int = setting(
        1,
        title="Min. rows per leaf",
        help="Both sides of a split must have this many rows; larger values give smaller trees.",
        source="scikit-learn: min_samples_leaf = 1",
        ge=1,
        le=100_000,
    )
    min_split: int = setting(
        2,
        title="Min. rows to split",
        help="A group with fewer rows is not split further.",
        source="scikit-learn: min_samples_split = 2",
        ge=2,
        le=100_000,
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn: class_weight")

    def idle(self, task: Task) -> frozenset[str]:
        """See :meth:`Wrapper.idle`."""
        return super().idle(task) | ({"impurity"} if task != "classification" else set())

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Yes, with any scaler."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        shared = {
            "max_depth": self.max_depth or None,
            "min_samples_leaf": self.min_leaf,
            "min_samples_split": self.min_split,
            "random_state": 0,
        }
        if not classes:
            return Equivalent(Call("sklearn.tree", "DecisionTreeRegressor", shared))
        arguments = {"criterion": self.impurity, **shared, **balanced(self.class_weights)}
        return Equivalent(Call("sklearn.tree", "DecisionTreeClassifier", arguments))

    def exported(
        self, classes: int, *, levels: Sequence[int] = (), scaler: str = "none", order: Sequence[Any] | None = None
    ) -> Equivalent:
        """See :meth:`Wrapper.exported`."""
        if classes:
            return Equivalent(Call(OWN_MODELS, "CartClassifier", changed(self) | ordered(order)), OWN_NOTE, "filled")
        arguments = changed(self, "impurity", "class_weights")
        return Equivalent(Call(OWN_MODELS, "CartRegressor", arguments), OWN_NOTE, "filled")

    def bind(self, design: Design) -> "_BoundTree":
        """Bind the tree to a design, sorting every column once."""
        return _BoundTree(_as_read(design), self)


def _as_read(design: Design) -> Design:
    """The design, with columns that were shifted toward 0 restored to the values as read.

    A median, or the midpoint between two values, may have to be rounded; it then becomes a value that occurs.
    """
    moved = np.flatnonzero(design.is_moved)
    if not len(moved):
        return design
    columns, fill = design.columns.copy(), design.fill.copy()
    columns[moved] = design.raw[design.owner[moved]]
    for column in moved[~np.isnan(fill[moved])]:
        fill[column] = np.nanmedian(columns[column])
    return replace(design, columns=columns, fill=fill)


class _BoundTree(Predictor):
    """CART over one design; holds the order of every column."""

    def __init__(self, design: Design, settings: DecisionTreeCART) -> None:
        self.design = design
        self.gaps = Gaps(design)
        has_gaps, varies, _, _ = summary(design)
        # A constant column splits nothing, unless missing values are imputed with another value.
        self.is_used = varies | (has_gaps & design.nominal)
        self.columns, self.target = np.ascontiguousarray(design.columns), np.ascontiguousarray(design.target)
        is_numeric = design.response is not None
        self.rules: dict[str, Any] = {
            "impurity": "variance" if is_numeric else settings.impurity,
            "max_depth": settings.max_depth,
            "min_leaf": settings.min_leaf,
            "min_split": settings.min_split,
            "balanced": not is_numeric and settings.class_weights == "balanced",
        }
        self.sorted: dict[str, Any] = {
            "order": _core.cart_order(self.columns, design.fill),
            "has_gaps": self.gaps.has_gaps.view(np.uint8),
            "once": design.fill,
        }
        # A power of two is exact, and keeps squares in range.
        response = np.empty(0) if design.response is None else design.response
        self.exponent = int(np.frexp(np.abs(response).max(initial=0.0))[1])
        self.response = np.ldexp(response, -self.exponent)

    def tree(self) -> tuple[Labels, Floats, Labels, Labels, Labels, Floats]:
        """The tree from all rows and columns, without missing values.

        (nodes,) column of the split, -1 at leaves; threshold; numbers of both branches; most frequent class; and
        (nodes, classes) proportions, or (nodes, 1) means.
        """
        feature, threshold, left, right, code, numbers = _core.cart_tree(
            self.columns,
            self.target,
            self._chosen(np.ones(int(self.design.owner[-1]) + 1, dtype=np.bool_)).astype(np.int32),
            self.design.classes,
            fill=np.empty((0, 0)),
            response=self.response,
            **self.sorted,
            **self.rules,
        )
        if self.design.response is not None:
            numbers = np.ldexp(numbers, self.exponent)
        return feature, threshold, left, right, code, numbers

    @cached_property
    def unfilled(self) -> dict[str, Any]:
        """As ``sorted``, but with all missing values to be imputed for each split."""
        design = self.design
        if np.isnan(design.fill).all():
            return self.sorted
        once = np.full(len(design.fill), np.nan)
        has_gaps = self.gaps.has_gaps | ~np.isnan(design.fill)
        return {"order": _core.cart_order(self.columns, once), "has_gaps": has_gaps.view(np.uint8), "once": once}

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        if self.design.response is not None:
            return super().predict(mask, labels)
        return self._grown(mask, labels, 0)[0]

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        if self.design.response is not None:
            return super().scores(mask, labels)
        return self._grown(mask, labels, self.design.classes)[1]

    def values(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        if self.design.response is None:
            return super().values(mask, labels)
        return np.ldexp(self._grown(mask, labels, 1)[1][:, :, 0], self.exponent)

    def _chosen(self, mask: Mask) -> Labels:
        """Columns that may be used to split."""
        return np.flatnonzero(mask[self.design.owner] & self.is_used)

    def _grown(self, mask: Mask, labels: Labels, width: int) -> tuple[Labels, Floats]:
        """Classes (repeats, n), and numbers (repeats, n, width); there are none if width is 0."""
        chosen = self._chosen(mask)
        parts = list(fits_at_once(labels, int(np.count_nonzero(self.gaps.has_gaps[chosen]))))
        if len(parts) == 1:
            return self._grown_at_once(chosen, labels, width > 0)
        codes = np.zeros(labels.shape, dtype=np.int64)
        numbers = np.zeros((len(labels), labels.shape[1] if width else 0, width))
        for part in parts:
            own_codes, own_numbers = self._grown_at_once(chosen, part.labels, width > 0)
            codes[part.repeats][part.is_tested] = own_codes[part.is_tested]
            if width:
                numbers[part.repeats][part.is_tested] = own_numbers[part.is_tested]
        return codes, numbers

    def _grown_at_once(self, chosen: Labels, labels: Labels, numbers: bool) -> tuple[Labels, Floats]:
        labels, folds = np.ascontiguousarray(labels), max(1, int(labels.max(initial=0)) + 1)
        codes, said = _core.cart_predictions(
            self.columns,
            self.target,
            chosen.astype(np.int32),
            np.array([0, len(chosen)]),
            labels[None],
            np.zeros(1, dtype=np.int64),
            folds,
            self.design.classes,
            fill=self._fill(chosen, labels, folds),
            response=self.response,
            numbers=numbers,
            **self.sorted,
            **self.rules,
        )
        return codes[0], said[0]

    def _fill(self, chosen: Labels, labels: Labels, folds: int) -> Floats:
        """(g, fits) imputed values of the columns with missing values."""
        incomplete = chosen[self.gaps.has_gaps[chosen]]
        if not len(incomplete):
            return np.empty((0, 0))
        return self.gaps.fills(incomplete, labels, folds)[0]

    def error_rates(self, masks: Mask, fits: int) -> ErrorRates | None:
        """See :meth:`fsdesk.wrappers.Predictor.error_rates`."""
        if self.design.response is not None:
            return None
        chosen = [self._chosen(mask) for mask in masks]
        incomplete = [int(np.count_nonzero(self.gaps.has_gaps[own])) for own in chosen]
        if any(fits > many_fits(len(self.design.target), own) for own in incomplete if own):
            return None
        return partial(self._error_rates, chosen)

    def _error_rates(self, chosen: list[Labels], labels: Labels, labels_of: Labels, threads: int) -> Floats:
        folds = max(1, int(labels.max()) + 1)
        fills = [self._fill(own, labels[of], folds) for own, of in zip(chosen, labels_of.tolist(), strict=True)]
        fills = [fill for fill in fills if len(fill)]
        errors, _ = _core.cart_errors(
            self.columns,
            self.target,
            np.concatenate(chosen).astype(np.int32),
            np.cumsum([0, *map(len, chosen)]),
            np.ascontiguousarray(labels),
            labels_of,
            folds,
            self.design.classes,
            fill=np.concatenate(fills) if fills else np.empty((0, 0)),
            threads=threads,
            **self.sorted,
            **self.rules,
        )
        return np.asarray(errors / np.count_nonzero(labels >= 0, axis=2)[labels_of])

    def small_fits(
        self,
        features: NDArray[np.int32],
        offsets: Labels,
        splits: NDArray[np.int8],
        split_of: Labels,
        *,
        margins: bool,
        threads: int,
    ) -> tuple[Labels, Floats] | None:
        """See :meth:`fsdesk.wrappers.Predictor.small_fits`."""
        if self.design.response is not None:
            return None
        errors, found = np.empty(len(split_of), dtype=np.int64), np.full((len(split_of), 2), np.nan)
        has_gaps = self.unfilled["has_gaps"].view(np.bool_)
        for fits in small_fits(self.gaps, features, offsets, splits, split_of, threads):
            wrong, ahead = _core.cart_errors(
                self.columns,
                self.target,
                fits.chosen,
                fits.offsets,
                fits.labels,
                fits.folds_of,
                1,
                self.design.classes,
                fill=fits.fill[has_gaps[fits.chosen]],
                margins=margins,
                threads=threads,
                **self.unfilled,
                **self.rules,
            )
            errors[fits.which] = wrong[:, 0]
            if margins:
                found[fits.which] = ahead[:, 0]
        return errors, found
