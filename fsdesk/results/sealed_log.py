"""The log of a run as lines of JSON that any program can read, and back to the very same events."""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from fsdesk.engine import BaselineMeasured, BatchMeasured, Event, RunFailed, RunSpec, RunStarted, Steered, SubsetsJudged
from fsdesk.engine.events import event_of
from fsdesk.errors import ProjectError

__all__ = ["array_in", "array_out", "log_lines", "read_log", "settled", "times_count"]

_DTYPES = ("<f8", "|u1", "|b1", "<i8")


def settled(events: Sequence[Event]) -> list[Event]:
    """A log as it is sealed: only what somebody can check.

    Without the seconds that measurements took, but where a limit of time makes the end depend on them; without failures
    that were got over; the spec with all settings that it has by now.
    """
    kept = [event for place, event in enumerate(events) if not isinstance(event, RunFailed) or place == len(events) - 1]
    timed = times_count(events)
    return [_settled(event, timed) for event in kept]


def times_count(events: Iterable[Event]) -> bool:
    """Whether the seconds that measurements took say when a search ends."""
    return any(
        _spec(event).build_method().max_minutes > 0 if isinstance(event, RunStarted) else event.minutes > 0
        for event in events
        if isinstance(event, RunStarted | Steered)
    )


def _settled(event: Event, timed: bool) -> Event:
    if isinstance(event, RunStarted):
        return replace(event, spec=_spec(event).model_dump())
    if isinstance(event, BaselineMeasured | BatchMeasured | SubsetsJudged) and not timed:
        return replace(event, seconds=0.0)
    return event


def _spec(event: RunStarted) -> RunSpec:
    return RunSpec.model_validate(event.spec)


def log_lines(events: Iterable[Event]) -> str:
    """One line for each event: its kind and its fields; arrays with their type, shape and bytes in base64."""
    return "".join(json.dumps(_fields(event)) + "\n" for event in events)


def _fields(event: Event) -> dict[str, Any]:
    return {"kind": event.kind, **{each.name: array_out(getattr(event, each.name)) for each in fields(event)}}


def array_out(value: Any, *, plain: bool = False) -> Any:
    """An array with type, shape and bytes in base64, or ``plain`` with type and values; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
    if plain:
        return {"dtype": little.dtype.str, "values": little.tolist()}
    return {
        "dtype": little.dtype.str,
        "shape": list(little.shape),
        "base64": base64.b64encode(little.tobytes()).decode("ascii"),
    }


def read_log(text: str) -> list[Event]:
    """Undo :func:`log_lines`; raise ProjectError where a line is not an event."""
    events: list[Event] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            values = json.loads(line)
            kind = values.pop("kind")
            events.append(event_of(kind, {name: array_in(value) for name, value in values.items()}))
        except (ValueError, KeyError, TypeError) as error:
            raise ProjectError(
                "Line {number} of the log of this bundle is no event: it is damaged.", number=number
            ) from error
    return events


def array_in(value: Any) -> Any:
    """Undo :func:`array_out`; raise ValueError where it is an array of another type."""
    if not isinstance(value, dict) or set(value) not in ({"dtype", "shape", "base64"}, {"dtype", "values"}):
        return value
    if value["dtype"] not in _DTYPES:
        raise ValueError(value["dtype"])
    if "values" in value:
        return np.array(value["values"], dtype=value["dtype"])
    return np.frombuffer(base64.b64decode(value["base64"]), value["dtype"]).reshape(value["shape"]).copy()
