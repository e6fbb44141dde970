"""MATLAB files of version 4 to 7: a matrix of values, and a vector of classes; later ones are HDF5."""

import io
from typing import Any, cast

import numpy as np

from fsdesk.data.dataset import Table
from fsdesk.data.hdf5 import is_hdf5, read_hdf5
from fsdesk.data.matlab_structure import plain_variables
from fsdesk.data.matrices import Variable, dense, table_of_matrices
from fsdesk.data.options import ReadOptions
from fsdesk.errors import DataError

__all__ = ["is_matlab", "read_matlab"]


def is_matlab(content: bytes) -> bool:
    """Whether the first bytes are those of a MATLAB file of version 5 or later."""
    return content.startswith(b"MATLAB ")


def read_matlab(content: bytes, name: str, options: ReadOptions) -> Table:
    """Read ``X`` (samples in rows) and ``Y``, or the one matrix and the one vector that fits it.

    A matrix that fits the vector only when transposed is transposed, with a check. ``Y`` becomes the last column and
    the default target. Version 7.3 is HDF5, see :func:`read_hdf5`. Raises DataError for damaged files and files where
    the matrix is not plain.
    """
    if is_hdf5(content):
        return read_hdf5(content, name, options)
    return table_of_matrices(_load(content, name), name, "MATLAB", options, options.part)


def _load(content: bytes, name: str) -> dict[str, Variable]:
    from scipy.io import loadmat

    try:
        plain = None if 0 in content[:4] else plain_variables(content)  # a zero there means version 4
        variables = loadmat(cast(Any, io.BytesIO(content)), variable_names=plain)  # the stubs know paths only
    except Exception:
        raise DataError(f'"{name}" is not a MATLAB file or is damaged; save it again with save(..., "-v7").') from None
    found: dict[str, Variable] = {}
    for key, value in variables.items():
        if hasattr(value, "indptr") and value.dtype.kind != "c":
            shape = (int(value.shape[0]), int(value.shape[1]))
            found[key] = Variable(dense(shape, value.indptr, value.indices, value.data, key, name))
        elif isinstance(value, np.ndarray):
            found[key] = Variable(value)
    return found
