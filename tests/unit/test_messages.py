"""Messages keep their template and values, and each text of the program is in the catalogue of every language."""

import ast
import copy
import importlib.util
import json
import pickle
import re
import sys
import threading
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fsdesk.errors import DataError
from fsdesk.messages import (
    ENGLISH,
    Message,
    counted,
    current_language,
    data_of,
    escaped,
    in_language,
    joined,
    language_named,
    message,
    message_many,
    message_of,
    number,
    plain_number,
    quoted,
    set_language,
    tr,
    tr_many,
    translated,
    within,
)

ROOT = Path(__file__).resolve().parents[2]
GERMAN = language_named("de")


def in_german(text):
    with in_language(GERMAN):
        return translated(text)


def test_a_message_is_its_english_text_and_translated_with_its_values():
    made = message('"{name}"', name="a.csv")
    assert made == '"a.csv"'
    assert in_german(made) == "„a.csv“"
    assert in_german(quoted(["a", "b, c", "d", "e", "f"])) == "„a“, „b, c“, „d“ und 2 weitere"


def test_values_that_are_messages_are_translated_and_what_the_user_wrote_stays():
    made = message("{names} and {count:,} more", names=message('"{name}"', name="Search"), count=np.int64(1500))
    assert made == '"Search" and 1,500 more'
    assert in_german(made) == "„Search“ und 1.500 weitere"


def test_numbers_are_written_as_the_language_does():
    with in_language(GERMAN):
        assert tr("{low:.4g} to {high:.4g}, median {middle:.4g}", low=0.5, high=2.5, middle=1) == (
            "0,5 bis 2,5, Median 1"
        )
        assert number(22283.5, ",.1f") == "22.283,5"
        assert number(-0.25, ".2f") == "−0,25"
        assert plain_number("−0,25") == "-0.25"
    assert number(22283.5, ",.1f") == "22,283.5"


def test_one_thing_and_many_things_have_forms_of_their_own():
    assert [counted(n, "class") for n in (0, 1, 2)] == ["0 classes", "1 class", "2 classes"]
    assert [tr_many(n, "{count} leaf", "{count} leaves") for n in (1, 2)] == ["1 leaf", "2 leaves"]
    many = [message_many(n, "{count} row", "{count} rows") for n in (0, 1, 22283)]
    assert many == ["0 rows", "1 row", "22,283 rows"]
    assert [in_german(each) for each in many] == ["0 Zeilen", "1 Zeile", "22.283 Zeilen"]


def test_joined_parts_are_translated_one_by_one():
    made = joined("; ", [message_many(2, "{count} row", "{count} rows"), "as {is}"])
    assert made == "2 rows; as {is}"
    assert in_german(made) == "2 Zeilen; as {is}"
    assert joined(", ", []) == ""


@pytest.mark.parametrize(
    "travel",
    [
        lambda text: pickle.loads(pickle.dumps(text)),
        copy.deepcopy,
        lambda text: message_of(json.loads(json.dumps(data_of(text)))),
        lambda text: str(DataError(text)),
        lambda text: str(pickle.loads(pickle.dumps(DataError(text)))),
    ],
    ids=["pickle", "copy", "JSON", "error", "pickled error"],
)
def test_a_message_can_be_translated_after_it_travelled(travel):
    made = message_many(3, "{count} row", "{count} rows", more=quoted(["a"]), share=0.5, flag=True)
    after = travel(made)
    assert isinstance(after, Message)
    assert after == made
    assert (after.template, after.values, after.many) == (made.template, made.values, made.many)
    assert in_german(after) == "3 Zeilen"


def test_what_is_written_to_files_and_shown_in_english_is_plain_text():
    made = message('"{name}"', name="a")
    assert json.dumps({"sentence": made}) == json.dumps({"sentence": '"a"'})
    assert type(translated(made)) is str


@pytest.mark.parametrize(
    "data", [{}, {"template": "{a}", "values": {"b": 1}}, {"template": 3, "values": {"b": 1}}, {"values": 1}]
)
def test_data_that_are_no_message_are_refused(data):
    with pytest.raises(ValueError, match="no message"):
        message_of(data)


def test_a_text_in_braces_without_values_stays_as_it_is():
    assert message("{not} a value") == "{not} a value"
    assert in_german(message("{not} a value")) == "{not} a value"
    assert in_german("") == ""


def test_the_language_of_the_process_holds_in_all_threads_and_a_block_may_differ():
    said: list[str] = []
    set_language(GERMAN)
    try:
        thread = threading.Thread(target=lambda: said.append(counted(2, "row")))
        thread.start()
        thread.join()
        with in_language(ENGLISH):
            said.append(counted(2, "row"))
        assert current_language() is GERMAN
    finally:
        set_language(ENGLISH)
    assert said == ["2 Zeilen", "2 rows"]


def test_a_declared_title_begins_small_inside_an_english_sentence():
    assert within("Nearest neighbors") == "nearest neighbors"
    with in_language(GERMAN):
        assert within("Nearest neighbors") == "Nächste Nachbarn"


def test_a_language_without_a_catalogue_is_english():
    assert language_named("xx") is ENGLISH


def catalogues():
    """The module that keeps the catalogues."""
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def made():
    """The module, which looks through the sources once."""
    made = catalogues()
    made.updated = cache(made.updated)
    return made


@pytest.mark.parametrize("language", catalogues().LANGUAGES)
def test_every_text_is_translated_with_its_placeholders_and_the_files_are_up_to_date(made, language):
    found = made.updated(language)
    how = "run packaging/translations.py and translate what it lists"
    assert made.untranslated(found) == [], how
    assert (made.FOLDER / f"{language}.po").read_bytes() == made.po_text(found), how
    assert (made.FOLDER / f"{language}.mo").read_bytes() == made.mo_bytes(found), how
    for text in found:
        forms = (text.string,) if isinstance(text.string, str) else text.string
        sources = (text.id,) if isinstance(text.id, str) else text.id
        for form in forms if text.id else ():
            assert placeholders(form) in [placeholders(source) for source in sources], text.id
            assert form[:1].isspace() == sources[0][:1].isspace(), text.id


def placeholders(text):
    return sorted(re.findall(r"\{\w+(?:[:!][^}]*)?\}", text))


def test_the_command_for_translators_changes_nothing_where_all_is_done(made, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = {path: path.read_bytes() for path in made.FOLDER.iterdir()}
    assert made.main() == 0
    assert ": 0 texts are not translated yet" in capsys.readouterr().out
    assert before == {path: path.read_bytes() for path in before}


def test_variants_of_methods_and_models_are_named_in_german(planted):
    from fsdesk.engine import RunSpec
    from fsdesk.results.comparison import variants

    specs = [
        RunSpec.make(planted, method="bspsa", wrapper="nn", settings={"a": gain, "distance": metric})
        for gain, metric in ((0.75, "euclidean"), (0.5, "manhattan"))
    ]
    with in_language(GERMAN):
        method, model = variants(specs, [False, True])[1]
        assert translated(method).startswith("BSPSA, Schrittweite a 0,5")
        assert "geändert" in translated(method)
        assert translated(model).startswith("Nächste Nachbarn, Abstand ")


SAYING = {*catalogues().KEYWORDS} - {"rich"}


def formatted_before(source):
    """Names of calls whose text is put together before the catalogue could find it."""
    for node in ast.walk(ast.parse(source)):
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if called in SAYING and any(isinstance(each, ast.JoinedStr | ast.BinOp) for each in node.args):
            yield f"{called} in line {node.lineno}"


def test_no_sentence_is_put_together_before_it_is_translated():
    found = {
        str(path.relative_to(ROOT)): calls
        for path in sorted((ROOT / "fsdesk").rglob("*.py"))
        if path.name != "estimators.py"  # Python's users read English
        and (calls := list(formatted_before(path.read_text(encoding="utf-8"))))
    }
    assert not found
    assert list(formatted_before("DataError(f'{a} is wrong')\ntr('a' + b)\ntr('a {b}', b=f'{c}')")) == [
        "DataError in line 1",
        "tr in line 2",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("Ärztin Müller, 東京", "Ärztin Müller, 東京"),
        ("\x1b[2J\x1b[1;1HHolds", r"\x1b[2J\x1b[1;1HHolds"),
        ("a\nb\rc\td\u2028e", r"a\nb\rc\td\u2028e"),
        ("a\u202eb\u200f\u2066", r"a\u202eb\u200f\u2066"),
        ("\x9b2J\x07\x00\x7f", r"\x9b2J\x07\x00\x7f"),
        ('Ada", key SHA256:x', r"Ada\", key SHA256:x"),
        ("back\\slash", r"back\\slash"),
        ("\ud800\U000e0041", r"\ud800\U000e0041"),
        ("x" * 100, "x" * 59 + "…"),
    ],
)
def test_words_of_others_are_escaped_and_short(text, shown):
    assert escaped(text) == shown
    assert escaped(text).isprintable()
