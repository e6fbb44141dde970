"""What scikit-learn has for a run: the model, the scaler and the validation, to be made or written in a script."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.wrappers import Wrapper
from fsdesk.wrappers.written import arguments_of, as_code, homes

__all__ = ["Call", "Equivalent", "equivalent", "scaler_call", "scoring_of"]


@dataclass(frozen=True)
class Call:
    """A class of scikit-learn with its arguments; ``Call.code`` writes it, ``Call.made`` makes it."""

    module: str
    name: str
    arguments: dict[str, Any]

    @property
    def code(self) -> str:
        """As it stands in a script."""
        return f"{self.name}({', '.join(f'{name}={as_code(value)}' for name, value in self.arguments.items())})"

    @property
    def imports(self) -> list[tuple[str, str]]:
        """Module and name of all that ``code`` speaks of."""
        return [(self.module, self.name), *homes(self.arguments)]

    def made(self) -> Any:
        """The object itself."""
        import importlib

        return getattr(importlib.import_module(self.module), self.name)(**self.arguments)


@dataclass(frozen=True)
class Equivalent:
    """A model and, where it is not quite that of the run, what is different."""

    model: Call
    note: str = ""


def equivalent(spec: RunSpec, dataset: Dataset) -> Equivalent:
    """The model of scikit-learn for the wrapper of a run."""
    wrapper = spec.build_wrapper()
    same = _MODELS[spec.wrapper](wrapper, dataset.response is not None)
    if spec.wrapper in ("nb", "lda") and _weights(wrapper):  # these say it by equal priors
        classes = len(dataset.classes)
        same.model.arguments["priors"] = [1 / classes] * classes
    return same


def scaler_call(spec: RunSpec) -> Call | None:
    """The scaler, None where features stay as they are."""
    names = {"z-score": "StandardScaler", "min-max": "MinMaxScaler", "robust": "RobustScaler"}
    if spec.measuring.scaling == "none":
        return None
    return Call("sklearn.preprocessing", names[spec.measuring.scaler], {})


def scoring_of(spec: RunSpec, dataset: Dataset) -> str:
    """Name of the score of scikit-learn that comes nearest to the criterion; higher is better."""
    several = len(dataset.classes) > 2
    scores = {
        "error": "accuracy",
        "balanced error": "balanced_accuracy",
        "cost": "accuracy",
        "auc": "roc_auc_ovr" if several else "roc_auc",
        "auc one-vs-one": "roc_auc_ovo" if several else "roc_auc",
        "log loss": "neg_log_loss",
        "f1": "f1_macro",
        "mcc": "matthews_corrcoef",
        "rmse": "neg_root_mean_squared_error",
        "mae": "neg_mean_absolute_error",
        "r2": "r2",
    }
    return scores[spec.measuring.criterion]


def _weights(wrapper: Any) -> dict[str, Any]:
    return {"class_weight": "balanced"} if wrapper.class_weights == "balanced" else {}


def _neighbours(wrapper: Any, numbers: bool) -> Equivalent:
    arguments = {"n_neighbors": wrapper.k, "metric": wrapper.distance, "weights": wrapper.weights}
    if numbers:
        return Equivalent(Call("sklearn.neighbors", "KNeighborsRegressor", arguments))
    note = "scikit-learn's neighbours have no class weights: every row has its vote, so its score may differ"
    has_weights = wrapper.class_weights == "balanced" and wrapper.k > 1
    return Equivalent(Call("sklearn.neighbors", "KNeighborsClassifier", arguments), note if has_weights else "")


def _c45(wrapper: Any, numbers: bool) -> Equivalent:
    arguments = {
        "criterion": "entropy",
        "min_samples_leaf": wrapper.min_rows,
        **_weights(wrapper),
        "random_state": 0,
    }
    return Equivalent(
        Call("sklearn.tree", "DecisionTreeClassifier", arguments),
        "scikit-learn has no C4.5: this is its tree by entropy, which is not pruned, splits nominal features "
        "in two and fills missing values, so its score may differ from that of the run",
    )


def _cart(wrapper: Any, numbers: bool) -> Equivalent:
    shared = {
        "max_depth": wrapper.max_depth or None,
        "min_samples_leaf": wrapper.min_leaf,
        "min_samples_split": wrapper.min_split,
        "random_state": 0,
    }
    if numbers:
        return Equivalent(Call("sklearn.tree", "DecisionTreeRegressor", shared))
    arguments = {"criterion": wrapper.impurity, **shared, **_weights(wrapper)}
    return Equivalent(Call("sklearn.tree", "DecisionTreeClassifier", arguments))


def _machine(wrapper: Any, numbers: bool) -> Equivalent:
    if numbers:
        arguments = {"kernel": "linear", "C": wrapper.cost, "epsilon": wrapper.epsilon, "tol": wrapper.tolerance}
        return Equivalent(Call("sklearn.svm", "SVR", arguments))
    if wrapper.loss == "squared hinge":
        return Equivalent(Call("sklearn.svm", "LinearSVC", {"C": wrapper.cost, **_weights(wrapper), "random_state": 0}))
    arguments = {"kernel": "linear", "C": wrapper.cost, "tol": wrapper.tolerance, **_weights(wrapper)}
    return Equivalent(Call("sklearn.svm", "SVC", arguments))


def _bayes(wrapper: Any, numbers: bool) -> Equivalent:
    return Equivalent(Call("sklearn.naive_bayes", "GaussianNB", {"var_smoothing": wrapper.smoothing}))


def _discriminants(wrapper: Any, numbers: bool) -> Equivalent:
    arguments = {"solver": "lsqr", "shrinkage": "auto"} if wrapper.shrink else {}
    return Equivalent(Call("sklearn.discriminant_analysis", "LinearDiscriminantAnalysis", arguments))


def _logistic(wrapper: Any, numbers: bool) -> Equivalent:
    arguments = {"C": wrapper.C, **_weights(wrapper), "max_iter": 1000}
    return Equivalent(Call("sklearn.linear_model", "LogisticRegression", arguments))


def _ridge(wrapper: Any, numbers: bool) -> Equivalent:
    if numbers:
        return Equivalent(Call("sklearn.linear_model", "Ridge", {"alpha": wrapper.alpha}))
    return Equivalent(Call("sklearn.linear_model", "RidgeClassifier", {"alpha": wrapper.alpha, **_weights(wrapper)}))


def _estimator(wrapper: Any, numbers: bool) -> Equivalent:
    made = wrapper.build()
    module, name = next(homes(made))
    return Equivalent(Call(module, name, arguments_of(made)))


_MODELS: dict[str, Callable[[Wrapper, bool], Equivalent]] = {
    "nn": _neighbours,
    "c45": _c45,
    "cart": _cart,
    "svm": _machine,
    "nb": _bayes,
    "lda": _discriminants,
    "logistic": _logistic,
    "ridge": _ridge,
    "sklearn": _estimator,
}
