"""Single fits of linear models, neighbours and naive Bayes are scikit-learn's on the very same split."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC, SVR

from fsdesk.wrappers import WRAPPERS

SPLITS = {  # training rows, tested rows, columns, classes
    "tall": (150, 40, 6, 3),
    "tall, two classes": (150, 40, 6, 2),
    "wide": (40, 15, 300, 2),
    "wide, many classes": (60, 20, 400, 6),
    "as many columns as rows": (30, 9, 30, 3),
    "tiny": (6, 3, 2, 2),
}
CLASSIFIERS = {
    "logistic, C .01": ("logistic", {"C": 0.01}),
    "logistic": ("logistic", {}),
    "logistic, C 100": ("logistic", {"C": 100.0}),
    "logistic, balanced": ("logistic", {"class_weights": "balanced"}),
    "discriminants, .1": ("lda", {"shrinkage": 0.1}),
    "discriminants, .9": ("lda", {"shrinkage": 0.9, "class_weights": "balanced"}),
    "discriminants, 1": ("lda", {"shrinkage": 1.0}),
    "ridge": ("ridge", {"alpha": 2.0}),
    "ridge, balanced": ("ridge", {"alpha": 200.0, "class_weights": "balanced"}),
    "neighbour": ("nn", {}),
    "neighbours": ("nn", {"k": 5}),
    "neighbours by distance": ("nn", {"k": 7, "weights": "distance", "distance": "manhattan"}),
    "naive Bayes": ("nb", {}),
    "naive Bayes, balanced": ("nb", {"class_weights": "balanced", "smoothing": 1e-3}),
}
MACHINE = SVR(kernel="linear", C=2.0, epsilon=0.3, tol=1e-6)
REGRESSIONS = {
    "ridge": ("ridge", {"alpha": 3.0}, Ridge(3.0)),
    "neighbours": ("nn", {"k": 4}, KNeighborsRegressor(4)),
    "machine": (
        "svm",
        {"cost": 2.0, "epsilon": 0.3, "tolerance": 1e-6},
        SVR(kernel="linear", C=2.0, epsilon=0.3, tol=1e-6),
    ),
}


def split(kind, seed=0):
    """Training columns and codes, tested columns; some columns say something, one is constant, rows come twice."""
    n, t, q, classes = SPLITS[kind]
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n + t, q))
    y = np.concatenate([np.arange(2 * classes) % classes, rng.integers(0, classes, n + t - 2 * classes)])
    x[:, : q // 2] += 0.8 * rng.normal(size=(classes, q // 2))[y]
    x[:, -1] = 0.5
    x[n - 1], y[n - 1] = x[0], y[0]  # of rows at one distance scikit-learn takes any
    x[n] = x[1]
    x -= x[:n].mean(axis=0)
    x /= np.maximum(x[:n].std(axis=0), 1e-300)
    x[:, -1] = 0.0
    return np.ascontiguousarray(x[:n].T), y[:n].copy(), np.ascontiguousarray(x[n:].T)


def subsets(q, seed=0):
    """Single columns, all of them, and some in between that lie within one another."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(q)
    sizes = sorted({1, 2, min(5, q), q // 2, q - 1, q})
    return [np.sort(order[:size]).astype(np.int32) for size in sizes if size]


def asked(lists):
    """As kernels take them."""
    return np.concatenate(lists), np.cumsum([0, *map(len, lists)])


def theirs(name, settings, classes):
    """scikit-learn's model with the same settings, trained until it is done."""
    model = WRAPPERS[name].build(settings).equivalent(classes).model.made()
    if isinstance(model, LogisticRegression):
        model.set_params(tol=1e-8, max_iter=100_000)
    return model


def scores_of(model, x):
    """Probabilities, or decision values of each class."""
    if hasattr(model, "predict_proba"):
        return model.predict_proba(x)
    values = model.decision_function(x)
    return np.stack([-values, values], axis=1) if values.ndim == 1 else values


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("case", CLASSIFIERS)
def test_scores_are_scikit_learns(case, kind):
    name, settings = CLASSIFIERS[case]
    train, y, test = split(kind)
    classes = SPLITS[kind][3]
    if settings.get("k", 1) > train.shape[1]:
        pytest.skip("scikit-learn wants as many rows as neighbours")
    lists = subsets(len(train))
    said = WRAPPERS[name].build(settings).single_fits(train, y, test, *asked(lists), classes, 1)
    assert said.shape == (len(lists), test.shape[1], classes)
    for own, scores in zip(lists, said, strict=True):
        model = theirs(name, settings, classes).fit(train[own].T, y)
        # Theirs ends where the gradient is 1e-8 of a row, which leaves room where C is large.
        near = 5e-5 if name == "logistic" else 1e-8
        np.testing.assert_allclose(scores, scores_of(model, test[own].T), atol=near, rtol=1e-7)


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("cost", [0.01, 1.0])
def test_machines_are_libsvms(kind, cost):
    train, y, test = split(kind)
    classes = SPLITS[kind][3]
    wrapper = WRAPPERS["svm"].build({"cost": cost, "tolerance": 1e-6})
    lists = subsets(len(train))
    said = wrapper.single_fits(train, y, test, *asked(lists), classes, 1)
    for own, scores in zip(lists, said, strict=True):
        model = SVC(kernel="linear", C=cost, tol=1e-6).fit(train[own].T, y)
        values = model.decision_function(test[own].T)
        if classes == 2:
            values = np.stack([-values, values], axis=1)
        # Their votes go to the second of two classes at 0, ours to the first; and to the class of the larger sum.
        np.testing.assert_allclose(scores, values, atol=2e-3)


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("case", REGRESSIONS)
def test_numbers_are_scikit_learns(case, kind):
    name, settings, model = REGRESSIONS[case]
    train, _, test = split(kind)
    y = np.random.default_rng(3).normal(size=train.shape[1]) + 10.0 + train[0] - 2.0 * train[1]
    lists = subsets(len(train))
    said = WRAPPERS[name].build(settings).single_fits(train, y, test, *asked(lists), 1, 1)
    assert said.shape == (len(lists), test.shape[1])
    for own, values in zip(lists, said, strict=True):
        expected = model.fit(train[own].T, y).predict(test[own].T)
        np.testing.assert_allclose(values, expected, atol=1e-3 if name == "svm" else 1e-8)


@pytest.mark.parametrize("case", [*CLASSIFIERS, "machine"])
def test_a_class_never_trained_on_is_never_likely(case):
    name, settings = CLASSIFIERS.get(case, ("svm", {}))
    train, y, test = split("tall, two classes")
    wrapper, lists = WRAPPERS[name].build(settings), asked(subsets(len(train)))
    there = wrapper.single_fits(train, y, test, *lists, 2, 1)
    absent = wrapper.single_fits(train, 2 * y + 1, test, *lists, 5, 1)
    assert (absent[..., [0, 2, 4]] <= absent[..., [1, 3]].min()).all()
    if name != "svm":  # which counts votes where there may be more than two classes
        np.testing.assert_allclose(absent[..., [1, 3]], there, atol=1e-12)
    only = wrapper.single_fits(train, np.full(len(y), 2), test, *lists, 4, 1)
    assert (only.argmax(axis=2) == 2).all()


@pytest.mark.parametrize("case", [*CLASSIFIERS, "machine"])
def test_threads_change_no_bit(case):
    name, settings = CLASSIFIERS.get(case, ("svm", {}))
    for kind in ("tall", "wide, many classes"):
        train, y, test = split(kind, 1)
        lists = asked(subsets(len(train)) * 3)
        wrapper = WRAPPERS[name].build(settings)
        one, three = (wrapper.single_fits(train, y, test, *lists, SPLITS[kind][3], threads) for threads in (1, 3))
        assert one.tobytes() == three.tobytes()


def test_a_subset_has_the_same_answer_whatever_stands_beside_it():
    train, y, test = split("wide, many classes", 2)
    lists = subsets(len(train))
    for name, settings in CLASSIFIERS.values():
        wrapper = WRAPPERS[name].build(settings)
        together = wrapper.single_fits(train, y, test, *asked(lists), 6, 1)
        for own, scores in zip(lists, together, strict=True):
            assert wrapper.single_fits(train, y, test, *asked([own]), 6, 1)[0].tobytes() == scores.tobytes()


@pytest.mark.parametrize("kind", ["tall", "wide", "wide, many classes"])
def test_several_settings_at_once_are_each_by_itself(kind):
    train, y, test = split(kind, 4)
    classes, lists = SPLITS[kind][3], asked(subsets(len(train)))
    costs = [10.0, 0.01, 1.0]
    several = WRAPPERS["logistic"].build({}).fits_along(costs, train, y, test, *lists, classes, 1)
    for cost, said in zip(costs, several, strict=True):
        alone = WRAPPERS["logistic"].build({"C": cost}).single_fits(train, y, test, *lists, classes, 1)
        np.testing.assert_allclose(said, alone, atol=1e-7)
    for loss in ("hinge", "squared hinge"):
        machine = {"tolerance": 1e-6, "loss": loss}
        several = WRAPPERS["svm"].build(machine).fits_along(costs, train, y, test, *lists, classes, 1)
        for cost, said in zip(costs, several, strict=True):
            alone = WRAPPERS["svm"].build({**machine, "cost": cost}).single_fits(train, y, test, *lists, classes, 1)
            np.testing.assert_allclose(said, alone, atol=2e-3)
    shares = [0.5, 0.01]
    several = WRAPPERS["lda"].build({}).shrunken_fits(shares, train, y, test, *lists, classes, 1)
    for share, said in zip(shares, several, strict=True):
        alone = WRAPPERS["lda"].build({"shrinkage": share}).single_fits(train, y, test, *lists, classes, 1)
        np.testing.assert_array_equal(said, alone)
    several = WRAPPERS["nn"].build({}).votes_of([7, 1, 3], train, y, test, *lists, classes, 1)
    for k, said in zip([7, 1, 3], several, strict=True):
        alone = WRAPPERS["nn"].build({"k": k}).single_fits(train, y, test, *lists, classes, 1)
        np.testing.assert_array_equal(said, alone)
    numbers = train[0] + np.arange(len(y))
    machine = {"tolerance": 1e-6}
    several = WRAPPERS["svm"].build(machine).fits_along(costs, train, numbers, test, *lists, 1, 1)
    for cost, said in zip(costs, several, strict=True):
        alone = WRAPPERS["svm"].build({**machine, "cost": cost}).single_fits(train, numbers, test, *lists, 1, 1)
        np.testing.assert_allclose(said, alone, atol=1e-3)
    several = WRAPPERS["nn"].build({}).votes_of([7, 2], train, numbers, test, *lists, 1, 1)
    for k, said in zip([7, 2], several, strict=True):
        alone = WRAPPERS["nn"].build({"k": k}).single_fits(train, numbers, test, *lists, 1, 1)
        np.testing.assert_array_equal(said, alone)
    several = WRAPPERS["ridge"].build({}).fits_along([5.0, 0.1], train, numbers, test, *lists, 1, 1)
    for alpha, said in zip([5.0, 0.1], several, strict=True):
        alone = WRAPPERS["ridge"].build({"alpha": alpha}).single_fits(train, numbers, test, *lists, 1, 1)
        np.testing.assert_array_equal(said, alone)


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_columns_of_any_scale_and_place_are_taken_as_they_are(size):
    rng = np.random.default_rng(5)
    for q in (4, 90):
        x = size * (rng.normal(size=(60, q)) + 3.0)
        y = (x[:, 0] + size * rng.normal(size=60) > 3.0 * size).astype(np.int64)
        train, test = np.ascontiguousarray(x[:45].T), np.ascontiguousarray(x[45:].T)
        every = asked([np.arange(q, dtype=np.int32)])
        said = WRAPPERS["lda"].build({"shrinkage": 0.2}).single_fits(train, y[:45], test, *every, 2, 1)
        model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.2).fit(x[:45], y[:45])
        np.testing.assert_allclose(said[0], model.predict_proba(x[45:]), atol=1e-7)


@pytest.mark.parametrize("cost", [1e4, 1e6])
@pytest.mark.parametrize("kind", SPLITS)
def test_hardly_any_penalty_separates_what_can_be_separated(kind, cost):
    train, y, _ = split(kind, 6)
    every = [np.arange(len(train), dtype=np.int32)]
    said = WRAPPERS["logistic"].build({"C": cost}).single_fits(train, y, train, *asked(every), SPLITS[kind][3], 1)[0]
    assert np.isfinite(said).all()
    np.testing.assert_allclose(said.sum(axis=1), 1.0, atol=1e-12)
    if len(train) >= 40:
        assert (said.argmax(axis=1) == y).all()


def test_exact_ties_go_to_the_lowest_row():
    train = np.array([[0.0, 2.0, 0.0, 2.0]])
    y = np.array([1, 0, 0, 1])
    test, only = np.array([[1.0, 2.0, 0.0]]), asked([np.zeros(1, np.int32)])
    said = WRAPPERS["nn"].build({}).single_fits(train, y, test, *only, 2, 1)
    assert said[0].argmax(axis=1).tolist() == [1, 0, 1]
    model = KNeighborsClassifier(1, algorithm="brute").fit(train.T, y)
    assert model.predict([[2.0], [0.0]]).tolist() == [0, 1]
