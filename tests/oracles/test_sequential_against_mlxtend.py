"""The sequential methods go the way of mlxtend's SequentialFeatureSelector, probe by probe, on the same scorer.

Where mlxtend differs, and why it does not show here:

- of equal scores it takes the first in the order of a Python set: the lowest index to add, the highest to remove, as we
  do, but only while the set happens to iterate in ascending order, as it does for up to 8 features; wider scorers here
  have no ties;
- of sizes with equal scores it takes the one met first, which going backward is the larger; we take the smaller;
- "parsimonious" there compares with std / n of each smaller subset in turn; ours is one standard error of the best;
- it does not measure the entered set again; with fixed folds our second measurement repeats the first.
"""

from itertools import islice

import numpy as np
import pytest
from mlxtend.feature_selection import SequentialFeatureSelector
from sklearn.base import BaseEstimator, ClassifierMixin

from fsdesk.measure import Evaluator, Measurement
from fsdesk.methods import METHODS, Problem
from tests.known_tables import known_table

DIRECTIONS = {"sfs": (True, False), "sbs": (False, False), "sffs": (True, True), "sbfs": (False, True)}


class _Nothing(ClassifierMixin, BaseEstimator):
    """Learns nothing: the scorer looks only at which columns it is shown."""

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self


def _by_mlxtend(name, features, loss, sizes="best", tolerance=None):
    """The subsets that it scores, in order, and the fitted selector."""
    scored = []

    def scorer(estimator, x, y):
        columns = frozenset(int(column) for column in x[0])  # the first row holds the columns' own numbers
        scored.append(columns)
        return -loss(columns)

    forward, floating = DIRECTIONS[name]
    selector = SequentialFeatureSelector(
        _Nothing(), sizes, forward=forward, floating=floating, scoring=scorer, cv=0, tol=tolerance
    )
    selector.fit(np.tile(np.arange(features), (2, 1)), np.array([0, 1]))
    return scored, selector


def _by_fsdesk(name, features, loss, **values):
    """The subsets that each step probes, in order, and the answer."""
    method = METHODS[name].build({"compared_on": "fixed", "patience": 0, "confirmations": 0, **values})
    search = method.search(Problem(features), np.random.default_rng(0))
    steps: dict[int, list[frozenset[int]]] = {}
    proposal = next(search)
    while True:
        assert proposal.folds == 0
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in proposal.masks]
        first_step = len(subsets) > 1 and all(proposal.candidates)
        for subset, candidate in zip(subsets, proposal.candidates, strict=True):
            if not candidate or first_step:
                steps.setdefault(proposal.iteration, []).append(subset)
        try:
            proposal = search.send([Measurement(np.array([loss(subset)])) for subset in subsets])
        except StopIteration as end:
            return list(steps.values()), end.value


def _assert_same_probes(name, scored, steps, features):
    remaining = iter(scored)
    if not DIRECTIONS[name][0]:
        assert next(remaining) == frozenset(range(features))  # backward begins with the full set
    for step in steps:
        assert set(islice(remaining, len(step))) == set(step)
    assert not list(remaining)


def _planted(features, seed):
    """A loss for every subset: relevant and redundant features, a pair that counts only together, and no ties."""
    rng = np.random.default_rng(seed)
    worth = rng.normal(size=features) * 0.03
    pairs = np.triu(rng.normal(size=(features, features)) * 0.06, 1)
    drawn: dict[frozenset[int], float] = {}

    def loss(subset):
        if subset not in drawn:
            chosen = sorted(subset)
            drawn[subset] = 0.5 - worth[chosen].sum() - pairs[np.ix_(chosen, chosen)].sum() + 1e-6 * rng.random()
        return drawn[subset]

    return loss


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", DIRECTIONS)
def test_every_step_probes_the_same_subsets_and_the_answer_is_the_same(name, seed):
    loss = _planted(14, seed)
    scored, selector = _by_mlxtend(name, 14, loss)
    steps, end = _by_fsdesk(name, 14, loss)
    _assert_same_probes(name, scored, steps, 14)
    assert tuple(np.flatnonzero(end.mask)) == selector.k_feature_idx_
    assert end.mean == pytest.approx(-selector.k_score_, abs=1e-12)


def test_the_planted_losses_make_the_floating_methods_float():
    for name, plain in (("sffs", "sfs"), ("sbfs", "sbs")):
        floated = [_by_fsdesk(name, 14, _planted(14, seed))[1].mean for seed in range(3)]
        walked = [_by_fsdesk(plain, 14, _planted(14, seed))[1].mean for seed in range(3)]
        assert any(low < high for low, high in zip(floated, walked, strict=True))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", DIRECTIONS)
def test_equal_losses_are_settled_alike(name, seed):
    fine = _planted(8, seed)

    def coarse(subset):
        return round(fine(subset), 1)

    scored, _ = _by_mlxtend(name, 8, coarse)
    steps, _ = _by_fsdesk(name, 8, coarse)
    assert len({coarse(subset) for subset in scored}) < len(set(scored)) / 2  # there are ties
    _assert_same_probes(name, scored, steps, 8)


@pytest.mark.parametrize("name", DIRECTIONS)
@pytest.mark.parametrize(("low", "high"), [(5, 5), (3, 9)])
def test_a_range_of_sizes_gives_the_same_subset(name, low, high):
    loss = _planted(12, 7)
    _, selector = _by_mlxtend(name, 12, loss, (low, high))
    _, end = _by_fsdesk(name, 12, loss, min_size=low, max_size=high)
    assert tuple(np.flatnonzero(end.mask)) == selector.k_feature_idx_


@pytest.mark.parametrize("tolerance", [0.0, 0.02])
@pytest.mark.parametrize("name", ["sfs", "sbs"])
def test_the_tolerance_ends_the_search_at_the_same_step(name, tolerance):
    loss = _planted(12, 3)
    scored, selector = _by_mlxtend(name, 12, loss, tolerance=tolerance)
    steps, end = _by_fsdesk(name, 12, loss, tolerance=tolerance, patience=1)
    assert len(steps) < 11
    _assert_same_probes(name, scored, steps, 12)
    assert tuple(np.flatnonzero(end.mask)) == selector.k_feature_idx_


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_real_table_on_fixed_folds_is_searched_alike(name):
    table = known_table("ionosphere.arff")
    evaluator = Evaluator(table, repeats=1, scaling="once")
    features = len(table.features)
    measured: dict[frozenset[int], float] = {}
    ties = np.random.default_rng(0)

    def loss(subset):
        if subset not in measured:
            mask = np.zeros(features, dtype=np.bool_)
            mask[list(subset)] = True
            measured[subset] = evaluator.measure(mask, 0).mean + 1e-9 * ties.random()  # errors of 351 rows tie
        return measured[subset]

    low, high = (1, 8) if DIRECTIONS[name][0] else (features - 7, features)
    scored, selector = _by_mlxtend(name, features, loss, (low, high))
    steps, end = _by_fsdesk(name, features, loss, min_size=low, max_size=high)
    _assert_same_probes(name, scored, steps, features)
    assert tuple(np.flatnonzero(end.mask)) == selector.k_feature_idx_
