"""RunSpec: everything that determines a run, so that the same spec on the same data gives the same masks."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Literal

from pydantic import Field, field_validator

from fsdesk.data import Dataset
from fsdesk.engine.space import Space
from fsdesk.errors import SettingsError
from fsdesk.measure import MeasureSettings, criterion_for
from fsdesk.methods import DEFAULT_METHOD, METHODS, Method, check_start
from fsdesk.settings import Settings, Value, setting, validated
from fsdesk.wrappers import WRAPPERS, Wrapper, named_wrapper

__all__ = ["Prefilter", "RunSpec", "library_versions", "planned_fits"]

_LIBRARIES = ("fsdesk", "numpy", "scikit-learn")
_QUICK_FITS, _SLOW_FITS = 1_000_000, 40_000  # that a search on resampled rows plans with: about a minute of either

_version = cache(version)  # it reads a file of text each time, the first time for some milliseconds


def library_versions() -> dict[str, str]:
    """Versions of what the numbers of a run come from, by name."""
    return {library: _version(library) for library in _LIBRARIES}


def planned_fits(wrapper: Wrapper, measuring: MeasureSettings) -> int:
    """How many single fits (trained once, judged once) a search on resampled rows should plan with for a model."""
    is_quick = measuring.criterion in ("auto", "error") and wrapper.fits_quickly(measuring.scaler)
    return _QUICK_FITS if is_quick else _SLOW_FITS


class Prefilter(Settings):
    """Whether only the best features by a filter are searched."""

    prefilter: Literal["none", "f", "mutual information", "relieff"] = setting(
        "none",
        title="Filter first",
        help="Searches only the best features by a quick score of each one; it has seen all rows, so the error gets "
        "more optimistic.",
        source="none: as in the paper; it helps on very wide tables and hurts on others",
        level="all",
        choices={
            "none": "No, search all",
            "f": "F statistic",
            "mutual information": "Mutual information",
            "relieff": "ReliefF",
        },
    )
    keep: int = setting(
        1000,
        title="Features kept by the filter",
        help="How many of the best features by the filter are searched.",
        source="a tenth of a gene chip or less",
        ge=1,
        le=1_000_000,
        level="all",
    )


class RunSpec(Settings):
    """One method on one data set with one wrapper, criterion and seed.

    ``always``, ``never``, ``together`` and ``start`` are names of features: see :class:`fsdesk.engine.space.Space`;
    ``start`` are those that the search begins with, such as the answer of another run. Numbers of features that a
    method is asked for count those that are always in; features that go together count as one. ``units`` is how many
    features, or groups of them, there are to choose among; 0: all features.
    """

    method: str = "bspsa"
    method_settings: dict[str, Any] = Field(default_factory=dict)
    wrapper: str = "nn"
    wrapper_settings: dict[str, Any] = Field(default_factory=dict)
    measuring: MeasureSettings = Field(default_factory=MeasureSettings)
    prefilter: Prefilter = Field(default_factory=Prefilter)
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    start: tuple[str, ...] = ()
    seed: int = Field(default=0, ge=0)
    data_name: str = ""
    data_fingerprint: str = ""
    features: int = Field(default=1, ge=1)
    units: int = Field(default=0, ge=0)
    versions: dict[str, str] = Field(default_factory=library_versions)

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

    def method_at_work(self) -> Method:
        """The method as it searches: at the model's pace, and with sizes beside the features always in."""
        fits = planned_fits(self.build_wrapper(), self.measuring)
        return self.build_method().paced(fits).beside(len(set(self.always)))

    def build_wrapper(self) -> Wrapper:
        """The wrapper with its settings."""
        return WRAPPERS[self.wrapper].build(self.wrapper_settings)

    def build_space(self, dataset: Dataset) -> Space:
        """What the method chooses among."""
        prefilter = self.prefilter.prefilter
        return Space(
            dataset,
            always=self.always,
            never=self.never,
            together=self.together,
            prefilter=None if prefilter == "none" else prefilter,
            keep=self.prefilter.keep,
        )

    @property
    def selects(self) -> bool:
        """Whether features are chosen by these data: all of them, unfiltered, are not."""
        return METHODS[self.method].model.selects or self.prefilter.prefilter != "none"

    @property
    def measurements(self) -> int:
        """Most measurements that the run can take, the all-features baseline included."""
        return 1 + self.method_at_work().budget(self.units or self.features, started=bool(self.start))

    @classmethod
    def make(
        cls,
        dataset: Dataset,
        *,
        method: str = DEFAULT_METHOD,
        wrapper: object = "nn",
        seed: int = 0,
        preset: str | None = None,
        settings: Mapping[str, Value] | None = None,
        always: Sequence[str] = (),
        never: Sequence[str] = (),
        together: Sequence[Sequence[str]] = (),
        start: Sequence[str] = (),
    ) -> "RunSpec":
        """Make the spec of a run from names and values as a person gives them.

        Parameters
        ----------
        wrapper
            A name, the name of a scikit-learn class, or an instance of one.
        preset
            A preset of the method; the one that suits the number of features where none is named.
        settings
            Values by name, of the method, the wrapper or the measurement: ``{"max_iterations": 1000, "folds": 5}``;
            where two have one name, with its owner: ``{"method.alpha": 0.6}``.
        always, never, together, start
            Names of features that are always or never in, groups that go together, and those to begin with.

        Raises
        ------
        SettingsError
            With one sentence for the first name or value that is off.
        """
        model = named_wrapper(wrapper)
        models: dict[str, type[Settings]] = {
            "method": METHODS[method].model,
            "wrapper": WRAPPERS[model.name].model,
            "measuring": MeasureSettings,
            "prefilter": Prefilter,
        }
        given = _sorted_out(settings or {}, models)
        check_start(method, start)
        features = len(dataset.features)
        measured = MeasureSettings().updated(given["measuring"])
        filtered = Prefilter().updated(given["prefilter"])
        free = Space(dataset, always=always, never=never, together=together).units
        values = {
            "method": method,
            "method_settings": METHODS[method].build(given["method"], preset=preset, features=features).model_dump(),
            "wrapper": model.name,
            "wrapper_settings": WRAPPERS[model.name].build({**model.values, **given["wrapper"]}).model_dump(),
            "measuring": measured.updated({"criterion": criterion_for(dataset, measured).name}),
            "prefilter": filtered,
            "always": tuple(always),
            "never": tuple(never),
            "together": tuple(map(tuple, together)),
            "start": tuple(start),
            "seed": seed,
            "data_name": dataset.name,
            "data_fingerprint": dataset.fingerprint,
            "features": features,
            "units": free if filtered.prefilter == "none" else min(free, filtered.keep),
        }
        spec = validated(cls, values)
        spec.method_at_work().check(spec.units)  # both may complain
        return spec


def _sorted_out(values: Mapping[str, Value], models: Mapping[str, type[Settings]]) -> dict[str, dict[str, Value]]:
    """Hand each value to the group that declares its name; "method.alpha" says which where two groups do."""
    groups: dict[str, dict[str, Value]] = {group: {} for group in models}
    for name, value in values.items():
        group, _, field = name.rpartition(".")
        owners = [owner for owner, model in models.items() if field in model.model_fields and group in ("", owner)]
        if not owners:
            known = ", ".join(each for model in models.values() for each in model.model_fields)
            raise SettingsError(f'There is no setting "{name}" here; there are: {known}.')
        if len(owners) > 1:
            ways = " or ".join(f"{owner}.{field}" for owner in owners)
            raise SettingsError(f'Setting "{name}" is that of {" and ".join(owners)}: write {ways}.')
        groups[owners[0]][field] = value
    return groups
