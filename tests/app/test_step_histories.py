"""A project with many runs: what heatmaps show of them is in memory for the few that were looked at last, no more."""

from pathlib import Path

import numpy as np
import pytest

from fsdesk.app.session.replay import StepHistories
from fsdesk.data import Dataset, load_sample, prepare
from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFinished,
    RunSpec,
    RunStarted,
    history_of,
    pack_masks,
)
from fsdesk.store import Project
from fsdesk.store.schema import decode

from .conftest import WindowDriver

_RUNS, _STEPS = 7, 12


def events(spec: RunSpec, dataset: Dataset, rng: np.random.Generator) -> list[Event]:
    p = len(dataset.features)
    logged: list[Event] = [
        RunStarted(spec.model_dump(mode="json"), dataset.features),
        BaselineMeasured(rng.normal(0.3, 0.01, 10), 0.1),
    ]
    for step in range(_STEPS):
        masks = pack_masks([rng.random(p) < 0.5 for _ in range(3)])
        weights = rng.integers(0, 256, p, dtype=np.uint8)
        values = rng.normal(0.2, 0.01, (3, 10))
        logged.append(BatchMeasured(1 + 3 * step, masks, (True, False, False), values, step + 1, weights))
    return [*logged, RunFinished("its own end", False, rng.random(p))]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    dataset, rng = prepare(load_sample("wine")), np.random.default_rng(3)
    path = tmp_path / "many.fsdesk"
    project = Project.create(path)
    project.add_dataset(dataset)
    for seed in range(_RUNS):
        spec = RunSpec.make(dataset, method="bspsa", wrapper="nn", seed=seed)
        run = project.add_run(spec)
        project.append([(run, event) for event in events(spec, dataset, rng)])
    project.close()
    return path


async def opened(driver: WindowDriver, path: Path) -> StepHistories:
    driver.window.prepare()
    await driver.session.open_project(path)
    await driver.until(lambda: not driver.session.tasks.working)
    return driver.session.histories


async def test_a_project_with_many_runs_opens_with_the_steps_of_the_shown_one_only(
    driver: WindowDriver, many: Path
) -> None:
    await opened(driver, many)
    runs = list(driver.session.runs)
    assert [run.id for run in runs if run.state.history is not None] == [_RUNS]
    assert all(run.state.best is not None and run.progress == 1.0 for run in runs)
    assert len({id(run.state.features) for run in runs}) == 1  # the names are there once
    assert driver.window.workspace.search.heatmap.traces.state is runs[-1].state
    assert runs[-1].state.heatmap.size == _STEPS


async def test_steps_are_read_when_a_run_is_looked_at_and_let_go_when_others_are(
    driver: WindowDriver, many: Path
) -> None:
    histories = await opened(driver, many)
    project = driver.session.project
    assert project is not None
    for run in driver.session.runs:
        driver.window.workspace.search.show_run(run)
        await driver.until(lambda run=run: run.state.history is not None and not histories.reading(run))
        whole = history_of(project.events(run.id))
        np.testing.assert_array_equal(run.state.heatmap.view, whole.heatmap.view)
        np.testing.assert_array_equal(run.state.selection.view, whole.selection.view)
        held = [each.id for each in driver.session.runs if each.state.history is not None]
        assert len(held) <= 4
        assert run.id in held
    await driver.until(lambda: not driver.session.tasks.working)


async def test_what_is_measured_while_the_steps_are_read_is_among_them_once(driver: WindowDriver, many: Path) -> None:
    histories = await opened(driver, many)
    session, run = driver.session, driver.session.runs.by_id[1]
    project = session.project
    assert project is not None
    assert run.state.history is None
    rng, p = np.random.default_rng(9), len(run.state.features)
    driver.window.workspace.search.show_run(run)
    for step in range(_STEPS, _STEPS + 5):  # as from a run that goes on
        event = BatchMeasured(
            1 + 3 * step, pack_masks([rng.random(p) < 0.5]), (True,), rng.normal(0.2, 0.01, (1, 10)), step + 1,
            rng.integers(0, 256, p, dtype=np.uint8),
        )  # fmt: skip
        project.append([(1, event)])
        session.runs.written([(1, event)])
    await driver.until(lambda: run.state.history is not None and not histories.reading(run))
    await driver.until(lambda: run.logged == _STEPS + 8)
    assert list(run.state.heatmap.iterations) == list(range(1, _STEPS + 6))
    whole = history_of(project.events(1))
    np.testing.assert_array_equal(run.state.heatmap.view, whole.heatmap.view)


def test_a_project_opened_again_folds_no_log_that_was_summed_up(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project.open(many)
    first = [project.summed_up(run.id) for run in project.runs()]
    project.close()
    project = Project.open(many)
    read: list[str] = []
    monkeypatch.setattr("fsdesk.store.project.decode", lambda kind, data: read.append(kind) or decode(kind, data))
    second = [project.summed_up(run.id) for run in project.runs()]
    assert read == []
    assert [state.evaluations for state, _ in second] == [state.evaluations for state, _ in first]
    spec = project.run(1).spec
    dataset = prepare(load_sample("wine"))
    more = events(spec, dataset, np.random.default_rng(4))[2]
    project.append([(1, more)])
    state, count = project.summed_up(1)
    assert read == [more.kind]
    assert count == first[0][1] + 1
    assert state.evaluations == first[0][0].evaluations + 3
    project.close()


def test_of_a_run_that_was_killed_only_what_it_did_last_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fsdesk.store.project._TAIL", 4)
    dataset = prepare(load_sample("wine"))
    spec = RunSpec.make(dataset, method="bspsa", wrapper="nn")
    logged = events(spec, dataset, np.random.default_rng(3))[:-1]
    project = Project.create(tmp_path / "killed.fsdesk")
    project.add_dataset(dataset)
    run = project.add_run(spec)
    for event in logged:
        project.append([(run, event)])
    project.close()
    project = Project.open(tmp_path / "killed.fsdesk")
    read: list[str] = []
    monkeypatch.setattr("fsdesk.store.project.decode", lambda kind, data: read.append(kind) or decode(kind, data))
    state, count = project.summed_up(run)
    assert 0 < len(read) < 4
    assert count == len(logged)
    assert state.errors.view.tolist() == project.state(run).errors.view.tolist()
    project.close()
