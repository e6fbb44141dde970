"""Boosted trees: scikit-learn's HistGradientBoostingClassifier and HistGradientBoostingRegressor."""

from typing import Any, ClassVar, Literal

from fsdesk.settings import setting
from fsdesk.wrappers.scikit_learn import bound_estimator
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper, class_weights_setting
from fsdesk.wrappers.written import Call, Equivalent, balanced


@WRAPPERS.register(
    "boosting",
    title="Boosted trees",
    summary="Grows small trees one after another, each correcting the errors of those before. Often the most "
    "accurate model with many rows; slow, and weak with few rows.",
    reference="J. H. Friedman, Greedy Function Approximation: A Gradient Boosting Machine, Ann. Statist. 29 (2001)",
)
class BoostedTrees(Wrapper):
    """Gradient boosting over histograms, without early stopping."""

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"
    scores_compare: ClassVar[bool] = False

    learning_rate: float = setting(
        0.1,
        title="Learning rate",
        help="Share of the remaining errors that each tree corrects; smaller values are more stable but need more "
        "trees.",
        source="scikit-learn: 0.1",
        gt=0,
        le=1,
    )
    iterations: int = setting(
        100,
        title="Rounds",
        help="Number of successive trees; per class if there are more than two.",
        source="scikit-learn: max_iter = 100",
        ge=1,
        le=10_000,
    )
    leaves: int = setting(
        31,
        title="Max. leaves",
        help="Maximum number of groups into which a tree divides the rows; more leaves allow more interactions "
        "between features.",
        source="scikit-learn: max_leaf_nodes = 31",
        ge=2,
        le=1_000,
    )
    min_leaf: int = setting(
        20,
        title="Min. rows per leaf",
        help="Minimum number of rows in each group; with few rows, try 5.",
        source="scikit-learn: min_samples_leaf = 20",
        ge=1,
        le=100_000,
        level="all",
    )
    bins: int = setting(
        255,
        title="Bins",
        help="Number of intervals into which the values of a feature are grouped; fewer are faster, and enough for "
        "tables with few rows.",
        source="scikit-learn: max_bins = 255",
        ge=2,
        le=255,
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn: class_weight", level="common")

    def fits_slowly(self) -> bool:
        """Yes, a fit trains many trees."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        shared: dict[str, Any] = {
            "learning_rate": self.learning_rate,
            "max_iter": self.iterations,
            "max_leaf_nodes": self.leaves,
            "min_samples_leaf": self.min_leaf,
            "max_bins": self.bins,
            "early_stopping": False,
            "random_state": 0,
        }
        if not classes:
            return Equivalent(Call("sklearn.ensemble", "HistGradientBoostingRegressor", shared))
        arguments = {**shared, **balanced(self.class_weights)}
        return Equivalent(Call("sklearn.ensemble", "HistGradientBoostingClassifier", arguments))

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        classes = 0 if design.response is not None else design.classes
        return bound_estimator(design, self.equivalent(classes).model.made())
