"""A run without a screen ends with the error on rows that no search saw, unless that is not wanted."""

import csv
import json
import signal

import pytest

from fsdesk.cli import invoke
from fsdesk.cli.options import STOPPED
from fsdesk.methods import METHODS
from fsdesk.store import Project

QUICK = ["--method", "bspsa", "--set", "max_iterations=3", "--set", "repeats=1", "--set", "folds=2"]


@pytest.fixture
def table(tmp_path, planted):
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*planted.features, "class"])
        writer.writerows([*row, "ab"[code]] for row, code in zip(planted.x.tolist(), planted.target, strict=True))
    return str(path)


def _run(table, out, *more):
    return invoke(["run", table, *QUICK, *more, "--out", str(out)])


def _result(out):
    return json.loads((out / "result.json").read_text(encoding="utf-8"))


def test_a_run_ends_with_five_outer_folds_and_its_sentence_leads(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out") == 0
    lines = capsys.readouterr().out.splitlines()
    content = _result(tmp_path / "out")
    assert lines[1] == content["shown"]["text"]
    assert "in 5 outer folds" in lines[2]
    assert lines[3].startswith("On the rows that chose the features")
    assert not [line for line in lines if "+-" in line]
    low, high = content["honest_interval"]
    assert 0 <= low <= content["honest_error"] < high <= 1


def test_without_outer_folds_it_says_what_is_missing_and_resuming_gets_it(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out", "--outer", "0") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("The error on rows that no search saw was not measured.")
    assert "%" not in said[1]
    assert _result(tmp_path / "out")["honest_error"] is None
    assert invoke(["resume", str(tmp_path / "out" / "run.fsdesk")]) == 0
    assert "Error on rows that no search saw" in capsys.readouterr().out
    assert _result(tmp_path / "out")["honest_error"] is not None


def test_a_run_that_was_begun_with_other_folds_goes_on_with_them(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out", "--outer", "3") == 0
    assert invoke(["resume", str(tmp_path / "out" / "run.fsdesk")]) == 0
    assert capsys.readouterr().out.count("in 3 outer folds") == 2


def test_stopping_in_the_outer_folds_keeps_the_answer_and_the_folds_that_are_done(table, tmp_path, capsys, monkeypatch):
    add = Project.add_evidence

    def stop_after_two_folds(project, run_id, kind, values):
        add(project, run_id, kind, values)
        if [kind for kind, _ in project.evidence(run_id)] == ["fresh", "outer", "outer"]:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Project, "add_evidence", stop_after_two_folds)
    assert _run(table, tmp_path / "out") == STOPPED
    monkeypatch.undo()
    said = capsys.readouterr()
    assert "2 of 5 outer folds are done" in said.out
    assert "fsdesk resume" in said.err
    content = _result(tmp_path / "out")
    assert content["status"] == "finished"
    assert content["selected"]
    assert content["honest_error"] is None
    project = Project.open(tmp_path / "out" / "run.fsdesk")
    assert [kind for kind, _ in project.evidence(1)] == ["fresh", "outer", "outer"]
    project.close()
    assert invoke(["resume", str(tmp_path / "out" / "run.fsdesk")]) == 0
    project = Project.open(tmp_path / "out" / "run.fsdesk")
    assert len(project.evidence(1)) == 6  # no fold was done again
    project.close()
    assert _result(tmp_path / "out")["honest_error"] is not None


def test_rows_too_few_to_leave_some_out_do_not_fail_a_run_that_did_not_ask_for_it(tmp_path, capsys):
    path = tmp_path / "few.csv"
    path.write_text("a,b,class\n" + "".join(f"{row},{row * row % 5},{'xy'[row % 2]}\n" for row in range(5)))
    quick = ["--method", "full", "--set", "repeats=1", "--set", "folds=5"]
    assert invoke(["run", str(path), *quick, "--out", str(tmp_path / "out")]) == 0
    assert "too few for 5 folds" in capsys.readouterr().err
    assert _result(tmp_path / "out")["honest_error"] is None
    assert invoke(["run", str(path), *quick, "--out", str(tmp_path / "asked"), "--outer", "5"]) == 2


def test_a_method_that_holds_rows_out_itself_takes_no_outer_folds_unless_they_are_asked_for(
    table, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(METHODS["bspsa"].model, "validates_itself", True)
    assert _run(table, tmp_path / "out") == 0
    assert "was not measured" in capsys.readouterr().out
    assert _run(table, tmp_path / "asked", "--outer", "2") == 0
    assert "in 2 outer folds" in capsys.readouterr().out
