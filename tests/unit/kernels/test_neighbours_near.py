"""Long tables, whose rows are listed leaf by leaf: against the definition, where lists are short, tied or given up."""

import numpy as np
import pytest

from tests.doors import lengths_of_lists, neighbours_found

ROWS = 1100  # the last leaf is not full


def _columns(kind):
    """(6, n) whole numbers, so that sums are exact."""
    rng = np.random.default_rng(0)
    near = rng.integers(0, 60, size=(6, ROWS))
    if kind == "far clusters":
        return (near + 10_000 * rng.integers(0, 4, size=(6, 12))[:, rng.integers(0, 12, ROWS)]).astype(float)
    if kind == "many alike":
        return near[:, rng.integers(0, ROWS // 20, ROWS)].astype(float)
    if kind == "a clump":  # more rows at no distance than are listed: searched one by one
        near[:, 300:400] = near[:, [300]]
        return near.astype(float)
    if kind == "a line":
        return np.outer(np.arange(1, 7), rng.integers(0, 1 << 20, ROWS)).astype(float)
    if kind == "a few far away":
        near[:, ::250] += 1_000_000 * np.arange(1, 6)
        return near.astype(float)
    if kind == "all alike":
        return np.full((6, ROWS), 3.0)
    if kind == "few values":
        return rng.integers(0, 3, size=(6, ROWS)).astype(float)
    return near.astype(float)


def _labels(kind):
    """(repeats, n), and the number of folds."""
    rng = np.random.default_rng(1)
    if kind == "leave-one-out":
        return rng.permutation(ROWS)[None], ROWS
    folds = 1 if kind == "hold-out" else 5
    labels = np.array([rng.permutation(ROWS) % (folds + 2 * (kind == "hold-out")) for _ in range(4)])
    return np.where(labels < folds, labels, -1), folds


def _expected(columns, weights, labels, folds, k):
    found = np.full((ROWS, len(labels), k), -1)
    for fit in range(len(labels) * folds):
        repeat, fold = divmod(fit, folds)
        tests, trains = np.flatnonzero(labels[repeat] == fold), np.flatnonzero(labels[repeat] != fold)
        far = np.zeros((len(tests), len(trains)))
        for values, weight in zip(columns, weights[min(fit, len(weights) - 1)], strict=True):
            far += weight * np.square(values[tests, None] - values[trains])
        nearest = trains[np.argsort(far, axis=1, kind="stable")[:, :k]]
        found[tests, repeat, : nearest.shape[1]] = nearest
    return found


@pytest.mark.parametrize("k", [1, 8])
@pytest.mark.parametrize("kind", ["folds", "hold-out", "leave-one-out"])
@pytest.mark.parametrize(
    "values",
    ["ordinary", "far clusters", "many alike", "a clump", "a line", "a few far away", "all alike", "few values"],
)
def test_neighbours_under_common_weights(values, kind, k):
    columns, (labels, folds) = _columns(values), _labels(kind)
    expected = _expected(columns, np.ones((1, 6)), labels, folds, k)
    by_bounds = neighbours_found(np.tile(columns, (11, 1)), np.ones((1, 66)), labels, k, may_group=False)
    assert np.array_equal(by_bounds, expected)
    found = neighbours_found(columns, np.ones((1, 6)), labels, k, may_group=False)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("k", [1, 8])
@pytest.mark.parametrize("kind", ["folds", "hold-out"])
@pytest.mark.parametrize("values", ["ordinary", "far clusters", "a clump", "a line", "a few far away"])
@pytest.mark.parametrize("spread", [1.05, 1.5, 200, 1_000_000])
def test_neighbours_under_the_weights_of_each_fit(spread, values, kind, k):
    columns, (labels, folds) = _columns(values), _labels(kind)
    weights = np.random.default_rng(2).integers(100, int(100 * spread), size=(len(labels) * folds, 6)).astype(float)
    found = neighbours_found(columns, weights, labels, k, may_group=False)
    assert np.array_equal(found, _expected(columns, weights, labels, folds, k))


@pytest.mark.parametrize("values", ["ordinary", "far clusters", "a line", "a few far away"])
def test_lists_are_short_wherever_no_rows_are_alike(values):
    pays, lengths = lengths_of_lists(_columns(values), _labels("folds")[0], 1)
    assert pays
    assert np.count_nonzero(lengths == 0) < 16  # of leaves with those far away many are about as far
    assert lengths.mean() < 12.0


def test_there_are_no_neighbours_without_training_rows():
    found = neighbours_found(_columns("ordinary"), np.ones((1, 6)), np.zeros((1, ROWS), dtype=np.int64), 1)
    assert (found == -1).all()
