"""The compiled core makes numpy's words, and shuffles and deals rows by them."""

import numpy as np
import pytest

from fsdesk.kernels import _core
from fsdesk.measure.folds import hashed_seed

SEEDS = [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 + 5, 2**96 + 1, 2**128 - 1, 2**128, 2**200 + 17, 10**80]
NUMBERS = [0, 1, 17, 10**9, 2**32 - 1, 2**32, 2**63 - 1]


@pytest.mark.parametrize("seed", SEEDS + np.random.default_rng(0).integers(0, 2**63, 20).tolist())
def test_words_are_those_of_numpy(seed):
    hashed = hashed_seed(seed)
    for number in NUMBERS + np.random.default_rng(1).integers(0, 2**40, 10).tolist():
        theirs = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,)))
        assert np.array_equal(_core.pcg64_words(hashed, number, 301), theirs.random_raw(301))


def shuffled(target, words):
    """Rows by class, within it by the highest bits of their words: those that a row and a class take do not count."""
    low = max(1, (len(target) - 1).bit_length()) + max(1, int(target.max()).bit_length())
    return sorted(range(len(target)), key=lambda row: (target[row], int(words[row]) >> low, row))


@pytest.mark.parametrize("rows", [1, 2, 3, 10, 100, 1000, 4097])
@pytest.mark.parametrize("classes", [1, 2, 5])
def test_rows_are_sorted_by_class_and_word_and_dealt_one_by_one(rows, classes):
    target = np.random.default_rng(rows).integers(0, classes, rows)
    numbers = np.array([0, 1, 7, 2**33])
    labels = _core.fold_labels(hashed_seed(11), numbers, target, repeats=3, folds=5, threads=2)
    for number, own in zip(numbers.tolist(), labels, strict=True):
        words = np.random.PCG64(np.random.SeedSequence(11, spawn_key=(number,))).random_raw(3 * (rows + 1))
        order, more = _core.shuffled(hashed_seed(11), number, target, 3)
        for repeat, these in enumerate(words.reshape(3, rows + 1)):
            assert order[repeat].tolist() == shuffled(target, these)
            assert more[repeat] == these[rows]
            assert own[repeat, order[repeat]].tolist() == [(place + int(these[rows])) % 5 for place in range(rows)]
