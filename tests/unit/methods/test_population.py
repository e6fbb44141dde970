"""What the metaheuristics share, and what all of them promise beyond the contract of every method."""

import numpy as np
import pytest

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.population import Ledger, filled, first_masks
from tests.driving import drive, noisy

NAMES = ["annealing", "ants", "bga", "swarm", "tabu"]
FEATURES = 40


@pytest.mark.parametrize(
    ("name", "settings", "taken", "reason"),
    [
        ("annealing", {"neighbours": 3, "max_iterations": 40}, 1 + 40 * 3, "all 40 temperatures done"),
        ("ants", {"ants": 7, "max_iterations": 20}, 140, "all 20 iterations done"),
        ("swarm", {"particles": 7, "max_iterations": 20}, 140, "all 20 iterations done"),
        ("tabu", {"max_iterations": 30}, 1 + 30 * 6, "all 30 moves done"),
    ],
)
def test_a_whole_search_takes_exactly_the_measurements_that_it_declares(name, settings, taken, reason):
    method = METHODS[name].build({**settings, "stall_limit": 1000})
    start = np.arange(30) < 28  # far from a subset of one feature, which has a neighbour less
    search = method.search(Problem(30, start=start), np.random.default_rng(0))
    proposals, end = drive(search, lambda mask, number: 1 - mask.mean())
    assert sum(len(proposal.masks) for proposal in proposals) == method.measurements(30) == taken
    assert end.reason == reason


@pytest.mark.parametrize(
    ("name", "small", "large"), [("annealing", 3001, 9001), ("ants", 3000, 9000), ("swarm", 3000, 9000)]
)
def test_presets_suit_by_the_number_of_features_and_take_about_the_paper_s_budget(name, small, large):
    entry = METHODS[name]
    assert [entry.preset_for(features).name for features in (99, 100)] == ["small", "large"]
    assert [entry.build({}, features=features).budget(features) for features in (99, 100)] == [small, large]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("budget", [1, 17, 64])
def test_a_budget_smaller_than_a_generation_is_used_to_its_last_measurement(name, budget):
    method = METHODS[name].build({}, features=FEATURES)
    proposals, _ = drive(method.search(Problem(FEATURES, budget=budget), np.random.default_rng(0)), noisy)
    assert sum(len(proposal.masks) for proposal in proposals) == budget


@pytest.mark.parametrize("name", NAMES)
def test_the_start_is_the_first_mask_measured(name):
    start = np.zeros(FEATURES, dtype=np.bool_)
    start[[3, 30]] = True
    method = METHODS[name].build({}, features=FEATURES)
    proposal = next(method.search(Problem(FEATURES, start=start), np.random.default_rng(0)))
    assert proposal.masks[0].tolist() == start.tolist()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("loss", [np.nan, np.inf])
def test_losses_that_never_could_be_measured_end_in_a_stall(name, loss):
    method = METHODS[name].build({"stall_limit": 5}, features=FEATURES)
    search = method.search(Problem(FEATURES), np.random.default_rng(0))
    proposal = next(search)
    with pytest.raises(StopIteration) as end:
        while True:
            assert np.isfinite(proposal.weights).all()
            proposal = search.send([Measurement(np.array([loss]))] * len(proposal.masks))
    assert end.value.value.reason == "no better subset for more than 5 iterations"
    assert proposal.iteration == 5 + 1


@pytest.mark.parametrize("name", NAMES)
def test_every_mask_may_be_the_answer_and_a_proposal_keeps_several_cores_busy(name):
    method = METHODS[name].build({}, features=FEATURES)
    search = method.search(Problem(FEATURES), np.random.default_rng(0))
    proposal = next(search)
    for _ in range(5):
        assert all(proposal.candidates)
        proposal = search.send([Measurement(np.array([0.3]))] * len(proposal.masks))
        assert len(proposal.masks) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_tables_of_22283_features_need_little_memory(name):
    import tracemalloc

    method = METHODS[name].build({}, features=22_283)
    tracemalloc.start()
    search = method.search(Problem(22_283), np.random.default_rng(0))
    proposal = next(search)
    for _ in range(3):
        proposal = search.send([Measurement(np.array([0.3]))] * len(proposal.masks))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 22_283**2 / 4  # bytes: a quarter of one byte for each pair of features


def test_filled_turns_on_one_feature_in_empty_rows_only_and_leaves_its_input_alone():
    masks = np.array([[False, False, False], [True, False, True], [False, False, False]])
    whole = filled(masks, np.random.default_rng(0))
    assert whole.sum(axis=1).tolist() == [1, 2, 1]
    assert whole[1].tolist() == [True, False, True]
    assert masks.sum() == 2


def test_first_masks_have_half_of_the_features_and_none_is_empty():
    masks = first_masks(Problem(1000), 200, np.random.default_rng(0))
    assert masks.mean() == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(masks.size))
    assert first_masks(Problem(1), 200, np.random.default_rng(0)).all()


def test_the_ledger_hears_what_is_not_finite_as_the_worst_and_cuts_at_the_budget():
    ledger = Ledger(Problem(3, budget=4))
    asking = ledger.measure(np.ones((6, 3), dtype=np.bool_), 2, np.full(3, 0.5))
    proposal = next(asking)
    assert len(proposal.masks) == len(proposal.candidates) == 4
    with pytest.raises(StopIteration) as heard:
        asking.send([Measurement(np.array([loss])) for loss in (0.4, np.nan, 0.2, np.inf)])
    assert heard.value.value.tolist() == [0.4, np.inf, 0.2, np.inf, np.inf, np.inf]
    assert (ledger.best, ledger.best_iteration, ledger.left) == (0.2, 2, 0)
    assert ledger.end(stall_limit=9).reason == "the budget of measurements is used up"
