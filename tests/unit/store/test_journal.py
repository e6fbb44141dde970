import queue
import time

import pytest

from fsdesk.engine import RunSpec
from fsdesk.store import Journal, Project
from tests.unit.store.conftest import Found, batch


@pytest.fixture
def project(tmp_path, planted):
    project = Project.create(tmp_path / "a.fsdesk")
    project.add_dataset(planted)
    project.add_run(RunSpec.make(planted, method="bspsa-h"))
    yield project
    project.close()


class Views:
    def __init__(self, project):
        self.written, self.times, self.errors = [], [], queue.Queue()
        self.project = project

    def take(self, pairs):
        on_disk = sum(1 for _ in self.project.events(1))
        self.written += [event.number for _, event in pairs]
        assert on_disk >= len(self.written)  # first to disk, then to the views
        self.times.append(time.monotonic())


def test_events_reach_the_disk_before_the_views_in_order_and_at_most_thirty_times_a_second(project):
    views = Views(project)
    journal = Journal(project, views.take, views.errors.put)
    started = time.monotonic()
    for number in range(500):
        journal.append(1, batch(number))
        time.sleep(0.001)
    assert journal.flush(10)
    seconds = time.monotonic() - started
    journal.close()
    assert views.written == list(range(500))
    assert [event.number for event in project.events(1)] == list(range(500))
    assert len(views.times) <= 30 * seconds + 2


def test_what_could_not_be_written_is_said_once_kept_and_written_when_there_is_room(small_disk):
    project, grow = small_disk
    views = Views(project)
    journal = Journal(project, views.take, views.errors.put)
    for number in range(900):
        journal.append(1, batch(number))
    assert not journal.flush(10)
    journal.append(1, batch(900))
    assert not journal.flush(10)
    assert "full" in str(views.errors.get(timeout=60))
    assert views.errors.empty()
    grow()
    assert journal.flush(10)
    journal.close()
    assert [event.number for event in project.events(1)] == list(range(901)) == views.written


def test_closing_writes_what_is_left(project):
    views = Views(project)
    journal = Journal(project, views.take, views.errors.put)
    for number in range(20):
        journal.append(1, batch(number))
    journal.close()
    assert views.written == list(range(20))


def test_evidence_is_kept_in_order_with_the_events_and_other_messages_pass_through(project):
    written = []
    journal = Journal(project, written.extend, print)
    steps = [batch(0), Found("fresh", {"x": 1}), object(), batch(1), Found("outer", {"fold": 0})]
    for step in steps:
        journal.append(1, step)
    journal.close()
    assert [step for _, step in written] == steps
    assert [event.number for event in project.events(1)] == [0, 1]
    assert project.evidence(1) == [("fresh", {"x": 1}), ("outer", {"fold": 0})]
