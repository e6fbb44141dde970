"""Times to an event: what runs find on made-up tables, and whether their intervals hold the concordance of the answer.

    python -m tests.bench.survival [--tables 20] [--kinds noise few many bent] [--quick]
    python -m tests.bench.survival --real [--quick] [--repeats 1] [--named lung larynx ...]

"noise" has nothing to find; "few" five of 300 features with proportional hazards, 200 rows; "many" thirty of 2,000;
"bent" two features whose product counts, which no sum of features shows. A line for each table: concordance on
held-out rows with its interval, that of the answer and of L1-Cox on 5,000 new rows, and p; then how many intervals hold
it, the mean differences, and how many tables show evidence. Half of the rows or so are censored.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import fsdesk
from fsdesk.kernels import _core
from fsdesk.measure.cox_path import cox_l1_path

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


def run(kind: str, seed: int, *, quick: bool) -> tuple[bool, float, bool, float]:
    """Whether the interval holds the answer's concordance, how much larger that is, whether there is evidence.

    And how much larger it is than that of Cox regression with L1 on all features, the penalty by five inner folds.
    """
    began = time.monotonic()
    table = made(kind, 100 + seed, KINDS[kind][0])
    data = fsdesk.from_frame(table, ("months", "dead"))
    result = fsdesk.select(data, seed=seed, settings={"competing": "filters"} if quick else {})
    found, new = result.honest, made(kind, 9000 + seed, NEW)
    assert found is not None and found.low is not None and found.high is not None
    truth = concordance(result.estimator.predict(new[list(data.features)]), new)
    holds, rival = 1 - found.high <= truth <= 1 - found.low, tuned(l1_risks, table, new)
    print(
        f"{kind} {seed}: {1 - found.value:.3f} ({1 - found.high:.3f} to {1 - found.low:.3f}), new rows {truth:.3f}, "
        f"L1 {rival:.3f}, "
        f"p {found.association_p:.3f}, {found.verdict}, {int(result.mask.sum())} features, {found.model}, "
        f"{time.monotonic() - began:.0f} s", flush=True,
    )  # fmt: skip
    return holds, truth - (1 - found.value), found.has_evidence, truth - rival


REAL = {
    "lung": ("load_lung", "time", "status"),
    "gbsg2": ("load_gbsg2", "time", "cens"),
    "larynx": ("load_larynx", "time", "death"),
    "lymphoma": ("load_lymphoma", "Time", "Censor"),
    "rossi": ("load_rossi", "week", "arrest"),
    "kidney": ("load_kidney_transplant", "time", "death"),
}
STRUCTURED = {
    "veteran": "load_veterans_lung_cancer",
    "whas500": "load_whas500",
    "breast": "load_breast_cancer",
}
_ALPHAS = np.geomspace(1e4, 0.1, 11)


def loaded(name: str) -> pd.DataFrame:
    """A table of lifelines or scikit-survival with ``months`` and ``dead``, without rows that have gaps.

    So all models see the same.
    """
    if name in STRUCTURED:
        from sksurv import datasets as structured

        x, y = getattr(structured, STRUCTURED[name])()
        event, time_name = y.dtype.names
        wide = pd.get_dummies(x, drop_first=True).astype(float)
        return wide.assign(months=y[time_name], dead=y[event].astype(int)).dropna().reset_index(drop=True)
    from lifelines import datasets

    load, time_name, event = REAL[name]
    table = getattr(datasets, load)().dropna()
    table = table.drop(columns=[each for each in ("Unnamed: 0", "id", "start") if each in table])
    dead = table[event].astype(float)
    months = table[time_name].astype(float)
    others = table.drop(columns=[time_name, event])
    wide = pd.get_dummies(others, drop_first=True).astype(float)
    return wide.assign(months=months, dead=(dead == dead.max()).astype(int))[months > 0].reset_index(drop=True)


def folds_of(table: pd.DataFrame, count: int, seed: int) -> np.ndarray:
    """(n,) folds with equal shares of events."""
    rng, folds = np.random.default_rng(seed), np.empty(len(table), dtype=np.int64)
    for value in (0, 1):
        rows = rng.permutation(np.flatnonzero(table.dead == value))
        folds[rows] = np.arange(len(rows)) % count
    return folds


def columns_of(train: pd.DataFrame, test: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Columns in standard units of the training rows."""
    names = [name for name in train if name not in ("months", "dead")]
    x, z = train[names].to_numpy(float), test[names].to_numpy(float)
    spread = x.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return (x - x.mean(axis=0)) / spread, (z - x.mean(axis=0)) / spread


def ridge_risks(train: pd.DataFrame, test: pd.DataFrame) -> np.ndarray:
    """(alphas, t) risks of Cox with ridge on all features."""
    x, z = (np.ascontiguousarray(each.T) for each in columns_of(train, test))
    every, ends = np.arange(len(x), dtype=np.int32), np.array([0, len(x)])
    return _core.cox_fits(x, signed(train), z, every, ends, alphas=_ALPHAS)[:, 0]


def l1_risks(train: pd.DataFrame, test: pd.DataFrame) -> np.ndarray:
    """(alphas, t) risks of Cox with L1 on all features; 0 behind the end of the path."""
    x, z = columns_of(train, test)
    path = [z @ point.weights for point in cox_l1_path(x, signed(train), 20, 0.02)]
    return np.array(path + [np.zeros(len(z))] * (20 - len(path)))


def signed(table: pd.DataFrame) -> np.ndarray:
    """(n,) times, negative where they are censored."""
    return np.where(table.dead == 1, table.months, -table.months).astype(float)


def tuned(risks: Callable[[pd.DataFrame, pd.DataFrame], np.ndarray], train: pd.DataFrame, test: pd.DataFrame) -> float:
    """Concordance on the tested rows with the penalty that is best on five inner folds."""
    inner = folds_of(train, 5, 1)
    worth = np.zeros(len(risks(train, test)))
    for fold in range(5):
        own = train[inner == fold]
        worth += [concordance(risk, own) for risk in risks(train[inner != fold], own)]
    return concordance(risks(train, test)[int(worth.argmax())], test)


def of_lifelines(train: pd.DataFrame, test: pd.DataFrame) -> float:
    """Concordance of lifelines' Cox regression, with the least penalty that lets it end."""
    from lifelines import CoxPHFitter
    from lifelines.exceptions import ConvergenceError

    names = [name for name in train if name in ("months", "dead") or train[name].nunique() > 1]
    for penalty in (0.0, 1e-3, 1e-2, 0.1):
        try:
            model = CoxPHFitter(penalizer=penalty).fit(train[names], "months", "dead")
        except (ConvergenceError, ValueError):
            continue
        return concordance(model.predict_partial_hazard(test).to_numpy(float), test)
    return float("nan")


def beside(name: str, *, quick: bool, repeats: int) -> None:
    """Print how well rows of a real table are predicted by all."""
    table, found, began = loaded(name), list[list[float]](), time.monotonic()
    for repeat in range(repeats):
        folds = folds_of(table, 5, repeat)
        for fold in range(5):
            train, test = table[folds != fold].reset_index(drop=True), table[folds == fold]
            data = fsdesk.from_frame(train, ("months", "dead"))
            settings = {"competing": "filters"} if quick else {}
            result = fsdesk.select(data, seed=repeat, settings=settings, outer=0)
            ours = concordance(result.estimator.predict(test[list(data.features)]), test)
            found.append(
                [ours, tuned(ridge_risks, train, test), tuned(l1_risks, train, test), of_lifelines(train, test)]
            )
    values = np.array(found)
    off = values[:, :1] - values[:, 1:]
    words = [
        f"{rival} {value:.3f} ({difference:+.3f} ± {error:.3f})"
        for rival, value, difference, error in zip(
            ("ridge", "L1", "lifelines"), values[:, 1:].mean(axis=0), off.mean(axis=0),
            off.std(axis=0, ddof=1) / np.sqrt(len(off)), strict=True,
        )
    ]  # fmt: skip
    print(
        f"{name}, {len(table)} rows, {table.dead.sum()} events, {table.shape[1] - 2} features: ours "
        f"{values[:, 0].mean():.3f}; {'; '.join(words)}; {time.monotonic() - began:.0f} s", flush=True,
    )  # fmt: skip


def main() -> None:
    """Run all tables of the kinds that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--quick", action="store_true", help="strategies without a search alone")
    parser.add_argument("--real", action="store_true", help="real tables beside other models")
    parser.add_argument("--named", nargs="+", choices=[*REAL, *STRUCTURED], default=[*REAL, *STRUCTURED],
                        help="which real tables")  # fmt: skip
    parser.add_argument("--repeats", type=int, default=1, help="divisions of each real table")
    asked = parser.parse_args()
    if asked.real:
        for name in asked.named:
            beside(name, quick=asked.quick, repeats=asked.repeats)
        return
    for kind in asked.kinds:
        found = [run(kind, seed, quick=asked.quick) for seed in range(asked.tables)]
        holds, more, evident, ahead = (np.array(each) for each in zip(*found, strict=True))
        error = ahead.std(ddof=1) / np.sqrt(len(ahead)) if len(ahead) > 1 else np.nan
        print(
            f"{kind}: {holds.sum()} of {len(holds)} intervals hold the answer's concordance, which is larger by "
            f"{more.mean():.3f} on average; evidence on {evident.sum()}; {ahead.mean():+.3f} ± {error:.3f} beside L1",
            flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
