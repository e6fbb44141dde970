"""Survival curves beside those that textbooks print."""

import numpy as np
import pytest

from fsdesk.data.kaplan_meier import censoring, follow_up, groups_by_risk, kaplan_meier, log_rank, martingale_residuals
from fsdesk.kernels import _core
from tests.unit.kernels.test_core_survival import GROUP, REMISSION

TIMES, EVENTS = np.abs(REMISSION), REMISSION >= 0


def test_the_curve_of_treated_leukaemia_is_that_of_textbooks():
    curve = kaplan_meier(TIMES[:21], EVENTS[:21])
    said = {6: 0.857143, 7: 0.806723, 10: 0.752941, 13: 0.690196, 16: 0.627451, 22: 0.537815, 23: 0.448179}
    for time, share in said.items():
        assert curve.at(time) == pytest.approx(share, abs=1e-6)
    assert (curve.at(5), curve.at(100), curve.median) == (1.0, pytest.approx(0.448179, abs=1e-6), 23.0)
    assert (curve.risk_at(10), curve.risk_at(36)) == (15, 0)
    low, high = curve.interval()
    assert (low[-1], high[-1]) == pytest.approx((0.188052006, 0.6801426285), abs=1e-9)  # lifelines
    assert kaplan_meier(TIMES[21:], EVENTS[21:]).median == 8.0


def test_the_log_rank_test_is_that_of_textbooks_and_strata_add_up():
    groups = GROUP.astype(np.int64)
    assert log_rank(TIMES, EVENTS, groups) == pytest.approx(4.168809109334511e-05, rel=1e-9)
    twice = np.tile(TIMES, 2), np.tile(EVENTS, 2), np.tile(groups, 2), np.repeat([0, 1], 42)
    assert log_rank(*twice) < log_rank(TIMES, EVENTS, groups) ** 1.5
    assert log_rank(TIMES, EVENTS, np.zeros(42, dtype=np.int64)) == 1.0


def test_residuals_sum_to_zero_and_are_those_of_coxs_model_without_features():
    found = martingale_residuals(TIMES, EVENTS)
    assert found.sum() == pytest.approx(0.0, abs=1e-12)
    assert found == pytest.approx(_core.cox_residuals(np.zeros(42), REMISSION, efron=False)[1], abs=1e-12)


def test_chances_to_be_censored_and_follow_up():
    times, events = np.array([1.0, 2.0, 2.0, 3.0, 4.0]), np.array([True, False, True, False, True])
    # Censored: one of three at 2 (the event then goes first), one of two at 3.
    assert censoring(times, events) == pytest.approx([1.0, 1.0, 1.0, 2 / 3, 1 / 3])
    assert follow_up(times, events) == 3.0
    assert follow_up(times, np.ones(5, dtype=bool)) == np.inf


def test_groups_are_of_about_equal_size_and_equal_risks_stay_together():
    assert np.bincount(groups_by_risk(np.arange(9.0), 3)).tolist() == [3, 3, 3]
    assert len(np.unique(groups_by_risk(np.zeros(9), 3))) == 1
