"""A study that is killed again and again ends with the tables of one that never was."""

import csv
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.invoking import fsdesk

LONG = bool(os.environ.get("FSDESK_LONG"))  # four methods, three seeds and five kills
METHODS, SEEDS, KILLS = (["full", "sfs", "bga", "bspsa"], [0, 1, 2], 5) if LONG else (["full", "sfs", "bga"], [0, 1], 2)
RUNS = 3 * len(METHODS) * len(SEEDS)
PLAN = f"""
tables = ["first.csv", "second.csv", "third.csv"]
methods = {METHODS}
seeds = {SEEDS}
outer = 2

[settings]
repeats = 1
folds = 2

[settings.sfs]
max_measurements = 30

[settings.bga]
max_measurements = 300

[settings.bspsa]
max_iterations = 25
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plan")
    rng = np.random.default_rng(0)
    for name in ("first", "second", "third"):
        target = np.arange(40) % 2
        x = rng.normal(size=(40, 6))
        x[:, 1] += 1.5 * target
        lines = ["a,b,c,d,e,f,class", *(f"{','.join(map(repr, row.tolist()))},{'no' if code else 'yes'}"
                                         for row, code in zip(x, target, strict=True))]  # fmt: skip
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (folder / "plan.toml").write_text(PLAN)
    return folder / "plan.toml"


@pytest.fixture(scope="module")
def whole(plan, tmp_path_factory):
    """The files of the study that nothing disturbed, by one worker."""
    out = tmp_path_factory.mktemp("whole")
    _finish(plan, out)
    return out


def _finish(plan, out):
    """Begin or go on, to the end."""
    fsdesk("study", plan, "--out", out, "--workers", 1)


def _tables(out):
    """All cells of all tables, but for the seconds."""
    rows = list(csv.reader((out / "tables.csv").read_text("utf-8-sig").splitlines()))
    kept: list[list[str]] = []
    places: set[int] = set()
    for row in rows:
        if row[0] == "Data":
            places = {place for place, title in enumerate(row) if title.startswith("Seconds")}
        kept.append([cell for place, cell in enumerate(row) if place not in places])
    return kept


def _steps(out):
    """How many events and pieces of evidence are on disk."""
    try:
        connection = sqlite3.connect(f"file:{out / 'study.fsdesk'}?mode=ro", uri=True)
        try:
            return sum(
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("event", "evidence")
            )
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def _killed_at(steps, plan, out):
    """Begin or go on, and kill the whole process group, without a warning, once so many steps are on disk."""
    command = [sys.executable, "-m", "fsdesk", "study", str(plan), "--out", str(out), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and _steps(out) < steps:
        time.sleep(0.01)
    was_running = process.poll() is None
    if was_running:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return was_running


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of Unix")
@pytest.mark.timeout(900)
def test_a_study_killed_at_random_points_gives_the_tables_of_one_that_never_was(plan, whole, tmp_path):
    killed = tmp_path / "killed"
    total = _steps(whole)
    assert total > RUNS * 4
    points = sorted(random.Random(5).sample(range(2, total - total // 10), KILLS))
    assert all(_killed_at(point, plan, killed) for point in points)
    assert not (killed / "tables.csv").exists()
    _finish(plan, killed)
    assert _tables(killed) == _tables(whole)
    assert (killed / "ranks.svg").read_bytes() == (whole / "ranks.svg").read_bytes()
    assert {path.name for path in whole.glob("tables.*")} == {
        f"tables.{each}" for each in ("csv", "html", "tex", "xlsx")
    }
    text = (whole / "tables.html").read_text("utf-8")
    assert "on held-out rows" in text
    assert "Friedman" in text


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of Unix")
@pytest.mark.timeout(900)
def test_a_study_killed_with_its_window_goes_on_in_another_to_the_tables_of_one_that_never_was(
    person, plan, whole, tmp_path
):
    killed = tmp_path / "killed"

    def opens_the_dialog():
        person.starts()
        person.sees("Find the features that predict")
        person.presses("alt+r")
        person.presses("y")

    opens_the_dialog()
    person.clicks("studyOpen")
    person.sees("Open a study file")
    person.types(plan)
    person.presses("Return")
    person.sees(f"^{RUNS} runs, each with its held-out error")
    person.clicks("studyOut")
    person.presses("ctrl+a")
    person.types(killed)
    person.clicks("studyStart")
    person.sees(f"^[2-9] of {RUNS} runs done")
    person.kills_the_program()
    assert not (killed / "tables.csv").exists()
    opens_the_dialog()
    person.sees(f"^{RUNS} runs, each with its held-out error")  # the plan of the study that was killed
    person.clicks("studyStart")
    person.finds_file(killed / "tables.csv")
    person.sees("Done. The folder contains tables")
    assert _tables(killed) == _tables(whole)
