"""Binary genetic algorithm, as the paper describes it (Oluleye et al. 2014).

Chromosomes are masks. Each generation keeps its elite and is filled up with children: two parents by tournament,
crossover, bit-flip mutation.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.population import Ledger, Masks, filled, first_masks
from fsdesk.methods.problem import METHODS, End, Method, Problem, Search
from fsdesk.settings import Preset, Value, setting

_TABLE = "paper, table of BGA parameters"
_TEXT = "paper, section Method Parameters"
_SMALL: dict[str, Value] = {"population": 30, "max_iterations": 100, "stall_limit": 25}
_LARGE: dict[str, Value] = {"population": 45, "max_iterations": 200, "stall_limit": 50}
_PAPER: dict[str, Value] = {
    "crossover": "xor",
    "crossover_probability": 0.8,
    "mutation_probability": 0.1,
    "elites": 2,
    "tournament": 2,
    "remeasure_elites": False,
}
_BETTER: dict[str, Value] = {**_PAPER, "crossover": "uniform", "mutation_probability": 0.02, "remeasure_elites": True}


@METHODS.register(
    "bga",
    title="Genetic algorithm",
    summary="Evolves a population of subsets: good ones are crossed and mutated. The paper's XOR crossover hardly "
    "passes on what made the parents good; the recommended presets use uniform crossover instead.",
    reference="B. Oluleye, L. Armstrong, J. Leng and D. Diepeveen, A Genetic Algorithm-Based Feature Selection, "
    "International Journal of Electronics Communication and Computer Engineering 5 (2014)",
    presets=(
        Preset(
            "paper, small",
            {**_SMALL, **_PAPER},
            help="The paper's values for tables with fewer than 100 features: at most 3000 measurements.",
            max_features=99,
        ),
        Preset(
            "paper, large",
            {**_LARGE, **_PAPER},
            help="The paper's values for tables with 100 features or more: at most 9000 measurements.",
            min_features=100,
        ),
        Preset(
            "recommended",
            {**_SMALL, **_BETTER},
            help="The paper's budget with uniform crossover, fewer mutations, and a re-estimated elite.",
        ),
        Preset(
            "recommended, large",
            {**_LARGE, **_BETTER},
            help="The same with the paper's population and generations for tables with 100 features or more.",
            min_features=100,
        ),
    ),
)
class BGA(Method):
    """A generation is measured in one proposal; the elite keeps its losses."""

    max_iterations: int = setting(
        100,
        title="Max. generations",
        help="Number of generations after which the search ends, including the random first one.",
        source=_TABLE,
        ge=1,
        le=1_000_000,
    )
    stall_limit: int = setting(
        25,
        title="Stall limit",
        help="Ends the search early when the best error has not improved for more than this many generations.",
        unit="generations",
        source=_TABLE,
        ge=1,
        le=1_000_000,
    )
    population: int = setting(
        30,
        title="Population",
        help="Number of subsets per generation, all measured in parallel.",
        unit="subsets",
        source=_TABLE,
        ge=2,
        le=1000,
    )
    crossover: Literal["xor", "uniform"] = setting(
        "xor",
        title="Crossover",
        help="How two parents are combined. Uniform is better: with all else as in the paper, it reached 6.6 "
        "instead of 8.3 % error on ionosphere and 7.7 instead of 9.2 % on sonar (four seeds, nearest "
        "neighbor).",
        source=f"{_TEXT}: two parents are combined via the XOR operator",
        choices={
            "xor": "XOR: features of only one parent (paper)",
            "uniform": "Uniform: each feature from either parent",
        },
    )
    crossover_probability: float = setting(
        0.8,
        title="Crossover probability",
        help="Probability that a child has two parents; otherwise it is a mutated copy of one.",
        source=_TABLE,
        ge=0,
        le=1,
    )
    mutation_probability: float = setting(
        0.1,
        title="Mutation probability",
        help="Probability that each feature of a child is added or removed.",
        source=_TABLE,
        ge=0,
        le=1,
    )
    elites: int = setting(
        2,
        title="Elite count",
        help="Number of best subsets that survive unchanged; at least one child is always created.",
        unit="subsets",
        source=_TABLE,
        ge=0,
        le=1000,
    )
    tournament: int = setting(
        2,
        title="Tournament size",
        help="Number of random subsets from which the best becomes a parent; larger values mean stronger selection.",
        unit="subsets",
        source=_TEXT,
        ge=1,
        le=1000,
        level="all",
    )
    remeasure_elites: bool = setting(
        False,
        title="Re-estimate the elite",
        help="Remeasures the elite in every generation, so that a subset that was good only by chance does not "
        "stay on top. This costs as many extra measurements.",
        source="losses are noisy: if kept, a value that is good by chance would stay forever",
        level="all",
    )

    @property
    def kept(self) -> int:
        """Number of survivors: the elite count, but never the whole population."""
        return min(self.elites, self.population - 1)

    def measurements(self, features: int) -> int:
        """The whole first generation, and then the children of each later one, with the elite if it is remeasured."""
        later = self.population if self.remeasure_elites else self.population - self.kept
        return self.population + (self.max_iterations - 1) * later

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Breed one generation after another; the weights are how often each feature occurs in the population."""
        ledger = Ledger(problem)
        masks = first_masks(problem, self.population, rng)
        y = yield from ledger.measure(masks, 0, masks.mean(axis=0))
        for generation in problem.steps(self.max_iterations - 1, first=1):
            if end := ledger.end(self.stall_limit):
                return end
            elite = np.argsort(y, kind="stable")[: self.kept]
            children = self.children(masks, y, rng)
            masks = np.concatenate([masks[elite], children])
            frequency = masks.mean(axis=0)
            if self.remeasure_elites:
                y = yield from ledger.measure(masks, generation, frequency)
            else:
                y_children = yield from ledger.measure(children, generation, frequency)
                y = np.concatenate([y[elite], y_children])
        return End(
            message(
                "all {max_iterations:,} generations done", max_iterations=self.max_iterations + problem.more_iterations
            )
        )

    def children(self, masks: Masks, y: NDArray[np.float64], rng: np.random.Generator) -> Masks:
        """The (population - kept, p) masks produced by parents chosen by their losses ``y``; none is empty."""
        count = self.population - self.kept
        mothers = masks[tournament(y, self.tournament, count, rng)]
        fathers = masks[tournament(y, self.tournament, count, rng)]
        crossed = xor(mothers, fathers) if self.crossover == "xor" else uniform(mothers, fathers, rng)
        has_two_parents = rng.random((count, 1)) < self.crossover_probability
        flips = rng.random(mothers.shape) < self.mutation_probability
        return filled(np.where(has_two_parents, crossed, mothers) ^ flips, rng)


def tournament(y: NDArray[np.float64], size: int, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Indices of ``count`` winners, each with the smallest loss of ``size`` drawn with replacement."""
    entrants = rng.integers(0, len(y), size=(count, size))
    winners: NDArray[np.intp] = entrants[np.arange(count), np.argmin(y[entrants], axis=1)]
    return winners


def xor(mothers: Masks, fathers: Masks) -> Masks:
    """A feature is selected if exactly one parent has it."""
    return mothers ^ fathers


def uniform(mothers: Masks, fathers: Masks, rng: np.random.Generator) -> Masks:
    """Each feature from either parent with equal probability."""
    return np.where(rng.integers(0, 2, size=mothers.shape, dtype=np.bool_), mothers, fathers)
