"""Forests of random trees, against scikit-learn's to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk import Evaluator
from fsdesk.wrappers import WRAPPERS
from tests.known_tables import known_table

KINDS = ["numbers", "ties", "constants", "copies", "far off"]


def columns(rng, kind, q, n, y):
    """(q, n) columns, of which about half tell something."""
    x = rng.normal(size=(q, n)) + y * rng.integers(0, 2, (q, 1))
    if kind == "ties":
        x = np.round(x)
    elif kind == "constants":
        x[rng.random(q) < 0.6] = 3.0
    elif kind == "copies":
        x[:, n // 2 :] = x[:, : n - n // 2]
    elif kind == "far off":
        x = x * 1e5 + 1e6
    return x


def subsets(rng, q):
    """Some lists of columns, as the kernel takes them."""
    lists = [np.sort(rng.permutation(q)[: rng.integers(1, q + 1)]) for _ in range(3)]
    return lists, np.concatenate(lists).astype(np.int32), np.cumsum([0, *map(len, lists)])


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**31 - 1),
    rows=st.integers(1, 90),
    q=st.integers(1, 50),
    classes=st.integers(1, 5),
    kind=st.sampled_from(KINDS),
    weights=st.sampled_from(["none", "balanced"]),
    tried=st.sampled_from(["usual", "root", "third", "all"]),
)
def test_probabilities_are_those_of_scikit_learn_to_the_last_bit(seed, rows, q, classes, kind, weights, tried):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    x, tested = columns(rng, kind, q, rows, y), columns(rng, kind, q, 7, 0)
    lists, features, offsets = subsets(rng, q)
    forest = WRAPPERS["forest"].build({"trees": 6, "class_weights": weights, "tried": tried, "seed": seed})
    found = forest.single_fits(x, y, tested, features, offsets, classes, 1)
    assert found.tobytes() == forest.single_fits(x, y, tested, features, offsets, classes, 3).tobytes()
    for own, chosen in zip(found, lists, strict=True):
        theirs = forest.equivalent(classes).model.made().fit(x[chosen].T, y)
        expected = np.zeros((7, classes))
        expected[:, theirs.classes_] = theirs.predict_proba(tested[chosen].T)
        assert np.array_equal(own, expected)


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**31 - 1),
    rows=st.integers(1, 90),
    q=st.integers(1, 50),
    kind=st.sampled_from(KINDS),
    size=st.sampled_from([0.1, 1.0, 1e4]),
    tried=st.sampled_from(["usual", "root", "third", "all"]),
)
def test_numbers_are_those_of_scikit_learn_to_the_last_bit(seed, rows, q, kind, size, tried):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=rows) * size + rng.integers(0, 2)
    x, tested = columns(rng, kind, q, rows, y), columns(rng, kind, q, 7, 0)
    lists, features, offsets = subsets(rng, q)
    forest = WRAPPERS["forest"].build({"trees": 6, "tried": tried, "seed": seed})
    found = forest.single_fits(x, y, tested, features, offsets, 1, 1)
    assert found.tobytes() == forest.single_fits(x, y, tested, features, offsets, 1, 3).tobytes()
    for own, chosen in zip(found, lists, strict=True):
        theirs = forest.equivalent(0).model.made().fit(x[chosen].T, y)
        assert np.array_equal(own, theirs.predict(tested[chosen].T))


@pytest.mark.parametrize("size", [1e-200, 1e-9, 1e200])
def test_numbers_of_any_size_are_predicted_as_those_of_size_one(size):
    rng = np.random.default_rng(3)
    y, x, tested = rng.normal(size=60), rng.normal(size=(5, 60)), rng.normal(size=(5, 9))
    power = 2.0 ** np.round(np.log2(size))
    forest, every = WRAPPERS["forest"].build({"trees": 10}), np.arange(5, dtype=np.int32)
    one, other = (forest.single_fits(x, y * by, tested, every, np.array([0, 5]), 1, 1) for by in (1.0, power))
    assert other == pytest.approx(one * power)


@pytest.mark.parametrize("name", ["ionosphere.arff", "segment.arff"])
def test_a_measured_forest_is_that_of_single_fits_on_the_same_rows(name):
    dataset = known_table(name)
    wrapper = WRAPPERS["forest"].build({"trees": 5})
    evaluator = Evaluator(dataset, wrapper, scaling="none", repeats=1, folds=2, criterion="auc")
    mask = np.arange(len(dataset.features)) < 9
    labels = evaluator.fold_labels(4)
    scores, predicted = evaluator.outcome(mask, labels).scores, evaluator.predict(mask, 4)
    every, ends = np.arange(9, dtype=np.int32), np.array([0, 9])
    for fold in range(2):
        train, test = labels[0] != fold, labels[0] == fold
        x, y = np.ascontiguousarray(dataset.x[:, :9].T), dataset.target
        own = wrapper.single_fits(
            np.ascontiguousarray(x[:, train]), y[train], np.ascontiguousarray(x[:, test]),
            every, ends, len(dataset.classes), 1,
        )  # fmt: skip
        assert np.array_equal(scores[0, test], own[0])
        assert np.array_equal(predicted[0, test], own[0].argmax(axis=1))
