"""The reduced table: row IDs, the selected features and the target, in the formats of other software.

Categories and classes are written by name, missing values in the manner of each format.
"""

import io
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import entries_of
from fsdesk.errors import DataError
from fsdesk.results.record import RunRecord
from fsdesk.results.sheets import csv_text, escape_formula, is_number

if TYPE_CHECKING:
    import pandas as pd

Value = float | str | None

_EXCEL_ROWS, _EXCEL_COLUMNS, _EXCEL_LETTERS = 1_048_576, 16_384, 32_767
_BREAKS = re.compile(r"[\r\n\t]+")
_ODD = re.compile(r"[^A-Za-z0-9_]+")
_RESERVED = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with", "if", "in", "using"}
_SPSS_NAME, _STATA_NAME, _STATA_LABEL = 64, 32, 80
_SAS_NAME, _SAS_LABEL, _SAS_HEAD = 8, 40, 800
_SAS_TIME = re.compile(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d")
_NEVER = b"01 Jan 8000:00:00"  # fixed date and time of SPSS files, so that the same table gives the same bytes
_SPSS_TIME = slice(92, 109)
_STATA_TIME = re.compile(rb"<timestamp>\x11.{17}</timestamp>", re.DOTALL)


@dataclass(frozen=True)
class ReducedColumn:
    """One column: numbers, or texts if ``levels`` is not None; None if a value is missing."""

    name: str
    values: tuple[Value, ...]
    levels: tuple[str, ...] | None = None


def reduced_columns(result: RunRecord, dataset: Dataset) -> tuple[ReducedColumn, ...]:
    """The selected features in the order of the table, then the target."""
    columns = [_feature(dataset, int(place)) for place in np.flatnonzero(result.mask)]
    if dataset.event:  # the event as 1, censored as 0
        assert dataset.response is not None
        return (*columns, *_outcome_columns(dataset, dataset.response))
    if dataset.response is not None:
        return (*columns, ReducedColumn(dataset.target_name, tuple(dataset.response.tolist())))
    names = tuple(dataset.classes[code] for code in dataset.target)
    return (*columns, ReducedColumn(dataset.target_name, names, dataset.classes))


def _outcome_columns(dataset: Dataset, response: NDArray[np.float64]) -> Iterator[ReducedColumn]:
    """The time, whether the event was observed, and the entry time; or a single column in R's notation."""
    times, entries = dataset.times.tolist(), entries_of(response)
    if dataset.event_column == dataset.target_name:
        ends = [_number(time) + ("" if seen else "+") for time, seen in zip(times, dataset.target, strict=True)]
        if entries is not None:
            ends = [f"({_number(entry)},{end}]" for entry, end in zip(entries.tolist(), ends, strict=True)]
        yield ReducedColumn(dataset.target_name, tuple(ends), tuple(sorted(set(ends))))
        return
    yield ReducedColumn(dataset.target_name, tuple(times))
    yield ReducedColumn(dataset.event_column, tuple(dataset.target.astype(np.float64).tolist()))
    if dataset.entry:
        known = np.zeros(len(times)) if entries is None else entries
        yield ReducedColumn(dataset.entry, tuple(known.tolist()))


def _feature(dataset: Dataset, place: int) -> ReducedColumn:
    levels = dataset.categories.get(place)
    numbers: list[float] = dataset.x[:, place].tolist()
    values: tuple[Value, ...] = tuple(
        None if np.isnan(number) else number if levels is None else levels[int(number)] for number in numbers
    )
    return ReducedColumn(dataset.features[place], values, levels)


def row_title(columns: Sequence[ReducedColumn]) -> str:
    """Title of the column of row IDs: "row", with underscores if a feature has that name."""
    title, taken = "row", {column.name for column in columns}
    while title in taken:
        title += "_"
    return title


def _number(value: float) -> str:
    """The shortest text that is read back as the same number."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _is_same_number(text: str) -> bool:
    """Whether a spreadsheet would keep this text when it reads it as a number: it turns "007" into 7."""
    return is_number(text) and _number(float(text)) == text


def _cell(value: Value) -> str:
    return "" if value is None else escape_formula(value) if isinstance(value, str) else _number(value)


def reduced_csv(result: RunRecord, dataset: Dataset) -> str:
    """The table as CSV in UTF-8; missing values are empty."""
    columns = reduced_columns(result, dataset)
    head = [row_title(columns), *(escape_formula(column.name) for column in columns)]
    lines = (
        [escape_formula(row), *(_cell(column.values[place]) for column in columns)]
        for place, row in enumerate(dataset.rows)
    )
    return csv_text([head, *lines])


def reduced_excel(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as a workbook with one sheet; missing values are empty cells. DataError if it is too large for one."""
    import xlsxwriter

    columns = reduced_columns(result, dataset)
    if len(dataset.rows) >= _EXCEL_ROWS or len(columns) >= _EXCEL_COLUMNS:
        raise DataError(
            "An Excel sheet is limited to {excel_rows:,} rows and {excel_columns:,} columns, too few for this table. "
            "Export it as CSV or Parquet.",
            excel_rows=_EXCEL_ROWS,
            excel_columns=_EXCEL_COLUMNS,
        )
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"created": datetime(1980, 1, 1, tzinfo=UTC)})  # so that the same table gives the same bytes
    sheet = book.add_worksheet("reduced table")
    bold = book.add_format({"bold": True})
    sheet.freeze_panes(1, 1)
    for place, name in enumerate([row_title(columns), *(column.name for column in columns)]):
        sheet.write_string(0, place, escape_formula(name)[:_EXCEL_LETTERS], bold)
    texts = [ReducedColumn("", dataset.rows, ()), *columns]
    for across, column in enumerate(texts):
        for down, value in enumerate(column.values, 1):
            if isinstance(value, str) and not _is_same_number(value):
                sheet.write_string(down, across, escape_formula(value)[:_EXCEL_LETTERS])
            elif value is not None and np.isfinite(float(value)):
                sheet.write_number(down, across, float(value))
    book.close()
    return buffer.getvalue()


def reduced_parquet(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as Parquet; categories as dictionaries, missing values as nulls."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = reduced_columns(result, dataset)
    arrays = {row_title(columns): pa.array(dataset.rows, pa.string())}
    for column in columns:
        if column.levels is None:
            arrays[column.name] = pa.array(column.values, pa.float64())
        else:
            codes = {name: code for code, name in enumerate(column.levels)}
            places = [None if value is None else codes[str(value)] for value in column.values]
            arrays[column.name] = pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), list(column.levels))
    buffer = io.BytesIO()
    pq.write_table(pa.table(arrays), buffer)
    return buffer.getvalue()


def reduced_arff(result: RunRecord, dataset: Dataset) -> str:
    """The table as Weka's ARFF, with the target last and missing values as "?".

    Row IDs are comments, unless they only number the rows: most of Weka's models reject a text column.
    """
    columns = reduced_columns(result, dataset)
    lines = []
    if dataset.rows != tuple(map(str, range(1, len(dataset.rows) + 1))):
        lines = ["% The row ids, in order:", *(f"% {_flat(row)}" for row in dataset.rows)]
    lines += [f"@relation {_in_quotes(dataset.name)}", ""]
    for column in columns:
        kind = "numeric" if column.levels is None else "{" + ",".join(map(_in_quotes, column.levels)) + "}"
        lines.append(f"@attribute {_in_quotes(column.name)} {kind}")
    lines += ["", "@data"]
    lines += [",".join(_weka(column.values[place]) for column in columns) for place in range(len(dataset.rows))]
    return "\n".join(lines) + "\n"


def _weka(value: Value) -> str:
    return "?" if value is None else _in_quotes(value) if isinstance(value, str) else _number(value)


def _flat(text: str) -> str:
    return _BREAKS.sub(" ", text)


def _in_quotes(text: str) -> str:
    return "'" + _flat(text).replace("\\", "\\\\").replace("'", "\\'") + "'"


def plain_names(names: Sequence[str], longest: int) -> list[str]:
    """Names of letters, digits and underscores that begin with a letter, unique regardless of case."""
    made: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = _ODD.sub("_", name).strip("_")
        plain = plain if plain[:1].isalpha() and plain.lower() not in _RESERVED else f"v_{plain}"
        chosen, number = plain[:longest], 1
        while chosen.lower() in taken:
            number += 1
            chosen = f"{plain[: longest - len(str(number)) - 1]}_{number}"
        taken.add(chosen.lower())
        made.append(chosen)
    return made


def _frame(
    columns: Sequence[ReducedColumn], rows: Sequence[str], names: Sequence[str], *, codes: bool
) -> "pd.DataFrame":
    """Row IDs and columns: numbers, and categories as such or (``codes``) as numbers from 1."""
    import pandas as pd

    made: dict[str, Any] = {names[0]: pd.Series(list(rows), dtype=object)}  # rdata does not support a newer string type
    for name, column in zip(names[1:], columns, strict=True):
        if column.levels is None:
            made[name] = np.array(column.values, dtype=np.float64)
            continue
        chosen = pd.Categorical(column.values, pd.Index(list(column.levels), dtype=object))
        made[name] = np.where(chosen.codes < 0, np.nan, chosen.codes + 1.0) if codes else chosen
    return pd.DataFrame(made)


def _written(write: Callable[[Path], object], suffix: str) -> bytes:
    """The output of a library that can only write to paths."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{suffix}"
        write(path)
        return path.read_bytes()


def _labelled(result: RunRecord, dataset: Dataset, longest: int) -> "tuple[pd.DataFrame, dict[str, Any]]":
    """The table with codes, and its metadata: titles of the columns, and labels of their values."""
    columns = reduced_columns(result, dataset)
    titles = [row_title(columns), *(column.name for column in columns)]
    names = plain_names(titles, longest)
    labels = {
        name: {place: _short(level) for place, level in enumerate(column.levels, 1)}
        for name, column in zip(names[1:], columns, strict=True)
        if column.levels is not None
    }
    told = {"column_labels": [_short(title) for title in titles], "variable_value_labels": labels}
    return _frame(columns, dataset.rows, names, codes=True), told


def _short(label: str) -> str:
    return label if len(label) <= _STATA_LABEL else f"{label[: _STATA_LABEL - 1]}…"


def reduced_spss(result: RunRecord, dataset: Dataset) -> bytes:
    """The table for SPSS: categories as codes with labels, column names as variable labels."""
    import pyreadstat

    frame, told = _labelled(result, dataset, _SPSS_NAME)
    measures = {str(name): "nominal" if name in told["variable_value_labels"] else "scale" for name in list(frame)[1:]}
    made = bytearray(
        _written(lambda path: pyreadstat.write_sav(frame, path, variable_measure=measures, **told), ".sav")
    )
    made[_SPSS_TIME] = _NEVER
    return bytes(made)


def reduced_stata(result: RunRecord, dataset: Dataset) -> bytes:
    """The table for Stata 14 and later, with value and variable labels."""
    import pyreadstat

    frame, told = _labelled(result, dataset, _STATA_NAME)
    made = _written(lambda path: pyreadstat.write_dta(frame, path, version=15, **told), ".dta")
    return _STATA_TIME.sub(b"<timestamp>\x1101 Jan 1980 00:00</timestamp>", made, count=1)


def reduced_sas(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as a SAS transport file of version 5, which all readers support; categories are words."""
    import pyreadstat

    columns = reduced_columns(result, dataset)
    titles = [row_title(columns), *(column.name for column in columns)]
    names = plain_names(titles, _SAS_NAME)
    frame = _frame(columns, dataset.rows, names, codes=False)
    for name, column in zip(names[1:], columns, strict=True):
        if column.levels is not None:
            frame[name] = frame[name].astype(object).where(frame[name].notna(), "")
    labels: list[str | None] = [title.encode()[:_SAS_LABEL].decode(errors="ignore") for title in titles]
    made = _written(
        lambda path: pyreadstat.write_xport(frame, path, table_name="TABLE", column_labels=labels,
                                            file_format_version=5), ".xpt"
    )  # fmt: skip
    return _SAS_TIME.sub(b"01JAN80:00:00:00", made[:_SAS_HEAD]) + made[_SAS_HEAD:]


def reduced_numpy(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as NumPy arrays: X, y and their names or, with categorical features, a record array, ``table``."""
    columns = reduced_columns(result, dataset)
    buffer = io.BytesIO()
    rows: NDArray[Any] = np.array(dataset.rows, dtype=np.str_)
    features, target = columns[:-1], columns[-1]
    if any(column.levels is not None for column in features):
        titles = _unlike([row_title(columns), *(column.name for column in columns)])
        fields = [rows, *map(_array, columns)]
        table = np.empty(len(rows), dtype=[(name, each.dtype) for name, each in zip(titles, fields, strict=True)])
        for name, each in zip(titles, fields, strict=True):
            table[name] = each
        np.savez(buffer, table=table)
    else:
        x = np.column_stack([_array(column) for column in features])
        names = np.array([column.name for column in features], dtype=np.str_)
        np.savez(buffer, X=x, y=_array(target), feature_names=names, sample_names=rows)
    return buffer.getvalue()


def _array(column: ReducedColumn) -> NDArray[Any]:
    """(n,) numbers, or the names of categories, "" if missing."""
    if column.levels is None:
        return np.array(column.values, dtype=np.float64)
    return np.array(["" if value is None else str(value) for value in column.values], dtype=np.str_)


def reduced_sqlite(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as an SQLite database with one table: numbers as REAL, categories as TEXT, missing values as NULL."""
    columns = reduced_columns(result, dataset)
    names = _unlike([row_title(columns), *(column.name for column in columns)])
    kinds = ["TEXT", *("REAL" if column.levels is None else "TEXT" for column in columns)]
    declared = ", ".join(f"{_quoted(name)} {kind}" for name, kind in zip(names, kinds, strict=True))
    cells = [list(dataset.rows), *(_nullable(column) for column in columns)]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f'CREATE TABLE "table" ({declared})')
        wanted = ", ".join("?" * len(names))
        database.executemany(f'INSERT INTO "table" VALUES ({wanted})', zip(*cells, strict=True))
        database.commit()
        return database.serialize()


SQLITE_FEATURES = 1990
"""The maximum number of features beside row IDs and target in an SQLite table, which has 2,000 columns."""


def _quoted(name: str) -> str:
    return '"' + name.replace("\0", "").replace('"', '""') + '"'


def _nullable(column: ReducedColumn) -> list[object]:
    if column.levels is not None:
        return list(column.values)
    return [None if np.isnan(value) else value for value in np.array(column.values, dtype=np.float64).tolist()]


def _unlike(names: Sequence[str]) -> list[str]:
    """Names that are unique regardless of case, as required by databases and records."""
    made: list[str] = []
    taken: set[str] = set()
    for name in names:
        chosen, number = name or "x", 1
        while chosen.lower() in taken:
            number += 1
            chosen = f"{name}_{number}"
        taken.add(chosen.lower())
        made.append(chosen)
    return made


def reduced_r(result: RunRecord, dataset: Dataset) -> bytes:
    """The table for R's readRDS: a data frame with factors."""
    import rdata

    columns = reduced_columns(result, dataset)
    titles = [row_title(columns), *(column.name for column in columns)]
    frame = _frame(columns, dataset.rows, titles, codes=False)
    return _written(lambda path: rdata.write_rds(path, frame, compression=None), ".rds")


def reduced_feather(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as Feather; categories as dictionaries, missing values as nulls."""
    import pyarrow as pa
    from pyarrow import feather

    columns = reduced_columns(result, dataset)
    titles = [row_title(columns), *(column.name for column in columns)]
    frame = _frame(columns, dataset.rows, titles, codes=False)
    buffer = io.BytesIO()
    feather.write_feather(pa.Table.from_pandas(frame, preserve_index=False), buffer)
    return buffer.getvalue()


def reduced_anndata(result: RunRecord, dataset: Dataset) -> bytes:
    """The table as AnnData: numeric features in X, the target and categorical features among the observations."""
    import h5py

    columns = reduced_columns(result, dataset)
    numeric = [column for column in columns[:-1] if column.levels is None]
    others = [column for column in columns[:-1] if column.levels is not None] + [columns[-1]]
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        _encoded(file, "anndata", "0.1.0")
        values = [np.array(column.values, dtype=np.float64) for column in numeric]
        matrix = file.create_dataset("X", data=np.column_stack(values) if values else np.empty((len(dataset.rows), 0)))
        _encoded(matrix, "array", "0.2.0")
        for key, names, told in (("obs", dataset.rows, others), ("var", [each.name for each in numeric], [])):
            frame = file.create_group(key)
            _encoded(frame, "dataframe", "0.2.0")
            title = row_title(told)
            titles = [each.name.replace("/", "_") for each in told]  # HDF5 separates its paths by these
            frame.attrs["_index"] = title
            frame.attrs.create("column-order", np.array(titles, dtype=object), dtype=h5py.string_dtype())
            _strings(frame, title, names)
            for each, column in zip(titles, told, strict=True):
                _observation(frame, each, column)
        for key in ("layers", "obsm", "varm", "obsp", "varp", "uns"):
            _encoded(file.create_group(key), "dict", "0.1.0")
    return buffer.getvalue()


def _encoded(node: Any, kind: str, version: str) -> None:
    node.attrs["encoding-type"], node.attrs["encoding-version"] = kind, version


def _strings(group: Any, key: str, words: Sequence[str]) -> None:
    import h5py

    made = group.create_dataset(key, data=np.array(words, dtype=object), dtype=h5py.string_dtype())
    _encoded(made, "string-array", "0.2.0")


def _observation(frame: Any, title: str, column: ReducedColumn) -> None:
    if column.levels is None:
        _encoded(frame.create_dataset(title, data=np.array(column.values, dtype=np.float64)), "array", "0.2.0")
        return
    group = frame.create_group(title)
    _encoded(group, "categorical", "0.2.0")
    group.attrs["ordered"] = False
    places = {level: place for place, level in enumerate(column.levels)}
    codes = [-1 if value is None else places[str(value)] for value in column.values]
    _encoded(group.create_dataset("codes", data=np.array(codes, dtype=np.int32)), "array", "0.2.0")
    _strings(group, "categories", column.levels)
