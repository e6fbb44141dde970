"""Confidence intervals of held-out losses, and of differences of two, based on the number of rows.

The interval follows from a held-out loss, its variance over rows, and the number of rows (or groups of rows). Losses
with a maximum, such as errors and areas under curves, are treated as shares, with the number of rows that would give a
share this variance (Korn & Graubard, Survey Methodology 24, 1998; bounds of Clopper & Pearson): no error in 60 rows
means "0 to 6 %", not "0 to 0 %". Differences of such losses use the pseudo-rows of Agresti & Min (Statistics in
Medicine 24, 2005), which never let an interval shrink to a point. Other losses, such as the RMSE, get an interval on a
logarithmic scale.

Rows are not the only source of variation. Other training rows would have led the search to another result, and the
training rows of the folds overlap, so the held-out error varies around that of the result by more than its rows
indicate: hardly more if there is nothing to learn, by 1.6 to 2.1 times the variance otherwise. Nadeau & Bengio (Machine
Learning 52, 2003) give 2.25 for five folds. Here the variance is multiplied by ``LEAST`` to ``LEAST + MORE``, depending
on how clearly the result is better than chance, and increased by the variance of the mean that folds show beyond that
of their rows. Form and constants were chosen by simulation, in which the bootstrap and the intervals of Wilson and
Jeffreys have too low coverage and the corrected t fails if errors are few: ``tests/bench/honest_intervals.py``.
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
"""Factor for the variance over rows if a search found no more than chance; see the module."""
MORE = 0.6
"""Added to that factor if the result is clearly better than chance."""
OF_SEVERAL, OF_PAIRS = (LEAST, CLEAR - LEAST), (1.0, 0.2)
"""The same for the mean loss of several models for each row, and for differences of these: the mean hardly depends on
which of the equally predictive subsets was found."""

_MOST_BLOCKS, _GROUPS = 400, 100  # blocks left out one by one; if there are more, they are left out in this many groups
_NORMAL = 1.959963984540054
_LARGEST = math.log(sys.float_info.max)
_FEW = 2.0
"""Number of errors below which the observed variance is trusted less than the expected one."""

Floats = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Support:
    """What a loss is based on.

    Attributes
    ----------
    rows
        Number of held-out rows.
    blocks
        Number of groups of rows; that of the rows if there are no groups.
    evenness
        Up to 1: number of rows with balanced classes that would be equally informative, as a share of these, if every
        class has equal weight; 1 for criteria that weight rows equally.
    scale
        The maximum loss of a bounded criterion; otherwise the loss of a trivial predictor.
    bounded
        Whether there is a maximum loss.
    """

    rows: int
    blocks: int
    evenness: float = 1.0
    scale: float = 1.0
    bounded: bool = True

    @property
    def quantile(self) -> float:
        """The quantile of Student's t with one degree of freedom less than the number of blocks."""
        from scipy.special import stdtrit  # used by scipy.stats too, which takes half a second to load

        return float(stdtrit(max(1, self.blocks - 1), (1 + LEVEL) / 2))

    @property
    def independent(self) -> float:
        """Lower bound on the equivalent number of independent rows with balanced classes."""
        return max(1.0, self.blocks * self.evenness)


@dataclass(frozen=True)
class Spread:
    """Variation of a loss, or of a difference of two.

    Attributes
    ----------
    rows
        Variance over the held-out rows.
    folds
        Additional variance because folds differ by more than their rows explain; 0 if not known.
    learned
        From 0, no better than chance, to 1, clearly better.
    least, more
        Factor for the variance over the rows if nothing was learned, and what is added to it otherwise.
    """

    rows: float
    folds: float = 0.0
    learned: float = 0.0
    least: float = LEAST
    more: float = MORE

    @classmethod
    def of(cls, rows: float, of_folds: Floats, learned: float, least: float = LEAST, more: float = MORE) -> "Spread":
        """The spread from the variance over the rows and (k,) values of the single folds, whose mean is the loss."""
        beyond = float(of_folds.var(ddof=1)) / len(of_folds) - rows if len(of_folds) > 1 else 0.0
        return cls(rows, max(0.0, beyond) if math.isfinite(beyond) else 0.0, learned, least, more)

    @property
    def inflation(self) -> float:
        """Factor for the variance over the rows."""
        return self.least + self.more * self.learned

    @property
    def between(self) -> float:
        """Variance between folds that is added to the variance over the rows."""
        return self.learned * self.folds

    @property
    def total(self) -> float:
        """The total variance."""
        return self.inflation * self.rows + self.between


def learned(gain: float, low: float) -> float:
    """How clearly a result is better than chance, 0 to 1: its gain relative to half its interval over rows."""
    half = gain - low
    return min(1.0, max(0.0, gain / half)) if half > 0 else float(gain > 0)


def jackknife(losses: Callable[[NDArray[np.bool_]], Floats], blocks: NDArray[np.int64]) -> Floats:
    """(m, m) covariances of m losses over the blocks of rows, leaving out each block in turn.

    With more than 400 blocks, a hundredth is left out at a time (delete-a-group jackknife).

    Parameters
    ----------
    losses
        Takes (g, n) rows to keep and returns (g, m) losses.
    blocks
        (n,) block of each row.
    """
    codes = np.unique(blocks, return_inverse=True)[1]
    groups = int(codes.max()) + 1
    if groups > _MOST_BLOCKS:  # in random groups, always the same: neighbors in the table may be similar
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
    """The 95 % interval of a held-out loss; None if it varies without bound."""
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
    # Variances over share (1 - share): the estimated variance of few misses is shrunk toward its expectation.
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
    """The Clopper-Pearson interval (Biometrika 26, 1934) of a share, for non-integer numbers of rows."""
    from scipy.special import betaincinv  # the window starts without it

    tail, hits = (1 - LEVEL) / 2, share * rows
    low = 0.0 if share <= 0 else float(betaincinv(hits, rows - hits + 1, tail))
    high = 1.0 if share >= 1 else float(betaincinv(hits + 1, rows - hits, 1 - tail))
    return low, high


def difference_interval(difference: float, spread: Spread, support: Support) -> Interval | None:
    """The 95 % interval of the difference of two losses on the same rows; None if it varies without bound."""
    if not (math.isfinite(difference) and math.isfinite(spread.total)):
        return None
    quantile = support.quantile
    if not support.bounded:
        half = quantile * math.sqrt(spread.total)
        return difference - half, difference + half
    # Two pseudo-rows: half a row missed only by one, half missed only by the other, one without a difference.
    rows, scale = support.independent, support.scale
    middle = difference * rows / (rows + 2)
    squares = rows**2 * spread.rows + rows * difference**2 + scale**2
    over_rows = max(0.0, squares - (rows + 2) * middle**2) / (rows + 2) ** 2
    half = quantile * math.sqrt(spread.inflation * over_rows + spread.between)
    return max(-scale, middle - half), min(scale, middle + half)


def has_worst(criterion: Criterion) -> bool:
    """Whether a larger-is-better criterion has a maximum loss."""
    return criterion.direction == "higher" and bool(np.isfinite(criterion.worst))
