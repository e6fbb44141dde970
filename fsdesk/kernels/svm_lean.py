"""How the inner functions of support vector machines are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["lean", "lean_sums"]

F = TypeVar("F", bound=Callable[..., object])

# No counts of references to the arrays that are handed on: they took longer than the work on twenty rows.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "cache": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def lean(function: F) -> F:
    """Compile a function that allocates nothing and that only compiled functions call."""
    compiled: F = njit(**_OPTIONS, forceinline=True)(function)
    return compiled


def lean_sums(function: F) -> F:
    """The same, where sums may be taken in any order."""
    compiled: F = njit(**_OPTIONS, fastmath={"reassoc", "contract", "nsz", "nnan"})(function)
    return compiled
