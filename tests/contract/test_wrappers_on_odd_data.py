"""Every wrapper on tables that nobody would make on purpose: always a class for every row, never a crash."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fsdesk import Evaluator, from_frame
from fsdesk.errors import WrapperError
from fsdesk.wrappers import WRAPPERS

NAMES = [entry.name for entry in WRAPPERS if "classification" in entry.model.tasks]
REGRESSORS = [entry.name for entry in WRAPPERS if "regression" in entry.model.tasks]

ORDINARY = st.floats(-100, 100, allow_nan=False, width=32)
SMALL = st.sampled_from([0.0, 1.0, 2.0])  # many ties
EXTREME = st.sampled_from([0.0, 1e-300, -1e-300, 1e300, -1e300, 1.0, 2.0**53 + 2, 2.0**60])
GAPPY = st.one_of(st.just(float("nan")), ORDINARY)


def _wrapper(name, task="classification"):
    quick = "DecisionTreeClassifier" if task == "classification" else "DecisionTreeRegressor"
    few = {"sklearn": {"estimator": quick}, "forest": {"trees": 25}, "boosting": {"iterations": 5}}
    return WRAPPERS[name].build(few.get(name, {}))


@st.composite
def tables(draw):
    n, p = draw(st.integers(4, 24)), draw(st.integers(1, 5))
    kind = draw(st.sampled_from([ORDINARY, SMALL, EXTREME, GAPPY]))
    x = np.array(draw(st.lists(st.lists(kind, min_size=p, max_size=p), min_size=n, max_size=n)))
    target = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    target[:2] = [0, 1]
    mask = np.array(draw(st.lists(st.booleans(), min_size=p, max_size=p)))
    mask[draw(st.integers(0, p - 1))] = True
    return x, np.unique(target, return_inverse=True)[1], mask, draw(st.sampled_from(["fold", "once", "none"]))


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables())
def test_every_row_gets_a_class_and_a_measurement_is_a_number(name, table, make_dataset):
    x, target, mask, scaling = table
    evaluator = Evaluator(make_dataset(x, target), _wrapper(name), scaling=scaling, repeats=2, folds=3)
    try:
        predicted = evaluator.predict(mask, 1)
    except WrapperError as error:  # a model may refuse, in one sentence; then the loss is infinite
        assert "\n" not in str(error)
        assert np.isinf(evaluator.measure(mask, 1).mean)
        return
    assert ((predicted >= 0) & (predicted < len(evaluator.dataset.classes))).all()
    expected = (predicted != target).mean(axis=1)
    assert evaluator.measure(mask, 1).values == pytest.approx(expected)


@pytest.mark.parametrize("name", [name for name in NAMES if WRAPPERS[name].model.gives])
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables())
def test_scores_are_finite_probabilities_sum_to_one_and_areas_lie_between_0_and_1(name, table, make_dataset):
    x, target, mask, scaling = table
    evaluator = Evaluator(make_dataset(x, target), _wrapper(name), criterion="auc", scaling=scaling, repeats=2, folds=3)
    try:
        losses = evaluator.losses(mask, 1)
    except WrapperError:
        return
    assert ((losses >= 0) & (losses <= 1)).all()
    scores = evaluator.outcome(mask, evaluator.fold_labels(1)).scores
    assert np.isfinite(scores).all()
    if WRAPPERS[name].model.gives == "probabilities":
        assert scores.sum(axis=2) == pytest.approx(1.0)
        assert scores.min() >= 0


@pytest.mark.parametrize("name", REGRESSORS)
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables())
def test_predicted_numbers_are_finite(name, table, make_dataset):
    x, target, mask, scaling = table
    dataset = replace(make_dataset(x, target), response=target * 2.5 - 1.0, classes=(), target=np.zeros_like(target))
    evaluator = Evaluator(dataset, _wrapper(name, "regression"), scaling=scaling, repeats=2, folds=3)
    try:
        losses = evaluator.losses(mask, 1)
    except WrapperError:
        return
    assert (losses >= 0).all()
    assert np.isfinite(losses).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_class_that_no_training_fold_has_is_never_predicted(name, make_dataset):
    rng = np.random.default_rng(0)
    target = np.array([0] * 9 + [1] * 9 + [2])
    dataset = make_dataset(rng.normal(size=(19, 3)) + target[:, None], target)
    evaluator = Evaluator(dataset, _wrapper(name), repeats=3, folds=3)
    predicted = evaluator.predict(np.ones(3, dtype=bool), 0)
    labels = evaluator.fold_labels(0)
    for repeat in range(3):
        assert not (predicted[repeat, labels[repeat] == labels[repeat, 18]] == 2).any()


@pytest.mark.parametrize("name", NAMES)
def test_two_hundred_classes_work(name, make_dataset):
    rng = np.random.default_rng(0)
    target = np.repeat(np.arange(200), 3)
    dataset = make_dataset(rng.normal(size=(600, 2)) * 0.01 + target[:, None], target)
    evaluator = Evaluator(dataset, _wrapper(name), repeats=1, folds=3, scaling="once")
    predicted = evaluator.predict(np.ones(2, dtype=bool), 0)
    assert len(np.unique(predicted)) > 1


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_only_trained_on_need_no_prediction(name, planted):
    evaluator = Evaluator(planted, _wrapper(name), protocol="hold-out", repeats=4)
    measured = evaluator.measure(np.arange(8) % 4 == 1)
    assert measured.mean < 0.2


@pytest.mark.parametrize("name", NAMES)
def test_equal_rows_of_different_classes_are_no_reason_to_break(name, make_dataset):
    dataset = make_dataset(np.tile([[1.0, 2.0], [3.0, 1.0]], (10, 1)), np.arange(20) // 2 % 2)
    assert Evaluator(dataset, _wrapper(name), folds=4).measure(np.ones(2, dtype=bool)).mean >= 0.25


@pytest.mark.parametrize("name", NAMES)
def test_one_class_is_predicted_for_every_row(name, make_dataset):
    dataset = make_dataset(np.random.default_rng(0).normal(size=(12, 3)), np.zeros(12))
    evaluator = Evaluator(dataset, _wrapper(name), repeats=2, folds=3)
    assert (evaluator.predict(np.ones(3, dtype=bool), 0) == 0).all()
    assert evaluator.measure(np.ones(3, dtype=bool)).mean == 0.0


@pytest.mark.filterwarnings("ignore:.*infinite")  # from_frame says so
@pytest.mark.parametrize("name", NAMES)
def test_infinite_values_of_a_table_measure_as_missing_ones_do(name, planted):
    losses = []
    for odd in (np.inf, -np.inf, np.nan):
        x = planted.x.copy()
        x[3:9, 1], x[20, 5] = odd, odd
        frame = pd.DataFrame(x, columns=list(planted.features)).assign(kind=[f"kind {code}" for code in planted.target])
        dataset = from_frame(frame, "kind")
        losses.append(Evaluator(dataset, _wrapper(name), repeats=2).measure(np.ones(8, dtype=bool), 1).values)
    assert np.isfinite(losses).all()
    assert np.array_equal(losses[0], losses[2])
    assert np.array_equal(losses[1], losses[2])


@pytest.mark.parametrize("name", NAMES)
def test_a_column_without_any_value_adds_nothing(name, planted, make_dataset):
    x = np.column_stack([planted.x[:, [1, 5]], np.full(60, np.nan)])
    evaluator = Evaluator(make_dataset(x, planted.target), _wrapper(name), repeats=2)
    with_it, without = (evaluator.measure(np.array([True, True, last]), 1).mean for last in (True, False))
    assert with_it == pytest.approx(without, abs=0.05)
    assert with_it < 0.1
