"""The compiled core deals the very folds of the numba kernels, from numpy's words."""

import numpy as np
import pytest

from fsdesk.kernels import _core
from fsdesk.kernels.words import hashed_seed
from fsdesk.measure.folds import stratified_folds

SEEDS = [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 + 5, 2**96 + 1, 2**128 - 1, 2**128, 2**200 + 17, 10**80]
NUMBERS = [0, 1, 17, 10**9, 2**32 - 1, 2**32, 2**63 - 1]


@pytest.mark.parametrize("seed", SEEDS + np.random.default_rng(0).integers(0, 2**63, 20).tolist())
def test_words_are_those_of_numpy(seed):
    hashed = hashed_seed(seed)
    for number in NUMBERS + np.random.default_rng(1).integers(0, 2**40, 10).tolist():
        theirs = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,)))
        assert np.array_equal(_core.first_words(hashed, number, 301), theirs.random_raw(301))


@pytest.mark.parametrize("rows", [1, 2, 3, 10, 100, 1000, 4097])
@pytest.mark.parametrize("classes", [1, 2, 5])
def test_folds_are_those_of_the_numba_kernel(rows, classes):
    target = np.random.default_rng(rows).integers(0, classes, rows)
    numbers = np.array([0, 1, 7, 2**33])
    labels = _core.dealt(hashed_seed(11), numbers, target, repeats=3, folds=5, threads=2)
    for number, own in zip(numbers, labels, strict=True):
        theirs = stratified_folds(target, repeats=3, folds=5, seed=11, number=int(number))
        assert np.array_equal(own, theirs)


def test_rows_are_shuffled_as_by_the_numba_kernel():
    from fsdesk.kernels.dealing import shuffled

    target = np.random.default_rng(3).integers(0, 4, 257)
    frozen = target.copy()
    frozen.setflags(write=False)
    ours, theirs = _core.shuffled(hashed_seed(5), 9, frozen, 4), shuffled(hashed_seed(5), 9, frozen, 4)
    assert np.array_equal(ours[0], theirs[0])
    assert np.array_equal(ours[1], theirs[1])
