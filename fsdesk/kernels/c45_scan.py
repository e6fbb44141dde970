"""The best cut of one numeric feature among the rows of a node, where every row weighs 1.

Scores are sums of x log2 x over the class counts of both sides of a cut, less that of both sides' totals: N times the
negative entropy that is left after it, so that of two cuts of one node the larger score gains more.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_logs import Logs
from fsdesk.kernels.c45_table import Entries, Floats, Integers, below_common
from fsdesk.kernels.compiling import lean

__all__ = [
    "BLOCK",
    "MOVED",
    "SCORES",
    "SIDES",
    "Cut",
    "Gains",
    "best_scored_cut",
    "best_unit_cut",
    "gains_of",
    "score_two",
]

MOVED, SIDES, SCORES, SPOT = 0, 2, 4, 6  # rows of ``Gains.units``
_NEXT = 2  # rows of ``Gains.rows`` to work with, from this one on
_NONE = -(1 << 62)  # below all scores
BLOCK = 16  # places of a list that are looked at together, so that none is left over
_NEXT_PLACE: Any = np.uint64(1)


class Cut(NamedTuple):
    """The best cut of a column.

    Attributes
    ----------
    score
        Of the cut; has no meaning where there is none. In units of ``Logs.unit`` where all rows weigh 1.
    below
        How many of the sorted rows are below it; 0 where there is no cut that gains.
    cuts
        How many cuts were possible.
    weight
        Of the rows below it.
    """

    score: float
    below: int
    cuts: int
    weight: float


class Gains(NamedTuple):
    """What cuts gain where all rows weigh 1, looked up instead of computed, in units of ``Logs.unit``.

    There are two sets, the second for columns with gaps. Few arrays: each that is handed on takes time to compile.

    Attributes
    ----------
    rows
        (4, classes) where the part of each class begins among the numbers of ``MOVED``, for both sets; then to work
        with.
    units
        (7, n + 1 + ``BLOCK``) from ``MOVED`` on, for both sets, by class and row of the class: what the score grows by
        when this row goes from above the cut to below. From ``SIDES`` on: x log2 x of both sides' totals, by the number
        of rows below. From ``SCORES`` on two, and ``SPOT``, to work with.
    """

    rows: NDArray[np.uint64]
    units: Integers


@lean()
def gains_of(counts: Floats, logs: Logs, gains: Gains, part: int) -> int:
    """Fill in a set of ``gains`` for rows of these class counts; their own score, that of no cut."""
    total, start, score = 0, 0, 0
    moved, sides = gains.units[MOVED + part], gains.units[SIDES + part]
    for each in range(len(counts)):
        size = int(counts[each])
        gains.rows[part, each] = start
        own, steps = moved[start : start + size], logs.step[:size]
        for below in range(size):
            own[below] = steps[below] - steps[np.uint64(size - 1 - below)]
        score += logs.whole[size]
        start += size
        total += size
    whole, both = logs.whole[: total + 1], sides[: total + 1]
    for below in range(total + 1):
        both[below] = whole[below] + whole[np.uint64(total - below)]
    return int(score)


@lean()
def best_unit_cut(
    entries: Entries,
    hidden: int,
    common: int,
    class_shift: int,
    rank_shift: int,
    gains: Gains,
    score: int,
    low: int,
    tolerance: int,
) -> Cut:
    """Best cut where every row weighs 1: the first of those that no other to its right beats by more than a tolerance.

    Between rows of one value there is no cut, so that those of a common one need not be listed. The score grows by the
    same numbers, be the sides filled from below or from above: so it does up to the hidden rows, and down to them.

    Parameters
    ----------
    entries, class_shift, rank_shift
        (m,) sorted rows, as in :class:`fsdesk.kernels.c45_table.Table`.
    hidden, common
        How many rows of one value are not listed, and its rank.
    score
        Score of no cut.
    low
        Fewest rows on either side, at least 1; at most half of the rows.
    """
    here, moved, sides = gains.rows[_NEXT], gains.units[MOVED], gains.units[SIDES]
    for group in range(len(here)):
        here[group] = gains.rows[0, group]
    kinds, rank, spot = (1 << (rank_shift - class_shift)) - 1, 1 << rank_shift, gains.units[SPOT]
    best, spot[0], own, last = score - sides[0] + tolerance, 0, score, common << rank_shift
    lower, high = below_common(entries, hidden, common, rank_shift), len(entries) + hidden - low
    stop = lower if lower <= high else high
    for place in range(stop):
        # Unsigned numbers spare a check for places counted from the end.
        entry = np.int64(entries[np.uint64(place)])
        kind = np.uint64((entry >> class_shift) & kinds)
        row = here[kind]
        here[kind] = row + np.uint64(1)
        own += moved[row]
        candidate = own - sides[np.uint64(place + 1)]
        # Whether this is a cut is asked last: seldom is a score so large.
        if candidate > best and place + 1 >= low:
            upper = np.int64(entries[np.uint64(place + 1)]) if place + 1 < lower else last
            if upper ^ entry >= rank:
                best = candidate + tolerance
                spot[0] = place + 1  # in memory: so that it stays a branch
    if lower < len(entries):
        best = _best_above(entries, hidden, lower, last, class_shift, rank, gains, score, low, best, tolerance)
    below, cuts = spot[0], 0
    if below > 0:
        stop += int(lower > high)
        if stop > low:
            under, over = entries[low - 1 : stop - 1], entries[low:stop]
            for index in range(len(under)):
                cuts += int(np.int64(under[index] ^ over[index]) >= rank)
        if hidden > 0:
            cuts += int(low <= lower <= high) + int(low <= lower + hidden <= high)
            for place in range(lower + 1, len(entries)):
                is_cut = np.int64(entries[np.uint64(place - 1)] ^ entries[np.uint64(place)]) >= rank
                cuts += int(is_cut & (low <= place + hidden) & (place + hidden <= high))
    return Cut(best - tolerance, below, cuts, float(below))


@lean()
def _best_above(
    entries: Entries,
    hidden: int,
    lower: int,
    common: int,
    class_shift: int,
    rank: int,
    gains: Gains,
    score: int,
    low: int,
    best: int,
    tolerance: int,
) -> int:
    """Go on from what is best among the cuts below the hidden rows; ``common`` is their rank as entries have it."""
    there, moved, sides = gains.rows[_NEXT], gains.units[MOVED], gains.units[SIDES]
    for group in range(len(there)):
        there[group] = gains.rows[0, group]
    scores, kinds = gains.units[SCORES], (rank >> class_shift) - 1
    for back in range(1, len(entries) - lower + 1):
        index = np.uint64(len(entries) - back)
        kind = np.uint64((np.int64(entries[index]) >> class_shift) & kinds)
        row = there[kind]
        there[kind] = row + np.uint64(1)
        score += moved[row]
        scores[index] = score
    last = np.int64(common)
    for place in range(lower, len(entries) - low + 1):
        entry, count = np.int64(entries[np.uint64(place)]), place + hidden
        candidate = scores[np.uint64(place)] - sides[np.uint64(count)]
        if candidate > best and low <= count and entry ^ last >= rank:
            best, gains.units[SPOT, 0] = candidate + tolerance, count
        last = entry
    return best


@lean()
def score_two(
    one: Entries, other: Entries, class_shift: int, rank_shift: int, score: int, low: int, gains: Gains, part: int
) -> None:
    """Fill in the scores of all places of two columns: while one waits for its last count, the other works."""
    here, there, moved = gains.rows[_NEXT], gains.rows[_NEXT + 1], gains.units[MOVED + part]
    for group in range(len(here)):
        here[group] = there[group] = gains.rows[part, group]
    scores, others, second = gains.units[SCORES], gains.units[SCORES + 1], score
    kinds = (1 << (rank_shift - class_shift)) - 1
    for index in range(len(one) - low):
        kind = np.uint64((np.int64(one[np.uint64(index)]) >> class_shift) & kinds)
        kind_there = np.uint64((np.int64(other[np.uint64(index)]) >> class_shift) & kinds)
        row = here[kind]
        here[kind] = row + np.uint64(1)
        score += moved[row]
        row = there[kind_there]
        there[kind_there] = row + np.uint64(1)
        second += moved[row]
        scores[np.uint64(index)], others[np.uint64(index)] = score, second


@lean()
def best_scored_cut(
    entries: Entries, scores: Integers, sides: Integers, rank: int, low: int, floor: int, tolerance: int
) -> Cut:
    """As :func:`best_unit_cut` where no row is hidden, from the scores: the largest is found without branches.

    Parameters
    ----------
    entries, scores, sides
        They go on for ``BLOCK`` numbers of any kind.
    scores
        (m - low,) after each row; written over.
    rank
        From which number on two entries differ by more than class and row.
    floor
        What a score must exceed.
    """
    count = len(entries) + 1 - 2 * low
    padded, first = (count + BLOCK - 1) & -BLOCK, np.uint64(low - 1)
    best, cuts = _NONE, 0
    for index in range(padded):
        place = first + np.uint64(index)
        is_cut = (np.int64(entries[place] ^ entries[place + _NEXT_PLACE]) >= rank) & (index < count)
        candidate = scores[place] - sides[place + _NEXT_PLACE]
        candidate = candidate if is_cut else _NONE
        scores[place] = candidate
        best = max(best, candidate)
        cuts += int(is_cut)
    if best <= floor:
        return Cut(best, 0, cuts, 0.0)
    # All before the first that is within twice the tolerance of the largest are beaten by it.
    spot, near = padded, best - 2 * tolerance
    for index in range(padded):
        spot = min(spot, index if scores[first + np.uint64(index)] >= near else padded)
    candidate = scores[first + np.uint64(spot)]
    if candidate < best - tolerance or candidate <= floor:  # left open
        best = floor
        for index in range(count):
            if scores[first + np.uint64(index)] > best:
                spot, best = index, scores[first + np.uint64(index)] + tolerance
        candidate = best - tolerance
    return Cut(candidate, spot + low, cuts, float(spot + low))
