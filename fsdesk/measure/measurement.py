"""A measurement: the criterion of one mask over the repeats of a cross-validation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Measurement"]


@dataclass(frozen=True)
class Measurement:
    """y(mask): one value per repeat, as a loss (a fraction: an error of 5.8 % is 0.058).

    Attributes
    ----------
    values
        (repeats,) float64.
    """

    values: NDArray[np.float64]

    @cached_property
    def mean(self) -> float:
        """Mean over the repeats; for the error this is all misses over all tested rows."""
        return float(self.values.mean())

    @cached_property
    def std_error(self) -> float:
        """Standard deviation over the repeats divided by the root of their number; 0 for a single repeat."""
        repeats = len(self.values)
        return float(self.values.std(ddof=1) / np.sqrt(repeats)) if repeats > 1 else 0.0
