"""Single fits of regression, as a search on resampled rows takes them, are scikit-learn's on the rows of the split."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import mean_absolute_error, root_mean_squared_error
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from fsdesk.measure import Evaluator
from fsdesk.wrappers import WRAPPERS

MODELS = {
    "nearest": (WRAPPERS["nn"].build({}), KNeighborsRegressor(1)),
    "neighbours": (WRAPPERS["nn"].build({"k": 4, "weights": "distance"}), KNeighborsRegressor(4, weights="distance")),
    "ridge": (WRAPPERS["ridge"].build({"alpha": 3.0}), Ridge(3.0)),
    "any": (WRAPPERS["sklearn"].build({"estimator": "LinearRegression", "parameters": ""}), LinearRegression()),
}
GAPS, CATEGORIES, P = (2, 6), 4, 9


@pytest.fixture(scope="module")
def numbers(make_dataset):
    """80 rows; the target is a sum of three features, one of them a category; two features have gaps."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(80, P))
    x[:, CATEGORIES] = rng.integers(0, 3, 80)
    response = 2 * x[:, 0] - x[:, 3] + (x[:, CATEGORIES] == 1) + 0.3 * rng.normal(size=80)
    for place in GAPS:
        x[rng.random(80) < 0.15, place] = np.nan
    dataset = make_dataset(x, np.zeros(80), categories={CATEGORIES: ("low", "middle", "high")})
    return replace(dataset, classes=(), response=response)


def pipeline(chosen, model):
    """A pipeline for these columns alone, which stand side by side."""
    coded = [place for place, feature in enumerate(chosen) if feature == CATEGORIES]
    others = [place for place in range(len(chosen)) if place not in coded]
    indicators = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(categories=[[0, 1, 2]] * len(coded), sparse_output=False)
    )
    return make_pipeline(
        make_column_transformer((SimpleImputer(strategy="median"), others), (indicators, coded)),
        StandardScaler(),
        model,
    )


@pytest.mark.parametrize("criterion", ["rmse", "mae"])
@pytest.mark.parametrize("name", MODELS)
def test_each_subset_is_judged_as_by_a_pipeline_of_its_own(numbers, name, criterion):
    wrapper, model = MODELS[name]
    rng = np.random.default_rng(1)
    splits = rng.choice([-2, -1, -1, 0], size=(5, 80)).astype(np.int8)
    chosen = [np.sort(rng.permutation(P)[: rng.integers(1, P)]) for _ in range(20)]
    split_of = np.sort(rng.integers(0, 5, 20))
    subsets = [np.isin(np.arange(P), each) for each in chosen]
    features, offsets = np.concatenate(chosen).astype(np.int32), np.cumsum([0, *map(len, chosen)])
    judged = Evaluator(numbers, wrapper, criterion=criterion).judged(subsets, features, offsets, splits, split_of)
    error = {"rmse": root_mean_squared_error, "mae": mean_absolute_error}[criterion]
    for own, split, measured in zip(chosen, split_of, judged, strict=True):
        trained, tested = splits[split] == -1, splits[split] == 0
        x, y = numbers.x[:, own], numbers.response
        theirs = pipeline(own.tolist(), model).fit(x[trained], y[trained]).predict(x[tested])
        assert measured.mean == pytest.approx(error(y[tested], theirs), rel=1e-9)


def test_splits_that_take_turns_are_judged_as_by_themselves(numbers):
    evaluator = Evaluator(numbers, "ridge")
    rng = np.random.default_rng(2)
    splits = rng.choice([-1, -1, 0], size=(2, 80)).astype(np.int8)
    split_of, chosen = np.array([0, 1, 0, 1]), [np.array([0]), np.array([3, 4]), np.array([2, 6, 8]), np.array([0])]
    subsets = [np.isin(np.arange(P), each) for each in chosen]

    def judged(places):
        own = [chosen[place] for place in places]
        features, offsets = np.concatenate(own).astype(np.int32), np.cumsum([0, *map(len, own)])
        return evaluator.judged([subsets[place] for place in places], features, offsets, splits, split_of[places])

    assert [each.mean for each in judged([0, 1, 2, 3])] == [judged([place])[0].mean for place in range(4)]


@pytest.mark.parametrize(("alpha", "features"), [(0.0, 3), (1e-12, 3), (0.5, 3), (1e6, 3), (0.5, 40), (1e6, 40)])
def test_ridge_is_scikit_learns_for_tall_and_wide_tables_and_any_penalty(make_dataset, alpha, features):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, features)) * 10.0 ** rng.integers(-3, 4, features)
    x[:, 1] = x[:, 0]  # without a penalty their weights are not settled
    x[:, 2] = 7.0
    response = 1e4 + x @ rng.normal(size=features) + rng.normal(size=30)
    dataset = replace(make_dataset(x, np.zeros(30)), classes=(), response=response)
    evaluator = Evaluator(dataset, WRAPPERS["ridge"].build({"alpha": alpha}), repeats=1)
    labels = evaluator.fold_labels(0)
    ours = evaluator.outcome(np.ones(features, dtype=bool), labels).values[0]
    for fold in range(5):
        train, test = labels[0] != fold, labels[0] == fold
        model = make_pipeline(StandardScaler(), Ridge(alpha)).fit(x[train], response[train])
        assert ours[test] == pytest.approx(model.predict(x[test]), rel=1e-7)
