"""A table made ready for growing many decision trees: every column sorted once, for all masks and folds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import lean

__all__ = ["SMALL", "Options", "Table", "below_common", "is_same", "is_smaller", "marked", "others", "prepared_table"]

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
        value among those that cuts tell apart, n where it is missing, above ``rank_shift`` bits; the class above
        ``class_shift`` bits; and the row. So what tells a cut from none are neighbours in memory.
    known
        (p,) number of rows that have a value.
    levels
        (p,) number of categories, 0 for numeric features.
    common
        (p, 3) of columns in which half of the rows have one value and none is missing: where the rows of that value
        begin and end in ``entries``, and its rank; else 0, 0 and -1.
    crowded
        (p,) whether some distinct values lie closer together than ``gap`` allows a cut.
    chained
        (p,) whether some of these lie close to two that a cut tells apart where they are not there themselves: ranks
        then are those of distinct values, and hold for no node.
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
    common: Integers
    crowded: NDArray[np.bool_]
    chained: NDArray[np.bool_]
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
    known, crowded, chained = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.bool_), np.empty(p, dtype=np.bool_)
    common = np.empty((p, 3), dtype=np.int64)
    by_class = np.argsort(target, kind="stable")
    for first in range(0, p, _COLUMNS_AT_ONCE):
        part = slice(first, first + _COLUMNS_AT_ONCE)
        rows = by_class[np.argsort(raw[part][:, by_class], axis=1, kind="stable")]
        values = np.take_along_axis(raw[part], rows, axis=1)
        ranks, known[part], crowded[part], chained[part] = _ranked(values, gap)
        common[part] = _common(values, ranks)
        common[part][crowded[part] | (known[part] < n)] = 0, 0, -1
        entries[part] = (ranks << rank_shift) | (target[rows] << class_shift) | rows
    return Table(raw, entries, known, levels, common, crowded, chained, target, classes, class_shift, rank_shift)


def _ranked(values: Floats, gap: float) -> tuple[Integers, Integers, NDArray[np.bool_], NDArray[np.bool_]]:
    """Ranks of sorted values among those that cuts tell apart, how many there are, and whether some are too close.

    numpy is fast enough here, and nothing need be compiled.
    """
    is_missing = np.isnan(values)
    differs = (values[:, 1:] != values[:, :-1]) & ~is_missing[:, 1:]
    is_apart = values[:, :-1] + gap < values[:, 1:]
    crowded = (differs & ~is_apart).any(axis=1)
    chained = np.zeros(len(values), dtype=np.bool_)
    chained[crowded] = _is_chained(values[crowded], differs[crowded] & is_apart[crowded], gap)
    ranks = np.zeros(values.shape, dtype=np.int64)
    np.cumsum(differs & (is_apart | chained[:, np.newaxis]), axis=1, out=ranks[:, 1:])
    ranks[is_missing] = values.shape[1]
    return ranks, np.count_nonzero(~is_missing, axis=1), crowded, chained


def _is_chained(values: Floats, is_cut: NDArray[np.bool_], gap: float) -> NDArray[np.bool_]:
    """Whether, among a column's values with no cut between neighbours, two are far enough apart for one."""
    begins = np.zeros(values.shape, dtype=np.int64)
    begins[:, 1:] = np.where(is_cut, np.arange(1, values.shape[1]), 0)
    first = np.take_along_axis(values, np.maximum.accumulate(begins, axis=1), axis=1)
    is_chained: NDArray[np.bool_] = np.any(first + gap < values, axis=1)  # none is less than a missing value
    return is_chained


def _common(values: Floats, ranks: Integers) -> Integers:
    """Where the rows of a value that half of them have begin and end, and its rank; 0, 0 and -1 without one."""
    middle = (values.shape[1] - 1) // 2
    begin = np.count_nonzero(ranks < ranks[:, [middle]], axis=1)
    end = begin + np.count_nonzero(ranks == ranks[:, [middle]], axis=1)
    found = np.column_stack([begin, end, ranks[:, middle]])
    found[2 * (end - begin) < values.shape[1]] = 0, 0, -1
    return found


@lean()
def others(entries: Entries, rank: int, rank_shift: int, row_bits: int) -> int:
    """How many of a node's rows have another value than the common one, whose rank is given; see :func:`marked`."""
    last = np.int64(entries[np.uint64(len(entries) - 1)])
    return int(last & row_bits) if last >> rank_shift == rank else len(entries)


@lean()
def marked(entries: Entries, count: int, rank: int, rank_shift: int) -> None:
    """Note how many of a node's rows have another value, where not all have.

    The number takes the last place of the node's list, as what no row has that is listed: the common value's rank.
    """
    if count < len(entries):
        entries[np.uint64(len(entries) - 1)] = (rank << rank_shift) | count


@lean()
def below_common(entries: Entries, hidden: int, common: int, rank_shift: int) -> int:
    """How many of the listed rows are below those of the common value, of which so many are not listed."""
    if hidden == 0:
        return len(entries)
    lower, first = 0, np.int64(common) << rank_shift
    for place in range(len(entries)):
        lower += int(np.int64(entries[place]) < first)
    return lower


@lean()
def is_smaller(a: float, b: float) -> bool:
    """Whether a is smaller than b by more than rounding."""
    return b - a > SMALL


@lean()
def is_same(a: float, b: float) -> bool:
    """Whether a and b differ by rounding only."""
    return abs(a - b) < SMALL
