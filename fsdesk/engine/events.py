"""The events of a run: the only output of the run loop, and the source of truth in the project file.

Project files and bundles store an event as its ``kind`` and the values of its fields by name, so these are part of the
file format: a class may be renamed, its ``kind`` may not; a renamed field needs its old name in ``event_of``.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import joined, mark_many, message, message_many
from fsdesk.methods import Mask

_NAMED = 3


@dataclass(frozen=True, eq=False)
class RunStarted:
    """A run begins: its spec (as plain data) and the feature names of its masks."""

    kind: ClassVar[str] = "RunStarted"

    spec: dict[str, Any]
    features: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class BaselineMeasured:
    """Measurement number 0, all features: the baseline.

    Attributes
    ----------
    values
        (repeats,) float64 losses.
    """

    kind: ClassVar[str] = "BaselineMeasured"

    values: NDArray[np.float64]
    seconds: float


@dataclass(frozen=True, eq=False)
class BatchMeasured:
    """One proposal of the method, measured.

    Attributes
    ----------
    number
        Number of the first measurement; the others follow consecutively.
    masks
        (m, ceil(p / 8)) uint8: the masks, packed by :func:`pack_masks`.
    candidates
        m flags: whether the mask may become the result.
    values
        (m, repeats) float64 losses; NaN if a repeat was not needed.
    iteration
        The method's own count of steps.
    weights
        (p,) uint8: w in units of 1/255, fine enough for every figure; None if the method has no weights.
    trace
        Scalars such as the gain a_k.
    seconds
        Time for the batch, including the method's own computing, filters and models that rank features.
    folds
        The measurement whose folds all masks used; -1 if each had its own new folds.
    confirms
        Whether finalists were remeasured.
    winner, cut
        As in :class:`fsdesk.methods.Proposal`: the winning candidate of a race, and whether it ended early.
    """

    kind: ClassVar[str] = "BatchMeasured"

    number: int
    masks: NDArray[np.uint8]
    candidates: tuple[bool, ...]
    values: NDArray[np.float64]
    iteration: int
    weights: NDArray[np.uint8] | None
    trace: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    folds: int = -1
    confirms: bool = False
    winner: int = -1
    cut: bool = False


@dataclass(frozen=True, eq=False)
class SubsetsJudged:
    """One proposal on resampled rows: each subset trained once on some rows, and scored on others.

    Attributes
    ----------
    number
        Number of the first measurement; the others follow consecutively. It determines the split.
    judge, folds
        As in :class:`fsdesk.methods.Rows`: "split" or "held-out", and the number of parts of the rows.
    resamples
        (m,) int64 resample of each subset.
    losses
        (m,) float64 the criterion's loss.
    margins
        (m, 2) float64 mean and standard deviation of the margins; empty for a split, which does not use them.
    digest
        (16,) uint8 checksum of the subsets, verified on replay.
    subsets, offsets
        Feature indices of all subsets and their (m + 1,) offsets, int64; empty for a split, which has tens of thousands
        that are regenerated on replay; and if a previous event has them, for another model.
    labels, sizes
        The strategy of each subset, and the number of features requested from it; or empty.
    iteration, weights, trace, seconds
        As in :class:`BatchMeasured`.
    model
        Name of the model if several compete; else "".
    """

    kind: ClassVar[str] = "SubsetsJudged"

    number: int
    judge: str
    folds: int
    resamples: NDArray[np.int64]
    losses: NDArray[np.float64]
    margins: NDArray[np.float64]
    digest: NDArray[np.uint8]
    subsets: NDArray[np.int64]
    offsets: NDArray[np.int64]
    labels: tuple[str, ...]
    sizes: NDArray[np.int64]
    iteration: int
    weights: NDArray[np.uint8] | None = None
    trace: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    model: str = ""

    @property
    def key(self) -> tuple[bytes, tuple[str, ...], bytes]:
        """Identical for events that score the same subsets with different models."""
        return self.digest.tobytes(), self.labels[:1], self.resamples.tobytes()

    def margin(self, place: int) -> tuple[float, float]:
        """Mean and standard deviation of one subset's margins; NaN if there are none."""
        if self.margins.ndim != 2:
            return math.nan, math.nan
        mean, deviation = self.margins[place].tolist()
        return mean, deviation


@dataclass(frozen=True)
class Steered:
    """A change made by the user during the run; it applies from here on, and also in every replay.

    The event follows the measurements made before the change and precedes their delivery to the method. Until a run has
    applied the change, the number is 0.

    Attributes
    ----------
    number
        Number of the first measurement after it.
    pin, ban, free
        Names of features that are always selected from now on, never selected, or left to the method again.
    measurements, iterations, minutes
        Added to the limits of the run.
    refused
        Why it was not applied, or "".
    """

    kind: ClassVar[str] = "Steered"

    number: int = 0
    pin: tuple[str, ...] = ()
    ban: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    measurements: int = 0
    iterations: int = 0
    minutes: float = 0.0
    refused: str = ""

    @property
    def sentence(self) -> str:
        """A description of the change, in plain words."""
        said = [
            *([message("{names} always in", names=_listed(self.pin))] if self.pin else []),
            *([message("{names} never in", names=_listed(self.ban))] if self.ban else []),
            *([message("{names} free again", names=_listed(self.free))] if self.free else []),
        ]
        counts = (
            (self.iterations, mark_many("{count} more iteration", "{count} more iterations")),
            (self.measurements, mark_many("{count} more measurement", "{count} more measurements")),
            (self.minutes, mark_many("{count} more minute", "{count} more minutes")),
        )
        added = [message_many(count, *forms) for count, forms in counts if count]
        if added:
            said.append(
                reduce(lambda first, second: message("{first} and {second}", first=first, second=second), added)
            )
        text = joined("; ", said)
        return message("not done, {refused}: {text}", refused=self.refused, text=text) if self.refused else text


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_NAMED])
    return (
        shown if len(names) <= _NAMED else message("{names} and {count:,} more", names=shown, count=len(names) - _NAMED)
    )


@dataclass(frozen=True, eq=False)
class RunFinished:
    """The run has stopped: at the method's own end, or by the user (then it can be resumed).

    Attributes
    ----------
    reason
        The reason, in plain words.
    stopped
        True if stopped by the user.
    weights
        (p,) float64 exact weights of the best candidate; None if there are none.
    mask
        (ceil(p / 8),) uint8 the result chosen by the method, packed; None: the best candidate.
    mean, std_error
        The method's estimate of its loss.
    model
        Name of the model used with it if several compete; else "".
    """

    kind: ClassVar[str] = "RunFinished"

    reason: str
    stopped: bool
    weights: NDArray[np.float64] | None
    mask: NDArray[np.uint8] | None = None
    mean: float = 0.0
    std_error: float = 0.0
    model: str = ""


@dataclass(frozen=True, eq=False)
class RunFailed:
    """The run failed; everything logged before remains valid.

    Attributes
    ----------
    passing
        Whether the cause was external, such as a killed worker: resuming may help.
    """

    kind: ClassVar[str] = "RunFailed"

    message: str
    passing: bool = False


Event = RunStarted | BaselineMeasured | BatchMeasured | SubsetsJudged | Steered | RunFinished | RunFailed

EVENTS: dict[str, type[Event]] = {
    event.kind: event
    for event in (RunStarted, BaselineMeasured, BatchMeasured, SubsetsJudged, Steered, RunFinished, RunFailed)
}
_TUPLES = {"features", "candidates", "labels", "pin", "ban", "free"}  # JSON converts these to lists


def event_of(kind: str, values: Mapping[str, Any]) -> Event:
    """Create an event from its stored form.

    Raises
    ------
    KeyError
        If there is no event of this kind.
    TypeError
        If the values do not match its fields.
    """
    made = dict(values)
    for name in _TUPLES & made.keys():
        made[name] = tuple(made[name])
    if kind == RunFailed.kind:  # older versions stored no cause: resuming may help, and does no harm
        made.setdefault("passing", True)
    if "winner" in (trace := made.get("trace") or {}):  # as stored by older versions
        others = {name: value for name, value in trace.items() if name not in ("winner", "cut")}
        made |= {"winner": int(trace["winner"]), "cut": "cut" in trace, "trace": others}
    return EVENTS[kind](**made)


def pack_masks(masks: list[Mask]) -> NDArray[np.uint8]:
    """Pack m masks of length p into (m, ceil(p / 8)) bytes; (0, 0) if there are none."""
    return np.packbits(np.asarray(masks, dtype=np.bool_), axis=1) if masks else np.empty((0, 0), dtype=np.uint8)


def unpack_masks(packed: NDArray[np.uint8], features: int) -> NDArray[np.bool_]:
    """Undo :func:`pack_masks`: (m, p) bool."""
    return np.unpackbits(packed, axis=1, count=features).view(np.bool_)
