"""Events to bytes and back: a JSON head, then the arrays as they are. No pickle: project files travel."""

import json
import zlib
from dataclasses import fields
from typing import Any

import numpy as np

from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFailed,
    RunFinished,
    RunStarted,
    Steered,
    SubsetsJudged,
)
from fsdesk.errors import ProjectError

__all__ = ["decode", "encode", "pack", "unpack"]

_KINDS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (RunStarted, BaselineMeasured, BatchMeasured, SubsetsJudged, Steered, RunFinished, RunFailed)
}
_DTYPES = {"<f8", "|u1", "|b1", "<i8"}


def pack(values: dict[str, Any]) -> bytes:
    """Pack plain values and arrays: length of the head (4 bytes), the head, the arrays; compressed."""
    arrays: list[bytes] = []
    plain: dict[str, Any] = {}
    shapes: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
            shapes[name] = [little.dtype.str, little.shape]
            arrays.append(little.tobytes())
        else:
            plain[name] = value
    head = json.dumps({"plain": plain, "arrays": shapes}, allow_nan=True).encode()
    return zlib.compress(len(head).to_bytes(4, "little") + head + b"".join(arrays), level=1)


def unpack(data: bytes) -> dict[str, Any]:
    """Undo :func:`pack`; arrays are fresh and writable."""
    try:
        raw = zlib.decompress(data)
        start = 4 + int.from_bytes(raw[:4], "little")
        head = json.loads(raw[4:start])
        values = dict(head["plain"])
        for name, (dtype, shape) in head["arrays"].items():
            if dtype not in _DTYPES:
                raise ValueError(dtype)
            size = int(np.prod(shape)) * np.dtype(dtype).itemsize
            values[name] = np.frombuffer(raw[start : start + size], dtype=dtype).reshape(shape).copy()
            start += size
    except (ValueError, KeyError, zlib.error) as error:
        raise ProjectError("An entry of the project's log is damaged and cannot be read.") from error
    return values


def encode(event: Event) -> tuple[str, bytes]:
    """Name and bytes of an event."""
    return type(event).__name__, pack({field.name: getattr(event, field.name) for field in fields(event)})


def decode(kind: str, data: bytes) -> Event:
    """Undo :func:`encode`."""
    if kind not in _KINDS:
        raise ProjectError(f'The project\'s log has an entry of the unknown kind "{kind}": update fsdesk to open it.')
    values = unpack(data)
    for name in ("features", "candidates", "labels", "pin", "ban", "free"):
        if name in values:
            values[name] = tuple(values[name])
    if kind == RunFailed.__name__:  # older versions kept no cause: to resume may help, and costs nothing where not
        values.setdefault("passing", True)
    try:
        return _KINDS[kind](**values)
    except TypeError as error:
        raise ProjectError("An entry of the project's log is of another version: update fsdesk to open it.") from error
