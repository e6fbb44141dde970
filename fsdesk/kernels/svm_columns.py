"""Machines in as many unknowns as they have columns, all fits of a measurement in one call.

The machine over all rows is trained first; every fold starts from it. Few rows lie where their dual value is still to
be told: a fold trains over these, the others held at the bounds where they belong, and looks at all rows in the end.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, entry, inner, merged
from fsdesk.kernels.svm_loss import Loss, settle
from fsdesk.kernels.svm_primal import Held, Machine, decide, fit_weights
from fsdesk.kernels.svm_problems import Answers, Columns, Plan, has_both, pose, record, rows_of, scale_of

__all__ = ["train_problems"]

_NEWTON_STEPS, _NEAR_STEPS = 300, 60  # at most, over all rows and over some: forty do
_MOST_ROWS_AGAIN = 5000  # where they do not get there, the other solver takes as many rows squared
# Rows that a fold begins with: those nearest to a bend in the machine over all rows.
_NEAR_ROWS, _NEAR_ROWS_A_COLUMN, _SHARE_OF_ROWS = 16, 10, 32
_HALVINGS = 30  # of the distance that so many rows are within
_ROUNDS = 8  # two or three do; then a fold takes all rows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


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
    q, n = z.shape
    problems, has_gaps = len(plan.problems), len(columns.cells) > 0
    places, tests, count = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), 0
    begins = np.zeros(problems + 1, dtype=np.int64)
    for problem in range(problems):
        begins[problem + 1] = begins[problem] + rows_of(plan, problem, MINUS_ONE, places)
    every = np.empty(begins[-1], dtype=np.int64)
    is_whole = begins[-1] == problems * n  # all problems have all rows, in their order: no copy for each of them
    picked = np.empty(0 if is_whole else q * begins[-1])
    duals, decisions = np.zeros(begins[-1]), np.zeros(begins[-1])
    weights, reach = np.zeros((problems, q + 1)), np.full(problems, np.inf)
    y, low, high, rate = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for fit in range(-1, len(plan.labels) * plan.folds):
        penalty, mean = scale_of(columns.penalty, fit), _mean_of(plan, scale_of(columns.origin, fit))
        if has_gaps:
            fill = scale_of(columns.fill, fit)
            for cell in range(len(columns.cells)):
                z[columns.cells[cell, 0], columns.cells[cell, 1]] = fill[columns.cells[cell, 0]]
        tested = _picked(z, tests[: _tested(plan, fit, tests)])
        steep = sigma * 6.0 if fit >= 0 and growth > 0.0 else sigma
        values = np.empty(tested.shape[1])
        for problem in range(problems):
            if not has_both(plan, problem, fit):
                continue
            part = slice(begins[problem], begins[problem + 1])
            rows = every[part]
            m = len(rows)
            x = z if is_whole else picked[q * part.start : q * part.stop].reshape(q, m)
            if fit < 0:
                rows_of(plan, problem, fit, rows)
            if not is_whole and (fit < 0 or has_gaps):
                _pick(z, rows, x)
            loss = Loss(y[:m], low[:m], high[:m], rate[:m], plan.epsilon)
            pose(plan, problem, fit, rows, loss)
            own = Machine(weights[problem].copy(), duals[part].copy(), decisions[part].copy())
            again = fit >= 0 and growth > 0.0
            is_optimal = _told(x, loss, penalty, mean, steep, growth, plan.tolerance, reach[problem], own, again)
            if fit < 0:
                if is_optimal:  # else its fits start from nothing
                    _keep(own, weights[problem], duals[part], decisions[part])
                    reach[problem] = _reach_of(loss, own.f, q, growth)
                continue
            if not is_optimal and m + len(values) <= _MOST_ROWS_AGAIN and not plan.squared:
                left[count, 0], left[count, 1] = fit, problem
                count += 1
                continue
            decide(tested, own.w, values)
            record(plan, problem, fit // plan.folds, tests[: len(values)], values, answers)
    return count


@inner()
def _keep(own: Machine, weights: Floats, duals: Floats, decisions: Floats) -> None:
    for c in range(len(weights)):
        weights[c] = own.w[c]
    for i in range(len(duals)):
        duals[i], decisions[i] = own.u[i], own.f[i]


@inner()
def _told(
    x: Floats,
    loss: Loss,
    penalty: Floats,
    mean: Floats,
    sigma: float,
    growth: float,
    tolerance: float,
    reach: float,
    own: Machine,
    again: bool,
) -> bool:
    """Train a machine from where it stands; if it does not get there, once more from nothing, where that is wanted."""
    is_optimal = False
    for attempt in range(2):
        if attempt:
            reach = np.inf
            for part in own:
                part[:] = 0.0
        is_optimal = _trained(x, loss, penalty, mean, sigma, growth, tolerance, reach, own)
        if is_optimal or not again:
            break
    return is_optimal


@merged
def _trained(
    x: Floats,
    loss: Loss,
    penalty: Floats,
    mean: Floats,
    sigma: float,
    growth: float,
    tolerance: float,
    reach: float,
    own: Machine,
) -> bool:
    """Train a machine from where it stands; return whether it is optimal.

    Only over the rows within ``reach`` of a bend of their loss at first, then also over those that turn out to matter.
    """
    p, m = x.shape
    w, u, f = own
    near, held, rows = np.zeros(m, dtype=np.bool_), np.zeros(m), np.empty(m, dtype=np.int64)
    pull, is_last, before = np.empty(p + 1), reach == np.inf, MINUS_ONE
    for turn in range(_ROUNDS):
        count = _choose(loss, f, np.inf if is_last else reach, near, held, rows)
        if count == before:
            is_last = True
            count = _choose(loss, f, np.inf, near, held, rows)
        before, some = count, rows[:count]
        few = _of_rows(loss, some)
        part = Machine(w, np.empty(count), np.empty(count))
        for k in range(count):
            part.u[k] = min(max(u[some[k]], few.low[k]), few.high[k])
        rest = Held(pull, _pull(x, held, pull))
        near_x, most = _picked(x, some), _NEWTON_STEPS if is_last else _NEAR_STEPS
        steps = fit_weights(near_x, few, penalty, mean, rest, sigma, growth, tolerance, most, part)
        if growth == 0.0:
            return bool(steps < _NEWTON_STEPS)
        for i in range(m):
            u[i] = held[i]
        for k in range(count):
            u[some[k]] = part.u[k]
        decide(x, w, f)
        gap, bias = settle(loss, f, float(w[p]), u)
        if (
            gap <= tolerance and steps < most
        ):  # else dual values and weights do not belong together: the gap says nothing
            w[p] = bias
            return True
        if is_last:
            return False
        is_last = turn + 2 == _ROUNDS
    return False


@inner()
def _choose(loss: Loss, f: Floats, reach: float, near: Flags, held: Floats, rows: Integers) -> int:
    """Choose rows whose dual value is to be told, also those that are held at a bound where they do not belong.

    The others are held where they belong. Return how many are chosen.
    """
    count, is_first = 0, True
    for is_near in near:
        is_first = is_first and not is_near
    for i in range(len(near)):
        if not near[i] and loss.low[i] < loss.high[i]:
            residual = loss.y[i] - f[i]
            wanted = loss.high[i] if residual > loss.epsilon else loss.low[i] if residual < -loss.epsilon else 0.0
            near[i] = not abs(abs(residual) - loss.epsilon) > reach or (not is_first and wanted != held[i])
            held[i] = 0.0 if near[i] else wanted
        if near[i]:
            rows[count] = i
            count += 1
    return count


@inner()
def _of_rows(loss: Loss, rows: Integers) -> Loss:
    m = len(rows)
    some = Loss(np.empty(m), np.empty(m), np.empty(m), np.empty(m), loss.epsilon)
    for k in range(m):
        i = rows[k]
        some.y[k], some.low[k], some.high[k], some.rate[k] = loss.y[i], loss.low[i], loss.high[i], loss.rate[i]
    return some


@inner(fastmath={"reassoc", "contract", "nsz", "nnan"})
def _pull(x: Floats, held: Floats, pull: Floats) -> float:
    """Fill in what held rows pull the weights and the bias with; the sum of their dual values' sizes."""
    p, m = x.shape
    for c in range(p):
        own, total = x[c], 0.0
        for i in range(m):
            total += own[i] * held[i]
        pull[c] = total
    total, size = 0.0, 0.0
    for i in range(m):
        total += held[i]
        size += abs(held[i])
    pull[p] = total
    return size


@inner()
def _reach_of(loss: Loss, f: Floats, q: int, growth: float) -> float:
    """How far from a bend of their loss a fit's first rows are; infinite where it takes all."""
    wanted = _NEAR_ROWS + _NEAR_ROWS_A_COLUMN * q + len(f) // _SHARE_OF_ROWS
    if growth == 0.0:
        return np.inf
    low, high, found = 0.0, 0.0, len(f)
    for i in range(len(f)):
        high = max(high, abs(abs(loss.y[i] - f[i]) - loss.epsilon))
    if found <= wanted:
        return np.inf
    for _ in range(_HALVINGS):
        middle, count = (low + high) / 2.0, 0
        for i in range(len(f)):
            count += abs(abs(loss.y[i] - f[i]) - loss.epsilon) <= middle
        if count < wanted:
            low = middle
        else:
            high = middle
    return high


@inner()
def _tested(plan: Plan, fit: int, tests: Integers) -> int:
    """Fill in the rows that a fit is tested on; how many there are."""
    count = 0
    for row in range(len(tests)):
        if fit >= 0 and plan.labels[fit // plan.folds, row] == fit % plan.folds:
            tests[count] = row
            count += 1
    return count


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
    _pick(z, rows, result)
    return result


@inner()
def _pick(z: Floats, rows: Integers, out: Floats) -> None:
    for c in range(len(z)):
        own, source = out[c], z[c]
        for k in range(len(rows)):
            own[k] = source[rows[k]]
