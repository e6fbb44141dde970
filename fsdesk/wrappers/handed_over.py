"""Models passed by a script: any object with fit and predict, known only in the process of that script."""

from dataclasses import dataclass
from typing import Any

from fsdesk.errors import SettingsError
from fsdesk.settings import Value
from fsdesk.wrappers.written import Call, unfitted

_KNOWN: dict[tuple[str, str], Any] = {}
"""Models by class and parameters; a project file stores only these two, because an object could contain code."""
_LONGEST = 60


NOTE = "the model was handed over by a Python script, which alone has it"


@dataclass(frozen=True)
class HandedOver(Call):
    """A model from a script, instead of a call that creates one."""

    model: Any = None

    @classmethod
    def of(cls, made: Any, classes: int) -> "HandedOver":
        """Wrap a model; for classification, it is trained on class codes, as when it was measured."""
        return cls(type(made).__module__, type(made).__qualname__, {"classes": classes}, made)

    @property
    def code(self) -> str:
        """Raise SettingsError, because the model cannot be written as code."""
        raise SettingsError(
            '"{name}" is a model from a Python script and cannot be exported as another script; leave out the script.',
            name=f"{self.module}.{self.name}",
        )

    def made(self) -> Any:
        """An unfitted copy of the model."""
        from fsdesk.wrappers.exported_models import CodedClassifier, PlainRegressor

        own = unfitted(self.model)
        return CodedClassifier(own) if self.arguments["classes"] else PlainRegressor(own)


def is_model(given: object) -> bool:
    """Whether an object is a model: an instance with ``fit`` and ``predict``."""
    trains, answers = (callable(getattr(given, name, None)) for name in ("fit", "predict"))
    return trains and answers and not isinstance(given, type)


def predicts_a_target(given: Any) -> bool:
    """Whether a model predicts a target, unlike scikit-learn models for other purposes, such as clustering."""
    kind = given.__sklearn_tags__().estimator_type if hasattr(given, "__sklearn_tags__") else None
    return kind in (None, "classifier", "regressor")


def kept(given: Any) -> dict[str, Value]:
    """Keep a model for the lifetime of this process; return the settings that represent it."""
    kind = type(given)
    name, parameters = f"{kind.__module__}.{kind.__qualname__}", _said(given)
    same = sum(other == name and words.partition(" #")[0] == parameters for other, words in _KNOWN)
    if _is_complete(given):  # fully described by its parameters, so the latest model replaces equal ones
        same = 0
    else:
        known = next((key for key, each in _KNOWN.items() if each is given), None)
        if known is not None:
            return {"estimator": known[0], "parameters": known[1]}
    parameters += f" #{same + 1}" if same else ""
    _KNOWN[name, parameters] = given
    return {"estimator": name, "parameters": parameters}


def is_foreign(name: str) -> bool:
    """Whether a name is that of a class from a script, and not from scikit-learn."""
    return "." in name


def is_known(name: str, parameters: str) -> bool:
    """Whether the model is known in this process."""
    return (name, parameters) in _KNOWN


def fresh(name: str, parameters: str) -> Any:
    """An unfitted copy of a model; every unset ``random_state`` is 0.

    Raises
    ------
    SettingsError
        If the model is not known in this process.
    """
    given = _KNOWN.get((name, parameters))
    if given is None:
        raise SettingsError(
            '"{name}" is a model from a Python script. A project stores only its name, and other processes do not '
            "know it; run that script again, with one worker and without a cluster.",
            name=name,
        )
    made = unfitted(given)
    if hasattr(made, "get_params") and hasattr(made, "set_params"):
        for word, value in made.get_params().items():
            if value is None and word.rpartition("__")[2] == "random_state":
                made.set_params(**{word: 0})
    return made


def _said(given: Any) -> str:
    parameters = given.get_params(deep=False) if hasattr(given, "get_params") else {}
    words = {name: " ".join(repr(value).split()) for name, value in parameters.items() if value is not None}
    return ", ".join(f"{name}={_cut(text)}" for name, text in words.items())


def _cut(text: str) -> str:
    text = text.partition(" at 0x")[0]
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _is_complete(given: Any) -> bool:
    """Whether the written parameters distinguish the model from others of its class."""
    if not hasattr(given, "get_params"):
        return False
    values = given.get_params(deep=False).values()
    return all(isinstance(value, str | int | float | bool | None) and len(repr(value)) <= _LONGEST for value in values)
