"""Temporary folders go with their owners, and those of killed processes with the next start."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from fsdesk.data import Dataset, share
from fsdesk.paths import scratch_folder, sweep_scratch

HELD = """
import sys, time
from fsdesk.paths import scratch_folder
with scratch_folder(*sys.argv[1:]) as folder:
    (folder / "table.npy").write_bytes(b"x")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def among(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def holder(among):
    """Starts a process that holds a folder, and names that."""
    running = []

    def start(*prefix):
        environment = {**os.environ, "TMPDIR": str(among), "TEMP": str(among), "TMP": str(among)}
        command = [sys.executable, "-c", HELD, *prefix]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment))
        return running[-1], among / Path(running[-1].stdout.readline().strip()).name

    yield start
    for each in running:
        each.kill()
        each.communicate()


def test_a_folder_goes_with_its_block(among):
    with scratch_folder() as folder:
        (folder / "more").mkdir()
        assert sweep_scratch() == []
        assert folder.is_dir()
    assert list(among.iterdir()) == []


@pytest.mark.parametrize("prefix", [(), ("fsdesk-study-",)])
def test_the_folder_of_a_killed_process_is_swept_and_that_of_a_living_one_stays(holder, among, prefix):
    process, killed = holder(*prefix)
    _, alive = holder(*prefix)
    process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    process.wait()
    assert sweep_scratch() == [killed]
    assert list(among.iterdir()) == [alive]


def test_a_process_that_got_the_number_of_the_owner_is_not_the_owner(among):
    with scratch_folder() as folder:
        owner = json.loads((folder / ".owner.json").read_text())
        assert owner["pid"] == os.getpid()
        (folder / ".owner.json").write_text(json.dumps({**owner, "began": psutil.Process().create_time() - 100.0}))
        assert sweep_scratch() == [folder]


def test_the_folder_of_another_computer_stays(among):
    with scratch_folder() as folder:
        owner = json.loads((folder / ".owner.json").read_text())
        (folder / ".owner.json").write_text(json.dumps({**owner, "host": "elsewhere", "pid": 2**22 + 1}))
        assert sweep_scratch() == []


def made_old(folder):
    for each in (*folder.iterdir(), folder):
        os.utime(each, (time.time() - 2 * 86_400,) * 2)


def without_owner(among, name, *, shared=True):
    folder = among / name
    folder.mkdir()
    if shared:
        share(
            Dataset("t", np.ones((4, 2), order="F"), ("a", "b"), np.arange(4) % 2, "y", ("p", "q"), tuple("1234")),
            folder,
        )
    return folder


def test_folders_of_versions_that_wrote_down_no_owner_are_swept_after_a_day(among):
    old, new, empty = (without_owner(among, f"fsdesk-abcdef{i}_", shared=i < 2) for i in range(3))
    made_old(old)
    made_old(empty)
    assert sorted(sweep_scratch()) == sorted([old, empty])
    assert new.is_dir()


def test_what_may_be_somebody_elses_stays(among):
    other = without_owner(among, "fsdesk-abcdefgh")
    (other / "thesis.txt").write_text("mine")
    names = [
        without_owner(among, name) for name in ("fsdesk-notes", "fsdesk-abcdefghi", "my-fsdesk-abcdefgh", "FSDESK")
    ]
    target = without_owner(among, "real")
    if sys.platform != "win32":
        (among / "fsdesk-linklink").symlink_to(target, target_is_directory=True)
    (among / "fsdesk-filefile").write_text("a file")
    for folder in (other, *names, target):
        made_old(folder)
    assert sweep_scratch() == []
    assert all(list(each.iterdir()) for each in (other, *names, target))
