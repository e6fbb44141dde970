"""A grid of cells to a Table: header, sample ids, orientation, names, categories."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from fsdesk.data.cells import MISSING, Columns, Numbers, Row, gather, gather_transposed, ragged
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_SAMPLE_ROWS = 50
_SAMPLE_CELLS = 200_000


@dataclass(frozen=True)
class Grid:
    """A grid of cells.

    Attributes
    ----------
    name, source, checks, parts, part
        As in Table; ``source`` without what is found out here.
    rows
        Line numbers and fresh lists of cells, from the first line at every call.
    decimal
        "." or ",".
    head
        The first lines alone, where that is cheaper than beginning with ``rows``.
    bulk
        A fast way to all columns below the header, given the number of the first line there, the cells in a line,
        columns known to be text, and whether lines are features, see :func:`fsdesk.data.readers.bulk.bulk_columns`;
        None where it cannot be sure.
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


@dataclass(frozen=True)
class _Layout:
    """What the first lines say: cells in a line, header, and whether R left out the name of the row names.

    And whether the user chose the separator, which is then the first suspect where a line does not fit; the number of
    the first line below the header, and the columns that hold text in the first lines.
    """

    width: int
    header: Row | None
    short_header: bool
    chosen_separator: bool
    first_line: int
    texts: frozenset[int]


def to_table(grid: Grid, options: ReadOptions) -> Table:
    """Make the table; DataError where there are no rows under the header or a line has too few or many cells."""
    layout = _layout(grid, options)
    if options.orientation == "columns":
        table = _from_feature_rows(grid, layout)
    else:
        table = _from_sample_rows(grid, layout, options)
    return replace(table, parts=grid.parts, part=grid.part) if grid.parts else table


def _layout(grid: Grid, options: ReadOptions) -> _Layout:
    sample, line_numbers = _sample(grid)
    if not sample:
        raise DataError('"{name}" holds no table; choose another file or sheet.', name=grid.name)
    first, body = sample[0], sample[1:]
    width = Counter(map(len, body or sample)).most_common(1)[0][0]
    numbers = Numbers(grid.decimal)
    short = len(first) == width - 1 and bool(body) and options.header != "no"
    if short and all(not row[-1].strip() for row in body if len(row) == width):
        first, short = [*first, ""], False  # a separator ends every line but the first
    named = short or options.header == "yes"
    if options.header == "auto" and not named and len(first) == width:
        named = _has_header(first, body, numbers, sample_names=options.orientation == "columns")
    regular = [row for row in (body if named else sample) if len(row) == width]
    texts = frozenset(j for j, cells in enumerate(zip(*regular, strict=True)) if not all(map(numbers.fits, cells)))
    chosen = options.delimiter != "auto"
    if not named:
        return _Layout(width, None, False, chosen, line_numbers[0], texts)
    header = [cell.strip() for cell in (["", *first] if short else first)]
    if len(header) != width:
        raise ragged(grid.name, line_numbers[0], len(header), width, chosen)
    return _Layout(width, header, short, chosen, line_numbers[1] if body else 0, texts)


def _sample(grid: Grid) -> tuple[list[Row], list[int]]:
    """The first lines, and their numbers."""
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


def _body(grid: Grid, layout: _Layout) -> Iterator[Row]:
    rows = grid.rows()
    if layout.header is not None:
        next(rows)
    for line, row in rows:
        if len(row) != layout.width:
            raise ragged(grid.name, line, len(row), layout.width, layout.chosen_separator)
        yield row


def _no_rows(name: str) -> DataError:
    return DataError('"{name}" has no rows below its header; choose a table with data in it.', name=name)


def _from_sample_rows(grid: Grid, layout: _Layout, options: ReadOptions) -> Table:
    ids_first = options.row_ids == "first column"
    numbers = Numbers(grid.decimal)
    columns = _bulk(grid, layout, layout.texts | {0} if ids_first else layout.texts, turned=False)
    if columns is None:
        columns = gather(lambda: _body(grid, layout), layout.width, numbers, (0,) if ids_first else ())
    if not len(columns.values):
        raise _no_rows(grid.name)
    header = layout.header
    ids = None
    if ids_first or (options.row_ids == "auto" and layout.width > 1):
        ids = _row_ids(columns, header, numbers, sure=ids_first or layout.short_header)
    values, texts, names = columns.values, columns.texts, header or [f"x{j + 1}" for j in range(layout.width)]
    checks = list(grid.checks)
    if ids is not None:
        title = message('"{name}"', name=names[0]) if header and names[0] else message("without a name")
        checks.append(
            Check("row ids", message("The first column ({title}) holds the sample ids.", title=title), (names[0],))
        )
        checks += _duplicated_ids(ids)
        values, names = values[:, 1:], names[1:]
        texts = {j - 1: cells for j, cells in texts.items() if j}
    kept = [j for j, name in enumerate(names) if name or j in texts or not np.isnan(values[:, j]).all()]
    if len(kept) < len(names):
        values, names = values[:, kept], [names[j] for j in kept]
        texts = {new: texts[old] for new, old in enumerate(kept) if old in texts}
    return build_table(
        grid.name,
        Columns(values, texts),
        names,
        rows=ids,
        source=joined(", ", [grid.source, message("with a header") if header else message("without a header")]),
        checks=checks,
        numbers=numbers,
    )


def _bulk(grid: Grid, layout: _Layout, texts: Collection[int], *, turned: bool) -> Columns | None:
    if grid.bulk is None or not layout.first_line:
        return None
    return grid.bulk(layout.first_line, layout.width, texts, turned)


def _row_ids(columns: Columns, header: Row | None, numbers: Numbers, *, sure: bool) -> tuple[str, ...] | None:
    """Ids in the first column: text that differs from row to row, or whole numbers that do under no name."""
    cells = columns.texts.get(0)
    if cells is not None:
        if sure:
            return tuple(cells)
        unique = len(set(cells)) == len(cells) and not MISSING.intersection(cells)
        mostly_numbers = 2 * sum(map(numbers.resembles, cells)) > len(cells)  # a measurement with a slip in it
        return tuple(cells) if unique and not mostly_numbers else None
    first = columns.values[:, 0]
    unnamed = header is not None and not header[0]
    whole = bool((np.isfinite(first) & (first == np.round(first))).all())
    if sure or (unnamed and whole and len(np.unique(first)) == len(first)):
        return tuple(f"{value:.15g}" for value in first)
    return None


def _duplicated_ids(ids: Sequence[str]) -> list[Check]:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if not twice:
        return []
    return [
        Check(
            "duplicated row ids",
            message("{twice} sample ids occur more than once: {twice2}.", twice=len(twice), twice2=quoted(twice)),
        )
    ]


def _from_feature_rows(grid: Grid, layout: _Layout) -> Table:
    if layout.width < 2:
        raise DataError(
            '"{name}" has no samples beside the feature names; check orientation and separator.', name=grid.name
        )
    numbers = Numbers(grid.decimal)
    columns, names = _feature_columns(grid, layout, numbers)
    ids = tuple(layout.header[1:]) if layout.header else None
    nominal = [names[j] for j in columns.texts]
    return build_table(
        grid.name,
        columns,
        names,
        rows=ids,
        source=joined(", ", [grid.source, message("features in rows")]),
        checks=[*grid.checks, *(_duplicated_ids(ids) if ids else ())],
        numbers=numbers,
        default_target=nominal[0] if len(nominal) == 1 else None,
    )


def _feature_columns(grid: Grid, layout: _Layout, numbers: Numbers) -> tuple[Columns, list[str]]:
    """A column for each line, and the cells before them: the names."""
    fast = _bulk(grid, layout, (0,), turned=True) if layout.texts <= {0} else None
    if fast is not None:
        return Columns(fast.values, {}), fast.texts[0]
    names: list[str] = []

    def rows() -> Iterator[Row]:
        for row in _body(grid, layout):
            names.append(row[0].strip())
            del row[0]
            yield row

    height = sum(1 for _ in _body(grid, layout))
    if not height:
        raise _no_rows(grid.name)
    return gather_transposed(rows(), height, layout.width - 1, numbers), names


def _has_header(first: Row, body: Sequence[Row], numbers: Numbers, *, sample_names: bool) -> bool:
    """Whether ``first`` holds names: text above numbers, or text that the lines below do not repeat.

    ``sample_names`` says that the line would name samples, which often are plain numbers.
    """
    rows = [row for row in body if len(row) == len(first)]
    if not rows:
        return not any(numbers.is_number(cell) for cell in first)
    if _counts(first, numbers):
        return True
    above_numbers = below_numbers = fresh = repeated = 0
    for cell, column in zip(first, zip(*rows, strict=True), strict=True):
        present = [other.strip() for other in column if other.strip() not in MISSING]
        name = cell.strip()
        if present and all(map(numbers.is_number, present)):
            above_numbers += name not in MISSING and not numbers.is_number(name)
            below_numbers += numbers.is_number(name)
        elif name and present:
            repeated += name in present or (numbers.is_number(name) and not sample_names)
            fresh += name not in present
    if above_numbers or below_numbers:
        if above_numbers <= below_numbers and sample_names:
            return _numbers_as_names(first, rows, numbers)
        return above_numbers > below_numbers
    return fresh > 0 and not repeated


def _counts(first: Row, numbers: Numbers) -> bool:
    """Whether the cells count 0, 1, 2, ... or 1, 2, 3, ... after a first cell that is no number."""
    if len(first) < 3 or numbers.is_number(first[0]):
        return False
    rest = [cell.strip() for cell in first[1:]]
    return rest[0] in ("0", "1") and rest == [str(number) for number in range(int(rest[0]), int(rest[0]) + len(rest))]


def _numbers_as_names(first: Row, rows: Sequence[Row], numbers: Numbers) -> bool:
    """Sample ids such as 1007: whole numbers, each once, above values that are not whole."""
    names = [cell.strip() for cell in first[1:]]
    fractions = sum(
        any(numbers.is_number(cell) and not numbers.one(cell).is_integer() for cell in column)
        for column in list(zip(*rows, strict=True))[1:]
    )
    return len(set(names)) == len(names) and all(name.isdigit() for name in names) and 2 * fractions > len(names)
