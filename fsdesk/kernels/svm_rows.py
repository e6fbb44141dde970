"""Machines in as many unknowns as they have rows, all fits of a measurement in one call.

The machine over all rows is trained first; every fold starts from it.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, entry, inner, merged
from fsdesk.kernels.svm_dual import fit_rows
from fsdesk.kernels.svm_factor import Kernel, Room
from fsdesk.kernels.svm_gram import fill_gram, fill_narrow_gram
from fsdesk.kernels.svm_loss import Loss
from fsdesk.kernels.svm_problems import Answers, Columns, Plan, has_both, pose, record, rows_of, scale_of

__all__ = ["train_fits"]

_STEPS_A_ROW = 50
_CORRECTIONS, _FELT = 3, 0.3  # for a ridge that moves responses by more than this share of the tolerance

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Integers = NDArray[np.int64]


@entry()
def train_fits(
    plan: Plan,
    columns: Columns,
    x: Single,
    scaled: Single,
    sums: Single,
    fits: Integers,
    gram: Floats,
    ridge: float,
    starts: Floats,
    room: Room,
    answers: Answers,
) -> None:
    """Train all machines of some fits and enter what they say; fit -1 leaves no row out and is kept in ``starts``.

    Parameters
    ----------
    x
        (q, n or more) columns, see :class:`fsdesk.kernels.svm.Rows`: the Gram matrix of each fit is made
        from them; else of length 0.
    scaled, sums
        See :func:`fsdesk.kernels.svm_gram.fill_narrow_gram`, which makes the matrices of other columns, where these
        have rows. Where they have none, ``gram`` is that of all these fits.
    gram
        (n, n), overwritten.
    ridge
        Share of the diagonal that hides the rounding of products.
    starts
        Dual values of the machines over all rows, one problem after another.
    """
    for place in range(len(fits)):
        fit = fits[place]
        penalty, fill = scale_of(columns.penalty, fit), scale_of(columns.fill, fit)
        if len(x):
            for cell in range(len(columns.cells)):
                x[columns.cells[cell, 0], columns.cells[cell, 1]] = fill[columns.cells[cell, 0]]
            fill_gram(x, penalty, scaled, sums, gram)
        elif len(scaled):
            origin = scale_of(columns.origin, fit)
            fill_narrow_gram(columns.z, penalty, origin, columns.cells, fill, plan.squared, scaled, sums, gram)
        _train_on(plan, gram, ridge, fit, starts, room, answers)


@merged
def _train_on(plan: Plan, gram: Floats, ridge: float, fit: int, starts: Floats, room: Room, answers: Answers) -> None:
    """Train all machines of one fit over its Gram matrix."""
    n, repeat = len(gram), max(fit, 0) // plan.folds
    tests, count = np.empty(n, dtype=np.int64), 0
    for row in range(n):
        if fit >= 0 and plan.labels[repeat, row] == fit % plan.folds:
            tests[count] = row
            count += 1
    tests = tests[:count]
    values, held = np.empty(count), np.empty(n, dtype=np.int64)
    every, places = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    y, low, high, rate = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    space, diagonal, hidden = np.empty(n), np.empty(n), np.empty(n)
    begin = 0
    for problem in range(len(plan.problems)):
        length = rows_of(plan, problem, MINUS_ONE, every)
        kept = starts[begin : begin + length]
        begin += length
        if not has_both(plan, problem, fit):
            continue
        m = rows_of(plan, problem, MINUS_ONE if plan.squared else fit, places)  # all: rows that are tested stay at 0
        rows, u, more = places[:m], space[:m], diagonal[:m]
        loss = Loss(y[:m], low[:m], high[:m], rate[:m], plan.epsilon)
        pose(plan, problem, fit, rows, loss)
        level = _warm(gram, every[:length], rows, kept, loss, u)
        for k in range(m):
            more[k] = ridge * level + (0.5 / loss.rate[k] if plan.squared else 0.0)
        kernel = Kernel(gram, rows[:0] if plan.squared else rows, 0.0 if plan.squared else level, more)
        bias = _trained(plan, kernel, loss, ridge * level, hidden, u, room)
        if fit < 0:
            for k in range(m):
                kept[k] = u[k]
            continue
        _decide(gram, rows, u, held, tests, bias, values)
        record(plan, problem, repeat, tests, values, answers)


@merged
def _trained(plan: Plan, kernel: Kernel, loss: Loss, ridge: float, hidden: Floats, u: Floats, room: Room) -> float:
    """Train a machine from where it stands, and again where the ridge moved what it says; return its bias."""
    bias, most = 0.0, _STEPS_A_ROW * len(u) + 1000
    for k in range(len(u)):
        hidden[k] = 0.0
    own = _of_all(room, kernel.gram) if plan.squared else room
    _add_ridge(kernel, 1.0)
    for _ in range(_CORRECTIONS + 1):
        bias = fit_rows(kernel, loss, not plan.squared, plan.tolerance, most, u, own)[0]
        if not _uncover(u, ridge, hidden, loss) > _FELT * plan.tolerance:
            break
    _add_ridge(kernel, -1.0)
    return bias


@inner()
def _of_all(room: Room, gram: Floats) -> Room:
    """The same room, where K is the matrix of all rows: a copy of it would be as large."""
    ones, free, side = room.ones, room.free, room.side
    return Room(room.factor, ones, free, side, room.half, room.move, room.residual, gram, room.loaded)


@inner()
def _add_ridge(kernel: Kernel, times: float) -> None:
    """Put the ridge on the matrix itself, or take it off again, where a machine trains on that."""
    if len(kernel.rows) == 0:
        for k in range(len(kernel.ridge)):
            kernel.gram[k, k] += times * kernel.ridge[k]


@inner()
def _uncover(u: Floats, ridge: float, hidden: Floats, loss: Loss) -> float:
    """Add to the responses what a ridge takes off them at these dual values; the largest change."""
    change = 0.0
    for k in range(len(u)):
        now = ridge * u[k]
        change = max(change, abs(now - hidden[k]))
        loss.y[k] += now - hidden[k]
        hidden[k] = now
    return change


@inner()
def _warm(gram: Floats, every: Integers, rows: Integers, kept: Floats, loss: Loss, u: Floats) -> float:
    """Start from the dual values of the machine over all rows, within the bounds; mean of the diagonal."""
    k, level = 0, 0.0
    for place in range(len(every)):
        if k < len(rows) and every[place] == rows[k]:
            u[k] = min(max(kept[place], loss.low[k]), loss.high[k])
            level += gram[rows[k], rows[k]]
            k += 1
    return level / len(rows) if level > 0.0 else 1.0


@inner(fastmath=_FAST)
def _decide(gram: Floats, rows: Integers, u: Floats, held: Integers, tests: Integers, bias: float, out: Floats) -> None:
    """Decision values of the test rows; four support vectors, which are listed in ``held``, at a time."""
    out[:] = bias
    count = 0
    for k in range(len(rows)):
        if u[k] != 0.0:
            held[count] = k
            count += 1
    k = 0
    while k + 4 <= count:
        first, second, third, last = held[k], held[k + 1], held[k + 2], held[k + 3]
        one, two, three, four = gram[rows[first]], gram[rows[second]], gram[rows[third]], gram[rows[last]]
        a, b, c, d = u[first], u[second], u[third], u[last]
        for place in range(len(tests)):
            row = np.uint64(tests[place])
            out[place] += one[row] * a + two[row] * b + three[row] * c + four[row] * d
        k += 4
    while k < count:
        one, a = gram[rows[held[k]]], u[held[k]]
        for place in range(len(tests)):
            out[place] += one[np.uint64(tests[place])] * a
        k += 1
