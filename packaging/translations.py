"""Collect every text that the program shows, and keep its translations: `python packaging/translations.py`.

Brings `resources/translations/LANGUAGE.po` up to date, which translators edit (with Poedit, for example), and compiles
each to the `.mo` beside it, which the program reads. Texts are the literals that the sources and the templates of pages
hand to the functions of `fsdesk.messages`, and what methods, models, settings, criteria, exports and samples declare.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from babel.messages import Catalog, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

if TYPE_CHECKING:
    from fsdesk.settings import SettingInfo

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de",)
# Which arguments of which functions are texts: the numbers of one text, or of its forms for one and for many.
KEYWORDS: dict[str, tuple[int, ...]] = {
    "tr": (1,),
    "rich": (1,),
    "mark": (1,),
    "message": (1,),
    **dict.fromkeys(("UserError", "DataError", "SettingsError", "ProjectError", "WorkerError", "WrapperError"), (1,)),
    "mark_many": (1, 2),
    "tr_many": (2, 3),
    "message_many": (2, 3),
}


def declared() -> Iterator[str]:
    """Texts that the lower layers declare."""
    from fsdesk.cli import application, say_help
    from fsdesk.data import SAMPLES
    from fsdesk.measure import CRITERIA
    from fsdesk.methods import METHODS
    from fsdesk.results.exports import EXPORTS
    from fsdesk.results.methods_text import meant_by_zero
    from fsdesk.results.sheets import TABLES
    from fsdesk.wrappers import WRAPPERS

    for entry in [*METHODS, *WRAPPERS]:
        yield from (entry.title, entry.summary, entry.brief)
        for preset in entry.presets:
            yield from (preset.name, preset.help)
    for info in _every_setting():
        yield from (info.title, info.help, info.unit, info.source, info.zero, *info.choices.values())
        yield meant_by_zero(info)
    for criterion in CRITERIA:
        yield from (criterion.title, criterion.help)
    for export in EXPORTS.values():
        yield from (export.group, export.title, export.help, export.label)
    yield from (title for title, _ in TABLES.values())
    for sample in SAMPLES:
        yield from (sample.title, sample.summary)
    helps: list[str] = []
    say_help(application(), lambda text: helps.append(text) or text)  # type: ignore[func-returns-value]
    yield from helps


def _every_setting() -> Iterator[SettingInfo]:
    from fsdesk.data import ReadOptions
    from fsdesk.engine import SHARED
    from fsdesk.methods import METHODS
    from fsdesk.wrappers import WRAPPERS

    models = (entry.model for entry in [*METHODS, *WRAPPERS])
    for model in (*SHARED.values(), ReadOptions, *models):
        yield from model.describe()


def python_texts(
    file: IO[bytes], keywords: Iterable[str], *_: object, **__: object
) -> Iterator[tuple[int, str, object, list[str]]]:
    """Extract from Python for babel, whose own way depends on the version of Python for calls inside of f-strings."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in keywords:
            texts = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            if texts:
                yield node.lineno, node.func.id, tuple(texts) if len(texts) > 1 else texts[0], []


def template() -> Catalog:
    """Every text without its translations, as gettext's .pot files have them."""
    made = Catalog(fuzzy=False, charset="utf-8")
    methods: dict[str, Any] = {"*.py": python_texts, "*.jinja": "jinja2"}  # babel declares another order than it takes
    for pattern, method in methods.items():
        for path in sorted((ROOT / "fsdesk").rglob(pattern)):
            with path.open("rb") as file:
                for _, text, _, _ in extract.extract(method, file, KEYWORDS):
                    made.add(text)
    for text in declared():
        if text:
            made.add(text)
    return made


def catalogue(language: str) -> Catalog:
    """The translations to a language as its .po file has them."""
    path = FOLDER / f"{language}.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str) -> Catalog:
    """The translations to a language with all texts of today, and only these."""
    kept, made = catalogue(language), Catalog(locale=language, charset="utf-8", fuzzy=False)
    for text in template():
        if text.id:
            old = kept.get(text.id)
            made.add(text.id, old.string if old is not None and old.id == text.id else None)
    return made


def po_text(made: Catalog) -> bytes:
    """The file for translators: sorted, without line numbers, so that only changed texts change it."""
    lines = io.BytesIO()
    lines.write(f'msgid ""\nmsgstr ""\n"Language: {made.locale}\\n"\n'.encode())
    lines.write(f'"Plural-Forms: {made.plural_forms}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'.encode())
    write_po(lines, made, sort_output=True, no_location=True, omit_header=True, width=120)
    return lines.getvalue()


class Compiled(Catalog):
    """A catalogue whose header is the same whatever the day and the version of babel."""

    mime_headers = property(
        lambda self: [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", self.plural_forms)]
    )


def mo_bytes(made: Catalog) -> bytes:
    """The file that the program reads; the same bytes each time."""
    file, compiled = io.BytesIO(), Compiled(locale=made.locale, charset="utf-8", fuzzy=False)
    for text in sorted(text for text in made if text.id):
        compiled.add(text.id, text.string)
    write_mo(file, compiled)
    return file.getvalue()


def untranslated(made: Catalog) -> list[str]:
    """Texts, or forms of texts, without a translation."""
    return [
        str(text.id)
        for text in made
        if text.id and not (all(text.string or [""]) if text.pluralizable else text.string)
    ]


def main() -> int:
    """Bring all files up to date; say how much is left to translate."""
    sys.path.insert(0, str(ROOT))
    for language in LANGUAGES:
        made = updated(language)
        (FOLDER / f"{language}.po").write_bytes(po_text(made))
        (FOLDER / f"{language}.mo").write_bytes(mo_bytes(made))
        left = untranslated(made)
        sys.stdout.write(f"{language}.po: {len(left)} texts are not translated yet\n")
        sys.stdout.writelines(f"  {text}\n" for text in left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
