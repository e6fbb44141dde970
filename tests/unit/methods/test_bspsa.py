import numpy as np
import pytest

from fsdesk.errors import SettingsError
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.bspsa import BSPSA
from fsdesk.methods.gains import bounded, rounded
from tests.driving import Signs, drive, loss_of, noisy


def test_the_paper_s_worked_example_of_four_features():
    method = BSPSA(a=0.75, A=100, c=0.05, alpha=0.6)
    search = method.search(Problem(4), Signs([1, 1, 0, 0], [1, 0, 1, 0]))
    first = next(search)
    assert [mask.tolist() for mask in first.masks] == [[True, True, False, False], [False, False, True, True]]
    assert first.trace["a_k"] == pytest.approx(0.047, abs=5e-4)
    second = search.send([loss_of(0.12), loss_of(0.08)])
    # g_0 = [.4, .4, -.4, -.4] and w_1 = w_0 - .047 g_0 = [.48, .48, .52, .52], as printed.
    assert second.weights == pytest.approx([0.48, 0.48, 0.52, 0.52], abs=2e-3)
    assert second.weights == pytest.approx(0.5 - 0.75 / 101**0.6 * np.array([0.4, 0.4, -0.4, -0.4]), abs=1e-15)
    assert second.masks[0].tolist() == [False, False, True, True]
    assert second.candidates == (True, False, False)


def test_half_rounds_up_and_a_mask_is_never_empty():
    assert rounded(np.array([0.5, 0.49999, 0.7])).tolist() == [True, False, True]
    assert rounded(np.array([0.1, 0.3, 0.2])).tolist() == [False, True, False]
    assert bounded(np.array([-0.5, 0.25, 1.5])).tolist() == [0.0, 0.25, 1.0]


def test_weights_stay_within_0_and_1_however_large_the_steps():
    search = BSPSA(a=1e6, max_iterations=50).search(Problem(6), np.random.default_rng(1))
    rng = np.random.default_rng(2)
    proposal = next(search)
    with pytest.raises(StopIteration):
        while True:
            assert proposal.weights.min() >= 0
            assert proposal.weights.max() <= 1
            proposal = search.send([loss_of(value) for value in rng.random(len(proposal.masks))])


def test_gain_follows_the_formula_of_the_paper():
    method = BSPSA(a=1.5, A=300, alpha=0.6)
    assert method.gain(0) == pytest.approx(1.5 / 301**0.6)
    assert method.gain(99) == pytest.approx(1.5 / 400**0.6)


@pytest.mark.parametrize(
    ("features", "preset", "values"),
    [
        (99, "paper, small", {"max_iterations": 1000, "stall_limit": 250, "a": 0.75, "A": 100.0, "c": 0.05}),
        (100, "paper, large", {"max_iterations": 3000, "stall_limit": 750, "a": 1.5, "A": 300.0, "c": 0.05}),
    ],
)
def test_presets_are_the_paper_s_table_and_suit_by_the_number_of_features(features, preset, values):
    entry = METHODS["bspsa"]
    assert entry.preset_for(features).name == preset
    built = entry.build({}, features=features)
    assert {name: getattr(built, name) for name in values} == values
    assert built.alpha == 0.6


def test_a_value_out_of_bounds_gets_one_sentence_that_names_it():
    with pytest.raises(SettingsError, match=r'^Setting "c": .* \(got -1\)\.$'):
        METHODS["bspsa"].build({"c": -1})
    with pytest.raises(SettingsError, match='no setting "speed"'):
        METHODS["bspsa"].build({"speed": 1})
    with pytest.raises(SettingsError, match='no preset "mine"'):
        METHODS["bspsa"].build({}, preset="mine")
    with pytest.raises(SettingsError, match=r'no method "ga"\. Choose one of: .*bspsa'):
        METHODS["ga"]


def _as_printed(p, seed, iterations, a=0.75, A=100, alpha=0.6, c=0.05):
    """The masks that the paper's numbered steps measure, w_0 left out, in plain numpy; by iteration."""
    rng, w, number, masks = np.random.default_rng(seed), np.full(p, 0.5), 0, []

    def measured(vector):
        nonlocal number
        mask = np.clip(vector, 0, 1) >= 0.5
        masks.append(mask.tolist())
        number += 1
        return noisy(mask, number - 1)

    for k in range(iterations):
        if k:
            measured(w)
        delta = np.where(rng.integers(0, 2, size=p) == 1, 1.0, -1.0)
        difference = measured(w + c * delta) - measured(w - c * delta)
        w = np.clip(w - a / (A + k + 1) ** alpha * (difference / (2 * c * delta)), 0, 1)
    measured(w)
    return masks, w


@pytest.mark.parametrize("seed", [0, 1])
def test_the_default_settings_measure_the_very_masks_of_the_paper_s_steps(seed):
    proposals, _ = drive(
        BSPSA(max_iterations=120, stall_limit=120).search(Problem(30), np.random.default_rng(seed)), noisy
    )
    masks, w = _as_printed(30, seed, 120)
    assert [mask.tolist() for proposal in proposals for mask in proposal.masks] == masks
    assert proposals[-1].weights == pytest.approx(w, abs=1e-12)
    assert {proposal.folds for proposal in proposals} == {"fresh"}


def test_c_of_a_tenth_is_a_preset_for_large_tables_that_is_not_chosen_unasked():
    entry = METHODS["bspsa"]
    chosen = entry.build({}, preset="paper, large, c = 0.1")
    assert (chosen.c, chosen.a, chosen.A, chosen.max_iterations, chosen.stall_limit) == (0.1, 1.5, 300.0, 3000, 750)
    assert entry.preset_for(2400).name == "paper, large"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gradients": 3},
        {"measure_every": 4},
        {"measure_every": 100},
        {"n_finalists": 6, "finalist_measurements": 5},
        {"gradients": 2, "measure_every": 3, "n_finalists": 30, "noise": 0.1, "shared_folds": True},
    ],
)
def test_a_run_to_its_end_takes_just_as_many_measurements_as_it_announced(settings):
    method = BSPSA(max_iterations=20, stall_limit=1000, **settings)
    problem = Problem(40, budget=method.measurements(40))
    proposals, end = drive(method.search(problem, np.random.default_rng(0)), noisy)
    assert sum(len(proposal.masks) for proposal in proposals) == method.measurements(40)
    assert end.reason == "all 20 iterations done"


def test_several_slopes_are_asked_at_once_at_the_same_w_and_averaged_without_those_that_failed():
    search = BSPSA(gradients=3).search(Problem(2), Signs([1, 1], [1, 0], [0, 0], *[[1, 1]] * 3))
    # Where w- is below .5 in both places, the larger one, here the first of two equals, is in.
    asked = [[True, True], [True, False], [True, False], [False, True], [True, False], [True, True]]
    assert [mask.tolist() for mask in next(search).masks] == asked
    second = search.send([loss_of(value) for value in (0.12, 0.08, 0.3, 0.2, float("inf"), 0.1)])
    # g of the first pair (.04 / .1)(1, 1), of the second (.1 / .1)(1, -1); the third could not be measured.
    mean = np.array([(0.4 + 1.0) / 2, (0.4 - 1.0) / 2])
    assert second.weights == pytest.approx(0.5 - 0.75 / 101**0.6 * mean, abs=1e-14)
    assert second.candidates == (True, *[False] * 6)


def test_a_w_measured_every_third_step_is_asked_at_those_and_at_the_end():
    proposals, _ = drive(BSPSA(max_iterations=8, measure_every=3).search(Problem(5), np.random.default_rng(0)), noisy)
    assert [proposal.iteration for proposal in proposals if any(proposal.candidates)] == [3, 6, 8]


def test_injected_noise_has_the_size_of_its_formula_and_dies_away():
    method = BSPSA(noise=0.1)
    assert method.noise_size(0) == pytest.approx(0.1 / (1 * np.log(np.log(16))) ** 0.5)
    assert method.noise_size(9_999) == pytest.approx(0.1 / (10_000 * np.log(np.log(10_015))) ** 0.5)
    search = method.search(Problem(50), np.random.default_rng(7))
    next(search)
    second = search.send([loss_of(0.2), loss_of(0.2)])  # no slope: only the noise moves w
    rng = np.random.default_rng(7)
    rng.integers(0, 2, size=50)
    moved = 0.5 + 0.1 / np.log(np.log(16)) ** 0.5 * rng.standard_normal(50)
    assert second.weights == pytest.approx(np.clip(moved, 0, 1), abs=1e-12)


def test_the_best_subsets_are_measured_again_on_shared_folds_and_their_means_decide():
    method = BSPSA(max_iterations=30, stall_limit=100, n_finalists=3, finalist_measurements=4)

    def loss(mask, number):
        if number < 90:  # the search itself is misled: the larger, the better
            return 0.5 - 0.005 * mask.sum()
        return 0.3 + 0.01 * ((number - 90) // 3) + (0.0 if mask.sum() == 3 else 0.1)  # three in each of four rounds

    proposals, end = drive(method.search(Problem(4), np.random.default_rng(0)), loss)
    finals = [proposal for proposal in proposals if proposal.confirms]
    assert [proposal.confirms for proposal in proposals[-5:]] == [False, True, True, True, True]
    assert all(proposal.folds == "shared" and not any(proposal.candidates) for proposal in finals)
    assert sorted(mask.sum() for mask in finals[0].masks) == [3, 3, 4]
    assert len({tuple(mask) for mask in finals[0].masks}) == 3
    assert end.mask.sum() == 3
    assert end.mean == pytest.approx((0.30 + 0.31 + 0.32 + 0.33) / 4)
    assert end.std_error == pytest.approx(np.std([0.30, 0.31, 0.32, 0.33], ddof=1) / 2)


def test_of_two_equal_finalists_the_one_with_fewer_features_is_the_answer():
    method = BSPSA(max_iterations=20, n_finalists=4, finalist_measurements=1)
    _, end = drive(method.search(Problem(3), np.random.default_rng(0)), lambda mask, number: 0.25)
    proposals, _ = drive(method.search(Problem(3), np.random.default_rng(0)), lambda mask, number: 0.25)
    assert end.mask.sum() == min(mask.sum() for mask in proposals[-1].masks) < max(m.sum() for m in proposals[-1].masks)


@pytest.mark.parametrize("budget", [1, 2, 3, 10, 57])
def test_a_budget_below_the_finalists_wishes_still_gives_a_measured_answer_within_it(budget):
    method = BSPSA(n_finalists=10, finalist_measurements=10)
    proposals, end = drive(method.search(Problem(20, budget=budget), np.random.default_rng(0)), noisy)
    assert sum(len(proposal.masks) for proposal in proposals) <= budget
    seen = {tuple(mask) for proposal in proposals if not proposal.confirms for mask in proposal.masks}
    assert budget == 1 or tuple(end.mask) in seen
    assert sum(len(proposal.masks) for proposal in proposals if not proposal.confirms) >= budget / 2 - 3
    assert "budget" in end.reason


def test_finalists_are_measured_after_a_stall_too_and_failed_subsets_are_none():
    method = BSPSA(max_iterations=100, stall_limit=5, n_finalists=5, finalist_measurements=2)
    proposals, end = drive(
        method.search(Problem(3), np.random.default_rng(1)), lambda mask, number: 0.3 if mask[0] else float("inf")
    )
    assert "5 iterations" in end.reason
    assert proposals[-1].confirms
    assert all(mask[0] for mask in proposals[-1].masks)
