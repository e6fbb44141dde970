"""A grid of cells: the lines of a text or sheet, what the first ones contain, and the rows below the header."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from fsdesk.data.cells import MISSING, Columns, Numbers, Row, ragged
from fsdesk.data.dataset import Check
from fsdesk.data.number_texts import is_no_number
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.first_lines import (
    FirstLines,
    first_lines,
    holds_names_again,
    is_title,
    without_names_again,
)
from fsdesk.data.readers.measures import OF_PROGENESIS
from fsdesk.data.reading import Reading
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

HEAD_ROWS = 50
_SAMPLE_CELLS = 200_000
_TITLE_COLUMNS, _NEXT_FEW, _MOST_TITLES = 3, 4, 30
_FEWEST_IDS = 4


@dataclass(frozen=True)
class Grid:
    """A grid of cells.

    Attributes
    ----------
    name, source, checks, parts, part, readings
        As in Table; ``source`` without the findings made here.
    rows
        Line numbers and new lists of cells, from the first line at every call.
    decimal
        "." or ",".
    head
        The first lines only, if that is cheaper than starting ``rows``.
    bulk
        A fast way to read all columns below the header, given the number of the first line there, the cells per line,
        columns known to be text, and whether lines are features, see :func:`fsdesk.data.readers.bulk.bulk_columns`;
        None if it cannot be certain.
    stores_numbers
        Whether most numbers are stored as such, so that a number in a text has the decimal sign that it appears to
        have.
    """

    name: str
    source: str
    rows: Callable[[], Iterator[tuple[int, Row]]]
    decimal: str = "."
    checks: tuple[Check, ...] = ()
    parts: tuple[str, ...] = ()
    part: str = ""
    head: Callable[[], Iterator[tuple[int, Row]]] | None = None
    bulk: Callable[[int, int, Collection[int], bool], Columns | None] | None = None
    readings: tuple[Reading, ...] = ()
    stores_numbers: bool = False

    @property
    def numbers(self) -> Numbers:
        """The number format."""
        return Numbers(self.decimal, self.stores_numbers)


@dataclass(frozen=True)
class Layout:
    """Findings from the first lines: cells per line, header, and whether R omitted the name of the row names.

    It also says whether the user chose the separator, which is then the likely cause if a line does not fit; the number
    of the first data line, the number of lines above it, the text columns in the first lines, the interpretation of the
    first lines, and whether lines may lack their last cells.
    """

    width: int
    header: Row | None
    short_header: bool
    chosen_separator: bool
    first_line: int
    above: int
    texts: frozenset[int]
    first: FirstLines
    pads: bool = False
    below: tuple[Row, ...] = ()
    """The lines between the header and the data, which a repeated header may repeat."""
    again: set[int] = field(default_factory=set)
    """Repeated header lines, found while reading."""

    @property
    def names_numbers(self) -> bool:
        """Whether the header contains numbers above numbers, so that an identical line is not data."""
        return self.header is not None and any(
            j not in self.texts and self.header[j] and not _ANY_NUMBER.match(self.header[j]) for j in range(self.width)
        )


_ANY_NUMBER = re.compile(r"[-+]?[.,]?\d")


def titles_above(rows: Sequence[Row]) -> int:
    """Number of lines above the table: with at most half as many cells as the next few, which have three or more."""
    filled = [sum(cell.strip() != "" for cell in row) for row in rows[:_MOST_TITLES]]
    first = next((place for place, count in enumerate(filled) if count > 1), 0)
    usual = Counter(filled[first:]).most_common(1)[0][0] if filled[first:] else 0
    # A title may contain a separator; a header has a name for most columns.
    first = next((place for place, count in enumerate(filled) if count > 1 and 2 * count > usual), first)
    below = filled[first : first + _NEXT_FEW]
    if rows and not rows[0][0].strip() and any(cell.strip().lower() in OF_PROGENESIS for cell in rows[0]):
        return 0
    if not first or len(below) < 2 or min(below) < _TITLE_COLUMNS:
        return 0
    return first - 1 if _heads_groups(rows[first - 1], rows[first]) else first


def _heads_groups(row: Row, names: Row) -> bool:
    """Whether a line above the names contains headings of groups of columns, but none above the first column."""
    above = [j for j, cell in enumerate(row) if cell.strip()]
    named = [j for j, cell in enumerate(names) if cell.strip()]
    return len(above) > 1 and above[0] > 0 and {*above} <= {*named} and len(above) < len(named)


def left_out(rows: Sequence[Sequence[str]]) -> tuple[Check, ...]:
    """A check that these lines above the table are ignored; none if they are blank."""
    filled = [row for row in ([cell.strip() for cell in row if cell.strip()] for row in rows) if row]
    said = [cell for row in filled for cell in row]
    if not said:
        return ()
    sentence = message_many(
        len(filled),
        "{count} line above the table is ignored: {said}.",
        "{count} lines above the table are ignored: {said}.",
        said=quoted(said),
    )
    return (Check("title", sentence),)


def layout_of(grid: Grid, options: ReadOptions) -> Layout:
    """What the first lines contain; DataError if there are none, or the names do not fit the columns."""
    sample, line_numbers = _sample(grid)
    if not sample:
        raise DataError('"{name}" contains no table. Choose another file or sheet.', name=grid.name)
    _refuse_second_names(grid, sample, line_numbers)
    first, body = sample[0], sample[1:]
    width = Counter(map(len, body or sample)).most_common(1)[0][0]
    if len(first) > width and any(len(row) == len(first) for row in body):
        width = len(first)  # other lines lack their last cells
    elif len(first) > width and len({*map(len, body)}) > 1 and max(map(len, body)) < len(first):
        width = len(first)  # all lines end with a separator after their last filled cell
    while len(first) > width and not first[-1].strip():
        first = first[:-1]
    numbers = grid.numbers
    if len(first) == width:
        regular = [row for row in body if len(row) == width]
        kept = without_names_again(first, regular, numbers)
        body = body if len(kept) == len(regular) else kept
    short = len(first) == width - 1 and bool(body) and options.header != "no"
    if short and all(not row[-1].strip() for row in body if len(row) == width):
        first, short = [*first, ""], False  # every line except the first ends with a separator
    if short and options.header == "auto" and options.orientation == "rows":
        _refuse_lacking_name(grid, first, [row[0].strip() for row in body if len(row) == width], line_numbers[0])
        _refuse_split_numbers(grid, first, [row for row in body if len(row) == width], line_numbers[0])
    if len(first) == width or short:
        found = first_lines(first, body, numbers, options, short=short)
    else:
        found = FirstLines(options.header == "yes")
    above = found.named + found.below
    regular = [row for row in [first, *body][above:] if len(row) == width]
    texts = frozenset(j for j, cells in enumerate(zip(*regular, strict=True)) if not all(map(numbers.fits, cells)))
    chosen = options.delimiter != "auto"
    start = line_numbers[above] if len(line_numbers) > above else 0
    if not found.named:
        return Layout(width, None, False, chosen, line_numbers[0], 0, texts, found)
    names = [name.strip() for name in found.names] if found.names else [cell.strip() for cell in first]
    header = ["", *names] if short else names
    if len(header) != width:
        raise ragged(grid.name, line_numbers[0], len(header), width, chosen)
    below = tuple(body[: found.below])
    return Layout(width, header, short, chosen, start, above, texts, found, below=below)


def _refuse_lacking_name(grid: Grid, first: Row, ids: Sequence[str], line: int) -> None:
    """Raise DataError if a name is missing and the first column contains measurements rather than R's row names."""
    numbers = grid.numbers
    fractions = sum(numbers.is_number(cell) and not numbers.one(cell).is_integer() for cell in ids)
    if len(ids) > _FEWEST_IDS and fractions and all(map(numbers.is_number, ids)):
        raise DataError(
            'Line {line} of "{name}" has {names} names for {cells} columns, and the first column contains numbers, '
            "not row names. Add the missing name.",
            line=line, name=grid.name, names=len(first), cells=len(first) + 1,
        )  # fmt: skip


def _refuse_split_numbers(grid: Grid, first: Row, rows: Sequence[Row], line: int) -> None:
    """Raise DataError if a name is missing, other than that of the IDs: the first name is above repeated numbers."""
    numbers = grid.numbers
    below = [row[1].strip() for row in rows]
    ids = [row[0].strip() for row in rows]
    if (
        len(rows) > _FEWEST_IDS and is_title(first[0].strip()) and len({*below}) < len(below)
        and all(map(numbers.is_number, below)) and not any(map(numbers.is_number, ids)) and len({*ids}) == len(ids)
    ):  # fmt: skip
        raise DataError(
            'Line {line} of "{name}" has {names} names for {cells} columns. Does a cell contain the separator, as in '
            "1,234? Put such cells in quotation marks, or add the missing name.",
            line=line, name=grid.name, names=len(first), cells=len(first) + 1,
        )  # fmt: skip


def _sample(grid: Grid) -> tuple[list[Row], list[int]]:
    """The first lines, and their line numbers."""
    sample: list[Row] = []
    line_numbers: list[int] = []
    cells = 0
    for line, row in islice((grid.head or grid.rows)(), HEAD_ROWS):
        sample.append(row)
        line_numbers.append(line)
        cells += len(row)
        if len(sample) >= 4 and cells > _SAMPLE_CELLS:
            break
    return sample, line_numbers


def _refuse_second_names(grid: Grid, sample: Sequence[Row], lines: Sequence[int]) -> None:
    """Raise DataError if other names above numbers follow a blank line: another table begins there."""
    numbers = grid.numbers
    for place in range(3, len(sample) - 1):
        if lines[place] > lines[place - 1] + 1:
            above = [row for row in sample[1:place] if len(row) == len(sample[1])]
            numeric = [j for j, cells in enumerate(zip(*above, strict=True))
                       if all(map(numbers.fits, cells)) and any(map(numbers.is_number, cells))]  # fmt: skip
            names = sample[place]
            numbered = any(map(numbers.is_number, names))
            if numeric and not numbered and _stands_above(names, numeric) and sample[0] != names:
                if any(map(numbers.is_number, sample[place + 1])):
                    raise _another_table(grid.name, lines[place], names)
            elif len(names) == len(sample[1]):
                continue
            else:
                return


def _stands_above(row: Row, numeric: Sequence[int]) -> bool:
    """Whether a line has words above all numeric columns, and no marks for unmeasured values."""
    if not numeric or len(row) <= numeric[0]:
        return False
    numbers = Numbers()
    cells = (row[j].strip() for j in numeric if j < len(row))
    return not any(cell in MISSING or is_no_number(cell) or numbers.resembles(cell) for cell in cells)


class RaggedError(Exception):
    """A line has a different number of cells from the others."""

    def __init__(self, error: DataError) -> None:
        super().__init__(str(error))
        self.error = error


def body(grid: Grid, layout: Layout) -> Iterator[Row]:
    """The rows below the header, without repeated headers; RaggedError for one with too few or too many cells."""
    width = layout.width
    names = layout.header if layout.names_numbers else None
    numeric = [j for j in range(width) if j not in layout.texts]
    before = 0
    repeated = iter(layout.below)
    expected: Row | None = None
    for line, row in islice(grid.rows(), layout.above, None):
        if expected is not None and row == expected:
            expected = next(repeated, None)
            continue
        expected = None
        if before and line > before + 1 and names is not None and _stands_above(row, numeric) and row != names:
            raise _another_table(grid.name, line, row)
        before = line
        if len(row) != width:
            if not layout.pads:
                raise RaggedError(ragged(grid.name, line, len(row), width, layout.chosen_separator))
            row = [*row, *[""] * (width - len(row))][:width]
        if names is not None and row[0].strip() == names[0] and holds_names_again(row, names):
            if [cell.strip() for cell in row] != names:
                raise _another_table(grid.name, line, row)
            layout.again.add(line)
            repeated = iter(layout.below)
            expected = next(repeated, None)
            continue
        yield row


def _another_table(name: str, line: int, row: Row) -> DataError:
    return DataError(
        'Line {line} of "{name}" contains a second header ({cells}) that differs from the first, so another table '
        "begins there. Keep each table in its own file.",
        line=line, name=name, cells=quoted([cell.strip() for cell in row]),
    )  # fmt: skip


def padded(grid: Grid, layout: Layout, error: DataError) -> tuple[Layout, Grid]:
    """The layout in which lines may lack their last cells, if these are blank in most others; else the error.

    Spreadsheets omit separators after the last filled cell of a line, or write too many.
    """
    width, filled, lines, full = layout.width, Counter[int](), 0, 0
    short: list[int] = []
    fewest, longest = width, 0
    for line, row in islice(grid.rows(), layout.above, None):
        if len(row) > width and any(cell.strip() for cell in row[width:]):
            raise error
        lines += 1
        full += len(row) >= width
        if len(row) < width:
            short.append(line)
            fewest = min(fewest, len(row))
            longest = max(longest, len(row))
        else:
            filled.update(j for j, cell in enumerate(row[:width]) if cell.strip())
    if any(2 * filled[j] > lines for j in range(fewest, width)) or (not full and longest == fewest):
        raise error
    checks = grid.checks
    readings = grid.readings
    if short:
        sentence = message_many(
            len(short),
            "{count} line lacks its last cells, which are treated as missing (line {lines}).",
            "{count} lines lack their last cells, which are treated as missing (lines {lines}).",
            lines=joined(", ", [str(line) for line in short[:3]]),
        )
        checks = (*checks, Check("short lines", sentence))
        evidence = message("These cells are also blank in most other lines.")
        readings = (*readings, Reading("short lines", sentence, evidence))
    return replace(layout, pads=True), replace(grid, checks=checks, readings=readings)


def no_rows(name: str) -> DataError:
    """The error for a table without rows."""
    return DataError('"{name}" has no rows below its header. Choose a table that contains data.', name=name)


def bulk(grid: Grid, layout: Layout, texts: Collection[int], *, turned: bool) -> Columns | None:
    """All columns below the header, read the fast way; None if there is none: see :attr:`Grid.bulk`."""
    if grid.bulk is None or not layout.first_line or layout.pads:
        return None
    return grid.bulk(layout.first_line, layout.width, texts, turned)
