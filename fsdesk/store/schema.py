"""The tables of a project file, and how a file of an older fsdesk gets those that it lacks."""

import sqlite3

__all__ = ["SCHEMA_VERSION", "migrate"]

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
    # What was measured of a run's answer after its search: fresh measurements, outer folds.
    """
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE INDEX evidence_of_run ON evidence (run);
""",
    # What the user adds to a project, such as descriptions of features.
    """
CREATE TABLE kept (
    name TEXT PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
""",
    # How the user lists runs: names, colours, the queue.
    """
CREATE TABLE listing (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    colour INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    queued REAL
) STRICT;
""",
    # States folded from the first events of a log, so that these need not be folded again.
    """
CREATE TABLE summary (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    events INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
""",
    # Runs that were deleted, until the project is closed.
    """
CREATE TABLE bin (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE
) STRICT;
""",
    # What was found out about subsets on the result page, when a log had so many events; "about" is the packed mask.
    """
CREATE TABLE finding (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    about BLOB NOT NULL,
    events INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (run, about)
) STRICT;
""",
)
SCHEMA_VERSION = len(_STEPS)


def migrate(connection: sqlite3.Connection) -> None:
    """Make the tables of an empty file; add those that an older fsdesk did not have, changing nothing that is there."""
    if _version(connection) >= SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[_version(connection) :]:  # another window may have been faster
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
