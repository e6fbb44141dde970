"""Additional results of runs on event times: risk groups with their curves, and hazard ratios."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.kaplan_meier import Curve, curve_of, events_of, groups_by_risk, log_rank, times_of
from fsdesk.kernels import _core
from fsdesk.measure import Outcome
from fsdesk.measure.evaluator import LEFT, STEPS
from fsdesk.messages import localised, message, number, tr
from fsdesk.results.held_out import honest_error
from fsdesk.results.held_out_error import p_words
from fsdesk.results.scores import Estimate, Scored, ends_of

Floats = NDArray[np.float64]

_FEW = 30  # events below which only two groups can be distinguished
_NORMAL = 1.959963984540054
_FAR = 20.0  # log hazard ratios beyond this mean that a group has no events
_DRAWS = 200


def ranks_in_folds(values: Floats, labels: NDArray[np.int64]) -> Floats:
    """(repeats, n) rank of each risk among those of its fold, between 0 and 1; ties share their mean rank.

    Risks of different folds come from different models and are not comparable. NaN if a row was not tested.
    """
    found = np.full(values.shape, np.nan)
    for own, said, fold_of in zip(found, values, labels, strict=True):
        for fold in range(int(fold_of.max()) + 1):
            rows = np.flatnonzero(fold_of == fold)
            if len(rows):
                _, place, count = np.unique(said[rows], return_inverse=True, return_counts=True)
                own[rows] = (np.cumsum(count) - (count + 1) / 2 + 0.5)[place] / len(rows)
    return found


def with_ranks(outcome: Outcome) -> Outcome:
    """Replace the risks of an outcome by their ranks within folds."""
    if outcome.values is None:
        return outcome
    return replace(outcome, values=np.nan_to_num(ranks_in_folds(outcome.values, outcome.labels)))


@dataclass(frozen=True, eq=False)
class RiskGroup:
    """Rows with similar risk.

    Attributes
    ----------
    name
        A message, such as "low risk".
    rows, events
        Number of rows, and of rows with the event.
    curve
        Kaplan-Meier curve.
    """

    name: str
    rows: int
    events: int
    curve: Curve


@dataclass(frozen=True, eq=False)
class RiskGroups:
    """Groups by predicted risk, from models that had not been trained on the rows.

    Attributes
    ----------
    groups
        Two or three, lowest risk first.
    p
        p value of the log-rank test over all of them.
    hazard_ratio, low, high
        Highest versus lowest group, with its 95 % interval (Wald); None if one of them has no event.
    """

    groups: tuple[RiskGroup, ...]
    p: float
    hazard_ratio: float | None = None
    low: float | None = None
    high: float | None = None

    def words(self, name: str, event: str) -> str:
        """Summary of the groups in sentences; ``name`` says whose risks they are."""
        said = [
            tr("{name}: {rows:,} rows, {events:,} events, {half}", name=tr(each.name), rows=each.rows,
               events=each.events, half=_half(each.curve))
            for each in self.groups
        ]  # fmt: skip
        parts = [tr("{name}, by predicted risk ({event}): {groups}.", name=name, event=event, groups="; ".join(said))]
        parts.append(tr("Log-rank test: {p}.", p=p_words(self.p)))
        if self.hazard_ratio is not None and self.low is not None and self.high is not None:
            parts.append(
                tr("Hazard ratio of the highest versus the lowest risk group: {ratio} (95 % interval {low} to {high}).",
                   ratio=ratio_words(self.hazard_ratio), low=ratio_words(self.low), high=ratio_words(self.high))
            )  # fmt: skip
        return " ".join(parts)


def ratio_words(ratio: float) -> str:
    """A hazard ratio to three digits."""
    return localised(f"{ratio:#.3g}".removesuffix(".")) if ratio < 1000 else number(ratio, ".1e")


def shared_words() -> str:
    """Reliability of the p value and interval of such groups."""
    return tr(
        "The training rows of the parts overlap, so this p value and interval are slightly too optimistic; the "
        "permutation test shows whether the features predict anything at all."
    )


def _half(curve: Curve) -> str:
    if math.isinf(curve.median):
        return tr("more than half of them event-free at the end")
    return tr("half of them with the event by {time}", time=localised(f"{curve.median:.4g}"))


RISK_COLOURS = {2: ("#0072b2", "#d55e00"), 3: ("#0072b2", "#999999", "#d55e00")}
"""For the risk groups, lowest first: Okabe and Ito's blue and vermilion, with gray in between."""

_NAMES = {
    2: (message("low risk"), message("high risk")),
    3: (message("low risk"), message("middle risk"), message("high risk")),
}


def group_count(events: NDArray[np.bool_]) -> int:
    """The number of risk groups that the number of events allows."""
    return 3 if events.sum() >= _FEW else 2


def group_names(count: int) -> tuple[str, ...]:
    """Names of the groups as messages, lowest risk first."""
    return _NAMES[count]


def risk_groups(risks: Floats, response: Floats) -> RiskGroups | None:
    """Groups of rows by (n,) risks that were predicted without them; None if risks do not differ.

    Parameters
    ----------
    risks
        NaN for rows that were never tested.
    response
        Outcomes of the rows, as in :mod:`fsdesk.data.kaplan_meier`.
    """
    known = np.isfinite(risks)
    risks, y = risks[known], response[known]
    events = events_of(y)
    count = group_count(events)
    codes = groups_by_risk(risks, count) if len(risks) > count else np.zeros(len(risks), dtype=np.int64)
    present = np.unique(codes)
    if len(present) < 2:
        return None
    names = _NAMES[3] if count == 3 and len(present) == 3 else _NAMES[2]
    codes = np.searchsorted(present, codes).astype(np.int64)
    groups = tuple(
        RiskGroup(names[code], int((codes == code).sum()), int(events[codes == code].sum()),
                  curve_of(y[codes == code]))
        for code in range(len(present))
    )  # fmt: skip
    p = log_rank(y, codes)
    ends = (codes == 0) | (codes == len(present) - 1)
    ratio = hazard_ratio_of((codes[ends] > 0).astype(np.float64), y[ends])
    return RiskGroups(groups, p, *(ratio or (None, None, None)))


def hazard_ratio_of(indicator: Floats, response: Floats) -> tuple[float, float, float] | None:
    """Hazard ratio of rows with 1 versus 0, with its 95 % interval: univariate Cox model, Efron's ties.

    It is None if rows of either kind have no event.
    """
    y = np.ascontiguousarray(response)

    def score(beta: float) -> float:
        return float(indicator @ _core.cox_residuals(beta * indicator, y)[1])

    low, high = -_FAR, _FAR
    if not (score(low) > 1e-6 and score(high) < -1e-6):
        return None
    for _ in range(100):  # the score decreases in beta
        middle = (low + high) / 2
        low, high = (middle, high) if score(middle) > 0 else (low, middle)
    beta, step = (low + high) / 2, 1e-4
    information = (score(beta - step) - score(beta + step)) / (2 * step)
    if not information > 0:
        return None
    spread = _NORMAL / math.sqrt(information)
    return math.exp(beta), math.exp(beta - spread), math.exp(beta + spread)


@dataclass(frozen=True)
class SurvivalFit:
    """Accuracy of predicted survival curves of held-out rows.

    Attributes
    ----------
    brier
        Integrated Brier score, up to ``until``.
    of_curve
        The same for the survival curve of the training rows, without features.
    until
        The time that a tenth of the rows outlast.
    """

    brier: Estimate
    of_curve: float
    until: float

    def sentence(self) -> str:
        """The results in one sentence."""
        low, high = (localised(f"{end:.3f}") for end in ends_of(self.brier)[1:])
        return tr(
            "Integrated Brier score up to {until}: {value} (95 % interval {low} to {high}); a single curve for all "
            "rows gives {chance}. 0 is perfect.",
            until=localised(f"{self.until:.4g}"), value=localised(f"{ends_of(self.brier)[0]:.3f}"), low=low, high=high,
            chance=localised(f"{self.of_curve:.3f}"),
        )  # fmt: skip

    def packed(self) -> dict[str, object]:
        """The results in a form for JSON."""
        ends = zip(("value", "low", "high"), ends_of(self.brier), strict=True)
        found = {name: round(end, 9) if math.isfinite(end) else None for name, end in ends}
        return {"brier": found, "brier_of_curve": round(self.of_curve, 9), "until": round(self.until, 9)}


@lru_cache(maxsize=8)
def survival_fit(scored: Scored) -> SurvivalFit:
    """The integrated Brier score of predicted survival, on 30 times: E. Graf et al., Stat. Med. 18 (1999)."""
    times = times_of(np.asarray(scored.truth, dtype=np.float64)[np.unique(scored.rows, return_index=True)[1]])
    until = float(np.quantile(times, 1 - LEFT))
    grid = np.asarray(until * np.arange(1, STEPS + 1) / STEPS)
    found = honest_error(scored.over("brier", grid), selected=0, features=0)
    assert found.chance is not None  # it was given
    return SurvivalFit(Estimate(found.value, found.low, found.high), found.chance, until)
