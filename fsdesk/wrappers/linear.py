"""Linear models equivalent to scikit-learn's: linear discriminant analysis, logistic and ridge regression."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.fitting import LOWEST, FoldModels, Model, Shares
from fsdesk.wrappers.scikit_learn import trained
from fsdesk.wrappers.single import Floats, Labels, Targets, TrainedWhenAsked
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper, class_weights_setting
from fsdesk.wrappers.written import Call, Equivalent, balanced, equal_priors

_STEADY = 1e-10  # smallest penalty relative to the sum of all eigenvalues


@WRAPPERS.register(
    "lda",
    title="Linear discriminant analysis",
    summary="Assumes that all classes have the same covariance and separates them by linear boundaries. Fast, and "
    "good with many rows per feature.",
    reference="R. A. Fisher, The Use of Multiple Measurements in Taxonomic Problems, Annals of Eugenics 7 (1936)",
)
class LinearDiscriminants(Wrapper):
    """Fisher's linear discriminant analysis by singular values, or with a shrunken covariance."""

    gives = "probabilities"
    fits_cheaply = True

    shrink: bool = setting(
        False,
        title="Shrink the covariance",
        help="Regularizes the covariance if there are many features and few rows.",
        source="off: the classical method; on: O. Ledoit and M. Wolf, J. Multivariate Anal. 88 (2004)",
    )
    shrinkage: float = setting(
        0.0,
        title="Shrinkage",
        help="How far the covariance is shrunk toward a sphere, up to 1; at 0, the setting above applies.",
        source="J. H. Friedman, Regularized Discriminant Analysis, J. Am. Stat. Assoc. 84 (1989)",
        ge=0.0,
        le=1.0,
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn's default: priors of the rows")

    def idle(self, task: Task) -> frozenset[str]:
        """See :meth:`Wrapper.idle`."""
        return super().idle(task) | ({"shrink"} if self.shrinkage else {"shrinkage"})

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        arguments: dict[str, object] = {"solver": "lsqr", "shrinkage": self.shrinkage or "auto"}
        arguments = arguments if self.shrinkage or self.shrink else {}
        arguments |= equal_priors(self.class_weights, classes)
        return Equivalent(Call("sklearn.discriminant_analysis", "LinearDiscriminantAnalysis", arguments))

    def single_fits(
        self,
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats | None:
        """See :meth:`Wrapper.single_fits`; only with shrinkage."""
        if not self.shrinkage:
            return None
        return np.asarray(self.shrunken_fits([self.shrinkage], train, y, test, features, offsets, classes, threads)[0])

    def shrunken_fits(
        self,
        shrinkages: Sequence[float],
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """(shrinkages, m, t, classes) scores for several shrinkages above 0, which share most of the work."""
        return _core.discriminant_fits(
            train,
            y.astype(np.int64, copy=False),
            test,
            features,
            offsets,
            classes,
            shrinkages=np.asarray(shrinkages, dtype=np.float64),
            balanced=self.class_weights == "balanced",
            threads=threads,
        )

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold; if no class has two rows, no covariance can be estimated: see :class:`Shares`."""
        if self.shrinkage:
            return FoldModels(design, partial(TrainedWhenAsked, self), decisions=False)
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
    """A model trained without constant columns, in which rounding errors would be scaled up to noise."""

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
    summary="Models the odds of each class as a weighted sum of the features, with small weights.",
    reference="D. R. Cox, The Regression Analysis of Binary Sequences, J. R. Stat. Soc. B 20 (1958)",
)
class Logistic(Wrapper):
    """Penalized logistic regression; one model for all classes (multinomial)."""

    gives = "probabilities"
    fits_cheaply = True

    C: float = setting(
        1.0,
        title="Inverse penalty C",
        help="How large the weights may become: smaller values are more stable, larger ones fit the training rows "
        "more closely.",
        source="scikit-learn's default",
        gt=0,
        le=1e6,
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("none: every row has the same weight")

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        arguments = {"C": self.C, **balanced(self.class_weights), "tol": 1e-8, "max_iter": 10_000}
        return Equivalent(Call("sklearn.linear_model", "LogisticRegression", arguments))

    def single_fits(
        self,
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """See :meth:`Wrapper.single_fits`."""
        return np.asarray(self.fits_along([self.C], train, y, test, features, offsets, classes, threads)[0])

    def fits_along(
        self,
        costs: Sequence[float],
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """(costs, m, t, classes) scores for several C, each starting from the solution of the next smaller one."""
        return _core.logistic_fits(
            train,
            y.astype(np.int64, copy=False),
            test,
            features,
            offsets,
            classes,
            costs=np.asarray(costs, dtype=np.float64),
            balanced=self.class_weights == "balanced",
            threads=threads,
        )

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        return FoldModels(design, partial(TrainedWhenAsked, self), decisions=False)


@WRAPPERS.register(
    "ridge",
    title="Ridge regression",
    summary="Predicts by a weighted sum of the features, with small weights; classes by the largest sum.",
    reference="A. E. Hoerl and R. W. Kennard, Ridge Regression, Technometrics 12 (1970)",
)
class Ridge(Wrapper):
    """Least squares with a penalty on the squared weights; classes are targets of -1 and 1."""

    tasks = frozenset({"classification", "regression"})
    gives = "decisions"
    fits_cheaply = True

    alpha: float = setting(
        1.0,
        title="Penalty alpha",
        help="How strongly the weights are shrunk.",
        source="scikit-learn's default",
        ge=0,
        le=1e9,
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("none: every row has the same weight")

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        if not classes:
            return Equivalent(Call("sklearn.linear_model", "Ridge", {"alpha": self.alpha}))
        arguments = {"alpha": self.alpha, **balanced(self.class_weights)}
        return Equivalent(Call("sklearn.linear_model", "RidgeClassifier", arguments))

    def single_fits(
        self,
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats | None:
        """See :meth:`Wrapper.single_fits`; None if rounding could determine the weights."""
        if not _is_steady(self.alpha, train):
            return None
        return np.asarray(self.fits_along([self.alpha], train, y, test, features, offsets, classes, threads)[0])

    def fits_along(
        self,
        alphas: Sequence[float],
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """(alphas, m, t, classes) or (alphas, m, t) results for several alphas above 0, which share the work."""
        is_regression, weights = y.dtype == np.float64, np.ones(len(y))
        seen, codes = np.unique(y, return_inverse=True)
        if is_regression:
            responses = np.asarray(y, dtype=np.float64)[None]
        else:  # with two classes, the second against the first
            responses = np.where(codes == np.arange(len(seen))[:, None], 1.0, -1.0)[int(len(seen) == 2) :]
            if self.class_weights == "balanced":
                weights = (len(y) / (len(seen) * np.bincount(codes)))[codes]
        values = _core.ridge_fits(
            train,
            responses,
            weights,
            test,
            features,
            offsets,
            alphas=np.asarray(alphas, dtype=np.float64),
            threads=threads,
        )
        if is_regression:
            return np.ascontiguousarray(values[:, :, 0])
        scores = np.full((*values.shape[:2], test.shape[1], classes), LOWEST)
        if len(seen) == 2:
            values = np.concatenate([-values, values], axis=2)
        scores[..., seen] = values.transpose(0, 1, 3, 2)
        return scores

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        return FoldModels(design, self._trained, decisions=True)

    def _trained(self, x: Floats, y: NDArray[np.generic]) -> Model:
        """A model trained by our kernel or, if rounding could determine the weights, by scikit-learn's algorithm."""
        if _is_steady(self.alpha, x):
            return TrainedWhenAsked(self, x, y)
        from sklearn import linear_model

        if y.dtype == np.float64:
            return trained(linear_model.Ridge(alpha=self.alpha), x, y)
        weights = None if self.class_weights == "none" else "balanced"
        return trained(linear_model.RidgeClassifier(alpha=self.alpha, class_weight=weights), x, y)


def _is_steady(alpha: float, values: Floats) -> bool:
    """Whether equations with this penalty on their diagonal have a unique solution despite rounding."""
    with np.errstate(over="ignore"):
        return bool(alpha > _STEADY * np.square(values).sum())
