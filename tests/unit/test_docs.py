"""Every example of the documentation runs and says what it says."""

import doctest
import re

import pytest

import fsdesk as library
from fsdesk.paths import resource
from tests.invoking import FILES, fsdesk

FOLDER = resource("docs")
PAGES = sorted(FOLDER.rglob("*.md"))
IDS = [str(page.relative_to(FOLDER)) for page in PAGES]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page, kind):
    return [text for word, text in BLOCK.findall(page.read_text(encoding="utf-8")) if word == kind]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem)
def test_examples_in_python_say_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(page, "python"))
    if ">>>" not in text:
        compile(text, str(page), "exec")
        return
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)


def test_the_commands_of_the_terminal_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (text,) = blocks(FOLDER / "tutorials" / "terminal.md", "console")
    for line in text.splitlines():
        assert line.startswith("$ fsdesk ")
        fsdesk(*line.removeprefix("$ fsdesk ").split())
    assert set(FILES) <= {file.name for file in tmp_path.glob("results/*")}


def test_every_page_is_in_the_table_of_contents_and_every_link_leads_to_a_file():
    listed = (FOLDER / "index.md").read_text(encoding="utf-8")
    for page, name in zip(PAGES, IDS, strict=True):
        assert name == "index.md" or name.removesuffix(".md") in listed.split()
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
            made = {"../screenshot.png"}  # beside the sources when the site is made
            assert link in made or (page.parent / link).exists(), (name, link)


def test_everything_public_has_a_docstring_that_the_reference_shows():
    for name in library.__all__:
        assert (getattr(library, name).__doc__ or "").strip().count(" ") > 3, name
