import numpy as np
import pytest

from fsdesk.errors import SettingsError
from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.bspsa import BSPSA, bounded, rounded


class _Signs:
    """A generator whose Bernoulli draws are given."""

    def __init__(self, *rows):
        self.rows = iter(rows)

    def integers(self, low, high, size):
        return np.array(next(self.rows))


def _loss(value):
    return Measurement(np.array([value]))


def test_the_paper_s_worked_example_of_four_features():
    method = BSPSA(a=0.75, A=100, c=0.05, alpha=0.6)
    search = method.search(Problem(4), _Signs([1, 1, 0, 0], [1, 0, 1, 0]))
    first = next(search)
    assert [mask.tolist() for mask in first.masks] == [[True, True, False, False], [False, False, True, True]]
    assert first.trace["a_k"] == pytest.approx(0.047, abs=5e-4)
    second = search.send([_loss(0.12), _loss(0.08)])
    # g_0 = [.4, .4, -.4, -.4] and w_1 = w_0 - .047 g_0 = [.48, .48, .52, .52], as printed.
    assert second.weights == pytest.approx([0.48, 0.48, 0.52, 0.52], abs=2e-3)
    assert second.weights == pytest.approx(0.5 - 0.75 / 101**0.6 * np.array([0.4, 0.4, -0.4, -0.4]), abs=1e-15)
    assert second.masks[0].tolist() == [False, False, True, True]
    assert second.candidates == (True, False, False)


def test_each_iteration_takes_three_measurements_and_the_last_w_is_measured():
    search = BSPSA(max_iterations=4, stall_limit=10).search(Problem(5), np.random.default_rng(0))
    proposal, taken, candidates = next(search), 0, []
    with pytest.raises(StopIteration) as end:
        while True:
            taken += len(proposal.masks)
            candidates += [proposal.iteration for flag in proposal.candidates if flag]
            proposal = search.send([_loss(0.5)] * len(proposal.masks))
    assert taken == 3 * 4 == BSPSA(max_iterations=4).measurements(5)
    assert candidates == [1, 2, 3, 4]
    assert end.value.value.reason == "all 4 iterations done"


def test_it_stalls_when_the_best_has_not_improved_for_more_than_the_limit():
    search = BSPSA(max_iterations=100, stall_limit=7).search(Problem(5), np.random.default_rng(0))
    proposal = next(search)
    with pytest.raises(StopIteration) as end:
        while True:
            iteration = proposal.iteration
            losses = [_loss(0.2 if proposal.iteration == 3 else 0.5)] * len(proposal.masks)
            proposal = search.send(losses)
    assert iteration == 3 + 7 + 1
    assert "7 iterations" in end.value.value.reason


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
            proposal = search.send([_loss(value) for value in rng.random(len(proposal.masks))])


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
    with pytest.raises(SettingsError, match=r'no method "ga"; choose one of: .*bspsa'):
        METHODS["ga"]
