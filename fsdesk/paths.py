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
        Scratch projects: what was never saved under a name is here, so that nothing is lost.
    shared
        Tables on their way to the workers; of no use after the program has ended.
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
        """The folders that the operating system has for this program."""
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
        """What every open window works on, for the case that it ends without closing."""
        return self.projects.parent / "autosaves"

    def make(self) -> None:
        """Create what is missing."""
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
    """A temporary folder that goes with the block; where the process is killed, :func:`sweep_scratch` removes it."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        with suppress(OSError):  # a full disk: then it is swept a day later
            (folder / _OWNER).write_text(json.dumps(_this_process()), encoding="utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_scratch(among: Path | None = None) -> list[Path]:
    """Remove the folders of :func:`scratch_folder` whose processes ended without it, and return them.

    Only what is surely ours: a folder of this user and of this name, whose owner on this computer lives no more; or, of
    versions that wrote down no owner, one of a day ago that holds shared tables alone.
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
        return abs(psutil.Process(pid).create_time() - began) > 1.0  # another process got its number
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
