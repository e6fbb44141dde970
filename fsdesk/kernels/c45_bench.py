"""Room to choose a split in, made once for many trees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_scan import Gains
from fsdesk.kernels.c45_scan_weights import Sides, Steps
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Table
from fsdesk.kernels.compiling import merged

__all__ = ["Bench", "tell_many_levels", "workbench"]

_MANY_LEVELS = 0.3  # a nominal feature with a category for every third row does not count in the average


class Bench(NamedTuple):
    """What choosing a split writes to, made once for each tree.

    Attributes
    ----------
    weight, joined
        (n,) weights of a node's rows; entries of a crowded column.
    right, sides
        (classes,) for one column at a time.
    gains
        Of a node, and of one column that lacks values.
    gain, left_part, known
        (q,) of each feature: gain, weight of the rows below the cut, and of those that have a value.
    cut
        (q,) place in the sorted rows of the first row above the cut.
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
    gain: Floats
    left_part: Floats
    known: Floats
    cut: Integers
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
        np.empty_like(table.entries[0]),
        np.empty(classes),
        Sides(
            np.empty(classes),
            np.empty(classes),
            np.empty(classes),
            np.empty(classes, dtype=np.int64),
            np.empty(classes, dtype=np.int64),
            _steps(n),
            _steps(n),
        ),
        Gains(
            np.empty((2, classes), dtype=np.uint64),
            np.empty((2, n), dtype=np.int64),
            np.empty((2, n + 1), dtype=np.int64),
            np.empty((2, classes), dtype=np.uint64),
            np.empty((2, n), dtype=np.int64),
            np.empty(1, dtype=np.int64),
        ),
        np.empty(q),
        np.empty(q),
        np.empty(q),
        np.empty(q, dtype=np.int64),
        np.empty(2, dtype=np.int64),
        np.empty(q, dtype=np.bool_),
        np.flatnonzero(levels == 0),
        np.flatnonzero(levels > 0),
        np.empty((levels.max(), classes)),
    )


def _steps(n: int) -> Steps:
    return Steps(np.empty(n), np.empty(n), np.empty(n, dtype=np.int64), np.empty(n), np.empty(n, dtype=np.int64))


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
