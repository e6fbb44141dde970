"""Survival models as scikit-learn estimators, for the last step of an exported pipeline.

They are fitted on times if the event was observed, and minus the times if censored; or on two columns, the second of
which contains the entry times.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from fsdesk.data.kaplan_meier import breslow
from fsdesk.kernels import _core
from fsdesk.wrappers.survival import SurvivalForest, SurvivalNeighbours
from fsdesk.wrappers.wrapper import Wrapper

Floats = NDArray[np.float64]


class CoxRegression(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Cox regression with a ridge penalty.

    Parameters
    ----------
    alpha
        Penalty: the log partial likelihood minus alpha / 2 times the sum of squared weights is maximized.
    ties
        "efron" or "breslow".

    Attributes
    ----------
    coef_
        (p,) log hazard ratios for an increase by one unit.
    event_times_, cumulative_hazard_
        (k,) event times, and Breslow's estimate of the cumulative hazard there for a row whose weighted sum is 0.
    """

    def __init__(self, alpha: float = 1.0, ties: str = "efron") -> None:
        self.alpha = alpha
        self.ties = ties

    def fit(self, X: Any, y: Any) -> Self:
        """Fit on (n, p) numbers and (n,) times, negative if censored."""
        x, known = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2, multi_output=True)
        known = np.ascontiguousarray(known, dtype=np.float64)
        columns, every = np.ascontiguousarray(x.T), np.arange(x.shape[1], dtype=np.int32)
        efron, ends = self.ties == "efron", np.array([0, x.shape[1]])
        alphas = np.array([float(self.alpha)])
        f = _core.cox_fits(columns, known, columns, every, ends, alphas=alphas, efron=efron)[0, 0]
        _, residuals = _core.cox_residuals(f, known, efron=efron)
        self.coef_ = columns @ residuals / self.alpha  # where the gradient is 0
        self.event_times_, hazard = breslow(x @ self.coef_, known)
        self.cumulative_hazard_ = np.exp(hazard)
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) risks: log hazards relative to a row whose weighted sum is 0."""
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_)

    def predict_survival(self, X: Any, times: Any) -> Floats:
        """(m, t) probabilities of being event-free after each of (t,) times."""
        place = np.searchsorted(self.event_times_, np.asarray(times, dtype=np.float64), side="right")
        hazard = np.concatenate([[0.0], self.cumulative_hazard_])[place]
        return np.asarray(np.exp(-np.exp(self.predict(X))[:, None] * hazard[None, :]))


class _Kept(BaseEstimator):  # type: ignore[misc]  # as above
    """A model that stores the training rows and is trained on them for each prediction."""

    def fit(self, X: Any, y: Any) -> Self:
        """Store (n, p) numbers and (n,) times, negative if censored."""
        x, known = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2, multi_output=True)
        self.learned_, self.known_ = np.ascontiguousarray(x.T), np.ascontiguousarray(known, dtype=np.float64)
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) risks."""
        test = self._columns(X)
        every, ends = np.arange(len(test), dtype=np.int32), np.array([0, len(test)])
        found = self._wrapper().single_fits(self.learned_, self.known_, test, every, ends, 1, 1)
        assert found is not None  # survival models have such a call
        return np.asarray(found[0])

    def predict_survival(self, X: Any, times: Any) -> Floats:
        """(m, t) probabilities of being event-free after each of (t,) times."""
        asked = np.asarray(times, dtype=np.float64)
        return self._wrapper().survival(self.learned_, self.known_, self._columns(X), asked)

    def _columns(self, X: Any) -> Floats:
        check_is_fitted(self)
        return np.ascontiguousarray(validate_data(self, X, dtype=np.float64, reset=False).T)

    def _wrapper(self) -> Wrapper:
        raise NotImplementedError


class SurvivalNeighboursRegression(_Kept):
    """Risks from the nearest training rows: their cumulative hazard, summed over the times of all training events.

    Parameters
    ----------
    k
        Number of rows that determine the risk of a row.
    """

    def __init__(self, k: int = 20) -> None:
        self.k = k

    def _wrapper(self) -> Wrapper:
        return SurvivalNeighbours(k=self.k)


class SurvivalForestRegression(_Kept):
    """A forest of survival trees, grown from the training rows for each prediction.

    Parameters
    ----------
    trees, min_leaf, seed
        As the settings in :class:`fsdesk.wrappers.survival.SurvivalForest`.
    """

    def __init__(self, trees: int = 200, min_leaf: int = 5, seed: int = 0) -> None:
        self.trees = trees
        self.min_leaf = min_leaf
        self.seed = seed

    def _wrapper(self) -> Wrapper:
        return SurvivalForest(trees=self.trees, min_leaf=self.min_leaf, seed=self.seed)
