"""The result in plain sentences: the held-out error, or what is missing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.app.session.run import Run
from fsdesk.app.translation import duration
from fsdesk.engine import RunState
from fsdesk.measure import Criterion, Measurement
from fsdesk.messages import localised, number, tr, translated
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.sample_size import words as size_words

if TYPE_CHECKING:
    from fsdesk.results.diagnosis import Diagnosis

Tone = Literal["", "doubt"]


@dataclass(frozen=True)
class Lead:
    """The headline: the words in bold, their role, and the remaining text."""

    found: str
    tone: Tone = ""
    basis: str = ""


def tone_of(honest: HonestError) -> Tone:
    """The role of an error: a warning if features may predict nothing, or all features do as well."""
    whole = honest.selected == honest.features
    no_gain = not whole and honest.difference_low is not None and honest.difference_low <= 0
    return "doubt" if no_gain or not honest.has_evidence else ""


def lead(run: Run, *, picked: bool) -> Lead:
    """The held-out error of a run's result; if there is none, what is missing, without stating any error.

    ``picked`` means that a subset other than the result is shown, about which outer folds say nothing.
    """
    honest = None if picked or run.active else run.honest
    if honest is None:
        return Lead(_missing(run, picked=picked))
    return Lead(honest.sentence(), tone_of(honest), " ".join((honest.basis_words(), *size_words(honest))))


def _missing(run: Run, *, picked: bool) -> str:
    if picked:
        return tr("No held-out error for this subset: it was picked by hand, so the outer folds do not apply to it.")
    if run.active:
        return tr("The search is still running. Its held-out error can be measured once it has finished.")
    going, outer = run.validation, run.honesty.outer
    if going is not None and run.brings_its_own:
        return tr("Computing the held-out error from the rows that the search held out.")
    if going is not None:
        return tr(
            "Measuring the held-out error: outer fold {fold} of {folds}.",
            fold=going.place + 1, folds=going.total,
        )  # fmt: skip
    if run.phase != "finished":
        return tr("No held-out error yet: this search is unfinished. Resume it first.")
    if outer:
        return tr(
            "No held-out error yet: {done} of {folds} outer folds are done.",
            done=len(outer), folds=outer[0].folds,
        )  # fmt: skip
    return tr("The held-out error has not been measured, so the performance on new rows is unknown.")


def measure_words(run: Run) -> str:
    """The text of the button that estimates the missing error: an outer fold takes about as long as the run."""
    if run.brings_its_own:
        return tr("Compute it from the rows held out by the search")
    takes = duration(max(1.0, run.state.seconds * run.folds_left))
    if run.honesty.outer:
        return tr("Measure the remaining folds (about {time})", time=takes)
    return tr("Measure it in {folds} outer folds (about {time})", folds=run.folds_left, time=takes)


def seen_loss(state: RunState, mask: NDArray[np.bool_]) -> float | None:
    """The search's measurement of a subset; None if not available."""
    if state.best is not None and np.array_equal(mask, state.best.mask):
        return state.best.mean
    return next((loss for other, loss, _ in state.confirmed.curve() if np.array_equal(other, mask)), None)


def answer(mask: NDArray[np.bool_], target: str) -> str:
    """How many features the result has, and for what target."""
    return tr(
        "{size} of {total} features were selected to predict {target}.",
        size=number(int(mask.sum())), total=number(len(mask)), target=target or tr("the target"),
    )  # fmt: skip


def seen_by_the_search(
    state: RunState,
    mask: NDArray[np.bool_],
    fresh: Measurement | None = None,
    diagnosis: "Diagnosis | None" = None,
    *,
    searched: bool = True,
) -> str:
    """A sentence with the error on the rows that chose the features; "" if nothing was measured.

    Parameters
    ----------
    fresh
        For the result, if ``diagnosis`` does not contain it.
    searched
        Whether the method chooses features at all.
    """
    criterion, everything = state.criterion, state.baseline
    if diagnosis is not None and diagnosis.chosen.refusal:
        return translated(diagnosis.chosen.refusal)
    seen = seen_loss(state, mask)
    several = searched and not mask.all()
    # If models compete, the search measured all features with another model than the result's.
    whole = everything if several and not state.race.models_compete else None
    values = [] if seen is None else [tr("{value} in the search", value=_beside(criterion, seen, whole))]
    if diagnosis is not None and len(diagnosis.chosen.losses):
        again = diagnosis.everything.measured.mean if several and len(diagnosis.everything.losses) else None
        value = _beside(criterion, diagnosis.chosen.measured.mean, again, own_model=state.race.models_compete)
        fresh_words = tr("{value} on new folds", value=value)
        values.append(fresh_words if diagnosis.fresh else tr("{value} when re-estimated", value=value))
    elif fresh is not None:
        values.append(tr("{value} on new folds", value=_said(criterion, fresh.mean)))
    if not values:
        return ""
    words = {"criterion": translated(criterion.title), "values": ", ".join(values)}
    if not searched:
        nothing = tr("No selection was made here, so these numbers have no selection bias.")
        return f"{tr('{criterion} of all features: {values}.', **words)} {nothing}"
    said = tr("On the rows used for selection, so not an estimate for new rows: {criterion} {values}.", **words)
    if mask.all():
        return said
    if diagnosis is not None and diagnosis.everything.refusal:
        return (
            f"{said} {tr('All features cannot be compared: {reason}', reason=translated(diagnosis.everything.refusal))}"
        )
    return said


def _beside(criterion: Criterion, loss: float, everything: float | None, *, own_model: bool = False) -> str:
    """A loss, and the loss of all features on the same folds if known; ``own_model``: among several models."""
    if everything is None:
        return _said(criterion, loss)
    values = {"value": _said(criterion, loss), "everything": _said(criterion, everything)}
    if own_model:
        return tr("{value} (all features with the same model {everything})", **values)
    return tr("{value} (all features {everything})", **values)


def _said(criterion: Criterion, loss: float) -> str:
    return localised(criterion.text(loss)) if np.isfinite(loss) else tr("not measured")
