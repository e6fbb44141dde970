import numpy as np
import pytest

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.particle_swarm import ParticleSwarm, sigmoid


class _Given:
    """A generator whose first bits, pulls and thresholds are given."""

    def __init__(self, bits, *numbers):
        self.bits, self.numbers = bits, iter(numbers)

    def integers(self, low, high, size, dtype=np.int64):
        return np.array(self.bits, dtype=dtype) if dtype == np.bool_ else np.zeros(size, dtype=dtype)

    def random(self, size):
        return np.broadcast_to(next(self.numbers), size)


def _told(values):
    return [Measurement(np.array([value])) for value in values]


def test_the_sigmoid_at_hand():
    assert sigmoid(np.array([0.0, np.log(3.0), -np.log(3.0)])) == pytest.approx([0.5, 0.75, 0.25])


def test_a_move_follows_kennedy_and_eberhart_by_hand():
    # Pulls .5 and .25 in move 1, 0 and .75 in move 2; a feature is in where the threshold is below sigmoid(v).
    rng = _Given([[1, 0, 0], [1, 1, 0]], 0.5, 0.25, 0.5, 0.0, 0.75, 0.5)
    method = ParticleSwarm(particles=2, max_iterations=3, max_velocity=2.0)
    search = method.search(Problem(3), rng)
    first = next(search)
    assert [mask.tolist() for mask in first.masks] == [[True, False, False], [True, True, False]]
    assert first.weights.tolist() == [0.5] * 3
    second = search.send(_told([0.4, 0.2]))
    # Own bests are where they are: only the swarm's best, particle 1, pulls: 2 x .25 on feature 1 of particle 0.
    v = np.array([[0, 0.5, 0], [0, 0, 0]])
    assert second.weights == pytest.approx(sigmoid(v).mean(axis=0))
    # sigmoid(0) = .5 is not above the threshold .5: only feature 1 of particle 0; particle 1 is empty, gets feature 0.
    assert [mask.tolist() for mask in second.masks] == [[False, True, False], [True, False, False]]
    third = search.send(_told([0.1, 0.3]))
    # Bests: particle 0 here (the swarm's too), particle 1 where it was. The swarm pulls by 2 x .75.
    v = v + 1.5 * (np.array([[0, 1, 0], [0, 1, 0]]) - np.array([[0, 1, 0], [1, 0, 0]]))
    assert v.tolist() == [[0, 0.5, 0], [-1.5, 1.5, 0]]
    assert third.weights == pytest.approx(sigmoid(v).mean(axis=0))


def test_velocities_never_exceed_the_limit():
    search = ParticleSwarm(particles=1, max_velocity=1.0, own_pull=10, swarm_pull=10).search(
        Problem(50), np.random.default_rng(0)
    )
    proposal, rng = next(search), np.random.default_rng(1)
    low, high = sigmoid(np.array([-1.0, 1.0]))
    seen = []
    for _ in range(20):
        proposal = search.send(_told(rng.random(1)))
        seen.append(proposal.weights)
        assert low <= proposal.weights.min() <= proposal.weights.max() <= high
    assert np.isclose(seen, low).any()
    assert np.isclose(seen, high).any()


def test_a_loss_that_could_not_be_measured_becomes_nobody_s_best():
    # Without pull and inertia nothing moves; with a pull the swarm goes to the only one that was measured.
    method = ParticleSwarm(particles=3, inertia=0, own_pull=0, swarm_pull=10, max_velocity=20)
    search = method.search(Problem(30), np.random.default_rng(0))
    first = next(search)
    second = search.send(_told([np.nan, 0.9, np.inf]))
    best = first.masks[1]
    differs = (first.masks[0] != best) & (first.masks[2] != best)
    assert differs.any()
    assert (second.weights[differs & best] > 0.5).all()
    assert (second.weights[differs & ~best] < 0.5).all()


def test_a_whole_search_takes_exactly_the_measurements_that_it_declares():
    method = ParticleSwarm(particles=7, max_iterations=20)
    search = method.search(Problem(12), np.random.default_rng(0))
    proposal, taken = next(search), 0
    with pytest.raises(StopIteration) as end:
        while True:
            assert len(proposal.masks) == 7
            taken += 7
            proposal = search.send(_told(mask.mean() for mask in proposal.masks))
    assert taken == method.measurements(12) == 140
    assert end.value.value.reason == "all 20 iterations done"


@pytest.mark.parametrize(("features", "preset", "budget"), [(99, "small", 3000), (100, "large", 9000)])
def test_presets_suit_by_the_number_of_features_and_take_the_paper_s_budget(features, preset, budget):
    assert METHODS["swarm"].preset_for(features).name == preset
    assert METHODS["swarm"].build({}, features=features).budget(features) == budget
