"""Products in registers against numpy's: small whole numbers, so that every sum is exact."""

import numpy as np
import pytest
from numba import njit

from fsdesk.kernels.svm_gram import fill_gram, room_for_columns, room_for_products
from fsdesk.kernels.tiles import _LANES, _VECTORS, add_products, add_tile, lines_of
from fsdesk.kernels.vectors import aligned_room


@njit
def _add(left, row, right, lane, vectors, terms, out, place):
    add_tile(left, row, right, lane, vectors, terms, out, place)


@njit
def _add_all(left, start, many, out):
    add_products(left, start, many, left, out)


@njit
def _fill(x, penalty, scaled, sums, gram):
    fill_gram(x, penalty, scaled, sums, gram)


@pytest.mark.parametrize("terms", [1, 2, 50])
def test_any_number_of_vectors_is_added_where_it_belongs_and_nowhere_else(terms):
    rng = np.random.default_rng(0)
    wide = int(_LANES * _VECTORS)
    left = rng.integers(-9, 10, (60, 11)).astype(np.float32)
    right = rng.integers(-9, 10, (60, 2 * wide)).astype(np.float32)
    for vectors in range(1, int(_VECTORS) + 1):
        out = rng.integers(-9, 10, (9, 2 * wide)).astype(np.float32)
        expected, lanes = out.copy(), slice(5, 5 + vectors * int(_LANES))
        expected[5:8, lanes] += left[:terms, 4:7].T @ right[:terms, lanes]
        _add(left, 4, right, 5, vectors, terms, out, 5)
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("n", [1, 2, 16, 115, 240])
def test_products_of_some_rows_with_all(n):
    z = aligned_room(48, lines_of(n))
    z[:, :n] = np.random.default_rng(2).integers(-5, 6, (48, n))
    for start in range(0, n, 50):
        many = min(50, n - start)
        out = np.ones((many + 2, z.shape[1]), dtype=np.float32)
        _add_all(z, start, many, out)
        np.testing.assert_array_equal(out[:many, :n], 1.0 + z[:, start : start + many].T @ z[:, :n])


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 110, 112, 113, 230])
@pytest.mark.parametrize("q", [1, 48, 100])
def test_the_gram_matrix_of_weighted_columns(n, q):
    rng = np.random.default_rng(1)
    values = rng.integers(-5, 6, (q, n)).astype(np.float64)
    penalty = 2.0 ** rng.integers(-2, 3, q)
    x = room_for_columns(q, n)
    x[:, :n] = values
    room, gram = room_for_products(0, n), np.empty((n, n))
    for _ in range(2):  # the room is used again and again
        _fill(x, penalty, *room, gram)
        np.testing.assert_array_equal(gram, (values.T / penalty) @ values)


def test_room_begins_with_a_line_of_the_cache_and_so_do_its_rows():
    for rows in range(1, 40):
        room = aligned_room(rows, 3)
        assert room.shape == (rows, 48)
        assert room.ctypes.data % 64 == 0
        assert room.flags.c_contiguous
