"""From neighbours to a class."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["majority"]


@njit(nogil=True, cache=True, error_model="numpy")
def majority(neighbours: NDArray[np.int64], target: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
    """Most frequent class among the neighbours, the first class where several are.

    Parameters
    ----------
    neighbours
        (repeats, n, k) rows, -1 where there is none.
    target
        (n,) class codes.

    Returns
    -------
    (repeats, n) class codes.
    """
    repeats, n, k = neighbours.shape
    winners = np.empty((repeats, n), dtype=np.int64)
    votes = np.zeros(classes, dtype=np.int64)
    for repeat in range(repeats):
        for row in range(n):
            votes[:] = 0
            for place in range(k):
                if neighbours[repeat, row, place] >= 0:
                    votes[target[neighbours[repeat, row, place]]] += 1
            winners[repeat, row] = np.argmax(votes)
    return winners
