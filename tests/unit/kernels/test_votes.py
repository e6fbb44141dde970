import numpy as np

from fsdesk.kernels.votes import averages, majority, vote_weights, votes

NEIGHBOURS = np.array([[[0, 2, 3]], [[3, 1, -1]]])  # two rows, one repeat, three neighbours; the last one is missing
TARGET = np.array([1, 0, 0, 2])


def test_the_most_frequent_class_wins_and_the_first_of_several():
    assert majority(NEIGHBOURS, TARGET, 3).tolist() == [[0, 0]]
    assert majority(NEIGHBOURS[:, :, :1].copy(), TARGET, 3).tolist() == [[1, 2]]


def test_a_vote_is_one_over_the_distance_and_rows_at_no_distance_take_all():
    distances = np.array([[2.0, 4.0, np.inf], [0.0, 0.0, 5.0], [1e-320, 1.0, 2.0]])
    assert vote_weights(distances).tolist() == [[0.5, 0.25, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]


def test_votes_are_summed_by_class_and_missing_neighbours_have_none():
    weights = np.array([[[1.0, 2.0, 4.0]], [[3.0, 5.0, 7.0]]])
    assert votes(NEIGHBOURS, weights, TARGET, 3).tolist() == [[[2.0, 1.0, 4.0]], [[5.0, 0.0, 3.0]]]


def test_numbers_are_averaged_by_weight():
    weights = np.array([[[1.0, 1.0, 2.0]], [[1.0, 3.0, 7.0]]])
    response = np.array([8.0, -4.0, 0.0, 4.0])
    assert averages(NEIGHBOURS, weights, response).tolist() == [[4.0], [-2.0]]
