"""The best split of one column in one node: one pass over the node's rows in the order of the column's values.

A split stands between two neighbours of different value. Its score is what the criterion leaves to be maximised once
all that is the same for every split of the node is gone; a split wins only where it exceeds the best so far by more
than a margin that stands for rounding. So equal splits fall to the lowest column and, in it, to the lowest threshold.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import lean
from fsdesk.kernels.presort import Packed

__all__ = ["scan_counts", "scan_entropy", "scan_gini", "scan_moments"]

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]


@lean()
def scan_moments(
    entries: Packed,
    begin: int,
    count: int,
    shift: np.uint64,
    row_bits: np.uint64,
    delta: Doubles,
    curvature: Doubles,
    place: int,
    least: int,
    limit: float,
    margin: float,
) -> tuple[int, float]:
    """Split by variance: of numbers, or of two classes, whose Gini impurity is twice the variance of a 0/1 code.

    With D the sum of deviations from the node's mean over the l rows on the left, and r rows on the right, the sum of
    squares between both sides is D^2 (l + r) / (l r).

    Parameters
    ----------
    entries, begin, count
        Packed rows; the node's rows in this column's order are ``entries[begin : begin + count]``.
    shift, row_bits
        An entry is ``rank << shift | row``; ``row_bits`` masks the row.
    delta
        (n,) deviation of each row from the mean of its node, or that times a constant.
    curvature, place
        1 / (l r) for l = 1, 2, ... stands from ``curvature[place]`` on.
    least
        Fewest rows on either side.
    limit, margin
        What a score must exceed, and by how much the next must exceed a new best.

    Returns
    -------
    Rows on the left of the best split, 0 where none exceeds the limit, and the limit from now on.
    """
    own, curve = entries[begin : begin + count], curvature[place : place + count]
    found, total = 0, 0.0
    for index in range(least - 1):
        total += delta[own[index] & row_bits]
    for index in range(least - 1, count - least):
        entry = own[index]
        total += delta[entry & row_bits]
        score = total * total * curve[index]
        if score > limit and (own[index + 1] >> shift) != (entry >> shift):
            found, limit = index + 1, score + margin
    return found, limit


@lean()
def scan_counts(
    entries: Packed,
    begin: int,
    count: int,
    shift: np.uint64,
    row_bits: np.uint64,
    field: NDArray[np.uint8],
    largest: NDArray[np.uint32],
    twice_total: NDArray[np.int32],
    squares: int,
    curvature: Doubles,
    place: int,
    least: int,
    limit: float,
    margin: float,
) -> tuple[int, float]:
    """Split by Gini impurity where rows weigh the same and the counts of all classes fit into one word.

    With n_c rows of class c, l_c of them on the left, and m = l + r, the sum over both sides of (sum of squared class
    counts) / (rows) is (m sum_c l_c^2 + l (sum_c n_c^2 - 2 sum_c n_c l_c)) / (l r).

    Parameters
    ----------
    field, largest, twice_total
        (n,) for each row, of its class within its node: the bit at which its count stands in the word, the largest
        value that fits there, and 2 n_c.
    squares
        sum_c n_c^2.

    Others, and what is returned, as in :func:`scan_moments`.
    """
    own, curve = entries[begin : begin + count], curvature[place : place + count]
    found, counts, squares_left, linear = 0, np.uint64(0), np.int64(0), np.int64(squares)
    for index in range(count - least):
        entry = own[index]
        row = entry & row_bits
        bit = np.uint64(field[row])
        squares_left += 2 * np.int64((counts >> bit) & np.uint64(largest[row])) + 1
        counts += np.uint64(1) << bit
        linear -= twice_total[row]
        score = (squares_left * count + linear * (index + 1)) * curve[index]
        if score > limit and index + 1 >= least and (own[index + 1] >> shift) != (entry >> shift):
            found, limit = index + 1, score + margin
    return found, limit


@lean()
def scan_gini(
    entries: Packed, begin: int, count: int, shift: np.uint64, row_bits: np.uint64, code: NDArray[np.int32],
    weight: Doubles, total: Integers, slot: int, present: int, left: Doubles, least: int, limit: float,
    margin: float,
) -> tuple[int, float]:  # fmt: skip
    """Split by Gini impurity, any number of classes and any class weights: maximise sum_c w_c^2 / W over both sides.

    Parameters
    ----------
    code
        (n,) class of each row among those in its node, 0 to present - 1.
    weight, total, slot
        (slots, classes) weight of a row of each of the node's classes, and its number of rows; the node's slot.
    left
        (classes,) scratch.

    Others, and what is returned, as in :func:`scan_moments`.
    """
    own = entries[begin : begin + count]
    squares_left, squares_right, weight_left, weight_right = 0.0, 0.0, 0.0, 0.0
    for kind in range(present):
        left[kind] = 0.0
        mass = weight[slot, kind] * total[slot, kind]
        squares_right += mass * mass
        weight_right += mass
    found = 0
    for index in range(count - least):
        entry = own[index]
        kind = code[entry & row_bits]
        w, before = weight[slot, kind], left[kind]
        after = w * total[slot, kind] - before
        left[kind] = before + w
        squares_left += w * (2.0 * before + w)
        squares_right -= w * (2.0 * after - w)
        weight_left += w
        weight_right -= w
        # Cross-multiplied: divisions would take as long as all the rest.
        product = weight_left * weight_right
        score = squares_left * weight_right + squares_right * weight_left
        if score > limit * product and index + 1 >= least and (own[index + 1] >> shift) != (entry >> shift):
            found, limit = index + 1, score / product + margin
    return found, limit


@lean()
def scan_entropy(
    entries: Packed, begin: int, count: int, shift: np.uint64, row_bits: np.uint64, code: NDArray[np.int32],
    weight: Doubles, total: Integers, slot: int, present: int, left: Doubles, least: int, limit: float,
    margin: float, x_log_x: Doubles, is_weighted: bool,
) -> tuple[int, float]:  # fmt: skip
    """Split by entropy: maximise sum_c w_c n_c ln n_c - W ln W over both sides, W the weight of a side.

    The rest of sum_c w_c n_c ln(w_c n_c) is linear in n_c, so the same for every split.

    Parameters
    ----------
    x_log_x
        (n + 2,) x ln x of 0, 1, 2, ...
    is_weighted
        Whether any class weight differs from 1.

    Others, and what is returned, as in :func:`scan_gini`.
    """
    own = entries[begin : begin + count]
    terms, weight_left, weight_right = 0.0, 0.0, 0.0
    for kind in range(present):
        left[kind] = 0.0
        terms += weight[slot, kind] * x_log_x[total[slot, kind]]
        weight_right += weight[slot, kind] * total[slot, kind]
    found = 0
    for index in range(count - least):
        entry = own[index]
        kind = code[entry & row_bits]
        w, before = weight[slot, kind], int(left[kind])
        after = total[slot, kind] - before
        left[kind] = before + 1
        terms += w * (x_log_x[before + 1] - x_log_x[before] + x_log_x[after - 1] - x_log_x[after])
        sides = x_log_x[index + 1] + x_log_x[count - index - 1]
        if is_weighted:
            weight_left += w
            weight_right -= w
            sides = weight_left * np.log(weight_left) + weight_right * np.log(weight_right)
        if terms - sides > limit and index + 1 >= least and (own[index + 1] >> shift) != (entry >> shift):
            found, limit = index + 1, terms - sides + margin
    return found, limit
