import os
import socket
import subprocess
import sys

import pytest

from fsdesk.store.lock import Lock, LockOwner

TAKER = """
import sys, time
from pathlib import Path
from fsdesk.store.lock import Lock
taken = Lock.take(Path(sys.argv[1]))
print(type(taken).__name__, flush=True)
time.sleep(600)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.fsdesk"


@pytest.fixture
def another_process(path):
    process = subprocess.Popen([sys.executable, "-c", TAKER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "Lock\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_only_one_holds_a_file_and_the_other_is_told_who_and_since_when(path):
    hold = Lock.take(path)
    holder = Lock.take(path)
    assert isinstance(holder, LockOwner)
    assert (holder.pid, holder.host, holder.here) == (os.getpid(), socket.gethostname(), True)
    assert holder.since[:2] == "20"
    assert Lock.owner(path) == holder
    hold.release()
    assert Lock.owner(path) is None
    assert not list(path.parent.iterdir())
    again = Lock.take(path)
    assert isinstance(again, Lock)
    again.release()


def test_another_process_is_told_of(path, another_process):
    holder = Lock.take(path)
    assert isinstance(holder, LockOwner)
    assert holder.pid == another_process.pid
    assert not Lock.left_behind(path)


def test_a_killed_holder_holds_nobody_up_and_is_noticed(path, another_process):
    another_process.kill()
    another_process.wait()
    assert path.with_name("study.fsdesk.lock").is_file()
    assert Lock.owner(path) is None
    assert Lock.left_behind(path)
    hold = Lock.take(path)
    assert isinstance(hold, Lock)
    assert not Lock.left_behind(path)
    hold.release()
    assert not Lock.left_behind(path)


@pytest.mark.parametrize("content", [b"", b"{", b'{"pid": "x"}', bytes(range(256))])
def test_a_damaged_lock_file_holds_nobody_up(path, content):
    path.with_name("study.fsdesk.lock").write_bytes(content)
    hold = Lock.take(path)
    assert isinstance(hold, Lock)
    hold.release()


def test_looking_at_who_holds_a_file_makes_none(path):
    assert Lock.owner(path) is None
    assert not Lock.left_behind(path)
    assert not list(path.parent.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="drives without locks")
def test_on_a_drive_without_locks_the_living_and_other_computers_are_believed(path, monkeypatch):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fsdesk.store.lock.fcntl.flock", refuse)
    lock = path.with_name("study.fsdesk.lock")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    said = '{{"pid": {}, "host": "{}", "since": "2026-01-01T00:00:00+00:00"}}'
    for pid, host, free in (
        (gone.pid, socket.gethostname(), True),
        (os.getppid(), socket.gethostname(), False),
        (1, "another-computer", False),
    ):
        lock.write_text(said.format(pid, host))
        taken = Lock.take(path)
        assert isinstance(taken, Lock) == free
        if isinstance(taken, Lock):
            taken.release()
