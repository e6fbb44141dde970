"""Opens a table of any format that is known, decided by what is in the file and then by its name."""

import os
from dataclasses import replace
from pathlib import Path

from fsdesk.data.arff import is_arff, read_arff
from fsdesk.data.dataset import Dataset, Table
from fsdesk.data.delimited import read_delimited
from fsdesk.data.excel import read_excel
from fsdesk.data.grid import to_table
from fsdesk.data.labels import add_labels
from fsdesk.data.matlab import is_hdf5, is_matlab, read_matlab
from fsdesk.data.options import Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.prepare import prepare
from fsdesk.data.text import decode, read_bytes
from fsdesk.errors import DataError
from fsdesk.settings import Value, validated

__all__ = ["SUFFIXES", "read", "read_table"]

SUFFIXES = (".csv", ".tsv", ".txt", ".arff", ".mat", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_SHEETS = frozenset((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"))
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0"
_OTHERS = (
    (b"\x1f\x8b", "is a gzip archive; unpack it and open what is inside"),
    (b"%PDF", "is a PDF document; open a table, such as a CSV file"),
    (b"\x89PNG", "is a picture; open a table, such as a CSV file"),
    (b"\xff\xd8\xff", "is a picture; open a table, such as a CSV file"),
    (b"SQLite format 3", "is a database; save its table as CSV, and open that"),
    (b"RDX", "is an R workspace; save its table as CSV, and open that"),
)
_DEFAULTS = ReadOptions()


def read(path: str | os.PathLike[str], options: ReadOptions = _DEFAULTS) -> Table:
    """Read a CSV, TSV, ARFF, MATLAB (.mat, up to version 7), Excel or OpenDocument table.

    Parameters
    ----------
    path
        The file.
    options
        How to read it; by default all is found in the file.

    Returns
    -------
    Table
        With n rows and q columns, row ids, the way it was read in words, and checks.

    Raises
    ------
    DataError
        One sentence where the file is missing, empty, binary, damaged, ragged or without rows.
    """
    file = Path(path)
    table, has_ids = _read_one(file, options)
    if options.labels:
        labels, label_ids = _read_labels(_beside(options.labels, file), table, options.encoding)
        table = add_labels(table, labels, has_ids=has_ids, label_ids=label_ids)
    return table


def read_table(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    ignore: tuple[str, ...] = (),
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    task: TargetTask = "auto",
    group: str | None = None,
    folds: str | None = None,
    time: str | None = None,
    **read_options: Value,
) -> Dataset:
    """Read a table and make a data set of it: :func:`read`, then :func:`prepare`.

    Parameters
    ----------
    path
        The file.
    target
        Name of the column to predict; None takes the last one (``Y`` in a .mat file).
    ignore, missing, nominal, task, group, folds, time
        See :func:`prepare`.
    **read_options
        Fields of :class:`ReadOptions` by name, such as ``delimiter="semicolon"``.

    Raises
    ------
    DataError, SettingsError
        One sentence each: what is wrong, where, what to do.
    """
    options = validated(ReadOptions, read_options)
    return prepare(
        read(path, options),
        target,
        ignore=ignore,
        missing=missing,
        nominal=nominal,
        task=task,
        group=group,
        folds=folds,
        time=time,
    )


def _read_one(path: Path, options: ReadOptions) -> tuple[Table, bool]:
    """The table, and whether it has sample ids of its own."""
    content = read_bytes(path)
    name, suffix = path.name, path.suffix.lower()
    if is_matlab(content) or suffix == ".mat" or is_hdf5(content):
        return _titled(read_matlab(content, name, options), path), False
    if suffix in _SHEETS or content.startswith((_ZIP, _OLE)):
        return _from_grid(to_table(read_excel(path, options), options), path)
    for mark, advice in _OTHERS:
        if content.startswith(mark):
            raise DataError(f'"{name}" {advice}.')
    text = decode(content, name, options.encoding)
    del content
    if suffix == ".arff" or is_arff(text.text):
        return _titled(read_arff(text, name), path), False
    return _from_grid(to_table(read_delimited(text, name, options), options), path)


def _read_labels(path: Path, table: Table, encoding: str) -> tuple[Table, tuple[str, ...] | None]:
    """The labels, and their sample ids where a column of ids stands before them."""
    options = ReadOptions(row_ids="none").updated({"encoding": encoding})
    labels = _read_one(path, options)[0]
    missing_rows = len(table.rows) - len(labels.rows)
    if labels.columns[0] in table.rows or (len(labels.columns) == 1 and missing_rows == 1):
        options = options.updated({"header": "no"})  # what was taken for names is the first sample
    elif len(labels.columns) == 1 and missing_rows == -1:
        options = options.updated({"header": "yes"})
    if len(labels.columns) == 1:
        return _read_one(path, options)[0], None
    # Ids as they are written: 007 is not 7.
    labels = _read_one(path, options.updated({"row_ids": "first column"}))[0]
    return labels, labels.rows


def _from_grid(table: Table, path: Path) -> tuple[Table, bool]:
    has_ids = table.rows != tuple(map(str, range(1, len(table.rows) + 1)))
    return _titled(table, path), has_ids


def _titled(table: Table, path: Path) -> Table:
    # A name that is no text, as Linux allows, must not break files that are.
    name, source = (os.fsencode(text).decode("utf-8", "replace") for text in (path.stem, table.source))
    return replace(table, name=name, source=source)


def _beside(labels: str, file: Path) -> Path:
    """A labels file by its name alone is looked for beside the table too."""
    path = Path(labels)
    return path if path.exists() or path.is_absolute() else file.parent / path
