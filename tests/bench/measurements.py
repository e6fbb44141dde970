"""Milliseconds of one measurement beside scikit-learn doing the same work: the same folds, one thread, this process.

Run it with ``python tests/bench/measurements.py [folder with the data sets]``; it prints a table for RESULTS.md.
Nothing else should be running on the machine.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from fsdesk import Dataset, Evaluator, read_table, select

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
FILES = ["ionosphere.arff", "sonar.arff", "segment.arff", "waveform5000.arff", "arrhythmia.arff", "warpAR10P.mat"]


class Folds:
    """The folds of one measurement, as scikit-learn takes them."""

    def __init__(self, labels: NDArray[np.int64]) -> None:
        self.labels = labels

    def split(self, x: object, y: object = None, groups: object = None) -> Iterator[tuple[object, object]]:
        for row in self.labels:
            for fold in range(5):
                yield np.flatnonzero(row != fold), np.flatnonzero(row == fold)

    def get_n_splits(self, x: object = None, y: object = None, groups: object = None) -> int:
        return 5 * len(self.labels)


def data_sets(folder: Path) -> Iterator[Dataset]:
    """The real data sets, and a table as wide as a chip of genes."""
    for name in FILES:
        ignore = [f"x{column}" for column in range(22, 41)] if name.startswith("waveform") else []
        yield read_table(folder / name, ignore=ignore)
    rng = np.random.default_rng(0)
    target = np.arange(104, dtype=np.int64) % 2
    x = np.asfortranarray(rng.normal(size=(104, 22_283)))
    x[:, :200] += target[:, None]
    names = tuple(f"gene {column}" for column in range(22_283))
    yield Dataset("104 x 22,283", x, names, target, "class", ("a", "b"), tuple(map(str, range(104))))


def quickest(work: Callable[[int], object], least: int = 5, seconds: float = 1.5) -> float:
    """Median time of a call in milliseconds, after one to warm up."""
    work(0)
    times: list[float] = []
    while len(times) < least or sum(times) < seconds:
        started = time.perf_counter()
        work(len(times))
        times.append(time.perf_counter() - started)
    return 1000 * float(np.median(times))


def scikit_learn(dataset: Dataset, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> float:
    """Mean error of the Pipeline over the folds."""
    x = np.ascontiguousarray(dataset.x[:, mask])
    steps = [SimpleImputer(strategy="median")] if np.isnan(x).any() else []
    model = make_pipeline(*steps, StandardScaler(), KNeighborsClassifier(1))
    return 1 - float(cross_val_score(model, x, dataset.target, cv=Folds(labels)).mean())


def main(folder: Path) -> None:
    """Print the table."""
    print("| data set | rows x features measured | scikit-learn ms | fold ms | ratio | once ms | ratio |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for dataset in data_sets(folder):
        p = len(dataset.features)
        mask = np.zeros(p, dtype=np.bool_)
        mask[np.random.default_rng(0).permutation(p)[: p // 2]] = True
        fold, once = Evaluator(dataset, scaling="fold"), Evaluator(dataset, scaling="once")
        labels = fold.fold_labels(0)
        theirs = quickest(lambda _, d=dataset, m=mask, f=labels: scikit_learn(d, m, f), least=3)
        ours = [quickest(lambda number, e=evaluator, m=mask: e.measure(m, number)) for evaluator in (fold, once)]
        print(
            f"| {dataset.name} | {len(dataset.target):,} x {int(mask.sum()):,} | {theirs:.0f} "
            f"| {ours[0]:.2f} | {theirs / ours[0]:.0f} x | {ours[1]:.2f} | {theirs / ours[1]:.0f} x |",
            flush=True,
        )


def whole_run(folder: Path) -> None:
    """Time the paper's run on ionosphere: BSPSA with 1-NN, the paper's settings."""
    dataset = read_table(folder / "ionosphere.arff")
    for workers in (1, 2):
        for seed in range(3):
            started = time.perf_counter()
            result = select(dataset, method="bspsa", seed=seed, workers=workers)
            print(
                f"ionosphere, seed {seed}, {workers} at once: {time.perf_counter() - started:.1f} s, "
                f"{result.evaluations} measurements, error {100 * result.search_error:.2f} %, "
                f"{len(result.features)} features",
                flush=True,
            )


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    with threadpool_limits(1):
        main(folder)
    print()
    whole_run(folder)
