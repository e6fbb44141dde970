"""A measurement: the criterion of one mask over the repeats of a cross-validation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Measurement"]


@dataclass(frozen=True)
class Measurement:
    """y(mask): one value per repeat, as a loss (a fraction: an error of 5.8 % is 0.058).

    A loss is never NaN; it is infinite where the model could not be trained.

    Attributes
    ----------
    values
        (repeats,) float64.
    """

    values: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Measurement":
        """From a row of the log, where NaN stands for repeats that were not needed."""
        return cls(values[~np.isnan(values)])

    @cached_property
    def mean(self) -> float:
        """Mean over the repeats; for the error this is all misses over all tested rows."""
        return float(self.values.mean())

    @cached_property
    def std_error(self) -> float:
        """Standard deviation over the repeats divided by the root of their number; 0 for a single repeat."""
        repeats = len(self.values)
        finite = bool(np.isfinite(self.values).all())
        return float(self.values.std(ddof=1) / np.sqrt(repeats)) if repeats > 1 and finite else 0.0
