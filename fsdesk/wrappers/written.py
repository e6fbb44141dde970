"""Conversion of scikit-learn estimators to text and back, for projects, command lines and scripts."""

import ast
import importlib
import inspect
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fsdesk.errors import SettingsError
from fsdesk.settings import Settings
from fsdesk.wrappers.parameters import check_arguments, is_estimator

# Names are looked up only in these: another person's project file must not import anything else.
_MODELS = (
    "calibration",
    "compose",
    "cross_decomposition",
    "discriminant_analysis",
    "dummy",
    "ensemble",
    "gaussian_process",
    "isotonic",
    "kernel_ridge",
    "linear_model",
    "model_selection",
    "multiclass",
    "naive_bayes",
    "neighbors",
    "neural_network",
    "pipeline",
    "semi_supervised",
    "svm",
    "tree",
)
_PARTS = (
    *_MODELS,
    "decomposition",
    "feature_selection",
    "impute",
    "kernel_approximation",
    "preprocessing",
    "random_projection",
)


OWN_MODELS = "fsdesk.wrappers.exported_models"
OWN_NOTE = "scikit-learn has no model that predicts every row as this one does: it is fsdesk's own"


@dataclass(frozen=True)
class Call:
    """A scikit-learn class with its arguments; ``Call.code`` writes it, ``Call.made`` creates it."""

    module: str
    name: str
    arguments: dict[str, Any]

    @property
    def code(self) -> str:
        """The code, as written in a script."""
        return f"{self.name}({', '.join(f'{name}={as_code(value)}' for name, value in self.arguments.items())})"

    @property
    def imports(self) -> list[tuple[str, str]]:
        """Module and name of everything used in ``code``."""
        return [(self.module, self.name), *homes(self.arguments)]

    def made(self) -> Any:
        """The object itself."""
        return getattr(importlib.import_module(self.module), self.name)(**self.arguments)


@dataclass(frozen=True)
class Equivalent:
    """A scikit-learn model, or an fsdesk model with the same interface, and how it differs from the wrapper, if at all.

    Attributes
    ----------
    sees
        Its input columns: "raw", as read with missing values and category codes; "filled", imputed with category
        indicators; or "scaled", imputed and scaled.
    """

    model: Call
    note: str = ""
    sees: Literal["raw", "filled", "scaled"] = "scaled"

    @property
    def needs_fsdesk(self) -> bool:
        """Whether it is not one of scikit-learn's own models."""
        return self.model.module.startswith("fsdesk.")


def unfitted(given: Any) -> Any:
    """An unfitted copy, by scikit-learn's cloning if the model supports it."""
    from sklearn.base import clone

    return clone(given) if hasattr(given, "get_params") else deepcopy(given)


def changed(settings: Settings, *left_out: str) -> dict[str, Any]:
    """The non-default settings, except some, as arguments of fsdesk's own models."""
    own = settings.model_dump(exclude_defaults=True)
    return {name: value for name, value in own.items() if name not in left_out}


def ordered(order: Sequence[Any] | None) -> dict[str, Any]:
    """The argument that orders equally likely classes, if the order is not the sorted one."""
    return {} if order is None else {"order": list(order)}


def balanced(class_weights: str) -> dict[str, Any]:
    """The argument that gives rare classes the same weight as common ones, if set."""
    return {"class_weight": "balanced"} if class_weights == "balanced" else {}


def equal_priors(class_weights: str, classes: int) -> dict[str, Any]:
    """As :func:`balanced`, for models with prior probabilities of the classes."""
    return {"priors": [1 / classes] * classes} if class_weights == "balanced" else {}


def model_named(name: str) -> type:
    """A classifier or regressor; SettingsError if there is none of this name."""
    found = _found(name, _MODELS)
    if found is None or not hasattr(found, "predict"):
        raise SettingsError(
            'scikit-learn has no single-target model "{name}". Give the name of a class, such as '
            "RandomForestClassifier or Ridge.",
            name=name,
        )
    return found


def arguments_read(kind: type, text: str) -> dict[str, Any]:
    """``"n_estimators=50, estimator=SVC(C=2)"`` as keyword arguments of a scikit-learn class.

    Raises
    ------
    SettingsError
        If it contains anything but literals and scikit-learn classes, or sets a parameter not allowed from text: see
        :func:`fsdesk.wrappers.parameters.check_arguments`.
    """
    try:
        return _keywords(kind, ast.parse(f"f({text})", mode="eval").body)
    except SettingsError:
        raise
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise SettingsError(
            'Setting "parameters": "{text}" is not of the form "name=value, name=value", such as '
            '"n_estimators=50, max_depth=3".',
            text=text,
        ) from None
    except TypeError as error:
        raise SettingsError('Setting "parameters": scikit-learn reports "{error}".', error=error) from None


def arguments_of(estimator: Any) -> dict[str, Any]:
    """The non-default parameters of an estimator."""
    usual = {name: each.default for name, each in inspect.signature(type(estimator)).parameters.items()}
    given = estimator.get_params(deep=False)
    return {name: value for name, value in given.items() if name not in usual or repr(value) != repr(usual[name])}


def as_code(value: Any) -> str:
    """Python code for a value, readable by :func:`arguments_read`; SettingsError if there is none."""
    if is_estimator(value):
        _, name = next(homes(value))
        return f"{name}({', '.join(f'{word}={as_code(each)}' for word, each in arguments_of(value).items())})"
    if isinstance(value, list):
        return f"[{', '.join(map(as_code, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(as_code, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{as_code(key)}: {as_code(each)}' for key, each in value.items())}}}"
    plain = value.item() if isinstance(value, np.generic) else value
    try:
        ast.literal_eval(repr(plain))
    except (ValueError, SyntaxError):
        raise SettingsError(
            "A parameter is a {name}, which cannot be stored in a project. Use numbers, words, lists or scikit-learn "
            "estimators.",
            name=type(value).__name__,
        ) from None
    return repr(plain)


def homes(value: Any) -> Iterator[tuple[str, str]]:
    """Module and name of every scikit-learn class in a value; SettingsError for a class from elsewhere."""
    if is_estimator(value):
        kind = type(value)
        if _found(kind.__name__, _PARTS) is not kind:
            raise SettingsError(
                "{name} is not a scikit-learn class that can be stored in a project. Use an instance of one of its "
                "classes.",
                name=kind.__name__,
            )
        yield _home(kind.__name__), kind.__name__
        for each in arguments_of(value).values():
            yield from homes(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from homes(each)
    elif isinstance(value, dict):
        yield from homes(list(value.values()))


def _found(name: str, modules: tuple[str, ...]) -> type | None:
    for module in modules:
        try:
            found = getattr(importlib.import_module(f"sklearn.{module}"), name, None)
        except ImportError:  # experimental features of scikit-learn, available only on request
            continue
        is_public = isinstance(found, type) and not name.startswith("_")
        if is_public and hasattr(found, "fit") and f"{found.__module__}.".startswith(f"sklearn.{module}."):
            return found
    return None


def _home(name: str) -> str:
    return next(f"sklearn.{module}" for module in _PARTS if _found(name, (module,)) is not None)


def _keywords(kind: type, call: ast.expr) -> dict[str, Any]:
    is_named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    if not isinstance(call, ast.Call) or not is_named or call.args or any(word.arg is None for word in call.keywords):
        raise ValueError(ast.unparse(call))
    arguments = {str(word.arg): _value(word.value) for word in call.keywords}
    check_arguments(kind, arguments)
    return arguments


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        kind = _found(node.func.id, _PARTS)
        if kind is None:
            raise ValueError(node.func.id)
        return kind(**_keywords(kind, node))
    if isinstance(node, ast.List):
        return [_value(each) for each in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_value(each) for each in node.elts)
    if isinstance(node, ast.Dict) and all(node.keys):
        return {ast.literal_eval(key): _value(each) for key, each in zip(node.keys, node.values, strict=True) if key}
    return ast.literal_eval(node)
