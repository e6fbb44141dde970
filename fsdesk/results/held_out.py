"""Predictions of held-out rows, the error that follows, and its confidence interval, which counts rows.

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

Where the rows held out have chosen among strategies, several models of subsets that the other rows would choose predict
each row (:func:`fsdesk.results.honest.own_error`). Their mean loss counts, with the variance of a single one.
"""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.checks import CLEAR, has_rare_class
from fsdesk.data.kaplan_meier import kaplan_meier, martingale_residuals
from fsdesk.measure import CRITERIA, Criterion, Outcome
from fsdesk.measure.criteria import weights_at
from fsdesk.messages import counted, localised, number, tr
from fsdesk.results.association import CROSS_VALIDATED, Association, association_of
from fsdesk.wrappers import model_title

LEVEL = 0.95
LEAST = 1.1
"""What a variance over rows is multiplied by where a search found no more than chance; see the module."""
MORE = 0.6
"""What is added to that where the answer is clearly better than chance."""
OF_SEVERAL, OF_PAIRS = (LEAST, CLEAR - LEAST), (1.0, 0.2)
"""The same of the mean loss of several models for each row, and of differences of such: the mean hardly depends on
which of the subsets that predict alike was found."""

EVIDENT = 0.05
"""The largest p value that counts as evidence."""

_MOST_BLOCKS, _GROUPS = 400, 100  # left out one by one; of more, so many groups of them
_NORMAL = 1.959963984540054
_LARGEST = math.log(sys.float_info.max)
_FEW = 2.0
"""Misses below which the variance that they show is trusted less than that which is expected."""

Floats = NDArray[np.float64]
Interval = tuple[float, float]
Source = Literal["outer folds", "held-out rows of the strategies", "another table"]
Verdict = Literal["better", "no better", "worse", "all features", "no evidence", "unknown"]
Codes = NDArray[np.int64]
Said = NDArray[Any]

_BY_CLASS = {"balanced error", "auc", "auc one-vs-one", "f1", "mcc"}
"""Criteria of which a rare class is as large a part as a common one."""


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
            return 0.0, support.scale * _share_interval(0.0, support.independent / spread.inflation)[1]
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
    low, high = _share_interval(share, (_NORMAL / quantile) ** 2 / whole)
    return support.scale * low, support.scale * high


def _share_interval(share: float, rows: float) -> Interval:
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


@dataclass(frozen=True)
class HonestError:
    """The held-out error, its 95 % interval, and what all features and chance do on the same rows.

    Losses are as a search minimises them: fractions, 1 less the AUC, RMSE. A difference is positive where the answer
    is better. None is what is not known: evidence of older versions of fsdesk holds no rows, so it gives a value alone.

    Attributes
    ----------
    criterion
        Name of what is measured.
    value, low, high
        Loss of the answer on held-out rows, and its interval.
    all_features, difference, difference_low, difference_high
        Loss of all features on the same rows, trained on the same others; by how much the answer is better.
    chance, chance_difference, chance_difference_low, chance_difference_high
        Loss of what one predicts who knows no features; by how much the answer is better.
    rows, blocks
        Number of held-out rows, and of groups of rows that belong together (of the rows, where there are no groups).
    selected, features
        Number of features of the answer, and of all.
    source, folds
        Whose held-out rows, and into how many parts the rows were divided; 0 where that is not known.
    luck
        How far the value was brought from that of the strategies that the rows chose to the mean of all, from 0 to 1.
    model, everything_model
        Names of the model of the answer and of the best one with all features, chosen on the same rows;
        nothing where no models compete: then ``all_features`` is that of the answer's model.
    simple_model, simple_selected
        Name of the model of the answer that there would be if simple models alone competed, and how many features it
        would have; nothing where the answer's model is one of them, or no models compete.
    simple, simple_difference, simple_difference_low, simple_difference_high
        Its loss on the same rows; by how much the answer is better.
    association, association_p
        How strongly what was predicted goes with the truth, and the p value of "not at all"; see
        :mod:`fsdesk.results.association`. None in evidence of older versions.
    permuted_p
        The p value of whole runs on shuffled targets, which is stronger evidence; None where there are not enough.
    target, names
        Names of the target and of its classes; empty in evidence of older versions.
    rates, sizes
        Share of the held-out rows of each class that were given it, and how many there are; empty for numbers.
    """

    criterion: str
    value: float
    low: float | None = None
    high: float | None = None
    all_features: float | None = None
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    chance: float | None = None
    chance_difference: float | None = None
    chance_difference_low: float | None = None
    chance_difference_high: float | None = None
    rows: int = 0
    blocks: int = 0
    selected: int = 0
    features: int = 0
    source: Source = "outer folds"
    folds: int = 0
    luck: float = 0.0
    model: str = ""
    everything_model: str = ""
    association: float | None = None
    association_p: float | None = None
    permuted_p: float | None = None
    target: str = ""
    names: tuple[str, ...] = ()
    rates: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    simple_model: str = ""
    simple_selected: int = 0
    simple: float | None = None
    simple_difference: float | None = None
    simple_difference_low: float | None = None
    simple_difference_high: float | None = None

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    @property
    def support_is_bounded(self) -> bool:
        """Whether there is a largest loss, so that the interval is that of a share."""
        return self.judged.unit == "%" or self.criterion == "cost" or _has_worst(self.judged)

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval; none where the rows are not known, or where the error varies without bound."""
        return self.low is not None and self.high is not None

    @property
    def verdict(self) -> Verdict:
        """How the answer compares: "no evidence" where it may predict nothing at all, else with all features.

        "all features": the answer is all of them. "unknown": no rows are known.
        """
        if not self.has_evidence:
            return "no evidence"
        if self.selected and self.selected == self.features:
            return "all features"
        if self.difference_low is None or self.difference_high is None:
            return "unknown"
        return "better" if self.difference_low > 0 else "worse" if self.difference_high < 0 else "no better"

    @property
    def evidence_p(self) -> float | None:
        """The p value that decides whether the features predict: of runs on shuffled targets, else of one run."""
        return self.association_p if self.permuted_p is None else self.permuted_p

    @property
    def has_evidence(self) -> bool:
        """Whether the features predict beyond luck; True where nothing is known of that.

        In evidence of older versions by the difference to a guess that looks at no feature.
        """
        if self.evidence_p is not None:
            return self.evidence_p <= EVIDENT
        return self.chance_difference_low is None or self.chance_difference_low > 0

    def value_words(self) -> str:
        """The value as people know it: "9.1 %", "0.912"."""
        return _shown(self.judged, self.value)

    def interval_words(self) -> str:
        """The interval: "5.6 to 13.4 %", "0.86 to 0.95"; "" where there is none."""
        if self.low is None or self.high is None:
            return ""
        criterion = self.judged
        ends = sorted((criterion.shown(self.low), criterion.shown(self.high)))
        if criterion.unit == "%":
            return tr("{low:.1f} to {high:.1f} %", low=100 * ends[0], high=100 * ends[1])
        return tr("{low} to {high}", low=_plain(ends[0]), high=_plain(ends[1]))

    def all_features_words(self) -> str:
        """All features on the same rows: "12.2 %"; "" where that is not known."""
        return "" if self.all_features is None else _shown(self.judged, self.all_features)

    def chance_words(self) -> str:
        """Chance on the same rows: "50.0 %"; "" where that is not known."""
        return "" if self.chance is None else _shown(self.judged, self.chance)

    def verdict_words(self) -> str:
        """How the answer compares: "better than all features by 3.1 points (0.9 to 5.4)"; "" where it is not known."""
        verdict, count = self.verdict, {"selected": number(self.selected), "features": number(self.features)}
        if verdict == "no evidence":
            return self.evidence_words()
        if self.difference is None or self.difference_low is None or self.difference_high is None:
            return ""
        low, high = self.difference_low, self.difference_high
        if self.everything_model:
            return self._beside_best_model(self.difference, low, high)
        if verdict == "better":
            return tr(
                "better than all features by {gain} ({low} to {high})",
                gain=self._points(self.difference), low=self._amount(low), high=self._amount(high),
            )  # fmt: skip
        if verdict == "worse":
            return tr(
                "worse than all features by {loss} ({low} to {high})",
                loss=self._points(-self.difference), low=self._amount(-high), high=self._amount(-low),
            )  # fmt: skip
        if verdict == "no better":
            return tr(
                "no better than all features (between {worse} worse and {better} better), with {selected} instead of "
                "{features}",
                worse=self._points(-low), better=self._amount(high), **count,
            )  # fmt: skip
        return tr("with all features")

    def _beside_best_model(self, difference: float, low: float, high: float) -> str:
        """How the answer compares with the best model on all features, which was chosen on the same rows."""
        beside = {"model": model_title(self.everything_model), "value": self.all_features_words()}
        if self.verdict == "better":
            return tr(
                "better than the best model with all features ({model}: {value}) by {gain} ({low} to {high})",
                gain=self._points(difference), low=self._amount(low), high=self._amount(high), **beside,
            )  # fmt: skip
        if self.verdict == "worse":
            return tr(
                "worse than the best model with all features ({model}: {value}) by {loss} ({low} to {high})",
                loss=self._points(-difference), low=self._amount(-high), high=self._amount(-low), **beside,
            )  # fmt: skip
        if self.verdict == "no better":
            return tr(
                "no clear difference from the best model with all features ({model}: {value}; between {worse} worse "
                "and {better} better)",
                worse=self._points(-low), better=self._amount(high), **beside,
            )  # fmt: skip
        return tr("no shorter list predicted as well")

    def _sentence_with_models(self, interval: str, verdict: str) -> str:
        """As :meth:`sentence` where models competed: what predicts best comes first."""
        values = {
            "criterion": tr(self.judged.title), "value": self.value_words(), "interval": interval,
            "model": model_title(self.model),
            "selected": number(self.selected), "features": number(self.features), "verdict": verdict,
        }  # fmt: skip
        if self.verdict == "worse":
            return tr(
                "All {features} features predict better: {criterion} on held-out rows {everything} "
                "({other}), and {value} (95 % interval {interval}) with these {selected} ({model}), {verdict}.",
                everything=self.all_features_words(), other=model_title(self.everything_model), **values,
            )  # fmt: skip
        if self.verdict == "all features":
            return tr(
                "{criterion} on held-out rows: {value} (95 % interval {interval}) with all {features} features "
                "({model}); {verdict}.", **values,
            )  # fmt: skip
        return tr(
            "{criterion} on held-out rows: {value} (95 % interval {interval}) with {selected} of {features} features "
            "({model}); {verdict}.", **values,
        )  # fmt: skip

    def sentence(self) -> str:
        """The one sentence that leads: error, interval, and how it compares."""
        title, value = tr(self.judged.title), self.value_words()
        interval, verdict = self.interval_words(), self.verdict_words()
        if interval and verdict and self.model:
            return self._sentence_with_models(interval, verdict)
        if not interval:
            return tr(
                "{criterion} on held-out rows: {value}. {again}",
                criterion=title, value=value, again=self.missing_words(),
            )  # fmt: skip
        if self.verdict == "no evidence":
            return tr(
                "{criterion} on held-out rows: {value} (95 % interval {interval}); {verdict}.",
                criterion=title, value=value, interval=interval, verdict=verdict,
            )  # fmt: skip
        if not verdict:
            return tr(
                "{criterion} on held-out rows: {value} (95 % interval {interval}).",
                criterion=title, value=value, interval=interval,
            )  # fmt: skip
        return tr(
            "{criterion} on held-out rows: {value} (95 % interval {interval}), {verdict}.",
            criterion=title, value=value, interval=interval, verdict=verdict,
        )  # fmt: skip

    def evidence_words(self) -> str:
        """Whether the features predict: "no evidence that these features predict outcome (p = 0.34)"; "" if unknown."""
        p, target = self.evidence_p, self.target or tr("the target")
        if not self.has_evidence:
            what = tr("no evidence that these features predict {target}", target=target)
            return what if p is None else f"{what} ({p_words(p)})"
        if p is None:
            return ""
        return tr("the predictions are associated with {target} ({p})", target=target, p=p_words(p))

    def tested_words(self) -> str:
        """How association was tested, with the p value; "" where it was not."""
        if self.association_p is None:
            return ""
        return tr(
            "Whether these predictions are associated with {target} was tested by permutation within folds ({p}).",
            target=self.target or tr("the target"), p=p_words(self.association_p),
        )  # fmt: skip

    @property
    def has_rare_class(self) -> bool:
        """Whether a class has so few rows that the error says little about it."""
        return has_rare_class(self.sizes)

    def rates_words(self) -> str:
        """How many rows of each class were predicted correctly: sensitivity and specificity; "" where not known.

        Sensitivity is that of the rarer of two classes.
        """
        if not self.sizes or len(self.names) != len(self.sizes):
            return ""
        parts = [
            {"name": name, "share": 100 * rate, "size": number(size)}
            for name, rate, size in zip(self.names, self.rates, self.sizes, strict=True)
        ]
        if len(parts) == 2:
            rare = int(self.sizes[1] <= self.sizes[0])
            said = (
                tr("Sensitivity ({name}): {share:.0f} % of {size} rows", **parts[rare]),
                tr("specificity ({name}): {share:.0f} % of {size} rows", **parts[1 - rare]),
            )
            return "; ".join(said) + "."
        each = "; ".join(tr("{name}: {share:.0f} % of {size} rows", **part) for part in parts)
        return tr("Predicted correctly, by class: {each}.", each=each)

    def missing_words(self) -> str:
        """What is missing where there is no interval; "" where there is one."""
        if self.has_interval:
            return ""
        if self.chance is not None:  # the rows are known
            return tr("No interval: too few rows determine the result.")
        return tr(
            "Its interval and the difference to all features are not known, for it was measured by an older fsdesk: "
            "measure it again."
        )

    def basis_words(self) -> str:
        """What stands behind the value: "From 208 rows, each predicted by a search that had not seen it; ..."."""
        if not self.rows:
            return ""
        if self.blocks < self.rows:
            rows = tr("{rows:,} rows of {blocks:,} groups", rows=self.rows, blocks=self.blocks)
        else:
            rows = tr("{rows:,} rows", rows=self.rows)
        if self.source == "outer folds" and self.folds:
            how = tr("each predicted by a whole search on the other rows, in {folds} outer folds", folds=self.folds)
        elif self.source == "another table":
            how = tr("all of another table than the one that was learned from")
        else:
            how = tr("each held out while strategies were searched for and chosen")
        said = tr("From {rows}, {how}. The interval depends on the number of rows.", rows=rows, how=how)
        associated = self.evidence_words() if self.has_evidence else ""
        associated = associated and f"{associated[:1].upper()}{associated[1:]}."
        return " ".join(filter(None, (said, associated, self.rates_words(), self.simple_words(), self.luck_words())))

    def simple_value_words(self) -> str:
        """The loss of the simple model on the same rows: "14.1 %"; "" where there is none beside the answer."""
        return "" if not self.simple_model or self.simple is None else _shown(self.judged, self.simple)

    def simple_words(self) -> str:
        """What a simple model would cost or gain, as a sentence; "" where there is none beside the answer."""
        low, high, gain = self.simple_difference_low, self.simple_difference_high, self.simple_difference
        if not self.simple_model or gain is None or low is None or high is None:
            return ""
        values = {
            "model": model_title(self.simple_model), "value": self.simple_value_words(),
            "features": counted(self.simple_selected, "feature"),
            "worse": self._points(high), "better": self._amount(-low),
        }  # fmt: skip
        if low > 0:
            return tr(
                "The best simple model ({model}, {features}) does worse: {value}, by {loss} ({low} to {high}).",
                loss=self._points(gain), low=self._amount(low), high=self._amount(high), **values,
            )  # fmt: skip
        if high < 0:
            return tr(
                "The best simple model ({model}, {features}) does better: {value}, by {gain} ({low} to {high}).",
                gain=self._points(-gain), low=self._amount(-high), high=self._amount(-low), **values,
            )  # fmt: skip
        return tr(
            "The best simple model ({model}, {features}) is not clearly worse: {value} (between {worse} worse and "
            "{better} better).", **values,
        )  # fmt: skip

    def luck_words(self) -> str:
        """What was made of strategies that differ by little more than luck explains; "" where they differ by more."""
        if not self.luck:
            return ""
        if self.luck == 1:
            return tr("Differences between strategies are within chance: the value is the mean of all.")
        return tr(
            "Differences between strategies are hardly beyond chance: the value weighs the chosen ones by "
            "{own:.0f} % and the mean of all by {all:.0f} %.",
            own=100 * (1 - self.luck), all=100 * self.luck,
        )  # fmt: skip

    def _points(self, amount: float) -> str:
        """A difference with its unit: "3.1 points", "0.031"."""
        return tr("{amount} points", amount=self._amount(amount)) if self.judged.unit == "%" else self._amount(amount)

    def _amount(self, amount: float) -> str:
        amount = max(0.0, amount)
        return number(100 * amount, ".1f") if self.judged.unit == "%" else localised(f"{amount:.2g}")


def _has_worst(criterion: Criterion) -> bool:
    return criterion.direction == "higher" and bool(np.isfinite(criterion.worst))


def p_words(p: float) -> str:
    """A p value: "p = 0.34", "p < 0.001"."""
    if p < 0.001:
        return tr("p < {p}", p=localised("0.001"))
    return tr("p = {p}", p=localised(f"{p:.2g}" if p < 0.1 else f"{p:.2f}"))


def _shown(criterion: Criterion, loss: float) -> str:
    if criterion.unit == "%":
        return tr("{value:.1f} %", value=100 * loss)
    return _plain(criterion.shown(loss))


def _plain(value: float) -> str:
    """A number to three digits, without an exponent where it can do without."""
    return localised(f"{value:#.3g}".removesuffix("."))


_ARRAYS = "rows", "blocks", "folds", "repeats", "truth", "chosen", "chance", "everything", "scores", "simple"


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions for held-out rows: one entry for each time that a row was tested.

    Attributes
    ----------
    criterion
        Name of what they are judged by, which says their form: (m,) class codes, (m, classes) scores, (m,) numbers.
    classes
        Number of classes; 1 for numbers.
    rows
        (m,) int64 number of the row in the table.
    blocks
        (m,) int64 what the row belongs to, such as its patient; the row itself where there are no groups.
    folds
        (m,) int64 which model tested it.
    repeats
        (m,) int64 in which repetition: a row is tested at most once in each. The losses of repetitions are averaged.
    truth
        (m,) int64 class codes, or float64 numbers.
    chosen, chance
        What the model of the selected features said, and what one says that knows no features.
    everything, simple
        What the model of all features said, trained on the same rows, and that of the features which would be chosen
        if simple models alone competed; None where there is none or it could not be trained.
    costs, positive
        As in :class:`fsdesk.measure.Outcome`.
    scores
        (m, classes) how strongly the model of the selected features spoke for each class, or the votes of several
        models, which tell more than the classes themselves; (m,) the mean of several predicted numbers. None where
        there are none, and in evidence of older versions.
    target, names
        Names of the target and of its classes; empty in evidence of older versions.
    times
        (g,) of criteria that ask about times; then what was said may be (m, g) probabilities.
    """

    criterion: str
    classes: int
    rows: Codes
    blocks: Codes
    folds: Codes
    repeats: Codes
    truth: Said
    chosen: Said
    chance: Said
    everything: Said | None = None
    costs: Floats | None = None
    positive: int = 1
    scores: Floats | None = None
    target: str = ""
    names: tuple[str, ...] = ()
    simple: Said | None = None
    times: Floats | None = None

    @classmethod
    def joined(cls, parts: Sequence["HeldOut"]) -> "HeldOut":
        """All entries of several; without all features, or scores, where one has none."""
        values: dict[str, list[Said | None]] = {name: [getattr(part, name) for part in parts] for name in _ARRAYS}
        made: dict[str, Any] = {}
        for name, found in values.items():
            known = [each for each in found if each is not None]
            made[name] = np.concatenate(known) if len(known) == len(found) else None
        return replace(parts[0], **made)

    def association(self, stretch: float = CROSS_VALIDATED) -> Association | None:
        """Whether what was predicted goes with the truth; None where no truths can be exchanged.

        Of several repetitions the first one counts. ``stretch`` is as of
        :func:`fsdesk.results.association.association_of`.
        """
        once = self.repeats == self.repeats.min()
        said = self.chosen if self.scores is None else self.scores
        truth = self.truth
        if self.judged.needs == "survival" and said.ndim == 2:
            said = -said.mean(axis=1)  # a risk
        if self.judged.task == "survival":
            truth = martingale_residuals(np.abs(truth), truth >= 0)
        known = truth[once], said[once], self.folds[once], self.blocks[once]
        return association_of(*known, classes=self.classes, stretch=stretch)

    def rates(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Share of the rows of each class that were given it, over all repetitions, and how many rows it has."""
        if self.classes == 1:
            return (), ()
        said = self.chosen if self.chosen.ndim == 1 else self.chosen.argmax(axis=1)
        first = np.unique(self.rows, return_index=True)[1]
        right, times, sizes = (
            np.bincount(each, minlength=self.classes)
            for each in (self.truth[said == self.truth], self.truth, self.truth[first])
        )
        return tuple((right / np.maximum(times, 1)).round(9).tolist()), tuple(sizes.tolist())

    def singles(self) -> list["HeldOut"]:
        """Each repetition alone."""
        found = []
        for repeat in np.unique(self.repeats):
            own = self.repeats == repeat
            some: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
            some = {name: None if each is None else each[own] for name, each in some.items()}
            found.append(replace(self, **some))
        return found

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    def losses(self, kept: NDArray[np.bool_] | None = None) -> Floats:
        """(g, 4) losses of the answer, all features, chance and the simple model, of each of (g, m) entries to keep.

        All entries where nothing is said. NaN where nothing is known.
        """
        kept = np.ones((1, len(self.rows)), dtype=np.bool_) if kept is None else kept
        found = np.full((len(kept), 4), np.nan)
        for place, said in enumerate((self.chosen, self.everything, self.chance, self.simple)):
            if said is not None:
                found[:, place] = self._losses(said, kept)
        return found

    def _losses(self, said: Said, kept: NDArray[np.bool_]) -> Floats:
        """(g,) mean over the repetitions."""
        total, count = np.zeros(len(kept)), np.zeros(len(kept))
        for repeat in np.unique(self.repeats):
            own = np.flatnonzero(self.repeats == repeat)
            labels = np.where(kept[:, own], self.folds[own], -1)
            tested = (labels >= 0).any(axis=1)
            if tested.any():
                total[tested] += self.judged.loss(self._outcome(said[own], labels[tested], own))
                count[tested] += 1
        return np.asarray(np.divide(total, count, out=np.full(len(kept), np.nan), where=count > 0))

    def _outcome(self, said: Said, labels: Codes, own: Codes) -> Outcome:
        need, truth = self.judged.needs, self.truth[own]
        each = np.ascontiguousarray(np.broadcast_to(said, (len(labels), *said.shape)))
        numbers = need in ("values", "survival")
        times, weights = np.empty(0) if self.times is None else self.times, None
        if len(times):  # those of all rows, whatever rows are kept
            weights = np.broadcast_to(weights_at(truth, self.folds[own][None], times), (*labels.shape, len(times)))
        return Outcome(
            labels=np.ascontiguousarray(labels),
            target=np.zeros(len(truth), dtype=np.int64) if numbers else np.ascontiguousarray(truth),
            response=truth if numbers else None,
            classes=self.classes,
            predicted=each if need == "classes" else None,
            scores=each if need in ("scores", "probabilities") else None,
            values=each if need == "values" else None,
            costs=self.costs,
            positive=self.positive,
            survival=each if need == "survival" else None,
            times=times,
            weights=weights,
        )

    def support(self, chance: float) -> Support:
        """What stands behind the losses; ``chance`` is that of knowing no features."""
        rows, first = np.unique(self.rows, return_index=True)
        criterion, blocks = self.judged, len(np.unique(self.blocks))
        evenness = 1.0
        if self.criterion in _BY_CLASS:
            sizes = np.bincount(self.truth[first], minlength=self.classes)
            sizes = sizes[sizes > 0]
            evenness = len(sizes) ** 2 / (1.0 / sizes).sum() / len(rows)
        if self.criterion == "cost" and self.costs is not None:
            return Support(len(rows), blocks, evenness, float(self.costs.max(initial=0.0)) or 1.0)
        if criterion.unit == "%" or _has_worst(criterion):
            return Support(len(rows), blocks, evenness, criterion.worst)
        return Support(len(rows), blocks, evenness, chance, bounded=False)


def chance_prediction(known: Outcome, criterion: Criterion, tested: int) -> Said:
    """What a predictor that knows no features says about ``tested`` rows, in the form that the criterion needs.

    Of classes, the one class that is best by the criterion on the training rows, such as the most frequent one; their
    shares as probabilities, no order as scores; of numbers the mean, the median for mean absolute errors; of times
    the survival curve of the training rows.

    Parameters
    ----------
    known
        The training rows with their truth, all tested in fold 0; what was predicted does not matter.
    """
    if criterion.needs == "classes":
        rows = len(known.target)
        every = np.repeat(np.arange(known.classes)[:, None], rows, axis=1)
        losses = criterion.loss(
            replace(known, labels=np.zeros(every.shape, dtype=np.int64), predicted=every)
        )  # fmt: skip
        return np.full(tested, int(losses.argmin()), dtype=np.int64)
    if criterion.needs == "values":
        if known.response is None:
            raise TypeError("this criterion needs numbers")
        middle = np.median(known.response) if criterion.name == "mae" else known.response.mean()
        return np.full(tested, float(middle))
    if criterion.needs == "survival":
        if known.response is None:
            raise TypeError("this criterion needs times")
        curve = kaplan_meier(np.abs(known.response), known.response >= 0)
        return np.tile([curve.at(time) for time in known.times.tolist()], (tested, 1))
    shares = np.zeros(known.classes)
    if criterion.needs == "probabilities":
        shares = np.bincount(known.target, minlength=known.classes) / len(known.target)
    return np.tile(shares, (tested, 1))


def honest_error(
    said: HeldOut,
    *,
    selected: int,
    features: int,
    source: Source = "outer folds",
    folds: int = 0,
    models: tuple[str, str] = ("", ""),
) -> HonestError:
    """The error on held-out rows with intervals that count rows, and paired differences to all features and chance.

    Parameters
    ----------
    said
        What was predicted for rows that no model and no search had seen.
    selected, features
        Number of features of the answer, and of all.
    source, folds
        Where the predictions come from, and how many parts the rows were divided into.
    models
        Names of the model of the answer, and of the best one with all features, where models competed.
    """
    losses, singles = said.losses()[0], said.singles()
    association = said.association(1.0 if source == "another table" else CROSS_VALIDATED)
    parts = np.unique(said.folds)
    rates, sizes = said.rates()
    divided_once = len(np.unique(np.stack([said.rows, said.folds]), axis=1).T) == len(np.unique(said.rows))
    single = len(parts) > 1 and divided_once
    covariances = np.mean([jackknife(each.losses, each.blocks) for each in singles], axis=0)
    error = honest_error_of(
        said.criterion,
        losses,
        covariances,
        said.support(float(losses[2])),
        of_folds=said.losses(said.folds[None, :] == parts[:, None]) if single else None,
        selected=selected,
        features=features,
        source=source,
        folds=folds,
        several=len(singles) > 1,
    )
    model, everything_model = models
    return replace(
        error,
        model=model,
        everything_model=everything_model,
        association=None if association is None else association.value,
        association_p=None if association is None else association.p,
        target=said.target,
        names=tuple(said.names),
        rates=rates,
        sizes=sizes,
    )


def honest_error_of(
    criterion: str,
    losses: Floats,
    covariances: Floats,
    support: Support,
    *,
    of_folds: Floats | None = None,
    selected: int,
    features: int,
    source: Source = "outer folds",
    folds: int = 0,
    several: bool = False,
) -> HonestError:
    """As :func:`honest_error`, from losses and covariances that were found in another way, such as a bootstrap.

    Parameters
    ----------
    losses
        (4,) of the selected features, of all features, of chance, of the simple model; NaN where they are not known.
    covariances
        (4, 4) of these over the rows.
    of_folds
        (k, 4) the same losses of the single outer folds; None where rows were divided more than once.
    several
        Whether losses are means of those of several models for each row, with the covariances of a single one.
    """
    chosen, everything, chance, simple = (float(loss) if np.isfinite(loss) else None for loss in losses)
    if chosen is None:
        raise ValueError("the loss of the selected features is not known")
    of_folds = np.empty((0, 4)) if of_folds is None else of_folds
    of_loss, of_pairs = (OF_SEVERAL, OF_PAIRS) if several else ((LEAST, MORE), (LEAST, MORE))

    def beside(other: int, clear: float) -> tuple[float | None, float | None, float | None]:
        """By how much the answer is better than another, and the interval of that."""
        if not np.isfinite(losses[other]):
            return None, None, None
        gain = float(losses[other] - losses[0])
        own, others, both = (float(covariances[at]) for at in ((0, 0), (other, other), (0, other)))
        spread = Spread.of(max(own + others - 2 * both, 0.0), of_folds[:, other] - of_folds[:, 0], clear, *of_pairs)
        return gain, *(difference_interval(gain, spread, support) or (None, None))

    # Against chance the rows alone count: where nothing was learned, no search varies in what it learned.
    chance_difference, chance_difference_low, chance_difference_high = beside(2, 0.0)
    clear = 1.0
    if chance_difference is not None and chance_difference_low is not None:
        clear = learned(chance_difference, chance_difference_low)
    difference, difference_low, difference_high = beside(1, clear)
    simple_difference, simple_low, simple_high = beside(3, clear)
    interval = loss_interval(chosen, Spread.of(float(covariances[0, 0]), of_folds[:, 0], clear, *of_loss), support)
    low, high = interval or (None, None)
    return HonestError(
        criterion,
        chosen,
        low,
        high,
        everything,
        difference,
        difference_low,
        difference_high,
        chance,
        chance_difference,
        chance_difference_low,
        chance_difference_high,
        support.rows,
        support.blocks,
        selected,
        features,
        source,
        folds,
        simple=simple,
        simple_difference=simple_difference,
        simple_difference_low=simple_low,
        simple_difference_high=simple_high,
    )
