"""Votes of the compiled core are those of the numba kernels, to the last bit; error rates are shares of misses."""

import numpy as np
import pytest

from fsdesk.kernels import _core, votes

RNG = np.random.default_rng(0)


def neighbours(k, rows=60, repeats=3):
    found = RNG.integers(0, rows, (rows, repeats, k))
    found[:, :, 1:][RNG.random((rows, repeats, k - 1)) < 0.2] = -1
    return found


@pytest.mark.parametrize("k", [1, 2, 5])
def test_votes_are_those_of_the_numba_kernels(k):
    target, response, near = RNG.integers(0, 4, 60), RNG.normal(size=60), neighbours(k)
    distances = np.where(near < 0, np.inf, np.round(RNG.random(near.shape), 1))
    weights = _core.vote_weights(distances)
    assert np.array_equal(weights, votes.vote_weights(distances))
    assert np.array_equal(_core.majority(near, target, 4), votes.majority(near, target, 4))
    assert np.array_equal(_core.votes(near, weights, target, 4), votes.votes(near, weights, target, 4))
    assert np.array_equal(_core.averages(near, weights, response), votes.averages(near, weights, response))


@pytest.mark.parametrize("classes", [2, 3])
def test_an_error_rate_is_the_share_of_tested_rows_given_another_class(classes):
    target, labels = RNG.integers(0, classes, 80), RNG.integers(-2, 5, (3, 80))
    predicted = RNG.integers(0, classes, (3, 80))
    expected = [np.mean((said != target)[own >= 0]) for said, own in zip(predicted, labels, strict=True)]
    assert _core.error_rates(predicted, target, labels).tolist() == expected


def test_scores_that_are_no_number_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        _core.one_vs_rest_areas(np.full((1, 4, 2), np.nan), np.array([0, 1, 0, 1]), np.zeros((1, 4), dtype=np.int64), 1)
