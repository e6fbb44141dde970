"""What the default method answers on made-up tables: `python tests/bench/automatic.py FILE.jsonl`.

Each table is searched once with all defaults (nearest neighbors, `auto`), as a user would; with `--quick` by its
preset of that name, which has no search by BSPSA-R and takes a tenth of the time. What it took then predicts 10,000 new
rows, which is the truth that its own held-out error is held against: its mean, and whether the 95 % interval covers it.
On noise the verdict ought to be "no evidence"; on interactions two features carry the class, and
no score of a single feature sees them. Each table is a line of the file, and a second call goes on where the first one
ended; `--show` prints the table of what is there. `--kinds` and `--tables` choose; 100 tables of all kinds take half a
day on one core.
"""

import argparse
import json
import os
import time
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.stats import beta
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fsdesk
from fsdesk.data import Dataset
from fsdesk.methods import METHODS

NEW = 10_000
KINDS = {  # rows, features, informative features and the shift of each between the classes; None: an interaction of two
    "noise, 80 x 1,000": (80, 1_000, 0, 0.0),
    "interaction, 300 x 60": (300, 60, 2, None),
    "interaction, 300 x 200": (300, 200, 2, None),
    "few strong, 100 x 1,000": (100, 1_000, 5, 1.3),
    "many weak, 100 x 1,000": (100, 1_000, 30, 0.7),
    "few weak, 150 x 500": (150, 500, 5, 0.6),
    "narrow, 200 x 30": (200, 30, 6, 0.7),
}


def rows_of(kind: str, rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """x and class of so many rows."""
    _, features, informative, shift = KINDS[kind]
    x, y = rng.normal(size=(rows, features)), np.arange(rows) % 2
    if shift is None:
        return x, (x[:, 0] * x[:, 1] > 0).astype(np.int64) ^ (rng.random(rows) < 0.01)
    x[:, :informative] += shift * y[:, None]
    return x, y


def searched(kind: str, number: int, preset: str) -> dict:
    """One table: what was said of it, and what is true."""
    rows, features, informative, _ = KINDS[kind]
    rng = np.random.default_rng([number, list(KINDS).index(kind)])
    x, y = rows_of(kind, rows, rng)
    names = tuple(f"f{place}" for place in range(features))
    dataset = Dataset(kind, np.asfortranarray(x), names, y.astype(np.int64), "class", ("0", "1"), ("",) * rows)
    began = time.process_time()
    settings = METHODS["auto"].preset(preset).values
    result = fsdesk.select(dataset, method="auto", wrapper="nn", seed=number, settings=settings)
    seconds = time.process_time() - began
    new_x, new_y = rows_of(kind, NEW, rng)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(1)).fit(x[:, result.mask], y)
    (own,) = result.evidence
    said = own.said
    return {
        "kind": kind,
        "preset": preset,
        "number": number,
        "strategy": result.reason.split(" with ")[0],
        "features": int(result.mask.sum()),
        "informative": int(result.mask[:informative].sum()),
        "said": said.value,
        "low": said.low,
        "high": said.high,
        "verdict": said.verdict,
        "true": float(np.mean(model.predict(new_x[:, result.mask]) != new_y)),
        "seconds": round(seconds, 1),
    }


def show(file: Path) -> None:
    """One line for each preset and kind."""
    kinds = defaultdict(list)
    for line in file.read_text().splitlines():
        each = json.loads(line)
        kinds[each["preset"], each["kind"]].append(each)
    heads = "features (informative)", "error in %, said / true", "covered (95 % interval)", "no evidence", "seconds"
    print(f"| table | {' | '.join(heads)} |\n| --- |" + " ---: |" * len(heads))
    for (preset, kind), found in sorted(kinds.items(), key=_place):
        said, true = (100 * np.array([each[name] for each in found]) for name in ("said", "true"))
        covered = sum(each["low"] <= each["true"] <= each["high"] for each in found)
        low, high = beta.ppf((0.025, 0.975), (covered, covered + 1), (len(found) - covered + 1, len(found) - covered))
        ends = f"{100 * np.nan_to_num(low):.0f} to {100 * np.nan_to_num(high, nan=1.0):.0f}"
        none = sum(each["verdict"] in ("no evidence", "chance") for each in found)  # as older versions called it
        median = (int(np.median([each[name] for each in found])) for name in ("features", "informative"))
        time_taken = np.mean([each["seconds"] for each in found])
        cells = [f"{'quick: ' * (preset == 'quick')}{kind}", "{} ({})".format(*median)]
        cells += [f"{said.mean():.1f} / {true.mean():.1f}", f"{100 * covered / len(found):.0f} % ({ends})"]
        print("| " + " | ".join([*cells, f"{none} of {len(found)}", f"{time_taken:.0f}"]) + " |")


def _place(item: tuple[tuple[str, str], object]) -> tuple[bool, int]:
    preset, kind = item[0]
    return preset == "quick", list(KINDS).index(kind)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kinds", default=";".join(KINDS), help="names, separated by semicolons")
    parser.add_argument("--tables", type=int, default=100, help="of each kind")
    parser.add_argument("--quick", action="store_true", help="the preset of that name, not the default one")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show:
        show(asked.file)
    else:
        known = asked.file.read_text().splitlines() if asked.file.is_file() else []
        done = {(each["preset"], each["kind"], each["number"]) for each in map(json.loads, known)}
        preset = "quick" if asked.quick else "recommended"
        for number in range(asked.tables):
            for kind in asked.kinds.split(";"):
                if (preset, kind, number) not in done:
                    with asked.file.open("a") as out:
                        out.write(json.dumps(searched(kind, number, preset)) + "\n")
