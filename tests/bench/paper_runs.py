"""Whole runs beside the paper's run times: BSPSA with the paper's settings, two measurements at once.

Nothing else should be running on the machine. A sample of each search is timed, its first steps left out: they may
compile.

    python tests/bench/paper_runs.py                # a table for RESULTS.md
    python tests/bench/paper_runs.py --folder PATH  # where the data sets are
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from fsdesk.data import Dataset, read_table
from fsdesk.engine import BatchMeasured, RunSpec, ThreadExecutor, run
from fsdesk.engine.tasks import evaluator_of

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_SAMPLE_SECONDS, _FIRST_STEPS = 9.0, 20
_AN_ITERATION = 3  # measurements

# Iterations, and minutes on 16 cores: the paper's table of run times.
PAPER = {
    "ionosphere.arff": {"nn": (592, 4.19), "c45": (808, 3.94), "svm": (725, 4.59)},
    "segment.arff": {"nn": (539, 1.94), "c45": (559, 4.87), "svm": (263, 9.42)},
    "sonar.arff": {"nn": (971, 3.23), "c45": (465, 2.39), "svm": (764, 4.41)},
    "waveform5000.arff": {"nn": (667, 2.99), "c45": (425, 14.35), "svm": (883, 859.93)},
    "arrhythmia.arff": {"nn": (3000, 8.63), "c45": (2090, 41.28), "svm": (1304, 203.57)},
    "warpAR10P.mat": {"nn": (3000, 12.95), "c45": (3000, 81.72), "svm": (3000, 706.32)},
}


def data_sets(folder: Path) -> Iterator[tuple[str, Dataset]]:
    """The paper's tables at hand; its waveform has 21 columns, without those of noise."""
    for name in PAPER:
        ignore = [f"x{column}" for column in range(22, 41)] if name.startswith("waveform") else []
        yield name, read_table(folder / name, ignore=ignore)


def seconds_of(dataset: Dataset, wrapper: str) -> float:
    """Seconds of one measurement of the search, all that the search does beside measuring included."""
    spec = RunSpec.make(dataset, method="bspsa", wrapper=wrapper, settings={"max_iterations": 100_000})
    measured, started, steps = 0, 0.0, 0
    with ThreadExecutor(evaluator_of(spec, dataset), 2) as executor:
        for event in run(spec, dataset, executor):
            if not isinstance(event, BatchMeasured):
                continue
            steps += 1
            if steps == _FIRST_STEPS:
                measured, started = 0, time.perf_counter()
            elif steps > _FIRST_STEPS:
                measured += len(event.values)
                if time.perf_counter() - started > _SAMPLE_SECONDS:
                    break
        return (time.perf_counter() - started) / max(1, measured)


def main(folder: Path) -> None:
    """Print the table."""
    print("| data set | nn | c45 | svm |\n| --- | ---: | ---: | ---: |")
    for name, dataset in data_sets(folder):
        cells = []
        for wrapper, (iterations, minutes) in PAPER[name].items():
            ours = seconds_of(dataset, wrapper) * _AN_ITERATION * iterations / 60
            cells.append(f"{minutes} / {ours:.3g} = {minutes / ours:.0f} x")
        print(f"| {dataset.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the data sets")
    main(parser.parse_args().folder)
