import numpy as np
import pytest

from fsdesk.methods import METHODS, Problem
from fsdesk.methods.spsa_bb import SPSABB, barzilai_borwein, by_sign, k_best, shown
from tests.driving import Signs, drive, loss_of, noisy, planted_loss, proposes


def _weights(shown_weights):
    """Undo the squashing: log of the odds."""
    return np.log(shown_weights / (1 - shown_weights))


def test_three_steps_by_hand():
    """w, g and the gains of the formulas of Barzilai & Borwein with one slope for each step."""
    search = SPSABB(gradients=1).search(Problem(2), Signs([1, 0], [1, 1], [0, 1], [1, 1]))
    first = next(search)
    assert [mask.tolist() for mask in first.masks] == [[True, False], [False, True]]
    second = search.send([loss_of(0.35), loss_of(0.25)])
    g_0 = np.array([1.0, -1.0])  # .1 / (2 * .05)
    assert second.trace["a_k"] == 0.01
    assert _weights(second.weights) == pytest.approx(-0.01 * g_0, abs=1e-12)
    third = search.send([loss_of(0.3), loss_of(0.28), loss_of(0.30)])
    # g_1 = -.2 (1, 1), s = (-.01, .01), t = (-1.2, .8): s.s = .0002, s.t = .02, a_1 = .01.
    w_2 = np.array([-0.01, 0.01]) - 0.01 * np.array([-0.2, -0.2])
    assert third.trace["a_k"] == pytest.approx(0.01)
    assert _weights(third.weights) == pytest.approx(w_2, abs=1e-12)
    fourth = search.send([loss_of(0.3), loss_of(0.30), loss_of(0.3198)])
    # g_2 = -.198 (-1, 1), s = (.002, .002), t = (.398, .002): s.s = 8e-6, s.t = 8e-4, a_2 = .01.
    g_2 = np.array([0.198, -0.198])
    assert fourth.trace["a_k"] == pytest.approx(8e-6 / 8e-4)
    assert _weights(fourth.weights) == pytest.approx(w_2 - 0.01 * g_2, abs=1e-12)


@pytest.mark.parametrize(
    ("s", "t", "gain"),
    [
        ([0.3, 0.4], [0.5, 0.25], 0.25 / 0.25),  # s.s = .25, s.t = .15 + .1
        ([0.1, 0.0], [0.02, 5.0], 2.0),  # .01 / .002 = 5, too large
        ([0.1, 0.0], [100.0, 0.0], 0.01),  # .001, too small
        ([0.1, 0.1], [-1.0, 0.5], 0.01),  # s.t < 0: the loss bends down
        ([0.0, 0.0], [0.0, 0.0], 0.01),
    ],
)
def test_the_gain_is_one_over_the_curvature_of_the_last_step_within_its_bounds(s, t, gain):
    assert barzilai_borwein(np.array(s), np.array(t), 0.01, 2.0) == pytest.approx(gain)


def _in_plain_numpy(p, seed, iterations, m=4, averaged=3):
    """The weights w_0, w_1, ... of the formulas, with the mean of the last gains."""
    rng, w, number = np.random.default_rng(seed), np.zeros(p), 0
    history, gains, weights = [], [], []

    def measured(vector):
        nonlocal number
        mask = vector >= 0
        if not mask.any():
            mask[vector.argmax()] = True
        number += 1
        return noisy(mask, number - 1)

    for k in range(iterations):
        weights.append(w)
        number += k > 0  # y(w_k) is asked before the pairs
        g = np.zeros(p)
        deltas = [np.where(rng.integers(0, 2, size=p) == 1, 1.0, -1.0) for _ in range(m)]
        for delta in deltas:
            g += (measured(w + 0.05 * delta) - measured(w - 0.05 * delta)) / (0.1 * delta) / m
        gain = 0.01
        if history:
            s, t = w - history[-1][0], g - history[-1][1]
            gain = np.clip((s @ s) / (s @ t), 0.01, 2.0) if s @ t >= 1e-8 else 0.01
        gains.append(gain)
        history.append((w, g))
        w = w - np.clip(np.mean(gains[-averaged:]) * g, -0.2, 0.2)
    return [*weights, w], gains


def test_forty_steps_follow_the_formulas_with_averaged_slopes_and_gains():
    method = SPSABB(max_iterations=40, averaged_gains=3, restart_after=100)
    proposals, _ = drive(method.search(Problem(15), np.random.default_rng(2)), noisy)
    weights, gains = _in_plain_numpy(15, 2, 40)
    assert sum(gain > 0.01 for gain in gains) > 10
    for proposal, w in zip(proposals, weights, strict=True):
        assert _weights(proposal.weights) == pytest.approx(w, abs=1e-9)


def test_no_weight_moves_further_than_the_cap():
    search = SPSABB(gradients=1, min_gain=2.0).search(Problem(3), Signs([1, 0, 1], [1, 1, 1]))
    next(search)
    assert _weights(search.send([loss_of(0.9), loss_of(0.1)]).weights) == pytest.approx([-0.2, 0.2, -0.2])


def test_it_begins_anew_when_the_best_has_not_improved_for_more_than_the_limit_and_goes_on():
    method = SPSABB(max_iterations=20, restart_after=4, gradients=1)
    proposals, end = drive(
        method.search(Problem(5), np.random.default_rng(0)), lambda mask, number: 0.3 + 0.01 * (number % 2)
    )
    back = [proposal.iteration for proposal in proposals if np.all(proposal.weights == 0.5)]
    assert back[0] == 0
    assert len(back) > 2
    assert min(np.diff(back)) >= 5
    assert end.reason == "all 20 iterations done"


def test_a_run_takes_just_as_many_measurements_as_it_announced():
    for method in (SPSABB(max_iterations=12), SPSABB(max_iterations=12, gradients=2, restart_after=1)):
        proposals, _ = drive(method.search(Problem(8), np.random.default_rng(0)), noisy)
        assert sum(len(proposal.masks) for proposal in proposals) == method.measurements(8)
    assert SPSABB(max_iterations=333).measurements(60) == 2997


def test_a_number_of_features_holds_for_every_mask_and_ties_are_drawn_by_lot():
    method = SPSABB(max_iterations=10, number_of_features=3)
    proposals, _ = drive(method.search(Problem(8), np.random.default_rng(0)), noisy)
    assert {int(mask.sum()) for proposal in proposals for mask in proposal.masks} == {3}
    counts = sum(k_best(np.zeros(6), 2, np.random.default_rng(seed)).astype(int) for seed in range(300))
    assert counts.min() > 60  # 100 expected, standard deviation 8
    w = np.array([0.3, -0.1, 0.9, 0.3, 0.2])
    assert k_best(w, 3, np.random.default_rng(0)).tolist() == [True, False, True, True, False]
    assert k_best(w, 50, np.random.default_rng(0)).all()


def test_a_mask_is_never_empty_and_zero_is_in():
    assert by_sign(np.array([-0.2, 0.0, 0.1])).tolist() == [False, True, True]
    assert by_sign(np.array([-0.2, -0.1, -0.3])).tolist() == [False, True, False]


def test_the_weights_shown_are_those_of_the_logistic_curve():
    w = np.array([-2.0, 0.0, 0.5])
    assert shown(w) == pytest.approx(1 / (1 + np.exp(-w)))
    assert shown(np.array([-1e9, 1e9])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_finds_the_planted_four_of_forty_when_asked_for_four(seed):
    answer = np.arange(40) % 10 == 3
    method = SPSABB(max_iterations=200, number_of_features=4)
    proposals, _ = drive(method.search(Problem(40), np.random.default_rng(seed)), planted_loss(answer, 0.02))
    assert proposes(proposals, answer)


def test_presets_spend_the_paper_s_budgets():
    entry = METHODS["spsa-bb"]
    for features, most in ((99, 3000), (100, 9000)):
        built = entry.build({}, features=features)
        assert most - 9 < built.measurements(features) <= most
        assert (built.gradients, built.c, built.min_gain, built.max_gain) == (4, 0.05, 0.01, 2.0)
        assert (built.step_cap, built.restart_after, built.number_of_features) == (0.2, 35, 0)
