"""Connections to project files: to write them, and to look where nothing can be written."""

import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path

__all__ = ["SIDES", "connect", "connect_to_look", "remove", "write_ahead"]

SIDES = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside its own."""
_BUSY_SECONDS = 10.0


def connect_to_look(path: Path) -> sqlite3.Connection:
    """Connect where nothing can be written, so that the write-ahead log has no place to go."""
    log = path.with_name(path.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return connect(path, "?mode=ro&immutable=1")
    # Somebody was killed here: what is only in the log counts too, and SQLite must write to read it.
    with tempfile.TemporaryDirectory(prefix="fsdesk-") as folder:
        for file in (path, log):
            shutil.copyfile(file, Path(folder) / file.name)
        whole = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        copy = sqlite3.connect(Path(folder) / path.name)
        try:
            copy.backup(whole)
        finally:
            copy.close()
    return whole


def remove(path: Path, only: Sequence[str] = ("", *SIDES)) -> None:
    """Delete a project file with the files beside it, or only some of these."""
    for side in only:
        path.with_name(path.name + side).unlink(missing_ok=True)


def connect(path: Path, mode: str = "?mode=rwc") -> sqlite3.Connection:
    """Connect to a project file, for any thread; ``mode`` as in an address of SQLite."""
    uri = path.absolute().as_uri() + mode
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def write_ahead(connection: sqlite3.Connection) -> None:
    """Write to a log first, so that others can read meanwhile."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # a power cut, too, loses nothing that append returned from
