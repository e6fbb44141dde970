"""Every method and wrapper has a help page that a person wrote, with its settings as they are declared."""

import re
from pathlib import Path

import pytest

import fsdesk
from fsdesk.messages import Language, in_language, language_named
from fsdesk.methods import METHODS
from fsdesk.pages import example, group_page, help_file, page
from fsdesk.paths import resource
from fsdesk.wrappers import WRAPPERS

ENTRIES = [("methods", entry) for entry in METHODS] + [("wrappers", entry) for entry in WRAPPERS]


@pytest.mark.parametrize(("kind", "entry"), ENTRIES, ids=lambda value: getattr(value, "name", value))
def test_the_page_says_what_it_does_a_formula_when_to_use_it_and_every_setting(kind, entry):
    text = page(kind, entry)
    written = resource(f"help/{kind}/{entry.name}.md").read_text(encoding="utf-8")
    assert len(re.findall(r"[.!?](?:\s|$)", written)) >= 5
    assert "## When to use it" in written
    assert re.search(r"^    \S", written, re.MULTILINE), "a formula stands in an indented block"
    for info in entry.model.describe():
        assert f"`{info.name}`" in text
    for preset in entry.presets:
        assert preset.name in text
    assert entry.reference in text


def test_a_table_says_choices_as_the_window_does_and_numbers_as_the_language_does():
    infos = METHODS["bspsa"].model.describe()
    with in_language(language_named("de")):
        text = group_page("Einstellungen", infos)
    steps = next(info for info in infos if info.name == "alpha")
    assert f"| {str(steps.default).replace('.', ',')} |" in text
    assert "≥" in text
    assert "Euclidean (`euclidean`)" in page("wrappers", WRAPPERS["nn"])


def skeleton(path: Path) -> dict[str, list[str]]:
    """What a page has in any language: headings, list items, formulas without words, code, links."""
    text = path.read_text(encoding="utf-8")
    words = r"\ba (?=[a-z]{3})|[^\W\d_]{2,}|[\s,]"
    lines = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    formulas = [re.sub(words, "", re.sub(r"(?<=\d),(?=\d)", ".", line)) for line in lines]
    return {
        "headings": re.findall(r"^#+|<h\d>", text, re.MULTILINE),
        "items": re.findall(r"^(?:-|\d\.) |<li>", text, re.MULTILINE),
        "formulas": formulas,
        "code": re.findall(r"`[^`]+`|\$\w+;", text),
        "links": re.findall(r"\]\(([^)]*)\)|href=\"([^\"]*)", text),
        "paragraphs": [str(len(re.findall(r"\n\s*\n|<p>", text)))],
    }


@pytest.mark.parametrize("language", [each.name for each in resource("help").iterdir() if len(each.name) == 2])
def test_every_page_has_a_twin_in_each_other_language_that_is_built_alike(language):
    pages = {path.relative_to(resource("help")) for path in resource("help").rglob("*.*")}
    twins = {path.relative_to(language) for path in pages if path.parts[0] == language}
    assert twins == {path for path in pages if len(path.parts[0]) != 2} - {Path("developing.md")}  # in English alone
    for twin in sorted(twins):
        english, other = resource("help") / twin, resource("help") / language / twin
        with in_language(Language(language)):
            assert help_file(str(twin)) == other
        assert skeleton(other) == skeleton(english), twin
        assert other.read_text(encoding="utf-8") != english.read_text(encoding="utf-8"), twin


def test_a_language_without_pages_gets_the_english_ones():
    with in_language(Language("xx")):
        assert help_file("window/data.md") == resource("help/window/data.md")


def test_no_page_is_left_over():
    for kind in ("methods", "wrappers"):
        names = {entry.name for listed, entry in ENTRIES if listed == kind}
        assert {path.stem for path in resource(f"help/{kind}").glob("*.md")} == names


def test_a_default_of_0_says_what_it_stands_for():
    assert "| unlimited (`0`) |" in page("methods", METHODS["sfs"])


@pytest.mark.parametrize("kind", ["methods", "wrappers"])
def test_the_examples_of_the_site_ask_for_what_there_is(kind):
    data = fsdesk.read_table("sample:wine")
    option = {"methods": "method", "wrappers": "wrapper"}[kind]
    for entry in {"methods": METHODS, "wrappers": WRAPPERS}[kind]:
        text = example(kind, entry)
        assert f"--{option} {entry.name} " in text
        assert f'{option}="{entry.name}")' in text
        if "sample:wine" in text:
            fsdesk.RunSpec.make(data, seed=0, **{option: entry.name})
