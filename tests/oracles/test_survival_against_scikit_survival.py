"""Concordance, Brier score and AUC at a time beside scikit-survival, and Cox regression beside lifelines.

Where these are installed: neither is needed by fsdesk, nor by its other tests.
"""

import numpy as np
import pytest

from fsdesk.kernels import _core
from fsdesk.measure import CRITERIA, Outcome
from fsdesk.measure.criteria import brier_scores

TIMES = np.array([0.2, 0.5, 1.0])


def drawn(seed, rows=160):
    """Risks, and what happened up to a time of 2: the first half of the rows is learned from."""
    rng = np.random.default_rng(seed)
    risk = rng.normal(size=rows)
    time, lost = rng.exponential(np.exp(-risk)), rng.exponential(1.5, rows)
    seen = (time <= lost) & (time < 2)
    return np.round(risk, 1), np.where(seen, 1.0, -1.0) * np.minimum(np.minimum(time, lost), 2.0)


def structured(y):
    return np.array(list(zip(y >= 0, np.abs(y), strict=True)), dtype=[("event", bool), ("time", float)])


def outcome(risk, y, **others):
    labels = np.where(np.arange(len(y)) < len(y) // 2, -1, 0)[None]
    return Outcome(labels, (y >= 0).astype(np.int64), y, 1, values=risk[None], **others)


@pytest.mark.parametrize("seed", range(5))
def test_concordance_is_that_of_scikit_survival(seed):
    metrics = pytest.importorskip("sksurv.metrics")
    risk, y = drawn(seed)
    tested = slice(len(y) // 2, None)
    expected = metrics.concordance_index_censored(y[tested] >= 0, np.abs(y[tested]), risk[tested])[0]
    assert 1 - CRITERIA["concordance"].loss(outcome(risk, y))[0] == pytest.approx(expected, abs=1e-12)
    known = structured(y[tested])
    uno = metrics.concordance_index_ipcw(known, known, risk[tested])[0]
    assert 1 - CRITERIA["uno"].loss(outcome(risk, y))[0] == pytest.approx(uno, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_brier_scores_and_auc_at_a_time_are_those_of_scikit_survival(seed):
    metrics = pytest.importorskip("sksurv.metrics")
    risk, y = drawn(seed)
    half = len(y) // 2
    learned, tested = structured(y[:half]), structured(y[half:])
    survival = np.exp(-np.exp(risk)[:, None] * TIMES)
    made = outcome(risk, y, survival=survival[None], times=TIMES)
    expected = metrics.brier_score(learned, tested, survival[half:], TIMES)[1]
    assert brier_scores(made)[0] == pytest.approx(expected, abs=1e-12)
    for time in TIMES:
        area = metrics.cumulative_dynamic_auc(learned, tested, risk[half:], np.array([time]))[0][0]
        found = CRITERIA["auc at a time"].loss(outcome(risk, y, times=np.array([time])))[0]
        assert 1 - found == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("late", [False, True])
def test_cox_regression_is_that_of_lifelines(late):
    lifelines = pytest.importorskip("lifelines")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    x, (_, y) = rng.normal(size=(160, 3)), drawn(3)
    entry = rng.random(160) * np.abs(y) if late else np.zeros(160)
    table = pandas.DataFrame(x, columns=list("abc")).assign(time=np.abs(y), event=y >= 0, entry=entry)
    fit = lifelines.CoxPHFitter().fit(table, "time", "event", entry_col="entry" if late else None,
                                      formula="a + b + c", fit_options={"precision": 1e-12})  # fmt: skip
    probes = np.concatenate([np.zeros((3, 1)), np.eye(3)], axis=1)
    known = np.stack([y, entry], axis=1) if late else y
    every, ends = np.arange(3, dtype=np.int32), np.array([0, 3])
    said = _core.cox_fits(np.ascontiguousarray(x.T), known, probes, every, ends, alphas=np.array([1e-10]))[0, 0]
    assert said[1:] - said[0] == pytest.approx(fit.params_.to_numpy(), abs=1e-7)
    value = _core.cox_residuals(x @ (said[1:] - said[0]), known)[0]
    assert value == pytest.approx(fit.log_likelihood_, abs=1e-8)
