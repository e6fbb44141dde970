"""LIBSVM's sparse text format, "label index:value index:value", through scikit-learn."""

import io
import re
from itertools import islice, pairwise

import numpy as np

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import MOST_CELLS
from fsdesk.data.readers.reader import Reader
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import message

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PAIR = rf"\d+:(?:{_NUMBER}|[-+]?(?:nan|inf))"
_LINE = re.compile(rf"\s*{_NUMBER}(\s+qid:\d+)?((?:\s+{_PAIR})*)\s*(?:#.*)?", re.IGNORECASE)
_FROM_ZERO = re.compile(r"^[^#\n:]*\s0+:", re.MULTILINE)  # indices ascend, so a 0 must be the first of its line
_QUERY = re.compile(r"^\s*\S+\s+qid:", re.MULTILINE)
_LOOKED_AT = 20
_WIDE, _EMPTY = 100_000, 100  # features, and features per value: one wrong index creates millions of names


def _is_libsvm(content: Content) -> bool:
    """Whether each of the first lines is a number followed by "index:value" pairs, with at least one pair in total."""
    matches = [_LINE.fullmatch(line) for line in islice(_lines(content.head), _LOOKED_AT)]
    return all(matches) and any(match[2] for match in matches if match)


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a table in LIBSVM's format; features are named by their index (x1, x2, ...), the default target is "label".

    Omitted values are 0. Raises DataError for lines of another form, indices that are not ascending, and a table that
    is too large once zeros are filled in.
    """
    from sklearn.datasets import load_svmlight_file

    text, name = content.text(), content.name
    first = 0 if _FROM_ZERO.search(text.text) else 1
    try:
        sparse, labels = load_svmlight_file(io.BytesIO(text.text.encode()), zero_based=first == 0)
    except (ValueError, OverflowError, MemoryError):
        raise _fault(text.text, name) from None
    rows, width = map(int, sparse.shape)
    if not sparse.nnz:
        raise DataError('"{name}" contains no values in LIBSVM format. Choose a table that contains data.', name=name)
    if rows * (width + 1) > MOST_CELLS or width > max(_WIDE, _EMPTY * sparse.nnz):
        raise DataError(
            '"{name}" is {rows:,} x {width:,} in dense form, too large for this program. Save fewer features.',
            name=name,
            rows=rows,
            width=width,
        )
    try:
        values = np.empty((rows, width + 1), order="F")
        sparse.toarray(out=values[:, :width])
    except MemoryError:
        raise DataError('"{name}" does not fit into memory in dense form. Save fewer features.', name=name) from None
    values[:, width] = labels
    checks = list(text.checks)
    if _QUERY.search(text.text):
        checks.append(Check("query ids", message('The query IDs ("qid:") are ignored.')))
    names = [*(f"x{j + first}" for j in range(width)), "label"]
    return build_table(name, Columns(values, {}), names, source=f"{name}, LIBSVM, {text.encoding}", checks=checks)


_SEVERAL = re.compile(r"\s*[-+]?\d+(,[-+]?\d+)+\s+\d+:")


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def _fault(text: str, name: str) -> DataError:
    """The error that names the first invalid line."""
    for number, line in enumerate(text.split("\n"), 1):
        content = line.partition("#")[0]
        if not content.strip():
            continue
        if _SEVERAL.match(content):
            return DataError(
                'Line {number} of "{name}" has several labels ("{text}"), but each row can have only one. Write one '
                "file per label, or a label per combination.",
                number=number, name=name, text=content.split()[0][:40],
            )  # fmt: skip
        if not _LINE.fullmatch(line):
            return DataError(
                'Line {number} of "{name}" is not "label index:value index:value" ("{text}"). Correct that line.',
                number=number,
                name=name,
                text=content.strip()[:40],
            )
        indices = [int(pair.partition(":")[0]) for pair in content.split()[1:] if not pair.lower().startswith("qid")]
        if any(after <= before for before, after in pairwise(indices)):
            return DataError(
                'The indices in line {number} of "{name}" are not in ascending order. Sort them.',
                number=number,
                name=name,
            )
        if indices and indices[-1] >= 1 << 31:
            return DataError(
                'The index {indices} in line {number} of "{name}" is too large. Correct that line.',
                number=number,
                name=name,
                indices=indices[-1],
            )
    return DataError('"{name}" is not in LIBSVM format, or is too large for this program; save it again.', name=name)


READER = Reader(
    "LIBSVM",
    (".libsvm", ".svmlight", ".svm"),
    _read,
    _is_libsvm,
    ("encoding", "labels", "labels_by", *CELLS),
    has_types=True,
)
