"""Votes and criteria of the compiled core, by hand; error rates are shares of misses."""

import numpy as np
import pytest

from fsdesk.kernels import _core

RNG = np.random.default_rng(0)


NEIGHBOURS = np.array([[[0, 2, 3]], [[3, 1, -1]]])  # two rows, one repeat, three neighbours; the last one is missing
TARGET = np.array([1, 0, 0, 2])


def test_the_most_frequent_class_wins_and_the_first_of_several():
    assert _core.majority(NEIGHBOURS, TARGET, 3).tolist() == [[0, 0]]
    assert _core.majority(NEIGHBOURS[:, :, :1].copy(), TARGET, 3).tolist() == [[1, 2]]


def test_a_vote_is_one_over_the_distance_and_rows_at_no_distance_take_all():
    distances = np.array([[[2.0, 4.0, np.inf]], [[0.0, 0.0, 5.0]], [[1e-320, 1.0, 2.0]]])
    assert _core.vote_weights(distances).tolist() == [[[0.5, 0.25, 0.0]], [[1.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]]]


def test_votes_are_summed_by_class_and_missing_neighbours_have_none():
    weights = np.array([[[1.0, 2.0, 4.0]], [[3.0, 5.0, 7.0]]])
    assert _core.votes(NEIGHBOURS, weights, TARGET, 3).tolist() == [[[2.0, 1.0, 4.0]], [[5.0, 0.0, 3.0]]]


def test_numbers_are_averaged_by_weight():
    weights = np.array([[[1.0, 1.0, 2.0]], [[1.0, 3.0, 7.0]]])
    assert _core.averages(NEIGHBOURS, weights, np.array([8.0, -4.0, 0.0, 4.0])).tolist() == [[4.0], [-2.0]]


def test_an_error_rate_is_the_share_of_tested_rows_with_a_wrong_class():
    predicted, labels = np.array([[1, 0, 1, 2], [0, 0, 0, 0]]), np.array([[0, 0, 1, -1], [0, 1, -2, 0]])
    assert _core.error_rates(predicted, TARGET, labels).tolist() == [1 / 3, 2 / 3]


@pytest.mark.parametrize("classes", [2, 3])
def test_an_error_rate_is_the_share_of_tested_rows_given_another_class(classes):
    target, labels = RNG.integers(0, classes, 80), RNG.integers(-2, 5, (3, 80))
    predicted = RNG.integers(0, classes, (3, 80))
    expected = [np.mean((said != target)[own >= 0]) for said, own in zip(predicted, labels, strict=True)]
    assert _core.error_rates(predicted, target, labels).tolist() == expected


def test_scores_that_are_no_number_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        _core.one_vs_rest_areas(np.full((1, 4, 2), np.nan), np.array([0, 1, 0, 1]), np.zeros((1, 4), dtype=np.int64), 1)
