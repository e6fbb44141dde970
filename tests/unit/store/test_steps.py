"""What heatmaps show of a long run is read from the log in a part of the time: the same as if all of it were folded."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fsdesk.data import Dataset
from fsdesk.engine import BatchMeasured, Event, RunFinished, RunSpec, RunStarted, StepHistory, history_of, pack_masks
from fsdesk.engine.events import Steered, SubsetsJudged
from fsdesk.errors import ProjectError
from fsdesk.store import Project, project

FEATURES = 9


def batch(number: int, iteration: int, rng: np.random.Generator, *, weighs: bool, candidates: int) -> BatchMeasured:
    masks = pack_masks([rng.random(FEATURES) < 0.5 for _ in range(3)])
    weights = rng.integers(0, 256, FEATURES, dtype=np.uint8) if weighs else None
    flags = tuple(place < candidates for place in range(3))
    trace = {"weights": 1.0, "iteration": 7.0}  # names as those of fields
    return BatchMeasured(number, masks, flags, rng.normal(0.2, 0.01, (3, 2)), iteration, weights, trace)


def judged(number: int, iteration: int, rng: np.random.Generator) -> SubsetsJudged:
    none = np.empty(0, dtype=np.int64)
    return SubsetsJudged(
        number, "split", 5, none, np.empty(0), np.empty(0), np.zeros(16, dtype=np.uint8), none, none,
        ("iteration",), none, iteration, rng.integers(0, 256, FEATURES, dtype=np.uint8),
    )  # fmt: skip


def logged(seed: int, steps: int) -> list[Event]:
    """Iterations that are left out or come several times, with weights and candidates or without."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice(["weights", "none", "mixed", "judged"]), rng.choice(["one each", "gaps"])
    events: list[Event] = [RunStarted({}, tuple(f"f{place}" for place in range(FEATURES)))]
    iteration = 0
    for step in range(steps):
        iteration += 1 if kinds[1] == "one each" else int(rng.choice([0, 1, 1, 3]))
        if kinds[0] == "judged":
            events.append(judged(step, iteration, rng))
        else:
            weighs = kinds[0] == "weights" or (kinds[0] == "mixed" and bool(rng.random() < 0.5))
            events.append(batch(step, iteration, rng, weighs=weighs, candidates=int(rng.integers(0, 4))))
        if step % 97 == 0:
            events.append(Steered(step, pin=("f1",)))
    return [*events, RunFinished("its end", False, rng.random(FEATURES))]


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), steps=st.sampled_from([3, 1030, 4200]), cut=st.floats(0, 1))
def test_the_steps_of_a_log_are_those_of_all_its_events(
    tmp_path: Path, planted: Dataset, seed: int, steps: int, cut: float
) -> None:
    path = tmp_path / "run.fsdesk"
    path.unlink(missing_ok=True)
    held = Project.create(path)
    held.add_dataset(planted)
    run = held.add_run(RunSpec.make(planted, method="bspsa", seed=0))
    events = logged(seed, steps)
    held.append([(run, event) for event in events])
    history, middle = StepHistory(), int(cut * len(events))
    held.fold_steps(history, run, 0, middle)
    held.fold_steps(history, run, middle, len(events))
    held.close()
    whole = history_of(events)
    for name in ("heatmap", "selection"):
        ours, theirs = getattr(history, name), getattr(whole, name)
        np.testing.assert_array_equal(ours.iterations, theirs.iterations)
        np.testing.assert_array_equal(ours.view, theirs.view)
        assert ours.stride == theirs.stride


def test_of_a_long_log_few_events_are_decoded(
    tmp_path: Path, planted: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, rng = Project.create(tmp_path / "run.fsdesk"), np.random.default_rng(0)
    held.add_dataset(planted)
    run = held.add_run(RunSpec.make(planted, method="bspsa", seed=0))
    first = batch(0, 0, rng, weighs=True, candidates=1)
    held.append([(run, replace(first, number=step, iteration=step)) for step in range(10_000)])
    decoded, decode = [], project.decode
    monkeypatch.setattr(project, "decode", lambda kind, data: decoded.append(kind) or decode(kind, data))
    held.fold_steps(StepHistory(), run, 0, 10_000)
    held.close()
    assert len(decoded) < 4_000


def test_a_damaged_step_is_said(tmp_path: Path, planted: Dataset) -> None:
    held, rng = Project.create(tmp_path / "run.fsdesk"), np.random.default_rng(0)
    held.add_dataset(planted)
    run = held.add_run(RunSpec.make(planted, method="bspsa", seed=0))
    held.append([(run, batch(step, step, rng, weighs=True, candidates=1)) for step in range(3)])
    with closing(sqlite3.connect(tmp_path / "run.fsdesk")) as other, other:
        other.execute("UPDATE event SET data = x'00' WHERE place = 1")
    with pytest.raises(ProjectError, match="damaged"):
        held.fold_steps(StepHistory(), run, 0, 3)
    held.close()
