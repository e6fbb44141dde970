"""Parameters of a scikit-learn model that may be set from text, such as another person's settings file or project.

A text must not load, write or run anything. scikit-learn declares the valid values of each parameter; of these, only
data are accepted: numbers, listed words, and lists and estimators of these. Parameters and kinds of values not named
here are refused.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fsdesk.errors import SettingsError
from fsdesk.messages import escaped

_OPTIONS = 8
_SEARCHES = ("param_grid", "param_distributions")
_DATA = {"Interval", "Options", "StrOptions", "_NoneConstraint", "_Booleans", "_NanConstraint", "_RandomStates"}
"""Constraints that only scalars can satisfy."""


def _named(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text) is not None


def _is_scorer(text: str) -> bool:
    from sklearn.metrics import get_scorer_names

    return text == "loss" or text in get_scorer_names()


def _is_any(_: str) -> bool:
    return True


# Parameters for which scikit-learn accepts any text: the expected value in words. joblib evaluates pre_dispatch;
# importance_getter names attributes.
_TEXTS: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "constant": ("a text", _is_any),
    "fill_value": ("a text", _is_any),
    "missing_values": ("a text", _is_any),
    "outlier_label": ("a text", _is_any),
    "pos_label": ("a text", _is_any),
    "importance_getter": (
        "'auto', 'coef_' or 'feature_importances_'",
        _named(r"auto|((named_steps\.\w+|best_estimator_|estimator_|regressor_)\.)*(coef_|feature_importances_)"),
    ),
    "pre_dispatch": ("'all' or '2*n_jobs'", _named(r"all|(\d{1,3}\s*\*\s*)?n_jobs")),
    "refit": ("the name of a score", _named(r"\w+")),
    "scoring": ("the name of a score", _is_scorer),
    "threshold": ("'mean' or '1.25*median'", _named(r"(\d+(\.\d+)?\s*\*\s*)?(mean|median)")),
}
# Lists of texts that are names of classes, categories or columns.
_LISTS_OF_TEXTS = {
    "categorical_features", "categories", "classes", "constant", "drop", "interaction_cst", "outlier_label",
    "transform_input",
}  # fmt: skip
_DICTIONARIES = {
    "class_weight": None,
    "fun_args": {"alpha"},
    "kernel_params": {"gamma", "coef0", "degree"},
    "metric_params": {"p", "w", "V", "VI"},
    "monotonic_cst": None,
    "transformer_weights": None,
}
"""Dictionaries of numbers, by their allowed keys."""
_COMPONENTS = {"estimators", "steps", "transformer_list", "transformers"}
_PASSING = (None, "drop", "passthrough")

_UNDECLARED: Mapping[str, Mapping[str, list[Any]]] = {
    "FeatureUnion": {
        "transformer_list": [list],
        "n_jobs": [int, None],
        "transformer_weights": [dict, None],
        "verbose": ["verbose"],
        "verbose_feature_names_out": ["boolean"],
    },
    "SimpleImputer": {"fill_value": [int, float, str, None]},
}
"""Parameters that these scikit-learn classes do not declare."""


def check_arguments(kind: type, arguments: Mapping[str, Any]) -> None:
    """Check the arguments of a scikit-learn class; estimators among them have already been checked.

    Raises
    ------
    SettingsError
        If a parameter is unknown, or its value may not be set from text.
    """
    for name, value in arguments.items():
        _check(kind, name, value, name)
    for name in _SEARCHES:
        if name in arguments:
            _check_grids(kind, name, arguments[name], arguments.get("estimator"))


def is_estimator(value: Any) -> bool:
    """Whether a value is an instance of a model or a preprocessing step."""
    return hasattr(value, "get_params") and not isinstance(value, type)


def _check(kind: type, name: str, value: Any, shown: str) -> None:
    declared = _declared(kind).get(name)
    if declared is None and name not in _names(kind):
        raise SettingsError(
            'Setting "parameters": {owner} has no parameter "{name}".', owner=kind.__name__, name=escaped(shown)
        )
    allowed = [each for each in declared or () if _is_data(each, name)]
    if name == "verbose" and value not in (0, False):
        raise SettingsError(
            'Setting "parameters": "{name}" of {owner} must be 0 or omitted, because models print nothing here.',
            owner=kind.__name__,
            name=escaped(shown),
        )
    if _is_default(kind, name, value) or any(_fulfils(each, name, value) for each in allowed):
        return
    described = " or ".join(dict.fromkeys(filter(None, (_described(each, name) for each in allowed))))
    if described in ("", "None"):
        raise SettingsError(
            'Setting "parameters": "{name}" of {owner} cannot be {value}, because text may not make a model load, '
            "write or run anything. Omit it.",
            owner=kind.__name__,
            name=escaped(shown),
            value=escaped(repr(value)),
        )
    raise SettingsError(
        'Setting "parameters": "{name}" of {owner} must be {allowed}, not {value}.',
        owner=kind.__name__,
        name=escaped(shown),
        allowed=described,
        value=escaped(repr(value)),
    )


def _declared(kind: type) -> dict[str, list[Any]]:
    """The valid values of each parameter of a class, as declared by scikit-learn; undeclared ones are absent."""
    from sklearn.utils._param_validation import make_constraint

    told = {**getattr(kind, "_parameter_constraints", {}), **_UNDECLARED.get(kind.__name__, {})}
    told = {name: each for name, each in told.items() if each != "no_validation"}
    return {name: [make_constraint(each) for each in told[name]] for name in _names(kind) if name in told}


def _names(kind: type) -> list[str]:
    return list(kind._get_param_names()) if hasattr(kind, "_get_param_names") else []


def _is_default(kind: type, name: str, value: Any) -> bool:
    return _is_scalar(value) and repr(value) == repr(inspect.signature(kind).parameters[name].default)


def _is_data(constraint: Any, name: str) -> bool:
    """Whether data can satisfy a constraint."""
    what = type(constraint).__name__
    if what == "_InstancesOf":
        return (_takes(constraint, str) and name in _TEXTS) or _takes(constraint, int, float, list, tuple, dict)
    if what == "HasMethods":
        return bool({"fit", "transform"} & set(constraint.methods))
    return what in _DATA or what in ("MissingValues", "_ArrayLikes", "_CVObjects", "_VerboseHelper")


def _takes(constraint: Any, *kinds: type) -> bool:
    return any(issubclass(kind, constraint.type) for kind in kinds)


def _fulfils(constraint: Any, name: str, value: Any) -> bool:
    """Whether a value satisfies a constraint, in the strict sense required of text."""
    what = type(constraint).__name__
    if what in _DATA:
        return _is_scalar(value) and bool(constraint.is_satisfied_by(value))
    if what in ("MissingValues", "_VerboseHelper"):
        return _is_scalar(value)
    if what == "HasMethods":
        return is_estimator(value) and bool(constraint.is_satisfied_by(value))
    if what == "_ArrayLikes":
        return isinstance(value, list | tuple) and _is_array(value, name)
    if what == "_CVObjects":
        if isinstance(value, list | tuple):
            return _is_array(value, name)
        return value is None or (isinstance(value, int) and bool(constraint.is_satisfied_by(value)))
    if not constraint.is_satisfied_by(value):
        return False
    if isinstance(value, str):
        return _TEXTS[name][1](value)
    return _is_scalar(value) or _is_container(name, value)


def _is_container(name: str, value: Any) -> bool:
    """Whether a list, tuple or dictionary contains only values that this parameter allows."""
    if name in _SEARCHES:
        return True  # is checked as a whole
    if name in _COMPONENTS:
        return all(_is_component(each) for each in value)
    if name == "scoring":
        return all(isinstance(each, str) and _is_scorer(each) for each in _values(value)) and _has_plain_keys(value)
    if isinstance(value, dict):
        keys = _DICTIONARIES.get(name, set())
        return _has_plain_keys(value) and (keys is None or keys >= set(value)) and _is_array(_values(value), name)
    if name == "class_weight":
        return all(isinstance(each, dict) and _is_container(name, each) for each in value)
    return isinstance(value, list | tuple) and _is_array(value, name)


def _is_component(value: Any) -> bool:
    """Whether a value is a name with an estimator, or a placeholder for none, and optionally with columns."""
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= 3 or not isinstance(value[0], str):
        return False
    columns = value[2] if len(value) == 3 else ()
    columns = columns if isinstance(columns, list | tuple) else [columns]
    return (is_estimator(value[1]) or value[1] in _PASSING) and all(map(_is_scalar, columns))


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _is_array(values: Any, name: str) -> bool:
    """Whether nested lists contain only numbers, and texts if these are names."""
    return all(
        _is_array(each, name)
        if isinstance(each, list | tuple)
        else _is_scalar(each) and (not isinstance(each, str) or name in _LISTS_OF_TEXTS)
        for each in values
    )


def _values(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _has_plain_keys(value: Any) -> bool:
    return not isinstance(value, dict) or all(_is_scalar(key) for key in value)


def _check_grids(kind: type, name: str, grids: Any, estimator: Any) -> None:
    """Check parameters that a search sets after construction: any parameter of the estimator or of its parts."""
    for grid in grids if isinstance(grids, list) else [grids]:
        if not isinstance(grid, dict) or not all(
            isinstance(key, str) and isinstance(values, list | tuple) for key, values in grid.items()
        ):
            raise SettingsError(
                'Setting "parameters": "{name}" of {owner} must list parameter names, each with a list of values, '
                "not {value}.",
                owner=kind.__name__,
                name=name,
                value=escaped(repr(grid)),
            )
        for key, values in grid.items():
            *path, leaf = key.split("__")
            owners = list(_owners(estimator, path, grid))
            parts = [each for each in owners if leaf in _parts(each)]
            if not owners or leaf in _SEARCHES:
                raise SettingsError(
                    'Setting "parameters": "{name}" of {owner} cannot set "{key}".',
                    owner=kind.__name__, name=name, key=escaped(key),
                )  # fmt: skip
            for value in values:
                for owner in owners:
                    if leaf in _names(type(owner)) or owner not in parts:
                        _check(type(owner), leaf, value, key)
                    elif not is_estimator(value) and value not in _PASSING:
                        raise SettingsError(
                            'Setting "parameters": "{name}" of {owner} must be an estimator, not {value}.',
                            owner=type(owner).__name__, name=escaped(key), value=escaped(repr(value)),
                        )  # fmt: skip


def _owners(estimator: Any, path: list[str], grid: Mapping[str, Any], above: str = "") -> Iterator[Any]:
    """Every estimator that may be at a path such as ["model", "estimator"] once parts of a grid are set."""
    if not path:
        if is_estimator(estimator):
            yield estimator
        return
    at = f"{above}__{path[0]}" if above else path[0]
    held = {**estimator.get_params(deep=False), **_parts(estimator)} if is_estimator(estimator) else {}
    for part in (held.get(path[0]), *grid.get(at, ())):
        yield from _owners(part, path[1:], grid, at)


def _parts(estimator: Any) -> dict[str, Any]:
    """The named components of a pipeline, a vote and the like."""
    held = estimator.get_params(deep=False)
    lists = [held[name] for name in _COMPONENTS if isinstance(held.get(name), list | tuple)]
    return {each[0]: each[1] for components in lists for each in components}


def _described(constraint: Any, name: str) -> str:
    """The values that satisfy a constraint, in words; "" if scikit-learn does not say."""
    what = type(constraint).__name__
    if getattr(constraint, "hidden", False):
        return ""
    if what == "StrOptions":
        options = sorted(map(repr, constraint.options))
        return ", ".join(options[:_OPTIONS]) + (", …" if len(options) > _OPTIONS else "")
    if what == "_Booleans":
        return "True or False"
    if what == "_RandomStates":
        return "a whole number or None"
    if what == "_CVObjects":
        return "a number of folds"
    if what == "_ArrayLikes":
        return "a list"
    if what != "_InstancesOf":
        return str(constraint)
    if name in _COMPONENTS:
        return "a list of names, each with an estimator"
    if name in _TEXTS and _takes(constraint, str):
        return _TEXTS[name][0]
    if name in _SEARCHES:
        return "a dictionary of lists"
    if _takes(constraint, dict):
        keys = _DICTIONARIES.get(name, set())
        return f"a dictionary of {', '.join(sorted(keys))}" if keys else "" if keys == set() else "a dictionary"
    return "a list" if _takes(constraint, list, tuple) else "a number"
