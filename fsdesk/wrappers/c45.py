"""C4.5 decision trees, the paper's second wrapper: Quinlan's release 8 as in Weka's J48."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.columns import some_fits
from fsdesk.wrappers.wrapper import WRAPPERS, Design, ErrorRates, Predictor, Scaler, Wrapper, class_weights_setting
from fsdesk.wrappers.written import OWN_MODELS, OWN_NOTE, Call, Equivalent, balanced, changed, ordered

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]


@WRAPPERS.register(
    "c45",
    title="Decision tree (C4.5)",
    summary="Tests one feature after another, like an identification key, and prunes tests that do not pay off. "
    "Fairly robust to irrelevant features; handles missing values and categories directly and needs no "
    "scaling.",
    reference="J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann (1993)",
)
class DecisionTreeC45(Wrapper):
    """C4.5 release 8, with trees identical to those of Weka 3.6's J48.

    Binary splits of numeric features and one branch for each category of nominal ones, chosen by gain ratio among the
    features of at least average gain; the gain of a numeric feature is reduced by log2(cuts) / N. Rows with an unknown
    value go down all branches with fractional weights. Pruning uses pessimistic errors, with subtree raising. Trees use
    features as read: scaling and imputation do not affect them.
    """

    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"
    scores_compare: ClassVar[bool] = False
    scales: ClassVar[bool] = False

    min_rows: int = setting(
        2,
        title="Min. rows per branch",
        help="At least two branches of a test must have this many rows; larger values give smaller trees.",
        source="C4.5's and J48's default",
        ge=1,
        le=100_000,
    )
    pruned: bool = setting(
        True,
        title="Prune",
        help="Removes tests that are not expected to help on new rows.",
        source="C4.5's and J48's default",
    )
    confidence: float = setting(
        0.25,
        title="Pruning confidence",
        help="Smaller values prune more.",
        source="C4.5's and J48's default",
        gt=0.0,
        le=0.5,
    )
    raising: bool = setting(
        True,
        title="Subtree raising",
        help="While pruning, replaces a test by its largest branch if that looks no worse.",
        source="C4.5's and J48's default",
        level="all",
    )
    laplace: bool = setting(
        False,
        title="Smoothed class scores",
        help="Adds one row of each class to every leaf when computing class scores (Laplace); predicted classes "
        "do not change.",
        source="J48's default is off",
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("C4.5 does not support class weights")
    gap: float = setting(
        1e-5,
        title="Min. gap",
        help="Two neighboring values count as different only if they differ by more than this, in the "
        "feature's own unit; set it to 0 for features with tiny values.",
        source="J48",
        ge=0.0,
        level="all",
    )

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Yes, with any scaler."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        arguments = {
            "criterion": "entropy",
            "min_samples_leaf": self.min_rows,
            **balanced(self.class_weights),
            "random_state": 0,
        }
        return Equivalent(
            Call("sklearn.tree", "DecisionTreeClassifier", arguments),
            "scikit-learn has no C4.5: this is its tree by entropy, which is not pruned, splits nominal features "
            "in two and fills missing values, so its score may differ from that of the run",
        )

    def exported(
        self, classes: int, *, levels: Sequence[int] = (), scaler: str = "none", order: Sequence[Any] | None = None
    ) -> Equivalent:
        """See :meth:`Wrapper.exported`."""
        arguments = changed(self) | ({"levels": list(levels)} if any(levels) else {}) | ordered(order)
        return Equivalent(Call(OWN_MODELS, "C45Classifier", arguments), OWN_NOTE, "raw")

    def bind(self, design: Design) -> "_BoundTree":
        """Bind the tree to a design, sorting every column once."""
        return _BoundTree(design, self)


class _BoundTree(Predictor):
    """C4.5 over one design; holds the order of every column."""

    def __init__(self, design: Design, settings: DecisionTreeC45) -> None:
        self.classes = design.classes
        self.features, self.rows = design.raw.shape
        self.table = _core.C45Table(
            np.ascontiguousarray(design.raw),
            np.ascontiguousarray(design.levels),
            np.ascontiguousarray(design.target),
            design.classes,
            settings.gap,
        )
        self.rules: dict[str, Any] = {
            "min_rows": float(settings.min_rows),
            "pruned": settings.pruned,
            "raising": settings.raising,
            "confidence": settings.confidence,
            # Logarithms may differ in the last bit between systems.
            "quantile": round(NormalDist().inv_cdf(1.0 - settings.confidence), 12),
            "balanced": settings.class_weights == "balanced",
            "smoothed": settings.laplace,
        }

    def tree(self) -> tuple[Labels, Floats, Labels, Labels, Floats, Floats]:
        """The tree from all rows and features.

        (nodes,) feature of the split, -1 at leaves; threshold; number of the first branch; number of branches; weight
        of the rows; and (nodes, classes) weight of each class.
        """
        every, labels = np.arange(self.features, dtype=np.int32), np.full(self.rows, -1, dtype=np.int64)
        rules = {name: value for name, value in self.rules.items() if name != "smoothed"}
        feature, threshold, first, branches, size, counts = _core.c45_tree(self.table, every, labels, **rules)
        return feature, threshold, first, branches, size, counts

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        return np.asarray(self._said(mask, labels, shares=False)[0][0])

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`: class frequencies at the leaf."""
        return np.asarray(self._said(mask, labels, shares=True)[1][0])

    def _said(self, mask: Mask, labels: Labels, *, shares: bool) -> tuple[Labels, Floats]:
        """(1, repeats, n) predicted classes, and (1, repeats, n, classes) proportions if requested by ``shares``."""
        chosen = np.flatnonzero(mask).astype(np.int32)
        folds, folds_of = max(1, int(labels.max(initial=0)) + 1), np.zeros(1, dtype=np.int64)
        own = np.ascontiguousarray(labels)[None]
        return _core.c45_answers(
            self.table, chosen, np.array([0, len(chosen)]), own, folds_of, folds, shares=shares, **self.rules
        )

    def error_rates(self, masks: Mask, fits: int) -> ErrorRates:
        """See :meth:`fsdesk.wrappers.Predictor.error_rates`."""
        chosen = [np.flatnonzero(mask).astype(np.int32) for mask in masks]
        asked = np.concatenate(chosen), np.cumsum([0, *map(len, chosen)])

        def rates(labels: Labels, labels_of: Labels, threads: int) -> Floats:
            folds = max(1, int(labels.max(initial=0)) + 1)
            errors, _ = _core.c45_errors(self.table, *asked, labels, labels_of, folds, threads=threads, **self.rules)
            return np.asarray(errors / np.count_nonzero(labels >= 0, axis=2)[labels_of])

        return rates

    def small_fits(
        self,
        features: NDArray[np.int32],
        offsets: Labels,
        splits: NDArray[np.int8],
        split_of: Labels,
        *,
        margins: bool,
        threads: int,
    ) -> tuple[Labels, Floats]:
        """See :meth:`fsdesk.wrappers.Predictor.small_fits`."""
        errors, found = np.empty(len(split_of), dtype=np.int64), np.full((len(split_of), 2), np.nan)
        for fits in some_fits(features, offsets, splits, split_of):
            wrong, ahead = _core.c45_errors(
                self.table,
                fits.members,
                fits.offsets,
                fits.labels,
                fits.folds_of,
                1,
                margins=margins,
                threads=threads,
                **self.rules,
            )
            errors[fits.which] = wrong[:, 0]
            if margins:
                found[fits.which] = ahead[:, 0]
        return errors, found
