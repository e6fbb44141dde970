"""Multiples of four rows off a fifth, against plain numpy."""

import numpy as np
import pytest
from numba import njit

from fsdesk.kernels.svm_lanes import take_off, take_off_lanes


@njit
def _take_off(out, rows, times, size):
    take_off(out, rows[0], rows[1], rows[2], rows[3], (times[0], times[1], times[2], times[3]), size)


@njit
def _take_off_lanes(out, rows, times, size):
    take_off_lanes(out, rows[0], rows[1], rows[2], rows[3], (times[0], times[1], times[2], times[3]), size)


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 7, 8, 21])
@pytest.mark.parametrize(("function", "beyond"), [(_take_off, 0), (_take_off_lanes, 3)])
def test_products_are_taken_off_the_first_numbers_alone(size, function, beyond):
    random = np.random.default_rng(size)
    out, rows, times = random.normal(size=size + 6), random.normal(size=(4, size + 6)), random.normal(size=4)
    before = out.copy()
    function(out, rows, times, size)
    np.testing.assert_allclose(out[:size], (before - times @ rows)[:size], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(out[size + beyond :], before[size + beyond :])
