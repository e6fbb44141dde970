"""Significance tests between methods: the procedure of the paper, and current best practice.

The paper compares the repeats on one data set by an analysis of variance followed by pairwise tests. Repeats on the
same rows are dependent, so it finds significance too easily; the other tests are designed for this case (the corrected
resampled t-test) or compare over data sets (Friedman's test with Nemenyi's, the Bayesian signed rank test).

Losses and differences are fractions; lower is better. A difference is positive if the second method is better.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ALPHA = 0.05
"""Significance level of all tests here."""
ROPE = 0.01
"""Half the width of the region of practical equivalence: a difference of one point of error is negligible."""

_PRIOR = 0.5
_DRAWS = 50_000
_AT_ONCE = 2_000
_NO_SPREAD = 1e-3


@dataclass(frozen=True)
class Moments:
    """The values of a method as printed in a table: mean, standard error, and count."""

    mean: float
    std_error: float
    count: int

    def sample(self) -> Floats:
        """(count,) values with exactly this mean and standard error: normal quantiles, shifted and scaled.

        All tests of :func:`paper_procedure` depend on the values only through these two.
        """
        from scipy.stats import norm

        z = norm.ppf((np.arange(self.count) + 0.5) / self.count)
        z = (z - z.mean()) / z.std(ddof=1)
        return np.asarray(self.mean + z * self.std_error * np.sqrt(self.count))


@dataclass(frozen=True, eq=False)
class PaperProcedure:
    """Outcome of the paper's procedure for k methods on one data set.

    Attributes
    ----------
    bartlett
        p value of Bartlett's test of equal variances; 0 if the values of some method do not vary at all.
    anova
        p value of the one-way analysis of variance, or of Welch's if variances differ.
    welch
        Whether variances differ: then the pairs are compared by the Games-Howell test, otherwise by Tukey's HSD.
    pairs
        (k, k) p values of the pairs.
    best
        The method with the lowest mean.
    star
        Whether it is significantly better than each of the others.
    """

    bartlett: float
    anova: float
    welch: bool
    pairs: Floats
    best: int
    star: bool


def paper_procedure(methods: Sequence[Moments]) -> PaperProcedure | None:
    """Compare methods on one data set as section 4 of the paper does.

    Bartlett's test decides between the analysis of variance with Tukey's HSD and Welch's with the Games-Howell test. A
    method gets a star if the analysis finds a difference and its mean is lower than every other by the pairwise test.

    Parameters
    ----------
    methods
        One array per method: in the paper, the ten repeats of the cross-validation of its result.

    Returns
    -------
    PaperProcedure or None
        None for fewer than two methods, or if no values vary, as with fixed folds.
    """
    if len(methods) < 2 or min(each.count for each in methods) < 2:
        return None
    if not max(each.std_error for each in methods) > 0:
        return None
    return _compared(tuple(methods))


@lru_cache(maxsize=512)  # a tenth of a second for five methods, and several exports of a study need the same
def _compared(methods: tuple[Moments, ...]) -> PaperProcedure:
    from scipy.stats import bartlett, f_oneway, tukey_hsd

    widest = max(each.std_error for each in methods)
    varies = all(each.std_error > 0 for each in methods)
    # Welch's test divides by each variance, so zero is replaced by a tiny value.
    known = [Moments(each.mean, max(each.std_error, _NO_SPREAD * widest), each.count) for each in methods]
    samples = [each.sample() for each in known]
    equal = float(bartlett(*samples).pvalue) if varies else 0.0
    welch = equal < ALPHA
    anova = float(f_oneway(*samples, equal_var=not welch).pvalue)
    pairs = np.asarray(tukey_hsd(*samples, equal_var=not welch).pvalue)
    best = int(np.argmin([each.mean for each in methods]))
    beaten = np.delete(pairs[best], best)
    return PaperProcedure(equal, anova, welch, pairs, best, bool(anova < ALPHA and (beaten < ALPHA).all()))


@dataclass(frozen=True)
class CorrectedT:
    """Two methods on the same splits of one data set, by the corrected resampled t-test.

    Attributes
    ----------
    difference, low, high
        Mean difference of the losses, positive if the second is better, and its confidence interval.
    p
        Two-sided p-value.
    splits
        Number of differences.
    """

    difference: float
    low: float
    high: float
    p: float
    splits: int


def corrected_t(differences: Floats, test_share: float) -> CorrectedT | None:
    """Nadeau & Bengio's corrected resampled t-test: training sets overlap, so the variance is larger than it seems.

    Source: Nadeau & Bengio, Machine Learning 52 (2003), section 3; for repeated cross-validation Bouckaert & Frank,
    PAKDD 2004.

    Parameters
    ----------
    differences
        (m,) difference of the losses on each split, the same splits for both methods.
    test_share
        Number of test rows per training row: 1 / 4 for five folds.

    Returns
    -------
    CorrectedT or None
        None for fewer than two splits. If all differences are identical, p is 0, or 1 if they are 0.
    """
    from scipy.stats import t as student

    values = np.asarray(differences, dtype=np.float64)
    count = len(values)
    if count < 2:
        return None
    mean, variance = float(values.mean()), float(values.var(ddof=1))
    error = float(np.sqrt((1.0 / count + test_share) * variance))
    if error == 0.0:
        return CorrectedT(mean, mean, mean, 1.0 if mean == 0.0 else 0.0, count)
    reach = float(student.ppf(1.0 - ALPHA / 2.0, count - 1)) * error
    p = 2.0 * float(student.sf(abs(mean) / error, count - 1))
    return CorrectedT(mean, mean - reach, mean + reach, p, count)


@dataclass(frozen=True, eq=False)
class Friedman:
    """k methods compared over N data sets by their ranks.

    Attributes
    ----------
    ranks
        (k,) mean rank of each method; 1 is the best.
    p
        p value of Friedman's test, corrected for ties.
    difference
        The critical difference of Nemenyi's test: mean ranks further apart differ significantly.
    groups
        Groups of methods, in order of rank, that are not distinguishable: as large as possible, with at least two
        methods each.
    tables
        N.
    """

    ranks: Floats
    p: float
    difference: float
    groups: tuple[tuple[int, ...], ...]
    tables: int


def friedman(losses: Floats) -> Friedman | None:
    """Friedman's test of k methods over N data sets, with Nemenyi's for the pairs.

    Source: Demšar, JMLR 7 (2006), section 3.2.2.

    Parameters
    ----------
    losses
        (N, k) one row for each data set; NaN nowhere.

    Returns
    -------
    Friedman or None
        None for fewer than two data sets or three methods: two are compared by :func:`bayesian_signed_rank`.
    """
    from scipy.stats import friedmanchisquare, rankdata, studentized_range

    tables, methods = losses.shape
    if tables < 2 or methods < 3:
        return None
    every = rankdata(losses, axis=1)
    ranks = every.mean(axis=0)
    p = float(friedmanchisquare(*losses.T).pvalue) if (every != every[:, :1]).any() else 1.0
    quantile = float(studentized_range.ppf(1.0 - ALPHA, methods, np.inf)) / np.sqrt(2.0)
    difference = float(quantile * np.sqrt(methods * (methods + 1) / (6.0 * tables)))
    return Friedman(ranks, p, difference, _groups(ranks, difference), tables)


def _groups(ranks: Floats, difference: float) -> tuple[tuple[int, ...], ...]:
    """The bars of a critical difference diagram: ranges of ranks no wider than it, none contained in another."""
    order = np.argsort(ranks, kind="stable")
    found: list[tuple[int, ...]] = []
    reached = 0
    for first in range(len(order)):
        end = first
        while end < len(order) and ranks[order[end]] - ranks[order[first]] <= difference + 1e-12:
            end += 1
        if end - first > 1 and end > reached:
            found.append(tuple(int(each) for each in order[first:end]))
            reached = end
    return tuple(found)


@dataclass(frozen=True)
class SignedRank:
    """Probability that one method is better than another, practically equal, or worse, over data sets.

    Attributes
    ----------
    better, same, worse
        Posterior probabilities that the second method is better, that there is no practical difference, that the first
        is better; they sum to 1.
    rope
        Differences up to this value count as none.
    tables
        Number of data sets.
    """

    better: float
    same: float
    worse: float
    rope: float
    tables: int


def bayesian_signed_rank(differences: Floats) -> SignedRank | None:
    """The Bayesian signed rank test with a region of practical equivalence.

    The model is a Dirichlet process over the differences, with one pseudo-difference of 0 with weight 0.5 as the prior;
    the pairwise means of Wilcoxon's test fall left of, within, or right of the region. Source: Benavoli, Corani, Demšar
    & Zaffalon, JMLR 18 (2017), section 4.2.

    Parameters
    ----------
    differences
        (N,) mean difference on each data set, positive if the second method is better.

    Returns
    -------
    SignedRank or None
        None for fewer than two data sets.
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2:
        return None
    z = np.concatenate([[0.0], values])
    sums = z[:, None] + z[None, :]
    right, left = (sums > 2.0 * ROPE).astype(np.float64), (sums < -2.0 * ROPE).astype(np.float64)
    rng = np.random.default_rng(0)
    wins = np.zeros(3)
    for _ in range(_DRAWS // _AT_ONCE):
        weights = rng.dirichlet(np.concatenate([[_PRIOR], np.ones(len(values))]), _AT_ONCE)
        masses = np.empty((_AT_ONCE, 3))
        masses[:, 0] = ((weights @ right) * weights).sum(axis=1)
        masses[:, 2] = ((weights @ left) * weights).sum(axis=1)
        masses[:, 1] = 1.0 - masses[:, 0] - masses[:, 2]
        wins += np.bincount(masses.argmax(axis=1), minlength=3)
    better, same, worse = (wins / wins.sum()).tolist()
    return SignedRank(better, same, worse, ROPE, len(values))
