"""What every registered wrapper promises, whatever model it is."""

import pickle

import numpy as np
import pytest

from fsdesk import Evaluator
from fsdesk.errors import SettingsError
from fsdesk.wrappers import WRAPPERS

NAMES = [entry.name for entry in WRAPPERS if "classification" in entry.model.tasks]
QUICK = {
    "sklearn": {"estimator": "DecisionTreeClassifier"},
    "forest": {"trees": 25},
    "boosting": {"iterations": 20, "min_leaf": 5},
}
REMEMBERING = {"nn", "cart"}  # predict a row's twin without fail


def _wrapper(name):
    """The wrapper as it comes; of all that scikit-learn has, a quick model, and of trees few."""
    return WRAPPERS[name].build(QUICK.get(name, {}))


@pytest.mark.parametrize("scaling", ["fold", "once", "none"])
@pytest.mark.parametrize("name", NAMES)
def test_every_row_gets_a_class_in_every_repeat_and_the_same_one_each_time(name, scaling, planted):
    evaluator = Evaluator(planted, _wrapper(name), scaling=scaling, repeats=2)
    mask = np.array([True, True, False, False, True, False, False, False])
    predicted = evaluator.predict(mask, 5)
    assert predicted.shape == (2, 60)
    assert set(np.unique(predicted)) <= {0, 1}
    assert np.array_equal(predicted, evaluator.predict(mask, 5))
    assert np.array_equal(predicted, Evaluator(planted, _wrapper(name), scaling=scaling, repeats=2).predict(mask, 5))


@pytest.mark.parametrize("name", NAMES)
def test_planted_features_are_worth_more_than_noise(name, planted):
    evaluator = Evaluator(planted, _wrapper(name))
    informative = evaluator.measure(np.arange(8) % 4 == 1).mean  # features 1 and 5
    assert informative < 0.1 < evaluator.measure(np.arange(8) % 4 == 2).mean


@pytest.mark.parametrize("name", NAMES)
def test_a_prediction_does_not_depend_on_columns_outside_the_mask(name, planted, make_dataset):
    mask = np.arange(8) < 4
    changed = planted.x.copy()
    changed[:, 4:] = np.random.default_rng(0).normal(size=(60, 4)) * 1e6
    for scaling in ("fold", "once", "none"):
        evaluators = [
            Evaluator(data, _wrapper(name), scaling=scaling, repeats=2)
            for data in (planted, make_dataset(changed, planted.target))
        ]
        assert np.array_equal(*(evaluator.predict(mask, 0) for evaluator in evaluators))


@pytest.mark.parametrize("name", NAMES)
def test_a_test_row_never_sees_its_own_class_or_its_fold(name, make_dataset):
    """Rows in pairs of twins: where both twins are in one fold, nothing tells their class better than chance."""
    rng = np.random.default_rng(1)
    x = np.repeat(rng.normal(size=(40, 3)), 2, axis=0)
    target = np.repeat(rng.integers(0, 2, 40), 2)
    evaluator = Evaluator(make_dataset(x, target), _wrapper(name), scaling="none", repeats=20, folds=4)
    labels = evaluator.fold_labels(0)
    hit = evaluator.predict(np.ones(3, dtype=bool), 0) == target
    apart = labels[:, ::2] != labels[:, 1::2]
    assert hit[:, ::2][apart].mean() == 1.0 or name not in REMEMBERING
    assert hit[:, ::2][~apart].mean() < 0.75


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rows", [4, 5, 9])
def test_few_rows_one_feature_and_classes_of_one_row_work(name, rows, make_dataset):
    target = np.minimum(np.arange(rows), 2)
    evaluator = Evaluator(
        make_dataset(np.arange(rows, dtype=float)[:, None], target), _wrapper(name), folds=4, repeats=3
    )
    assert evaluator.predict(np.ones(1, dtype=bool), 0).shape == (3, rows)


@pytest.mark.parametrize("name", NAMES)
def test_constant_columns_alone_still_give_a_prediction(name, make_dataset):
    x = np.column_stack([np.full(12, 3.0), np.arange(12.0)])
    evaluator = Evaluator(make_dataset(x, np.arange(12) % 2), _wrapper(name), folds=3)
    assert evaluator.predict(np.array([True, False]), 0).shape == (10, 12)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_mask_and_one_of_another_length_are_refused(name, planted):
    evaluator = Evaluator(planted, _wrapper(name))
    for mask in (np.zeros(8, dtype=bool), np.ones(7, dtype=bool)):
        with pytest.raises(ValueError, match="one truth value for each of the 8 features"):
            evaluator.measure(mask)


@pytest.mark.parametrize("name", [entry.name for entry in WRAPPERS])
def test_a_wrapper_survives_pickling_and_declares_its_settings(name):
    entry = WRAPPERS[name]
    assert pickle.loads(pickle.dumps(entry.build({}))) == entry.build({})
    for info in entry.model.describe():
        assert info.help.endswith(".")
        assert info.source
        for bound, excluded, beyond in (
            (info.minimum, info.minimum_excluded, -1),
            (info.maximum, info.maximum_excluded, 1),
        ):
            if bound is not None:
                if not excluded:
                    entry.build({info.name: int(bound) if info.kind == "int" else bound})
                with pytest.raises(SettingsError, match=info.name):
                    entry.build({info.name: bound if excluded else bound + beyond})
        if info.choices:
            with pytest.raises(SettingsError, match=info.name):
                entry.build({info.name: "no such choice"})
