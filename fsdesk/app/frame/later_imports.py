"""What the first picture does not need is imported after it, a bit at a time, on the thread of the window.

Not on another one: Qt makes its classes when they are first asked for, which pyqtgraph does with all of them, and
where two threads do that at once the program crashes.
"""

import ast
import importlib.util
import linecache
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import InspectLoader

from PySide6 import QtCore, QtGui, QtWidgets

from fsdesk.engine.spec import library_versions

__all__ = ["imported_in_turns", "package_in_turns"]

_TURN_SECONDS = 0.015
_MODULES = (
    "fsdesk.app.forms.setup_panel",
    "fsdesk.app.data_page.summaries",
    "fsdesk.app.data_page.data_page",
    "fsdesk.app.plots.heatmap",
    "fsdesk.app.plots.data_map",
    "fsdesk.app.plots.heatmap_card",
    "fsdesk.app.search_page.run_list",
    "fsdesk.app.plots.error_plot",
    "fsdesk.app.search_page.feature_cards",
    "fsdesk.app.search_page.search_page",
    "fsdesk.app.result_page.result_page",
    "fsdesk.app.compare_page.compare_page",
    "fsdesk.app.frame.workbench",
    "numpy.ma.core",  # numpy itself imports it when it first looks for quantiles
    "numpy.ma",
    "fsdesk.app.forms.run_dialogs",
    "fsdesk.results.finding_records",
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
    yield from package_in_turns("pyqtgraph")
    for name in _MODULES:
        import_module(name)
        yield
    library_versions()  # of the first run
    linecache.clearcache()  # PySide looks into the source of each module that is imported; 10 MB of it would be kept
    yield


def package_in_turns(name: str) -> Iterator[None]:
    """Import a package statement by statement: pyqtgraph imports 140 modules of its own, which takes 90 ms.

    Nobody else may import it meanwhile. Where there is no source, as in a frozen program, it is imported at once.
    """
    spec = importlib.util.find_spec(name) if name not in sys.modules else None
    source = spec.loader.get_source(name) if spec is not None and isinstance(spec.loader, InspectLoader) else None
    if spec is None or source is None:
        import_module(name)
        return
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    due = time.perf_counter() + _TURN_SECONDS
    try:
        for statement in ast.parse(source).body:
            code = compile(ast.Module([statement], []), spec.origin or name, "exec", dont_inherit=True)
            exec(code, module.__dict__)
            if time.perf_counter() > due:
                yield
                due = time.perf_counter() + _TURN_SECONDS
    except BaseException:  # also where the window was closed before the end: a later import begins anew
        if sys.modules.get(name) is module:
            del sys.modules[name]
        raise
