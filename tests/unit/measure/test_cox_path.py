"""The L1 path of Cox regression: the conditions of its optimum, and a case that can be worked by hand."""

import numpy as np
import pytest

from fsdesk.kernels import _core
from fsdesk.measure.cox_path import cox_l1_path
from fsdesk.measure.filters import filter_scores
from tests.unit.kernels.test_core_survival import weights
from tests.unit.results.test_survival import planted


def standardised(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


@pytest.mark.parametrize(("n", "p", "ties"), [(100, 8, False), (60, 300, False), (60, 300, True)])
def test_every_point_meets_the_conditions_of_the_optimum(n, p, ties):
    data = planted(n, p)
    x, y = standardised(data.x), np.round(data.response, 1) + np.sign(data.response) if ties else data.response
    known = list(cox_l1_path(x, y, 20, 0.02))
    assert len(known) == 20
    assert (known[0].weights == 0).all()
    for point in known:
        residuals = _core.cox_residuals(x @ point.weights, y)[1]
        gradient = x.T @ residuals / n
        assert gradient == pytest.approx(point.gradient, abs=1e-12)
        inside = point.weights != 0
        assert np.abs(gradient).max() <= point.alpha * 1.002
        assert gradient[inside] == pytest.approx(point.alpha * np.sign(point.weights[inside]), rel=2e-3)
    assert known[0].alpha == pytest.approx(np.abs(x.T @ _core.cox_residuals(np.zeros(n), y)[1]).max() / n)
    assert len(np.flatnonzero(known[-1].weights)) > 4


def test_a_tiny_penalty_leaves_the_regression_without_one():
    data = planted(100, 8)
    x = standardised(data.x)
    *_, last = cox_l1_path(x, data.response, 30, 1e-5)
    assert last.weights == pytest.approx(weights(x, data.response, 1e-9), abs=2e-4)


def test_features_that_tell_enter_first():
    data = planted(100, 300, seed=5)
    first = np.argsort(-filter_scores(data, "l1"))[:2]
    assert set(first.tolist()) == {1, 4}
    constant = np.zeros((100, 2))
    assert list(cox_l1_path(constant, data.response, 5, 0.1)) == []
