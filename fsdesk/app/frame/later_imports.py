"""What the first picture does not need is imported after it, a bit at a time, on the thread of the window.

Not on another one: Qt makes its classes when they are first asked for, which pyqtgraph does with all of them, and
where two threads do that at once the program crashes.
"""

import time
from collections.abc import Iterator
from importlib import import_module

from PySide6 import QtCore, QtGui, QtWidgets

__all__ = ["imported_in_turns"]

_TURN_SECONDS = 0.015
_MODULES = (
    "pyqtgraph",
    "fsdesk.app.settings.setup_panel",
    "fsdesk.app.data.data_page",
    "fsdesk.app.heatmaps.heatmap",
    "fsdesk.app.search.search_page",
    "fsdesk.app.result.result_page",
    "fsdesk.app.compare.compare_page",
    "fsdesk.app.frame.workbench",
)


def imported_in_turns() -> Iterator[None]:
    """Import the workbench; after each step the window may answer."""
    due = time.perf_counter() + _TURN_SECONDS
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
            if time.perf_counter() > due:
                yield
                due = time.perf_counter() + _TURN_SECONDS
    for name in _MODULES:
        import_module(name)
        yield
