"""From what a person gives as a wrapper to an entry of the registry with its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsdesk.errors import SettingsError
from fsdesk.settings import Value
from fsdesk.wrappers.scikit_learn import Estimator, estimator_values
from fsdesk.wrappers.wrapper import WRAPPERS, Wrapper
from fsdesk.wrappers.written import model_named


@dataclass(frozen=True)
class NamedWrapper:
    """A wrapper's registered name and the settings that were given with it."""

    name: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def build(self) -> Wrapper:
        """The wrapper itself."""
        return WRAPPERS[self.name].build(self.values)


def named_wrapper(given: object) -> NamedWrapper:
    """Understand a name, the name of a scikit-learn class, a wrapper, or an instance of a scikit-learn class.

    Raises
    ------
    SettingsError
        Where it is none of these.
    """
    if isinstance(given, Wrapper):
        name = next((entry.name for entry in WRAPPERS if entry.model is type(given)), "")
        return NamedWrapper(name, given.model_dump())
    if not isinstance(given, str):
        if not isinstance(given, type) and hasattr(given, "get_params") and hasattr(given, "fit"):
            return NamedWrapper("sklearn", estimator_values(given))
        raise SettingsError(
            "A wrapper is a name or an instance of a scikit-learn estimator (got {given}).", given=repr(given)
        )
    if given not in WRAPPERS.entries and given[:1].isupper():
        model_named(given)  # a name that scikit-learn does not know gets its own sentence
        return NamedWrapper("sklearn", Estimator(estimator=given).model_dump())
    return NamedWrapper(WRAPPERS[given].name)
