"""How alike the subsets of several runs are: the stability index of Nogueira et al. with its confidence interval.

Source: Nogueira, Sechidis and Brown, "On the Stability of Feature Selection Algorithms", JMLR 18 (2018): definition 4
for the index, theorems 6 and 7 for its variance.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["Stability", "selection_frequency", "stability"]


@dataclass(frozen=True)
class Stability:
    """The stability index of a set of masks.

    Attributes
    ----------
    index
        1: all masks are the same; about 0: no more alike than chance; at least -1 / (M - 1).
    low, high
        Ends of its confidence interval, within what the index can be.
    masks
        How many masks were compared, M.
    """

    index: float
    low: float
    high: float
    masks: int


def selection_frequency(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(d,) share of the (M, d) masks that contain each feature."""
    return np.asarray(np.mean(masks, axis=0, dtype=np.float64))


def stability(masks: NDArray[np.bool_], confidence: float = 0.95) -> Stability | None:
    """Measure how stable a selection is over repeats, such as runs with other seeds.

    Parameters
    ----------
    masks
        (M, d) bool, one row for each run.
    confidence
        Of the interval, between 0 and 1. It rests on the normal distribution, so it is rough where M is small.

    Returns
    -------
    Stability or None
        None where the index is not defined: fewer than two masks, or every mask is empty, or every mask is full.
    """
    z = np.asarray(masks, dtype=np.float64)
    count, features = z.shape
    size = float(z.sum(axis=1).mean()) if count else 0.0
    spread = size / features * (1.0 - size / features) if features else 0.0
    if count < 2 or spread <= 0.0:
        return None
    frequency = z.mean(axis=0)
    index = 1.0 - count / (count - 1) * float((frequency * (1.0 - frequency)).mean()) / spread
    sizes = z.sum(axis=1)
    own = sizes * size / features**2
    parts = ((z @ frequency) / features - own + index / 2 * (2 * own - sizes / features - size / features + 1)) / spread
    variance = 4.0 / count**2 * float(((parts - parts.mean()) ** 2).sum())
    reach = NormalDist().inv_cdf((1.0 + confidence) / 2) * float(np.sqrt(variance))
    lowest = -1.0 / (count - 1)
    return Stability(index, max(lowest, index - reach), min(1.0, index + reach), count)
