"""Sorted rows sent two ways by lanes, against plain numpy."""

import numpy as np
import pytest
from numba import njit

from fsdesk.kernels.c45_lanes import send_lanes
from fsdesk.kernels.lanes import IS_WIDE, LANES

_ROW_BITS = (1 << 9) - 1


@njit
def _send(source, begin, end, row_bits, way, ahead, at, aside, back):
    return send_lanes(source, begin, end, row_bits, way, ahead, at, aside, back)


def _entries(rng, count, dtype=np.uint32):
    return ((rng.integers(0, 99, size=count) << 9) | rng.permutation(400)[:count]).astype(dtype)


@pytest.mark.skipif(not IS_WIDE, reason="needs vectors of 512 bits")
@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 31, 48, 131])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_rows_of_both_ways_stay_in_order(count, share):
    rng = np.random.default_rng(count)
    before, way = _entries(rng, count), (rng.random(400) < share).astype(np.int32)
    lists, aside = np.full(count + LANES, 7, dtype=np.uint32), np.empty(count + LANES, dtype=np.uint32)
    lists[:count] = before
    goes_right = way[before & _ROW_BITS] == 1
    below = int((~goes_right).sum())
    assert _send(lists, 0, count, _ROW_BITS, way, lists, 0, aside, below) == below
    np.testing.assert_array_equal(lists[:count], np.concatenate([before[~goes_right], before[goes_right]]))


@pytest.mark.skipif(not IS_WIDE, reason="needs vectors of 512 bits")
def test_a_part_of_the_rows_goes_on_from_a_place_elsewhere():
    rng = np.random.default_rng(3)
    source, way = _entries(rng, 100), rng.integers(0, 2, size=400).astype(np.int32)
    ahead, aside = np.zeros(100 + LANES, dtype=np.uint32), np.empty(100 + LANES, dtype=np.uint32)
    ahead[:5] = 1, 2, 3, 4, 5
    stays = source[20:77][way[source[20:77] & _ROW_BITS] == 0]
    assert _send(source, 20, 77, _ROW_BITS, way, ahead, 5, aside, -1) == 5 + len(stays)
    np.testing.assert_array_equal(ahead[: 5 + len(stays)], [1, 2, 3, 4, 5, *stays])


def test_long_entries_are_left_to_others():
    rng = np.random.default_rng(4)
    lists = _entries(rng, 100 + LANES, np.int64)
    before = lists.copy()
    assert _send(lists, 0, 100, _ROW_BITS, np.zeros(400, dtype=np.int32), lists, 0, lists.copy(), -1) == -1
    np.testing.assert_array_equal(lists, before)
