"""What a second thread gains: two threads that only measure, batches of masks as a search hands them out, searches.

Run it with ``python tests/bench/threads.py [folder with the data sets]``; it prints tables for RESULTS.md, with
``--searches`` that of whole searches alone, in four minutes. Nothing else should be running on the machine. All ways of
a row take turns, so that all meet the same machine; medians.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset, read_table
from fsdesk.engine import BatchMeasured, RunSpec, ThreadExecutor, run
from fsdesk.measure import Evaluator
from fsdesk.results.result import evaluator_of

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_TURNS, _TURN_SECONDS = 9, 0.25
_BATCHES = (2, 8, 24)

CASES = [
    ("sonar.arff", "nn", "fold"), ("ionosphere.arff", "nn", "once"), ("ionosphere.arff", "nn", "fold"),
    ("ionosphere.arff", "nb", "fold"), ("warpAR10P.mat", "nn", "once"), ("segment.arff", "nn", "fold"),
    ("warpAR10P.mat", "nn", "fold"), ("sonar.arff", "c45", "fold"), ("ionosphere.arff", "c45", "fold"),
    ("sonar.arff", "svm", "fold"), ("arrhythmia.arff", "nn", "fold"), ("warpAR10P.mat", "svm", "fold"),
    ("segment.arff", "cart", "fold"), ("waveform5000.arff", "nn", "fold"), ("segment.arff", "c45", "fold"),
    ("segment.arff", "svm", "fold"),
]  # fmt: skip

SEARCHES = ["bspsa", "bspsa-h", "annealing", "sfs", "bga", "swarm"]  # ask for three, three, one, many, many, many
SEARCHED = [("sonar.arff", "nn"), ("sonar.arff", "c45"), ("ionosphere.arff", "svm"), ("segment.arff", "nn")]
_SEARCH_MEASUREMENTS, _SEARCH_SECONDS = 400, 6.0
_FEWEST, _MOST = 2, 15  # turns of a search


def alone(evaluator: Evaluator, mask: np.ndarray) -> Callable[[], float]:
    """Seconds a measurement, one after another."""

    def turn() -> float:
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < _TURN_SECONDS:
            evaluator.measure(mask, done)
            done += 1
        return (time.perf_counter() - started) / done

    return turn


def two_alone(evaluator: Evaluator, mask: np.ndarray) -> Callable[[], float]:
    """Seconds a measurement, where two threads do nothing but measure."""
    one = alone(evaluator, mask)

    def turn() -> float:
        seconds: list[float] = []
        threads = [threading.Thread(target=lambda: seconds.append(one())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return 1 / sum(1 / each for each in seconds)

    return turn


def in_batches(executor: ThreadExecutor, mask: np.ndarray, size: int) -> Callable[[], float]:
    """Seconds a measurement, where so many masks are handed out at once."""
    masks = [mask] * size

    def turn() -> float:
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < _TURN_SECONDS:
            executor.measure(masks, done)
            done += size
        return (time.perf_counter() - started) / done

    return turn


def row(dataset: Dataset, wrapper: str, scaling: str) -> str:
    """One row of the table, of a random half of the features."""
    p = len(dataset.features)
    mask = np.zeros(p, dtype=np.bool_)
    mask[np.random.default_rng(0).permutation(p)[: max(1, p // 2)]] = True
    evaluator = Evaluator(dataset, wrapper, scaling=scaling)
    executors = [ThreadExecutor(evaluator, 2) for _ in _BATCHES]
    ways = [alone(evaluator, mask), two_alone(evaluator, mask)]
    ways += [in_batches(executor, mask, size) for executor, size in zip(executors, _BATCHES, strict=True)]
    with threadpool_limits(1):
        for way in ways:
            way()  # the first may compile, and executors try which way is quicker
        seconds = np.median([[way() for way in ways] for _ in range(_TURNS)], axis=0)
    gains = " | ".join(f"{seconds[0] / each:.2f} x" for each in seconds[1:])
    return f"| {dataset.name} | {wrapper} {scaling} | {1000 * seconds[0]:.3g} | {gains} |"


def search(dataset: Dataset, wrapper: str, method: str, threads: int) -> tuple[float, int]:
    """Seconds of a whole search, and how many measurements it took."""
    limit = {"max_measurements": _SEARCH_MEASUREMENTS}
    spec = RunSpec.make(dataset, method=method, wrapper=wrapper, settings=limit)
    with ThreadExecutor(evaluator_of(spec, dataset), threads) as executor:
        started = time.perf_counter()
        measured = [len(event.values) for event in run(spec, dataset, executor) if isinstance(event, BatchMeasured)]
        return time.perf_counter() - started, sum(measured)


def searches(dataset: Dataset, wrapper: str) -> Iterator[str]:
    """Rows of the table of whole searches."""
    for method in SEARCHES:
        _, many = search(dataset, wrapper, method, 2)  # may compile
        turns: list[list[float]] = []
        while len(turns) < _FEWEST or (len(turns) < _MOST and np.sum(turns) < _SEARCH_SECONDS):
            turns.append([search(dataset, wrapper, method, threads)[0] for threads in (1, 2)])
        one, two = np.median(turns, axis=0)
        yield f"| {dataset.name} | {wrapper} | {method} | {many:,} | {one:.2f} | {two:.2f} | {one / two:.2f} x |"


def main(folder: Path, *, only_searches: bool) -> None:
    """Print both tables, or the second one."""
    if not only_searches:
        batches = " | ".join(f"batches of {size}" for size in _BATCHES)
        print(f"| data set | model | one at a time, ms | two alone | {batches} |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        for name, wrapper, scaling in CASES:
            print(row(read_table(folder / name), wrapper, scaling), flush=True)
        print()
    print("| data set | model | method | measurements | one thread, s | two threads, s | gain |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for name, wrapper in SEARCHED:
        for line in searches(read_table(folder / name), wrapper):
            print(line, flush=True)


if __name__ == "__main__":
    folders = [Path(each) for each in sys.argv[1:] if each != "--searches"]
    main(folders[0] if folders else FOLDER, only_searches="--searches" in sys.argv)
