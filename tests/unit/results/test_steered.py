"""Whatever tells of a run tells that it was steered by hand."""

import json
import tomllib

import numpy as np
import pytest

from fsdesk.engine import RunSpec, Steered, unpack_masks
from fsdesk.results import export
from fsdesk.results.honest import OuterFold, outer_steps
from fsdesk.results.result import completed

STEERINGS = (Steered(6, pin=("feature 0",)), Steered(12, ban=("feature 1",), measurements=30, iterations=10))


@pytest.fixture(scope="module")
def spec(planted):
    settings = {"max_iterations": 10, "repeats": 1, "folds": 3}
    return RunSpec.make(planted, method="bspsa", seed=1, settings=settings)


@pytest.fixture(scope="module")
def result(spec, planted):
    return completed(spec, planted, steerings=STEERINGS)


def test_the_result_says_what_was_steered_and_obeys_it(result, spec, planted):
    assert "feature 0" in result.features
    assert "feature 1" not in result.features
    assert result.steerings == STEERINGS
    assert "from measurement 6 on: feature 0 always in" in result.steered
    assert "10 more iterations and 30 more measurements" in result.steered
    assert result.reason == "all 20 iterations done"
    assert completed(spec, planted).steered == ""


@pytest.mark.parametrize("name", ["report.html", "reproduce.py", "settings.toml"])
def test_report_script_and_settings_name_the_steering(result, planted, tmp_path, name):
    (path,) = export(result, planted, tmp_path, [name])
    text = path.read_text(encoding="utf-8")
    assert "steered by hand" in text
    assert "feature 0 always in" in text
    if name == "settings.toml":
        tomllib.loads(text)
    if name == "reproduce.py":
        compile(text, str(path), "exec")


def test_result_json_has_every_steering_with_its_measurement(result, planted, tmp_path):
    (path,) = export(result, planted, tmp_path, ["result.json"])
    assert json.loads(path.read_text(encoding="utf-8"))["steering"] == [
        {"number": 6, "pin": ["feature 0"]},
        {"number": 12, "ban": ["feature 1"], "measurements": 30, "iterations": 10},
    ]


def test_the_searches_of_the_honest_error_are_steered_alike(spec, planted):
    done = [step for step in outer_steps(spec, planted, 3, steerings=STEERINGS) if isinstance(step, OuterFold)]
    masks = unpack_masks(np.array([each.mask for each in done]), 8)
    assert len(masks) == 3
    assert masks[:, 0].all()
    assert not masks[:, 1].any()
