"""The settings of a run as a TOML file read by the window and ``fsdesk run --settings FILE``."""

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fsdesk.data import Dataset
from fsdesk.engine import SHARED, RunRequest, RunSpec
from fsdesk.errors import SettingsError
from fsdesk.settings import Value

if TYPE_CHECKING:
    from fsdesk.results.record import RunRecord

_GROUPS = ("method", "wrapper", *SHARED)
_ALWAYS_THERE = ("method", "wrapper", "measuring", "prefilter")  # other groups only if they differ from the default
_RUN = ("method", "wrapper", "seed", "always", "never", "together")
"""Allowed entries of [run]; ``start`` is another run's result, in a separate file."""


def settings_toml(result: "RunRecord", dataset: Dataset) -> str:
    """Every setting of a run; the first lines explain how to run it again."""
    spec = result.spec
    notes = [
        f"Settings of a feature selection on {dataset.name}. To run it again on the same table:",
        command_line(spec, dataset),
    ]
    if spec.start:
        notes.append("It began with the features of an earlier run: add --start and the mask.csv of that run.")
    if result.steered:
        notes.append(f"{result.steered} These settings alone do not repeat that; fsdesk resume on the project does.")
    return settings_text(RunRequest.of(spec), notes)


def settings_text(request: RunRequest, notes: Sequence[str] = ()) -> str:
    """The request, with settings by "group.name", as TOML below comment lines.

    A name declared by two groups is prefixed with its owner, as in ``"method.alpha"``.
    """
    lines = [f"# {_flat(note)}" for note in notes]
    lines += ["", "[run]"]
    said = {name: getattr(request, name) for name in _RUN if name in request.model_fields_set}
    lines += [f"{name} = {toml_value(value)}" for name, value in said.items() if value != ()]
    owners = Counter(name.partition(".")[2] for name in request.settings)
    for group in _GROUPS:
        held = request.group(group)
        if not held and group not in _ALWAYS_THERE:
            continue
        lines += ["", f"[{group}]"]
        for name, value in held.items():
            lines.append(f"{name if owners[name] == 1 else toml_value(f'{group}.{name}')} = {toml_value(value)}")
    return "\n".join(lines).lstrip("\n") + "\n"


def parsed_settings(text: str, name: str) -> RunRequest:
    """Read a settings file; sections other than [run] are optional.

    Raises
    ------
    SettingsError
        If ``text`` is not valid TOML, or [run] contains an invalid entry.
    """
    import tomllib  # not before the window first appears

    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # RecursionError from lists nested too deeply
        raise SettingsError(
            '"{name}" is not a settings file ({error}). Choose one saved with Save settings.',
            name=name,
            error=error,
        ) from error
    asked = content.pop("run", {})
    if not isinstance(asked, dict):
        raise SettingsError('In "{name}", "run" must be a section; write [run].', name=name)
    request = RunRequest()
    for key, value in asked.items():
        if key not in _RUN:
            raise SettingsError(
                'In "{name}", [run] has no "{key}". Available: {run}.', name=name, key=key, run=", ".join(_RUN)
            )
        try:
            request = request.updated({key: value})
        except SettingsError as error:
            raise SettingsError(
                'In "{name}", "{key}" of [run] cannot be {value}. Correct or remove it.',
                name=name,
                key=key,
                value=repr(value),
            ) from error
    values: dict[str, Value] = {}
    for key, value in content.items():
        values.update(value if isinstance(value, dict) else {key: value})
    return request.updated({"settings": values})


def command_line(spec: RunSpec, dataset: Dataset) -> str:
    """The command that runs a spec again, on one line; names not stored in a data set are in capitals."""
    words = ["fsdesk", "run", "TABLE", "--target", dataset.target_name]
    if dataset.event:
        words += ["--event", dataset.event]
    if dataset.entry:
        words += ["--entry", dataset.entry]
    columns = (
        ("--group", "GROUPS", "groups", dataset.groups), ("--folds-column", "FOLDS", "fold_of", dataset.fold_of),
        ("--time", "TIME", "time", dataset.time),
    )  # fmt: skip
    for option, placeholder, role, codes in columns:
        words += [option, dataset.role_names.get(role, placeholder)] if codes is not None else []
    for check in dataset.checks:
        for name in check.columns if check.kind == "ignored columns" else ():
            words += ["--ignore", name]
    for name, value in dataset.ways.items():
        words += ["--read", f"{name}={value}"]
    words += ["--method", spec.method, "--wrapper", spec.wrapper, "--seed", str(spec.seed)]
    words += constraint_words(spec.always, spec.never, spec.together)
    words += ["--settings", "settings.toml"]
    return _flat(shlex.join(words))


def constraint_words(always: Sequence[str], never: Sequence[str], together: Sequence[Sequence[str]]) -> list[str]:
    """The command-line options for constraints on features."""
    words: list[str] = []
    for name in always:
        words += ["--always", name]
    for name in never:
        words += ["--never", name]
    for names in together:
        words += ["--together", ",".join(_listed(name) for name in names)]
    return words


def set_words(values: Mapping[str, Value], declared: Sequence[str]) -> list[str]:
    """The options ``--set`` for settings by "group.name", shortened if ``declared`` has the name once."""
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


def toml_value(value: object) -> str:
    """A text, number or boolean, or a list or table of these, as TOML; also for keys of a table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_value(name)} = {toml_value(each)}" for name, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, str):  # JSON and TOML quote texts identically, except for one character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
