"""A measurement: the criterion of one mask over the repeats of a cross-validation."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Measurement:
    """y(mask): one value per repeat, as a loss (a fraction: an error of 5.8 % is 0.058).

    A loss is never NaN; it is infinite where the model could not be trained.

    Attributes
    ----------
    values
        (repeats,) float64.
    margin
        Mean and standard deviation, over held-out rows, of how much more a row is like its own class than like the
        next one, in [-1, 1]; they tell subsets of the same error apart. Not numbers where nobody asked.
    mean
        Mean over the repeats; for the error this is all misses over all tested rows.
    """

    values: NDArray[np.float64]
    margin: tuple[float, float] = (math.nan, math.nan)
    mean: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # At once, and by no function of numpy's that asks about axes first: threads wait while methods hear of losses.
        object.__setattr__(self, "mean", float(np.add.reduce(self.values)) / len(self.values))

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Measurement":
        """From a row of the log, where NaN stands for repeats that were not needed."""
        return cls(values[~np.isnan(values)])

    @property
    def std_error(self) -> float:
        """Standard deviation over the repeats divided by the root of their number; 0 for a single repeat."""
        repeats = len(self.values)
        if repeats == 1 or not (math.isfinite(self.mean) or np.isfinite(self.values).all()):
            return 0.0
        off = self.values - self.mean
        return math.sqrt(float(np.add.reduce(off * off)) / (repeats - 1)) / math.sqrt(repeats)
