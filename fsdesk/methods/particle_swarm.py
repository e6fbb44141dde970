"""Binary particle swarm: velocities pull each particle toward its own best subset and the best of the swarm.

The paper cites Wang et al. 2007; the velocities and their sigmoid follow Kennedy & Eberhart (1997).
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import stall_setting
from fsdesk.methods.population import Ledger, filled, first_masks, presets_of_budget
from fsdesk.methods.problem import METHODS, End, Method, Problem, Search
from fsdesk.settings import setting

_ORIGINAL = "Kennedy and Eberhart 1997"


@METHODS.register(
    "swarm",
    title="Particle swarm",
    summary="A swarm of subsets drifts toward the best subsets found by each particle and by the whole swarm.",
    reference="X. Wang, J. Yang, X. Teng, W. Xia and R. Jensen, Feature Selection Based on Rough Sets and Particle "
    "Swarm Optimization, Pattern Recognition Letters 28 (2007); J. Kennedy and R. Eberhart, A Discrete Binary Version "
    "of the Particle Swarm Algorithm, IEEE International Conference on Systems, Man, and Cybernetics (1997)",
    presets=presets_of_budget("particles"),
)
class ParticleSwarm(Method):
    """The whole swarm is measured in one proposal."""

    max_iterations: int = setting(
        100,
        title="Max. iterations",
        help="Number of moves of the swarm after which the search ends, including its random start.",
        source="as many measurements as the genetic algorithm takes in the paper",
        ge=1,
        le=1_000_000,
    )
    stall_limit: int = stall_setting(25, "paper, section Method Parameters: 25 % of the iterations")
    particles: int = setting(
        30,
        title="Particles",
        help="Number of subsets in the swarm, all measured in parallel.",
        unit="subsets",
        source="as in the paper's genetic algorithm",
        ge=1,
        le=1000,
    )
    inertia: float = setting(
        1.0,
        title="Inertia",
        help="Share of its velocity that a particle keeps from one move to the next.",
        source=f"{_ORIGINAL}: all of it",
        ge=0,
        le=2,
    )
    own_pull: float = setting(
        2.0,
        title="Pull of own best",
        help="How strongly a particle is drawn to the best subset it has found itself.",
        source=_ORIGINAL,
        ge=0,
        le=10,
    )
    swarm_pull: float = setting(
        2.0,
        title="Pull of swarm best",
        help="How strongly a particle is drawn to the best subset found by the swarm.",
        source=_ORIGINAL,
        ge=0,
        le=10,
    )
    max_velocity: float = setting(
        6.0,
        title="Max. velocity",
        help="Limits the certainty of a choice: at 6, a feature still flips once in 400 times; at 3, once in 20.",
        source=_ORIGINAL,
        gt=0,
        le=20,
    )

    def measurements(self, features: int) -> int:
        """One for every particle in every iteration."""
        return self.particles * self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Move the swarm; the weights are the mean sigmoid of its velocities."""
        ledger = Ledger(problem)
        x = first_masks(problem, self.particles, rng)
        v = np.zeros(x.shape)
        own, y_own = x, np.full(len(x), np.inf)
        for k in problem.steps(self.max_iterations):
            if end := ledger.end(self.stall_limit):
                return end
            y = yield from ledger.measure(x, k, sigmoid(v).mean(axis=0))
            better = y < y_own
            own, y_own = np.where(better[:, None], x, own), np.where(better, y, y_own)
            swarm = own[np.argmin(y_own)]
            v = (
                self.inertia * v
                + self.own_pull * rng.random(v.shape) * (own.astype(np.int8) - x)
                + self.swarm_pull * rng.random(v.shape) * (swarm.astype(np.int8) - x)
            )
            v = np.clip(v, -self.max_velocity, self.max_velocity)
            x = filled(rng.random(v.shape) < sigmoid(v), rng)
        return End(
            message(
                "all {max_iterations:,} iterations done", max_iterations=self.max_iterations + problem.more_iterations
            )
        )


def sigmoid(v: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability that a feature is selected: 1 / (1 + exp(-v))."""
    return 1.0 / (1.0 + np.exp(-v))
