"""Which feature a node asks for: the best gain ratio among those of at least average gain."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_bench import CUT, GAIN, KNOWN, LEFT_PART, Bench
from fsdesk.kernels.c45_categories import scan_nominal
from fsdesk.kernels.c45_gaps import joined, known_weights, own_gains, present_rows
from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_scan import (
    SCORES,
    SIDES,
    Cut,
    best_scored_cut,
    best_unit_cut,
    gains_of,
    score_two,
)
from fsdesk.kernels.c45_scan_weights import COUNTS, KNOWN_TERMS, best_weighted_cut
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Options, Table, is_smaller, others
from fsdesk.kernels.compiling import MINUS_ONE, ONE, ZERO, lean, merged

__all__ = ["chosen_split"]

_NEAR_AVERAGE = 1e-3  # a gain may be this much below the average: J48's choice to be close to C4.5
_LARGEST_LEAST, _LEAST_SHARE = 25.0, 0.1  # C4.5: fewest rows beside a numeric cut are 10 % of a class, 25 at most


@merged
def chosen_split(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Entries,
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
    rows, weights, is_unit, counts
        (m,) its rows; (m,) their weights, and whether they are all 1; (classes,) their sums by class.

    Returns
    -------
    feature, threshold, alive, nominal
        Feature to ask for, -1 for a leaf; the middle of the cut if it is numeric; how many features differ.
    """
    total = _sum(counts)
    bench.found[GAIN, :] = -1.0
    if is_unit:
        alive = _scan_unit_rows(table, options, chosen, lists, alive, start, len(rows), counts, logs, bench)
    else:
        for index in range(len(rows)):
            bench.weight[rows[index]] = weights[index]
        alive = _scan_weighted_rows(table, options, chosen, lists, alive, start, len(rows), counts, logs, bench)
    nominal = scan_nominal(
        table, options, chosen, lists, nominal, rows, weights, start, is_unit, counts, total, logs, bench
    )
    winner = _best_ratio(table, chosen, total, is_unit, logs, bench)
    if winner < 0:
        return -1, 0.0, alive, nominal
    column = chosen[winner]
    bench.cut_at[0], bench.cut_at[1] = winner, -1
    if table.levels[column] > 0:
        return column, 0.0, alive, nominal
    upper, entries = int(bench.found[CUT, winner]), lists[winner, start : start + len(rows)]
    count = others(entries, table.common[column, 2], table.rank_shift, (1 << table.class_shift) - 1)
    threshold = _middle(table, column, entries, count, upper)
    is_listed = count == len(rows) and bench.found[KNOWN, winner] == count
    if is_unit and is_listed and not table.crowded[column] and np.isfinite(threshold):
        bench.cut_at[1] = upper
    return column, threshold, alive, nominal


@lean()
def _sum(counts: Floats) -> float:
    total = 0.0
    for each in range(len(counts)):
        total += counts[each]
    return total


@lean()
def _sum_of_terms(counts: Floats, terms: Floats) -> float:
    """Fill in x log2 x of each; their sum."""
    total = 0.0
    for each in range(len(counts)):
        terms[each] = plogp(counts[each])
        total += terms[each]
    return total


@lean()
def _middle(table: Table, column: int, entries: Entries, count: int, upper: int) -> float:
    """Half way between the values on both sides of a cut; the lower one where rounding would reach the upper.

    Parameters
    ----------
    entries, count
        (m,) list of a node's rows, of which ``count`` are there.
    upper
        Place of the first row above the cut among all rows of the node.
    """
    lower, higher = 0.0, 0.0
    row_bits, first = (1 << table.class_shift) - 1, table.common[column, 2] << table.rank_shift
    for place in (upper - 1, upper):
        entry, shifted = np.int64(table.entries[column, table.common[column, 0]]), place - (len(entries) - count)
        if place < count and np.int64(entries[place]) < first:
            entry = np.int64(entries[place])
        if shifted >= 0 and np.int64(entries[shifted]) >= first:
            entry = np.int64(entries[shifted])
        lower, higher = higher, table.raw[column, entry & row_bits]
    middle = (lower + higher) / 2
    if not np.isfinite(middle):
        middle = lower / 2 + higher / 2
    return float(lower if middle == higher else middle)


@merged
def _best_ratio(table: Table, chosen: Integers, total: float, is_unit: bool, logs: Logs, bench: Bench) -> int:
    """Index of the feature with the best gain ratio among those of at least average gain; -1 where none gains."""
    gains, parts, known = bench.found[GAIN], bench.found[LEFT_PART], bench.found[KNOWN]
    average, useful = 0.0, 0
    for index in range(len(chosen)):
        counts = (gains[index] >= 0.0) & bench.counted[index]
        average += gains[index] if counts else 0.0
        useful += int(counts)
    if useful == 0:
        return -1
    floor, whole = average / useful - _NEAR_AVERAGE, plogp(total)
    winner, best = -1, 0.0
    for index in range(len(chosen)):
        gain = gains[index]
        if gain < 0.0 or gain < floor:
            continue
        split = parts[index]
        if table.levels[chosen[index]] == 0:
            rest = known[index] - split
            if is_unit:
                split = -logs.value[np.uint64(split)] - logs.value[np.uint64(rest)]
            else:
                split = -plogp(split) - plogp(rest)
        split += whole
        if known[index] < total:
            split -= plogp(total - known[index])
        if abs(split) >= SMALL and gain * total / split > best + SMALL:
            winner, best = index, gain * total / split
    return winner


@lean()
def _fewest(options: Options, known: float, classes: int) -> float:
    """Fewest rows beside a numeric cut."""
    least = _LEAST_SHARE * known / classes
    if least - options.min_rows < SMALL:
        return options.min_rows
    return min(least, _LARGEST_LEAST)


@lean()
def _scan_unit_rows(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Entries,
    alive: int,
    start: int,
    total: int,
    counts: Floats,
    logs: Logs,
    bench: Bench,
) -> int:
    """Gain of the best cut of each numeric feature; -1 where none gains. How many features differ among the rows."""
    features, rank_shift, gains = bench.alive, table.rank_shift, bench.gains
    score, tolerance = gains_of(counts, logs, gains, ZERO), int(SMALL * total / logs.unit)
    low = int(np.ceil(_fewest(options, float(total), table.classes) - SMALL))
    each, waiting = 0, MINUS_ONE  # not plain: see compiling.py
    shifts, row_bits = (table.class_shift, rank_shift), (1 << table.class_shift) - 1
    while each < alive:
        index = features[each]
        column = chosen[index]
        present, common = total, table.common[column, 2]
        if table.known[column] < len(table.target):
            present = present_rows(lists, index, start, total, rank_shift, len(table.target))
        count = others(lists[index, start : start + total], common, rank_shift, row_bits)
        if count == 0 or (count == total and _is_constant(lists, index, start, present, rank_shift)):
            alive -= 1
            features[each], features[alive] = features[alive], index
            continue
        each += 1
        if present < total or table.chained[column]:
            _scan_alone(table, options, column, lists, index, start, total, present, score, low, logs, bench)
        elif total < 2 * low:
            continue
        elif count < total:
            entries, hidden = lists[index, start : start + count], total - count
            cut = best_unit_cut(entries, hidden, common, shifts[0], shifts[1], gains, score, low, tolerance)
            _keep(cut, index, total, total, score, logs, bench)
        elif waiting < 0:
            waiting = index
        else:
            one, other = lists[waiting, start : start + total], lists[index, start : start + total]
            _scan_two(table, one, other, waiting, index, total, ZERO, score, low, tolerance, logs, bench)
            waiting = MINUS_ONE
    if waiting >= 0:
        one = lists[waiting, start : start + total]
        _scan_two(table, one, one, waiting, waiting, total, ZERO, score, low, tolerance, logs, bench)
    return alive


@lean()
def _scan_two(
    table: Table,
    one: Entries,
    other: Entries,
    first: int,
    second: int,
    total: int,
    part: int,
    score: int,
    low: int,
    tolerance: int,
    logs: Logs,
    bench: Bench,
) -> None:
    """Two columns at once, or one, of which these rows of a node have a value."""
    gains, shifts = bench.gains, (table.class_shift, table.rank_shift)
    score_two(one, other, shifts[0], shifts[1], score, low, gains, part)
    sides = gains.units[SIDES + part]
    floor = score - sides[0] + tolerance
    for each in range(1 + int(first != second)):
        index, entries = (first, one) if each == 0 else (second, other)
        cut = best_scored_cut(entries, gains.units[SCORES + each], sides, 1 << shifts[1], low, floor, tolerance)
        _keep(cut, index, total, len(one), score, logs, bench)


@lean()
def _scan_alone(
    table: Table,
    options: Options,
    column: int,
    lists: Entries,
    index: int,
    start: int,
    total: int,
    present: int,
    score: int,
    low: int,
    logs: Logs,
    bench: Bench,
) -> None:
    """A column that lacks values, or for which it depends on the others of a node which values are too close."""
    part = ZERO
    if present < total:
        part = ONE
        score = own_gains(table, lists, index, start, present, logs, bench)
        low = int(np.ceil(_fewest(options, float(present), table.classes) - SMALL))
    if present < 2 * low:
        return
    entries = lists[index, start : start + present]
    if table.chained[column]:
        joined(table, options.gap, entries, column, bench.joined)
        entries = bench.joined[:present]
    tolerance = int(SMALL * total / logs.unit)
    _scan_two(table, entries, entries, index, index, total, part, score, low, tolerance, logs, bench)


@lean()
def _keep(cut: Cut, index: int, total: int, present: int, score: int, logs: Logs, bench: Bench) -> None:
    """What the best cut of a column gains."""
    if cut.below > 0:
        gain = (cut.score - score + logs.whole[present]) * logs.unit
        found = bench.found
        found[GAIN, index] = _corrected(gain, cut.cuts, float(total), logs)
        found[LEFT_PART, index], found[KNOWN, index], found[CUT, index] = cut.below, present, cut.below


@lean()
def _is_constant(lists: Entries, index: int, start: int, present: int, rank_shift: int) -> bool:
    """Whether the rows that have a value, if any, have the same."""
    if present == 0:
        return True
    return bool(lists[index, start] >> rank_shift == lists[index, start + present - 1] >> rank_shift)


@lean()
def _corrected(gain: float, cuts: int, total: float, logs: Logs) -> float:
    """Gain for each row, less what choosing from so many cuts gains by chance; -1 where nothing is left."""
    corrected = (gain - logs.value[cuts] / cuts) / total
    return corrected if corrected >= SMALL else -1.0


@lean()
def _scan_weighted_rows(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Entries,
    alive: int,
    start: int,
    total: int,
    counts: Floats,
    logs: Logs,
    bench: Bench,
) -> int:
    """As :func:`_scan_unit_rows`, for rows of any weight."""
    features, sides, size, shared_terms = bench.alive, bench.sides, _sum(counts), _sum_of_terms(counts, bench.right)
    base, row_bits = shared_terms - plogp(size), (1 << table.class_shift) - 1
    each = 0
    while each < alive:
        index = features[each]
        column = chosen[index]
        present = total
        if table.known[column] < len(table.target):
            present = present_rows(lists, index, start, total, table.rank_shift, len(table.target))
        common = table.common[column, 2]
        count = others(lists[index, start : start + total], common, table.rank_shift, row_bits)
        if count == 0 or (count == total and _is_constant(lists, index, start, present, table.rank_shift)):
            alive -= 1
            features[each], features[alive] = features[alive], index
            continue
        each += 1
        known, score, terms = size, base, shared_terms
        if present < total:
            known, score, terms = known_weights(table, lists, index, start, present, bench)
        least = _fewest(options, known, table.classes)
        if is_smaller(float(present), 2 * least):
            continue
        entries = lists[index, start : start + (present if present < total else count)]
        if table.chained[column]:
            joined(table, options.gap, entries, column, bench.joined)
            entries = bench.joined[:present]
        cut = best_weighted_cut(
            entries, total - count, common, table.class_shift, table.rank_shift, bench.weight, known, least, score,
            SMALL * size, terms, sides.sums[COUNTS] if present < total else counts,
            sides.sums[KNOWN_TERMS] if present < total else bench.right, sides,
        )  # fmt: skip
        if cut.below > 0:
            found = bench.found
            found[GAIN, index] = _corrected(cut.score - score, cut.cuts, size, logs)
            found[LEFT_PART, index], found[KNOWN, index], found[CUT, index] = cut.weight, known, cut.below
    return alive
