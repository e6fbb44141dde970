"""The two-class problems, or the one regression, that every training fold poses."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fsdesk.kernels.svm_lean import lean
from fsdesk.kernels.svm_loss import Loss

__all__ = ["Answers", "Plan", "class_costs", "has_both", "pose", "record", "rows_of"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


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
    cost, balanced
        C, and whether classes weigh as if they had equally many rows.
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
    balanced: bool
    epsilon: float
    squared: bool
    tolerance: float


class Answers(NamedTuple):
    """What the fits say: (repeats, n, classes) votes or values, and sums of decision values ((0, 0, 0): unwanted)."""

    votes: Floats
    sums: Floats


@njit(nogil=True, cache=True, error_model="numpy")
def class_costs(plan: Plan, repeat: int, fold: int) -> Floats:
    """C of each class among the training rows, 0 where it has none, and how many have; fold -2 leaves no row out."""
    classes = len(plan.starts) - 1
    counts = np.zeros(classes + 1)
    for row in range(len(plan.target)):
        counts[plan.target[row]] += plan.labels[repeat, row] != fold
    present, total = (counts > 0).sum(), counts.sum()
    counts[classes] = present
    for c in range(classes):
        if counts[c] > 0:
            counts[c] = plan.cost * (total / (present * counts[c]) if plan.balanced else 1.0)
    return counts


@lean
def has_both(plan: Plan, problem: int, costs: Floats) -> bool:
    """Whether the training rows pose this problem at all."""
    one, other = plan.problems[problem, 0], plan.problems[problem, 1]
    if one < 0:
        return True
    if other < 0:
        return bool(costs[one] > 0 and costs[-1] > 1)
    return bool(costs[one] > 0 and costs[other] > 0)


@lean
def rows_of(plan: Plan, problem: int, repeat: int, fold: int, rows: Integers) -> int:
    """Fill ``rows`` with those of the problem outside ``fold`` (-2: all); return how many there are."""
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
def pose(plan: Plan, problem: int, repeat: int, fold: int, costs: Floats, rows: Integers, loss: Loss) -> None:
    """Fill in responses and bounds of the rows; those in ``fold`` get bounds of 0."""
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
