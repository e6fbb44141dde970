"""The numbers that C4.5 decides by, against Quinlan's book and plain formulas."""

from statistics import NormalDist

import numpy as np
import pytest
from numba import njit

from fsdesk.kernels.c45_logs import logs_up_to, plogp
from fsdesk.kernels.c45_prune import leaf_errors
from fsdesk.kernels.c45_table import Options


@njit
def _errors(counts, options):
    return leaf_errors(counts, options)


@njit
def _plogp(values):
    return np.array([plogp(value) for value in values])


def _leaf_errors(counts, confidence=0.25):
    quantile = NormalDist().inv_cdf(1 - confidence)
    return _errors(np.array(counts, dtype=float), Options(2.0, 1e-5, True, True, confidence, quantile))


@pytest.mark.parametrize(("rows", "rate"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_a_leaf_without_errors_is_estimated_as_in_quinlan_1993_section_4_2(rows, rate):
    assert _leaf_errors([rows, 0]) == pytest.approx(rows * rate, abs=rows * 0.0005)


def test_a_leaf_with_an_error_is_near_the_exact_limit_of_quinlan_1993():
    assert _leaf_errors([15, 1]) == pytest.approx(16 * 0.157, abs=0.05)  # the normal approximation


def test_estimates_grow_with_errors_between_the_exact_and_the_approximate_range():
    estimates = [_leaf_errors([10 - errors, errors]) for errors in np.arange(0, 5.01, 0.25)]
    assert (np.diff(estimates) > 0).all()
    assert _leaf_errors([0, 0]) == 0.0


def test_smaller_confidence_estimates_more_errors():
    assert _leaf_errors([8, 2], 0.05) > _leaf_errors([8, 2], 0.25) > _leaf_errors([8, 2], 0.5)


def test_x_log_x_is_right_to_a_few_units_in_the_twelfth_place():
    values = np.concatenate([np.geomspace(1e-6, 1e9, 4001), [1.0, 2.0, 0.5, np.sqrt(0.5), np.sqrt(2.0)]])
    assert np.abs(_plogp(values) - values * np.log2(values)).max() <= 1e-12 * 30 * 1e9
    assert np.allclose(_plogp(values), values * np.log2(values), rtol=2e-12, atol=1e-12)
    assert _plogp(np.array([0.0, 1e-9, -1e-12])).tolist() == [0.0, 0.0, 0.0]


def test_tables_of_counts_hold_x_log_x_and_its_differences():
    logs = logs_up_to(50)
    counts = np.arange(1, 52)
    assert np.allclose(logs.value[1:], counts * np.log2(counts))
    assert np.allclose(logs.whole * logs.unit, logs.value, rtol=0, atol=1e-12)
    assert (np.diff(logs.whole) == logs.step).all()
