"""How the loops of CART are compiled: without counting references, which takes half of the time in small nodes."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core.cpu import CPUTargetOptions

__all__ = ["compiled", "inlined"]

F = TypeVar("F", bound=Callable[..., Any])

# These functions only read and write arrays that their caller owns. The option that says so is not one that numba
# promises to keep: without it they are slower, not wrong.
_OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}
if hasattr(CPUTargetOptions, "_nrt"):
    _OPTIONS["_nrt"] = False


def compiled(function: F) -> F:
    """Compile a function that allocates nothing."""
    made: F = njit(**_OPTIONS)(function)
    return made


def inlined(function: F) -> F:
    """Compile a function that allocates nothing into its caller, which saves handing over some hundred numbers."""
    made: F = njit(**_OPTIONS, forceinline=True)(function)
    return made
