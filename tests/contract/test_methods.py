"""What every registered method promises, whatever it does inside."""

import multiprocessing
from operator import methodcaller

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk.errors import SettingsError
from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, End, Problem

NAMES = [entry.name for entry in METHODS]
MOST = 200
DETERMINISTIC = {  # the seed only deals the folds
    *("full", "sfs", "sbs", "sffs", "sbfs", "ranking", "exhaustive", "fdsa"),
    *("univariate", "mrmr", "relieff", "l1", "rfe", "forest"),
    "auto",  # its filters come first, and take all that is measured here
}


def _problem(features, **more):
    """Filter scores that are the same for everyone, and a budget such as a person would give."""
    return Problem(
        features, scores=lambda name, resample=-1, folds=0: np.arange(features, 0.0, -1.0), **{"budget": 1000, **more}
    )


def _short(name, features):
    """The method with few iterations, where it counts them."""
    model = METHODS[name].model
    return METHODS[name].build(
        {"max_iterations": 9} if "max_iterations" in model.model_fields else {}, features=features
    )


def _driven(method, features, seed, loss, **more):
    """Proposals of a search that hears ``loss(mask, number)``; about as many as take ``MOST`` measurements."""
    search = method.search(_problem(features, **more), np.random.default_rng(seed))
    proposals, number = [], 0
    try:
        proposal = next(search)
        while number < MOST:
            proposals.append(proposal)
            losses = []
            for mask in proposal.masks:
                losses.append(Measurement(np.array([loss(mask, number)])))
                number += 1
            proposal = search.send(losses)
    except StopIteration as end:
        assert isinstance(end.value, End)
        assert end.value.reason
    return proposals


def _noisy(mask, number):
    return float(np.random.default_rng(number).random() * 0.1 + 0.5 * (1 - mask[: len(mask) // 2 + 1].mean()))


LOSSES = {
    "noisy": _noisy,
    "constant": lambda mask, number: 0.25,
    "not a number": lambda mask, number: float("nan") if number % 3 else 0.3,
    "infinite": lambda mask, number: float("inf") if number % 2 else 0.3,
}


@pytest.mark.covering(name=NAMES, features=[1, 2, 3, 40], loss=list(LOSSES))
def test_masks_are_boolean_full_length_and_never_empty(name, features, loss):
    proposals = _driven(METHODS[name].build({}, features=features), features, 0, LOSSES[loss])
    assert proposals
    for proposal in proposals:
        assert len(proposal.masks) == len(proposal.candidates) > 0
        for mask in proposal.masks:
            assert mask.dtype == np.bool_
            assert mask.shape == (features,)
            assert mask.any()
        if proposal.weights is not None:
            assert proposal.weights.shape == (features,)
            assert np.isfinite(proposal.weights).all()
            assert 0 <= proposal.weights.min() <= proposal.weights.max() <= 1


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_answers_give_the_same_proposals_and_another_seed_others(name):
    method = METHODS[name].build({}, features=12)

    def masks(seed):
        return [mask.tolist() for proposal in _driven(method, 12, seed, _noisy) for mask in proposal.masks]

    assert masks(4) == masks(4)
    assert masks(4) != masks(5) or name in DETERMINISTIC


@pytest.mark.parametrize("name", NAMES)
def test_the_budget_of_measurements_is_never_exceeded(name):
    method = _short(name, 7)
    proposals = _driven(method, 7, 0, _noisy)
    assert sum(len(proposal.masks) for proposal in proposals) <= method.measurements(7)


@pytest.mark.parametrize("budget", [1, 2, 7, 31])
@pytest.mark.parametrize("name", NAMES)
def test_a_small_budget_is_no_reason_to_break(name, budget):
    assert _driven(_short(name, 7), 7, 0, _noisy, budget=budget)


@pytest.mark.parametrize("name", [name for name in NAMES if METHODS[name].model.takes_start])
def test_a_given_start_is_the_first_subset_or_what_the_first_weights_round_to(name):
    start = np.array([True, False, True, False, False, False, True])
    first = _driven(_short(name, 7), 7, 0, _noisy, start=start)[0]
    measured = any(np.array_equal(mask, start) for mask in first.masks)
    assert measured or np.array_equal(first.weights >= 0.5, start)


@pytest.mark.parametrize("budget", [3, 60])
@pytest.mark.parametrize("name", ["ranking", "random", "exhaustive"])
def test_no_answer_is_worse_than_the_start_where_folds_are_equal(name, budget):
    start = np.array([False, True, False, True, False, True, False])
    search = METHODS[name].build({}).search(_problem(7, budget=budget, start=start), np.random.default_rng(1))
    best = (1.0, np.zeros(7, dtype=np.bool_))
    proposal = next(search)
    try:
        while True:
            means = [0.1 if np.array_equal(mask, start) else 0.3 for mask in proposal.masks]
            best = min([best, *zip(means, proposal.masks, strict=True)], key=lambda each: each[0])
            proposal = search.send([Measurement(np.array([mean])) for mean in means])
    except StopIteration as end:
        answer = best[1] if end.value.mask is None else end.value.mask
    assert np.array_equal(answer, start)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_has_presets_that_say_what_they_are_for(name):
    entry = METHODS[name]
    assert entry.presets
    for preset in entry.presets:
        assert preset.help.endswith(".")
        assert entry.build({}, preset=preset.name) == entry.model(**preset.values)
    assert entry.preset_for(8)
    assert entry.preset_for(1000)


@pytest.mark.parametrize("name", NAMES)
def test_iterations_never_fall_and_finalists_are_no_candidates(name):
    proposals = _driven(_short(name, 12), 12, 0, _noisy)
    iterations = [proposal.iteration for proposal in proposals]
    assert iterations == sorted(iterations)
    assert iterations[0] >= 0
    assert not any(any(proposal.candidates) for proposal in proposals if proposal.confirms)


def test_every_method_survives_the_way_into_a_process_that_is_started_anew():
    methods = [_short(name, 12) for name in NAMES]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(methodcaller("budget", 12), methods) == [method.budget(12) for method in methods]
        assert pool.map(methodcaller("model_dump"), methods) == [method.model_dump() for method in methods]


BOUNDS = [
    (entry.name, info.name, value)
    for entry in METHODS
    for info in entry.model.describe()
    for value in (info.minimum, info.maximum)
    if value is not None
]


@pytest.mark.parametrize(("name", "setting", "value"), BOUNDS)
def test_every_bound_of_every_setting_works_or_is_refused_with_a_sentence(name, setting, value):
    info = next(info for info in METHODS[name].model.describe() if info.name == setting)
    number = int(value) if info.kind == "int" else value
    excluded = info.minimum_excluded if value == info.minimum else info.maximum_excluded
    if excluded:
        with pytest.raises(SettingsError, match=setting):
            METHODS[name].build({setting: number})
    else:
        assert _driven(METHODS[name].build({setting: number}), 5, 0, _noisy)


@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 2**64))
@pytest.mark.parametrize("name", NAMES)
def test_any_seed_works(name, seed):
    assert _driven(_short(name, 4), 4, seed, _noisy)


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_says_what_it_is_and_where_its_default_comes_from(name):
    entry = METHODS[name]
    assert entry.title
    assert entry.summary.endswith(".")
    assert entry.reference
    for info in entry.model.describe():
        assert info.title
        assert info.help.endswith(".")
        assert info.source
