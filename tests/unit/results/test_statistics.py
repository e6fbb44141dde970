"""Tests of significance against hand calculation, scipy's own, and the paper's tables with their stars."""

import numpy as np
import pytest
from scipy import stats

from fsdesk.results.statistics import (
    Moments,
    bayesian_signed_rank,
    corrected_t,
    friedman,
    paper_procedure,
)
from tests.bench.paper_tables import published

# Aksakalli & Malekipirbazari (2016), tables 5 to 8: error in percent, standard error over ten repeats, stars.
PAPER = {}
for _cell in published():
    if _cell.table in (5, 6, 7, 8) and _cell.method != "full":
        PAPER.setdefault((_cell.data, _cell.model), []).append(_cell)

DIFFERENT = {
    # BGA is better than every other method here by the same procedure, but the paper stars BSPSA alone.
    ("Waveform", "svm"): "bga",
    ("Arrhythmia", "svm"): "bga",
    # BSPSA against CSPSA: p = 0.07 from the printed figures, though the table has a star.
    ("CLL-SUB-111", "c45"): "",
}


@pytest.mark.parametrize("table", PAPER, ids="-".join)
def test_the_procedure_gives_the_stars_of_the_paper_from_its_printed_figures(table):
    cells = PAPER[table]
    found = paper_procedure([Moments(cell.value, cell.std_error, 10) for cell in cells])
    expected = DIFFERENT.get(table, "".join(cell.method for cell in cells if cell.star))
    assert (cells[found.best].method if found.star else "") == expected


def test_moments_make_a_sample_of_just_that_mean_and_standard_error():
    sample = Moments(0.2, 0.03, 7).sample()
    assert sample.mean() == pytest.approx(0.2)
    assert stats.sem(sample) == pytest.approx(0.03)


def test_equal_variances_lead_to_anova_and_tukey_unequal_ones_to_welch_and_games_howell():
    # The example of Tukey's HSD in scipy's documentation, from its own source: SAS manual.
    groups = [
        [24.5, 23.5, 26.4, 27.1, 29.9],
        [28.4, 34.2, 29.5, 32.2, 30.1],
        [26.1, 28.3, 24.3, 26.2, 27.8],
    ]
    moments = [Moments(float(np.mean(group)), float(stats.sem(group)), 5) for group in groups]
    found = paper_procedure(moments)
    assert not found.welch
    assert found.anova == pytest.approx(stats.f_oneway(*groups).pvalue)
    assert found.bartlett == pytest.approx(stats.bartlett(*groups).pvalue)
    assert found.pairs[0, 1] == pytest.approx(0.0144, abs=5e-4)  # as printed there: significant
    assert found.pairs[0, 2] == pytest.approx(0.980, abs=5e-4)
    wide = [*groups[:2], [10.0, 60.0, 5.0, 45.0, 11.0]]
    moments = [Moments(float(np.mean(group)), float(stats.sem(group)), 5) for group in wide]
    found = paper_procedure(moments)
    assert found.welch
    # Games & Howell by hand: the studentised range with Welch's degrees of freedom.
    a, b = (np.var(group, ddof=1) / 5 for group in wide[:2])
    freedom = (a + b) ** 2 / (a**2 / 4 + b**2 / 4)
    q = abs(np.mean(wide[0]) - np.mean(wide[1])) / np.sqrt((a + b) / 2)
    assert found.pairs[0, 1] == pytest.approx(stats.studentized_range.sf(q, 3, freedom), rel=1e-6)


def test_values_without_any_spread_are_no_reason_to_fail():
    assert paper_procedure([Moments(0.1, 0.0, 10), Moments(0.2, 0.0, 10)]) is None
    assert paper_procedure([Moments(0.1, 0.01, 10)]) is None
    found = paper_procedure([Moments(0.0, 0.0, 10), Moments(0.2, 0.01, 10), Moments(0.3, 0.01, 10)])
    assert found.welch
    assert found.star
    same = paper_procedure([Moments(0.2, 0.0, 10), Moments(0.2, 0.01, 10)])
    assert not same.star


def test_the_corrected_t_test_by_hand():
    # Differences 1, 2, 3, 4, 5 points: mean 3, variance 2.5; five folds, so the variance of the mean is
    # (1/5 + 1/4) 2.5 = 1.125 and t = 3 / 1.0607 = 2.8284 with 4 degrees of freedom.
    found = corrected_t(np.array([1.0, 2.0, 3.0, 4.0, 5.0]) / 100, 1 / 4)
    assert found.difference == pytest.approx(0.03)
    assert found.p == pytest.approx(2 * stats.t.sf(2.0 * np.sqrt(2.0), 4))
    assert found.high - found.difference == pytest.approx(2.7764451 * np.sqrt(1.125) / 100, rel=1e-6)
    assert corrected_t(np.array([0.1]), 1 / 4) is None
    assert corrected_t(np.zeros(5), 1 / 4).p == 1.0
    assert corrected_t(np.full(5, 0.125), 1 / 4).p == 0.0


def test_the_corrected_t_test_keeps_its_level_where_training_sets_overlap():
    """Two models that differ on no row in truth, tested on random thirds of the same rows.

    The plain t-test takes the thirds for independent and rejects far too often.
    """
    rng = np.random.default_rng(0)
    plain = corrected = 0
    for _ in range(400):
        rows = rng.normal(size=30)
        values = np.array([rows[rng.permutation(30)[:10]].mean() for _ in range(15)])
        plain += stats.ttest_1samp(values, 0.0).pvalue < 0.05
        corrected += corrected_t(values, 10 / 20).p < 0.05
    assert plain > 80
    assert corrected < 40


def test_friedman_and_nemenyi_on_the_example_of_demsar():
    # Demšar (2006), table 6: C4.5, +m, +cf, +m+cf on 14 data sets. The ranks that he prints tell apart two that he
    # rounds to the same 0.975.
    losses = -np.array(
        [
            [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
        ]
    )  # fmt: skip
    found = friedman(losses)
    assert found.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=1e-3)  # as printed there
    assert found.p < 0.05
    assert found.difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=2e-3)  # 1.25
    assert found.tables == 14
    assert found.groups == ((3, 1, 2, 0),)  # at 5 % Nemenyi's test tells none of them apart


def test_groups_of_methods_that_are_not_told_apart():
    rng = np.random.default_rng(0)
    losses = np.array([0.1, 0.11, 0.5, 0.51]) + rng.normal(0, 1e-3, (60, 4))
    found = friedman(losses)
    assert found.groups == ()  # over sixty tables every step of rank counts
    losses = np.array([0.1, 0.1, 0.5, 0.5]) + rng.normal(0, 1e-3, (60, 4))
    assert {frozenset(group) for group in friedman(losses).groups} == {frozenset({0, 1}), frozenset({2, 3})}
    assert friedman(losses[:1]) is None
    assert friedman(losses[:, :2]) is None
    assert friedman(np.ones((5, 3))).p == 1.0


def test_the_bayesian_signed_rank_test_where_its_answer_is_known():
    # All differences far right of the region: only the pairs with the prior's zero are not, and these, too, lie right.
    sure = bayesian_signed_rank(np.full(10, 0.2))
    assert sure.better > 0.999
    none = bayesian_signed_rank(np.full(10, 0.001))
    assert none.same == 1.0
    mirrored = bayesian_signed_rank(np.full(10, -0.2))
    assert mirrored.worse > 0.999
    # Two differences, one on each side, same size: their pair falls into the region. Mass right w1 (w1 + 2 w0), left
    # w2 (w2 + 2 w0), region w0^2 + 2 w1 w2, with w from a Dirichlet (0.5, 1, 1): counted here on a fine grid.
    even = bayesian_signed_rank(np.array([0.1, -0.1]))
    u = np.random.default_rng(1).dirichlet([0.5, 1, 1], 400_000)
    right, left = u[:, 1] * (u[:, 1] + 2 * u[:, 0]), u[:, 2] * (u[:, 2] + 2 * u[:, 0])
    won = (right > left) & (right > 1 - right - left)
    assert even.better == pytest.approx(won.mean(), abs=0.01)
    assert even.better + even.same + even.worse == pytest.approx(1)
    assert bayesian_signed_rank(np.array([0.1])) is None
    # baycomp 1.0.3, SignedRankTest.probs with 50,000 samples: .521, .479, .000
    drawn = np.random.default_rng(0).normal(0.01, 0.02, 12)
    found = bayesian_signed_rank(drawn)
    assert (found.better, found.same, found.worse) == pytest.approx((0.521, 0.479, 0.0), abs=0.01)
