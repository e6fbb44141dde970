"""Decision support from held-out predictions of two classes: ROC, cut-off, calibration, net benefit.

Each row is predicted by a model that was selected and trained without it. The same holds for turning its score into a
decision: for each held-out part, Platt's sigmoid and the cut-off are derived from the predictions of the other parts,
from blocks of rows that are not in this one. The reported cut-off is derived from all of them. If the parts chose
different models, each has its own sigmoid. A model that was chosen for few rows predicts those of all parts for this
purpose, with the features selected there; so does the model of the result, whose probabilities of two classes in
another table are thus those of :func:`fsdesk.predict`.

The area under the curve and its interval are those of :mod:`fsdesk.results.held_out`: the mean over the parts, because
scores of different models need not be on the same scale. Sensitivity and specificity are shares with the corresponding
intervals (the jackknife over blocks, Clopper & Pearson's bounds for the number of rows that gives this variance),
widened by the distance of the cut-offs of the parts from the reported one. Likelihood ratios, predictive values and net
benefit are derived from these two, and so are their intervals: the method of variance estimates recovery for a ratio
(Donner & Zou, Statistical Methods in Medical Research 21, 2012) and for a difference (Zou & Donner, Statistics in
Medicine 27, 2008), with the correlation that rows of one block induce between the two shares. Predictive values and net
benefit refer to a prevalence, by default that of the table; probabilities are adjusted to it via the odds.

Calibration refers to the probabilities: slope and intercept of a logistic regression of the truth on their logits (Cox,
Biometrika 45, 1958), with variances over blocks. Net benefit is TP/n - FP/n * t / (1 - t) at a threshold t (Vickers &
Elkin, Medical Decision Making 26, 2006).

With several classes, one of them is compared with the rest. For event times, rows with the event by a given time are
compared with those still without it; see :mod:`fsdesk.results.scores` for rows censored earlier.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from fsdesk.data.kaplan_meier import LATE
from fsdesk.data.roles import number_name
from fsdesk.errors import SettingsError
from fsdesk.messages import message, number, quoted, tr
from fsdesk.results.calibration import FEWEST, sigmoid
from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.intervals import Spread, jackknife, learned
from fsdesk.results.scores import (
    Calibration,
    Codes,
    Curve,
    Estimate,
    Flags,
    Floats,
    Scored,
    apart,
    calibration_of,
    complement,
    ends_of,
    joint_half,
    logit,
    logits_of,
    predictive_value,
    ratio_of,
    roc_of,
    share_estimate,
    shares_of,
    support_of,
)

Rule = Literal["youden", "sensitivity", "specificity", "cost"]

THRESHOLDS = np.linspace(0.01, 0.99, 99)
"""The threshold probabilities at which net benefit is given."""

_LEAST_SLOPE = 1e-6  # for an uninformative score: it still orders rows
_AT_ONCE = 25
_BEYOND = 1000  # ratios above this are shown as "> 1000"


@dataclass(frozen=True)
class CutOff:
    """Rule for the cut-off.

    Attributes
    ----------
    rule
        "youden": maximum of sensitivity + specificity. "sensitivity", "specificity": at least ``value``, with the other
        as large as possible. "cost": minimum cost at the prevalence, if a missed positive costs ``value`` times as much
        as a false alarm.
    value
        Between 0 and 1; above 0 for costs; ignored for "youden".
    """

    rule: Rule = "youden"
    value: float = 0.9

    def __post_init__(self) -> None:
        if self.rule not in ("youden", "sensitivity", "specificity", "cost"):
            known = '"youden", "sensitivity", "specificity", "cost"'
            raise SettingsError('There is no cut-off rule "{rule}". Choose {known}.', rule=self.rule, known=known)
        if self.rule in ("sensitivity", "specificity") and not 0 < self.value < 1:
            raise SettingsError(
                "The desired sensitivity or specificity must be between 0 and 1 (got {value}).", value=self.value
            )
        if self.rule == "cost" and not (0 < self.value < math.inf):
            raise SettingsError("The cost of a missed row must be above 0 (got {value}).", value=self.value)

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
            return tr("The cut-off maximizes the sum of sensitivity and specificity (Youden).")
        if self.rule == "sensitivity":
            return tr(
                "The cut-off is chosen to detect at least {share} of “{positive}”.", share=share, positive=positive
            )
        if self.rule == "specificity":
            return tr("The cut-off is chosen to classify at least {share} of the others as negative.", share=share)
        return tr(
            "The cut-off minimizes the expected cost if missing a “{positive}” costs {times} times as much as a "
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
"""Rules tabulated in the report."""


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """Net benefit by threshold for the model, with its band, and for treating all; for treating none it is 0."""

    model: Curve
    treat_all: Floats


@dataclass(frozen=True, eq=False)
class Decision:
    """Held-out predictions of one class against the others at a cut-off.

    Attributes
    ----------
    positive
        Name of the positive class.
    chosen_by
        The rule of the cut-off.
    prevalence, of_table
        Prevalence for predictive values and net benefit, and prevalence among the held-out rows.
    rows, blocks, positives
        Number of held-out rows, of groups of rows, and of rows of the positive class.
    auc
        Mean area under the ROC curves of the held-out parts.
    roc
        Mean curve of the parts: sensitivity by false positive rate.
    cut_off
        The calibrated probability at or above which a row is called positive; 0: all are, 1: none is.
    counts
        True positives, false positives, false negatives, true negatives; means over the repetitions.
    sensitivity, specificity, positive_ratio, negative_ratio, positive_value, negative_value
        At the cut-off: sensitivity and specificity, likelihood ratios, predictive values at ``prevalence``.
    calibration
        At the prevalence of the table.
    net_benefit
        At ``prevalence``.
    horizon, censored
        For event times, the time horizon, and the number of further rows censored earlier; otherwise 0.
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
    horizon: float = 0.0
    censored: int = 0

    def __repr__(self) -> str:
        auc, size = _joined(*_written(self.auc, ".3f")), f"{self.positives:,} of {self.rows:,} rows"
        return f"<{type(self).__name__} for {self.positive!r}, {size}: AUC {auc}, cut-off {self.cut_off:.3g}>"

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """Name, value and 95 % interval of each number, as displayed."""
        found = (
            (self.auc, ".3f"), (self.sensitivity, ".1f"), (self.specificity, ".1f"), (self.positive_value, ".1f"),
            (self.negative_value, ".1f"), (self.positive_ratio, ".2f"), (self.negative_ratio, ".2f"),
            (self.calibration.slope, ".2f"), (self.calibration.intercept, ".2f"),
        )  # fmt: skip
        for title, (estimate, form) in zip(line_titles(), found, strict=True):
            yield title, *_written(estimate, form)

    def rates_cells(self) -> tuple[str, ...]:
        """Cut-off, sensitivity, specificity and predictive values with intervals, for a line of a table."""
        rates = self.sensitivity, self.specificity, self.positive_value, self.negative_value
        return self.cut_off_text, *(_joined(*_written(each, ".1f")) for each in rates)

    @property
    def cut_off_text(self) -> str:
        """The cut-off as a probability."""
        return f"{number(100 * self.cut_off, '.1f')} %"

    def cut_off_words(self) -> str:
        """The rule, the resulting cut-off, and the prevalence."""
        if self.cut_off <= 0 or self.cut_off >= 1:
            found = (
                tr("It classifies every row as “{positive}”.", positive=self.positive)
                if self.cut_off <= 0
                else tr("It classifies no row as “{positive}”.", positive=self.positive)
            )
        else:
            found = tr(
                "A row is classified as “{positive}” if its calibrated probability is at least {share} %.",
                positive=self.positive, share=number(100 * self.cut_off, ".1f"),
            )  # fmt: skip
        return f"{self.chosen_by.words(self.positive)} {found}"

    def prevalence_words(self) -> str:
        """The prevalence assumed by predictive values and net benefit."""
        share = number(100 * self.prevalence, ".3g")
        if math.isclose(self.prevalence, self.of_table, rel_tol=1e-9):
            return tr(
                "Predictive values and net benefit assume a prevalence of {share} %, the share of “{positive}” among "
                "the held-out rows.",
                share=share, positive=self.positive,
            )  # fmt: skip
        return tr(
            "Predictive values and net benefit assume a prevalence of {share} % (among the held-out rows: {own} %).",
            share=share, own=number(100 * self.of_table, ".3g"),
        )  # fmt: skip

    def rows_words(self) -> str:
        """What the numbers are based on."""
        if self.horizon:
            return tr(
                "Based on the predictions for {rows} held-out rows, {positives} of them “{positive}”. Another "
                "{censored} were censored earlier and are represented by weighting the others. The cut-off and the "
                "probabilities of a row come from the predictions for the other parts.",
                rows=number(self.rows), positives=number(self.positives), positive=self.positive,
                censored=number(self.censored),
            )  # fmt: skip
        if self.blocks < self.rows:
            return tr(
                "Based on the predictions for {rows} held-out rows in {blocks} groups, {positives} of them "
                "“{positive}”. The cut-off and the probabilities of a row come from the predictions for the other "
                "parts.",
                rows=number(self.rows), blocks=number(self.blocks), positives=number(self.positives),
                positive=self.positive,
            )  # fmt: skip
        return tr(
            "Based on the predictions for {rows} held-out rows, {positives} of them “{positive}”. The cut-off and "
            "the probabilities of a row come from the predictions for the other parts.",
            rows=number(self.rows), positives=number(self.positives), positive=self.positive,
        )  # fmt: skip

    def doubt_words(self) -> str:
        """A warning if these rows do not show that the scores separate the classes; otherwise ""."""
        if self.auc.low is not None and self.auc.low > 0.5:
            return ""
        return tr(
            "The interval of the AUC includes 0.5: these rows do not show that the scores separate “{positive}” from "
            "the others, so no cut-off can be recommended, and rates at a cut-off have no interval.",
            positive=self.positive,
        )  # fmt: skip

    def calibration_words(self) -> str:
        """Calibration in words if it cannot be expressed as a slope with an interval; otherwise ""."""
        slope = self.calibration.slope
        if slope.value is not None:
            return (
                ""
                if slope.low is not None
                else tr(
                    "The calibration slope has no interval: with so few rows, it is rough, and too low if there is "
                    "little signal."
                )
            )
        return tr("The probabilities hardly vary between rows, so no calibration slope can be estimated.")

    def packed(self) -> dict[str, object]:
        """The content for JSON: fractions to nine digits, and None for unknown or infinite values."""
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
            **({"time": _rounded(self.horizon), "censored": self.censored} if self.horizon else {}),
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


def words_elsewhere(packed: Mapping[str, Any]) -> str:
    """:attr:`fsdesk.results.evidence.ExternalValidation.decision` as a sentence; "" if it is empty."""
    if not packed:
        return ""
    forms = (("auc", ".3f"), ("sensitivity", ".1f"), ("specificity", ".1f"), ("calibration_slope", ".2f"))
    auc, sensitivity, specificity, slope = (_joined(*_written(Estimate(**packed[name]), form)) for name, form in forms)
    return tr(
        "At the cut-off derived from the held-out rows of the run for “{positive}” (Youden), with 95 % intervals in "
        "brackets: AUC {auc}, sensitivity {sensitivity}, specificity {specificity}, calibration slope {slope}.",
        positive=packed["positive"], auc=auc, sensitivity=sensitivity, specificity=specificity, slope=slope,
    )  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 9) + 0.0


def _written(found: Estimate, form: str) -> tuple[str, str]:
    """Value and interval, in percent if the format is a percentage."""
    if found.value is None:
        return tr("not available"), ""
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


def _joined(value: str, ends: str) -> str:
    return f"{value} ({ends})" if ends else value


@lru_cache(maxsize=8)
def _at(scored: Scored, horizon: float) -> Scored:
    return scored.at(horizon)


def _taken(scored: Scored, horizon: float | None) -> Scored:
    """Event times at a time horizon; others unchanged.

    Raises SettingsError if the rows carry no information about that time.
    """
    if not len(scored.times):
        return scored
    if scored.is_late:
        raise SettingsError(LATE)
    horizon = scored.horizon if horizon is None else horizon
    if not 0 < horizon < scored.longest:
        raise SettingsError(
            "The time horizon must be between 0 and {longest}, and some rows must outlast it (got {value}).",
            longest=f"{scored.longest:.6g}", value=f"{horizon:.6g}",
        )  # fmt: skip
    return _at(scored, horizon)


def why_not(scored: Scored | None, code: int | None = None) -> str:
    """Reason why there is no decision card, as a sentence; "" if there is one."""
    if scored is None:
        return message(
            "This model predicts classes without scores, so there is no ROC curve, cut-off or calibration. Models "
            "such as logistic regression or naive Bayes provide scores."
        )
    try:
        scored = _taken(scored, None)
    except SettingsError as error:
        return str(error)
    code = scored.positive if code is None else code
    few, truth = _too_few(scored, code), scored.truth == code
    if few:
        return few
    for fold in np.unique(scored.folds):
        others = truth[apart(scored, int(fold))]
        if not 0 < others.sum() < len(others):
            return message(
                "No cut-off can be chosen for one held-out part, because the rows of the other parts do not include "
                "both classes."
            )
    return ""


def _too_few(scored: Scored, code: int) -> str:
    truth = scored.truth == code
    if min(len(np.unique(scored.blocks[some])) for some in (truth, ~truth)) >= FEWEST:
        return ""
    return message(
        "Fewer than {few} independent rows of “{positive}”, or of the others, were held out: too few for a cut-off.",
        few=FEWEST, positive=scored.names[code],
    )  # fmt: skip


def decide(
    scored: Scored,
    cut_off: CutOff = CutOff(),
    prevalence: float | None = None,
    positive: str | float | None = None,
    tested: Scored | None = None,
    horizon: float | None = None,
) -> Decision:
    """The decision card of held-out predictions, or of those for another table.

    Parameters
    ----------
    cut_off
        Rule for the cut-off.
    prevalence
        Share of the positive class where the model will be used; None: as among the rows.
    positive
        Name of the positive class, compared with all others; None: that of the run.
    tested
        Predictions for the rows of another table: they are classified by the cut-off and the probabilities derived from
        all of ``scored``.
    horizon
        For event times, the time horizon; None: that of the run.

    Raises
    ------
    SettingsError
        If there is no such class, the prevalence is not between 0 and 1, there are too few rows, or no row outlasts the
        time horizon.
    """
    scored = _taken(scored, horizon)
    tested = tested if tested is None else _taken(tested, scored.horizon)
    sought = number_name(positive) if isinstance(positive, int | float) else positive
    if sought is not None and sought not in scored.names:
        raise SettingsError(
            'There is no class "{name}". The classes are {known}.', name=sought, known=quoted(scored.names)
        )
    code = scored.positive if sought is None else scored.names.index(sought)
    if prevalence is not None and not 0 < prevalence < 1:
        raise SettingsError("The prevalence must be between 0 and 1 (got {value}).", value=prevalence)
    why = why_not(scored, code) or ("" if tested is None else _too_few(tested, code))
    if why:
        raise SettingsError("No cut-off can be chosen: {why}", why=why)
    own = _known(scored, code)
    known, judged = (own, scored) if tested is None else (_elsewhere(scored, tested, code), tested)
    share = known.of_table if prevalence is None else prevalence
    cut = _cut(own.final, own.truth, scored.counts, cut_off, share)
    called, moved = known.logits >= cut, None
    if tested is None:
        called, moved = _called(scored, own, cut, cut_off, share)
    rates = _rates(judged, known, called[:, None], moved)[0]
    plus, minus = ratio_of(rates.found, rates.alarms, rates.correlation), ratio_of(*rates.missed_and_left())
    truth, times = known.truth, len(np.unique(judged.repeats))
    # A threshold of uninformative scores could be anywhere: 88 of 100 such intervals contain the true value.
    is_shown = tested is not None or (known.auc.low is not None and known.auc.low > 0.5)

    def shown(found: Estimate) -> Estimate:
        return found if is_shown else Estimate(found.value)

    cells = called & truth, called & ~truth, ~called & truth, ~called & ~truth
    counts = [float(judged.counts @ some) / times for some in cells]
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
        cut_off=float(shares_of(np.array(cut))),
        counts=(counts[0], counts[1], counts[2], counts[3]),
        sensitivity=shown(rates.found),
        specificity=shown(complement(rates.alarms)),
        positive_ratio=shown(plus),
        negative_ratio=shown(minus),
        positive_value=shown(predictive_value(plus, share)),
        negative_value=shown(complement(predictive_value(minus, share))),
        calibration=known.calibration,
        net_benefit=_net_benefit(judged, known, share),
        horizon=judged.horizon,
        censored=judged.censored,
    )


def _called(scored: Scored, known: "_Known", cut: float, rule: CutOff, prevalence: float) -> tuple[Flags, Floats]:
    """(m,) whether rows are called positive by the cut-off of the other parts, and the arguments of :func:`_rates`."""
    called, moved = np.zeros(len(scored.rows), dtype=np.bool_), []
    for fold, other, levels in known.levels:
        by_others = levels >= _cut(levels[other], known.truth[other], scored.counts[other], rule, prevalence)
        called[scored.folds == fold] = by_others[scored.folds == fold]
        differs = by_others.astype(float) - (known.final >= cut)
        moved.append(tuple(np.average(differs[of], weights=scored.counts[of]) for of in (known.truth, ~known.truth)))
    return called, np.array(moved)


@dataclass(frozen=True, eq=False)
class _Known:
    """Everything that does not depend on cut-off and prevalence."""

    truth: Flags
    levels: tuple[tuple[int, Flags, Floats], ...]  # fold, entries outside it, (m,) logits calibrated by these
    final: Floats  # (m,) logits calibrated by all rows
    logits: Floats  # (m,) logits of each row, calibrated by rows of the other parts
    clear: float
    rows: int
    blocks: int
    positives: int
    auc: Estimate
    roc: Curve
    calibration: Calibration
    of_table: float


@lru_cache(maxsize=8)
def _known(scored: Scored, code: int) -> _Known:
    truth, raw = scored.truth == code, scored.logits(code)
    every = np.ones(len(truth), dtype=np.bool_)
    parts, logits = [], np.empty(len(truth))
    for fold in np.unique(scored.folds).tolist():
        other = apart(scored, fold)
        level = _calibrated(scored, code, other, raw, scored.scales)
        own = scored.folds == fold
        logits[own] = level[own]
        parts.append((fold, other, level))
    final = _calibrated(scored, code, every, raw, scored.scales)
    return _judged(scored, code, logits, tuple(parts), final)


def _elsewhere(scored: Scored, tested: Scored, code: int) -> _Known:
    """Predictions for another table, calibrated on those of held-out rows."""
    own = np.array([scored.models.index(name) if name in scored.models else -1 for name in tested.models])
    every = np.ones(len(scored.rows), dtype=np.bool_)
    logits = _calibrated(scored, code, every, tested.logits(code), own[tested.scales])
    return _judged(tested, code, logits, (), logits)


def _judged(
    scored: Scored, code: int, logits: Floats, levels: tuple[tuple[int, Flags, Floats], ...], final: Floats
) -> _Known:
    truth, found = scored.truth == code, honest_error(scored.against_rest(code), selected=0, features=0)
    clear = 1.0
    if found.chance_difference is not None and found.chance_difference_low is not None:
        clear = learned(found.chance_difference, found.chance_difference_low)
    rows, positives = len(np.unique(scored.rows)), len(np.unique(scored.rows[truth]))
    counts = scored.counts
    return _Known(
        truth=truth,
        levels=levels,
        final=final,
        logits=logits,
        clear=clear,
        rows=rows,
        blocks=len(np.unique(scored.blocks)),
        positives=positives,
        auc=_area(found),
        roc=roc_of(scored, code, clear),
        calibration=calibration_of(scored, truth, logits, final if levels else None, clear),
        of_table=positives / rows if scored.weights is None else float(counts[truth].sum() / counts.sum()),
    )


def _area(found: HonestError) -> Estimate:
    low, high = (None, None) if found.low is None or found.high is None else (1 - found.high, 1 - found.low)
    return Estimate(1 - found.value, low, high)


def _calibrated(scored: Scored, code: int, by: Flags, raw: Floats, scales: Codes) -> Floats:
    """(k,) logits of calibrated probabilities of scores ``raw`` of the models ``scales``.

    Each model has its own Platt's sigmoid, derived from the entries ``by``: from its scores for all of them if they are
    known, otherwise from those that it predicted. If these are too few, or the model predicted none, the sigmoid is
    fitted to the scores of all models.
    """
    truth, times, counts = scored.truth == code, len(np.unique(scored.repeats)), scored.counts
    known, made = scored.logits(code), np.empty(len(raw))
    for scale in np.unique(scales).tolist():
        some, scores = by & (scored.scales == scale), known
        if 0 <= scale < scored.everywhere.shape[2]:
            alike = scored.everywhere[:, code, scale]
            if np.isfinite(alike).any():
                some, scores = by & np.isfinite(alike), alike
        if min(int(truth[some].sum()), int((~truth[some]).sum())) < FEWEST * times:
            some, scores = by, known
        slope, intercept = sigmoid(scores[some], truth[some], times, counts[some])
        spread = float(scores[some].std()) or 1.0
        own = scales == scale
        made[own] = intercept + max(slope, _LEAST_SLOPE / spread) * raw[own]
    return made


def _cut(levels: Floats, truth: Flags, counts: Floats, rule: CutOff, prevalence: float) -> float:
    """The level at or above which rows are called positive, derived from these rows; infinite if none or all are."""
    order = np.argsort(-levels, kind="stable")
    ranked = levels[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    hits, misses = (np.cumsum((counts * of)[order])[ends] for of in (truth, ~truth))
    found, alarms = np.append(0.0, hits / hits[-1]), np.append(0.0, misses / misses[-1])
    if rule.rule == "sensitivity":
        at = int(np.argmax(found >= rule.value - 1e-12))
    elif rule.rule == "specificity":
        at = len(alarms) - 1 - int(np.argmax(alarms[::-1] <= 1 - rule.value + 1e-12))
    else:
        weight = 1.0 if rule.rule == "youden" else rule.value * prevalence / (1 - prevalence)
        gain = weight * found - alarms
        best = np.flatnonzero(gain >= gain.max() - 1e-12 * max(1.0, weight))
        at = int(best[np.argmin(np.abs(found[best] + alarms[best] - 1).round(9))])  # among ties, the most balanced
    if at == 0:
        return math.inf
    if at == len(ends):
        return -math.inf
    return float((ranked[ends[at - 1]] + ranked[ends[at - 1] + 1]) / 2)


@dataclass(frozen=True)
class _Rates:
    """Shares of positive and of other rows called positive, and the correlation of the two."""

    found: Estimate
    alarms: Estimate
    correlation: float

    def missed_and_left(self) -> tuple[Estimate, Estimate, float]:
        """The shares not called positive."""
        return complement(self.found), complement(self.alarms), self.correlation


def _rates(scored: Scored, known: _Known, called: Flags, moved: Floats | None = None) -> list[_Rates]:
    """The rates of each of the k columns of (m, k) classifications.

    ``moved``: (f, 2) differences of the two rates at the cut-off of each part from those at the reported one. If there
    is little signal, cut-offs are far apart, and their average performance says little about a single one.
    """
    found = list[_Rates]()
    beyond = np.zeros(3)
    if moved is not None:
        squares = moved.T @ moved / len(moved) / Spread(0.0, learned=known.clear).inflation
        beyond = np.array([squares[0, 0], squares[1, 1], squares[0, 1]])
    supports = [support_of(scored, some) for some in (known.truth, ~known.truth)]
    for first in range(0, called.shape[1], _AT_ONCE):
        some = called[:, first : first + _AT_ONCE]
        shares, variances = _shares_called(scored, known.truth, some)
        for (hits, alarms), (own, other, both) in zip(shares, variances + beyond, strict=True):
            product = own * other
            correlation = both / math.sqrt(product) if math.isfinite(product) and product > 0 else 0.0
            found.append(
                _Rates(
                    share_estimate(float(hits), float(own), known.clear, supports[0]),
                    share_estimate(float(alarms), float(other), known.clear, supports[1]),
                    float(np.clip(correlation, -1, 1)),
                )
            )
    return found


def _shares_called(scored: Scored, truth: Flags, called: Flags) -> tuple[Floats, Floats]:
    """(k, 2) shares of positive and of other rows, and (k, 3) their variances and covariance over blocks."""
    ways = called.shape[1]
    shares, variances = [], []
    for repeat in np.unique(scored.repeats):
        own = scored.repeats == repeat
        positive = truth[own]
        counts = scored.counts[own][:, None]
        each = counts * np.concatenate([called[own] & positive[:, None], called[own] & ~positive[:, None]], axis=1)
        of = counts * np.stack([positive, ~positive], axis=1)

        def rates(kept: Flags, each: Floats = each, of: Floats = of) -> Floats:
            weights = kept.astype(float)
            total = np.repeat(weights @ of, ways, axis=1)
            return np.asarray(np.divide(weights @ each, total, out=np.full(total.shape, np.nan), where=total > 0))

        shares.append(rates(np.ones((1, len(positive)), dtype=np.bool_))[0].reshape(2, ways).T)
        covariance = jackknife(rates, scored.blocks[own])
        one, other = np.arange(ways), ways + np.arange(ways)
        variances.append(np.stack([covariance[one, one], covariance[other, other], covariance[one, other]], axis=1))
    return np.mean(shares, axis=0), np.mean(variances, axis=0)


@lru_cache(maxsize=16)
def _net_benefit(scored: Scored, known: _Known, prevalence: float) -> NetBenefit:
    """The net benefit at each of ``THRESHOLDS``, with the probabilities adjusted to the prevalence."""
    moved = logit(prevalence) - logit(known.of_table)
    called = known.logits[:, None] + moved >= logits_of(THRESHOLDS)[None, :]
    odds = THRESHOLDS / (1 - THRESHOLDS)
    values = np.empty((3, len(THRESHOLDS)))
    for at, rates in enumerate(_rates(scored, known, called)):
        (found, low, high), (alarms, few, many) = ends_of(rates.found), ends_of(rates.alarms)
        own, other = prevalence, (1 - prevalence) * odds[at]
        value = own * found - other * alarms
        values[:, at] = (
            value,
            value - joint_half(own * (found - low), other * (many - alarms), rates.correlation),
            value + joint_half(own * (high - found), other * (alarms - few), rates.correlation),
        )
    return NetBenefit(Curve(THRESHOLDS, *values), prevalence - (1 - prevalence) * odds)


@dataclass(frozen=True)
class NumbersFit:
    """Accuracy of predicted numbers for held-out rows.

    Attributes
    ----------
    explained
        R²: 1 minus the squared errors relative to those of the mean of the held-out rows.
    error, of_mean
        Root mean squared error in the unit of the target, and that of predicting the mean of the training rows.
    rows
        Held-out rows.
    """

    explained: Estimate
    error: Estimate
    of_mean: float
    rows: int

    def sentence(self) -> str:
        """All results in one sentence."""
        explained, error = (_joined(*_written(each, ".3g")) for each in (self.explained, self.error))
        return tr(
            "R² {explained}, RMSE {error}, with 95 % intervals in brackets; predicting the mean gives an RMSE of "
            "{mean}. Based on {rows} held-out rows.",
            explained=explained, error=error, mean=number(self.of_mean, ".3g"), rows=number(self.rows),
        )  # fmt: skip

    def packed(self) -> dict[str, object]:
        """The content for JSON, like :meth:`Decision.packed`."""
        named = (("r2", self.explained), ("rmse", self.error))
        found = {name: {end: _rounded(each) for end, each in asdict(own).items()} for name, own in named}
        return {**found, "rmse_of_mean": _rounded(self.of_mean), "rows": self.rows}


@lru_cache(maxsize=8)
def numbers_fit(scored: Scored) -> NumbersFit:
    """R² and error of predicted numbers."""
    mean = np.empty(len(scored.rows))
    for fold in np.unique(scored.folds):
        own, other = scored.folds == fold, apart(scored, int(fold))
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
