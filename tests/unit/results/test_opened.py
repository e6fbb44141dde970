"""A project file in a script: its runs, results and evidence; a result as a frame and as a report."""

import numpy as np
import pytest

import fsdesk
from fsdesk.cli import main
from fsdesk.results.exports import EXPORTS

WAYS = ["--wrapper", "nn", "--set", "repeats=1", "--set", "max_measurements=20"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    for method, outer in (("sfs", "2"), ("full", "0")):
        command = ["run", "sample:wine", "--method", method, "--outer", outer, *WAYS]
        assert main([*command, "--project", str(folder / "wine.fsdesk"), "--out", str(folder / method)]) == 0
    return folder


def test_a_project_shows_its_runs_results_and_evidence(project):
    opened = fsdesk.open_project(project / "wine.fsdesk")
    assert [run.spec.method for run in opened.runs] == ["sfs", "full"]
    assert [run.status for run in opened.runs] == ["finished", "finished"]
    assert opened.result().features == opened.runs[1].dataset.features
    result = opened.result(opened.runs[0].id)
    written = (project / "sfs" / "selected.txt").read_text().split()
    assert list(result.features) == written
    assert result.honest is not None
    assert len(result.estimator.predict(result.dataset.frame)) == 178
    assert "2 runs" in repr(opened)


def test_the_runs_of_a_project_are_a_frame(project):
    frame = fsdesk.open_project(project / "wine.fsdesk").to_frame()
    assert frame["method"].tolist() == ["sfs", "full"]
    assert frame["features"].tolist()[1] == 13
    assert np.isfinite(frame["search_error"]).all()
    assert np.isfinite(frame["honest_error"]).tolist() == [True, False]


def test_what_is_no_project_is_refused(project, tmp_path):
    with pytest.raises(fsdesk.ProjectError, match="no project file"):
        fsdesk.open_project(tmp_path / "gone.fsdesk")
    with pytest.raises(fsdesk.ProjectError, match=r"has no run 99\. Available: 1, 2"):
        fsdesk.open_project(project / "wine.fsdesk").run(99)


def test_a_result_is_a_frame_and_a_report(project, tmp_path):
    result = fsdesk.open_project(project / "wine.fsdesk").runs[0].result
    frame = result.to_frame()
    assert frame.index[frame["selected"]].tolist() == list(result.features)
    assert frame.columns.tolist()[:3] == ["selected", "weight", "frequency"]
    assert frame["frequency"].between(0, 1).all()
    path = result.report(tmp_path / "made" / "wine.html")
    assert path.read_bytes() == EXPORTS["report.html"].content(result, result.dataset)
    with pytest.raises(fsdesk.SettingsError, match=r"must be an \.html or \.pdf file"):
        result.report(tmp_path / "wine.docx")


def test_select_keeps_every_step_in_a_project(tmp_path):
    path = tmp_path / "kept.fsdesk"
    data = fsdesk.read_table("sample:wine")
    ways = {"method": "bspsa", "wrapper": "nn", "settings": {"max_iterations": 12, "repeats": 2}, "outer": 2}
    result = fsdesk.select(data, project=path, **ways)
    kept = fsdesk.open_project(path).result()
    assert kept.features == result.features
    assert kept.search_error == result.search_error
    assert kept.honest.value == result.honest.value
    assert len(kept.log) == len(result.log)
    fsdesk.select(data, project=path, method="full", wrapper="nn", outer=0, settings={"repeats": 1})
    assert len(fsdesk.open_project(path).runs) == 2


def test_an_interrupted_search_goes_on_where_it_was(tmp_path):
    path = tmp_path / "kept.fsdesk"
    data = fsdesk.read_table("sample:wine")
    ways = {"method": "bspsa", "wrapper": "nn", "settings": {"max_iterations": 12, "repeats": 2}, "outer": 0}
    steps = []

    def interrupted(progress):
        steps.append(progress)
        if len(steps) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fsdesk.select(data, project=path, callback=interrupted, **ways)
    assert fsdesk.open_project(path).result().evaluations == steps[-1].measured
    assert main(["resume", str(path), "--out", str(tmp_path / "out"), "--outer", "0"]) == 0
    whole = fsdesk.select(data, **ways)
    assert fsdesk.open_project(path).result().search_error == whole.search_error
    assert fsdesk.open_project(path).result().mask.tolist() == whole.mask.tolist()


def test_a_stopped_run_goes_on_from_python_to_the_same_result(tmp_path):
    path = tmp_path / "kept.fsdesk"
    data = fsdesk.read_table("sample:wine")
    ways = {"method": "bspsa", "wrapper": "nn", "settings": {"max_iterations": 12, "repeats": 2}}
    stopped = fsdesk.select(data, project=path, callback=lambda progress: progress.measured > 5, outer=2, **ways)
    assert (stopped.status, stopped.honest) == ("stopped", None)
    run = fsdesk.open_project(path).run()
    assert run.status == "stopped"
    resumed = run.resume(outer=2)
    whole = fsdesk.select(data, outer=2, **ways)
    assert (resumed.status, run.status, run.result.status) == ("finished", "finished", "finished")
    assert resumed.mask.tolist() == whole.mask.tolist()
    assert resumed.honest.value == whole.honest.value == fsdesk.open_project(path).result().honest.value


def test_classes_that_are_numbers_stay_numbers_in_a_project(tmp_path):
    path = tmp_path / "kept.fsdesk"
    frame = fsdesk.read_table("sample:wine").frame.assign(kind=[0, 1] * 89)
    fsdesk.select(frame, "kind", method="full", wrapper="nn", settings={"repeats": 1}, outer=0, project=path)
    predicted = fsdesk.predict(fsdesk.open_project(path).result(), frame)
    assert set(predicted.predicted.tolist()) <= {0, 1}


def test_without_a_word_the_held_out_error_is_that_of_the_command_line():
    data = fsdesk.read_table("sample:wine")
    settings = {"repeats": 1, "validation.outer_folds": 2}
    result = fsdesk.select(data, method="full", wrapper="nn", settings=settings)
    assert result.honest.folds == 2
    assert fsdesk.RunSpec.make(data, method="full", wrapper="nn", seed=0).usual_outer_folds == 5
    assert fsdesk.RunSpec.make(data, method="univariate", wrapper="nn", seed=0).usual_outer_folds == 0
