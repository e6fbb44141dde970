"""The best cut of one numeric feature among the rows of a node.

Scores are sums of x log2 x over the class counts of both sides of a cut, less that of both sides' totals: N times the
negative entropy that is left after it, so that of two cuts of one node the larger score gains more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_table import SMALL, Codes, Floats, Integers, Rows, lean

__all__ = ["Buffers", "Cut", "Gains", "best_unit_cut", "best_weighted_cut", "gains_of"]

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
    """

    score: float
    below: int
    cuts: int


class Buffers(NamedTuple):
    """What is known of the sorted rows of a column of which some weigh more than others, (n,) each.

    Attributes
    ----------
    below, above
        Weights on both sides of the cut before each row.
    after
        Sum of x log2 x of the weights, on both sides of the cut after each row, of the class of that row.
    sides
        The same of ``below`` and ``above``.
    """

    below: Floats
    above: Floats
    after: Floats
    sides: Floats


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


@lean
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


@lean
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
    return Cut(best - tolerance, int(spot[0]), cuts)


@lean
def best_weighted_cut(
    rows: Rows,
    codes: Codes,
    bits: int,
    weight: Floats,
    left: Floats,
    right: Floats,
    least: float,
    base: float,
    tolerance: float,
    buffers: Buffers,
) -> Cut:
    """Best cut where rows have weights; see :func:`best_unit_cut`.

    Parameters
    ----------
    weight
        (n,) weight of each row.
    left, right
        (classes,) all 0, and the class weights of these rows; changed.
    least
        Least weight on either side.
    base
        Score of no cut.
    """
    below, above, after, sides = buffers.below, buffers.above, buffers.after, buffers.sides
    _weigh(rows, codes, bits, weight, left, right, buffers)
    score = 0.0
    # All weight is on the left now; each class starts from there being on the right.
    for each in range(len(left)):
        right[each] = plogp(left[each])
        score += right[each]
    best, winner, cuts, last = base + tolerance, 0, 0, codes[rows[0]] >> bits
    for index in range(len(rows)):
        code = codes[rows[index]]
        if code >> bits != last and below[index] - least > -SMALL and above[index] - least > -SMALL:
            cuts += 1
            if score - sides[index] > best:
                best, winner = score - sides[index] + tolerance, index
        last = code >> bits
        group = np.uint64(code & ((1 << bits) - 1))
        score += after[index] - right[group]
        right[group] = after[index]
    return Cut(best - tolerance, winner, cuts)


@lean
def _weigh(rows: Rows, codes: Codes, bits: int, weight: Floats, left: Floats, right: Floats, buffers: Buffers) -> None:
    """Fill in the buffers; move all weights to the left."""
    below, above, after, sides = buffers.below, buffers.above, buffers.after, buffers.sides
    under, over = 0.0, 0.0
    for each in range(len(right)):
        over += right[each]
    for index in range(len(rows)):
        row = rows[index]
        group = np.uint64(codes[row] & ((1 << bits) - 1))
        below[index], above[index] = under, over
        left[group] += weight[row]
        right[group] -= weight[row]
        after[index], sides[index] = left[group], right[group]
        under += weight[row]
        over -= weight[row]
    for index in range(len(rows)):
        after[index] = plogp(after[index]) + plogp(sides[index])
        sides[index] = plogp(below[index]) + plogp(above[index])
