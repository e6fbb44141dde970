"""Collect every text of the window, and keep its translations: `python packaging/translations.py`.

Writes `resources/translations/fsdesk_LANGUAGE.ts` for Qt Linguist, with what was translated before, and compiles each
to the `.qm` beside it. Texts are the literals that `fsdesk/app` hands to `tr`, `tr_many`, `mark` and `counted`, and
what the lower layers declare of settings, methods, models, criteria, exports and samples.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de",)


def spoken(path: Path) -> Iterator[tuple[str, bool]]:
    """Texts of one file of the window, and whether a text has forms for one and for many."""
    from fsdesk.app.look.words import many_of

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            constants = [each.value for each in node.args if isinstance(each, ast.Constant)]
            literals = [each for each in constants if isinstance(each, str)]
            if node.func.id in ("tr", "mark") and literals:
                yield literals[0], False
            elif node.func.id == "tr_many" and literals:
                yield literals[1], True
            elif node.func.id == "counted" and literals:
                yield "{count} " + many_of(literals[0]), True


def declared() -> Iterator[str]:
    """Texts that the lower layers declare."""
    from fsdesk.data import SAMPLES
    from fsdesk.engine import Prefilter
    from fsdesk.engine.loop import STOPPED
    from fsdesk.measure import CRITERIA, MeasureSettings
    from fsdesk.methods import METHODS
    from fsdesk.results.exports import EXPORTS
    from fsdesk.wrappers import WRAPPERS

    entries = [*METHODS, *WRAPPERS]
    for entry in entries:
        yield from (entry.title, entry.summary, entry.brief)
        for preset in entry.presets:
            yield from (preset.name, preset.help)
    for model in (MeasureSettings, Prefilter, *(entry.model for entry in entries)):
        for info in model.describe():
            yield from (info.title, info.help, info.unit, info.source, *info.choices.values())
    for criterion in CRITERIA:
        yield from (criterion.title, criterion.help)
    for export in EXPORTS.values():
        yield from (export.group, export.title, export.help, export.label)
    for sample in SAMPLES:
        yield from (sample.title, sample.summary)
    yield STOPPED


def collected() -> dict[str, bool]:
    """Every text with whether it has forms for one and for many."""
    found: dict[str, bool] = {}
    for path in sorted((ROOT / "fsdesk" / "app").rglob("*.py")):
        for text, many in spoken(path):
            found.setdefault(text, many)
    for text in declared():
        if text:
            found.setdefault(text, False)
    return found


def translated(path: Path) -> dict[str, list[str]]:
    """What a file of translations says: the forms of each text; none where it is unfinished."""
    said: dict[str, list[str]] = {}
    if not path.exists():
        return said
    for message in ET.parse(path).iter("message"):
        translation = message.find("translation")
        if translation is not None and translation.get("type") is None:
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            said[message.findtext("source", "")] = forms
    return said


def linguist_file(language: str, said: dict[str, list[str]]) -> str:
    """The file for Qt Linguist, every text in it once."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = "fsdesk"
    for text, many in sorted(collected().items()):
        message = ET.SubElement(context, "message", {"numerus": "yes"} if many else {})
        ET.SubElement(message, "source").text = text
        forms = said.get(text, ["", ""] if many else [""])
        translation = ET.SubElement(message, "translation", {} if all(forms) else {"type": "unfinished"})
        if many:
            for form in forms:
                ET.SubElement(translation, "numerusform").text = form
        else:
            translation.text = forms[0]
    ET.indent(root, "  ")
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n'


def compile_to(source: Path, target: Path) -> None:
    """Write the file that the window loads."""
    import PySide6

    tool = Path(PySide6.__file__).parent / "lrelease"
    subprocess.run([tool, "-silent", source, "-qm", target], check=True)


def main() -> int:
    """Bring all files up to date; say how much is left to translate."""
    sys.path.insert(0, str(ROOT))
    FOLDER.mkdir(exist_ok=True)
    for language in LANGUAGES:
        path = FOLDER / f"fsdesk_{language}.ts"
        said = translated(path)
        path.write_text(linguist_file(language, said), encoding="utf-8")
        compile_to(path, path.with_suffix(".qm"))
        left = sum(text not in said for text in collected())
        sys.stdout.write(f"{path.relative_to(ROOT)}: {left} texts are not translated yet\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
