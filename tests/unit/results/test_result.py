"""A result and its progress."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import fsdesk
from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    RunFinished,
    RunStarted,
    RunState,
    SubsetsJudged,
    pack_masks,
)
from fsdesk.errors import ProjectError
from fsdesk.results.exports import export
from fsdesk.results.methods_text import settings_used
from fsdesk.results.record import RunRecord
from fsdesk.results.select import select

SETTINGS = {"max_iterations": 20, "repeats": 3}
FEW_STEPS = {"max_iterations": 6, "repeats": 2, "folds": 3}


@pytest.fixture(scope="module")
def result(planted):
    return select(planted, method="bspsa", seed=4, settings=SETTINGS, outer=0)


def test_select_returns_what_the_evaluator_measured(result, planted):
    evaluator = fsdesk.Evaluator(planted, seed=4, repeats=3)
    assert result.baseline_error == evaluator.measure(np.ones(8, dtype=bool), 0).mean
    assert result.search_error in {evaluator.measure(result.mask, number).mean for number in range(1, 61)}
    assert result.search_error == result.history.errors.min()
    assert result.features == tuple(np.array(planted.features)[result.mask])
    assert result.evaluations == 60
    assert len(result.history.errors) == len(result.history.sizes) == 20


def test_select_does_not_depend_on_the_number_of_workers(result, planted):
    again = select(planted, method="bspsa", seed=4, settings=SETTINGS, workers=2, outer=0)
    assert np.array_equal(again.mask, result.mask)
    assert np.array_equal(again.weights, result.weights)
    assert np.array_equal(again.history.errors, result.history.errors)


def test_nothing_measured_is_nothing_to_export():
    with pytest.raises(ProjectError, match="not measured a subset yet"):
        RunRecord.of(RunState())


def test_the_report_says_settings_as_people_do(result):
    said = {title: value for _, rows in settings_used(result) for title, value, _ in rows}
    assert said["Scaling"] == "Within each training fold"
    assert said["Stratified folds"] == "yes"
    assert said["Stop repeating when the standard error is below"] == "0: takes all repeats"
    assert said["Max. time"] == "0: sets no limit"  # and not 0 minutes
    assert said["Stability constant A"] == "100 iterations"
    assert said["Misclassification costs"] == "none"


def test_a_folder_that_cannot_be_made_is_said(result, planted, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ProjectError, match=r"Cannot write .*\. Choose another folder"):
        export(result, planted, tmp_path / "file" / "out")


def test_an_export_that_fails_leaves_the_file_before_it(result, planted, tmp_path, monkeypatch):
    (tmp_path / "selected.txt").write_text("of another run")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ProjectError, match="No space left on device"):
        export(result, planted, tmp_path, ["selected.txt"])
    assert (tmp_path / "selected.txt").read_text() == "of another run"


def test_result_json_has_fractions_and_the_whole_spec(result, planted, tmp_path):
    export(result, planted, tmp_path, ["result.json"])
    content = json.loads((tmp_path / "result.json").read_text())
    assert content["search_error"] == result.search_error <= 1
    assert fsdesk.RunSpec.model_validate(content["spec"]) == result.spec


def untrainable(dataset):
    """A state in which only the first candidate could be measured, and then nothing."""
    spec = fsdesk.RunSpec.make(dataset, method="bspsa", settings=SETTINGS)
    masks = np.eye(8, dtype=bool)
    values = np.full((8, 3), np.inf)
    return RunStarted(spec.model_dump(), dataset.features), BaselineMeasured(values[0], 0.0), masks, values


@pytest.mark.parametrize("measured", [1, 0])
def test_what_could_not_be_measured_is_said_and_left_out_of_the_plots(planted, tmp_path, measured):
    started, baseline, masks, values = untrainable(planted)
    values[2:][:measured] = 0.25
    state = RunState()
    batch = BatchMeasured(1, pack_masks(list(masks)), (True,) * 8, values, 0, None)
    for event in (started, baseline, batch, replace(batch, confirms=True), RunFinished("done", False, None)):
        state.apply(event)
    export(RunRecord.of(state), planted, tmp_path)
    content = json.loads((tmp_path / "result.json").read_text(), parse_constant=pytest.fail)
    assert content["all_features_error"] is None
    assert content["search_error"] == (0.25 if measured else None)
    assert [point["error"] for point in content["finalists"]].count(None) == 8 - measured
    report = (tmp_path / "report.html").read_text()
    found = "25.00 %" if measured else "not measured"
    assert f"rows used for selection: in the search {found}; all features not measured." in report
    assert not re.search("<b>[^<]*%", report)  # without outer folds no error stands in bold


def test_the_curve_of_error_against_size_has_every_finalist_and_the_answer(planted, tmp_path):
    result = select(
        planted,
        method="bspsa",
        seed=4,
        settings={**SETTINGS, "n_finalists": 5, "finalist_measurements": 4},
        outer=0,
    )
    sizes = [point.size for point in result.finalists]
    assert 2 <= len(sizes) <= 5
    assert sizes == sorted(sizes)
    (answer,) = (point for point in result.finalists if (point.mask == result.mask).all())
    assert answer.error == pytest.approx(result.search_error)
    assert answer.error == min(point.error for point in result.finalists)
    export(result, planted, tmp_path)
    report = (tmp_path / "report.html").read_text()
    assert report.count("<svg") == (4 if len(set(sizes)) > 1 else 3)  # the curve, weights, values; sizes
    assert "finalists that were re-estimated" in report


def test_the_public_api_is_what_it_says():
    assert fsdesk.__all__ == sorted(fsdesk.__all__)
    for name in fsdesk.__all__:
        assert getattr(fsdesk, name) is not None
    with pytest.raises(AttributeError, match="wrong_name"):
        getattr(fsdesk, "wrong_name")  # noqa: B009 - spelled so that no checker finds it first


def test_importing_fsdesk_and_listing_methods_loads_no_heavy_library():
    program = (
        "import sys, fsdesk, fsdesk.engine, fsdesk.store\n"
        "heavy = {'pandas', 'sklearn', 'scipy', 'matplotlib', 'PySide6'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def _selected(planted, callback, **more):
    return select(planted, method="bspsa", seed=2, settings=FEW_STEPS, callback=callback, **{"outer": 0, **more})


def test_every_step_is_told_and_nothing_changes_by_telling(planted):
    told = []
    result = _selected(planted, told.append)
    assert result.search_error == _selected(planted, None).search_error
    assert [each.measured for each in told] == [2, 5, 8, 11, 14, 17, 18]
    assert {each.most for each in told} == {18}
    assert told[0].best_mask.all()  # the first step measures no candidate
    assert told[0].best_error == told[0].baseline_error
    assert not told.pop(0).is_better
    assert [each.best_error for each in told] == sorted((each.best_error for each in told), reverse=True)
    assert told[-1].best_error == result.search_error
    assert np.array_equal(told[-1].best_mask, result.mask)
    assert told[0].is_better
    better = [one.best_error < other.best_error for one, other in zip(told[1:], told, strict=False)]
    assert better == [each.is_better for each in told[1:]]
    assert str(told[-1]).startswith("18 of at most 18 measurements: loss ")


def _stopping(progress):
    raise StopIteration


@pytest.mark.parametrize("callback", [lambda progress: True, _stopping])
def test_it_stops_where_it_is_asked_to_and_keeps_what_was_found(planted, callback):
    result = _selected(planted, callback)
    assert result.status == "stopped"
    assert result.evaluations == 2
    assert result.mask.all()
    assert "all features" in result.reason
    steps = []
    later = _selected(planted, lambda progress: steps.append(progress) or (len(steps) > 2 and callback(progress)))
    assert later.evaluations == 8
    assert later.search_error == later.history.errors.min()


def test_the_default_method_calls_at_every_step_and_stops_where_it_is_asked_to(planted):
    """Models compete then, and no subset is of all rows before the end."""
    steps = []
    whole = select(planted, outer=0, seed=1, callback=steps.append)
    judged = [event for event in whole.log if isinstance(event, SubsetsJudged | BatchMeasured)]
    assert len(steps) == len(judged) > 5
    assert [step.measured for step in steps] == sorted(step.measured for step in steps)
    assert all(step.measured <= step.most for step in steps)
    assert any(step.is_better for step in steps[:-1])
    assert all(step.best_mask.any() and np.isfinite(step.best_error) for step in steps)

    first = select(planted, outer=0, seed=1, callback=lambda progress: True)
    assert first.status == "stopped"
    assert len(first.log) < 6
    taken = []
    stopped = select(
        planted, outer=5, seed=1, callback=lambda step: taken.append(step) or len(taken) == len(steps) // 2
    )
    assert stopped.status == "stopped"
    assert stopped.honest is None
    assert stopped.mask.tolist() == taken[-1].best_mask.tolist()
    assert stopped.search_error == taken[-1].best_error
    assert "led on held-out rows" in stopped.reason
    assert len(stopped.estimator.predict(planted.frame)) == len(planted.target)
    assert stopped.frequency.shape == stopped.mask.shape


def test_progress_is_shown_as_asked(planted, capsys, monkeypatch):
    ways = {"method": "bspsa", "seed": 2, "settings": FEW_STEPS, "outer": 0}
    select(planted, **ways)
    assert capsys.readouterr() == ("", "")  # nobody looks on
    select(planted, verbose=2, **ways)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == FEW_STEPS["max_iterations"] + 1
    assert all(line.startswith("[fsdesk] ") and "measurements" in line for line in lines)
    select(planted, verbose=1, **ways)
    assert 0 < len(capsys.readouterr().err.splitlines()) < len(lines)
    monkeypatch.setattr("fsdesk.results.select._is_watched", lambda: True)
    told = []
    select(planted, callback=told.append, **ways)  # with a bar
    assert len(told) == len(lines)


def test_other_errors_of_a_callback_are_not_swallowed(planted):
    def broken(progress):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _selected(planted, broken)
