"""The rule by which a race chooses among its candidates, and what is known of one candidate.

A candidate is a ranking of the features cut at one size, with one model, and its losses on the held-out rows of each
resample. The rule is compared with others on synthetic and real tables by `tests/bench/model_choice.py`.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import erfc, sqrt
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

ALL_FEATURES = "all features"
_BESIDE = (0.61, 0.14)  # weights of sizes one and two steps away: a normal density, 1 at the size itself
_CLEARLY_ANOTHER = 3.0  # standard errors beyond which a size tells nothing about its neighbor
_OF_MARGINS, _COARSE = 0.5, 100  # weight of margins in an estimate, up to this many rows; it falls beyond
_PRIOR = 1.0  # candidates without any difference that count as evidence about each strategy and kind of model

Floats = NDArray[np.float64]


@dataclass
class Candidate:
    """A strategy at one size with one model, and its losses on the held-out rows of each resample."""

    strategy: str
    size: int
    losses: dict[int, float] = field(default_factory=dict)
    margins: dict[int, tuple[float, float]] = field(default_factory=dict)
    model: str = ""

    @property
    def mean(self) -> float:
        """Mean held-out loss; infinite if it was not evaluated on any rows."""
        return float(np.mean(list(self.losses.values()))) if self.losses else np.inf

    @property
    def mean_loss(self) -> tuple[float, float]:
        """Mean held-out loss and its standard error; infinite if it was not evaluated on any rows."""
        losses = np.array(list(self.losses.values()))
        if not len(losses):
            return np.inf, 0.0
        return float(losses.mean()), float(losses.std(ddof=1) / np.sqrt(len(losses))) if len(losses) > 1 else 0.0

    @property
    def clearness(self) -> float:
        """Mean margin of the held-out rows in standard deviations; 0 if the model has no margins."""
        if not self.margins:
            return 0.0
        mean, deviation = np.array(list(self.margins.values())).T
        spread = np.sqrt(max(0.0, float(np.mean(deviation**2 + mean**2) - np.mean(mean) ** 2)))
        clearness = float(np.mean(mean) / max(float(spread), 1e-12))
        return clearness if np.isfinite(clearness) else 0.0

    def on(self, resamples: Set[int]) -> "Candidate":
        """The candidate restricted to these resamples."""
        losses = {each: loss for each, loss in self.losses.items() if each in resamples}
        margins = {each: margin for each, margin in self.margins.items() if each in resamples}
        return Candidate(self.strategy, self.size, losses, margins, self.model)

    @property
    def pair(self) -> tuple[str, str]:
        """The strategy and model of the candidate."""
        return self.strategy, self.model

    @property
    def kind(self) -> str:
        """The kind of model: its name without settings."""
        return self.model.partition(" ")[0]

    def is_usual(self, usual: Mapping[str, int]) -> bool:
        """Whether it is one of the usual models, with at least as many features as listed there."""
        return 0 < usual.get(self.model, 0) <= self.size

    def behind(self, other: "Candidate") -> tuple[float, float]:
        """Mean excess loss over another candidate on the same resamples, and its standard error."""
        common = sorted(self.losses.keys() & other.losses.keys())
        if not np.isfinite([each.losses[key] for each in (self, other) for key in common]).all():
            return (0.0 if self.mean == other.mean else np.inf), 0.0
        lags = np.array([self.losses[each] - other.losses[each] for each in common])
        spread = float(lags.std(ddof=1) / np.sqrt(len(lags))) if len(lags) > 1 else 0.0
        return float(lags.mean()), spread

    def is_near(self, other: "Candidate") -> bool:
        """Whether it is worse than another candidate by at most one standard error."""
        lag, spread = self.behind(other)
        return lag <= spread

    def is_level_with(self, other: "Candidate") -> bool:
        """Whether the two candidates differ by at most one standard error."""
        lag, spread = self.behind(other)
        return abs(lag) <= spread


def smallest(candidates: Sequence[Candidate]) -> Candidate:
    """Return the one with the smallest mean held-out loss; ties go to the clearest margins, then to fewer features."""
    return best_of(candidates, 1)[0]


def best_of(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """Up to ``most`` candidates with the smallest mean held-out losses, in the order of :func:`smallest`."""
    means = _means(candidates)
    last = sorted(means)[min(most, len(means)) - 1]
    # Margins are compared only for possible candidates.
    near = [
        (mean, -each.clearness, each.size, each) for each, mean in zip(candidates, means, strict=True) if mean <= last
    ]
    return [found[3] for found in sorted(near, key=lambda found: found[:3])[:most]]


def _means(candidates: Sequence[Candidate]) -> list[float]:
    """Mean held-out losses of candidates evaluated on equally many resamples, computed together."""
    means = [np.nan] * len(candidates)
    for count in {len(each.losses) for each in candidates}:
        places = [place for place, each in enumerate(candidates) if len(each.losses) == count]
        losses = np.array([list(candidates[place].losses.values()) for place in places])
        for place, mean in zip(places, losses.mean(axis=1).tolist(), strict=True):
            means[place] = mean
    return means


def choose(
    candidates: Sequence[Candidate],
    prefer: str,
    row: float = 0.0,
    usual: Mapping[str, int] = MappingProxyType({}),
) -> Candidate:
    """Choose among candidates evaluated on the same resamples.

    "lowest" takes the smallest estimated loss (below). If the losses of several are below half that of a single row,
    the one with the clearest margins is taken: if a few of many features suffice to predict every row, margins show how
    many carry the signal. Of two equal ones, the one with fewer features is taken. "fewest" takes the fewest features
    among all that are level with the smallest loss, "most" takes the most. Two are level if their mean difference
    over the resamples is within its standard error.

    The estimate is the mean held-out loss. If that counts rows, it is averaged with the error rate expected if margins
    were normal: the count of a hundred rows is coarse, their margins are not (N. Glick, Additive estimators for
    probabilities of correct classification, Pattern Recognition 10, 1978). The more rows there are, the less weight
    the margins get, because they are not quite normal. It is then averaged with the estimates at the next two smaller
    and larger sizes of the strategy with this model, weighted by a normal density, unless they clearly differ from it:
    one size may be good by chance, but hardly its neighbors as well. If models compete, an estimate is shrunk toward
    what its strategy and its kind of model achieve elsewhere, by the fraction of the differences that chance explains:
    the best of hundreds of candidates is lucky, but hardly all others with its strategy or its kind of model. The best
    ranking and the best model with all features are then compared by their own estimates; if they are equal, the
    ranking is taken. (Preferring rankings that are worse by up to a standard error cost .1 and .7 points on 130 and 240
    rows of 18 real tables, and gained nothing on synthetic ones with few informative features:
    `tests/bench/model_choice.py`.) Other candidates are taken only if the best of the usual ones is worse by more than
    a standard error. Models that are usual only from some number of features on must, with all features, be within a
    standard error of the best candidate, which shows that the signal is spread over many features.

    Parameters
    ----------
    row
        As :attr:`Problem.row`.
    usual
        The usual models, each with the smallest number of features for which it is usual.
    """
    if prefer != "lowest":
        if prefer == "most":  # otherwise all features would always be the most
            candidates = [each for each in candidates if each.strategy != ALL_FEATURES] or candidates
        leader = smallest(candidates)
        level = [each for each in candidates if each is leader or each.is_level_with(leader)]
        sign = 1 if prefer == "fewest" else -1
        return min(level, key=lambda each: (sign * each.size, each.mean))
    judged = estimated(candidates, row)
    best = _best(judged)
    of_usual = [each for each in judged if each.candidate.is_usual(usual)]
    if best.is_usual(usual) or not of_usual:
        return best
    known = _best(of_usual)
    if usual[known.model] > 1:
        whole = [each.candidate for each in of_usual if each.candidate.strategy == ALL_FEATURES]
        if not (whole and smallest(whole).is_near(best)):
            return best
    return known if known.is_near(best) else best


def estimated(candidates: Sequence[Candidate], row: float = 0.0) -> "list[Estimated]":
    """Return the estimates by which :func:`choose` compares candidates, if the smallest loss is preferred."""
    # Rounded, because the last digits of the error function differ between systems.
    found = [
        (each, loss, clearness)
        for sizes in _by_pair(candidates).values()
        for each, loss, clearness in zip(sizes, *_estimates(sizes, row), strict=True)
    ]
    own = np.array([loss for _, loss, _ in found])
    drawn = shrunk([each for each, *_ in found], own) if len({each.model for each in candidates}) > 1 else own
    return [
        Estimated(max(round(least, 12), row / 2), max(round(loss, 12), row / 2), clearness, each)
        for (each, loss, clearness), least in zip(found, drawn.tolist(), strict=True)
    ]


def _best(judged: "Sequence[Estimated]") -> Candidate:
    """The one with the smallest estimate; all features are compared with the best ranking by their own estimate."""
    whole = [each for each in judged if each.candidate.strategy == ALL_FEATURES]
    lists = [each for each in judged if each.candidate.strategy != ALL_FEATURES]
    best = min(judged, key=Estimated.order)
    if best.candidate.model and whole and lists:
        shorter, longer = min(lists, key=Estimated.order), min(whole, key=Estimated.order)
        best = shorter if shorter.own <= longer.own else longer
    return best.candidate


@dataclass(frozen=True)
class Estimated:
    """A candidate with its estimated loss, before and after shrinkage toward its strategy and model."""

    drawn: float
    own: float
    clearness: float
    candidate: Candidate

    def order(self) -> tuple[float, float, int]:
        """Key that is smallest for the best one."""
        return self.drawn, -self.clearness, self.candidate.size


def _by_pair(candidates: Sequence[Candidate]) -> dict[tuple[str, str], list[Candidate]]:
    """The candidates of each strategy with each model, ordered by size."""
    found: dict[tuple[str, str], list[Candidate]] = {}
    for each in sorted(candidates, key=lambda each: each.size):
        found.setdefault(each.pair, []).append(each)
    return found


def shrunk(candidates: Sequence[Candidate], own: Floats) -> Floats:
    """Estimates shrunk toward the sum of an effect of the strategy and one of the kind of model.

    The effects are those of a ridge regression of the estimates. Residuals are kept only as far as they vary more
    between candidates than the resamples explain: an empirical Bayes estimate (B. Efron & C. Morris, Data Analysis
    Using Stein's Estimator and its Generalizations, JASA 70, 1975).
    """
    levels: dict[tuple[str, str], int] = {}
    places = [
        [levels.setdefault(level, len(levels)) for level in (("strategy", each.strategy), ("kind", each.kind))]
        for each in candidates
    ]
    design = np.zeros((len(candidates), len(levels) + 1))
    design[:, -1] = 1.0
    for at, own_levels in enumerate(places):
        design[at, own_levels] = 1.0
    prior = np.diag([_PRIOR] * len(levels) + [0.0])
    losses = np.array([[each.losses[key] for key in sorted(each.losses)] for each in candidates])
    values = np.column_stack([own, losses])
    fitted = design @ np.linalg.solve(design.T @ design + prior, design.T @ values)
    rest = losses - fitted[:, 1:]
    count, total = rest.shape[1], float((rest.mean(axis=1) ** 2).mean())
    chance = float(rest.var(axis=1, ddof=1).mean()) / count if count > 1 else 0.0
    kept = max(0.0, 1.0 - chance / total) if total > 0.0 else 0.0
    return np.asarray(fitted[:, 0] + kept * (own - fitted[:, 0]))


def _estimates(sizes: Sequence[Candidate], row: float) -> tuple[list[float], list[float]]:
    """Estimated losses and margins of a strategy's candidates, which are ordered by size."""
    resamples = sorted(sizes[0].losses)
    losses = np.array([[each.losses[resample] for resample in resamples] for each in sizes])
    own, clearness = losses.mean(axis=1), [each.clearness for each in sizes]
    if row > 0:
        # The error rate for normal margins: it continues to fall if the observed one is 0 or 1.
        normal = [
            0.5 * erfc(clear / sqrt(2)) if clear else counted for clear, counted in zip(clearness, own, strict=True)
        ]
        share = _OF_MARGINS * min(1.0, _COARSE * row)
        own = (1 - share) * own + share * np.array(normal)
    total, weights = own.copy(), np.ones(len(sizes))
    for distance, weight in enumerate(_BESIDE, 1):
        smaller, larger = slice(0, max(0, len(sizes) - distance)), slice(distance, None)
        lag = losses[larger] - losses[smaller]
        spread = lag.std(axis=1, ddof=1) / np.sqrt(len(resamples)) if len(resamples) > 1 else 0.0
        shared = weight * (np.abs(lag.mean(axis=1)) <= _CLEARLY_ANOTHER * spread)
        for one, other in ((smaller, larger), (larger, smaller)):
            total[one] += shared * own[other]
            weights[one] += shared
    return (total / weights).tolist(), clearness
