"""The command line speaks the language that the environment names."""

import re

import pytest

from fsdesk.cli import invoke
from fsdesk.messages import ENGLISH, set_language


@pytest.fixture(autouse=True)
def german(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "de_DE:de")
    yield
    set_language(ENGLISH)


def test_what_is_wrong_is_said_in_german(capsys, tmp_path):
    assert invoke(["run", str(tmp_path / "gone.csv")]) == 2
    assert capsys.readouterr().err.startswith("fsdesk: Es gibt keine Datei „")


@pytest.mark.parametrize("command", ["methods", "wrappers", "criteria", "settings"])
def test_lists_are_german(capsys, command):
    assert invoke([command]) == 0
    assert not re.findall(r"\b(the|which|with|and|each)\b", capsys.readouterr().out)


def test_a_run_reports_in_german_and_its_numbers_for_programs_stay_english(capsys, tmp_path):
    arguments = ["run", "sample:wine", "--method", "sfs", "--set", "max_size=2", "--outer", "0", "--out", str(tmp_path)]
    assert invoke(arguments) == 0
    said = capsys.readouterr().out
    assert re.search(r"2 von 13 Merkmalen nach \d+ Messungen: die letzte Größe ist erreicht: 2\.", said)
    assert '<html lang="de"' in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert '"the last size is reached: 2"' in (tmp_path / "result.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("variables", "first"),
    [
        ({"LANGUAGE": "en", "LC_ALL": "de_DE.UTF-8"}, "There is no file"),
        ({"LC_ALL": "de_DE.UTF-8", "LANG": "en_GB.UTF-8"}, "Es gibt keine Datei"),
        ({"LANG": "de_AT.UTF-8"}, "Es gibt keine Datei"),
        ({"LANG": "C.UTF-8"}, "There is no file"),
        ({}, "There is no file"),
    ],
)
def test_the_language_is_that_of_the_first_variable_that_is_set(capsys, monkeypatch, variables, first):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert invoke(["run", "gone.csv"]) == 2
    assert first in capsys.readouterr().err
