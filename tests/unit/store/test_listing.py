"""Names, colours and the queue; the bin of deleted runs; steering in the log."""

import dataclasses
import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

from fsdesk.engine import RunFinished, RunSpec, Steered
from fsdesk.store import Journal, Listing, Project
from tests.unit.store.conftest import Found, batch


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.fsdesk"


@pytest.fixture
def project(path, planted):
    """Three runs, each with a batch."""
    project = Project.create(path)
    project.add_dataset(planted)
    for seed in range(3):
        run_id = project.add_run(RunSpec.make(planted, method="bspsa-h", seed=seed))
        project.append([(run_id, batch(1))])
    project.append([(2, Found("fresh", {"values": np.zeros(2)}))])
    yield project
    project.close()


def _numbers(project, run_id):
    return [event.number for event in project.events(run_id)]


def test_what_a_run_is_called_its_colour_and_its_place_in_the_queue_come_back(project, path):
    listing = Listing("the good one", 4, True, 2.5)
    project.list_as({2: listing, 99: Listing("of no run")})
    project.close()
    with closing(Project.open(path)) as opened:
        assert opened.listings() == {2: listing}
        opened.list_as({2: Listing("another name", 4, True)})
        assert opened.listings() == {2: Listing("another name", 4, True, None)}


def test_a_deleted_run_comes_back_whole_and_an_emptied_bin_takes_all_of_it_and_nothing_of_the_others(
    project, path, planted
):
    project.list_as({2: Listing("gone"), 3: Listing("stays")})
    project.bin_runs([2, 3])
    assert [run.id for run in project.runs()] == [1]
    project.take_back([3])
    project.bin_runs([2])
    assert [run.id for run in project.runs()] == [1, 3]
    assert project.listings()[3] == Listing("stays")
    project.empty_bin()
    project.take_back([2])
    assert [run.id for run in project.runs()] == [1, 3]
    assert _numbers(project, 1) == _numbers(project, 3) == [1]
    assert _numbers(project, 2) == []
    assert project.evidence(2) == []
    assert project.listings() == {3: Listing("stays")}
    assert project.dataset(planted.fingerprint).fingerprint == planted.fingerprint
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []


def test_data_go_with_their_last_run_and_give_their_room_back_but_the_newest_stay_where_no_run_is_left(
    project, path, planted
):
    x = np.random.default_rng(0).normal(size=(len(planted.target), 2000))
    wide = dataclasses.replace(planted, x=x, features=tuple(f"gene {place}" for place in range(2000)))
    project.add_dataset(wide)
    run_id = project.add_run(RunSpec.make(wide, method="bspsa-h"))
    project.bin_runs([run_id])
    assert project.datasets() == [planted.fingerprint, wide.fingerprint]
    project.empty_bin()
    assert project.datasets() == [planted.fingerprint]
    project.bin_runs([1, 2, 3])
    project.empty_bin()
    assert project.datasets() == [planted.fingerprint]
    project.close()
    assert path.stat().st_size < x.nbytes / 2


def test_events_of_a_run_in_the_bin_that_come_late_come_back_with_it(project):
    project.bin_runs([3])
    written, errors = [], []
    journal = Journal(project, written.extend, errors.append)
    journal.append(3, batch(2))
    journal.append(1, batch(2))
    assert journal.flush(10)
    journal.close()
    assert errors == []
    project.take_back([3])
    assert _numbers(project, 1) == _numbers(project, 3) == [1, 2]


def test_a_new_run_never_gets_the_number_of_one_in_the_bin(project, planted):
    project.bin_runs([3])
    assert project.add_run(RunSpec.make(planted, method="bspsa-h", seed=9)) == 4
    assert _numbers(project, 4) == []


_KILLED_WHILE_EMPTYING = """
import os, sqlite3, sys
from fsdesk.store import Project
connect = sqlite3.connect
def watched(*arguments, **options):
    made = connect(*arguments, **options)
    made.set_trace_callback(lambda sql: os.kill(os.getpid(), 9) if sql.startswith("DELETE FROM dataset") else None)
    return made
sqlite3.connect = watched
project = Project.open(sys.argv[1])
project.bin_runs([1, 2])
project.empty_bin()
"""


def test_who_is_killed_while_emptying_the_bin_has_emptied_nothing(project, path):
    project.close()
    ended = subprocess.run([sys.executable, "-c", _KILLED_WHILE_EMPTYING, str(path)], check=False)
    assert ended.returncode == -9
    with closing(Project.open(path)) as opened:
        assert [run.id for run in opened.runs()] == [3]
        opened.take_back([1, 2])
        assert [_numbers(opened, run_id) for run_id in (1, 2, 3)] == [[1], [1], [1]]
        opened.append([(1, batch(2))])
        assert _numbers(opened, 1) == [1, 2]


def test_a_project_that_knew_no_listings_opens_and_takes_them(project, path):
    project.close()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(
            "DROP TABLE listing; DROP TABLE summary; DROP TABLE bin; DROP TABLE finding; DROP TABLE dataset_table;"
            "PRAGMA user_version = 3;"
        )
    with closing(Project.open(path)) as opened:
        assert opened.listings() == {}
        opened.list_as({1: Listing("named")})
        assert opened.listings() == {1: Listing("named")}


def test_steering_comes_back_from_the_log_as_it_was_and_in_its_place(project, path):
    steered = Steered(2, pin=("feature 1", "Ω"), ban=("feature 2",), measurements=30, iterations=10, minutes=0.5)
    refused = Steered(2, ban=("all",), refused="no feature would be left to choose among")
    project.append([(1, steered), (1, refused), (1, batch(2)), (1, RunFinished("done", False, None))])
    project.close()
    with closing(Project.open(path)) as opened:
        events = list(opened.events(1))
    assert [type(event).__name__ for event in events] == [
        "BatchMeasured", "Steered", "Steered", "BatchMeasured", "RunFinished",
    ]  # fmt: skip
    assert events[1:3] == [steered, refused]
    state = None
    with closing(Project.open(path)) as opened:
        state = opened.state(1)
    assert state.pinned == {"feature 1", "Ω"}
    assert state.banned == {"feature 2"}
    assert [number for number, _ in state.steerings] == [2, 2]
    assert "always in" in state.steerings[0][1]
    assert state.steerings[1][1].startswith("not done")
