"""fsdesk's own models as scikit-learn estimators, for the last step of an exported pipeline.

scikit-learn has no C4.5, its CART and neighbors break ties between splits or rows differently, and its gamma is not
relative to the spread of the features. These models predict row by row what was measured; they need fsdesk wherever
they are loaded.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.svm import SVC, SVR
from sklearn.utils.validation import check_is_fitted, validate_data

from fsdesk.wrappers.wrapper import Design, Predictor, Wrapper
from fsdesk.wrappers.written import unfitted

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
_LARGEST = 1e150  # largest value whose square does not overflow
_SAME = 1e-6  # C4.5 proportions closer than this are equal, as in J48


def _table(owner: Any, X: Any, *, gaps: bool = False, fits: bool = False) -> Floats:
    """The (n, p) array of the values of a table or frame."""
    allowed = "allow-nan" if gaps else True
    return np.asarray(validate_data(owner, X, dtype=np.float64, ensure_all_finite=allowed, reset=fits))


def _squarable(x: Floats) -> Floats:
    """Return ``x`` unchanged; ValueError if a distance would exceed double precision."""
    if np.abs(x).max(initial=0.0) > _LARGEST:
        raise ValueError("values are too large for distances")
    return x


def _design(columns: Floats, codes: Codes | None, response: Floats | None, classes: int, **others: Any) -> Design:
    """A design from (q, n) columns alone, with class codes or a numeric response."""
    q, n = columns.shape
    none = np.zeros(n, dtype=np.int64)
    return Design(
        columns,
        np.arange(q),
        np.zeros(q, dtype=np.bool_),
        none if codes is None else codes,
        classes,
        others.pop("scaling", "none"),
        response=response,
        **others,
    )


class _Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of classifiers: stores the classes, and their order for breaking ties."""

    order: Sequence[Any] | None

    def _codes(self, y: Any) -> Codes:
        """Learn the classes; (n,) codes of ``y`` in the order for breaking ties."""
        self.classes_ = np.unique(np.asarray(y))
        own = self.classes_.tolist() if self.order is None else list(self.order)
        known = [each for each in own if each in set(self.classes_.tolist())]
        places = {name: place for place, name in enumerate(known)}
        self._columns = np.array([places[name] for name in self.classes_.tolist()])
        return np.array([places[name] for name in np.asarray(y).tolist()], dtype=np.int64)

    def _named(self, codes: Codes) -> NDArray[Any]:
        return np.asarray(self.classes_[np.argsort(self._columns)[codes]])

    def _in_order(self, shares: Floats) -> Floats:
        return np.ascontiguousarray(shares[:, self._columns])


class C45Classifier(_Classifier):
    """A C4.5 release 8 decision tree, identical to those of Weka's J48.

    Parameters
    ----------
    levels
        Number of categories of each column, whose cells are codes 0, 1, ...; 0 for numeric columns. None: all numeric.
    min_rows, pruned, confidence, raising, laplace, class_weights, gap
        As the settings in :class:`fsdesk.wrappers.c45.DecisionTreeC45`.
    order
        The classes in the order that breaks ties between equally likely ones; sorted if None.

    Attributes
    ----------
    classes_
        The classes, sorted.
    feature_, threshold_, first_, branches_, size_
        (nodes,) column split by a node, -1 at leaves; upper threshold of the first branch; number of the first branch,
        followed by the others; number of branches; weight of the rows.
    counts_
        (nodes, classes) weight of the rows of each class.

    NaN cells go down all branches, with fractional weights.
    """

    def __init__(
        self,
        levels: Sequence[int] | None = None,
        min_rows: int = 2,
        pruned: bool = True,
        confidence: float = 0.25,
        raising: bool = True,
        laplace: bool = False,
        class_weights: str = "none",
        gap: float = 1e-5,
        order: Sequence[Any] | None = None,
    ) -> None:
        self.levels = levels
        self.min_rows = min_rows
        self.pruned = pruned
        self.confidence = confidence
        self.raising = raising
        self.laplace = laplace
        self.class_weights = class_weights
        self.gap = gap
        self.order = order

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree on (n, p) numbers or codes, NaN if missing, and (n,) classes."""
        from fsdesk.wrappers.c45 import DecisionTreeC45

        x, codes = _table(self, X, gaps=True, fits=True), self._codes(y)
        names = ("min_rows", "pruned", "confidence", "raising", "laplace", "class_weights", "gap")
        raw, levels = np.ascontiguousarray(x.T), np.asarray(self.levels or [0] * x.shape[1], dtype=np.int64)
        design = _design(raw, codes, None, len(self.classes_), raw=raw, levels=levels)
        tree = DecisionTreeC45(**{name: getattr(self, name) for name in names}).bind(design).tree()
        self.feature_, self.threshold_, self.first_, self.branches_, self.size_, self.counts_ = tree
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """(m,) classes."""
        shares = self._shares(X, 0.0)
        best = np.zeros(len(shares), dtype=np.int64)
        every = np.arange(len(shares))
        for code in range(1, shares.shape[1]):
            best[shares[:, code] - shares[every, best] > _SAME] = code
        return self._named(best)

    def predict_proba(self, X: Any) -> Floats:
        """(m, classes) class proportions at the leaf."""
        return self._in_order(self._shares(X, 1.0 if self.laplace else 0.0))

    def _shares(self, X: Any, prior: float) -> Floats:
        check_is_fitted(self)
        x = _table(self, X, gaps=True)
        counts = self.counts_ + prior
        known, levels = counts / counts.sum(axis=1, keepdims=True), self.levels or [0] * x.shape[1]
        shares = np.zeros((len(x), counts.shape[1]))
        waiting = [(0, np.arange(len(x)), np.ones(len(x)))]
        while waiting:
            node, rows, weights = waiting.pop()
            feature = int(self.feature_[node])
            if feature < 0:
                shares[rows] += weights[:, None] * known[node]
                continue
            values, first, branches = x[rows, feature], int(self.first_[node]), int(self.branches_[node])
            is_missing = np.isnan(values)
            if levels[feature]:
                branch = np.where(is_missing, 0, values).astype(np.int64)
            else:
                threshold = self.threshold_[node]
                branch = (~((values <= threshold) | (values - threshold < self.gap / 10))).astype(np.int64)
            sizes = self.size_[first : first + branches]
            for place in range(branches):
                here = ~is_missing & (branch == place)
                share = sizes[place] / sizes.sum()
                spread = is_missing & (sizes[place] > _SAME)
                taken = here | spread
                if taken.any():
                    own = np.where(is_missing[taken], weights[taken] * share, weights[taken])
                    waiting.append((first + place, rows[taken], own))
        return shares


class _Cart:
    """Shared by both trees: growing a tree, and finding the leaf of a row."""

    def _grow(self, x: Floats, codes: Codes | None, response: Floats | None, classes: int, **settings: Any) -> None:
        from fsdesk.wrappers.cart import DecisionTreeCART

        design = _design(np.ascontiguousarray(x.T), codes, response, classes)
        tree = DecisionTreeCART(**settings).bind(design).tree()
        self.feature_, self.threshold_, self.left_, self.right_, self.code_, self.numbers_ = tree

    def _leaves(self, x: Floats) -> Codes:
        node, rows = np.zeros(len(x), dtype=np.int64), np.arange(len(x))
        while len(rows):
            rows = rows[self.feature_[node[rows]] >= 0]
            own = node[rows]
            goes_left = x[rows, self.feature_[own]] <= self.threshold_[own]
            node[rows] = np.where(goes_left, self.left_[own], self.right_[own])
        return node


class CartClassifier(_Cart, _Classifier):
    """A binary decision tree for classes; among equally good splits, the first column and its lowest threshold win.

    Parameters
    ----------
    impurity, max_depth, min_leaf, min_split, class_weights
        As the settings in :class:`fsdesk.wrappers.cart.DecisionTreeCART`.
    order
        The classes in the order that breaks ties between equally frequent ones; sorted if None.

    Attributes
    ----------
    classes_
        The classes, sorted.
    feature_, threshold_, left_, right_
        (nodes,) column split by a node, -1 at leaves; values up to the threshold go left; numbers of the branches.
    """

    def __init__(
        self,
        impurity: str = "gini",
        max_depth: int = 0,
        min_leaf: int = 1,
        min_split: int = 2,
        class_weights: str = "none",
        order: Sequence[Any] | None = None,
    ) -> None:
        self.impurity = impurity
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.class_weights = class_weights
        self.order = order

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree on (n, p) numbers without missing values and (n,) classes."""
        x, codes = _table(self, X, fits=True), self._codes(y)
        names = ("impurity", "max_depth", "min_leaf", "min_split", "class_weights")
        self._grow(x, codes, None, len(self.classes_), **{name: getattr(self, name) for name in names})
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """(m,) classes."""
        check_is_fitted(self)
        return self._named(self.code_[self._leaves(_table(self, X))])

    def predict_proba(self, X: Any) -> Floats:
        """(m, classes) class proportions at the leaf."""
        check_is_fitted(self)
        return self._in_order(self.numbers_[self._leaves(_table(self, X))])


class CartRegressor(_Cart, RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A binary regression tree, as :class:`CartClassifier` but split by squared error; a leaf predicts its mean.

    Parameters
    ----------
    max_depth, min_leaf, min_split
        As the settings in :class:`fsdesk.wrappers.cart.DecisionTreeCART`.
    """

    def __init__(self, max_depth: int = 0, min_leaf: int = 1, min_split: int = 2) -> None:
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_split = min_split

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree on (n, p) numbers without missing values and (n,) numbers."""
        x, names = _table(self, X, fits=True), ("max_depth", "min_leaf", "min_split")
        response = np.ascontiguousarray(y, dtype=np.float64)
        self._grow(x, None, response, 1, **{name: getattr(self, name) for name in names})
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) numbers."""
        check_is_fitted(self)
        return np.asarray(self.numbers_[self._leaves(_table(self, X)), 0])


def _gamma(times: float, X: Any) -> float:
    """``times`` scikit-learn's gamma "scale": one over the number of features times the variance of all values."""
    x = np.asarray(X, dtype=np.float64)
    spread = float(x.var())
    return times / (x.shape[1] * spread) if spread > 0 else times


class RadialClassifier(SVC):  # type: ignore[misc]  # scikit-learn has no types
    """A support vector machine with a radial kernel whose gamma is relative to that of scikit-learn's "scale".

    Parameters
    ----------
    C, tol, class_weight, break_ties
        Those of scikit-learn's SVC.
    times
        How many times the gamma that "scale" gives.
    """

    def __init__(
        self,
        C: float = 1.0,
        times: float = 1.0,
        tol: float = 1e-3,
        class_weight: Any = None,
        break_ties: bool = False,
    ) -> None:
        super().__init__(C=C, tol=tol, class_weight=class_weight, break_ties=break_ties)
        self.times = times

    def fit(self, X: Any, y: Any) -> Self:
        """Fit on (n, p) scaled numbers and (n,) classes."""
        self.gamma = _gamma(self.times, X)
        super().fit(X, y)
        return self


class RadialRegressor(SVR):  # type: ignore[misc]  # scikit-learn has no types
    """As :class:`RadialClassifier`, for numbers.

    Parameters
    ----------
    C, tol, epsilon
        Those of scikit-learn's SVR.
    times
        How many times the gamma that "scale" gives.
    """

    def __init__(self, C: float = 1.0, times: float = 1.0, tol: float = 1e-3, epsilon: float = 0.1) -> None:
        super().__init__(C=C, tol=tol, epsilon=epsilon)
        self.times = times

    def fit(self, X: Any, y: Any) -> Self:
        """Fit on (n, p) scaled numbers and (n,) numbers."""
        self.gamma = _gamma(self.times, X)
        super().fit(X, y)
        return self


class _Neighbours:
    """Shared by both nearest-neighbor models: the stored training rows, which are scaled at prediction."""

    def _asked(self, x: Floats, codes: Codes | None, response: Floats | None, classes: int) -> tuple[Predictor, Codes]:
        """Neighbors bound to the training rows followed by the new ones, and (1, rows) labels: -1 training, 0 new."""
        learned, many = self.learned_, len(x)
        none = np.zeros(many, dtype=np.int64)
        design = _design(
            np.ascontiguousarray(np.concatenate([learned, x]).T),
            None if codes is None else np.concatenate([codes, none]),
            None if response is None else np.concatenate([response, np.zeros(many)]),
            classes,
            scaling="none" if self.scaler == "none" else "fold",
            scaler="z-score" if self.scaler == "none" else self.scaler,
        )
        return self._wrapper().bind(design), np.repeat([-1, 0], [len(learned), many])[None]

    def _wrapper(self) -> Wrapper:
        from fsdesk.wrappers.nn import NearestNeighbours

        names = ("k", "distance", "weights", "class_weights")
        return NearestNeighbours(**{name: getattr(self, name) for name in names if hasattr(self, name)})

    learned_: Floats
    scaler: str


class NeighboursClassifier(_Neighbours, _Classifier):
    """Votes of the nearest training rows; if two rows are equally near, the first is treated as nearer.

    Parameters
    ----------
    k, distance, weights, class_weights
        As the settings in :class:`fsdesk.wrappers.nn.NearestNeighbours`.
    scaler
        "z-score", "min-max", "robust" or "none": scaling of the columns, learned from the training rows.
    order
        The classes in the order that breaks ties between equal votes; sorted if None.

    Attributes
    ----------
    classes_
        The classes, sorted.
    learned_
        (n, p) training rows: a saved model contains them.
    """

    def __init__(
        self,
        k: int = 1,
        distance: str = "euclidean",
        weights: str = "uniform",
        class_weights: str = "none",
        scaler: str = "z-score",
        order: Sequence[Any] | None = None,
    ) -> None:
        self.k = k
        self.distance = distance
        self.weights = weights
        self.class_weights = class_weights
        self.scaler = scaler
        self.order = order

    def fit(self, X: Any, y: Any) -> Self:
        """Store (n, p) numbers without missing values and (n,) classes."""
        self.learned_ = _squarable(_table(self, X, fits=True))
        self.codes_ = self._codes(y)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """(m,) classes."""
        check_is_fitted(self)
        x = _table(self, X)
        bound, labels = self._asked(x, self.codes_, None, len(self.classes_))
        return self._named(bound.predict(np.ones(x.shape[1], dtype=np.bool_), labels)[0, len(self.learned_) :])

    def predict_proba(self, X: Any) -> Floats:
        """(m, classes) proportions of the votes."""
        check_is_fitted(self)
        x = _table(self, X)
        bound, labels = self._asked(x, self.codes_, None, len(self.classes_))
        return self._in_order(bound.scores(np.ones(x.shape[1], dtype=np.bool_), labels)[0, len(self.learned_) :])


class NeighboursRegressor(_Neighbours, RegressorMixin, BaseEstimator):  # type: ignore[misc]  # no types there
    """The mean response of the nearest training rows.

    Parameters
    ----------
    k, distance, weights
        As the settings in :class:`fsdesk.wrappers.nn.NearestNeighbours`.
    scaler
        As in :class:`NeighboursClassifier`.

    Attributes
    ----------
    learned_
        (n, p) training rows: a saved model contains them.
    """

    def __init__(
        self, k: int = 1, distance: str = "euclidean", weights: str = "uniform", scaler: str = "z-score"
    ) -> None:
        self.k = k
        self.distance = distance
        self.weights = weights
        self.scaler = scaler

    def fit(self, X: Any, y: Any) -> Self:
        """Store (n, p) numbers without missing values and (n,) numbers."""
        self.learned_ = _squarable(_table(self, X, fits=True))
        self.response_ = np.ascontiguousarray(y, dtype=np.float64)
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) numbers."""
        check_is_fitted(self)
        x = _table(self, X)
        bound, labels = self._asked(x, None, self.response_, 1)
        return np.asarray(bound.values(np.ones(x.shape[1], dtype=np.bool_), labels)[0, len(self.learned_) :])


class CodedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A model trained on codes 0, 1, ... of the classes, whose predictions are the classes.

    Parameters
    ----------
    model
        Any model with fit and predict, such as XGBoost's, which accepts only codes.

    Attributes
    ----------
    classes_
        The classes, sorted.
    model_
        The fitted model.
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a copy of the model on (n, p) numbers and the codes of (n,) classes."""
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self.n_features_in_ = np.shape(X)[1]
        self.model_ = unfitted(self.model)
        self.model_.fit(np.asarray(X), codes.astype(np.int64))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """(m,) classes."""
        check_is_fitted(self)
        codes = np.asarray(self.model_.predict(np.asarray(X)), dtype=np.int64).reshape(len(X))
        return np.asarray(self.classes_[codes])

    def __getattr__(self, name: str) -> Any:
        """Probabilities and decision values if the model has them."""
        if name not in ("predict_proba", "decision_function") or "model" not in self.__dict__:
            raise AttributeError(name)
        own = self.__dict__.get("model_", self.model)
        ask = getattr(own, name)
        return lambda X: np.asarray(ask(np.asarray(X)), dtype=np.float64)


class PlainRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A regression model that need not be scikit-learn's.

    Parameters
    ----------
    model
        Any model with fit and predict.

    Attributes
    ----------
    model_
        The fitted model.
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a copy of the model on (n, p) and (n,) numbers."""
        self.n_features_in_ = np.shape(X)[1]
        self.model_ = unfitted(self.model)
        self.model_.fit(np.asarray(X), np.asarray(y, dtype=np.float64))
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) numbers."""
        check_is_fitted(self)
        return np.asarray(self.model_.predict(np.asarray(X)), dtype=np.float64).reshape(len(X))
