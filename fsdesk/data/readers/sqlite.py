"""Tables of a SQLite database, read in memory by the standard library's sqlite3.

An untrusted database may contain endless views and triggers: a copy in memory is queried, nothing can be written or
attached, and every query has a time limit.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing

from fsdesk.data.cells import Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.matrices import MOST_CELLS, several_tables, too_large
from fsdesk.data.readers.reader import Reader
from fsdesk.data.table import unreadable_columns
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

MARK = b"SQLite format 3\0"
_WAL = b"\2\2"  # in bytes 18 and 19: the latest changes may be in a separate file
_SECONDS = 60.0
_STEPS = 100_000  # SQLite virtual machine instructions between two checks of the clock
_LONGEST = 1 << 20  # characters of a text or statement
_OURS = {"run", "event", "dataset_block"}
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def open_copy(data: bytes) -> sqlite3.Connection:
    """A copy of a database in memory, limited to reading and in time."""
    connection = sqlite3.connect(":memory:")
    if data[18:20] == _WAL:  # a copy has no separate file
        data = data[:18] + b"\1\1" + data[20:]
    try:
        connection.deserialize(data)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(_LONGEST, len(data)))
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.text_factory = lambda letters: letters.decode("utf-8", "replace")
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY)
        end = time.monotonic() + _SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    except BaseException:
        connection.close()
        raise
    return connection


def _read(content: Content, options: ReadOptions) -> Table:
    """Read the only table or view, or the one named by ``options.part``; numbers are detected as in a text file.

    Columns of bytes are excluded, with a check. Raises DataError for a damaged database, a project of this program, and
    if a query takes too long.
    """
    name = content.name
    _refuse_unfinished(content)
    try:
        with closing(open_copy(content.data)) as connection:
            return _table(connection, name, options)
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            raise DataError(
                '"{name}" takes more than {seconds:.0f} seconds to read. Save the table as CSV and open that.',
                name=name,
                seconds=_SECONDS,
            ) from None
        raise _damaged(name) from None
    except (sqlite3.Error, OverflowError, UnicodeError):  # column names may not be text
        raise _damaged(name) from None


def _damaged(name: str) -> DataError:
    return DataError(
        '"{name}" is not an SQLite database or is damaged. Save the table as CSV and open that.', name=name
    )


def _refuse_unfinished(content: Content) -> None:
    """Refuse a database with a part in a separate file, as left by a program that has it open."""
    if content.folder is None or content.data[18:20] != _WAL:
        return
    beside = content.folder / f"{content.name}-wal"
    if beside.is_file() and beside.stat().st_size:
        raise DataError(
            '"{name}" is open in another program that has not finished writing it. Close that program and open the '
            "file again.",
            name=content.name,
        )


def _table(connection: sqlite3.Connection, name: str, options: ReadOptions) -> Table:
    listed = connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    names = [str(row[0]) for row in listed if not str(row[0]).startswith("sqlite_")]
    if set(names) >= _OURS:
        raise DataError(
            '"{name}" is an fsdesk project, not a table. Open it in the window, or with fsdesk resume.', name=name
        )
    if not names:
        raise DataError('"{name}" contains no tables. Choose another database.', name=name)
    wanted = options.part.strip() or (names[0] if len(names) == 1 else "")
    if not wanted:
        raise several_tables(names, name)
    if wanted not in names:
        there = message("choose one of: {paths}", paths=quoted(names, 5))
        raise DataError('"{name}" has no part "{wanted}"; {there}.', name=name, wanted=wanted, there=there)
    grid = _grid(connection, name, wanted)
    if len(names) > 1:
        grid = Grid(**{**vars(grid), "parts": tuple(names), "part": wanted})
    return to_table(grid, options.updated({"header": "yes", "delimiter": "auto"}))


def _grid(connection: sqlite3.Connection, name: str, table: str) -> Grid:
    place = _quoted(table)
    columns = [str(each[0]) for each in connection.execute(f"SELECT * FROM {place} LIMIT 0").description]
    (count,) = connection.execute(f"SELECT count(*) FROM {place}").fetchone()
    if count * len(columns) > MOST_CELLS:
        raise too_large(name, count, len(columns))
    left_out = _of_bytes(connection, place)
    kept = [j for j in range(len(columns)) if j not in left_out]
    checks = unreadable_columns([columns[j] for j in left_out])

    def rows() -> Iterator[tuple[int, Row]]:
        yield 0, [columns[j] for j in kept]
        for number, row in enumerate(connection.execute(f"SELECT * FROM {place}"), 1):
            yield number, [_cell(row[j]) for j in kept]

    source = joined(", ", [name, message('SQLite, "{name}"', name=table)])
    return Grid(name, source, rows, checks=tuple(checks))


def _of_bytes(connection: sqlite3.Connection, place: str) -> list[int]:
    """Columns that contain bytes, by position, because a view may have two columns of the same name."""
    found: set[int] = set()
    for row in connection.execute(f"SELECT * FROM {place}"):
        found.update(j for j, cell in enumerate(row) if isinstance(cell, bytes))
    return sorted(found)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _cell(cell: object) -> str:
    """A value as it would appear in a CSV file; floats keep every digit."""
    if cell is None or isinstance(cell, bytes):
        return ""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell)


READER = Reader(
    "SQLite",
    (".sqlite", ".sqlite3", ".db", ".db3"),
    _read,
    lambda content: content.data.startswith(MARK),
    ("part", "orientation", "row_ids", "labels", "labels_by", *CELLS),
    binary=True,
)
