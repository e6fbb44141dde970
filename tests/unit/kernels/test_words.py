"""The random words of a measurement are numpy's, whatever the seed and the number."""

import numpy as np
import pytest

from fsdesk.kernels.compiling import entry
from fsdesk.kernels.words import fill_with_words, hashed_seed


@entry()
def first_words(hashed, number, many):
    words = np.empty(many, dtype=np.uint64)
    fill_with_words(hashed, number, words)
    return words


SEEDS = [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 + 5, 2**96 + 1, 2**128 - 1, 2**128, 2**200 + 17, 10**80]
NUMBERS = [0, 1, 17, 10**9, 2**32 - 1, 2**32, 2**63 - 1]


@pytest.mark.parametrize("seed", SEEDS + np.random.default_rng(0).integers(0, 2**63, 20).tolist())
def test_words_are_those_of_numpy(seed):
    hashed = hashed_seed(seed)
    for number in NUMBERS + np.random.default_rng(1).integers(0, 2**40, 10).tolist():
        theirs = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,)))
        assert np.array_equal(first_words(hashed, number, 301), theirs.random_raw(301))
