"""The settings of a run as a TOML file that the window and ``fsdesk run --settings FILE`` read."""

import json
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.errors import SettingsError
from fsdesk.results.result import Result
from fsdesk.settings import Value

__all__ = [
    "GROUPS",
    "SavedSettings",
    "command_line",
    "parsed_settings",
    "set_words",
    "settings_text",
    "settings_toml",
    "wish_words",
]

GROUPS = ("method", "wrapper", "measuring", "prefilter")


@dataclass(frozen=True)
class SavedSettings:
    """What a settings file says; None and empty where it is silent.

    Attributes
    ----------
    method, wrapper, seed
        What searches, which model predicts, and the seed.
    always, never, together
        Names of features that are always or never in, and groups that go together.
    values
        Settings by name; by "group.name" where the name alone would not do.
    """

    method: str | None = None
    wrapper: str | None = None
    seed: int | None = None
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: RunSpec) -> "SavedSettings":
        """Everything that a spec says, with its settings as "group.name"."""
        groups: dict[str, Mapping[str, Any]] = {
            "method": spec.method_settings,
            "wrapper": spec.wrapper_settings,
            "measuring": spec.measuring.model_dump(),
            "prefilter": spec.prefilter.model_dump(),
        }
        values = {f"{group}.{name}": value for group, held in groups.items() for name, value in held.items()}
        return cls(spec.method, spec.wrapper, spec.seed, spec.always, spec.never, spec.together, values)


def settings_toml(result: Result, dataset: Dataset) -> str:
    """Every setting of a run; the first lines say how to run it again."""
    spec = result.spec
    notes = [
        f"Settings of a feature selection on {dataset.name}. To run it again on the same table:",
        command_line(spec, dataset),
    ]
    if spec.start:
        notes.append("It began with the features of an earlier run: add --start and the mask.csv of that run.")
    if result.steered:
        notes.append(f"{result.steered} These settings alone do not repeat that; fsdesk resume on the project does.")
    return settings_text(SavedSettings.of(spec), notes)


def settings_text(saved: SavedSettings, notes: Sequence[str] = ()) -> str:
    """Settings, whose names are "group.name", as TOML below lines of comment.

    A name that two groups declare is written with its owner in front, as in ``"method.alpha"``.
    """
    lines = [f"# {_flat(note)}" for note in notes]
    asked = {name: getattr(saved, name) for name in _FITS}
    lines += ["", "[run]"]
    lines += [f"{name} = {_value(value)}" for name, value in asked.items() if value not in (None, ())]
    owners = Counter(name.partition(".")[2] for name in saved.values)
    for group in GROUPS:
        held = {name: value for name, value in saved.values.items() if name.startswith(f"{group}.")}
        lines += ["", f"[{group}]"]
        for whole, value in held.items():
            name = whole.partition(".")[2]
            lines.append(f"{name if owners[name] == 1 else _text(whole)} = {_value(value)}")
    return "\n".join(lines).lstrip("\n") + "\n"


def parsed_settings(text: str, name: str) -> SavedSettings:
    """Read a settings file; sections other than [run] may be there or not.

    Raises
    ------
    SettingsError
        Where ``text`` is no TOML, or [run] holds what it cannot.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f'"{name}" is no settings file ({error}): choose one that was saved with Save settings.'
        ) from error
    asked = content.pop("run", {})
    if not isinstance(asked, dict):
        raise SettingsError(f'In "{name}", "run" must be a section: write [run].')
    values: dict[str, Value] = {}
    for key, value in content.items():
        values.update(value if isinstance(value, dict) else {key: value})
    return SavedSettings(**_checked(asked, name), values=values)


def _checked(asked: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What [run] says, in the types of :class:`SavedSettings`."""
    made: dict[str, Any] = {}
    for key, value in asked.items():
        if key not in _FITS:
            raise SettingsError(f'In "{name}", [run] has no "{key}"; there are: {", ".join(_FITS)}.')
        if not _FITS[key](value):
            raise SettingsError(f'In "{name}", "{key}" of [run] cannot be {value!r}: correct it or leave it out.')
        made[key] = _frozen(value)
    return made


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_groups(value: object) -> bool:
    return isinstance(value, list) and all(map(_are_names, value))


_FITS: dict[str, Callable[[object], bool]] = {
    "method": _is_text,
    "wrapper": _is_text,
    "seed": _is_seed,
    "always": _are_names,
    "never": _are_names,
    "together": _are_groups,
}
"""What [run] may hold, and whether a value is one of it."""


def command_line(spec: RunSpec, dataset: Dataset) -> str:
    """The command that runs a spec again, on one line."""
    words = ["fsdesk", "run", "TABLE", "--target", dataset.target_name]
    words += ["--method", spec.method, "--wrapper", spec.wrapper, "--seed", str(spec.seed)]
    words += wish_words(spec.always, spec.never, spec.together)
    words += ["--settings", "settings.toml"]
    return _flat(shlex.join(words))


def wish_words(always: Sequence[str], never: Sequence[str], together: Sequence[Sequence[str]]) -> list[str]:
    """The options of the command line for wishes about features."""
    words: list[str] = []
    for name in always:
        words += ["--always", name]
    for name in never:
        words += ["--never", name]
    for names in together:
        words += ["--together", ",".join(_listed(name) for name in names)]
    return words


def set_words(values: Mapping[str, Value], declared: Sequence[str]) -> list[str]:
    """The options ``--set`` for settings by "group.name", short where ``declared`` has the name once."""
    owners = Counter(name.partition(".")[2] for name in declared)
    words: list[str] = []
    for whole, value in values.items():
        name = whole.partition(".")[2]
        words += ["--set", f"{name if owners[name] == 1 else whole}={value}"]
    return words


def _listed(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def _flat(text: str) -> str:
    return " ".join(text.splitlines())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    # JSON and TOML agree on how texts are quoted, but for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
