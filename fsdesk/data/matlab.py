"""MATLAB files of version 4 to 7: a matrix of values, and a vector of classes."""

import io
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Check, Table
from fsdesk.data.matlab_structure import plain_variables
from fsdesk.data.options import ReadOptions
from fsdesk.data.table import build_table
from fsdesk.data.wording import quoted
from fsdesk.errors import DataError

__all__ = ["is_hdf5", "is_matlab", "read_matlab"]

_HDF5 = b"\x89HDF\r\n\x1a\n"
_MOST_CELLS = 1 << 29  # 4 GB
_X_NAMES = ("x", "data", "fea", "features")
_Y_NAMES = ("y", "labels", "label", "target", "targets", "class", "classes", "gnd")
_FEATURE_NAMES = ("feature_names", "featurenames", "features", "names", "genes", "gene_names", "variables")


def is_matlab(content: bytes) -> bool:
    """Whether the first bytes are those of a MATLAB file of version 5 or later."""
    return content.startswith(b"MATLAB ")


def is_hdf5(content: bytes) -> bool:
    """Whether this is an HDF5 file, as MATLAB writes in version 7.3: after a block of text, or at once."""
    return content.startswith((_HDF5, b"MATLAB 7.3")) or content[512:520] == _HDF5


def read_matlab(content: bytes, name: str, options: ReadOptions) -> Table:
    """Read ``X`` (samples in rows) and ``Y``, or the one matrix and the one vector that fits it.

    A matrix that fits the vector only when transposed is transposed, with a check. ``Y`` becomes the last column and
    the default target. Raises DataError for version 7.3, damaged files and files where the matrix is not plain.
    """
    variables = _load(content, name)
    x_name, x = _matrix(variables, name)
    if options.orientation == "columns":
        x = x.T
    checks: list[Check] = []
    y_name, y = _vector(variables, x_name, x.shape)
    if y is not None and len(y) != len(x):
        if len(y) != x.shape[1]:
            raise DataError(
                f'In "{name}", "{x_name}" is {len(x)} x {x.shape[1]} and "{y_name}" has {len(y)} values; '
                "they must have one row a sample."
            )
        x = x.T
        sentence = f'"{x_name}" has one sample a column, as "{y_name}" shows; it was transposed.'
        checks.append(Check("orientation", sentence))
    names = _names(variables, x.shape[1], {x_name, y_name}) or [f"x{j + 1}" for j in range(x.shape[1])]
    values = np.empty((len(x), x.shape[1] + (y is not None)), order="F")
    values[:, : x.shape[1]] = x
    texts: dict[int, list[str]] = {}
    if y is not None:
        names.append(y_name)
        if y.dtype.kind in "OU":
            texts[len(names) - 1] = [_string(cell) for cell in y]
        else:
            values[:, -1] = y
    source = f'{name}, MATLAB, "{x_name}"' + (f' and "{y_name}"' if y is not None else "")
    return build_table(name, Columns(values, texts), names, source=source, checks=checks)


def _load(content: bytes, name: str) -> dict[str, NDArray[Any]]:
    if is_hdf5(content):
        raise DataError(
            f'"{name}" is a MATLAB 7.3 (HDF5) file, which cannot be read; in MATLAB, save it with save(..., "-v7") '
            "and open that."
        )
    from scipy.io import loadmat

    try:
        plain = None if 0 in content[:4] else plain_variables(content)  # a zero there means version 4
        variables = loadmat(cast(Any, io.BytesIO(content)), variable_names=plain)  # the stubs know paths only
    except Exception:
        raise DataError(f'"{name}" is not a MATLAB file or is damaged; save it again with save(..., "-v7").') from None
    found: dict[str, NDArray[Any]] = {}
    for key, value in variables.items():
        if hasattr(value, "indptr") and value.dtype.kind != "c":
            found[key] = _dense(value, key, name)
        elif isinstance(value, np.ndarray):
            found[key] = value
    return found


def _dense(sparse: Any, key: str, name: str) -> NDArray[Any]:
    """A sparse matrix filled up by numpy, which checks bounds; scipy crashes the process where the file is damaged."""
    rows, columns = map(int, sparse.shape)
    if rows * columns > _MOST_CELLS:
        raise DataError(
            f'"{key}" in "{name}" is {rows:,} x {columns:,}, too large for this program; save fewer columns.'
        )
    try:
        dense = np.zeros((rows, columns), order="F")
        place = np.repeat(np.arange(columns), np.diff(sparse.indptr))
        np.add.at(dense, (sparse.indices[: len(place)], place), sparse.data[: len(place)].astype(np.float64))
    except (IndexError, ValueError, TypeError):
        raise DataError(f'The sparse matrix "{key}" in "{name}" is damaged; save it again in MATLAB.') from None
    except MemoryError:
        raise DataError(f'"{key}" in "{name}" does not fit into memory; save fewer columns.') from None
    return dense


def _is_numeric(value: NDArray[Any]) -> bool:
    return value.ndim == 2 and value.dtype.kind in "fiub" and value.size > 0


def _matrix(variables: Mapping[str, NDArray[Any]], name: str) -> tuple[str, NDArray[Any]]:
    """The variable named X or the like, else the only numeric matrix."""
    numeric = {key: value for key, value in variables.items() if _is_numeric(value)}
    for wanted in _X_NAMES:
        for key, value in numeric.items():
            if key.lower() == wanted:
                return key, value
    matrices = [key for key, value in numeric.items() if min(value.shape) > 1]
    if len(matrices) != 1:
        there = f"there are {quoted(matrices)}" if matrices else f"it holds {quoted(sorted(variables)) or 'nothing'}"
        raise DataError(f'"{name}" has no matrix "X" ({there}); save the values as X and the classes as Y.')
    return matrices[0], numeric[matrices[0]]


def _vector(
    variables: Mapping[str, NDArray[Any]], x_name: str, shape: tuple[int, ...]
) -> tuple[str, NDArray[Any] | None]:
    """The variable named Y or the like, else the only vector as long as one side of the matrix."""
    vectors = {
        key: flat
        for key, value in variables.items()
        if key != x_name and (flat := _flat(value)) is not None and len(flat)
    }
    for wanted in _Y_NAMES:
        for key, value in vectors.items():
            if key.lower() == wanted:
                return key, value
    for side in shape:
        fitting = [key for key, value in vectors.items() if len(value) == side and key.lower() not in _FEATURE_NAMES]
        if len(fitting) == 1:
            return fitting[0], vectors[fitting[0]]
    return "", None


def _flat(value: NDArray[Any]) -> NDArray[Any] | None:
    """A row or column of numbers, or a list of strings, as one dimension."""
    if value.dtype.kind == "U":  # a matrix of letters, one word a row
        return value.ravel()
    if value.ndim != 2 or min(value.shape) != 1 or value.dtype.kind not in "fiubO":
        return None
    flat = value.ravel()
    if flat.dtype.kind == "O" and not all(np.asarray(cell).dtype.kind == "U" for cell in flat):
        return None
    return flat


def _string(cell: object) -> str:
    letters = np.asarray(cell).ravel()
    return str(letters[0]).strip() if letters.size else ""


def _names(variables: Mapping[str, NDArray[Any]], count: int, taken: set[str]) -> list[str] | None:
    for key, value in variables.items():
        flat = _flat(value)
        if key not in taken and key.lower() in _FEATURE_NAMES and flat is not None and flat.dtype.kind in "OU":
            names = [_string(cell) for cell in flat]
            if len(names) == count:
                return names
    return None
