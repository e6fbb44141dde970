"""Help pages: what a person wrote about a method or a wrapper, and its settings as they are declared."""

from pathlib import Path
from typing import Any

from fsdesk.settings import Entry, SettingInfo

__all__ = ["group_page", "page", "resource", "written"]

_INSTALLED = Path(__file__).resolve().parent / "resources"
_DEVELOPMENT = Path(__file__).resolve().parents[1] / "resources"


def resource(name: str) -> Path:
    """Path of a file under ``resources/``: inside the installed package, or beside it in a source tree."""
    root = _INSTALLED if _INSTALLED.is_dir() else _DEVELOPMENT
    return root / name


def written(kind: str, name: str) -> str:
    """What a person wrote about an entry, in Markdown; ``kind`` as for :func:`page`."""
    return resource(f"help/{kind}/{name}.md").read_text(encoding="utf-8").strip()


def page(kind: str, entry: Entry[Any]) -> str:
    """The help page of an entry in Markdown.

    Parameters
    ----------
    kind
        "methods" or "wrappers": the folder of ``resources/help`` that holds ``NAME.md``.
    """
    parts = [f"# {entry.title}", written(kind, entry.name)]
    if entry.presets:
        lines = [f"- **{preset.name}**: {preset.help}" for preset in entry.presets]
        parts += ["## Presets", "\n".join(lines)]
    infos = entry.model.describe()
    if infos:
        parts += ["## Settings", _table(infos)]
    parts += ["## Reference", entry.reference]
    return "\n\n".join(parts) + "\n"


def group_page(title: str, infos: tuple[SettingInfo, ...]) -> str:
    """The help page of settings that belong to no entry, in Markdown."""
    return f"# {title}\n\n{_table(infos)}\n"


def _table(infos: tuple[SettingInfo, ...]) -> str:
    lines = ["| setting | default | range | what it does | why this default |", "| --- | --- | --- | --- | --- |"]
    for info in infos:
        unit = f" {info.unit}" if info.unit else ""
        cells = (f"{info.title} (`{info.name}`)", f"{info.default}{unit}", info.range, info.help, info.source)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)
