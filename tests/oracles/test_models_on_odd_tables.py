"""Models on tables that nobody would make on purpose, against scikit-learn on the very same folds."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

from fsdesk.errors import WrapperError
from tests.oracles.odd import ODD, Odd, tables

KINDS = ["apart", "apart", "tied", "constant", "all but constant", "tiny", "huge", "beyond whole numbers"]
GAPS = (0.0, 0.0, 0.1, 0.5)


def prepared(table, train, test, scaling):
    """What a pipeline hands to its model; columns whose squares leave double precision in another unit, exactly."""
    largest = np.fmax.reduce(np.abs(table.x))
    shift = np.where(np.isin(table.kinds, ["tiny", "huge"]), -np.frexp(largest)[1], 0)
    # Columns that lie far from 0 are moved there, exactly: scikit-learn takes them for constant.
    x = np.ldexp(table.x - np.where(np.isin(table.kinds, ["beyond whole numbers"]), 2.0**53, 0.0), shift)
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).fit(x if scaling == "once" else x[train])
    x = imputer.transform(x)
    # Equal values less their mean are not quite 0 in scikit-learn.
    x = x - np.where(x.max(axis=0) == x.min(axis=0), x[0], 0.0)
    if scaling == "none":
        return x[train], x[test]
    if scaling == "fold":
        x = x - np.where(x[train].max(axis=0) == x[train].min(axis=0), x[train[0]], 0.0)
    scaler = StandardScaler().fit(x if scaling == "once" else x[train])
    return scaler.transform(x[train]), scaler.transform(x[test])


def known_fits(table, scaling):
    """The fits whose training rows have a value of every column: what fills the others is our own rule."""
    for repeat, train, test in table.fits():
        if not np.isnan(table.x if scaling == "once" else table.x[train]).all(axis=0).any():
            yield repeat, train, test


def every(table):
    return np.ones(table.x.shape[1], dtype=bool)


def is_clear(scores):
    """Where the largest of (m, classes) scores is larger than the next by more than rounding."""
    tops = np.sort(np.column_stack([np.full(len(scores), -np.inf), scores]), axis=1)
    return tops[:, -1] - tops[:, -2] > 1e-5 * np.maximum(1.0, np.abs(tops[:, -1]))


def is_trainable(table, x, train):
    """Whether there are two classes, and rows that the features tell apart."""
    return len(np.unique(table.target[train])) > 1 and (x != x[0]).any()


@ODD
@given(table=tables(KINDS, gaps=GAPS), scaling=st.sampled_from(["fold", "once"]))
def test_naive_bayes_likelihoods_are_scikit_learn_s(table, scaling):
    joint = table.bound("nb", scaling).likelihoods(every(table), table.labels, normalised=False)
    predicted = table.bound("nb", scaling).predict(every(table), table.labels)
    for repeat, train, test in known_fits(table, scaling):
        x, tests = prepared(table, train, test, scaling)
        if (x == x[0]).all():
            continue  # no column has a variance, and scikit-learn gives no numbers
        model = GaussianNB().fit(x, table.target[train])
        theirs = model.predict_joint_log_proba(tests)
        ours = joint[repeat, test][:, model.classes_]
        # Scaled densities are all others by the same factor.
        assert (np.ptp(ours - theirs, axis=1) <= 1e-5 + 1e-6 * np.abs(theirs).max(axis=1)).all()
        assert np.isneginf(np.delete(joint[repeat, test], model.classes_, axis=1)).all()
        clear = is_clear(theirs)
        assert np.array_equal(predicted[repeat, test][clear], model.predict(tests)[clear])


MODELS = {
    "lda": LinearDiscriminantAnalysis(),
    "logistic": LogisticRegression(tol=1e-8, max_iter=100_000),
    "ridge": RidgeClassifier(),
}


def trained(name, x, target, tests):
    """A fitted model and its scores; None where scikit-learn gives up."""
    if name == "lda":  # what rounding leaves of a constant column would be scaled up
        varies = (x != x[0]).any(axis=0)
        x, tests = x[:, varies], tests[:, varies]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = clone(MODELS[name]).fit(x, target)
            said = model.decision_function(tests) if name == "ridge" else model.predict_proba(tests)
    except IndexError:  # no class has rows that differ
        return None
    return model.predict(tests), np.column_stack([-said, said]) if said.ndim == 1 else said


def tells_classes_alone(x, target):
    """Whether a column varies between the classes and in none: what rounding leaves in them would be scaled up."""
    inside = [(x[target == each] != x[target == each][0]).any(axis=0) for each in np.unique(target)]
    return ((x != x[0]).any(axis=0) & ~np.any(inside, axis=0)).any()


@pytest.mark.parametrize("name", MODELS)
@ODD
@given(table=tables(KINDS, gaps=GAPS), scaling=st.sampled_from(["fold", "once"]))
def test_linear_models_score_as_scikit_learn_s(name, table, scaling):
    fits = [
        (repeat, train, test, *prepared(table, train, test, scaling))
        for repeat, train, test in known_fits(table, scaling)
    ]
    if name == "lda":  # a column that a fold fills by our own rule may leave it nothing to train on
        assume(len(fits) == len(list(table.fits())))
    fits = [fit for fit in fits if is_trainable(table, fit[3], fit[1])]
    if name == "lda":  # a cloud for each row has no shape
        fits = [fit for fit in fits if len(fit[1]) > len(np.unique(table.target[fit[1]]))]
    theirs = [trained(name, x, table.target[train], tests) for _, train, _, x, tests in fits]
    predictor = table.bound(name, scaling)
    if None in theirs:
        with pytest.raises(WrapperError):
            predictor.scores(every(table), table.labels)
        return
    scores, predicted = predictor.scores(every(table), table.labels), predictor.predict(every(table), table.labels)
    for (repeat, train, test, x, _), (codes, expected) in zip(fits, theirs, strict=True):
        if name == "lda" and tells_classes_alone(x, table.target[train]):
            continue
        assert scores[repeat, test][:, np.unique(table.target[train])] == pytest.approx(expected, abs=1e-6)
        clear = is_clear(expected)
        assert np.array_equal(predicted[repeat, test][clear], codes[clear])


@ODD
@given(table=tables(KINDS, gaps=GAPS), scaling=st.sampled_from(["fold", "once"]), seed=st.integers(0, 99))
def test_ridge_numbers_are_scikit_learn_s(table, scaling, seed):
    response = table.target + np.random.default_rng(seed).normal(size=len(table.target))
    values = table.bound("ridge", scaling, response=response).values(every(table), table.labels)
    for repeat, train, test in known_fits(table, scaling):
        x, tests = prepared(table, train, test, scaling)
        assert values[repeat, test] == pytest.approx(Ridge().fit(x, response[train]).predict(tests), abs=1e-7)


def machine(x, y, cost, above, below):
    """LIBSVM's weights and bias for rows of 1 and -1, each of its own cost.

    Where no dual value is free, any bias within a range is optimal: the middle is LIBSVM's own rule, from which its
    rounding of bounds keeps it at times.
    """
    model = SVC(kernel="linear", C=cost, tol=1e-5, class_weight={1: above, -1: below}).fit(x, y)
    dual, limit = np.zeros(len(y)), cost * np.where(y > 0, above, below)
    dual[model.support_] = np.abs(model.dual_coef_[0])
    at_zero, at_limit = dual < 1e-7 * limit, dual > (1 - 1e-7) * limit
    if not (at_zero | at_limit).all():
        return model.coef_[0], model.intercept_[0]
    residual = y - x @ model.coef_[0]
    low, high = np.where(y > 0, at_zero, at_limit), np.where(y > 0, at_limit, at_zero)
    return model.coef_[0], (residual[low].max(initial=-np.inf) + residual[high].min(initial=np.inf)) / 2


@ODD
@given(
    table=tables(KINDS, classes=(2, 2, 3, 5), gaps=GAPS),
    scaling=st.sampled_from(["fold", "once"]),
    cost=st.sampled_from([0.1, 1.0, 10.0]),
    balanced=st.booleans(),
)
def test_machines_vote_as_libsvm_s(table, scaling, cost, balanced):
    values = {"cost": cost, "tolerance": 1e-5, "class_weights": "balanced" if balanced else "none"}
    predicted = table.bound("svm", scaling, **values).predict(every(table), table.labels)
    for repeat, train, test in known_fits(table, scaling):
        x, tests = prepared(table, train, test, scaling)
        target, sizes = table.target[train], np.bincount(table.target[train], minlength=table.classes)
        weight = len(train) / np.count_nonzero(sizes) / np.maximum(sizes, 1) if balanced else np.ones(table.classes)
        votes, clear = np.zeros((len(test), table.classes)), np.ones(len(test), dtype=bool)
        votes[:, sizes == 0] = -1
        for one, other in combinations(np.flatnonzero(sizes), 2):
            rows = np.isin(target, (one, other))
            y = np.where(target[rows] == one, 1, -1)
            w, bias = machine(x[rows], y, cost, weight[one], weight[other])
            decision = tests @ w + bias
            votes[:, one] += decision > 0
            votes[:, other] += decision <= 0
            clear &= np.abs(decision) > 2e-3 * (1 + np.abs(tests * w).sum(axis=1))
        assert np.array_equal(predicted[repeat, test][clear], votes.argmax(axis=1)[clear])


@ODD
@given(
    table=tables(KINDS, gaps=GAPS), scaling=st.sampled_from(["fold", "once"]), epsilon=st.sampled_from([0.0, 0.1, 1.0])
)
def test_regression_machines_say_libsvm_s_numbers(table, scaling, epsilon):
    response = table.target + np.random.default_rng(len(table.target)).normal(size=len(table.target))
    bound = table.bound("svm", scaling, response=response, epsilon=epsilon, tolerance=1e-5)
    values = bound.values(every(table), table.labels)
    for repeat, train, test in known_fits(table, scaling):
        x, tests = prepared(table, train, test, scaling)
        model = SVR(kernel="linear", epsilon=epsilon, tol=1e-5).fit(x, response[train])
        theirs, size = model.predict(tests), 1 + np.abs(tests * model.coef_).sum(axis=1)
        dual = np.abs(model.dual_coef_)
        if not ((dual > 1e-7) & (dual < 1 - 1e-7)).any():  # any bias within a range is optimal
            theirs = theirs + (values[repeat, test] - theirs)[size.argmin()]
        assert (np.abs(values[repeat, test] - theirs) < 2e-3 * size).all()


@ODD
@given(
    table=tables(KINDS, classes=(2, 2, 3, 5), gaps=GAPS),
    scaling=st.sampled_from(["fold", "once"]),
    cost=st.sampled_from([0.1, 1.0]),
    balanced=st.booleans(),
)
@example(  # the machine over all rows has a weight for a column that is constant among a fold's training rows
    table=Odd(np.array([[2.0], [3], [3], [2]]), np.array([2, 1, 2, 0]), 3, np.array([[3, -1, 2, 3]]), ["tied"]),
    scaling="once",
    cost=0.1,
    balanced=False,
)
def test_squared_hinge_scores_are_liblinear_s(table, scaling, cost, balanced):
    values = {"cost": cost, "tolerance": 1e-5, "loss": "squared hinge"}
    bound = table.bound("svm", scaling, **values, class_weights="balanced" if balanced else "none")
    scores = bound.scores(every(table), table.labels)
    for repeat, train, test in known_fits(table, scaling):
        x, tests = prepared(table, train, test, scaling)
        target, seen = table.target[train], np.unique(table.target[train])
        if len(seen) < 2:
            continue
        weights = "balanced" if balanced else None
        model = LinearSVC(C=cost, tol=1e-10, max_iter=200_000, class_weight=weights, dual=False).fit(x, target)
        said = model.decision_function(tests)
        theirs = np.column_stack([-said, said]) if said.ndim == 1 else said
        size = 1 + np.abs(tests) @ np.abs(model.coef_).max(axis=0)
        assert (np.abs(scores[repeat, test][:, seen] - theirs) < 2e-3 * size[:, None]).all()
