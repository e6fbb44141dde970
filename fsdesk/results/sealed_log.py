"""The log of a run as lines of JSON that any program can read, and back to the very same events."""

import base64
import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np

from fsdesk.engine import BaselineMeasured, BatchMeasured, Event, RunFailed, RunFinished, RunStarted, Steered
from fsdesk.errors import ProjectError

__all__ = ["log_lines", "read_log"]

_KINDS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (RunStarted, BaselineMeasured, BatchMeasured, Steered, RunFinished, RunFailed)
}
_TUPLES = ("features", "candidates", "pin", "ban", "free")
_DTYPES = ("<f8", "|u1", "|b1", "<i8")


def log_lines(events: Iterable[Event]) -> str:
    """One line for each event: its kind and its fields; arrays with their type, shape and bytes in base64."""
    return "".join(json.dumps(_fields(event)) + "\n" for event in events)


def _fields(event: Event) -> dict[str, Any]:
    return {"kind": type(event).__name__, **{each.name: _out(getattr(event, each.name)) for each in fields(event)}}


def _out(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
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
            kind = _KINDS[values.pop("kind")]
            made: dict[str, Any] = {name: _in(value) for name, value in values.items()}
            made.update({name: tuple(made[name]) for name in _TUPLES if name in made})
            events.append(kind(**made))
        except (ValueError, KeyError, TypeError) as error:
            raise ProjectError(f"Line {number} of the log of this bundle is no event: it is damaged.") from error
    return events


def _in(value: Any) -> Any:
    if not (isinstance(value, dict) and set(value) == {"dtype", "shape", "base64"}):
        return value
    if value["dtype"] not in _DTYPES:
        raise ValueError(value["dtype"])
    return np.frombuffer(base64.b64decode(value["base64"]), value["dtype"]).reshape(value["shape"]).copy()
