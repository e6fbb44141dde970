"""How well methods choose, by the held-out error.

`python tests/bench/methods_compared.py FILE.jsonl`. Every method searches with its defaults (nearest neighbors, one
core) inside the same outer folds of each table; what it took predicts the rows left out. Each fold that is done is a
line of the file, and a second call goes on where the first one ended; `--show` prints the table of what is there. All
of it takes a day; `--methods`, `--tables` and `--deals` choose.

Real tables are read from the folder of shared data beside the checkout and left out where they are absent; the planted
ones are made here.
"""

import argparse
import json
import os
import time
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import fsdesk
from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.methods import METHODS
from fsdesk.results.evidence import OuterFold
from fsdesk.results.outer import outer_steps

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
REAL = {
    "20,000 genes": "sample:genes",
    "AR10P": "warpAR10P.mat",
    "chowdary": "chowdary.RData",
    "sonar": "sonar.arff",
    "ionosphere": "ionosphere.arff",
    "segment": "segment.arff",
    "arrhythmia": "arrhythmia.arff",
    "breast cancer": "sample:breast_cancer",
    "digits": "sample:digits",
}
PLANTED = {  # rows, features, and what is done to noise
    "few strong, 60 x 20,000": (60, 20_000, "few"),
    "many weak, 100 x 5,000": (100, 5_000, "weak"),
    "blocks, 150 x 1,000": (150, 1_000, "blocks"),
    "interaction, 300 x 200": (300, 200, "pair"),
    "pair and single, 200 x 500": (200, 500, "mixed"),
}


def planted(rows: int, features: int, kind: str) -> Dataset:
    """A table of two classes whose informative features are known."""
    rng = np.random.default_rng(features + rows)
    x, y = rng.normal(size=(rows, features)), np.arange(rows) % 2
    if kind == "few":
        x[:, :5] += 1.8 * y[:, None]
    elif kind == "weak":
        x[:, :30] += 0.8 * y[:, None]
    elif kind == "blocks":  # 20 features of a block go together; a block and a half tells the classes apart
        x = 0.6 * x + 0.8 * np.repeat(rng.normal(size=(rows, features // 20)), 20, axis=1)
        x[:, :30] += 0.9 * y[:, None]
    elif kind == "pair":
        y = np.where(rng.random(rows) < 0.02, 1, 0) ^ (x[:, 0] * x[:, 1] > 0)
    else:
        sign = rng.integers(0, 2, rows)
        x[:, :5] += 0.8 * y[:, None]
        x[:, 5] = 2 * sign + 0.3 * x[:, 5]
        x[:, 6] = 2 * (sign ^ y) + 0.3 * x[:, 6]
    names = tuple(f"f{place}" for place in range(features))
    target = y.astype(np.int64)
    return Dataset(kind, np.asfortranarray(x), names, target, "class", ("0", "1"), tuple(map(str, range(rows))))


def tables(wanted: list[str]) -> dict[str, Dataset]:
    """Those that are asked for and at hand."""
    found = {}
    for name, source in REAL.items():
        path = source if source.startswith("sample:") else DATA / source
        if (not wanted or name in wanted) and (isinstance(path, str) or path.is_file()):
            found[name] = fsdesk.read_table(path)
    return found | {name: planted(*how) for name, how in PLANTED.items() if not wanted or name in wanted}


def measure(file: Path, methods: list[str], wanted: list[str], deals: int) -> None:
    """Add the folds that are missing, the first deal of all tables first."""
    done = {(each["table"], each["method"], each["deal"], each["fold"]) for each in lines(file)}
    data = tables(wanted)
    for deal in range(deals):
        for name, dataset in data.items():
            for method in methods:
                known = {fold for fold in range(5) if (name, method, deal, fold) in done}
                if len(known) == 5:
                    continue
                spec, began = RunSpec.make(dataset, method=method, wrapper="nn", seed=deal), time.process_time()
                for step in outer_steps(spec, dataset, 5, done=known):
                    if not isinstance(step, OuterFold):
                        continue
                    line = {"table": name, "method": method, "deal": deal, "fold": step.fold, "rows": step.rows}
                    line["loss"] = step.loss
                    line["features"] = int(np.unpackbits(step.mask, count=len(dataset.features)).sum())
                    line["seconds"] = round(time.process_time() - began, 1)
                    began = time.process_time()
                    with file.open("a") as out:
                        out.write(json.dumps(line) + "\n")
                    print(line, flush=True)


def lines(file: Path) -> list[dict]:
    """What was measured so far."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


def _place(line: dict) -> tuple[int, int]:
    return line["deal"], line["fold"]


def show(file: Path) -> None:
    """Print mean error in percent and features (median); bold within one standard error of the best of a table.

    That is the standard error of the best one's share of errors among the rows, each counted once. Ranks are those on
    the tables that `auto` was measured on, of methods measured on all of these. Below the table stands where `auto`
    lies behind by more than the standard error of the difference, fold by fold, which is smaller.
    """
    cells = defaultdict(list)
    for line in lines(file):
        cells[line["table"], line["method"]].append(line)
    folds = {key: len(own) for key, own in cells.items()}
    shown = {table for (table, _), done in folds.items() if done >= 5}
    names = [name for name in dict.fromkeys([*REAL, *PLANTED, *(table for table, _ in cells)]) if name in shown]
    methods = [entry.name for entry in METHODS if any(key[1] == entry.name for key in cells)]
    methods += [name for name in dict.fromkeys(method for _, method in cells) if name not in methods]
    print("| table | folds | " + " | ".join(methods) + " |\n| --- | ---: |" + " ---: |" * len(methods))
    ranks, behind = defaultdict(list), []
    for name in names:
        whole = {method: folds.get((name, method), 0) // 5 * 5 for method in methods}
        most = sorted(whole.values())[-2:][0] or max(whole.values())  # as many deals as two methods have
        most = min(most, whole.get("auto", 0) or most)
        losses = {
            method: np.array([each["loss"] for each in sorted(cells[name, method], key=_place)[:most]])
            for method in methods
            if whole[method] >= most
        }
        best = min(losses, key=lambda method: losses[method].mean())
        means = {method: float(own.mean()) for method, own in losses.items()}
        rows = sum(each["rows"] for each in cells[name, best] if each["deal"] == 0)
        unit, spread = (100, np.sqrt(means[best] * (1 - means[best]) / rows)) if means[best] < 1 else (1, 0.0)
        limit = means[best] + spread
        if "auto" in losses:
            lag = losses["auto"] - losses[best]
            spread = lag.std(ddof=1) / np.sqrt(len(lag))
            if lag.mean() > spread:
                behind.append(f"{name} ({unit * lag.mean():.1f} ± {unit * spread:.1f} behind {best})")
        for method, own in means.items() if "auto" in means else ():
            better = [(other < own) + 0.5 * (other == own) for other in means.values()]
            ranks[method].append(sum(better) + 0.5)
        row = []
        for method in methods:
            if method not in losses:
                row.append("")
                continue
            text = f"{unit * losses[method].mean():.1f}"
            taken = int(np.median([each["features"] for each in cells[name, method]]))
            row.append(f"{f'**{text}**' if means[method] <= limit else text} ({taken:,})")
        print(f"| {name} | {most} | " + " | ".join(row) + " |")
    with_auto = len(ranks["auto"])
    mean = [f"{np.mean(ranks[method]):.1f}" if len(ranks[method]) == with_auto > 0 else "" for method in methods]
    print(f"| mean rank ({with_auto} tables) | | " + " | ".join(mean) + " |")
    if behind:
        print(
            "\nFold by fold, auto lies more than one standard error of the difference behind on: "
            + "; ".join(behind)
            + "."
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--methods", default=",".join(entry.name for entry in METHODS if entry.name != "exhaustive"))
    parser.add_argument("--tables", default="", help="names, separated by semicolons; all by default")
    parser.add_argument("--deals", type=int, default=2, help="times that the rows are divided into five folds")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if not asked.show:
        measure(asked.file, asked.methods.split(","), [name for name in asked.tables.split(";") if name], asked.deals)
    show(asked.file)
