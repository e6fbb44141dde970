"""fsdesk: wrapper feature selection that can be watched live. This is the public API, imported lazily."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsdesk.data import Dataset, QuestionError, from_frame, read_table
    from fsdesk.engine import RunSpec
    from fsdesk.errors import DataError, ProjectError, SettingsError, UserError, WorkerError, WrapperError
    from fsdesk.estimators import FeatureSelector
    from fsdesk.measure import Evaluator, Measurement
    from fsdesk.results.new_rows import Predictions, predict, read_frame, validate
    from fsdesk.results.opened import OpenedProject, open_project
    from fsdesk.results.result import Result
    from fsdesk.results.select import Progress, select
    from fsdesk.results.study import Study, study

__all__ = [
    "DataError",
    "Dataset",
    "Evaluator",
    "FeatureSelector",
    "Measurement",
    "OpenedProject",
    "Predictions",
    "Progress",
    "ProjectError",
    "QuestionError",
    "Result",
    "RunSpec",
    "SettingsError",
    "Study",
    "UserError",
    "WorkerError",
    "WrapperError",
    "from_frame",
    "open_project",
    "predict",
    "read_frame",
    "read_table",
    "select",
    "study",
    "validate",
]

_HOMES = {
    **dict.fromkeys(
        ("DataError", "ProjectError", "SettingsError", "UserError", "WorkerError", "WrapperError"), "fsdesk.errors"
    ),
    "QuestionError": "fsdesk.data",
    "Dataset": "fsdesk.data",
    "Evaluator": "fsdesk.measure",
    "FeatureSelector": "fsdesk.estimators",
    "Measurement": "fsdesk.measure",
    "OpenedProject": "fsdesk.results.opened",
    "Predictions": "fsdesk.results.new_rows",
    "Progress": "fsdesk.results.select",
    "Result": "fsdesk.results.result",
    "RunSpec": "fsdesk.engine",
    "Study": "fsdesk.results.study",
    "from_frame": "fsdesk.data",
    "open_project": "fsdesk.results.opened",
    "predict": "fsdesk.results.new_rows",
    "read_frame": "fsdesk.results.new_rows",
    "read_table": "fsdesk.data",
    "select": "fsdesk.results.select",
    "study": "fsdesk.results.study",
    "validate": "fsdesk.results.new_rows",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("fsdesk")
    if name not in _HOMES:
        raise AttributeError(f"module 'fsdesk' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(["__version__", *(name for name in globals() if name.startswith("__")), *__all__])
