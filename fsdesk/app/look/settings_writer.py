"""Settings are written by a thread of their own: Qt waits until the disk has them, 5 to 17 ms for each change."""

import atexit
from functools import cache

from PySide6.QtCore import QSettings, QThread

__all__ = ["write_elsewhere"]


def write_elsewhere(store: QSettings) -> None:
    """Have what changes in a store written by another thread; it is read and changed from this one, as before.

    What changes in the very moment in which Qt ends a writing may wait for the next one, or for ``sync``.
    """
    store.moveToThread(_writer())


@cache
def _writer() -> QThread:
    """One for all windows, as long as the program runs; nothing of Python is run by it."""
    thread = QThread()
    thread.setObjectName("settings")
    thread.start(QThread.Priority.LowPriority)

    def end() -> None:
        thread.quit()
        thread.wait()

    atexit.register(end)
    return thread
