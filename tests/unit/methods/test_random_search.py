import numpy as np
import pytest

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem


def _masks(features, budget=10**9, seed=0, **values):
    """All masks of a run, the sizes of its proposals, and its end."""
    search = METHODS["random"].build(values).search(Problem(features, budget=budget), np.random.default_rng(seed))
    masks, batches = [], []
    try:
        proposal = next(search)
        while True:
            assert all(proposal.candidates)
            masks += list(proposal.masks)
            batches.append(len(proposal.masks))
            proposal = search.send([Measurement(np.array([0.5]))] * len(proposal.masks))
    except StopIteration as end:
        return np.array(masks), batches, end.value


def test_a_coin_for_each_feature_makes_every_subset_but_the_empty_one_equally_likely():
    masks, _, _ = _masks(2, max_iterations=3000)
    counts = np.bincount(masks @ np.array([1, 2]), minlength=4)
    assert counts[0] == 0
    # Binomial(3000, 1/3): mean 1000, standard deviation 26; five of them.
    assert np.abs(counts[1:] - 1000).max() < 130


def test_drawn_by_size_every_size_and_every_feature_is_equally_likely():
    masks, _, _ = _masks(5, max_iterations=5000, draw="size")
    sizes = np.bincount(masks.sum(axis=1), minlength=6)
    assert sizes[0] == 0
    assert np.abs(sizes[1:] - 1000).max() < 5 * np.sqrt(5000 * 0.2 * 0.8)
    # A feature is in with probability (1 + 2 + 3 + 4 + 5) / 25 = .6.
    assert np.abs(masks.sum(axis=0) - 3000).max() < 5 * np.sqrt(5000 * 0.6 * 0.4)


def test_it_draws_exactly_as_many_as_asked_or_allowed_in_batches():
    masks, batches, end = _masks(6, max_iterations=50)
    assert (len(masks), batches) == (50, [16, 16, 16, 2])
    assert end.reason == "all 50 subsets measured"
    assert end.mask is None  # the smallest measurement is the answer: what luck finds, with its luck
    assert len(_masks(6, budget=21, max_iterations=50)[0]) == 21


@pytest.mark.parametrize(("features", "subsets"), [(99, 3000), (100, 9000)])
def test_its_budget_is_that_of_the_paper_s_searches(features, subsets):
    assert METHODS["random"].build({}, features=features).measurements(features) == subsets


def test_it_stalls_where_asked_to():
    _, batches, end = _masks(
        12, max_iterations=3000, stall_limit=100
    )  # all losses are equal: the first one is the best
    assert 100 < sum(batches) <= 117
    assert end.reason == "no better subset for more than 100 measurements"
