"""The search where its short cuts end: long lists, many ties, lanes that run dry, rows and folds of every kind."""

import numpy as np
import pytest
from numba import njit

from fsdesk.kernels.neighbours import Metric, distances
from fsdesk.kernels.neighbours_exact import COSINE, MANHATTAN, nearest_exact
from fsdesk.kernels.neighbours_lists import nearest_in_lists, search_by_repeat
from fsdesk.kernels.neighbours_products import TERMS_AT_ONCE, products_of_repeats, products_once
from fsdesk.kernels.tiles import TERMS
from tests.doors import neighbours_found

ROWS = 150


@njit
def _once(columns, chosen, mean, root):
    return products_once(columns, chosen, mean, root, mean, chosen[0] < 0)  # not plain: see compiling.py


@njit
def _of_repeats(columns, chosen, mean, root, weights, labels, folds, places):
    return products_of_repeats(columns, chosen, mean, root, weights, labels, folds, places)


def _labels(kind, seed=0):
    """(rows, repeats), and the number of folds."""
    rng = np.random.default_rng(seed)
    if kind == "leave-one-out":
        return rng.permutation(ROWS)[:, None], ROWS
    folds = 1 if kind == "hold-out" else 5
    labels = np.array([rng.permutation(ROWS) % (folds + (kind == "hold-out") * 2) for _ in range(7)]).T
    return np.ascontiguousarray(np.where(labels < folds, labels, -1)), folds


def _metric(columns, weights, *, keep_rows):
    q = len(columns)
    x = np.ascontiguousarray(columns.T) if keep_rows else np.empty((0, 0))
    nothing = np.empty((ROWS, 0)), np.empty((len(weights), 0)), np.empty((len(weights), 0))
    return Metric(columns, np.arange(q), weights, np.ones(q), x, *nothing, np.full(q, np.nan), False)


def _expected(columns, weights, labels, folds, k):
    """By definition; the sums are exact wherever values and weights are small whole numbers."""
    found = np.full((*labels.shape, k), -1)
    for i, repeat in np.argwhere(labels >= 0):
        own = weights[0 if len(weights) == 1 else repeat * folds + labels[i, repeat]]
        far = (np.square(columns - columns[:, [i]]) * own[:, None]).sum(axis=0)
        train = np.flatnonzero(labels[:, repeat] != labels[i, repeat])
        order = train[np.argsort(far[train], kind="stable")][:k]
        found[i, repeat, : len(order)] = order
    return found


@pytest.mark.parametrize("kind", ["folds", "hold-out", "leave-one-out"])
@pytest.mark.parametrize("k", [1, 3, 40, 200])
@pytest.mark.parametrize("q", [9, 80, 300])
@pytest.mark.parametrize("levels", [2, 1000])
def test_neighbours_under_common_weights(levels, q, k, kind):
    labels, folds = _labels(kind)
    columns = np.random.default_rng(1).integers(0, levels, size=(q, ROWS)).astype(float)
    found = neighbours_found(columns, np.ones((1, q)), labels.T, k, may_group=False)
    assert np.array_equal(found, _expected(columns, np.ones((1, q)), labels, folds, k))


@pytest.mark.parametrize("kind", ["folds", "hold-out", "leave-one-out"])
@pytest.mark.parametrize("k", [1, 20])
@pytest.mark.parametrize(("by_repeat", "q"), [(False, 12), (False, 80), (True, 12), (True, 900)])
@pytest.mark.parametrize("spread", [2, 50])
def test_neighbours_under_the_weights_of_each_fit(spread, by_repeat, q, k, kind):
    labels, folds = _labels(kind)
    rng = np.random.default_rng(2)
    columns = rng.integers(0, 8, size=(q, ROWS)).astype(float)
    weights = rng.integers(1, spread, size=(labels.shape[1] * folds, q)).astype(float)
    found = neighbours_found(columns, weights, labels.T, k, may_repeat=by_repeat, may_group=False)
    assert np.array_equal(found, _expected(columns, weights, labels, folds, k))


def _near_and_far(q, seed=5):
    """(q, ROWS) columns of 6 groups of rows, and rows that alone have a value in some column."""
    rng = np.random.default_rng(seed)
    columns = (rng.integers(0, 8, size=(q, 6))[:, np.arange(ROWS) % 6] + rng.integers(0, 2, size=(q, ROWS))).astype(
        float
    )
    columns[:10, :10] += 64.0 * np.eye(10)
    return columns


@pytest.mark.parametrize("kind", ["folds", "hold-out"])
@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("gaps", [0, 2])
@pytest.mark.parametrize("q", [60, 900])
def test_lists_tell_the_neighbours_of_most_rows_and_leave_the_others_open(q, gaps, k, kind):
    labels, folds = _labels(kind)
    rng = np.random.default_rng(6)
    columns, fits = _near_and_far(q + gaps), labels.shape[1] * folds
    weights = rng.integers(7, 10, size=(fits, q + gaps)).astype(float)
    weights[:, :10] = rng.integers(1, 200, size=(fits, 10))
    metric = _metric(columns[:q], np.ascontiguousarray(weights[:, :q]), keep_rows=False)
    metric = metric._replace(
        gaps=np.ascontiguousarray(columns[q:].T), fill=np.zeros((fits, gaps)), gap_weights=weights[:, q:].copy()
    )
    found = np.full((*labels.shape, k), -1)
    is_open = nearest_in_lists(metric, columns[:q].mean(axis=1), labels, folds, found)
    assert (found[is_open] == -1).all()
    assert np.array_equal(found[~is_open], _expected(columns, weights, labels, folds, k)[~is_open])
    assert 0 < np.count_nonzero(is_open) <= 20


def test_where_lists_tell_little_every_row_stays_open():
    labels, folds = _labels("folds")
    rng = np.random.default_rng(7)
    columns, weights = rng.normal(size=(40, ROWS)), rng.uniform(1.0, 9.0, size=(35, 40))
    found = np.full((*labels.shape, 1), -1)
    is_open = nearest_in_lists(_metric(columns, weights, keep_rows=False), np.zeros(40), labels, folds, found)
    assert is_open.all()
    assert (found == -1).all()


@pytest.mark.parametrize("q", [12, 900])
def test_only_open_rows_are_searched(q):
    labels, folds = _labels("folds")
    rng = np.random.default_rng(8)
    columns, weights = rng.integers(0, 8, size=(q, ROWS)).astype(float), rng.integers(1, 9, size=(35, q)).astype(float)
    is_open = rng.random(ROWS) < 0.3
    found = np.where(is_open[:, None, None], -1, np.full((*labels.shape, 1), 7))
    search_by_repeat(_metric(columns, weights, keep_rows=False), columns.mean(axis=1), labels, folds, is_open, found)
    assert np.array_equal(found[is_open], _expected(columns, weights, labels, folds, 1)[is_open])
    assert (found[~is_open] == 7).all()


def test_distances_to_neighbours_are_those_of_the_row_s_fit():
    labels, folds = _labels("folds")
    rng = np.random.default_rng(3)
    columns, weights = rng.integers(0, 9, size=(4, ROWS)).astype(float), rng.integers(1, 5, size=(35, 4)).astype(float)
    neighbours = _expected(columns, weights, labels, folds, 2)
    far = distances(_metric(columns, weights, keep_rows=False), neighbours, labels, folds)
    for i, repeat, place in [(0, 0, 0), (70, 3, 1), (149, 6, 0)]:
        d = columns[:, i] - columns[:, neighbours[i, repeat, place]]
        assert far[i, repeat, place] == np.sqrt((d * d * weights[repeat * folds + labels[i, repeat]]).sum())


@pytest.mark.parametrize("q", [1, 16, int(TERMS) + 17, int(TERMS_AT_ONCE) + 17])
def test_products_equal_numpy_s(q):
    rng = np.random.default_rng(4)
    labels, folds = _labels("folds")
    columns, mean = rng.normal(size=(q, ROWS)), rng.normal(size=q)
    weights = rng.uniform(0.5, 2.0, size=(35, q))
    z, everyone = (columns - mean[:, None]).T * 2.0, np.arange(ROWS)
    dots, norms = _once(columns, np.arange(q), mean, np.full(q, 2.0))
    np.testing.assert_allclose(dots[:ROWS, :ROWS], z @ z.T, atol=1e-5 * q)
    np.testing.assert_allclose(norms[0], np.square(z).sum(axis=1), rtol=1e-4)
    dots, norms = _of_repeats(columns, np.arange(q), mean, np.full(q, 2.0), weights, labels, folds, everyone)
    np.testing.assert_allclose(norms[:35, :ROWS], weights @ np.square(z).T, rtol=1e-4)
    some = np.array([3, 70, 149])
    of_some = _of_repeats(columns, np.arange(q), mean, np.full(q, 2.0), weights, labels, folds, some)[0]
    np.testing.assert_allclose(of_some[:, :3, :ROWS], dots[:, some, :ROWS], atol=1e-5 * q)
    dots = dots[:, :ROWS, :ROWS]
    for repeat in range(7):
        own = weights[repeat * folds + labels[:, repeat]]
        apart = labels[:, repeat, None] != labels[:, repeat]
        np.testing.assert_allclose(dots[repeat][apart], ((z * own) @ z.T)[apart], atol=1e-5 * q)
        assert (dots[repeat][~apart] < -1e36).all()


@pytest.mark.parametrize("is_cosine", [False, True])
def test_rows_without_length_are_at_distance_1_by_cosine_and_the_lowest_row_wins_every_tie(is_cosine):
    columns = np.zeros((2, 6))
    columns[:, 4] = 3.0
    labels = np.arange(6)[:, None]
    shape = (np.zeros((1, 2)), np.ones((1, 2)), np.zeros((1, 2)))
    neighbours, far = nearest_exact(columns, np.arange(2), *shape, labels, 6, 2, COSINE if is_cosine else MANHATTAN)
    assert neighbours[:, 0].tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1], [0, 1]]
    assert far[4, 0].tolist() == ([1.0, 1.0] if is_cosine else [6.0, 6.0])
    assert far[0, 0].tolist() == ([1.0, 1.0] if is_cosine else [0.0, 0.0])
