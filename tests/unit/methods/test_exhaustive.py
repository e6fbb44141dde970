import numpy as np
import pytest

from fsdesk.errors import SettingsError
from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem


def _driven(features, loss, budget=10**9, **values):
    """Proposals and the end of a search that hears ``loss(mask, proposal)``."""
    method = METHODS["exhaustive"].build(values)
    search = method.search(Problem(features, budget=budget), np.random.default_rng(0))
    proposals = []
    try:
        proposal = next(search)
        while True:
            proposals.append(proposal)
            means = [loss(mask, proposal) for mask in proposal.masks]
            proposal = search.send([Measurement(np.array([mean])) for mean in means])
    except StopIteration as end:
        taken = sum(len(proposal.masks) for proposal in proposals)
        assert taken <= min(budget, method.measurements(features))
        return proposals, end.value


def _codes(proposals, features):
    return [int(mask @ 2 ** np.arange(features)) for proposal in proposals for mask in proposal.masks]


def test_every_subset_is_measured_once_on_the_same_folds_small_ones_first():
    proposals, end = _driven(10, lambda mask, _: 0.5)
    codes = _codes(proposals, 10)
    assert sorted(codes) == list(range(1, 1024))
    sizes = [code.bit_count() for code in codes]
    assert sizes == sorted(sizes)
    assert all(proposal.folds == 0 and all(proposal.candidates) for proposal in proposals)
    assert end.reason == "every subset measured"
    assert METHODS["exhaustive"].build({}).measurements(10) == 1023


@pytest.mark.parametrize(
    ("preset", "most"), [("up to 2 features", 1447), ("up to 3 features", 184), ("up to 4 features", 71)]
)
def test_the_widest_table_of_a_preset_is_the_widest_that_it_can_search(preset, most):
    method = METHODS["exhaustive"].build({}, preset=preset)
    next(method.search(Problem(most), np.random.default_rng(0)))
    _, end = _driven(8, lambda mask, _: 0.5, max_size=method.max_size)
    assert end.reason == f"every subset of at most {method.max_size} features measured"
    with pytest.raises(SettingsError, match="subsets"):
        next(method.search(Problem(most + 1), np.random.default_rng(0)))


@pytest.mark.parametrize(("low", "high", "words"), [(3, 3, "of 3 features"), (2, 3, "of 2 to 3 features")])
def test_it_says_which_sizes_it_went_through(low, high, words):
    proposals, end = _driven(6, lambda mask, _: 0.5, min_size=low, max_size=high)
    assert {int(mask.sum()) for proposal in proposals for mask in proposal.masks} == set(range(low, high + 1))
    assert end.reason == f"every subset {words} measured"


def test_it_finds_a_pair_that_is_worthless_one_by_one():
    def xor(mask, _):
        return 0.01 if mask[3] and mask[7] and mask.sum() == 2 else 0.5 + 0.01 * mask[3] + 0.01 * mask[7]

    _, end = _driven(9, xor)
    assert np.flatnonzero(end.mask).tolist() == [3, 7]
    assert end.mean == 0.01


def test_of_equal_subsets_the_one_with_fewer_features_wins():
    _, end = _driven(6, lambda mask, _: 0.5 - 0.3 * mask[2])
    assert np.flatnonzero(end.mask).tolist() == [2]


def test_proposals_are_slices():
    proposals, _ = _driven(12, lambda mask, _: 0.5)
    # C(12, 6) = 924 takes two slices of at most 512.
    assert [len(proposal.masks) for proposal in proposals if proposal.iteration == 6] == [512, 412]


@pytest.mark.parametrize(("features", "values"), [(21, {}), (22_283, {}), (200, {"max_size": 4})])
def test_too_many_subsets_are_refused_with_one_sentence_before_anything_is_measured(features, values):
    method = METHODS["exhaustive"].build(values)
    with pytest.raises(SettingsError, match=rf"at most 1,048,575 subsets, and {features} features have more\. .*\.$"):
        next(method.search(Problem(features), np.random.default_rng(0)))


def test_limits_on_the_size_open_it_to_wider_tables():
    proposals, end = _driven(40, lambda mask, _: 0.5 - 0.2 * mask[38] - 0.2 * mask[39], max_size=2)
    assert len(_codes(proposals, 40)) == 40 + 40 * 39 // 2
    assert np.flatnonzero(end.mask).tolist() == [38, 39]
    assert METHODS["exhaustive"].build({"max_size": 2}).measurements(40) == 820


def test_twenty_features_are_allowed():
    method = METHODS["exhaustive"].build({})
    assert method.measurements(20) == 2**20 - 1
    assert len(next(method.search(Problem(20), np.random.default_rng(0))).masks) == 20


def test_a_budget_ends_it_among_the_small_subsets():
    proposals, end = _driven(8, lambda mask, _: 0.5, budget=20)
    assert [len(proposal.masks) for proposal in proposals] == [8, 12]
    assert end.reason == "the budget of 20 measurements is used up"


def test_the_best_of_each_size_can_be_confirmed():
    def loss(mask, proposal):
        return 0.1 * mask.sum() if proposal.confirms else 0.5 - 0.1 * mask.sum()

    proposals, end = _driven(3, loss, confirmations=2)
    finals = [[int(mask.sum()) for mask in proposal.masks] for proposal in proposals if proposal.confirms]
    assert finals == [[1, 2, 3]] * 2
    assert (end.mask.sum(), end.mean) == (1, pytest.approx(0.1))
