"""Paths of the program's own files and of the user's folders."""

import json
import os
import platform
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_INSTALLED = Path(__file__).resolve().parent / "resources"
_DEVELOPMENT = Path(__file__).resolve().parents[1] / "resources"


def resource(name: str) -> Path:
    """Path of a file under ``resources/``: inside the installed package, or beside it in a source tree."""
    root = _INSTALLED if _INSTALLED.is_dir() else _DEVELOPMENT
    return root / name


@dataclass(frozen=True)
class Folders:
    """The folders of one user.

    Attributes
    ----------
    projects
        Scratch projects: projects never saved under a name are kept here, so that nothing is lost.
    shared
        Tables shared with the workers; not needed after the program has ended.
    logs
        The log file.
    settings
        The user's own presets, and the settings of the last session for each table.
    """

    projects: Path
    shared: Path
    logs: Path
    settings: Path

    @classmethod
    def of_user(cls) -> "Folders":
        """The folders that the operating system assigns to this program."""
        data = platformdirs.user_data_path("fsdesk", appauthor=False)
        cache = platformdirs.user_cache_path("fsdesk", appauthor=False)
        logs = platformdirs.user_log_path("fsdesk", appauthor=False)
        settings = platformdirs.user_config_path("fsdesk", appauthor=False)
        return cls(data / "projects", cache / "tables", logs, settings)

    @classmethod
    def under(cls, root: Path) -> "Folders":
        """All folders under one root, for tests."""
        return cls(root / "projects", root / "tables", root / "logs", root / "settings")

    @property
    def autosaves(self) -> Path:
        """The projects of every open window, for recovery after a crash."""
        return self.projects.parent / "autosaves"

    def make(self) -> None:
        """Create missing folders."""
        for folder in (self.projects, self.shared, self.logs, self.settings, self.autosaves):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def log_file(self) -> Path:
        """The file that unexpected errors are written to."""
        return self.logs / "fsdesk.log"


_OWNER = ".owner.json"
_SCRATCH = re.compile(r"fsdesk-(study-|smoke-)?[a-z0-9_]{8}")
_SHARED_FILE = re.compile(r"[0-9a-f]{32}(\.\w+)?\.(npy|json)")
_OLD_SECONDS = 86_400.0


@contextmanager
def scratch_folder(prefix: str = "fsdesk-") -> Iterator[Path]:
    """A temporary folder, removed after the block, or by :func:`sweep_scratch` if the process was killed."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        with suppress(OSError):  # if the disk is full, the folder is swept a day later
            (folder / _OWNER).write_text(json.dumps(_this_process()), encoding="utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_scratch(among: Path | None = None) -> list[Path]:
    """Remove and return the folders of :func:`scratch_folder` whose processes ended without removing them.

    Only folders that are certainly ours are removed: those with this user and this name whose owner process on this
    computer no longer runs; and, from versions that did not record an owner, those that are older than a day and
    contain only shared tables.
    """
    root, swept = among or Path(tempfile.gettempdir()), list[Path]()
    for folder in root.glob("fsdesk-*"):
        with suppress(OSError):
            if _SCRATCH.fullmatch(folder.name) and _is_own_folder(folder) and _is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
                swept.append(folder)
    return swept


def _this_process() -> dict[str, str | int | float]:
    import psutil  # not before the first picture of the window

    return {"host": platform.node(), "pid": os.getpid(), "began": psutil.Process().create_time()}


def _is_own_folder(folder: Path) -> bool:
    about = folder.lstat()
    return stat.S_ISDIR(about.st_mode) and (not hasattr(os, "getuid") or about.st_uid == os.getuid())


def _is_abandoned(folder: Path) -> bool:
    import psutil

    try:
        owner = json.loads((folder / _OWNER).read_text(encoding="utf-8"))
        host, pid, began = str(owner["host"]), int(owner["pid"]), float(owner["began"])
    except (OSError, ValueError, KeyError, TypeError):
        files = list(folder.iterdir())
        is_old = all(time.time() - each.lstat().st_mtime > _OLD_SECONDS for each in (folder, *files))
        return is_old and all(_SHARED_FILE.fullmatch(each.name) for each in files)
    if host != platform.node():
        return False
    try:
        return abs(psutil.Process(pid).create_time() - began) > 1.0  # the number was reused by another process
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
