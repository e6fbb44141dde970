"""CART decision trees for classes and numbers, as scikit-learn's DecisionTreeClassifier and DecisionTreeRegressor."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.columns import Gaps, fits_at_once, summary
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper, class_weights_setting

__all__ = ["DecisionTreeCART"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@WRAPPERS.register(
    "cart",
    title="Decision tree (CART)",
    summary="Asks one feature after another whether it is above or below a value, until the rows left together are of "
    "one class, or nearly equal numbers. Does not mind how features are scaled.",
    reference="L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth (1984)",
)
class DecisionTreeCART(Wrapper):
    """Binary tree grown by the largest decrease of impurity, not pruned.

    Thresholds stand halfway between two neighbouring values of the training rows, in double precision. Of equally good
    splits (scores apart by less than rounding) the lowest column wins, and in it the lowest threshold; scikit-learn
    draws among columns, sees values in single precision, and takes those within 1e-7 for equal. A node whose rows are
    all of one class, or all of the same response, or cannot be told apart by any column, is a leaf. It predicts its
    most frequent class, the first of several, or its mean response; its scores are the shares of its classes.

    Gaps are filled from the training rows of each fold, or once where the design says so. Scaling changes nothing.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"

    impurity: Literal["gini", "entropy"] = setting(
        "gini",
        title="Impurity",
        help="How mixed the classes of a group of rows are; numbers are always split by squared error.",
        source="scikit-learn: gini",
        choices={"gini": "Gini", "entropy": "Entropy"},
    )
    max_depth: int = setting(
        0,
        title="Largest depth",
        zero="unlimited",
        help="How many questions in a row may be asked; 0 sets no limit.",
        source="scikit-learn: no limit",
        ge=0,
        le=10_000,
    )
    min_leaf: int = setting(
        1,
        title="Fewest rows in a leaf",
        help="Both answers to a question must have this many rows; larger values give smaller trees.",
        source="scikit-learn: min_samples_leaf = 1",
        ge=1,
        le=100_000,
    )
    min_split: int = setting(
        2,
        title="Fewest rows to split",
        help="A group with fewer rows is not split any further.",
        source="scikit-learn: min_samples_split = 2",
        ge=2,
        le=100_000,
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn: class_weight")

    def bind(self, design: Design) -> Predictor:
        """Sort every column once."""
        return _BoundTree(design, self)


class _BoundTree(Predictor):
    """CART over one design; holds the order of every column."""

    def __init__(self, design: Design, settings: DecisionTreeCART) -> None:
        # Imported here: listing the wrappers must not load numba.
        from fsdesk.kernels.cart_work import ENTROPY, GINI, VARIANCE, Rules
        from fsdesk.kernels.presort import presorted

        self.design = design
        criterion = ENTROPY if settings.impurity == "entropy" else GINI
        self.rules = Rules(
            criterion=VARIANCE if design.response is not None else criterion,
            max_depth=settings.max_depth,
            min_leaf=settings.min_leaf,
            min_split=settings.min_split,
            balanced=design.response is None and settings.class_weights == "balanced",
        )
        self.gaps = Gaps(design)
        has_gaps, varies, _, _ = summary(design)
        # A column of one value splits nothing, unless its gaps are filled with another.
        self.is_used = varies | (has_gaps & design.nominal)
        self.order = presorted(design.columns, design.fill).ravel()
        # A power of two rounds nothing, and keeps squares in range.
        response = np.zeros(design.columns.shape[1]) if design.response is None else design.response
        self.exponent = int(np.frexp(np.abs(response).max(initial=0.0))[1])
        self.response = np.ldexp(response, -self.exponent)

    def predict(self, mask: NDArray[np.bool_], labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        if self.design.response is not None:
            return super().predict(mask, labels)
        return self._grown(mask, labels, 0)[0]

    def scores(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        if self.design.response is not None:
            return super().scores(mask, labels)
        return self._grown(mask, labels, self.design.classes)[1]

    def values(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        if self.design.response is None:
            return super().values(mask, labels)
        return np.ldexp(self._grown(mask, labels, 1)[1][:, :, 0], self.exponent)

    def _grown(self, mask: NDArray[np.bool_], labels: Labels, width: int) -> tuple[Labels, Floats]:
        """Classes (repeats, n), and numbers (repeats, n, width) where width is not 0."""
        from fsdesk.kernels.cart import grow
        from fsdesk.kernels.cart_work import Table

        design = self.design
        chosen = np.flatnonzero(mask[design.owner] & self.is_used)
        has_gaps = self.gaps.has_gaps[chosen]
        incomplete, gap = chosen[has_gaps], np.where(has_gaps, np.cumsum(has_gaps) - 1, -1)
        codes = np.zeros(labels.shape, dtype=np.int64)
        numbers = np.zeros((len(labels), labels.shape[1] if width else 0, width))
        for part in fits_at_once(labels, len(incomplete)):
            own, folds = np.ascontiguousarray(part.labels), part.folds.stop - part.folds.start
            table = Table(
                order=self.order,
                columns=design.columns,
                chosen=chosen,
                gap=gap,
                fill=self.gaps.fills(incomplete, own, folds)[0],
                target=design.target,
                classes=design.classes,
                response=self.response,
                once=design.fill,
            )
            grow(table, self.rules, own, folds, codes[part.repeats], numbers[part.repeats])
        return codes, numbers
