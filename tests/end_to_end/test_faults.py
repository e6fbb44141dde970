"""Faults around a run: kills, power cuts, disks that fail. Each ends in one sentence, and nothing logged is lost."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from errno import EACCES, EIO, ENOSPC

import pytest

from fsdesk.store import Project
from tests.bench.faults import cut_power, environment, faulty_disk, kill_writers
from tests.invoking import contents, fsdesk
from tests.sketching import reports_sketched

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD, tmpfs")

RUN = ("--method", "bspsa", "--set", "max_iterations=700", "--set", "stall_limit=700", "--set", "repeats=2")
RUN += ("--seed", "3", "--outer", "0")


@pytest.fixture(scope="module")
def library():
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler of C")
    with faulty_disk() as made:
        yield made


@pytest.fixture(scope="module", autouse=True)
def quick_reports():
    with reports_sketched():
        yield


@pytest.fixture(scope="module")
def whole(patients, tmp_path_factory):
    """The files of a run that nothing disturbed."""
    out = tmp_path_factory.mktemp("whole")
    fsdesk("run", patients, "--out", out, *RUN)
    return found(out)


def found(out):
    """Answer with weights and frequencies; what it would take to measure a held-out error depends on its machine."""
    return [contents(out)[name] for name in ("mask.csv", "selected.txt")]


def logged_in(out):
    """How many events of its run are on disk."""
    project = Project.open(out / "run.fsdesk")
    try:
        return sum(1 for _ in project.events(1))
    finally:
        project.close()


def process(*arguments, **how):
    """Run fsdesk as a process of its own; its exit code, and what it said last."""
    command = [sys.executable, "-m", "fsdesk", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, **how)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.splitlines()[-1]


def test_a_writer_killed_within_a_transaction_loses_nothing_and_its_run_ends_the_same(tmp_path):
    kills = kill_writers(tmp_path, 2)
    assert kills.times == 2


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path, library):
    cuts = cut_power(tmp_path, 20, resume_each=10)
    assert cuts.times == 20
    assert cuts.resumed


@pytest.mark.parametrize(
    ("code", "said"), [(ENOSPC, "is full"), (EIO, "Check the disk"), (EACCES, "your write permission")]
)
def test_a_disk_that_fails_in_mid_run_is_said_and_the_run_goes_on_later(code, said, whole, patients, tmp_path, library):
    faulty = environment(library, tmp_path, fail=code, fail_after=100)
    ended, last = process("run", patients, "--out", tmp_path, *RUN, env=faulty)
    assert ended == 2
    assert said in last
    logged = logged_in(tmp_path)
    fsdesk("resume", tmp_path / "run.fsdesk", "--outer", "0")
    assert 10 < logged < logged_in(tmp_path)
    assert found(tmp_path) == whole


@contextmanager
def small_disk(folder, size):
    """A disk of so many bytes; skips the test for who may not mount one."""
    folder.mkdir()
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, check=False
        ).returncode
    )
    if not mounted:
        pytest.skip("nothing may be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_said_and_the_run_goes_on_when_there_is_room(whole, patients, tmp_path):
    out = tmp_path / "small"
    with small_disk(out, 200_000):
        said = fsdesk("run", patients, "--out", out, *RUN, code=2).stderr.splitlines()[-1]
        assert "is full. Free some space; nothing logged is lost." in said
        subprocess.run(["mount", "-o", "remount,size=8m", out], check=True)
        fsdesk("resume", out / "run.fsdesk", "--outer", "0")
        assert found(out) == whole


def test_a_folder_that_cannot_lock_files_is_said_so(patients, tmp_path, library):
    ended, last = process("run", patients, "--out", tmp_path, *RUN, env=environment(library, tmp_path, no_locks=1))
    assert ended == 2
    assert "does not support file locks" in last


def test_a_clock_set_back_in_mid_run_changes_nothing(whole, patients, tmp_path, library):
    ended, _ = process("run", patients, "--out", tmp_path, *RUN, env=environment(library, tmp_path, clock_back=1))
    assert ended == 0
    assert found(tmp_path) == whole


def test_a_project_lives_in_a_folder_with_spaces_and_letters_of_all_scripts_and_200_characters(
    whole, patients, tmp_path
):
    out = tmp_path / "Größe 漢字 😀 of all" / ("x y" * 60) / "'quoted' & 100 %"
    assert len(str(out)) > 200
    fsdesk("run", patients, "--out", out, *RUN)
    assert found(out) == whole
    fsdesk("resume", out / "run.fsdesk", "--outer", "0")
    assert found(out) == whole
