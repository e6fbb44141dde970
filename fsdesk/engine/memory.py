"""Returns free memory to the system in long-running processes."""

import contextlib
import ctypes
import linecache
import sys

_M_ARENA_MAX = -8  # of glibc's malloc.h


def keep_one_heap() -> None:
    """Have all threads take memory from one heap of glibc: of another thread's, up to 64 MB would never be returned."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # other C libraries have no such function
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Return what was freed to the system, from any thread; it takes some milliseconds, without the interpreter.

    Sources of modules are let go before: PySide6 reads that of each module which is imported after it, and
    :mod:`linecache` keeps it.
    """
    linecache.clearcache()
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
