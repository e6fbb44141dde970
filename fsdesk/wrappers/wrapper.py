"""The one interface between a measurement and a model: masks and folds in, predicted classes out."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import Registry, Settings

__all__ = ["WRAPPERS", "Design", "Predictor", "Wrapper"]


@dataclass(frozen=True, eq=False)
class Design:
    """The data as models see it: nominal features as indicator columns, one for two categories, else one for each.

    Attributes
    ----------
    columns
        (q, n) float64, one row for each design column; NaN where a value is missing.
    owner
        (q,) int64, the feature that each design column belongs to, ascending.
    nominal
        (q,) bool, which design columns are indicators.
    target
        (n,) int64 class codes.
    classes
        Number of classes.
    scaling
        "fold": mean and deviation of the training rows of each fold; "once": of all rows; "none".
    """

    columns: NDArray[np.float64]
    owner: NDArray[np.int64]
    nominal: NDArray[np.bool_]
    target: NDArray[np.int64]
    classes: int
    scaling: Literal["fold", "once", "none"]


class Predictor(Protocol):
    """A wrapper bound to a design; immutable, so that threads share it."""

    def predict(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Predict every row from the rows of the other folds, using only the features in ``mask``.

        Parameters
        ----------
        mask
            (p,) bool, not empty.
        labels
            (repeats, n) fold of each row in each repeat, 0 to folds - 1.

        Returns
        -------
        (repeats, n) class codes.
        """


class Wrapper(Settings):
    """A model that the search wraps: a settings model that binds to a design."""

    def bind(self, design: Design) -> Predictor:
        """Do once all that does not depend on a mask."""
        raise TypeError(f"{type(self).__name__} binds to no design")


WRAPPERS: Registry[Wrapper] = Registry("wrapper")
