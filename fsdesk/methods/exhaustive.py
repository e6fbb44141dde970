"""Exhaustive search: every subset of a small table."""

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb

import numpy as np

from fsdesk.errors import SettingsError
from fsdesk.messages import message
from fsdesk.methods.problem import LATE, METHODS, Mask, Problem, Proposal, Search
from fsdesk.methods.sequential import BATCH, BySize, Point
from fsdesk.settings import Preset, setting

MOST_FEATURES = 20
MOST_SUBSETS: int = 2**MOST_FEATURES - 1
_WIDEST = {2: 1447, 3: 184, 4: 71}  # by size limit, the number of features with as many subsets as allowed


@METHODS.register(
    "exhaustive",
    title="Exhaustive",
    summary="Measures every subset of up to 20 features (at most a million), or every small subset of more features, "
    "all on the same folds: slow but exact.",
    reference="T. M. Cover and J. M. Van Campenhout, On the Possible Orderings in the Measurement Selection Problem, "
    "IEEE Transactions on Systems, Man and Cybernetics 7 (1977)",
    presets=(
        Preset(
            "all sizes",
            {"max_size": 0, "confirmations": 0},
            help="Every subset of up to 20 features: 1,023 measurements for 10, over a million for 20.",
            max_features=MOST_FEATURES,
        ),
        Preset(
            "all sizes, confirmed",
            {"max_size": 0, "confirmations": 10},
            help="The same; then the best subset of each size is measured ten times on new folds to choose the result.",
            max_features=MOST_FEATURES,
        ),
        *(
            Preset(
                f"up to {size} features",
                {"max_size": size, "confirmations": 3},
                help=f"Every subset of at most {size} features, for tables with up to {most:,} of them.",
                max_features=most,
            )
            for size, most in _WIDEST.items()
        ),
    ),
)
class Exhaustive(BySize):
    """All subsets of size 1, then of size 2, and so on; limits on the size make it feasible for wider tables.

    A given start is measured first, so that the result is no worse even with a small budget.
    """

    confirmations: int = setting(
        0,
        title="Confirmations",
        zero="none",
        help="Number of times the best subset of each size is re-estimated at the end, on new folds shared by "
        "all. This gives the curve of error against size and chooses the result. 0 keeps the best on the "
        "folds searched.",
        source="the exact optimum on the folds searched",
        ge=0,
        le=1000,
    )

    def check(self, features: int) -> None:
        """Raise SettingsError if there are more subsets than for 20 features."""
        if self._subsets(features) > MOST_SUBSETS:
            raise SettingsError(
                "Exhaustive search measures at most {most_subsets:,} subsets, and {features} features have more. "
                "Keep {most_features} features with a prefilter, lower max_size, or choose another method.",
                most_subsets=MOST_SUBSETS,
                features=features,
                most_features=MOST_FEATURES,
            )

    def measurements(self, features: int) -> int:
        """Every allowed subset and the confirmations; a table with too many is refused at the outset."""
        low, high = self.sizes(features)
        return min(self._subsets(features), MOST_SUBSETS) + self.confirmations * (high - low + 1)

    def start_measurements(self) -> int:
        """One measurement in addition to all subsets."""
        return 1

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Measure sizes in ascending order, so that of two equal subsets the smaller one wins; see :meth:`check`."""
        p = problem.features
        self.check(p)
        low, high = self.sizes(p)
        begun = given = [] if problem.start is None else [problem.start]
        taken = 0
        best: dict[int, Point] = {}
        for size in range(low, high + 1):
            subsets = combinations(range(p), size)
            while masks := begun + batch(subsets, p, min(BATCH, problem.budget - taken - len(begun))):
                losses = yield Proposal(masks, [low <= int(mask.sum()) <= high for mask in masks], size, folds=0)
                taken, begun = taken + len(masks), []
                for mask, loss in zip(masks, losses, strict=True):
                    point = Point.of(mask, [loss])
                    if point.size not in best or point.mean < best[point.size].mean:
                        best[point.size] = point
                if self.confirmations and problem.is_late:
                    left = problem.budget - max(taken, problem.measured)
                    end = yield from self.answer(LATE, list(best.values()), problem, left, size)
                    if problem.is_late:  # unless the user has allowed more meanwhile
                        return end
        complete = taken - len(given) == self._subsets(p)
        reason = (
            _all_of(low, high, p)
            if complete
            else message("the budget of {budget:,} measurements is used up", budget=problem.budget)
        )
        left = problem.budget - max(taken, problem.measured)
        return (yield from self.answer(reason, list(best.values()), problem, left, high))

    def _subsets(self, features: int) -> int:
        """Number of subsets; sizes beyond the limit are not counted."""
        low, high = self.sizes(features)
        total = 0
        for size in range(low, high + 1):
            total += comb(features, size)
            if total > MOST_SUBSETS:
                break
        return total


def _all_of(low: int, high: int, features: int) -> str:
    """The measured subsets, in words."""
    if low == 1:
        return (
            message("every subset measured")
            if high == features
            else message("every subset of at most {high} features measured", high=high)
        )
    if low < high:
        return message("every subset of {low} to {high} features measured", low=low, high=high)
    return message("every subset of {high} features measured", high=high)


def batch(subsets: Iterator[tuple[int, ...]], features: int, most: int) -> list[Mask]:
    """Masks of the next few subsets."""
    masks = []
    for places in islice(subsets, most):
        mask = np.zeros(features, dtype=np.bool_)
        mask[list(places)] = True
        masks.append(mask)
    return masks
