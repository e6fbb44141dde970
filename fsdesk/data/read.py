"""Opens a table of any format that is known, decided by what is in the file and then by its name."""

import os
from dataclasses import replace
from pathlib import Path

from fsdesk.data.arff import is_arff, read_arff
from fsdesk.data.dataset import Dataset, Table
from fsdesk.data.delimited import read_delimited
from fsdesk.data.described import described_columns
from fsdesk.data.excel import read_excel
from fsdesk.data.gct import is_gct, read_gct
from fsdesk.data.geo import is_series_matrix, read_series_matrix
from fsdesk.data.grid import to_table
from fsdesk.data.hdf5 import HDF5_SUFFIXES, is_hdf5, read_hdf5
from fsdesk.data.labels import add_labels
from fsdesk.data.libsvm import LIBSVM_SUFFIXES, is_libsvm, read_libsvm
from fsdesk.data.matlab import is_matlab, read_matlab
from fsdesk.data.options import Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.packed import PACKED_SUFFIXES, unpack
from fsdesk.data.parquet import is_parquet, read_parquet
from fsdesk.data.prepare import prepare
from fsdesk.data.rdata import R_SUFFIXES, is_r, read_r
from fsdesk.data.samples import load_sample, sample_name
from fsdesk.data.text import Text, decode, read_bytes
from fsdesk.data.zipped import ZIP
from fsdesk.errors import DataError
from fsdesk.settings import Value, validated

__all__ = ["SUFFIXES", "read", "read_table"]

SUFFIXES = (
    *(".csv", ".tsv", ".txt", ".arff", ".mat", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".parquet", ".gct"),
    *HDF5_SUFFIXES,
    *LIBSVM_SUFFIXES,
    *R_SUFFIXES,
    *PACKED_SUFFIXES,
)
_SHEETS = frozenset((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"))
_OLE = b"\xd0\xcf\x11\xe0"
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff")
_DEFAULTS = ReadOptions()


def read(path: str | os.PathLike[str], options: ReadOptions = _DEFAULTS) -> Table:
    """Read a table of any format that is known.

    These are CSV and its kin, ARFF, Excel, OpenDocument, MATLAB, GEO series matrix, GCT, LIBSVM, and with the extra
    "formats" Parquet, HDF5 (as MATLAB 7.3 writes) and R. All but sheets may be packed with gzip, bzip2 or xz.

    Parameters
    ----------
    path
        The file, or ``sample:NAME`` for one of :data:`SAMPLES`.
    options
        How to read it; by default all is found in the file.

    Returns
    -------
    Table
        With n rows and q columns, row ids, the way it was read in words, and checks.

    Raises
    ------
    DataError
        One sentence where the file is missing, empty, binary, damaged, ragged or without rows; where there is no
        sample of that name, or ways of reading are given for one.
    """
    sample = sample_name(path)
    if sample is not None:
        if options != _DEFAULTS:
            raise DataError("Ways of reading are those of a file: leave them out for a sample.")
        return load_sample(sample)
    file = Path(path)
    table, has_ids = _read_one(file, options)
    if options.labels:
        labels, label_ids = _read_labels(_beside(options.labels, file), table, options.encoding)
        labelled = add_labels(table, labels, has_ids=has_ids, label_ids=label_ids)
        table = replace(labelled, parts=table.parts, part=table.part)
    return table


def read_table(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    ignore: tuple[str, ...] = (),
    keep: tuple[str, ...] = (),
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
        The file, or ``sample:NAME`` for a table that comes with fsdesk, such as ``sample:genes``.
    target
        Name of the column to predict; None takes the last one (``Y`` in a .mat file).
    ignore, keep, missing, nominal, task, group, folds, time
        See :func:`prepare`. Columns that only describe the samples, as GEO files have them, are left out too.
    **read_options
        Fields of :class:`ReadOptions` by name, such as ``delimiter="semicolon"``.

    Raises
    ------
    DataError, SettingsError
        One sentence each: what is wrong, where, what to do.
    """
    table = read(path, validated(ReadOptions, read_options))
    described = described_columns(table, (target or table.default_target, group, folds, time, *keep))
    return prepare(
        table,
        target,
        ignore=(*ignore, *described),
        keep=keep,
        missing=missing,
        nominal=nominal,
        task=task,
        group=group,
        folds=folds,
        time=time,
    )


def _read_one(path: Path, options: ReadOptions) -> tuple[Table, bool]:
    """The table, and whether it has sample ids of its own."""
    content, name = unpack(read_bytes(path), path.name)
    suffix = Path(name).suffix.lower()
    table = _from_binary(content, name, suffix, options)
    if table is not None:
        return _titled(table, name)
    if suffix in _SHEETS or content.startswith((ZIP, _OLE)):
        if name != path.name:
            raise DataError(f'"{path.name}" holds a packed spreadsheet; unpack it and open what is inside.')
        return _titled(to_table(read_excel(path, options), options), name)
    if content.startswith(b"%PDF"):
        raise DataError(f'"{name}" is a PDF document; open a table, such as a CSV file.')
    if content.startswith(_PICTURES):
        raise DataError(f'"{name}" is a picture; open a table, such as a CSV file.')
    if content.startswith(b"SQLite format 3"):
        raise DataError(f'"{name}" is a database; save its table as CSV, and open that.')
    if content[257:262] == b"ustar":
        raise DataError(f'"{name}" is an archive of files (tar); unpack it and open the table inside.')
    text = decode(content, name, options.encoding)
    del content
    return _titled(_from_text(text, name, suffix, options), name)


def _from_binary(content: bytes, name: str, suffix: str, options: ReadOptions) -> Table | None:
    """The table of a file in one of the formats that only its library can read."""
    if is_parquet(content) or suffix == ".parquet":
        return read_parquet(content, name, options)
    if is_matlab(content) or suffix == ".mat":
        return read_matlab(content, name, options)
    if is_hdf5(content) or suffix in HDF5_SUFFIXES:
        return read_hdf5(content, name, options)
    if is_r(content) or suffix in R_SUFFIXES:
        return read_r(content, name, options)
    return None


def _from_text(text: Text, name: str, suffix: str, options: ReadOptions) -> Table:
    if suffix == ".arff" or is_arff(text.text):
        return read_arff(text, name)
    if is_series_matrix(text.text):
        return read_series_matrix(text, name)
    if suffix == ".gct" or is_gct(text.text):
        return read_gct(text, name)
    if suffix in LIBSVM_SUFFIXES or is_libsvm(text.text):
        return read_libsvm(text, name)
    return to_table(read_delimited(text, name, options), options)


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


def _titled(table: Table, name: str) -> tuple[Table, bool]:
    """The table with its file's name, and whether its rows have names and not just numbers."""
    # A name that is no text, as Linux allows, must not break files that are.
    title, source = (os.fsencode(text).decode("utf-8", "replace") for text in (Path(name).stem, table.source))
    has_ids = table.rows != tuple(map(str, range(1, len(table.rows) + 1)))
    return replace(table, name=title, source=source), has_ids


def _beside(labels: str, file: Path) -> Path:
    """A labels file by its name alone is looked for beside the table too."""
    path = Path(labels)
    return path if path.exists() or path.is_absolute() else file.parent / path
