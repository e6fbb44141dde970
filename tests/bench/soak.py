"""A window in which runs are started, paused, stopped, deleted and reopened at random: what stays behind.

    python tests/bench/soak.py FILE.jsonl --minutes 120     # each line of the file: what is held at rest
    python tests/bench/soak.py FILE.jsonl --show            # the table

Without a screen, in folders of its own. First every worker carries out every method with every model, and every method
on every table for longer: the first time each kind of work imports something, and takes the memory that it needs.
Then, whenever a project was left and nothing is at work, the processes are looked at: memory that they have written to
(pages of libraries count or not as other programs have these open, too), threads, open files, files on disk. Every
reopened run must have all measurements that it had before. Slopes are fitted to the second half of the time, which is
at most the last hour.
"""

import argparse
import asyncio
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Else numpy asks for huge pages, and the kernel fills gaps of up to 511 pages (2 MB) when it likes: no growth of ours.
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")

import numpy as np
import psutil
import qasync
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from fsdesk.app.start import make_window
from fsdesk.app.window import MainWindow
from fsdesk.engine import RunRequest, WorkerPool, pool
from fsdesk.paths import Folders

TABLES = ("wine", "breast_cancer", "digits", "waveform")
METHODS = ("bspsa", "cspsa", "bga", "random", "tabu", "sfs", "auto")
WRAPPERS = ("nn", "cart", "c45", "svm", "nb")
PAGES = ("data", "search", "result", "compare")
_PROJECTS, _RUNS = 4, 6
_ACTIONS, _PAUSE = (6, 20), (0.2, 2.0)
_LONG_MINUTES = 0.2  # of a run of the largest kind
_REST_SECONDS = 120.0  # longest wait until nothing is at work
_LOOK_SECONDS = 2.0  # without any processor time of a worker in between, even on a busy machine


class Soak:
    """One window, and the dice that say what is done with it."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window, self.session = window, window.session
        self.rng = np.random.default_rng(seed)
        self.done = dict.fromkeys(("start", "pause", "go on", "stop", "resume", "delete", "page", "reopen"), 0)
        self.measured: dict[Path, dict[int, int]] = {}
        self.lost = 0

    async def begin(self) -> None:
        """Have each worker do every kind of work, and the largest of what will come, one thing at a time.

        What a process first needs for a large task it keeps; if a worker met its first one late, that would be
        counted as growth.
        """
        workers = self.session.tasks.pool
        assert isinstance(workers, WorkerPool)
        self.session.runs.most_at_once = 1
        for _ in range(workers.size):
            workers._idle.insert(
                0, workers._idle.pop()
            )  # of idle workers the last one gets all tasks that do not overlap
            await self._open(TABLES[0])
            for method in METHODS:
                for wrapper in WRAPPERS:
                    await self._start(method, wrapper, minutes=0.05)
                    await self._rest()
            await self._leave()
            for table in TABLES:
                await self._open(table)
                for place, method in enumerate(METHODS):
                    await self._start(method, WRAPPERS[place % len(WRAPPERS)], minutes=_LONG_MINUTES)
                    await self._rest()
                project = self.session.project
                assert project is not None
                await self._show_pages()
                await self._leave()
                await self.session.open_project(project.path)
                await self._show_pages()
                await self._leave()
        self.session.runs.most_at_once = max(1, workers.size - 1)

    async def _open(self, table: str) -> None:
        await self.session.loader.open_sample(table)
        await self._rest()

    async def _leave(self) -> None:
        await self._rest()
        await self.session.leave_project()
        await self._rest()

    async def _show_pages(self) -> None:
        """Look at every page of each run."""
        for run in list(self.session.runs):
            self.window.workspace.search.show_run(run)
            for page in PAGES:
                self.window.show_page(page)
                await asyncio.sleep(_PAUSE[0])
                await self._rest()

    async def turn(self) -> None:
        """Open a project, or begin one; do some things at random; leave it."""
        known = list(self.measured)
        if len(known) < _PROJECTS or self.rng.random() < 0.1:
            if len(known) >= _PROJECTS:
                self._forget(known[0])
            await self.session.loader.open_sample(str(self.rng.choice(TABLES)))
            await self._rest()
            await self._start()
        else:
            path = known[int(self.rng.integers(len(known)))]
            await self.session.open_project(path)
            self.done["reopen"] += 1
            counts = {run.id: run.state.evaluations for run in self.session.runs}
            self.lost += sum(counts.get(run, 0) < count for run, count in self.measured[path].items())
        for _ in range(int(self.rng.integers(*_ACTIONS))):
            await self._act()
            await asyncio.sleep(self.rng.uniform(*_PAUSE))
        project = self.session.project
        self.session.runs.stop_all()
        await self._rest()
        counts = {run.id: run.state.evaluations for run in self.session.runs}
        if project is not None:
            self.measured[project.path] = counts
        await self.session.leave_project()
        await self._rest()

    async def _act(self) -> None:
        runs = list(self.session.runs)
        run = runs[int(self.rng.integers(len(runs)))] if runs else None
        kind = str(self.rng.choice(list(self.done)))
        if kind == "start" and len(runs) < _RUNS:
            await self._start()
        elif kind == "page":
            self.window.show_page(str(self.rng.choice(PAGES)))
        elif kind == "delete" and run is not None and not run.active and len(runs) > 2:
            await self.session.run_actions.delete([run])
        elif kind == "pause" and run is not None and run.at_work:
            self.session.runs.pause(run)
        elif kind == "stop" and run is not None and run.active:
            self.session.runs.stop(run)
        elif kind in ("go on", "resume") and run is not None:
            self.session.run_actions.go_on([run])
        else:
            return
        self.done[kind] += 1

    async def _start(self, method: str = "", wrapper: str = "", minutes: float = 0.0) -> None:
        method, wrapper = method or str(self.rng.choice(METHODS)), wrapper or str(self.rng.choice(WRAPPERS))
        settings: dict[str, Any] = {"measuring.repeats": 2}
        if method in ("bspsa", "cspsa"):
            settings["method.max_iterations"] = int(self.rng.integers(20, 400))
        if minutes or method == "auto":
            settings["method.max_minutes"] = minutes or 0.5
        seed = int(self.rng.integers(1 << 30))
        await self.session.run(RunRequest(method=method, wrapper=wrapper, seed=seed, settings=settings, outer=0))

    def _forget(self, path: Path) -> None:
        del self.measured[path]
        path.unlink()

    async def _rest(self) -> None:
        """Wait until nothing is at work."""
        await self._until(lambda: not (self.session.tasks.working or any(run.at_work for run in self.session.runs)))

    async def _until(self, is_so: Callable[[], bool]) -> None:
        until = time.monotonic() + _REST_SECONDS
        while not is_so() and time.monotonic() < until:
            await asyncio.sleep(0.05)


async def settled() -> None:
    """Wait until no worker computes: after its last task each one gives memory back."""
    children, before, until = psutil.Process().children(recursive=True), -1.0, time.monotonic() + _REST_SECONDS
    while (now := sum(sum(each.cpu_times()[:2]) for each in children)) != before and time.monotonic() < until:
        before = now
        await asyncio.sleep(_LOOK_SECONDS)


def held(root: Path) -> dict[str, Any]:
    """What the processes hold now."""
    gc.collect()
    mine = psutil.Process()
    children = [each for each in mine.children(recursive=True) if each.status() != psutil.STATUS_ZOMBIE]
    projects = root / "projects"
    return {
        "window": written(mine),
        "workers": {str(each.pid): written(each) for each in children if "spawn_main" in _words(each)},
        "objects": len(gc.get_objects()),
        "processes": len(children),
        "threads": mine.num_threads(),
        "threads of workers": sum(each.num_threads() for each in children),
        "open files": mine.num_fds(),
        "open files of workers": sum(each.num_fds() for each in children),
        "files": sum(1 for each in root.rglob("*") if each.is_file() and each.parent != projects),
    }


def written(process: psutil.Process) -> int:
    """Bytes that a process has written to and holds; where the system does not tell, all that are its own."""
    rollup = Path(f"/proc/{process.pid}/smaps_rollup")
    if not rollup.exists():
        return int(process.memory_full_info().uss)
    (line,) = (line for line in rollup.read_text().splitlines() if line.startswith("Anonymous:"))
    return 1024 * int(line.split()[1])


def _words(process: psutil.Process) -> str:
    return " ".join(process.cmdline())


async def serve(window: MainWindow, root: Path, asked: argparse.Namespace) -> None:
    """Do things until the time is over, and note what is held after each turn."""
    pool.GRACE_SECONDS = _REST_SECONDS  # a busy machine would replace the workers whose memory is watched
    soak = Soak(window, asked.seed)
    warming = asyncio.ensure_future(window.session.warm())
    window.prepare()
    await warming
    await soak.begin()
    began = time.monotonic()
    with asked.file.open("a") as file:
        while (at := time.monotonic() - began) < 60 * asked.minutes:
            await soak.turn()
            await settled()
            errors = [each.sentence for each in window.messages.messages if each.role == "error"]
            line = {"seconds": round(at), **held(root), "done": soak.done, "lost": soak.lost, "errors": errors}
            file.write(json.dumps(line) + "\n")
            file.flush()


def slope(lines: list[dict[str, Any]], values: list[float]) -> tuple[float, float, float]:
    """Growth an hour of the straight line through values, its standard error, and the median of all pairs' slopes.

    What a process holds for a while and returns bends the line where it is near an end, the median hardly.
    """
    from scipy.stats import theilslopes  # 55 MB that the window would hold meanwhile

    hours = np.array([line["seconds"] / 3600 for line in lines])
    (growth, _), covariance = np.polyfit(hours, values, 1, cov=True)
    return float(growth), float(np.sqrt(covariance[0, 0])), float(theilslopes(values, hours).slope)


def show(lines: list[dict[str, Any]]) -> None:
    """Print the table."""
    half = lines[-1]["seconds"] / 2
    later = [line for line in lines if line["seconds"] >= half]
    first, last = later[0], later[-1]
    done = ", ".join(f"{count} x {kind}" for kind, count in last["done"].items())
    print(f"{last['seconds'] / 60:.0f} minutes, looked at {len(lines)} times: {done}.")
    print(f"Reopened runs with fewer measurements than before: {last['lost']}. Error messages: {len(last['errors'])}.")
    print("\n| | at half time | at the end | slope an hour | median slope |\n| --- | ---: | ---: | ---: | ---: |")
    processes = [("window, MB", [line["window"] / 1e6 for line in later])]
    for place, worker in enumerate(last["workers"], start=1):
        values = [line["workers"].get(worker) for line in later]
        if None not in values:
            processes.append((f"worker {place}, MB", [value / 1e6 for value in values]))
    for name, values in processes:
        growth, error, middle = slope(later, values)
        print(f"| {name} | {values[0]:.1f} | {values[-1]:.1f} | {growth:+.2f} ± {error:.2f} | {middle:+.2f} |")
    names = ("objects", "processes", "threads", "threads of workers", "open files", "open files of workers", "files")
    for name in names:
        growth, error, middle = slope(later, [line[name] for line in later])
        print(f"| {name} | {first[name]} | {last[name]} | {growth:+.2f} ± {error:.2f} | {middle:+.2f} |")


def main() -> None:
    """Soak, or show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show:
        show([json.loads(line) for line in asked.file.read_text().splitlines()])
        return
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    with tempfile.TemporaryDirectory(prefix="fsdesk-soak-") as place, loop:
        root = Path(place)
        folders = Folders.under(root)
        folders.make()
        os.environ["TMPDIR"] = tempfile.tempdir = str(root / "tmp")  # what is left there is counted
        (root / "tmp").mkdir()
        window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
        window.show()

        async def scene() -> None:
            try:
                await serve(window, root, asked)
            finally:
                await window.session.close()
                window.hide()

        loop.run_until_complete(scene())


if __name__ == "__main__":
    main()
