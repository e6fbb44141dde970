"""Runs that were deleted and can still be taken back, until the bin is emptied."""

import sqlite3
from collections.abc import Iterable

__all__ = ["binned", "empty", "put_in", "shrink", "take_out"]

_SPARE = 0.25  # a file is written anew where so much of it is free


def binned(connection: sqlite3.Connection) -> set[int]:
    """The runs in the bin."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'bin'").fetchone():
        return set()  # of an older fsdesk, in a folder where nothing can be written
    return {run for (run,) in connection.execute("SELECT run FROM bin")}


def put_in(connection: sqlite3.Connection, run_ids: Iterable[int]) -> None:
    """Put runs into the bin; one that is there already stays there."""
    connection.executemany("INSERT OR IGNORE INTO bin VALUES (?)", [(run_id,) for run_id in run_ids])


def take_out(connection: sqlite3.Connection, run_ids: Iterable[int]) -> None:
    """Take runs back out of the bin."""
    connection.executemany("DELETE FROM bin WHERE run = ?", [(run_id,) for run_id in run_ids])


def empty(connection: sqlite3.Connection) -> bool:
    """Delete what is in the bin with all that belongs to it, and data that no run uses any more; tell whether any was.

    Where no run is left, the newest data set stays: a project shows something when it is opened again.
    """
    if not binned(connection):
        return False
    connection.execute("DELETE FROM run WHERE id IN (SELECT run FROM bin)")
    connection.execute(
        "DELETE FROM dataset WHERE fingerprint NOT IN (SELECT fingerprint FROM run)"
        " AND (EXISTS (SELECT 1 FROM run) OR rowid < (SELECT max(rowid) FROM dataset))"
    )
    return True


def shrink(connection: sqlite3.Connection) -> None:
    """Give the disk back what is free in the file, where that is much of it."""
    (free,), (pages,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_count"))
    if free > _SPARE * pages:
        connection.execute("VACUUM")
