"""The settings of a run as a TOML file that ``fsdesk run --settings FILE`` reads."""

import json
import shlex
from collections import Counter
from collections.abc import Mapping
from typing import Any

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.results.result import Result

__all__ = ["command_line", "settings_toml"]


def settings_toml(result: Result, dataset: Dataset) -> str:
    """Every setting of method, wrapper, measurement and filter; the first lines say how to run it again.

    A name that two groups declare is written with its owner in front, as in ``"method.alpha"``.
    """
    spec = result.spec
    groups: dict[str, Mapping[str, Any]] = {
        "method": spec.method_settings,
        "wrapper": spec.wrapper_settings,
        "measuring": spec.measuring.model_dump(),
        "prefilter": spec.prefilter.model_dump(),
    }
    owners = Counter(name for values in groups.values() for name in values)
    lines = [
        f"# Settings of a feature selection on {_flat(dataset.name)}. To run it again on the same table:",
        f"# {command_line(spec, dataset)}",
    ]
    if spec.start:
        lines.append("# It began with the features of an earlier run: add --start and the mask.csv of that run.")
    for group, values in groups.items():
        lines += ["", f"[{group}]"]
        lines += [
            f"{name if owners[name] == 1 else _text(f'{group}.{name}')} = {_value(value)}"
            for name, value in values.items()
        ]
    return "\n".join(lines) + "\n"


def command_line(spec: RunSpec, dataset: Dataset) -> str:
    """The command that runs a spec again, on one line."""
    words = ["fsdesk", "run", "TABLE", "--target", dataset.target_name]
    words += ["--method", spec.method, "--wrapper", spec.wrapper, "--seed", str(spec.seed)]
    for name in spec.always:
        words += ["--always", name]
    for name in spec.never:
        words += ["--never", name]
    for names in spec.together:
        words += ["--together", ",".join(_listed(name) for name in names)]
    words += ["--settings", "settings.toml"]
    return _flat(shlex.join(words))


def _listed(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def _flat(text: str) -> str:
    return " ".join(text.splitlines())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    # JSON and TOML agree on how texts are quoted, but for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
