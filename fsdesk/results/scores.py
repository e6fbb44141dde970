"""Scores of held-out rows, and measures of them with intervals: proportions, their ratios, ROC curve, calibration.

Times to an event are evaluated at a time: rows with the event by then, against those still without it. Rows censored
before are omitted, and the others are weighted by the inverse probability of not being censored, estimated from the
rows of other parts (H. Uno et al., J. Am. Stat. Assoc. 102, 2007). Variances treat these as known. Models of different
parts may shrink risks differently, so log hazards are standardized within each part.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import curve_of, times_of
from fsdesk.data.outcomes import positive_class
from fsdesk.measure.criteria import class_named, weights_at
from fsdesk.results.calibration import logits
from fsdesk.results.held_out import HeldOut
from fsdesk.results.intervals import Spread, Support, jackknife, loss_interval

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]

GRID = np.linspace(0.0, 1.0, 101)
"""The false positive rates at which the curve is given."""

_SAMPLES, _FEWEST_SAMPLES, _WORK = 300, 50, 20_000_000  # bootstrap samples; fewer with very many rows
_FLAT = 0.1  # standard deviation of logits below which no slope can be estimated
_SLOPES_FROM, _CAUTIOUS = 200, 1.5
"""Number of rows, or groups of them, from which a calibration slope has an interval, and the factor of its variance:
scores of models of several parts are calibrated too cautiously, by a third with 100 rows and a tenth with 300, as
tests/bench/decision_intervals.py shows."""
_ROWS_OF_A_BIN, _MOST_BINS = 20, 10
_STEPS, _FURTHEST = 30, 35.0


def log_hazards(survival: Floats) -> Floats:
    """Logarithms of the cumulative hazards that correspond to event-free probabilities."""
    return np.asarray(np.log(-np.log(np.clip(survival, 1e-12, 1 - 1e-12))))


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of held-out rows: one entry for each time that a row was predicted.

    Attributes
    ----------
    rows
        (m,) int64 row index in the table.
    blocks
        (m,) int64 group of the row, such as its patient; the row itself if there are no groups.
    folds, repeats
        (m,) int64 part in which it was held out, and repetition in which it was predicted: at most once in each.
    truth
        (m,) int64 class codes, or float64 numbers; times to an event, negative if censored.
    scores
        (m, classes) for the classes, larger is more likely; (m, 1) predicted numbers; (m, g) probabilities of being
        event-free at each of ``times``.
    scales
        (m,) int64 index of the model in ``models`` that gave the scores.
    probabilities
        Whether scores are probabilities, whose logit is used; else decision values.
    names
        Names of the classes; empty for numbers; for times to an event the target and the event.
    positive
        Code of the positive class.
    models
        Names of the models, "" if there was only one.
    everywhere
        (m, classes, k) unbounded scores of the first k models for all entries, each with the features selected for the
        entry's part: a model that predicted few rows is calibrated on these. NaN if not computed; empty if each model
        predicted enough rows.
    times
        (g,) times of the scores; empty unless the target is a time to an event.
    weights
        (m,) weight of each entry, see :meth:`at`; None: equal weights.
    horizon, censored
        The time at which entries are evaluated, or will be by default, and the number of rows censored before; 0 if
        there is none.
    over_time
        Scores for the area under the curve, if it is not computed from these entries.
    scale
        For predictions on another table, mean and standard deviation of the log hazards that the same model predicts
        for the rows of the run; None if those of each part are known.
    """

    rows: Codes
    blocks: Codes
    folds: Codes
    repeats: Codes
    truth: NDArray[np.int64] | Floats
    scores: Floats
    scales: Codes
    probabilities: Flags
    names: tuple[str, ...]
    positive: int
    models: tuple[str, ...] = ("",)
    everywhere: Floats = field(default_factory=lambda: np.empty((0, 0, 0)))
    times: Floats = field(default_factory=lambda: np.empty(0))
    weights: Floats | None = None
    horizon: float = 0.0
    censored: int = 0
    over_time: HeldOut | None = None
    scale: tuple[float, float] | None = None

    @property
    def counts(self) -> Floats:
        """(m,) weight of each entry."""
        return np.ones(len(self.rows)) if self.weights is None else self.weights

    @property
    def is_late(self) -> bool:
        """Whether some rows have delayed entry."""
        return self.truth.ndim == 2

    @property
    def longest(self) -> float:
        """The last time that some row outlasted, for times to an event."""
        times = np.unique(times_of(np.asarray(self.truth, dtype=np.float64)))
        return float(times[-2] if len(times) > 1 else times[-1])

    def survival_at(self, times: Floats) -> Floats:
        """(m, k) probabilities of being event-free at each of (k,) times.

        Between the known times, cumulative hazards are interpolated linearly.
        """
        hazards = -np.log(np.clip(self.scores, 1e-12, 1.0))
        known, hazards = np.append(0.0, self.times), np.concatenate([np.zeros((len(hazards), 1)), hazards], axis=1)
        found = np.array([np.interp(times, known, own) for own in hazards]).reshape(len(hazards), len(times))
        return np.asarray(np.exp(-found))

    def over(self, criterion: str, times: Floats) -> HeldOut:
        """Survival evaluated at some times: by "brier", or by "auc at a time" at a single one."""
        survival, truth = self.survival_at(times), np.asarray(self.truth, dtype=np.float64)
        said = survival if criterion == "brier" else 1 - survival[:, 0]
        chance = np.zeros_like(said)
        if criterion == "brier":
            for fold in np.unique(self.folds):
                own, other = self.folds == fold, apart(self, int(fold))
                by = truth[other if other.any() else own]
                curve = curve_of(by)
                chance[own] = [curve.at(time) for time in times.tolist()]
        return HeldOut(
            criterion=criterion,
            classes=1,
            rows=self.rows,
            blocks=self.blocks,
            folds=self.folds,
            repeats=self.repeats,
            truth=truth,
            chosen=said,
            chance=chance,
            times=times,
        )

    def at(self, horizon: float) -> "Scored":
        """Whether rows had the event by a given time, and their risk, standardized within parts; for event times."""
        truth, asked = np.asarray(self.truth, dtype=np.float64), np.array([horizon])
        weights = np.zeros(len(truth))
        for repeat in np.unique(self.repeats):
            own = self.repeats == repeat
            weights[own] = weights_at(truth[own], self.folds[own][None], asked)[0, :, 0]
        risks, kept = log_hazards(self.survival_at(asked)[:, 0]), weights > 0
        for repeat, fold in np.unique(np.stack([self.repeats, self.folds]), axis=1).T:
            own = (self.repeats == repeat) & (self.folds == fold)
            mean, spread = self.scale or (float(risks[own].mean()), float(risks[own].std()))
            risks[own] = (risks[own] - mean) / (spread if spread > 1e-9 else 1.0)
        target, event = self.names
        return replace(
            self,
            **{name: getattr(self, name)[kept] for name in ("rows", "blocks", "folds", "repeats")},
            truth=(times_of(truth)[kept] <= horizon).astype(np.int64),
            scores=np.stack([-risks, risks], axis=1)[kept],
            scales=np.zeros(int(kept.sum()), dtype=np.int64),
            probabilities=np.zeros(int(kept.sum()), dtype=np.bool_),
            models=("",),
            everywhere=np.empty((0, 0, 0)),
            names=(f"{target} > {horizon:.6g}", f"{event}, {target} ≤ {horizon:.6g}"),
            positive=1,
            times=np.empty(0),
            weights=weights[kept],
            horizon=horizon,
            censored=len(np.unique(self.rows[~kept])),
            over_time=self.over("auc at a time", asked),
        )

    def logits(self, code: int) -> Floats:
        """(m,) unbounded scores of a class."""
        own = self.scores[:, code]
        return np.where(self.probabilities, logits(np.where(self.probabilities, own, 0.5)), own)

    def against_rest(self, code: int) -> HeldOut:
        """One class against the rest, evaluated by the area under the curve."""
        if self.over_time is not None:
            return self.over_time
        own = self.scores[:, code]
        two = np.stack([-own, own], axis=1)
        return HeldOut(
            criterion="auc",
            classes=2,
            rows=self.rows,
            blocks=self.blocks,
            folds=self.folds,
            repeats=self.repeats,
            truth=(self.truth == code).astype(np.int64),
            chosen=two,
            chance=np.zeros_like(two),
        )


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval, whose limits may be infinite; both None if unknown."""

    value: float | None
    low: float | None = None
    high: float | None = None


UNKNOWN = Estimate(None)


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve with a pointwise 95 % band: (k,) each, NaN if unknown."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class Calibration:
    """Agreement of the probabilities of held-out rows with the truth.

    Attributes
    ----------
    slope, intercept
        1 and 0 are perfect; a slope below 1 means that probabilities are too extreme. The intercept is that for a slope
        of 1, above 0 if probabilities are too low. The slope is unknown if the probabilities hardly differ.
    groups
        Mean probability of groups of rows with similar ones, and the proportion of the positive class there with its
        interval.
    sizes
        (k,) rows of each group.
    """

    slope: Estimate
    intercept: Estimate
    groups: Curve
    sizes: Codes


def positive_code(name: str, dataset: Dataset) -> int:
    """Code of the positive class: the named one, otherwise :func:`fsdesk.data.outcomes.positive_class`."""
    if name:
        return class_named(name, dataset.classes)
    return positive_class(dataset.classes, dataset.class_sizes)


def apart(scored: Scored, fold: int) -> Flags:
    """(m,) entries of other parts whose blocks are not in this one."""
    own = scored.folds == fold
    return np.asarray(~own & ~np.isin(scored.blocks, scored.blocks[own]))


def shares_of(logits: Floats) -> Floats:
    """Probabilities that correspond to logits."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-logits)))


def support_of(scored: Scored, some: Flags) -> Support:
    """Number of distinct rows, and of groups of rows, among the entries ``some``."""
    return Support(len(np.unique(scored.rows[some])), len(np.unique(scored.blocks[some])))


def share_estimate(share: float, variance: float, clear: float, support: Support) -> Estimate:
    """A proportion with its interval."""
    ends = loss_interval(share, Spread.of(variance, np.empty(0), clear), support) if math.isfinite(variance) else None
    low, high = ends or (0.0, 1.0)
    return Estimate(share, min(low, share), max(high, share))


def complement(found: Estimate) -> Estimate:
    """1 minus a proportion, with its interval."""
    if found.value is None:
        return found
    low, high = (None, None) if found.low is None or found.high is None else (1 - found.high, 1 - found.low)
    return Estimate(1 - found.value, low, high)


def ends_of(found: Estimate) -> tuple[float, float, float]:
    """Value, lower and upper limit, as far as they are known."""
    value, low, high = (float("nan") if each is None else each for each in (found.value, found.low, found.high))
    return value, low, high


def ratio_of(above: Estimate, below: Estimate, correlation: float) -> Estimate:
    """The ratio of two proportions with the interval of Donner & Zou (2012); unknown if both are 0."""
    a, low_a, high_a = ends_of(above)
    b, low_b, high_b = ends_of(below)
    if a <= 0 and b <= 0:
        return UNKNOWN
    value = a / b if b > 0 else math.inf
    ends = []
    for near, far, sign in ((low_a, high_b, -1.0), (high_a, low_b, 1.0)):
        width = far * (2 * b - far)  # lower limit of the ratio with the upper limit of the divisor, and vice versa
        if far <= 0:
            ends.append(math.inf)
            continue
        product = a * b - correlation * (a - near) * (far - b)
        inside = max(0.0, product**2 - near * far * (2 * a - near) * (2 * b - far))
        if abs(width) < 1e-12:  # the limit in which the quadratic equation becomes linear
            ends.append(near * (2 * a - near) / (2 * product) if product > 0 else (0.0 if sign < 0 else math.inf))
        else:
            ends.append((product + sign * math.sqrt(inside)) / width)
    low, high = max(0.0, ends[0]), ends[1] if ends[1] > 0 else math.inf
    return Estimate(value, min(low, value), max(high, value))


def predictive_value(ratio: Estimate, prevalence: float) -> Estimate:
    """Probability of the positive class after a result of this likelihood ratio, by Bayes' theorem."""
    if ratio.value is None:
        return UNKNOWN
    odds = prevalence / (1 - prevalence)

    def after(ratio: float) -> float:
        return 1.0 if math.isinf(ratio) else odds * ratio / (1 + odds * ratio)

    value, low, high = map(after, ends_of(ratio))
    return Estimate(value, low, high)


def joint_half(one: float, other: float, correlation: float) -> float:
    """Half-width of the interval of a difference, from those of its two parts."""
    return math.sqrt(max(0.0, one**2 + other**2 - 2 * correlation * one * other))


def logit(share: float) -> float:
    """Logarithm of the odds."""
    return math.log(share / (1 - share))


def logits_of(shares: Floats) -> Floats:
    """Logits of probabilities between 0 and 1."""
    return np.asarray(np.log(shares / (1 - shares)))


def roc_of(scored: Scored, code: int, clear: float) -> Curve:
    """The mean curve of the parts at ``GRID``, its variance by a bootstrap over blocks."""
    positive = scored.truth == code
    blocks = np.unique(scored.blocks, return_inverse=True)[1]
    count = int(blocks.max()) + 1
    samples = min(_SAMPLES, max(_FEWEST_SAMPLES, _WORK // len(blocks)))
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=samples).astype(np.float64)
    strata = _strata(scored, positive)
    curves, variances = [], []
    for parts in strata:
        curve, several = [], []
        for own in parts:
            scores, hits = scored.scores[own, code], positive[own]
            counts = scored.counts[own][None]
            curve.append(_weighted_curve(scores, hits, counts)[0])
            several.append(_weighted_curve(scores, hits, drawn[:, blocks[own]] * counts))
        curves.append(np.mean(curve, axis=0))
        total, times = np.nansum(several, axis=0), np.isfinite(several).sum(axis=0)
        means = np.divide(total, times, out=np.full(total.shape, np.nan), where=times > 0)
        kept = np.isfinite(means).all(axis=1)
        variances.append(means[kept].var(axis=0, ddof=1) if kept.sum() > 1 else np.full(len(GRID), np.inf))
    mean, variance = np.mean(curves, axis=0), np.mean(variances, axis=0)
    support = support_of(scored, positive)
    found = [
        ends_of(share_estimate(float(min(1.0, a)), float(b), clear, support))
        for a, b in zip(mean, variance, strict=True)
    ]
    low, high = np.array([each[1] for each in found]), np.array([each[2] for each in found])
    low[0], high[-1], low[-1] = 0.0, 1.0, 1.0
    return Curve(GRID, mean, np.maximum.accumulate(low), np.maximum.accumulate(high))


def _strata(scored: Scored, positive: Flags) -> list[list[NDArray[np.int64]]]:
    """The entries of the parts that have both classes, for each repetition; all combined if there are none."""
    found = []
    for repeat in np.unique(scored.repeats):
        own = np.flatnonzero(scored.repeats == repeat)
        parts = [own[scored.folds[own] == fold] for fold in np.unique(scored.folds[own])]
        both = [part for part in parts if 0 < positive[part].sum() < len(part)]
        found.append(both or [own])
    return found


def _weighted_curve(scores: Floats, positive: Flags, weights: Floats) -> Floats:
    """(g, 101) sensitivities at ``GRID`` with each of (g, m) weights; NaN if a class has none."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    rates = np.full((len(weights), len(GRID)), np.nan)
    for at, own in enumerate(weights[:, order]):
        found, alarms = np.cumsum(own * positive[order])[ends], np.cumsum(own * ~positive[order])[ends]
        if found[-1] > 0 and alarms[-1] > 0:
            false, true = np.append(0.0, alarms / alarms[-1]), np.append(0.0, found / found[-1])
            rates[at] = np.interp(GRID, false, true)
            rates[at, 0] = 0.0
    return rates


def calibration_of(scored: Scored, truth: Flags, logits: Floats, final: Floats | None, clear: float) -> Calibration:
    """Agreement of logits of probabilities with the truth, all (m,).

    New rows will be calibrated by all rows, to ``final`` here, with an error that depends on the number of rows. The
    intervals include this error: slopes are divided by that of the calibration, and intercepts add up. ``final`` is
    None if the calibration is given. ``clear`` is as in :func:`fsdesk.results.intervals.learned`.
    """
    one, none, counts = np.ones((len(logits), 1)), np.zeros(len(logits)), scored.counts
    by_all: tuple[float, float] | None = (1.0, 0.0)
    if final is not None:
        by_all = _logistic(one, truth, final, scored.blocks, counts)
    intercept = _coefficient(scored, truth, one, logits, clear, by_all)
    slope = UNKNOWN
    if float(logits.std()) >= _FLAT:
        if final is not None:
            by_all = _logistic(np.column_stack([one, final]), truth, none, scored.blocks, counts)
        slope = _coefficient(
            scored, truth, np.column_stack([one, logits]), none, clear, by_all, is_ratio=final is not None
        )
    return Calibration(slope, intercept, *_groups(scored, truth, logits, clear))


def _coefficient(
    scored: Scored,
    truth: Flags,
    x: Floats,
    offset: Floats,
    clear: float,
    by_all: tuple[float, float] | None,
    *,
    is_ratio: bool = False,
) -> Estimate:
    """The last coefficient of a logistic regression; unknown if the likelihood has no maximum.

    ``by_all`` is that of the calibration by all rows, with its variance, which is the error for new rows.

    If a row has several predictions, all contribute to the value but only one to the variance, as in other measures.
    """
    counts = scored.counts
    whole = _logistic(x, truth, offset, scored.blocks, counts)
    each = [_logistic(x[own], truth[own], offset[own], scored.blocks[own], counts[own])
            for own in (scored.repeats == repeat for repeat in np.unique(scored.repeats))]  # fmt: skip
    variances = [found[1] for found in each if found is not None]
    if whole is None or len(variances) < len(each):
        return UNKNOWN
    support = Support(len(np.unique(scored.rows)), len(np.unique(scored.blocks)))
    if by_all is None:
        return Estimate(whole[0])
    beyond = by_all[1]
    if is_ratio:
        beyond *= (whole[0] / by_all[0]) ** 2 if by_all[0] else math.inf
    total = Spread(float(np.mean(variances)), learned=clear).total + beyond
    if is_ratio:
        total *= _CAUTIOUS
    if not math.isfinite(total) or (is_ratio and support.blocks < _SLOPES_FROM):
        return Estimate(whole[0])
    half = support.quantile * math.sqrt(total)
    return Estimate(whole[0], whole[0] - half, whole[0] + half)


def _logistic(x: Floats, truth: Flags, offset: Floats, blocks: Codes, counts: Floats) -> tuple[float, float] | None:
    """The last coefficient and its variance over blocks; None if the likelihood has no maximum.

    Entries are weighted by (m,) ``counts``.
    """
    weights, blocks = np.zeros(x.shape[1]), np.unique(blocks, return_inverse=True)[1]
    for _ in range(_STEPS):
        shares = shares_of(np.clip(offset + x @ weights, -_FURTHEST, _FURTHEST))
        information = (x * (counts * shares * (1 - shares))[:, None]).T @ x
        try:
            step = np.linalg.solve(information, x.T @ (counts * (truth - shares)))
        except np.linalg.LinAlgError:
            return None
        weights = weights + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    else:
        return None
    sums = np.zeros((int(blocks.max()) + 1, x.shape[1]))
    np.add.at(sums, blocks, x * (counts * (truth - shares))[:, None])
    inverse = np.linalg.inv(information)
    covariance = inverse @ (sums.T @ sums) @ inverse * len(sums) / max(1, len(sums) - 1)
    return float(weights[-1]), float(covariance[-1, -1])


def _groups(scored: Scored, truth: Flags, logits: Floats, clear: float) -> tuple[Curve, Codes]:
    """Group rows with similar probabilities, keeping ties together."""
    rows = len(np.unique(scored.rows))
    bins = int(np.clip(rows // _ROWS_OF_A_BIN, 2, _MOST_BINS))
    edges = np.unique(np.quantile(logits, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, logits, side="right")
    shares, counts = shares_of(logits), scored.counts
    found, sizes = [], []
    for group in np.unique(place):
        own = place == group
        variance = float(np.mean([_variance(truth, own & (scored.repeats == repeat), scored.blocks, counts)
                                  for repeat in np.unique(scored.repeats[own])]))  # fmt: skip
        mean, share = (float(np.average(each[own], weights=counts[own])) for each in (shares, truth))
        ends = ends_of(share_estimate(share, variance, clear, support_of(scored, own)))
        found.append((mean, *ends))
        sizes.append(len(np.unique(scored.rows[own])))
    return Curve(*np.array(found).T), np.array(sizes, dtype=np.int64)


def _variance(truth: Flags, own: Flags, blocks: Codes, counts: Floats) -> float:
    """Variance of a proportion, over blocks."""
    some = counts[own] * truth[own]

    def share(kept: Flags) -> Floats:
        total = kept @ counts[own]
        return np.asarray(np.divide(kept @ some, total, out=np.full(len(kept), np.nan), where=total > 0))[:, None]

    return float(jackknife(share, blocks[own])[0, 0])
