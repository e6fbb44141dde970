import numpy as np
import pytest

from fsdesk.methods import METHODS, Problem
from fsdesk.methods.tabu import Tabu, flipped
from tests.driving import losses_of


def _switched(proposal):
    """Which feature each neighbour switches, when all features are sampled."""
    current = proposal.weights.astype(np.bool_)
    return [int(np.flatnonzero(mask ^ current)[0]) for mask in proposal.masks]


def _current_after(search, proposal, losses):
    """Tell a loss per switched feature; the next proposal and its current subset."""
    proposal = search.send(losses_of(losses[feature] for feature in _switched(proposal)))
    return proposal, proposal.weights.astype(np.int64).tolist()


def test_each_neighbour_is_one_feature_away():
    masks = flipped(np.array([True, False, True]), np.array([1, 2]))
    assert masks.tolist() == [[True, True, True], [True, False, False]]


def test_it_goes_to_the_best_neighbour_even_a_worse_one_and_does_not_go_back_before_the_tenure_is_over():
    start = np.array([True, True, False, False])
    search = Tabu(neighbours=4, tenure=2).search(Problem(4, start=start), np.random.default_rng(0))
    next(search)
    proposal = search.send(losses_of([0.1]))
    assert sorted(_switched(proposal)) == [0, 1, 2, 3]
    proposal, current = _current_after(search, proposal, {0: 0.5, 1: 0.6, 2: 0.3, 3: 0.4})
    assert current == [1, 1, 1, 0]  # worse than .1, but the best there is
    proposal, current = _current_after(search, proposal, {0: 0.5, 1: 0.6, 2: 0.15, 3: 0.4})
    assert current == [1, 1, 1, 1]  # 2 is tabu
    proposal, current = _current_after(search, proposal, {0: 0.5, 1: 0.6, 2: 0.15, 3: 0.2})
    assert current == [0, 1, 1, 1]  # 2 and 3 are tabu
    _, current = _current_after(search, proposal, {0: 0.15, 1: 0.6, 2: 0.3, 3: 0.2})
    assert current == [0, 1, 0, 1]  # 2 is free again after two moves


def test_a_tabu_neighbour_that_is_better_than_anything_so_far_is_gone_to():
    start = np.array([True, True, False, False])
    search = Tabu(neighbours=4, tenure=100).search(Problem(4, start=start), np.random.default_rng(0))
    next(search)
    proposal = search.send(losses_of([0.5]))
    proposal, _ = _current_after(search, proposal, {0: 0.5, 1: 0.6, 2: 0.3, 3: 0.4})
    proposal, current = _current_after(search, proposal, {0: 0.5, 1: 0.6, 2: 0.29, 3: 0.4})
    assert current == [1, 1, 0, 0]
    _, current = _current_after(search, proposal, {0: 0.5, 1: 0.6, 2: 0.29, 3: 0.4})
    assert current == [1, 1, 0, 1]  # equal to the best is not better: 2 stays tabu


def test_where_all_is_tabu_it_goes_to_the_best_all_the_same():
    start = np.array([True, True])
    search = Tabu(neighbours=2, tenure=100).search(Problem(2, start=start), np.random.default_rng(0))
    next(search)
    proposal = search.send(losses_of([0.1]))
    proposal, current = _current_after(search, proposal, {0: 0.5, 1: 0.6})
    assert current == [0, 1]
    # Switching 1 would leave nothing: 0, tabu, is all that is left.
    assert _switched(proposal) == [0]
    _, current = _current_after(search, proposal, {0: 0.5})
    assert current == [1, 1]


def test_a_single_feature_has_no_neighbours():
    search = Tabu().search(Problem(1), np.random.default_rng(0))
    assert next(search).masks[0].tolist() == [True]
    with pytest.raises(StopIteration) as end:
        search.send(losses_of([0.3]))
    assert end.value.value.reason == "there is no other subset"


@pytest.mark.parametrize(
    ("features", "neighbours", "sampled"), [(60, 0, 8), (34, 0, 6), (2400, 0, 49), (5, 9, 5), (60, 9, 9)]
)
def test_a_sample_is_the_root_of_the_number_of_features_or_what_the_setting_says(features, neighbours, sampled):
    assert Tabu(neighbours=neighbours).sampled(features) == sampled


def test_the_presets_of_small_tables_are_the_defaults():
    assert METHODS["tabu"].build({}, features=30) == Tabu()
