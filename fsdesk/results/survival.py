"""What a run on times to an event tells beside concordance: risk groups with their curves, and hazard ratios."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import Curve, groups_by_risk, kaplan_meier, log_rank
from fsdesk.engine import RunSpec
from fsdesk.kernels import _core
from fsdesk.measure import Outcome
from fsdesk.messages import localised, message, number, tr
from fsdesk.results.held_out_error import p_words

Floats = NDArray[np.float64]

_FEW = 30  # events below which two groups are all that can be told apart
_NORMAL = 1.959963984540054
_FAR = 20.0  # logarithms of hazard ratios beyond this mean that a group has no event
_DRAWS = 200


def ranks_in_folds(values: Floats, labels: NDArray[np.int64]) -> Floats:
    """(repeats, n) rank of each risk among those of its fold, between 0 and 1; equal ones share the mean of theirs.

    Risks of different folds come from different models, so that they cannot be compared. Not a number where a row was
    not tested.
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
    """An outcome whose risks are ranks in their folds."""
    if outcome.values is None:
        return outcome
    return replace(outcome, values=np.nan_to_num(ranks_in_folds(outcome.values, outcome.labels)))


@dataclass(frozen=True, eq=False)
class RiskGroup:
    """Rows of about equal risk.

    Attributes
    ----------
    name
        A message, such as "low risk".
    rows, events
        How many rows it has, and how many of them had the event.
    curve
        Of Kaplan and Meier.
    """

    name: str
    rows: int
    events: int
    curve: Curve


@dataclass(frozen=True, eq=False)
class RiskGroups:
    """Groups by the risk that models predicted which had not seen the rows.

    Attributes
    ----------
    groups
        Two or three, the lowest risk first.
    p
        p value of the log-rank test over all of them.
    hazard_ratio, low, high
        Of the highest beside the lowest group, with its 95 % interval (Wald); None where one of them has no event.
    """

    groups: tuple[RiskGroup, ...]
    p: float
    hazard_ratio: float | None = None
    low: float | None = None
    high: float | None = None

    def words(self, name: str, event: str) -> str:
        """What the groups tell, in sentences; ``name`` says whose risks they are."""
        said = [
            tr("{name}: {rows:,} rows, {events:,} events, {half}", name=tr(each.name), rows=each.rows,
               events=each.events, half=_half(each.curve))
            for each in self.groups
        ]  # fmt: skip
        parts = [tr("{name}, by predicted risk ({event}): {groups}.", name=name, event=event, groups="; ".join(said))]
        parts.append(tr("Log-rank test: {p}.", p=p_words(self.p)))
        if self.hazard_ratio is not None and self.low is not None and self.high is not None:
            parts.append(
                tr("Hazard ratio of the highest beside the lowest group: {ratio} (95 % interval {low} to {high}).",
                   ratio=ratio_words(self.hazard_ratio), low=ratio_words(self.low), high=ratio_words(self.high))
            )  # fmt: skip
        return " ".join(parts)


def ratio_words(ratio: float) -> str:
    """A hazard ratio to three digits."""
    return localised(f"{ratio:#.3g}".removesuffix(".")) if ratio < 1000 else number(ratio, ".1e")


def shared_words() -> str:
    """How far p value and interval of such groups can be believed."""
    return tr(
        "The models of different parts learned from one another's rows, so this p value and interval are a little too "
        "good; whether the features predict at all is told by the test by permutation."
    )


def _half(curve: Curve) -> str:
    if math.isinf(curve.median):
        return tr("more than half of them without the event at the end")
    return tr("half of them with the event by {time}", time=localised(f"{curve.median:.4g}"))


RISK_COLOURS = {2: ("#0072b2", "#d55e00"), 3: ("#0072b2", "#999999", "#d55e00")}
"""Of the groups by risk, the lowest first: Okabe and Ito's blue and vermilion, grey between them."""

_NAMES = {
    2: (message("low risk"), message("high risk")),
    3: (message("low risk"), message("middle risk"), message("high risk")),
}


def risk_groups(risks: Floats, response: Floats) -> RiskGroups | None:
    """Groups of rows by (n,) risks that were predicted without them; None where risks do not differ.

    Parameters
    ----------
    risks
        NaN for rows that were never tested.
    response
        (n,) times, negative where they are censored.
    """
    known = np.isfinite(risks)
    risks, y = risks[known], response[known]
    times, events = np.abs(y), y >= 0
    count = 3 if events.sum() >= _FEW else 2
    codes = groups_by_risk(risks, count) if len(risks) > count else np.zeros(len(risks), dtype=np.int64)
    present = np.unique(codes)
    if len(present) < 2:
        return None
    names = _NAMES[3] if count == 3 and len(present) == 3 else _NAMES[2]
    codes = np.searchsorted(present, codes).astype(np.int64)
    groups = tuple(
        RiskGroup(names[code], int((codes == code).sum()), int(events[codes == code].sum()),
                  kaplan_meier(times[codes == code], events[codes == code]))
        for code in range(len(present))
    )  # fmt: skip
    p = log_rank(times, events, codes)
    ends = (codes == 0) | (codes == len(present) - 1)
    ratio = hazard_ratio_of((codes[ends] > 0).astype(np.float64), y[ends])
    return RiskGroups(groups, p, *(ratio or (None, None, None)))


def hazard_ratio_of(indicator: Floats, response: Floats) -> tuple[float, float, float] | None:
    """Hazard ratio of rows of 1 beside those of 0, with its 95 % interval: Cox's model of this one, Efron's ties.

    None where rows of either kind have no event.
    """
    y = np.ascontiguousarray(response)

    def score(beta: float) -> float:
        return float(indicator @ _core.cox_residuals(beta * indicator, y)[1])

    low, high = -_FAR, _FAR
    if not (score(low) > 1e-6 and score(high) < -1e-6):
        return None
    for _ in range(100):  # the score falls in beta
        middle = (low + high) / 2
        low, high = (middle, high) if score(middle) > 0 else (low, middle)
    beta, step = (low + high) / 2, 1e-4
    information = (score(beta - step) - score(beta + step)) / (2 * step)
    if not information > 0:
        return None
    spread = _NORMAL / math.sqrt(information)
    return math.exp(beta), math.exp(beta - spread), math.exp(beta + spread)


@dataclass(frozen=True)
class HazardRatio:
    """What a feature does in the Cox regression of the answer.

    Attributes
    ----------
    name
        Of the feature; of a category with its value.
    value, low, high
        Hazard ratio for one standard deviation more (of a category: beside the others), and its 95 % interval over
        bootstrap samples of the rows, features and penalty being given.
    """

    name: str
    value: float
    low: float
    high: float


def hazard_ratios(
    spec: RunSpec, dataset: Dataset, mask: NDArray[np.bool_], goes_on: Callable[[], bool] = lambda: True
) -> list[HazardRatio]:
    """Hazard ratios of the features of an answer; none where its model is no Cox regression.

    Scaled and filled over all rows.
    """
    from fsdesk.measure.design import design_of
    from fsdesk.measure.resamples import columns_of
    from fsdesk.wrappers.survival import Cox

    model = spec.build_wrapper()
    if not isinstance(model, Cox) or dataset.response is None:
        return []
    some = columns_of(dataset, np.flatnonzero(mask))
    design = design_of(some, "once")
    x = np.ascontiguousarray(design.filled(slice(None)))
    y, n = np.ascontiguousarray(dataset.response), x.shape[1]
    spread = x.std(axis=1, keepdims=True)
    x = (x - x.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    names = [_name(some, int(owner), design.owner, place) for place, owner in enumerate(design.owner)]
    rng = np.random.default_rng(0)
    own, drawn = _weights(model, x, y), list[Floats]()
    for _ in range(_DRAWS):
        if not goes_on():
            break
        rows = rng.integers(0, n, n)
        if (y[rows] >= 0).any():
            drawn.append(_weights(model, np.ascontiguousarray(x[:, rows]), y[rows]))
    low, high = np.quantile(np.array(drawn), [0.025, 0.975], axis=0) if drawn else (own, own)
    ratios = np.exp(np.clip(np.array([own, low, high]), -_FAR, _FAR)).T.tolist()
    return [HazardRatio(name, *each) for name, each in zip(names, ratios, strict=True)]


def _weights(model: object, x: Floats, y: Floats) -> Floats:
    """(q,) logarithms of the hazard ratios."""
    from fsdesk.wrappers.survival import Cox

    assert isinstance(model, Cox)
    every, ends = np.arange(len(x), dtype=np.int32), np.array([0, len(x)])
    probes = np.concatenate([np.zeros((len(x), 1)), np.eye(len(x))], axis=1)
    said = model.single_fits(x, np.ascontiguousarray(y), np.ascontiguousarray(probes), every, ends, 1, 1)[0]
    return np.asarray(said[1:] - said[0])


def _name(dataset: Dataset, feature: int, owners: NDArray[np.int64], place: int) -> str:
    levels = dataset.categories.get(feature)
    if not levels:
        return dataset.features[feature]
    first = int(np.searchsorted(owners, feature))
    code = place - first if len(levels) > 2 else len(levels) - 1
    return f"{dataset.features[feature]}: {levels[code]}"
