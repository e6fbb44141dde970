"""The command line as a person runs it: a process of its own, its files and exit codes."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fsdesk import Evaluator, read_table
from fsdesk.store import Project
from tests.invoking import QUICK, contents, fsdesk
from tests.sketching import reports_sketched


def command_line(*arguments):
    """What starts fsdesk with these arguments."""
    return [sys.executable, "-m", "fsdesk", *map(str, arguments)]


TAKEN = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def process(*arguments, code=0, **how):
    """Run fsdesk as a process of its own, which must end with this exit code; return what it said on stderr."""
    done = subprocess.run(command_line(*arguments), timeout=240, **{**TAKEN, **how})
    said = done.stderr.decode(errors="replace")
    assert done.returncode == code, said
    assert "Traceback" not in said
    return said


@pytest.fixture(scope="module")
def whole(patients, tmp_path_factory):
    """The files of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("whole")
    process("run", patients, "--target", "disease", "--seed", 3, "--out", out, *QUICK)
    return out


def test_models_within_models_are_run_kept_and_exported(patients, tmp_path):
    parts = "parameters=steps=[('kernel', Nystroem(n_components=5)), ('model', LogisticRegression(C=2))]"
    quick = ["--method", "full", "--set", "times=1", "--set", "repeats=1", "--outer", "0"]
    fsdesk("run", patients, "--wrapper", "Pipeline", "--set", parts, *quick, "--out", tmp_path)
    fsdesk("export", tmp_path / "run.fsdesk", "--what", "table.csv", "--what", "reproduce.py", "--out", tmp_path)
    script = (tmp_path / "reproduce.py").read_text(encoding="utf-8")
    assert "Pipeline(steps=[('kernel', Nystroem(n_components=5, random_state=0)), " in script
    done = subprocess.run([sys.executable, tmp_path / "reproduce.py"], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "steps" in fsdesk("run", patients, "--wrapper", "Pipeline", "--out", tmp_path / "none", code=2).stderr


def test_a_run_writes_mask_list_result_and_report_that_agree(whole, patients):
    with (whole / "mask.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["feature"] for row in rows] == [f"g{column}" for column in range(12)]
    selected = [row["feature"] for row in rows if row["selected"] == "1"]
    assert {"g2", "g7"} & set(selected)
    assert all((float(row["weight"]) >= 0.5) == (row["selected"] == "1") for row in rows)
    assert all(0 <= float(row["frequency"]) <= 1 for row in rows)
    assert (whole / "selected.txt").read_text().split() == selected
    result = json.loads((whole / "result.json").read_text())
    assert result["selected"] == selected
    assert result["n_selected"] == len(selected)
    assert 0 <= result["search_error"] < 0.5
    assert 0 < result["all_features_error"] < 0.5
    assert result["evaluations"] == 180
    assert result["data"]["classes"] == {"ill": 40, "well": 40}
    assert result["spec"]["method_settings"]["max_iterations"] == 60
    report = (whole / "report.html").read_text()
    assert "<svg" in report
    assert all(f"<td>{name}</td>" in report for name in selected)
    assert f"{100 * result['search_error']:.2f} %" in report
    assert "http:" not in report.replace("http://www.w3.org", "").replace("http://creativecommons.org", "").replace(
        "http://purl.org", ""
    )  # nothing is loaded from elsewhere
    assert "https:" not in report


def test_the_search_error_is_what_the_evaluator_measures(whole, patients):
    result = json.loads((whole / "result.json").read_text())
    dataset = read_table(patients, "disease")
    mask = np.array([name in result["selected"] for name in dataset.features])
    evaluator = Evaluator(dataset, seed=3, repeats=4)
    # It is the smallest of the candidates' errors, each on folds of its own: measurement numbers 3, 6, ..., 180.
    errors = [evaluator.measure(mask, number).mean for number in range(1, 181)]
    assert result["search_error"] in errors


def test_two_workers_write_the_same_bytes_as_one(whole, patients, tmp_path):
    fsdesk("run", patients, "--target", "disease", "--seed", 3, "--out", tmp_path, "--workers", 2, *QUICK)
    assert contents(tmp_path) == contents(whole)


def _started(patients, out, extra):
    begun = subprocess.Popen(
        command_line("run", patients, "--target", "disease", "--seed", 3, "--out", out, *extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while _logged(out) < 40:
        assert begun.poll() is None, begun.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return begun


def _logged(out):
    if not (out / "run.fsdesk").is_file():
        return 0
    try:
        project = Project.open(out / "run.fsdesk")
        try:
            return sum(1 for _ in project.events(1))
        finally:
            project.close()
    except ValueError:
        return 0  # not yet all there


SHORT = ["--method", "bspsa", "--set", "max_iterations=3", "--outer", "0"]
# Long enough to be caught in the middle on any machine.
LONG = ["--method", "bspsa", "--set", "max_iterations=700", "--set", "stall_limit=700", "--set", "repeats=2"]
LONG += ["--outer", "2"]


@pytest.fixture(scope="module")
def long_run(patients, tmp_path_factory):
    out = tmp_path_factory.mktemp("long")
    with reports_sketched():
        fsdesk("run", patients, "--target", "disease", "--seed", 3, "--out", out, *LONG)
    return out


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_run_killed_with_minus_9_and_resumed_writes_the_same_bytes(long_run, patients, tmp_path):
    begun = _started(patients, tmp_path, LONG)
    begun.kill()
    begun.communicate()
    assert not (tmp_path / "mask.csv").exists()
    logged = _logged(tmp_path)
    assert 40 <= logged < 700
    with reports_sketched():
        fsdesk("resume", tmp_path / "run.fsdesk", "--workers", 2, "--outer", 2)
    assert contents(tmp_path) == contents(long_run)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_stops_cleanly_and_the_run_resumes_to_the_same_bytes(long_run, patients, tmp_path):
    begun = _started(patients, tmp_path, LONG)
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=240)
    assert begun.returncode == 130
    assert "Traceback" not in said
    assert f"fsdesk resume {tmp_path / 'run.fsdesk'} --run 1" in said
    assert json.loads((tmp_path / "result.json").read_text())["status"] == "stopped"
    with reports_sketched():
        fsdesk("resume", tmp_path / "run.fsdesk", "--run", 1, "--out", tmp_path / "again", "--outer", 2)
    assert contents(tmp_path / "again") == contents(long_run)


def test_resuming_a_finished_run_writes_its_files_again(whole, tmp_path):
    fsdesk("resume", whole / "run.fsdesk", "--out", tmp_path)
    assert contents(tmp_path) == contents(whole)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_gets_a_sentence(patients, tmp_path):
    tmp_path.chmod(0o555)
    try:
        assert "cannot be" in fsdesk("run", patients, "--out", tmp_path / "out", code=2).stderr
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are text there")
def test_odd_names_and_terminals_and_a_home_that_is_not_there_are_no_reason_to_fail(patients, tmp_path):
    odd = os.fsencode(tmp_path) + b"/bad\xff name.csv"
    shutil.copyfile(os.fsencode(patients), odd)
    given = [os.fsencode(each) for each in command_line("run", "", "--out", tmp_path / "äö ü", *SHORT)]
    given[given.index(b"")] = odd
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), "/dev/null/none")
    environment = {**os.environ, **nowhere, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(given, capture_output=True, timeout=240, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "äö ü" / "mask.csv").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_takes_nothing_gets_a_sentence():
    with Path("/dev/full").open("w") as full:
        process("methods", code=2, stdout=full, stderr=subprocess.PIPE)
