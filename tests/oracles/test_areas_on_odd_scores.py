"""Areas under ROC curves of any scores: ties, single values, the largest numbers, folds that lack classes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fsdesk.kernels._core import one_vs_one_areas, one_vs_rest_areas
from tests.oracles.odd import ODD, deal

SCORES = st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e-300, -1e300, 1e300, float(np.finfo(np.float64).min), 2.0**53])


def area(is_positive, said):
    """The share of pairs in which the positive row has the higher score, half of the ties (Hanley and McNeil 1982)."""
    high, low = said[is_positive][:, None], said[~is_positive]
    return ((high > low) + 0.5 * (high == low)).mean() if high.size and low.size else np.nan


@ODD
@given(st.data())
def test_every_fold_has_the_areas_of_the_definition(data):
    n, classes, folds = data.draw(st.integers(3, 25)), data.draw(st.integers(2, 5)), data.draw(st.integers(2, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    target, labels = rng.integers(0, classes, n), deal(rng, n, folds)
    kept = np.array(data.draw(st.lists(SCORES, min_size=1, max_size=6)))
    scores = rng.choice(kept, size=(2, n, classes)) if data.draw(st.booleans()) else rng.normal(size=(2, n, classes))
    rest = one_vs_rest_areas(scores, target, labels, folds)
    each = one_vs_one_areas(scores, target, labels, folds)
    for repeat, fold, code in np.ndindex(rest.shape):
        rows = labels[repeat] == fold
        said, true = scores[repeat, rows, code], target[rows]
        np.testing.assert_allclose(rest[repeat, fold, code], area(true == code, said), atol=1e-12)
        for other in range(classes):
            pair = (true == code) | (true == other)
            expected = area(true[pair] == code, said[pair]) if other != code else np.nan
            np.testing.assert_allclose(each[repeat, fold, code, other], expected, atol=1e-12)
