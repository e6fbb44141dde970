"""Conversion of a grid of cells to a Table: header, sample ids, orientation, names, categories."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

import numpy as np

from fsdesk.data.cells import MISSING, Columns, Numbers, Row, gather, gather_transposed, ragged
from fsdesk.data.columns import spelling_matters, typed, types_of
from fsdesk.data.compound import are_compounds
from fsdesk.data.dataset import Check, Table
from fsdesk.data.dates import holds_dates
from fsdesk.data.number_texts import are_mostly_numbers, is_no_number
from fsdesk.data.options import CARRIED, ReadOptions
from fsdesk.data.readers.first_lines import (
    FirstLines,
    first_lines,
    holds_names_again,
    is_title,
    without_names_again,
)
from fsdesk.data.readers.measures import find_measures
from fsdesk.data.readers.notes_below import with_notes_said, without_notes
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.replicates import says_whose
from fsdesk.data.roles import as_descriptions, duplicated_ids, left_aside, with_class_rows, with_likely_target
from fsdesk.data.table import build_table, unique_names
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

_SAMPLE_ROWS = 50
_SAMPLE_CELLS = 200_000
_MOST_SPELLED = 2000  # columns of a table whose cells are inspected again
_TITLE_COLUMNS, _NEXT_FEW, _MOST_TITLES = 3, 4, 30
_FEWEST_IDS = 4
_NEARLY = 0.8  # fraction of distinct IDs that is enough if some occur twice


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
class _Layout:
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


def to_table(grid: Grid, options: ReadOptions) -> Table:
    """Make the table; DataError if there are no rows under the header or a line has too few or too many cells."""
    rows, head, notes = without_notes(grid.rows, grid.head, samples=options.orientation == "rows")
    grid = replace(grid, rows=rows, head=head)
    layout = _layout(grid, options)
    try:
        table = _table(grid, layout, options)
    except _RaggedError as error:
        ragged_error = error.error
    else:
        return with_notes_said(_finished(table, grid, layout, options), notes)
    layout, grid = _padded(grid, layout, ragged_error)
    return with_notes_said(_finished(_table(grid, layout, options), grid, layout, options), notes)


def _finished(table: Table, grid: Grid, layout: _Layout, options: ReadOptions) -> Table:
    carried = {name: value for name in CARRIED if (value := _settled(name, grid, options))}
    carried |= table.ways
    again = _said_again(layout)
    table = replace(
        table,
        checks=(*table.checks, *(Check("names again", reading.sentence) for reading in again)),
        readings=(*grid.readings, *layout.first.readings, *again, *table.readings),
        ways=carried,
    )
    return replace(table, parts=grid.parts, part=grid.part) if grid.parts else table


def _said_again(layout: _Layout) -> tuple[Reading, ...]:
    """The decision about repeated header lines; none if there are none."""
    lines = sorted(layout.again)
    if not lines:
        return ()
    sentence = message_many(
        len(lines),
        "{count} repeated header line is ignored (line {lines}).",
        "{count} repeated header lines are ignored (lines {lines}).",
        lines=joined(", ", [str(line) for line in lines[:3]]),
    )
    return (Reading("names again", sentence),)


def _settled(name: str, grid: Grid, options: ReadOptions) -> str:
    """The value of an option for reading later tables; "" if it is the default."""
    if name == "decimal":
        return "comma" if grid.decimal == "," else ""
    value = str(getattr(options, name))
    return "" if value == str(ReadOptions.model_fields[name].default) else value


def _table(grid: Grid, layout: _Layout, options: ReadOptions) -> Table:
    if options.orientation == "columns":
        return _from_feature_rows(grid, layout, options)
    return _from_sample_rows(grid, layout, options)


def titles_above(rows: Sequence[Row]) -> int:
    """Number of lines above the table: with at most half as many cells as the next few, which have three or more."""
    filled = [sum(cell.strip() != "" for cell in row) for row in rows[:_MOST_TITLES]]
    first = next((place for place, count in enumerate(filled) if count > 1), 0)
    usual = Counter(filled[first:]).most_common(1)[0][0] if filled[first:] else 0
    # A title may contain a separator; a header has a name for most columns.
    first = next((place for place, count in enumerate(filled) if count > 1 and 2 * count > usual), first)
    below = filled[first : first + _NEXT_FEW]
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


def _layout(grid: Grid, options: ReadOptions) -> _Layout:
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
        return _Layout(width, None, False, chosen, line_numbers[0], 0, texts, found)
    names = [name.strip() for name in found.names] if found.names else [cell.strip() for cell in first]
    header = ["", *names] if short else names
    if len(header) != width:
        raise ragged(grid.name, line_numbers[0], len(header), width, chosen)
    below = tuple(body[: found.below])
    return _Layout(width, header, short, chosen, start, above, texts, found, below=below)


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
    """Raise DataError if a name is missing, but not that of the ids: the first one is above repeated numbers."""
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
    for line, row in islice((grid.head or grid.rows)(), _SAMPLE_ROWS):
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


class _RaggedError(Exception):
    """A line has a different number of cells from the others."""

    def __init__(self, error: DataError) -> None:
        super().__init__(str(error))
        self.error = error


def _body(grid: Grid, layout: _Layout) -> Iterator[Row]:
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
                raise _RaggedError(ragged(grid.name, line, len(row), width, layout.chosen_separator))
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


def _padded(grid: Grid, layout: _Layout, error: DataError) -> tuple[_Layout, Grid]:
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


def _no_rows(name: str) -> DataError:
    return DataError('"{name}" has no rows below its header. Choose a table that contains data.', name=name)


def _from_sample_rows(grid: Grid, layout: _Layout, options: ReadOptions) -> Table:
    ids_first = options.row_ids == "first column"
    numbers = grid.numbers
    known = layout.texts | {j for j, kind in layout.first.types.items() if kind != "number"}
    if options.types and layout.header:  # their cells are kept as they are written
        unique, _ = unique_names(layout.header)
        said = types_of(options, unique)
        known |= {j for j, name in enumerate(unique) if said.get(name) == "category"}
    known = known | {0} if ids_first else known
    columns = _bulk(grid, layout, known, turned=False)
    fast = columns is not None
    if columns is None:
        columns = gather(lambda: _body(grid, layout), layout.width, numbers, known - layout.texts)
    if not len(columns.values):
        raise _no_rows(grid.name)
    header = layout.header
    ids = None
    if ids_first or (options.row_ids == "auto" and layout.width > 1):
        ids = _row_ids(columns, header, numbers, sure=ids_first or layout.short_header)
    names = header or [f"x{j + 1}" for j in range(layout.width)]
    checks, readings = list(grid.checks), list[Reading]()
    first = 0
    if ids is not None:
        title = message('"{name}"', name=names[0]) if header and names[0] else message("without a name")
        sentence = message("The first column ({title}) contains the sample IDs.", title=title)
        checks.append(Check("row ids", sentence, (names[0],)))
        checks += duplicated_ids(ids)
        readings.append(Reading("row ids", sentence, "", _ID_ANSWERS, columns=(names[0],)))
        first = 1
    elif header and 0 in columns.texts and says_whose(header[0].strip()):
        cells = columns.texts[0]
        if _NEARLY * len(cells) < len({*cells}) < len(cells):
            checks += duplicated_ids(cells)
    values, texts = columns.values, columns.texts
    kept = [
        j
        for j in range(first, layout.width)
        if names[j] or (j in texts and any(texts[j])) or (j not in texts and not np.isnan(values[:, j]).all())
    ]
    _refuse_beside(grid, layout, columns, kept)
    whole = len(kept) == layout.width - first
    values = (values[:, first:] if first else values) if whole else values[:, kept]
    texts = {new: texts[old] for new, old in enumerate(kept) if old in texts}
    names = [names[j] for j in kept]
    unique, name_checks = unique_names(names)
    roles, kinds, notes = (
        {new: said[old] for new, old in enumerate(kept) if old in said}
        for said in (layout.first.roles, layout.first.types, layout.first.notes)
    )
    spelled = (
        {} if fast and len(kept) > _MOST_SPELLED else _spelled(grid, layout, kept, values, texts, options, fast=fast)
    )
    words = [j for j, kind in kinds.items() if kind != "number"]
    numeric = [old for new, old in enumerate(kept) if new not in texts]

    def has_nulls() -> bool:
        return any(row[j].strip().lower() == "null" for row in _body(grid, layout) for j in numeric)

    columns, found = typed(
        Columns(values, texts), unique, numbers, options, spelled=spelled, words=words, has_nulls=has_nulls
    )
    table = build_table(
        grid.name,
        columns,
        unique,
        rows=ids,
        source=joined(", ", [grid.source, message("with a header") if header else message("without a header")]),
        checks=[*checks, *name_checks, *found.checks],
        mixed=found.mixed,
        missing=("",),
    )
    descriptions = {unique[j]: unit for j, unit in notes.items()} | found.units
    table = replace(
        table,
        readings=(*readings, *found.readings),
        descriptions=descriptions,
        ways=_spelled_as_missing(options, found.spellings),
    )
    table = replace(table, checks=(*table.checks, *_control_rows(table)))
    if header and not names[-1] and any(names):  # remarks beside a table, such as those of a sheet
        return replace(
            table, default_target=next(name for name, said in zip(unique[::-1], names[::-1], strict=True) if said)
        )
    roles_by_name = {unique[j]: role for j, role in roles.items()}
    return _with_roles(table, roles_by_name) if roles_by_name else with_likely_target(table, named=bool(header))


def _refuse_beside(grid: Grid, layout: _Layout, columns: Columns, kept: Sequence[int]) -> None:
    """Raise DataError if another table begins after a blank column: ids again, differing from those of the first."""
    header, texts = layout.header, columns.texts
    if header is None or 0 not in texts:
        return
    for before, j in pairwise(kept):
        if j == before + 1 or j not in texts or not header[j]:
            continue
        cells = [cell for cell in texts[j] if cell]
        ids = len({*cells}) == len(cells) > _FEWEST_IDS and len({*texts[0]}) == len(texts[0])
        if ids and texts[j] != texts[0] and (header[j] == header[0] or {*cells} & {*texts[0]}):
            raise DataError(
                'Column {column} of "{name}" contains a second set of sample IDs ("{title}") in a different order, '
                "so another table begins there. Keep each table in its own file or sheet.",
                column=j + 1, name=grid.name, title=header[j],
            )  # fmt: skip


def _spelled_as_missing(options: ReadOptions, words: Sequence[str]) -> dict[str, str]:
    """The option that makes a later table treat the same values as missing."""
    usual = [word for word in words if ";" not in word]
    return {"missing_values": "; ".join(filter(None, [options.missing_values, *usual]))} if usual else {}


_ID_ANSWERS = (
    Alternative(message("The first column contains the sample IDs"), "row_ids", "first column"),
    Alternative(message("There are no sample IDs"), "row_ids", "none"),
)


def _spelled(
    grid: Grid,
    layout: _Layout,
    kept: Sequence[int],
    values: np.ndarray,
    texts: Collection[int],
    options: ReadOptions,
    *,
    fast: bool,
) -> dict[int, list[str]]:
    """Cells of the numeric columns as written, if that matters; in a large table, only those."""
    looked = [j for j in range(len(kept)) if j not in texts]
    if fast:  # the target is likely, and each column costs
        odd = _odd_in(grid, layout, kept)
        looked = [j for j in looked if j == len(kept) - 1 or j in odd]
    said = options.thousands not in ("auto", "none")
    wanted = [looked[place] for place in spelling_matters(values[:, looked], thousands=said)] if looked else []
    if not wanted:
        return {}
    cells: dict[int, list[str]] = {j: [] for j in wanted}
    for row in _body(grid, layout):
        for j, column in cells.items():
            column.append(row[kept[j]].strip())
    return cells


def _odd_in(grid: Grid, layout: _Layout, kept: Sequence[int]) -> set[int]:
    """Columns with leading zeros in integers, or with three decimals beside none, in the first lines."""
    found = set()
    rows = [
        row for _, row in islice((grid.head or grid.rows)(), layout.above, _SAMPLE_ROWS) if len(row) == layout.width
    ]
    for new, old in enumerate(kept):
        cells = [row[old].strip() for row in rows]
        zeros = any(len(cell) > 1 and cell[0] == "0" and cell.isdigit() for cell in cells)
        whole = any(cell.isdigit() for cell in cells) and any(cell[-4:-3] == grid.decimal for cell in cells)
        if zeros or whole:
            found.add(new)
    return found


def _with_roles(table: Table, roles: dict[str, str]) -> Table:
    """The table with the column roles given by the file."""
    target = next((name for name, role in roles.items() if role == "target"), "")
    if target:
        table = replace(table, default_target=target)
    meta = tuple(name for name, role in roles.items() if role == "meta")
    ignored = tuple(name for name, role in roles.items() if role == "ignore")
    return left_aside(as_descriptions(table, meta), ignored)


def _bulk(grid: Grid, layout: _Layout, texts: Collection[int], *, turned: bool) -> Columns | None:
    if grid.bulk is None or not layout.first_line or layout.pads:
        return None
    return grid.bulk(layout.first_line, layout.width, texts, turned)


def _row_ids(columns: Columns, header: Row | None, numbers: Numbers, *, sure: bool) -> tuple[str, ...] | None:
    """Ids in the first column: unique text, or unique integers under an empty name."""
    cells = columns.texts.get(0)
    if cells is not None:
        if sure:
            return tuple(cells)
        if header is not None and header[0] and (holds_dates(cells) or are_compounds(cells)):
            return None  # the time of the rows, or a measurement
        unique = len(set(cells)) == len(cells) and not MISSING.intersection(cells)
        # A measurement with a slip in it is no id.
        return tuple(cells) if unique and not are_mostly_numbers(cells, numbers) else None
    first = columns.values[:, 0]
    unnamed = header is not None and not header[0]
    whole = bool((np.isfinite(first) & (first == np.round(first))).all())
    if sure or (unnamed and whole and len(np.unique(first)) == len(first)):
        return tuple(f"{value:.15g}" for value in first)
    return None


def _from_feature_rows(grid: Grid, layout: _Layout, options: ReadOptions) -> Table:
    if layout.width < 2:
        raise DataError(
            '"{name}" has no samples besides the feature names. Check orientation and separator.', name=grid.name
        )
    numbers = grid.numbers
    grid, layout = _names_first(grid, layout, numbers)
    measures = find_measures(layout.header, options, grid.name) if layout.header else None
    left = measures.left if measures else ()
    about = _describing(grid, layout, numbers, left)
    if measures is not None:  # cells that are not values of samples describe the features
        about = tuple(j for j in range(1, layout.width) if j not in (*measures.samples, *left))
    columns, names, described = _feature_columns(grid, layout, numbers, about, left)
    columns, names, described, counts_only = _without_counts(columns, names, described)
    samples = [j for j in range(1, layout.width) if j not in (*about, *left)]
    ids = tuple(layout.header[j] for j in samples) if layout.header else None
    unique, name_checks = unique_names(names)
    columns, found = typed(columns, unique, numbers, options)
    nominal = [unique[j] for j in columns.texts]
    checks, readings = [*grid.checks, *(duplicated_ids(ids) if ids else ())], list[Reading]()
    if about:
        titles = [layout.header[j] if layout.header else str(j + 1) for j in about]
        sentence = message_many(
            len(titles),
            "{count} column describes the features and is not a sample: {titles}.",
            "{count} columns describe the features and are not samples: {titles}.",
            titles=quoted(titles),
        )
        checks.append(Check("feature descriptions", sentence, ()))
        readings.append(
            Reading("feature descriptions", sentence, message("They contain text, or their names suggest it."))
        )
    checks += _marked_features(unique, described)
    if measures is not None and measures.readings:
        checks += [Check("measure", reading.sentence) for reading in measures.readings]
        readings += measures.readings
    if counts_only:
        sentence = message_many(
            len(counts_only),
            "{count} line counts reads not assigned to any feature and is ignored: {names}.",
            "{count} lines count reads not assigned to any feature and are ignored: {names}.",
            names=quoted(counts_only),
        )
        checks.append(Check("lines of no feature", sentence, ()))
        readings.append(Reading("lines of no feature", sentence))
    table = build_table(
        grid.name,
        columns,
        unique,
        rows=ids,
        source=joined(", ", [grid.source, message("features in rows")]),
        checks=[*checks, *name_checks, *found.checks],
        mixed=found.mixed,
        missing=("",),
        default_target=nominal[0] if len(nominal) == 1 else None,
    )
    told = {name: text for name, text in zip(unique, described, strict=True) if text} if about else {}
    table = replace(table, readings=(*readings, *found.readings), descriptions=told, needs_labels=True)
    table = table if len(nominal) == 1 else with_class_rows(table, nominal)
    return as_descriptions(table, _rows_about_samples(unique, nominal))


def _rows_about_samples(names: Sequence[str], nominal: Sequence[str]) -> tuple[str, ...]:
    """Lines of text above the features, and numeric lines between them such as ages, which describe the samples."""
    places = [names.index(name) for name in nominal]
    first, last = min(places, default=0), max(places, default=0)
    return tuple(names[first : last + 1]) if 0 < last < min(_MOST_ABOVE, len(names) // 2) else ()


_MOST_ABOVE = 10

_ABOUT_FEATURES = frozenset((
    "chr", "chrom", "chromosome", "start", "end", "strand", "length", "gene_length", "description", "gene name",
    "gene_name", "gene names", "genename", "gene symbol", "gene_symbol", "genesymbol", "symbol", "hgnc_symbol",
    "entrezgene", "entrez_gene_id", "entrez_id", "entrezid", "entrez gene id", "ensembl", "ensembl_id", "gene_biotype",
    "gene_type", "biotype", "taxonomy", "confidence", "sequence", "protein names", "fasta headers", "peptides",
    "razor + unique peptides", "unique peptides", "sequence coverage [%]", "mol. weight [kda]", "sequence length",
    "q-value", "score", "pep", "reverse", "only identified by site", "potential contaminant", "contaminant", "id",
    "ms/ms count", "majority protein ids", "number of proteins", "m/z", "mz", "rt", "retention time", "retention_time",
    "effectivelength", "effective_length", "effective length", "gc_content", "gc", "cytoband", "probe", "probe_id",
    "id_ref", "accession", "locus", "hugo_symbol", "width", "fold", "log2fc", "logfc", "log2foldchange", "tstat",
    "pvalue", "p-value", "p.value", "qvalue", "fdr", "padj", "adj.p.val", "mzmed", "mzmin", "mzmax", "rtmed", "rtmin",
    "rtmax", "npeaks", "basemean", "aveexpr",
))  # fmt: skip
"""Titles of columns that describe genes, proteins and the like, in lower case."""


_NO_FEATURES = frozenset((
    "__no_feature", "__ambiguous", "__too_low_aqual", "__not_aligned", "__alignment_not_unique", "n_unmapped",
    "n_multimapping", "n_nofeature", "n_ambiguous", "no_feature", "too_low_aqual", "alignment_not_unique",
))  # fmt: skip
"""Names that HTSeq and STAR give to reads that do not belong to a gene, in lower case."""


def _without_counts(
    columns: Columns, names: list[str], described: list[str]
) -> tuple[Columns, list[str], list[str], list[str]]:
    """Columns, names and descriptions without lines that are not features, and the names of those lines."""
    out = [j for j, name in enumerate(names) if name.lower() in _NO_FEATURES]
    if not out or len(out) == len(names):
        return columns, names, described, []
    left = [j for j in range(len(names)) if j not in {*out}]
    texts = {left.index(j): cells for j, cells in columns.texts.items() if j not in out}
    kept = Columns(np.asfortranarray(columns.values[:, left]), texts)
    return kept, [names[j] for j in left], [described[j] for j in left] if described else [], [names[j] for j in out]


_MARKED = re.compile(r"(?:^|; )(reverse|decoy|(?:potential )?contaminant|only identified by site): (?:\+|true)", re.I)


def _marked_features(names: Sequence[str], described: Sequence[str]) -> list[Check]:
    """A check that names proteins that MaxQuant and others mark as no proteins of the samples."""
    marked = tuple(name for name, text in zip(names, described, strict=False) if _MARKED.search(text))
    if not marked:
        return []
    sentence = message_many(
        len(marked),
        "{count} feature is marked in the file as a contaminant, a reversed sequence or identified by site only: "
        "{names}. Such features are usually excluded.",
        "{count} features are marked in the file as contaminants, reversed sequences or identified by site only: "
        "{names}. Such features are usually excluded.",
        names=quoted(marked),
    )
    return [Check("marked features", sentence, marked)]


_SAMPLE_TYPE = re.compile(r"(sample|specimen)[ _.]?type|file[ _.]?type", re.IGNORECASE)
_NO_SAMPLE = re.compile(
    r"(.*\W)?(qc|blank|standard|std|calibrator|pool(ed)?|buffer|control)s?(\W.*|\d*)", re.IGNORECASE
)


def _control_rows(table: Table) -> tuple[Check, ...]:
    """A check that names rows that are quality controls, blanks or standards by their type, beside samples."""
    for j, categories in table.categories.items():
        name = table.columns[j]
        kinds = categories if _SAMPLE_TYPE.fullmatch(name.strip()) else ()
        others = [code for code, kind in enumerate(kinds) if _NO_SAMPLE.fullmatch(kind.strip())]
        samples = {kind.strip().lower() for kind in kinds} & {"sample", "samples", "unknown", "unknowns"}
        if others and samples:
            count = int(np.isin(table.values[:, j], others).sum())
            sentence = message_many(
                count,
                'By column "{column}", {count} row is not a sample ({kinds}), but is read as one. Delete it in the '
                "file.",
                'By column "{column}", {count} rows are not samples ({kinds}), but are read as such. Delete them in '
                "the file.",
                column=name, kinds=quoted([kinds[code] for code in others]),
            )  # fmt: skip
            return (Check("control samples", sentence, (name,)),)
    return ()


_FEWEST_NAMES = 8
_OF_A_GENE = re.compile(r"(gene|transcript|tx|probe|protein|feature|peak)[ _.]|[ _.](position|name|bp|kb)$")


def is_gene_title(title: str) -> bool:
    """Whether a column's name says that it contains genes, proteins and the like: gene_symbol, Probe ID."""
    return _GENE_TITLE.fullmatch(title.strip()) is not None


_GENE_TITLE = re.compile(
    r"(gene|protein|transcript|probe(set)?|ensembl|entrez|hgnc|otu|asv|mirna)s?([ _.-]*(ids?|name|symbol|accession))*",
    re.IGNORECASE,
)


def _is_about_features(title: str) -> bool:
    """Whether a column's name is one used for describing genes and the like, such as start or gene_start."""
    plain = title.strip().lower()
    return plain in _ABOUT_FEATURES or _OF_A_GENE.sub("", plain) in _ABOUT_FEATURES


def _names_first(grid: Grid, layout: _Layout, numbers: Numbers) -> tuple[Grid, _Layout]:
    """Grid and layout with the feature names moved to the first column, if a sample is there.

    Perseus and others write samples first: then values, with decimals or duplicates, followed by text.
    """
    rows = [
        row for _, row in islice((grid.head or grid.rows)(), layout.above, _SAMPLE_ROWS) if len(row) == layout.width
    ]
    repeats = len(rows) >= _FEWEST_NAMES and 2 * len({row[0] for row in rows}) < len(rows)  # such as classes of lipids
    if len(rows) < 2 or not (repeats or all(numbers.fits(row[0]) for row in rows)):
        return grid, layout
    if layout.header is not None and not repeats and (not layout.header[0] or _is_about_features(layout.header[0])):
        return grid, layout
    if not repeats:
        first = [numbers.one(row[0]) for row in rows]
        if len({*first}) == len(first) and all(value.is_integer() for value in first):
            return grid, layout
    naming = [
        j for j in range(1, layout.width)
        if not any(map(numbers.resembles, (row[j] for row in rows))) and len({row[j] for row in rows}) == len(rows)
    ]  # fmt: skip
    if not naming:
        return grid, layout
    place = next((j for j in naming if layout.header and _is_about_features(layout.header[j])), naming[0])

    def moved(row: Row) -> Row:
        return [row[place], *row[:place], *row[place + 1 :]] if len(row) == layout.width else row

    def turned(source: Callable[[], Iterator[tuple[int, Row]]]) -> Callable[[], Iterator[tuple[int, Row]]]:
        return lambda: ((line, moved(row)) for line, row in source())

    texts = frozenset(0 if j == place else j + (j < place) for j in layout.texts)
    header = None if layout.header is None else moved(layout.header)
    grid = replace(grid, rows=turned(grid.rows), head=grid.head and turned(grid.head), bulk=None)
    return grid, replace(layout, header=header, texts=texts)


def _describing(grid: Grid, layout: _Layout, numbers: Numbers, left: Collection[int] = ()) -> tuple[int, ...]:
    """Columns of a table with features in rows that are not samples: text, or named as feature descriptions.

    Columns in ``left`` are not part of the table.
    """
    rows = [
        row for _, row in islice((grid.head or grid.rows)(), layout.above, _SAMPLE_ROWS) if len(row) == layout.width
    ]
    kept = [j for j in range(layout.width) if j not in left]
    numeric = [row for row in rows if 2 * sum(numbers.is_number(row[j]) for j in kept) >= len(kept) - 1]
    if len(numeric) < 2:
        return ()
    found = []
    for j in kept[1:]:
        cells = [row[j].strip() for row in numeric]
        present = [cell for cell in cells if cell not in MISSING and not is_no_number(cell)]
        texts = sum(not numbers.resembles(cell) for cell in present)
        named = layout.header is not None and _is_about_features(layout.header[j])
        if named or (present and 2 * texts > len(present)):
            found.append(j)
    return tuple(found) if len(found) < len(kept) - 1 else ()


def _feature_columns(
    grid: Grid, layout: _Layout, numbers: Numbers, about: Sequence[int], left: Sequence[int] = ()
) -> tuple[Columns, list[str], list[str]]:
    """A column for each line, the cells before it, which are the names, and the descriptions of each."""
    fast = _bulk(grid, layout, (0,), turned=True) if layout.texts <= {0} and not about and not left else None
    if fast is not None:
        return Columns(fast.values, {}), fast.texts[0], []
    names: list[str] = []
    described: list[str] = []
    titles, out = layout.header, frozenset((*about, *left))

    def rows() -> Iterator[Row]:
        for row in _body(grid, layout):
            names.append(row[0].strip())
            if about:
                told = [(titles[j] if titles else "", row[j].strip()) for j in about if row[j].strip() not in MISSING]
                described.append("; ".join(f"{title}: {text}" if title else text for title, text in told))
            if out:
                row = [cell for j, cell in enumerate(row) if j not in out]
            del row[0]
            yield row

    height = sum(1 for _ in _body(grid, layout))
    if not height:
        raise _no_rows(grid.name)
    return gather_transposed(rows(), height, layout.width - 1 - len(out), numbers), names, described
