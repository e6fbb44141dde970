"""Parts of an untrusted HDF5 file: only content of the file itself, up to the maximum size of a table."""

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.readers.annotated import Described
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import MOST_CELLS
from fsdesk.errors import DataError
from fsdesk.messages import message

MARK = b"\x89HDF\r\n\x1a\n"
_HEAP = b"GCOL\x01\0\0\0"  # of texts; followed by 8 bytes of size and the objects
_OBJECT = struct.Struct("<HHIQ")  # number, references, nothing, bytes
_MOST_NAMES = 1 << 24


@contextmanager
def open_hdf5(content: Content, kind: str, *, from_matlab: bool = False) -> Iterator[Any]:
    """The file, opened by h5py; any failure inside the block is reported as a DataError for a damaged file."""
    import h5py

    name = content.name
    try:
        if has_endless_heap(content.data):
            raise OSError("heap")
        with h5py.File(io.BytesIO(content.data), "r") as file:
            yield file
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except (OSError, RuntimeError, LookupError, ValueError, TypeError, AttributeError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        advice = (
            message('save it again, with save(..., "-v7") if it is small') if from_matlab else message("save it again")
        )
        raise DataError(
            '"{name}" is a damaged {kind} file{value}; {advice}.',
            name=name,
            kind=kind,
            value="" if not from_matlab else " (HDF5)",
            advice=advice,
        ) from None


def has_endless_heap(content: bytes) -> bool:
    """Whether a heap has free space of zero bytes, as damage may cause: HDF5 would loop forever."""
    start = content.find(_HEAP)
    while start >= 0:
        place, end = start + 16, start + int.from_bytes(content[start + 8 : start + 16], "little")
        while place + _OBJECT.size <= min(end, len(content)):
            number, _, _, size = _OBJECT.unpack_from(content, place)
            if number == 0:
                if size == 0:
                    return True
                break
            place += _OBJECT.size + -(-size // 8) * 8
        start = content.find(_HEAP, start + 1)
    return False


def is_elsewhere(group: Any, key: str) -> bool:
    """Whether a part lies in another file: opening a table must not open other files."""
    if hasattr(group.get(key, getlink=True), "filename"):
        return True
    node = group.get(key)
    return bool(getattr(node, "external", None) or getattr(node, "is_virtual", False))


def part(group: Any, path: str) -> Any:
    """A group or dataset by its path below a group; None if it is missing or lies in another file."""
    node = group
    for key in path.split("/"):
        if not is_group(node) or key not in node or is_elsewhere(node, key):
            return None
        node = node[key]
    return node


def is_group(node: Any) -> bool:
    """Whether a part is a group; datasets have a value type."""
    return node is not None and not hasattr(node, "dtype")


def is_dataset(node: Any, dimensions: int) -> bool:
    """Whether a part is a dataset with this many dimensions, within the maximum size of a table."""
    shape = getattr(node, "shape", None)
    if shape is None or not hasattr(node, "dtype") or len(shape) != dimensions:
        return False
    return bool(prod(shape) <= (MOST_CELLS if dimensions > 1 else _MOST_NAMES))


def texts(node: Any) -> list[str]:
    """Texts of a one-dimensional dataset, numbers as texts; ValueError otherwise."""
    if not is_dataset(node, 1):
        raise ValueError("no texts")
    values = _decoded(node)
    if values.dtype.kind == "f":
        return ["" if np.isnan(value) else f"{value:.15g}" for value in values]
    return [str(value).strip() for value in values]


def described(node: Any) -> Described | None:
    """A one-dimensional dataset as an attribute of samples; None if it is neither numbers nor texts."""
    if not is_dataset(node, 1):
        return None
    values = _decoded(node)
    if values.dtype.kind in "biuf":
        return Described(values.astype(np.float64))
    return Described(texts=[str(value).strip() for value in values]) if values.dtype.kind in "OU" else None


def coded(codes: NDArray[Any], categories: Any) -> Described:
    """Categories by their codes, -1 if there is none; ValueError for invalid codes."""
    names = texts(categories)
    numbers = codes.astype(np.int64)
    if len(numbers) and numbers.max() >= len(names):
        raise ValueError("code beyond the categories")
    return Described(texts=["" if code < 0 else names[code] for code in numbers.tolist()], levels=tuple(names))


def text(value: Any) -> str:
    """An attribute as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _decoded(node: Any) -> NDArray[Any]:
    import h5py

    if h5py.check_string_dtype(node.dtype) is not None:
        return np.array(node.asstr(errors="replace")[()], dtype=object)
    values: NDArray[Any] = node[()]
    return values
