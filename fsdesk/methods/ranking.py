"""Ranking: features ranked by the scores of a filter, with their number chosen by measurement."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.problem import LATE, METHODS, Filter, Loss, Mask, Problem, Proposal, Search
from fsdesk.methods.sequential import BySize, Point
from fsdesk.settings import Preset, setting


@METHODS.register(
    "ranking",
    title="Ranking",
    summary="Ranks features individually by a statistic, then measures the best 1, 2, 4, 8, ... to find out how many "
    "are worth keeping.",
    reference="I. Guyon and A. Elisseeff, An Introduction to Variable and Feature Selection, Journal of Machine "
    "Learning Research 3 (2003), section 2; ReliefF: M. Robnik-Sikonja and I. Kononenko, Theoretical and Empirical "
    "Analysis of ReliefF and RReliefF, Machine Learning 53 (2003); mutual information: B. C. Ross, Mutual Information "
    "between Discrete and Continuous Data Sets, PLoS ONE 9 (2014)",
    presets=(
        Preset(
            "F statistic",
            {"score": "f", "refinements": 5},
            help="The fastest score: how far apart the class means are, or how closely a numeric target follows the "
            "feature.",
        ),
        Preset(
            "mutual information",
            {"score": "mutual information", "refinements": 5},
            help="Detects nonlinear relations, but takes longer on wide tables.",
        ),
        Preset(
            "ReliefF",
            {"score": "relieff", "refinements": 5},
            help="Compares neighboring rows, so it can find features that help only in combination.",
        ),
        Preset(
            "coarse",
            {"score": "f", "refinements": 0, "confirmations": 1},
            help="Only the sizes 1, 2, 4, 8, ... by the F statistic: a first look at a very wide table.",
        ),
        Preset(
            "fine",
            {"score": "f", "refinements": 20, "confirmations": 10},
            help="Ranks by the F statistic and narrows the search down to single sizes; each is measured ten times.",
        ),
    ),
)
class Ranking(BySize):
    """The k features with the largest scores, for values of k that double and are then refined around the best one.

    A given start is measured together with these, as a further subset to choose from.
    """

    score: Filter = setting(
        "f",
        title="Score",
        help="Statistic used to rank the features: ANOVA F, mutual information with the target, or ReliefF, which "
        "compares nearest neighbors.",
        source="the fastest of the three, and the most widely used",
        choices={"f": "F statistic", "mutual information": "mutual information", "relieff": "ReliefF"},
    )
    refinements: int = setting(
        5,
        title="Refinements",
        help="Number of times the sizes halfway between the best one and its two neighbors are also measured.",
        source="five halvings of the gap between two sizes",
        ge=0,
        le=100,
    )

    def measurements(self, features: int) -> int:
        """The measurements of all sizes, of two sizes per refinement, and of the confirmations."""
        low, high = self.sizes(features)
        sizes = min(len(ladder(low, high)) + 2 * self.refinements, high - low + 1)
        return sizes * (1 + self.confirmations)

    def start_measurements(self) -> int:
        """One measurement of the start in addition to those of the sizes, and its confirmations."""
        return 1 + self.confirmations

    def asks_filters(self, features: int) -> bool:
        """True: the ranking always comes from a filter."""
        return True

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """All sizes are compared on the folds of the full set's measurement, then confirmed on new ones."""
        p = problem.features
        order = np.argsort(-problem.scores(self.score), kind="stable")  # of two equal features the earlier is first
        weights = np.empty(p)
        weights[order] = 1 - np.arange(p) / p
        low, high = self.sizes(p)
        begun = [] if problem.start is None else [problem.start]
        given: list[Point] = []
        measured: dict[int, Point] = {}
        sizes = ladder(low, high)[: max(1, problem.budget - len(begun))]
        taken = iteration = 0
        while sizes:
            masks = [top(order, size) for size in sizes] + begun[: problem.budget - taken - len(sizes)]
            allowed = [low <= int(mask.sum()) <= high for mask in masks]
            losses: Sequence[Loss] = yield Proposal(masks, allowed, iteration, weights, folds=0)
            points = [Point.of(mask, [y]) for mask, y in zip(masks, losses, strict=True)]
            measured |= dict(zip(sizes, points, strict=False))
            given += points[len(sizes) :]
            taken, begun = taken + len(masks), []
            sizes = halfway(measured) if iteration < self.refinements else []
            if sizes and self.confirmations and problem.is_late:
                left = problem.budget - max(taken, problem.measured)
                end = yield from self.answer(LATE, [*measured.values(), *given], problem, left, iteration)
                if problem.is_late:  # unless the user has allowed more meanwhile
                    return end
            if problem.budget - taken < len(sizes) + self.confirmations * (len(measured) + len(sizes)):
                break
            iteration += 1
        reason = (
            message("{measured:,} sizes measured", measured=len(measured))
            if len(measured) > 1
            else message("one size measured")
        )
        points, left = [*measured.values(), *given], problem.budget - max(taken, problem.measured)
        return (yield from self.answer(reason, points, problem, left, iteration))


def ladder(low: int, high: int) -> list[int]:
    """The sizes: ``low``, the powers of two in between, and ``high``."""
    doubling = [2**k for k in range(high.bit_length()) if low < 2**k < high]
    return [low, *doubling, high] if low < high else [low]


def halfway(measured: dict[int, Point]) -> list[int]:
    """Unmeasured sizes halfway between the best one (the smaller of two equal ones) and its neighbors."""
    sizes = sorted(measured)
    best = min(sizes, key=lambda size: measured[size].mean)
    place = sizes.index(best)
    neighbours = [*sizes[max(0, place - 1) : place], *sizes[place + 1 : place + 2]]
    return [middle for size in neighbours if (middle := (best + size) // 2) not in measured]


def top(order: NDArray[np.int64], size: int) -> Mask:
    """The mask of the first ``size`` features of a ranking."""
    mask = np.zeros(len(order), dtype=np.bool_)
    mask[order[:size]] = True
    return mask
