"""Tables in which many rows are alike: searched group by group, to the answers that the definition gives."""

from itertools import pairwise

import numpy as np
import pytest
from numba import njit

from fsdesk import Evaluator
from fsdesk.data import Dataset
from fsdesk.kernels.neighbours import Metric
from fsdesk.kernels.neighbours_alike import grouped, may_be_alike
from fsdesk.wrappers import Design
from fsdesk.wrappers.columns import ties
from fsdesk.wrappers.nn import NearestNeighbours
from tests.doors import neighbours_found

ROWS = 170


@njit
def _grouped(metric, n):
    alike, pays = grouped(metric, n)
    return alike.rows, alike.starts, pays


@njit
def _may_be_alike(metric, alike, steps):
    return may_be_alike(metric, alike, steps)


def _columns(kind, q, rows=ROWS, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "genotypes":
        return rng.binomial(2, rng.uniform(0.03, 0.5, size=(q, 1)), size=(q, rows)).astype(float)
    if kind == "one-hot":
        return (rng.integers(0, q + 1, size=rows) == np.arange(q)[:, None]).astype(float)
    if kind == "mostly 0":
        return np.where(rng.random((q, rows)) < 0.9**q, 0, rng.integers(-900, 900, size=(q, rows))).astype(float)
    if kind == "one clump":
        return np.where(np.arange(rows) % 3, 5, rng.integers(0, 90, size=(q, rows))).astype(float)
    if kind == "one value":
        return np.full((q, rows), 3.0)
    if kind == "signs of 0":
        return np.where(rng.random((q, rows)) < 0.2, 1.0, rng.choice([0.0, -0.0], size=(q, rows)))
    return rng.integers(0, kind, size=(q, rows)).astype(float)


KINDS = [2, 3, 5, "genotypes", "one-hot", "mostly 0", "one clump", "one value", "signs of 0"]


def _labels(kind, rows=ROWS):
    """(repeats, n), and the number of folds."""
    rng = np.random.default_rng(1)
    if kind == "leave-one-out":
        return rng.permutation(rows)[None], rows
    if kind == "no training rows":
        return np.zeros((2, rows), dtype=np.int64), 1
    folds = 1 if kind == "hold-out" else 4
    repeats = 1 if kind == "one repeat" else 6
    labels = np.array([rng.permutation(rows) % (folds + 2 * (kind == "hold-out")) for _ in range(repeats)])
    return np.where(labels < folds, labels, -1), folds


LABELS = ["folds", "one repeat", "hold-out", "leave-one-out", "no training rows"]


def _expected(columns, weights, labels, folds, k):
    """By definition; the sums are exact wherever values and weights are small whole numbers."""
    found = np.full((*labels.shape[::-1], k), -1)
    for fit in range(len(labels) * folds):
        repeat, fold = divmod(fit, folds)
        tests, trains = np.flatnonzero(labels[repeat] == fold), np.flatnonzero(labels[repeat] != fold)
        differences = np.square(columns[:, tests, None] - columns[:, None, trains])
        far = np.einsum("c,cij->ij", weights[min(fit, len(weights) - 1)], differences)
        nearest = trains[np.argsort(far, axis=1, kind="stable")[:, :k]]
        found[tests, repeat, : nearest.shape[1]] = nearest
    return found


def _metric(columns, gaps=None):
    q, n = columns.shape
    gaps = np.empty((n, 0)) if gaps is None else gaps
    none = np.zeros((1, gaps.shape[1]))
    once = np.full(q, np.nan)
    return Metric(columns, np.arange(q), np.ones((1, q)), np.ones(q), np.empty((0, q)), gaps, none, none, once, False)


def _design(columns):
    q, n = columns.shape
    return Design(columns, np.arange(q), np.zeros(q, dtype=bool), np.zeros(n, dtype=np.int64), 1, "none")


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("k", [1, 4, 200])
@pytest.mark.parametrize("q", [1, 5, 70])
@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_under_common_weights(kind, q, k, labels):
    columns, (labels, folds) = _columns(kind, q), _labels(labels)
    found = neighbours_found(columns, np.ones((1, q)), labels, k)
    assert np.array_equal(found, _expected(columns, np.ones((1, q)), labels, folds, k))


@pytest.mark.parametrize("spread", [2, 50])
@pytest.mark.parametrize("labels", ["folds", "one repeat"])
@pytest.mark.parametrize("k", [1, 40])
@pytest.mark.parametrize("q", [3, 70])
@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_under_the_weights_of_each_fit(kind, q, k, labels, spread):
    columns, (labels, folds) = _columns(kind, q), _labels(labels)
    weights = np.random.default_rng(2).integers(1, spread, size=(len(labels) * folds, q)).astype(float)
    found = neighbours_found(columns, weights, labels, k)
    assert np.array_equal(found, _expected(columns, weights, labels, folds, k))


@pytest.mark.parametrize("rows", [300, 1100])
@pytest.mark.parametrize("labels", ["folds", "one repeat"])
@pytest.mark.parametrize("k", [1, 6])
@pytest.mark.parametrize("q", [2, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_where_sums_are_rounded_groups_have_the_neighbours_that_single_rows_have(kind, q, k, labels, rows):
    columns, (labels, folds) = _columns(kind, q, rows) * 0.1, _labels(labels, rows)
    for weights in (np.full((1, q), 1.3), np.random.default_rng(3).uniform(0.9, 1.1, (len(labels) * folds, q))):
        found = neighbours_found(columns, weights, labels, k)
        assert np.array_equal(found, neighbours_found(columns, weights, labels, k, may_group=False))


@pytest.mark.parametrize("kind", KINDS)
def test_groups_are_the_rows_alike(kind):
    columns = _columns(kind, 3)
    gaps = np.where(_columns(3, 2, seed=1) == 2.0, np.nan, _columns(3, 2, seed=1)).T.copy()
    for metric, known in ((_metric(columns), columns), (_metric(columns, gaps), np.vstack([columns, gaps.T]))):
        rows, starts, pays = _grouped(metric, ROWS)
        _, group, sizes = np.unique(
            np.nan_to_num(known + 0.0, nan=-1e6), axis=1, return_inverse=True, return_counts=True
        )
        assert pays == ((sizes**2).sum() >= 2 * ROWS)
        if not pays:
            continue
        assert len(starts) - 1 == len(sizes)
        for begin, end in pairwise(starts):
            assert np.array_equal(rows[begin:end], np.flatnonzero(group == group[rows[begin]]))


def test_columns_tell_how_many_rows_are_alike_and_how_near_two_values_are():
    columns = np.array([[1.0, 1, 1, 1], [0, 5, 0.5, 5], [np.nan, 2, np.nan, 2], [-0.0, 0, 0, -1e-200]])
    alike, steps = ties(_design(columns))
    assert alike.tolist() == [4.0, 1.5, 1.5, 2.5]
    assert steps.tolist() == [np.inf, 0.5, np.inf, 1e-200]


@pytest.mark.parametrize(("unit", "groups"), [(1.0, True), (1e-100, True), (1e-200, False)])
def test_rows_whose_difference_vanishes_in_squares_are_not_told_apart_by_groups(unit, groups):
    columns, (labels, folds) = _columns(2, 2) * unit, _labels("folds")
    assert _may_be_alike(_metric(columns), *ties(_design(columns))) == groups
    found = neighbours_found(columns, np.ones((1, 2)), labels, 3)
    assert np.array_equal(found, _expected(columns, np.ones((1, 2)), labels, folds, 3))


def test_a_column_without_rows_alike_spares_the_grouping():
    columns = np.vstack([_columns(2, 3), np.arange(ROWS)])
    assert not _may_be_alike(_metric(columns), *ties(_design(columns)))


@pytest.mark.parametrize("scaling", ["fold", "once", "none"])
@pytest.mark.parametrize("votes", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 7])
@pytest.mark.parametrize("gaps", [0, 1])
@pytest.mark.parametrize("is_regression", [False, True])
def test_models_answer_as_they_do_without_groups(is_regression, gaps, k, votes, scaling):
    rng = np.random.default_rng(4)
    x = _columns("genotypes", 5).T * [1.0, 0.1, 3.0, 7.0, 1e5]
    x[rng.random(ROWS) < 0.1, :gaps] = np.nan
    target, response = np.arange(ROWS) % 3, rng.normal(size=ROWS) if is_regression else None
    names, classes = tuple("abcde"), () if is_regression else ("0", "1", "2")
    table = Dataset("t", np.asfortranarray(x), names, target, "y", classes, ("",) * ROWS, response=response)
    settings = {"scaling": scaling, "repeats": 3, "criterion": "rmse" if is_regression else "error"}
    evaluator = Evaluator(table, NearestNeighbours(k=k, weights=votes), **settings)
    predictor, labels = evaluator._predictor, evaluator.fold_labels(0)

    def answers(mask):
        of_rows = predictor.values if is_regression else predictor.scores
        return of_rows(mask, labels), evaluator.measure(mask).values

    masks = [np.array(mask, dtype=bool) for mask in ([1, 1, 1, 1, 1], [1, 0, 0, 0, 0], [0, 1, 0, 1, 1])]
    in_groups = [answers(mask) for mask in masks]
    predictor.__dict__["table"] = predictor.table._replace(ties=(np.zeros(5), np.ones(5)))
    for (values, losses), (plain_values, plain_losses) in zip(in_groups, map(answers, masks), strict=True):
        assert np.array_equal(values, plain_values)
        assert np.array_equal(losses, plain_losses)


@pytest.mark.parametrize(("kind", "q"), [("one value", 1), (2, 1), (3, 4), ("genotypes", 5), ("one-hot", 8)])
def test_long_tables_of_few_values_are_searched_in_groups(kind, q):
    columns = _columns(kind, q, 2000)  # each row from all others takes 30 to 600 times as long
    assert _may_be_alike(_metric(columns), *ties(_design(columns)))
    assert _grouped(_metric(columns), 2000)[2]
