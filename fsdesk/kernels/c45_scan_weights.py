"""The best cut of one numeric feature where rows have weights: their values are unknown, or classes weigh the same."""

from typing import NamedTuple

import numpy as np

from fsdesk.kernels.c45_logs import plogp
from fsdesk.kernels.c45_scan import Cut
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers
from fsdesk.kernels.compiling import ZERO, lean

__all__ = ["Sides", "Steps", "best_weighted_cut"]


class Steps(NamedTuple):
    """What changes on the way up the sorted rows, (n,) each: a class that crosses a cut, or a cut that is possible.

    Attributes
    ----------
    below, above
        Weights of the class, or of all rows, on both sides; x log2 x of them in the end.
    which
        The class, or the place of the first row above the cut.
    weight, moved
        Of a cut: weight of the rows below it, and how many crossings came before.
    """

    below: Floats
    above: Floats
    which: Integers
    weight: Floats
    moved: Integers


class Sides(NamedTuple):
    """Both sides of a cut that moves up where rows have weights, (classes,) each.

    Attributes
    ----------
    left, right
        Weights of each class below and above.
    terms
        Sum of x log2 x of both.
    touched
        Classes of the rows between this cut and the last one.
    seen
        Rank at which a class was last touched.
    moves, cuts
        Crossings of classes, and cuts.
    """

    left: Floats
    right: Floats
    terms: Floats
    touched: Integers
    seen: Integers
    moves: Steps
    cuts: Steps


@lean()
def best_weighted_cut(
    entries: Entries,
    class_shift: int,
    rank_shift: int,
    weight: Floats,
    known: float,
    least: float,
    base: float,
    tolerance: float,
    score: float,
    sides: Sides,
) -> Cut:
    """Best cut where rows have weights; see :func:`fsdesk.kernels.c45_scan.best_unit_cut`.

    Logarithms are taken once for each cut and class that crosses it, not for each row: values are often few.

    Parameters
    ----------
    weight
        (n,) weight of each row.
    known
        Sum of the weights of these rows.
    least
        Least weight on either side.
    base
        Score of no cut.
    score
        Sum of x log2 x of the class weights of these rows.
    sides
        Its ``right`` has these weights, its ``terms`` x log2 x of them; changed.
    """
    left, right, terms, touched, seen = sides.left, sides.right, sides.terms, sides.touched, sides.seen
    moves, cuts = sides.moves, sides.cuts
    for each in range(len(right)):
        left[each], seen[each] = 0.0, -1
    crossed, moved, count = 0, ZERO, ZERO  # not plain: see compiling.py
    row_bits, kinds = (1 << class_shift) - 1, (1 << (rank_shift - class_shift)) - 1
    below, above, last = 0.0, known, np.int64(entries[0]) >> rank_shift
    for index in range(len(entries)):
        entry = np.int64(entries[np.uint64(index)])
        rank = entry >> rank_shift
        if rank != last:
            for place in range(crossed):
                group = np.uint64(touched[place])
                moves.below[moved], moves.above[moved], moves.which[moved] = left[group], right[group], group
                moved += 1
            crossed, last = 0, rank
            if below - least > -SMALL and above - least > -SMALL:
                cuts.below[count], cuts.above[count], cuts.which[count] = below, above, index
                cuts.weight[count], cuts.moved[count] = below, moved
                count += 1
        group = np.uint64((entry >> class_shift) & kinds)
        if seen[group] != rank:
            seen[group] = rank
            touched[crossed] = group
            crossed += 1
        more = weight[np.uint64(entry & row_bits)]
        left[group] += more
        right[group] -= more
        below += more
        above -= more
    # All logarithms at once: many in one instruction.
    _take_logs(moves, moved)
    _take_logs(cuts, count)
    best, winner, winning, done = base + tolerance, 0, 0.0, 0
    for cut in range(count):
        while done < cuts.moved[cut]:
            group, term = np.uint64(moves.which[done]), moves.below[done] + moves.above[done]
            score += term - terms[group]
            terms[group] = term
            done += 1
        candidate = score - cuts.below[cut] - cuts.above[cut]
        if candidate > best:
            best, winner, winning = candidate + tolerance, cuts.which[cut], cuts.weight[cut]
    return Cut(best - tolerance, winner, count, winning)


@lean()
def _take_logs(steps: Steps, count: int) -> None:
    """Both weights of each step become x log2 x."""
    below, above = steps.below[:count], steps.above[:count]
    for step in range(len(below)):
        below[step] = plogp(below[step])
    for step in range(len(above)):
        above[step] = plogp(above[step])
