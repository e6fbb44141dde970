"""Data in JASP (.jasp) and jamovi (.omv) files, without analyses and results.

This reader is our own, because only the programs themselves read these files; the layout was derived from their
sources. Older JASP files and all jamovi files store columns in one binary part described in JSON; JASP 0.18 and later
use a SQLite database.
"""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check, Table
from fsdesk.data.frame import table_of_frame
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import MOST_CELLS
from fsdesk.data.readers.reader import Reader
from fsdesk.data.readers.sqlite import open_copy
from fsdesk.errors import DataError
from fsdesk.messages import joined, message_many

_ABOUT, _LABELS, _DATA, _STRINGS = "metadata.json", "xdata.json", "data.bin", "strings.bin"
_DATABASE = ".sqlite"
_MANIFEST = ("META-INF/MANIFEST.MF", "manifest.json")
_MOST_TEXT = 1 << 28
_NOTHING = -(1 << 31)
_CONDITION = re.compile(r"\s*(==|!=|<=|>=|<|>)\s*(?:'([^']*)'|\"([^\"]*)\"|(.*?))\s*")


@dataclass(frozen=True)
class _Column:
    """A column: numbers, or texts with their categories; and whether it merely names the rows."""

    numbers: NDArray[np.float64] | None = None
    texts: Sequence[str] = ()
    levels: tuple[str, ...] = ()
    is_id: bool = False


def is_jasp(members: frozenset[str]) -> bool:
    """Whether the files in a zip file are those of JASP or jamovi."""
    if {_ABOUT, _DATA} <= members:
        return True
    return bool(members.intersection(_MANIFEST)) and any(member.endswith(_DATABASE) for member in members)


def _read(content: Content, options: ReadOptions) -> Table:
    """Read the data: nominal and ordinal columns contain categories with their labels, in file order.

    Raises DataError for a damaged file or one without data.
    """
    name = content.name
    program = "jamovi" if name.lower().endswith(".omv") else "JASP"
    try:
        database = [member for member in content.members if member.endswith(_DATABASE)]
        if _DATA in content.members:
            columns, told, left_out = _of_parts(content)
        elif database:
            with closing(open_copy(content.member(database[0]))) as connection:
                columns, told, left_out = _of_database(connection)
        else:
            raise ValueError("no data")
    except DataError:
        raise
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except (
        ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError, sqlite3.Error,
    ):  # fmt: skip
        raise DataError(
            '"{name}" contains no readable {program} data. Open it there and export the data as CSV.',
            name=name,
            program=program,
        ) from None
    return _table(columns, told, left_out, name, program, options)


def _table(
    columns: Mapping[str, _Column],
    told: Mapping[str, str],
    left_out: int,
    name: str,
    program: str,
    options: ReadOptions,
) -> Table:
    import pandas as pd

    made: dict[str, Any] = {}
    index: list[str] | None = None
    for title, column in columns.items():
        if column.numbers is not None:
            made[title] = column.numbers
        elif column.is_id and index is None and "" not in column.texts and len(set(column.texts)) == len(column.texts):
            index = list(column.texts)
        else:
            made[title] = pd.Categorical([text or None for text in column.texts], list(column.levels) or None)
    checks = []
    if left_out:
        sentence = message_many(
            left_out,
            "A {program} filter excludes {count} row, but the row is read anyway. Remove it from the file if it "
            "should not be used.",
            "A {program} filter excludes {count} rows, but they are read anyway. Remove them from the file if they "
            "should not be used.",
            program=program,
        )
        checks.append(Check("filter", sentence))
    frame = pd.DataFrame(made, index=index)
    table = table_of_frame(frame, name, joined(", ", [name, program]), options, checks)
    return replace(table, descriptions={title: text for title, text in told.items() if title in table.columns and text})


Found = tuple[dict[str, _Column], dict[str, str], int]


def _of_parts(content: Content) -> Found:
    """Columns of the binary part: 8 bytes for a decimal number, 4 for an integer or a label code."""
    about = json.loads(content.member(_ABOUT, _MOST_TEXT))["dataSet"]
    kept = json.loads(content.member(_LABELS, _MOST_TEXT)) if _LABELS in content.members else {}
    data = content.member(_DATA)
    strings = content.member(_STRINGS) if _STRINGS in content.members else b""
    rows = int(about["rowCount"])
    if rows < 0 or rows * 4 * len(about["fields"]) > len(data):
        raise ValueError("cut short")
    columns: dict[str, _Column] = {}
    told: dict[str, str] = {}
    allowed = np.ones(rows, dtype=np.bool_)
    if len(passing := about.get("filterVector") or ()) == rows:
        allowed &= np.array(passing, dtype=np.bool_)
    start = 0
    for each in about["fields"]:
        title, wide = str(each["name"]), _is_decimal(each)
        end = start + rows * (8 if wide else 4)
        if end > len(data):
            raise ValueError("cut short")
        values = np.frombuffer(data[start:end], "<f8" if wide else "<i4")
        start = end
        if each.get("columnType") == "Filter":
            allowed &= (values != 0) | (not each.get("active", True))
            continue
        labels = kept.get(title) or {}
        columns[title] = _column(each, values, labels.get("labels") or [], strings)
        told[title] = str(each.get("description") or "").strip()
    return columns, told, int((~allowed).sum())


def _is_decimal(field: Mapping[str, Any]) -> bool:
    if "dataType" in field:
        return str(field["dataType"]) == "Decimal"
    return field.get("type") == "number" or field.get("measureType") in ("Continuous", "Scale")


def _column(field: Mapping[str, Any], values: NDArray[Any], labels: Sequence[Sequence[Any]], strings: bytes) -> _Column:
    measure = str(field.get("measureType") or "")
    is_text = field.get("dataType") == "Text" or measure == "NominalText"
    missing = [str(each) for each in field.get("missingValues") or ()]
    if is_text and field.get("type") == "string" and not labels:
        texts = ["" if place == _NOTHING else _string(strings, place) for place in values.tolist()]
        return _Column(texts=[_present(text, missing) for text in texts], is_id=measure == "ID")
    numbers = values.astype(np.float64)
    numbers[values == _NOTHING] = np.nan
    gone = [_means(numbers, each) for each in missing] if not is_text else []
    for each in gone:
        numbers[each] = np.nan
    if not labels or measure in ("Continuous", "Scale"):
        return _Column(numbers)
    words = {float(label[0]): str(label[1]).strip() for label in labels}
    texts = ["" if np.isnan(number) else words.get(number, f"{number:.15g}") for number in numbers.tolist()]
    if is_text:
        texts = [_present(text, missing) for text in texts]
    others = sorted({text for text in texts if text} - set(words.values()))
    levels = [word for word in dict.fromkeys(words.values()) if word and _present(word, missing if is_text else [])]
    return _Column(texts=texts, levels=(*levels, *others), is_id=measure == "ID")


def _string(strings: bytes, place: int) -> str:
    if not 0 <= place < len(strings):
        raise ValueError("no such text")
    end = strings.find(b"\0", place)
    return strings[place : end if end >= 0 else len(strings)].decode("utf-8", "replace").strip()


def _means(numbers: NDArray[np.float64], condition: str) -> NDArray[np.bool_]:
    """Where numbers are declared missing by a jamovi condition, such as "== 99" or "< 0"."""
    sign, word = _parsed(condition)
    try:
        limit = float(word)
    except ValueError:
        return np.zeros(len(numbers), dtype=np.bool_)
    compare = {
        "==": np.equal,
        "!=": np.not_equal,
        "<=": np.less_equal,
        ">=": np.greater_equal,
        "<": np.less,
        ">": np.greater,
    }
    found: NDArray[np.bool_] = (
        compare[sign](numbers, limit) if sign in compare else np.zeros(len(numbers), dtype=np.bool_)
    )
    return found


def _present(text: str, missing: Sequence[str]) -> str:
    """A text; "" if a jamovi condition declares it missing."""
    conditions = [_parsed(each) for each in missing]
    gone = any((sign == "==" and text == word) or (sign == "!=" and text != word) for sign, word in conditions)
    return "" if gone else text


def _parsed(condition: str) -> tuple[str, str]:
    found = _CONDITION.fullmatch(condition)
    return (found[1], next((word for word in found.groups()[1:] if word is not None), "")) if found else ("", "")


def _of_database(connection: sqlite3.Connection) -> Found:
    """Columns of the database of JASP 0.18 and later: numbers and label codes, all in one table of rows."""
    (number,) = connection.execute("SELECT id FROM DataSets ORDER BY id LIMIT 1").fetchone()
    table = f'"DataSet_{int(number)}"'
    listed = connection.execute(
        "SELECT id, name, title, description, columnType FROM Columns WHERE dataSet = ? ORDER BY colIdx", (number,)
    ).fetchall()
    (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    if not listed or rows * len(listed) > MOST_CELLS:
        raise ValueError("no columns, or too many")
    columns: dict[str, _Column] = {}
    told: dict[str, str] = {}
    for place, name, title, description, kind in listed:
        pairs = connection.execute(
            f'SELECT "Column_{int(place)}_DBL", "Column_{int(place)}_INT" FROM {table} ORDER BY rowNumber'
        ).fetchall()
        labels = connection.execute(
            "SELECT value, label FROM Labels WHERE columnId = ? ORDER BY ordering", (place,)
        ).fetchall()
        columns[str(name)] = _of_pairs(pairs, labels, str(kind).lower())
        told[str(name)] = str(description or (title if title != name else "") or "").strip()
    return columns, told, _filtered(connection, table)


def _of_pairs(pairs: Sequence[tuple[Any, Any]], labels: Sequence[tuple[Any, Any]], kind: str) -> _Column:
    if kind == "scale" or not labels:
        return _Column(np.array([_number(double) for double, _ in pairs], dtype=np.float64))
    words = {int(value): str(label).strip() for value, label in labels}
    texts = []
    for double, code in pairs:
        number = _number(double)
        if code in words:
            texts.append(words[code])
        else:
            texts.append("" if np.isnan(number) else f"{number:.15g}")
    levels = list(dict.fromkeys(word for word in words.values() if word))
    return _Column(texts=texts, levels=(*levels, *sorted({text for text in texts if text} - set(levels))))


def _number(value: Any) -> float:
    """A number of the database, which stores infinite and missing values as text."""
    return float(value) if isinstance(value, int | float) else float("nan")


def _filtered(connection: sqlite3.Connection, table: str) -> int:
    """Rows excluded by the filter in the file."""
    titles = [str(each[0]) for each in connection.execute(f"SELECT * FROM {table} LIMIT 0").description]
    filters = [title for title in titles if re.fullmatch(r"Filter_\d+", title)]
    if not filters:
        return 0
    (count,) = connection.execute(f'SELECT count(*) FROM {table} WHERE "{filters[0]}" = 0').fetchone()
    return int(count)


READER = Reader(
    "JASP, jamovi",
    (".jasp", ".omv"),
    _read,
    lambda content: is_jasp(content.members),
    ("orientation", "row_ids", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
)
