"""The reduced table: row ids, the selected features and the target, as files that other programs read.

Categories and classes are written by name, missing values as what each format has for them. In CSV and Excel no text
can be taken for a formula: see :mod:`fsdesk.results.formulas`.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from fsdesk.data import Dataset
from fsdesk.errors import DataError
from fsdesk.results.formulas import escape_formula, is_number
from fsdesk.results.result import Result

__all__ = ["ReducedColumn", "reduced_arff", "reduced_columns", "reduced_csv", "reduced_excel", "reduced_parquet"]

Value = float | str | None

_EXCEL_ROWS, _EXCEL_COLUMNS, _EXCEL_LETTERS = 1_048_576, 16_384, 32_767
_BREAKS = re.compile(r"[\r\n\t]+")


@dataclass(frozen=True)
class ReducedColumn:
    """One column: numbers, or texts where ``levels`` is not None; None where a value is missing."""

    name: str
    values: tuple[Value, ...]
    levels: tuple[str, ...] | None = None


def reduced_columns(result: Result, dataset: Dataset) -> tuple[ReducedColumn, ...]:
    """The selected features in the order of the table, then the target."""
    columns = [_feature(dataset, int(place)) for place in np.flatnonzero(result.mask)]
    if dataset.response is not None:
        return (*columns, ReducedColumn(dataset.target_name, tuple(dataset.response.tolist())))
    names = tuple(dataset.classes[code] for code in dataset.target)
    return (*columns, ReducedColumn(dataset.target_name, names, dataset.classes))


def _feature(dataset: Dataset, place: int) -> ReducedColumn:
    levels = dataset.categories.get(place)
    numbers: list[float] = dataset.x[:, place].tolist()
    values: tuple[Value, ...] = tuple(
        None if np.isnan(number) else number if levels is None else levels[int(number)] for number in numbers
    )
    return ReducedColumn(dataset.features[place], values, levels)


def row_title(columns: Sequence[ReducedColumn]) -> str:
    """What the column of row ids is called: "row", or with underscores where a feature has that name."""
    title, taken = "row", {column.name for column in columns}
    while title in taken:
        title += "_"
    return title


def _number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _cell(value: Value) -> str:
    return "" if value is None else escape_formula(value) if isinstance(value, str) else _number(value)


def reduced_csv(result: Result, dataset: Dataset) -> str:
    """As CSV in UTF-8; missing values are empty."""
    columns = reduced_columns(result, dataset)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([row_title(columns), *(escape_formula(column.name) for column in columns)])
    for place, row in enumerate(dataset.rows):
        writer.writerow([escape_formula(row), *(_cell(column.values[place]) for column in columns)])
    return buffer.getvalue()


def reduced_excel(result: Result, dataset: Dataset) -> bytes:
    """As a workbook of one sheet; missing values are empty cells. DataError where the table is too large for one."""
    import xlsxwriter

    columns = reduced_columns(result, dataset)
    if len(dataset.rows) >= _EXCEL_ROWS or len(columns) >= _EXCEL_COLUMNS:
        raise DataError(
            "A sheet of Excel holds {excel_rows:,} rows and {excel_columns:,} columns, too few for this table: "
            "export it as CSV or Parquet.",
            excel_rows=_EXCEL_ROWS,
            excel_columns=_EXCEL_COLUMNS,
        )
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"created": datetime(1980, 1, 1, tzinfo=UTC)})  # the same table, the same bytes
    sheet = book.add_worksheet("reduced table")
    bold = book.add_format({"bold": True})
    sheet.freeze_panes(1, 1)
    for place, name in enumerate([row_title(columns), *(column.name for column in columns)]):
        sheet.write_string(0, place, escape_formula(name)[:_EXCEL_LETTERS], bold)
    texts = [ReducedColumn("", dataset.rows, ()), *columns]
    for across, column in enumerate(texts):
        for down, value in enumerate(column.values, 1):
            if isinstance(value, str) and not is_number(value):
                sheet.write_string(down, across, escape_formula(value)[:_EXCEL_LETTERS])
            elif value is not None and np.isfinite(float(value)):
                sheet.write_number(down, across, float(value))
    book.close()
    return buffer.getvalue()


def reduced_parquet(result: Result, dataset: Dataset) -> bytes:
    """As Parquet; categories as dictionaries, missing values as nulls. DataError where pyarrow is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DataError(
            'Parquet needs the library pyarrow: install it with: pip install "fsdesk[formats]", and export again.'
        ) from None
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


def reduced_arff(result: Result, dataset: Dataset) -> str:
    """As Weka's ARFF, the target last, missing values as "?".

    Row ids stand in comments, unless they only number the rows: most of Weka's models refuse a column of texts.
    """
    columns = reduced_columns(result, dataset)
    lines = []
    if dataset.rows != tuple(map(str, range(1, len(dataset.rows) + 1))):
        lines = ["% The row ids, in order:", *(f"% {_flat(row)}" for row in dataset.rows)]
    lines += [f"@relation {_quoted(dataset.name)}", ""]
    for column in columns:
        kind = "numeric" if column.levels is None else "{" + ",".join(map(_quoted, column.levels)) + "}"
        lines.append(f"@attribute {_quoted(column.name)} {kind}")
    lines += ["", "@data"]
    lines += [",".join(_weka(column.values[place]) for column in columns) for place in range(len(dataset.rows))]
    return "\n".join(lines) + "\n"


def _weka(value: Value) -> str:
    return "?" if value is None else _quoted(value) if isinstance(value, str) else _number(value)


def _flat(text: str) -> str:
    return _BREAKS.sub(" ", text)


def _quoted(text: str) -> str:
    return "'" + _flat(text).replace("\\", "\\\\").replace("'", "\\'") + "'"
