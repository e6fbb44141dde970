"""NumPy arrays (.npy, .npz): a matrix and a vector of classes by their usual names, or a record array.

numpy reads them, after the sizes in their headers are compared with the file. Object arrays are pickles, which execute
code when opened: they are never read.
"""

import io
import zipfile
from math import prod
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Table
from fsdesk.data.frame import table_of_frame
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import ZIP, Content
from fsdesk.data.readers.matrices import MOST_CELLS, Variable, is_target_name, table_of_matrices
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_MARK = b"\x93NUMPY"
_SUFFIX = ".npy"
_DATE = "M"


class _ObjectsError(Exception):
    """An array contains Python objects."""


def _is_numpy(content: Content) -> bool:
    return content.data.startswith(_MARK) or is_npz(content.members)


def is_npz(members: frozenset[str]) -> bool:
    """Whether the files in a zip file are NumPy arrays."""
    return bool(members) and all(member.lower().endswith(_SUFFIX) for member in members)


def _read(content: Content, options: ReadOptions) -> Table:
    """Read ``X`` (samples in rows) and ``y``, or the only matrix and the only vector that fits it; with names if any.

    ``options.part`` names the matrix if there are several. Raises DataError for a damaged file, one that is too large,
    and classes that are Python objects.
    """
    import pandas as pd

    name = content.name
    try:
        if content.data.startswith(ZIP):
            arrays = _arrays(content)
        else:
            arrays = {"X": _array(io.BytesIO(content.data), len(content.data))}
        records = next((each for each in arrays.values() if each.dtype.names is not None and each.ndim == 1), None)
        if records is not None and not any(each.ndim == 2 for each in arrays.values()):
            columns = {field: records[field] for field in records.dtype.names or ()}
            frame = pd.DataFrame({field: _series(each) for field, each in columns.items() if each.ndim == 1})
            return table_of_frame(frame, name, f"{name}, NumPy", options)
        variables = {key: made for key, array in arrays.items() if (made := _variable(array)) is not None}
    except _ObjectsError as error:
        raise DataError(
            '"{array}" in "{name}" contains Python objects, which are not loaded because they can run any program. '
            "Save it as numbers or text, for example with {array}.astype(str).",
            array=str(error) or "X",
            name=name,
        ) from None
    except DataError:
        raise
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except Exception:  # the header is text in Python's notation, whose parser fails in many ways
        raise DataError('"{name}" is not a NumPy array or is damaged; save it again.', name=name) from None
    return table_of_matrices(variables, name, "NumPy", options, options.part)


def _arrays(content: Content) -> dict[str, NDArray[Any]]:
    """All arrays of an .npz file except those of Python objects, which matter only if one contains the classes."""
    found: dict[str, NDArray[Any]] = {}
    with zipfile.ZipFile(io.BytesIO(content.data)) as packed:
        for member in packed.infolist():
            key = member.filename.removesuffix(_SUFFIX)
            try:
                with packed.open(member) as source:
                    found[key] = _array(source, member.file_size)
            except _ObjectsError:
                if is_target_name(key):
                    raise _ObjectsError(key) from None
    return found


def _array(source: IO[bytes], size: int) -> NDArray[Any]:
    """An array, once its header matches the available bytes; ValueError if it does not."""
    version = np.lib.format.read_magic(source)
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError("version")
    read_head = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, by_columns, dtype = read_head(source)
    if dtype.hasobject:
        raise _ObjectsError
    count = prod(shape)
    if min((*shape, 0)) < 0 or count > MOST_CELLS or count * dtype.itemsize > size or dtype.itemsize == 0:
        raise ValueError("larger than the file")
    data = source.read(count * dtype.itemsize)
    return np.frombuffer(data, dtype=dtype, count=count).reshape(shape, order="F" if by_columns else "C")


def _variable(array: NDArray[Any]) -> Variable | None:
    """A numeric, text or date array as a variable; None for any other."""
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8", "replace")
    if array.dtype.kind == _DATE:
        array = np.datetime_as_string(array)
    if array.dtype.kind == "U":
        words = np.array([str(word).strip() for word in array.ravel()], dtype=object)
        return Variable(words.reshape(-1, 1)) if array.ndim == 1 or 1 in array.shape else None
    if array.dtype.kind not in "biuf" or array.ndim not in (1, 2):
        return None
    return Variable(array.reshape(-1, 1) if array.ndim == 1 else array)


def _series(values: NDArray[Any]) -> "pd.Series[Any]":
    import pandas as pd

    made = _variable(values)
    return pd.Series([""] * len(values) if made is None else made.values.ravel())


READER = Reader(
    "NumPy",
    (".npy", ".npz"),
    _read,
    _is_numpy,
    ("part", "orientation", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
)
