"""Kaplan-Meier survival curves and the log-rank test for right-censored times.

Outcomes are an array y: (n,) times if the event was observed, and minus the times if censored. With delayed entry, or
several intervals of one patient, it is (n, 2) with the entry times in the second column; rows are at risk only after
these.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_NORMAL = 1.959963984540054

LATE = message(
    "Some rows came under observation after time 0, and similar rows with an earlier event are missing, so the share "
    "with the event by a given time cannot be estimated."
)
"""Why results that weight rows by their probability of not being censored before a time are not reported."""


def last_of(y: Floats) -> Floats:
    """(n,) times of events, and minus the times of censored rows."""
    return np.ascontiguousarray(y[:, 0]) if y.ndim == 2 else y


def times_of(y: Floats) -> Floats:
    """(n,) times of the event or of censoring."""
    return np.asarray(np.abs(last_of(y)))


def events_of(y: Floats) -> Bools:
    """(n,) whether the event was observed."""
    return np.asarray(last_of(y) >= 0)


def entries_of(y: Floats) -> Floats | None:
    """(n,) entry times; None if all rows were under observation from the start."""
    return np.ascontiguousarray(y[:, 1]) if y.ndim == 2 else None


def alike(*several: Floats) -> list[Floats]:
    """Outcomes of several tables in one form: all with entry times if some have them."""
    if len({y.ndim for y in several}) == 1:
        return list(several)
    return [y if y.ndim == 2 else np.stack([y, np.full(len(y), -1.0)], axis=1) for y in several]


def _at_risk(moments: Floats, times: Floats, entries: Floats | None, weights: Floats | None = None) -> Floats:
    """Number of rows at risk at each of (k,) times, or the sum of their (n,) weights."""
    found = np.zeros(len(moments))
    for ends, sign in ((times, 1.0), (entries, -1.0)):
        if ends is not None:
            order = np.argsort(ends, kind="stable")
            known = np.ones(len(ends)) if weights is None else weights[order]
            above = np.concatenate([np.cumsum(known[::-1])[::-1], [0.0]])
            found += sign * above[np.searchsorted(ends[order], moments, side="left")]
    return found


@dataclass(frozen=True, eq=False)
class Curve:
    """The fraction of event-free rows over time.

    Attributes
    ----------
    times
        (k,) distinct times, ascending, of events, censoring and entries.
    at_risk, events
        (k,) rows at risk just before each time, and rows with the event at that time.
    survival
        (k,) event-free fraction from each time on: E. L. Kaplan and P. Meier, J. Am. Stat. Assoc. 53 (1958).
    """

    times: Floats
    at_risk: NDArray[np.int64]
    events: NDArray[np.int64]
    survival: Floats

    def at(self, time: float) -> float:
        """Event-free fraction at a time; after the last time, the fraction at the last time."""
        place = int(np.searchsorted(self.times, time, side="right")) - 1
        return float(self.survival[place]) if place >= 0 else 1.0

    def risk_at(self, time: float) -> int:
        """Number of rows at risk just before a time."""
        place = int(np.searchsorted(self.times, time, side="left"))
        return int(self.at_risk[place]) if place < len(self.times) else 0

    @property
    def median(self) -> float:
        """The first time from which at most half of the rows are event-free; infinite if there is none.

        A half counts as reached if only rounding keeps the fraction above it.
        """
        below = np.flatnonzero(self.survival <= 0.5 + 1e-12)
        return float(self.times[below[0]]) if len(below) else float("inf")

    def interval(self) -> tuple[Floats, Floats]:
        """Limits (k,), (k,) of the pointwise 95 % interval: Greenwood's variance of log(-log S), as R's "log-log"."""
        with np.errstate(all="ignore"):
            terms = np.where(
                self.at_risk > self.events, self.events / (self.at_risk * (self.at_risk - self.events)), 0.0
            )
            logarithm = np.log(self.survival)
            spread = _NORMAL * np.sqrt(np.cumsum(terms)) / np.abs(logarithm)
            low, high = (self.survival ** np.exp(sign * spread) for sign in (1.0, -1.0))
        known = (self.survival < 1) & (self.survival > 0)
        return np.where(known, low, self.survival), np.where(known, high, self.survival)


def kaplan_meier(times: Floats, events: Bools, entries: Floats | None = None) -> Curve:
    """The curve of (n,) times; ``events`` says whether the event was observed, otherwise the row is censored.

    At equal times, events come first. ``entries`` are as returned by :func:`entries_of`.
    """
    known = np.unique(times if entries is None else np.concatenate([times, entries]))
    place = np.searchsorted(known, times)
    deaths = np.bincount(place, weights=events, minlength=len(known)).astype(np.int64)
    at_risk = _at_risk(known, times, entries).astype(np.int64)
    share = np.divide(deaths, at_risk, out=np.zeros(len(known)), where=at_risk > 0)
    return Curve(known, at_risk, deaths, np.asarray(np.cumprod(1.0 - share), dtype=np.float64))


def curve_of(y: Floats) -> Curve:
    """The curve of an array of outcomes."""
    return kaplan_meier(times_of(y), events_of(y), entries_of(y))


def censoring(times: Floats, events: Bools) -> Floats:
    """(n,) probability of not being censored before each row's time, by the reverse Kaplan-Meier method.

    At equal times events come first, so rows with the event are not at risk of being censored then.
    """
    known, place = np.unique(times, return_inverse=True)
    deaths = np.bincount(place, weights=events, minlength=len(known))
    every = np.bincount(place, minlength=len(known))
    at_risk = len(times) - np.concatenate([[0], np.cumsum(every)[:-1]]) - deaths
    lost = every - deaths
    left = np.cumprod(1.0 - np.divide(lost, at_risk, out=np.zeros(len(known)), where=at_risk > 0))
    return np.asarray(np.concatenate([[1.0], left[:-1]])[place])


def inverse_chances(times: Floats, events: Bools, horizons: Floats, known_times: Floats, known_events: Bools) -> Floats:
    """(n, g) inverse probability of censoring weights of rows at each of (g,) times.

    The inverse of the probability of not being censored before the row's event, if it is known to have happened by
    then; of not being censored by then, if the row is still under observation; 0 if the status is unknown.
    Probabilities are the Kaplan-Meier estimate of censoring from (k,) known rows, with events first at equal times.
    Probabilities of 0, as after the last of these rows, are replaced by the smallest positive one. E. Graf et al.,
    Stat. Med. 18 (1999); H. Uno et al., J. Am. Stat. Assoc. 102 (2007).
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


def breslow(risks: Floats, y: Floats) -> tuple[Floats, Floats]:
    """(k,) event times, and the logarithm of the cumulative hazard there for a row with risk 0.

    ``risks`` are (n,) logarithms of hazard ratios. N. E. Breslow, in the discussion of D. R. Cox, J. R. Stat. Soc. B 34
    (1972).
    """
    times, events, entries = times_of(y), events_of(y), entries_of(y)
    most = float(risks.max())
    hazards = np.exp(risks - most)
    moments = np.unique(times[events])
    place = np.searchsorted(moments, times[events])
    deaths = np.bincount(place, minlength=len(moments))
    at_risk = _at_risk(moments, times, entries, hazards)
    if entries is not None:  # rounding must not remove rows with the event
        at_risk = np.maximum(at_risk, np.bincount(place, weights=hazards[events], minlength=len(moments)))
    with np.errstate(divide="ignore"):
        return moments, np.log(np.cumsum(deaths / at_risk)) - most


def martingale_residuals(y: Floats) -> Floats:
    """(n,) observed minus expected events of each row: 1 or 0 minus its cumulative hazard.

    The cumulative hazard is the Nelson-Aalen estimate. A residual is positive if the event came early. These are also
    the scores of the log-rank test: T. R. Fleming and D. P. Harrington, Counting Processes and Survival Analysis
    (1991).
    """
    curve, times, entries = curve_of(y), times_of(y), entries_of(y)
    hazard = np.cumsum(np.divide(curve.events, curve.at_risk, out=np.zeros(len(curve.times)), where=curve.at_risk > 0))
    residuals = np.asarray(events_of(y) - hazard[np.searchsorted(curve.times, times)])
    return residuals if entries is None else residuals + hazard[np.searchsorted(curve.times, entries)]


def follow_up(y: Floats) -> float:
    """Median follow-up, the median time to censoring; infinite if not reached.

    M. Schemper and T. L. Smith, Controlled Clinical Trials 17 (1996).
    """
    times, events, entries = times_of(y), events_of(y), entries_of(y)
    known, place = np.unique(times, return_inverse=True)
    deaths = np.bincount(place, weights=events, minlength=len(known))
    every = np.bincount(place, minlength=len(known))
    at_risk = _at_risk(known, times, entries) - deaths
    left = np.cumprod(1.0 - np.divide(every - deaths, at_risk, out=np.zeros(len(known)), where=at_risk > 0))
    below = np.flatnonzero(left <= 0.5 + 1e-12)
    return float(known[below[0]]) if len(below) else float("inf")


def log_rank(y: Floats, groups: NDArray[np.int64], strata: NDArray[np.int64] | None = None) -> float:
    """Log-rank p value for equal event rates in groups of rows: N. Mantel, Cancer Chemotherapy Reports 50 (1966).

    Parameters
    ----------
    y
        The outcomes.
    groups
        (n,) codes 0, 1, ...
    strata
        (n,) strata: rows are compared within the same code; with all rows if there are none.
    """
    from scipy.special import chdtrc

    count = int(groups.max()) + 1
    off, spread = np.zeros(count), np.zeros((count, count))
    strata = np.zeros(len(y), dtype=np.int64) if strata is None else strata
    for stratum in np.unique(strata):
        own = strata == stratum
        _add_log_rank(y[own], groups[own], off, spread)
    present = np.flatnonzero(np.diag(spread) > 1e-12)
    if len(present) < 2:
        return 1.0
    some = present[:-1]  # the last is determined by the others
    statistic = float(off[some] @ np.linalg.pinv(spread[np.ix_(some, some)]) @ off[some])
    return float(chdtrc(len(some), statistic))


def _add_log_rank(y: Floats, groups: NDArray[np.int64], off: Floats, spread: Floats) -> None:
    """Add observed minus expected events of each group, and their covariances."""
    times, events, entries = times_of(y), events_of(y), entries_of(y)
    for time in np.unique(times[events]):
        risk, died = times >= time, events & (times == time)
        if entries is not None:
            risk &= entries < time
        at_risk, deaths = float(risk.sum()), float(died.sum())
        share = np.bincount(groups[risk], minlength=len(off)) / at_risk
        off += np.bincount(groups[died], minlength=len(off)) - deaths * share
        if at_risk > 1:
            spread += deaths * (at_risk - deaths) / (at_risk - 1) * (np.diag(share) - np.outer(share, share))


def groups_by_risk(risks: Sequence[float] | Floats, count: int) -> NDArray[np.int64]:
    """(n,) group of each row, 0 for the lowest risks: groups of about equal size; equal risks are in one group."""
    risks = np.asarray(risks, dtype=np.float64)
    cuts = np.quantile(risks, np.arange(1, count) / count)
    return np.searchsorted(cuts, risks, side="left").astype(np.int64)
