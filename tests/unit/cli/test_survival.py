"""Times to an event on the command line: asked about, run, exported, predicted, validated, verified."""

import csv
import json
import subprocess
import sys

import numpy as np
import pytest

from fsdesk.cli import invoke


def write(path, seed, n=80):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6))
    time, lost = rng.exponential(np.exp(-x[:, 0] - x[:, 3])), rng.exponential(1.5, n)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*"abcdef", "months", "status"])
        for row, t, c in zip(x, time, lost, strict=True):
            writer.writerow([*row.round(3), round(20 * min(t, c) + 0.1, 2), "dead" if t <= c else "alive"])
    return path


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    return write(tmp_path_factory.mktemp("patients") / "patients.csv", 5)


@pytest.fixture(scope="module")
def run(patients, tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    words = ["run", str(patients), "--time", "months", "--event", "status=dead", "--set", "competing=filters"]
    words += ["--set", "resamples=3"]
    assert invoke([*words, "--outer", "3", "--out", str(out)]) == 0
    return out


@pytest.mark.parametrize("target", [[], ["--target", "status"], ["--target", "months"]])
def test_a_pair_is_asked_about_and_the_options_that_are_named_settle_it(patients, tmp_path, capsys, target):
    assert invoke(["run", str(patients), *target, "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "--time months --event status=dead  " in said
    assert ("--task regression" if "months" in target else "--task classification") in said
    assert ("--keep status" if "months" in target else "--keep months") in said
    assert not list(tmp_path.iterdir())


def test_an_event_without_its_time_is_refused(patients, tmp_path, capsys):
    assert invoke(["run", str(patients), "--event", "status", "--out", str(tmp_path)]) == 2
    assert "--time COL" in capsys.readouterr().err


def test_read_shows_the_question_and_how_many_events_there_are(patients, capsys):
    assert invoke(["read", str(patients)]) == 0
    said = capsys.readouterr().out
    assert "1 question" in said
    assert "--time months --event status=dead" in said
    assert invoke(["read", str(patients), "--time", "months", "--event", "status"]) == 0
    said = capsys.readouterr().out
    assert "question" not in said
    assert "events (status=dead) in 80 rows" in said


def test_a_run_reports_concordance_with_its_interval(run):
    result = json.loads((run / "result.json").read_text(encoding="utf-8"))
    assert result["criterion"] == "concordance"
    assert "numbers" not in result
    assert 1 - result["honest_error"] > 0.65
    report = (run / "report.html").read_text(encoding="utf-8")
    assert "Hazard ratio" in report
    assert "Log-rank test" in report


def test_what_is_exported_predicts_and_reproduces(run, patients, tmp_path, capsys):
    wanted = ("table.csv", "reproduce.py", "pipeline.joblib", "methods.txt", "bundle-with-data.zip")
    what = [part for name in wanted for part in ("--what", name)]
    assert invoke(["export", str(run), *what, "--out", str(tmp_path)]) == 0
    head = (tmp_path / "table.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    assert head.endswith("months,status")
    for table in ([], [str(patients)]):
        command = [sys.executable, "reproduce.py", *table]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert "concordance: 0." in done.stdout, done.stderr
    assert "47 events where status=dead" in (tmp_path / "methods.txt").read_text(encoding="utf-8")
    import joblib

    pipeline = joblib.load(tmp_path / "pipeline.joblib")
    import pandas as pd

    frame = pd.read_csv(patients)
    risk = pipeline.predict(frame)
    assert risk[frame.months.argsort()[:15]].mean() > risk[frame.months.argsort()[-15:]].mean()
    capsys.readouterr()
    assert invoke(["verify", str(tmp_path / "bundle-with-data.zip")]) == 0, capsys.readouterr().out


def test_a_bundle_without_data_holds(run, tmp_path, capsys):
    assert invoke(["export", str(run), "--what", "bundle.zip", "--out", str(tmp_path)]) == 0
    assert invoke(["verify", str(tmp_path / "bundle.zip")]) == 0, capsys.readouterr().out


def test_a_plan_says_how_many_rows_are_needed(run, capsys):
    assert invoke(["plan", str(run / "run.fsdesk"), "--rows", "80", "--rows", "320", "--half", "0.05"]) == 0
    said = capsys.readouterr().out
    assert "320" in said and "Probability of showing evidence" in said
    assert "± 0.05" in said or "± 0.050" in said or "± 0.049" in said
    assert "stays the same" in " ".join(said.split())
    assert invoke(["plan", str(run / "run.fsdesk"), "--half", "1e-7"]) == 2
    assert "ten million" in " ".join(capsys.readouterr().err.split())


def test_new_rows_are_predicted_and_validated(run, tmp_path, capsys):
    new = write(tmp_path / "new.csv", 9)
    assert invoke(["predict", str(run), str(new), "--out", str(tmp_path / "said.csv")]) == 0
    with (tmp_path / "said.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 80
    capsys.readouterr()
    assert invoke(["validate", str(run), str(new)]) == 0
    assert "Concordance" in capsys.readouterr().out
