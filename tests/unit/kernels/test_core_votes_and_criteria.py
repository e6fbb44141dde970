"""Votes and criteria of the compiled core are those of the numba kernels, to the last bit."""

import numpy as np
import pytest

from fsdesk.kernels import _core, areas, votes

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
def test_areas_and_error_rates_are_those_of_the_numba_kernels(classes):
    target, labels = RNG.integers(0, classes, 80), RNG.integers(-1, 5, (3, 80))
    scores = np.round(RNG.random((3, 80, classes)), 1)
    predicted = scores.argmax(axis=2)
    assert np.array_equal(_core.error_rates(predicted, target, labels), votes.error_rates(predicted, target, labels))
    for own, theirs in (
        (_core.one_vs_rest_areas, areas.one_vs_rest_areas),
        (_core.one_vs_one_areas, areas.one_vs_one_areas),
    ):
        assert np.array_equal(own(scores, target, labels, 5), theirs(scores, target, labels, 5), equal_nan=True)


def test_scores_that_are_no_number_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        _core.one_vs_rest_areas(np.full((1, 4, 2), np.nan), np.array([0, 1, 0, 1]), np.zeros((1, 4), dtype=np.int64), 1)
