"""CART on tables small enough to split by hand, and on those that nobody hopes to meet."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.tree import DecisionTreeClassifier

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS, Design


def _design(columns, target=None, response=None, **others):
    columns = np.ascontiguousarray(columns, dtype=np.float64)
    q, n = columns.shape
    target = np.zeros(n, dtype=np.int64) if target is None else np.asarray(target, dtype=np.int64)
    owner, nominal = np.arange(q), np.zeros(q, dtype=bool)
    fields = {"owner": owner, "nominal": nominal, "classes": int(target.max()) + 1, "scaling": "none"} | others
    return Design(columns=columns, target=target, response=response, **fields)


def _bound(design, **values):
    return WRAPPERS["cart"].build(values).bind(design)


def _everything(design):
    return np.ones(int(design.owner.max()) + 1, dtype=bool)


def _test_last(n, tests):
    """Labels under which the last rows are tested, by a tree of all the others."""
    return np.where(np.arange(n) < n - tests, -1, 0)[None]


def _scores(columns, target, tests, **values):
    design = _design(columns, target)
    return _bound(design, **values).scores(_everything(design), _test_last(len(target), tests))[0, -tests:]


def test_a_threshold_stands_halfway_and_values_on_it_go_left():
    columns = [[0.0, 1.0, 2.0, 4.0, 3.0, 3.000001]]
    assert _scores(columns, [0, 0, 0, 1, 0, 0], 2).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_of_equal_splits_the_lowest_column_and_the_lowest_threshold_win():
    # Both columns part the classes; the test rows would go the other way in column 1.
    assert _scores([[0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 1, 0]], [0, 0, 1, 1, 0, 0], 2)[:, 1].tolist() == [0.0, 1.0]
    # Classes 0 1 0 along one column, one question only: both thresholds score the same.
    assert _scores([[0, 1, 2, 0.4, 1.2, 1.8]], [0, 1, 0, 0, 0, 0], 3, max_depth=1)[:, 1].tolist() == [0.0, 0.5, 0.5]


def test_a_split_without_gain_is_taken_so_that_exclusive_or_is_learned():
    columns = [[0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]]
    for criterion in ("gini", "entropy"):
        assert _scores(columns, [0, 1, 1, 0] * 2, 4, impurity=criterion)[:, 1].tolist() == [0, 1, 1, 0]


def test_scores_are_shares_of_the_leaf_and_of_equal_shares_the_first_class_wins():
    design = _design([[5.0] * 7], [1, 2, 1, 0, 2, 0, 0])
    tree, labels = _bound(design), _test_last(7, 2)
    assert tree.scores(_everything(design), labels)[0, -1].tolist() == [0.2, 0.4, 0.4]
    assert tree.predict(_everything(design), labels)[0, -1] == 1


def test_balanced_classes_weigh_the_same_in_a_leaf():
    design = _design([[5.0] * 7], [0, 0, 0, 1, 2, 2, 0])
    shares = _bound(design, class_weights="balanced").scores(_everything(design), _test_last(7, 1))
    assert shares[0, -1] == pytest.approx([1 / 3] * 3)
    assert _bound(design, class_weights="balanced").predict(_everything(design), _test_last(7, 1))[0, -1] == 0


def test_limits_of_depth_and_rows_stop_the_growth():
    columns, target = [[0, 1, 2, 3, 4, 5, 0, 2, 5]], [0, 1, 0, 1, 1, 1, 0, 0, 0]
    assert _scores(columns, target, 3)[:, 1].tolist() == [0, 0, 1]
    assert _scores(columns, target, 3, max_depth=1)[:, 1] == pytest.approx([1 / 3, 1 / 3, 1])
    assert _scores(columns, target, 3, min_split=7)[:, 1] == pytest.approx([4 / 6] * 3)
    assert _scores(columns, target, 3, min_leaf=3)[:, 1] == pytest.approx([1 / 3, 1 / 3, 1])
    assert _scores(columns, target, 3, min_leaf=4)[:, 1] == pytest.approx([4 / 6] * 3)


def test_numbers_are_split_by_squared_error_and_predicted_by_the_mean():
    response = np.array([1.0, 2.0, 9.0, 11.0, 0, 0])
    design = _design([[0, 1, 2, 3, 0, 3]], response=response)
    tree, labels = _bound(design, max_depth=1), _test_last(6, 2)
    assert tree.values(_everything(design), labels)[0, -2:].tolist() == [1.5, 10.0]
    for wrong in (tree.predict, tree.scores):
        with pytest.raises(TypeError, match=r"predicts no classes|gives no scores"):
            wrong(_everything(design), labels)
    with pytest.raises(TypeError, match="predicts no numbers"):
        _bound(_design([[0, 1]], [0, 1])).values(np.ones(1, dtype=bool), np.array([[0, 1]]))


def test_equal_numbers_stay_exactly_themselves():
    design = _design([np.arange(10.0)], response=np.full(10, 0.1))
    assert set(_bound(design).values(_everything(design), np.arange(10)[None] % 3).ravel()) == {0.1}


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.6])
def test_gaps_are_filled_by_the_median_of_the_training_rows(missing):
    rng = np.random.default_rng(4)
    x = rng.integers(0, 9, size=(150, 1)).astype(float)
    target = (x[:, 0] > 4).astype(np.int64) ^ (rng.random(150) < 0.1)
    x[rng.random(x.shape) < missing] = np.nan
    labels = rng.integers(0, 3, size=(2, 150))
    design = _design(x.T, target)
    scores = _bound(design).scores(_everything(design), labels)
    for repeat, row in enumerate(labels):
        for fold in range(3):
            train, test = row != fold, row == fold
            imputer = SimpleImputer(strategy="median").fit(x[train])
            model = DecisionTreeClassifier(random_state=0).fit(imputer.transform(x[train]), target[train])
            assert scores[repeat, test] == pytest.approx(model.predict_proba(imputer.transform(x[test])))


def test_gaps_of_a_nominal_feature_are_filled_by_its_most_frequent_category():
    # Three categories as indicators; category 1 is the most frequent, so the last row, which has none, is of class 1.
    gap = np.nan
    columns = [[1, 0, 0, 0, 0, gap], [0, 1, 1, 0, 0, gap], [0, 0, 0, 1, 0, gap]]
    columns = [[*row[:4], *row[1:3], *row[5:]] for row in columns]
    design = _design(columns, [0, 1, 1, 0, 1, 1, 0], owner=np.zeros(3, dtype=np.int64), nominal=np.ones(3, dtype=bool))
    assert _bound(design).predict(np.ones(1, dtype=bool), _test_last(7, 1))[0, -1] == 1


def test_a_column_without_a_value_in_a_fold_splits_nothing_there():
    column = np.array([np.nan, np.nan, np.nan, np.nan, 1.0, 2.0])
    design = _design([column, np.arange(6) % 2], [0, 1, 0, 1, 0, 1])
    assert _bound(design).predict(_everything(design), _test_last(6, 2))[0, -2:].tolist() == [0, 1]
    alone = _bound(_design([column], [0, 1, 1, 1, 0, 1]))
    assert alone.scores(np.ones(1, dtype=bool), _test_last(6, 2))[0, -1].tolist() == [0.25, 0.75]


def test_tiny_and_huge_values_are_told_apart_and_neighbours_with_no_number_between_them_too():
    for low, high in ((1e-300, 2e-300), (1e300, -1e300), (1.0, np.nextafter(1.0, 2)), (0.0, 5e-324)):
        scores = _scores([[low, low, high, high, low, high]], [0, 0, 1, 1, 0, 0], 2)
        assert scores[:, 1].tolist() == [0.0, 1.0]


FAR = 2.0**53  # from here on, every other whole number is a double


def _far(steps, target, tests, scaling, **values):
    """Scores by one column of FAR and so many steps more, as a measurement's design has it."""
    n = len(target)
    x = np.asfortranarray(FAR + np.array(steps, dtype=float)[:, None])
    dataset = Dataset("far", x, ("x",), np.array(target), "y", ("a", "b"), tuple(map(str, range(n))))
    tree = _bound(design_of(dataset, scaling), **values)
    return tree.scores(np.ones(1, dtype=bool), _test_last(n, tests))[0, -tests:, 1]


@pytest.mark.parametrize("scaling", ["fold", "none"])
def test_a_median_that_rounds_to_a_value_of_rows_is_never_split_from_it(scaling):
    # The median of 6 and 8 is the double 8: the row without a value shares the leaf of 8 with the other class.
    assert (FAR + 6 + (FAR + 8)) / 2 == FAR + 8
    shares = _far([6, 4, 8, 10, np.nan, 8, np.nan], [0, 0, 1, 1, 0, 0, 0], 2, scaling)
    assert shares.tolist() == [0.5, 0.5]
    rng = np.random.default_rng(0)
    for _ in range(20):  # a tree that splits equal values gives two rows of the same value different shares
        steps = 2.0 * rng.integers(0, 5, 12)
        steps[rng.permutation(12)[:3]] = np.nan
        known = np.sort(steps[:8][~np.isnan(steps[:8])])
        filled = np.where(np.isnan(steps), np.median(FAR + known) - FAR, steps)
        again = _far(steps, rng.integers(0, 2, 12), 4, scaling)
        assert all(len(set(again[filled[-4:] == value])) == 1 for value in filled[-4:])


@pytest.mark.parametrize("scaling", ["fold", "once", "none"])
def test_a_threshold_that_has_to_be_rounded_sends_rows_where_scikit_learn_s_does(scaling):
    """scikit-learn's rule, on doubles: t = a / 2 + b / 2, or a where that is b; rows with x <= t go left."""
    halfway = (FAR + 6) / 2 + (FAR + 8) / 2
    assert halfway == FAR + 8  # the upper value itself: so t is the lower one, and 8 goes right
    assert _far([6, 6, 8, 8, 6, 8], [0, 0, 1, 1, 0, 0], 2, scaling).tolist() == [0.0, 1.0]
    # Halfway between 8 and 14 is 11, of which 12 is the even neighbour: 12 goes left with 8, though it is nearer to 14.
    assert (FAR + 8) / 2 + (FAR + 14) / 2 == FAR + 12
    assert _far([8, 8, 14, 14, 10, 12, 14], [0, 0, 1, 1, 0, 0, 0], 3, scaling).tolist() == [0.0, 0.0, 1.0]


def test_equal_rows_of_different_classes_share_a_leaf():
    assert _scores([[1, 1, 1, 2, 1, 2]], [0, 1, 1, 0, 0, 0], 2) == pytest.approx(np.array([[1 / 3, 2 / 3], [1, 0]]))


def test_two_hundred_classes_four_rows_and_one_column_work():
    target = np.tile(np.arange(200), 3)
    for values in ({}, {"impurity": "entropy"}, {"class_weights": "balanced"}):
        design = _design([target * 1.0], target)
        predicted = _bound(design, **values).predict(_everything(design), np.arange(600)[None] // 200)
        assert np.array_equal(predicted[0], target)
    assert _bound(_design([[0, 1, 0, 1]], [0, 1, 0, 1])).predict(
        np.ones(1, dtype=bool), np.array([[0, 0, 1, 1]])
    ).tolist() == [[0, 1, 0, 1]]


def test_folds_without_test_rows_and_labels_that_test_nobody_are_passed_over():
    design = _design([np.arange(6.0)], [0, 0, 0, 1, 1, 1])
    tree = _bound(design)
    assert tree.predict(_everything(design), np.array([[3, -1, -1, -1, -1, 3]]))[0, [0, 5]].tolist() == [0, 1]
    assert tree.predict(_everything(design), np.full((2, 6), -1)).shape == (2, 6)


def test_threads_share_one_bound_tree():
    rng = np.random.default_rng(0)
    design = _design(rng.normal(size=(8, 200)), rng.integers(0, 3, 200))
    tree, labels = _bound(design), rng.integers(0, 5, size=(4, 200))
    masks = [mask for mask in rng.random((20, 8)) < 0.5 if mask.any()]
    alone = [tree.predict(mask, labels) for mask in masks]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda mask: tree.predict(mask, labels), masks))
    assert np.array_equal(alone, together)
