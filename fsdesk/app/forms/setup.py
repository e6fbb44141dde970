"""The content of the settings panel as one value that can be compared, undone, saved and loaded."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fsdesk.app.forms.constraints import Constraints
from fsdesk.data import Dataset
from fsdesk.engine import RunRequest, setting_groups
from fsdesk.errors import SettingsError
from fsdesk.measure import CRITERIA
from fsdesk.messages import number, quoted, tr, translated
from fsdesk.methods import METHODS
from fsdesk.settings import SettingInfo, Settings, Value
from fsdesk.wrappers import WRAPPERS, Task


@dataclass(frozen=True)
class Setup:
    """The settings of the next run.

    Attributes
    ----------
    preset
        Name of the preset, "" for the defaults.
    start, source
        Starting features, and the name of the run that found them.
    values
        Every setting as "group.name".
    """

    method: str
    wrapper: str
    preset: str = ""
    seed: int = 0
    constraints: Constraints = field(default_factory=Constraints)
    start: tuple[str, ...] = ()
    source: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)

    def group(self, group: str) -> dict[str, Value]:
        """Settings of one group by their own names."""
        return {name.partition(".")[2]: value for name, value in self.values.items() if name.partition(".")[0] == group}

    @property
    def request(self) -> RunRequest:
        """The settings as a request, as stored in a settings file."""
        held = self.constraints
        return RunRequest(
            method=self.method,
            wrapper=self.wrapper,
            seed=self.seed,
            always=held.always,
            never=held.never,
            together=held.together,
            settings=dict(self.values),
        )


def _infos(setup: Setup) -> dict[str, SettingInfo]:
    models = setting_groups(setup.method, setup.wrapper)
    return {f"{group}.{info.name}": info for group, model in models.items() for info in model.describe()}


def shown_value(info: SettingInfo, value: Value) -> str:
    """A value as shown in the panel."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if value == 0 and info.zero:
        return translated(info.zero)
    if isinstance(value, int | float):
        return number(value, "g" if isinstance(value, float) else ",")
    return translated(info.choices.get(value, value)) or tr("nothing")


def changed_in(before: Setup, after: Setup) -> list[str]:
    """Names of the differences: "method", "group.name", ...; consequences of another method or model are omitted."""
    own = [
        name for name in ("method", "wrapper", "preset", "seed", "constraints", "start")
        if getattr(before, name) != getattr(after, name)
    ]  # fmt: skip
    if "method" in own and "preset" in own:
        own.remove("preset")
    implied = {group for group, names in (("method", ("method", "preset")), ("wrapper", ("wrapper",)))
               if any(name in own for name in names)}  # fmt: skip
    own += [
        name for name, value in after.values.items()
        if name.partition(".")[0] not in implied and name in before.values and before.values[name] != value
    ]  # fmt: skip
    return own


def differences(before: Setup, after: Setup) -> list[str]:
    """The differences between two setups, a few words each, such as "Iterations 3,000 → 5,000"."""
    infos = _infos(after)

    def words(name: str) -> str:
        if name in infos:
            info = infos[name]
            old, new = (shown_value(info, each.values[name]) for each in (before, after))
            return tr("{title} {old} → {new}", title=translated(info.title), old=old, new=new)
        if name in ("method", "wrapper"):
            registry: Any = METHODS if name == "method" else WRAPPERS
            old, new = (translated(registry[getattr(each, name)].brief) for each in (before, after))
            title = tr("Method") if name == "method" else tr("Model")
            return tr("{title} {old} → {new}", title=title, old=old, new=new)
        if name == "preset":
            return tr("Preset {name}", name=after.preset.removeprefix("mine:") or tr("Defaults"))
        if name == "seed":
            return tr("Seed {old} → {new}", old=before.seed, new=after.seed)
        return tr("Constraints on features") if name == "constraints" else tr("Initial features")

    return [words(name) for name in changed_in(before, after)]


def step_words(before: Setup, after: Setup) -> str:
    """The change from one setup to another, as named by undo."""
    changes = differences(before, after)
    if not changes:
        return tr("Settings")
    return changes[0] if len(changes) == 1 else tr("{first} and {count} more", first=changes[0], count=len(changes) - 1)


def usual_values(method: str, wrapper: str, preset: Mapping[str, Value]) -> dict[str, Value]:
    """The defaults of all settings as "group.name", and the method's as in its preset."""
    models = setting_groups(method, wrapper)
    values = {f"{group}.{info.name}": info.default for group, model in models.items() for info in model.describe()}
    return values | {f"method.{name}": value for name, value in preset.items()}


def fitted(saved: RunRequest, base: Setup, dataset: Dataset | None, *, whole: bool = True) -> tuple[Setup, list[str]]:
    """Saved settings adapted to the open data, and a sentence for each thing that does not fit.

    Parameters
    ----------
    base
        The current setup; used if the file does not name method and model.
    whole
        Whether to apply the seed and constraints too, those of the file or none; otherwise the current ones are kept.
    """
    said: list[str] = []
    given = saved.model_fields_set
    method = _known(METHODS, saved.method, base.method, said) if "method" in given else base.method
    wrapper = _known(WRAPPERS, saved.wrapper, base.wrapper, said) if "wrapper" in given else base.wrapper
    if task_of(dataset) not in WRAPPERS[wrapper].model.tasks:
        said.append(
            tr(
                "{model} cannot predict this target; the model was not changed.",
                model=translated(WRAPPERS[wrapper].title),
            )
        )
        wrapper = base.wrapper
    preset = METHODS[method].preset_for(len(dataset.features)) if dataset is not None else None
    models = setting_groups(method, wrapper)
    values = usual_values(method, wrapper, preset.values if preset is not None else {})
    values |= dict(_values(saved.settings, models, dataset, said))
    made = replace(
        base, method=method, wrapper=wrapper, preset=preset.name if preset is not None else "", values=values
    )
    if whole:
        constraints = _constraints(saved, dataset, said)
        made = replace(made, seed=saved.seed, constraints=constraints, start=(), source="")
    return made, said


def _known(registry: Any, name: str, otherwise: str, said: list[str]) -> str:
    try:
        return str(registry[name].name)
    except SettingsError as error:
        said.append(translated(str(error)))
        return otherwise


def _values(
    given: Mapping[str, Value], models: Mapping[str, type[Settings]], dataset: Dataset | None, said: list[str]
) -> Iterator[tuple[str, Value]]:
    offered = {"measuring.criterion": offered_criteria(dataset), "measuring.protocol": offered_protocols(dataset)}
    for name, value in given.items():
        group, _, own = name.rpartition(".")
        owners = [owner for owner, model in models.items() if own in model.model_fields and group in ("", owner)]
        if len(owners) != 1:
            said.append(_unowned(name, owners))
            continue
        whole = f"{owners[0]}.{own}"
        try:
            taken = getattr(models[owners[0]]().updated({own: value}), own)
        except SettingsError as error:
            said.append(translated(str(error)))
            continue
        if whole in offered and taken not in offered[whole]:
            said.append(tr('"{name} = {value}" does not suit this table\'s target.', name=own, value=value))
        else:
            yield whole, taken


def _unowned(name: str, owners: Sequence[str]) -> str:
    if owners:
        ways = " or ".join(f"{owner}.{name}" for owner in owners)
        return tr('The setting "{name}" is ambiguous: write {ways}.', name=name, ways=ways)
    return tr('This method and model have no setting "{name}".', name=name)


def _constraints(saved: RunRequest, dataset: Dataset | None, said: list[str]) -> Constraints:
    constraints = Constraints(saved.always, saved.never, saved.together)
    if dataset is None or constraints == Constraints():
        return constraints
    known = set(dataset.features)
    asked = dict.fromkeys((*saved.always, *saved.never, *(name for group in saved.together for name in group)))
    unknown = tuple(name for name in asked if name not in known)
    if unknown:
        said.append(tr("This table has no feature {names}; constraints on them are ignored.", names=quoted(unknown)))
    return constraints.among(dataset.features)


_DECIDED_BY: dict[str, tuple[str, tuple[str, ...] | None]] = {
    "repeats": ("protocol", ("folds", "hold-out")),
    "folds": ("protocol", ("folds", "time")),
    "test_share": ("protocol", ("hold-out",)),
    "stratify": ("protocol", ("folds", "hold-out")),
    "std_error_limit": ("protocol", ("folds", "hold-out")),
    "scaler": ("scaling", ("fold", "once")),
    "imputation_rows": ("imputation", ("neighbours",)),
    "offset": ("transform", ("log",)),
    "centre_batches": ("batch", None),
    "costs": ("criterion", ("cost",)),
    "keep": ("prefilter", ("f", "mutual information", "relieff")),
}
"""By setting: the setting on which its effect depends, and the values with which it has one (None: any but "")."""


def _does(value: Value | None, wanted: tuple[str, ...] | None) -> bool:
    return bool(value) if wanted is None else value in wanted


def task_of(dataset: Dataset | None) -> Task:
    """The kind of target; classes without data."""
    return "classification" if dataset is None else dataset.task


def idle_settings(values: Mapping[str, Value], dataset: Dataset | None) -> frozenset[str]:
    """Names of the settings without effect for these values and data."""
    idle = {name for name, (decides, wanted) in _DECIDED_BY.items() if not _does(values.get(decides), wanted)}
    if task_of(dataset) != "classification":
        idle |= {"stratify", "positive"}
    return frozenset(idle & set(values))


def offered_criteria(dataset: Dataset | None) -> tuple[str, ...]:
    """The criteria that fit the target."""
    task = task_of(dataset)
    return ("auto", *(criterion.name for criterion in CRITERIA if criterion.task == task))


def offered_protocols(dataset: Dataset | None) -> tuple[str, ...]:
    """The validations possible with the columns of the data."""
    offered = ["folds", "hold-out", "leave-one-out", "batches"]
    if dataset is not None and dataset.fold_of is not None:
        offered.append("column")
    if dataset is not None and dataset.time is not None:
        offered.append("time")
    return tuple(offered)


def place_of(control: str, method: str, wrapper: str) -> str:
    """The page, and after # the setting on it; "" for a control without a page."""
    prefix, _, setting = control.partition("_")
    pages = {
        "method": f"methods/{method}",
        "preset": f"methods/{method}",
        "wrapper": f"wrappers/{wrapper}",
        "measure": "settings/measuring",
        "filter": "settings/prefilter",
        "validation": "settings/validation",
    }
    page, setting = pages.get(prefix, ""), setting.removesuffix("_reset")
    return f"{page}#{setting}" if page and setting else page
