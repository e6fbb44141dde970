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

import fsdesk
from fsdesk.engine import RunSpec
from fsdesk.results.honest import fresh_error, outer_error
from fsdesk.store import Project

FILES = ["mask.csv", "selected.txt", "result.json", "report.html"]
QUICK = ["--method", "bspsa", "--set", "max_iterations=60", "--set", "repeats=4"]


def _command(*arguments):
    return [sys.executable, "-m", "fsdesk", *map(str, arguments)]


def _fsdesk(*arguments, code=0):
    done = subprocess.run(_command(*arguments), capture_output=True, text=True, timeout=240)
    assert done.returncode == code, done.stderr
    return done


def _contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A CSV in which features g2 and g7 tell the classes apart."""
    rng = np.random.default_rng(8)
    target = np.arange(80) % 2
    x = rng.normal(size=(80, 12))
    x[:, 2] += 2.5 * target
    x[:, 7] -= 2.5 * target
    path = tmp_path_factory.mktemp("table") / "patients.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"g{column}" for column in range(12)), "disease"])
        writer.writerows(
            [*map(repr, map(float, row)), ("ill", "well")[code]] for row, code in zip(x, target, strict=True)
        )
    return path


@pytest.fixture(scope="module")
def whole(table, tmp_path_factory):
    """The files of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("whole")
    _fsdesk("run", table, "--target", "disease", "--seed", 3, "--out", out, *QUICK)
    return out


def test_models_within_models_are_run_kept_and_exported(table, tmp_path):
    parts = "parameters=steps=[('kernel', Nystroem(n_components=5)), ('model', LogisticRegression(C=2))]"
    quick = ["--method", "full", "--set", "times=1", "--set", "repeats=1"]
    _fsdesk("run", table, "--wrapper", "Pipeline", "--set", parts, *quick, "--out", tmp_path)
    _fsdesk("export", tmp_path / "run.fsdesk", "--what", "table.csv", "--what", "reproduce.py", "--out", tmp_path)
    script = (tmp_path / "reproduce.py").read_text(encoding="utf-8")
    assert "Pipeline(steps=[('kernel', Nystroem(n_components=5, random_state=0)), " in script
    done = subprocess.run([sys.executable, tmp_path / "reproduce.py"], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "steps" in _fsdesk("run", table, "--wrapper", "Pipeline", "--out", tmp_path, code=2).stderr


def test_any_point_of_the_curve_can_be_taken_home(table, tmp_path):
    _fsdesk("run", table, "--method", "ranking", "--set", "repeats=2", "--out", tmp_path)
    project = tmp_path / "run.fsdesk"
    for size in (1, 2, 4):
        _fsdesk("export", project, "--size", size, "--what", "selected.txt", "--out", tmp_path / "taken")
        assert len((tmp_path / "taken" / "selected.txt").read_text(encoding="utf-8").splitlines()) == size
    assert "give one of 1, 2, " in _fsdesk("export", project, "--size", 11, code=2).stderr


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
    _fsdesk("run", table, "--target", "disease", "--seed", 3, "--out", tmp_path, "--workers", 2, *QUICK)
    assert _contents(tmp_path) == _contents(whole)


def _started(table, out, extra):
    process = subprocess.Popen(
        _command("run", table, "--target", "disease", "--seed", 3, "--out", out, *extra),
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
    _fsdesk("run", table, "--target", "disease", "--seed", 3, "--out", out, *LONG)
    return out


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_run_killed_with_minus_9_and_resumed_writes_the_same_bytes(long_run, table, tmp_path):
    process = _started(table, tmp_path, LONG)
    process.kill()
    process.communicate()
    assert not (tmp_path / "mask.csv").exists()
    logged = _logged(tmp_path)
    assert 40 <= logged < 3000
    _fsdesk("resume", tmp_path / "run.fsdesk", "--workers", 2)
    assert _contents(tmp_path) == _contents(long_run)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_stops_cleanly_and_the_run_resumes_to_the_same_bytes(long_run, table, tmp_path):
    process = _started(table, tmp_path, LONG)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert f"fsdesk resume {tmp_path / 'run.fsdesk'} --run 1" in said
    assert json.loads((tmp_path / "result.json").read_text())["status"] == "stopped"
    _fsdesk("resume", tmp_path / "run.fsdesk", "--run", 1, "--out", tmp_path / "again")
    assert _contents(tmp_path / "again") == _contents(long_run)


def test_resuming_a_finished_run_writes_its_files_again(whole, tmp_path):
    _fsdesk("resume", whole / "run.fsdesk", "--out", tmp_path)
    assert _contents(tmp_path) == _contents(whole)


def test_a_settings_file_names_method_model_and_seed_and_options_go_before_it(table, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text('[run]\nmethod = "sfs"\nwrapper = "nb"\nseed = 4\n[measuring]\nrepeats = 1\n')
    _fsdesk("run", table, "--out", tmp_path, "--settings", settings, "--seed", 9, "--set", "max_measurements=5")
    spec = json.loads((tmp_path / "result.json").read_text())["spec"]
    assert (spec["method"], spec["wrapper"], spec["seed"], spec["measuring"]["repeats"]) == ("sfs", "nb", 9, 1)


def test_settings_come_from_a_file_and_set_goes_before_it(table, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text("[method]\nmax_iterations = 5\nc = 0.1\n[measuring]\nrepeats = 2\n")
    _fsdesk("run", table, "--out", tmp_path, "--method", "bspsa", "--settings", settings, "--set", "c=0.2")
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
    "unknown preset": (["run", "{table}", "--preset", "mine"], '"recommended, small"'),
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
    done = _fsdesk(*filled, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "mask.csv").exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_gets_a_sentence(table, tmp_path):
    tmp_path.chmod(0o555)
    try:
        assert "cannot be" in _fsdesk("run", table, "--out", tmp_path / "out", code=2).stderr
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
        _command("run", table, "--out", tmp_path, *LONG),
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
    _fsdesk("resume", tmp_path / "run.fsdesk")
    assert (tmp_path / "mask.csv").exists()


def test_version_methods_wrappers_and_criteria_are_listed():
    from importlib.metadata import version

    from fsdesk.measure import CRITERIA
    from fsdesk.methods import METHODS
    from fsdesk.wrappers import WRAPPERS

    assert _fsdesk("--version").stdout.strip() == f"fsdesk {version('fsdesk')}"
    for command, names in (
        ("methods", [entry.name for entry in METHODS]),
        ("wrappers", [entry.name for entry in WRAPPERS]),
        ("criteria", [each.name for each in CRITERIA]),
    ):
        first = [line[:18].split("  ")[0] for line in _fsdesk(command).stdout.splitlines()]
        assert [name for name in names if name not in first] == []
    one = _fsdesk("methods", "bspsa").stdout
    assert all(word in one for word in ("paper, small", "max_iterations", "stall_limit", "0.05"))
    shared = _fsdesk("settings").stdout
    assert all(word in shared for word in ("criterion", "folds", "prefilter"))
    assert 'no wrapper "magic"' in _fsdesk("wrappers", "magic", code=2).stderr


@pytest.fixture(scope="module")
def auc_run(table, tmp_path_factory):
    """A run by AUC with every wish about features."""
    out = tmp_path_factory.mktemp("auc")
    done = _fsdesk(
        "run", table, "--wrapper", "nb", "--seed", 1, "--out", out, "--set", "criterion=auc", "--set", "n_finalists=4",
        "--always", "g4", "--never", "g0", "--never", "g1", "--together", "g2,g3", "--together", '"g5",g6', *QUICK,
    )  # fmt: skip
    return out, done.stdout


def test_wishes_about_features_hold_in_the_answer(auc_run):
    result = json.loads((auc_run[0] / "result.json").read_text())
    selected = set(result["selected"])
    assert "g4" in selected
    assert not {"g0", "g1"} & selected
    assert len({"g2", "g3"} & selected) in (0, 2)
    assert len({"g5", "g6"} & selected) in (0, 2)
    report = (auc_run[0] / "report.html").read_text()
    assert '<td>Never in</td><td colspan="2">g0, g1</td>' in report
    assert "g2, g3; g5, g6" in report


def test_an_auc_is_shown_as_people_know_it_and_kept_as_a_loss(auc_run):
    out, said = auc_run
    result = json.loads((out / "result.json").read_text())
    assert result["criterion"] == "auc"
    assert result["shown"]["name"] == "AUC"
    assert result["shown"]["direction"] == "higher"
    assert result["shown"]["search"] == pytest.approx(1 - result["search_error"])
    assert 0.5 < result["shown"]["search"] <= 1
    text = f"{result['shown']['search']:.4g}"
    assert f"AUC in the search: {text} +- " in said
    assert "%" not in said
    report = (out / "report.html").read_text()
    assert f"<b>{text}</b><span>AUC in the search" in report
    assert "AUC by number of features" in report or len({each["n_selected"] for each in result["finalists"]}) == 1
    assert [each["answer"] for each in result["finalists"]].count(True) == 1
    (answer,) = (each for each in result["finalists"] if each["answer"])
    assert answer["selected"] == result["selected"]


def test_a_run_starts_from_the_subset_of_another(auc_run, table, tmp_path):
    for place, name in enumerate(("mask.csv", "selected.txt")):
        out = tmp_path / str(place)
        _fsdesk(
            "run", table, "--out", out, "--start", auc_run[0] / name, "--method", "bspsa", "--set", "max_iterations=3"
        )
        spec = json.loads((out / "result.json").read_text())["spec"]
        assert spec["start"] == json.loads((auc_run[0] / "result.json").read_text())["selected"]


def test_numbers_are_predicted_in_their_unit_with_groups_and_times(tmp_path):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(90, 5))
    table = tmp_path / "prices.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "c", "d", "e", "house", "year", "price"])
        for row, values in enumerate(x):
            writer.writerow([*values, f"h{row // 3}", 1990 + row // 9, 1000 + 300 * values[1] + rng.normal()])
    _fsdesk("run", table, "--wrapper", "ridge", "--group", "house", "--time", "year", "--out", tmp_path / "out",
            "--method", "sfs")  # fmt: skip
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["criterion"] == "rmse"
    assert "b" in result["selected"]
    assert 0.5 < result["search_error"] < 50  # the noise is 1, the spread of the prices 300
    assert result["data"]["task"] == "regression"
    assert result["data"]["features"] == 5
    report = (tmp_path / "out" / "report.html").read_text()
    assert "RMSE, in the unit of price" in report
    assert "30 groups of rows that are never split" in report
    _fsdesk("run", table, "--wrapper", "Ridge", "--set", "parameters=alpha=0.5", "--set", "protocol=time",
            "--time", "year", "--ignore", "house", "--set", "criterion=r2", "--method", "full",
            "--out", tmp_path / "again")  # fmt: skip
    again = json.loads((tmp_path / "again" / "result.json").read_text())
    assert again["spec"]["wrapper_settings"] == {"estimator": "Ridge", "parameters": "alpha=0.5"}
    assert 0.9 < again["shown"]["search"] < 1


def test_the_issue_s_own_command_works_on_sonar(real_data, tmp_path):
    sonar = real_data("sonar.arff")
    arguments = [
        "run",
        sonar,
        "--target",
        "Class",
        "--method",
        "bspsa",
        "--wrapper",
        "nn",
        "--seed",
        1,
        "--out",
        tmp_path,
    ]
    _fsdesk(*arguments, "--set", "max_iterations=50")
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["all_features_error"] == pytest.approx(0.138, abs=0.02)
    assert result["search_error"] < result["all_features_error"]


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
    done = _fsdesk("run", table, "--out", tmp_path / "out", *filled, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are text there")
def test_odd_names_and_terminals_are_no_reason_to_fail(table, tmp_path):
    odd = os.fsencode(tmp_path) + b"/bad\xff name.csv"
    shutil.copyfile(os.fsencode(table), odd)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [*_command("run"), odd, "--out", str(tmp_path / "äö ü"), "--method", "bspsa", "--set", "max_iterations=3"]
    done = subprocess.run(command, capture_output=True, timeout=240, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "äö ü" / "mask.csv").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_takes_nothing_gets_a_sentence():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(_command("methods"), stdout=full, stderr=subprocess.PIPE, text=True, timeout=240)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can become nobody")
def test_a_user_without_a_home_or_a_cache_can_run(table, tmp_path):
    tmp_path.chmod(0o777)
    environment = {**os.environ, "HOME": "/nonexistent", "NUMBA_CACHE_DIR": "/nonexistent/cache"}
    for folder in [table, *table.parents]:
        if (
            folder.stat().st_uid == 0
            and not folder.stat().st_mode & 0o005
            and folder.name.startswith(("pytest", "table", "patients"))
        ):
            folder.chmod(0o755)
    done = subprocess.run(
        _command("run", table, "--out", tmp_path / "out", "--method", "bspsa", "--set", "max_iterations=3"),
        capture_output=True, text=True, timeout=240, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_runs_of_a_project_are_compared_in_the_terminal_and_in_a_file(table, tmp_path):
    project = tmp_path / "study.fsdesk"
    for seed in (0, 1):
        _fsdesk(
            "run", table, "--target", "disease", *QUICK, "--seed", seed, "--out", tmp_path / "out", "--project", project
        )
    text = _fsdesk("compare", project).stdout
    assert "All features" in text
    assert "BSPSA" in text
    _fsdesk("compare", project, "--out", tmp_path / "table.md")
    assert "**" in (tmp_path / "table.md").read_text(encoding="utf-8")
    assert ".tex" in _fsdesk("compare", project, "--out", tmp_path / "table.doc", code=2).stderr


def test_the_honest_error_of_outer_folds_is_that_of_the_api_and_is_kept(table, tmp_path):
    options = ["--method", "bspsa", "--set", "max_iterations=4", "--seed", 2]
    said = _fsdesk("run", table, "--target", "disease", "--out", tmp_path, *options, "--outer", 3).stdout
    content = json.loads((tmp_path / "result.json").read_text())
    dataset = fsdesk.read_table(table, target="disease")
    spec = RunSpec.make(dataset, method="bspsa", seed=2, settings={"max_iterations": 4})
    measured, masks = outer_error(spec, dataset, 3)
    assert content["honest_error"] == measured.mean
    assert len(masks) == 3
    mask = np.isin(dataset.features, content["selected"])
    assert content["fresh_error"] == fresh_error(spec, dataset, mask).mean
    assert "on rows that no search saw, in 3 outer folds" in said
    assert "unseen rows (honest)" in (tmp_path / "report.html").read_text()
    again = tmp_path / "again"  # nothing is measured twice
    _fsdesk("resume", tmp_path / "run.fsdesk", "--out", again)
    assert json.loads((again / "result.json").read_text())["honest_error"] == measured.mean
