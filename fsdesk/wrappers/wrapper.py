"""The one interface between a measurement and a model: masks and folds in, predictions out."""

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

    Most models see ``columns``: nominal features as indicator columns, one for two categories, else one for each.
    Trees of nominal splits see ``raw``.

    Attributes
    ----------
    columns
        (q, n) float64, one row for each design column; NaN where a value is missing.
    owner
        (q,) int64, the feature that each design column belongs to, ascending.
    nominal
        (q,) bool, which design columns are indicators.
    target
        (n,) int64 class codes; all 0 in regression.
    classes
        Number of classes; 1 in regression.
    scaling
        From which rows scales are learned, and what fills gaps. "fold": the training rows of each fold; "once": all
        rows; "none": values as they are, gaps filled from the training rows.
    scaler
        "z-score": mean and standard deviation (divisor: number of rows); "min-max": smallest value and range;
        "robust": median and distance between the quartiles (numpy's linear interpolation); "pareto": mean and square
        root of the standard deviation. A scale of 0 counts as 1;
        in columns whose squares leave double precision, as the power of two that they were divided by.
    response
        (n,) float64 what regression predicts; times to an event, negative where they are censored; None in
        classification.
    raw
        (p, n) float64, features as read: values, or codes 0, 1, ... of nominal ones; NaN where missing. Neither filled
        nor scaled.
    levels
        (p,) int64 number of categories of a nominal feature, 0 for numeric ones.
    fill
        (q,) float64, what fills the gaps of each design column in all fits; NaN where it has none, or the training rows
        of each fold say it. So no filled copy of a table is held.
    task
        What is predicted; "" where ``response`` says it, classes or numbers.
    is_moved
        (q,) bool, which columns had a number taken away that hid how they vary; ``raw`` has them as they were.
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
        """(some, n) columns, their gaps filled where all fits fill them alike; not to be written to."""
        own, fill = self.columns[some], self.fill[some]
        return own if np.isnan(fill).all() else np.where(np.isnan(own), fill[:, None], own)


ErrorRates = Callable[[NDArray[np.int64], NDArray[np.int64], int], NDArray[np.float64]]
"""From (s, repeats, n) labels, (m,) which of these each mask has, and threads, to (m, repeats)."""


class Predictor:
    """A wrapper bound to a design; immutable, so that threads share it.

    All methods predict rows from the rows of other folds, using only the features in ``mask``:

    mask
        (p,) bool, not empty.
    labels
        (repeats, n) int64. The row is tested in this fold, 0 to folds - 1; -1: it is never tested, but trained on in
        every fold. A fold's training rows are all rows with another label. A fold may be empty of test rows or hold
        all rows of a class; a training set has at least one row.

    What they return for rows with the label -1 has no meaning.
    """

    def predict(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """(repeats, n) class codes."""
        raise TypeError(f"{type(self).__name__} predicts no classes")

    def error_rates(self, masks: NDArray[np.bool_], fits: int) -> ErrorRates | None:
        """What tells how large a share of the tested rows :meth:`predict` gets wrong with each of (m, p) masks.

        Each takes ``fits`` models at most. A compiled call with threads of its own. None where that is not offered.
        """
        return None

    def on(self, labels: NDArray[np.int64]) -> "Predictor":
        """The same for these labels alone, of a single fit: many masks share what depends on its rows only."""
        return self

    def divides(self, mask: NDArray[np.bool_]) -> bool:
        """Whether threads may predict some repeats each, two or more: to the same answers, and sooner than one does."""
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
            Numbers of the features of all m subsets, and (m + 1,) where each begins.
        splits
            (s, n) labels of the rows: -1 trained on, 0 tested, -2 neither.
        split_of
            (m,) split of each subset.
        margins
            Whether margins are wanted.

        Returns
        -------
        (m,) how many tested rows are given a wrong class, and (m, 2) mean and standard deviation of
        the tested rows' margins, or nothing.
        None where that is not offered.
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
        """(repeats, n, g) probabilities to be without the event after each of (g,) times."""
        raise TypeError(f"{type(self).__name__} predicts no times to an event")


class Wrapper(Settings):
    """A model that the search wraps: a settings model that binds to a design.

    ``tasks`` says what it can predict, ``gives`` what its scores are: probabilities, which sum to 1 over the classes,
    or decision values, of which only the order within a class means something; None where it has no scores. ``scales``
    says whether scaling changes what it predicts, ``is_borrowed`` whether it is scikit-learn's own class.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = None
    scales: ClassVar[bool] = True
    is_borrowed: ClassVar[bool] = False
    fits_cheaply: ClassVar[bool] = False
    """Whether many subsets are fitted at once, in some tenths of a millisecond each: for searches by what it says."""
    scores_compare: ClassVar[bool] = True
    """Whether its scores tell how clear a row is in a way that compares with other models.

    Shares of a few votes or leaves do not, for all may agree about a row however unclear it is; nor do products over
    features that are taken for independent.
    """
    competes: ClassVar[bool] = False
    """Whether it is no model but several that compete in a race."""

    def called(self) -> str:
        """Its name in a sentence."""
        return next((entry.title for entry in WRAPPERS if entry.model is type(self)), type(self).__name__)

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Whether many small fits are measured in one compiled call; see :meth:`Predictor.small_fits`."""
        return False

    def fits_slowly(self) -> bool:
        """Whether one fit takes many times as long as one of the other models."""
        return False

    def can_predict(self, task: Task) -> bool:
        """Whether it predicts classes, or numbers."""
        return task in self.tasks

    def scores_are(self) -> Literal["probabilities", "decisions"] | None:
        """What its scores are; see the class."""
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
            (q, n) and (q, t) columns of the training and of the tested rows, filled and scaled.
        y
            (n,) int64 class codes below ``classes``, of which some may be absent, or float64 responses in regression.
        features, offsets
            Numbers of the columns of all m subsets, ascending within each, and (m + 1,) where each begins.
        classes
            Number of classes; 1 in regression.
        threads
            How many may work on subsets at once; what is returned does not depend on them.

        Returns
        -------
        (m, t, classes) scores as :meth:`Predictor.scores` has them, the lowest for a class never trained on; or (m, t)
        responses in regression.
        None where that is not offered.
        """
        return None

    def survival(
        self,
        train: NDArray[np.float64],
        y: NDArray[np.float64],
        test: NDArray[np.float64],
        times: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """(t, g) probabilities of the tested rows to be without the event after each of (g,) times.

        The other parameters are as of :meth:`single_fits`.
        """
        raise TypeError(f"{type(self).__name__} predicts no times to an event")

    def scores_tell_more(self) -> bool:
        """Whether its scores tell how clearly a row belongs to its class, and not just to which one."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """The model of scikit-learn with these settings; for so many classes, or for numbers where there are none."""
        raise TypeError(f"{type(self).__name__} names no model of scikit-learn")

    def exported(
        self, classes: int, *, levels: Sequence[int] = (), scaler: str = "none", order: Sequence[Any] | None = None
    ) -> Equivalent:
        """The model that predicts row by row what this one does: what an exported pipeline ends with.

        Parameters
        ----------
        classes
            Their number; 0 where numbers are predicted.
        levels
            Number of categories of each feature, 0 for numbers.
        scaler
            How features are scaled, "none" where they are not.
        order
            The classes, where they are not sorted.
        """
        return self.equivalent(classes)

    def bind(self, design: Design) -> Predictor:
        """Do once all that does not depend on a mask; import scikit-learn no earlier than in here."""
        raise TypeError(f"{type(self).__name__} binds to no design")


WRAPPERS: Registry[Wrapper] = Registry("wrapper")


def class_weights_setting(
    source: str,
    how: str = "Whether rows of rare classes weigh more, so that each class counts alike.",
    level: Level = "all",
) -> Any:
    """Declare whether rare classes count as much as common ones; in regression it changes nothing."""
    return setting(
        "none",
        title="Class weights",
        help=how,
        source=source,
        choices={"none": "Every row alike", "balanced": "Every class alike"},
        level=level,
    )
