"""CART trees of all folds of a cross-validation, grown only as far as their test rows reach.

A tree is never stored: its test rows go down with it, and a node that none of them reaches is left out, since nothing
it could say is asked for. Every column is sorted once for the whole table; a node's list of a column is dealt from its
parent's and read at once, while it is still in the cache.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import cart_fields as at
from fsdesk.kernels.cart_compiled import inlined
from fsdesk.kernels.cart_lists import keep, list_with_filled_gaps, part
from fsdesk.kernels.cart_node import open_node, predict
from fsdesk.kernels.cart_scan import scan_counts, scan_entropy, scan_gini, scan_moments
from fsdesk.kernels.cart_work import Rules, Table, Work, workspace
from fsdesk.kernels.compiling import NO, ONE, YES, ZERO, lean, merged
from fsdesk.kernels.presort import Packed

__all__ = ["grow"]

_LARGE = 1 << 17  # cells of lists for which it pays to look how many rows train
_SURE = 10_000  # up to so many rows, a score within the margin of a perfect split's is one

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]


def grow(table: Table, rules: Rules, labels: Integers, folds: int, codes: Integers, numbers: Doubles) -> None:
    """Predict every row from the tree of its fold.

    Parameters
    ----------
    labels, folds
        (repeats, n) folds, and their number.
    codes
        (repeats, n) out: most frequent class of the row's leaf, the first of several; left alone for VARIANCE.
    numbers
        (repeats, n, classes) out: share of each class in the row's leaf, or (repeats, n, 1) its mean response;
        (repeats, 0, 0) where they are not wanted. Filled with 0 before.
    """
    stride = len(table.target)
    # Where folds fill gaps, these are sorted in before the test rows are left out.
    if len(table.chosen) * stride > _LARGE and not (table.gap >= 0).any():
        own = folds + 1  # of each repeat, the first for rows that are never tested
        fits = labels + 1 + own * np.arange(len(labels))[:, None]
        tested = np.bincount(fits.ravel(), minlength=own * len(labels)).reshape(-1, own)[:, 1:]
        stride -= int(tested.min(initial=stride))
    work = workspace(table, stride)
    _grow(table, rules, work, labels, folds, np.empty(len(work.node), dtype=np.int64), codes, numbers)


@lean(has_door=True)
def _grow(
    table: Table,
    rules: Rules,
    work: Work,
    labels: Integers,
    folds: int,
    waiting: Integers,
    codes: Integers,
    numbers: Doubles,
) -> None:
    root = ZERO  # not plain: see compiling.py
    for repeat in range(len(labels)):
        for fold in range(folds):
            fit = repeat * folds + fold
            if not _plant(table, rules, work, labels[repeat], fold, fit):
                continue
            waits = _settle(table, rules, work, root, work.rows, root, waiting, root, codes[repeat], numbers[repeat])
            while waits > 0:
                waits = _split(table, rules, work, fit, waiting, waits - 1, codes[repeat], numbers[repeat])


@merged
def _plant(table: Table, rules: Rules, work: Work, labels: Integers, fold: int, fit: int) -> bool:
    """Make the root of one fit, with its best split; return False where the fold has no test row."""
    n, node, root = len(labels), work.node, ZERO
    tests, rows, goes_left = work.tests, work.rows, work.goes_left
    count = tested = root
    for row in range(n):
        if labels[row] == fold:
            tests[tested] = row
            tested += 1
        else:
            rows[count] = row
            count += 1
        goes_left[row] = labels[row] != fold
    if tested == 0:
        return False
    if rules.balanced:
        work.class_size[:] = 0.0
        for place in range(count):
            work.class_size[table.target[rows[place]]] += 1.0
    node[0, at.BEGIN], node[0, at.COUNT], node[0, at.DEPTH] = 0, count, 0
    node[0, at.TEST_BEGIN], node[0, at.TESTED] = 0, tested
    if not open_node(table, rules, work, root, rows, root):
        return True
    for j in range(len(table.chosen)):
        work.active[0, j] = j
        if table.gap[j] >= 0:
            values, fill = table.columns[table.chosen[j]], table.fill[table.gap[j], fit]
            list_with_filled_gaps(
                table.order, work.origin[j], values, fill, work.shift, work.row_bits, work.lists, j * len(work.spare)
            )
    # The whole table is dealt to the root, its left child, and to no one else.
    node[1, at.OPEN], node[1, at.BEGIN] = 0, 0
    _deal(table, rules, work, YES, root, n, root, len(table.chosen), root, ONE)
    return True


@lean()
def _deal(
    table: Table,
    rules: Rules,
    work: Work,
    is_root: bool,
    begin: int,
    count: int,
    slot: int,
    kept: int,
    left_slot: int,
    right_slot: int,
) -> None:
    """Deal a node's lists to those of its children that are open, and find their best splits.

    Parameters
    ----------
    begin, count, slot, kept
        Where the node's rows stand in its lists, and where its ``kept`` active columns are named: they may be
        overwritten by a child's, which are never more. A child alone stands where its parent stood.
    """
    stride, goes_left, row_bits = len(work.spare), work.goes_left, work.row_bits
    node, active, lists = work.node, work.active, work.lists
    side_by_side = node[left_slot, at.BEGIN] != node[right_slot, at.BEGIN]
    for index in range(kept):
        if node[left_slot, at.OPEN] == 0 and node[right_slot, at.OPEN] == 0:
            return
        j = int(active[slot, index])
        place = j * stride + begin
        if side_by_side:
            part(lists, place, count, row_bits, goes_left, work.spare)
        elif is_root and table.gap[j] < 0:
            keep(table.order, work.origin[j], count, row_bits, goes_left, ONE, lists, place)
        else:
            keep(lists, place, count, row_bits, goes_left, node[left_slot, at.OPEN], lists, place)
        for child in (left_slot, right_slot):
            if node[child, at.OPEN] != 0:
                _look(rules, work, child, j, lists, j * stride + node[child, at.BEGIN])


@merged
def _look(rules: Rules, work: Work, slot: int, j: int, entries: Packed, first: int) -> None:
    """Look for a better split of a node in column j, whose list stands in ``entries`` from ``first`` on."""
    node, score, count, shift, bits = work.node, work.score, work.node[slot, at.COUNT], work.shift, work.row_bits
    if (entries[first] >> shift) == (entries[first + count - 1] >> shift):
        return
    work.active[slot, node[slot, at.KEPT]] = j
    node[slot, at.KEPT] += 1
    limit, margin = score[slot, at.LIMIT], score[slot, at.MARGIN]
    if limit >= score[slot, at.CEILING]:
        return
    scan, begin, present, least = node[slot, at.SCAN], node[slot, at.BEGIN], node[slot, at.PRESENT], rules.min_leaf
    code, weight, total, left, curve = work.code, work.weight, work.total, work.left, work.curvature
    if scan == at.MOMENTS:
        found, limit = scan_moments(
            entries, first, count, shift, bits, work.delta, curve, begin, least, limit, margin
        )  # fmt: skip
    elif scan == at.COUNTS:
        found, limit = scan_counts(
            entries, first, count, shift, bits, work.field, work.largest, work.twice_total, node[slot, at.SQUARED],
            curve, begin, least, limit, margin,
        )  # fmt: skip
    elif scan == at.SQUARES:
        found, limit = scan_gini(
            entries, first, count, shift, bits, code, weight, total, slot, present, left, least, limit, margin
        )
    else:
        found, limit = scan_entropy(
            entries, first, count, shift, bits, code, weight, total, slot, present, left, least, limit, margin,
            work.x_log_x, rules.balanced,
        )  # fmt: skip
    if found > 0:
        node[slot, at.COLUMN], node[slot, at.LEFT], score[slot, at.LIMIT] = j, found, limit
        # A perfect split of two classes or rows: its children are leaves, so no further list is needed.
        if limit >= score[slot, at.CEILING] and count <= _SURE and (present == 2 or count == 2):
            node[slot, at.OPEN] = 0


@inlined
def _settle(
    table: Table,
    rules: Rules,
    work: Work,
    slot: int,
    entries: Packed,
    first: int,
    waiting: Integers,
    waits: int,
    codes: Integers,
    numbers: Doubles,
) -> int:
    """Let a node wait for its split, or where it has none, predict; return how many wait now."""
    if work.node[slot, at.COLUMN] >= 0:
        waiting[waits] = slot
        return waits + 1
    predict(table, rules, work, slot, entries, first, codes, numbers)
    return waits


@merged
def _split(
    table: Table, rules: Rules, work: Work, fit: int, waiting: Integers, waits: int, codes: Integers, numbers: Doubles
) -> int:
    """Split node ``waiting[waits]``; return how many wait now."""
    node, slot = work.node, waiting[waits]
    begin, count, left_count, j = node[slot, at.BEGIN], node[slot, at.COUNT], node[slot, at.LEFT], node[slot, at.COLUMN]
    kept, depth = node[slot, at.KEPT], node[slot, at.DEPTH]
    test_begin, tested = node[slot, at.TEST_BEGIN], node[slot, at.TESTED]
    source = work.lists
    first = j * len(work.spare) + begin
    left_tested = _route(table, work, fit, j, source, first, count, left_count, test_begin, tested)
    # The larger child takes its parent's slot and waits longer: so slots grow with the logarithm of n.
    left_slot, right_slot = (slot, slot + 1) if 2 * left_count >= count else (slot + 1, slot)
    node[left_slot, at.COUNT], node[right_slot, at.COUNT] = left_count, count - left_count
    node[left_slot, at.TEST_BEGIN], node[left_slot, at.TESTED] = test_begin, left_tested
    node[right_slot, at.TEST_BEGIN], node[right_slot, at.TESTED] = test_begin + left_tested, tested - left_tested
    grow_now = 0
    for child in (left_slot, right_slot):
        node[child, at.DEPTH] = depth + 1
        child_first = first if child == left_slot else first + left_count
        node[child, at.BEGIN] = begin if grow_now == 0 else begin + left_count
        is_open = open_node(table, rules, work, child, source, child_first)
        if not is_open:  # now: the lists are dealt in place
            predict(table, rules, work, child, source, child_first, codes, numbers)
        grow_now += is_open
    if node[right_slot, at.OPEN] == 0:
        node[right_slot, at.BEGIN] = begin
    if grow_now > 0:
        _deal(table, rules, work, NO, begin, count, slot, kept, left_slot, right_slot)
    for child in (slot, slot + 1):
        if node[child, at.OPEN] != 0 or node[child, at.COLUMN] >= 0:
            child_first = j * len(work.spare) + node[child, at.BEGIN]
            waits = _settle(table, rules, work, child, source, child_first, waiting, waits, codes, numbers)
    return waits


@merged
def _route(
    table: Table,
    work: Work,
    fit: int,
    j: int,
    source: Packed,
    first: int,
    count: int,
    left_count: int,
    begin: int,
    tested: int,
) -> int:
    """Mark the sides of a node's rows, and move its test rows that go left before the others; return how many do."""
    row_bits, tests = work.row_bits, work.tests
    for place in range(first, first + left_count):
        work.goes_left[source[place] & row_bits] = 1
    for place in range(first + left_count, first + count):
        work.goes_left[source[place] & row_bits] = 0
    values = table.columns[table.chosen[j]]
    fill = table.fill[table.gap[j], fit] if table.gap[j] >= 0 else table.once[table.chosen[j]]
    low, high = values[source[first + left_count - 1] & row_bits], values[source[first + left_count] & row_bits]
    low, high = fill if np.isnan(low) else low, fill if np.isnan(high) else high
    threshold = low / 2.0 + high / 2.0
    if not low <= threshold < high:  # neighbours with no number between them
        threshold = low
    left, right = begin, begin + tested
    while left < right:
        value = values[tests[left]]
        value = fill if np.isnan(value) else value
        if value <= threshold:
            left += 1
        else:
            right -= 1
            tests[left], tests[right] = tests[right], tests[left]
    return left - begin
