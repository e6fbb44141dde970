"""From neighbours to a class, to votes for every class, or to a number; how often classes are wrong."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry

__all__ = ["averages", "error_rates", "majority", "vote_weights", "votes"]

Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@entry()
def majority(neighbours: Integers, target: Integers, classes: int) -> Integers:
    """Most frequent class among the neighbours, the first class where several are.

    Parameters
    ----------
    neighbours
        (n, repeats, k) rows, -1 where there is none; the first is always there.
    target
        (n,) class codes.

    Returns
    -------
    (repeats, n) class codes.
    """
    n, repeats, k = neighbours.shape
    winners = np.empty((repeats, n), dtype=np.int64)
    counts = np.zeros(classes, dtype=np.int64)
    if k == 1:
        for row in range(n):
            for repeat in range(repeats):
                winners[repeat, row] = target[neighbours[row, repeat, 0]]
        return winners
    for row in range(n):
        for repeat in range(repeats):
            counts[:] = 0
            for place in range(k):
                if neighbours[row, repeat, place] >= 0:
                    counts[target[neighbours[row, repeat, place]]] += 1
            winners[repeat, row] = np.argmax(counts)
    return winners


@entry()
def error_rates(predicted: Integers, target: Integers, labels: Integers) -> Double:
    """(repeats,) misses over tested rows, of (repeats, n) codes and folds, -1 where a row is not tested."""
    repeats, n = labels.shape
    rates = np.empty(repeats)
    for repeat in range(repeats):
        tested, misses = 0, 0
        for row in range(n):
            is_tested = labels[repeat, row] >= 0
            tested += is_tested
            misses += is_tested and predicted[repeat, row] != target[row]
        rates[repeat] = misses / tested
    return rates


@entry()
def vote_weights(distances: Double) -> Double:
    """(..., k) one over the distance; where rows are at no distance, 1 for these and 0 for all others."""
    weights = np.empty_like(distances)
    flat, out = distances.reshape(-1, distances.shape[-1]), weights.reshape(-1, distances.shape[-1])
    for row in range(len(flat)):
        largest = 0.0
        for place in range(flat.shape[1]):
            out[row, place] = 1.0 / flat[row, place]
            largest = max(largest, out[row, place])
        if largest == np.inf:  # so has the reciprocal of the smallest distances
            for place in range(flat.shape[1]):
                out[row, place] = 1.0 if out[row, place] == np.inf else 0.0
    return weights


@entry()
def votes(neighbours: Integers, weights: Double, target: Integers, classes: int) -> Double:
    """(n, repeats, classes) sum of the (n, repeats, k) weights of the neighbours of each class."""
    n, repeats, k = neighbours.shape
    sums = np.zeros((n, repeats, classes))
    for row in range(n):
        for repeat in range(repeats):
            for place in range(k):
                if neighbours[row, repeat, place] >= 0:
                    sums[row, repeat, target[neighbours[row, repeat, place]]] += weights[row, repeat, place]
    return sums


@entry()
def averages(neighbours: Integers, weights: Double, response: Double) -> Double:
    """(n, repeats) mean response of the neighbours, weighted; 0 where there are none."""
    n, repeats, k = neighbours.shape
    means = np.zeros((n, repeats))
    for row in range(n):
        for repeat in range(repeats):
            total = 0.0
            for place in range(k):
                if neighbours[row, repeat, place] >= 0:
                    total += weights[row, repeat, place]
            for place in range(k):
                if neighbours[row, repeat, place] >= 0:
                    share = weights[row, repeat, place] / total
                    means[row, repeat] += share * response[neighbours[row, repeat, place]]
    return means
