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

from fsdesk.store import Project

from .terminal import QUICK, command_line, contents, run_fsdesk


@pytest.fixture(scope="module")
def whole(table, tmp_path_factory):
    """The files of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("whole")
    run_fsdesk("run", table, "--target", "disease", "--seed", 3, "--out", out, *QUICK)
    return out


def test_models_within_models_are_run_kept_and_exported(table, tmp_path):
    parts = "parameters=steps=[('kernel', Nystroem(n_components=5)), ('model', LogisticRegression(C=2))]"
    quick = ["--method", "full", "--set", "times=1", "--set", "repeats=1"]
    run_fsdesk("run", table, "--wrapper", "Pipeline", "--set", parts, *quick, "--out", tmp_path)
    run_fsdesk("export", tmp_path / "run.fsdesk", "--what", "table.csv", "--what", "reproduce.py", "--out", tmp_path)
    script = (tmp_path / "reproduce.py").read_text(encoding="utf-8")
    assert "Pipeline(steps=[('kernel', Nystroem(n_components=5, random_state=0)), " in script
    done = subprocess.run([sys.executable, tmp_path / "reproduce.py"], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "steps" in run_fsdesk("run", table, "--wrapper", "Pipeline", "--out", tmp_path, code=2).stderr


def test_any_point_of_the_curve_can_be_taken_home(table, tmp_path):
    run_fsdesk("run", table, "--method", "ranking", "--set", "repeats=2", "--out", tmp_path)
    project = tmp_path / "run.fsdesk"
    for size in (1, 2, 4):
        run_fsdesk("export", project, "--size", size, "--what", "selected.txt", "--out", tmp_path / "taken")
        assert len((tmp_path / "taken" / "selected.txt").read_text(encoding="utf-8").splitlines()) == size
    assert "give one of 1, 2, " in run_fsdesk("export", project, "--size", 11, code=2).stderr


def test_a_run_writes_mask_list_result_and_report_that_agree(whole, table):
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
    assert "http" not in report.replace("http://www.w3.org", "").replace("http://creativecommons.org", "").replace(
        "http://purl.org", ""
    )  # nothing is loaded from elsewhere


def test_the_search_error_is_what_the_evaluator_measures(whole, table):
    from fsdesk import Evaluator, read_table

    result = json.loads((whole / "result.json").read_text())
    dataset = read_table(table, "disease")
    mask = np.array([name in result["selected"] for name in dataset.features])
    evaluator = Evaluator(dataset, seed=3, repeats=4)
    # It is the smallest of the candidates' errors, each on folds of its own: measurement numbers 3, 6, ..., 180.
    errors = [evaluator.measure(mask, number).mean for number in range(1, 181)]
    assert result["search_error"] in errors


def test_two_workers_write_the_same_bytes_as_one(whole, table, tmp_path):
    run_fsdesk("run", table, "--target", "disease", "--seed", 3, "--out", tmp_path, "--workers", 2, *QUICK)
    assert contents(tmp_path) == contents(whole)


def _started(table, out, extra):
    process = subprocess.Popen(
        command_line("run", table, "--target", "disease", "--seed", 3, "--out", out, *extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while _logged(out) < 40:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


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


# Long enough to be caught in the middle on any machine.
LONG = ["--method", "bspsa", "--set", "max_iterations=3000", "--set", "stall_limit=3000", "--set", "repeats=2"]


@pytest.fixture(scope="module")
def long_run(table, tmp_path_factory):
    out = tmp_path_factory.mktemp("long")
    run_fsdesk("run", table, "--target", "disease", "--seed", 3, "--out", out, *LONG)
    return out


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_run_killed_with_minus_9_and_resumed_writes_the_same_bytes(long_run, table, tmp_path):
    process = _started(table, tmp_path, LONG)
    process.kill()
    process.communicate()
    assert not (tmp_path / "mask.csv").exists()
    logged = _logged(tmp_path)
    assert 40 <= logged < 3000
    run_fsdesk("resume", tmp_path / "run.fsdesk", "--workers", 2)
    assert contents(tmp_path) == contents(long_run)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_stops_cleanly_and_the_run_resumes_to_the_same_bytes(long_run, table, tmp_path):
    process = _started(table, tmp_path, LONG)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert f"fsdesk resume {tmp_path / 'run.fsdesk'} --run 1" in said
    assert json.loads((tmp_path / "result.json").read_text())["status"] == "stopped"
    run_fsdesk("resume", tmp_path / "run.fsdesk", "--run", 1, "--out", tmp_path / "again")
    assert contents(tmp_path / "again") == contents(long_run)


def test_resuming_a_finished_run_writes_its_files_again(whole, tmp_path):
    run_fsdesk("resume", whole / "run.fsdesk", "--out", tmp_path)
    assert contents(tmp_path) == contents(whole)


def test_a_settings_file_names_method_model_and_seed_and_options_go_before_it(table, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text('[run]\nmethod = "sfs"\nwrapper = "nb"\nseed = 4\n[measuring]\nrepeats = 1\n')
    run_fsdesk("run", table, "--out", tmp_path, "--settings", settings, "--seed", 9, "--set", "max_measurements=5")
    spec = json.loads((tmp_path / "result.json").read_text())["spec"]
    assert (spec["method"], spec["wrapper"], spec["seed"], spec["measuring"]["repeats"]) == ("sfs", "nb", 9, 1)


def test_settings_come_from_a_file_and_set_goes_before_it(table, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text("[method]\nmax_iterations = 5\nc = 0.1\n[measuring]\nrepeats = 2\n")
    run_fsdesk("run", table, "--out", tmp_path, "--method", "bspsa", "--settings", settings, "--set", "c=0.2")
    spec = json.loads((tmp_path / "result.json").read_text())["spec"]
    assert spec["method_settings"]["max_iterations"] == 5
    assert spec["method_settings"]["c"] == 0.2
    assert spec["measuring"]["repeats"] == 2


BAD = {
    "missing file": (["run", "{missing}"], "no file"),
    "empty file": (["run", "{empty}"], "empty"),
    "binary junk": (["run", "{junk}"], "junk.csv"),
    "unknown target": (["run", "{table}", "--target", "diseese"], "disease"),
    "no usable target": (["run", "{table}", "--target", "g1", "--task", "classification"], "g1"),
    "one class": (["run", "{one_class}"], "class"),
    "constant columns": (["run", "{constant}"], "constant"),
    "fewer rows than folds": (["run", "{short}"], "folds"),
    "ragged lines": (["run", "{ragged}"], "Line 4"),
    "0-byte .mat": (["run", "{empty_mat}"], "empty"),
    "unknown setting": (["run", "{table}", "--set", "speed=1"], 'no setting "speed"'),
    "value out of bounds": (["run", "{table}", "--set", "c=-1"], '"c"'),
    "not NAME=VALUE": (["run", "{table}", "--set", "c"], "NAME=VALUE"),
    "unknown method": (["run", "{table}", "--method", "magic"], 'no method "magic"; choose one of: '),
    "unknown scikit-learn class": (["run", "{table}", "--wrapper", "RandomWood"], 'no model "RandomWood"'),
    "unknown criterion": (["run", "{table}", "--set", "criterion=luck"], '"criterion"'),
    "criterion of numbers for classes": (["run", "{table}", "--set", "criterion=rmse"], "RMSE judges numbers"),
    "unknown feature always in": (["run", "{table}", "--always", "g99"], 'no feature "g99" (always in)'),
    "always and never": (["run", "{table}", "--always", "g1", "--never", "g1"], "both always in and never in"),
    "a group of one": (["run", "{table}", "--together", "g1"], "no two features"),
    "start from nothing": (["run", "{table}", "--start", "{missing}"], "cannot be read"),
    "start from an empty list": (["run", "{table}", "--start", "{empty}"], "names no feature"),
    "start from no text": (["run", "{table}", "--start", "{junk}"], "is no text"),
    "unknown group column": (["run", "{table}", "--group", "patient"], 'no column "patient" (the groups)'),
    "no column of times": (["run", "{table}", "--set", "protocol=time"], "no column of times"),
    "words as numbers": (["run", "{table}", "--task", "regression"], "holds words, not numbers"),
    "unknown task": (["run", "{table}", "--task", "guess"], '"task": choose one of auto'),
    "unknown preset": (["run", "{table}", "--preset", "mine"], '"recommended"'),
    "unknown option": (["run", "{table}", "--sped"], "--sped"),
    "folder is a file": (["run", "{table}", "--out", "{table}"], "patients.csv"),
    "missing project": (["resume", "{missing}"], "no project file"),
    "project that is none": (["resume", "{junk}"], "not an fsdesk project"),
    "settings file with faults": (["run", "{table}", "--settings", "{junk}"], "TOML"),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_input_gets_a_sentence_and_exit_code_2(case, table, tmp_path):
    places = {
        name: tmp_path / f"{name}.csv"
        for name in ("missing", "empty", "junk", "one_class", "constant", "short", "ragged")
    }
    places |= {"table": table, "empty_mat": tmp_path / "empty.mat"}
    for name in ("empty", "empty_mat"):
        places[name].write_bytes(b"")
    places["junk"].write_bytes(bytes(range(256)) * 40)
    places["one_class"].write_text("a,b,y\n" + "".join(f"{i},{i * i % 7},yes\n" for i in range(20)))
    places["constant"].write_text("a,b,y\n" + "".join(f"1,2,{'pq'[i % 2]}\n" for i in range(20)))
    places["short"].write_text("a,b,y\n1.5,2,p\n2,7,q\n3.25,1,p\n4,0,q\n")
    places["ragged"].write_text("a,b,y\n1,2,p\n2,3,q\n3,4,5,6,q\n4,5,p\n")
    arguments, said = BAD[case]
    filled = [argument.format(**places) for argument in arguments]
    if "--out" not in filled and filled[0] == "run":
        filled += ["--out", str(tmp_path / "out")]
    done = run_fsdesk(*filled, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "mask.csv").exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_gets_a_sentence(table, tmp_path):
    tmp_path.chmod(0o555)
    try:
        assert "cannot be" in run_fsdesk("run", table, "--out", tmp_path / "out", code=2).stderr
    finally:
        tmp_path.chmod(0o755)


def test_a_full_disk_gets_a_sentence_and_keeps_what_was_logged(table, tmp_path):
    # /dev/full is no folder, so the limit on file size stands in for a full disk: writing beyond it fails alike.
    resource = pytest.importorskip("resource")
    limit = 220_000

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        command_line("run", table, "--out", tmp_path, *LONG),
        capture_output=True,
        text=True,
        timeout=240,
        preexec_fn=limited,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "run.fsdesk" in done.stderr
    logged = _logged(tmp_path)
    assert logged > 10
    run_fsdesk("resume", tmp_path / "run.fsdesk")
    assert (tmp_path / "mask.csv").exists()


def test_version_methods_wrappers_and_criteria_are_listed():
    from importlib.metadata import version

    from fsdesk.measure import CRITERIA
    from fsdesk.methods import METHODS
    from fsdesk.wrappers import WRAPPERS

    assert run_fsdesk("--version").stdout.strip() == f"fsdesk {version('fsdesk')}"
    for command, names in (
        ("methods", [entry.name for entry in METHODS]),
        ("wrappers", [entry.name for entry in WRAPPERS]),
        ("criteria", [each.name for each in CRITERIA]),
    ):
        first = [line[:18].split("  ")[0] for line in run_fsdesk(command).stdout.splitlines()]
        assert [name for name in names if name not in first] == []
    one = run_fsdesk("methods", "bspsa").stdout
    assert all(word in one for word in ("paper, small", "max_iterations", "stall_limit", "0.05"))
    shared = run_fsdesk("settings").stdout
    assert all(word in shared for word in ("criterion", "folds", "prefilter"))
    assert 'no wrapper "magic"' in run_fsdesk("wrappers", "magic", code=2).stderr


ODD = {
    "misspelt missing": (["--missing", "drop row"], 'choose one of impute, drop rows, drop columns (got "drop row")'),
    "misspelt nominal": (["--nominal", "drp"], '"nominal": choose one of encode, drop'),
    "target as a way of reading": (["--read", "target=y"], 'no way of reading "target"'),
    "truth for a number": (["--method", "bspsa", "--settings", "{toml}"], '"max_iterations": a number is wanted'),
}


@pytest.mark.parametrize("case", ODD)
def test_misspelt_options_are_refused_not_ignored(case, table, tmp_path):
    (tmp_path / "odd.toml").write_text("max_iterations = true\n")
    arguments, said = ODD[case]
    filled = [argument.format(toml=tmp_path / "odd.toml") for argument in arguments]
    done = run_fsdesk("run", table, "--out", tmp_path / "out", *filled, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are text there")
def test_odd_names_and_terminals_are_no_reason_to_fail(table, tmp_path):
    odd = os.fsencode(tmp_path) + b"/bad\xff name.csv"
    shutil.copyfile(os.fsencode(table), odd)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [
        *command_line("run"),
        odd,
        "--out",
        str(tmp_path / "äö ü"),
        "--method",
        "bspsa",
        "--set",
        "max_iterations=3",
    ]
    done = subprocess.run(command, capture_output=True, timeout=240, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "äö ü" / "mask.csv").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_takes_nothing_gets_a_sentence():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command_line("methods"), stdout=full, stderr=subprocess.PIPE, text=True, timeout=240)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can become nobody")
def test_a_user_without_a_home_or_a_cache_can_run(table, tmp_path):
    tmp_path.chmod(0o777)
    environment = {**os.environ, "HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent/cache"}
    for folder in [table, *table.parents]:
        if (
            folder.stat().st_uid == 0
            and not folder.stat().st_mode & 0o005
            and folder.name.startswith(("pytest", "table", "patients"))
        ):
            folder.chmod(0o755)
    done = subprocess.run(
        command_line("run", table, "--out", tmp_path / "out", "--method", "bspsa", "--set", "max_iterations=3"),
        capture_output=True, text=True, timeout=600, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
