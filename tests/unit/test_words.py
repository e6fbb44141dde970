"""Words that were retired stay retired: the right ones are the field's, Qt's or Python's."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RETIRED = {
    "retold": "translated, or replayed where it is about events",
    "heed": "invoke, follow, or callback",
    "errands": "background tasks",
    "off_thread": "in_thread",
    "deeds": "actions",
    "surfacing": "exception hooks",
    "wishes": "constraints",
    "rudder": "steering filter",
    "sapling": "new tree",
    "tally": "work queue",
    "harmless": "escape_formula",
    "retelling": "translation",
    "veil": "setUpdatesEnabled",
    "strokes": "paint",
    "desk": "window",
    "workbench": "workspace",
}
PHRASES = {
    "rows that no search saw": "held-out rows",
    "honest error": "held-out error",
    "set aside": "excluded",
}
RETIRED |= PHRASES
WORDS = re.compile(rf"\b({'|'.join(RETIRED)})s?\b", re.IGNORECASE)


@pytest.mark.parametrize("folder", ["fsdesk", "tests", "packaging", "resources/help"])
def test_retired_words_are_in_no_source_and_no_page(folder):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {word[0]}: say {RETIRED[word[1].lower()]}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".md", ".cpp", ".hpp", ".jinja", ".typ"} and path.name != Path(__file__).name
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in WORDS.finditer(line)
    ]
    assert not found, "\n".join(found)


def test_a_retired_word_is_found():
    assert WORDS.search("it heeds what")
    assert not WORDS.search("surfaces")
