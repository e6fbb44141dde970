"""Ant colony: ants select features by the pheromone that good subsets left on them (Al-Ani 2005)."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import stall_setting
from fsdesk.methods.population import Ledger, Masks, first_masks, presets_of_budget
from fsdesk.methods.problem import METHODS, End, Mask, Method, Problem, Search
from fsdesk.settings import setting

_REFERENCE = "Al-Ani 2005"
_LEAST = 0.01  # relative to the largest pheromone: every feature remains reachable


@METHODS.register(
    "ants",
    title="Ant colony",
    summary="Ants build subsets: each keeps part of a good one and adds features shared by good subsets.",
    reference="A. Al-Ani, Feature Subset Selection Using Ant Colony Optimization, International Journal of "
    "Computational Intelligence 2 (2005)",
    presets=presets_of_budget("ants"),
)
class AntColony(Method):
    """The subsets of all ants are measured in one proposal."""

    max_iterations: int = setting(
        100,
        title="Max. iterations",
        help="Number of subsets each ant builds before the search ends, including the random first ones.",
        source="as many measurements as the genetic algorithm takes in the paper",
        ge=1,
        le=1_000_000,
    )
    stall_limit: int = stall_setting(25, "paper, section Method Parameters: 25 % of the iterations")
    ants: int = setting(
        30,
        title="Ants",
        help="Number of subsets built at a time, all measured in parallel.",
        unit="subsets",
        source="as in the paper's genetic algorithm",
        ge=1,
        le=1000,
    )
    best_ants: int = setting(
        10,
        title="Best ants",
        help="Number of best subsets so far that leave pheromone and are built upon.",
        unit="subsets",
        source="better than 3 and 5 on synthetic problems",
        ge=1,
        le=1000,
    )
    kept: float = setting(
        0.9,
        title="Share kept",
        help="Average share of a good subset that an ant keeps before adding features by pheromone.",
        source="better than 0.5 and 0.75 on synthetic problems",
        ge=0,
        le=1,
    )
    persistence: float = setting(
        0.75,
        title="Persistence rho",
        help="Share of the pheromone left after an iteration; lower values forget faster.",
        source=_REFERENCE,
        ge=0,
        le=1,
    )
    pheromone_power: float = setting(
        1.0,
        title="Pheromone exponent",
        help="How strongly pheromone raises the probability of adding a feature; 0 ignores the pheromone.",
        source=_REFERENCE,
        ge=0,
        le=10,
        level="all",
    )
    guide: Literal["none", "f", "mutual information", "relieff"] = setting(
        "none",
        title="Guide",
        help="A filter that scores each feature individually and draws the ants toward those that look useful on "
        "their own.",
        source="none: pheromone only; Al-Ani (2005) uses mutual information",
        choices={
            "none": "none",
            "f": "F statistic",
            "mutual information": "mutual information",
            "relieff": "ReliefF",
        },
    )
    guide_power: float = setting(
        1.0,
        title="Guide exponent",
        help="How strongly the ranking of the guide raises the probability of adding a feature; 0 ignores the guide.",
        source=_REFERENCE,
        ge=0,
        le=10,
        level="all",
    )

    def measurements(self, features: int) -> int:
        """Every ant in every iteration."""
        return self.ants * self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Carry out one iteration after another; the weights are each feature's pheromone relative to the largest."""
        ledger = Ledger(problem)
        guide = self.guidance(problem)
        pheromone = np.ones(problem.features)
        masks = first_masks(problem, self.ants, rng)
        best, y_best = masks[:0], np.empty(0)
        for k in problem.steps(self.max_iterations):
            if end := ledger.end(self.stall_limit):
                return end
            y = yield from ledger.measure(masks, k, pheromone / pheromone.max())
            best, y_best = np.concatenate([best, masks]), np.concatenate([y_best, y])
            order = np.argsort(y_best, kind="stable")[: self.best_ants]
            best, y_best = best[order], y_best[order]
            pheromone = self.persistence * pheromone + deposit(best, y_best)
            pheromone = np.maximum(pheromone, _LEAST * pheromone.max())
            attraction = pheromone**self.pheromone_power * guide
            masks = np.array([self.built(best[rng.integers(len(best))], attraction, rng) for _ in range(self.ants)])
        return End(
            message(
                "all {max_iterations:,} iterations done", max_iterations=self.max_iterations + problem.more_iterations
            )
        )

    def asks_filters(self, features: int) -> bool:
        """Whether a filter guides the ants."""
        return self.guide != "none"

    def guidance(self, problem: Problem) -> NDArray[np.float64]:
        """(p,) guidance in (0, 1]: each feature's relative filter rank, 1 for the best, to a power; 1 if unguided."""
        if self.guide == "none":
            return np.ones(problem.features)
        ranks = np.empty(problem.features)
        ranks[np.argsort(problem.scores(self.guide), kind="stable")] = np.arange(1, problem.features + 1)
        power: NDArray[np.float64] = (ranks / problem.features) ** self.guide_power
        return power

    def built(self, good: Mask, attraction: NDArray[np.float64], rng: np.random.Generator) -> Mask:
        """An ant's subset: about as many features as ``good``, partly kept from it, the rest drawn by attraction."""
        size = int(good.sum())
        spread = max(1, size // 10)
        size = int(np.clip(size + rng.integers(-spread, spread + 1), 1, len(good)))
        mask = good & (rng.random(len(good)) < self.kept)
        missing = size - int(mask.sum())
        if missing > 0 or not mask.any():
            mask[drawn(np.where(mask, 0.0, attraction), max(1, missing), rng)] = True
        return mask


def deposit(masks: Masks, y: NDArray[np.float64]) -> NDArray[np.float64]:
    """(p,) new pheromone: each subset leaves (y_worst - y) / (y_worst - y_best) on its features, 1 if all are equal.

    A subset with an infinite loss leaves none; if all are infinite, every feature gets 1, which is uninformative.
    """
    known = np.isfinite(y)
    if not known.any():
        return np.ones(masks.shape[1])
    worst, best = y[known].max(), y[known].min()
    shares = (worst - y[known]) / (worst - best) if worst > best else np.ones(int(known.sum()))
    left: NDArray[np.float64] = shares @ masks[known]
    return left


def drawn(attraction: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """``count`` distinct indices, drawn one after another in proportion to attraction; none with attraction 0."""
    waiting = np.full(len(attraction), np.inf)  # exponential race: the features with the smallest times are drawn
    open_to_all = attraction > 0
    waiting[open_to_all] = rng.exponential(size=int(open_to_all.sum())) / attraction[open_to_all]
    count = min(count, int(open_to_all.sum()))
    first: NDArray[np.intp] = np.argsort(waiting, kind="stable")[:count]
    return first
