"""What the growing of CART trees is told, and the scratch that it works in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.cart_fields import FIELDS, SCORES
from fsdesk.kernels.presort import Packed, rank_shift

__all__ = ["ENTROPY", "GINI", "VARIANCE", "Rules", "Table", "Work", "workspace"]

GINI, ENTROPY, VARIANCE = 0, 1, 2

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]


class Rules(NamedTuple):
    """When and how a node is split.

    Attributes
    ----------
    criterion
        GINI, ENTROPY or VARIANCE.
    max_depth
        0: no limit.
    min_leaf, min_split
        Fewest rows in a leaf, and in a node to be split.
    balanced
        Whether rows are weighted so that all classes of a training set weigh the same.
    """

    criterion: int
    max_depth: int
    min_leaf: int
    min_split: int
    balanced: bool


class Table(NamedTuple):
    """What is split: chosen columns of a presorted table.

    Attributes
    ----------
    order
        (p * n,) packed rows in the order of each column; see :func:`fsdesk.kernels.presort.presorted`.
    columns
        (p, n) values, NaN where missing.
    chosen
        (q,) which columns to use, ascending.
    gap
        (q,) row of ``fill`` for a column with gaps, -1 for one without, or sorted with its gaps filled.
    fill
        (g, repeats * folds) what fills the gaps in each fit.
    target, classes
        (n,) class codes, and their number.
    response
        (n,) numbers to predict by VARIANCE.
    once
        (p,) what stands for missing values in all fits; NaN where that differs.
    """

    order: Packed
    columns: Doubles
    chosen: Integers
    gap: Integers
    fill: Doubles
    target: Integers
    classes: int
    response: Doubles
    once: Doubles


class Work(NamedTuple):
    """Scratch of one call. A slot is a node under way; there are about log2(n) of them at a time.

    Attributes
    ----------
    shift, row_bits
        How entries are packed.
    lists
        (q * stride + n - stride,) sorted rows of all nodes under way, column by column; a node's children stand in its
        place. While a root is made, a column spoils the first one of the next.
    spare
        (stride,) rows of the largest training set, or more; see :func:`fsdesk.kernels.cart_lists.part`.
    origin
        (q,) where the lists of the whole table stand in ``order``.
    rows, tests
        (n,) training rows as entries, and test rows, those of a node side by side.
    goes_left
        (n,) side of a row in the split at hand.
    delta, code
        (n,) deviation from the mean of the row's node, and class among those of its node.
    field, largest, twice_total
        (n,) see :func:`fsdesk.kernels.cart_scan.scan_counts`.
    curvature
        (n,) 1 / (l r) of all splits of the nodes at hand.
    x_log_x
        (n + 2,) of 0, 1, 2, ...
    left, local, bits, class_size
        (classes,) counts, codes within a node (-1 between nodes), bits (one more), and rows of a class that together
        weigh 1: all in the training set where classes are balanced, else 1.
    active
        (slots, q) columns that vary within a node, ascending.
    total, weight
        (slots, classes) number of rows, and weight of a row, of each class within a node.
    node, score
        (slots, ...) see :mod:`fsdesk.kernels.cart_fields`.
    """

    shift: np.uint64
    row_bits: np.uint64
    lists: Packed
    spare: Packed
    origin: Integers
    rows: Packed
    tests: Integers
    goes_left: NDArray[np.uint8]
    delta: Doubles
    code: NDArray[np.int32]
    field: NDArray[np.uint8]
    largest: NDArray[np.uint32]
    twice_total: NDArray[np.int32]
    curvature: Doubles
    x_log_x: Doubles
    left: Doubles
    local: Integers
    bits: Integers
    class_size: Doubles
    active: NDArray[np.int32]
    total: Integers
    weight: Doubles
    node: Integers
    score: Doubles


def workspace(table: Table, stride: int) -> Work:
    """Make the scratch for one call."""
    q, n, classes = len(table.chosen), len(table.target), table.classes
    slots = 3 + int(np.log2(n))
    shift = np.uint64(rank_shift(table.order))
    numbers = np.arange(2.0, n + 2)
    return Work(
        shift,
        (np.uint64(1) << shift) - np.uint64(1),
        np.empty(q * stride + n - stride, dtype=table.order.dtype),
        np.empty(stride, dtype=table.order.dtype),
        table.chosen * n,
        np.empty(n, dtype=table.order.dtype),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.uint8),
        np.empty(n),
        np.empty(n, dtype=np.int32),
        np.empty(n, dtype=np.uint8),
        np.empty(n, dtype=np.uint32),
        np.empty(n, dtype=np.int32),
        np.empty(n),
        np.concatenate([np.zeros(2), numbers * np.log(numbers)]),
        np.empty(classes),
        np.full(classes, -1),
        np.empty(classes + 1, dtype=np.int64),
        np.ones(classes),
        np.empty((slots, q), dtype=np.int32),
        np.empty((slots, classes), dtype=np.int64),
        np.empty((slots, classes)),
        np.empty((slots, FIELDS), dtype=np.int64),
        np.empty((slots, SCORES)),
    )
