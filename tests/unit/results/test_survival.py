"""Risk groups, their curves and hazard ratios, beside values that textbooks print."""

from math import exp, log

import numpy as np
import pytest

from fsdesk import Evaluator, FeatureSelector
from fsdesk.data import Dataset
from fsdesk.results.survival import hazard_ratio_of, ranks_in_folds, risk_groups
from tests.unit.kernels.test_core_survival import GROUP, REMISSION

LABELS = np.array([[0, 0, 0, 1, 1, -1]])


def planted(n=100, p=8, seed=3):
    """Times that features 1 and 4 tell about, a third of them censored."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    time, lost = rng.exponential(np.exp(-x[:, 1] + x[:, 4])), rng.exponential(2.0, n)
    y = np.where(time <= lost, 1.0, -1.0) * np.minimum(time, lost)
    names, rows = tuple(f"g{j}" for j in range(p)), tuple(map(str, range(n)))
    events = (y >= 0).astype(np.int64)
    return Dataset("p", np.asfortranarray(x), names, events, "time", (), rows, response=y, event="dead=1")


def test_risks_are_ranked_among_the_rows_of_their_fold():
    ranks = ranks_in_folds(np.array([[5.0, 1.0, 5.0, -7.0, 90.0, 0.0]]), LABELS)[0]
    assert ranks[:5] == pytest.approx([4 / 6, 1 / 6, 4 / 6, 1 / 4, 3 / 4])
    assert np.isnan(ranks[5])


def test_the_hazard_ratio_of_two_groups_is_that_of_textbooks():
    ratio, low, high = hazard_ratio_of(GROUP, REMISSION)
    assert ratio == pytest.approx(exp(1.5721251), rel=1e-6)
    assert (log(low), log(high)) == pytest.approx((0.7638422, 2.3804076), abs=1e-4)  # lifelines
    assert hazard_ratio_of(GROUP, np.where(GROUP == 1, -np.abs(REMISSION), REMISSION)) is None


def test_groups_by_risk_have_curves_a_test_and_a_ratio():
    found = risk_groups(GROUP + 0.3 * np.sin(np.arange(42)), REMISSION)
    assert [each.rows for each in found.groups] == [14, 14, 14]
    assert found.p < 0.01
    assert found.low < found.hazard_ratio < found.high
    words = found.words("Selected features", "relapse=1")
    assert "high risk: 14 rows" in words
    assert "Log-rank test: p" in words
    assert risk_groups(np.zeros(42), REMISSION) is None
    few = np.where(np.arange(42) % 5 == 0, np.abs(REMISSION), -np.abs(REMISSION))
    assert len(risk_groups(np.arange(42.0), few).groups) == 2


def test_a_structured_array_is_a_target_of_the_selector():
    data = planted()
    y = np.zeros(100, dtype=[("dead", "?"), ("months", "f8")])
    y["dead"], y["months"] = data.target == 1, data.times
    selector = FeatureSelector("univariate", "cox", random_state=0).fit(data.x, y)
    assert {1, 4} <= set(np.flatnonzero(selector.support_).tolist())
    assert selector.result_.criterion.name == "concordance"
    y["months"][0] = -1.0
    with pytest.raises(ValueError, match="not negative"):
        FeatureSelector("univariate", "cox").fit(data.x, y)
    with pytest.raises(ValueError, match="one field of True and False"):
        FeatureSelector("univariate", "cox").fit(data.x, np.zeros(100, dtype=[("a", "f8"), ("b", "f8")]))


def test_other_models_and_criteria_say_that_they_do_not_fit():
    for wrapper, sentence in (("logistic", "cannot predict event times"), ("ridge", "event times")):
        with pytest.raises(ValueError, match=sentence):
            Evaluator(planted(), wrapper)
