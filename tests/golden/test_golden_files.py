"""Files of earlier versions: they open, replay and go on, whatever was renamed since.

A later version writes reports and tables with other keys and sentences, so `fsdesk verify` checks the rest of an old
bundle and says that it cannot vouch for these.
"""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import fsdesk
from fsdesk.cli import main
from fsdesk.engine import SUMMARY_VERSION, BatchMeasured, Steered, SubsetsJudged, ThreadExecutor, run, summary_of
from fsdesk.engine.events import EVENTS
from fsdesk.engine.tasks import evaluator_of
from fsdesk.methods import METHODS
from fsdesk.results.bundle import bundle_with_data, log_lines
from fsdesk.results.record import RunRecord
from fsdesk.results.sealed import opened
from fsdesk.results.settings_file import parsed_settings
from fsdesk.results.verify import verified
from fsdesk.store import Project
from fsdesk.store.schema import SCHEMA_VERSION

FOLDER = Path(__file__).parent
PROJECTS = sorted(FOLDER.glob("*.fsdesk"))
BUNDLES = sorted(FOLDER.glob("*.zip"))
RUNS = [(path, int(number)) for path in PROJECTS for number in json.loads(path.with_suffix(".json").read_text())]


def said(path, number):
    return json.loads((FOLDER / path.name).with_suffix(".json").read_text())[str(number)]


# Version 0.1.0 did not keep how many fits a run plans with, and naive Bayes has become quick to fit since.
SEARCH_OTHERWISE = {("0.1.0", 3)}
REPLAYED = [(path, number) for path, number in RUNS if (path.stem, number) not in SEARCH_OTHERWISE]
BROKEN_OFF = [(path, number) for path, number in RUNS if said(path, number)["status"] != "finished"]


@pytest.fixture
def project(request, tmp_path):
    """A copy: opening a project may bring its tables up to date."""
    path = tmp_path / request.param.name
    shutil.copyfile(request.param, path)
    with closing(Project.open(path)) as project:
        yield project


def test_the_kinds_of_events_are_part_of_the_file_format():
    assert set(EVENTS) == {
        "RunStarted",
        "BaselineMeasured",
        "BatchMeasured",
        "SubsetsJudged",
        "Steered",
        "RunFinished",
        "RunFailed",
    }


STATES = {6: "f4dcce1508f5ad3765d96601182a63b8eca164f89059bf6d22ee089dc242d6f1"}
"""Digests of the states of all runs, by :data:`fsdesk.engine.SUMMARY_VERSION`."""


def plain(value):
    """As JSON has it, with nine digits: so many are the same on every processor."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def test_states_that_are_kept_have_another_number_once_the_log_gives_other_ones(tmp_path):
    digest = hashlib.sha256()
    for path, number in RUNS:
        shutil.copyfile(path, tmp_path / path.name)
        with closing(Project.open(tmp_path / path.name)) as project:
            summary = plain(summary_of(project.state(number)))
        digest.update(json.dumps(summary, sort_keys=True, default=str).encode())
    assert STATES[SUMMARY_VERSION] == digest.hexdigest(), "raise SUMMARY_VERSION, and enter the digest with it"


@pytest.mark.parametrize(("project", "number"), RUNS, indirect=["project"])
def test_every_run_opens_with_its_answer(project, number):
    wanted, state = said(project.path, number), project.state(number)
    assert (state.status, state.evaluations) == (wanted["status"], wanted["measurements"])
    result = RunRecord.stored(project, number)
    assert result.spec.method == wanted["method"] and result.features
    if state.status == "finished":
        assert list(result.features) == wanted["answer"]
        assert result.search_error == pytest.approx(wanted["error"], rel=1e-12)
    if wanted["method"] == "auto":
        assert result.honest is not None and result.honest.low < result.honest.value < result.honest.high


@pytest.mark.parametrize(("project", "number"), REPLAYED, indirect=["project"])
def test_every_run_replays_to_its_very_log(project, number):
    """A run of a method that is meant to search otherwise from now on leaves this test, not the one before."""
    spec, events = project.run(number).spec, tuple(project.events(number))
    dataset = project.dataset(spec.data_fingerprint)
    kept = [event for event in events if isinstance(event, BatchMeasured | SubsetsJudged | Steered)]
    with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
        made = list(run(spec, dataset, executor, events, again=True))
    made = [event for event in made if isinstance(event, BatchMeasured | SubsetsJudged | Steered)]
    assert log_lines(made[: len(kept)]) == log_lines(kept)
    assert (len(made) > len(kept)) == (said(project.path, number)["status"] != "finished")


@pytest.mark.parametrize(("path", "number"), BROKEN_OFF)
def test_what_was_broken_off_goes_on_to_the_answer_of_a_run_that_never_was(path, number, tmp_path):
    copy = tmp_path / path.name
    shutil.copyfile(path, copy)
    assert main(["resume", str(copy), "--run", str(number), "--outer", "0", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "selected.txt").read_text().split("\n")[:-1] == said(path, number)["answer"]


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_a_bundle_opens_and_its_search_follows_from_its_seed(path):
    verdict = verified(opened(path), seconds=1)
    assert any("reproduced from seed" in held for held in verdict.holds), verdict.sentence
    version = path.name.partition("-")[0]
    is_older = version != fsdesk.__version__
    assert not verdict.fails and verdict.passes is not is_older, verdict.sentence
    other = f"Cannot be fully checked: the bundle states that fsdesk {version} wrote it"
    assert verdict.sentence.startswith(other) is is_older
    assert any("losses" in said for said in (*verdict.holds, *verdict.unchecked)), verdict.sentence


def test_a_bundle_of_another_version_is_not_called_sound_by_its_exit_code(capsys):
    older = [path for path in BUNDLES if not path.name.startswith(f"{fsdesk.__version__}-")]
    assert main(["verify", str(min(older, key=lambda path: path.stat().st_size))]) == 1
    assert "Cannot be fully checked" in capsys.readouterr().out


@pytest.mark.parametrize("project", PROJECTS, indirect=True)
def test_an_old_race_is_sealed_anew_and_measured_to_the_last_bit(project, tmp_path):
    number = next(run.id for run in project.runs() if run.spec.method == "auto")
    result = RunRecord.stored(project, number)
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle_with_data(result, project.dataset(result.spec.data_fingerprint)))
    verdict = verified(opened(path), seconds=20)
    assert not verdict.fails and "identical to the last bit" in verdict.sentence, verdict.sentence


@pytest.mark.parametrize("project", PROJECTS, indirect=True)
@pytest.mark.parametrize("name", ["race", "steered"])
def test_an_old_settings_file_asks_for_the_same_run(project, name):
    sealed = opened(FOLDER / f"{project.path.stem}-{name}.zip")
    request = parsed_settings(sealed.parts["settings.toml"].decode(), "settings.toml")
    spec = request.resolve(project.dataset(sealed.spec.data_fingerprint))
    younger = {**METHODS[spec.method].model.formerly, **sealed.spec.method_settings}
    assert spec.method_settings.keys() == younger.keys()
    as_then = {"versions": sealed.spec.versions, "fits": sealed.spec.fits, "rows": sealed.spec.rows}
    as_then["method_settings"] = {name: spec.method_settings[name] for name in sealed.spec.method_settings}
    assert spec.model_copy(update=as_then) == sealed.spec


def test_the_present_schema_has_a_golden_file(tmp_path):
    versions = []
    for path in PROJECTS:
        with closing(sqlite3.connect(shutil.copyfile(path, tmp_path / path.name))) as connection:
            versions += connection.execute("PRAGMA user_version").fetchone()
    assert SCHEMA_VERSION in versions, "python -m tests.golden.make VERSION"
