"""What the searches along a slope share: their measurements, stall, start, folds, and that they find what is there."""

import numpy as np
import pytest

from fsdesk.methods import METHODS, Problem
from tests.driving import Signs, drive, loss_of, noisy, planted_loss, proposes


@pytest.mark.parametrize(
    ("name", "first", "further"),
    [("bspsa", 2, 3), ("cspsa", 2, 3), ("fdsa", 16, 17), ("spsa2", 4, 5)],
)
def test_a_run_to_its_end_takes_just_as_many_measurements_as_it_announced(name, first, further):
    """In the first iteration the pushes alone, then each w with those around it, and the last w at the end."""
    method = METHODS[name].build({"max_iterations": 12, "stall_limit": 100})
    proposals, end = drive(method.search(Problem(8), np.random.default_rng(0)), noisy)
    assert [len(proposal.masks) for proposal in proposals] == [first, *[further] * 11, 1]
    assert [sum(proposal.candidates) for proposal in proposals] == [0, *[1] * 12]
    assert method.measurements(8) == 12 * further
    assert end.reason == "all 12 iterations done"


@pytest.mark.parametrize(("name", "features"), [("bspsa", 5), ("cspsa", 5), ("fdsa", 3), ("fdsa", 700), ("spsa2", 5)])
def test_it_stalls_when_the_best_has_not_improved_for_more_than_the_limit(name, features):
    method = METHODS[name].build({"max_iterations": 100, "stall_limit": 7})
    search = method.search(Problem(features), np.random.default_rng(0))
    proposal = next(search)
    with pytest.raises(StopIteration) as end:
        while True:
            iteration = proposal.iteration
            proposal = search.send([loss_of(0.2 if iteration == 3 else 0.5)] * len(proposal.masks))
    assert iteration == 3 + 7 + 1
    assert "7 iterations" in end.value.value.reason


@pytest.mark.parametrize("name", ["bspsa", "cspsa", "spsa2", "spsa-bb"])
def test_a_given_start_is_where_w_begins_and_every_push_still_turns_every_feature_over(name):
    start = np.array([True, False, True])
    search = METHODS[name].build({}).search(Problem(3, start=start), Signs(*[[1, 1, 0]] * 4))
    first = next(search)
    assert ((first.weights >= 0.5) == start).all()
    assert [mask.tolist() for mask in first.masks[:2]] == [[True, True, False], [False, False, True]]


@pytest.mark.parametrize("name", ["bspsa", "fdsa", "spsa2", "spsa-bb"])
@pytest.mark.parametrize(("shared", "folds"), [(True, "shared"), (False, "fresh")])
def test_all_subsets_of_a_step_are_measured_on_the_same_folds_where_that_is_asked_for(name, shared, folds):
    method = METHODS[name].build({"max_iterations": 3, "shared_folds": shared})
    proposals, _ = drive(method.search(Problem(4), np.random.default_rng(0)), noisy)
    assert {proposal.folds for proposal in proposals[:-1]} == {folds}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("name", "step", "settings"),
    [
        ("bspsa", 0.002, {"max_iterations": 400, "stall_limit": 400}),
        ("bspsa", 0.002, {"shared_folds": True, "gradients": 4, "noise": 0.01, "n_finalists": 5}),
        ("cspsa", 0.002, {"max_iterations": 600, "stall_limit": 600, "c": 0.1, "A": 100}),  # pushes that stay wide
        ("fdsa", 0.002, {}),
        ("spsa2", 0.002, {"full_up_to": 0}),
        ("spsa2", 0.002, {"full_up_to": 100}),
        ("spsa-bb", 0.002, {"max_iterations": 150}),
        ("spsa-bb", 0.03, {"max_iterations": 150}),  # whatever the scale of the losses
    ],
)
def test_it_finds_a_planted_subset(name, step, settings, seed):
    answer = np.arange(20) % 3 == 0
    method = METHODS[name].build(settings, features=20)
    proposals, end = drive(method.search(Problem(20), np.random.default_rng(seed)), planted_loss(answer, step))
    assert proposes(proposals, answer)
    assert end.mask is None or np.array_equal(end.mask, answer)
