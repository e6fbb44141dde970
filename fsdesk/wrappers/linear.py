"""Cheap models that scientists know, as scikit-learn has them: linear discriminants, logistic and ridge regression."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.fitting import FoldModels, Model, Shares
from fsdesk.wrappers.scikit_learn import bound_estimator, trained
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Wrapper, class_weights_setting
from fsdesk.wrappers.written import Call, Equivalent, balanced, equal_priors

_STEADY = 1e-10  # of the sum of all eigenvalues


@WRAPPERS.register(
    "lda",
    title="Linear discriminants",
    summary="Takes every class for a cloud of the same shape and draws straight borders between them. Quick, and good "
    "where rows are many for each feature.",
    reference="R. A. Fisher, The Use of Multiple Measurements in Taxonomic Problems, Annals of Eugenics 7 (1936)",
)
class LinearDiscriminants(Wrapper):
    """Fisher's linear discriminant analysis by singular values, or with a shrunken covariance."""

    gives = "probabilities"

    shrink: bool = setting(
        False,
        title="Shrink the covariance",
        help="Steadies the shape of the clouds where features are many and rows are few.",
        source="off: the classical method; on: O. Ledoit and M. Wolf, J. Multivariate Anal. 88 (2004)",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn's default: priors of the rows")

    def equivalent(self, classes: int) -> Equivalent:
        """As :meth:`Wrapper.equivalent` says."""
        arguments = {"solver": "lsqr", "shrinkage": "auto"} if self.shrink else {}
        arguments |= equal_priors(self.class_weights, classes)
        return Equivalent(Call("sklearn.discriminant_analysis", "LinearDiscriminantAnalysis", arguments))

    def bind(self, design: Design) -> Predictor:
        """Train anew in every fold; where no class has two rows, nothing tells the shape of a cloud: see Shares."""
        from sklearn.base import clone
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        made = (
            LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto") if self.shrink else LinearDiscriminantAnalysis()
        )

        def train(x: NDArray[np.float64], y: NDArray[np.generic]) -> Model:
            codes = np.asarray(y, dtype=np.int64)
            seen = int(codes.max()) + 1
            if len(codes) == seen:
                return Shares(codes)
            priors = np.full(seen, 1.0 / seen) if self.class_weights == "balanced" else None
            return _OfVarying(clone(made).set_params(priors=priors), x, y)

        return FoldModels(design, train, decisions=False)


class _OfVarying:
    """Trained without constant columns: what rounding leaves of them would be scaled up to noise."""

    def __init__(self, made: object, x: NDArray[np.float64], y: NDArray[np.generic]) -> None:
        self.varies = (x != x[0]).any(axis=0)
        self.model = trained(made, x[:, self.varies], y)

    def predict(self, x: NDArray[np.float64]) -> NDArray[np.int64]:
        return self.model.predict(x[:, self.varies])

    def scores(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.model.scores(x[:, self.varies])

    def values(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.model.values(x[:, self.varies])


@WRAPPERS.register(
    "logistic",
    title="Logistic regression",
    summary="Weighs the features into the odds of each class, and keeps the weights small.",
    reference="D. R. Cox, The Regression Analysis of Binary Sequences, J. R. Stat. Soc. B 20 (1958)",
)
class Logistic(Wrapper):
    """Penalised logistic regression; one model for all classes (multinomial)."""

    gives = "probabilities"

    C: float = setting(
        1.0,
        title="Freedom C",
        help="How large the weights may grow: smaller is steadier, larger follows the rows more closely.",
        source="scikit-learn's default",
        gt=0,
        le=1e6,
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("none: every row counts alike")

    def equivalent(self, classes: int) -> Equivalent:
        """As :meth:`Wrapper.equivalent` says."""
        arguments = {"C": self.C, **balanced(self.class_weights), "max_iter": 1000}
        return Equivalent(Call("sklearn.linear_model", "LogisticRegression", arguments))

    def bind(self, design: Design) -> Predictor:
        """Train anew in every fold."""
        from sklearn.linear_model import LogisticRegression

        weights = None if self.class_weights == "none" else "balanced"
        return bound_estimator(design, LogisticRegression(C=self.C, class_weight=weights, max_iter=1000))


@WRAPPERS.register(
    "ridge",
    title="Ridge regression",
    summary="Weighs the features into a sum, with weights kept small. Predicts numbers, or classes by the largest sum.",
    reference="A. E. Hoerl and R. W. Kennard, Ridge Regression, Technometrics 12 (1970)",
)
class Ridge(Wrapper):
    """Least squares with a penalty on the squared weights; classes as targets of -1 and 1."""

    tasks = frozenset({"classification", "regression"})
    gives = "decisions"

    alpha: float = setting(
        1.0,
        title="Penalty alpha",
        help="How strongly weights are kept small.",
        source="scikit-learn's default",
        ge=0,
        le=1e9,
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("none: every row counts alike")

    def equivalent(self, classes: int) -> Equivalent:
        """As :meth:`Wrapper.equivalent` says."""
        if not classes:
            return Equivalent(Call("sklearn.linear_model", "Ridge", {"alpha": self.alpha}))
        arguments = {"alpha": self.alpha, **balanced(self.class_weights)}
        return Equivalent(Call("sklearn.linear_model", "RidgeClassifier", arguments))

    def bind(self, design: Design) -> Predictor:
        """Train anew in every fold."""
        if design.response is not None:
            return FoldModels(design, self._regression, decisions=True)
        from sklearn.linear_model import RidgeClassifier

        weights = None if self.class_weights == "none" else "balanced"
        return bound_estimator(design, RidgeClassifier(alpha=self.alpha, class_weight=weights))

    def _regression(self, x: NDArray[np.float64], y: NDArray[np.generic]) -> Model:
        """Weights of numbers, by scikit-learn where the equations may be singular: it then takes another way."""
        solved = _solved(self.alpha, x, np.asarray(y, dtype=np.float64))
        if solved is not None:
            return solved
        from sklearn import linear_model

        return trained(linear_model.Ridge(alpha=self.alpha), x, y)


def _solved(alpha: float, x: NDArray[np.float64], y: NDArray[np.float64]) -> "_Sum | None":
    """The b and w of the least |y - b - x w|^2 + alpha |w|^2; None where rounding may decide about them.

    scikit-learn's Ridge solves the same equations, (X'X + alpha I) w = X'y of centred X and y, or where rows are fewer
    w = X'(XX' + alpha I)^-1 y; but on the few hundred rows of a fit what it checks before takes many times as long.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        centre, mean = np.add.reduce(x) / len(x), np.add.reduce(y) / len(y)
        x, y = x - centre, y - mean
        is_tall = x.shape[0] >= x.shape[1]
        products = x.T @ x if is_tall else x @ x.T
        if not alpha > _STEADY * np.trace(products):
            return None
        products.flat[:: len(products) + 1] += alpha
        w = np.linalg.solve(products, x.T @ y) if is_tall else x.T @ np.linalg.solve(products, y)
        intercept = float(mean - centre @ w)
    return _Sum(np.asarray(w, dtype=np.float64), intercept) if np.isfinite(intercept) else None


@dataclass(frozen=True, eq=False)
class _Sum:
    """A weighted sum of the features, which predicts numbers alone."""

    weights: NDArray[np.float64]
    intercept: float

    def predict(self, x: NDArray[np.float64]) -> NDArray[np.int64]:
        raise TypeError("a sum is no class")

    def scores(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        raise TypeError("a sum has no scores")

    def values(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(x @ self.weights + self.intercept)
