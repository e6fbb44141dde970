"""The error curve as it is drawn, in the window and in print."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["moving_average"]


def moving_average(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """(n,) mean of each value and the ``window - 1`` before it; of fewer at the beginning."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - window)
    averages: NDArray[np.float64] = (total[ends] - total[starts]) / (ends - starts)
    return averages
