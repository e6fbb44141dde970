"""Tables from the clipboard, copied from spreadsheets, web pages or R as tab-separated text.

Python's csv and html.parser do the parsing; our own code chooses among the forms offered by the program.
"""

import csv
import io
import json
from contextlib import suppress
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path

from fsdesk.errors import DataError

MOST_LETTERS = 1 << 28
_WIDEST = 1000  # maximum span of a cell
_NUMBERS = ("x:num", "sdval")  # attributes of Excel and LibreOffice with all digits
_SHEETS = "data-sheets-value"  # and of Google: {"1": 3, "3": 0.123456}

Rows = list[list[str]]


class _Tables(HTMLParser):
    """The rows of the first table on a page, and whether its numbers have all their digits."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows = []
        self.exact = False
        self._depth = 0
        self._done = False
        self._cell: list[str] | None = None
        self._given: str | None = None
        self._span = (1, 1)
        self._below: dict[tuple[int, int], str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._depth += 1
        if self._done or self._depth != 1:
            return
        if tag == "tr":
            self._end_cell()
            self.rows.append([])
            self._fill()
        elif tag in ("td", "th") and self.rows:
            self._end_cell()
            held = {key: value or "" for key, value in attrs}
            self._cell, self._given = [], _exact(held)
            self.exact |= self._given is not None
            self._span = _count(held.get("colspan", "")), _count(held.get("rowspan", ""))
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr") and self._depth == 1:
            self._end_cell()
        elif tag == "table" and self._depth:
            self._end_cell()
            self._depth -= 1
            self._done |= self._depth == 0 and bool(self.rows)

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._done:
            self._cell.append(data)

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        text = " ".join("".join(self._cell).split())
        cell = self._given if self._given is not None and text else text
        row = len(self.rows) - 1
        across, down = self._span
        for place in range(across):
            for below in range(1, down):
                self._below[row + below, len(self.rows[-1])] = cell if not place else ""
            self.rows[-1].append(cell if not place else "")
        self._cell = self._given = None
        self._fill()

    def _fill(self) -> None:
        """Fill in cells that span several rows."""
        while (cell := self._below.pop((len(self.rows) - 1, len(self.rows[-1])), None)) is not None:
            self.rows[-1].append(cell)


def _count(text: str) -> int:
    return min(_WIDEST, int(text)) if text.isdecimal() and int(text) else 1


def _exact(held: dict[str, str]) -> str | None:
    """A number with all digits, which spreadsheets store beside the shown one; None if there is none."""
    for key in _NUMBERS:
        if held.get(key):
            with suppress(ValueError):
                return repr(float(held[key])).removesuffix(".0")
    if _SHEETS in held:
        with suppress(ValueError, TypeError, KeyError, AttributeError):
            return repr(float(json.loads(held[_SHEETS])["3"])).removesuffix(".0")
    return None


def pasted_table(html: str, text: str) -> str:
    """The table on the clipboard as tab-separated text, or unchanged if it is not recognized.

    HTML is used if its numbers have all their digits while the text beside it shows them rounded, and if the text has
    no tabs.

    Raises
    ------
    DataError
        If there is no table with at least two lines.
    """
    if len(html) + len(text) > MOST_LETTERS:
        raise DataError("The clipboard content is too large for a table. Save it as a file and open that.")
    rows: Rows = []
    exact = False
    if "<table" in html.lower():
        reader = _Tables()
        reader.feed(html)
        reader.close()
        rows, exact = [row for row in reader.rows if any(row)], reader.exact
    if len(rows) > 1 and max(map(len, rows)) > 1 and (exact or "\t" not in text):
        width = max(map(len, rows))
        made = io.StringIO()
        csv.writer(made, delimiter="\t", lineterminator="\n").writerows(row + [""] * (width - len(row)) for row in rows)
        return made.getvalue()
    if len([line for line in text.splitlines() if line.strip()]) < 2:
        raise DataError(
            "The clipboard contains no table. Copy its cells together with the header line, and paste again."
        )
    return text


def keep_pasted(table: str, folder: Path) -> Path:
    """Write pasted content to a file with the time in its name, to be opened like any other."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stem = datetime.now().astimezone().strftime("pasted %Y-%m-%d %H.%M.%S")
        path, number = folder / f"{stem}.tsv", 1
        while path.exists():
            number += 1
            path = folder / f"{stem} {number}.tsv"
        path.write_text(table, encoding="utf-8", newline="")
    except OSError as error:
        raise DataError(
            'The table cannot be written to "{folder}" ({reason}). Free some space there.',
            folder=folder,
            reason=error.strerror or error,
        ) from None
    return path
