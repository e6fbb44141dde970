"""What splits by the categories of nominal features gain."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_bench import Bench
from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_table import SMALL, Floats, Integers, Options, Table
from fsdesk.kernels.compiling import lean, merged

__all__ = ["scan_nominal"]


@merged
def scan_nominal(
    table: Table,
    options: Options,
    chosen: Integers,
    nominal: int,
    rows: NDArray[np.int32],
    weights: Floats,
    is_unit: bool,
    total: float,
    logs: Logs,
    bench: Bench,
) -> int:
    """Gain of each nominal feature; how many of them differ among the rows."""
    each = 0
    while each < nominal:
        index = bench.nominal[each]
        if _scan_categories(table, options, index, chosen[index], rows, weights, is_unit, total, logs, bench):
            each += 1
        else:
            nominal -= 1
            bench.nominal[each], bench.nominal[nominal] = bench.nominal[nominal], index
    return nominal


@merged
def _scan_categories(
    table: Table,
    options: Options,
    index: int,
    column: int,
    rows: NDArray[np.int32],
    weights: Floats,
    is_unit: bool,
    total: float,
    logs: Logs,
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
        bench.gain[index] = gain / total if gain * known / total >= SMALL else 0.0
        bench.left_part[index], bench.known[index] = split, known
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
