"""The files opened last, newest first, remembered between sessions."""

from pathlib import Path

from PySide6.QtCore import QSettings

__all__ = ["Recent"]

_KEY = "recent/files"
_MOST = 12


class Recent:
    """Paths of tables and projects."""

    def __init__(self, store: QSettings) -> None:
        self._store = store

    def paths(self) -> list[Path]:
        """Those that still exist, newest first."""
        saved = self._store.value(_KEY, [])
        # A list of one comes back from the settings file as that one.
        names = saved if isinstance(saved, list) else [saved] if isinstance(saved, str) else []
        return [path for name in names if (path := Path(str(name))).is_file()]

    def add(self, path: Path) -> None:
        """Put a path first."""
        path = path.absolute()
        others = [known for known in self.paths() if known != path]
        self._store.setValue(_KEY, [str(each) for each in [path, *others][:_MOST]])

    def clear(self) -> None:
        """Forget all."""
        self._store.remove(_KEY)
