"""Which feature a node asks for: the best gain ratio among those of at least average gain."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_scan import Buffers, Gains, best_unit_cut, best_weighted_cut, gains_of
from fsdesk.kernels.c45_table import SMALL, Codes, Floats, Integers, Options, Rows, Table, is_smaller, lean

__all__ = ["Bench", "chosen_split", "workbench"]

_NEAR_AVERAGE = 1e-3  # a gain may be this much below the average: J48's choice to be close to C4.5
_LARGEST_LEAST, _LEAST_SHARE = 25.0, 0.1  # C4.5: fewest rows beside a numeric cut are 10 % of a class, 25 at most
_MANY_LEVELS = 0.3  # a nominal feature with a category for every third row does not count in the average


class Bench(NamedTuple):
    """What choosing a split writes to, made once for each tree.

    Attributes
    ----------
    weight, joined, buffers
        (n,) weights of a node's rows; codes of a crowded column; and what :func:`best_weighted_cut` writes to.
    next_row, left, right, spot
        (classes,), (1,) for one column at a time.
    gains
        Of a node, and of one column that lacks values.
    gain, left_part, known
        (q,) of each feature: gain, weight of the rows below the cut, and of those that have a value.
    cut
        (q,) place in the sorted rows of the first row above the cut.
    counted
        (q,) whether its gain counts in the average.
    alive, nominal
        Numeric and nominal features; those that differ among the rows of a node come first.
    categories
        (largest number of levels, classes) for one nominal feature at a time.
    """

    weight: Floats
    joined: Codes
    buffers: Buffers
    next_row: NDArray[np.uint64]
    left: Floats
    right: Floats
    spot: Integers
    gains: Gains
    gain: Floats
    left_part: Floats
    known: Floats
    cut: Integers
    counted: NDArray[np.bool_]
    alive: Integers
    nominal: Integers
    categories: Floats


@njit(nogil=True, cache=True, error_model="numpy")
def workbench(table: Table, chosen: Integers, rows: int) -> Bench:
    """Room to choose among features; ``rows`` is the number of training rows."""
    n, q, classes = len(table.target), len(chosen), table.classes
    levels = table.levels[chosen]
    few = (levels == 0) | (_MANY_LEVELS * rows - levels > SMALL)
    return Bench(
        np.empty(n),
        np.empty_like(table.codes[0]),
        Buffers(np.empty(n), np.empty(n), np.empty(n), np.empty(n)),
        np.empty(classes, dtype=np.uint64),
        np.empty(classes),
        np.empty(classes),
        np.empty(1, dtype=np.int64),
        Gains(np.empty((2, classes), dtype=np.uint64), np.empty((2, n)), np.empty((2, n + 1))),
        np.empty(q),
        np.empty(q),
        np.empty(q),
        np.empty(q, dtype=np.int64),
        few | ~few.any(),
        np.flatnonzero(levels == 0),
        np.flatnonzero(levels > 0),
        np.empty((levels.max(), classes)),
    )


@lean
def chosen_split(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Rows,
    alive: int,
    nominal: int,
    rows: NDArray[np.int32],
    weights: Floats,
    start: int,
    is_unit: bool,
    counts: Floats,
    logs: Logs,
    bench: Bench,
) -> tuple[int, float, int, int]:
    """Choose the split of a node.

    Parameters
    ----------
    lists
        (q, ...) rows sorted by each feature; those of the node from ``start`` on.
    alive, nominal
        How many features of ``bench.alive`` and ``bench.nominal`` may differ among its rows.
    rows, weights
        (m,) its rows and their weights.
    is_unit
        Whether all weights are 1.
    counts
        (classes,) their sums by class.

    Returns
    -------
    feature, threshold, alive, nominal
        Feature to ask for, -1 where the node is to be a leaf; the middle of the cut where the feature is numeric; and
        how many features differ.
    """
    total = 0.0
    for each in range(len(counts)):
        total += counts[each]
    bench.gain[:] = -1.0
    if is_unit:
        alive = _scan_unit_rows(table, options, chosen, lists, alive, start, len(rows), counts, logs, bench)
    else:
        for index in range(len(rows)):
            bench.weight[rows[index]] = weights[index]
        alive = _scan_weighted_rows(table, options, chosen, lists, alive, start, len(rows), counts, logs, bench)
    each = 0
    while each < nominal:
        index = bench.nominal[each]
        if _scan_categories(table, options, index, chosen[index], rows, weights, total, bench):
            each += 1
        else:
            nominal -= 1
            bench.nominal[each], bench.nominal[nominal] = bench.nominal[nominal], index
    winner = _best_ratio(table, chosen, total, logs, bench)
    if winner < 0:
        return -1, 0.0, alive, nominal
    column = chosen[winner]
    if table.levels[column] > 0:
        return column, 0.0, alive, nominal
    upper = bench.cut[winner]
    threshold = _middle(table.raw[column, lists[winner, upper - 1]], table.raw[column, lists[winner, upper]])
    return column, threshold, alive, nominal


@lean
def _middle(lower: float, upper: float) -> float:
    """Half way between two values; the lower one where rounding would reach the upper."""
    middle = (lower + upper) / 2
    if not np.isfinite(middle):
        middle = lower / 2 + upper / 2
    return lower if middle == upper else middle


@lean
def _best_ratio(table: Table, chosen: Integers, total: float, logs: Logs, bench: Bench) -> int:
    """Index of the feature with the best gain ratio among those of at least average gain; -1 where none gains."""
    average, useful = 0.0, 0
    for index in range(len(chosen)):
        if bench.gain[index] >= 0.0 and bench.counted[index]:
            average += bench.gain[index]
            useful += 1
    if useful == 0:
        return -1
    floor = average / useful - _NEAR_AVERAGE
    winner, best = -1, 0.0
    for index in range(len(chosen)):
        gain, known = bench.gain[index], bench.known[index]
        if gain < 0.0 or gain < floor:
            continue
        split = bench.left_part[index]
        if table.levels[chosen[index]] == 0:
            split = -plogp(split) - plogp(known - split)
        split += plogp(total) - plogp(total - known)
        if abs(split) >= SMALL and gain * total / split > best + SMALL:
            winner, best = index, gain * total / split
    return winner


@lean
def _fewest(options: Options, known: float, classes: int) -> float:
    """Fewest rows beside a numeric cut."""
    least = _LEAST_SHARE * known / classes
    if least - options.min_rows < SMALL:
        return options.min_rows
    return min(least, _LARGEST_LEAST)


@lean
def _scan_unit_rows(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Rows,
    alive: int,
    start: int,
    total: int,
    counts: Floats,
    logs: Logs,
    bench: Bench,
) -> int:
    """Gain of the best cut of each numeric feature; -1 where none gains. How many features differ among the rows."""
    bits, next_row, first, features = table.bits, bench.next_row, bench.gains.first, bench.alive
    shared_score = gains_of(counts, logs, bench.gains, 0)
    shared_low = int(np.ceil(_fewest(options, float(total), table.classes) - SMALL))
    each = 0
    while each < alive:
        index = features[each]
        column = chosen[index]
        codes = table.codes[column]
        present = total
        if table.known[column] < len(codes):
            present = _present(lists, index, start, total, codes)
        if present == 0 or codes[lists[index, start]] >> bits == codes[lists[index, start + present - 1]] >> bits:
            alive -= 1
            features[each], features[alive] = features[alive], index
            continue
        each += 1
        part, score, low = 0, shared_score, shared_low
        if present < total:
            part = 1
            score = _own_gains(table, lists, index, start, present, logs, bench)
            low = int(np.ceil(_fewest(options, float(present), table.classes) - SMALL))
        if present < 2 * low:
            continue
        if table.crowded[column]:
            _join(table, options.gap, lists, index, column, start, present, bench.joined)
            codes = bench.joined
        for group in range(len(next_row)):
            next_row[group] = first[part, group]
        node_rows = lists[index, start : start + present]
        tolerance = SMALL * total
        cut = best_unit_cut(node_rows, codes, bits, next_row, bench.gains, part, score, low, tolerance, bench.spot)
        if cut.below > 0:
            bench.gain[index] = _corrected(cut.score - score + logs.value[present], cut.cuts, total, logs)
            bench.left_part[index], bench.known[index], bench.cut[index] = cut.below, present, start + cut.below
    return alive


@lean
def _present(lists: Rows, index: int, start: int, total: int, codes: Codes) -> int:
    """How many of a node's rows have a value."""
    while total > 0 and codes[lists[index, start + total - 1]] < 0:
        total -= 1
    return total


@lean
def _corrected(gain: float, cuts: int, total: float, logs: Logs) -> float:
    """Gain for each row, less what choosing from so many cuts gains by chance; -1 where nothing is left."""
    corrected = (gain - logs.value[cuts] / cuts) / total
    return corrected if corrected >= SMALL else -1.0


@lean
def _own_gains(table: Table, lists: Rows, index: int, start: int, present: int, logs: Logs, bench: Bench) -> float:
    """Fill in the gains of a column that lacks values; the score of no cut."""
    bench.right[:] = 0.0
    for each in range(start, start + present):
        bench.right[table.target[lists[index, each]]] += 1.0
    return gains_of(bench.right, logs, bench.gains, 1)


@lean
def _join(
    table: Table, gap: float, lists: Rows, index: int, column: int, start: int, present: int, joined: Codes
) -> None:
    """Codes by row in which neighbours whose values are no further apart than ``gap`` have one rank."""
    rank, last = 0, table.raw[column, lists[index, start]]
    for each in range(start, start + present):
        row = lists[index, each]
        value = table.raw[column, row]
        rank += last + gap < value
        joined[row] = (rank << table.bits) | table.target[row]
        last = value


@lean
def _scan_weighted_rows(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Rows,
    alive: int,
    start: int,
    total: int,
    counts: Floats,
    logs: Logs,
    bench: Bench,
) -> int:
    """As :func:`_scan_unit_rows`, for rows of any weight."""
    bits, weight, left, right, features = table.bits, bench.weight, bench.left, bench.right, bench.alive
    size = 0.0
    for each in range(len(counts)):
        size += counts[each]
    each = 0
    while each < alive:
        index = features[each]
        column = chosen[index]
        codes = table.codes[column]
        present = _present(lists, index, start, total, codes)
        if present == 0 or codes[lists[index, start]] >> bits == codes[lists[index, start + present - 1]] >> bits:
            alive -= 1
            features[each], features[alive] = features[alive], index
            continue
        each += 1
        known, base = _known_weights(table, lists, index, start, present, total, counts, logs, bench)
        least = _fewest(options, known, table.classes)
        if is_smaller(present, 2 * least):
            continue
        if table.crowded[column]:
            _join(table, options.gap, lists, index, column, start, present, bench.joined)
            codes = bench.joined
        tolerance = SMALL * size
        node_rows = lists[index, start : start + present]
        cut = best_weighted_cut(node_rows, codes, bits, weight, left, right, least, base, tolerance, bench.buffers)
        if cut.below > 0:
            bench.gain[index] = _corrected(cut.score - base, cut.cuts, size, logs)
            bench.left_part[index], bench.known[index] = bench.buffers.below[cut.below], known
            bench.cut[index] = start + cut.below
    return alive


@lean
def _known_weights(
    table: Table,
    lists: Rows,
    index: int,
    start: int,
    present: int,
    total: int,
    counts: Floats,
    logs: Logs,
    bench: Bench,
) -> tuple[float, float]:
    """Fill in the class weights of the rows that have a value; their sum, and the score of no cut."""
    left, right = bench.left, bench.right
    known, base = 0.0, 0.0
    left[:] = 0.0
    for each in range(len(right)):
        right[each] = counts[each] if present == total else 0.0
    if present < total:
        for each in range(start, start + present):
            row = lists[index, each]
            right[table.target[row]] += bench.weight[row]
    for each in range(len(right)):
        known += right[each]
        base += plogp(right[each])
    return known, base - plogp(known)


@lean
def _scan_categories(
    table: Table,
    options: Options,
    index: int,
    column: int,
    rows: NDArray[np.int32],
    weights: Floats,
    total: float,
    bench: Bench,
) -> bool:
    """Gain of one branch for each category, -1 where fewer than two have enough rows; whether the rows differ."""
    branches, before = bench.categories, bench.right
    branches[: table.levels[column]] = 0.0
    before[:] = 0.0
    for each in range(len(rows)):
        row = rows[each]
        value = table.raw[column, row]
        if not np.isnan(value):
            branches[np.uint64(value), np.uint64(table.target[row])] += weights[each]
    gain, split, known, filled, enough = 0.0, 0.0, 0.0, 0, 0
    for branch in range(table.levels[column]):
        size = 0.0
        for each in range(table.classes):
            gain += plogp(branches[branch, each])
            size += branches[branch, each]
            before[each] += branches[branch, each]
        split -= plogp(size)
        known += size
        filled += size > 0.0
        enough += size - options.min_rows > -SMALL
    if enough >= 2:
        for each in range(table.classes):
            gain -= plogp(before[each])
        gain += split + plogp(known)
        bench.gain[index] = gain / total if gain * known / total >= SMALL else 0.0
        bench.left_part[index], bench.known[index] = split, known
    return filled > 1
