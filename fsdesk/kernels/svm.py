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
from fsdesk.kernels.svm_gram import room_for_products
from fsdesk.kernels.svm_problems import Answers, Columns, Plan
from fsdesk.kernels.svm_rows import train_fits
from fsdesk.kernels.svm_shared import answer_together

__all__ = [
    "Desk",
    "Rows",
    "add_products",
    "answer",
    "answer_gram",
    "answer_rows",
    "begun_with_rows",
    "desk_for",
    "wants_columns",
    "wants_products",
    "wants_rows",
]

_ROWS_A_COLUMN = 8  # from so many rows of a problem for each column on, machines are trained faster over their weights
_ROWS_A_COLUMN_SQUARED = 4  # the same for a smooth loss, which takes fewer steps
_COLUMNS_AT_ONCE = 96  # from so many on products are made as sums over columns
_LARGEST_SINGLE_COST = 10.0  # dual values up to C multiply the rounding of products in single precision
_CELLS_AT_ONCE = 1 << 15  # columns are scaled in parts: no copy of a table is made
_SINGLE, _DOUBLE = 1e-6, 1e-13  # share of the diagonal that hides the rounding of products

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_NOTHING = np.empty((0, 0), dtype=np.float32)


class Rows(NamedTuple):
    """Many columns in single precision, for fits that scale them differently.

    Attributes
    ----------
    x
        (q, n or more) values, see :func:`fsdesk.kernels.svm_gram.room_for_columns`.
    columns
        What else some fits see of them, without ``z``; where there are ``weights``, nothing of ``penalty``.
    weights
        (fits, q) one over each penalty, where all fits are trained together; else (0, q).
    """

    x: NDArray[np.float32]
    columns: Columns
    weights: NDArray[np.float32]


def wants_columns(plan: Plan, q: int) -> bool:
    """Whether machines are trained faster in as many unknowns as there are columns."""
    n = len(plan.target)
    pairs = len(plan.problems) > 0 and plan.problems[0, 1] >= 0
    largest = n * 2 / (len(plan.starts) - 1) if pairs else n
    return bool(largest >= (_ROWS_A_COLUMN_SQUARED if plan.squared else _ROWS_A_COLUMN) * q)


def wants_rows(plan: Plan, q: int, *, varies: bool) -> bool:
    """Whether so many columns are to come as :class:`Rows`: where products hang on a fit's own scale."""
    is_single = varies and plan.cost <= _LARGEST_SINGLE_COST and not plan.squared
    return is_single and q >= _COLUMNS_AT_ONCE and not wants_columns(plan, q)


def wants_products(plan: Plan, q: int) -> bool:
    """Whether so many columns are to come as Gram matrices: where they would be more numbers than these."""
    n = len(plan.target)
    return q > n and q >= _COLUMNS_AT_ONCE and not wants_columns(plan, q)


def answer(plan: Plan, columns: Columns, answers: Answers) -> None:
    """Train every machine and enter what it says about its test rows."""
    if wants_columns(plan, len(columns.z)):
        _by_columns(plan, columns, answers)
    else:
        _by_rows(plan, columns, answers)


def begun_with_rows(plan: Plan, rows: Rows) -> "Desk":
    """Train the machines over all rows, from which those of the fits start."""
    desk = desk_for(plan)
    nothing = Answers(np.empty((0, 0, 0)), np.empty((0, 0, 0)))
    _train_rows(plan, rows, [-1], desk, nothing)
    return desk


def answer_rows(plan: Plan, rows: Rows, desk: "Desk", answers: Answers) -> None:
    """As :func:`answer`, for what :func:`wants_rows`."""
    weights = rows.weights
    if not len(weights):
        _train_rows(plan, rows, list(range(len(plan.labels) * plan.folds)), desk, answers)
        return
    x = rows.x[:, : len(plan.target)]
    for fit in answer_together(plan, x, weights, desk.gram, desk.starts, desk.room, answers):
        columns = rows.columns._replace(penalty=1.0 / weights[fit : fit + 1].astype(np.float64))
        _train_rows(plan, rows._replace(columns=columns), [fit], desk, answers)


def _train_rows(plan: Plan, rows: Rows, fits: list[int], desk: "Desk", answers: Answers) -> None:
    x, columns, _ = rows
    scaled, sums = room_for_products(0, len(plan.target))
    every = np.array(fits)
    train_fits(plan, columns, x, scaled, sums, every, desk.gram, _SINGLE, desk.starts, desk.room, answers)


def answer_gram(plan: Plan, gram: Floats, fits: Integers, desk: "Desk", answers: Answers) -> None:
    """As :func:`answer` where one (n, n) Gram matrix in double precision serves these fits."""
    gram += float(plan.squared)  # 1 for a bias that is penalised
    empty = np.empty((1, 0))
    columns = Columns(np.empty((0, len(gram))), empty, empty, np.empty((0, 2), dtype=np.int32), empty)
    _train_over(plan, columns, fits, desk._replace(gram=gram), answers)


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
    is_tested = plan.labels[fit // plan.folds] == fit % plan.folds  # rows of all classes
    rows = np.flatnonzero((other < 0) | (plan.target == one) | (plan.target == other) | is_tested)
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
    desk = desk_for(own)
    _train_in_double(own, columns._replace(z=np.take(columns.z, rows, axis=1), cells=cells), [fit], desk, said)
    answers.votes[:, rows] += said.votes
    if len(answers.sums):
        answers.sums[:, rows] += said.sums


class Desk(NamedTuple):
    """(n, n) room for a Gram matrix; dual values to start from, of one problem after another; room to train in."""

    gram: Floats
    starts: Floats
    room: Room


def desk_for(plan: Plan) -> Desk:
    """Make room for all fits of a measurement."""
    n, sizes = len(plan.target), np.diff(plan.starts)
    lengths = [int(sizes[one] + sizes[other]) if other >= 0 else n for one, other in plan.problems]
    room = room_for(max(lengths, default=0), has_gram=not plan.squared)
    return Desk(np.empty((n, n)), np.zeros(sum(lengths)), room)


def _by_rows(plan: Plan, columns: Columns, answers: Answers) -> None:
    desk, fits = desk_for(plan), list(range(-1, len(plan.labels) * plan.folds))
    q, n = columns.z.shape
    if plan.cost > _LARGEST_SINGLE_COST or len(columns.penalty) == 1 or q >= _COLUMNS_AT_ONCE:
        _train_in_double(plan, columns, fits, desk, answers)
        return
    scaled, sums = room_for_products(q, n)
    every = np.array(fits)
    train_fits(plan, columns, _NOTHING, scaled, sums, every, desk.gram, _SINGLE, desk.starts, desk.room, answers)


def _train_in_double(plan: Plan, columns: Columns, fits: list[int], desk: Desk, answers: Answers) -> None:
    """Over products of BLAS: of all fits together where they are the same, else of one after another."""
    varies = max(len(columns.penalty), len(columns.origin)) > 1 or len(columns.cells) > 0
    for together in [[fit] for fit in fits] if varies else [fits]:
        add_products(plan, columns, together[0], desk.gram, anew=True)
        if plan.squared:
            np.add(desk.gram, 1.0, out=desk.gram)  # for a bias that is penalised
        _train_over(plan, columns, np.array(together), desk, answers)


def _train_over(plan: Plan, columns: Columns, fits: Integers, desk: Desk, answers: Answers) -> None:
    train_fits(
        plan, columns, _NOTHING, _NOTHING, _NOTHING, fits, desk.gram, _DOUBLE, desk.starts, desk.room, answers
    )  # fmt: skip


def add_products(plan: Plan, columns: Columns, fit: int, gram: Floats, *, anew: bool = False) -> None:
    """Add to ``gram``, or to nothing, the (n, n) products of the rows on the scale of a fit; -1: of all rows."""

    def of(values: Floats) -> Floats:
        own: Floats = values[-1 if fit < 0 else min(fit, len(values) - 1)]
        return own[:, None]

    q, n = columns.z.shape
    origin, root, fill = of(columns.origin), np.sqrt(of(columns.penalty)), of(columns.fill)
    step = max(1, _CELLS_AT_ONCE // n)
    for start in range(0, max(q, 1), step):
        part = slice(start, start + step)
        scaled = columns.z[part] - origin[part] if plan.squared else columns.z[part].copy()
        cells = columns.cells[(columns.cells[:, 0] >= start) & (columns.cells[:, 0] < start + step)]
        if len(cells):
            column = cells[:, 0]
            scaled[column - start, cells[:, 1]] = (fill[column] - (origin[column] if plan.squared else 0.0))[:, 0]
        scaled /= root[part]
        if anew and start == 0:
            np.matmul(scaled.T, scaled, out=gram)
            continue
        for first in range(0, n, step):  # a part of the sums at a time, or they would take a matrix of their own
            gram[first : first + step] += scaled[:, first : first + step].T @ scaled
