"""RunSpec: everything that determines a run, so that the same spec on the same data gives the same masks."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, cast

from pydantic import Field, field_validator

from fsdesk.data import Dataset
from fsdesk.errors import SettingsError
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS, Method
from fsdesk.settings import Settings, Value, validated
from fsdesk.wrappers import WRAPPERS, Wrapper

__all__ = ["RunSpec"]

_LIBRARIES = ("fsdesk", "numpy", "numba")


def _versions() -> dict[str, str]:
    return {library: version(library) for library in _LIBRARIES}


class RunSpec(Settings):
    """One method on one data set with one wrapper, criterion and seed."""

    method: str = "bspsa"
    method_settings: dict[str, Any] = Field(default_factory=dict)
    wrapper: str = "nn"
    wrapper_settings: dict[str, Any] = Field(default_factory=dict)
    measuring: MeasureSettings = Field(default_factory=MeasureSettings)
    seed: int = Field(default=0, ge=0)
    data_name: str = ""
    data_fingerprint: str = ""
    features: int = Field(default=1, ge=1)
    versions: dict[str, str] = Field(default_factory=_versions)

    @field_validator("method")
    @classmethod
    def _known_method(cls, name: str) -> str:
        METHODS[name]
        return name

    @field_validator("wrapper")
    @classmethod
    def _known_wrapper(cls, name: str) -> str:
        WRAPPERS[name]
        return name

    def build_method(self) -> Method:
        """The method with its settings."""
        return METHODS[self.method].build(self.method_settings)

    def build_wrapper(self) -> Wrapper:
        """The wrapper with its settings."""
        return WRAPPERS[self.wrapper].build(self.wrapper_settings)

    @property
    def measurements(self) -> int:
        """Most measurements that the run can take, the all-features baseline included."""
        return 1 + self.build_method().budget(self.features)

    @classmethod
    def make(
        cls,
        dataset: Dataset,
        *,
        method: str = "bspsa",
        wrapper: str = "nn",
        seed: int = 0,
        preset: str | None = None,
        settings: Mapping[str, Value] | None = None,
    ) -> "RunSpec":
        """Make the spec of a run from names and values as a person gives them.

        Parameters
        ----------
        preset
            A preset of the method; the one that suits the number of features where none is named.
        settings
            Values by name, of the method, the wrapper or the measurement: ``{"max_iterations": 1000, "folds": 5}``.

        Raises
        ------
        SettingsError
            With one sentence for the first name or value that is off.
        """
        features = len(dataset.features)
        groups = _sorted_out(settings or {}, METHODS[method].model, WRAPPERS[wrapper].model)
        values = {
            "method": method,
            "method_settings": METHODS[method].build(groups[0], preset=preset, features=features).model_dump(),
            "wrapper": wrapper,
            "wrapper_settings": WRAPPERS[wrapper].build(groups[1], features=features).model_dump(),
            "measuring": MeasureSettings().updated(groups[2]),
            "seed": seed,
            "data_name": dataset.name,
            "data_fingerprint": dataset.fingerprint,
            "features": features,
        }
        return validated(cls, values)


def _sorted_out(
    values: Mapping[str, Value], method: type[Method], wrapper: type[Wrapper]
) -> tuple[dict[str, Value], dict[str, Value], dict[str, Value]]:
    """Hand each value to the one of method, wrapper and measurement that declares its name."""
    models: tuple[type[Settings], ...] = (method, wrapper, MeasureSettings)
    groups: tuple[dict[str, Value], ...] = ({}, {}, {})
    for name, value in values.items():
        owners = [group for model, group in zip(models, groups, strict=True) if name in model.model_fields]
        if not owners:
            known = ", ".join(field for model in models for field in model.model_fields)
            raise SettingsError(f'There is no setting "{name}" here; there are: {known}.')
        for owner in owners:
            owner[name] = value
    return cast("tuple[dict[str, Value], dict[str, Value], dict[str, Value]]", groups)
