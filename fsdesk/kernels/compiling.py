"""How kernels are compiled, and whether one is: once for each computer, and long enough to tell the user.

What each compiled function costs the first time is kept low: a function that only compiled functions call gets no door
for Python, and none gets one for C; one that a single other calls is compiled as a part of that, and memory that a
whole measurement works in is made by numpy. numba compiles a version for every kind of argument, of which constants
(``0``, ``True``) and arrays that must not be written to are some: so kernels hand on the numbers below, and designs
hand out arrays that nobody may write to. An array that is assigned to a part of another, and a sum along an axis, take
seconds to compile, for messages in words that never come: kernels write these loops.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numpy as np

from fsdesk.kernels.haste import hasten

__all__ = ["MINUS_ONE", "NO", "ONE", "YES", "ZERO", "entry", "inner", "lean", "merged", "told_when_compiling"]

ZERO: Any = np.int64(0)
ONE: Any = np.int64(1)
MINUS_ONE: Any = np.int64(-1)
NO: Any = np.bool_(False)
YES: Any = np.bool_(True)

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # of messages that nobody sees, by the thousand

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def entry(**options: Any) -> Callable[[F], F]:
    """Compile a function that Python calls, with options of numba's beside the usual."""

    def compiled(function: F) -> F:
        from numba import njit

        hasten()
        made: F = njit(**_OPTIONS, **options)(function)
        return made

    return compiled


def inner(**options: Any) -> Callable[[F], F]:
    """Compile a function that only compiled functions call: from Python it must never be."""
    return entry(no_cpython_wrapper=True, **options)


def lean(*, has_door: bool = False, **options: Any) -> Callable[[F], F]:
    """Compile a function that allocates nothing without counting references; Python may call it if it has a door.

    These counts are atomic steps for every array that is handed on, and took longer than the work on twenty rows. The
    option that says so is not one that numba promises to keep: without it functions are slower, not wrong.
    """
    from numba.core.cpu import CPUTargetOptions

    compiled = entry if has_door else inner
    return compiled(**({"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}), **options)


def merged(function: F) -> F:
    """Compile a function as a part of the one that calls it: a step of its own costs as much again as its callees."""
    from numba import njit

    made: Any = njit(**_OPTIONS, inline="always")(function)
    return cast("F", made)


@contextmanager
def told_when_compiling(tell: Callable[[], object]) -> Iterator[None]:
    """Call ``tell`` for every kernel that is compiled meanwhile; not for those that are kept from an earlier time."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            tell()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield
