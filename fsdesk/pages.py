"""Help pages: the written text about a method or wrapper, and its settings as declared."""

from pathlib import Path
from typing import Any

from fsdesk.messages import current_language, localised, mark, tr, translated
from fsdesk.paths import resource
from fsdesk.settings import Entry, SettingInfo

_TITLES = (mark("setting"), mark("default"), mark("range"), mark("description"), mark("reason for default"))


def help_file(name: str) -> Path:
    """Path of a page, such as "window/data.md", in the current language, or in English if there is no translation."""
    own = resource(f"help/{current_language().name}/{name}")
    return own if own.is_file() else resource(f"help/{name}")


def written(kind: str, name: str) -> str:
    """The written text about an entry, in Markdown; ``kind`` as in :func:`page`."""
    return help_file(f"{kind}/{name}.md").read_text(encoding="utf-8").strip()


def page(kind: str, entry: Entry[Any]) -> str:
    """The help page of an entry in Markdown.

    Parameters
    ----------
    kind
        "methods" or "wrappers": the folder of ``resources/help`` that holds ``NAME.md``.
    """
    parts = [f"# {translated(entry.title)}", written(kind, entry.name)]
    if entry.presets:
        lines = [f"- **{translated(preset.name)}**: {translated(preset.help)}" for preset in entry.presets]
        parts += [f"## {tr('Presets')}", "\n".join(lines)]
    infos = entry.model.describe()
    if infos:
        parts += [f"## {tr('Settings')}", _table(infos)]
    parts += [f"## {tr('Reference')}", entry.reference]
    return "\n\n".join(parts) + "\n"


def example(kind: str, entry: Entry[Any]) -> str:
    """How to use an entry on the command line and in Python, in Markdown; ``kind`` as in :func:`page`."""
    option = {"methods": "method", "wrappers": "wrapper"}[kind]
    tasks = getattr(entry.model, "tasks", frozenset({"classification"}))
    table, target = "sample:wine", "target"
    if "classification" not in tasks:
        table, target = ("patients.csv --target dose", "dose") if "regression" in tasks else (
            "patients.csv --time months --event status=dead", ""
        )  # fmt: skip
    named = f'"{target}"' if target else '("months", "status=dead")'
    return (
        f"```sh\nfsdesk run {table} --{option} {entry.name} --out results\n```\n\n"
        f'```python\nresult = fsdesk.select(df, {named}, {option}="{entry.name}")\n```'
    )


def group_page(title: str, infos: tuple[SettingInfo, ...]) -> str:
    """The help page of settings that do not belong to an entry, in Markdown."""
    return f"# {title}\n\n{_table(infos)}\n"


def _table(infos: tuple[SettingInfo, ...]) -> str:
    lines = [f"| {' | '.join(map(translated, _TITLES))} |", f"|{' --- |' * len(_TITLES)}"]
    for info in infos:
        unit = f" {translated(info.unit)}" if info.unit else ""
        cells = (
            f"{translated(info.title)} (`{info.name}`)",
            f"{_value(info, info.default)}{unit}",
            ", ".join(_value(info, each) for each in info.choices) or _bounds(info),
            translated(info.help),
            translated(info.source),
        )
        # Qt would extend the previous cell over an empty one.
        lines.append("| " + " | ".join(cell.replace("|", "\\|") or "–" for cell in cells) + " |")
    return "\n".join(lines)


def _bounds(info: SettingInfo) -> str:
    signs = info.range.replace(">=", "≥").replace("<=", "≤")
    return ", ".join(localised(each).replace(" ", "\N{NO-BREAK SPACE}") for each in signs.split(", "))


def _value(info: SettingInfo, value: object) -> str:
    """A value as the window shows it, followed by the form used in files and on the command line if it differs."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if info.choices:
        shown = translated(info.choices[str(value)])
        return shown if shown == value else f"{shown} (`{value}`)"
    if value == 0 and info.zero:
        return f"{translated(info.zero)} (`0`)"
    return localised(str(value))
