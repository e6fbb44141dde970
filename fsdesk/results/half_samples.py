"""Half-samples: how often each feature is selected again in half of the rows, and agreement between new samples.

The rows are repeatedly divided at random into two halves, and the features are ranked in each half separately. Halves
are disjoint, so what two of them agree on is not due to shared rows; resamples of nine tenths share nearly all of their
rows and make noise look stable.

*Selection probability*: share of the halves in which a feature is among the top q. Among the features in at least
``SURE`` of the halves, the expected number of irrelevant ones is at most the bound of Shah & Samworth (Journal of the
Royal Statistical Society B 75, 2013) for complementary pairs, under their assumption of unimodality; q is as large as a
bound of ``FALSE_ONES`` allows.

*Stability*: the index of Nogueira et al. (Journal of Machine Learning Research 18, 2018), which equals Kuncheva's for
subsets of equal size, for the strategy and size of the result. Halves show how far samples of half as many rows would
agree, and quarters how far samples of a quarter would. The index is extrapolated to all rows along a curve through
these two values, derived from normal scores of which some are shifted. Its interval comes from curves through values
that differ from these as much as single pairs do. The procedure was chosen by simulation: ``tests/bench/trust.py``.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import DataError
from fsdesk.measure import MeasureSettings, Resamples, prepared
from fsdesk.measure.filters import FilterName, filter_scores
from fsdesk.measure.resamples import rows_of
from fsdesk.messages import mark
from fsdesk.methods.race import ByFilter, Raced
from fsdesk.results.feature_tests import p_values
from fsdesk.results.record import RunRecord
from fsdesk.results.stability import Stability

SURE = 0.9
"""Share of the halves at or above which a feature counts as supported."""
FALSE_ONES = 1.0
"""Maximum expected number of false features among the supported ones, by the bound."""

BY_ITSELF = mark("individual association")
"""Name of the ranking by p values."""

_PAIRS, _PAIRS_OF_SLOW, _QUARTERED = 50, 20, 12
_QUICK = frozenset({None, "f", "mrmr"})
_MOST_CELLS = 200_000_000  # of all pairs together
_FEWEST_PAIRS = 10
_FEWEST = 8  # rows or groups per class, so that each quarter has two
_DRAWS = 400  # for the interval
_SPREAD, _ALIKE = 1.8, 0.7  # draws: spread relative to that of pairs, and correlation of halves and quarters
_LEAST_SPREAD = 0.02
_APART = 1.5  # standard deviation of the log number of shifted features relative to the size of a subset
_THRESHOLDS, _MANY = 400, 400  # number of curves; rows above which Student's t is as good as normal
_TRUSTED = 0.6  # minimum spread: an index of the halves below it hardly carries over to all rows

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class HalfSamples:
    """Results of half-samples for p features.

    Attributes
    ----------
    strategy
        Strategy whose ranking was recomputed in each half, as in the log.
    pairs
        Number of times the rows were halved.
    taken
        Number of features selected in each half.
    probability
        (p,) share of the halves that select each feature; NaN for those that could not be selected.
    expected_false
        Upper bound on the expected number of irrelevant features among those with at least ``SURE``.
    stability
        The index for the result's strategy and size, and its interval; None if the result was obtained in another way,
        or there are too few rows.
    rows
        Sample size to which the stability refers.
    """

    strategy: str
    pairs: int
    taken: int
    probability: Floats
    expected_false: float
    stability: Stability | None
    rows: int

    @property
    def supported(self) -> Masks:
        """(p,) the features selected in at least ``SURE`` of the halves."""
        return np.asarray(np.nan_to_num(self.probability) >= SURE - 1e-9)


_known: WeakKeyDictionary[RunRecord, tuple[Dataset, HalfSamples | None]] = WeakKeyDictionary()


def half_samples(result: RunRecord, dataset: Dataset) -> HalfSamples | None:
    """Rank the features in halves of the rows; None if there are too few rows, or if they are ordered in time.

    They are ranked by the winning strategy if it is a filter, otherwise by individual association with the target.
    """
    known = _known.get(result)
    if known is None or known[0] is not dataset:
        known = _known[result] = dataset, _half_samples(result, dataset)
    return known[1]


def _half_samples(result: RunRecord, dataset: Dataset) -> HalfSamples | None:
    spec = result.spec
    names = {name: place for place, name in enumerate(result.all_features)}
    free = np.ones(len(names), dtype=np.bool_)
    free[[names[name] for name in (*spec.always, *spec.never) if name in names]] = False
    order = winning_filter(result)
    size = int(result.mask[free].sum()) if order is not None and not spec.together and not result.picked else 0
    filter_ = None if order is None else order.filter
    quarters = Resamples(dataset, spec.measuring, spec.seed, 4)
    if spec.measuring.centre_batches:
        # Centring on all rows, which knows the classes, would make halves agree on noise.
        found = halved(dataset, filter_, free, quarters, size, partial(_centred, measuring=spec.measuring))
    else:
        found = halved(prepared(dataset, spec.measuring), filter_, free, quarters, size)
    return found if found is None or order is None else replace(found, strategy=order.name)


def _centred(part: Dataset, measuring: MeasureSettings) -> Dataset:
    """Some rows, prepared on their own; not centred if each of their batches has a single class."""
    try:
        return prepared(part, measuring)
    except DataError:
        return prepared(part, measuring.updated({"centre_batches": False}))


@dataclass(frozen=True)
class Plan:
    """The plan for the half-samples of a run: ranking, number of halvings, features per half, and the bound."""

    strategy: str
    pairs: int
    taken: int
    expected_false: float


def plan_of(result: RunRecord, rows: int) -> Plan:
    """The plan for a run's half-samples, determined by its settings and the size of its table."""
    order, spec = winning_filter(result), result.spec
    features = max(1, len(result.all_features) - len({*spec.always, *spec.never} & set(result.all_features)))
    pairs = pairs_of(None if order is None else order.filter, rows, features)
    return Plan(BY_ITSELF if order is None else order.name, pairs, *taken_of(features, pairs))


def winning_filter(result: RunRecord) -> ByFilter | None:
    """The strategy behind the result, if it is a filter's ranking."""
    method, winner = result.spec.build_method(), result.race.winner
    if not isinstance(method, Raced) or winner is None:
        return None
    known = {each.name: each for each in method.strategies(len(result.mask))}
    order = known.get(winner[0])
    return order if isinstance(order, ByFilter) and order.barrier is None else None


def halved(
    dataset: Dataset,
    order: FilterName | None,
    free: Masks,
    quarters: Resamples,
    size: int = 0,
    prepare: Callable[[Dataset], Dataset] = lambda part: part,
) -> HalfSamples | None:
    """Results for halves of the rows, each ranked by a filter.

    Parameters
    ----------
    order
        The filter; None: ranking by the p values of the features.
    free
        (p,) the features that may be selected.
    quarters
        Divisions of the rows into four parts.
    size
        Size of the subsets whose stability is requested; 0 for none.
    prepare
        Prepares the rows of a part before they are ranked.
    """
    features, rows = int(free.sum()), len(dataset.target)
    if quarters.is_forward or quarters.folds < 4 or features < 2 or _fewest(dataset, quarters) < _FEWEST // 2:
        return None
    pairs = pairs_of(order, rows, features)
    taken, bound = taken_of(features, pairs)
    counts, size = np.zeros(features), size if size < features else 0
    is_quartered = _fewest(dataset, quarters) >= _FEWEST
    of_halves, of_quarters = list[float](), list[float]()
    for number in range(pairs):
        parts = quarters.parts(number)  # 0 and 1 denote one half
        orders = [_ordered(dataset, order, parts // 2 == half, free, prepare) for half in (0, 1)]
        for each in orders:
            counts[each[:taken]] += 1
        if not size or not is_quartered:
            continue
        of_halves.append(_agreement(orders[0][:size], orders[1][:size], features))
        if number < _QUARTERED:
            fourths = [_ordered(dataset, order, parts == part, free, prepare)[:size] for part in range(4)]
            of_quarters.append(
                float(np.mean([_agreement(a, b, features) for at, a in enumerate(fourths) for b in fourths[:at]]))
            )
    probability = np.full(len(free), np.nan)
    probability[free] = counts / (2 * pairs)
    stable = _carried_on(np.array(of_halves), np.array(of_quarters), features, size, rows) if of_halves else None
    return HalfSamples(BY_ITSELF, pairs, taken, probability, bound, stable, rows)


def _fewest(dataset: Dataset, quarters: Resamples) -> int:
    """Number of rows, or groups, of the rarest class; number of all rows or groups if the target is numeric."""
    units = np.arange(len(dataset.target)) if quarters.units is None else quarters.units
    if dataset.response is not None:
        return len(np.unique(units))
    pairs = np.unique(np.stack([dataset.target, units]), axis=1)[0]
    return int(np.bincount(pairs, minlength=len(dataset.classes)).min())


def _ordered(
    dataset: Dataset,
    order: FilterName | None,
    rows: NDArray[np.bool_],
    free: Masks,
    prepare: Callable[[Dataset], Dataset],
) -> NDArray[np.int64]:
    """(free,) features ranked on some of the rows."""
    part = rows_of(dataset, np.flatnonzero(rows))
    if part.response is None and len(np.unique(part.target)) < 2:
        return np.arange(int(free.sum()))
    part = prepare(part)
    scores = -p_values(part) if order is None else filter_scores(part, order)
    return np.argsort(-scores[free], kind="stable")


def _agreement(first: NDArray[np.int64], second: NDArray[np.int64], features: int) -> float:
    """Kuncheva's index of two subsets of equal size."""
    size = len(first)
    by_chance = size * size / features
    return float((len(np.intersect1d(first, second)) - by_chance) / (size - by_chance))


def pairs_of(order: FilterName | None, rows: int, features: int) -> int:
    """Number of halvings: fewer if a ranking is slow or the table is large."""
    pairs = _PAIRS if order in _QUICK else _PAIRS_OF_SLOW
    return max(_FEWEST_PAIRS, min(pairs, _MOST_CELLS // max(1, rows * features)))


def taken_of(features: int, pairs: int) -> tuple[int, float]:
    """How many features each half selects, and the bound on how many of those at or above ``SURE`` are false.

    Formula (8) of Shah & Samworth for thresholds above 3/4: 4 (1 - t + 1/(2B)) / (1 + 1/B) q^2 / p.
    """
    factor = 4 * (1 - SURE + 1 / (2 * pairs)) / (1 + 1 / pairs)
    taken = max(1, min(math.isqrt(int(FALSE_ONES * features / factor)), features // 2))
    return taken, factor * taken**2 / features


def _carried_on(halves: Floats, quarters: Floats, features: int, size: int, rows: int) -> Stability:
    """The stability index for all rows, extrapolated from the indices of pairs of halves and of quarters."""
    spreads = [max(_LEAST_SPREAD, float(each.std(ddof=1))) for each in (halves, quarters)]
    seen = np.array([halves.mean(), quarters.mean()])
    curves, shifted = _curves(features, size, min(rows, _MANY)), _shifted(features, size)
    unlikely = np.broadcast_to((np.log(shifted / size) / _APART)[:, None] ** 2, curves.shape[1:])
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, _DRAWS))
    both = np.stack([first, _ALIKE * first + math.sqrt(1 - _ALIKE**2) * second])
    drawn = seen[:, None] + _SPREAD * np.array(spreads)[:, None] * both
    # Rounded, because the last digits of normal distributions differ between systems.
    index = float(np.round(_read_off(curves, unlikely, seen[:, None], spreads)[0], 6))
    low, high = np.round(np.quantile(_read_off(curves, unlikely, drawn, spreads), [0.025, 0.975]), 6)
    return Stability(index, max(-1.0, min(index, float(low))), min(1.0, max(index, float(high))), 2 * len(halves))


def _read_off(curves: Floats, unlikely: Floats, seen: Floats, spreads: list[float]) -> Floats:
    """(m,) index for all rows, on the curve closest to (2, m) indices of halves and quarters.

    The curve assumes as many shifted features as a subset has, because held-out rows chose its size. Values below
    chance level are extrapolated like those above, so that noise is 0 on average; values within their own spread are
    hardly extrapolated.
    """
    sign = np.where(seen[0] < 0, -1.0, 1.0)
    lags = [(curves[at].ravel() - (sign * seen[at])[:, None]) / spreads[at] for at in (0, 1)]
    whole = sign * curves[2].ravel()[(lags[0] ** 2 + lags[1] ** 2 + unlikely.ravel()).argmin(axis=1)]
    trust = seen[0] ** 4 / (seen[0] ** 4 + (_TRUSTED * spreads[0]) ** 4)
    return np.asarray(seen[0] + trust * (whole - seen[0]))


def _shifted(features: int, size: int) -> Floats:
    """Numbers of shifted features for which curves are computed."""
    return np.unique(np.round(np.geomspace(1, max(2.0, min(features / 2, 6.0 * size)), 24)))


@lru_cache(maxsize=8)
def _curves(features: int, size: int, rows: int) -> Floats:
    """(3, ...) index for halves, quarters and all rows, for a given number of features shifted by a given amount.

    Scores are absolute values of Student's t with the degrees of freedom left by the rows; a subset consists of all
    scores above a threshold.
    """
    from scipy.special import nctdtr, stdtr

    shifted = _shifted(features, size)
    shift = np.concatenate([[0.0], np.linspace(0.2, 8.0, 40)])[None, :]
    found = []
    for factor, part in ((1.0, rows / 2), (math.sqrt(0.5), rows / 4), (math.sqrt(2.0), rows)):
        freedom = max(2.0, part - 2)
        thresholds = np.geomspace(1e-3, 200.0, _THRESHOLDS)
        others = 2 * stdtr(freedom, -thresholds)  # (t,)
        moved = (factor * shift).T
        below, beyond = nctdtr(freedom, moved, thresholds), nctdtr(freedom, moved, -thresholds)
        below = np.where(np.isnan(below), thresholds > moved, below)  # unavailable in the far tails
        above = np.clip(1 - below + np.nan_to_num(beyond), 0.0, 1.0)
        by_chance, made = size**2 / features, np.empty((len(shifted), len(moved)))
        for place, count in enumerate(shifted):
            taken = count * above + (features - count) * others  # decreases from left to right
            for row in range(len(moved)):
                own, null = (float(np.interp(-size, -taken[row], values)) for values in (above[row], others))
                made[place, row] = (count * own**2 + (features - count) * null**2 - by_chance) / (size - by_chance)
        found.append(made)
    return np.array(found)
