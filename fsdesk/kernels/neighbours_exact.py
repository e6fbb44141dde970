"""Nearest neighbours by distances of every pair, in double precision, from a few prepared columns at a time.

Where all fits share one scale a pair is measured once for all of them, else once for each repeat. Rows are compared
column by column, so that equal rows get equal distances to the last bit.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, inner, merged

__all__ = ["COSINE", "EUCLIDEAN", "MANHATTAN", "nearest_exact"]

MANHATTAN, COSINE, EUCLIDEAN = 0, 1, 2

_COLUMNS_AT_ONCE, _TOGETHER = 32, 4  # prepared columns that stay in the cache; how many are added in one pass
_FEWEST_ROWS, _PAIRS_AT_ONCE = 32, 1 << 20  # distances of so many pairs are kept at once

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
    kind: int,
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
    kind
        ``MANHATTAN``: the sum of absolute differences. ``COSINE``: one less the cosine of the angle between two rows, 1
        where a row has no length. ``EUCLIDEAN``: the root of the sum of squared differences, each times its column's
        ``scale``; nothing is taken away or divided by.

    Returns
    -------
    Two arrays of (n, repeats, k): training rows, nearest first, ties to the lowest, -1 where there are fewer than k;
    and their distances.
    """
    n, repeats = labels.shape
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    distances = np.full((n, repeats, k), np.inf)
    many = min(n, max(_FEWEST_ROWS, _PAIRS_AT_ONCE // n))
    far, room = np.empty((many, n)), np.empty((_COLUMNS_AT_ONCE, n))
    tests, lengths, is_shared = np.empty(n, dtype=np.int64), np.ones(n), len(centre) == 1
    for fit in range(1 if is_shared else repeats * folds):
        count = 0
        for row in range(n):
            if is_shared or labels[row, fit // folds] == fit % folds:
                tests[count] = row
                count += 1
        if kind == COSINE and count:
            _fill_in_lengths(columns, chosen, centre[fit], scale[fit], fill[fit], lengths, room)
        for first in range(0, count, many):
            part = tests[first : min(first + many, count)]
            _measure(columns, chosen, centre[fit], scale[fit], fill[fit], lengths, kind, part, room, far)
            for place in range(len(part)):
                for repeat in range(repeats):
                    if labels[part[place], repeat] >= 0 and (is_shared or repeat == fit // folds):
                        _keep(far[place], labels, part[place], repeat, neighbours, distances)
    if kind == EUCLIDEAN:
        distances = np.sqrt(distances)
    return neighbours, distances


@merged
def _fill_in_lengths(
    columns: Double, chosen: Integers, centre: Double, scale: Double, fill: Double, lengths: Double, room: Double
) -> None:
    """Fill in the length of each row, 1 where it has none."""
    lengths[:] = 0.0
    own = room[0]
    for place in range(len(chosen)):
        _prepare(columns[chosen[place]], centre[place], scale[place], fill[place], own)
        for row in range(len(own)):
            lengths[row] += own[row] * own[row]
    for row in range(len(lengths)):
        lengths[row] = np.sqrt(lengths[row]) if lengths[row] > 0.0 else 1.0


@inner()
def _prepare(values: Double, centre: float, scale: float, fill: float, out: Double) -> None:
    """Fill and scale a column."""
    for row in range(len(out)):
        value = fill if np.isnan(values[row]) else values[row]
        out[row] = (value - centre) / scale


@merged
def _measure(
    columns: Double,
    chosen: Integers,
    centre: Double,
    scale: Double,
    fill: Double,
    lengths: Double,
    kind: int,
    tests: Integers,
    room: Double,
    far: Double,
) -> None:
    """Distances of some rows to all rows; for EUCLIDEAN their squares."""
    far[:] = 0.0
    times = np.ones(len(room))
    for start in range(0, len(chosen), len(room)):
        width = min(len(room), len(chosen) - start)
        for place in range(len(room)):
            own, column = room[place], min(start + place, len(chosen) - 1)
            if place >= width:  # adds 0 to all distances
                own[:] = 0.0
            elif kind == EUCLIDEAN:
                times[place] = scale[column]
                _prepare(columns[chosen[column]], 0.0, 1.0, fill[column], own)
            else:
                _prepare(columns[chosen[column]], centre[column], scale[column], fill[column], own)
                if kind == COSINE:
                    for row in range(len(own)):
                        own[row] /= lengths[row]
        for place in range(len(tests)):
            _add(room[: -(-width // _TOGETHER) * _TOGETHER], times, tests[place], kind, far[place])
    if kind == COSINE:
        for place in range(len(tests)):
            own = far[place]
            for row in range(len(own)):
                own[row] = min(max(1.0 - own[row], 0.0), 2.0)


@inner()
def _add(room: Double, times: Double, i: int, kind: int, out: Double) -> None:
    """Add what row i differs from all rows in some columns: one after another, as no other order gives the same sum."""
    for place in range(0, len(room), _TOGETHER):
        a, b, c, d = room[place], room[place + 1], room[place + 2], room[place + 3]
        e, f, g, h = a[i], b[i], c[i], d[i]
        if kind == COSINE:
            for j in range(len(out)):
                out[j] = (((out[j] + e * a[j]) + f * b[j]) + g * c[j]) + h * d[j]
        elif kind == MANHATTAN:
            for j in range(len(out)):
                out[j] = (((out[j] + abs(e - a[j])) + abs(f - b[j])) + abs(g - c[j])) + abs(h - d[j])
        else:
            s, t, u, v = times[place], times[place + 1], times[place + 2], times[place + 3]
            for j in range(len(out)):
                near = (out[j] + (e - a[j]) * (e - a[j]) * s) + (f - b[j]) * (f - b[j]) * t
                out[j] = (near + (g - c[j]) * (g - c[j]) * u) + (h - d[j]) * (h - d[j]) * v


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
