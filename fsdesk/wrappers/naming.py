"""Resolution of a user's wrapper argument to a registry entry with its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsdesk.errors import SettingsError
from fsdesk.settings import Value
from fsdesk.wrappers import handed_over
from fsdesk.wrappers.scikit_learn import Estimator, estimator_values
from fsdesk.wrappers.wrapper import WRAPPERS, Wrapper
from fsdesk.wrappers.written import model_named


@dataclass(frozen=True)
class NamedWrapper:
    """A wrapper's registered name and the settings given with it."""

    name: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def build(self) -> Wrapper:
        """The wrapper itself."""
        return WRAPPERS[self.name].build(self.values)


def named_wrapper(given: object) -> NamedWrapper:
    """Interpret a wrapper's name, a scikit-learn class name, a wrapper, or a model object.

    Raises
    ------
    SettingsError
        If it is none of these.
    """
    if isinstance(given, Wrapper):
        name = next((entry.name for entry in WRAPPERS if entry.model is type(given)), "")
        return NamedWrapper(name, given.model_dump())
    if not isinstance(given, str):
        if handed_over.is_model(given):
            if not hasattr(given, "get_params"):
                return NamedWrapper("sklearn", handed_over.kept(given))
            try:
                return NamedWrapper("sklearn", estimator_values(given))
            except SettingsError:  # third-party, or with a parameter that is not a number or word
                if not handed_over.predicts_a_target(given):
                    raise
                return NamedWrapper("sklearn", handed_over.kept(given))
        raise SettingsError(
            "A wrapper must be a name, or an instance of a model with fit and predict (got {given}).", given=repr(given)
        )
    if given not in WRAPPERS.entries and given[:1].isupper():
        model_named(given)  # a name unknown to scikit-learn has its own message
        return NamedWrapper("sklearn", Estimator(estimator=given).model_dump())
    return NamedWrapper(WRAPPERS[given].name)
