"""Rows that came under observation late: a run, its report and script, another table, and the project that keeps it."""

import runpy
from contextlib import closing
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fsdesk
from fsdesk.errors import SettingsError
from fsdesk.results.exports import export
from fsdesk.results.report import report_html
from fsdesk.store import Project


def made(rows, seed, *, written=False):
    """Patients of a registry who entered some time after diagnosis: two of six features count."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(4 * rows, 6))
    time, lost = 20 * rng.exponential(np.exp(-1.0 * x[:, 0] + 0.8 * x[:, 1])), rng.exponential(30, 4 * rows)
    start, stop, seen = rng.uniform(0, 15, 4 * rows), np.minimum(time, lost), time <= lost
    kept = np.flatnonzero(stop > start + 0.02)[:rows]
    start, stop = start.round(2)[kept], stop.round(2)[kept]
    table = pd.DataFrame(x[kept].round(3), columns=list("abcdef"))
    if written:
        ends = [f"({s},{t}{'' if e else '+'}]" for s, t, e in zip(start, stop, seen[kept], strict=True)]
        return table.assign(os=ends)
    return table.assign(start=start, stop=stop, status=np.where(seen[kept], 2, 1))


OUTCOME = ("start", "stop", "status=2")


@pytest.fixture(scope="module", params=[False, True])
def run(request):
    data = fsdesk.from_frame(made(140, 1, written=request.param), "os" if request.param else OUTCOME, name="registry")
    return fsdesk.select(data, method="sfs", wrapper="cox", settings={"repeats": 2}, outer=3), request.param


def test_features_are_found_by_pairs_of_rows_that_were_both_under_observation(run):
    result, _ = run
    assert {"a", "b"} <= set(result.features)
    assert result.honest is not None and 1 - result.honest.value > 0.65
    assert result.honest.association_p is not None and result.honest.association_p < 0.01


def test_all_that_is_written_says_what_is_known_and_why_nothing_is_said_of_a_time(run, tmp_path, monkeypatch, capsys):
    result, written = run
    assert result.dataset is not None
    page = report_html(result, result.dataset)
    assert "came under observation after time 0" in page
    assert "Hazard ratio" in page
    assert "REMARK" in page and "the time to the event" in page
    assert ("1 column is the target" if written else "3 columns are the target") in page
    with pytest.raises(SettingsError, match="cannot be estimated"):
        result.decision(horizon=10.0)
    paths = export(result, result.dataset, tmp_path, ["result.json", "table.csv", "reproduce.py"])
    assert '"survival":null' in paths[0].read_text(encoding="utf-8").replace(" ", "")
    again = fsdesk.read_table(tmp_path / "table.csv", "os" if written else (*OUTCOME[:2], "status=1"), keep=("row",))
    assert again.response == pytest.approx(result.dataset.response)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "reproduce.py")])
    runpy.run_path(str(tmp_path / "reproduce.py"), run_name="__main__")
    share = float(capsys.readouterr().out.split("concordance: ")[1].split(",")[0])
    assert 0.6 < share < 0.95


def test_another_table_is_predicted_and_tested_by_its_own_times_of_entry(run):
    result, written = run
    external = fsdesk.validate(result, made(120, 2, written=written))
    assert 1 - external.error.value > 0.6
    predicted = fsdesk.predict(result, made(10, 3)[list("abcdef")]).predicted
    assert predicted == pytest.approx(result.estimator.predict(made(10, 3)))


def test_criteria_that_ask_about_a_time_are_refused(run):
    result, _ = run
    for criterion in ("uno", "brier", "auc at a time"):
        with pytest.raises(SettingsError, match="cannot be estimated"):
            fsdesk.Evaluator(result.dataset, wrapper="cox", criterion=criterion)


def test_a_project_keeps_the_times_of_entry_to_the_last_bit(run, tmp_path):
    result, _ = run
    data = result.dataset
    with closing(Project.create(tmp_path / "p.fsdesk")) as project:
        project.add_dataset(data)
        kept = project.dataset(data.fingerprint)
    assert (kept.event, kept.entry, kept.fingerprint) == (data.event, data.entry, data.fingerprint)
    assert np.array_equal(kept.response, data.response)
    assert replace(data, entry="other").fingerprint != data.fingerprint


@pytest.mark.parametrize("wrapper", ["cox", "nn-survival", "survival-forest"])
def test_every_model_predicts_survival_of_rows_that_came_late(wrapper):
    data = fsdesk.from_frame(made(100, 4), OUTCOME)
    evaluator = fsdesk.Evaluator(data, wrapper=wrapper, repeats=1)
    assert 0.2 < evaluator.measure(np.ones(6, dtype=bool), number=0).mean < 0.48
    labels = evaluator.fold_labels(0)
    survival = evaluator.outcome(np.ones(6, dtype=bool), labels, ("survival",), np.array([5.0, 20.0])).survival
    assert ((survival >= 0) & (survival <= 1)).all() and (survival[..., 0] >= survival[..., 1]).all()
