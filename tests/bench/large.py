"""Searches of very large tables under a limit of time: `python tests/bench/large.py`.

Each table is shared through a mapped file, as workers have it, and searched for half a minute in a process of its own
on one thread. Noted are the most memory that the process held, mapped pages included, and how long after its limit the
search ended, in seconds of the wall: on a busy machine it waits for the processor, too.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from fsdesk.data import Dataset, share
from fsdesk.engine import BaselineMeasured, RunSpec, ThreadExecutor, run
from fsdesk.engine.tasks import evaluator_of

SIZES = ((200, 1_000_000), (200_000, 50), (1_000_000, 20))
WAYS = {
    "nn": {},
    "nn, 10,000 rows": {"search_rows": 10_000},
    "nb, hold-out": {"protocol": "hold-out", "repeats": 1},
}
MINUTES = 0.5


def table(rows: int, features: int) -> Dataset:
    """Noise, and one feature that differs between the classes."""
    rng, target = np.random.default_rng(0), np.arange(rows) % 2
    x = np.empty((rows, features), order="F")
    for first in range(0, features, 1000):
        x[:, first : first + 1000] = rng.standard_normal((rows, min(1000, features - first)))
    x[:, 0] += target
    names = tuple(f"f{place}" for place in range(features))
    return Dataset("large", x, names, target, "class", ("a", "b"), ("",) * rows)


def searched(rows: int, features: int, way: str) -> None:
    """Print what was noted."""
    with tempfile.TemporaryDirectory() as folder:
        shared = share(table(rows, features), Path(folder))
        dataset = shared.open()
        model, settings = way.partition(",")[0], {"max_minutes": MINUTES, **WAYS[way]}
        spec = RunSpec.make(dataset, method="bspsa", wrapper=model, seed=0, settings=settings)
        baseline, measured = 0.0, 0
        with ThreadExecutor(evaluator_of(spec, dataset), 1) as executor:
            started = time.monotonic()
            for event in run(spec, dataset, executor):
                if event.kind == "RunStarted":
                    started = time.monotonic()
                if isinstance(event, BaselineMeasured):
                    baseline = event.seconds
                    started = time.monotonic()
                measured += len(getattr(event, "masks", ()))
            over = time.monotonic() - started - 60 * MINUTES
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(f"{held:.1f} / {f'{baseline:.1f}' if baseline else 'not in time'} / {measured:,} / {over:+.1f}")


def main() -> None:
    """Print the table."""
    if len(sys.argv) > 1:
        searched(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
        return
    print(f"| rows x features | array, GB | {' | '.join(WAYS)} |\n| --- | ---: |{' ---: |' * len(WAYS)}")
    for rows, features in SIZES:
        cells = [f"{rows:,} x {features:,}", f"{rows * features * 8 / 1024**3:.2f}"]
        for way, settings in WAYS.items():
            if rows <= settings.get("search_rows", 0):
                cells.append("")
                continue
            command = [sys.executable, __file__, str(rows), str(features), way]
            cells.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
