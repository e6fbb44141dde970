"""The compiled growing of trees, where the wrapper cannot reach."""

import numpy as np

from fsdesk.kernels.cart import grow
from fsdesk.kernels.cart_work import GINI, Rules, Table
from fsdesk.kernels.presort import presorted


def test_entries_of_64_bits_which_large_tables_need_grow_the_same_trees():
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 20, size=(6, 120)).astype(float)
    target = (columns[0] + columns[3] > 20).astype(np.int64) + rng.integers(0, 2, 120)
    short = presorted(columns)
    long = ((short >> np.uint32(16)).astype(np.uint64) << np.uint64(32)) | (short & np.uint32(0xFFFF))
    labels = rng.integers(0, 4, size=(3, 120))
    found = []
    for order in (short, long):
        codes, numbers = np.zeros(labels.shape, dtype=np.int64), np.zeros((3, 120, 3))
        no_gap, no_fill = np.full(6, -1), np.zeros((0, 12))
        which = columns, np.arange(6), no_gap, no_fill
        table = Table(order.ravel(), *which, target, 3, np.zeros(120), np.full(6, np.nan))
        grow(table, Rules(GINI, 0, 1, 2, False), labels, 4, codes, numbers)
        found.append(numbers)
        assert np.array_equal(numbers.argmax(axis=2), codes)
    assert np.array_equal(*found)
    assert found[0].sum(axis=2).tolist() == np.ones((3, 120)).tolist()
