"""A measurement: the criterion of one mask over the repeats of a cross-validation."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Measurement:
    """y(mask): one value per repeat, as a loss (a fraction: an error of 5.8 % is 0.058).

    A loss is never NaN; it is infinite if the model could not be trained.

    Attributes
    ----------
    values
        (repeats,) float64.
    margin
        Mean and standard deviation, over held-out rows, of how much more similar a row is to its own class than to the
        next one, in [-1, 1]; they distinguish subsets of equal error. NaN if not requested.
    mean
        Mean over the repeats; for the error, the misses over all tested rows.
    """

    values: NDArray[np.float64]
    margin: tuple[float, float] = (math.nan, math.nan)
    mean: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Immediate, and not by a numpy function that checks axes first: threads wait while methods receive losses.
        object.__setattr__(self, "mean", float(np.add.reduce(self.values)) / len(self.values))

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Measurement":
        """A measurement from a row of the log, in which NaN marks repeats that were not needed."""
        return cls(values[~np.isnan(values)])

    @property
    def std_error(self) -> float:
        """Standard deviation over the repeats divided by the square root of their number; 0 for a single repeat."""
        repeats = len(self.values)
        if repeats == 1 or not (math.isfinite(self.mean) or np.isfinite(self.values).all()):
            return 0.0
        off = self.values - self.mean
        return math.sqrt(float(np.add.reduce(off * off)) / (repeats - 1)) / math.sqrt(repeats)
