"""The lock of a project: only one process at a time may write to it."""

import json
import os
import socket
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_SUFFIX = ".lock"
_LOOKS, _LOOK_SECONDS = 3, 0.02
_FAR = 1 << 30  # Windows prevents others from reading locked bytes: lock a byte beyond the content


@dataclass(frozen=True)
class LockOwner:
    """The process that has locked a file.

    Attributes
    ----------
    pid, host
        Its number and the name of its computer; 0 and "" if not known yet.
    since
        ISO time with seconds and time zone.
    """

    pid: int
    host: str
    since: str

    @property
    def here(self) -> bool:
        """Whether it runs on this computer."""
        return self.host == socket.gethostname()


class Lock:
    """The right to write a file, until :meth:`release` or until the process ends for any reason.

    The operating system locks ``FILE.lock`` and releases the lock with the process, so a leftover lock file blocks
    nobody. Its content is for human readers. On a network drive without locks, an owner named in it counts if it is on
    another computer, or on this one and still running.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file: BinaryIO | None = file

    @classmethod
    def take(cls, path: Path) -> "Lock | LockOwner":
        """Lock a file, or return who has locked it; raise OSError if no lock file can be created."""
        lock = _lock_file(path)
        patience = _LOOKS
        while True:
            file = lock.open("a+b")
            if not _lock(file):
                owner = _read(file)
                file.close()
                patience -= 1
                if patience:  # it may just be another reader
                    time.sleep(_LOOK_SECONDS)
                    continue
                return owner
            if not _is_at(file, lock):  # the owner has released and removed it in the meantime
                file.close()
                continue
            me = LockOwner(os.getpid(), socket.gethostname(), datetime.now().astimezone().isoformat(timespec="seconds"))
            file.truncate(0)
            file.write(json.dumps(vars(me)).encode())
            file.flush()
            return cls(path, file)

    @staticmethod
    def owner(path: Path) -> LockOwner | None:
        """The current owner of the lock on a file; None if there is none."""
        try:
            file = _lock_file(path).open("r+b")
        except OSError:
            return None
        with file:
            if _lock(file):
                _unlock(file)
                return None
            return _read(file)

    @staticmethod
    def left_behind(path: Path) -> bool:
        """Whether the last owner ended without releasing it: it was killed, or the power failed."""
        return _lock_file(path).is_file() and Lock.owner(path) is None

    def release(self) -> None:
        """Release it; calling it again does nothing."""
        file, self._file = self._file, None
        if file is None:
            return
        lock = _lock_file(self.path)
        if sys.platform == "win32":  # an open file cannot be removed there
            _unlock(file)
            file.close()
            with suppress(OSError):
                lock.unlink()
        else:
            with suppress(OSError):
                lock.unlink()
            file.close()


def _lock_file(path: Path) -> Path:
    real = path.resolve()  # two names of one file are the same file
    return real.with_name(real.name + _SUFFIX)


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _read(file: BinaryIO) -> LockOwner:
    try:
        file.seek(0)
        said = json.loads(file.read(4096))
        return LockOwner(int(said["pid"]), str(said["host"]), str(said["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return LockOwner(0, "", "")


if sys.platform == "win32":

    def locks_work(folder: Path) -> bool:
        """Whether parts of files in a folder can be locked, as SQLite needs."""
        return True

    def _lock(file: BinaryIO) -> bool:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: BinaryIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def locks_work(folder: Path) -> bool:
        """Whether parts of files in a folder can be locked, as SQLite needs; True if no file can be created to try."""
        with suppress(OSError), tempfile.TemporaryFile(dir=folder) as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return False
        return True

    def _lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a network drive without locks
            owner = _read(file)
            return not (owner.pid and (not owner.here or (owner.pid != os.getpid() and _is_alive(owner.pid))))
        return True

    def _unlock(file: BinaryIO) -> None:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)

    def _is_alive(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True
