"""Whether the intervals of the held-out error hold: `python tests/bench/honest_intervals.py [tables]`.

Each made-up table is searched by a cheap wrapper (the k best features by their F statistic, k by 5-fold
cross-validation with nearest neighbors) inside 5 outer folds, and once on all rows. The answer of the latter and all
features then predict 10,000 new rows, which is the truth that the intervals ought to cover in 95 of 100 tables. Prints
coverage by the intervals of fsdesk and by those that were not taken, then how often nothing shows that features
predict. About ten minutes on one core for 200 tables of each kind.
"""

import os
import sys
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.stats import beta, norm, t

from fsdesk.measure import CRITERIA, Outcome
from fsdesk.results.held_out import HeldOut, honest_error

SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
FOLDS, NEW = 5, 10_000


@dataclass(frozen=True)
class Kind:
    """How tables of a kind are made: ``informative`` features are shifted by ``shift`` between the classes."""

    rows: int
    features: int
    informative: int = 0
    shift: float = 0.0
    classes: int = 2
    share: float = 0.5
    criterion: str = "error"
    group: int = 1
    interaction: bool = False

    def table(self, rng, rows):
        """x, y, group of each row."""
        x = rng.normal(size=(rows, self.features))
        groups = np.arange(rows) // self.group
        if self.criterion == "rmse":
            return x, self.shift * x[:, : self.informative].sum(axis=1) + rng.normal(size=rows), groups
        if self.interaction:
            return x, (x[:, 0] * x[:, 1] > 0).astype(np.int64), groups
        units = groups[-1] + 1
        if self.share != 0.5:
            y = (rng.random(units) < self.share).astype(np.int64)
        else:
            y = rng.permutation(np.arange(units) % self.classes)
        if self.group > 1:
            x += rng.normal(size=(units, self.features))[groups]
        y = y[groups]
        for feature in range(self.informative):
            x[:, feature] += self.shift * (y == feature % self.classes if self.classes > 2 else y)
        return x, y, groups

    @property
    def neighbours(self):
        return 1 if self.criterion == "error" else 5


KINDS = {
    "noise, n 60": Kind(60, 200),
    "noise, n 100, 30 : 70": Kind(100, 200, share=0.3),
    "5 of 200 features, n 60": Kind(60, 200, 5, 1.0),
    "10 of 300, n 100": Kind(100, 300, 10, 0.8),
    "5 of 200, n 200": Kind(200, 200, 5, 0.7),
    "20 of 200, n 300": Kind(300, 200, 20, 0.5),
    "10 of 200, far apart, n 60": Kind(60, 200, 10, 2.0),
    "5 of 100, far apart, n 100": Kind(100, 100, 5, 1.7),
    "20 of 100, hardly a miss, n 60": Kind(60, 100, 20, 2.5),
    "3 of 100, weak, n 60": Kind(60, 100, 3, 0.8),
    "12 of 200, three classes, n 150": Kind(150, 200, 12, 1.2, 3),
    "10 of 100, patients of 3 rows, n 120": Kind(120, 100, 10, 1.2, group=3),
    "interaction, 2 of 10, n 200": Kind(200, 10, interaction=True),
    "RMSE, 4 of 100, n 120": Kind(120, 100, 4, 1.0, criterion="rmse"),
    "AUC, 5 of 100, n 100": Kind(100, 100, 5, 0.8, criterion="auc"),
}


def folds_of(rng, y, groups):
    """(n,) folds, by class where there are classes; groups stay whole."""
    first = np.unique(groups, return_index=True)[1]
    order = rng.permutation(len(first))
    order = order[np.argsort(y[first][order], kind="stable")]
    fold = np.empty(len(first), dtype=np.int64)
    fold[order] = (np.arange(len(first)) + rng.integers(FOLDS)) % FOLDS
    return fold[groups]


def ranked(kind, x, y):
    """Features, the one that tells most about y first."""
    if kind.criterion == "rmse":
        centred = x - x.mean(axis=0)
        return np.argsort(-np.abs(centred.T @ (y - y.mean())) / np.sqrt((centred**2).sum(axis=0)), kind="stable")
    between, within = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for code in np.unique(y):
        own = x[y == code]
        mean = own.mean(axis=0)
        between += len(own) * (mean - x.mean(axis=0)) ** 2
        within += ((own - mean) ** 2).sum(axis=0)
    return np.argsort(-between / within, kind="stable")


def predicted(kind, x, y, chosen, new):
    """What nearest neighbors say about new rows, in the form that the criterion needs."""
    x, new = x[:, chosen], new[:, chosen]
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    x, new = (x - mean) / deviation, (new - mean) / deviation
    distances = (x * x).sum(axis=1) - 2 * new @ x.T
    if kind.neighbours == 1:
        return y[distances.argmin(axis=1)]
    near = y[np.argpartition(distances, kind.neighbours, axis=1)[:, : kind.neighbours]]
    return near.mean(axis=1) if kind.criterion == "rmse" else (near[:, :, None] == [0, 1]).mean(axis=1)


def loss(kind, y, said):
    """Of rows that are judged together."""
    whole = np.zeros((1, len(y)), dtype=np.int64)
    numbers, scores = kind.criterion == "rmse", kind.criterion == "auc"
    outcome = Outcome(
        whole,
        whole[0] if numbers else y,
        y if numbers else None,
        kind.classes,
        predicted=None if numbers or scores else said[None],
        scores=said[None] if scores else None,
        values=said[None] if numbers else None,
    )
    return float(CRITERIA[kind.criterion].loss(outcome)[0])


def searched(kind, rng, x, y, groups):
    """The answer of a search on these rows."""
    sizes = [size for size in SIZES if size < x.shape[1]] + [x.shape[1]]
    fold = folds_of(rng, y, groups)
    losses = np.zeros(len(sizes))
    for each in range(FOLDS):
        train, test = fold != each, fold == each
        order = ranked(kind, x[train], y[train])
        for place, size in enumerate(sizes):
            said = predicted(kind, x[train], y[train], order[:size], x[test])
            losses[place] += loss(kind, y[test], said) ** (2 if kind.criterion == "rmse" else 1)
    return ranked(kind, x, y)[: sizes[int(losses.argmin())]]


def trivial(kind, y, rows):
    if kind.criterion == "rmse":
        return np.full(rows, y.mean())
    if kind.criterion == "auc":
        return np.zeros((rows, 2))
    return np.full(rows, np.bincount(y).argmax())


def one_table(kind, seed):
    """What was held out, the true losses of the answer and of all features, and the size of the answer."""
    rng = np.random.default_rng(seed)
    x, y, groups = kind.table(rng, kind.rows)
    fold, everything = folds_of(rng, y, groups), np.arange(kind.features)
    parts = []
    for each in range(FOLDS):
        train, test = fold != each, np.flatnonzero(fold == each)
        inner = np.unique(groups[train], return_inverse=True)[1]
        chosen = searched(kind, rng, x[train], y[train], inner)
        zeros = np.zeros(len(test), dtype=np.int64)
        parts.append(
            HeldOut(
                kind.criterion,
                1 if kind.criterion == "rmse" else kind.classes,
                test,
                groups[test],
                zeros + each,
                zeros,
                y[test],
                predicted(kind, x[train], y[train], chosen, x[test]),
                trivial(kind, y[train], len(test)),
                predicted(kind, x[train], y[train], everything, x[test]),
            )
        )
    chosen = searched(kind, rng, x, y, groups)
    new, truth, _ = kind.table(rng, NEW)
    true = [loss(kind, truth, predicted(kind, x, y, each, new)) for each in (chosen, everything)]
    return HeldOut.joined(parts), true[0], true[1], len(chosen)


def rivals(said):
    """Intervals of a share of misses that were not taken."""
    missed = (said.chosen != said.truth).astype(float)
    n, share = len(missed), missed.mean()
    rng = np.random.default_rng(0)
    drawn = missed[rng.integers(n, size=(1000, n))].mean(axis=1)
    bias = norm.ppf(np.clip(((drawn < share).mean() + (drawn <= share).mean()) / 2, 1e-3, 1 - 1e-3))
    off = missed.mean() - missed
    skew = (off**3).sum() / (6 * (off**2).sum() ** 1.5) if off.any() else 0.0
    ends = norm.ppf([0.025, 0.975])
    bca = np.quantile(drawn, norm.cdf(bias + (bias + ends) / (1 - skew * (bias + ends))))
    z = 1.96
    middle = (share + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / 4 / n**2)
    of_folds = np.array([missed[said.folds == fold].mean() for fold in range(FOLDS)])
    corrected = t.ppf(0.975, FOLDS - 1) * np.sqrt((1 / FOLDS + 1 / (FOLDS - 1)) * of_folds.var(ddof=1))
    jeffreys = beta.ppf([0.025, 0.975], share * n + 0.5, n - share * n + 0.5)
    return {
        "bootstrap": np.quantile(drawn, [0.025, 0.975]),
        "BCa": bca,
        "Wilson": (middle - half, middle + half),
        "Jeffreys": (0.0 if share == 0 else jeffreys[0], jeffreys[1]),
        "corrected t": (of_folds.mean() - corrected, of_folds.mean() + corrected),
    }


def paired_t(said):
    """Of the difference to all features, by the folds, with the corrected variance."""
    gain = (said.everything != said.truth).astype(float) - (said.chosen != said.truth)
    of_folds = np.array([gain[said.folds == fold].mean() for fold in range(FOLDS)])
    half = t.ppf(0.975, FOLDS - 1) * np.sqrt((1 / FOLDS + 1 / (FOLDS - 1)) * of_folds.var(ddof=1))
    return of_folds.mean() - half, of_folds.mean() + half


def covered(intervals, truth):
    """Percent of the intervals that hold what is true."""
    return f"{100 * np.mean([low <= each <= high for (low, high), each in zip(intervals, truth, strict=True)]):.1f}"


def main(tables):
    names = ("bootstrap", "BCa", "Wilson", "Jeffreys", "corrected t")
    heads = "true / held out ± half width", "**fsdesk**", "bootstrap / BCa", "Wilson / Jeffreys", "corrected t"
    heads += "**difference** / corrected t", "no evidence that features predict"
    print(f"| {tables} tables each | {' | '.join(heads)} |\n| --- |" + " ---: |" * len(heads))
    for name, kind in KINDS.items():
        rows = [one_table(kind, seed) for seed in range(tables)]
        honest = [honest_error(said, selected=size, features=kind.features) for said, _, _, size in rows]
        true = [row[1] for row in rows]
        gains = [row[2] - row[1] for row in rows]
        own = covered([(each.low, each.high) for each in honest], true)
        compared = covered([(each.difference_low, each.difference_high) for each in honest], gains)
        others, pairs = dict.fromkeys(names, "-"), "-"
        if kind.criterion == "error":
            found = [rivals(row[0]) for row in rows]
            others = {way: covered([each[way] for each in found], true) for way in names}
            pairs = covered([paired_t(row[0]) for row in rows], gains)
        unit = 1.0 if kind.criterion == "rmse" else 100.0
        truth, value = unit * np.mean(true), unit * np.mean([each.value for each in honest])
        half = unit * np.mean([each.high - each.low for each in honest]) / 2
        none = 100 * np.mean([not each.has_evidence for each in honest])
        print(f"| {name} | {truth:.3g} / {value:.3g} ± {half:.2g} | **{own}** "
              f"| {others['bootstrap']} / {others['BCa']} | {others['Wilson']} / {others['Jeffreys']} "
              f"| {others['corrected t']} | **{compared}** / {pairs} | {none:.0f} |", flush=True)  # fmt: skip
    noise = [one_table(Kind(80, 1000), 10_000 + seed)[0] for seed in range(100)]
    said = [not honest_error(each, selected=1, features=1000).has_evidence for each in noise]
    print(f"\nNoise, n = 80, p = 1,000: nothing shows that features predict in {sum(said)} of 100 tables.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
