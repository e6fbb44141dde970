"""Support vector machines with a Gaussian kernel, against LIBSVM to its tolerance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC, SVR

from fsdesk import Evaluator
from fsdesk.wrappers import WRAPPERS
from tests.known_tables import known_table
from tests.oracles.test_forest_against_scikit_learn import KINDS, columns, subsets

TOLERANCE = 1e-5  # of both; decision values are off by some of these at most


def usual_gamma(x):
    """(q, n): what scikit-learn calls "scale"."""
    spread = x.var()
    return 1.0 / (len(x) * spread) if spread > 0 else 1.0


def libsvm(kind, machine, classes, gamma):
    """What the machine is exported as, with a gamma of its own instead of one relative to "scale"."""
    values = machine.equivalent(classes).model.made().get_params()
    return kind(**{**{name: value for name, value in values.items() if name != "times"}, "gamma": gamma})


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**31 - 1),
    rows=st.integers(8, 120),
    q=st.integers(1, 120),
    classes=st.integers(2, 5),
    kind=st.sampled_from(KINDS),
    cost=st.sampled_from([0.3, 1.0, 10.0]),
    gamma=st.sampled_from([0.3, 1.0, 4.0]),
    weights=st.sampled_from(["none", "balanced"]),
)
def test_decisions_are_those_of_libsvm(seed, rows, q, classes, kind, cost, gamma, weights):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(rows) % classes)
    x, tested = columns(rng, kind, q, rows, y), columns(rng, kind, q, 9, 0)
    lists, features, offsets = subsets(rng, q)
    machine = WRAPPERS["svm-rbf"].build(
        {"cost": cost, "gamma": gamma, "class_weights": weights, "tolerance": TOLERANCE}
    )
    found = machine.single_fits(x, y, tested, features, offsets, classes, 1)
    assert found.tobytes() == machine.single_fits(x, y, tested, features, offsets, classes, 3).tobytes()
    for own, chosen in zip(found, lists, strict=True):
        theirs = libsvm(SVC, machine, classes, gamma * usual_gamma(x[chosen]))
        theirs.fit(x[chosen].T, y)
        if not is_settled(theirs, cost, weights, y):
            continue
        expected = theirs.decision_function(tested[chosen].T)
        if classes == 2:
            expected = np.column_stack([-expected, expected])
        # Where a decision lies at 0 both ways of voting are right.
        near = (np.abs(own - expected) < 50 * TOLERANCE * max(1.0, cost)).all(axis=1)
        assert near.mean() >= (1.0 if classes == 2 else 0.8)


def is_settled(theirs: SVC, cost, weights, y):
    """Whether every pair has a row between its bounds; else a range of biases is right."""
    share = len(y) / (len(theirs.classes_) * np.bincount(y)) if weights == "balanced" else np.ones(len(theirs.classes_))
    first = np.concatenate([[0], np.cumsum(theirs.n_support_)])
    for one in range(len(theirs.classes_)):
        for other in range(one + 1, len(theirs.classes_)):
            duals = [(theirs.dual_coef_[other - 1, first[one] : first[one + 1]], share[one])]
            duals.append((theirs.dual_coef_[one, first[other] : first[other + 1]], share[other]))
            sizes = np.concatenate([np.abs(own) / (cost * weight) for own, weight in duals])
            if not ((sizes > 1e-6) & (sizes < 1 - 1e-6)).any():
                return False
    return True


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**31 - 1),
    rows=st.integers(1, 120),
    q=st.integers(1, 120),
    kind=st.sampled_from(KINDS),
    cost=st.sampled_from([0.1, 1.0, 10.0]),
    gamma=st.sampled_from([0.3, 1.0, 4.0]),
    epsilon=st.sampled_from([0.0, 0.1]),
)
def test_numbers_are_those_of_libsvm(seed, rows, q, kind, cost, gamma, epsilon):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=rows) * 3.0 + 5.0
    x, tested = columns(rng, kind, q, rows, y), columns(rng, kind, q, 9, 0)
    lists, features, offsets = subsets(rng, q)
    machine = WRAPPERS["svm-rbf"].build({"cost": cost, "gamma": gamma, "epsilon": epsilon, "tolerance": TOLERANCE})
    found = machine.single_fits(x, y, tested, features, offsets, 1, 1)
    assert found.tobytes() == machine.single_fits(x, y, tested, features, offsets, 1, 3).tobytes()
    for own, chosen in zip(found, lists, strict=True):
        theirs = libsvm(SVR, machine, 0, gamma * usual_gamma(x[chosen]))
        theirs.fit(x[chosen].T, y)
        sizes = np.abs(theirs.dual_coef_) / cost
        if ((sizes > 1e-6) & (sizes < 1 - 1e-6)).any():
            assert own == pytest.approx(theirs.predict(tested[chosen].T), abs=50 * TOLERANCE * max(1.0, cost))


def test_settings_that_share_distances_say_what_each_says_alone():
    rng = np.random.default_rng(0)
    y, x, tested = rng.integers(0, 3, 70), rng.normal(size=(20, 70)), rng.normal(size=(20, 130))
    _, features, offsets = subsets(rng, 20)
    pairs = [(0.1, 1.0), (1.0, 1.0), (10.0, 1.0), (1.0, 0.2), (1.0, 1.0)]
    asked = x, y, tested, features, offsets, 3
    together = WRAPPERS["svm-rbf"].build({}).fits_of_settings(pairs, *asked, 2)
    for own, (cost, gamma) in zip(together, pairs, strict=True):
        alone = WRAPPERS["svm-rbf"].build({"cost": cost, "gamma": gamma}).single_fits(*asked, 1)
        assert own.tobytes() == alone.tobytes()


def test_classes_without_a_training_row_score_lowest():
    rng = np.random.default_rng(1)
    x, tested, every = rng.normal(size=(3, 20)), rng.normal(size=(3, 5)), np.arange(3, dtype=np.int32)
    machine, ends = WRAPPERS["svm-rbf"].build({}), np.array([0, 3])
    two = machine.single_fits(x, np.arange(20) % 2 * 2, tested, every, ends, 4, 1)
    assert (two[0, :, [1, 3]] == np.finfo(np.float64).min).all()
    assert np.array_equal(two[0, :, 0], -two[0, :, 2])
    one = machine.single_fits(x, np.full(20, 3), tested, every, ends, 4, 1)
    assert (one[0].argmax(axis=1) == 3).all()


@pytest.mark.parametrize("size", [1e-250, 1e250])
def test_the_unit_of_the_columns_does_not_matter(size):
    rng = np.random.default_rng(2)
    y, x, tested = rng.integers(0, 2, 40), rng.normal(size=(4, 40)), rng.normal(size=(4, 9))
    power = 2.0 ** np.round(np.log2(size))
    machine, every, ends = WRAPPERS["svm-rbf"].build({}), np.arange(4, dtype=np.int32), np.array([0, 4])
    one, other = (machine.single_fits(x * by, y, tested * by, every, ends, 2, 1) for by in (1.0, power))
    assert other == pytest.approx(one)


@pytest.mark.parametrize("name", ["ionosphere.arff", "segment.arff"])
def test_what_is_measured_is_what_libsvm_predicts(name):
    dataset = known_table(name)
    evaluator = Evaluator(dataset, "svm-rbf", scaling="none", repeats=1, folds=3)
    mask = np.arange(len(dataset.features)) < 12
    predicted, labels = evaluator.predict(mask, 1), evaluator.fold_labels(1)
    x, y = dataset.x[:, mask], dataset.target
    agreed = []
    for fold in range(3):
        train, test = labels[0] != fold, labels[0] == fold
        theirs = SVC(break_ties=len(dataset.classes) > 2).fit(x[train], y[train])
        agreed.append((theirs.predict(x[test]) == predicted[0, test]).mean())
    assert np.mean(agreed) >= 0.998


def test_regression_of_a_table_is_that_of_libsvm():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(80, 6))
    y = np.sin(2 * x[:, 0]) + x[:, 1]
    machine, every, ends = WRAPPERS["svm-rbf"].build({"cost": 10.0}), np.arange(6, dtype=np.int32), np.array([0, 6])
    train, tested = np.ascontiguousarray(x[:60].T), np.ascontiguousarray(x[60:].T)
    found = machine.single_fits(train, y[:60], tested, every, ends, 1, 1)[0]
    assert found == pytest.approx(SVR(C=10.0).fit(x[:60], y[:60]).predict(x[60:]), abs=0.01)
