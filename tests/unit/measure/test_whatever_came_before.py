"""What a measurement finds hangs on its subset and its folds, not on what the same evaluator measured before."""

import numpy as np
import pytest

from fsdesk import Evaluator


@pytest.mark.parametrize("seed", [11, 21, 23])
def test_equal_distances_are_told_apart_the_same_way_after_a_wide_subset(make_dataset, seed):
    # Balanced columns of 0 and 1: many distances are equal but for the order in which they are added up. Others, of
    # which a wide subset has most, are nearly constant: there the way that suits the first kind tells nothing.
    rng, rows, p, balanced = np.random.default_rng(seed), 24, 3000, 600
    x = np.array([rng.permutation(rows) % 2 if c < balanced else rng.permutation(rows) < 1 + c % 3 for c in range(p)]).T
    dataset = make_dataset(x, np.arange(rows) % 2)
    masks = [(rng.random(p) < share) & (np.arange(p) < balanced) for share in (0.2, 0.6) for _ in range(12)]
    fresh, used = Evaluator(dataset, "nn"), Evaluator(dataset, "nn")
    used.measure(rng.random(p) < 0.97, 99)
    for number, mask in enumerate(masks):
        assert np.array_equal(fresh.measure(mask, number).values, used.measure(mask, number).values)
