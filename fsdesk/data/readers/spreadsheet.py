"""Excel and OpenDocument sheets, through calamine.

calamine reads the cells; our own code finds the sheet with the table, and where the table begins.
"""

import difflib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from fsdesk.data.cells import Numbers, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import ZIP, Content
from fsdesk.data.readers.decimals import find_decimal
from fsdesk.data.readers.excel97 import OLE, checked_workbook
from fsdesk.data.readers.grid_lines import Grid, left_out, titles_above
from fsdesk.data.readers.hidden import Hidden, hidden_in
from fsdesk.data.readers.layouts import read_grid
from fsdesk.data.readers.reader import Reader
from fsdesk.data.readers.sheet_limits import checked_archive
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import as_descriptions, is_class_column
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

_LOOKED_AT, _FEWEST_ROWS = 40, 2
_SMALL_SHEET, _MUCH_LARGER = 60, 5  # cells of a list of codes, and how many times more a table has
_FEWEST_LOOKS, _MOST_BYTES = 10, 1 << 26  # sheets inspected, and bytes of content; a later sheet may be a table


def read_sheet(content: Content, options: ReadOptions) -> Grid:
    """The grid of cells of one sheet; DataError for a damaged file, an unknown sheet or an empty one."""
    import python_calamine

    name, checked = content.name, _checked(content)
    looks = max(_FEWEST_LOOKS, _MOST_BYTES // _largest_part(checked))  # many sheets may refer to one part of the file
    with _damage_refused(name), python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(checked)) as book:
        sheets = list(book.sheet_names)
        wanted = "" if options.sheet == ALL_SHEETS else options.sheet
        sheet, rivals = _sheet(sheets, wanted, name), False
        cells = _cells(book, sheet)
        if not wanted:
            sheet, cells, rivals = _likely(book, sheets[:looks], sheet, cells)
            _refuse_prose(cells, content.name)
            if len(sheets) > 1 and not _is_table(cells):
                raise DataError(
                    '"{name}" has no sheet with a table ({sheets}). Choose another file.',
                    name=name,
                    sheets=quoted(sheets),
                )
        cells, merged = _unmerged(book, sheet, cells)
        start = book.get_sheet_by_name(sheet).start or (0, 0)
        found = {each: _Look.at(cells) if each == sheet else _looked_at(book, each) if place < looks else _Look()
                 for place, each in enumerate(sheets)}  # fmt: skip
        tables = [each for each, look in found.items() if look is not None or each == sheet]
        hidden = {
            each.name for each in book.sheets_metadata if each.visible != python_calamine.SheetVisibleEnum.Visible
        }
        alike = [each for each in tables if each not in {sheet, *hidden} and _are_alike(found[each], found[sheet])]
        if options.sheet == ALL_SHEETS:
            cells = _together(book, sheet, cells, alike, name)
    others = [other for other in sheets if other != sheet]
    checks: tuple[Check, ...] = tuple(Check("merged cells", reading.sentence) for reading in merged)
    readings: tuple[Reading, ...] = merged
    said = _said_sheets(sheet, others, alike, options, rivals=rivals)
    readings = (*said, *readings)
    checks = (*(Check("sheet", reading.sentence) for reading in said), *checks)
    if not options.labels and options.sheet != ALL_SHEETS:
        readings = (*readings, *_labels_beside(found, sheet, alike))
    if not any(cell != "" for row in cells for cell in row):
        raise DataError('Sheet "{sheet}" of "{name}" is empty. Choose another sheet.', sheet=sheet, name=name)

    titles = titles_above([[_text(cell) for cell in row] for row in cells[:_LOOKED_AT]])
    checks += left_out([[_text(cell) for cell in row] for row in cells[:titles]])
    if options.sheet != ALL_SHEETS:
        cells, found_hidden, checks_hidden = _without_hidden(cells, titles, hidden_in(checked, sheet), start, options)
        readings, checks = (*readings, *found_hidden), (*checks, *checks_hidden)

    def rows() -> Iterator[tuple[int, Row]]:
        for number, row in enumerate(cells[titles:], titles + 1):
            if row.count("") < len(row):  # a sheet may span millions of rows without a cell
                texts = [_text(cell) for cell in row]
                if any(texts):
                    yield number, texts

    decimal, decisions = _decimal(cells[titles : titles + _LOOKED_AT], options)
    readings = (*readings, *decisions)
    parts = tuple(tables) if len(tables) > 1 else ()
    return Grid(
        name,
        joined(", ", [name, message('sheet "{sheet}"', sheet=sheet)]),
        rows,
        decimal,
        stores_numbers=True,
        checks=checks,
        parts=parts,
        part=sheet if parts else "",
        readings=readings,
    )


def _without_hidden(
    cells: list[list[Any]], titles: int, hidden: Hidden, start: tuple[int, int], options: ReadOptions
) -> tuple[list[list[Any]], tuple[Reading, ...], tuple[Check, ...]]:
    """The cells, without hidden rows if the user says so, and the decisions about these and hidden columns.

    ``start`` is the row and column of the sheet at which the cells begin; rows above the names and the names are kept.
    """
    rows = [place for place in range(titles + 1, len(cells))
            if place + start[0] in hidden.rows and any(cell != "" for cell in cells[place])]  # fmt: skip
    columns = [place for place in range(len(cells[titles]) if len(cells) > titles else 0)
               if place + start[1] in hidden.columns and any(row[place] != "" for row in cells[titles:])]  # fmt: skip
    readings, checks = list[Reading](), list[Check]()
    if rows:
        skip = options.hidden == "skip"
        if skip:
            sentence = message_many(
                len(rows),
                "{count} row is hidden in the sheet and is excluded.",
                "{count} rows are hidden in the sheet and are excluded.",
            )
        else:
            sentence = message_many(
                len(rows),
                "{count} row is hidden in the sheet and is included.",
                "{count} rows are hidden in the sheet and are included.",
            )
        answers = (
            Alternative(message("Hidden rows are included"), "hidden", "keep"),
            Alternative(message("Hidden rows are excluded"), "hidden", "skip"),
        )
        evidence = message("The first is row {row} of the sheet.", row=rows[0] + start[0] + 1)
        readings.append(Reading("hidden rows", sentence, evidence, answers[::-1] if skip else answers,
                                sure=options.hidden != "auto"))  # fmt: skip
        checks.append(Check("hidden rows", sentence))
        if skip:
            out = {*rows}
            cells = [row for place, row in enumerate(cells) if place not in out]
    if columns:
        names = [_text(cells[titles][place]) or f"x{place + 1}" for place in columns]
        sentence = message_many(
            len(names),
            "{count} column is hidden in the sheet and is included: {names}.",
            "{count} columns are hidden in the sheet and are included: {names}.",
            names=quoted(names),
        )  # fmt: skip
        checks.append(Check("hidden columns", sentence))
    return cells, tuple(readings), tuple(checks)


def _decimal(cells: list[list[Any]], options: ReadOptions) -> tuple[str, tuple[Reading, ...]]:
    """The decimal sign of numbers stored as text, and the decision; the point if others are stored as numbers."""
    if any(isinstance(cell, float) and not cell.is_integer() for row in cells for cell in row):
        return ".", ()
    sign, decision = find_decimal([[_text(cell) for cell in row] for row in cells])
    if options.decimal != "auto":
        return {"point": ".", "comma": ","}[options.decimal], ()
    return sign, () if decision is None else (
        replace(decision, alternatives=() if decision.sure else decision.alternatives),
    )


def _unmerged(book: Any, sheet: str, cells: list[list[Any]]) -> tuple[list[list[Any]], tuple[Reading, ...]]:
    """The cells, with vertically merged values repeated in each cell, and the decision.

    Merged cells of the first filled line are names.
    """
    opened = book.get_sheet_by_name(sheet)
    first_row, first_column = opened.start or (0, 0)
    merged = opened.merged_cell_ranges or ()
    blocks = [(top - first_row, bottom - first_row, left - first_column)
              for (top, left), (bottom, right) in merged if left == right and bottom > top]  # fmt: skip
    names = next((place for place, row in enumerate(cells) if sum(cell != "" for cell in row) > 1), 0)
    blocks = [(top, min(bottom, len(cells) - 1), column) for top, bottom, column in blocks if top > names]
    if not blocks or sum(bottom - top for top, bottom, _ in blocks) > len(cells) * len(cells[0]):  # they overlap
        return cells, ()
    cells = [[*row] for row in cells]
    filled = []
    for top, bottom, column in blocks:
        if top < len(cells) and 0 <= column < len(cells[top]) and cells[top][column] != "":
            filled.append(_text(cells[top][column]))
            for row in cells[top + 1 : bottom + 1]:
                row[column] = cells[top][column]
    if not filled:
        return cells, ()
    sentence = message(
        "A cell merged over several rows applies to each of them ({cells}).", cells=quoted([*dict.fromkeys(filled)])
    )
    return cells, (Reading("merged cells", sentence),)


ALL_SHEETS = "*"
"""The option value for stacking sheets with the same names; not a possible sheet name."""
_SHEET = "sheet"
LABELS_KIND = "labels in a sheet"
"""The kind of decision that another sheet may contain the labels."""
_COLUMNS_LOOKED_AT, _ROWS_LOOKED_AT, _FEWEST_IDS = 3, 2000, 5


@dataclass(frozen=True)
class _Look:
    """Summary of a sheet: its column names, and the distinct cells of the first columns, if all are unique.

    Unknown for a sheet that was not inspected.
    """

    names: tuple[str, ...] = ()
    ids: tuple[frozenset[str], ...] = ()

    @classmethod
    def at(cls, cells: list[list[Any]]) -> "_Look":
        """Inspect the cells of a sheet."""
        titles = titles_above([[_text(cell) for cell in row] for row in cells[:_LOOKED_AT]])
        if len(cells) <= titles:
            return cls()
        ids = []
        for column in list(zip(*cells[titles + 1 : titles + _ROWS_LOOKED_AT], strict=False))[:_COLUMNS_LOOKED_AT]:
            texts = [_text(cell) for cell in column if cell != ""]
            if len({*texts}) == len(texts) >= _FEWEST_IDS and not any(map(_is_number, texts)):
                ids.append(frozenset(texts))
        return cls(tuple(_text(cell).strip() for cell in cells[titles]), tuple(ids))


def _said_sheets(
    sheet: str, others: Sequence[str], alike: Sequence[str], options: ReadOptions, *, rivals: bool
) -> tuple[Reading, ...]:
    """The decision about which sheet is read; none if there is only one, or the user named it."""
    if options.sheet == ALL_SHEETS:
        names = quoted([sheet, *alike])
        return (Reading("sheet", message("Sheets {sheets} are stacked.", sheets=names)),)
    if not others or options.sheet:
        return ()
    sentence = message(
        'Read from sheet "{sheet}"; the file also contains {others}.', sheet=sheet, others=quoted(others)
    )
    answers = [Alternative(message('Sheet "{sheet}"', sheet=each), "sheet", each) for each in (sheet, *others)]
    evidence = message("Several sheets contain numbers; this one has the most.") if rivals else ""
    if alike:
        evidence = message("{sheets} have the same column names.", sheets=quoted([sheet, *alike]))
        together = Alternative(message("These sheets, stacked"), "sheet", ALL_SHEETS)
        answers = [answers[0], together, *(each for each in answers[1:] if each.value in alike)]
    return (Reading("sheet", sentence, evidence, tuple(answers), sure=not rivals and not alike),)


def _together(book: Any, sheet: str, cells: list[list[Any]], alike: Sequence[str], name: str) -> list[list[Any]]:
    """The cells of a sheet and of those with the same names, stacked."""
    if not alike:
        raise DataError(
            '"{name}" has no other sheet with the same column names as "{sheet}". Choose a single sheet.',
            name=name, sheet=sheet,
        )  # fmt: skip
    return _stacked([(sheet, cells), *((each, _unmerged(book, each, _cells(book, each))[0]) for each in alike)])


def _cells(book: Any, sheet: str) -> list[list[Any]]:
    cells: list[list[Any]] = book.get_sheet_by_name(sheet).to_python(skip_empty_area=True)
    return cells


def _are_alike(look: _Look | None, other: _Look | None) -> bool:
    """Whether two sheets have the same, meaningful names."""
    return look is not None and other is not None and look.names == other.names and len({*look.names} - {""}) > 2


def _stacked(sheets: Sequence[tuple[str, list[list[Any]]]]) -> list[list[Any]]:
    """The rows of several sheets below their common names, with a second column of sheet names."""
    made: list[list[Any]] = []
    for sheet, cells in sheets:
        titles = titles_above([[_text(cell) for cell in row] for row in cells[:_LOOKED_AT]])
        names, *rows = cells[titles:]
        title = _SHEET
        while title in names:
            title += "_"
        if not made:
            made.append([names[0], title, *names[1:]])
        made += [[row[0], sheet, *row[1:]] for row in rows]
    return made


def _labels_beside(found: Mapping[str, _Look | None], sheet: str, alike: Sequence[str]) -> tuple[Reading, ...]:
    """The decision about other sheets that share the IDs of this one, and so may contain the labels."""
    own = found[sheet]
    if own is None:
        return ()
    beside = [
        each for each, look in found.items()
        if look is not None and each != sheet and each not in alike and len(look.names) > 1
        and any(2 * len(mine & theirs) >= len(mine) for mine in own.ids for theirs in look.ids)
    ]  # fmt: skip
    if not beside:
        return ()
    sentence = message('The sample IDs of sheet "{sheet}" are also in {sheets}, which may contain the labels.',
                       sheets=quoted(beside), sheet=sheet)  # fmt: skip
    answers = tuple(
        Alternative(message('The labels are in sheet "{sheet}"', sheet=each), "labels", each) for each in beside
    )
    return (Reading(LABELS_KIND, sentence, "", answers, sure=False, asked="without target"),)


def _with_labels_asked(table: Table) -> Table:
    """The table with the question whether its target is in another sheet, unless its last column contains classes."""
    asked = next((reading for reading in table.readings if reading.kind == LABELS_KIND), None)
    if asked is None:
        return table
    readings = [reading for reading in table.readings if reading is not asked]
    if not is_class_column(table) or any(reading.kind == "target" and not reading.sure for reading in readings):
        target = table.default_target
        own = Alternative(message('"{name}" is the target', name=target), "target", target)
        readings = [reading for reading in readings if reading.kind != "target"]
        readings.append(replace(asked, alternatives=(own, *asked.alternatives), columns=(target,)))
    return replace(table, readings=tuple(readings))


def _likely(book: Any, sheets: list[str], first: str, cells: list[list[Any]]) -> tuple[str, list[list[Any]], bool]:
    """Name and cells of the sheet with measurements, else of the first that is a table, and whether others may qualify.

    This is the first sheet or, if it has few or no measurements, the largest of the others.
    """
    size = _size(cells) if _holds_numbers(cells) else 0
    if size > _SMALL_SHEET:
        return first, cells, False
    table = (first, cells, False) if _is_table(cells) else None
    holding = [(size, first, cells)] if size else []
    for other in sheets[1:]:
        found: list[list[Any]] = book.get_sheet_by_name(other).to_python(skip_empty_area=True)
        if _holds_numbers(found) and _size(found) > _MUCH_LARGER * size:
            holding.append((_size(found), other, found))
        if table is None and _is_table(found):
            table = other, found, False
    if holding:
        _, name, found = max(holding, key=lambda each: each[0])
        return name, found, len(holding) > 1
    return table or (first, cells, False)


_WORDS_OF_PROSE, _MOST_PROSE = 3, 60


def _refuse_prose(cells: list[list[Any]], name: str) -> None:
    """Raise DataError for a sheet with one column of a few sentences."""
    lines = [str(row[0]) for row in cells if row and row[0] != ""]
    words = sum(len(line.split()) + line.rstrip().endswith((".", ":", "!")) for line in lines)
    if _is_table(cells) or _holds_numbers(cells) or not lines or len(lines) > _MOST_PROSE:
        return
    if words >= _WORDS_OF_PROSE * len(lines):
        raise DataError(
            '"{name}" contains only notes ("{line}"), no table. Choose another file.', name=name, line=lines[0]
        )


def _size(cells: list[list[Any]]) -> int:
    """Number of filled cells."""
    return sum(cell != "" for row in cells for cell in row)


def _checked(content: Content) -> bytes:
    """A workbook that calamine can read safely: Rust aborts the process if memory does not suffice for its claims."""
    with _damage_refused(content.name):
        if content.data.startswith(OLE):
            return checked_workbook(content.data, content.name)
        if content.data.startswith(ZIP):
            return checked_archive(content.data, content.name)
        return content.data


def _largest_part(data: bytes) -> int:
    """Size in bytes of the largest part of a workbook that was checked."""
    if not data.startswith(ZIP):
        return max(1, len(data))
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return max((part.file_size for part in packed.infolist()), default=1) or 1


def _looked_at(book: Any, sheet: str) -> _Look | None:
    """Summary of another sheet, or None if it is a chart, damaged or no table: reading must not fail for it."""
    try:
        with _damage_refused(sheet):
            cells = _cells(book, sheet)
            return _Look.at(cells) if _is_table(cells) else None
    except DataError:
        return None


@contextmanager
def _damage_refused(name: str) -> Iterator[None]:
    """Raise DataError if calamine fails on a damaged workbook, or panics on an unexpected one."""
    import python_calamine

    try:
        yield
    except DataError:
        raise
    except (python_calamine.CalamineError, OSError, ValueError, struct.error, zlib.error):
        raise _broken(name) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # from Rust, and not an Exception
            raise
        raise _broken(name) from None


def _broken(name: str) -> DataError:
    return DataError(
        '"{name}" is not a readable spreadsheet (damaged or password-protected). Save it again in Excel, or as CSV.',
        name=name,
    )


def _is_table(cells: list[list[Any]]) -> bool:
    """Whether a sheet may be a table and not a note: at least two filled rows and columns."""
    return len(cells) > 1 and len(cells[0]) > 1


def _holds_numbers(cells: list[list[Any]]) -> bool:
    """Whether a sheet contains measurements: a mostly numeric column or row in a table of some size."""
    looked = cells[:_LOOKED_AT]
    if len(looked) <= _FEWEST_ROWS or len(looked[0]) < 2:
        return False
    numeric = [[_is_number(cell) for cell in row] for row in looked]
    rows = sum(2 * sum(row) >= len(row) for row in numeric)
    columns = sum(2 * sum(column) > len(numeric) for column in zip(*numeric, strict=True))
    return columns > 0 or rows > len(looked) // 2


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return Numbers().is_number(cell) or Numbers(",").is_number(cell)
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _sheet(sheets: list[str], wanted: str, name: str) -> str:
    if not sheets:
        raise DataError('"{name}" has no sheets. Choose another file.', name=name)
    if not wanted:
        return sheets[0]
    if wanted not in sheets:
        near = difflib.get_close_matches(wanted, sheets, 3, 0.4) or sheets
        raise DataError(
            '"{name}" has no sheet "{wanted}". Choose one of: {near}.', name=name, wanted=wanted, near=quoted(near)
        )
    return wanted


def _text(cell: object) -> str:
    """A cell as it would appear in a CSV file; floats keep every digit."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell)


def _read(content: Content, options: ReadOptions) -> Table:
    table = read_grid(read_sheet(content, options), options)
    if options.sheet == ALL_SHEETS:
        return as_descriptions(table, tuple(name for name in table.columns[:2] if name.startswith(_SHEET)))
    return _with_labels_asked(table)


READER = Reader(
    "Excel, OpenDocument",
    (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    _read,
    lambda content: content.data.startswith((ZIP, OLE)),
    (
        "header",
        "below_header",
        "decimal",
        "thousands",
        "orientation",
        "measure",
        "labels",
        "labels_by",
        "sheet",
        "hidden",
        "row_ids",
        *CELLS,
    ),
    binary=True,
)
