"""What binding and measuring take beside the table, each in its share.

Models take at most one copy of it and three Gram matrices; neighbours, whose rows stand side by side with weights and
filled values for each of 50 fits, more of a table as wide as this one.

Compiled code allocates outside of what tracemalloc sees, so a fresh process reads its own high-water mark. Freed memory
goes back to the system at once there, or what was freed before would hide what is taken.
"""

import json
import os
import subprocess
import sys

import pytest

ROWS, COLUMNS = 104, 10_000  # 8 MB
# What is held once bound, and what one measurement takes, in tables: less than a copy more, in whatever precision.
SHARES = {
    "nn fold": (0.45, 1.7),
    "nn fold manhattan": (0.45, 2.2),
    "nn fold cosine gaps": (0.7, 4.5),
    "nn fold gaps": (0.7, 3.2),
    "nn fold min-max": (0.45, 2.2),
    "nn fold k=5 gaps": (0.7, 3.2),
    "cart fold": (0.95, 0.7),
    "cart fold gaps loo": (1.1, 0.8),
    "nn fold loo": (0.45, 1.7),
    "nn fold gaps loo": (0.7, 3.3),
    "c45 fold": (0.75, 0.6),  # of this .07 is room behind the list of each column, of so few rows, for whole vectors
    "c45 fold gaps": (0.75, 0.7),
    "svm fold": (0.45, 1.0),
    "svm once": (0.7, 0.4),
    "svm fold gaps": (0.7, 1.0),
    "svm fold squared": (0.45, 0.8),
    "svm fold cost=100 gaps": (0.7, 0.8),
    "svm fold loo": (0.45, 1.0),
    "svm fold gaps loo": (0.7, 1.0),
    # Filled once, over all rows, as they are read.
    "nn once gaps": (0.3, 0.2),
    "nn once gaps twice": (0.3, 0.3),
    "nn once gaps manhattan": (0.3, 0.3),
    "svm once gaps": (0.3, 0.3),
    "svm once gaps twice": (0.3, 0.5),
    "nb once gaps": (0.3, 0.5),
    "nb once gaps twice": (0.3, 0.9),
    "cart once gaps": (0.8, 0.5),
    "cart once gaps twice": (0.8, 1.0),
    "c45 once gaps": (0.8, 0.7),
    "c45 once gaps twice": (0.8, 1.4),
    "nb fold gaps": (0.7, 0.8),
    "nb fold loo": (0.45, 1.0),
    "nb fold gaps loo": (0.7, 1.0),
}
# Each takes a way of its own through the memory; --exhaustive measures the others too.
ASKED = [
    *("nn fold", "nn fold cosine gaps", "nn fold gaps", "nn fold gaps loo", "nn once gaps twice"),
    *("cart fold", "cart fold gaps loo", "cart once gaps twice", "c45 fold gaps", "c45 once gaps twice"),
    *("svm fold", "svm fold gaps loo", "svm fold squared", "svm once", "svm once gaps twice"),
    *("nb fold gaps", "nb fold loo", "nb once gaps twice"),
]
# A table longer than wide, where Gram matrices are most of what is taken.
NARROW = 500, 170
ASKED_OF_NARROW = [
    *("svm fold squared", "svm once squared", "svm fold squared gaps"),
    *("svm fold squared gaps loo", "svm fold cost=100"),
]
SCRIPT = """
import ctypes, gc, json, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from fsdesk.data import Dataset
from fsdesk.measure import Evaluator
from fsdesk.wrappers import WRAPPERS

SETTINGS = {
    "manhattan": {"distance": "manhattan"},
    "cosine": {"distance": "cosine"},
    "cost=100": {"cost": 100.0},
    "squared": {"loss": "squared hinge"},
    "k=5": {"k": 5, "weights": "distance"},
    "min-max": {},
    "gaps": {},
    "loo": {},
    "twice": {},
}
FOLDS, ONE_OUT = dict(protocol="folds", folds=5), dict(protocol="leave-one-out", repeats=1)

def status(field):
    lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(lines[field].split()[0]) * 1024

def held():
    (line,) = (line for line in open("/proc/self/smaps_rollup") if line.startswith("Rss:"))
    return int(line.split()[1]) * 1024  # page by page: the count in "status" is behind

def begin_anew():
    open("/proc/self/clear_refs", "w").write("5")  # the high-water mark is what is held now
    return status("VmRSS")

def data(n, p, gaps):
    rng, target = np.random.default_rng(0), np.arange(n) % 3
    x = np.empty((n, p), order="F")
    for place in range(p):
        x[:, place] = rng.normal(size=n) + 0.5 * target
        x[rng.permutation(n)[:gaps], place] = np.nan
    return Dataset("made", x, tuple(map(str, range(p))), target, "y", ("a", "b", "c"), ("",) * n)

n, p, few, narrow = map(int, sys.argv[1:5])
tables = {gaps: (data(n, p, gaps), data(few, narrow, min(gaps, few // 20))) for gaps in (0, n // 20)}
taken = {}
for case in sys.argv[5:]:
    name, scaling, *named = case.split()
    wrapper = WRAPPERS[name].build({key: value for each in named for key, value in SETTINGS[each].items()})
    settings = dict(scaling=scaling, repeats=2 if name in ("cart", "c45") else 10)
    settings |= ONE_OUT if "loo" in named else FOLDS
    settings["scaler"] = "min-max" if "min-max" in named else "z-score"
    large, small = tables[n // 20 if "gaps" in named else 0]
    Evaluator(small, wrapper, **settings).measure(np.ones(narrow, dtype=bool))  # loads what is compiled
    gc.collect()  # what compiling leaves
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    before = held()
    evaluator = Evaluator(large, wrapper, **settings)
    kept, bound = held() - before, begin_anew()
    if "twice" in named:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda number: evaluator.measure(np.ones(p, dtype=bool), number), range(2)))
    else:
        evaluator.measure(np.ones(p, dtype=bool))
    taken[case] = kept, status("VmHWM") - bound
    del evaluator
print(json.dumps(taken))
"""


def taken_by(table, small, cases):
    """Bytes that are held once bound, and that a measurement takes more, of each case; a small table goes first."""
    at_once = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    as_asked = {"NUMPY_MADVISE_HUGEPAGE": "0"}  # else arrays take pages of 2 MB, as many as the system has to spare
    environment = {**os.environ, **at_once, **as_asked, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", SCRIPT, *map(str, (*table, *small)), *cases]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", _asked(metafunc.config, metafunc.function))


def _asked(config, test):
    cases = SHARES if config.getoption("exhaustive") else ASKED
    if test is test_a_wide_table_is_not_copied_and_a_measurement_takes_no_more_than_its_share:
        return list(cases)
    return [case for case in cases if "once gaps" in case and case not in ("cart once gaps", "c45 once gaps")]


@pytest.fixture(scope="module")
def taken(pytestconfig):
    """What the wide table takes."""
    return taken_by((ROWS, COLUMNS), (ROWS, 10 * ROWS), SHARES if pytestconfig.getoption("exhaustive") else ASKED)


@pytest.mark.timeout(900)  # the first one waits for all cases, and for five models that may have to be compiled
@pytest.mark.skipif(sys.platform != "linux", reason="the high-water mark is read from /proc")
def test_a_wide_table_is_not_copied_and_a_measurement_takes_no_more_than_its_share(taken, case):
    table = 8 * ROWS * COLUMNS
    held, measured = taken[case]
    threads = 2 if "twice" in case else 1
    if not case.startswith("nn fold"):
        assert measured <= threads * (table + 8 * 3 * ROWS**2)
    assert held <= SHARES[case][0] * table
    assert measured <= SHARES[case][1] * table


@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="the high-water mark is read from /proc")
def test_gaps_filled_once_leave_what_is_held_and_what_each_thread_takes_within_the_limit_of_the_threads(taken, case):
    threads = 2 if "twice" in case else 1
    assert sum(taken[case]) <= threads * (8 * ROWS * COLUMNS + 8 * 3 * ROWS**2)


@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="the high-water mark is read from /proc")
def test_a_measurement_of_a_narrow_table_takes_no_more_than_it_and_three_gram_matrices():
    n, p = NARROW
    for case, (_, measured) in taken_by(NARROW, (n // 8, p // 8), ASKED_OF_NARROW).items():
        assert measured <= 8 * (n * p + 3 * n * n), case
