"""Presorted lists: the order and ranks of values, and where filled gaps belong."""

import numpy as np
import pytest

from fsdesk.kernels.cart_lists import list_with_filled_gaps
from fsdesk.kernels.presort import presorted, rank_shift


def test_rows_come_in_the_order_of_their_values_with_equal_ranks_for_equal_values():
    packed = presorted(np.array([[3.0, -1.0, 3.0, 0.0, -0.0], [1e300, 1e-300, 0.0, -1e300, 2.0]]))
    shift = np.uint32(rank_shift(packed))
    assert packed.dtype == np.uint32
    assert (packed & np.uint32(0xFFFF)).tolist() == [[1, 3, 4, 0, 2], [3, 2, 1, 4, 0]]
    assert (packed >> shift).tolist() == [[1, 3, 3, 5, 5], [1, 3, 5, 7, 9]]


@pytest.mark.parametrize("rows", [32_766, 32_767])
def test_ranks_fit_whatever_the_number_of_rows(rows):
    values = np.random.default_rng(0).permutation(rows).astype(float)[None]
    packed = presorted(values)
    shift = rank_shift(packed)
    assert np.array_equal(values[0, packed[0] & packed.dtype.type((1 << shift) - 1)], np.arange(rows))
    assert np.array_equal(packed[0] >> packed.dtype.type(shift), 2 * np.arange(rows) + 1)


@pytest.mark.parametrize(
    ("fill", "rows", "ranks"),
    [
        (2.0, [3, 0, 1, 4, 2], [1, 2, 2, 3, 5]),
        (1.0, [0, 1, 3, 4, 2], [1, 1, 1, 3, 5]),
        (0.5, [0, 1, 3, 4, 2], [0, 0, 1, 3, 5]),
        (9.0, [3, 4, 2, 0, 1], [1, 3, 5, 6, 6]),
    ],
)
def test_filled_gaps_stand_among_their_equals_or_between_their_neighbours(fill, rows, ranks):
    values = np.array([np.nan, np.nan, 7.0, 1.0, 4.0])
    packed = presorted(values[None])
    shift, row_bits = np.uint64(16), np.uint64(0xFFFF)
    out = np.zeros(8, dtype=np.uint32)
    list_with_filled_gaps(packed.ravel(), 0, values, fill, shift, row_bits, out, 2)
    assert (out[2:7] & np.uint32(0xFFFF)).tolist() == rows
    assert (out[2:7] >> np.uint32(16)).tolist() == ranks
