"""Preparation of values inside the training part: against scikit-learn, by hand, and without a look at tested rows."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer, StandardScaler
from sklearn.svm import SVC

from fsdesk import Evaluator, predict, select
from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.errors import DataError
from fsdesk.kernels import _core
from fsdesk.measure import MeasureSettings, Resamples, Steps, prepared
from fsdesk.measure.transformers import (
    HalfMinimum,
    NeighbourImputer,
    NormalScores,
    ParetoScaler,
    Quantiles,
    QuotientNormalizer,
)
from fsdesk.results.methods_text import preparing_words
from fsdesk.results.pipeline import fitted_pipeline, script
from fsdesk.wrappers.columns import scales
from fsdesk.wrappers.fitting import scale_of

ALL = [
    {"imputation": "half minimum"},
    {"imputation": "neighbours", "imputation_rows": 3},
    {"normalise": "quotient"},
    {"transform": "log"},
    {"transform": "log", "offset": 1.0},
    {"transform": "quantile"},
    {"transform": "normal scores"},
    {"imputation": "half minimum", "normalise": "quotient", "transform": "log", "scaler": "pareto"},
    {"imputation": "neighbours", "normalise": "quotient", "transform": "normal scores"},
]


def urine(n=90, p=14, seed=0, gaps=0.06):
    """Amounts in samples of different dilution, a column of 0 and 1 and one of categories; two features tell."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    logs = rng.normal(size=(n, p)) * 0.6 + np.linspace(0, 5, p)
    logs[:, 2] += 1.0 * y
    logs[:, 5] -= 1.0 * y
    x = np.exp(logs + rng.normal(size=(n, 1)))
    x[rng.random(x.shape) < gaps] = np.nan
    x[:, 8] = rng.random(n) < 0.5
    x[:, 11] = rng.integers(0, 3, n)
    names = tuple(f"m{place}" for place in range(p))
    return Dataset(
        "urine", np.asfortranarray(x), names, y, "ill", ("no", "yes"), tuple(map(str, range(n))),
        categories={11: ("a", "b", "c")},
    )  # fmt: skip


def test_half_of_the_smallest_value_above_zero_fills_gaps():
    x = np.array([[1.0, 0.0, np.nan], [np.nan, 4.0, np.nan], [3.0, np.nan, np.nan]])
    made = HalfMinimum().fit(x).transform(x)
    assert (made[1, 0], made[2, 1]) == (0.5, 2.0)
    assert np.isnan(made[:, 2]).all()


def test_neighbours_are_those_of_scikit_learn_among_standardised_columns():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 5)) * [1, 10, 100, 1, 1] + 7
    x[rng.random(x.shape) < 0.1] = np.nan
    scaler = StandardScaler().fit(x[:40])
    expected = scaler.inverse_transform(
        KNNImputer(n_neighbors=4).fit(scaler.transform(x[:40])).transform(scaler.transform(x))
    )
    made = NeighbourImputer(4).fit(x[:40]).transform(x)
    np.testing.assert_allclose(made, expected, rtol=1e-9)
    assert np.array_equal(made[~np.isnan(x)], x[~np.isnan(x)])


def test_quotients_take_dilution_away_but_not_what_one_feature_tells():
    rng = np.random.default_rng(1)
    x = np.exp(rng.normal(size=(40, 30)) * 0.05 + np.linspace(0, 6, 30))
    x[:, 4] *= np.where(np.arange(40) % 2, 8.0, 1.0)  # one strong feature: normalisation by the sum would smear it
    diluted = x * np.exp(rng.normal(size=(40, 1)))
    made = QuotientNormalizer().fit(diluted).transform(diluted)
    ratio = made / x
    assert np.ptp(np.log(ratio), axis=0).max() < 0.1  # every row divided by its own dilution
    reference = np.array([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0], [1.0, 2.0, 4.0]])
    twice = QuotientNormalizer().fit(reference).transform(np.array([[2.0, 4.0, 100.0], [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(twice, [[1.0, 2.0, 50.0], [0.0, 0.0, 0.0]])
    gaps = QuotientNormalizer().fit(reference).transform(np.array([[np.nan, 6.0, 12.0]]))
    np.testing.assert_allclose(gaps, [[np.nan, 2.0, 4.0]])


def test_normal_scores_are_those_of_blom_and_stay_within_the_learned_ones():
    x = np.array([[3.0], [1.0], [2.0], [2.0], [np.nan]])
    made = NormalScores().fit(x).transform(np.array([[1.0], [2.0], [3.0], [99.0], [-9.0], [2.5], [np.nan]]))[:, 0]
    low, middle, high = norm.ppf((np.array([1, 2.5, 4]) - 0.375) / 4.25)
    np.testing.assert_allclose(made, [low, middle, high, high, low, (middle + high) / 2, np.nan])


def test_quantiles_are_those_of_scikit_learn():
    rng = np.random.default_rng(2)
    x = rng.lognormal(size=(50, 3))
    x[::7, 1] = np.nan
    expected = QuantileTransformer(n_quantiles=50, subsample=None).fit(x).transform(x)
    np.testing.assert_array_equal(Quantiles().fit(x).transform(x), expected)
    assert np.isnan(Quantiles().fit(np.full((5, 2), np.nan)).transform(np.ones((2, 2)))).all()


def test_pareto_scale_is_the_root_of_the_deviation_wherever_it_is_learned():
    rng = np.random.default_rng(3)
    x = rng.lognormal(size=(30, 4)) * [1, 10, 100, 0]
    deviation = np.where(x.std(axis=0) > 0, np.sqrt(x.std(axis=0)), 1)
    expected = (x - x.mean(axis=0)) / deviation
    np.testing.assert_allclose(ParetoScaler().fit(x).transform(x), expected)
    for learn in (scale_of, scales):
        centre, scale = learn(np.ascontiguousarray(x.T), "pareto")
        np.testing.assert_allclose((x - centre) / scale, expected)
    labels = np.where(np.arange(30) < 10, 0, -1)[None]
    none, chosen = np.zeros((1, 4)), np.arange(4)
    centre, scale = _core.training_scales(np.ascontiguousarray(x.T), chosen, none, labels, 1, "pareto")
    np.testing.assert_allclose(centre[0], x[10:].mean(axis=0))
    np.testing.assert_allclose(scale[0, :3], np.sqrt(x[10:, :3].std(axis=0)))


def test_what_is_off_changes_nothing_and_is_not_written():
    data = urine()
    assert prepared(data, MeasureSettings()) is data
    evaluator = Evaluator(data, "nn", repeats=2)
    assert evaluator.dataset is data
    written = MeasureSettings().model_dump()
    assert not {"imputation", "imputation_rows", "normalise", "transform", "offset"} & set(written)
    spec = RunSpec.make(data, method="full", wrapper="nn", settings={"transform": "log", "offset": 2.0})
    assert spec.measuring.model_dump()["offset"] == 2.0
    assert RunSpec.model_validate(spec.model_dump()).measuring.transform == "log"


@pytest.mark.parametrize("settings", ALL)
@pytest.mark.parametrize("wrapper", ["nn", "svm", "cart"])
def test_each_fold_is_prepared_by_its_training_rows_alone(settings, wrapper):
    """The same with preparation by hand: learned from the training rows, told to a model without preparation."""
    data = urine()
    mask = np.ones(14, dtype=bool)
    mask[[0, 9]] = False
    evaluator = Evaluator(data, wrapper, repeats=2, folds=3, **settings)
    labels = evaluator.fold_labels(0)
    predicted = evaluator.predict(mask, 0)
    plain = {"scaler": settings["scaler"]} if "scaler" in settings else {}
    steps = Steps(data, MeasureSettings().updated(settings))
    for repeat, own in enumerate(labels):
        for fold in range(3):
            tested = own == fold
            spoiled = np.array(data.x)
            spoiled[np.ix_(tested, steps.columns)] *= 3.0  # what is tested must not matter to the others
            x = steps.values(np.arange(90), ~tested, np.arange(14))
            other = Steps(replace(data, x=spoiled), MeasureSettings().updated(settings))
            np.testing.assert_array_equal(other.values(np.arange(90), ~tested, np.arange(14))[~tested], x[~tested])
            alone = Evaluator(replace(data, x=np.asfortranarray(x)), wrapper, repeats=2, folds=3, **plain)
            one = np.where(tested, 0, -1)[None]
            said = alone._predictor.predict(mask, one)[0]
            np.testing.assert_array_equal(predicted[repeat, tested], said[tested])


@pytest.mark.parametrize("settings", ALL)
@pytest.mark.parametrize("wrapper", ["nn", "logistic", "c45"])
def test_the_exported_pipeline_prepares_as_the_run_did(settings, wrapper):
    data = urine()
    result = select(
        data, method="sfs", wrapper=wrapper, seed=0, outer=0, settings={**settings, "repeats": 1, "max_size": 3}
    )
    split = np.where(np.arange(90) < 60, -1, 0)
    evaluator = Evaluator(data, wrapper, **settings)
    said = evaluator._predictor.predict(result.mask, split[None])[0, 60:]
    learned = replace(data, x=np.asfortranarray(data.x[:60]), target=data.target[:60], rows=data.rows[:60])
    pipeline = fitted_pipeline(result, learned)
    made = pipeline.predict(data.frame.iloc[60:])
    assert made.tolist() == np.array(data.classes)[said].tolist()


def test_a_pipeline_of_rows_that_were_normalised_needs_all_features():
    data = urine()
    result = select(data, method="sfs", wrapper="nn", seed=0, outer=0, settings={"normalise": "quotient", "repeats": 1})
    pipeline = fitted_pipeline(result, data)
    with pytest.raises(ValueError, match="m"):
        pipeline.predict(data.frame[list(result.features)])
    made = predict(result, data.frame.head(7))
    assert made.predicted.tolist() == pipeline.predict(data.frame.head(7)).tolist()
    with pytest.raises(DataError, match="lacks"):
        predict(result, data.frame[list(result.features)].head(7))
    assert "PreparedFeatures" in script(result, data)
    compile(script(result, data), "reproduce.py", "exec")


def test_an_oracle_of_scikit_learn_has_the_same_errors():
    data = urine(gaps=0.0)
    columns = np.delete(np.arange(14), 11)
    data = replace(
        data, x=np.asfortranarray(data.x[:, columns]), features=tuple(data.features[j] for j in columns), categories={}
    )
    evaluator = Evaluator(data, "SVC", repeats=2, folds=4, transform="quantile")
    labels, numbers = evaluator.fold_labels(0), np.delete(np.arange(13), 8)
    losses = []
    for own in labels:
        wrong = 0
        for fold in range(4):
            train, test = own != fold, own == fold
            x = np.array(data.x)
            made = QuantileTransformer(n_quantiles=int(train.sum()), subsample=None).fit(x[train][:, numbers])
            x[:, numbers] = made.transform(x[:, numbers])
            model = make_pipeline(SimpleImputer(), StandardScaler(), SVC()).fit(x[train], data.target[train])
            wrong += int((model.predict(x[test]) != data.target[test]).sum())
        losses.append(wrong / len(own))
    assert evaluator.measure(np.ones(13, dtype=bool), 0).values.tolist() == pytest.approx(losses)


def test_values_without_a_logarithm_and_below_zero_are_refused_by_name():
    data = urine(gaps=0.0)
    x = np.array(data.x)
    x[3, 4] = 0.0
    zero = replace(data, x=np.asfortranarray(x))
    with pytest.raises(DataError, match='"m4" has a value of 0, which has no logarithm'):
        Evaluator(zero, transform="log")
    Evaluator(zero, transform="log", offset=0.5)
    x[3, 4] = -2.0
    below = replace(data, x=np.asfortranarray(x))
    for settings in ({"normalise": "quotient"}, {"imputation": "half minimum"}):
        with pytest.raises(DataError, match='"m4" has negative values'):
            Evaluator(below, **settings)


def test_a_new_row_without_a_logarithm_counts_as_missing():
    data = urine(gaps=0.0)
    result = select(
        data, method="full", wrapper="logistic", seed=0, outer=0, settings={"transform": "log", "repeats": 1}
    )
    frame = data.frame.head(3).copy()
    frame.loc[frame.index[0], "m2"] = -5.0
    gap = data.frame.head(3).copy()
    gap.loc[gap.index[0], "m2"] = np.nan
    pipeline = fitted_pipeline(result, data)
    assert np.array_equal(pipeline.predict_proba(frame), pipeline.predict_proba(gap))


def test_a_race_of_models_finds_what_dilution_hides():
    data = urine(n=90, p=20, seed=4, gaps=0.0)
    settings = {"competing": "filters", "normalise": "quotient", "transform": "log"}
    result = select(data, seed=0, preset="quick", outer=0, settings=settings)
    assert {"m2", "m5"} <= set(result.features)
    words = " ".join(preparing_words(result.spec.measuring, data))
    assert "probabilistic quotients" in words
    assert "natural logarithms" in words.lower()
    assert "training rows of each fold" in words


def plates(n=120, seed=0, *, mixed=True):
    """Four plates that shift every feature; classes are unevenly on them; features 1 and 4 tell the class."""
    rng = np.random.default_rng(seed)
    batch = np.arange(n) % 4
    y = (
        (rng.random(n) < np.array([0.3, 0.4, 0.6, 0.7])[batch]).astype(np.int64)
        if mixed
        else (batch > 1).astype(np.int64)
    )
    x = rng.normal(size=(n, 10))
    x[:, [1, 4]] += 1.2 * y[:, None]
    x += 3 * rng.normal(size=(4, 10))[batch]
    x[:, 9] = batch
    names = (*(f"m{place}" for place in range(9)), "plate")
    return Dataset(
        "plates", np.asfortranarray(x), names, y, "ill", ("no", "yes"), tuple(map(str, range(n))),
        categories={9: ("a", "b", "c", "d")},
    )  # fmt: skip


CENTRED = {"batch": "plate", "centre_batches": True}


def test_centring_takes_away_what_batches_differ_by_and_leaves_what_classes_do():
    data = plates(2000)
    x = Steps(data, MeasureSettings(**CENTRED)).whole().x
    for code in (0, 1):  # within a class all plates have one mean
        means = [x[(data.x[:, 9] == plate) & (data.target == code), :9].mean(axis=0) for plate in range(4)]
        assert np.ptp(means, axis=0).max() < 0.35
    difference = x[data.target == 1, :9].mean(axis=0) - x[data.target == 0, :9].mean(axis=0)
    assert difference[[1, 4]].tolist() == pytest.approx([1.2, 1.2], abs=0.15)
    assert np.abs(np.delete(difference, [1, 4])).max() < 0.15
    np.testing.assert_allclose(x[:, :9].mean(axis=0), data.x[:, :9].mean(axis=0))
    np.testing.assert_array_equal(x[:, 9], data.x[:, 9])


def test_centring_by_hand_with_gaps_and_a_batch_that_no_training_row_is_of():
    data = plates(60)
    x = np.array(data.x)
    x[::9, 2] = np.nan
    data = replace(data, x=np.asfortranarray(x))
    trained = data.x[:, 9] != 3
    made = Steps(data, MeasureSettings(**CENTRED)).values(np.arange(60), trained, np.arange(9))
    np.testing.assert_array_equal(made[~trained], data.x[~trained, :9])
    there = trained & ~np.isnan(data.x[:, 2])
    design = np.column_stack([data.x[there, 9] == plate for plate in range(3)] + [data.target[there] == 0]).astype(
        float
    )
    design[:, 3] -= (data.target[trained] == 0).mean()
    effects = np.linalg.lstsq(design, data.x[there, 2], rcond=None)[0][:3]
    effects -= effects @ design[:, :3].mean(axis=0)
    plate = data.x[there, 9].astype(int)
    np.testing.assert_allclose(made[there, 2], data.x[there, 2] - effects[plate])


def test_batches_that_are_classes_are_refused_and_unknown_columns_named():
    with pytest.raises(DataError, match='"plate" have the same class'):
        Evaluator(plates(mixed=False), **CENTRED)
    with pytest.raises(ValueError, match='no feature "tray"'):
        RunSpec.make(plates(), settings={"batch": "tray"})
    with pytest.raises(ValueError, match="Specify the batch column"):
        Evaluator(plates(), centre_batches=True)


def test_one_batch_after_another_is_left_out_and_stays_whole_in_resamples():
    data = plates()
    evaluator = Evaluator(data, protocol="batches", batch="plate")
    assert np.array_equal(evaluator.fold_labels(0)[0], data.x[:, 9].astype(int))
    resamples = Resamples(data, evaluator.settings, 0, 5)
    assert resamples.folds == 4
    for part in range(4):
        assert len(np.unique(data.x[resamples.parts(0) == part, 9])) == 1
    with pytest.raises(DataError, match="too many for batches"):
        Evaluator(data, protocol="batches", batch="m3")


def test_centred_batches_predict_better_and_are_never_selected():
    data = plates(160)
    plain = select(data, method="univariate", wrapper="logistic", seed=0, settings={"batch": "plate"})
    centred = select(data, method="univariate", wrapper="logistic", seed=0, settings=CENTRED)
    assert centred.honest.value < plain.honest.value
    assert "plate" in centred.spec.never
    assert not {"plate"} & {*plain.features, *centred.features}
    assert {"m1", "m4"} <= set(centred.features)
    pipeline = fitted_pipeline(centred, data)
    said = predict(centred, data.frame.head(9)).predicted
    assert said.tolist() == pipeline.predict(data.frame.head(9)).tolist()
    other = data.frame.head(9).assign(plate="a new one")
    assert len(pipeline.predict(other)) == 9
    with pytest.raises(DataError, match="plate"):
        predict(centred, data.frame.head(9).drop(columns="plate"))


@pytest.mark.parametrize("wrapper", ["nn", "cart"])
def test_the_exported_pipeline_centres_as_the_run_did(wrapper):
    data = plates()
    split = np.where(np.arange(120) < 80, -1, 0)
    mask = np.arange(10) < 6
    result = select(
        data,
        method="full",
        wrapper=wrapper,
        seed=0,
        outer=0,
        settings={**CENTRED, "repeats": 1, "transform": "normal scores"},
    )
    said = Evaluator(data, wrapper, transform="normal scores", **CENTRED)._predictor.predict(mask, split[None])[0, 80:]
    learned = replace(data, x=np.asfortranarray(data.x[:80]), target=data.target[:80], rows=data.rows[:80])
    made = fitted_pipeline(replace(result, mask=mask), learned).predict(data.frame.iloc[80:])
    assert made.tolist() == np.array(data.classes)[said].tolist()


def test_batches_of_one_class_each_cannot_be_left_out():
    with pytest.raises(DataError, match="cannot show how well classes are predicted"):
        RunSpec.make(plates(mixed=False), settings={"protocol": "batches", "batch": "plate"})
    assert RunSpec.make(plates(), settings={"protocol": "batches", "batch": "plate"}).measuring.protocol == "batches"


@pytest.mark.parametrize("wrapper", ["auto", "logistic"])
def test_all_features_are_those_that_may_be_selected(wrapper):
    """A column that gives the class away, and is never selected, once made "all features" predict perfectly."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    x = rng.normal(size=(60, 6))
    x[:, 5] = y  # known only afterwards
    data = Dataset("d", np.asfortranarray(x), tuple("abcdef"), y, "ill", ("no", "yes"), ("",) * 60)
    settings = {} if wrapper == "auto" else {"repeats": 1}
    preset = "quick" if wrapper == "auto" else None
    method = "auto" if wrapper == "auto" else "univariate"
    result = select(
        data, method=method, wrapper=wrapper, preset=preset, seed=0, never=("f",), settings=settings, outer=3
    )
    assert "f" not in result.features
    assert result.honest.all_features > 0.2
    assert result.honest.features == 5
    assert "of 5 features" in repr(result)
