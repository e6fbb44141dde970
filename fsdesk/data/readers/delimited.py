"""CSV and its kin: finds separator and decimal sign, and gives the grid of cells."""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator

from fsdesk.data.cells import MISSING, Columns, Numbers, Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.bulk import FEWEST_BYTES, bulk_columns
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.grid import Grid, to_table
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_SIGNS = {"tab": "\t", "semicolon": ";", "bar": "|", "comma": ",", "space": " "}  # in order of preference
_TITLES = {
    "\t": message("tab-separated"),
    ";": message("semicolon-separated"),
    "|": message("bar-separated"),
    ",": message("comma-separated"),
}
_SAMPLE_CHARACTERS = 400_000
_SAMPLE_LINES = 50
_EXCEL_HINT = re.compile(r"sep=(.)\s*", re.IGNORECASE)
_COMMA_NUMBER = re.compile(r"\s*[-+]?(\d+),(\d+)([eE][-+]?\d+)?\s*")
_POINT_NUMBER = re.compile(r"\s*[-+]?\d*\.\d+([eE][-+]?\d+)?\s*")


def read_delimited(content: Content, options: ReadOptions) -> Grid:
    """The grid of cells of a delimited text; DataError where there is no line in it."""
    data, found = content.utf8()
    name = content.name
    head = content.head.split("\n")
    first = 1
    delimiter = _SIGNS.get(options.delimiter, "")
    hint = _EXCEL_HINT.fullmatch(head[0])
    if hint:
        del head[0]
        first = 2
        delimiter = delimiter or hint[1]
    sample = _sample(head)
    if not sample:
        raise DataError('"{name}" holds no table (only blank lines); choose another file.', name=name)
    delimiter = delimiter or _find_delimiter(sample)
    decimal = {"point": ".", "comma": ","}.get(options.decimal) or _find_decimal(sample, delimiter)

    def rows() -> Iterator[tuple[int, Row]]:
        text = data.decode(errors="surrogatepass")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return _split(text.split("\n")[first - 1 :], delimiter, name, first)

    def bulk(line: int, width: int, texts: Collection[int], turned: bool) -> Columns | None:
        start = _start_of(data, line) if delimiter in _TITLES and width > 1 else None
        return None if start is None else bulk_columns(data, start, delimiter, decimal, width, texts, turned=turned)

    title = _TITLES.get(delimiter, message("space-separated")) if delimiter else message("one column")
    decimals = [message("decimal comma")] if decimal == "," else []
    source = joined(", ", [name, title, found.encoding, *decimals])
    large = len(data) >= FEWEST_BYTES
    return Grid(
        name,
        source,
        rows,
        decimal,
        found.checks,
        head=lambda: _split(head, delimiter, name, first),
        bulk=bulk if large else None,
    )


def _start_of(data: bytes, line: int) -> int | None:
    """Byte at which a line begins, counted from 1; None where lines end in carriage returns alone."""
    start = 0
    for _ in range(line - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            return None
    return None if b"\r" in data[:start].replace(b"\r\n", b"") else start


def _sample(lines: list[str]) -> list[str]:
    sample: list[str] = []
    characters = 0
    for line in lines:
        if line.strip():
            sample.append(line)
            characters += len(line)
            if len(sample) >= _SAMPLE_LINES or (len(sample) >= 4 and characters > _SAMPLE_CHARACTERS):
                break
    return sample


def _split(lines: list[str], delimiter: str, name: str, first: int = 1) -> Iterator[tuple[int, Row]]:
    """Line number and cells of every line that is not blank."""
    if not delimiter:
        delimiter = "\0"  # never in a text, so every line is one cell
    source: Iterator[str] = iter(lines) if delimiter != " " else (" ".join(line.split()) for line in lines)
    if any('"' in line for line in lines):
        source = (f"{line}\n" for line in source)  # the ends of lines inside of quotes are part of the cells
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=delimiter != "\t")
    start = first  # a quoted cell may run over several lines: the first of them is named
    try:
        for row in reader:
            if first + reader.line_num > start + 1:
                row = [cell.replace("\n", " ") for cell in row]
            if len(row) > 1 or (row and row[0].strip()):
                yield start, row
            start = first + reader.line_num
    except csv.Error:
        raise DataError(
            'Line {start} of "{name}" cannot be split into cells (is a quotation mark missing?); correct that line.',
            start=start,
            name=name,
        ) from None


def _find_delimiter(sample: list[str]) -> str:
    """The sign that gives every line the same number of cells, and most of them numbers."""
    best, best_score = "", (0.0, 0.0)
    for delimiter in _SIGNS.values():
        if not any(delimiter in line for line in sample):
            continue
        try:
            rows = [row for _, row in _split(sample, delimiter, "")]
        except DataError:
            continue  # cells beyond all measure: not this sign
        widths = Counter(map(len, rows[1:] or rows))
        width, lines = widths.most_common(1)[0] if widths else (1, 0)
        if width < 2:
            continue
        regular = sum(len(row) == width for row in rows)
        # A first line of one cell less is R's way to write row names.
        steady = (regular + (len(rows[0]) == width - 1 and lines > 0)) / len(rows)
        score = (steady if steady == 1 else steady / 2, _share_of_numbers(rows[1:] or rows, delimiter))
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _share_of_numbers(rows: list[Row], delimiter: str) -> float:
    point, comma = Numbers("."), Numbers(",")
    allow_comma = delimiter != ","
    fitting = total = 0
    for row in rows[:5]:
        total += len(row)
        fitting += sum(point.fits(cell) or (allow_comma and comma.fits(cell)) for cell in row)
    return fitting / max(1, total)


def _find_decimal(sample: list[str], delimiter: str) -> str:
    """A decimal comma needs more witnesses than the point, and one that is no thousands separator."""
    if delimiter == ",":
        return "."
    commas = points = plain = 0
    for _, row in _split(sample, delimiter, ""):
        for cell in row:
            if cell in MISSING:
                continue
            match = _COMMA_NUMBER.fullmatch(cell)
            if match:
                commas += 1
                # 1,234 may be a thousand; 0,234 and 1,5 may not.
                plain += delimiter == ";" or len(match[2]) != 3 or match[1].startswith("0") or len(match[1]) > 3
            elif _POINT_NUMBER.fullmatch(cell):
                points += 1
    return "," if commas > points and plain else "."


def _read(content: Content, options: ReadOptions) -> Table:
    return to_table(read_delimited(content, options), options)


READER = Reader(
    "CSV, TSV",
    (".csv", ".tsv", ".tab", ".txt"),
    _read,
    lambda content: True,
    ("delimiter", "decimal", "encoding", "header", "orientation", "labels", "row_ids"),
)
