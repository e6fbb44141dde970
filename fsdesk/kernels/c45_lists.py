"""The sorted rows of a node sent down its branches."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.c45_lanes import send_lanes
from fsdesk.kernels.c45_table import SMALL, Entries, Integers, Table, marked, others
from fsdesk.kernels.c45_tree import Paths
from fsdesk.kernels.compiling import MINUS_ONE, ZERO, lean

__all__ = ["sent_down"]


@lean()
def sent_down(
    table: Table,
    chosen: Integers,
    lists: Entries,
    alive: int,
    start: int,
    rows: int,
    paths: Paths,
    branches: int,
    is_known: bool,
    open_branches: int,
) -> None:
    """Send the sorted rows of a node down the same ways, so that those of each branch stay sorted.

    Parameters
    ----------
    lists
        (q, ...) entries sorted by each feature.
    alive
        Of how many features lists are wanted further down, if they have one: the first of ``paths.features``.
    start, rows
        Where those of the node begin, and how many rows it has; its branches' begin there, too, one after another.
    is_known
        Whether no row goes down more than one branch.
    open_branches
        Of two branches, those whose rows are wanted: 1 the first, 2 the second, 3 both.
    paths
        As :func:`divided` left them.
    """
    way, edges, share, spot, spare = paths.way, paths.edges, paths.share, paths.spot, paths.spare
    row_bits, shift = (1 << table.class_shift) - 1, table.rank_shift
    for position in range(alive):
        index = paths.features[position]
        rank, entries = table.common[chosen[index], 2], lists[index, start:]
        if rank < 0 and table.levels[chosen[index]] > 0:
            continue
        count = others(entries[:rows], rank, shift, row_bits)
        if branches == 2 and is_known:
            below = edges[1] - edges[0]
            left = _sent_two_ways(entries[:rows], count, below, row_bits, open_branches, way, spare)
            if count < rows:
                marked(entries[:below], left, rank, shift)
                marked(entries[below:rows], count - left, rank, shift)
            continue
        for place in range(count):
            spare[place] = entries[place]
        for branch in range(branches):
            spot[branch] = edges[branch] - edges[0]
        for place in range(count):
            entry = spare[place]
            branch = way[entry & row_bits]
            if branch >= 0:
                entries[spot[branch]] = entry
                spot[branch] += 1
                continue
            for each in range(branches):
                if share[each] > SMALL:
                    entries[spot[each]] = entry
                    spot[each] += 1
        for branch in range(branches):
            begin, end = edges[branch] - edges[0], edges[branch + 1] - edges[0]
            marked(entries[begin:end], spot[branch] - begin, rank, shift)


@lean()
def _sent_two_ways(
    entries: Entries, count: int, below: int, row_bits: int, open_branches: int, way: NDArray[np.int32], spare: Entries
) -> int:
    """Send the first ``count`` of the entries; how many took the first branch, unless its rows are not wanted."""
    back = below if open_branches != 1 else MINUS_ONE
    sent = send_lanes(entries, ZERO, count, row_bits, way, entries, ZERO, spare, back)
    if sent >= 0:
        return int(sent)
    # Unsigned numbers spare a check for places counted from the end.
    left, right = np.uint64(0), np.uint64(0)
    if open_branches == 1:
        for place in range(count):
            entry = entries[np.uint64(place)]
            entries[left] = entry
            left += np.uint64(1 - way[np.uint64(np.int64(entry) & row_bits)])
    elif open_branches == 2 and count == len(entries):
        free = np.uint64(len(entries) - 1)
        for back in range(1, len(entries) + 1):
            entry = entries[np.uint64(len(entries) - back)]
            entries[free] = entry
            free -= np.uint64(way[np.uint64(np.int64(entry) & row_bits)])
    else:
        for place in range(count):
            entry = entries[np.uint64(place)]
            side = np.uint64(way[np.uint64(np.int64(entry) & row_bits)])
            entries[left] = entry
            spare[right] = entry
            right += side
            left = np.uint64(place + 1) - right
        for place in range(np.int64(right)):
            entries[np.uint64(below + place)] = spare[np.uint64(place)]
    return int(np.int64(left))
