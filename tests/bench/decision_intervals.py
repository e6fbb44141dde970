"""Whether the intervals of the decision card hold: `python tests/bench/decision_intervals.py [tables] [kinds]`.

Each made-up table is predicted by a linear discriminant in 5 folds, blocks of rows whole. The discriminant of all rows,
with the cut-off and the calibration that the held-out scores give, then predicts 20,000 new rows: what these show is
what the intervals ought to cover in 95 of 100 tables. Prints coverage, medians of the estimate and of the truth, and
the number of tables that have an interval: where the AUC may be 0.5 there is none of the rates.
About two minutes on one core for 100 tables of each kind.
"""

import os
import sys
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.stats import rankdata

from fsdesk.results.calibration import sigmoid
from fsdesk.results.decision import CutOff, decide, why_not
from fsdesk.results.scores import Scored

FOLDS, NEW, PREVALENCE = 5, 20_000, 0.3
YOUDEN = CutOff()
NAMES = "auc", "sensitivity", "specificity", "positive_ratio", "negative_ratio", "slope", "intercept"


@dataclass(frozen=True)
class Kind:
    """Tables whose first three features are shifted by ``shift`` in the positive class, ``group`` rows in a block."""

    rows: int
    features: int
    shift: float
    share: float
    group: int = 1
    cut_off: CutOff = YOUDEN

    def table(self, rng, rows):
        """x and y; rows of a block share their class and half of their variance."""
        units = rows // self.group
        y = np.repeat(rng.random(units) < self.share, self.group)
        x = rng.normal(size=(len(y), self.features))
        if self.group > 1:
            x = np.sqrt(0.5) * (x + np.repeat(rng.normal(size=(units, self.features)), self.group, axis=0))
        x[:, :3] += self.shift * y[:, None]
        return x, y


KINDS = {
    "100 rows, weak": Kind(100, 5, 0.6, 0.3),
    "200 rows, clear, 20 % positive": Kind(200, 5, 0.9, 0.2),
    "150 rows, sensitivity of 90 %": Kind(150, 5, 0.7, 0.4, cut_off=CutOff("sensitivity", 0.9)),
    "80 rows of noise": Kind(80, 10, 0.0, 0.4),
    "50 blocks of 4 rows": Kind(200, 5, 0.9, 0.4, group=4),
}


def discriminant(x, y):
    """Weights and constant of a linear discriminant, slightly shrunk."""
    means = x[y].mean(axis=0), x[~y].mean(axis=0)
    centred = x - np.where(y[:, None], *means)
    weights = np.linalg.solve(centred.T @ centred / (len(x) - 2) + 0.1 * np.eye(x.shape[1]), means[0] - means[1])
    return weights, -weights @ (means[0] + means[1]) / 2 + np.log(y.mean() / (1 - y.mean()))


def scored(score, y, blocks, folds):
    """Entries with decision values."""
    rows = np.arange(len(y))
    return Scored(
        rows=rows,
        blocks=blocks,
        folds=folds,
        repeats=np.zeros_like(rows),
        truth=y.astype(np.int64),
        scores=np.stack([-score, score], axis=1),
        scales=np.zeros_like(rows),
        probabilities=np.zeros(len(y), dtype=np.bool_),
        names=("no", "yes"),
        positive=1,
    )


def one(kind, seed):
    """For each name the estimate and the truth; nothing where a table has too few rows of a class."""
    rng = np.random.default_rng(seed)
    x, y = kind.table(rng, kind.rows)
    blocks = np.arange(len(y)) // kind.group
    units, folds = y[:: kind.group], np.empty(len(y) // kind.group, dtype=np.int64)
    for code in (True, False):
        own = rng.permutation(np.flatnonzero(units == code))
        folds[own] = np.arange(len(own)) % FOLDS
    folds, score = folds[blocks], np.empty(len(y))
    for fold in range(FOLDS):
        weights, constant = discriminant(x[folds != fold], y[folds != fold])
        score[folds == fold] = x[folds == fold] @ weights + constant
    made = scored(score, y, blocks, folds)
    if why_not(made):
        return []
    found = decide(made, kind.cut_off, PREVALENCE)
    slope, intercept = sigmoid(score, y, 1)
    new_x, new_y = kind.table(rng, NEW)
    weights, constant = discriminant(x, y)
    new = new_x @ weights + constant
    ranks, positives = rankdata(new), int(new_y.sum())
    area = (ranks[new_y].sum() - positives * (positives + 1) / 2) / (positives * (NEW - positives))
    with np.errstate(over="ignore"):
        called = 1 / (1 + np.exp(-(intercept + max(slope, 1e-6) * new))) >= found.cut_off
    hits, alarms = called[new_y].mean(), called[~new_y].mean()
    truths = {
        "auc": area, "sensitivity": hits, "specificity": 1 - alarms, "positive_ratio": hits / max(alarms, 1e-9),
        "negative_ratio": (1 - hits) / max(1 - alarms, 1e-9),
    }  # fmt: skip
    logits = intercept + max(slope, 1e-6) * new
    truths |= dict(zip(("intercept", "slope"), calibrated(logits, new_y), strict=True))
    return [
        (name, getattr(found.calibration if name in ("slope", "intercept") else found, name), truth)
        for name, truth in truths.items()
    ]


def calibrated(logits, y):
    """Intercept at a slope of 1, and slope, of a logistic regression of the truth on logits; Newton's method."""
    level, line = 0.0, np.zeros(2)
    x = np.stack([np.ones(len(y)), logits], axis=1)
    for _ in range(50):
        said = 1 / (1 + np.exp(-np.clip(level + logits, -30, 30)))
        level += np.clip((y - said).sum() / (said * (1 - said)).sum(), -2, 2)
        said = 1 / (1 + np.exp(-np.clip(x @ line, -30, 30)))
        step = np.linalg.lstsq((x * (said * (1 - said))[:, None]).T @ x, x.T @ (y - said), rcond=None)[0]
        line += np.clip(step, -2, 2)
    return level, line[1]


def main(tables=100, kinds=5):
    """Print a line for each of the first kinds of table."""
    print(f"| {tables} tables of | {' | '.join(NAMES)} |\n| --- |{' ---: |' * len(NAMES)}")
    for title, kind in list(KINDS.items())[:kinds]:
        found = [line for seed in range(tables) for line in one(kind, seed)]
        cells = []
        for wanted in NAMES:
            known = [(each, truth) for name, each, truth in found if name == wanted and each.low is not None]
            if not known:
                cells.append("no interval")
                continue
            inside = np.mean([each.low - 1e-9 <= truth <= each.high + 1e-9 for each, truth in known])
            error = 100 * np.sqrt(inside * (1 - inside) / len(known))
            own, there = np.median([[each.value, truth] for each, truth in known], axis=0)
            cells.append(f"{100 * inside:.1f} ± {error:.1f} ({own:.2f}; {there:.2f}; {len(known)})")
        print(f"| {title} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
