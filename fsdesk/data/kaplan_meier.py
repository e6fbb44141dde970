"""Survival curves of Kaplan and Meier, and the log-rank test, of rows with right-censored times."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_NORMAL = 1.959963984540054


@dataclass(frozen=True, eq=False)
class Curve:
    """The share of rows without the event, over time.

    Attributes
    ----------
    times
        (k,) distinct times, ascending, events and censored ones.
    at_risk, events
        (k,) rows that were under observation just before each, and those that had the event then.
    survival
        (k,) share without the event from each time on: E. L. Kaplan and P. Meier, J. Am. Stat. Assoc. 53 (1958).
    """

    times: Floats
    at_risk: NDArray[np.int64]
    events: NDArray[np.int64]
    survival: Floats

    def at(self, time: float) -> float:
        """Share without the event at a time; that at the last one after it."""
        place = int(np.searchsorted(self.times, time, side="right")) - 1
        return float(self.survival[place]) if place >= 0 else 1.0

    def risk_at(self, time: float) -> int:
        """Number of rows under observation just before a time."""
        place = int(np.searchsorted(self.times, time, side="left"))
        return int(self.at_risk[place]) if place < len(self.times) else 0

    @property
    def median(self) -> float:
        """The first time from which on half of the rows or fewer are without the event; infinite where there is none.

        Halves count as reached where rounding alone keeps the share above them.
        """
        below = np.flatnonzero(self.survival <= 0.5 + 1e-12)
        return float(self.times[below[0]]) if len(below) else float("inf")

    def interval(self) -> tuple[Floats, Floats]:
        """Ends (k,), (k,) of the pointwise 95 % interval: Greenwood's variance of log(-log S), as R's "log-log"."""
        with np.errstate(all="ignore"):
            terms = np.where(
                self.at_risk > self.events, self.events / (self.at_risk * (self.at_risk - self.events)), 0.0
            )
            logarithm = np.log(self.survival)
            spread = _NORMAL * np.sqrt(np.cumsum(terms)) / np.abs(logarithm)
            low, high = (self.survival ** np.exp(sign * spread) for sign in (1.0, -1.0))
        known = (self.survival < 1) & (self.survival > 0)
        return np.where(known, low, self.survival), np.where(known, high, self.survival)


def kaplan_meier(times: Floats, events: Bools) -> Curve:
    """The curve of (n,) times of which ``events`` says whether the event was observed then; others are censored.

    Of equal times events come first.
    """
    known, place = np.unique(times, return_inverse=True)
    deaths = np.bincount(place, weights=events, minlength=len(known)).astype(np.int64)
    at_risk = len(times) - np.concatenate([[0], np.cumsum(np.bincount(place))[:-1]]).astype(np.int64)
    return Curve(known, at_risk, deaths, np.asarray(np.cumprod(1.0 - deaths / at_risk), dtype=np.float64))


def censoring(times: Floats, events: Bools) -> Floats:
    """(n,) chance not to be censored before each row's own time, by the reverse Kaplan-Meier method.

    Of equal times events come first, so those that had the event are not at risk of being censored then.
    """
    known, place = np.unique(times, return_inverse=True)
    deaths = np.bincount(place, weights=events, minlength=len(known))
    every = np.bincount(place, minlength=len(known))
    at_risk = len(times) - np.concatenate([[0], np.cumsum(every)[:-1]]) - deaths
    lost = every - deaths
    left = np.cumprod(1.0 - np.divide(lost, at_risk, out=np.zeros(len(known)), where=at_risk > 0))
    return np.asarray(np.concatenate([[1.0], left[:-1]])[place])


def inverse_chances(times: Floats, events: Bools, horizons: Floats, known_times: Floats, known_events: Bools) -> Floats:
    """(n, g) weights of rows at each of (g,) times, which make up for those that were censored before.

    The inverse of the chance not to be censored before the row's event, where that is known to have happened by then;
    of that not to be censored by then, where the row is still under observation; 0 where it is not known. Chances are
    the Kaplan-Meier estimate for being censored of (k,) known rows, of which events come first at one time. Where
    they are 0, as after the last of these rows, they count as the least chance above 0.
    E. Graf et al., Stat. Med. 18 (1999); H. Uno et al., J. Am. Stat. Assoc. 102 (2007).
    """
    moments, place = np.unique(known_times, return_inverse=True)
    deaths = np.bincount(place, weights=known_events, minlength=len(moments))
    every = np.bincount(place, minlength=len(moments))
    at_risk = len(known_times) - np.concatenate([[0], np.cumsum(every)[:-1]]) - deaths
    lost = every - deaths
    left = np.cumprod(1.0 - np.divide(lost, at_risk, out=np.zeros(len(moments)), where=at_risk > 0))
    left = np.concatenate([[1.0], left])
    left = np.where(left > 0, left, left[left > 0].min())
    before = left[np.searchsorted(moments, times, side="left")]
    by_then = left[np.searchsorted(moments, horizons, side="right")]
    over = times[:, None] > horizons[None, :]
    return np.where(over, 1.0 / by_then[None, :], np.where(events, 1.0 / before, 0.0)[:, None])


def breslow(risks: Floats, times: Floats, events: Bools) -> tuple[Floats, Floats]:
    """(k,) times of events, and logarithms of the cumulative hazard then of a row whose risk is 0.

    ``risks`` are (n,) logarithms of hazard ratios. N. E. Breslow, in the discussion of D. R. Cox, J. R. Stat. Soc. B 34
    (1972).
    """
    order = np.argsort(times, kind="stable")
    most = float(risks.max())
    moments, first = np.unique(times[order], return_index=True)
    at_risk = np.cumsum(np.exp(risks[order] - most)[::-1])[::-1][first]
    deaths = np.bincount(np.searchsorted(moments, times), weights=events, minlength=len(moments))
    known = deaths > 0
    with np.errstate(divide="ignore"):
        return moments[known], np.log(np.cumsum((deaths / at_risk)[known])) - most


def martingale_residuals(times: Floats, events: Bools) -> Floats:
    """(n,) events that each row had less those that one of its time has among all rows: 1 or 0 less the hazard so far.

    The cumulative hazard is that of Nelson and Aalen. Positive where the event came early. These are also the scores of
    the log-rank test: T. R. Fleming and D. P. Harrington, Counting Processes and Survival Analysis (1991).
    """
    curve = kaplan_meier(times, events)
    hazard = np.cumsum(curve.events / curve.at_risk)
    return np.asarray(events - hazard[np.searchsorted(curve.times, times)])


def follow_up(times: Floats, events: Bools) -> float:
    """Median follow-up, the median time to being censored; infinite where it is not reached.

    M. Schemper and T. L. Smith, Controlled Clinical Trials 17 (1996).
    """
    known, place = np.unique(times, return_inverse=True)
    deaths = np.bincount(place, weights=events, minlength=len(known))
    every = np.bincount(place, minlength=len(known))
    at_risk = len(times) - np.concatenate([[0], np.cumsum(every)[:-1]]) - deaths
    left = np.cumprod(1.0 - np.divide(every - deaths, at_risk, out=np.zeros(len(known)), where=at_risk > 0))
    below = np.flatnonzero(left <= 0.5 + 1e-12)
    return float(known[below[0]]) if len(below) else float("inf")


def log_rank(times: Floats, events: Bools, groups: NDArray[np.int64], strata: NDArray[np.int64] | None = None) -> float:
    """P value that groups of rows have the event at the same rate: N. Mantel, Cancer Chemotherapy Reports 50 (1966).

    Parameters
    ----------
    groups
        (n,) codes 0, 1, ...
    strata
        (n,) rows are compared with those of the same code alone; with all where there are none.
    """
    from scipy.special import chdtrc

    count = int(groups.max()) + 1
    off, spread = np.zeros(count), np.zeros((count, count))
    strata = np.zeros(len(times), dtype=np.int64) if strata is None else strata
    for stratum in np.unique(strata):
        own = strata == stratum
        _add_log_rank(times[own], events[own], groups[own], off, spread)
    present = np.flatnonzero(np.diag(spread) > 1e-12)
    if len(present) < 2:
        return 1.0
    some = present[:-1]  # the last follows from the others
    statistic = float(off[some] @ np.linalg.pinv(spread[np.ix_(some, some)]) @ off[some])
    return float(chdtrc(len(some), statistic))


def _add_log_rank(times: Floats, events: Bools, groups: NDArray[np.int64], off: Floats, spread: Floats) -> None:
    """Add observed less expected events of each group, and their covariances."""
    for time in np.unique(times[events]):
        risk, died = times >= time, events & (times == time)
        at_risk, deaths = float(risk.sum()), float(died.sum())
        share = np.bincount(groups[risk], minlength=len(off)) / at_risk
        off += np.bincount(groups[died], minlength=len(off)) - deaths * share
        if at_risk > 1:
            spread += deaths * (at_risk - deaths) / (at_risk - 1) * (np.diag(share) - np.outer(share, share))


def groups_by_risk(risks: Sequence[float] | Floats, count: int) -> NDArray[np.int64]:
    """(n,) group of each row, 0 that of the lowest risks: of about equal size; equal risks are in one group."""
    risks = np.asarray(risks, dtype=np.float64)
    cuts = np.quantile(risks, np.arange(1, count) / count)
    return np.searchsorted(cuts, risks, side="left").astype(np.int64)
