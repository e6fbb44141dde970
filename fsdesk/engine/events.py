"""The events of a run: the only output of the run loop, and the source of truth in the project file.

Project files and bundles keep an event as its ``kind`` and the values of its fields by name, so these are part of the
file format: a class may be renamed, its ``kind`` may not; a field that is renamed needs its old name in ``event_of``.
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
    """A run begins: its spec (as plain data) and the names that its masks speak about."""

    kind: ClassVar[str] = "RunStarted"

    spec: dict[str, Any]
    features: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class BaselineMeasured:
    """Measurement number 0, all features: the line that the search has to beat.

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
        Number of the first measurement; the others follow on.
    masks
        (m, ceil(p / 8)) uint8: the masks, packed by :func:`pack_masks`.
    candidates
        m flags: may this mask become the answer?
    values
        (m, repeats) float64 losses; NaN where a repeat was not needed.
    iteration
        The method's own count of steps.
    weights
        (p,) uint8: w in 255ths, fine enough for every picture; None where the method has none.
    trace
        Scalars such as the gain a_k.
    seconds
        Time that the batch took, from the method's thoughts on: filters and models that order features count.
    folds
        The measurement whose folds all masks were measured on; -1 where each had fresh ones of its own.
    confirms
        Whether finalists were measured again.
    winner, cut
        As in :class:`fsdesk.methods.Proposal`: the candidate of a race that won, and whether it ended early.
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
    """One proposal on resampled rows: each subset trained once on some rows, and judged on others.

    Attributes
    ----------
    number
        Number of the first measurement; the others follow on. It settles the split.
    judge, folds
        As :class:`fsdesk.methods.Rows` has them: "split" or "held-out", and into how many parts the rows are divided.
    resamples
        (m,) int64 resample of each subset.
    losses
        (m,) float64 the criterion's loss.
    margins
        (m, 2) float64 mean and standard deviation of the margins; nothing for a split, where nobody asks for them.
    digest
        (16,) uint8 of the subsets, which a replay has to meet.
    subsets, offsets
        Numbers of the features of all subsets and (m + 1,) where each begins, int64; empty for a split, of which there
        are tens of thousands: a replay makes them again; and where an event before has them, for another model.
    labels, sizes
        The strategy that each subset stands for, and how many features it was asked for; or nothing.
    iteration, weights, trace, seconds
        As in :class:`BatchMeasured`.
    model
        Name of the model where several compete; else nothing.
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
        """What events have in common that judge the same subsets with other models."""
        return self.digest.tobytes(), self.labels[:1], self.resamples.tobytes()

    def margin(self, place: int) -> tuple[float, float]:
        """Mean and standard deviation of one subset's margins; not numbers where there are none."""
        if self.margins.ndim != 2:
            return math.nan, math.nan
        mean, deviation = self.margins[place].tolist()
        return mean, deviation


@dataclass(frozen=True)
class Steered:
    """The user changed something while the run was under way; it holds from here on, in every replay too.

    It comes behind the measurements before it and before the method gets these. As a change that no run has made
    yet its number is 0.

    Attributes
    ----------
    number
        Number of the first measurement after it.
    pin, ban, free
        Names of features that are always in from now on, never in, or left to the method again.
    measurements, iterations, minutes
        Added to what the run may take at the most.
    refused
        Why it was not done, or nothing.
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
        """What it says, in plain words."""
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
    """The run has come to rest: at the method's own end, or because the user stopped it (then it can be resumed).

    Attributes
    ----------
    reason
        Why, in plain words.
    stopped
        True when the user stopped it.
    weights
        (p,) float64 exact weights that belong to the best candidate; None where there are none.
    mask
        (ceil(p / 8),) uint8 the answer that the method chose, packed; None: the best candidate.
    mean, std_error
        Loss of that mask as the method knows it.
    model
        Name of the model that predicts with it where several compete; else nothing.
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
    """The run broke; everything logged before stands.

    Attributes
    ----------
    passing
        Whether the cause lay outside of what was asked, such as a worker that was killed: to resume may help.
    """

    kind: ClassVar[str] = "RunFailed"

    message: str
    passing: bool = False


Event = RunStarted | BaselineMeasured | BatchMeasured | SubsetsJudged | Steered | RunFinished | RunFailed

EVENTS: dict[str, type[Event]] = {
    event.kind: event
    for event in (RunStarted, BaselineMeasured, BatchMeasured, SubsetsJudged, Steered, RunFinished, RunFailed)
}
_TUPLES = {"features", "candidates", "labels", "pin", "ban", "free"}  # JSON makes lists of them


def event_of(kind: str, values: Mapping[str, Any]) -> Event:
    """Make an event from what a file keeps of it.

    Raises
    ------
    KeyError
        Where there is no event of this kind.
    TypeError
        Where the values are not those of its fields.
    """
    made = dict(values)
    for name in _TUPLES & made.keys():
        made[name] = tuple(made[name])
    if kind == RunFailed.kind:  # older versions kept no cause: to resume may help, and costs nothing where not
        made.setdefault("passing", True)
    if "winner" in (trace := made.get("trace") or {}):  # as older versions kept it
        others = {name: value for name, value in trace.items() if name not in ("winner", "cut")}
        made |= {"winner": int(trace["winner"]), "cut": "cut" in trace, "trace": others}
    return EVENTS[kind](**made)


def pack_masks(masks: list[Mask]) -> NDArray[np.uint8]:
    """Pack m masks of length p into (m, ceil(p / 8)) bytes; (0, 0) of none."""
    return np.packbits(np.asarray(masks, dtype=np.bool_), axis=1) if masks else np.empty((0, 0), dtype=np.uint8)


def unpack_masks(packed: NDArray[np.uint8], features: int) -> NDArray[np.bool_]:
    """Undo :func:`pack_masks`: (m, p) bool."""
    return np.unpackbits(packed, axis=1, count=features).view(np.bool_)
