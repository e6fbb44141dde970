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
        (n, repeats, k) rows, -1 where there is none; the first is always there.
    target
        (n,) class codes.

    Returns
    -------
    (n, repeats) class codes.
    """
    n, repeats, k = neighbours.shape
    winners = np.empty((n, repeats), dtype=np.int64)
    votes = np.zeros(classes, dtype=np.int64)
    if k == 1:
        for row in range(n):
            for repeat in range(repeats):
                winners[row, repeat] = target[neighbours[row, repeat, 0]]
        return winners
    for row in range(n):
        for repeat in range(repeats):
            votes[:] = 0
            for place in range(k):
                if neighbours[row, repeat, place] >= 0:
                    votes[target[neighbours[row, repeat, place]]] += 1
            winners[row, repeat] = np.argmax(votes)
    return winners
