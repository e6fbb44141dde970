"""Returns free memory to the system in long-running processes."""

import contextlib
import ctypes
import linecache
import sys

_M_ARENA_MAX = -8  # of glibc's malloc.h


def keep_one_heap() -> None:
    """Make all threads use one glibc heap, since up to 64 MB of each additional heap would never be returned."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # other C libraries do not have this function
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Return freed memory to the system, from any thread; takes a few milliseconds, without the GIL.

    Module sources are released first: PySide6 reads that of each module imported after it, and :mod:`linecache` keeps
    it.
    """
    linecache.clearcache()
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
