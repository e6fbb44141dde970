"""`fsdesk run` and `fsdesk resume`: what can be asked for, and the held-out error that ends a run."""

import csv
import json
import signal

import numpy as np
import pytest

from fsdesk import read_table
from fsdesk.cli import invoke
from fsdesk.cli.options import STOPPED
from fsdesk.engine import RunSpec
from fsdesk.methods import METHODS
from fsdesk.results.evidence import OuterFold
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import outer_steps
from fsdesk.store import Project
from tests.invoking import QUICK, fsdesk

SHORT = ["--method", "bspsa", "--set", "max_iterations=3", "--set", "repeats=1", "--set", "folds=2"]


@pytest.fixture(scope="module")
def auc_run(patients, tmp_path_factory):
    """A run by AUC with every kind of constraint."""
    out = tmp_path_factory.mktemp("auc")
    constraints = ["--always", "g4", "--never", "g0", "--never", "g1", "--together", "g2,g3", "--together", '"g5",g6']
    settings = ["--wrapper", "nb", "--seed", 1, "--set", "criterion=auc", "--set", "n_finalists=4"]
    done = fsdesk("run", patients, "--out", out, *settings, *constraints, *QUICK)
    return out, done.stdout


def test_constraints_hold_in_the_answer(auc_run):
    result = json.loads((auc_run[0] / "result.json").read_text())
    selected = set(result["selected"])
    assert "g4" in selected
    assert not {"g0", "g1"} & selected
    assert len({"g2", "g3"} & selected) in (0, 2)
    assert len({"g5", "g6"} & selected) in (0, 2)
    report = (auc_run[0] / "report.html").read_text()
    assert "<td>Never in</td><td>g0, g1</td>" in report
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
    assert f"On the rows used for selection, so not an estimate for new rows: AUC {text} in the search" in said
    assert "+-" not in said
    honest = f"{result['shown']['honest']:#.3g}"
    low, high = (f"{1 - loss:#.3g}" for loss in reversed(result["honest_interval"]))
    assert f"AUC on held-out rows: {honest} (95 % interval {low} to {high})" in said
    assert "%" not in said.partition("Sensitivity")[0].replace("95 %", "")
    report = (out / "report.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    assert f"AUC on the rows used for selection: in the search {text}" in report
    assert f"<b>{honest}</b><small>95 % interval {low} to {high}</small>" in report
    assert "AUC by number of features" in report or len({each["n_selected"] for each in result["finalists"]}) == 1
    assert [each["answer"] for each in result["finalists"]].count(True) == 1
    (answer,) = (each for each in result["finalists"] if each["answer"])
    assert answer["selected"] == result["selected"]


def test_a_run_starts_from_the_subset_of_another(auc_run, patients, tmp_path):
    for place, name in enumerate(("mask.csv", "selected.txt")):
        out = tmp_path / str(place)
        short = ["--method", "bspsa", "--set", "max_iterations=3", "--outer", 0]
        fsdesk("run", patients, "--out", out, "--start", auc_run[0] / name, *short)
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
    options = ["--wrapper", "ridge", "--group", "house", "--time", "year", "--method", "sfs", "--set", "repeats=2"]
    fsdesk("run", table, *options, "--outer", 2, "--out", tmp_path / "out")
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["criterion"] == "rmse"
    assert "b" in result["selected"]
    assert 0.5 < result["search_error"] < 50  # the noise is 1, the spread of the prices 300
    assert result["data"]["task"] == "regression"
    assert result["data"]["features"] == 5
    report = (tmp_path / "out" / "report.html").read_text()
    assert "RMSE, in the unit of price" in report
    assert "30 groups of rows that are never split" in report
    options = ["--wrapper", "Ridge", "--set", "parameters=alpha=0.5", "--set", "criterion=r2", "--ignore", "house"]
    forward = ["--set", "protocol=time", "--time", "year", "--method", "full", "--outer", 0]
    fsdesk("run", table, *options, *forward, "--out", tmp_path / "again")
    again = json.loads((tmp_path / "again" / "result.json").read_text())
    assert again["spec"]["wrapper_settings"] == {"estimator": "Ridge", "parameters": "alpha=0.5"}
    assert 0.9 < again["shown"]["search"] < 1


def test_the_runs_of_a_project_are_compared_in_the_terminal_and_in_a_file(patients, tmp_path):
    project = tmp_path / "study.fsdesk"
    for seed in (0, 1):
        options = ["--seed", seed, "--out", tmp_path / str(seed), "--project", project, "--outer", 0]
        fsdesk("run", patients, "--target", "disease", *QUICK, *options)
    text = fsdesk("compare", project).stdout
    assert "All features" in text
    assert "BSPSA" in text
    fsdesk("compare", project, "--out", tmp_path / "table.md")
    assert "**" in (tmp_path / "table.md").read_text(encoding="utf-8")
    assert ".tex" in fsdesk("compare", project, "--out", tmp_path / "table.doc", code=2).stderr


def test_the_honest_error_of_outer_folds_is_that_of_the_api_and_is_kept(patients, tmp_path):
    options = ["--method", "bspsa", "--set", "max_iterations=4", "--seed", 2]
    said = fsdesk("run", patients, "--target", "disease", "--out", tmp_path, *options, "--outer", 3).stdout
    content = json.loads((tmp_path / "result.json").read_text())
    dataset = read_table(patients, target="disease")
    spec = RunSpec.make(dataset, method="bspsa", seed=2, settings={"max_iterations": 4})
    folds = [step for step in outer_steps(spec, dataset, 3) if isinstance(step, OuterFold)]
    missed = np.concatenate([fold.said.chosen != fold.said.truth for fold in folds])
    assert len(missed) == len(dataset.target)
    assert content["honest_error"] == pytest.approx(missed.mean())
    low, high = content["honest_interval"]
    assert low < content["honest_error"] < high
    gains = np.concatenate([(fold.said.everything != fold.said.truth) * 1.0 for fold in folds]) - missed
    assert content["honest_difference"] == pytest.approx(gains.mean())
    mask = np.isin(dataset.features, content["selected"])
    assert content["fresh_error"] == fresh_error(spec, dataset, mask).mean
    assert f"Error on held-out rows: {100 * content['honest_error']:.1f} %" in said
    assert "in 3 outer folds" in said
    assert content["shown"]["text"] in (tmp_path / "report.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    again = tmp_path / "again"  # nothing is measured twice
    fsdesk("resume", tmp_path / "run.fsdesk", "--out", again)
    assert json.loads((again / "result.json").read_text())["honest_error"] == content["honest_error"]


def test_any_point_of_the_curve_can_be_taken_home(patients, tmp_path):
    fsdesk("run", patients, "--method", "ranking", "--set", "repeats=2", "--out", tmp_path)
    project = tmp_path / "run.fsdesk"
    for size in (1, 2, 4):
        taken = ["--size", size, "--what", "selected.txt", "--out", tmp_path / "taken"]
        fsdesk("export", project, *taken, "--overwrite")
        assert len((tmp_path / "taken" / "selected.txt").read_text(encoding="utf-8").splitlines()) == size
    assert "choose one of 1, 2, " in fsdesk("export", project, "--size", 11, code=2).stderr


def test_a_settings_file_names_what_options_do_not(patients, tmp_path):
    settings = tmp_path / "settings.toml"
    run = '[run]\nmethod = "bspsa"\nwrapper = "nb"\nseed = 4\n'
    settings.write_text(f"{run}[measuring]\nrepeats = 1\n[method]\nmax_iterations = 5\nc = 0.1\n")
    options = ["--settings", settings, "--seed", 9, "--set", "c=0.2", "--outer", 0]
    fsdesk("run", patients, "--out", tmp_path, *options)
    spec = json.loads((tmp_path / "result.json").read_text())["spec"]
    assert (spec["method"], spec["wrapper"], spec["seed"], spec["measuring"]["repeats"]) == ("bspsa", "nb", 9, 1)
    assert (spec["method_settings"]["max_iterations"], spec["method_settings"]["c"]) == (5, 0.2)


def test_where_a_measurement_takes_long_a_cheaper_protocol_is_named_that_can_be_asked_for(
    patients, tmp_path, monkeypatch
):
    assert "hold-out" not in fsdesk("run", patients, "--out", tmp_path / "quick", *QUICK, "--outer", 0).stderr
    monkeypatch.setattr("fsdesk.cli.run._LONG_SECONDS", 0.0)
    said = fsdesk("run", patients, "--out", tmp_path / "long", *QUICK, "--outer", 0).stderr
    assert "With --set protocol=hold-out --set repeats=1 it takes one fit instead of 20" in said
    cheaper = ("--set", "protocol=hold-out", "--set", "max_iterations=60", "--set", "repeats=1")
    said = fsdesk("run", patients, "--method", "bspsa", "--out", tmp_path / "cheap", *cheaper, "--outer", 0).stderr
    assert "hold-out" not in said
    result = json.loads((tmp_path / "cheap" / "result.json").read_text())
    assert result["spec"]["measuring"]["protocol"] == "hold-out"


def test_where_a_measurement_takes_long_and_rows_are_many_to_search_on_fewer_is_proposed(
    patients, tmp_path, monkeypatch
):
    monkeypatch.setattr("fsdesk.cli.run._LONG_SECONDS", 0.0)
    bspsa = ("--method", "bspsa", "--set", "max_iterations=2", "--set", "repeats=2", "--outer", 0)

    def said(*options):
        return fsdesk("run", patients, "--out", tmp_path / str(len(list(tmp_path.iterdir()))), *bspsa, *options).stderr

    assert "search_rows" not in said()
    monkeypatch.setattr("fsdesk.cli.run.ENOUGH_ROWS", 10)
    assert "with --set search_rows=10, the search uses 10 of " in said()
    assert "search_rows" not in said("--set", "search_rows=10")


def test_the_folder_of_a_run_stands_for_its_project(patients, tmp_path):
    out = tmp_path / "out"
    fsdesk("run", patients, "--out", out, *QUICK, "--outer", 0)
    assert "BSPSA" in fsdesk("compare", out).stdout
    fsdesk("export", out, "--what", "mask.npy", "--what", "bundle.zip")
    assert (out / "mask.npy").is_file()
    assert "when recomputed" in fsdesk("verify", out / "bundle.zip", "--data", out).stdout
    fsdesk("resume", out, "--more-measurements", 10)
    assert sorted(each.name for each in out.glob("run.fsdesk*")) == ["run.fsdesk"]
    assert f'"{tmp_path}" is a folder. Choose the project file' in fsdesk("compare", tmp_path, code=2).stderr


def _run(table, out, *more):
    return invoke(["run", str(table), *SHORT, *more, "--out", str(out)])


def _result(out):
    return json.loads((out / "result.json").read_text(encoding="utf-8"))


def test_a_run_ends_with_five_outer_folds_and_its_sentence_leads(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out") == 0
    lines = capsys.readouterr().out.splitlines()
    content = _result(tmp_path / "out")
    assert lines[1] == content["shown"]["text"]
    assert "in 5 outer folds" in lines[2]
    assert lines[3].startswith("On the rows used for selection")
    assert not [line for line in lines if "+-" in line]
    low, high = content["honest_interval"]
    assert 0 <= low <= content["honest_error"] < high <= 1


def test_without_outer_folds_it_says_what_is_missing_and_resuming_gets_it(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out", "--outer", "0") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("The held-out error was not measured.")
    assert "%" not in said[1]
    assert _result(tmp_path / "out")["honest_error"] is None
    assert invoke(["resume", str(tmp_path / "out" / "run.fsdesk")]) == 0
    assert "Error on held-out rows" in capsys.readouterr().out
    assert _result(tmp_path / "out")["honest_error"] is not None


def test_a_run_that_was_begun_with_other_folds_goes_on_with_them(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out", "--outer", "3") == 0
    assert invoke(["resume", str(tmp_path / "out" / "run.fsdesk")]) == 0
    assert capsys.readouterr().out.count("in 3 outer folds") == 2


def test_stopping_in_the_outer_folds_keeps_the_answer_and_the_folds_that_are_done(table, tmp_path, capsys, monkeypatch):
    append = Project.append

    def stop_after_two_folds(project, steps):
        append(project, steps)
        if [kind for kind, _ in project.evidence(1)] == ["fresh", "outer", "outer"]:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Project, "append", stop_after_two_folds)
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
    assert _run(table, tmp_path / "out", "--wrapper", "nn") == 0
    assert "was not measured" in capsys.readouterr().out
    assert _run(table, tmp_path / "asked", "--wrapper", "nn", "--outer", "2") == 0
    assert "in 2 outer folds" in capsys.readouterr().out


@pytest.fixture
def finished(table, tmp_path, capsys):
    assert _run(table, tmp_path / "out") == 0
    assert "after 9 measurements" in capsys.readouterr().out
    return str(tmp_path / "out" / "run.fsdesk")


@pytest.mark.parametrize("more", [["--more-iterations", "2"], ["--more-measurements", "6"]])
def test_a_finished_run_goes_on_when_it_is_allowed_more(finished, capsys, more):
    assert invoke(["resume", finished, *more]) == 0
    said = capsys.readouterr().out
    assert "after 15 measurements: all 5 iterations done" in said
    assert "from measurement 10 on" in said
    assert invoke(["resume", finished]) == 0
    assert "after 15 measurements" in capsys.readouterr().out


def test_a_race_that_its_budget_cut_goes_on_to_the_answer_of_one_that_was_never_cut(table, tmp_path, capsys):
    race = ["run", str(table), "--method", "univariate", "--wrapper", "nn", "--set", "repeats=1"]
    assert invoke([*race, "--out", str(tmp_path / "whole")]) == 0
    whole = _result(tmp_path / "whole")
    assert invoke([*race, "--set", "max_measurements=12", "--out", str(tmp_path / "cut")]) == 0
    assert "the budget of 12 measurements is used up" in capsys.readouterr().out
    taken = _result(tmp_path / "cut")["evaluations"]
    assert invoke(["resume", str(tmp_path / "cut" / "run.fsdesk"), "--more-measurements", "100000"]) == 0
    assert f"from measurement {taken + 1} on: 100,000 more measurements" in capsys.readouterr().out
    longer = _result(tmp_path / "cut")
    assert longer["honest_error"] == whole["honest_error"]
    assert longer["selected"] == whole["selected"]


def test_more_minutes_for_a_run_without_a_limit_of_time_are_refused_with_a_sentence(finished, capsys):
    assert invoke(["resume", finished, "--more-minutes", "1"]) == 2
    assert "no time limit" in capsys.readouterr().err


def test_the_command_line_runs_a_sample_and_names_the_others(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert invoke(["run", "sample:wine", "--method", "full", "--set", "repeats=1"]) == 0
    assert "malic_acid" in (tmp_path / "sample-wine-full" / "mask.csv").read_text(encoding="utf-8")
    assert "note: 178 rows, 3 classes (smallest: 48)" in capsys.readouterr().err
    assert (
        invoke(["run", "sample:wine", "--target", "alcohol", "--method", "full", "--set", "repeats=1", "--out", "n"])
        == 0
    )
    assert invoke(["run", "sample:iris"]) == 2
    assert 'Choose one of: "breast_cancer", "wine", "digits", "waveform", "genes"' in capsys.readouterr().err
