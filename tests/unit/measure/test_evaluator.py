from dataclasses import replace

import numpy as np
import pytest

import fsdesk
from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, SettingsError
from fsdesk.measure import Measurement
from fsdesk.methods import Subsets
from fsdesk.wrappers import WRAPPERS


def test_a_measurement_has_the_mean_and_standard_error_of_its_repeats():
    measured = Measurement(np.array([0.1, 0.2, 0.6]))
    assert measured.mean == pytest.approx(0.3)
    # Deviations -.2, -.1, .3: variance .14 / 2, over 3 repeats.
    assert measured.std_error == pytest.approx((0.07 / 3) ** 0.5)
    assert Measurement(np.array([0.25])).std_error == 0.0
    assert Measurement(np.array([0.1, np.inf])).std_error == 0.0


def test_mean_and_standard_error_are_to_the_last_bit_those_of_numpy():
    rng = np.random.default_rng(0)
    for repeats in range(2, 60):
        values = rng.integers(0, 208, repeats) / 208 * 10.0 ** rng.integers(-9, 10)
        measured = Measurement(values)
        assert measured.mean == values.mean()
        assert measured.std_error == values.std(ddof=1) / np.sqrt(repeats)


def test_the_error_is_all_misses_over_all_tested_rows(planted):
    evaluator = fsdesk.Evaluator(planted, repeats=7, folds=4, seed=2)
    mask = np.arange(8) != 1
    misses = evaluator.predict(mask, 3) != planted.target
    measured = evaluator.measure(mask, 3)
    assert measured.values.tolist() == (misses.sum(axis=1) / 60).tolist()
    assert measured.mean == pytest.approx(misses.sum() / (7 * 60))


def test_folds_belong_to_the_number_of_the_measurement(planted):
    evaluator = fsdesk.Evaluator(planted, seed=2)
    assert evaluator.fold_labels(3).shape == (10, 60)
    assert not np.array_equal(evaluator.fold_labels(3), evaluator.fold_labels(4))
    assert np.array_equal(evaluator.fold_labels(3), fsdesk.Evaluator(planted, seed=2).fold_labels(3))
    assert not np.array_equal(evaluator.fold_labels(3), fsdesk.Evaluator(planted, seed=3).fold_labels(3))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"folds": 1}, "folds"), ({"scaling": "all"}, "scaling"), ({"speed": 1}, 'no setting "speed"')],
)
def test_wrong_settings_are_refused_with_a_sentence(planted, settings, sentence):
    with pytest.raises(SettingsError, match=sentence):
        fsdesk.Evaluator(planted, **settings)


def test_fewer_rows_than_folds_are_refused_and_as_many_are_not(make_dataset):
    dataset = make_dataset(np.arange(10.0).reshape(5, 2), [0, 1, 0, 1, 1])
    assert fsdesk.Evaluator(dataset, folds=5).measure(np.array([True, False])).values.shape == (10,)
    with pytest.raises(DataError, match=r'^".*" has 5 rows, too few for 6 folds'):
        fsdesk.Evaluator(dataset, folds=6)


def test_margins_that_models_share_are_log_odds_and_some_models_have_none():
    rng = np.random.default_rng(3)
    y = np.arange(120) % 2
    x = rng.normal(size=(120, 4)) + 0.8 * y[:, None]
    each = tuple(map(str, range(120)))
    data = Dataset("made", np.asfortranarray(x), ("a", "b", "c", "d"), y, "class", ("no", "yes"), each)
    evaluator = evaluator_of(RunSpec.make(data), data)
    labels = np.where(np.arange(120) % 5 == 0, 0, -1).astype(np.int8)
    subsets = Subsets.of([np.ones(4, dtype=np.bool_)])
    for model in ("logistic C=1", "lda shrinkage=0.1", "nb", "nn k=1", "nn k=5", "forest", "cart max_depth=3"):
        own = evaluator.of(model)
        (found,) = own.judged(subsets, subsets.features, subsets.offsets, labels[None], np.zeros(1, dtype=np.int64))
        if model in ("nb", "nn k=1", "nn k=5", "forest", "cart max_depth=3"):
            assert np.isnan(found.margin).all(), model
            continue
        outcome = own.outcome_alone(subsets[0], labels, {"classes", "scores"})
        said = outcome.scores[0, outcome.labels[0] == 0]
        truth = outcome.target[outcome.labels[0] == 0]
        rows = np.arange(len(truth))
        odds = np.log(said[rows, truth] / said[rows, 1 - truth])
        assert found.margin == pytest.approx((odds.mean(), odds.std()), abs=1e-6), model


def test_a_result_with_boosted_trees_is_measured_in_the_first_two_repeats_of_all(planted):
    twice = {"x": np.asfortranarray(np.tile(planted.x, (2, 1))), "target": np.tile(planted.target, 2)}
    grown = replace(planted, **twice, rows=tuple(map(str, range(2 * len(planted.target)))))
    spec = RunSpec.make(grown)
    evaluator, mask = evaluator_of(spec, grown), np.arange(8) != 1
    name = next(each.name for each in spec.models if each.wrapper == "boosting")
    boosted, every = (
        evaluator.of(name),
        fsdesk.Evaluator(grown, WRAPPERS["boosting"].build({"bins": 63}), seed=spec.seed),
    )
    measured = boosted.measure(mask, 3)
    assert len(measured.values) == 2 < evaluator.repeats == len(evaluator.of("nb").measure(mask, 3).values)
    assert measured.values.tolist() == every.measure(mask, 3).values[:2].tolist()
    # As runs of before were stored, which are verified by what they measured.
    before = spec.model_copy(
        update={"models": tuple(each.model_copy(update={"most_repeats": 0}) for each in spec.models)}
    )
    assert before.most_repeats == {}
    assert evaluator_of(before, grown).of(name).repeats == 10
