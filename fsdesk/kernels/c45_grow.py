"""Growing one tree, depth first: a node is pruned as soon as all below it are done."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_bench import Bench, tell_many_levels, workbench
from fsdesk.kernels.c45_choose import chosen_split
from fsdesk.kernels.c45_lists import sent_down
from fsdesk.kernels.c45_logs import Logs
from fsdesk.kernels.c45_prune import errors_if_raised, largest_branch, leaf_errors, wrong
from fsdesk.kernels.c45_scan import BLOCK
from fsdesk.kernels.c45_settle import settle, settled_threshold
from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Options, Table, is_same, is_smaller, marked
from fsdesk.kernels.c45_tree import (
    NEW,
    OPEN,
    REOPENED,
    SETTLED,
    Arena,
    Paths,
    Tree,
    arena_for,
    divided,
    parted,
    paths_for,
    sapling,
)
from fsdesk.kernels.compiling import MINUS_ONE, ONE, YES, ZERO, lean, merged
from fsdesk.kernels.lanes import LANES

__all__ = ["Plot", "grow_tree", "plot_for"]

_NOTHING_GAINED = 1e-3  # a split that saves fewer training errors is undone before pruning
_TOLERATED = 0.1  # a simpler tree may be estimated to err so much more
_BOTH = 2  # categories of a feature, of which both must have enough rows
_STAYED, _RAISED, _NO_ROOM = 0, 1, 2  # what came of finishing a node


class Plot(NamedTuple):
    """Room for one tree after another.

    Attributes
    ----------
    tree, arena, lists
        The tree, the rows at its nodes, and (q + spare, ...) those of open nodes sorted by each feature. What lies
        beyond the rows of a node is no longer wanted when its turn comes, and may be written over.
    bench, paths, logs, is_training
        What growing works with.
    rows, weights, tested
        (n,) each: training rows of a fit and their weights, and its test rows.
    least
        Every leaf has as many rows.
    """

    tree: Tree
    arena: Arena
    lists: Entries
    bench: Bench
    paths: Paths
    logs: Logs
    is_training: NDArray[np.uint8]
    rows: NDArray[np.int32]
    weights: Floats
    tested: NDArray[np.int32]
    least: float


def plot_for(table: Table, options: Options, logs: Logs, chosen: Integers, nodes: int, rows: int, length: int) -> Plot:
    """Room for trees.

    Parameters
    ----------
    nodes, rows
        How many of them, a row counting once for each branch that it goes down where its value is missing.
    length
        Of the sorted lists, for which rows at one depth of the tree count.
    """
    n, spare = len(table.target), 1 + BLOCK // (length + 1)
    # Thresholds of crowded features move, and of many categories two must have enough rows.
    is_least = not table.crowded[chosen].any() and int(table.levels[chosen].max()) <= _BOTH
    return Plot(
        sapling(nodes, table.classes),
        arena_for(rows),
        np.empty((len(chosen) + spare, length + LANES), dtype=table.entries.dtype),
        workbench(table, chosen),
        paths_for(table, chosen),
        logs,
        np.zeros(n, dtype=np.uint8),
        np.empty(n, dtype=np.int32),
        np.empty(n),
        np.empty(n, dtype=np.int32),
        options.min_rows if is_least else 0.0,
    )


@merged
def grow_tree(
    table: Table, options: Options, chosen: Integers, rows: NDArray[np.int32], weights: Floats, plot: Plot
) -> bool:
    """Grow and prune a tree.

    Parameters
    ----------
    chosen
        (q,) features that it may ask for, ascending.
    rows, weights
        (m,) training rows, at least one, ascending, and their weights, above 0.
    plot
        Where the tree goes; some of its nodes may be out of use, cut off from the root.

    Returns
    -------
    Whether there was room.
    """
    reach = options.gap / 10  # J48 compares with a threshold ten times as closely as it looks for cuts
    tree, arena = plot.tree, plot.arena
    _prepare(table, chosen, rows, weights, plot)
    nodes, free, top = ONE, len(rows), MINUS_ONE  # not plain: see compiling.py
    _count(table, tree, ZERO, arena)
    if _is_open(options, plot.least, tree, ZERO):
        top = ZERO
    while top >= 0:
        node = top
        top = tree.below[node]
        tree.below[node] = -1
        task = tree.flags[node, 0]
        if task == NEW and not _split(table, options, chosen, node, reach, plot):
            continue
        if task in (NEW, SETTLED):
            tree.below[node] = top
            nodes, free, top = _branched(table, options, chosen, node, nodes, free, reach, plot)
            if free < 0:
                return False
            continue
        raised = _finished(table, options, tree, node, arena, free, reach, plot.paths)
        free = tree.rows[node, 2]
        if raised == _NO_ROOM:
            return False
        if raised == _RAISED:
            tree.below[node] = top
            top = node
        elif task == OPEN and tree.feature[node] < 0:
            nodes = tree.first[node]
    settle(table, tree, plot.is_training, reach)
    return True


@merged
def _prepare(table: Table, chosen: Integers, rows: NDArray[np.int32], weights: Floats, plot: Plot) -> None:
    """Start from a root that has all training rows, also sorted by each numeric feature."""
    tree, is_training, lists = plot.tree, plot.is_training, plot.lists
    is_training[:] = 0
    row_bits = (1 << table.class_shift) - 1
    tree.below[:] = -1
    tell_many_levels(table, chosen, len(rows), plot.bench.counted)
    tree.rows[0, 0], tree.rows[0, 1], tree.rows[0, 3] = 0, len(rows), 0
    tree.flags[0, 0], tree.flags[0, 2], tree.flags[0, 3] = NEW, len(plot.bench.alive), len(plot.bench.nominal)
    for index in range(len(rows)):
        is_training[rows[index]] = 1
        plot.arena.row[index], plot.arena.weight[index] = rows[index], weights[index]
    for index in range(len(chosen)):
        column = chosen[index]
        if table.levels[column] > 0 and table.common[column, 2] < 0:
            continue
        begin, end = table.common[column, 0], table.common[column, 1]
        count = _take_training(table.entries[column], begin, end, row_bits, is_training, lists[index])
        marked(lists[index, : len(rows)], count, table.common[column, 2], table.rank_shift)


@lean()
def _take_training(
    entries: Entries, begin: int, end: int, row_bits: int, is_training: NDArray[np.uint8], taken: Entries
) -> int:
    """Fill in the training ones of a column's sorted rows, but those from ``begin`` to ``end``, and tell how many.

    There is room for one more.
    """
    count = np.uint64(0)  # unsigned numbers spare a check for places counted from the end
    for place in range(begin):
        entry = entries[np.uint64(place)]
        taken[count] = entry
        count += np.uint64(is_training[np.uint64(np.int64(entry) & row_bits)])
    for place in range(end, len(entries)):
        entry = entries[np.uint64(place)]
        taken[count] = entry
        count += np.uint64(is_training[np.uint64(np.int64(entry) & row_bits)])
    return int(count)


@lean()
def _count(table: Table, tree: Tree, node: int, arena: Arena) -> None:
    """Count the rows of a node by class."""
    counts = tree.counts[node]
    counts[:] = 0.0
    for index in range(tree.rows[node, 0], tree.rows[node, 1]):
        counts[table.target[arena.row[index]]] += arena.weight[index]


@lean()
def _is_open(options: Options, least: float, tree: Tree, node: int) -> bool:
    """Whether a node, its rows counted, may have branches; else it is settled as a leaf.

    Where all leaves have ``least`` rows or more, errors of a node become fewer only in a leaf in which another class
    outnumbers the node's: r rows of other classes save at most 2 r - least. Splits that save nothing would be undone.
    """
    counts = tree.counts[node]
    size = most = 0.0
    for each in range(len(counts)):
        size += counts[each]
        most = max(most, counts[each])
    tree.size[node] = size
    if tree.flags[node, 0] == NEW:
        tree.feature[node] = -1
        tree.errors[node, 0] = size - most
        saved = 2 * (size - most) - least
        if not is_smaller(size, 2 * options.min_rows) and not is_same(size, most) and saved > _NOTHING_GAINED / 2:
            return True
    elif tree.feature[node] >= 0:
        return True
    tree.errors[node, 1] = leaf_errors(counts, options)
    tree.flags[node, 1] = 0
    return False


@merged
def _split(table: Table, options: Options, chosen: Integers, node: int, reach: float, plot: Plot) -> bool:
    """Choose the split of a node; whether there is one, else it is settled as a leaf."""
    tree, arena = plot.tree, plot.arena
    start, end = tree.rows[node, 0], tree.rows[node, 1]
    is_unit = YES
    for index in range(start, end):
        is_unit &= arena.weight[index] == 1.0
    flags = tree.flags[node]
    tree.feature[node], tree.threshold[node], flags[2], flags[3] = chosen_split(
        table,
        options,
        chosen,
        plot.lists,
        flags[2],
        flags[3],
        arena.row[start:end],
        arena.weight[start:end],
        tree.rows[node, 3],
        is_unit,
        tree.counts[node],
        plot.logs,
        plot.bench,
    )
    feature = tree.feature[node]
    if feature < 0:
        tree.errors[node, 1] = leaf_errors(tree.counts[node], options)
        tree.flags[node, 1] = 0
    elif table.levels[feature] == 0 and table.crowded[feature]:
        tree.threshold[node] = settled_threshold(table, feature, tree.threshold[node], plot.is_training, reach)
    return bool(feature >= 0)


@merged
def _branched(
    table: Table, options: Options, chosen: Integers, node: int, nodes: int, free: int, reach: float, plot: Plot
) -> tuple[int, int, int]:
    """Divide the rows of a node and pile up its branches.

    Returns
    -------
    Number of nodes, where the arena is free, and the top of the pile; -1 for the second where there is no room.
    """
    tree, arena, paths = plot.tree, plot.arena, plot.paths
    is_new = tree.flags[node, 0] == NEW
    if is_new:
        levels = table.levels[tree.feature[node]]
        tree.first[node], tree.branches[node] = nodes, levels if levels > 0 else 2
        nodes += tree.branches[node]
    start, end = tree.rows[node, 0], tree.rows[node, 1]
    alive, nominal = tree.flags[node, 2], tree.flags[node, 3]
    tree.rows[node, 2] = free
    if nodes > len(tree.feature):
        return nodes, -1, node
    first, now_free, is_parted = tree.rows[node, 3], free, is_new and plot.bench.cut_at[1] > 0
    if is_parted:
        entries = plot.lists[plot.bench.cut_at[0], first : first + end - start]
        kinds = (1 << (table.rank_shift - table.class_shift)) - 1
        parted(tree, node, entries, plot.bench.cut_at[1], table.class_shift, kinds, arena, paths)
    else:
        now_free = divided(table, tree, node, start, end, arena, free, reach, paths)
    if (
        is_new
        and now_free >= 0
        and first + paths.edges[tree.branches[node]] - paths.edges[0] > plot.lists.shape[1] - LANES
    ):
        now_free = MINUS_ONE
    tree.flags[node, 0] = OPEN if is_new else REOPENED
    tree.flags[node, 1] = int(now_free > free)
    top, open_branches = node, ZERO  # not plain: see compiling.py
    for each in range(tree.branches[node]):
        branch = tree.first[node] + each
        tree.rows[branch, 0], tree.rows[branch, 1] = paths.edges[each], paths.edges[each + 1]
        tree.rows[branch, 3] = first + paths.edges[each] - paths.edges[0]
        tree.flags[branch, 0] = NEW if is_new else SETTLED
        tree.flags[branch, 2], tree.flags[branch, 3] = alive, nominal
        if now_free >= 0 and not is_parted:
            _count(table, tree, branch, arena)
        if now_free >= 0 and _is_open(options, plot.least, tree, branch):
            tree.below[branch] = top
            top = branch
            open_branches |= 1 << each
    if is_new and top != node:
        is_known, branches, rows, bench = now_free == free, tree.branches[node], end - start, plot.bench
        for index in range(alive):
            paths.features[index] = bench.alive[index]
        for index in range(nominal):
            paths.features[alive + index] = bench.nominal[index]
        count = alive + nominal
        sent_down(table, chosen, plot.lists, count, first, rows, paths, branches, is_known, open_branches)
    return nodes, now_free, top


@merged
def _finished(
    table: Table, options: Options, tree: Tree, node: int, arena: Arena, free: int, reach: float, paths: Paths
) -> int:
    """Prune at a node whose branches are done; whether a branch took the place of the node."""
    training = pessimistic = 0.0
    for branch in range(tree.first[node], tree.first[node] + tree.branches[node]):
        training += tree.errors[branch, 0]
        pessimistic += tree.errors[branch, 1]
        tree.flags[node, 1] |= tree.flags[branch, 1]
    tree.errors[node, 1] = pessimistic
    as_leaf = leaf_errors(tree.counts[node], options)
    if tree.flags[node, 0] == OPEN:
        tree.errors[node, 0] = training
        if training >= wrong(tree.counts[node]) - _NOTHING_GAINED:
            _make_leaf(tree, node, as_leaf)
            return _STAYED
    if not options.is_pruned:
        return _STAYED
    largest, raised = largest_branch(tree, node), np.inf
    if options.is_raising:
        # What is not raised becomes a leaf where that errs no more than the branches: only a better one counts then.
        limit = pessimistic + _TOLERATED
        limit = (as_leaf - _TOLERATED if as_leaf < limit + SMALL else limit) + 2 * SMALL
        raised = errors_if_raised(table, options, tree, node, largest, arena, free, reach, limit, paths)
        if np.isnan(raised):
            return _NO_ROOM
    if as_leaf < pessimistic + _TOLERATED + SMALL and as_leaf < raised + _TOLERATED + SMALL:
        _make_leaf(tree, node, as_leaf)
        return _STAYED
    if raised >= pessimistic + _TOLERATED + SMALL:
        return _STAYED
    tree.feature[node], tree.threshold[node] = tree.feature[largest], tree.threshold[largest]
    tree.first[node], tree.branches[node] = tree.first[largest], tree.branches[largest]
    tree.flags[node, 0] = SETTLED
    return _RAISED


@lean()
def _make_leaf(tree: Tree, node: int, errors: float) -> None:
    tree.feature[node] = -1
    tree.errors[node, 1] = errors
    tree.flags[node, 1] = 0
