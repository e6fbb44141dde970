"""Filters: a score for each feature by itself, to compare with wrappers and to narrow a wide table before a search.

They see every row that they are given: in an honest validation they are computed inside the outer fold, and the search
error after a filter is more optimistic than without.
"""

import warnings
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of

__all__ = ["FilterName", "filter_scores"]

FilterName = Literal["f", "mutual information", "relieff"]

_NEIGHBOURS = 10  # ReliefF's k (Kononenko 1994)
_MOST_ROWS = 1000  # of more rows a fixed random part is asked about its neighbours
_SEED = 0

Floats = NDArray[np.float64]


def filter_scores(dataset: Dataset, name: FilterName) -> Floats:
    """(p,) finite scores, larger is better; gaps are filled from all rows by the median or the most frequent category.

    "f": the F statistic of an analysis of variance, or of a linear regression on a numeric target; a nominal feature
    has the largest of its indicators. "mutual information": Kraskov et al. (2004) and Ross (2014), as in scikit-learn.
    "relieff": Kononenko (1994), RReliefF of Robnik-Sikonja & Kononenko (1997) for a numeric target.
    """
    design = design_of(dataset, "once")
    columns = design.filled(slice(None))
    if name == "relieff":
        scores = _relieff(columns, dataset)
    else:
        scores = _by_scikit_learn(columns, design.nominal, dataset, name)
    best = np.full(len(dataset.features), -np.inf)
    np.maximum.at(best, design.owner, np.nan_to_num(scores, nan=0.0, posinf=np.finfo(np.float64).max))
    return best


def _by_scikit_learn(columns: Floats, nominal: NDArray[np.bool_], dataset: Dataset, name: FilterName) -> Floats:
    from sklearn import feature_selection as known

    x, y = columns.T, dataset.target if dataset.response is None else dataset.response
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # constant columns: their score is 0
        if name == "f":
            score = known.f_classif if dataset.response is None else known.f_regression
            return np.asarray(score(x, y)[0], dtype=np.float64)
        score = known.mutual_info_classif if dataset.response is None else known.mutual_info_regression
        return np.asarray(score(x, y, discrete_features=nominal, random_state=_SEED), dtype=np.float64)


def _relieff(columns: Floats, dataset: Dataset) -> Floats:
    """Mean difference to the nearest rows of other classes less that to those of its own, columns brought to [0, 1]."""
    from scipy.spatial.distance import cdist

    low = columns.min(axis=1, keepdims=True)
    spread = columns.max(axis=1, keepdims=True) - low
    x = ((columns - low) / np.where(spread > 0, spread, 1.0)).T
    n = len(x)
    asked = np.sort(np.random.default_rng(_SEED).permutation(n)[:_MOST_ROWS])
    distances = cdist(x[asked], x, "cityblock")
    distances[np.arange(len(asked)), asked] = np.inf
    if dataset.response is not None:
        return _for_numbers(x, dataset.response, asked, distances)
    target, weights = dataset.target, np.zeros(x.shape[1])
    share = np.bincount(target) / n
    for place, row in enumerate(asked):
        for code in np.unique(target):
            rows = np.flatnonzero((target == code) & np.isfinite(distances[place]))
            if not len(rows):
                continue
            near = rows[np.argsort(distances[place, rows], kind="stable")[:_NEIGHBOURS]]
            difference = np.abs(x[near] - x[row]).mean(axis=0)
            own = code == target[row]
            weights += -difference if own else share[code] / (1.0 - share[target[row]]) * difference
    return np.asarray(weights / len(asked))


def _for_numbers(x: Floats, response: Floats, asked: NDArray[np.int64], distances: Floats) -> Floats:
    """RReliefF: chance that rows differ in a feature given that their responses differ, less that given they do not."""
    spread = response.max() - response.min()
    apart, together, total = np.zeros(x.shape[1]), np.zeros(x.shape[1]), 0.0
    for place, row in enumerate(asked):
        near = np.argsort(distances[place], kind="stable")[: min(_NEIGHBOURS, len(x) - 1)]
        moved = np.abs(response[near] - response[row]) / (spread or 1.0) / len(near)
        difference = np.abs(x[near] - x[row])
        apart += moved @ difference
        together += difference.mean(axis=0)
        total += moved.sum()
    if not 0.0 < total < len(asked):
        return np.zeros(x.shape[1])
    return apart / total - (together - apart) / (len(asked) - total)
