"""C4.5 where data are awkward, and what does not change its predictions."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from fsdesk import Evaluator
from fsdesk.wrappers import WRAPPERS, Design


def _bound(x, target, levels=None, classes=None, **settings):
    raw = np.ascontiguousarray(np.asarray(x, dtype=float).T)
    levels = np.zeros(len(raw), dtype=np.int64) if levels is None else np.asarray(levels, dtype=np.int64)
    target = np.asarray(target, dtype=np.int64)
    classes = classes or int(target.max()) + 1
    design = Design(raw, np.arange(len(raw)), levels > 0, target, classes, "fold", raw=raw, levels=levels)
    return WRAPPERS["c45"].build(settings).bind(design)


def _tested(x, target, rows, **settings):
    """Classes of some rows, from a tree grown on the others."""
    predictor = _bound(x, target, **settings)
    labels = np.full((1, len(target)), -1)
    labels[0, rows] = 0
    return predictor.predict(np.ones(np.shape(x)[1], dtype=bool), labels)[0, rows].tolist()


def test_the_golf_example_of_quinlan_1993_is_learned():
    """Outlook; where it is sunny humidity up to 75, where it rains whether it is windy."""
    sunny, overcast, rain = 0.0, 1.0, 2.0
    table = [
        (sunny, 75, 70, 1, 0), (sunny, 80, 90, 1, 1), (sunny, 85, 85, 0, 1), (sunny, 72, 95, 0, 1),
        (sunny, 69, 70, 0, 0), (overcast, 72, 90, 1, 0), (overcast, 83, 78, 0, 0), (overcast, 64, 65, 1, 0),
        (overcast, 81, 75, 0, 0), (rain, 71, 80, 1, 1), (rain, 65, 70, 1, 1), (rain, 75, 80, 0, 0),
        (rain, 68, 80, 0, 0), (rain, 70, 96, 0, 0),
    ]  # fmt: skip
    asked = [
        (sunny, 99, 75, 1), (sunny, 60, 78, 0), (overcast, 99, 99, 1), (rain, 60, 99, 0), (rain, 99, 60, 1),
        (np.nan, 75, 70, 0),
    ]  # fmt: skip
    x = np.array([row[:4] for row in table] + asked, dtype=float)
    target = [row[4] for row in table] + [0] * len(asked)
    assert _tested(x, target, range(14, 20), levels=[3, 0, 0, 2]) == [0, 1, 0, 0, 1, 0]


def test_scaling_leaves_trees_as_they_are(planted):
    mask = np.ones(8, dtype=bool)
    predicted = [Evaluator(planted, "c45", scaling=scaling).predict(mask, 1) for scaling in ("fold", "once", "none")]
    assert np.array_equal(predicted[0], predicted[1])
    assert np.array_equal(predicted[0], predicted[2])


def test_scores_are_shares_and_the_largest_is_the_predicted_class(planted):
    labels, mask = (np.arange(60) // 2 % 5)[None, :], np.ones(8, dtype=bool)
    outcome = Evaluator(planted, "c45").outcome(mask, labels, {"classes", "scores"})
    assert np.allclose(outcome.scores.sum(axis=2), 1.0)
    assert np.array_equal(outcome.scores.argmax(axis=2), outcome.predicted)


def test_laplace_adds_a_row_of_each_class_to_the_leaf():
    x, target = np.arange(12.0)[:, None] > 5, np.arange(12) > 5
    plain, smoothed = _bound(x, target), _bound(x, target, laplace=True)
    labels = np.full((1, 12), -1)
    labels[0, [0, 11]] = 0
    mask = np.ones(1, dtype=bool)
    assert plain.scores(mask, labels)[0, [0, 11]].tolist() == [[1, 0], [0, 1]]
    assert np.allclose(smoothed.scores(mask, labels)[0, [0, 11]], [[6 / 7, 1 / 7], [1 / 7, 6 / 7]])


def test_rows_of_unknown_value_go_down_all_branches_by_their_size():
    """Three of four known rows are on the side of the first class."""
    x = np.array([[1.0]] * 6 + [[9.0]] * 2 + [[np.nan]])
    labels = np.array([[-1] * 8 + [0]])
    scores = _bound(x, [0] * 6 + [1] * 2 + [0]).scores(np.ones(1, dtype=bool), labels)
    assert np.allclose(scores[0, 8], [0.75, 0.25])


def test_balanced_classes_do_not_pass_over_the_rare_one():
    x = np.array([0.0] * 90 + [1.0] * 10)[:, None]
    target = np.array([0] * 90 + [0] * 7 + [1] * 3)
    assert _tested(x, target, [99]) == [0]
    assert _tested(x, target, [99], class_weights="balanced") == [1]


def test_a_class_that_is_absent_from_training_is_not_predicted():
    x, target = np.arange(9.0)[:, None], np.array([0] * 4 + [1] * 4 + [2])
    assert _tested(x, target, [8]) == [1]


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_handful_of_training_rows_gives_their_commonest_class_first_of_equals(rows):
    target = np.array([1, 0, 1, 0, 0])
    train = target[:rows]
    expected = int(np.argmax(np.bincount(train)))
    assert _tested(np.arange(5.0)[:, None], target, range(rows, 5)) == [expected] * (5 - rows)


def test_a_column_without_any_value_in_training_is_not_asked_for():
    x = np.array([[np.nan, value] for value in range(8)] + [[3.0, 1.0], [3.0, 6.0]])
    assert _tested(x, [0] * 4 + [1] * 4 + [0, 0], [8, 9]) == [0, 1]


def test_columns_that_do_not_differ_and_labels_that_clash_give_the_commonest_class():
    x = np.column_stack([np.full(10, 7.0), np.full(10, np.nan), np.zeros(10)])
    assert _tested(x, [0, 1, 1, 0, 1, 1, 0, 1, 1, 0], [9], levels=[0, 0, 2]) == [1]


def test_two_hundred_classes_are_told_apart():
    x = np.repeat(np.arange(200.0), 6)[:, None]
    target = np.repeat(np.arange(200), 6)
    assert _tested(x, target, range(5, 1200, 6)) == list(range(200))


@pytest.mark.parametrize(("scale", "expected"), [(1e300, [0, 1]), (1.0, [0, 1]), (1e-300, [0, 0])])
def test_values_closer_than_the_gap_are_not_told_apart(scale, expected):
    x = scale * np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 2, 7])[:, None]
    target = [0] * 4 + [1] * 4 + [0, 0]
    assert _tested(x, target, [8, 9]) == expected
    assert _tested(x, target, [8, 9], gap=0.0) == [0, 1]


def test_the_largest_numbers_have_a_middle():
    x = np.array([1.7e308] * 4 + [1.6e308] * 4 + [1.7e308, 1.6e308])[:, None]
    assert _tested(x, [0] * 4 + [1] * 4 + [0, 0], [8, 9]) == [0, 1]


def test_rows_tested_never_and_folds_without_rows_are_allowed():
    predictor = _bound(np.arange(20.0)[:, None], np.arange(20) > 9)
    labels = np.array([[-1, 3] * 10, [0, 5] * 10])
    predicted = predictor.predict(np.ones(1, dtype=bool), labels)
    # Thresholds are training values: 8 without the odd rows, 9 without the even ones.
    assert predicted[0, 1::2].tolist() == [0] * 4 + [1] * 6
    assert predicted[1].tolist() == [0] * 9 + [1] * 11


def test_threads_share_a_predictor(planted):
    evaluator = Evaluator(planted, "c45")
    mask = np.ones(8, dtype=bool)
    alone = [evaluator.predict(mask, number) for number in range(8)]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda number: evaluator.predict(mask, number), range(8)))
    assert all(np.array_equal(*pair) for pair in zip(alone, together, strict=True))
