"""Tests of single features, against scipy and against simulated truth."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2_contingency, false_discovery_control, kruskal, mannwhitneyu, spearmanr
from sklearn.metrics import roc_auc_score

from fsdesk.data import Dataset
from fsdesk.results.feature_tests import differ, feature_tests


def made(x, y, response=None, **roles):
    names = tuple(f"f{place}" for place in range(x.shape[1]))
    classes = () if response is not None else tuple(map(str, range(int(y.max()) + 1)))
    return Dataset(
        "t", np.asfortranarray(x), names, y.astype(np.int64), "y", classes, ("",) * len(y), response=response, **roles
    )


@pytest.fixture
def table():
    """40 rows with ties, a gap, and a first feature that goes with the class."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 6)).round(1), np.arange(40) % 2
    x[:, 0] += y
    x[:, 1] -= 0.8 * y
    x[3, 2] = np.nan
    x[:, 5] = 1.0
    return x, y


def test_two_classes_have_the_p_values_of_wilcoxon_and_areas_of_scikit_learn(table):
    x, y = table
    found = feature_tests(made(x, y))
    for place in range(5):
        known = ~np.isnan(x[:, place])
        one, other = (x[known & (y == code), place] for code in (1, 0))
        expected = mannwhitneyu(one, other, use_continuity=False, method="asymptotic").pvalue
        assert found.p[place] == pytest.approx(expected)
        area = roc_auc_score(y[known], x[known, place])
        assert found.estimate[place] == pytest.approx(max(area, 1 - area))
        assert found.code[place] == int(area >= 0.5)
        assert found.low[place] < found.estimate[place] < found.high[place]
    assert found.p[5] == 1 and np.isnan(found.estimate[5])  # one value
    np.testing.assert_allclose(found.q, false_discovery_control(found.p))
    np.testing.assert_allclose(found.q_any, false_discovery_control(found.p, method="by"))


def test_several_classes_have_the_p_values_of_kruskal_and_wallis(table):
    x, y = table[0], np.arange(40) % 3
    found = feature_tests(made(x, y))
    for place in (0, 1, 3, 4):
        assert found.p[place] == pytest.approx(kruskal(*[x[y == code, place] for code in range(3)]).pvalue)
        areas = [roc_auc_score(y == code, x[:, place]) for code in range(3)]
        assert found.estimate[place] == pytest.approx(areas[found.code[place]])
        assert abs(found.estimate[place] - 0.5) == pytest.approx(max(abs(area - 0.5) for area in areas))


def test_numbers_have_spearmans_correlation_and_p_value(table):
    x, y = table
    response = x[:, 0] + np.random.default_rng(1).normal(size=40)
    found = feature_tests(made(x, y * 0, response))
    for place in (0, 1, 3, 4):
        expected = spearmanr(x[:, place], response)
        assert found.estimate[place] == pytest.approx(expected.statistic)
        assert found.p[place] == pytest.approx(expected.pvalue)
    assert found.measure == "rank correlation"


def test_a_category_has_the_p_value_of_its_table_of_counts(table):
    x, y = table
    x = np.column_stack([x, np.random.default_rng(2).integers(0, 3, 40)])
    found = feature_tests(made(x, y, categories={6: ("a", "b", "c")}))
    counts = np.array([[((x[:, 6] == level) & (y == code)).sum() for code in range(2)] for level in range(3)])
    statistic = chi2_contingency(counts).statistic * 39 / 40  # of exchanges, which n - 1 rows count
    assert found.p[6] == pytest.approx(np.exp(-statistic / 2))  # two degrees of freedom
    assert np.isnan(found.estimate[6])


def test_copies_of_a_patients_rows_are_no_more_evidence_than_the_patients():
    """Rows of 40 patients five times over, in noise: by rows, p values would be far too small."""
    rng = np.random.default_rng(3)
    x, y, groups = rng.normal(size=(40, 2000)), np.arange(40) % 2, np.repeat(np.arange(40), 5)
    data = made(x[groups] + 0.1 * rng.normal(size=(200, 2000)), y[groups])
    alone, grouped = feature_tests(data), feature_tests(replace(data, groups=groups))
    assert (alone.p <= 0.05).mean() > 0.3
    assert 0.02 < (grouped.p <= 0.05).mean() < 0.07
    # The truth is 1/2. Intervals of rows alone miss it where those of patients hold it.
    assert (alone.low <= 0.5).mean() < 0.75
    assert (grouped.low <= 0.5).mean() > 0.93


def test_of_correlated_features_only_those_of_different_strength_differ():
    rng = np.random.default_rng(4)
    y = np.arange(200) % 2
    strong = 1.5 * y + rng.normal(size=200)
    x = np.column_stack([strong, strong + 0.1 * rng.normal(size=200), -strong, strong + 1.5 * rng.normal(size=200)])
    data = made(x, y)
    found = differ(data, feature_tests(data), np.array([[0, 1], [0, 2], [0, 3]]))
    assert found.tolist() == [False, False, True]
    numbers = made(x, y * 0, response=strong + 0.5 * rng.normal(size=200))
    assert differ(numbers, feature_tests(numbers), np.array([[0, 2], [0, 3]])).tolist() == [False, True]
