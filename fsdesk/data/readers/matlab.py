"""MATLAB files of version 4 to 7: a matrix of values, and a vector of classes; later ones are HDF5.

Before scipy reads a file of version 5 to 7, its elements are checked here, because scipy's compiled reader crashes the
process on damaged ones. The layout follows MathWorks' "MAT-File Format": elements with an 8-byte tag (type, bytes) and
data, matrices nested.
"""

import io
import struct
import zlib
from collections.abc import Collection, Iterator
from math import prod
from typing import Any, cast

import numpy as np

from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.hdf5 import is_hdf5
from fsdesk.data.readers.matrices import MOST_CELLS, Variable, dense, is_matrix, is_target_name, table_of_matrices
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError


def _read(content: Content, options: ReadOptions) -> Table:
    """Read ``X`` (samples in rows) and ``Y``, or the only matrix and the only vector that fits it.

    A matrix that fits the vector only when transposed is transposed, with a check. ``Y`` becomes the last column and
    the default target. Raises DataError for damaged files and if the matrix is not plain.
    """
    return table_of_matrices(_load(content.data, content.name), content.name, "MATLAB", options, options.part)


def _load(content: bytes, name: str) -> dict[str, Variable]:
    from scipy.io import loadmat

    try:
        known = None if 0 in content[:4] else _variables(content)  # a zero there indicates version 4
        plain = None if known is None else [key for key, is_plain in known.items() if is_plain]
        variables = loadmat(cast(Any, io.BytesIO(content)), variable_names=plain)  # the stubs know paths only
    except Exception:
        raise DataError(
            '"{name}" is not a MATLAB file or is damaged; save it again with save(..., "-v7").', name=name
        ) from None
    structs = {key: value for key, value in variables.items() if getattr(value, "dtype", None) and value.dtype.names}
    found = {key: made for key, value in variables.items()
             if key not in structs and (made := _variable(value, key, name)) is not None}  # fmt: skip
    if not any(is_matrix(each.values.shape, each.values.dtype.kind) for each in found.values()):
        found |= _fields(structs, name)
        structs = {}
    rows = {size for each in found.values() if is_matrix(each.values.shape, each.values.dtype.kind)
            for size in each.values.shape}  # fmt: skip
    for key in [key for key in structs if is_target_name(key)]:
        target = _target_in(structs[key], key, rows, name)
        if target is not None:
            found[key] = target
            del structs[key]
    known = {} if known is None else known | dict.fromkeys(structs, False)
    for key, is_plain in known.items():
        if not is_plain and is_target_name(key):  # the last column of X would be used instead
            raise DataError(
                '"{key}" in "{name}" is a struct, table or object, which cannot be read. Save its column separately, '
                "such as Y = {key}.class, or as cellstr({key}) or double({key}).",
                key=key, name=name,
            )  # fmt: skip
    return found


def _variable(value: Any, key: str, name: str) -> Variable | None:
    if hasattr(value, "indptr") and value.dtype.kind != "c":
        shape = (int(value.shape[0]), int(value.shape[1]))
        return Variable(dense(shape, value.indptr, value.indices, value.data, key, name))
    return Variable(value) if isinstance(value, np.ndarray) else None


def _fields(structs: dict[str, Any], name: str, deep: int = 0) -> dict[str, Variable]:
    """The fields of scalar structs, including nested ones, by their own names if there is only one struct."""
    found: dict[str, Variable] = {}
    for key, value in structs.items():
        for field in value.dtype.names:
            title = field if len(structs) == 1 else f"{key}.{field}"
            inner = value[field].ravel()[0]
            if isinstance(inner, np.ndarray) and inner.dtype.names is not None and inner.size == 1 and deep < _DEEPEST:
                alone = sum(value[each].ravel()[0].dtype.names is not None for each in value.dtype.names) == 1
                parts = _fields({field: inner}, name, deep + 1)
                found |= parts if alone else {f"{title}.{part}": made for part, made in parts.items()}
                continue
            made = _variable(inner, title, name)
            if made is not None and made.values.dtype.names is None:
                found[title] = made
    return found


def _target_in(struct: Any, key: str, rows: Collection[int], name: str) -> Variable | None:
    """The field of a struct with a value for each row; codes are replaced by the names in another field."""
    fields = [each.values for each in _fields({key: struct}, name).values()]
    vectors = [each for each in fields if each.size in rows and each.size == max(each.shape, default=0)]
    if len(vectors) != 1:
        return None
    (vector,) = vectors
    words = [each for each in fields if each is not vector and each.dtype == object and each.size > 1]
    if len(words) != 1 or vector.dtype.kind not in "biuf":
        return Variable(vector)
    names, codes = words[0].ravel(), vector.ravel().astype(np.float64)
    low, high = codes.min(), codes.max()
    first = 1 if low >= 1 else 0
    if (codes != np.floor(codes)).any() or low < 0 or high - first >= len(names):
        return Variable(vector)
    return Variable(names[codes.astype(np.intp) - first][:, None])


_DEEPEST = 3  # nested structs
_HEADER = 128
_SIZES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8, 16: 1, 17: 2, 18: 4}  # bytes of a number
_MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _CHAR, _SPARSE, _NUMERIC = 1, 2, 4, 5, range(6, 16)
_LONGEST_NAME = 64  # of a field
_COMPLEX = 1 << 11

Element = tuple[int, bytes]


def _variables(content: bytes) -> dict[str, bool]:
    """Names of the variables, and whether each consists of numbers, letters, a sparse matrix, cells or a struct.

    Raises ValueError, struct.error or zlib.error if tags, sizes and dimensions are inconsistent.
    """
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    if order is None:
        raise ValueError("no byte order")
    names = {}
    for kind, data in _elements(content[_HEADER:], order):
        if kind == _COMPRESSED:
            unpacking = zlib.decompressobj()
            unpacked = unpacking.decompress(data, 8 * MOST_CELLS)
            if not unpacking.eof:
                raise ValueError("cut short, or larger than any table")
            kind, data = next(_elements(unpacked, order))
        if kind != _MATRIX:
            raise ValueError(f"element of type {kind}")
        name, plain = _matrix(data, order)
        if name:
            names[name] = plain
    return names


def _elements(data: bytes, order: str) -> Iterator[Element]:
    """Type and data of every element; numbers of up to 4 bytes may be stored inside the tag."""
    position = 0
    while position < len(data):
        kind, size = struct.unpack_from(f"{order}II", data, position)
        small = kind >> 16
        if small:
            kind, size, start, end = kind & 0xFFFF, small, position + 4, position + 8
        else:
            start = position + 8
            # Only compressed elements are not padded to 8 bytes.
            end = start + size if kind == _COMPRESSED else start + -(-size // 8) * 8
        if (small and size > 4) or start + size > len(data):
            raise ValueError("element beyond the end")
        if kind in _SIZES and size % _SIZES[kind]:
            raise ValueError("part of a number")
        yield kind, data[start : start + size]
        position = end


def _matrix(data: bytes, order: str) -> tuple[str, bool]:
    """Name of a matrix, and whether it is of a plain kind; its parts are checked."""
    parts = _elements(data, order)
    flags = struct.unpack(f"{order}II", _part(parts, 6))[0]
    shape = _part(parts, 5)
    dimensions = struct.unpack(f"{order}{len(shape) // 4}i", shape)
    if len(dimensions) < 2 or min(dimensions) < 0:
        raise ValueError("dimensions")
    name = _part(parts, 1).decode("ascii")
    kind, count = flags & 0xFF, prod(dimensions)
    halves = range(2 if flags & _COMPLEX else 1)  # real and imaginary
    if kind in _NUMERIC:
        for _ in halves:
            _numbers(parts, count)
    elif kind == _CHAR:
        _numbers(parts, None)
    elif kind == _SPARSE:
        rows, starts = _numbers(parts, None), _numbers(parts, dimensions[1] + 1)
        if starts < 1 or any(_numbers(parts, None) > rows for _ in halves):
            raise ValueError("sparse matrix")
    elif kind == _CELL:
        cells = list(parts)
        inner = [_matrix(cell, order) if cell else ("", True) for _, cell in cells]
        if len(inner) != count or any(part != _MATRIX for part, _ in cells):
            raise ValueError("cells")
        return name, all(plain for _, plain in inner)
    elif kind == _STRUCT and count == 1:
        return name, _struct(parts, order)
    else:
        return name, False
    return name, True


def _struct(parts: Iterator[Element], order: str) -> bool:
    """Whether all fields of a scalar struct are of plain kinds; their parts are checked."""
    length = struct.unpack(f"{order}i", _part(parts, 5))[0]
    names = _part(parts, 1)
    if not 0 < length <= _LONGEST_NAME or len(names) % length:
        raise ValueError("names of fields")
    fields = list(parts)
    if len(fields) != len(names) // length or any(part != _MATRIX for part, _ in fields):
        raise ValueError("fields")
    return bool(fields) and all(_matrix(data, order)[1] if data else True for _, data in fields)


def _part(parts: Iterator[Element], wanted: int) -> bytes:
    kind, data = _next(parts)
    if kind != wanted:
        raise ValueError(f"type {kind} where {wanted} belongs")
    return data


def _numbers(parts: Iterator[Element], count: int | None) -> int:
    """The count of numbers in the next element; ValueError if it is not ``count``."""
    kind, data = _next(parts)
    if kind not in _SIZES:
        raise ValueError("no numbers")
    found = len(data) // _SIZES[kind]
    if count is not None and found != count:
        raise ValueError("fewer or more numbers than the dimensions say")
    return found


def _next(parts: Iterator[Element]) -> Element:
    part = next(parts, None)
    if part is None:
        raise ValueError("a part is missing")
    return part


READER = Reader(
    "MATLAB",
    (".mat",),
    _read,
    lambda content: content.data.startswith(b"MATLAB ") and not is_hdf5(content),
    ("part", "orientation", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
)
