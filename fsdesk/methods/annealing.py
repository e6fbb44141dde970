"""Simulated annealing: worse subsets are accepted less and less often as it cools (Debuse & Rayward-Smith 1997)."""

import math

import numpy as np

from fsdesk.messages import message
from fsdesk.methods.population import Ledger, Masks, filled, first_masks
from fsdesk.methods.problem import METHODS, End, Mask, Method, Problem, Search
from fsdesk.settings import Preset, setting


@METHODS.register(
    "annealing",
    title="Simulated annealing",
    summary="Changes a subset at random and keeps every improvement; while the temperature is high, it also accepts "
    "some changes for the worse.",
    reference="J. C. W. Debuse and V. J. Rayward-Smith, Feature Subset Selection within a Simulated Annealing Data "
    "Mining Algorithm, Journal of Intelligent Information Systems 9 (1997)",
    presets=(
        Preset(
            "small",
            {"max_iterations": 750, "stall_limit": 750, "changed": 0.0},
            help="For tables with fewer than 100 features: about 3000 measurements, the paper's budget.",
            max_features=99,
        ),
        Preset(
            "large",
            {"max_iterations": 2250, "stall_limit": 2250, "changed": 0.02},
            help="For tables with 100 features or more: about 9000 measurements, the paper's budget.",
            min_features=100,
        ),
    ),
)
class Annealing(Method):
    """Measures the neighbors in one proposal; the first one accepted, in order, becomes the current subset."""

    max_iterations: int = setting(
        750,
        title="Temperatures",
        help="Number of cooling steps after which the search ends.",
        source="about the paper's budget, at four measurements per temperature",
        ge=1,
        le=1_000_000,
    )
    stall_limit: int = setting(
        750,
        title="Stall limit",
        help="Ends the search early when the best error has not improved for more than this many temperatures.",
        unit="temperatures",
        source="no fewer than the number of temperatures: the best subsets are found at the end of cooling",
        ge=1,
        le=1_000_000,
    )
    neighbours: int = setting(
        4,
        title="Neighbors",
        help="Number of changed subsets measured in parallel at each temperature; only the first accepted one becomes "
        "a move.",
        unit="subsets",
        source="enough to keep a few cores busy",
        ge=1,
        le=1000,
    )
    changed: float = setting(
        0.0,
        title="Share changed",
        zero="one",
        help="Share of all features that a change adds or removes; at least one feature.",
        source="one feature at a time; more if there are hundreds",
        ge=0,
        le=1,
    )
    first_acceptance: float = setting(
        0.2,
        title="Initial acceptance",
        help="Probability of accepting a typical change for the worse at the first temperature.",
        source="better than 0.5 on synthetic problems; adapts the temperature to the scale of any criterion",
        gt=0,
        lt=1,
    )
    last_temperature: float = setting(
        0.01,
        title="Final temperature",
        help="The final temperature as a share of the first; it falls by the same factor at every step.",
        source="a common choice: almost no change for the worse is accepted at the end",
        gt=0,
        le=1,
    )

    def measurements(self, features: int) -> int:
        """The first subset, and then its neighbors at every temperature."""
        return 1 + self.max_iterations * self.neighbours

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Go through the temperatures one after another; the weights are the current subset."""
        ledger = Ledger(problem)
        mask = first_masks(problem, 1, rng)[0]
        y_mask = (yield from ledger.measure([mask], 0, mask.astype(np.float64)))[0]
        rises, total = 0, 0.0
        for k in problem.steps(self.max_iterations):
            if end := ledger.end(self.stall_limit):
                return end
            masks = self.changes(mask, rng)
            typical = total / rises if rises else 0.0
            T = self.temperature(k, typical)
            y = yield from ledger.measure(masks, k + 1, mask.astype(np.float64), {"T": T})
            worse = y[np.isfinite(y) & (y > y_mask)] - y_mask
            rises, total = rises + len(worse), total + float(worse.sum())
            for neighbour, y_neighbour in zip(masks, y, strict=True):
                if accepted(y_neighbour - y_mask if y_neighbour > y_mask else 0.0, T, rng):
                    mask, y_mask = neighbour, y_neighbour
                    break
        return End(
            message(
                "all {max_iterations:,} temperatures done", max_iterations=self.max_iterations + problem.more_iterations
            )
        )

    def temperature(self, k: int, typical: float) -> float:
        """T_k = T_0 r^(k / (K - 1)), with T_0 such that a ``typical`` rise has the acceptance probability set."""
        first = typical / -math.log(self.first_acceptance)
        return first * float(self.last_temperature ** (k / max(1, self.max_iterations - 1)))

    def changes(self, mask: Mask, rng: np.random.Generator) -> Masks:
        """(neighbors, p) copies of a mask, each with some features flipped; none is empty."""
        p = len(mask)
        switched = max(1, round(self.changed * p))
        masks = np.tile(mask, (self.neighbours, 1))
        for row in masks:
            row[rng.choice(p, size=switched, replace=False)] ^= True
        return filled(masks, rng)


def accepted(rise: float, T: float, rng: np.random.Generator) -> bool:
    """Metropolis rule: always if the loss does not rise, otherwise with probability exp(-rise / T)."""
    return rise <= 0 or (T > 0 and bool(rng.random() < math.exp(-rise / T)))
