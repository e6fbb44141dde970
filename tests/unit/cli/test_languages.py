"""The command line speaks the language that the environment names."""

import re
import zipfile

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


@pytest.mark.parametrize("command", ["", "run", "verify", "export", "study", "bench", "bench wrappers"])
def test_help_is_german_and_english_again_for_the_next_who_asks(capsys, monkeypatch, command):
    assert invoke([*command.split(), "--help"]) == 0
    said = capsys.readouterr().out
    assert "Optionen:" in said
    assert "Diese Hilfe ausgeben und beenden." in said
    assert not re.findall(r"\b(the|which|with|and|each)\b", said)
    monkeypatch.setenv("LANGUAGE", "en")
    assert invoke([*command.split(), "--help"]) == 0
    said = capsys.readouterr().out
    assert "Options:" in said
    assert not re.findall(r"\b(der|die|das|und|mit)\b", said)


def test_what_holds_of_a_bundle_is_said_in_german(capsys, tmp_path):
    arguments = ["run", "sample:wine", "--method", "sfs", "--set", "max_size=2", "--outer", "0", "--out", str(tmp_path)]
    assert invoke(arguments) == 0
    assert invoke(["export", str(tmp_path / "run.fsdesk"), "--what", "bundle.zip"]) == 0
    capsys.readouterr()
    assert invoke(["verify", str(tmp_path / "bundle.zip")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("bundle.zip: Bestätigt: alle ")
    assert "folgen aus dem Startwert 0, ebenso das Ergebnis" in said
    assert not re.findall(r"\b(the|which|with|and|each|for)\b", said)
    with zipfile.ZipFile(tmp_path / "bundle.zip") as held, zipfile.ZipFile(tmp_path / "altered.zip", "w") as altered:
        for entry in held.infolist():
            altered.writestr(entry, held.read(entry).replace(b'"seed":0', b'"seed":1').replace(b"search", b"hunt"))
    assert invoke(["verify", str(tmp_path / "altered.zip")]) == 1
    said = capsys.readouterr().out
    assert said.startswith("altered.zip: Nicht bestanden: seit der Versiegelung geändert: ")
    assert not re.findall(r"\b(the|which|with|and|each|for)\b", said)


def test_runs_are_compared_and_a_table_is_described_in_german(capsys, patients, tmp_path):
    head, *rows = patients.read_text().splitlines()
    table = tmp_path / "rows.csv"
    lines = [f",{head}", *(f"p{place},{row}" for place, row in enumerate(rows))]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert invoke(["run", str(table), "--method", "full", "--outer", "0", "--out", str(tmp_path)]) == 0
    assert "Die erste Spalte (ohne Namen)" in capsys.readouterr().err
    assert invoke(["compare", str(tmp_path / "run.fsdesk")]) == 0
    said = capsys.readouterr().out
    assert "Merkmale" in said
    assert not re.findall(r"\b(Unseen|Beats|Search|Fresh|Features|Measured|Seconds)\b", said)
