"""Quotation marks in delimited text: around cells, over several lines, or part of the text, such as inch marks.

This code is our own, because the csv module trusts every mark: an unclosed one swallows the following lines.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from fsdesk.data.cells import Row
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import message, message_many, quoted

Quoting = Literal["around cells", "by lines", "escaped", "none"]
"""Marks surround cells, which may span several lines; or cells within one line, where other marks are part of the text;
or cells in which a backslash precedes literal marks; or marks have no special meaning."""


_LONGEST_SHOWN = 40
_NESTED = re.compile(r"""(?:[^"]*[\s([])?"[^"\s][^"]*"{1,2}[^"]*|[^"]*\s"[^"]+"[^"]*""")
"""Text with a pair of marks of its own, the first of which opens: a mark after a letter would close."""


def find_quoting(lines: Sequence[str], delimiter: str, name: str, first: int) -> tuple[Quoting, tuple[Reading, ...]]:
    """The meaning of the quotation marks in these lines, and the decision about it.

    Parameters
    ----------
    lines
        Of the table.
    delimiter
        Between cells.
    name, first
        Lines of the file, and the line number of the first.

    Raises
    ------
    DataError
        If a mark opens a cell that is not closed, and no interpretation fits all lines.
    """
    if any('\\"' in line for line in lines) and _is_escaped(lines, delimiter):
        return "escaped", (Reading("quotes", message("Quotation marks within text are preceded by a backslash.")),)
    odd = [place for place, line in enumerate(lines) if line.count('"') % 2]
    if not odd:
        return _within_cells(lines, delimiter)
    plain = Counter(line.count(delimiter) + 1 for line in lines if '"' not in line and line.strip())
    if not plain or not delimiter:
        return "around cells", ()
    width = plain.most_common(1)[0][0]
    by_lines = width > 1 and all(len(split_line(lines[place], delimiter)) == width for place in odd)
    around = _fits_over_lines(lines, delimiter, width)
    numbers = [first + place for place in odd]
    if not by_lines and not around:
        raise DataError(
            'In line {line} of "{name}", a quotation mark opens a cell but does not close it ({cell}). Remove or '
            "double it, or read the file with quotes=no.",
            line=numbers[0], name=name, cell=_opened(lines[odd[0]], delimiter),
        )  # fmt: skip
    answers = (
        Alternative(message("The quotation marks are part of the text"), "quotes", "no"),
        Alternative(message("The quotation marks enclose cells that span several lines"), "quotes", "yes"),
    )
    if not by_lines:
        return "around cells", (Reading("quotes", message("Some quoted cells span several lines.")),)
    sentence = message_many(
        len(odd),
        "An unpaired quotation mark is part of the text in {count} line ({lines}).",
        "An unpaired quotation mark is part of the text in {count} lines ({lines}).",
        lines=quoted(numbers),
    )
    evidence = message("Each of these lines has as many cells as the others.")
    opens = any(cell.lstrip().startswith('"') for place in odd for cell in lines[place].split(delimiter))
    return "by lines", (Reading("quotes", sentence, evidence, answers, sure=not around or not opens),)


def _within_cells(lines: Sequence[str], delimiter: str) -> tuple[Quoting, tuple[Reading, ...]]:
    """The meaning of marks that are paired in each line: "say "hi"" is a cell in marks with others in its text."""
    if delimiter in ("", " "):
        return "around cells", ()
    others = rf'[^"{re.escape(delimiter)}]'
    stray = re.compile(f'{others}"{others}')  # a mark that is neither at an end of a cell nor doubled
    inside = [line for line in lines if stray.search(line)]
    if not inside:
        return "around cells", ()
    widths = {len(split_line(line, delimiter)) for line in lines if line.strip()}
    if len(widths) > 1 or _fits_over_lines(inside, delimiter, *widths):
        return "around cells", ()
    sentence = message("Quotation marks within quoted cells are part of the text, such as in {cell}.",
                       cell=_shortened(stray.search(inside[0]), inside[0], delimiter))  # fmt: skip
    return "by lines", (Reading("quotes", sentence),)


def _shortened(found: re.Match[str] | None, line: str, delimiter: str) -> str:
    """The cell around a mark in a line, at most 40 characters of it."""
    place = 0 if found is None else found.start() + 1
    begin, end = line.rfind(delimiter, 0, place) + 1, line.find(delimiter, place)
    return line[begin : end if end >= 0 else None].strip()[:_LONGEST_SHOWN]


def escaped(lines: Iterator[str], delimiter: str) -> Iterator[Row]:
    """The rows of lines in which a backslash makes the next character literal, as MySQL and PHP write."""
    return csv.reader(lines, delimiter=delimiter, escapechar="\\", skipinitialspace=delimiter != "\t")


def _is_escaped(lines: Sequence[str], delimiter: str) -> bool:
    """Whether all lines have as many cells as the first one only if backslashes escape marks."""
    if not delimiter:
        return False
    first = next((line for line in lines if line.strip()), "")
    try:
        width = len(next(escaped(iter([first]), delimiter), []))
        rows = escaped((f"{line}\n" for line in lines), delimiter)
        fits = width > 1 and all(len(row) == width for row in rows if row and (len(row) > 1 or row[0].strip()))
    except csv.Error:
        return False
    return fits and not _fits_over_lines(lines, delimiter, width)


def _fits_over_lines(lines: Sequence[str], delimiter: str, width: int) -> bool:
    """Whether all lines are rows with this many cells if marks surround cells."""
    try:
        rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
        return all(len(row) == width for row in rows if row and (len(row) > 1 or row[0].strip()))
    except csv.Error:
        return False


def _opened(line: str, delimiter: str) -> str:
    cells = line.split(delimiter)
    return next((cell.strip() for cell in cells if cell.count('"') % 2), line)[:30]


@cache
def _cell(delimiter: str) -> re.Pattern[str]:
    end = re.escape(delimiter)
    return re.compile(rf'\s*"((?:[^"]|"")*)"\s*(?:{end}|$)|([^{end}]*)(?:{end}|$)')


def split_line(line: str, delimiter: str) -> Row:
    """The cells of one line; a mark not closed before the next delimiter is part of the text."""
    if '"' not in line:
        return line.split(delimiter)
    cells: Row = []
    place, pattern = 0, _cell(delimiter)
    while place <= len(line):
        match = pattern.match(line, place)
        assert match is not None
        cells.append(_without_marks(match[2]) if match[1] is None else match[1].replace('""', '"'))
        if match.end() == len(line) and not line.endswith(delimiter):
            break
        if match.end() == len(line):
            cells.append("")
            break
        place = match.end()
    return cells


def _without_marks(cell: str) -> str:
    """A cell without the marks around it if there are others in its text, as in "say "hi""."""
    plain = cell.strip()
    if len(plain) > 2 and plain[0] == plain[-1] == '"' and _NESTED.fullmatch(plain[1:-1]):
        return plain[1:-1].replace('""', '"')
    return cell


def split_lines(lines: Sequence[str], delimiter: str, quoting: Quoting, first: int) -> Iterator[tuple[int, Row]]:
    """Number and cells of every non-blank line, if no cell spans several lines."""
    for number, line in enumerate(lines, first):
        if line.strip():
            yield number, (split_line(line, delimiter) if quoting == "by lines" else line.split(delimiter))
