"""One process writes a project; others look, read along, and may go on in a copy. With real processes."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.results.evidence import Fresh
from fsdesk.store import Listing, Lock, LockOwner, Project
from tests.invoking import fsdesk

from .conftest import WindowDriver

WRITER = """
import sys
from pathlib import Path
from fsdesk.engine import Flag, RunSpec, ThreadExecutor, run
from fsdesk.engine.tasks import evaluator_of
from fsdesk.store import Lock, Journal, Project

path = Path(sys.argv[1])
hold = Lock.take(path)
project = Project.open(path)
stored = project.run(1)
dataset = project.dataset(stored.spec.data_fingerprint)
journal = Journal(project, lambda pairs: None, lambda error: print(error, flush=True))
flag = Flag()
print("ready", flush=True)
with ThreadExecutor(evaluator_of(stored.spec, dataset), 1) as executor:
    for number, event in enumerate(run(stored.spec, dataset, executor, (), flag)):
        journal.append(1, event)
        if number % 20 == 10:
            journal.flush()
            order = sys.stdin.readline().strip()
            if order == "end":
                flag.stop = True
            print(number + 1, flush=True)
journal.close()
project.close()
hold.release()
print("gone", flush=True)
"""


class Writer:
    """Another process that holds a project and logs into its run, twenty events at a time."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.expect("ready")

    def say(self, order: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def expect(self, said: str) -> None:
        heard = self.hear()
        assert heard == said

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def path(tmp_path: Path, planted: object) -> Path:
    made = tmp_path / "shared study.fsdesk"
    project = Project.create(made)
    project.add_dataset(planted)  # type: ignore[arg-type]
    settings = {"max_iterations": 5000, "stall_limit": 5000, "repeats": 2}
    spec = RunSpec.make(planted, method="bspsa", settings=settings)  # type: ignore[arg-type]
    project.add_run(spec)
    project.close()
    return made


@pytest.fixture
def writer(path: Path) -> Iterator[Writer]:
    made = Writer(path)
    yield made
    made.end()


def events(path: Path) -> int:
    project = Project.open(path, read_only=True)
    try:
        return sum(1 for _ in project.events(1))
    finally:
        project.close()


async def test_a_second_window_looks_reads_along_and_goes_on_when_the_first_has_gone(
    driver: WindowDriver, path: Path, writer: Writer
) -> None:
    window, session = driver.window, driver.session
    window.open_path(path)
    await driver.until(lambda: session.project is not None and window.run_commands.shown is not None)
    await driver.until(lambda: not session.tasks.working)
    notice = window.notices.by_subject["readOnly"]
    assert f"process {writer.process.pid}" in notice.sentence
    assert "Read only" in notice.sentence
    assert "read only" in window.windowTitle()
    run = window.run_commands.shown
    assert run is not None
    assert run.phase == "elsewhere"
    assert not run.resumable
    for name in ("run", "pause", "stop"):
        assert not window.actions_[name].isEnabled()
    before = run.logged
    writer.say("on")
    writer.hear()
    writer.say("on")
    writer.hear()
    await driver.until(lambda: run.logged >= before + 20)
    assert run.state.evaluations > 0
    writer.say("end")
    while writer.hear() != "gone":
        pass
    await driver.until(lambda: "has closed this project" in window.notices.by_subject["readOnly"].sentence)
    driver.child(QPushButton, "goOnHere").click()
    await driver.until(lambda: not session.read_only and session.project is not None)
    assert not window.notices.isVisible()
    await driver.until(lambda: window.run_commands.shown is not None and window.run_commands.shown.phase == "stopped")
    assert window.run_commands.shown is not None
    assert window.run_commands.shown.resumable
    assert window.run_commands.shown.logged == events(path)
    window.actions_["pause"].trigger()  # it says Resume
    again = window.run_commands.shown
    await driver.until(lambda: again.state.evaluations > run.state.evaluations)


def test_a_second_window_sees_what_else_the_first_one_does(driver: WindowDriver, path: Path, planted: Dataset) -> None:
    spec = RunSpec.make(planted, method="bspsa", seed=1, settings={"max_iterations": 5, "repeats": 2})
    hold, first = Lock.take(path), Project.open(path)
    evidence = Fresh(np.array([128], np.uint8), np.array([0.1, 0.2]))

    async def scene() -> None:
        window, session = driver.window, driver.session
        window.open_path(path)
        await driver.until(lambda: session.project is not None and window.run_commands.shown is not None)
        await driver.until(lambda: not session.tasks.working)
        first.append([(1, evidence)])
        first.list_as({1: Listing("the one that counts")})
        second = first.add_run(spec)
        rows = window.workspace.search.list.model
        await driver.until(lambda: rows.rowCount() == 2)
        assert [len(run.evidence) for run in session.runs] == [1, 0]
        assert session.runs.by_id[1].name == "the one that counts"
        assert session.runs.by_id[second].phase == "elsewhere"
        first.bin_runs([1])
        await driver.until(lambda: rows.rowCount() == 1)
        assert [run.id for run in session.runs] == [second]

    try:
        driver.play(scene)
    finally:
        first.close()
        assert isinstance(hold, Lock)
        hold.release()


async def test_two_processes_on_one_project_lose_nothing_and_the_copy_is_its_own(
    driver: WindowDriver, path: Path, writer: Writer
) -> None:
    window, session = driver.window, driver.session
    window.open_path(path)
    await driver.until(lambda: session.project is not None and session.loader.dataset is not None)
    await driver.until(lambda: not session.tasks.working)
    writer.say("on")
    said = int(writer.hear())
    session.tasks.begin(session.run(window.workspace.setup.request), "starting the run", subject="start")
    await driver.until(lambda: any("open a copy" in each.sentence for each in window.messages.messages))
    driver.child(QPushButton, "openCopy").click()
    await driver.until(lambda: not session.read_only)
    assert session.project is not None
    copy = session.project.path
    assert copy != path
    assert copy.parent == driver.folders.projects
    assert window.run_commands.shown is not None
    assert window.run_commands.shown.phase == "interrupted"
    window.actions_["run"].trigger()
    await driver.until(lambda: any(each.state.evaluations > 3 and each.id == 2 for each in session.runs))
    writer.say("on")
    said = int(writer.hear())
    assert events(path) >= said
    await session.leave_project()
    assert events(path) >= said
    assert len(list(_runs(path))) == 1
    assert len(list(_runs(copy))) == 2


def _runs(path: Path) -> list[object]:
    project = Project.open(path, read_only=True)
    try:
        return list(project.runs())
    finally:
        project.close()


async def test_a_killed_writer_holds_nobody_up(driver: WindowDriver, path: Path, writer: Writer) -> None:
    writer.say("on")
    said = int(writer.hear())
    writer.process.kill()
    writer.process.wait()

    driver.window.open_path(path)
    await driver.until(lambda: driver.window.run_commands.shown is not None)
    run = driver.window.run_commands.shown
    assert run is not None
    assert not driver.session.read_only
    assert run.phase == "interrupted"
    assert run.resumable
    assert run.logged >= said


async def test_the_window_holds_its_project_until_it_leaves_it(driver: WindowDriver, path: Path) -> None:
    driver.window.open_path(path)
    await driver.until(lambda: driver.session.project is not None and driver.session.loader.dataset is not None)
    holder = Lock.owner(path)
    assert isinstance(holder, LockOwner)
    assert holder.pid == os.getpid()
    moved = driver.root / "moved.fsdesk"
    await driver.session.save_as(moved)
    assert Lock.owner(path) is None
    assert Lock.owner(moved) == LockOwner(os.getpid(), holder.host, Lock.owner(moved).since)  # type: ignore[union-attr]
    await driver.session.open_project(moved)  # again: it is not held up by itself
    assert not driver.session.read_only
    await driver.session.leave_project()
    assert Lock.owner(moved) is None


def test_the_command_line_does_not_go_on_with_a_run_of_an_open_project(path: Path, writer: Writer) -> None:
    said = fsdesk("resume", path, "--out", path.parent / "out", code=2).stderr
    assert f"process {writer.process.pid}" in said


async def test_the_command_line_adds_a_run_to_the_project_of_an_open_window_and_says_when_that_shows_it(
    driver: WindowDriver, path: Path, planted: Dataset
) -> None:
    await driver.session.open_project(path)
    asked = ["run", "sample:wine", "--method", "sfs", "--outer", "0", "--set", "max_measurements=20"]
    command = [sys.executable, "-m", "fsdesk", *asked, "--project", str(path), "--out", str(path.parent / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    said = f"open in another fsdesk (process {os.getpid()}), which shows this run when it opens the project again."
    assert said in done.stderr
    project = driver.session.project
    assert project is not None
    assert project.add_run(RunSpec.make(planted, method="sfs")) == 3  # neither takes the other's place
    await driver.session.leave_project()
    await driver.session.open_project(path)
    assert [run.id for run in driver.session.runs] == [1, 2, 3]
    assert driver.session.runs.by_id[2].state.status == "finished"


def test_a_project_is_not_saved_over_one_that_is_open_elsewhere(
    another_driver: Callable[[], WindowDriver], path: Path, writer: Writer
) -> None:
    driver = another_driver()

    async def scene() -> None:
        await driver.open_sample("wine")
        before = events(path)
        driver.session.tasks.begin(driver.session.save_as(path), "saving the project", subject="save")
        await driver.until(
            lambda: any("open in another window" in each.sentence for each in driver.window.messages.messages)
        )
        assert events(path) >= before

    driver.play(scene)
