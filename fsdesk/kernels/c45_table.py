"""A table made ready for growing many decision trees: every column sorted once, for all masks and folds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, lean

__all__ = ["SMALL", "Options", "Table", "is_same", "is_smaller", "prepared_table"]

_SHORT = 32  # bits of an entry where they do
_COLUMNS_AT_ONCE = 256  # sorted together: bounds the memory that sorting takes
SMALL = 1e-6  # numbers closer than this count as equal, in C4.5 release 8 as in J48

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Entries = NDArray[np.uint32] | NDArray[np.int64]


class Table(NamedTuple):
    """Features by column with their rows in ascending order.

    Attributes
    ----------
    raw
        (p, n) values, or codes of nominal features; NaN where missing.
    entries
        (p, n) rows by ascending value, equal ones by class, missing ones last. An entry is one number: the rank of the
        value among the distinct ones of the column, n where it is missing, above ``rank_shift`` bits; the class above
        ``class_shift`` bits; and the row. So what tells a cut from none are neighbours in memory.
    known
        (p,) number of rows that have a value.
    levels
        (p,) number of categories, 0 for numeric features.
    crowded
        (p,) whether some distinct values lie closer together than ``gap`` allows a cut.
    target
        (n,) class codes.
    classes
        Number of classes.
    class_shift, rank_shift
        Bits below the class and below the rank of an entry.
    """

    raw: Floats
    entries: Entries
    known: Integers
    levels: Integers
    crowded: NDArray[np.bool_]
    target: Integers
    classes: int
    class_shift: int
    rank_shift: int


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
    class_shift = max(1, int(n - 1).bit_length())
    rank_shift = class_shift + max(1, int(classes - 1).bit_length())
    is_short = rank_shift + n.bit_length() <= _SHORT
    entries: Entries = np.empty((p, n), dtype=np.uint32) if is_short else np.empty((p, n), dtype=np.int64)
    known, crowded = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.bool_)
    by_class = np.argsort(target, kind="stable")
    for first in range(0, p, _COLUMNS_AT_ONCE):
        part = slice(first, first + _COLUMNS_AT_ONCE)
        entries[part] = by_class[np.argsort(raw[part][:, by_class], axis=1, kind="stable")]
    _rank(raw, target, class_shift, rank_shift, gap, entries, known, crowded)
    return Table(raw, entries, known, levels, crowded, target, classes, class_shift, rank_shift)


@entry()
def _rank(
    raw: Floats,
    target: Integers,
    class_shift: int,
    rank_shift: int,
    gap: float,
    entries: Entries,
    known: Integers,
    crowded: NDArray[np.bool_],
) -> None:
    """Rows become entries."""
    p, n = raw.shape
    for column in range(p):
        rank, count = -1, 0
        last = 0.0
        crowded[column] = False
        for position in range(n):
            row = np.int64(entries[column, position])
            value = raw[column, row]
            own = n
            if not np.isnan(value):
                count += 1
                if rank < 0 or value != last:
                    crowded[column] |= rank >= 0 and not last + gap < value
                    rank += 1
                last, own = value, rank
            entries[column, position] = (own << rank_shift) | (target[row] << class_shift) | row
        known[column] = count


@lean()
def is_smaller(a: float, b: float) -> bool:
    """Whether a is smaller than b by more than rounding."""
    return b - a > SMALL


@lean()
def is_same(a: float, b: float) -> bool:
    """Whether a and b differ by rounding only."""
    return abs(a - b) < SMALL
