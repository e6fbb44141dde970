import numpy as np
import pytest

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem


def _driven(losses, **values):
    search = METHODS["full"].build(values).search(Problem(3), np.random.default_rng(0))
    proposals, answers = [], iter(losses)
    try:
        proposal = next(search)
        while True:
            proposals.append(proposal)
            proposal = search.send([next(answers) for _ in proposal.masks])
    except StopIteration as end:
        return proposals, end.value


def test_all_features_are_measured_on_fresh_folds_and_the_mean_is_the_answer():
    losses = [Measurement(np.array([mean])) for mean in (0.1, 0.2, 0.6)]
    proposals, end = _driven(losses, times=3)
    assert [(np.array(each.masks).tolist(), each.folds) for each in proposals] == [([[True] * 3] * 3, "fresh")]
    assert end.mask.tolist() == [True] * 3
    assert end.mean == pytest.approx(0.3)
    # Deviations -.2, -.1, .3: variance .14 / 2 = .07, standard error sqrt(.07 / 3).
    assert end.std_error == pytest.approx(np.sqrt(0.07 / 3))


def test_a_single_measurement_keeps_its_own_standard_error():
    _, end = _driven([Measurement(np.array([0.1, 0.3]))], times=1)
    assert (end.mean, end.std_error) == (pytest.approx(0.2), pytest.approx(0.1))
    assert end.reason == "all features measured once"


def test_it_takes_as_many_measurements_as_it_says():
    assert METHODS["full"].build({"times": 7}).measurements(1000) == 7


def test_measurements_are_asked_for_together_and_not_too_many_at_once():
    losses = [Measurement(np.array([0.1]))] * 25
    proposals, end = _driven(losses, times=25)
    assert [len(proposal.masks) for proposal in proposals] == [10, 10, 5]
    assert [proposal.iteration for proposal in proposals] == [0, 10, 20]
    assert end.reason == "all features measured 25 times"
