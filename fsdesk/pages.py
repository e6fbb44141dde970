"""Help pages: what a person wrote about a method or a wrapper, and its settings as they are declared."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fsdesk.settings import Entry, SettingInfo

__all__ = ["ENGLISH", "WORDS", "Language", "group_page", "help_file", "page", "resource", "written"]

_INSTALLED = Path(__file__).resolve().parent / "resources"
_DEVELOPMENT = Path(__file__).resolve().parents[1] / "resources"
_TITLES = ("setting", "default", "range", "what it does", "why this default")
WORDS = ("Presets", "Settings", "Reference", "yes", "no", *_TITLES)  # what is said here and not declared elsewhere


@dataclass(frozen=True)
class Language:
    """How a page is said: the name of its folder under ``resources/help``, the words, and numbers."""

    name: str = "en"
    say: Callable[[str], str] = str
    number: Callable[[str], str] = str


ENGLISH = Language()


def resource(name: str) -> Path:
    """Path of a file under ``resources/``: inside the installed package, or beside it in a source tree."""
    root = _INSTALLED if _INSTALLED.is_dir() else _DEVELOPMENT
    return root / name


def help_file(name: str, language: Language = ENGLISH) -> Path:
    """Path of a page, such as "desk/data.md", in a language; in English where that has none."""
    own = resource(f"help/{language.name}/{name}")
    return own if own.is_file() else resource(f"help/{name}")


def written(kind: str, name: str, language: Language = ENGLISH) -> str:
    """What a person wrote about an entry, in Markdown; ``kind`` as for :func:`page`."""
    return help_file(f"{kind}/{name}.md", language).read_text(encoding="utf-8").strip()


def page(kind: str, entry: Entry[Any], language: Language = ENGLISH) -> str:
    """The help page of an entry in Markdown.

    Parameters
    ----------
    kind
        "methods" or "wrappers": the folder of ``resources/help`` that holds ``NAME.md``.
    """
    say = language.say
    parts = [f"# {say(entry.title)}", written(kind, entry.name, language)]
    if entry.presets:
        lines = [f"- **{say(preset.name)}**: {say(preset.help)}" for preset in entry.presets]
        parts += [f"## {say('Presets')}", "\n".join(lines)]
    infos = entry.model.describe()
    if infos:
        parts += [f"## {say('Settings')}", _table(infos, language)]
    parts += [f"## {say('Reference')}", entry.reference]
    return "\n\n".join(parts) + "\n"


def group_page(title: str, infos: tuple[SettingInfo, ...], language: Language = ENGLISH) -> str:
    """The help page of settings that belong to no entry, in Markdown."""
    return f"# {title}\n\n{_table(infos, language)}\n"


def _table(infos: tuple[SettingInfo, ...], language: Language) -> str:
    say = language.say
    lines = [f"| {' | '.join(map(say, _TITLES))} |", f"|{' --- |' * len(_TITLES)}"]
    for info in infos:
        unit = f" {say(info.unit)}" if info.unit else ""
        cells = (
            f"{say(info.title)} (`{info.name}`)",
            f"{_value(info, info.default, language)}{unit}",
            ", ".join(_value(info, each, language) for each in info.choices) or _bounds(info, language),
            say(info.help),
            say(info.source),
        )
        # Qt would let the cell before an empty one reach over it.
        lines.append("| " + " | ".join(cell.replace("|", "\\|") or "–" for cell in cells) + " |")
    return "\n".join(lines)


def _bounds(info: SettingInfo, language: Language) -> str:
    signs = info.range.replace(">=", "≥").replace("<=", "≤")
    return ", ".join(language.number(each).replace(" ", "\N{NO-BREAK SPACE}") for each in signs.split(", "))


def _value(info: SettingInfo, value: object, language: Language) -> str:
    """A value as the window shows it, and as files and the command line have it where that is another word."""
    if isinstance(value, bool):
        return language.say("yes" if value else "no")
    if info.choices:
        shown = language.say(info.choices[str(value)])
        return shown if shown == value else f"{shown} (`{value}`)"
    if value == 0 and info.zero:
        return f"{language.say(info.zero)} (`0`)"
    return language.number(str(value))
