"""Neighbours in tables where many rows are alike: counts, categories, answers to questionnaires, columns mostly 0.

No bound tells equal rows apart: each would have to be measured from all others. Here rows alike are one group. Most
rows find their neighbours among their own group, without any distance; for the others, groups are compared, one row
of each, and all rows of a near one are offered together.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, ONE, ZERO, inner, lean, merged
from fsdesk.kernels.gaps import known
from fsdesk.kernels.neighbours_measure import TOGETHER, Metric, Rows, measure
from fsdesk.kernels.vectors import aligned_zeros, prefer_long_vectors

__all__ = ["Alike", "grouped", "may_be_alike", "search_alike"]

_ALIKE = 2.0  # from so many rows alike on, in the mean over rows, groups pay
_LOOK, _SHARE = 48, 16  # rows that are looked at first, at least, and as a part of all
_BLOCK = 64  # bounds whose smallest one is known
_TOGETHER: Any = np.int64(4)  # groups whose bounds are made together; no plain number: see compiling.py
_LINE = 8  # numbers in a line of the cache
_BATCH = 4  # groups that are measured together
_SPREAD: Any = np.int64(0x2545F4914F6CDD1D)  # an odd number whose products spread over all bits
_NO_VALUE = np.int64(0x7FF8000000000001)
_NONE = np.int64(0x7FF0000000000000)  # the bits of infinity
_SURE = 1.0 - 1e-9  # bounds and distances are rounded
_SMALLEST = 1e-290  # no product above it has lost digits

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


class Alike(NamedTuple):
    """Groups of rows that have the same values in all chosen columns.

    Attributes
    ----------
    rows
        (n,) rows, group after group, ascending in each.
    starts
        (groups + 1,) where each begins.
    """

    rows: Integers
    starts: Integers


@merged
def may_be_alike(metric: Metric, alike: Double, steps: Double) -> bool:
    """Say whether each column has many rows alike, and no difference between two values vanishes in a distance.

    Parameters
    ----------
    alike, steps
        (p,) in each column, how many rows have a row's value, in the mean over rows; the smallest difference of two
        values.
    """
    chosen, weights, factors = metric.chosen, metric.weights, metric.factors
    for place in range(len(chosen)):
        if alike[chosen[place]] < _ALIKE:
            return False
    for place in range(len(chosen)):
        least = np.inf
        for fit in range(len(weights)):
            least = min(least, weights[fit, place])
        square, times = steps[chosen[place]] * steps[chosen[place]], factors[place]
        if not min(min(square, square * times), min(least * times, square * times * least)) >= _SMALLEST:
            return False
    return True


@inner()
def grouped(metric: Metric, n: int) -> tuple[Alike, bool]:
    """Group the rows that are alike; False where these are too few to pay. A look at some rows comes first."""
    size = 2
    while size < 2 * n:
        size *= 2
    slots, keys, group = np.empty(size, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    first, count, step = np.empty(n, dtype=np.int64), 0, max(1, n // max(_LOOK, n // _SHARE))
    while step > 0:
        slots[:] = -1
        count = 0
        for start in range(0, n, step):
            row = min(start + ((start * _SPREAD) >> 33) % step, n - 1)  # not evenly: tables may have a rhythm
            key = _key(metric, row)
            slot = key & (size - 1)
            while slots[slot] >= 0 and not (
                keys[first[slots[slot]]] == key and _are_alike(metric, first[slots[slot]], row)
            ):
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot], first[count] = count, row
                count += 1
            keys[row], group[row] = key, slots[slot]
        if count * step >= n:
            return Alike(first, slots), False
        step = 1 if step > 1 else 0
    starts, rows, total = np.zeros(count + 2, dtype=np.int64), np.empty(n, dtype=np.int64), 0.0
    for row in range(n):
        starts[group[row] + 2] += 1
    for place in range(count):
        total += float(starts[place + 2]) * float(starts[place + 2])
        starts[place + 2] += starts[place + 1]
    for row in range(n):
        rows[starts[group[row] + 1]] = row
        starts[group[row] + 1] += 1
    return Alike(rows, starts[: count + 1]), total >= _ALIKE * n


@lean()
def _key(metric: Metric, row: int) -> np.int64:
    """Make a number that rows alike share, and others hardly ever."""
    key: np.int64 = ZERO
    for place in range(len(metric.chosen)):
        column = metric.chosen[place]
        key = _stirred(key, known(metric.columns[column, row], metric.once[column]))
    for place in range(metric.gaps.shape[1]):
        key = _stirred(key, metric.gaps[row, place])
    return key


@lean()
def _stirred(key: np.int64, value: float) -> np.int64:
    number = np.float64(value + 0.0).view(np.int64)  # of -0 and 0, one
    key = (key ^ (_NO_VALUE if np.isnan(value) else number)) * _SPREAD
    return np.int64(key ^ (key >> 32) ^ (key >> 50))  # whole numbers differ in their highest bits alone


@lean()
def _are_alike(metric: Metric, i: int, j: int) -> bool:
    for place in range(len(metric.chosen)):
        column = metric.chosen[place]
        if known(metric.columns[column, i], metric.once[column]) != known(
            metric.columns[column, j], metric.once[column]
        ):
            return False
    for place in range(metric.gaps.shape[1]):
        a, b = metric.gaps[i, place], metric.gaps[j, place]
        if a != b and not (np.isnan(a) and np.isnan(b)):
            return False
    return True


@inner()
def search_alike(metric: Metric, labels: Integers, folds: int, alike: Alike, neighbours: Integers) -> None:
    """Search the neighbours of all rows among groups of rows alike.

    Parameters
    ----------
    labels
        (n, repeats) folds.
    neighbours
        (n, repeats, k), all -1; filled in with training rows, nearest first, ties to the lowest.
    """
    repeats, k = neighbours.shape[1:]
    groups, count = _small_first(metric, labels, alike, neighbours)
    rows, starts = groups.rows, groups.starts
    values, weights = _one_of_each(metric, groups, count)
    bounds = aligned_zeros(_TOGETHER, values.shape[1] // _LINE).view(np.float64)
    least = np.empty((_TOGETHER, values.shape[1] // _BLOCK), dtype=np.int64)
    lanes, wanted = np.full(repeats * folds, MINUS_ONE), np.empty(repeats * folds, dtype=np.int64)
    nothing = np.zeros((1, len(labels)), dtype=np.float32)  # no bound is taken for a distance
    for group in range(count):
        own = rows[starts[group] : starts[group + 1]]
        many = _list_fits(own, labels, folds, neighbours, lanes, wanted)
        found = np.full((many, k), MINUS_ONE)
        # As elsewhere: in one repeat a fit is measured alone, which may round otherwise.
        step = ONE if repeats == 1 else many
        for start in range(0, many, step):
            some, place = slice(start, start + step), group % _TOGETHER
            if start > 0:
                _bound(values, weights, group, len(starts) - 1, bounds[place : place + 1], least[place : place + 1])
            elif place == 0:
                _bound(values, weights, group, len(starts) - 1, bounds, least)
            own_bounds, smallest = bounds[place], least[place]
            _search_fits(metric, groups, group, labels, folds, wanted[some], own_bounds, smallest, nothing, found[some])
        _note(own, labels, folds, lanes, found, neighbours)
        for lane in range(many):
            lanes[wanted[lane]] = -1


@lean()
def _list_fits(
    own: Integers, labels: Integers, folds: int, neighbours: Integers, lanes: Integers, wanted: Integers
) -> int:
    """List the fits that test rows whose neighbours are not known yet, each once; return how many."""
    many, last = 0, neighbours.shape[2] - 1
    for row in own:
        for repeat in range(labels.shape[1]):
            fit = repeat * folds + labels[row, repeat]
            if labels[row, repeat] >= 0 and neighbours[row, repeat, last] < 0 and lanes[fit] < 0:
                lanes[fit], wanted[many] = many, fit
                many += 1
    return many


@lean()
def _note(own: Integers, labels: Integers, folds: int, lanes: Integers, found: Integers, neighbours: Integers) -> None:
    """Note what was found for each row whose neighbours are not known yet."""
    last = neighbours.shape[2] - 1
    for row in own:
        for repeat in range(labels.shape[1]):
            fit = repeat * folds + labels[row, repeat]
            if labels[row, repeat] >= 0 and neighbours[row, repeat, last] < 0:
                for place in range(last + 1):
                    neighbours[row, repeat, place] = found[lanes[fit], place]


@merged
def _small_first(metric: Metric, labels: Integers, alike: Alike, neighbours: Integers) -> tuple[Alike, int]:
    """Take rows' neighbours from their own group; put those groups first that are too small for one of their rows."""
    repeats, k, count = neighbours.shape[1], neighbours.shape[2], ZERO
    rows, starts = np.empty(len(alike.rows), dtype=np.int64), np.empty(len(alike.starts), dtype=np.int64)
    is_small = np.zeros(len(alike.starts), dtype=np.bool_)
    for group in range(len(alike.starts) - 1):
        for row in alike.rows[alike.starts[group] : alike.starts[group + 1]]:
            for repeat in range(repeats):
                label, found, place = labels[row, repeat], ZERO, alike.starts[group]
                # Where a gap is filled, rows may be at no distance that are not alike.
                while metric.gaps.shape[1] == 0 and label >= 0 and found < k and place < alike.starts[group + 1]:
                    if labels[alike.rows[place], repeat] != label:
                        neighbours[row, repeat, found] = alike.rows[place]
                        found += 1
                    place += 1
                is_small[group] |= label >= 0 and found < k
        count += is_small[group]
    ends, first, last = ZERO, ZERO, count
    for is_next in (True, False):
        for group in range(len(alike.starts) - 1):
            if is_small[group] == is_next:
                starts[first] = ends
                first += 1
                for place in range(alike.starts[group], alike.starts[group + 1]):
                    rows[ends] = alike.rows[place]
                    ends += 1
    starts[first] = ends
    return Alike(rows, starts), last


@merged
def _one_of_each(metric: Metric, groups: Alike, count: int) -> tuple[Double, Double]:
    """(q, groups) values of a row of each up to a whole block, and (q,) least weights; nothing if ``count`` is 0.

    If q is odd, a column of no weight is added.
    """
    many, q = len(groups.starts) - 1 if count else ZERO, len(metric.chosen)
    weights, lines = np.zeros(q + q % 2), -(-many // _BLOCK) * _BLOCK // _LINE
    values = aligned_zeros(len(weights), lines).view(np.float64)
    for column in range(q):
        weights[column] = np.inf
        for fit in range(len(metric.weights)):
            weights[column] = min(weights[column], metric.weights[fit, column])
        weights[column] *= metric.factors[column] * _SURE
    for place in range(values.shape[1]):
        row = groups.rows[groups.starts[min(place, many - 1)]]
        for column in range(q):
            chosen = metric.chosen[column]
            values[column, place] = known(metric.columns[chosen, row], metric.once[chosen])
    return values, weights


@lean(fastmath={"contract"})
def _bound(values: Double, weights: Double, group: int, many: int, bounds: Double, least: Integers) -> None:
    """Bound the squared distances of some groups to all groups in any fit; find the smallest bits of each block."""
    prefer_long_vectors()
    keys = bounds.view(np.int64)  # numbers that are not negative have the order of their bits
    for block in range(least.shape[1]):
        start, end = block * _BLOCK, (block + 1) * _BLOCK
        for place in range(len(bounds)):
            out, each = bounds[place, start:end], min(group + place, many - 1)
            for lane in range(_BLOCK):
                out[lane] = 0.0
            for column in range(0, len(values), 2):
                first, second = values[column, start:end], values[column + 1, start:end]
                a, b, v, w = values[column, each], values[column + 1, each], weights[column], weights[column + 1]
                for lane in range(_BLOCK):
                    c, d = a - first[lane], b - second[lane]
                    out[lane] = out[lane] + c * c * v + d * d * w
            for lane in range(many - start, _BLOCK):
                out[lane] = np.inf
            least[place, block] = _smallest(keys[place, start:end])


@lean()
def _smallest(keys: Integers) -> np.int64:
    result = _NONE
    for place in range(len(keys)):
        result = min(result, keys[place])
    return result


@merged
def _search_fits(
    metric: Metric,
    groups: Alike,
    group: int,
    labels: Integers,
    folds: int,
    wanted: Integers,
    bounds: Double,
    least: Integers,
    nothing: Single,
    found: Integers,
) -> None:
    """Search a group's neighbours in some fits."""
    many, k = found.shape
    lanes = 1 if labels.shape[1] == 1 else -(-many // TOGETHER) * TOGETHER
    fits, best = np.empty((_BATCH, lanes), dtype=np.int64), np.full((many, k), np.inf)
    for row in range(_BATCH):
        for lane in range(lanes):
            fits[row, lane] = wanted[min(lane, many - 1)]
    rows = Rows(
        np.full(_BATCH, groups.rows[groups.starts[group]]),
        fits,
        labels,
        np.full((_BATCH, 1), MINUS_ONE),
        np.zeros((_BATCH, 1), dtype=np.float32),  # whoever is taken is measured
        np.empty(_BATCH, dtype=np.float32),
        np.empty((_BATCH, lanes)),
        np.full(_BATCH, np.inf),
        best.reshape(many, 1, k),
        found.reshape(many, 1, k),
    )
    taken, reach = np.empty(_BATCH, dtype=np.int64), np.inf
    count = _take(bounds, least, reach, taken)
    while count > 0:
        for candidate in range(_BATCH):
            rows.candidates[candidate, 0] = groups.rows[groups.starts[taken[candidate]]] if candidate < count else -1
        measure(metric, nothing, np.inf, ZERO, rows)
        for candidate in range(count):
            theirs = groups.rows[groups.starts[taken[candidate]] : groups.starts[taken[candidate] + 1]]
            reach = _offer_group(theirs, rows.measured[candidate], labels, folds, wanted, best, found)
        count = _take(bounds, least, reach, taken)


@lean()
def _take(bounds: Double, least: Integers, reach: float, taken: Integers) -> int:
    """Take the groups with the smallest bounds, if within reach; return how many."""
    count, keys = 0, bounds.view(np.int64)
    while count < len(taken):
        smallest, block = _smallest(least), 0
        while least[block] != smallest:
            block += 1
        place = block * _BLOCK
        while keys[place] != smallest:
            place += 1
        if not bounds[place] <= reach or smallest == _NONE:
            break
        taken[count] = place
        count += 1
        keys[place] = _NONE
        least[block] = _smallest(keys[block * _BLOCK : (block + 1) * _BLOCK])
    return count


@lean()
def _offer_group(
    theirs: Integers, measured: Double, labels: Integers, folds: int, wanted: Integers, best: Double, found: Integers
) -> float:
    """Offer the rows of a group to each fit that trains on them; return the largest distance that is still of use."""
    reach, last = -np.inf, found.shape[1] - 1
    for lane in range(len(found)):
        distance, repeat, fold = measured[lane], wanted[lane] // folds, wanted[lane] % folds
        for row in theirs:  # none that comes later is nearer
            if not (distance < best[lane, last] or (distance == best[lane, last] and row < found[lane, last])):
                break
            if labels[row, repeat] == fold:
                continue
            spot = last
            while spot > 0 and (
                distance < best[lane, spot - 1] or (distance == best[lane, spot - 1] and row < found[lane, spot - 1])
            ):
                best[lane, spot], found[lane, spot] = best[lane, spot - 1], found[lane, spot - 1]
                spot -= 1
            best[lane, spot], found[lane, spot] = distance, row
        reach = max(reach, best[lane, last])
    return reach
