"""Filters against scikit-learn, and ReliefF against its definition written out row by row."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from sklearn.feature_selection import f_classif, f_regression

from fsdesk.data import load_sample, prepare
from fsdesk.measure import rows_of
from fsdesk.measure.filters import FilterName, filter_scores


def test_f_is_scikit_learn_s(planted):
    scaled = (planted.x - planted.x.mean(axis=0)) / planted.x.std(axis=0)
    assert filter_scores(planted, "f") == pytest.approx(f_classif(scaled, planted.target)[0])
    numbers = replace(planted, response=planted.x[:, 0] + planted.target, classes=())
    assert filter_scores(numbers, "f") == pytest.approx(f_regression(scaled, numbers.response)[0])


def test_relieff_follows_kononenko_s_definition(make_dataset):
    rng = np.random.default_rng(0)
    x, target = rng.random((40, 5)), rng.integers(0, 3, 40)
    x[:, 2] += target
    unit = (x - x.min(axis=0)) / (x.max(axis=0) - x.min(axis=0))
    share = np.bincount(target) / 40
    expected = np.zeros(5)
    for i in range(40):
        for code in range(3):
            rows = [j for j in range(40) if j != i and target[j] == code]
            rows.sort(key=lambda j: sum(abs(unit[i] - unit[j])))
            mean = np.mean([abs(unit[i] - unit[j]) for j in rows[:10]], axis=0)
            expected += -mean / 40 if code == target[i] else share[code] / (1 - share[target[i]]) * mean / 40
    assert filter_scores(make_dataset(x, target), "relieff") == pytest.approx(expected)


@pytest.mark.parametrize("is_numeric", [False, True])
def test_relieff_takes_of_equal_distances_the_earlier_rows(make_dataset, is_numeric):
    rng = np.random.default_rng(4)
    x = rng.integers(0, 2, size=(120, 4)).astype(float)  # 16 different rows
    target = np.arange(120) % 3
    dataset = make_dataset(x, target)
    response = rng.normal(size=120)
    if is_numeric:
        dataset = replace(dataset, target=np.zeros(120, dtype=np.int64), classes=(), response=response)
    weights, apart, together, total = np.zeros(4), np.zeros(4), np.zeros(4), 0.0
    for row in range(120):
        distances = np.abs(x - x[row]).sum(axis=1)
        others = sorted(set(range(120)) - {row}, key=lambda other: (distances[other], other))
        if is_numeric:
            moved = np.abs(response[others[:10]] - response[row]) / np.ptp(response) / 10
            apart += moved @ np.abs(x[others[:10]] - x[row])
            together += np.abs(x[others[:10]] - x[row]).mean(axis=0)
            total += moved.sum()
        for code in range(3):
            near = [other for other in others if target[other] == code][:10]
            difference = np.abs(x[near] - x[row]).mean(axis=0)
            weights += -difference if code == target[row] else 0.5 * difference
    expected = apart / total - (together - apart) / (120 - total) if is_numeric else weights / 120
    assert filter_scores(dataset, "relieff") == pytest.approx(expected)


@pytest.mark.parametrize("name", ["forest", "shadows"])
def test_forests_are_the_same_in_any_number_of_threads(planted, name):
    numbers = replace(planted, response=planted.x[:, 0])
    for dataset in (planted, numbers) if name == "forest" else (planted,):
        assert filter_scores(dataset, name, 3).tolist() == filter_scores(dataset, name).tolist()


@pytest.mark.parametrize("name", ["l1", "rfe"])
def test_linear_models_order_features_the_same_while_others_are_trained_beside_them(make_dataset, name):
    rng = np.random.default_rng(2)
    tables = [make_dataset(rng.normal(size=(60, 300)), np.arange(60) % 2) for _ in range(6)]
    alone = [filter_scores(each, name).tolist() for each in tables]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda each: filter_scores(each, name).tolist(), tables)) == alone


def test_a_nominal_feature_has_the_score_of_its_best_category_and_constant_ones_none(make_dataset):
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, 60)
    target = (kind == 2).astype(np.int64)
    x = np.column_stack([kind, rng.normal(size=60), np.full(60, 4.0)]).astype(float)
    dataset = make_dataset(x, target, categories={0: ("a", "b", "c")})
    for name in ("f", "mutual information", "relieff"):
        scores = filter_scores(dataset, name)
        assert scores.argmax() == 0
        assert scores[2] <= 0
        assert np.isfinite(scores).all()


def test_significance_is_the_false_discovery_rate_of_benjamini_and_hochberg(make_dataset):
    rng = np.random.default_rng(2)
    x, target = rng.normal(size=(50, 30)), np.arange(50) % 2
    x[:, :5] += target[:, None]
    x[:, 7] = 1.0  # constant: no p value
    with np.errstate(all="ignore"):
        p = np.nan_to_num(f_classif(np.delete(x, 7, axis=1), target)[1])
    p = np.insert(p, 7, 1.0)
    order = np.argsort(p)
    q = np.minimum.accumulate((p[order] * 30 / np.arange(1, 31))[::-1])[::-1]
    expected = np.empty(30)
    expected[order] = -np.log10(np.minimum(q, 1.0))
    assert filter_scores(make_dataset(x, target), "significance") == pytest.approx(expected)


def test_shadows_tell_features_that_count_from_noise(make_dataset):
    rng = np.random.default_rng(3)
    target = np.arange(80) % 2
    x = rng.normal(size=(80, 40))
    x[:, :3] += 1.5 * target[:, None]
    scores = filter_scores(make_dataset(x, target), "shadows")
    assert (scores[:3] > 0.5).all()
    assert (scores[3:] > 0.5).sum() <= 1
    assert ((scores >= 0) & (scores <= 1)).all()


def test_filters_see_some_rows_of_long_tables_of_every_class(make_dataset):
    rng = np.random.default_rng(4)
    target = (np.arange(12_000) < 30).astype(np.int64)
    x = rng.normal(size=(12_000, 4))
    x[:, 2] += 3.0 * target
    for name in ("forest", "relieff", "l1", "mrmr"):
        assert filter_scores(make_dataset(x, target), name).argmax() == 2


@pytest.mark.parametrize("name", get_args(FilterName))
def test_rows_of_one_class_have_finite_scores(name):
    dataset = prepare(load_sample("wine"))
    some = rows_of(dataset, np.flatnonzero(dataset.target == 0)[:8])  # as in a resample of a table of few rows
    assert np.isfinite(filter_scores(some, name)).all()


@pytest.mark.parametrize("name", get_args(FilterName))
def test_columns_that_equal_the_target_come_first_with_finite_scores(make_dataset, name):
    x, target = np.random.default_rng(5).normal(size=(80, 30)), np.arange(80) % 2
    x[:, 4], x[:, 9] = target, 3 - 2 * target
    scores = filter_scores(make_dataset(x, target), name)
    assert np.isfinite(scores).all()
    assert scores.argmax() in (4, 9)
