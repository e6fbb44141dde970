import json
import os
import sqlite3
import subprocess
import sys
import tracemalloc
import zlib
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from fsdesk.data.dataset import Check
from fsdesk.data.shared import share
from fsdesk.engine import RunFailed, RunFinished, RunSpec, RunStarted
from fsdesk.errors import ProjectError
from fsdesk.messages import in_language, joined, language_named, message, message_many, translated
from fsdesk.store import Project
from fsdesk.store.schema import SCHEMA_VERSION
from tests.unit.store.conftest import Found, batch


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.fsdesk"


@pytest.fixture
def spec(planted):
    return RunSpec.make(planted, method="bspsa-h", seed=2)


@pytest.fixture
def project(path, planted, spec):
    project = Project.create(path)
    project.add_dataset(planted)
    project.add_run(spec)
    yield project
    project.close()


def test_a_data_set_comes_back_the_same_to_the_bit(path, make_dataset):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 5))
    x[:, 2] = rng.integers(0, 3, size=30)
    x[3, 1] = np.nan
    dataset = make_dataset(x, np.arange(30) % 3, {2: ("red", "green", "blue")})
    project = Project.create(path)
    project.add_dataset(dataset)
    project.add_dataset(dataset)  # a second time changes nothing
    project.close()
    project = Project.open(path)
    back = project.dataset(dataset.fingerprint)
    project.close()
    assert back.fingerprint == dataset.fingerprint
    assert np.array_equal(back.x, dataset.x, equal_nan=True)
    assert back.x.flags.f_contiguous
    for name in ("name", "features", "classes", "rows", "target_name", "categories", "source", "checks"):
        assert getattr(back, name) == getattr(dataset, name)


def test_a_large_data_set_is_stored_in_blocks_and_comes_back(path, make_dataset, monkeypatch):
    monkeypatch.setattr("fsdesk.store.project._BLOCK_BYTES", 1000)
    dataset = make_dataset(np.random.default_rng(1).normal(size=(20, 57)), np.arange(20) % 2)
    project = Project.create(path)
    project.add_dataset(dataset)
    assert np.array_equal(project.dataset(dataset.fingerprint).x, dataset.x)
    project.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM dataset_block").fetchone()[0] == 10
    connection.close()


def test_runs_and_their_events_come_back_in_order(project, path, spec):
    second = project.add_run(spec.model_copy(update={"seed": 9}))
    project.append([(1, RunStarted({}, ("a",))), (second, RunFailed("no")), (1, batch(1))])
    project.append([(1, batch(2))] * 300)
    project.close()
    project = Project.open(path)
    assert [run.spec.seed for run in project.runs()] == [2, 9]
    kinds = [type(event).__name__ for event in project.events(1)]
    assert kinds == ["RunStarted"] + ["BatchMeasured"] * 301
    assert [type(event).__name__ for event in project.events(second)] == ["RunFailed"]
    assert project.run().spec.seed == 9
    with pytest.raises(ProjectError, match=r"no run 7\. Available: 1, 2"):
        project.run(7)
    project.close()


WRITER = """
import sys, numpy as np
from fsdesk.engine import BatchMeasured, pack_masks
from fsdesk.store import Project
project = Project.open(sys.argv[1])
number = 0
while True:
    number += 1
    masks = pack_masks([np.ones(8, bool)])
    project.append([(1, BatchMeasured(number, masks, (True,), np.array([[0.5]]), number, None))])
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_writer_killed_at_any_moment_loses_nothing_that_append_returned_from(project, path):
    for _ in range(3):
        before = sum(1 for _ in project.events(1))
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        said = [int(writer.stdout.readline()) for _ in range(40)]
        writer.kill()
        said += [int(line) for line in writer.stdout.read().splitlines()]
        writer.wait()
        writer.stdout.close()
        reopened = Project.open(path)
        assert sum(1 for _ in reopened.events(1)) - before >= said[-1]
        reopened.close()


def test_a_second_window_that_goes_on_with_the_same_run_is_told_so_and_nothing_is_lost(project, path):
    project.append([(1, batch(1))])
    second = Project.open(path)
    second.append([(1, batch(2))])
    with pytest.raises(ProjectError, match="Another window"):
        project.append([(1, batch(2))])
    assert [event.number for event in second.events(1)] == [1, 2]
    second.close()


def test_saving_as_keeps_everything_and_goes_on_in_the_copy(project, path, tmp_path, planted):
    project.append([(1, batch(1))])
    project.save_as(tmp_path / "copy.fsdesk")
    project.append([(1, batch(2))])
    assert project.path == tmp_path / "copy.fsdesk"
    assert [event.number for event in project.events(1)] == [1, 2]
    assert np.array_equal(project.dataset(planted.fingerprint).x, planted.x)
    first = Project.open(path)
    assert [event.number for event in first.events(1)] == [1]
    first.close()


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(ProjectError, match="is a folder"):
        Project.open(tmp_path)
    with pytest.raises(ProjectError, match="There is no project file"):
        Project.open(tmp_path / "none.fsdesk")


def test_an_existing_file_is_never_overwritten_by_a_new_project(project, path):
    with pytest.raises(ProjectError, match="already exists"):
        Project.create(path)


@pytest.mark.parametrize("content", [b"", b"hello, world\n" * 1000, b"SQLite format 3\x00" + b"\x01" * 5000])
def test_something_else_is_not_a_project(tmp_path, content):
    file = tmp_path / "odd.fsdesk"
    file.write_bytes(content)
    with pytest.raises(ProjectError, match="not an fsdesk project"):
        Project.open(file)
    assert file.read_bytes() == content


def test_another_sqlite_file_is_not_a_project_and_stays_as_it_was(tmp_path):
    file = tmp_path / "other.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE x (y)")
    connection.commit()
    connection.close()
    before = file.read_bytes()
    with pytest.raises(ProjectError, match="not an fsdesk project"):
        Project.open(file)
    assert file.read_bytes() == before


def test_a_project_of_a_newer_version_is_refused(project, path):
    project.close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.commit()
    connection.close()
    with pytest.raises(ProjectError, match=r"newer fsdesk\. Update fsdesk"):
        Project.open(path)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_project_cut_short_is_refused_with_a_sentence(project, path, share):
    project.append([(1, batch(number)) for number in range(400)])
    project.close()
    size = path.stat().st_size
    with path.open("rb+") as file:
        file.truncate(int(size * share))
    with pytest.raises(ProjectError, match="damaged, truncated"):
        Project.open(path)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_opens_for_looking(project, path, tmp_path):
    project.append([(1, batch(1))])
    project.close()
    tmp_path.chmod(0o555)
    try:
        _looks_but_does_not_write(path)
    finally:
        tmp_path.chmod(0o755)


def test_a_project_that_cannot_be_written_opens_for_looking(project, path, monkeypatch):
    project.append([(1, batch(1))])
    project.close()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    _looks_but_does_not_write(path)


def _looks_but_does_not_write(path):
    project = Project.open(path)
    assert project.read_only
    assert [event.number for event in project.events(1)] == [1]
    with pytest.raises(ProjectError, match="is not writable"):
        project.append([(1, batch(2))])
    project.close()


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ProjectError, match="cannot be written"):
        Project.create(tmp_path / "nowhere" / "a.fsdesk")


def test_a_full_disk_is_said_and_what_was_logged_stays(small_disk):
    project, grow = small_disk
    project.append([(1, batch(1))])
    with pytest.raises(ProjectError, match=r"is full\. Free some space"):
        project.append([(1, batch(number)) for number in range(2, 2000)])
    assert [event.number for event in project.events(1)] == [1]
    grow()
    project.append([(1, batch(2))])
    assert [event.number for event in project.events(1)] == [1, 2]


HALF_DONE = """
import os, sys, numpy as np
from fsdesk.engine import BatchMeasured, pack_masks
from fsdesk.store import Project
project = Project.open(sys.argv[1])
batch = BatchMeasured(1, pack_masks([np.ones(8, bool)]), (True,), np.array([[0.5]]), 1, None)
for _ in range(int(sys.argv[2])):
    project.append([(1, batch)])
os._exit(9)
"""


def _killed_after(path, appends):
    """Leave the file as a killed process does: the last events are in the write-ahead log alone."""
    subprocess.run([sys.executable, "-c", HALF_DONE, str(path), str(appends)], check=False)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def test_saving_over_a_project_that_was_killed_leaves_only_what_was_saved(project, path, tmp_path, planted, spec):
    target = tmp_path / "killed.fsdesk"
    other = Project.create(target)
    other.add_dataset(planted)
    other.add_run(spec)
    other.close()
    _killed_after(target, 50)
    project.append([(1, batch(1)), (1, batch(2))])
    project.save_as(target)
    assert [event.number for event in project.events(1)] == [1, 2]
    reopened = Project.open(target)
    assert [event.number for event in reopened.events(1)] == [1, 2]
    reopened.close()


def test_what_a_killed_process_logged_is_seen_where_nothing_can_be_written(project, path, monkeypatch):
    project.append([(1, batch(1))])
    project.close()
    _killed_after(path, 30)
    files = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    reopened = Project.open(path)
    assert len(list(reopened.events(1))) == 31
    assert reopened.read_only
    reopened.close()
    assert files == {file.name: file.read_bytes() for file in path.parent.iterdir()}


def test_a_project_that_could_not_be_made_leaves_nothing_in_the_way(path, monkeypatch):
    monkeypatch.setattr("fsdesk.store.schema._STEPS", ("CREATE TABLE broken (",))
    with pytest.raises(ProjectError):
        Project.create(path)
    assert list(path.parent.iterdir()) == []
    monkeypatch.undo()
    Project.create(path).close()


def test_a_run_of_a_newer_version_is_said_in_one_sentence(project, path):
    project.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE run SET spec = json_set(spec, '$.dreams', 1)")
    connection.commit()
    connection.close()
    project = Project.open(path)
    with pytest.raises(ProjectError, match="does not know"):
        project.runs()
    project.close()


@pytest.mark.parametrize("change", ["meta = '{}'", "target = x'00'", "meta = json_set(meta, '$.target_name', 'other')"])
def test_damaged_data_are_said_in_one_sentence(project, path, planted, change):
    project.close()
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE dataset SET {change}")
    connection.commit()
    connection.close()
    project = Project.open(path)
    with pytest.raises(ProjectError, match="are damaged"):
        project.dataset(planted.fingerprint)
    project.close()


@pytest.mark.parametrize("size", [1 << 29, 1 << 20])
def test_what_unpacks_to_far_more_than_it_says_is_refused_without_filling_the_memory(project, path, planted, size):
    project.append([(1, batch(1))])
    project.close()
    bomb = zlib.compress(bytes(size), 1)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE event SET data = ?", (bomb,))
        connection.execute("UPDATE dataset_block SET data = ?", (bomb,))
    connection.close()
    project = Project.open(path)
    tracemalloc.start()
    try:
        with pytest.raises(ProjectError, match="entry of the project's log is damaged"):
            list(project.events(1))
        with pytest.raises(ProjectError, match="damaged"):
            project.dataset(planted.fingerprint)
        assert tracemalloc.get_traced_memory()[1] < 2.1 * (1 << 28)  # zlib joins pieces
    finally:
        tracemalloc.stop()
        project.close()


def test_numbers_to_predict_and_roles_of_rows_come_back_to_the_bit(tmp_path, make_dataset):
    dataset = replace(
        make_dataset(np.arange(12.0).reshape(6, 2), np.zeros(6, dtype=np.int64)),
        classes=(),
        response=np.array([0.1, 1 / 3, 1e-300, -2.5, 1e300, 7.0]),
        groups=np.arange(6) // 2,
        fold_of=np.arange(6) % 2,
        time=np.arange(6)[::-1].copy(),
    )
    with closing(Project.create(tmp_path / "p.fsdesk")) as project:
        project.add_dataset(dataset)
        back = project.dataset(dataset.fingerprint)
    assert back.response.tolist() == dataset.response.tolist()
    assert [back.groups.tolist(), back.fold_of.tolist(), back.time.tolist()] == [
        [0, 0, 1, 1, 2, 2],
        [0, 1] * 3,
        [5, 4, 3, 2, 1, 0],
    ]


def test_evidence_about_a_run_comes_back_in_order(project, path):
    project.append([(1, Found("fresh", {"values": np.array([0.1, 0.2]), "mask": np.array([3], np.uint8)}))])
    project.append([(1, Found("outer", {"fold": 0, "folds": 5, "loss": 0.25}))])
    project.close()
    with closing(Project.open(path)) as opened:
        (first, fresh), (second, outer) = opened.evidence(1)
        assert (first, second) == ("fresh", "outer")
        assert fresh["values"].tolist() == [0.1, 0.2]
        assert outer == {"fold": 0, "folds": 5, "loss": 0.25}
        assert opened.evidence(2) == []
        with pytest.raises(ProjectError):
            opened.append([(99, Found("fresh", {}))])


def _made_old(path):
    """Take away what the first fsdesk did not know."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DROP TABLE evidence; DROP TABLE kept; DROP TABLE listing; DROP TABLE summary; DROP TABLE bin;"
            "DROP TABLE finding; DROP TABLE dataset_table; PRAGMA user_version = 1;"
        )


def test_a_project_of_the_first_fsdesk_opens_with_all_its_runs_and_takes_evidence(project, path):
    project.append([(1, batch(1))])
    project.close()
    _made_old(path)
    with closing(Project.open(path)) as opened:
        assert len(list(opened.events(1))) == 1
        assert opened.evidence(1) == []
        opened.append([(1, Found("fresh", {"values": np.zeros(2)}))])
        assert len(opened.evidence(1)) == 1


def test_an_old_project_where_nothing_can_be_written_opens_as_it_is(project, path, monkeypatch):
    project.close()
    _made_old(path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with closing(Project.open(path)) as opened:
        assert opened.read_only
        assert opened.evidence(1) == []


def test_what_the_user_keeps_comes_back_and_is_replaced(path):
    with closing(Project.create(path)) as project:
        assert project.kept("notes") is None
        project.keep("notes", {"texts": ["a", "é"], "size": 2})
        project.keep("notes", {"texts": ["b"], "size": 1})
    with closing(Project.open(path)) as project:
        assert project.kept("notes") == {"texts": ["b"], "size": 1}


def test_messages_can_be_translated_after_a_project_is_opened_again(path, planted, tmp_path):
    check = Check("gaps", message_many(2, "{count} row", "{count} rows"))
    dataset = replace(planted, source=joined(", ", ["a.csv", message("with a header")]), checks=(check,))
    spec = RunSpec.make(dataset, method="bspsa-h", seed=2)
    reason = message("no better subset for more than {stall_limit:,} iterations", stall_limit=1500)
    with closing(Project.create(path)) as project:
        project.add_dataset(dataset)
        run = project.add_run(spec)
        project.append([(run, RunFinished(reason, False, None))])
    with closing(Project.open(path)) as project, in_language(language_named("de")):
        back = project.dataset(dataset.fingerprint)
        (event,) = project.events(run)
        assert translated(event.reason) == "seit mehr als 1.500 Iterationen keine bessere Teilmenge"
        assert translated(back.source) == "a.csv, mit Kopfzeile"
        assert [translated(each.sentence) for each in back.checks] == ["2 Zeilen"]
        shared = share(back, tmp_path / "tables")
        assert translated(shared.open().source) == "a.csv, mit Kopfzeile"
        shared.remove()


def test_a_project_of_an_older_version_has_plain_sentences(path, project, planted, spec):
    with sqlite3.connect(path) as connection:
        (kept,) = connection.execute("SELECT meta FROM dataset").fetchone()
        older = {name: value for name, value in json.loads(kept).items() if name != "messages"}
        connection.execute("UPDATE dataset SET meta = ?", (json.dumps(older),))
    connection.close()
    assert project.dataset(planted.fingerprint).checks == planted.checks


def test_who_only_reads_changes_nothing_and_leaves_no_file_beside_it(path, project, spec):
    project.close()
    before = path.read_bytes()
    reader = Project.open(path, read_only=True)
    assert reader.run(None).spec == spec
    with pytest.raises(ProjectError, match="is not writable"):
        reader.add_run(spec)
    reader.close()
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]
