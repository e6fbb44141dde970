"""Settings that answer from memory and are written by a thread of their own.

Qt waits until the disk has them, on a busy one for seconds, and lets nobody read or change them meanwhile.
"""

import atexit
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, QSettings, QThread

__all__ = ["written_elsewhere"]


def written_elsewhere(store: QSettings) -> QSettings:
    """The same settings, written by another thread; they are read and changed from this one, as before.

    What changes while the thread writes is written next; ``sync`` waits until all is on the disk.
    """
    return _KeptSettings(store)


class _Gone:
    """Stands for a setting that was removed."""


class _Ear(QObject):
    """Hears in the thread of the window that a writing has ended in the other one."""

    def __init__(self, kept: "_KeptSettings") -> None:
        super().__init__()
        self._kept = kept

    def hear(self) -> None:
        """Tell it."""
        self._kept.go_on()


class _KeptSettings(QSettings):
    """Qt is asked only while it does not write."""

    def __init__(self, store: QSettings) -> None:
        super().__init__(store.fileName(), store.format())
        self._known: dict[str, object] = {key: store.value(key) for key in store.allKeys()}
        self._unwritten: dict[str, object] = {}
        self._written: QSettings | None = None
        self._ear = _Ear(self)

    def value(self, key: str, /, defaultValue: Any = None, type: object = None) -> object:  # noqa: A002 - Qt's
        """As it was set last."""
        return self._known.get(key, defaultValue)

    def setValue(self, key: str, value: Any, /) -> None:
        """Keep it, and have it written."""
        self._known[key] = value
        self._change(key, value)

    def remove(self, key: str, /) -> None:
        """Forget it, and what is below it."""
        self._known = {each: kept for each, kept in self._known.items() if not f"{each}/".startswith(f"{key}/")}
        self._change(key, _Gone)

    def sync(self) -> None:
        """Wait until all is on the disk."""
        self._hand_over(super())
        super().sync()

    def _change(self, key: str, value: object) -> None:
        self._unwritten.pop(key, None)
        self._unwritten[key] = value
        if self._written is None:
            self._write()

    def _write(self) -> None:
        """What changes settings has Qt post them the wish to be written, which the other thread takes with them."""
        self._written = QSettings(self.fileName(), self.format())
        self._hand_over(self._written)
        self._written.destroyed.connect(self._ear.hear)
        self._written.moveToThread(_writer())
        self._written.deleteLater()

    def _hand_over(self, store: Any) -> None:
        changes, self._unwritten = self._unwritten, {}
        for key, value in changes.items():
            if value is _Gone:
                store.remove(key)
            else:
                store.setValue(key, value)

    def go_on(self) -> None:
        """Write what has come meanwhile; then take what other windows have written."""
        self._written = None
        if self._unwritten:
            self._write()
        else:
            self._known = {key: super(_KeptSettings, self).value(key) for key in self.allKeys()}


@cache
def _writer() -> QThread:
    """One for all windows, as long as the program runs; nothing of ours is run by it."""
    thread = QThread()
    thread.setObjectName("settings")
    thread.start(QThread.Priority.LowPriority)

    def end() -> None:
        thread.quit()
        thread.wait()

    atexit.register(end)
    return thread
