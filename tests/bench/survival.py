"""Times to an event: what runs find on made-up tables, and whether their intervals hold the concordance of the answer.

    python -m tests.bench.survival [--tables 20] [--kinds noise few many bent] [--quick]

"noise" has nothing to find; "few" five of 300 features with proportional hazards, 200 rows; "many" thirty of 2,000;
"bent" two features whose product counts, which no sum of features shows. A line for each table: concordance on
held-out rows with its interval, that of the answer on 5,000 new rows, and p; then how many intervals hold it, the mean
difference, and how many tables show evidence. Half of the rows or so are censored.
"""

import argparse
import time

import numpy as np
import pandas as pd

import fsdesk
from fsdesk.kernels import _core

KINDS = {"noise": (120, 100), "few": (200, 300), "many": (300, 2000), "bent": (300, 40)}
NEW = 5000


def log_hazard(kind: str, x: np.ndarray) -> np.ndarray:
    """(n,) what the features do."""
    if kind == "noise":
        return np.zeros(len(x))
    if kind == "bent":
        return 1.5 * x[:, 0] * x[:, 1]
    return x[:, :5].sum(axis=1) * 0.6 if kind == "few" else x[:, :30].sum(axis=1) * 0.25


def made(kind: str, seed: int, rows: int) -> pd.DataFrame:
    """A table with ``months`` and ``dead``."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, KINDS[kind][1]))
    happens = rng.exponential(np.exp(-log_hazard(kind, x)))
    lost = rng.exponential(1.2 * np.quantile(happens, 0.7), rows)
    table = pd.DataFrame(x, columns=[f"g{place + 1}" for place in range(x.shape[1])])
    return table.assign(months=20 * np.minimum(happens, lost) + 0.001, dead=(happens <= lost).astype(int))


def concordance(risk: np.ndarray, table: pd.DataFrame) -> float:
    """Harrell's."""
    y = np.where(table.dead == 1, table.months, -table.months)
    every, ones = np.zeros((1, len(y)), dtype=np.int64), np.ones(len(y))
    right, total = _core.concordances(np.ascontiguousarray(risk[None]), y, ones, every, 1)[0, 0]
    return float(right / total)


def run(kind: str, seed: int, *, quick: bool) -> tuple[bool, float, bool]:
    """Whether the interval holds the answer's concordance, how much larger that is, and whether there is evidence."""
    began = time.monotonic()
    data = fsdesk.from_frame(made(kind, 100 + seed, KINDS[kind][0]), ("months", "dead"))
    result = fsdesk.select(data, seed=seed, settings={"competing": "filters"} if quick else {})
    found, new = result.honest, made(kind, 9000 + seed, NEW)
    assert found is not None and found.low is not None and found.high is not None
    truth = concordance(result.estimator.predict(new[list(data.features)]), new)
    holds = 1 - found.high <= truth <= 1 - found.low
    print(
        f"{kind} {seed}: {1 - found.value:.3f} ({1 - found.high:.3f} to {1 - found.low:.3f}), new rows {truth:.3f}, "
        f"p {found.association_p:.3f}, {found.verdict}, {int(result.mask.sum())} features, {found.model}, "
        f"{time.monotonic() - began:.0f} s", flush=True,
    )  # fmt: skip
    return holds, truth - (1 - found.value), found.has_evidence


def main() -> None:
    """Run all tables of the kinds that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--quick", action="store_true", help="strategies without a search alone")
    asked = parser.parse_args()
    for kind in asked.kinds:
        found = [run(kind, seed, quick=asked.quick) for seed in range(asked.tables)]
        holds, more, evident = (np.array(each) for each in zip(*found, strict=True))
        print(
            f"{kind}: {holds.sum()} of {len(holds)} intervals hold the answer's concordance, which is larger by "
            f"{more.mean():.3f} on average; evidence on {evident.sum()}", flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
