"""New rows of a time to an event: risk, its group, survival at times, and the decision card on another table."""

import numpy as np
import pandas as pd
import pytest

import fsdesk
from fsdesk.errors import SettingsError


def made(rows, seed, shift=0.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 5))
    x[:, 0] += shift
    time, lost = 20 * rng.exponential(np.exp(-1.2 * x[:, 0] + 0.7 * x[:, 1])), rng.exponential(30, rows)
    table = pd.DataFrame(x.round(3), columns=list("abcde"))
    return table.assign(months=np.minimum(time, lost).round(2) + 0.01, status=np.where(time <= lost, "dead", "alive"))


@pytest.fixture(scope="module")
def result():
    data = fsdesk.from_frame(made(150, 1), ("months", "status"), name="here")
    return fsdesk.select(data, method="sfs", wrapper="cox", settings={"repeats": 2}, outer=3)


def test_survival_is_that_of_the_exported_pipeline_and_groups_follow_the_risk(result):
    rows = made(60, 2).drop(columns=["months", "status"])
    found = fsdesk.predict(result, rows, times=(24, 6))
    assert found.times.tolist() == [6.0, 24.0]
    pipeline = result.estimator
    expected = pipeline[-1].predict_survival(pipeline[:-1].transform(rows), [6.0, 24.0])
    assert found.survival == pytest.approx(expected)
    assert (found.survival[:, 0] >= found.survival[:, 1]).all()
    names = ["low risk", "middle risk", "high risk"]
    order = [names.index(found.groups[row]) for row in np.argsort(found.predicted)]
    assert order == sorted(order)
    assert 10 < order.count(0) < 32


def test_the_file_has_a_column_for_each_time(result):
    head, first, *_ = fsdesk.predict(result, made(3, 3), times=(12.5, 30)).to_csv().splitlines()
    assert head.startswith("row,risk,risk group,survival at 12.5,survival at 30,distance")
    row, risk, group, early, late = first.split(",")[:5]
    assert group in ("low risk", "middle risk", "high risk")
    assert 1 >= float(early) >= float(late) >= 0
    assert np.isfinite(float(risk))
    assert row == "0"


def test_without_a_time_it_is_that_of_the_decision_card(result):
    assert fsdesk.predict(result, made(3, 3)).times.tolist() == [result.decision().horizon]


@pytest.mark.parametrize("times", [(0,), (-3.0,), (1e6,), (float("nan"),)])
def test_times_that_nobody_was_observed_at_are_refused(result, times):
    with pytest.raises(SettingsError, match="at times above 0 and up to"):
        fsdesk.predict(result, made(3, 3), times=times)


def test_classes_have_no_survival():
    data = fsdesk.read_table("sample:wine")
    wine = fsdesk.select(data, method="univariate", wrapper="nn", settings={"repeats": 1}, outer=0)
    with pytest.raises(SettingsError, match="survival cannot be predicted"):
        fsdesk.predict(wine, data.frame.head(3), times=(5,))
    with pytest.raises(SettingsError, match="a time cannot be given"):
        fsdesk.validate(wine, data.frame.assign(**{data.target_name: "class_0"}), horizon=5.0)


def test_another_table_has_a_concordance_and_a_decision_card_at_a_time(result):
    external = fsdesk.validate(result, made(140, 5), horizon=15.0)
    assert 1 - external.error.value > 0.65
    card = external.decision
    assert "≤ 15" in card["positive"]
    assert card["auc"]["value"] > 0.7
    assert 0.3 < card["calibration_slope"]["value"] < 3.0


def test_rows_of_higher_risk_are_not_taken_for_usual_ones(result):
    """All rows of the second table have a higher risk: most are called, as few would be if they were the usual ones."""
    same, worse = (fsdesk.validate(result, made(140, 5, shift), horizon=15.0).decision for shift in (0.0, 1.5))
    assert worse["sensitivity"]["value"] > same["sensitivity"]["value"]
    assert worse["specificity"]["value"] < same["specificity"]["value"]
