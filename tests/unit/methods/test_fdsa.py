import numpy as np
import pytest

from fsdesk.methods import METHODS, Problem
from fsdesk.methods.fdsa import FDSA
from tests.driving import drive, loss_of, noisy, planted_loss, proposes


def test_the_first_step_by_hand():
    search = FDSA(a=0.6, A=0.0, c=0.05).search(Problem(3), np.random.default_rng(0))
    first = next(search)
    full = [True, True, True]
    assert [mask.tolist() for mask in first.masks] == [
        *(full, [False, True, True]),
        *(full, [True, False, True]),
        *(full, [True, True, False]),
    ]
    assert first.candidates == (False,) * 6
    second = search.send([loss_of(value) for value in (0.30, 0.28, 0.30, 0.31, 0.30, float("inf"))])
    # g = (.02, -.01, 0 for it could not be measured) / .1; a_0 = .6.
    assert second.weights == pytest.approx([0.5 - 0.6 * 0.2, 0.5 + 0.6 * 0.1, 0.5])
    assert second.masks[0].tolist() == [False, True, True]
    assert second.candidates == (True, *[False] * 6)
    assert second.trace["a_k"] == pytest.approx(0.6 / 2**0.6)


def test_a_run_to_its_end_takes_two_measurements_for_each_feature_and_one_an_iteration():
    method = FDSA(max_iterations=7, stall_limit=100)
    proposals, end = drive(
        method.search(Problem(6), np.random.default_rng(0)), lambda mask, number: 0.5 - 0.01 * mask[0]
    )
    assert [len(proposal.masks) for proposal in proposals] == [12, *[13] * 6, 1]
    assert sum(len(proposal.masks) for proposal in proposals) == 7 * 13 == method.measurements(6)
    assert end.reason == "all 7 iterations done"


def test_the_pairs_of_a_large_table_are_asked_in_parts_and_give_one_step():
    worth = np.linspace(-1.0, 1.0, 1201)
    method = FDSA(max_iterations=2, stall_limit=100, a=0.01, A=0.0)
    proposals, _ = drive(
        method.search(Problem(1201), np.random.default_rng(0)),
        lambda mask, number: 0.5 - float(worth[mask].sum()) / 100,
    )
    assert [proposal.iteration for proposal in proposals] == [0, 0, 0, 1, 1, 1, 2]
    assert sum(len(proposal.masks) for proposal in proposals) == 2 * 2403 == method.measurements(1201)
    assert all(np.array_equal(proposal.weights, proposals[3].weights) for proposal in proposals[3:6])
    assert proposals[3].weights == pytest.approx(0.5 + 0.01 * worth / 100 / 0.1)


@pytest.mark.parametrize("features", [3, 700])
def test_it_stalls_when_the_best_has_not_improved_for_more_than_the_limit(features):
    proposals, end = drive(
        FDSA(stall_limit=4).search(Problem(features), np.random.default_rng(0)), lambda mask, number: 0.3
    )
    assert proposals[-1].iteration == 1 + 4 + 1  # y(w_1) was the best
    assert "4 iterations" in end.reason


@pytest.mark.parametrize("features", [1, 5, 34])
def test_it_finds_a_planted_subset_of_few_features(features):
    answer = np.arange(features) % 3 == 0
    proposals, _ = drive(
        METHODS["fdsa"].build({}, features=features).search(Problem(features), np.random.default_rng(0)),
        planted_loss(answer, 0.005),
    )
    assert proposes(proposals, answer)


def test_common_random_numbers_put_all_subsets_of_a_step_on_the_same_folds():
    kinds = [
        {p.folds for p in drive(FDSA(shared_folds=shared).search(Problem(3), np.random.default_rng(0)), noisy)[0][:-1]}
        for shared in (False, True)
    ]
    assert kinds == [{"fresh"}, {"shared"}]


def test_a_given_start_is_where_w_begins_and_each_push_turns_its_own_feature_over():
    start = np.array([True, False, True])
    first = next(FDSA().search(Problem(3, start=start), np.random.default_rng(0)))
    assert [(mask != start).tolist() for mask in first.masks] == [
        *([False, False, False], [True, False, False]),
        *([False, True, False], [False, False, False]),
        *([False, False, False], [False, False, True]),
    ]
