"""Preparing a model compiles what its measurements need, whatever the table, and nothing else."""

import json
import subprocess
import sys
import threading

from numba.core import event as numba_event

from fsdesk.engine.tasks import Compiling, _saying_if_it_compiles

# In a process of its own, where nothing has been called before. What was compiled earlier is loaded when it is called.
SCRIPT = """
import importlib, json, pkgutil, sys
import numpy as np
import fsdesk.kernels
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral
from fsdesk.data import Dataset
from fsdesk.engine.control import Control
from fsdesk.engine.tasks import warm_task
from fsdesk.kernels.compiling import told_when_compiling
from fsdesk.measure import Evaluator

class Never(Control):
    def __init__(self): pass
    def should_stop(self): return False

def measure(wrapper, rows, columns, classes, scaling, gaps, frozen):
    rng = np.random.default_rng(rows)
    x = np.asfortranarray(rng.normal(size=(rows, columns)))
    if gaps:
        x[3, :gaps] = np.nan
    target = np.arange(rows) % classes
    x.setflags(write=not frozen), target.setflags(write=not frozen)
    names = tuple(map(str, range(columns)))
    dataset = Dataset("real", x, names, target, "y", tuple("abcd"[:classes]), ("",) * rows)
    mask = np.ones(columns, dtype=bool)
    mask[-1] = False
    evaluator = Evaluator(dataset, wrapper, repeats=4, folds=5, scaling=scaling)
    evaluator.measure(mask, 1)
    for at_once in (0, 3):  # one by one and in one call, the last one in parts
        evaluator.job([mask] * 3, range(3), at_once, 2).work(lambda: True)

compiled = []
with told_when_compiling(lambda: compiled.append(1)):
    for wrapper in ("nn", "svm", "c45", "cart", "nb"):
        if sys.argv[1] == "warm":
            list(warm_task(Never(), wrapper))
            continue
        for scaling in ("fold", "once"):
            measure(wrapper, 150, 6, 2, scaling, 0, True)
            measure(wrapper, 150, 6, 4, scaling, 0, False)
            measure(wrapper, 1100, 5, 3, scaling, 0, True)
            measure(wrapper, 90, 5, 3, scaling, 1, False)
            measure(wrapper, 90, 5, 3, scaling, 5, False)
            measure(wrapper, 20, 20, 2, scaling, 0, True)
            measure(wrapper, 40, 120, 3, scaling, 0, True)
            measure(wrapper, 40, 700, 2, scaling, 0, True)
            measure(wrapper, 40, 700, 4, scaling, 2, False)

called, twice = {}, []
for module in pkgutil.iter_modules(fsdesk.kernels.__path__):
    loaded = sys.modules.get("fsdesk.kernels." + module.name)
    for name, value in vars(loaded).items() if loaded else ():
        if not isinstance(value, Dispatcher) or value.__module__ != loaded.__name__:
            continue
        # What only compiled functions call is not loaded where those are kept from an earlier time.
        if not value.targetoptions.get("no_cpython_wrapper") and value.signatures:
            called[module.name + "." + name] = sorted(map(str, value.signatures))
        kept = value._cache._cache_file._load_index()
        plain = [tuple(map(unliteral, key[0])) for key in kept]
        if len(plain) > len(set(plain)):
            twice.append(module.name + "." + name)
print(json.dumps([called, twice, len(compiled)]))
"""


def _called(way: str) -> tuple[dict[str, list[str]], list[str], int]:
    """Kernels that Python called, those kept in two versions of which one is for a plain number; how many compiled."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, way], capture_output=True, text=True, check=True)
    called, twice, compiled = json.loads(done.stdout)
    return called, twice, compiled


def test_measurements_of_every_kind_of_table_use_just_the_kernels_that_were_prepared() -> None:
    called, twice, compiled = _called("warm")
    if compiled:  # then kernels know those that they call, too
        called, twice, _ = _called("warm")
    measured, _, compiled = _called("measure")
    assert compiled == 0
    assert called == measured
    assert [name for name, versions in called.items() if len(versions) > 1] == []
    assert not twice, "see compiling.py"


def test_work_that_compiles_says_so_once_before_it_is_done():
    heard, done = threading.Event(), []

    def work():
        for _ in range(2):
            numba_event.broadcast(numba_event.Event("numba:compile", numba_event.EventStatus.START))
        assert heard.wait(30)
        done.append(True)

    messages = _saying_if_it_compiles("nn", work)
    assert next(messages) == Compiling("nn")
    assert done == []
    heard.set()
    assert list(messages) == []
    assert done == [True]
    assert list(_saying_if_it_compiles("nn", lambda: None)) == []
