"""A growing decision tree: its nodes, the rows at each of them, and the ways that rows take."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_table import SMALL, Entries, Floats, Integers, Table, is_same
from fsdesk.kernels.compiling import lean
from fsdesk.kernels.lanes import LANES

__all__ = [
    "NEW",
    "OPEN",
    "REOPENED",
    "SETTLED",
    "Arena",
    "Paths",
    "Tree",
    "arena_for",
    "branch_of",
    "divided",
    "find_leaves",
    "parted",
    "paths_for",
    "sapling",
]

# What is left to do at a node: choose its split; finish it when its branches are; settle its rows anew after
# a branch was raised; finish it then; nothing.
NEW, OPEN, SETTLED, REOPENED = 0, 1, 2, 3


class Tree(NamedTuple):
    """Nodes by number, the root being 0; the branches of a node are neighbours.

    Attributes
    ----------
    feature
        (m,) that a node asks for; -1 at leaves.
    threshold
        (m,) of a numeric feature: rows with a value up to this take the first branch.
    first, branches
        (m,) first branch of a node and how many there are.
    counts
        (m, classes) weight of training rows at a node.
    size
        (m,) sum of the counts as grown; a leaf without rows has the counts of its parent in the end.
    errors
        (m, 4) wrongly classified training rows below a node before pruning, and the pessimistic estimate after it; of a
        leaf that more rows are sent to, the weight of its rows, and that of its largest class.
    rows
        (m, 4) where the rows of a node begin and end in the arena, where the arena was free before it was divided, and
        where the node's rows begin in the sorted lists. These are a pile: a node's branches take its own place there.
    flags
        (m, 4) what is left to do, whether rows below miss values that are asked for, and how many numeric and nominal
        features differ.
    below
        (m,) node that is next in the pile of unfinished ones; -1 where there is none.
    """

    feature: Integers
    threshold: Floats
    first: Integers
    branches: Integers
    counts: Floats
    size: Floats
    errors: Floats
    rows: Integers
    flags: Integers
    below: Integers


class Arena(NamedTuple):
    """(m,) training rows of all nodes, each node a stretch, and the weight with which a row is there."""

    row: NDArray[np.int32]
    weight: Floats


class Paths(NamedTuple):
    """Where the rows of one node go, and room to send them there.

    Attributes
    ----------
    way
        (n,) branch of each row; -1 where it is unknown.
    edges
        (branches + 1,) where the rows of each branch begin in the arena, and where the last ones end.
    share
        (branches,) of the known rows.
    features
        (q,) those whose sorted rows are sent.
    spot, counts, tally, source, spare
        (branches,), (classes,), (classes,), (n,), (n + ``LANES``,) to work with.
    """

    way: NDArray[np.int32]
    edges: Integers
    share: Floats
    features: Integers
    spot: Integers
    counts: Floats
    tally: Integers
    source: Arena
    spare: Entries


def arena_for(rows: int) -> Arena:
    """Arena with room for some rows."""
    return Arena(np.empty(rows, dtype=np.int32), np.empty(rows))


def paths_for(table: Table, chosen: Integers) -> Paths:
    """Paths for any node."""
    n, branches = len(table.target), max(2, int(table.levels.max()))
    return Paths(
        np.empty(n, dtype=np.int32),
        np.empty(branches + 1, dtype=np.int64),
        np.empty(branches),
        np.empty(len(chosen), dtype=np.int64),
        np.empty(branches, dtype=np.int64),
        np.empty(table.classes),
        np.empty(table.classes, dtype=np.int64),
        arena_for(n),
        np.empty(n + LANES, dtype=table.entries.dtype),
    )


def sapling(nodes: int, classes: int) -> Tree:
    """Tree with room for some nodes."""
    return Tree(
        np.full(nodes, -1, dtype=np.int64),
        np.zeros(nodes),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        np.zeros((nodes, classes)),
        np.zeros(nodes),
        np.zeros((nodes, 4)),
        np.zeros((nodes, 4), dtype=np.int64),
        np.zeros((nodes, 4), dtype=np.int64),
        np.full(nodes, -1, dtype=np.int64),
    )


@lean()
def branch_of(table: Table, tree: Tree, node: int, row: int, reach: float) -> int:
    """Branch that a row takes at a node; -1 where its value is missing."""
    feature = tree.feature[node]
    value = table.raw[feature, row]
    if np.isnan(value):
        return -1
    if table.levels[feature] > 0:
        return int(value)
    threshold = tree.threshold[node]
    return 0 if value <= threshold or value - threshold < reach else 1


@lean()
def find_leaves(
    table: Table, tree: Tree, top: int, rows: NDArray[np.int32], reach: float, way: NDArray[np.int32]
) -> None:
    """Fill in the leaves that rows come to from a node; -1 where a value is missing on the way.

    All rows go down together, level by level, without a branch for what nobody can foresee: while one waits for its
    value, the others work.

    Parameters
    ----------
    rows
        (m,) they do not come back.
    way
        (n,) leaf of each of these rows.
    """
    for index in range(len(rows)):
        way[rows[index]] = top
    count = len(rows) if tree.feature[top] >= 0 else 0
    while count > 0:
        kept = np.uint64(0)  # unsigned numbers spare a check for places counted from the end
        for index in range(count):
            row = np.uint64(rows[np.uint64(index)])
            node = np.uint64(way[row])
            feature = np.uint64(tree.feature[node])
            value = table.raw[feature, row]
            if np.isnan(value):
                way[row] = -1
                continue
            if table.levels[feature] > 0:
                branch = int(value)
            else:
                threshold = tree.threshold[node]
                branch = int((value > threshold) & (not value - threshold < reach))
            below = tree.first[node] + branch
            way[row] = below
            rows[kept] = row
            kept += np.uint64(tree.feature[np.uint64(below)] >= 0)
        count = int(kept)


@lean()
def divided(
    table: Table, tree: Tree, node: int, start: int, end: int, arena: Arena, free: int, reach: float, paths: Paths
) -> int:
    """Send a stretch of rows down the branches of a node; one of unknown way goes down all, in shares.

    Parameters
    ----------
    start, end
        The rows, in the arena; those of one branch become neighbours where no value is missing.
    free
        From where on the arena is free; used where values are missing.
    paths
        Its ways, edges and shares are filled in.

    Returns
    -------
    From where on the arena is free then; the same where no value is missing. -1 where it has not the room.
    """
    feature = tree.feature[node]
    if table.levels[feature] == 0 and table.known[feature] == len(table.target):
        _cut_in_two(table.raw[feature], tree.threshold[node], start, end, arena, reach, paths)
        return free
    way, edges, share, source = paths.way, paths.edges, paths.share, paths.source
    branches, missing, known = tree.branches[node], 0, 0.0
    edges[: branches + 1] = 0
    share[:branches] = 0.0
    for index in range(start, end):
        row, weight = arena.row[index], arena.weight[index]
        source.row[index - start], source.weight[index - start] = row, weight
        branch = branch_of(table, tree, node, row, reach)
        way[row] = branch
        if branch < 0:
            missing += 1
        else:
            edges[branch + 1] += 1
            share[branch] += weight
            known += weight
    for branch in range(branches):
        share[branch] = share[branch] / known if not is_same(known, 0.0) else 1.0 / branches
        edges[branch + 1] += missing if share[branch] > SMALL else 0
    edges[0] = free if missing else start
    for branch in range(branches):
        edges[branch + 1] += edges[branch]
        paths.spot[branch] = edges[branch]
    if edges[branches] > len(arena.row):
        return -1
    _deal(paths, branches, end - start, arena)
    return edges[branches] if missing else free


@lean()
def _cut_in_two(
    values: Floats, threshold: float, start: int, end: int, arena: Arena, reach: float, paths: Paths
) -> None:
    """As :func:`divided` by a column that lacks no value: without a branch for what nobody can foresee."""
    way, source, left, right = paths.way, paths.source, np.uint64(start), np.uint64(0)
    for index in range(start, end):
        # Unsigned numbers spare a check for places counted from the end.
        row, weight = np.uint64(arena.row[np.uint64(index)]), arena.weight[np.uint64(index)]
        value = values[row]
        side = np.uint64((value > threshold) & (not value - threshold < reach))
        way[row] = side
        arena.row[left], arena.weight[left] = row, weight
        source.row[right], source.weight[right] = row, weight
        right += side
        left += np.uint64(1) - side
    for rest in range(np.int64(right)):
        arena.row[left], arena.weight[left] = source.row[np.uint64(rest)], source.weight[np.uint64(rest)]
        left += np.uint64(1)
    paths.edges[0], paths.edges[1], paths.edges[2] = start, end - np.int64(right), end


@lean()
def parted(
    tree: Tree, node: int, entries: Entries, below: int, class_shift: int, kinds: int, arena: Arena, paths: Paths
) -> None:
    """As :func:`divided`, and count the rows of both branches, where all rows weigh 1 and none misses its value.

    Parameters
    ----------
    entries, below
        (m,) rows of the node, sorted by the feature that it asks for, and how many take the first branch.
    kinds
        The bits of a class.
    """
    way, start, row_bits, first = paths.way, tree.rows[node, 0], (1 << class_shift) - 1, tree.first[node]
    for place in range(len(entries)):
        row = np.int64(entries[place]) & row_bits
        way[np.uint64(row)] = place >= below
        arena.row[start + place] = row
    paths.edges[0], paths.edges[1], paths.edges[2] = start, start + below, start + len(entries)
    few, many, begin, end = first, first + 1, 0, below
    if 2 * below > len(entries):
        few, many, begin, end = first + 1, first, below, len(entries)
    counts = paths.tally
    for each in range(len(counts)):
        counts[each] = 0
    for place in range(begin, end):
        counts[np.uint64((np.int64(entries[place]) >> class_shift) & kinds)] += 1
    for each in range(len(counts)):
        tree.counts[few, each], tree.counts[many, each] = counts[each], tree.counts[node, each] - counts[each]


@lean()
def _deal(paths: Paths, branches: int, rows: int, arena: Arena) -> None:
    way, share, spot, source = paths.way, paths.share, paths.spot, paths.source
    for index in range(rows):
        row, weight = source.row[index], source.weight[index]
        branch = way[row]
        if branch >= 0:
            arena.row[spot[branch]], arena.weight[spot[branch]] = row, weight
            spot[branch] += 1
            continue
        for each in range(branches):
            if share[each] > SMALL:
                arena.row[spot[each]], arena.weight[spot[each]] = row, weight * share[each]
                spot[each] += 1
