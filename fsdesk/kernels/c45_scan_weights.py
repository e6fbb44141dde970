"""The best cut of one numeric feature where rows have weights: their values are unknown, or classes weigh the same."""

from typing import NamedTuple

import numpy as np

from fsdesk.kernels.c45_logs import plogp
from fsdesk.kernels.c45_scan import Cut
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, below_common
from fsdesk.kernels.compiling import MINUS_ONE, ONE, ZERO, lean

__all__ = ["COUNTS", "KNOWN_TERMS", "Sides", "best_weighted_cut"]

COUNTS, KNOWN_TERMS = 3, 4  # rows of ``Sides.sums``


class Sides(NamedTuple):
    """What changes on the way of a cut up or down the sorted rows; few arrays, as each takes time to compile.

    Attributes
    ----------
    sums
        (5, classes) for each class: its weight on the side that grows, on the other, and x log2 x of both, together.
        Of a column that lacks values, ``COUNTS``: weights of the rows that have one, and ``KNOWN_TERMS``, x log2 x of
        them.
    steps
        (4, n) weight of a class that crosses, on the side that grows and on the other; weight of all rows there at a
        cut that is possible. In the end the second and last have the sum of x log2 x over both, then the last scores.
    marks
        (3, n) the class that crosses; of a cut, the number of rows on the side that grows, and of crossings before.
    """

    sums: Floats
    steps: Floats
    marks: Integers


@lean()
def best_weighted_cut(
    entries: Entries,
    hidden: int,
    common: int,
    class_shift: int,
    rank_shift: int,
    weight: Floats,
    known: float,
    least: float,
    base: float,
    tolerance: float,
    score: float,
    counts: Floats,
    terms: Floats,
    sides: Sides,
) -> Cut:
    """Best cut where rows have weights; see :func:`fsdesk.kernels.c45_scan.best_unit_cut`.

    Logarithms are taken once for each cut and class that crosses it, not for each row: values are often few.

    Parameters
    ----------
    hidden, common
        How many rows are not listed, and the rank of their value.
    weight
        (n,) weight of each row.
    known
        Sum of the weights of these rows.
    least
        Least weight on either side.
    base
        Score of no cut.
    score, counts, terms
        Sum of ``terms``; (classes,) weights of these rows by class, and x log2 x of them.
    """
    lower, first = below_common(entries, hidden, common, rank_shift), common << rank_shift
    steps = sides.steps
    moved, count = _crossings(
        entries[:lower], ONE, hidden, first, class_shift, rank_shift, weight, known, least, counts, sides, ZERO, ZERO
    )
    moves, up = moved, count
    if lower < len(entries):
        moves, count = _crossings(
            entries[lower:], MINUS_ONE, hidden, first, class_shift, rank_shift, weight, known, least, counts, sides,
            moved, count,
        )  # fmt: skip
    # All logarithms at once: many in one instruction.
    _take_logs(steps[0, :moves], steps[1, :moves])
    _take_logs(steps[2, :count], steps[3, :count])
    _score(sides, ZERO, up, ZERO, score, terms)
    if count > up:
        _score(sides, up, count, moved, score, terms)
    best, winner, scores = base + tolerance, MINUS_ONE, steps[3]
    for place in range(count):
        cut = place if place < up else count - 1 - (place - up)
        if scores[cut] > best:
            best, winner = scores[cut] + tolerance, cut
    if winner < 0:
        return Cut(best - tolerance, 0, count, 0.0)
    below, lighter = sides.marks[1, winner], steps[2, winner]
    if winner >= up:
        below, lighter = len(entries) + hidden - below, known - lighter
    return Cut(best - tolerance, below, count, lighter)


@lean()
def _crossings(
    entries: Entries,
    direction: int,
    hidden: int,
    beyond: int,
    class_shift: int,
    rank_shift: int,
    weight: Floats,
    known: float,
    least: float,
    counts: Floats,
    sides: Sides,
    moved: int,
    count: int,
) -> tuple[int, int]:
    """Note what crosses, and where cuts are, on the way up or down; how many of both there are then.

    Rows of one value are sorted by class, so that the last one of each crosses with all of them. Nothing is asked
    for each row: whether the next value differs nobody can foresee.
    """
    filled, rest, steps, marks = sides.sums[0], sides.sums[1], sides.steps, sides.marks
    move_filled, move_rest, cut_filled, cut_rest = steps[0], steps[1], steps[2], steps[3]
    groups, rows, crossed = marks[0], marks[1], marks[2]
    for each in range(len(counts)):
        filled[each], rest[each] = 0.0, counts[each]
    kinds, row_bits = (1 << (rank_shift - class_shift)) - 1, (1 << class_shift) - 1
    below, above, place = 0.0, known, 0 if direction > 0 else len(entries) - 1
    after = np.int64(entries[np.uint64(place)]) if len(entries) > 0 else beyond
    for step in range(len(entries)):
        entry = after
        place += direction
        if step + 1 < len(entries):
            after = np.int64(entries[np.uint64(place)])
        elif hidden > 0:
            after = beyond
        group, more = np.uint64((entry >> class_shift) & kinds), weight[np.uint64(entry & row_bits)]
        filled[group] += more
        rest[group] -= more
        below += more
        above -= more
        at = np.uint64(moved)
        move_filled[at], move_rest[at], groups[at] = filled[group], rest[group], group
        moved += int((entry ^ after) >> class_shift != 0)
        at = np.uint64(count)
        cut_filled[at], cut_rest[at], rows[at], crossed[at] = below, above, step + 1, moved
        is_wide = (below - least > -SMALL) & (above - least > -SMALL)
        count += int(((entry ^ after) >> rank_shift != 0) & is_wide)
    return moved, count


@lean()
def _take_logs(filled: Floats, rest: Floats) -> None:
    """Fill in the sum of x log2 x over both weights of each step."""
    for step in range(len(filled)):
        rest[step] = plogp(filled[step]) + plogp(rest[step])


@lean()
def _score(sides: Sides, first: int, end: int, done: int, score: float, start: Floats) -> None:
    """Fill in the scores of some cuts."""
    terms, moved, cuts, groups, crossed = sides.sums[2], sides.steps[1], sides.steps[3], sides.marks[0], sides.marks[2]
    for each in range(len(terms)):
        terms[each] = start[each]
    for cut in range(first, end):
        while done < crossed[np.uint64(cut)]:
            at = np.uint64(done)
            group, term = np.uint64(groups[at]), moved[at]
            score += term - terms[group]
            terms[group] = term
            done += 1
        cuts[np.uint64(cut)] = score - cuts[np.uint64(cut)]
