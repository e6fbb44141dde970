import numpy as np
import pytest

from fsdesk.methods import METHODS, Problem
from fsdesk.methods.bspsa import BSPSA
from fsdesk.methods.cspsa import CSPSA
from tests.driving import Signs, drive, loss_of, noisy


def test_two_steps_by_hand():
    search = CSPSA().search(Problem(3), Signs([1, 0, 1], [0, 0, 1], [1, 1, 1]))
    first = next(search)
    assert [mask.tolist() for mask in first.masks] == [[True, False, True], [False, True, False]]
    assert first.trace == {"a_k": 0.75, "c_k": 0.01}
    second = search.send([loss_of(0.300), loss_of(0.298)])
    # g_0 = .002 / (2 * .01) (1, -1, 1) = (.1, -.1, .1); a_0 = .75 / 1^.6.
    assert second.weights == pytest.approx([0.425, 0.575, 0.425], abs=1e-12)
    assert second.masks[0].tolist() == [False, True, False]
    assert second.trace["a_k"] == pytest.approx(0.75 / 2**0.6)
    assert second.trace["c_k"] == pytest.approx(0.01 / 2**0.1)
    third = search.send([loss_of(0.3), loss_of(0.300), loss_of(0.301)])
    step = 0.75 / 2**0.6 * (-0.001 / (2 * 0.01 / 2**0.1))
    assert third.weights == pytest.approx([0.425 + step, 0.575 + step, 0.425 - step], abs=1e-12)


def test_a_constant_c_makes_it_the_very_search_of_bspsa():
    values = {"max_iterations": 60, "stall_limit": 60, "a": 0.75, "A": 100.0, "c": 0.05}
    masks = [
        [
            mask.tolist()
            for proposal in drive(method.search(Problem(20), np.random.default_rng(5)), noisy)[0]
            for mask in proposal.masks
        ]
        for method in (CSPSA(gamma=0.0, **values), BSPSA(**values))
    ]
    assert masks[0] == masks[1]
    assert len(masks[0]) == 180


def test_with_the_paper_s_values_w_saturates_and_pushes_change_no_subset_any_more():
    """science: the stall of CSPSA in the paper's tables."""
    proposals, end = drive(
        CSPSA().search(Problem(12), np.random.default_rng(0)), lambda mask, number: 0.3 - 0.02 * mask[0]
    )
    assert set(proposals[2].weights) == {0.0, 1.0}
    assert all(np.array_equal(proposals[-1].masks[0], mask) for mask in proposals[-1].masks)
    assert "more than 250 iterations" in end.reason


@pytest.mark.parametrize(
    ("features", "preset", "iterations", "stall"), [(99, "small", 1000, 250), (100, "large", 3000, 750)]
)
def test_presets_are_the_paper_s_table(features, preset, iterations, stall):
    entry = METHODS["cspsa"]
    assert entry.preset_for(features).name == f"paper, {preset}"
    built = entry.build({}, features=features)
    assert (built.max_iterations, built.stall_limit) == (iterations, stall)
    assert (built.c, built.a, built.A, built.alpha, built.gamma) == (0.01, 0.75, 0.0, 0.6, 0.1)


def test_a_loss_that_could_not_be_measured_moves_nothing():
    search = CSPSA().search(Problem(3), np.random.default_rng(0))
    next(search)
    assert search.send([loss_of(float("inf")), loss_of(0.2)]).weights.tolist() == [0.5, 0.5, 0.5]
