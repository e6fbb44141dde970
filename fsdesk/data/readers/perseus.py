"""Matrices of Perseus: samples in columns, with lines of types and groups of the samples below the names.

This reader is our own: a tab-separated text handled like all others, with a few special lines.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from fsdesk.data.cells import MISSING, Row, ragged
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.decimals import find_decimal
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.roles import description_rows, with_descriptions
from fsdesk.errors import DataError
from fsdesk.messages import joined

_LINE = re.compile(r"#!\{(Type|[CNTM]:(?P<name>[^}]*))\}(?P<first>.*)")
_MEASURED, _TEXT = "E", "T"
_SAMPLE_ROWS = 50


def recognises(content: Content) -> bool:
    """Whether the second line contains the types of the columns."""
    second = content.head.split("\n", 2)[1:2]
    return bool(second) and second[0].lstrip('"').startswith("#!{Type}")


def read_matrix(content: Content, options: ReadOptions) -> Table:
    """Read a matrix: main columns are samples, and their groups become candidate targets after the features.

    Features are named by the first text column that is unique; the others are their descriptions. Raises DataError if
    there is no main column, or a line has too many or too few cells.
    """
    text, name = content.text(), content.name
    lines = [(number, _cells(line)) for number, line in enumerate(text.text.split("\n"), 1) if line.strip()]
    names, width = lines[0][1], len(lines[0][1])
    for number, cells in lines:
        if len(cells) != width:
            raise ragged(name, number, len(cells), width)
    said: dict[str, Row] = {}
    body: list[tuple[int, Row]] = []
    types: Row = []
    for number, cells in lines[1:]:
        match = _LINE.fullmatch(cells[0])
        if match is None:
            body.append((number, cells))
        elif match["name"] is None:
            types = [match["first"], *cells[1:]]
        else:
            said[match["name"]] = [match["first"], *cells[1:]]
    samples = [j for j, kind in enumerate(types) if kind.strip() == _MEASURED]
    if not samples:
        raise DataError('"{name}" has no main columns (type E). Save the matrix with its values.', name=name)
    title = _naming_column(types, body)
    extra = description_rows({group: [cells[j].strip() for j in samples] for group, cells in said.items()})

    def rows() -> Iterator[tuple[int, Row]]:
        yield 1, ["name", *(names[j] for j in samples)]
        for place, (number, cells) in enumerate(body, 1):
            yield number, [cells[title] if title >= 0 else str(place), *(cells[j] for j in samples)]
        for row in extra:
            yield 0, list(row)

    decimal, decision = find_decimal([[cells[j] for j in samples] for _, cells in body[:_SAMPLE_ROWS]], ";")
    source = joined(", ", [name, "Perseus", text.encoding])
    readings = () if decision is None else (replace(decision, alternatives=()),)
    grid = Grid(name, source, rows, decimal, checks=text.checks, readings=readings)
    table = to_table(grid, options.updated({"orientation": "columns", "header": "yes"}))
    told = [j for j, kind in enumerate(types) if j != title and kind.strip() != _MEASURED]
    found = {
        column: "; ".join(f"{names[j]}: {cells[j].strip()}" for j in told if cells[j].strip() not in MISSING)
        for column, (_, cells) in zip(table.columns, body, strict=False)
    }
    table = replace(table, descriptions={column: words for column, words in found.items() if words})
    return with_descriptions(table, len(extra))


def _cells(line: str) -> Row:
    return [cell.strip().strip('"') for cell in line.split("\t")]


def _naming_column(types: Row, body: list[tuple[int, Row]]) -> int:
    """The first text column with unique cells, otherwise the first text column; -1 for none."""
    texts = [j for j, kind in enumerate(types) if kind.strip() == _TEXT]
    unique = (j for j in texts if len({cells[j] for _, cells in body} - MISSING) == len(body))
    return next(unique, texts[0] if texts else -1)
