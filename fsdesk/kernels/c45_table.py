"""A table made ready for growing many decision trees: every column sorted once, for all masks and folds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, lean

__all__ = ["SMALL", "Options", "Table", "is_same", "is_smaller", "prepared_table"]

_COLUMNS_AT_ONCE = 256  # sorted together: bounds the memory that sorting takes
SMALL = 1e-6  # numbers closer than this count as equal, in C4.5 release 8 as in J48

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Rows = NDArray[np.uint16] | NDArray[np.int32]
Codes = NDArray[np.int32] | NDArray[np.int64]


class Table(NamedTuple):
    """Features by column with their rows in ascending order.

    Attributes
    ----------
    raw
        (p, n) values, or codes of nominal features; NaN where missing.
    order
        (p, n) rows by ascending value, missing ones last.
    codes
        (p, n) by row: rank of the value among the distinct ones of the column, times ``1 << bits``, plus the class; -1
        where it is missing.
    known
        (p,) number of rows that have a value.
    levels
        (p,) number of categories, 0 for numeric features.
    crowded
        (p,) whether some distinct values lie closer together than ``gap`` allows a cut.
    target
        (n,) class codes.
    classes, bits
        Number of classes, and of bits that hold a class.
    """

    raw: Floats
    order: Rows
    codes: Codes
    known: Integers
    levels: Integers
    crowded: NDArray[np.bool_]
    target: Integers
    classes: int
    bits: int


class Options(NamedTuple):
    """How trees are grown and pruned.

    Attributes
    ----------
    min_rows
        Weight that at least two branches of a split must have.
    gap
        Neighbouring values must lie further apart than this to be cut between.
    is_pruned, is_raising
        Whether to prune, and whether pruning may replace a node by its largest branch.
    confidence, quantile
        Of the pessimistic error, and the standard normal quantile at 1 - confidence.
    """

    min_rows: float
    gap: float
    is_pruned: bool
    is_raising: bool
    confidence: float
    quantile: float


def prepared_table(raw: Floats, levels: Integers, target: Integers, classes: int, gap: float) -> Table:
    """Sort every column once.

    Parameters
    ----------
    raw, levels, target, classes
        As in :class:`fsdesk.wrappers.Design`.
    gap
        As in :class:`Options`.
    """
    p, n = raw.shape
    bits = max(1, int(classes - 1).bit_length())
    rows = np.dtype(np.uint16 if n <= 1 << 16 else np.int32)
    order = np.empty((p, n), dtype=rows)
    codes = np.empty((p, n), dtype=np.int32 if n << bits < 1 << 31 else np.int64)
    known, crowded = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.bool_)
    for first in range(0, p, _COLUMNS_AT_ONCE):
        part = slice(first, first + _COLUMNS_AT_ONCE)
        order[part] = np.argsort(raw[part], axis=1, kind="stable")
    _rank(raw, order, target, bits, gap, codes, known, crowded)
    return Table(raw, order, codes, known, levels, crowded, target, classes, bits)


@entry()
def _rank(
    raw: Floats,
    order: Rows,
    target: Integers,
    bits: int,
    gap: float,
    codes: Codes,
    known: Integers,
    crowded: NDArray[np.bool_],
) -> None:
    p, n = raw.shape
    for column in range(p):
        rank, count = -1, 0
        last = 0.0
        crowded[column] = False
        for position in range(n):
            row = order[column, position]
            value = raw[column, row]
            if np.isnan(value):
                codes[column, row] = -1
                continue
            count += 1
            if rank < 0 or value != last:
                crowded[column] |= rank >= 0 and not last + gap < value
                rank += 1
            last = value
            codes[column, row] = (rank << bits) | target[row]
        known[column] = count


@lean()
def is_smaller(a: float, b: float) -> bool:
    """Whether a is smaller than b by more than rounding."""
    return b - a > SMALL


@lean()
def is_same(a: float, b: float) -> bool:
    """Whether a and b differ by rounding only."""
    return abs(a - b) < SMALL
