"""Where things are: the program's own files, and the folders of its user."""

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
