"""The best cut of one numeric feature among the rows of a node.

Scores are sums of x log2 x over the class counts of both sides of a cut, less that of both sides' totals: N times the
negative entropy that is left after it, so that of two cuts of one node the larger score gains more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_table import SMALL, Codes, Floats, Integers, Rows
from fsdesk.kernels.compiling import ZERO, lean

__all__ = ["Cut", "Gains", "Sides", "Steps", "best_unit_cut", "best_weighted_cut", "gains_of"]

_FORBIDDEN = 1e300  # lowers the score of what is no cut


class Cut(NamedTuple):
    """The best cut of a column.

    Attributes
    ----------
    score
        Of the cut; has no meaning where there is none.
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


class Gains(NamedTuple):
    """What cuts gain where all rows weigh 1, looked up instead of computed; two sets, the second for columns with gaps.

    Attributes
    ----------
    first
        (2, classes) where the part of each class begins in ``moved``.
    moved
        (2, n) by class and row of the class: what the score grows by when this row goes from above the cut to below.
    sides
        (2, n + 1) x log2 x of both sides' totals, by the number of rows below.
    """

    first: NDArray[np.uint64]
    moved: Floats
    sides: Floats


@lean()
def gains_of(counts: Floats, logs: Logs, gains: Gains, part: int) -> float:
    """Fill in a set of ``gains`` for rows of these class counts; their own score, that of no cut."""
    total, start, score = 0, 0, 0.0
    for each in range(len(counts)):
        size = int(counts[each])
        gains.first[part, each] = start
        for below in range(size):
            gains.moved[part, start + below] = logs.step[below] - logs.step[size - 1 - below]
        score += logs.value[size]
        start += size
        total += size
    for below in range(total + 1):
        gains.sides[part, below] = logs.value[below] + logs.value[total - below]
    return float(score)


@lean()
def best_unit_cut(
    rows: Rows,
    codes: Codes,
    bits: int,
    next_row: NDArray[np.uint64],
    gains: Gains,
    part: int,
    score: float,
    low: int,
    tolerance: float,
    spot: Integers,
) -> Cut:
    """Best cut where every row weighs 1: the first of those that no other to its right beats by more than a tolerance.

    Parameters
    ----------
    rows, codes, bits
        (m,) sorted rows; (n,) of the column and as in :class:`fsdesk.kernels.c45_table.Table`.
    next_row
        (classes,) as ``Gains.first``; changed.
    gains, part
        Which set of them.
    score
        Score of no cut.
    low
        Fewest rows on either side, at least 1.
    spot
        (1,) to work with.
    """
    moved, sides = gains.moved[part], gains.sides[part]
    best = score - sides[0] + tolerance
    spot[0], cuts, last = 0, 0, codes[rows[0]] >> bits
    for index in range(len(rows) - low + 1):
        # Unsigned numbers spare a check for places counted from the end.
        code = codes[rows[np.uint64(index)]]
        is_cut = (code >> bits != last) & (index >= low)
        cuts += is_cut
        # One branch in place of two, seldom taken.
        candidate = score - sides[np.uint64(index)] - _FORBIDDEN * (1 - is_cut)
        if candidate > best:
            best = candidate + tolerance
            spot[0] = index  # in memory: so that it stays a branch
        last = code >> bits
        each = np.uint64(code & ((1 << bits) - 1))
        row = next_row[each]
        next_row[each] = row + np.uint64(1)
        score += moved[row]
    return Cut(best - tolerance, int(spot[0]), cuts, float(spot[0]))


@lean()
def best_weighted_cut(
    rows: Rows,
    codes: Codes,
    bits: int,
    weight: Floats,
    known: float,
    least: float,
    base: float,
    tolerance: float,
    score: float,
    sides: Sides,
) -> Cut:
    """Best cut where rows have weights; see :func:`best_unit_cut`.

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
    below, above, last = 0.0, known, codes[rows[0]] >> bits
    for index in range(len(rows)):
        row = rows[np.uint64(index)]
        code = codes[row]
        rank = code >> bits
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
        group = np.uint64(code & ((1 << bits) - 1))
        if seen[group] != rank:
            seen[group] = rank
            touched[crossed] = group
            crossed += 1
        more = weight[row]
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
