"""Collect every text of the window, and keep its translations: `python packaging/translations.py`.

Writes `resources/translations/fsdesk_LANGUAGE.ts` for Qt Linguist, with what was translated before, and compiles each
to the `.qm` beside it. Texts are the literals that the window, reports and printed figures hand to `tr`, `tr_many`,
`mark` and `counted`, what the lower layers declare of settings, methods, models, criteria, exports and samples, and the
templates of the sentences that these layers say: errors, checks, why a search ended. The templates are listed in
`sentences.json` too, by which a sentence is known again, see `fsdesk/speech.py`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsdesk.settings import SettingInfo

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de",)
SENTENCES = FOLDER / "sentences.json"
SAYING = ("data", "engine", "measure", "methods", "results", "store", "wrappers", "settings.py")
SAY = {
    "UserError",
    "DataError",
    "SeveralTablesError",
    "SettingsError",
    "ProjectError",
    "WorkerError",
    "WrapperError",
    "End",
}
NAMED = {"sentence", "reason", "done", "where", "joined", "advice", "there", "refused", "message", "other", "number"}
# Said inside of sentences, by tables and arguments that no rule below finds.
PARTS = {
    "{total} in {count} ({names}); {done}.", "the target", "to ignore", "to keep", "to start with", "the groups",
    "the folds", "the time", "tab-separated", "semicolon-separated", "bar-separated", "comma-separated",
    "space-separated", "one column", "decimal comma", "with a header", "without a header", "features in rows",
    "labels from {source}", 'sheet "{sheet}"', "number {number}", "seed {seed}",
    "sample data of scikit-learn", "made-up expression data",
    "GEO series matrix", "sparse ARFF", "waveforms made from the formula of Breiman et al. (1984)",
    '"{first}" and "{second}"',
    "{names} always in", "{names} never in", "{names} free again", "{count} more iterations", "{count} more iteration",
    "{count} more measurements", "{count} more measurement", "{count} more minutes", "{count} more minute",
    "{iterations} more iterations and {measurements} more measurements",
    "check the connection to the internet, or open a table from a file", "its address cannot be found",
    "it did not answer in time", "the connection was refused", "the connection broke off",
    "its certificate is not trusted", "there is no way to it from this computer", "no answer",
    "the time was nearly up, and the finalists were measured again",
    "1 row in {every} is drawn", "the {most} features of the highest weight are drawn, of {count}",
    "1 row in {every} is drawn, the {most} features of the highest weight are drawn, of {count}",
    "it is below min_size, which is {smallest}; raise it, or set it to 0 for no limit",
}  # fmt: skip
FEWEST_LETTERS = 7


def spoken(path: Path) -> Iterator[tuple[str, bool]]:
    """Texts of one file of the window, and whether a text has forms for one and for many."""
    from fsdesk.app.translation import many_of

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
    from fsdesk.measure import CRITERIA
    from fsdesk.methods import METHODS
    from fsdesk.pages import WORDS
    from fsdesk.results.comparison_table import TABLES
    from fsdesk.results.exports import EXPORTS
    from fsdesk.results.report import meant_by_zero
    from fsdesk.wrappers import WRAPPERS

    entries = [*METHODS, *WRAPPERS]
    for entry in entries:
        yield from (entry.title, entry.summary, entry.brief)
        for preset in entry.presets:
            yield from (preset.name, preset.help)
    for info in _every_setting():
        yield from (info.title, info.help, info.unit, info.source, info.zero, *info.choices.values())
    for criterion in CRITERIA:
        yield from (criterion.title, criterion.help)
    for export in EXPORTS.values():
        yield from (export.group, export.title, export.help, export.label)
    yield from (title for title, _ in TABLES.values())
    for sample in SAMPLES:
        yield from (sample.title, sample.summary)
    yield from WORDS
    yield from sorted({meant for info in _every_setting() if (meant := meant_by_zero(info))})


def _every_setting() -> Iterator[SettingInfo]:
    from fsdesk.data import ReadOptions
    from fsdesk.engine import SHARED
    from fsdesk.methods import METHODS
    from fsdesk.wrappers import WRAPPERS

    models = (entry.model for entry in [*METHODS, *WRAPPERS])
    for model in (*SHARED.values(), ReadOptions, *models):
        yield from model.describe()


def said_in_page(path: Path) -> Iterator[str]:
    """Texts that a template of a page says by ``tr`` and ``rich``."""
    from jinja2 import Environment, nodes

    for call in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        named = isinstance(call.node, nodes.Name) and call.node.name in ("tr", "rich")
        if named and call.args and isinstance(call.args[0], nodes.Const):
            yield str(call.args[0].value)


def templates() -> set[str]:
    """What the lower layers say, each sentence with {names} in the places of its values."""
    from fsdesk.engine.loop import STOPPED

    found = {*PARTS, STOPPED}
    for name in SAYING:
        place = ROOT / "fsdesk" / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                found.update(filter(_reads, _raised_at(node)))
                if name != "results":  # its other texts are those of reports
                    found.update(filter(_reads, _said_at(node)))
    return found


def _reads(text: str) -> bool:
    """Whether it is more than a word, and can be told from others."""
    letters = len(re.sub(r"\{\w+\}|[^A-Za-z]", "", text))
    enough = letters >= FEWEST_LETTERS or (text.startswith("{count} ") and letters > 2)
    return enough and " " in text.strip() and not text.startswith("\n")


def _raised_at(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and node.args and _called(node) in SAY:
        yield from _alternatives(node.args[0])


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def _said_at(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        if _called(node) in ("Check", "Ended") and len(node.args) > 1:
            yield from _alternatives(node.args[1])
        elif _called(node) == "listed":
            yield from ("{count} " + text for each in node.args[1:] for text in _alternatives(each))
        for keyword in node.keywords:
            if keyword.arg in NAMED:
                yield from _alternatives(keyword.value)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in NAMED:
        yield from _alternatives(node.value)
    elif isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name) and node.returns.id == "str":
        if node.name == "__repr__":  # for programmers, in English
            return
        for each in ast.walk(node):
            if isinstance(each, ast.Return) and each.value is not None:
                yield from _alternatives(each.value)


def _alternatives(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be, as templates."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield _template(node)
        for value in node.values:
            if isinstance(value, ast.FormattedValue) and isinstance(value.value, ast.IfExp):
                yield from _alternatives(value.value)
    elif isinstance(node, ast.IfExp):
        yield from (*_alternatives(node.body), *_alternatives(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (text for each in node.values for text in _alternatives(each))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from (one + other for one in _alternatives(node.left) for other in _alternatives(node.right))


def _template(node: ast.JoinedStr) -> str:
    """An f-string with names alone in its braces, each another one."""
    made, used = "", set[str]()
    for value in node.values:
        if isinstance(value, ast.Constant):
            made += str(value.value)
        elif isinstance(value, ast.FormattedValue):
            name = named = _name(value.value)
            number = 1
            while name in used:
                number += 1
                name = f"{named}{number}"
            used.add(name)
            made += f"{{{name}}}"
    return made


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _name(node.args[0]) if node.args else _name(node.func)
    if isinstance(node, ast.Subscript | ast.BinOp | ast.BoolOp):
        inner = (
            node.values[0] if isinstance(node, ast.BoolOp) else node.left if isinstance(node, ast.BinOp) else node.value
        )
        return _name(inner)
    return str(getattr(node, "id", getattr(node, "attr", "value"))).strip("_").lower()


def collected() -> dict[str, bool]:
    """Every text with whether it has forms for one and for many."""
    found: dict[str, bool] = {}
    for folder in ("app", "results"):
        for path in sorted((ROOT / "fsdesk" / folder).rglob("*.py")):
            for text, many in spoken(path):
                found.setdefault(text, many)
    for path in sorted((ROOT / "fsdesk" / "results").glob("report*.jinja")):
        found.update(dict.fromkeys(said_in_page(path), False))
    for text in (*declared(), *templates()):
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
    """Write the file that the window loads; in one step, for a window that is open reads it as it goes."""
    import PySide6

    tool, part = Path(PySide6.__file__).parent / "lrelease", target.with_suffix(".part")
    subprocess.run([tool, "-silent", source, "-qm", part], check=True)
    part.replace(target)


def main() -> int:
    """Bring all files up to date; say how much is left to translate."""
    sys.path.insert(0, str(ROOT))
    FOLDER.mkdir(exist_ok=True)
    SENTENCES.write_text(json.dumps(sorted(templates()), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
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
