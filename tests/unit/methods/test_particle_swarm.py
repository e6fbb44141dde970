import numpy as np
import pytest

from fsdesk.methods import Problem
from fsdesk.methods.particle_swarm import ParticleSwarm, sigmoid
from tests.driving import losses_of


class _Given:
    """A generator whose first bits, pulls and thresholds are given."""

    def __init__(self, bits, *numbers):
        self.bits, self.numbers = bits, iter(numbers)

    def integers(self, low, high, size, dtype=np.int64):
        return np.array(self.bits, dtype=dtype) if dtype == np.bool_ else np.zeros(size, dtype=dtype)

    def random(self, size):
        return np.broadcast_to(next(self.numbers), size)


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
    second = search.send(losses_of([0.4, 0.2]))
    # Own bests are where they are: only the swarm's best, particle 1, pulls: 2 x .25 on feature 1 of particle 0.
    v = np.array([[0, 0.5, 0], [0, 0, 0]])
    assert second.weights == pytest.approx(sigmoid(v).mean(axis=0))
    # sigmoid(0) = .5 is not above the threshold .5: only feature 1 of particle 0; particle 1 is empty, gets feature 0.
    assert [mask.tolist() for mask in second.masks] == [[False, True, False], [True, False, False]]
    third = search.send(losses_of([0.1, 0.3]))
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
        proposal = search.send(losses_of(rng.random(1)))
        seen.append(proposal.weights)
        assert low <= proposal.weights.min() <= proposal.weights.max() <= high
    assert np.isclose(seen, low).any()
    assert np.isclose(seen, high).any()


def test_a_loss_that_could_not_be_measured_becomes_nobody_s_best():
    # Without pull and inertia nothing moves; with a pull the swarm goes to the only one that was measured.
    method = ParticleSwarm(particles=3, inertia=0, own_pull=0, swarm_pull=10, max_velocity=20)
    search = method.search(Problem(30), np.random.default_rng(0))
    first = next(search)
    second = search.send(losses_of([np.nan, 0.9, np.inf]))
    best = first.masks[1]
    differs = (first.masks[0] != best) & (first.masks[2] != best)
    assert differs.any()
    assert (second.weights[differs & best] > 0.5).all()
    assert (second.weights[differs & ~best] < 0.5).all()
