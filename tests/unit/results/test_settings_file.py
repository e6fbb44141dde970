"""The settings file: read back by the command line's own reader, it makes the same run."""

import shlex
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from fsdesk.cli.options import from_list, from_toml
from fsdesk.data import Table, prepare
from fsdesk.engine import RunSpec
from fsdesk.errors import SettingsError
from fsdesk.methods import METHODS
from fsdesk.results.settings_file import parsed_settings, settings_toml
from fsdesk.wrappers import WRAPPERS

NAMES = {"method": [entry.name for entry in METHODS], "wrapper": [entry.name for entry in WRAPPERS]}


def read_back(text, dataset, tmp_path):
    """The spec that the file's own command line makes, with the options and the reader of the command line."""
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    command = next(line for line in text.splitlines() if line.startswith("# fsdesk run"))
    words = shlex.split(command.removeprefix("# "))
    assert words[:3] == ["fsdesk", "run", "TABLE"]
    options = list(zip(words[3::2], words[4::2], strict=True))
    given = dict(options)
    assert given["--target"] == dataset.target_name
    return RunSpec.make(
        dataset,
        method=given["--method"],
        wrapper=given["--wrapper"],
        seed=int(given["--seed"]),
        settings=from_toml(path).settings,
        always=[value for name, value in options if name == "--always"],
        never=[value for name, value in options if name == "--never"],
        together=[from_list(value) for name, value in options if name == "--together"],
    )


@pytest.mark.parametrize("method", NAMES["method"])
def test_the_settings_of_every_method_read_back_to_the_same_run(awkward, awkward_result, tmp_path, method):
    spec = RunSpec.make(awkward, method=method, seed=7)
    text = settings_toml(replace(awkward_result, spec=spec), awkward)
    assert read_back(text, awkward, tmp_path) == spec


@pytest.mark.parametrize("wrapper", NAMES["wrapper"])
def test_the_settings_of_every_wrapper_read_back_to_the_same_run(awkward, awkward_result, tmp_path, wrapper):
    spec = RunSpec.make(awkward, method="full", wrapper=wrapper)
    text = settings_toml(replace(awkward_result, spec=spec), awkward)
    assert read_back(text, awkward, tmp_path) == spec


def test_a_name_that_two_groups_declare_is_written_with_its_owner(awkward, awkward_result, tmp_path):
    spec = RunSpec.make(
        awkward, method="bspsa", wrapper="ridge", settings={"method.alpha": 0.7, "wrapper.alpha": 3.5, "folds": 4}
    )
    text = settings_toml(replace(awkward_result, spec=spec), awkward)
    content = tomllib.loads(text)
    assert content["method"]["method.alpha"] == 0.7
    assert content["wrapper"]["wrapper.alpha"] == 3.5
    assert read_back(text, awkward, tmp_path) == spec


def test_constraints_odd_names_and_texts_read_back(awkward, awkward_result, tmp_path):
    spec = RunSpec.make(
        awkward,
        method="bspsa",
        wrapper="RandomForestClassifier",
        seed=11,
        settings={"parameters": 'n_estimators=5, criterion="entropy"', "costs": "=ill > well = 5", "c": 1e-05},
        always=["=1+1"],
        never=["$x^2$"],
        together=[("weight, kg", 'the "best"', "colour")],
    )
    assert read_back(settings_toml(replace(awkward_result, spec=spec), awkward), awkward, tmp_path) == spec


def test_the_command_has_the_roles_of_columns_and_those_that_were_left_out(awkward_result):
    n = 20
    values = np.column_stack([np.arange(n) % 7, np.arange(n) ** 2 % 11, np.arange(n) // 4, np.arange(n) % 2]).astype(
        float
    )
    table = Table(
        "t", np.asfortranarray(values), ("a", "left, out", "site", "y"), {}, tuple(map(str, range(n))), "", "y"
    )
    text = settings_toml(awkward_result, prepare(table, ignore=["left, out"], group="site"))
    command = next(line for line in text.splitlines() if line.startswith("# fsdesk run"))
    words = shlex.split(command)
    assert words[words.index("--group") + 1] == "site"
    assert words[words.index("--ignore") + 1] == "left, out"
    assert "--time" not in words and "--folds-column" not in words


def test_a_name_over_several_lines_cannot_leave_its_comment(awkward, awkward_result):
    odd = replace(awkward, name="a\n[method]\nc = 9", target_name="b\nd = 1")
    content = tomllib.loads(settings_toml(awkward_result, odd))
    assert set(content) == {"run", "method", "wrapper", "measuring", "prefilter"}
    assert content["method"]["c"] == awkward_result.spec.method_settings["c"]


def test_what_a_spec_says_is_all_in_the_file(awkward, awkward_result):
    spec = RunSpec.make(
        awkward, method="bga", wrapper="cart", seed=5, always=["=1+1"], together=[["weight, kg", "colour"]]
    )
    saved = parsed_settings(settings_toml(replace(awkward_result, spec=spec), awkward), "it")
    assert (saved.method, saved.wrapper, saved.seed) == ("bga", "cart", 5)
    assert (saved.always, saved.never, saved.together) == (("=1+1",), (), (("weight, kg", "colour"),))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ", "not a settings file .*Choose one saved"),
        ("run = 3", "section"),
        ("[run]\nmetod = 'sfs'", '"metod"'),
        ("[run]\nseed = -1", '"seed"'),
        ("[run]\nseed = true", '"seed"'),
        ("[run]\nalways = 'x'", '"always"'),
        ("[run]\ntogether = ['a', 'b']", '"together"'),
    ],
)
def test_a_file_that_says_nonsense_is_refused_with_a_sentence(text, words):
    with pytest.raises(SettingsError, match=words):
        parsed_settings(text, "my.toml")
