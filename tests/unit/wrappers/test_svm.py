"""Support vector machines in corners: what is missing, constant, doubled, tiny or huge."""

import numpy as np
import pytest
from sklearn.svm import SVC

from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS, Design

LOWEST = np.finfo(np.float64).min


def _design(x, target, scaling="fold", response=None, scaler="z-score"):
    columns = np.ascontiguousarray(np.asarray(x, dtype=np.float64).T)
    return Design(
        columns=columns,
        owner=np.arange(len(columns)),
        nominal=np.zeros(len(columns), dtype=bool),
        target=np.asarray(target, dtype=np.int64),
        classes=int(np.max(target)) + 1,
        scaling=scaling,
        scaler=scaler,
        response=response,
    )


def _bound(design, **settings):
    return WRAPPERS["svm"].build(settings).bind(design)


def _everything(x):
    return np.ones(np.shape(x)[1], dtype=bool)


@pytest.mark.parametrize("loss", ["hinge", "squared hinge"])
@pytest.mark.parametrize("columns", [2, 60])
def test_a_class_that_the_training_rows_lack_is_never_predicted_and_scores_lowest(loss, columns):
    rng = np.random.default_rng(0)
    target = np.repeat([0, 1, 2], 10)
    x = rng.normal(size=(30, columns)) + target[:, None]
    labels = np.where(target == 2, 0, 1 + np.arange(30) % 3)[None, :]
    bound = _bound(_design(x, target), loss=loss)
    lacking = target == 2
    assert set(bound.predict(_everything(x), labels)[0, lacking]) <= {0, 1}
    scores = bound.scores(_everything(x), labels)[0]
    assert (scores[lacking, 2] == LOWEST).all()
    assert np.isfinite(scores).all()
    assert (scores[~lacking] > LOWEST).all()


@pytest.mark.parametrize("loss", ["hinge", "squared hinge"])
@pytest.mark.parametrize("columns", [1, 40])
def test_training_rows_of_one_class_predict_it(loss, columns):
    x = np.random.default_rng(1).normal(size=(12, columns))
    target = np.repeat([0, 1], 6)
    bound = _bound(_design(x, target), loss=loss)
    assert (bound.predict(_everything(x), target[None, :])[0] == 1 - target).all()


@pytest.mark.parametrize("columns", [1, 50])
def test_rows_labelled_minus_one_are_trained_on_and_never_held_out(columns):
    rng = np.random.default_rng(2)
    target = np.arange(40) % 2
    x = rng.normal(size=(40, columns)) + 0.5 * target[:, None]
    labels = np.where(np.arange(40) < 20, -1, 0)[None, :]
    predicted = _bound(_design(x, target, "none")).predict(_everything(x), labels)[0, 20:]
    assert (predicted == SVC(kernel="linear").fit(x[:20], target[:20]).predict(x[20:])).all()


@pytest.mark.parametrize("scaler", ["z-score", "min-max", "robust"])
def test_a_column_that_is_constant_within_a_training_fold_says_nothing(scaler):
    rng = np.random.default_rng(3)
    target = np.arange(40) % 2
    x = rng.normal(size=(40, 2)) + target[:, None]
    labels = (np.arange(40) // 8)[None, :]
    spike = np.where(labels[0] == 0, 1e6, 5.0)
    with_spike = _bound(_design(np.column_stack([x, spike]), target, scaler=scaler))
    plain = _bound(_design(x, target, scaler=scaler))
    first = labels[0] == 0
    both = [bound.predict(np.ones(q, dtype=bool), labels)[0, first] for bound, q in ((with_spike, 3), (plain, 2))]
    assert np.array_equal(*both)


def test_constant_columns_alone_predict_the_larger_class_and_of_equal_ones_the_second_as_libsvm():
    x, labels = np.full((12, 1), 7.0), np.where(np.arange(12) < 2, 0, -1)[None, :]
    for ones in (3, 5, 7):
        target = np.array([0, 1] + [1] * ones + [0] * (10 - ones))
        theirs = SVC(kernel="linear").fit(np.zeros((10, 1)), target[2:]).predict(np.zeros((1, 1)))
        predicted = _bound(_design(x, target)).predict(_everything(x), labels)[0, :2]
        assert (predicted == theirs).all()


@pytest.mark.parametrize("rows", [4, 5])
def test_four_rows_and_one_column_work(rows):
    x, target = np.arange(float(rows))[:, None], np.array([0, 0, 1, 1, 1])[:rows]
    predicted = _bound(_design(x, target)).predict(_everything(x), np.arange(rows)[None, :])
    assert predicted.shape == (1, rows)
    assert predicted[0, 0] == 0
    assert predicted[0, rows - 1] == 1


def test_two_hundred_classes_are_told_apart_where_they_lie_far_apart():
    rng = np.random.default_rng(4)
    target = np.repeat(np.arange(200), 2)
    centres = rng.normal(size=(200, 30)) * 10.0
    x = centres[target] + rng.normal(size=(400, 30)) * 0.1
    labels = np.tile([0, 1], 200)[None, :]
    assert (_bound(_design(x, target)).predict(_everything(x), labels)[0] == target).mean() > 0.99


@pytest.mark.parametrize("columns", [2, 30])
def test_doubled_rows_of_different_classes_end_and_agree_with_libsvm(columns):
    rng = np.random.default_rng(5)
    x = np.repeat(rng.normal(size=(15, columns)), 2, axis=0)
    x = np.vstack([x, rng.normal(size=(20, columns)) + 1.5, rng.normal(size=(20, columns)) - 1.5])
    target = np.array([0, 1] * 15 + [0] * 20 + [1] * 20)
    test = np.arange(70) % 5 == 0
    predicted = _bound(_design(x, target, "none")).predict(_everything(x), np.where(test, 0, -1)[None, :])[0, test]
    model = SVC(kernel="linear", tol=1e-5).fit(x[~test], target[~test])
    sure = np.abs(model.decision_function(x[test])) > 1e-2
    assert (predicted == model.predict(x[test]))[sure].all()


@pytest.mark.parametrize("scaler", ["z-score", "min-max", "robust"])
@pytest.mark.parametrize("size", [1e-300, 1e-30, 1e30, 1e300])
@pytest.mark.parametrize("columns", [2, 30])
def test_units_of_any_size_change_no_prediction(make_dataset, columns, size, scaler):
    rng = np.random.default_rng(6)
    target = np.arange(60) % 2
    x = rng.normal(size=(60, columns)) + 0.4 * target[:, None]
    other = x.copy()
    other[:, ::2] *= 2.0 ** np.round(np.log2(size))
    labels = (np.arange(60) % 5)[None, :]
    predicted = [
        _bound(design_of(make_dataset(values, target), "fold", scaler)).predict(_everything(x), labels)
        for values in (x, other)
    ]
    assert np.array_equal(*predicted)


@pytest.mark.parametrize("columns", [3, 40])
def test_gaps_are_filled_from_the_training_rows_of_each_fold(columns):
    rng = np.random.default_rng(7)
    target = np.arange(50) % 2
    x = rng.normal(size=(50, columns)) + 0.5 * target[:, None]
    x[rng.random(x.shape) < 0.1] = np.nan
    labels = rng.permutation(np.arange(50) % 5)[None, :]
    predicted = _bound(_design(x, target)).predict(_everything(x), labels)[0]
    for fold in range(5):
        train, test = labels[0] != fold, labels[0] == fold
        filled = np.where(np.isnan(x), np.nanmedian(x[train], axis=0), x)
        scaled = (filled - filled[train].mean(axis=0)) / filled[train].std(axis=0)
        theirs = SVC(kernel="linear").fit(scaled[train], target[train]).predict(scaled[test])
        assert (predicted[test] == theirs).all()


@pytest.mark.parametrize("columns", [2, 40])
def test_a_measurement_is_the_same_to_the_last_bit_whatever_was_measured_before(columns):
    rng = np.random.default_rng(8)
    target = np.arange(60) % 3
    x = rng.normal(size=(60, columns)) + 0.3 * target[:, None]
    labels = np.array([rng.permutation(np.arange(60) % 5) for _ in range(2)])
    used, fresh = _bound(_design(x, target)), _bound(_design(x, target))
    half = np.arange(columns) % 2 == 0
    used.scores(half, labels)
    used.scores(_everything(x), labels[:1])
    assert np.array_equal(used.scores(_everything(x), labels), fresh.scores(_everything(x), labels))


def test_regression_of_a_constant_response_predicts_it():
    x = np.random.default_rng(9).normal(size=(20, 2))
    bound = _bound(_design(x, np.zeros(20), response=np.full(20, 3.5)))
    values = bound.values(_everything(x), (np.arange(20) % 4)[None, :])
    assert np.abs(values - 3.5).max() <= 0.1 + 1e-9  # the tube


def test_binary_scores_are_the_two_signs_of_one_decision_value_that_agrees_with_the_prediction():
    rng = np.random.default_rng(10)
    target = np.arange(40) % 2
    x = rng.normal(size=(40, 3)) + target[:, None]
    labels = (np.arange(40) % 5)[None, :]
    for loss in ("hinge", "squared hinge"):
        bound = _bound(_design(x, target), loss=loss)
        scores = bound.scores(_everything(x), labels)
        assert np.array_equal(scores[..., 0], -scores[..., 1])
        assert np.array_equal(scores.argmax(axis=2), bound.predict(_everything(x), labels))
