import numpy as np
import pytest

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.ranking import ladder


def _driven(scores, loss, budget=10**9, **values):
    """Proposals and the end of a ranking that hears ``loss(size, proposal)``."""
    asked = []

    def scores_of(name):
        asked.append(name)
        return np.asarray(scores, dtype=np.float64)

    method = METHODS["ranking"].build(values)
    problem = Problem(len(scores), budget=budget, scores=scores_of)
    search = method.search(problem, np.random.default_rng(0))
    proposals = []
    try:
        proposal = next(search)
        while True:
            proposals.append(proposal)
            means = [loss(int(mask.sum()), proposal) for mask in proposal.masks]
            proposal = search.send([Measurement(np.array([float(mean)])) for mean in means])
    except StopIteration as end:
        assert asked == [values.get("score", "f")]
        assert sum(len(proposal.masks) for proposal in proposals) <= min(budget, method.measurements(len(scores)))
        return proposals, end.value


def _sizes(proposals):
    return [[int(mask.sum()) for mask in proposal.masks] for proposal in proposals]


@pytest.mark.parametrize(
    ("low", "high", "sizes"),
    [
        (1, 1, [1]),
        (1, 2, [1, 2]),
        (1, 20, [1, 2, 4, 8, 16, 20]),
        (1, 16, [1, 2, 4, 8, 16]),
        (3, 9, [3, 4, 8, 9]),
        (5, 5, [5]),
        (5, 6, [5, 6]),
    ],
)
def test_the_ladder_doubles_between_its_ends(low, high, sizes):
    assert ladder(low, high) == sizes


def test_features_are_taken_by_score_and_of_equal_ones_the_earlier_first():
    proposals, _ = _driven([1.0, 5.0, 1.0, 9.0], lambda size, _: 0.3, refinements=0, confirmations=0)
    taken = [np.flatnonzero(mask).tolist() for mask in proposals[0].masks]
    assert taken == [[3], [1, 3], [0, 1, 2, 3]]
    assert proposals[0].weights.tolist() == [0.5, 0.75, 0.25, 1.0]


def test_the_gap_around_the_best_size_is_halved_until_it_is_closed():
    proposals, end = _driven(np.arange(100), lambda size, _: abs(size - 22), confirmations=0)
    # Best 16 of 8, 16, 32: 12 and 24. Best 24 of 16, 24, 32: 20 and 28. Best 20, as good as 24 and smaller: 18 and 22.
    assert _sizes(proposals) == [[1, 2, 4, 8, 16, 32, 64, 100], [12, 24], [20, 28], [18, 22], [21, 23]]
    assert all(proposal.folds == 0 for proposal in proposals)
    assert end.mask.sum() == 22
    assert end.mask[-22:].all()
    assert end.reason == "16 sizes measured"


def test_a_single_size_is_one():
    _, end = _driven(np.arange(8), lambda size, _: 0.5, min_size=3, max_size=3)
    assert end.reason == "one size measured"


def test_the_number_of_refinements_is_a_setting():
    proposals, _ = _driven(np.arange(100), lambda size, _: abs(size - 22), confirmations=0, refinements=1)
    assert len(proposals) == 2


def test_every_size_is_confirmed_on_new_shared_folds_which_choose_with_ties_to_fewer_features():
    def loss(size, proposal):
        return (0.2 if size in (2, 8) else 0.4) if proposal.confirms else 0.1 * (size != 4)

    proposals, end = _driven(np.arange(8), loss, refinements=0, confirmations=2)
    assert _sizes(proposals) == [[1, 2, 4, 8]] * 3
    assert [proposal.folds for proposal in proposals] == [0, "shared", "shared"]
    assert [proposal.confirms for proposal in proposals] == [False, True, True]
    assert (end.mask.sum(), end.mean) == (2, 0.2)


def test_sizes_keep_within_the_limits():
    proposals, end = _driven(np.arange(50), lambda size, _: size, min_size=5, max_size=20, confirmations=1)
    assert {size for sizes in _sizes(proposals) for size in sizes} <= set(range(5, 21))
    assert end.mask.sum() == 5


# With 40, two more sizes leave just three confirmations of ten subsets; two more after these would not.
@pytest.mark.parametrize(
    ("budget", "sizes", "confirmations"),
    [(1, 1, 0), (3, 3, 0), (8, 8, 0), (9, 8, 0), (12, 8, 0), (16, 8, 1), (39, 8, 3), (40, 10, 3)],
)
def test_a_small_budget_leaves_out_refinements_and_confirmations_first(budget, sizes, confirmations):
    proposals, end = _driven(np.arange(100), lambda size, _: abs(size - 22), budget=budget)
    assert _sizes(proposals)[0] == [1, 2, 4, 8, 16, 32, 64, 100][:budget]
    assert sum(len(proposal.masks) for proposal in proposals if not proposal.confirms) == sizes
    assert [len(proposal.masks) for proposal in proposals if proposal.confirms] == [sizes] * confirmations
    assert end.mask is not None


@pytest.mark.parametrize("name", ["mutual information", "relieff"])
def test_the_score_is_a_setting(name):
    _driven([1.0, 2.0], lambda size, _: 0.1, score=name)


@pytest.mark.parametrize("more", [False, True])
def test_when_it_is_late_the_sizes_so_far_are_confirmed_and_more_time_brings_further_ones(more):
    problem = Problem(100, most_seconds=100.0, scores=lambda name, resample=-1, folds=0: np.arange(100.0))
    search = METHODS["ranking"].build({"confirmations": 1}).search(problem, np.random.default_rng(0))

    def losses(proposal):
        return [Measurement(np.array([abs(mask.sum() - 22.0)])) for mask in proposal.masks]

    first = next(search)
    problem.seconds = 90.0
    confirmed = search.send(losses(first))
    assert confirmed.confirms
    if more:
        problem.extend(0, 0, 5.0)
        assert sorted(int(mask.sum()) for mask in search.send(losses(confirmed)).masks) == [12, 24]
    else:
        with pytest.raises(StopIteration) as stop:
            search.send(losses(confirmed))
        assert "time was nearly up" in stop.value.value.reason
        assert stop.value.value.mask.sum() == 16
