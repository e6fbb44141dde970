"""Random subsets: the null reference that every method must beat at the same budget."""

from typing import Literal

import numpy as np

from fsdesk.messages import message
from fsdesk.methods.problem import METHODS, End, Mask, Method, Problem, Proposal, Search
from fsdesk.settings import Preset, setting

BATCH = 16  # masks of one proposal: enough to use all cores of a desktop, few enough to show progress


@METHODS.register(
    "random",
    title="Random subsets",
    summary="Draws random subsets and keeps the best, which shows what chance alone achieves with the same number of "
    "measurements.",
    reference="J. Bergstra and Y. Bengio, Random Search for Hyper-Parameter Optimization, Journal of Machine Learning "
    "Research 13 (2012)",
    presets=(
        Preset(
            "paper's budget, small",
            {"max_iterations": 3000},
            help="The paper's budget for tables with fewer than 100 features.",
            max_features=99,
        ),
        Preset(
            "paper's budget, large",
            {"max_iterations": 9000},
            help="The paper's budget for tables with 100 features or more.",
            min_features=100,
        ),
    ),
)
class RandomSearch(Method):
    """Independent subsets, none empty; the smallest single measurement is the result."""

    max_iterations: int = setting(
        3000,
        title="Max. subsets",
        help="Number of random subsets measured; each is one iteration.",
        source="paper, section Method Parameters: the budget of its searches for small tables",
        ge=1,
        le=100_000_000,
    )
    stall_limit: int = setting(
        0,
        title="Stall limit",
        zero="none",
        help="Ends the search early when this many subsets in a row fail to improve on the best; 0 draws them all.",
        unit="subsets",
        source="off: a reference method should use its whole budget",
        ge=0,
        le=100_000_000,
        level="all",
    )
    draw: Literal["features", "size"] = setting(
        "features",
        title="Drawing",
        help="Flips a coin for each feature, so that nearly all subsets contain about half the features, or draws the "
        "size first, uniformly from 1 to all.",
        source="the paper's genetic algorithm starts from random bit strings",
        choices={"features": "A coin for each feature", "size": "Size first, then features"},
    )

    def measurements(self, features: int) -> int:
        """One for each subset."""
        return self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Measure batch after batch, whatever the losses; a given start is the first subset."""
        taken = best_at = extensions = 0
        best, first = np.inf, [] if problem.start is None else [problem.start]
        while left := min(self.max_iterations + problem.more_measurements, problem.budget) - taken:
            masks = first + [self._drawn(problem.features, rng) for _ in range(min(BATCH, left) - len(first))]
            for loss in (yield Proposal(masks, [True] * len(masks), taken)):
                taken += 1
                if loss.mean < best:
                    best, best_at = loss.mean, taken
            first = []
            if problem.extensions > extensions:
                best_at, extensions = taken, problem.extensions
            if 0 < self.stall_limit < taken - best_at:
                return End(
                    message("no better subset for more than {stall_limit:,} measurements", stall_limit=self.stall_limit)
                )
        return End(message("all {taken:,} subsets measured", taken=taken))

    def _drawn(self, features: int, rng: np.random.Generator) -> Mask:
        if self.draw == "size":
            mask = np.zeros(features, dtype=np.bool_)
            mask[rng.choice(features, size=rng.integers(1, features + 1), replace=False)] = True
            return mask
        while not (mask := rng.random(features) < 0.5).any():
            continue  # an empty subset is not valid: every other one remains equally likely
        return mask
