"""Machines of wide tables, trained together over one Gram matrix, say what LIBSVM says of the same folds."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from tests.oracles.odd import ODD, VALUES, Odd, deal
from tests.oracles.test_models_on_odd_tables import every, known_fits, machine, prepared

KINDS = ["apart", "tied", "constant", "all but constant", "tiny", "huge"]
WIDE = settings(ODD, max_examples=max(1, ODD.max_examples // 2))
SEVERAL = st.lists(st.sampled_from(KINDS), min_size=0, max_size=3)


@st.composite
def wide_tables(draw, classes):
    """Eight to sixteen columns for each row; some rows far out, some twice, classes that hang on a few columns."""
    n = draw(st.integers(4, 40)) if classes <= 2 else draw(st.integers(50, 60))
    kinds, far = ["apart", *draw(SEVERAL)], draw(st.sampled_from([0, 0, 1, 2]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    own = [kinds[place] for place in rng.integers(0, len(kinds), size=n * draw(st.integers(8, 16)))]
    x = np.column_stack([VALUES[kind](rng, n) for kind in own])
    target = rng.permutation(np.arange(n) % classes)
    x[:, :20] += target[:, None] * draw(st.sampled_from([0.0, 1.0, 5.0]))
    x[:far, ::3] *= 30.0
    if draw(st.booleans()):  # rows that come twice, with classes of their own
        x[n // 2 :] = x[: n - n // 2]
    x[rng.random(x.shape) < draw(st.sampled_from([0.0, 0.0, 0.0, 0.1]))] = np.nan
    return Odd(x, target, classes, deal(rng, n, draw(st.integers(2, 5))), own)


@pytest.mark.parametrize("classes", [2, 3])
@WIDE
@given(data=st.data(), cost=st.sampled_from([1e-3, 0.1, 1.0, 10.0]), balanced=st.booleans())
def test_machines_of_wide_tables_vote_as_libsvm_s(data, classes, cost, balanced):
    table = data.draw(wide_tables(classes))
    bound = table.bound("svm", cost=cost, tolerance=1e-5, class_weights="balanced" if balanced else "none")
    scores, predicted = bound.scores(every(table), table.labels), bound.predict(every(table), table.labels)
    for repeat, train, test in known_fits(table, "fold"):
        x, tests = prepared(table, train, test, "fold")
        target, sizes = table.target[train], np.bincount(table.target[train], minlength=classes)
        weight = len(train) / np.count_nonzero(sizes) / np.maximum(sizes, 1) if balanced else np.ones(classes)
        votes, clear = np.zeros((len(test), classes)), np.ones(len(test), dtype=bool)
        votes[:, sizes == 0] = -1
        for one, other in combinations(np.flatnonzero(sizes), 2):
            rows = np.isin(target, (one, other))
            w, bias = machine(x[rows], np.where(target[rows] == one, 1, -1), cost, weight[one], weight[other])
            decision, size = tests @ w + bias, 1 + np.sqrt(((tests * w) ** 2).sum(axis=1))
            votes[:, one] += decision > 0
            votes[:, other] += decision <= 0
            clear &= np.abs(decision) > 2e-3 * size
            if classes == 2:
                assert (np.abs(scores[repeat, test, one] - decision) < 2e-3 * size).all()
        assert np.array_equal(predicted[repeat, test][clear], votes.argmax(axis=1)[clear])


@WIDE
@given(table=wide_tables(1), epsilon=st.sampled_from([0.0, 0.1, 1.0]), cost=st.sampled_from([0.01, 1.0, 10.0]))
def test_regression_machines_of_wide_tables_say_libsvm_s_numbers(table, epsilon, cost):
    response = np.nansum(table.x[:, :9:3].clip(-9, 9), axis=1) + np.random.default_rng(len(table.x)).normal(
        size=len(table.x)
    )
    bound = table.bound("svm", response=response, epsilon=epsilon, cost=cost, tolerance=1e-5)
    values = bound.values(every(table), table.labels)
    for repeat, train, test in known_fits(table, "fold"):
        x, tests = prepared(table, train, test, "fold")
        model = SVR(kernel="linear", C=cost, epsilon=epsilon, tol=1e-5).fit(x, response[train])
        theirs, size = model.predict(tests), 1 + np.sqrt(((tests * model.coef_) ** 2).sum(axis=1))
        dual = np.abs(model.dual_coef_)
        if not ((dual > 1e-7 * cost) & (dual < cost * (1 - 1e-7))).any():  # any bias within a range is optimal
            theirs = theirs + (values[repeat, test] - theirs)[size.argmin()]
        assert (np.abs(values[repeat, test] - theirs) < 2e-3 * size).all()


def test_a_column_that_a_fold_leaves_all_but_constant_is_as_exact_as_others():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 4))
    x[:24, 0] = 0.785 + 0.002 * rng.normal(size=24)  # 0.785 from 0, and 0.002 from one another
    x[24:, 0] -= 3.0
    response = 200.0 * np.where(np.arange(30) < 24, x[:, 0] - 0.785, 0.0) + x[:, 1] + 0.3 * rng.normal(size=30)
    labels = np.stack([np.arange(30) // 6, np.where(np.arange(30) < 24, -1, 0)])
    table = Odd(x, np.zeros(30, dtype=np.int64), 1, labels, ["apart"] * 4)
    values = table.bound("svm", response=response, epsilon=1.0, cost=10.0, tolerance=1e-6).values(every(table), labels)
    for repeat, train, test in table.fits():
        scaled, tests = prepared(table, train, test, "fold")
        model = SVR(kernel="linear", C=10.0, epsilon=1.0, tol=1e-7).fit(scaled, response[train])
        assert values[repeat, test] == pytest.approx(model.predict(tests), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("columns", [80, 300, 2000])
@pytest.mark.parametrize("near", [1e-3, 1e-6])
def test_groups_that_lie_far_apart_are_as_exact_as_others(columns, near):
    rng = np.random.default_rng(0)
    group = np.arange(60) // 30
    x, target = rng.normal(size=(60, columns)), np.arange(60) % 2
    x[:, :10] += 0.8 * target[:, None]
    x[:, :40] = near * x[:, :40] + group[:, None]  # one group trains, and is tested on the other
    bound = Odd(x, target, 2, group[None], ["apart"] * columns).bound("svm", cost=1.0, tolerance=1e-5)
    scores = bound.scores(np.ones(columns, dtype=bool), group[None])
    for train, test in ((group == 1, group == 0), (group == 0, group == 1)):
        scaler = StandardScaler().fit(x[train])
        model = SVC(kernel="linear", tol=1e-7).fit(scaler.transform(x[train]), target[train])
        theirs = model.decision_function(scaler.transform(x[test]))
        assert scores[0, test, 1] == pytest.approx(theirs, rel=1e-5, abs=1e-4)


@pytest.mark.parametrize("cost", [1e-4, 1e-3, 0.01, 1.0])
def test_equal_rows_of_opposite_classes_leave_a_machine_undecided(cost):
    rows = np.random.default_rng(0).normal(size=(2, 52))
    x, target, labels = rows[[0, 1, 0, 1]], np.array([0, 1, 1, 0]), np.array([[1, 0, 1, 1], [0, 1, 0, 1]])
    table = Odd(x, target, 2, labels, ["apart"] * 52)
    scores = table.bound("svm", cost=cost, tolerance=1e-5).scores(every(table), labels)
    checked = 0
    for repeat, train, test in table.fits():
        y = np.where(target[train] == 0, 1, -1)
        if abs(y.sum()) == len(y):
            continue
        scaled, tests = prepared(table, train, test, "fold")
        w, bias = machine(scaled, y, cost, 1.0, 1.0)
        assert scores[repeat, test, 0] == pytest.approx(tests @ w + bias, abs=1e-5)
        checked += 1
    assert checked == 3
