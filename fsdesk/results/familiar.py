"""scikit-learn's cv, scoring and n_features_to_select, as settings of a run."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fsdesk.data import Dataset
from fsdesk.errors import SettingsError, did_you_mean
from fsdesk.measure import CRITERIA
from fsdesk.messages import message, quoted
from fsdesk.methods import METHODS
from fsdesk.settings import Value

_OF_FUNCTIONS = {
    "accuracy_score": "accuracy", "balanced_accuracy_score": "balanced_accuracy", "roc_auc_score": "roc_auc",
    "log_loss": "neg_log_loss", "matthews_corrcoef": "matthews_corrcoef", "r2_score": "r2",
    "root_mean_squared_error": "neg_root_mean_squared_error", "mean_absolute_error": "neg_mean_absolute_error",
    "f1_score": "f1",
}  # fmt: skip
_WITH_ARGUMENTS: dict[tuple[str, tuple[tuple[str, object], ...]], str] = {
    ("f1_score", (("average", "macro"),)): "f1_macro",
    ("roc_auc_score", (("multi_class", "ovr"),)): "roc_auc_ovr",
    ("roc_auc_score", (("multi_class", "ovo"),)): "roc_auc_ovo",
}
_REPEATED = ("RepeatedKFold", "RepeatedStratifiedKFold")
_HELD_OUT = ("ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit")
_ONE_OUT = ("LeaveOneOut", "LeaveOneGroupOut")


def with_familiar(
    dataset: Dataset,
    settings: Mapping[str, Value],
    *,
    method: str,
    cv: Any = None,
    scoring: Any = None,
    n_features_to_select: float | None = None,
) -> tuple[Dataset, dict[str, Value]]:
    """The data set and the settings, including those given in scikit-learn's terms.

    Parameters
    ----------
    dataset
        With n rows and p features.
    settings
        Settings given by their own names; specifying them twice is an error.
    method
        Name of the search method.
    cv
        A number of folds, 2 or more; a scikit-learn splitter; or pairs of training and test rows.
    scoring
        Name of a scikit-learn score, or a scorer made from one of its functions.
    n_features_to_select
        A number of features, or a fraction between 0 and 1.

    Raises
    ------
    SettingsError
        If one of them has no counterpart, or is given twice.
    """
    made: dict[str, Value] = {}
    if scoring is not None:
        made["criterion"] = criterion_of(scoring, len(dataset.classes))
    if n_features_to_select is not None:
        made["wanted"] = _wanted(n_features_to_select, len(dataset.features), method)
    if cv is not None:
        dataset, folds = _validation(dataset, cv)
        made |= folds
    twice = [name for name in made if name in settings]
    if twice:
        raise SettingsError(
            "{names} is set twice: in settings, and by cv, scoring or n_features_to_select.", names=quoted(twice)
        )
    return dataset, {**settings, **made}


def criterion_of(scoring: Any, classes: int) -> str:
    """The criterion that corresponds to a scikit-learn score, such as "auc" for "roc_auc".

    With two classes, F1 is that of the positive class, "f1"; with more classes, it is their mean, "f1_macro".
    """
    known: dict[str, str] = {}
    for each in CRITERIA:
        for score in filter(None, (each.scoring, each.scoring_of_several)):
            known.setdefault(score, each.name)
    known["f1"] = known.pop("f1_macro")
    if classes > 2:
        known["f1_macro"] = known.pop("f1")
    name = scoring if isinstance(scoring, str) else _name_of(scoring)
    if name not in known:
        raise SettingsError(
            "scoring={scoring} has no matching criterion. Available: {known}.{near}",
            scoring=repr(scoring), known=", ".join(sorted(known)), near=did_you_mean(name or "", known),
        )  # fmt: skip
    return known[name]


def _name_of(scorer: Any) -> str:
    """The name of the score of a scorer; "" if it has none, or if its arguments make it a different score."""
    function = getattr(getattr(scorer, "_score_func", None), "__name__", "")
    given = tuple(sorted(getattr(scorer, "_kwargs", {}).items()))
    return _OF_FUNCTIONS.get(function, "") if not given else _WITH_ARGUMENTS.get((function, given), "")


def _wanted(asked: float, features: int, method: str) -> int:
    if "wanted" not in METHODS[method].model.model_fields:
        able = ", ".join(each.name for each in METHODS if "wanted" in each.model.model_fields)
        raise SettingsError(
            'Method "{method}" does not accept a number of features. Omit n_features_to_select, or choose one of '
            "{able}.",
            method=method, able=able,
        )  # fmt: skip
    if isinstance(asked, Integral) and not isinstance(asked, bool) and asked >= 1:
        return min(int(asked), features)
    if isinstance(asked, Real) and not isinstance(asked, Integral) and 0 < asked <= 1:
        return max(1, int(features * asked))
    raise SettingsError(
        "n_features_to_select must be a number of features, 1 or more, or a share between 0 and 1, not {asked}.",
        asked=repr(asked),
    )


def _validation(dataset: Dataset, cv: Any) -> tuple[Dataset, dict[str, Value]]:
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        return dataset, {"folds": int(cv)}
    kind = type(cv).__name__
    if kind in _REPEATED:
        made: dict[str, Value] = {"folds": cv.cvargs["n_splits"], "repeats": cv.n_repeats}
        return dataset, {**made, "stratify": kind == "RepeatedStratifiedKFold"}
    if kind in _HELD_OUT:
        share = cv.test_size
        if isinstance(share, Integral):
            share = int(share) / len(dataset.rows)
        return dataset, {"protocol": "hold-out", "repeats": cv.n_splits, "test_share": 0.1 if share is None else share}
    if kind in _ONE_OUT:
        return dataset, {"protocol": "leave-one-out"}
    if not (hasattr(cv, "split") or isinstance(cv, Iterable)) or isinstance(cv, str):
        raise SettingsError(
            "cv must be a number of folds, a scikit-learn splitter, or pairs of training and test rows, not {kind}.",
            kind=kind,
        )
    y = dataset.target if dataset.response is None else dataset.response
    try:
        pairs = list(cv.split(dataset.x, y, dataset.groups) if hasattr(cv, "split") else cv)
    except ValueError as error:
        advice = message(" Name the column of the groups: group=...") if dataset.groups is None else ""
        raise SettingsError(
            "{kind} cannot split these rows ({reason}).{advice}", kind=kind, reason=str(error).strip(), advice=advice
        ) from error
    fold_of = np.full(len(dataset.rows), -1, dtype=np.int64)
    count = 0
    for trained, tested in pairs:
        rows = np.zeros(len(fold_of), dtype=np.bool_)
        rows[np.asarray(tested)] = True
        others = np.zeros(len(fold_of), dtype=np.bool_)
        others[np.asarray(trained)] = True
        if (fold_of[rows] >= 0).any() or not np.array_equal(others, ~rows):
            fold_of[:] = -1
            break
        fold_of[rows] = count
        count += 1
    if (fold_of < 0).any() or count < 2:
        raise SettingsError(
            "{kind} does not test every row exactly once with a model trained on all others. Give a number of folds, "
            "or for rows in time the setting protocol=time, and the column of the time as time=....",
            kind=kind,
        )
    return replace(dataset, fold_of=fold_of), {"protocol": "column"}
