"""ARFF, the format of Weka and KEEL: dense and sparse, nominal, numeric and string attributes, row weights.

This reader is our own, because those of scipy and liac-arff support neither KEEL's header nor row weights nor comments
after a row, and do not report the line of an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fsdesk.data.cells import MISSING, Columns, Numbers, Row, gather, ragged
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content, Text
from fsdesk.data.readers.reader import Reader
from fsdesk.data.roles import as_descriptions, left_aside, with_called_target
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(
    rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(\{{.*\}}|[a-z]+)\s*(?:\[[^\]]*\])?", re.IGNORECASE | re.DOTALL
)
_ROLE = re.compile(r"@(inputs?|outputs?)\s+(.*)", re.IGNORECASE)
_WEIGHT = re.compile(r",?\s*\{\s*([0-9.eE+-]+)\s*\}\s*")
_COMMENT = re.compile(rf"((?:{_QUOTED}|[^%'\"])*?)\s+%.*", re.DOTALL)
_CELL = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)", re.DOTALL)
_SPARSE_CELL = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,]*?)\s*(?:,|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)")
_NUMERIC = frozenset(("numeric", "real", "integer"))
_TEXT = frozenset(("string", "date"))
_NUMBERS = Numbers()


@dataclass(frozen=True)
class _Attribute:
    """Name, categories of a nominal attribute, and ``text`` for strings and dates."""

    name: str
    levels: tuple[str, ...] | None
    text: bool


@dataclass(frozen=True)
class _Body:
    """The lines below @data that contain rows, with their line numbers, and the header's attributes.

    ``outputs`` and ``inputs`` are KEEL's; ``weights`` are those of the lines that have them.
    """

    name: str
    lines: list[str]
    numbers: list[int]
    attributes: list[_Attribute]
    outputs: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()


def _is_arff(content: Content) -> bool:
    """Whether the first line that is neither blank nor a comment starts with @relation."""
    for line in content.head.split("\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            return stripped[:9].lower() == "@relation"
    return False


def read_arff(text: Text, name: str) -> Table:
    """Read a table in ARFF; the last attribute, or KEEL's output, is the default target.

    Raises DataError for a file without attributes or rows, unknown attribute types, rows of the wrong length, and
    values not declared by their attribute; each names the line.
    """
    body = _parse_header(text.text, name)
    if not body.attributes:
        raise DataError('"{name}" declares no @attribute; it is not a complete ARFF file.', name=name)
    if not body.lines:
        raise DataError('"{name}" has no rows below @data. Choose a table that contains data.', name=name)
    sparse = body.lines[0].startswith("{")
    columns = _sparse_columns(body) if sparse else _dense_columns(body)
    levels = {j: attribute.levels for j, attribute in enumerate(body.attributes) if attribute.levels}
    for j, declared in levels.items():
        _refuse_undeclared(body, j, declared, columns.texts[j])
    keel = bool(body.outputs or body.inputs)
    title = "KEEL" if keel else message("sparse ARFF") if sparse else "ARFF"
    source = joined(", ", [name, title, text.encoding])
    names = [attribute.name for attribute in body.attributes]
    target = next((output for output in _outputs(body) if output in names), None)
    table = build_table(
        name,
        columns,
        names,
        source=source,
        checks=(*text.checks, *_weight_checks(body)),
        levels=levels,
        missing=MISSING | {"<null>"},
        default_target=target,
    )
    others = tuple(output for output in _outputs(body)[1:] if output in table.columns)
    unused = tuple(column for column in table.columns if column not in (*body.inputs, *body.outputs))
    table = table if keel else with_called_target(table)
    return left_aside(as_descriptions(table, others), unused if body.inputs and body.outputs else ())


def _outputs(body: _Body) -> tuple[str, ...]:
    """Names of the attributes to predict: KEEL's outputs, otherwise those not among its inputs."""
    if body.outputs or not body.inputs:
        return body.outputs
    return tuple(attribute.name for attribute in body.attributes if attribute.name not in body.inputs)


def _weight_checks(body: _Body) -> list[Check]:
    if not body.weights:
        return []
    sentence = message(
        "{count:,} rows have weights ({low:.4g} to {high:.4g}), which are ignored: all rows count equally.",
        count=len(body.weights), low=min(body.weights), high=max(body.weights),
    )  # fmt: skip
    return [Check("weights", sentence)]


def _parse_header(text: str, name: str) -> _Body:
    lines = text.split("\n")
    attributes: list[_Attribute] = []
    roles: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        keyword = stripped[:10].lower()
        if keyword.startswith("@attribute"):
            attributes.append(_attribute(stripped, number, name))
        elif keyword.startswith("@data"):
            kept = [
                (n, row) for n, row in enumerate(map(str.strip, lines[number:]), number + 1) if row and row[0] != "%"
            ]
            rows = [_without_comment(row) if "%" in row else row for _, row in kept]
            rows, weights = _without_weights(rows)
            inputs, outputs = roles.get("input", ()), roles.get("output", ())
            return _Body(name, rows, [n for n, _ in kept], attributes, outputs, inputs, weights)
        elif (match := _ROLE.fullmatch(stripped)) is not None:
            roles[match[1].lower().rstrip("s")] = tuple(filter(None, map(str.strip, match[2].split(","))))
        elif stripped and not stripped.startswith("%") and not keyword.startswith("@relation"):
            raise DataError(
                'Line {number} of "{name}" is not ARFF ("{stripped}"); correct the header.',
                number=number,
                name=name,
                stripped=stripped[:40],
            )
    raise DataError('"{name}" has no @data line; it is not a complete ARFF file.', name=name)


def _without_comment(row: str) -> str:
    """A row without its trailing comment, which starts with a space and %; a % inside a cell is kept."""
    match = _COMMENT.fullmatch(row)
    return row if match is None else match[1]


def _without_weights(rows: list[str]) -> tuple[list[str], tuple[float, ...]]:
    """Rows without trailing weights in braces, and the weights; a sparse row has its values in braces, too."""
    if not any(row.endswith("}") for row in rows):
        return rows, ()
    kept: list[str] = []
    weights: list[float] = []
    for row in rows:
        place = row.rfind("{")
        match = _WEIGHT.fullmatch(row[place:]) if place > 0 and row.endswith("}") else None
        if match is None:
            kept.append(row)
            continue
        try:
            weights.append(float(match[1]))
        except ValueError:
            kept.append(row)
            continue
        kept.append(row[:place].rstrip().removesuffix(",").rstrip())
    return kept, tuple(weights)


def _attribute(line: str, number: int, name: str) -> _Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise DataError(
            'Line {number} of "{name}" does not declare a name and type ("{line}"). Correct the header.',
            number=number,
            name=name,
            line=line[:40],
        )
    kind = match[2]
    title = _unquoted(match[1])
    if kind.startswith("{"):
        levels = tuple(cell for cell in _cells(kind[1:-1]) if cell)
        return _Attribute(title, levels, False)
    if kind.lower() in _NUMERIC:
        return _Attribute(title, None, False)
    if kind.lower() in _TEXT:
        return _Attribute(title, None, True)
    raise DataError(
        'Line {number} of "{name}" declares "{title}" as "{kind}"; only numeric, nominal and string attributes can '
        "be read.",
        number=number,
        name=name,
        title=title,
        kind=kind,
    )


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] in "'\"" and cell[-1] == cell[0]:
        return _ESCAPE.sub(r"\1", cell[1:-1])
    return cell


def _cells(line: str) -> Row:
    if "'" not in line and '"' not in line:
        return [cell.strip() for cell in line.split(",")] if "," in line else line.split()
    return [_unquoted(match[1]) for match in _CELL.finditer(line + ",") if match.end() > match.start()]


def _dense_columns(body: _Body) -> Columns:
    width = len(body.attributes)

    def rows() -> Iterator[Row]:
        for number, line in zip(body.numbers, body.lines, strict=True):
            # A plain split is several times faster; stripping is left to the caller.
            if "<null>" in line:
                line = line.replace("<null>", "?")
            plain = "," in line and "'" not in line and '"' not in line
            row = line.split(",") if plain else _cells(line)
            if len(row) != width:
                raise ragged(body.name, number, len(row), width)
            yield row

    declared = [j for j, attribute in enumerate(body.attributes) if attribute.levels or attribute.text]
    columns = gather(rows, width, _NUMBERS, declared)
    for j, cells in columns.texts.items():
        if j not in declared:
            row = next(row for row, cell in enumerate(cells) if not _NUMBERS.fits(cell))
            raise _not_a_number(body, row, j, cells[row])
    return columns


def _sparse_columns(body: _Body) -> Columns:
    """Rows in the form "{index value, ...}"; omitted values are 0, or the first category of a nominal attribute."""
    attributes = body.attributes
    values = np.zeros((len(body.lines), len(attributes)), order="F")
    texts = {
        j: [attribute.levels[0] if attribute.levels else ""] * len(body.lines)
        for j, attribute in enumerate(attributes)
        if attribute.levels or attribute.text
    }
    for i, line in enumerate(body.lines):
        if not (line.startswith("{") and line.endswith("}")):
            raise DataError(
                'Line {numbers} of "{name}" is not sparse like the others. Correct that line.',
                numbers=body.numbers[i],
                name=body.name,
            )
        inner = line[1:-1].strip()
        position = 0
        while position < len(inner):
            match = _SPARSE_CELL.match(inner, position)
            if match is None or int(match[1]) >= len(attributes):
                raise DataError(
                    'Line {numbers} of "{name}" is not "index value" with an index below {attributes}; correct that '
                    "line.",
                    numbers=body.numbers[i],
                    name=body.name,
                    attributes=len(attributes),
                )
            j, cell = int(match[1]), _unquoted(match[2])
            if j in texts:
                texts[j][i] = cell
            elif _NUMBERS.fits(cell):
                values[i, j] = _NUMBERS.one(cell)
            else:
                raise _not_a_number(body, i, j, cell)
            position = match.end()
    return Columns(values, texts)


def _not_a_number(body: _Body, row: int, column: int, cell: str) -> DataError:
    return DataError(
        'Line {numbers} of "{name}" has "{cell}" for "{name2}", which is declared numeric; correct that line.',
        numbers=body.numbers[row],
        name=body.name,
        cell=cell,
        name2=body.attributes[column].name,
    )


def _refuse_undeclared(body: _Body, column: int, levels: tuple[str, ...], cells: list[str]) -> None:
    strange = set(cells) - set(levels) - MISSING - {"<null>"}
    if strange:
        row = next(row for row, cell in enumerate(cells) if cell in strange)
        raise DataError(
            'Line {numbers} of "{name}" has "{cells}" for "{name2}", which does not declare it; correct that line.',
            numbers=body.numbers[row],
            name=body.name,
            cells=cells[row],
            name2=body.attributes[column].name,
        )


def _read(content: Content, options: ReadOptions) -> Table:
    return read_arff(content.text(), content.name)


READER = Reader(
    "ARFF, KEEL",
    (".arff",),
    _read,
    _is_arff,
    ("encoding", "labels", "labels_by", *CELLS),
    has_types=True,
)
