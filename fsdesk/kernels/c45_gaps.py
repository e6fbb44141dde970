"""Columns of a node that lack values, or some of whose values are too close to be cut between."""

from fsdesk.kernels.c45_bench import Bench
from fsdesk.kernels.c45_logs import Logs, plogp
from fsdesk.kernels.c45_scan import gains_of
from fsdesk.kernels.c45_scan_weights import COUNTS, KNOWN_TERMS
from fsdesk.kernels.c45_table import Entries, Table
from fsdesk.kernels.compiling import ONE, lean

__all__ = ["joined", "known_weights", "own_gains", "present_rows"]


@lean()
def present_rows(lists: Entries, index: int, start: int, total: int, rank_shift: int, missing: int) -> int:
    """How many of a node's rows have a value."""
    while total > 0 and lists[index, start + total - 1] >> rank_shift == missing:
        total -= 1
    return total


@lean()
def own_gains(table: Table, lists: Entries, index: int, start: int, present: int, logs: Logs, bench: Bench) -> int:
    """Fill in the gains of a column that lacks values; the score of no cut."""
    bench.right[:] = 0.0
    row_bits = (1 << table.class_shift) - 1
    for each in range(start, start + present):
        bench.right[table.target[lists[index, each] & row_bits]] += 1.0
    return gains_of(bench.right, logs, bench.gains, ONE)


@lean()
def known_weights(
    table: Table, lists: Entries, index: int, start: int, present: int, bench: Bench
) -> tuple[float, float, float]:
    """Fill in the class weights of the rows that have a value; their sum, the score of no cut and of the classes."""
    right, terms = bench.sides.sums[COUNTS], bench.sides.sums[KNOWN_TERMS]
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


@lean()
def joined(table: Table, gap: float, entries: Entries, column: int, taken: Entries) -> None:
    """Entries in which neighbours whose values are no further apart than ``gap`` have one rank."""
    below_rank, row_bits = (1 << table.rank_shift) - 1, (1 << table.class_shift) - 1
    rank, last = 0, table.raw[column, entries[0] & row_bits]
    for each in range(len(entries)):
        value = table.raw[column, entries[each] & row_bits]
        rank += last + gap < value
        taken[each] = (rank << table.rank_shift) | (entries[each] & below_rank)
        last = value
