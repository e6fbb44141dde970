"""Models of the time to an event as estimators of scikit-learn: what the exported pipeline of a run ends with.

They are fitted on numbers that are times where the event was observed, and minus the times where it is censored.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from fsdesk.kernels import _core

Floats = NDArray[np.float64]


class CoxRegression(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Cox regression with a ridge penalty.

    Parameters
    ----------
    alpha
        Penalty: maximised is the logarithm of the partial likelihood less alpha / 2 times the sum of squared weights.
    ties
        "efron" or "breslow".

    Attributes
    ----------
    coef_
        (p,) logarithms of the hazard ratios of one unit more.
    event_times_, cumulative_hazard_
        (k,) times of events, and the cumulative hazard then of a row whose weighted sum is 0: Breslow's estimate.
    """

    def __init__(self, alpha: float = 1.0, ties: str = "efron") -> None:
        self.alpha = alpha
        self.ties = ties

    def fit(self, X: Any, y: Any) -> Self:
        """Fit on (n, p) numbers and (n,) times, negative where they are censored."""
        x, known = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        known = np.ascontiguousarray(known, dtype=np.float64)
        columns, every = np.ascontiguousarray(x.T), np.arange(x.shape[1], dtype=np.int32)
        efron, ends = self.ties == "efron", np.array([0, x.shape[1]])
        alphas = np.array([float(self.alpha)])
        f = _core.cox_fits(columns, known, columns, every, ends, alphas=alphas, efron=efron)[0, 0]
        _, residuals = _core.cox_residuals(f, known, efron=efron)
        self.coef_ = columns @ residuals / self.alpha  # where the gradient is 0
        times, events = np.abs(known), known >= 0
        hazards = np.exp(x @ self.coef_)
        self.event_times_ = np.unique(times[events])
        deaths = np.array([float((events & (times == each)).sum()) for each in self.event_times_])
        at_risk = np.array([hazards[times >= each].sum() for each in self.event_times_])
        self.cumulative_hazard_ = np.cumsum(deaths / at_risk)
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) risks: logarithms of hazards beside that of a row whose weighted sum is 0."""
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_)

    def predict_survival(self, X: Any, times: Any) -> Floats:
        """(m, t) chances to be without the event after each of (t,) times."""
        place = np.searchsorted(self.event_times_, np.asarray(times, dtype=np.float64), side="right")
        hazard = np.concatenate([[0.0], self.cumulative_hazard_])[place]
        return np.asarray(np.exp(-np.exp(self.predict(X))[:, None] * hazard[None, :]))


class SurvivalNeighboursRegression(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Risks by the nearest learned rows: their cumulative hazard, summed over the times of all learned events.

    Parameters
    ----------
    k
        How many rows tell the risk of a row.
    """

    def __init__(self, k: int = 20) -> None:
        self.k = k

    def fit(self, X: Any, y: Any) -> Self:
        """Keep (n, p) numbers and (n,) times, negative where they are censored."""
        x, known = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        self.learned_, self.known_ = np.ascontiguousarray(x.T), np.ascontiguousarray(known, dtype=np.float64)
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) risks."""
        check_is_fitted(self)
        test = np.ascontiguousarray(validate_data(self, X, dtype=np.float64, reset=False).T)
        every, ends = np.arange(len(test), dtype=np.int32), np.array([0, len(test)])
        return np.asarray(_core.survival_neighbours(self.learned_, self.known_, test, every, ends, k=self.k)[0])


class SurvivalForestRegression(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A forest of survival trees, which is grown from the learned rows whenever it is asked.

    Parameters
    ----------
    trees, min_leaf, seed
        As the settings of :class:`fsdesk.wrappers.survival.SurvivalForest`.
    """

    def __init__(self, trees: int = 200, min_leaf: int = 5, seed: int = 0) -> None:
        self.trees = trees
        self.min_leaf = min_leaf
        self.seed = seed

    def fit(self, X: Any, y: Any) -> Self:
        """Keep (n, p) numbers and (n,) times, negative where they are censored."""
        x, known = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        self.learned_, self.known_ = np.ascontiguousarray(x.T), np.ascontiguousarray(known, dtype=np.float64)
        return self

    def predict(self, X: Any) -> Floats:
        """(m,) risks."""
        from fsdesk.wrappers.survival import SurvivalForest

        check_is_fitted(self)
        test = np.ascontiguousarray(validate_data(self, X, dtype=np.float64, reset=False).T)
        every, ends = np.arange(len(test), dtype=np.int32), np.array([0, len(test)])
        forest = SurvivalForest(trees=self.trees, min_leaf=self.min_leaf, seed=self.seed)
        return np.asarray(forest.single_fits(self.learned_, self.known_, test, every, ends, 1, 1)[0])
