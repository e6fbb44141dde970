"""Ranking: the features in the order of a filter's scores, and how many of them to take, by measuring."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.methods.problem import METHODS, Filter, Loss, Mask, Problem, Proposal, Search
from fsdesk.methods.sequential import BySize, Point
from fsdesk.settings import setting

__all__ = ["Ranking"]


@METHODS.register(
    "ranking",
    title="Ranking",
    summary="Ranks each feature by itself with a statistic, then measures the best 1, 2, 4, 8, ... of them to see how "
    "many are worth taking.",
    reference="I. Guyon and A. Elisseeff, An Introduction to Variable and Feature Selection, Journal of Machine "
    "Learning Research 3 (2003), section 2",
)
class Ranking(BySize):
    """The k features of the largest scores, for k on a ladder that doubles and is refined around the best k."""

    score: Filter = setting(
        "f",
        title="Score",
        help="The statistic that ranks the features: F of an analysis of variance, mutual information with the "
        "target, or ReliefF, which looks at near neighbours.",
        source="the quickest of the three, and the most widely used",
        choices={"f": "F statistic", "mutual information": "mutual information", "relieff": "ReliefF"},
    )
    refinements: int = setting(
        5,
        title="Refinements",
        help="How many times the sizes halfway to both neighbours of the best one are measured too.",
        source="five halvings of the gap between two sizes",
        ge=0,
        le=100,
    )

    def measurements(self, features: int) -> int:
        """The ladder, two sizes a refinement, and the confirmations of each."""
        low, high = self.sizes(features)
        sizes = min(len(ladder(low, high)) + 2 * self.refinements, high - low + 1)
        return sizes * (1 + self.confirmations)

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """All sizes are compared on the folds of the full set's measurement, then confirmed on new ones."""
        p = problem.features
        order = np.argsort(-problem.scores(self.score), kind="stable")  # of two equal features the earlier is first
        weights = np.empty(p)
        weights[order] = 1 - np.arange(p) / p
        low, high = self.sizes(p)
        taken = 0
        measured: dict[int, Point] = {}
        sizes = ladder(low, high)[: problem.budget]
        iteration = 0
        while sizes:
            masks = [top(order, size) for size in sizes]
            losses: Sequence[Loss] = yield Proposal(masks, [True] * len(masks), iteration, weights, folds=0)
            measured |= {size: Point.of(mask, [y]) for size, mask, y in zip(sizes, masks, losses, strict=True)}
            taken += len(sizes)
            sizes = halfway(measured) if iteration < self.refinements else []
            if problem.budget - taken < len(sizes) + self.confirmations * (len(measured) + len(sizes)):
                break
            iteration += 1
        reason = f"{len(measured)} sizes measured"
        return (yield from self.answer(reason, list(measured.values()), problem, problem.budget - taken, iteration))


def ladder(low: int, high: int) -> list[int]:
    """``low``, the powers of two between, ``high``."""
    doubling = [2**k for k in range(high.bit_length()) if low < 2**k < high]
    return [low, *doubling, high] if low < high else [low]


def halfway(measured: dict[int, Point]) -> list[int]:
    """Sizes not measured yet halfway from the best one, the smaller of two that are equal, to its neighbours."""
    sizes = sorted(measured)
    best = min(sizes, key=lambda size: measured[size].mean)
    place = sizes.index(best)
    neighbours = [*sizes[max(0, place - 1) : place], *sizes[place + 1 : place + 2]]
    return [middle for size in neighbours if (middle := (best + size) // 2) not in measured]


def top(order: NDArray[np.int64], size: int) -> Mask:
    """The mask of the first ``size`` features of an order."""
    mask = np.zeros(len(order), dtype=np.bool_)
    mask[order[:size]] = True
    return mask
