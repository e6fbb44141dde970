"""BSPSA as in the paper in plain numpy, without a line of fsdesk: a second opinion on two figures of `honesty.py`.

`python tests/bench/plain_search.py TABLE.arff --seeds 10`, some ten minutes of one core: numbers of an ARFF table with
the class last, all rows scaled once, nearest neighbors, 10 x 5 folds. Prints the error in the search, that of the same
answers on fresh folds, and their difference, with standard errors over the seeds; then the same on shuffled targets.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.io import arff

FOLDS, REPEATS, FRESH = 5, 10, 20
ITERATIONS, STALL = 1000, 250
A, STEP, ALPHA, C = 100.0, 0.75, 0.6, 0.05

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Mask = NDArray[np.bool_]


class Table:
    """Scaled numbers and classes, and the cross-validated error of a subset."""

    def __init__(self, path: Path) -> None:
        columns, meta = arff.loadarff(path)
        x = np.array([columns[name] for name in meta.names()[:-1]], dtype=np.float64).T
        self.x: Floats = (x - x.mean(axis=0)) / x.std(axis=0)
        self.classes: Codes = np.unique(columns[meta.names()[-1]], return_inverse=True)[1]

    def error(self, mask: Mask, classes: Codes, rng: np.random.Generator) -> float:
        """Share of rows whose nearest row of the other folds has another class, mean over the repeats."""
        rows = len(classes)
        products = self.x[:, mask] @ self.x[:, mask].T
        squares = np.diag(products)
        distances, misses = squares[:, None] + squares - 2 * products, 0.0
        for _ in range(REPEATS):
            fold = np.arange(rows)[rng.permutation(rows)] % FOLDS
            nearest = np.where(fold[:, None] == fold, np.inf, distances).argmin(axis=1)
            misses += float(np.mean(classes[nearest] != classes))
        return misses / REPEATS


def rounded(w: Floats) -> Mask:
    """The subset that weights stand for, never empty."""
    mask: Mask = w >= 0.5
    mask[w.argmax()] |= not mask.any()
    return mask


def searched(table: Table, classes: Codes, rng: np.random.Generator) -> tuple[float, float]:
    """Smallest error of a search, and the error of that subset on fresh folds."""
    p = table.x.shape[1]
    w, best, answer, found = np.full(p, 0.5), np.inf, np.ones(p, dtype=np.bool_), 0
    for k in range(ITERATIONS):
        delta = rng.choice([-1.0, 1.0], p)
        plus, minus = (table.error(rounded(np.clip(w + sign * C * delta, 0, 1)), classes, rng) for sign in (1.0, -1.0))
        w = np.clip(w - STEP / (A + k + 1) ** ALPHA * (plus - minus) / (2 * C * delta), 0, 1)
        error = table.error(rounded(w), classes, rng)
        if error < best:
            best, answer, found = error, rounded(w), k
        elif k - found > STALL:
            break
    return best, float(np.mean([table.error(answer, classes, rng) for _ in range(FRESH)]))


def figures(table: Table, seeds: int, *, shuffled: bool) -> Iterator[tuple[float, float, float, float]]:
    """All features, the search, fresh folds and the difference of these two, in percent, for each seed."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        classes = rng.permutation(table.classes) if shuffled else table.classes
        everything = table.error(np.ones(table.x.shape[1], dtype=np.bool_), classes, rng)
        search, fresh = searched(table, classes, rng)
        yield 100 * everything, 100 * search, 100 * fresh, 100 * (fresh - search)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    asked = parser.parse_args()
    for is_shuffled in (False, True):
        values = np.array(list(figures(Table(asked.table), asked.seeds, shuffled=is_shuffled)))
        errors = values.std(axis=0, ddof=1) / np.sqrt(asked.seeds)
        said = ", ".join(f"{mean:.2f} ± {error:.2f}" for mean, error in zip(values.mean(axis=0), errors, strict=True))
        print("shuffled targets:" if is_shuffled else "own targets:", said, flush=True)
