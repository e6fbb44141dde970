"""The best cut of one numeric feature among the rows of a node, where every row weighs 1.

Scores are sums of x log2 x over the class counts of both sides of a cut, less that of both sides' totals: N times the
negative entropy that is left after it, so that of two cuts of one node the larger score gains more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_logs import Logs
from fsdesk.kernels.c45_table import Entries, Floats, Integers
from fsdesk.kernels.compiling import lean

__all__ = ["Cut", "Gains", "best_scored_cut", "best_unit_cut", "gains_of", "score_two"]

_NONE = -(1 << 62)  # below all scores


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

    There are two sets, the second for columns with gaps.

    Attributes
    ----------
    first
        (2, classes) where the part of each class begins in ``moved``.
    moved
        (2, n) by class and row of the class: what the score grows by when this row goes from above the cut to below.
    sides
        (2, n + 1) x log2 x of both sides' totals, by the number of rows below.
    next_row, scores, spot
        (2, classes), (2, n), (1,) to work with.
    """

    first: NDArray[np.uint64]
    moved: Integers
    sides: Integers
    next_row: NDArray[np.uint64]
    scores: Integers
    spot: Integers


@lean()
def gains_of(counts: Floats, logs: Logs, gains: Gains, part: int) -> int:
    """Fill in a set of ``gains`` for rows of these class counts; their own score, that of no cut."""
    total, start, score = 0, 0, 0
    for each in range(len(counts)):
        size = int(counts[each])
        gains.first[part, each] = start
        for below in range(size):
            gains.moved[part, start + below] = logs.step[below] - logs.step[size - 1 - below]
        score += logs.whole[size]
        start += size
        total += size
    for below in range(total + 1):
        gains.sides[part, below] = logs.whole[below] + logs.whole[total - below]
    return int(score)


@lean()
def best_unit_cut(
    entries: Entries, class_shift: int, rank_shift: int, gains: Gains, part: int, score: int, low: int, tolerance: int
) -> Cut:
    """Best cut where every row weighs 1: the first of those that no other to its right beats by more than a tolerance.

    Parameters
    ----------
    entries, class_shift, rank_shift
        (m,) sorted rows, as in :class:`fsdesk.kernels.c45_table.Table`.
    gains, part
        Which set of them.
    score
        Score of no cut.
    low
        Fewest rows on either side, at least 1; at most half of the rows.
    """
    next_row, moved, sides = gains.next_row[0], gains.moved[part], gains.sides[part]
    for group in range(len(next_row)):
        next_row[group] = gains.first[part, group]
    kinds, rank = (1 << (rank_shift - class_shift)) - 1, 1 << rank_shift
    best, gains.spot[0] = score - sides[0] + tolerance, 0
    for index in range(len(entries) - low):
        # Unsigned numbers spare a check for places counted from the end.
        entry = np.int64(entries[np.uint64(index)])
        kind = np.uint64((entry >> class_shift) & kinds)
        row = next_row[kind]
        next_row[kind] = row + np.uint64(1)
        score += moved[row]
        candidate = score - sides[np.uint64(index + 1)]
        # Whether this is a cut is asked last: seldom is a score so large.
        if candidate > best and index + 1 >= low and np.int64(entries[np.uint64(index + 1)]) ^ entry >= rank:
            best = candidate + tolerance
            gains.spot[0] = index + 1  # in memory: so that it stays a branch
    below, cuts = gains.spot[0], 0
    if below > 0:
        lower, upper = entries[low - 1 : len(entries) - low], entries[low : len(entries) - low + 1]
        for index in range(len(lower)):
            cuts += int(np.int64(lower[index] ^ upper[index]) >= rank)
    return Cut(best - tolerance, below, cuts, float(below))


@lean()
def score_two(
    one: Entries, other: Entries, class_shift: int, rank_shift: int, score: int, low: int, gains: Gains
) -> None:
    """Fill in the scores of all places of two columns: while one waits for its last count, the other works."""
    here, there, moved, kinds = (
        gains.next_row[0],
        gains.next_row[1],
        gains.moved[0],
        (1 << (rank_shift - class_shift)) - 1,
    )
    for group in range(len(here)):
        here[group] = there[group] = gains.first[0, group]
    scores, others, second = gains.scores[0], gains.scores[1], score
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
    """As :func:`best_unit_cut`, from the scores; -1 rows below where the tolerance leaves it open.

    Parameters
    ----------
    scores
        (m - low,) after each row.
    rank
        From which number on two entries differ by more than class and row.
    floor
        What a score must exceed.
    """
    lower, upper = entries[low - 1 : len(entries) - low], entries[low : len(entries) - low + 1]
    own, both = scores[low - 1 : len(entries) - low], sides[low : len(entries) - low + 1]
    best, cuts = _NONE, 0
    for index in range(len(lower)):
        is_cut = np.int64(lower[index] ^ upper[index]) >= rank
        candidate = own[index] - both[index]
        best = max(best, candidate if is_cut else _NONE)
        cuts += int(is_cut)
    if best <= floor:
        return Cut(best, 0, cuts, 0.0)
    # All before the first that is within twice the tolerance of the largest are beaten by it.
    for index in range(len(lower)):
        candidate = own[np.uint64(index)] - both[np.uint64(index)]
        if candidate >= best - 2 * tolerance and np.int64(lower[index] ^ upper[index]) >= rank:
            if candidate < best - tolerance or candidate <= floor:
                break
            return Cut(candidate, index + low, cuts, float(index + low))
    return Cut(best, -1, cuts, 0.0)
