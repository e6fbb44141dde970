"""Which feature a node asks for: the best gain ratio among those of at least average gain."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_bench import Bench
from fsdesk.kernels.c45_categories import scan_nominal
from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_scan import Cut, best_scored_cut, best_unit_cut, gains_of, score_two
from fsdesk.kernels.c45_scan_weights import best_weighted_cut
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Options, Table, is_smaller
from fsdesk.kernels.compiling import MINUS_ONE, ONE, ZERO, lean, merged

__all__ = ["chosen_split"]

_FEW = 32  # rows of a node from which on two columns at once are faster
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
    bench.gain[:] = -1.0
    if is_unit:
        alive = _scan_unit_rows(table, options, chosen, lists, alive, start, len(rows), counts, logs, bench)
    else:
        for index in range(len(rows)):
            bench.weight[rows[index]] = weights[index]
        alive = _scan_weighted_rows(table, options, chosen, lists, alive, start, len(rows), counts, logs, bench)
    nominal = scan_nominal(table, options, chosen, nominal, rows, weights, is_unit, total, logs, bench)
    winner = _best_ratio(table, chosen, total, bench)
    if winner < 0:
        return -1, 0.0, alive, nominal
    column = chosen[winner]
    bench.cut_at[0], bench.cut_at[1] = winner, -1
    if table.levels[column] > 0:
        return column, 0.0, alive, nominal
    upper = bench.cut[winner]
    row_bits = (1 << table.class_shift) - 1
    below, above = lists[winner, upper - 1] & row_bits, lists[winner, upper] & row_bits
    threshold = _middle(table.raw[column, below], table.raw[column, above])
    if is_unit and bench.known[winner] == len(rows) and not table.crowded[column] and np.isfinite(threshold):
        bench.cut_at[1] = upper - start
    return column, threshold, alive, nominal


@lean()
def _sum(counts: Floats) -> float:
    total = 0.0
    for each in range(len(counts)):
        total += counts[each]
    return total


@merged
def _middle(lower: float, upper: float) -> float:
    """Half way between two values; the lower one where rounding would reach the upper."""
    middle = (lower + upper) / 2
    if not np.isfinite(middle):
        middle = lower / 2 + upper / 2
    return lower if middle == upper else middle


@merged
def _best_ratio(table: Table, chosen: Integers, total: float, bench: Bench) -> int:
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
    while each < alive:
        index = features[each]
        column = chosen[index]
        present = total
        if table.known[column] < len(table.target):
            present = _present(lists, index, start, total, rank_shift, len(table.target))
        if _is_constant(lists, index, start, present, rank_shift):
            alive -= 1
            features[each], features[alive] = features[alive], index
            continue
        each += 1
        if present < total or table.crowded[column]:
            _scan_alone(table, options, column, lists, index, start, total, present, score, low, logs, bench)
        elif total < 2 * low:
            continue
        elif total < _FEW:
            entries = lists[index, start : start + total]
            cut = best_unit_cut(entries, table.class_shift, rank_shift, gains, ZERO, score, low, tolerance)
            _keep(cut, index, start, total, total, score, logs, bench)
        elif waiting < 0:
            waiting = index
        else:
            _scan_two(table, lists, waiting, index, start, total, score, low, tolerance, logs, bench)
            waiting = MINUS_ONE
    if waiting >= 0:
        entries = lists[waiting, start : start + total]
        cut = best_unit_cut(entries, table.class_shift, rank_shift, gains, ZERO, score, low, tolerance)
        _keep(cut, waiting, start, total, total, score, logs, bench)
    return alive


@lean()
def _scan_two(
    table: Table,
    lists: Entries,
    first: int,
    second: int,
    start: int,
    total: int,
    score: int,
    low: int,
    tolerance: int,
    logs: Logs,
    bench: Bench,
) -> None:
    """Two columns at once, of which all rows have a value."""
    gains, shifts = bench.gains, (table.class_shift, table.rank_shift)
    one, other = lists[first, start : start + total], lists[second, start : start + total]
    score_two(one, other, shifts[0], shifts[1], score, low, gains)
    floor = score - gains.sides[0, 0] + tolerance
    for each in range(2):
        index = first if each == 0 else second
        entries = lists[index, start : start + total]
        cut = best_scored_cut(entries, gains.scores[each], gains.sides[0], 1 << shifts[1], low, floor, tolerance)
        if cut.below < 0:
            cut = best_unit_cut(entries, shifts[0], shifts[1], gains, ZERO, score, low, tolerance)
        _keep(cut, index, start, total, total, score, logs, bench)


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
    """A column that lacks values, or some of whose values are too close to be cut between."""
    part = ZERO
    if present < total:
        part = ONE
        score = _own_gains(table, lists, index, start, present, logs, bench)
        low = int(np.ceil(_fewest(options, float(present), table.classes) - SMALL))
    if present < 2 * low:
        return
    entries = lists[index, start : start + present]
    if table.crowded[column]:
        _join(table, options.gap, entries, column, bench.joined)
        entries = bench.joined[:present]
    tolerance = int(SMALL * total / logs.unit)
    cut = best_unit_cut(entries, table.class_shift, table.rank_shift, bench.gains, part, score, low, tolerance)
    _keep(cut, index, start, total, present, score, logs, bench)


@lean()
def _keep(cut: Cut, index: int, start: int, total: int, present: int, score: int, logs: Logs, bench: Bench) -> None:
    """What the best cut of a column gains."""
    if cut.below > 0:
        gain = (cut.score - score + logs.whole[present]) * logs.unit
        bench.gain[index] = _corrected(gain, cut.cuts, float(total), logs)
        bench.left_part[index], bench.known[index], bench.cut[index] = cut.below, present, start + cut.below


@lean()
def _is_constant(lists: Entries, index: int, start: int, present: int, rank_shift: int) -> bool:
    """Whether the rows that have a value, if any, have the same."""
    if present == 0:
        return True
    return bool(lists[index, start] >> rank_shift == lists[index, start + present - 1] >> rank_shift)


@lean()
def _present(lists: Entries, index: int, start: int, total: int, rank_shift: int, missing: int) -> int:
    """How many of a node's rows have a value."""
    while total > 0 and lists[index, start + total - 1] >> rank_shift == missing:
        total -= 1
    return total


@lean()
def _corrected(gain: float, cuts: int, total: float, logs: Logs) -> float:
    """Gain for each row, less what choosing from so many cuts gains by chance; -1 where nothing is left."""
    corrected = (gain - logs.value[cuts] / cuts) / total
    return corrected if corrected >= SMALL else -1.0


@lean()
def _own_gains(table: Table, lists: Entries, index: int, start: int, present: int, logs: Logs, bench: Bench) -> int:
    """Fill in the gains of a column that lacks values; the score of no cut."""
    bench.right[:] = 0.0
    row_bits = (1 << table.class_shift) - 1
    for each in range(start, start + present):
        bench.right[table.target[lists[index, each] & row_bits]] += 1.0
    return gains_of(bench.right, logs, bench.gains, ONE)


@lean()
def _join(table: Table, gap: float, entries: Entries, column: int, joined: Entries) -> None:
    """Entries in which neighbours whose values are no further apart than ``gap`` have one rank."""
    below_rank, row_bits = (1 << table.rank_shift) - 1, (1 << table.class_shift) - 1
    rank, last = 0, table.raw[column, entries[0] & row_bits]
    for each in range(len(entries)):
        value = table.raw[column, entries[each] & row_bits]
        rank += last + gap < value
        joined[each] = (rank << table.rank_shift) | (entries[each] & below_rank)
        last = value


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
    features, sides, size, shared_terms = bench.alive, bench.sides, _sum(counts), 0.0
    for group in range(len(counts)):
        bench.right[group] = plogp(counts[group])
        shared_terms += bench.right[group]
    base = shared_terms - plogp(size)
    each = 0
    while each < alive:
        index = features[each]
        column = chosen[index]
        present = total
        if table.known[column] < len(table.target):
            present = _present(lists, index, start, total, table.rank_shift, len(table.target))
        if _is_constant(lists, index, start, present, table.rank_shift):
            alive -= 1
            features[each], features[alive] = features[alive], index
            continue
        each += 1
        known, score, terms = size, base, shared_terms
        for group in range(len(counts)):
            sides.right[group], sides.terms[group] = counts[group], bench.right[group]
        if present < total:
            known, score, terms = _known_weights(table, lists, index, start, present, bench)
        least = _fewest(options, known, table.classes)
        if is_smaller(float(present), 2 * least):
            continue
        entries = lists[index, start : start + present]
        if table.crowded[column]:
            _join(table, options.gap, entries, column, bench.joined)
            entries = bench.joined[:present]
        tolerance = SMALL * size
        cut = best_weighted_cut(
            entries, table.class_shift, table.rank_shift, bench.weight, known, least, score, tolerance, terms, sides
        )
        if cut.below > 0:
            bench.gain[index] = _corrected(cut.score - score, cut.cuts, size, logs)
            bench.left_part[index], bench.known[index], bench.cut[index] = cut.weight, known, start + cut.below
    return alive


@lean()
def _known_weights(
    table: Table, lists: Entries, index: int, start: int, present: int, bench: Bench
) -> tuple[float, float, float]:
    """Fill in the class weights of the rows that have a value; their sum, the score of no cut and of the classes."""
    right, terms = bench.sides.right, bench.sides.terms
    known, base, row_bits = 0.0, 0.0, (1 << table.class_shift) - 1
    right[:] = 0.0
    for each in range(start, start + present):
        row = lists[index, each] & row_bits
        right[table.target[row]] += bench.weight[row]
    for each in range(len(right)):
        known += right[each]
        terms[each] = plogp(right[each])
        base += terms[each]
    return known, base - plogp(known), base
