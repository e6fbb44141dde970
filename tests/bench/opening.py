"""How long large projects take to open, and a frame of a heatmap of 1,000,000 features.

CPU time, so that a busy machine spoils little. A project is opened as the window does, with the states of its runs:
as they were kept while these went on, and when another version kept states that cannot be used, so that the whole log
must be read. Then its longest run's history is read for the plots. The heatmap is panned: each frame shows another
range of iterations, of all rows and of those that have names.
"""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from fsdesk.app.plots.trace_map import TraceMap, rows_by
from fsdesk.app.session.replay import all_replayed
from fsdesk.data import Dataset
from fsdesk.engine import BatchMeasured, Event, RunFinished, RunSpec, RunStarted, RunState, StepHistory, pack_masks
from fsdesk.store import Project

PROJECTS = {
    "1 run of 100,000 iterations, killed": (1, 100_000, False),
    "500 runs of 200 iterations": (500, 200, True),
}
FEATURES, LARGE, FRAMES = 60, 1_000_000, 40
_AT_ONCE = 100  # events in a transaction


def made(path: Path, runs: int, iterations: int, ended: bool) -> None:
    """A project of runs that came to their end or were killed, without searching."""
    rng = np.random.default_rng(0)
    names = tuple(f"f{place}" for place in range(FEATURES))
    x = np.asfortranarray(rng.normal(size=(200, FEATURES)))
    dataset = Dataset("made", x, names, np.arange(200) % 2, "class", ("a", "b"), ("",) * 200)
    project = Project.create(path)
    project.add_dataset(dataset)
    for seed in range(runs):
        spec = RunSpec.make(dataset, method="bspsa", seed=seed, settings={"max_iterations": iterations})
        run = project.add_run(spec)
        events: list[Event] = [RunStarted(spec.model_dump(mode="json"), names)]
        weights = np.full(FEATURES, 128.0)
        for step in range(iterations):
            weights = np.clip(weights + rng.normal(0, 2, FEATURES), 0, 255)
            masks = pack_masks([weights >= 128, rng.random(FEATURES) < 0.5, rng.random(FEATURES) < 0.5])
            losses = rng.normal(0.2, 0.01, (3, 10))
            kinds = (True, False, False)
            events.append(
                BatchMeasured(1 + 3 * step, masks, kinds, losses, step + 1, weights.astype(np.uint8), {}, 0.05)
            )
        if ended:
            events.append(RunFinished("its end", False, weights / 255))
        for first in range(0, len(events), _AT_ONCE):
            project.append((run, event) for event in events[first : first + _AT_ONCE])
    project.close()


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of this thread."""
    started = time.thread_time()
    work()
    return time.thread_time() - started


def project_times(path: Path) -> list[float]:
    """Seconds to open, to open with all of the log, and to read the history of the first run."""
    taken = []
    for forget in (False, True):
        opened: list[Project] = []
        if forget:
            with sqlite3.connect(path) as connection:
                connection.execute("DELETE FROM summary")
            connection.close()
        taken.append(timed(lambda opened=opened: all_replayed(opened.append(Project.open(path)) or opened[0])))
        opened[0].close()
    project = Project.open(path)
    _, logged = project.summed_up(1)
    taken.append(timed(lambda: project.fold_steps(StepHistory(), 1, 0, logged)))
    project.close()
    return taken


def frames(all_rows: bool) -> list[float]:
    """Milliseconds of each frame while a heatmap of many features is panned."""
    rng, state = np.random.default_rng(0), RunState()
    state.apply(RunStarted({}, tuple(f"v{place}" for place in range(LARGE))))
    for step in range(200):
        now = rng.integers(0, 256, LARGE, dtype=np.uint8)
        state.apply(BatchMeasured(step + 1, pack_masks([now >= 128]), (True,), np.full((1, 1), 0.2), step + 1, now))
    canvas = TraceMap()
    canvas.resize(1200, 600)
    canvas.show_state(state, "weights")
    canvas.show_order(rows_by(state, "weight"))
    canvas.show_all_rows(all_rows)
    canvas.show_range(0, 60)
    canvas.grab()
    return [
        1000 * timed(lambda left=left: (canvas.show_range(left, left + 60), canvas.grab()))
        for left in np.linspace(0, 140, FRAMES)
    ]


def main() -> None:
    """Print a sentence for each."""
    with tempfile.TemporaryDirectory() as folder:
        for place, (name, (runs, iterations, ended)) in enumerate(PROJECTS.items()):
            path = Path(folder) / f"{place}.fsdesk"
            made(path, runs, iterations, ended)
            size = path.stat().st_size / 1e6
            opened, whole, history = project_times(path)
            print(f"A project of {name} ({size:.0f} MB) opens in {opened:.2f} s, {whole:.2f} s with the whole log, and "
                  f"the history of a run is read in {history:.2f} s.", flush=True)  # fmt: skip
    application = QApplication([])
    named, whole = (
        f"{np.median(taken):.1f} ms (longest {max(taken):.1f})"
        for taken in (frames(all_rows=False), frames(all_rows=True))
    )
    print(f"A frame of a heatmap of {LARGE:,} features that is panned takes {named} with names, {whole} with all rows.")
    application.processEvents()


if __name__ == "__main__":
    main()
