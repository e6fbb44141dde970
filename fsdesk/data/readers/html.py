"""HTML tables, including those saved by portals and instruments with an Excel suffix: the largest one on a page.

This reader is our own, because pandas.read_html needs further libraries and converts cells to numbers silently.
"""

from collections.abc import Iterator
from html.parser import HTMLParser

from fsdesk.data.cells import Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.decimals import find_decimal
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_STARTS = ("<!doctype html", "<html", "<table", "<meta", "<head", "<body", "<div")
_MOST_SPAN = 1000
_SAMPLE_ROWS = 50
_MOST_CELLS = 20_000_000


class _Tables(HTMLParser):
    """Collects the cells of every table, filling spans with blanks; cells of a nested table are kept separate."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[tuple[int, Row]]] = []
        self._open: list[list[tuple[int, Row]]] = []
        self._cell: list[str] | None = None
        self._span = 1
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            table: list[tuple[int, Row]] = []
            self.tables.append(table)
            self._open.append(table)
        elif tag == "tr" and self._open:
            self._end_cell()
            self._open[-1].append((self.getpos()[0], []))
        elif tag in ("td", "th") and self._open:
            self._end_cell()
            if not self._open[-1]:
                self._open[-1].append((self.getpos()[0], []))
            said = dict(attrs).get("colspan") or "1"
            self._cell, self._span = [], min(int(said) if said.isdecimal() else 1, _MOST_SPAN)
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()
        if tag == "table" and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def _end_cell(self) -> None:
        if self._cell is not None and self._open and self._open[-1]:
            row = self._open[-1][-1][1]
            row += [" ".join("".join(self._cell).split()), *[""] * (max(1, self._span) - 1)]
            self._cells += max(1, self._span)
            if self._cells > _MOST_CELLS:
                raise ValueError("too many cells")
        self._cell = None


def _is_html(content: Content) -> bool:
    head = content.head[:4096].lstrip().lower()
    return head.startswith(_STARTS) and "<" in head and ("<table" in content.head.lower() or "<html" in head)


def _read(content: Content, options: ReadOptions) -> Table:
    """Read the largest table of a page; DataError if there is none."""
    text, name = content.text(), content.name
    parser = _Tables()
    try:
        parser.feed(text.text)
        parser.close()
    except ValueError:
        raise DataError('"{name}" is too large for an HTML table. Save it as CSV.', name=name) from None
    tables = [[(line, row) for line, row in table if any(row)] for table in parser.tables]
    largest = max(tables, key=lambda table: sum(len(row) for _, row in table), default=[])
    if not largest:
        raise DataError('"{name}" is an HTML page without a table. Save the table as CSV or Excel.', name=name)

    def rows() -> Iterator[tuple[int, Row]]:
        return ((line, list(row)) for line, row in largest)

    sign, decimals = find_decimal([row for _, row in largest[:_SAMPLE_ROWS]])
    sign = {"point": ".", "comma": ","}.get(options.decimal) or sign
    readings = (decimals,) if decimals is not None and options.decimal == "auto" else ()
    source = joined(", ", [name, message("HTML table"), text.encoding])
    grid = Grid(name, source, rows, sign, checks=text.checks, readings=readings)
    return to_table(grid, options)


READER = Reader(
    "HTML",
    (".html", ".htm"),
    _read,
    _is_html,
    (
        "encoding",
        "decimal",
        "thousands",
        "header",
        "below_header",
        "orientation",
        "measure",
        "labels",
        "labels_by",
        "row_ids",
        *CELLS,
    ),
)
