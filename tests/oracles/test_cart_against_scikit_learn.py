"""CART grows scikit-learn's trees: the same where the best split is one alone, one of the best where several are equal.

scikit-learn sees values in single precision, takes those within 1e-7 for equal, and draws among equal splits. So values
are rounded to single precision here, and trees of our rule (lowest column, lowest threshold) are grown by plain
enumeration, each of their splits being held against scikit-learn's best for the very same rows.
"""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fsdesk.measure.folds import stratified_folds
from fsdesk.wrappers import WRAPPERS, Design
from tests.known_tables import known_table


def _design(x, target=None, response=None):
    x = np.asarray(x, dtype=np.float32).astype(np.float64)
    n, q = x.shape
    return Design(
        columns=np.ascontiguousarray(x.T),
        owner=np.arange(q),
        nominal=np.zeros(q, dtype=bool),
        target=np.zeros(n, dtype=np.int64) if target is None else target,
        classes=1 if target is None else int(target.max()) + 1,
        scaling="fold",
        response=response,
    )


def _bound(design, **values):
    return WRAPPERS["cart"].build(values).bind(design)


def _impurity(weights, criterion):
    share = weights / weights.sum(axis=-1, keepdims=True)
    if criterion == "gini":
        return 1 - (share**2).sum(axis=-1)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return -(share * logs).sum(axis=-1)


def _splits(x, one_hot, criterion, min_leaf):
    """For each column: thresholds that leave enough rows on both sides, and the decrease of impurity of each."""
    whole = one_hot.sum(axis=0)
    for values in x.T:
        order = np.argsort(values, kind="stable")
        v = values[order]
        cut = np.flatnonzero(v[1:] != v[:-1])
        cut = cut[(cut + 1 >= min_leaf) & (len(v) - cut - 1 >= min_leaf)]
        left = np.cumsum(one_hot[order], axis=0)[cut]
        right = whole - left
        inside = left.sum(axis=1) * _impurity(left, criterion) + right.sum(axis=1) * _impurity(right, criterion)
        yield (v[cut] + v[cut + 1]) / 2, whole.sum() * _impurity(whole, criterion) - inside


def _grown(x, target, one_hot, tests, criterion, min_leaf, checked):
    """Class of each test row by the tree of our rule; each split is compared with scikit-learn's best."""
    weights = one_hot.sum(axis=0)
    leaf = np.full(len(tests), np.flatnonzero(weights > weights.max() * (1 - 1e-12))[0])
    if np.count_nonzero(weights) == 1 or len(tests) == 0:
        return leaf
    splits = list(_splits(x, one_hot, criterion, min_leaf))
    best = max((gain.max() for _, gain in splits if len(gain)), default=None)
    if best is None:
        return leaf
    row_weights = one_hot.sum(axis=1)
    model = DecisionTreeClassifier(criterion=criterion, max_depth=1, min_samples_leaf=min_leaf)
    stump = model.fit(x, target, sample_weight=row_weights).tree_
    inside = stump.weighted_n_node_samples * stump.impurity
    assert best == pytest.approx(inside[0] - inside[1] - inside[2], abs=1e-9 * max(1.0, inside[0]))
    checked.append(best)
    near = [(j, np.flatnonzero(gain >= best - 1e-10)) for j, (_, gain) in enumerate(splits)]
    j, places = next((j, places) for j, places in near if len(places))
    threshold = splits[j][0][places[0]]
    left, to_left = x[:, j] <= threshold, tests[:, j] <= threshold
    for side, goes in ((left, to_left), (~left, ~to_left)):
        leaf[goes] = _grown(x[side], target[side], one_hot[side], tests[goes], criterion, min_leaf, checked)
    return leaf


@pytest.mark.covering(
    name=["ionosphere.arff", "sonar.arff", "segment.arff", "warpAR10P.mat"],
    criterion=["gini", "entropy"],
    rules=[("none", 1), ("balanced", 1), ("none", 6)],
)
def test_every_split_is_one_of_scikit_learn_s_best(name, criterion, rules):
    class_weights, min_leaf = rules
    dataset = known_table(name)
    rng = np.random.default_rng(5)
    rows = rng.permutation(len(dataset.target))[:250]
    columns = np.sort(rng.permutation(dataset.x.shape[1])[:12])
    x, target = dataset.x[np.ix_(rows, columns)], np.unique(dataset.target[rows], return_inverse=True)[1]
    design = _design(x, target)
    labels = stratified_folds(target, repeats=1, folds=5, seed=1, number=0)
    labels[labels > 2] = -1
    tree = _bound(design, impurity=criterion, class_weights=class_weights, min_leaf=min_leaf)
    ours = tree.predict(np.ones(12, dtype=bool), labels)[0]
    checked = []
    for fold in range(3):
        train, test = labels[0] != fold, labels[0] == fold
        one_hot = np.eye(design.classes)[target[train]]
        if class_weights == "balanced":
            one_hot = one_hot / np.maximum(one_hot.sum(axis=0), 1) * train.sum() / design.classes
        x = design.columns.T
        assert np.array_equal(
            ours[test], _grown(x[train], target[train], one_hot, x[test], criterion, min_leaf, checked)
        )
    assert len(checked) > 20


SETTINGS = [
    ({}, {}),
    ({"impurity": "entropy"}, {"criterion": "entropy"}),
    ({"class_weights": "balanced"}, {"class_weight": "balanced"}),
    ({"impurity": "entropy", "class_weights": "balanced"}, {"criterion": "entropy", "class_weight": "balanced"}),
    ({"min_split": 30}, {"min_samples_split": 30}),
]


@pytest.mark.parametrize("classes", [2, 3, 5, 40])
@pytest.mark.parametrize(("ours", "theirs"), SETTINGS)
def test_shares_equal_scikit_learn_s_where_one_column_leaves_no_ties(ours, theirs, classes):
    rng = np.random.default_rng(classes)
    x = rng.normal(size=(600, 1)).astype(np.float32)
    target = (np.argsort(np.argsort(np.sin(3 * x[:, 0]) + rng.normal(size=600))) * classes) // 600
    labels = stratified_folds(target, repeats=1, folds=3, seed=0, number=0)
    tree, mask = _bound(_design(x, target), max_depth=6, min_leaf=12, **ours), np.ones(1, dtype=bool)
    scores, predicted = tree.scores(mask, labels)[0], tree.predict(mask, labels)[0]
    for fold in range(3):
        train, test = labels[0] != fold, labels[0] == fold
        model = DecisionTreeClassifier(max_depth=6, min_samples_leaf=12, random_state=0, **theirs)
        model.fit(x[train], target[train])
        assert scores[test] == pytest.approx(model.predict_proba(x[test]), abs=1e-12)
        tops = np.sort(scores[test], axis=1)
        clear = tops[:, -1] > tops[:, -2] + 1e-9
        assert np.array_equal(predicted[test][clear], model.predict(x[test])[clear])


@pytest.mark.parametrize("min_leaf", [1, 7])
@pytest.mark.parametrize("scale", [1.0, 1e-150, 1e150])
def test_predicted_numbers_equal_scikit_learn_s(scale, min_leaf):
    rng = np.random.default_rng(3)
    # One column, so that pairs of rows are not parted alike by several.
    for p in (1, 5) if min_leaf > 1 else (1,):
        x = rng.normal(size=(400, p)).astype(np.float32)
        y = np.sin(2 * x[:, 0]) + 0.3 * rng.normal(size=400)
        labels = rng.integers(0, 4, size=(2, 400))
        values = _bound(_design(x, response=y * scale), min_leaf=min_leaf).values(np.ones(p, dtype=bool), labels)
        for repeat in range(2):
            for fold in range(4):
                train, test = labels[repeat] != fold, labels[repeat] == fold
                model = DecisionTreeRegressor(min_samples_leaf=min_leaf, random_state=0).fit(x[train], y[train])
                assert values[repeat, test] / scale == pytest.approx(model.predict(x[test]), rel=1e-9)


@pytest.mark.parametrize("name", ["ionosphere.arff", "sonar.arff", "segment.arff", "arrhythmia.arff"])
def test_mean_errors_are_those_of_scikit_learn_s_random_ties(name):
    dataset = known_table(name)
    mask = np.random.default_rng(0).random(dataset.x.shape[1]) < 0.5
    labels = stratified_folds(dataset.target, repeats=3, folds=5, seed=2, number=0)
    ours = _bound(_design(dataset.x, dataset.target)).predict(mask, labels) != dataset.target
    theirs = np.zeros((4, *labels.shape), dtype=bool)
    for repeat, row in enumerate(labels):
        for fold in range(5):
            train, test = row != fold, row == fold
            imputer = SimpleImputer(strategy="median").fit(dataset.x[train][:, mask])
            a, b = imputer.transform(dataset.x[train][:, mask]), imputer.transform(dataset.x[test][:, mask])
            for state in range(len(theirs)):
                model = DecisionTreeClassifier(random_state=state).fit(a, dataset.target[train])
                theirs[state, repeat, test] = model.predict(b) != dataset.target[test]
    # Each row's own difference, over repeats and states, is one draw: rows are what varies.
    difference = ours.mean(axis=0) - theirs.mean(axis=(0, 1))
    assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(len(difference))
