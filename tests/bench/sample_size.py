"""Whether what is said of more rows comes true: `python -m tests.bench.sample_size [tables]`.

A pilot of made-up rows is predicted by a linear discriminant in 5 folds. What it says of four times as many rows (the
half of the interval) and of twice as many (the chance of evidence) is compared with tables of that size. Prints, for
each kind, the medians of the half that was expected and of the one that came, in what share of the tables it was within
a third of it, and the mean chance beside the share of tables that showed evidence. Half a minute for 100 tables.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.sample_size import planned

from .decision_intervals import FOLDS, Kind, discriminant

KINDS = {
    "80 rows of noise": Kind(80, 10, 0.0, 0.4),
    "60 rows, weak": Kind(60, 10, 0.4, 0.4),
    "100 rows, weak": Kind(100, 5, 0.6, 0.3),
    "80 rows, clear": Kind(80, 5, 1.0, 0.4),
    "40 blocks of 3 rows": Kind(120, 5, 0.6, 0.4, group=3),
}


def judged(kind, rng, rows, criterion):
    """The held-out error of one table of so many rows."""
    x, y = kind.table(rng, rows)
    blocks = np.arange(len(y)) // kind.group
    units, folds = y[:: kind.group], np.empty(len(y) // kind.group, dtype=np.int64)
    for code in (True, False):
        own = rng.permutation(np.flatnonzero(units == code))
        folds[own] = np.arange(len(own)) % FOLDS
    folds, scores, chance = folds[blocks], np.empty(len(y)), np.empty(len(y), dtype=np.int64)
    for fold in range(FOLDS):
        own = folds == fold
        weights, constant = discriminant(x[~own], y[~own])
        scores[own], chance[own] = x[own] @ weights + constant, int(y[~own].mean() > 0.5)
    each = np.stack([-scores, scores], axis=1)
    said = HeldOut(
        criterion=criterion,
        classes=2,
        rows=np.arange(len(y)),
        blocks=blocks,
        folds=folds,
        repeats=np.zeros(len(y), dtype=np.int64),
        truth=y.astype(np.int64),
        chosen=(scores > 0).astype(np.int64) if criterion == "error" else each,
        chance=chance if criterion == "error" else np.zeros_like(each),
        scores=each,
    )
    return honest_error(said, selected=1, features=2)


def main(tables=100):
    """Print a line for each kind of table and criterion."""
    print("| tables | half expected | half at 4 n | within a third | chance at 2 n | evidence at 2 n |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for title, kind in KINDS.items():
        for criterion in ("error", "auc"):
            found = []
            for seed in range(tables):
                rng = np.random.default_rng(seed)
                pilot = judged(kind, rng, kind.rows, criterion)
                units = kind.rows // kind.group
                wide, twice = judged(kind, rng, 4 * kind.rows, criterion), judged(kind, rng, 2 * kind.rows, criterion)
                half = max(wide.high - wide.value, wide.value - wide.low)
                expected = planned(pilot, 4 * units).half
                found.append([expected, half, planned(pilot, 2 * units).chance, twice.has_evidence])
            expected, half, chance, evident = np.array(found, dtype=float).T
            near = np.abs(expected - half) <= half / 3
            error = np.sqrt(evident.mean() * (1 - evident.mean()) / tables)
            halves = f"{np.median(expected):.3f} | {np.median(half):.3f} | {100 * near.mean():.0f} %"
            evidence = f"{100 * chance.mean():.0f} % | {100 * evident.mean():.0f} ± {100 * error:.0f} %"
            print(f"| {title}, {criterion} | {halves} | {evidence} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
