"""The interface between a measurement and a model: masks and folds in, predictions out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Task as Task  # what a wrapper can predict
from fsdesk.settings import Level, Registry, Settings, setting
from fsdesk.wrappers.written import Equivalent

Scaling = Literal["fold", "once", "none"]
Scaler = Literal["z-score", "min-max", "robust", "pareto"]


@dataclass(frozen=True, eq=False)
class Design:
    """The data as models see it.

    Most models use ``columns``: nominal features as indicator columns, one for two categories, else one for each
    category. Trees with nominal splits use ``raw``.

    Attributes
    ----------
    columns
        (q, n) float64, one row for each design column; NaN if missing.
    owner
        (q,) int64, the feature of each design column, ascending.
    nominal
        (q,) bool, which design columns are indicators.
    target
        (n,) int64 class codes; all 0 in regression.
    classes
        Number of classes; 1 in regression.
    scaling
        The rows from which scales and imputed values are learned. "fold": the training rows of each fold; "once": all
        rows; "none": no scaling, imputation from the training rows.
    scaler
        "z-score": mean and standard deviation (divisor: number of rows); "min-max": minimum and range; "robust": median
        and interquartile range (numpy's linear interpolation); "pareto": mean and square root of the standard
        deviation. A scale of 0 is treated as 1; in columns whose squares exceed double precision, as the power of two
        by which they were divided.
    response
        (n,) float64 target of a regression; times to an event, negative if censored; None in classification.
    raw
        (p, n) float64, features as read: values, or codes 0, 1, ... of nominal ones; NaN if missing. Neither imputed
        nor scaled.
    levels
        (p,) int64 number of categories of a nominal feature, 0 for numeric ones.
    fill
        (q,) float64, imputed value of each design column in all fits; NaN if nothing is missing, or the value is
        learned in each fold. This avoids a completed copy of the table.
    task
        The kind of target; "" if given by ``response``: classes or numbers.
    is_moved
        (q,) bool, columns shifted by a constant that would hide their variation; ``raw`` is not shifted.
    """

    columns: NDArray[np.float64]
    owner: NDArray[np.int64]
    nominal: NDArray[np.bool_]
    target: NDArray[np.int64]
    classes: int
    scaling: Scaling
    scaler: Scaler = "z-score"
    response: NDArray[np.float64] | None = None
    raw: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    levels: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    fill: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    is_moved: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    task: Task | Literal[""] = ""

    def __post_init__(self) -> None:
        if not len(self.is_moved):
            object.__setattr__(self, "is_moved", np.zeros(len(self.columns), dtype=np.bool_))
        if not len(self.fill):
            object.__setattr__(self, "fill", np.full(len(self.columns), np.nan))

    def filled(self, some: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        """(some, n) read-only columns, imputed if all fits use the same values."""
        own, fill = self.columns[some], self.fill[some]
        return own if np.isnan(fill).all() else np.where(np.isnan(own), fill[:, None], own)


ErrorRates = Callable[[NDArray[np.int64], NDArray[np.int64], int], NDArray[np.float64]]
"""Takes (s, repeats, n) labels, the (m,) index of the labels of each mask, and threads; returns (m, repeats) rates."""


class Predictor:
    """A wrapper bound to a design; immutable, so that threads share it.

    All methods predict rows from the rows of other folds, using only the features in ``mask``:

    mask
        (p,) bool, not empty.
    labels
        (repeats, n) int64. The fold in which a row is tested, 0 to folds - 1; -1: never tested, but trained on in every
        fold. A fold is trained on all rows with another label. A fold may have no test rows, or contain all rows of a
        class; a training set has at least one row.

    Results for rows with the label -1 are undefined.
    """

    def predict(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """(repeats, n) class codes."""
        raise TypeError(f"{type(self).__name__} predicts no classes")

    def error_rates(self, masks: NDArray[np.bool_], fits: int) -> ErrorRates | None:
        """A function giving the fraction of tested rows that :meth:`predict` gets wrong with each of (m, p) masks.

        Each mask takes at most ``fits`` models. It is a compiled call with its own threads. None if not supported.
        """
        return None

    def on(self, labels: NDArray[np.int64]) -> "Predictor":
        """A predictor for the labels of one fit, where many masks share all work that depends only on the rows."""
        return self

    def divides(self, mask: NDArray[np.bool_]) -> bool:
        """Whether the repeats may be divided among threads, with identical results in less time."""
        return True

    def small_fits(
        self,
        features: NDArray[np.int32],
        offsets: NDArray[np.int64],
        splits: NDArray[np.int8],
        split_of: NDArray[np.int64],
        *,
        margins: bool,
        threads: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
        """Train once on each of many small subsets, each on a split of the rows, in one compiled call.

        Parameters
        ----------
        features, offsets
            Feature indices of all m subsets, and (m + 1,) their offsets.
        splits
            (s, n) labels of the rows: -1 trained on, 0 tested, -2 neither.
        split_of
            (m,) split of each subset.
        margins
            Whether margins are required.

        Returns
        -------
        (m,) number of misclassified tested rows, and (m, 2) mean and standard deviation of the tested rows' margins, or
        None. None if not supported.
        """
        return None

    def scores(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """(repeats, n, classes) score of each class, larger is more likely; probabilities if the wrapper says so."""
        raise TypeError(f"{type(self).__name__} gives no scores")

    def values(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """(repeats, n) predicted responses."""
        raise TypeError(f"{type(self).__name__} predicts no numbers")

    def survival(
        self, mask: NDArray[np.bool_], labels: NDArray[np.int64], times: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(repeats, n, g) probabilities of being event-free after each of (g,) times."""
        raise TypeError(f"{type(self).__name__} predicts no times to an event")


class Wrapper(Settings):
    """A model wrapped by a search: a settings model that binds to a design.

    ``tasks`` lists the supported targets; ``gives`` is the kind of scores: probabilities, which sum to 1 over the
    classes, or decision values, for which only the order within a class is meaningful; None if it has no scores.
    ``scales`` says whether scaling affects its predictions, ``is_borrowed`` whether it is scikit-learn's own class.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = None
    scales: ClassVar[bool] = True
    is_borrowed: ClassVar[bool] = False
    fits_cheaply: ClassVar[bool] = False
    """Whether many subsets are fitted together, in tenths of a millisecond each, as searches with many fits need."""
    scores_compare: ClassVar[bool] = True
    """Whether its scores show how clearly a row belongs to a class, on a scale comparable with other models.

    Proportions of a few votes or leaves do not, because all may agree even on an unclear row; nor do products over
    features that are assumed to be independent.
    """
    competes: ClassVar[bool] = False
    """Whether it is not a model but several that compete in a race."""

    def called(self) -> str:
        """The name of the model within a sentence."""
        return next((entry.title for entry in WRAPPERS if entry.model is type(self)), type(self).__name__)

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Whether many small fits are measured in one compiled call; see :meth:`Predictor.small_fits`."""
        return False

    def fits_slowly(self) -> bool:
        """Whether one fit takes many times as long as with other models."""
        return False

    def can_predict(self, task: Task) -> bool:
        """Whether it predicts this kind of target."""
        return task in self.tasks

    def scores_are(self) -> Literal["probabilities", "decisions"] | None:
        """The kind of scores; see the class."""
        return self.gives

    def single_fits(
        self,
        train: NDArray[np.float64],
        y: NDArray[np.int64] | NDArray[np.float64],
        test: NDArray[np.float64],
        features: NDArray[np.int32],
        offsets: NDArray[np.int64],
        classes: int,
        threads: int,
    ) -> NDArray[np.float64] | None:
        """Train once on each of many subsets of the columns, on one split of the rows, and predict the tested rows.

        Parameters
        ----------
        train, test
            (q, n) and (q, t) columns of the training and tested rows, imputed and scaled.
        y
            (n,) int64 class codes below ``classes``, some of which may be absent, or float64 responses in regression.
        features, offsets
            Column indices of all m subsets, ascending within each, and (m + 1,) their offsets.
        classes
            Number of classes; 1 in regression.
        threads
            Maximum number of threads; results do not depend on it.

        Returns
        -------
        (m, t, classes) scores as in :meth:`Predictor.scores`, the lowest for a class not trained on; or (m, t)
        responses in regression. None if not supported.
        """
        return None

    def survival(
        self,
        train: NDArray[np.float64],
        y: NDArray[np.float64],
        test: NDArray[np.float64],
        times: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """(t, g) probabilities of the tested rows of being event-free after each of (g,) times.

        The other parameters are those of :meth:`single_fits`.
        """
        raise TypeError(f"{type(self).__name__} predicts no times to an event")

    def scores_tell_more(self) -> bool:
        """Whether scores show how clearly a row belongs to its class, and not only to which one it belongs."""
        return True

    def idle(self, task: Task) -> frozenset[str]:
        """Names of the settings that make no difference to predictions of such a target, given the others."""
        return frozenset({"class_weights"} if task != "classification" else ())

    def equivalent(self, classes: int) -> Equivalent:
        """The scikit-learn model with these settings; for this many classes, or for regression if 0."""
        raise TypeError(f"{type(self).__name__} names no model of scikit-learn")

    def exported(
        self, classes: int, *, levels: Sequence[int] = (), scaler: str = "none", order: Sequence[Any] | None = None
    ) -> Equivalent:
        """The model with row-by-row identical predictions: the last step of an exported pipeline.

        Parameters
        ----------
        classes
            Number of classes; 0 in regression.
        levels
            Number of categories of each feature, 0 for numeric ones.
        scaler
            Scaling of the features, "none" if they are not scaled.
        order
            The classes, if they are not sorted.
        """
        return self.equivalent(classes)

    def bind(self, design: Design) -> Predictor:
        """Bind the model to a design, computing once all that does not depend on a mask; may import scikit-learn."""
        raise TypeError(f"{type(self).__name__} binds to no design")


WRAPPERS: Registry[Wrapper] = Registry("wrapper")


def class_weights_setting(
    source: str,
    how: str = "Whether rows of rare classes are given more weight, so that each class counts equally.",
    level: Level = "all",
) -> Any:
    """Declare the setting that gives rare classes the same weight as common ones; no effect in regression."""
    return setting(
        "none",
        title="Class weights",
        help=how,
        source=source,
        choices={"none": "None", "balanced": "Balanced"},
        level=level,
    )
