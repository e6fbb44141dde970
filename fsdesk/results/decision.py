"""What held-out predictions of two classes say to someone who has to decide: ROC, cut-off, calibration, net benefit.

Each row is predicted by a model that was chosen and trained without it. What turns its score into a decision has not
seen it either: for each held-out part, Platt's sigmoid and the cut-off come from the predictions of the other parts,
from blocks of rows that are not in this one. The cut-off that is reported comes from all of them.

The area under the curve, and its interval, are those of :mod:`fsdesk.results.held_out`: the mean over the parts, for
scores of different models need not be on one scale. Sensitivity and specificity are shares with its intervals (the
jackknife over blocks, Clopper & Pearson's bounds of as many rows as give this variance), which grow by how far the
cut-offs of the parts are from the one reported. Likelihood ratios, predictive
values and net benefit follow from these two, and so do their intervals: the method of variance estimates recovery for
a ratio (Donner & Zou, Statistical Methods in Medical Research 21, 2012) and for a difference (Zou & Donner, Statistics
in Medicine 27, 2008), with the correlation that rows of one block give the two shares. Predictive values and net
benefit are those at a prevalence, by default that of the table; probabilities are moved there by the odds.

Calibration is that of the probabilities: slope and intercept of a logistic regression of the truth on their logits
(Cox, Biometrika 45, 1958), with variances over blocks. Net benefit is TP/n - FP/n * t / (1 - t) at a threshold t
(Vickers & Elkin, Medical Decision Making 26, 2006).

With several classes, one of them is compared with the rest.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import SettingsError
from fsdesk.measure.criteria import class_named
from fsdesk.messages import message, number, tr
from fsdesk.results.calibration import FEWEST, logits, sigmoid
from fsdesk.results.held_out import (
    HeldOut,
    HonestError,
    Spread,
    Support,
    honest_error,
    jackknife,
    learned,
    loss_interval,
)

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Rule = Literal["youden", "sensitivity", "specificity", "cost"]

GRID = np.linspace(0.0, 1.0, 101)
"""The false positive rates at which the curve is given."""
THRESHOLDS = np.linspace(0.01, 0.99, 99)
"""The probabilities at which net benefit is given."""

_SAMPLES, _FEWEST_SAMPLES, _WORK = 300, 50, 20_000_000  # bootstrap samples; fewer of very many rows
_LEAST_SLOPE = 1e-6  # of a score that says nothing: it still puts rows in order
_FLAT = 0.1  # standard deviation of logits below which no slope can be estimated
_ROWS_OF_A_BIN, _MOST_BINS = 20, 10
_STEPS, _AT_ONCE = 30, 25
_FURTHEST = 35.0
_BEYOND = 1000  # ratios are not written out


@dataclass(frozen=True)
class CutOff:
    """How the cut-off is chosen.

    Attributes
    ----------
    rule
        "youden": the largest sensitivity + specificity. "sensitivity", "specificity": at least ``value``, and of the
        other as much as goes with it. "cost": the least cost at the prevalence, where a missed positive costs
        ``value`` times as much as a false alarm.
    value
        Between 0 and 1, or of costs above 0; of "youden" it does not matter.
    """

    rule: Rule = "youden"
    value: float = 0.9

    def __post_init__(self) -> None:
        if self.rule not in ("youden", "sensitivity", "specificity", "cost"):
            known = '"youden", "sensitivity", "specificity", "cost"'
            raise SettingsError(
                'There is no rule "{rule}" for the cut-off; choose {known}.', rule=self.rule, known=known
            )
        if self.rule in ("sensitivity", "specificity") and not 0 < self.value < 1:
            raise SettingsError(
                "A wanted sensitivity or specificity lies between 0 and 1 (got {value}).", value=self.value
            )
        if self.rule == "cost" and not (0 < self.value < math.inf):
            raise SettingsError("The cost of a missed row is above 0 (got {value}).", value=self.value)

    def title(self) -> str:
        """The rule in a few words."""
        share = f"{number(100 * self.value, '.3g')} %"
        if self.rule == "youden":
            return tr("Youden")
        if self.rule == "sensitivity":
            return tr("sensitivity of {share}", share=share)
        if self.rule == "specificity":
            return tr("specificity of {share}", share=share)
        return tr("cost {times} to 1", times=number(self.value, ".3g"))

    def words(self, positive: str) -> str:
        """The rule in a sentence."""
        share = f"{number(100 * self.value, '.3g')} %"
        if self.rule == "youden":
            return tr("The cut-off is chosen for the largest sum of sensitivity and specificity (Youden).")
        if self.rule == "sensitivity":
            return tr("The cut-off is chosen to find at least {share} of “{positive}”.", share=share, positive=positive)
        if self.rule == "specificity":
            return tr("The cut-off is chosen to call at least {share} of the others negative.", share=share)
        return tr(
            "The cut-off is chosen for the least cost, where a missed “{positive}” costs {times} times as much as a "
            "false alarm.",
            positive=positive, times=number(self.value, ".3g"),
        )  # fmt: skip


USUAL_CUT_OFFS = (
    CutOff(),
    CutOff("sensitivity", 0.9),
    CutOff("sensitivity", 0.95),
    CutOff("specificity", 0.9),
    CutOff("specificity", 0.95),
)
"""Those of which the report has a table."""


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of held-out rows: one entry for each time that a row was predicted.

    Attributes
    ----------
    rows
        (m,) int64 number of the row in the table.
    blocks
        (m,) int64 what the row belongs to, such as its patient; the row itself where there are no groups.
    folds, repeats
        (m,) int64 which part it was held out in, and in which repetition it was predicted: once at most in each.
    truth
        (m,) int64 class codes, or float64 numbers.
    scores
        (m, classes) of the classes, larger is more likely; (m, 1) predicted numbers.
    scales
        (m,) int64 entries of the same number have scores of the same model.
    probabilities
        Whether scores are probabilities, of which the logit is taken; else decision values.
    names
        Of the classes; none for numbers.
    positive
        Code of the class that is looked for.
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

    def logits(self, code: int) -> Floats:
        """(m,) scores of a class without bounds."""
        own = self.scores[:, code]
        return np.where(self.probabilities, logits(np.where(self.probabilities, own, 0.5)), own)

    def against_rest(self, code: int) -> HeldOut:
        """One class against the rest, judged by the area under the curve."""
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
    """A value with its 95 % interval, whose ends may be infinite; both None where nothing can be said."""

    value: float | None
    low: float | None = None
    high: float | None = None


UNKNOWN = Estimate(None)


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve with a pointwise 95 % band: (k,) each, NaN where nothing is known."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class Calibration:
    """How the probabilities of held-out rows agree with what is true.

    Attributes
    ----------
    slope, intercept
        1 and 0 are perfect; a slope below 1: probabilities are too extreme. The intercept is that with a slope of 1,
        above 0 where probabilities are too low. The slope is unknown where the probabilities hardly differ.
    groups
        Mean probability of groups of rows of similar ones, and the share of the positive class there with its interval.
    sizes
        (k,) rows of each group.
    """

    slope: Estimate
    intercept: Estimate
    groups: Curve
    sizes: Codes


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """Net benefit by threshold: of the model with its band, and of treating all; of treating none it is 0."""

    model: Curve
    treat_all: Floats


@dataclass(frozen=True, eq=False)
class Decision:
    """What held-out predictions say about one class against the others at a cut-off.

    Attributes
    ----------
    positive
        Name of the class that is looked for.
    chosen_by
        The rule of the cut-off.
    prevalence, of_table
        Share of the positive class that predictive values and net benefit are for, and that of the held-out rows.
    rows, blocks, positives
        Held-out rows, groups of rows that belong together, and rows of the positive class.
    auc
        Mean area under the ROC curves of the held-out parts.
    roc
        Mean curve of the parts: sensitivity by false positive rate.
    cut_off
        The calibrated probability from which on a row is called positive; 0: all are, 1: none is.
    counts
        True positives, false positives, false negatives, true negatives; means over the repetitions.
    sensitivity, specificity, positive_ratio, negative_ratio, positive_value, negative_value
        At the cut-off: shares found and left alone, likelihood ratios, predictive values at ``prevalence``.
    calibration
        At the prevalence of the table.
    net_benefit
        At ``prevalence``.
    """

    positive: str
    chosen_by: CutOff
    prevalence: float
    of_table: float
    rows: int
    blocks: int
    positives: int
    auc: Estimate
    roc: Curve
    cut_off: float
    counts: tuple[float, float, float, float]
    sensitivity: Estimate
    specificity: Estimate
    positive_ratio: Estimate
    negative_ratio: Estimate
    positive_value: Estimate
    negative_value: Estimate
    calibration: Calibration
    net_benefit: NetBenefit

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """What, value and 95 % interval of each number, as they are read."""
        found = (
            (self.auc, ".3f"), (self.sensitivity, ".1f"), (self.specificity, ".1f"), (self.positive_value, ".1f"),
            (self.negative_value, ".1f"), (self.positive_ratio, ".2f"), (self.negative_ratio, ".2f"),
            (self.calibration.slope, ".2f"), (self.calibration.intercept, ".2f"),
        )  # fmt: skip
        for title, (estimate, form) in zip(line_titles(), found, strict=True):
            yield title, *_written(estimate, form)

    def rates_cells(self) -> tuple[str, ...]:
        """Cut-off, sensitivity, specificity and predictive values, each with its interval, for a line of a table."""
        rates = self.sensitivity, self.specificity, self.positive_value, self.negative_value
        return self.cut_off_text, *(_joined(*_written(each, ".1f")) for each in rates)

    @property
    def cut_off_text(self) -> str:
        """The cut-off as a probability."""
        return f"{number(100 * self.cut_off, '.1f')} %"

    def cut_off_words(self) -> str:
        """The rule, the cut-off that it gives, and the prevalence."""
        if self.cut_off <= 0 or self.cut_off >= 1:
            found = (
                tr("It calls every row “{positive}”.", positive=self.positive)
                if self.cut_off <= 0
                else tr("It calls no row “{positive}”.", positive=self.positive)
            )
        else:
            found = tr(
                "A row is called “{positive}” from a calibrated probability of {share} % on.",
                positive=self.positive, share=number(100 * self.cut_off, ".1f"),
            )  # fmt: skip
        return f"{self.chosen_by.words(self.positive)} {found}"

    def prevalence_words(self) -> str:
        """The prevalence that predictive values and net benefit are for."""
        share = number(100 * self.prevalence, ".3g")
        if math.isclose(self.prevalence, self.of_table, rel_tol=1e-9):
            return tr(
                "Predictive values and net benefit are for a prevalence of {share} %, the share of “{positive}” among "
                "the held-out rows.",
                share=share, positive=self.positive,
            )  # fmt: skip
        return tr(
            "Predictive values and net benefit are for a prevalence of {share} % (among the held-out rows: {own} %).",
            share=share, own=number(100 * self.of_table, ".3g"),
        )  # fmt: skip

    def rows_words(self) -> str:
        """What it rests on."""
        if self.blocks < self.rows:
            return tr(
                "From the predictions of {rows} held-out rows in {blocks} groups, {positives} of them “{positive}”. "
                "The cut-off and the probabilities of a row come from the predictions of the other parts.",
                rows=number(self.rows), blocks=number(self.blocks), positives=number(self.positives),
                positive=self.positive,
            )  # fmt: skip
        return tr(
            "From the predictions of {rows} held-out rows, {positives} of them “{positive}”. "
            "The cut-off and the probabilities of a row come from the predictions of the other parts.",
            rows=number(self.rows), positives=number(self.positives), positive=self.positive,
        )  # fmt: skip

    def doubt_words(self) -> str:
        """Where these rows do not show that the scores tell the classes apart, this; else ""."""
        if self.auc.low is not None and self.auc.low > 0.5:
            return ""
        return tr(
            "The interval of the AUC reaches 0.5: these rows do not show that the scores tell “{positive}” from the "
            "others, so no cut-off can be recommended.",
            positive=self.positive,
        )  # fmt: skip

    def calibration_words(self) -> str:
        """What calibration says, where it cannot be put into a slope; else ""."""
        if self.calibration.slope.value is not None:
            return ""
        return tr("The probabilities hardly differ from row to row, so that no calibration slope can be estimated.")

    def packed(self) -> dict[str, object]:
        """For JSON: fractions to nine digits, and None for what is not known or infinite."""
        names = (
            "auc", "sensitivity", "specificity", "positive_ratio", "negative_ratio", "positive_value", "negative_value"
        )  # fmt: skip
        estimates = {name: getattr(self, name) for name in names}
        estimates |= {f"calibration_{name}": getattr(self.calibration, name) for name in ("slope", "intercept")}
        return {
            "positive": self.positive,
            "rule": self.chosen_by.rule,
            "rule_value": None if self.chosen_by.rule == "youden" else self.chosen_by.value,
            "prevalence": _rounded(self.prevalence),
            "rows": self.rows,
            "groups": self.blocks,
            "positives": self.positives,
            "cut_off": _rounded(self.cut_off),
            "counts": dict(zip(_COUNTS, map(_rounded, self.counts), strict=True)),
            **{name: {end: _rounded(each) for end, each in asdict(found).items()} for name, found in estimates.items()},
        }


def line_titles() -> tuple[str, ...]:
    """Titles of the lines of :meth:`Decision.lines`."""
    return (
        tr("AUC"), tr("Sensitivity"), tr("Specificity"), tr("Positive predictive value"),
        tr("Negative predictive value"), tr("Positive likelihood ratio"), tr("Negative likelihood ratio"),
        tr("Calibration slope"), tr("Calibration intercept"),
    )  # fmt: skip


_COUNTS = "true_positive", "false_positive", "false_negative", "true_negative"


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 9) + 0.0


def _written(found: Estimate, form: str) -> tuple[str, str]:
    """Value and interval, in percent where the form is that of one."""
    if found.value is None:
        return tr("not known"), ""
    percent = form == ".1f"

    def text(value: float) -> str:
        if value >= _BEYOND and not percent:
            return f"> {number(_BEYOND)}"
        return number(100 * value if percent else value, form)

    unit = " %" if percent else ""
    if found.low is None or found.high is None:
        return text(found.value) + unit, ""
    ends = tr("{low} to {high}", low=text(found.low), high=text(found.high))
    return text(found.value) + unit, ends + unit


def positive_code(name: str, dataset: Dataset) -> int:
    """Code of the class that is looked for: the one that is named, else the rarest, of equals the last one."""
    if name:
        return class_named(name, dataset.classes)
    sizes = dataset.class_sizes
    return max(0, len(sizes) - 1 - int(np.argmin(sizes[::-1]))) if len(sizes) else 0


def _joined(value: str, ends: str) -> str:
    return f"{value} ({ends})" if ends else value


def why_not(scored: Scored | None, code: int | None = None) -> str:
    """Why there is no decision card, in a sentence; "" where there is one."""
    if scored is None:
        return message(
            "This model gives classes without scores, so there is no ROC curve, no cut-off to choose and no "
            "calibration. Models such as logistic regression or naive Bayes give scores."
        )
    code = scored.positive if code is None else code
    truth = scored.truth == code
    rows = [len(np.unique(scored.blocks[some])) for some in (truth, ~truth)]
    if min(rows) < FEWEST:
        return message(
            "Fewer than {few} independent rows of “{positive}”, or of the others, were held out: too few for a "
            "cut-off.",
            few=FEWEST, positive=scored.names[code],
        )  # fmt: skip
    for fold in np.unique(scored.folds):
        others = truth[_apart(scored, int(fold))]
        if not 0 < others.sum() < len(others):
            return message(
                "For one held-out part no cut-off can be chosen: the rows of the other parts are not of both classes."
            )
    return ""


def _apart(scored: Scored, fold: int) -> Flags:
    """(m,) entries of other parts whose blocks are not in this one."""
    own = scored.folds == fold
    return np.asarray(~own & ~np.isin(scored.blocks, scored.blocks[own]))


def decide(
    scored: Scored, cut_off: CutOff = CutOff(), prevalence: float | None = None, positive: str | None = None
) -> Decision:
    """The decision card of held-out predictions.

    Parameters
    ----------
    cut_off
        How the cut-off is chosen.
    prevalence
        Share of the positive class where the model is to be used; None: as among the held-out rows.
    positive
        Name of the class that is looked for, compared with all others; None: that of the run.

    Raises
    ------
    SettingsError
        Where there is no such class, the prevalence is not between 0 and 1, or the rows are too few.
    """
    if positive is not None and positive not in scored.names:
        raise SettingsError('There is no class "{name}".', name=positive)
    code = scored.positive if positive is None else scored.names.index(positive)
    if prevalence is not None and not 0 < prevalence < 1:
        raise SettingsError("The prevalence lies between 0 and 1 (got {value}).", value=prevalence)
    why = why_not(scored, code)
    if why:
        raise SettingsError("No cut-off can be chosen: {why}", why=why)
    known = _known(scored, code)
    share = known.of_table if prevalence is None else prevalence
    cut = _cut(known.final, known.truth, cut_off, share)
    called, moved = np.zeros(len(scored.rows), dtype=np.bool_), []
    for fold, other, levels in known.levels:
        by_others = levels >= _cut(levels[other], known.truth[other], cut_off, share)
        called[scored.folds == fold] = by_others[scored.folds == fold]
        differs = by_others.astype(float) - (known.final >= cut)
        moved.append((differs[known.truth].mean(), differs[~known.truth].mean()))
    rates = _rates(scored, known, called[:, None], np.array(moved))[0]
    plus, minus = _ratio(rates.found, rates.alarms, rates.correlation), _ratio(*rates.missed_and_left())
    truth, times = known.truth, len(np.unique(scored.repeats))
    counts = [
        float(some.sum()) / times for some in (called & truth, called & ~truth, ~called & truth, ~called & ~truth)
    ]
    return Decision(
        positive=scored.names[code],
        chosen_by=cut_off,
        prevalence=share,
        of_table=known.of_table,
        rows=known.rows,
        blocks=known.blocks,
        positives=known.positives,
        auc=known.auc,
        roc=known.roc,
        cut_off=float(_share(np.array(cut))),
        counts=(counts[0], counts[1], counts[2], counts[3]),
        sensitivity=rates.found,
        specificity=_less(rates.alarms),
        positive_ratio=plus,
        negative_ratio=minus,
        positive_value=_predictive(plus, share),
        negative_value=_less(_predictive(minus, share)),
        calibration=known.calibration,
        net_benefit=_net_benefit(scored, known, share),
    )


@dataclass(frozen=True, eq=False)
class _Known:
    """What does not depend on cut-off and prevalence."""

    truth: Flags
    levels: tuple[tuple[int, Flags, Floats], ...]  # fold, entries apart from it, (m,) calibrated logits by these
    final: Floats  # (m,) logits that are calibrated by all
    logits: Floats  # (m,) each by the others
    clear: float
    rows: int
    blocks: int
    positives: int
    auc: Estimate
    roc: Curve
    calibration: Calibration

    @property
    def of_table(self) -> float:
        return self.positives / self.rows


@lru_cache(maxsize=8)
def _known(scored: Scored, code: int) -> _Known:
    held = scored.against_rest(code)
    truth = scored.truth == code
    found = honest_error(held, selected=0, features=0)
    clear = 1.0
    if found.chance_difference is not None and found.chance_difference_low is not None:
        clear = learned(found.chance_difference, found.chance_difference_low)
    raw, times = scored.logits(code), len(np.unique(scored.repeats))
    every = np.ones(len(truth), dtype=np.bool_)
    parts = []
    logits = np.empty(len(truth))
    for fold in np.unique(scored.folds).tolist():
        other = _apart(scored, fold)
        level = _calibrated(raw, scored.scales, truth, other, times)
        own = scored.folds == fold
        logits[own] = level[own]
        parts.append((fold, other, level))
    return _Known(
        truth=truth,
        levels=tuple(parts),
        final=_calibrated(raw, scored.scales, truth, every, times),
        logits=logits,
        clear=clear,
        rows=found.rows,
        blocks=found.blocks,
        positives=len(np.unique(scored.rows[truth])),
        auc=_area(found),
        roc=_roc(scored, code, clear),
        calibration=_calibration(scored, truth, logits, clear),
    )


def _area(found: HonestError) -> Estimate:
    low, high = (None, None) if found.low is None or found.high is None else (1 - found.high, 1 - found.low)
    return Estimate(1 - found.value, low, high)


def _calibrated(raw: Floats, scales: Codes, truth: Flags, by: Flags, times: int) -> Floats:
    """(m,) logits of calibrated probabilities, by Platt's sigmoids of some entries, one for each model's scores.

    Where those of a model are too few, all scores give its sigmoid.
    """
    made = np.empty(len(raw))
    for scale in np.unique(scales):
        own = scales == scale
        known = by & own
        if min(int(truth[known].sum()), int((~truth[known]).sum())) < FEWEST * times:
            known = by
        slope, intercept = sigmoid(raw[known], truth[known], times)
        spread = float(raw[known].std()) or 1.0
        made[own] = intercept + max(slope, _LEAST_SLOPE / spread) * raw[own]
    return made


def _share(logits: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-logits)))


def _cut(levels: Floats, truth: Flags, rule: CutOff, prevalence: float) -> float:
    """The level from which on rows are called positive, by these rows; infinite for none or all of them."""
    order = np.argsort(-levels, kind="stable")
    ranked = levels[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    hits = np.cumsum(truth[order])[ends]
    found = np.concatenate([[0.0], hits / truth.sum()])
    alarms = np.concatenate([[0.0], (1 + ends - hits) / (~truth).sum()])
    if rule.rule == "sensitivity":
        at = int(np.argmax(found >= rule.value - 1e-12))
    elif rule.rule == "specificity":
        at = len(alarms) - 1 - int(np.argmax(alarms[::-1] <= 1 - rule.value + 1e-12))
    else:
        weight = 1.0 if rule.rule == "youden" else rule.value * prevalence / (1 - prevalence)
        gain = weight * found - alarms
        best = np.flatnonzero(gain >= gain.max() - 1e-12 * max(1.0, weight))
        at = int(best[np.argmin(np.abs(found[best] + alarms[best] - 1).round(9))])  # of equals that of similar shares
    if at == 0:
        return math.inf
    if at == len(ends):
        return -math.inf
    return float((ranked[ends[at - 1]] + ranked[ends[at - 1] + 1]) / 2)


@dataclass(frozen=True)
class _Rates:
    """Shares of the positive rows and of the others that are called positive, and the correlation of the two."""

    found: Estimate
    alarms: Estimate
    correlation: float

    def missed_and_left(self) -> tuple[Estimate, Estimate, float]:
        """The shares that are not called positive."""
        return _less(self.found), _less(self.alarms), self.correlation


def _rates(scored: Scored, known: _Known, called: Flags, moved: Floats | None = None) -> list[_Rates]:
    """The rates of each of (m, k) ways of calling rows positive.

    ``moved``: (f, 2) by how much the two rates at the cut-off of each part differ from those at the one reported. Where
    there is little to find, cut-offs are far apart, and what they find on average says little of a single one.
    """
    found = list[_Rates]()
    beyond = np.zeros(3)
    if moved is not None:
        squares = moved.T @ moved / len(moved) / Spread(0.0, learned=known.clear).inflation
        beyond = np.array([squares[0, 0], squares[1, 1], squares[0, 1]])
    supports = [_support(scored, some) for some in (known.truth, ~known.truth)]
    for first in range(0, called.shape[1], _AT_ONCE):
        some = called[:, first : first + _AT_ONCE]
        shares, variances = _shares_called(scored, known.truth, some)
        for (hits, alarms), (own, other, both) in zip(shares, variances + beyond, strict=True):
            product = own * other
            correlation = both / math.sqrt(product) if math.isfinite(product) and product > 0 else 0.0
            found.append(
                _Rates(
                    _estimate(float(hits), float(own), known.clear, supports[0]),
                    _estimate(float(alarms), float(other), known.clear, supports[1]),
                    float(np.clip(correlation, -1, 1)),
                )
            )
    return found


def _shares_called(scored: Scored, truth: Flags, called: Flags) -> tuple[Floats, Floats]:
    """(k, 2) shares of the positive rows and of the others, and (k, 3) their variances and covariance over blocks."""
    ways = called.shape[1]
    shares, variances = [], []
    for repeat in np.unique(scored.repeats):
        own = scored.repeats == repeat
        positive = truth[own]
        each = np.concatenate([called[own] & positive[:, None], called[own] & ~positive[:, None]], axis=1).astype(float)
        of = np.stack([positive, ~positive], axis=1).astype(float)

        def rates(kept: Flags, each: Floats = each, of: Floats = of) -> Floats:
            weights = kept.astype(float)
            total = np.repeat(weights @ of, ways, axis=1)
            return np.asarray(np.divide(weights @ each, total, out=np.full(total.shape, np.nan), where=total > 0))

        shares.append(rates(np.ones((1, len(positive)), dtype=np.bool_))[0].reshape(2, ways).T)
        covariance = jackknife(rates, scored.blocks[own])
        one, other = np.arange(ways), ways + np.arange(ways)
        variances.append(np.stack([covariance[one, one], covariance[other, other], covariance[one, other]], axis=1))
    return np.mean(shares, axis=0), np.mean(variances, axis=0)


def _support(scored: Scored, some: Flags) -> Support:
    return Support(len(np.unique(scored.rows[some])), len(np.unique(scored.blocks[some])))


def _estimate(share: float, variance: float, clear: float, support: Support) -> Estimate:
    """A share with its interval."""
    ends = loss_interval(share, Spread.of(variance, np.empty(0), clear), support) if math.isfinite(variance) else None
    low, high = ends or (0.0, 1.0)
    return Estimate(share, min(low, share), max(high, share))


def _less(found: Estimate) -> Estimate:
    """1 less it."""
    if found.value is None:
        return found
    low, high = (None, None) if found.low is None or found.high is None else (1 - found.high, 1 - found.low)
    return Estimate(1 - found.value, low, high)


def _ends(found: Estimate) -> tuple[float, float, float]:
    """Value, lower and upper end of what is known."""
    value, low, high = (float("nan") if each is None else each for each in (found.value, found.low, found.high))
    return value, low, high


def _ratio(above: Estimate, below: Estimate, correlation: float) -> Estimate:
    """The ratio of two shares with the interval of Donner & Zou (2012); unknown where both are 0."""
    a, low_a, high_a = _ends(above)
    b, low_b, high_b = _ends(below)
    if a <= 0 and b <= 0:
        return UNKNOWN
    value = a / b if b > 0 else math.inf
    ends = []
    for near, far, sign in ((low_a, high_b, -1.0), (high_a, low_b, 1.0)):
        width = far * (
            2 * b - far
        )  # at the lower end of the ratio the upper end of what it is divided by, and vice versa
        if far <= 0:
            ends.append(math.inf)
            continue
        product = a * b - correlation * (a - near) * (far - b)
        inside = max(0.0, product**2 - near * far * (2 * a - near) * (2 * b - far))
        if abs(width) < 1e-12:  # the limit, where the quadratic equation is a linear one
            ends.append(near * (2 * a - near) / (2 * product) if product > 0 else (0.0 if sign < 0 else math.inf))
        else:
            ends.append((product + sign * math.sqrt(inside)) / width)
    low, high = max(0.0, ends[0]), ends[1] if ends[1] > 0 else math.inf
    return Estimate(value, min(low, value), max(high, value))


def _predictive(ratio: Estimate, prevalence: float) -> Estimate:
    """Probability of the positive class after a result of this likelihood ratio, by Bayes' theorem."""
    if ratio.value is None:
        return UNKNOWN
    odds = prevalence / (1 - prevalence)

    def after(ratio: float) -> float:
        return 1.0 if math.isinf(ratio) else odds * ratio / (1 + odds * ratio)

    value, low, high = map(after, _ends(ratio))
    return Estimate(value, low, high)


def _net_benefit(scored: Scored, known: _Known, prevalence: float) -> NetBenefit:
    """At each of ``THRESHOLDS``, the probabilities moved to the prevalence."""
    moved = _logit(prevalence) - _logit(known.of_table)
    called = known.logits[:, None] + moved >= _logits(THRESHOLDS)[None, :]
    odds = THRESHOLDS / (1 - THRESHOLDS)
    values = np.empty((3, len(THRESHOLDS)))
    for at, rates in enumerate(_rates(scored, known, called)):
        (found, low, high), (alarms, few, many) = _ends(rates.found), _ends(rates.alarms)
        own, other = prevalence, (1 - prevalence) * odds[at]
        value = own * found - other * alarms
        values[:, at] = (
            value,
            value - _joint(own * (found - low), other * (many - alarms), rates.correlation),
            value + _joint(own * (high - found), other * (alarms - few), rates.correlation),
        )
    return NetBenefit(Curve(THRESHOLDS, *values), prevalence - (1 - prevalence) * odds)


def _joint(one: float, other: float, correlation: float) -> float:
    """Half of the interval of a difference, from those of its two parts."""
    return math.sqrt(max(0.0, one**2 + other**2 - 2 * correlation * one * other))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def _logits(shares: Floats) -> Floats:
    return np.asarray(np.log(shares / (1 - shares)))


def _roc(scored: Scored, code: int, clear: float) -> Curve:
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
            curve.append(_weighted_curve(scores, hits, np.ones((1, len(own))))[0])
            several.append(_weighted_curve(scores, hits, drawn[:, blocks[own]]))
        curves.append(np.mean(curve, axis=0))
        total, times = np.nansum(several, axis=0), np.isfinite(several).sum(axis=0)
        means = np.divide(total, times, out=np.full(total.shape, np.nan), where=times > 0)
        kept = np.isfinite(means).all(axis=1)
        variances.append(means[kept].var(axis=0, ddof=1) if kept.sum() > 1 else np.full(len(GRID), np.inf))
    mean, variance = np.mean(curves, axis=0), np.mean(variances, axis=0)
    support = _support(scored, positive)
    found = [
        _ends(_estimate(float(min(1.0, a)), float(b), clear, support)) for a, b in zip(mean, variance, strict=True)
    ]
    low, high = np.array([each[1] for each in found]), np.array([each[2] for each in found])
    low[0], high[-1], low[-1] = 0.0, 1.0, 1.0
    return Curve(GRID, mean, np.maximum.accumulate(low), np.maximum.accumulate(high))


def _strata(scored: Scored, positive: Flags) -> list[list[NDArray[np.int64]]]:
    """For each repetition the entries of its parts that have both classes; all in one where there are none."""
    found = []
    for repeat in np.unique(scored.repeats):
        own = np.flatnonzero(scored.repeats == repeat)
        parts = [own[scored.folds[own] == fold] for fold in np.unique(scored.folds[own])]
        both = [part for part in parts if 0 < positive[part].sum() < len(part)]
        found.append(both or [own])
    return found


def _weighted_curve(scores: Floats, positive: Flags, weights: Floats) -> Floats:
    """(g, 101) sensitivities at ``GRID`` with each of (g, m) weights; NaN where one class has none."""
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


def _calibration(scored: Scored, truth: Flags, logits: Floats, clear: float) -> Calibration:
    one = np.ones((len(logits), 1))
    intercept = _coefficient(scored, truth, one, logits, clear)
    slope = UNKNOWN
    if float(logits.std()) >= _FLAT:
        slope = _coefficient(scored, truth, np.column_stack([one, logits]), np.zeros(len(logits)), clear)
    return Calibration(slope, intercept, *_groups(scored, truth, logits, clear))


def _coefficient(scored: Scored, truth: Flags, x: Floats, offset: Floats, clear: float) -> Estimate:
    """The last coefficient of a logistic regression; unknown where there is no largest likelihood.

    Of several predictions of a row all give the value, a single one the variance, as everywhere.
    """
    whole = _logistic(x, truth, offset, scored.blocks)
    each = [_logistic(x[own], truth[own], offset[own], scored.blocks[own])
            for own in (scored.repeats == repeat for repeat in np.unique(scored.repeats))]  # fmt: skip
    variances = [found[1] for found in each if found is not None]
    if whole is None or len(variances) < len(each):
        return UNKNOWN
    support = Support(len(np.unique(scored.rows)), len(np.unique(scored.blocks)))
    half = support.quantile * math.sqrt(Spread(float(np.mean(variances)), learned=clear).total)
    return Estimate(whole[0], whole[0] - half, whole[0] + half)


def _logistic(x: Floats, truth: Flags, offset: Floats, blocks: Codes) -> tuple[float, float] | None:
    """The last coefficient and its variance over blocks; None where there is no largest likelihood."""
    weights, blocks = np.zeros(x.shape[1]), np.unique(blocks, return_inverse=True)[1]
    for _ in range(_STEPS):
        shares = _share(np.clip(offset + x @ weights, -_FURTHEST, _FURTHEST))
        information = (x * (shares * (1 - shares))[:, None]).T @ x
        try:
            step = np.linalg.solve(information, x.T @ (truth - shares))
        except np.linalg.LinAlgError:
            return None
        weights = weights + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    else:
        return None
    sums = np.zeros((int(blocks.max()) + 1, x.shape[1]))
    np.add.at(sums, blocks, x * (truth - shares)[:, None])
    inverse = np.linalg.inv(information)
    covariance = inverse @ (sums.T @ sums) @ inverse * len(sums) / max(1, len(sums) - 1)
    return float(weights[-1]), float(covariance[-1, -1])


def _groups(scored: Scored, truth: Flags, logits: Floats, clear: float) -> tuple[Curve, Codes]:
    """Rows in groups of similar probabilities, equal ones together."""
    rows = len(np.unique(scored.rows))
    bins = int(np.clip(rows // _ROWS_OF_A_BIN, 2, _MOST_BINS))
    edges = np.unique(np.quantile(logits, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, logits, side="right")
    shares = _share(logits)
    found, sizes = [], []
    for group in np.unique(place):
        own = place == group
        variance = float(np.mean([_variance(truth, own & (scored.repeats == repeat), scored.blocks)
                                  for repeat in np.unique(scored.repeats[own])]))  # fmt: skip
        ends = _ends(_estimate(float(truth[own].mean()), variance, clear, _support(scored, own)))
        found.append((float(shares[own].mean()), *ends))
        sizes.append(len(np.unique(scored.rows[own])))
    return Curve(*np.array(found).T), np.array(sizes, dtype=np.int64)


def _variance(truth: Flags, own: Flags, blocks: Codes) -> float:
    """Of a share, over blocks."""
    some = truth[own].astype(np.float64)

    def share(kept: Flags) -> Floats:
        total = kept.sum(axis=1)
        return np.asarray(np.divide(kept @ some, total, out=np.full(len(kept), np.nan), where=total > 0))[:, None]

    return float(jackknife(share, blocks[own])[0, 0])


@dataclass(frozen=True)
class NumbersFit:
    """How well numbers of held-out rows are predicted.

    Attributes
    ----------
    explained
        R²: 1 less the squared errors beside those of the mean of the held-out rows.
    error, of_mean
        Root mean squared error in the unit of the target, and that of the mean of the rows that were learned from.
    rows
        Held-out rows.
    """

    explained: Estimate
    error: Estimate
    of_mean: float
    rows: int

    def sentence(self) -> str:
        """All of it."""
        explained, error = (_joined(*_written(each, ".3g")) for each in (self.explained, self.error))
        return tr(
            "R² {explained}, RMSE {error}, with 95 % intervals in brackets; predicting the mean gives an RMSE of "
            "{mean}. From {rows} held-out rows.",
            explained=explained, error=error, mean=number(self.of_mean, ".3g"), rows=number(self.rows),
        )  # fmt: skip

    def packed(self) -> dict[str, object]:
        """For JSON, as :meth:`Decision.packed`."""
        named = (("r2", self.explained), ("rmse", self.error))
        found = {name: {end: _rounded(each) for end, each in asdict(own).items()} for name, own in named}
        return {**found, "rmse_of_mean": _rounded(self.of_mean), "rows": self.rows}


@lru_cache(maxsize=8)
def numbers_fit(scored: Scored) -> NumbersFit:
    """R² and error of predicted numbers."""
    mean = np.empty(len(scored.rows))
    for fold in np.unique(scored.folds):
        own, other = scored.folds == fold, _apart(scored, int(fold))
        mean[own] = scored.truth[other if other.any() else own].mean()
    held = HeldOut(
        criterion="r2",
        classes=1,
        rows=scored.rows,
        blocks=scored.blocks,
        folds=scored.folds,
        repeats=scored.repeats,
        truth=scored.truth,
        chosen=scored.scores[:, 0],
        chance=mean,
    )
    explained, error = (
        honest_error(replace(held, criterion=name), selected=0, features=0) for name in ("r2", "rmse")
    )  # fmt: skip
    assert error.chance is not None  # it was given
    return NumbersFit(_area(explained), Estimate(error.value, error.low, error.high), error.chance, error.rows)
