"""Nearest neighbours by Manhattan or cosine distance: every pair is measured, in double precision.

Where all fits share one scale a pair is measured once for all of them, else once for each repeat. Rows are compared
column by column, so that equal rows get equal distances to the last bit.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, inner

__all__ = ["nearest_exact"]

Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@entry()
def nearest_exact(
    columns: Double,
    chosen: Integers,
    centre: Double,
    scale: Double,
    fill: Double,
    labels: Integers,
    folds: int,
    k: int,
    is_cosine: bool,
) -> tuple[Integers, Double]:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    columns, chosen
        (p, n) values, NaN where one is missing; (q,) columns to compare.
    centre, scale, fill
        (fits, q) what is taken away from each column, what it is divided by, and what fills its gaps; (1, q) where all
        fits share them.
    labels
        (n, repeats) folds.
    is_cosine
        One less the cosine of the angle between two rows, 1 where a row has no length; else the sum of absolute
        differences.

    Returns
    -------
    Two arrays of (n, repeats, k): training rows, nearest first, ties to the lowest, -1 where there are fewer than k;
    and their distances.
    """
    n, repeats = labels.shape
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    distances = np.full((n, repeats, k), np.inf)
    own = np.empty(n)
    if len(centre) == 1:
        z = _prepared(columns, chosen, centre[0], scale[0], fill[0], is_cosine)
        for i in range(n):
            _measure(z, i, is_cosine, own)
            for repeat in range(repeats):
                if labels[i, repeat] >= 0:
                    _keep(own, labels, i, repeat, neighbours, distances)
        return neighbours, distances
    for repeat in range(repeats):
        for fold in range(folds):
            fit = repeat * folds + fold
            z = _prepared(columns, chosen, centre[fit], scale[fit], fill[fit], is_cosine)
            for i in range(n):
                if labels[i, repeat] == fold:
                    _measure(z, i, is_cosine, own)
                    _keep(own, labels, i, repeat, neighbours, distances)
    return neighbours, distances


@inner()
def _prepared(
    columns: Double, chosen: Integers, centre: Double, scale: Double, fill: Double, is_cosine: bool
) -> Double:
    """(q, n) filled and scaled columns; for the cosine each row has length 1, or 0."""
    n = columns.shape[1]
    z = np.empty((len(chosen), n))
    squares = np.zeros(n)
    for place in range(len(chosen)):
        values, own = columns[chosen[place]], z[place]
        for row in range(n):
            value = fill[place] if np.isnan(values[row]) else values[row]
            own[row] = (value - centre[place]) / scale[place]
            squares[row] += own[row] * own[row]
    if is_cosine:
        for row in range(n):
            squares[row] = np.sqrt(squares[row]) if squares[row] > 0.0 else 1.0
        for place in range(len(chosen)):
            own = z[place]
            for row in range(n):
                own[row] /= squares[row]
    return z


@inner()
def _measure(z: Double, i: int, is_cosine: bool, out: Double) -> None:
    """Distances of row i to all rows."""
    out[:] = 0.0
    for place in range(len(z)):
        own = z[place]
        value = own[i]
        if is_cosine:
            for j in range(len(out)):
                out[j] += value * own[j]
        else:
            for j in range(len(out)):
                out[j] += abs(value - own[j])
    if is_cosine:
        for j in range(len(out)):
            out[j] = min(max(1.0 - out[j], 0.0), 2.0)


@inner()
def _keep(own: Double, labels: Integers, i: int, repeat: int, neighbours: Integers, distances: Double) -> None:
    """Keep the training rows nearest to row i; rows come in order, so that the lowest wins a tie."""
    last = neighbours.shape[2] - 1
    for j in range(len(own)):
        if own[j] < distances[i, repeat, last] and labels[j, repeat] != labels[i, repeat]:
            place = last
            while place > 0 and own[j] < distances[i, repeat, place - 1]:
                distances[i, repeat, place] = distances[i, repeat, place - 1]
                neighbours[i, repeat, place] = neighbours[i, repeat, place - 1]
                place -= 1
            distances[i, repeat, place] = own[j]
            neighbours[i, repeat, place] = j
