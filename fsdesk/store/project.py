"""The project file: one SQLite database with the data sets, the specs of the runs and their append-only event log."""

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from pydantic import ValidationError

from fsdesk.data import ROLES, Check, Dataset, Origin, Reading
from fsdesk.data.origin import packed, rebuilt, unpacked
from fsdesk.engine import (
    SUMMARY_VERSION,
    Event,
    RunFailed,
    RunFinished,
    RunSpec,
    RunState,
    StepHistory,
    state_of,
    summary_of,
)
from fsdesk.errors import ProjectError, SettingsError
from fsdesk.messages import data_of, message, message_of
from fsdesk.store.schema import (
    MOST_BYTES,
    SCHEMA_VERSION,
    SIDES,
    connect,
    connect_read_only,
    decode,
    encode,
    has_table,
    inflate,
    migrate,
    pack,
    plain_words,
    remove,
    step_of,
    unpack,
    write_ahead,
)

SUFFIX = ".fsdesk"
RUN_FILE, STUDY_FILE = "run.fsdesk", "study.fsdesk"
"""Names of the project in the folder of ``fsdesk run`` and of ``fsdesk study``."""
APPLICATION_ID = 0x66736465  # "fsde"
_BLOCK_BYTES = 8 << 20
_SPARE = 0.25  # a file is rewritten if this much of it is free
_TAIL, _GROWTH = 4_000, 0.25  # events since the last summary: a tenth of a second to read; fraction of all
_ENDS = (RunFinished.kind, RunFailed.kind)
_VECTORS = ("response", *ROLES)


def project_in(path: Path) -> Path:
    """The project in a folder written by ``fsdesk run`` or ``fsdesk study``; other paths are unchanged."""
    return next((path / name for name in (RUN_FILE, STUDY_FILE) if (path / name).is_file()), path)


@dataclass(frozen=True)
class StoredRun:
    """A run as listed in the project; ``created`` is an ISO time in UTC."""

    id: int
    spec: RunSpec
    created: str


@dataclass(frozen=True)
class Listing:
    """How a run appears in the user's list; not part of the log.

    Attributes
    ----------
    name
        The user's own name; empty for the default.
    colour
        Index of its color; -1 for the default.
    shown
        Whether its curve is overlaid on those of other runs.
    queued
        Its position in the queue, smallest first; None if not queued.
    """

    name: str = ""
    colour: int = -1
    shown: bool = False
    queued: float | None = None


@dataclass(frozen=True)
class Described:
    """What a data set is about, without its values.

    Attributes
    ----------
    target, event
        Name of the target; for a time to an event, the event, otherwise "".
    classes, features
        Their names.
    roles
        Names of the columns of groups, folds and time in use, by field of the data set; "" if unknown.
    rows
        Number of rows.
    """

    target: str
    event: str
    classes: tuple[str, ...]
    features: tuple[str, ...]
    roles: Mapping[str, str]
    rows: int


@runtime_checkable
class Evidence(Protocol):
    """Evidence about a run, obtained after its search."""

    def packed(self) -> tuple[str, dict[str, Any]]:
        """The kind, and plain values and arrays by name."""


class Project:
    """An open project file. May be used from any thread: a lock serializes all access.

    Every ``append`` is one transaction: once it returns, its content is on disk and survives a killed process, a full
    disk or a second window. A file in a read-only folder is opened read-only.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._connection = connection
        self._lock = threading.RLock()
        self._places: dict[int, int] = {}
        self._summed: dict[int, int] = {}

    @classmethod
    def create(cls, path: Path | str) -> "Project":
        """Create a new project file; raise ProjectError if the file exists, or cannot be written."""
        path = Path(path)
        if path.exists():
            raise ProjectError('"{path}" already exists. Open it, or choose another name.', path=path)
        # Under another name until complete: a full disk or a kill must not leave a partial file in its place.
        part = path.with_name(path.name + ".part")
        with plain_words(path):
            try:
                remove(part)
                with closing(connect(part)) as made:
                    made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    migrate(made)
                part.replace(path)
            except BaseException:
                remove(part)
                raise
            connection = connect(path)
            write_ahead(connection)
        return cls(path, connection, read_only=False)

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = False) -> "Project":
        """Open a project file, ``read_only`` if another process is writing to it or nothing may be changed.

        Raises
        ------
        ProjectError
            If it is missing, damaged, from a newer fsdesk, or not a project file.
        """
        path = Path(path)
        if path.is_dir():
            raise ProjectError('"{path}" is a folder. Choose the project file inside it.', path=path)
        if not path.is_file():
            raise ProjectError('There is no project file "{path}". Check the name and the folder.', path=path)
        fixed = not _is_writable(path)
        with plain_words(path):
            connection = connect_read_only(path) if fixed else connect(path, "?mode=rw" if read_only else "?mode=rwc")
            try:
                if read_only:  # not in the URI: then the last to close the file could not remove the log
                    connection.execute("PRAGMA query_only = ON")
                _verify(path, connection)  # before any writing: the file may belong to somebody else
                if not (fixed or read_only):
                    migrate(connection)
                    write_ahead(connection)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, read_only=fixed or read_only)

    def add_dataset(self, dataset: Dataset, origin: Origin | None = None) -> None:
        """Store a data set and its table (by default the one that the data set carries), unless already stored."""
        with self._transaction() as connection:
            known = connection.execute("SELECT 1 FROM dataset WHERE fingerprint = ?", (dataset.fingerprint,))
            if known.fetchone():
                return
            target = dataset.target.astype("<i8").tobytes()
            connection.execute(
                "INSERT INTO dataset VALUES (?, ?, ?)", (dataset.fingerprint, _described(dataset), target)
            )
            columns = dataset.x.T
            step = max(1, _BLOCK_BYTES // max(1, 8 * columns.shape[1]))
            for first in range(0, len(columns), step):
                block = np.ascontiguousarray(columns[first : first + step], dtype="<f8").tobytes()
                row = (dataset.fingerprint, first, zlib.compress(block, level=1))
                connection.execute("INSERT INTO dataset_block VALUES (?, ?, ?)", row)
            origin = origin or dataset.origin
            beside = None if origin is None else packed(origin, dataset)
            if beside is not None and beside["values"].nbytes + beside["others"].nbytes < MOST_BYTES // 2:
                connection.execute("INSERT INTO dataset_table VALUES (?, ?)", (dataset.fingerprint, pack(beside)))

    def datasets(self) -> list[str]:
        """Fingerprints of the data sets, in the order in which they were added."""
        with self._lock, plain_words(self.path):
            return [row[0] for row in self._connection.execute("SELECT fingerprint FROM dataset ORDER BY rowid")]

    def dataset(self, fingerprint: str) -> Dataset:
        """Read a data set back, identical bit for bit; raise ProjectError if it is missing or damaged."""
        with self._lock, plain_words(self.path):
            found = self._connection.execute("SELECT meta, target FROM dataset WHERE fingerprint = ?", (fingerprint,))
            row = found.fetchone()
            if row is None:
                raise ProjectError('"{path}" does not contain the data of this run; it is incomplete.', path=self.path)
            blocks = self._connection.execute(
                "SELECT data FROM dataset_block WHERE fingerprint = ? ORDER BY first_column", (fingerprint,)
            )
            try:
                meta = json.loads(row[0])
                dataset = _restored(meta, row[1], _joined(blocks, 8 * len(meta["features"]) * len(meta["rows"])))
            except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
                raise _damaged(self.path) from error
        if dataset.fingerprint != fingerprint:
            raise _damaged(self.path)
        return dataset

    def described(self, fingerprint: str) -> Described | None:
        """What a data set is about, without reading its values; None if it is missing or cannot be read."""
        parts = ("target_name", "event", "classes", "features", "role_names")
        asked = ", ".join(
            [f"json_extract(meta, '$.{name}')" for name in parts]
            + [f"json_type(meta, '$.{name}')" for name in ROLES]
            + ["json_array_length(meta, '$.rows')"]
        )
        try:
            with self._lock, plain_words(self.path):
                found = self._connection.execute(
                    f"SELECT {asked} FROM dataset WHERE fingerprint = ?",
                    (fingerprint,),
                ).fetchone()
            if found is None:
                return None
            target, event, classes, features, columns = found[: len(parts)]
            types = dict(zip(ROLES, found[len(parts) : -1], strict=True))
            named = json.loads(columns or "{}")
            roles = {name: str(named.get(name, "")) for name, kind in types.items() if kind == "array"}
            return Described(
                target, event or "", tuple(json.loads(classes)), tuple(json.loads(features)), roles, found[-1]
            )
        except (ProjectError, TypeError, ValueError, AttributeError):
            return None

    def origin(self, dataset: Dataset) -> Origin:
        """The table that a stored data set was read from; rebuilt from the data set if the project does not have it."""
        with self._lock, plain_words(self.path):
            row = None
            if has_table(self._connection, "dataset_table"):
                wanted = (dataset.fingerprint,)
                found = self._connection.execute("SELECT data FROM dataset_table WHERE fingerprint = ?", wanted)
                row = found.fetchone()
        if row is not None:
            with suppress(ProjectError, KeyError, TypeError, ValueError, IndexError):  # the data are not damaged
                return unpacked(unpack(row[0]), dataset)
        return rebuilt(dataset)

    def add_run(self, spec: RunSpec) -> int:
        """Add a run and return its ID; its data set must have been added before."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self._transaction() as connection:
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()
            run_id = int(last) + 1
            row = (run_id, spec.data_fingerprint, spec.model_dump_json(), created)
            connection.execute("INSERT INTO run (id, fingerprint, spec, created) VALUES (?, ?, ?, ?)", row)
            return run_id

    def listings(self) -> dict[int, Listing]:
        """The listing of each run, by ID; runs with the default listing are omitted."""
        with self._lock, plain_words(self.path):
            if not has_table(self._connection, "listing"):
                return {}
            rows = self._connection.execute("SELECT run, name, colour, shown, queued FROM listing").fetchall()
        return {run: Listing(name, colour, bool(shown), queued) for run, name, colour, shown, queued in rows}

    def list_as(self, listings: Mapping[int, Listing]) -> None:
        """Store the listings of runs, by ID; deleted runs are omitted."""
        insert = "INSERT OR REPLACE INTO listing SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)"
        rows = [(run, each.name, each.colour, each.shown, each.queued, run) for run, each in listings.items()]
        with self._transaction() as connection:
            connection.executemany(insert, rows)

    def bin_runs(self, run_ids: Iterable[int]) -> None:
        """Hide runs from all readers until :meth:`take_back`, or delete them for good by :meth:`empty_bin`."""
        with self._transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO bin VALUES (?)", [(run_id,) for run_id in run_ids])

    def take_back(self, run_ids: Iterable[int]) -> None:
        """Restore runs from the bin, unchanged."""
        with self._transaction() as connection:
            connection.executemany("DELETE FROM bin WHERE run = ?", [(run_id,) for run_id in run_ids])

    def empty_bin(self) -> None:
        """Delete the bin's content for good, and data used only by it; what cannot be deleted now stays in the bin.

        If no run is left, the newest data set is kept, so that the project is not empty when opened again.
        """
        with suppress(ProjectError):
            with self._transaction() as connection:
                if not _binned(connection):
                    return
                connection.execute("DELETE FROM run WHERE id IN (SELECT run FROM bin)")
                connection.execute(
                    "DELETE FROM dataset WHERE fingerprint NOT IN (SELECT fingerprint FROM run)"
                    " AND (EXISTS (SELECT 1 FROM run) OR rowid < (SELECT max(rowid) FROM dataset))"
                )
            with self._lock, plain_words(self.path):
                _shrink(self._connection)

    def runs(self, only: int | None = None) -> list[StoredRun]:
        """All runs, oldest first, except those in the bin; or only the one with this ID, if it exists."""
        chosen = "WHERE id = :id" if only is not None else ""
        with self._lock, plain_words(self.path):
            found = self._connection.execute(f"SELECT id, spec, created FROM run {chosen} ORDER BY id", {"id": only})
            rows = found.fetchall()
            gone = _binned(self._connection)
        try:
            return [StoredRun(run, RunSpec.model_validate_json(spec), at) for run, spec, at in rows if run not in gone]
        except (ValidationError, SettingsError) as error:
            raise ProjectError(
                '"{path}" contains a run that this version of fsdesk does not know. Update fsdesk.', path=self.path
            ) from error

    def run(self, run_id: int | None = None) -> StoredRun:
        """One run by its ID, by default the newest; raise ProjectError if there is none."""
        wanted = self.runs(run_id)
        if not wanted:
            runs = self.runs()
            which = message("no runs") if run_id is None else message("no run {run}", run=run_id)
            known = ", ".join(str(run.id) for run in runs)
            if known:
                raise ProjectError(
                    '"{path}" has {which}. Available: {known}.', path=self.path, which=which, known=known
                )
            raise ProjectError('"{path}" has {which}.', path=self.path, which=which)
        return wanted[-1]

    def append(self, steps: Iterable[tuple[int, Event | Evidence]]) -> None:
        """Append events and evidence, each with the ID of its run, in one transaction.

        Runs that stopped or have grown considerably are summarized, so that they open quickly next time.
        """
        rows, found = list[tuple[int, str, bytes]](), list[tuple[int, str, bytes]]()
        for run_id, step in steps:
            if isinstance(step, Event):
                rows.append((run_id, *encode(step)))
            else:
                kind, values = step.packed()
                found.append((run_id, kind, pack(values)))
        if not rows and not found:
            return
        with self._transaction() as connection:
            connection.executemany("INSERT INTO evidence (run, kind, data) VALUES (?, ?, ?)", found)
            places: dict[int, int] = {}
            for run_id, kind, data in rows:
                place = places[run_id] if run_id in places else self._next_place(run_id)
                connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", (run_id, place, kind, data))
                places[run_id] = place + 1
        self._places.update(places)
        ended = {run_id for run_id, kind, _ in rows if kind in _ENDS}
        for run_id, place in places.items():
            if run_id in ended or place - self._summed.get(run_id, 0) >= max(_TAIL, place * _GROWTH):
                with suppress(ProjectError):  # a summary contains nothing beyond the log
                    self.summed_up(run_id)

    def _next_place(self, run_id: int) -> int:
        # Counted here, not read again: a second window that appends to the same run collides and is notified.
        if run_id not in self._places:
            found = self._connection.execute("SELECT coalesce(max(place) + 1, 0) FROM event WHERE run = ?", (run_id,))
            self._places[run_id] = int(found.fetchone()[0])
        return self._places[run_id]

    def events(self, run_id: int, start: int = 0) -> Iterator[Event]:
        """The log of a run from a given position on, oldest first."""
        for kind, data in self._logged(run_id, start):
            yield decode(kind, data)

    def fold_steps(self, history: StepHistory, run_id: int, start: int, end: int) -> None:
        """Add the log of a run between two positions to ``history``, the content of heatmaps, thinned if long."""
        for kind, data in islice(self._logged(run_id, start), end - start):
            step = step_of(kind, data)
            if step is None or history.wants(*step):
                history.apply(decode(kind, data))

    def _logged(self, run_id: int, start: int) -> Iterator[tuple[str, bytes]]:
        """Kind and bytes of the events of a run from a given position on."""
        last = start - 1
        while True:
            with self._lock, plain_words(self.path):
                rows: Sequence[tuple[int, str, bytes]] = self._connection.execute(
                    "SELECT place, kind, data FROM event WHERE run = ? AND place > ? ORDER BY place LIMIT 256",
                    (run_id, last),
                ).fetchall()
            for last, kind, data in rows:  # noqa: B007 - the next page starts behind the last
                yield kind, data
            if len(rows) < 256:
                # Continue after the events read, not after those another window adds meanwhile: that must collide.
                self._places.setdefault(run_id, last + 1)
                return

    def state(self, run_id: int) -> RunState:
        """The state used by views and exports, computed from all events of the run."""
        return RunState.of(self.events(run_id))

    def summed_up(self, run_id: int) -> tuple[RunState, int]:
        """The state without its history, and the number of events in the log.

        Only events since the last summary are read; if these are many, or end the run, a new summary is stored.
        """
        with self._lock, plain_words(self.path):
            state, known = _summary(self._connection, run_id) or (RunState(history=None), 0)
        events = known
        for event in self.events(run_id, known):
            state.apply(event)
            events += 1
        self._summed[run_id] = known
        rests = events > known and state.status in ("finished", "stopped", "failed")
        if not self.read_only and (rests or events - known >= _TAIL):
            data = pack(summary_of(state))
            with self._transaction() as connection:
                connection.execute(
                    "INSERT OR REPLACE INTO summary SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)",
                    (run_id, SUMMARY_VERSION, events, data, run_id),
                )
            self._summed[run_id] = events
        return state, events

    def evidence(self, run_id: int) -> list[tuple[str, dict[str, Any]]]:
        """Kind and values of all evidence about a run, oldest first."""
        with self._lock, plain_words(self.path):
            if not has_table(self._connection, "evidence"):
                return []
            rows = self._connection.execute("SELECT kind, data FROM evidence WHERE run = ? ORDER BY id", (run_id,))
            return [(kind, unpack(data)) for kind, data in rows.fetchall()]

    def keep_findings(self, run_id: int, about: bytes, events: int, values: dict[str, Any]) -> None:
        """Store findings about a subset of a run for the current length of its log: plain values and arrays.

        Replaces earlier findings about this subset; those for a shorter log are removed.
        """
        row = (run_id, about, events, pack(values), run_id)
        with self._transaction() as connection:
            connection.execute("DELETE FROM finding WHERE run = ? AND events < ?", (run_id, events))
            connection.execute(
                "INSERT OR REPLACE INTO finding SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)", row
            )

    def findings(self, run_id: int, about: bytes) -> dict[str, Any] | None:
        """The stored findings about a subset of a run; None if there are none, or the run has continued since."""
        with self._lock, plain_words(self.path):
            if not has_table(self._connection, "finding"):
                return None
            row = self._connection.execute(
                "SELECT data FROM finding WHERE run = ? AND about = ?"
                " AND events = (SELECT coalesce(max(place) + 1, 0) FROM event WHERE event.run = finding.run)",
                (run_id, about),
            ).fetchone()
        try:
            return None if row is None else unpack(row[0])
        except ProjectError:  # damaged: it can be recomputed
            return None

    def version(self) -> int:
        """Return a number that changes when another process writes to the project."""
        with self._lock, plain_words(self.path):
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def keep(self, name: str, values: dict[str, Any]) -> None:
        """Store a user's item under a name, replacing the previous one: plain values and arrays."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, pack(values)))

    def kept(self, name: str) -> dict[str, Any] | None:
        """The item stored under a name; None if there is none."""
        with self._lock, plain_words(self.path):
            if not has_table(self._connection, "kept"):
                return None
            row = self._connection.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        return None if row is None else unpack(row[0])

    def save_as(self, path: Path | str) -> None:
        """Write a copy of the whole project, replacing any existing file, and continue with the copy."""
        path = Path(path)
        if path.exists() and path.samefile(self.path):
            return
        with self._lock, plain_words(path):
            part = path.with_name(path.name + ".part")
            part.unlink(missing_ok=True)
            with closing(sqlite3.connect(part)) as copy:
                self._connection.backup(copy)
            remove(path, only=SIDES)  # the log of a killed project would be replayed into the copy
            part.replace(path)
            old, self._connection = self._connection, connect(path)
            write_ahead(self._connection)
            old.close()
            self.path, self.read_only = path, False

    def close(self) -> None:
        """Close the file; it is consistent at any time, closed or not."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if self.read_only:
            raise ProjectError('"{path}" is not writable. Save the project in another folder first.', path=self.path)
        with self._lock, plain_words(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _damaged(path: Path) -> ProjectError:
    return ProjectError('The data in "{path}" are damaged. Open a backup copy.', path=path)


def _verify(path: Path, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise ProjectError('"{path}" is not an fsdesk project. Choose a file saved by fsdesk.', path=path)
    if schema > SCHEMA_VERSION:
        raise ProjectError('"{path}" was saved by a newer fsdesk. Update fsdesk to open it.', path=path)
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _binned(connection: sqlite3.Connection) -> set[int]:
    """The runs in the bin."""
    if not has_table(connection, "bin"):
        return set()
    return {run for (run,) in connection.execute("SELECT run FROM bin")}


def _shrink(connection: sqlite3.Connection) -> None:
    """Return free space in the file to the disk, if there is much of it."""
    (free,), (pages,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_count"))
    if free > _SPARE * pages:
        connection.execute("VACUUM")


def _summary(connection: sqlite3.Connection, run_id: int) -> tuple[RunState, int] | None:
    """A state without history and the number of its events; None if there is none for this version and log."""
    if not has_table(connection, "summary"):
        return None
    row = connection.execute(
        "SELECT data, events FROM summary WHERE run = ? AND version = ?"
        " AND events <= (SELECT coalesce(max(place) + 1, 0) FROM event WHERE event.run = summary.run)",
        (run_id, SUMMARY_VERSION),
    ).fetchone()
    try:
        return None if row is None else (state_of(unpack(row[0])), int(row[1]))
    except (ProjectError, KeyError, TypeError, ValueError):  # damaged: the log is authoritative
        return None


def _joined(blocks: Iterable[tuple[bytes]], size: int) -> bytearray:
    """The values of all blocks, with their expected byte counts; ValueError if these do not match."""
    values = bytearray()
    for (block,) in blocks:
        values += inflate(block, size - len(values))
    if len(values) != size:
        raise ValueError(len(values))
    return values


def _described(dataset: Dataset) -> str:
    """JSON text of everything in a data set except its columns and its target."""
    meta = {
        "name": dataset.name,
        "features": dataset.features,
        "target_name": dataset.target_name,
        "classes": dataset.classes,
        "rows": dataset.rows,
        "categories": {str(column): names for column, names in dataset.categories.items()},
        "source": dataset.source,
        "checks": [[check.kind, check.sentence, check.columns] for check in dataset.checks],
        "messages": [data_of(dataset.source), *(data_of(check.sentence) for check in dataset.checks)],
        "readings": [reading.packed() for reading in dataset.readings],
        "ways": dict(dataset.ways),
        **({"event": dataset.event} if dataset.event else {}),
        **({"class_values": dataset.class_values} if _are_plain(dataset.class_values) else {}),
        **({"entry": dataset.entry} if dataset.entry else {}),
        **({"role_names": dict(dataset.role_names)} if dataset.role_names else {}),
        **({"group_names": dataset.group_names} if dataset.group_names else {}),
        **{name: None if (values := getattr(dataset, name)) is None else values.tolist() for name in _VECTORS},
    }
    return json.dumps(meta)


def _are_plain(values: Sequence[object]) -> bool:
    """Whether class values of a frame are integers or booleans, which JSON preserves."""
    return bool(values) and all(isinstance(value, int) for value in values)


def _restored(meta: dict[str, Any], target: bytes, values: bytearray) -> Dataset:
    """Undo :func:`_described`; raise KeyError, TypeError or ValueError if damaged."""
    plain = [meta["source"], *(sentence for _, sentence, _ in meta["checks"])]  # all that older versions stored
    source, *sentences = map(message_of, meta.get("messages", plain))
    # JSON writes the shortest digits that read back to exactly the same number.
    vectors: dict[str, Any] = {
        name: None if (vector := meta.get(name)) is None else np.array(vector) for name in _VECTORS
    }
    return Dataset(
        name=meta["name"],
        x=np.frombuffer(values, dtype="<f8").reshape(-1, len(meta["rows"])).T,
        features=tuple(meta["features"]),
        target=np.frombuffer(bytearray(target), dtype="<i8").astype(np.int64),
        target_name=meta["target_name"],
        classes=tuple(meta["classes"]),
        rows=tuple(meta["rows"]),
        categories={int(column): tuple(names) for column, names in meta["categories"].items()},
        source=source,
        checks=tuple(
            Check(kind, sentence, tuple(columns))
            for (kind, _, columns), sentence in zip(meta["checks"], sentences, strict=True)
        ),
        readings=tuple(map(Reading.unpacked, meta.get("readings", ()))),
        ways=meta.get("ways", {}),
        class_values=tuple(kept) if _are_plain(kept := meta.get("class_values", ())) else (),
        event=meta.get("event", ""),
        entry=meta.get("entry", ""),
        role_names=meta.get("role_names", {}),
        group_names=tuple(meta.get("group_names", ())),
        **vectors,
    )
