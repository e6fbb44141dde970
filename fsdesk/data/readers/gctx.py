"""GCTX, the binary form of GCT 1.3: a matrix in HDF5 with descriptions of rows (features) and columns (samples).

This reader is our own, because the cmapPy library requires old versions of pandas and opens files by path only. The
layout follows its documentation and cmapR.
"""

import re
from typing import Any

import numpy as np

from fsdesk.data.cells import Numbers
from fsdesk.data.dataset import Table
from fsdesk.data.readers.annotated import Annotated, Described, Sheet
from fsdesk.data.readers.hdf5_parts import described, is_dataset, is_group, part, texts
from fsdesk.messages import joined

_DATA = "0/DATA/0/matrix"
_ROWS, _COLUMNS = "0/META/ROW", "0/META/COL"
_NO_VALUE = "-666"
_NUMBERS, _CODE = Numbers(), re.compile(r"0\d")


def is_gctx(file: Any) -> bool:
    """Whether a file has the parts of a GCTX file."""
    return is_dataset(part(file, _DATA), 2) and all(is_group(part(file, key)) for key in (_ROWS, _COLUMNS))


def gctx_table(file: Any, name: str, wanted: str) -> Table:
    """Read the matrix: samples become rows, and their descriptions become candidate targets. Raises DataError."""
    features, samples = (texts(part(file, f"{key}/id")) for key in (_ROWS, _COLUMNS))
    of_samples = _descriptions(part(file, _COLUMNS), len(samples))
    of_features = {title: each.cells for title, each in _descriptions(part(file, _ROWS), len(features)).items()}
    sheet = Sheet(Annotated(samples, features, of_samples, of_features), name)
    matrix = part(file, _DATA)
    sheet.fill(matrix, turned=matrix.shape != sheet.values.shape)  # HDF5 shows one sample per row
    return sheet.table(joined(", ", [name, "GCTX"]))


def _descriptions(group: Any, count: int) -> dict[str, Described]:
    found = {key: described(part(group, key)) for key in group if key != "id"}
    return {key: _known(each) for key, each in found.items() if each is not None and len(each.cells) == count}


def _known(column: Described) -> Described:
    """The texts without the Connectivity Map's mark for unknown values."""
    if column.numbers is None:
        cells = ["" if cell == _NO_VALUE else cell for cell in column.texts]
        if all(map(_NUMBERS.fits, cells)) and not any(_CODE.match(cell) for cell in cells):  # as cmapPy writes numbers
            return Described(np.array([_NUMBERS.one(cell) for cell in cells]))
        return Described(texts=cells)
    numbers = column.numbers.copy()
    numbers[numbers == float(_NO_VALUE)] = float("nan")
    return Described(numbers)
