"""Many small fits in one call: nearest neighbors against scikit-learn, and ties by hand."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from fsdesk.kernels import _core


def fits(masks, split_of, splits):
    return {
        "features": np.array([feature for mask in masks for feature in mask], dtype=np.int32),
        "offsets": np.cumsum([0, *map(len, masks)]),
        "splits": np.asarray(splits, dtype=np.int8),
        "split_of": np.asarray(split_of),
    }


def problem(seed, rows, many=40, features=30):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(features, rows)) * 10.0 ** rng.integers(-3, 4, (features, 1))
    target = rng.integers(0, 3, rows)
    splits = rng.choice([-2, -1, -1, 0], (5, rows))
    splits[:, 0] = -1
    masks = [rng.permutation(features)[: rng.integers(1, 21)] for _ in range(many)]
    return values, target, fits(masks, rng.integers(0, 5, many), splits)


@pytest.mark.parametrize("rows", [2, 9, 33, 100, 700])
@pytest.mark.parametrize("scaling", ["fold", "none"])
def test_errors_and_classes_are_those_of_scikit_learn(rows, scaling):
    values, target, batch = problem(rows, rows)
    errors, predicted = _core.nn_errors(values, target, **batch, scaling=scaling, predict=True)
    for fit, split in enumerate(batch["split_of"]):
        labels = batch["splits"][split]
        train, test = labels == -1, labels == 0
        said = np.full(rows, -1)
        if test.any():
            mask = batch["features"][batch["offsets"][fit] : batch["offsets"][fit + 1]]
            known, asked = values[mask][:, train].T, values[mask][:, test].T
            if scaling == "fold":
                scaler = StandardScaler().fit(known)
                known, asked = scaler.transform(known), scaler.transform(asked)
            model = KNeighborsClassifier(1, algorithm="brute").fit(known, target[train])
            said[test] = model.predict(asked)
        assert np.array_equal(predicted[fit], said)
        assert errors[fit] == np.count_nonzero(said[test] != target[test])


def test_of_training_rows_at_equal_distance_the_lowest_counts():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3, (2, 600)).astype(np.float64)
    target = rng.integers(0, 5, 600)
    splits = rng.choice([-1, 0], (1, 600))
    train, test = np.flatnonzero(splits[0] == -1), np.flatnonzero(splits[0] == 0)
    _, predicted = _core.nn_errors(values, target, **fits([[0, 1]], [0], splits), scaling="none", predict=True)
    far = ((values[:, test][:, :, None] - values[:, train][:, None, :]) ** 2).sum(axis=0)
    assert np.array_equal(predicted[0, test], target[train[far.argmin(axis=1)]])


def test_equal_rows_are_nearest_whatever_their_scale():
    rng = np.random.default_rng(1)
    values = np.tile(rng.normal(size=(8, 50)) * 10.0 ** rng.integers(-9, 10, (8, 1)), 2)
    target = np.tile(rng.integers(0, 30_000, 50), 2)
    splits = np.repeat([[-1, 0]], 50, axis=1)
    errors, _ = _core.nn_errors(values, target, **fits([range(8)], [0], splits))
    assert errors.tolist() == [0]


def test_a_column_without_variance_in_training_says_nothing():
    values = np.array([[1.0, 1.0, 9.0], [0.0, 5.0, 4.0]])
    _, predicted = _core.nn_errors(values, np.array([0, 1, 0]), **fits([[0, 1]], [0], [[-1, -1, 0]]), predict=True)
    assert predicted.tolist() == [[-1, -1, 1]]


def test_without_a_feature_the_lowest_training_row_is_nearest():
    _, predicted = _core.nn_errors(
        np.zeros((1, 4)), np.array([0, 2, 1, 1]), **fits([[]], [0], [[-2, -1, -1, 0]]), predict=True
    )
    assert predicted.tolist() == [[-1, -1, -1, 2]]


@pytest.mark.parametrize("scaling", ["fold", "none"])
def test_results_do_not_depend_on_threads_or_on_the_batch(scaling):
    values, target, batch = problem(3, 120)
    whole = _core.nn_errors(values, target, **batch, scaling=scaling, predict=True)
    for threads in (2, 16):
        again = _core.nn_errors(values, target, **batch, scaling=scaling, predict=True, threads=threads)
        assert all(np.array_equal(a, b) for a, b in zip(whole, again, strict=True))
    for fit in range(len(batch["split_of"])):
        mask = batch["features"][batch["offsets"][fit] : batch["offsets"][fit + 1]]
        alone = fits([mask], batch["split_of"][fit : fit + 1], batch["splits"])
        assert _core.nn_errors(values, target, **alone, scaling=scaling)[0][0] == whole[0][fit]
