"""The compiled kernels; each is documented in the .cpp file named in the heading; arguments are checked in module.cpp.

Arrays are never converted: another dtype, number of dimensions or memory order is a TypeError; inconsistent sizes,
and codes or indices out of range, are a ValueError. ``threads`` work on the parts of a batch; results do not depend on
their number. Work ends with ``Stopped`` soon after the single value of ``stop`` becomes nonzero, or the function set by
``give_up_when`` returns True, and with any exception raised by a Python signal handler.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

level: str
"""The processor level used by kernels: "v2", "v3", "v4" of x86-64, else "base". FSDESK_CPU can request a lower one."""
levels: tuple[str, ...]
"""The levels that were built."""

class Stopped(Exception):  # noqa: N818 - not an error
    """Work was abandoned on request."""

def give_up_when(asked: Callable[[], bool] | None) -> None:
    """Set a function that kernels of this thread call a few times a second to check whether to stop; None: no check."""

def give_up_if_asked() -> None:
    """Raise Stopped if this thread should stop: for long work between kernels."""

# folds.cpp

def pcg64_words(hashed: NDArray[np.uint64], number: int, count: int) -> NDArray[np.uint64]: ...
def shuffled(
    hashed: NDArray[np.uint64], number: int, target: NDArray[np.int64], repeats: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]: ...
def fold_labels(
    hashed: NDArray[np.uint64],
    numbers: NDArray[np.int64],
    target: NDArray[np.int64],
    repeats: int,
    folds: int,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.int64]: ...

# criteria.cpp

def error_rates(
    predicted: NDArray[np.int64], target: NDArray[np.int64], labels: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def one_vs_rest_areas(
    scores: NDArray[np.float64], target: NDArray[np.int64], labels: NDArray[np.int64], folds: int
) -> NDArray[np.float64]: ...
def one_vs_one_areas(
    scores: NDArray[np.float64], target: NDArray[np.int64], labels: NDArray[np.int64], folds: int
) -> NDArray[np.float64]: ...

# votes.cpp

def majority(neighbours: NDArray[np.int64], target: NDArray[np.int64], classes: int) -> NDArray[np.int64]: ...
def vote_weights(distances: NDArray[np.float64]) -> NDArray[np.float64]: ...
def votes(
    neighbours: NDArray[np.int64], weights: NDArray[np.float64], target: NDArray[np.int64], classes: int
) -> NDArray[np.float64]: ...
def averages(
    neighbours: NDArray[np.int64], weights: NDArray[np.float64], response: NDArray[np.float64]
) -> NDArray[np.float64]: ...

# bayes.cpp

def bayes_likelihoods(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    fill: NDArray[np.float64],
    once: NDArray[np.float64],
    unit: NDArray[np.float64],
    smoothing: float,
    balanced: bool = False,
    normalised: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...
def bayes_errors(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    fill: NDArray[np.float64],
    once: NDArray[np.float64],
    unit: NDArray[np.float64],
    smoothing: float,
    balanced: bool = False,
    margins: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...

# cart.cpp

def cart_order(
    columns: NDArray[np.float64],
    once: NDArray[np.float64],
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]: ...
def cart_predictions(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    order: NDArray[np.uint8],
    has_gaps: NDArray[np.uint8],
    fill: NDArray[np.float64],
    once: NDArray[np.float64],
    response: NDArray[np.float64],
    impurity: str,
    max_depth: int,
    min_leaf: int,
    min_split: int,
    balanced: bool = False,
    numbers: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def cart_errors(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    order: NDArray[np.uint8],
    has_gaps: NDArray[np.uint8],
    fill: NDArray[np.float64],
    once: NDArray[np.float64],
    impurity: str,
    max_depth: int,
    min_leaf: int,
    min_split: int,
    balanced: bool = False,
    margins: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def cart_tree(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    classes: int,
    *,
    order: NDArray[np.uint8],
    has_gaps: NDArray[np.uint8],
    fill: NDArray[np.float64],
    once: NDArray[np.float64],
    response: NDArray[np.float64],
    impurity: str,
    max_depth: int,
    min_leaf: int,
    min_split: int,
    balanced: bool = False,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
]: ...

# c45.cpp

class C45Table:
    def __init__(
        self,
        raw: NDArray[np.float64],
        levels: NDArray[np.int64],
        target: NDArray[np.int64],
        classes: int,
        gap: float,
        threads: int = 1,
    ) -> None: ...

def c45_answers(
    table: C45Table,
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    *,
    min_rows: float,
    pruned: bool,
    raising: bool,
    confidence: float,
    quantile: float,
    balanced: bool = False,
    smoothed: bool = False,
    shares: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def c45_errors(
    table: C45Table,
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    *,
    min_rows: float,
    pruned: bool,
    raising: bool,
    confidence: float,
    quantile: float,
    balanced: bool = False,
    smoothed: bool = False,
    margins: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def c45_tree(
    table: C45Table,
    chosen: NDArray[np.int32],
    labels: NDArray[np.int64],
    *,
    min_rows: float,
    pruned: bool,
    raising: bool,
    confidence: float,
    quantile: float,
    balanced: bool = False,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.float64],
]: ...
def c45_leaf_errors(counts: NDArray[np.float64], confidence: float, quantile: float) -> float: ...

# forest.cpp

def forest_importances(
    columns: NDArray[np.float32],
    target: NDArray[np.int64],
    *,
    classes: int,
    states: NDArray[np.uint32],
    most: int,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...
def forest_fits(
    train: NDArray[np.float64],
    target: NDArray[np.int64],
    response: NDArray[np.float64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    classes: int,
    states: NDArray[np.uint32],
    most: NDArray[np.int64],
    balanced: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# radial.cpp

def radial_fits(
    train: NDArray[np.float64],
    target: NDArray[np.int64],
    response: NDArray[np.float64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    classes: int,
    costs: NDArray[np.float64],
    gammas: NDArray[np.float64],
    epsilon: float = 0.1,
    tolerance: float = 1e-3,
    balanced: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# small_fits.cpp

def nn_errors(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    splits: NDArray[np.int8],
    split_of: NDArray[np.int64],
    *,
    fill: NDArray[np.float64] | None = None,
    scaling: str = "fold",
    predict: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int16]]: ...
def nn_margins(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    splits: NDArray[np.int8],
    split_of: NDArray[np.int64],
    *,
    fill: NDArray[np.float64] | None = None,
    scaling: str = "fold",
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# scales.cpp

def fill_gaps(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    *,
    group: NDArray[np.int64],
    nominal: NDArray[np.bool_],
    variances: bool = True,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def training_variances(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int64],
    mean: NDArray[np.float64],
    deviation: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...
def training_scales(
    columns: NDArray[np.float64],
    chosen: NDArray[np.int64],
    fill: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
    scaler: str,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

# neighbours.cpp

def nn_neighbours(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    *,
    k: int,
    distance: int,
    learns: bool,
    measures: bool,
    known: NDArray[np.float64],
    has_gaps: NDArray[np.uint8],
    weights: NDArray[np.float64],
    location: NDArray[np.float64],
    fill: NDArray[np.float64],
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def nn_error_rates(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    k: int,
    distance: int,
    learns: bool,
    known: NDArray[np.float64],
    has_gaps: NDArray[np.uint8],
    weights: NDArray[np.float64],
    location: NDArray[np.float64],
    fill: NDArray[np.float64],
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# svm.cpp

def svm_decisions(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    known: NDArray[np.float64],
    has_gaps: NDArray[np.bool_],
    group: NDArray[np.int64],
    nominal: NDArray[np.bool_],
    response: NDArray[np.float64],
    scaling: str,
    scaler: str,
    cost: float,
    epsilon: float,
    tolerance: float,
    loss: str,
    balanced: bool,
    sums: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def svm_errors(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    folds_of: NDArray[np.int64],
    folds: int,
    classes: int,
    *,
    known: NDArray[np.float64],
    has_gaps: NDArray[np.bool_],
    group: NDArray[np.int64],
    nominal: NDArray[np.bool_],
    scaling: str,
    scaler: str,
    cost: float,
    tolerance: float,
    loss: str,
    balanced: bool,
    margins: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def svm_fits(
    columns: NDArray[np.float64],
    target: NDArray[np.int64],
    chosen: NDArray[np.int32],
    offsets: NDArray[np.int64],
    labels: NDArray[np.int64],
    classes: int,
    *,
    known: NDArray[np.float64],
    has_gaps: NDArray[np.bool_],
    group: NDArray[np.int64],
    nominal: NDArray[np.bool_],
    response: NDArray[np.float64],
    costs: NDArray[np.float64],
    epsilon: float,
    tolerance: float,
    loss: str,
    balanced: bool,
    sums: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def svm_dual(
    gram: NDArray[np.float64],
    y: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    rate: NDArray[np.float64],
    *,
    epsilon: float,
    tolerance: float,
    has_bias: bool,
    shift: float,
    ridge: NDArray[np.float64],
    most: int,
    start: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float, int]: ...
def svm_primal(
    columns: NDArray[np.float64],
    y: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    rate: NDArray[np.float64],
    *,
    epsilon: float,
    tolerance: float,
    penalty: NDArray[np.float64],
    pull: NDArray[np.float64],
    size: float,
    sigma: float,
    growth: float,
    most: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int]: ...

# logistic.cpp

def logistic_fits(
    train: NDArray[np.float64],
    y: NDArray[np.int64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    classes: int,
    *,
    costs: NDArray[np.float64],
    balanced: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# cox.cpp; y: (n,) times, negative if censored; or (n, 2) with the entry times

def cox_fits(
    train: NDArray[np.float64],
    y: NDArray[np.float64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    alphas: NDArray[np.float64],
    efron: bool = True,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...
def cox_residuals(
    f: NDArray[np.float64], y: NDArray[np.float64], *, efron: bool = True
) -> tuple[float, NDArray[np.float64]]: ...
def cox_scores(
    columns: NDArray[np.float64],
    y: NDArray[np.float64],
    *,
    efron: bool = True,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

# concordance.cpp

def concordances(
    risks: NDArray[np.float64],
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    labels: NDArray[np.int64],
    folds: int,
) -> NDArray[np.float64]: ...
def survival_neighbours(
    train: NDArray[np.float64],
    y: NDArray[np.float64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    weights: NDArray[np.float64],
    k: int,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# survival_forest.cpp

def survival_forest(
    train: NDArray[np.float64],
    y: NDArray[np.float64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    weights: NDArray[np.float64],
    states: NDArray[np.uint64],
    most: NDArray[np.int64],
    leaf: int,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

# linear_fits.cpp

def ridge_fits(
    train: NDArray[np.float64],
    responses: NDArray[np.float64],
    weights: NDArray[np.float64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    alphas: NDArray[np.float64],
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...
def discriminant_fits(
    train: NDArray[np.float64],
    y: NDArray[np.int64],
    test: NDArray[np.float64],
    features: NDArray[np.int32],
    offsets: NDArray[np.int64],
    classes: int,
    *,
    shrinkages: NDArray[np.float64],
    balanced: bool = False,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...
