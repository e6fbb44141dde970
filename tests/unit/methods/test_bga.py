import numpy as np
import pytest

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.bga import BGA, tournament, uniform, xor


def _generations(method, loss, features=20, seed=0, **more):
    """The proposals of a whole search that hears ``loss(mask, number)``, and why it ended."""
    search = method.search(Problem(features, **more), np.random.default_rng(seed))
    proposals, number = [], 0
    try:
        proposal = next(search)
        while True:
            proposals.append(proposal)
            losses = [loss(mask, number + place) for place, mask in enumerate(proposal.masks)]
            number += len(losses)
            proposal = search.send([Measurement(np.array([value])) for value in losses])
    except StopIteration as end:
        return proposals, end.value.reason


def _size(mask, number):
    return mask.mean()


def test_xor_keeps_the_features_of_just_one_parent():
    mother = np.array([[True, True, False, False]])
    father = np.array([[True, False, True, False]])
    assert xor(mother, father).tolist() == [[False, True, True, False]]


def test_uniform_takes_each_feature_from_either_parent_with_equal_probability():
    mothers = np.tile(np.array([True, True, False, False]), (10_000, 1))
    fathers = np.tile(np.array([True, False, True, False]), (10_000, 1))
    children = uniform(mothers, fathers, np.random.default_rng(0))
    assert children[:, 0].all()
    assert not children[:, 3].any()
    assert children[:, 1:3].mean(axis=0) == pytest.approx(0.5, abs=5 * 0.005)
    assert np.mean(children[:, 1] & children[:, 2]) == pytest.approx(0.25, abs=5 * 0.0043)  # one by one


def test_a_tournament_of_two_lets_the_best_of_four_win_as_often_as_chance_says():
    y = np.array([0.3, 0.1, 0.4, 0.2])
    winners = np.bincount(tournament(y, 2, 40_000, np.random.default_rng(0)), minlength=4) / 40_000
    # With replacement the r-th best of 4 wins with (2 (4 - r) + 1) / 16: 7, 5, 3 and 1 sixteenths.
    assert winners == pytest.approx(np.array([3, 7, 1, 5]) / 16, abs=0.0125)


def test_a_loss_that_could_not_be_measured_wins_no_tournament():
    y = np.array([np.inf, 0.9])
    assert tournament(y, 64, 100, np.random.default_rng(0)).tolist() == [1] * 100


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.8, 1.0])
def test_mutation_switches_each_bit_of_each_child_with_the_probability_that_it_says(probability):
    method = BGA(population=101, elites=1, crossover_probability=0, mutation_probability=probability)
    parents = np.tile(np.arange(1000) % 2 == 0, (101, 1))
    children = method.children(parents, np.zeros(101), np.random.default_rng(0))
    switched = children ^ parents[0]
    assert switched.mean() == pytest.approx(probability, abs=5 * np.sqrt(probability * (1 - probability) / 100_000))
    assert switched[:, parents[0]].mean() == pytest.approx(probability, abs=0.01)  # out as often as in


def test_crossover_happens_as_often_as_its_probability_says():
    method = BGA(population=1000, elites=0, crossover_probability=0.8, mutation_probability=0, crossover="xor")
    parents = np.array([[True, True, False], [False, True, True]])
    rng = np.random.default_rng(0)
    children = np.concatenate([method.children(parents, np.zeros(2), rng) for _ in range(10)])
    # Two parents that differ, half of all pairs, give 101; a parent with itself gives nothing, then one at random.
    assert np.mean((children == [True, False, True]).all(axis=1)) == pytest.approx(0.4, abs=0.025)
    assert children.any(axis=1).all()


def test_an_empty_child_gets_one_feature_at_random():
    method = BGA(population=1000, elites=0, crossover_probability=1, mutation_probability=0, crossover="xor")
    children = method.children(np.ones((1, 3), dtype=np.bool_), np.zeros(1), np.random.default_rng(0))
    assert (children.sum(axis=1) == 1).all()
    assert children.mean(axis=0) == pytest.approx(1 / 3, abs=5 * 0.015)


def test_the_elite_lives_on_unmeasured_and_its_two_best_are_kept():
    method = BGA(population=6, elites=2, max_iterations=3, mutation_probability=0.5)
    search = method.search(Problem(16), np.random.default_rng(0))
    first = next(search)
    y = [0.5, 0.1, 0.4, 0.2, 0.6, 0.3]
    second = search.send([Measurement(np.array([value])) for value in y])
    elite = np.array([first.masks[1], first.masks[3]])
    assert len(second.masks) == 4
    population = np.concatenate([elite, np.array(second.masks)])
    assert second.weights == pytest.approx(population.mean(axis=0))
    # All children worse: the same elite lives on.
    third = search.send([Measurement(np.array([0.9]))] * 4)
    assert third.weights == pytest.approx(np.concatenate([elite, np.array(third.masks)]).mean(axis=0))


def test_an_elite_that_is_measured_again_may_lose_its_place():
    method = BGA(population=4, elites=1, max_iterations=3, remeasure_elites=True)
    search = method.search(Problem(30), np.random.default_rng(0))
    first = next(search)
    second = search.send([Measurement(np.array([value])) for value in (0.4, 0.3, 0.05, 0.5)])
    assert len(second.masks) == 4
    assert second.masks[0].tolist() == first.masks[2].tolist()
    third = search.send([Measurement(np.array([value])) for value in (0.45, 0.4, 0.3, 0.2)])
    assert third.masks[0].tolist() == second.masks[3].tolist()


@pytest.mark.parametrize(("remeasure", "count"), [(False, 30 + 99 * 28), (True, 100 * 30)])
def test_a_whole_search_takes_exactly_the_measurements_that_it_declares(remeasure, count):
    method = BGA(remeasure_elites=remeasure, stall_limit=1000)
    proposals, reason = _generations(method, _size)
    assert sum(len(proposal.masks) for proposal in proposals) == method.measurements(20) == count
    assert [proposal.iteration for proposal in proposals] == list(range(100))
    assert reason == "all 100 generations done"


def test_the_last_place_is_left_for_a_child_however_large_the_elite():
    method = BGA(population=2, elites=1000, max_iterations=5)
    proposals, _ = _generations(method, _size)
    assert [len(proposal.masks) for proposal in proposals] == [2, 1, 1, 1, 1]
    assert method.measurements(20) == 6


def test_it_stalls_when_the_best_has_not_improved_for_more_than_the_limit():
    method = BGA(population=5, stall_limit=7, max_iterations=100)
    proposals, reason = _generations(method, lambda mask, number: 0.2 if number == 5 + 3 + 3 + 1 else 0.5)
    assert proposals[-1].iteration == 3 + 7 + 1  # number 12 is in generation 3: 5 + 3 + 3 are before it
    assert "7 iterations" in reason


def test_a_generation_that_exceeds_the_budget_is_cut():
    proposals, reason = _generations(BGA(), _size, budget=30 + 28 + 11)
    assert [len(proposal.masks) for proposal in proposals] == [30, 28, 11]
    assert "budget" in reason


@pytest.mark.parametrize(
    ("features", "preset", "population", "generations", "stall", "measurements"),
    [(99, "paper, small", 30, 100, 25, 3000), (100, "paper, large", 45, 200, 50, 9000)],
)
def test_presets_are_the_paper_s_table(features, preset, population, generations, stall, measurements):
    entry = METHODS["bga"]
    assert entry.preset_for(features).name == preset
    built = entry.build({}, features=features)
    assert (built.population, built.max_iterations, built.stall_limit) == (population, generations, stall)
    assert (built.elites, built.mutation_probability, built.crossover_probability) == (2, 0.1, 0.8)
    assert (built.tournament, built.crossover) == (2, "xor")
    assert built.measurements(features) <= measurements == population * generations


def test_the_recommended_presets_mix_parents_evenly_within_the_paper_s_budget():
    for preset, budget in (("recommended", 3000), ("recommended, large", 9000)):
        built = METHODS["bga"].build({}, preset=preset)
        assert built.crossover == "uniform"
        assert built.measurements(100) == budget
