import itertools
import math

import numpy as np
import pytest

from fsdesk.methods import Problem
from fsdesk.methods.annealing import Annealing, accepted
from tests.driving import losses_of


def test_a_change_for_the_better_is_always_accepted():
    rng = np.random.default_rng(0)
    assert all(accepted(rise, T, rng) for rise in (-0.1, 0.0, -math.inf) for T in (0.0, 1e-9, 5.0))


def test_a_change_for_the_worse_is_accepted_with_metropolis_probability():
    rng = np.random.default_rng(0)
    share = np.mean([accepted(0.03, 0.02, rng) for _ in range(20_000)])
    assert share == pytest.approx(math.exp(-1.5), abs=5 * math.sqrt(0.2231 * 0.7769 / 20_000))
    assert not any(accepted(rise, T, rng) for rise, T in ((0.1, 0.0), (math.inf, 1.0)))


def test_the_temperature_falls_by_the_same_factor_from_where_a_typical_rise_is_accepted_as_often_as_said():
    method = Annealing(max_iterations=11, first_acceptance=0.3, last_temperature=0.01)
    temperatures = [method.temperature(k, typical=0.02) for k in range(11)]
    assert math.exp(-0.02 / temperatures[0]) == pytest.approx(0.3)
    assert temperatures[10] == pytest.approx(0.01 * temperatures[0])
    ratios = [after / before for before, after in itertools.pairwise(temperatures)]
    assert ratios == pytest.approx([0.01**0.1] * 10)


@pytest.mark.parametrize(("changed", "switched"), [(0.0, 1), (0.05, 2), (0.5, 20), (1.0, 40)])
def test_a_change_switches_so_many_different_features(changed, switched):
    mask = np.arange(40) < 30
    masks = Annealing(changed=changed, neighbours=50).changes(mask, np.random.default_rng(0))
    assert (masks ^ mask).sum(axis=1).tolist() == [switched] * 50


def test_switching_the_only_feature_off_leaves_some_feature_in():
    masks = Annealing(neighbours=200).changes(np.array([True, False]), np.random.default_rng(0))
    assert masks.any(axis=1).all()
    assert len(np.unique(masks, axis=0)) == 3


def test_it_moves_to_the_first_neighbour_that_is_accepted_and_not_to_a_better_one_behind_it():
    search = Annealing(neighbours=3, max_iterations=5).search(Problem(12), np.random.default_rng(0))
    (start,) = next(search).masks
    first = search.send(losses_of([0.5]))
    assert first.weights.tolist() == start.tolist()
    assert first.trace["T"] == 0  # no rise is known yet
    second = search.send(losses_of([0.6, 0.4, 0.3]))
    assert second.weights.tolist() == first.masks[1].tolist()
    # The rise of .1 was the only one: T_1 is what the formula gives for it.
    assert second.trace["T"] == pytest.approx(0.1 / -math.log(0.2) * 0.01 ** (1 / 4))
    third = search.send(losses_of([math.nan, math.inf, math.nan]))
    assert third.weights.tolist() == second.weights.tolist()
    assert third.trace["T"] == pytest.approx(0.1 / -math.log(0.2) * 0.01 ** (2 / 4))
