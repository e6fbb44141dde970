"""Which settings of a measurement serve a purpose for the data at hand, and which values can be chosen."""

from collections.abc import Mapping

from fsdesk.data import Dataset
from fsdesk.measure import CRITERIA
from fsdesk.settings import Value
from fsdesk.wrappers import Task

__all__ = ["idle_settings", "offered_criteria", "offered_protocols", "task_of"]

_DECIDED_BY: dict[str, tuple[str, tuple[str, ...]]] = {
    "repeats": ("protocol", ("folds", "hold-out")),
    "folds": ("protocol", ("folds", "time")),
    "test_share": ("protocol", ("hold-out",)),
    "stratify": ("protocol", ("folds", "hold-out")),
    "std_error_limit": ("protocol", ("folds", "hold-out")),
    "scaler": ("scaling", ("fold", "once")),
    "costs": ("criterion", ("cost",)),
    "positive": ("criterion", ("f1",)),
    "keep": ("prefilter", ("f", "mutual information", "relieff")),
}
"""Setting: the one that decides whether it does anything, and with which of its values it does."""


def task_of(dataset: Dataset | None) -> Task:
    """What must be predicted; classes while there is no data."""
    return "classification" if dataset is None or dataset.response is None else "regression"


def idle_settings(values: Mapping[str, Value], dataset: Dataset | None) -> frozenset[str]:
    """Names of the settings that do nothing with these values and data."""
    idle = {name for name, (decides, wanted) in _DECIDED_BY.items() if values.get(decides) not in wanted}
    if task_of(dataset) == "regression":
        idle.add("stratify")
    return frozenset(idle & set(values))


def offered_criteria(dataset: Dataset | None) -> tuple[str, ...]:
    """The criteria that fit the target."""
    task = task_of(dataset)
    return ("auto", *(criterion.name for criterion in CRITERIA if criterion.task == task))


def offered_protocols(dataset: Dataset | None) -> tuple[str, ...]:
    """The validations that the columns of the data allow."""
    offered = ["folds", "hold-out", "leave-one-out"]
    if dataset is not None and dataset.fold_of is not None:
        offered.append("column")
    if dataset is not None and dataset.time is not None:
        offered.append("time")
    return tuple(offered)
