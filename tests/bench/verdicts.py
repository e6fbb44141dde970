"""Whether what is said of an answer is true: `python tests/bench/verdicts.py FILE.jsonl [--tables 50]`.

Made-up tables are searched by the quick preset of the default method, with nearest neighbors or, by `--wrapper auto`,
with models that compete. What it took, and all features (with the best model on them), then predict 10,000 new rows:
the truth that the error, its interval, the difference to all features and the verdict are held against. Beside them
stands how wide the interval was said to be beforehand. Each table is a line of the file, and a second call goes on
where the first one ended; `--show` prints the table of what is there, with standard errors. Three seconds a table on a
quiet core, seven where models compete.
"""

import argparse
import json
import os
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fsdesk
from fsdesk.data import Dataset
from fsdesk.results.pipeline import fitted_pipeline

NEW = 10_000
GAIN = 0.05
"""Smaller gains over all features need not be seen."""


@dataclass(frozen=True)
class Kind:
    """Normal features, ``informative`` of them shifted by ``shift`` in the class that has ``share`` of the rows."""

    rows: int
    features: int
    informative: int = 0
    shift: float = 0.0
    share: float = 0.5

    def table(self, rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """x and class of so many rows."""
        x, y = rng.normal(size=(rows, self.features)), (np.arange(rows) < round(self.share * rows)).astype(np.int64)
        x[:, : self.informative] += self.shift * y[:, None]
        return x, y


KINDS = {
    "noise, 60 x 200": Kind(60, 200),
    "noise, 80 x 1,000": Kind(80, 1_000),
    "noise, 100 x 200, 90 : 10": Kind(100, 200, share=0.1),
    "5 weak of 200, n 100": Kind(100, 200, 5, 0.75),
    "5 of 200, n 150, 90 : 10": Kind(150, 200, 5, 1.3, 0.1),
    "5 of 200, n 100": Kind(100, 200, 5, 1.2),
    "10 of 200, n 150": Kind(150, 200, 10, 0.6),
    "6 of 30, n 200": Kind(200, 30, 6, 0.6),
    "30 of 100, n 100": Kind(100, 100, 30, 0.5),
    "all of 40, n 120": Kind(120, 40, 40, 0.35),
}


def searched(kind: str, number: int, wrapper: str) -> dict[str, object]:
    """One table: what was said of it, and what is true."""
    made = KINDS[kind]
    rng = np.random.default_rng([number, list(KINDS).index(kind), 43])
    x, y = made.table(made.rows, rng)
    names = tuple(f"f{place}" for place in range(made.features))
    data = Dataset(kind, np.asfortranarray(x), names, y, "class", ("0", "1"), ("",) * made.rows)
    result = fsdesk.select(data, method="auto", wrapper=wrapper, seed=number, settings={"competing": "filters"})
    said = result.honest
    if said is None or said.low is None or said.high is None:
        raise RuntimeError("a race brings its held-out error along")
    new_x, new_y = made.table(NEW, rng)

    def missed(mask: np.ndarray) -> float:
        if wrapper == "auto":
            model = result.model if mask is result.mask else said.everything_model
            pipeline = fitted_pipeline(replace(result, mask=mask, model=model), data)
            return float(np.mean(pipeline.predict(pd.DataFrame(new_x, columns=list(names))) != new_y.astype(str)))
        model = make_pipeline(StandardScaler(), KNeighborsClassifier(1)).fit(x[:, mask], y)
        return float(np.mean(model.predict(new_x[:, mask]) != new_y))

    return {
        "kind": kind,
        "number": number,
        "features": int(result.mask.sum()),
        "value": said.value,
        "low": said.low,
        "high": said.high,
        "difference": said.difference,
        "difference_low": said.difference_low,
        "difference_high": said.difference_high,
        "p": said.association_p,
        "true": missed(result.mask),
        "true_all": missed(np.ones_like(result.mask)),
    }


def promised(error: float, rows: int) -> float:
    """Half of the width that is said beforehand, of an error as large as the one that came out."""
    from fsdesk.data.checks import half_width

    return half_width(error, rows)


def _mean(values: np.ndarray, digits: int = 1, sign: str = "") -> str:
    """With its standard error."""
    if not len(values):
        return "-"
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():{sign}.{digits}f} ± {error:.{digits}f}"


def _share(hits: np.ndarray) -> str:
    """In percent, with its standard error; one more of each kind, so that 0 and 100 % have one, too."""
    if not len(hits):
        return "-"
    smooth = (hits.sum() + 1) / (len(hits) + 2)
    return f"{100 * hits.mean():.0f} ± {100 * np.sqrt(smooth * (1 - smooth) / len(hits)):.0f}"


def show(file: Path) -> None:
    """One line for each kind, and one for all gains over all features."""
    kinds = defaultdict(list)
    for line in file.read_text().splitlines():
        each = json.loads(line)
        kinds[each["kind"]].append(each)
    heads = ("tables", "true error, %", "said less true, points", "covered, %", "signal, %",
             "true gain over all, points", "difference covered, %",
             "called better, % of gains over 5", "wrongly better, %", "width said before / after")  # fmt: skip
    print(f"| table | {' | '.join(heads)} |\n| --- |" + " ---: |" * len(heads))
    for kind in [*(name for name in KINDS if name in kinds), "all"]:
        found = kinds[kind] if kind != "all" else [each for own in kinds.values() for each in own]
        col = {name: np.array([each[name] for each in found]) for name in found[0] if name != "kind"}
        said_before = np.array([promised(each["value"], KINDS[each["kind"]].rows) for each in found])
        gain = col["true_all"] - col["true"]
        better, real = col["difference_low"] > 0, gain > GAIN
        signal = "" if kind == "all" else _share(col["p"] <= 0.05)
        cells = [
            str(len(found)),
            f"{100 * col['true'].mean():.1f}",
            _mean(100 * (col["value"] - col["true"]), sign="+"),
            _share((col["low"] <= col["true"]) & (col["true"] <= col["high"])),
            signal,
            f"{100 * gain.mean():.1f}",
            _share((col["difference_low"] <= gain) & (gain <= col["difference_high"])),
            f"{_share(better[real])} (of {real.sum()})",
            _share(better & (gain <= 0)),
            _mean(2 * said_before / (col["high"] - col["low"]), 2),
        ]
        print("| " + " | ".join([kind, *cells]) + " |")


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kinds", default=";".join(KINDS), help="names, separated by semicolons")
    parser.add_argument("--wrapper", default="nn", choices=("nn", "auto"))
    parser.add_argument("--tables", type=int, default=50, help="of each kind")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show:
        show(asked.file)
        return
    known = asked.file.read_text().splitlines() if asked.file.is_file() else []
    done = {(each["kind"], each["number"]) for each in map(json.loads, known)}
    for number in range(asked.tables):
        for kind in asked.kinds.split(";"):
            if (kind, number) not in done:
                with asked.file.open("a") as out:
                    out.write(json.dumps(searched(kind, number, asked.wrapper)) + "\n")


if __name__ == "__main__":
    main()
