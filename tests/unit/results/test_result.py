import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fsdesk
from fsdesk.engine import RunState
from fsdesk.errors import ProjectError
from fsdesk.results import Result, export, select
from fsdesk.results.curve import moving_average

SETTINGS = {"max_iterations": 20, "repeats": 3}


@pytest.fixture(scope="module")
def result(planted):
    return select(planted, seed=4, settings=SETTINGS)


def test_select_returns_what_the_evaluator_measured(result, planted):
    evaluator = fsdesk.Evaluator(planted, seed=4, repeats=3)
    assert result.baseline_error == evaluator.measure(np.ones(8, dtype=bool), 0).mean
    assert result.search_error in {evaluator.measure(result.mask, number).mean for number in range(1, 61)}
    assert result.search_error == result.history.errors.min()
    assert result.features == tuple(np.array(planted.features)[result.mask])
    assert result.evaluations == 60
    assert len(result.history.errors) == len(result.history.sizes) == 20


def test_select_does_not_depend_on_the_number_of_workers(result, planted):
    again = select(planted, seed=4, settings=SETTINGS, workers=2)
    assert np.array_equal(again.mask, result.mask)
    assert np.array_equal(again.weights, result.weights)
    assert np.array_equal(again.history.errors, result.history.errors)


def test_nothing_measured_is_nothing_to_export():
    with pytest.raises(ProjectError, match="no subset yet"):
        Result.of(RunState())


def test_names_that_look_like_markup_are_only_text_in_the_report(planted, tmp_path):
    from dataclasses import replace

    odd = replace(planted, features=tuple(f"<script>alert({place})</script>" for place in range(8)))
    export(select(odd, seed=4, settings=SETTINGS), odd, tmp_path, ["report.html"])
    report = (tmp_path / "report.html").read_text()
    assert "<script>" not in report
    assert "&lt;script&gt;" in report


def test_a_folder_that_cannot_be_made_is_said(result, planted, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ProjectError, match=r"cannot be written .*: choose another folder"):
        export(result, planted, tmp_path / "file" / "out")


def test_an_export_that_fails_leaves_the_file_before_it(result, planted, tmp_path, monkeypatch):
    export(result, planted, tmp_path, ["selected.txt"])
    before = (tmp_path / "selected.txt").read_text()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ProjectError, match="No space left on device"):
        export(result, planted, tmp_path, ["selected.txt"])
    assert (tmp_path / "selected.txt").read_text() == before


def test_result_json_has_fractions_and_the_whole_spec(result, planted, tmp_path):
    export(result, planted, tmp_path, ["result.json"])
    content = json.loads((tmp_path / "result.json").read_text())
    assert content["search_error"] == result.search_error <= 1
    assert fsdesk.RunSpec.model_validate(content["spec"]) == result.spec


@given(values=st.lists(st.floats(-1e6, 1e6), max_size=40), window=st.integers(1, 50))
def test_the_moving_average_is_the_mean_of_the_last_values(values, window):
    smooth = moving_average(np.array(values), window)
    expected = [np.mean(values[max(0, place + 1 - window) : place + 1]) for place in range(len(values))]
    assert np.allclose(smooth, expected, atol=1e-6)


def test_the_public_api_is_what_it_says():
    assert fsdesk.__all__ == sorted(fsdesk.__all__)
    for name in fsdesk.__all__:
        assert getattr(fsdesk, name) is not None
    with pytest.raises(AttributeError, match="wrong_name"):
        getattr(fsdesk, "wrong_name")  # noqa: B009 - spelled so that no checker finds it first


def test_importing_fsdesk_and_listing_methods_loads_no_heavy_library():
    program = (
        "import sys, fsdesk, fsdesk.engine, fsdesk.store\n"
        "heavy = {'pandas', 'sklearn', 'scipy', 'numba', 'matplotlib', 'PySide6'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
