"""Machines of all fits over one Gram matrix, where columns are many: each fit's own products only correct it.

Scaling inside folds gives every fit a Gram matrix of its own, n^2 q / 2 products each. They differ little. So each
machine is trained over the matrix of the scale of all rows; then X diag(w) X'u, 2 n q products, says what its fit's
own matrix makes of the dual values. The model matrix is corrected along that step (Broyden, Fletcher, Goldfarb and
Shanno) and the machine trained again from there, until it is optimal, to the tolerance, under its fit's own scale.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, entry, inner, merged
from fsdesk.kernels.svm_dual import fit_rows
from fsdesk.kernels.svm_factor import Kernel, Room
from fsdesk.kernels.svm_loss import Loss, settle
from fsdesk.kernels.svm_problems import Answers, Plan, has_both, pose, record, rows_of

__all__ = ["answer_together", "pays"]

_COLUMNS_A_ROW, _ROWS_A_PROBLEM = 8, 25  # from so many on it pays; always with one problem
_MACHINES_AT_ONCE, _COLUMNS_AT_ONCE = 50, 1024  # products of a block stay in the cache
_PASSES = 8  # four or five do; then a fit gets a matrix of its own
_LEAST_CURVATURE = 1e-2  # a correction that would shrink the matrix along a step by more is rounding
_CLOSER = 0.1  # a machine is trained to this share of the tolerance over the model
_RIDGE = 1e-6  # share of the diagonal that hides the rounding of single precision

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Integers = NDArray[np.int64]


class Steps(NamedTuple):
    """What is known of some machines.

    Attributes
    ----------
    machine
        (a, 2) fit and problem.
    u, f
        (a, n) dual values, and what the fit's own matrix makes of them.
    move, change
        (passes, a, n) how both changed in every pass.
    bias
        (a,) of the machine.
    """

    machine: Integers
    u: Floats
    f: Floats
    move: Floats
    change: Floats
    bias: Floats


def pays(plan: Plan, columns: int) -> bool:
    """Whether all machines are trained faster together than each fit over a Gram matrix of its own."""
    n = len(plan.target)
    return not plan.squared and columns >= _COLUMNS_A_ROW * n and n >= _ROWS_A_PROBLEM * (len(plan.problems) - 1)


def answer_together(
    plan: Plan, x: Single, weights: Single, gram: Floats, starts: Floats, room: Room, answers: Answers
) -> list[int]:
    """Train the machines of all fits and enter what they say; return the fits that need matrices of their own.

    Parameters
    ----------
    x
        (q, n) values without gaps.
    weights
        (fits, q) one over the square of each fit's scale.
    gram
        (n, n) products on the scale of all rows.
    starts
        Dual values of the machines over all rows, one problem after another.
    """
    problems = len(plan.problems)
    step, left = max(1, _MACHINES_AT_ONCE // problems), []
    for first in range(0, len(weights), step):
        fits = np.arange(first, min(first + step, len(weights)))
        size, n = len(fits) * problems, x.shape[1]
        machine = np.stack([np.repeat(fits, problems), np.tile(np.arange(problems), len(fits))], axis=1)
        steps = Steps(
            machine,
            np.zeros((size, n)),
            np.zeros((size, n)),
            np.zeros((_PASSES, size, n)),
            np.zeros((_PASSES, size, n)),
            np.zeros(size),
        )
        open_ = np.arange(size)
        for count in range(_PASSES):
            _move(plan, gram, starts, steps, open_, count, room)
            products = _products(x, weights, first + open_ // problems, steps.u[open_].astype(np.float32))
            open_ = open_[_check(plan, steps, open_, count, products)]
            if not len(open_):
                break
        left += (first + np.unique(open_ // problems)).tolist()
        _record(plan, steps, np.isin(machine[:, 0], left), answers)
    return left


def _products(x: Single, weights: Single, fits: Integers, u: Single) -> Floats:
    """(a, n) X diag(w) X'u of each machine."""
    total = np.zeros((len(u), x.shape[1]), dtype=np.float32)
    q = weights.shape[1]
    for start in range(0, q, _COLUMNS_AT_ONCE):
        part = slice(start, min(start + _COLUMNS_AT_ONCE, q))
        block = x[part]
        w = u @ block.T
        w *= weights[fits, part]
        total += w @ block
    return total.astype(np.float64)


@inner()
def _posed(plan: Plan, fit: int, problem: int, places: Integers, loss: Loss) -> int:
    """Fill in rows, responses and bounds of a machine; return the number of rows, 0 where the fit lacks a class."""
    if not has_both(plan, problem, fit):
        return 0
    m = rows_of(plan, problem, fit, places)
    pose(plan, problem, fit, places[:m], loss)
    return int(m)


@inner()
def _room_to_pose(plan: Plan) -> tuple[Integers, Loss]:
    n = len(plan.target)
    return np.empty(n, dtype=np.int64), Loss(np.empty(n), np.empty(n), np.empty(n), np.empty(n), plan.epsilon)


@inner(fastmath={"reassoc", "contract", "nsz"})
def _model(gram: Floats, rows: Integers, steps: Steps, own: int, count: int) -> Floats:
    """Products of the rows on the scale of all rows, made to agree with the fit's own along all steps so far."""
    m = len(rows)
    model, image, move, change = np.empty((m, m)), np.empty(m), np.empty(m), np.empty(m)
    for i in range(m):
        for k in range(m):
            model[i, k] = gram[rows[i], rows[k]]
    for turn in range(count):
        curvature, expected = 0.0, 0.0
        for i in range(m):
            move[i], change[i] = steps.move[turn, own, rows[i]], steps.change[turn, own, rows[i]]
            curvature += move[i] * change[i]
        for i in range(m):
            total, line = 0.0, model[i]
            for k in range(m):
                total += line[k] * move[k]
            image[i] = total
            expected += move[i] * total
        if not curvature > _LEAST_CURVATURE * expected or expected <= 0.0:
            continue
        for i in range(m):
            line, a, b = model[i], change[i] / curvature, image[i] / expected
            if turn == 0:  # the first step says how large the fit's own products are
                a = b = 0.0
                for k in range(m):
                    line[k] *= curvature / expected
            for k in range(m):
                line[k] += a * change[k] - b * image[k]
    return model


@entry()
def _move(plan: Plan, gram: Floats, starts: Floats, steps: Steps, machines: Integers, count: int, room: Room) -> None:
    """Train machines over their models from where they stand; before the first pass, from the machines of all rows."""
    places, posed = _room_to_pose(plan)
    begins, ridge = np.zeros(len(plan.problems) + 1, dtype=np.int64), np.empty(len(places))
    for problem in range(len(plan.problems)):
        begins[problem + 1] = begins[problem] + rows_of(plan, problem, MINUS_ONE, places)
    every = np.empty(len(places), dtype=np.int64)
    for own in machines:
        fit, problem = steps.machine[own, 0], steps.machine[own, 1]
        m = _posed(plan, fit, problem, places, posed)
        if m == 0:
            continue
        rows, u, f = places[:m], steps.u[own], steps.f[own]
        loss = Loss(posed.y[:m], posed.low[:m], posed.high[:m], posed.rate[:m], plan.epsilon)
        model, level = _model(gram, rows, steps, own, count), 0.0
        dual, before = np.empty(m), np.empty(m)
        for i in range(m):
            dual[i] = before[i] = u[rows[i]]
            level += model[i, i] / m
        level = level if level > 0.0 else 1.0
        for i in range(m):
            image = _RIDGE * level * before[i]
            for k in range(m):
                image += model[i, k] * before[k]
            loss.y[i] += image - f[rows[i]]
        if count == 0:
            _start(starts[begins[problem] : begins[problem + 1]], plan, problem, rows, loss, dual, every)
        for i in range(m):
            every[i], ridge[i] = i, _RIDGE * level
        kernel = Kernel(model, every[:m], level, ridge[:m])
        fit_rows(kernel, loss, not plan.squared, _CLOSER * plan.tolerance, 50 * m + 1000, dual, room)
        for i in range(m):
            u[rows[i]] = dual[i]
            steps.move[count, own, rows[i]] = dual[i] - before[i]


@merged
def _start(kept: Floats, plan: Plan, problem: int, rows: Integers, loss: Loss, dual: Floats, every: Integers) -> None:
    """Dual values of the machine over all rows, within the bounds of this one."""
    i = 0
    for place in range(rows_of(plan, problem, MINUS_ONE, every)):
        if i < len(rows) and every[place] == rows[i]:
            dual[i] = min(max(kept[place], loss.low[i]), loss.high[i])
            i += 1


@entry()
def _check(plan: Plan, steps: Steps, machines: Integers, count: int, products: Floats) -> NDArray[np.bool_]:
    """Take in what the fits' own matrices make of the dual values; which machines are not optimal yet."""
    places, posed = _room_to_pose(plan)
    f, u = np.empty(len(places)), np.empty(len(places))
    is_open = np.zeros(len(machines), dtype=np.bool_)
    for place in range(len(machines)):
        own = machines[place]
        m = _posed(plan, steps.machine[own, 0], steps.machine[own, 1], places, posed)
        if m == 0:
            continue
        for row in range(products.shape[1]):
            steps.change[count, own, row] = products[place, row] - steps.f[own, row]
            steps.f[own, row] = products[place, row]
        loss = Loss(posed.y[:m], posed.low[:m], posed.high[:m], posed.rate[:m], plan.epsilon)
        for k in range(m):
            f[k], u[k] = steps.f[own, places[k]], steps.u[own, places[k]]
        gap, steps.bias[own] = settle(loss, f[:m], 0.0, u[:m])
        is_open[place] = not gap <= plan.tolerance
    return is_open


@entry()
def _record(plan: Plan, steps: Steps, is_left: NDArray[np.bool_], answers: Answers) -> None:
    tests, values = np.empty(len(plan.target), dtype=np.int64), np.empty(len(plan.target))
    for own in range(len(steps.machine)):
        fit, problem = steps.machine[own, 0], steps.machine[own, 1]
        if is_left[own] or not has_both(plan, problem, fit):
            continue
        repeat, count = fit // plan.folds, 0
        for row in range(len(plan.target)):
            if plan.labels[repeat, row] == fit % plan.folds:
                tests[count], values[count] = row, steps.f[own, row] + steps.bias[own]
                count += 1
        record(plan, problem, repeat, tests[:count], values[:count], answers)
