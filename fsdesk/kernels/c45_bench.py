"""Room to choose a split in, made once for many trees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_scan import BLOCK, Gains
from fsdesk.kernels.c45_scan_weights import Sides
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Table
from fsdesk.kernels.compiling import merged

__all__ = ["CUT", "GAIN", "KNOWN", "LEFT_PART", "Bench", "tell_many_levels", "workbench"]

GAIN, LEFT_PART, KNOWN, CUT = range(4)  # rows of ``Bench.found``

_MANY_LEVELS = 0.3  # a nominal feature with a category for every third row does not count in the average


class Bench(NamedTuple):
    """What choosing a split writes to, made once for each tree.

    Attributes
    ----------
    weight, joined
        (n,) weights of a node's rows; (n + ``BLOCK``,) entries of a crowded column.
    right, sides
        (classes,) for one column at a time.
    gains
        Of a node, and of one column that lacks values.
    found
        (4, q) of each feature: ``GAIN``; ``LEFT_PART``, weight of the rows below the cut; ``KNOWN``, of those that have
        a value; and ``CUT``, how many of a node's rows are below it.
    cut_at
        (2,) which feature was chosen, and how many rows are below its cut where all weigh 1 and have a value; else -1.
    counted
        (q,) whether its gain counts in the average.
    alive, nominal
        Numeric and nominal features; those that differ among the rows of a node come first.
    categories
        (largest number of levels, classes) for one nominal feature at a time.
    """

    weight: Floats
    joined: Entries
    right: Floats
    sides: Sides
    gains: Gains
    found: Floats
    cut_at: Integers
    counted: NDArray[np.bool_]
    alive: Integers
    nominal: Integers
    categories: Floats


def workbench(table: Table, chosen: Integers) -> Bench:
    """Room to choose among features."""
    n, q, classes = len(table.target), len(chosen), table.classes
    levels = table.levels[chosen]
    return Bench(
        np.empty(n),
        np.empty(n + BLOCK, dtype=table.entries.dtype),
        np.empty(classes),
        Sides(np.empty((5, classes)), np.empty((4, n)), np.empty((3, n), dtype=np.int64)),
        Gains(np.empty((4, classes), dtype=np.uint64), np.empty((7, n + 1 + BLOCK), dtype=np.int64)),
        np.empty((4, q)),
        np.empty(2, dtype=np.int64),
        np.empty(q, dtype=np.bool_),
        np.flatnonzero(levels == 0),
        np.flatnonzero(levels > 0),
        np.empty((levels.max(), classes)),
    )


@merged
def tell_many_levels(table: Table, chosen: Integers, rows: int, counted: NDArray[np.bool_]) -> None:
    """Fill in which gains count in the average, for so many training rows: all where every feature has many levels."""
    few = 0
    for index in range(len(chosen)):
        levels = table.levels[chosen[index]]
        counted[index] = levels == 0 or _MANY_LEVELS * rows - levels > SMALL
        few += counted[index]
    for index in range(len(chosen)):
        counted[index] |= few == 0
