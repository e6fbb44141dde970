"""The files opened last, newest first, remembered between sessions; some pinned, some gone."""

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSettings

__all__ = ["Recent", "RecentFile"]

_KEY, _PINNED = "recent/files", "recent/pinned"
_MOST = 12


class RecentFile(NamedTuple):
    """A file of the list; ``missing`` where it was moved or deleted."""

    path: Path
    pinned: bool
    missing: bool


class Recent:
    """Paths of tables and projects."""

    def __init__(self, store: QSettings) -> None:
        self._store = store

    def files(self) -> list[RecentFile]:
        """All that are remembered: the pinned ones first, then the newest."""
        pinned = self._names(_PINNED)
        names = [*pinned, *(name for name in self._names(_KEY) if name not in pinned)]
        return [RecentFile(Path(name), name in pinned, not Path(name).is_file()) for name in names]

    def paths(self) -> list[Path]:
        """Those that still exist, newest first."""
        return [path for name in self._names(_KEY) if (path := Path(name)).is_file()]

    def add(self, path: Path) -> None:
        """Put a path first."""
        name = str(path.absolute())
        others = [known for known in self._names(_KEY) if known != name]
        self._store.setValue(_KEY, [name, *others][:_MOST])

    def pin(self, path: Path, pinned: bool) -> None:
        """Keep a path at the top of the list, or no longer."""
        others = [name for name in self._names(_PINNED) if name != str(path)]
        self._store.setValue(_PINNED, [*others, str(path)] if pinned else others)

    def remove(self, path: Path) -> None:
        """Forget a path; the file stays where it is."""
        for key in (_KEY, _PINNED):
            self._store.setValue(key, [name for name in self._names(key) if name != str(path)])

    def clear(self) -> None:
        """Forget all that are not pinned."""
        self._store.remove(_KEY)

    def _names(self, key: str) -> list[str]:
        saved = self._store.value(key, [])
        # A list of one comes back from the settings file as that one, an empty one as nothing or "".
        names = saved if isinstance(saved, list) else [saved] if isinstance(saved, str) and saved else []
        return [str(name) for name in names]
