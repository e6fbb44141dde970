"""All trees of a cross-validation in one call: grown on the training rows of each fold, asked about its test rows."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_grow import Plot, grow_tree, plot_for
from fsdesk.kernels.c45_logs import Logs
from fsdesk.kernels.c45_table import SMALL, Floats, Integers, Options, Table
from fsdesk.kernels.c45_tree import Tree, branch_of, find_leaves
from fsdesk.kernels.compiling import NO, ZERO, lean, merged

__all__ = ["cross_validated"]

_DEEP = 8  # room for the rows of so many levels, where those of unknown way are in several branches
_NODES = 256  # room for a first tree; where it is not enough, the tree is grown again with more


def cross_validated(
    table: Table,
    logs: Logs,
    options: Options,
    chosen: Integers,
    labels: Integers,
    predicted: Integers,
    scores: Floats,
    *,
    is_balanced: bool,
    is_smoothed: bool,
    nodes: int = _NODES,
) -> Tree:
    """Predict every row from the rows of other folds.

    Parameters
    ----------
    logs
        Tables for counts up to n.
    chosen
        (q,) features to be used, ascending, at least one.
    labels
        (repeats, n) folds; -1 for rows that are only trained on.
    predicted, scores
        (repeats, n) classes and (repeats, n, classes) scores; an empty one is not wanted.
    is_balanced
        Whether all classes of a training set weigh the same together, instead of all rows.
    is_smoothed
        Whether scores are Laplace estimates.
    nodes
        Room for a first tree.

    Returns
    -------
    The last tree.
    """
    folds, room, done = int(labels.max(initial=-1)) + 1, len(table.target), 0
    has_gaps = bool((table.known[chosen] < room).any())  # else no row goes down more than one branch
    tested = (int(np.bincount(row[row >= 0], minlength=folds).min(initial=room)) for row in labels)
    length = room - min(tested, default=room)  # the largest training set
    room, length = (_DEEP * room, length + length // 4 + 1) if has_gaps else (room, length)
    while True:
        plot = plot_for(table, options, logs, chosen, nodes, room, length)
        done = _answer(table, options, chosen, labels, folds, done, is_balanced, is_smoothed, predicted, scores, plot)
        if done == len(labels) * folds:
            return plot.tree
        del plot  # before there is a larger one
        nodes, room, length = 2 * nodes, 2 * room if has_gaps else room, length + (length // 4 + 1 if has_gaps else 0)


@lean(has_door=True)
def _answer(
    table: Table,
    options: Options,
    chosen: Integers,
    labels: Integers,
    folds: int,
    first: int,
    is_balanced: bool,
    is_smoothed: bool,
    predicted: Integers,
    scores: Floats,
    plot: Plot,
) -> int:
    """Grow and ask the trees of all fits from ``first`` on; the fit that had no room, or the number of fits."""
    for fit in range(first, len(labels) * folds):
        repeat, fold = fit // folds, fit % folds
        trained, tested = 0, 0
        for row in range(len(table.target)):
            if labels[repeat, row] == fold:
                plot.tested[tested] = row
                tested += 1
            else:
                plot.rows[trained] = row
                trained += 1
        if tested == 0:
            continue
        _weigh(table, plot.rows[:trained], is_balanced, plot.bench.right, plot.weights)
        if not grow_tree(table, options, chosen, plot.rows[:trained], plot.weights[:trained], plot):
            return fit
        _ask(
            table,
            plot,
            plot.tested[:tested],
            options.gap / 10,
            is_smoothed,
            predicted[min(repeat, len(predicted) - 1)],
            scores[min(repeat, len(scores) - 1)],
        )
    return len(labels) * folds


@merged
def _weigh(table: Table, rows: NDArray[np.int32], is_balanced: bool, sizes: Floats, weights: Floats) -> None:
    """Fill in 1, or what gives each class present the same weight; their sum is the number of rows."""
    weights[:] = 1.0
    if not is_balanced:
        return
    sizes[:] = 0.0
    for row in rows:
        sizes[table.target[row]] += 1.0
    present = 0
    for code in range(len(sizes)):
        present += sizes[code] > 0
    for index in range(len(rows)):
        weights[index] = len(rows) / (present * sizes[table.target[rows[index]]])


@merged
def _ask(
    table: Table,
    plot: Plot,
    tested: NDArray[np.int32],
    reach: float,
    is_smoothed: bool,
    predicted: Integers,
    scores: Floats,
) -> None:
    """Fill in what a tree says of some rows."""
    shares, rows, way = plot.bench.right, plot.rows[: len(tested)], plot.paths.way
    for index in range(len(tested)):
        rows[index] = tested[index]
    if len(predicted):
        find_leaves(table, plot.tree, ZERO, rows, reach, way)
    for index in range(len(tested)):
        row = tested[index]
        if len(predicted):
            leaf = way[row]
            if leaf >= 0:
                _shares_at(plot.tree, leaf, shares)
            else:
                _shares_of(table, plot.tree, row, reach, NO, shares)
            predicted[row] = _winner(shares)
        if len(scores):
            _shares_of(table, plot.tree, row, reach, is_smoothed, scores[row])


@lean()
def _shares_at(tree: Tree, leaf: int, shares: Floats) -> None:
    """Fill in the share of each class at a leaf."""
    total = 0.0
    for each in range(len(shares)):
        total += tree.counts[leaf, each]
    for each in range(len(shares)):
        shares[each] = tree.counts[leaf, each] / total


@merged
def _winner(shares: Floats) -> int:
    """Class of the largest share, the first of equals."""
    best = 0
    for each in range(1, len(shares)):
        if shares[each] - shares[best] > SMALL:
            best = each
    return best


@lean()
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
    top = ZERO  # not plain: see compiling.py
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
