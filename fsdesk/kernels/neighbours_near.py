"""Shortlists of long tables with few columns: which rows may be nearest, by bounds that never leave the cache.

Rows are sorted so that near rows stand near. Each row's leaf gives it a limit, beyond which no neighbour can be; after
that a bound is of use only if it is below the limit of one of its two rows, which few are: most are made, compared
and forgotten, 32 at a time, once for both rows, and where leaves are far apart they are not made at all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, ZERO, inner, lean
from fsdesk.kernels.neighbours_apart import bound_apart, centre_leaves, shift_leaf
from fsdesk.kernels.neighbours_measure import RELATIVE, TINY, Rows
from fsdesk.kernels.neighbours_order import LEAF, boxes_of_leaves, distances_of_boxes, in_leaves, largest

__all__ = ["Near", "list_next", "near_rows"]

_TOGETHER = 16  # leaves that are compared with a row in one loop
_LISTED, _LINE = 32, 8  # rows listed for each neighbour and one more; keys that are looked at together
_LAST = (1 << 63) - 1  # beyond all keys
_HUGE = np.float32(3e38)
_LOOSE, _FEW_LOOSE = 128.0, 16  # limits below so often what bounds are off by, in more than this part of the rows
_NUMBER = (1 << 32) - 1  # the bits of a listed row that say which; those above are its bound's
_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]
Bits = NDArray[np.int32]


class Near(NamedTuple):
    """Shortlists of all rows, by their place in the order of leaves.

    Attributes
    ----------
    rows
        (places,) row at each place, the last one again up to a whole leaf.
    listed, counts
        (places, m) keys of near rows, and their number: bits of the bound, then the row, so that keys have the order
        of bounds.
    due
        (places,) number at which a list is gone through.
    limits
        (places,) no row that is not listed has a bound below this; less than any bound where the list ran over, or
        where no neighbours are wanted.
    labels
        (n, repeats) folds.
    x, weights
        (n, q) rows, and (q,) the largest weight of each column in any fit; or of length 0.
    levels, doubt
        (places,) squared norms, less what a bound can be off for them, which is ``doubt`` of them; for bounds by
        differences less than 0: that alone.
    wanted
        (repeats,) room: neighbours that are still wanted.
    """

    rows: Integers
    listed: Integers
    counts: Integers
    due: Integers
    limits: Single
    labels: Integers
    x: Double
    weights: Double
    levels: Single
    doubt: float
    wanted: Integers


@inner()
def near_rows(
    z: Single,
    norms: Single,
    doubt: float,
    x: Double,
    mean: Double,
    root: Double,
    weights: Double,
    labels: Integers,
    k: int,
) -> tuple[Near, bool]:
    """List the rows that may be among the k nearest of each row in some repeat; False where that does not pay.

    ``z`` are the values ``x``, if these are there, less their (q,) ``mean``, times their (q,) ``root``.
    """
    n, repeats = labels.shape
    order = in_leaves(z, n)
    places, q = -(-n // LEAF) * LEAF, -(-len(z) // 2) * 2
    own = np.zeros((q, places), dtype=np.float32)
    near = Near(
        np.empty(places, dtype=np.int64),
        np.empty((places, _LISTED * (k + 1)), dtype=np.int64),
        np.zeros(places, dtype=np.int64),
        np.full(places, LEAF),
        np.empty(places, dtype=np.float32),
        labels,
        x,
        weights,
        np.full(places, np.inf, dtype=np.float32),
        doubt,
        np.empty(repeats, dtype=np.int64),
    )
    for place in range(places):
        row = order[min(place, n - 1)]
        near.rows[place] = row
        is_wanted = False
        for repeat in range(repeats):
            is_wanted = is_wanted or labels[row, repeat] >= 0
        near.limits[place] = _HUGE if is_wanted and place < n else -np.inf
        if place < n:
            near.levels[place] = norms[0, row] * np.float32(1.0 - RELATIVE - doubt) - np.float32(TINY / 2.0)
    for c in range(len(z)):
        for place in range(places):
            own[c, place] = z[c, near.rows[place]]
    leaves, middles = places // LEAF, np.empty((0, 0))
    lows, highs = np.empty((q, leaves), dtype=np.float32), np.empty((q, leaves), dtype=np.float32)
    boxes_of_leaves(own, lows, highs)
    squares = np.empty(leaves, dtype=np.float32)
    for leaf in range(leaves):
        squares[leaf] = largest(near.levels[leaf * LEAF : (leaf + 1) * LEAF])
    pays, is_loose = _list_leaves(own, middles, near, k)
    if is_loose and len(x):
        middles = centre_leaves(own, near.levels, near.rows, x, mean, root)
        pays, _ = _list_leaves(own, middles, near, k)
    if pays:
        _compare_leaves(own, middles, near, k, lows, highs, squares)
    return near, pays


@inner()
def _list_leaves(z: Single, middles: Double, near: Near, k: int) -> tuple[bool, bool]:
    """Compare rows with those of their leaf; say whether that tells enough, and whether bounds are off by too much.

    A leaf tells little where the weights of the fits differ too much.
    """
    bounds = np.empty((2, LEAF), dtype=np.float32)
    # Of few columns, few other leaves are near.
    crowded, loose, places, many = 0, 0, z.shape[1], LEAF // 2 if len(z) > 2 else LEAF - 2
    for leaf in range(places // LEAF):
        _list_leaf(z, middles, near, leaf, bounds)
    for place in range(places):
        _tighten(near, place, k)
        crowded += near.counts[place] > many
        level = near.levels[place]
        loose += level < np.inf and 0.0 <= near.limits[place] < _LOOSE * near.doubt * level
    return 8 * crowded <= places, _FEW_LOOSE * loose > places


@inner()
def _compare_leaves(z: Single, middles: Double, near: Near, k: int, lows: Single, highs: Single, norms: Single) -> None:
    """Compare each leaf with all later ones that are near enough."""
    leaves = z.shape[1] // LEAF
    bounds, apart = np.empty((2, _TOGETHER * LEAF), dtype=np.float32), np.empty(leaves, dtype=np.float32)
    found, flags = np.empty((2, _TOGETHER), dtype=np.int32), np.empty(LEAF, dtype=np.int32)
    shifted = np.empty((len(middles), _TOGETHER * LEAF), dtype=np.float32)
    bit = np.int64(1)
    for lane in range(LEAF):
        flags[lane] = bit
        bit *= 2
    for leaf in range(leaves):
        distances_of_boxes(lows, highs, leaf, norms, apart)
        own = largest(near.limits[leaf * LEAF : (leaf + 1) * LEAF])
        begin = leaf + 1
        while begin < leaves:
            end = begin
            while end < min(leaves, begin + _TOGETHER) and apart[end] <= max(
                own, largest(near.limits[end * LEAF : (end + 1) * LEAF])
            ):
                end += 1
            if end > begin:
                for other in range(begin, end if len(shifted) else begin):
                    shift_leaf(z, middles, leaf, other, (other - begin) * LEAF, shifted)
                _compare_leaf(z, shifted, near, k, leaf, begin, end, bounds, found, flags)
            begin = max(end, begin + 1)


@lean()
def _list_leaf(z: Single, middles: Double, near: Near, leaf: int, bounds: Single) -> None:
    """List all rows of a leaf for each other."""
    keys, begin, end = bounds.view(np.int32), leaf * LEAF, (leaf + 1) * LEAF
    rows = near.rows[begin:end]
    for place in range(begin, end, 2):
        if len(middles):
            bound_apart(z, place, z, near.levels, place, begin, ZERO, bounds)
        else:
            _bound(z, near.levels, place, begin, end, bounds)
        for side in range(2):
            own, listed = keys[side], near.listed[place + side]
            for lane in range(LEAF):
                listed[lane] = (max(np.int64(own[lane]), np.int64(0)) << 32) | rows[lane]
            last = LEAF - 1
            while begin + last > place + side and near.levels[begin + last] == np.inf:  # the table ends within the leaf
                last -= 1
            listed[place + side - begin] = listed[last]  # a row is never its own neighbour
            near.counts[place + side] = last


@lean()
def _compare_leaf(
    z: Single,
    shifted: Single,
    near: Near,
    k: int,
    leaf: int,
    begin: int,
    end: int,
    bounds: Single,
    found: Bits,
    flags: Bits,
) -> None:
    """Compare the rows of a leaf with those of some later leaves, for each of which they may be ``shifted``."""
    start, stop = begin * LEAF, end * LEAF
    keys = bounds.view(np.int32)
    for place in range(leaf * LEAF, (leaf + 1) * LEAF, 2):
        if len(shifted) == 0:
            _bound(z, near.levels, place, start, stop, bounds)
        for first in range(0, stop - start if len(shifted) else 0, LEAF):
            bound_apart(shifted, first + place % LEAF, z, near.levels, place, start + first, first, bounds)
        _find(near.limits, place, start, stop, bounds, flags, found)
        for block in range(end - begin):
            for side in range(2):
                left = np.uint32(found[side, block])
                while left:
                    low = left & (~left + np.uint32(1))
                    left ^= low
                    lane = block * LEAF + _number(low)
                    key = max(np.int64(keys[side, lane]), np.int64(0)) << 32
                    _list(near, place + side, start + lane, key, k)
                    _list(near, start + lane, place + side, key, k)


@lean()
def _number(bit: np.uint32) -> int:
    """Say which bit is set."""
    return int(np.float32(bit).view(np.int32) >> 23) - 127


@lean(fastmath=_FAST)
def _bound(z: Single, levels: Single, i: int, start: int, stop: int, out: Single) -> None:
    """Bound the squared distances of two rows to some others from below."""
    twice, q = np.float32(-2.0 * (1.0 - RELATIVE)), len(z)
    own, other, many = out[0, : stop - start], out[1, : stop - start], stop - start
    mine, his = levels[i], levels[i + 1]
    first, second, theirs = z[0, start:stop], z[1, start:stop], levels[start:stop]
    a, b, f, g = twice * z[0, i], twice * z[1, i], twice * z[0, i + 1], twice * z[1, i + 1]
    for place in range(many):
        own[place] = (theirs[place] + mine) + a * first[place] + b * second[place]
        other[place] = (theirs[place] + his) + f * first[place] + g * second[place]
    for c in range(2, q - 3, 4):
        a, b, d, e = twice * z[c, i], twice * z[c + 1, i], twice * z[c + 2, i], twice * z[c + 3, i]
        f, g, h, k = twice * z[c, i + 1], twice * z[c + 1, i + 1], twice * z[c + 2, i + 1], twice * z[c + 3, i + 1]
        first, second = z[c, start:stop], z[c + 1, start:stop]
        third, fourth = z[c + 2, start:stop], z[c + 3, start:stop]
        for place in range(many):
            own[place] += a * first[place] + b * second[place] + d * third[place] + e * fourth[place]
            other[place] += f * first[place] + g * second[place] + h * third[place] + k * fourth[place]
    if q % 4 == 0:
        first, second = z[q - 2, start:stop], z[q - 1, start:stop]
        a, b, f, g = twice * z[q - 2, i], twice * z[q - 1, i], twice * z[q - 2, i + 1], twice * z[q - 1, i + 1]
        for place in range(many):
            own[place] += a * first[place] + b * second[place]
            other[place] += f * first[place] + g * second[place]


@lean()
def _find(limits: Single, i: int, start: int, stop: int, bounds: Single, flags: Bits, found: Bits) -> None:
    """Flag the bounds that are below the limit of either row."""
    mine, his = limits[i], limits[i + 1]
    for block in range((stop - start) // LEAF):
        own, other = bounds[0, block * LEAF : (block + 1) * LEAF], bounds[1, block * LEAF : (block + 1) * LEAF]
        theirs = limits[start + block * LEAF : start + (block + 1) * LEAF]
        left, right = np.int32(0), np.int32(0)
        for lane in range(LEAF):
            left |= flags[lane] if own[lane] <= max(mine, theirs[lane]) else np.int32(0)
            right |= flags[lane] if other[lane] <= max(his, theirs[lane]) else np.int32(0)
        found[0, block], found[1, block] = left, right


@lean()
def _list(near: Near, place: int, other: int, key: np.int64, k: int) -> None:
    """List a row if it is within the limit."""
    if (key >> 32) > _bits(near.limits[place]):
        return
    count = near.counts[place]
    near.listed[place, count] = key | near.rows[other]
    near.counts[place] = count + 1
    if count + 1 == near.due[place]:
        _tighten(near, place, k)


@lean()
def _bits(value: np.float32) -> np.int64:
    """Bits of a number: those of numbers that are not negative have their order."""
    return np.int64(np.float32(value).view(np.int32))


@lean()
def _tighten(near: Near, place: int, k: int) -> None:
    """Lower a row's limit to what its list says, and drop those beyond."""
    row, own, count, labels, wanted = near.rows[place], near.listed[place], near.counts[place], near.labels, near.wanted
    missing, limit, key, mine = 0, 0.0, MINUS_ONE, labels[row]
    for repeat in range(len(wanted)):
        wanted[repeat] = k if mine[repeat] >= 0 else 0
        missing += wanted[repeat]
    _end(own, count)
    while missing > 0:
        key = _next(own, count, key)
        if key == _LAST:
            break
        theirs, trains = labels[key & _NUMBER], ZERO
        for repeat in range(len(wanted)):
            one = np.int64(wanted[repeat] > 0) & np.int64(mine[repeat] != theirs[repeat])
            wanted[repeat] -= one
            trains += one
        missing -= trains
        if trains > 0:
            limit = max(limit, _farthest(near, place, key))
    if missing == 0:
        near.limits[place] = min(near.limits[place], np.float32(limit * (1.0 + RELATIVE)))
        most, kept = _bits(near.limits[place]), 0
        for position in range(count):
            key = own[position]
            own[kept] = key
            kept += (key >> 32) <= most
        near.counts[place] = kept
    count = near.counts[place]
    near.due[place] = min(max(LEAF, 2 * count), len(own))
    if 2 * count > len(own):  # it would be gone through again and again
        near.limits[place], near.counts[place] = -np.inf, 0


@lean()
def list_next(near: Near, places: Integers, place: int, rows: Rows) -> None:
    """Write down the next row of each list, in the order of bounds, for rows whose last one was within reach."""
    for row in range(len(rows.reach)):
        own, count, key = near.listed[places[row]], near.counts[places[row]], MINUS_ONE
        if place == 0:
            _end(own, count)
        elif rows.bounds[row, place - 1] <= rows.reach[row] and rows.candidates[row, place - 1] >= 0:
            key = (_bits(rows.bounds[row, place - 1]) << 32) | rows.candidates[row, place - 1]
        else:
            count = 0
        key = _next(own, count, key)
        rows.candidates[row, place] = key & _NUMBER if key != _LAST else -1
        rows.bounds[row, place] = np.int32(key >> 32).view(np.float32) if key != _LAST else np.inf


@lean()
def _end(keys: Integers, count: int) -> None:
    """Fill the last line of some keys."""
    for position in range(count, -(-count // _LINE) * _LINE):
        keys[position] = _LAST


@lean()
def _next(keys: Integers, count: int, key: np.int64) -> np.int64:
    """Find the smallest of some keys above one; looks at whole lines."""
    smallest = np.int64(_LAST)
    for position in range(-(-count // _LINE) * _LINE):
        smallest = min(smallest, keys[position] if keys[position] > key else np.int64(_LAST))
    return smallest


@lean()
def _farthest(near: Near, place: int, key: np.int64) -> float:
    """Bound the distance to a listed row from above, in any fit."""
    row, other = near.rows[place], key & _NUMBER
    if len(near.weights) == 0:
        bound = float(np.int32(key >> 32).view(np.float32))
        squares = 5.0 * near.levels[place] + 3.0 * bound  # the other row is no farther from the middle
        return float(bound * (1.0 + 3.0 * RELATIVE) + 2.0 * near.doubt * squares + 4.0 * TINY)
    total = 0.0
    for c in range(len(near.weights)):
        difference = near.x[row, c] - near.x[other, c]
        total += difference * difference * near.weights[c]
    return total
