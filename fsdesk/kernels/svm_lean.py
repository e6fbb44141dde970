"""How the inner functions of support vector machines are compiled."""

from collections.abc import Callable
from typing import TypeVar

from fsdesk.kernels import compiling

__all__ = ["lean", "lean_sums"]

F = TypeVar("F", bound=Callable[..., object])


def lean(function: F) -> F:
    """Compile a function that allocates nothing and that only compiled functions call, into each of them."""
    return compiling.lean(forceinline=True)(function)


def lean_sums(function: F) -> F:
    """The same, not into each, where sums may be taken in any order."""
    return compiling.lean(fastmath={"reassoc", "contract", "nsz", "nnan"})(function)
