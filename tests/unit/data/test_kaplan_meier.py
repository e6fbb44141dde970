"""Survival curves beside those that textbooks print."""

import numpy as np
import pytest
from scipy.special import chdtrc

from fsdesk.data.kaplan_meier import (
    breslow,
    censoring,
    curve_of,
    follow_up,
    groups_by_risk,
    kaplan_meier,
    log_rank,
    martingale_residuals,
)
from fsdesk.kernels import _core
from tests.unit.kernels.test_core_survival import GROUP, REMISSION, late, made, weights

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
    assert log_rank(REMISSION, groups) == pytest.approx(4.168809109334511e-05, rel=1e-9)
    twice = np.tile(REMISSION, 2), np.tile(groups, 2), np.repeat([0, 1], 42)
    assert log_rank(*twice) < log_rank(REMISSION, groups) ** 1.5
    assert log_rank(REMISSION, np.zeros(42, dtype=np.int64)) == 1.0


def test_residuals_sum_to_zero_and_are_those_of_coxs_model_without_features():
    found = martingale_residuals(REMISSION)
    assert found.sum() == pytest.approx(0.0, abs=1e-12)
    assert found == pytest.approx(_core.cox_residuals(np.zeros(42), REMISSION, efron=False)[1], abs=1e-12)


def test_chances_to_be_censored_and_follow_up():
    times, events = np.array([1.0, 2.0, 2.0, 3.0, 4.0]), np.array([True, False, True, False, True])
    # Censored: one of three at 2 (the event then goes first), one of two at 3.
    assert censoring(times, events) == pytest.approx([1.0, 1.0, 1.0, 2 / 3, 1 / 3])
    assert follow_up(np.where(events, times, -times)) == 3.0
    assert follow_up(times) == np.inf


def test_groups_are_of_about_equal_size_and_equal_risks_stay_together():
    assert np.bincount(groups_by_risk(np.arange(9.0), 3)).tolist() == [3, 3, 3]
    assert len(np.unique(groups_by_risk(np.zeros(9), 3))) == 1


def test_rows_that_came_late_are_at_risk_after_that_alone():
    """As lifelines has it of the same table."""
    x, y = made()
    y = late(y)
    curve = curve_of(y)
    said = {1: 0.387097, 2: 0.276498, 3: 0.195175, 5: 0.150563, 7: 0.100376, 9: 0.066917, 13: 0.033459, 15: 0.0}
    for time, share in said.items():
        assert curve.at(time) == pytest.approx(share, abs=1e-6)
    assert (curve.risk_at(1), curve.risk_at(4), curve.risk_at(8.5)) == (31, 10, 3)
    f = x @ weights(x, y, 1e-10)
    moments, hazard = breslow(f, y)
    times, events, entries = np.abs(y[:, 0]), y[:, 0] >= 0, y[:, 1]
    steps = [
        (events & (times == m)).sum() / np.exp(f[(times >= m) & (entries < m)]).sum() for m in np.unique(times[events])
    ]
    assert np.exp(hazard) == pytest.approx(np.cumsum(steps), rel=1e-12)
    assert moments.tolist() == np.unique(times[events]).tolist()
    residuals = martingale_residuals(y)
    assert residuals == pytest.approx(_core.cox_residuals(np.zeros(60), y, efron=False)[1], abs=1e-12)


def test_the_log_rank_test_of_rows_that_came_late_is_that_of_a_loop():
    x, y = made()
    y, groups = late(y), (x[:, 0] > 0).astype(np.int64)
    times, events, entries = np.abs(y[:, 0]), y[:, 0] >= 0, y[:, 1]
    off = spread = 0.0
    for time in np.unique(times[events]):
        risk = (entries < time) & (times >= time)
        died = events & (times == time)
        n, d, share = risk.sum(), died.sum(), groups[risk].mean()
        off += groups[died].sum() - d * share
        spread += d * (n - d) / max(n - 1, 1) * share * (1 - share)
    assert log_rank(y, groups) == pytest.approx(chdtrc(1, off**2 / spread), rel=1e-9)
