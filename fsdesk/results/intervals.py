"""Confidence intervals of held-out errors and of their paired differences, which count rows.

A loss that was judged on rows held out, its variance, and how many rows (or groups of rows) stand behind it give the
interval. Losses with a largest value, such as errors and areas under curves, are taken for shares: Wilson's score
interval with the effective number of rows, which is the number that would give a share this variance (Korn & Graubard,
Survey Methodology 24, 1998), so that no miss among 60 rows means "0 to 6 %" and not "0 to 0 %". Differences of such
losses get the pseudo-rows of Agresti & Min (Statistics in Medicine 24, 2005), which never let an interval shrink to a
point. Other losses, such as the RMSE, get an interval on a logarithmic scale.

Held-out rows are not all: the answer is that of one search among those that other rows would have led to, and
trained on all rows. ``INFLATION`` allows for it. It was chosen, as was the method, by simulation:
``tests/bench/honest_intervals.py``.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

__all__ = ["INFLATION", "LEVEL", "Interval", "Support", "difference_interval", "jackknife", "loss_interval"]

LEVEL = 0.95
INFLATION = 1.25
"""By how much the variance of held-out rows is multiplied; see the module."""

_MOST_DELETIONS = 400
_FEW = 2.0
"""Misses below which the variance that they show is trusted less than that which is expected."""

Floats = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Support:
    """What stands behind a loss.

    Attributes
    ----------
    rows
        Number of held-out rows.
    blocks
        Number of groups of rows that belong together; that of the rows where there are no groups.
    evenness
        Up to 1: how many rows of even classes would say as much as these, as a share of them, where every class counts
        as much as another; 1 for criteria that count rows alike.
    scale
        The largest loss of a bounded criterion; the loss of a trivial predictor for others.
    bounded
        Whether there is a largest loss.
    """

    rows: int
    blocks: int
    evenness: float = 1.0
    scale: float = 1.0
    bounded: bool = True

    @property
    def quantile(self) -> float:
        """Of Student's t, with a degree of freedom less than there are blocks."""
        return float(student.ppf((1 + LEVEL) / 2, max(1, self.blocks - 1)))

    @property
    def independent(self) -> float:
        """At least how many independent rows of even classes these are worth."""
        return max(1.0, self.blocks * self.evenness)


def jackknife(losses: Callable[[NDArray[np.bool_]], Floats], blocks: NDArray[np.int64]) -> Floats:
    """(m, m) covariances of m losses over the blocks of rows, each block left out in its turn.

    Of more than 400 blocks, several are left out together (the delete-a-group jackknife).

    Parameters
    ----------
    losses
        Of (g, n) rows to keep: (g, m) losses of those.
    blocks
        (n,) block of each row.
    """
    codes = np.unique(blocks, return_inverse=True)[1]
    groups = min(int(codes.max()) + 1, _MOST_DELETIONS)
    if groups < 2:
        losses_of_all = losses(np.ones((1, len(blocks)), dtype=np.bool_))
        return np.full((losses_of_all.shape[1],) * 2, np.inf)
    codes = codes % groups
    at_once = max(1, 1_000_000 // len(codes))
    parts = [
        losses(codes[None, :] != np.arange(first, min(first + at_once, groups))[:, None])
        for first in range(0, groups, at_once)
    ]
    left_out = np.concatenate(parts)
    off = left_out - left_out.mean(axis=0)
    return np.asarray((groups - 1) / groups * (off.T @ off))


def loss_interval(loss: float, variance: float, support: Support) -> Interval | None:
    """The 95 % interval of a loss whose held-out rows give it this variance; None where that is not finite."""
    if not (math.isfinite(loss) and math.isfinite(variance)):
        return None
    quantile = support.quantile
    if not support.bounded:
        if loss <= 0:
            return 0.0, support.scale * _wilson(0.0, support.independent / INFLATION, quantile)[1]
        half = quantile * math.sqrt(INFLATION * variance) / loss
        return loss * math.exp(-half), loss * math.exp(half)
    share = min(1.0, max(0.0, loss / support.scale))
    spread = share * (1 - share)
    expected = 1.0 / support.independent
    seen = variance / support.scale**2 / spread if spread > 0 else expected
    trust = min(share, 1 - share) * support.blocks
    trust /= trust + _FEW
    one = max(trust * seen + (1 - trust) * expected, 1.0 / support.rows)  # the variance of a share, over share(1-share)
    low, high = _wilson(share, 1.0 / (INFLATION * one), quantile)
    return support.scale * low, support.scale * high


def _wilson(share: float, rows: float, quantile: float) -> Interval:
    """Wilson's score interval of a share (Journal of the American Statistical Association 22, 1927)."""
    more = quantile**2 / rows
    middle = (share + more / 2) / (1 + more)
    half = quantile * math.sqrt(share * (1 - share) / rows + more / (4 * rows)) / (1 + more)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference_interval(difference: float, variance: float, support: Support) -> Interval | None:
    """The 95 % interval of the difference of two losses on the same rows, which give it this variance."""
    if not (math.isfinite(difference) and math.isfinite(variance)):
        return None
    quantile = support.quantile
    if not support.bounded:
        half = quantile * math.sqrt(INFLATION * variance)
        return difference - half, difference + half
    # Two pseudo-rows: half a row in which only the one misses, half in which only the other does, one of no difference.
    rows, scale = support.independent, support.scale
    middle = difference * rows / (rows + 2)
    squares = rows**2 * variance + rows * difference**2 + scale**2
    spread = max(0.0, squares - (rows + 2) * middle**2) / (rows + 2) ** 2
    half = quantile * math.sqrt(INFLATION * spread)
    return max(-scale, middle - half), min(scale, middle + half)
