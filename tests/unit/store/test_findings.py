"""What was found out about a subset is kept in the project, and counts only for the log that it was found with."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import load_sample, prepare
from fsdesk.engine import BatchMeasured, RunFinished, RunSpec, RunStarted, pack_masks
from fsdesk.store import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one finished run of two events more than its beginning."""
    dataset = prepare(load_sample("wine"))
    made = Project.create(tmp_path / "one.fsdesk")
    made.add_dataset(dataset)
    spec = RunSpec.make(dataset, method="bspsa", wrapper="nn", seed=0, settings={})
    run = made.add_run(spec)
    made.append([(run, RunStarted(spec.model_dump(mode="json"), dataset.features)), (run, measured(1))])
    made.append([(run, RunFinished("its end", False, np.ones(13)))])
    return made


def measured(number: int) -> BatchMeasured:
    masks = pack_masks([np.ones(13, dtype=np.bool_)])
    return BatchMeasured(number, masks, (True,), np.full((1, 3), 0.1), number, None, {}, 0.1)


def test_what_was_found_out_is_there_for_another_window_as_it_was_kept(project: Project) -> None:
    project.keep_findings(1, b"\x80", 3, {"word": "loss", "losses": np.array([0.1, np.nan])})
    other = Project.open(project.path, read_only=True)
    kept = other.findings(1, b"\x80")
    assert kept is not None and kept["word"] == "loss"
    np.testing.assert_array_equal(kept["losses"], [0.1, np.nan])
    assert other.findings(1, b"\x40") is None and other.findings(2, b"\x80") is None
    other.close()


def test_it_counts_no_more_when_the_run_has_gone_on(project: Project) -> None:
    project.keep_findings(1, b"\x80", 3, {"word": "old"})
    project.append([(1, measured(2))])
    assert project.findings(1, b"\x80") is None
    project.keep_findings(1, b"\x80", 3, {"word": "too late"})  # of a log that has grown meanwhile
    assert project.findings(1, b"\x80") is None
    project.keep_findings(1, b"\x40", 4, {"word": "new"})
    assert project.findings(1, b"\x40") == {"word": "new"}


def test_it_goes_with_its_run(project: Project) -> None:
    project.keep_findings(1, b"\x80", 3, {"word": "loss"})
    project.bin_runs([1])
    project.empty_bin()
    project.keep_findings(1, b"\x80", 3, {"word": "late"})
    assert project.findings(1, b"\x80") is None


def test_a_project_of_an_older_fsdesk_that_cannot_be_written_has_none(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.close()
    with closing(sqlite3.connect(project.path)) as older:
        older.executescript("DROP TABLE finding; DROP TABLE dataset_table; PRAGMA user_version = 6")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    old = Project.open(project.path)
    assert old.findings(1, b"\x80") is None
    old.close()
