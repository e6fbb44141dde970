"""The window, the only part that uses Qt; :func:`main` opens it without importing heavy libraries into its process."""

import gc
import linecache
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from fsdesk.messages import mark, tr

__all__ = ["import_window", "main"]

_NEEDED = ("PySide6", "pyqtgraph", "qasync")
_NO_WINDOW = mark(
    'The window needs Qt, which is not installed: run pip install "fsdesk[app]". From the command line, fsdesk run '
    "TABLE searches without a window, and fsdesk --help lists all commands."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window, with a table or project if given; return the exit code when it is closed.

    If a requirement is missing, print how to install it, and return 2.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        sys.stderr.write(f"fsdesk: {tr(_NO_WINDOW)}\n")
        return 2
    import_window()
    from fsdesk.app.start import start

    return start(arguments)


def import_window() -> None:
    """Import what the window needs before it first appears, in a third less time than plain imports."""
    if "fsdesk.app.start" in sys.modules or not gc.isenabled():
        return
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # otherwise it searches all installed packages
    gc.disable()  # module objects are permanent: garbage collection over them takes a tenth of the time
    # PySide6 inspects every module imported after it, so modules without Qt come first.
    for name in ("asyncio", "fsdesk.engine.tasks", "fsdesk.results.permutations", "fsdesk.app.start"):
        import_module(name)
    linecache.clearcache()  # PySide6 caches the sources of those modules there
    gc.freeze()
    gc.enable()
