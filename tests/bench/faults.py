"""Runs whose process is killed, whose power is cut and whose disk fails: what is lost, and what is said.

    python tests/bench/faults.py           # 200 kills, 1,000 power cuts, all failing disks: some minutes
    python tests/bench/faults.py --short   # a few of each, as in tests/end_to_end/test_faults.py

The writer of a project is killed by SIGKILL at random moments. For power cuts a library that stands between a process
and its disk (`faulty_disk.c`, by LD_PRELOAD) notes every write, rename and sync. A cut after any of them leaves what
was synced, and of all the rest what chance leaves: nothing, everything, or some sectors of some writes. Then the
project is opened, checked by SQLite, held against all that was acknowledged, and some are resumed to their end.
"""

import argparse
import multiprocessing
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import Event, RunFinished, RunSpec, RunState, ThreadExecutor, run
from fsdesk.engine.tasks import evaluator_of
from fsdesk.store import Project
from fsdesk.store.schema import encode

SETTINGS = {"max_iterations": 300, "stall_limit": 300, "repeats": 1}
_SECTOR = 512
_CLOSE_AT = 0.6  # of the log: there a power cut may find a project that was closed and opened again


@cache
def whole_run() -> tuple[Dataset, RunSpec, tuple[Event, ...]]:
    """A run that nothing disturbs: its data, its spec, and its events."""
    rng = np.random.default_rng(3)
    target = np.arange(60) % 2
    x = np.asfortranarray(rng.normal(size=(60, 8)))
    x[:, 1] += 3.0 * target
    names = tuple(f"f{place}" for place in range(8))
    dataset = Dataset("made", x, names, target, "class", ("a", "b"), ("",) * 60)
    spec = RunSpec.make(dataset, method="bspsa", seed=2, settings=SETTINGS)
    return dataset, spec, tuple(continued(dataset, spec, ()))


def continued(dataset: Dataset, spec: RunSpec, replayed: Sequence[Event]) -> Iterator[Event]:
    """The events of a run behind those that there are."""
    with ThreadExecutor(evaluator_of(spec, dataset), 1) as executor:
        yield from run(spec, dataset, executor, replayed)


def answer(events: Sequence[Event]) -> bytes:
    """The features that a finished run ends with, packed."""
    state = RunState()
    for event in events:
        state.apply(event)
    assert state.status == "finished"
    assert state.best is not None
    return np.packbits(state.best.mask).tobytes()


class Survival(NamedTuple):
    """What was found when a project was opened again."""

    events: int
    resumed: bool


def survived(path: Path, acknowledged: int, *, resume: bool) -> Survival:
    """Open a project again; AssertionError where it is damaged, lost something acknowledged, or ends otherwise."""
    dataset, spec, events = whole_run()
    project = Project.open(path)
    try:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found = list(project.events(1)) if project.runs() else []
        assert len(found) >= acknowledged, f"{acknowledged} events were acknowledged, {len(found)} are there"
        assert list(map(_lasting, found)) == list(map(_lasting, events[: len(found)]))
        if resume and found and not isinstance(found[-1], RunFinished):
            more = list(continued(dataset, spec, found))
            project.append([(1, event) for event in more])
            assert answer(list(project.events(1))) == answer(events)
            return Survival(len(found), True)
    finally:
        project.close()
    return Survival(len(found), False)


def _lasting(event: Event) -> tuple[str, bytes]:
    """All of an event but its seconds, which differ from process to process."""
    return encode(replace(event, seconds=0.0) if hasattr(event, "seconds") else event)


def made_project(path: Path) -> Project:
    """A project with the run, of which nothing is logged yet."""
    dataset, spec, _ = whole_run()
    project = Project.create(path)
    project.add_dataset(dataset)
    project.add_run(spec)
    return project


# Kills


def write_on(path: Path, counts: Path) -> None:
    """Append the rest of the run, one event a transaction; count those begun and those acknowledged."""
    _, _, events = whole_run()
    counted = np.memmap(counts, np.int64, "r+", shape=(2,))
    project = Project.open(path)
    done = sum(1 for _ in project.events(1))
    for event in events[done:]:
        counted[0] += 1
        project.append([(1, event)])
        counted[1] += 1
    project.close()


@dataclass
class Kills:
    """How many kills, how many of them inside of a transaction, and how many runs were resumed to the same answer."""

    times: int = 0
    within: int = 0
    resumed: int = 0


def kill_writers(folder: Path, times: int, seed: int = 0) -> Kills:
    """Kill a writer so many times; AssertionError where something is lost."""
    context = multiprocessing.get_context("forkserver")
    rng, kills = np.random.default_rng(seed), Kills()
    longest = 0.0
    while kills.times < times:
        path, counts = folder / "kill.fsdesk", folder / "counts"
        counts.write_bytes(bytes(16))
        counted = np.memmap(counts, np.int64, "r", shape=(2,))
        made_project(path).close()
        process = context.Process(target=write_on, args=(path, counts))
        process.start()
        while not counted[0] and process.is_alive():
            time.sleep(1e-4)
        began = time.monotonic()
        if longest:
            process.join(rng.uniform(0, longest))
        else:
            process.join()  # the first one tells how long it takes
            longest = time.monotonic() - began
        caught = process.is_alive()
        process.kill()
        process.join()
        begun, acknowledged = (int(each) for each in counted)
        if caught:
            kills.times += 1
            kills.within += begun > acknowledged
            kills.resumed += survived(path, acknowledged, resume=True).resumed
        for left in folder.glob("kill.fsdesk*"):
            left.unlink()
    return kills


# A disk that fails


@contextmanager
def faulty_disk() -> Iterator[Path]:
    """The library that stands between a process and its disk, compiled here."""
    with tempfile.TemporaryDirectory(prefix="fsdesk-faulty-") as folder:
        library = Path(folder) / "faulty_disk.so"
        source = Path(__file__).with_name("faulty_disk.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        yield library


def environment(library: Path, under: Path, **faults: object) -> dict[str, str]:
    """The environment of a process whose files under a folder are on a faulty disk."""
    known = {f"DISK_{name.upper()}": str(value) for name, value in faults.items()}
    return {**os.environ, **known, "LD_PRELOAD": str(library), "DISK_UNDER": str(under)}


class Entry(NamedTuple):
    """One thing that was done to a file: W written, T cut or grown, S synced, R renamed, U removed."""

    kind: str
    path: str
    offset: int
    data: bytes


def entries(log: Path) -> list[Entry]:
    """What the library noted."""
    content, place, found = log.read_bytes(), 0, []
    while place < len(content):
        kind, name, offset, length = struct.unpack_from("=4Q", content, place)
        place += 32
        path = content[place : place + name].decode()
        place += name
        data = b"" if chr(kind) == "T" else content[place : place + length]
        place += len(data)
        found.append(Entry(chr(kind), path, offset, data))
    return found


@dataclass
class _File:
    """A file: what is on disk for good, and what was done since and may be lost."""

    lasting: bytearray = field(default_factory=bytearray)
    pending: list[Entry] = field(default_factory=list)

    def content(self, chance: float, rng: np.random.Generator) -> bytes:
        """What is left of it where each sector of what is not synced survives by chance."""
        content = bytearray(self.lasting)
        for entry in self.pending:
            _apply(content, entry, chance, rng)
        return bytes(content)

    def sync(self) -> None:
        for entry in self.pending:
            _apply(self.lasting, entry, 1.0, None)
        self.pending.clear()


def _apply(content: bytearray, entry: Entry, chance: float, rng: np.random.Generator | None) -> None:
    if entry.kind == "T":
        if rng is None or rng.random() < chance:
            del content[entry.offset :]
            content.extend(bytes(entry.offset - len(content)))
        return
    whole = rng is None or rng.random() < chance
    for first in range(0, len(entry.data), _SECTOR):
        if whole or (rng is not None and 0 < chance < 1 and rng.random() < chance):
            place, sector = entry.offset + first, entry.data[first : first + _SECTOR]
            content.extend(bytes(max(0, place - len(content))))
            content[place : place + len(sector)] = sector


class Disk:
    """A disk in the order of what was done to it; names of files, too, last only when their folder is synced."""

    def __init__(self) -> None:
        self._names: dict[str, _File] = {}
        self._lasting_names: dict[str, _File] = {}
        self._name_changes: list[tuple[str, str, _File | None]] = []

    def apply(self, entry: Entry) -> None:
        """Do what was done."""
        if entry.kind == "R":
            file = self._names.pop(entry.path)
            self._names[entry.data.decode()] = file
            self._name_changes.append((entry.path, entry.data.decode(), file))
        elif entry.kind == "U":
            self._names.pop(entry.path, None)
            self._name_changes.append((entry.path, "", None))
        elif entry.kind == "S":
            if entry.path in self._names:
                self._names[entry.path].sync()
            else:  # the folder
                self._lasting_names = dict(self._names)
                self._name_changes.clear()
        else:
            if entry.path not in self._names:
                self._names[entry.path] = _File()
                self._name_changes.append(("", entry.path, self._names[entry.path]))
            self._names[entry.path].pending.append(entry)

    def after_a_cut(self, folder: Path, rng: np.random.Generator) -> None:
        """Write what is left when the power goes now: nothing, all or some of what was not synced."""
        chance = float(rng.choice([0.0, 1.0, 0.5, rng.random()]))
        names = dict(self._lasting_names)
        for old, new, file in self._name_changes[: int(rng.binomial(len(self._name_changes), chance))]:
            names.pop(old, None)
            if file is not None:
                names[new] = file
        for path, file in names.items():
            (folder / Path(path).name).write_bytes(file.content(chance, rng))


def log_on(folder: Path) -> None:
    """Make a project and log the whole run into it, saying after each event that it is acknowledged."""
    _, _, events = whole_run()
    path = folder / "cut.fsdesk"
    project = made_project(path)
    said = os.open(folder / "acknowledged", os.O_WRONLY | os.O_CREAT)
    for place, event in enumerate(events):
        if place == int(_CLOSE_AT * len(events)):
            project.close()
            project = Project.open(path)
        project.append([(1, event)])
        os.write(said, b".")
    project.close()


@dataclass
class Cuts:
    """Power cuts: how many, how many left no project yet, and how many runs were resumed to the same answer."""

    times: int = 0
    nothing_yet: int = 0
    resumed: int = 0


def cut_power(folder: Path, times: int, seed: int = 0, *, resume_each: int = 10) -> Cuts:
    """Cut the power at so many moments; AssertionError where something acknowledged is lost."""
    made, log = folder / "made", folder / "writes"
    made.mkdir()
    with faulty_disk() as library:
        words = [sys.executable, str(Path(__file__)), "--log-on", str(made)]
        subprocess.run(words, check=True, env=environment(library, made, log=log))
    done = [entry for entry in entries(log) if not entry.path.endswith("-shm")]
    rng, cuts, disk, acknowledged = np.random.default_rng(seed), Cuts(), Disk(), 0
    moments = np.sort(rng.integers(0, len(done) + 1, times))
    left = folder / "left"
    for place in range(len(done) + 1):
        for _ in range(int((moments == place).sum())):
            left.mkdir()
            disk.after_a_cut(left, rng)
            cuts.times += 1
            path = left / "cut.fsdesk"
            if path.exists():
                cuts.resumed += survived(path, acknowledged, resume=cuts.times % resume_each == 0).resumed
            else:
                assert not acknowledged
                cuts.nothing_yet += 1
            shutil.rmtree(left)
        if place < len(done):
            entry = done[place]
            if entry.path.endswith("acknowledged"):
                acknowledged += len(entry.data)
            else:
                disk.apply(entry)
    return cuts


def main() -> None:
    """Print a sentence for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--log-on", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.log_on:
        log_on(asked.log_on)
        return
    with tempfile.TemporaryDirectory(prefix="fsdesk-faults-") as folder:
        kills = kill_writers(Path(folder), 5 if asked.short else 200)
        cuts = cut_power(Path(folder), 40 if asked.short else 1000)
    print(f"The writer was killed {kills.times} times, {kills.within} times inside of a transaction: 0 acknowledged "
          f"events lost, {kills.resumed} runs resumed to the same answer.")  # fmt: skip
    print(f"The power was cut {cuts.times} times, {cuts.nothing_yet} times before there was a project: 0 acknowledged "
          f"events lost, {cuts.resumed} runs resumed to the same answer.")  # fmt: skip


if __name__ == "__main__":
    main()
