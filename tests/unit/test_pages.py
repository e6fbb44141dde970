"""Every method and wrapper has a help page that a person wrote, with its settings as they are declared."""

import re

import pytest

from fsdesk.methods import METHODS
from fsdesk.pages import page, resource
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


def test_no_page_is_left_over():
    for kind in ("methods", "wrappers"):
        names = {entry.name for listed, entry in ENTRIES if listed == kind}
        assert {path.stem for path in resource(f"help/{kind}").glob("*.md")} == names
