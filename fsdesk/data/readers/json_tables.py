"""JSON tables: records, columns, or rows of cells, in one file or one per line (JSON Lines).

The standard library's json reads them; their conversion is our own code, because pandas.read_json silently converts
text to dates and numbers, keeps the last of duplicate keys, and puts objects into cells.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fsdesk.data.cells import Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.matrices import MOST_CELLS, among, several_tables, too_large
from fsdesk.data.readers.reader import Reader
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_BEGINS = re.compile(r'\s*(?:\{\s*"|\[\s*[\[{]|\[\s*\]|\{\s*\})')
_MOST_BYTES = 1 << 29  # of text; its Python objects take ten times as much memory
_FEWEST_ROWS, _DEEPEST, _MOST_LEVELS = 2, 2, 20
_LONGEST = 40
_NO_TABLE = message(
    "write it as a list of records, one per row, for example with pandas to_json(..., orient='records'), and open that"
)


def _recognises(content: Content) -> bool:
    if content.name.lower().endswith((".json", ".jsonl", ".ndjson")):
        return True
    return _BEGINS.match(content.head[:200]) is not None and content.head.lstrip()[:1] in ("{", "[")


def _read(content: Content, options: ReadOptions) -> Table:
    """Read the table, or the one named by ``options.part`` if there are several.

    Raises DataError for invalid JSON, duplicate keys, objects within a cell, and rows of different lengths; names the
    row and the column.
    """
    name = content.name
    if len(content.data) > _MOST_BYTES:
        raise DataError('"{name}" is too large for a JSON file. Save the table as CSV or Parquet.', name=name)
    text = content.text().text.lstrip("\ufeff")
    try:
        tables = dict(_tables(_parsed(text, name)))
    except RecursionError:
        raise DataError('"{name}" is nested too deeply to be a table; {advice}.', name=name, advice=_NO_TABLE) from None
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    wanted = options.part.strip() or (next(iter(tables)) if len(tables) == 1 else "")
    if not wanted and len(tables) > 1:
        raise several_tables([*tables], name)
    if wanted not in tables:
        there = message("choose one of: {paths}", paths=quoted([*tables], 5)) if tables else _NO_TABLE
        raise DataError('"{name}" contains no table{wanted}; {there}.', name=name, there=there,
                        wanted=message(' "{part}"', part=wanted) if wanted else "")  # fmt: skip
    table = to_table(*_grid(tables[wanted], name, options))
    return among(table, [*tables], wanted) if len(tables) > 1 else table


def _parsed(text: str, name: str) -> Any:
    """The content of the text: one value, or a list with one for each line."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Extra data"):
            raise _no_json(name, error.lineno, error.msg) from None
    except DataError:
        raise
    except ValueError:  # a number with thousands of digits
        raise _no_json(name, 1, message("a number is too long")) from None
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(json.loads(line, object_pairs_hook=_once))
            except DataError:
                raise
            except ValueError as error:
                raise _no_json(name, number, getattr(error, "msg", "")) from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise DataError('"{key}" occurs twice in one JSON object. Keep one value for each name.', key=twice)
    return found


def _no_json(name: str, line: int, why: str) -> DataError:
    return DataError(
        'Line {line} of "{name}" is not JSON ({why}). The file may be truncated: download or copy it again, or '
        "correct that line.",
        name=name, line=line, why=why,
    )  # fmt: skip


def _tables(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All possible tables in a value, by path; "table" for the value itself."""
    if isinstance(value, dict) and _are_records(value):
        value = {key: _flat(inner) for key, inner in value.items()}
    if _is_table(value) and not (path and isinstance(value, list) and len(value) < _FEWEST_ROWS):
        yield path or "table", value
    elif isinstance(value, dict):
        beside = _with_lists_beside(value)
        if beside is not None:
            yield path or "table", beside
            return
        if "schema" in value and "data" in value:  # pandas' "table"
            value = {"data": value["data"]}
        for key, inner in value.items():
            if isinstance(inner, dict | list) and inner and path.count("/") < _DEEPEST:
                yield from _tables(inner, f"{path}/{key}".lstrip("/"))


def _are_records(value: Mapping[str, Any]) -> bool:
    """Whether an object holds a record with further objects for each of several samples, all with the same names."""
    if len(value) < _FEWEST_RECORDS or not all(isinstance(each, dict) for each in value.values()):
        return False
    names = [frozenset(each) for each in value.values()]
    nested = [cell for each in value.values() for cell in each.values() if isinstance(cell, dict | list)]
    return bool(nested) and not any(isinstance(cell, list) for cell in nested) and len({*names}) == 1


_FEWEST_RECORDS = 5


def _with_lists_beside(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Rows of numbers with further entries beside them: a value for each row, such as y, and the column names.

    This is the form of scikit-learn's data sets; the result is None if there is only a single list of rows. Raises
    DataError if there are too few or too many values of y.
    """
    matrices = [key for key, inner in value.items() if isinstance(inner, list) and _is_table(inner)
                and isinstance(inner[0], list) and len({*map(len, inner)}) == 1]  # fmt: skip
    flat = {key: inner for key, inner in value.items() if isinstance(inner, list) and inner and key not in matrices
            and not any(isinstance(each, dict | list) for each in inner)}  # fmt: skip
    if len(matrices) != 1 or not flat or _is_split(value):
        return None
    rows = value[matrices[0]]
    height, width = len(rows), len(rows[0])
    words = (key for key, inner in flat.items() if len(inner) == width and _all_are(inner, str))
    titles = next((key for key in words if width != height or "name" in key.lower() or "column" in key.lower()), "")
    behind = {key: inner for key, inner in flat.items() if len(inner) == height and key != titles}
    odd = next((key for key in flat if key not in behind and key.lower() in _Y_NAMES), "")
    if odd:
        raise DataError(
            '"{y}" has {values} values, but "{x}" has {rows} rows. Give one value per row.',
            y=odd, values=len(flat[odd]), x=matrices[0], rows=height,
        )  # fmt: skip
    if not behind and not titles:
        return None
    classes = flat.get("target_names")
    codes = behind.get("target")
    if classes and codes and all(isinstance(code, int) and 0 <= code < len(classes) for code in codes):
        behind["target"] = [classes[code] for code in codes]
    names = flat[titles] if titles else [f"x{place}" for place in range(1, width + 1)]
    data = [[*row, *more] for row, *more in zip(rows, *behind.values(), strict=True)]
    return {"columns": [*names, *behind], "data": data}


_Y_NAMES = frozenset(("y", "target", "targets", "label", "labels", "class", "classes"))


def _is_table(value: Any) -> bool:
    """Whether a value is a list of records or rows, an object of columns, or pandas' "split"."""
    if isinstance(value, list):
        return bool(value) and (_all_are(value, dict) or _all_are(value, list))
    if not isinstance(value, dict) or not value:
        return False
    if _is_split(value):
        return True
    columns = [*value.values()]
    if _all_are(columns, list) and len({*map(len, columns)}) == 1 and not any(map(_is_table, columns)):
        return len(columns[0]) > 1
    return _all_are(columns, dict) and len(columns) > 1 and not any(_is_nested(inner) for inner in columns)


def _is_split(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("columns"), list) and isinstance(value.get("data"), list)


def _all_are(values: Sequence[Any], kind: type) -> bool:
    return all(isinstance(each, kind) for each in values)


def _is_nested(value: Mapping[str, Any]) -> bool:
    return any(isinstance(each, dict | list) for each in value.values())


def _grid(value: Any, name: str, options: ReadOptions) -> tuple[Grid, ReadOptions]:
    """The cells of a table, starting with its names, and how to read them."""
    readings: tuple[Reading, ...] = ()
    named = options.updated({"header": "yes", "below_header": "data"})
    if isinstance(value, list) and isinstance(value[0], dict):
        how, rows = message("records"), _of_records(value)
    elif isinstance(value, list):
        how, rows, named = message("rows"), [[*row] for row in value], options
    elif _is_split(value):
        how, rows = message("columns, index and data"), _of_split(value, name)
    elif _all_are([*value.values()], list):
        how, rows = message("columns"), [[*value], *map(list, zip(*value.values(), strict=True))]
    else:
        rows, readings = _of_objects(value)
        how = message("objects")
    width = max(map(len, rows))
    if len(rows) * width > MOST_CELLS:
        raise too_large(name, len(rows), width)
    cells = [[_cell(cell, number, place, rows[0], name) for place, cell in enumerate(row)]
             for number, row in enumerate(rows)]  # fmt: skip
    source = joined(", ", [name, message("JSON ({how})", how=how)])

    def numbered() -> Iterator[tuple[int, Row]]:
        return ((number, [*row]) for number, row in enumerate(cells))

    return Grid(name, source, numbered, readings=readings, stores_numbers=True), named


def _of_records(records: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Names and rows; a record without a name has no value there. Objects in records give columns such as labs.crp."""
    names: list[str] = []
    known = set[str]()
    if any(isinstance(cell, dict) for record in records for cell in record.values()):
        records = [_flat(record) for record in records]
    for record in records:
        place = 0
        for key in record:
            if key not in known:  # after the previous name
                names.insert(place, key)
                known.add(key)
                place += 1
            elif place < len(names) and names[place] == key:
                place += 1
            else:
                place = names.index(key) + 1
    return [names, *([record.get(key) for key in names] for record in records)]


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with nested objects replaced by their entries, named as by pandas.json_normalize."""
    return _once([*_entries(record, "")])


def _entries(record: Mapping[str, Any], before: str, deep: int = 0) -> Iterator[tuple[str, Any]]:
    for key, cell in record.items():
        if isinstance(cell, dict) and len(cell) == 1 and next(iter(cell)).startswith("$"):
            yield before + key, next(iter(cell.values()))  # MongoDB writes {"$oid": "..."} for a typed value
        elif isinstance(cell, dict) and deep < _MOST_LEVELS:
            yield from _entries(cell, f"{before}{key}.", deep + 1)
        else:
            yield before + key, cell


def _of_split(value: Mapping[str, Any], name: str) -> list[list[Any]]:
    columns, data, index = value["columns"], value["data"], value.get("index")
    if not _all_are(data, list):
        raise DataError('"{name}" contains no table; {there}.', name=name, there=_NO_TABLE)
    if not isinstance(index, list) or len(index) != len(data):
        return [columns, *data]
    return [["", *columns], *([key, *row] for key, row in zip(index, data, strict=True))]


def _of_objects(value: Mapping[str, Mapping[str, Any]]) -> tuple[list[list[Any]], tuple[Reading, ...]]:
    """Rows of an object of objects: one per column as pandas writes them, or one per row; a question if unclear."""
    inner = dict.fromkeys(key for each in value.values() for key in each)
    outer_counts, inner_counts = (all(map(str.isdigit, keys)) for keys in (value, inner))
    alike = _are_of_one_type([*each.values()] for each in value.values())
    alike_across = _are_of_one_type([each.get(key) for each in value.values()] for key in inner)
    by_column = inner_counts or (not outer_counts and (alike or not alike_across))
    rows: list[list[Any]] = (
        [["", *value], *([key, *(each.get(key) for each in value.values())] for key in inner)]
        if by_column
        else [["", *inner], *([key, *map(each.get, inner)] for key, each in value.items())]
    )
    if inner_counts != outer_counts or alike != alike_across:
        return rows, ()
    answers = (
        Alternative(message("The column names are {names}", names=quoted(rows[0][1:])), "orientation", "rows"),
        Alternative(message("The sample names are {names}", names=quoted(rows[0][1:])), "orientation",
                    "columns"),
    )  # fmt: skip
    sentence = message("{names} are treated as column names.", names=quoted(rows[0][1:]))
    evidence = message("A JSON file may contain one object per column, or one per row.")
    return rows, (Reading("layout of JSON", sentence, evidence, answers, sure=False),)


def _are_of_one_type(columns: Iterator[list[Any]]) -> bool:
    """Whether each column is either all text or has no text."""
    return all(len({isinstance(cell, str) for cell in column if cell is not None}) < 2 for column in columns)


def _cell(cell: Any, row: int, place: int, names: Sequence[Any], name: str) -> str:
    """A value as it would appear in a CSV file; floats keep every digit."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, dict | list):
        column = str(names[place]) if place < len(names) else str(place + 1)
        raise DataError(
            'Row {row} of "{name}" contains {kind} in column "{column}" ({text}), but a table cell can contain only '
            "one value. Split it into columns, for example with pandas.json_normalize, and open that.",
            row=row, name=name, column=column, text=json.dumps(cell)[:_LONGEST],
            kind=message("an object") if isinstance(cell, dict) else message("a list"),
        )  # fmt: skip
    return str(cell)


READER = Reader(
    "JSON, JSON Lines",
    (".json", ".jsonl", ".ndjson"),
    _read,
    _recognises,
    ("part", "header", "orientation", "row_ids", "labels", "labels_by", "encoding", *CELLS),
)
