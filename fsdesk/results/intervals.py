"""Confidence intervals of losses on held-out rows, and of differences of two, which count rows.

A loss that was judged on held-out rows, its variance over them, and how many rows (or groups of rows) stand behind it
give the interval. Losses with a largest value, such as errors and areas under curves, are taken for shares, with the
number of rows that would give a share this variance (Korn & Graubard, Survey Methodology 24, 1998; bounds of Clopper &
Pearson): no miss among 60 rows means "0 to 6 %" and not "0 to 0 %". Differences of such losses get the pseudo-rows of
Agresti & Min (Statistics in Medicine 24, 2005), which never let an interval shrink to a point. Other losses, such as
the RMSE, get an interval on a logarithmic scale.

Rows are not all. The answer comes from one search among those that other training rows would have led to, and the
training rows of the folds overlap, so the held-out error varies about that of the answer by more than its rows say: by
hardly more where there is nothing to learn, by 1.6 to 2.1 times the variance where there is. Nadeau & Bengio (Machine
Learning 52, 2003) give 2.25 for five folds. Here the variance is multiplied by ``LEAST`` to ``LEAST + MORE``, as much
as the answer is better than chance, and grows by the variance of their mean that folds show beyond that of their rows.
Form and constants were chosen by simulation, in which the bootstrap and the intervals of Wilson and Jeffreys
cover too rarely and the corrected t fails where misses are few: ``tests/bench/honest_intervals.py``.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.checks import CLEAR
from fsdesk.measure import Criterion

LEVEL = 0.95
LEAST = 1.1
"""What a variance over rows is multiplied by where a search found no more than chance; see the module."""
MORE = 0.6
"""What is added to that where the answer is clearly better than chance."""
OF_SEVERAL, OF_PAIRS = (LEAST, CLEAR - LEAST), (1.0, 0.2)
"""The same of the mean loss of several models for each row, and of differences of such: the mean hardly depends on
which of the subsets that predict alike was found."""

_MOST_BLOCKS, _GROUPS = 400, 100  # left out one by one; of more, so many groups of them
_NORMAL = 1.959963984540054
_LARGEST = math.log(sys.float_info.max)
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
        from scipy.special import stdtrit  # what scipy.stats asks too, which takes half a second to load

        return float(stdtrit(max(1, self.blocks - 1), (1 + LEVEL) / 2))

    @property
    def independent(self) -> float:
        """At least how many independent rows of even classes these are worth."""
        return max(1.0, self.blocks * self.evenness)


@dataclass(frozen=True)
class Spread:
    """How much a loss, or a difference of two, varies.

    Attributes
    ----------
    rows
        Variance over the held-out rows.
    folds
        Variance that folds add which differ by more than their rows explain; 0 where that is not known.
    learned
        From 0, no better than chance, to 1, clearly better.
    least, more
        What the variance over the rows is multiplied by where nothing was learned, and what is added to that else.
    """

    rows: float
    folds: float = 0.0
    learned: float = 0.0
    least: float = LEAST
    more: float = MORE

    @classmethod
    def of(cls, rows: float, of_folds: Floats, learned: float, least: float = LEAST, more: float = MORE) -> "Spread":
        """From the variance over the rows and (k,) values of the single folds, of which the loss is the mean."""
        beyond = float(of_folds.var(ddof=1)) / len(of_folds) - rows if len(of_folds) > 1 else 0.0
        return cls(rows, max(0.0, beyond) if math.isfinite(beyond) else 0.0, learned, least, more)

    @property
    def inflation(self) -> float:
        """What the variance over the rows is multiplied by."""
        return self.least + self.more * self.learned

    @property
    def between(self) -> float:
        """What is added to it."""
        return self.learned * self.folds

    @property
    def total(self) -> float:
        """The whole variance."""
        return self.inflation * self.rows + self.between


def learned(gain: float, low: float) -> float:
    """How clearly an answer is better than chance, 0 to 1: its gain beside half of the interval of this, over rows."""
    half = gain - low
    return min(1.0, max(0.0, gain / half)) if half > 0 else float(gain > 0)


def jackknife(losses: Callable[[NDArray[np.bool_]], Floats], blocks: NDArray[np.int64]) -> Floats:
    """(m, m) covariances of m losses over the blocks of rows, each block left out in its turn.

    Of more than 400 blocks, a hundredth is left out at a time (the delete-a-group jackknife).

    Parameters
    ----------
    losses
        Of (g, n) rows to keep: (g, m) losses of those.
    blocks
        (n,) block of each row.
    """
    codes = np.unique(blocks, return_inverse=True)[1]
    groups = int(codes.max()) + 1
    if groups > _MOST_BLOCKS:  # in random groups, always the same: neighbours in the table may be alike
        codes, groups = (np.random.default_rng(0).permutation(groups) % _GROUPS)[codes], _GROUPS
    if groups < 2:
        losses_of_all = losses(np.ones((1, len(blocks)), dtype=np.bool_))
        return np.full((losses_of_all.shape[1],) * 2, np.inf)
    at_once = max(1, 1_000_000 // len(codes))
    parts = [
        losses(codes[None, :] != np.arange(first, min(first + at_once, groups))[:, None])
        for first in range(0, groups, at_once)
    ]
    left_out = np.concatenate(parts)
    off = left_out - left_out.mean(axis=0)
    return np.asarray((groups - 1) / groups * (off.T @ off))


def loss_interval(loss: float, spread: Spread, support: Support) -> Interval | None:
    """The 95 % interval of a loss on held-out rows; None where it varies without bound."""
    if not (math.isfinite(loss) and math.isfinite(spread.total)):
        return None
    quantile = support.quantile
    if not support.bounded:
        if loss <= 0:
            return 0.0, support.scale * share_interval(0.0, support.independent / spread.inflation)[1]
        half = quantile * math.sqrt(spread.total) / loss
        if math.log(loss) + half > _LARGEST:
            return None
        return loss * math.exp(-half), loss * math.exp(half)
    share = min(1.0, max(0.0, loss / support.scale))
    # Variances over share (1 - share): what few misses say about their own variance is trusted less than expectation.
    expected, product = 1.0 / support.independent, share * (1 - share)
    seen = spread.rows / support.scale**2 / product if product > 0 else expected
    trust = min(share, 1 - share) * support.blocks
    trust /= trust + _FEW
    over_rows = max(trust * seen + (1 - trust) * expected, 1.0 / support.rows)
    smooth = (share * support.blocks + 1) / (support.blocks + 2)
    whole = spread.inflation * over_rows + spread.between / support.scale**2 / (smooth * (1 - smooth))
    low, high = share_interval(share, (_NORMAL / quantile) ** 2 / whole)
    return support.scale * low, support.scale * high


def share_interval(share: float, rows: float) -> Interval:
    """The interval of Clopper and Pearson (Biometrika 26, 1934) of a share of so many rows, not whole numbers."""
    from scipy.special import betaincinv  # the window starts without it

    tail, hits = (1 - LEVEL) / 2, share * rows
    low = 0.0 if share <= 0 else float(betaincinv(hits, rows - hits + 1, tail))
    high = 1.0 if share >= 1 else float(betaincinv(hits + 1, rows - hits, 1 - tail))
    return low, high


def difference_interval(difference: float, spread: Spread, support: Support) -> Interval | None:
    """The 95 % interval of the difference of two losses on the same rows; None where it varies without bound."""
    if not (math.isfinite(difference) and math.isfinite(spread.total)):
        return None
    quantile = support.quantile
    if not support.bounded:
        half = quantile * math.sqrt(spread.total)
        return difference - half, difference + half
    # Two pseudo-rows: half a row in which only the one misses, half in which only the other does, one of no difference.
    rows, scale = support.independent, support.scale
    middle = difference * rows / (rows + 2)
    squares = rows**2 * spread.rows + rows * difference**2 + scale**2
    over_rows = max(0.0, squares - (rows + 2) * middle**2) / (rows + 2) ** 2
    half = quantile * math.sqrt(spread.inflation * over_rows + spread.between)
    return max(-scale, middle - half), min(scale, middle + half)


def has_worst(criterion: Criterion) -> bool:
    """Whether a criterion of which more is better has a largest loss."""
    return criterion.direction == "higher" and bool(np.isfinite(criterion.worst))
