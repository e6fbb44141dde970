"""Studies through the API: growing ones, stopped ones, and plans that cannot be."""

import sqlite3

import pytest

import fsdesk
from fsdesk.engine import Flag, RunSpec
from fsdesk.errors import ProjectError, UserError
from fsdesk.results.study import EXAMPLE, StudyPlan, read_plan, study, unfinished_plan

PLAN = {
    "tables": ["sample:wine"],
    "methods": ["sfs", "full"],
    "seeds": [0, 1],
    "outer": 2,
    "settings": {"repeats": 1, "folds": 2, "sfs": {"max_measurements": 30}, "bspsa": {"max_iterations": 20}},
}


def _events(out):
    connection = sqlite3.connect(f"file:{out / 'study.fsdesk'}?mode=ro", uri=True)
    try:
        return dict(connection.execute("SELECT run, count(*) FROM event GROUP BY run"))
    finally:
        connection.close()


def test_a_plan_that_has_grown_runs_only_what_is_new(tmp_path):
    steps = []
    first = fsdesk.study(PLAN, tmp_path, callback=steps.append)
    before = _events(tmp_path)
    assert len(before) == 4
    assert (steps[-1].done, steps[-1].cells, steps[-1].share) == (4, 4, 1.0)
    assert [step.share for step in steps] == sorted(step.share for step in steps)
    assert not first.stopped
    second = study({**PLAN, "methods": ["bspsa", "sfs", "full"]}, tmp_path)
    after = _events(tmp_path)
    assert {run: after[run] for run in before} == before  # not an event more
    assert len(after) == 6
    assert [row[0] for row in second.comparison.rows] == ["All features", "BSPSA", "SFS"]  # in the order of the plan
    assert all(entry.honest is not None for entry in second.comparison.entries())
    assert {file.name for file in second.files} >= {"tables.html", "tables.csv", "tables.tex", "tables.xlsx"}


def test_tables_of_another_plan_are_replaced_only_if_asked(tmp_path):
    one, other = {**PLAN, "methods": ["full"], "outer": 0}, {**PLAN, "methods": ["univariate"], "outer": 0}
    study(one, tmp_path)
    tables, events = (tmp_path / "tables.csv").read_bytes(), _events(tmp_path)
    with pytest.raises(ProjectError, match="All features on wine") as refused:
        study(other, tmp_path)
    assert "--overwrite" in str(refused.value)
    assert (tmp_path / "tables.csv").read_bytes() == tables and _events(tmp_path) == events
    assert unfinished_plan(tmp_path) is None
    made = study(other, tmp_path, overwrite=True)
    assert (tmp_path / "tables.csv").read_bytes() != tables
    assert {run: count for run, count in _events(tmp_path).items() if run in events} == events  # nothing is lost
    assert [entry.method for entry in made.comparison.entries() if entry.method == "Univariate"]


def test_a_study_that_an_older_version_began_has_the_same_runs(tmp_path, monkeypatch):
    plan = {**PLAN, "methods": ["full"], "outer": 0}
    study(plan, tmp_path)
    before, made = _events(tmp_path), RunSpec.make
    monkeypatch.setattr(RunSpec, "make", lambda *given, **named: made(*given, **named).model_copy(update={"rows": 0}))
    study(plan, tmp_path)
    assert _events(tmp_path) == before


def test_a_stopped_study_goes_on_to_the_same_tables(tmp_path):
    flag, steps = Flag(), []

    def stop_soon(step):
        steps.append(step)
        flag.stop = step.done >= 1

    stopped = study(PLAN, tmp_path / "stopped", callback=stop_soon, control=flag)
    assert stopped.stopped
    assert steps[-1].done < 4
    assert unfinished_plan(tmp_path / "stopped") == StudyPlan(**PLAN)
    gone_on, whole = study(PLAN, tmp_path / "stopped"), study(PLAN, tmp_path / "whole")
    found, expected = ([(e.seed, e.search, e.honest, e.features) for e in each.comparison.entries()]
                       for each in (gone_on, whole))  # fmt: skip
    assert found == expected
    assert unfinished_plan(tmp_path / "stopped") is unfinished_plan(tmp_path / "nowhere") is None


def test_the_example_that_comes_along_is_a_plan():
    plan, _ = read_plan(EXAMPLE)
    assert len(plan.tables) > 1
    assert len(plan.methods) > 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("methods = []", "tables"),
        ('tables = ["x.csv"]\nwrong = 1', "wrong"),
        ('tables = ["missing.csv"]', "missing.csv"),
        ('tables = ["sample:wine"]\nmethods = ["nothing"]', "nothing"),
        ('tables = ["sample:wine"]\nouter = 1', "at least 2 outer folds"),
        ('tables = ["sample:wine"]\n[settings.nothing]\nmax_measurements = 3', "nothing"),
        ('tables = ["sample:wine", { file = "sample:wine" }]', "wine"),
        ('tables = [{ target = "class" }]', "file"),
        ('tables = [{ file = "sample:wine", colour = "red" }]', "colour"),
        ('tables = ["sample:wine"]\ncriteria = ["rmse"]', "RMSE"),
        ("tables = [", "study file"),
    ],
)
def test_a_plan_that_cannot_be_is_one_sentence_before_anything_is_run(text, said, tmp_path):
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(UserError, match=said) as caught:
        study(tmp_path / "plan.toml", tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
