"""What was found, in sentences that a biologist reads."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fsdesk.app.look.criterion_words import compared
from fsdesk.app.look.sentences import retold
from fsdesk.app.look.translation import declared, localised, number, tr, within
from fsdesk.engine import RunState
from fsdesk.measure import Criterion, Measurement

if TYPE_CHECKING:
    from fsdesk.results.diagnosis import Diagnosis

__all__ = ["seen_loss", "summary", "warning"]


def seen_loss(state: RunState, mask: NDArray[np.bool_]) -> float | None:
    """What the search measured for a subset; None where that is not at hand."""
    if state.best is not None and np.array_equal(mask, state.best.mask):
        return state.best.mean
    return next((loss for other, loss, _ in state.confirmed.curve() if np.array_equal(other, mask)), None)


def summary(state: RunState, mask: NDArray[np.bool_], diagnosis: "Diagnosis | None", target: str) -> tuple[str, str]:
    """Two sentences: what predicts how well, and how that is beside all features."""
    return _found(state, mask, diagnosis, target), _beside(state, mask, diagnosis)


def _found(state: RunState, mask: NDArray[np.bool_], diagnosis: "Diagnosis | None", target: str) -> str:
    criterion = state.criterion
    head = tr(
        "{size} of {total} features predict {target}",
        size=number(int(mask.sum())),
        total=number(len(mask)),
        target=target or tr("the target"),
    )
    seen = seen_loss(state, mask)
    parts = [] if seen is None else [tr("{value} in the search", value=_said(criterion, seen))]
    if diagnosis is not None and len(diagnosis.chosen.losses):
        value = _measured(criterion, diagnosis.chosen.measured)
        fresh = tr("{value} on fresh folds", value=value)
        parts.append(fresh if diagnosis.fresh else tr("{value} when measured again", value=value))
    return tr("{head} with {values}.", head=head, values=tr(" and ").join(parts)) if parts else f"{head}."


def _beside(state: RunState, mask: NDArray[np.bool_], diagnosis: "Diagnosis | None") -> str:
    criterion = state.criterion
    if diagnosis is not None and diagnosis.chosen.refusal:
        return retold(diagnosis.chosen.refusal)
    if diagnosis is not None and diagnosis.everything.refusal:
        return tr("All features cannot be compared: {reason}", reason=retold(diagnosis.everything.refusal))
    if mask.all():
        return tr("These are all features: the search left none out.")
    if diagnosis is None or diagnosis.difference is None:
        if state.baseline is None:
            return ""
        return tr("All {total} features: {value}.", total=number(len(mask)), value=_said(criterion, state.baseline))
    return _paired(criterion, diagnosis, len(mask))


def _paired(criterion: Criterion, diagnosis: "Diagnosis", total: int) -> str:
    everything, difference = diagnosis.everything.measured, diagnosis.difference
    assert difference is not None
    words = compared(criterion, diagnosis.chosen.measured.mean, everything.mean)
    value = _measured(criterion, everything)
    if len(difference.values) < 2:
        said = {"total": number(total), "value": value, "words": words}
        return tr("All {total} features: {value}, so the selection is {words}.", **said)
    spread = localised(criterion.deviation(difference.std_error))
    if abs(difference.mean) <= 2 * difference.std_error:
        return tr(
            "All {total} features: {value} on the same folds; the difference is within two standard errors "
            "(2 × {spread}), so the selection is as good with fewer features.",
            total=number(total), value=value, spread=spread,
        )  # fmt: skip
    return tr(
        "All {total} features: {value} on the same folds, so the selection is {words} (standard error {spread}).",
        total=number(total), value=value, words=words, spread=spread,
    )  # fmt: skip


def warning(honest: Measurement | None, criterion: Criterion, *, searched: bool = True) -> str:
    """Why these numbers are too good, and what is better; they are not where nothing was ``searched``."""
    if honest is not None:
        return tr(
            "Honest value: {value}, from rows that the search never saw. Report this one; the others come from rows "
            "that guided the search.",
            value=_measured(criterion, honest),
        )
    if not searched:
        return tr("Nothing was selected here, so no search has made these numbers too good.")
    return tr(
        "Too good to publish alone: the rows that were predicted here also guided the search, so new samples will be "
        "predicted less well. An outer validation says how much."
    )


def _said(criterion: Criterion, loss: float) -> str:
    """A value with its name: "2.5 % error", "an AUC of 0.97"."""
    if criterion.unit == "%":
        return tr("{value} {name}", value=localised(criterion.text(loss)), name=within(criterion.title))
    return tr("{name} {value}", name=declared(criterion.title), value=localised(criterion.text(loss)))


def _measured(criterion: Criterion, measured: Measurement) -> str:
    text = localised(criterion.text(measured.mean))
    if len(measured.values) < 2:
        return text
    return tr("{value} (± {spread})", value=text, spread=localised(criterion.deviation(measured.std_error)))
