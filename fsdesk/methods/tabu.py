"""Tabu search: always moves to the best neighbor, even a worse one, but not straight back (Tahir et al. 2007)."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.population import Ledger, Masks, first_masks
from fsdesk.methods.problem import METHODS, End, Mask, Method, Problem, Search
from fsdesk.settings import Preset, setting

_ROOT = "the square root of the number of features, a common rule"


@METHODS.register(
    "tabu",
    title="Tabu search",
    summary="Moves from subset to subset one feature at a time, always to the best neighbor measured, and does not "
    "undo a change for a while. This is slow with thousands of features.",
    reference="M. A. Tahir, A. Bouridane and F. Kurugollu, Simultaneous Feature Selection and Feature Weighting Using "
    "Hybrid Tabu Search/K-Nearest Neighbor Classifier, Pattern Recognition Letters 28 (2007)",
    presets=(
        Preset(
            "small",
            {"max_iterations": 400, "neighbours": 0},
            help="For tables with fewer than 100 features: about 3000 measurements, the paper's budget.",
            max_features=99,
        ),
        Preset(
            "large",
            {"max_iterations": 400, "neighbours": 22},
            help="For tables with 100 features or more: about 9000 measurements, the paper's budget.",
            min_features=100,
        ),
    ),
)
class Tabu(Method):
    """A sample of the neighborhood is measured in one proposal."""

    max_iterations: int = setting(
        400,
        title="Max. moves",
        help="Number of moves after which the search ends.",
        source="about 3000 measurements for 60 features, the paper's budget",
        ge=1,
        le=1_000_000,
    )
    stall_limit: int = setting(
        100,
        title="Stall limit",
        help="Ends the search early when the best error has not improved for more than this many moves.",
        unit="moves",
        source="paper, section Method Parameters: 25 % of the iterations",
        ge=1,
        le=1_000_000,
    )
    neighbours: int = setting(
        0,
        title="Neighbors",
        zero="auto",
        help="Number of subsets, each one feature away, measured before a move; 0 uses the square root of the "
        "number of features.",
        unit="subsets",
        source=_ROOT,
        ge=0,
        le=100_000,
    )
    tenure: int = setting(
        0,
        title="Tenure",
        zero="auto",
        help="Number of moves during which a switched feature may not be switched back; 0 uses the square root of "
        "the number of features.",
        unit="moves",
        source=_ROOT,
        ge=0,
        le=1_000_000,
    )

    def sampled(self, features: int) -> int:
        """Number of neighbors measured before a move; at most the number of features."""
        return min(features, self.neighbours or _root(features))

    def measurements(self, features: int) -> int:
        """The first subset, then a sample of neighbors before every move."""
        return 1 + self.max_iterations * self.sampled(features)

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Make one move after another; the weights are the current subset."""
        p, tenure = problem.features, self.tenure or _root(problem.features)
        ledger = Ledger(problem)
        mask = first_masks(problem, 1, rng)[0]
        free_at = np.zeros(p, dtype=np.int64)
        yield from ledger.measure([mask], 0, mask.astype(np.float64))
        for k in problem.steps(self.max_iterations, first=1):
            if end := ledger.end(self.stall_limit):
                return end
            features = rng.choice(_movable(mask), size=min(self.sampled(p), len(_movable(mask))), replace=False)
            if not len(features):
                return End(message("there is no other subset"))
            best = ledger.best
            y = yield from ledger.measure(flipped(mask, features), k, mask.astype(np.float64))
            allowed = (free_at[features] <= k) | (y < best)  # aspiration: better than anything so far is never tabu
            chosen = features[np.argmin(np.where(allowed, y, np.inf))] if allowed.any() else features[np.argmin(y)]
            mask = flipped(mask, chosen[None])[0]
            free_at[chosen] = k + tenure + 1
        return End(
            message("all {max_iterations:,} moves done", max_iterations=self.max_iterations + problem.more_iterations)
        )


def flipped(mask: Mask, features: NDArray[np.intp]) -> Masks:
    """(m, p) copies of a mask, each with one of the (m,) features flipped."""
    masks = np.tile(mask, (len(features), 1))
    masks[np.arange(len(features)), features] ^= True
    return masks


def _movable(mask: Mask) -> NDArray[np.intp]:
    """The features that may be flipped without emptying the mask."""
    return np.flatnonzero(~mask) if mask.sum() == 1 else np.arange(len(mask))


def _root(features: int) -> int:
    return int(np.ceil(np.sqrt(features)))
