"""Tests of single features, against scipy and against simulated truth."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2_contingency, false_discovery_control, kruskal, mannwhitneyu, rankdata, spearmanr
from sklearn.metrics import roc_auc_score

from fsdesk.data import Dataset
from fsdesk.measure import MeasureSettings
from fsdesk.results.feature_tests import batches_of, differ, feature_tests, p_values, values_tested
from fsdesk.results.select import select
from fsdesk.results.trust import trust_of


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


def over_batches(seed, rows=60, features=40, tilt=0.3, telling=0, missing=0.0):
    """Two batches, far apart in every feature, with 80 and 20 % of the second class."""
    rng = np.random.default_rng(seed)
    batch = np.arange(rows) % 2
    y = (rng.random(rows) < np.where(batch == 0, 0.5 + tilt, 0.5 - tilt)).astype(np.int64)
    x = rng.normal(size=(rows, features)) + 1.5 * rng.normal(size=(2, features))[batch]
    x[:, :telling] += 1.5 * y[:, None]
    x[rng.random(x.shape) < missing] = np.nan
    names = ("plate", *(f"f{place}" for place in range(features)))
    return Dataset(
        "t", np.asfortranarray(np.column_stack([batch.astype(float), x])), names, y, "class", ("no", "yes"),
        ("",) * rows, categories={0: ("one", "two")},
    )  # fmt: skip


CENTRED = MeasureSettings(batch="plate", centre_batches=True)


def test_one_batch_for_all_rows_is_as_none():
    data = over_batches(1, tilt=0.0)
    alone = np.zeros(len(data.target), dtype=np.int64)
    np.testing.assert_allclose(p_values(data, alone)[1:], p_values(data)[1:], rtol=1e-9)
    assert p_values(data, alone)[0] == pytest.approx(p_values(data)[0], rel=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_p_values_within_batches_are_those_of_permutations_within_batches(missing):
    data = over_batches(2, features=6, telling=2, missing=missing)
    batches, rng = batches_of(data, CENTRED), np.random.default_rng(0)
    found = p_values(data, batches)[1:]
    for place in range(6):
        column = data.x[:, 1 + place]
        known = ~np.isnan(column)
        aligned, y, own = column[known].copy(), data.target[known].astype(float), batches[known]
        for batch in (0, 1):
            aligned[own == batch] -= aligned[own == batch].mean()
        ranks = rankdata(aligned)
        for batch in (0, 1):
            ranks[own == batch] -= ranks[own == batch].mean()
        reached = 0
        for _ in range(2000):
            turned = y.copy()
            for batch in (0, 1):
                turned[own == batch] = rng.permutation(y[own == batch])
            reached += abs(ranks @ turned) >= abs(ranks @ y) - 1e-9
        assert found[place] == pytest.approx(reached / 2000, abs=0.035)


def test_noise_with_classes_unevenly_spread_over_centred_batches_is_not_associated():
    """Centring that knows the classes made most of such tables look associated (Nygaard et al., 2016)."""
    below, found, inside = [], [], []
    for seed in range(25):
        data = over_batches(seed)
        seen = values_tested(data, CENTRED)
        tests = feature_tests(seen, batches_of(data, CENTRED))
        below.append((tests.p[1:] < 0.05).mean())
        found.append(tests.associated.any())
        inside.append(((tests.low[1:] <= 0.5) & (tests.high[1:] >= 0.5)).mean())
    assert np.mean(below) < 0.07 and np.mean(found) < 0.25
    assert np.mean(inside) > 0.93
    naive = [(feature_tests(values_tested(over_batches(seed), CENTRED)).p[1:] < 0.05).mean() for seed in range(5)]
    assert np.mean(naive) > 0.1  # which is why


def test_half_samples_are_centred_by_themselves():
    supported = 0
    for seed in range(4):
        data = over_batches(seed, features=150)
        settings = {"repeats": 1, "batch": "plate", "centre_batches": True}
        result = select(data, method="univariate", wrapper="lda", seed=seed, outer=0, settings=settings)
        supported += int(trust_of(result, data).halves.supported.sum())
    assert supported <= 1


def test_batches_of_a_number_to_predict_and_of_groups_are_compared_within():
    data = over_batches(3, tilt=0.1, telling=1)
    rng = np.random.default_rng(1)
    batches = batches_of(data, CENTRED)
    numbers = replace(
        data, response=data.x[:, 1] - 3.0 * batches + rng.normal(size=60), classes=(), target=0 * data.target
    )
    p = p_values(numbers, batches)
    assert p[1] < 1e-4 and (p[2:] < 0.05).mean() < 0.15
    grouped = replace(data, groups=np.arange(60) // 4 * 2 + batches)
    p = p_values(grouped, batches)
    assert p[1] < 0.01 and (p[2:] < 0.05).mean() < 0.2
