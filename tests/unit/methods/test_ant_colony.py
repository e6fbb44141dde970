import numpy as np
import pytest

from fsdesk.methods import Problem
from fsdesk.methods.ant_colony import AntColony, deposit, drawn
from tests.driving import losses_of


def test_the_better_a_subset_the_more_pheromone_it_leaves_on_its_features():
    masks = np.array([[True, True, False], [True, False, True], [False, True, True]])
    # (y_worst - y) / (y_worst - y_best): 1, .75 and 0.
    assert deposit(masks, np.array([0.1, 0.2, 0.5])) == pytest.approx([1.75, 1.0, 0.75])
    assert deposit(masks, np.array([0.2, 0.2, 0.2])).tolist() == [2, 2, 2]


def test_what_could_not_be_measured_leaves_nothing_and_is_not_the_worst_of_the_others():
    masks = np.array([[True, True, False], [True, False, True], [False, True, True]])
    assert deposit(masks, np.array([0.1, np.inf, 0.2])).tolist() == [1, 1, 0]
    assert deposit(masks, np.full(3, np.inf)).tolist() == [1, 1, 1]


def test_features_are_drawn_without_repeats_in_proportion_to_their_attraction():
    rng = np.random.default_rng(0)
    attraction = np.array([1.0, 0.0, 3.0, 4.0])
    first = np.array([drawn(attraction, 2, rng) for _ in range(20_000)])
    assert (first[:, 0] != first[:, 1]).all()
    share = np.bincount(first[:, 0], minlength=4) / 20_000
    assert share == pytest.approx([1 / 8, 0, 3 / 8, 4 / 8], abs=0.018)
    # Drawn second after 3 in proportion to what is left: 1 : 3.
    assert np.mean(first[first[:, 0] == 3, 1] == 2) == pytest.approx(3 / 4, abs=0.022)
    assert sorted(drawn(attraction, 9, rng).tolist()) == [0, 2, 3]


def test_an_ant_keeps_the_share_that_the_setting_says_and_stays_near_the_size_of_the_good_subset():
    good = np.arange(1000) < 400
    rng = np.random.default_rng(0)
    attraction = np.ones(1000)
    built = np.array([AntColony(kept=0.6).built(good, attraction, rng) for _ in range(200)])
    sizes = built.sum(axis=1)
    assert 360 <= sizes.min() < 380 < 420 < sizes.max() <= 440
    # Of 400 features 240 are kept; about 160 of the other 760 places are drawn, 160 of them in the good subset.
    assert built[:, :400].mean() == pytest.approx(0.6 + 0.4 * 160 / 760, abs=0.01)


def test_pheromone_evaporates_and_the_best_subsets_so_far_add_to_it():
    method = AntColony(ants=3, best_ants=2, persistence=0.5)
    search = method.search(Problem(6), np.random.default_rng(0))
    first = next(search)
    assert first.weights.tolist() == [1] * 6
    second = search.send(losses_of([0.3, 0.1, 0.2]))
    # The best two are 1 and 2; they leave 1 and 0.
    pheromone = 0.5 * np.ones(6) + first.masks[1]
    assert second.weights == pytest.approx(pheromone / pheromone.max())
    third = search.send(losses_of([0.4, np.nan, 0.15]))
    # The best two are now 1 of the first and 2 of the second; they leave 1 and 0 again.
    pheromone = 0.5 * pheromone + first.masks[1]
    assert third.weights == pytest.approx(pheromone / pheromone.max())


def test_no_feature_is_ever_out_of_reach():
    search = AntColony(ants=3, persistence=0.0).search(Problem(50), np.random.default_rng(0))
    proposal = next(search)
    for _ in range(10):
        proposal = search.send(losses_of(mask[0] * -0.1 + mask.mean() for mask in proposal.masks))
        assert proposal.weights.min() == pytest.approx(0.01)


def test_a_guide_draws_the_ants_to_the_features_that_it_ranks_high():
    scores = {"f": np.array([-3.0, 10.0, 0.0, 5.0])}
    problem = Problem(4, scores=scores.__getitem__)
    assert AntColony(guide="f").guidance(problem).tolist() == [0.25, 1, 0.5, 0.75]
    assert AntColony(guide="f", guide_power=2).guidance(problem) == pytest.approx([0.0625, 1, 0.25, 0.5625])
    assert AntColony().guidance(problem).tolist() == [1] * 4


def _second_masks(method, **more):
    """What many ants that keep nothing build after the first subset turned out best, and that subset."""
    search = method.search(Problem(60, **more), np.random.default_rng(0))
    first = next(search)
    second = search.send(losses_of([0.1] + [0.5] * (len(first.masks) - 1)))
    return np.array(second.masks), first.masks[0]


def test_ants_add_features_with_pheromone_far_more_often_than_others():
    masks, best = _second_masks(AntColony(ants=300, best_ants=2, kept=0.0, persistence=0.0))
    # 100 times the pheromone of the others: nearly all that an ant has room for, at least nine tenths of a subset.
    assert masks[:, best].mean() > 0.75
    assert masks[:, ~best].mean() < 0.15
    masks, best = _second_masks(AntColony(ants=300, best_ants=2, kept=0.0, persistence=0.0, pheromone_power=0.0))
    assert masks[:, best].mean() == pytest.approx(masks[:, ~best].mean(), abs=0.05)


def test_ants_add_features_that_the_guide_ranks_high_far_more_often_than_others():
    method = AntColony(ants=300, kept=0.0, pheromone_power=0.0, guide="f", guide_power=5.0)
    masks, _ = _second_masks(method, scores=lambda name, resample=-1, folds=0: np.arange(60.0))
    assert masks[:, 45:].mean() > 3 * masks[:, :15].mean()
