"""How the user lists a run: its name, its colour, its place in the queue. Nothing of it is in the log."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Listing", "read_listings", "write_listings"]


@dataclass(frozen=True)
class Listing:
    """How a run is listed.

    Attributes
    ----------
    name
        The user's own; empty for the usual one.
    colour
        Place among the colours of runs; -1 for the usual one.
    shown
        Whether its curve is laid over those of others.
    queued
        Its place in the queue, smaller first; None once nobody waits for it.
    """

    name: str = ""
    colour: int = -1
    shown: bool = False
    queued: float | None = None


def read_listings(connection: sqlite3.Connection) -> dict[int, Listing]:
    """By run; runs of which nothing special is known are left out."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'listing'").fetchone():
        return {}  # of an older fsdesk, in a folder where nothing can be written
    rows = connection.execute("SELECT run, name, colour, shown, queued FROM listing").fetchall()
    return {run: Listing(name, colour, bool(shown), queued) for run, name, colour, shown, queued in rows}


def write_listings(connection: sqlite3.Connection, listings: Mapping[int, Listing]) -> None:
    """Keep them, in place of what was kept; those of runs that are gone are left out."""
    for run, listing in listings.items():
        connection.execute(
            "INSERT OR REPLACE INTO listing SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)",
            (run, listing.name, listing.colour, listing.shown, listing.queued, run),
        )
