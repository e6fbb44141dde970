"""Filters: a score for each feature without the wrapper, to rank features or narrow a wide table before a search.

They use every row that they are given: for an unbiased estimate they are computed inside the outer fold, and the search
error after a filter is more optimistic than without.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import events_of, martingale_residuals
from fsdesk.kernels import _core
from fsdesk.measure.cox_path import cox_l1_path
from fsdesk.measure.design import design_of
from fsdesk.measure.resamples import rows_of
from fsdesk.wrappers.scikit_learn import ONE_AT_A_TIME, on_one_thread, without_warnings

FilterName = Literal["f", "mutual information", "relieff", "mrmr", "l1", "forest", "rfe", "significance", "shadows"]

_NEIGHBOURS = 10  # ReliefF's k (Kononenko 1994)
_MOST_ASKED = 1000  # with more rows, neighbors are computed for a fixed random part
_MOST_ROWS = 5000  # with more rows, all filters but F use this many, evenly spread over the classes
_SEED = 0
_MRMR_POOL, _MRMR_TAKEN = 2000, 200  # candidate features, the best by F, and how many of them are ranked
_LINEAR_POOL = 5000  # features used by a linear model, the best by F
_L1_STEPS, _L1_TAKEN = 12, 200  # penalties, and number of features in the model at which the path ends
_L1_LEAST = 3e-3  # relative to the first penalty; the path ends here at the latest
_TREES = 300
_TREES_AT_ONCE = 30  # number of trees whose importances are in memory at once
_ROUNDS = 10  # forests with shadow features
_LEAST_Q = 1e-300

Floats = NDArray[np.float64]


def filter_scores(dataset: Dataset, name: FilterName, threads: int = 1) -> Floats:
    """(p,) finite scores, larger is better; missing values are imputed from all rows (median or most common category).

    "f": the F statistic of an analysis of variance, or of a linear regression for a numeric target, or the statistic of
    Cox's score test; a nominal feature gets the largest of its indicators. For all filters except "l1", times to an
    event are replaced by their residuals: see :func:`with_residuals`. "mutual information": Kraskov et al. (2004) and
    Ross (2014), as in scikit-learn. "relieff": Kononenko (1994), RReliefF of Robnik-Sikonja & Kononenko (1997) for a
    numeric target. "mrmr": F divided by the mean absolute correlation with the features already taken (Ding & Peng
    2005; the quotient of Zhao, Anand & Wang 2019). "l1": the earlier a feature enters the path of a linear model with
    an L1 penalty, the better (a support vector machine; a lasso for a numeric target; Cox regression for times to an
    event). "forest": importance in extremely randomized trees (Geurts, Ernst & Wehenkel 2006). "rfe": the later a
    feature is eliminated by its weight in a linear model, the better (Guyon et al. 2002). "significance": -log10 of the
    q value, i.e. F's p value adjusted by the false discovery rate of Benjamini & Hochberg (1995). "shadows": the
    fraction of forests in which a feature is more important than every shadow feature, i.e. a feature with shuffled
    rows (Kursa & Rudnicki 2010). All but F and its significance use 5,000 rows of longer tables. Forests are grown in
    ``threads`` threads, with identical scores.
    """
    if name not in ("f", "significance") and len(dataset.target) > _MOST_ROWS:
        dataset = rows_of(dataset, _some_rows(dataset))
    design = design_of(dataset, "once")
    columns = design.filled(slice(None))
    if dataset.event and name not in ("f", "significance", "l1"):
        dataset = with_residuals(dataset)
    if dataset.event and name != "l1":
        scores = _by_score_test(columns, dataset, name)
    elif name == "relieff":
        scores = _relieff(columns, dataset)
    elif name in _FORESTS:
        scores = _FORESTS[name](columns, dataset, threads)
    elif name in _RANKERS:
        scores = _RANKERS[name](columns, dataset)
    else:
        scores = _by_scikit_learn(columns, design.nominal, dataset, name)
    best = np.full(len(dataset.features), -np.inf)
    np.maximum.at(best, design.owner, np.nan_to_num(scores, nan=0.0, posinf=np.finfo(np.float64).max))
    return best


def with_residuals(dataset: Dataset) -> Dataset:
    """Convert times to an event to numbers: each row's excess of events over the expectation from all rows.

    These are the deviance residuals of Cox's model without features (T. M. Therneau, P. M. Grambsch and T. R. Fleming,
    Biometrika 77, 1990), with which lasso and trees rank features for survival: M. R. Segal, Biostatistics 7 (2006).
    """
    assert dataset.response is not None
    martingale, events = martingale_residuals(dataset.response), events_of(dataset.response)
    squares = -2.0 * (martingale + np.where(events, np.log(np.maximum(1.0 - martingale, 1e-300)), 0.0))
    deviance = np.sign(martingale) * np.sqrt(np.maximum(squares, 0.0))
    return replace(dataset, response=deviance, target=np.zeros_like(dataset.target), event="")


def _by_score_test(columns: Floats, dataset: Dataset, name: FilterName) -> Floats:
    """Chi-squared statistics of Cox's score tests of single features, or their significance."""
    from scipy.special import chdtrc

    assert dataset.response is not None
    squares, _ = _core.cox_scores(np.ascontiguousarray(columns), np.ascontiguousarray(dataset.response))
    return squares if name == "f" else _significance(np.asarray(chdtrc(1, squares), dtype=np.float64))


def _some_rows(dataset: Dataset) -> NDArray[np.int64]:
    """Ascending indices of the rows used by filters: evenly spaced over rows sorted by class, random within a class."""
    n = len(dataset.target)
    shuffled = np.random.default_rng(_SEED).permutation(n)
    order = shuffled[np.argsort(dataset.target[shuffled], kind="stable")]
    return np.sort(order[np.arange(_MOST_ROWS) * n // _MOST_ROWS])


def _by_scikit_learn(columns: Floats, nominal: NDArray[np.bool_], dataset: Dataset, name: FilterName) -> Floats:
    from sklearn import feature_selection as known

    x, y = columns.T, dataset.target if dataset.response is None else dataset.response
    with without_warnings(), on_one_thread(), np.errstate(all="ignore"):  # for constant columns: their score is 0
        if name in ("f", "significance"):
            score = known.f_classif if dataset.response is None else known.f_regression
            f, p = score(x, y)
            return np.asarray(f, dtype=np.float64) if name == "f" else _significance(np.asarray(p, dtype=np.float64))
        score = known.mutual_info_classif if dataset.response is None else known.mutual_info_regression
        return np.asarray(score(x, y, discrete_features=nominal, random_state=_SEED), dtype=np.float64)


def _significance(p: Floats) -> Floats:
    """-log10 of q values, from p values; 0 for columns without one."""
    from scipy.stats import false_discovery_control

    q = false_discovery_control(np.nan_to_num(p, nan=1.0))
    return np.asarray(-np.log10(np.clip(q, _LEAST_Q, 1.0)) + 0.0)


def _relieff(columns: Floats, dataset: Dataset) -> Floats:
    """Mean difference to the nearest rows of other classes minus that to those of the same class, after scaling."""
    from scipy.spatial.distance import cdist

    low = columns.min(axis=1, keepdims=True)
    spread = columns.max(axis=1, keepdims=True) - low
    x = np.ascontiguousarray(((columns - low) / np.where(spread > 0, spread, 1.0)).T)
    n = len(x)
    asked = np.sort(np.random.default_rng(_SEED).permutation(n)[:_MOST_ASKED])
    distances = cdist(x[asked], x, "cityblock")
    distances[np.arange(len(asked)), asked] = np.inf
    if dataset.response is not None:
        return _for_numbers(x, dataset.response, asked, distances)
    target, weights = dataset.target, np.zeros(x.shape[1])
    share = np.bincount(target) / n
    classes = [(code, np.flatnonzero(target == code)) for code in np.unique(target)]
    for place, row in enumerate(asked):
        known = np.isfinite(distances[place])
        for code, rows in classes:
            near = _nearest(distances[place], rows[known[rows]])
            if not len(near):
                continue
            difference = np.abs(x[near] - x[row]).mean(axis=0)
            own = code == target[row]
            weights += -difference if own else share[code] / (1.0 - share[target[row]]) * difference
    return np.asarray(weights / len(asked))


def _nearest(distances: Floats, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nearest of these rows, by distance; if distances are equal, the earlier row comes first."""
    own = distances[rows]
    if len(rows) > _NEIGHBOURS:  # only those that may be among them are sorted
        may_be = ~(own > np.partition(own, _NEIGHBOURS - 1)[_NEIGHBOURS - 1])  # including those without a distance
        rows, own = rows[may_be], own[may_be]
    return np.asarray(rows[np.argsort(own, kind="stable")[:_NEIGHBOURS]])


def _for_numbers(x: Floats, response: Floats, asked: NDArray[np.int64], distances: Floats) -> Floats:
    """RReliefF: probability that rows differ in a feature if their responses differ, minus that if they do not."""
    spread, n = response.max() - response.min(), len(x)
    apart, together, total = np.zeros(x.shape[1]), np.zeros(x.shape[1]), 0.0
    rows = np.arange(n)
    for place, row in enumerate(asked):
        near = _nearest(distances[place], rows)[: n - 1]
        moved = np.abs(response[near] - response[row]) / (spread or 1.0) / len(near)
        difference = np.abs(x[near] - x[row])
        apart += moved @ difference
        together += difference.mean(axis=0)
        total += moved.sum()
    if not 0.0 < total < len(asked):
        return np.zeros(x.shape[1])
    return apart / total - (together - apart) / (len(asked) - total)


def _f(columns: Floats, dataset: Dataset) -> Floats:
    """(q,) finite F statistics, or those of Cox's score tests."""
    if dataset.event:
        return _by_score_test(columns, dataset, "f")
    scores = _by_scikit_learn(columns, np.zeros(len(columns), dtype=np.bool_), dataset, "f")
    return np.nan_to_num(scores, nan=0.0, posinf=np.finfo(np.float64).max)


def _standardised(columns: Floats) -> Floats:
    """Columns standardized to mean 0 and standard deviation 1; 0 if constant."""
    with np.errstate(all="ignore"):
        off = columns - columns.mean(axis=1, keepdims=True)
        deviation = off.std(axis=1, keepdims=True)
        return np.where(deviation > 0, off / np.where(deviation > 0, deviation, 1.0), 0.0)


def _in_order(order: NDArray[np.int64], scores: Floats) -> Floats:
    """Scores that put ``order`` first, followed by the others in the order of ``scores``."""
    others = np.setdiff1d(np.argsort(-scores, kind="stable"), order, assume_unique=True)
    behind = others[np.argsort(-scores[others], kind="stable")]
    ranked = np.empty(len(scores))
    ranked[np.concatenate([order, behind])] = np.arange(len(scores), 0, -1.0)
    return ranked


def _mrmr(columns: Floats, dataset: Dataset) -> Floats:
    relevance = _f(columns, dataset)
    pool = np.argsort(-relevance, kind="stable")[:_MRMR_POOL]
    x = _standardised(columns[pool]) / np.sqrt(columns.shape[1])
    own, redundancy = relevance[pool], np.zeros(len(pool))
    left, chosen = np.ones(len(pool), dtype=np.bool_), list[int]()
    for taken in range(min(_MRMR_TAKEN, len(pool))):
        with np.errstate(over="ignore"):  # columns that determine the class of every row
            quotient = own / np.maximum(redundancy / taken, 1e-3) if taken else own
        place = int(np.argmax(np.where(left, quotient, -np.inf)))
        chosen.append(place)
        left[place] = False
        redundancy += np.abs(x @ x[place])
    return _in_order(pool[chosen], relevance)


def _l1(columns: Floats, dataset: Dataset) -> Floats:
    relevance = _f(columns, dataset)
    if _is_of_one_class(dataset):
        return relevance
    pool = np.sort(np.argsort(-relevance, kind="stable")[:_LINEAR_POOL])
    x = _standardised(columns[pool]).T
    entered = np.full(len(pool), np.inf)
    for step, size in enumerate(_l1_sizes(x, dataset)):
        is_new = (size > 0) & np.isinf(entered)
        entered[is_new] = step - size[is_new] / (1.0 + size.max())  # if several enter, the larger first
        if np.isfinite(entered).sum() >= _L1_TAKEN:
            break
    order = np.argsort(entered, kind="stable")[: int(np.isfinite(entered).sum())]
    return _in_order(pool[order], relevance)


def _l1_sizes(x: Floats, dataset: Dataset) -> Iterator[Floats]:
    """(q,) largest absolute weight of each column, for decreasing penalties."""
    from sklearn.linear_model import lasso_path
    from sklearn.svm import LinearSVC, l1_min_c

    if dataset.event and dataset.response is not None:
        events = int(events_of(dataset.response).sum())
        for point in cox_l1_path(x, dataset.response, 3 * _L1_STEPS, _L1_LEAST):
            yield np.abs(point.weights)
            if np.count_nonzero(point.weights) >= events:  # later entries are noise
                return
        return
    with without_warnings():  # an approximate path ranks the features just as well
        if dataset.response is not None:
            y = dataset.response - dataset.response.mean()
            yield from np.abs(lasso_path(x, y, eps=_L1_LEAST, n_alphas=3 * _L1_STEPS)[1]).T
            return
        least = l1_min_c(x, dataset.target, loss="squared_hinge")
        for penalty in least * np.logspace(0.1, 2.5, _L1_STEPS):
            model = LinearSVC(penalty="l1", dual=False, C=penalty, tol=1e-3, max_iter=300, random_state=_SEED)
            with ONE_AT_A_TIME:
                model.fit(x, dataset.target)
            yield np.abs(model.coef_).max(axis=0)


def _forest(columns: Floats, dataset: Dataset, threads: int) -> Floats:
    return _importances(_single(columns), dataset, _SEED, threads)


def _single(columns: Floats) -> NDArray[np.float32]:
    """Finite values in single precision, as used by trees."""
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(np.nan_to_num(columns.astype(np.float32)))


def _importances(columns: NDArray[np.float32], dataset: Dataset, seed: int, threads: int) -> Floats:
    """(q,) importance of each column of (q, n) in extremely randomized trees, identical to scikit-learn's."""
    if dataset.response is not None:
        from sklearn.ensemble import ExtraTreesRegressor

        model = ExtraTreesRegressor(_TREES, random_state=seed, max_features="sqrt", n_jobs=threads)
        return np.asarray(model.fit(columns.T, dataset.response).feature_importances_, dtype=np.float64)
    target = np.ascontiguousarray(dataset.target)
    most, classes = max(1, int(np.sqrt(len(columns)))), int(target.max()) + 1
    importance = np.zeros(len(columns))
    for states in np.split(_states(seed), _TREES // _TREES_AT_ONCE):
        found = _core.forest_importances(columns, target, classes=classes, states=states, most=most, threads=threads)
        size = found.sum(axis=1, keepdims=True)
        np.divide(found, size, out=found, where=size > 0)
        for each in found:  # one by one, in the order in which the mean adds them
            importance += each
    importance /= _TREES
    return np.asarray(importance / (importance.sum() or 1.0))


@lru_cache(maxsize=_ROUNDS)
def _states(seed: int) -> NDArray[np.uint32]:
    """Random states of the trees, drawn as in scikit-learn."""
    random, most = np.random.RandomState(seed), np.iinfo(np.int32).max
    return np.array([np.random.RandomState(random.randint(most)).randint(most) for _ in range(_TREES)], np.uint32)


def _shadows(columns: Floats, dataset: Dataset, threads: int) -> Floats:
    rng = np.random.default_rng(_SEED)
    q, n = columns.shape
    both = np.empty((2 * q, n), dtype=np.float32)
    both[:q] = _single(columns)
    hits = np.zeros(q)
    for round_ in range(_ROUNDS):
        both[q:] = rng.permuted(both[:q].T, axis=0).T
        found = _importances(both, dataset, round_, threads)
        hits += found[:q] > found[q:].max()
    return np.asarray(hits / _ROUNDS)


def _is_of_one_class(dataset: Dataset) -> bool:
    """Whether all rows are of one class, which can happen with few rows; a linear model cannot be trained on them."""
    return dataset.response is None and len(np.unique(dataset.target)) < 2


def _rfe(columns: Floats, dataset: Dataset) -> Floats:
    from sklearn.linear_model import Ridge
    from sklearn.svm import LinearSVC

    relevance = _f(columns, dataset)
    if _is_of_one_class(dataset):
        return relevance
    left = np.sort(np.argsort(-relevance, kind="stable")[:_LINEAR_POOL])
    x = _standardised(columns).T
    order = list[int]()
    with without_warnings(), on_one_thread():
        while len(left) > 1:
            if dataset.response is None:
                model = LinearSVC(C=0.1, tol=1e-3, max_iter=300, random_state=_SEED)
                with ONE_AT_A_TIME:
                    model.fit(x[:, left], dataset.target)
            else:
                model = Ridge(1.0).fit(x[:, left], dataset.response)
            size = np.abs(np.atleast_2d(model.coef_)).max(axis=0)
            out = np.argsort(size, kind="stable")[: max(1, len(left) // 8)]
            order += left[out].tolist()
            left = np.delete(left, out)
    return _in_order(np.array([*left.tolist(), *order[::-1]], dtype=np.int64), relevance)


_FORESTS: Mapping[str, Callable[[Floats, Dataset, int], Floats]] = {"forest": _forest, "shadows": _shadows}
_RANKERS: Mapping[str, Callable[[Floats, Dataset], Floats]] = {
    "mrmr": _mrmr,
    "l1": _l1,
    "rfe": _rfe,
}
