"""From what a person asked for to the spec of a run, also where two groups of settings share a name."""

from collections.abc import Mapping
from typing import Any

from fsdesk.data import Dataset
from fsdesk.engine import Prefilter, RunSpec
from fsdesk.errors import SettingsError
from fsdesk.measure import MeasureSettings, criterion_for
from fsdesk.methods import METHODS
from fsdesk.settings import Settings, Value, validated
from fsdesk.wrappers import WRAPPERS, named_wrapper

__all__ = ["spec_for"]

_FIELDS = {
    "method": "method_settings",
    "wrapper": "wrapper_settings",
    "measuring": "measuring",
    "prefilter": "prefilter",
}


def spec_for(dataset: Dataset, *, method: str, wrapper: object, settings: Mapping[str, Value], **asked: Any) -> RunSpec:
    """:meth:`RunSpec.make`, whose settings may say whose they are: "method.alpha", "wrapper.alpha", "measuring.folds".

    Raises
    ------
    SettingsError
        Where a name is unknown, or is that of two groups and does not say which.
    """
    models: dict[str, type[Settings]] = {
        "method": METHODS[method].model,
        "wrapper": WRAPPERS[named_wrapper(wrapper).name].model,
        "measuring": MeasureSettings,
        "prefilter": Prefilter,
    }
    plain: dict[str, Value] = {}
    owned: dict[str, dict[str, Value]] = {group: {} for group in models}
    for name, value in settings.items():
        group, _, field = name.rpartition(".")
        owners = [owner for owner, model in models.items() if field in model.model_fields]
        if group in owned and owners == [group]:
            plain[field] = value
        elif group in owned:
            owned[group][field] = value
        elif len(owners) > 1:
            ways = " or ".join(f"{owner}.{name}" for owner in owners)
            raise SettingsError(f'Setting "{name}" is that of {" and ".join(owners)}: write {ways}.')
        else:
            plain[name] = value
    spec = RunSpec.make(dataset, method=method, wrapper=wrapper, settings=plain, **asked)
    changed = {
        _FIELDS[group]: models[group].model_validate(_dumped(spec, group)).updated(values).model_dump()
        for group, values in owned.items()
        if values
    }
    if not changed:
        return spec
    spec = validated(RunSpec, {**spec.model_dump(), **changed})
    usual = criterion_for(dataset, spec.measuring).name
    return spec.model_copy(update={"measuring": spec.measuring.updated({"criterion": usual})})


def _dumped(spec: RunSpec, group: str) -> dict[str, Any]:
    values = getattr(spec, _FIELDS[group])
    return dict(values) if isinstance(values, dict) else dict(values.model_dump())
