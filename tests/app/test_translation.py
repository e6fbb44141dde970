"""Every text that a person reads can be said in another language, and is said in German."""

import ast
import importlib.util
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from fsdesk.app.translation import chosen_language, duration, keep_language, plain, use_language
from fsdesk.app.widgets import DecimalField
from fsdesk.measure import CRITERIA
from fsdesk.messages import counted, language_named, localised, number, tr
from tests.app.conftest import WindowDriver

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "fsdesk" / "app"
DOORS = {"tr", "tr_many", "mark", "mark_many", "counted", "message", "message_many", "UserError", "ProjectError"}
# Nobody reads these in the window: the log, the terminal, programs, style sheets, types.
UNREAD_CALLS = {
    "getLogger", "info", "warning", "error", "debug", "add_argument", "ArgumentParser", "write", "RuntimeError",
    "value", "setValue", "setProperty", "setStyleSheet", "cast", "TypeVar", "compile", "Formatter", "strftime",
    "get_all", "QSettings", "setObjectName", "setApplicationName", "startswith", "environ",
    "_until", "QKeySequence", "setStyle", "setShortcuts", "setShortcut", "restyle", "load", "glob",
}  # fmt: skip
UNREAD_FILES = {"palette.py": "names of colours"}
UNREAD_LITERALS = {
    **dict.fromkeys(("Esc", "Alt", "Tab, Shift+Tab", "Space", "Del"), "keys as Qt writes them"),
    **dict.fromkeys(("English", "Deutsch"), "a language is called by its own name"),
    **dict.fromkeys(("Mask", "Figures"), "names of groups of exports, compared and not shown"),
    **dict.fromkeys(("numeric target", "sample descriptions", "mutual information"), "kinds that lower layers name"),
    **dict.fromkeys(("half minimum", "balanced error"), "values of settings"),
    "rail foot": "a surface of the style sheet",
    "smoke test passed: ": "for the terminal of a build",
}


def _translations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _reads(text: str) -> bool:
    """Two words, or one that begins with a capital letter and is no key or name of a class."""
    text = re.sub(r"<[^>]*>?", "", text)
    if "; }" in text:  # a style sheet
        return False
    return bool(re.search(r"[A-Za-z]{2,}[,:;.]? [A-Za-z]{2,}", text) or re.fullmatch(r"[A-Z][a-z]{2,}( …|\.|:)?", text))


def _unspoken(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Literals that a person would read and that go through no door."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str) and _reads(node.value)):
            continue
        above: list[ast.AST] = [node]
        while above[-1] in parents:
            above.append(parents[above[-1]])
        if isinstance(above[1], ast.Expr | ast.Subscript | ast.Compare | ast.Match) or _is_type_or_key(above):
            continue
        if _ends_a_name(node, above[1]):
            continue
        calls = {_called(each) for each in above if isinstance(each, ast.Call)}
        if not calls & (DOORS | UNREAD_CALLS) and node.value not in UNREAD_LITERALS:
            yield node.lineno, node.value


def _ends_a_name(node: ast.Constant, text: ast.AST) -> bool:
    """The end of an object's name, as in f"{name}Scroll"."""
    inner = isinstance(text, ast.JoinedStr) and text.values[0] is not node
    return inner and bool(re.fullmatch(r"[A-Z][a-z]+", str(node.value)))


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _is_type_or_key(above: list[ast.AST]) -> bool:
    """A quoted annotation, an entry of ``__all__``, a key of a table of the module, or a constant such as _KEY."""
    for inner, outer in pairwise(above):
        if isinstance(outer, ast.arg | ast.AnnAssign) and outer.annotation is inner:
            return True
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) and outer.returns is inner:
            return True
        if isinstance(outer, ast.Dict) and inner in outer.keys:
            return True
        if isinstance(outer, ast.Assign):
            names = [target.id for target in outer.targets if isinstance(target, ast.Name)]
            return "__all__" in names or any(
                name.endswith(("_KEY", "_NEVER", "_REMEMBERED", "_INFORMING")) for name in names
            )
    return False


def test_every_literal_that_a_person_reads_goes_through_the_door_to_other_languages() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text!r}"
        for path in sorted(APP.rglob("*.py"))
        if path.name not in UNREAD_FILES
        for line, text in _unspoken(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(found)


def test_the_rule_finds_a_text_that_was_forgotten() -> None:
    tree = ast.parse('box.setText(f"{count} more runs")\nlabel("Results")\nlabel(tr("Results"))')
    assert {text for _, text in _unspoken(tree)} == {" more runs", "Results"}


def test_german_says_texts_plurals_and_numbers_as_germans_do(german: None) -> None:
    assert tr("Search") == "Suche"
    assert counted(1, "row") == "1 Zeile"
    assert counted(22283, "feature") == "22.283 Merkmale"
    assert number(0.25, ".2f") == "0,25"
    assert tr("{low:.4g} to {high:.4g}, median {middle:.4g}", low=0.5, high=2.5, middle=1) == "0,5 bis 2,5, Median 1"
    assert duration(26 * 3600) == "26 h"


def test_what_could_not_be_measured_is_said_in_german(german: None) -> None:
    assert localised(CRITERIA["auc"].text(np.inf)) == "nicht gemessen"
    assert localised(CRITERIA["auc"].text(0.058)) == "0,9420"


def test_a_decimal_is_typed_as_it_is_shown_and_with_a_point_too(german: None) -> None:
    field = DecimalField(0, 10)
    field.setValue(0.75)
    assert field.text() == "0,75"
    for typed in ("0,5", "0.5", "5e-1"):
        assert field.valueFromText(typed) == 0.5


def test_the_language_is_chosen_in_the_menu_and_spoken_after_the_next_start(driver: WindowDriver) -> None:
    assert chosen_language(driver.store) == "system"
    driver.child(QAction, "language_de").trigger()
    assert chosen_language(driver.store) == "de"
    assert "Deutsch" in driver.window.messages.messages[-1].sentence


def test_an_unknown_language_in_the_settings_is_that_of_the_system(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "x.ini"), QSettings.Format.IniFormat)
    keep_language(store, "klingon")
    assert chosen_language(store) == "system"


def test_texts_that_were_forgotten_stand_out_in_the_language_of_brackets(qapp: QApplication) -> None:
    use_language("pseudo")
    try:
        assert re.fullmatch(r"\[Search~+\]", tr("Search"))
    finally:
        use_language("en")
        QLocale.setDefault(QLocale.c())


HEADINGS = {
    "en": {
        "After a crash or a power cut", "Two windows on one project", "Disk full", "With the held-out error", "Here",
        "Command line", "Python",
        "Anyone who can reach the scheduler can run any program on its workers and read the data there",
    },
    "de": {
        "Nach einem Absturz oder Stromausfall", "Zwei Fenster mit einem Projekt", "Platte voll", "Projekt", "Zeile",
        "Mit dem Testfehler", "Hier", "Befehlszeile", "Python",
        "Wer den Scheduler erreicht, kann auf den Workern jedes Programm ausführen und die Daten dort lesen",
    },
}  # fmt: skip


@pytest.mark.parametrize("language", HEADINGS)
def test_what_a_page_of_the_help_names_in_bold_is_written_so_in_the_window(language: str) -> None:
    made = _translations()
    said = language_named(language)  # nothing for English
    ids = [text.id if isinstance(text.id, tuple | list) else (text.id,) for text in made.template()]
    texts = [form for forms in ids for count in (1, 2) for form in [said.form(count, forms[0], forms[-1])]]
    texts += [said.text(form) for forms in ids for form in forms]
    shown = {plain(text).rstrip(":") for text in texts}
    shown |= {text + " …" for text in shown}  # what opens a dialog has dots
    folder = ROOT / "resources" / "help" / ("" if language == "en" else language)
    pages = [page for kind in ("window", "methods", "wrappers") for page in sorted((folder / kind).glob("*.md"))]
    assert len(pages) > 40
    for page in pages:
        if page.stem == "glossary":
            continue
        text = page.read_text(encoding="utf-8")
        about_the_window = text.partition("\n## ")[0] if page.stem == "checks" else text  # then about odd data
        for bold in re.findall(r"\*\*([^*]+)\*\*", about_the_window):
            name = " ".join(bold.split()).rstrip(".")
            assert name in shown | HEADINGS[language] or not name[0].isupper(), f"{page.name}: {name}"


@pytest.mark.parametrize(
    ("value", "form", "text"), [(-0.0, ".6g", "0"), (-0.004, ".2f", "0.00"), (-0.04, ".2f", "−0.04"), (-10, ",", "−10")]
)
def test_no_zero_has_a_sign(value: float, form: str, text: str) -> None:
    assert number(value, form) == text
