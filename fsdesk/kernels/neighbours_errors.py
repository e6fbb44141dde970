"""Nearest neighbours from one first pass, of one mask, or of several with how often they are wrong: in one call.

One, as other threads want the interpreter; and the same one, as compiling the search takes seconds.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry, merged
from fsdesk.kernels.dealing import Deal, dealt
from fsdesk.kernels.neighbours import Metric, search_in_one_pass
from fsdesk.kernels.tally import Tally, finish, take
from fsdesk.kernels.votes import error_rates, majority

__all__ = ["count_errors", "nearest_in_one_pass"]

Double = NDArray[np.float64]
Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]


def nearest_in_one_pass(
    metric: Metric, mean: Double, deviation: Double, labels: Integers, k: int, learns: bool, keeps_rows: bool
) -> Integers:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    metric
        Without the rows ``x``; the weights are not looked at where they are learned.
    mean, deviation
        (q,) any location of each chosen column, near its values; where weights are learned, mean and deviation of all
        rows.
    labels
        (repeats, n) folds.
    learns
        Whether the weights are one over the variance of the training rows, as a share of that of all rows; 1 where
        these are constant.
    keeps_rows
        Whether many pairs are to be measured exactly.

    Returns
    -------
    (n, repeats, k) training rows, nearest first, ties to the lowest; -1 where there are fewer than k.
    """
    found, numbers = np.empty((*labels.shape[::-1], k), dtype=np.int64), np.empty(0, dtype=np.int64)
    none = numbers.view()
    none.setflags(write=False)  # see compiling.py
    few = 1 + len(metric.chosen) if keeps_rows else 0
    deal = Deal(labels[None], np.empty(0, dtype=np.uint64), numbers, none, 0, 0)
    tally = Tally.of(1, len(labels))
    _search(
        metric, np.empty((0, 0), dtype=np.bool_), mean, deviation, learns, few, k, none, 0, deal, tally, False, found
    )
    return found


def count_errors(
    columns: Double,
    uses: Truths,
    factors: Double,
    mean: Double,
    deviation: Double,
    learns: bool,
    few: int,
    k: int,
    target: Integers,
    classes: int,
    deal: Deal,
    tally: Tally,
    helps: bool,
) -> None:
    """Count the errors of the majority among the k nearest training rows: misses over tested rows.

    Threads that call it with the same arguments share the work.

    Parameters
    ----------
    columns, factors, mean, deviation
        (p, n) values and (p,) as for :func:`nearest_in_one_pass`, of all columns.
    uses
        (m, p) the columns that each mask compares, m >= 1; they have no gaps.
    learns
        As there.
    few
        Rows of fewer columns are copied.
    target, classes
        (n,) class codes, and how many there are.
    deal
        The folds of each mask, or of all.
    tally
        Of the masks; where it is done on return, others have finished theirs.
    helps
        Whether another thread waits for what is measured.
    """
    none = np.empty((columns.shape[1], 0))
    metric = Metric(columns, np.empty(0, dtype=np.int64), np.empty((1, 0)), factors, none, none, none, none)
    found = np.empty((0, 0, 0), dtype=np.int64)
    _search(metric, uses, mean, deviation, learns, few, k, target, classes, deal, tally, helps, found)


@entry()
def _search(
    metric: Metric,
    uses: Truths,
    mean: Double,
    deviation: Double,
    learns: bool,
    few: int,
    k: int,
    target: Integers,
    classes: int,
    deal: Deal,
    tally: Tally,
    helps: bool,
    found: Integers,
) -> None:
    """Count the errors of each mask; without masks, fill in the neighbours that this metric has ``found``."""
    mask = take(tally, helps)
    while mask >= 0:
        labels, own, at, spread = dealt(deal, mask), metric, mean, deviation
        if len(uses):
            chosen = np.flatnonzero(uses[mask])
            q = len(chosen)
            parts = np.ones((4, q))
            for place in range(q):
                column = chosen[place]
                parts[1, place], parts[2, place] = metric.factors[column], mean[column]
                parts[3, place] = deviation[column]
            own, at, spread = _chosen(metric, chosen, parts[:1], parts[1]), parts[2], parts[3]
        neighbours = search_in_one_pass(own, at, spread, labels, k, learns, learns or len(own.chosen) < few)
        if len(uses):
            rates = error_rates(majority(neighbours, target, classes), target, labels)
            for repeat in range(len(rates)):
                tally.values[mask, repeat] = rates[repeat]
        else:
            for row in range(len(found)):
                for repeat in range(found.shape[1]):
                    for place in range(k):
                        found[row, repeat, place] = neighbours[row, repeat, place]
        finish(tally)
        mask = take(tally, helps)


@merged
def _chosen(metric: Metric, chosen: Integers, weights: Double, factors: Double) -> Metric:
    return Metric(metric.columns, chosen, weights, factors, metric.x, metric.gaps, metric.fill, metric.gap_weights)
