"""The one list of formats, and the way from a file to a table: by what is in it, then by its name."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check, Dataset, Table
from fsdesk.data.options import Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.prepare import prepare
from fsdesk.data.readers import (
    arff,
    arrow,
    delimited,
    gct,
    geo,
    hdf5,
    jasp,
    libsvm,
    matlab,
    numpy_arrays,
    omics,
    parquet,
    r,
    readstat,
    spreadsheet,
    sqlite,
    tenx,
)
from fsdesk.data.readers.address import address_of, download, downloads
from fsdesk.data.readers.content import PACKED_SUFFIXES, Content
from fsdesk.data.readers.foreign import refuse_by_content, refuse_by_name
from fsdesk.data.readers.reader import Reader
from fsdesk.data.roles import described_columns
from fsdesk.data.samples import load_sample, sample_name
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted
from fsdesk.settings import Value, validated

READERS: tuple[Reader, ...] = (
    readstat.SPSS,
    readstat.STATA,
    readstat.SAS,
    r.READER,
    matlab.READER,
    omics.READER,
    tenx.READER,
    hdf5.READER,
    parquet.READER,
    arrow.READER,
    numpy_arrays.READER,
    sqlite.READER,
    jasp.READER,
    spreadsheet.READER,  # takes every zip file
    arff.READER,
    geo.READER,
    gct.READER,
    libsvm.READER,
    delimited.READER,  # takes every text
)
"""All formats. A file is of the first one that knows it, by content and then by name, binary ones before texts."""

SUFFIXES = (*(suffix for reader in READERS for suffix in reader.suffixes), *PACKED_SUFFIXES)
"""Ends of the names of files that can be read."""


def reader_of(name: str) -> Reader:
    """The format by a file's name, of what is inside where it is packed; delimited text where none is known."""
    lower = name.lower()
    inner = next((lower.removesuffix(suffix) for suffix in PACKED_SUFFIXES if lower.endswith(suffix)), lower)
    return next((reader for reader in READERS if reader.names(inner)), delimited.READER)


def read(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Table:
    """Read a table of any format that is known.

    These are CSV and its kin, ARFF, Excel, OpenDocument, MATLAB, NumPy, SQLite, JASP and jamovi, GEO series matrix,
    GCT, LIBSVM, matrices of 10x Genomics, and with the extra "formats" SPSS, Stata, SAS, R, Parquet, Feather and Arrow,
    HDF5 (as MATLAB 7.3 writes), AnnData, loom, GCTX and BIOM. All but sheets may be packed with gzip, bzip2 or xz.

    Parameters
    ----------
    path
        The file, an address that begins with ``https:``, or ``sample:NAME`` for one of :data:`SAMPLES`.
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
        if options is not None and options != ReadOptions():
            raise DataError("Ways of reading are those of a file: leave them out for a sample.")
        return load_sample(sample)
    address, options = address_of(path), options or ReadOptions()
    file = Path(path) if address is None else download(address, downloads())
    table = _read_one(file, options)
    if address is not None:
        table = replace(table, source=joined(", ", [address, table.source]))
    if options.labels:
        has_ids = any(row != str(number) for number, row in enumerate(table.rows, 1))
        labels, label_ids = _read_labels(_beside(options.labels, file), table, options.encoding)
        table = _add_labels(table, labels, has_ids=has_ids, label_ids=label_ids)
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


def _read_one(path: Path, options: ReadOptions) -> Table:
    path = tenx.tenx_matrix(path) or path
    content = Content.of_file(path, options.encoding)
    refuse_by_content(content.data, content.name)
    reader = _choose(content, binary=True)
    if reader is None:
        refuse_by_name(content.name)
        reader = _choose(content, binary=False) or delimited.READER
    table = reader.table(content, options)
    title, source = Path(content.name).stem, table.source
    if not f"{title}{source}".isprintable():  # a name that is no text, as Linux allows, must not break files that are
        title, source = (os.fsencode(text).decode("utf-8", "replace") for text in (title, source))
    return replace(table, name=title, source=source)


def _choose(content: Content, *, binary: bool) -> Reader | None:
    """The format of a file by its content, else by its suffix."""
    readers = [reader for reader in READERS if reader.binary == binary and reader is not delimited.READER]
    by_content = next((reader for reader in readers if reader.recognises(content)), None)
    suffix = Path(content.name).suffix.lower()  # not the whole end of the name: what GEO calls its files proves little
    return by_content or next((reader for reader in readers if suffix in reader.suffixes), None)


def _read_labels(path: Path, table: Table, encoding: str) -> tuple[Table, tuple[str, ...] | None]:
    """The labels, and their sample ids where a column of ids stands before them."""
    options = ReadOptions(row_ids="none").updated({"encoding": encoding})
    labels = _read_one(path, options)
    missing_rows = len(table.rows) - len(labels.rows)
    if labels.columns[0] in table.rows or (len(labels.columns) == 1 and missing_rows == 1):
        options = options.updated({"header": "no"})  # what was taken for names is the first sample
    elif len(labels.columns) == 1 and missing_rows == -1:
        options = options.updated({"header": "yes"})
    if len(labels.columns) == 1:
        return _read_one(path, options), None
    # Ids as they are written: 007 is not 7.
    labels = _read_one(path, options.updated({"row_ids": "first column"}))
    return labels, labels.rows


def _beside(labels: str, file: Path) -> Path:
    """A labels file by its name alone is looked for beside the table too."""
    path = Path(labels)
    return path if path.exists() or path.is_absolute() else file.parent / path


def _add_labels(table: Table, labels: Table, *, has_ids: bool, label_ids: Sequence[str] | None) -> Table:
    """The table with the last column of ``labels`` as the last column and default target.

    They are joined by sample id where the ids match, by order otherwise.

    Parameters
    ----------
    has_ids
        Whether ``table.rows`` were found in the file, not just counted.
    label_ids
        Sample ids of the labels file, or None where it holds nothing but labels.

    Raises
    ------
    DataError
        Where the table has ids and the labels file has others, or their numbers of rows differ.
    """
    order = None
    if label_ids is not None and (has_ids or set(label_ids) == set(table.rows)):
        order = _order_by_id(table, labels.name, label_ids)
    how = message(
        'Labels "{columns}" were joined from "{name}" by sample id.', columns=labels.columns[-1], name=labels.name
    )
    if order is None:
        if len(labels.rows) != len(table.rows):
            raise DataError(
                '"{name}" has {rows} labels and "{name2}" has {rows2} samples; give one label a sample, or sample '
                "ids in both.",
                name=labels.name,
                rows=len(labels.rows),
                name2=table.name,
                rows2=len(table.rows),
            )
        order = np.arange(len(table.rows))
        how = message(
            'Labels "{columns}" were joined from "{name}" by order, since the two files share no sample ids; '
            "make sure that their order is the same.",
            columns=labels.columns[-1],
            name=labels.name,
        )
    name = labels.columns[-1]
    while name in table.columns:
        name += "_label"
    values = np.empty((len(table.rows), len(table.columns) + 1), order="F")
    values[:, :-1] = table.values
    values[:, -1] = labels.values[order, -1]
    categories = dict(table.categories)
    last = len(labels.columns) - 1
    if last in labels.categories:
        categories[len(table.columns)] = labels.categories[last]
    found = [check for check in labels.checks if check.kind in ("encoding", "text among numbers")]
    return replace(
        table,
        values=values,
        columns=(*table.columns, name),
        categories=categories,
        source=joined(", ", [table.source, message("labels from {source}", source=labels.source)]),
        default_target=name,
        checks=(*table.checks, *found, Check("labels", how, (name,))),
    )


def _order_by_id(table: Table, labels: str, ids: Sequence[str]) -> NDArray[np.intp]:
    """Row of every sample in the labels file."""
    place = {name: row for row, name in enumerate(ids)}
    absent = [name for name in table.rows if name not in place]
    if len(absent) == len(table.rows) and all(name in place for name in table.columns):
        raise DataError(
            '"{labels}" has labels for the columns of "{name}", not for its rows; set "Samples are in" to the '
            "other choice.",
            labels=labels,
            name=table.name,
        )
    if absent:
        raise DataError(
            '"{labels}" has no label for {absent} of "{name}" (its first ids are {ids}); give a labels file with '
            "the same sample ids, or one column of labels in the order of the samples.",
            labels=labels,
            absent=quoted(absent),
            name=table.name,
            ids=quoted(ids),
        )
    if len(place) < len(ids):
        twice = [name for row, name in enumerate(ids) if place[name] != row and name in set(table.rows)]
        if twice:
            raise DataError(
                '"{labels}" has more than one label for {twice}; keep one label a sample.',
                labels=labels,
                twice=quoted(twice),
            )
    return np.array([place[name] for name in table.rows], dtype=np.intp)
