"""Results of one run are not replaced by those of another unless the user says so."""

import json
from pathlib import Path

import pytest

from fsdesk.cli import invoke

SHORT = ["--method", "univariate", "--wrapper", "nn", "--set", "repeats=1", "--set", "wanted=2", "--outer", "0"]


def _run(table, *more):
    return invoke(["run", str(table), *SHORT, *map(str, more)])


def _seed(folder):
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))["spec"]["seed"]


@pytest.fixture
def out(table, tmp_path, capsys):
    folder = tmp_path / "out"
    assert _run(table, "--out", folder) == 0
    capsys.readouterr()
    return folder


def test_a_second_run_into_a_folder_is_refused_before_its_search(table, out, capsys):
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert _run(table, "--seed", 7, "--out", out) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--overwrite" in said
    assert str(out) in said
    assert before == {path.name: path.read_bytes() for path in out.iterdir()}
    assert _run(table, "--seed", 7, "--out", out, "--overwrite") == 0
    assert _seed(out) == 7


def test_without_a_folder_a_second_run_gets_its_own(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in (3, 4, 5):
        assert _run(table, "--seed", seed) == 0
    folders = [Path(f"t-univariate{end}") for end in ("", "-2", "-3")]
    assert [_seed(folder) for folder in folders] == [3, 4, 5]
    assert _run(table, "--seed", 6, "--overwrite") == 0
    assert _seed(folders[0]) == 6


def test_a_resumed_run_replaces_its_own_results_only(table, out, tmp_path, capsys):
    assert invoke(["resume", str(out)]) == 0
    other = tmp_path / "other"
    assert _run(table, "--seed", 7, "--out", other) == 0
    assert invoke(["resume", str(other), "--out", str(out)]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert _seed(out) == 0
    assert invoke(["resume", str(other), "--out", str(out), "--overwrite"]) == 0
    assert _seed(out) == 7


def test_exports_and_predictions_replace_nothing_that_differs(table, out, tmp_path, capsys):
    assert invoke(["export", str(out), "--what", "selected.txt", "--what", "mask.csv"]) == 0  # the same again
    (out / "selected.txt").write_text("mine\n")
    assert invoke(["export", str(out), "--what", "selected.txt", "--what", "table.csv"]) == 2
    assert '"selected.txt"' in capsys.readouterr().err
    assert (out / "selected.txt").read_text() == "mine\n"
    assert not (out / "table.csv").exists()
    assert invoke(["export", str(out), "--what", "selected.txt", "--overwrite"]) == 0
    assert (out / "selected.txt").read_text() != "mine\n"
    for command in (["predict", str(out), str(table)], ["compare", str(out)]):
        file = tmp_path / f"{command[0]}.csv"
        assert invoke([*command, "--out", str(file)]) == 0
        written = file.read_bytes()
        file.write_text("mine")
        assert invoke([*command, "--out", str(file)]) == 2
        assert file.read_text() == "mine"
        assert invoke([*command, "--out", str(file), "--overwrite"]) == 0
        assert file.read_bytes() == written
