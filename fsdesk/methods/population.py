"""Random non-empty masks, and the record of measured masks shared by the metaheuristics."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.problem import End, Loss, Mask, Problem, Proposal
from fsdesk.settings import Preset

Masks = NDArray[np.bool_]
Asked = Generator[Proposal, Sequence[Loss], NDArray[np.float64]]


def presets_of_budget(members: str) -> tuple[Preset, Preset]:
    """Presets with the budgets of the paper's genetic algorithm; ``members`` is the setting of the population size."""
    return (
        Preset(
            "small",
            {members: 30, "max_iterations": 100, "stall_limit": 25},
            help="For tables with fewer than 100 features: 3000 measurements, the paper's budget.",
            max_features=99,
        ),
        Preset(
            "large",
            {members: 45, "max_iterations": 200, "stall_limit": 50},
            help="For tables with 100 features or more: 9000 measurements, the paper's budget.",
            min_features=100,
        ),
    )


def filled(masks: Masks, rng: np.random.Generator) -> Masks:
    """The (m, p) masks with one random feature added to each empty row; the input is not modified."""
    empty = np.flatnonzero(~masks.any(axis=1))
    whole = masks.copy()
    whole[empty, rng.integers(0, masks.shape[1], size=len(empty))] = True
    return whole


def first_masks(problem: Problem, count: int, rng: np.random.Generator) -> Masks:
    """(count, p) initial masks: each feature selected with probability 1/2; the user's start, if any, is the first."""
    masks = filled(rng.integers(0, 2, size=(count, problem.features), dtype=np.bool_), rng)
    if problem.start is not None and problem.start.any():
        masks[0] = problem.start
    return masks


@dataclass
class Ledger:
    """Number of measurements, and the smallest loss so far with its iteration, or that of the user's last extension.

    Attributes
    ----------
    taken
        Measurements requested so far.
    best, best_iteration, iteration
        Smallest mean so far; the iterations in which it and the last loss were received.
    """

    problem: Problem
    taken: int = 0
    best: float = np.inf
    best_iteration: int = 0
    iteration: int = 0
    extensions: int = 0

    @property
    def left(self) -> int:
        """Measurements that may still be requested."""
        return self.problem.budget - self.taken

    def measure(
        self,
        masks: Masks | Sequence[Mask],
        iteration: int,
        weights: NDArray[np.float64],
        trace: Mapping[str, float] | None = None,
    ) -> Asked:
        """Measure all masks in one proposal, each as a candidate; if the budget ends, only the first ones.

        Returns
        -------
        (len(masks),) means; infinite, the worst, if a loss is not finite or was not measured.
        """
        asked = list(masks[: self.left])
        losses = yield Proposal(asked, (True,) * len(asked), iteration, weights, trace or {})
        y = np.full(len(masks), np.inf)
        heard = np.array([loss.mean for loss in losses])
        y[: len(heard)] = np.where(np.isfinite(heard), heard, np.inf)
        self.taken += len(asked)
        self.iteration = iteration
        if y.min() < self.best:
            self.best, self.best_iteration = float(y.min()), iteration
        return y

    def end(self, stall_limit: int) -> End | None:
        """The end of the search, if the budget is used up or too many iterations brought no improvement; else None."""
        if self.left <= 0:
            return End(message("the budget of measurements is used up"))
        if self.problem.extensions > self.extensions:
            self.best_iteration, self.extensions = self.iteration, self.problem.extensions
        if self.iteration - self.best_iteration > stall_limit:
            return End(message("no better subset for more than {stall_limit:,} iterations", stall_limit=stall_limit))
        return None
