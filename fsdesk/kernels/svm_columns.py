"""Machines in as many unknowns as they have columns, all fits of a measurement in one call.

The machine over all rows is trained first; every fold starts from it.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, entry, inner, merged
from fsdesk.kernels.svm_loss import Loss
from fsdesk.kernels.svm_primal import Machine, decide, fit_weights
from fsdesk.kernels.svm_problems import Answers, Columns, Plan, has_both, pose, record, rows_of, scale_of

__all__ = ["train_problems"]

_NEWTON_STEPS = 300
_MOST_ROWS_AGAIN = 5000  # where they do not get there, the other solver takes as many rows squared

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@entry()
def train_problems(
    plan: Plan, columns: Columns, z: Floats, sigma: float, growth: float, left: Integers, answers: Answers
) -> int:
    """Train every machine and enter what it says about its test rows.

    Parameters
    ----------
    z
        The columns, with gaps that may be written to.
    sigma, growth
        Steepness to start from and its growth; see ``fit_weights``.
    left
        (fits * problems, 2) is filled with the fits and problems of machines that the other solver has to train.

    Returns
    -------
    How many of these there are.
    """
    places, count = np.empty(z.shape[1], dtype=np.int64), 0
    for problem in range(len(plan.problems)):
        if has_both(plan, problem, MINUS_ONE):
            rows = places[: rows_of(plan, problem, MINUS_ONE, places)]
            count = _machines_of(plan, columns, problem, rows, z, sigma, growth, left, count, answers)
    return count


@merged
def _machines_of(
    plan: Plan,
    columns: Columns,
    problem: int,
    rows: Integers,
    z: Floats,
    sigma: float,
    growth: float,
    left: Integers,
    count: int,
    answers: Answers,
) -> int:
    """One problem: a machine over all rows, from which those of every fit start. Gaps in ``z`` are filled anew."""
    m, n = len(rows), z.shape[1]
    loss = Loss(np.empty(m), np.empty(m), np.empty(m), np.empty(m), plan.epsilon)
    w, u = np.zeros(len(z) + 1), np.zeros(m)
    own, x = Machine(np.empty(len(w)), np.empty(m), np.empty(m)), z
    tests, values = np.empty(n, dtype=np.int64), np.empty(n)
    for fit in range(-1, len(plan.labels) * plan.folds):
        if not has_both(plan, problem, fit):
            continue
        if len(columns.cells):
            fill = scale_of(columns.fill, fit)
            for cell in range(len(columns.cells)):
                z[columns.cells[cell, 0], columns.cells[cell, 1]] = fill[columns.cells[cell, 0]]
        if fit < 0 or len(columns.cells):
            x = _picked(z, rows)
        pose(plan, problem, fit, rows, loss)
        for c in range(len(w)):
            own.w[c] = w[c]
        for i in range(m):
            own.u[i] = min(max(u[i], loss.low[i]), loss.high[i])
        penalty, mean = scale_of(columns.penalty, fit), _mean_of(plan, scale_of(columns.origin, fit))
        steep = sigma * 6.0 if fit >= 0 and growth > 0.0 else sigma
        steps = fit_weights(x, loss, penalty, mean, steep, growth, plan.tolerance, _NEWTON_STEPS, own)
        if fit < 0:
            w, u = own.w.copy(), own.u.copy()
            continue
        if steps == _NEWTON_STEPS and m <= _MOST_ROWS_AGAIN and not plan.squared:
            left[count, 0], left[count, 1] = fit, problem
            count += 1
            continue
        decide(z, own.w, values)
        _record(plan, problem, fit, tests, values, answers)
    return count


@inner()
def _record(plan: Plan, problem: int, fit: int, tests: Integers, values: Floats, answers: Answers) -> None:
    repeat, count = fit // plan.folds, 0
    for row in range(len(tests)):
        if plan.labels[repeat, row] == fit % plan.folds:
            tests[count] = row
            values[count] = values[row]
            count += 1
    record(plan, problem, repeat, tests[:count], values, answers)


@inner()
def _mean_of(plan: Plan, origin: Floats) -> Floats:
    """(q + 1,) as ``fit_weights`` wants it: of interest only where the bias is penalised."""
    if not plan.squared:
        return np.empty(0)
    result = np.ones(len(origin) + 1)
    for c in range(len(origin)):
        result[c] = origin[c]
    return result


@inner()
def _picked(z: Floats, rows: Integers) -> Floats:
    result = np.empty((len(z), len(rows)))
    for c in range(len(z)):
        own, source = result[c], z[c]
        for k in range(len(rows)):
            own[k] = source[rows[k]]
    return result
