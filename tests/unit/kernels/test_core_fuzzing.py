"""No argument ends the process, or keeps a kernel from looking at the stop flag: a few hundred mutated calls of each.

More of them, and under AddressSanitizer: `python packaging/sanitize.py border`, or `python -m tests.border_fuzzing`.
"""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fsdesk.kernels import _core
from tests.border_fuzzing import FUNCTIONS, World, arguments, called

ROOT = Path(__file__).resolve().parents[3]
CALLS = 200
FAMILIES = sorted({name.partition("_")[0] for name in FUNCTIONS})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_that_were_not_changed_are_mostly_taken(name):
    ended = Counter(called(name, seed, changes=0) for seed in range(20))
    assert ended["result"] >= 8, ended


@pytest.mark.parametrize("family", FAMILIES)
def test_no_argument_ends_the_process(family):
    names = [name for name in FUNCTIONS if name.partition("_")[0] == family]
    command = [sys.executable, "-m", "tests.border_fuzzing", "--calls", str(CALLS), "--only", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.endswith("done\n"), f"at fault: {done.stdout.splitlines()[-1]}\n{done.stderr[-2000:]}"


def unchanged(name, seed=0):
    return arguments(name, World(np.random.default_rng(seed), name))


@pytest.mark.parametrize(
    ("name", "wrong", "sentence"),
    [
        ("c45_errors", {"quantile": np.nan}, "quantile"),
        ("c45_errors", {"quantile": np.inf}, "quantile"),
        ("c45_errors", {"quantile": -1.0}, "quantile"),
        ("c45_errors", {"min_rows": np.inf}, "min_rows"),
        ("c45_errors", {"folds": 2**31}, "folds"),
        ("c45_leaf_errors", {"quantile": np.nan}, "quantile"),
        ("c45_tree", {"confidence": np.nan}, "confidence"),
        ("C45Table", {"gap": np.nan}, "gap"),
        ("bayes_errors", {"smoothing": np.nan}, "smoothing"),
        ("nn_error_rates", {"k": 2**20}, "k must be"),
        ("nn_error_rates", {"folds": 2**62}, "folds"),
        ("svm_errors", {"folds": 2**62}, "folds"),
        ("svm_errors", {"cost": np.nan}, "cost"),
        ("svm_errors", {"tolerance": np.inf}, "tolerance"),
        ("svm_errors", {"classes": 32768}, "more classes than rows"),
        ("svm_decisions", {"epsilon": np.nan}, "epsilon"),
        ("svm_dual", {"shift": np.nan}, "shift"),
        ("svm_primal", {"growth": np.inf}, "growth"),
        ("one_vs_one_areas", {"folds": 2**31}, "folds"),
        ("training_variances", {"folds": 2**31}, "folds"),
        ("pcg64_words", {"count": 2**31}, "counts"),
        ("shuffled", {"repeats": 2**20}, "repeats"),
        ("fold_labels", {"repeats": 2**40}, "repeats"),
    ],
)
def test_a_number_out_of_bounds_is_a_value_error_that_names_it(name, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        getattr(_core, name)(**{**unchanged(name), **wrong})


@pytest.mark.parametrize("value", [np.inf, -1.0, 1e305])
def test_weights_that_are_none_are_refused(value):
    given = unchanged("nn_neighbours", 3)
    given["learns"] = False
    total, fits = len(given["chosen"]), given["labels"].shape[1] * given["folds"]
    given["weights"] = np.full((total, fits), value)
    given["location"] = np.zeros((total, fits) if given["distance"] == 2 else (0, 0))
    with pytest.raises(ValueError, match="weights must be from 0"):
        _core.nn_neighbours(**given)


def test_columns_whose_squares_are_no_numbers_are_refused():
    given = unchanged("nn_error_rates")
    given["columns"] = np.full_like(given["columns"], 1e200)
    with pytest.raises(ValueError, match="squares"):
        _core.nn_error_rates(**given)


@pytest.mark.parametrize(("name", "folds"), [("one_vs_one_areas", 2_000), ("one_vs_rest_areas", 100_000)])
def test_areas_of_many_folds_stop_when_that_is_asked_for(name, folds):
    rows, classes = 4000, 40
    scores = np.random.default_rng(0).random((1, rows, classes))
    target, labels = np.arange(rows) % classes, np.zeros((1, rows), dtype=np.int64)
    start = time.process_time()
    _core.give_up_when(lambda: time.process_time() - start > 0.2)
    try:
        with pytest.raises(_core.Stopped):
            getattr(_core, name)(scores, target, labels, folds)
    finally:
        _core.give_up_when(None)
    assert time.process_time() - start < 2.0
