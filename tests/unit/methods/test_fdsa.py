import numpy as np
import pytest

from fsdesk.methods import Problem
from fsdesk.methods.fdsa import FDSA
from tests.driving import drive, loss_of


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


def test_a_given_start_is_where_w_begins_and_each_push_turns_its_own_feature_over():
    start = np.array([True, False, True])
    first = next(FDSA().search(Problem(3, start=start), np.random.default_rng(0)))
    assert [(mask != start).tolist() for mask in first.masks] == [
        *([False, False, False], [True, False, False]),
        *([False, True, False], [False, False, False]),
        *([False, False, False], [False, False, True]),
    ]
