"""HDF5 and MATLAB 7.3: a matrix of values and a vector of classes in one group, through h5py.

h5py reads the arrays; choosing values and classes among them is our own code.
"""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.hdf5_parts import MARK, is_elsewhere, open_hdf5
from fsdesk.data.readers.matrices import (
    MOST_CELLS,
    Variable,
    choose_group,
    dense,
    is_matrix,
    is_target_name,
    paths_of,
    table_of_matrices,
)
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError

_NUMERIC = frozenset(
    ("double", "single", "logical", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
)
_DEEPEST = 8


def is_hdf5(content: Content) -> bool:
    """Whether this is an HDF5 file, with or without the text block of MATLAB 7.3 at the start."""
    return content.data.startswith((MARK, b"MATLAB 7.3")) or content.data[512:520] == MARK


def _read(content: Content, options: ReadOptions) -> Table:
    """Read ``X`` (samples in rows) and ``Y``, or the only matrix and the only vector that fits it, of one group.

    ``options.part`` names the group or the matrix if there are several. MATLAB's transposed storage is undone. Raises
    DataError for damaged files, for the layouts of pandas and AnnData, and if the matrix is not plain.
    """
    import h5py

    name = content.name
    from_matlab = name.lower().endswith(".mat") or content.data.startswith(b"MATLAB")
    kind = "MATLAB 7.3" if from_matlab else "HDF5"
    with open_hdf5(content, kind, from_matlab=from_matlab) as file:
        _refuse_foreign(file, name)
        groups = dict(_groups(file, "", 0))
        matrices = {path: [key for key in group if _is_matrix(group[key])] for path, group in groups.items()}
        path, wanted = choose_group(matrices, options.part, name)
        variables = _variables(groups[path], h5py, wanted, name)
    title = f'{kind}, group "{path}"' if path else kind
    return table_of_matrices(variables, name, title, options, wanted, paths_of(matrices), path)


def _refuse_foreign(file: Any, name: str) -> None:
    """Reject layouts whose parts would be misinterpreted."""
    groups = [file[key] for key in file if not is_elsewhere(file, key)]
    if any("pandas_type" in group.attrs for group in groups):
        raise DataError(
            '"{name}" is a pandas HDF store, which cannot be read. Save the table with to_parquet.', name=name
        )


def _groups(group: Any, path: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every group by its path, with its datasets and sparse matrices by name."""
    keys = [key for key in group if not key.startswith("#") and not is_elsewhere(group, key)]
    inner = {key: group[key] for key in keys if group.get(key) is not None}
    yield path, {key: node for key, node in inner.items() if hasattr(node, "dtype") or _is_sparse(node)}
    if depth < _DEEPEST:
        for key, node in inner.items():
            if not hasattr(node, "dtype") and not _is_sparse(node):
                yield from _groups(node, f"{path}/{key}".lstrip("/"), depth + 1)


def _is_sparse(node: Any) -> bool:
    return "MATLAB_sparse" in node.attrs


def _matlab_class(node: Any) -> str:
    return bytes(node.attrs["MATLAB_class"]).decode() if "MATLAB_class" in node.attrs else ""


def _is_matrix(node: Any) -> bool:
    if _is_sparse(node):
        return True
    made_by = _matlab_class(node)
    return is_matrix(node.shape or (), node.dtype.kind) and (not made_by or made_by in _NUMERIC)


def _variables(group: Mapping[str, Any], h5py: Any, wanted: str, name: str) -> dict[str, Variable]:
    """The arrays of a group that may be the matrix, the classes or names."""
    sides = {side for node in group.values() if _is_matrix(node) and not _is_sparse(node) for side in node.shape}
    found: dict[str, Variable] = {}
    for key, node in group.items():
        if _is_sparse(node):
            found[key] = Variable(_sparse(node, key, name))
            sides.update(found[key].values.shape)
    for key, node in group.items():
        if key in found or "MATLAB_empty" in node.attrs or node.shape is None:
            continue
        if prod(node.shape) > MOST_CELLS:
            size = " x ".join(f"{side:,}" for side in node.shape)
            raise DataError(
                '"{key}" in "{name}" is {size}, too large for this program. Save fewer columns.',
                key=key,
                name=name,
                size=size,
            )
        if wanted and key != wanted and _is_matrix(node):
            continue
        values = _array(node, h5py, sides, key, name)
        if values is not None:
            found[key] = Variable(values)
    return found


def _array(node: Any, h5py: Any, sides: set[int], key: str, name: str) -> NDArray[Any] | None:
    """A dataset as MATLAB would show it: two dimensions, texts as strings; None if it is neither."""
    made_by = _matlab_class(node)
    if made_by == "char":
        letters = np.atleast_2d(node[()]).T
        return np.array([_word(row) for row in letters])
    if made_by == "cell":
        return _cells(node, h5py) if prod(node.shape) in sides else None
    if made_by and made_by not in _NUMERIC:
        if is_target_name(key):
            raise DataError(
                '"{key}" in "{name}" has the MATLAB class "{made_by}", which cannot be read. Save it as '
                "cellstr({key}) or double({key}).",
                key=key,
                name=name,
                made_by=made_by,
            )
        return None
    if h5py.check_string_dtype(node.dtype) is not None:
        return np.array(node.asstr(errors="replace")[()], dtype=object).reshape(-1, 1)
    if node.dtype.kind not in "fiub" or node.ndim not in (1, 2):
        return None
    values: NDArray[Any] = node[()]
    return values.reshape(-1, 1) if values.ndim == 1 else values.T if made_by else values


def _cells(node: Any, h5py: Any) -> NDArray[Any] | None:
    """The texts of a cell array, each stored behind a reference; None for any other array."""
    if h5py.check_ref_dtype(node.dtype) is None:
        return None
    targets = [node.file[reference] for reference in node[()].ravel()]
    if any(_matlab_class(target) != "char" for target in targets):
        return None
    words = ["" if "MATLAB_empty" in target.attrs else _word(target[()]) for target in targets]
    return np.array(words, dtype=object).reshape(-1, 1)


def _word(letters: NDArray[Any]) -> str:
    return np.ascontiguousarray(letters.ravel(), dtype="<u2").tobytes().decode("utf-16-le", "replace")


def _sparse(node: Any, key: str, name: str) -> NDArray[np.float64]:
    starts = node["jc"][()].astype(np.int64)
    height = int(node.attrs["MATLAB_sparse"])
    if "data" not in node:  # only zeros
        return dense((height, len(starts) - 1), np.zeros_like(starts), starts[:0], starts[:0], key, name)
    return dense((height, len(starts) - 1), starts, node["ir"][()].astype(np.int64), node["data"][()], key, name)


READER = Reader(
    "HDF5",
    (".h5", ".hdf5", ".hdf"),
    _read,
    is_hdf5,
    ("part", "orientation", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
    library="h5py",
    article="an HDF5 file (as MATLAB 7.3 writes)",
)
