"""Events to bytes and back: a JSON head, then the arrays as they are. No pickle: project files travel."""

import json
import zlib
from dataclasses import fields
from typing import Any

import numpy as np

from fsdesk.engine import Event
from fsdesk.engine.events import EVENTS, event_of
from fsdesk.errors import ProjectError

__all__ = ["decode", "encode", "pack", "unpack"]

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
    """Kind and bytes of an event."""
    return event.kind, pack({field.name: getattr(event, field.name) for field in fields(event)})


def decode(kind: str, data: bytes) -> Event:
    """Undo :func:`encode`."""
    if kind not in EVENTS:
        raise ProjectError(f'The project\'s log has an entry of the unknown kind "{kind}": update fsdesk to open it.')
    values = unpack(data)
    try:
        return event_of(kind, values)
    except TypeError as error:
        raise ProjectError("An entry of the project's log is of another version: update fsdesk to open it.") from error
