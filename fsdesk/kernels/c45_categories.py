"""What splits by the categories of nominal features gain."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_bench import GAIN, KNOWN, LEFT_PART, Bench
from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Options, Table, others
from fsdesk.kernels.compiling import lean, merged

__all__ = ["scan_nominal"]


@lean()
def scan_nominal(
    table: Table,
    options: Options,
    chosen: Integers,
    lists: Entries,
    nominal: int,
    rows: NDArray[np.int32],
    weights: Floats,
    start: int,
    is_unit: bool,
    counts: Floats,
    total: float,
    logs: Logs,
    bench: Bench,
) -> int:
    """Gain of each nominal feature; how many of them differ among the rows."""
    each = 0
    while each < nominal:
        index = bench.nominal[each]
        column = chosen[index]
        bench.categories[: table.levels[column]] = 0.0
        if table.common[column, 2] < 0:
            _count_categories(table, column, rows, weights, bench.categories)
        elif not _count_others(table, column, lists[index, start : start + len(rows)], is_unit, counts, bench):
            nominal -= 1
            bench.nominal[each], bench.nominal[nominal] = bench.nominal[nominal], index
            continue
        if _gain_of_categories(table, options, index, column, is_unit, total, logs, bench):
            each += 1
        else:
            nominal -= 1
            bench.nominal[each], bench.nominal[nominal] = bench.nominal[nominal], index
    return nominal


@merged
def _count_categories(table: Table, column: int, rows: NDArray[np.int32], weights: Floats, branches: Floats) -> None:
    """Add the weights of rows to those of their categories and classes."""
    for each in range(len(rows)):
        row = rows[each]
        value = table.raw[column, row]
        if not np.isnan(value):
            branches[np.uint64(value), np.uint64(table.target[row])] += weights[each]


@merged
def _count_others(table: Table, column: int, entries: Entries, is_unit: bool, counts: Floats, bench: Bench) -> bool:
    """As :func:`_count_categories`, from the rows that are not of the common category; whether there are any."""
    branches, row_bits = bench.categories, (1 << table.class_shift) - 1
    count = others(entries, table.common[column, 2], table.rank_shift, row_bits)
    rest = branches[np.uint64(table.raw[column, np.int64(table.entries[column, table.common[column, 0]]) & row_bits])]
    for each in range(len(rest)):
        rest[each] = counts[each]
    for place in range(count):
        row = np.uint64(np.int64(entries[np.uint64(place)]) & row_bits)
        group, weight = np.uint64(table.target[row]), 1.0 if is_unit else bench.weight[row]
        branches[np.uint64(table.raw[column, row]), group] += weight
        rest[group] -= weight
    return count > 0


@merged
def _gain_of_categories(
    table: Table, options: Options, index: int, column: int, is_unit: bool, total: float, logs: Logs, bench: Bench
) -> bool:
    """Gain of one branch for each category, -1 where fewer than two have enough rows; whether the rows differ."""
    branches, before = bench.categories, bench.right
    before[:] = 0.0
    gain, split, known, filled, enough = 0.0, 0.0, 0.0, 0, 0
    for branch in range(table.levels[column]):
        own, size = branches[branch], 0.0
        for each in range(table.classes):
            size += own[each]
        filled += size > 0.0
        enough += size - options.min_rows > -SMALL
        split -= plogp(size)
        known += size
        gain += _terms(own, is_unit, logs)
        for each in range(table.classes):
            before[each] += own[each]
    if enough >= 2:
        gain += split + plogp(known) - _terms(before, is_unit, logs)
        bench.found[GAIN, index] = gain / total if gain * known / total >= SMALL else 0.0
        bench.found[LEFT_PART, index], bench.found[KNOWN, index] = split, known
    return filled > 1


@lean()
def _terms(counts: Floats, is_unit: bool, logs: Logs) -> float:
    """Sum of x log2 x, looked up where counts are whole."""
    total = 0.0
    if is_unit:
        for each in range(len(counts)):
            total += logs.value[np.uint64(counts[each])]
    else:
        for each in range(len(counts)):
            if counts[each] >= SMALL:  # most classes are in few categories
                total += plogp(counts[each])
    return total
