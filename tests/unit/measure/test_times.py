"""Criteria that ask about times to an event, beside values worked by hand and plain loops of their formulas."""

from itertools import product

import numpy as np
import pytest

from fsdesk import Evaluator, select
from fsdesk.data.kaplan_meier import breslow, inverse_chances, kaplan_meier
from fsdesk.engine import RunSpec
from fsdesk.measure.criteria import CRITERIA, Outcome, brier_scores
from fsdesk.wrappers import WRAPPERS
from fsdesk.wrappers.survival_models import CoxRegression, SurvivalForestRegression, SurvivalNeighboursRegression
from tests.unit.results.test_survival import planted

Y = np.array([1.0, -2.0, 3.0, -4.0, 5.0])
AT = np.array([3.5])


def outcome(y=Y, times=AT, labels=None, **said):
    labels = np.zeros((1, len(y)), dtype=np.int64) if labels is None else labels
    return Outcome(labels, np.zeros(len(y), dtype=np.int64), y, 1, times=times, **said)


def test_weights_are_those_of_the_censored_rows_before():
    """The chance not to be censored is 3/4 from 2 on and 3/8 from 4 on."""
    found = inverse_chances(np.abs(Y), Y >= 0, np.array([0.5, 3.5, 4.0, 6.0]), np.abs(Y), Y >= 0)
    third = 4 / 3
    assert found[:, 0] == pytest.approx([1, 1, 1, 1, 1])
    assert found[:, 1] == pytest.approx([1, 0, third, third, third])
    assert found[:, 2] == pytest.approx([1, 0, third, 0, 8 / 3])
    assert found[:, 3] == pytest.approx([1, 0, third, 0, 8 / 3])


def test_weighted_shares_are_the_kaplan_meier_estimate():
    rng = np.random.default_rng(0)
    times, events = rng.exponential(size=80).round(1) + 0.1, rng.random(80) < 0.6
    curve = kaplan_meier(times, events)
    for time in (0.3, 0.8, 1.4):
        weights = inverse_chances(times, events, np.array([time]), times, events)[:, 0]
        assert (weights * (times > time)).sum() / 80 == pytest.approx(curve.at(time))
        assert weights.sum() / 80 == pytest.approx(1.0)


def test_the_brier_score_by_hand():
    survival = np.array([0.2, 0.5, 0.4, 0.7, 0.9])[None, :, None]
    assert brier_scores(outcome(survival=survival))[0, 0] == pytest.approx((0.04 + 4 / 3 * 0.26) / 5)
    both = outcome(times=np.array([0.5, 3.5]), survival=np.concatenate([np.ones_like(survival), survival], axis=2))
    # from 0 to 0.5 nobody is mistaken; then the score grows on a line
    assert CRITERIA["brier"].loss(both)[0] == pytest.approx(1.5 * (0.04 + 4 / 3 * 0.26) / 5 / 3.5)


def test_the_area_at_a_time_by_hand():
    risks = np.array([[0.8, 0.5, 0.6, 0.3, 0.7]])
    assert CRITERIA["auc at a time"].loss(outcome(values=risks))[0] == pytest.approx(1 - 5 / 7)
    assert CRITERIA["auc at a time"].loss(outcome(values=np.zeros((1, 5))))[0] == 0.5


def test_both_are_loops_over_the_tested_rows_with_weights_of_the_others():
    rng = np.random.default_rng(3)
    n, at = 60, np.array([0.7])
    y = np.where(rng.random(n) < 0.6, 1.0, -1.0) * (rng.exponential(size=n).round(1) + 0.1)
    labels = rng.integers(0, 3, (2, n))
    risks, survival = rng.integers(0, 9, (2, n)) / 9, rng.random((2, n, 1))
    found = CRITERIA["auc at a time"].loss(outcome(y, at, labels, values=risks))
    brier = brier_scores(outcome(y, at, labels, survival=survival))[:, 0]
    for repeat in range(2):
        right = total = squares = 0.0
        for fold in range(3):
            own, other = np.flatnonzero(labels[repeat] == fold), np.flatnonzero(labels[repeat] != fold)

            def left(time, others=other):
                share = 1.0
                for moment in np.unique(np.abs(y[others])):
                    here = np.abs(y[others]) == moment
                    at_risk = (np.abs(y[others]) > moment).sum() + (here & (y[others] < 0)).sum()
                    if moment <= time and at_risk:
                        share *= 1 - (here & (y[others] < 0)).sum() / at_risk
                return share

            for i in own:
                if 0 <= y[i] <= 0.7:
                    squares += survival[repeat, i, 0] ** 2 / left(y[i] - 1e-9)
                elif abs(y[i]) > 0.7:
                    squares += (1 - survival[repeat, i, 0]) ** 2 / left(0.7)
            for i, j in product(own, own):
                if 0 <= y[i] <= 0.7 < abs(y[j]):
                    weight, gap = 1 / left(y[i] - 1e-9), risks[repeat, i] - risks[repeat, j]
                    right, total = right + weight * (0.5 + 0.5 * np.sign(gap)), total + weight
        assert found[repeat] == pytest.approx(1 - right / total)
        assert brier[repeat] == pytest.approx(squares / n)


def test_hazards_of_breslow_by_hand():
    """Hazard ratios 1, 2, 1, 4; at 1 all are at risk, at 3 the last two."""
    moments, hazard = breslow(np.log([1.0, 2, 1, 4]), np.array([1.0, -2, 3, -4]))
    assert moments.tolist() == [1.0, 3.0]
    assert np.exp(hazard) == pytest.approx([1 / 8, 1 / 8 + 1 / 5])


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("cox", CoxRegression(alpha=1.0)),
        ("nn-survival", SurvivalNeighboursRegression(k=20)),
        ("survival-forest", SurvivalForestRegression(trees=200)),
    ],
)
def test_predicted_survival_falls_in_time_and_with_the_risk_and_is_that_of_the_exported_model(name, model):
    data = planted(120)
    train, test, y = data.x[:90], data.x[90:], data.response[:90]
    times = np.array([0.0, 0.3, 0.8, 1.5])
    wrapper = WRAPPERS[name].build({})
    columns = np.ascontiguousarray(train.T), np.ascontiguousarray(test.T)
    found = wrapper.survival(columns[0], y, columns[1], times)
    fitted = model.fit(train, y)
    assert fitted.predict_survival(test, times) == pytest.approx(found, abs=1e-6)
    assert found.shape == (30, 4)
    assert (found[:, 0] == 1).all()
    assert (np.diff(found, axis=1) <= 0).all()
    assert np.corrcoef(fitted.predict(test), found[:, 2])[0, 1] < -0.8


def test_neighbours_predict_the_hazard_of_the_nearest_rows():
    x, y = np.array([[0.0], [0.1], [0.2], [5.0]]), np.array([1.0, -2.0, 3.0, 0.5])
    found = SurvivalNeighboursRegression(k=3).fit(x, y).predict_survival([[0.05]], [0.9, 1.0, 3.0])
    assert found[0] == pytest.approx([1.0, np.exp(-1 / 3), np.exp(-1 / 3 - 1)])


def test_a_tree_of_one_leaf_predicts_the_hazard_of_all_rows():
    data = planted(40)
    curve = kaplan_meier(data.times, data.response >= 0)
    hazard = (curve.events / curve.at_risk)[curve.times <= 0.5].sum()
    model = SurvivalForestRegression(trees=3, min_leaf=40).fit(data.x, data.response)
    assert model.predict_survival(data.x[:2], [0.5]) == pytest.approx(np.exp([[-hazard]] * 2))


@pytest.mark.parametrize("wrapper", ["cox", "nn-survival", "survival-forest"])
@pytest.mark.parametrize("criterion", ["auc at a time", "brier"])
def test_a_measurement_is_that_of_folds_and_knows_what_tells(criterion, wrapper):
    data = planted(120)
    evaluator = Evaluator(data, wrapper, criterion=criterion, repeats=2, seed=1)
    useful, useless = np.isin(np.arange(8), [1, 4]), np.isin(np.arange(8), [0, 2])
    good, bad = evaluator.measure(useful).mean, evaluator.measure(useless).mean
    assert good < bad
    if criterion == "brier":
        assert good < 0.2
        assert 0.15 < bad < 0.3
    assert np.array_equal(evaluator.measure(useful).values, evaluator.measure(useful).values)


@pytest.mark.parametrize("criterion", ["auc at a time", "brier"])
def test_runs_go_by_them_and_are_judged_by_them(criterion):
    data = planted(100)
    settings = {"criterion": criterion, "competing": "filters"}
    result = select(data, seed=0, settings=settings)
    assert {1, 4} <= set(np.flatnonzero(result.mask).tolist())
    found = result.honest
    assert found is not None
    assert found.low < found.value < found.high < found.chance + 0.05
    assert found.association_p < 0.01
    horizon = result.spec.measuring.horizon
    y = data.response
    assert horizon == pytest.approx(np.median(y[y >= 0]) if criterion != "brier" else np.quantile(np.abs(y), 0.9))


def test_the_time_asked_about_can_be_named():
    data = planted(100)
    spec = RunSpec.make(data, method="full", wrapper="cox", settings={"criterion": "brier", "horizon": 0.6})
    assert spec.measuring.horizon == 0.6
    evaluator = Evaluator(data, "cox", criterion="brier", horizon=0.6)
    assert evaluator.times == pytest.approx(0.02 * np.arange(1, 31))
    assert Evaluator(data, "cox", criterion="auc at a time", horizon=0.6).times.tolist() == [0.6]
    assert not len(Evaluator(data, "cox").times)
