"""What was found out about subsets of runs: each counts only for the log that it was found with, to the last event."""

import sqlite3
from typing import Any

from fsdesk.errors import ProjectError
from fsdesk.store.codec import unpack

__all__ = ["read_findings", "write_findings"]


def read_findings(connection: sqlite3.Connection, run_id: int, about: bytes) -> dict[str, Any] | None:
    """What is kept about a subset; None where there is nothing for this log."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'finding'").fetchone():
        return None  # of an older fsdesk, in a folder where nothing can be written
    row = connection.execute(
        "SELECT data FROM finding WHERE run = ? AND about = ?"
        " AND events = (SELECT coalesce(max(place) + 1, 0) FROM event WHERE event.run = finding.run)",
        (run_id, about),
    ).fetchone()
    try:
        return None if row is None else unpack(row[0])
    except ProjectError:  # damaged: it can be found out again
        return None


def write_findings(connection: sqlite3.Connection, run_id: int, about: bytes, events: int, data: bytes) -> None:
    """Keep it in place of what was kept about this subset; what belongs to a shorter log goes."""
    connection.execute("DELETE FROM finding WHERE run = ? AND events < ?", (run_id, events))
    connection.execute(
        "INSERT OR REPLACE INTO finding SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)",
        (run_id, about, events, data, run_id),
    )
