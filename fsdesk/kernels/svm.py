"""All linear support vector machines of one measurement: every two-class problem of every training fold.

The machine over all rows is trained first; every fold starts from it. Two solvers share the work:
``svm_primal`` where a problem has many rows and few columns, ``svm_dual`` elsewhere.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fsdesk.kernels.svm_dual import fit_rows
from fsdesk.kernels.svm_factor import Kernel, Room, room_for
from fsdesk.kernels.svm_gram import LARGEST_WEIGHT, fill_gram, rows_in_single
from fsdesk.kernels.svm_loss import Loss
from fsdesk.kernels.svm_primal import Machine, decide, fit_weights
from fsdesk.kernels.svm_problems import Answers, Plan, class_costs, has_both, pose, record, rows_of
from fsdesk.kernels.svm_shared import answer_together, pays

__all__ = ["Columns", "answer"]

_ROWS_A_COLUMN = 8  # from so many rows of a problem for each column on, its weights are fewer unknowns than its rows
_NEWTON_STEPS, _STEPS_A_ROW = 300, 50
_MOST_ROWS_AGAIN = 5000  # where Newton's method does not get there, the other solver takes as many rows squared
_COLUMNS_AT_ONCE = 512  # from so many on own products beat those of BLAS
_LARGEST_SINGLE_COST = 10.0  # dual values up to C multiply the rounding of products in single precision
_SINGLE, _DOUBLE = 1e-6, 1e-13  # share of the diagonal that hides the rounding of products

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
F = TypeVar("F", np.float32, np.float64)


class Columns(NamedTuple):
    """What the fits see: columns on one common scale, and how each fit's own scale differs.

    Attributes
    ----------
    z
        (q, n) values; what is written in ``cells`` is free.
    penalty
        (fits, q) square of each fit's scale in units of ``z``; (1, q) where all fits share it.
    origin
        (fits, q) or (1, q) what each fit's scaled columns call 0.
    cells
        (gaps, 2) column and row of the gaps.
    fill
        (fits, q) what fills them; not read where there are none.
    """

    z: Floats
    penalty: Floats
    origin: Floats
    cells: Integers
    fill: Floats


def answer(plan: Plan, columns: Columns, answers: Answers) -> None:
    """Train every machine and enter what it says about its test rows."""
    q, n = columns.z.shape
    pairs = len(plan.problems) > 0 and plan.problems[0, 1] >= 0
    largest = n * 2 / (len(plan.starts) - 1) if pairs else n
    if largest >= _ROWS_A_COLUMN * q:
        _by_columns(plan, columns, answers)
    else:
        _by_rows(plan, columns, answers)


@njit(nogil=True, cache=True, error_model="numpy")
def _loss_of(plan: Plan, m: int) -> Loss:
    return Loss(np.empty(m), np.empty(m), np.empty(m), np.empty(m), plan.epsilon)


@njit(nogil=True, cache=True, error_model="numpy")
def _mean(values: Floats) -> Floats:
    total = np.zeros(values.shape[1])
    for fit in range(len(values)):
        total += values[fit]
    return total / len(values)


@njit(nogil=True, cache=True, error_model="numpy")
def _fill(x: Floats, cells: Integers, fill: Floats) -> None:
    for place in range(len(cells)):
        x[cells[place, 0], cells[place, 1]] = fill[cells[place, 0]]


@njit(nogil=True, cache=True, error_model="numpy")
def _origin_of(plan: Plan, origin: Floats) -> Floats:
    """(q + 1,) as ``fit_weights`` wants it: of interest only where the bias is penalised."""
    if not plan.squared:
        return np.empty(0)
    result = np.ones(len(origin) + 1)
    for c in range(len(origin)):
        result[c] = origin[c]
    return result


@njit(nogil=True, cache=True, error_model="numpy")
def _by_columns(plan: Plan, columns: Columns, answers: Answers) -> None:
    n, fits = columns.z.shape[1], len(plan.labels) * plan.folds
    z, places = columns.z.copy(), np.empty(n, dtype=np.int64)
    costs = np.empty((fits, len(plan.starts)))
    for fit in range(fits):
        costs[fit] = class_costs(plan, fit // plan.folds, fit % plan.folds)
    everywhere = class_costs(plan, 0, -2)
    for problem in range(len(plan.problems)):
        rows = places[: rows_of(plan, problem, 0, -2, places)]
        if has_both(plan, problem, everywhere):
            _machines_of(plan, columns, problem, rows, z, everywhere, costs, answers)


@njit(nogil=True, cache=True, error_model="numpy")
def _machines_of(
    plan: Plan,
    columns: Columns,
    problem: int,
    rows: Integers,
    z: Floats,
    everywhere: Floats,
    costs: Floats,
    answers: Answers,
) -> None:
    """One problem: a machine over all rows, from which those of every fit start. Gaps in ``z`` are filled anew."""
    sigma, growth = _smoothing(plan)
    loss, values = _loss_of(plan, len(rows)), np.empty(z.shape[1])
    start = Machine(np.zeros(len(z) + 1), np.zeros(len(rows)), np.empty(len(rows)))
    if len(columns.cells):
        _fill(z, columns.cells, _mean(columns.fill))
    x = _picked(z, rows)
    pose(plan, problem, 0, -2, everywhere, rows, loss)
    _train(plan, x, loss, _mean(columns.penalty), _mean(columns.origin), sigma, start)
    for fit in range(len(costs)):
        if not has_both(plan, problem, costs[fit]):
            continue
        repeat, fold = fit // plan.folds, fit % plan.folds
        if len(columns.cells):
            _fill(z, columns.cells, columns.fill[fit])
            x = _picked(z, rows)
        pose(plan, problem, repeat, fold, costs[fit], rows, loss)
        own = Machine(start.w.copy(), np.minimum(np.maximum(start.u, loss.low), loss.high), start.f.copy())
        penalty = columns.penalty[fit if len(columns.penalty) > 1 else 0]
        origin = columns.origin[fit if len(columns.origin) > 1 else 0]
        steps = _train(plan, x, loss, penalty, origin, sigma * 6.0 if growth > 0.0 else sigma, own)
        if steps == _NEWTON_STEPS and len(rows) <= _MOST_ROWS_AGAIN and not plan.squared:
            _train_again(plan, x, loss, penalty, own)
        decide(z, own.w, values)
        tests = np.flatnonzero(plan.labels[repeat] == fold)
        record(plan, problem, repeat, tests, values[tests], answers)


@njit(nogil=True, cache=True, error_model="numpy")
def _train(plan: Plan, x: Floats, loss: Loss, penalty: Floats, origin: Floats, sigma: float, machine: Machine) -> int:
    """Train a machine from where it stands; return the number of Newton steps."""
    growth = _smoothing(plan)[1]
    mean = _origin_of(plan, origin)
    return int(fit_weights(x, loss, penalty, mean, sigma, growth, plan.tolerance, _NEWTON_STEPS, machine))


@njit(nogil=True, cache=True, error_model="numpy")
def _train_again(plan: Plan, x: Floats, loss: Loss, penalty: Floats, machine: Machine) -> None:
    """By rows, which is slower but bears columns of very different sizes."""
    q, n = x.shape
    gram, level = np.zeros((n, n)), 0.0
    for c in range(q):
        for i in range(n):
            gram[i] += x[c] * (x[c, i] / penalty[c])
    for i in range(n):
        level += gram[i, i] / n
    level = level if level > 0.0 else 1.0
    kernel = Kernel(gram, np.arange(n), level, np.full(n, _DOUBLE * level))
    machine.u[:] = 0.0
    bias = fit_rows(kernel, loss, True, plan.tolerance, _STEPS_A_ROW * n + 1000, machine.u, room_for(n))[0]
    for c in range(q):
        machine.w[c] = (x[c] * machine.u).sum() / penalty[c]
    machine.w[q] = bias


@njit(nogil=True, cache=True, error_model="numpy")
def _smoothing(plan: Plan) -> tuple[float, float]:
    """Steepness to start from and its growth; see ``fit_weights``."""
    if plan.squared:
        return 2.0, 0.0
    if len(plan.response) == 0:
        return 0.5, 5.0
    spread = plan.response.std()
    return 0.5 / spread if spread > 0.0 else 0.5, 5.0


@njit(nogil=True, cache=True, error_model="numpy")
def _picked(z: Floats, rows: Integers) -> Floats:
    result = np.empty((len(z), len(rows)))
    for c in range(len(z)):
        own, source = result[c], z[c]
        for k in range(len(rows)):
            own[k] = source[rows[k]]
    return result


def _by_rows(plan: Plan, columns: Columns, answers: Answers) -> None:
    fits = len(plan.labels) * plan.folds
    single = plan.cost <= _LARGEST_SINGLE_COST and len(columns.penalty) > 1
    # Only one of the two holds the rows.
    x = np.ascontiguousarray(columns.z.T if not single else columns.z[:0].T)
    x_single = rows_in_single(columns.z if single else columns.z[:0])
    room = room_for(_largest_problem(plan))
    starts = np.zeros(sum(len_of for len_of in _lengths(plan)))
    gram = np.empty((len(plan.target), len(plan.target)))
    varies = max(len(columns.penalty), len(columns.origin)) > 1 or len(columns.cells) > 0
    left = list(range(-1, fits))
    while left:
        fit = left.pop(0)
        if varies or fit < 0:
            if single and len(columns.z) >= _COLUMNS_AT_ONCE and not plan.squared:
                _fill_wide_gram(columns, x_single, fit, gram)
            elif single:
                _fill_gram(plan, columns, x_single[:, : len(columns.z)], fit, gram)
            else:
                _fill_gram(plan, columns, x, fit, gram)
        _train_on(plan, gram, _SINGLE if single else _DOUBLE, fit, starts, room, answers)
        if fit < 0 and single and not len(columns.cells) and pays(plan, len(columns.z)):
            left = answer_together(plan, x_single, columns.penalty, gram, starts, room, answers)


def _lengths(plan: Plan) -> list[int]:
    sizes = np.diff(plan.starts)
    return [int(sizes[one] + sizes[other]) if other >= 0 else len(plan.target) for one, other in plan.problems]


def _largest_problem(plan: Plan) -> int:
    return max(_lengths(plan), default=0)


def _of_fit(values: Floats, fit: int) -> Floats:
    """Those of a fit, or shared by all; -1: their mean."""
    own: Floats = values.mean(axis=0) if fit < 0 else values[min(fit, len(values) - 1)]
    return own


def _fill_wide_gram(columns: Columns, x: NDArray[np.float32], fit: int, gram: Floats) -> None:
    """As :func:`_fill_gram`, for the hinge loss; faster where sums are long."""
    if len(columns.cells):
        x[columns.cells[:, 1], columns.cells[:, 0]] = _of_fit(columns.fill, fit)[columns.cells[:, 0]]
    weights = np.zeros(x.shape[1], dtype=np.float32)
    weights[: len(columns.z)] = np.minimum(1.0 / _of_fit(columns.penalty, fit), LARGEST_WEIGHT)
    fill_gram(x, weights, gram)


def _fill_gram(plan: Plan, columns: Columns, x: NDArray[F], fit: int, gram: Floats) -> None:
    """Fill ``gram`` with (n, n) products of the rows on the scale of a fit; -1: on the mean one."""

    def of(values: Floats) -> NDArray[F]:
        return _of_fit(values, fit).astype(x.dtype)

    if len(columns.cells):
        x[columns.cells[:, 1], columns.cells[:, 0]] = of(columns.fill)[columns.cells[:, 0]]
    scaled = np.subtract(x, of(columns.origin)) if plan.squared else x.copy()
    scaled /= np.sqrt(of(columns.penalty))
    np.copyto(gram, scaled @ scaled.T)
    if plan.squared:
        gram += 1.0


@njit(nogil=True, cache=True, error_model="numpy")
def _train_on(plan: Plan, gram: Floats, ridge: float, fit: int, starts: Floats, room: Room, answers: Answers) -> None:
    """Train all machines of one fit over its Gram matrix; fit -1 leaves no row out and is kept in ``starts``."""
    n = len(gram)
    repeat, fold = (0, -2) if fit < 0 else (fit // plan.folds, fit % plan.folds)
    costs = class_costs(plan, repeat, fold)
    tests = np.flatnonzero(plan.labels[repeat] == fold)
    block = np.empty((n, len(tests)))
    for row in range(n):
        own, source = block[row], gram[row]
        for k in range(len(tests)):
            own[k] = source[tests[k]]
    every, places, values = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(len(tests))
    loss, space, diagonal = _loss_of(plan, n), np.empty(n), np.empty(n)
    begin = 0
    for problem in range(len(plan.problems)):
        length = rows_of(plan, problem, 0, -2, every)
        kept = starts[begin : begin + length]
        begin += length
        if not has_both(plan, problem, costs):
            continue
        m = rows_of(plan, problem, repeat, fold, places)
        rows, u, more = places[:m], space[:m], diagonal[:m]
        own = Loss(loss.y[:m], loss.low[:m], loss.high[:m], loss.rate[:m], plan.epsilon)
        pose(plan, problem, repeat, fold, costs, rows, own)
        k, level = 0, 0.0
        for place in range(length):
            if k < m and every[place] == rows[k]:
                u[k] = min(max(kept[place], own.low[k]), own.high[k])
                level += gram[rows[k], rows[k]]
                k += 1
        level = level / m if level > 0.0 else 1.0
        for k in range(m):
            more[k] = ridge * level + (0.5 / own.rate[k] if plan.squared else 0.0)
        kernel = Kernel(gram, rows, 0.0 if plan.squared else level, more)
        bias = fit_rows(kernel, own, not plan.squared, plan.tolerance, _STEPS_A_ROW * m + 1000, u, room)[0]
        if fit < 0:
            kept[:] = u
            continue
        _decide(block, rows, u, bias, values)
        record(plan, problem, repeat, tests, values, answers)


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "nnan"})
def _decide(block: Floats, rows: Integers, u: Floats, bias: float, out: Floats) -> None:
    out[:] = bias
    for k in range(len(rows)):
        if u[k] != 0.0:
            own, times = block[rows[k]], u[k]
            for i in range(len(out)):
                out[i] += own[i] * times
