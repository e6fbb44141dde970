import numpy as np
import pytest

from fsdesk.errors import SettingsError
from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.sequential import BATCH

NAMES = ("sfs", "sbs", "sffs", "sbfs")
ALL_SIZES = {"patience": 0, "confirmations": 0}

# Feature 0 is the best alone and misleads the greedy methods; 1 and 2 belong together, and 3 helps them a little.
LOSSES = {
    "0": 0.30, "1": 0.35, "2": 0.40, "3": 0.45,
    "01": 0.20, "02": 0.25, "03": 0.28, "12": 0.05, "13": 0.33, "23": 0.34,
    "012": 0.10, "013": 0.15, "023": 0.31, "123": 0.04,
    "0123": 0.20,
}  # fmt: skip


def _text(mask):
    return "".join(str(place) for place in np.flatnonzero(mask))


def _by_hand(mask, proposal):
    return LOSSES[_text(mask)]


def _driven(name, loss, features=4, spread=0.0, start=None, budget=10**9, **values):
    """Proposals and the end of a search that hears ``loss(mask, proposal)`` with a standard error of ``spread``."""
    method = METHODS[name].build(values)
    search = method.search(Problem(features, start=start, budget=budget), np.random.default_rng(0))
    proposals = []
    try:
        proposal = next(search)
        while True:
            proposals.append(proposal)
            means = [loss(mask, proposal) for mask in proposal.masks]
            proposal = search.send([Measurement(np.array([mean - spread, mean + spread])) for mean in means])
    except StopIteration as end:
        return proposals, end.value


def _path(proposals):
    """The sets that became the current one, in order: the candidates of all steps but the first of singles."""
    return [
        _text(mask)
        for proposal in proposals
        for mask, candidate in zip(proposal.masks, proposal.candidates, strict=True)
        if candidate and not (len(proposal.masks) > 1 and all(proposal.candidates))
    ]


def _taken(proposals):
    return sum(len(proposal.masks) for proposal in proposals)


@pytest.mark.parametrize(
    ("name", "path", "answer", "taken"),
    [
        ("sfs", ["0", "01", "012", "0123"], "012", 4 + 3 + 2 + 1 + 4),
        ("sbs", ["0123", "123", "12", "1"], "123", 1 + 4 + 3 + 2 + 3),
        # {1, 2} beats {0, 1, 2} and {0, 1}: feature 0 goes out again; the last check finds nothing.
        ("sffs", ["0", "01", "012", "12", "123", "0123"], "123", 4 + 3 + (2 + 2) + (2 + 2) + (1 + 3) + 6),
        # With two out nothing can come back; with three out neither {0, 1} nor {1, 3} beats {1}'s own size.
        ("sbfs", ["0123", "123", "12", "1"], "123", 1 + 4 + 3 + (2 + 2) + 3),
    ],
)
def test_the_way_through_a_small_table_is_that_of_a_hand_calculation(name, path, answer, taken):
    proposals, end = _driven(name, _by_hand, **ALL_SIZES)
    assert _path(proposals) == path
    assert _text(end.mask) == answer
    assert end.mean == LOSSES[answer]
    assert _taken(proposals) == taken


def test_backward_floating_takes_back_a_feature_that_it_misses():
    losses = {"01234": 0.5, "1234": 0.3, "234": 0.2, "34": 0.15, "034": 0.1, "134": 0.9}
    proposals, end = _driven("sbfs", lambda mask, _: losses.get(_text(mask), 0.8), features=5, min_size=2, **ALL_SIZES)
    # Three are out in {3, 4}; 2 left last and stays out; 0 comes back, for {0, 3, 4} beats {3, 4} and {2, 3, 4}.
    assert _path(proposals)[:5] == ["01234", "1234", "234", "34", "034"]
    assert _text(end.mask) == "034"


def test_the_current_set_is_the_candidate_and_its_neighbours_are_probes():
    proposals, _ = _driven("sfs", _by_hand, **ALL_SIZES)
    assert all(proposals[0].candidates)  # nothing is current yet: a run stopped here has an answer
    for proposal in proposals[1:]:
        assert proposal.candidates == [True] + [False] * (len(proposal.masks) - 1)
        assert proposal.weights.tolist() == proposal.masks[0].astype(float).tolist()
    assert [proposal.iteration for proposal in proposals] == [0, 1, 2, 3, 4]


def test_the_answer_goes_by_the_second_measurement_not_by_the_smallest_probe():
    def loss(mask, proposal):
        lucky = len(proposal.masks) > 1 and mask is not proposal.masks[0]
        return LOSSES[_text(mask)] - (0.1 if lucky and _text(mask) == "01" else 0.0)

    _, end = _driven("sfs", loss, **ALL_SIZES)  # as a probe {0, 1} has .10, as {0, 1, 2}; measured again .20
    assert (_text(end.mask), end.mean) == ("012", 0.10)


@pytest.mark.parametrize(
    ("values", "path", "reason"),
    [
        ({"patience": 1}, ["0123", "123", "12"], "the last step gained nothing"),
        ({"patience": 2}, ["0123", "123", "12", "1"], "the last size is reached: 1"),
        ({"patience": 1, "tolerance": -0.02}, ["0123", "123", "12", "1"], "the last size is reached: 1"),
        ({"patience": 1, "tolerance": 0.17}, ["0123", "123"], "the last step gained nothing"),
        ({"patience": 1, "max_size": 2}, ["0123", "123", "12"], "the last step gained nothing"),
        ({"patience": 0, "max_steps": 1}, ["0123", "123"], "all 1 steps done"),
        ({"patience": 0, "min_size": 2}, ["0123", "123", "12"], "the last size is reached: 2"),
    ],
)
def test_the_search_ends_where_its_settings_say(values, path, reason):
    proposals, end = _driven("sbs", _by_hand, confirmations=0, **values)
    assert _path(proposals) == path
    assert end.reason == reason


def test_steps_without_gain_are_counted_in_a_row():
    falling = {1: 0.30, 2: 0.35, 3: 0.25, 4: 0.26, 5: 0.27, 6: 0.10}
    proposals, end = _driven("sfs", lambda mask, _: falling[mask.sum()], features=6, patience=2, confirmations=0)
    assert _path(proposals)[-1] == "01234"
    assert end.reason == "no gain in 2 steps in a row"
    assert (end.mask.sum(), end.mean) == (3, 0.25)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("low", "high"), [(2, 2), (1, 2), (3, 3), (2, 0)])
def test_the_answer_has_an_allowed_size(name, low, high):
    _, end = _driven(name, _by_hand, min_size=low, max_size=high)
    assert low <= end.mask.sum() <= (high or 4)


def test_a_size_that_the_beginning_has_passed_is_answered_with_the_nearest_there_is():
    start = np.array([True, True, True, False])
    _, end = _driven("sfs", _by_hand, start=start, max_size=2)
    assert _text(end.mask) == "012"


def test_parsimonious_takes_the_smallest_within_one_standard_error_of_the_best():
    for spread, answer in ((0.005, "123"), (0.0101, "12")):  # {1, 2} is .01 above {1, 2, 3}
        _, end = _driven("sbs", _by_hand, spread=spread, parsimonious=True, **ALL_SIZES)
        assert _text(end.mask) == answer
        assert end.std_error == pytest.approx(spread)


def test_equal_sizes_are_settled_by_fewer_features_and_equal_features_by_the_earlier_column():
    for name in NAMES:
        proposals, end = _driven(name, lambda mask, _: 0.25, **ALL_SIZES)
        assert _text(end.mask) == "0"
        assert {"0", "01", "012"} <= set(_path(proposals))


def test_confirmations_share_new_folds_draw_the_curve_and_choose():
    measured = iter([0.30, 0.32, 0.34])

    def loss(mask, proposal):
        if not proposal.confirms:
            return LOSSES[_text(mask)]
        return next(measured) if _text(mask) == "01" else 0.5

    proposals, end = _driven("sfs", loss, patience=0, confirmations=3)
    finals = [proposal for proposal in proposals if proposal.confirms]
    assert [[_text(mask) for mask in proposal.masks] for proposal in finals] == [["0", "01", "012", "0123"]] * 3
    assert all(proposal.folds == "shared" for proposal in finals)
    assert finals[0].weights.tolist() == [1.0, 0.75, 0.5, 0.25]
    assert _text(end.mask) == "01"
    assert end.mean == pytest.approx(0.32)
    assert end.std_error == pytest.approx(0.02 / np.sqrt(3))


def test_folds_are_fresh_as_in_the_paper_or_those_of_the_full_set():
    for folds, asked in (("fresh", "fresh"), ("fixed", 0)):
        proposals, _ = _driven("sffs", _by_hand, compared_on=folds, **ALL_SIZES)
        assert {proposal.folds for proposal in proposals} == {asked}


def test_a_given_start_is_measured_and_walked_from():
    start = np.array([False, True, True, False])
    for name, path in (("sfs", ["12", "123", "0123"]), ("sbs", ["12", "1"])):
        proposals, _ = _driven(name, _by_hand, start=start, **ALL_SIZES)
        assert _path(proposals) == path
    assert start.tolist() == [False, True, True, False]


def test_a_wide_table_is_asked_in_slices():
    features = 2 * BATCH + 100
    proposals, end = _driven("sfs", lambda mask, _: 1.0 - mask[700], features, max_steps=2)
    assert [len(proposal.masks) for proposal in proposals[:6]] == [BATCH, BATCH, 100, 1 + BATCH, BATCH, 99]
    assert _path(proposals) == ["700", "0700"]
    assert _text(end.mask) == "700"


@pytest.mark.parametrize("name", ["sffs", "sbfs"])
def test_floating_ends_even_where_every_measurement_is_lower_than_all_before(name):
    falling = iter(range(10**6, 0, -1))
    proposals, end = _driven(name, lambda mask, _: next(falling), features=6, **ALL_SIZES)
    assert end.reason == "all 18 steps done"
    assert _taken(proposals) <= METHODS[name].build(ALL_SIZES).measurements(6)


@pytest.mark.parametrize("name", NAMES)
def test_noise_never_takes_more_measurements_than_declared(name):
    rng = np.random.default_rng(5)
    for features in (1, 2, 5, 9):
        for start in (None, rng.random(features) < 0.5):
            if start is not None and not start.any():
                continue
            for values in ({"patience": 0}, {"patience": 0, "max_steps": 3}, {"min_size": 2, "max_size": 4}):
                method = METHODS[name].build(values)
                proposals, _ = _driven(name, lambda mask, _: rng.random(), features, start=start, **values)
                assert _taken(proposals) <= method.measurements(features)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("budget", range(1, 60, 3))
def test_a_budget_is_kept_and_ends_with_a_chosen_answer(name, budget):
    rng = np.random.default_rng(budget)
    proposals, end = _driven(name, lambda mask, _: rng.random(), features=7, budget=budget, patience=0)
    assert _taken(proposals) <= budget
    assert any(any(proposal.candidates) for proposal in proposals)
    assert end.mask.any()
    assert end.reason == f"the budget of {budget:,} measurements is used up" or end.reason.startswith("the last size")


@pytest.mark.parametrize("unmeasured", [float("nan"), float("inf")])
@pytest.mark.parametrize("name", NAMES)
def test_a_set_that_cannot_be_measured_is_never_preferred(name, unmeasured):
    proposals, end = _driven(name, lambda mask, _: unmeasured if mask[1] else 0.3, **ALL_SIZES)
    assert "1" not in _text(end.mask)
    assert end.mean == pytest.approx(0.3)
    assert _path(proposals)[1] == {"sfs": "02", "sffs": "02"}.get(name, "023")


def test_a_largest_size_below_the_smallest_is_refused_with_one_sentence():
    with pytest.raises(SettingsError, match=r'^Setting "max_size": it is below min_size, which is 5\. .* \(got 3\)\.$'):
        METHODS["sfs"].build({"min_size": 5, "max_size": 3})


def test_the_paper_s_rule_is_the_preset_of_small_tables_and_steps_are_bounded_on_large_ones():
    for name in NAMES:
        entry = METHODS[name]
        small = entry.build({}, features=99)
        assert entry.preset_for(99).name == "paper"
        assert (small.patience, small.tolerance, small.compared_on, small.confirmations) == (1, 0.0, "fresh", 0)
        large = entry.build({}, features=22_283)
        assert entry.preset_for(22_283).name == "large"
        assert large.measurements(22_283) <= 30 * 22_283 + 31 * (1 + large.confirmations)
