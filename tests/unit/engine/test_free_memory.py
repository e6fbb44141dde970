"""Free memory, in a process of its own: the heap of this one belongs to all tests."""

import linecache
import subprocess
import sys

import pytest

from fsdesk.engine.memory import return_free_memory

_PROGRAM = """
import ctypes
from pathlib import Path
from fsdesk.engine.memory import return_free_memory

def held():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous")) // 1024

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
pieces = [libc.malloc(50_000) for _ in range(1000)]
for piece in pieces:
    ctypes.memset(piece, 1, 50_000)
for piece in pieces[:-1]:  # the last one keeps the end of the heap
    libc.free(piece)
before = held()
return_free_memory()
print(before - held())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc")
def test_what_lies_free_below_something_in_use_goes_back_to_the_system():
    done = subprocess.run([sys.executable, "-c", _PROGRAM], check=True, capture_output=True, text=True)
    assert int(done.stdout) > 40  # MB of 50


def test_sources_of_modules_that_pyside_had_read_are_let_go():
    assert linecache.getlines(__file__)
    return_free_memory()
    assert not linecache.cache
