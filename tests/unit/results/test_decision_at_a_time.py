"""The decision card of times to an event: at a time, with weights for the rows that were censored earlier."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk import select
from fsdesk.errors import SettingsError
from fsdesk.results.decision import CutOff, decide, why_not
from fsdesk.results.diagnosis import grid_of_times
from fsdesk.results.scores import Scored
from fsdesk.results.survival import survival_fit
from tests.unit.results.test_survival import planted

GRID = np.array([0.5, 1.0, 2.0, 4.0])


def scored(y, risks, folds=4):
    """Exponential times whose rate is the exponential of the risk."""
    n = len(y)
    return Scored(
        rows=np.arange(n),
        blocks=np.arange(n),
        folds=np.arange(n) % folds,
        repeats=np.zeros(n, dtype=np.int64),
        truth=y,
        scores=np.exp(-np.exp(risks)[:, None] * GRID),
        scales=np.zeros(n, dtype=np.int64),
        probabilities=np.zeros(n, dtype=np.bool_),
        names=("months", "dead=1"),
        positive=0,
        times=GRID,
        horizon=1.0,
    )


def drawn(n=200, seed=0, censored=True):
    rng = np.random.default_rng(seed)
    risks = rng.normal(size=n)
    time, lost = rng.exponential(np.exp(-risks)), rng.exponential(2.0, n) if censored else np.full(n, 1e9)
    return scored(np.where(time <= lost, 1.0, -1.0) * np.minimum(time, lost), risks), risks, time


def test_survival_between_the_times_lies_on_lines_of_the_cumulative_hazard():
    made, risks, _ = drawn()
    between = made.survival_at(np.array([0.25, 1.5]))
    assert between == pytest.approx(np.exp(-np.exp(risks)[:, None] * [0.25, 1.5]))


def test_without_censoring_it_is_the_card_of_two_classes():
    made, _, time = drawn(censored=False)
    at, times = made.at(1.0), decide(made)
    assert at.censored == times.censored == 0
    assert at.weights == pytest.approx(np.ones(200))
    assert np.array_equal(at.truth, time <= 1.0)
    classes = decide(replace(at, weights=None, over_time=None, horizon=0.0))
    found, expected = times.packed(), classes.packed()
    for name in ("sensitivity", "specificity", "calibration_slope", "calibration_intercept", "positive_value"):
        assert found[name] == pytest.approx(expected[name]), name
    assert times.auc.value == pytest.approx(classes.auc.value, abs=0.02)  # of pairs here, the mean over parts there
    np.testing.assert_allclose(times.roc.y, classes.roc.y)
    assert found["time"] == 1.0


def test_weights_make_up_for_rows_that_were_censored():
    """Sensitivity, specificity and prevalence at a time are those that all rows would show."""
    gaps = []
    for seed in range(8):
        made, _, time = drawn(400, seed)
        found = decide(made)
        full = decide(scored(time, np.log(-np.log(made.scores[:, 1]))))
        assert 0 < found.censored < 200
        assert found.rows + found.censored == 400
        values = [
            [each.sensitivity.value, each.specificity.value, each.of_table, each.auc.value] for each in (found, full)
        ]
        gaps.append(np.subtract(*values))
    assert np.abs(np.mean(gaps, axis=0)).max() < 0.04


def test_counts_are_weighted_and_sum_to_all_rows():
    made, _, _ = drawn(300, 5)
    found = decide(made, CutOff("sensitivity", 0.8))
    assert sum(found.counts) == pytest.approx(300, rel=0.05)
    assert (found.counts[0] + found.counts[2]) / sum(found.counts) == pytest.approx(found.of_table)
    assert found.positive == "dead=1, months ≤ 1"
    assert "censored earlier" in found.rows_words()


def test_another_time_can_be_asked_about_and_must_be_one_that_rows_outlast():
    made, _, _ = drawn()
    assert decide(made, horizon=0.5).of_table < decide(made, horizon=2.0).of_table
    for wrong in (0.0, -1.0, 1e6):
        with pytest.raises(SettingsError, match="must be between 0 and"):
            decide(made, horizon=wrong)
    assert "must be between" in why_not(replace(made, horizon=1e6))
    assert why_not(made) == ""


def test_the_integrated_brier_score_is_better_than_that_of_one_curve():
    made, _, _ = drawn(400, 2)
    found = survival_fit(made)
    assert found.brier.low < found.brier.value < found.brier.high < found.of_curve
    assert "Integrated Brier score up to" in found.sentence()
    useless = replace(made, scores=np.tile(made.scores.mean(axis=0), (400, 1)))
    assert survival_fit(useless).brier.value == pytest.approx(found.of_curve, abs=0.02)


def test_a_run_has_a_decision_at_a_time():
    data = planted(120)
    result = select(data, seed=0, settings={"competing": "filters"})
    found = result.decision("sensitivity", 0.9, horizon=0.5)
    assert found.horizon == 0.5
    assert found.auc.value > 0.7
    usual = result.decision()
    assert usual.horizon == pytest.approx(np.median(data.response[data.response >= 0]))
    grid = grid_of_times(data)
    assert 20 < len(grid) <= 41
    assert grid[-1] == np.abs(data.response).max()
    with pytest.raises(SettingsError, match="between 0 and"):
        result.decision(horizon=1e9)
