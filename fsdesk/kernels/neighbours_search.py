"""From bounds to neighbours: which training rows are nearest, told by as few exact distances as possible.

A first pass in single precision bounds all squared distances of a row from below. Only rows whose bound stays under the
best distance found so far are measured in double precision, and where the first pass is as good as exact, only those
that it cannot tell apart. No row that could be a neighbour is ever skipped: rounding never changes a result.

Each step goes over many rows at once and calls no other: between compiled functions, counting references to arrays
would take longer than the work itself.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ZERO, inner, merged
from fsdesk.kernels.neighbours_measure import RELATIVE, TINY, TOGETHER, Metric, Rows, measure
from fsdesk.kernels.neighbours_near import Near, list_next

__all__ = ["bound", "offer", "open_rows", "search", "search_listed", "shortlist"]

_BATCH = 128  # rows whose shortlists are searched together
_LANES = 32  # row j is in lane j mod 32
_DEPTH = 3  # the smallest bounds of each lane that are kept in order
_SPARE, _SPARE_IN_FITS = 4, 8  # candidates beyond the k that are needed, where fits share distances or not
_LEFT = 8  # where more than this part of rows may have a neighbour beyond the list, all are left
_NONE = np.int32(0x7F800000)  # the bits of infinity

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@inner()
def search(
    metric: Metric,
    dots: Single,
    norms: Single,
    numbers: Integers,
    first_repeat: int,
    labels: Integers,
    folds: int,
    doubt: float,
    tight: bool,
    may_leave: bool,
    neighbours: Integers,
) -> bool:
    """Search the neighbours of some rows; False where too many of them are left as they are.

    Parameters
    ----------
    dots
        (rows, n) single-precision products of some rows with all rows; columns beyond n are not looked at.
    norms
        (rows, n) squared norms of all rows, under the weights that each row's products have; (1, n) where they are
        the same for all.
    numbers
        (rows,) which rows these are.
    labels, neighbours
        (n, repeats) and (rows, repeats, k), the repeats that these products serve; what is not -1 is known already.
    doubt
        How far a bound can be off, as a share of both squared norms.
    tight
        Whether the products have the very weights of the distances, so that they tell most rows apart.
    may_leave
        Whether it may leave them.
    """
    n, repeats = labels.shape
    many, k = len(numbers), neighbours.shape[2]
    listed = min(n, k + (_SPARE if len(metric.weights) == 1 or repeats == 1 else _SPARE_IN_FITS))
    lanes = 1 if repeats == 1 else -(-repeats // TOGETHER) * TOGETHER
    rows = Rows(
        numbers,
        np.empty((many, lanes), dtype=np.int64),
        labels,
        np.full((many, listed), -1, dtype=np.int64),
        np.full((many, listed), np.inf, dtype=np.float32),
        np.full(many, np.inf, dtype=np.float32),
        np.empty((many, lanes)),
        np.full(many, -np.inf),
        np.empty((many, repeats, k)),
        neighbours,
    )
    open_rows(rows, first_repeat, folds)
    shortlist(dots, norms, doubt, rows)
    for place in range(rows.candidates.shape[1]):
        measure(metric, norms, doubt if tight else np.inf, place, rows)
        if offer(place, rows) == 0:
            break
    beyond = 0
    for row in range(many):
        beyond += rows.rest[row] <= rows.reach[row] and rows.rest[row] < np.inf
    if may_leave and _LEFT * beyond > many:
        for row in range(many):
            if rows.reach[row] >= 0.0:
                neighbours[row] = -1
        return False
    _search_the_rest(metric, dots, norms, doubt, rows)
    return True


@inner()
def search_listed(
    metric: Metric, near: Near, norms: Single, labels: Integers, folds: int, tight: bool, neighbours: Integers
) -> Integers:
    """Search the neighbours of all rows among those that are listed; return the rows which stay open, -1 there."""
    n, repeats = labels.shape
    lanes = 1 if repeats == 1 else -(-repeats // TOGETHER) * TOGETHER
    places, unsettled, count = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), 0
    everyone = np.arange(n)
    doubt = near.doubt if tight else np.inf
    for place in range(len(near.rows) - 1, -1, -1):
        places[near.rows[place]] = place
    fits, measured = np.empty((_BATCH, lanes), dtype=np.int64), np.empty((_BATCH, lanes))
    candidates = np.empty((_BATCH, near.listed.shape[1] + 1), dtype=np.int64)
    bounds, best = np.empty(candidates.shape, dtype=np.float32), np.empty((_BATCH, repeats, neighbours.shape[2]))
    for start in range(0, n, _BATCH):
        many = min(n - start, _BATCH)
        rest, reach = np.empty(many, dtype=np.float32), np.full(many, -np.inf)
        rows = Rows(
            everyone[start : start + many],
            fits[:many],
            labels,
            candidates[:many],
            bounds[:many],
            rest,
            measured[:many],
            reach,
            best[:many],
            neighbours[start : start + many],
        )
        open_rows(rows, ZERO, folds)
        for row in range(many):
            rest[row] = near.limits[places[start + row]]
        own = places[start : start + many]
        list_next(near, own, ZERO, rows)
        for place in range(candidates.shape[1] - 1):
            list_next(near, own, place + 1, rows)
            measure(metric, norms, doubt, place, rows)
            if offer(place, rows) == 0:
                break
        for row in range(many):
            if rest[row] < reach[row]:  # what is not listed is farther than the limit
                unsettled[count] = start + row
                count += 1
                for repeat in range(repeats):
                    if labels[start + row, repeat] >= 0:
                        neighbours[start + row, repeat] = -1
    return unsettled[:count]


@merged
def open_rows(rows: Rows, first_repeat: int, folds: int) -> None:
    """Say which fits are searched; a row that is not tested in a repeat needs no neighbour in it."""
    for row in range(len(rows.fits)):
        for lane in range(rows.fits.shape[1]):
            repeat = min(lane, rows.labels.shape[1] - 1)
            label = rows.labels[rows.numbers[row], repeat]
            rows.fits[row, lane] = (first_repeat + repeat) * folds + max(label, 0)
            if label >= 0 and rows.neighbours[row, repeat, 0] < 0:
                rows.reach[row] = np.inf
            for place in range(rows.best.shape[2]):
                rows.best[row, repeat, place] = np.inf if label >= 0 else -np.inf


@inner(fastmath=_FAST)
def bound(dots: Single, norms: Single, own: float, doubt: float, out: Single) -> None:
    """Bound the squared distances of a row of squared norm ``own`` to all rows from below."""
    sure = 1.0 - RELATIVE
    share = np.float32(sure - doubt)
    twice = np.float32(2.0 * sure)
    mine = np.float32(own) * share - np.float32(TINY)
    for j in range(len(dots)):
        out[j] = max(mine + norms[j] * share - twice * dots[j], np.float32(0.0))


@inner()
def _three_of_each_lane(keys: NDArray[np.int32], clear: int, levels: NDArray[np.int32]) -> None:
    """Find the three smallest keys of each lane; their last bits, rounded down, say the row."""
    first, second, third = levels[0], levels[1], levels[2]
    first[:] = _NONE
    second[:] = _NONE
    third[:] = _NONE
    for start in range(0, len(keys), _LANES):
        part = keys[start : start + _LANES]
        for lane in range(_LANES):
            key = np.int32((part[lane] & clear) | np.int32(start + lane))
            a, b = first[lane], second[lane]
            first[lane] = min(a, key)
            key = max(a, key)
            second[lane] = min(b, key)
            third[lane] = min(third[lane], max(b, key))


@inner()
def _smallest(keys: NDArray[np.int32]) -> int:
    a, b, c, d = keys[0], keys[1], keys[2], keys[3]  # four at once: they do not wait for one another
    for lane in range(0, _LANES, 4):
        a = min(a, keys[lane])
        b = min(b, keys[lane + 1])
        c = min(c, keys[lane + 2])
        d = min(d, keys[lane + 3])
    return int(min(min(a, b), min(c, d)))


@inner()
def _take(levels: NDArray[np.int32], places: int, bounds: Single, candidates: Integers, ordered: Single) -> float:
    """Take the smallest keys, as many as fit or as the lanes know, in order of their bounds; bound the rest."""
    value = np.empty(1, dtype=np.int32)
    as_bound = value.view(np.float32)
    first, second, third = levels[0], levels[1], levels[2]
    count = 0
    while True:
        key = _smallest(first)
        value[0] = key & ~(places - 1)
        j = key & (places - 1)
        lane = j % _LANES
        if count == len(candidates) or as_bound[0] == np.inf or second[lane] < key:
            return float(as_bound[0])
        if first[lane] == second[lane]:
            second[lane] = 0  # the rest of the lane is no nearer than its last
        else:
            first[lane], second[lane] = second[lane], third[lane]
        place = count
        while place > 0 and ordered[place - 1] > bounds[j]:
            candidates[place], ordered[place] = candidates[place - 1], ordered[place - 1]
            place -= 1
        candidates[place], ordered[place] = j, bounds[j]
        count += 1


@inner()
def shortlist(dots: Single, norms: Single, doubt: float, rows: Rows) -> None:
    """Find the rows with the smallest bounds."""
    n = len(rows.labels)
    bounds = np.full(-(-n // _LANES) * _LANES, np.inf, dtype=np.float32)
    keys = bounds.view(np.int32)  # floats that are not negative have the order of their bits
    places = 1
    while places < len(bounds):
        places *= 2
    levels = np.empty((_DEPTH, _LANES), dtype=np.int32)
    for row in range(len(rows.numbers)):
        if rows.reach[row] < 0.0:
            continue
        i = rows.numbers[row]
        squares = norms[row if len(norms) > 1 else 0]
        bound(dots[row, :n], squares, squares[i], doubt, bounds)
        bounds[i] = np.inf  # a row is never its own neighbour
        _three_of_each_lane(keys, ~(places - 1), levels)
        rows.rest[row] = _take(levels, places, bounds, rows.candidates[row], rows.bounds[row])


@inner()
def offer(place: int, rows: Rows) -> int:
    """Offer each row its candidate in every repeat that trains on it; return how many may want the next one."""
    still_open = 0
    last = rows.best.shape[2] - 1
    after = min(place + 1, rows.bounds.shape[1] - 1)
    for row in range(len(rows.fits)):
        i, j = rows.numbers[row], rows.candidates[row, place]
        if not rows.bounds[row, place] <= rows.reach[row] or j < 0:
            continue
        reach = -np.inf
        for repeat in range(rows.best.shape[1]):
            distance = rows.measured[row, min(repeat, rows.measured.shape[1] - 1)]
            worst = rows.best[row, repeat, last]
            is_nearer = distance < worst or (distance == worst and j < rows.neighbours[row, repeat, last])
            if is_nearer and rows.labels[i, repeat] != rows.labels[j, repeat]:
                spot = last
                while spot > 0 and (
                    distance < rows.best[row, repeat, spot - 1]
                    or (distance == rows.best[row, repeat, spot - 1] and j < rows.neighbours[row, repeat, spot - 1])
                ):
                    rows.best[row, repeat, spot] = rows.best[row, repeat, spot - 1]
                    rows.neighbours[row, repeat, spot] = rows.neighbours[row, repeat, spot - 1]
                    spot -= 1
                rows.best[row, repeat, spot] = distance
                rows.neighbours[row, repeat, spot] = j
            reach = max(reach, rows.best[row, repeat, last])
        rows.reach[row] = reach
        still_open += rows.bounds[row, after] <= reach
    return still_open


@merged
def _search_the_rest(metric: Metric, dots: Single, norms: Single, doubt: float, rows: Rows) -> None:
    """Measure beyond the candidates in the few rows where a neighbour may be there."""
    n = len(rows.labels)
    bounds, only = np.empty(n, dtype=np.float32), ZERO
    for row in range(len(rows.numbers)):
        if not rows.rest[row] <= rows.reach[row] or rows.rest[row] == np.inf:
            continue
        i = rows.numbers[row]
        squares = norms[row if len(norms) > 1 else 0]
        bound(dots[row, :n], squares, squares[i], doubt, bounds)
        bounds[i] = np.inf
        for candidate in rows.candidates[row]:
            if candidate >= 0:
                bounds[candidate] = np.inf
        part = slice(row, row + 1)
        one = Rows(
            rows.numbers[part],
            rows.fits[part],
            rows.labels,
            np.empty((1, 1), dtype=np.int64),
            np.empty((1, 1), dtype=np.float32),
            rows.rest[part],
            rows.measured[part],
            rows.reach[part],
            rows.best[part],
            rows.neighbours[part],
        )
        for j in range(len(bounds)):
            if bounds[j] <= rows.reach[row] and bounds[j] < np.inf:
                one.candidates[0, 0], one.bounds[0, 0] = j, bounds[j]
                measure(metric, squares.reshape(1, -1), np.inf, only, one)
                offer(only, one)
