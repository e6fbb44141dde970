"""How much memory this process holds, and the most that it held while something was done."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Peak", "peak_memory", "resident_bytes"]

_SECONDS = 0.005


class Peak:
    """The most memory seen so far, in bytes; 0 where the system does not tell."""

    def __init__(self) -> None:
        self.bytes = resident_bytes()

    def look(self) -> None:
        """Look once more."""
        self.bytes = max(self.bytes, resident_bytes())


@contextmanager
def peak_memory() -> Iterator[Peak]:
    """Watch the memory of this process while the block runs."""
    peak, done = Peak(), threading.Event()

    def watch() -> None:
        while not done.wait(_SECONDS):
            peak.look()

    thread = threading.Thread(target=watch, name="peak-memory", daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()
        peak.look()


def resident_bytes() -> int:
    """Bytes of memory that this process holds now, mapped files that were read included; 0 where that is not told."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return _of_windows()
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS: bytes, and the most so far


def _of_windows() -> int:
    import ctypes

    class Counters(ctypes.Structure):
        _fields_ = (
            ("cb", ctypes.c_ulong),
            ("PageFaultCount", ctypes.c_ulong),
            *((name, ctypes.c_size_t) for name in (
                "PeakWorkingSetSize", "WorkingSetSize", "QuotaPeakPagedPoolUsage", "QuotaPagedPoolUsage",
                "QuotaPeakNonPagedPoolUsage", "QuotaNonPagedPoolUsage", "PagefileUsage", "PeakPagefileUsage",
            )),
        )  # fmt: skip

    counters = Counters()
    counters.cb = ctypes.sizeof(counters)
    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    process = ctypes.c_void_p(kernel.GetCurrentProcess())
    if not kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb):
        return 0
    return int(counters.WorkingSetSize)
