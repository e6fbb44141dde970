"""Ranking and selection: finding the best of many masks from a few noisy measurements of each.

The smallest of many noisy measurements is optimistic, so the leaders are measured again, all on the same new folds
(common random numbers), in rungs of fewer masks and more measurements (J. Boesel, B. L. Nelson and S.-H. Kim, Using
Ranking and Selection to "Clean Up" after Simulation Optimization, Operations Research 51, 2003).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fsdesk.methods.problem import Loss, Mask, Proposal

Ask = Generator[Proposal, Sequence[Loss], "Confirmed | None"]


@dataclass
class Seen:
    """Every mask measured so far, bit-packed, with the running mean of its losses."""

    _totals: dict[bytes, float] = field(default_factory=dict)
    _times: dict[bytes, int] = field(default_factory=dict)
    _features: int = 0

    def hear(self, masks: Sequence[Mask], losses: Sequence[Loss]) -> None:
        """Add one measurement of each mask; a non-finite loss excludes its mask."""
        for mask, loss in zip(masks, losses, strict=True):
            key, self._features = np.packbits(mask).tobytes(), len(mask)
            self._totals[key] = self._totals.get(key, 0.0) + (loss.mean if np.isfinite(loss.mean) else np.inf)
            self._times[key] = self._times.get(key, 0) + 1

    def best(self, most: int) -> list[Mask]:
        """Up to ``most`` masks with the smallest finite means, the best first; ties are broken by their order."""
        means = {key: total / self._times[key] for key, total in self._totals.items() if np.isfinite(total)}
        return [self._mask(key) for key in sorted(means, key=means.__getitem__)[:most]]

    def _mask(self, key: bytes) -> Mask:
        return np.unpackbits(np.frombuffer(key, dtype=np.uint8), count=self._features).astype(np.bool_)


@dataclass(frozen=True)
class Rungs:
    """Number of finalists at the start and at the end of a race, and how often each of them is measured."""

    first: int = 10
    first_times: int = 3
    last: int = 3
    last_times: int = 10

    @property
    def measurements(self) -> int:
        """The total number of measurements of a race."""
        return self.first * self.first_times + self.last * self.last_times

    def race(self, seen: Seen, most: int, proposal: Proposal) -> Ask:
        """Remeasure the best masks seen, then the best of these, and return the winner.

        Parameters
        ----------
        most
            Measurements that the race may take; if they do not suffice for all of it, fewer masks are raced.
        proposal
            Gives the iteration, weights and trace shown with the race.

        Returns
        -------
        The winner as measured on the last rung; None if nothing could be measured.
        """
        share = min(1.0, most / max(1, self.measurements))
        finalists = seen.best(max(1, min(self.first, int(share * self.first))))
        taken = 0
        if len(finalists) > 1:
            times = min(self.first_times, most // len(finalists))
            points = yield from confirm(finalists, times, proposal)
            taken = times * len(finalists)
            finalists = [point.mask for point in points]
        finalists = finalists[: min(self.last, most - taken)]
        if not finalists:
            return None
        points = yield from confirm(finalists, min(self.last_times, (most - taken) // len(finalists)), proposal)
        return points[0] if points else None


@dataclass(frozen=True, eq=False)
class Confirmed:
    """A remeasured mask, on the same folds as its rivals.

    Attributes
    ----------
    mean, std_error
        Over its measurements; for a single one, the standard error is over its repeats.
    times
        Number of measurements.
    """

    mask: Mask
    mean: float
    std_error: float
    times: int


def confirm(
    masks: Sequence[Mask], times: int, proposal: Proposal
) -> Generator[Proposal, Sequence[Loss], list[Confirmed]]:
    """Measure all masks ``times`` times, each time all on the same new folds.

    Returns
    -------
    The masks with a finite mean, the smallest first; ties go to the one with fewer features.
    """
    if times < 1:
        return []
    means = np.empty((times, len(masks)))
    losses: Sequence[Loss] = ()
    for row in means:
        losses = yield Proposal(
            masks,
            (False,) * len(masks),
            proposal.iteration,
            proposal.weights,
            proposal.trace,
            folds="shared",
            confirms=True,
        )
        row[:] = [loss.mean for loss in losses]
    points = [
        Confirmed(mask, float(column.mean()), _std_error(column, loss), times)
        for mask, column, loss in zip(masks, means.T, losses, strict=True)
        if np.isfinite(column).all()
    ]
    return sorted(points, key=lambda point: (point.mean, int(point.mask.sum())))


def _std_error(means: NDArray[np.float64], loss: Loss) -> float:
    return float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else loss.std_error
