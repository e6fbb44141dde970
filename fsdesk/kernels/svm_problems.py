"""The two-class problems, or the one regression, that every training fold poses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner
from fsdesk.kernels.svm_lean import lean
from fsdesk.kernels.svm_loss import Loss

__all__ = ["Answers", "Columns", "Plan", "class_costs", "has_both", "part_of", "pose", "record", "rows_of", "scale_of"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Cells = NDArray[np.int32]

_NO_FOLD = np.int64(-2)  # which no row has


class Plan(NamedTuple):
    """What all fits of a measurement share; rows are sorted by class.

    Attributes
    ----------
    target, starts
        (n,) class codes, ascending; (classes + 1,) where each class starts. One class in regression.
    response
        (n,) what regression predicts; (0,) in classification.
    labels, folds
        (repeats, n) fold of each row, and how many there are.
    problems
        (problems, 2): a class and the one it is told from, or -1 for all others; (-1, -1) for a regression.
    cost
        C.
    costs
        (fits + 1, classes + 1) C of each class among the training rows of every fit, 0 where it has none, and how many
        classes have; the last row, of fit -1, leaves no row out.
    epsilon
        Half the width of the tube of regression; 0 in classification.
    squared
        Whether the loss is the squared hinge.
    tolerance
        Of optimality, as LIBSVM defines it.
    """

    target: Integers
    starts: Integers
    response: Floats
    labels: Integers
    folds: int
    problems: Integers
    cost: float
    costs: Floats
    epsilon: float
    squared: bool
    tolerance: float


class Columns(NamedTuple):
    """What the fits see: columns on one common scale, and how each fit's own scale differs.

    Attributes
    ----------
    z
        (q, n) values; what is written in ``cells`` is free.
    penalty
        (fits + 1, q) square of each fit's scale in units of ``z``, and that of all rows; (1, q) where all fits share
        it.
    origin
        (fits + 1, q) or (1, q) what each fit's scaled columns call 0.
    cells
        (gaps, 2) column and row of the gaps.
    fill
        (fits + 1, q) what fills them; not read where there are none.
    """

    z: Floats
    penalty: Floats
    origin: Floats
    cells: Cells
    fill: Floats


class Answers(NamedTuple):
    """What the fits say: (repeats, n, classes) votes or values, and sums of decision values ((0, 0, 0): unwanted)."""

    votes: Floats
    sums: Floats


def class_costs(starts: Integers, labels: Integers, folds: int, cost: float, *, balanced: bool) -> Floats:
    """See :class:`Plan`; ``balanced`` classes weigh as if they had equally many rows."""
    totals = np.diff(starts)
    classes, fits = len(totals), len(labels) * folds
    own = np.where(labels >= 0, labels, folds) + np.arange(len(labels))[:, None] * (folds + 1)
    place = own * classes + np.repeat(np.arange(classes), totals)
    tested = np.bincount(place.ravel(), minlength=len(labels) * (folds + 1) * classes)
    tested = tested.reshape(len(labels), folds + 1, classes)[:, :folds].reshape(fits, classes)
    counts = np.vstack([totals - tested, totals])
    present = np.count_nonzero(counts, axis=1)[:, None]
    share = counts.sum(axis=1)[:, None] / (present * counts).clip(1) if balanced else 1.0
    return np.hstack([np.where(counts > 0, cost * share, 0.0), present])


def part_of(plan: Plan, answers: Answers, repeats: slice, folds: slice) -> tuple[Plan, Answers]:
    """The plan of some fits alone, all folds of some repeats or some of one, and where they are answered."""
    labels = plan.labels[repeats]
    each = plan.costs[:-1].reshape(len(plan.labels), plan.folds, -1)[repeats, folds]
    first, last, _ = folds.indices(plan.folds)
    if last - first < plan.folds:
        labels = np.where((labels >= first) & (labels < last), labels - first, -1)
    part = plan._replace(
        labels=labels, folds=last - first, costs=np.vstack([each.reshape(-1, each.shape[-1]), plan.costs[-1:]])
    )
    return part, Answers(answers.votes[repeats], answers.sums[repeats] if len(answers.sums) else answers.sums)


@inner()
def scale_of(values: Floats, fit: int) -> Floats:
    """Those of a fit, or shared by all; -1: those of all rows."""
    last = len(values) - 1
    own: Floats = values[last if fit < 0 else min(fit, last)]
    return own


@lean
def has_both(plan: Plan, problem: int, fit: int) -> bool:
    """Whether the training rows of a fit pose this problem at all."""
    costs = plan.costs[fit]
    one, other = plan.problems[problem, 0], plan.problems[problem, 1]
    if one < 0:
        return True
    if other < 0:
        return bool(costs[one] > 0 and costs[-1] > 1)
    return bool(costs[one] > 0 and costs[other] > 0)


@lean
def rows_of(plan: Plan, problem: int, fit: int, rows: Integers) -> int:
    """Fill ``rows`` with the training rows of the problem (fit -1: all rows); return how many there are."""
    repeat, fold = max(fit, 0) // plan.folds, fit % plan.folds if fit >= 0 else _NO_FOLD
    one, other = plan.problems[problem, 0], plan.problems[problem, 1]
    count = 0
    for part in range(2):
        if other < 0:
            first, last = (0, len(plan.target)) if part == 0 else (0, 0)
        else:
            code = one if part == 0 else other
            first, last = plan.starts[code], plan.starts[code + 1]
        for row in range(first, last):
            if plan.labels[repeat, row] != fold:
                rows[count] = row
                count += 1
    return count


@lean
def pose(plan: Plan, problem: int, fit: int, rows: Integers, loss: Loss) -> None:
    """Fill in responses and bounds of the rows; those that the fit is tested on get bounds of 0."""
    repeat, fold = max(fit, 0) // plan.folds, fit % plan.folds if fit >= 0 else _NO_FOLD
    costs = plan.costs[fit]
    one = plan.problems[problem, 0]
    told = plan.problems[problem, 1] >= 0 or costs[-1] == 2  # as LIBLINEAR, whose "all others" have weight 1
    for k in range(len(rows)):
        row = rows[k]
        if one < 0:
            loss.y[k], cost = plan.response[row], plan.cost
            low, high = -cost, cost
        else:
            positive = plan.target[row] == one
            loss.y[k] = 1.0 if positive else -1.0
            cost = costs[plan.target[row]] if positive or told else plan.cost
            bound = np.inf if plan.squared else cost
            low, high = (0.0, bound) if positive else (-bound, 0.0)
        if plan.labels[repeat, row] == fold:
            low, high, cost = 0.0, 0.0, plan.cost
        loss.rate[k], loss.low[k], loss.high[k] = cost, low, high


@lean
def record(plan: Plan, problem: int, repeat: int, rows: Integers, values: Floats, answers: Answers) -> None:
    """Enter the decision values of test rows."""
    one, other = plan.problems[problem, 0], plan.problems[problem, 1]
    votes = answers.votes[repeat]
    for k in range(len(rows)):
        if other < 0:
            votes[rows[k], max(one, 0)] = values[k]
        elif values[k] > 0.0:
            votes[rows[k], one] += 1.0
        else:
            votes[rows[k], other] += 1.0
    if other >= 0 and len(answers.sums):
        sums = answers.sums[repeat]
        for k in range(len(rows)):
            sums[rows[k], one] += values[k]
            sums[rows[k], other] -= values[k]
