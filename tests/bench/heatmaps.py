"""Times and memory of the heatmap of weights of 22,283 features while a search of 3,000 iterations is drawn live.

Run it with ``python tests/bench/heatmaps.py``. Times are those of the thread that draws, so that other work on the
machine does not count; the goal is less than 50 ms for each.
"""

import os
import resource
import time

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from fsdesk.app.plots.trace_map import TraceMap, rows_by
from fsdesk.engine import BatchMeasured, RunStarted, RunState, pack_masks

_FEATURES, _ITERATIONS = 22_283, 3_000


def main() -> None:
    """Print the longest and the median time of each step, with names and with all rows."""
    application = QApplication([])
    before = _megabytes()
    for all_rows in (False, True):
        times = _live(all_rows)
        print("all rows" if all_rows else "rows with names")
        for name, taken in times.items():
            print(f"  {name}: {max(taken):.1f} ms at most, median {np.median(taken):.1f} ms")
    print(f"memory: {_megabytes() - before:.0f} MB more than before, at most")
    application.processEvents()


def _live(all_rows: bool) -> dict[str, list[float]]:
    """A search that is drawn after every 30 iterations and sorted again after every 150."""
    rng, state = np.random.default_rng(0), RunState()
    state.apply(RunStarted({}, tuple(f"gene_{place}" for place in range(_FEATURES))))
    canvas = TraceMap()
    canvas.resize(760, 300)
    canvas.show_state(state, "weights")
    canvas.show_all_rows(all_rows)
    weights = np.full(_FEATURES, 128.0)
    times: dict[str, list[float]] = {"event": [], "update": [], "sort": [], "paint": []}

    def timed(name: str, function: object, *arguments: object) -> None:
        started = time.thread_time()
        function(*arguments)  # type: ignore[operator]
        times[name].append(1000 * (time.thread_time() - started))

    for step in range(_ITERATIONS):
        weights = np.clip(weights + rng.normal(0, 2, _FEATURES), 0, 255)
        now = weights.astype(np.uint8)
        masks = pack_masks([now >= 128])
        timed("event", state.apply, BatchMeasured(step + 1, masks, (True,), np.full((1, 10), 0.2), step, now))
        if step % 30 == 0:
            canvas.show_range(0, max(20, step))
            timed("update", canvas.refresh)
            if step % 150 == 0:
                timed("sort", lambda: canvas.show_order(rows_by(state, "weight")))
            timed("paint", canvas.grab)
    return times


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
