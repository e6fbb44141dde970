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
    "measured anew": "remeasured, or re-estimated",
    "rows that were learned": "training rows",
    "chance to be": "probability of being",
    "to reckon with": "expected",
    "so many of them": "their number, or this many",
    "not numbers where": "NaN if",
    "made ready": "prepared, or loaded",
    "put in order": "sorted, or ranked",
    "bring forth": "produce",
    "no other than": "only",
    "hand it in": "submit it",
    "let go of": "released",
    "to be had": "available",
}
RETIRED |= PHRASES
# only in the program and its help
DIALECT = {
    "none where": "None if, or empty if",
    "where there is none": "if there is none",
    "it says of": "it predicts for",
    "says of": "predicts for, or reports about",
    "said of": "reported about, or predicted for",
    "is looked at": "is shown, or is checked",
    "beyond doubt": "certain",
    "stand for": "represent, or replace",
    "in the place of": "instead of",
    "for want of": "for lack of",
}
PATTERN = r"\b({})s?\b"
WORDS = re.compile(PATTERN.format("|".join(RETIRED)), re.IGNORECASE)
PLAIN = re.compile(PATTERN.format("|".join(RETIRED | DIALECT)), re.IGNORECASE)


@pytest.mark.parametrize("folder", ["fsdesk", "tests", "packaging", "resources/help"])
def test_retired_words_are_in_no_source_and_no_page(folder):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {word[0]}: say {(RETIRED | DIALECT)[word[1].lower()]}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".md", ".cpp", ".hpp", ".jinja", ".typ"} and path.name != Path(__file__).name
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in (PLAIN if folder in {"fsdesk", "resources/help"} else WORDS).finditer(line)
    ]
    assert not found, "\n".join(found)


def test_a_retired_word_is_found():
    assert WORDS.search("it heeds what")
    assert not WORDS.search("surfaces")
    assert PLAIN.search("what a model says of a row")
