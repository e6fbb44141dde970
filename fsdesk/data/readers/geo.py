"""Series matrix files of NCBI's Gene Expression Omnibus (GEO): descriptions of samples, then features in rows.

This reader is our own, because GEOparse reads SOFT files but not series matrices.
"""

import csv
import re
from collections.abc import Iterator, Mapping

import numpy as np

from fsdesk.data.cells import Columns, Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions, as_features_in_rows
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.reader import Reader
from fsdesk.data.roles import description_rows, with_descriptions
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_BEGIN, _END = "!series_matrix_table_begin", "!series_matrix_table_end"
_PLAIN = {
    "!sample_title": "title",
    "!sample_source_name_ch1": "source",
    "!sample_source_name_ch2": "source 2",
    "!sample_description": "description",
    "!sample_treatment_protocol_ch1": "treatment",
    "!sample_treatment_protocol_ch2": "treatment 2",
}
_NO_KEY = "characteristics"
_ACCESSION = "!sample_geo_accession"
_CHARACTERISTICS = ("!sample_characteristics_ch1", "!sample_characteristics_ch2")

Lines = list[tuple[int, str]]


def _is_series_matrix(content: Content) -> bool:
    """Whether the first non-blank line starts with !Series_ or !Sample_, or the table begins directly."""
    for line in content.head.split("\n"):
        start = line.strip().strip('"').lower()
        if start:
            return start.startswith(("!series_", "!sample_"))
    return False


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a series matrix: samples become rows; titles and characteristics become candidate targets after features.

    Sample descriptions are kept if they differ between samples; the one with the fewest groups is the default target.
    Raises DataError for a file that is truncated, has no values (as for sequencing), or has lines of another length
    than the table's header.
    """
    text, name = content.text(), content.name
    head, body = _parts(text.text, name)
    table_rows = _cells(body, name)
    header = next(table_rows, None)
    if header is None or next(table_rows, None) is None:
        raise DataError(
            '"{name}" describes samples but contains no values, as is usual for sequencing data. Download the count '
            "table from the supplementary files of the series.",
            name=name,
        )
    samples = header[1][1:]
    extra = description_rows(_descriptions(head, len(samples), name))

    def rows() -> Iterator[tuple[int, Row]]:
        yield from _cells(body, name)
        for row in extra:
            yield 0, list(row)

    grid = Grid(name, joined(", ", [name, message("GEO series matrix"), text.encoding]), rows, checks=text.checks)
    table = to_table(grid, as_features_in_rows(options))
    return with_descriptions(table, len(extra))


def _parts(text: str, name: str) -> tuple[Lines, Lines]:
    """Numbered lines before the table, and numbered lines of the table."""
    lines = list(enumerate(text.split("\n"), 1))
    marks = {
        line.strip().strip('"').lower(): place for place, (_, line) in enumerate(lines) if line.startswith(("!", '"!'))
    }
    begin, end = marks.get(_BEGIN), marks.get(_END)
    if begin is None or end is None or end < begin:
        missing = _BEGIN if begin is None else _END
        raise DataError(
            '"{name}" is truncated (line "{missing}" is missing); download it again.', name=name, missing=missing
        )
    return lines[:begin], lines[begin + 1 : end]


def _cells(lines: Lines, name: str) -> Iterator[tuple[int, Row]]:
    """Number and cells of every non-blank line."""
    for number, line in lines:
        if not line.strip():
            continue
        if '"' not in line:
            yield number, line.split("\t")
            continue
        try:
            yield number, next(csv.reader([line], delimiter="\t"))
        except csv.Error:
            raise DataError(
                'Line {number} of "{name}" cannot be split into cells. Correct that line.', number=number, name=name
            ) from None


def read_samples(content: Content) -> Table:
    """The sample descriptions of a series matrix as a table with accessions in the first column; values may be missing.

    Raises DataError if it does not name any samples.
    """
    text, name = content.text(), content.name
    head = [(number, line) for number, line in enumerate(text.text.split("\n"), 1) if line.startswith(("!", '"!'))]
    accessions = next((cells[1:] for cells in map(_line_cells, head) if cells[0].lower() == _ACCESSION), None)
    if not accessions:
        raise DataError('"{name}" names no samples (it has no line "!Sample_geo_accession").', name=name)
    rows = description_rows(_descriptions(head, len(accessions), name))
    columns = [[cell.strip() for cell in accessions], *(row[1:] for row in rows)]
    values = np.full((len(accessions), len(columns)), np.nan, order="F")
    texts = dict(enumerate(columns))
    source = joined(", ", [name, message("GEO series matrix"), text.encoding])
    return build_table(name, Columns(values, texts), ["geo_accession", *(row[0] for row in rows)], source=source)


def _line_cells(line: tuple[int, str]) -> Row:
    """The cells of a line about samples, starting with its keyword."""
    try:
        _, cells = next(_cells([line], ""))
    except DataError:
        return [""]
    return [cells[0].strip(), *cells[1:]]


def _descriptions(head: Lines, count: int, name: str) -> Mapping[str, list[str]]:
    """Title, source and characteristics by name, with a cell for each of ``count`` samples.

    A characteristic is identified by its key and not by its line: if a sample lacks one, its next one takes that line.
    Repeated lines with the same key, and lines without keys, become separate columns.
    """
    found: dict[str, list[str]] = {}
    for number, line in head:
        keyword = line.partition("\t")[0].strip().strip('"').lower()
        if keyword not in _PLAIN and keyword not in _CHARACTERISTICS:
            continue
        _, cells = next(_cells([(number, line)], name))
        if len(cells) != count + 1:
            raise DataError(
                'Line {number} of "{name}" describes {cells:,} samples, but the table has {count:,}; download the '
                "file again.",
                number=number,
                name=name,
                cells=len(cells) - 1,
                count=count,
            )
        if keyword in _PLAIN:
            found[_free(_PLAIN[keyword], found)] = [cell.strip() for cell in cells[1:]]
        else:
            for line_cells in _split_cells(cells[1:]):
                _add_characteristics(found, line_cells)
    return found


_BETWEEN = re.compile(r"\s*[;|]\s*(?=[^:;|]+:)")


def _split_cells(cells: Row) -> list[Row]:
    """One line, or several if each of its cells contains several characteristics: "age: 60; sex: male"."""
    parts = [_BETWEEN.split(cell.strip()) for cell in cells]
    filled = [each for each, cell in zip(parts, cells, strict=True) if cell.strip()]
    if not filled or any(len(each) < 2 or not all(":" in part for part in each) for each in filled):
        return [cells]
    return [[each[place] if place < len(each) else "" for each in parts] for place in range(max(map(len, parts)))]


def _add_characteristics(found: dict[str, list[str]], cells: Row) -> None:
    """Add one line of characteristics, "key: value" or just a value."""
    parted = [cell.partition(":") for cell in cells]
    filled = [cell for cell in cells if cell.strip()]
    keyed = 2 * sum(bool(colon) and bool(key.strip()) for key, colon, _ in parted) > len(filled)
    names: dict[str, str] = {}  # of the columns of this line
    for sample, (cell, (key, colon, value)) in enumerate(zip(cells, parted, strict=True)):
        key = key.strip() if keyed and colon and key.strip() else _NO_KEY
        value = value.strip() if key is not _NO_KEY else cell.strip()
        if not value:
            continue
        key = next((known for known in (*names, *found) if known.casefold() == key.casefold()), key)
        if key not in names:
            taken = found.get(key)
            # A repeated key is another characteristic if these samples already have the first one.
            clash = taken is not None and any(
                taken[place] and part[2].strip() and part[0].strip().casefold() == key.casefold()
                for place, part in enumerate(parted)
            )
            names[key] = _free(key, found) if clash or (key is _NO_KEY and taken is not None) else key
        found.setdefault(names[key], [""] * len(cells))[sample] = value


def _free(name: str, found: Mapping[str, list[str]]) -> str:
    """A name not yet used by a column."""
    number, free = 2, name
    while free in found:
        free, number = f"{name} {number}", number + 1
    return free


READER = Reader(
    "GEO series matrix",
    ("_series_matrix.txt",),
    _read,
    _is_series_matrix,
    ("encoding", "labels", "labels_by", "missing_values", "limits", "types", "similar", "replicates"),
)
