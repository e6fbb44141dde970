"""All linear support vector machines of one measurement: every two-class problem of every training fold.

Two solvers share the work: ``svm_columns`` where a problem has many rows and few columns, ``svm_rows`` elsewhere. Each
is one call for all fits, but where matrices are large or in double precision: threads that hold the interpreter in
between would wait for one another.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.svm_columns import train_problems
from fsdesk.kernels.svm_factor import Room, room_for
from fsdesk.kernels.svm_gram import narrow_room, rows_in_single
from fsdesk.kernels.svm_problems import Answers, Columns, Plan
from fsdesk.kernels.svm_rows import train_fits
from fsdesk.kernels.svm_shared import answer_together, pays

__all__ = ["answer"]

_ROWS_A_COLUMN = 8  # from so many rows of a problem for each column on, its weights are fewer unknowns than its rows
_COLUMNS_AT_ONCE = 96  # from so many on products are made as sums over columns
_LARGEST_SINGLE_COST = 10.0  # dual values up to C multiply the rounding of products in single precision
_SINGLE, _DOUBLE = 1e-6, 1e-13  # share of the diagonal that hides the rounding of products

Floats = NDArray[np.float64]

_NOTHING, _NO_ROW = np.empty((0, 0), dtype=np.float32), np.empty(0, dtype=np.float32)


def answer(plan: Plan, columns: Columns, answers: Answers) -> None:
    """Train every machine and enter what it says about its test rows."""
    q, n = columns.z.shape
    pairs = len(plan.problems) > 0 and plan.problems[0, 1] >= 0
    largest = n * 2 / (len(plan.starts) - 1) if pairs else n
    if largest >= _ROWS_A_COLUMN * q:
        _by_columns(plan, columns, answers)
    else:
        _by_rows(plan, columns, answers)


def _by_columns(plan: Plan, columns: Columns, answers: Answers) -> None:
    z = columns.z.copy() if len(columns.cells) else columns.z
    left = np.empty((len(plan.labels) * plan.folds * len(plan.problems), 2), dtype=np.int64)
    count = train_problems(plan, columns, z, *_smoothing(plan), left, answers)
    for fit, problem in left[:count].tolist():
        _train_again(plan, columns, fit, problem, answers)


def _smoothing(plan: Plan) -> tuple[float, float]:
    """Steepness to start from and its growth; see ``fit_weights``."""
    if plan.squared:
        return 2.0, 0.0
    spread = float(plan.response.std()) if len(plan.response) else 1.0
    return 0.5 / (spread or 1.0), 5.0


def _train_again(plan: Plan, columns: Columns, fit: int, problem: int, answers: Answers) -> None:
    """One machine by rows, which is slower but bears columns of very different sizes."""
    one, other = plan.problems[problem]
    rows = np.flatnonzero((other < 0) | (plan.target == one) | (plan.target == other))
    place = np.full(len(plan.target), -1)
    place[rows] = np.arange(len(rows))
    cells = columns.cells[place[columns.cells[:, 1]] >= 0]
    cells[:, 1] = place[cells[:, 1]]
    target = plan.target[rows]
    own = plan._replace(
        target=target,
        starts=np.searchsorted(target, np.arange(len(plan.starts))).astype(np.int64),
        response=plan.response[rows] if len(plan.response) else plan.response,
        labels=np.take(plan.labels, rows, axis=1),
        problems=plan.problems[problem : problem + 1],
    )
    shape = (len(plan.labels), len(rows), answers.votes.shape[2])
    said = Answers(np.zeros(shape), np.zeros(shape if len(answers.sums) else (0, 0, 0)))
    desk = _desk_for(own)
    _train_in_double(own, columns._replace(z=np.take(columns.z, rows, axis=1), cells=cells), [fit], desk, said)
    answers.votes[:, rows] += said.votes
    if len(answers.sums):
        answers.sums[:, rows] += said.sums


class _Desk(NamedTuple):
    """(n, n) room for a Gram matrix; dual values to start from, of one problem after another; room to train in."""

    gram: Floats
    starts: Floats
    room: Room


def _desk_for(plan: Plan) -> _Desk:
    n, sizes = len(plan.target), np.diff(plan.starts)
    lengths = [int(sizes[one] + sizes[other]) if other >= 0 else n for one, other in plan.problems]
    return _Desk(np.empty((n, n)), np.zeros(sum(lengths)), room_for(max(lengths, default=0)))


def _by_rows(plan: Plan, columns: Columns, answers: Answers) -> None:
    desk, fits = _desk_for(plan), list(range(-1, len(plan.labels) * plan.folds))
    q, n = columns.z.shape
    is_wide = q >= _COLUMNS_AT_ONCE
    if plan.cost > _LARGEST_SINGLE_COST or len(columns.penalty) == 1 or (is_wide and plan.squared):
        _train_in_double(plan, columns, fits, desk, answers)
        return
    is_shared = not len(columns.cells) and pays(plan, q)
    x = rows_in_single(columns.z) if is_wide or is_shared else _NOTHING
    scaled, dots = (_NOTHING, _NO_ROW) if is_wide else narrow_room(q, n)

    def train(fits: list[int]) -> None:
        own = x if is_wide else _NOTHING
        train_fits(
            plan, columns, own, scaled, dots, np.array(fits), desk.gram, _SINGLE, desk.starts, desk.room, answers
        )

    if is_shared:
        train(fits[:1])
        fits = answer_together(plan, x, columns.penalty, desk.gram, desk.starts, desk.room, answers)
    if fits:
        train(fits)


def _train_in_double(plan: Plan, columns: Columns, fits: list[int], desk: _Desk, answers: Answers) -> None:
    """Over products of BLAS: of all fits together where they are the same, else of one after another."""
    varies = max(len(columns.penalty), len(columns.origin)) > 1 or len(columns.cells) > 0
    for together in [[fit] for fit in fits] if varies else [fits]:
        _fill_gram(plan, columns, together[0], desk.gram)
        train_fits(
            plan,
            columns,
            _NOTHING,
            _NOTHING,
            _NO_ROW,
            np.array(together),
            desk.gram,
            _DOUBLE,
            desk.starts,
            desk.room,
            answers,
        )


def _fill_gram(plan: Plan, columns: Columns, fit: int, gram: Floats) -> None:
    """Fill ``gram`` with (n, n) products of the rows on the scale of a fit; -1: on the mean one."""

    def of(values: Floats) -> Floats:
        own: Floats = values.mean(axis=0) if fit < 0 else values[min(fit, len(values) - 1)]
        return own[:, None]

    scaled = columns.z - of(columns.origin) if plan.squared else columns.z.copy()
    if len(columns.cells):
        place = columns.cells[:, 0], columns.cells[:, 1]
        filled = of(columns.fill) - of(columns.origin) if plan.squared else of(columns.fill)
        scaled[place] = filled[place[0], 0]
    scaled /= np.sqrt(of(columns.penalty))
    np.matmul(scaled.T, scaled, out=gram)
    if plan.squared:
        gram += 1.0
