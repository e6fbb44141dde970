"""How many rows a study needs: by hand, and by what the intervals of more rows are."""

from dataclasses import replace
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import beta, mannwhitneyu, norm

from fsdesk.data.checks import half_width
from fsdesk.errors import SettingsError
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.sample_size import (
    Expected,
    expected_cells,
    expected_words,
    given_words,
    planned,
    rows_for,
    table_of,
    words,
)
from tests.bench import trust as bench

LOW, HIGH = beta.ppf(0.025, 20, 81), beta.ppf(0.975, 21, 80)  # 20 of 100 missed
PILOT = HonestError(
    "error", 0.2, float(LOW), float(HIGH), chance=0.5, rows=100, blocks=100, association_p=0.05, target="ill"
)


def test_the_interval_of_so_many_rows_is_that_of_clopper_and_pearson():
    assert planned(PILOT, 100).half == pytest.approx(HIGH - 0.2, abs=1e-6)
    more = planned(PILOT, 400)
    assert more.half == pytest.approx(beta.ppf(0.975, 81, 320) - 0.2, abs=1e-5)
    needed = rows_for(PILOT, 0.05)
    assert planned(PILOT, needed).half <= 0.05 < planned(PILOT, needed - 1).half
    assert 230 < needed < 300  # 1.96^2 0.2 0.8 / 0.05^2 = 246, and a little more


@pytest.mark.parametrize("half", [0, -0.1, 5])
def test_an_interval_in_points_or_without_width_is_refused(half):
    with pytest.raises(SettingsError, match="width of an interval"):
        rows_for(PILOT, half)
    with pytest.raises(SettingsError, match="width of an interval"):
        Expected(0.2).rows_for(half)


def test_the_chance_of_evidence_is_the_predictive_power():
    z = norm.isf(0.05)
    assert planned(PILOT, 100).chance == pytest.approx(0.5)
    assert planned(PILOT, 400).chance == pytest.approx(norm.cdf((2 * z - z) / sqrt(5)))
    clear = replace(PILOT, association_p=0.001)
    assert planned(clear, 200).chance > planned(clear, 100).chance > 0.8
    assert planned(replace(PILOT, association_p=None), 200).chance is None


def test_errors_without_a_largest_value_shrink_on_a_logarithmic_scale():
    pilot = HonestError("rmse", 2.0, 1.6, 2.5, chance=3.0, rows=80, blocks=80)
    assert planned(pilot, 320).half == pytest.approx(2.0 * (exp(log(1.25) / 2) - 1))
    assert rows_for(pilot, 0.2) > 80


def test_groups_count_and_not_their_rows():
    pilot = replace(PILOT, rows=300)
    assert planned(pilot, 100).half == pytest.approx(planned(PILOT, 100).half)
    assert [each.rows for each in table_of(pilot)] == [100, 150, 200, 300, 500, 1000]
    assert "such groups are needed" in next(words(pilot))


def test_what_is_said():
    (said,) = words(PILOT)
    assert said.startswith("For an interval of ± 5.0 points, about")
    assert "such rows are needed (this run: 100)" in said
    assert "5 %" in given_words()
    assert list(words(replace(PILOT, low=0.17, high=0.23))) == []  # it is that narrow already
    assert list(words(HonestError("error", 0.2))) == []
    area = HonestError("auc", 0.2, 0.12, 0.3, chance=0.5, rows=90, blocks=90)
    assert "± 0.05," in next(words(area))


def test_wrong_numbers_are_refused():
    for wrong in (lambda: planned(PILOT, 0), lambda: rows_for(PILOT, 0.0), lambda: rows_for(PILOT, float("nan"))):
        with pytest.raises(SettingsError):
            wrong()
    assert rows_for(HonestError("error", 0.2), 0.05) is None
    assert rows_for(PILOT, 1e-6) is None


def test_without_a_pilot_one_feature_is_found_as_often_as_wilcoxon_has_power():
    """Of one feature that is the only one, q is p, and its level 10 %: by simulation."""
    expected = Expected(effect=0.8, features=1, telling=1, share=0.4)
    rng, hits = np.random.default_rng(0), 0
    for _ in range(400):
        x, y = rng.normal(size=50), np.arange(50) < 20
        hits += mannwhitneyu(x[y] + 0.8, x[~y]).pvalue <= 0.1
    assert expected.foreseen(50).found == pytest.approx(hits / 400, abs=0.06)
    needed = expected.rows_to_find(0.9)
    assert expected.foreseen(needed).found >= 0.9 > expected.foreseen(needed - 1).found


def test_without_a_pilot_more_features_need_more_rows_and_the_interval_is_that_of_the_checks():
    few, many = (Expected(0.2, 0.8, features=p) for p in (10, 10_000))
    assert few.foreseen(80).found > many.foreseen(80).found + 0.2
    assert few.foreseen(80).half == half_width(0.2, 80)
    needed = few.rows_for(0.05)
    assert few.foreseen(needed).half <= 0.05 < few.foreseen(needed - 1).half
    lines = expected_cells(few, [50], half=0.05, found=0.8)
    assert [len(line) for line in lines] == [3, 3, 3]
    assert "0.8 standard deviations" in expected_words(few)


@pytest.mark.parametrize(
    "asked", [{"error": 1.2}, {"effect": -1.0}, {"effect": 1.0, "telling": 200}, {"effect": 1.0, "share": 0.7}]
)
def test_what_cannot_be_expected_is_refused(asked):
    with pytest.raises(SettingsError):
        Expected(**asked)
    with pytest.raises(SettingsError, match="Give your expectations"):
        expected_cells(Expected(), [])


def test_the_plan_holds_on_made_up_tables():
    rows = list(bench.plans(12))
    missed = [row for row in rows if not row[-1]]
    assert len(missed) <= 1, missed
