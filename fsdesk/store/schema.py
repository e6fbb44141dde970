"""The format of a project file: its tables, their encoding, opening, and possible errors."""

import json
import math
import re
import shutil
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from fsdesk.engine import BatchMeasured, Event
from fsdesk.engine.events import EVENTS, event_of
from fsdesk.errors import ProjectError
from fsdesk.messages import Message, data_of, message, message_of
from fsdesk.paths import scratch_folder
from fsdesk.store.lock import locks_work

_STEPS = (
    """
CREATE TABLE dataset (
    fingerprint TEXT PRIMARY KEY,
    meta TEXT NOT NULL,
    target BLOB NOT NULL
) STRICT;
CREATE TABLE dataset_block (
    fingerprint TEXT NOT NULL REFERENCES dataset (fingerprint) ON DELETE CASCADE,
    first_column INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (fingerprint, first_column)
) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL REFERENCES dataset (fingerprint),
    spec TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT;
CREATE TABLE event (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
""",
    # Evidence about a run's result obtained after its search: re-estimates, outer folds.
    """
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE INDEX evidence_of_run ON evidence (run);
""",
    # User additions to a project, such as feature descriptions.
    """
CREATE TABLE kept (
    name TEXT PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
""",
    # How the user lists runs: names, colors, the queue.
    """
CREATE TABLE listing (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    colour INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    queued REAL
) STRICT;
""",
    # States computed from the first events of a log, so that these need not be read again.
    """
CREATE TABLE summary (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    events INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
""",
    # Deleted runs, until the project is closed.
    """
CREATE TABLE bin (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE
) STRICT;
""",
    # Findings about subsets on the result page, for a given length of the log; "about" is the packed mask.
    """
CREATE TABLE finding (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    about BLOB NOT NULL,
    events INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (run, about)
) STRICT;
""",
    # What the table of a data set has besides its features, so that target and roles can be changed.
    """
CREATE TABLE dataset_table (
    fingerprint TEXT PRIMARY KEY REFERENCES dataset (fingerprint) ON DELETE CASCADE,
    data BLOB NOT NULL
) STRICT;
""",
)
SCHEMA_VERSION = len(_STEPS)


def migrate(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty file; add those missing from an older version, without changing existing ones."""
    if _version(connection) >= SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[_version(connection) :]:  # another window may have migrated it meanwhile
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def has_table(connection: sqlite3.Connection, name: str) -> bool:
    """Whether a file has a table; a file from an older version in a read-only folder may lack it."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None


SIDES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside its own."""
_BUSY_SECONDS = 10.0


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect if nothing can be written, including a write-ahead log."""
    log = path.with_name(path.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return connect(path, "?mode=ro&immutable=1")
    # A process was killed: some content may be in the log only, and SQLite must write in order to read it.
    with scratch_folder() as folder:
        for file in (path, log):
            shutil.copyfile(file, folder / file.name)
        whole = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        with closing(sqlite3.connect(folder / path.name)) as copy:
            copy.backup(whole)
    return whole


def remove(path: Path, only: Sequence[str] = ("", *SIDES)) -> None:
    """Delete a project file and the files beside it, or only some of these."""
    for side in only:
        path.with_name(path.name + side).unlink(missing_ok=True)


def connect(path: Path, mode: str = "?mode=rwc") -> sqlite3.Connection:
    """Connect to a project file, for any thread; ``mode`` as in an SQLite URI."""
    uri = path.absolute().as_uri() + mode
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def write_ahead(connection: sqlite3.Connection) -> None:
    """Use write-ahead logging, so that others can read meanwhile."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # even a power failure loses nothing for which append has returned


_DTYPES = {name: np.dtype(name) for name in ("<f8", "|u1", "|b1", "<i8")}
_JSON = json.JSONDecoder()


def pack(values: dict[str, Any]) -> bytes:
    """Pack plain values and arrays: length of the header (4 bytes), the header, the arrays; compressed."""
    arrays: list[bytes] = []
    messages: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    shapes: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
            shapes[name] = [little.dtype.str, little.shape]
            arrays.append(little.tobytes())
        else:
            plain[name] = value
            if isinstance(value, Message):  # so that it can be translated when the project is opened again
                messages[name] = data_of(value)
    head = json.dumps({"plain": plain, "arrays": shapes, "messages": messages}, allow_nan=True).encode()
    return zlib.compress(len(head).to_bytes(4, "little") + head + b"".join(arrays), level=1)


MOST_BYTES = 1 << 28
"""Maximum size of an unpacked entry: 200 times an event of a search in a million features."""


def inflate(data: bytes, most: int) -> bytes:
    """Decompress at most this many bytes; raise zlib.error if there are more, or if truncated."""
    inflater = zlib.decompressobj()
    raw = inflater.decompress(data, max(1, most))  # 0 means no limit
    if len(raw) > most or not (inflater.eof or (not inflater.decompress(inflater.unconsumed_tail, 1) and inflater.eof)):
        raise zlib.error("cut short, or larger than it may be")
    return raw


def unpack(data: bytes) -> dict[str, Any]:
    """Undo :func:`pack`; arrays are new and writable."""
    try:
        raw = inflate(data, MOST_BYTES)
        start = 4 + int.from_bytes(raw[:4], "little")
        head = _JSON.decode(raw[4:start].decode())
        values: dict[str, Any] = head["plain"]
        if head.get("messages"):
            values |= {name: message_of(data) for name, data in head["messages"].items()}
        for name, (dtype, shape) in head["arrays"].items():
            count = math.prod(shape)
            values[name] = np.frombuffer(raw, _DTYPES[dtype], count, start).reshape(shape).copy()
            start += count * _DTYPES[dtype].itemsize
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise ProjectError("An entry of the project's log is damaged and cannot be read.") from error
    return values


_ITERATION = re.compile(rb'"iteration": (\d{1,18})[,}]')


def step_of(kind: str, data: bytes) -> tuple[int, bool] | None:
    """Iteration of a batch and whether it has weights, faster than decoding; None if unknown."""
    if kind != BatchMeasured.kind:
        return None
    try:
        raw = inflate(data, MOST_BYTES)
    except zlib.error:  # reported on decoding
        return None
    head = raw[4 : 4 + int.from_bytes(raw[:4], "little")]
    found = _ITERATION.search(head)
    return None if found is None else (int(found[1]), b'"weights": null' not in head)


def encode(event: Event) -> tuple[str, bytes]:
    """Kind and bytes of an event."""
    return event.kind, pack({field.name: getattr(event, field.name) for field in fields(event)})


def decode(kind: str, data: bytes) -> Event:
    """Undo :func:`encode`."""
    if kind not in EVENTS:
        raise ProjectError(
            'The project\'s log has an entry of unknown kind "{kind}". Update fsdesk to open it.', kind=kind
        )
    values = unpack(data)
    try:
        return event_of(kind, values)
    except TypeError as error:
        raise ProjectError(
            "An entry of the project's log is from another version. Update fsdesk to open it."
        ) from error


_LITTLE_ROOM = 1 << 16


@contextmanager
def plain_words(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and the system to a ProjectError with one sentence."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if "event" not in str(error):
            raise ProjectError(
                '"{path}" lacks the data that this entry refers to ({error}); it is incomplete.', path=path, error=error
            ) from error
        raise ProjectError(
            'Another window has continued this run in "{path}". Reopen the project.', path=path
        ) from error
    except sqlite3.OperationalError as error:
        raise ProjectError(_trouble(path, str(error))) from error
    except sqlite3.ProgrammingError as error:
        if "closed" not in str(error):
            raise
        raise ProjectError("This project has been closed in the meantime. Open it again.") from error
    except (sqlite3.DatabaseError, zlib.error, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ProjectError(
            '"{path}" is damaged, truncated or not an fsdesk project. Open a backup copy.', path=path
        ) from error
    except MemoryError:
        raise ProjectError('"{path}" does not fit into memory. Close other programs.', path=path) from None
    except OSError as error:
        raise ProjectError(
            '"{path}" cannot be used ({strerror}). Choose another folder.', path=path, strerror=error.strerror or error
        ) from error


def _trouble(path: Path, text: str) -> str:
    """SQLite's description of a failed operation, as a sentence."""
    if "full" in text or ("I/O" in text and shutil.disk_usage(path.parent).free < _LITTLE_ROOM):
        return message('The disk with "{path}" is full. Free some space; nothing logged is lost.', path=path)
    if "locked" in text and not locks_work(path.parent):
        return message(
            'The folder of "{path}" does not support file locks, as on some network drives. Choose a folder on this '
            "computer.",
            path=path,
        )
    if "locked" in text:
        return message('"{path}" is in use by another program. Close it there and try again.', path=path)
    if "decode" in text:
        return message('"{path}" is damaged, truncated or not an fsdesk project. Open a backup copy.', path=path)
    if "readonly" in text or "unable to open" in text:
        return message('"{path}" cannot be written. Choose a folder with write permission.', path=path)
    return message(
        '"{path}" cannot be used ({text}). Check the disk and your write permission.',
        path=path,
        text=text,
    )
