"""Wrappers, criteria and validations asked for as a command; ``--exhaustive`` asks for every combination."""

import csv
import json

import numpy as np
import pytest

from fsdesk import Evaluator, read_table
from fsdesk.cli import invoke
from fsdesk.measure import CRITERIA
from fsdesk.wrappers import WRAPPERS
from tests.measurable import PAIRS, PROTOCOLS, quick_settings

ROWS = 20
EVERY = [(*pair, protocol) for pair in PAIRS for protocol in PROTOCOLS]


def some():
    """Few combinations in which each wrapper, each criterion and each validation stands."""
    chosen, left = [], set(PAIRS)
    while left:  # pairs of which neither name has stood yet come first
        pair = max(sorted(left), key=lambda pair: sum(name not in sum(chosen, ()) for name in pair))
        chosen.append((*pair, PROTOCOLS[len(chosen) % len(PROTOCOLS)]))
        left = {(wrapper, criterion) for wrapper, criterion in left if {wrapper, criterion} - set(sum(chosen, ()))}
    return chosen


ASKED = some()


def pytest_generate_tests(metafunc):
    if "protocol" in metafunc.fixturenames:
        asked = EVERY if metafunc.config.getoption("exhaustive") else ASKED
        metafunc.parametrize(("wrapper", "criterion", "protocol"), asked)


@pytest.fixture(scope="module")
def tables(tmp_path_factory, planted):
    """The same rows with classes and with numbers to predict, folds of their own and times."""
    folder, noise = tmp_path_factory.mktemp("ways"), np.random.default_rng(1).normal(size=ROWS)
    codes = planted.target[:ROWS]
    targets = {
        "classification": ["ab"[code] for code in codes],
        "regression": (codes * 3.0 + noise * 0.1).tolist(),
    }
    targets["survival"] = np.exp(-(codes * 3.0 + noise * 0.1)).tolist()
    for task, target in targets.items():
        with (folder / f"{task}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*planted.features, "part", "year", "seen", "y"])
            for row in range(ROWS):
                roles = f"part {row // 2 % 5}", 2000 + row * 7 % ROWS, int(row % 4 > 0)
                writer.writerow([*planted.x[row].tolist(), *roles, target[row]])
    return folder


def test_every_wrapper_criterion_and_validation_is_asked_for():
    for place, names in enumerate(([each.name for each in WRAPPERS], [each.name for each in CRITERIA], PROTOCOLS)):
        assert {each[place] for each in ASKED} == set(names)


def test_a_command_measures_what_the_evaluator_does(tables, tmp_path, capsys, wrapper, criterion, protocol):
    table, own = tables / f"{CRITERIA[criterion].task}.csv", quick_settings(wrapper, criterion)
    measuring = {"criterion": criterion, "protocol": protocol, "repeats": 1, "folds": 2}
    asked = {"times": 1, **measuring, **own}
    arguments = ["--method", "full", "--wrapper", wrapper, "--folds-column", "part", "--time", "year"]
    arguments += [part for name, value in asked.items() for part in ("--set", f"{name}={value}")]
    is_survival = CRITERIA[criterion].task == "survival"
    arguments += ["--target", "y", "--event", "seen"] if is_survival else ["--ignore", "seen"]
    assert invoke(["run", str(table), *arguments, "--out", str(tmp_path)]) == 0, capsys.readouterr().err
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    event = "seen" if is_survival else None
    ignore = () if is_survival else ("seen",)
    dataset = read_table(table, "y", folds="part", time="year", event=event, ignore=ignore)
    evaluator = Evaluator(dataset, WRAPPERS[wrapper].build(own), **measuring)
    expected = evaluator.measure(np.ones(len(dataset.features), dtype=bool), 0).mean
    assert result["criterion"] == criterion
    assert result["all_features_error"] == pytest.approx(expected, rel=1e-12)
    # Fixed folds have been seen by the search, and a single value has no standard error.
    said, fixed = capsys.readouterr().out, protocol in ("leave-one-out", "column", "time")
    assert ("fresh_error" not in result) == ("cannot be re-estimated" in said) == fixed
    assert ("+-" in said) <= (not fixed)


def test_columns_of_folds_or_time_that_nothing_validates_by_are_named(tables, tmp_path, capsys):
    words = ["run", str(tables / "classification.csv"), "--method", "full", "--outer", "0", "--set", "times=1"]
    words += ["--folds-column", "part", "--time", "year", "--out", str(tmp_path), "--overwrite"]
    for protocol, unused in (("folds", ["column", "time"]), ("time", ["column"]), ("column", ["time"])):
        assert invoke([*words, "--set", f"protocol={protocol}"]) == 0
        said = " ".join(capsys.readouterr().err.split())
        named = [each for each in ("column", "time") if f"--set protocol={each}" in said]
        assert named == unused


def test_a_model_that_refuses_every_subset_says_why(tables, tmp_path, capsys):
    asked = {"estimator": "KNeighborsClassifier", "parameters": "n_neighbors=1000", "times": 1, "repeats": 1}
    arguments = [part for name, value in asked.items() for part in ("--set", f"{name}={value}")]
    table, out = str(tables / "classification.csv"), str(tmp_path)
    assert invoke(["run", table, "--method", "full", "--wrapper", "sklearn", *arguments, "--out", out]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    sentence = "No subset could be measured: KNeighborsClassifier could not be trained"
    assert sentence in " ".join(said.err.split())
    assert "n_neighbors" in said.err
    assert not (tmp_path / "mask.csv").exists()
