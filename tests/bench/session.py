"""A scripted session in the real window on 20,000 genes: its stalls, its memory, and what it does at rest.

Run it with nothing else running; the goals are those of the project: no stall over 200 ms by the window's own work, and
memory flat to within 50 MB.

    python tests/bench/session.py                 # 10 minutes with 8 runs: the longest stalls, and where they were
    python tests/bench/session.py --minutes 3
    python tests/bench/session.py --memory        # 20 projects opened and closed: what stays
    python tests/bench/session.py --many 40       # a project with 40 runs: opening it, and what a run takes
    python tests/bench/session.py --rest          # a window that nobody touches: its processor time and its timers

"own" is the processor time of the window's thread in a stall: on a busy machine the wall time says little.
"""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import qasync
from PySide6.QtCore import (
    QAbstractEventDispatcher,
    QMessageLogContext,
    QSettings,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication
from steps import plans, steps
from watching import Watch, load

from fsdesk.app.start import make_window
from fsdesk.app.window import MainWindow
from fsdesk.data import load_sample, prepare
from fsdesk.engine import BatchMeasured, RunFinished, RunSpec, RunStarted, pack_masks
from fsdesk.paths import Folders
from fsdesk.store import Project

_PAUSE_SECONDS = 0.15


async def until(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait while the window goes on living."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        await asyncio.sleep(0.02)


async def quiet(window: MainWindow) -> None:
    """Wait until nothing that was begun is under way."""
    await until(lambda: not window.session.tasks.working)


async def open_genes(window: MainWindow) -> None:
    """Open the sample and wait until it can be searched."""
    window.open_sample("genes")
    await until(lambda: window.session.loader.dataset is not None)
    await asyncio.sleep(1)


async def play(window: MainWindow, watch: Watch, minutes: float) -> None:
    """Eight runs, and a person who uses everything meanwhile."""
    watch.doing = "opening the sample"
    await open_genes(window)
    print(f"the sample is open after {time.perf_counter() - watch.started:.0f} s", flush=True)
    watch.doing = "queueing the runs"
    window.session.run_actions.set_at_once(3)
    await window.session.run_actions.launch_all(plans(3, 5))
    end = time.monotonic() + 60 * minutes
    watch.doing = "beginning"
    await until(lambda: any(run.state.best is not None for run in window.session.runs))
    print(f"searching after {time.perf_counter() - watch.started:.0f} s", flush=True)
    for doing in steps(window):
        await asyncio.sleep(_PAUSE_SECONDS)  # what the step before has led to
        watch.doing = doing
        if time.monotonic() > end:
            break
    watch.doing = "stopping"


async def open_and_close(window: MainWindow, root: Path, warming: asyncio.Future[Any], times: int = 20) -> None:
    """Open a project, look at all of it, and leave it, once the workers are warm: compiling would count as growth."""
    await warming
    paths = [made_project(root / f"{name}.fsdesk", runs=3, iterations=300) for name in ("one", "other")]
    window.prepare()
    first, first_workers = 0.0, 0.0
    for turn in range(1, times + 1):
        await window.session.open_project(paths[turn % 2])
        await quiet(window)
        for page in ("data", "search", "result", "compare", "search"):
            window.show_page(page)
            await asyncio.sleep(0.3)
        for key in ("selection", "data", "runs", "weights"):
            window.workspace.search.heatmap.view.buttons[key].click()
            await asyncio.sleep(0.2)
        for run in list(window.session.runs):
            window.workspace.search.show_run(run)
            await asyncio.sleep(0.2)
        await quiet(window)
        await window.session.leave_project()
        gc.collect()
        now = load()
        held, workers = now.window / 1e6, now.workers / 1e6
        print(f"{turn:2d}: window {held:5.0f} MB, workers {workers:5.0f} MB, {counted(window)}", flush=True)
        if turn == 3:
            first, first_workers = held, workers
    print(f"growth after the third: window {held - first:.0f} MB, workers {workers - first_workers:.0f} MB")


def counted(window: MainWindow) -> str:
    """Things of which none should stay behind."""
    kinds = ("Run", "RunState", "Findings", "Trace", "Line", "Dataset", "QTimer", "QDialog")
    names = [type(each).__name__ for each in gc.get_objects()]
    shared = sum(path.stat().st_size for path in window.session.folders.shared.rglob("*") if path.is_file())
    return ", ".join(f"{name} {names.count(name)}" for name in kinds) + f", on disk {shared / 1e6:.0f} MB"


def made_project(path: Path, *, runs: int, iterations: int) -> Path:
    """A project with finished runs of the 20,000 genes, without searching."""
    dataset = prepare(load_sample("genes"))
    project, rng = Project.create(path), np.random.default_rng(0)
    project.add_dataset(dataset)
    p = len(dataset.features)
    for seed in range(runs):
        spec = RunSpec.make(dataset, method="bspsa", wrapper="nn", seed=seed, settings={})
        run = project.add_run(spec)
        project.append([(run, RunStarted(spec.model_dump(mode="json"), dataset.features))])
        weights = np.full(p, 128.0)
        for step in range(iterations):
            weights = np.clip(weights + rng.normal(0, 2, p), 0, 255)
            masks = pack_masks([weights >= 128, rng.random(p) < 0.5, rng.random(p) < 0.5])
            event = BatchMeasured(1 + 3 * step, masks, (True, False, False), rng.normal(0.2, 0.01, (3, 10)), step + 1,
                                  weights.astype(np.uint8), {}, 0.05)  # fmt: skip
            project.append([(run, event)])
        project.append([(run, RunFinished("its end", False, weights / 255))])
    project.close()
    return path


async def open_many(window: MainWindow, watch: Watch, root: Path, runs: int) -> None:
    """Open a project with many runs, and look at each of them."""
    path = await asyncio.to_thread(made_project, root / "many.fsdesk", runs=runs, iterations=1000)
    window.prepare()
    gc.collect()
    before, started = load().window, time.perf_counter()
    watch.stalls.clear()
    watch.doing = "opening the project"
    await window.session.open_project(path)
    print(f"shown after {time.perf_counter() - started:.1f} s", flush=True)
    await quiet(window)
    print(f"everything read after {time.perf_counter() - started:.1f} s", flush=True)
    print(f"{(load().window - before) / 1e6 / runs:.1f} MB for each run", flush=True)
    for page in ("compare", "search"):
        watch.doing = f"page {page}"
        window.show_page(page)
        await asyncio.sleep(1.0)
    watch.doing = "looking at each run"
    for run in list(window.session.runs):
        window.workspace.search.show_run(run)
        await asyncio.sleep(0.3)
    await quiet(window)
    print(f"{(load().window - before) / 1e6:.0f} MB more than before when each has been looked at")


async def rest(window: MainWindow, seconds: float = 20.0) -> None:
    """Nobody does anything: how often the window wakes up, and what that takes."""
    await open_genes(window)
    for page in ("search", "data", "result", "compare"):
        window.show_page(page)
        await asyncio.sleep(2)
        woken = [0]
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None

        def count(woken: list[int] = woken) -> None:
            woken[0] += 1

        dispatcher.awake.connect(count)
        used, started = time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        used, took = time.process_time() - used, time.perf_counter() - started
        dispatcher.awake.disconnect(count)
        print(f"page {page}: {100 * used / took:.2f} % of a core, {woken[0] / took:.1f} wake-ups a second")
    timers = [each for each in gc.get_objects() if isinstance(each, QTimer)]
    for timer in timers:
        if timer.isActive():
            print(f"timer of {type(timer.parent()).__name__}: every {timer.interval()} ms")


def tell_warning(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Print what Qt warns of, and from where it came."""
    if "This plugin does not support" not in text:  # without a screen there is nothing to raise or to grab
        print(text, *traceback.format_stack(limit=8)[:-1], sep="\n", flush=True)


def main() -> None:
    """Play what is asked for, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--many", type=int, default=0, metavar="RUNS")
    parser.add_argument("--rest", action="store_true")
    asked = parser.parse_args()
    qInstallMessageHandler(tell_warning)
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    with tempfile.TemporaryDirectory(prefix="fsdesk-session-") as place, loop:
        root = Path(place)
        folders = Folders.under(root)
        folders.make()
        window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
        window.show()
        watch = Watch()

        async def serve() -> None:
            warming = asyncio.ensure_future(window.session.warm())  # goes on beside all else, as for a user
            window.prepare()
            gc.freeze()
            window.start_autosave()
            scene: Coroutine[Any, Any, None]
            if asked.memory:
                scene = open_and_close(window, root, warming)
            elif asked.rest:
                scene = rest(window)
            else:
                watch.begin()
                scene = open_many(window, watch, root, asked.many) if asked.many else play(window, watch, asked.minutes)
            try:
                await scene
            finally:
                said = [each.sentence for each in window.messages.messages if each.role == "error"]
                if not (asked.memory or asked.rest):
                    watch.end()
                    print("\n".join(watch.report()), flush=True)
                print("\n".join(said))
                warming.cancel()
                await window.session.close()
                window.hide()

        loop.run_until_complete(serve())


if __name__ == "__main__":
    main()
