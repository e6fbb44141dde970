"""All trees of a cross-validation in one call: grown on the training rows of each fold, asked about its test rows."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fsdesk.kernels.c45_grow import Plot, grow_tree, plot_for
from fsdesk.kernels.c45_table import SMALL, Floats, Integers, Options, Table, lean
from fsdesk.kernels.c45_tree import Tree, branch_of

__all__ = ["cross_validated", "planted", "weights_of"]

_NODES, _ROWS = 256, 1  # room for a first tree; where it is not enough, the tree is grown again with twice as much


@njit(nogil=True, cache=True, error_model="numpy")
def cross_validated(
    table: Table,
    options: Options,
    chosen: Integers,
    labels: Integers,
    is_balanced: bool,
    is_smoothed: bool,
    predicted: Integers,
    scores: Floats,
) -> None:
    """Predict every row from the rows of other folds.

    Parameters
    ----------
    chosen
        (q,) features to be used, ascending, at least one.
    labels
        (repeats, n) folds; -1 for rows that are only trained on.
    is_balanced
        Whether all classes of a training set weigh the same together, instead of all rows.
    is_smoothed
        Whether scores are Laplace estimates.
    predicted, scores
        (repeats, n) classes and (repeats, n, classes) scores; an empty one is not wanted.
    """
    n = len(table.target)
    is_tested = np.empty(n, dtype=np.bool_)
    plot = plot_for(table, chosen, _NODES, _ROWS * n)
    for repeat in range(len(labels)):
        for fold in range(labels[repeat].max() + 1):
            for row in range(n):
                is_tested[row] = labels[repeat, row] == fold
            if not is_tested.any():
                continue
            rows = np.flatnonzero(~is_tested).astype(np.int32)
            plot = planted(table, options, chosen, rows, weights_of(table, rows, is_balanced), plot)
            _ask(
                table,
                plot,
                np.flatnonzero(is_tested),
                options.gap / 10,
                is_smoothed,
                predicted[min(repeat, len(predicted) - 1)],
                scores[min(repeat, len(scores) - 1)],
            )


@njit(nogil=True, cache=True, error_model="numpy")
def planted(
    table: Table, options: Options, chosen: Integers, rows: NDArray[np.int32], weights: Floats, plot: Plot
) -> Plot:
    """Grow a tree on a plot, or on one that is large enough; see :func:`fsdesk.kernels.c45_grow.grow_tree`."""
    nodes, room = len(plot.tree.feature), len(plot.arena.row)
    while not grow_tree(table, options, chosen, rows, weights, plot):
        nodes, room = 2 * nodes, 2 * room
        plot = plot_for(table, chosen, nodes, room)
    return plot


@njit(nogil=True, cache=True, error_model="numpy")
def weights_of(table: Table, rows: NDArray[np.int32], is_balanced: bool) -> Floats:
    """(m,) 1, or so that each class present has the same weight; their sum is the number of rows."""
    weights = np.ones(len(rows))
    if not is_balanced:
        return weights
    sizes = np.zeros(table.classes)
    for row in rows:
        sizes[table.target[row]] += 1.0
    present = (sizes > 0).sum()
    for index in range(len(rows)):
        weights[index] = len(rows) / (present * sizes[table.target[rows[index]]])
    return weights


@lean
def _ask(
    table: Table,
    plot: Plot,
    tested: Integers,
    reach: float,
    is_smoothed: bool,
    predicted: Integers,
    scores: Floats,
) -> None:
    """Fill in what a tree says of some rows."""
    shares = plot.bench.right
    for index in range(len(tested)):
        row = tested[index]
        if len(predicted):
            _shares_of(table, plot.tree, row, reach, False, shares)
            predicted[row] = _winner(shares)
        if len(scores):
            _shares_of(table, plot.tree, row, reach, is_smoothed, scores[row])


@lean
def _winner(shares: Floats) -> int:
    """Class of the largest share, the first of equals."""
    best = 0
    for each in range(1, len(shares)):
        if shares[each] - shares[best] > SMALL:
            best = each
    return best


@lean
def _shares_of(
    table: Table,
    tree: Tree,
    row: int,
    reach: float,
    is_smoothed: bool,
    shares: Floats,
) -> None:
    """Share of each class at the leaf of a row; where a value is missing, over all branches by their size.

    Parameters
    ----------
    shares
        (classes,) where the shares go; their sum is 1.
    """
    shares[:] = 0.0
    prior = 1.0 if is_smoothed else 0.0
    tree.errors[0, 0] = 1.0  # no longer needed for errors: share of the row that is at a node
    top = 0
    while top >= 0:
        node = top
        top = tree.below[node]
        tree.below[node] = -1
        weight = tree.errors[node, 0]
        branch = 0
        while tree.feature[node] >= 0 and branch >= 0:
            branch = branch_of(table, tree, node, row, reach)
            node = tree.first[node] + branch if branch >= 0 else node
        if tree.feature[node] < 0:
            total = prior * len(shares)
            for each in range(len(shares)):
                total += tree.counts[node, each]
            for each in range(len(shares)):
                shares[each] += weight * (tree.counts[node, each] + prior) / total
            continue
        total = 0.0
        for each in range(tree.first[node], tree.first[node] + tree.branches[node]):
            total += tree.size[each]
        for each in range(tree.first[node], tree.first[node] + tree.branches[node]):
            if tree.size[each] > SMALL:
                tree.errors[each, 0] = weight * tree.size[each] / total
                tree.below[each] = top
                top = each
