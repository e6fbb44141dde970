"""The list of formats, and the choice of the reader for a file: by content, then by name."""

import codecs
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

from fsdesk.data.columns import with_codes
from fsdesk.data.compound import with_compounds
from fsdesk.data.dataset import Dataset, Table
from fsdesk.data.dates import with_dates
from fsdesk.data.long import with_wide_rows
from fsdesk.data.options import CARRIED, LAYOUT, Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.outcomes import named_outcome, outcome_columns
from fsdesk.data.prepare import prepare
from fsdesk.data.readers import (
    arff,
    arrow,
    c45,
    cls,
    delimited,
    gct,
    geo,
    hdf5,
    html,
    jasp,
    json_tables,
    libsvm,
    matlab,
    numpy_arrays,
    omics,
    parquet,
    protein_panels,
    r,
    readstat,
    spreadsheet,
    sqlite,
    tenx,
)
from fsdesk.data.readers.address import address_of, download, downloads
from fsdesk.data.readers.content import PACKED_SUFFIXES, Content, guessed_encoding
from fsdesk.data.readers.foreign import refuse_by_content, refuse_by_name
from fsdesk.data.readers.labels import with_labels
from fsdesk.data.readers.reader import Reader
from fsdesk.data.reading import QuestionError, questions
from fsdesk.data.recode import recoded
from fsdesk.data.replicates import with_replicates
from fsdesk.data.roles import described_columns
from fsdesk.data.samples import load_sample, sample_name
from fsdesk.data.table import with_types
from fsdesk.errors import DataError
from fsdesk.messages import joined
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
    spreadsheet.READER,  # accepts every zip file
    arff.READER,
    geo.READER,
    gct.READER,
    protein_panels.READER,
    cls.READER,
    c45.READER,
    json_tables.READER,
    html.READER,
    libsvm.READER,
    delimited.READER,  # takes every text
)
"""All formats.

A file is assigned to the first one that recognizes it, by content and then by name, binary ones before text.
"""

SUFFIXES = (*(suffix for reader in READERS for suffix in reader.suffixes), *PACKED_SUFFIXES)
"""Suffixes of files that can be read."""

_PROBE = 1 << 16


def reader_of(name: str) -> Reader:
    """The format, by the file's name or, if packed, by its content's name; delimited text if unknown."""
    lower = name.lower()
    inner = next((lower.removesuffix(suffix) for suffix in PACKED_SUFFIXES if lower.endswith(suffix)), lower)
    return next((reader for reader in READERS if reader.names(inner)), delimited.READER)


def read(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Table:
    """Read a table in any supported format.

    These are CSV and similar, ARFF, C4.5, Excel, OpenDocument, MATLAB, NumPy, SQLite, JSON, JASP and jamovi, GEO series
    matrix, GCT, LIBSVM, matrices of 10x Genomics, and with the extra "formats" SPSS, Stata, SAS, R, Parquet, Feather
    and Arrow, HDF5 (as written by MATLAB 7.3), AnnData, loom, GCTX and BIOM. All but sheets may be packed with gzip,
    bzip2 or xz.

    Parameters
    ----------
    path
        The file, an address that begins with ``https:``, or ``sample:NAME`` for one of :data:`SAMPLES`.
    options
        How to read it; by default everything is detected.

    Returns
    -------
    Table
        With n rows and q columns, row IDs, a description of how it was read, and checks.

    Raises
    ------
    DataError
        One sentence if the file is missing, empty, binary, damaged, ragged or without rows; if there is no sample of
        that name, or reading options are given for one.
    """
    sample = sample_name(path)
    if sample is not None:
        if options is not None and options != ReadOptions():
            raise DataError("Reading options apply to files; omit them for a sample.")
        return load_sample(sample)
    address, options = address_of(path), options or ReadOptions()
    file = Path(path) if address is None else download(address, downloads())
    table = with_wide_rows(_read_one(file, options), options)
    if address is not None:
        table = replace(table, source=joined(", ", [address, table.source]))
    if options.labels:
        table = _labelled(table, options, file)
    said = options.model_dump(exclude_defaults=True)
    ways = {name: str(value) for name, value in said.items() if name in (*CARRIED, *LAYOUT)} | dict(table.ways)
    table = with_compounds(with_dates(with_types(replace(table, ways=ways), options), options), options)
    return with_replicates(recoded(table, options), options)


def read_table(
    path: str | os.PathLike[str],
    target: str | tuple[str, ...] | None = None,
    *,
    ignore: tuple[str, ...] = (),
    keep: tuple[str, ...] = (),
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    task: TargetTask = "auto",
    group: str | None = None,
    folds: str | None = None,
    time: str | None = None,
    event: str | None = None,
    entry: str | None = None,
    accept_reading: bool = False,
    **read_options: Value,
) -> Dataset:
    """Read a table and make a data set from it: :func:`read`, then :func:`prepare`.

    Parameters
    ----------
    path
        The file, or ``sample:NAME`` for a built-in table, such as ``sample:genes``.
    target
        Name of the column to predict; None uses the last one (``Y`` in a .mat file). A pair of names is a time to an
        event: ``("months", "status")``, or ``("months", "status=dead")``; three names start with the entry time.
    ignore, keep, missing, nominal, task, group, folds, time, event, entry
        See :func:`prepare`. Columns that only describe the samples, as in GEO files, are excluded too.
    accept_reading
        Whether to accept the proposals if the file can be read in more than one way.
    **read_options
        Fields of :class:`ReadOptions` by name, such as ``delimiter="semicolon"``.

    Raises
    ------
    QuestionError
        If the file can be read in more than one way, which changes rows, labels, classes or the target, and the options
        do not settle it: ``questions`` lists all of them, with the options that answer each.
    DataError, SettingsError
        One sentence each: what is wrong, where, what to do.

    Examples
    --------
    >>> import fsdesk
    >>> data = fsdesk.read_table("sample:wine")
    >>> data.x.shape, data.classes, data.features[:2]
    ((178, 13), ('class_0', 'class_1', 'class_2'), ('alcohol', 'malic_acid'))
    >>> fsdesk.read_table("patients.csv", "diagnosis", group="patient", missing_values="-999")  # doctest: +SKIP
    """
    table = read(path, validated(ReadOptions, read_options))
    grouped = group is not None
    group = group or table.default_group or None
    outcome = named_outcome(table, target, event, entry)
    named = outcome.target
    keep = (keep,) if isinstance(keep, str) else keep
    held = (named or table.default_target, *outcome_columns(table, outcome), group, folds, time, *keep)
    described = described_columns(table, held)
    if not accept_reading:
        refuse_questions(table, named, grouped=grouped)
    made = prepare(
        table,
        named,
        ignore=(*ignore, *described),
        keep=keep,
        missing=missing,
        nominal=nominal,
        task=task,
        group=group,
        folds=folds,
        time=time,
        event=outcome.event,
        entry=outcome.entry,
    )
    if not accept_reading:
        refuse_questions(made, named, grouped=grouped)
    return made


def refuse_questions(
    read_in: Table | Dataset, target: str | None, *, grouped: bool = False, predicts: bool = False
) -> None:
    """Raise QuestionError if reading left decisions to the user.

    ``target`` is the target named by the user, or None; ``grouped`` says whether groups of rows were named or are not
    needed; ``predicts`` says whether rows are only predicted, so that nothing about the target matters.
    """
    default = read_in.default_target if isinstance(read_in, Table) else read_in.target_name
    asked = questions(read_in.readings, target or default, named=target is not None, grouped=grouped)
    if predicts:
        asked = tuple(each for each in asked if each.columns != (target,))
    if asked:
        raise QuestionError(read_in.name, asked)


def _read_one(path: Path, options: ReadOptions) -> Table:
    path = tenx.tenx_matrix(path) or path
    content = Content.of_file(path, options.encoding)
    refuse_by_content(content.data, content.name)
    reader = _choose(content, binary=True)
    if reader is None:
        refuse_by_name(content.name, is_text=_is_text(content))
        reader = _choose(content, binary=False) or delimited.READER
    table = reader.table(content, options)
    if reader.has_types:
        table = with_codes(table, options)
    if any(check.kind == "encoding" for check in table.checks) and not reader.binary:
        *_, decision = guessed_encoding(content.data)
        table = replace(table, readings=(decision, *table.readings))
    title, source = Path(content.name).stem, table.source
    if not f"{title}{source}".isprintable():  # a non-text name, as Linux allows, must not cause failure for other files
        title, source = (os.fsencode(text).decode("utf-8", "replace") for text in (title, source))
    return replace(table, name=title, source=source)


def _choose(content: Content, *, binary: bool) -> Reader | None:
    """The format of a file by its content, otherwise by its suffix."""
    readers = [reader for reader in READERS if reader.binary == binary and reader is not delimited.READER]
    by_content = next((reader for reader in readers if reader.recognises(content)), None)
    if by_content is None and binary and spreadsheet.READER.names(content.name) and _is_text(content):
        return None  # a text table named .xls, as written by instruments
    suffix = Path(content.name).suffix.lower()  # not the whole suffix: GEO's file names are weak evidence
    return by_content or next((reader for reader in readers if suffix in reader.suffixes), None)


def _is_text(content: Content) -> bool:
    """Whether a file is text, whatever its name."""
    marked = content.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
    if b"\0" in content.data[:_PROBE].rstrip(b"\0") and not marked:
        return False
    try:
        return bool(content.head.strip())
    except DataError:
        return False


def _labelled(table: Table, options: ReadOptions, file: Path) -> Table:
    """The table with labels from another file or, if there is no such file, from another sheet of its own file."""
    path = _beside(options.labels, file)
    if path.exists() or spreadsheet.READER is not _reader_of_content(file):
        return with_labels(table, path, options, _open_labels)
    return with_labels(table, file, options, partial(_open_sheet, sheet=options.labels))


def _reader_of_content(file: Path) -> Reader | None:
    return _choose(Content.of_file(file), binary=True)


def _open_sheet(path: Path, options: ReadOptions, sheet: str) -> Table:
    table = _read_one(path, options.updated({"sheet": sheet}))
    return replace(table, readings=tuple(each for each in table.readings if each.kind != spreadsheet.LABELS_KIND))


def _open_labels(path: Path, options: ReadOptions) -> Table:
    """Open a labels file; of a series matrix, read its sample descriptions, whether or not it also contains values."""
    content = Content.of_file(path, options.encoding)
    if _choose(content, binary=True) is None and geo.READER.recognises(content):
        return replace(geo.read_samples(content), name=Path(content.name).stem)
    return _read_one(path, options)


def _beside(labels: str, file: Path) -> Path:
    """Path of a labels file; if only its name is given, it is also looked for beside the table."""
    path = Path(labels)
    return path if path.exists() or path.is_absolute() else file.parent / path
