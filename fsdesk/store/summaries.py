"""Summaries of runs in a project file: each counts only for the log that it was made of, to the last event."""

import sqlite3

from fsdesk.engine import SUMMARY_VERSION, RunState, state_of
from fsdesk.errors import ProjectError
from fsdesk.store.codec import unpack

__all__ = ["read_summary", "write_summary"]


def read_summary(connection: sqlite3.Connection, run_id: int) -> tuple[RunState, int] | None:
    """A state without history and the number of its events; None where there is none of this version and this log."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'summary'").fetchone():
        return None  # of an older fsdesk, in a folder where nothing can be written
    (events,) = connection.execute("SELECT coalesce(max(place) + 1, 0) FROM event WHERE run = ?", (run_id,)).fetchone()
    wanted = (run_id, SUMMARY_VERSION, events)
    row = connection.execute("SELECT data FROM summary WHERE run = ? AND version = ? AND events = ?", wanted).fetchone()
    try:
        return None if row is None else (state_of(unpack(row[0])), int(events))
    except (ProjectError, KeyError, TypeError, ValueError):  # damaged: the log is the truth
        return None


def write_summary(connection: sqlite3.Connection, run_id: int, events: int, data: bytes) -> None:
    """Keep a summary of so many events in place of the one before; nothing for a run that is gone."""
    connection.execute(
        "INSERT OR REPLACE INTO summary SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)",
        (run_id, SUMMARY_VERSION, events, data, run_id),
    )
