"""Reading of SPSS, Stata and SAS files in a separate process, because damaged files crash pyreadstat.

It is run as a script, so that it need not load this package, and imports nothing from it. The request arrives on
standard input: the length of a line of JSON in 8 bytes, the line, and the file. The response is written to standard
output in the same form: a line, followed by the numbers of the columns one after another.
"""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, BinaryIO

import numpy as np

_CELLS_AT_ONCE = 1 << 23  # as Python objects, about 300 MB
_BASE, _A_BYTE = 2 << 30, 12  # memory limit: for the program, and for each byte of the file
_CELL = 24  # bytes of memory per cell, including copies

Read = Callable[..., tuple[Mapping[str, Sequence[Any]], Any]]


def parsed(question: Mapping[str, Any], data: bytes, catalogue: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Response to a request: the file's information on its columns, and the values of each numeric one."""
    import pyreadstat

    read: Read = getattr(pyreadstat, question["function"])
    given = {"output_format": "dict", **question["given"]}
    _, about = read(io.BytesIO(data), metadataonly=True, **given)
    names, rows = list(about.column_names), about.number_rows or 0
    if rows * len(names) > question["most"] or len(names) > len(data):
        return {"too_large": [rows, len(names)]}, []
    _limit(len(data), rows * len(names))
    numeric = {name for name, kind in about.readstat_variable_types.items() if kept_as_number(kind)}
    found: dict[str, list[Any]] = {name: [] for name in names}
    for part in _parts(read, data, len(names), given):
        for name, cells in part.items():
            found[name].append(_numbers(cells) if name in numeric else list(cells))
    labels = {name: list(each.items()) for name, each in about.variable_value_labels.items()}
    if catalogue:
        labels = _of_catalogue(about, catalogue, given)
    columns: list[list[Any]] = []
    numbers: list[bytes] = []
    for name, parts in found.items():
        if parts and all(isinstance(part, np.ndarray) for part in parts):
            column = np.concatenate(parts).astype("<f8")
            columns.append([name, len(column)])
            numbers.append(column.tobytes())
        else:
            columns.append([name, [_text(cell) for part in parts for cell in part]])
    told = {
        "columns": columns,
        "labels": labels,
        "measures": dict(about.variable_measure),
        "titles": {name: label for name, label in about.column_names_to_labels.items() if label},
    }
    return told, numbers


def kept_as_number(kind: str) -> bool:
    """Whether ReadStat stores a kind of column as numbers."""
    return kind not in ("string", "string_ref")


def _parts(read: Read, data: bytes, width: int, given: Mapping[str, Any]) -> Iterator[Mapping[str, Sequence[Any]]]:
    """Read the rows in chunks, because each cell is first a Python object; not all formats state the number of rows."""
    step, start = max(1000, _CELLS_AT_ONCE // max(1, width)), 0
    while True:
        asked = {**given, "row_offset": start, "row_limit": step}
        try:
            part = read(io.BytesIO(data), **asked)[0]
        except OverflowError:  # dates beyond the years 1 to 9999 remain numbers
            part = read(io.BytesIO(data), disable_datetime_conversion=True, **asked)[0]
        yield part
        start += step
        if len(next(iter(part.values()), ())) < step:
            break


def _numbers(cells: Sequence[Any]) -> Any:
    """A numeric array, times of day as seconds; the cells themselves if they are dates."""
    first = next((cell for cell in cells if cell is not None), None)
    if isinstance(first, time):
        return np.array([np.nan if cell is None else _seconds(cell) for cell in cells], dtype=np.float64)
    if isinstance(first, str | date):
        return list(cells)
    return np.array(cells, dtype=np.float64)


def _seconds(cell: time) -> float:
    return 3600 * cell.hour + 60 * cell.minute + cell.second + cell.microsecond / 1e6


def _text(cell: Any) -> str | None:
    """A text, or a date as 2024-03-31, with its time if it has one; None for a missing value."""
    if cell is None or (isinstance(cell, float) and np.isnan(cell)):
        return None
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "seconds")
    return (cell.isoformat() if isinstance(cell, date) else str(cell).strip()) or None


def _of_catalogue(about: Any, catalogue: bytes, given: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The labels of a SAS catalog, for variables whose format it contains."""
    import pyreadstat

    _, formats = pyreadstat.read_sas7bcat(io.BytesIO(catalogue), **given)
    by_name = {name.upper(): list(labels.items()) for name, labels in formats.value_labels.items()}
    wanted = {name: str(kind or "").strip(".").upper() for name, kind in about.original_variable_types.items()}
    return {name: by_name[kind] for name, kind in wanted.items() if kind in by_name}


def _limit(size: int, cells: int) -> None:
    """Limit memory to what a file of this size can need; not available on Windows."""
    try:
        import resource
    except ImportError:
        return
    most = _BASE + _A_BYTE * size + _CELL * cells
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def answer(source: BinaryIO, target: BinaryIO) -> None:
    """Read a request, and write the response or the error."""
    question = json.loads(source.read(int.from_bytes(source.read(8), "little")))
    data, catalogue = (source.read(size) for size in question["sizes"])
    _limit(len(data), 0)
    try:
        told, numbers = parsed(question, data, catalogue)
    except MemoryError:
        told, numbers = {"failed": "memory"}, []
    except Exception as error:  # ReadstatError, and Python's errors for damaged names or dates
        told, numbers = {"failed": f"{type(error).__name__}: {error}"}, []
    line = json.dumps(told).encode()
    target.write(len(line).to_bytes(8, "little") + line)
    for column in numbers:
        target.write(column)
    target.flush()


def main() -> None:
    """Answer one request; output printed by libraries is discarded."""
    with os.fdopen(os.dup(1), "wb") as target:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        answer(sys.stdin.buffer, target)


if __name__ == "__main__":
    main()
