"""Nearest neighbours of one measurement, or of several with how often they are wrong: in one call.

One, as other threads want the interpreter; and the same one, as compiling the search takes seconds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ONE, entry, merged
from fsdesk.kernels.dealing import Deal, dealt
from fsdesk.kernels.gaps import fill_gaps, known
from fsdesk.kernels.neighbours import Metric, fit_single, search_in_groups, weigh
from fsdesk.kernels.neighbours_alike import grouped, may_be_alike, search_alike
from fsdesk.kernels.neighbours_lists import search_many_columns
from fsdesk.kernels.scales import training_variances
from fsdesk.kernels.tally import Tally, finish, take
from fsdesk.kernels.votes import error_rates, majority

__all__ = ["Table", "count_errors", "find_neighbours", "settle_lists"]

_FOLDS, _REPEATS = 5, 10  # with which it is found out whether lists pay
_FEW_COLUMNS = 64  # up to here, rows are copied: measuring them again is cheaper than telling whether one must

Double = NDArray[np.float64]
Integers = NDArray[np.int64]
Numbers = NDArray[np.uint16]
Truths = NDArray[np.bool_]


class Table(NamedTuple):
    """What is known of all columns before a mask is.

    Attributes
    ----------
    columns, once, is_filled
        (p, n) values, NaN where one is missing; the others as in a :class:`Metric`.
    factors, mean, deviation
        (p,) as in a :class:`Metric`; any location of each column, near its values, and where weights are learned, mean
        and deviation of all rows.
    has_gaps, order, places, group, nominal
        (p,) which columns lack values; the others are as for :func:`fsdesk.kernels.gaps.fill_gaps`.
    ties
        (p,) each, as for :func:`fsdesk.kernels.neighbours_alike.may_be_alike`.
    learns
        Whether the weights are one over the variance of the training rows, as a share of that of all rows for columns
        without gaps; 1 where these are constant.
    unit
        The weight of columns with gaps where none is learned.
    wide
        From so many columns on, a first pass for each repeat pays.
    lists
        (64,) as for :func:`fsdesk.kernels.neighbours_lists.search_many_columns`.
    """

    columns: Double
    once: Double
    is_filled: bool
    factors: Double
    mean: Double
    deviation: Double
    has_gaps: Truths
    order: Numbers
    places: Integers
    group: Integers
    nominal: Truths
    ties: tuple[Double, Double]
    learns: bool
    unit: float
    wide: int
    lists: Integers


def count_errors(
    table: Table, uses: Truths, k: int, target: Integers, classes: int, deal: Deal, tally: Tally, helps: bool
) -> None:
    """Count the errors of the majority among the k nearest training rows: misses over tested rows.

    Threads that call it with the same arguments share the work.

    Parameters
    ----------
    uses
        (m, p) the columns that each mask compares, m >= 1.
    target, classes
        (n,) class codes, and how many there are.
    deal
        The folds of each mask, or of all.
    tally
        Of the masks; where it is done on return, others have finished theirs.
    helps
        Whether another thread waits for what is measured.
    """
    settle_lists(table, uses, k)
    found = np.empty((0, 0, 0), dtype=np.int64)
    _search(table, uses, _nothing(table), np.empty(0), True, k, target, classes, found, deal, tally, helps)


def find_neighbours(
    table: Table,
    uses: Truths,
    labels: Integers,
    k: int,
    metric: Metric | None = None,
    may_repeat: bool = True,
) -> Integers:
    """Find the k nearest training rows of every row in every repeat.

    Parameters
    ----------
    uses
        (p,) the columns to compare.
    labels
        (repeats, n) folds.
    metric
        Distances, where their weights are known; without the rows ``x``.
    may_repeat
        Whether there may be a first pass for each repeat.

    Returns
    -------
    (n, repeats, k) training rows, nearest first, ties to the lowest; -1 where there are fewer than k.
    """
    found, numbers = np.empty((*labels.shape[::-1], k), dtype=np.int64), np.empty(0, dtype=np.int64)
    none = numbers.view()
    none.setflags(write=False)  # see compiling.py
    deal = Deal(labels[None], np.empty(0, dtype=np.uint64), numbers, none, 0, 0)
    tally = Tally.of([[slice(len(labels))]])
    masks, mean = uses[None], np.empty(0)
    if metric is None:
        metric = _nothing(table)
    else:
        masks, mean = masks[:0], table.mean[metric.chosen]
    _search(table, masks, metric, mean, may_repeat, k, none, 0, found, deal, tally, False)
    return found


def settle_lists(table: Table, uses: Truths, k: int) -> None:
    """Find out whether lists pay for so many columns as these masks have: by columns and folds that never change.

    To be called before such masks are searched, and before room is made for what their search needs.

    Parameters
    ----------
    uses
        (m, p) the columns that each mask compares.
    """
    if not table.learns or uses.shape[1] < table.wide:
        return
    for q in set(np.count_nonzero(uses & ~table.has_gaps, axis=1).tolist()):
        digits = q.bit_length()
        if q < table.wide or table.lists[digits] >= 0:
            continue
        complete = np.flatnonzero(~table.has_gaps & (table.deviation > 0.0))
        some, n = np.zeros(uses.shape[1], dtype=bool), table.columns.shape[1]
        many = min(len(complete), max(table.wide, 3 << digits >> 2))
        some[complete[np.linspace(0, len(complete) - 1, many).astype(np.int64)]] = True
        rng = np.random.default_rng(0)
        labels = np.stack([rng.permutation(n) % _FOLDS for _ in range(min(max(n // (2 * _FOLDS), 2), _REPEATS))])
        find_neighbours(table, some, labels, k)
        if table.lists[digits] < 0:  # none was tried, as weights do not fit single precision
            table.lists[digits] = 1


def _nothing(table: Table) -> Metric:
    none = np.empty((table.columns.shape[1], 0))
    empty = np.empty((1, 0)), none[0], none, none, none, none
    return Metric(table.columns, np.empty(0, dtype=np.int64), *empty, table.once, table.is_filled)


@entry()
def _search(
    table: Table,
    uses: Truths,
    metric: Metric,
    mean: Double,
    may_repeat: bool,
    k: int,
    target: Integers,
    classes: int,
    found: Integers,
    deal: Deal,
    tally: Tally,
    helps: bool,
) -> None:
    """Count the errors of each mask, or fill in the neighbours that it, or without masks ``metric``, has ``found``."""
    part = take(tally, helps)
    while part >= 0:
        mask, first = tally.parts[part, 0], tally.parts[part, 1]
        labels = dealt(deal, mask)[first : tally.parts[part, 2]]
        own, at, folds = metric, mean, ONE
        for repeat in range(len(labels)):
            for row in range(labels.shape[1]):
                folds = max(folds, labels[repeat, row] + 1)
        learns = table.learns and len(uses) > 0
        if len(uses):
            own, at = _metric_of(table, uses[mask], labels, folds)
        neighbours = _neighbours(table, own, at, labels, folds, k, learns, may_repeat)
        if len(found) == 0:
            rates = error_rates(majority(neighbours, target, classes), target, labels)
            for repeat in range(len(rates)):
                tally.values[mask, first + repeat] = rates[repeat]
        else:
            for row in range(len(found)):
                for repeat in range(found.shape[1]):
                    for place in range(k):
                        found[row, repeat, place] = neighbours[row, repeat, place]
        finish(tally)
        part = take(tally, helps)


@merged
def _metric_of(table: Table, uses: Truths, labels: Integers, folds: int) -> tuple[Metric, Double]:
    """Distances by the columns of a mask, their weights not learned yet; and a location of each."""
    n = labels.shape[1]
    room, q, g = np.empty((2, len(uses)), dtype=np.int64), 0, 0
    for column in range(len(uses)):
        room[0, q] = room[1, g] = column
        q += uses[column] and not table.has_gaps[column]
        g += uses[column] and table.has_gaps[column]
    chosen, incomplete, fits = room[0, :q], room[1, :g], len(labels) * folds if g else 0
    factors, at = np.empty(len(chosen)), np.empty(len(chosen))
    for place in range(len(chosen)):
        factors[place], at[place] = table.factors[chosen[place]], table.mean[chosen[place]]
    gaps, filling, weights = np.empty((n, g)), np.empty((fits, g)), np.empty((fits, g))
    if g:
        fill, variance = fill_gaps(
            table.columns, incomplete, table.order, table.places, table.group, table.nominal, labels, folds
        )
        for place in range(g):
            for row in range(n):
                gaps[row, place] = table.columns[incomplete[place], row]
            for fit in range(fits):
                filling[fit, place], weights[fit, place] = fill[place, fit], table.unit
                if table.learns:
                    weights[fit, place] = 1.0 / variance[place, fit] if variance[place, fit] > 0.0 else 0.0
    ones = np.ones((1, len(chosen)))
    own = ones, factors, gaps[:0], gaps, filling, weights
    metric = Metric(table.columns, chosen, *own, table.once, table.is_filled)
    return metric, at


@merged
def _neighbours(
    table: Table,
    metric: Metric,
    mean: Double,
    labels: Integers,
    folds: int,
    k: int,
    learns: bool,
    may_repeat: bool,
) -> Integers:
    """(n, repeats, k) neighbours, by the way that suits the table."""
    repeats, n = labels.shape
    # Outside of loops: these count references.
    columns, chosen, weights, once = metric.columns, metric.chosen, metric.weights, metric.once
    q, g = len(chosen), metric.gaps.shape[1]
    by_row = np.empty((n, repeats), dtype=np.int64)
    for repeat in range(repeats):
        for row in range(n):
            by_row[row, repeat] = labels[repeat, row]
    if learns:
        deviation = np.empty(q)
        for place in range(q):
            deviation[place] = table.deviation[chosen[place]]
        weights = training_variances(columns, chosen, mean, deviation, labels, folds)
        shrunk = weigh(weights, n)
        may_repeat = may_repeat and shrunk == 1.0
        for fit in range(len(metric.gap_weights)):
            for place in range(g):
                metric.gap_weights[fit, place] *= shrunk
    in_fold = table.learns or len(weights) > 1
    by_repeat = may_repeat and in_fold and q >= table.wide and fit_single(weights, n)
    x = np.empty((n if q < _FEW_COLUMNS or g > 0 or (in_fold and not by_repeat) else 0, q))
    for row in range(len(x)):
        for place in range(q):
            x[row, place] = known(columns[chosen[place], row], once[chosen[place]])
    rest = metric.gaps, metric.fill, metric.gap_weights, once, metric.is_filled
    own = Metric(columns, chosen, weights, metric.factors, x, *rest)
    neighbours = np.full((n, repeats, k), -1, dtype=np.int64)
    if not by_repeat and may_be_alike(own, table.ties[0], table.ties[1]):
        alike, pays = grouped(own, n)
        if pays:
            search_alike(own, by_row, folds, alike, neighbours)
            return neighbours
    if by_repeat:
        search_many_columns(own, mean, by_row, folds, table.lists, neighbours)
    else:
        search_in_groups(own, mean, by_row, folds, neighbours)
    return neighbours
