"""Every option of the nearest neighbors against scikit-learn with the same folds, scalers and models."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS

ROWS = 45
SCALERS = {"z-score": StandardScaler, "min-max": MinMaxScaler, "robust": RobustScaler}
DISTANCES = ["euclidean", "manhattan", "cosine"]
OPTIONS = [(1, "uniform"), (4, "uniform"), (5, "distance")]
SCALINGS = [*((scaling, scaler) for scaling in ("fold", "once") for scaler in SCALERS), ("none", "z-score")]


def _columns(seed, features=6, gaps=False):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(ROWS, features)) * 10.0 ** rng.integers(-2, 3, features) + rng.normal(size=features)
    x[:, 0] = 0.0
    x[rng.integers(ROWS), 0] = 0.7  # constant in the training rows of one fold in every repeat
    x[:, 1] = np.where(rng.random(ROWS) < 0.8, 2.0, rng.normal(size=ROWS))  # quartiles that are all the same
    if gaps:
        x[:, 2:][rng.random((ROWS, features - 2)) < 0.1] = np.nan
    return _with_twins(x)


def _with_twins(values):
    """Some rows are equal, classes and responses too: either of two that are at the same distance may be taken."""
    values[1::9] = values[::9]
    return values


def _classes(count, seed=0):
    return _with_twins(np.random.default_rng(seed).permutation(np.arange(ROWS) % count))


def _labels(kind, seed):
    rng = np.random.default_rng(seed)
    if kind == "leave-one-out":
        return rng.permutation(ROWS)[None, :]
    if kind == "hold-out":
        return np.array([rng.permutation(np.arange(ROWS) % 4 // 3) - 1 for _ in range(3)])
    return np.array([rng.permutation(np.arange(ROWS) % 5) for _ in range(3)])


def _splits(labels):
    for repeat, row in enumerate(labels):
        for fold in range(labels.max() + 1):
            yield repeat, np.flatnonzero(row != fold), np.flatnonzero(row == fold)


def _turn(*places):
    """Which of three a combination gets, as in a Latin square: each meets every value of every option."""
    return sum(places) % 3


def _neighbours(turn, distance):
    k, votes = OPTIONS[turn]
    return k, distance, votes


def _model(kind, k, distance, votes):
    # A tree takes differences row by row, so that equal rows are at no distance at all.
    algorithm = "brute" if distance == "cosine" else "kd_tree"
    return kind(k, metric=distance, weights=votes, algorithm=algorithm)


def _prepared(x, train, test, scaling, scaler):
    rows = train if scaling == "fold" else slice(None)
    steps = [SimpleImputer(strategy="median")]
    # Where scales come from all rows, so do the values that fill gaps.
    steps[0].fit(x[slice(None) if scaling == "once" else train])
    filled = steps[0].transform(x)
    if scaling != "none":
        filled = make_pipeline(SCALERS[scaler]()).fit(filled[rows]).transform(filled)
    return filled[train], filled[test]


def _bound(dataset, scaling, scaler, **options):
    return WRAPPERS["nn"].build(options).bind(design_of(dataset, scaling, scaler))


def _check_probabilities(dataset, mask, labels, scaling, scaler, k, distance, votes):
    predictor = _bound(dataset, scaling, scaler, k=k, distance=distance, weights=votes)
    scores, predicted = predictor.scores(mask, labels), predictor.predict(mask, labels)
    assert scores.shape == (*labels.shape, len(dataset.classes))
    for repeat, train, test in _splits(labels):
        a, b = _prepared(dataset.x[:, mask], train, test, scaling, scaler)
        model = _model(KNeighborsClassifier, k, distance, votes).fit(a, dataset.target[train])
        expected = np.zeros((len(test), len(dataset.classes)))
        expected[:, model.classes_] = model.predict_proba(b)
        np.testing.assert_allclose(scores[repeat, test], expected, atol=1e-7)
        assert np.array_equal(predicted[repeat, test], expected.round(9).argmax(axis=1))


@pytest.mark.covering(scaling=SCALINGS, option=OPTIONS, distance=DISTANCES)
def test_class_shares_equal_scikit_learn_s(make_dataset, scaling, option, distance):
    seed = _turn(SCALINGS.index(scaling), OPTIONS.index(option), DISTANCES.index(distance))
    dataset = make_dataset(_columns(seed), _classes(3, seed))
    mask = np.array([True, True, True, seed != 1, True, False])
    _check_probabilities(dataset, mask, _labels("folds", seed), *scaling, *_neighbours(OPTIONS.index(option), distance))


@pytest.mark.covering(scaler=list(SCALERS), scaling=["fold", "once", "none"], distance=DISTANCES)
def test_gaps_are_filled_before_any_scaler_learns(make_dataset, scaler, scaling, distance):
    seed = _turn(list(SCALERS).index(scaler), ["fold", "once", "none"].index(scaling), DISTANCES.index(distance))
    dataset, mask = make_dataset(_columns(seed, gaps=True), _classes(2)), np.ones(6, dtype=bool)
    _check_probabilities(dataset, mask, _labels("folds", seed), scaling, scaler, *_neighbours(seed, distance))


@pytest.mark.covering(distance=DISTANCES, kind=["hold-out", "leave-one-out"], gaps=[False, True])
def test_rows_that_are_never_tested_train_and_a_fold_may_be_one_row(make_dataset, gaps, kind, distance):
    seed = _turn(gaps, kind == "hold-out", DISTANCES.index(distance))
    dataset, mask = make_dataset(_columns(seed, gaps=gaps), _classes(2)), np.ones(6, dtype=bool)
    scaler = list(SCALERS)[seed]
    _check_probabilities(dataset, mask, _labels(kind, seed), "fold", scaler, *_neighbours(seed, distance))


@pytest.mark.covering(distance=DISTANCES, kind=["folds", "hold-out", "leave-one-out"], option=OPTIONS)
def test_with_class_weights_each_class_has_its_share_of_votes_over_its_training_rows(
    make_dataset, option, kind, distance
):
    k, votes = option
    target = _with_twins((np.random.default_rng(2).random(ROWS) < 0.2) + np.arange(ROWS) // (ROWS - 9))
    dataset, labels = make_dataset(_columns(2), target), _labels(kind, 2)
    mask = np.ones(6, dtype=bool)
    predictor = _bound(dataset, "fold", "z-score", k=k, distance=distance, weights=votes, class_weights="balanced")
    scores, predicted = predictor.scores(mask, labels), predictor.predict(mask, labels)
    for repeat, train, test in _splits(labels):
        a, b = _prepared(dataset.x, train, test, "fold", "z-score")
        model = _model(KNeighborsClassifier, k, distance, votes).fit(a, target[train])
        counts = np.bincount(target[train], minlength=len(dataset.classes))
        expected = np.zeros((len(test), len(counts)))
        expected[:, model.classes_] = model.predict_proba(b)
        expected /= np.maximum(1, counts) if k > 1 else 1
        expected /= expected.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(scores[repeat, test], expected, atol=1e-7)
        assert np.array_equal(predicted[repeat, test], expected.round(9).argmax(axis=1))


@pytest.mark.covering(features=[6, 90], kind=["folds", "hold-out", "leave-one-out"], distance=DISTANCES)
def test_predicted_numbers_equal_scikit_learn_s(make_dataset, distance, kind, features):
    rng = np.random.default_rng(4)
    dataset = make_dataset(_columns(3, features), np.zeros(ROWS))
    response = _with_twins(rng.normal(size=ROWS) * 1e3)
    labels, mask = _labels(kind, 2), rng.random(features) < 0.7
    turn = DISTANCES.index(distance) + (features > 6)
    pairs = list(zip(("fold", "once", "none"), [*OPTIONS, *OPTIONS][turn % 3 :], strict=False))
    for scaling, (k, votes) in pairs if kind != "leave-one-out" else pairs[turn % 3 :][:1]:  # as many fits as rows
        design = replace(design_of(dataset, scaling), response=response)
        wrapper = WRAPPERS["nn"].build({"k": k, "distance": distance, "weights": votes})
        values = wrapper.bind(design).values(mask, labels)
        for repeat, train, test in _splits(labels):
            a, b = _prepared(dataset.x[:, mask], train, test, scaling, "z-score")
            model = _model(KNeighborsRegressor, k, distance, votes).fit(a, response[train])
            np.testing.assert_allclose(values[repeat, test], model.predict(b), rtol=1e-7)
