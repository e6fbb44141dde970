"""Requests and specifications of runs.

Form, settings file, command line and estimator fill a :class:`RunRequest`; with a data set it becomes a
:class:`RunSpec`, in which every setting has a value: the same spec on the same data gives the same masks. A setting
common to all runs is a field of one of the groups in ``SHARED``, and need not be declared anywhere else.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from fsdesk.data import Dataset
from fsdesk.errors import DataError, SettingsError, did_you_mean
from fsdesk.measure import MeasureSettings, criterion_for, times_asked
from fsdesk.measure.blocks import blocks_of
from fsdesk.measure.filters import FilterName, filter_scores
from fsdesk.measure.preparing import determine_class, learns, prepared
from fsdesk.messages import message
from fsdesk.methods import DEFAULT_METHOD, METHODS, Mask, Method, Model, check_start
from fsdesk.settings import Settings, Value, setting, validated
from fsdesk.wrappers import (
    DEFAULT_WRAPPER,
    OF_PAIRS,
    ROBUST,
    STAND_IN,
    STAND_INS,
    USUAL,
    WRAPPERS,
    Automatic,
    Competitor,
    NamedWrapper,
    Wrapper,
    is_simple,
    model_title,
    named_wrapper,
)


class Space:
    """The units of one data set, i.e. the features, or groups of them, that are selected as one.

    Parameters
    ----------
    always, never
        Names of features that are in every mask, or in none.
    together
        Groups of names that are selected or dropped together.
    prefilter, keep
        Only the ``keep`` best free features (or groups) by this filter are searched; None searches all.

    Attributes
    ----------
    searched
        (p,) features that belong to a unit.

    Raises
    ------
    SettingsError
        If a name is unknown or given twice, or nothing is left to search.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        always: Sequence[str] = (),
        never: Sequence[str] = (),
        together: Sequence[Sequence[str]] = (),
        prefilter: FilterName | None = None,
        keep: int = 0,
        measuring: MeasureSettings | None = None,
    ) -> None:
        self.dataset = dataset
        self._measuring = measuring or MeasureSettings()
        self._place = {name: place for place, name in enumerate(dataset.features)}
        p = len(dataset.features)
        self.always = self._mask(always, message("always in"))
        never_in = self._mask(never, message("never in"))
        both = np.flatnonzero(self.always & never_in)
        if len(both):
            raise SettingsError(
                'Feature "{features}" is both always in and never in. Choose one.', features=dataset.features[both[0]]
            )
        unit = np.arange(p)
        for names in together:
            places = np.flatnonzero(self._mask(names, message("together")))
            unit[places] = places.min(initial=p)
        free = ~self.always & ~never_in
        if prefilter is not None and keep:
            free &= self._best(free, unit, prefilter, keep)
        self.searched = free
        self._features = np.flatnonzero(free)
        kept, self._unit = np.unique(unit[self._features], return_inverse=True)
        self.units = len(kept)
        self.is_plain = self.units == p
        if not self.units:
            raise SettingsError(
                "No features are left for the search to choose from. Shorten the lists of features always in or "
                "never in."
            )

    def _mask(self, names: Sequence[str], role: str) -> Mask:
        unknown = [name for name in names if name not in self._place]
        if unknown:
            raise SettingsError(
                '{name} has no feature "{unknown}" ({role}). Check the name.{near}',
                name=self.dataset.name,
                near=did_you_mean(str(unknown[0]), self._place),
                unknown=unknown[0],
                role=role,
            )
        mask: Mask = np.zeros(len(self._place), dtype=np.bool_)
        mask[[self._place[name] for name in names]] = True
        return mask

    def _best(self, free: Mask, unit: NDArray[np.intp], prefilter: FilterName, keep: int) -> Mask:
        """The best free features by a filter, the earlier of equal ones; a group is scored by its best feature."""
        scores = np.full(len(free), -np.inf)
        np.maximum.at(scores, unit[free], self._scored(self.dataset, prefilter)[free])
        best: Mask = np.isin(unit, np.argsort(-scores, kind="stable")[:keep])
        return best

    def mask(self, units: Mask) -> Mask:
        """(p,) feature mask from a (units,) mask."""
        if self.is_plain:
            return units
        mask = self.always.copy()
        mask[self._features] |= units[self._unit]
        return mask

    def weights(self, units: NDArray[np.float64]) -> NDArray[np.float64]:
        """(p,) weights from (units,) weights: 1 for features always selected, 0 for those not searched."""
        if self.is_plain:
            return units
        weights = self.always.astype(np.float64)
        weights[self._features] = units[self._unit]
        return weights

    def with_companions(self, names: Sequence[str]) -> Mask:
        """(p,) mask of these features and all that are selected together with them."""
        mask = self._mask(names, message("steering"))
        chosen = np.bincount(self._unit, weights=mask[self._features], minlength=self.units) > 0
        mask[self._features] |= chosen[self._unit]
        return mask

    def names(self, mask: Mask) -> tuple[str, ...]:
        """Names of the features in a (p,) mask."""
        return self.names_at(np.flatnonzero(mask))

    def names_at(self, places: NDArray[np.intp]) -> tuple[str, ...]:
        """Names of the features with these indices."""
        return tuple(self.dataset.features[place] for place in places.tolist())

    def start(self, names: Sequence[str]) -> Mask | None:
        """(units,) mask of the units with any of these features; None if there are no names."""
        if not names:
            return None
        chosen = self._mask(names, message("to start with"))[self._features]
        units: Mask = np.bincount(self._unit, weights=chosen, minlength=self.units) > 0
        if not units.any():
            raise SettingsError("None of the initial features can be selected. Choose others.")
        return units

    def scores(self, name: FilterName, dataset: Dataset | None = None, threads: int = 1) -> NDArray[np.float64]:
        """(units,) filter scores, the largest one of each group; from all rows, or those of another ``dataset``."""
        scores = np.full(self.units, -np.inf)
        np.maximum.at(scores, self._unit, self._scored(dataset or self.dataset, name, threads)[self._features])
        return scores

    def _scored(self, dataset: Dataset, name: FilterName, threads: int = 1) -> NDArray[np.float64]:
        """(p,) scores of the values used by models, prepared from these rows."""
        return filter_scores(prepared(dataset, self._measuring), name, threads)


ENOUGH_ROWS = 10_000
"""Number of rows sufficient for a search if measuring all of them takes long."""

_LIBRARIES = ("fsdesk", "numpy", "scikit-learn")
_QUICK_FITS, _SHARED_FITS, USUAL_FITS, _FEW_FITS, _SLOW_FITS = 1_000_000, 50_000, 40_000, 15_000, 2_400
"""Fits planned for a search on resampled rows: about a minute for the first two, a few minutes for the last."""
_FITS_PER_UNIT, _LEAST_SHARED_FITS = 384, 12_000


@cache
def _version(library: str) -> str:
    from importlib.metadata import version  # it imports e-mail parsing, which takes some milliseconds

    return version(library)


def library_versions() -> dict[str, str]:
    """Versions, by name, of the packages that determine the numbers of a run."""
    return {library: _version(library) for library in _LIBRARIES}


def planned_fits(wrapper: Wrapper, measuring: MeasureSettings, units: int = 0, classes: int = 0) -> int:
    """How many single fits (trained once, scored once) a search on resampled rows should plan for a model.

    If models compete, about 1,000 steps of BSPSA-R, and eight for each unit if units are few: on twelve kinds of
    synthetic tables with 15 to 280 features the lists are as good as those of 1,000, while two for each unit miss
    interacting pairs. A fit of a linear model takes longer with more classes, so that fewer are planned. 0 units or
    classes: unknown.
    """
    if wrapper.competes:
        most = _SHARED_FITS if measuring.criterion in ("auto", "error") else _FEW_FITS
        enough = _FITS_PER_UNIT * units * 2 // max(2, classes)
        return min(most, max(enough, _LEAST_SHARED_FITS)) if units else most
    is_quick = measuring.criterion in ("auto", "error") and wrapper.fits_quickly(measuring.scaler)
    if learns(measuring) and measuring.scaling != "once":  # each fold is prepared separately
        return _SLOW_FITS
    return _QUICK_FITS if is_quick else _SLOW_FITS if wrapper.fits_slowly() else USUAL_FITS


class Prefilter(Settings):
    """Whether only the best features by a filter are searched."""

    prefilter: Literal["none", "f", "mutual information", "relieff"] = setting(
        "none",
        title="Prefilter",
        help="Searches only the features that score best individually. The filter has seen all rows, which makes "
        "the search error more optimistic.",
        source="none: as in the paper; it helps on very wide tables and hurts on others",
        level="all",
        choices={
            "none": "None: search all",
            "f": "F statistic",
            "mutual information": "Mutual information",
            "relieff": "ReliefF",
        },
    )
    keep: int = setting(
        1000,
        title="Features kept",
        help="Number of top-ranked features passed to the search.",
        source="a tenth of a gene chip or less",
        ge=1,
        le=1_000_000,
        level="all",
    )


class Validation(Settings):
    """Which rows a search uses and which evaluate its result, if the method does not hold rows out itself."""

    search_rows: int = setting(
        0,
        title="Rows for the search",
        zero="all",
        help="Number of rows, sampled from all classes, used for the search on a longer table, to save time. Its "
        "result is still evaluated on all rows, on new folds and outer folds.",
        source="all: as in the paper",
        ge=0,
        le=100_000_000,
        level="all",
    )
    outer_folds: int = setting(
        5,
        title="Outer folds",
        help="Number of outer folds. The whole search is repeated without each fold, which is then used to "
        "evaluate the result; this takes that many times as long as the search.",
        source="5: each search sees four fifths of the rows",
        ge=2,
        le=10_000,
        level="all",
    )
    outer_seed: int = setting(
        0,
        title="Outer folds seed",
        help="Random seed of the outer folds. A fixed number evaluates runs with different seeds on the same folds.",
        source="the seed of the run: one number reproduces everything",
        ge=0,
        le=2**31 - 1,
        level="all",
        zero="same as the run",
    )


SHARED: dict[str, type[Settings]] = {"measuring": MeasureSettings, "prefilter": Prefilter, "validation": Validation}
"""Groups of settings common to all runs, whatever the method and wrapper, by the name of their field in a spec."""


def validates_itself(method: str, wrapper: str) -> bool:
    """Whether rows held out by the search give a held-out error of its result.

    They do not if models compete. All rows share a candidate's optimism, because models tested on some rows are trained
    on the others; with ten times as many candidates, it amounts to 7 points on noise (``tests/bench/model_choice.py``).
    Only outer folds are then unbiased.
    """
    return METHODS[method].model.validates_itself and not WRAPPERS[wrapper].model.competes


def setting_groups(method: str, wrapper: str) -> dict[str, type[Settings]]:
    """The declarations of all settings of a run, by group."""
    return {"method": METHODS[method].model, "wrapper": WRAPPERS[wrapper].model, **SHARED}


class Wanted(NamedTuple):
    """The work of a job, in addition to what the run already has.

    Attributes
    ----------
    search
        Whether an unfinished search is continued; otherwise evidence is about the result so far.
    fresh
        Whether the result is re-estimated on new folds.
    own
        Whether its error is estimated on the rows that its search did not use, if there are any.
    outer
        Outer folds of its held-out error; 0 for none.
    permutations
        Number of runs on shuffled targets.
    """

    search: bool = True
    fresh: bool = True
    own: bool = True
    outer: int = 0
    permutations: int = 0


class RunRequest(Settings):
    """A user's request; unspecified fields have defaults, and ``model_fields_set`` lists the specified ones.

    Attributes
    ----------
    method, preset
        The search method, and a preset of its settings; None: the one that suits the number of features.
    wrapper
        The model: a name, the name of a scikit-learn class, or any model with fit and predict.
    seed
        Seed of the search and the folds.
    settings
        Values by name, for method, wrapper, or the groups in ``SHARED``: ``{"max_iterations": 1000, "folds": 5}``;
        ambiguous names are prefixed with their owner: ``{"method.alpha": 0.6}``.
    always, never, together, start
        Names of features always or never selected, groups selected together, and starting features.
    outer
        Outer folds of the held-out error, overriding the setting; 0 for none; None: as in the setting, and none if the
        search holds out rows itself.
    permutations
        Number of runs on shuffled targets that follow.
    """

    method: str = DEFAULT_METHOD
    preset: str | None = None
    wrapper: Any = DEFAULT_WRAPPER
    seed: int = Field(default=0, ge=0)
    settings: dict[str, Any] = Field(default_factory=dict)
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    start: tuple[str, ...] = ()
    outer: int | None = Field(default=None, ge=0)
    permutations: int = Field(default=0, ge=0)

    @field_validator("always", "never", "together", "start", mode="before")
    @classmethod
    def _names_are_listed(cls, value: Any) -> Any:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(message("expected a list of names"))  # noqa: TRY004 - pydantic makes a sentence of it
        return tuple(each if isinstance(each, str) else tuple(each) for each in value)

    @classmethod
    def of(cls, spec: "RunSpec") -> "RunRequest":
        """The request for exactly this run, with every setting as "group.name"."""
        return cls(
            method=spec.method,
            wrapper=spec.wrapper,
            seed=spec.seed,
            settings=spec.values,
            always=spec.always,
            never=spec.never,
            together=spec.together,
            start=spec.start,
        )

    def updated(self, values: Mapping[str, Any]) -> Self:
        """A validated copy with some fields replaced; fields unspecified in both stay unspecified."""
        said = {name: getattr(self, name) for name in self.model_fields_set}
        return validated(type(self), {**said, **values})

    def group(self, group: str) -> dict[str, Value]:
        """The settings prefixed with this owner, without the prefix."""
        return {name.partition(".")[2]: value for name, value in self.settings.items() if name.startswith(f"{group}.")}

    def resolve(self, dataset: Dataset) -> "RunSpec":
        """The spec of this run on a data set.

        Raises
        ------
        SettingsError
            With one sentence for the first invalid name or value.
        """
        model, settings = named_wrapper(self.wrapper), self.settings
        if self.outer:
            settings = {**settings, "validation.outer_folds": self.outer}
        if WRAPPERS[model.name].model.competes and not METHODS[self.method].model.validates_itself:
            # A search measures with one model, unaffected by the competition.
            idle = {f"wrapper.{name}" for name in WRAPPERS[model.name].model.model_fields}
            settings = {name: value for name, value in settings.items() if name not in idle}
            model = NamedWrapper(STAND_INS[dataset.task])
        given = _by_group(settings, setting_groups(self.method, model.name))
        check_start(self.method, self.start)
        features = len(dataset.features)
        shared: dict[str, Settings] = {name: group().updated(given[name]) for name, group in SHARED.items()}
        measuring, prefilter = shared["measuring"], shared["prefilter"]
        assert isinstance(measuring, MeasureSettings)
        assert isinstance(prefilter, Prefilter)
        criterion = criterion_for(dataset, measuring)
        asked = times_asked(dataset, measuring, criterion)
        known = {"horizon": float(asked[-1])} if len(asked) else {}
        shared["measuring"] = measuring.updated({"criterion": criterion.name, **known})
        method = METHODS[self.method].build(given["method"], preset=self.preset, features=features)
        never = self.never
        blocks_of(measuring.blocks, dataset.features)  # check that they exist
        if measuring.batch:
            if determine_class(dataset, measuring) and measuring.protocol == "batches":  # which checks that it exists
                raise DataError(
                    'All rows of each batch of "{batch}" have the same class, so leaving out batches cannot show how '
                    "well classes are predicted. Measure several classes in each batch, or choose another validation.",
                    batch=measuring.batch,
                )
            never = never if measuring.batch in (*never, *self.always) else (*never, measuring.batch)
        units = Space(dataset, always=self.always, never=never, together=self.together).units
        spec = validated(
            RunSpec,
            {
                "method": self.method,
                "method_settings": method.model_dump(),
                "wrapper": model.name,
                "wrapper_settings": WRAPPERS[model.name].build({**model.values, **given["wrapper"]}).model_dump(),
                **shared,
                "always": self.always,
                "never": never,
                "together": self.together,
                "start": self.start,
                "seed": self.seed,
                "data_name": dataset.name,
                "data_fingerprint": dataset.fingerprint,
                "features": features,
                "rows": len(dataset.target),
                "units": units if prefilter.prefilter == "none" else min(units, prefilter.keep),
            },
        )
        wrapper = spec.build_wrapper()
        models = competitors(wrapper, dataset, spec.measuring)
        spec = spec.model_copy(
            update={"fits": planned_fits(wrapper, spec.measuring, spec.units, len(dataset.classes)), "models": models}
        )
        spec.method_at_work().check(spec.units)  # both may raise SettingsError
        return spec

    def wanted(self, spec: "RunSpec") -> Wanted:
        """The evidence requested for a run with this spec."""
        return Wanted(
            outer=spec.usual_outer_folds if self.outer is None else self.outer, permutations=self.permutations
        )


class RunSpec(Settings):
    """One method on one data set with one wrapper, criterion and seed.

    ``always``, ``never``, ``together`` and ``start`` are feature names: see :class:`fsdesk.engine.request.Space`;
    ``start`` are those that the search begins with, such as another run's result. Numbers of features set for a method
    include those always selected; features selected together count as one. ``units`` is the number of features, or
    groups of them, to choose from; 0: all features. ``fits`` is the number of single fits planned for a search on
    resampled rows. ``models`` compete if the wrapper is "auto".
    """

    method: str = DEFAULT_METHOD
    method_settings: dict[str, Any] = Field(default_factory=dict)
    wrapper: str = STAND_IN
    wrapper_settings: dict[str, Any] = Field(default_factory=dict)
    measuring: MeasureSettings = Field(default_factory=MeasureSettings)
    prefilter: Prefilter = Field(default_factory=Prefilter)
    # Added after the first files, which stay identical byte for byte without it.
    validation: Validation = Field(default_factory=Validation, exclude_if=lambda value: value == Validation())
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    start: tuple[str, ...] = ()
    seed: int = Field(default=0, ge=0)
    data_name: str = ""
    data_fingerprint: str = ""
    features: int = Field(default=1, ge=1)
    units: int = Field(default=0, ge=0)
    rows: int = Field(default=0, ge=0, exclude_if=lambda value: not value)  # 0: not stored, as by older versions
    # Stored, because a model may become faster in another version and a run must continue as it began; 0: not stored.
    fits: int = Field(default=0, ge=0, exclude_if=lambda value: not value)
    models: tuple[Competitor, ...] = Field(default=(), exclude_if=lambda value: not value)
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
        """The method with its settings; those missing from the log get values that reproduce its former behavior."""
        method = METHODS[self.method]
        return method.build({**method.model.formerly, **self.method_settings})

    def method_at_work(self) -> Method:
        """The method as used in the search: with fits for the model, and sizes without features always selected."""
        fits = self.fits or planned_fits(self.build_wrapper(), self.measuring)
        models = models_of(self.models, self.measuring)
        return self.build_method().paced(fits, models).beside(len(set(self.always)))

    def build_wrapper(self) -> Wrapper:
        """The wrapper with its settings."""
        return WRAPPERS[self.wrapper].build(self.wrapper_settings)

    def build_models(self) -> dict[str, Wrapper]:
        """The competing models, by name."""
        return {each.name: each.build() for each in self.models}

    @property
    def most_repeats(self) -> dict[str, int]:
        """The largest number of repeats for a result, by model; models without a limit are omitted."""
        return {each.name: each.most_repeats for each in self.models if each.most_repeats}

    def with_model(self, name: str) -> Self:
        """The spec with one of the competing models instead of all; unchanged if none is named."""
        if not name:
            return self
        model = next(each for each in self.models if each.name == name)
        values = model.build().model_dump()
        return self.model_copy(update={"wrapper": model.wrapper, "wrapper_settings": values, "models": ()})

    def build_space(self, dataset: Dataset) -> Space:
        """The units from which the method chooses."""
        prefilter = self.prefilter.prefilter
        return Space(
            dataset,
            always=self.always,
            never=self.never,
            together=self.together,
            prefilter=None if prefilter == "none" else prefilter,
            keep=self.prefilter.keep,
            measuring=self.measuring,
        )

    def allowed(self, features: Sequence[str]) -> NDArray[np.bool_]:
        """(p,) which of these features may be selected or are always in: "all features" are these."""
        never = set(self.never)
        return np.array([name not in never for name in features], dtype=np.bool_)

    @property
    def selects(self) -> bool:
        """Whether the data determine the features; False if all are used without a filter."""
        return METHODS[self.method].model.selects or self.prefilter.prefilter != "none"

    @property
    def validates_itself(self) -> bool:
        """Whether the search provides its own held-out error: :func:`validates_itself` of method and model."""
        return validates_itself(self.method, self.wrapper)

    @property
    def usual_outer_folds(self) -> int:
        """Default outer folds of the held-out error: those of the settings, 0 if none are needed.

        It is the same in the window, on the command line and in Python.
        """
        return 0 if self.validates_itself else self.validation.outer_folds

    @property
    def search_rows(self) -> int:
        """Number of rows used by the search; 0: all of them, or those drawn by a method that holds rows out itself."""
        return 0 if METHODS[self.method].model.validates_itself else self.validation.search_rows

    @property
    def measurements(self) -> int:
        """Maximum number of measurements of the run, including the all-features baseline."""
        return 1 + self.method_at_work().budget(self.units or self.features, started=bool(self.start))

    @property
    def usual_measurements(self) -> int:
        """Like :attr:`measurements`, if the model were not slow to fit; of several competing ones none is."""
        if self.models:
            return self.measurements
        return max(self.measurements, self.model_copy(update={"fits": USUAL_FITS}).measurements)

    @property
    def values(self) -> dict[str, Value]:
        """All settings as "group.name"."""
        held = self.model_dump()
        groups = {"method": self.method_settings, "wrapper": self.wrapper_settings}
        groups |= {name: held[name] for name in SHARED if name in held}
        return {f"{group}.{name}": value for group, values in groups.items() for name, value in values.items()}

    @classmethod
    def make(cls, dataset: Dataset, **asked: Any) -> "RunSpec":
        """The spec of a run from fields of :class:`RunRequest` by name; raises the same SettingsError."""
        return validated(RunRequest, asked).resolve(dataset)


def competitors(wrapper: Wrapper, dataset: Dataset | None, measuring: MeasureSettings) -> tuple[Competitor, ...]:
    """The models that compete on a data set; empty for a single wrapper, or without data."""
    if dataset is None or not isinstance(wrapper, Automatic):
        return ()
    criterion = criterion_for(dataset, measuring)
    return wrapper.competitors(
        criterion.task,
        len(dataset.target),
        len(dataset.features),
        criterion.needs,
        balanced=criterion.name in ("balanced error", "f1", "mcc"),
        spread=1.0 if dataset.response is None else float(dataset.response.std()) or 1.0,
    )


def models_of(models: Sequence[Competitor], measuring: MeasureSettings) -> list[Model]:
    """What a method knows about the competing models."""
    is_numeric = any(
        each.wrapper in ("ridge", "cox") for each in models
    )  # for competing classifiers it is logistic regression
    counts_errors = measuring.criterion == "error" or (measuring.criterion == "auto" and not is_numeric)

    def is_quick(wrapper: Wrapper) -> bool:
        return wrapper.fits_quickly(measuring.scaler) if counts_errors else wrapper.fits_cheaply

    return [
        Model(
            each.name,
            model_title(each.name),
            is_quick(each.build()),
            each.slow,
            sees_pairs=each.wrapper in OF_PAIRS,
            is_simple=is_simple(each.name),
            is_robust=each.wrapper in ROBUST,
            only_all_features=each.only_all_features,
            usual_from=each.usual_from or int(each.wrapper in USUAL),  # older runs did not store it
        )
        for each in models
    ]


def _by_group(values: Mapping[str, Value], models: Mapping[str, type[Settings]]) -> dict[str, dict[str, Value]]:
    """Assign each value to the group that declares its name; "method.alpha" disambiguates."""
    groups: dict[str, dict[str, Value]] = {group: {} for group in models}
    for name, value in values.items():
        group, _, field = name.rpartition(".")
        owners = [owner for owner, model in models.items() if field in model.model_fields and group in ("", owner)]
        if not owners:
            known = ", ".join(each for model in models.values() for each in model.model_fields)
            near = did_you_mean(field, [each for model in models.values() for each in model.model_fields])
            raise SettingsError(
                'There is no setting "{name}" here. Available: {known}.{near}', name=name, known=known, near=near
            )
        if len(owners) > 1:
            first, *others = (f"{owner}.{field}" for owner in owners)
            ways = message("{first} or {others}", first=first, others=", ".join(others))
            raise SettingsError(
                'The setting "{name}" belongs to {owners}; write {ways}.',
                name=name,
                owners=", ".join(owners),
                ways=ways,
            )
        groups[owners[0]][field] = value
    return groups
