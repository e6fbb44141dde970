"""The planted problems themselves: their answers are the best there are, and their noise is that of their folds."""

from itertools import combinations

import numpy as np
import pytest

from fsdesk import Evaluator
from fsdesk.methods import METHODS
from fsdesk.results import benchmark as tables
from tests.planted import additive, needles, redundant, searched, xor

SMALL = {
    "additive": additive(features=10, relevant=3),
    "redundant": redundant(features=9, pairs=2),
    "xor": xor(features=9, pairs=2),
    "needles": needles(features=12, relevant=3),
}


def _all_masks(features):
    for size in range(1, features + 1):
        for places in combinations(range(features), size):
            mask = np.zeros(features, dtype=bool)
            mask[list(places)] = True
            yield mask


@pytest.mark.parametrize("name", SMALL)
def test_of_all_subsets_those_that_the_problem_calls_its_answer_have_the_smallest_loss(name):
    problem = SMALL[name]
    losses = {mask.tobytes(): problem.loss(mask) for mask in _all_masks(problem.features)}
    smallest = min(losses.values())
    best = [np.frombuffer(key, dtype=bool) for key, loss in losses.items() if loss <= smallest + 1e-12]
    assert all(problem.missed(mask) == 0 and problem.idle(mask) == 0 for mask in best)
    assert len(best) == np.prod([len(group) for group in problem.groups])


def test_masks_on_the_same_folds_share_a_part_of_their_noise_and_a_repeated_question_gets_the_same_answer():
    problem = additive(noise=0.1)
    first, second = np.arange(40) < 20, np.arange(40) >= 20
    noise = np.array(
        [[problem.measured(mask, folds).mean - problem.loss(mask) for mask in (first, second)] for folds in range(2000)]
    )
    assert np.corrcoef(noise.T)[0, 1] == pytest.approx(0.5, abs=0.06)
    assert noise.std() == pytest.approx(0.1, rel=0.05)
    assert problem.measured(first, 3).mean == problem.measured(first, 3).mean


def test_only_together_do_the_features_of_an_xor_pair_tell_the_class():
    data = tables.mixed().dataset
    evaluator = Evaluator(data, "nn")

    def error(*places):
        return evaluator.measure(np.isin(np.arange(len(data.features)), places)).mean

    assert error(3) > 0.4
    assert error(4) > 0.4
    assert error(3, 4) < 0.05
    assert error(0) == pytest.approx(error(2), abs=0.03)


def test_a_search_that_asks_for_more_than_its_budget_is_told():
    method = METHODS["random"].build({"max_iterations": 50})
    problem = additive()
    with pytest.raises(AssertionError, match="allowed"):
        # The method is told of a larger budget than the one that is counted.
        searched(method, problem, budget=10, told=1000)
