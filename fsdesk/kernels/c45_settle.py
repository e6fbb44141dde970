"""What a tree needs when it has grown: thresholds that are training values, and an answer in every branch."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_table import Table, is_same
from fsdesk.kernels.c45_tree import Tree
from fsdesk.kernels.compiling import lean, merged

__all__ = ["settle", "settled_threshold"]


@merged
def settle(table: Table, tree: Tree, is_training: NDArray[np.uint8], reach: float) -> None:
    """Move thresholds to training values, and let branches without rows answer as their parents.

    Those of crowded features were moved as they were chosen: there it matters for the way of rows while pruning.
    """
    top = 0
    while top >= 0:
        node = top
        top = tree.below[node]
        tree.below[node] = -1
        feature = tree.feature[node]
        if feature < 0:
            continue
        if table.levels[feature] == 0 and not table.crowded[feature]:
            tree.threshold[node] = settled_threshold(table, feature, tree.threshold[node], is_training, reach)
        for branch in range(tree.first[node], tree.first[node] + tree.branches[node]):
            if is_same(tree.size[branch], 0.0):
                for each in range(table.classes):
                    tree.counts[branch, each] = tree.counts[node, each]
            tree.below[branch] = top
            top = branch


@lean()
def settled_threshold(table: Table, column: int, middle: float, is_training: NDArray[np.uint8], reach: float) -> float:
    """Largest training value that is not above the middle of a cut.

    As J48 has it, "above" means by at least ``reach``, and of training values within ``reach`` of one another the first
    in the table counts.
    """
    raw, entries, row_bits = table.raw[column], table.entries[column], (1 << table.class_shift) - 1
    low, high = 0, table.known[column]
    while low < high:
        half = (low + high) // 2
        value = raw[entries[half] & row_bits]
        if value <= middle or value - middle < reach:
            low = half + 1
        else:
            high = half
    position = low - 1
    while not is_training[entries[position] & row_bits]:
        position -= 1
    largest = raw[entries[position] & row_bits]
    if not table.crowded[column]:
        return float(largest)  # all other values are further away than the gap, which is more than ``reach``
    while position >= 0:
        row = entries[position] & row_bits
        if is_training[row] and raw[row] != largest:
            break
        position -= 1
    if position < 0 or largest - raw[entries[position] & row_bits] > reach:
        return float(largest)
    threshold = -np.inf
    for row in range(len(raw)):
        value = raw[row]
        if is_training[row] and value - threshold > reach and (value <= middle or value - middle < reach):
            threshold = value
    return float(threshold)
