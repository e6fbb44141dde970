"""One node of a CART tree: is it worth a split, and if not, what it predicts."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import cart_fields as at
from fsdesk.kernels.cart_compiled import inlined
from fsdesk.kernels.cart_work import ENTROPY, VARIANCE, Rules, Table, Work
from fsdesk.kernels.compiling import merged
from fsdesk.kernels.presort import Packed

__all__ = ["open_node", "predict"]

_ROUNDING = 1e-11  # splits closer than this share of the node's impurity or weight count as equal


@inlined
def open_node(table: Table, rules: Rules, work: Work, slot: int, entries: Packed, first: int) -> bool:
    """Prepare the scans of a node, and return whether it may be split at all.

    Its rows are ``entries[first : first + count]`` in any order.
    """
    node, count = work.node, work.node[slot, at.COUNT]
    node[slot, at.COLUMN], node[slot, at.KEPT], node[slot, at.OPEN] = -1, 0, 0
    work.score[slot, at.LIMIT] = -np.inf
    if node[slot, at.TESTED] == 0 or count < rules.min_split or count < 2 * rules.min_leaf:
        return False
    if 0 < rules.max_depth <= node[slot, at.DEPTH]:
        return False
    if rules.criterion == VARIANCE:
        is_impure = _open_numbers(table, work, slot, entries, first)
    else:
        is_impure = _open_classes(table, rules, work, slot, entries, first)
    if is_impure and (node[slot, at.SCAN] == at.MOMENTS or node[slot, at.SCAN] == at.COUNTS):
        begin = node[slot, at.BEGIN]
        curve = work.curvature[begin : begin + count]
        for left in range(1, count):
            curve[left - 1] = 1.0 / (float(left) * float(count - left))
    node[slot, at.OPEN] = is_impure
    return is_impure


@merged
def _open_numbers(table: Table, work: Work, slot: int, entries: Packed, first: int) -> bool:
    count, row_bits = work.node[slot, at.COUNT], work.row_bits
    response, delta = table.response, work.delta
    base = response[entries[first] & row_bits]
    total, is_constant = 0.0, True
    for place in range(first, first + count):
        value = response[entries[place] & row_bits] - base
        total += value
        is_constant &= value == 0.0
    if is_constant:
        return False
    mean, squares = total / count, 0.0
    for place in range(first, first + count):
        row = entries[place] & row_bits
        delta[row] = response[row] - base - mean
        squares += delta[row] * delta[row]
    work.node[slot, at.SCAN], work.node[slot, at.PRESENT] = at.MOMENTS, 0
    work.score[slot, at.CEILING] = squares / count
    work.score[slot, at.MARGIN] = _ROUNDING * squares / count
    return True


@merged
def _open_classes(table: Table, rules: Rules, work: Work, slot: int, entries: Packed, first: int) -> bool:
    node, count, row_bits = work.node, work.node[slot, at.COUNT], work.row_bits
    present = _count_classes(table, work, slot, entries, first)
    node[slot, at.PRESENT] = present
    if present == 1:
        return False
    total, weight = work.total, work.weight
    if rules.criterion == ENTROPY or rules.balanced:
        node[slot, at.SCAN] = at.LOGARITHMS if rules.criterion == ENTROPY else at.SQUARES
    elif present == 2:
        node[slot, at.SCAN] = at.MOMENTS
        # Times the number of rows, deviations from the mean of a 0/1 code are whole numbers.
        for place in range(first, first + count):
            row = entries[place] & row_bits
            work.delta[row] = count * work.code[row] - total[slot, 1]
        work.score[slot, at.CEILING] = float(total[slot, 0]) * float(total[slot, 1])
        work.score[slot, at.MARGIN] = _ROUNDING * work.score[slot, at.CEILING]
        return True
    else:
        node[slot, at.SCAN] = at.COUNTS if _pack_counts(work, slot, entries, first) else at.SQUARES
    mass, squares, logarithms = 0.0, 0.0, 0.0
    for own in range(present):
        alone = weight[slot, own] * total[slot, own]
        mass += alone
        squares += alone * alone
        logarithms -= alone * np.log(weight[slot, own])
    work.score[slot, at.MARGIN] = _ROUNDING * mass
    ceiling = np.inf
    if rules.criterion == ENTROPY:
        ceiling = logarithms
    elif present <= 3:
        ceiling = 0.0
        for own in range(present):  # the best that can be: one class parted from the others
            alone = weight[slot, own] * total[slot, own]
            ceiling = max(ceiling, alone + (squares - alone * alone) / (mass - alone))
    work.score[slot, at.CEILING] = ceiling
    return True


@merged
def _count_classes(table: Table, work: Work, slot: int, entries: Packed, first: int) -> int:
    """Number the classes of a node's rows from 0 in the order of their first rows; return how many there are."""
    target, local, code, total, row_bits = table.target, work.local, work.code, work.total, work.row_bits
    end = first + work.node[slot, at.COUNT]
    present = 0
    for place in range(first, end):
        row = entries[place] & row_bits
        own = local[target[row]]
        if own < 0:
            own, local[target[row]] = present, present
            total[slot, own], work.weight[slot, own] = 0, 1.0 / work.class_size[target[row]]
            present += 1
        code[row] = own
        total[slot, own] += 1
    for place in range(first, end):
        local[target[entries[place] & row_bits]] = -1
    return present


@merged
def _pack_counts(work: Work, slot: int, entries: Packed, first: int) -> bool:
    """Give each class as many bits of one word as its count may need; return False where they do not fit."""
    total, code, bits = work.total, work.code, work.bits
    squares = end = 0
    for own in range(work.node[slot, at.PRESENT]):
        bits[own] = end
        while total[slot, own] >> (end - bits[own]):
            end += 1
        squares += total[slot, own] * total[slot, own]
    if end > 64:
        return False
    bits[work.node[slot, at.PRESENT]] = end
    work.node[slot, at.SQUARED] = squares
    for place in range(first, first + work.node[slot, at.COUNT]):
        row = entries[place] & work.row_bits
        own = code[row]
        work.field[row] = bits[own]
        work.largest[row] = (1 << (bits[own + 1] - bits[own])) - 1
        work.twice_total[row] = 2 * total[slot, own]
    return True


@inlined
def predict(
    table: Table,
    rules: Rules,
    work: Work,
    slot: int,
    entries: Packed,
    first: int,
    codes: NDArray[np.int64],
    numbers: NDArray[np.float64],
) -> None:
    """Give the test rows of a leaf their prediction; see :func:`fsdesk.kernels.cart.grow`."""
    end, row_bits = first + work.node[slot, at.COUNT], work.row_bits
    begin, stop = work.node[slot, at.TEST_BEGIN], work.node[slot, at.TEST_BEGIN] + work.node[slot, at.TESTED]
    target, response, tests = table.target, table.response, work.tests
    if begin == stop:
        return
    if rules.criterion == VARIANCE:
        base, total = response[entries[first] & row_bits], 0.0
        for place in range(first, end):
            total += response[entries[place] & row_bits] - base
        for test in range(begin, stop):
            numbers[tests[test], 0] = base + total / (end - first)
        return
    number, class_size = work.left, work.class_size
    for place in range(first, end):
        number[target[entries[place] & row_bits]] = 0.0
    for place in range(first, end):
        number[target[entries[place] & row_bits]] += 1.0
    most, winner, whole = -1.0, -1, 0.0
    for place in range(first, end):
        own = target[entries[place] & row_bits]
        whole += 1.0 / class_size[own]
        mass = number[own] / class_size[own]  # one rounding: equal shares stay equal
        if mass > most or (mass == most and own < winner):
            most, winner = mass, own
    for test in range(begin, stop):
        codes[tests[test]] = winner
        if numbers.shape[1] > 0:
            for place in range(first, end):
                own = target[entries[place] & row_bits]
                numbers[tests[test], own] = number[own] / class_size[own] / whole
