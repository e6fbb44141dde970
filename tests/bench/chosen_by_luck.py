"""How far the losses that chose among candidates can be believed: `python tests/bench/chosen_by_luck.py [tables]`.

Made-up tables with 1-NN and nothing of fsdesk but the rule in question: five scores of single features put these in
order inside each of ten folds, and models with the first 1, 2, 3, ... predict the rows held out. Each fold's rows are
predicted by what the other folds choose; that is brought towards the mean of all candidates by
:func:`fsdesk.results.held_out.luck_of`. What was chosen predicts 4,000 new rows, which is the truth. The bounds of the
rule were chosen with other tables of these kinds and one more score.
"""

import sys
from collections import defaultdict

import numpy as np
from scipy.stats import rankdata

from fsdesk.results.held_out import luck_of

FOLDS, NEW = 10, 4_000
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 22, 25, 28, 33, 40, 50, 65, 80, 100, 130, 160, 200)
KINDS = {  # rows, features, informative features and the shift of each between the classes
    "noise, 80 x 1,000": (80, 1_000, 0, 0.0),
    "5 weak, 150 x 500": (150, 500, 5, 0.6),
    "10 weak, 80 x 1,000": (80, 1_000, 10, 0.6),
    "5 of 500, 40 rows": (40, 500, 5, 1.0),
    "6 of 30, 200 rows": (200, 30, 6, 0.7),
    "30 of 1,000, 100 rows": (100, 1_000, 30, 0.7),
    "5 strong of 1,000, 100 rows": (100, 1_000, 5, 1.3),
}


def rows_of(kind: str, rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """x and class of so many rows."""
    _, features, informative, shift = KINDS[kind]
    x, y = rng.normal(size=(rows, features)), np.arange(rows) % 2
    x[:, :informative] += shift * y[:, None]
    return x, y


def scores(x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """(p,) of each score: t, difference of means and of medians, Mann and Whitney's U, ReliefF with one neighbour."""
    zero, one, ranks = x[y == 0], x[y == 1], rankdata(x, axis=0)
    gap, spread = zero.mean(axis=0) - one.mean(axis=0), np.sqrt(zero.var(axis=0) + one.var(axis=0))
    z = x / x.std(axis=0)
    products = z @ z.T
    distances = np.add.outer(products.diagonal(), products.diagonal()) - 2 * products
    np.fill_diagonal(distances, np.inf)
    alike = y[:, None] == y
    hit, miss = (np.where(which, distances, np.inf).argmin(axis=1) for which in (alike, ~alike))
    return {
        "t": abs(gap) / spread,
        "means": abs(gap),
        "medians": abs(np.median(zero, axis=0) - np.median(one, axis=0)),
        "U": abs(ranks[y == 0].mean(axis=0) - ranks[y == 1].mean(axis=0)),
        "ReliefF": (abs(z - z[miss]) - abs(z - z[hit])).mean(axis=0),
    }


def errors(x: np.ndarray, y: np.ndarray, new_x: np.ndarray, new_y: np.ndarray, order: np.ndarray, sizes: list[int]):
    """Share of the new rows that 1-NN has wrong with the first features of an order, at each size."""
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    x, new_x = (x - mean) / deviation, (new_x - mean) / deviation
    distances, before = np.zeros((len(new_x), len(x))), 0
    for size in sizes:
        own, new = x[:, order[before:size]], new_x[:, order[before:size]]
        distances += (own**2).sum(axis=1) - 2 * new @ own.T  # and what is the same for all of these rows
        before = size
        yield np.mean(y[distances.argmin(axis=1)] != new_y)


def judged(kind: str, seed: int) -> tuple[float, float, float]:
    """One table: loss by what the others choose, the same brought towards the mean of all, and the truth."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    x, y = rows_of(kind, KINDS[kind][0], rng)
    sizes = [size for size in SIZES if size < x.shape[1]]
    folds = np.empty(len(y), dtype=int)
    for code in (0, 1):
        folds[rng.permutation(np.flatnonzero(y == code))] = np.arange((y == code).sum()) % FOLDS
    losses = defaultdict(list)
    for fold in range(FOLDS):
        known, held = folds != fold, folds == fold
        for name, score in scores(x[known], y[known]).items():
            found = errors(x[known], y[known], x[held], y[held], np.argsort(-score, kind="stable"), sizes)
            for size, loss in zip(sizes, found, strict=True):
                losses[name, size].append(loss)
    table = np.array(list(losses.values()))
    rest = table.sum(axis=1, keepdims=True) - table
    said = float(np.mean(table[rest.argmin(axis=0), np.arange(FOLDS)]))
    name, size = list(losses)[int(table.mean(axis=1).argmin())]
    order = np.argsort(-scores(x, y)[name], kind="stable")
    (truth,) = errors(x, y, *rows_of(kind, NEW, rng), order, [size])
    luck = luck_of(table)
    return said, (1 - luck) * said + luck * float(table.mean()), truth


def main(tables: int) -> None:
    """Print the table."""
    heads = "true error, %", "chosen by the other folds", "fsdesk"
    print(f"| table | {' | '.join(heads)} |\n| --- |" + " ---: |" * len(heads))
    for kind in KINDS:
        said, brought, truth = 100 * np.array([judged(kind, seed) for seed in range(tables)]).T
        cells = [f"{truth.mean():.1f}"]
        for off in (said - truth, brought - truth):
            error = off.std(ddof=1) / np.sqrt(tables)
            cells.append(f"{off.mean():+.1f} ± {error:.1f} ({np.sqrt(np.mean(off**2)):.1f})")
        print("| " + " | ".join([kind, *cells]) + " |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
