"""What pruning decides by: pessimistic errors of a leaf, and of a branch that takes its parent's place."""

import numpy as np

from fsdesk.kernels.c45_table import Floats, Options, Table, is_same
from fsdesk.kernels.c45_tree import Arena, Paths, Tree, divided, find_leaves
from fsdesk.kernels.compiling import lean, merged

__all__ = ["errors_if_raised", "largest_branch", "leaf_errors", "wrong"]

_TOUCHED = -2  # a leaf that got more rows
_AHEAD = 32  # rows that are sent down together; most branches turn out not to pay before all were


@lean()
def wrong(counts: Floats) -> float:
    """Weight of the rows that are not of the most frequent class."""
    total = most = 0.0
    for each in range(len(counts)):
        total += counts[each]
        most = max(most, counts[each])
    return total - most


@lean()
def leaf_errors(counts: Floats, options: Options) -> float:
    """Pessimistic number of errors of a leaf: the upper confidence limit of a binomial (Quinlan 1993, section 4.2).

    Between 0 and 1 observed errors it is interpolated; from 1 on it is the normal approximation with correction for
    continuity.
    """
    total = 0.0
    for each in range(len(counts)):
        total += counts[each]
    if is_same(total, 0.0):
        return 0.0
    errors = wrong(counts)
    if errors >= 1.0:
        return errors + _normal_excess(total, errors, options.quantile)
    none = total * (1.0 - options.confidence ** (1.0 / total))
    if errors == 0.0:
        return float(none)
    return float(errors + none + errors * (_normal_excess(total, 1.0, options.quantile) - none))


@lean()
def _normal_excess(total: float, errors: float, z: float) -> float:
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    f = (errors + 0.5) / total
    spread = z * np.sqrt(f / total - f * f / total + z * z / (4.0 * total * total))
    return float(total * (f + z * z / (2.0 * total) + spread) / (1.0 + z * z / total) - errors)


@merged
def largest_branch(tree: Tree, node: int) -> int:
    """Branch of a node with most training rows, the last of equals."""
    largest, most = tree.first[node], 0.0
    for branch in range(tree.first[node], tree.first[node] + tree.branches[node]):
        size = tree.size[branch]
        if size > most or is_same(size, most):
            largest, most = branch, size
    return int(largest)


@merged
def errors_if_raised(
    table: Table,
    options: Options,
    tree: Tree,
    node: int,
    branch: int,
    arena: Arena,
    free: int,
    reach: float,
    limit: float,
    paths: Paths,
) -> float:
    """Pessimistic errors of a branch if all rows of its parent came to it; NaN where the arena has not the room.

    Infinite as soon as they are known to exceed ``limit``: most branches are far from taking their parent's place.
    """
    if not tree.flags[branch, 1]:
        errors = _errors_with_more(table, options, tree, node, branch, arena, reach, limit, paths)
        if not np.isnan(errors):
            return errors
    return _errors_of_all(table, options, tree, node, branch, arena, free, reach, paths)


@lean()
def _errors_with_more(
    table: Table,
    options: Options,
    tree: Tree,
    node: int,
    branch: int,
    arena: Arena,
    reach: float,
    limit: float,
    paths: Paths,
) -> float:
    """Errors by sending only the rows of the other branches; NaN where a value is missing on the way."""
    own_start, own_end = tree.rows[branch, 0], tree.rows[branch, 1]
    start, end = tree.rows[node, 0], tree.rows[node, 1]
    if own_start < start or own_end > end:
        return np.nan  # rows of unknown way are in several branches
    # More rows never lower the estimate of a leaf, which is never below its wrong rows: a bound for all that come.
    errors = least = tree.errors[branch, 1]
    stop, known = end, start
    for index in range(start, end):
        if own_start <= index < own_end:
            continue
        if index >= known:
            known = _sent_ahead(table, tree, branch, index, end, arena, reach, paths)
        row = arena.row[index]
        leaf = paths.way[row]
        if leaf < 0 or least > limit:
            stop = index
            break
        estimate = tree.errors[leaf, 1]
        if tree.below[leaf] == -1:
            errors -= estimate
            tree.below[leaf] = _TOUCHED
            _weigh_leaf(tree, leaf)
        before = tree.errors[leaf, 2] - tree.errors[leaf, 3]
        kind = table.target[row]
        weight = tree.counts[leaf, kind] + arena.weight[index]
        tree.counts[leaf, kind] = weight
        tree.errors[leaf, 2] += arena.weight[index]
        tree.errors[leaf, 3] = max(tree.errors[leaf, 3], weight)
        after = tree.errors[leaf, 2] - tree.errors[leaf, 3]
        least += max(after - estimate, 0.0) - max(before - estimate, 0.0)
    for index in range(start, stop):
        leaf = paths.way[arena.row[index]]
        if not own_start <= index < own_end and tree.below[leaf] == _TOUCHED:
            tree.below[leaf] = -1
            errors += leaf_errors(tree.counts[leaf], options) if stop == end else 0.0
    for index in range(start, stop):
        if not own_start <= index < own_end:
            row = arena.row[index]
            tree.counts[paths.way[row], table.target[row]] -= arena.weight[index]
    if least > limit:
        return np.inf
    return errors if stop == end else np.nan


@merged
def _sent_ahead(
    table: Table, tree: Tree, branch: int, start: int, end: int, arena: Arena, reach: float, paths: Paths
) -> int:
    """Fill in the leaves below a branch of some of these rows, and tell which is the first of the others."""
    end = min(end, start + _AHEAD)
    rows = paths.source.row[: end - start]
    for index in range(start, end):
        rows[index - start] = arena.row[index]
    find_leaves(table, tree, branch, rows, reach, paths.way)
    return end


@lean()
def _weigh_leaf(tree: Tree, leaf: int) -> None:
    """Fill in the weight of a leaf's rows and of those of its largest class, to be kept up as more rows come."""
    total = most = 0.0
    for each in range(tree.counts.shape[1]):
        total += tree.counts[leaf, each]
        most = max(most, tree.counts[leaf, each])
    tree.errors[leaf, 2], tree.errors[leaf, 3] = total, most


@lean()
def _errors_of_all(
    table: Table,
    options: Options,
    tree: Tree,
    node: int,
    branch: int,
    arena: Arena,
    free: int,
    reach: float,
    paths: Paths,
) -> float:
    """Errors by sending all rows of the parent; stretches of rows below the branch are overwritten."""
    tree.rows[branch, 0], tree.rows[branch, 1] = tree.rows[node, 0], tree.rows[node, 1]
    top, errors, counts = branch, 0.0, paths.counts
    while top >= 0:
        here = top
        top = tree.below[here]
        tree.below[here] = -1
        start, end = tree.rows[here, 0], tree.rows[here, 1]
        if tree.feature[here] < 0:
            counts[:] = 0.0
            for index in range(start, end):
                counts[table.target[arena.row[index]]] += arena.weight[index]
            errors += leaf_errors(counts, options)
            continue
        free = divided(table, tree, here, start, end, arena, free, reach, paths) if free >= 0 else -1
        for each in range(tree.branches[here]):
            below = tree.first[here] + each
            tree.rows[below, 0], tree.rows[below, 1] = paths.edges[each], paths.edges[each + 1]
            if free >= 0:
                tree.below[below] = top
                top = below
    return errors if free >= 0 else np.nan
