"""C4.5 decision trees, the paper's second wrapper: Quinlan's release 8 as in Weka's J48."""

from statistics import NormalDist
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Wrapper, class_weights_setting

__all__ = ["DecisionTreeC45"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@WRAPPERS.register(
    "c45",
    title="Decision tree (C4.5)",
    summary="Asks one feature after another, as a key for plants does, and prunes questions that do not pay. "
    "Ignores useless features to a degree, takes missing values and categories as they are, and does not mind how "
    "features are scaled.",
    reference="J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann (1993)",
)
class DecisionTreeC45(Wrapper):
    """C4.5 release 8, tree for tree as Weka 3.6's J48.

    Binary splits of numeric features and one branch for each category of nominal ones, by gain ratio among the features
    of at least average gain; the gain of a numeric feature is lowered by log2(cuts) / N. Rows of unknown value go down
    all branches in shares. Pruning is by pessimistic errors, with subtree raising. Trees see features as read: scaling
    and what fills gaps do not touch them.
    """

    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"

    min_rows: int = setting(
        2,
        title="Fewest rows in a branch",
        help="At least two branches of a question must have this many rows; larger values give smaller trees.",
        source="C4.5's and J48's default",
        ge=1,
        le=100_000,
    )
    pruned: bool = setting(
        True,
        title="Prune",
        help="Remove questions that are not expected to help with new rows.",
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
        help="While pruning, let the largest branch of a question take its place where that looks no worse.",
        source="C4.5's and J48's default",
        level="all",
    )
    laplace: bool = setting(
        False,
        title="Smoothed class scores",
        help="Add one row of each class to every leaf when class scores are wanted (Laplace); predicted classes stay.",
        source="J48's default is off",
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("C4.5 knows no class weights")
    gap: float = setting(
        1e-5,
        title="Smallest gap",
        help="Two neighbouring values are told apart only where they differ by more than this, in the feature's own "
        "unit; set it to 0 for features with tiny values.",
        source="J48",
        ge=0.0,
        level="all",
    )

    def bind(self, design: Design) -> Predictor:
        """Sort every column once."""
        return _BoundTree(design, self)


class _BoundTree(Predictor):
    """C4.5 over one design; holds the order of every column."""

    def __init__(self, design: Design, settings: DecisionTreeC45) -> None:
        # Imported here: listing the wrappers must not load numba.
        from fsdesk.kernels.c45_logs import logs_up_to
        from fsdesk.kernels.c45_table import Options, prepared_table

        self.settings = settings
        self.table = prepared_table(design.raw, design.levels, design.target, design.classes, settings.gap)
        self.logs = logs_up_to(len(design.target))
        self.options = Options(
            min_rows=float(settings.min_rows),
            gap=settings.gap,
            is_pruned=settings.pruned,
            is_raising=settings.raising,
            confidence=settings.confidence,
            quantile=NormalDist().inv_cdf(1.0 - settings.confidence),
        )

    def predict(self, mask: NDArray[np.bool_], labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        predicted = np.zeros(labels.shape, dtype=np.int64)
        self._run(mask, labels, predicted, np.empty((1, 0, 0)))
        return predicted

    def scores(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`: frequencies of the classes at the leaf."""
        scores = np.full((*labels.shape, self.table.classes), 1.0 / self.table.classes)
        self._run(mask, labels, np.empty((1, 0), dtype=np.int64), scores)
        return scores

    def _run(self, mask: NDArray[np.bool_], labels: Labels, predicted: Labels, scores: Floats) -> None:
        from fsdesk.kernels.c45 import cross_validated

        cross_validated(
            self.table,
            self.logs,
            self.options,
            np.flatnonzero(mask),
            labels,
            predicted,
            scores,
            is_balanced=self.settings.class_weights == "balanced",
            is_smoothed=self.settings.laplace,
        )
