"""Whether a kernel is being compiled: once for each computer, and long enough to tell the user."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["told_when_compiling"]


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
